//! The cheaters' kit: what a client that is built on these crates lies about, each lie as data, and what tells it. Knows
//! no bound: what the host makes of a lie is measured by [`trial`].
//!
//! A lie is told at one of three places. The player's own machine moves it as nobody moves, after its tick and before
//! anybody is told; the row that is told says something else than the machine has; the datagrams are changed on their
//! way out. Lies are combined as a list. [`Seat::cheat`](crate::Seat::cheat) makes a client tell them from then on.

mod drive;
pub mod hits;
mod places;
pub mod trial;
mod way;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use mjolnir_engine_glue::authority::UnitRow;
use mjolnir_engine_glue::prediction::OWN_PLAYER_TOLERANCE;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::movement::{JUMP, RUN};
use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::{Life, Placement};
use mjolnir_wire::{ObjectId, Slot, Vec3};

pub(crate) use way::Forger;

/// One lie. Directions are a player's own: ahead, to its left, up. Distances are in wu, speeds in wu a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cheat {
    /// It moves across so many times as far as its own tick moved it.
    Runs(f32),
    /// It leaves the ground so many times as fast in a jump.
    Jumps(f32),
    /// A jump takes it so high above where it stood, as fast as a jump begins, and there it stays.
    Hovers(f32),
    /// It falls no faster than that; at 0 it walks on air.
    Falls(f32),
    /// Each so many ticks it is so far ahead of where it was.
    Leaps {
        /// Ticks.
        every: u32,
        /// How far.
        by: f32,
    },
    /// Once, a second after it began, the same.
    LeapsOnce(f32),
    /// It walks ahead through whatever stands there, as fast as it runs.
    Ghosts,
    /// It goes on whatever the host says of where it is.
    Stubborn,
    /// It stays where it is, whatever carries it.
    Floats,
    /// It is on top of the map's first platform while that is so high at least, wu.
    Boards(f32),
    /// Each so many ticks it is where the map's first pad leads if it is near that pad, so near as said, else it goes on.
    Steps {
        /// Ticks.
        every: u32,
        /// So far from the pad at most, wu.
        near: f32,
    },
    /// It is now at the one end and now at the other of the map's first pads, each so many ticks.
    Flits(u32),
    /// It sits in the map's first vehicle, however far that is.
    SitsFar,
    /// It says that it is so much higher than it is.
    SaysHigher(f32),
    /// It says that it moves so.
    Says(Vec3),
    /// It says that it is so far ahead of where the host last said that it is.
    Grasps(f32),
    /// Its stamps go so many times as fast as its ticks; below 0 they go back.
    StampsAt(f32),
    /// Each so many ticks its stamps are so many further on than they were.
    StampsStep {
        /// Ticks.
        every: u32,
        /// Ticks.
        by: i32,
    },
    /// Its stamps stand for so many ticks and go twice as fast for as many.
    StampsWave(u32),
    /// In each so many ticks it says nothing of where it is but in the last few.
    Withholds {
        /// Ticks.
        every: u32,
        /// Ticks in which it says it.
        says: u32,
    },
    /// Each datagram goes twice.
    Doubles,
    /// Each goes when so many others have gone.
    Delays(u32),
    /// Each two go in the other order.
    Swaps,
    /// Beside each the one goes once more that went so many before.
    Replays(u32),
    /// The same, stamped as of now, and before what is of now.
    Restamps(u32),
}

impl Cheat {
    /// Whether its stamps are not its ticks: what the host says of them, its own netcode does not understand.
    pub(crate) const fn forges(self) -> bool {
        matches!(self, Self::StampsAt(_) | Self::StampsStep { .. } | Self::StampsWave(_))
    }
}

