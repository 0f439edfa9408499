//! The layouts of voice, as they travel. Knows no check.

use crate::layout::{Bits, Pad, Values, layout};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[("voice_config.flags", &[("lobby", 1 << 0)])];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
    ("voice_down.route", &[("none", 0), ("global", 1), ("near", 2)]),
    (
        "voice_config.mode",
        &[
            ("off", 0),
            ("team_near", 1),
            ("team_and_enemies_near", 2),
            ("team", 3),
            ("team_and_near_enemies", 4),
        ],
    ),
];

layout! {
    /// What stands before a frame's packet in kind 80 (WIRE-49).
    pub struct VoiceUpHeader = 8 {
        /// The machine's key.
        key: u32 = 0,
        /// Wraps.
        sequence: u16 = 4,
        /// Bytes of the packet; 0: "I hear voices".
        length: u8 = 6,
        /// Nothing.
        pad_7: Pad<1> = 7,
    }

    /// What stands before a frame's packet in kind 81 (WIRE-49).
    pub struct VoiceDownHeader = 12 {
        /// The receiver's key.
        key: u32 = 0,
        /// Wraps.
        sequence: u16 = 4,
        /// The machine that speaks.
        speaking_machine: u8 = 6,
        /// The player who speaks, 0xFF in a lobby.
        player: u8 = 7,
        /// 0 none, 1 global, 2 near.
        route: u8 = 8,
        /// Bytes of the packet.
        length: u8 = 9,
        /// Nothing.
        pad_10: Pad<2> = 10,
    }

    /// A machine's key and the host's settings: the entry of kind 82 (WIRE-49).
    pub struct VoiceConfigEntry = 12 {
        /// The machine's key.
        key: u32 = 0,
        /// Bit 0 voice in the lobby.
        flags: u8 = 4,
        /// 0 off, 1 team near, 2 team and enemies near, 3 team everywhere, 4 team everywhere and enemies near.
        mode: u8 = 5,
        /// Thousand bits a second, 8..=64.
        kbps: u8 = 6,
        /// Nothing.
        pad_7: Pad<1> = 7,
        /// How near is near, in tenths of a world unit.
        nearness_tenths: u16 = 8,
        /// Nothing.
        pad_10: Pad<2> = 10,
    }
}
