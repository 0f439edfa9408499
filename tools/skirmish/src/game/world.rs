//! The world: players, objects and one tick of both. Knows no network: who drives, places and decides is told it.
//!
//! One type for every role. On [`Role::Client`] nothing is decided: the world moves what is in it, and takes
//! damage, deaths, spawns and scores from its setters alone (GLUE-17). The calls that decide are counted, so that
//! this can be shown ([`World::decisions`]).

mod roster;
mod rules;
mod units;

use mjolnir_wire::units::Death;
use mjolnir_wire::{Axes, Input, ObjectId, Slot, Tag, Tick, Vec3};

use super::hash::Hash;
use super::health::Vitality;
use super::map::Map;
use super::movement::{Body, Ground, HEIGHT, Limits, Moved, Tuning};
use super::objects::{Half, Made, Object, Objects, yaw_of};
use super::player::Player;
use super::random::Random;

/// Ticks from a death until its player comes back (three seconds). Ours.
pub const RESPAWN_AFTER: u16 = 90;

/// What a machine's world may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Decides for all.
    Host,
    /// Decides nothing.
    Client,
    /// Alone: decides, and nobody is told.
    Local,
}

impl Role {
    /// Whether it decides.
    pub const fn decides(self) -> bool {
        !matches!(self, Self::Client)
    }
}

/// Something that happened in a tick, or that a setter did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// This world made an object, in the half of its role. Not of [`World::make_at`].
    Made(Made),
    /// This world deleted an object. Not of [`World::delete`].
    Deleted(ObjectId),
    /// A player has a unit: a spawn decided here, or [`World::own`].
    Began {
        /// Who.
        slot: Slot,
        /// Its unit.
        unit: ObjectId,
    },
    /// A player died: decided here, or [`World::die`].
    Died {
        /// Who.
        slot: Slot,
        /// How.
        death: Death,
    },
}

/// How often each thing was decided; all 0 in a client's world (GLUE-17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// Damage and healing.
    pub damage: u64,
    /// Deaths.
    pub deaths: u64,
    /// Spawns.
    pub spawns: u64,
    /// Scores.
    pub scores: u64,
}

impl Decisions {
    /// Of any kind.
    pub const fn total(self) -> u64 {
        self.damage + self.deaths + self.spawns + self.scores
    }
}

/// One machine's game.
#[derive(Clone, Debug)]
pub struct World {
    map: Map,
    limits: Limits,
    role: Role,
    tick: Tick,
    random: Random,
    players: Vec<Option<Player>>,
    objects: Objects,
    events: Vec<Event>,
    decisions: Decisions,
    around: Vec<u16>,
    others: Vec<Vec3>,
}

impl World {
    /// A game on that map; it decides until its role is set otherwise.
    pub fn new(map: &Map, seed: u64, tuning: Tuning) -> Self {
        Self {
            map: map.clone(),
            limits: tuning.limits(),
            role: Role::Local,
            tick: Tick::ZERO,
            random: Random::new(seed),
            players: vec![None; Slot::all().count()],
            objects: Objects::new(),
            events: Vec::new(),
            decisions: Decisions::default(),
            around: Vec::with_capacity(64),
            others: Vec::with_capacity(128),
        }
    }

    /// Sets what it may decide, and with it the half in which it makes objects.
    pub fn set_role(&mut self, role: Role) {
        self.role = role;
    }

    /// What it may decide.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The tick simulated last.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// What every biped can do by itself, gravity with it.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How often each thing was decided.
    pub fn decisions(&self) -> Decisions {
        self.decisions
    }

    /// Simulates that one tick with the inputs that [`World::drive`] left.
    pub fn step(&mut self, tick: Tick) {
        self.tick = tick;
        if self.role.decides() {
            self.spawn_due();
        }
        let mut place = 0;
        // Whoever dies is deleted, and the next one takes its place in the list.
        while let Some(id) = self.objects.nth(place) {
            if let Some((slot, moved)) = self.move_biped(id)
                && self.role.decides()
            {
                self.judge(slot, id, moved);
            }
            if self.objects.nth(place) == Some(id) {
                place += 1;
            }
        }
    }

    // Movement.

