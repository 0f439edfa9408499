//! Where a target was as its shooter saw it.

use mjolnir_damage::{Error, Throw};
use mjolnir_wire::damage::HitReport;
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::scene::*;

/// Says that a bullet hit an object there, as of that tick.
fn hits(scene: &mut Scene, object: ObjectId, at: Vec3, heard: i32) -> Result<(), Error> {
    let mut said: HitReport = scene.report_on(BULLET, object);
    said.hit.target = at;
    said.hit.damage.origin = at;
    said.hit.damage.epicentre = at;
    said.heard = tick(heard);
    scene.say(&said).map(|_| ())
}

/// DMG-21: a target is within 2 wu of where the host has it, and as many more as it moves in two ticks.
#[test]
fn a_target_is_where_the_host_has_it() {
    let off = |by: f32, velocity: f32| {
        let mut scene = Scene::new();
        scene.game.targets[1].1.velocity = east(velocity);
        let now = scene.now.get();
        hits(&mut scene, VICTIM, east(10.0) + Vec3::UP * by, now)
    };
    assert_eq!(off(1.9, 0.0), Ok(()));
    assert_eq!(off(2.1, 0.0), Err(Error::TargetElsewhere));
    assert_eq!(off(2.9, 0.5), Ok(()));
    assert_eq!(off(3.1, 0.5), Err(Error::TargetElsewhere));
    assert_eq!(off(10.0, 0.0), Err(Error::TargetElsewhere));
}

/// DMG-21: what moved fast as it was seen may be off by that, though it stands by now.
#[test]
fn a_target_was_as_fast_as_it_was() {
    let off = |by: f32| {
        let mut scene = Scene::new();
        scene.targets[1].velocity = east(0.5);
        scene.run(1);
        let heard = scene.now.get();
        scene.put(VICTIM, east(50.0), 1.0);
        scene.run(10);
        hits(&mut scene, VICTIM, east(10.0) + Vec3::UP * by, heard)
    };
    assert_eq!(off(2.9), Ok(()));
    assert_eq!(off(3.1), Err(Error::TargetElsewhere));
}

/// DMG-22: given a target that passes a point in one tick alone, a report of three ticks before or after hits it there, and
/// of four does not.
#[test]
fn three_ticks_count_and_no_fourth() {
    let mut scene = Scene::new();
    scene.put(VICTIM, east(30.0), 1.0);
    scene.run(1);
    let passed = scene.now.get();
    scene.put(VICTIM, east(60.0), 1.0);
    scene.run(10);
    for heard in passed - 3..=passed + 3 {
        assert_eq!(hits(&mut scene, VICTIM, east(30.0), heard), Ok(()), "{}", heard - passed);
    }
    for heard in [passed - 4, passed + 4] {
        assert_eq!(hits(&mut scene, VICTIM, east(30.0), heard), Err(Error::TargetElsewhere));
    }
}

/// DMG-23: given a report that the stream held up, it is held against the tick heard, as far back as 32 ticks are kept, else
/// against the oldest of these and against now.
#[test]
fn a_late_report_counts_as_of_then() {
    let mut scene = Scene::new();
    // The victim goes 3 wu a tick.
    let start = scene.now.get();
    let at = |now: i32| Vec3::new(20.0, (now - start) as f32 * 3.0 - 90.0, 0.0);
    scene.game.haste = 100.0;
    for now in start + 1..=start + 60 {
        scene.put(VICTIM, at(now), 1.0);
        scene.run(1);
    }
    let now = scene.now.get();
    for ago in [1, 10, 28, 31] {
        assert_eq!(hits(&mut scene, VICTIM, at(now - ago), now - ago), Ok(()), "{ago}");
    }
    // Older: where it was then is not known any more, where it was at the oldest kept and where it is now is.
    assert_eq!(hits(&mut scene, VICTIM, at(now - 31), now - 60), Ok(()));
    assert_eq!(hits(&mut scene, VICTIM, at(now), now - 60), Ok(()));
    assert_eq!(hits(&mut scene, VICTIM, at(now - 32), now - 60), Err(Error::TargetElsewhere));
    assert_eq!(hits(&mut scene, VICTIM, at(now - 30), now - 60), Err(Error::TargetElsewhere));
    assert_eq!(hits(&mut scene, VICTIM, at(now - 10), now - 60), Err(Error::TargetElsewhere));
}

