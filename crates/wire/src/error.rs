//! Why bytes are not a message. Knows no peer: who is at fault for sending them is said by the crate that asked.

use core::fmt;

/// Why bytes were refused, or a message was not written. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// Fewer bytes than the message needs.
    Truncated,
    /// More bytes than the message has, where the format says exactly.
    TrailingBytes,
    /// No message of that type, kind or number.
    UnknownKind,
    /// An index at or past its limit, or none where none is not allowed.
    BadIndex,
    /// A number that is not finite.
    NotFinite,
    /// A finite number outside what the format allows.
    OutOfRange,
    /// Text, a list or a message longer than its field.
    TooLong,
    /// A flag, count or choice that the format does not have.
    BadFlag,
    /// A negative tick.
    BadTick,
    /// Text without its NUL.
    Unterminated,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::TrailingBytes => "trailing_bytes",
            Self::UnknownKind => "unknown_kind",
            Self::BadIndex => "bad_index",
            Self::NotFinite => "not_finite",
            Self::OutOfRange => "out_of_range",
            Self::TooLong => "too_long",
            Self::BadFlag => "bad_flag",
            Self::BadTick => "bad_tick",
            Self::Unterminated => "unterminated",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
