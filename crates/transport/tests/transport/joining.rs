//! Joining, in the lobby and in progress.

use mjolnir_transport::{HostSettings, NetEvent, Why, client, host};
use mjolnir_wire::Kind;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::list::{self, AddPlayerRequestIngame, JoinRequest};
use mjolnir_wire::packets::values::SkippedActions;
use mjolnir_wire::packets::{PACKETS, Packet, Rejection};

use super::table::{
    Seen, Table, add_player, bytes_of, data, has_map, input, join_request, loaded, machine, player, record,
};

/// NET-53, 71: the trace of both ways from connecting to the second round is the format's order.
#[test]
fn a_join_goes_in_order() {
    let mut table = Table::new();
    let a = table.client("10.0.0.2:5151", 2);
    assert_eq!(table.packets(a), [4, 6, 6, 6, 6]);
    assert_eq!(table.peers[a].sent, [12, 15, 13, 13, 19].map(Seen::Packet));
    assert_eq!(
        table.peers[a].events,
        [client::Event::Accepted { machine: machine(1), seed: 0x89AB_CDEF }, client::Event::Settings,]
    );
    table.step(30);
    assert_eq!(table.packets(a)[5..], [6; 4], "once more with the players in it");
    assert_eq!(table.peers[a].client.as_ref().unwrap().record().unwrap().players().len(), 2);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    assert_eq!(table.packets(a)[9..], [7, 8], "no countdown ran: it hears its end");
    table.step(30);
    assert!(!table.events.contains(&host::Event::Started), "it waits for those who load");
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.carry();
    assert!(table.peers[a].sent.contains(&Seen::Packet(24)));
    assert!(table.events.ends_with(&[host::Event::Loaded { machine: machine(1) }, host::Event::Started]));
    table.host.send_update(table.host.in_game(), 5, table.tick);
    table.carry();
    let update = client::Event::Update { number: 5, tick: table.tick };
    assert_eq!(table.peers[a].events.last(), Some(&update));
    table.host.end_game();
    table.wait_millis(10_000);
    table.host.to_lobby(table.now);
    table.carry();
    assert_eq!(table.packets(a)[11..], [20, 23, 11, 11, 30, 6, 6, 6, 6]);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    let last = table.peers[a].events.last().unwrap();
    assert_eq!(*last, client::Event::Begin { time_low16: table.tick.low16() });
}

/// NET-71: what an update says of a seed is not read: whatever it is, the update counts, and the seed that the host gave
/// at the join and in its settings stands.
#[test]
fn an_updates_seed_is_not_read() {
    let mut table = Table::playing(998);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.carry();
    let stream = table.peers[a].stream;
    for (number, seed) in [(5, 0), (6, 1), (7, 0x89AB_CDEF), (8, u32::MAX)] {
        let update =
            Packet::GameUpdate(list::GameUpdate { number, seed, time: table.tick, actions: SkippedActions });
        let bytes = &bytes_of(&update);
        let client = table.peers[a].client.as_mut().unwrap();
        client.handle(now, NetEvent::Bytes { stream, bytes });
        assert_eq!(client.next_event(), Some(client::Event::Update { number, tick: table.tick }));
        assert_eq!(client.next_event(), None);
        assert_eq!(client.record().unwrap().seed, 0x89AB_CDEF);
        assert_eq!(client.counters().refused.total(), 0);
    }
    // The host's own have none.
    table.host.send_update(table.host.in_game(), 9, table.tick);
    table.carry();
    let Packet::GameUpdate(update) = table.last_packet(a, 20) else { panic!() };
    assert_eq!(update.seed, 0);
    assert_eq!(
        table.peers[a].events.iter().filter(|event| matches!(event, client::Event::Settings)).count(),
        2,
        "as it was let in, and as it was told to load"
    );
}

