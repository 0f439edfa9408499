//! Why something was not taken or not done. Knows no peer: who sent it is known by who asked.

use core::fmt;

/// Why something was refused. Nothing was changed by what was refused, but where a reason ends a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// Bytes that are not a message.
    Malformed(mjolnir_wire::Error),
    /// A datagram from an address that is nobody's (NET-45).
    UnknownAddress,
    /// A message that its sender does not send (NET-46).
    WrongSender,
    /// A message that does not come by this channel (NET-07..10, 47, 67).
    WrongChannel,
    /// A part whose stamp is not its batch's (NET-73).
    PartStamp,
    /// A datagram stamped too far from the newest (NET-11).
    FarStamp,
    /// A datagram of a machine whose time is not known yet (NET-11).
    NoBaseline,
    /// An unreliable message older than the newest of its kind (NET-13).
    Stale,
    /// A message of the game outside it.
    NotInGame,
    /// A packet that means nothing at this point of the session.
    Unexpected,
    /// A request in another machine's name (NET-65).
    NotItsOwn,
    /// A player past the machine's, the game's or the address's number (NET-62, 64).
    TooManyPlayers,
    /// An answer to nothing that was asked (NET-43), or that is asked no more.
    Unasked,
    /// More datagrams at once than are kept for one tick.
    Overrun,
    /// A text for nobody (WIRE-94).
    ErrorText,
    /// A search from outside the host's own networks (NET-70).
    NotLocal,
    /// A game past the number that is listed.
    TooManyGames,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Malformed(error) => error.reason(),
            Self::UnknownAddress => "unknown_address",
            Self::WrongSender => "wrong_sender",
            Self::WrongChannel => "wrong_channel",
            Self::PartStamp => "part_stamp",
            Self::FarStamp => "far_stamp",
            Self::NoBaseline => "no_baseline",
            Self::Stale => "stale",
            Self::NotInGame => "not_in_game",
            Self::Unexpected => "unexpected",
            Self::NotItsOwn => "not_its_own",
            Self::TooManyPlayers => "too_many_players",
            Self::Unasked => "unasked",
            Self::Overrun => "overrun",
            Self::ErrorText => "error_text",
            Self::NotLocal => "not_local",
            Self::TooManyGames => "too_many_games",
        }
    }
}

impl From<mjolnir_wire::Error> for Error {
    fn from(error: mjolnir_wire::Error) -> Self {
        Self::Malformed(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
