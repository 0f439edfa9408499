//! Map sharing over the game's stream as it travels (kinds 86 to 89). The document names the messages, no public
//! source their bytes: these layouts are ours.
//!
//! It checks what the bytes alone can say. Which map is the game's, who may be connected to and what a loader takes are checked
//! where maps are shared.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::error::Error;
use crate::ids::Machine;
use crate::layout::{Bits, Pad, Values, layout};
use crate::limits::MAX_MACHINES;
use crate::message::Message;
use crate::packets::text::Chars;

/// Bytes of a piece of a file; its last is as long as it is (MAP-04).
pub const PIECE_BYTES: u32 = 262_144;
/// Bytes of the largest file that is shared: sizes travel as a u32 (MAP-68).
pub const SHARED_FILE_MAX: u64 = u32::MAX as u64;
/// Pieces of the largest file.
pub const PIECES_MAX: u32 = 16_384;

/// Pieces of a file of that size.
pub const fn pieces(size: u32) -> u32 {
    size.div_ceil(PIECE_BYTES)
}

/// One of the files that make a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// The map itself.
    Map,
    /// bitmaps.map.
    Bitmaps,
    /// sounds.map.
    Sounds,
    /// loc.map.
    Loc,
}

impl File {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Map, Self::Bitmaps, Self::Sounds, Self::Loc];

    /// As it travels; more than 3 is none.
    pub const fn read(number: u8) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Map),
            1 => Ok(Self::Bitmaps),
            2 => Ok(Self::Sounds),
            3 => Ok(Self::Loc),
            _ => Err(Error::BadIndex),
        }
    }

    /// Its number, 0..4.
    pub const fn get(self) -> u8 {
        self as u8
    }

    /// Its number, for tables.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Some of a map's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileSet(u8);

impl FileSet {
    /// None.
    pub const NONE: Self = Self(0);
    /// The map alone.
    pub const MAP: Self = Self::only(File::Map);

    /// That one alone.
    pub const fn only(file: File) -> Self {
        Self(1 << file as u8)
    }

    /// As it travels: a bit a file; a bit over 3 is refused.
    pub const fn read(bits: u8) -> Result<Self, Error> {
        if bits < 1 << File::ALL.len() { Ok(Self(bits)) } else { Err(Error::BadFlag) }
    }

    /// A bit a file.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether it has that one.
    pub const fn contains(self, file: File) -> bool {
        self.0 & 1 << file as u8 != 0
    }

    /// With that one.
    #[must_use]
    pub const fn with(self, file: File) -> Self {
        Self(self.0 | 1 << file as u8)
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What of it is not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that it has, by number.
    pub fn iter(self) -> impl Iterator<Item = File> {
        File::ALL.into_iter().filter(move |file| self.contains(*file))
    }
}

/// A file's BLAKE2b-256, of its label, its size and its pieces' hashes (MAP-04).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileHash(pub [u8; 32]);

impl FileHash {
    /// The version of a map by it: its first four bytes as they stand in the records (MAP-02).
    pub const fn version(&self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_le_bytes([a, b, c, d])
    }
}

impl core::fmt::Debug for FileHash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a client lacks of the game's level (kind 86).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it lacks, at least one; the map also where it has another version.
    pub lacked: FileSet,
    /// The level of its settings, 1 to 127 printable characters.
    pub level: Chars<128>,
}

impl Request {
    /// Checks an entry that came (WIRE-98).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let entry = MapShareRequestEntry::read(bytes)?;
        let lacked = FileSet::read(entry.lacked)?;
        if lacked.is_empty() {
            return Err(Error::BadFlag);
        }
        let level = Chars::from_field(entry.level);
        level.check()?;
        let text = level.as_bytes();
        if text.is_empty() || !text.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return Err(Error::OutOfRange);
        }
        Ok(Self { lacked, level })
    }

    /// The entries of a kind 86 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let mut level = [0; 128];
        let text = self.level.as_bytes();
        level[..text.len()].copy_from_slice(text);
        MapShareRequestEntry { lacked: self.lacked.bits(), pad_1: Pad, level }.write(to);
    }
}

/// Why a host does not offer a file (MAP-69).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Its sharing is off.
    SharingOff,
    /// The level asked for is not the game's.
    NotTheGamesMap,
    /// The file is of another version of the game.
    NotTheGamesVersion,
    /// It cannot read the file.
    CannotBeRead,
    /// The file is larger than sizes travel.
    TooLarge,
}

impl Refusal {
    const ALL: [Self; 5] = [
        Self::SharingOff,
        Self::NotTheGamesMap,
        Self::NotTheGamesVersion,
        Self::CannotBeRead,
        Self::TooLarge,
    ];

    /// As it travels, 1..=5.
    pub const fn get(self) -> u8 {
        self as u8 + 1
    }
}

/// A file that the host offers, or why it does not (kind 87).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Which. A refusal of the whole request is one of the map.
    pub file: File,
    /// Of the game's map, as in the settings.
    pub map_version: u32,
    /// Its size in bytes, 1 at least, and its hash; or why not.
    pub answer: Result<(u32, FileHash), Refusal>,
}

