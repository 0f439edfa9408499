//! The keys of machines: from a seed, none like another (VOICE-22). Knows no machine.
//!
//! A machine learns its own keys, as often as it joins, and must not be able to tell another's from them. So they are a
//! keyed function of how many were given: SipHash-2-4 (Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012).

use mjolnir_wire::voice::VoiceKey;

/// Gives keys.
#[derive(Debug)]
pub(crate) struct Keys {
    seed: [u64; 2],
    given: u64,
}

impl Keys {
    /// By a seed that nobody else can know: the system's randomness.
    pub(crate) const fn new(seed: [u64; 2]) -> Self {
        Self { seed, given: 0 }
    }

    /// The next one that is none of those in use.
    pub(crate) fn give(&mut self, is_used: impl Fn(VoiceKey) -> bool) -> VoiceKey {
        loop {
            let number = siphash(self.seed, self.given) as u32;
            self.given += 1;
            if let Some(key) = VoiceKey::new(number).filter(|key| !is_used(*key)) {
                return key;
            }
        }
    }
}

/// SipHash-2-4 of a message of eight bytes.
const fn siphash([k0, k1]: [u64; 2], message: u64) -> u64 {
    let mut v = [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ];
    // The last block has the message's length, of 8, in its highest byte.
    let blocks = [message, 8 << 56];
    let mut at = 0;
    while at < blocks.len() {
        v[3] ^= blocks[at];
        v = round(round(v));
        v[0] ^= blocks[at];
        at += 1;
    }
    v[2] ^= 0xff;
    let [v0, v1, v2, v3] = round(round(round(round(v))));
    v0 ^ v1 ^ v2 ^ v3
}

const fn round([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    a = a.wrapping_add(b);
    b = b.rotate_left(13) ^ a;
    a = a.rotate_left(32);
    c = c.wrapping_add(d);
    d = d.rotate_left(16) ^ c;
    a = a.wrapping_add(d);
    d = d.rotate_left(21) ^ a;
    c = c.wrapping_add(b);
    b = b.rotate_left(17) ^ c;
    c = c.rotate_left(32);
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function is the published one: the paper's key 00..0f, and the message 00..07 of its reference vectors.
    #[test]
    fn it_gives_the_published_numbers() {
        let seed = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        assert_eq!(siphash(seed, 0x0706_0504_0302_0100), 0x93f5_f579_9a93_2462);
    }

    /// One that is in use, or is 0, is passed over.
    #[test]
    fn a_key_in_use_is_passed_over() {
        let first = Keys::new([1, 2]).give(|_| false);
        let second = Keys::new([1, 2]).give(|key| key == first);
        assert_ne!(first, second);
        assert_eq!(first.get(), siphash([1, 2], 0) as u32);
        assert_eq!(second.get(), siphash([1, 2], 1) as u32);
    }
}
