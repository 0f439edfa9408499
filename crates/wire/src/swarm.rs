//! The frames in which machines send each other a map's files, over connections of their own (TCP port 5153; MAP-73 to 81). No
//! public source has their bytes: they are ours. Little-endian throughout.
//!
//! It checks what the bytes alone can say. Whose turn it is to say what, and what is done with an end that says otherwise, is
//! known where maps are shared.

mod kinds;
mod layouts;

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::Machine;
use crate::layout::Pad;
use crate::limits::NETWORK_VERSION;
use crate::mapshare::{File, FileHash, pieces};

pub use kinds::{FRAMES, FrameInfo, FrameKind};
pub(crate) use layouts::{BITS, VALUES};
use layouts::{DOWNLOADING, HOST, NO_FILE, SENDS};
pub use layouts::{SwarmBlock, SwarmHashes, SwarmHave, SwarmHeader, SwarmHello, SwarmPiece};

/// The version of these frames.
pub const SWARM_VERSION: u16 = 1;
/// What a hello begins with.
pub const SWARM_MAGIC: [u8; 4] = *b"MJMS";
/// Bytes before each frame's body.
pub const FRAME_HEADER_BYTES: usize = 8;
/// Bytes of the longest body; one that says it is longer closes the connection (MAP-73).
pub const FRAME_BODY_MAX: usize = 16_392;
/// Bytes of a block, but a file's last (MAP-78).
pub const BLOCK_BYTES: u32 = 16_384;
/// Bytes of a block's frame before the block's own.
pub const BLOCK_HEAD_BYTES: usize = FRAME_HEADER_BYTES + 8;
/// Pieces' hashes of one frame at most (MAP-79).
pub const HASHES_MAX: usize = 512;

/// What stands before a frame's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the body, at most [`FRAME_BODY_MAX`].
    pub length: usize,
    kind: u8,
    file: u8,
}

impl Header {
    /// The header of those eight bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where the body is longer than any.
    pub fn read(bytes: &[u8; FRAME_HEADER_BYTES]) -> Result<Self, Error> {
        let SwarmHeader { length, kind, file, .. } = SwarmHeader::read(bytes)?;
        let length = length as usize;
        if length > FRAME_BODY_MAX { Err(Error::TooLong) } else { Ok(Self { length, kind, file }) }
    }

    /// What the frame is, where this version knows it.
    pub fn info(&self) -> Option<&'static FrameInfo> {
        FRAMES.iter().find(|info| info.kind as u8 == self.kind)
    }
}

/// What each end says first (MAP-74).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The machine that says it.
    pub machine: Machine,
    /// It is the game's host.
    pub is_host: bool,
    /// It downloads.
    pub is_downloading: bool,
    /// It sends what it has.
    pub sends: bool,
    /// Of the game's map.
    pub map_version: u32,
}

/// What an end has of a file (MAP-75).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Have<'a> {
    /// The file's hash.
    pub hash: FileHash,
    /// Its size in bytes.
    pub size: u32,
    /// The pieces, least significant bit first; none where it has all.
    pub bitmap: Option<&'a [u8]>,
}

impl<'a> Have<'a> {
    fn read(body: &'a [u8]) -> Result<Self, Error> {
        let (head, bitmap) = split::<{ SwarmHave::SIZE }>(body)?;
        let SwarmHave { hash, size, whole, .. } = SwarmHave::read(head)?;
        let bitmap = match whole {
            0 => Some(checked_bitmap(size, bitmap)?),
            1 if bitmap.is_empty() => None,
            1 => return Err(Error::TrailingBytes),
            _ => return Err(Error::BadFlag),
        };
        Ok(Self { hash: FileHash(hash), size, bitmap })
    }

