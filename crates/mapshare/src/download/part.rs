//! One file of a download: its hashes, which of its pieces are had, which are still to be asked for. Knows no end.

use alloc::sync::Arc;
use alloc::vec::Vec;

use mjolnir_wire::mapshare::{PIECE_BYTES, pieces};
use mjolnir_wire::swarm::BLOCK_BYTES;

use super::end::Holds;
use super::set::{Counts, PieceSet, first_from};
use crate::hash::PieceHash;
use crate::order::Offered;
use crate::random::Random;

/// How far a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its hashes are not there.
    Hashes,
    /// Its part file is looked at.
    Checking,
    /// Its pieces are asked for.
    Open,
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) offered: Offered,
    pub(super) count: u32,
    pub(super) stage: Stage,
    pub(super) hashes: Option<Arc<[PieceHash]>>,
    /// A bit a piece, as it travels.
    pub(super) had: Vec<u8>,
    /// Neither had, nor asked for, nor at the disk. Empty until it is open.
    pub(super) wanted: PieceSet,
    /// How many ends have each piece, of those that have some.
    counts: Counts,
    /// Ends that have all.
    wholes: u32,
}

impl Part {
    pub(super) fn new(offered: Offered) -> Self {
        let count = pieces(offered.size);
        Self {
            offered,
            count,
            stage: Stage::Hashes,
            hashes: None,
            had: Vec::new(),
            wanted: PieceSet::none(count),
            counts: Counts::none(count),
            wholes: 0,
        }
    }

    /// Bytes of a piece of it.
    pub(super) fn length(&self, piece: u32) -> u32 {
        let rest = u64::from(self.offered.size).saturating_sub(u64::from(piece) * u64::from(PIECE_BYTES));
        rest.min(u64::from(PIECE_BYTES)) as u32
    }

    pub(super) fn has(&self, piece: u32) -> bool {
        self.had.get(piece as usize / 8).is_some_and(|byte| byte & 1 << (piece % 8) != 0)
    }

    /// The part file has those pieces: the others are wanted. Says how many pieces and bytes there are.
    pub(super) fn open(&mut self, bitmap: &[u8]) -> (u32, u64) {
        self.had = alloc::vec![0; self.count.div_ceil(8) as usize];
        let (mut pieces, mut bytes) = (0, 0);
        for piece in 0..self.count {
            let is_had = bitmap.get(piece as usize / 8).is_some_and(|byte| byte & 1 << (piece % 8) != 0);
            if is_had {
                pieces += 1;
                bytes += u64::from(self.take(piece));
            } else {
                self.wanted.insert(piece);
            }
        }
        self.stage = Stage::Open;
        (pieces, bytes)
    }

    /// A piece is had from now on. Says its bytes.
    pub(super) fn take(&mut self, piece: u32) -> u32 {
        if let Some(byte) = self.had.get_mut(piece as usize / 8) {
            *byte |= 1 << (piece % 8);
        }
        self.length(piece)
    }

    /// What an end has counts.
    pub(super) fn count(&mut self, holds: &Holds) {
        match holds {
            Holds::Unsaid => {}
            Holds::Whole => self.wholes += 1,
            Holds::Some(set) => self.counts.add(set),
        }
    }

    /// What counted does so no more.
    pub(super) fn discount(&mut self, holds: &Holds) {
        match holds {
            Holds::Unsaid => {}
            Holds::Whole => self.wholes -= 1,
            Holds::Some(set) => self.counts.remove(set),
        }
    }

    /// An end that has some has that one too.
    pub(super) fn count_one(&mut self, piece: u32) {
        self.counts.add_one(piece);
    }

    /// Of an end's wanted pieces, but for those that it is not to be asked for, the first from a random place on that fewest have; and
    /// how many have it.
    pub(super) fn rarest(
        &self,
        holds: &Holds,
        not: impl Iterator<Item = u32>,
        random: &mut Random,
        scratch: &mut Vec<u64>,
    ) -> Option<(u32, u32)> {
        if self.wanted.len() == 0 {
            return None;
        }
        scratch.clear();
        match holds {
            Holds::Unsaid => return None,
            Holds::Whole => scratch.extend_from_slice(self.wanted.words()),
            Holds::Some(set) => {
                scratch.extend(self.wanted.words().iter().zip(set.words()).map(|(one, other)| one & other));
            }
        }
        for piece in not {
            if let Some(word) = scratch.get_mut(piece as usize / 64) {
                *word &= !(1 << (piece % 64));
            }
        }
        let count = self.counts.keep_rarest(scratch)?;
        let start = random.below(self.count.into()) as u32;
        Some((self.wholes + count, first_from(start, scratch)?))
    }
}

/// Blocks of so many bytes of a piece.
pub(super) const fn blocks(bytes: u32) -> u32 {
    bytes.div_ceil(BLOCK_BYTES)
}
