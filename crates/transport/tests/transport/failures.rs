//! What went wrong in others' sessions (docs/failures.md) and is no requirement's own test elsewhere.

use mjolnir_transport::impair::{Faults, Impaired};
use mjolnir_transport::simulated::SimulatedNetwork;
use mjolnir_transport::{
    Broadcast, Client, ClientSettings, Host, HostSettings, NetEvent, Network, StreamId, Why, client, host,
};
use mjolnir_wire::packets::list::{Accepted, BeginGame, GameStartRequest};
use mjolnir_wire::packets::{Packet, StartRequest, write_settings};
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot, Tick};

use super::table::{
    HOST_ADDRESS, Seen, Table, bytes_of, data, input, join_request, loaded, machine, player, record,
};

/// NET-12, WIRE-05: a stream that says nothing for 40 000 ticks, more than 16 bits have halves, while datagrams flow:
/// what then comes by it, either way, counts at once, and the datagrams go on counting.
#[test]
fn a_stream_idle_for_twenty_minutes_is_heard_at_once() {
    for start in [0, 65_436, 1 << 24] {
        let mut table = Table::playing(start);
        let a = table.in_game("10.0.0.2:5151");
        let _ = table.taken();
        for _ in 0..40_000 {
            table.step(1);
            let tick = table.tick.get();
            table.datagram(a, &input(tick, 0));
            assert_eq!(table.taken(), [(1, Kind::PlayerInputs, tick)]);
        }
        let tick = table.tick.get();
        // Stamped with the tick of 40 000 ago, as a message that waited would be.
        for stamp in [start, tick] {
            table.say_bytes(a, &data(9, 0, stamp, &[]));
            assert_eq!(table.taken(), [(1, Kind::ClientReady, stamp)]);
        }
        table.host.send_update(table.host.machines(), 7, table.tick);
        table.carry();
        assert_eq!(table.peers[a].seen.last(), Some(&(tick, Seen::Packet(20))));
        table.datagram(a, &input(tick, 0));
        assert_eq!(table.taken().len(), 1);
    }
}

/// NET-26, 34: a machine asks to join at each tick around every change of the game: it is let in wherever the game is
/// listed as open, refused wherever it is not, and one that was refused is no machine that left.
#[test]
fn a_join_finds_what_the_listing_says() {
    let mut table = Table::new();
    let a = table.joined("10.0.0.2:5151");
    let (mut let_in, mut refused) = (0_usize, 0_usize);
    for number in 0_u16..420 {
        match number {
            60 => {
                table.say(a, &Packet::GameStartRequest(GameStartRequest { request: StartRequest::StartNow }));
            }
            250 => table.say(a, &loaded()),
            300 => table.host.end_game(),
            360 => table.host.to_lobby(table.now),
            _ => {}
        }
        table.step(1);
        if table.events.contains(&host::Event::StartDue) {
            table.events.retain(|event| *event != host::Event::StartDue);
            table.host.begin_game(table.now, table.tick);
        }
        let is_open = table.host.advertisement([0; 8]).is_open();
        let peer = table.raw(&format!("10.1.{}.{}:5151", number / 200, number % 200 + 1));
        table.say(peer, &Packet::JoinRequest(join_request()));
        assert_eq!(table.packets(peer)[0], if is_open { 4 } else { 5 }, "tick {number}");
        assert_eq!(table.peers[peer].is_closed, !is_open, "tick {number}");
        if is_open {
            let_in += 1;
            table.drop_stream(peer);
        } else {
            refused += 1;
        }
        let left = table.events.iter().filter(|event| matches!(event, host::Event::Left { .. })).count();
        assert_eq!(left, let_in, "tick {number}");
        assert_eq!((table.host.machines().len(), table.host.players().count()), (1, 1));
    }
    // Loading, and the scores.
    assert!((60..140).contains(&refused) && let_in > 280, "{let_in} let in, {refused} refused");
}

