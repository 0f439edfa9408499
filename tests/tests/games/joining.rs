//! Machines that come and go while a game is played.

use std::collections::BTreeSet;

use mjolnir_engine_glue::client::{self, Notice};
use mjolnir_engine_glue::host;
use mjolnir_engine_glue::transport::Why;
use mjolnir_net_compare::Verdict;
use mjolnir_tests::{Lab, Plan, Seating, Stir, Way, bot, busy, messages, packets, still};
use mjolnir_wire::{Kind, Slot};

/// The players of every machine that runs, those who left too: slot, name and whether it left. They are alike.
fn players(lab: &Lab) -> Vec<(Slot, String, bool)> {
    let of = |world: &mjolnir_skirmish::game::World| -> Vec<_> {
        world.players().map(|(slot, player)| (slot, player.name.clone(), player.left)).collect()
    };
    let there = of(lab.host.engine.world());
    for (place, seat) in lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs) {
        let here: Vec<_> = of(seat.engine.world());
        // One that came later never heard of those who had left.
        let known: BTreeSet<Slot> = here.iter().map(|(slot, ..)| *slot).collect();
        assert!(there.iter().all(|player| player.2 || known.contains(&player.0)), "client {place}");
        assert!(
            here.iter().all(|player| there.contains(player)),
            "client {place}: {here:?} beside {there:?}"
        );
    }
    there
}

/// NET-22, NET-23, NET-24, NET-25, NET-60, OBJ-04: a machine with two players joins a game that is played.
/// Everybody is told of the players; the machine alone of its settings and its start, then of the game; its players
/// get units once it has loaded, and it ends with everything that the others have.
#[test]
fn a_machine_joins_in_progress() {
    let mut lab = Lab::play(Plan::new("rooms", 51, 2).network(30, 0.0));
    lab.run_seconds(3.0);
    lab.clients[0].network.listen();
    let loading = Seating { load_micros: 2_000_000, ..Seating::of(vec![bot(7), bot(8)]) };
    let late = lab.join(loading);
    lab.clients[late].network.listen();

    lab.run_seconds(1.5);
    let listed: Vec<_> = lab.host.net.transport().players().map(|player| player.slot).collect();
    let new: Vec<Slot> = listed[listed.len() - 2..].to_vec();
    for world in [lab.host.engine.world(), lab.clients[0].engine.world(), lab.clients[1].engine.world()] {
        // A host seats them when they may have a unit.
        assert!(new.iter().all(|slot| world.unit(*slot).is_none()));
    }
    assert!(new.iter().all(|slot| lab.clients[1].engine.world().player(*slot).is_some()));

    lab.settle();
    lab.run_seconds(1.0);
    assert!(new.iter().all(|slot| lab.host.engine.world().unit(*slot).is_some()));
    assert_eq!(lab.clients[late].net.own_slots(), new);
    players(&lab);
    let told = packets(lab.clients[0].network.passed(), Way::In);
    assert_eq!(told.iter().filter(|n| **n != 20).copied().collect::<Vec<_>>(), [21, 21]);
    let mut order = packets(lab.clients[late].network.passed(), Way::In);
    order.dedup();
    assert_eq!(order, [4, 6, 8, 20]);

    // The first that it hears of the game is after its start, and its list ends before a change that is no part of
    // it.
    let mut kinds = Vec::new();
    messages(lab.clients[late].network.passed(), Way::In, |_, message| kinds.push(message.kind));
    let first = |kind| kinds.iter().position(|k| *k == kind).unwrap();
    assert!(first(Kind::ObjectChanges) < first(Kind::ObjectsSynchronized));
    lab.stand_still();
    lab.run_seconds(2.0);
    assert!(lab.apart().unwrap() < 0.01);
}