    fn move_biped(&mut self, id: ObjectId) -> Option<(Option<Slot>, Moved)> {
        let ground = Ground { solids: &self.map.solids, bounds: self.map.bounds, limits: self.limits };
        let object = self.objects.get_mut(id)?;
        let biped = object.biped.as_mut()?;
        let input = match biped.slot.and_then(|slot| self.players[slot.index()].as_ref()) {
            Some(player) => player.input,
            None => Input { yaw: biped.yaw, pitch: biped.pitch, ..Input::default() },
        };
        biped.look(&mut object.axes, &input);
        let moved = ground.step(object.body, &input, &mut self.around);
        object.body = moved.body;
        (biped.crouched, biped.grounded) = (moved.crouched, moved.grounded);
        Some((biped.slot, moved))
    }

    // Objects.

    /// Makes an object in the half of this world's role; none when that is full.
    pub fn make(&mut self, tag: Tag, position: Vec3, axes: Axes, slot: Option<Slot>) -> Option<ObjectId> {
        let half = if self.role.decides() { Half::Lower } else { Half::Upper };
        let body = Body { position, velocity: Vec3::ZERO };
        let id = self.objects.make(half, Object::new(tag, body, axes, slot))?;
        let made = self.describe(id)?;
        self.events.push(Event::Made(made));
        Some(id)
    }

    /// Makes an object by the name the host gave it; what stands there under another name goes. Whether it was
    /// made: one that stands there under this name is left as it is.
    pub fn make_at(&mut self, made: &Made) -> bool {
        let body = Body { position: made.position, velocity: made.velocity };
        body.position.is_finite()
            && body.velocity.is_finite()
            && self.objects.make_at(made.id, Object::new(made.tag, body, made.axes, made.slot))
    }

    /// Deletes an object as the host did. Whether it stood.
    pub fn delete(&mut self, id: ObjectId) -> bool {
        self.objects.delete(id).is_some()
    }

    /// Deletes an object and says so.
    fn remove(&mut self, id: ObjectId) {
        if self.objects.delete(id).is_some() {
            self.events.push(Event::Deleted(id));
        }
    }

    /// What there is to say of an object.
    pub fn describe(&self, id: ObjectId) -> Option<Made> {
        let object = self.objects.get(id)?;
        let Body { position, velocity } = object.body;
        let slot = object.biped.as_ref().and_then(|biped| biped.slot);
        Some(Made { id, tag: object.tag, slot, position, velocity, axes: object.axes })
    }

    /// The names of all objects, by index.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.iter().map(|(id, _)| id)
    }

    /// How many objects stand.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// Takes what happened since this was last taken.
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
    }

    // Digests.

    /// A digest of everything that the next tick follows from, and of the figures that players see. Inputs are no
    /// state of the world.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.shared(&mut hash);
        hash.word(self.random.state());
        for (_, object) in self.objects.iter() {
            hash.word(object.biped.as_ref().map_or(0, |biped| u64::from(biped.unhurt)));
        }
        for (_, player) in self.players() {
            hash.word(u64::from(player.wait));
        }
        hash.finish()
    }

    /// A digest of what a client's world has as well as its host's: objects, units and players, without what only
    /// the one who decides keeps (chance, waits, the time since a hurt).
    pub fn shared_hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.shared(&mut hash);
        hash.finish()
    }

    fn shared(&self, hash: &mut Hash) {
        hash.word(self.tick.get() as u64);
        for (id, object) in self.objects.iter() {
            hash.word(u64::from(id.raw() as u32));
            hash.word(u64::from(object.tag.0));
            let Axes { forward, up } = object.axes;
            for vector in [object.body.position, object.body.velocity, forward, up] {
                hash.vector(vector);
            }
            let Some(biped) = &object.biped else { continue };
            hash.word(u64::from(Slot::byte_or_none(biped.slot)));
            let Vitality { body, shield, camouflage, .. } = biped.vitality;
            for value in [biped.yaw, biped.pitch, body, shield, camouflage] {
                hash.float(value);
            }
        }
        for (slot, player) in self.players() {
            hash.word(u64::from(slot.get()) << 1 | u64::from(player.left));
            hash.word(ObjectId::raw_or_none(player.unit) as u64);
            hash.word(u64::from(player.kills) << 16 | u64::from(player.deaths));
            hash.word(player.score as u64);
        }
    }

    /// How high a biped's top is above its feet when it stands, in wu.
    pub const fn standing_height() -> f32 {
        HEIGHT
    }

    /// The yaw of a direction, in radians, 0 to a turn.
    pub fn yaw(forward: Vec3) -> f32 {
        yaw_of(forward)
    }
}
