//! A player as the lobby lists it, in 32 bytes: big-endian in packets, little-endian in the settings (WIRE-91,
//! FACT wire 4.2). Knows no unit and no rule.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Reader};
use super::text::Wide;
use crate::error::Error;
use crate::ids::{Machine, Slot};
use crate::layout::{Plain, layout};

/// A player's name: 11 characters and a NUL.
pub type Name = Wide<12>;

layout! {
    /// A player of the game's list.
    pub struct NetworkPlayer = 32 {
        /// Its name.
        name: Name = 0,
        /// Its armour's colour.
        colour: i16 = 24,
        /// Its icon in lists.
        icon: i16 = 26,
        /// Its machine's index; -1 is none.
        machine: i8 = 28,
        /// Which of its machine's players it is, 0..4.
        controller: i8 = 29,
        /// Its team.
        team: i8 = 30,
        /// Its place in the host's list; -1 is none yet.
        slot: i8 = 31,
    }
}

impl NetworkPlayer {
    /// A place in the list that holds nobody.
    pub const NONE: Self =
        Self { name: Name::EMPTY, colour: 0, icon: 0, machine: -1, controller: -1, team: -1, slot: -1 };

    /// Its machine, if it is one.
    pub fn machine(&self) -> Option<Machine> {
        u8::try_from(self.machine).ok().and_then(Machine::new)
    }

    /// Its slot, if it has one.
    pub fn slot(&self) -> Option<Slot> {
        u8::try_from(self.slot).ok().and_then(Slot::new)
    }
}

impl<'a> Field<'a> for NetworkPlayer {
    const SIZE: usize = 32;

    fn type_name() -> String {
        <Self as Plain>::type_name()
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self {
            name: Field::read(from)?,
            colour: Field::read(from)?,
            icon: Field::read(from)?,
            machine: Field::read(from)?,
            controller: Field::read(from)?,
            team: Field::read(from)?,
            slot: Field::read(from)?,
        })
    }

    fn write(&self, to: &mut Vec<u8>) {
        Field::write(&self.name, to);
        Field::write(&self.colour, to);
        Field::write(&self.icon, to);
        for byte in [self.machine, self.controller, self.team, self.slot] {
            Field::write(&byte, to);
        }
    }
}
