//! The headers and bodies of the frames that carry maps as they travel, and what the record says of their fields. Knows no check.

use super::SWARM_MAGIC;
use crate::layout::{Bits, Pad, Values, layout};

/// What stands for the file where a frame is of none.
pub(super) const NO_FILE: u8 = 0xFF;
/// Set in `swarm_hello.flags` by the game's host.
pub(super) const HOST: u8 = 1 << 0;
/// By who downloads.
pub(super) const DOWNLOADING: u8 = 1 << 1;
/// By who sends what it has.
pub(super) const SENDS: u8 = 1 << 2;

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[(
    "swarm_hello.flags",
    &[("host", HOST as u32), ("downloading", DOWNLOADING as u32), ("sends_files", SENDS as u32)],
)];

/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
    ("swarm_header.file", &[("none", NO_FILE as u32)]),
    ("swarm_hello.magic", &[("MJMS", u32::from_le_bytes(SWARM_MAGIC))]),
    ("swarm_have.whole", &[("bitmap", 0), ("whole", 1)]),
];

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
        /// [`SWARM_VERSION`](super::SWARM_VERSION).
        swarm_version: u16 = 4,
        /// [`NETWORK_VERSION`](crate::limits::NETWORK_VERSION).
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
