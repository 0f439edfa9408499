//! Units as others see and place them: where they are, how whole they are, and whose. Nothing here decides.

use mjolnir_wire::units::{Death, Placement};
use mjolnir_wire::{Axes, ObjectId, Slot, Vec3};

use super::{Event, World};
use crate::game::health::Vitality;
use crate::game::movement::Body;
use crate::game::objects::Biped;

/// Eyes above feet, in wu, standing; crouched they are as much lower as the head. Ours.
const EYES: f32 = 0.6;

impl World {
    /// A player's unit, if it stands.
    pub fn unit(&self, slot: Slot) -> Option<ObjectId> {
        let unit = self.player(slot)?.unit?;
        self.objects.biped(unit).map(|_| unit)
    }

    /// Where a unit is, how it moves and stands.
    pub fn placement(&self, unit: ObjectId) -> Option<Placement> {
        let object = self.objects.get(unit)?;
        let Body { position, velocity } = object.body;
        Some(Placement { position, velocity, axes: object.axes })
    }

    /// Where a player's unit is, in wu.
    pub fn position(&self, slot: Slot) -> Option<Vec3> {
        self.objects.get(self.unit(slot)?).map(|object| object.body.position)
    }

    /// How fast a player's unit is, in wu a tick.
    pub fn velocity(&self, slot: Slot) -> Option<Vec3> {
        self.objects.get(self.unit(slot)?).map(|object| object.body.velocity)
    }

    /// Where a player's unit faces and where its top points.
    pub fn axes(&self, slot: Slot) -> Option<Axes> {
        self.objects.get(self.unit(slot)?).map(|object| object.axes)
    }

    /// Where a player's unit aims: yaw and pitch in radians.
    pub fn aim(&self, slot: Slot) -> Option<(f32, f32)> {
        self.aim_of(self.unit(slot)?)
    }

    /// Where a unit aims: yaw and pitch in radians.
    pub fn aim_of(&self, unit: ObjectId) -> Option<(f32, f32)> {
        self.objects.biped(unit).map(|biped| (biped.yaw, biped.pitch))
    }

    /// Where a player sees from, in wu.
    pub fn eyes(&self, slot: Slot) -> Option<Vec3> {
        self.eyes_of(self.unit(slot)?)
    }

    /// Where a unit sees from, in wu.
    pub fn eyes_of(&self, unit: ObjectId) -> Option<Vec3> {
        let object = self.objects.get(unit)?;
        let height = if object.biped.as_ref()?.crouched { EYES - self.limits.crouch_lift } else { EYES };
        Some(object.body.position + Vec3::UP * height)
    }

    /// The part of the map that a player's unit is in, of a rider its vehicle.
    pub fn cluster(&self, slot: Slot) -> Option<u16> {
        self.map.clusters.at(self.position(slot)?)
    }

    /// Whether a player looks through a scope, at whatever magnification. Knocked out of it, not until it lets go of it.
    pub fn scoped(&self, slot: Slot) -> bool {
        self.player(slot).is_some_and(|player| player.input.zoom.is_some() && !player.unscoped)
    }

    /// Whether a unit stood on ground after the tick simulated last.
    pub fn grounded(&self, unit: ObjectId) -> bool {
        self.objects.biped(unit).is_some_and(|biped| biped.grounded)
    }

    /// Whether a unit was crouched in the tick simulated last.
    pub fn crouched(&self, unit: ObjectId) -> bool {
        self.objects.biped(unit).is_some_and(|biped| biped.crouched)
    }

    /// How whole a unit is.
    pub fn vitality(&self, unit: ObjectId) -> Option<Vitality> {
        self.objects.biped(unit).map(|biped| biped.vitality)
    }

    /// Puts a unit somewhere; what is none stays. False where there is no such unit, where it rides something and is where
    /// that is, and where a part is not finite.
    pub fn place(
        &mut self,
        unit: ObjectId,
        position: Vec3,
        velocity: Option<Vec3>,
        axes: Option<Axes>,
    ) -> bool {
        let finite = position.is_finite() && velocity.is_none_or(Vec3::is_finite);
        if self.ride(unit).is_some() {
            return false;
        }
        let Some(object) = self.objects.get_mut(unit) else { return false };
        if !finite {
            return false;
        }
        object.body = Body { position, velocity: velocity.unwrap_or(object.body.velocity) };
        object.axes = axes.unwrap_or(object.axes);
        object.wake();
        self.note_carriage(unit);
        true
    }

    /// Gives a player that unit: it lives from now on. A unit that it had is
    /// driven by nobody. False where either is missing, and of a body where this world decides: elsewhere the host
    /// knows better than what was believed of it.
    pub fn own(&mut self, slot: Slot, unit: ObjectId) -> bool {
        if self.players[slot.index()].is_none() {
            return false;
        }
        let decides = self.role.decides();
        let Some(object) = self.objects.get_mut(unit) else { return false };
        let Some(biped) = object.biped.as_mut() else { return false };
        if biped.dead {
            if decides {
                return false;
            }
            biped.dead = false;
            object.wake();
        }
        let Some(biped) = self.objects.biped_mut(unit) else { return false };
        (biped.doomed, biped.blown, biped.actor) = (false, false, None);
        let owner = biped.slot.replace(slot).filter(|owner| *owner != slot);
        // Nobody else has it any more.
        if let Some(owner) = owner.and_then(|owner| self.players[owner.index()].as_mut())
            && owner.unit == Some(unit)
        {
            owner.unit = None;
        }
        let Some(player) = self.players[slot.index()].as_mut() else { return false };
        if player.unit == Some(unit) {
            return true;
        }
        let before = player.unit.replace(unit);
        self.events.push(Event::Began { slot, unit });
        if let Some(before) = before.and_then(|before| self.objects.biped_mut(before)) {
            before.slot = None;
        }
        true
    }

    /// Takes a unit's health, shield and what shows of it as the host has them.
    pub fn set_vitality(&mut self, unit: ObjectId, vitality: Vitality) -> bool {
        let biped = self.objects.biped_mut(unit);
        biped.map(|biped| biped.vitality = vitality).is_some()
    }

    /// Takes a player's death as the host has it: its unit is a body until [`World::delete`], and carries what it did
    /// until the host says otherwise. False where it was dead.
    pub fn die(&mut self, slot: Slot, death: Death) -> bool {
        let Some(unit) = self.players[slot.index()].as_mut().and_then(|player| player.unit.take()) else {
            return false;
        };
        self.vacate(unit);
        if let Some(object) = self.objects.get_mut(unit) {
            object.wake();
            object.biped.iter_mut().for_each(Biped::become_body);
        }
        self.events.push(Event::Died { slot, death });
        true
    }

    /// Draws a unit beside where it is; nothing simulated changes (GLUE-19).
    pub fn set_offset(&mut self, unit: ObjectId, offset: Vec3) {
        if let Some(object) = self.objects.get_mut(unit) {
            object.offset = offset;
        }
    }

    /// Where a unit is drawn, in wu.
    pub fn drawn(&self, unit: ObjectId) -> Option<Vec3> {
        self.objects.get(unit).map(|object| object.body.position + object.offset)
    }
}
