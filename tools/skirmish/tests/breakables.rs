//! What breaks, from outside: panes and crates, where it is decided and where it is told.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::effects::{FRAG_BLAST, SLUG};
use mjolnir_skirmish::game::world::CRATE_HOLDS;
use mjolnir_skirmish::game::{Breakable, Event, Kind, Map, Role, Tuning, World};
use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit, Parts};
use mjolnir_wire::{Input, Machine, ObjectId, Slot, Tag, Tick, Vec3};

/// A wall of glass 10 wu east of where Ann stands, and another one; a crate to the north, and another one.
const LINES: &str = "pane 10 -3 0  10.1 3 2\npane 14 -3 0  14.1 3 2\ncrate 0 8 0.5\ncrate 0 12 0.5";

fn ann() -> Slot {
    Slot::new(0).unwrap()
}

fn world(role: Role) -> World {
    let text = format!("bounds -40 -40 -5 40 40 30\nbox -44 -44 -1 44 44 0\n{LINES}\nspawn 0 0 0 0");
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.set_role(role);
    world.set_harm(true);
    world.join(ann(), "Ann", Machine::HOST, None);
    world.step(Tick::ZERO.next());
    world.drain_events();
    world
}

fn crates(world: &World) -> Vec<ObjectId> {
    world.objects().filter(|id| world.kind(*id) == Some(Kind::Crate)).collect()
}

/// So much of that damage, from nowhere in particular.
fn damage(effect: Tag, scale: f32) -> Damage {
    Damage {
        effect,
        flags: 0,
        owner: Some(ann()),
        team: None,
        owner_object: None,
        origin: Vec3::ZERO,
        epicentre: Vec3::ZERO,
        direction: Vec3::UP,
        scale,
        multiplier: 1.0,
        material_effect_scale: 1.0,
        material: None,
    }
}

fn broke(world: &mut World) -> Vec<Breakable> {
    let what = |event| match event {
        Event::Broke { what, .. } => Some(what),
        _ => None,
    };
    world.drain_events().filter_map(what).collect()
}

/// Ann walks east from where she is; where she gets to.
fn walk_east(world: &mut World, ticks: u32) -> f32 {
    world.drive(ann(), Input { throttle: [1.0, 0.0], ..Input::default() });
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
    world.position(ann()).unwrap().x
}

/// OBJ-31: a pane stops who walks and what flies until anything hits it; it breaks once, is told of once, and is nothing then.
/// The next one stands.
#[test]
fn a_pane_stands_until_something_hits_it() {
    let mut world = world(Role::Host);
    let (east, west) = (Vec3::new(20.0, 0.0, 1.0), Vec3::new(-20.0, 0.0, 1.0));
    assert!(walk_east(&mut world, 200) < 9.81);
    assert_eq!(world.breakable_on(west, east).unwrap().0, Breakable::Pane(0));
    assert_eq!(world.breakable_on(east, west).unwrap().0, Breakable::Pane(1));
    let at = Vec3::new(10.0, 0.5, 1.0);
    for _ in 0..3 {
        world.hit_breakable(Breakable::Pane(0), at, &damage(SLUG.tag, 0.0));
    }
    world.hit_breakable(Breakable::Pane(2), at, &damage(SLUG.tag, 1.0));
    assert_eq!(broke(&mut world), [Breakable::Pane(0)]);
    let mut told = Vec::new();
    world.take_broken_panes(&mut told);
    world.take_broken_panes(&mut told);
    assert_eq!(told, [(0, at)]);
    assert_eq!(world.broken_panes().collect::<Vec<_>>(), [0]);
    assert_eq!(world.breakable_on(west, east).unwrap().0, Breakable::Pane(1));
    let reached = walk_east(&mut world, 200);
    assert!((13.7..13.81).contains(&reached), "{reached}");
}

