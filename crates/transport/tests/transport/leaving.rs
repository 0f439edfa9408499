//! Leaving, and what a client does not hear outside its game.

use mjolnir_transport::{Client, ClientSettings, NetEvent, StreamId, Why, client, host};
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{self, AddPlayerIngame, GameUpdate, RemovePlayerIngame};
use mjolnir_wire::packets::values::SkippedActions;
use mjolnir_wire::packets::{Packet, write_settings};
use mjolnir_wire::{Moment, Tick};

use super::table::{HOST_ADDRESS, Seen, Table, bytes_of, machine, player, record};

/// NET-63, 35: a player's leaving is told for 33 ticks later, to those in the game.
#[test]
fn a_leaver_is_told_for_33_ticks_later() {
    let mut table = Table::playing(1000);
    let a = table.in_game("10.0.0.2:5151");
    let b = table.in_game("10.0.0.3:5151");
    table.step(10);
    let now = table.tick;
    table.drop_stream(a);
    let Packet::RemovePlayerIngame(told) = table.last_packet(b, 22) else { panic!() };
    assert_eq!((told.player.slot, told.at), (0, now.plus(33)));
    let removed = table.events.iter().find_map(|event| match event {
        host::Event::PlayerRemoved { player, at } => Some((player.slot.get(), *at)),
        _ => None,
    });
    assert_eq!(removed, Some((0, now.plus(33))));
    assert_eq!(table.events.last(), Some(&host::Event::Left { machine: machine(1), why: Why::Gone }));
    assert!(table.host.player(mjolnir_wire::Slot::new(0).unwrap()).unwrap().left, "its slot stays its own");
}

/// NET-53: a client says once that it leaves, by the packet of where it is.
#[test]
fn a_client_says_once_that_it_leaves() {
    for is_game in [false, true] {
        let mut table = if is_game { Table::playing(0) } else { Table::new() };
        let a = table.client("10.0.0.2:5151", 1);
        table.step(1);
        let now = table.now;
        let client = table.peers[a].client.as_mut().unwrap();
        client.loaded(now);
        client.leave();
        client.leave();
        table.carry();
        let number = if is_game { 34 } else { 18 };
        assert_eq!(table.peers[a].sent.iter().filter(|seen| **seen == Seen::Packet(number)).count(), 1);
        assert_eq!(table.peers[a].events.last(), Some(&client::Event::Closed { why: Why::Left }));
        let left = table.events.iter().filter(|event| matches!(event, host::Event::Left { .. })).count();
        assert_eq!((left, table.host.machines().len()), (1, 0));
        assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::Left }));
    }
}

/// NET-53: a host that leaves says so before its streams end; its clients know that it was in order.
#[test]
fn a_host_says_once_that_it_leaves() {
    for is_game in [false, true] {
        let mut table = if is_game { Table::playing(0) } else { Table::new() };
        let a = table.client("10.0.0.2:5151", 1);
        let stranger = table.raw("10.0.0.3:5151");
        table.host.leave();
        table.host.leave();
        table.carry();
        assert_eq!(table.packets(a).last(), Some(&if is_game { 31 } else { 9 }));
        assert_eq!(table.peers[a].events.last(), Some(&client::Event::Closed { why: Why::Left }));
        assert!(table.peers[stranger].is_closed);
    }
}

/// NET-44: who is removed is told before the stream ends.
#[test]
fn who_is_kicked_is_told() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.host.kick(table.tick, machine(1));
    table.carry();
    let why = Why::Rejected(mjolnir_wire::packets::Rejection::Blacklisted);
    assert_eq!(table.peers[a].events.last(), Some(&client::Event::Closed { why }));
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::Kicked }));
}

