//! What the one who decides decides: damage, deaths, spawns, scores, and the console's words for them. A client's
//! world calls none of it, and refuses what is asked (GLUE-17).

use mjolnir_wire::damage::{Damage, KillFlags, Parts};
use mjolnir_wire::units::Death;
use mjolnir_wire::{Axes, ObjectId, Slot, Vec3};

use super::{BODY_STAYS, Event, World};
use crate::game::effects::{FALL, WORD};
use crate::game::map::Spawn;
use crate::game::movement::Moved;
use crate::game::objects::BIPED;
use crate::game::{health, spawn};

impl World {
    pub(super) fn judge(&mut self, slot: Option<Slot>, id: ObjectId, moved: Moved) {
        let below = moved.body.position.z < self.map.bounds.least.z;
        let sinks = if moved.impact > health::HARMLESS_FALL { self.sinks_under(id) } else { 0.0 };
        let damage = health::fall_damage(moved.impact - sinks);
        let Some(biped) = self.objects.biped_mut(id) else { return };
        biped.unhurt = biped.unhurt.saturating_add(1);
        if damage > 0.0 {
            let place = moved.body.position;
            let fall = self.damage_of(None, &FALL, None, place, Vec3::UP, damage);
            self.lose_of(id, &fall, damage);
        } else if biped.vitality.shield < biped.whole_shield() || biped.vitality.flags.charging {
            self.decisions.damage += 1;
            biped.vitality.recharge(biped.unhurt);
        }
        if below {
            let fall = self.damage_of(None, &FALL, None, moved.body.position, Vec3::UP, 1.0);
            match slot {
                Some(slot) => self.slay(slot, &fall, Parts::default(), KillFlags::default()),
                None => self.slay_actor(id, &fall),
            }
        }
    }

    /// Takes so much of a living unit, of the shield first.
    fn lose_of(&mut self, unit: ObjectId, damage: &Damage, amount: f32) {
        let shield = self.vitality(unit).map_or(0.0, |vitality| vitality.shield);
        let taken = WORD.takes(amount, shield, false);
        self.lose(unit, damage, Parts::default(), taken);
    }

    pub(super) fn decide_death(&mut self, slot: Slot, mut death: Death) {
        let wait = self.comes_back_in(slot, &death);
        let Some(player) = self.players[slot.index()].as_mut() else { return };
        let Some(unit) = player.unit.take() else { return };
        self.decisions.deaths += 1;
        (player.wait, player.betrayals) = (wait, 0);
        let killer = death.killer.filter(|killer| *killer != slot);
        death.by_friend = killer.is_some_and(|killer| self.are_friends(slot, killer));
        if let Some(killer) = killer.and_then(|killer| self.players[killer.index()].as_mut())
            && death.by_friend
        {
            killer.betrayals = killer.betrayals.saturating_add(1);
        }
        self.fall_dead(unit);
        self.note_death(slot, &death);
        self.events.push(Event::Died { slot, death });
    }

    /// A tick of every living player's powerups.
    pub(super) fn run_powerups(&mut self) {
        for slot in Slot::all() {
            let Some(biped) = self.unit(slot).and_then(|unit| self.objects.biped_mut(unit)) else { continue };
            self.decisions.items += u64::from(biped.vitality.run());
        }
    }

    /// A unit becomes a body, which lies for a while, and drops what it carried.
    pub(super) fn fall_dead(&mut self, unit: ObjectId) {
        self.detach(unit);
        let Some(object) = self.objects.get_mut(unit) else { return };
        object.wake();
        object.leaves_in = Some(BODY_STAYS);
        if let Some(biped) = &mut object.biped {
            biped.become_body();
            biped.load.grenades = Default::default();
        }
    }

    /// Counts a tick of an object that does not stay; whether it was its last.
    pub(super) fn expires(&mut self, id: ObjectId) -> bool {
        let left = self.objects.get_mut(id).and_then(|object| object.leaves_in.as_mut());
        let Some(left) = left else { return false };
        *left = left.saturating_sub(1);
        let is_over = *left == 0;
        self.decisions.items += u64::from(is_over);
        is_over
    }

