//! Where a client's copy of an object is put, by the host's word on it (OBJ-23 to 26). Knows one object at a time.

use mjolnir_wire::Vec3;
use mjolnir_wire::objects::{Motion, ObjectState};

use crate::rows::{Class, ObjectRow};

/// World units within which a copy is left where it is (OBJ-26).
pub const OBJECT_LEAVE: f32 = 0.05;
/// As much for a copy at rest on a platform that moves: a platform may be half a wu from where the host has it (COOP-20),
/// and what lies on it is where that is. Once it stands the host says again where everything on it rests. Ours.
pub const PLATFORM_LEAVE: f32 = 0.6;
/// The cosine of the angle by which a copy at rest may be turned and left (OBJ-26).
pub const TURN_LEAVE: f32 = 0.98;
/// World units past which a moving copy is put right at once (OBJ-26).
pub const AT_ONCE: f32 = 1.0;
/// As much for a vehicle (OBJ-26).
pub const VEHICLE_AT_ONCE: f32 = 2.0;

/// What becomes of a copy, if anything: where it is put, and by how much that moves it.
pub(crate) fn correction(row: &ObjectRow, host: &ObjectState) -> Option<(Motion, Vec3)> {
    let own = &row.state.motion;
    let gap = host.motion.position - own.position;
    let error = gap.length();
    let turned = own.axes.forward.dot(host.motion.axes.forward).min(own.axes.up.dot(host.motion.axes.up));
    let is_near = error <= OBJECT_LEAVE && (!host.at_rest || turned > TURN_LEAVE);
    if is_near || row.is_carried_along && host.at_rest && error <= PLATFORM_LEAVE {
        // It stays, but not against the host's word on whether it moves, or lives.
        let differs = row.state.at_rest != host.at_rest || row.state.dead != host.dead;
        let kept = Motion { position: own.position, axes: own.axes, ..host.motion };
        return differs.then_some((kept, Vec3::ZERO));
    }
    let at_once = if row.class == Class::Vehicle { VEHICLE_AT_ONCE } else { AT_ONCE };
    // What is no distance at all is put right too.
    let by_half = !host.at_rest && error <= at_once;
    let moved = if by_half { gap * 0.5 } else { gap };
    let position = if by_half { own.position + moved } else { host.motion.position };
    Some((Motion { position, ..host.motion }, moved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mjolnir_wire::{Axes, ObjectId, Tag};

    fn state(x: f32, at_rest: bool) -> ObjectState {
        let position = Vec3::new(x, 0.0, 0.0);
        let velocity = if at_rest { Vec3::ZERO } else { Vec3::new(0.0, 0.1, 0.0) };
        let motion = Motion { position, axes: Axes::UPRIGHT, velocity, angular_velocity: Vec3::ZERO };
        let object = ObjectId::new(1, 1).unwrap();
        ObjectState { object, motion, carried: false, at_rest, dead: false, predicted: None, light: None }
    }

    fn row(class: Class, x: f32, at_rest: bool) -> ObjectRow {
        ObjectRow { state: state(x, at_rest), class, tag: Tag(9), driver: None, is_carried_along: false }
    }

    fn goes(class: Class, from: f32, at_rest: bool) -> Option<f32> {
        let (motion, moved) = correction(&row(class, from, at_rest), &state(0.0, at_rest))?;
        assert!((from + moved.x - motion.position.x).abs() < 1e-6, "what it says it moved");
        Some(motion.position.x)
    }

    /// OBJ-26, PRED-12: a small error of a moving object goes by half, one past 1 wu, of a vehicle 2 wu, at once.
    #[test]
    fn a_moving_copy_is_put_right_by_half_or_at_once() {
        assert_eq!(goes(Class::Weapon, 0.8, false), Some(0.4));
        assert_eq!(goes(Class::Weapon, 0.4, false), Some(0.2));
        assert_eq!(goes(Class::Weapon, 1.0, false), Some(0.5));
        assert_eq!(goes(Class::Weapon, 1.01, false), Some(0.0));
        assert_eq!(goes(Class::Vehicle, 1.01, false), Some(0.505));
        assert_eq!(goes(Class::Vehicle, 2.0, false), Some(1.0));
        assert_eq!(goes(Class::Vehicle, 2.01, false), Some(0.0));
        assert_eq!(goes(Class::Unit, 0.049, false), None);
        assert_eq!(goes(Class::Unit, 0.051, false), Some(0.0255));
    }

    /// OBJ-26: one at rest is put exactly there, and left within 0.05 wu unless it is turned.
    #[test]
    fn a_copy_at_rest_is_put_exactly() {
        assert_eq!(goes(Class::Equipment, 0.049, true), None);
        assert_eq!(goes(Class::Equipment, 0.051, true), Some(0.0));
        assert_eq!(goes(Class::Vehicle, 0.5, true), Some(0.0));
        for (degrees, is_left) in [(10.0_f32, true), (-10.0, true), (13.0, false)] {
            let angle = degrees.to_radians();
            let (sine, cosine) = (libm_sin(angle), libm_sin(core::f32::consts::FRAC_PI_2 - angle));
            let mut own = row(Class::Weapon, 0.01, true);
            own.state.motion.axes.forward = Vec3::new(cosine, sine, 0.0);
            let correction = correction(&own, &state(0.0, true));
            assert_eq!(correction.is_none(), is_left, "{degrees}");
            if let Some((motion, _)) = correction {
                assert_eq!(motion, state(0.0, true).motion);
            }
        }
    }

    /// As many terms as make a float's sine of a small angle.
    fn libm_sin(x: f32) -> f32 {
        x - x * x * x / 6.0 + x * x * x * x * x / 120.0 - x * x * x * x * x * x * x / 5040.0
    }

    /// OBJ-26, COOP-20: what lies on a platform that moves is where that is, to as much as it may be off; what moves there
    /// by itself is put right as anywhere.
    #[test]
    fn a_copy_on_a_moving_platform_is_left_to_it() {
        let goes = |from, at_rest, is_carried_along| {
            let row = ObjectRow { is_carried_along, ..row(Class::Weapon, from, at_rest) };
            Some(correction(&row, &state(0.0, at_rest))?.0.position.x)
        };
        assert_eq!(goes(0.59, true, true), None);
        assert_eq!(goes(0.61, true, true), Some(0.0));
        assert_eq!(goes(0.59, true, false), Some(0.0));
        assert_eq!(goes(0.5, false, true), Some(0.25));
        // It still comes to rest there.
        let moving = ObjectRow { is_carried_along: true, ..row(Class::Weapon, 0.5, false) };
        let (motion, moved) = correction(&moving, &state(0.0, true)).unwrap();
        assert_eq!((motion.position.x, motion.velocity, moved), (0.5, Vec3::ZERO, Vec3::ZERO));
    }

    /// OBJ-23 to 25: whether it rests, and whether it lives, is taken though the copy is left where it is.
    #[test]
    fn rest_is_taken_where_the_place_is_left() {
        let (motion, moved) = correction(&row(Class::Unit, 0.01, false), &state(0.0, true)).unwrap();
        assert_eq!((motion.position.x, motion.velocity, moved), (0.01, Vec3::ZERO, Vec3::ZERO));
        let (motion, _) = correction(&row(Class::Unit, 0.01, true), &state(0.0, false)).unwrap();
        assert_eq!((motion.position.x, motion.velocity.y), (0.01, 0.1));
        let dead = ObjectState { dead: true, ..state(0.0, true) };
        assert!(correction(&row(Class::Unit, 0.0, true), &dead).is_some());
        assert!(correction(&row(Class::Unit, 0.0, true), &state(0.0, true)).is_none());
    }
}
