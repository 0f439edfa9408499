//! What a level's scripts show on every machine, as it travels each tick (kind 66; FACT wire 3.14).
//!
//! It checks what the bytes alone can say. Whether the camera's object is there, and the level has such a cluster, is checked
//! where the level is known.

use alloc::vec::Vec;

use crate::coop::CoopPresentationEntry;
use crate::error::Error;
use crate::ids::ObjectId;
use crate::message::Message;
use crate::space::{Axes, PackedUnit, Vec3, pack_field_of_view, unpack_field_of_view};

mod flag {
    pub(super) const CINEMATIC: u8 = 1 << 0;
    pub(super) const LETTERBOX: u8 = 1 << 1;
    pub(super) const FADING_OUT: u8 = 1 << 2;
    pub(super) const SKIPPABLE: u8 = 1 << 3;
    pub(super) const SHOW_HUD: u8 = 1 << 4;
    pub(super) const SHOW_HELP_TEXT: u8 = 1 << 5;
    pub(super) const TIMER_PAUSED: u8 = 1 << 6;
    pub(super) const TIMER_ENABLED: u8 = 1 << 7;
}

/// Teams: a bit for each of 128 (WIRE-86).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamSet(pub u128);

impl TeamSet {
    /// Whether that team is one of them; one past the last is not.
    pub const fn contains(self, team: u8) -> bool {
        team < 128 && self.0 >> team & 1 == 1
    }

    /// Adds a team, 0..128; another changes nothing.
    pub const fn insert(&mut self, team: u8) {
        if team < 128 {
            self.0 |= 1 << team;
        }
    }

    fn words(self) -> [u32; 4] {
        [0, 32, 64, 96].map(|shift| (self.0 >> shift) as u32)
    }

    fn of_words(words: [u32; 4]) -> Self {
        Self(words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word)))
    }
}

/// The screen's fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fade {
    /// Red, green, blue, in 255ths.
    pub colour: [u8; 3],
    /// How many ticks it takes, 0..=32767; below 0 is 0.
    pub ticks: i16,
    /// How many it has taken; the same.
    pub elapsed: i16,
    /// The tick in which it began.
    pub start: i32,
    /// To that colour, or from it.
    pub is_out: bool,
}

/// A script's camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World units.
    pub position: Vec3,
    /// Where it looks, and where its top points.
    pub axes: Axes,
    /// Radians, above 0 and at most 6.5535.
    pub field_of_view: f32,
    /// The object that it hangs on.
    pub object: Option<ObjectId>,
    /// How it hangs there, wu.
    pub offset: Vec3,
}

/// A mission's timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timer {
    /// It stands.
    pub paused: bool,
    /// The tick that it counts from, -1 none.
    pub reference: i32,
    /// What it shows, ticks.
    pub ticks: i16,
    /// Below how many ticks it flashes.
    pub flash_cutoff: i16,
    /// Where it stands from its corner, as the game has it.
    pub place: [i16; 2],
    /// The corner, by the game's number.
    pub corner: i16,
}

/// The most that players may have, where scripts set it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vitality {
    /// Of health; finite.
    pub body: f32,
    /// Of shield; finite.
    pub shield: f32,
}

/// All of it: the entry of kind 66 (WIRE-42, 86).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Presentation {
    /// A cinematic is shown.
    pub cinematic: bool,
    /// The screen has bars.
    pub letterbox: bool,
    /// It may be skipped.
    pub skippable: bool,
    /// The HUD is shown.
    pub shows_hud: bool,
    /// Its help text is.
    pub shows_help_text: bool,
    /// Players' input is off.
    pub input_disabled: bool,
    /// A script's camera shake is on.
    pub shakes: bool,
    /// The screen's fade.
    pub fade: Fade,
    /// The camera, while a script has it.
    pub camera: Option<Camera>,
    /// Machines that voted to skip.
    pub skip_votes: u8,
    /// Machines that may.
    pub skip_voters: u8,
    /// What of a unit's HUD is shown, as the game has it.
    pub unit_hud: u32,
    /// What of a weapon's; the same.
    pub weapon_hud: u32,
    /// The timer, while it is shown.
    pub timer: Option<Timer>,
    /// Players' most, where scripts set it.
    pub vitality: Option<Vitality>,
    /// The cluster that a cutscene keeps active, 0..=32766; a larger one is written as none.
    pub cluster: Option<u16>,
    /// The players' allies.
    pub allied: TeamSet,
    /// Their friends.
    pub friendly: TeamSet,
}

