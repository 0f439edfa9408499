//! One game after another with the same machines.

use mjolnir_engine_glue::engine::Role;
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::packets::SettingsRecord;

use super::game::Call;
use super::table::{Table, slot, tick};

/// NET-53: after the scores and the lobby the same machines play again: from the new game's tick, with the slots of those
/// who left free, and with what was counted before still counted.
#[test]
fn a_second_game_begins_as_the_first() {
    let mut table = Table::new(1);
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(1_000);
    table.begin(5_000);
    table.run(3_000);
    table.seats[a].client.leave();
    table.run(3_000);
    let Table { host, game, .. } = &mut table;
    host.end(game);
    table.run(2_000);
    assert_eq!((table.host.stage(), table.seats[b].client.stage()), (host::Stage::Over, client::Stage::Over));
    assert_eq!([&table.game, &table.seats[b].game].map(|game| game.count(&Call::End)), [1, 1]);
    let ticks = table.game.ticks().len();
    let Table { host, game, now, .. } = &mut table;
    host.to_lobby(*now, game);
    table.run(2_000);
    assert_eq!(table.seats[b].client.stage(), client::Stage::Lobby);
    assert!(table.seats[b].client.take_notices().contains(&client::Notice::Lobby));
    assert_eq!(table.game.ticks().len(), ticks, "no tick between two games");
    let counted = table.host.counters();
    let c = table.seat(1);
    table.run(1_000);

    table.game.calls.clear();
    table.seats[b].game.calls.clear();
    table.begin(70);
    table.run(3_000);
    let machine = |slot: u8, machine: u8, local| Call::Add { slot, machine, local, team: slot };
    assert_eq!(
        table.seats[b].game.turns()[..4],
        [Call::Load(Role::Client), machine(0, 0, None), machine(1, 1, None), machine(2, 2, Some(0))]
    );
    assert_eq!(table.seats[c].client.own_slots(), [slot(1)], "the slot of the one who left");
    assert_eq!(table.game.ticks().first(), Some(&71));
    assert!((72..=73).contains(&table.seats[b].game.ticks()[0]), "what the host says is followed");
    let at = table.host.now_tick();
    assert!(at > tick(150) && at < tick(170), "{at:?}");
    for index in 0..3 {
        for game in [&table.game, &table.seats[b].game, &table.seats[c].game] {
            assert!(game.place(index).unwrap().x > 5.0, "{index}");
        }
    }
    let now = table.host.counters();
    assert!(now.taken > counted.taken && counted.taken > 0);
    assert!(now.refused.iter().all(|(reason, count)| counted.refused.get(reason) <= Some(count)));
}

/// NET-53: straight to the lobby, from play and while loading: each game is ended once, and the next begins.
#[test]
fn a_game_may_end_in_the_lobby() {
    for loads in [false, true] {
        let mut table = Table::new(1);
        let a = table.seat(1);
        table.run(1_000);
        table.game.loaded = !loads;
        table.begin(0);
        table.run(1_000);
        let Table { host, game, now, .. } = &mut table;
        host.to_lobby(*now, game);
        host.to_lobby(*now, game);
        table.run(1_000);
        assert_eq!(table.seats[a].client.stage(), client::Stage::Lobby);
        assert_eq!([&table.game, &table.seats[a].game].map(|game| game.count(&Call::End)), [1, 1]);
        table.game.loaded = true;
        table.begin(0);
        table.run(1_000);
        assert_eq!(table.seats[a].client.stage(), client::Stage::Playing);
        assert!(table.seats[a].game.place(1).is_some());
    }
}

/// NET-79: the end, the lobby and the next begin in one frame of a client that was busy leave nothing of the old game.
#[test]
fn a_client_that_slept_begins_anew() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.begin(9_000);
    table.run(1_000);
    let mut sleeper = table.seats.swap_remove(a);
    table.run(500);
    let Table { host, game, now, .. } = &mut table;
    host.end(game);
    host.to_lobby(*now, game);
    table.begin(0);
    sleeper.game.calls.clear();
    table.run(100);
    table.seats.push(sleeper);
    table.run(2_000);
    let game = &table.seats[a].game;
    assert_eq!(game.turns()[..2], [Call::End, Call::Load(Role::Client)]);
    assert!(game.ticks()[0] <= 3, "{:?}", game.ticks()[0]);
    assert!(game.place(1).is_some());
}

/// Nothing begins twice, and what has not begun does not end.
#[test]
fn out_of_turn_nothing_happens() {
    let mut table = Table::new(0);
    let Table { host, game, .. } = &mut table;
    host.end(game);
    assert_eq!(table.host.stage(), host::Stage::Lobby);
    table.begin(10);
    table.begin(20);
    table.run(100);
    table.begin(30);
    assert_eq!(table.game.turns(), [Call::Load(Role::Host)]);
    assert_eq!(table.game.ticks()[0], 11);
}

/// GLUE-22: after the scores the host begins a round of another variant: everybody loads by it, nobody joins anew; a
/// record that means nothing changes nothing.
#[test]
fn the_next_round_is_played_by_other_rules() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    let mut record = Box::new(*table.host.transport().record());
    (record.variant.game_type, record.variant.teams, record.variant.score_limit) = (2, 1, 25);
    let Table { host, game, .. } = &mut table;
    host.end(game);
    table.run(1_000);
    table.game.calls.clear();
    table.seats[a].game.calls.clear();
    let bad = Box::new(SettingsRecord { machine_count: -1, ..*record });
    let Table { host, game, now, .. } = &mut table;
    assert!(!host.begin_next(*now, game, &bad, tick(40)));
    assert_eq!(host.stage(), host::Stage::Over);
    assert!(host.begin_next(*now, game, &record, tick(40)));
    table.run(2_000);
    let variant = table.seats[a].client.transport().record().unwrap().variant;
    assert_eq!((variant.game_type, variant.teams, variant.score_limit), (2, 1, 25));
    assert_eq!(table.seats[a].game.count(&Call::Load(Role::Client)), 1);
    assert_eq!(table.seats[a].client.stage(), client::Stage::Playing);
    let joined = |notice: &host::Notice| matches!(notice, host::Notice::Joined { .. });
    assert_eq!(table.host.take_notices().iter().filter(|notice| joined(notice)).count(), 1);
    let machine = |slot: u8, machine: u8, local, team| Call::Add { slot, machine, local, team };
    let teams = [machine(0, 0, None, 0), machine(1, 1, Some(0), 1)];
    assert_eq!(table.seats[a].game.turns()[1..3], teams);
}
