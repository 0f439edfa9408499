//! Scores and pickups from one game to the others, and one game after another.

use mjolnir_engine_glue::authority::{Announcement, StatisticsRow};
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::game_state::{Body, CtfState, GameState};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};
use mjolnir_wire::{Kind, MachineSet, Outbox, Tag};

use super::foreign::Foreign;
use super::game::{Call, Game, Trace};
use super::hostile::refused;
use super::table::{Said, Seat, Table, record, slot, tick};

/// The tests' record, of that game type.
pub(crate) fn scored(game_type: i32) -> Box<SettingsRecord> {
    let mut record = record();
    record.variant.game_type = game_type;
    record
}

fn row(of: u8, deaths: i16) -> StatisticsRow {
    StatisticsRow { slot: slot(of), statistics: Statistics { deaths, ..Statistics::none() } }
}

fn state() -> GameState {
    GameState { post_game_phase: 0, body: Body::begin(1).unwrap() }
}

/// A dedicated host's game of ctf in progress, of which five captures were made.
fn playing() -> Table {
    let mut table = Table::of(scored(1), 0);
    table.begin(1_000);
    table.game.state = Some(state());
    ctf(&mut table).captures = [5, 0];
    table.run(100);
    table
}

fn ctf(table: &mut Table) -> &mut CtfState {
    let Some(GameState { body: Body::Ctf(ctf), .. }) = &mut table.game.state else { panic!("ctf") };
    ctf
}

/// NET-25, 69, AUTH-48, 50: who comes late is told all objects, their end, all statistics and then the state, within a
/// tick of the end of the objects; nothing of before is announced.
#[test]
fn who_comes_late_has_the_scores() {
    let mut table = playing();
    // One of a player who left long ago is among them, of whom nobody is told any more.
    table.game.statistics = vec![row(0, 3), row(9, 4)];
    let a = table.seat(1);
    table.run(1_000);
    let said = |of| table.network.said.iter().rposition(|said| *said == of).unwrap();
    let [objects, end] =
        [Kind::ObjectChanges, Kind::ObjectsSynchronized].map(|kind| said(Said::Stream(kind)));
    let [statistics, state] = [Kind::PlayerStatistics, Kind::GameState].map(|kind| said(Said::Stream(kind)));
    assert_eq!([end, statistics, state], [objects + 1, objects + 2, objects + 3]);
    let Seat { client, game, .. } = &table.seats[a];
    assert_eq!((&game.state, game.statistics.as_slice()), (&table.game.state, &[row(0, 3)][..]));
    assert_eq!(client.scores().statistics(slot(9)), Some(&row(9, 4).statistics));
    assert_eq!(game.announced, []);
    assert!(client.counters().refused.keys().all(|reason| *reason == "no_baseline"));
}

/// AUTH-49: what happens is announced on each client once, in order, after the state that says so was given and before the
/// tick is simulated; the end of the game is the last.
#[test]
fn what_happens_is_announced() {
    let mut table = playing();
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(1_000);
    let trace = Trace::default();
    table.seats[a].game.trace = Some(trace.clone());
    for captures in [6, 7, 9] {
        (ctf(&mut table).captures[0], ctf(&mut table).capturer[0]) = (captures, 1);
        table.run(1_000);
    }
    table.game.state.as_mut().unwrap().post_game_phase = 1;
    table.run(1_000);
    let captured = |by| Announcement::FlagCaptured { team: 0, by };
    let by = captured(Some(slot(1)));
    let expected = [by, by, captured(None), by, Announcement::GameOver];
    for seat in [a, b] {
        assert_eq!(table.seats[seat].game.announced, expected);
        assert_eq!(table.seats[seat].game.state, table.game.state);
    }
    let trace = trace.borrow();
    let at = trace.iter().position(|did| *did == "score").unwrap();
    assert_eq!(trace[at..at + 2], ["score", "announce"]);
    let then = trace[at..].iter().find(|did| ["simulate", "send"].contains(did));
    assert_eq!(then, Some(&"simulate"));
}

