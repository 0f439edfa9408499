//! The campaign at the seam: what a level's scripts show and do, and the host's word on it. Knows no message.

use mjolnir_engine_glue::{Campaign, coop};
use mjolnir_wire::ObjectName;
use mjolnir_wire::events::Action;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};

use super::Game;

impl Campaign for Game {
    fn read_presentation(&self) -> Option<Presentation> {
        self.world.as_ref()?.presentation().copied()
    }

    fn take_script_actions(&mut self, actions: &mut Vec<Action>) {
        if let Some(world) = &mut self.world {
            world.take_actions(actions);
        }
    }

    fn read_object_names(&self) -> Option<ObjectNames> {
        self.world.as_ref()?.object_names()
    }

    fn read_transforms(&self, transforms: &mut Vec<Transform>) {
        if let Some(world) = &self.world {
            world.transforms(transforms);
        }
    }

    fn read_looks(&self, looks: &mut Vec<Look>) {
        if let Some(world) = &self.world {
            world.looks(looks);
        }
    }

    fn read_screen_effect(&self) -> Option<ScreenEffect> {
        self.world.as_ref()?.screen_effect()
    }

    fn has_named(&self, object: ObjectName) -> bool {
        self.world.as_ref().is_some_and(|world| world.has_named(object))
    }

    fn apply_presentation(&mut self, shown: &Presentation) {
        if let Some(world) = &mut self.world {
            world.present(shown);
        }
    }

    fn apply_script_action(&mut self, action: &Action) {
        if let Some(world) = &mut self.world {
            world.show_action(action);
        }
    }

    fn apply_object_name(&mut self, command: &coop::NameCommand) {
        let Some(world) = &mut self.world else { return };
        match *command {
            coop::NameCommand::Make { name } => world.make_named(name),
            coop::NameCommand::Delete { name } => world.delete_named(name),
        }
    }

    fn apply_transform(&mut self, transform: &Transform) {
        if let Some(world) = &mut self.world {
            world.set_transform(transform);
        }
    }

    fn apply_look(&mut self, look: &Look) {
        if let Some(world) = &mut self.world {
            world.set_look(look);
        }
    }

    fn apply_screen_effect(&mut self, effect: &ScreenEffect) {
        if let Some(world) = &mut self.world {
            world.set_screen_effect(effect);
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::coop::NameCommand;
    use mjolnir_engine_glue::engine::{Player, Players as _, Role, Session as _};
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::text::Chars;
    use mjolnir_wire::{Machine, Slot, Tick};

    use super::*;
    use crate::control::Control;
    use crate::game::{Bot, Rules};
    use crate::happenings::Kind;
    use crate::seam::{Setup, level_of};

    const ANN: Slot = match Slot::new(0) {
        Some(slot) => slot,
        None => panic!("no slot"),
    };

    /// The first level, with Ann in it.
    fn game(variant: Option<&str>, role: Role) -> Game {
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("campaign1")).unwrap();
        if let Some(variant) = variant {
            Rules::named(variant).unwrap().write(variant, &mut settings);
        }
        let controls = vec![Control::Bot(Bot::new(1))];
        let mut game = Game::new(Setup { controls, ..Setup::default() });
        game.load(&settings, role);
        let local = (role == Role::Host).then_some(0);
        game.add_player(&Player { slot: ANN, machine: Machine::HOST, team: 3, name: "Ann", local });
        game.admit_player(ANN);
        game
    }

    fn shown(game: &mut Game) -> Vec<String> {
        let all = game.happenings().take().into_iter().filter(|it| it.kind == Kind::Coop);
        all.filter_map(|it| it.text).collect()
    }

    /// COOP-55, WIRE-37: whether players of other machines are in each other's way is as the settings say, on either end.
    #[test]
    fn collisions_are_as_the_settings_say() {
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("campaign1")).unwrap();
        for (flags, passes) in [(0, false), (1, true), (0xFE, false), (0xFF, true)] {
            settings.coop_flags = flags;
            for role in [Role::Host, Role::Client] {
                let mut game = Game::new(Setup::default());
                game.load(&settings, role);
                assert_eq!(game.world().unwrap().is_pass_through(), passes, "{flags} {role:?}");
            }
        }
    }

    /// COOP-01: a level of the campaign without a game type is co-op on either end; with one it is not, and nothing of a campaign is
    /// read.
    #[test]
    fn a_level_without_a_game_type_is_played_together() {
        for role in [Role::Host, Role::Client] {
            let mut together = game(None, role);
            together.simulate(Tick::ZERO);
            assert!(together.read_presentation().is_some() && together.read_object_names().is_some());
            let mut apart = game(Some("slayer"), role);
            (0..60).for_each(|tick| apart.simulate(Tick::ZERO.plus(tick)));
            assert_eq!((apart.read_presentation(), apart.read_object_names()), (None, None));
            let mut actions = Vec::new();
            apart.take_script_actions(&mut actions);
            assert!(actions.is_empty() && shown(&mut apart).is_empty());
        }
    }

