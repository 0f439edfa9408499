//! What the netcode asked of an engine in the lab, as tests read it. Knows no game.

use mjolnir_engine_glue::authority::Announcement;
use mjolnir_engine_glue::{coop, objects, prediction};
use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::events::{Action, SurfaceBroken};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::{Input, ObjectId, Slot, Tick, Vec3};

/// The netcode moved a unit of this machine's own players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The tick simulated before it.
    pub after: Tick,
    /// Whose.
    pub slot: Slot,
    /// From where.
    pub from: Vec3,
    /// To where.
    pub to: Vec3,
    /// How.
    pub why: prediction::Why,
}

impl Moved {
    /// How far, in wu.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }
}

/// The netcode moved a vehicle that an own player drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleMoved {
    /// The tick simulated before it.
    pub after: Tick,
    /// Which.
    pub vehicle: ObjectId,
    /// From where.
    pub from: Vec3,
    /// To where.
    pub to: Vec3,
}

/// What the netcode asked of an engine.
#[derive(Clone, Debug)]
pub struct Notes {
    /// What it loaded, by what the map says of itself; nothing where there was no such map.
    pub loads: Vec<Option<String>>,
    /// Moves of own players' units.
    pub own_moves: Vec<Moved>,
    /// Own players that the netcode put into a seat, with the tick simulated before it. One that it took out of a seat is
    /// moved too.
    pub own_seatings: Vec<(Slot, Tick)>,
    /// Presses of the jump button that each slot's unit was driven with.
    pub jumps: [u32; MAX_PLAYERS],
    /// Predictions that moved a copy of the host.
    pub placed: u64,
    /// The same of a vehicle that a client's player drives.
    pub placed_vehicles: u64,
    /// Moves of vehicles that own players drive, by the host's word.
    pub own_vehicle_moves: Vec<VehicleMoved>,
    /// Players made, by name, in order.
    pub joined: Vec<(Slot, String)>,
    /// Players that left, with the tick simulated before it.
    pub left: Vec<(Slot, Tick)>,
    /// The input that each slot was driven with last.
    pub driven: [Option<Input>; MAX_PLAYERS],
    /// Whom its own ticks sent elsewhere, in order.
    pub teleports: Vec<Slot>,
    /// What it was to do with its devices, with the tick simulated before it.
    pub devices: Vec<(Tick, coop::Command)>,
    /// What it was to break, with the tick simulated before it.
    pub broken: Vec<(Tick, SurfaceBroken)>,
    /// The flinches and deaths that its units were to show, with the tick simulated before it.
    pub animations: Vec<(Tick, DamageAnimation)>,
    /// Where [`Harms`](super::Harms) are kept: the flinches and deaths that it picked, with the tick simulated before.
    pub picked: Vec<(Tick, objects::PickRow)>,
    /// And its players' units that it was to take for dead, with the tick simulated before.
    pub called_dead: Vec<(Tick, ObjectId)>,
    /// What it was to make and delete, in order, and whether the object stood before.
    pub objects: Vec<(objects::Command, bool)>,
    /// What it was to announce, with the tick simulated before it.
    pub announced: Vec<(Tick, Announcement)>,
    /// What it was to show as picked up, with the tick simulated before it.
    pub picked_up: Vec<(Tick, Pickup)>,
    /// What its scripts did once, or what it was to do that another machine's did, with the tick simulated before it was told or
    /// done.
    pub acted: Vec<(Tick, Action)>,
}

impl Notes {
    /// Of an engine that was asked nothing.
    pub(super) const fn new() -> Self {
        Self {
            loads: Vec::new(),
            own_moves: Vec::new(),
            own_seatings: Vec::new(),
            jumps: [0; MAX_PLAYERS],
            placed: 0,
            placed_vehicles: 0,
            own_vehicle_moves: Vec::new(),
            joined: Vec::new(),
            left: Vec::new(),
            driven: [None; MAX_PLAYERS],
            teleports: Vec::new(),
            devices: Vec::new(),
            broken: Vec::new(),
            animations: Vec::new(),
            picked: Vec::new(),
            called_dead: Vec::new(),
            objects: Vec::new(),
            announced: Vec::new(),
            picked_up: Vec::new(),
            acted: Vec::new(),
        }
    }
}
