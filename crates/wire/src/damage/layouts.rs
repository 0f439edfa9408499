//! Damage as it travels: what was dealt (kind 10), what a client hit (11), what actors' units show (73), the
//! animations that the host picked (75); FACT wire 3.9 to 3.12. Only the layouts.

use crate::layout::{Bits, Pad, Values, layout};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[(
    "damage_event.kill_flags",
    &[("friendly_fire", 1 << 0), ("by_vehicle", 1 << 1), ("telefrag", 1 << 2)],
)];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
    (
        "damage_event.kind",
        &[("screen_effect", 0), ("aftermath", 1), ("killing_blow", 2), ("scenery_or_device", 3)],
    ),
    ("damage_animation.type", &[("soft_ping", 0), ("hard_ping", 1), ("soft_kill", 2), ("hard_kill", 3)]),
];

layout! {
    /// Damage itself, a part of kinds 10 and 11 (WIRE-80).
    pub struct Damage = 68 {
        /// The damage effect.
        damage_effect_tag: i32 = 0,
        /// As the game has them.
        flags: u32 = 4,
        /// The player who dealt it, 0xFF none.
        owner_player: u8 = 8,
        /// Nothing.
        pad_9: Pad<1> = 9,
        /// The team that dealt it, -1 none.
        owner_team: i16 = 10,
        /// The object that dealt it, -1 none.
        owner_object: i32 = 12,
        /// Where it came from.
        origin: [f32; 3] = 16,
        /// Where it is greatest.
        epicentre: [f32; 3] = 28,
        /// Where it goes.
        direction: [f32; 3] = 40,
        /// How much of the effect's damage it is.
        scale: f32 = 52,
        /// What multiplies it.
        multiplier: f32 = 56,
        /// How much of its material effect shows.
        material_effect_scale: f32 = 60,
        /// The material it met, -1 none.
        material_type: i16 = 64,
        /// Nothing.
        pad_66: Pad<2> = 66,
    }

    /// Damage dealt: an entry of kind 10 (WIRE-39).
    pub struct DamageEventEntry = 108 {
        /// 0 a player's screen effect, 1 aftermath, 2 killing blow, 3 static scenery or device.
        kind: u8 = 0,
        /// The player it is about, 0xFF none.
        player: u8 = 1,
        /// Bit 0 friendly fire, 1 by a vehicle, 2 telefrag.
        kill_flags: u8 = 2,
        /// Nothing.
        pad_3: Pad<1> = 3,
        /// What was hurt.
        object: i32 = 4,
        /// The damage.
        damage: Damage = 8,
        /// As the game has them.
        being_damaged_flags: u32 = 76,
        /// Taken from the shield.
        shield_damage: f32 = 80,
        /// Taken from the body.
        body_damage: f32 = 84,
        /// What multiplied the body's.
        body_damage_multiplier: f32 = 88,
        /// Of both.
        total_damage: f32 = 92,
        /// The part that was hit, -1 none.
        body_part: i16 = 96,
        /// The node that was hit, -1 none.
        node: i16 = 98,
        /// The region that was hit, -1 none.
        region: i16 = 100,
        /// The material that was hit, -1 none.
        material: i16 = 102,
        /// The killer's score after a killing blow.
        killer_score: i32 = 104,
    }

    /// What a client's player hit: an entry of kind 11 (WIRE-38).
    pub struct HitReportEntry = 108 {
        /// What was hit.
        object: i32 = 0,
        /// The damage.
        damage: Damage = 4,
        /// Where the client had what it hit.
        target_position: [f32; 3] = 72,
        /// The surface's direction, where there is one.
        object_normal: [f32; 3] = 84,
        /// The node that was hit, -1 none.
        node: i16 = 96,
        /// The region that was hit, -1 none.
        region: i16 = 98,
        /// The material that was hit, -1 none.
        material: i16 = 100,
        /// Whether there is a normal.
        has_normal: u8 = 102,
        /// Nothing.
        pad_103: Pad<1> = 103,
        /// The latest host tick that the client had had.
        host_tick: i32 = 104,
    }

    /// What an actor's unit shows: an entry of kind 73, in 16384ths; the shield first, unlike a unit state (WIRE-83).
    pub struct ActorDamageEntry = 12 {
        /// The unit.
        unit: i32 = 0,
        /// Of the shield, now.
        current_shield: u16 = 4,
        /// Of the shield, lately.
        recent_shield: u16 = 6,
        /// Of the body, now.
        current_body: u16 = 8,
        /// Of the body, lately.
        recent_body: u16 = 10,
    }

    /// A flinch or a death that the host picked: an entry of kind 75 (WIRE-41).
    pub struct DamageAnimationEntry = 8 {
        /// The unit.
        unit: i32 = 0,
        /// The animation's index in the unit's graph.
        animation: i16 = 4,
        /// 0 soft ping, 1 hard ping, 2 soft kill, 3 hard kill.
        animation_type: u8 = 6,
        /// Wraps; applied once.
        number: u8 = 7,
    }
}
