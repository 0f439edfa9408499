//! Where a near voice is heard from, and how loud (VOICE-18); and its mixing into what both ears hear. Knows no codec.

use mjolnir_wire::voice::Route;
use mjolnir_wire::{Axes, Slot, Vec3};

use crate::frames::FRAME_SAMPLES;

/// World units within which a near voice is as loud as it can be (VOICE-18).
pub const WHOLE_WITHIN: f32 = 3.0;
/// How loud a near voice is at the end of its range (VOICE-18).
pub const LEAST_GAIN: f32 = 0.2;
/// How far a voice straight from the side is on that side (VOICE-18).
pub const MOST_PAN: f32 = 0.8;

/// Who listens: this machine's first view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ear {
    /// Where it is, wu.
    pub place: Vec3,
    /// Where it looks, and its up.
    pub axes: Axes,
}

/// What the listening asks of the game, as this machine has it.
pub trait Ears {
    /// Who listens; none where nobody looks on, as in a lobby.
    fn ear(&self) -> Option<Ear>;
    /// Where that player's unit is on this machine, wu, if it is there.
    fn place(&self, player: Slot) -> Option<Vec3>;
}

/// How a voice is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// How loud, 0 to 1.
    pub gain: f32,
    /// From where: -1 left, 0 ahead or behind, 1 right.
    pub pan: f32,
}

/// How a voice is heard by that route, near being within so many world units. One that the host says is near, and that
/// this machine has nowhere, is as one at the end of the range.
pub fn place(route: Route, nearness: f32, player: Option<Slot>, ears: &impl Ears) -> Placed {
    if route != Route::Near {
        return Placed { gain: 1.0, pan: 0.0 };
    }
    let at = player.and_then(|player| ears.place(player)).filter(|at| at.is_finite());
    let (Some(Ear { place, axes }), Some(at)) = (ears.ear(), at) else {
        return Placed { gain: LEAST_GAIN, pan: 0.0 };
    };
    let way = at - place;
    let distance = way.length();
    let beyond = ((distance - WHOLE_WITHIN) / (nearness - WHOLE_WITHIN)).clamp(0.0, 1.0);
    let Axes { forward: f, up: u } = axes;
    let right = Vec3::new(f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x);
    // Who speaks from where one stands is on neither side.
    let pan = if distance > 0.0 { MOST_PAN * way.dot(right) / distance } else { 0.0 };
    Placed { gain: 1.0 - (1.0 - LEAST_GAIN) * beyond, pan: pan.clamp(-MOST_PAN, MOST_PAN) }
}

/// Adds a voice to what the left and the right ear hear in 20 ms, by turns; `volume` is the player's own, 0..=2.
pub fn mix(samples: &[i16; FRAME_SAMPLES], placed: Placed, volume: f32, into: &mut [i16; 2 * FRAME_SAMPLES]) {
    let Placed { gain, pan } = placed;
    let loud = [gain * volume * (1.0 - pan.max(0.0)), gain * volume * (1.0 + pan.min(0.0))];
    for (sample, ears) in samples.iter().zip(into.chunks_exact_mut(2)) {
        for (ear, loud) in ears.iter_mut().zip(loud) {
            // As far as the type reaches: what is too loud is cut.
            *ear = ear.saturating_add((f32::from(*sample) * loud) as i16);
        }
    }
}
