//! What a report comes to as the game deals it: what is the host's in it.

use mjolnir_damage::{AreaForm, Seat};
use mjolnir_wire::damage::Hit;
use mjolnir_wire::{Tag, Vec3};

use crate::scene::*;

fn dealt(effect: Tag, change: impl FnOnce(&mut Hit)) -> Hit {
    let mut scene = Scene::new();
    let mut said = scene.report(effect);
    change(&mut said.hit);
    scene.say(&said).unwrap()
}

/// DMG-29: given a report with every flag, only those that a client's hit may have are dealt.
#[test]
fn only_a_clients_flags_are_dealt() {
    assert_eq!(dealt(BULLET, |hit| hit.damage.flags = u32::MAX).damage.flags, CLIENT_FLAGS);
    assert_eq!(dealt(BULLET, |hit| hit.damage.flags = 0b1010).damage.flags, 0b0010);
    assert_eq!(dealt(BULLET, |hit| hit.damage.flags = 0).damage.flags, 0);
}

/// DMG-30: what is dealt as area damage alone is, what is dealt to what it hit alone is, and what is dealt either way is as the
/// report says, whether a client's hit may have that flag or not.
#[test]
fn area_damage_is_as_the_game_deals_it() {
    for (effect, form) in [(BULLET, AreaForm::Direct), (BLAST, AreaForm::Area), (WAVE, AreaForm::Both)] {
        for (said, client) in [(0, 0), (AREA_FLAG, 0), (0, AREA_FLAG), (AREA_FLAG, AREA_FLAG)] {
            let mut scene = Scene::new();
            scene.game.flags.client = client;
            let mut report = scene.report(effect);
            report.hit.damage.flags = said;
            let flags = scene.say(&report).unwrap().damage.flags;
            let expected = match form {
                AreaForm::Direct => 0,
                AreaForm::Area => AREA_FLAG,
                AreaForm::Both => said,
            };
            assert_eq!(flags, expected, "{form:?} said as {said}");
        }
    }
}

/// DMG-31: an explosion goes from its epicentre to the target's centre where the client had it, and is no harder than its
/// fall-off leaves there; one that does not fall off is as hard as it says.
#[test]
fn an_explosion_goes_to_its_targets_centre() {
    let blast = |effect, scale: f32| {
        let mut scene = Scene::new();
        scene.game.targets[1].1.centre = Vec3::UP * 0.5;
        let mut said = scene.report(effect);
        // The client has its target 1 wu up, the explosion is 1.5 wu under its centre: half of 3.
        said.hit.target += Vec3::UP;
        said.hit.damage.epicentre = said.hit.target - Vec3::UP;
        said.hit.damage.origin = said.hit.damage.epicentre;
        said.hit.damage.direction = Vec3::new(9.0, 9.0, 9.0);
        said.hit.damage.scale = scale;
        scene.say(&said).unwrap().damage
    };
    assert_eq!(blast(BLAST, 1.0).direction, Vec3::UP);
    assert_eq!(blast(BLAST, 1.0).scale, 0.5);
    assert_eq!(blast(BLAST, 0.51).scale, 0.5);
    assert_eq!(blast(BLAST, 0.49).scale, 0.49);
    assert_eq!(blast(WAVE, 1.0).scale, 1.0);
    assert_eq!(blast(WAVE, 1.0).direction, Vec3::UP);
}

/// DMG-31: in its target's very centre an explosion has a direction all the same.
#[test]
fn an_explosion_in_a_centre_throws_up() {
    let damage = dealt(BLAST, |_| ()).damage;
    assert_eq!((damage.direction, damage.scale), (Vec3::UP, 1.0));
}

