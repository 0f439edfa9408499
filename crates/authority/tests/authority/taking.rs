//! Which predictions are taken, and where they put the copy.

use super::*;

/// AUTH-09: of three predictions between ticks the newest is taken, once, whatever their order.
#[test]
fn the_newest_prediction_is_taken_at_the_next_tick() {
    let mut table = Table::at(10, Vec3::ZERO);
    table.predict(8, east(0.3)).unwrap();
    table.predict(10, east(0.5)).unwrap();
    assert_eq!(table.predict(9, east(0.4)), Err(Error::Old));
    table.predict(10, east(0.9)).unwrap();
    assert_eq!(table.place(), Vec3::ZERO);
    table.tick(None);
    assert_eq!(table.place(), east(0.5));
    assert_eq!(table.host.takings().taken, 1);
    table.tick(None);
    assert_eq!(table.host.takings().taken, 1);
}

/// AUTH-10: on foot within the tolerance and the envelope taken; past either not, and the host's own copy
/// stands.
#[test]
fn a_prediction_is_taken_within_tolerance_and_envelope() {
    assert_eq!(Table::at(0, Vec3::ZERO).take(1, east(3.4)), east(3.4));
    assert_eq!(Table::at(0, Vec3::ZERO).take(1, east(3.6)), Vec3::ZERO);

    let mut table = Table::at(0, Vec3::ZERO);
    table.take(1, Vec3::ZERO);
    assert_eq!(table.take(2, east(0.9)), Vec3::ZERO);
    assert_eq!(table.host.takings().past_bounds, 1);
    assert!(table.commands.is_empty());
    table.put(standing(east(4.0)));
    table.ticks(20);
    assert_eq!(table.take(23, Vec3::ZERO), east(4.0));
    assert_eq!(table.host.takings().past_tolerance, 1);
}

/// AUTH-11: on foot halfway to what is a little off, at once to what is further.
#[test]
fn the_copy_is_put_halfway_to_what_is_a_little_off() {
    for (off, put, why) in [(0.2, 0.1, Why::Blend), (0.25, 0.125, Why::Blend), (0.3, 0.3, Why::Take)] {
        let mut table = Table::at(0, Vec3::ZERO);
        assert_eq!(table.take(1, east(off)), east(put));
        let placement = standing(east(put));
        assert_eq!(table.commands, [Command::Place { slot: slot(1), unit: unit(1), placement, why }]);
    }
}

/// AUTH-11: a copy that is where the client has it is left alone.
#[test]
fn an_equal_prediction_moves_nothing() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.take(1, Vec3::ZERO);
    assert!(table.commands.is_empty());
    assert_eq!(table.host.takings().taken, 1);
}