/// AUTH-45, 46: what a host counts is on each client; a kill within a tick or two and a round trip, the rest within half a
/// second.
#[test]
fn statistics_reach_everybody() {
    let mut table = playing();
    let (a, b) = (table.seat(1), table.seat(1));
    table.game.statistics = vec![row(0, 0), row(1, 0)];
    table.run(1_000);
    table.game.statistics[1] = row(1, 1);
    table.run(70);
    for seat in [a, b] {
        assert_eq!(table.seats[seat].game.statistics, table.game.statistics);
    }
    table.game.statistics[0].statistics.shots_fired = 7;
    table.run(600);
    for seat in [a, b] {
        assert_eq!(table.seats[seat].game.statistics, table.game.statistics);
    }
}

/// AUTH-43: what a client's player picks up is shown there, once, and told nobody else; what the host's own does is told
/// nobody.
#[test]
fn a_pickup_is_shown_where_its_player_is() {
    let mut table = Table::of(scored(1), 1);
    table.begin(0);
    table.run(100);
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(1_000);
    let pickup = |of| Pickup { slot: slot(of), kind: PickupKind::Powerup, count: 1, tag: Tag(4) };
    table.game.pickups = vec![pickup(1), pickup(0), pickup(99)];
    table.run(200);
    assert_eq!(table.seats[a].game.pickups, [pickup(1)]);
    assert_eq!(table.seats[b].game.pickups, []);
    let said = table.network.said.iter().filter(|said| **said == Said::Stream(Kind::Pickups));
    assert_eq!(said.count(), 1);
    assert!(table.game.pickups.is_empty());
}

