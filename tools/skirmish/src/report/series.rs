//! Values over time, gathered into so many bins as a plot can show. Knows ticks and numbers.

use mjolnir_wire::Tick;
use serde::Serialize;

/// A game's ticks, cut into bins of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    from: Tick,
    ticks: u32,
    every: u32,
    count: usize,
}

impl Bins {
    /// From the first tick to the last, each bin at least `least` ticks long and no more than `most` of them.
    pub const fn new(first: Tick, last: Tick, least: u32, most: usize) -> Self {
        let ticks = if last.get() < first.get() { 0 } else { (last.get() - first.get()) as u32 + 1 };
        let fitting = ticks.div_ceil(if most == 0 { 1 } else { most as u32 });
        let every = if fitting > least { fitting } else { least };
        Self { from: first, ticks, every, count: ticks.div_ceil(every) as usize }
    }

    /// The bin of that tick; none outside the game.
    pub fn of(&self, tick: Tick) -> Option<usize> {
        let since = u32::try_from(tick.get() - self.from.get()).ok().filter(|since| *since < self.ticks)?;
        Some((since / self.every) as usize)
    }

    /// Sums by bin; 0 where nothing was.
    pub fn sums(&self, samples: impl Iterator<Item = (Tick, f64)>) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (bin, value) in samples.filter_map(|(tick, value)| Some((self.of(tick)?, value))) {
            sums[bin] += value;
        }
        sums
    }

    /// The mean and the largest by bin; none where nothing was.
    pub fn means(&self, samples: impl Iterator<Item = (Tick, f64)>) -> (Vec<Value>, Vec<Value>) {
        let mut bins = vec![(0.0, 0_u32, 0.0_f64); self.count];
        for (bin, value) in samples.filter_map(|(tick, value)| Some((self.of(tick)?, value))) {
            let (sum, count, most) = &mut bins[bin];
            *most = if *count == 0 { value } else { most.max(value) };
            *sum += value;
            *count += 1;
        }
        let mean = |&(sum, count, _): &(f64, u32, f64)| (count > 0).then(|| short(sum / f64::from(count)));
        let most = |&(_, count, most): &(f64, u32, f64)| (count > 0).then(|| short(most));
        (bins.iter().map(mean).collect(), bins.iter().map(most).collect())
    }

    /// A rate a tick, of sums by bin; the last bin may be shorter.
    pub fn rates(&self, sums: &[f64]) -> Vec<Value> {
        let ticks =
            |bin: usize| f64::from(self.every.min(self.ticks.saturating_sub(bin as u32 * self.every)).max(1));
        sums.iter().enumerate().map(|(bin, sum)| Some(short(sum / ticks(bin)))).collect()
    }

    /// Lines of those bins.
    pub const fn series(&self, lines: Vec<Line>) -> Series {
        Series { every: self.every, lines }
    }
}

/// A value of a bin, if there was one.
pub type Value = Option<f64>;

/// Lines over the game's time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Ticks of a bin.
    pub every: u32,
    /// What is drawn.
    pub lines: Vec<Line>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// A value for each bin.
    pub values: Vec<Value>,
}

impl Line {
    /// Of that name.
    pub fn new(name: impl Into<String>, values: Vec<Value>) -> Self {
        Self { name: name.into(), values }
    }
}

/// To four decimals: what a plot can show of it.
pub fn short(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    #[test]
    fn a_game_is_cut_into_bins() {
        let bins = Bins::new(tick(100), tick(699), 1, 600);
        assert_eq!((bins.every, bins.count), (1, 600));
        assert_eq!((bins.of(tick(99)), bins.of(tick(100))), (None, Some(0)));
        assert_eq!((bins.of(tick(699)), bins.of(tick(700))), (Some(599), None));
        let bins = Bins::new(tick(100), tick(700), 1, 600);
        assert_eq!((bins.every, bins.count), (2, 301));
        let bins = Bins::new(tick(100), tick(699), 30, 600);
        assert_eq!((bins.every, bins.count), (30, 20));
        assert_eq!(Bins::new(tick(5), tick(4), 1, 600).count, 0);
    }

    #[test]
    fn a_bin_holds_what_fell_into_it() {
        let bins = Bins::new(tick(0), tick(6), 3, 600);
        let samples = [(0, 1.0), (2, 4.0), (6, 6.0), (7, 99.0)].map(|(at, value)| (tick(at), value));
        let sums = bins.sums(samples.into_iter());
        assert_eq!(sums, [5.0, 0.0, 6.0]);
        assert_eq!(bins.rates(&sums), [Some(1.6667), Some(0.0), Some(6.0)]);
        let (mean, most) = bins.means(samples.into_iter());
        assert_eq!(mean, [Some(2.5), None, Some(6.0)]);
        assert_eq!(most, [Some(4.0), None, Some(6.0)]);
    }
}
