//! What fair play asks of a machine's game: what a developer's console has set in it, and who its user is. Knows no rule of who
//! may set what.

use mjolnir_anticheat::aim::Aiming;
use mjolnir_anticheat::rules::Values;
use mjolnir_anticheat::{Asker, Record};
use mjolnir_engine_glue::Conduct;
use mjolnir_wire::Slot;
use mjolnir_wire::identity::Identity;

use super::Game;
use crate::discord::Discord;
use crate::lists::Lists;
use crate::tinkering::Tinkering;

impl Game {
    /// What a developer's console has set.
    pub const fn tinkering(&self) -> &Tinkering {
        &self.tinkering
    }

    /// The same, to be set.
    pub const fn tinkering_mut(&mut self) -> &mut Tinkering {
        &mut self.tinkering
    }

    /// Who is signed in to Discord.
    pub const fn discord(&self) -> &Discord {
        &self.discord
    }

    /// Somebody else is, or nobody.
    pub fn set_discord(&mut self, discord: Discord) {
        self.discord = discord;
    }

    /// This machine's own players have the cheats that are on, before a tick, where it decides.
    pub(super) fn give_cheats(&mut self) {
        let cheats = self.tinkering.cheats();
        let Some(world) = &mut self.world else { return };
        for slot in Slot::all().filter(|slot| self.locals[slot.index()].is_some()) {
            world.set_cheats(slot, cheats);
        }
    }
}

impl Game {
    /// The files that say who is banned here, in place of a list that goes with this game.
    pub fn set_lists(&mut self, lists: Lists) {
        self.lists = lists;
    }

    /// Who is banned here, and who cheated.
    pub const fn lists(&mut self) -> &mut Lists {
        &mut self.lists
    }

    /// What aimed last at the first local player's controls.
    pub const fn set_aiming(&mut self, aiming: Aiming) {
        self.aiming = aiming;
    }

    /// Whether its mouse has no magnetism, whatever its player prefers.
    pub const fn is_mouse_blocked(&self) -> bool {
        self.is_mouse_blocked
    }
}

impl Conduct for Game {
    fn ask_bans(&mut self, asker: &Asker) -> Option<bool> {
        self.lists.ask(asker)
    }

    fn take_ban_answers(&mut self, answers: &mut Vec<(u32, bool)>) {
        self.lists.take_answers(answers);
    }

    fn record(&mut self, record: &Record) {
        self.lists.record(record);
    }

    fn values(&self) -> Values {
        self.tinkering.values
    }

    fn apply_values(&mut self, values: &Values) {
        self.tinkering.values = *values;
    }

    fn discord(&self) -> Identity {
        let (id, name) = self.discord.user().unwrap_or_default();
        Identity::new(id, name)
    }

    fn aiming(&self) -> Aiming {
        self.aiming
    }

    fn block_mouse(&mut self, is_blocked: bool) {
        self.is_mouse_blocked = is_blocked;
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::engine::{Player, Role, Session as _};
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::settings::LevelName;
    use mjolnir_wire::{Machine, Tick};

    use super::*;
    use crate::game::Cheats;
    use crate::seam::{Setup, level_of};

    /// A hosted game's own players have the cheats, from the tick after on and no longer than they are on; another machine's have
    /// none. A client's game gives nobody any.
    #[test]
    fn cheats_are_the_hosts_own_players() {
        for (role, due) in [(Role::Host, Cheats::GOD), (Role::Client, Cheats::default())] {
            let mut game = Game::new(Setup::default());
            let mut record = SettingsRecord::empty();
            record.map = LevelName::new(&level_of("flat")).unwrap();
            game.load(&record, role);
            for (index, machine) in [(0, Machine::HOST), (1, Machine::new(1).unwrap())] {
                let own = if role == Role::Host { 0 } else { 1 };
                let local = (index == own).then_some(0);
                let slot = Slot::new(index).unwrap();
                game.add_player(&Player { slot, name: "P", machine, team: 0, local });
                game.admit_player(slot);
            }
            let cheats = |game: &Game| -> Vec<_> {
                game.world().unwrap().players().map(|(_, player)| player.cheats).collect()
            };
            game.tinkering_mut().values.cheats = Cheats::GOD.bits();
            game.simulate(Tick::new(1).unwrap());
            assert_eq!(cheats(&game), [due, Cheats::default()], "{role:?}");
            game.tinkering_mut().values.cheats = 0;
            game.simulate(Tick::new(2).unwrap());
            assert_eq!(cheats(&game), [Cheats::default(); 2]);
        }
    }
}