/// Everything that a session's times do, of machines that were up for that long when it began: at each twentieth of a
/// second, of each machine, whether it is closed, and what it had, said and was sent by datagram.
fn timed(up_micros: u64) -> Vec<Vec<[usize; 4]>> {
    let mut table = Table::new();
    table.now = Moment::from_micros(up_micros);
    let real = table.client("10.0.0.2:5151", 1);
    let raw = table.joined("10.0.0.3:5151");
    let stranger = table.raw("10.0.0.4:5151");
    let mut steps = Vec::new();
    for step in 0..900_u64 {
        match step {
            240 => {
                table.host.begin_game(table.now, table.tick);
                table.carry();
                let now = table.now;
                table.peers[real].client.as_mut().unwrap().loaded(now);
                table.say(raw, &loaded());
            }
            _ => table.wait_millis(50),
        }
        if step % 20 == 0 && table.host.is_playing() {
            table.host.send_update(table.host.in_game(), 7, table.tick);
            table.carry();
        }
        let peers = table.peers.iter();
        let of = peers.map(|peer| {
            [usize::from(peer.is_closed), peer.seen.len(), peer.sent.len(), peer.datagrams.len()]
        });
        steps.push(of.collect());
    }
    assert!(table.peers[stranger].is_closed && table.peers[raw].is_closed && !table.peers[real].is_closed);
    assert!(table.events.contains(&host::Event::Left { machine: machine(2), why: Why::Silent }));
    steps
}

/// NET-27, 28, 31: a machine that was up for 24.9 and for 49.7 days, or for the microseconds of 31, 32 and 63 bits,
/// when they turn over in the middle of a session: who is dropped, kept and told is so at the same moments.
#[test]
fn months_of_uptime_change_no_time() {
    let young = timed(0);
    for bits in [31, 32] {
        assert_eq!(timed((1_u64 << bits) * 1000 - 5 * Moment::SECOND), young, "2^{bits} ms");
        assert_eq!(timed((1_u64 << bits) - 5 * Moment::SECOND), young, "2^{bits} us");
    }
    assert_eq!(timed((1_u64 << 63) - 5 * Moment::SECOND), young, "2^63 us");
}

/// NET-65, 28: who comes back while its old place still lives, by the same address, under the same names and with
/// the same hardware id, is let in at once as another player, told apart by name; the old one goes when its fifteen
/// seconds are over and the new one stays.
#[test]
fn who_comes_back_beside_its_old_place_is_let_in() {
    let mut table = Table::playing(0);
    let old = table.in_game("10.0.0.2:5151");
    table.step(150);
    let new = table.in_game("10.0.0.2:5152");
    assert_eq!(table.packets(new)[0], 4);
    let names = |table: &Table| -> Vec<_> {
        table.host.players().map(|player| player.entry.name.to_string()).collect()
    };
    assert_eq!(names(&table), ["Raw", "Raw 2"]);
    for second in 0..11 {
        assert_eq!((table.peers[old].is_closed, table.peers[new].is_closed), (second == 10, false));
        table.step(30);
        let tick = table.tick.get();
        table.datagram(new, &input(tick, 1));
        assert_eq!(table.taken(), [(2, Kind::PlayerInputs, tick)]);
    }
    assert!(table.peers[old].is_closed && !table.peers[new].is_closed);
    assert_eq!(names(&table), ["Raw 2"]);
    let left = host::Event::Left { machine: machine(1), why: Why::Silent };
    assert!(table.events.contains(&left));
}

/// NET-53, 52: a lobby in which nobody does anything for half an hour, announced to everybody all the while, loses
/// nobody, keeps nothing for it, and then plays.
#[test]
fn an_idle_lobby_lasts() {
    let broadcast = Broadcast::everybody();
    let mut table = Table::with(HostSettings { broadcast, ..HostSettings::new(record()) }, 0);
    let peers: Vec<_> = (2..6).map(|i| table.client(&format!("10.0.0.{i}:5151"), 1)).collect();
    table.wait_millis(30 * 60 * 1000);
    assert!(peers.iter().all(|peer| !table.peers[*peer].is_closed && table.peers[*peer].events.len() < 20));
    // One a second, to each of the addresses that stand for everybody.
    let everybody = Broadcast::everybody().addresses().len();
    let told = table.turn.len() / everybody;
    assert!((1790..=1810).contains(&told), "{told} announcements");
    assert_eq!(table.host.machines().iter().map(|of| table.host.unsent(of)).sum::<usize>(), 0);
    assert_eq!(table.host.counters().refused.total(), 0);
    table.host.begin_game(table.now, table.tick);
    table.carry();
    for peer in &peers {
        let now = table.now;
        table.peers[*peer].client.as_mut().unwrap().loaded(now);
    }
    table.carry();
    assert!(table.events.contains(&host::Event::Started));
    assert_eq!(table.host.in_game().len(), 4);
}

