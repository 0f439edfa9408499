//! What co-op's scripts do, as it travels (kinds 66, 68 to 72, 74, 76, 77; FACT wire 3.12, 3.14). Only the layouts:
//! the checks come with the crate that runs them.
//!
//! An object is named by its index and its definition's tag, both of which must agree, or where the index is none
//! by the scenario's name for it (WIRE-84).

use crate::layout::{Bits, Pad, Values, layout};
use crate::space::{PackedUnit, Vec3};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] = &[(
    "coop_presentation.flags",
    &[
        ("cinematic", 1 << 0),
        ("letterbox", 1 << 1),
        ("fading_out", 1 << 2),
        ("skippable", 1 << 3),
        ("show_hud", 1 << 4),
        ("show_help_text", 1 << 5),
        ("timer_paused", 1 << 6),
        ("timer_enabled", 1 << 7),
    ],
)];
/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[
    ("coop_device_group.role", &[("power", 0), ("position", 1)]),
    (
        "coop_event.kind",
        &[
            ("sound", 0),
            ("chapter_title", 1),
            ("hud", 2),
            ("player_effect", 3),
            ("navigation_point", 4),
            ("unit_animation", 5),
            ("scenery_animation", 6),
            ("effect", 7),
            ("attachment", 8),
            ("reverted", 9),
            ("unit_open_close", 10),
            ("surface_broken", 11),
        ],
    ),
    ("coop_event.sound", &[("impulse", 0), ("looping_start", 1), ("looping_stop", 2)]),
    (
        "coop_event.hud",
        &[("help_text", 0), ("objective", 1), ("flash_help", 2), ("clear", 3), ("checkpoint", 4)],
    ),
    ("coop_event.player_effect", &[("translation", 0), ("rotation", 1), ("start", 2), ("stop", 3)]),
    (
        "coop_event.navigation_point",
        &[("team_to_flag", 0), ("team_to_object", 1), ("unit_to_flag", 2), ("unit_to_object", 3)],
    ),
    ("coop_event.effect", &[("at_flag", 0), ("on_marker", 1)]),
    ("coop_event.attachment", &[("attach", 0), ("detach", 1)]),
];

