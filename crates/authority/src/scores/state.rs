//! When the game type's state is told, and to whom (AUTH-47). Knows no game type.

use mjolnir_wire::game_state::GameState;
use mjolnir_wire::{Kind, Machine, MachineSet, Outbox, Tick};

use super::host::Told;

/// Ticks between two looks at the game type's state (AUTH-47).
pub const STATE_LOOK: i32 = 6;
/// Ticks between two tellings of it at least, unless the post-game phase changed (AUTH-47).
pub const STATE_APART: i32 = 12;

/// A state that is to be told.
#[derive(Debug)]
pub(super) struct Telling {
    state: GameState,
    to: MachineSet,
    /// Those of them that are told all statistics before it.
    pub(super) with_statistics: MachineSet,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct StateTelling {
    /// What everybody was last told, and when.
    sent: Option<(Tick, GameState)>,
    /// The machines that are told.
    ready: MachineSet,
    /// Those of them that read too slowly when they would have been told.
    lacking: MachineSet,
    /// Those of the lacking that lack the end of the game, and its statistics with it.
    lacking_end: MachineSet,
    unfit: u64,
}

impl StateTelling {
    /// What is due of it.
    pub(super) fn look(
        &mut self,
        tick: Tick,
        told: Told,
        state: impl FnOnce() -> Option<GameState>,
    ) -> Option<Telling> {
        let listed = told.ready.intersection(told.loaded);
        self.ready = self.ready.union(listed).intersection(told.loaded);
        let reading = self.ready.without(told.behind);
        let caught_up = self.lacking.intersection(reading);
        let looks = tick.get() % STATE_LOOK == 0;
        let mut to = listed.union(caught_up);
        if !looks && to.is_empty() {
            return None;
        }
        // Who is ready while there is none that means something is told the next that does.
        (self.lacking, self.lacking_end) = (self.lacking.union(listed), self.lacking_end.union(listed));
        let state = state()?;
        if state.check().is_err() {
            self.unfit += 1;
            return None;
        }
        let mut with_statistics = listed.union(caught_up.intersection(self.lacking_end));
        if looks && self.is_due(tick, &state) {
            to = to.union(reading);
            self.lacking = self.lacking.union(self.ready.without(to));
            if self.is_another_phase(&state) {
                with_statistics = with_statistics.union(reading);
                self.lacking_end = self.lacking_end.union(self.ready.without(to));
            }
            self.sent = Some((tick, state.clone()));
        }
        self.lacking = self.lacking.without(to);
        self.lacking_end = self.lacking_end.without(to);
        (!to.is_empty()).then_some(Telling { state, to, with_statistics })
    }

    fn is_due(&self, tick: Tick, state: &GameState) -> bool {
        self.sent.as_ref().is_none_or(|(at, sent)| {
            let may_be = tick.since(*at) >= STATE_APART || self.is_another_phase(state);
            may_be && state != sent
        })
    }

    fn is_another_phase(&self, state: &GameState) -> bool {
        self.sent.as_ref().is_some_and(|(_, sent)| state.post_game_phase != sent.post_game_phase)
    }

    pub(super) fn forget(&mut self, machine: Machine) {
        for set in [&mut self.ready, &mut self.lacking, &mut self.lacking_end] {
            set.remove(machine);
        }
    }

    pub(super) const fn unfit(&self) -> u64 {
        self.unfit
    }
}

/// Tells it, by stream.
pub(super) fn tell(telling: &Telling, outbox: &mut Outbox) {
    // A body of any game type fits a message.
    let _ = outbox.message(telling.to, Kind::GameState, 0, |bytes| telling.state.write(bytes));
}