    /// Whether it has that piece.
    pub fn has(&self, piece: u32) -> bool {
        match self.bitmap {
            None => piece < pieces(self.size),
            Some(bits) => bits.get(piece as usize / 8).is_some_and(|byte| byte & 1 << (piece % 8) != 0),
        }
    }
}

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// First, once.
    Hello(Hello),
    /// What the end has of a file.
    Have(File, Have<'a>),
    /// It has one piece more.
    HavePiece(File, u32),
    /// It asks for a piece.
    Request(File, u32),
    /// It asks no more for it.
    Cancel(File, u32),
    /// A part of a piece.
    Block {
        /// Of that file.
        file: File,
        /// The piece.
        piece: u32,
        /// Where in it, in bytes.
        offset: u32,
        /// The bytes, 1 to [`BLOCK_BYTES`]; none is refused by who takes it, as any other length than is due (MAP-78).
        bytes: &'a [u8],
    },
    /// It asks for the pieces' hashes from that one on.
    HashesRequest(File, u32),
    /// Pieces' hashes, none to [`HASHES_MAX`] of 32 bytes; none is refused by who reads it (MAP-31).
    Hashes(File, u32, &'a [[u8; 32]]),
    /// It is there.
    Idle,
}

impl<'a> Frame<'a> {
    /// The frame of that header, whose body is those bytes.
    ///
    /// # Errors
    ///
    /// [`Frame::is_passed_over`] says of which the connection lives on.
    pub fn read(header: Header, body: &'a [u8]) -> Result<Self, Error> {
        let kind = header.info().ok_or(Error::UnknownKind)?.kind;
        // The file before the body: a frame of none is passed over whatever it says.
        let file = || File::read(header.file);
        let piece = || SwarmPiece::read(exactly::<{ SwarmPiece::SIZE }>(body)?).map(|entry| entry.piece);
        Ok(match kind {
            FrameKind::Hello => Self::Hello(Hello::read(body)?),
            FrameKind::Have => Self::Have(file()?, Have::read(body)?),
            FrameKind::HavePiece => Self::HavePiece(file()?, piece()?),
            FrameKind::Request => Self::Request(file()?, piece()?),
            FrameKind::Cancel => Self::Cancel(file()?, piece()?),
            FrameKind::Block => {
                let file = file()?;
                let (head, bytes) = split::<{ SwarmBlock::SIZE }>(body)?;
                let SwarmBlock { piece, offset } = SwarmBlock::read(head)?;
                Self::Block { file, piece, offset, bytes }
            }
            FrameKind::HashesRequest => Self::HashesRequest(file()?, piece()?),
            FrameKind::Hashes => {
                let file = file()?;
                let (head, bytes) = split::<{ SwarmHashes::SIZE }>(body)?;
                let SwarmHashes { first, count, .. } = SwarmHashes::read(head)?;
                match bytes.as_chunks() {
                    (hashes, []) if hashes.len() == usize::from(count) => Self::Hashes(file, first, hashes),
                    _ => return Err(Error::OutOfRange),
                }
            }
            FrameKind::Idle => exactly::<0>(body).map(|_| Self::Idle)?,
        })
    }

    /// Whether a frame that was refused for that is counted and passed over: its kind is of another version, its file is none
    /// (MAP-73). Any other closes the connection.
    pub const fn is_passed_over(error: Error) -> bool {
        matches!(error, Error::UnknownKind | Error::BadIndex)
    }

    /// Appends header and body; of hashes no more than [`HASHES_MAX`]. A block that is read into its place is written by
    /// [`block_head`] and its bytes after it.
    pub fn write(&self, to: &mut Vec<u8>) {
        match *self {
            Self::Hello(hello) => {
                header(FrameKind::Hello, None, SwarmHello::SIZE, to);
                hello.write(to);
            }
            Self::Have(file, have) => {
                let bitmap = have.bitmap.unwrap_or_default();
                header(FrameKind::Have, Some(file), SwarmHave::SIZE + bitmap.len(), to);
                let whole = u8::from(have.bitmap.is_none());
                SwarmHave { hash: have.hash.0, size: have.size, whole, pad_37: Pad }.write(to);
                to.extend_from_slice(bitmap);
            }
            Self::HavePiece(file, piece) => one(FrameKind::HavePiece, file, piece, to),
            Self::Request(file, piece) => one(FrameKind::Request, file, piece, to),
            Self::Cancel(file, piece) => one(FrameKind::Cancel, file, piece, to),
            Self::Block { file, piece, offset, bytes } => {
                to.extend_from_slice(&block_head(file, piece, offset, bytes.len()));
                to.extend_from_slice(bytes);
            }
            Self::HashesRequest(file, first) => one(FrameKind::HashesRequest, file, first, to),
            Self::Hashes(file, first, hashes) => {
                let hashes = &hashes[..hashes.len().min(HASHES_MAX)];
                let bytes = hashes.as_flattened();
                header(FrameKind::Hashes, Some(file), SwarmHashes::SIZE + bytes.len(), to);
                SwarmHashes { first, count: hashes.len() as u16, zero: Pad }.write(to);
                to.extend_from_slice(bytes);
            }
            Self::Idle => header(FrameKind::Idle, None, 0, to),
        }
    }
}

impl Hello {
    fn read(body: &[u8]) -> Result<Self, Error> {
        let entry = SwarmHello::read(exactly::<{ SwarmHello::SIZE }>(body)?)?;
        let versions = (entry.magic, entry.swarm_version, entry.network_version);
        if versions != (SWARM_MAGIC, SWARM_VERSION, NETWORK_VERSION) {
            return Err(Error::OutOfRange);
        }
        // Not a bad index: that would be passed over.
        let machine = Machine::new(entry.machine).ok_or(Error::OutOfRange)?;
        let has = |bit| entry.flags & bit != 0;
        Ok(Self {
            machine,
            is_host: has(HOST),
            is_downloading: has(DOWNLOADING),
            sends: has(SENDS),
            map_version: entry.map_version,
        })
    }

    fn write(self, to: &mut Vec<u8>) {
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        let flags = bit(self.is_host, HOST) | bit(self.is_downloading, DOWNLOADING) | bit(self.sends, SENDS);
        SwarmHello {
            magic: SWARM_MAGIC,
            swarm_version: SWARM_VERSION,
            network_version: NETWORK_VERSION,
            machine: self.machine.get(),
            flags,
            zero: Pad,
            map_version: self.map_version,
        }
        .write(to);
    }
}

/// What stands before a block's bytes, of which there are so many: its frame's header and where it is.
pub fn block_head(file: File, piece: u32, offset: u32, length: usize) -> [u8; BLOCK_HEAD_BYTES] {
    let mut head = [0; BLOCK_HEAD_BYTES];
    let body = (length + SwarmBlock::SIZE) as u32;
    head[..4].copy_from_slice(&body.to_le_bytes());
    head[4] = FrameKind::Block as u8;
    head[5] = file.get();
    head[8..12].copy_from_slice(&piece.to_le_bytes());
    head[12..].copy_from_slice(&offset.to_le_bytes());
    head
}

fn header(kind: FrameKind, file: Option<File>, length: usize, to: &mut Vec<u8>) {
    let file = file.map_or(NO_FILE, File::get);
    SwarmHeader { length: length as u32, kind: kind as u8, file, zero: Pad }.write(to);
}

fn one(kind: FrameKind, file: File, piece: u32, to: &mut Vec<u8>) {
    header(kind, Some(file), SwarmPiece::SIZE, to);
    SwarmPiece { piece }.write(to);
}

fn exactly<const N: usize>(body: &[u8]) -> Result<&[u8], Error> {
    match split::<N>(body)? {
        (body, []) => Ok(body),
        _ => Err(Error::TrailingBytes),
    }
}

fn split<const N: usize>(body: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    body.split_at_checked(N).ok_or(Error::Truncated)
}

/// The bitmap of a file of that size, which has a bit a piece and no other.
fn checked_bitmap(size: u32, bitmap: &[u8]) -> Result<&[u8], Error> {
    let count = pieces(size);
    if bitmap.len() != count.div_ceil(8) as usize {
        return Err(Error::OutOfRange);
    }
    match bitmap.last() {
        Some(last) if !count.is_multiple_of(8) && last >> (count % 8) != 0 => Err(Error::BadFlag),
        _ => Ok(bitmap),
    }
}
