//! A machine's own clock: when it was started, what it read then, how fast it goes, and how it goes wrong. It never
//! goes back. Knows no machine.

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

    /// It jumps ahead by so many microseconds.
    pub(crate) const fn jump(&mut self, lab: u64, micros: u64) {
        *self = Self { born: lab, start: self.read(lab).as_micros() + micros, ppm: self.ppm };
    }

    /// It goes so many times as fast from then on as the lab's, to a millionth.
    pub(crate) fn pace(&mut self, lab: u64, times: f64) {
        let ppm = ((times - 1.0) * MILLION as f64).round() as i32;
        *self = Self { born: lab, start: self.read(lab).as_micros(), ppm };
    }

    /// It stands from `lab` until that time.
    pub(crate) const fn stand(&mut self, lab: u64, until: u64) {
        *self = Self { born: until, start: self.read(lab).as_micros(), ppm: self.ppm };
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

    #[test]
    fn a_clock_is_made_faster() {
        let mut clock = OwnClock::new(0, 500, 0);
        clock.pace(1_000_000, 1.2);
        assert_eq!([1_000_000, 2_000_000].map(|lab| clock.read(lab).as_micros()), [1_000_500, 2_200_500]);
        assert_eq!(clock.when(Moment::from_micros(2_200_500)), 2_000_000);
        clock.pace(2_000_000, 1.0);
        assert_eq!(clock.read(3_000_000).as_micros(), 3_200_500);
    }

    #[test]
    fn a_clock_jumps_and_stands_and_never_goes_back() {
        let mut clock = OwnClock::new(0, 500, 0);
        clock.jump(1_000, 4_000);
        assert_eq!(clock.read(1_000).as_micros(), 5_500);
        clock.stand(2_000, 9_000);
        assert_eq!([2_000, 9_000].map(|lab| clock.read(lab).as_micros()), [6_500; 2]);
        assert_eq!(clock.read(9_001).as_micros(), 6_501);
        assert_eq!(clock.when(Moment::from_micros(6_500)), 9_000);
    }
}
