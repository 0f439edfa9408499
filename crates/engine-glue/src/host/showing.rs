//! What a host shows of itself: its latency meter, and what became of each message. Knows no screen and no file.

use mjolnir_transport::trace::Traced;
use mjolnir_wire::{Machine, Slot};

use super::Host;
use crate::meter::Reading;

impl Host {
    /// Shows the latency meter from now on, or no more (GLUE-03). Nothing more is sent for it.
    pub const fn set_meter(&mut self, on: bool) {
        self.has_meter = on;
    }

    /// The meter, where it is on: each client in the game, with its round trip by the host tick that its input names
    /// (GLUE-04).
    pub fn meter(&self) -> Option<impl Iterator<Item = (Machine, Reading)>> {
        let clients = if self.has_meter { Some(self.transport.in_game()) } else { None };
        clients.map(|clients| clients.iter().map(|client| (client, Reading::of(self.clock.meter_ms(client)))))
    }

    /// A player's place in the scoreboard's latency column, where the meter is on (GLUE-09): the host measures every
    /// machine.
    pub fn latency(&self, slot: Slot) -> Option<Reading> {
        let owner = self.owners[slot.index()];
        self.has_meter.then(|| Reading::of(owner.and_then(|owner| self.clock.meter_ms(owner))))
    }

    /// Keeps what becomes of each message from now on, for [`Host::take_traced`].
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
