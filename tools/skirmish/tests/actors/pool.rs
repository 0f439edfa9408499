//! Who is placed, how many, and what they ride.

use mjolnir_skirmish::game::actors::{ENEMIES, MARINES, MOST_ACTORS, PLAYERS};
use mjolnir_skirmish::game::{Class, Event, Kind, Map, Role, Tuning, World};
use mjolnir_wire::{Tick, Vec3};

use crate::scene::{EAST, client, field, only, place, run, step, units};

/// OBJ-37: the 1024th actor is placed and the 1025th refused and counted; one that died makes room for one.
#[test]
fn the_pool_ends_at_its_last() {
    let mut world = World::new(&Map::named("outpost").unwrap(), 3, Tuning::default());
    world.set_role(Role::Host);
    world.step(Tick::ZERO.next());
    assert_eq!((world.actors().count(), world.refused_actors()), (MOST_ACTORS, 0));
    let late = world.squad_named("late").unwrap();
    assert_eq!((world.place_squad(late), world.refused_actors(), world.squad_alive(late)), (0, 1, 0));
    assert_eq!(world.place_actor(late, Vec3::ZERO, 0.0), None);
    assert_eq!(world.refused_actors(), 2);
    let marines = world.squad_named("marines").unwrap();
    let first = world.squad_units(marines).next().unwrap();
    assert_eq!(world.squad_alive(marines), 64);
    assert!(world.kill_actor(first) && !world.kill_actor(first));
    assert_eq!((world.squad_alive(marines), world.actors().count()), (63, MOST_ACTORS - 1));
    assert_eq!((world.place_squad(late), world.squad_alive(late), world.refused_actors()), (1, 1, 2));
    assert_eq!(world.place_squad(late), 0);
    assert_eq!(world.place_squad(999), 0);
}

/// Squads marked so are there after the first tick that is decided, once; others when they are placed, as often as that is;
/// each with its weapon, its team and its looks, and made known as any object is.
#[test]
fn squads_are_placed() {
    let lines = "squad a 1 guard plasma 0 0 0 90 3 0 0 0\nsquad b 2 guard rifle 9 0 0 0\nplaced a\nmajors b";
    let mut world = field(lines, &[]);
    run(&mut world, 5);
    let [a, b] = ["a", "b"].map(|name| world.squad_named(name).unwrap());
    assert_eq!((world.squad_alive(a), world.squad_alive(b), world.squad_named("c")), (2, 0, None));
    world.drain_events();
    assert_eq!(world.place_squad(b), 1);
    let unit = world.squad_units(b).next().unwrap();
    let made: Vec<_> = world
        .drain_events()
        .filter_map(|event| match event {
            Event::Made(made) => Some((made.id, made.slot, made.looks, made.carried)),
            _ => None,
        })
        .collect();
    let (_, (kind, _)) = (made.len(), world.in_hand(unit).unwrap());
    assert_eq!((made.len(), made[0].0, made[0].1, made[1].3, kind), (2, unit, None, true, Kind::Rifle));
    let minor = world.squad_units(a).next().unwrap();
    let of = |world: &World, unit| world.describe(unit).unwrap().looks;
    let (high, low) = (of(&world, unit), of(&world, minor));
    assert_eq!((high.team, low.team), (Some(MARINES), Some(ENEMIES)));
    assert!(high.shader_permutation != 0 && low.shader_permutation == 0 && high.variant != low.variant);
    assert_eq!((world.vitality(unit).unwrap().shield, world.vitality(minor).unwrap().shield), (1.0, 0.0));
    assert_eq!((world.class(unit), world.side_of(unit)), (Some(Class::Unit), Some(MARINES)));
    assert_eq!((world.place_squad(b), world.squad_alive(b)), (1, 2));
    assert_eq!(world.place_actor(b, EAST * f32::NAN, 0.0), None);
    let there = world.place_actor(b, EAST * 20.0, 0.0).unwrap();
    assert_eq!((place(&world, there), world.squad_alive(b)), (EAST * 20.0, 3));
}

/// GLUE-17: a client's world places nobody, makes no friends and seats nobody.
#[test]
fn a_client_decides_nothing_of_actors() {
    let mut host = field("squad a 1 guard plasma 0 0 0 90\nitem car 3 0 0.5\nplaced a", &[]);
    let car = host.objects().find(|id| host.kind(*id) == Some(Kind::Car)).unwrap();
    let mut world = client(&host);
    let unit = only(&world);
    assert_eq!((world.place_squad(0), world.place_actor(0, EAST, 0.0)), (0, None));
    assert!(!world.set_allied(PLAYERS, ENEMIES, true) && !world.kill_actor(unit));
    assert!(
        !world.seat_actor(unit, car, 0) && world.set_seat(unit, Some((car, 0))) && !world.unseat_actor(unit)
    );
    assert_eq!((world.refused_actors(), world.actors().count()), (0, 1));
    assert!(host.set_allied(PLAYERS, ENEMIES, true) && host.allied(ENEMIES, PLAYERS));
    // A client that never decided places none of the begin either.
    let mut fresh = World::new(host.map(), 1, Tuning::default());
    fresh.set_role(Role::Client);
    fresh.step(Tick::ZERO.next());
    assert_eq!(units(&fresh), []);
}

/// An actor is put into a free seat and goes along there, doing nothing by itself; a taken seat and one that there is not are
/// none for it; out again it stands beside.
#[test]
fn an_actor_rides() {
    let lines = "squad a 1 attack plasma 0 0 0 90 0 9 0 0\nsquad b 2 guard plasma 0 40 0 0\nitem car 3 0 0.5\nplaced a b";
    let mut world = field(lines, &[]);
    let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Car)).unwrap();
    let [first, second] = [0, 1].map(|at| units(&world)[at]);
    assert!(!world.seat_actor(first, car, 9) && !world.seat_actor(car, car, 1));
    assert!(world.seat_actor(first, car, 1) && !world.seat_actor(second, car, 1));
    assert_eq!((world.ride(first), world.ride(second)), (Some((car, 1)), None));
    let before = place(&world, second);
    run(&mut world, 30);
    assert_eq!(world.ride(first), Some((car, 1)));
    assert!(place(&world, second).distance(before) > 1.0, "its fellow goes for the marine");
    let control = world.actor(first).unwrap().control().input;
    assert_eq!((control.throttle, world.driver(car)), ([0.0; 2], None));
    assert!(world.unseat_actor(first) && !world.unseat_actor(first));
    let beside = place(&world, first).distance(world.motion(car).unwrap().position);
    assert!((0.3..3.0).contains(&beside), "{beside}");
    step(&mut world);
    run(&mut world, 30);
    assert!(place(&world, first).distance(world.motion(car).unwrap().position) > 1.0, "it goes on by itself");
}
