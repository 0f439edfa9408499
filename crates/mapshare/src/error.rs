//! Why a message about maps was refused. Knows no bytes: what is malformed alone is said by `wire`.

use core::fmt;

/// Why something that came is not done. Nothing was changed by what returned it, but that an offer which was ignored is asked for
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not.
    /// Of a machine that is not in the game.
    NotJoined,
    /// No entry of the message is one (WIRE-98).
    Malformed,
    /// A machine that downloads nothing tells how far it is; a host offers or names what was not asked for.
    NotAsked,
    /// The host offers some of what the map needs and leaves out the rest (MAP-67).
    Incomplete,

    // What is late, and no fault.
    /// Of another version of the map than the game's now (MAP-70).
    OtherVersion,
    /// The answer to what was asked for the map before.
    Stale,
}

impl Error {
    /// Every reason.
    pub const ALL: [Self; 6] =
        [Self::NotJoined, Self::Malformed, Self::NotAsked, Self::Incomplete, Self::OtherVersion, Self::Stale];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotJoined => "map_not_joined",
            Self::Malformed => "map_malformed",
            Self::NotAsked => "map_not_asked",
            Self::Incomplete => "map_incomplete",
            Self::OtherVersion => "map_other_version",
            Self::Stale => "map_stale",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
