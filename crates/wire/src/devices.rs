//! Devices as they travel: what their groups are set to (kind 68) and where each one is (kind 77); FACT wire 3.14.
//!
//! It checks what the bytes alone can say. Whether there is such a group or device, and whether an object is of the
//! tag that is named with it, is checked where the level is known.

use alloc::vec::Vec;

use crate::coop::{CoopDeviceGroupEntry, CoopDeviceStateEntry};
use crate::error::Error;
use crate::layout::Pad;
use crate::message::Message;
use crate::object_name::ObjectName;

const POWER: u8 = 0;
const POSITION: u8 = 1;

/// What a value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// How much power it has.
    Power,
    /// Where it is.
    Position,
}

/// What is set: a group, or a device by itself (COOP-67).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    /// The group of that index, 0..=32767; a larger one is written as none.
    Group(u16),
    /// A device's own power or position.
    Own(ObjectName, Role),
}

/// An entry of kind 68: what a group, or a device by itself, is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceGroup {
    /// Which.
    pub of: Setting,
    /// 0 to 1.
    pub value: f32,
    /// Times it was set at once, wrapping.
    pub snaps: u8,
    /// Times it was set, wrapping.
    pub changed: u8,
}

impl DeviceGroup {
    /// Checks an entry that came (WIRE-44): the role is one, the value a number, pinned to 0..1. Flags mean nothing, nor
    /// does what names a device beside a group.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopDeviceGroupEntry::read(bytes)?;
        let role = match raw.role {
            POWER => Role::Power,
            POSITION => Role::Position,
            _ => return Err(Error::BadFlag),
        };
        let of = match raw.group {
            -1 => Setting::Own(ObjectName::read(raw.object_name, raw.object, raw.definition_tag)?, role),
            group => Setting::Group(u16::try_from(group).map_err(|_| Error::BadIndex)?),
        };
        Ok(Self { of, value: part(raw.value)?, snaps: raw.snaps, changed: raw.changed })
    }

    /// The entries of a kind 68 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry, its flags 0 (COOP-67).
    pub fn write(&self, to: &mut Vec<u8>) {
        let (group, (object_name, object, definition_tag), role) = match self.of {
            Setting::Group(group) => (i16::try_from(group).unwrap_or(-1), (-1, -1, -1), POSITION),
            Setting::Own(device, Role::Power) => (-1, device.raw(), POWER),
            Setting::Own(device, Role::Position) => (-1, device.raw(), POSITION),
        };
        let entry = CoopDeviceGroupEntry {
            group,
            object_name,
            object,
            definition_tag,
            role,
            flags: 0,
            snaps: self.snaps,
            changed: self.changed,
            value: pinned(self.value),
        };
        entry.write(to);
    }
}

/// An entry of kind 77: where a device is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceState {
    /// Which.
    pub device: ObjectName,
    /// It moves.
    pub moving: bool,
    /// How far it is along its travel, 0 to 1.
    pub position: f32,
    /// Its power, 0 to 1.
    pub power: f32,
}

impl DeviceState {
    /// Checks an entry that came (WIRE-44, 63): both numbers are some, pinned to 0..1.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopDeviceStateEntry::read(bytes)?;
        let moving = match raw.moving {
            0 => false,
            1 => true,
            _ => return Err(Error::BadFlag),
        };
        let device = ObjectName::read(raw.object_name, raw.object, raw.definition_tag)?;
        Ok(Self { device, moving, position: part(raw.position)?, power: part(raw.power)? })
    }

    /// The entries of a kind 77 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let (object_name, object, definition_tag) = self.device.raw();
        let entry = CoopDeviceStateEntry {
            object_name,
            moving: u8::from(self.moving),
            pad_3: Pad,
            object,
            definition_tag,
            position: pinned(self.position),
            power: pinned(self.power),
        };
        entry.write(to);
    }
}

/// A part of a whole that came.
fn part(value: f32) -> Result<f32, Error> {
    if value.is_finite() { Ok(pinned(value)) } else { Err(Error::NotFinite) }
}

