//! The entries of kinds 86 to 89 as they travel, and what the record says of their fields. Knows no check.

use crate::layout::{Bits, Pad, Values, layout};

/// Set in `map_share_source.flags` by a machine that downloads.
pub(super) const DOWNLOADING: u8 = 1 << 0;

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[
    ("map_share.files", &[("map", 1 << 0), ("bitmaps", 1 << 1), ("sounds", 1 << 2), ("loc", 1 << 3)]),
    ("map_share_source.flags", &[("downloading", DOWNLOADING as u32)]),
];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
    ("map_share.file", &[("map", 0), ("bitmaps", 1), ("sounds", 2), ("loc", 3)]),
    (
        "map_share_offer.status",
        &[
            ("offered", 0),
            ("sharing_off", 1),
            ("not_the_games_map", 2),
            ("not_the_games_version", 3),
            ("cannot_be_read", 4),
            ("too_large", 5),
        ],
    ),
    ("map_share_source.address_kind", &[("ipv4", 1), ("internet", 2), ("ipv6", 3)]),
    ("map_share_progress.state", &[("checking", 0), ("downloading", 1), ("has_all", 2), ("stopped", 3)]),
];

layout! {
    /// What a client lacks: the entry of kind 86 (WIRE-50).
    pub struct MapShareRequestEntry = 132 {
        /// A bit a file, 1..=15.
        lacked: u8 = 0,
        /// Nothing.
        pad_1: Pad<3> = 1,
        /// The level's name, NUL-terminated.
        level: [u8; 128] = 4,
    }

    /// A file that the host offers, or why it does not: an entry of kind 87 (WIRE-50).
    pub struct MapShareOfferEntry = 44 {
        /// Bytes of it, 0 in a refusal.
        size: u32 = 0,
        /// BLAKE2b-256 of it, zero in a refusal.
        hash: [u8; 32] = 4,
        /// Of the game's map.
        map_version: u32 = 36,
        /// 0..4.
        file: u8 = 40,
        /// 0 offered, 1 sharing off, 2 not the game's map, 3 not the game's version, 4 cannot be read, 5 too large.
        status: u8 = 41,
        /// Nothing.
        pad_42: Pad<2> = 42,
    }

    /// A machine that may have files: an entry of kind 88 (WIRE-50).
    pub struct MapShareSourceEntry = 20 {
        /// 1..128.
        machine: u8 = 0,
        /// 1 LAN by IPv4, 2 internet, 3 LAN by IPv6.
        address_kind: u8 = 1,
        /// A bit a file that it may have.
        files: u8 = 2,
        /// Bit 0 it is downloading; others are not read.
        flags: u8 = 3,
        /// IPv4 in network order and twelve zeros, a key's hash, or IPv6 in network order.
        address: [u8; 16] = 4,
    }

    /// How far a download is: the entry of kind 89 (WIRE-50).
    pub struct MapShareProgressEntry = 16 {
        /// Bytes of checked pieces, the lower half first.
        had: [u32; 2] = 0,
        /// Of the download.
        map_version: u32 = 8,
        /// 0 checking, 1 downloading, 2 has all, 3 stopped.
        state: u8 = 12,
        /// Nothing.
        pad_13: Pad<3> = 13,
    }
}
