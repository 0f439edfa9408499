//! Sessions whole, over the simulated network and its faults.

use mjolnir_transport::impair::{Faults, Impaired};
use mjolnir_transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_transport::{Client, ClientSettings, Host, HostSettings, Network, Why, client};
use mjolnir_wire::{Kind, MachineSet, Moment, Outbox, Tick};

use super::table::{HOST_ADDRESS, player, record};

struct End<S> {
    session: S,
    network: Impaired<SimulatedEndpoint>,
    outbox: Outbox,
    /// Ticks of the messages that were taken, by kind 2 at a client and kind 14 at the host.
    taken: Vec<i32>,
}

/// A game of a host and so many clients for so many ticks: each tick every client says its input, the host a state.
fn play(seed: u64, faults: Faults, clients: u8, ticks: i32) -> (End<Host>, Vec<End<Client>>) {
    let network = SimulatedNetwork::new(seed);
    let listen = network.listen(HOST_ADDRESS.parse().unwrap());
    let mut host = End {
        session: Host::new(HostSettings::new(record())),
        network: Impaired::new(listen, seed, faults),
        outbox: Outbox::new(),
        taken: Vec::new(),
    };
    host.session.begin_game(Moment::START, Tick::ZERO);
    let mut others: Vec<_> = (0..clients)
        .map(|i| {
            let address = format!("10.0.0.{}:5151", i + 2).parse().unwrap();
            let endpoint = network.connect(address, HOST_ADDRESS.parse().unwrap());
            End {
                session: Client::new(Moment::START, ClientSettings::new("Box", vec![player("A", 0)])),
                network: Impaired::new(endpoint, seed + 1 + u64::from(i), faults),
                outbox: Outbox::new(),
                taken: Vec::new(),
            }
        })
        .collect();
    for number in 1..ticks {
        let (tick, now) = (Tick::new(number).unwrap(), Moment::from_micros(number as u64 * 100_000 / 3));
        let End { session, network, outbox, taken } = &mut host;
        network.receive(now, &mut |event| session.handle(now, tick, event));
        session.poll(now, tick);
        while session.next_event().is_some() {}
        while let Some(received) = session.next_message() {
            taken.push(received.message.tick.get());
        }
        outbox.begin(tick, number);
        outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| bytes.extend([1; 35])).unwrap();
        session.send_update(MachineSet::CLIENTS, number, tick);
        session.flush(now, tick, outbox, MachineSet::CLIENTS);
        session.send(now, network);
        for (slot, end) in (0..).zip(&mut others) {
            let End { session, network, outbox, taken } = end;
            network.receive(now, &mut |event| session.handle(now, event));
            session.poll(now);
            while let Some(event) = session.next_event() {
                if matches!(event, client::Event::Begin { .. }) {
                    session.loaded(now);
                }
            }
            while let Some(received) = session.next_message() {
                taken.push(received.message.tick.get());
            }
            if session.is_in_game() {
                outbox.begin(tick, 0);
                let mut entry = [0; 52];
                entry[0] = slot;
                outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |bytes| bytes.extend(entry)).unwrap();
                session.flush(outbox);
            }
            session.send(now, network);
        }
    }
    (host, others)
}

/// NET-68, 20: on a good network each tick's message comes, once and in order.
#[test]
fn on_a_good_network_every_message_comes() {
    let (host, clients) = play(1, Faults::default(), 4, 300);
    assert_eq!(host.session.in_game().len(), 4);
    for client in &clients {
        assert!(client.taken.len() >= 290, "{}", client.taken.len());
        assert!(client.taken.windows(2).all(|pair| pair[1] == pair[0] + 1));
        // A datagram may come before the first word of the host's clock.
        let refused = client.session.counters().refused;
        assert_eq!(refused.total(), refused.of("no_baseline"));
    }
    assert!(host.taken.len() >= 4 * 290);
}

/// NET-41: duplicates and reordering put nothing back.
#[test]
fn reordered_and_doubled_datagrams_are_harmless() {
    let faults =
        Faults { latency_us: 25_000, jitter_us: 20_000, duplicate: 0.2, reorder: 0.2, ..Faults::default() };
    let (host, clients) = play(2, faults, 3, 900);
    assert_eq!(host.session.in_game().len(), 3);
    for client in &clients {
        assert!(client.taken.is_sorted());
        assert!(client.taken.len() > 500, "{}", client.taken.len());
    }
}

/// NET-33: with a third of the datagrams damaged both ends play on, counting what they refuse.
#[test]
fn with_a_third_damaged_both_ends_play_on() {
    let faults = Faults { corrupt: 0.33, ..Faults::default() };
    let (host, clients) = play(3, faults, 3, 1800);
    assert_eq!(host.session.in_game().len(), 3);
    let counted = |counters: &mjolnir_transport::Counters| {
        counters.refused.total() + counters.dropped.undecodable + counters.dropped.far_stamp
    };
    assert!(counted(host.session.counters()) > 100);
    for client in &clients {
        assert!(counted(client.session.counters()) > 100);
        assert!(client.taken.len() > 1000, "{}", client.taken.len());
    }
    assert!(host.taken.len() > 3 * 1000);
}

/// NET-33: the same seed is the same session.
#[test]
fn the_same_seed_is_the_same_session() {
    let faults =
        Faults { latency_us: 40_000, jitter_us: 30_000, loss: 0.1, corrupt: 0.1, ..Faults::default() };
    let (host, clients) = play(4, faults, 2, 300);
    let (again, same) = play(4, faults, 2, 300);
    assert_eq!(host.taken, again.taken);
    assert!(clients.iter().zip(&same).all(|(a, b)| a.taken == b.taken));
}

/// How a client's session ends that never says it has loaded, with those players, at a host that plays or is in its
/// lobby; and after how many seconds.
fn ended(players: u8, plays: bool) -> (Why, u64) {
    let network = SimulatedNetwork::new(4);
    let mut host_network = network.listen(HOST_ADDRESS.parse().unwrap());
    let mut client_network = network.connect("10.0.0.2:5151".parse().unwrap(), HOST_ADDRESS.parse().unwrap());
    let mut host = Host::new(HostSettings::new(record()));
    if plays {
        host.begin_game(Moment::START, Tick::ZERO);
    }
    let players = (0..players).map(|index| player("A", index.cast_signed())).collect();
    let mut client = Client::new(Moment::START, ClientSettings::new("Box", players));
    for millis in (0..200_000).step_by(50) {
        let now = Moment::from_millis(millis);
        host_network.receive(now, &mut |event| host.handle(now, Tick::ZERO, event));
        host.poll(now, Tick::ZERO);
        while host.next_event().is_some() {}
        host.send(now, &mut host_network);
        client_network.receive(now, &mut |event| client.handle(now, event));
        client.poll(now);
        while let Some(event) = client.next_event() {
            if let client::Event::Closed { why } = event {
                return (why, millis / 1000);
            }
        }
        client.send(now, &mut client_network);
    }
    panic!("it never ended");
}

/// NET-44: a machine that was let go because a time ran out knows which.
#[test]
fn who_ran_out_of_time_is_told_of_what() {
    assert_eq!(ended(0, false), (Why::NoPlayer, 15));
    assert_eq!(ended(1, true), (Why::NotLoaded, 120));
}
