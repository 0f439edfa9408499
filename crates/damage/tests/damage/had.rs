//! What a player can have dealt, and from where: what it carries, rides and throws, and its reach.

use mjolnir_damage::{Error, PlayerRow, Riding, Seat, Throw};
use mjolnir_wire::{ObjectId, Vec3};

use crate::scene::*;

const DRIVER: Seat = Seat { drives: true, guns: false };
const GUNNER: Seat = Seat { drives: false, guns: true };
const PASSENGER: Seat = Seat { drives: false, guns: false };

fn is_not_had<T>(said: &Result<T, Error>) -> bool {
    matches!(said, Err(Error::NotHeld | Error::NotThrown))
}

/// DMG-06, 54: a weapon's damage is of who carries it, or did within ten seconds, alive or not.
#[test]
fn a_weapon_deals_for_ten_seconds_after() {
    let laid_down = |ticks: usize, dies: bool| {
        let mut scene = Scene::new();
        scene.players[0].weapons = [None; 4];
        if dies {
            scene.players[0].unit = None;
        }
        scene.run(ticks);
        scene.say_with(BULLET, |_| ())
    };
    assert_eq!(laid_down(270, false), Ok(()));
    assert!(is_not_had(&laid_down(330, false)));
    assert_eq!(laid_down(60, true), Ok(()));
    assert!(is_not_had(&laid_down(330, true)));
    assert!(is_not_had(&Scene::new().say_with(SLUG, |_| ())));
}

/// DMG-07: a vehicle's gun is of who drives or guns it, or did within ten seconds, and of no passenger.
#[test]
fn a_vehicles_gun_is_of_who_fires_it() {
    let mounted = |seat, ticks: usize| {
        let mut scene = Scene::riding(seat);
        scene.players[0].riding = None;
        scene.run(ticks);
        scene.say_with(SHELL, |_| ())
    };
    assert_eq!(Scene::riding(DRIVER).say_with(SHELL, |_| ()), Ok(()));
    assert_eq!(Scene::riding(GUNNER).say_with(SHELL, |_| ()), Ok(()));
    assert!(is_not_had(&Scene::riding(PASSENGER).say_with(SHELL, |_| ())));
    assert_eq!(mounted(GUNNER, 270), Ok(()));
    assert!(is_not_had(&mounted(GUNNER, 330)));
}

/// Says that the car at the origin ran into the victim, which stands so far east, its client having the car off by that.
fn rams(scene: &mut Scene, victim: f32, off: Vec3) -> Result<(), Error> {
    scene.put(VICTIM, east(victim), 1.0);
    scene.run(1);
    scene.say_with(RAM, |said| {
        said.hit.damage.epicentre = off;
        said.hit.target += off;
        said.hit.damage.origin += off;
    })
}

/// DMG-11: a collision is of who drives, or did within ten seconds.
#[test]
fn a_collision_is_of_who_drives() {
    let parked = |ticks: usize| {
        let mut scene = Scene::riding(DRIVER);
        scene.players[0].riding = None;
        scene.run(ticks);
        rams(&mut scene, 2.0, Vec3::ZERO)
    };
    assert_eq!(parked(270), Ok(()));
    assert!(is_not_had(&parked(330)));
    assert!(is_not_had(&rams(&mut Scene::riding(GUNNER), 2.0, Vec3::ZERO)));
}

/// DMG-15: given a car of 2 wu, a target of 1 and a push of 0.5, a target within 3.5 of the car is hit and one further off is
/// not; the car is within 4 wu and its size of where the host had it, and no further.
#[test]
fn a_collision_is_where_the_car_is() {
    let ram = |victim, off| rams(&mut Scene::riding(DRIVER), victim, off);
    assert_eq!(ram(3.4, Vec3::ZERO), Ok(()));
    assert_eq!(ram(3.6, Vec3::ZERO), Err(Error::NotAtTarget));
    assert_eq!(ram(2.0, Vec3::UP * 1.9), Ok(()));
    // The target is off as far as the car: it would be elsewhere first.
    let far = |off: f32| {
        let mut scene = Scene::riding(DRIVER);
        scene.put(VICTIM, east(off + 1.0), 1.0);
        scene.run(1);
        scene.say_with(RAM, |said| said.hit.damage.epicentre = east(off))
    };
    assert_eq!(far(5.9), Ok(()));
    assert_eq!(far(6.1), Err(Error::TooFar));
}

