//! Steps onto an elevator that has left on the host, and off one, which a client made before it left there.

use super::*;
use mjolnir_authority::{FLIGHT_TRIP_MOST, FLOORS, Platform, Shaft};

/// As fast as the elevator goes, wu a tick.
const SPEED: f32 = 0.2;
/// The client's round trip, ticks.
const TRIP: i32 = 12;
/// The heights that count: a round trip's and jitter.
const LATE: i32 = TRIP + ANCHOR_JITTER as i32;

/// How high its floor is that rested at 0.1 and left, upward or downward, so many ticks ago; not yet, if less than 0.
fn floor(up: bool, gone: i32) -> f32 {
    0.1 + SPEED * gone.max(0) as f32 * if up { 1.0 } else { -1.0 }
}

/// One of 3 wu across, its rim at 0, that left so many ticks ago.
fn shaft(up: bool, gone: i32) -> Shaft {
    let floors = core::array::from_fn(|ago| floor(up, gone - ago as i32));
    Shaft { least: [0.0, -1.5], most: [3.0, 1.5], rim: 0.2, floors }
}

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn table(copy: Vec3) -> Table {
    let mut table = Table::at(100, copy);
    table.host.set_round_trip(machine(1), Some(TRIP as f32));
    table
}

/// A copy beside the elevator, that left here `late` ticks before it did on its client, which stood on it with `before`
/// and says `claim` in its first tick on its way. Where the host has it then.
fn boards(up: bool, late: i32, before: Vec3, claim: Vec3) -> Table {
    let mut table = table(at(0.05, 0.1));
    table.row.shaft = Some(shaft(up, late));
    table.take(90, before);
    // What the elevator's side does to it.
    table.put(standing(at(0.0, 0.1)));
    table.row.shaft = Some(shaft(up, late + 1));
    table.take(91, claim);
    table
}

/// AUTH-23 (ours): whose client rides an elevator that left here within its round trip and jitter is on it, where it is
/// across, as high as the floor is by now; its tick is named, and its height is the host's from then on. One whose client
/// would be on one that left before that is where it says.
#[test]
fn a_client_boards_what_has_left() {
    for up in [true, false] {
        for (late, boarded) in [(1, true), (TRIP, true), (LATE, true), (LATE + 1, false)] {
            let table = boards(up, late, at(0.05, 0.1), at(0.1, floor(up, 1)));
            let height = if boarded { floor(up, late + 1) } else { table.place().z };
            assert!(table.place().z == height && (table.place().x - 0.1).abs() < 0.06, "{up} {late}");
            assert_eq!(table.named(), Some(91));
            let Command::Place { why, .. } = table.commands[0] else { panic!("{:?}", table.commands) };
            assert!(!boarded || why == Why::Take, "{why:?}");
            let mut table = table;
            table.row.platform = Some(Platform { id: 0, moving: true, contact: true, floor: height });
            table.row.shaft = Some(shaft(up, late + 2));
            let place = table.take(92, at(0.1, floor(up, 2)));
            assert!(place.z == height && table.host.takings().taken == 3, "{up} {late}: {place:?}");
        }
    }
}

/// AUTH-18, 23 (ours): nobody boards a floor that was higher over the ground, in every tick that counts, than one jumps with
/// drawn-up legs: 0.94 wu here. What it says meanwhile lifts no one: the ground is the host's.
#[test]
fn a_floor_out_of_reach_is_not_boarded() {
    for (beyond, boarded) in [(4, true), (5, false)] {
        // As low as it was then: 0.9 wu, 1.1 wu.
        let gone = LATE + beyond;
        let mut table = table(at(0.05, 0.1));
        table.row.shaft = Some(shaft(true, gone - 1));
        table.take(90, at(0.1, floor(true, beyond - 1)));
        table.put(standing(at(0.0, 0.1)));
        table.row.shaft = Some(shaft(true, gone));
        let place = table.take(91, at(0.1, floor(true, beyond)));
        assert_eq!(place.z == floor(true, gone), boarded, "{beyond}: {place:?}");
    }
}