impl fmt::Display for Cheat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Runs(times) => write!(f, "runs {times} times as fast"),
            Self::Jumps(times) => write!(f, "jumps {times} times as fast"),
            Self::Hovers(height) => write!(f, "hovers {height} wu up after a jump"),
            Self::Falls(0.0) => write!(f, "walks on air"),
            Self::Falls(most) => write!(f, "falls at {most} wu a tick at most"),
            Self::Leaps { every: 1, by } => write!(f, "leaps {by} wu each tick"),
            Self::Leaps { every, by } => write!(f, "leaps {by} wu each {every} ticks"),
            Self::LeapsOnce(by) => write!(f, "leaps {by} wu once"),
            Self::Ghosts => write!(f, "walks through walls"),
            Self::Stubborn => write!(f, "does not come back"),
            Self::Floats => write!(f, "stays where it is"),
            Self::Boards(0.0) => write!(f, "is on top of it"),
            Self::Boards(least) => write!(f, "is on top of it where that is {least} wu up"),
            Self::Steps { every: 1, near } => write!(f, "is through the pad from {near} wu off"),
            Self::Steps { every, near } => {
                write!(f, "is through the pad from {near} wu off each {every} ticks")
            }
            Self::Flits(1) => write!(f, "is now at the one pad and now at the other"),
            Self::Flits(every) => write!(f, "is at the other pad each {every} ticks"),
            Self::SitsFar => write!(f, "sits in a vehicle far off"),
            Self::SaysHigher(by) if by < 0.0 => write!(f, "says it is {} wu lower than it is", -by),
            Self::SaysHigher(by) => write!(f, "says it is {by} wu higher than it is"),
            Self::Says(velocity) => {
                let [ahead, left, up] = velocity.to_array();
                let way = match (ahead, left, up) {
                    (ahead, 0.0, 0.0) if ahead > 0.0 => "ahead",
                    (_, 0.0, 0.0) => "back",
                    (0.0, left, 0.0) if left > 0.0 => "to the left",
                    (0.0, _, 0.0) => "to the right",
                    (0.0, 0.0, up) if up > 0.0 => "upward",
                    (0.0, 0.0, _) => "downward",
                    _ => "aslant",
                };
                write!(f, "says it moves {} wu a tick {way}", velocity.length())
            }
            Self::Grasps(0.0) => write!(f, "says it is where the host has it"),
            Self::Grasps(by) => write!(f, "says it is {by} wu ahead of where the host has it"),
            Self::StampsAt(times) => write!(f, "stamps at {times} times the ticks"),
            Self::StampsStep { every, by } => write!(f, "stamps {by} further on each {every} ticks"),
            Self::StampsWave(ticks) => write!(f, "stamps stand {ticks} ticks, then go twice as fast"),
            Self::Withholds { every, says } => {
                write!(f, "says where it is in {says} of {every} ticks")
            }
            Self::Doubles => write!(f, "sends all twice"),
            Self::Delays(by) => write!(f, "sends all {by} ticks late"),
            Self::Swaps => write!(f, "sends each two in the other order"),
            Self::Replays(by) => write!(f, "sends what is {by} ticks old again"),
            Self::Restamps(by) => write!(f, "sends what is {by} ticks old as of now"),
        }
    }
}

/// Where the host last said that each player on foot is, and each vehicle.
#[derive(Debug, Default)]
pub(crate) struct Hearsay {
    players: BTreeMap<Slot, Placement>,
    vehicles: BTreeMap<ObjectId, Motion>,
}

/// What a machine heard of the host, to both sides of a liar.
pub(crate) type Heard = Rc<RefCell<Hearsay>>;

/// A player of a machine that lies.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    /// Ticks since it began to.
    ticks: u32,
    /// Where it was before the tick.
    before: Vec3,
    /// The height at which it last stood.
    ground: f32,
    /// It stood before the tick.
    stood: bool,
    /// It left the ground by a jump.
    jumped: bool,
    ahead: Vec3,
}

impl Own {
    /// A direction of its own in the world.
    fn turn(&self, own: Vec3) -> Vec3 {
        let left = Vec3::new(-self.ahead.y, self.ahead.x, 0.0);
        self.ahead * own.x + left * own.y + Vec3::UP * own.z
    }
}

/// The side of a liar that its engine is: it moves its players as nobody moves, and says of them what is not so.
#[derive(Debug)]
pub(crate) struct Liar {
    cheats: Vec<Cheat>,
    heard: Heard,
    own: BTreeMap<Slot, Own>,
    /// What they drive.
    drive: BTreeMap<Slot, drive::Drive>,
}

