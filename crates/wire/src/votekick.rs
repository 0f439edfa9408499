//! Votes to kick as they travel (kinds 78, 79; FACT wire 6.2).
//!
//! It checks what the bytes alone can say. Who plays in a slot, who may vote and what a vote comes to are checked where the
//! votes are counted.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ids::Slot;
use crate::layout::{Bits, Pad, layout};
use crate::message::Message;

const VOTED: u8 = 1 << 0;
const MAY_VOTE: u8 = 1 << 1;

/// Bits of the fields, for the record.
pub(crate) const BITS: &[Bits] =
    &[("votekick_status.flags", &[("you_have_voted", VOTED as u32), ("you_may_vote", MAY_VOTE as u32)])];

/// A machine's vote to kick a player (kind 78).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Votekick {
    /// Whom to kick.
    pub slot: Slot,
}

impl Votekick {
    /// Checks an entry that came: a vote is against somebody.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self { slot: Slot::read(VotekickEntry::read(bytes)?.player)? })
    }

    /// The entry of a kind 78 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(self, to: &mut Vec<u8>) {
        VotekickEntry { player: self.slot.get(), pad_1: Pad }.write(to);
    }
}

/// How a vote stands, as one machine is told of it (kind 79).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VotekickStatus {
    /// Whom it would kick; none where there is no vote, and what else it says means nothing then.
    pub slot: Option<Slot>,
    /// Votes had, 255 for more.
    pub votes: u8,
    /// Votes needed, 255 for more.
    pub needed: u8,
    /// Seconds left, rounded up.
    pub seconds_left: u8,
    /// Whether who reads it has voted.
    pub you_voted: bool,
    /// Whether its vote counts.
    pub you_may_vote: bool,
}

impl VotekickStatus {
    /// Checks an entry that came: of a player or of none. Bits that have no meaning are not read.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = VotekickStatusEntry::read(bytes)?;
        Ok(Self {
            slot: Slot::read_or_none(raw.player)?,
            votes: raw.votes,
            needed: raw.needed,
            seconds_left: raw.seconds_left,
            you_voted: raw.flags & VOTED != 0,
            you_may_vote: raw.flags & MAY_VOTE != 0,
        })
    }

    /// The entry of a kind 79 message.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Self { slot, votes, needed, seconds_left, you_voted, you_may_vote } = *self;
        let flags = if you_voted { VOTED } else { 0 } | if you_may_vote { MAY_VOTE } else { 0 };
        let player = Slot::byte_or_none(slot);
        VotekickStatusEntry { player, votes, needed, seconds_left, flags, pad_5: Pad }.write(to);
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// WIRE-48: a vote is against a slot, whatever its padding says; none and what is past the last slot are refused.
    #[test]
    fn a_vote_is_against_a_slot() {
        for index in [0, 5, 127] {
            let vote = Votekick::read(&[index, 0xFF, 0xFF, 0xFF]).unwrap();
            assert_eq!(vote.slot.get(), index);
            let mut bytes = Vec::new();
            vote.write(&mut bytes);
            assert_eq!(bytes, [index, 0, 0, 0]);
        }
        for index in [128, 254, 255] {
            assert_eq!(Votekick::read(&[index, 0, 0, 0]), Err(Error::BadIndex));
        }
        assert_eq!(Votekick::read(&[5, 0, 0]), Err(Error::Truncated));
    }

    /// WIRE-48: a status is of a slot or of none, of its flags two bits mean something, and what is written is read back.
    #[test]
    fn a_status_is_of_a_slot_or_of_none() {
        let entry = |player, flags| [player, 200, 255, 45, flags, 9, 9, 9];
        for (index, slot) in [(0, Slot::new(0)), (127, Slot::new(127)), (255, None)] {
            for (bits, you_voted, you_may_vote) in
                [(0, false, false), (1, true, false), (2, false, true), (3, true, true)]
            {
                let (votes, needed, seconds_left) = (200, 255, 45);
                let status = VotekickStatus { slot, votes, needed, seconds_left, you_voted, you_may_vote };
                for more in [0, 0b1111_1100] {
                    assert_eq!(VotekickStatus::read(&entry(index, bits | more)), Ok(status));
                }
                let mut bytes = Vec::new();
                status.write(&mut bytes);
                assert_eq!(bytes, [index, 200, 255, 45, bits, 0, 0, 0]);
            }
        }
        for index in [128, 254] {
            assert_eq!(VotekickStatus::read(&entry(index, 0)), Err(Error::BadIndex));
        }
        assert_eq!(VotekickStatus::read(&entry(5, 0)[..7]), Err(Error::Truncated));
    }
}
