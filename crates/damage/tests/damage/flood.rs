//! Many reports: what they cost, what they may deal, and that nothing of them breaks the host.

use std::collections::HashMap;

use mjolnir_damage::{Error, Seat, Throw};
use mjolnir_wire::damage::{Damage, Hit, HitReport, Parts};
use mjolnir_wire::{Tag, Vec3};
use proptest::prelude::*;

use crate::scene::*;

/// What a report is changed to.
type Lie<'a> = &'a dyn Fn(&mut HitReport);

/// DMG-25: all pellets of a shot are dealt; a rifle that fires twelve a second is at twelve a second and refused beyond its
/// quarter of a margin.
#[test]
fn a_weapon_hits_as_often_as_it_fires() {
    let mut scene = Scene::new();
    for pellet in 0..15 {
        assert_eq!(scene.say_with(PELLET, |_| ()), Ok(()), "{pellet}");
    }
    // For twenty seconds, so many reports in ten ticks.
    let dealt = |in_ten: i32| {
        let mut scene = Scene::new();
        let mut dealt = 0;
        for now in 0..600 {
            scene.run(1);
            for _ in 0..(now + 1) * in_ten / 10 - now * in_ten / 10 {
                match scene.say_with(BULLET, |_| ()) {
                    Ok(()) => dealt += 1,
                    other => assert_eq!(other, Err(Error::TooFast)),
                }
            }
        }
        dealt
    };
    assert_eq!(dealt(4), 240);
    assert_eq!(dealt(5), 300);
    // 15 a second, and a second of fire at once.
    let most = dealt(20);
    assert!((300..=320).contains(&most), "{most}");
}

/// DMG-26: given a rocket that hits five, one charge is paid; each other one costs as much.
#[test]
fn an_explosion_costs_once() {
    let mut scene = Scene::new();
    for index in 10..15 {
        scene.put(object(index), east(10.0 + f32::from(index) * 0.01), 1.0);
    }
    scene.run(1);
    let blast = |scene: &mut Scene, index: u16, up: f32| {
        let mut said = scene.report_on(BLAST, object(index));
        said.hit.damage.epicentre = east(10.0) + Vec3::UP * up;
        said.hit.damage.origin = said.hit.damage.epicentre;
        scene.say(&said).map(|_| ())
    };
    for index in 10..15 {
        assert_eq!(blast(&mut scene, index, 0.0), Ok(()));
    }
    // DMG-27: none is hit by it again.
    assert_eq!(blast(&mut scene, 12, 0.0), Err(Error::HitTwice));
    // The next ones cost: of the two that there are at once one is left.
    let more = (1..20).filter(|at| blast(&mut scene, 10, *at as f32 * 0.1).is_ok()).count();
    assert_eq!(more, 1);
    assert_eq!(blast(&mut scene, 10, 2.5), Err(Error::TooFast));
}

/// DMG-27: the explosions of each player's reports are told apart on their own.
#[test]
fn two_players_explosions_are_two() {
    let mut scene = Scene::new();
    let said = scene.report(BLAST);
    assert!(scene.say(&said).is_ok());
    assert_eq!(scene.say(&said), Err(Error::HitTwice));
    let mut other = said;
    other.hit.damage.owner = Some(slot(2));
    let by = |scene: &mut Scene| scene.host.handle_report(scene.now, machine(2), None, &other, &scene.game);
    assert!(by(&mut scene).is_ok());
    assert_eq!(by(&mut scene), Err(Error::HitTwice));
}

/// DMG-28: given a thousand lies in a tick, when a report is right, then nothing is left to pay it with; no more lies than are
/// paid for were looked through. Who else plays pays for nothing.
#[test]
fn a_flood_costs_its_sender() {
    let mut scene = Scene::new();
    let mut reasons = HashMap::new();
    for _ in 0..1000 {
        let lie = scene.say_with(BULLET, |said| {
            said.hit.target += Vec3::UP * 10.0;
            said.hit.damage.origin = said.hit.target;
            said.hit.damage.epicentre = said.hit.target;
        });
        *reasons.entry(lie.unwrap_err()).or_insert(0) += 1;
    }
    let looked = reasons[&Error::TargetElsewhere];
    assert!((12..=15).contains(&looked), "{reasons:?}");
    assert_eq!(reasons[&Error::TooFast], 1000 - looked);
    assert_eq!(scene.say_with(BULLET, |_| ()), Err(Error::TooFast));

    let mut other = scene.report_on(BULLET, STRIKER);
    other.hit.damage.owner = Some(slot(2));
    assert!(scene.host.handle_report(scene.now, machine(2), None, &other, &scene.game).is_ok());
    scene.run(30);
    assert_eq!(scene.say_with(BULLET, |_| ()), Ok(()));
}