/// NET-22, 23, 24, 60, 30: a join in progress: 4 and 6 as in the lobby, 21 to the others, 6 and 8 to the joiner alone, then 10
/// until it has loaded.
#[test]
fn a_join_in_progress_goes_in_order() {
    let mut table = Table::playing(200_000);
    let a = table.client("10.0.0.2:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.step(90);
    let had = table.packets(a).len();
    let b = table.client("10.0.0.3:5151", 2);
    table.step(1);
    assert_eq!(table.packets(b), [4, 6, 6, 6, 6, 6, 6, 6, 6, 8]);
    assert_eq!(table.packets(a)[had..], [21, 21]);
    let Packet::BeginGame(begin) = table.last_packet(b, 8) else { panic!() };
    assert_eq!(begin.time, (200_093_u32 & 0xFFFF) as u16);
    let slots: Vec<_> = table.host.players().map(|p| (p.slot.get(), p.machine.get(), p.entry.team)).collect();
    assert_eq!(slots, [(0, 1, 0), (1, 2, 1), (2, 2, 2)]);
    let listed = table.peers[b].client.as_ref().unwrap().record().unwrap().players().to_vec();
    assert_eq!(listed.iter().map(|p| p.slot).collect::<Vec<_>>(), [0, 1, 2]);
    // Who joins and leaves while it loads it is told when it has.
    let c = table.joined("10.0.0.4:5151");
    table.step(1);
    table.drop_stream(c);
    table.step(300);
    assert_eq!(table.packets(b)[10..], [10, 10]);
    let now = table.now;
    table.peers[b].client.as_mut().unwrap().loaded(now);
    table.carry();
    assert_eq!(table.packets(b)[12..], [21, 22]);
    assert!(table.peers[b].events.iter().any(|event| matches!(event, client::Event::PlayerRemoved { .. })));
    assert!(table.events.contains(&host::Event::Loaded { machine: machine(2) }));
}

/// NET-78: a player is asked for either way, in the lobby and in the game.
#[test]
fn a_player_request_is_taken_either_way() {
    for is_game in [false, true] {
        for is_late_kind in [false, true] {
            let mut table = if is_game { Table::playing(0) } else { Table::new() };
            let a = table.raw("10.0.0.2:5151");
            table.say(a, &Packet::JoinRequest(join_request()));
            let player = player("A", 0);
            if is_late_kind {
                table.say(a, &Packet::AddPlayerRequestIngame(AddPlayerRequestIngame { player }));
            } else {
                table.say(a, &add_player("A", 0));
            }
            assert_eq!(table.host.players().count(), 1);
            // Without a word of its map it is told all the same.
            table.step(20);
            assert_eq!(table.packets(a).contains(&8), is_game);
        }
    }
}

/// NET-54, 55: each byte of the token changed: reason 2, then the stream ends.
#[test]
fn another_token_is_rejected() {
    for at in 0..16 {
        let mut table = Table::new();
        let a = table.raw("10.0.0.2:5151");
        let mut request = join_request();
        request.token[at] ^= 1;
        table.say(a, &Packet::JoinRequest(request));
        assert_eq!(table.last_packet(a, 5), Packet::Rejected(list::Rejected { reason: Rejection::BadToken }));
        assert!(table.peers[a].is_closed);
        assert!(table.host.machines().is_empty());
    }
}

/// NET-34, 55, 26: full and closed, each by its reason; a client's events say it. Who is kept out: `asking.rs`.
#[test]
fn a_rejection_says_why() {
    let full = || {
        let mut record = record();
        record.max_players = 1;
        let mut table = Table::with(HostSettings::new(record), 0);
        table.joined("10.0.0.9:5151");
        table
    };
    let machines = || {
        let mut table = Table::with(HostSettings { machines: 2, ..HostSettings::new(record()) }, 0);
        table.joined("10.0.0.9:5151");
        table
    };
    let loading = || {
        let mut table = Table::new();
        table.joined("10.0.0.9:5151");
        table.host.begin_game(table.now, table.tick);
        table
    };
    let over = || {
        let mut table = Table::playing(0);
        table.host.end_game();
        table
    };
    let cases: [(&dyn Fn() -> Table, Rejection); 4] = [
        (&full, Rejection::Full),
        (&machines, Rejection::Full),
        (&loading, Rejection::Closed),
        (&over, Rejection::Closed),
    ];
    for (make, reason) in cases {
        let mut table = make();
        let players = table.host.players().count();
        let a = table.client("10.0.0.2:5151", 1);
        assert_eq!(table.peers[a].events, [client::Event::Closed { why: Why::Rejected(reason) }]);
        assert!(table.peers[a].is_closed);
        assert_eq!(table.host.players().count(), players);
    }
}

/// NET-21, 26: open and in progress once started, closed while it loads and when it is over.
#[test]
fn an_advertisement_says_whether_it_is_open() {
    let mut table = Table::new();
    let says = |table: &Table| {
        let game = table.host.advertisement([7; 8]);
        assert_eq!((game.version, game.is_distributed(), game.search_nonce), (32, true, [7; 8]));
        (game.is_open(), game.is_in_progress())
    };
    assert_eq!(says(&table), (true, false));
    let a = table.joined("10.0.0.2:5151");
    table.host.begin_game(table.now, table.tick);
    assert_eq!(says(&table), (false, true));
    table.say(a, &loaded());
    assert_eq!(says(&table), (true, true));
    table.joined("10.0.0.3:5151");
    table.step(1);
    assert_eq!(says(&table), (true, true), "a late joiner's loading does not close it");
    table.host.end_game();
    assert_eq!(says(&table), (false, true));
}

/// NET-77: a new stream's first message is the join request, and it comes once.
#[test]
fn a_stream_begins_with_the_join_request() {
    for info in PACKETS.iter().filter(|info| info.number != 12) {
        let mut table = Table::new();
        let a = table.raw("10.0.0.2:5151");
        let mut bytes = (((info.size as u16) << 4) | 3 << 2).to_be_bytes().to_vec();
        bytes.push(1);
        bytes.resize(info.size - 1, 0);
        bytes.push(info.number);
        table.say_bytes(a, &bytes);
        assert!(table.peers[a].is_closed, "{}", info.name);
        assert!(table.host.machines().is_empty());
    }
    for kind in 0..=255 {
        let mut table = Table::new();
        let a = table.raw("10.0.0.2:5151");
        table.say_bytes(a, &data(kind, 1, 0, &[0; 200]));
        assert!(table.peers[a].is_closed, "{kind}");
        assert!(table.taken().is_empty());
    }
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.say(a, &Packet::JoinRequest(join_request()));
    assert!(table.peers[a].is_closed);
    assert_eq!(table.refused("unexpected"), 1);
    assert_eq!(table.host.players().count(), 0);
}

/// NET-49, 53: a join cut into single bytes is the same join.
#[test]
fn a_join_is_read_whatever_its_cuts() {
    let mut table = Table::new();
    let a = table.raw("10.0.0.2:5151");
    let mut all = bytes_of(&Packet::JoinRequest(join_request()));
    all.extend(bytes_of(&add_player("A", 0)));
    all.extend(bytes_of(&add_player("B", 1)));
    for byte in all {
        table.say_bytes(a, &[byte]);
    }
    assert_eq!(table.host.players().count(), 2);
}

/// NET-65, 64: another machine's index, a fifth player and one too many for the game are refused; the slot is the
/// host's.
#[test]
fn a_player_is_its_own_machines() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    table.joined("10.0.0.3:5151");
    let mut other = player("A", 1);
    other.machine = 2;
    table.say(a, &Packet::AddPlayerPregame(list::AddPlayerPregame { player: other }));
    assert_eq!(table.refused("not_its_own"), 1);
    let mut own = player("A", 1);
    (own.machine, own.slot, own.team) = (1, 7, 5);
    table.say(a, &Packet::AddPlayerPregame(list::AddPlayerPregame { player: own }));
    let added = table.host.players().find(|player| player.entry.controller == 1).unwrap();
    assert_eq!((added.slot.get(), added.entry.team), (2, 2));
    for controller in 2..5 {
        table.say(a, &add_player("A", controller));
    }
    assert_eq!(table.refused("too_many_players"), 1);
    assert_eq!(table.host.players().filter(|player| player.machine == machine(1)).count(), 4);
}

