//! Riders of elevators: whose height is whose.

use super::*;

fn lift(id: u32) -> Platform {
    Platform { id, moving: true, contact: true, floor: 0.0 }
}

fn up(z: f32) -> Vec3 {
    Vec3::new(0.0, 0.0, z)
}

/// A scene whose unit stands on that at the tick that is named, and on that other now.
fn rides(mut scene: Scene, then: Option<Platform>, now: Option<Platform>) -> Scene {
    scene.rows[0].platform = then;
    scene.run();
    scene.rows[0].platform = now;
    scene.run();
    scene
}

/// PRED-20, 23: on one elevator then and now, an own player's height is its own within 4 wu, up or down, whether it moves,
/// stops or turns; past it all of the difference is made good.
#[test]
fn a_riders_height_is_its_own() {
    for now in [lift(1), Platform { moving: false, ..lift(1) }] {
        for (height, moves) in
            [(3.1, false), (-3.9, false), (PLATFORM_HEIGHT, false), (4.2, true), (-4.2, true)]
        {
            let mut scene = rides(Scene::own(), Some(lift(1)), Some(now));
            scene.word(OWN, up(height), Some(100));
            scene.run();
            assert_eq!(scene.place(0), if moves { up(height) } else { Vec3::ZERO }, "{height}");
            assert_eq!(scene.client.own_corrections(), u64::from(moves));
        }
    }
}

/// PRED-20: across, a rider is corrected as ever, by what it is off across and no more, and the history by as much.
#[test]
fn a_rider_is_corrected_across() {
    for (across, moves) in [(2.9, false), (3.1, true)] {
        let mut scene = rides(Scene::own(), Some(lift(1)), Some(lift(1)));
        for _ in 0..3 {
            scene.word(OWN, Vec3::new(across, 0.0, 3.5), Some(100));
            scene.run();
        }
        assert_eq!(scene.place(0), if moves { east(across) } else { Vec3::ZERO });
        assert_eq!(scene.client.own_corrections(), u64::from(moves), "once");
    }
}

/// PRED-21, 24: a jump, another elevator, none, one that is only remembered, and a teleport are corrected normally.
#[test]
fn off_the_floor_height_is_the_hosts() {
    let jumps = Platform { contact: false, ..lift(1) };
    let remembered = Platform { moving: false, contact: false, ..lift(1) };
    for (then, now) in [
        (None, None),
        (Some(lift(1)), None),
        (None, Some(lift(1))),
        (Some(lift(1)), Some(lift(2))),
        (Some(jumps), Some(lift(1))),
        (Some(lift(1)), Some(jumps)),
        (Some(remembered), Some(lift(1))),
        (Some(lift(1)), Some(remembered)),
        (Some(remembered), Some(remembered)),
    ] {
        for (height, moves) in [(2.9, false), (3.5, true)] {
            let mut scene = rides(Scene::own(), then, now);
            scene.word(OWN, up(height), Some(100));
            scene.run();
            assert_eq!(scene.place(0), if moves { up(height) } else { Vec3::ZERO }, "{then:?} {now:?}");
        }
    }
    let mut scene = rides(Scene::own(), Some(lift(1)), Some(lift(1)));
    scene.word(OWN, up(3.5), None);
    scene.run();
    assert_eq!(scene.place(0), up(3.5), "the host put it there");
    scene.word(OWN, Vec3::ZERO, Some(101));
    scene.run();
    assert_eq!(scene.place(0), up(3.5), "and that cut its history");
}

/// PRED-18, 21: of a tick no longer kept a rider's height is the host's only when it is a teleport's.
#[test]
fn a_riders_tick_no_longer_kept() {
    for (height, moves) in [(3.9, false), (9.9, false), (10.1, true)] {
        let mut scene = Scene::own();
        scene.rows[0].platform = Some(lift(1));
        for _ in 0..PREDICTION_HISTORY + 10 {
            scene.run();
        }
        scene.word(OWN, up(height), Some(100));
        scene.run();
        assert_eq!(scene.place(0), if moves { up(height) } else { Vec3::ZERO });
    }
}

/// PRED-22: another's copy on a floor of an elevator goes up and down with that, though the host's is elsewhere by as much
/// as a round trip; across it is moved as ever, and past 4 wu it is put where the host has it.
#[test]
fn a_copys_height_is_its_elevators() {
    for height in [0.3, -0.3, 2.0, -2.0, PLATFORM_HEIGHT, -PLATFORM_HEIGHT] {
        let mut scene = Scene::other();
        scene.rows[0].platform = Some(lift(1));
        scene.word(OTHER, Vec3::new(0.8, 0.0, height), None);
        scene.run();
        assert!(scene.place(0).distance(east(0.4)) < 1e-6, "{height}: {:?}", scene.place(0));
        scene.word(OTHER, Vec3::new(2.0, 0.0, height), None);
        scene.run();
        assert!(scene.place(0).distance(east(2.0)) < 1e-6, "{height}: {:?}", scene.place(0));
        assert_eq!(scene.client.corrected(), 1);
    }
    for (height, platform) in
        [(4.1, Some(lift(1))), (0.8, None), (0.8, Some(Platform { contact: false, ..lift(1) }))]
    {
        let mut scene = Scene::other();
        scene.rows[0].platform = platform;
        scene.word(OTHER, up(height), None);
        scene.run();
        let expected = if height > REMOTE_BLEND_DISTANCE { height } else { height / 2.0 };
        assert!(scene.place(0).distance(up(expected)) < 1e-6, "{height}");
    }
}

