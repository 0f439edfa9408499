//! What the host let a player pick up (kind 13, FACT wire 3.12). Only the layout: the checks come with the crate
//! that hands things out.

use crate::layout::{Values, layout};

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