/// NET-72, 64: 127 machines of clients, 128 players; the next machine is told that it is full.
#[test]
fn a_game_of_128_is_full() {
    let mut table =
        Table::with(HostSettings { players: vec![player("Host", 0)], ..HostSettings::new(record()) }, 0);
    for i in 0..127 {
        table.joined(&format!("10.0.1.{i}:5151"));
    }
    assert_eq!(table.host.players().count(), MAX_PLAYERS);
    let late = table.client("10.0.0.2:5151", 1);
    let why = Why::Rejected(Rejection::Full);
    assert_eq!(table.peers[late].events, [client::Event::Closed { why }]);
}

/// NET-15, 11: five joins from one address and port without a goodbye; what is left of each earlier one, thrown in at
/// every moment of the later, is ignored.
#[test]
fn leftovers_of_an_earlier_connection_are_ignored() {
    let mut table = Table::playing(0);
    let mut leftovers: Vec<Vec<u8>> = Vec::new();
    for round in 0..5 {
        let throw = |table: &mut Table, leftovers: &[Vec<u8>]| {
            for bytes in leftovers {
                table.datagram_from("10.0.0.2:5151".parse().unwrap(), bytes);
            }
        };
        let a = table.raw("10.0.0.2:5151");
        throw(&mut table, &leftovers);
        table.say(a, &Packet::JoinRequest(join_request()));
        throw(&mut table, &leftovers);
        table.say(a, &add_player("A", 0));
        table.say(a, &has_map());
        table.step(1);
        throw(&mut table, &leftovers);
        assert_eq!(table.taken(), []);
        table.say(a, &loaded());
        // In the game its own slot is another than the last one's, which the leftovers name.
        let slot = table.host.players().next().unwrap().slot.get();
        assert_eq!(slot, round);
        let now = table.tick.get();
        table.datagram(a, &input(now, slot));
        throw(&mut table, &leftovers);
        let own = table.taken();
        assert_eq!(own.iter().filter(|(_, _, tick)| *tick == now).count(), 1);
        assert_eq!(own.last(), Some(&(1, Kind::PlayerInputs, now)), "no leftover stales it");
        table.step(20);
        leftovers.push(input(now, slot));
        table.drop_stream(a);
        table.step(20);
    }
}

