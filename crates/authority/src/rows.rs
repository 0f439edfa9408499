//! What the engine tells of its players before each call, and what it is told to do. Knows no message.

use mjolnir_wire::inputs::History;
use mjolnir_wire::objects::Motion;
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, ShieldFlags, ShownDamage, UnitState};
use mjolnir_wire::{Input, Machine, ObjectId, Slot, Tick, Vec3};

use crate::crossing::FLOORS;

/// How a player's unit moves of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveLimits {
    /// As fast as it runs, wu a tick.
    pub run: f32,
    /// As fast as it leaves the ground in a jump, wu a tick.
    pub jump: f32,
    /// How far a crouch in the air draws its legs up, wu.
    pub crouch_lift: f32,
}

/// One player on the host after a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitRow {
    /// The machine that plays it.
    pub machine: Machine,
    /// Its unit as every machine is told of it; `predicted` is none here.
    pub state: UnitState,
    /// How it moves of its own.
    pub limits: MoveLimits,
    /// It stands on something.
    pub grounded: bool,
    /// The elevator that it rides, if it rides one.
    pub platform: Option<Platform>,
    /// The elevator whose floor it is on, over or near to across, moving or not: 2 wu or so; of several the nearest. None where
    /// there is none, and where clients' elevators leave in the host's tick.
    pub shaft: Option<Shaft>,
    /// Where a teleporter leads that it is so near to that its client may have stepped on it already: a wu or so. None
    /// where there is none, and where the host's own copy alone steps on them.
    pub exit: Option<Vec3>,
    /// Its machine has left the game; the player stays in the list.
    pub left: bool,
    /// Where it is to be seen, and where it looks.
    pub view: View,
}

/// Where a living player is to be seen, and where it looks. What a game does not know it leaves as it is by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// The cluster of the level that its unit is in, of a rider its vehicle, by [`VisibleSet`](crate::VisibleSet). None
    /// where that is not known: it is seen from everywhere, and sees everything.
    pub cluster: Option<u16>,
    /// Where it aims, a direction; zero where it aims at nothing.
    pub aim: Vec3,
    /// It looks through a scope.
    pub scoped: bool,
}

/// An elevator under a unit. It carries the unit by what it itself moves in the same tick (GLUE-20).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    /// Which: any number that is the same for as long as it stands, on this machine alone.
    pub id: u32,
    /// It moves.
    pub moving: bool,
    /// The unit touches its floor; else it is remembered from when it did, as in a jump.
    pub contact: bool,
    /// The height of its floor, wu.
    pub floor: f32,
}

/// Where an elevator's floor is and was, of one that a unit may be on its client's machine on or off while it is not here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    /// The corner of least parts of its floor across, x and y, wu.
    pub least: [f32; 2],
    /// The corner of most parts.
    pub most: [f32; 2],
    /// So far beyond its rim a unit may still stand on it, wu: as wide as that is to either side.
    pub rim: f32,
    /// How high its floor is, and was after each tick before, newest first, wu.
    pub floors: [f32; FLOORS],
}

impl Shaft {
    /// How far beyond its rim that place is, wu; less than 0 within.
    pub(crate) fn beyond(&self, place: Vec3) -> f32 {
        let beyond = |at: f32, axis: usize| (self.least[axis] - at).max(at - self.most[axis]);
        beyond(place.x, 0).max(beyond(place.y, 1))
    }

    /// The place on its floor that is nearest to that one across.
    pub(crate) fn over(&self, place: Vec3) -> Vec3 {
        let within = |at: f32, axis: usize| at.max(self.least[axis]).min(self.most[axis]);
        Vec3::new(within(place.x, 0), within(place.y, 1), self.floors[0])
    }
}

/// A vehicle that a player drives, after a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleRow {
    /// Which.
    pub vehicle: ObjectId,
    /// Who sits in its driver's seat.
    pub driver: Slot,
    /// The machine that plays it.
    pub machine: Machine,
    /// Where it is and how it moves.
    pub motion: Motion,
    /// As fast as its tag lets it go, wu a tick.
    pub top_speed: f32,
    /// What carries it.
    pub carried_by: CarriedBy,
    /// It stands on something.
    pub grounded: bool,
    /// It lies still and is not simulated until something wakes it.
    pub at_rest: bool,
}

/// What carries a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedBy {
    /// The ground: in the air it falls.
    Ground,
    /// It flies, floats or is fixed: its height is its own.
    Itself,
}

impl UnitRow {
    /// The living unit, if there is one.
    pub const fn living(&self) -> Option<&LivingUnit> {
        living(&self.state)
    }
}

