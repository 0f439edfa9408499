//! The actors of a world: who is placed, whom they are friends with, what they ride; and, on a client, the host's word on what
//! they have their units do (OBJ-36). Knows no thought: those stand in `thinking`.
//!
//! A unit's actor stands with the unit and goes with its life.

use mjolnir_wire::damage::{Damage, KillFlags, Parts};
use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::units::ShownDamage;
use mjolnir_wire::{Axes, ObjectId, Slot, Vec3};

use super::World;
use super::thinking::Seen;
use crate::game::actors::mind::Mind;
use crate::game::actors::squads::Squad;
use crate::game::actors::{Actor, Allegiances, Begun, Control, MOST_ACTORS, PLAYERS, TEAMS};
use crate::game::effects::Taken;
use crate::game::hash::Hash;
use crate::game::health::Vitality;
use crate::game::looks::Looks;
use crate::game::map::Spawn;
use crate::game::movement::Body;
use crate::game::objects::{BIPED, Object};

/// What a world has of actors beside their units.
#[derive(Clone, Debug, Default)]
pub(super) struct Crew {
    allies: Allegiances,
    /// Those of the begin were placed.
    are_placed: bool,
    refused: u64,
    /// Placed so far: they think in turn.
    placed: u32,
    /// Units with actors after the tick simulated last, by rising index.
    pub(super) units: Vec<ObjectId>,
    /// Who stood then, by team.
    pub(super) seen: [Vec<Seen>; TEAMS as usize],
}

impl Crew {
    pub(super) fn hash(&self, hash: &mut Hash) {
        self.allies.hash(hash);
        hash.word(u64::from(self.placed) << 1 | u64::from(self.are_placed));
    }
}

impl World {
    // What there is to see.

    /// The map's squad of that name.
    pub fn squad_named(&self, name: &str) -> Option<u16> {
        self.map.squads.iter().position(|squad| squad.name == name).map(|index| index as u16)
    }

    /// Every unit that an actor drives, by rising index. Those of a squad just placed are among it.
    pub fn actors(&self) -> impl Iterator<Item = (ObjectId, &Actor)> {
        self.objects
            .iter()
            .filter_map(|(unit, object)| Some((unit, object.biped.as_ref()?.actor.as_deref()?)))
    }

    /// The actor that drives a unit.
    pub fn actor(&self, unit: ObjectId) -> Option<&Actor> {
        self.objects.biped(unit)?.actor.as_deref()
    }

    /// The units of a squad that live.
    pub fn squad_units(&self, squad: u16) -> impl Iterator<Item = ObjectId> {
        self.actors().filter(move |(_, actor)| actor.squad == Some(squad)).map(|(unit, _)| unit)
    }

    /// How many of a squad live; 0 where it is not decided.
    pub fn squad_alive(&self, squad: u16) -> usize {
        self.squad_units(squad).count()
    }

    /// Actors for which there was no place: on a host in the pool, on a client among the units that it drives.
    pub const fn refused_actors(&self) -> u64 {
        self.crew.refused
    }

    /// Whether two teams are friends.
    pub fn allied(&self, one: u8, other: u8) -> bool {
        self.crew.allies.has(one, other)
    }

    /// The team of a living unit: its actor's, or the players'. None of what is neither.
    pub fn side_of(&self, unit: ObjectId) -> Option<u8> {
        let biped = self.objects.biped(unit).filter(|biped| !biped.dead)?;
        biped.slot.map(|_| PLAYERS).or_else(|| biped.actor.as_ref().map(|actor| actor.team))
    }

    // What scripts ask for; nothing of it is done in a client's world.

    /// Places an actor at each of a squad's starting locations. How many: no more than the pool has room for, the rest is
    /// counted ([`World::refused_actors`]).
    pub fn place_squad(&mut self, squad: u16) -> usize {
        let starts =
            self.map.squads.get(usize::from(squad)).map_or_else(Vec::new, |squad| squad.starts.clone());
        let mut placed = 0;
        for (stop, start) in (0..).zip(starts) {
            placed += usize::from(self.place_one(squad, start, stop).is_some());
        }
        placed
    }

    /// Places one actor of a squad elsewhere, as one of its first location. None where there is no such squad and no room, and
    /// where the place is none.
    pub fn place_actor(&mut self, squad: u16, position: Vec3, facing: f32) -> Option<ObjectId> {
        let is_place = Vec3::read_position(position.to_array()).is_ok() && facing.is_finite();
        if is_place { self.place_one(squad, Spawn { position, facing }, 0) } else { None }
    }

