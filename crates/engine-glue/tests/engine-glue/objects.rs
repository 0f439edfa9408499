//! Objects from one game to the other: where they are, and what units carry.

use mjolnir_engine_glue::objects::CarryRow;
use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{Kind, ObjectId, Vec3};

use super::game::{Call, Trace, unit_of};
use super::table::{Said, Table, slot};

fn weapon(index: u16) -> ObjectId {
    ObjectId::new(index, 1).unwrap()
}

fn place(x: f32) -> Vec3 {
    Vec3::new(x, 5.0, 0.0)
}

/// A game in progress with three weapons on the ground and a client that has been in it for a second.
fn playing() -> Table {
    let mut table = Table::playing(1_000);
    for index in [300, 301, 302] {
        table.game.lay(weapon(index), place(f32::from(index) - 300.0));
    }
    table.seat(1);
    table.run(1_000);
    assert_eq!(table.seats[0].game.place_of(weapon(301)), Some(place(1.0)));
    table
}

/// OBJ-20 to 26, NET-69: what the host's game moves is where the host has it on the client, exactly once it rests; what
/// did not move is put nowhere, and a living player's unit by no state of an object.
#[test]
fn what_the_host_moves_is_moved() {
    let mut table = playing();
    table.game.put(weapon(301), place(9.0));
    table.run(1_000);
    let Table { seats, .. } = &table;
    let game = &seats[0].game;
    assert_eq!(game.place_of(weapon(301)), Some(place(9.0)));
    let placed: Vec<_> = game.calls.iter().filter(|call| matches!(call, Call::Place(_))).collect();
    assert_eq!(placed, [&Call::Place(weapon(301))]);
    assert!(table.network.first(Said::Datagram(Kind::ObjectStates)).is_some());
    let refused = seats[0].client.counters().refused;
    assert!(!refused.keys().any(|reason| reason.contains("object")), "{refused:?}");
}

/// OBJ-20: a rider's machine is told each tick of what moves near the vehicle that it rides, not near where it got in; of
/// that it is told each fourth tick.
#[test]
fn a_rider_sees_from_its_vehicle() {
    let mut table = Table::playing(1_000);
    table.game.lay(weapon(300), place(500.0));
    table.seat(1);
    table.run(1_000);
    table.game.wake(weapon(300));
    // Nothing lies at rest, so that each state is of what moves.
    let mut told = |rides: Option<ObjectId>| {
        table.game.rides = rides.map(|vehicle| (slot(0), vehicle));
        table.run(200);
        let before = table.host.now_tick();
        table.network.said.clear();
        table.run(2_000);
        let states = Said::Datagram(Kind::ObjectStates);
        let told = table.network.said.iter().filter(|said| **said == states).count();
        (told, table.host.now_tick().since(before) as usize)
    };
    let (on_foot, ticks) = told(None);
    assert!(on_foot.abs_diff(ticks / 4) <= 1, "{on_foot} of {ticks}");
    let (riding, ticks) = told(Some(weapon(300)));
    assert_eq!(riding, ticks);
}

/// OBJ-13, 14, 52: what a unit carries on the host reaches the client's game within a sixth of a second, though its weapons were made in the very tick.
#[test]
fn what_units_carry_is_carried() {
    let mut table = playing();
    let carried = |index| CarriedWeapon { object: weapon(index), total: [60, 0], loaded: [12, 0], age: 3 };
    let inventory = Inventory {
        grenades: [1, 2],
        in_hand: Some(1),
        weapons: [Some(carried(300)), Some(carried(310)), None, None],
        ..Inventory::empty(unit_of(slot(0)))
    };
    table.game.lay(weapon(310), place(0.0));
    table.game.carries = vec![CarryRow { inventory, slot: Some(slot(0)) }];
    table.run(170);
    let seat = &table.seats[0];
    assert!(seat.game.count(&Call::Carry(inventory)) >= 1);
    let turns = seat.game.turns();
    let made = turns.iter().position(|call| *call == Call::Make(weapon(310))).unwrap();
    let carry = turns.iter().position(|call| *call == Call::Carry(inventory)).unwrap();
    assert!(made < carry);
}

/// GLUE-02: a client makes objects, then puts them and lets units carry them, then hears of players, and all before it
/// simulates.
#[test]
fn objects_are_put_before_players() {
    let mut table = playing();
    let trace = Trace::default();
    let super::table::Seat { game, network, .. } = &mut table.seats[0];
    (game.trace, network.trace) = (Some(trace.clone()), Some(trace.clone()));
    let inventory = Inventory::empty(unit_of(slot(0)));
    table.game.carries = vec![CarryRow { inventory, slot: Some(slot(0)) }];
    table.game.put(weapon(302), place(7.0));
    table.run(200);
    let trace = trace.borrow();
    for (did, until) in [("place", "drive"), ("carry", "drive")] {
        let at = trace.iter().position(|what| *what == did).unwrap();
        let drive = at + trace[at..].iter().position(|what| *what == until).unwrap();
        assert!(trace[at..drive].iter().all(|what| *what != "simulate"), "{did}");
    }
}
