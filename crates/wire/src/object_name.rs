//! How what scripts act upon is named as it travels (WIRE-84): its object, or the level's name for it. Knows no object and no
//! level: whether an object is of the tag that is named with it is checked where the level is known.

use crate::error::Error;
use crate::ids::{ObjectId, Tag};
use crate::limits::MAX_OBJECT_NAMES;

/// An object that a level's scripts act upon, or a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectName {
    /// That object, which is of that tag on both ends.
    Object(ObjectId, Tag),
    /// The level's object name of that index, 0..512; a larger one is written as none, which nobody reads.
    Named(u16),
}

impl ObjectName {
    /// Of the three fields of an entry; none of them names anything: refused.
    pub(crate) fn read(name: i16, object: i32, tag: i32) -> Result<Self, Error> {
        Self::read_or_none(name, object, tag)?.ok_or(Error::BadIndex)
    }

    /// The same where nothing may be named.
    pub(crate) fn read_or_none(name: i16, object: i32, tag: i32) -> Result<Option<Self>, Error> {
        match ObjectId::read_or_none(object)? {
            Some(object) => Ok(Some(Self::Object(object, Tag::read(tag)?))),
            None if name == -1 => Ok(None),
            None => match u16::try_from(name) {
                Ok(name) if Self::Named(name).travels() => Ok(Some(Self::Named(name))),
                _ => Err(Error::BadIndex),
            },
        }
    }

    /// Name, object and tag as they travel.
    pub(crate) fn raw(self) -> (i16, i32, i32) {
        match self {
            Self::Object(object, tag) => (-1, object.raw(), tag.raw()),
            Self::Named(name) if self.travels() => (name as i16, -1, -1),
            Self::Named(_) => (-1, -1, -1),
        }
    }

    /// Whether it is written as what it is, not as none.
    pub(crate) const fn travels(self) -> bool {
        match self {
            Self::Object(..) => true,
            Self::Named(name) => (name as usize) < MAX_OBJECT_NAMES,
        }
    }

    /// The same, where nothing may be named.
    pub(crate) fn raw_or_none(of: Option<Self>) -> (i16, i32, i32) {
        of.map_or((-1, -1, -1), Self::raw)
    }
}
