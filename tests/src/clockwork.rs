//! A machine's own clock: when it was started, what it read then, and how fast it goes. Knows no machine.

use mjolnir_wire::Moment;

const MILLION: i128 = 1_000_000;

/// A clock of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnClock {
    /// The lab's time when it was started, in microseconds.
    born: u64,
    /// What it read then.
    start: u64,
    /// How much faster than the lab's it goes, in millionths.
    ppm: i32,
}

impl OwnClock {
    pub(crate) const fn new(born: u64, start: u64, ppm: i32) -> Self {
        Self { born, start, ppm }
    }

    /// What it reads at that time of the lab.
    pub(crate) const fn read(&self, lab: u64) -> Moment {
        let passed = lab.saturating_sub(self.born) as i128;
        Moment::from_micros(self.start + (passed + passed * self.ppm as i128 / MILLION) as u64)
    }

    /// The first time of the lab at which it reads that or later.
    pub(crate) fn when(&self, moment: Moment) -> u64 {
        let own = i128::from(moment.as_micros().saturating_sub(self.start));
        let mut lab = self.born + (own * MILLION / (MILLION + i128::from(self.ppm))) as u64;
        while self.read(lab) < moment {
            lab += 1;
        }
        lab
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_reads_what_it_said_it_would() {
        for ppm in [-500, -1, 0, 1, 500] {
            let clock = OwnClock::new(7_000, 90_000_000, ppm);
            for micros in [90_000_000, 90_033_334, 151_234_567] {
                let lab = clock.when(Moment::from_micros(micros));
                assert!(clock.read(lab).as_micros() >= micros, "{ppm} {micros}");
                assert!(lab == 7_000 || clock.read(lab - 1).as_micros() < micros, "{ppm} {micros}");
            }
        }
    }
}
