//! A network in memory: whole games of many machines in one thread and virtual time, the same each time. It
//! delivers at once and loses nothing; [`crate::impair::Impaired`] around an endpoint makes it bad. Knows no
//! message.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::net::SocketAddr;
use core::ops::Range;

use mjolnir_wire::Moment;

use crate::network::{NetEvent, Network, StreamId, Transmits};
use crate::random::Random;

/// Bytes that a stream takes before its reader must read, as the buffers of two real sockets would.
pub const STREAM_WINDOW: usize = 256 * 1024;
/// Datagrams that wait for one endpoint; further ones are lost, as with a full socket.
pub const WAITING_DATAGRAMS: usize = 4096;

/// The port of the first stream that is opened, and each one's after it: not that of its machine's datagrams, as with
/// real sockets.
pub const FIRST_STREAM_PORT: u16 = 49152;

/// The switch that joins the endpoints. Clones are the same switch.
#[derive(Clone, Debug)]
pub struct SimulatedNetwork {
    switch: Rc<RefCell<Switch>>,
}

/// One machine's sockets. Dropping it closes its streams, as when a process ends.
#[derive(Debug)]
pub struct SimulatedEndpoint {
    switch: Rc<RefCell<Switch>>,
    end: usize,
    /// What is being handed on, kept to reuse its room.
    inbox: Inbox,
}

impl SimulatedNetwork {
    /// The seed draws where streams are cut into reads.
    pub fn new(seed: u64) -> Self {
        let switch =
            Switch { random: Random::new(seed), ends: Vec::new(), streams: Vec::new(), held: Vec::new() };
        Self { switch: Rc::new(RefCell::new(switch)) }
    }

    /// An endpoint that takes streams at its address.
    ///
    /// # Panics
    ///
    /// If a living endpoint has this address.
    pub fn listen(&self, address: SocketAddr) -> SimulatedEndpoint {
        self.endpoint(address, true)
    }

    /// An endpoint with datagrams at `address` and one stream to the endpoint that listens at `host`; nobody
    /// there closes the stream at once.
    ///
    /// # Panics
    ///
    /// If a living endpoint has this address.
    pub fn connect(&self, address: SocketAddr, host: SocketAddr) -> SimulatedEndpoint {
        let endpoint = self.endpoint(address, false);
        self.switch.borrow_mut().open(endpoint.end, host);
        endpoint
    }

    /// Ends an endpoint outright: what it had to read is lost, its streams end, datagrams to it vanish.
    pub fn kill(&self, address: SocketAddr) {
        let mut switch = self.switch.borrow_mut();
        if let Some(end) = switch.living(address) {
            switch.kill(end);
        }
    }

    /// While on, nothing passes between this endpoint and any other: datagrams are lost, streams wait. An
    /// endpoint that loses its power looks like this for ever.
    pub fn partition(&self, address: SocketAddr, on: bool) {
        let mut switch = self.switch.borrow_mut();
        if let Some(end) = switch.living(address) {
            switch.ends[end].severed = on;
            switch.release();
        }
    }

    fn endpoint(&self, address: SocketAddr, listens: bool) -> SimulatedEndpoint {
        let mut switch = self.switch.borrow_mut();
        assert!(switch.living(address).is_none(), "two endpoints at {address}");
        switch.ends.push(End { address, listens, alive: true, severed: false, inbox: Inbox::default() });
        SimulatedEndpoint {
            switch: Rc::clone(&self.switch),
            end: switch.ends.len() - 1,
            inbox: Inbox::default(),
        }
    }
}

impl SimulatedEndpoint {
    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.switch.borrow().ends[self.end].address
    }
}