/// AUTH-23 (ours): an elevator that rests on its client carries nobody yet, who may walk off it again; nor does one that the
/// player does not go up or down with, that it is beside, under or too high over, or too far from on the host.
#[test]
fn who_does_not_ride_boards_nothing() {
    let (rest, first) = (at(0.05, 0.1), floor(true, 1));
    for (before, claim, boarded) in [
        (rest, at(0.1, first), true),
        (rest, at(0.0, first), true),
        // At its rim one stands lower.
        (at(-0.05, 0.1), at(-0.19, first), true),
        (at(-0.05, 0.1), at(-0.21, first), false),
        (at(0.05, -0.24), at(-0.1, -0.04), true),
        (at(0.05, -0.26), at(-0.1, -0.06), false),
        (at(0.05, -0.04), at(0.1, 0.16), true),
        (at(0.05, -0.06), at(0.1, 0.14), false),
        (rest, at(0.1, 0.1), false),
        // A quarter less than it, and a quarter more.
        (rest, at(0.1, 0.1 + SPEED * 0.76), true),
        (rest, at(0.1, 0.1 + SPEED * 0.74), false),
        (at(0.05, 0.1 - SPEED * 0.24), at(0.1, first), true),
        (at(0.05, 0.1 - SPEED * 0.26), at(0.1, first), false),
        // So far over it, as half of its step and the twentieth by which one stands: of the newest floor.
        (at(0.05, 1.24), at(0.1, 1.44), true),
        (at(0.05, 1.26), at(0.1, 1.46), false),
    ] {
        // It left six ticks ago: its floor is at 1.3.
        let table = boards(true, 5, before, claim);
        assert_eq!(table.place().z == floor(true, 6), boarded, "{before:?} {claim:?}: {:?}", table.place());
    }
    for (far, boarded) in [(3.4, true), (3.6, false)] {
        let mut table = table(at(0.05, 0.1));
        table.take(90, at(0.05, 0.1));
        for part in [0.5, 1.0] {
            // In steps that are no teleport.
            table.put(standing(at(0.1 - far * part, first)));
            table.tick(None);
        }
        table.row.shaft = Some(shaft(true, 6));
        assert_eq!(table.take(93, at(0.1, first)) == at(0.1, floor(true, 6)), boarded, "{far}");
    }
}

/// AUTH-12 (ours): where a client boards is measured across as ever, from where it was.
#[test]
fn who_boards_is_measured_across() {
    for (x, taken) in [(0.05 + 1.4, true), (0.05 + 1.6, false)] {
        let mut table = table(at(0.05, 0.1));
        table.take(90, at(0.05, 0.1));
        table.row.shaft = Some(shaft(true, 14));
        table.ticks(6);
        // 7 ticks of twice the run and the slack.
        let place = table.take(97, at(x, floor(true, 7)));
        assert_eq!(place == at(x, floor(true, 14)), taken, "{x}: {place:?}");
        assert_eq!(table.host.takings().past_bounds, u64::from(!taken));
    }
}

/// A copy that an elevator has carried which left so many ticks ago, and what becomes of it by that claim.
fn alights(up: bool, gone: i32, claim: Vec3) -> Table {
    let mut table = table(at(0.3, floor(up, gone)));
    let platform = |gone| Some(Platform { id: 0, moving: true, contact: true, floor: floor(up, gone) });
    (table.row.platform, table.row.shaft) = (platform(gone), Some(shaft(up, gone)));
    table.take(90, at(-0.1, 0.1));
    table.put(standing(at(-0.1, floor(up, gone + 1))));
    (table.row.platform, table.row.shaft) = (platform(gone + 1), Some(shaft(up, gone + 1)));
    table.take(91, claim);
    table
}

/// AUTH-25 (ours): whose client has it off an elevator by more than it can stand beyond its rim, as high as the floor was
/// within a round trip and jitter, or in a jump from there, is there, and what it says next is taken as ever. Nearer it may
/// be on it still, and its height is the host's; higher or lower it never was.
#[test]
fn a_client_steps_off_what_has_left() {
    let jump = 0.07 * 0.07 / (2.0 * GRAVITY) + 0.2;
    for (up, gone, x, z, off) in [
        (false, 10, -0.21, 0.1, true),
        (false, 10, -0.19, 0.1, false),
        (false, LATE - 1, -0.21, 0.1, true),
        (false, LATE - 1, -0.21, 0.1 + jump + 0.04, true),
        (false, LATE - 1, -0.21, 0.1 + jump + 0.06, false),
        // By then it stood at rest too long ago: the oldest floor that counts is one step lower.
        (false, LATE, -0.21, floor(false, 1) + jump + 0.04, true),
        (false, LATE, -0.21, floor(false, 1) + jump + 0.06, false),
        (true, 10, -0.21, 0.1, true),
        (true, 10, -0.21, -0.14, true),
        (true, 10, -0.21, -0.16, false),
        // What it is off by no more than a blend comes right by itself.
        (false, 1, -0.21, floor(false, 2) + 0.24, false),
        (false, 1, -0.21, floor(false, 2) + 0.26, true),
    ] {
        let mut table = alights(up, gone, at(x, z));
        let what = format!("{up} {gone} {x} {z}: {:?}", table.place());
        assert_eq!((table.place().z - z).abs() < 1e-5, off, "{what}");
        if off {
            (table.row.platform, table.row.shaft) = (None, Some(shaft(up, gone + 2)));
            let place = table.take(92, at(x - 0.08, z));
            assert!((place.z - z).abs() < 1e-5, "{what} then {place:?}");
            assert_eq!(table.host.takings().taken, 3);
        }
    }
}

