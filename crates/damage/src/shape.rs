//! What a report's own numbers must be: its tick, how hard it is, its parts, its form. Knows no history.

use libm::{fabsf, sqrtf};
use mjolnir_wire::damage::{Damage, Hit, Parts};
use mjolnir_wire::{Tick, Vec3};

use crate::error::Error;
use crate::tags::{Effect, Means, Target};

/// Ticks after which what a client made is too old (DMG-24).
pub const REPORT_AGE: u32 = 90;
/// How much harder than it can be a report may be (DMG-12).
pub const SCALE_MARGIN: f32 = 0.0;
/// How much of its effect's damage a blow in the air is (DMG-12).
pub const AIRBORNE_BLOW: f32 = 1.5;
/// How far the origin of what hits at a point may be from its epicentre, wu (DMG-13).
pub const POINT_SLACK: f32 = 0.01;
/// How far past what it reaches and its target's size a damage may be, wu, and as much more as the target moves in a tick
/// (DMG-16): what is measured in a tick's midst is told at its end.
pub const AT_TARGET_SLACK: f32 = 0.05;

/// Whether the tick that a report was made at is one that it can be made at (DMG-24).
pub(crate) fn made(now: Tick, heard: Tick) -> Result<(), Error> {
    match now.since(heard) {
        age if age < 0 => Err(Error::FromTheFuture),
        age if age > REPORT_AGE as i32 => Err(Error::TooOld),
        _ => Ok(()),
    }
}

/// Whether it is as hard as something can be, which is all that is known of it before it is known by what it was dealt.
pub(crate) fn hardness(scale: f32) -> Result<(), Error> {
    no_harder(scale, AIRBORNE_BLOW)
}

/// Whether it is as hard as what deals it can be (DMG-12).
pub(crate) fn hardness_by(scale: f32, means: &Means) -> Result<(), Error> {
    no_harder(scale, if let Means::Melee { .. } = means { AIRBORNE_BLOW } else { 1.0 })
}

fn no_harder(scale: f32, most: f32) -> Result<(), Error> {
    if (0.0..=most + SCALE_MARGIN).contains(&scale) { Ok(()) } else { Err(Error::TooHard) }
}

/// Whether the target has the parts that were hit (DMG-34).
pub(crate) fn parts(parts: &Parts, target: &Target) -> Result<(), Error> {
    let has = |part: Option<u16>, count: u16| part.is_none_or(|part| part < count);
    let all = has(parts.node, target.nodes)
        && has(parts.region, target.regions)
        && has(parts.material, target.materials);
    if all { Ok(()) } else { Err(Error::NoSuchPart) }
}

/// Whether the damage is of the form that the game gives it, at what it hit (DMG-13, 16). A vehicle's place and size are not
/// known here.
pub(crate) fn form(hit: &Hit, effect: &Effect, means: &Means, target: &Target) -> Result<(), Error> {
    let Damage { origin, epicentre, .. } = hit.damage;
    let near = |from: Vec3, reach: f32| is_within(from, hit.target, reach + at_target(target));
    let is_at_target = match *means {
        Means::Flight(_) if !is_within(origin, epicentre, POINT_SLACK) => return Err(Error::WrongShape),
        Means::Flight(_) => near(origin, effect.radius.max(0.0)),
        // A blow's reach is from the body or from the head, as the game has it; both are near the striker (DMG-14).
        Means::Melee { reach } => near(origin, reach) || near(epicentre, reach),
        Means::Collision { .. } => near(origin, 0.0),
    };
    if is_at_target { Ok(()) } else { Err(Error::NotAtTarget) }
}

/// How far from a target's place something that touches it may be, wu.
pub(crate) fn at_target(target: &Target) -> f32 {
    target.size + AT_TARGET_SLACK + target.velocity.length()
}

/// Where the damage goes, one long: an explosion's from its epicentre to the target's centre (DMG-31), any other's as it says
/// (DMG-32).
pub(crate) fn direction(hit: &Hit, is_explosion: bool, target: &Target) -> Result<Vec3, Error> {
    if is_explosion {
        // What goes off in a target's very centre throws it up.
        return Ok(one_long(centre(hit, target) - hit.damage.epicentre).unwrap_or(Vec3::UP));
    }
    one_long(hit.damage.direction).ok_or(Error::NoDirection)
}

/// The target's centre where its client had it, wu.
pub(crate) fn centre(hit: &Hit, target: &Target) -> Vec3 {
    hit.target + target.centre
}

/// Whether two places are no further apart. Never of what is no number.
pub(crate) fn is_within(one: Vec3, other: Vec3, distance: f32) -> bool {
    one.distance(other) <= distance
}

/// The longest part is brought to 1 first, so that nothing overflows or vanishes.
fn one_long(direction: Vec3) -> Option<Vec3> {
    let longest = direction.to_array().into_iter().map(fabsf).fold(0.0, f32::max);
    if !direction.is_finite() || longest == 0.0 {
        return None;
    }
    let [x, y, z] = direction.to_array().map(|part| part / longest);
    let length = sqrtf(x * x + y * y + z * z);
    Some(Vec3::new(x / length, y / length, z / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DMG-32: one long, whatever it was, the longest and the shortest too; nothing has no direction.
    #[test]
    fn a_direction_is_one_long() {
        assert_eq!(one_long(Vec3::new(0.0, 0.0, 5.0)), Some(Vec3::UP));
        assert_eq!(one_long(Vec3::new(0.0, 3.0, -4.0)), Some(Vec3::new(0.0, 0.6, -0.8)));
        for long in [f32::MAX, f32::MIN_POSITIVE, 1.0e-45] {
            let found = one_long(Vec3::new(long, -long, long)).unwrap();
            assert!((found.length() - 1.0).abs() < 1e-6, "{long} gives {found:?}");
        }
        assert_eq!(one_long(Vec3::ZERO), None);
        assert_eq!(one_long(Vec3::new(0.0, f32::NAN, 1.0)), None);
        assert_eq!(one_long(Vec3::new(0.0, f32::INFINITY, 1.0)), None);
    }

    /// DMG-34: a part that is no number is never within anything.
    #[test]
    fn what_is_no_number_is_nowhere() {
        assert!(is_within(Vec3::ZERO, Vec3::UP, 1.0));
        assert!(!is_within(Vec3::ZERO, Vec3::UP, 0.99));
        assert!(!is_within(Vec3::new(f32::NAN, 0.0, 0.0), Vec3::ZERO, f32::MAX));
        assert!(!is_within(Vec3::ZERO, Vec3::ZERO, f32::NAN));
        assert_eq!(no_harder(f32::NAN, 1.0), Err(Error::TooHard));
    }
}
