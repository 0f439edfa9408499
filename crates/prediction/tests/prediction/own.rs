//! Own players: when the host's word moves them.

use super::*;

/// PRED-15: the host's word is compared with where the player was at the tick that it names, and the player keeps
/// what it did since.
#[test]
fn an_own_player_is_moved_by_the_difference() {
    let mut scene = Scene::own();
    scene.walk_to(Vec3::ZERO);
    for x in [1.0, 2.0, 3.0] {
        scene.walk_to(east(x));
    }
    scene.word(OWN, east(4.0), Some(100));
    scene.before();
    let correct =
        Command::Move { unit: unit(2), to: east(7.0), velocity: None, axes: None, why: Why::Teleport };
    assert_eq!(scene.moves(), [&correct]);
    assert!(matches!(scene.commands[1], Command::Drive { .. }), "it is driven from where it was moved to");
    assert_eq!(scene.client.own_corrections(), 1);
}

/// PRED-15: a player walking evenly, the echo late by any round trip: no correction; then one push at the host: one.
#[test]
fn a_late_echo_corrects_nothing() {
    for trip in 1..=16 {
        let mut scene = Scene::own();
        let walked = |t: i32| east(t as f32 * 0.6);
        for t in 100..200 {
            scene.before();
            let next = scene.place(0) + east(0.6);
            scene.put(0, if t == 100 { walked(100) } else { next });
            scene.after();
            if t >= 100 + trip {
                let pushed = if t >= 150 { Vec3::new(0.0, 3.5, 0.0) } else { Vec3::ZERO };
                scene.word(OWN, walked(t - trip) + pushed, Some(t - trip));
            }
        }
        assert_eq!(scene.client.own_corrections(), 1, "{trip} ticks late");
        assert!(scene.place(0).distance(walked(199) + Vec3::new(0.0, 3.5, 0.0)) < 0.01);
    }
}

/// PRED-16, 37, 21: nothing moves within the tolerance, in any direction; past it all of the difference, and never the
/// velocity.
#[test]
fn within_the_tolerance_nothing_moves() {
    for direction in [east(1.0), Vec3::UP, -Vec3::UP, Vec3::new(0.0, 0.6, 0.8)] {
        for (off, moves) in [(2.9, false), (OWN_PLAYER_TOLERANCE, false), (3.1, true), (4.2, true)] {
            let mut scene = Scene::own();
            scene.run();
            // In the air as on the ground: without an elevator nothing protects.
            scene.rows[0].grounded = off < 4.0;
            scene.word(OWN, direction * off, Some(100));
            scene.run();
            assert_eq!(scene.moves().len(), usize::from(moves), "{off}");
            let expected = if moves { direction * off } else { Vec3::ZERO };
            assert!(scene.place(0).distance(expected) < 1e-5);
            assert_eq!(scene.velocities[0], None);
            assert_eq!(scene.client.own_corrections(), u64::from(moves));
        }
    }
}

/// PRED-18: of a tick no longer kept only a teleport-sized difference corrects.
#[test]
fn a_tick_no_longer_kept_hardly_corrects() {
    for (off, expected) in [(9.9, 0.0), (10.1, 10.1)] {
        let mut scene = Scene::own();
        for _ in 0..PREDICTION_HISTORY + 10 {
            scene.run();
        }
        scene.word(OWN, east(off), Some(100));
        scene.run();
        assert!((scene.place(0).x - expected).abs() < 1e-5);
    }
}

/// PRED-15: a word on a tick that is not simulated yet is compared with the newest.
#[test]
fn an_early_word_is_compared_with_the_newest() {
    let mut scene = Scene::own();
    scene.walk_to(east(1.0));
    scene.word(OWN, east(5.0), Some(103));
    scene.run();
    assert_eq!(scene.place(0), east(5.0));
}

/// PRED-15: across a jump of the clock, the ticks between are where the player was before it.
#[test]
fn a_jump_of_the_clock_corrects_nothing() {
    let mut scene = Scene::own();
    scene.walk_to(east(1.0));
    scene.tick += 500;
    scene.walk_to(east(1.1));
    scene.word(OWN, east(1.2), Some(103));
    scene.run();
    scene.word(OWN, east(1.1), Some(600));
    scene.run();
    assert_eq!(scene.client.own_corrections(), 0);
    scene.word(OWN, east(5.0), Some(103));
    scene.run();
    assert!((scene.place(0).x - 5.1).abs() < 1e-5);
}

