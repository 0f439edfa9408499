//! What an entry of co-op's means beside its fields, as its reader has it: how its object is named, what an event does, which names
//! and teams a set of bits has. Knows no byte.

use std::marker::PhantomData;

use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::events::CoopEvent;
use mjolnir_wire::layout::Plain;
use mjolnir_wire::presentation::{Presentation, TeamSet};
use mjolnir_wire::scripted::{Look, ObjectNames, Transform};
use mjolnir_wire::shown::Fields;
use mjolnir_wire::{Error, Message, ObjectName};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What was read of an entry.
pub(crate) trait Meant: Sized {
    /// Its reader.
    fn read(bytes: &[u8]) -> Result<Self, Error>;
    /// Adds what it means.
    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error>;
}

/// The entries of a message, each with its fields and what they mean, or why a receiver refuses it.
pub(crate) struct MeantEntries<'a, T, R> {
    message: &'a Message<'a>,
    of: PhantomData<(T, R)>,
}

impl<'a, T, R> MeantEntries<'a, T, R> {
    pub(crate) const fn of(message: &'a Message<'a>) -> Self {
        Self { message, of: PhantomData }
    }
}

impl<T: Plain + Fields, R: Meant> Serialize for MeantEntries<'_, T, R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            self.message.entries().map(|entry| MeantEntry { fields: T::get(entry), read: R::read(entry) }),
        )
    }
}

struct MeantEntry<T, R> {
    fields: T,
    read: Result<R, Error>,
}

impl<T: Fields, R: Meant> Serialize for MeantEntry<T, R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.fields.fields(&mut map)?;
        match &self.read {
            Ok(read) => read.meant(&mut map)?,
            Err(error) => map.serialize_entry("refused", error.reason())?,
        }
        map.end()
    }
}

/// By what a receiver looks for an object: its index and tag, or the level's name for it.
fn named_by<M: SerializeMap>(object: ObjectName, to: &mut M) -> Result<(), M::Error> {
    let by = match object {
        ObjectName::Object(..) => "object",
        ObjectName::Named(_) => "level",
    };
    to.serialize_entry("named_by", by)
}

fn teams(of: TeamSet) -> Vec<u8> {
    (0..128).filter(|team| of.contains(*team)).collect()
}

impl Meant for DeviceGroup {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        match self.of {
            Setting::Group(_) => to.serialize_entry("named_by", "group"),
            Setting::Own(device, _) => named_by(device, to),
        }
    }
}

impl Meant for DeviceState {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        named_by(self.device, to)
    }
}

impl Meant for Transform {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        named_by(self.object, to)
    }
}

impl Meant for Look {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        named_by(self.object, to)
    }
}

impl Meant for CoopEvent {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    /// Of one that does nothing null.
    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        to.serialize_entry("action", &self.action.map(|action| action.name()))?;
        self.action.and_then(|action| action.object()).map_or(Ok(()), |object| named_by(object, to))
    }
}

impl Meant for ObjectNames {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        let present: Vec<u16> = (0..self.count()).filter(|name| self.contains(*name)).collect();
        to.serialize_entry("present", &present)
    }
}

impl Meant for Presentation {
    fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn meant<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        to.serialize_entry("cluster", &self.cluster)?;
        to.serialize_entry("allied", &teams(self.allied))?;
        to.serialize_entry("friendly", &teams(self.friendly))
    }
}
