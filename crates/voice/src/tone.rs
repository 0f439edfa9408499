//! A tone in place of a microphone (`debug.voice_test`, VOICE-33). Knows no device.

use crate::frames::Frame;

/// Its cycles a second.
pub const TONE_HERTZ: u32 = 440;
/// How far it goes from silence: a quarter of what there is.
const TONE_HEIGHT: f32 = 8192.0;
/// Samples a second.
const RATE: u32 = 48_000;

/// See the file's text.
#[derive(Clone, Debug, Default)]
pub struct Tone {
    /// Samples given, of a second's.
    at: u32,
}

impl Tone {
    /// From its beginning.
    pub const fn new() -> Self {
        Self { at: 0 }
    }

    /// Its next 20 ms.
    pub fn frame(&mut self, to: &mut Frame) {
        for sample in to {
            // Whole cycles go: no phase grows until it is coarse.
            let turn = (self.at * TONE_HERTZ % RATE) as f32 / RATE as f32;
            *sample = (TONE_HEIGHT * libm::sinf(turn * core::f32::consts::TAU)) as i16;
            self.at = (self.at + 1) % RATE;
        }
    }
}