/// A client at that point of a session, its events read.
fn client_at(phase: &str) -> Client {
    let mut client = Client::new(Moment::START, ClientSettings::new("Box", vec![player("A", 0)]));
    let stream = StreamId(0);
    client.handle(Moment::START, NetEvent::Opened { stream, address: HOST_ADDRESS.parse().unwrap() });
    let mut bytes = Vec::new();
    if phase != "joining" {
        bytes.extend(bytes_of(&Packet::Accepted(list::Accepted { seed: 1, machine: 1 })));
        write_settings(&record(), &mut bytes).unwrap();
    }
    if ["loading", "game", "scores"].contains(&phase) {
        bytes.extend(bytes_of(&Packet::BeginGame(list::BeginGame { time: 5 })));
    }
    client.handle(Moment::START, NetEvent::Bytes { stream, bytes: &bytes });
    if ["game", "scores"].contains(&phase) {
        client.loaded(Moment::START);
    }
    if phase == "scores" {
        let bytes = bytes_of(&Packet::GameOver(list::GameOver { value: Unread }));
        client.handle(Moment::START, NetEvent::Bytes { stream, bytes: &bytes });
    }
    while client.next_event().is_some() {}
    client
}

fn events(client: &mut Client) -> usize {
    std::iter::from_fn(|| client.next_event()).count()
}

/// NET-79, 60: outside a game updates and players coming and going are eaten; while it loads players are kept.
#[test]
fn outside_its_game_a_client_eats_what_is_the_games() {
    let at = Tick::new(7).unwrap();
    let packets = [
        Packet::GameUpdate(GameUpdate { number: 1, seed: 9, time: at, actions: SkippedActions }),
        Packet::AddPlayerIngame(AddPlayerIngame { player: player("B", 0) }),
        Packet::RemovePlayerIngame(RemovePlayerIngame { player: player("B", 0), at }),
    ];
    for (phase, heard) in [("joining", 0), ("lobby", 0), ("loading", 0), ("game", 90), ("scores", 0)] {
        let mut client = client_at(phase);
        for packet in packets.iter().flat_map(|packet| std::iter::repeat_n(packet, 30)) {
            client.handle(Moment::START, NetEvent::Bytes { stream: StreamId(0), bytes: &bytes_of(packet) });
        }
        assert_eq!(events(&mut client), heard, "{phase}");
        assert_eq!(client.counters().refused.total(), 0, "{phase}");
        if phase == "loading" {
            client.loaded(Moment::START);
            assert_eq!(events(&mut client), 60, "players are told once it has loaded");
        }
    }
}

/// NET-09, 48, NET-08 (in part: a client that lists and pings no game): by datagram a client takes no packet, not from
/// its host's address either.
#[test]
fn a_client_takes_no_packet_by_datagram() {
    let mut client = client_at("game");
    let address = HOST_ADDRESS.parse().unwrap();
    for info in mjolnir_wire::packets::PACKETS {
        let mut bytes = (((info.size as u16) << 4) | 3 << 2).to_be_bytes().to_vec();
        bytes.push(1);
        bytes.resize(info.size - 1, 0);
        bytes.push(info.number);
        client.handle(Moment::START, NetEvent::Datagram { from: address, bytes: &bytes });
    }
    assert_eq!(events(&mut client), 0);
    let counters = client.counters();
    assert_eq!(counters.refused.total() + counters.dropped.undecodable, 35);
    assert!(client.is_in_game());
}

/// NET-45, 11: nor anything from another address, nor before the host's first update.
#[test]
fn a_client_takes_datagrams_from_its_host_alone() {
    let mut client = client_at("game");
    let tick = Tick::new(7).unwrap();
    let update = Packet::GameUpdate(GameUpdate { number: 1, seed: 0, time: tick, actions: SkippedActions });
    let ping = super::table::batch(7, &[(19, 1, 7, &[0; 4])]);
    let address: std::net::SocketAddr = HOST_ADDRESS.parse().unwrap();
    client.handle(Moment::START, NetEvent::Datagram { from: address, bytes: &ping });
    assert!(client.next_message().is_none(), "before the first update its host's time is not known");
    client.handle(Moment::START, NetEvent::Bytes { stream: StreamId(0), bytes: &bytes_of(&update) });
    for (from, taken) in
        [("10.0.0.1:5150", 1), ("10.0.0.1:5151", 0), ("10.0.0.3:5150", 0), ("[::ffff:10.0.0.1]:5150", 1)]
    {
        client.handle(Moment::START, NetEvent::Datagram { from: from.parse().unwrap(), bytes: &ping });
        let mut count = 0;
        while client.next_message().is_some() {
            count += 1;
        }
        assert_eq!(count, taken, "{from}");
    }
    assert_eq!(client.counters().refused.of("unknown_address"), 2);
}
