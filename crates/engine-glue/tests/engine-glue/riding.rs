//! A client whose players ride: vehicles, seats, elevators and counts, in the game of a host whose word is the script's.

use mjolnir_engine_glue::authority::Platform;
use mjolnir_engine_glue::prediction::Command;
use mjolnir_engine_glue::{Reading, objects};
use mjolnir_wire::objects::{CarriedWeapon, Creation, Inventory, Motion, ObjectChange, ObjectState};
use mjolnir_wire::units::{Life, LivingUnit, Placement, Ride, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Kind, MachineSet, ObjectId, Outbox, Slot, Tag, Tick, Vec3};

use super::foreign::Foreign;
use super::game::unit_of;
use super::riders::{CAR, Riders, SPEED};
use super::table::slot;

/// Ticks of the round trip that the host's word shows.
const TRIP: u32 = 6;

/// Another machine's player.
const OTHER: u8 = 9;

fn car(number: u8) -> ObjectId {
    ObjectId::new(300 + u16::from(number), 1).unwrap()
}

fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Where each of so many own players and the other stand, apart from each other.
fn stand(of: u8) -> Vec3 {
    at(0.0, f32::from(of) * 20.0, 0.0)
}

fn motion(position: Vec3) -> Motion {
    Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
}

fn put_made(outbox: &mut Outbox, object: ObjectId, tag: Tag, place: Vec3) {
    let change = ObjectChange::Create(Creation::plain(object, tag, place));
    outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |to| change.write(to)).unwrap();
}

/// Where the host has a player, at that tick of its client; or what it rides there.
fn put_unit(outbox: &mut Outbox, of: u8, place: Result<Vec3, Ride>, named: Option<Tick>) {
    let position = place.unwrap_or_default();
    let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let mut unit = LivingUnit::whole(unit_of(slot(of)), placement);
    unit.predicted = named.map(Tick::low16);
    if let Err(ride) = place {
        (unit.ride, unit.placement) = (Some(ride), None);
    }
    let state = UnitState { slot: slot(of), shield: ShieldFlags::default(), life: Life::Alive(unit) };
    outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |to| state.write(to)).unwrap();
}

fn put_vehicle(outbox: &mut Outbox, vehicle: ObjectId, place: Vec3, named: Option<Tick>) {
    let state =
        ObjectState { predicted: named.map(Tick::low16), ..ObjectState::moving(vehicle, motion(place)) };
    outbox.entry(MachineSet::CLIENTS, Kind::ObjectStates, |to| state.write(to)).unwrap();
}

/// A game in which so many own players and the other have units and there is a car beside each, which has gone on until
/// the client knows its round trip.
fn playing(players: u8) -> Foreign<Riders> {
    let mut foreign = Foreign::of(players as i8, Riders::new());
    foreign.adds(OTHER as i8, 3, 0, 1);
    foreign.run(2);
    foreign.step(|outbox| {
        for of in (0..players).chain([OTHER]) {
            put_made(outbox, unit_of(slot(of)), Tag(1), stand(of));
            put_made(outbox, car(of), CAR, stand(of) + at(1.0, 0.0, 0.0));
            put_unit(outbox, of, Ok(stand(of)), None);
        }
    });
    for _ in 0..10 {
        on_foot(&mut foreign, players);
    }
    foreign.game.moved.clear();
    foreign
}

/// The own tick of a round trip before the one that comes next.
fn named(foreign: &Foreign<Riders>) -> Tick {
    foreign.client.clock().tick().unwrap().next().minus(TRIP)
}

/// A tick in which the host has every own player standing where it stood.
fn on_foot(foreign: &mut Foreign<Riders>, players: u8) {
    let tick = named(foreign);
    foreign.step(|outbox| {
        for of in (0..players).chain([OTHER]) {
            put_unit(outbox, of, Ok(stand(of)), Some(tick));
        }
    });
}

fn wheel(of: u8) -> Ride {
    Ride { vehicle: Some(car(of)), seat: 0 }
}

fn seats(foreign: &Foreign<Riders>) -> Vec<(Slot, Option<Ride>)> {
    let seat = |command: &Command| match *command {
        Command::Seat { slot, ride, .. } => Some((slot, ride)),
        _ => None,
    };
    foreign.game.moved.iter().filter_map(seat).collect()
}

