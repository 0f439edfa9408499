//! Scores, the game type and what is picked up at the seam: the host's read, a client's taken from the host's word. Knows no message.

use mjolnir_engine_glue::authority::{Announcement, StatisticsRow};
use mjolnir_engine_glue::engine::Scoring;
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::pickups::Pickup;

use super::Game;
use crate::announced;

impl Scoring for Game {
    fn read_statistics(&self, rows: &mut Vec<StatisticsRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(
            world.players().map(|(slot, player)| StatisticsRow { slot, statistics: player.statistics }),
        );
    }

    fn read_game_state(&self) -> Option<GameState> {
        self.world.as_ref()?.game_state()
    }

    fn apply_statistics(&mut self, row: &StatisticsRow) {
        if let Some(world) = &mut self.world {
            world.set_statistics(row.slot, row.statistics);
        }
    }

    fn apply_game_state(&mut self, state: &GameState) {
        if let Some(world) = &mut self.world {
            world.set_game_state(state);
        }
    }

    fn take_pickups(&mut self, pickups: &mut Vec<Pickup>) {
        self.pickups.take(pickups);
    }

    fn show_pickup(&mut self, pickup: &Pickup) {
        self.show(pickup);
    }

    fn announce(&mut self, announcement: Announcement) {
        let text = announced::text(announcement, self.world.as_ref());
        self.happenings.announce(&text);
        self.pickups.log(text);
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::engine::{Player, Role, Session as _};
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::text::Chars;
    use mjolnir_wire::{Machine, Slot, Tick, Vec3};

    use super::*;
    use crate::game::{GameType, Rules};
    use crate::happenings::Kind;
    use crate::seam::{Setup, level_of};

    const ANN: Slot = match Slot::new(0) {
        Some(slot) => slot,
        None => panic!("no slot"),
    };

    /// A game of that variant with Ann in it.
    fn game(variant: &str, role: Role) -> Game {
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("two_bases")).unwrap();
        Rules::named(variant).unwrap().write(variant, &mut settings);
        let mut game = Game::new(Setup::default());
        game.load(&settings, role);
        game.add_player(&Player { slot: ANN, machine: Machine::HOST, team: 0, name: "Ann", local: None });
        game.admit_player(ANN);
        game.simulate(Tick::ZERO);
        game
    }

    fn told(game: &mut Game) -> Vec<String> {
        let announced = game.happenings.take().into_iter().filter(|it| it.kind == Kind::Announce);
        announced.filter_map(|it| it.text).collect()
    }

    /// AUTH-51: what a host read is what its client has once it was told, and both say the same of it; a game of another
    /// type, and co-op, take nothing of it.
    #[test]
    fn a_client_has_what_its_host_read() {
        let (mut host, mut client) = (game("ctf", Role::Host), game("ctf", Role::Client));
        assert!(host.world_mut().unwrap().move_to(ANN, Vec3::new(32.0, 0.0, 0.0)));
        host.simulate(Tick::ZERO.next());
        let (mut rows, mut had) = (Vec::new(), Vec::new());
        host.read_statistics(&mut rows);
        let state = host.read_game_state().unwrap();
        assert_eq!((rows[0].slot, rows[0].statistics.by_game_type), (ANN, [1, 0, 0]));
        assert_ne!(client.read_game_state(), Some(state.clone()));
        client.apply_statistics(&rows[0]);
        client.apply_game_state(&state);
        client.announce(Announcement::FlagGrabbed { team: 0, by: Some(ANN) });
        client.read_statistics(&mut had);
        assert_eq!((client.read_game_state(), had), (Some(state.clone()), rows));
        assert_eq!(told(&mut client), ["Ann took a flag for team 0"]);
        assert_eq!(told(&mut host), ["Ann took a flag for team 0"]);
        let mut other = game("race", Role::Client);
        other.apply_game_state(&state);
        assert_eq!(other.world().unwrap().rules().map(|rules| rules.of), Some(GameType::Race));
        assert_ne!(other.read_game_state(), Some(state));
        let mut coop = Game::new(Setup::default());
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("flat")).unwrap();
        coop.load(&settings, Role::Host);
        assert_eq!(coop.read_game_state(), None);
    }
}
