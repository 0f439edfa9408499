//! Scores over bad networks: statistics, the game type's state, what is announced and picked up, and the next game. What is
//! counted is the test's; every machine's netcode is whole.

use mjolnir_engine_glue::authority::{Announcement, StatisticsRow};
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::{client, host};
use mjolnir_skirmish::seam::level_of;
use mjolnir_tests::{Lab, Plan, Scripted, Seating, Way, messages, still};
use mjolnir_wire::game_state::{Body, CtfState, GameState};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};
use mjolnir_wire::{Kind, Slot, Tag, Tick};

/// The settings of the lab's game with another game type.
fn record(lab: &Lab, game_type: i32) -> Box<SettingsRecord> {
    let mut record = Box::new(*lab.host.net.transport().record());
    record.variant.game_type = game_type;
    record
}

/// A game of ctf with so many players at each client, whose host counts what the test says.
fn playing(plan: Plan, players: usize) -> Lab {
    let mut lab = Lab::open(plan, Seating::of(Vec::new()).with_faults(plan.faults));
    for _ in 0..plan.clients {
        lab.join(Seating::of((0..players).map(|_| still()).collect()).with_faults(plan.faults));
    }
    lab.gather();
    lab.host.engine.scripted = Some(Scripted {
        statistics: (0..plan.clients * players).map(nothing).collect(),
        state: Some(GameState { post_game_phase: 0, body: Body::begin(1).unwrap() }),
        pickups: Vec::new(),
    });
    let record = record(&lab, 1);
    assert!(lab.begin_next(&record, Tick::ZERO));
    lab.settle();
    lab
}

fn nothing(slot: usize) -> StatisticsRow {
    StatisticsRow { slot: Slot::new(slot as u8).unwrap(), statistics: Statistics::none() }
}

fn counts(lab: &mut Lab) -> &mut Scripted {
    lab.host.engine.scripted.as_mut().unwrap()
}

fn ctf(lab: &mut Lab) -> &mut CtfState {
    match &mut counts(lab).state {
        Some(GameState { body: Body::Ctf(ctf), .. }) => ctf,
        other => panic!("{other:?}"),
    }
}

/// Whether that client has the host's statistics and state.
fn has_the_scores(lab: &Lab, place: usize) -> bool {
    let (scores, counts) = (lab.clients[place].net.scores(), lab.host.engine.scripted.as_ref().unwrap());
    scores.state() == counts.state.as_ref()
        && counts.statistics.iter().all(|row| scores.statistics(row.slot) == Some(&row.statistics))
}

fn announced(lab: &Lab, place: usize) -> Vec<Announcement> {
    lab.clients[place].engine.notes.announced.iter().map(|(_, announcement)| *announcement).collect()
}

/// Of which kind so many messages came to that client since it was listened to.
fn came(lab: &Lab, place: usize, kind: Kind) -> usize {
    let mut count = 0;
    messages(lab.clients[place].network.passed(), Way::In, |_, message| {
        count += usize::from(message.kind == kind);
    });
    count
}

/// AUTH-45, 46: with 32 players on eight machines and 30 % lost every client has the host's statistics within twenty seconds
/// of the last change.
#[test]
fn statistics_are_everybodys_through_loss() {
    let mut lab = playing(Plan::new("flat", 460, 8).network(50, 30.0), 4);
    for round in 0..150 {
        let of = round * 7 % 32;
        let Statistics { shots_fired, kills_by_kind, .. } = &mut counts(&mut lab).statistics[of].statistics;
        *shots_fired += 1;
        kills_by_kind[1] += i16::from(round % 10 == 0);
        lab.run_ticks(1);
    }
    assert!((0..8).any(|place| !has_the_scores(&lab, place)));
    lab.run_until("all have the scores", 20, |lab| (0..8).all(|place| has_the_scores(lab, place)));
}

