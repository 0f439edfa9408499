//! What the host let a player pick up (kind 13, FACT wire 3.12). Knows who and what, not what is shown of it.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::{Slot, Tag};
use crate::layout::{Values, layout};
use crate::message::Message;

/// What kind of thing was picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickupKind {
    /// A weapon.
    Weapon,
    /// Rounds for a weapon that is carried.
    Ammunition,
    /// Grenades.
    Grenade,
    /// Equipment.
    Equipment,
    /// A powerup.
    Powerup,
}

/// What the host let a player pick up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pickup {
    /// Who.
    pub slot: Slot,
    /// What kind of thing.
    pub kind: PickupKind,
    /// How many: rounds, grenades; 1 of what is not counted.
    pub count: i16,
    /// What it is.
    pub tag: Tag,
}

impl PickupKind {
    /// Every kind, by the number that travels.
    pub const ALL: [Self; 5] =
        [Self::Weapon, Self::Ammunition, Self::Grenade, Self::Equipment, Self::Powerup];
}

impl Pickup {
    /// Checks an entry that came: a player, a kind of thing, a definition. Any count is taken.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = PickupEntry::read(bytes)?;
        Ok(Self {
            slot: Slot::read(raw.player)?,
            kind: *PickupKind::ALL.get(usize::from(raw.kind)).ok_or(Error::BadFlag)?,
            count: raw.count,
            tag: Tag::read(raw.tag)?,
        })
    }

    /// The entries of a kind 13 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Self { slot, kind, count, tag } = *self;
        PickupEntry { player: slot.get(), kind: kind as u8, count, tag: tag.raw() }.write(to);
    }
}

/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] =
    &[("pickup.kind", &[("weapon", 0), ("ammunition", 1), ("grenade", 2), ("equipment", 3), ("powerup", 4)])];

layout! {
    /// An entry of kind 13.
    pub struct PickupEntry = 8 {
        /// Who picked it up.
        player: u8 = 0,
        /// 0 weapon, 1 ammunition, 2 grenade, 3 equipment, 4 powerup.
        kind: u8 = 1,
        /// How many.
        count: i16 = 2,
        /// What it is.
        tag: i32 = 4,
    }
}