    /// Makes two teams friends, or foes. False where one is no team, of one with itself.
    pub fn set_allied(&mut self, one: u8, other: u8, allied: bool) -> bool {
        self.role.decides() && self.crew.allies.set(one, other, allied)
    }

    /// The same by the host's word, where this world decides nothing (COOP-06).
    pub(super) fn hear_allied(&mut self, one: u8, other: u8, allied: bool) {
        if !self.role.decides() {
            self.crew.allies.set(one, other, allied);
        }
    }

    /// Puts an actor's unit into a seat that nobody has. False where it is no such unit, and no such seat.
    pub fn seat_actor(&mut self, unit: ObjectId, vehicle: ObjectId, seat: u8) -> bool {
        let taken = self.riders(vehicle).and_then(|seats| *seats.get(usize::from(seat))?);
        let may = self.role.decides() && self.actor(unit).is_some() && taken.is_none();
        may && self.set_seat(unit, Some((vehicle, seat)))
    }

    /// Puts an actor's unit out of its seat, beside what it rode. False where it rides nothing.
    pub fn unseat_actor(&mut self, unit: ObjectId) -> bool {
        self.role.decides() && self.actor(unit).is_some() && self.set_seat(unit, None)
    }

    /// Kills an actor's unit by the console's, or a script's, word.
    pub fn kill_actor(&mut self, unit: ObjectId) -> bool {
        let lives = self.role.decides() && self.actor(unit).is_some();
        if lives {
            let place = self.objects.get(unit).map_or(Vec3::ZERO, |object| object.body.position);
            let word = self.damage_of(None, &crate::game::effects::WORD, None, place, Vec3::UP, 1.0);
            self.slay_actor(unit, &word);
        }
        lives
    }

    // What the netcode asks for, of a client.

    /// The host's word on what an actor has a unit do, from the next tick on (OBJ-36), and what begins with it. False where
    /// there is no such living unit, where it is a player's, where so many are driven, and where this world decides.
    pub fn drive_actor(&mut self, unit: ObjectId, team: u8, control: Control, begins: Begun) -> bool {
        let is_here = self.objects.biped(unit).is_some_and(|biped| !biped.dead && biped.slot.is_none());
        if !is_here || self.role.decides() {
            return false;
        }
        if self.actor(unit).is_none() && self.actors().count() >= MAX_ACTOR_UNITS {
            self.crew.refused += 1;
            return false;
        }
        let Some(biped) = self.objects.biped_mut(unit) else { return false };
        let actor = biped.actor.get_or_insert_with(|| Box::new(Actor::told(team, control)));
        (actor.team, actor.control) = (team, control);
        actor.begins = actor.begins.and(begins);
        true
    }

    /// A unit stands still from now on and lets go of everything (OBJ-36). False where none is driven, and where this world
    /// decides.
    pub fn stop_actor(&mut self, unit: ObjectId) -> bool {
        if self.role.decides() {
            return false;
        }
        let actor = self.objects.biped_mut(unit).and_then(|biped| biped.actor.as_mut());
        actor.map(|actor| actor.control.stop()).is_some()
    }

    // What the rest of the world asks.

    /// In the first tick of a world that decides: the squads that are there at the begin.
    pub(super) fn place_squads_of_begin(&mut self) {
        if std::mem::replace(&mut self.crew.are_placed, true) {
            return;
        }
        for squad in 0..self.map.squads.len() {
            if self.map.squads[squad].is_placed {
                self.place_squad(squad as u16);
            }
        }
    }

    fn place_one(&mut self, squad: u16, start: Spawn, stop: u16) -> Option<ObjectId> {
        let Squad { team, duty, weapon, is_major, .. } = *self.map.squads.get(usize::from(squad))?;
        if !self.role.decides() {
            return None;
        }
        if self.actors().count() >= MOST_ACTORS {
            self.crew.refused += 1;
            return None;
        }
        let (sin, cos) = libm::sincosf(start.facing);
        let axes = Axes { forward: Vec3::new(cos, sin, 0.0), up: Vec3::UP };
        let mind = Mind::new(duty, start, stop, self.random.bits(), self.crew.placed);
        let shield = if is_major { 1.0 } else { 0.0 };
        let body = Body { position: start.position, velocity: Vec3::ZERO };
        let mut object = Object::new(BIPED, body, axes, None);
        object.looks = Looks::of_actor(team, is_major);
        if let Some(biped) = &mut object.biped {
            let actor = Actor::told(team, Control::still(biped.yaw));
            biped.actor = Some(Box::new(Actor { squad: Some(squad), shield, mind: Some(mind), ..actor }));
            biped.vitality = Vitality { shield, ..Vitality::WHOLE };
        }
        let unit = self.put(object)?;
        self.crew.placed = self.crew.placed.wrapping_add(1);
        self.decisions.spawns += 1;
        self.announce(unit);
        self.supply(unit, weapon);
        Some(unit)
    }