/// The ticks that a client was told that player's statistics of.
fn told_of(lab: &Lab, place: usize, of: usize) -> Vec<i32> {
    let mut ticks = Vec::new();
    messages(lab.clients[place].network.passed(), Way::In, |_, message| {
        if message.kind == Kind::PlayerStatistics {
            let mut entries = PlayerStatistics::read_all(message).flatten();
            ticks.extend(entries.any(|entry| entry.slot.index() == of).then_some(message.tick.get()));
        }
    });
    ticks
}

/// AUTH-45, 46: what did not change comes with the second's round alone; what changes in every tick comes 15 ticks apart and
/// never sooner, but for a kill, a death or a suicide, which comes in its own tick, and nobody else's with it that did not
/// change.
#[test]
fn a_kill_is_told_in_its_tick() {
    let mut lab = playing(Plan::new("flat", 461, 2), 2);
    lab.run_seconds(2.0);
    let listen = |lab: &mut Lab| {
        lab.run_ticks(2);
        lab.clients[0].network.listen();
        lab.tick().get()
    };
    // Nothing changes.
    let from = listen(&mut lab);
    lab.run_ticks(300);
    for of in 0..4 {
        let told = told_of(&lab, 0, of);
        assert!((9..=11).contains(&told.len()), "{of} from {from}: {told:?}");
        assert!(told.windows(2).all(|two| two[1] - two[0] == 30), "{of}: {told:?}");
    }
    // One changes in every tick, by nothing that goes at once.
    let from = listen(&mut lab);
    for _ in 0..300 {
        counts(&mut lab).statistics[1].statistics.shots_fired += 1;
        lab.run_ticks(1);
    }
    let (told, round) = (told_of(&lab, 0, 1), told_of(&lab, 0, 2));
    assert!((19..=21).contains(&told.len()), "from {from}: {told:?}");
    assert!(told.windows(2).all(|two| two[1] - two[0] == 15), "{told:?}");
    assert!(round.windows(2).all(|two| two[1] - two[0] == 30), "{round:?}");
    // A kill, a death and a suicide in ticks of no turn.
    lab.run_ticks(30);
    let kinds: [fn(&mut Statistics); 4] = [
        |of| of.kills_by_kind[1] += 1,
        |of| of.deaths += 1,
        |of| of.suicides += 1,
        |of| of.friendly_fire_kills += 1,
    ];
    for kills in kinds {
        for wait in [3, 8, 11, 20, 22] {
            while lab.tick().get() % 30 != wait {
                lab.run_ticks(1);
            }
            let from = listen(&mut lab);
            kills(&mut counts(&mut lab).statistics[1].statistics);
            lab.run_ticks(4);
            assert_eq!(told_of(&lab, 0, 1), [from + 1]);
            assert!(told_of(&lab, 0, 2).is_empty());
        }
    }
}

/// AUTH-47: over 100 ms each way a state that changes in every tick comes 25 times in ten seconds, one more or less, one
/// that does not change never, and the end of the game within six ticks and the way.
#[test]
fn a_state_comes_as_often_as_it_may() {
    let mut lab = playing(Plan::new("flat", 470, 2).network(100, 0.0), 1);
    lab.run_seconds(2.0);
    lab.clients[0].network.listen();
    for _ in 0..300 {
        ctf(&mut lab).swap_timer += 1;
        lab.run_ticks(1);
    }
    let changing = came(&lab, 0, Kind::GameState);
    lab.run_seconds(1.0);
    lab.clients[0].network.listen();
    lab.run_seconds(10.0);
    let still = came(&lab, 0, Kind::GameState);
    assert!((24..=26).contains(&changing) && still == 0, "{changing}, then {still}");
    assert!((0..2).all(|place| has_the_scores(&lab, place)));

    counts(&mut lab).state.as_mut().unwrap().post_game_phase = 1;
    let ended = lab.tick();
    lab.run_until("it is announced", 2, |lab| announced(lab, 0) == [Announcement::GameOver]);
    let after = lab.tick().since(ended);
    assert!(after <= 6 + Lab::ticks_of(100) as i32 + 2, "{after} ticks");
}

