//! What the host let a player pick up (kind 13, FACT wire 3.12). Only the layout: the checks come with the crate
//! that hands things out.

use crate::ids::{Slot, Tag};
use crate::layout::{Values, layout};

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