impl Network for SimulatedEndpoint {
    fn receive(&mut self, _now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        {
            let mut switch = self.switch.borrow_mut();
            core::mem::swap(&mut self.inbox, &mut switch.ends[self.end].inbox);
            for came in &self.inbox.queue {
                if let Came::Bytes(stream, at) = came {
                    switch.read(*stream, at.len());
                }
            }
        }
        for came in &self.inbox.queue {
            into(match *came {
                Came::Datagram(from, ref at) => {
                    NetEvent::Datagram { from, bytes: &self.inbox.bytes[at.clone()] }
                }
                Came::Opened(stream, address) => NetEvent::Opened { stream, address },
                Came::Bytes(stream, ref at) => {
                    NetEvent::Bytes { stream, bytes: &self.inbox.bytes[at.clone()] }
                }
                Came::Written(stream, bytes) => NetEvent::Written { stream, bytes },
                Came::Closed(stream) => NetEvent::Closed { stream },
            });
        }
        self.inbox.clear();
    }

    fn send(&mut self, _now: Moment, out: &Transmits) {
        let mut switch = self.switch.borrow_mut();
        if !switch.ends[self.end].alive {
            return;
        }
        for (to, bytes) in out.datagrams() {
            switch.datagram(self.end, to, bytes);
        }
        for (stream, bytes) in out.writes() {
            switch.write(self.end, stream, bytes);
        }
        for stream in out.closes() {
            switch.close(self.end, stream);
        }
    }
}

impl Drop for SimulatedEndpoint {
    fn drop(&mut self) {
        // Where a test panicked inside the switch, its message is worth more than this.
        if let Ok(mut switch) = self.switch.try_borrow_mut() {
            switch.kill(self.end);
        }
    }
}

#[derive(Debug)]
struct Switch {
    random: Random,
    ends: Vec<End>,
    streams: Vec<Stream>,
    /// What waits for partitions to end: from, to, what, its bytes.
    held: Vec<(usize, usize, Came, Vec<u8>)>,
}

#[derive(Debug)]
struct End {
    address: SocketAddr,
    listens: bool,
    alive: bool,
    severed: bool,
    inbox: Inbox,
}

#[derive(Debug, Default)]
struct Inbox {
    queue: Vec<Came>,
    bytes: Vec<u8>,
    datagrams: usize,
}

/// An event with where its bytes stand.
#[derive(Clone, Debug)]
enum Came {
    Datagram(SocketAddr, Range<usize>),
    Opened(StreamId, SocketAddr),
    Bytes(StreamId, Range<usize>),
    Written(StreamId, usize),
    Closed(StreamId),
}

/// A stream: side 0 opened it, side 1 took it.
#[derive(Debug)]
struct Stream {
    ends: [usize; 2],
    open: bool,
    /// Bytes that a side wrote and the other did not read.
    unread: [usize; 2],
    /// Of those, how many its writer was not told of as written.
    untold: [usize; 2],
}

impl Inbox {
    fn push(&mut self, came: Came, bytes: &[u8]) {
        let at = self.bytes.len()..self.bytes.len() + bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.queue.push(match came {
            Came::Datagram(from, _) => {
                self.datagrams += 1;
                Came::Datagram(from, at)
            }
            Came::Bytes(stream, _) => Came::Bytes(stream, at),
            other => other,
        });
    }

    fn clear(&mut self) {
        self.queue.clear();
        self.bytes.clear();
        self.datagrams = 0;
    }
}

impl Switch {
    fn living(&self, address: SocketAddr) -> Option<usize> {
        self.ends.iter().position(|end| end.alive && end.address == address)
    }

    fn is_cut(&self, a: usize, b: usize) -> bool {
        self.ends[a].severed || self.ends[b].severed
    }

    /// The stream of this name if `end` holds it open, with its side.
    fn side(&self, end: usize, id: StreamId) -> Option<(usize, usize)> {
        let (stream, side) = (id.0 as usize / 2, id.0 as usize % 2);
        let known = self.streams.get(stream)?;
        (known.open && known.ends[side] == end).then_some((stream, side))
    }

    fn open(&mut self, from: usize, host: SocketAddr) {
        let number = self.streams.len();
        let ids = [0, 1].map(|side| StreamId((number * 2 + side) as u32));
        let Some(to) = self.living(host).filter(|end| self.ends[*end].listens) else {
            self.streams.push(Stream { ends: [from; 2], open: false, unread: [0; 2], untold: [0; 2] });
            self.ends[from].inbox.push(Came::Closed(ids[0]), &[]);
            return;
        };
        self.streams.push(Stream { ends: [from, to], open: true, unread: [0; 2], untold: [0; 2] });
        let mut address = self.ends[from].address;
        address.set_port(FIRST_STREAM_PORT | number as u16);
        self.deliver(from, to, Came::Opened(ids[1], address), &[]);
        self.deliver(to, from, Came::Opened(ids[0], host), &[]);
    }

