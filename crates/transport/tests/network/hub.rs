//! The hub of connections that carry bulk, on the loopback: with peers that pump numbered frames, and with plain streams that
//! read badly or not at all.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use mjolnir_transport::net::{
    BUFFER_BYTES, Bell, Command, FIRST_ACCEPTED, Hub, HubOptions, MAX_CONNECTIONS, Peers,
};
use mjolnir_wire::Moment;

use super::LOOPBACK;

/// Bytes of the frames that are pumped: their number, then as many bytes of it.
const FRAME: usize = 1_000;
/// How long a test waits for what should come.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a test orders, and what became of it.
#[derive(Debug, Default)]
struct Table {
    commands: VecDeque<Command>,
    /// Frames that each connection is to be sent yet, and the next one's number.
    sends: BTreeMap<u32, (usize, usize)>,
    /// What every new connection is to be sent.
    sends_all: usize,
    refuses: bool,
    due: Option<Moment>,

    opened: Vec<(u32, Option<IpAddr>)>,
    closed: Vec<u32>,
    /// What came of each.
    came: BTreeMap<u32, Vec<u8>>,
    /// Bytes filled for each, those made again included.
    filled: BTreeMap<u32, usize>,
    /// Times that a frame was cut.
    cuts: usize,
    most_kept: usize,
    /// Of one connection between two polls, at most.
    most_a_turn: usize,
    polls: Vec<Moment>,
}

/// A table seen from both threads.
#[derive(Clone, Default)]
struct Seen(Arc<(Mutex<Table>, Condvar)>);

impl Seen {
    fn with<R>(&self, look: impl FnOnce(&mut Table) -> R) -> R {
        look(&mut self.0.0.lock().unwrap())
    }

    /// Waits until there is something to see.
    fn wait<R>(&self, mut look: impl FnMut(&mut Table) -> Option<R>) -> R {
        let until = Instant::now() + PATIENCE;
        let mut table = self.0.0.lock().unwrap();
        loop {
            if let Some(seen) = look(&mut table) {
                return seen;
            }
            assert!(Instant::now() < until, "it did not come: {:?} {:?}", table.opened, table.closed);
            table = self.0.1.wait_timeout(table, Duration::from_millis(100)).unwrap().0;
        }
    }

    fn opened(&self) -> u32 {
        self.wait(|table| table.opened.last().map(|(number, _)| *number))
    }
}

/// What the hub runs.
struct Pump {
    seen: Seen,
    /// Of each connection since the last poll.
    turn: BTreeMap<u32, usize>,
}

impl Pump {
    fn with<R>(&self, change: impl FnOnce(&mut Table) -> R) -> R {
        let changed = self.seen.with(change);
        self.seen.0.1.notify_all();
        changed
    }
}

fn frame(number: usize) -> [u8; FRAME] {
    let mut frame = [number as u8; FRAME];
    frame[..8].copy_from_slice(&number.to_le_bytes());
    frame
}

impl Peers for Pump {
    fn accepted(&mut self, _: Moment, connection: u32, from: IpAddr) -> bool {
        self.with(|table| {
            table.opened.push((connection, Some(from)));
            table.sends.insert(connection, (table.sends_all, 0));
            !table.refuses
        })
    }

    fn connected(&mut self, _: Moment, connection: u32) {
        self.with(|table| {
            table.opened.push((connection, None));
            table.sends.insert(connection, (table.sends_all, 0));
        });
    }

    fn received(&mut self, _: Moment, connection: u32, bytes: &[u8]) {
        assert!((1..=BUFFER_BYTES).contains(&bytes.len()));
        let turn = self.turn.entry(connection).or_default();
        *turn += bytes.len();
        let turn = *turn;
        self.with(|table| {
            table.came.entry(connection).or_default().extend_from_slice(bytes);
            table.most_a_turn = table.most_a_turn.max(turn);
        });
    }

    fn closed(&mut self, _: Moment, connection: u32) {
        self.with(|table| table.closed.push(connection));
    }

    fn fill(&mut self, _: Moment, connection: u32, room: usize, into: &mut Vec<u8>) {
        self.with(|table| {
            let (left, next) = table.sends.get(&connection).copied().unwrap_or_default();
            let count = left.min(room.div_ceil(FRAME));
            (next..next + count).for_each(|number| into.extend_from_slice(&frame(number)));
            *table.filled.entry(connection).or_default() += into.len();
        });
    }

