//! Why what the host said of its level was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why something that was said is not done. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not.
    /// More is said before a tick than a level has devices.
    TooMany,
    /// More events are said before a tick than there can be.
    TooManyEvents,
    /// More objects are said to be changed by scripts than a level has.
    TooManyScripted,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::TooMany => "too_many_devices",
            Self::TooManyEvents => "too_many_events",
            Self::TooManyScripted => "too_many_scripted",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
