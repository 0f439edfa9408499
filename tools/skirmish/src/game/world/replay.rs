//! The host's word on damage, shown. Nothing here decides.

use mjolnir_wire::damage::DamageEvent;
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot};

use super::{Event, World};
use crate::game::objects::Biped;

impl World {
    /// A player is dead; its unit stands until it is told how it fell.
    pub fn doom(&mut self, slot: Slot, death: Death) -> bool {
        let _ = death;
        let unit = self.players[slot.index()].as_mut().and_then(|player| player.unit.take());
        let Some(unit) = unit else { return false };
        self.vacate(unit);
        self.objects.biped_mut(unit).into_iter().for_each(|biped| biped.slot = None);
        true
    }

    /// Whether a unit stands.
    pub fn stands(&self, unit: ObjectId) -> bool {
        self.objects.biped(unit).is_some_and(|biped| !biped.dead)
    }

    /// Shown on a screen.
    pub fn show(&mut self, event: &DamageEvent) -> bool {
        event.player.is_some()
    }

    /// What it does besides the harm.
    pub fn replay(&mut self, event: &DamageEvent) -> bool {
        event.object.is_some_and(|unit| self.stands(unit))
    }

    /// It falls, and that is told.
    pub fn replay_kill(&mut self, event: &DamageEvent) -> bool {
        let Some(unit) = event.object else { return false };
        if !self.kill_silently(unit) {
            return false;
        }
        if let Some(slot) = event.player {
            let killer = event.damage.owner.filter(|killer| *killer != slot);
            self.events.push(Event::Died { slot, death: Death { killer, ..Death::default() } });
        }
        true
    }

    /// It falls.
    pub fn kill_silently(&mut self, unit: ObjectId) -> bool {
        if !self.stands(unit) {
            return false;
        }
        if let Some(slot) = self.objects.biped(unit).and_then(|biped| biped.slot) {
            self.players[slot.index()].iter_mut().for_each(|player| player.unit = None);
        }
        self.vacate(unit);
        if let Some(object) = self.objects.get_mut(unit) {
            object.wake();
            object.biped.iter_mut().for_each(Biped::become_body);
        }
        true
    }
}

impl World {
    /// Who fires a vehicle's gun.
    pub fn gunner(&self, vehicle: ObjectId) -> Option<Slot> {
        self.driver(vehicle).filter(|_| self.kind(vehicle) == Some(crate::game::Kind::Turret))
    }
}
