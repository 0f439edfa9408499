//! Votes to kick as they travel (kinds 78, 79; FACT wire 6.2). Only the layouts: the checks come with the crate that
//! counts them.

use crate::layout::{Bits, Pad, layout};

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] =
    &[("votekick_status.flags", &[("you_have_voted", 1 << 0), ("you_may_vote", 1 << 1)])];

layout! {
    /// A vote: the entry of kind 78 (WIRE-48).
    pub struct VotekickEntry = 4 {
        /// Whom to kick.
        player: u8 = 0,
        /// Nothing.
        pad_1: Pad<3> = 1,
    }

    /// How a vote stands: the entry of kind 79 (WIRE-48).
    pub struct VotekickStatusEntry = 8 {
        /// Whom it would kick, 0xFF no vote.
        player: u8 = 0,
        /// Votes had.
        votes: u8 = 1,
        /// Votes needed.
        needed: u8 = 2,
        /// Seconds left.
        seconds_left: u8 = 3,
        /// Bit 0 you have voted, 1 you may vote.
        flags: u8 = 4,
        /// Nothing.
        pad_5: Pad<3> = 5,
    }
}