/// DMG-12 (ours, of collisions): given a collision that deals all of its damage where the two come together at 0.4 wu a tick, when
/// the host had the car go at 0.2 and its target at 0.05 the other way, then 0.75 of it is dealt and no more; of a car that stands
/// an eighth; all of it where the tags do not say.
#[test]
fn a_collision_is_as_hard_as_it_is_fast() {
    let ram = |speeds: [f32; 2], whole_at: f32, scale: f32| {
        let mut scene = Scene::riding(DRIVER);
        scene.game.whole_at = whole_at;
        scene.put(VICTIM, east(2.0), 1.0);
        for (object, speed) in [(VEHICLE, speeds[0]), (VICTIM, -speeds[1])] {
            let row = scene.targets.iter_mut().find(|row| row.object == object).unwrap();
            row.velocity = east(speed);
        }
        scene.run(1);
        scene.say_with(RAM, |said| said.hit.damage.scale = scale).map(|_| ())
    };
    assert_eq!(ram([0.2, 0.05], 0.4, 0.749), Ok(()));
    assert_eq!(ram([0.2, 0.05], 0.4, 0.751), Err(Error::TooHard));
    assert_eq!(ram([0.0, 0.0], 0.4, 0.124), Ok(()));
    assert_eq!(ram([0.0, 0.0], 0.4, 0.126), Err(Error::TooHard));
    assert_eq!(ram([0.0, 0.0], 0.0, 1.0), Ok(()));
}

/// DMG-11, 15, 33: given a driver who changed cars since, of one kind, then what the car before ran into is dealt, and by that
/// car; so is what the new one does, and what neither can have is refused.
#[test]
fn a_driver_who_changes_cars_has_hit_with_both() {
    const NEXT: ObjectId = object(4);
    let changed = |at: f32, late: usize| {
        let mut scene = Scene::riding(DRIVER);
        scene.put(VICTIM, east(at + 2.0), 1.0);
        scene.put(NEXT, east(100.0), 2.0);
        scene.run(1);
        let mut said = scene.report(RAM);
        said.hit.damage.epicentre = east(at);
        scene.players[0].place = east(100.0);
        let riding = scene.players[0].riding.unwrap();
        scene.players[0].riding = Some(Riding { vehicle: NEXT, ..riding });
        scene.run(late);
        said.heard = said.heard.max(scene.now.minus(30));
        scene.say(&said).map(|hit| hit.damage.owner_object.unwrap())
    };
    assert_eq!(changed(0.0, 10), Ok(VEHICLE));
    assert_eq!(changed(100.0, 10), Ok(NEXT));
    assert_eq!(changed(50.0, 10), Err(Error::TooFar));
    assert_eq!(changed(0.0, 300), Ok(VEHICLE));
    assert_eq!(changed(0.0, 301), Err(Error::TooFar), "ten seconds ago");
}

/// DMG-15: a car that had left a place before the report was made hit nothing from there.
#[test]
fn a_car_hits_from_where_it_was_since() {
    let since = |ago: i32| {
        let mut scene = Scene::riding(DRIVER);
        scene.put(VICTIM, east(2.0), 1.0);
        scene.run(1);
        scene.put(VEHICLE, Vec3::UP * 40.0, 2.0);
        scene.run(10);
        scene.say_with(RAM, |said| {
            said.hit.damage.epicentre = Vec3::ZERO;
            said.heard = tick(said.heard.get() - ago);
        })
    };
    assert_eq!(since(10), Ok(()));
    assert_eq!(since(9), Err(Error::TooFar));
}

