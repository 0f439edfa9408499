//! The lies that are tried, each with the most that the rows let it come to. The arithmetic is the rows', with the
//! reference game's numbers; nothing is asked of the code that keeps them.

use mjolnir_skirmish::game::Kind;
use mjolnir_skirmish::game::movement::{GRAVITY, JUMP, LEGS, RUN};
use mjolnir_skirmish::game::vehicle::Craft;
use mjolnir_wire::Vec3;

use super::places::places;
use super::{Course, Measure, STALLED_EACH, THROW, THROWN_EACH, TICKS, Trial};
use crate::cheat::Cheat;

/// Times its own speed that a player may go (AUTH-13), and wu a tick besides for its place (AUTH-17).
const TIMES: f64 = 2.0;
const SLACK: f64 = 0.05;
/// Ticks by which its count may run ahead (AUTH-12).
pub(super) const JITTER: f64 = 6.0;
/// It is granted one tick more in so many.
const REGAIN: f64 = 300.0;
/// Above the launch and the legs, wu (AUTH-18).
const HEIGHT_SLACK: f64 = 1.0;
/// Ticks by which a round trip shortens a flight at most (AUTH-19).
pub(super) const ROUND_TRIP: f64 = 15.0;
/// Ticks that a host which stood still for a second leaves out (CLOCK-01), and one for where it falls.
const LEFT_OUT: f64 = 16.0;
/// Ten times a run.
const TENFOLD: f32 = 0.8;
/// Wu that the cliff is high.
const CLIFF: f64 = 20.0;

const RUN_64: f64 = RUN as f64;
pub(super) const MINUTE: f64 = TICKS as f64;
pub(super) const AHEAD: Measure = Measure::Along(Vec3::new(1.0, 0.0, 0.0));

/// AUTH-12, 13, 17: it is believed to go twice its run and the slack, in the host's ticks and the jitter's and those
/// that it is granted; the honest one runs.
fn fastest() -> f64 {
    fastest_in(MINUTE)
}

fn fastest_in(ticks: f64) -> f64 {
    let most = TIMES * RUN_64 + SLACK;
    (most - RUN_64) * ticks + most * (JITTER + ticks / REGAIN)
}

/// The same with the ticks that the host leaves out, of each second more than half: its clients ran them (CLOCK-01).
fn fastest_with_stalls() -> f64 {
    fastest_in(MINUTE + LEFT_OUT * MINUTE / f64::from(STALLED_EACH))
}

/// AUTH-12: in a second from an anchor, which may itself be a second old, and the jitter's ticks.
fn dash() -> f64 {
    (TIMES * RUN_64 + SLACK) * (60.0 + JITTER) - RUN_64 * 30.0
}

/// AUTH-13: as fast as it was thrown while it flies, and 90 ticks after.
fn thrown() -> f64 {
    let throws = MINUTE / f64::from(THROWN_EACH);
    let flight = 2.0 * f64::from(THROW.z) / f64::from(GRAVITY) + 90.0;
    (f64::from(THROW.length()) + SLACK - RUN_64) * throws * flight + fastest()
}

/// AUTH-13: the velocity taken is no more than twice the faster of run and jump, so that the host's tick takes it so far
/// before the next prediction brings it back.
fn a_tick() -> f64 {
    TIMES * f64::from(RUN.max(JUMP))
}

/// AUTH-18: a launch as fast as it goes, its legs drawn up, and the slack.
pub(super) fn cap() -> f64 {
    let launch = f64::from(RUN.max(JUMP));
    launch * launch / (2.0 * f64::from(GRAVITY)) + f64::from(LEGS) + HEIGHT_SLACK
}

/// What a jump rises.
fn jump() -> f64 {
    f64::from(JUMP) * f64::from(JUMP) / (2.0 * f64::from(GRAVITY))
}

/// Ticks of an honest jump and of an honest fall from the cliff.
fn jump_ticks() -> f64 {
    2.0 * f64::from(JUMP) / f64::from(GRAVITY)
}

fn fall_ticks() -> f64 {
    (2.0 * CLIFF / f64::from(GRAVITY)).sqrt()
}

