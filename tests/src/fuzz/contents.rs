//! The files that the targets of map sharing's machines have, lack and are asked for, made once. Knows no machine.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};

use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::{Offered, Shelf};
use mjolnir_wire::mapshare::{File, PIECE_BYTES, Refusal};
use mjolnir_wire::swarm::{BLOCK_BYTES, Have};

/// Bytes of the map and of `sounds.map`: some pieces and a byte, and less than one.
const SIZES: [(File, u32); 2] = [(File::Map, 3 * PIECE_BYTES + 1), (File::Sounds, BLOCK_BYTES + 5)];

/// A file's bytes and what is said of it.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    pub(super) offered: Offered,
    pub(super) hashes: Arc<[PieceHash]>,
}

impl Content {
    fn new(file: File, size: u32) -> Self {
        // No two pieces are alike.
        let byte = |i: u32| (31 * i + 7 * (i / 256) + 13 * (i / PIECE_BYTES)) as u8;
        let bytes: Vec<u8> = (0..size).map(byte).collect();
        let hashes: Arc<[PieceHash]> = bytes.chunks(PIECE_BYTES as usize).map(of_piece).collect();
        let offered = Offered { file, size, hash: of_pieces(u64::from(size), &hashes) };
        Self { bytes, offered, hashes }
    }

    pub(super) fn count(&self) -> u32 {
        self.hashes.len() as u32
    }

    pub(super) fn piece(&self, piece: u32) -> &[u8] {
        self.bytes.chunks(PIECE_BYTES as usize).nth(piece as usize).unwrap_or_default()
    }

    /// A block of a piece, from that byte of it on; empty past its last.
    pub(super) fn block(&self, piece: u32, from: u32) -> &[u8] {
        let rest = self.piece(piece).get(from as usize..).unwrap_or_default();
        &rest[..rest.len().min(BLOCK_BYTES as usize)]
    }

    /// What who has that much of it says.
    pub(super) fn have<'a>(&self, bitmap: Option<&'a [u8]>) -> Have<'a> {
        Have { hash: self.offered.hash, size: self.offered.size, bitmap }
    }

    /// A bitmap of it, of those bits of a byte.
    pub(super) fn bitmap(&self, bits: u8) -> Vec<u8> {
        vec![bits & ((1 << self.count()) - 1) as u8]
    }
}

/// Every file.
pub(super) fn contents() -> &'static [Content; 2] {
    static CONTENTS: OnceLock<[Content; 2]> = OnceLock::new();
    CONTENTS.get_or_init(|| SIZES.map(|(file, size)| Content::new(file, size)))
}

/// That file, if it is one of them.
pub(super) fn content(file: File) -> Option<&'static Content> {
    contents().iter().find(|content| content.offered.file == file)
}

pub(super) fn address(last: u8) -> IpAddr {
    Ipv4Addr::new(192, 168, 0, last).into()
}

/// All files, to read blocks of; or none of them, where the disk has gone.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) are_there: bool,
}

impl Shelf for Files {
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal> {
        let bytes = content(file).filter(|_| self.are_there).ok_or(Refusal::CannotBeRead)?.bytes.as_slice();
        let from = bytes.get(offset as usize..).and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(from.ok_or(Refusal::CannotBeRead)?);
        Ok(())
    }
}
