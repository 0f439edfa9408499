//! What the host decides of how everyone plays (kind 90, FACT wire 3.12). Knows no mouse: whose aim it bears on is for the crate
//! that obeys it.

use alloc::vec::Vec;

use crate::error::Error;
use crate::layout::{Values, layout};
use crate::message::Message;

/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[("aim_assist_policy.block_mouse", &[("free", 0), ("blocked", 1)])];

layout! {
    /// The entry of kind 90; the message is exactly twelve bytes.
    pub struct AimAssistPolicyEntry = 4 {
        /// 0 or 1.
        block_mouse: u16 = 0,
        /// Zero.
        reserved: u16 = 2,
    }
}

/// Whether a mouse's optional magnetism is let be (CHEAT-44, 45).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AimAssistPolicy {
    /// Each player has it as it prefers.
    Allowed,
    /// Nobody has it.
    Blocked,
}

impl AimAssistPolicy {
    /// Reads an entry: 0 or 1, and nothing else (CHEAT-48). What is reserved is not read.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        match AimAssistPolicyEntry::read(bytes)?.block_mouse {
            0 => Ok(Self::Allowed),
            1 => Ok(Self::Blocked),
            _ => Err(Error::BadFlag),
        }
    }

    /// The entries of a kind 90 message, of which there is one.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(self, to: &mut Vec<u8>) {
        let block_mouse = match self {
            Self::Allowed => 0,
            Self::Blocked => 1,
        };
        AimAssistPolicyEntry { block_mouse, reserved: 0 }.write(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-48: 0 and 1 mean something and no other number does, whatever is reserved says; what is written has zeros there.
    #[test]
    fn a_policy_is_one_of_two() {
        let read = |block_mouse: u16, reserved: u16| {
            AimAssistPolicy::read(&[block_mouse.to_le_bytes(), reserved.to_le_bytes()].concat())
        };
        for reserved in [0, 1, 0x8000, u16::MAX] {
            assert_eq!(read(0, reserved), Ok(AimAssistPolicy::Allowed));
            assert_eq!(read(1, reserved), Ok(AimAssistPolicy::Blocked));
            for block_mouse in [2, 3, 0x100, 0x101, 0x8001, u16::MAX] {
                assert_eq!(read(block_mouse, reserved), Err(Error::BadFlag), "{block_mouse}");
            }
        }
        assert_eq!(AimAssistPolicy::read(&[1, 0, 0]), Err(Error::Truncated));
        for (policy, bytes) in [(AimAssistPolicy::Allowed, [0; 4]), (AimAssistPolicy::Blocked, [1, 0, 0, 0])]
        {
            let mut written = Vec::new();
            policy.write(&mut written);
            assert_eq!(written, bytes);
        }
    }
}