/// DMG-15: the origin of a collision is at what it hit.
#[test]
fn a_collision_hits_what_it_touches() {
    let at = |off: f32| {
        let mut scene = Scene::riding(DRIVER);
        scene.put(VICTIM, east(3.0), 1.0);
        scene.run(1);
        scene.say_with(RAM, |said| said.hit.damage.origin = east(3.0 - off))
    };
    assert_eq!(at(0.9), Ok(()));
    assert_eq!(at(1.1), Err(Error::NotAtTarget));
}

/// DMG-15: a driver's machine is ahead: a car that has gone on since, or is gone, hit from where it was.
#[test]
fn a_car_that_went_on_hit_from_where_it_was() {
    let gone_on = |ticks: usize| {
        let mut scene = Scene::riding(DRIVER);
        scene.put(VICTIM, east(2.0), 1.0);
        scene.run(1);
        let said = {
            let mut said = scene.report(RAM);
            said.hit.damage.epicentre = Vec3::ZERO;
            said
        };
        scene.put(VEHICLE, Vec3::UP * 40.0, 2.0);
        scene.run(ticks);
        scene.game.targets.retain(|(of, _)| *of != VEHICLE);
        scene.say(&said).map(|_| ())
    };
    assert_eq!(gone_on(20), Ok(()));
    // A round trip of 6 ticks and a second are looked back, and 32 ticks kept.
    assert_eq!(gone_on(31), Ok(()));
    assert_eq!(gone_on(32), Err(Error::TooFar));
}

/// DMG-08, 09, 10: a grenade deals nothing until it is thrown, and then once, all that it deals in that tick with it.
#[test]
fn a_grenade_deals_once_it_was_thrown() {
    let throw = [Throw { slot: slot(1), grenade: FRAG }];
    let mut scene = Scene::new();
    for _ in 0..10 {
        assert!(is_not_had(&scene.say_with(FRAG_BLAST, |_| ())));
    }
    scene.put(STRIKER, east(11.0), 1.0);
    scene.tick(&throw);
    scene.run(30);
    let heard = scene.now;
    for effect in [FRAG_BLAST, FRAG_WAVE] {
        for object in [VICTIM, STRIKER] {
            let mut said = scene.report_on(effect, object);
            said.hit.damage.epicentre = east(10.5);
            said.hit.damage.origin = east(10.5);
            assert!(scene.say(&said).is_ok());
            assert_eq!(scene.say(&said), Err(Error::HitTwice));
        }
    }
    scene.run(1);
    assert_eq!(scene.say_with(FRAG_BLAST, |_| ()), Err(Error::NotThrown));
    assert_eq!(scene.say_with(FRAG_WAVE, |said| said.heard = tick(heard.get() - 1)), Err(Error::NotThrown));

    let thrown = |ticks: usize| {
        let mut scene = Scene::new();
        scene.tick(&throw);
        scene.run(ticks);
        scene.say_with(FRAG_BLAST, |_| ())
    };
    assert_eq!(thrown(270), Ok(()));
    assert_eq!(thrown(330), Err(Error::NotThrown));
}

/// DMG-09: given a damage whose radius is no number, by a fault of the game's tags, then a throw of it goes off once all the
/// same, and is once paid for.
#[test]
fn a_grenade_of_faulty_tags_goes_off_once() {
    let mut scene = Scene::new();
    scene.tick(&[Throw { slot: slot(1), grenade: FRAG }]);
    assert_eq!(scene.say_with(FAULT, |_| ()), Ok(()));
    assert_eq!(scene.say_with(FAULT, |_| ()), Err(Error::HitTwice));
    scene.run(1);
    assert_eq!(scene.say_with(FAULT, |_| ()), Err(Error::NotThrown));
}

