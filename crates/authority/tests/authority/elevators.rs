//! Riding an elevator: where its player is across is the client's to say, and how high the host's.

use super::*;
use mjolnir_authority::Platform;

fn platform(moving: bool, contact: bool) -> Option<Platform> {
    Some(Platform { id: 3, moving, contact, floor: 0.0 })
}

/// AUTH-23, 25: on one that moves, or stands with the player on its floor, (x + 0.4, z - 2) is taken as x + 0.4 and the
/// velocity across; off it, or remembered of one that stands, all of it is.
#[test]
fn the_height_of_a_rider_is_the_hosts() {
    for (rides, height) in [
        (platform(true, true), 7.0),
        (platform(true, false), 7.0),
        (platform(false, true), 7.0),
        (platform(false, false), 5.0),
        (None, 5.0),
    ] {
        let mut table = Table::at(100, up(7.0));
        table.put(Placement { velocity: up(0.1), ..standing(up(7.0)) });
        table.row.platform = rides;
        let claim = Placement { velocity: Vec3::new(0.05, 0.0, -0.1), ..standing(Vec3::new(0.4, 0.0, 5.0)) };
        table.host.handle_prediction(machine(1), tick(90), &alive(1, claim)).unwrap();
        table.tick(Some(90));
        let Command::Place { placement, .. } = table.commands[0] else { panic!() };
        assert_eq!(placement.position, Vec3::new(0.4, 0.0, height), "{rides:?}");
        assert_eq!(placement.velocity, Vec3::new(0.05, 0.0, if height == 7.0 { 0.1 } else { -0.1 }));
        assert_eq!(table.named(), Some(90));
    }
}

/// AUTH-24, 25: in a jump over an elevator that stopped under it, whose client's own is still on its way up: its height is
/// taken, but no lower than the floor, as long as the host's copy is over that; of one that fell off it is taken as it is.
#[test]
fn a_jumper_is_not_taken_through_the_floor() {
    for (copy, claim, taken) in
        [(7.5, 7.3, 7.4), (7.5, 6.6, 7.0), (7.5, 7.0, 7.0), (7.0, 5.0, 7.0), (6.9, 6.0, 6.0)]
    {
        let mut table = Table::at(100, up(copy));
        table.row.platform = Some(Platform { floor: 7.0, ..platform(false, false).unwrap() });
        table.row.grounded = false;
        table.take(90, up(claim));
        assert!((table.place().z - taken).abs() < 1e-5, "{copy} {claim}: {}", table.place().z);
    }
}

/// AUTH-23: a difference in height alone moves nobody and refuses nothing, however large; across the tolerance holds.
#[test]
fn a_rider_is_measured_across() {
    for (across, taken) in [(3.4, true), (3.6, false)] {
        let mut table = Table::at(100, up(7.0));
        table.row.platform = platform(true, true);
        table.take(90, up(-20.0));
        assert_eq!((table.place(), table.commands.len()), (up(7.0), 0));
        table.ticks(20);
        table.take(111, east(across));
        assert_eq!(table.host.takings().taken == 2, taken, "{across}");
    }
}

/// AUTH-24, 25: ten rides of 20 wu up and down at 0.2 wu a tick, the client's heights twelve ticks late: the host's rider
/// stays on the host's floor through each start, stop and reversal, and nothing is refused.
#[test]
fn a_rider_stays_on_the_hosts_floor() {
    let floor = |now: i32| {
        let phase = now.rem_euclid(240);
        (if phase < 120 { phase.min(100) } else { (220 - phase).clamp(0, 100) }) as f32 * 0.2
    };
    let mut table = Table::at(100, up(floor(100)));
    for now in 101..101 + 2400 {
        let (height, rise) = (floor(now), floor(now) - floor(now - 1));
        table.row.platform = platform(rise != 0.0, true);
        // The engine carries it by what its elevator moved.
        let carried = table.place() + up(rise);
        table.put(standing(carried));
        table.take(now - 12, up(floor(now - 12)));
        let over = table.place().z - height;
        assert!((-1e-3..=0.1).contains(&over), "{now}: {over}");
    }
    let takings = table.host.takings();
    assert_eq!((takings.taken, takings.past_bounds, takings.past_tolerance), (2400, 0, 0));
}

