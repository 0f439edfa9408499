//! The rows in which an engine says what it has. Knows no engine and no message.

use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::damage::AnimationKind;
use mjolnir_wire::objects::{Inventory, ObjectState};
use mjolnir_wire::{Machine, MachineSet, ObjectId, Slot, Tag, Vec3};

/// What an object is, of the four kinds that are the host's (OBJ-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A player's or an actor's body, living or dead.
    Unit,
    /// What units ride.
    Vehicle,
    /// What units carry in a slot.
    Weapon,
    /// What units pick up and have no slot for.
    Equipment,
}

/// An object as a tick left it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectRow {
    /// Which, where it is, and what of it travels. Its light only where it has one; `predicted` none.
    pub state: ObjectState,
    /// What it is.
    pub class: Class,
    /// What it is more exactly: an object of another tag is another object (OBJ-01).
    pub tag: Tag,
    /// The machine of the player in its driver's seat: on the host that machine is told nothing of it here, on a client
    /// nothing carries it along. None for what nobody drives.
    pub driver: Option<Machine>,
    /// On a client: it lies on a platform that moved in the tick simulated last, or is put elsewhere in the next one, and is
    /// moved by as much (GLUE-20). A host's is not looked at.
    pub is_carried_along: bool,
}

/// What a unit carries, on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarryRow {
    /// Which unit, and what.
    pub inventory: Inventory,
    /// The player whose unit it is, if it is one's.
    pub slot: Option<Slot>,
}

/// A flinch or a death that the host's game picked for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickRow {
    /// The unit.
    pub unit: ObjectId,
    /// The animation's index in the unit's graph, 0..=32767; a larger one is not told.
    pub animation: u16,
    /// What it is for.
    pub kind: AnimationKind,
}

/// A living player: where its machine looks from, and who sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Whose.
    pub slot: Slot,
    /// The machine that it plays on.
    pub machine: Machine,
    /// Its unit, whose place is told with the players and not with the objects.
    pub unit: ObjectId,
    /// World units: of a rider its vehicle's. None where that is not known: its machine sees from where it last did.
    pub position: Option<Vec3>,
    /// The machines that are sent this player in this tick.
    pub told: MachineSet,
}

/// A living unit that an actor drives, on the host. It has an [`ObjectRow`] too, which says of its light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActorRow {
    /// What it is to do, and where and how it is. Its impulse, its speech and its own animation are the latest of each, by
    /// numbers that rise by one with each and wrap, from 0 in a unit that was just made (OBJ-49). A rider's place is looked for
    /// at its vehicle.
    pub state: ActorState,
    /// What it shows of its shield and its body.
    pub damage: ActorDamage,
}

/// What of an actor's latest word begins anew with it (OBJ-49).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begins {
    /// Its impulse.
    pub impulse: bool,
    /// Its speech.
    pub speech: bool,
    /// Its own animation.
    pub animation: bool,
}

/// What a client's engine is to do with a unit that an actor of the host's drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActorCommand {
    /// The unit does that in each tick from the next one on, until the next word on it. Where it is then is for
    /// [`Command::Place`](crate::Command::Place) to say, not for the state's place. It rides as here, where there is such a
    /// vehicle with such a seat.
    Drive {
        /// The host's word on it.
        state: ActorState,
        /// What begins with it, once.
        begins: Begins,
    },
    /// Nothing was heard of the unit for too long, or it is no actor's any more: it stands still, lets go of its trigger and its
    /// buttons (OBJ-36).
    Stop {
        /// Which.
        unit: ObjectId,
    },
    /// The unit shows that of its shield and its body (OBJ-50).
    Show(ActorDamage),
}
