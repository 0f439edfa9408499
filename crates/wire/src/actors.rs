//! The control that the host's actors give their units (kind 64, FACT wire 3.13), and what those show of their shields and
//! bodies (73, FACT wire 3.12).
//!
//! It checks what the bytes alone can say. Whether there is such a unit, and what its animations are, is checked where the
//! game is known.

mod layouts;

use alloc::vec::Vec;

use crate::damage::ActorDamageEntry;
use crate::error::Error;
use crate::ids::{ObjectId, Tag};
use crate::layout::Pad;
use crate::message::Message;
use crate::space::{
    Axes, PackedUnit, PackedVelocity, Vec3, pack_angle, pack_share, pack_throttle, pack_vitality,
    unpack_pitch, unpack_share, unpack_throttle, unpack_vitality, unpack_yaw,
};
use crate::units::{Ride, ShieldFlags};

pub use layouts::ActorStateEntry;
pub(crate) use layouts::{BITS, VALUES};

mod flag {
    pub(super) const RIDES: u8 = 1 << 0;
    pub(super) const SHIELD_DEPLETED: u8 = 1 << 1;
    pub(super) const SHIELD_CHARGING: u8 = 1 << 2;
    pub(super) const SHIELD_OVER_CHARGING: u8 = 1 << 3;
    pub(super) const CAMOUFLAGED: u8 = 1 << 4;
    pub(super) const SUPER_CAMOUFLAGED: u8 = 1 << 5;
    pub(super) const IMPULSE_ALIGNED: u8 = 1 << 6;
    pub(super) const RUNNING_BLINDLY: u8 = 1 << 7;
}

/// Animation states that there are.
const ANIMATION_STATES: u8 = 7;
/// Speeds of aiming that there are.
const AIMING_SPEEDS: u8 = 2;
/// Buttons that an actor holds: the bits below.
const CONTROL_BITS: u16 = 1 << 15;
/// What travels where there is no impulse, and no team.
const NONE: u8 = 0xFF;

/// Something that an actor has its unit do once, told in every entry until the next: it is done as its number changes (OBJ-49).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// Which, 0..=15: 14 strikes, 15 leaps; another is written as none.
    pub kind: Option<u8>,
    /// Which of all of the unit's, wrapping.
    pub number: u8,
    /// The direction that the unit turns to for it, a yaw in radians.
    pub alignment: Option<f32>,
}

/// Something that an actor says, told so too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// The sound.
    pub sound: Option<Tag>,
    /// Which of all that it says, wrapping.
    pub number: u8,
}

/// An animation of its own that a script or an actor has a unit play, told so too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserAnimation {
    /// The animation graph.
    pub graph: Option<Tag>,
    /// The animation there, as the game has it.
    pub animation: i16,
    /// Which of all that it plays, wrapping.
    pub number: u8,
    /// Whether it is blended into.
    pub interpolate: bool,
}

/// A direction: yaw, 0 to a turn, and pitch, half a turn down to half a turn up; radians.
pub type Angles = [f32; 2];

/// An entry of kind 64: what an actor has its unit do, and where and how that is (WIRE-40, 82).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActorState {
    /// The unit.
    pub unit: ObjectId,
    /// What it rides.
    pub ride: Option<Ride>,
    /// What its shield is doing.
    pub shield_flags: ShieldFlags,
    /// It is camouflaged.
    pub camouflaged: bool,
    /// It is so by nature.
    pub super_camouflaged: bool,
    /// How far it has vanished, 0 to 1.
    pub camouflage: f32,
    /// It runs without looking where; the direction, a yaw in radians.
    pub runs_blindly: Option<f32>,
    /// See [`Impulse`].
    pub impulse: Impulse,
    /// How it holds itself, 0..7, by the game's number; another is written as 0.
    pub animation_state: u8,
    /// How fast it aims, 0 or 1; another is written as 0.
    pub aiming_speed: u8,
    /// Its trigger, 0 to 1.
    pub trigger: f32,
    /// Its buttons, 15 bits, by the game's numbers.
    pub control: u16,
    /// Forward, to the left, up; -1 to 1.
    pub throttle: [f32; 3],
    /// Its team.
    pub team: Option<u8>,
    /// Where it faces.
    pub facing: Angles,
    /// Where it aims.
    pub aiming: Angles,
    /// Where it looks.
    pub looking: Angles,
    /// Its health, 0 to almost 4.
    pub body: f32,
    /// Its shield; the same.
    pub shield: f32,
    /// See [`Speech`].
    pub speech: Speech,
    /// See [`UserAnimation`].
    pub user_animation: UserAnimation,
    /// World units.
    pub position: Vec3,
    /// World units a tick.
    pub velocity: Vec3,
    /// Front and top.
    pub axes: Axes,
}