/// AUTH-13: 25 ticks after the anchor 0.20 wu a tick
/// is taken and 0.22 is not.
#[test]
fn a_claim_is_measured_from_the_anchor() {
    for (speed, taken) in [(0.20, true), (0.22, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        table.put(standing(east(2.0)));
        table.ticks(24);
        table.take(115, east(speed * 25.0));
        assert_eq!(table.host.takings().taken == 2, taken, "{speed}");
    }
}

/// AUTH-13, 17: a velocity is taken no faster than the player goes, without the slack; of another direction or from rest
/// alike.
#[test]
fn a_velocity_is_taken_no_faster_than_the_player_goes() {
    for (said, taken) in [(0.159, 0.159), (0.161, 0.16), (30.0, 0.16)] {
        let mut table = Table::at(0, Vec3::ZERO);
        let placement = Placement { velocity: east(said), ..standing(Vec3::ZERO) };
        table.host.handle_prediction(machine(1), tick(1), &alive(1, placement)).unwrap();
        table.tick(None);
        let Command::Place { placement, .. } = table.commands[0] else { panic!() };
        assert!((placement.velocity.x - taken).abs() < 1e-6, "{said}");
    }
}

/// AUTH-15: down from the highest of the flight as fast as a thing falls from there; no faster, and not from a
/// height it was not at.
#[test]
fn a_fall_is_taken_as_fast_as_it_falls() {
    for (peak, taken) in [(5.0, true), (3.0, false)] {
        let mut table = Table::at(0, up(peak));
        table.row.grounded = false;
        table.put(standing(up(3.0)));
        table.take(1, up(3.0));
        for _ in 0..7 {
            let lower = table.place() - up(0.37);
            table.put(standing(lower));
            table.tick(None);
        }
        let low = table.place() - up(0.37);
        table.put(standing(low));
        table.take(9, low);
        assert_eq!(table.host.takings().taken == 2, taken, "{peak}: {:?}", table.host.takings());
    }
}

/// AUTH-64: one older than was taken changes nothing; one far ahead may have moved for the host's ticks and jitter.
#[test]
fn a_client_tick_counts_as_far_as_the_host_counts() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    assert_eq!(table.predict(99, east(0.1)), Err(Error::Old));
    assert_eq!(table.predict(100, east(0.1)), Ok(()));
    table.tick(None);
    assert_eq!(table.place(), Vec3::ZERO);

    let most = 0.21 * (1 + ANCHOR_JITTER) as f32;
    for (claim, taken) in [(most - 0.01, true), (most + 0.01, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        table.take(140, east(claim));
        assert_eq!(table.host.takings().taken == 2, taken, "{claim}");
    }
}

/// NET-74, AUTH-64: one prediction whose stamp was damaged is taken as any other, names no tick, and neither refuses
/// those that follow nor takes the anchor with it; two that agree are the client's time.
#[test]
fn a_damaged_stamp_refuses_nobody() {
    for at in [103, 129, 130, 131] {
        let mut table = Table::at(99, Vec3::ZERO);
        for host in 100..200 {
            let place = east(0.08 * (host - 100) as f32);
            table.put(standing(place));
            let damaged = host == at;
            table.take(if damaged { host + 400 } else { host - 5 }, place);
            assert_eq!(table.named(), (!damaged).then_some(host as u16 - 5), "{host}");
        }
        assert_eq!(table.host.takings().taken, 100);
        table.take(900, table.place());
        table.take(901, table.place());
        assert_eq!(table.named(), Some(901));
        assert_eq!(table.predict(899, Vec3::ZERO), Err(Error::Old));
    }
}

/// AUTH-12, 64: ticks that never agree give nobody the tolerance again and again, in a new life neither.
#[test]
fn ticks_that_never_agree_gain_nothing() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    table.row.state = dead(1, None);
    table.tick(None);
    table.put(standing(Vec3::ZERO));
    table.tick(None);
    for tick in 1..60 {
        let claim = table.place() + east(3.4);
        table.take(if tick % 2 == 0 { 140 } else { 200 }, claim);
    }
    assert_eq!(table.place(), Vec3::ZERO);
}

/// AUTH-12, NET-74: who stands still with ticks that never agree, which renew no anchor, gains no more than an anchor's
/// time by it: not the way of all the ticks that it stood.
#[test]
fn an_old_anchor_is_no_leave_to_jump() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    for host in 102..402 {
        let place = table.place();
        table.take(if host % 2 == 0 { host + 40 } else { host + 120 }, place);
    }
    assert_eq!(table.host.takings().taken, 301, "standing still is taken whatever the tick");
    for host in 402..440 {
        let place = table.place() + east(3.4);
        table.take(if host % 2 == 0 { host + 40 } else { host + 120 }, place);
    }
    assert!(table.place().x <= 0.21 * (ANCHOR_RENEW + ANCHOR_JITTER) as f32, "{:?}", table.place());
}

/// AUTH-12: a client sleeps, its clock with it, while the host's copy goes on at a run with its last input; it wakes, is
/// put beside the copy, and walks on. Once nothing was taken for as long as an anchor stands, it is measured from the
/// host's own copy: only its first word is refused. One that slept a little less is refused until then, and no longer.
#[test]
fn whoever_slept_is_measured_from_the_hosts_copy() {
    for (slept, refused) in [(ANCHOR_RENEW as i32 + 30, 1), (ANCHOR_RENEW as i32 - 4, 4)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        for walked in 1..=slept {
            table.put(standing(east(0.08 * walked as f32)));
            table.tick(None);
        }
        let woke = table.place();
        for walked in 1..=30 {
            table.put(standing(woke + east(0.08 * walked as f32)));
            table.take(100 + walked, woke + east(0.08 * walked as f32));
        }
        let takings = table.host.takings();
        assert_eq!(takings.past_bounds, refused, "{slept}: {takings:?}");
        assert_eq!(takings.taken, 1 + 30 - refused, "{slept}: {takings:?}");
    }
}

/// AUTH-12: what is measured from the host's own copy gains nothing: a claim that runs away from it at four times a run,
/// refused for a minute, is never more than a second's ticks and the jitter ahead of it.
#[test]
fn a_refused_claim_gains_nothing_by_being_refused() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(100, Vec3::ZERO);
    let mut furthest = 0.0_f32;
    for walked in 1..=1800 {
        let place = table.place();
        table.take(100 + walked, place + east(0.32));
        furthest = furthest.max(table.place().x);
    }
    // Twice a run and the slack, each tick of the minute.
    assert!(furthest <= 0.21 * (1800 + ANCHOR_JITTER) as f32, "{furthest}");
    assert!(table.host.takings().past_bounds > 500, "{:?}", table.host.takings());
}