/// PRED-22: a copy in the air over an elevator is moved up and down as ever, but not through the floor that it is over, which
/// the host's may have left below; one under it is.
#[test]
fn a_copy_that_jumps_is_not_pulled_through_the_floor() {
    let jumps = |floor| Some(Platform { contact: false, floor, ..lift(1) });
    for (floor, off, expected) in [
        (-1.0, -0.8, -0.4),
        (-0.2, -0.8, -0.1),
        (-0.2, -3.0, -0.1),
        (-0.2, -4.1, -4.1),
        (-0.2, 0.8, 0.4),
        (-2.0, -3.0, -2.0),
        (0.1, -0.8, -0.4),
    ] {
        let mut scene = Scene::other();
        scene.rows[0].platform = jumps(floor);
        scene.word(OTHER, up(off), None);
        scene.run();
        assert!((scene.place(0).z - expected).abs() < 1e-5, "{floor} {off}: {}", scene.place(0).z);
    }
}

/// PRED-20, 21: an own player in the air over an elevator is corrected, but not through the floor that it is over, and once; by
/// more than elevators are apart it is put where the host has it, whatever is there.
#[test]
fn a_jumper_is_not_corrected_through_the_floor() {
    let jumps = |floor| Some(Platform { contact: false, floor, ..lift(1) });
    for (floor, off, expected) in [
        (-2.0_f32, -3.1_f32, -2.0_f32),
        (-3.5, -3.1, -3.1),
        (-2.0, -4.1, -4.1),
        (-2.0, 3.1, 3.1),
        (0.1, -3.1, -3.1),
    ] {
        let mut scene = rides(Scene::own(), jumps(floor), jumps(floor));
        for named in 100..110 {
            let word = if named == 100 { up(off) } else { up(expected.max(off)) };
            scene.word(OWN, word, Some(named));
            scene.run();
        }
        assert!((scene.place(0).z - expected).abs() < 1e-5, "{floor} {off}: {}", scene.place(0).z);
        assert_eq!(scene.client.own_corrections(), 1, "{floor} {off}");
    }
}

/// PRED-22, 37: a copy on an elevator takes the host's velocity across, and keeps its own up and down, moved a little or put
/// somewhere.
#[test]
fn a_copy_on_an_elevator_keeps_how_it_rises() {
    for (across, on_floor) in [(0.5, true), (2.0, true), (0.5, false), (2.0, false)] {
        let mut scene = Scene::other();
        scene.rows[0].platform = on_floor.then(|| lift(1));
        let mut rises = at(Vec3::ZERO);
        rises.velocity = up(0.25);
        scene.rows[0].placement = Some(rises);
        let mut there = at(east(across));
        there.velocity = Vec3::new(0.1, 0.2, -0.3);
        let word = HostWord { tick: tick(100), placement: Some(there), ride: None, predicted: None };
        scene.client.handle_word(OTHER, word).unwrap();
        scene.run();
        let expected = Vec3::new(0.1, 0.2, if on_floor { 0.25 } else { -0.3 });
        assert_eq!(scene.velocities[0], Some(expected), "{across} {on_floor}");
    }
}

/// PRED-22: an elevator at rest here may not have begun yet, or the host's not have stopped: for a second what a copy on it
/// is off in height is theirs; after that it is the copy's, and it is put right.
#[test]
fn a_copy_on_an_elevator_at_rest_is_put_right_in_the_end() {
    let mut scene = Scene::other();
    scene.rows[0].platform = Some(Platform { moving: false, ..lift(1) });
    let first = scene.tick + 1;
    loop {
        scene.word(OTHER, up(-0.8), None);
        scene.run();
        if scene.place(0) != Vec3::ZERO {
            break;
        }
        assert!(scene.tick < first + 100);
    }
    assert_eq!(scene.tick, first + PLATFORM_SETTLES as i32);
    assert!((scene.place(0).z + 0.4).abs() < 1e-6);

    // One that moves in between, or a word that has it level, begins the second anew.
    for moves in [true, false] {
        let mut scene = Scene::other();
        for t in 0..3 * PLATFORM_SETTLES {
            let between = t % (PLATFORM_SETTLES - 1) == 0;
            scene.rows[0].platform = Some(Platform { moving: moves && between, ..lift(1) });
            scene.word(OTHER, up(if between && !moves { 0.04 } else { -0.8 }), None);
            scene.run();
            assert_eq!(scene.place(0), Vec3::ZERO, "{t}");
        }
    }
}
