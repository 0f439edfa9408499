//! The order of a tick.

use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Input, Kind, MachineSet, Vec3};

use super::game::{Trace, unit_of};
use super::table::{Seat, Table, slot};

/// GLUE-02: a host hears, drives, simulates, takes predictions and then tells; what came in one read drives the tick and
/// is then compared with it.
#[test]
fn a_host_takes_after_it_simulated() {
    let mut table = Table::playing(1_000);
    table.raw();
    table.run(1_000);
    let (now, at) = (table.now, table.host.now_tick());
    let position = table.game.place(0).unwrap() + Vec3::new(0.1, 0.0, 0.0);
    table.raws[0].say(now, at, |outbox| {
        let input = PlayerInput {
            slot: slot(0),
            structure_bsp: None,
            friendly_fire: false,
            tick: at,
            host_tick: at,
            input: Input::default(),
            history: Default::default(),
        };
        outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |bytes| input.write(bytes)).unwrap();
        let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        let life = Life::Alive(LivingUnit::whole(unit_of(slot(0)), placement));
        let state = UnitState { slot: slot(0), shield: ShieldFlags::default(), life };
        outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| state.write(bytes)).unwrap();
    });
    let trace = Trace::default();
    let Table { host, game, network, .. } = &mut table;
    (game.trace, network.trace) = (Some(trace.clone()), Some(trace.clone()));
    host.tick(now, game, network);
    assert_eq!(*trace.borrow(), ["receive", "drive", "simulate", "state", "harm", "events", "dealt", "send"]);
}

/// GLUE-02: a client hears, makes what the host made, applies its word, drives, simulates and then tells.
#[test]
fn a_client_applies_before_it_simulates() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    table.run(1_000);
    // Another player comes: its unit's creation and its first state reach the client in one read.
    let trace = Trace::default();
    let Seat { game, network, .. } = &mut table.seats[a];
    (game.trace, network.trace) = (Some(trace.clone()), Some(trace.clone()));
    table.raw();
    table.run(1_000);
    let trace = trace.borrow();
    let made = trace.iter().position(|did| *did == "make").unwrap();
    let from = trace[..made].iter().rposition(|did| *did == "receive").unwrap();
    let until = made + trace[made..].iter().position(|did| *did == "send").unwrap();
    assert_eq!(trace[from..=until], ["receive", "make", "state", "state", "drive", "simulate", "send"]);
}
