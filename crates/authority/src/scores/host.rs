//! The host's end of scores: who is told what of them after a tick. Knows no engine beyond the rows it is shown.

use mjolnir_wire::game_state::GameState;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::{Kind, Machine, MachineSet, Outbox, Tick};

use super::state::{self, StateTelling};
use super::statistics::{self, StatisticsTelling};
use crate::rows::StatisticsRow;

/// The machines that a tick tells of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Those that have loaded.
    pub loaded: MachineSet,
    /// Those that are ready since this tick: they were told of all objects in it, before this (NET-69).
    pub ready: MachineSet,
    /// Those that read so slowly that what can wait does.
    pub behind: MachineSet,
}

/// The host's side of scores. One is of one game.
#[derive(Debug, Default)]
pub struct ScoresHost {
    statistics: StatisticsTelling,
    state: StateTelling,
}

impl ScoresHost {
    /// Of a game in which nothing is counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// After the engine's tick, and after what it tells of objects: writes the statistics and the state that are due.
    ///
    /// `rows` has every player of the game, those who left too, by rising slot. `state` is asked at most once, and only in a
    /// tick that tells of it: each [`STATE_LOOK`](super::STATE_LOOK) ticks, and where a machine is ready.
    ///
    /// Statistics that changed go to all who have loaded each [`STATISTICS_EACH`](super::STATISTICS_EACH) ticks and with every
    /// kill, death and suicide, and a few more in turn, unreliably (AUTH-45, 46). The state goes to all who are ready, by stream
    /// (AUTH-47). Who is ready since this tick is told all of both by stream, the statistics first (AUTH-48), and so is everybody
    /// with a state whose post-game phase is another than the last one's: so the last scores are lost to nobody (ours).
    pub fn after_tick(
        &mut self,
        tick: Tick,
        told: Told,
        rows: &[StatisticsRow],
        state: impl FnOnce() -> Option<GameState>,
        outbox: &mut Outbox,
    ) {
        let to = told.loaded.without(MachineSet::HOST);
        self.statistics.after_tick(tick, to, rows, outbox);
        let telling = self.state.look(tick, Told { loaded: to, ..told }, state);
        // A game without a state has statistics still.
        let all = telling.as_ref().map_or(told.ready.intersection(to), |telling| telling.with_statistics);
        statistics::tell_all(all, rows, outbox);
        if let Some(telling) = &telling {
            state::tell(telling, outbox);
        }
    }

    /// What a player of that machine picked up: its machine alone is told, by its stream (AUTH-43). The host's own players
    /// are the game's to show.
    pub fn tell_pickup(&self, owner: Machine, loaded: MachineSet, pickup: &Pickup, outbox: &mut Outbox) {
        let to = MachineSet::only(owner).intersection(loaded).without(MachineSet::HOST);
        if !to.is_empty() {
            // An entry of its size fits any message.
            let _ = outbox.reliable_entry(to, Kind::Pickups, |bytes| pickup.write(bytes));
        }
    }

    /// That machine is gone: whoever has its index next has had nothing.
    pub fn forget(&mut self, machine: Machine) {
        self.state.forget(machine);
    }

    /// States that the game gave and that mean nothing ([`GameState::check`]): they were not sent.
    pub const fn unfit(&self) -> u64 {
        self.state.unfit()
    }
}
