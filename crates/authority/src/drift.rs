//! How alike host and client move the same player with the same input (AUTH-69). Knows no player and no message.

use mjolnir_wire::Vec3;

/// Two moves of one tick further apart than this are not the same move, wu (AUTH-69).
pub const DIVERGENCE_APART_DISTANCE: f32 = 0.0001;

/// What was compared of some ticks' moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Ticks compared.
    pub ticks: u32,
    /// Of those, ticks whose moves were further apart than [`DIVERGENCE_APART_DISTANCE`].
    pub apart: u32,
    /// How far apart the moves were on average, wu.
    pub mean: f32,
    /// How far apart at most, wu.
    pub largest: f32,
}

/// Samples as they come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Samples {
    ticks: u32,
    apart: u32,
    sum: f64,
    largest: f32,
}

impl Samples {
    /// Compares two moves of one tick: the moves, not where they end (AUTH-70).
    pub(crate) fn note(&mut self, host: Vec3, client: Vec3) {
        let distance = host.distance(client);
        self.ticks = self.ticks.saturating_add(1);
        self.apart = self.apart.saturating_add(u32::from(distance > DIVERGENCE_APART_DISTANCE));
        self.sum += f64::from(distance);
        self.largest = self.largest.max(distance);
    }

    /// What they come to.
    pub(crate) fn drift(&self) -> Drift {
        let mean = if self.ticks == 0 { 0.0 } else { (self.sum / f64::from(self.ticks)) as f32 };
        Drift { ticks: self.ticks, apart: self.apart, mean, largest: self.largest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AUTH-69: thirty ticks of which three differ by a thousandth; both sides of the distance.
    #[test]
    fn a_second_is_summed_up() {
        let mut samples = Samples::default();
        assert_eq!(samples.drift(), Drift::default());
        let host = Vec3::new(0.08, 0.0, 0.0);
        for tick in 0..30 {
            let off = if tick % 10 == 0 { 0.001 } else { 0.0 };
            samples.note(host, host + Vec3::new(0.0, off, 0.0));
        }
        let drift = samples.drift();
        assert_eq!((drift.ticks, drift.apart), (30, 3));
        assert!((drift.mean - 0.0001).abs() < 1e-7 && (drift.largest - 0.001).abs() < 1e-7);
        samples.note(Vec3::ZERO, Vec3::new(0.0, 0.0, 0.000_09));
        assert_eq!(samples.drift().apart, 3);
        samples.note(Vec3::ZERO, Vec3::new(0.0, 0.0, 0.000_11));
        assert_eq!(samples.drift().apart, 4);
    }
}
