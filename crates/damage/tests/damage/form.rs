//! What a report's own numbers must be. Each is broken alone, just inside and just outside its bound.

use mjolnir_damage::{Error, Seat};
use mjolnir_wire::damage::HitReport;
use mjolnir_wire::{Tag, Vec3};

use crate::scene::*;

/// What becomes of one report, of that damage, in a game of its own, in which the victim is near enough for a blow.
fn alone(effect: Tag, change: impl FnOnce(&mut HitReport)) -> Result<(), Error> {
    let mut scene = Scene::new();
    scene.put(VICTIM, east(3.0), 1.0);
    scene.run(91);
    scene.say_with(effect, change)
}

/// DMG-05, 62: a report is of a player of the machine that it came from, or refused. What it says its owner object is, and a
/// normal that it says is none, count for nothing.
#[test]
fn a_report_is_of_its_machines_player() {
    assert_eq!(alone(BULLET, |_| ()), Ok(()));
    for owner in [None, Some(slot(2)), Some(slot(3)), Some(slot(127))] {
        assert_eq!(alone(BULLET, |said| said.hit.damage.owner = owner), Err(Error::NotOwned), "{owner:?}");
    }
    let mut scene = Scene::new();
    let said = scene.report(BULLET);
    let by_another = scene.host.handle_report(scene.now, machine(2), None, &said, &scene.game);
    assert_eq!(by_another, Err(Error::NotOwned));
    for owner in [None, Some(VICTIM), Some(object(99))] {
        let mut said = scene.report(BULLET);
        said.hit.damage.owner_object = owner;
        said.hit.normal = None;
        assert_eq!(scene.say(&said).unwrap().damage.owner_object, Some(STRIKER));
    }
}

/// DMG-24: 90 ticks old is taken and 91 refused; of the present tick is taken, of the next refused.
#[test]
fn a_report_is_neither_old_nor_of_the_future() {
    let heard = |at: i32| alone(BULLET, |said| said.heard = tick(said.heard.get() + at));
    assert_eq!(heard(-90), Ok(()));
    assert_eq!(heard(-91), Err(Error::TooOld));
    assert_eq!(heard(0), Ok(()));
    assert_eq!(heard(1), Err(Error::FromTheFuture));
    assert_eq!(alone(BULLET, |said| said.heard = mjolnir_wire::Tick::LAST), Err(Error::FromTheFuture));
    assert_eq!(alone(BULLET, |said| said.heard = tick(0)), Err(Error::TooOld));
}

/// DMG-12: all of the damage and no more, a blow half again, and never less than nothing.
#[test]
fn a_report_is_no_harder_than_can_be() {
    let scaled = |effect, scale| alone(effect, |said| said.hit.damage.scale = scale);
    for (effect, most) in [(BULLET, 1.0), (BLAST, 1.0), (PUNCH, 1.5)] {
        assert_eq!(scaled(effect, most), Ok(()));
        assert_eq!(scaled(effect, 0.0), Ok(()));
        for scale in [most + 0.01, -0.01, f32::NAN, f32::INFINITY] {
            assert_eq!(scaled(effect, scale), Err(Error::TooHard), "{effect:?} {scale}");
        }
    }
    let ram = |scale| {
        let mut scene = Scene::riding(Seat { drives: true, guns: false });
        scene.put(VICTIM, east(2.0), 1.0);
        scene.run(1);
        scene.say_with(RAM, |said| said.hit.damage.scale = scale)
    };
    assert_eq!((ram(1.0), ram(1.01)), (Ok(()), Err(Error::TooHard)));
}

