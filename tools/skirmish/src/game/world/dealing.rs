//! Hits as they are dealt, waiting, or nothing. Knows no weapon.

use mjolnir_wire::damage::{Damage, DamageEvent, Hit};
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Vec3};

use super::World;
use crate::game::effects::Effect;
use crate::game::kinds::Kind;
use crate::game::movement::HEIGHT;

/// What waits to be asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Dealing {
    dealt: Vec<DamageEvent>,
    hits: Vec<Hit>,
    throws: Vec<(Slot, Tag)>,
}

/// What of an object can be hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Where it is, in wu.
    pub place: Vec3,
    /// In wu a tick.
    pub velocity: Vec3,
    /// How far any of it is from there, in wu.
    pub size: f32,
    /// Its centre beside its place, in wu.
    pub centre: Vec3,
    /// Nodes.
    pub nodes: u16,
    /// Regions.
    pub regions: u16,
    /// Materials.
    pub materials: u16,
}

impl World {
    /// Something of this world hit that object.
    pub fn strike(&mut self, hit: Hit) {
        let is_own = hit.damage.owner.is_none_or(|slot| self.plays_here(slot));
        if !self.harms || !is_own {
            return;
        }
        if self.role.decides() {
            self.deal(&hit);
        } else if hit.damage.owner.is_some() {
            self.dealing.hits.push(hit);
        }
    }

    /// A client's hit, checked.
    pub fn deal_hit(&mut self, hit: &Hit) {
        if self.role.decides() {
            self.deal(hit);
        }
    }

    fn deal(&mut self, hit: &Hit) {
        if self.kind(hit.object) == Some(Kind::Crate) {
            return self.hit_breakable(
                super::Breakable::Crate(hit.object),
                hit.damage.epicentre,
                &hit.damage,
            );
        }
        let amount = Effect::of(hit.damage.effect).map_or(0.0, |effect| effect.amount) * hit.damage.scale;
        if let Some(slot) = self.objects.biped(hit.object).and_then(|biped| biped.slot) {
            self.damage(slot, amount, hit.damage.owner);
        }
    }

    /// Whether this world's word on what a player hits counts.
    pub fn plays_here(&self, slot: Slot) -> bool {
        self.player(slot).is_some_and(|player| match self.role {
            super::Role::Client => player.local,
            _ => player.left || player.machine == Machine::HOST,
        })
    }

    pub(super) fn note_dealt(&mut self, event: DamageEvent) {
        self.dealing.dealt.push(event);
    }

    /// What was dealt.
    pub fn take_dealt(&mut self, into: &mut Vec<DamageEvent>) {
        into.append(&mut self.dealing.dealt);
    }

    /// What was thrown.
    pub fn take_throws(&mut self, into: &mut Vec<(Slot, Tag)>) {
        into.append(&mut self.dealing.throws);
    }

    /// What this machine's players hit.
    pub fn take_hits(&mut self, into: &mut Vec<Hit>) {
        into.append(&mut self.dealing.hits);
    }

    /// What of an object can be hit.
    pub fn shape(&self, object: ObjectId) -> Option<Shape> {
        let of = self.objects.get(object)?;
        let (place, velocity) = (of.body.position, of.body.velocity);
        let (size, centre, nodes) = match (&of.biped, &of.vehicle) {
            (Some(_), _) => (HEIGHT + 0.05, Vec3::UP * (HEIGHT * 0.5), 2),
            (None, Some(vehicle)) => (vehicle.craft.radius * 2.0, Vec3::UP * vehicle.craft.radius, 1),
            (None, None) => return None,
        };
        Some(Shape { place, velocity, size, centre, nodes, regions: 1, materials: 1 })
    }

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
}
