//! The host's word: what it says of players, and how clients follow it.

use mjolnir_engine_glue::client::{Notice, Stage};
use mjolnir_skirmish::game::Tuning;
use mjolnir_tests::{Fate, Lab, Plan, Seating, Who, bot, states};
use mjolnir_wire::{Tick, Vec3};

/// AUTH-02, AUTH-01, AUTH-52, AUTH-61: the host hurts, kills and spawns a client's player: every client shows the
/// same within the round trip and two ticks, and no client's engine decided any of it.
#[test]
fn clients_follow_what_the_host_decides() {
    let mut lab = Lab::idle(Plan::new("flat", 41, 3).network(50, 0.0));
    lab.run_ticks(30);
    let [slot, killer] = [0, 1].map(|place: usize| lab.clients[place].slot());
    let ticks = Lab::ticks_of(100) + 2;
    let all = |lab: &Lab, holds: &dyn Fn(&mjolnir_skirmish::game::World) -> bool| {
        lab.clients.iter().all(|seat| holds(seat.engine.world()))
    };

    assert!(lab.host.engine.world_mut().damage(slot, 0.5, None));
    lab.run_ticks(ticks);
    let shield =
        |world: &mjolnir_skirmish::game::World| world.vitality(world.unit(slot).unwrap()).unwrap().shield;
    let there = shield(lab.host.engine.world());
    assert!(there < 1.0 && all(&lab, &|world| (shield(world) - there).abs() < 0.01));

    assert!(lab.host.engine.world_mut().kill(slot, Some(killer)));
    lab.run_ticks(ticks);
    assert!(all(&lab, &|world| world.unit(slot).is_none()));
    for seat in &lab.clients {
        let (_, state) = seat.net.authority().newest(slot).unwrap();
        let mjolnir_wire::units::Life::Dead(death) = state.life else { panic!("{state:?}") };
        assert_eq!(death.killer, Some(killer));
    }

    lab.run_until("the host spawns it", 5, |lab| lab.host.engine.world().unit(slot).is_some());
    lab.run_ticks(ticks);
    let unit = lab.host.engine.world().unit(slot);
    assert!(all(&lab, &|world| world.unit(slot) == unit));
    assert!(lab.apart().unwrap() < 0.01);
    assert!(all(&lab, &|world| world.decisions().total() == 0));
}

/// AUTH-03: a client whose gravity is 2 % off plays for a minute with the others and is never dropped for it.
#[test]
fn machines_that_differ_play_on() {
    let mut lab =
        Lab::play_as(Plan::new("rooms", 42, 2).network(30, 0.0), Seating::of(vec![bot(1)]), |place| {
            let gravity_scale = if place == 0 { 1.02 } else { 1.0 };
            Seating { tuning: Tuning { gravity_scale, ..Tuning::default() }, ..Seating::of(vec![bot(2)]) }
        });
    lab.run_seconds(60.0);
    for seat in &lab.clients {
        assert_eq!(seat.net.stage(), Stage::Playing);
        assert!(!seat.notices.iter().any(|(_, notice)| matches!(notice, Notice::Closed { .. })));
        assert!(seat.ticks > 1790);
    }
}

/// AUTH-68: a client's copy of another's player, put 0.8 wu aside by hand, is within 0.05 wu of the host's after six
/// ticks, and the host's did not move.
#[test]
fn copies_move_toward_the_host() {
    for loss in [0.0, 2.0] {
        let mut lab = Lab::idle(Plan::new("flat", 43, 2).network(50, loss));
        lab.run_ticks(60);
        let slot = lab.clients[1].slot();
        let there = lab.host.place(slot);
        let world = lab.clients[0].engine.world_mut();
        let unit = world.unit(slot).unwrap();
        world.place(unit, there + Vec3::new(0.8, 0.0, 0.0), None, None);
        // Six of its own ticks.
        let end = lab.clients[0].ticks + 6;
        lab.run_until("six ticks", 1, |lab| lab.clients[0].ticks == end);
        let left = lab.clients[0].place(slot).distance(there);
        assert!(left < 0.05, "{left} wu at {loss} % loss");
        assert_eq!(lab.host.place(slot), there);
        assert!(lab.host.engine.notes.placed == 0 && lab.clients[1].engine.notes.own_moves.is_empty());
    }
}

