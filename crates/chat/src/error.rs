//! Why a line or a command was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why something that was said is not done. Nothing was changed by what returned it, but that a line was paid for from
/// [`Error::Blank`] on, and that whoever said it is told why where there is something to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not.
    /// Of a player of another machine, or of none (CHAT-03).
    NotOwned,
    /// More lines than a machine has leave for (CHAT-04). Nobody is told.
    TooFast,
    /// Empty, or blanks alone (CHAT-07). Nobody is told.
    Blank,

    // What the host or this machine does not want said or heard.
    /// The chat is off, or the host has said nothing of it yet (CHAT-30, 33).
    Off,
    /// It is a public game's (CHAT-31).
    Public,
    /// A player of the machine is muted for everyone (CHAT-21).
    Muted,
    /// It has a link, and the host wants none (CHAT-33).
    Link,

    // A command that is none.
    /// It says no name, or what stands for minutes are none (CHAT-20).
    Usage,
    /// Nobody's name begins so.
    NoPlayer,
    /// Several names begin so (CHAT-47).
    Several,
    /// Several have that very name.
    Alike,
    /// Of a player of this machine.
    Own,
    /// Of a player whose machine is not in the game.
    NotJoined,
    /// Nobody of that name is muted.
    NotMuted,
}

impl Error {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::NotOwned,
        Self::TooFast,
        Self::Blank,
        Self::Off,
        Self::Public,
        Self::Muted,
        Self::Link,
        Self::Usage,
        Self::NoPlayer,
        Self::Several,
        Self::Alike,
        Self::Own,
        Self::NotJoined,
        Self::NotMuted,
    ];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotOwned => "chat_not_owned",
            Self::TooFast => "chat_too_fast",
            Self::Blank => "chat_blank",
            Self::Off => "chat_off",
            Self::Public => "chat_public",
            Self::Muted => "chat_muted",
            Self::Link => "chat_link",
            Self::Usage => "chat_usage",
            Self::NoPlayer => "chat_no_player",
            Self::Several => "chat_several",
            Self::Alike => "chat_alike",
            Self::Own => "chat_own",
            Self::NotJoined => "chat_not_joined",
            Self::NotMuted => "chat_not_muted",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
