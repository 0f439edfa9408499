//! What a machine says that it is: its hardware id, as a host keeps it. Knows no machine that has one.

use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Hexadecimal digits of a hardware id (CHEAT-23).
pub const HARDWARE_ID_DIGITS: usize = 32;

/// What a machine's id text is hashed with, so that the text itself never leaves the machine (CHEAT-23).
const KEY: &[u8] = b"halo-ce-universal hardware id v1";

/// A hardware id: 32 lower-case hexadecimal digits. A machine says it of itself, and nobody checks it (CHEAT-28).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HardwareId([u8; HARDWARE_ID_DIGITS]);

impl HardwareId {
    /// What is kept of what a machine said in joining: hexadecimal digits in lower case, and none of anything that is not
    /// [`HARDWARE_ID_DIGITS`] of them (CHEAT-24). None of zeros alone either (ours): a build that has no source for an id may say
    /// them, and all who play with it would be one person, to ban and to count as one.
    pub fn heard(said: &[u8; HARDWARE_ID_DIGITS]) -> Option<Self> {
        let is_whole = said.iter().all(u8::is_ascii_hexdigit) && said.iter().any(|digit| *digit != b'0');
        is_whole.then(|| Self(said.map(|digit| digit.to_ascii_lowercase())))
    }

    /// Of the text that a machine is known by on its system, as [`sources`](crate::sources) has it: HMAC-SHA-256 under a fixed
    /// key, the first half of it (CHEAT-23). None of an empty text.
    pub fn of_machine(text: &[u8]) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let mut hash = Hmac::<Sha256>::new_from_slice(KEY).ok()?;
        hash.update(text);
        let hash = hash.finalize().into_bytes();
        let mut digits = [0; HARDWARE_ID_DIGITS];
        for (two, byte) in digits.chunks_exact_mut(2).zip(&hash) {
            for (digit, value) in two.iter_mut().zip([byte >> 4, byte & 15]) {
                *digit = b"0123456789abcdef"[usize::from(value)];
            }
        }
        Some(Self(digits))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        // They are ASCII, as all is that gets in.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for HardwareId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-24: hexadecimal digits alone, lower-cased; one that is none, or one too few, is no id.
    #[test]
    fn a_hardware_id_is_hexadecimal_digits() {
        let digits = *b"0123456789abcdefABCDEF0123456789";
        let id = HardwareId::heard(&digits).unwrap();
        assert_eq!(id.as_str(), "0123456789abcdefabcdef0123456789");
        for wrong in [b'g', b'z', b' ', b'-', 0, 0xFF] {
            let mut said = digits;
            said[31] = wrong;
            assert_eq!(HardwareId::heard(&said), None, "{wrong}");
        }
        assert_eq!(HardwareId::heard(&[0; 32]), None);
    }

    /// CHEAT-24: zeros are no id, and who says them is nobody else who does; a single other digit is one.
    #[test]
    fn zeros_are_no_hardware_id() {
        let zeros = [b'0'; HARDWARE_ID_DIGITS];
        let person = |said| crate::Person { address: None, hardware: HardwareId::heard(&said) };
        assert_eq!(HardwareId::heard(&zeros), None);
        assert!(!person(zeros).is_same(&person(zeros)));
        for at in 0..HARDWARE_ID_DIGITS {
            let mut said = zeros;
            said[at] = b'1';
            assert!(HardwareId::heard(&said).is_some() && person(said).is_same(&person(said)), "{at}");
        }
    }

    /// CHEAT-23: what other programs compute of a machine's text is computed here (by Python's `hmac` and `hashlib`); one that
    /// differs in a letter's case is another, and an empty one none.
    #[test]
    fn a_machines_id_is_the_recorded_hash() {
        for (text, id) in [
            ("0123456789abcdef0123456789abcdef", "3dd0fbf156d188d3eb69294cb78aa058"),
            ("00112233-4455-6677-8899-AABBCCDDEEFF", "ffcb93c1166b6e164acfdde1016a4e56"),
            ("9774d56d682e549c", "56fb8820c12ad9e141be6f4271bbb593"),
            ("c0ffee00-1234-5678-9abc-def012345678", "cb0aafff9d236331013f37f84165a756"),
        ] {
            let of = HardwareId::of_machine(text.as_bytes()).unwrap();
            assert_eq!(of.as_str(), id, "{text}");
            assert_eq!(HardwareId::heard(of.as_str().as_bytes().try_into().unwrap()), Some(of));
            let other = text.replace('c', "C");
            assert_eq!(HardwareId::of_machine(other.as_bytes()) == Some(of), other == text, "{text}");
        }
        assert_eq!(HardwareId::of_machine(b""), None);
    }
}