layout! {
    /// What scripts show: the entry of kind 66 (WIRE-42, 86).
    pub struct CoopPresentationEntry = 124 {
        /// Bit 0 cinematic, 1 letterbox, 2 fading out, 3 skippable, 4 show HUD, 5 show help text, 6 timer paused,
        /// 7 timer enabled.
        flags: u8 = 0,
        /// Red, green, blue, in 255ths.
        fade_colour: [u8; 3] = 1,
        /// How long a fade takes.
        fade_ticks: i16 = 4,
        /// How long it has taken.
        fade_elapsed: i16 = 6,
        /// When it began.
        fade_start_time: i32 = 8,
        /// World units.
        camera_position: Vec3 = 12,
        /// Where it looks.
        camera_forward: PackedUnit = 24,
        /// Where its top points.
        camera_up: PackedUnit = 30,
        /// In 10000ths of a radian.
        field_of_view: u16 = 36,
        /// Machines that voted to skip.
        skip_votes: u8 = 38,
        /// Machines that may.
        skip_voters: u8 = 39,
        /// As the game has them.
        unit_hud_flags: i32 = 40,
        /// As the game has them.
        weapon_hud_flags: i32 = 44,
        /// The tick that the timer counts from, -1 none.
        timer_reference_time: i32 = 48,
        /// What it shows.
        timer_ticks: i16 = 52,
        /// When it begins to flash.
        timer_flash_cutoff: i16 = 54,
        /// Where it stands.
        timer_x: i16 = 56,
        /// Where it stands.
        timer_y: i16 = 58,
        /// The corner it is measured from.
        timer_corner: i16 = 60,
        /// Whether a script has the camera.
        camera_scripted: u8 = 62,
        /// Whether players' input is off.
        input_disabled: u8 = 63,
        /// The object the camera hangs on, -1 none.
        camera_object: i32 = 64,
        /// How it hangs there.
        camera_object_offset: [f32; 3] = 68,
        /// 0 or 1.
        scripted_camera_shake: u8 = 80,
        /// 1: what scripts set is in the two below (ours, WIRE-86).
        vitality_set: u8 = 81,
        /// 0 none.
        activating_cluster_plus_one: i16 = 82,
        /// Players' most.
        max_body: f32 = 84,
        /// Players' most.
        max_shield: f32 = 88,
        /// A bit a team: team t is bit t mod 32 of word t / 32.
        allied_teams: [u32; 4] = 92,
        /// The same.
        friendly_teams: [u32; 4] = 108,
    }

    /// A device group's value, or a device's own: an entry of kind 68 (WIRE-44).
    pub struct CoopDeviceGroupEntry = 20 {
        /// -1: a device's own.
        group: i16 = 0,
        /// The scenario's name for the device, -1 none.
        object_name: i16 = 2,
        /// The device, -1 none.
        object: i32 = 4,
        /// What it is.
        definition_tag: i32 = 8,
        /// 0 power, 1 position.
        role: u8 = 12,
        /// Nothing yet.
        flags: u8 = 13,
        /// Times it was set at once, wrapping.
        snaps: u8 = 14,
        /// Times it was set, wrapping.
        changed: u8 = 15,
        /// 0 to 1.
        value: f32 = 16,
    }

    /// Which named objects there are: the entry of kind 69 (WIRE-45).
    pub struct CoopObjectNamesEntry = 68 {
        /// The structure BSP.
        structure_bsp: i16 = 0,
        /// At most 512.
        name_count: i16 = 2,
        /// A bit a name, least significant first.
        bits: [u8; 64] = 4,
    }

    /// Whether a player votes to skip: the entry of kind 70.
    pub struct CoopSkipVoteEntry = 4 {
        /// 0 or 1.
        voted: u8 = 0,
        /// Nothing.
        pad_1: Pad<3> = 1,
    }

    /// Something that happens once: an entry of kind 71 (WIRE-43).
    pub struct CoopEventEntry = 40 {
        /// 0 sound, 1 chapter title, 2 HUD, 3 player effect, 4 navigation point, 5 unit animation, 6 scenery
        /// animation, 7 effect, 8 attachment, 9 reverted, 10 unit open or close, 11 surface broken.
        kind: u8 = 0,
        /// Of the kind's own.
        event_type: u8 = 1,
        /// From 1, wrapping; applied once.
        number: u16 = 2,
        /// Of the kind's own.
        value: i16 = 4,
        /// Of the kind's own.
        frame: i16 = 6,
        /// The scenario's name for the object, -1 none.
        object_name: i16 = 8,
        /// Whether it blends.
        interpolate: u8 = 10,
        /// Nothing.
        pad_11: Pad<1> = 11,
        /// The object, -1 none.
        object: i32 = 12,
        /// Another object, -1 none.
        target: i32 = 16,
        /// Of the kind's own.
        tag: i32 = 20,
        /// What the object is.
        object_definition_tag: i32 = 24,
        /// Of the kind's own.
        reals: [f32; 3] = 28,
    }

    /// Where a script put an object: an entry of kind 72 (WIRE-85).
    pub struct CoopObjectTransformEntry = 36 {
        /// The scenario's name for it, -1 none.
        object_name: i16 = 0,
        /// Nothing.
        pad_2: Pad<2> = 2,
        /// The object, -1 none.
        object: i32 = 4,
        /// What it is.
        definition_tag: i32 = 8,
        /// World units.
        position: Vec3 = 12,
        /// Where its front points.
        forward: PackedUnit = 24,
        /// Where its top points.
        up: PackedUnit = 30,
    }

    /// How a scripted object looks: an entry of kind 74 (WIRE-85).
    pub struct CoopObjectLookEntry = 24 {
        /// The scenario's name for it, -1 none.
        object_name: i16 = 0,
        /// Nothing.
        pad_2: Pad<2> = 2,
        /// The object, -1 none.
        object: i32 = 4,
        /// What it is.
        definition_tag: i32 = 8,
        /// Which form each region has.
        region_permutations: [u8; 8] = 12,
        /// Over 0, under 100.
        scale: f32 = 20,
    }

    /// The scripts' screen effect: the entry of kind 76 (WIRE-85).
    pub struct CoopScreenEffectEntry = 88 {
        /// 0 or 1.
        has_control: u8 = 0,
        /// 0 or 1.
        initialised: u8 = 1,
        /// 0 or 1.
        video_on: u8 = 2,
        /// 0 or 1.
        desaturation_additive: u8 = 3,
        /// 0 or 1.
        light_mask: u8 = 4,
        /// 0 or 1.
        desaturation_mask: u8 = 5,
        /// At most 8.
        extra_passes: i16 = 6,
        /// 0 to 2.
        convolution_type: i16 = 8,
        /// 0 to 2.
        overbright: i16 = 10,
        /// Red, green, blue.
        tint: [f32; 3] = 12,
        /// How much.
        noise: f32 = 24,
        /// From and to.
        convolution_radius: [f32; 2] = 28,
        /// From and to.
        convolution_time: [f32; 2] = 36,
        /// From and to.
        light: [f32; 2] = 44,
        /// From and to.
        desaturation: [f32; 2] = 52,
        /// From and to.
        filter_time: [f32; 2] = 60,
        /// What scripts gave.
        script_values: [f32; 4] = 68,
        /// World units.
        near_clip: f32 = 84,
    }

    /// A device's position and power: an entry of kind 77 (WIRE-44).
    pub struct CoopDeviceStateEntry = 20 {
        /// The scenario's name for it, -1 none.
        object_name: i16 = 0,
        /// 0 or 1.
        moving: u8 = 2,
        /// Nothing.
        pad_3: Pad<1> = 3,
        /// The device, -1 none.
        object: i32 = 4,
        /// What it is.
        definition_tag: i32 = 8,
        /// 0 to 1.
        position: f32 = 12,
        /// 0 to 1.
        power: f32 = 16,
    }
}