/// DMG-34: given a target of 19 nodes, 3 regions and 2 materials, the last of each and none are taken, and the next refused.
#[test]
fn a_part_is_one_that_the_target_has() {
    let node = |part| alone(BULLET, |said| said.hit.parts.node = part);
    let region = |part| alone(BULLET, |said| said.hit.parts.region = part);
    let material = |part| alone(BULLET, |said| said.hit.parts.material = part);
    for (taken, refused) in [
        (node(Some(18)), node(Some(19))),
        (region(Some(2)), region(Some(3))),
        (material(Some(1)), material(Some(2))),
        (node(None), node(Some(u16::MAX))),
    ] {
        assert_eq!((taken, refused), (Ok(()), Err(Error::NoSuchPart)));
    }
}

/// DMG-34: no number that is none is dealt, wherever a report has it.
#[test]
fn no_number_that_is_none_is_dealt() {
    for none in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let place = Vec3::new(3.0, none, 0.0);
        assert_eq!(alone(PUNCH, |_| ()), Ok(()));
        assert_eq!(alone(BULLET, |said| said.hit.damage.origin = place), Err(Error::WrongShape));
        assert_eq!(alone(BULLET, |said| said.hit.damage.epicentre = place), Err(Error::WrongShape));
        assert_eq!(alone(BULLET, |said| said.hit.target = place), Err(Error::NotAtTarget));
        assert_eq!(alone(BULLET, |said| said.hit.damage.direction = place), Err(Error::NoDirection));
        assert_eq!(alone(PUNCH, |said| said.hit.damage.origin = place), Err(Error::TooFar));
    }
}

/// DMG-13: what hits at a point has its origin at its epicentre, a shot and an explosion alike.
#[test]
fn a_point_is_one() {
    for effect in [BULLET, BLAST, STUCK] {
        let apart = |by: f32| alone(effect, |said| said.hit.damage.origin += Vec3::UP * by);
        assert_eq!(apart(0.009), Ok(()));
        assert_eq!(apart(0.011), Err(Error::WrongShape));
    }
}

/// DMG-16: the damage is where what it hit is: given a target 1 wu large, a shot as far from its place, an explosion of 3 wu
/// as much further.
#[test]
fn a_damage_is_at_what_it_hit() {
    for (effect, reach) in [(BULLET, 1.0), (BLAST, 4.0), (WAVE, 7.0)] {
        let off = |by: f32| {
            alone(effect, |said| {
                said.hit.damage.origin += Vec3::UP * by;
                said.hit.damage.epicentre += Vec3::UP * by;
            })
        };
        assert_eq!(off(reach - 0.1), Ok(()), "{effect:?}");
        assert_eq!(off(reach + 0.1), Err(Error::NotAtTarget), "{effect:?}");
    }
}

/// DMG-16: given a target that moves 0.5 wu a tick, the damage may be off by that besides: it was met on its way.
#[test]
fn what_moves_is_met_on_its_way() {
    let off = |by: f32| {
        let mut scene = Scene::new();
        scene.game.targets[1].1.velocity = east(0.5);
        scene.say_with(BULLET, |said| {
            said.hit.damage.origin += Vec3::UP * by;
            said.hit.damage.epicentre += Vec3::UP * by;
        })
    };
    assert_eq!(off(1.4), Ok(()));
    assert_eq!(off(1.6), Err(Error::NotAtTarget));
}

/// DMG-32: a direction of no length is refused.
#[test]
fn a_direction_has_a_length() {
    assert_eq!(alone(BULLET, |said| said.hit.damage.direction = Vec3::ZERO), Err(Error::NoDirection));
    assert_eq!(alone(BULLET, |said| said.hit.damage.direction = Vec3::UP * 1.0e-30), Ok(()));
    assert_eq!(alone(BLAST, |said| said.hit.damage.direction = Vec3::ZERO), Ok(()));
}

/// What nothing stands for any more is nobody's fault; a damage that is none is.
#[test]
fn what_is_gone_is_not_hit() {
    assert_eq!(alone(BULLET, |said| said.hit.object = object(50)), Err(Error::NoTarget));
    assert!(matches!(alone(Tag(999), |_| ()), Err(Error::NotHeld | Error::NotThrown)));
}
