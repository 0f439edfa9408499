//! The simulated network itself: what it carries arrives whole, in order, and no faster than its ways.

use std::collections::VecDeque;
use std::net::IpAddr;

use mjolnir_mapshare::Conn;
use mjolnir_mapshare::simulated::{Command, Network, Peer, Way};
use mjolnir_wire::Moment;

use super::script::address;

/// Sends so many bytes over each connection that it makes, and keeps what came and when.
#[derive(Default)]
struct Plain {
    commands: VecDeque<Command>,
    sends: usize,
    sent: usize,
    came: Vec<u8>,
    last: Moment,
    said: Vec<&'static str>,
    takes: bool,
}

impl Peer for Plain {
    fn accepted(&mut self, _: Moment, _: Conn, _: IpAddr) -> bool {
        self.said.push("accepted");
        self.takes
    }

    fn connected(&mut self, now: Moment, _: Conn) {
        self.last = now;
        self.said.push("connected");
    }

    fn closed(&mut self, now: Moment, _: Conn) {
        self.last = now;
        self.said.push("closed");
    }

    fn received(&mut self, now: Moment, _: Conn, bytes: &[u8]) {
        self.came.extend_from_slice(bytes);
        self.last = now;
    }

    fn fill(&mut self, _: Moment, _: Conn, room: usize, into: &mut Vec<u8>) {
        let end = self.sends.min(self.sent + room);
        into.extend((self.sent..end).map(|at| (at * 7 / 5) as u8));
    }

    fn wrote(&mut self, _: Moment, _: Conn, bytes: usize) -> usize {
        // Hundreds are its frames.
        let kept = bytes.next_multiple_of(100).min(self.sends - self.sent) - bytes;
        self.sent += bytes + kept;
        kept
    }

    fn poll(&mut self, _: Moment) {}

    fn next_due(&self) -> Option<Moment> {
        None
    }

    fn next_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }
}

fn way(up: u64, down: u64) -> Way {
    Way { latency: 10_000, up, down }
}

/// A megabyte takes what the narrower way allows, and 20 ms; it arrives whole and in order.
#[test]
fn bytes_arrive_as_the_ways_allow() {
    for (up, down) in [(1_000_000, 10_000_000), (10_000_000, 1_000_000)] {
        let mut network = Network::new();
        let connects = [Command::Connect(Conn::new(0), address(2))].into();
        let one = network.add(
            address(1),
            way(up, 1),
            Plain { sends: 1_000_000, commands: connects, ..Plain::default() },
        );
        let two = network.add(address(2), way(1, down), Plain { takes: true, ..Plain::default() });
        network.run_until(Moment::from_millis(60_000));
        let came = network.peer(two).unwrap();
        assert!(came.came.iter().enumerate().all(|(at, byte)| *byte == (at * 7 / 5) as u8));
        assert_eq!(came.came.len(), 1_000_000);
        // There and back to connect, a second of bytes, and the way there; a cut waits for one before it.
        let took = came.last.as_micros();
        assert!((1_060_000..1_120_000).contains(&took), "{took}");
        assert_eq!(network.traffic(one).0, 1_000_000);
    }
}

/// A connection that is not taken, to nobody or to who does not listen ends; one that is closed ends at the other end after what was sent.
#[test]
fn connections_end_at_both_ends() {
    let mut network = Network::new();
    let one =
        network.add(address(1), way(1_000_000, 1_000_000), Plain { sends: 100_000, ..Plain::default() });
    let two = network.add(address(2), way(1_000_000, 1_000_000), Plain::default());
    let connect = |network: &mut Network<Plain>, number, to| {
        network
            .with(one, |_, peer| peer.commands.push_back(Command::Connect(Conn::new(number), address(to))));
        let until = network.now().plus(1_000_000);
        network.run_until(until);
    };
    connect(&mut network, 0, 2);
    connect(&mut network, 1, 9);
    assert_eq!(network.peer(one).unwrap().said, ["closed", "closed"]);
    assert_eq!(network.peer(two).unwrap().said, ["accepted"]);
    network.set_listening(two, false);
    connect(&mut network, 2, 2);
    network.set_listening(two, true);
    network.with(two, |_, peer| peer.takes = true);
    connect(&mut network, 3, 2);
    assert_eq!(network.peer(one).unwrap().said, ["closed", "closed", "closed", "connected"]);
    assert_eq!(network.peer(two).unwrap().came.len(), 100_000);
    network.remove(one);
    let until = network.now().plus(1_000_000);
    network.run_until(until);
    assert_eq!(network.peer(two).unwrap().said, ["accepted", "accepted", "closed"]);
    assert!(network.peer(one).is_none());
}

/// A cable that is pulled: nothing arrives, and nobody is told.
#[test]
fn a_cut_machine_is_silent() {
    let mut network = Network::new();
    let connects = [Command::Connect(Conn::new(0), address(2))].into();
    let plain = Plain { sends: 3_000_000, commands: connects, ..Plain::default() };
    network.add(address(1), way(1_000_000, 1_000_000), plain);
    let two = network.add(address(2), way(1_000_000, 1_000_000), Plain { takes: true, ..Plain::default() });
    network.run_until(Moment::from_millis(1_000));
    network.set_cut(two, true);
    let came = network.peer(two).unwrap().came.len();
    assert!(came > 500_000);
    network.run_until(Moment::from_millis(10_000));
    assert_eq!(network.peer(two).unwrap().came.len(), came);
    assert_eq!(network.peer(two).unwrap().said, ["accepted"]);
}
