//! A field with squads on it, and players where a test wants them.

use mjolnir_skirmish::game::actors::Actor;
use mjolnir_skirmish::game::{GameType, Map, Role, Rules, Tuning, World};
use mjolnir_wire::damage::{DamageEvent, EventKind};
use mjolnir_wire::{Input, Machine, ObjectId, Slot, Tick, Vec3};

pub(crate) const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);
pub(crate) const NORTH: Vec3 = Vec3::new(0.0, 1.0, 0.0);

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A host's field of 180 wu with those lines of a map, and players at those places, of that machine. What hits hurts.
pub(crate) fn field_of(lines: &str, places: &[Vec3], machine: Machine, seed: u64) -> World {
    let text = format!("bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\n{lines}\nspawn 80 80 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), seed, Tuning::default());
    world.set_role(Role::Host);
    world.set_harm(true);
    world.set_rules(Some(Rules::endless(GameType::Slayer, false)));
    for index in 0..places.len() {
        assert!(world.join(slot(index as u8), "P", machine, None));
    }
    world.step(Tick::new(1).unwrap());
    for (index, place) in places.iter().enumerate() {
        assert!(world.move_to(slot(index as u8), *place));
    }
    step(&mut world);
    world.drain_events();
    world
}

pub(crate) fn field(lines: &str, places: &[Vec3]) -> World {
    field_of(lines, places, Machine::HOST, 1)
}

pub(crate) fn step(world: &mut World) {
    world.step(world.tick().next());
}

pub(crate) fn run(world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| step(world));
}

/// The units of actors.
pub(crate) fn units(world: &World) -> Vec<ObjectId> {
    world.actors().map(|(unit, _)| unit).collect()
}

/// The only actor's unit.
pub(crate) fn only(world: &World) -> ObjectId {
    let units = units(world);
    assert_eq!(units.len(), 1, "one");
    units[0]
}

pub(crate) fn place(world: &World, unit: ObjectId) -> Vec3 {
    world.placement(unit).unwrap().position
}

pub(crate) fn actor(world: &World, unit: ObjectId) -> &Actor {
    world.actor(unit).expect("an actor drives it")
}

/// Shield and body of a unit.
pub(crate) fn left(world: &World, unit: ObjectId) -> f32 {
    world.vitality(unit).map_or(0.0, |vitality| vitality.shield + vitality.body)
}

/// What was dealt, without what screens show of it.
pub(crate) fn dealt(world: &mut World) -> Vec<DamageEvent> {
    let mut events = Vec::new();
    world.take_dealt(&mut events);
    events.retain(|event| event.kind != EventKind::ScreenEffect);
    events
}

/// The same game at a client whose player is the first.
pub(crate) fn client(world: &World) -> World {
    let mut client = world.clone();
    client.set_role(Role::Client);
    client.set_local(slot(0), true);
    client
}

/// A player looks at a place from its eyes, with that held.
pub(crate) fn aim(world: &mut World, index: u8, to: Vec3, input: Input) {
    let way = to - world.eyes(slot(index)).unwrap();
    let (yaw, pitch) = (libm::atan2f(way.y, way.x), libm::atan2f(way.z, way.across().length()));
    world.drive(slot(index), Input { yaw, pitch, ..input });
}
