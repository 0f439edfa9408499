//! Whether every client has of scores what its host had within the quiet time. Knows no game type.

use mjolnir_engine_glue::authority::StatisticsRow;
use mjolnir_engine_glue::engine::Scoring as _;
use mjolnir_wire::Slot;
use mjolnir_wire::game_state::GameState;

use super::super::Found;
use super::Invariant;
use crate::lab::Lab;
use crate::played::Played;

/// What the host had since it is quiet, each once in a row.
#[derive(Debug, Default)]
pub(super) struct Scores {
    statistics: Vec<Vec<StatisticsRow>>,
    states: Vec<Option<GameState>>,
}

impl Scores {
    /// Nothing is kept between two quiet times.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// After a tick of the host's.
    pub(super) fn follow(&mut self, host: &Played) {
        let rows = statistics(host);
        if self.statistics.last() != Some(&rows) {
            self.statistics.push(rows);
        }
        let state = host.read_game_state();
        if self.states.last() != Some(&state) {
            self.states.push(state);
        }
    }

    /// A word is lost at most a few times in a row: whatever a client has the host had since it is quiet, of each player
    /// that is there and of the game.
    pub(super) fn judge(&self, lab: &Lab, counts: impl Fn(usize) -> bool) -> Found<()> {
        let Some(world) = lab.host.engine.game.world() else { return Ok(()) };
        let there = |slot: Slot| world.player(slot).is_some_and(|player| !player.left);
        let of = |rows: &[StatisticsRow], slot: Slot| rows.iter().find(|row| row.slot == slot).copied();
        for (place, seat) in lab.clients.iter().enumerate().filter(|(place, _)| counts(*place)) {
            let rows = statistics(&seat.engine);
            for slot in Slot::all().filter(|slot| there(*slot)) {
                let had = of(&rows, slot);
                if !self.statistics.iter().any(|rows| of(rows, slot) == had) {
                    let has = self.statistics.last().and_then(|rows| of(rows, slot));
                    let what = format!("client {place} has {had:?} of player {}, not {has:?}", slot.get());
                    return Err((Invariant::Agreement, what));
                }
            }
            let state = seat.engine.read_game_state();
            if !self.states.contains(&state) {
                let what = format!("client {place} has {state:?}, not {:?}", self.states.last());
                return Err((Invariant::Agreement, what));
            }
        }
        Ok(())
    }
}

fn statistics(engine: &Played) -> Vec<StatisticsRow> {
    let mut rows = Vec::new();
    engine.read_statistics(&mut rows);
    rows
}
