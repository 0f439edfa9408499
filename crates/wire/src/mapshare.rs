//! Map sharing over the game's stream as it travels (kinds 86 to 89). The document names the messages, no public
//! source their bytes: these layouts are ours.
//!
//! It checks what the bytes alone can say. Which map is the game's, who may be connected to and what a loader takes are checked
//! where maps are shared.

mod files;
mod layouts;

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::error::Error;
use crate::ids::Machine;
use crate::layout::Pad;
use crate::message::Message;
use crate::packets::text::Chars;

pub use files::{File, FileHash, FileSet, PIECE_BYTES, PIECES_MAX, SHARED_FILE_MAX, pieces};
use layouts::DOWNLOADING;
pub(crate) use layouts::{BITS, VALUES};
pub use layouts::{MapShareOfferEntry, MapShareProgressEntry, MapShareRequestEntry, MapShareSourceEntry};

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
        let mut entry = MapShareRequestEntry::read(bytes)?;
        let lacked = FileSet::read(entry.lacked)?;
        if lacked.is_empty() {
            return Err(Error::BadFlag);
        }
        let end = entry.level.iter().position(|byte| *byte == 0).ok_or(Error::Unterminated)?;
        let (text, after) = entry.level.split_at_mut(end);
        if text.is_empty() || !text.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return Err(Error::OutOfRange);
        }
        // So that levels are equal whose text is.
        after.fill(0);
        Ok(Self { lacked, level: Chars::from_field(entry.level) })
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
///
/// That a map's hash begins with the map version is for who reads it: an offer of an earlier map is ignored, one of the game's
/// map whose hash is another's is refused and told (MAP-70), and the settings say which of them it is.
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
    /// Checks an entry that came (WIRE-98). [`Offer::read_all`] also sees that each file comes once. A refusal's size and hash are
    /// not read.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let entry = MapShareOfferEntry::read(bytes)?;
        let file = File::read(entry.file)?;
        let answer = match usize::from(entry.status).checked_sub(1) {
            None if entry.size == 0 => return Err(Error::OutOfRange),
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
    /// On the LAN. As it is read it is never unspecified or multicast, no IPv6 link-local and no IPv4 address in IPv6's clothes.
    Lan(IpAddr),
    /// On the internet, by its key's hash.
    Internet([u8; 16]),
}

/// A machine that may have files (kind 88). That it is not the reader itself, and that its address is of the host's kind (MAP-21),
/// is for who reads it.
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
        let is_client = |machine: &Machine| *machine != Machine::HOST;
        let machine = Machine::new(entry.machine).filter(is_client).ok_or(Error::BadIndex)?;
        let address = match entry.address_kind {
            1 => {
                let [a, b, c, d, tail @ ..] = entry.address;
                if tail != [0; 12] {
                    return Err(Error::OutOfRange);
                }
                lan(Ipv4Addr::new(a, b, c, d).into())?
            }
            2 => SourceAddress::Internet(entry.address),
            3 => lan(Ipv6Addr::from(entry.address).into())?,
            _ => return Err(Error::BadFlag),
        };
        let files = FileSet::read(entry.files)?;
        Ok(Self { machine, address, files, is_downloading: entry.flags & DOWNLOADING != 0 })
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
            flags: if self.is_downloading { DOWNLOADING } else { 0 },
            address,
        }
        .write(to);
    }
}

/// An address on a LAN that may be connected to, as far as it alone says (MAP-22). One that IPv6 only wraps is the IPv4 one, and
/// is checked as such.
fn lan(ip: IpAddr) -> Result<SourceAddress, Error> {
    let ip = ip.to_canonical();
    let is_link_local = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    if ip.is_unspecified() || ip.is_multicast() || is_link_local {
        return Err(Error::OutOfRange);
    }
    Ok(SourceAddress::Lan(ip))
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
