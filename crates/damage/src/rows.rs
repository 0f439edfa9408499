//! What the host's game tells of its players and of what can be hit, once a tick. Knows no message.

use mjolnir_wire::limits::WEAPON_SLOTS;
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Vec3};

/// A player of the game, after a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerRow {
    /// Which.
    pub slot: Slot,
    /// The machine that plays it.
    pub machine: Machine,
    /// Its living unit.
    pub unit: Option<ObjectId>,
    /// Where it is, of a rider its vehicle; of a dead one where it died, wu.
    pub place: Vec3,
    /// What it rides.
    pub riding: Option<Riding>,
    /// The weapons that it carries, in hand or not, and that its unit itself has for blows.
    pub weapons: [Option<Tag>; WEAPON_SLOTS],
    /// Its team, where there are teams.
    pub team: Option<u16>,
    /// What multiplies the damage that it deals, 1 as it is.
    pub multiplier: f32,
}

/// What a player rides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Riding {
    /// Which vehicle.
    pub vehicle: ObjectId,
    /// Its tag, the source of its gun's damage and of its collisions'.
    pub tag: Tag,
    /// How far any of it is from its place at most, wu.
    pub size: f32,
    /// What its seat is for.
    pub seat: Seat,
}

/// What a seat is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat {
    /// Who sits in it drives.
    pub drives: bool,
    /// Who sits in it fires the vehicle's gun; a driver may where this is not said.
    pub guns: bool,
}

/// A player's living unit, or a vehicle that somebody rides, after a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetRow {
    /// Which.
    pub object: ObjectId,
    /// Where, as a report's target position has it, wu.
    pub place: Vec3,
    /// In wu a tick.
    pub velocity: Vec3,
    /// How far any of it is from its place at most, wu.
    pub size: f32,
}

/// A grenade that a player threw in the host's own game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throw {
    /// Who.
    pub slot: Slot,
    /// Its kind's tag, the source of its damage.
    pub grenade: Tag,
}
