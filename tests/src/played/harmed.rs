//! What became of hits and of those who died, as an engine in the lab was told of it. Knows no game.

use mjolnir_engine_glue::damage::Command;
use mjolnir_wire::Slot;
use mjolnir_wire::damage::{DamageEvent, EventKind};

/// See the file's text.
#[derive(Clone, Debug, Default)]
pub struct Harmed {
    /// Hits of its own players that its game handed over.
    pub hits: u64,
    /// Reported hits that it was to deal.
    pub dealt: u64,
    /// The host's damage that it was to replay.
    pub replayed: u64,
    /// Units that it was to let fall with nothing to show.
    pub silent: u64,
    /// Killing blows: on a host those that its game dealt, on a client those that it was to replay, in order.
    pub blows: Vec<Blow>,
}

/// A unit fell of a blow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// What was said of it.
    pub event: DamageEvent,
    /// It is a player's that is known here.
    pub is_players: bool,
}

impl Harmed {
    /// Its game dealt that.
    pub(super) fn fell(&mut self, events: &[DamageEvent]) {
        let blows = events.iter().filter(|event| event.kind == EventKind::KillingBlow);
        self.blows.extend(blows.map(|event| Blow { event: *event, is_players: event.player.is_some() }));
    }

    /// It is to do that. `plays` says who is a player of its game.
    pub(super) fn note(&mut self, command: &Command, plays: impl Fn(Slot) -> bool) {
        match command {
            Command::KillSilently { .. } => {
                self.silent += 1;
                return;
            }
            Command::Kill(event) => {
                self.blows.push(Blow { event: *event, is_players: event.player.is_some_and(plays) });
            }
            Command::Show(_) | Command::Replay(_) | Command::Break(_) => {}
        }
        self.replayed += 1;
    }
}
