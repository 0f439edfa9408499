//! What a test's scripts have players do that bots' wandering does not reach: hits and kills (TOOL-71). Knows no script.

use mjolnir_wire::damage::{Hit, Parts};
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use crate::game::effects::{self, Effect};
use crate::game::kinds::Class;
use crate::game::objects::Object;

/// Who is brought to the first player stands around it so far off, in wu: a blow reaches. Ours.
const BROUGHT: f32 = 0.6;
/// Places around the first player that are looked at, one after another.
const AROUND: u16 = 16;
/// Grenades of each kind that who killed has.
const GRENADES: u8 = 2;

/// What a weapon's shot does to whom it hits.
static IMPACTS: [&Effect; 5] =
    [&effects::ROUND, &effects::SLUG, &effects::BOLT, &effects::PELLET, &effects::LANCE];

impl World {
    /// Brings every living player near the first one, where this world decides and the way there is free.
    pub fn bring_together(&mut self) {
        let mut living = self.living();
        let Some(first) = living.next() else { return };
        let others: Vec<_> = living.collect();
        let Some(middle) = self.position(first) else { return };
        let mut places = (0..AROUND).filter_map(|place| {
            let (sin, cos) = libm::sincosf(f32::from(place) * std::f32::consts::TAU / f32::from(AROUND));
            let there = middle + Vec3::new(cos, sin, 0.0) * BROUGHT;
            let knees = Vec3::UP * 0.3;
            self.sees(middle + knees, there + knees + (there - middle) * 0.5).then_some(there)
        });
        let free: Vec<_> = others.iter().map_while(|slot| Some((*slot, places.next()?))).collect();
        for (slot, place) in free {
            self.move_to(slot, place);
        }
    }

    /// Has a player hit the next living one: with the weapon in hand if that reaches, else with a blow if that does. It is
    /// a hit like any other, which is dealt where this world decides and reported elsewhere. Whom it hit.
    pub fn hit_next(&mut self, slot: Slot) -> Option<Slot> {
        let after = self.living().find(|other| *other > slot);
        let next = after.or_else(|| self.living().find(|other| *other != slot))?;
        let (own, object) = (self.unit(slot)?, self.unit(next)?);
        let shape = self.shape(object)?;
        let (eyes, centre) = (self.eyes(slot)?, shape.place + shape.centre);
        let far = eyes.distance(centre);
        let direction = if far > 0.0 { (centre - eyes) * (1.0 / far) } else { Vec3::UP };
        let damage = match self.impact_of(own).filter(|(_, range)| far <= *range) {
            Some((effect, _)) => self.damage_of(Some(slot), effect, Some(own), centre, direction, 1.0),
            None if far <= effects::BLOW_REACH => {
                let mut blow = self.damage_of(Some(slot), &effects::BLOW, Some(own), eyes, direction, 1.0);
                blow.epicentre = self.shape(own).map_or(eyes, |shape| shape.place + shape.centre);
                blow
            }
            None => return None,
        };
        let parts = Parts { node: Some(0), region: None, material: None };
        self.strike(Hit { object, damage, target: shape.place, normal: None, parts });
        Some(next)
    }

    /// Has the first living player kill the last, take the nearest weapon that lies on the ground into its hand, and have two
    /// grenades of each kind. Who killed whom; none where nobody else lives, and in a client's world.
    pub fn kill_last(&mut self) -> Option<(Slot, Slot)> {
        let first = self.living().next()?;
        let last = self.living().last().filter(|last| *last != first)?;
        if !self.kill(last, Some(first)) {
            return None;
        }
        let unit = self.unit(first)?;
        let place = self.position(first)?;
        let lies = |object: &Object| object.class() == Class::Weapon && object.loose().is_some();
        let far = |object: &Object| object.body.position.distance(place);
        let weapons = self.objects.iter().filter(|(id, object)| lies(object) && !self.is_in_play(*id));
        let nearest = weapons.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b))).map(|(id, _)| id);
        if let Some(weapon) = nearest {
            self.take(unit, weapon);
            self.note_taken(first, weapon);
        }
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.load.grenades.fill(GRENADES);
            self.decisions.items += 1;
        }
        Some((first, last))
    }

    /// What the weapon in a unit's hand does to whom it hits, and how far it reaches, in wu.
    fn impact_of(&self, unit: ObjectId) -> Option<(&'static Effect, f32)> {
        let (kind, _) = self.in_hand(unit)?;
        let effect = IMPACTS.into_iter().find(|effect| effects::deals(kind.tag(), effect.tag).is_some())?;
        Some((effect, kind.firing()?.range))
    }

    fn living(&self) -> impl Iterator<Item = Slot> {
        let there = self.players().filter(|(_, player)| !player.left).map(|(slot, _)| slot);
        there.filter(|slot| self.unit(*slot).is_some())
    }
}
