//! Explosions: whom they reach, and how hard. Knows no projectile.

use mjolnir_wire::damage::{Damage, Hit, Parts};
use mjolnir_wire::{ObjectId, Vec3};

use super::World;
use super::breakables::Breakable;
use crate::game::effects::{AREA, Effect};
use crate::game::projectiles::one_long;

/// How far the middle of anything is from its place at most, in wu.
const NEAR: f32 = 2.0;
/// The share of the way to what breaks that must be free.
const BEFORE: f32 = 0.98;

impl World {
    /// Strikes everything that an effect reaches around a damage's epicentre and that nothing hides from there, each once, by
    /// the order of the table; one that it was dealt to already is left out. Who rides is reached through what it rides.
    pub(super) fn explode(&mut self, effect: &'static Effect, damage: &Damage, but: Option<ObjectId>) {
        let at = damage.epicentre;
        let mut place = 0;
        while let Some(id) = self.objects.nth(place) {
            place += 1;
            // Most of what stands is far off.
            let is_near = self
                .objects
                .get(id)
                .is_some_and(|object| object.body.position.distance(at) < effect.radius + NEAR);
            if !is_near || but == Some(id) || self.ride(id).is_some() {
                continue;
            }
            let Some(shape) = self.shape(id) else { continue };
            let centre = shape.place + shape.centre;
            let scale = effect.fall_off(centre.distance(at));
            if scale <= 0.0 || !self.sees(at, centre) {
                continue;
            }
            let damage = Damage { direction: one_long(centre - at), flags: AREA, scale, ..*damage };
            let parts = Parts { node: Some(0), ..Parts::default() };
            self.strike(Hit { object: id, damage, target: shape.place, normal: None, parts });
        }
        self.explode_breakables(effect, damage);
    }

    fn explode_breakables(&mut self, effect: &Effect, damage: &Damage) {
        let at = damage.epicentre;
        let mut near = Vec::new();
        self.breakables_near(at, effect.radius, &mut near);
        for (what, place, distance) in near {
            let scale = effect.fall_off(distance);
            if scale <= 0.0 {
                continue;
            }
            // It hides itself: what stands right before it does not count.
            if !self.sees(at, at + (place - at) * BEFORE) {
                continue;
            }
            let damage = Damage { direction: one_long(place - at), flags: AREA, scale, ..*damage };
            self.strike_breakable(what, place, &damage);
        }
    }

    /// A shot or an explosion of this world met something that breaks: a pane breaks by every machine's shots where it is
    /// decided, a crate is struck as anything is.
    pub(super) fn strike_breakable(&mut self, what: Breakable, place: Vec3, damage: &Damage) {
        match what {
            Breakable::Pane(_) if self.harms && self.role.decides() => {
                self.hit_breakable(what, place, damage);
            }
            Breakable::Pane(_) => {}
            Breakable::Crate(object) => {
                let target = self.objects.get(object).map_or(place, |object| object.body.position);
                self.strike(Hit { object, damage: *damage, target, normal: None, parts: Parts::default() });
            }
        }
    }
}
