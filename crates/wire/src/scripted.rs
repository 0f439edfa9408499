//! What scripts change of a level's objects, as it travels: which named ones there are (kind 69), where they stand (72), how they
//! look (74); and the screen's effect (76). FACT wire 3.12, 3.14.
//!
//! It checks what the bytes alone can say. Whether the level has such an object, of such a tag, is checked where it is known.

use alloc::vec::Vec;

use crate::coop::{
    CoopObjectLookEntry, CoopObjectNamesEntry, CoopObjectTransformEntry, CoopScreenEffectEntry,
};
use crate::error::Error;
use crate::layout::Pad;
use crate::limits::MAX_OBJECT_NAMES;
use crate::message::Message;
use crate::object_name::ObjectName;
use crate::space::{Axes, PackedUnit, Vec3};

/// Extra passes of a screen effect at most.
const MOST_PASSES: i16 = 8;
/// The last of its convolution types, and of its overbrights.
const LAST_TYPE: i16 = 2;
/// An object's scale is below this.
const SCALE_BOUND: f32 = 100.0;

/// Which of a level's named objects there are: the entry of kind 69 (WIRE-45).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectNames {
    /// The structure BSP that they are of, 0..=32767; none where the level has none loaded, as which a larger one is written.
    pub structure_bsp: Option<u16>,
    /// How many names the level has, 0..=512.
    count: u16,
    bits: [u8; MAX_OBJECT_NAMES / 8],
}

impl ObjectNames {
    /// None of that many; more than 512 are 512.
    pub fn none(structure_bsp: Option<u16>, count: u16) -> Self {
        let count = count.min(MAX_OBJECT_NAMES as u16);
        Self { structure_bsp, count, bits: [0; MAX_OBJECT_NAMES / 8] }
    }

    /// How many names the level has.
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// Whether that name's object is there; one past the count is not.
    pub fn contains(&self, name: u16) -> bool {
        let bit = |bits: &u8| bits >> (name % 8) & 1 == 1;
        name < self.count && self.bits.get(usize::from(name / 8)).is_some_and(bit)
    }

    /// That name's object is there; of one past the count nothing changes.
    pub fn insert(&mut self, name: u16) {
        if name < self.count
            && let Some(bits) = self.bits.get_mut(usize::from(name / 8))
        {
            *bits |= 1 << (name % 8);
        }
    }

    /// Checks an entry that came: the count is at most 512, the BSP is one or none. Bits past the count mean nothing, and are
    /// not kept.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopObjectNamesEntry::read(bytes)?;
        let structure_bsp = match raw.structure_bsp {
            -1 => None,
            index => Some(u16::try_from(index).map_err(|_| Error::BadIndex)?),
        };
        let count = u16::try_from(raw.name_count).ok().filter(|count| *count <= MAX_OBJECT_NAMES as u16);
        let count = count.ok_or(Error::BadIndex)?;
        let mut bits = raw.bits;
        for (first, bits) in (0_u16..).step_by(8).zip(&mut bits) {
            let within = count.saturating_sub(first).min(8);
            *bits &= ((1_u16 << within) - 1) as u8;
        }
        Ok(Self { structure_bsp, count, bits })
    }

    /// The entries of a kind 69 message, each taken or refused on its own: one.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let raw = |index| i16::try_from(index).unwrap_or(-1);
        let entry = CoopObjectNamesEntry {
            structure_bsp: self.structure_bsp.map_or(-1, raw),
            name_count: raw(self.count),
            bits: self.bits,
        };
        entry.write(to);
    }
}

/// Where a script put an object: an entry of kind 72 (WIRE-85).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Which.
    pub object: ObjectName,
    /// World units.
    pub position: Vec3,
    /// Front and top.
    pub axes: Axes,
}

impl Transform {
    /// Checks an entry that came: it names something, a place, and axes.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopObjectTransformEntry::read(bytes)?;
        Ok(Self {
            object: ObjectName::read(raw.object_name, raw.object, raw.definition_tag)?,
            position: Vec3::read_position(raw.position.to_array())?,
            axes: Axes::read(raw.forward.unpack(), raw.up.unpack())?,
        })
    }

    /// The entries of a kind 72 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let (object_name, object, definition_tag) = self.object.raw();
        let entry = CoopObjectTransformEntry {
            object_name,
            pad_2: Pad,
            object,
            definition_tag,
            position: self.position,
            forward: PackedUnit::pack(self.axes.forward),
            up: PackedUnit::pack(self.axes.up),
        };
        entry.write(to);
    }
}

