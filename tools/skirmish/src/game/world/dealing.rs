//! Damage where it is decided, and what is reported where it is not: who is spared, what it takes, what kills. Knows no shot
//! and no blow: it is told what hit what.
//!
//! A client's world takes nothing from anybody (DMG-01): what its own players hit waits to be reported. The host deals what its
//! own players hit, and what those who left still hit; its copies of a client's shots deal nothing, the reports do
//! (DMG-35, DMG-36).

use std::collections::VecDeque;

use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit, KillFlags, Parts};
use mjolnir_wire::units::Death;
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Vec3};

use super::World;
use super::breakables::Breakable;
use crate::game::cheats::Cheats;
use crate::game::effects::{Effect, Taken};
use crate::game::movement::HEIGHT;
use crate::game::types::FriendlyFire;

/// Hits, events and throws that are kept until they are asked for; the oldest give way. Ours.
const KEPT: usize = 1024;
/// What sticks to something goes off so far beside it at most, in wu.
const BESIDE: f32 = 0.05;
/// The node of a unit's head; the other is its body.
pub(super) const HEAD: u16 = 1;

/// An object as a hit sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Where it is, in wu.
    pub place: Vec3,
    /// In wu a tick.
    pub velocity: Vec3,
    /// How far any of it is from its place at most, in wu.
    pub size: f32,
    /// Its middle beside its place, in wu.
    pub centre: Vec3,
    /// Nodes that it has.
    pub nodes: u16,
    /// Regions that it has.
    pub regions: u16,
    /// Materials that it has.
    pub materials: u16,
}

/// What waits to be asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    dealt: VecDeque<DamageEvent>,
    throws: VecDeque<(Slot, Tag)>,
    hits: VecDeque<Hit>,
}

fn keep<T>(list: &mut VecDeque<T>, what: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(what);
}

impl World {
    /// What a hit upon an object is held against; none of what cannot be hurt.
    pub fn shape(&self, id: ObjectId) -> Option<Shape> {
        let object = self.objects.get(id)?;
        let (place, velocity) = (object.body.position, object.body.velocity);
        let of = |size: f32, up: f32, parts: u16| {
            let centre = Vec3::UP * up;
            Shape { place, velocity, size, centre, nodes: parts, regions: parts, materials: parts }
        };
        match (&object.biped, &object.vehicle) {
            // The same crouched or not: machines differ in that for a moment.
            (Some(_), _) => Some(of(HEIGHT + BESIDE, HEIGHT * 0.5, 2)),
            (None, Some(vehicle)) => {
                let radius = vehicle.craft.radius;
                Some(of(2.0 * radius + BESIDE, radius, 1))
            }
            (None, None) => None,
        }
    }

    /// Whether a player's hits are this machine's to tell of: where it plays, and on the host of those who left too.
    pub fn plays_here(&self, slot: Slot) -> bool {
        let decides = self.role.decides();
        self.player(slot).is_some_and(|player| match decides {
            true => player.machine == Machine::HOST || player.left,
            false => player.local && !player.left,
        })
    }

    /// Something of this world hit an object. Dealt where it is this world's to deal; a client's own player's waits to be
    /// reported; anything else is another machine's to tell of.
    pub fn strike(&mut self, hit: Hit) {
        if !self.harms {
            return;
        }
        let is_ours = hit.damage.owner.map(|slot| self.plays_here(slot));
        match (self.role.decides(), is_ours) {
            (true, None | Some(true)) => self.deal(&hit),
            (false, Some(true)) => keep(&mut self.waiting.hits, hit),
            (true, Some(false)) | (false, None | Some(false)) => {}
        }
    }

    /// Deals what a client's player hit, which was checked. Nothing in a client's world.
    pub fn deal_hit(&mut self, hit: &Hit) {
        if self.harms {
            self.deal(hit);
        }
    }

    /// Hands over what was dealt since this was last asked, in order.
    pub fn take_dealt(&mut self, into: &mut Vec<DamageEvent>) {
        into.extend(self.waiting.dealt.drain(..));
    }

    /// Hands over who threw a grenade of which kind since this was last asked.
    pub fn take_throws(&mut self, into: &mut Vec<(Slot, Tag)>) {
        into.extend(self.waiting.throws.drain(..));
    }

    /// Hands over what this client's own players hit since this was last asked.
    pub fn take_hits(&mut self, into: &mut Vec<Hit>) {
        into.extend(self.waiting.hits.drain(..));
    }

