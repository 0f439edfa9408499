//! What a machine says that it is: its hardware id, as a host keeps it. Knows no machine that has one.

use core::fmt;

/// Hexadecimal digits of a hardware id (CHEAT-23).
pub const HARDWARE_ID_DIGITS: usize = 32;

/// A hardware id: 32 lower-case hexadecimal digits. A machine says it of itself, and nobody checks it (CHEAT-28).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HardwareId([u8; HARDWARE_ID_DIGITS]);

impl HardwareId {
    /// What is kept of what a machine said in joining: hexadecimal digits in lower case, and none of anything that is not
    /// [`HARDWARE_ID_DIGITS`] of them (CHEAT-24).
    pub fn heard(said: &[u8; HARDWARE_ID_DIGITS]) -> Option<Self> {
        let is_whole = said.iter().all(u8::is_ascii_hexdigit);
        is_whole.then(|| Self(said.map(|digit| digit.to_ascii_lowercase())))
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
}
