//! What time and numbers end.

use mjolnir_transport::{Why, client, host, household};
use mjolnir_wire::packets::list::{self, ClientUpdate};
use mjolnir_wire::packets::values::Actions;
use mjolnir_wire::packets::{Packet, Rejection};
use mjolnir_wire::{Kind, MachineSet, Outbox};

use super::table::{Seen, Table, add_player, bytes_of, has_map, join_request, loaded, machine, player};

fn update() -> Vec<u8> {
    bytes_of(&Packet::ClientUpdate(ClientUpdate { next_update: 0, actions: Actions::default() }))
}

/// NET-27: ten seconds to join.
#[test]
fn a_machine_joins_within_ten_seconds() {
    let mut table = Table::new();
    let a = table.raw("10.0.0.2:5151");
    table.wait_millis(9_900);
    assert!(!table.peers[a].is_closed);
    table.wait_millis(100);
    assert!(table.peers[a].is_closed);
    assert_eq!(table.refused("not_joined"), 1);
}

/// NET-58: fifteen seconds to bring a player.
#[test]
fn a_machine_brings_a_player_within_fifteen_seconds() {
    let mut table = Table::new();
    let none = table.raw("10.0.0.2:5151");
    let one = table.raw("10.0.0.3:5151");
    for peer in [none, one] {
        table.say(peer, &Packet::JoinRequest(join_request()));
    }
    table.wait_millis(14_900);
    assert!(!table.peers[none].is_closed);
    table.say(one, &add_player("A", 0));
    table.wait_millis(200);
    assert!(table.peers[none].is_closed);
    assert!(!table.peers[one].is_closed);
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::NoPlayer }));
}

/// NET-28: fifteen seconds of silence; anything counts as heard, a client update too.
#[test]
fn a_silent_machine_is_dropped_from_the_game() {
    let mut table = Table::playing(0);
    let quiet = table.in_game("10.0.0.2:5151");
    let only_updates = table.in_game("10.0.0.3:5151");
    let only_stream = table.in_game("10.0.0.4:5151");
    for second in 0..15 {
        table.wait_millis(if second == 14 { 900 } else { 1000 });
        table.datagram(only_updates, &update());
        table.say(only_stream, &has_map());
    }
    assert!(!table.peers[quiet].is_closed);
    table.wait_millis(100);
    assert!(table.peers[quiet].is_closed);
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::Silent }));
    assert_eq!(table.host.machines().len(), 2);
}

/// NET-29, 31: two minutes to load, a keep-alive each five seconds and nothing else; silence does not count.
#[test]
fn a_late_joiner_loads_within_two_minutes() {
    let mut table = Table::playing(0);
    let a = table.joined("10.0.0.2:5151");
    table.wait_millis(50);
    let had = table.packets(a).len();
    assert_eq!(table.packets(a)[had - 1], 8);
    table.wait_millis(60_000);
    assert_eq!(table.packets(a)[had..], [10; 12]);
    table.wait_millis(59_850);
    assert!(!table.peers[a].is_closed);
    table.wait_millis(200);
    assert!(table.peers[a].is_closed);
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::NotLoaded }));
}

/// NET-59: at the start machines are waited for a minute; who loads later joins in progress.
#[test]
fn the_start_waits_a_minute() {
    let mut table = Table::new();
    let slow = table.joined("10.0.0.2:5151");
    let quick = table.joined("10.0.0.3:5151");
    table.host.begin_game(table.now, table.tick);
    table.say(quick, &loaded());
    // It is heard, or it would be dropped.
    for _ in 0..5 {
        table.wait_millis(10_000);
        table.datagram(quick, &update());
    }
    table.wait_millis(9_900);
    table.datagram(quick, &update());
    assert!(!table.events.contains(&host::Event::Started));
    table.wait_millis(100);
    assert!(table.events.contains(&host::Event::Started));
    table.say(slow, &loaded());
    assert_eq!(table.host.in_game().len(), 2);
}

/// NET-26, 31: while the host's own machine loads the game is closed and does not go on, and those who have loaded
/// hear each five seconds that it is there.
#[test]
fn the_start_waits_for_the_host() {
    let mut table = Table::new();
    let a = table.client("10.0.0.2:5151", 1);
    table.step(30);
    table.host.set_loading(table.now, true);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.carry();
    let had = table.packets(a).len();
    table.wait_millis(100_000);
    assert!(!table.events.contains(&host::Event::Started));
    assert_eq!(table.packets(a)[had..], [10; 20]);
    assert!(!table.peers[a].is_closed);
    let late = table.joined("10.0.0.3:5151");
    assert_eq!(table.packets(late), [5]);
    table.host.set_loading(table.now, false);
    table.wait_millis(10_000);
    assert!(table.events.contains(&host::Event::Started));
    assert_eq!(table.packets(a).len(), had + 20, "from here the updates say that it is there");
}

