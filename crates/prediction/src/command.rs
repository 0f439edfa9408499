//! What the engine is asked to do, and the host's word that corrections come from. Knows no engine.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::{Placement, Ride};
use mjolnir_wire::{Axes, Input, ObjectId, Slot, Tick, Vec3};

/// What the host says of where a living player's unit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostWord {
    /// The host tick of the state.
    pub tick: Tick,
    /// Where the host has it after that tick; none while it rides.
    pub placement: Option<Placement>,
    /// What it rides there.
    pub ride: Option<Ride>,
    /// The own tick at which that is, widened; none when the host names none. Of another machine's player it is
    /// not looked at.
    pub predicted: Option<Tick>,
}

/// What the host says of where a vehicle is that an own player drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleWord {
    /// The host tick of the state.
    pub tick: Tick,
    /// Where the host has it after that tick.
    pub motion: Motion,
    /// The own tick at which that is, widened; none when the host names none.
    pub predicted: Option<Tick>,
}

/// Asked of the engine before it simulates a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// That unit does this in the tick.
    Drive {
        /// Whose unit it is.
        slot: Slot,
        /// The unit.
        unit: ObjectId,
        /// What it does.
        input: Input,
    },
    /// That unit is there.
    Move {
        /// The unit.
        unit: ObjectId,
        /// World units.
        to: Vec3,
        /// World units a tick; none leaves it as it is.
        velocity: Option<Vec3>,
        /// None leaves them as they are.
        axes: Option<Axes>,
        /// What kind of move it is.
        why: Why,
    },
    /// That unit sits there, or stands beside what it sat in. Whoever sits there otherwise gets out: the host has this one
    /// in the seat. The vehicle exists.
    Seat {
        /// Whose unit it is.
        slot: Slot,
        /// The unit.
        unit: ObjectId,
        /// Where; none takes it out of its seat.
        ride: Option<Ride>,
    },
    /// That vehicle is there and moves so.
    MoveVehicle {
        /// The vehicle.
        vehicle: ObjectId,
        /// Where, and how it moves and turns. What a correction leaves as it is stands here as it was.
        motion: Motion,
        /// What kind of move it is.
        why: Why,
    },
    /// That vehicle is drawn at its place plus this from now on; nothing simulated changes.
    VehicleOffset {
        /// The vehicle.
        vehicle: ObjectId,
        /// World units.
        offset: Vec3,
    },
    /// That unit is drawn at its place plus this from now on; nothing simulated changes.
    Offset {
        /// The unit.
        unit: ObjectId,
        /// World units.
        offset: Vec3,
    },
}

/// What kind of move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A part of what another's copy is off: it goes on as it moves.
    Correct,
    /// It is put there at once and has arrived: a teleporter that it now stands on does not send it on (PRED-14). An own
    /// player that is moved by a difference (PRED-15) is too.
    Teleport,
}