    pub(super) fn spawn_due(&mut self) {
        for slot in Slot::all() {
            if self.is_out(slot) {
                continue;
            }
            let Some(player) = self.players[slot.index()].as_mut() else { continue };
            if player.left || player.unit.is_some() {
                continue;
            }
            if player.wait > 0 {
                player.wait -= 1;
                continue;
            }
            self.decide_spawn(slot);
        }
    }

    fn decide_spawn(&mut self, slot: Slot) {
        self.decisions.spawns += 1;
        self.others.clear();
        let living =
            self.objects.iter().filter(|(_, object)| object.biped.as_ref().is_some_and(|biped| !biped.dead));
        self.others.extend(living.map(|(_, object)| object.body.position));
        let stands = self.stands_of(slot);
        let is_own = |spawn: &Spawn| stands.is_none_or(|[own, other]| is_nearer(spawn.position, own, other));
        let chosen = spawn::choose(&self.map.spawns, &self.others, &mut self.random, is_own);
        let Some(spawn) = chosen else { return };
        let (sin, cos) = libm::sincosf(spawn.facing);
        let axes = Axes { forward: Vec3::new(cos, sin, 0.0), up: Vec3::UP };
        let Some(unit) = self.make(BIPED, spawn.position, axes, Some(slot)) else { return };
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.unit = Some(unit);
            self.events.push(Event::Began { slot, unit });
        }
        for kind in self.map.kit.clone() {
            self.supply(unit, kind);
        }
    }

    /// Hurts a player. False where there is nobody to hurt, and in a client's world.
    pub fn damage(&mut self, slot: Slot, amount: f32, by: Option<Slot>) -> bool {
        let hurts = amount > 0.0 && amount.is_finite();
        if !hurts || !self.role.decides() {
            return false;
        }
        let Some(unit) = self.unit(slot) else { return false };
        let word = self.word(by, unit, amount);
        self.lose_of(unit, &word, amount);
        true
    }

    /// Kills a player. False where it does not live, and in a client's world.
    pub fn kill(&mut self, slot: Slot, by: Option<Slot>) -> bool {
        let Some(unit) = self.unit(slot).filter(|_| self.role.decides()) else { return false };
        let word = self.word(by, unit, 1.0);
        self.slay(slot, &word, Parts::default(), KillFlags::default());
        true
    }

    /// The damage of a word and of nothing else, where a unit is.
    fn word(&self, by: Option<Slot>, unit: ObjectId, scale: f32) -> Damage {
        let place = self.objects.get(unit).map_or(Vec3::ZERO, |object| object.body.position);
        self.damage_of(by, &WORD, None, place, Vec3::UP, scale)
    }

    /// Throws an object as an explosion does: adds to its velocity, in wu a tick; one that lay still moves again. False
    /// in a client's world.
    pub fn throw(&mut self, unit: ObjectId, impulse: Vec3) -> bool {
        if !self.role.decides() || !impulse.is_finite() {
            return false;
        }
        let Some(object) = self.objects.get_mut(unit) else { return false };
        self.decisions.damage += 1;
        object.body.velocity += impulse;
        object.wake();
        true
    }

    /// Puts a player somewhere else, standing still, out of what it rides. False where it does not live or the place is none, and in a
    /// client's world.
    pub fn move_to(&mut self, slot: Slot, position: Vec3) -> bool {
        match self.unit(slot) {
            Some(unit) if self.role.decides() && position.is_finite() => {
                self.vacate(unit);
                let is_there = self.place(unit, position, Some(Vec3::ZERO), None);
                if is_there {
                    self.arrive(unit);
                }
                is_there
            }
            _ => false,
        }
    }

    /// Sets a player's health: at 0 it dies. False where it does not live, and in a client's world.
    pub fn set_health(&mut self, slot: Slot, health: f32) -> bool {
        if !self.role.decides() || !health.is_finite() {
            return false;
        }
        if health <= 0.0 {
            return self.kill(slot, None);
        }
        let Some(biped) = self.unit(slot).and_then(|unit| self.objects.biped_mut(unit)) else { return false };
        self.decisions.damage += 1;
        biped.vitality.body = health.min(health::MOST);
        true
    }
}

fn is_nearer(place: Vec3, own: Vec3, other: Vec3) -> bool {
    place.distance(own) < place.distance(other)
}