/// NET-62: two connections of an address that have not joined; loopback's are not counted.
#[test]
fn an_address_has_two_unjoined_connections() {
    let mut table = Table::new();
    let peers: Vec<_> = (0..3).map(|_| table.raw("10.0.0.2:5151")).collect();
    let closed: Vec<_> = peers.iter().map(|peer| table.peers[*peer].is_closed).collect();
    assert_eq!(closed, [false, false, true]);
    let local: Vec<_> = (0..15).map(|i| table.raw(&format!("127.0.0.1:{}", 6000 + i))).collect();
    assert!(local.iter().all(|peer| !table.peers[*peer].is_closed));
    table.say(peers[0], &Packet::JoinRequest(join_request()));
    let next = table.raw("10.0.0.2:5151");
    assert!(!table.peers[next].is_closed, "one of them has joined");
}

/// NET-62, 34: an IPv6 machine's 2^64 addresses are one, for strangers, for added players and for who is kept out.
#[test]
fn the_addresses_of_one_ipv6_machine_are_one() {
    let mut table = Table::playing(0);
    let unjoined = ["::1", "::2", "::3"].map(|end| table.raw(&format!("[2001:db8:0:7{end}]:5151")));
    assert_eq!(unjoined.map(|peer| table.peers[peer].is_closed), [false, false, true]);
    let other = table.raw("[2001:db8:0:8::1]:5151");
    assert!(!table.peers[other].is_closed, "the next network is another's");

    for i in 0..9 {
        table.in_game(&format!("[2001:db8:0:9::{i}]:5151"));
    }
    assert_eq!(table.host.players().count(), 8);

    table.host.set_gated(true);
    let kept_out = household("2001:db8:0:a::1".parse().unwrap());
    for (address, packets) in
        [("[2001:db8:0:a:1:2:3:4]:5151", [5].as_slice()), ("[2001:db8:0:b::1]:5151", &[4, 6, 6, 6, 6])]
    {
        let peer = table.raw(address);
        table.say(peer, &Packet::JoinRequest(join_request()));
        let Some(host::Event::Asking { address: asking, .. }) = table.events.last() else {
            panic!("{address}")
        };
        let is_out = household(asking.real.ip()) == kept_out;
        let answer = if is_out { Err(Rejection::Blacklisted) } else { Ok(()) };
        assert_eq!(table.answer(peer, answer), Ok(()));
        assert_eq!(table.packets(peer), packets, "{address}");
    }
}

/// NET-62: fifteen machines of one computer join a game in progress; of another address eight players do.
#[test]
fn an_address_adds_eight_players() {
    let mut table = Table::playing(0);
    for i in 0..15 {
        table.joined(&format!("127.0.0.1:{}", 6000 + i));
    }
    assert_eq!(table.host.players().count(), 15);
    for _ in 0..3 {
        let peer = table.raw("10.0.0.2:5151");
        table.say(peer, &Packet::JoinRequest(join_request()));
        (0..3).for_each(|controller| table.say(peer, &add_player("A", controller)));
    }
    assert_eq!(table.host.players().count(), 15 + 8);
    assert_eq!(table.refused("too_many_players"), 1);
}

/// NET-62: who reads nothing for two seconds is removed; the others play on.
#[test]
fn a_stalled_reader_is_removed() {
    let mut table = Table::playing(0);
    let stalled = table.in_game("10.0.0.2:5151");
    let other = table.in_game("10.0.0.3:5151");
    table.peers[stalled].reads = false;
    table.host.send_update(MachineSet::CLIENTS, 1, table.tick);
    table.carry();
    assert_eq!(table.host.unsent(machine(1)), 17);
    table.wait_millis(1_900);
    assert!(!table.peers[stalled].is_closed);
    table.wait_millis(150);
    assert!(table.peers[stalled].is_closed);
    assert!(table.events.contains(&host::Event::Left { machine: machine(1), why: Why::Stalled }));
    assert!(!table.peers[other].is_closed);
}

/// NET-62: a ring's bytes are bounded whatever the time.
#[test]
fn a_streams_ring_is_bounded() {
    let mut table = Table::playing(0);
    let stalled = table.in_game("10.0.0.2:5151");
    table.peers[stalled].reads = false;
    let mut outbox = Outbox::new();
    for _ in 0..3 {
        outbox.begin(table.tick, 0);
        for _ in 0..100 {
            outbox
                .message(MachineSet::CLIENTS, Kind::GameState, 0, |body| body.resize(body.len() + 4000, 0))
                .unwrap();
        }
        table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
        table.step(1);
    }
    assert!(table.peers[stalled].is_closed, "a megabyte is passed in the third tick");
    assert_eq!(table.host.unsent(machine(1)), 0);
}

