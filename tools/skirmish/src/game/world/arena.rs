//! A field with players on it, for the tests of what hurts: one world that decides, and a client's of the same game.

use mjolnir_wire::damage::{DamageEvent, EventKind, Hit};
use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

use super::{Role, World};
use crate::game::kinds::Kind;
use crate::game::random::Random;
use crate::game::{GameType, Map, Rules, Tuning};

pub(super) const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);

pub(super) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A host's field with more lines of a map, where a player stands at each of those places; all play at the host, and what
/// hits hurts.
pub(super) fn field(lines: &str, places: &[Vec3]) -> World {
    let text = format!("bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\n{lines}\nspawn 60 60 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.set_role(Role::Host);
    world.set_harm(true);
    world.set_rules(Some(Rules::endless(GameType::Slayer, false)));
    for index in 0..places.len() {
        assert!(world.join(slot(index as u8), "P", Machine::HOST, None));
    }
    world.step(Tick::new(1).unwrap());
    for (index, place) in places.iter().enumerate() {
        assert!(world.move_to(slot(index as u8), *place));
    }
    // So that all stand on what is below them.
    world.step(world.tick().next());
    world.drain_events();
    world
}

/// The same game at a client whose players those are.
pub(super) fn client(world: &World, own: &[u8]) -> World {
    let mut client = world.clone();
    client.set_role(Role::Client);
    own.iter().for_each(|index| client.set_local(slot(*index), true));
    client
}

/// One tick in which a player holds those buttons and looks east.
pub(super) fn hold(world: &mut World, index: u8, buttons: Buttons) {
    let trigger = if buttons.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
    world.drive(slot(index), Input { buttons, trigger, ..Input::default() });
    world.step(world.tick().next());
}

/// A press and its release.
pub(super) fn press(world: &mut World, index: u8, buttons: Buttons) {
    hold(world, index, buttons);
    hold(world, index, Buttons::default());
}

pub(super) fn unit(world: &World, index: u8) -> ObjectId {
    world.unit(slot(index)).expect("it lives")
}

/// Shield and body of a player's unit; 0 of a dead one.
pub(super) fn left(world: &World, index: u8) -> f32 {
    let vitality = world.unit(slot(index)).and_then(|unit| world.vitality(unit));
    vitality.map_or(0.0, |vitality| vitality.shield + vitality.body)
}

/// What was dealt to units, without what screens show of it.
pub(super) fn dealt(world: &mut World) -> Vec<DamageEvent> {
    let mut events = Vec::new();
    world.take_dealt(&mut events);
    events.retain(|event| event.kind != EventKind::ScreenEffect);
    events
}

/// What a client has to report.
pub(super) fn hits(world: &mut World) -> Vec<Hit> {
    let mut hits = Vec::new();
    world.take_hits(&mut hits);
    hits
}

/// A vehicle there that goes so.
pub(super) fn vehicle(world: &mut World, kind: Kind, position: Vec3, velocity: Vec3) -> ObjectId {
    let id = world.spawn(kind, position).unwrap();
    let motion = Motion { position, axes: Axes::UPRIGHT, velocity, angular_velocity: Vec3::ZERO };
    assert!(world.set_vehicle(id, &motion));
    id
}

/// A fight of six among vehicles, by chance from that seed: the digest after each tick, and how many were hurt.
fn fight(seed: u64, ticks: u32) -> (Vec<u64>, usize) {
    let places: Vec<_> = (0..6).map(|at| EAST * (0.9 * at as f32)).collect();
    let mut world = field("pad 2 2 0 2 -2 0", &places);
    for (at, kind) in (0..).zip([Kind::Turret, Kind::Car, Kind::Transport, Kind::Flyer]) {
        vehicle(&mut world, kind, Vec3::new(2.0 * at as f32, 1.5, 0.0), Vec3::ZERO);
    }
    let mut random = Random::new(seed);
    let buttons = [Buttons::MELEE, Buttons::PRIMARY_TRIGGER, Buttons::ACTION, Buttons::JUMP];
    let mut hashes = Vec::new();
    for _ in 0..ticks {
        for index in 0..6 {
            let held = buttons[random.below(4) as usize];
            // Nobody gets away.
            if world.position(slot(index)).is_some_and(|place| place.length() > 6.0) {
                world.move_to(slot(index), EAST * random.part());
            }
            let yaw = random.part() * std::f32::consts::TAU;
            world.drive(slot(index), Input { buttons: held, yaw, throttle: [1.0, 0.0], ..Input::default() });
        }
        world.step(world.tick().next());
        hashes.push(world.state_hash());
    }
    (hashes, dealt(&mut world).len())
}

/// The same seed and inputs give the same fight, to the last bit, with blows, guns and collisions in it; another seed another.
#[test]
fn the_same_fight_is_the_same() {
    let seed = 0x7_0B10;
    println!("seed {seed}");
    let (hashes, hurt) = fight(seed, 600);
    assert!(hurt > 10, "{hurt}");
    assert_eq!(fight(seed, 600).0, hashes);
    assert_ne!(fight(seed + 1, 600).0, hashes);
}