/// NET-69, 61, 25: a machine comes into a game in which hundreds of things lie about and some move: from its 24 on it
/// hears of units and inputs, and of objects first that they were made, all of them, then that these were all; where they
/// are and what units carry comes after.
#[test]
fn what_a_ready_machine_is_told_comes_in_order() {
    let mut lab = Lab::play_as(Plan::new("yard", 58, 2).network(30, 0.0), Seating::of(vec![busy(1)]), |of| {
        Seating::of(vec![busy(2 + of as u64)])
    });
    lab.run_seconds(1.0);
    let mut stir = Stir::new(58);
    let faults = lab.host.network.impair().faults();
    let late = lab.join(Seating::of(vec![busy(9)]).with_faults(faults));
    lab.clients[late].network.listen();
    while lab.clients[late].ticks < 90 {
        stir.once(lab.host.engine.world_mut());
        lab.run_ticks(1);
    }
    let mut heard = Vec::new();
    messages(lab.clients[late].network.passed(), Way::In, |_, message| {
        heard.push((message.kind, message.count));
    });
    let all = heard.iter().position(|(kind, _)| *kind == Kind::ObjectsSynchronized).unwrap();
    let (before, after) = heard.split_at(all);
    let has = |of: &[(Kind, u8)], kind| of.iter().any(|(each, _)| *each == kind);
    for kind in [Kind::UnitStates, Kind::RelayedActions] {
        assert!(has(before, kind) && has(after, kind), "{kind:?}");
    }
    for kind in [Kind::ObjectStates, Kind::Inventories] {
        assert!(!has(before, kind) && has(after, kind), "{kind:?}");
    }
    let listed = before.iter().filter(|(kind, _)| *kind == Kind::ObjectChanges);
    let listed: usize = listed.map(|(_, count)| usize::from(*count)).sum();
    assert!(listed >= 333, "{listed} were listed");
    assert!(has(after, Kind::ObjectChanges));
    assert_eq!(after.iter().filter(|(kind, _)| *kind == Kind::ObjectsSynchronized).count(), 1);
    // Units and inputs come from its 24 on, before it has asked for the list.
    assert!(!has(&before[..before.len() / 10], Kind::ObjectChanges));
}

/// NET-30, NET-31: while it loads for a minute a machine hears twelve keep-alives, and of the game nothing.
#[test]
fn a_loading_machine_hears_keep_alives_alone() {
    let mut lab = Lab::play(Plan::new("flat", 52, 2));
    let late = lab.join(Seating { load_micros: 62_000_000, ..Seating::of(vec![bot(9)]) });
    lab.run_until("it loads", 5, |lab| lab.clients[late].net.stage() == client::Stage::Loading);
    lab.clients[late].network.listen();
    lab.run_seconds(60.5);
    assert_eq!(lab.clients[late].net.stage(), client::Stage::Loading);
    let passed = lab.clients[late].network.passed();
    assert_eq!(packets(passed, Way::In), [10; 12]);
    let mut heard = 0;
    messages(passed, Way::In, |_, _| heard += 1);
    assert_eq!(heard, 0);
    lab.settle();
    lab.run_seconds(5.0);
    assert_eq!(lab.judge(late).verdict, Verdict::Pass);
}

/// AUTH-54, AUTH-55: two join, one leaves, one joins: on every machine a slot is the same player's, and the slot of
/// the one who left is not given anew.
#[test]
fn slots_are_alike_on_every_machine() {
    let mut lab = Lab::play(Plan::new("rooms", 53, 2).network(30, 2.0));
    let first = lab.join(Seating::of(vec![bot(1)]));
    let second = lab.join(Seating::of(vec![bot(2), bot(3)]));
    lab.settle();
    let gone = lab.clients[first].slot();
    lab.quit(first);
    lab.run_seconds(3.0);
    let third = lab.join(Seating::of(vec![bot(4)]));
    lab.run_until("it plays", 10, |lab| lab.clients[third].ticks > 60);
    let players = players(&lab);
    assert_eq!(players.len(), 1 + 2 + 1 + 2 + 1);
    assert_eq!(
        players.iter().filter(|(_, _, left)| *left).map(|(slot, ..)| *slot).collect::<Vec<_>>(),
        [gone]
    );
    assert!(lab.clients[third].slot() != gone && lab.clients[second].net.own_slots().len() == 2);
}