    /// COOP-05, 10, 21, 66: what is read of a host and applied to a client in each tick has the client show what the host shows, in its
    /// order; the client runs no line. Sticks say nothing to the netcode in a cutscene (COOP-61).
    #[test]
    fn a_client_shows_what_its_host_shows() {
        let (mut host, mut client) = (game(None, Role::Host), game(None, Role::Client));
        let (mut seen, mut told) = (Vec::new(), Vec::new());
        let mut stills = 0;
        for number in 0..9000 {
            let tick = Tick::ZERO.plus(number);
            let input = host.local_input(ANN, tick);
            if host.world().unwrap().is_input_disabled() {
                stills += 1;
                assert_eq!((input.throttle, input.buttons), ([0.0; 2], mjolnir_wire::Buttons::default()));
            }
            let world = host.world_mut().unwrap();
            world.drive(ANN, input);
            if number == 400 {
                // Somebody opens the gate.
                world.operate("gate", 1.0);
            }
            // Foes fall, and the player is where it should be.
            for unit in world.actors().map(|(unit, _)| unit).collect::<Vec<_>>() {
                if number % 100 == 0 && world.is_foe_of_players(unit) {
                    world.kill_actor(unit);
                }
            }
            if number % 100 == 50
                && let Some(goal) = world.goal()
            {
                world.move_to(ANN, goal);
            }
            host.simulate(tick);
            follow(&mut host, &mut client);
            client.simulate(tick);
            seen.extend(shown(&mut host));
            told.extend(shown(&mut client));
            if host.world().unwrap().is_played_out() {
                break;
            }
        }
        assert!(host.world().unwrap().is_played_out(), "{seen:?}");
        assert!(stills > 100);
        let has = |list: &[String], what: &str| list.iter().any(|text| text == what);
        for what in
            ["title landing", "checkpoint", "cinematic on", "camera on", "input on", "create wreck", "scale"]
        {
            assert!(has(&seen, what) || what == "scale", "{what}: {seen:?}");
        }
        // What names an object of the host's is not here: this client has none of those.
        let is_its_own = |text: &String| !text.contains('#');
        // Within a tick a message of each kind comes in an order of its own.
        let sorted = |list: &[String]| {
            let mut list: Vec<_> = list.iter().filter(|text| is_its_own(text)).cloned().collect();
            list.sort();
            list
        };
        let once = |list: &[String]| {
            list.iter().filter(|text| text.starts_with("title ")).cloned().collect::<Vec<_>>()
        };
        assert_eq!(once(&seen), once(&told));
        // Of two changes of one thing's looks in a tick a client has the second.
        let but_looks =
            |list: Vec<String>| list.into_iter().partition::<Vec<_>, _>(|text| !text.starts_with("look "));
        let ((seen, mut looks), told) = (but_looks(sorted(&seen)), but_looks(sorted(&told)));
        looks.dedup();
        assert_eq!((seen, looks), told);
        let (host, client) = (host.world().unwrap(), client.world().unwrap());
        assert_eq!((client.decisions().total(), host.decisions().scripts > 0), (0, true));
        for name in 0..3 {
            let place = |world: &crate::game::World| {
                world.scenery(name).map(|it| (it.position, it.regions, it.scale))
            };
            assert_eq!(place(host), place(client), "{name}");
        }
    }

    /// Has a client hear all that a host says, as the netcode does.
    fn follow(host: &mut Game, client: &mut Game) {
        let own = client.read_object_names();
        for name in 0..512 {
            let has = |names: &Option<ObjectNames>| names.as_ref().is_some_and(|names| names.contains(name));
            match (has(&host.read_object_names()), has(&own)) {
                (true, false) => client.apply_object_name(&NameCommand::Make { name }),
                (false, true) => client.apply_object_name(&NameCommand::Delete { name }),
                _ => {}
            }
        }
        client.apply_presentation(&host.read_presentation().unwrap());
        let mut actions = Vec::new();
        host.take_script_actions(&mut actions);
        actions.iter().for_each(|action| client.apply_script_action(action));
        let mut transforms = Vec::new();
        host.read_transforms(&mut transforms);
        transforms.iter().for_each(|transform| client.apply_transform(transform));
        let mut looks = Vec::new();
        host.read_looks(&mut looks);
        looks.iter().for_each(|look| client.apply_look(look));
        if let Some(effect) = host.read_screen_effect() {
            client.apply_screen_effect(&effect);
        }
    }
}
