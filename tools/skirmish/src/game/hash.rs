//! A 64-bit digest of the world's state: words folded one after another. Knows no type of the game.

use mjolnir_wire::Vec3;

/// A digest under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(super) fn word(&mut self, word: u64) {
        // One round of FNV over a word at a time, then a shift so that high bits reach the low ones.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        self.0 ^= self.0 >> 29;
    }

    /// The bits as they are: 0 and -0 differ, as they may in what follows from them.
    pub(super) fn float(&mut self, value: f32) {
        self.word(u64::from(value.to_bits()));
    }

    pub(super) fn vector(&mut self, vector: Vec3) {
        for part in vector.to_array() {
            self.float(part);
        }
    }

    pub(super) const fn finish(self) -> u64 {
        self.0
    }
}
