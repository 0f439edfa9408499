//! What became of a vote that is over. Knows not who is told of it.

use mjolnir_wire::Machine;

use super::running::Running;

/// How a vote ended of which somebody is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It passed: the host drops the machine, as `kick` does (CHEAT-38). It is kept out already.
    Passed,
    /// The machine left while it ran, which is a vote passed but that nobody is to be dropped (CHEAT-38).
    Left,
    /// Its time was over first (CHEAT-37).
    Failed,
}

/// A vote that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Whom it was about: all of that machine's players (CHEAT-64).
    pub machine: Machine,
    /// Votes had.
    pub votes: usize,
    /// Votes needed.
    pub needed: usize,
    /// Minutes for which it is kept out, 1..=1440; 0 of a vote that failed.
    pub minutes: u16,
}

impl Running {
    /// As one that ended so.
    pub(super) fn outcome(&self, end: End, minutes: u16) -> Outcome {
        Outcome { end, machine: self.machine, votes: self.votes(), needed: self.needed(), minutes }
    }
}
