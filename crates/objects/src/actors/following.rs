//! A client's ear for the host's actors, and what its engine is to do with their units. Knows no rule of either.

use alloc::vec::Vec;

use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::objects::{Motion, ObjectState};
use mjolnir_wire::{ObjectId, Tick, Vec3};

use super::driving::Here;
use crate::client::{Client, Ignored};
use crate::error::Error;
use crate::rows::{ActorCommand, Class, ObjectRow};
use crate::table::Table;

impl Client {
    /// Hears an entry of kind 64, stamped with the host's tick: the newest of each unit counts, in the next
    /// [`Client::settle`]. Refused past [`MAX_ACTOR_UNITS`](mjolnir_wire::limits::MAX_ACTOR_UNITS) units (WIRE-40).
    pub fn handle_actor(&mut self, stamp: Tick, state: &ActorState) -> Result<(), Error> {
        self.driving.hear(stamp, state)
    }

    /// Hears an entry of kind 73, stamped with the host's tick; the same.
    pub fn handle_actor_damage(&mut self, stamp: Tick, damage: &ActorDamage) -> Result<(), Error> {
        self.showing.hear(stamp, damage)
    }

    /// In each tick, after the commands of [`Client::settle`] and of the same rows: what the host's actors have their units do
    /// (OBJ-36), and what those show of their damage (OBJ-50).
    ///
    /// Something begins as its number changes, and once (OBJ-49); of several words in one tick the last counts. In a unit
    /// that was made since everything was listed the numbers rise from 0; in any other the first that is heard is that of
    /// something that may have been long ago, and nothing begins.
    pub fn drive_actors(&mut self, commands: &mut Vec<ActorCommand>) {
        self.driving.drive(|command| commands.push(command));
        self.showing.show(|damage| commands.push(ActorCommand::Show(damage)));
    }

    /// Units that the host's actors drive here now.
    pub fn driven(&self) -> usize {
        self.driving.count()
    }
}

/// Where the host has an actor's unit.
pub(crate) fn as_driven(actor: &ActorState) -> ObjectState {
    let ActorState { unit, position, velocity, axes, .. } = *actor;
    let motion = Motion { position, axes, velocity, angular_velocity: Vec3::ZERO };
    ObjectState { carried: actor.ride.is_some(), ..ObjectState::moving(unit, motion) }
}

/// A driven unit: it moves, whatever its engine calls it as it stands.
pub(crate) const fn awake(row: &ObjectRow) -> ObjectRow {
    ObjectRow { state: woken(row.state), ..*row }
}

pub(crate) const fn woken(state: ObjectState) -> ObjectState {
    ObjectState { at_rest: false, ..state }
}

/// Who a unit is that an actor of the host's is said to drive; of news that are for nothing, or for another thing, each counts.
pub(crate) fn here(
    row: Option<&ObjectRow>,
    unit: ObjectId,
    is_news: bool,
    others: &Table,
    ignored: &mut Ignored,
) -> Here {
    let count = match row {
        None => &mut ignored.unknown,
        Some(row) if row.state.object != unit => &mut ignored.stale,
        Some(row) if row.class != Class::Unit => &mut ignored.wrong_class,
        Some(_) if others.holds(unit) => return Here::Others,
        // Words on it that were still on their way as it fell are no fault.
        Some(row) if row.state.dead => return Here::Nothing,
        Some(_) => return Here::Actors,
    };
    *count += u64::from(is_news);
    Here::Nothing
}
