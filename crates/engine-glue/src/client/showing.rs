//! What a client shows of itself: its latency meter, and what became of each message. Knows no screen and no file.

use mjolnir_transport::trace::Traced;
use mjolnir_wire::{Moment, Slot};

use super::{Client, Stage};
use crate::meter::Reading;

impl Client {
    /// Shows the latency meter from now on, or no more (GLUE-03). Nothing more is sent for it.
    pub const fn set_meter(&mut self, on: bool) {
        self.has_meter = on;
    }

    /// The meter, where it is on: this machine's round trip, by the tick of its own that the host's state of its
    /// player names; or that there is a problem (GLUE-05, 07, NET-76).
    pub fn meter(&self, now: Moment) -> Option<Reading> {
        self.has_meter.then(|| {
            if self.has_problem(now) { Reading::Problem } else { Reading::of(self.clock.meter_ms()) }
        })
    }

    /// A player's place in the scoreboard's latency column, where the meter is on (GLUE-09): what this machine
    /// measures of its own players, what the host says of the others.
    pub fn latency(&self, slot: Slot) -> Option<Reading> {
        self.has_meter.then(|| {
            Reading::of(if self.own.slots().contains(&slot) {
                self.clock.meter_ms()
            } else {
                self.authority.ping(slot).map(u32::from)
            })
        })
    }

    /// Whether in play the host, or its datagrams, are not heard, or the host says that this machine's are not.
    pub fn has_problem(&self, now: Moment) -> bool {
        let is_told = self.is_one_path || self.is_unheard;
        self.stage == Stage::Playing && (is_told || self.clock.has_problem(now))
    }

    /// Keeps what becomes of each message from now on, for [`Client::take_traced`].
    pub fn begin_trace(&mut self) {
        self.transport.begin_trace();
        self.refused.begin_trace();
    }

    /// Moves what became of the messages since the last time to the end of `into`.
    pub fn take_traced(&mut self, into: &mut Vec<Traced>) {
        self.transport.take_traced(into);
        self.refused.take_traced(into);
    }
}