impl ActorState {
    /// Of a unit that stands there and does nothing.
    pub fn still(unit: ObjectId, position: Vec3) -> Self {
        Self {
            unit,
            ride: None,
            shield_flags: ShieldFlags::default(),
            camouflaged: false,
            super_camouflaged: false,
            camouflage: 0.0,
            runs_blindly: None,
            impulse: Impulse { kind: None, number: 0, alignment: None },
            animation_state: 0,
            aiming_speed: 0,
            trigger: 0.0,
            control: 0,
            throttle: [0.0; 3],
            team: None,
            facing: [0.0; 2],
            aiming: [0.0; 2],
            looking: [0.0; 2],
            body: 1.0,
            shield: 0.0,
            speech: Speech::default(),
            user_animation: UserAnimation::default(),
            position,
            velocity: Vec3::ZERO,
            axes: Axes::UPRIGHT,
        }
    }

    /// Checks an entry that came (WIRE-82).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ActorStateEntry::read(bytes)?;
        let on = |bit| raw.flags & bit != 0;
        let vehicle = ObjectId::read_or_none(raw.vehicle)?;
        if vehicle.is_some() && !on(flag::RIDES) {
            return Err(Error::BadIndex);
        }
        let kind = match raw.impulse {
            NONE => None,
            kind @ 0..=15 => Some(kind),
            _ => return Err(Error::OutOfRange),
        };
        if raw.animation_state >= ANIMATION_STATES
            || raw.aiming_speed >= AIMING_SPEEDS
            || raw.control_flags >= CONTROL_BITS
        {
            return Err(Error::OutOfRange);
        }
        Ok(Self {
            unit: ObjectId::read(raw.unit)?,
            ride: on(flag::RIDES).then_some(Ride { vehicle, seat: raw.seat }),
            shield_flags: ShieldFlags {
                depleted: on(flag::SHIELD_DEPLETED),
                charging: on(flag::SHIELD_CHARGING),
                over_charging: on(flag::SHIELD_OVER_CHARGING),
            },
            camouflaged: on(flag::CAMOUFLAGED),
            super_camouflaged: on(flag::SUPER_CAMOUFLAGED),
            camouflage: unpack_share(raw.camouflage),
            runs_blindly: on(flag::RUNNING_BLINDLY).then(|| yaw(raw.blind_run_angle)),
            impulse: Impulse {
                kind,
                number: raw.impulse_number,
                alignment: on(flag::IMPULSE_ALIGNED).then(|| yaw(raw.impulse_alignment)),
            },
            animation_state: raw.animation_state,
            aiming_speed: raw.aiming_speed,
            trigger: unpack_share(raw.primary_trigger),
            control: raw.control_flags,
            throttle: raw.throttle.map(unpack_throttle),
            team: (raw.team != NONE).then_some(raw.team),
            facing: angles(raw.facing),
            aiming: angles(raw.aiming),
            looking: angles(raw.looking),
            body: unpack_vitality(raw.body_vitality),
            shield: unpack_vitality(raw.shield_vitality),
            speech: Speech { sound: Tag::read_or_none(raw.speech_sound_tag), number: raw.speech_number },
            user_animation: UserAnimation {
                graph: Tag::read_or_none(raw.user_animation_graph_tag),
                animation: raw.user_animation,
                number: raw.user_animation_number,
                interpolate: raw.user_animation_interpolate != 0,
            },
            position: Vec3::read_position(raw.position.to_array())?,
            velocity: raw.velocity.unpack(),
            axes: Axes::read(raw.forward.unpack(), raw.up.unpack())?,
        })
    }

    /// The entries of a kind 64 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let bits = [
            (flag::RIDES, self.ride.is_some()),
            (flag::SHIELD_DEPLETED, self.shield_flags.depleted),
            (flag::SHIELD_CHARGING, self.shield_flags.charging),
            (flag::SHIELD_OVER_CHARGING, self.shield_flags.over_charging),
            (flag::CAMOUFLAGED, self.camouflaged),
            (flag::SUPER_CAMOUFLAGED, self.super_camouflaged),
            (flag::IMPULSE_ALIGNED, self.impulse.alignment.is_some()),
            (flag::RUNNING_BLINDLY, self.runs_blindly.is_some()),
        ];
        let below = |value: u8, bound: u8| if value < bound { value } else { 0 };
        let entry = ActorStateEntry {
            unit: self.unit.raw(),
            vehicle: ObjectId::raw_or_none(self.ride.and_then(|ride| ride.vehicle)),
            seat: self.ride.map_or(0, |ride| ride.seat),
            flags: bits.iter().filter(|(_, on)| *on).fold(0, |all, (bit, _)| all | bit),
            impulse_number: self.impulse.number,
            impulse: self.impulse.kind.filter(|kind| *kind <= 15).unwrap_or(NONE),
            animation_state: below(self.animation_state, ANIMATION_STATES),
            aiming_speed: below(self.aiming_speed, AIMING_SPEEDS),
            primary_trigger: pack_share(self.trigger),
            control_flags: self.control & (CONTROL_BITS - 1),
            throttle: self.throttle.map(pack_throttle),
            camouflage: pack_share(self.camouflage),
            speech_number: self.speech.number,
            team: self.team.unwrap_or(NONE),
            facing: raw_angles(self.facing),
            aiming: raw_angles(self.aiming),
            looking: raw_angles(self.looking),
            impulse_alignment: raw_angle(self.impulse.alignment.unwrap_or(0.0)),
            blind_run_angle: raw_angle(self.runs_blindly.unwrap_or(0.0)),
            body_vitality: pack_vitality(self.body),
            shield_vitality: pack_vitality(self.shield),
            speech_sound_tag: self.speech.sound.map_or(-1, Tag::raw),
            user_animation_graph_tag: self.user_animation.graph.map_or(-1, Tag::raw),
            user_animation: self.user_animation.animation,
            user_animation_number: self.user_animation.number,
            user_animation_interpolate: u8::from(self.user_animation.interpolate),
            position: self.position,
            velocity: PackedVelocity::pack(self.velocity),
            forward: PackedUnit::pack(self.axes.forward),
            up: PackedUnit::pack(self.axes.up),
            pad_86: Pad,
        };
        entry.write(to);
    }
}