/// Where a join is given up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Where {
    Joining,
    Lobby,
    Counting,
    Loading,
    Playing,
    Over,
}

/// NET-33, 35, 72: a join is given up twenty times at each of its steps, in order and by a stream that just ends:
/// every time the client says `Closed` once and its host keeps nothing, and the next one is let in as if it were the
/// first.
#[test]
fn a_join_may_be_given_up_anywhere() {
    use Where::{Counting, Joining, Loading, Lobby, Over, Playing};
    for at in [Joining, Lobby, Counting, Loading, Playing, Over] {
        for in_order in [true, false] {
            let mut table = Table::new();
            // Who holds the game open.
            table.joined("10.0.0.9:5151");
            for round in 0..20 {
                let a = table.client("10.0.0.2:5151", usize::from(at != Joining));
                assert!(!table.peers[a].is_closed, "{at:?} {round}");
                assert_eq!(table.host.machines().len(), 2);
                match at {
                    Joining | Lobby => {}
                    Counting => {
                        table.peers[a].client.as_mut().unwrap().ask_start(StartRequest::StartNow);
                        table.wait_millis(1000);
                    }
                    Loading | Playing | Over => table.host.begin_game(table.now, table.tick),
                }
                table.carry();
                if matches!(at, Playing | Over) {
                    let now = table.now;
                    table.peers[a].client.as_mut().unwrap().loaded(now);
                    table.wait_millis(100);
                    assert_eq!(table.host.in_game().len(), 1);
                }
                if at == Over {
                    table.host.end_game();
                    table.carry();
                }
                if in_order {
                    table.peers[a].client.as_mut().unwrap().leave();
                    table.carry();
                } else {
                    let (now, stream) = (table.now, table.peers[a].stream);
                    table.drop_stream(a);
                    table.peers[a].client.as_mut().unwrap().handle(now, NetEvent::Closed { stream });
                    table.carry();
                }
                let closed = |event: &&client::Event| matches!(event, client::Event::Closed { .. });
                assert_eq!(table.peers[a].events.iter().filter(closed).count(), 1, "{at:?} {round}");
                let client = table.peers[a].client.as_mut().unwrap();
                client.poll(Moment::from_micros(u64::MAX));
                assert!(client.next_event().is_none() && client.transmits().is_empty());
                table.host.to_lobby(table.now);
                table.wait_millis(100);
                while table.host.next_message().is_some() {}
                assert_eq!(
                    (table.host.machines().len(), table.host.players().count()),
                    (1, 1),
                    "{at:?} {round}"
                );
            }
            let good = table.client("10.0.0.2:5151", 1);
            table.wait_millis(100);
            table.host.begin_game(table.now, table.tick);
            table.carry();
            let now = table.now;
            table.peers[good].client.as_mut().unwrap().loaded(now);
            table.carry();
            let Packet::Accepted(accepted) = table.last_packet(good, 4) else { panic!() };
            assert_eq!((accepted.machine, table.host.in_game().len()), (2, 1), "{at:?}");
        }
    }
}