/// The ticks between a client's own and the one that the host's newest state of its player names, at each of its
/// ticks.
fn echoes(lab: &mut Lab, ticks: u32) -> Vec<Option<i32>> {
    let mut echoes = Vec::new();
    lab.watch_ticks(ticks, |lab, who| {
        if who == Who::Client(0) {
            let seat = &lab.clients[0];
            let tick = seat.ticked.unwrap();
            let (_, state) = seat.net.authority().newest(seat.slot()).unwrap();
            let mjolnir_wire::units::Life::Alive(unit) = state.life else { panic!("{state:?}") };
            let named = unit.predicted.and_then(|low| Tick::widen_not_after(tick, low));
            echoes.push(named.map(|named| tick.since(named)));
        }
    });
    echoes
}

/// AUTH-33: at 100 ms each way every state of the own player names the own tick a round trip ago, by a tick more or
/// less, also where every second prediction is lost; without predictions none does from the fourth tick on.
#[test]
fn the_hosts_states_name_the_clients_tick() {
    let mut lab = Lab::idle(Plan::new("flat", 44, 1).network(100, 0.0));
    lab.run_ticks(60);
    let whole = echoes(&mut lab, 150);
    let trip = whole[0].expect("a tick is named");
    assert!((6..=9).contains(&trip), "{trip}");
    assert!(whole.iter().all(|echo| echo.is_some_and(|ticks| (ticks - trip).abs() <= 1)), "{whole:?}");

    let mut number = 0;
    lab.host.network.meddle(move |_, _| {
        number += 1;
        if number % 2 == 0 { Fate::Lost } else { Fate::Heard }
    });
    let halved = echoes(&mut lab, 150);
    assert!(halved.iter().all(|echo| echo.is_some_and(|ticks| (ticks - trip).abs() <= 1)), "{halved:?}");

    lab.host.network.meddle_no_more();
    lab.run_ticks(30);
    let slot = lab.clients[0].slot();
    lab.clients[0].network.listen();
    lab.host.network.meddle(|_, _| Fate::Lost);
    let taken = lab.host.net.authority().takings().taken;
    lab.run_ticks(60);
    let after = lab.host.net.authority().takings().taken - taken;
    let named = states(lab.clients[0].network.passed(), slot);
    let last = named.iter().rposition(|(_, named)| named.is_some()).unwrap();
    // Those that were on their way, one of the last prediction taken, and three more.
    assert!(named[..=last].iter().all(|(_, named)| named.is_some()));
    assert!(
        (Lab::ticks_of(100) as usize..=Lab::ticks_of(100) as usize + 5).contains(&(last + after as usize)),
        "{last}"
    );
    assert!(named[last + 1..].len() > 40);
}

/// AUTH-04, AUTH-37, AUTH-42: each client is told of every player, each fourth tick at least and never twice in one, of
/// its own in every tick, and of its own alone with its tick.
#[test]
fn everybody_is_told_of_everybody() {
    let mut lab = Lab::play(Plan::new("flat", 45, 15));
    for seat in &mut lab.clients {
        seat.network.listen();
    }
    lab.run_ticks(120);
    let all: Vec<_> = lab.host.net.transport().players().map(|player| player.slot).collect();
    assert_eq!(all.len(), 16);
    for seat in &lab.clients {
        for slot in &all {
            let states = states(seat.network.passed(), *slot);
            let least = if *slot == seat.slot() { 118 } else { 28 };
            assert!((least..=121).contains(&states.len()), "{}", states.len());
            let ticks: std::collections::BTreeSet<_> = states.iter().map(|(tick, _)| tick.get()).collect();
            assert_eq!(ticks.len(), states.len(), "a tick twice");
            let named = states.iter().filter(|(_, named)| named.is_some()).count();
            assert_eq!(named, if *slot == seat.slot() { states.len() } else { 0 });
        }
    }
}
