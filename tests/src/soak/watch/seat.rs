//! One machine as the watch saw it last: its ticks, its counts, what its engine was told. Knows no other machine.

use mjolnir_engine_glue::{client, objects};
use mjolnir_wire::Tick;
use mjolnir_wire::limits::MAX_PLAYERS;

use super::super::Found;
use super::{Invariant, SETTLES};
use crate::seat::{End, Seat};

/// See the file's text.
#[derive(Debug)]
pub(super) struct Seen {
    /// The tick that its engine simulated last, in this game.
    tick: Option<Tick>,
    /// What it had counted.
    sent: u64,
    received: u64,
    /// Who was told of in this game: joined, and left.
    joined: [bool; MAX_PLAYERS],
    left: [bool; MAX_PLAYERS],
    /// Where it stood, of a client.
    stage: Option<client::Stage>,
    /// It was let in.
    pub(super) is_in: bool,
    /// Since when it plays.
    plays_since: Option<u64>,
    /// It has played for long enough to be right.
    pub(super) has_settled: bool,
    /// Its streams may be cut.
    pub(super) may_be_lost: bool,
}

impl Seen {
    pub(super) const fn new(may_be_lost: bool) -> Self {
        Self {
            tick: None,
            sent: 0,
            received: 0,
            joined: [false; MAX_PLAYERS],
            left: [false; MAX_PLAYERS],
            stage: None,
            is_in: false,
            plays_since: None,
            has_settled: false,
            may_be_lost,
        }
    }

    /// A game begins there.
    pub(super) fn game_begins(&mut self) {
        self.tick = None;
        self.joined = [false; MAX_PLAYERS];
        self.left = [false; MAX_PLAYERS];
        (self.plays_since, self.has_settled) = (None, false);
    }

    /// Its ticks rise, its counts too, and its engine is told of everything once.
    pub(super) fn look<N: End>(&mut self, seat: &mut Seat<N>) -> Found<()> {
        for view in &seat.recording.views {
            let world = seat.engine.game.world().map(|world| world.tick());
            let simulated = if seat.ticked == Some(view.tick) { world } else { None }.unwrap_or(view.tick);
            if let Some(last) = self.tick.replace(simulated).filter(|last| simulated <= *last) {
                let what = format!("simulated {} after {}", simulated.get(), last.get());
                return Err((Invariant::Clock, what));
            }
        }
        if seat.ticked.is_some() {
            let counters = seat.net.counters();
            if counters.sent < self.sent || counters.received < self.received {
                return Err((Invariant::Clock, String::from("counts less than before")));
            }
            (self.sent, self.received) = (counters.sent, counters.received);
        }
        let notes = &mut seat.engine.notes;
        for (slot, name) in notes.joined.drain(..) {
            if std::mem::replace(&mut self.joined[slot.index()], true) {
                let what = format!("was told twice that {name} joined at {}", slot.get());
                return Err((Invariant::Reliable, what));
            }
        }
        for (slot, _) in notes.left.drain(..) {
            if !self.joined[slot.index()] || std::mem::replace(&mut self.left[slot.index()], true) {
                return Err((Invariant::Reliable, format!("was told twice that {} left", slot.get())));
            }
        }
        for (command, stood) in notes.objects.drain(..) {
            if stood != matches!(command, objects::Command::Delete(_)) {
                return Err((Invariant::Reliable, format!("was told what is so already: {command:?}")));
            }
        }
        notes.animations.clear();
        notes.broken.clear();
        notes.own_moves.clear();
        notes.own_vehicle_moves.clear();
        seat.notices.clear();
        Ok(())
    }

    /// Where a client stands, before what its engine was told is looked at. Whether another game begins there.
    pub(super) fn follow(&mut self, now: u64, stage: client::Stage) -> bool {
        let before = self.stage.replace(stage);
        match stage {
            client::Stage::Joining | client::Stage::Closed => {}
            client::Stage::Playing => {
                self.is_in = true;
                self.plays_since.get_or_insert(now);
                self.settles(now);
            }
            client::Stage::Lobby | client::Stage::Over => self.is_in = true,
            client::Stage::Loading => {
                self.is_in = true;
                if before != Some(stage) {
                    self.game_begins();
                    return true;
                }
            }
        }
        false
    }

    /// Asks whether it has played for long enough.
    pub(super) fn settles(&mut self, now: u64) {
        self.has_settled = self.plays_since.is_some_and(|since| now >= since + SETTLES);
    }
}
