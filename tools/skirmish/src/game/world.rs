//! The world: players, objects and one tick of both. Knows no network: who drives, places and decides is told it.
//!
//! One type for every role. On [`Role::Client`] nothing is decided: the world moves what is in it, and takes
//! damage, deaths, spawns and scores from its setters alone (GLUE-17). The calls that decide are counted, so that
//! this can be shown ([`World::decisions`]).

mod actors;
#[cfg(test)]
mod arena;
mod breakables;
mod bulk;
mod bumping;
mod campaign;
mod dealing;
mod devices;
mod digest;
mod doomed;
mod explosions;
mod fleet;
mod flights;
mod goals;
mod gunners;
mod hands;
mod items;
mod melee;
mod pads;
mod placed;
mod play;
mod ramming;
mod replay;
mod riding;
mod roster;
mod rules;
mod scripted;
mod shafts;
mod shots;
mod spots;
mod staged;
mod taking;
mod telefrag;
mod thinking;
mod units;
mod vehicles;

pub use super::effects::RAMS_WHOLE;
pub use breakables::{Breakable, CRATE_HOLDS, CRATE_MIDDLE};
pub use campaign::Scenery;
pub use dealing::Shape;
pub use devices::{Carriage, DeviceState, GroupState, REMEMBERED, Under};
pub use fleet::{AT_HOME, COUNTED};
pub use goals::Goal;
pub use hands::{CARRIES, MOST_GRENADES, REACH, TOUCH};
pub use placed::{PLACED_CHECKSUM_ENFORCED, Placing};
pub use ramming::{RAMS_FROM, RIDERS_SHARE};
pub use riding::{BOARDED_FROM, BOARDS_FROM};
pub use shafts::Shaft;
pub use spots::{FILLED_AFTER, POWERUP_AFTER};
pub use staged::Hindrance;

use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::units::Death;
use mjolnir_wire::{Axes, Input, ObjectId, Slot, Tag, Tick, Vec3};

use super::campaign::Showed;
use super::kinds::{Class, Kind};
use super::looks::Looks;
use super::loose::{Around, STILL_TICKS};
use super::map::Map;
use super::movement::{Body, Ground, HEIGHT, Limits, Moved, Tuning};
use super::objects::{Counts, Half, Made, Object, Objects, yaw_of};
use super::player::Player;
use super::random::Random;
use super::screen::Screen;
use super::types::{GameType, News, Play, Rules};
use actors::Crew;
use breakables::Breakables;
use campaign::Campaign;
use dealing::Waiting;
use devices::Devices;
use flights::Flights;
use pads::Pads;
use spots::Spot;

/// Ticks from a death until its player comes back (three seconds). Ours.
pub const RESPAWN_AFTER: u16 = 90;
/// Ticks that a body lies (four seconds). Ours.
pub const BODY_STAYS: u16 = 120;
/// Ticks that what was dropped lies (thirty seconds). Ours.
pub const DROPPED_STAYS: u16 = 900;

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
    /// A player picked something up: decided here.
    PickedUp(Pickup),
    /// Another machine's player pressed the action button where there was nothing to take (AUTH-57).
    FoundNothing {
        /// Who.
        slot: Slot,
        /// Where it was, in wu.
        place: Vec3,
        /// The nearest thing that one could pick up, and how far that is, in wu.
        nearest: Option<(ObjectId, f32)>,
    },
    /// The game type counted something, or the game ended: decided here.
    News(News),
    /// A pane or a crate broke: decided here, or told; each once.
    Broke {
        /// Which.
        what: Breakable,
        /// Where a pane was hit, in wu; of a crate, where it stands.
        at: Vec3,
    },
    /// Scripts had this machine show or do something: decided here, or told.
    Showed(Showed),
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
    /// What was taken, dropped, used up and cleared away; lights too.
    pub items: u64,
    /// Lines of scripts that ran.
    pub scripts: u64,
    /// Thoughts of actors (OBJ-33).
    pub thoughts: u64,
}

