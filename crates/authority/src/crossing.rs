//! Steps onto an elevator that left, and off one, which a client made before it had heard that it did. Knows no flight and no
//! anchor.
//!
//! A client's elevator leaves when word of it has come, and what its player does reaches the host as much later: by then the
//! host's has gone what it goes in a round trip. Whoever stepped on in time there runs into its side or its shaft here, and
//! whoever stepped off in time rides on (ours; by the rows the host takes either where it is across alone, or not at all).

use mjolnir_wire::{Tick, Vec3};

use crate::anchor::ANCHOR_JITTER;
use crate::flight::{DOWN, FLIGHT_TRIP_MOST, rise};
use crate::rows::Shaft;
use crate::take::{HOST_BLEND_DISTANCE, ON_FLOOR, Prediction, Step, TAKE_TOLERANCE, Taken};

/// How high an elevator's floor is, and was after as many ticks before as count: a round trip's and jitter.
pub const FLOORS: usize = (FLIGHT_TRIP_MOST as u32 + ANCHOR_JITTER) as usize + 1;

/// An elevator that goes no further in the ticks between two claims stands, wu.
const STANDS: f32 = 0.01;
/// A rider goes up and down with its elevator but for this part of its way.
const ALIKE: f32 = 0.25;

/// What a client's word makes of a copy beside an elevator, or upon it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crossing {
    /// It is on it, there: where its client has it across, over the floor, and as high as that is here.
    On(Vec3),
    /// It is off it, where its client has it.
    Off {
        /// No higher than this, as high as the floor was, is what it left.
        ground: f32,
    },
}

/// What that claim makes of the copy; none where it is no step across that elevator's rim that a round trip explains.
/// `ground` is how high it was last on the ground here, `taken` the claim taken last, and `said` the last that came, of which
/// client's tick and of where.
pub(crate) fn crossing(
    shaft: &Shaft,
    step: &Step,
    ground: f32,
    taken: Option<&Taken>,
    said: Option<(Tick, Vec3)>,
    prediction: &Prediction,
) -> Option<Crossing> {
    let off = prediction.placement.position - step.copy.position;
    if step.carried || taken.is_some_and(|taken| taken.carried) {
        let is_near = off.across().length() <= TAKE_TOLERANCE;
        let left = left(shaft, step, taken, prediction).filter(|_| is_near);
        if left.is_some() || step.carried {
            return left.map(|ground| Crossing::Off { ground });
        }
    }
    let is_near = off.length() <= TAKE_TOLERANCE;
    (is_near && reached(shaft, step, ground) && rides(shaft, step, said?, prediction))
        .then(|| Crossing::On(shaft.over(prediction.placement.position)))
}

/// Whether the floor was so low in those ticks that one could step on it, or jump on it, from ground of that height.
fn reached(shaft: &Shaft, step: &Step, ground: f32) -> bool {
    let lowest = floors_of(shaft, step).iter().copied().fold(f32::INFINITY, f32::min);
    lowest <= ground + rise(step.limits.jump, step.gravity) + step.limits.crouch_lift + ON_FLOOR
}

/// The heights of the floor at which a client may have it: a round trip's and jitter.
fn floors_of<'a>(shaft: &'a Shaft, step: &Step) -> &'a [f32] {
    let late = usize::from(step.round_trip) + ANCHOR_JITTER as usize;
    &shaft.floors[..=late.min(FLOORS - 1)]
}

/// Whether its client has it on the floor, as high as that was, and it went up or down since its last claim as that did. On an
/// elevator that has not left on its client it is not, since it may walk off again before.
fn rides(shaft: &Shaft, step: &Step, (tick, last): (Tick, Vec3), prediction: &Prediction) -> bool {
    let claim = prediction.placement.position;
    let since = usize::try_from(prediction.client.since(tick)).ok();
    let Some(then) = since.and_then(|ticks| shaft.floors.get(ticks..)) else { return false };
    let rose = claim.z - last.z;
    let is_alike = |(now, then): (&f32, &f32)| {
        let went = (now - then).abs();
        went >= STANDS && (rose - (now - then)).abs() <= ALIKE * went && stands(shaft, claim, *now, went)
    };
    floors_of(shaft, step).iter().zip(then).any(is_alike)
}

/// Whether who is there is over the floor, or on its rim, and as high as it was when it was so high and went so far.
fn stands(shaft: &Shaft, place: Vec3, floor: f32, went: f32) -> bool {
    let beyond = shaft.beyond(place);
    // At its rim one stands lower.
    let lower = if beyond > 0.0 { shaft.rim } else { 0.0 };
    let slack = ON_FLOOR + went * 0.5;
    beyond <= shaft.rim && place.z <= floor + slack && place.z >= floor - slack - lower
}

/// Whether its client has a player in the air on the floor, as high as that was in one of those ticks.
pub(crate) fn landed(shaft: &Shaft, step: &Step, ground: f32, prediction: &Prediction) -> bool {
    let place = prediction.placement.position;
    let mut floors = floors_of(shaft, step).iter().zip(&shaft.floors[1..]);
    reached(shaft, step, ground) && floors.any(|(now, then)| stands(shaft, place, *now, (now - then).abs()))
}

/// The height of what it left whose client has it so far from the rim that it cannot be on it, as high as the floor was, or in
/// a jump from there, or a step lower.
fn left(shaft: &Shaft, step: &Step, taken: Option<&Taken>, prediction: &Prediction) -> Option<f32> {
    let claim = prediction.placement.position;
    let floors = floors_of(shaft, step);
    let lowest = floors.iter().copied().fold(f32::INFINITY, f32::min);
    let highest = floors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let jump = rise(step.limits.jump, step.gravity) + step.limits.crouch_lift;
    let is_as_high = claim.z >= lowest - DOWN && claim.z <= highest + jump + ON_FLOOR;
    // A copy that is off by itself waits for nobody who may be on its rim still.
    let rim = if step.carried { shaft.rim } else { 0.0 };
    // By less it is as ever: the copy comes off by itself.
    let is_far = |height: f32| (claim.z - height).abs() > HOST_BLEND_DISTANCE;
    let has_left = is_far(step.copy.position.z) || taken.is_some_and(|taken| is_far(taken.place.z));
    let is_off = shaft.beyond(claim) > rim && has_left && highest - lowest >= STANDS;
    (is_off && is_as_high).then(|| claim.z.min(highest))
}