/// DMG-08, 63: what was thrown for a slot that nobody plays, as by who leaves in that tick, is not of who comes next.
#[test]
fn a_throw_of_nobodys_is_nobodys() {
    let throw = [Throw { slot: slot(1), grenade: FRAG }];
    let mut scene = Scene::new();
    let row = scene.players.remove(0);
    scene.tick(&throw);
    scene.players.insert(0, row);
    scene.run(1);
    assert!(is_not_had(&scene.say_with(FRAG_BLAST, |_| ())));
    scene.tick(&throw);
    assert_eq!(scene.say_with(FRAG_BLAST, |_| ()), Ok(()));
}

/// DMG-14: given the host's player at the origin, a blow whose head or body is 3.9 wu off is dealt, and at 4.1 refused.
#[test]
fn a_blow_is_struck_where_the_player_is() {
    let blow = |head: f32, body: f32| {
        let mut scene = Scene::new();
        scene.put(VICTIM, east(5.0), 1.0);
        scene.run(1);
        scene.say_with(PUNCH, |said| {
            said.hit.damage.origin = east(head);
            said.hit.damage.epicentre = east(body);
        })
    };
    assert_eq!(blow(3.9, 3.5), Ok(()));
    assert_eq!(blow(4.1, 3.5), Err(Error::TooFar));
    assert_eq!(blow(3.5, 3.9), Ok(()));
    assert_eq!(blow(3.5, 4.1), Err(Error::TooFar));
}

/// DMG-16: given a blow of 1 wu and a target of 1, it hits within 2 wu of the head or of the body, and not from further off.
#[test]
fn a_blow_reaches_so_far() {
    let blow = |head: f32, body: f32| {
        let mut scene = Scene::new();
        scene.put(VICTIM, east(3.0), 1.0);
        scene.run(1);
        scene.say_with(PUNCH, |said| {
            said.hit.damage.origin = east(3.0 - head);
            said.hit.damage.epicentre = east(3.0 - body);
        })
    };
    assert_eq!(blow(1.9, 2.1), Ok(()));
    assert_eq!(blow(2.1, 1.9), Ok(()));
    assert_eq!(blow(2.1, 2.1), Err(Error::NotAtTarget));
}

/// What becomes of a shot that hit the victim so far east.
fn shoots(scene: &mut Scene, effect: mjolnir_wire::Tag, at: f32) -> Result<(), Error> {
    scene.put(VICTIM, east(at), 1.0);
    scene.run(1);
    scene.say_with(effect, |_| ())
}

/// DMG-17, 20: given a range of 100 wu, a shot hits at 105.9 and not at 106.1, whatever stands between: the game is asked for
/// what was hit and for nothing else. What a shot sets off goes off from where it ended.
#[test]
fn a_shot_hits_within_its_range() {
    let mut scene = Scene::new();
    assert_eq!(shoots(&mut scene, BULLET, 105.9), Ok(()));
    assert_eq!(scene.game.asked.get(), 1);
    assert_eq!(shoots(&mut Scene::new(), BULLET, 106.1), Err(Error::TooFar));
    assert_eq!(shoots(&mut Scene::new(), SPARK, 115.9), Ok(()));
    assert_eq!(shoots(&mut Scene::new(), SPARK, 116.1), Err(Error::TooFar));
}

/// DMG-17: of who rides a vehicle of 2 wu a shot may come from anywhere in it.
#[test]
fn a_rider_shoots_from_its_vehicle() {
    assert_eq!(shoots(&mut Scene::riding(PASSENGER), BULLET, 107.9), Ok(()));
    assert_eq!(shoots(&mut Scene::riding(PASSENGER), BULLET, 108.1), Err(Error::TooFar));
}

/// DMG-19: what sticks hits wherever what it sticks to carried it.
#[test]
fn what_sticks_hits_anywhere() {
    assert_eq!(shoots(&mut Scene::new(), STUCK, 300.0), Ok(()));
    assert_eq!(shoots(&mut Scene::new(), BLAST, 300.0), Err(Error::TooFar));
}

