//! Chat as it travels (kinds 83 to 85). The document names the messages, no public source their bytes: these
//! layouts are ours. Only the layouts: the checks come with the crate that chats.

use crate::layout::{Bits, layout};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[
    ("chat_line.flags", &[("team", 1 << 0), ("vehicle", 1 << 1), ("notice", 1 << 2)]),
    ("chat_config.flags", &[("on", 1 << 0), ("links", 1 << 1)]),
];

layout! {
    /// A line: the entry of kinds 83 and 84 (WIRE-47, 97).
    pub struct ChatLineEntry = 66 {
        /// Who says it; 0xFF in a notice.
        player: u8 = 0,
        /// Bit 0 team, 1 vehicle, neither everyone, 2 notice.
        flags: u8 = 1,
        /// At most 63 printable ASCII characters and a NUL, the rest zero.
        text: [u8; 64] = 2,
    }

    /// The host's settings: the entry of kind 85 (WIRE-47).
    pub struct ChatConfigEntry = 1 {
        /// Bit 0 chat on, 1 links allowed.
        flags: u8 = 0,
    }
}