/// AUTH-18, 19: it leaves a place so high as fast as it goes, upward, and with the slack; the flight is measured shorter
/// by the jitter and by a round trip.
fn longest_flight(from: f64) -> f64 {
    let (launch, gravity) = (f64::from(RUN.max(JUMP)), f64::from(GRAVITY));
    let deep = from + f64::from(LEGS) + HEIGHT_SLACK;
    (launch + (launch * launch + 2.0 * gravity * deep).sqrt()) / gravity + JITTER + ROUND_TRIP
}

/// Each lie.
pub fn kit() -> Vec<Trial> {
    let mut all = speed();
    all.extend(words());
    all.extend(stamps());
    all.extend(heights());
    all.extend(driving());
    all.extend(places());
    all
}

pub(super) fn trial(
    cheats: &[Cheat],
    course: Course,
    measure: Measure,
    most: f64,
    rows: &'static str,
) -> Trial {
    Trial { cheats: cheats.to_vec(), course, measure, most, least: 0.0, rows }
}

fn speed() -> Vec<Trial> {
    let runs = |cheats: &[Cheat]| trial(cheats, Course::Run, AHEAD, fastest(), "AUTH-12, 13, 17");
    // Slower than the bound: taken in full, and no more.
    let in_full = |times: f32| {
        let gain = (f64::from(times) - 1.0) * RUN_64 * MINUTE;
        // But for what is on its way.
        Trial { most: gain + 0.1, least: gain * (MINUTE - 6.0) / MINUTE, ..runs(&[Cheat::Runs(times)]) }
    };
    let holds = Cheat::Withholds { every: 600, says: 60 };
    vec![
        in_full(1.05),
        in_full(1.2),
        in_full(2.6),
        runs(&[Cheat::Runs(3.0)]),
        runs(&[Cheat::Runs(3.0), Cheat::Stubborn]),
        runs(&[Cheat::Runs(25.0)]),
        Trial { most: 57.0 * 2.0 + 0.1, ..runs(&[Cheat::Leaps { every: 30, by: 1.9 }]) },
        // A step of more than 2 wu is not taken in its tick, and in the next it is one of two ticks.
        Trial { rows: "AUTH-12, 13, 16, 17", ..runs(&[Cheat::Leaps { every: 30, by: 3.0 }]) },
        runs(&[Cheat::Leaps { every: 1, by: 0.3 }]),
        trial(&[Cheat::LeapsOnce(3.4)], Course::Run, AHEAD, 3.5, "AUTH-10, 16"),
        trial(&[Cheat::LeapsOnce(30.0)], Course::Run, AHEAD, 0.0, "AUTH-10"),
        runs(&[Cheat::Grasps(3.4)]),
        runs(&[Cheat::Grasps(0.2)]),
        trial(&[Cheat::Grasps(3.4)], Course::Run, Measure::Dash, dash(), "AUTH-12, 13, 17"),
        trial(&[Cheat::Grasps(3.4), holds], Course::Run, Measure::Dash, dash(), "AUTH-12, 13, 17"),
        trial(&[Cheat::Grasps(3.4), holds], Course::Run, AHEAD, fastest(), "AUTH-12, 13, 17"),
        trial(&[Cheat::Grasps(3.4)], Course::Thrown, AHEAD, thrown(), "AUTH-12, 13, 17"),
        trial(&[Cheat::Grasps(3.4)], Course::Stalled, AHEAD, fastest_with_stalls(), "AUTH-12, 13, 17"),
        trial(
            &[Cheat::Grasps(3.4), Cheat::StampsAt(2.0)],
            Course::Stalled,
            AHEAD,
            fastest_with_stalls(),
            "AUTH-12, 13, 17",
        ),
        trial(&[Cheat::Ghosts], Course::Wall, AHEAD, RUN_64 * MINUTE, "-"),
    ]
}