/// AUTH-49, 50: over 100 ms each way, 20 ms of jitter and 20 % loss, twenty captures are announced twenty times, in order, on
/// each machine; who comes after them is told of none, and of those that follow of each, also where the counter wraps.
#[test]
fn what_happens_is_announced_once_and_in_order() {
    let mut plan = Plan::new("flat", 490, 2).network(100, 20.0);
    plan.faults.jitter_us = 20_000;
    let mut lab = playing(plan, 1);
    lab.run_seconds(1.0);
    let capture = |lab: &mut Lab, team: usize, by: u8| {
        let ctf = ctf(lab);
        ctf.captures[team] = ctf.captures[team].wrapping_add(1);
        ctf.capturer[team] = by;
        lab.run_ticks(15);
    };
    let captured = |team: usize, by: u8| Announcement::FlagCaptured { team: team as u8, by: Slot::new(by) };
    let events: Vec<(usize, u8)> = (0..20).map(|at| (at % 3 % 2, at as u8)).collect();
    events.iter().for_each(|(team, by)| capture(&mut lab, *team, *by));
    lab.run_seconds(1.0);
    let expected: Vec<_> = events.iter().map(|(team, by)| captured(*team, *by)).collect();
    for place in 0..2 {
        assert_eq!(announced(&lab, place), expected);
        let ticks: Vec<_> = lab.clients[place].engine.notes.announced.iter().map(|(tick, _)| *tick).collect();
        assert!(ticks.is_sorted());
    }
    ctf(&mut lab).captures = [254, 0];
    lab.run_seconds(1.0);
    let before = announced(&lab, 0).len();

    let late = lab.join(Seating::of(vec![still()]).with_faults(plan.faults));
    lab.run_until("it plays", 10, |lab| lab.clients[late].net.stage() == client::Stage::Playing);
    lab.run_until("it has the scores", 2, |lab| lab.clients[late].net.scores().state().is_some());
    lab.run_seconds(1.0);
    assert_eq!(announced(&lab, late), []);
    for by in 0..4 {
        capture(&mut lab, 0, by);
    }
    assert_eq!(ctf(&mut lab).captures[0], 2);
    lab.run_seconds(1.0);
    let wrapped: Vec<_> = (0..4).map(|by| captured(0, by)).collect();
    assert_eq!(announced(&lab, late), wrapped);
    assert_eq!(announced(&lab, 1)[before..], wrapped);
}

/// AUTH-48, NET-25: who joins a game has all scores within a round trip and six ticks of having loaded, while its datagrams
/// are lost; and every machine goes on having them.
#[test]
fn a_late_joiner_has_all_scores_at_once() {
    let mut lab = playing(Plan::new("flat", 480, 2).network(50, 30.0), 4);
    for (at, row) in (1..).zip(&mut counts(&mut lab).statistics) {
        (row.statistics.deaths, row.statistics.shots_fired) = (at, 1000 + i32::from(at));
    }
    ctf(&mut lab).score = [3, 1];
    lab.run_seconds(1.0);
    let faults = Plan::new("flat", 0, 0).network(50, 100.0).faults;
    let late = lab.join(Seating::of(vec![still()]).with_faults(faults));
    lab.run_until("it has loaded", 10, |lab| lab.clients[late].net.transport().is_in_game());
    // It asks once it has had an update, which is a way there and back after it said that it has loaded.
    let loaded = lab.tick();
    lab.run_until("it has the scores", 2, |lab| has_the_scores(lab, late));
    let after = lab.tick().since(loaded);
    assert!(after <= Lab::ticks_of(100) as i32 + 6, "{after} ticks");
}

