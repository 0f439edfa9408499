//! The small generator behind the fault model and the simulated network: the same seed gives the same faults on
//! every machine. Knows nothing of what its numbers decide, and is no source of secrets.

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 when that is 0. Its bias, below 2^-32 for the bounds used here, does not matter.
    pub(crate) const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// Whether something of this share of all cases happens now: never at 0 or less (or no number), always at 1.
    pub(crate) fn happens(&mut self, share: f32) -> bool {
        const UNIT: f32 = 1.0 / (1 << 24) as f32;
        share > 0.0 && ((self.next() >> 40) as f32 * UNIT) < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator is the published one: its first outputs of seed 1234567.
    #[test]
    fn it_gives_the_published_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn shares_and_bounds_hold_at_their_ends() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            assert!(!random.happens(0.0) && !random.happens(-1.0) && !random.happens(f32::NAN));
            assert!(random.happens(1.0));
            assert!(random.below(3) < 3);
        }
        assert_eq!(random.below(0), 0);
    }
}