/// DMG-21: a body and a vehicle that was left are hit where they were while somebody's, and where they are.
#[test]
fn a_body_is_hit_too() {
    let mut scene = Scene::new();
    let heard = scene.now.get();
    // It dies, and its body falls 30 wu.
    scene.targets.retain(|row| row.object != VICTIM);
    scene.game.targets[1].1.place = east(40.0);
    scene.run(5);
    assert_eq!(hits(&mut scene, VICTIM, east(10.0), heard), Ok(()));
    assert_eq!(hits(&mut scene, VICTIM, east(40.0), heard), Ok(()));
    assert_eq!(hits(&mut scene, VICTIM, east(25.0), heard), Err(Error::TargetElsewhere));
    scene.run(40);
    assert_eq!(hits(&mut scene, VICTIM, east(10.0), heard + 15), Err(Error::TargetElsewhere));
    // A thing that was never a player's stands where it is.
    scene.game.targets.push((object(9), target(east(12.0), 1.0)));
    let now = scene.now.get();
    assert_eq!(hits(&mut scene, object(9), east(13.0), now), Ok(()));
    assert_eq!(hits(&mut scene, object(9), east(14.1), now), Err(Error::TargetElsewhere));
}

/// DMG-21, 37: given a target that runs across, and a shooter who sees it where the host had it half a round trip ago, when each
/// of its shots comes half a round trip later, then all are dealt, at any round trip up to 400 ms and at one of 900 ms.
#[test]
fn what_the_shooter_saw_hit_hits() {
    for delay in [0, 1, 3, 6, 13] {
        let mut scene = Scene::new();
        scene.round_trip = Some(2.0 * delay as f32);
        let start = scene.now.get();
        let at = |now: i32| {
            // A run to and fro, on what goes 0.3 wu a tick.
            let run = (now % 20) as f32 * 0.08;
            let run = if now / 20 % 2 == 0 { run } else { 1.6 - run };
            Vec3::new(20.0, run + (now - start) as f32 * 0.3, 0.0)
        };
        let mut dealt = 0;
        for now in start + 1..=start + 200 {
            scene.put(VICTIM, at(now), 0.4);
            scene.run(1);
            let heard = now - 2 * delay;
            if now % 4 == 0 && heard > start {
                // Its machine has it a round trip ago, drawn a tick behind.
                assert_eq!(hits(&mut scene, VICTIM, at(heard - 1), heard), Ok(()), "{delay} {now}");
                dealt += 1;
            }
        }
        assert_eq!(scene.host.counts().dealt, dealt);
        assert!(dealt > 40, "{dealt}");
    }
}

/// WIRE-05, DMG-18, 22, 24, 57: in the last ticks that there are, what was right is dealt and what was not refused as in any
/// other: shots at a target that moved on since, grenades, what is of ticks that are yet to come and what is too old.
#[test]
fn the_last_ticks_are_ticks() {
    let east_at = |now: Tick| east(50.0 - Tick::LAST.since(now) as f32);
    let mut scene = Scene::new();
    scene.now = Tick::LAST.minus(250);
    scene.run(101);
    let throw = [Throw { slot: slot(1), grenade: FRAG }];
    while scene.now < Tick::LAST {
        let before = scene.now;
        scene.put(VICTIM, east_at(before.next()), 1.0);
        let throws = Tick::LAST.since(before) % 30 == 0;
        scene.tick(if throws { &throw } else { &[] });
        let (now, ago) = (scene.now, scene.now.minus(20));
        assert_eq!(now.since(before), 1);
        if Tick::LAST.since(now) < 100 && Tick::LAST.since(now) % 3 == 0 {
            assert_eq!(hits(&mut scene, VICTIM, east_at(ago), ago.get()), Ok(()), "{now:?}");
        }
        if throws {
            assert_eq!(scene.say_with(FRAG_BLAST, |_| ()), Ok(()), "{now:?}");
        }
        let refused = scene.say_with(FRAG_BLAST, |said| said.heard = ago);
        assert!(matches!(refused, Err(Error::NotHeld | Error::NotThrown)), "{now:?}");
        assert_eq!(scene.say_with(BULLET, |said| said.heard = now.minus(91)), Err(Error::TooOld));
        if now < Tick::LAST {
            assert_eq!(scene.say_with(BULLET, |said| said.heard = now.next()), Err(Error::FromTheFuture));
        }
    }
}