/// AUTH-43: what a client's player picks up is shown there once, on no other machine, and goes by the stream alone.
#[test]
fn a_pickup_is_shown_to_who_has_it() {
    let mut lab = playing(Plan::new("flat", 430, 3).network(50, 20.0), 1);
    let slot = lab.clients[1].slot();
    let pickup = Pickup { slot, kind: PickupKind::Powerup, count: 1, tag: Tag(3) };
    (0..3).for_each(|place| lab.clients[place].network.listen());
    counts(&mut lab).pickups.push(pickup);
    lab.run_seconds(1.0);
    for place in 0..3 {
        let shown: Vec<_> = lab.clients[place].engine.notes.picked_up.iter().map(|(_, of)| *of).collect();
        let (expected, messages) = if place == 1 { (vec![pickup], 1) } else { (Vec::new(), 0) };
        assert_eq!((shown, came(&lab, place, Kind::Pickups)), (expected, messages), "{place}");
    }
}

/// GLUE-22, AUTH-54, 56: after a game's end everybody loads the next, on another map and by other rules, and the one after that;
/// nobody joins anew, slots stay, teams are the new rules', and the scores are the new game's.
#[test]
fn variants_follow_one_another() {
    let mut lab = playing(Plan::new("flat", 220, 3).network(50, 5.0), 2);
    let machines = |lab: &Lab| -> Vec<_> {
        lab.clients
            .iter()
            .map(|seat| (seat.net.transport().machine(), seat.net.own_slots().to_vec()))
            .collect()
    };
    let before = machines(&lab);
    for (map, teams) in [("rooms", 1), ("flat", 0)] {
        lab.run_seconds(2.0);
        counts(&mut lab).state.as_mut().unwrap().post_game_phase = 1;
        lab.run_seconds(1.0);
        assert!((0..3).all(|place| announced(&lab, place) == [Announcement::GameOver]));
        lab.end();
        lab.run_seconds(1.0);
        assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Over));
        lab.clients.iter_mut().for_each(|seat| seat.engine.notes.announced.clear());
        let mut next = record(&lab, 1);
        next.map = Chars::new(&level_of(map)).unwrap();
        next.variant.teams = teams;
        counts(&mut lab).state = Some(GameState { post_game_phase: 0, body: Body::begin(1).unwrap() });
        assert!(lab.begin_next(&next, Tick::ZERO.plus(300)));
        lab.settle();
        lab.run_seconds(1.0);
        assert_eq!(machines(&lab), before);
        for place in 0..3 {
            let seat = &lab.clients[place];
            let heard = seat.net.transport().record().unwrap();
            assert_eq!((heard.map, heard.variant), (next.map, next.variant));
            assert!(has_the_scores(&lab, place) && announced(&lab, place).is_empty());
            let given: Vec<_> = heard.players().iter().map(|player| player.team).collect();
            let due: Vec<_> = (0..6).map(|slot| if teams == 1 { slot % 2 } else { slot }).collect();
            assert_eq!(given, due);
        }
    }
    let again = |(_, notice): &(u64, host::Notice)| matches!(notice, host::Notice::Left { .. });
    assert!(!lab.host.notices.iter().any(again));
}

/// GLUE-22, NET-11: a game is cut short for the next, which is to begin at the same tick, with a quarter of a second of the old
/// one's datagrams under way: none of them counts. Every client is with its host, and all that it says is taken.
#[test]
fn nothing_of_the_game_before_counts() {
    for seed in 0..4 {
        let faults = Faults { latency_us: 20_000, jitter_us: 250_000, ..Faults::default() };
        let mut lab = Lab::play(Plan { faults, ..Plan::new("flat", 900 + seed, 2) });
        for _ in 0..2 {
            lab.run_seconds(8.0);
            let record = *lab.host.net.transport().record();
            assert!(lab.begin_next(&record, Tick::ZERO));
            lab.settle();
            lab.run_seconds(2.0);
            for (place, seat) in lab.clients.iter().enumerate() {
                let ahead = seat.net.clock().tick().unwrap().since(lab.tick());
                assert!(ahead <= 2, "seed {seed}: client {place} is {ahead} ticks ahead");
            }
            let taken = |lab: &Lab| lab.host.net.counters().taken;
            let before = taken(&lab);
            lab.run_seconds(1.0);
            assert!(taken(&lab) - before > 10, "seed {seed}: {}", taken(&lab) - before);
        }
    }
}
