//! How far and how fast a driven vehicle moves at most. Pure arithmetic: knows no vehicle, no tick and no history.

use mjolnir_wire::Vec3;

use crate::bounds::shorten;

/// Times its tag's top speed that a client's vehicle may go (AUTH-26).
pub const VEHICLE_SPEEDS: f32 = 2.0;
/// No vehicle is believed to go faster, wu a tick (AUTH-26).
pub const VEHICLE_MOST_A_TICK: f32 = 3.0;
/// Allowed on top for where a vehicle is, wu a tick; not for its velocity (AUTH-26, 27).
pub const VEHICLE_PLACE_SLACK: f32 = 0.1;
/// The host's copy is put only halfway to a prediction within this, wu (AUTH-11); allowed on top once (AUTH-26).
pub const VEHICLE_BLEND_DISTANCE: f32 = 0.5;

/// The speed that a vehicle is believed to go, wu a tick, in any direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleBounds {
    /// In any direction.
    pub speed: f32,
}

impl VehicleBounds {
    /// Of a vehicle that its tag lets go that fast, and to which the host's ticks gave that speed: twice the first or
    /// the second, whichever is more.
    pub fn of(top_speed: f32, sent: f32) -> Self {
        Self { speed: (VEHICLE_SPEEDS * top_speed).max(sent).min(VEHICLE_MOST_A_TICK) }
    }

    /// Whether that many ticks suffice to come from one place to the other.
    pub fn reach(&self, from: Vec3, to: Vec3, ticks: u32) -> bool {
        self.beyond(from, to, ticks) <= VEHICLE_BLEND_DISTANCE
    }

    /// How much further than those ticks suffice for it is from one place to the other, wu; below 0 where they do. Of the
    /// blend distance, allowed once, that much is spent by who is believed to be there.
    pub fn beyond(&self, from: Vec3, to: Vec3, ticks: u32) -> f32 {
        from.distance(to) - (self.speed + VEHICLE_PLACE_SLACK) * ticks as f32
    }

    /// Whether that many ticks suffice for any vehicle to come from one place to the other.
    pub fn steps(from: Vec3, to: Vec3, ticks: u32) -> bool {
        Self { speed: VEHICLE_MOST_A_TICK }.reach(from, to, ticks)
    }

    /// A velocity no faster than this allows: its direction is kept.
    pub fn clip(&self, velocity: Vec3) -> Vec3 {
        shorten(velocity, self.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn east(x: f32) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    /// AUTH-26: of a top speed of 0.5 wu a tick 1.1 is taken and 1.2 sustained is not, in any direction; the blend
    /// distance is allowed once.
    #[test]
    fn a_vehicle_goes_twice_its_top_speed() {
        let bounds = VehicleBounds::of(0.5, 0.0);
        for direction in [east(1.0), Vec3::UP, Vec3::new(0.6, 0.0, -0.8)] {
            assert!(bounds.reach(Vec3::ZERO, direction * (1.1 * 25.0), 25));
            assert!(!bounds.reach(Vec3::ZERO, direction * (1.2 * 25.0), 25));
            assert!(bounds.reach(Vec3::ZERO, direction * 1.59, 1));
            assert!(!bounds.reach(Vec3::ZERO, direction * 1.61, 1));
        }
        assert!(VehicleBounds::of(0.5, 1.5).reach(Vec3::ZERO, east(1.6 * 25.0), 25));
        assert!(!VehicleBounds::of(0.5, 1.5).reach(Vec3::ZERO, east(1.7 * 25.0), 25));
        assert_eq!(VehicleBounds::of(0.5, 0.9), VehicleBounds::of(0.5, 0.0));
    }

    /// AUTH-26: three world units a tick whatever its tag and the host's ticks: 3.2 sustained is not taken, a single
    /// step of 4.2 is not.
    #[test]
    fn no_vehicle_goes_more_than_three_world_units_a_tick() {
        for bounds in [VehicleBounds::of(9.0, 0.0), VehicleBounds::of(0.5, 9.0)] {
            assert_eq!(bounds.speed, VEHICLE_MOST_A_TICK);
            assert!(bounds.reach(Vec3::ZERO, east(3.1 * 25.0), 25));
            assert!(!bounds.reach(Vec3::ZERO, east(3.2 * 25.0), 25));
            assert!(bounds.reach(Vec3::ZERO, east(3.59), 1));
            assert!(!bounds.reach(Vec3::ZERO, east(4.2), 1));
        }
    }

    /// AUTH-27: a velocity is bounded without the tenth: of 1.05 wu a tick 1.0 is taken.
    #[test]
    fn a_velocity_is_bounded_without_the_tenth() {
        let bounds = VehicleBounds::of(0.5, 0.0);
        assert_eq!(bounds.clip(east(1.05)), east(1.0));
        assert_eq!(bounds.clip(east(0.99)), east(0.99));
        assert!((bounds.clip(Vec3::new(3.0, 0.0, -4.0)).length() - 1.0).abs() < 1e-6);
    }
}
