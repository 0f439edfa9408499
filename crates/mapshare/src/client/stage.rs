//! Where a client is with its game's map, and what is shown of it. Knows no message.

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet, Refusal};

use crate::order::{Fault, Found};

/// Why a client cannot play its game's map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It lacks that file, and asks for none (MAP-66).
    Off(File),
    /// It has the map, which its loader does not take: of another version of the game (MAP-17), or broken.
    Unusable,
    /// The host does not offer that file (MAP-69).
    Refused(File, Refusal),
    /// The host did not answer (MAP-61).
    NoAnswer,
    /// The host has begun, and said no version of its map: it has none (MAP-02).
    NoVersion,
    /// The file is larger than this game's loader takes (MAP-18).
    TooLarge(File),
    /// The map that is offered is another than the settings' (MAP-70).
    WrongHash,
    /// No map may have such a name (MAP-19, 20).
    Name,
    /// The download ended without its files.
    Fault(Fault),
}

/// Why a client cannot play its game's map, to be read (its `Display`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure<'a> {
    /// The level.
    pub level: &'a str,
    /// Why.
    pub why: &'a Why,
}

/// How a client stands with its game's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<'a> {
    /// No settings have named one yet.
    Unnamed,
    /// It is being looked for.
    Looking,
    /// It is not there, and the host is asked for it.
    Asking,
    /// It comes.
    Downloading {
        /// Bytes of checked pieces, of all files.
        had: u64,
        /// Bytes of all files.
        total: u64,
    },
    /// It can be loaded.
    Ready {
        /// Its file's name, of a custom map.
        file: Option<&'a str>,
    },
    /// It cannot be had: the client leaves, and says why.
    Failed(Failure<'a>),
}

/// The line at the top of the screen (MAP-62); its `Display` is what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The host is asked.
    Asking {
        /// For that level's map.
        level: &'a str,
    },
    /// A part file is being checked.
    Checking {
        /// The level.
        level: &'a str,
        /// Bytes that are right.
        had: u64,
        /// Bytes of all files.
        total: u64,
    },
    /// It comes.
    Downloading {
        /// The level.
        level: &'a str,
        /// Bytes of checked pieces.
        had: u64,
        /// Bytes of all files.
        total: u64,
    },
}

impl Line<'_> {
    /// How much of it is there, 0 to 100, where that can be said.
    pub fn percent(&self) -> Option<u8> {
        match *self {
            Self::Asking { .. } => None,
            Self::Checking { had, total, .. } | Self::Downloading { had, total, .. } => {
                Some((had.min(total) * 100 / total.max(1)) as u8)
            }
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    /// What it lacks.
    pub(super) lacked: FileSet,
    /// Whether the map is there, so that all of `lacked` is known to be needed.
    pub(super) has_map: bool,
    /// When it asked first.
    pub(super) since: Option<Moment>,
    /// Whether it is to ask, again or at all.
    pub(super) is_to_ask: bool,
}

/// What is downloaded.
#[derive(Clone, Debug)]
pub(super) struct Download {
    /// Bytes of each of its files, by the file's number; 0 where it is none of them.
    pub(super) sizes: [u32; File::ALL.len()],
    /// Bytes of other files of this map that came before.
    pub(super) before: u64,
    pub(super) total: u64,
    pub(super) had: u64,
    pub(super) is_checking: bool,
    /// When the host is told how far it is.
    pub(super) due: Moment,
}

/// See the file's text.
#[derive(Clone, Debug, Default)]
pub(super) enum Stage {
    #[default]
    Unnamed,
    Looking,
    Asking(Asking),
    Downloading(Download),
    Ready(Option<Found>),
    Failed(Why),
}

impl Stage {
    pub(super) fn standing<'a>(&'a self, level: &'a str) -> Standing<'a> {
        match self {
            Self::Unnamed => Standing::Unnamed,
            Self::Looking => Standing::Looking,
            Self::Asking(_) => Standing::Asking,
            Self::Downloading(Download { had, total, .. }) => {
                Standing::Downloading { had: *had, total: *total }
            }
            Self::Ready(found) => Standing::Ready { file: found.as_ref().map(|found| found.name.as_str()) },
            Self::Failed(why) => Standing::Failed(Failure { level, why }),
        }
    }

    pub(super) fn line<'a>(&self, level: &'a str) -> Option<Line<'a>> {
        match *self {
            Self::Asking(_) => Some(Line::Asking { level }),
            Self::Downloading(Download { had, total, is_checking: true, .. }) => {
                Some(Line::Checking { level, had, total })
            }
            Self::Downloading(Download { had, total, .. }) => Some(Line::Downloading { level, had, total }),
            _ => None,
        }
    }
}

/// Whether a request can name that level (WIRE-98).
pub(super) fn is_level(text: &str) -> bool {
    let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    is_printable && (1..LEVEL_BYTES).contains(&text.len())
}

/// Bytes of a level's field, its NUL included.
const LEVEL_BYTES: usize = 128;