/// PRED-19 (in part: the word's effect), PRED-40: a word that names no tick is compared with the present; past the tolerance the player is put there.
#[test]
fn a_word_without_a_tick_is_of_the_present() {
    for (host, put) in [(7.1, false), (6.9, true), (50.0, true)] {
        let mut scene = Scene::own();
        scene.walk_to(east(10.0));
        scene.word(OWN, east(host), None);
        scene.run();
        assert_eq!(scene.place(0).x, if put { host } else { 10.0 });
        assert_eq!(scene.velocities[0], put.then_some(at(Vec3::ZERO).velocity));
        assert_eq!(scene.client.own_corrections(), 0, "it was put, not corrected");
        // Its history begins anew.
        scene.word(OWN, Vec3::ZERO, Some(100));
        scene.run();
        let place = scene.place(0).x;
        assert_eq!(place, if put { host } else { 0.0 });
    }
}

/// PRED-40: a player running honestly while the host takes nothing is not moved for its lag.
#[test]
fn lag_alone_puts_nobody_back() {
    let mut scene = Scene::own();
    for t in 0..60 {
        scene.walk_to(east(t as f32 * 0.08));
        scene.word(OWN, east((t - 6) as f32 * 0.08), None);
    }
    assert!(scene.moves().is_empty());
}

/// PRED-40 (ours past its tolerance): who stands 0.26 wu from where the host has it gives way once more than twenty words in a
/// row have named no tick, and not by the twentieth.
#[test]
fn who_is_refused_for_so_long_gives_way() {
    let mut scene = Scene::own();
    for _ in 0..10 {
        let named = scene.tick;
        scene.run();
        scene.word(OWN, Vec3::ZERO, Some(named));
    }
    scene.run();
    for words in 1..=21 {
        scene.word(OWN, east(0.26), None);
        scene.run();
        let moved = scene.place(0).x;
        assert!((moved - if words > 20 { 0.26 } else { 0.0 }).abs() < 1e-4, "{words}: {moved}");
    }
}

/// PRED-37, PRED-40 (ours): who is moved by a word that names no tick goes up no faster than the host has it: a jump of its
/// own since is in both, and counts once; a throw counts whole.
#[test]
fn a_jump_counts_once() {
    for (since, theirs, up) in [(0.07, 0.07, 0.07), (0.07, 0.3, 0.3), (0.0, 0.3, 0.3), (0.07, -0.1, -0.03)] {
        let mut scene = Scene::own();
        for _ in 0..10 {
            let named = scene.tick;
            scene.run();
            scene.word(OWN, Vec3::ZERO, Some(named));
        }
        scene.run();
        let moving = |place, up| Some(Placement { velocity: Vec3::new(0.0, 0.0, up), ..at(place) });
        scene.rows[0].placement = moving(Vec3::ZERO, since);
        let placement = moving(east(4.0), theirs);
        let word = HostWord { tick: tick(scene.tick), placement, ride: None, predicted: None };
        scene.client.handle_word(OWN, word).unwrap();
        scene.before();
        let velocity = scene.velocities[0].unwrap();
        assert!((velocity.z - up).abs() < 1e-4, "{since} {theirs}: {velocity:?}");
    }
}

/// PRED-40: once a word has named a tick, one that names none is of as many ticks before: who falls fast is off by nothing but
/// its lag and is not moved; who is off there is moved by that and keeps what it did since. The same
/// once none has been named for longer than that holds.
#[test]
fn a_word_without_a_tick_is_as_old_as_the_last() {
    let cases = [(0, 2.9, false), (0, 3.1, true), (15, 2.9, false), (15, 3.1, true)];
    // Whom the host has refused for twenty words gives way all the way.
    let refused = [(40, 0.24, false), (40, 0.26, true)];
    for (unnamed, off, moves) in cases.into_iter().chain(refused) {
        let mut scene = Scene::own();
        let begin = scene.tick;
        let fallen = |tick: i32| 1.5 * (tick - begin) as f32;
        for heard in 0..20 + unnamed {
            let tick = scene.tick + 1;
            scene.walk_to(east(fallen(tick)));
            let named = scene.tick - 6;
            scene.word(OWN, east(fallen(named)), (heard < 20).then_some(named));
        }
        assert!(scene.moves().is_empty(), "{:?}", scene.moves());
        scene.run();
        let (place, named) = (scene.place(0), scene.tick - 6);
        scene.word(OWN, east(fallen(named) - off), None);
        scene.run();
        let moved = scene.place(0) - place;
        assert!((moved.x - if moves { -off } else { 0.0 }).abs() < 1e-3, "{unnamed} {off}: {moved:?}");
        // What is on its way says the same again, and moves nothing.
        for _ in 0..2 {
            let named = scene.tick - 6;
            scene.word(OWN, east(fallen(named) - off), None);
            let place = scene.place(0);
            scene.walk_to(place + east(1.5));
        }
        assert_eq!(scene.client.own_corrections(), u64::from(moves), "{unnamed} {off}");
    }
}

