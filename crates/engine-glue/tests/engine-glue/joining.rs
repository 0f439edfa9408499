//! Joining: what the game is told, in which order, on both ends.

use mjolnir_engine_glue::engine::Role;
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::Kind;
use mjolnir_wire::packets::{Packet, StartRequest, list};

use super::game::{Call, unit_of};
use super::table::{Said, Seat, Table, player, record, slot};

fn add(slot: u8, machine: u8, local: Option<u8>) -> Call {
    Call::Add { slot, machine, local, team: slot }
}

/// GLUE-17: the one query of the role reaches each game once, and only the host's is asked to decide.
#[test]
fn the_role_reaches_the_game() {
    let mut table = Table::new(1);
    table.seat(1);
    table.run(1_000);
    table.begin(0);
    table.run(3_000);
    let unit = [0, 1].map(|index| unit_of(slot(index)));
    let [own, other] = [Some(0), None];
    assert_eq!(
        table.game.turns(),
        [Call::Load(Role::Host), add(0, 0, own), Call::Admit(0), add(1, 1, other), Call::Admit(1)]
    );
    assert_eq!(
        table.seats[0].game.turns(),
        [
            Call::Load(Role::Client),
            add(0, 0, other),
            add(1, 1, own),
            Call::Make(unit[0]),
            Call::Make(unit[1])
        ]
    );
    assert_eq!(table.host.own_slots(), [slot(0)]);
    assert_eq!(table.seats[0].client.own_slots(), [slot(1)]);
}

/// OBJ-04, NET-60: a client says that it has loaded (24), hears its first update (20), and then asks for the
/// objects (9); before the update its game is asked for no tick, after it every tick says an input and a place.
#[test]
fn a_client_asks_after_its_first_update() {
    let mut table = Table::playing(200_000);
    let a = table.seat(1);
    table.run(2_000);
    let said = &table.seats[a].network;
    let loaded = said.first(Said::Packet(24)).unwrap();
    let asked = said.first(Said::Stream(Kind::ClientReady)).unwrap();
    assert!(loaded < asked);
    assert!(said.said[..asked].iter().all(|said| matches!(said, Said::Packet(_))));
    let [update, listed] = [Said::Packet(20), Said::Stream(Kind::ObjectsSynchronized)]
        .map(|said| table.network.first(said).unwrap());
    assert!(update < listed, "the host hears the ask once the update was heard");
    let game = &table.seats[a].game;
    let ticks = game.ticks();
    assert_eq!(game.tick_of(&Call::Load(Role::Client)), ticks.first().copied());
    assert!(ticks.windows(2).all(|pair| pair[1] > pair[0]));
    // The first tick's unreliable messages that overtook the update were refused, and nothing else.
    let refused = table.seats[a].client.counters().refused;
    assert!(refused.iter().all(|(reason, count)| *reason == "no_baseline" && *count <= 1), "{refused:?}");
}

/// CLOCK-04, NET-24: who joins in progress is added at once on the host, admitted once it has loaded, and its clock is
/// never ahead of what it was told and the ticks since.
#[test]
fn a_late_machine_is_admitted_once_it_has_loaded() {
    let mut table = Table::playing(5_000);
    let a = table.seat(2);
    table.seats[a].game.loaded = false;
    table.run(4_000);
    assert_eq!(table.game.turns(), [Call::Load(Role::Host), add(0, 1, None), add(1, 1, None)]);
    assert_eq!(table.seats[a].client.stage(), client::Stage::Loading);
    // It was told the time once, and has counted each tick of some four seconds since.
    let counted = table.seats[a].client.clock().tick().unwrap();
    let behind = table.host.now_tick().since(counted);
    assert!((0..=2).contains(&behind), "{behind} ticks behind while it loads");
    table.seats[a].game.loaded = true;
    table.run(1_000);
    assert_eq!(table.game.turns()[3..], [Call::Admit(0), Call::Admit(1)]);
    let first = table.seats[a].game.ticks()[0];
    let admitted = table.game.tick_of(&Call::Admit(0)).unwrap();
    assert!((0..=2).contains(&(first - admitted)), "{first} after {admitted}");
    assert!(table.seats[a].game.place(1).is_some());
}

/// CLOCK-03: in a game that begins from the lobby there is no time before the first update, however long loading
/// took and though no countdown ran: the client's first tick is the one after the host's as last heard.
#[test]
fn a_game_from_the_lobby_has_no_time_before_its_first_update() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.seats[a].game.loaded = false;
    table.begin(100);
    table.run(4_000);
    assert_eq!(table.seats[a].client.clock().tick(), None);
    table.seats[a].game.loaded = true;
    table.run(1_000);
    let first = table.seats[a].game.ticks()[0];
    assert!((102..=103).contains(&first), "{first}");
}

/// NET-57: a client asks for the start, the countdown is shown to all, and its end is told to whoever runs the host.
#[test]
fn a_countdown_ends_in_a_start() {
    let mut table = Table::new(0);
    let a = table.seat(1);
    table.run(1_000);
    table.seats[a].client.ask_start(StartRequest::StartNow);
    table.run(5_100);
    assert!(table.host.take_notices().contains(&host::Notice::StartDue));
    let counted = table.seats[a].client.take_notices();
    let counted = counted.iter().filter(|notice| matches!(notice, client::Notice::Countdown { .. }));
    assert_eq!(counted.count(), 6);
    table.begin(0);
    table.run(1_000);
    assert_eq!(table.seats[a].client.stage(), client::Stage::Playing);
}

