//! Why something was refused. Knows nothing of what the caller does about it.

use core::fmt;

/// Why something was refused. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// Its tick is not after the last taken: late, or come twice. The network's doing, not a peer's.
    NotNewer,
    /// The host relays the input of one of this machine's own players (PRED-04).
    OwnSlot,
    /// A word on a vehicle that none of this machine's players drives.
    NotDriven,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotNewer => "not_newer",
            Self::OwnSlot => "own_slot",
            Self::NotDriven => "not_driven",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
