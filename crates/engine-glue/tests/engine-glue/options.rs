//! What a game's menus offer, and what a game is loaded with.

use std::time::Duration;

use mjolnir_engine_glue::Settings;
use mjolnir_engine_glue::menu::{OPTIONS, SetBy};
use mjolnir_engine_glue::rules::{FriendlyFire, RadarPlayers, Rules, VehicleSet};
use mjolnir_engine_glue::settings::{Holds, KEYS};
use mjolnir_wire::packets::SettingsRecord;

use super::game::Call;
use super::scores::scored;
use super::table::Table;

/// GLUE-11: the five options, what each may be set to, and which of them the host alone sets; each names a setting that there
/// is, and every value that this may hold.
#[test]
fn the_menus_options_are_these_five() {
    let (host, player) = (SetBy::Host, SetBy::Player);
    let labels = |at: usize| OPTIONS[at].choices.iter().map(|choice| choice.label).collect::<Vec<_>>();
    let listed: Vec<_> = OPTIONS.iter().map(|option| (option.label, option.set_by)).collect();
    assert_eq!(
        listed,
        [
            ("PLAYER COLLISIONS", host),
            ("EXTRA ENEMIES", host),
            ("FRIENDLY FIRE", player),
            ("VOTE KICK", host),
            ("AIM ASSIST", host)
        ]
    );
    for at in [0, 2, 3] {
        assert_eq!(labels(at), ["ON", "OFF"]);
    }
    assert_eq!(labels(1), ["NONE", "PER PLAYER", "STATIC MULTIPLIER"]);
    assert_eq!(labels(4), ["ALLOWED", "BLOCK M+KB"]);
    for option in OPTIONS {
        let mut values: Vec<_> = option.choices.iter().map(|choice| choice.value).collect();
        let mut held = match KEYS[option.setting as usize].default {
            Holds::Flag(_) => vec!["true", "false"],
            Holds::Choice(_, words) => words.to_vec(),
            other => panic!("{other:?}"),
        };
        values.sort_unstable();
        held.sort_unstable();
        assert_eq!(values, held, "{}", option.label);
        let amounts = option.choices.iter().filter_map(|choice| choice.amount);
        assert!(amounts.into_iter().all(|name| matches!(KEYS[name as usize].default, Holds::Whole(..))));
    }
}

/// GLUE-11: what each is set to, by default and otherwise.
#[test]
fn an_option_says_what_it_is_set_to() {
    let chosen =
        |settings: &Settings| OPTIONS.iter().map(|of| of.chosen(settings).unwrap().label).collect::<Vec<_>>();
    assert_eq!(chosen(&Settings::default()), ["ON", "PER PLAYER", "OFF", "ON", "ALLOWED"]);
    let text = "[network]\ncoop_player_collisions = false\ncoop_enemies_mode = \"multiplier\"\n\
                coop_own_friendly_fire = true\nvotekick = false\naim_assist = false\n";
    let (settings, warnings) = Settings::parse(text).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(chosen(&settings), ["OFF", "STATIC MULTIPLIER", "ON", "OFF", "BLOCK M+KB"]);
}

/// A record whose every option is another number.
fn optioned() -> Box<SettingsRecord> {
    let mut record = scored(4);
    let options = &mut record.options;
    (options.time_limit, options.friendly_fire, options.betrayal_penalty, options.vehicle_respawn) =
        (11, 3, 12, 13);
    (options.auto_balance, options.radar_players, options.vehicle_set) = (1, 2, [0xFE, 7]);
    options.vehicle_counts = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]];
    (options.loadout, options.primary, options.secondary, options.no_map_weapons) = (14, 15, 16, 1);
    (record.variant.teams, record.variant.score_limit, record.variant.vehicle_set) = (1, 50, 9);
    record
}

/// GLUE-28, AUTH-60: each option reaches the game of each machine once, as it begins, as it came; who joins in progress gets
/// the same.
#[test]
fn each_option_reaches_each_game_once() {
    let record = optioned();
    let mut table = Table::of(record.clone(), 1);
    let a = table.seat(1);
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    let b = table.seat(1);
    table.run(1_000);
    for game in [&table.game, &table.seats[a].game, &table.seats[b].game] {
        let loads = game.calls.iter().filter(|call| matches!(call, Call::Load(_))).count();
        assert_eq!((loads, game.loaded_with.len()), (1, 1));
        let loaded = &game.loaded_with[0];
        assert_eq!((loaded.options, loaded.variant), (record.options, record.variant));
        assert_eq!(Rules::of(loaded), Rules::of(&record));
    }
}

/// GLUE-28: what a game reads of them.
#[test]
fn options_are_read_as_they_came() {
    let rules = Rules::of(&optioned());
    assert_eq!((rules.game_type, rules.teams, rules.score_limit), (4, true, Some(50)));
    assert_eq!((rules.time_limit, rules.friendly_fire), (Some(11), FriendlyFire::ExplosivesOnly));
    let seconds = Duration::from_secs;
    assert_eq!((rules.betrayal_penalty, rules.vehicle_respawn), (seconds(12), Some(seconds(13))));
    assert_eq!((rules.auto_balance, rules.radar_players), (true, RadarPlayers::Nobody));
    assert_eq!(rules.vehicle_sets, [VehicleSet::Pc, VehicleSet::Set(7)]);
    assert_eq!(rules.vehicle_counts, [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]);
    assert_eq!((rules.loadout, rules.weapons, rules.no_map_weapons), (14, [15, 16], true));
    assert_eq!(rules.variant.vehicle_set, 9);

    let mut record = optioned();
    let friendly = |number| {
        record.options.friendly_fire = number;
        Rules::of(&record).friendly_fire
    };
    let all = [0, 1, 2].map(friendly);
    assert_eq!(all, [FriendlyFire::On, FriendlyFire::Off, FriendlyFire::ShieldsOnly]);
    (record.options.time_limit, record.options.vehicle_respawn, record.options.betrayal_penalty) =
        (-1, 0, -5);
    (record.variant.game_type, record.variant.score_limit) = (6, -3);
    record.options.vehicle_set = [0xFF, 0];
    let rules = Rules::of(&record);
    assert_eq!((rules.time_limit, rules.vehicle_respawn, rules.betrayal_penalty), (None, None, seconds(0)));
    assert_eq!((rules.game_type, rules.score_limit), (0, None));
    assert_eq!(rules.vehicle_sets, [VehicleSet::Custom, VehicleSet::Set(0)]);
}
