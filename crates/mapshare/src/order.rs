//! What the game's thread wants of a machine's map files and of its swarm, and what it is told of them. Plain data: it crosses
//! threads.

use alloc::boxed::Box;
use alloc::string::String;
use core::net::IpAddr;

use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::{File, FileHash, FileSet, Refusal};

/// A file of the game's, as the host offers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Which.
    pub file: File,
    /// Its bytes, 1 at least.
    pub size: u32,
    /// Its hash.
    pub hash: FileHash,
}

/// The game whose files a machine shares, and what it is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// This machine.
    pub machine: Machine,
    /// Of the game's map.
    pub map_version: u32,
    /// Where the host is; none on the host itself.
    pub host: Option<IpAddr>,
    /// Bytes a second that it sends of files at most (MAP-34); none where it sends none (MAP-36).
    pub upload: Option<u64>,
}

/// A machine that may have files, at an address that may be connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which.
    pub machine: Machine,
    /// Where, on [`MAP_SHARE_PORT`](mjolnir_wire::limits::MAP_SHARE_PORT).
    pub address: IpAddr,
    /// What it may have.
    pub files: FileSet,
    /// Whether it is downloading.
    pub is_downloading: bool,
}

/// What the game's thread wants. Whatever is ordered is done in order; an order about a game that is over changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Look for a level's map (`custom_maps\name`): of that version, or on a host of any. Answered by [`News::Looked`], unless another
    /// look was ordered meanwhile: who ordered that waits for its answer alone.
    Look {
        /// Tells the answer from an earlier order's.
        ticket: u32,
        /// The level.
        level: String,
        /// The version that the game plays; none on a host, whose file of that name is the game's.
        version: Option<u32>,
    },
    /// Hash that resource map, if it was not. Answered by [`News::Hashed`].
    Hash {
        /// Tells the answer from an earlier order's.
        ticket: u32,
        /// One of the resource maps.
        file: File,
    },
    /// This game's files are shared from now on: connections of another game are closed (MAP-85). What of them this machine sends
    /// is what it looked for and hashed since, and what it downloads.
    Share(Game),
    /// On the host: from whom connections are taken (MAP-43).
    Members(Box<[(Machine, IpAddr)]>),
    /// Download these files of the level, the map among them or resource maps alone, to play it.
    Download {
        /// The level.
        level: String,
        /// What the host offers.
        offers: Box<[Offered]>,
    },
    /// Who else may have files, in place of what was said before (MAP-71).
    Sources(Box<[Place]>),
    /// The download stops, if there is one; what there is of it stays as a part file (MAP-51, 52).
    Stop,
    /// No game's files are shared any more: every connection closes, a download stops.
    Leave,
}

impl Order {
    /// What answers it where nobody is there to do it: what is looked for cannot be read, a download has failed for that reason. None
    /// of those that have no answer.
    pub fn undone(&self, why: &str) -> Option<News> {
        match *self {
            Self::Look { ticket, .. } => {
                Some(News::Looked { ticket, map: Err(Refusal::CannotBeRead), resources: FileSet::NONE })
            }
            Self::Hash { ticket, file } => {
                Some(News::Hashed { ticket, file, answer: Err(Refusal::CannotBeRead) })
            }
            Self::Download { .. } => Some(News::Failed(Fault::Disk(String::from(why)))),
            Self::Share(_) | Self::Members(_) | Self::Sources(_) | Self::Stop | Self::Leave => None,
        }
    }
}

/// A map that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its file's name, in the folder of custom maps.
    pub name: String,
    /// Its bytes.
    pub size: u32,
    /// Its hash.
    pub hash: FileHash,
    /// The resource maps that it needs (MAP-15).
    pub needs: FileSet,
}

/// What became of orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// What there is of a level.
    Looked {
        /// The order's.
        ticket: u32,
        /// The map; or none of that name and version; or why it cannot be played or offered.
        map: Result<Option<Found>, Refusal>,
        /// The resource maps that are there.
        resources: FileSet,
    },
    /// A resource map's size and hash, or why it cannot be offered.
    Hashed {
        /// The order's.
        ticket: u32,
        /// Which.
        file: File,
        /// Bytes and hash.
        answer: Result<(u32, FileHash), Refusal>,
    },
    /// How far the download is; said when it changes, ten times a second at most.
    Progress {
        /// Bytes of checked pieces, of all its files.
        had: u64,
        /// Whether a part file is being checked.
        is_checking: bool,
    },
    /// Every file of the download is in its place and can be played.
    Done(Found),
    /// The download has ended without its files.
    Failed(Fault),
    /// A file that was looked for or hashed cannot be read any more, or has changed: it is sent to nobody from now on.
    Lost(File),
    /// Something that is to be written down.
    Word(String),
}

impl News {
    /// Whether both answer one order.
    pub fn answers_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Looked { ticket, .. }, Self::Looked { ticket: other, .. })
            | (Self::Hashed { ticket, .. }, Self::Hashed { ticket: other, .. }) => ticket == other,
            (Self::Done(_) | Self::Failed(_), Self::Done(_) | Self::Failed(_)) => true,
            _ => false,
        }
    }
}

/// Why a download ended without its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nobody sent the pieces' hashes within a minute (MAP-29).
    NoHashes,
    /// Nothing came for a minute (MAP-60).
    Nothing,
    /// The folder cannot be written: full, read-only, or otherwise, as the system says.
    Disk(String),
    /// A file cannot be put in its place: its name is taken by something else, as the system says.
    Place(String),
    /// The map, now that it is there, cannot be played (MAP-53): why.
    Unplayable(String),
    /// Its name is not one that a map may have (MAP-19, 20).
    Name,
}