impl Liar {
    pub(crate) fn new(cheats: &[Cheat], heard: Heard) -> Self {
        Self { cheats: cheats.to_vec(), heard, own: BTreeMap::new(), drive: BTreeMap::new() }
    }

    /// Whether its players are not moved by the host's word.
    pub(crate) fn is_stubborn(&self) -> bool {
        self.cheats.iter().any(|cheat| *cheat == Cheat::Stubborn || cheat.forges())
    }

    /// Its world is about to simulate a tick.
    pub(crate) fn before_tick(&mut self, world: &World, slot: Slot, unit: ObjectId) {
        self.before_driving(world, slot);
        let Some(placement) = world.placement(unit) else { return };
        let own = self.own.entry(slot).or_default();
        let ahead = placement.axes.forward.across();
        own.ahead = ahead * (1.0 / ahead.length().max(f32::EPSILON));
        own.before = placement.position;
        own.stood = world.grounded(unit);
        if own.stood {
            (own.ground, own.jumped) = (placement.position.z, false);
        }
    }

    /// Its world has simulated a tick.
    pub(crate) fn after_tick(&mut self, world: &mut World, slot: Slot, unit: ObjectId) {
        if self.after_driving(world, slot) {
            return;
        }
        let (Some(placement), Some(own)) = (world.placement(unit), self.own.get_mut(&slot)) else { return };
        own.ticks += 1;
        let flies = !world.grounded(unit);
        let Placement { mut position, mut velocity, .. } = placement;
        let moved = position - own.before;
        let leaves = own.stood && flies && velocity.z > 0.0;
        own.jumped |= leaves;
        for cheat in &self.cheats {
            match *cheat {
                Cheat::Runs(times) => position += moved.across() * (times - 1.0),
                Cheat::Jumps(times) if leaves => {
                    position.z += (times - 1.0) * JUMP;
                    velocity.z += (times - 1.0) * JUMP;
                }
                Cheat::Hovers(height) if own.jumped && flies => {
                    let up = JUMP.min(own.ground + height - own.before.z);
                    (position.z, velocity.z) = (own.before.z + up, up.max(0.0));
                }
                Cheat::Falls(most) if flies && velocity.z < -most => {
                    (position.z, velocity.z) = (own.before.z - most, -most);
                }
                Cheat::Leaps { every, by } if own.ticks.is_multiple_of(every) => position += own.ahead * by,
                Cheat::Ghosts => {
                    position = own.before + own.ahead * RUN;
                    velocity = own.ahead * RUN;
                }
                Cheat::LeapsOnce(by) if own.ticks == 30 => position += own.ahead * by,
                _ => {}
            }
        }
        for cheat in &self.cheats {
            let carried = places::carried(world, slot, cheat, own.ticks, own.before);
            (position, velocity) = carried.unwrap_or((position, velocity));
        }
        // A liar whose stamps are not its ticks has to find back by itself, or it would gain no more.
        let forges = self.cheats.iter().any(|cheat| cheat.forges());
        let heard = self.heard.borrow().players.get(&slot).copied().filter(|_| forges);
        if let Some(heard) = heard.filter(|heard| heard.position.distance(position) > OWN_PLAYER_TOLERANCE) {
            (position, velocity) = (heard.position, heard.velocity);
        }
        if (position, velocity) != (placement.position, placement.velocity) {
            world.place(unit, position, Some(velocity), None);
        }
        if self.cheats.contains(&Cheat::SitsFar) {
            places::sit(world, unit);
        }
    }

    /// What is told of one of its players.
    pub(crate) fn tell(&self, row: &mut UnitRow) {
        let slot = row.state.slot;
        let Life::Alive(unit) = &mut row.state.life else { return };
        let (Some(placement), Some(own)) = (&mut unit.placement, self.own.get(&slot)) else { return };
        for cheat in &self.cheats {
            match *cheat {
                Cheat::Says(velocity) => placement.velocity = own.turn(velocity),
                Cheat::SaysHigher(by) => placement.position.z += by,
                Cheat::Grasps(by) => {
                    if let Some(heard) = self.heard.borrow().players.get(&slot) {
                        placement.position = heard.position + own.ahead * by;
                    }
                }
                _ => {}
            }
        }
    }
}
