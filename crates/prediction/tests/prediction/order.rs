//! What comes late, leaves, joins, or is anything.

use super::*;

/// PRED-33: an older state is refused; a second of the same tick is taken, of this player and of others.
#[test]
fn only_newer_states_move_a_copy() {
    let second = Slot::new(9).unwrap();
    let mut scene = Scene::new(&[OTHER, second], 0, 99);
    let word = |number, x| HostWord {
        tick: tick(number),
        placement: Some(at(east(x))),
        ride: None,
        predicted: None,
    };
    assert_eq!(scene.client.handle_word(OTHER, word(102, 5.0)), Ok(()));
    assert_eq!(scene.client.handle_word(OTHER, word(101, 9.0)), Err(Error::NotNewer));
    assert_eq!(scene.client.handle_word(second, word(102, 6.0)), Ok(()));
    scene.run();
    assert_eq!((scene.place(0).x, scene.place(1).x), (5.0, 6.0));
    assert_eq!(scene.client.handle_word(OTHER, word(102, 7.0)), Ok(()));
    scene.run();
    assert_eq!(scene.place(0).x, 7.0);
}

/// PRED-35: each of a machine's players has its own history, input and corrections.
#[test]
fn players_of_one_machine_are_apart() {
    let second = Slot::new(3).unwrap();
    let mut scene = Scene::new(&[OWN, second], 2, 99);
    scene.put(1, east(50.0));
    scene.run();
    scene.word(OWN, east(4.0), Some(100));
    scene.word(second, east(50.5), Some(100));
    scene.run();
    assert_eq!((scene.place(0), scene.place(1)), (east(4.0), east(50.0)));
    assert_eq!(scene.sent().1.len(), 2);
    let left = Input { yaw: 1.0, ..Input::default() };
    let right = Input { yaw: 2.0, ..Input::default() };
    scene.commands.clear();
    let rows = Rows { units: &scene.rows, vehicles: &[] };
    let local = [(second, right), (OWN, left)];
    scene.client.before_tick(tick(110), 6, rows, &local, |_| true, &mut scene.commands);
    assert_eq!((scene.driven(OWN), scene.driven(second)), (Some(left), Some(right)));
}

/// PRED-35: a player that joins beside another disturbs nothing of it.
#[test]
fn a_player_that_joins_disturbs_nobody() {
    let mut scene = Scene::own();
    scene.run();
    scene.client.set_own(&[Slot::new(3).unwrap(), OWN]);
    scene.word(OWN, east(4.0), Some(100));
    scene.run();
    assert_eq!(scene.place(0), east(4.0));
}

/// PRED-36: a new unit has no past: echoes of the last life, and of the dead, correct nothing.
#[test]
fn a_new_life_begins_a_new_history() {
    for dead_between in [true, false] {
        let mut scene = Scene::own();
        scene.run();
        let mut row = scene.rows.pop().unwrap();
        if dead_between {
            scene.word(OWN, east(30.0), Some(100));
            scene.run();
        }
        row.unit = unit(55);
        row.placement = Some(at(east(20.0)));
        scene.rows.push(row);
        scene.word(OWN, east(30.0), Some(100));
        scene.run();
        assert_eq!(scene.place(0), east(20.0));
        let first = scene.tick;
        scene.word(OWN, east(30.0), Some(first - 1));
        scene.run();
        assert_eq!(scene.place(0), east(20.0));
        scene.word(OWN, east(24.0), Some(first));
        scene.run();
        assert_eq!(scene.place(0), east(24.0));
    }
}

/// PRED-36: what was left of an error goes with the unit.
#[test]
fn a_new_copy_is_where_it_was_made() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(0.9), None);
    scene.run();
    scene.rows[0].unit = unit(56);
    scene.put(0, east(40.0));
    scene.run();
    assert!(scene.commands.is_empty());
    assert_eq!(scene.place(0), east(40.0));
}

/// PRED-11: a slot that is forgotten is a stranger's.
#[test]
fn a_forgotten_slot_keeps_nothing() {
    let mut scene = Scene::other();
    scene.relay(500, Input { yaw: 1.0, ..Input::default() }).unwrap();
    scene.word(OTHER, east(0.9), None);
    scene.client.forget(OTHER);
    scene.run();
    assert!(scene.commands.is_empty());
    scene.relay(3, Input::default()).unwrap();
}

/// A steady tick allocates nothing, with riders of elevators and vehicles among the players.
#[test]
fn a_steady_tick_allocates_nothing() {
    let slots: Vec<Slot> = Slot::all().take(18).collect();
    let mut scene = Scene::new(&slots, 2, 99);
    scene.take_wheel(1, unit(300), Vec3::ZERO);
    scene.take_wheel(2, unit(301), Vec3::ZERO);
    for row in &mut scene.rows[5..] {
        row.platform = Some(Platform { id: 1, moving: true, contact: true, floor: 0.0 });
    }
    let local = [(slots[0], Input::default()), (slots[1], Input::default())];
    let mut now = Tick::ZERO;
    let mut steady = |scene: &mut Scene| {
        now = now.next();
        for row in &mut scene.rows {
            let action = RelayedAction { slot: row.slot, input: Input::default(), history: [Buttons(0); 4] };
            let _ = scene.client.handle_relayed(now, now, &action);
            let off = if now.get() % 7 == 0 { 4.0 } else { 0.3 };
            let word = HostWord {
                tick: now,
                placement: Some(at(east(off))),
                ride: None,
                predicted: Some(now.minus(1)),
            };
            let _ = scene.client.handle_word(row.slot, word);
            if row.ride.is_none() {
                row.placement = Some(at(Vec3::ZERO));
            }
        }
        let off = if now.get() % 7 == 0 { 5.0 } else { 0.3 };
        let word = VehicleWord { tick: now, motion: moving(east(off)), predicted: Some(now.minus(1)) };
        let _ = scene.client.handle_vehicle_word(unit(300), word);
        scene.commands.clear();
        let rows = Rows { units: &scene.rows, vehicles: &scene.vehicles };
        scene.client.before_tick(now, 6, rows, &local, |_| true, &mut scene.commands);
        scene.outbox.begin(now, 0);
        scene.client.after_tick(now, now, rows, &[], &mut scene.outbox);
    };
    for _ in 0..20 {
        steady(&mut scene);
    }
    let measured = allocation_counter::measure(|| (0..200).for_each(|_| steady(&mut scene)));
    assert_eq!(measured.count_total, 0);
}

proptest! {
    /// PRED-16, 38: whatever the host says of any tick, an own player ends within the tolerance of it, is never
    /// moved for a word within it, and is never moved twice for one difference.
    #[test]
    fn a_word_corrects_once(named in 90..130_i32, off in -8.0..8.0_f32, steps in prop::collection::vec(-0.5..0.5_f32, 20)) {
        let mut scene = Scene::own();
        let mut place = 0.0;
        for step in &steps {
            place += step;
            scene.walk_to(east(place));
        }
        let known = |named: i32| steps[..((named - 99).clamp(0, 20) as usize)].iter().sum::<f32>();
        let host = east(known(named) + off);
        for _ in 0..3 {
            scene.word(OWN, host, Some(named));
            scene.run();
        }
        let corrected = named >= 100 && off.abs() > OWN_PLAYER_TOLERANCE + 0.001;
        let close = (off.abs() - OWN_PLAYER_TOLERANCE).abs() <= 0.001;
        prop_assert!(close || scene.client.own_corrections() == u64::from(corrected));
        let end = if corrected { place + off } else { place };
        prop_assert!(close || (scene.place(0).x - end).abs() < 0.001);
    }
}
