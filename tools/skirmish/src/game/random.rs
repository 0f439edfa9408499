//! Chance from a seed: SplitMix64. Knows nothing of what is drawn for.

/// A stream of numbers that its seed alone decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// The stream of that seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Where it stands: the seed of what is left of it.
    pub const fn state(&self) -> u64 {
        self.0
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        // The upper half of a product: even to one part in 2^32 over `end`.
        (((self.bits() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// 0 to 1, 1 left out.
    pub fn part(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }

    /// -1 to 1, 1 left out.
    pub fn signed(&mut self) -> f32 {
        self.part() * 2.0 - 1.0
    }

    /// True once in so many draws.
    pub fn once_in(&mut self, draws: u32) -> bool {
        self.below(draws) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream is the known one, and its parts stay in their ranges.
    #[test]
    fn a_stream_is_its_seeds_alone() {
        assert_eq!(Random::new(0).bits(), 0xE220_A839_7B1D_CDAF);
        let mut random = Random::new(7);
        for _ in 0..1000 {
            assert!(random.below(3) < 3);
            assert!((0.0..1.0).contains(&random.part()));
            assert!((-1.0..1.0).contains(&random.signed()));
        }
        assert_eq!(random.below(0), 0);
    }
}