/// AUTH-71: another machine's player, the host's own, a dead or riding one, and last life's unit are refused; of an
/// entry only place, velocity and axes are used.
#[test]
fn a_prediction_is_of_the_senders_living_player_on_foot() {
    let mut table = Table::at(0, Vec3::ZERO);
    let there = alive(1, standing(east(0.1)));
    assert_eq!(table.host.handle_prediction(machine(2), tick(1), &there), Err(Error::NotOwned));
    assert_eq!(table.host.handle_prediction(Machine::HOST, tick(1), &there), Err(Error::NotOwned));
    let other = alive(9, standing(Vec3::ZERO));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &other), Err(Error::NotOwned));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &dead(1, None)), Err(Error::NotPlaced));
    let mut riding = there;
    let mut old = there;
    let mut boast = there;
    for (state, change) in [(&mut riding, 0), (&mut old, 1), (&mut boast, 2)] {
        let Life::Alive(living) = &mut state.life else { panic!() };
        match change {
            0 => living.placement = None,
            1 => living.unit = unit(77),
            _ => (living.shield, living.body) = (3.0, 3.0),
        }
    }
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &riding), Err(Error::NotPlaced));
    assert_eq!(table.host.handle_prediction(machine(1), tick(1), &old), Err(Error::WrongUnit));
    table.host.handle_prediction(machine(1), tick(1), &boast).unwrap();
    table.tick(None);
    assert_eq!(table.row.state, alive(1, standing(east(0.05))));
}

/// AUTH-71: a unit that dies, boards or changes in the tick between is not moved by what was said before.
#[test]
fn what_was_said_of_a_life_ends_with_it() {
    let mut table = Table::at(0, Vec3::ZERO);
    table.predict(1, east(0.3)).unwrap();
    table.row.state = dead(1, Some(2));
    table.tick(None);
    assert!(table.commands.is_empty());
    table.put(standing(Vec3::ZERO));
    table.tick(None);
    assert!(table.commands.is_empty(), "nor by a later life");
    assert_eq!(table.predict(1, east(0.3)), Ok(()), "it was never taken");
}

/// AUTH-71, 72, 37: a slot is its own machine's; a left player's machine may be another's by now.
#[test]
fn who_left_is_nobodys() {
    let mut table = Table::at(0, Vec3::ZERO);
    assert_eq!(table.host.check_owner(machine(1), slot(1)), Ok(()));
    assert_eq!(table.host.check_owner(machine(2), slot(1)), Err(Error::NotOwned));
    assert_eq!(table.host.check_owner(machine(1), slot(2)), Err(Error::NotOwned));
    table.row.left = true;
    table.tick(None);
    assert_eq!(table.predict(1, Vec3::ZERO), Err(Error::NotOwned));
}

/// AUTH-33: tick 97 taken at host tick 99: the states of 99 to 102 name 97 to 100, that of 103 none; only to the
/// owner's machine.
#[test]
fn the_owners_state_names_the_clients_tick() {
    let mut table = Table::at(98, Vec3::ZERO);
    assert_eq!(table.named(), None);
    table.take(97, Vec3::ZERO);
    let mut others = Vec::new();
    for host in 99..=102 {
        assert_eq!((table.now, table.named()), (host, Some(host as u16 - 2)));
        others.extend(states(&table.outbox, machine(2)));
        table.tick(None);
    }
    assert_eq!(others, [alive(1, standing(Vec3::ZERO))], "it has no player, and is told each fourth tick");
    assert_eq!((table.now, table.named()), (103, None));
}

/// AUTH-33: with every second prediction lost each state still names a tick, one more each.
#[test]
fn a_lost_prediction_leaves_no_gap() {
    let mut table = Table::at(99, Vec3::ZERO);
    for host in 100..160 {
        if host % 2 == 0 {
            table.take(host - 6, Vec3::ZERO);
        } else {
            table.tick(None);
        }
        assert_eq!(table.named(), Some(host as u16 - 6));
    }
}

