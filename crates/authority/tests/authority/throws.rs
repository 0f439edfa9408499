//! What the host's own ticks gave a player, and what its client may make of it.

use super::*;

/// AUTH-13, 14: a throw of 0.5 wu a tick on the host's copy. The client's flight of it is taken for 90 ticks, on the
/// ground and off it alike, and no faster one; once they are over it is not.
#[test]
fn a_throw_is_taken_for_ninety_ticks() {
    for (after, speed, taken) in [(1, 0.54, true), (1, 0.56, false), (60, 0.54, true), (91, 0.54, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        let thrown = Placement { velocity: east(0.5), ..standing(Vec3::ZERO) };
        table.put(thrown);
        table.tick(None);
        // Its client still says that it stands, and is believed.
        for now in 1..after {
            table.put(standing(Vec3::ZERO));
            table.take(90 + now, Vec3::ZERO);
        }
        let takings = table.host.takings();
        assert_eq!(takings.past_bounds + takings.past_tolerance, 0);
        for now in 0..6 {
            let place = table.place();
            table.put(standing(place));
            table.take(90 + after + now, place + east(speed));
        }
        let refused = table.host.takings().past_bounds;
        assert_eq!(refused == 0, taken, "{after} {speed}: {refused}");
    }
}

/// AUTH-13: the flight that began then is taken to its end, and as long after; then it is no faster than any.
#[test]
fn a_flight_is_taken_to_its_end() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    table.put(Placement { velocity: Vec3::new(0.5, 0.0, 0.3), ..standing(Vec3::ZERO) });
    table.row.grounded = false;
    table.tick(None);
    let mut client = 101;
    let mut fly = |table: &mut Table, ticks: i32, grounded: bool| {
        let before = table.host.takings().past_bounds;
        for _ in 0..ticks {
            let place = table.place() + east(0.5);
            table.put(Placement { velocity: east(0.5), ..standing(place) });
            table.row.grounded = grounded;
            client += 1;
            let claim = Placement { velocity: east(0.5), ..standing(place) };
            table.host.handle_prediction(machine(1), tick(client), &alive(1, claim)).unwrap();
            table.tick(Some(client));
        }
        table.host.takings().past_bounds - before
    };
    assert_eq!(fly(&mut table, 170, false), 0);
    assert_eq!(fly(&mut table, 90, true), 0);
    assert!(fly(&mut table, 40, true) > 10);
}

/// AUTH-21: who claims to go fast, and to hover and fall, for five seconds has no more leave for it: then it comes as far
/// as one who claimed nothing, and no further than the bound of twice a run, and has no height gained.
#[test]
fn a_claim_to_go_fast_gains_nothing() {
    let came = [false, true].map(|boasts| {
        let mut table = Table::at(100, up(50.0));
        table.take(100, up(50.0));
        for host in 101..251 {
            if boasts {
                table.fall();
            }
            let place = table.place();
            let velocity = if boasts { Vec3::new(30.0, 0.0, -30.0) } else { Vec3::ZERO };
            let claim = Placement { velocity, ..standing(place) };
            table.host.handle_prediction(machine(1), tick(host), &alive(1, claim)).unwrap();
            table.tick(Some(host));
            let Life::Alive(unit) = table.row.state.life else { panic!() };
            let velocity = unit.placement.unwrap().velocity;
            assert!(velocity.across().length() <= 0.1601, "{host}: {velocity:?}");
        }
        table.row.grounded = true;
        table.put(standing(up(table.place().z)));
        for host in 251..290 {
            table.take(host, table.place());
        }
        let from = table.place();
        for host in 290..350 {
            let place = table.place();
            table.take(host, place + east(0.5));
        }
        assert_eq!(table.take(350, table.place() + up(2.2)).z, from.z);
        table.place().x - from.x
    });
    assert_eq!(came[0], came[1]);
    // An anchor may have stood for a second.
    assert!(came[0] <= 0.21 * (60 + ANCHOR_RENEW + ANCHOR_JITTER) as f32, "{came:?}");
}

/// AUTH-22: a teleporter forgets throws: what was taken before it is refused after it.
#[test]
fn a_teleporter_forgets_throws() {
    for teleports in [false, true] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.put(Placement { velocity: east(0.5), ..standing(Vec3::ZERO) });
        table.tick(None);
        if teleports {
            table.host.placed_anew(slot(1));
        }
        table.put(standing(Vec3::ZERO));
        table.take(102, Vec3::ZERO);
        for now in 103..109 {
            let place = table.place();
            table.put(standing(place));
            table.take(now, place + east(0.5));
        }
        assert_eq!(table.host.takings().past_bounds > 0, teleports);
    }
}

/// AUTH-16: two world units a tick whatever threw: 2.04 taken, 2.06 not.
#[test]
fn a_throw_goes_two_world_units_a_tick() {
    for (step, taken) in [(2.04, true), (2.06, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        table.put(Placement { velocity: east(9.0), ..standing(Vec3::ZERO) });
        table.take(101, Vec3::ZERO);
        table.put(standing(Vec3::ZERO));
        // The anchor is that of tick 100: two ticks, and one of them stood still.
        table.take(102, east(2.0 * step));
        let mut near = Table::at(100, Vec3::ZERO);
        near.put(Placement { velocity: east(9.0), ..standing(Vec3::ZERO) });
        near.tick(None);
        near.put(standing(Vec3::ZERO));
        near.take(102, Vec3::ZERO);
        near.take(103, east(step));
        assert_eq!(near.host.takings().taken == 2, taken, "{step}");
    }
}

/// AUTH-14: an explosion throws the host's copy; its client learns of it ten ticks later. Its flight is taken to the
/// last step, without loss and with a fifth lost and bunches of five ticks, and the two end in the same place. Thrown on
/// the client alone it is refused.
#[test]
fn a_throw_is_honoured_a_round_trip_late() {
    let stands: fn(i32) -> Input = |_| Input::default();
    for (loss, bunch) in [(0, 1), (20, 1), (0, 5)] {
        for seed in 1..=10 {
            let mut line = walk::Line::new(seed, 5, bunch);
            (line.loss, line.script) = (loss, Some(stands));
            line.throws = vec![(Some(100), 110, Vec3::new(0.1, 0.5, 0.3))];
            let report = line.play(400, |_, placement| placement);
            let takings = report.takings;
            assert_eq!((takings.past_bounds, takings.past_tolerance), (0, 0), "{loss} {bunch} {seed}");
            assert!(report.largest_difference < 3.0, "{loss} {bunch} {seed}: {report:?}");
            assert!(report.last.y > 7.0 && report.last_difference < 1.0, "{report:?}");
        }
    }
    let mut line = walk::Line::new(1, 5, 1);
    line.script = Some(stands);
    line.throws = vec![(None, 110, Vec3::new(0.1, 0.5, 0.3))];
    let report = line.play(400, |_, placement| placement);
    assert!(report.takings.past_bounds > 0, "{report:?}");
    assert!(report.last.y < 6.0, "{report:?}");
}