/// NET-53: the settings come late and in pieces, after the word that the machine is in: a client does not begin to
/// load before it has the whole of them, however long they take, and then loads what they say.
#[test]
fn a_client_loads_nothing_without_its_settings() {
    let accepted = bytes_of(&Packet::Accepted(Accepted { seed: 5, machine: 1 }));
    let begin = bytes_of(&Packet::BeginGame(BeginGame { time: 7 }));
    let mut settings = Vec::new();
    write_settings(&record(), &mut settings).unwrap();
    let is_begin = |event: &client::Event| matches!(event, client::Event::Begin { .. });
    for hold in [1_u64, 30, 120] {
        for cut in [1, 499, 2048, settings.len() - 1] {
            let stream = StreamId(3);
            let mut now = Moment::START;
            let mut client = Client::new(now, ClientSettings::new("Box", vec![player("A", 0)]));
            let mut hear = |client: &mut Client, bytes: &[u8]| {
                now = now.plus(hold * Moment::SECOND / 30);
                client.handle(now, NetEvent::Bytes { stream, bytes });
                client.poll(now);
                core::iter::from_fn(|| client.next_event()).collect::<Vec<_>>()
            };
            client.handle(Moment::START, NetEvent::Opened { stream, address: HOST_ADDRESS.parse().unwrap() });
            assert!(matches!(hear(&mut client, &accepted)[..], [client::Event::Accepted { .. }]));
            // A host that begins at once: there is nothing to load.
            assert_eq!(hear(&mut client, &begin), []);
            let mut events = Vec::new();
            let first = settings.len().min(cut);
            for bytes in [&settings[..first], &settings[first..]] {
                assert_eq!(events, [], "{hold} {cut}");
                assert!(client.record().is_none());
                events = hear(&mut client, bytes);
            }
            assert_eq!(events, [client::Event::Settings]);
            assert_eq!(client.record().unwrap().map, record().map);
            assert!(hear(&mut client, &begin).iter().any(is_begin));
        }
    }
}

/// A generator of the numbers that a script takes.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Asks everything that a scoreboard, a list or a log may ask, of who is there and who is not.
fn ask_everything(table: &Table) {
    let machines = table.host.machines();
    for of in Machine::all().filter(|of| *of != Machine::HOST) {
        let is_in = machines.iter().any(|machine| machine == of);
        assert_eq!(table.host.address(of).is_some(), is_in, "{of:?}");
        assert_eq!(table.host.heard(of).is_some(), is_in, "{of:?}");
        assert_eq!(table.host.traffic(of).is_some(), is_in, "{of:?}");
        assert_eq!(table.host.unsent(of), 0);
    }
    for slot in Slot::all() {
        let listed = table.host.players().find(|player| player.slot == slot);
        assert_eq!(table.host.player(slot).filter(|player| !player.left), listed);
        assert!(listed.is_none_or(|player| machines.iter().any(|of| of == player.machine)));
    }
    assert!(table.host.in_game().iter().all(|of| machines.iter().any(|machine| machine == of)));
}

/// NET-35, 56, 65, 72: machines of one to four players join and leave in any order, in order and not, a hundred times
/// in the lobby and forty in the game, and whatever may be asked is asked after each: in the lobby everybody has the
/// host's list whenever it is quiet, who stays keeps its index, and who is not there is none.
#[test]
fn joins_and_leaves_in_any_order_leave_one_list() {
    for seed in 1..9_u64 {
        let mut dice = Dice(seed);
        let mut table = Table::new();
        let mut there: Vec<(usize, i8)> = Vec::new();
        for number in 0..140_usize {
            if number == 100 {
                table.host.begin_game(table.now, table.tick);
                table.carry();
                for (peer, _) in &there {
                    let now = table.now;
                    table.peers[*peer].client.as_mut().unwrap().loaded(now);
                }
                table.wait_millis(50);
                assert!(table.host.is_playing(), "seed {seed}");
            }
            if there.len() < 2 || there.len() < 12 && dice.below(2) == 0 {
                let address = format!("10.{}.{}.2:5151", seed, number);
                let peer = table.client(&address, dice.below(4) + 1);
                let Packet::Accepted(accepted) = table.last_packet(peer, 4) else { panic!("seed {seed}") };
                there.push((peer, accepted.machine as i8));
                if number >= 100 {
                    table.wait_millis(600);
                    let now = table.now;
                    table.peers[peer].client.as_mut().unwrap().loaded(now);
                    table.carry();
                }
            } else {
                let (peer, _) = there.swap_remove(dice.below(there.len()));
                if dice.below(2) == 0 {
                    table.peers[peer].client.as_mut().unwrap().leave();
                    table.carry();
                } else {
                    table.drop_stream(peer);
                    table.peers[peer].client = None;
                }
            }
            ask_everything(&table);
            table.wait_millis(300);
            while table.host.next_message().is_some() {}
            ask_everything(&table);
            assert_eq!(table.host.machines().len(), there.len(), "seed {seed}, {number}");
            if number >= 100 {
                assert_eq!(table.host.in_game().len(), there.len(), "seed {seed}, {number}");
            }
            for (peer, index) in &there {
                let peer = &table.peers[*peer];
                let Some(client) = &peer.client else { panic!("seed {seed}") };
                assert_eq!(client.machine(), Machine::new(*index as u8), "seed {seed}, {number}");
                if number < 100 {
                    let heard = client.record().unwrap();
                    assert_eq!(heard.players(), table.host.record().players(), "seed {seed}, {number}");
                }
            }
        }
    }
}

