//! The four ways in which a packet is damaged (TOOL-23). Knows nothing of what the bytes mean.

use alloc::vec::Vec;

use super::PACKET_BYTES;
use crate::random::Random;

/// At most this many bytes are changed where only some are.
const CHANGED_BYTES: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Some bytes are others.
    Changed,
    /// Its end is missing.
    CutShort,
    /// Random bytes follow it, up to the most that a packet holds.
    Stretched,
    /// As long as it was, and no byte is what it was.
    Replaced,
}

/// Writes a damaged copy, which always differs. Modes are drawn evenly; one that cannot be (an empty packet has
/// no byte to lose, a full one no room) gives way to one that can.
pub(super) fn damage(random: &mut Random, bytes: &[u8], into: &mut Vec<u8>) -> Mode {
    into.clear();
    into.extend_from_slice(bytes);
    let mode = match random.below(4) {
        _ if bytes.is_empty() => Mode::Stretched,
        0 => Mode::CutShort,
        1 if bytes.len() < PACKET_BYTES => Mode::Stretched,
        2 => Mode::Replaced,
        _ => Mode::Changed,
    };
    match mode {
        Mode::Changed => {
            let first = random.below(bytes.len() as u64) as usize;
            change(random, &mut into[first]);
            for _ in 0..random.below(CHANGED_BYTES) {
                let at = random.below(bytes.len() as u64) as usize;
                if at != first {
                    change(random, &mut into[at]);
                }
            }
        }
        Mode::CutShort => into.truncate(random.below(bytes.len() as u64) as usize),
        Mode::Stretched => into.resize_with(PACKET_BYTES, || random.next() as u8),
        Mode::Replaced => into.iter_mut().for_each(|byte| change(random, byte)),
    }
    mode
}

fn change(random: &mut Random, byte: &mut u8) {
    *byte ^= 1 + random.below(255) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-23: each mode does what its name says, whatever the length, and the copy always differs.
    #[test]
    fn a_damaged_packet_always_differs_as_its_mode_says() {
        let mut random = Random::new(7);
        let mut damaged = Vec::new();
        for length in [0, 1, 2, 60, 1199, 1200, PACKET_BYTES - 1, PACKET_BYTES, 8192] {
            let whole: Vec<u8> = (0..length).map(|at| at as u8).collect();
            for _ in 0..200 {
                let mode = damage(&mut random, &whole, &mut damaged);
                assert_ne!(damaged, whole);
                let same = damaged.iter().zip(&whole).filter(|(a, b)| a == b).count();
                match mode {
                    Mode::Changed => {
                        assert!(damaged.len() == length && same + CHANGED_BYTES as usize >= length);
                    }
                    Mode::CutShort => assert!(damaged.len() < length && same == damaged.len()),
                    Mode::Stretched => assert!(damaged.len() == PACKET_BYTES && damaged.starts_with(&whole)),
                    Mode::Replaced => assert!(damaged.len() == length && same == 0),
                }
            }
        }
    }
}