/// GLUE-24, PRED-26, 35: four players of one machine drive: each tick its host hears of four vehicles, of the client's tick
/// and where they are after it; of one that is driven by another machine's player, or in which one is a passenger, none.
#[test]
fn four_drivers_of_one_machine_are_told() {
    let mut foreign = playing(4);
    for of in [0, 1, 2, 3, OTHER] {
        foreign.game.sit(slot(of), Some(wheel(of)));
    }
    foreign.vehicles.clear();
    foreign.run(31);
    assert_eq!(foreign.vehicles.len(), 30 * 4);
    for (each, told) in foreign.vehicles.chunks(4).enumerate() {
        for (of, (tick, vehicle)) in (0..).zip(told) {
            let place = stand(of) + at(1.0 + SPEED * (each + 1) as f32, 0.0, 0.0);
            assert_eq!(
                (vehicle.object, vehicle.time, vehicle.motion.position),
                (car(of), tick.low16(), place)
            );
        }
    }
    foreign.game.sit(slot(2), Some(Ride { vehicle: Some(car(3)), seat: 1 }));
    foreign.run(1);
    foreign.vehicles.clear();
    foreign.run(10);
    assert_eq!(foreign.vehicles.len(), 10 * 3);
    assert!(foreign.vehicles.iter().all(|(_, vehicle)| vehicle.object != car(2)));
}

/// GLUE-24, 05, PRED-17, 35: the host's word on each of four vehicles that one machine's players drive moves that one alone,
/// past 4 wu, by the difference, once; the latency meter reads its tick; and what nobody here drives goes to the objects.
#[test]
fn the_word_on_a_driven_vehicle_is_predictions() {
    let mut foreign = playing(4);
    foreign.client.set_meter(true);
    for of in 0..4 {
        foreign.game.sit(slot(of), Some(wheel(of)));
    }
    foreign.run(30);
    let before: Vec<Motion> = foreign.game.vehicles.iter().map(|(_, motion)| *motion).collect();
    let tick = named(&foreign).plus(TRIP - 3);
    let was = |of: u8| before[usize::from(of)].position - at(SPEED * 2.0, 0.0, 0.0);
    foreign.step(|outbox| {
        put_vehicle(outbox, car(0), was(0) + at(0.0, 3.9, 0.0), Some(tick));
        put_vehicle(outbox, car(1), was(1) + at(0.0, 4.1, 0.0), Some(tick));
        put_vehicle(outbox, car(2), was(2), Some(tick));
        put_vehicle(outbox, car(OTHER), stand(OTHER) + at(9.0, 0.0, 0.0), None);
    });
    let expected = |of: u8, by: f32| before[usize::from(of)].position + at(SPEED, by, 0.0);
    for (of, by) in [(0, 0.0), (1, 4.1), (2, 0.0), (3, 0.0)] {
        let place = foreign.game.vehicle(car(of)).position;
        assert!(place.distance(expected(of, by)) < 1e-4, "{of}: {place:?}, not {:?}", expected(of, by));
    }
    assert_eq!(foreign.game.placed, [car(OTHER)]);
    let counters = foreign.client.counters();
    assert_eq!((counters.own_vehicle_corrections, counters.own_corrections), (1, 0));
    // Three ticks of the vehicles' among the six of the units'.
    let Some(Reading::Milliseconds(reading)) = foreign.client.meter(foreign.now) else { panic!() };
    assert!((100..200).contains(&reading), "{reading} ms");
    // The same word again corrects nothing: the history moved along.
    foreign.step(|outbox| put_vehicle(outbox, car(1), was(1) + at(0.0, 4.1, 0.0), Some(tick)));
    foreign.run(3);
    assert_eq!(foreign.client.counters().own_vehicle_corrections, 1);
}

/// PRED-39: a teleporter that an own player drives through is told of, and what the host says of before moves nothing.
#[test]
fn a_vehicles_teleport_cuts_what_was_before() {
    let mut foreign = playing(1);
    foreign.game.sit(slot(0), Some(wheel(0)));
    foreign.run(10);
    foreign.game.teleport(slot(0), car(0), at(90.0, 0.0, 0.0));
    foreign.run(1);
    for back in 1..4 {
        let tick = foreign.game.ticked.minus(back);
        foreign.step(|outbox| put_vehicle(outbox, car(0), at(5.0, 0.0, 0.0), Some(tick)));
    }
    assert!(foreign.game.vehicle(car(0)).position.x > 90.0);
    assert_eq!(foreign.client.counters().own_vehicle_corrections, 0);
}

