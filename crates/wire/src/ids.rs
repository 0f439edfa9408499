//! The names that travel: slots, machines, objects, tags. Knows their ranges and their none values, not what
//! they name.

use crate::error::Error;
use crate::limits::{MAX_MACHINES, MAX_OBJECTS, MAX_PLAYERS};

/// A player's absolute index: its place in the host's player list, the same on every machine (0..128).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

impl Slot {
    /// The slot of that index, if it is one.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < MAX_PLAYERS { Some(Self(index)) } else { None }
    }

    /// The slot of that byte, which may not be none.
    pub const fn read(byte: u8) -> Result<Self, Error> {
        match Self::new(byte) {
            Some(slot) => Ok(slot),
            None => Err(Error::BadIndex),
        }
    }

    /// The slot of that byte; 0xFF is none (WIRE-61).
    pub const fn read_or_none(byte: u8) -> Result<Option<Self>, Error> {
        match byte {
            0xFF => Ok(None),
            _ => match Self::new(byte) {
                Some(slot) => Ok(Some(slot)),
                None => Err(Error::BadIndex),
            },
        }
    }

    /// The byte that stands for it, or for none.
    pub const fn byte_or_none(slot: Option<Self>) -> u8 {
        match slot {
            Some(slot) => slot.0,
            None => 0xFF,
        }
    }

    /// The byte that travels.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The place in a table of [`MAX_PLAYERS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every slot in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..MAX_PLAYERS as u8).map(Self)
    }
}

/// A machine's index in the game (0..128); the host is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Machine(u8);

impl Machine {
    /// The machine that decides.
    pub const HOST: Self = Self(0);

    /// The machine of that index, if it is one.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < MAX_MACHINES { Some(Self(index)) } else { None }
    }

    /// The byte that travels.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The place in a table of [`MAX_MACHINES`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every machine in order, the host first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..MAX_MACHINES as u8).map(Self)
    }
}

/// An object's full datum index: its identifier in the upper 16 bits, never 0, and its index in the lower.
/// Both together name it; an identifier that differs names another object (WIRE-61, OBJ-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// The name of those two, if both are in range.
    pub const fn new(index: u16, identifier: u16) -> Option<Self> {
        if (index as usize) < MAX_OBJECTS && identifier != 0 {
            Some(Self((identifier as u32) << 16 | index as u32))
        } else {
            None
        }
    }

    /// Reads a field that may not be none.
    pub const fn read(raw: i32) -> Result<Self, Error> {
        match Self::read_or_none(raw) {
            Ok(Some(id)) => Ok(id),
            Ok(None) => Err(Error::BadIndex),
            Err(error) => Err(error),
        }
    }

    /// Reads a field where -1 is none.
    pub const fn read_or_none(raw: i32) -> Result<Option<Self>, Error> {
        if raw == -1 {
            return Ok(None);
        }
        match Self::new(raw as u32 as u16, (raw as u32 >> 16) as u16) {
            Some(id) => Ok(Some(id)),
            None => Err(Error::BadIndex),
        }
    }

    /// The field that stands for it, or for none.
    pub const fn raw_or_none(id: Option<Self>) -> i32 {
        match id {
            Some(id) => id.raw(),
            None => -1,
        }
    }

    /// The field that travels.
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// The place in a table of [`MAX_OBJECTS`].
    pub const fn index(self) -> usize {
        (self.0 & 0xFFFF) as usize
    }

    /// The 16 bits that tell it from others that stood or will stand at its index.
    pub const fn identifier(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// A definition of the loaded map, by its 32-bit index. Both ends have the same map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

impl Tag {
    /// Reads a field that may not be none.
    pub const fn read(raw: i32) -> Result<Self, Error> {
        match raw {
            -1 => Err(Error::BadIndex),
            raw => Ok(Self(raw as u32)),
        }
    }

    /// Reads a field where -1 is none.
    pub const fn read_or_none(raw: i32) -> Option<Self> {
        match raw {
            -1 => None,
            raw => Some(Self(raw as u32)),
        }
    }

    /// The field that travels.
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WIRE-10: the last index of each kind decodes, the next is refused.
    #[test]
    fn an_index_ends_at_its_limit() {
        assert_eq!(Slot::read(127).unwrap().index(), 127);
        assert_eq!(Slot::read(128), Err(Error::BadIndex));
        assert_eq!(Slot::read(0xFF), Err(Error::BadIndex));
        assert_eq!(Machine::new(127).unwrap().get(), 127);
        assert_eq!(Machine::new(128), None);
        assert!(ObjectId::new(8191, 1).is_some());
        assert!(ObjectId::new(8192, 1).is_none());
    }

    /// WIRE-61: none is all ones, an object's identifier is never 0.
    #[test]
    fn none_is_all_ones_and_an_identifier_is_never_zero() {
        assert_eq!(Slot::read_or_none(0xFF), Ok(None));
        assert_eq!(Slot::read_or_none(200), Err(Error::BadIndex));
        assert_eq!(ObjectId::read_or_none(-1), Ok(None));
        assert_eq!(ObjectId::read(-1), Err(Error::BadIndex));
        assert_eq!(ObjectId::read(5), Err(Error::BadIndex));
        let id = ObjectId::read(0xE1A4_001E_u32 as i32).unwrap();
        assert_eq!((id.index(), id.identifier()), (30, 0xE1A4));
        assert_eq!(id.raw(), 0xE1A4_001E_u32 as i32);
        assert_eq!(Tag::read_or_none(-1), None);
        assert_eq!(Tag::read(-1), Err(Error::BadIndex));
    }
}