/// The living unit of a state, if it has one.
pub(crate) const fn living(state: &UnitState) -> Option<&LivingUnit> {
    match &state.life {
        Life::Alive(unit) => Some(unit),
        Life::Dead(_) => None,
    }
}

/// What drove one player in a tick of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputRow {
    /// Whose it is.
    pub slot: Slot,
    /// The machine that plays it.
    pub machine: Machine,
    /// As the tick ran it.
    pub input: Input,
    /// Buttons of the tick and the three before, newest first.
    pub history: History,
    /// The client's tick that this is the input of; none where an older one was held on, and for the host's own.
    pub of: Option<Tick>,
}

/// One player on a client before a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    /// Which player.
    pub slot: Slot,
    /// The living unit that it has here.
    pub unit: Option<ObjectId>,
}

/// Why a unit is put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Halfway to where its client has it, a little off.
    Blend,
    /// Where its client has it; on an elevator that its client stepped onto before that left, as high as its floor is here.
    Take,
    /// Where its client has it, which stepped on a teleporter that the host's copy had all but reached: it has arrived there,
    /// as if that teleporter had sent it.
    Teleport,
}

/// What the engine is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Host: put a player's unit there, moving so. Nothing else of the unit changes.
    Place {
        /// Whose.
        slot: Slot,
        /// Its unit.
        unit: ObjectId,
        /// Where, and how it moves and faces.
        placement: Placement,
        /// By which rule.
        why: Why,
    },
    /// Host: put a driven vehicle there, moving so. One at rest is woken, so that it falls and counts its ticks in the
    /// air (AUTH-31).
    PlaceVehicle {
        /// Which.
        vehicle: ObjectId,
        /// Where, and how it moves and turns.
        motion: Motion,
        /// By which rule.
        why: Why,
    },
    /// Client: that unit is the player's.
    Own {
        /// Whose.
        slot: Slot,
        /// Its unit, which exists.
        unit: ObjectId,
    },
    /// Client: the state of a player's unit but for its place.
    Vitality {
        /// Whose.
        slot: Slot,
        /// Its unit, which exists.
        unit: ObjectId,
        /// All of it.
        vitality: Vitality,
    },
    /// Client: the player is dead, and how; its unit here is nobody's any more.
    Die {
        /// Whose.
        slot: Slot,
        /// How.
        death: Death,
    },
}

/// What the host says of a living unit besides its place and its seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vitality {
    /// Health, 1 whole.
    pub body: f32,
    /// Shield, 1 whole, to 3 and a little more.
    pub shield: f32,
    /// What the shield is doing.
    pub flags: ShieldFlags,
    /// The damage it shows.
    pub shown: ShownDamage,
    /// Ticks left of active camouflage and of full-spectrum vision.
    pub powerups: [i16; 2],
    /// Camouflaged or not, super or not (bits 0 and 1).
    pub unit_flags: u8,
    /// How invisible it is, 0 to 1.
    pub camouflage: f32,
}

impl Vitality {
    /// That of a living unit.
    pub const fn of(flags: ShieldFlags, unit: &LivingUnit) -> Self {
        Self {
            body: unit.body,
            shield: unit.shield,
            flags,
            shown: unit.shown,
            powerups: unit.powerups,
            unit_flags: unit.unit_flags,
            camouflage: unit.camouflage,
        }
    }
}

/// A player's statistics on the host after a tick's simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatisticsRow {
    /// Whose; one who left has them still.
    pub slot: Slot,
    /// All of them.
    pub statistics: Statistics,
}

/// What a game type's counters say has happened, to be announced once (AUTH-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// Capture the flag: that team's player captured a flag.
    FlagCaptured {
        /// Whose captures, 0 or 1.
        team: u8,
        /// Who, as far as the host's word names somebody.
        by: Option<Slot>,
    },
    /// That team's flag was taken.
    FlagGrabbed {
        /// Whose grabs, 0 or 1.
        team: u8,
        /// Who.
        by: Option<Slot>,
    },
    /// That team's flag was brought home.
    FlagReturned {
        /// Whose returns, 0 or 1.
        team: u8,
        /// Who; none where it came back by itself.
        by: Option<Slot>,
    },
    /// Oddball: a ball came back to where it lies at first.
    BallReset {
        /// It had been touched.
        touched: bool,
    },
    /// A ball went to its carrier's killer.
    BallPassed {
        /// Who has it now.
        to: Option<Slot>,
    },
    /// Race: a player touched its flag.
    FlagTouched {
        /// Who.
        by: Slot,
    },
    /// A player ran a lap.
    Lap {
        /// Who.
        by: Slot,
    },
    /// A player ran its best lap.
    BestLap {
        /// Who.
        by: Slot,
    },
    /// The game is over (the post-game phase rose from 0).
    GameOver,
}
