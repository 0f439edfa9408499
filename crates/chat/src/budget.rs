//! How many lines a machine may still say (CHAT-04). Knows no line.

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, Moment};

use crate::error::Error;

/// Lines that a machine may say at once (CHAT-04).
pub const LINES_AT_ONCE: usize = 5;
/// Microseconds in which it gets leave for one more (CHAT-04).
pub const LINE_PERIOD: u64 = 3 * Moment::SECOND / 2;

/// Every machine's bucket.
#[derive(Debug)]
pub(crate) struct Budget {
    /// By machine: from when on nothing is missing.
    full: [Moment; MAX_MACHINES],
}

impl Budget {
    pub(crate) const fn new() -> Self {
        Self { full: [Moment::START; MAX_MACHINES] }
    }

    /// A line of that machine is paid for, or refused.
    pub(crate) fn charge(&mut self, now: Moment, machine: Machine) -> Result<(), Error> {
        let full = &mut self.full[machine.index()];
        let after = (*full).max(now).plus(LINE_PERIOD);
        if after.since(now) > LINES_AT_ONCE as u64 * LINE_PERIOD {
            return Err(Error::TooFast);
        }
        *full = after;
        Ok(())
    }

    /// The machine has left: the next of its index owes nothing (CHAT-05).
    pub(crate) const fn forget(&mut self, machine: Machine) {
        self.full[machine.index()] = Moment::START;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// CHAT-04: whenever lines come, no more are taken than five and one for each second and a half since; and of who
        /// never says one sooner than that none is refused.
        #[test]
        fn no_more_is_taken_than_there_is_leave_for(waits in prop::collection::vec(0_u64..4_000_000, 1..80)) {
            let (mut budget, mut slow) = (Budget::new(), Budget::new());
            let (mut now, mut apart, mut taken) = (Moment::from_millis(7), Moment::from_millis(7), 0);
            for wait in waits {
                now = now.plus(wait);
                taken += u64::from(budget.charge(now, Machine::HOST).is_ok());
                prop_assert!(taken <= 5 + now.since(Moment::from_millis(7)) / LINE_PERIOD);
                apart = apart.plus(LINE_PERIOD + wait / 8);
                prop_assert_eq!(slow.charge(apart, Machine::HOST), Ok(()));
            }
        }
    }
}
