//! How a speaker was heard of late, for who tries voice alone (`debug.voice_test`, VOICE-33). Knows no log.

use crate::frames::Frame;
use crate::placing::Placed;

/// What full loudness is, squared.
const FULL: f32 = 32768.0 * 32768.0;

/// See the file's text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    squares: f32,
    samples: u32,
    placed: Option<Placed>,
    bytes: u32,
}

impl Level {
    /// The sound's root mean square before its gain, 0 to 1.
    pub fn rms(&self) -> f32 {
        if self.samples == 0 { 0.0 } else { libm::sqrtf(self.squares / self.samples as f32) }
    }

    /// How loud and from where it was last; none if nothing was played.
    pub const fn placed(&self) -> Option<Placed> {
        self.placed
    }

    /// Bytes of packets that came.
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    pub(crate) fn came(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u32);
    }

    pub(crate) fn played(&mut self, sound: &Frame, placed: Placed) {
        self.squares += squares(sound) as f32 / FULL;
        self.samples = self.samples.saturating_add(sound.len() as u32);
        self.placed = Some(placed);
    }
}

/// The sum of a frame's squares: of whole numbers, so that it is the same on every machine.
pub(crate) fn squares(sound: &Frame) -> u64 {
    sound.iter().map(|sample| u64::from(sample.unsigned_abs()).pow(2)).sum()
}
