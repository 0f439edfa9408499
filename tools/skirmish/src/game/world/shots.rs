//! What a shot hits, where it is decided: a straight line at once from the eyes of who fires, stopped by what stands and
//! by the first body. It is the host's own simulation by its own copies; a client's world hits nothing (GLUE-17).
//!
//! Whether shots hurt is a rule of the game: where they do not, rounds and wear are all there is to see of them.
//! Vehicles stop no shot, and who rides is hit where it sits.

use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use crate::game::kinds::Firing;
use crate::game::movement::{CROUCHED_HEIGHT, HEIGHT, RADIUS};
use crate::game::types::FriendlyFire;

/// Bodies whose middle is further from a shot's line than this are not looked at, in wu.
const BESIDE: f32 = HEIGHT;

impl World {
    /// Sets whether shots hurt: they do not until it is set.
    pub const fn set_harm(&mut self, harms: bool) {
        self.harms = harms;
    }

    /// Whether shots hurt. On a client it is what its players may expect: it hurts nobody itself.
    pub const fn harms(&self) -> bool {
        self.harms
    }

    /// Whether nothing that stands lies between two places. Bodies and vehicles hide nobody.
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        !self.map.solids.blocks(from, to)
    }

    /// A shot that was fired: whom it hits is hurt.
    pub(super) fn shoot(&mut self, unit: ObjectId, firing: Firing) {
        let Some(biped) = self.objects.biped_mut(unit) else { return };
        biped.vitality.show();
        let Some(slot) = biped.slot.filter(|_| self.harms) else { return };
        if let Some(hit) = self.aimed_at(slot, firing.range) {
            let amount = self.shot_damage(slot, hit, firing.damage);
            self.damage(hit, amount, Some(slot));
        }
    }

    /// What is left of a shot's damage by the game's rule for friends. No shot explodes.
    fn shot_damage(&self, by: Slot, hit: Slot, amount: f32) -> f32 {
        let rule = self.rules().map_or(FriendlyFire::On, |rules| rules.friendly_fire);
        let unit = self.unit(hit).filter(|_| self.are_friends(by, hit));
        let Some(vitality) = unit.and_then(|unit| self.vitality(unit)) else { return amount };
        match rule {
            FriendlyFire::On => amount,
            FriendlyFire::Off | FriendlyFire::ExplosivesOnly => 0.0,
            FriendlyFire::ShieldsOnly => amount.min(vitality.shield),
        }
    }

    /// Whom a player's shot would hit that reaches so far, in wu: the first body on its line, if nothing stands before it.
    pub fn aimed_at(&self, slot: Slot, range: f32) -> Option<Slot> {
        let (from, (yaw, pitch)) = (self.eyes(slot)?, self.aim(slot)?);
        let ((sin, cos), (up, along)) = (libm::sincosf(yaw), libm::sincosf(pitch));
        let ray = Vec3::new(cos * along, sin * along, up);
        let mut nearest = (None, range);
        for (other, _) in self.players() {
            let Some(unit) = self.unit(other).filter(|_| other != slot) else { continue };
            let Some(object) = self.objects.get(unit) else { continue };
            let height = if self.crouched(unit) { CROUCHED_HEIGHT } else { HEIGHT };
            if let Some(far) =
                body_hit(from, ray, object.body.position, height).filter(|far| *far < nearest.1)
            {
                nearest = (Some(other), far);
            }
        }
        let (hit, far) = nearest;
        hit.filter(|_| self.sees(from, from + ray * far))
    }
}

/// How far along a ray, whose direction is one long, the body is hit that stands at a place: an upright capsule. None
/// where it is missed, or lies behind.
fn body_hit(from: Vec3, ray: Vec3, feet: Vec3, height: f32) -> Option<f32> {
    let to = feet + Vec3::UP * (height * 0.5) - from;
    let past = to - ray * to.dot(ray);
    if past.length_squared() > BESIDE * BESIDE {
        return None;
    }
    let (bottom, top) = (feet.z + RADIUS, feet.z + height - RADIUS);
    // Against the upright side first.
    let flat = ray.across();
    let apart = (from - feet).across();
    if let Some(far) = root(flat.length_squared(), apart.dot(flat), apart.length_squared() - RADIUS * RADIUS)
        && (bottom..=top).contains(&(from.z + ray.z * far))
    {
        return Some(far);
    }
    // Past it, the round ends are left.
    let end = |z: f32| {
        let apart = from - Vec3::new(feet.x, feet.y, z);
        root(1.0, apart.dot(ray), apart.length_squared() - RADIUS * RADIUS)
    };
    match (end(bottom), end(top)) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Where `a t^2 + 2 b t + c` falls to 0 first, ahead; at once where it is below from the begin.
fn root(a: f32, b: f32, c: f32) -> Option<f32> {
    if c <= 0.0 {
        return Some(0.0);
    }
    let inside = b * b - a * c;
    if a <= f32::MIN_POSITIVE || inside < 0.0 || b >= 0.0 {
        return None;
    }
    Some((-b - inside.sqrt()) / a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body's side, its round top and bottom, both sides of each; behind is a miss.
    #[test]
    fn a_body_is_a_capsule() {
        let feet = Vec3::new(10.0, 0.0, 0.0);
        let east = Vec3::new(1.0, 0.0, 0.0);
        let hit = |y: f32, z: f32| body_hit(Vec3::new(0.0, y, z), east, feet, HEIGHT);
        let far = hit(0.0, 0.35).unwrap();
        assert!((far - 9.8).abs() < 1e-4, "{far}");
        assert!(hit(0.199, 0.35).is_some() && hit(0.201, 0.35).is_none());
        assert!(hit(0.0, 0.699).is_some() && hit(0.0, 0.701).is_none());
        assert!(hit(0.0, 0.001).is_some() && hit(0.0, -0.001).is_none());
        // At its corner a capsule is round: there a box would be hit.
        assert!(hit(0.18, 0.68).is_none() && hit(0.13, 0.64).is_some());
        assert!(body_hit(Vec3::new(20.0, 0.0, 0.35), east, feet, HEIGHT).is_none());
        assert_eq!(body_hit(Vec3::new(10.0, 0.0, 0.6), east, feet, HEIGHT), Some(0.0));
        // Straight down upon its head.
        let down = body_hit(Vec3::new(10.0, 0.0, 5.0), -Vec3::UP, feet, HEIGHT).unwrap();
        assert!((down - 4.3).abs() < 1e-4, "{down}");
    }
}
