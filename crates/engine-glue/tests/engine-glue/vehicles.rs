//! What a client says of the vehicle that its player drives, as the host's game is told of it.

use mjolnir_engine_glue::authority::{CarriedBy, Command, VehicleRow, Why};
use mjolnir_wire::objects::{Motion, VehiclePrediction};
use mjolnir_wire::{Axes, Kind, Machine, MachineSet, ObjectId, Outbox, Tick, Vec3};

use super::game::Call;
use super::hostile::{refused, two};
use super::table::{Table, slot};

fn vehicle(index: u16) -> ObjectId {
    ObjectId::new(index, 1).unwrap()
}

fn at(x: f32) -> Motion {
    let position = Vec3::new(x, 30.0, 0.0);
    Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
}

fn driven(by: u8, machine: u8) -> VehicleRow {
    VehicleRow {
        vehicle: vehicle(40 + u16::from(by)),
        driver: slot(by),
        machine: Machine::new(machine).unwrap(),
        motion: at(0.0),
        top_speed: 0.5,
        carried_by: CarriedBy::Ground,
        grounded: true,
        at_rest: true,
    }
}

fn put(outbox: &mut Outbox, index: u16, time: Tick, x: f32) {
    let said = VehiclePrediction { object: vehicle(index), time: time.low16(), motion: at(x) };
    outbox.entry(MachineSet::HOST, Kind::VehiclePrediction, |bytes| said.write(bytes)).unwrap();
}

/// The vehicles that the host's game was told to put somewhere.
fn placed(table: &Table) -> Vec<(ObjectId, f32, Why)> {
    let of = |call: &Call| match call {
        Call::State(Command::PlaceVehicle { vehicle, motion, why }) => {
            Some((*vehicle, motion.position.x, *why))
        }
        _ => None,
    };
    table.game.calls.iter().filter_map(of).collect()
}

/// AUTH-74, 09: of what a machine says of vehicles its own player's is taken, at the next tick and once; another
/// machine's, one that nobody drives and one far off change nothing.
#[test]
fn a_machine_speaks_for_the_vehicle_that_its_player_drives() {
    let mut table = two();
    table.game.vehicles = vec![driven(0, 1), driven(1, 2)];
    table.run(100);
    let (now, tick) = (table.now, table.host.now_tick());
    table.raws[0].say(now, tick, |outbox| {
        for index in [40, 41, 42] {
            put(outbox, index, tick, 1.0);
        }
    });
    table.run(200);
    assert_eq!(placed(&table), [(vehicle(41), 1.0, Why::Take)]);
    assert_eq!(refused(&table, "not_driven"), 2);
    assert_eq!(table.game.vehicles[1].motion, at(1.0));

    let (now, tick) = (table.now, table.host.now_tick());
    table.raws[0].say(now, tick, |outbox| put(outbox, 41, tick, 90.0));
    table.run(200);
    assert_eq!((placed(&table).len(), refused(&table, "past_tolerance")), (1, 1));
}

/// AUTH-74: a machine that is given the index of one that left does not speak for the vehicle whose driver sits there
/// until its tick.
#[test]
fn an_index_given_anew_does_not_inherit_vehicles() {
    let mut table = two();
    table.game.vehicles = vec![driven(1, 2)];
    table.run(100);
    table.raws.remove(0).leave(table.now);
    table.run(10);
    table.raw();
    table.run(600);
    let (now, tick) = (table.now, table.host.now_tick());
    table.raws[0].say(now, tick, |outbox| put(outbox, 41, tick, 1.0));
    table.run(200);
    assert_eq!((placed(&table), refused(&table, "not_driven")), (vec![], 1));
}