/// PRED-38: a correction moves the history with it, so that echoes in flight correct nothing again.
#[test]
fn a_correction_moves_the_history() {
    let mut scene = Scene::own();
    scene.tick = 97;
    for x in [100.0, 101.0, 102.0] {
        scene.walk_to(east(x));
    }
    // It is at 102 after tick 100; the host had it 4 further on at 98.
    scene.word(OWN, east(104.0), Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(106.0));
    for (named, place) in [(98, 104.0), (99, 105.0), (100, 106.0), (101, 106.0)] {
        scene.word(OWN, east(place), Some(named));
        scene.run();
    }
    assert_eq!(scene.place(0), east(106.0));
    assert_eq!(scene.client.own_corrections(), 1);
}

/// PRED-39: a teleport cuts the history: echoes of before it neither undo it nor make it twice.
#[test]
fn a_teleport_cuts_the_history() {
    let teleported = || {
        let mut scene = Scene::own();
        scene.tick = 59;
        for _ in 60..99 {
            scene.walk_to(Vec3::ZERO);
        }
        scene.before();
        scene.put(0, east(10.0));
        scene.client.handle_teleport(OWN);
        scene.after();
        assert_eq!(scene.tick, 99);
        scene
    };
    for (named, host) in [(98, 0.0), (98, 10.0), (98, 20.0), (60, 0.0), (7, 0.0)] {
        let mut scene = teleported();
        scene.word(OWN, east(host), Some(named));
        scene.run();
        assert_eq!(scene.place(0), east(10.0), "{named} at {host}");
    }
    let mut scene = teleported();
    scene.before();
    scene.put(0, east(11.0));
    scene.after();
    scene.word(OWN, east(14.0), Some(99));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
    scene.word(OWN, Vec3::ZERO, Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
    // Long after, when the ring has gone round, too.
    for _ in 0..PREDICTION_HISTORY + 5 {
        scene.run();
    }
    scene.word(OWN, Vec3::ZERO, Some(98));
    scene.run();
    assert_eq!(scene.place(0), east(15.0));
}

/// PRED-39: the host's teleport first: the player is put there, and an echo in flight changes nothing.
#[test]
fn the_hosts_teleport_cuts_the_history() {
    let mut scene = Scene::own();
    for _ in 0..5 {
        scene.run();
    }
    scene.word(OWN, east(10.0), None);
    scene.run();
    assert_eq!(scene.place(0), east(10.0));
    for place in [0.0, 10.0] {
        scene.word(OWN, east(place), Some(103));
        scene.run();
        assert_eq!(scene.place(0), east(10.0));
    }
}

/// PRED-39, PRED-38: an own player steps through a teleporter whose exit the host picks otherwise: whatever the
/// round trip, it goes from the exit that was guessed to the host's once, and no echo of before, of the guess or
/// of after sends it back.
#[test]
fn a_wrong_guess_of_an_exit_is_put_right_once() {
    for trip in 1..=20 {
        let mut scene = Scene::own();
        for _ in 0..30 {
            scene.run();
        }
        scene.before();
        scene.put(0, east(10.0));
        scene.client.handle_teleport(OWN);
        scene.after();
        let through = scene.tick;
        let mut places = Vec::new();
        for _ in 0..3 * trip + 20 {
            // The host's word is of the tick of a round trip ago; from the step on it has the player at its own exit.
            let named = scene.tick - trip;
            scene.word(OWN, if named < through { Vec3::ZERO } else { east(-10.0) }, Some(named));
            scene.run();
            places.push(scene.place(0).x);
        }
        let right = places.iter().position(|x| *x == -10.0).unwrap();
        assert!(places[..right].iter().all(|x| *x == 10.0), "{trip}: {places:?}");
        assert!(places[right..].iter().all(|x| *x == -10.0), "{trip}: {places:?}");
        assert_eq!((scene.client.own_corrections(), right as i32), (1, trip), "{trip}: {places:?}");
    }
}

/// An own player that stepped through a teleporter from 0 to 80 in tick 99, and is at 80 after tick `now`.
fn sent(now: i32) -> Scene {
    let mut scene = Scene::own();
    scene.tick = 97;
    scene.walk_to(Vec3::ZERO);
    scene.before();
    scene.put(0, east(80.0));
    scene.client.handle_teleport(OWN);
    scene.after();
    while scene.tick < now {
        scene.run();
    }
    scene
}

/// PRED-39: the player first: an echo of the step's tick and of those after it that has it still where it stepped on is not
/// compared, for as long as the host's copy may be late; past that, and elsewhere, it is corrected as ever.
#[test]
fn a_host_that_steps_later_sends_nobody_back() {
    let lag = TELEPORT_LAG as i32;
    for (named, host, moves) in [
        (99, 0.0, false),
        (99, -OWN_PLAYER_TOLERANCE, false),
        (99, -3.1, true),
        (99, 20.0, true),
        (99 + lag, 0.5, false),
        (100 + lag, 0.5, true),
    ] {
        let mut scene = sent(99 + lag + TRIP);
        scene.word(OWN, east(host), Some(named));
        scene.run();
        let expected = if moves { host } else { 80.0 };
        assert!((scene.place(0).x - expected).abs() < 1e-4, "{named} at {host}: {}", scene.place(0).x);
        assert_eq!(scene.client.own_corrections(), u64::from(moves));
    }
    // One that names none is of the host's present, a round trip later.
    for (after, moves) in [(lag + TRIP, false), (lag + TRIP + 1, true)] {
        let mut scene = sent(99 + after - 1);
        scene.word(OWN, east(0.5), None);
        scene.run();
        assert_eq!(scene.place(0).x, if moves { 0.5 } else { 80.0 }, "{after} ticks after");
    }
}

/// PRED-39, AUTH-22: whichever steps first, by up to the ticks that are allowed and over any round trip, the player goes
/// through once and nothing brings it back; a host that never steps has it back once, when those have passed.
#[test]
fn one_teleport_is_one() {
    let lag = TELEPORT_LAG as i32;
    for trip in [1, 3, TRIP] {
        for late in (-5..=lag).chain([1000]) {
            let mut scene = Scene::own();
            (0..40).for_each(|_| scene.run());
            let step = scene.tick + 1;
            let (mut places, mut pad) = (Vec::new(), false);
            for _ in 0..60 {
                let was = scene.tick;
                // What the host has at the tick that a word of a round trip ago names.
                let named = was - trip;
                let through = step + late;
                let there = if named < through { Vec3::ZERO } else { east(80.0) };
                // It names no tick while it takes none: since it stepped until what is of there has come, and once three
                // have passed in which the player said it was elsewhere.
                let agrees = named < step && named < through || named >= step && named > through + trip;
                scene.word(OWN, there, agrees.then_some(named));
                scene.before();
                // Its own step, unless it was put there first.
                if scene.tick == step && scene.place(0).x == 0.0 {
                    scene.put(0, east(80.0));
                    scene.client.handle_teleport(OWN);
                    pad = true;
                }
                scene.after();
                places.push(scene.place(0).x);
            }
            let changes = places.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let at_once = usize::from(places[0] == 80.0);
            assert_eq!(
                (changes + at_once, places[59] == 80.0),
                if late == 1000 { (2, false) } else { (1, true) },
                "{trip} {late} {places:?}"
            );
            assert!(pad || late < 0);
        }
    }
}

/// PRED-14: what is moved at once has arrived, and stands as if the teleporter that may be there had sent it: an own player
/// moved by a difference or put somewhere, and another's copy that is put somewhere; not one that closes half of an error.
#[test]
fn what_is_moved_at_once_has_arrived() {
    for (mut scene, slot, off, named, why) in [
        (Scene::own(), OWN, 3.1, Some(100), Why::Teleport),
        (Scene::own(), OWN, 3.1, None, Why::Teleport),
        (Scene::other(), OTHER, 1.1, None, Why::Teleport),
        (Scene::other(), OTHER, 0.9, None, Why::Correct),
    ] {
        scene.run();
        scene.word(slot, east(off), named);
        scene.run();
        let moves = scene.moves();
        assert!(matches!(moves[..], [Command::Move { why: of, .. }] if *of == why), "{moves:?}");
    }
}