impl Offer {
    /// Checks an entry that came (WIRE-98). That each file comes once a message is for who reads them all.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let entry = MapShareOfferEntry::read(bytes)?;
        let file = File::read(entry.file)?;
        let answer = match usize::from(entry.status).checked_sub(1) {
            None if entry.size == 0 => return Err(Error::OutOfRange),
            None if file == File::Map && FileHash(entry.hash).version() != entry.map_version => {
                return Err(Error::OutOfRange);
            }
            None => Ok((entry.size, FileHash(entry.hash))),
            Some(refusal) => Err(*Refusal::ALL.get(refusal).ok_or(Error::BadFlag)?),
        };
        Ok(Self { file, map_version: entry.map_version, answer })
    }

    /// The entries of a kind 87 message; a file that came before in it is refused (WIRE-98).
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        let mut seen = FileSet::NONE;
        message.entries().map(move |bytes| {
            let offer = Self::read(bytes)?;
            if seen.contains(offer.file) {
                return Err(Error::BadIndex);
            }
            seen = seen.with(offer.file);
            Ok(offer)
        })
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let (size, hash, status) = match self.answer {
            Ok((size, hash)) => (size, hash.0, 0),
            Err(refusal) => (0, [0; 32], refusal.get()),
        };
        let Self { file, map_version, .. } = *self;
        MapShareOfferEntry { size, hash, map_version, file: file.get(), status, pad_42: Pad }.write(to);
    }
}

/// Where a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceAddress {
    /// On the LAN. Never unspecified or multicast, and no IPv6 link-local.
    Lan(IpAddr),
    /// On the internet, by its key's hash.
    Internet([u8; 16]),
}

/// A machine that may have files (kind 88).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Which; never the host.
    pub machine: Machine,
    /// Where.
    pub address: SourceAddress,
    /// What it may have, whole or in part.
    pub files: FileSet,
    /// Whether it is downloading.
    pub is_downloading: bool,
}

impl Source {
    /// Checks an entry that came (WIRE-98).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let entry = MapShareSourceEntry::read(bytes)?;
        let index = usize::from(entry.machine);
        if index == 0 || index >= MAX_MACHINES {
            return Err(Error::BadIndex);
        }
        let machine = Machine::new(entry.machine).ok_or(Error::BadIndex)?;
        let address = match entry.address_kind {
            1 => {
                let [a, b, c, d, tail @ ..] = entry.address;
                if tail != [0; 12] {
                    return Err(Error::OutOfRange);
                }
                let ip = Ipv4Addr::new(a, b, c, d);
                if ip.is_unspecified() || ip.is_multicast() || ip.is_broadcast() {
                    return Err(Error::OutOfRange);
                }
                SourceAddress::Lan(ip.into())
            }
            2 => SourceAddress::Internet(entry.address),
            3 => {
                let ip = Ipv6Addr::from(entry.address);
                let is_mapped = ip.to_ipv4_mapped().is_some();
                if ip.is_unspecified() || ip.is_multicast() || ip.is_unicast_link_local() || is_mapped {
                    return Err(Error::OutOfRange);
                }
                SourceAddress::Lan(ip.into())
            }
            _ => return Err(Error::BadFlag),
        };
        if entry.flags > 1 {
            return Err(Error::BadFlag);
        }
        let files = FileSet::read(entry.files)?;
        Ok(Self { machine, address, files, is_downloading: entry.flags == 1 })
    }

    /// The entries of a kind 88 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let mut address = [0; 16];
        let address_kind = match self.address {
            SourceAddress::Lan(ip) => match ip.to_canonical() {
                IpAddr::V4(ip) => {
                    address[..4].copy_from_slice(&ip.octets());
                    1
                }
                IpAddr::V6(ip) => {
                    address = ip.octets();
                    3
                }
            },
            SourceAddress::Internet(key) => {
                address = key;
                2
            }
        };
        MapShareSourceEntry {
            machine: self.machine.get(),
            address_kind,
            files: self.files.bits(),
            flags: u8::from(self.is_downloading),
            address,
        }
        .write(to);
    }
}

/// What a downloading machine does (MAP-72).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressState {
    /// It checks a part file.
    Checking,
    /// It downloads.
    Downloading,
    /// It has all, and will load.
    HasAll,
    /// It has stopped.
    Stopped,
}

/// How far a download is (kind 89).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of checked pieces, of all files offered together.
    pub had: u64,
    /// Of the map that is downloaded.
    pub map_version: u32,
    /// What it does.
    pub state: ProgressState,
}

impl Progress {
    /// Checks an entry that came (WIRE-98).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let entry = MapShareProgressEntry::read(bytes)?;
        let state = match entry.state {
            0 => ProgressState::Checking,
            1 => ProgressState::Downloading,
            2 => ProgressState::HasAll,
            3 => ProgressState::Stopped,
            _ => return Err(Error::BadFlag),
        };
        let [low, high] = entry.had;
        Ok(Self { had: u64::from(high) << 32 | u64::from(low), map_version: entry.map_version, state })
    }

    /// The entries of a kind 89 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let had = [self.had as u32, (self.had >> 32) as u32];
        let Self { map_version, state, .. } = *self;
        MapShareProgressEntry { had, map_version, state: state as u8, pad_13: Pad }.write(to);
    }
}

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[
    ("map_share.files", &[("map", 1 << 0), ("bitmaps", 1 << 1), ("sounds", 1 << 2), ("loc", 1 << 3)]),
    ("map_share_source.flags", &[("downloading", 1 << 0)]),
];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
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
        /// Bit 0 it is downloading.
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