fn words() -> Vec<Trial> {
    let parts = [
        (1.0, 0.0, 0.0),
        (-1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, -1.0, 0.0),
        (0.0, 0.0, 1.0),
        (0.0, 0.0, -1.0),
    ];
    let mut all: Vec<Trial> = parts
        .into_iter()
        .map(|(ahead, left, up)| {
            let way = Vec3::new(ahead, left, up);
            trial(&[Cheat::Says(way * TENFOLD)], Course::Hop, Measure::Along(way), a_tick(), "AUTH-13, 17")
        })
        .collect();
    let ahead = Cheat::Says(Vec3::new(TENFOLD, 0.0, 0.0));
    let down = Cheat::Says(Vec3::new(0.0, 0.0, -2.0));
    let runs = |cheats: &[Cheat], rows| trial(cheats, Course::Hop, AHEAD, fastest(), rows);
    all.push(runs(&[Cheat::Grasps(0.0), ahead], "AUTH-13, 17"));
    all.push(runs(&[Cheat::Hovers(0.5), down, Cheat::Runs(25.0)], "AUTH-13, 17, 21"));
    all
}

fn stamps() -> Vec<Trial> {
    let runs = |cheat: Cheat| {
        trial(&[Cheat::Runs(3.0), cheat], Course::Run, AHEAD, fastest(), "AUTH-12, 13, 17, 64")
    };
    let grasps = |cheat: Cheat| {
        trial(&[Cheat::Grasps(3.4), cheat], Course::Run, AHEAD, fastest(), "AUTH-12, 13, 17, 64")
    };
    vec![
        runs(Cheat::StampsAt(2.0)),
        runs(Cheat::StampsAt(-1.0)),
        runs(Cheat::StampsStep { every: 60, by: 30 }),
        runs(Cheat::StampsStep { every: 60, by: 1000 }),
        runs(Cheat::StampsWave(30)),
        runs(Cheat::StampsWave(60)),
        runs(Cheat::Doubles),
        runs(Cheat::Delays(5)),
        runs(Cheat::Swaps),
        runs(Cheat::Replays(10)),
        runs(Cheat::Restamps(10)),
        grasps(Cheat::StampsAt(2.0)),
        grasps(Cheat::StampsStep { every: 60, by: 30 }),
        grasps(Cheat::StampsWave(30)),
        grasps(Cheat::StampsWave(60)),
        grasps(Cheat::Delays(5)),
        grasps(Cheat::Swaps),
    ]
}

fn heights() -> Vec<Trial> {
    let hops = |cheats: &[Cheat]| trial(cheats, Course::Hop, Measure::Above, cap() - jump(), "AUTH-18, 19");
    let hangs = |cheats: &[Cheat]| {
        trial(cheats, Course::Hop, Measure::Aloft, longest_flight(0.0) - jump_ticks(), "AUTH-18, 19, 20")
    };
    let falls = |cheats: &[Cheat]| {
        let most = longest_flight(CLIFF) - fall_ticks();
        trial(cheats, Course::Fall, Measure::Later, most, "AUTH-18, 19, 20")
    };
    let (up, down) = (Cheat::Says(Vec3::new(0.0, 0.0, TENFOLD)), Cheat::Says(Vec3::new(0.0, 0.0, -2.0)));
    vec![
        hops(&[Cheat::Jumps(2.0)]),
        hops(&[Cheat::Jumps(4.0)]),
        hops(&[Cheat::Hovers(3.0)]),
        // What the host's copy was said to rise by when it is heard of no more.
        hops(&[Cheat::Hovers(2.0), up, Cheat::Withholds { every: 60, says: 30 }]),
        hops(&[Cheat::Grasps(0.0), up]),
        hangs(&[Cheat::Hovers(3.0)]),
        hangs(&[Cheat::Hovers(0.6)]),
        // As if the host had missed that it was down.
        hangs(&[Cheat::Hovers(0.6), Cheat::StampsWave(30)]),
        // As if its program had stood still.
        hangs(&[Cheat::Hovers(0.6), Cheat::Withholds { every: 40, says: 24 }]),
        hangs(&[Cheat::Hovers(0.6), Cheat::Withholds { every: 10, says: 1 }]),
        hangs(&[Cheat::Falls(0.01)]),
        falls(&[Cheat::Falls(0.01)]),
        falls(&[Cheat::Falls(0.0)]),
        falls(&[Cheat::Falls(0.0), down]),
    ]
}

