//! A small network in virtual time, for tests and labs: machines that connect, with latency and so many bytes a second each way. It
//! stands where sockets would, calls what they would call in the same turns, and knows no frame.
//!
//! A machine's turn is what a hub's is: what came, a poll, what is commanded, and each connection filled once that can take bytes;
//! again while anything happened. What is written waits for the machine's own way out behind what it wrote before, travels, and
//! waits for the other's way in. A connection takes bytes while fewer than its window are on their way.

mod happening;

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::net::IpAddr;

use mjolnir_wire::Moment;

use crate::download::Conn;

/// What runs on a machine: the calls are those of [`Swarm`](crate::Swarm)'s.
pub trait Peer {
    /// Another machine has connected; whether it is taken.
    fn accepted(&mut self, now: Moment, conn: Conn, from: IpAddr) -> bool;
    /// A connection that was commanded is open.
    fn connected(&mut self, now: Moment, conn: Conn);
    /// It has ended, or did not come about.
    fn closed(&mut self, now: Moment, conn: Conn);
    /// What came of it.
    fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]);
    /// Appends what is to leave by it.
    fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>);
    /// So many bytes of that have left; how many more are to.
    fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize;
    /// Once a turn.
    fn poll(&mut self, now: Moment);
    /// When though nothing happens.
    fn next_due(&self) -> Option<Moment>;
    /// What is to be done with connections.
    fn next_command(&mut self) -> Option<Command>;
}

/// What a [`Peer`] wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Connect to that address, under that number.
    Connect(Conn, IpAddr),
    /// Close it.
    Close(Conn),
}

/// A machine's way to all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Microseconds from it to the middle of the network; to another machine it is both machines'.
    pub latency: u64,
    /// Bytes a second out, 1 at least.
    pub up: u64,
    /// Bytes a second in, 1 at least.
    pub down: u64,
}

/// The number of an end that is no more.
const GONE: Conn = Conn::new(u32::MAX);

/// The network.
#[derive(Debug)]
pub struct Network<P> {
    now: Moment,
    machines: Vec<Machine<P>>,
    pipes: Vec<Pipe>,
    events: BinaryHeap<Reverse<(Moment, u64, Event)>>,
    happened: u64,
    accepted: u32,
    filled: Vec<u8>,
    spare: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Machine<P> {
    address: IpAddr,
    way: Way,
    /// None once it is gone.
    peer: Option<P>,
    listens: bool,
    /// Whether its network works.
    is_cut: bool,
    /// Until when its ways are taken by what was sent before.
    out_until: Moment,
    in_until: Moment,
    /// Its ends of connections.
    ends: Vec<(usize, usize)>,
    /// When its next alarm is.
    alarm: Option<Moment>,
    sent: u64,
    received: u64,
}

/// A connection, or its beginning.
#[derive(Debug)]
struct Pipe {
    ends: [End; 2],
}

#[derive(Debug)]
struct End {
    machine: usize,
    conn: Conn,
    is_open: bool,
    /// What is to leave before anything is filled.
    tail: Vec<u8>,
    /// Bytes that it has sent and that have not arrived.
    away: usize,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A connection reaches the other end's machine.
    Knocks(usize),
    /// Its end hears that it is taken, or that it is over.
    Opens(usize, usize),
    Ends(usize, usize),
    /// Bytes reach that end's machine, or nothing any more; and they have come in.
    Reaches(usize, usize, Option<Vec<u8>>),
    Arrives(usize, usize, Vec<u8>),
    /// That machine's alarm.
    Due(usize),
}

impl<P: Peer> Network<P> {
    /// One without machines, at the beginning of time.
    pub const fn new() -> Self {
        Self {
            now: Moment::START,
            machines: Vec::new(),
            pipes: Vec::new(),
            events: BinaryHeap::new(),
            happened: 0,
            accepted: Conn::FIRST_ACCEPTED,
            filled: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Another machine; its number. It listens.
    pub fn add(&mut self, address: IpAddr, way: Way, peer: P) -> usize {
        let (now, number) = (self.now, self.machines.len());
        self.machines.push(Machine {
            address,
            way,
            peer: Some(peer),
            listens: true,
            is_cut: false,
            out_until: now,
            in_until: now,
            ends: Vec::new(),
            alarm: Some(now),
            sent: 0,
            received: 0,
        });
        self.after(now, Event::Due(number));
        number
    }

    /// What time it is.
    pub const fn now(&self) -> Moment {
        self.now
    }

    /// What runs on a machine, if it is not gone.
    pub fn peer(&self, machine: usize) -> Option<&P> {
        self.machines.get(machine)?.peer.as_ref()
    }

    /// Does something with what runs on a machine, which then has its turn.
    pub fn with<T>(&mut self, machine: usize, does: impl FnOnce(Moment, &mut P) -> T) -> Option<T> {
        let now = self.now;
        let done = self.machines.get_mut(machine)?.peer.as_mut().map(|peer| does(now, peer));
        self.turn(machine);
        done
    }

    /// Bytes that it has sent, and that have arrived at it.
    pub fn traffic(&self, machine: usize) -> (u64, u64) {
        self.machines.get(machine).map_or((0, 0), |machine| (machine.sent, machine.received))
    }

    /// Connections that it has now, made by it or by others.
    pub fn connections(&self, machine: usize) -> usize {
        let ends = self.machines.get(machine).map_or(&[][..], |machine| &machine.ends);
        ends.iter().filter(|(pipe, end)| self.pipes[*pipe].ends[*end].is_open).count()
    }

    /// Whether it can be connected to.
    pub fn set_listening(&mut self, machine: usize, listens: bool) {
        self.machines[machine].listens = listens;
    }

    /// Its cable is pulled, or put back: nothing arrives at it or from it meanwhile, and nothing is told of it.
    pub fn set_cut(&mut self, machine: usize, is_cut: bool) {
        self.machines[machine].is_cut = is_cut;
    }

    /// It ends, and its connections with it. What runs on it comes back.
    pub fn remove(&mut self, machine: usize) -> Option<P> {
        while let Some((pipe, end)) = self.machines.get(machine)?.ends.first().copied() {
            self.close(pipe, end);
        }
        self.machines.get_mut(machine)?.peer.take()
    }

    /// Everything until then happens.
    pub fn run_until(&mut self, until: Moment) {
        while self.step(until) {}
        self.now = self.now.max(until);
    }

    /// Everything happens until that is so no more, or until then; whether it is so no more.
    pub fn run_while(&mut self, until: Moment, mut goes_on: impl FnMut(&Self) -> bool) -> bool {
        while goes_on(self) {
            if !self.step(until) {
                return false;
            }
        }
        true
    }

    /// The next of what happens until then; whether there was any.
    fn step(&mut self, until: Moment) -> bool {
        match self.events.peek() {
            Some(Reverse((at, _, _))) if *at <= until => {}
            _ => return false,
        }
        if let Some(Reverse((at, _, event))) = self.events.pop() {
            self.now = self.now.max(at);
            self.happen(event);
        }
        true
    }
}

impl<P: Peer> Default for Network<P> {
    fn default() -> Self {
        Self::new()
    }
}