    fn wrote(&mut self, _: Moment, connection: u32, bytes: usize) -> usize {
        self.with(|table| {
            let (begun, kept) = (bytes.div_ceil(FRAME), bytes.next_multiple_of(FRAME) - bytes);
            let (left, next) = table.sends.get_mut(&connection).unwrap();
            (*left, *next) = (*left - begun, *next + begun);
            table.cuts += usize::from(kept > 0);
            table.most_kept = table.most_kept.max(kept);
            kept
        })
    }

    fn poll(&mut self, now: Moment) {
        self.turn.clear();
        self.with(|table| {
            table.polls.push(now);
            table.due = table.due.filter(|due| now < *due);
        });
    }

    fn next_due(&self) -> Option<Moment> {
        self.seen.with(|table| table.due)
    }

    fn next_command(&mut self) -> Option<Command> {
        self.seen.with(|table| table.commands.pop_front())
    }
}

fn hub_at(bind: SocketAddr, port: u16) -> (Hub, Seen) {
    let seen = Seen::default();
    let peers = seen.clone();
    let hub = Hub::start(&HubOptions { bind, port }, |_| {
        Ok(Box::new(Pump { seen: peers, turn: BTreeMap::new() }) as Box<dyn Peers>)
    });
    (hub.unwrap(), seen)
}

fn hub() -> (Hub, Seen) {
    hub_at(LOOPBACK, 0)
}

/// One that connects to that hub.
fn beside(other: &Hub) -> (Hub, Seen) {
    hub_at(LOOPBACK, other.listening().unwrap().port())
}

fn order(hub: &Hub, seen: &Seen, command: Command) {
    seen.with(|table| table.commands.push_back(command));
    hub.bell().ring();
}

fn plain(hub: &Hub) -> TcpStream {
    let stream = TcpStream::connect(hub.listening().unwrap()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn connect(hub: &Hub, seen: &Seen, number: u32) {
    order(hub, seen, Command::Connect(number, Ipv4Addr::LOCALHOST.into()));
}

fn assert_frames(bytes: &[u8], count: usize) {
    assert_eq!(bytes.len(), count * FRAME);
    let (frames, _) = bytes.as_chunks::<FRAME>();
    assert!(frames.iter().enumerate().all(|(number, bytes)| *bytes == frame(number)));
}

/// Whether nothing more comes of it: closed or reset.
fn has_ended(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => rest.is_empty(),
        Err(error) => matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted),
    }
}

/// Two hubs that send each other 30 MB at once: all of it comes, in order, and each end has numbers of its own for it.
#[test]
fn frames_pass_both_ways_whole_and_in_order() {
    const COUNT: usize = 30_000;
    let (host, at_host) = hub();
    let (client, at_client) = beside(&host);
    for seen in [&at_host, &at_client] {
        seen.with(|table| table.sends_all = COUNT);
    }
    connect(&client, &at_client, 7);
    for (seen, number) in [(&at_host, FIRST_ACCEPTED), (&at_client, 7)] {
        seen.wait(|table| (table.came.get(&number)?.len() == COUNT * FRAME).then_some(()));
        seen.with(|table| {
            assert_frames(&table.came[&number], COUNT);
            assert!(table.most_a_turn <= BUFFER_BYTES, "{}", table.most_a_turn);
            assert!(table.most_kept < FRAME);
            assert!(table.closed.is_empty());
        });
    }
    assert_eq!(at_host.with(|table| table.opened.clone()), [(FIRST_ACCEPTED, Some(LOOPBACK.ip()))]);
    assert_eq!(at_client.with(|table| table.opened.clone()), [(7, None)]);
    assert!(client.cpu() > Duration::ZERO || !cfg!(target_os = "linux"));
}

/// MAP-83: a peer that reads slowly has every frame whole, and what is made for it and not taken is little.
#[test]
fn a_frame_that_is_cut_is_ended() {
    const COUNT: usize = 30_000;
    let (host, at_host) = hub();
    at_host.with(|table| table.sends_all = COUNT);
    let mut reader = plain(&host);
    let mut came = vec![0; COUNT * FRAME];
    for piece in came.chunks_mut(3_333) {
        reader.read_exact(piece).unwrap();
    }
    assert_frames(&came, COUNT);
    at_host.with(|table| {
        assert!(table.cuts > 0, "nothing was cut");
        let filled = table.filled[&FIRST_ACCEPTED];
        assert!(filled < 2 * COUNT * FRAME, "{filled} bytes were made for {}", COUNT * FRAME);
    });
}

