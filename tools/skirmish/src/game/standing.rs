//! What a thing stands on: the ground, or a box that moves. Knows no thing and no rule by which it moves.

use mjolnir_wire::Vec3;

use super::collision::Solids;
use super::movement::{REACH, RIM};

/// Of two floors so near to one height the still one counts, in wu.
const EVEN: f32 = 1e-4;
/// What a box that rises reaches from below is lifted from so far under the top that it had, in wu.
const UNDER: f32 = 0.2;

/// Which of the moving boxes a ball of that radius stands on, whose lowest point is there; none where it stands on
/// nothing, or on what is still. It follows from the place alone, so that a copy put there stands on the same.
pub(super) fn stands_on(solids: &Solids, place: Vec3, radius: f32, scratch: &mut Vec<u16>) -> Option<u16> {
    let centre = place + Vec3::UP * radius;
    let reach = Vec3::new(1.0, 1.0, 1.0) * (radius + REACH);
    solids.collect(centre - reach, centre + reach, scratch);
    let (mut nearest, mut on) = (f32::INFINITY, None);
    for &index in &*scratch {
        let near = solids.get(index).near(centre);
        let gap = near.distance - radius;
        if gap > REACH || !near.floor || near.normal.z < RIM {
            continue;
        }
        // What is still comes first in the list.
        if gap < nearest - EVEN {
            (nearest, on) = (gap, solids.moving(index));
        }
    }
    on
}

/// How high a ball of that radius is lifted whose lowest point is there, by a box that went from `before` to where it is
/// now: as high as that its top is under it, where it swept over the place.
pub(super) fn lifted(solids: &Solids, moving: u16, before: f32, place: Vec3, radius: f32) -> Option<f32> {
    let solid = solids.of_moving(moving);
    let (least, most) = (solid.least, solid.most);
    let is_over = place.x > least.x - radius * RIM
        && place.x < most.x + radius * RIM
        && place.y > least.y - radius * RIM
        && place.y < most.y + radius * RIM;
    (is_over && place.z > before - UNDER && place.z < most.z).then_some(most.z)
}
