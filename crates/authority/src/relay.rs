//! What the host tells each machine of the players in a tick: unit states (kind 2), relayed actions (kind 15),
//! round trips (kind 19). Knows what each is for, not why it is so.
//!
//! Every entry is encoded once, with the set of machines that get it.

use mjolnir_wire::inputs::RelayedAction;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Life, LivingUnit, UnitState};
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use crate::rows::InputRow;

/// Ticks between two messages of every player's round trip (AUTH-44).
pub const PING_INTERVAL: i32 = 60;

/// One player's unit to those machines; the owner's copy names the client's tick that the host has it at.
pub(crate) fn unit_state(
    outbox: &mut Outbox,
    to: MachineSet,
    owner: MachineSet,
    state: &UnitState,
    named: Option<Tick>,
) {
    let (Some(named), Life::Alive(unit)) = (named, state.life) else {
        return put(outbox, to, state);
    };
    let owner = to.intersection(owner);
    put(outbox, to.without(owner), state);
    if !owner.is_empty() {
        let life = Life::Alive(LivingUnit { predicted: Some(named.low16()), ..unit });
        put(outbox, owner, &UnitState { life, ..*state });
    }
}

fn put(outbox: &mut Outbox, to: MachineSet, state: &UnitState) {
    if !to.is_empty() {
        // A state always fits; the outbox counts what does not.
        let _ = outbox.entry(to, Kind::UnitStates, |bytes| state.write(bytes));
    }
}

/// One player's input as the tick ran it, to those machines.
pub(crate) fn action(outbox: &mut Outbox, to: MachineSet, row: &InputRow) {
    if !to.is_empty() {
        let action = RelayedAction { slot: row.slot, input: row.input, history: row.history };
        let _ = outbox.entry(to, Kind::RelayedActions, |bytes| action.write(bytes));
    }
}

/// Every player's round trip, to those machines.
pub(crate) fn pings(outbox: &mut Outbox, to: MachineSet, pings: &[Ping]) {
    if !to.is_empty() {
        for ping in pings {
            let _ = outbox.entry(to, Kind::Pings, |bytes| ping.write(bytes));
        }
    }
}