/// DMG-32: any other's direction is as the report has it, one long.
#[test]
fn a_direction_is_dealt_one_long() {
    let direction = |said: Vec3| dealt(BULLET, |hit| hit.damage.direction = said).damage.direction;
    assert_eq!(direction(Vec3::new(0.0, 0.0, 5.0)), Vec3::UP);
    let long = direction(Vec3::new(0.0, -3.0e30, 4.0e30));
    assert!(long.distance(Vec3::new(0.0, -0.6, 0.8)) < 1e-6, "{long:?}");
}

/// DMG-33: multiplier, team and owner are the host's, whatever a report says.
#[test]
fn multiplier_team_and_owner_are_the_hosts() {
    let mut scene = Scene::new();
    scene.players[0].multiplier = 2.0;
    scene.players[0].team = Some(4);
    scene.run(1);
    let mut said = scene.report(BULLET);
    said.hit.damage.multiplier = 100.0;
    said.hit.damage.team = Some(9);
    said.hit.damage.owner_object = Some(VICTIM);
    let damage = scene.say(&said).unwrap().damage;
    assert_eq!((damage.multiplier, damage.team), (2.0, Some(4)));
    assert_eq!((damage.owner, damage.owner_object), (Some(slot(1)), Some(STRIKER)));

    // Of one who died meanwhile it is the unit that was, of a driver's gun the vehicle.
    scene.players[0].unit = None;
    scene.players[0].team = None;
    scene.run(10);
    let damage = scene.say(&scene.report(BULLET)).unwrap().damage;
    assert_eq!((damage.owner_object, damage.team), (Some(STRIKER), None));
    let mut scene = Scene::riding(Seat { drives: true, guns: false });
    assert_eq!(scene.say(&scene.report(SHELL)).unwrap().damage.owner_object, Some(VEHICLE));
    assert_eq!(scene.say(&scene.report(BULLET)).unwrap().damage.owner_object, Some(STRIKER));
}

/// DMG-31: given a game whose fall-off is no share, then an explosion heals nobody and is no harder than was said.
#[test]
fn a_fall_off_that_is_no_share_is_none() {
    for (leaves, scale) in [(-1.0, 0.0), (f32::NAN, 0.0), (f32::NEG_INFINITY, 0.0), (7.0, 0.75)] {
        let mut scene = Scene::new();
        scene.game.leaves = Some(leaves);
        let mut said = scene.report(BLAST);
        said.hit.damage.scale = 0.75;
        assert_eq!(scene.say(&said).unwrap().damage.scale, scale, "{leaves}");
    }
}

/// DMG-26, 31, 32: a blow that reaches further than a point is no explosion: it goes where it says, and each is paid for.
#[test]
fn a_sweeping_blow_is_no_explosion() {
    let mut scene = Scene::new();
    scene.put(VICTIM, east(1.0), 1.0);
    scene.run(1);
    let mut said = scene.report(SWEEP);
    said.hit.damage.direction = Vec3::UP * 3.0;
    assert_eq!(scene.say(&said).unwrap().damage.direction, Vec3::UP);
    // Two a second: two more may come at once, and no fourth.
    assert_eq!([(); 3].map(|()| scene.say(&said).is_ok()), [true, true, false]);
}

/// DMG-62: what is the client's in a hit is dealt as it said, a normal too where there is one.
#[test]
fn the_rest_is_dealt_as_it_was_said() {
    let mut scene = Scene::new();
    let mut said = scene.report(BULLET);
    said.hit.normal = Some(Vec3::UP);
    said.hit.parts.node = Some(1);
    said.hit.damage.material = Some(3);
    said.hit.damage.scale = 0.25;
    let hit = scene.say(&said).unwrap();
    assert_eq!(
        (hit.object, hit.target, hit.normal, hit.parts),
        (VICTIM, east(10.0), said.hit.normal, said.hit.parts)
    );
    assert_eq!((hit.damage.material, hit.damage.scale, hit.damage.effect), (Some(3), 0.25, BULLET));
    assert_eq!((hit.damage.origin, hit.damage.epicentre), (east(10.0), east(10.0)));
}
