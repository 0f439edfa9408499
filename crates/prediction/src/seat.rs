//! When an own player's seat is the host's: once it has ridden otherwise for longer than a round trip (PRED-29). Knows
//! no vehicle.

use mjolnir_wire::Tick;
use mjolnir_wire::units::Ride;

/// Where an own player sits beside where the host has it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seat {
    /// Where the host has it, if it said so of this unit.
    said: Option<Option<Ride>>,
    /// The tick since which it has ridden otherwise.
    since: Option<Tick>,
}

impl Seat {
    /// The host says that it sits there.
    pub(crate) fn hear(&mut self, ride: Option<Ride>) {
        self.said = Some(ride);
    }

    /// It sits there, in that tick.
    pub(crate) fn watch(&mut self, tick: Tick, sits: Option<Ride>) {
        if self.said.is_some_and(|said| said != sits) {
            self.since.get_or_insert(tick);
        } else {
            self.since = None;
        }
    }

    /// The host has it there too.
    pub(crate) fn agrees(&self, sits: Option<Ride>) -> bool {
        self.said == Some(sits)
    }

    /// It has ridden otherwise for longer than so many ticks: a round trip, and what an input may be late.
    pub(crate) fn is_overdue(&self, tick: Tick, patience: u32) -> bool {
        self.since.is_some_and(|since| i64::from(tick.since(since)) > i64::from(patience))
    }

    /// It was put where the host has it. If it rides otherwise still, it has for a tick.
    pub(crate) fn was_put(&mut self) {
        self.since = None;
    }
}