/// How a scripted object looks: an entry of kind 74 (WIRE-85).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Which.
    pub object: ObjectName,
    /// Which form each region has; 0xFF its own.
    pub regions: [u8; 8],
    /// Above 0 and below 100; 1 as it was made.
    pub scale: f32,
}

impl Look {
    /// Checks an entry that came: it names something, and a scale that is one.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopObjectLookEntry::read(bytes)?;
        if !raw.scale.is_finite() {
            return Err(Error::NotFinite);
        }
        if raw.scale <= 0.0 || raw.scale >= SCALE_BOUND {
            return Err(Error::OutOfRange);
        }
        Ok(Self {
            object: ObjectName::read(raw.object_name, raw.object, raw.definition_tag)?,
            regions: raw.region_permutations,
            scale: raw.scale,
        })
    }

    /// The entries of a kind 74 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let (object_name, object, definition_tag) = self.object.raw();
        let entry = CoopObjectLookEntry {
            object_name,
            pad_2: Pad,
            object,
            definition_tag,
            region_permutations: self.regions,
            scale: self.scale,
        };
        entry.write(to);
    }
}

/// The scripts' screen effect: the entry of kind 76 (WIRE-85), as the game has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenEffect {
    /// A script has the screen.
    pub has_control: bool,
    /// It set what it shows.
    pub initialised: bool,
    /// It looks like a video.
    pub video: bool,
    /// Its desaturation adds.
    pub desaturation_additive: bool,
    /// Its light masks.
    pub light_mask: bool,
    /// Its desaturation masks.
    pub desaturation_mask: bool,
    /// Passes beside the first, 0..=8.
    pub extra_passes: i16,
    /// 0..=2.
    pub convolution: i16,
    /// 0..=2.
    pub overbright: i16,
    /// Red, green, blue.
    pub tint: [f32; 3],
    /// How much.
    pub noise: f32,
    /// From and to.
    pub convolution_radius: [f32; 2],
    /// From and to.
    pub convolution_time: [f32; 2],
    /// From and to.
    pub light: [f32; 2],
    /// From and to.
    pub desaturation: [f32; 2],
    /// From and to.
    pub filter_time: [f32; 2],
    /// What scripts gave.
    pub script_values: [f32; 4],
    /// World units.
    pub near_clip: f32,
}

impl ScreenEffect {
    /// Checks an entry that came: the counts and types are some, and every number is finite.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopScreenEffectEntry::read(bytes)?;
        let within = |value: i16, last: i16| (0..=last).contains(&value);
        if !(within(raw.extra_passes, MOST_PASSES)
            && within(raw.convolution_type, LAST_TYPE)
            && within(raw.overbright, LAST_TYPE))
        {
            return Err(Error::OutOfRange);
        }
        let this = Self {
            has_control: raw.has_control != 0,
            initialised: raw.initialised != 0,
            video: raw.video_on != 0,
            desaturation_additive: raw.desaturation_additive != 0,
            light_mask: raw.light_mask != 0,
            desaturation_mask: raw.desaturation_mask != 0,
            extra_passes: raw.extra_passes,
            convolution: raw.convolution_type,
            overbright: raw.overbright,
            tint: raw.tint,
            noise: raw.noise,
            convolution_radius: raw.convolution_radius,
            convolution_time: raw.convolution_time,
            light: raw.light,
            desaturation: raw.desaturation,
            filter_time: raw.filter_time,
            script_values: raw.script_values,
            near_clip: raw.near_clip,
        };
        if this.is_finite() { Ok(this) } else { Err(Error::NotFinite) }
    }

    fn is_finite(&self) -> bool {
        let all: [&[f32]; 8] = [
            &self.tint,
            &[self.noise, self.near_clip],
            &self.convolution_radius,
            &self.convolution_time,
            &self.light,
            &self.desaturation,
            &self.filter_time,
            &self.script_values,
        ];
        all.iter().all(|some| some.iter().all(|number| number.is_finite()))
    }

    /// The entries of a kind 76 message, each taken or refused on its own: one.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let entry = CoopScreenEffectEntry {
            has_control: u8::from(self.has_control),
            initialised: u8::from(self.initialised),
            video_on: u8::from(self.video),
            desaturation_additive: u8::from(self.desaturation_additive),
            light_mask: u8::from(self.light_mask),
            desaturation_mask: u8::from(self.desaturation_mask),
            extra_passes: self.extra_passes,
            convolution_type: self.convolution,
            overbright: self.overbright,
            tint: self.tint,
            noise: self.noise,
            convolution_radius: self.convolution_radius,
            convolution_time: self.convolution_time,
            light: self.light,
            desaturation: self.desaturation,
            filter_time: self.filter_time,
            script_values: self.script_values,
            near_clip: self.near_clip,
        };
        entry.write(to);
    }
}