    /// Whether a damage is dealt a unit by a friend of its: by a player of its own side or whose side it is allied to, or by an
    /// actor's unit that is.
    pub(super) fn is_friendly(&self, damage: &Damage, unit: ObjectId) -> bool {
        let Some(biped) = self.objects.biped(unit) else { return false };
        if let (Some(by), Some(hit)) = (damage.owner, biped.slot) {
            return self.are_friends(by, hit);
        }
        let by = match damage.owner {
            Some(_) => Some(PLAYERS),
            None => self.actor_team_of(damage),
        };
        by.zip(self.side_of(unit)).is_some_and(|(by, hit)| self.allied(by, hit))
    }

    /// The team of the actor that dealt a damage, be it dead by now.
    fn actor_team_of(&self, damage: &Damage) -> Option<u8> {
        let object = self.objects.get(damage.owner_object?)?;
        // A body of a player's has the looks of its slot.
        let is_actors =
            object.biped.as_ref().is_some_and(|biped| biped.slot.is_none()) && object.looks.is_actors();
        object.looks.team.filter(|_| is_actors)
    }

    /// An actor's unit was hurt from there.
    pub(super) fn feel(&mut self, unit: ObjectId, from: Vec3, taken: Taken) {
        let Some(object) = self.objects.get_mut(unit) else { return };
        let place = object.body.position;
        let Some(biped) = &mut object.biped else { return };
        let shown = &mut biped.vitality.shown;
        (shown.recent_shield, shown.recent_body) = (taken.shield, taken.body);
        if let Some(mind) = biped.actor.as_mut().and_then(|actor| actor.mind.as_mut()) {
            mind.feel(place, from);
        }
    }

    /// A unit that no player has dies, where it is decided.
    pub(super) fn decide_fall(&mut self, unit: ObjectId) {
        self.decisions.deaths += u64::from(self.actor(unit).is_some());
        self.fall_dead(unit);
    }

    /// Kills an actor's unit whole by that damage. Nothing of any other.
    pub(super) fn slay_actor(&mut self, unit: ObjectId, damage: &Damage) {
        let Some(vitality) = self.vitality(unit).filter(|_| self.actor(unit).is_some()) else { return };
        let taken = Taken { shield: vitality.shield, body: vitality.body, multiplier: 1.0 };
        self.fell(unit, damage, Parts::default(), taken, KillFlags::default());
    }

    /// What a unit shows of its shield and its body: what is missing of each, and what its last hit took (OBJ-50). On a client
    /// what the host said of it.
    pub fn shown_damage(&self, unit: ObjectId) -> Option<ShownDamage> {
        self.vitality(unit).map(|vitality| vitality.shown)
    }

    /// Whether a player's foe: an actor's unit of a team that is not allied to the players.
    pub fn is_foe_of_players(&self, unit: ObjectId) -> bool {
        self.actor(unit).is_some_and(|actor| !self.allied(PLAYERS, actor.team))
    }

    /// The units that actors drove after the tick simulated last, by rising index.
    pub fn actor_units(&self) -> impl Iterator<Item = ObjectId> {
        self.crew.units.iter().copied().filter(|unit| self.actor(*unit).is_some())
    }

    /// How far a player may hit something now with what it carries or is at, in wu; 0 where it has nothing.
    pub fn reach_of(&self, slot: Slot) -> f32 {
        let Some(unit) = self.unit(slot) else { return 0.0 };
        let kind = |object: ObjectId| self.kind(object);
        let carried = self.weapons_of(unit).into_iter().flatten().filter_map(|weapon| kind(weapon)?.firing());
        let gun = self.ride(unit).and_then(|(vehicle, _)| kind(vehicle)?.gun());
        carried.chain(gun).map(|firing| firing.range).fold(0.0, f32::max)
    }
}
