//! What the host's scripts show on every machine, each tick (kind 66, COOP-05). Knows no script and no screen.

use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use crate::error::Error;

/// After the host's tick: tells those machines what its scripts show now. It is told anew each tick, so that nothing of it is
/// kept. Nobody votes yet to skip what is shown: no votes are told.
pub fn tell_presentation(to: MachineSet, shown: &Presentation, outbox: &mut Outbox) {
    let to = to.without(MachineSet::HOST);
    if !to.is_empty() {
        let shown = Presentation { skip_votes: 0, skip_voters: 0, ..*shown };
        // An entry of its size fits any datagram.
        let _ = outbox.entry(to, Kind::CoopPresentation, |bytes| shown.write(bytes));
    }
}

/// A client's following of it. One is of one game.
#[derive(Debug, Default)]
pub struct PresentationClient {
    newest: Newest,
    heard: Option<Presentation>,
    stale: u64,
}

impl PresentationClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears an entry of kind 66, of a message of that stamp; one older than was heard is counted and does nothing.
    pub fn handle_presentation(&mut self, stamp: Tick, shown: &Presentation) -> Result<(), Error> {
        if self.newest.take(stamp) {
            self.heard = Some(*shown);
        } else {
            self.stale += 1;
        }
        Ok(())
    }

    /// Before a tick: the newest that was heard since the last; none where none was.
    pub const fn before_tick(&mut self) -> Option<Presentation> {
        self.heard.take()
    }

    /// Entries older than what was heard.
    pub const fn stale(&self) -> u64 {
        self.stale
    }
}