/// AUTH-26: wu a tick besides twice a vehicle's top speed, and once. AUTH-30: wu a tick besides what it left the ground with,
/// and wu above.
const CAR_SLACK: [f64; 2] = [0.1, 0.5];
const CAR_HEIGHT: [f64; 2] = [0.1, 2.0];
/// AUTH-10: nothing but the tolerance bounds the first word of a vehicle, wu.
const CAR_FIRST: f64 = 5.0;

fn driving() -> Vec<Trial> {
    let top = Craft::of(Kind::Car).map_or(0.0, |craft| f64::from(craft.top_speed));
    let most = TIMES * top + CAR_SLACK[0];
    // The honest one is slower until it is at its top speed.
    let begins = Craft::of(Kind::Car).map_or(0.0, |craft| top * top / (2.0 * f64::from(craft.gains)));
    let once = begins + CAR_SLACK[1] + CAR_FIRST;
    let fastest = (most - top) * MINUTE + most * (JITTER + MINUTE / REGAIN) + once;
    let drives = |cheats: &[Cheat]| trial(cheats, Course::Drive, AHEAD, fastest, "AUTH-10, 12, 26");
    let forges = |cheats: &[Cheat]| trial(cheats, Course::Drive, AHEAD, fastest, "AUTH-10, 12, 26, 64");
    let highest = CAR_HEIGHT[0] * CAR_HEIGHT[0] / (2.0 * f64::from(GRAVITY)) + CAR_HEIGHT[1];
    let rises = |cheats: &[Cheat]| trial(cheats, Course::Drive, Measure::Above, highest, "AUTH-30");
    let says = |way: Vec3| Cheat::Says(way * 9.0);
    let (ahead, up) = (Vec3::new(1.0, 0.0, 0.0), Vec3::UP);
    let a_tick = |way| {
        // As fast as that for the ticks between two of its words.
        trial(&[says(way)], Course::Drive, Measure::Along(way), TIMES * top, "AUTH-27")
    };
    let in_full = (1.2 - 1.0) * top * MINUTE;
    vec![
        Trial { most: in_full + 1.0, least: in_full * 0.9, ..drives(&[Cheat::Runs(1.2)]) },
        drives(&[Cheat::Runs(3.0)]),
        drives(&[Cheat::Leaps { every: 30, by: 4.9 }]),
        drives(&[Cheat::Leaps { every: 1, by: 0.6 }]),
        a_tick(ahead),
        a_tick(up),
        rises(&[Cheat::Hovers(5.0)]),
        rises(&[Cheat::Hovers(2.0)]),
        rises(&[Cheat::Hovers(5.0), says(up)]),
        // At the edge of what its anchor lets it come.
        drives(&[Cheat::Grasps(4.9)]),
        drives(&[Cheat::Grasps(1.2)]),
        drives(&[Cheat::Grasps(4.9), Cheat::Withholds { every: 600, says: 55 }]),
        forges(&[Cheat::Runs(3.0), Cheat::StampsAt(2.0)]),
        forges(&[Cheat::Runs(3.0), Cheat::StampsStep { every: 60, by: 30 }]),
        forges(&[Cheat::Grasps(4.9), Cheat::StampsAt(2.0)]),
        forges(&[Cheat::Grasps(4.9), Cheat::StampsStep { every: 60, by: 30 }]),
        forges(&[Cheat::Grasps(4.9), Cheat::StampsWave(30)]),
        // A gun is where the host has it.
        trial(&[Cheat::Leaps { every: 1, by: 0.1 }], Course::Gun, AHEAD, 0.0, "AUTH-26"),
        trial(&[Cheat::Leaps { every: 30, by: 4.9 }], Course::Gun, AHEAD, 0.0, "AUTH-26"),
        trial(&[says(ahead)], Course::Gun, AHEAD, 0.0, "AUTH-26, 27"),
        trial(&[Cheat::Hovers(5.0), says(up)], Course::Gun, Measure::Above, 0.0, "AUTH-26, 30"),
        // AUTH-30 is not asked of these: as high as its client says.
        itself(Course::Sail),
        itself(Course::Fly),
    ]
}

/// One that goes 30 wu up, of a kind whose height is its own (AUTH-30).
fn itself(course: Course) -> Trial {
    Trial { least: 29.0, ..trial(&[Cheat::Hovers(30.0)], course, Measure::Above, 30.5, "AUTH-26, 30") }
}
