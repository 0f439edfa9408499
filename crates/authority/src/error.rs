//! Why a prediction, a state or a pickup was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why something that was said is not taken. Nothing was changed by what returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not.
    /// A prediction of a player of another machine, or of none.
    NotOwned,
    /// A prediction of a unit that is dead or has no place of its own.
    NotPlaced,

    /// A state of another game type than the settings name.
    OtherGame,
    /// What a player of another machine picked up.
    NotLocal,

    // What a delay can do to an honest peer.
    /// A prediction of a unit that is not the player's present one: its last life's.
    WrongUnit,
    /// A prediction of a vehicle that no player of the machine drives, or drives no more.
    NotDriven,
    /// No newer than what was had already.
    Old,
}

impl Error {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotOwned => "not_owned",
            Self::NotPlaced => "not_placed",
            Self::OtherGame => "other_game",
            Self::NotLocal => "not_local",
            Self::WrongUnit => "wrong_unit",
            Self::NotDriven => "not_driven",
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
