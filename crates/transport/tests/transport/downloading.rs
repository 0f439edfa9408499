//! Machines that have yet to get the game's map: held out of a game, let in once they have it; excused from limits.

use mjolnir_transport::client::Event;
use mjolnir_transport::host::{self, Download};
use mjolnir_transport::{Client, ClientSettings, NetEvent, StreamId, limits};
use mjolnir_wire::packets::list::{
    Accepted, AddPlayerPregame, AddPlayerRequestIngame, GameStartRequest, RemovePlayerRequestIngame,
};
use mjolnir_wire::packets::{NetworkPlayer, Packet, StartRequest};
use mjolnir_wire::{Kind, MachineSet, Moment, Outbox};

use super::table::{Seen, Table, add_player, bytes_of, data, has_map, join_request, loaded, machine, player};

const HELD: Download = Download { is_held: true, is_excused: true };

fn download(table: &mut Table, index: u8, download: Download) {
    table.host.set_download(table.now, table.tick, machine(index), download);
    table.carry();
}

/// The machines of the players that are there, by slot.
fn there(table: &Table) -> Vec<u8> {
    table.host.players().map(|player| player.machine.get()).collect()
}

/// MAP-11: a host begins without a machine that downloads, whose players are in nobody's settings; what that machine asks for
/// meanwhile waits, and once it has the map all of them join in progress.
#[test]
fn a_game_begins_without_who_downloads() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let b = table.client("10.0.0.3:5151", 2);
    table.step(1);
    download(&mut table, 2, HELD);
    assert_eq!(there(&table), [1, 2, 2], "in the lobby its players are listed");
    table.host.begin_game(table.now, table.tick);
    table.carry();
    assert_eq!(there(&table), [1]);
    assert!(table.packets(a).ends_with(&[8]));
    assert!(!table.packets(b).contains(&8));
    let Packet::SettingsPiece(_) = table.last_packet(a, 6) else { panic!() };
    table.say(a, &loaded());
    table.step(60);
    assert!(table.events.contains(&host::Event::Started), "nobody waits for it");

    // It does not know that the game has begun.
    let had = table.packets(a).len();
    let client = table.peers[b].client.as_mut().unwrap();
    assert!(client.ask_player(player("Third", 2)));
    table.carry();
    for _ in 0..6 {
        table.step(300);
        table.say(a, &has_map());
    }
    assert_eq!(there(&table), [1], "a minute later");
    assert_eq!(table.packets(a)[had..].iter().filter(|kind| **kind == 21).count(), 0);
    assert!(!table.packets(b).contains(&8));

    download(&mut table, 2, Download { is_held: false, is_excused: true });
    table.step(1);
    assert_eq!(there(&table), [1, 2, 2, 2]);
    assert_eq!(table.packets(a)[had..].iter().filter(|kind| **kind == 21).count(), 3);
    assert!(table.packets(b).ends_with(&[6, 6, 6, 6, 8]));
    let now = table.now;
    table.peers[b].client.as_mut().unwrap().loaded(now);
    table.carry();
    assert!(table.events.contains(&host::Event::Loaded { machine: machine(2) }));
}

/// MAP-10: who comes to a game in progress and downloads its map brings its players into the game once it has it; one that asked
/// before the host heard of its download is taken out again.
#[test]
fn who_joins_in_progress_waits_too() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.step(1);
    let had = table.packets(a).len();
    for asks_first in [false, true] {
        let index = if asks_first { 3 } else { 2 };
        let b = table.raw(&format!("10.0.0.{}:5151", 3 + index));
        table.say(b, &Packet::JoinRequest(join_request()));
        assert_eq!(table.packets(b), [4, 6, 6, 6, 6], "the settings name the map");
        if asks_first {
            table.say(b, &add_player("B", 0));
            download(&mut table, index, HELD);
        } else {
            download(&mut table, index, HELD);
            table.say(b, &Packet::AddPlayerRequestIngame(AddPlayerRequestIngame { player: player("B", 0) }));
        }
        table.step(300);
        assert!(!there(&table).contains(&index), "{asks_first}");
        assert!(!table.packets(b).contains(&8));
        table.say(b, &has_map());
        download(&mut table, index, Download::NONE);
        table.step(1);
        assert!(there(&table).contains(&index));
        assert!(table.packets(b).ends_with(&[8]));
    }
    assert_eq!(table.packets(a)[had..].iter().filter(|kind| **kind == 21).count(), 3);
}