/// A pane is found just before the box that it is, by both ends of the line; a line that ends short of it finds none.
#[test]
fn a_pane_is_found_before_its_box() {
    let world = world(Role::Host);
    let line = |to: f32| world.breakable_on(Vec3::new(0.0, 0.0, 1.0), Vec3::new(to, 0.0, 1.0));
    let (what, share) = line(20.0).unwrap();
    assert_eq!(what, Breakable::Pane(0));
    assert!(share < 0.5 && share > 0.4998, "{share}");
    assert_eq!((line(9.99), line(10.01).unwrap().0), (None, Breakable::Pane(0)));
    // Over it, and beside it.
    for (y, z) in [(0.0, 2.01), (3.01, 1.0)] {
        assert_eq!(world.breakable_on(Vec3::new(0.0, y, z), Vec3::new(20.0, y, z)), None);
    }
}

/// DMG-01, GLUE-17: in a client's world nothing breaks by what hits it; by the host's word it does, once, and the two worlds
/// are alike then.
#[test]
fn a_clients_world_breaks_nothing_itself() {
    let (mut host, mut client) = (world(Role::Host), world(Role::Client));
    let box_id = crates(&client)[0];
    let at = Vec3::new(10.0, 0.0, 1.0);
    for what in [Breakable::Pane(0), Breakable::Crate(box_id)] {
        client.hit_breakable(what, at, &damage(SLUG.tag, 9.0));
    }
    assert_eq!((broke(&mut client), client.decisions().total()), (vec![], 0));
    for what in [Breakable::Pane(0), Breakable::Crate(box_id)] {
        host.hit_breakable(what, at, &damage(SLUG.tag, 9.0));
    }
    assert!(client.break_pane(0, at) && !client.break_pane(0, at) && !client.break_pane(2, at));
    assert!(client.break_crate(box_id) && !client.break_crate(box_id));
    let unit = host.unit(ann()).unwrap();
    assert!(!client.break_crate(unit));
    assert_eq!(broke(&mut client), [Breakable::Pane(0), Breakable::Crate(box_id)]);
    assert_eq!(broke(&mut host), [Breakable::Pane(0), Breakable::Crate(box_id)]);
    let mut told = Vec::new();
    client.take_broken_panes(&mut told);
    assert_eq!(told, []);
    assert_eq!(client.broken_panes().collect::<Vec<_>>(), host.broken_panes().collect::<Vec<_>>());
    assert!(host.is_broken(box_id) && client.is_broken(box_id) && !client.is_broken(crates(&client)[1]));
}

/// DMG-53: a crate takes what hits it until it has had all that it holds, both sides of it; then it is told of once, as scenery,
/// with what broke it, and stops no shot any more.
#[test]
fn a_crate_breaks_when_it_has_had_enough() {
    let mut world = world(Role::Host);
    let [near, far] = crates(&world)[..] else { panic!("two crates") };
    let (south, north) = (Vec3::new(0.0, 0.0, 0.3), Vec3::new(0.0, 20.0, 0.3));
    let whole = CRATE_HOLDS / SLUG.amount;
    assert_eq!(world.breakable_on(south, north).unwrap().0, Breakable::Crate(near));
    let mut events: Vec<DamageEvent> = Vec::new();
    for scale in [-1.0, 0.0, f32::NAN, whole * 0.99] {
        world.hit_breakable(Breakable::Crate(near), south, &damage(SLUG.tag, scale));
    }
    world.hit_breakable(Breakable::Crate(near), south, &damage(Tag(1), 9.0));
    world.take_dealt(&mut events);
    assert!(events.is_empty() && !world.is_broken(near) && world.crate_size(near).is_some());
    for _ in 0..3 {
        world.hit_breakable(Breakable::Crate(near), south, &damage(SLUG.tag, whole * 0.02));
    }
    world.take_dealt(&mut events);
    let told: Vec<_> = events.iter().map(|event| (event.kind, event.object, event.player)).collect();
    assert_eq!(told, [(EventKind::Scenery, Some(near), None)]);
    assert_eq!((events[0].damage.effect, events[0].damage.owner), (SLUG.tag, Some(ann())));
    assert_eq!((broke(&mut world), world.crate_size(near)), (vec![Breakable::Crate(near)], None));
    assert_eq!(world.breakable_on(south, north).unwrap().0, Breakable::Crate(far));
    // It is one object less to hit and none less.
    assert_eq!(crates(&world), [near, far]);
}

