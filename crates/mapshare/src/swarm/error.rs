//! Why what a connection brought was refused, and how often. Knows no connection.

use core::fmt;

use crate::download::Refused;

/// Why a connection, or a frame of one, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // Connections that are not taken: nothing was sent to them.
    /// No game's files are shared.
    NoGame,
    /// From an address that none of the game's machines has (MAP-43).
    NotAMember,
    /// Others made fifteen already (MAP-38).
    TooMany,
    /// Four are from its address (MAP-39).
    TooManyOfAddress,

    // Connections that are closed, by what they do not do.
    /// It made way for a newer one before it said hello (MAP-40).
    MadeWay,
    /// No hello in time (MAP-41), or it did not open in that time.
    NoHello,
    /// No whole frame for long (MAP-42).
    Silent,
    /// It does not take what is said to it.
    DoesNotRead,

    // Connections that are closed, by what they say.
    /// A frame other than hello came first (MAP-74).
    NotHello,
    /// A hello of another magic, version or length (MAP-74).
    BadHello,
    /// A hello of another game's map (MAP-74).
    OtherMap,
    /// A hello of a machine that is not the one of its address, or of this one.
    OtherMachine,
    /// A second hello (MAP-74).
    SecondHello,
    /// A body longer than any (MAP-73).
    TooLong,
    /// A frame whose bytes are none of its kind's.
    Malformed,
    /// A piece that its file does not have (MAP-76, 79).
    NoSuchPiece,
    /// A third request while two are unanswered (MAP-77).
    TooManyRequests,
    /// A fault in what it sent of a download, its own or one too many.
    Pieces(Refused),

    // Frames that are passed over; the connection stays.
    /// Of a kind or a file that this build does not know (MAP-73).
    Unknown,
    /// A request of a file that is not among the game's (MAP-35).
    NotShared,
    /// A request of a piece that this machine lacks (MAP-77).
    Lacked,
    /// A request where this machine sends none (MAP-36).
    SendsNone,
    /// Hashes asked for again and again.
    HashesAgain,
    /// What another end has of a file, by another hash or size than the game's (MAP-75).
    OtherFile,
}

impl Error {
    /// Every reason of the swarm's own.
    pub const ALL: [Self; 23] = [
        Self::NoGame,
        Self::NotAMember,
        Self::TooMany,
        Self::TooManyOfAddress,
        Self::MadeWay,
        Self::NoHello,
        Self::Silent,
        Self::DoesNotRead,
        Self::NotHello,
        Self::BadHello,
        Self::OtherMap,
        Self::OtherMachine,
        Self::SecondHello,
        Self::TooLong,
        Self::Malformed,
        Self::NoSuchPiece,
        Self::TooManyRequests,
        Self::Unknown,
        Self::NotShared,
        Self::Lacked,
        Self::SendsNone,
        Self::HashesAgain,
        Self::OtherFile,
    ];

    /// Whether it shows that the other end does not keep to the rules, rather than that it is late, gone or elsewhere.
    pub(super) const fn is_a_lie(self) -> bool {
        matches!(
            self,
            Self::NotHello
                | Self::BadHello
                | Self::SecondHello
                | Self::TooLong
                | Self::Malformed
                | Self::NoSuchPiece
                | Self::TooManyRequests
                | Self::Pieces(_)
        )
    }

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoGame => "swarm_no_game",
            Self::NotAMember => "swarm_not_a_member",
            Self::TooMany => "swarm_too_many",
            Self::TooManyOfAddress => "swarm_too_many_of_address",
            Self::MadeWay => "swarm_made_way",
            Self::NoHello => "swarm_no_hello",
            Self::Silent => "swarm_silent",
            Self::DoesNotRead => "swarm_does_not_read",
            Self::NotHello => "swarm_not_hello",
            Self::BadHello => "swarm_bad_hello",
            Self::OtherMap => "swarm_other_map",
            Self::OtherMachine => "swarm_other_machine",
            Self::SecondHello => "swarm_second_hello",
            Self::TooLong => "swarm_too_long",
            Self::Malformed => "swarm_malformed",
            Self::NoSuchPiece => "swarm_no_such_piece",
            Self::TooManyRequests => "swarm_too_many_requests",
            Self::Pieces(refused) => refused.reason(),
            Self::Unknown => "swarm_unknown",
            Self::NotShared => "swarm_not_shared",
            Self::Lacked => "swarm_lacked",
            Self::SendsNone => "swarm_sends_none",
            Self::HashesAgain => "swarm_hashes_again",
            Self::OtherFile => "swarm_other_file",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
