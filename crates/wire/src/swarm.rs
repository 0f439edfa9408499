//! The frames in which machines send each other a map's files, over connections of their own (TCP port 5153; MAP-73 to 81). No
//! public source has their bytes: they are ours. Little-endian throughout.
//!
//! It checks what the bytes alone can say. Whose turn it is to say what, and what is done with an end that says otherwise, is
//! known where maps are shared.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::Machine;
use crate::layout::{Bits, Pad, layout};
use crate::limits::{MAX_MACHINES, NETWORK_VERSION};
use crate::mapshare::{File, FileHash, pieces};

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
/// What stands for the file where a frame is of none.
const NO_FILE: u8 = 0xFF;

const HOST: u8 = 1 << 0;
const DOWNLOADING: u8 = 1 << 1;
const SENDS: u8 = 1 << 2;

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[(
    "swarm_hello.flags",
    &[("host", HOST as u32), ("downloading", DOWNLOADING as u32), ("sends_files", SENDS as u32)],
)];

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
enum FrameKind {
    Hello = 1,
    Have,
    HavePiece,
    Request,
    Cancel,
    Block,
    HashesRequest,
    Hashes,
    Idle,
}

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

impl Have<'_> {
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
        /// The bytes, 1 to [`BLOCK_BYTES`].
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
    /// [`Error::UnknownKind`] and [`Error::BadIndex`] are of a frame that is passed over: its kind is of another version, its file
    /// is none. Any other closes the connection.
    pub fn read(header: Header, body: &'a [u8]) -> Result<Self, Error> {
        let file = || File::read(header.file);
        let piece = || {
            let SwarmPiece { piece } = SwarmPiece::read(exactly(body, SwarmPiece::SIZE)?)?;
            Ok((file()?, piece))
        };
        match header.kind {
            1 => Ok(Self::Hello(Hello::read(body)?)),
            2 => {
                let file = file()?;
                let (head, bitmap) = split::<{ SwarmHave::SIZE }>(body)?;
                let SwarmHave { hash, size, whole, .. } = SwarmHave::read(head)?;
                let bitmap = match whole {
                    0 => Some(checked_bitmap(size, bitmap)?),
                    1 if bitmap.is_empty() => None,
                    1 => return Err(Error::TrailingBytes),
                    _ => return Err(Error::BadFlag),
                };
                Ok(Self::Have(file, Have { hash: FileHash(hash), size, bitmap }))
            }
            3 => piece().map(|(file, piece)| Self::HavePiece(file, piece)),
            4 => piece().map(|(file, piece)| Self::Request(file, piece)),
            5 => piece().map(|(file, piece)| Self::Cancel(file, piece)),
            6 => {
                let file = file()?;
                let (head, bytes) = split::<{ SwarmBlock::SIZE }>(body)?;
                let SwarmBlock { piece, offset } = SwarmBlock::read(head)?;
                if bytes.is_empty() {
                    return Err(Error::Truncated);
                }
                Ok(Self::Block { file, piece, offset, bytes })
            }
            7 => piece().map(|(file, first)| Self::HashesRequest(file, first)),
            8 => {
                let file = file()?;
                let (head, bytes) = split::<{ SwarmHashes::SIZE }>(body)?;
                let SwarmHashes { first, count, .. } = SwarmHashes::read(head)?;
                match bytes.as_chunks() {
                    (hashes, []) if hashes.len() == usize::from(count) => {
                        Ok(Self::Hashes(file, first, hashes))
                    }
                    _ => Err(Error::OutOfRange),
                }
            }
            9 if body.is_empty() => Ok(Self::Idle),
            9 => Err(Error::TrailingBytes),
            _ => Err(Error::UnknownKind),
        }
    }

    /// Appends header and body. A block is written by [`block_head`] and its bytes after it.
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
        let entry = SwarmHello::read(exactly(body, SwarmHello::SIZE)?)?;
        let versions = (entry.magic, entry.swarm_version, entry.network_version);
        if versions != (SWARM_MAGIC, SWARM_VERSION, NETWORK_VERSION) {
            return Err(Error::OutOfRange);
        }
        let index = Some(entry.machine).filter(|index| usize::from(*index) < MAX_MACHINES);
        let machine = index.and_then(Machine::new).ok_or(Error::OutOfRange)?;
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

fn exactly(body: &[u8], length: usize) -> Result<&[u8], Error> {
    match body.len().checked_sub(length) {
        Some(0) => Ok(body),
        Some(_) => Err(Error::TrailingBytes),
        None => Err(Error::Truncated),
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
        Some(last) if count % 8 != 0 && last >> (count % 8) != 0 => Err(Error::BadFlag),
        _ => Ok(bitmap),
    }
}

layout! {
    /// What stands before each frame's body (MAP-73).
    pub struct SwarmHeader = 8 {
        /// Bytes of the body.
        length: u32 = 0,
        /// 1 hello, 2 have, 3 have_piece, 4 request, 5 cancel, 6 block, 7 hashes_request, 8 hashes, 9 idle.
        kind: u8 = 4,
        /// 0..4, 0xFF in hello and idle.
        file: u8 = 5,
        /// Nothing.
        zero: Pad<2> = 6,
    }

    /// A hello's body (MAP-74).
    pub struct SwarmHello = 16 {
        /// `MJMS`.
        magic: [u8; 4] = 0,
        /// [`SWARM_VERSION`].
        swarm_version: u16 = 4,
        /// [`NETWORK_VERSION`].
        network_version: u16 = 6,
        /// 0..128.
        machine: u8 = 8,
        /// Bit 0 host, 1 downloading, 2 sends files.
        flags: u8 = 9,
        /// Nothing.
        zero: Pad<2> = 10,
        /// Of the game's map.
        map_version: u32 = 12,
    }

    /// What stands before a have's bitmap, which has ceil(pieces / 8) bytes unless it is whole (MAP-75).
    pub struct SwarmHave = 40 {
        /// The file's.
        hash: [u8; 32] = 0,
        /// Its bytes.
        size: u32 = 32,
        /// 1 whole, 0 a bitmap follows.
        whole: u8 = 36,
        /// Nothing.
        pad_37: Pad<3> = 37,
    }

    /// The body of have_piece, request, cancel and hashes_request (MAP-76, 77, 79, 80).
    pub struct SwarmPiece = 4 {
        /// Its number.
        piece: u32 = 0,
    }

    /// What stands before a block's bytes (MAP-78).
    pub struct SwarmBlock = 8 {
        /// The piece.
        piece: u32 = 0,
        /// Where in it.
        offset: u32 = 4,
    }

    /// What stands before pieces' hashes, of 32 bytes each (MAP-79).
    pub struct SwarmHashes = 8 {
        /// The first of them.
        first: u32 = 0,
        /// How many.
        count: u16 = 4,
        /// Nothing.
        zero: Pad<2> = 6,
    }
}