impl Decisions {
    /// Of any kind.
    pub const fn total(self) -> u64 {
        self.damage + self.deaths + self.spawns + self.scores + self.items + self.scripts + self.thoughts
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
    spots: Vec<Spot>,
    placing: Placing,
    devices: Devices,
    breakables: Breakables,
    pads: Pads,
    rules: Option<Rules>,
    play: Option<Box<Play>>,
    events: Vec<Event>,
    decisions: Decisions,
    /// Shots hurt.
    harms: bool,
    screens: Vec<Screen>,
    flights: Flights,
    waiting: Waiting,
    /// Players that have come, those who left too.
    came: u32,
    around: Vec<u16>,
    others: Vec<Vec3>,
    lying: Vec<(ObjectId, Vec3)>,
    /// A level of the campaign that is played together.
    campaign: Option<Box<Campaign>>,
    /// Players of different machines are not in each other's way.
    passes_through: bool,
    crew: Crew,
}

impl World {
    /// A game of slayer without an end on that map, with what lies about in it; it decides until its role is set
    /// otherwise.
    pub fn new(map: &Map, seed: u64, tuning: Tuning) -> Self {
        let mut this = Self {
            map: map.clone(),
            limits: tuning.limits(),
            role: Role::Local,
            tick: Tick::ZERO,
            random: Random::new(seed),
            players: vec![None; Slot::all().count()],
            objects: Objects::new(),
            spots: Vec::with_capacity(map.items.len()),
            placing: Placing::default(),
            devices: Devices::new(&map.fixtures),
            breakables: Breakables::new(map.panes.len()),
            pads: Pads::new(),
            rules: None,
            play: None,
            events: Vec::new(),
            decisions: Decisions::default(),
            harms: false,
            screens: vec![Screen::default(); Slot::all().count()],
            flights: Flights::default(),
            waiting: Waiting::default(),
            came: 0,
            around: Vec::with_capacity(64),
            others: Vec::with_capacity(128),
            lying: Vec::with_capacity(map.items.len()),
            campaign: None,
            passes_through: false,
            crew: Crew::default(),
        };
        this.place_items();
        this.place_paths();
        this.set_rules(Some(Rules::endless(GameType::Slayer, false)));
        this
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
        self.flights.begin();
        self.hold_players();
        if self.role.decides() {
            self.place_squads_of_begin();
            self.spawn_due();
        }
        self.run_devices();
        self.note_crates();
        let mut place = 0;
        // What is deleted leaves its place in the list to the next one.
        while let Some(id) = self.objects.nth(place) {
            self.step_object(id);
            if self.objects.nth(place) == Some(id) {
                place += 1;
            }
        }
        self.step_pads();
        self.carry_riders();
        self.ram();
        self.note_carried();
        self.fly();
        if self.role.decides() {
            self.use_hands();
            self.note_trails();
            self.run_powerups();
            self.go_by_themselves();
            self.fill_spots();
            self.bring_back_vehicles();
            self.step_play();
            self.run_scripts();
        } else {
            self.work_locals();
        }
        self.work_actors();
        self.shake_who_fired();
    }

    fn step_object(&mut self, id: ObjectId) {
        let decides = self.role.decides();
        if decides && self.expires(id) {
            return self.remove(id);
        }
        if self.objects.get_mut(id).is_some_and(|object| std::mem::take(&mut object.is_along)) {
            return;
        }
        if let Some(kind) = self.objects.get(id).and_then(Object::loose) {
            self.move_loose(id, kind);
        } else if self.objects.vehicle(id).is_some() {
            self.move_vehicle(id);
        } else if let Some((slot, moved)) = self.move_biped(id)
            && decides
        {
            self.judge(slot, id, moved);
        }
        self.carry_along(id);
    }

    // Movement.

    fn move_biped(&mut self, id: ObjectId) -> Option<(Option<Slot>, Moved)> {
        let limits = self.limits.paced(self.pace_of(id));
        let ground = Ground { solids: &self.map.solids, bounds: self.map.bounds, limits };
        let object = self.objects.get_mut(id)?;
        let biped = object.biped.as_mut()?;
        let input = match biped.slot.and_then(|slot| self.players[slot.index()].as_ref()) {
            Some(player) => player.input,
            None => match &biped.actor {
                Some(actor) => actor.control().input,
                None => Input { yaw: biped.yaw, pitch: biped.pitch, ..Input::default() },
            },
        };
        biped.look(&mut object.axes, &input);
        if biped.ride.is_some() {
            return Some((biped.slot, Moved::carried(object.body)));
        }
        let from = object.body.position;
        let moved = ground.step(object.body, &input, &mut self.around);
        object.body = moved.body;
        (biped.crouched, biped.grounded) = (moved.crouched, moved.grounded);
        let slot = biped.slot;
        if let Some(slot) = slot {
            self.bump(slot, id, from);
        }
        Some((slot, moved))
    }