    /// Says that damage was dealt.
    pub(super) fn note_dealt(&mut self, event: DamageEvent) {
        self.felt(&event);
        keep(&mut self.waiting.dealt, event);
    }

    pub(super) fn note_throw(&mut self, slot: Slot, grenade: Tag) {
        keep(&mut self.waiting.throws, (slot, grenade));
    }

    /// That effect of a player's, from there in that direction; all of it is at one place.
    pub(super) fn damage_of(
        &self,
        slot: Option<Slot>,
        effect: &Effect,
        object: Option<ObjectId>,
        origin: Vec3,
        direction: Vec3,
        scale: f32,
    ) -> Damage {
        let team = slot.and_then(|slot| self.player(slot)?.team).map(u16::from);
        let (epicentre, material) = (origin, None);
        Damage {
            effect: effect.tag,
            flags: 0,
            owner: slot,
            team,
            owner_object: object,
            origin,
            epicentre,
            direction,
            scale,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material,
        }
    }

    fn deal(&mut self, hit: &Hit) {
        if !self.role.decides() {
            return;
        }
        let Hit { object: id, damage, parts, .. } = hit;
        let Some(object) = self.objects.get(*id) else { return };
        if object.biped.as_ref().is_some_and(|biped| !biped.dead) {
            self.hurt(*id, damage, *parts);
        } else if object.biped.is_some() {
            self.push(*id, damage);
        } else if object.vehicle.is_some() {
            self.deal_to_vehicle(hit);
        } else {
            self.hit_breakable(Breakable::Crate(*id), damage.epicentre, damage);
        }
    }

    /// A vehicle was hit: it is pushed, and that it was hit is said.
    pub(super) fn deal_to_vehicle(&mut self, hit: &Hit) {
        self.push(hit.object, &hit.damage);
        self.note_dealt(DamageEvent {
            object: Some(hit.object),
            parts: hit.parts,
            ..event(EventKind::Aftermath, &hit.damage)
        });
        self.hurt_riders(hit);
    }

    /// Adds to an object's velocity what a damage pushes. What rides or stands at its place for good is not moved.
    pub(super) fn push(&mut self, id: ObjectId, damage: &Damage) {
        let Some(effect) = Effect::of(damage.effect).filter(|effect| effect.push > 0.0) else { return };
        if self.ride(id).is_some() || self.craft(id).is_some_and(|craft| craft.top_speed <= 0.0) {
            return;
        }
        let Some(object) = self.objects.get_mut(id) else { return };
        // One that follows a path keeps to it.
        if object.vehicle.is_some_and(|vehicle| vehicle.path.is_some()) {
            return;
        }
        object.body.velocity += damage.direction * (effect.push * damage.scale);
        object.wake();
    }

    /// Hurts a living unit by that damage: what the rule for friends leaves of it, of the shield first. Whether anything was
    /// taken. Nothing in a client's world.
    pub(super) fn hurt(&mut self, unit: ObjectId, damage: &Damage, parts: Parts) -> bool {
        let Some(effect) = Effect::of(damage.effect).filter(|_| self.role.decides()) else { return false };
        let Some(biped) = self.objects.biped(unit).filter(|biped| !biped.dead) else { return false };
        if self.cheats(biped.slot, Cheats::GOD) {
            return false;
        }
        let amount = effect.amount * damage.scale * damage.multiplier;
        let taken = effect.takes(amount, biped.vitality.shield, parts.node == Some(HEAD));
        let taken = self.spared(damage, unit, effect, taken);
        // What is no number takes nothing.
        let takes = taken.shield > 0.0 || taken.body > 0.0;
        if takes {
            self.push(unit, damage);
            self.lose(unit, damage, parts, taken);
        }
        takes
    }

    /// What is left of what a damage takes of a unit by the game's rule for friends (GLUE-27): a player's of its friends and of
    /// actors allied to players. Oneself is none, and what nobody deals is dealt whole. An actor's takes nothing of friends.
    fn spared(&self, damage: &Damage, unit: ObjectId, effect: &Effect, taken: Taken) -> Taken {
        if !self.is_friendly(damage, unit) {
            return taken;
        }
        let nothing = Taken { shield: 0.0, body: 0.0, ..taken };
        if damage.owner.is_none() {
            return nothing;
        }
        let is_players = self.objects.biped(unit).is_some_and(|biped| biped.slot.is_some());
        let rule = match self.rules() {
            Some(rules) => rules.friendly_fire,
            // Players that are in it together hurt each other where both chose it, and nobody can choose it yet.
            None if self.is_coop() && is_players => FriendlyFire::Off,
            None => FriendlyFire::On,
        };
        match rule {
            FriendlyFire::On => taken,
            FriendlyFire::Off => nothing,
            FriendlyFire::ShieldsOnly => Taken { body: 0.0, ..taken },
            FriendlyFire::ExplosivesOnly if effect.radius > 0.0 => taken,
            FriendlyFire::ExplosivesOnly => nothing,
        }
    }

