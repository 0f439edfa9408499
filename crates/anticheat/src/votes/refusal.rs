//! Why a vote was not counted. Knows no text: what the asker reads of it stands in `texts`.

use core::fmt;

/// Why somebody's vote to kick a player does nothing (CHEAT-58). Nothing was changed by what returned it, but that the machine has
/// asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Asked less than a second ago (CHEAT-30). Nobody is told.
    TooFast,
    /// The host wants no votes (CHEAT-66).
    Off,
    /// Nobody plays in that slot.
    NoPlayer,
    /// The host's own players are kicked by nobody (CHEAT-59).
    Host,
    /// The player is of the machine that asks (CHEAT-59).
    Own,
    /// The player is who asks, as far as addresses and hardware ids tell (CHEAT-60).
    SamePerson,
    /// The address of who asks is not known (CHEAT-32).
    UnknownAddress,
    /// A vote on another player runs (CHEAT-36).
    Running,
    /// It has voted already, or the same person has from another machine (CHEAT-60).
    Voted,
    /// It could not vote when this vote began (CHEAT-35).
    TooLate,
    /// It has not played long enough to start one (CHEAT-35).
    NotPlayed {
        /// Minutes that it takes, 1..=60.
        minutes: u8,
    },
    /// The last vote is over too lately (CHEAT-36).
    Pause {
        /// Seconds until the next, rounded up.
        seconds: u64,
    },
    /// Its last vote failed too lately (CHEAT-37).
    Cooling {
        /// Seconds until it may start another, rounded up.
        seconds: u64,
    },
    /// A vote on that player failed too lately (CHEAT-37).
    Protected,
}

impl Refusal {
    /// Every refusal, with numbers for those that have one.
    pub const ALL: [Self; 14] = [
        Self::TooFast,
        Self::Off,
        Self::NoPlayer,
        Self::Host,
        Self::Own,
        Self::SamePerson,
        Self::UnknownAddress,
        Self::Running,
        Self::Voted,
        Self::TooLate,
        Self::NotPlayed { minutes: 60 },
        Self::Pause { seconds: 30 },
        Self::Cooling { seconds: 300 },
        Self::Protected,
    ];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::TooFast => "vote_too_fast",
            Self::Off => "vote_off",
            Self::NoPlayer => "vote_no_player",
            Self::Host => "vote_host",
            Self::Own => "vote_own",
            Self::SamePerson => "vote_same_person",
            Self::UnknownAddress => "vote_unknown_address",
            Self::Running => "vote_running",
            Self::Voted => "vote_voted",
            Self::TooLate => "vote_too_late",
            Self::NotPlayed { .. } => "vote_not_played",
            Self::Pause { .. } => "vote_pause",
            Self::Cooling { .. } => "vote_cooling",
            Self::Protected => "vote_protected",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Refusal {}