    fn move_loose(&mut self, id: ObjectId, kind: Kind) {
        let Map { solids, bounds, .. } = &self.map;
        let around = Around { solids, bounds: *bounds, gravity: self.limits.gravity };
        let Some(object) = self.objects.get_mut(id) else { return };
        if object.still >= STILL_TICKS {
            return;
        }
        let lay_still = around.step(&mut object.body, kind.radius(), &mut self.around);
        object.still = if lay_still { object.still + 1 } else { 0 };
        if object.still >= STILL_TICKS {
            object.lay();
        }
        if self.role.decides() && object.body.position.z < bounds.least.z {
            if self.is_goal(id) {
                self.place(id, self.home(id), Some(Vec3::ZERO), None);
            } else {
                self.remove(id);
            }
        }
    }

    // Objects.

    /// Makes an object in the half of this world's role; none when that is full.
    pub fn make(&mut self, tag: Tag, position: Vec3, axes: Axes, slot: Option<Slot>) -> Option<ObjectId> {
        let body = Body { position, velocity: Vec3::ZERO };
        let mut object = Object::new(tag, body, axes, slot);
        if let Some(slot) = slot {
            object.looks = Looks::of(slot, self.player(slot).and_then(|player| player.team));
        }
        let id = self.put(object)?;
        self.announce(id);
        Some(id)
    }

    /// Puts an object into the half of this world's role, and does not say so yet.
    fn put(&mut self, object: Object) -> Option<ObjectId> {
        let half = if self.role.decides() { Half::Lower } else { Half::Upper };
        self.objects.make(half, object)
    }

    fn announce(&mut self, id: ObjectId) {
        let made = self.describe(id);
        self.events.extend(made.map(Event::Made));
    }

    /// Makes an object by the name the host gave it; what stands there under another name goes. Whether it was
    /// made: one that stands there under this name is left as it is.
    pub fn make_at(&mut self, made: &Made) -> bool {
        let body = Body { position: made.position, velocity: made.velocity };
        if !body.position.is_finite() || !body.velocity.is_finite() || self.objects.get(made.id).is_some() {
            return false;
        }
        if let Some(other) = self.objects.at(made.id.index()) {
            self.delete(other);
        }
        let mut object = Object::new(made.tag, body, made.axes, made.slot);
        object.looks = made.looks;
        // What somebody carries waits where it is until it is known who.
        if made.at_rest || made.carried {
            object.lay();
        }
        if made.dead
            && let Some(biped) = &mut object.biped
        {
            biped.become_body();
        }
        self.objects.make_at(made.id, object)
    }

    /// Deletes an object as the host did, whoever carries it; what it carried lies where it was. Whether it stood.
    pub fn delete(&mut self, id: ObjectId) -> bool {
        self.detach(id);
        self.objects.delete(id).is_some()
    }

    /// Deletes an object and says so.
    fn clear_away(&mut self, id: ObjectId) {
        if self.delete(id) {
            self.events.push(Event::Deleted(id));
        }
    }

    /// What there is to say of an object.
    pub fn describe(&self, id: ObjectId) -> Option<Made> {
        let object = self.objects.get(id)?;
        let Body { position, velocity } = object.body;
        let slot = object.biped.as_ref().and_then(|biped| biped.slot);
        let (carried, at_rest, dead) = (object.carried(), object.at_rest(), object.dead());
        Some(Made {
            id,
            tag: object.tag,
            slot,
            position,
            velocity,
            axes: object.axes,
            carried,
            at_rest,
            dead,
            looks: object.looks,
        })
    }

    /// The names of all objects, by index.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.iter().map(|(id, _)| id)
    }

    /// How many were made and deleted.
    pub const fn made_and_deleted(&self) -> Counts {
        self.objects.counts()
    }

    /// How many weapons and pieces of equipment lie about that one could pick up.
    pub fn lying(&self) -> usize {
        let lies = |object: &Object| {
            let is_item = matches!(object.class(), Class::Weapon | Class::Equipment);
            is_item && object.loose().is_some() && Kind::of(object.tag) != Some(Kind::Crate)
        };
        self.objects.iter().filter(|(_, object)| lies(object)).count()
    }

    /// How many objects stand.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// Takes what happened since this was last taken.
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
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