/// NET-30: a machine that loads is sent nothing of the game.
#[test]
fn a_loading_machine_hears_nothing_of_the_game() {
    let mut table = Table::playing(0);
    let a = table.joined("10.0.0.2:5151");
    table.step(1);
    let mut outbox = Outbox::new();
    outbox.begin(table.tick, 0);
    outbox.message(MachineSet::CLIENTS, Kind::ObjectsSynchronized, 0, |_| {}).unwrap();
    outbox.entry(MachineSet::CLIENTS, Kind::Pings, |bytes| bytes.extend([0; 4])).unwrap();
    table.host.send_update(MachineSet::CLIENTS, 1, table.tick);
    table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
    table.carry();
    assert_eq!(table.packets(a), [4, 6, 6, 6, 6, 6, 6, 6, 6, 8]);
    table.say(a, &loaded());
    table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
    table.carry();
    assert_eq!(table.peers[a].seen.last().unwrap().1, Seen::Data(Kind::ObjectsSynchronized));
    assert!(table.peers[a].datagrams.is_empty(), "nor where its datagrams come from is known");
}

/// NET-27, 28: a client gives up a host that does not answer, and one that falls silent.
#[test]
fn a_client_gives_a_silent_host_up() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let mut client = table.peers.remove(a).client.unwrap();
    let start = table.now;
    client.loaded(start);
    client.poll(start.plus(14_999_999));
    assert_eq!(client.next_event(), None);
    client.poll(start.plus(15_000_000));
    assert_eq!(client.next_event(), Some(client::Event::Closed { why: Why::Silent }));
    let settings = mjolnir_transport::ClientSettings::new("Box", vec![player("A", 0)]);
    let mut alone = mjolnir_transport::Client::new(start, settings);
    alone.poll(start.plus(9_999_999));
    assert_eq!(alone.next_event(), None);
    alone.poll(start.plus(10_000_000));
    assert_eq!(alone.next_event(), Some(client::Event::Closed { why: Why::NotJoined }));
}

/// NET-72: an index is given anew once its players' removal was told.
#[test]
fn an_index_is_given_anew() {
    let mut table = Table::playing(0);
    let first = table.in_game("10.0.0.2:5151");
    let second = table.in_game("10.0.0.3:5151");
    table.drop_stream(first);
    let third = table.joined("10.0.0.4:5151");
    let Packet::Accepted(accepted) = table.last_packet(third, 4) else { panic!() };
    assert_eq!(accepted.machine, 1);
    let told: Vec<_> = table.packets(second).into_iter().filter(|number| [21, 22].contains(number)).collect();
    assert_eq!(told, [22, 21]);
    let Packet::AddPlayerIngame(list::AddPlayerIngame { player }) = table.last_packet(second, 21) else {
        panic!()
    };
    assert_eq!((player.machine, player.slot), (1, 2));
}

/// NET-76: who is heard by its stream alone for five seconds is told of once, and again when its datagrams are back.
#[test]
fn a_machine_of_one_path_is_told_of_once() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    let lost = host::Event::DatagramsLost { machine: machine(1) };
    let back = host::Event::DatagramsBack { machine: machine(1) };
    table.wait_millis(4_950);
    table.say(a, &has_map());
    assert!(!table.events.contains(&lost));
    table.wait_millis(50);
    assert_eq!(table.events.last(), Some(&lost));
    for _ in 0..12 {
        table.say(a, &has_map());
        table.wait_millis(5_000);
    }
    assert_eq!(table.events.last(), Some(&lost));
    assert_eq!(table.events.iter().filter(|event| **event == lost).count(), 1);
    assert!(!table.peers[a].is_closed, "it is not dropped for it");
    table.datagram(a, &update());
    assert_eq!(table.events.last(), Some(&back));
}

/// NET-76: the client's end of it.
#[test]
fn a_client_notices_that_it_hears_the_stream_alone() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    for _ in 0..60 {
        table.wait_millis(100);
        table.host.send_update(MachineSet::CLIENTS, 1, table.tick);
    }
    table.carry();
    let told = |table: &Table, event| table.peers[a].events.iter().filter(|had| **had == event).count();
    assert_eq!(
        (told(&table, client::Event::DatagramsLost), told(&table, client::Event::DatagramsBack)),
        (1, 0)
    );
    let mut outbox = Outbox::new();
    outbox.begin(table.tick, 0);
    outbox.entry(MachineSet::CLIENTS, Kind::Pings, |bytes| bytes.extend([0; 4])).unwrap();
    table.host.flush(table.now, table.tick, &outbox, MachineSet::CLIENTS);
    table.carry();
    assert_eq!(
        (told(&table, client::Event::DatagramsLost), told(&table, client::Event::DatagramsBack)),
        (1, 1)
    );
}
