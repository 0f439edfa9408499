//! The layout of kind 64 (FACT wire 3.13). Knows no check.

use crate::layout::{Bits, Pad, Values, layout};
use crate::space::{PackedUnit, PackedVelocity, Vec3};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[(
    "actor_state.flags",
    &[
        ("rides", 1 << 0),
        ("shield_depleted", 1 << 1),
        ("shield_charging", 1 << 2),
        ("shield_over_charging", 1 << 3),
        ("camouflaged", 1 << 4),
        ("super_camouflaged", 1 << 5),
        ("impulse_aligned", 1 << 6),
        ("running_blindly", 1 << 7),
    ],
)];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] =
    &[("actor_state.impulse", &[("melee", 14), ("leap", 15), ("none", 0xFF)])];

layout! {
    /// An entry of kind 64 (WIRE-40, 82).
    pub struct ActorStateEntry = 88 {
        /// The unit.
        unit: i32 = 0,
        /// The vehicle it rides, -1 none.
        vehicle: i32 = 4,
        /// The seat.
        seat: i16 = 8,
        /// Bit 0 rides, 1 shield depleted, 2 charging, 3 over-charging, 4 camouflaged, 5 super camouflage, 6 impulse
        /// aligned, 7 running blindly.
        flags: u8 = 10,
        /// Wraps; the impulse is given once.
        impulse_number: u8 = 11,
        /// 0 to 13 impulses, 14 melee, 15 leap, 0xFF none.
        impulse: u8 = 12,
        /// Below 7.
        animation_state: u8 = 13,
        /// Below 2.
        aiming_speed: u8 = 14,
        /// In 255ths.
        primary_trigger: u8 = 15,
        /// Buttons, 15 bits.
        control_flags: u16 = 16,
        /// In 127ths.
        throttle: [i8; 3] = 18,
        /// In 255ths.
        camouflage: u8 = 21,
        /// Wraps; the speech is said once.
        speech_number: u8 = 22,
        /// 0xFF none.
        team: u8 = 23,
        /// Yaw and pitch, in 65536ths of a turn.
        facing: [i16; 2] = 24,
        /// Yaw and pitch, in 65536ths of a turn.
        aiming: [i16; 2] = 28,
        /// Yaw and pitch, in 65536ths of a turn.
        looking: [i16; 2] = 32,
        /// In 65536ths of a turn.
        impulse_alignment: i16 = 36,
        /// In 65536ths of a turn.
        blind_run_angle: i16 = 38,
        /// In 16384ths.
        body_vitality: u16 = 40,
        /// In 16384ths.
        shield_vitality: u16 = 42,
        /// A sound, -1 none.
        speech_sound_tag: i32 = 44,
        /// The graph of its own animation, -1 none.
        user_animation_graph_tag: i32 = 48,
        /// The animation.
        user_animation: i16 = 52,
        /// Wraps; the animation is begun once.
        user_animation_number: u8 = 54,
        /// Whether it blends into it.
        user_animation_interpolate: u8 = 55,
        /// World units.
        position: Vec3 = 56,
        /// World units a tick.
        velocity: PackedVelocity = 68,
        /// Where its front points.
        forward: PackedUnit = 74,
        /// Where its top points.
        up: PackedUnit = 80,
        /// Nothing.
        pad_86: Pad<2> = 86,
    }
}