/// NET-62: two thousand reliable messages of one tick to a machine that has just joined, 264 kB, come whole, once and
/// in order over a line of 125 ms each way that stands for half a second, within five, and nobody is dropped for it.
#[test]
fn a_burst_at_the_join_is_no_overflow() {
    const MESSAGES: u16 = 2000;
    let network = SimulatedNetwork::new(6);
    let faults = Faults { latency_us: 125_000, ..Faults::default() };
    let mut below = Impaired::new(network.listen(HOST_ADDRESS.parse().unwrap()), 1, faults);
    let endpoint = network.connect("10.0.0.2:5151".parse().unwrap(), HOST_ADDRESS.parse().unwrap());
    let mut above = Impaired::new(endpoint, 2, faults);
    let mut host = Host::new(HostSettings::new(record()));
    host.begin_game(Moment::START, Tick::ZERO);
    let mut client = Client::new(Moment::START, ClientSettings::new("Box", vec![player("A", 0)]));
    let mut outbox = Outbox::new();
    let mut told = None;
    let mut heard = Vec::new();
    for number in 1..900 {
        // In the middle of it nothing comes for half a second, as where the line's stream waits for what it lost.
        above.impair().stall(told.is_some_and(|told| (told + 4..told + 19).contains(&number)));
        let (tick, now) = (Tick::new(number).unwrap(), Moment::from_micros(micros_of_ticks(number as u64)));
        below.receive(now, &mut |event| host.handle(now, tick, event));
        host.poll(now, tick);
        let mut has_loaded = false;
        while let Some(event) = host.next_event() {
            assert!(!matches!(event, host::Event::Left { .. }), "{event:?}");
            has_loaded |= matches!(event, host::Event::Loaded { .. });
        }
        if has_loaded {
            told = Some(number);
            outbox.begin(tick, 0);
            for index in 0..MESSAGES {
                let entry = |bytes: &mut Vec<u8>| {
                    bytes.extend_from_slice(&index.to_le_bytes());
                    bytes.resize(bytes.len() + 130, 0);
                };
                outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, entry).unwrap();
            }
            host.flush(now, tick, &outbox, MachineSet::CLIENTS);
        }
        host.send(now, &mut below);
        above.receive(now, &mut |event| client.handle(now, event));
        client.poll(now);
        while let Some(event) = client.next_event() {
            if matches!(event, client::Event::Begin { .. }) {
                client.loaded(now);
            }
        }
        while let Some(received) = client.next_message() {
            heard.extend(received.message.entries().map(|entry| u16::from_le_bytes([entry[0], entry[1]])));
        }
        client.send(now, &mut above);
        if heard.len() == usize::from(MESSAGES) {
            let ticks = number - told.unwrap();
            assert!(ticks <= 150, "they took {ticks} ticks");
            break;
        }
    }
    assert!(heard.iter().copied().eq(0..MESSAGES), "{} came", heard.len());
}