/// What a host may say that means ill, in turn: each is refused by its reason.
type Ill = (&'static str, fn(&mut Outbox));

fn put_state(outbox: &mut Outbox, write: impl FnOnce(&mut Vec<u8>)) {
    outbox.message(MachineSet::CLIENTS, Kind::GameState, 0, write).unwrap();
}

/// WIRE-75, 78, 79, AUTH-43: a host's state of another game type, one that is cut or means nothing, statistics of nobody and
/// pickups of another machine's player are refused, each by its reason, and change nothing.
#[test]
fn a_hosts_scores_that_are_none_change_nothing() {
    const ILL: [Ill; 6] = [
        ("truncated", |outbox| put_state(outbox, |to| to.extend([0; 59]))),
        ("trailing_bytes", |outbox| {
            let race = GameState { post_game_phase: 0, body: Body::begin(5).unwrap() };
            put_state(outbox, |to| race.write(to));
        }),
        ("bad_index", |outbox| {
            let mut bad = state();
            let Body::Ctf(ctf) = &mut bad.body else { panic!("ctf") };
            ctf.grabber[1] = 128;
            put_state(outbox, |to| bad.write(to));
        }),
        ("bad_index", |outbox| {
            let write = |to: &mut Vec<u8>| {
                PlayerStatistics { slot: slot(0), statistics: row(0, 9).statistics }.write(to);
                let at = to.len() - 64;
                to[at] = 128;
            };
            outbox.entry(MachineSet::CLIENTS, Kind::PlayerStatistics, write).unwrap();
        }),
        ("not_local", |outbox| {
            let other = Pickup { slot: slot(1), kind: PickupKind::Weapon, count: 1, tag: Tag(4) };
            outbox.reliable_entry(MachineSet::CLIENTS, Kind::Pickups, |to| other.write(to)).unwrap();
        }),
        ("bad_flag", |outbox| {
            let write = |to: &mut Vec<u8>| to.extend([0, 5, 0, 0, 4, 0, 0, 0]);
            outbox.reliable_entry(MachineSet::CLIENTS, Kind::Pickups, write).unwrap();
        }),
    ];
    for (reason, say) in ILL {
        let mut foreign = Foreign::of_record(scored(1), 1, Game::new());
        foreign.step(|outbox| put_state(outbox, |to| state().write(to)));
        foreign.step(say);
        foreign.run(3);
        let counters = foreign.client.counters();
        assert_eq!(counters.refused.get(reason), Some(&1), "{reason}: {:?}", counters.refused);
        let Game { state: has, statistics, announced, pickups, .. } = &foreign.game;
        assert_eq!(has.as_ref(), Some(&state()), "{reason}");
        assert!(statistics.is_empty() && announced.is_empty() && pickups.is_empty(), "{reason}");
    }
    // In a game without a game type there is no state.
    let mut foreign = Foreign::of(1, Game::new());
    foreign.step(|outbox| put_state(outbox, |to| state().write(to)));
    foreign.run(3);
    assert_eq!(foreign.client.counters().refused.get("unknown_kind"), Some(&1));
    assert_eq!(foreign.game.state, None);
}

/// WIRE-79: a host's game whose state means nothing is told of to nobody, and counted.
#[test]
fn a_state_that_means_nothing_is_counted() {
    let mut table = playing();
    let a = table.seat(1);
    table.run(1_000);
    let before = table.seats[a].game.state.clone();
    assert!(before.is_some());
    ctf(&mut table).capturer[0] = 200;
    table.run(1_000);
    assert_eq!(table.seats[a].game.state, before);
    let unfit = table.host.counters().refused.get("unfit_state").copied();
    assert!(unfit.is_some_and(|unfit| (4..=6).contains(&unfit)), "{unfit:?}");
}

/// AUTH-01, NET-46: what a client says of scores is refused, however often, and nobody's change.
#[test]
fn a_clients_scores_are_refused() {
    let mut table = playing();
    let a = table.seat(1);
    table.raw();
    table.game.statistics = vec![row(0, 1), row(1, 2)];
    table.run(1_000);
    let before = (table.game.statistics.clone(), table.game.state.clone());
    let refused_before = refused(&table, "wrong_sender");
    let at = table.host.now_tick();
    for _ in 0..100 {
        let now = table.now;
        table.raws[0].say(now, at, |outbox| {
            let lie = PlayerStatistics { slot: slot(1), statistics: row(1, -50).statistics };
            outbox.entry(MachineSet::HOST, Kind::PlayerStatistics, |to| lie.write(to)).unwrap();
            outbox.reliable_entry(MachineSet::HOST, Kind::PlayerStatistics, |to| lie.write(to)).unwrap();
            outbox.message(MachineSet::HOST, Kind::GameState, 0, |to| state().write(to)).unwrap();
            let pickup = Pickup { slot: slot(0), kind: PickupKind::Powerup, count: 1, tag: Tag(4) };
            outbox.reliable_entry(MachineSet::HOST, Kind::Pickups, |to| pickup.write(to)).unwrap();
        });
    }
    table.run(1_000);
    assert_eq!(refused(&table, "wrong_sender") - refused_before, 400);
    assert_eq!((table.game.statistics.clone(), table.game.state.clone()), before);
    let seat = &table.seats[a].game;
    assert_eq!((&seat.statistics, &seat.state), (&before.0, &before.1));
    assert_eq!((seat.announced.len(), seat.pickups.len()), (0, 0));
}

/// AUTH-47, 49: a client that hears a game's last state and its end in one read has the last scores, and is told that it is
/// over.
#[test]
fn the_last_scores_are_everybodys() {
    let mut table = playing();
    let a = table.seat(1);
    table.game.statistics = vec![row(0, 1)];
    table.run(1_000);
    let mut sleeper = table.seats.swap_remove(a);
    table.game.statistics[0].statistics.shots_fired = 99;
    table.game.state.as_mut().unwrap().post_game_phase = 1;
    table.run(500);
    let Table { host, game, .. } = &mut table;
    host.end(game);
    table.run(100);
    sleeper.game.calls.clear();
    table.seats.push(sleeper);
    table.run(500);
    let seat = &table.seats[a];
    assert_eq!(seat.client.stage(), client::Stage::Over);
    assert_eq!(seat.game.turns(), [Call::End]);
    assert_eq!((&seat.game.statistics, &seat.game.state), (&table.game.statistics, &table.game.state));
    assert_eq!(seat.game.announced, [Announcement::GameOver]);
}

/// GLUE-22, AUTH-56, 60: after one game everybody loads the next, of another map and other rules, and the one after that,
/// with nobody joining anew: machines, slots and names are the same, teams as the new rules have them, scores those of the new
/// game, of which nothing of the last is announced.
#[test]
fn the_next_game_is_the_next_records() {
    let mut table = playing();
    let seats = [table.seat(1), table.seat(1), table.seat(1)];
    table.game.statistics = vec![row(0, 5)];
    table.run(1_000);
    let machines = seats.map(|seat| table.seats[seat].client.transport().machine());
    table.host.take_notices();
    for (game_type, teams, start) in [(5, 1, 70), (1, 0, 9_000)] {
        table.game.state.as_mut().unwrap().post_game_phase = 1;
        table.run(500);
        let Table { host, game, .. } = &mut table;
        host.end(game);
        table.run(500);
        assert!(seats.iter().all(|seat| table.seats[*seat].client.stage() == client::Stage::Over));
        let mut next = scored(game_type);
        (next.variant.teams, next.options.vehicle_set) = (teams, [game_type as u8, 0xFE]);
        next.map_version = game_type;
        let Table { host, game, now, .. } = &mut table;
        game.announced.clear();
        (game.statistics, game.state) = (vec![row(0, 0)], None);
        assert!(host.begin_next(*now, game, &next, tick(start)));
        game.state = Body::begin(game_type as u8).map(|body| GameState { post_game_phase: 0, body });
        for seat in seats {
            let game = &mut table.seats[seat].game;
            game.calls.clear();
            game.announced.clear();
            (game.statistics, game.state) = (Vec::new(), None);
        }
        table.run(2_000);
        assert_eq!(table.host.stage(), host::Stage::Playing);
        for (slot_of, seat) in (0..).zip(seats) {
            let Seat { client, game, .. } = &table.seats[seat];
            assert_eq!((client.stage(), client.own_slots()), (client::Stage::Playing, &[slot(slot_of)][..]));
            assert!(game.ticks()[0] > start && game.ticks()[0] <= start + 3);
            let loaded = game.loaded_with.last().unwrap();
            assert_eq!(
                (loaded.variant, loaded.options, loaded.map_version),
                (next.variant, next.options, game_type)
            );
            assert_eq!((&game.state, &game.statistics), (&table.game.state, &table.game.statistics));
            assert_eq!(game.announced, []);
            for whose in 0..3 {
                let team = if teams == 1 { whose % 2 } else { whose };
                let local = (whose == slot_of).then_some(0);
                let added = Call::Add { slot: whose, machine: whose + 1, local, team };
                assert_eq!(game.count(&added), 1, "{:?}", game.turns());
            }
        }
    }
    assert_eq!(machines, seats.map(|seat| table.seats[seat].client.transport().machine()));
    let joined =
        |notice: &host::Notice| matches!(notice, host::Notice::Joined { .. } | host::Notice::Left { .. });
    assert!(!table.host.take_notices().iter().any(joined));
}

/// GLUE-22: a game that goes on may be followed by the next at once; a record that means nothing follows none.
#[test]
fn a_record_that_means_nothing_is_no_next_game() {
    let mut table = playing();
    let a = table.seat(1);
    table.run(1_000);
    let mut bad = scored(1);
    bad.options.friendly_fire = 4;
    let Table { host, game, now, .. } = &mut table;
    assert!(!host.begin_next(*now, game, &bad, tick(0)));
    table.run(200);
    assert_eq!(
        (table.host.stage(), table.seats[a].client.stage()),
        (host::Stage::Playing, client::Stage::Playing)
    );
    assert_eq!(table.game.count(&Call::End), 0);
    let Table { host, game, now, .. } = &mut table;
    assert!(host.begin_next(*now, game, &scored(2), tick(0)));
    table.run(1_000);
    for game in [&table.game, &table.seats[a].game] {
        assert_eq!(game.count(&Call::End), 1);
        assert_eq!(game.loaded_with.last().unwrap().variant.game_type, 2);
    }
    assert!(table.seats[a].game.place(0).is_some());
}