/// DMG-53: a hit on a crate is a hit like any other: dealt where the world decides, reported by the machine whose player hit.
#[test]
fn a_hit_on_a_crate_is_dealt_or_reported() {
    for (role, dealt, reported) in [(Role::Host, 1, 0), (Role::Client, 0, 1)] {
        let mut world = world(role);
        world.set_local(ann(), role == Role::Client);
        let object = crates(&world)[0];
        let place = world.motion(object).unwrap().position;
        let damage = damage(SLUG.tag, CRATE_HOLDS / SLUG.amount);
        world.strike(Hit { object, damage, target: place, normal: None, parts: Parts::default() });
        let (mut events, mut hits) = (Vec::new(), Vec::new());
        world.take_dealt(&mut events);
        world.take_hits(&mut hits);
        assert_eq!((events.len(), hits.len()), (dealt, reported), "{role:?}");
        assert_eq!(world.is_broken(object), role == Role::Host);
    }
}

/// What an explosion reaches: panes first, each by its nearest place, both sides of how far it reaches; nothing broken.
#[test]
fn an_explosion_reaches_what_is_near() {
    let mut world = world(Role::Host);
    let at = Vec3::new(8.0, 0.0, 1.0);
    let near = |world: &World, at: Vec3, radius: f32| {
        let mut found = Vec::new();
        world.breakables_near(at, radius, &mut found);
        found
    };
    assert_eq!(near(&world, at, 1.99), []);
    let [(what, place, far)] = near(&world, at, 2.01)[..] else { panic!("one") };
    assert_eq!((what, place), (Breakable::Pane(0), Vec3::new(10.0, 0.0, 1.0)));
    assert!((far - 2.0).abs() < 1e-4, "{far}");
    let all: Vec<_> = near(&world, at, 50.0).into_iter().map(|(what, ..)| what).collect();
    let [one, other] = crates(&world)[..] else { panic!("two crates") };
    let expected = [Breakable::Pane(0), Breakable::Pane(1), Breakable::Crate(one), Breakable::Crate(other)];
    assert_eq!(all, expected);
    world.hit_breakable(Breakable::Pane(0), at, &damage(FRAG_BLAST.tag, 1.0));
    world.hit_breakable(Breakable::Crate(one), at, &damage(FRAG_BLAST.tag, 9.0));
    let left: Vec<_> = near(&world, at, 50.0).into_iter().map(|(what, ..)| what).collect();
    assert_eq!(left, [expected[1], expected[3]]);
    // In the midst of a crate it is at hand.
    let middle = world.motion(other).unwrap().position;
    assert_eq!(near(&world, middle, 0.0), [(Breakable::Crate(other), middle, 0.0)]);
}

/// A crate lies where the map has it, is picked up by nobody, and shots break its copy of another game not: each world has
/// its own.
#[test]
fn a_crate_stays_where_it_is() {
    let mut one = world(Role::Host);
    let object = crates(&one)[0];
    let place = one.motion(object).unwrap().position;
    assert!(place.z.abs() < 0.01, "{place:?}");
    let over = |z: f32| one.breakable_on(Vec3::new(0.0, 0.0, z), Vec3::new(0.0, 20.0, z)).is_some();
    assert!(over(0.59) && !over(0.61));
    one.move_to(ann(), Vec3::new(0.0, 8.0, 0.0));
    for _ in 0..90 {
        one.step(one.tick().next());
    }
    assert_eq!(one.motion(object).unwrap().position, place);
    one.hit_breakable(Breakable::Crate(object), place, &damage(SLUG.tag, 99.0));
    one.hit_breakable(Breakable::Pane(1), place, &damage(SLUG.tag, 99.0));
    let other = world(Role::Host);
    assert!(!other.is_broken(crates(&other)[0]) && other.broken_panes().next().is_none());
}
