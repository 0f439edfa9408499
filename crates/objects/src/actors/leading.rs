//! The host's living actors among its objects, and their states on their way (OBJ-34, 35). Knows no distance.

use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::{Kind, MachineSet, Outbox, Vec3};

use crate::rows::{ActorRow, Class, ObjectRow};

/// The actors' rows of a tick, gone through beside the objects'; both rise by index.
#[derive(Debug)]
pub(crate) struct Actors<'a> {
    left: &'a [ActorRow],
    led: usize,
    untold: u32,
}

impl<'a> Actors<'a> {
    pub(crate) const fn new(rows: &'a [ActorRow]) -> Self {
        Self { left: rows, led: 0, untold: 0 }
    }

    /// The actor that drives that object, the next one up: a unit that lives. Of those past the most that a client drives there
    /// is none: they are told as what moves by itself.
    pub(crate) fn of(&mut self, row: &ObjectRow) -> Option<&'a ActorRow> {
        let object = row.state.object;
        while let [first, rest @ ..] = self.left
            && first.state.unit.index() <= object.index()
        {
            self.left = rest;
            if first.state.unit != object || row.class != Class::Unit || row.state.dead {
                continue;
            }
            if self.led == MAX_ACTOR_UNITS {
                self.untold += 1;
                return None;
            }
            self.led += 1;
            return Some(first);
        }
        None
    }

    /// Those that were past the most.
    pub(crate) const fn untold(&self) -> u32 {
        self.untold
    }
}

/// Where an actor is: a rider where its vehicle is, as far as that has a row; rows rise by index.
pub(crate) fn position_of(actor: &ActorRow, rows: &[ObjectRow]) -> Vec3 {
    let row = actor.state.ride.and_then(|ride| {
        let vehicle = ride.vehicle?;
        let at = rows.binary_search_by_key(&vehicle.index(), |row| row.state.object.index()).ok()?;
        rows.get(at).filter(|row| row.state.object == vehicle)
    });
    row.map_or(actor.state.position, |row| row.state.motion.position)
}

/// Tells those machines what an actor has its unit do: encoded once, whoever gets it.
pub(crate) fn tell(outbox: &mut Outbox, to: MachineSet, actor: &ActorRow) {
    if !to.is_empty() {
        // A state always fits; the outbox counts what does not.
        let _ = outbox.entry(to, Kind::ActorStates, |bytes| actor.state.write(bytes));
    }
}
