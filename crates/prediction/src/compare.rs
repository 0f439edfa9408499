//! What the host's word on a tick of this machine says of the present: the difference of where it had the thing then, for
//! players and vehicles alike. Knows neither.

use mjolnir_wire::{Tick, Vec3};

use crate::history::{Had, History, Was};
use crate::own::TELEPORT_SIZED;

/// World units of height that a rider of an elevator may be off for the elevators of two machines not being at the same
/// height: what one travels in a round trip (PRED-20, 21).
pub const PLATFORM_HEIGHT: f32 = 4.0;

/// By how much to move what the host has `theirs` at the tick that it names, if by anything: past the tolerance, all of
/// the difference. The history moves along (PRED-38).
///
/// A word of where a teleporter took it from is not compared while the host's copy may still be on its way there: a
/// teleport is the same step of both, some ticks apart (PRED-39).
///
/// `floor` is the elevator whose floor it touches now. Where it did at that tick too, its height above the floor is its
/// own, and only what it is off sideways counts (PRED-20).
pub(crate) fn difference(
    history: &mut History,
    named: Tick,
    theirs: Vec3,
    tolerance: f32,
    floor: Option<u32>,
) -> Option<Vec3> {
    let (back, ours, tolerance) = match history.find(named) {
        Had::Nothing => return None,
        Had::Place(back, ours) => (back, ours, tolerance),
        Had::Oldest(back, ours) => (back, ours, TELEPORT_SIZED),
    };
    if history.is_of_before(named, 0, theirs, tolerance) {
        return None;
    }
    let by = apart(theirs, &ours, floor);
    if by.length() <= tolerance {
        return None;
    }
    history.shift(back, by);
    Some(by)
}

/// What the host has elsewhere of where it was, but for the height of who touched that elevator's floor and does still.
pub(crate) fn apart(theirs: Vec3, ours: &Was, floor: Option<u32>) -> Vec3 {
    let mut by = theirs - ours.place;
    if floor.is_some() && floor == ours.floor && is_phase(by.z) {
        by.z = 0.0;
    }
    by
}

/// Whether two machines' elevators may be apart by that height.
pub(crate) fn is_phase(height: f32) -> bool {
    height.abs() <= PLATFORM_HEIGHT
}