/// AUTH-25: whoever steps off has its height taken again within two ticks, also off one that rose faster than anybody goes
/// and since the last anchor.
#[test]
fn whoever_steps_off_is_taken_again() {
    for begun in 0..31 {
        let mut table = Table::at(100, Vec3::ZERO);
        let mut height = 0.0;
        for now in 0..60 + begun {
            height += 0.5;
            table.row.platform = platform(true, true);
            table.put(standing(up(height)));
            table.take(100 + now, up(height - 3.0));
        }
        table.row.platform = None;
        for step in 0..2 {
            let ground = up(height) + east(0.08 * step as f32);
            table.put(standing(ground));
            table.take(160 + begun + step, ground - up(0.3));
        }
        assert_eq!(table.place().z, height - 0.3, "{begun}");
    }
}

/// A client's player that an elevator carried until just now, in a tick in which its anchor was chosen anew, which is said to be
/// off it `by` more than the host has it.
fn just_off(by: Vec3) -> Table {
    let mut table = Table::at(100, Vec3::ZERO);
    for now in 0..=60 {
        table.row.platform = platform(true, false);
        table.put(standing(up(20.0 - 0.1 * now as f32)));
        table.take(100 + now, up(20.0));
    }
    table.row.platform = None;
    table.row.grounded = false;
    table.put(standing(up(14.0)));
    table.take(161, up(14.0) + by);
    table
}

/// AUTH-12, 16, 18, 23 (ours): the height of whoever comes off is its client's at once, since what it was measured from was
/// never its word: within two world units, a jump and the slack. Across it is measured as ever, and what it says next from where
/// it was then.
#[test]
fn who_comes_off_is_as_high_as_its_client_has_it() {
    for (by, taken) in [
        (up(0.5), true),
        (up(2.04), true),
        (up(2.06), false),
        (up(-2.04), true),
        (up(-2.06), false),
        (up(1.0) + east(0.20), true),
        (up(1.0) + east(0.22), false),
    ] {
        let table = just_off(by);
        assert_eq!(table.place() == up(14.0) + by, taken, "{by:?}: {:?}", table.place());
    }
    for (more, taken) in [(0.41, true), (0.43, false)] {
        let mut table = just_off(up(1.0));
        table.put(standing(up(15.0)));
        table.take(162, up(15.0 + more));
        assert_eq!(table.host.takings().past_bounds, u64::from(!taken), "{more}");
    }
}

/// AUTH-18: whoever jumps on one is held to where it stands by then, not to where it got on.
#[test]
fn an_elevators_floor_is_ground() {
    let mut table = Table::at(100, Vec3::ZERO);
    for now in 0..60 {
        table.row.platform = platform(true, false);
        table.row.grounded = false;
        table.put(standing(up(0.2 * now as f32)));
        table.take(100 + now, Vec3::ZERO);
    }
    table.row.platform = None;
    table.put(standing(up(12.0)));
    table.take(160, up(13.0));
    assert_eq!(table.place(), up(13.0));
}

/// AUTH-69: what an elevator moves is no drift, nor is stepping on or off one that the client has a world unit lower.
#[test]
fn being_carried_is_no_drift() {
    let mut table = Table::at(100, Vec3::ZERO);
    for now in 0..60 {
        let rides = (10..50).contains(&now);
        table.row.platform = platform(true, true).filter(|_| rides);
        table.put(standing(up(if now < 50 { 0.2 * (now - 10).max(0) as f32 } else { 6.8 })));
        table.take(100 + now, up(if now < 10 { 0.0 } else { 0.2 * (now.min(49) - 10) as f32 - 1.0 }));
    }
    let takings = table.host.takings();
    assert_eq!((takings.taken, takings.past_bounds), (60, 0), "{takings:?}");
    let drift = table.host.take_drift();
    assert_eq!((drift.ticks, drift.apart), (57, 0), "{drift:?}");
}