/// AUTH-23, 25 (ours): an elevator that stood all the while is left as ever.
#[test]
fn off_what_stands_nobody_is_put() {
    let mut table = table(at(0.3, 0.1));
    let stands = Platform { id: 0, moving: false, contact: true, floor: 0.1 };
    (table.row.platform, table.row.shaft) = (Some(stands), Some(shaft(true, 0)));
    table.take(90, at(-0.1, 0.1));
    assert_eq!(table.take(91, at(-0.21, 0.6)).z, 0.1);
}

/// AUTH-18, 23, 25 (ours): a liar beside an elevator that goes down for six seconds says in turn that it rides and that it is
/// off, as high as it may each time: it is never higher than the floor was a round trip and jitter ago, and a jump and the
/// slack above that.
#[test]
fn a_liar_is_no_higher_than_the_floor_was() {
    let mut table = table(at(0.3, 0.1));
    let mut highest = f32::MIN;
    for gone in 1..180 {
        let here = floor(false, gone);
        let rides = gone / 4 % 2 == 0;
        let then = floor(false, gone - LATE);
        let on = (table.place().z - here).abs() < SPEED + 0.1 && table.place().x > -0.2;
        table.row.platform = on.then_some(Platform { id: 0, moving: true, contact: true, floor: here });
        table.row.shaft = Some(shaft(false, gone));
        if on {
            table.put(standing(at(table.place().x, here)));
        } else {
            table.fall();
        }
        table.row.grounded = on;
        let claim = if rides { at(0.1, then) } else { at(-0.25, then + 0.9) };
        table.take(90 + gone, claim);
        highest = highest.max(table.place().z - then);
    }
    assert!(highest <= 0.886 + 0.05 + 1.2 + 0.9, "{highest}");
}

/// A client whose player comes down for 100 ticks, by as little as it may, and then is said to be so far over where an
/// elevator's floor was `ago` ticks before, and off its rim: whether its next jump is taken.
fn jumps_from(ago: i32, over: f32, x: f32) -> bool {
    let mut table = table(at(x, 0.1));
    table.take(90, at(x, 0.1));
    table.row.grounded = false;
    let height = |tick: i32| 0.1 - 0.05 * tick as f32;
    for tick in 1..=100 {
        table.put(standing(at(x, height(tick))));
        if tick == 100 {
            let floor = |now: usize| height(tick) - over + SPEED * (now as f32 - ago as f32);
            table.row.shaft = Some(Shaft { floors: core::array::from_fn(floor), ..shaft(false, 0) });
        }
        table.take(90 + tick, at(x, height(tick)));
    }
    table.row.shaft = None;
    assert_eq!(table.host.takings().taken, 101);
    table.take(191, at(x, height(100) + 1.9));
    table.host.takings().past_bounds == 0
}

/// AUTH-18, 19 (ours): a flight ends where its client has its player on the floor of an elevator, as high as that was within a
/// round trip and jitter: it may jump from there again before the host's copy has come down on it. Beside the rim, higher or
/// lower than that floor, or than it was before that, the flight goes on.
#[test]
fn a_client_comes_down_on_a_floor_as_it_was() {
    for (ago, over, x, landed) in [
        (0, 0.0, 1.0, true),
        (12, 0.0, 1.0, true),
        (LATE, 0.0, 1.0, true),
        (LATE + 1, 0.0, 1.0, false),
        (LATE, 0.14, 1.0, true),
        (LATE, 0.16, 1.0, false),
        (0, -0.14, 1.0, true),
        (0, -0.16, 1.0, false),
        (12, 0.0, -0.19, true),
        (12, 0.0, -0.21, false),
        // At its rim one stands lower.
        (0, -0.34, -0.19, true),
        (0, -0.36, -0.19, false),
    ] {
        assert_eq!(jumps_from(ago, over, x), landed, "{ago} {over} {x}");
    }
}

/// AUTH-18 to 20, 23 (ours): a liar over an elevator that goes down for six seconds says again and again that it comes down where
/// the floor was a round trip and jitter ago, not twice alike, and between that it is as high as it may: it is never higher than
/// a jump and the slack above that floor.
#[test]
fn who_says_that_it_lands_is_no_higher_than_the_floor_was() {
    let mut table = table(at(0.3, 0.1));
    table.take(90, at(0.3, 0.1));
    let mut highest = f32::MIN;
    for gone in 1..180 {
        let then = floor(false, gone - LATE);
        table.row.shaft = Some(shaft(false, gone));
        table.fall();
        let claim = match gone % 4 {
            0 => then + 0.14,
            1 => then - 0.1,
            _ => table.place().z + 0.14,
        };
        table.take(90 + gone, at(0.3, claim));
        highest = highest.max(table.place().z - then);
    }
    assert!((0.0..=0.14 + 2.1).contains(&highest), "{highest}");
}