impl Presentation {
    /// Checks an entry that came: every number is finite, a script's camera has a place, axes and a field of view, and its
    /// object is one or none. What is shown by no flag means nothing else.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopPresentationEntry::read(bytes)?;
        let on = |bit| raw.flags & bit != 0;
        let offset = Vec3::read_finite(raw.camera_object_offset)?;
        if !(raw.camera_position.is_finite() && raw.max_body.is_finite() && raw.max_shield.is_finite()) {
            return Err(Error::NotFinite);
        }
        let camera = match (raw.camera_scripted, raw.field_of_view) {
            (0, _) => None,
            (_, 0) => return Err(Error::OutOfRange),
            _ => Some(Camera {
                position: Vec3::read_position(raw.camera_position.to_array())?,
                axes: Axes::read(raw.camera_forward.unpack(), raw.camera_up.unpack())?,
                field_of_view: unpack_field_of_view(raw.field_of_view),
                object: ObjectId::read_or_none(raw.camera_object)?,
                offset,
            }),
        };
        let timer = on(flag::TIMER_ENABLED).then_some(Timer {
            paused: on(flag::TIMER_PAUSED),
            reference: raw.timer_reference_time,
            ticks: raw.timer_ticks,
            flash_cutoff: raw.timer_flash_cutoff,
            place: [raw.timer_x, raw.timer_y],
            corner: raw.timer_corner,
        });
        let vitality = Vitality { body: raw.max_body, shield: raw.max_shield };
        Ok(Self {
            cinematic: on(flag::CINEMATIC),
            letterbox: on(flag::LETTERBOX),
            skippable: on(flag::SKIPPABLE),
            shows_hud: on(flag::SHOW_HUD),
            shows_help_text: on(flag::SHOW_HELP_TEXT),
            input_disabled: raw.input_disabled != 0,
            shakes: raw.scripted_camera_shake != 0,
            fade: Fade {
                colour: raw.fade_colour,
                ticks: raw.fade_ticks.max(0),
                elapsed: raw.fade_elapsed.max(0),
                start: raw.fade_start_time,
                is_out: on(flag::FADING_OUT),
            },
            camera,
            skip_votes: raw.skip_votes,
            skip_voters: raw.skip_voters,
            unit_hud: raw.unit_hud_flags.cast_unsigned(),
            weapon_hud: raw.weapon_hud_flags.cast_unsigned(),
            timer,
            vitality: (raw.vitality_set != 0).then_some(vitality),
            cluster: u16::try_from(raw.activating_cluster_plus_one).ok().and_then(|plus| plus.checked_sub(1)),
            allied: TeamSet::of_words(raw.allied_teams),
            friendly: TeamSet::of_words(raw.friendly_teams),
        })
    }

    /// The entries of a kind 66 message, each taken or refused on its own: one.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry; what is not shown is zero, or none, or a camera that stands upright at nothing.
    pub fn write(&self, to: &mut Vec<u8>) {
        let bits = [
            (flag::CINEMATIC, self.cinematic),
            (flag::LETTERBOX, self.letterbox),
            (flag::FADING_OUT, self.fade.is_out),
            (flag::SKIPPABLE, self.skippable),
            (flag::SHOW_HUD, self.shows_hud),
            (flag::SHOW_HELP_TEXT, self.shows_help_text),
            (flag::TIMER_PAUSED, self.timer.is_some_and(|timer| timer.paused)),
            (flag::TIMER_ENABLED, self.timer.is_some()),
        ];
        let timer = self.timer.unwrap_or(Timer { reference: -1, ..Timer::default() });
        let camera = self.camera.unwrap_or(Camera {
            position: Vec3::ZERO,
            axes: Axes::UPRIGHT,
            field_of_view: 0.0,
            object: None,
            offset: Vec3::ZERO,
        });
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let vitality = self.vitality.unwrap_or(Vitality { body: 0.0, shield: 0.0 });
        let plus_one = self.cluster.and_then(|cluster| i16::try_from(cluster.checked_add(1)?).ok());
        let entry = CoopPresentationEntry {
            flags: bits.iter().filter(|(_, on)| *on).fold(0, |all, (bit, _)| all | bit),
            fade_colour: self.fade.colour,
            fade_ticks: self.fade.ticks.max(0),
            fade_elapsed: self.fade.elapsed.max(0),
            fade_start_time: self.fade.start,
            camera_position: camera.position,
            camera_forward: PackedUnit::pack(camera.axes.forward),
            camera_up: PackedUnit::pack(camera.axes.up),
            field_of_view: pack_field_of_view(camera.field_of_view),
            skip_votes: self.skip_votes,
            skip_voters: self.skip_voters,
            unit_hud_flags: self.unit_hud.cast_signed(),
            weapon_hud_flags: self.weapon_hud.cast_signed(),
            timer_reference_time: timer.reference,
            timer_ticks: timer.ticks,
            timer_flash_cutoff: timer.flash_cutoff,
            timer_x: timer.place[0],
            timer_y: timer.place[1],
            timer_corner: timer.corner,
            camera_scripted: u8::from(self.camera.is_some()),
            input_disabled: u8::from(self.input_disabled),
            camera_object: ObjectId::raw_or_none(camera.object),
            camera_object_offset: camera.offset.to_array().map(finite),
            scripted_camera_shake: u8::from(self.shakes),
            vitality_set: u8::from(self.vitality.is_some()),
            activating_cluster_plus_one: plus_one.unwrap_or(0),
            max_body: finite(vitality.body),
            max_shield: finite(vitality.shield),
            allied_teams: self.allied.words(),
            friendly_teams: self.friendly.words(),
        };
        entry.write(to);
    }
}
