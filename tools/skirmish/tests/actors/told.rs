//! A client's units that the host's actors drive.

use mjolnir_skirmish::game::actors::{Begun, Control, ENEMIES};
use mjolnir_skirmish::game::objects::BIPED;
use mjolnir_skirmish::game::{Made, Role, World};
use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::{Axes, Buttons, Input, ObjectId, Vec3};

use crate::scene::{EAST, field, left, place, run, slot, step};

/// A client's field with so many bipeds on it that nobody has.
fn clients(count: u16) -> (World, Vec<ObjectId>) {
    let mut world = field("", &[EAST * 50.0]);
    world.set_role(Role::Client);
    let units: Vec<_> = (0..count).map(|index| ObjectId::new(100 + index, 1).unwrap()).collect();
    for (index, unit) in units.iter().enumerate() {
        let place = Vec3::new((index % 40) as f32 - 20.0, (index / 40) as f32 - 20.0, 0.0);
        assert!(world.make_at(&Made { axes: Axes::UPRIGHT, ..Made::plain(*unit, BIPED, place) }));
    }
    (world, units)
}

fn runs_east() -> Control {
    let still = Control::still(0.0);
    Control { input: Input { throttle: [1.0, 0.0], ..still.input }, ..still }
}

/// OBJ-36: a unit does in each tick what it was told last, until it is told to stop: then it stands and lets go of everything.
#[test]
fn a_unit_does_what_it_was_told_until_it_is_stopped() {
    let (mut world, units) = clients(1);
    let unit = units[0];
    let from = place(&world, unit);
    assert!(world.drive_actor(unit, ENEMIES, runs_east(), Begun::default()));
    run(&mut world, 30);
    let went = place(&world, unit).x - from.x;
    assert!((went - 30.0 * 0.08).abs() < 0.01, "{went}");
    assert!(world.stop_actor(unit));
    run(&mut world, 10);
    let there = place(&world, unit).x;
    assert!(there - from.x - went < 0.1);
    assert_eq!(world.actor(unit).unwrap().control().input.throttle, [0.0; 2]);
    assert_eq!(world.actor(unit).unwrap().control().input.buttons, Buttons::default());
    assert!(!world.stop_actor(ObjectId::new(100, 2).unwrap()));
}

/// OBJ-37: 1056 units are driven, and all move; one more is refused and counted, as is none that is driven already.
#[test]
fn so_many_units_are_driven_and_no_more() {
    let (mut world, units) = clients(MAX_ACTOR_UNITS as u16 + 1);
    let (last, first) = units.split_last().unwrap();
    let from: Vec<_> = first.iter().map(|unit| place(&world, *unit)).collect();
    for unit in first {
        assert!(world.drive_actor(*unit, ENEMIES, runs_east(), Begun::default()));
    }
    assert!(!world.drive_actor(*last, ENEMIES, runs_east(), Begun::default()));
    assert!(world.drive_actor(first[0], ENEMIES, runs_east(), Begun::default()));
    assert_eq!((world.refused_actors(), world.actors().count()), (1, MAX_ACTOR_UNITS));
    run(&mut world, 10);
    assert!(first.iter().zip(from).all(|(unit, from)| place(&world, *unit).x - from.x > 0.5));
    assert!(world.actor(*last).is_none());
}

/// What no actor can drive is not driven: a player's unit, a body, what is gone, what is no unit; and nothing where it is
/// decided.
#[test]
fn only_living_units_of_nobody_are_driven() {
    let (mut world, units) = clients(2);
    let own = world.unit(slot(0)).unwrap();
    assert!(world.kill_silently(units[1]));
    for unit in [own, units[1], ObjectId::new(100, 9).unwrap(), ObjectId::new(4000, 1).unwrap()] {
        assert!(!world.drive_actor(unit, ENEMIES, runs_east(), Begun::default()), "{unit:?}");
    }
    assert_eq!((world.refused_actors(), left(&world, own)), (0, 2.0));
    // Who is given a unit has it: no actor does.
    assert!(world.drive_actor(units[0], ENEMIES, runs_east(), Begun::default()));
    assert!(world.own(slot(0), units[0]) && world.actor(units[0]).is_none());
    world.set_role(Role::Host);
    assert!(!world.drive_actor(own, ENEMIES, runs_east(), Begun::default()) && !world.stop_actor(own));
}

/// OBJ-49: what begins with a word begins once, in the next tick, and two words before it make one beginning.
#[test]
fn what_begins_begins_once() {
    let (mut world, units) = clients(1);
    let begins = Begun { impulse: true, speech: true, animation: false };
    let showed = |world: &World| {
        let showed = world.actor(units[0]).unwrap().showed();
        (showed.impulses, showed.speeches, showed.animations)
    };
    assert!(world.drive_actor(units[0], ENEMIES, runs_east(), begins));
    assert!(world.drive_actor(units[0], ENEMIES, runs_east(), Begun::default()));
    assert_eq!(showed(&world), (0, 0, 0));
    step(&mut world);
    assert_eq!(showed(&world), (1, 1, 0));
    run(&mut world, 5);
    assert_eq!(showed(&world), (1, 1, 0));
    let begins = Begun { animation: true, ..Begun::default() };
    assert!(world.drive_actor(units[0], ENEMIES, runs_east(), begins));
    step(&mut world);
    assert_eq!(showed(&world), (1, 1, 1));
}
