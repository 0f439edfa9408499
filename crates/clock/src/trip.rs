//! A round trip, smoothed as TCP smooths its own (RFC 6298). Knows no unit: a trip's samples are all ticks, or all
//! microseconds.

use libm::floorf;

/// A smoothed round trip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoundTrip {
    /// Mean and variation; none before the first sample.
    smoothed: Option<(f32, f32)>,
}

impl RoundTrip {
    /// Nothing measured yet.
    pub const fn new() -> Self {
        Self { smoothed: None }
    }

    /// Takes one sample: an eighth of its difference moves the mean, a quarter of the difference's size beyond the
    /// variation moves that (CLOCK-10).
    pub fn sample(&mut self, sample: f32) {
        self.smoothed = Some(match self.smoothed {
            None => (sample, sample / 2.0),
            Some((mean, variation)) => {
                let error = sample - mean;
                (mean + error / 8.0, variation + (error.abs() - variation) / 4.0)
            }
        });
    }

    /// The smoothed round trip.
    pub fn smoothed(&self) -> Option<f32> {
        self.smoothed.map(|(mean, _)| mean)
    }

    /// How far samples lie from it.
    pub fn variation(&self) -> Option<f32> {
        self.smoothed.map(|(_, variation)| variation)
    }

    /// The smoothed round trip to the nearest whole; 0 before the first sample.
    pub fn rounded(&self) -> u32 {
        self.smoothed().map_or(0, |mean| floorf(mean + 0.5) as u32)
    }
}