/// NET-35, NET-63, OBJ-03: one client leaves and one is killed outright: everybody else is told of each once, the
/// player goes on every machine at one tick about 33 ahead, its unit with it, and the others play on and agree.
#[test]
fn who_leaves_is_told_of_once() {
    for killed in [false, true] {
        let mut lab = Lab::play(Plan::new("rooms", 54, 4).network(50, 2.0));
        lab.run_seconds(3.0);
        let (slot, at) = (lab.clients[1].slot(), lab.tick());
        let unit = lab.host.engine.world().unit(slot);
        if killed {
            lab.kill(1);
        } else {
            lab.quit(1);
        }
        lab.run_ticks(33 + Lab::ticks_of(100) + 2);
        let mut ticks = BTreeSet::new();
        for seat in lab.clients.iter().filter(|seat| seat.runs) {
            let [(left, tick)] = seat.engine.notes.left[..] else { panic!("{:?}", seat.engine.notes.left) };
            assert_eq!(left, slot);
            ticks.insert(tick.next());
            let told = seat.notices.iter().filter(|(_, notice)| matches!(notice, Notice::PlayerLeft { .. }));
            assert_eq!(told.count(), 1);
            assert!(seat.engine.world().player(slot).is_some_and(|player| player.left));
        }
        let [(left, tick)] = lab.host.engine.notes.left[..] else {
            panic!("{:?}", lab.host.engine.notes.left)
        };
        ticks.insert(tick.next());
        assert!(left == slot && ticks.len() == 1, "{ticks:?}");
        let ahead = ticks.first().unwrap().since(at);
        // The host hears of it half a round trip later, and of a killed one by its stream's end, at once.
        assert!((32..=34 + Lab::ticks_of(50) as i32).contains(&ahead), "{ahead} ticks");
        let why: Vec<_> = lab
            .host
            .notices
            .iter()
            .filter_map(|(_, notice)| match notice {
                host::Notice::Left { why, .. } => Some(*why),
                _ => None,
            })
            .collect();
        assert_eq!(why, [if killed { Why::Gone } else { Why::Left }]);

        lab.run_seconds(10.0);
        players(&lab);
        for place in [0, 2, 3] {
            assert_eq!(lab.judge(place).verdict, Verdict::Pass);
            assert!(!lab.clients[place].engine.world().objects().any(|id| Some(id) == unit));
        }
    }
}

/// NET-28: four clients that lose their power are dropped after fifteen seconds, their places are free, and the others
/// play on.
#[test]
fn a_dead_machine_is_dropped_after_fifteen_seconds() {
    let mut lab = Lab::play(Plan::new("flat", 55, 6));
    lab.run_seconds(1.0);
    for place in 0..4 {
        lab.partition(place, true);
        lab.clients[place].runs = false;
    }
    lab.run_seconds(14.8);
    assert_eq!(lab.host.net.transport().in_game().len(), 6);
    lab.run_seconds(0.4);
    assert_eq!(lab.host.net.transport().in_game().len(), 2);
    assert_eq!(lab.host.net.transport().machines().len(), 2);
    lab.run_seconds(5.0);
    for place in [4, 5] {
        assert_eq!(lab.judge(place).verdict, Verdict::Pass);
    }
}

/// CLOCK-03: a host ends its game and begins another with everybody: all play it from its own first tick, which is after
/// the last of the one before, and agree.
#[test]
fn a_second_game_begins_as_the_first() {
    let mut lab = Lab::play(Plan::new("rooms", 56, 3).network(30, 1.0));
    lab.run_seconds(5.0);
    lab.host.net.end(&mut lab.host.engine);
    lab.run_seconds(1.0);
    assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Over));
    let now = lab.host.now(lab.now());
    lab.host.net.to_lobby(now, &mut lab.host.engine);
    lab.run_seconds(1.0);
    assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Lobby));
    lab.host.recording.lines.clear();
    for seat in &mut lab.clients {
        seat.recording.lines.clear();
    }
    let last = lab.tick();
    lab.begin();
    lab.settle();
    assert!(lab.tick() > last && lab.tick() < last.plus(60));
    lab.run_seconds(10.0);
    for place in 0..3 {
        let judgement = lab.judge(place);
        assert!(
            judgement.verdict == Verdict::Pass && judgement.figures.seconds >= 8,
            "{}",
            judgement.figures
        );
    }
    lab.stand_still();
    lab.run_seconds(2.0);
    assert!(lab.apart().unwrap() < 0.01);
}

/// PRED-35: a client with four players of its own: each is predicted and followed.
#[test]
fn four_players_of_one_machine_are_played() {
    let mut lab =
        Lab::play_as(Plan::new("flat", 57, 2).network(50, 2.0), Seating::of(vec![still()]), |place| {
            Seating::of((0..4).map(|local| bot(10 * place as u64 + local)).collect())
        });
    lab.run_seconds(30.0);
    for place in 0..2 {
        assert_eq!(lab.clients[place].net.own_slots().len(), 4);
        assert_eq!(lab.clients[place].engine.notes.own_moves, []);
        assert_eq!(lab.judge(place).verdict, Verdict::Pass);
    }
    lab.stand_still();
    lab.run_seconds(2.0);
    assert!(lab.apart().unwrap() < 0.01);
}
