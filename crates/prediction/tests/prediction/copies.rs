//! Others' copies: how the host's word moves them, and how they are drawn.

use super::*;

/// PRED-11: a copy's error is halved each tick, however long no other word comes. With the word it is given the host's
/// velocity, and keeps its own after that.
#[test]
fn a_small_error_is_halved_each_tick() {
    let mut scene = Scene::other();
    scene.put(0, east(0.8));
    scene.word(OTHER, Vec3::ZERO, None);
    let mut said = Some(at(Vec3::ZERO).velocity);
    for left in [0.4, 0.2, 0.1, 0.05] {
        scene.run();
        assert!((scene.place(0).x - left).abs() < 1e-6);
        assert_eq!(scene.velocities[0], said.take());
    }
    for _ in 0..20 {
        scene.run();
    }
    assert!(scene.place(0).x < 0.001);
    assert!(scene.commands.is_empty(), "what has settled is left alone");
    assert_eq!(scene.client.corrected(), 0);
}

/// PRED-11: what is left is of the last word, and moves with the copy.
#[test]
fn an_error_moves_with_its_copy() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(0.8), None);
    scene.walk_to(east(0.4 + 5.0));
    scene.before();
    assert!((scene.place(0).x - 5.6).abs() < 1e-5);
    scene.after();
    scene.word(OTHER, east(5.6), None);
    scene.run();
    assert!(scene.moves().is_empty(), "the newer word finds no error");
}

/// PRED-12 (in part: on foot), PRED-37: past a world unit the copy is put there at once, with the host's velocity, and has arrived.
#[test]
fn a_large_error_is_closed_at_once() {
    for (error, after, count) in
        [(REMOTE_BLEND_DISTANCE + 0.01, 0.0, 1), (REMOTE_BLEND_DISTANCE - 0.01, 0.495, 0), (1.0, 0.5, 0)]
    {
        let mut scene = Scene::other();
        scene.put(0, east(error));
        scene.word(OTHER, Vec3::ZERO, None);
        scene.run();
        assert!((scene.place(0).x - after).abs() < 1e-6, "{error}");
        assert_eq!(scene.client.corrected(), count);
        let there = at(Vec3::ZERO);
        if count == 1 {
            let put = Command::Move {
                unit: unit(7),
                to: there.position,
                velocity: Some(there.velocity),
                axes: Some(there.axes),
                why: Why::Teleport,
            };
            assert_eq!(scene.moves(), [&put]);
            scene.run();
            assert!(scene.moves().is_empty());
        }
    }
}

/// PRED-13: a correction is drawn gliding from where the copy was, and is over after six ticks.
#[test]
fn a_correction_is_drawn_gliding() {
    let mut scene = Scene::other();
    scene.word(OTHER, east(2.0), None);
    let mut drawn = 0.0;
    for after in 0..=GLIDE_TICKS {
        scene.run();
        let now = scene.place(0).x + scene.offsets[0].x;
        assert!((0.0..=1.1).contains(&(now - drawn)), "{after}: from {drawn} to {now}");
        assert_eq!(now == 2.0, after == GLIDE_TICKS);
        drawn = now;
    }
    assert_eq!(scene.offsets[0], Vec3::ZERO);
    scene.run();
    assert!(scene.commands.is_empty(), "it is drawn where it is, and that was said");
}

/// PRED-13: halves of halves glide too: what is drawn never moves more than the whole error in a tick, nor back.
#[test]
fn small_steps_glide_as_one() {
    let mut scene = Scene::other();
    let mut drawn = 0.0;
    for t in 0..30 {
        scene.word(OTHER, east(if t < 20 { 0.9 } else { 0.0 }), None);
        scene.run();
        let now = scene.place(0).x + scene.offsets[0].x;
        let ahead = if t < 20 { now - drawn } else { drawn - now };
        assert!((-1e-6..0.4).contains(&ahead), "{t}: from {drawn} to {now}");
        drawn = now;
    }
}

/// PRED-13: a move of a teleport's size is drawn as one; an offset from before it ends.
#[test]
fn a_teleport_is_not_drawn_gliding() {
    for (distance, glides) in [(TELEPORT_SIZED - 0.1, true), (TELEPORT_SIZED + 0.1, false)] {
        let mut scene = Scene::other();
        scene.word(OTHER, east(0.5), None);
        scene.run();
        assert!(scene.offsets[0].x < 0.0);
        let from = scene.place(0).x;
        scene.word(OTHER, east(from + distance), None);
        scene.run();
        assert_eq!(scene.offsets[0] != Vec3::ZERO, glides);
    }
}

/// PRED-13: what mounts in the middle of a glide is drawn where it is.
#[test]
fn a_rider_does_not_glide_on() {
    for (mut scene, slot) in [(Scene::own(), OWN), (Scene::other(), OTHER)] {
        scene.run();
        scene.word(slot, east(4.0), None);
        scene.run();
        assert!(scene.offsets[0] != Vec3::ZERO);
        scene.rows[0].placement = None;
        scene.run();
        assert_eq!(scene.offsets[0], Vec3::ZERO);
    }
}

/// PRED-12, 14: a copy that a teleporter here took is not brought back by words of the host's that is not through yet, for as
/// long as that may be late; past it, and elsewhere, it is put where the host has it.
#[test]
fn a_copy_that_was_sent_is_not_brought_back() {
    let lag = TELEPORT_LAG as i32;
    for (after, host, moves) in [
        (1, 0.0, false),
        (1, 1.0, false),
        (1, 1.1, true),
        (1, 81.5, true),
        (lag, 0.5, false),
        (lag + 1, 0.5, true),
    ] {
        let mut scene = Scene::other();
        scene.run();
        scene.before();
        scene.put(0, east(80.0));
        scene.client.handle_teleport(OTHER);
        scene.after();
        let sent = scene.tick;
        while scene.tick < sent + after - 1 {
            scene.run();
        }
        scene.word(OTHER, east(host), None);
        scene.run();
        assert_eq!(scene.place(0).x, if moves { host } else { 80.0 }, "{after} {host}");
        assert_eq!(scene.client.corrected(), u64::from(moves));
    }
}