/// AUTH-22: a teleporter starts afresh: predictions of the old place do not bring the copy back, no tick is
/// named, the first of the new place is taken and named.
#[test]
fn a_teleporter_starts_afresh() {
    for told in [true, false] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        if told {
            table.host.placed_anew(slot(1));
        }
        table.put(standing(east(30.0)));
        table.predict(98, Vec3::ZERO).unwrap();
        table.tick(Some(98));
        assert_eq!((table.place(), table.named()), (east(30.0), None));
        for client in 99..109 {
            table.take(client, east(0.1));
            assert_eq!((table.place(), table.named()), (east(30.0), None));
        }
        assert_eq!(table.take(109, east(30.4)), east(30.4));
        assert_eq!(table.named(), Some(109));
    }
}

/// AUTH-22: a move that a unit makes in a tick is none of that; nor is where the host itself put it.
#[test]
fn a_move_of_a_tick_keeps_the_record() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(97, east(3.0));
    table.tick(None);
    assert_eq!(table.named(), Some(98));
    table.put(standing(east(5.0)));
    table.tick(None);
    assert_eq!(table.named(), Some(99));
    table.put(standing(east(7.1)));
    table.tick(None);
    assert_eq!(table.named(), None);
}

/// AUTH-22: a new life and leaving a vehicle start afresh, though the client's ticks go on.
#[test]
fn a_new_life_starts_afresh() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(97, Vec3::ZERO);
    table.row.state = dead(1, None);
    table.tick(None);
    table.put(standing(east(1.5)));
    table.tick(None);
    assert_eq!(table.named(), None);
    assert_eq!(table.predict(96, east(1.5)), Err(Error::Old));
    assert_eq!(table.take(98, east(3.0)), east(3.0));
}

/// NET-74, AUTH-72: a player's first prediction is stamped ahead by one changed bit, as far as a datagram may be: one that
/// follows is old, and a second in which none is taken ends with the host's own copy, not with the fifteen that the stamp
/// would last.
#[test]
fn a_first_stamp_far_ahead_refuses_no_player_for_long() {
    for (ahead, late) in [(31, 30), (33, 1), (256, 1), (450, 1)] {
        let mut table = Table::at(1000, Vec3::ZERO);
        table.take(995 + ahead, Vec3::ZERO);
        let mut old = 0;
        for host in 1001..1601 {
            old += u64::from(table.predict(host - 5, Vec3::ZERO) == Err(Error::Old));
            table.tick(None);
        }
        assert_eq!(old, late, "{ahead}");
        let takings = table.host.takings();
        assert!(takings.past_bounds <= u64::from(ANCHOR_RENEW) + 1, "{ahead}: {takings:?}");
        assert!(takings.taken >= 600 - late - u64::from(ANCHOR_RENEW) - 1, "{ahead}: {takings:?}");
    }
}

/// AUTH-12: one that stands for a minute and counts one tick for ten, and then claims twice its ticks at the most speed,
/// gains two seconds' ticks and the jitter, not the minute's.
#[test]
fn a_minute_of_standing_is_no_leave_to_run() {
    let mut table = Table::at(0, Vec3::ZERO);
    for host in 1..1800 {
        table.take(host / 10, Vec3::ZERO);
    }
    for claimed in 1..=600 {
        let place = table.place();
        table.take(180 + 2 * claimed, place + east(0.252));
    }
    assert!(
        table.place().x <= 0.21 * (600 + 2 * ANCHOR_RENEW + 2 * ANCHOR_JITTER) as f32,
        "{:?}",
        table.place()
    );
}

/// AUTH-16: a single step from where the client last had its player is no more than 2 wu and the slack, however far the
/// anchor lets it come: 2.04 wu is taken, 2.06 is not, and in two ticks twice as much. Who was put beside the host's copy
/// made no step.
#[test]
fn a_step_is_no_more_than_two_world_units() {
    for (ticks, step, taken) in [(1, 2.04, true), (1, 2.06, false), (1, 3.4, false), (2, 3.4, true)] {
        let mut table = Table::at(100, Vec3::ZERO);
        (100..129).for_each(|host| {
            table.take(host, Vec3::ZERO);
        });
        table.ticks(ticks - 1);
        table.take(128 + ticks, east(step));
        assert_eq!(table.host.takings().past_bounds == 0, taken, "{ticks} {step}");
    }
    let mut table = Table::at(100, Vec3::ZERO);
    (100..129).for_each(|host| {
        table.take(host, Vec3::ZERO);
    });
    table.put(standing(east(1.9)));
    table.tick(None);
    table.put(standing(east(3.3)));
    table.tick(None);
    table.take(129, east(3.3));
    assert_eq!(table.host.takings().past_bounds, 0);
}