/// NET-11, 13, 35: a machine that joins in the place of one that was dropped has a slot, a clean filter and nothing of
/// the leaver's.
#[test]
fn who_comes_in_a_leavers_place_begins_anew() {
    let mut record = record();
    record.max_players = 3;
    let mut table = Table::with(HostSettings::new(record), 0);
    table.host.begin_game(table.now, table.tick);
    table.step(1);
    let peers: Vec<_> = (2..5).map(|i| table.in_game(&format!("10.0.0.{i}:5151"))).collect();
    table.step(300);
    let ahead = table.tick.get() + 29;
    table.datagram(peers[1], &input(ahead, 1));
    table.drop_stream(peers[1]);
    assert_eq!(table.taken(), [], "what a leaver sent reaches nobody");
    let late = table.in_game("10.0.0.3:5151");
    let player = *table.host.players().last().unwrap();
    assert_eq!((player.machine, player.slot.get()), (machine(2), 3), "a free index, a slot of its own");
    let now = table.tick.get();
    table.datagram(late, &input(now, 3));
    assert_eq!(table.taken(), [(2, Kind::PlayerInputs, now)], "the leaver's later stamp is forgotten");
    assert_eq!(table.host.traffic(machine(2)).unwrap().received.datagrams, 1);
}

/// NET-15: one computer's two machines and an address mapped into IPv6 are told apart and known.
#[test]
fn a_mapped_address_is_the_one_it_maps() {
    let mut table = Table::playing(0);
    let a = table.in_game("10.0.0.2:5151");
    let now = table.tick.get();
    let from = "[::ffff:10.0.0.2]:5151".parse().unwrap();
    table.host.handle(table.now, table.tick, NetEvent::Datagram { from, bytes: &input(now, 0) });
    assert_eq!(table.taken().len(), 1);
    table.datagram(a, &input(now, 0));
    assert_eq!(table.taken().len(), 1);
}

/// NET-34: nothing is kept of one that was refused.
#[test]
fn a_thousand_refused_joins_leave_nothing() {
    let mut table = Table::new();
    for _ in 0..1000 {
        let a = table.raw("10.0.0.2:5151");
        table.say(a, &Packet::JoinRequest(JoinRequest { token: [0; 16], ..join_request() }));
        assert!(table.peers[a].is_closed);
    }
    table.joined("10.0.0.2:5151");
    assert_eq!(table.host.machines().len(), 1);
}
