//! What the host wants of votes. Knows no file that says it.

use mjolnir_wire::limits::TICKS_PER_SECOND;

/// Minutes of play that voting takes where starting takes as many or more (CHEAT-35).
pub const VOTER_MINUTES: u8 = 2;
/// The most minutes of play that starting may take.
const MINUTES_MAX: u8 = 60;
/// The most minutes for which who was voted out is kept out: a day.
const BAN_MINUTES_MAX: u16 = 1440;
const MINUTE_TICKS: u32 = 60 * TICKS_PER_SECOND;

/// What the host wants of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether there are any (CHEAT-66).
    pub allowed: bool,
    /// Minutes of play with this host that starting one takes, 0..=60; more are 60 (CHEAT-35).
    pub minutes: u8,
    /// Minutes for which who was voted out is kept out, 1..=1440; what is outside is the nearest (CHEAT-38).
    pub ban_minutes: u16,
}

impl Default for Settings {
    fn default() -> Self {
        Self { allowed: true, minutes: 5, ban_minutes: 30 }
    }
}

impl Settings {
    /// The nearest within the bounds.
    pub(super) fn clamped(self) -> Self {
        Self {
            minutes: self.minutes.min(MINUTES_MAX),
            ban_minutes: self.ban_minutes.clamp(1, BAN_MINUTES_MAX),
            ..self
        }
    }

    /// Ticks of play that starting a vote takes, and voting in one.
    pub(super) fn ticks(self) -> [u32; 2] {
        [self.minutes, self.minutes.min(VOTER_MINUTES)].map(|minutes| u32::from(minutes) * MINUTE_TICKS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-35: voting takes two minutes, or what starting takes if that is less; and no setting is outside its bounds.
    #[test]
    fn voting_takes_no_more_than_starting() {
        for (minutes, ticks) in
            [(0, [0, 0]), (1, [1800, 1800]), (2, [3600, 3600]), (5, [9000, 3600]), (60, [108_000, 3600])]
        {
            assert_eq!(Settings { minutes, ..Settings::default() }.ticks(), ticks, "{minutes}");
        }
        for (ban_minutes, kept) in [(0, 1), (1, 1), (1440, 1440), (1441, 1440)] {
            assert_eq!(Settings { ban_minutes, ..Settings::default() }.clamped().ban_minutes, kept);
        }
        for (minutes, kept) in [(0, 0), (60, 60), (61, 60)] {
            assert_eq!(Settings { minutes, ..Settings::default() }.clamped().minutes, kept);
        }
    }
}
