//! A speech-like signal from a seed: syllables of a voice whose pitch glides, through three resonances that move from vowel to
//! vowel, with hisses and pauses between. Knows no codec.

use mjolnir_engine_glue::voice::{FRAME_SAMPLES, Frame};
use mjolnir_skirmish::game::random::Random;

/// Samples a second.
const RATE: f32 = 48_000.0;
/// The resonances of vowels, hertz: a, e, i, o, u.
const VOWELS: [[f32; 3]; 5] = [
    [730.0, 1_090.0, 2_440.0],
    [530.0, 1_840.0, 2_480.0],
    [270.0, 2_290.0, 3_010.0],
    [570.0, 840.0, 2_410.0],
    [300.0, 870.0, 2_240.0],
];
/// How wide they are, hertz.
const WIDTHS: [f32; 3] = [70.0, 100.0, 140.0];
/// The loudest sample.
const HEIGHT: f32 = 12_000.0;

/// One resonance: what is put in rings on at its pitch.
#[derive(Clone, Copy, Default)]
struct Resonance([f32; 2]);

impl Resonance {
    fn ring(&mut self, input: f32, hertz: f32, width: f32) -> f32 {
        let radius = (-std::f32::consts::PI * width / RATE).exp();
        let turn = std::f32::consts::TAU * hertz / RATE;
        let [one, two] = self.0;
        let out = (1.0 - radius) * input + 2.0 * radius * turn.cos() * one - radius * radius * two;
        self.0 = [out, one];
        out
    }
}

/// So many seconds of it, in frames.
pub(super) fn speech(seed: u64, seconds: usize) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let length = seconds * RATE as usize;
    let mut sound: Vec<f32> = Vec::with_capacity(length);
    let mut resonances = [Resonance::default(); 3];
    let (mut shape, mut phase, mut pitch) = (VOWELS[0], 0.0_f32, 120.0_f32);
    while sound.len() < length {
        // A pause, a hiss, or a vowel.
        let kind = random.below(8);
        let samples = ((0.06 + 0.14 * random.part()) * RATE) as usize;
        let next = VOWELS[random.below(5) as usize];
        let [glide, loud] = [90.0 + 90.0 * random.part(), 0.4 + 0.6 * random.part()];
        for at in 0..samples {
            let part = at as f32 / samples as f32;
            let swell = (std::f32::consts::PI * part).sin().sqrt();
            pitch += (glide - pitch) / (0.05 * RATE);
            phase += pitch / RATE;
            let pulse = if phase >= 1.0 { 30.0 } else { 0.0 };
            phase = phase.fract();
            let (excited, hertz) = match kind {
                0 => (0.0, shape),
                1 => (2.0 * random.signed(), [2_500.0, 3_500.0, 5_000.0]),
                _ => (pulse, [0, 1, 2].map(|of| shape[of] + (next[of] - shape[of]) * part)),
            };
            let mut out = 0.0;
            for (resonance, (hertz, width)) in resonances.iter_mut().zip(hertz.into_iter().zip(WIDTHS)) {
                out += resonance.ring(excited * swell * loud, hertz, width);
            }
            sound.push(out);
        }
        shape = next;
    }
    let loudest = sound.iter().fold(1e-9_f32, |most, sample| most.max(sample.abs()));
    let frames = sound[..length].chunks_exact(FRAME_SAMPLES);
    frames.map(|samples| std::array::from_fn(|at| (samples[at] / loudest * HEIGHT) as i16)).collect()
}
