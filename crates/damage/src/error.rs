//! Why a report or an event was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why something that was said is not taken. Nothing was changed by what returned it, but that a report was paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not, or lies.
    /// Of a player of another machine, or of none (DMG-05, 62).
    NotOwned,
    /// Heard of a tick that is yet to come (DMG-24).
    FromTheFuture,
    /// Damage that nothing of the player's deals (DMG-06, 07, 11).
    NotHeld,
    /// A grenade that was not thrown, or has gone off (DMG-08, 09).
    NotThrown,
    /// Harder than it can be, or less than nothing (DMG-12).
    TooHard,
    /// Of another shape than the game gives that damage (DMG-13).
    WrongShape,
    /// A node, a region or a material that the target does not have (DMG-34).
    NoSuchPart,
    /// A direction of no length (DMG-32).
    NoDirection,
    /// More than the weapon fires (DMG-25).
    TooFast,
    /// The same explosion has hit that before (DMG-27).
    HitTwice,
    /// From further off than it reaches, or not from where the player or its vehicle was (DMG-14, 15, 17).
    TooFar,
    /// The damage is not where what it hit is (DMG-15, 16).
    NotAtTarget,
    /// The target was not there (DMG-21).
    TargetElsewhere,

    // What a delay can do to an honest peer.
    /// Made too long ago (DMG-24).
    TooOld,
    /// Nothing to hurt is there any more.
    NoTarget,
    /// The unit's blow was replayed before (DMG-47).
    Fallen,
    /// Something that is not there yet, or no more.
    Unknown,
}

impl Error {
    /// Every reason.
    pub const ALL: [Self; 17] = [
        Self::NotOwned,
        Self::FromTheFuture,
        Self::NotHeld,
        Self::NotThrown,
        Self::TooHard,
        Self::WrongShape,
        Self::NoSuchPart,
        Self::NoDirection,
        Self::TooFast,
        Self::HitTwice,
        Self::TooFar,
        Self::NotAtTarget,
        Self::TargetElsewhere,
        Self::TooOld,
        Self::NoTarget,
        Self::Fallen,
        Self::Unknown,
    ];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotOwned => "hit_not_owned",
            Self::FromTheFuture => "hit_from_the_future",
            Self::NotHeld => "hit_not_held",
            Self::NotThrown => "hit_not_thrown",
            Self::TooHard => "hit_too_hard",
            Self::WrongShape => "hit_wrong_shape",
            Self::NoSuchPart => "hit_no_such_part",
            Self::NoDirection => "hit_no_direction",
            Self::TooFast => "hit_too_fast",
            Self::HitTwice => "hit_twice",
            Self::TooFar => "hit_too_far",
            Self::NotAtTarget => "hit_not_at_target",
            Self::TargetElsewhere => "hit_target_elsewhere",
            Self::TooOld => "hit_too_old",
            Self::NoTarget => "hit_no_target",
            Self::Fallen => "fallen",
            Self::Unknown => "unknown_unit",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}
