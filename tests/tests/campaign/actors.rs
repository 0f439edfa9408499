//! Actors of the host's on its clients, end to end.

use std::collections::{BTreeMap, VecDeque};

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::effects::ROUND;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::{Fate, Lab, Who};
use mjolnir_wire::damage::{AnimationKind, Damage, Hit, Parts};
use mjolnir_wire::{Input, ObjectId, Vec3};

use crate::stage::{late, millis, stage, ticks, when};

fn units(world: &World, squad: &str) -> Vec<ObjectId> {
    world.squad_units(world.squad_named(squad).unwrap()).collect()
}

/// A damage of the host's player's to that unit, in the next tick.
fn strike(lab: &mut Lab, unit: ObjectId, scale: f32) {
    let by = lab.host.slot();
    let world = lab.host.engine.world_mut();
    let shape = world.shape(unit).unwrap();
    let at = shape.place + shape.centre;
    let damage = Damage {
        effect: ROUND.tag,
        flags: 0,
        owner: Some(by),
        team: None,
        owner_object: world.unit(by),
        origin: at,
        epicentre: at,
        direction: Vec3::new(1.0, 0.0, 0.0),
        scale,
        multiplier: 1.0,
        material_effect_scale: 1.0,
        material: None,
    };
    let parts = Parts { node: Some(0), region: None, material: None };
    world.strike(Hit { object: unit, damage, target: shape.place, normal: None, parts });
}

/// OBJ-34: with 100 ms each way each actor near a client's player is driven there, in each tick, with what the host's drove it with a
/// little before: within the way and two ticks, and one of the clocks' phase.
#[test]
fn actors_are_driven_as_on_the_host() {
    let mut lab = stage("script main\nsquad east\nsquad west\nend\n", 30, 1, (100, 0.0));
    let slot = lab.clients[0].slot();
    assert!(lab.host.engine.world_mut().move_to(slot, Vec3::new(0.0, 30.0, 0.0)));
    lab.run_ticks(60);
    let of = |world: &World| -> BTreeMap<ObjectId, Input> {
        world.actors().map(|(unit, actor)| (unit, actor.control().input)).collect()
    };
    let is_alike = |there: &Input, here: &Input| {
        let near = |there: f32, here: f32| (there - here).abs() < 0.02 || (there - here).abs() > 6.26;
        let sticks = near(there.throttle[0], here.throttle[0]) && near(there.throttle[1], here.throttle[1]);
        let aims = near(there.yaw, here.yaw) && near(there.pitch, here.pitch);
        there.buttons == here.buttons && sticks && aims && near(there.trigger, here.trigger)
    };
    let (mut past, mut compared, mut oldest, mut fired) = (VecDeque::new(), 0, 0, 0);
    lab.watch_ticks(300, |lab, who| {
        if who == Who::Host {
            past.push_front(of(lab.host.engine.world()));
            past.truncate(30);
            // It lives through it.
            lab.host.engine.world_mut().set_health(slot, 1.0);
            return;
        }
        let world = lab.clients[0].engine.world();
        let Some(here) = world.position(slot) else { return };
        let near = |unit: ObjectId| world.placement(unit).is_some_and(|at| at.position.distance(here) < 20.0);
        for (unit, input) in of(world).into_iter().filter(|(unit, _)| near(*unit)) {
            let has = |past: &BTreeMap<ObjectId, Input>| {
                past.get(&unit).is_some_and(|there| is_alike(there, &input))
            };
            // One that is dead on the host is driven until that is heard.
            if past.len() == 30 && past[0].contains_key(&unit) {
                oldest = oldest.max(past.iter().position(has).unwrap_or(30));
                compared += 1;
                fired += u32::from(input.trigger > 0.0 || input.buttons != mjolnir_wire::Buttons::default());
            }
        }
    });
    println!("{compared} compared, {fired} with something held, {oldest} ticks old at most");
    assert!(compared > 1000 && fired > 50 && oldest <= 3 + 2 + 1, "{compared} {fired} {oldest}");
}