/// As it may travel; what is not a number is 0, and so is -0.
fn pinned(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ObjectId, Tag};

    fn object() -> ObjectName {
        ObjectName::Object(ObjectId::new(77, 5).unwrap(), Tag(0xE1AA_0001))
    }

    fn group(change: impl FnOnce(&mut CoopDeviceGroupEntry)) -> Result<DeviceGroup, Error> {
        let mut bytes = Vec::new();
        DeviceGroup { of: Setting::Group(3), value: 0.5, snaps: 1, changed: 255 }.write(&mut bytes);
        let mut raw = CoopDeviceGroupEntry::read(&bytes).unwrap();
        change(&mut raw);
        bytes.clear();
        raw.write(&mut bytes);
        DeviceGroup::read(&bytes)
    }

    fn state(change: impl FnOnce(&mut CoopDeviceStateEntry)) -> Result<DeviceState, Error> {
        let mut bytes = Vec::new();
        DeviceState { device: object(), moving: true, position: 0.5, power: 1.0 }.write(&mut bytes);
        let mut raw = CoopDeviceStateEntry::read(&bytes).unwrap();
        change(&mut raw);
        bytes.clear();
        raw.write(&mut bytes);
        DeviceState::read(&bytes)
    }

    /// WIRE-44, 84: 20 bytes each, of a device by its name or by its index and tag, and what is written comes back to the bit.
    #[test]
    fn a_device_comes_back_to_the_bit() {
        for of in [
            Setting::Group(0),
            Setting::Group(32767),
            Setting::Own(object(), Role::Power),
            Setting::Own(ObjectName::Named(511), Role::Position),
        ] {
            let group = DeviceGroup { of, value: 0.631, snaps: 7, changed: 200 };
            let mut bytes = Vec::new();
            group.write(&mut bytes);
            assert_eq!((bytes.len(), DeviceGroup::read(&bytes)), (20, Ok(group)));
        }
        for device in [object(), ObjectName::Named(0), ObjectName::Named(511)] {
            for moving in [false, true] {
                let state = DeviceState { device, moving, position: 0.631, power: 1.0 };
                let mut bytes = Vec::new();
                state.write(&mut bytes);
                assert_eq!((bytes.len(), DeviceState::read(&bytes)), (20, Ok(state)));
            }
        }
    }

    /// WIRE-44, 63, COOP-67: both ends of what a group's entry may say; its flags are not read.
    #[test]
    fn a_group_is_checked_field_by_field() {
        let value = |value| group(|raw| raw.value = value).map(|group| group.value);
        assert_eq!([value(1.5), value(-0.5), value(1.0), value(0.0)], [Ok(1.0), Ok(0.0), Ok(1.0), Ok(0.0)]);
        assert_eq!([value(f32::NAN), value(f32::INFINITY)], [Err(Error::NotFinite); 2]);
        assert_eq!(group(|raw| raw.role = 2), Err(Error::BadFlag));
        assert_eq!(group(|raw| raw.group = -2), Err(Error::BadIndex));
        assert_eq!(group(|raw| raw.flags = 0xFF), group(|_| {}));
        assert_eq!(group(|raw| raw.group = -1), Err(Error::BadIndex), "a device without a name");
        let named = |name| group(|raw| (raw.group, raw.object_name) = (-1, name)).map(|group| group.of);
        assert_eq!(named(511), Ok(Setting::Own(ObjectName::Named(511), Role::Position)));
        assert_eq!(named(512), Err(Error::BadIndex));
    }

    /// WIRE-44, 63: both ends of what a state's entry may say.
    #[test]
    fn a_state_is_checked_field_by_field() {
        assert_eq!(state(|raw| raw.moving = 2), Err(Error::BadFlag));
        assert_eq!(state(|raw| raw.object = 0x0000_0001), Err(Error::BadIndex), "an identifier is never 0");
        assert_eq!(state(|raw| raw.definition_tag = -1), Err(Error::BadIndex));
        assert_eq!(state(|raw| raw.object = -1), Err(Error::BadIndex));
        assert_eq!(state(|raw| raw.position = f32::NAN), Err(Error::NotFinite));
        assert_eq!(state(|raw| raw.power = f32::NEG_INFINITY), Err(Error::NotFinite));
        let pinned = state(|raw| (raw.position, raw.power) = (1.01, -1.0)).unwrap();
        assert_eq!((pinned.position, pinned.power), (1.0, 0.0));
    }
}