/// PRED-29, AUTH-53: another's player sits where the host says in that very tick; an own one that got in stays there for a
/// round trip of six ticks and is out in the seventh, if the host still says that it stands.
#[test]
fn seats_are_the_hosts_in_time() {
    let mut foreign = playing(1);
    let tick = named(&foreign);
    foreign.step(|outbox| {
        put_unit(outbox, 0, Ok(stand(0)), Some(tick));
        put_unit(outbox, OTHER, Err(Ride { vehicle: Some(car(0)), seat: 1 }), None);
    });
    assert_eq!(seats(&foreign), [(slot(OTHER), Some(Ride { vehicle: Some(car(0)), seat: 1 }))]);

    foreign.game.moved.clear();
    foreign.game.enters = Some((slot(0), wheel(0)));
    let stands = |outbox: &mut Outbox| put_unit(outbox, 0, Ok(stand(0)), None);
    foreign.step(stands);
    let entered = foreign.game.ticked;
    while foreign.game.ticked < entered.plus(TRIP) {
        foreign.step(stands);
        assert_eq!(seats(&foreign), [], "{} ticks after", foreign.game.ticked.since(entered));
    }
    assert_eq!(foreign.game.sits(slot(0)), Some(wheel(0)));
    foreign.step(stands);
    assert_eq!(seats(&foreign), [(slot(0), None)]);
    assert_eq!(foreign.game.ticked, entered.plus(TRIP + 1));
    assert_eq!(foreign.game.sits(slot(0)), None);
    assert!(foreign.game.game.place(0).unwrap().distance(stand(0)) < 1e-4);
}

/// AUTH-53, OBJ-40: a seat in a vehicle that is not there yet waits for it.
#[test]
fn a_seat_waits_for_its_vehicle() {
    let mut foreign = playing(1);
    let ride = Ride { vehicle: Some(car(50)), seat: 0 };
    foreign.step(|outbox| put_unit(outbox, OTHER, Err(ride), None));
    foreign.run(10);
    assert_eq!(seats(&foreign), []);
    foreign.step(|outbox| put_made(outbox, car(50), CAR, at(5.0, 5.0, 0.0)));
    assert_eq!(seats(&foreign), [(slot(OTHER), Some(ride))]);
}

/// PRED-28: fired at t, with a round trip of six ticks: the host's counts of t+5 are not shown, those of t+6 are; its
/// weapons are carried at once, and another's counts always.
#[test]
fn own_counts_hold_for_a_round_trip() {
    let weapon = ObjectId::new(40, 1).unwrap();
    let carries = |of: u8, rounds: i16| {
        let mut inventory = Inventory::empty(unit_of(slot(of)));
        inventory.grenades = [rounds as u8 % 10, 0];
        let carried = CarriedWeapon { object: weapon, total: [90, 0], loaded: [rounds, 0], age: 0 };
        inventory.weapons[1] = Some(carried);
        inventory
    };
    let put = |outbox: &mut Outbox, inventory: Inventory| {
        outbox.entry(MachineSet::CLIENTS, Kind::Inventories, |to| inventory.write(to)).unwrap();
    };
    for (after, whose, shown) in [(1, 0, 7), (TRIP - 1, 0, 7), (TRIP, 0, 12), (1, OTHER, 12)] {
        let mut foreign = playing(1);
        foreign.step(|outbox| put_made(outbox, weapon, Tag(2), Vec3::ZERO));
        on_foot(&mut foreign, 1);
        foreign.game.carried = vec![objects::CarryRow { inventory: carries(whose, 7), slot: None }];
        foreign.game.acted = Some((slot(0), foreign.game.ticked));
        for _ in 1..after {
            on_foot(&mut foreign, 1);
        }
        foreign.step(|outbox| put(outbox, carries(whose, 12)));
        assert_eq!(foreign.game.carries, [carries(whose, shown)], "{after} ticks after, {whose}");
    }
}

/// PRED-20, 22, AUTH-53: on an elevator the host's word moves an own player and another's copy across, and neither up nor
/// down while theirs is as far apart as a round trip's travel; off it, it does.
#[test]
fn an_elevators_riders_keep_their_height() {
    for rides in [true, false] {
        let mut foreign = playing(1);
        let platform = Platform { id: 5, moving: true, contact: true, floor: 0.0 };
        foreign.game.platform = rides.then_some(platform);
        // Until the ticks that are named are ticks on it.
        (0..=TRIP).for_each(|_| on_foot(&mut foreign, 1));
        for _ in 0..20 {
            let tick = named(&foreign);
            foreign.step(|outbox| {
                put_unit(outbox, 0, Ok(stand(0) + at(0.0, 0.0, 3.5)), Some(tick));
                put_unit(outbox, OTHER, Ok(stand(OTHER) + at(0.5, 0.0, -2.0)), None);
            });
        }
        let place = |of: u8| foreign.game.game.place(of).unwrap();
        let (own, other) = if rides { (0.0, 0.0) } else { (3.5, -2.0) };
        assert!((place(0).z - own).abs() < 1e-3, "{rides}: {:?}", place(0));
        assert!(place(OTHER).distance(stand(OTHER) + at(0.5, 0.0, other)) < 0.01, "{:?}", place(OTHER));
        assert_eq!(foreign.client.counters().own_corrections, u64::from(!rides));
    }
}