/// OBJ-28, DMG-50: an actor's light goes on and off on every client within the way and three ticks; killed, it is a body there as
/// soon, which no actor drives.
#[test]
fn lights_and_deaths_are_told_at_once() {
    let mut lab = stage("script main\nsquad foes\nend\n", 31, 2, (100, 0.0));
    lab.run_ticks(60);
    let unit = units(lab.host.engine.world(), "foes")[0];
    // One of rank has its light on while it fights: whoever comes near, and is then brought away or dead.
    let host = lab.host.slot();
    assert!(lab.host.engine.world_mut().move_to(host, Vec3::new(40.0, 50.0, 0.0)));
    for (on, within) in [(true, 60), (false, 900)] {
        let all = when(&mut lab, within, |world| world.light(unit) == Some(on));
        assert!(late(&all).iter().all(|late| *late <= millis(100) + ticks(3)), "{on}: {all:?}");
        lab.host.engine.world_mut().move_to(host, Vec3::new(-50.0, -50.0, 0.0));
    }
    assert!(lab.host.engine.world_mut().kill_actor(unit));
    let all = when(&mut lab, 60, |world| !world.stands(unit) && world.actor(unit).is_none());
    // A death waits for the blow that goes with it, where one is told.
    assert!(late(&all).iter().all(|late| *late <= millis(100) + ticks(18)), "{all:?}");
}

/// OBJ-29: an actor of rank has its variant and its bitmap on every client, and one that is none has not.
#[test]
fn a_major_looks_so_on_every_machine() {
    let mut lab = stage("script main\nsquad foes\nsquad west\nend\n", 32, 2, (50, 5.0));
    lab.run_ticks(60);
    let host = lab.host.engine.world();
    for (squad, is_major) in [("foes", true), ("west", false)] {
        for unit in units(host, squad) {
            let looks = host.describe(unit).unwrap().looks;
            assert_eq!(looks.shader_permutation != 0, is_major);
            for seat in &lab.clients {
                assert_eq!(seat.engine.world().describe(unit).unwrap().looks, looks);
            }
        }
    }
}

/// OBJ-38, 50: of 100 hits on an actor, with a fifth of datagrams lost but never two of a machine one after another, each client shows each
/// flinch that the host picked, once and in its order, and in the end what the unit shows of its damage as the host does.
#[test]
fn an_actors_flinches_are_the_hosts() {
    let mut lab = stage("script main\nsquad foes\nend\n", 33, 2, (40, 0.0));
    lab.run_ticks(60);
    for (seed, seat) in (34..).zip(&mut lab.clients) {
        let (mut random, mut was_lost) = (Random::new(seed), false);
        seat.network.meddle(move |_, _| {
            was_lost = !was_lost && random.part() < 0.2;
            if was_lost { Fate::Lost } else { Fate::Heard }
        });
    }
    let unit = units(lab.host.engine.world(), "foes")[0];
    lab.host.engine.harms.keeps = true;
    for _ in 0..100 {
        strike(&mut lab, unit, 0.01);
        lab.run_ticks(3);
    }
    lab.run_ticks(30);
    let of_unit = |all: Vec<(ObjectId, u16, AnimationKind)>| -> Vec<_> {
        all.into_iter().filter(|(of, ..)| *of == unit).collect()
    };
    let notes = &lab.host.engine.notes;
    let picked = of_unit(notes.picked.iter().map(|(_, row)| (row.unit, row.animation, row.kind)).collect());
    assert_eq!(picked.len(), 100);
    let there = lab.host.engine.world().shown_damage(unit).unwrap();
    for (place, seat) in lab.clients.iter().enumerate() {
        let shown = seat.engine.notes.animations.iter().map(|(_, it)| (it.unit, it.animation, it.kind));
        assert_eq!(of_unit(shown.collect()), picked, "client {place}");
        let here = seat.engine.world().shown_damage(unit).unwrap();
        let parts = [(there.current_shield, here.current_shield), (there.current_body, here.current_body)];
        assert!(
            parts.iter().all(|(there, here)| (there - here).abs() <= 1.0 / 16_384.0),
            "{there:?} {here:?}"
        );
    }
}

/// DMG-41: an actor that the host's player kills is dead on every client by the blow that is told; no client counts anything of it:
/// everybody's statistics are the host's, once these are told.
#[test]
fn nobody_counts_an_actors_death_on_a_client() {
    let mut lab = stage("script main\nsquad foes\nend\n", 35, 2, (50, 0.0));
    lab.run_ticks(60);
    let unit = units(lab.host.engine.world(), "foes")[0];
    let before: Vec<_> = lab.clients.iter().map(|seat| seat.engine.world().decisions()).collect();
    strike(&mut lab, unit, 100.0);
    lab.run_ticks(90);
    let statistics = |world: &World| world.players().map(|(_, player)| player.statistics).collect::<Vec<_>>();
    let host = lab.host.engine.world();
    assert!(!host.stands(unit));
    for (seat, before) in lab.clients.iter().zip(before) {
        let world = seat.engine.world();
        assert!(!world.stands(unit) && world.actor(unit).is_none());
        assert_eq!((world.decisions(), statistics(world)), (before, statistics(host)));
    }
}
