//! Why a machine is no longer in the game. Knows no text: those stand in `texts`.

use mjolnir_wire::packets::Rejection;

/// Why a session ended, as either end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It left in order.
    Left,
    /// Its stream ended.
    Gone,
    /// Nothing of it was heard for 15 s (NET-28).
    Silent,
    /// It connected and did not ask to join (NET-27).
    NotJoined,
    /// It brought no player (NET-58).
    NoPlayer,
    /// It did not load in time (NET-29).
    NotLoaded,
    /// It did not read what it was sent (NET-62).
    Stalled,
    /// Its stream was damaged (NET-32).
    Damaged,
    /// It said what a joining machine does not say (NET-77).
    Unexpected,
    /// The host removed it.
    Kicked,
    /// It was not let in.
    Rejected(Rejection),
}

impl Why {
    /// A stable word for logs and counters.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Gone => "gone",
            Self::Silent => "silent",
            Self::NotJoined => "not_joined",
            Self::NoPlayer => "no_player",
            Self::NotLoaded => "not_loaded",
            Self::Stalled => "stalled",
            Self::Damaged => "damaged",
            Self::Unexpected => "unexpected",
            Self::Kicked => "kicked",
            Self::Rejected(_) => "rejected",
        }
    }
}
