//! When the host tells of what scripts and devices changed: as it changes, a few ticks more, and in rounds; and whom anew.
//! Knows nothing of what is told.

use mjolnir_wire::{MachineSet, Tick};

/// Ticks in which a machine that is new is told of everything that changed (ours): a datagram of it may be lost.
const NEWCOMER_TICKS: usize = 3;

/// How often something is told again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rhythm {
    /// Ticks after that of a change in which it is told again.
    pub(crate) again: usize,
    /// Ticks from a change to the next telling, and from there to each next one.
    pub(crate) round: u32,
}

/// When something is told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Telling {
    /// It changed since the level began.
    has_changed: bool,
    /// Ticks in which it is told again.
    left: usize,
    /// When it changed last, or was told in its round.
    since: Tick,
}

impl Telling {
    /// Who is told in that tick.
    pub(crate) fn whom(
        &mut self,
        tick: Tick,
        changes: bool,
        rhythm: Rhythm,
        audience: Audience,
    ) -> MachineSet {
        if self.is_due(tick, changes, rhythm) {
            audience.all
        } else if self.has_changed {
            audience.new
        } else {
            MachineSet::NONE
        }
    }

    fn is_due(&mut self, tick: Tick, changes: bool, rhythm: Rhythm) -> bool {
        if changes {
            *self = Self { has_changed: true, left: rhythm.again, since: tick };
            return true;
        }
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        let is_due = self.has_changed && tick.since(self.since) >= rhythm.round as i32;
        if is_due {
            self.since = tick;
        }
        is_due
    }
}

/// The machines that are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Audience {
    /// Of what changes.
    pub(crate) all: MachineSet,
    /// Of everything that changed since the level began: those of them that are new.
    pub(crate) new: MachineSet,
}

/// Which of the machines that are told are new among them.
#[derive(Debug, Default)]
pub(crate) struct Newcomers {
    told: MachineSet,
    /// Those that are new, by the ticks since.
    new: [MachineSet; NEWCOMER_TICKS],
}

impl Newcomers {
    pub(crate) const fn new() -> Self {
        Self { told: MachineSet::NONE, new: [MachineSet::NONE; NEWCOMER_TICKS] }
    }

    /// Of those that are told in this tick, the host aside (COOP-59).
    pub(crate) fn of(&mut self, to: MachineSet) -> Audience {
        let all = to.without(MachineSet::HOST);
        self.new.rotate_right(1);
        self.new[0] = all.without(self.told);
        self.told = all;
        let new = self.new.iter().fold(MachineSet::NONE, |new, some| new.union(*some));
        Audience { all, new: new.intersection(all) }
    }
}