    /// Takes that of a living unit, whoever spares it, and says so: its player sees it too. Nothing of a god.
    pub(super) fn lose(&mut self, unit: ObjectId, damage: &Damage, parts: Parts, taken: Taken) {
        let slot = self.objects.biped(unit).and_then(|biped| biped.slot);
        let is_god = self.cheats(slot, Cheats::GOD);
        let Some(biped) = self.objects.biped_mut(unit).filter(|_| !is_god) else { return };
        biped.unhurt = 0;
        if biped.actor.is_some() {
            self.feel(unit, damage.origin, taken);
        }
        let Some(biped) = self.objects.biped_mut(unit) else { return };
        let (slot, is_fatal) = (biped.slot, biped.vitality.lose(taken.shield, taken.body));
        self.decisions.damage += 1;
        if is_fatal {
            return self.fell(unit, damage, parts, taken, KillFlags::default());
        }
        let dealt = DamageEvent {
            player: slot,
            object: Some(unit),
            shield_damage: taken.shield,
            body_damage: taken.body,
            body_multiplier: taken.multiplier,
            total_damage: taken.shield + taken.body,
            body_part: parts.node,
            parts,
            ..event(EventKind::Aftermath, damage)
        };
        self.note_dealt(dealt);
        if slot.is_some() {
            self.note_dealt(DamageEvent { kind: EventKind::ScreenEffect, object: None, ..dealt });
        }
    }

    /// Kills a player whole, whatever it has left, by that damage. Nothing where it does not live, and in a client's world.
    pub(super) fn slay(&mut self, slot: Slot, damage: &Damage, parts: Parts, kill: KillFlags) {
        let Some(unit) = self.unit(slot).filter(|_| self.role.decides()) else { return };
        let left = self.vitality(unit).map_or((0.0, 0.0), |vitality| (vitality.shield, vitality.body));
        let taken = Taken { shield: left.0, body: left.1, multiplier: 1.0 };
        self.fell(unit, damage, parts, taken, kill);
    }

    /// A unit dies of that: its player's death is counted once, and its killing blow says what it did.
    pub(super) fn fell(
        &mut self,
        unit: ObjectId,
        damage: &Damage,
        parts: Parts,
        taken: Taken,
        kill: KillFlags,
    ) {
        let Some(slot) = self.objects.biped(unit).map(|biped| biped.slot) else { return };
        let killer = damage.owner;
        let by_vehicle = Effect::of(damage.effect).is_some_and(|effect| effect.vehicle);
        let death = Death { killer, by_vehicle: by_vehicle && killer.is_none(), ..Death::default() };
        let is_friend = self.is_friendly(damage, unit);
        match slot {
            Some(slot) => self.decide_death(slot, death),
            None => self.decide_fall(unit),
        }
        let score = killer.and_then(|killer| self.player(killer)).map_or(0, |player| player.score());
        self.note_dealt(DamageEvent {
            player: slot,
            kill: KillFlags {
                friendly_fire: kill.friendly_fire || is_friend,
                by_vehicle: kill.by_vehicle || by_vehicle,
                telefrag: kill.telefrag,
            },
            object: Some(unit),
            shield_damage: taken.shield,
            body_damage: taken.body,
            body_multiplier: taken.multiplier,
            total_damage: taken.shield + taken.body,
            body_part: parts.node,
            parts,
            killer_score: score,
            ..event(EventKind::KillingBlow, damage)
        });
    }
}

/// One of that damage that says nothing else.
fn event(kind: EventKind, damage: &Damage) -> DamageEvent {
    DamageEvent {
        kind,
        player: None,
        kill: KillFlags::default(),
        object: None,
        damage: *damage,
        being_damaged_flags: 0,
        shield_damage: 0.0,
        body_damage: 0.0,
        body_multiplier: 1.0,
        total_damage: 0.0,
        body_part: None,
        parts: Parts::default(),
        killer_score: 0,
    }
}