/// DMG-28: given one explosion that is said of the same object over and over, then it is looked through once.
#[test]
fn a_lie_about_an_explosion_is_looked_through_once() {
    let mut scene = Scene::new();
    let lie = |scene: &mut Scene| {
        scene.say_with(BLAST, |said| {
            said.hit.target += Vec3::UP * 10.0;
            said.hit.damage.origin = said.hit.target;
            said.hit.damage.epicentre = said.hit.target;
        })
    };
    assert_eq!(lie(&mut scene), Err(Error::TargetElsewhere));
    for _ in 0..100 {
        assert_eq!(lie(&mut scene), Err(Error::HitTwice));
    }
}

/// DMG-55: given five reports that each break a rule, then each is rejected, for its reason; what was reported was dealt or
/// rejected.
#[test]
fn each_refusal_has_its_reason() {
    let mut scene = Scene::new();
    let lies: [(Lie<'_>, Error); 5] = [
        (&|said| said.hit.damage.owner = Some(slot(2)), Error::NotOwned),
        (&|said| said.heard = said.heard.next(), Error::FromTheFuture),
        (&|said| said.hit.damage.scale = 2.0, Error::TooHard),
        (&|said| said.hit.parts.node = Some(40), Error::NoSuchPart),
        (&|said| said.hit.damage.origin += Vec3::UP, Error::WrongShape),
    ];
    for (lie, reason) in lies {
        assert_eq!(scene.say_with(BULLET, lie), Err(reason));
    }
    assert_eq!(scene.say_with(BULLET, |_| ()), Ok(()));
    let counts = scene.host.counts();
    assert_eq!((counts.reported, counts.dealt, counts.rejected), (6, 1, 5));
}

/// DMG-28: what costs nothing is refused first: a report that breaks two rules is refused for the cheaper.
#[test]
fn the_cheap_comes_first() {
    let elsewhere = |said: &mut HitReport| said.hit.target += Vec3::UP * 50.0;
    let shapeless = |said: &mut HitReport| said.hit.damage.origin += Vec3::UP;
    let mut scene = Scene::new();
    scene.game.haste = 100.0;
    let mut breaks =
        |lies: &[Lie<'_>]| scene.say_with(BULLET, |said| lies.iter().for_each(|lie| lie(said))).unwrap_err();
    let foreign = |said: &mut HitReport| said.hit.damage.owner = Some(slot(2));
    let future = |said: &mut HitReport| said.heard = said.heard.next();
    let hard = |said: &mut HitReport| said.hit.damage.scale = 9.0;
    let partless = |said: &mut HitReport| said.hit.parts.region = Some(9);
    let in_order: [(Lie<'_>, Error); 6] = [
        (&foreign, Error::NotOwned),
        (&future, Error::FromTheFuture),
        (&hard, Error::TooHard),
        (&partless, Error::NoSuchPart),
        (&shapeless, Error::WrongShape),
        (&elsewhere, Error::NotAtTarget),
    ];
    for (first, (cheap, reason)) in in_order.iter().enumerate() {
        for (dear, _) in &in_order[first..] {
            assert_eq!(breaks(&[*cheap, *dear]), *reason);
        }
    }
}

/// A steady tick of 128 players and 64 vehicles, and reports that are dealt and refused in it, allocate nothing.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::riding(Seat { drives: true, guns: false });
    scene.players.extend((3..128).map(|index| player(index, object(u16::from(index) + 100), Vec3::UP)));
    (3..128).for_each(|index| scene.put(object(index + 100), Vec3::UP * 30.0, 1.0));
    (0..63).for_each(|index| scene.put(object(index + 300), Vec3::UP * 30.0, 2.0));
    scene.put(VICTIM, east(2.0), 1.0);
    scene.game.haste = 20.0;
    let mut run = |now: usize| {
        scene.run(1);
        for effect in [BULLET, RAM, BLAST, WAVE, SHELL, PUNCH] {
            let _ = scene.say_with(effect, |said| said.hit.damage.epicentre = east(1.5));
            let _ = scene.say_with(effect, |_| ());
            let _ = scene.say_with(effect, |said| said.hit.target += Vec3::UP * (now % 5) as f32);
        }
    };
    (0..400).for_each(&mut run);
    let info = allocation_counter::measure(|| (400..460).for_each(&mut run));
    assert_eq!(info.count_total, 0);
    assert!(scene.host.counts().dealt > 500, "{:?}", scene.host.counts());
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -20.0_f32..20.0,
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, -0.0, f32::MAX, f32::MIN, 1.0e-45, f32::NAN, f32::INFINITY]),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

fn part() -> impl Strategy<Value = Option<u16>> {
    prop::option::of(prop_oneof![0_u16..30, any::<u16>()])
}

fn any_report() -> impl Strategy<Value = HitReport> {
    let of = (
        101_u32..115,
        any::<u32>(),
        prop::option::of(prop_oneof![9 => 1_u8..3, 1 => 0_u8..128]),
        part(),
        prop::option::of(1_u16..8000),
    );
    let at = (vector(), vector(), vector(), vector(), prop::option::of(vector()), any::<bool>());
    let how = (number(), number(), number(), part(), part(), part(), part());
    (of, at, how, 1_u16..6, 300_i32..640).prop_map(|(of, at, how, index, heard)| {
        let (effect, flags, owner, team, owner_object) = of;
        let (origin, epicentre, direction, target, normal, is_point) = at;
        let (scale, multiplier, material_effect_scale, material, node, region, body) = how;
        let damage = Damage {
            effect: Tag(effect),
            flags,
            owner: owner.map(slot),
            team,
            owner_object: owner_object.map(object),
            origin: if is_point { epicentre } else { origin },
            epicentre,
            direction,
            scale: if is_point { scale.abs().min(1.0) } else { scale },
            multiplier,
            material_effect_scale,
            material,
        };
        let parts = if is_point { Parts::default() } else { Parts { node, region, material: body } };
        let hit = Hit { object: object(index), damage, target, normal, parts };
        HitReport { hit, heard: tick(heard) }
    })
}

proptest! {
    /// DMG-55: whatever a report says, nothing panics, each is dealt or rejected, and what is dealt is within what can be.
    #[test]
    fn any_report_is_dealt_or_refused(
        reports in prop::collection::vec((any_report(), any::<bool>(), number()), 1..60),
    ) {
        let mut scene = Scene::riding(Seat { drives: true, guns: true });
        scene.game.haste = 50.0;
        let mut dealt = 0;
        for (at, (report, passes, trip)) in reports.iter().enumerate() {
            scene.round_trip = Some(*trip);
            if *passes {
                scene.tick(&[Throw { slot: slot(1), grenade: FRAG }]);
            }
            // One in three is right but for where it is.
            let mut said = *report;
            if at % 3 == 0 {
                said = scene.report(report.hit.damage.effect);
                said.hit.target = report.hit.target;
            }
            let by = machine(said.hit.damage.owner.map_or(1, |owner| owner.get()));
            let trip = scene.round_trip;
            if let Ok(hit) = scene.host.handle_report(scene.now, by, trip, &said, &scene.game) {
                dealt += 1;
                let damage = hit.damage;
                prop_assert!((0.0..=1.5).contains(&damage.scale));
                prop_assert!((damage.direction.length() - 1.0).abs() < 1e-5);
                prop_assert_eq!(damage.flags & !(CLIENT_FLAGS | AREA_FLAG), 0);
                prop_assert_eq!(damage.multiplier, 1.0);
                prop_assert!(hit.target.is_finite() && damage.origin.is_finite() && damage.epicentre.is_finite());
            }
        }
        let counts = scene.host.counts();
        prop_assert_eq!(counts.reported, reports.len() as u64);
        prop_assert_eq!((counts.dealt, counts.dealt + counts.rejected), (dealt, counts.reported));
    }
}
