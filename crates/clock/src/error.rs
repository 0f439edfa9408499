//! Why something was refused. Knows nothing of what the caller does about it.

use core::fmt;

/// Why something was refused. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// A peer names a host tick that the host has not come to.
    HeardAhead,
    /// A peer names a host tick of longer ago than anybody is waited for.
    HeardLongAgo,
    /// The caller names a machine that was not added.
    UnknownMachine,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::HeardAhead => "heard_ahead",
            Self::HeardLongAgo => "heard_long_ago",
            Self::UnknownMachine => "unknown_machine",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
