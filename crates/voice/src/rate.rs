//! How many frames of a machine are taken, and who talks (VOICE-09, 10). Knows no packet.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, Moment};

use crate::error::Error;

/// Frames that a machine may send at once (VOICE-09).
pub const RATE_BURST: u64 = 10;
/// Microseconds in which it may send one more: 50 a second (VOICE-09).
pub const RATE_MICROS: u64 = Moment::SECOND / 50;
/// Machines that talk at a time (VOICE-10).
pub const MOST_TALKING: usize = 8;
/// Microseconds for which one that talked keeps its place (VOICE-10).
pub const TALKING_MICROS: u64 = 500_000;

/// What a machine may still send, in microseconds of waiting for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    credit: u64,
    at: Moment,
}

impl Bucket {
    pub(crate) const fn full(now: Moment) -> Self {
        Self { credit: RATE_BURST * RATE_MICROS, at: now }
    }

    /// What is left once a frame of now was paid for; none if it cannot be.
    pub(crate) fn paid(self, now: Moment) -> Option<Self> {
        let credit = (self.credit + now.since(self.at)).min(RATE_BURST * RATE_MICROS);
        let credit = credit.checked_sub(RATE_MICROS)?;
        Some(Self { credit, at: self.at.max(now) })
    }
}

/// When each machine's last frame was taken.
#[derive(Debug)]
pub(crate) struct Talking(Vec<Option<Moment>>);

impl Talking {
    pub(crate) fn new() -> Self {
        Self(alloc::vec![None; MAX_MACHINES])
    }

    /// Whether that machine talks, or has a place to.
    pub(crate) fn has_place(&self, now: Moment, machine: Machine) -> Result<(), Error> {
        let talks = |at: &Option<Moment>| at.is_some_and(|at| now.since(at) < TALKING_MICROS);
        let has_place =
            talks(&self.0[machine.index()]) || self.0.iter().filter(|at| talks(at)).count() < MOST_TALKING;
        if has_place { Ok(()) } else { Err(Error::TooManyTalk) }
    }

    pub(crate) fn talked(&mut self, now: Moment, machine: Machine) {
        self.0[machine.index()] = Some(now);
    }

    pub(crate) fn forget(&mut self, machine: Machine) {
        self.0[machine.index()] = None;
    }
}