/// Moves the striker 500 wu off, so long ago, and says that it hit the victim beside where it was.
fn left(
    effect: mjolnir_wire::Tag,
    ticks: usize,
    change: impl FnOnce(&mut Scene, &mut i32),
) -> Result<(), Error> {
    let mut scene = Scene::new();
    scene.players[0].place = east(-500.0);
    scene.run(ticks);
    let mut heard = 0;
    change(&mut scene, &mut heard);
    scene.say_with(effect, |said| said.heard = tick(said.heard.get() - heard))
}

/// DMG-18: given a rocket that flies nine seconds, when it was fired from a place that was left nine seconds ago, then it hits;
/// the place is looked for that long before the report was made and no longer. A shot that hits at once is of where its
/// player is.
#[test]
fn a_rocket_flies_from_where_it_was_fired() {
    assert_eq!(left(BLAST, 270, |_, _| ()), Ok(()));
    // Each third tick is kept, and the last before: up to two ticks more.
    assert_eq!(left(BLAST, 273, |_, _| ()), Err(Error::TooFar));
    assert_eq!(left(BLAST, 300, |_, heard| *heard = 30), Ok(()));
    assert_eq!(left(BULLET, 3, |_, _| ()), Err(Error::TooFar));
}

/// DMG-18: given a round trip of 6 ticks, when a report says that it is 80 ticks old, then its player is looked for 36 ticks
/// back and no further.
#[test]
fn no_report_looks_back_past_a_round_trip_and_a_second() {
    let old = |ticks| left(BULLET, ticks, |_, heard| *heard = 80);
    assert_eq!(old(35), Ok(()));
    assert_eq!(old(39), Err(Error::TooFar));
    let unknown = |ticks| {
        left(BULLET, ticks, |scene, heard| {
            scene.round_trip = None;
            *heard = 80;
        })
    };
    assert_eq!(unknown(29), Ok(()));
    assert_eq!(unknown(33), Err(Error::TooFar));
}

/// DMG-63: given a player who left, or whose slot another machine's player took, what it carried deals nothing for who comes
/// next.
#[test]
fn who_comes_next_is_another() {
    let bare = |row: &PlayerRow| PlayerRow { weapons: [None; 4], ..*row };
    let mut scene = Scene::new();
    scene.host.remove(slot(1));
    assert_eq!(scene.say_with(BULLET, |_| ()), Err(Error::NotOwned));
    scene.players[0] = bare(&scene.players[0]);
    scene.run(1);
    assert!(is_not_had(&scene.say_with(BULLET, |_| ())));

    let mut scene = Scene::new();
    scene.players[0] = PlayerRow { machine: machine(5), ..bare(&scene.players[0]) };
    scene.run(1);
    let said = scene.report(BULLET);
    assert_eq!(scene.say(&said), Err(Error::NotOwned));
    let by_next = scene.host.handle_report(scene.now, machine(5), None, &said, &scene.game);
    assert!(is_not_had(&by_next));

    // Neither is it where that one was, nor does it lack what that one fired.
    let mut scene = Scene::new();
    while scene.say_with(BULLET, |_| ()).is_ok() {}
    assert_eq!(scene.say_with(BULLET, |_| ()), Err(Error::TooFast));
    scene.host.remove(slot(1));
    scene.run(1);
    assert_eq!(scene.say_with(BULLET, |_| ()), Ok(()));
    scene.host.remove(slot(1));
    scene.players[0].place = east(-500.0);
    scene.run(1);
    assert_eq!(scene.say_with(BLAST, |_| ()), Err(Error::TooFar));

    let mut scene = Scene::new();
    let row = scene.players.remove(0);
    scene.run(1);
    assert_eq!(scene.say_with(BULLET, |_| ()), Err(Error::NotOwned));
    scene.players.insert(0, bare(&row));
    scene.run(1);
    assert!(is_not_had(&scene.say_with(BULLET, |_| ())));
}
