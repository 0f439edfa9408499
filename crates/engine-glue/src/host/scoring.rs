//! Scores and pickups, from the engine's rows to the crate that tells of them; and the game after this one. Knows no game
//! type.

use mjolnir_authority::Told;
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::{MachineSet, Moment, Tick};

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

    /// The game after this one, with everybody who is there and without joining anew (GLUE-22): one that goes on ends, all go
    /// back to the lobby, hear of the map, the rules and the options of that record, and load. Its lists of machines and players
    /// are the session's; teams are given anew where the rules about them are others. The slots of those who left are free
    /// again.
    ///
    /// A game whose end is to be seen first is ended by [`Host::end`], and its scores are shown until this. False, and nothing is
    /// changed, where the record means nothing.
    pub fn begin_next(
        &mut self,
        now: Moment,
        engine: &mut impl Engine,
        record: &SettingsRecord,
        start: Tick,
    ) -> bool {
        if record.check().is_err() {
            return false;
        }
        self.to_lobby(now, engine);
        self.transport.set_game(record);
        self.begin(now, engine, start);
        true
    }
}
