//! The lies of the kit that are of a map's platforms and pads, and of seats. The arithmetic is the rows'; nothing is asked of
//! the code that keeps them.

use mjolnir_skirmish::game::fixtures::{NEAR_PAD, PAD};
use mjolnir_skirmish::game::movement::{GRAVITY, JUMP, RUN};
use mjolnir_wire::Vec3;

use super::kit::{AHEAD, JITTER, MINUTE, ROUND_TRIP, cap, trial};
use super::{Course, Measure, Trial};
use crate::cheat::Cheat;

/// How fast the elevators go, wu a tick.
const ELEVATOR: f64 = 0.1;
/// As high as their floors come, wu.
const TOP: f64 = 20.1;
/// What a copy is off a floor by that it stands on, wu: rounding.
const FLOOR: f64 = 0.01;
/// Ticks from one step on a teleporter by a client's word to the next at least, and of a step of the copy's own between.
const REST: f64 = 6.0;

const HIGHER: Measure = Measure::Along(Vec3::UP);
const LOWER: Measure = Measure::Along(Vec3::new(0.0, 0.0, -1.0));

/// AUTH-18, 19: who left a floor that goes down is believed to be as high as a thing thrown up from there, which the floor
/// leaves until that falls faster than it: the top and the ticks of it, those that are late, and those until then.
fn over_the_shaft() -> f64 {
    let gravity = f64::from(GRAVITY);
    let launch = f64::from(RUN.max(JUMP));
    cap() + ELEVATOR * (launch / gravity + JITTER + ROUND_TRIP + ELEVATOR / gravity)
        - ELEVATOR * ELEVATOR / (2.0 * gravity)
}

pub(super) fn places() -> Vec<Trial> {
    // AUTH-23: the height of who touches the floor is the host's.
    let rides = |cheats: &[Cheat], course, measure| trial(cheats, course, measure, FLOOR, "AUTH-23, 24");
    let hops =
        |cheats: &[Cheat]| trial(cheats, Course::DownHopping, HIGHER, over_the_shaft(), "AUTH-18, 19, 25");
    // What a game has for near is near the pad, and half of that is on it.
    let sooner = f64::from(NEAR_PAD - PAD.0) / f64::from(RUN) + 1.0;
    let pad = |cheats: &[Cheat], course, measure, most| trial(cheats, course, measure, most, "AUTH-22");
    vec![
        rides(&[Cheat::SaysHigher(3.0)], Course::Up, HIGHER),
        rides(&[Cheat::SaysHigher(-3.0)], Course::Up, LOWER),
        rides(&[Cheat::SaysHigher(3.0)], Course::Down, HIGHER),
        rides(&[Cheat::Floats], Course::Up, LOWER),
        rides(&[Cheat::Floats], Course::Down, HIGHER),
        hops(&[Cheat::Floats]),
        hops(&[Cheat::Hovers(3.0)]),
        hops(&[Cheat::SaysHigher(1.0)]),
        // What is no higher than it may be is boarded from the ground, and then it rides; nothing higher is.
        trial(&[Cheat::Boards(0.0)], Course::Beside, HIGHER, TOP, "AUTH-10, 16, 18"),
        trial(&[Cheat::Boards(2.2)], Course::Beside, HIGHER, 0.0, "AUTH-10, 18"),
        trial(&[Cheat::SaysHigher(3.0)], Course::Beside, HIGHER, cap(), "AUTH-18"),
        pad(&[Cheat::Steps { every: 1, near: 1.2 }], Course::Pad, Measure::Sooner, sooner),
        pad(&[Cheat::Steps { every: 1, near: 5.0 }], Course::Pad, Measure::Sooner, sooner),
        pad(&[Cheat::Steps { every: 1, near: 1.5 }], Course::ByPad, AHEAD, 0.0),
        pad(&[Cheat::Flits(1)], Course::ByPad, Measure::Leaps, 0.0),
        pad(&[Cheat::Flits(1)], Course::AtPad, Measure::Leaps, MINUTE / REST),
        pad(&[Cheat::Flits(7)], Course::AtPad, Measure::Leaps, MINUTE / REST),
        trial(&[Cheat::SitsFar], Course::Lot, AHEAD, 0.0, "AUTH-74"),
        trial(&[Cheat::SitsFar, Cheat::Runs(2.0)], Course::Lot, AHEAD, 0.0, "AUTH-74"),
    ]
}
