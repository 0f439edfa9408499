//! What the engine tells of players' units and vehicles before and after each tick. Knows no message.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::{Placement, Ride};
use mjolnir_wire::{ObjectId, Slot};

/// World units that one may be under a floor and still stands on it (ours).
const ON_FLOOR: f32 = 0.05;

/// All that prediction reads of the engine, as it now is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// The living players' units, each slot once at most.
    pub units: &'a [UnitRow],
    /// The vehicles that players drive, each once.
    pub vehicles: &'a [VehicleRow],
}

impl Rows<'_> {
    /// That player's living unit.
    pub(crate) fn unit_of(&self, slot: Slot) -> Option<&UnitRow> {
        self.units.iter().find(|row| row.slot == slot)
    }

    /// What that player drives.
    pub(crate) fn driven_by(&self, slot: Slot) -> Option<&VehicleRow> {
        self.vehicles.iter().find(|row| row.slot == slot)
    }
}

/// A living player's unit as the engine has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitRow {
    /// Whose it is.
    pub slot: Slot,
    /// The unit.
    pub unit: ObjectId,
    /// Where it is; none while it rides.
    pub placement: Option<Placement>,
    /// Whether it stands on something.
    pub grounded: bool,
    /// What it rides.
    pub ride: Option<Ride>,
    /// The elevator that carries it.
    pub platform: Option<Platform>,
}

impl UnitRow {
    /// Where it is, on foot.
    pub(crate) fn on_foot(&self) -> Option<Placement> {
        self.placement.filter(|_| self.ride.is_none())
    }

    /// The floor of the elevator that it is in the air over, wu.
    pub(crate) fn lowest(&self) -> Option<f32> {
        let height = self.placement?.position.z;
        let platform = self.platform.filter(|platform| !platform.contact)?;
        (height >= platform.floor - ON_FLOOR).then_some(platform.floor)
    }

    /// The elevator whose floor it touches.
    pub(crate) fn floor(&self) -> Option<&Platform> {
        self.platform.as_ref().filter(|platform| platform.contact)
    }
}

/// An elevator under a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    /// Which: any number that is the same for as long as it stands.
    pub id: u32,
    /// It moves.
    pub moving: bool,
    /// The unit touches its floor; else it is remembered from when it did, as in a jump.
    pub contact: bool,
    /// The height of its floor, wu.
    pub floor: f32,
}

/// A vehicle with a player in its driver's seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleRow {
    /// Which.
    pub vehicle: ObjectId,
    /// Who drives it.
    pub slot: Slot,
    /// Where it is, and how it moves and turns.
    pub motion: Motion,
}

/// What a client's input says of an own player beside the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnRow {
    /// Whose it is.
    pub slot: Slot,
    /// The structure BSP that is loaded.
    pub structure_bsp: Option<u8>,
    /// Whether this player plays co-op with friendly fire.
    pub friendly_fire: bool,
}
