//! What a latency meter shows (GLUE-03 to 09). Knows no clock: what it shows was measured.

use std::fmt;

/// What stands on a machine's screen while nothing is heard.
pub const CONNECTION_PROBLEM: &str = "Connection problem";

/// One reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Nothing was measured yet.
    Unknown,
    /// There and back in milliseconds.
    Milliseconds(u32),
    /// The other end is not heard, its datagrams are not, or it does not hear this machine's.
    Problem,
}

impl Reading {
    pub(crate) fn of(milliseconds: Option<u32>) -> Self {
        milliseconds.map_or(Self::Unknown, Self::Milliseconds)
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("- ms"),
            Self::Milliseconds(milliseconds) => write!(f, "{milliseconds} ms"),
            Self::Problem => f.write_str(CONNECTION_PROBLEM),
        }
    }
}
