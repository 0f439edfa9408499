//! Scores and pickups, from the engine's rows to the crate that tells of them. Knows no game type.

use mjolnir_authority::Told;
use mjolnir_wire::{MachineSet, Tick};

use super::{Host, Scratch};
use crate::engine::Engine;

impl Host {
    /// Tells of statistics, of the game type's state and of what was picked up. `ready` are the machines that were told of all
    /// objects in this tick: of these they are told all (NET-69).
    pub(super) fn tell_scores(&mut self, tick: Tick, ready: MachineSet, engine: &mut impl Engine) {
        let Scratch { statistics, pickups, .. } = &mut self.scratch;
        statistics.clear();
        engine.read_statistics(statistics);
        let told = Told { loaded: self.loaded, ready, behind: self.transport.behind() };
        self.scores.after_tick(tick, told, statistics, || engine.read_game_state(), &mut self.outbox);
        pickups.clear();
        engine.take_pickups(pickups);
        for pickup in pickups.iter() {
            if let Some(owner) = self.owners[pickup.slot.index()] {
                self.scores.tell_pickup(owner, self.loaded, pickup, &mut self.outbox);
            }
        }
    }
}