/// MAP-83: a peer that reads nothing is asked for no more than it takes, and holds nobody up.
#[test]
fn a_peer_that_does_not_read_costs_nobody_anything() {
    const COUNT: usize = 50_000;
    let (host, at_host) = hub();
    at_host.with(|table| table.sends_all = COUNT);
    let deaf = plain(&host);
    let number = at_host.opened();
    // The system takes a part, then no more.
    at_host.wait(|table| (table.filled.get(&number).copied()? > 0).then_some(()));
    let (client, at_client) = beside(&host);
    connect(&client, &at_client, 1);
    at_client.wait(|table| (table.came.get(&1)?.len() == COUNT * FRAME).then_some(()));
    at_host.with(|table| {
        let (left, next) = table.sends[&number];
        assert!(left > COUNT / 4, "{left} of {COUNT} are left");
        // What was made for it and did not leave: less than a buffer, not one a turn.
        assert!(table.filled[&number] <= next * FRAME + 2 * BUFFER_BYTES, "{}", table.filled[&number]);
    });
    assert_eq!(at_host.with(|table| table.closed.clone()), []);
    drop(deaf);
    at_host.wait(|table| table.closed.contains(&number).then_some(()));
}

/// A peer that sends as fast as it can has one buffer a turn, so that others are heard beside it.
#[test]
fn a_flood_leaves_turns_to_others() {
    let (host, at_host) = hub();
    let mut flood = plain(&host);
    let flooder = at_host.opened();
    let writer = std::thread::spawn(move || flood.write_all(&vec![7; 60_000_000]).map(|()| flood));
    at_host.wait(|table| (table.came.get(&flooder)?.len() > BUFFER_BYTES).then_some(()));
    let mut quiet = plain(&host);
    quiet.write_all(b"heard").unwrap();
    let mut rest = None;
    at_host.wait(|table| {
        if table.came.iter().any(|(number, came)| *number != flooder && came == b"heard") {
            rest = rest.or(Some(60_000_000 - table.came[&flooder].len()));
        }
        (rest.is_some() && table.came[&flooder].len() == 60_000_000).then_some(())
    });
    assert!(rest.unwrap() > 0, "the flood was over before another was heard");
    assert!(at_host.with(|table| table.most_a_turn) <= BUFFER_BYTES);
    writer.join().unwrap().unwrap();
}

/// MAP-23: a port that another has leaves a hub that connects out, and says why it does not listen.
#[test]
fn a_port_that_is_taken_leaves_connecting() {
    let taken = TcpListener::bind(LOOPBACK).unwrap();
    let (other, at_other) = hub();
    let (hub, seen) = hub_at(taken.local_addr().unwrap(), other.listening().unwrap().port());
    assert_eq!(hub.listening().unwrap_err().kind(), ErrorKind::AddrInUse);
    connect(&hub, &seen, 3);
    assert_eq!(seen.opened(), 3);
    at_other.opened();
}

/// MAP-43: a connection that is not taken is closed before a byte of it, and nothing more is told of it.
#[test]
fn one_that_is_not_taken_is_closed_at_once() {
    let (host, at_host) = hub();
    at_host.with(|table| (table.refuses, table.sends_all) = (true, 10));
    assert!(has_ended(&mut plain(&host)));
    at_host.with(|table| assert_eq!((table.closed.len(), table.filled.len(), table.came.len()), (0, 0, 0)));
}

/// A connection that is commanded to close ends at the other end, which is told; its own end is not.
#[test]
fn a_commanded_close_is_told_the_other_end_alone() {
    let (host, at_host) = hub();
    let (client, at_client) = beside(&host);
    connect(&client, &at_client, 0);
    let (at_client_it, at_host_it) = (at_client.opened(), at_host.opened());
    order(&host, &at_host, Command::Close(at_host_it));
    at_client.wait(|table| (table.closed == [at_client_it]).then_some(()));
    // Another passes afterwards: all that is told of the first was told.
    connect(&client, &at_client, 1);
    at_host.wait(|table| (table.opened.len() == 2).then_some(()));
    assert_eq!(at_host.with(|table| table.closed.clone()), []);
}

/// Nobody there is told as a close, once; and a close that was commanded while it opened not at all.
#[test]
fn nobody_there_is_closed() {
    let free = TcpListener::bind(LOOPBACK).unwrap().local_addr().unwrap();
    let (hub, seen) = hub_at(LOOPBACK, free.port());
    connect(&hub, &seen, 5);
    seen.wait(|table| (table.closed == [5]).then_some(()));
    seen.with(|table| table.commands.extend([Command::Connect(6, LOOPBACK.ip()), Command::Close(6)]));
    connect(&hub, &seen, 7);
    seen.wait(|table| table.closed.contains(&7).then_some(()));
    seen.with(|table| assert_eq!((&table.closed[..], table.opened.len()), (&[5, 7][..], 0)));
}