/// The heights that a row has suffice for the longest round trip that counts.
#[test]
fn as_many_floors_as_a_round_trip_has_ticks() {
    assert_eq!(FLOORS, usize::from(FLIGHT_TRIP_MOST) + ANCHOR_JITTER as usize + 1);
    let mut table = table(at(0.05, 0.1));
    table.host.set_round_trip(machine(1), None);
    let late = FLOORS as i32 - 2;
    table.take(90, at(0.05, 0.1));
    table.row.shaft = Some(shaft(true, late + 1));
    assert_eq!(table.take(91, at(0.1, floor(true, 1))), at(0.1, floor(true, late + 1)));
}

/// The longest that a liar is off the ground in a minute beside a lift of `most` wu that goes up and down, `speed` wu a tick:
/// it says that it is higher than the host has it, and for `crosses` ticks after each anchor that it is on the lift, further than
/// it can have come.
fn liar_beside(most: f32, speed: f32, crosses: i32) -> i32 {
    let period = ((most - 0.1) / speed) as i32;
    let height = |tick: i32| {
        let at = tick.rem_euclid(2 * period);
        0.1 + speed * at.min(2 * period - at) as f32
    };
    let shaft = |tick: i32| Shaft {
        least: [0.0, -1.5],
        most: [3.0, 1.5],
        rim: 0.2,
        floors: core::array::from_fn(|ago| height(tick - ago as i32)),
    };
    let mut table = Table::at(100, at(-1.8, 0.0));
    table.host.set_round_trip(machine(1), Some(15.0));
    table.take(90, at(-1.8, 0.0));
    let (mut anchor, mut air, mut longest) = (0, 0, 0);
    for tick in 1..1800 {
        table.row.shaft = Some(shaft(tick));
        table.fall();
        if table.place().z <= 0.0 {
            table.put(standing(at(table.place().x, 0.0)));
        }
        let is_up = table.place().z > 0.0;
        let claim = if (1..=crosses).contains(&(tick - anchor)) {
            at(1.5, height(tick - 3))
        } else {
            at(-1.8, table.place().z + 0.14)
        };
        let before = table.host.takings().taken;
        let _ = table.predict(90 + tick, claim);
        table.tick(Some(90 + tick));
        if table.host.takings().taken > before && tick - anchor >= 30 {
            anchor = tick;
        }
        assert!(table.place().x < -0.2, "it is on the lift");
        air = if is_up { air + 1 } else { 0 };
        longest = longest.max(air);
    }
    longest
}

/// AUTH-18 to 20: a step onto a lift that is refused makes no ground of its floor: beside one nobody is longer in the air than
/// who says nothing of it, but for jitter.
#[test]
fn a_step_that_is_refused_is_none() {
    for (most, speed) in [(2.0, 0.05), (2.0, 0.2), (6.0, 0.2)] {
        let honest = liar_beside(most, speed, 0);
        for crosses in [2, 6, 13] {
            let longest = liar_beside(most, speed, crosses);
            assert!(
                longest <= honest + ANCHOR_JITTER as i32,
                "{most} {speed} {crosses}: {longest} of {honest}"
            );
        }
    }
}

/// AUTH-18 to 20, 22: nor does a step on a teleporter that is refused for its height begin anything afresh.
#[test]
fn a_teleport_that_is_refused_is_none() {
    let longest = [false, true].map(|lies| {
        let mut table = Table::at(100, at(0.0, 0.0));
        table.take(90, at(0.0, 0.0));
        let (mut air, mut longest) = (0, 0);
        for tick in 1..900 {
            table.row.exit = Some(at(80.0, 20.0));
            table.fall();
            if table.place().z <= 0.0 {
                table.put(standing(at(table.place().x, 0.0)));
            }
            let is_up = table.place().z > 0.0;
            let too_high = lies && tick % 7 == 0;
            let claim = if too_high { at(80.0, 23.3) } else { at(0.0, table.place().z + 0.14) };
            let _ = table.predict(90 + tick, claim);
            table.tick(Some(90 + tick));
            assert!(table.place().x < 40.0, "it went through");
            air = if is_up { air + 1 } else { 0 };
            longest = longest.max(air);
        }
        longest
    });
    assert!(longest[1] <= longest[0], "{longest:?}");
}