/// NET-26, 31: a host whose own game loads slowly keeps those who have loaded, lets nobody in meanwhile, calls
/// nobody silent, and begins for all at once.
#[test]
fn a_host_that_loads_slowly_is_waited_for() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.game.loaded = false;
    table.begin(0);
    table.run(20_000);
    assert_eq!(table.host.stage(), host::Stage::Loading);
    assert!(table.game.asked > 1_000, "asked in every frame");
    assert!(table.seats[a].client.transport().is_in_game());
    assert_eq!(table.seats[a].network.first(Said::Stream(Kind::ClientReady)), None);
    let late = table.seat(1);
    table.run(1_000);
    assert_eq!(table.seats[late].client.stage(), client::Stage::Closed);
    let asked = table.game.asked;
    table.game.loaded = true;
    table.run(1_000);
    assert_eq!(table.game.asked, asked + 1, "and no more once it is there");
    assert!((2..=3).contains(&table.seats[a].game.ticks()[0]));
    assert_eq!(table.game.count(&Call::Admit(1)), 1);
    let silent = |notice: &host::Notice| matches!(notice, host::Notice::Silent { .. });
    assert!(!table.host.take_notices().iter().any(silent));
}

/// NET-78: a player that its machine brings just before it says that it has loaded, just after, or as it plays is added
/// and then admitted, once.
#[test]
fn a_second_player_is_admitted_once() {
    for first in [true, false] {
        let mut table = Table::playing(0);
        let a = table.seat(1);
        table.seats[a].game.loaded = false;
        table.run(1_000);
        table.seats[a].game.loaded = true;
        // The host has both in one read.
        let now = table.now;
        let Seat { client, game, network } = &mut table.seats[a];
        if first {
            network.slip(now, &brings(1));
        }
        client.frame(now, game, network);
        if !first {
            network.slip(now, &brings(1));
        }
        table.run(1_000);
        let now = table.now;
        table.seats[a].network.slip(now, &brings(2));
        table.run(1_000);
        for slot in 0..3 {
            assert_eq!(table.game.count(&Call::Admit(slot)), 1, "{slot}");
            let own = Call::Add { slot, machine: 1, local: Some(slot), team: slot };
            assert_eq!(table.seats[a].game.count(&own), 1, "{slot}");
            assert!(table.seats[a].game.place(slot).is_some());
        }
        assert_eq!(table.seats[a].client.own_slots().len(), 3);
    }
}

fn brings(controller: i8) -> Packet<'static> {
    Packet::AddPlayerRequestIngame(list::AddPlayerRequestIngame { player: player(controller) })
}

/// CLOCK-15, 16: a machine that is cut off is told of once, and the client knows that it has a problem.
#[test]
fn a_silent_client_is_told_of_once() {
    let mut table = Table::playing(0);
    let a = table.seat(1);
    table.run(2_000);
    table.host.take_notices();
    table.switch.partition("10.0.0.2:5150".parse().unwrap(), true);
    table.run(5_000);
    let silent = |notice: &host::Notice| matches!(notice, host::Notice::Silent { .. });
    assert_eq!(table.host.take_notices().iter().filter(|notice| silent(notice)).count(), 1);
    assert!(table.seats[a].client.clock().has_problem(table.now));
}

/// TOOL-70, NET-64: a game is chosen and players come to a lobby that was open without them, the host's and a client's, and to
/// the game itself; a machine's fifth is refused and changes nothing. No game is chosen while one is played.
#[test]
fn players_and_the_game_come_when_they_are_asked_for() {
    let mut table = Table::new(0);
    let a = table.seat(0);
    table.run(1_000);
    assert_eq!(table.host.transport().players().count(), 0);
    let mut teams = record();
    teams.variant.teams = 1;
    let mut bad = teams.clone();
    bad.options.friendly_fire = 4;
    assert!(!table.host.set_game(&bad) && table.host.set_game(&teams));
    table.host.add_own_player(&player(3)).unwrap();
    assert!(table.seats[a].client.ask_player(player(3)));
    table.run(1_000);
    table.begin(0);
    table.run(3_000);
    assert!(!table.host.set_game(&teams), "a game is played");
    let begun = |game: &super::game::Game, own: u8| {
        (0..2).for_each(|slot| {
            let local = (slot == own).then_some(0);
            let added = Call::Add { slot, machine: slot, local, team: slot };
            assert_eq!(game.count(&added), 1, "{:?}", game.turns());
        });
    };
    begun(&table.game, 0);
    begun(&table.seats[a].game, 1);

    for _ in 0..3 {
        table.host.add_own_player(&player(0)).unwrap();
        assert!(table.seats[a].client.ask_player(player(0)));
    }
    assert!(table.host.add_own_player(&player(0)).is_err());
    assert!(!table.seats[a].client.ask_player(player(0)));
    table.run(1_000);
    assert_eq!(table.host.transport().players().count(), 8);
    assert_eq!((table.host.own_slots().len(), table.seats[a].client.own_slots().len()), (4, 4));
    let added = |game: &super::game::Game| {
        game.turns().iter().filter(|call| matches!(call, Call::Add { .. })).count()
    };
    assert_eq!((added(&table.game), added(&table.seats[a].game)), (8, 8));
}