/// MAP-83: so many connections are taken, the next is turned away, in either direction; a place that is free again is had.
#[test]
fn connections_past_the_bound_are_turned_away() {
    let (host, at_host) = hub();
    let mut streams: Vec<TcpStream> = (0..MAX_CONNECTIONS).map(|_| plain(&host)).collect();
    at_host.wait(|table| (table.opened.len() == MAX_CONNECTIONS).then_some(()));
    assert!(has_ended(&mut plain(&host)));
    connect(&host, &at_host, 9);
    at_host.wait(|table| (table.closed == [9]).then_some(()));
    assert_eq!(host.refused(), 2);
    streams.pop();
    at_host.wait(|table| (table.closed.len() == 2).then_some(()));
    streams.push(plain(&host));
    at_host.wait(|table| (table.opened.len() == MAX_CONNECTIONS + 1).then_some(()));
}

/// NET-52: what a machine connects comes from its own address.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_connects_from_its_own_address() {
    let (host, at_host) = hub();
    let own = IpAddr::from(Ipv4Addr::new(127, 0, 0, 3));
    let (client, at_client) = hub_at(SocketAddr::new(own, 0), host.listening().unwrap().port());
    connect(&client, &at_client, 0);
    at_host.opened();
    assert_eq!(at_host.with(|table| table.opened[0].1), Some(own));
}

/// A hub of both families names an IPv4 machine by its IPv4 address.
#[test]
fn a_hub_of_both_families_names_ipv4_as_it_is() {
    let (host, at_host) = hub_at(SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), 0), 0);
    let Ok(at) = host.listening() else {
        // A system without IPv6.
        return;
    };
    let _stream = TcpStream::connect((Ipv4Addr::LOCALHOST, at.port())).unwrap();
    at_host.opened();
    assert_eq!(at_host.with(|table| table.opened[0].1), Some(LOOPBACK.ip()));
}

/// It is polled when it said, not before, and not without a reason.
#[test]
fn it_is_polled_when_it_is_due() {
    let (hub, seen) = hub();
    let begun = seen.wait(|table| table.polls.last().copied());
    let due = begun.plus(150_000);
    seen.with(|table| table.due = Some(due));
    hub.bell().ring();
    seen.wait(|table| table.polls.last().is_some_and(|at| *at >= due).then_some(()));
    seen.with(|table| {
        let early = table.polls.iter().filter(|at| **at < due).count();
        assert!(early <= 6, "{:?}", table.polls);
    });
}

/// A bell that is rung from many threads at once loses no order.
#[test]
fn no_ring_is_lost() {
    let (host, at_host) = hub();
    let bell: Bell = host.bell().clone();
    for round in 0..2_000_u64 {
        let polls = at_host.with(|table| {
            table.due = None;
            table.polls.len()
        });
        let other = bell.clone();
        let beside = (round % 50 == 0).then(|| std::thread::spawn(move || other.ring()));
        bell.ring();
        beside.into_iter().for_each(|thread| thread.join().unwrap());
        at_host.wait(|table| (table.polls.len() > polls).then_some(()));
    }
}

/// Dropped, a hub has closed every connection, however busy and whoever does not read.
#[test]
fn a_hub_that_is_dropped_ends() {
    let (host, at_host) = hub();
    at_host.with(|table| table.sends_all = usize::MAX / FRAME / 2);
    let mut deaf = plain(&host);
    let (client, at_client) = beside(&host);
    connect(&client, &at_client, 0);
    at_client.wait(|table| (table.came.get(&0)?.len() > BUFFER_BYTES).then_some(()));
    let began = Instant::now();
    drop(host);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    at_client.wait(|table| (table.closed == [0]).then_some(()));
    let ended: io::Result<u64> = io::copy(&mut deaf, &mut io::sink());
    assert!(!matches!(ended, Err(error) if error.kind() == ErrorKind::WouldBlock));
}

/// What peers cannot be made of is told, and no thread is left.
#[test]
fn peers_that_cannot_be_made_are_told() {
    let options = HubOptions { bind: LOOPBACK, port: 0 };
    let failed = Hub::start(&options, |_| Err(io::Error::other("no folder")));
    assert_eq!(failed.unwrap_err().to_string(), "no folder");
}
