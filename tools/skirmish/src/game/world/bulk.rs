//! How much room a unit or a vehicle takes, for what comes near it without a line: a blow, a vehicle. Knows no damage.

use mjolnir_wire::{ObjectId, Vec3};

use super::World;
use crate::game::movement::{CROUCHED_HEIGHT, HEIGHT, RADIUS};

/// A round body: everything within its radius of an upright line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bulk {
    /// The line's lower end.
    low: Vec3,
    /// How high it goes from there, in wu.
    height: f32,
    /// In wu.
    radius: f32,
}

impl Bulk {
    /// A standing or crouched biped's.
    fn of_biped(feet: Vec3, crouched: bool) -> Self {
        let height = if crouched { CROUCHED_HEIGHT } else { HEIGHT };
        Self { low: feet + Vec3::UP * RADIUS, height: height - 2.0 * RADIUS, radius: RADIUS }
    }

    /// A vehicle's: a ball that touches the ground below its place.
    fn of_vehicle(place: Vec3, radius: f32) -> Self {
        Self { low: place + Vec3::UP * radius, height: 0.0, radius }
    }

    /// The place of its line that is nearest to that one.
    pub(super) fn core(&self, to: Vec3) -> Vec3 {
        Vec3 { z: to.z.clamp(self.low.z, self.low.z + self.height), ..self.low }
    }

    /// How far it is from a place, in wu; 0 within it.
    pub(super) fn far(&self, from: Vec3) -> f32 {
        (self.core(from).distance(from) - self.radius).max(0.0)
    }

    /// The way from the nearest of another's line to the nearest of its own, and how far the two are apart, in wu; less
    /// than 0 where they overlap.
    pub(super) fn from(&self, other: &Self) -> (Vec3, f32) {
        let to = self.core(other.low + Vec3::UP * (other.height * 0.5));
        let way = to - other.core(to);
        (way, way.length() - self.radius - other.radius)
    }
}

impl World {
    /// A vehicle's, or a unit's that stands; nothing else has one.
    pub(super) fn bulk(&self, object: ObjectId) -> Option<Bulk> {
        let object = self.objects.get(object)?;
        let place = object.body.position;
        match (&object.biped, &object.vehicle) {
            (Some(biped), _) => (!biped.dead).then(|| Bulk::of_biped(place, biped.crouched)),
            (None, Some(vehicle)) => Some(Bulk::of_vehicle(place, vehicle.craft.radius)),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of touching: beside, above, and a ball against a body.
    #[test]
    fn how_far_bodies_are_apart() {
        let body = Bulk::of_biped(Vec3::ZERO, false);
        assert_eq!(body.far(Vec3::UP * 0.35), 0.0);
        assert!((body.far(Vec3::new(1.0, 0.0, 0.35)) - 0.8).abs() < 1e-6);
        assert!((body.far(Vec3::UP * 1.7) - 1.0).abs() < 1e-6);
        let crouched = Bulk::of_biped(Vec3::ZERO, true);
        assert!((crouched.far(Vec3::UP * 1.5) - 1.0).abs() < 1e-6);
        let ball = |x: f32| Bulk::of_vehicle(Vec3::new(x, 0.0, -0.1), 0.45);
        assert!(body.from(&ball(-0.64)).1 < 0.0 && body.from(&ball(-0.66)).1 > 0.0);
        let (way, _) = body.from(&ball(-0.64));
        assert!((way.x - 0.64).abs() < 1e-6 && way.y == 0.0 && way.z.abs() < 1e-6, "{way:?}");
    }
}