/// An entry of kind 73: what a unit of an actor's shows of its shield and its body, each 0 to almost 4 (FACT wire 3.12).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActorDamage {
    /// The unit.
    pub unit: ObjectId,
    /// The shield that it shows.
    pub shield: f32,
    /// What of it was lost of late.
    pub recent_shield: f32,
    /// The body that it shows.
    pub body: f32,
    /// What of it was lost of late.
    pub recent_body: f32,
}

impl ActorDamage {
    /// Checks an entry that came: its unit is one.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = ActorDamageEntry::read(bytes)?;
        Ok(Self {
            unit: ObjectId::read(raw.unit)?,
            shield: unpack_vitality(raw.current_shield),
            recent_shield: unpack_vitality(raw.recent_shield),
            body: unpack_vitality(raw.current_body),
            recent_body: unpack_vitality(raw.recent_body),
        })
    }

    /// The entries of a kind 73 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let entry = ActorDamageEntry {
            unit: self.unit.raw(),
            current_shield: pack_vitality(self.shield),
            recent_shield: pack_vitality(self.recent_shield),
            current_body: pack_vitality(self.body),
            recent_body: pack_vitality(self.recent_body),
        };
        entry.write(to);
    }
}

fn yaw(raw: i16) -> f32 {
    unpack_yaw(raw as u16)
}

fn angles([yaw, pitch]: [i16; 2]) -> Angles {
    [unpack_yaw(yaw as u16), unpack_pitch(pitch as u16)]
}

fn raw_angle(angle: f32) -> i16 {
    pack_angle(if angle.is_finite() { angle } else { 0.0 }) as i16
}

fn raw_angles(of: Angles) -> [i16; 2] {
    of.map(raw_angle)
}
