//! Why an ask or a change was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why something that was said is not done. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not.
    /// The host asks itself, or tells of an object in the half of the array that is each machine's own.
    NotTheHosts,
    /// An inventory names one object twice.
    CarriedTwice,
    /// More picks of animations are said before a tick than there can be.
    TooManyPicks,
    /// An actor's word on a unit past those that a client drives.
    TooManyActors,

    // What a delay can do to an honest peer.
    /// A machine asks for the list again before it may have another.
    TooSoon,
    /// It is older than the newest of its kind.
    Old,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotTheHosts => "not_the_hosts",
            Self::CarriedTwice => "carried_twice",
            Self::TooManyPicks => "too_many_picks",
            Self::TooManyActors => "too_many_actors",
            Self::TooSoon => "too_soon",
            Self::Old => "old",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