    fn datagram(&mut self, from: usize, to: SocketAddr, bytes: &[u8]) {
        let Some(to) = self.living(to).filter(|to| !self.is_cut(from, *to)) else {
            return;
        };
        let sender = self.ends[from].address;
        let inbox = &mut self.ends[to].inbox;
        if inbox.datagrams < WAITING_DATAGRAMS {
            inbox.push(Came::Datagram(sender, 0..0), bytes);
        }
    }

    fn write(&mut self, end: usize, id: StreamId, mut bytes: &[u8]) {
        let Some((stream, side)) = self.side(end, id) else {
            return;
        };
        self.streams[stream].unread[side] += bytes.len();
        self.streams[stream].untold[side] += bytes.len();
        self.tell_written(stream, side);
        let (other, far) = (self.streams[stream].ends[1 - side], StreamId(id.0 ^ 1));
        while !bytes.is_empty() {
            // Half of all reads end anywhere, so that both whole and torn messages are common.
            let whole = self.random.below(2) == 0;
            let length = if whole { bytes.len() } else { 1 + self.random.below(bytes.len() as u64) as usize };
            let (read, rest) = bytes.split_at(length);
            self.deliver(end, other, Came::Bytes(far, 0..0), read);
            bytes = rest;
        }
    }

    /// The reader took bytes: its writer has room again.
    fn read(&mut self, reader: StreamId, bytes: usize) {
        let (stream, writer) = (reader.0 as usize / 2, 1 - reader.0 as usize % 2);
        self.streams[stream].unread[writer] -= bytes;
        self.tell_written(stream, writer);
    }

    fn tell_written(&mut self, number: usize, side: usize) {
        let stream = &mut self.streams[number];
        let waiting = stream.unread[side].saturating_sub(STREAM_WINDOW);
        let written = stream.untold[side].saturating_sub(waiting);
        if written > 0 && stream.open {
            stream.untold[side] = waiting;
            let id = StreamId((number * 2 + side) as u32);
            self.ends[stream.ends[side]].inbox.push(Came::Written(id, written), &[]);
        }
    }

    fn close(&mut self, end: usize, id: StreamId) {
        if let Some((stream, side)) = self.side(end, id) {
            self.streams[stream].open = false;
            let other = self.streams[stream].ends[1 - side];
            self.deliver(end, other, Came::Closed(StreamId(id.0 ^ 1)), &[]);
        }
        // What came before it was closed is not told any more.
        let inbox = &mut self.ends[end].inbox.queue;
        inbox.retain(
            |came| !matches!(came, Came::Bytes(of, _) | Came::Closed(of) | Came::Written(of, _) if *of == id),
        );
    }

    fn kill(&mut self, end: usize) {
        if !core::mem::replace(&mut self.ends[end].alive, false) {
            return;
        }
        self.ends[end].inbox = Inbox::default();
        if self.ends[end].severed {
            // What waits between it and others waits for nothing any more.
            self.held.retain(|(from, to, ..)| *from != end && *to != end);
        }
        for stream in 0..self.streams.len() {
            for side in 0..2 {
                if self.streams[stream].ends[side] == end {
                    self.close(end, StreamId((stream * 2 + side) as u32));
                }
            }
        }
        self.ends[end].inbox.clear();
    }

    fn deliver(&mut self, from: usize, to: usize, came: Came, bytes: &[u8]) {
        if !self.ends[to].alive {
            return;
        }
        if self.is_cut(from, to) {
            self.held.push((from, to, came, bytes.to_vec()));
        } else {
            self.ends[to].inbox.push(came, bytes);
        }
    }

    /// Delivers what no partition holds any more, in its order.
    fn release(&mut self) {
        for (from, to, came, bytes) in core::mem::take(&mut self.held) {
            self.deliver(from, to, came, &bytes);
        }
    }
}
