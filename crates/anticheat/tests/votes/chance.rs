//! Chance of a seed, for tests of any calls in any order.

/// xorshift64*; its seed is not 0.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Below that.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % end
    }
}