/// MAP-10: what a machine said before it asked for its players is heard before they are let in, since it may be that it lacks the map:
/// who says nothing has them at once, who said something with the next poll after that was heard, and who is held by then has not.
#[test]
fn what_was_said_first_is_heard_first() {
    let mut entry = [0; 132];
    (entry[0], entry[4]) = (1, b'x');
    let word = data(Kind::MapShareRequest as u8, 1, 0, &entry);
    for (says, is_held) in [(false, false), (true, false), (true, true)] {
        let mut table = Table::playing(0);
        let b = table.raw("10.0.0.5:5151");
        table.say(b, &Packet::JoinRequest(join_request()));
        if says {
            table.say_bytes(b, &word);
        }
        table.say(b, &add_player("B", 0));
        assert_eq!(there(&table).len(), usize::from(!says), "{says}");
        table.step(10);
        assert_eq!(there(&table).len(), usize::from(!says), "while it is not heard");
        let mut heard = 0;
        while table.host.next_message().is_some() {
            heard += 1;
        }
        assert_eq!(heard, usize::from(says));
        if is_held {
            download(&mut table, 1, HELD);
        }
        table.step(1);
        assert_eq!(there(&table).len(), usize::from(!is_held));
    }
}

/// MAP-11, NET-59: a machine that turns out to lack the map after the start was said to it holds nobody up: the game goes on at once,
/// its players, those that it asks for too, are out of it, and come in once it has the map and has loaded.
#[test]
fn a_start_that_crosses_a_request_waits_for_nobody() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let b = table.raw("10.0.0.3:5151");
    table.say(b, &Packet::JoinRequest(join_request()));
    table.say(b, &add_player("B", 0));
    table.step(1);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    assert!(table.packets(b).ends_with(&[8]));
    table.say(a, &loaded());
    table.step(30);
    assert!(!table.events.contains(&host::Event::Started), "the game waits for it");
    download(&mut table, 2, HELD);
    table.step(1);
    assert!(table.events.contains(&host::Event::Started));
    table.say(b, &Packet::AddPlayerRequestIngame(AddPlayerRequestIngame { player: player("Second", 1) }));
    assert_eq!(there(&table), [1]);
    table.step(300);
    download(&mut table, 2, Download { is_held: false, is_excused: true });
    table.step(1);
    assert_eq!(there(&table), [1, 2, 2]);
    table.say(b, &loaded());
    assert!(table.events.contains(&host::Event::Loaded { machine: machine(2) }));
}

/// MAP-11: of the players that wait for a map a machine has four at most, each at a controller of its own, and of itself alone; one
/// that leaves waits no more.
#[test]
fn players_that_wait_are_its_own_and_four() {
    let mut table = Table::playing(0);
    let a = table.raw("10.0.0.2:5151");
    table.say(a, &Packet::JoinRequest(join_request()));
    download(&mut table, 1, HELD);
    let refused = |table: &Table| table.host.counters().refused.total();
    for controller in 0..4 {
        table.say(a, &add_player("A", controller));
    }
    assert_eq!(refused(&table), 0);
    for controller in [-1, 3, 4] {
        table.say(a, &add_player("A", controller));
    }
    let other = NetworkPlayer { machine: 2, ..player("A", 0) };
    table.say(a, &Packet::AddPlayerRequestIngame(AddPlayerRequestIngame { player: other }));
    assert_eq!(refused(&table), 4);
    let gone = player("A", 1);
    table.say(a, &Packet::RemovePlayerRequestIngame(RemovePlayerRequestIngame { player: gone }));
    download(&mut table, 1, Download::NONE);
    assert_eq!(there(&table), [1, 1, 1]);
}

/// MAP-11: a game that ends while a machine downloads leaves it in the lobby with its players.
#[test]
fn after_a_game_who_waited_is_in_the_lobby() {
    let mut table = Table::new();
    table.joined("10.0.0.2:5151");
    let b = table.client("10.0.0.3:5151", 1);
    table.step(1);
    download(&mut table, 2, HELD);
    table.host.begin_game(table.now, table.tick);
    table.step(30);
    table.host.end_game();
    table.carry();
    assert!(!table.packets(b).contains(&23), "it never knew of the game");
    table.host.to_lobby(table.now);
    table.step(1);
    assert_eq!(there(&table), [1, 2]);
    assert!(table.peers[b].events.contains(&Event::Lobby));
    // And so it goes on: the next game begins without it, and it may come into that.
    table.host.begin_game(table.now, table.tick);
    table.step(1);
    assert_eq!(there(&table), [1]);
    download(&mut table, 2, Download::NONE);
    table.step(1);
    assert!(table.packets(b).ends_with(&[8]));
}

