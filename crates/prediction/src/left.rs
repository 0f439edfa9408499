//! A vehicle that an own player got out of: it goes on from there on this machine, as it will on the host a round trip
//! later. Knows no driver, and not how anything rolls.
//!
//! The host takes where the player left it, and both machines' go on from there by the same rules, the host's a round
//! trip behind. What the host says of it is so compared with where this machine had it of late, not with where it is.

use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::history::{Had, History, Was};
use crate::vehicle::OwnVehicle;

/// World units by which the host may have it beside the way that it went here and it still goes on here (ours): more is
/// another way, and it is then put where the host has it as what is nobody's is (OBJ-26).
pub const LEFT_TOLERANCE: f32 = 1.0;

/// Ticks more than a round trip that a word may be old (ours): an input that was lost comes again with the three after it.
pub const LEFT_LATE: u32 = 3;

/// See the file's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) vehicle: ObjectId,
    /// The tick before which it was found left.
    since: Tick,
    history: History,
}

impl Left {
    /// It was found left before that tick.
    pub(crate) const fn new(tick: Tick, driven: &OwnVehicle) -> Self {
        Self { vehicle: driven.vehicle, since: tick, history: driven.history }
    }

    /// It is there after that tick.
    pub(crate) fn note(&mut self, tick: Tick, place: Vec3) {
        self.history.push(tick, Was { place, velocity: Vec3::ZERO, floor: None });
    }

    /// Whether it goes on here as it does, the host having it there, and at rest or not: that is of before the host knew
    /// that it was left, or of the way that it went here. Once it rests on the host it rests where the host has it.
    pub(crate) fn goes_on(&self, tick: Tick, round_trip: u32, theirs: Vec3, at_rest: bool) -> bool {
        let late = round_trip.saturating_add(LEFT_LATE);
        if i64::from(tick.since(self.since)) <= i64::from(late) {
            return true;
        }
        match self.history.nearest(theirs, late) {
            Had::Place(_, was) => !at_rest && was.place.distance(theirs) <= LEFT_TOLERANCE,
            Had::Nothing | Had::Oldest(..) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    fn east(x: f32, y: f32) -> Vec3 {
        Vec3::new(x, y, 0.0)
    }

    /// Left before tick 100 at x = 0 after a way from the west, 0.4 wu a tick; noted until tick 130.
    fn left() -> Left {
        let mut driven = OwnVehicle::new(ObjectId::new(5, 1).unwrap());
        for tick in 80..100 {
            driven.note(at(tick), east((tick - 100) as f32 * 0.4, 0.0));
        }
        let mut left = Left::new(at(100), &driven);
        for tick in 100..=130 {
            left.note(at(tick), east((tick - 100) as f32 * 0.4, 0.0));
        }
        left
    }

    /// OBJ-26: what the host says within a round trip and what an input may be late, it says of before it knew; both sides.
    #[test]
    fn a_word_of_before_is_not_followed() {
        let left = left();
        for (tick, at_rest, goes_on) in
            [(109, false, true), (109, true, true), (110, false, false), (110, true, false)]
        {
            assert_eq!(left.goes_on(at(tick), 6, east(0.0, 50.0), at_rest), goes_on, "{tick} {at_rest}");
        }
    }

    /// OBJ-26: after that it goes on while the host has it on the way that it went here in the last round trip, a
    /// world unit beside that at most; not where the host's rests, and not by what is no number.
    #[test]
    fn it_goes_on_along_its_own_way() {
        let left = left();
        // Nine ticks back at most: 8.4 to 12 wu.
        for (x, y, goes_on) in [
            (9.6, 0.0, true),
            (9.6, 0.99, true),
            (9.6, 1.01, false),
            (12.0 + 0.99, 0.0, true),
            (12.0 + 1.01, 0.0, false),
            (8.4 - 0.99, 0.0, true),
            (8.4 - 1.01, 0.0, false),
            (f32::NAN, 0.0, false),
        ] {
            assert_eq!(left.goes_on(at(131), 6, east(x, y), false), goes_on, "{x} {y}");
        }
        assert!(!left.goes_on(at(131), 6, east(9.6, 0.0), true));
    }
}
