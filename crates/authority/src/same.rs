//! Whether what came is what the host has already, told as coarsely as it travels. Knows no rule.
//!
//! Taken as it travels, a velocity would set the next move of the host's copy apart from the client's by more than
//! [`DIVERGENCE_APART_DISTANCE`](crate::DIVERGENCE_APART_DISTANCE) though both do the same.

use mjolnir_wire::{Axes, Vec3};

/// A velocity this near to what came is what came, wu a tick each part: half a step of how it travels, and a little.
pub(crate) const SAME_VELOCITY: f32 = 0.51 / 1024.0;
/// The same of turning, radians a tick each part.
pub(crate) const SAME_ANGULAR: f32 = 0.51 / 4096.0;
/// An axis this near to what came is what came, each part: a step of how it travels, and what making it one long
/// again does.
const SAME_AXIS: f32 = 2.0 / 32767.0;

/// Whether two vectors are as near in each part.
pub(crate) fn near(a: Vec3, b: Vec3, by: f32) -> bool {
    (a - b).to_array().iter().all(|part| part.abs() <= by)
}

/// The host's axes where they are what came, else what came.
pub(crate) fn axes(here: &Axes, came: &Axes) -> Axes {
    let same = near(here.forward, came.forward, SAME_AXIS) && near(here.up, came.up, SAME_AXIS);
    if same { *here } else { *came }
}