/// MAP-55, NET-58, 29: who is excused is not dropped for bringing no player or loading slowly; once it is not, the limits are
/// those of everybody.
#[test]
fn an_excuse_lasts_as_long_as_it_is_given() {
    for loads in [false, true] {
        let mut table = Table::playing(0);
        let a = table.raw("10.0.0.2:5151");
        table.say(a, &Packet::JoinRequest(join_request()));
        if loads {
            table.say(a, &add_player("A", 0));
            table.step(20);
            assert!(table.packets(a).ends_with(&[8]));
        }
        download(&mut table, 1, Download { is_held: !loads, is_excused: true });
        table.step(30 * 300);
        assert!(!table.peers[a].is_closed, "{loads}");
        download(&mut table, 1, Download { is_held: !loads, is_excused: false });
        table.step(1);
        assert!(table.peers[a].is_closed, "{loads}");
    }
}

/// MAP-55, NET-28: a download excuses nobody from being heard: who is silent in the game is dropped after 15 s all the same.
#[test]
fn silence_in_the_game_is_not_excused() {
    let mut table = Table::playing(0);
    let a = table.joined("10.0.0.2:5151");
    table.step(1);
    table.say(a, &loaded());
    download(&mut table, 1, HELD);
    table.step(449);
    assert!(!table.peers[a].is_closed);
    table.step(2);
    assert!(table.peers[a].is_closed);
}

/// MAP-11: a machine that downloads and brings no player holds no countdown, however long it is excused; one that lacks nothing does.
#[test]
fn who_downloads_without_a_player_holds_no_start() {
    for (is_held, starts) in [(true, true), (false, false)] {
        let mut table = Table::new();
        let a = table.joined("10.0.0.2:5151");
        let b = table.raw("10.0.0.3:5151");
        table.say(b, &Packet::JoinRequest(join_request()));
        download(&mut table, 2, Download { is_held, is_excused: true });
        table.say(a, &Packet::GameStartRequest(GameStartRequest { request: StartRequest::StartNow }));
        table.step(14 * 30);
        assert_eq!(table.events.contains(&host::Event::StartDue), starts, "{is_held}");
    }
}

/// NET-30: a machine that waits for the map hears what it is told by itself, and nothing of the game.
#[test]
fn who_waits_hears_of_the_map() {
    let mut table = Table::playing(0);
    let a = table.raw("10.0.0.2:5151");
    table.say(a, &Packet::JoinRequest(join_request()));
    let mut outbox = Outbox::new();
    outbox.begin(table.tick, 0);
    outbox.message(MachineSet::CLIENTS, Kind::MapShareSources, 0, |_| {}).unwrap();
    table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
    table.carry();
    assert!(!table.peers[a].seen.iter().any(|(_, seen)| matches!(seen, Seen::Data(_))));
    table.host.flush_told(table.now, &outbox, machine(1));
    table.host.flush_told(table.now, &outbox, machine(5));
    table.carry();
    assert_eq!(table.peers[a].seen.last().unwrap().1, Seen::Data(Kind::MapShareSources));
}

/// MAP-10, 12: a client that waits to know its map brings its players when it is told to, and says that it has the map when it has;
/// to a host that names no map it brings them after a second.
#[test]
fn a_client_waits_with_its_players() {
    let mut table = Table::new();
    let mut client = Client::new(table.now, ClientSettings::new("A", vec![player("A", 0)]));
    client.set_gated(true);
    let a = table.add("10.0.0.2:5151", Some(client));
    table.step(1);
    assert_eq!(there(&table), [0_u8; 0]);
    assert!(table.peers[a].events.contains(&Event::Settings));
    table.step(60);
    assert_eq!(there(&table), [0_u8; 0], "its settings have come: it is for whoever runs it to say");
    table.peers[a].client.as_mut().unwrap().bring_players();
    table.peers[a].client.as_mut().unwrap().bring_players();
    table.step(1);
    assert_eq!(there(&table), [1]);

    // A host that names no map.
    let start = Moment::START;
    let mut client = Client::new(start, ClientSettings::new("B", vec![player("B", 0)]));
    client.set_gated(true);
    let stream = StreamId(0);
    client.handle(start, NetEvent::Opened { stream, address: "10.0.0.1:5150".parse().unwrap() });
    let bytes = &bytes_of(&Packet::Accepted(Accepted { seed: 0, machine: 1 }));
    client.handle(start, NetEvent::Bytes { stream, bytes });
    for (after, asked) in [(limits::SETTINGS_LIMIT - 1, false), (limits::SETTINGS_LIMIT, true)] {
        client.clear_transmits();
        client.poll(start.plus(after));
        let wants = bytes_of(&Packet::AddPlayerPregame(AddPlayerPregame {
            player: NetworkPlayer { machine: 1, ..player("B", 0) },
        }));
        assert_eq!(client.transmits().writes().any(|(_, bytes)| bytes == wants), asked, "{after}");
    }
}
