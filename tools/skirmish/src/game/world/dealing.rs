//! Damage where it is decided, and what is reported where it is not. Knows no blow: it is told what hit what.

use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit, KillFlags, Parts};
use mjolnir_wire::units::Death;
use mjolnir_wire::{Machine, ObjectId, Slot, Tick, Vec3};

use super::World;
use crate::game::Player;
use crate::game::effects::{self, Effect};
use crate::game::kinds::Firing;

/// What waits to be asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Dealing {
    hits: Vec<Hit>,
    dealt: Vec<DamageEvent>,
    fired: Vec<(Slot, Tick)>,
}

impl World {
    /// Whether a player fired in the tick simulated last.
    pub fn fired(&self, slot: Slot) -> bool {
        self.dealing.fired.contains(&(slot, self.tick))
    }

    /// Something of this world hit an object: dealt, or a client's own player's hit to report, or another machine's.
    pub fn strike(&mut self, hit: Hit) {
        let is_ours = hit.damage.owner.map(|slot| self.plays_here(slot));
        match (self.role.decides(), is_ours) {
            (true, None | Some(true)) => self.deal_hit(&hit),
            (false, Some(true)) if self.harms => self.dealing.hits.push(hit),
            _ => {}
        }
    }

    /// Whether a player's hits are this machine's to tell of.
    pub fn plays_here(&self, slot: Slot) -> bool {
        self.player(slot).is_some_and(|player| {
            if self.role.decides() { player.machine == Machine::HOST || player.left } else { player.local }
        })
    }

    /// Deals what was hit. Nothing in a client's world.
    pub fn deal_hit(&mut self, hit: &Hit) {
        if !self.role.decides() || !self.harms {
            return;
        }
        if self.objects.vehicle(hit.object).is_some() {
            self.push(hit.object, &hit.damage);
            self.hurt_riders(hit);
        } else {
            self.hurt(hit.object, &hit.damage, hit.parts);
        }
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

    /// Hurts a player's unit. Whether there was one.
    pub(super) fn hurt(&mut self, unit: ObjectId, damage: &Damage, parts: Parts) -> bool {
        let Some(effect) = Effect::of(damage.effect) else { return false };
        let living = self.objects.biped(unit).filter(|biped| !biped.dead);
        let Some((slot, before)) = living.and_then(|biped| Some((biped.slot?, biped.vitality))) else {
            return false;
        };
        let amount = effect.amount * damage.scale * damage.multiplier;
        let shield = amount.min(before.shield);
        self.push(unit, damage);
        self.damage(slot, amount, damage.owner);
        let is_fatal = !self.stands(unit);
        let kill = KillFlags { by_vehicle: is_fatal && effect.vehicle, ..KillFlags::default() };
        let mut event = dealt(slot, unit, damage, parts);
        (event.shield_damage, event.body_damage) = (shield, amount - shield);
        (event.total_damage, event.kill) = (amount, kill);
        if is_fatal {
            (event.kind, event.killer_score) = (EventKind::KillingBlow, self.score_of(damage.owner));
        }
        self.note_dealt(event);
        true
    }

    fn note_dealt(&mut self, event: DamageEvent) {
        self.felt(&event);
        self.dealing.dealt.push(event);
    }

    fn score_of(&self, slot: Option<Slot>) -> i32 {
        slot.and_then(|slot| self.player(slot)).map_or(0, Player::score)
    }

    /// Kills a player whole.
    pub(super) fn slay(&mut self, slot: Slot, damage: &Damage, parts: Parts, kill: KillFlags) {
        let Some(unit) = self.unit(slot) else { return };
        self.decide_death(slot, Death { killer: damage.owner, ..Death::default() });
        let killer_score = self.score_of(damage.owner);
        let kind = EventKind::KillingBlow;
        self.note_dealt(DamageEvent { kind, kill, killer_score, ..dealt(slot, unit, damage, parts) });
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
        Damage {
            effect: effect.tag,
            flags: 0,
            owner: slot,
            team: slot.and_then(|slot| self.player(slot)?.team).map(u16::from),
            owner_object: object,
            origin,
            epicentre: origin,
            direction,
            scale,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        }
    }

    /// A shot of the gun upon a vehicle that a player is at.
    pub fn fire_gun(
        &mut self,
        slot: Slot,
        firing: &Firing,
        from: Vec3,
        yaw: f32,
        pitch: f32,
        object: ObjectId,
    ) {
        self.dealing.fired.retain(|(_, tick)| *tick == self.tick);
        self.dealing.fired.push((slot, self.tick));
        let Some(hit) = self.aimed_at(slot, firing.range).and_then(|hit| self.unit(hit)) else { return };
        let ((sin, cos), (up, along)) = (libm::sincosf(yaw), libm::sincosf(pitch));
        let way = Vec3::new(cos * along, sin * along, up);
        let damage = self.damage_of(Some(slot), &effects::GUN_ROUND, Some(object), from, way, 1.0);
        let target = self.objects.get(hit).map(|object| object.body.position).unwrap_or_default();
        self.strike(Hit { object: hit, damage, target, normal: None, parts: Parts::default() });
    }

    /// Hands over what this client's own players hit.
    pub fn take_hits(&mut self, into: &mut Vec<Hit>) {
        into.append(&mut self.dealing.hits);
    }

    /// Hands over what was dealt.
    pub fn take_dealt(&mut self, into: &mut Vec<DamageEvent>) {
        into.append(&mut self.dealing.dealt);
    }
}

fn dealt(slot: Slot, unit: ObjectId, damage: &Damage, parts: Parts) -> DamageEvent {
    DamageEvent {
        kind: EventKind::Aftermath,
        player: Some(slot),
        kill: KillFlags::default(),
        object: Some(unit),
        damage: *damage,
        being_damaged_flags: 0,
        shield_damage: 0.0,
        body_damage: 0.0,
        body_multiplier: 1.0,
        total_damage: 0.0,
        body_part: None,
        parts,
        killer_score: 0,
    }
}
