//! What passes between the session machines and whatever carries their bytes: events in, transmits out. Knows no
//! socket, no message and no machine of the game.

use alloc::vec::Vec;
use core::net::SocketAddr;
use core::ops::Range;

use mjolnir_wire::Moment;
use mjolnir_wire::address::canonical;

/// A reliable, ordered connection, by a number that its network gave it. A network never gives one twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

/// What a network has to tell, in the order in which it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetEvent<'a> {
    /// A datagram came.
    Datagram {
        /// Where it came from.
        from: SocketAddr,
        /// The whole of it.
        bytes: &'a [u8],
    },
    /// A stream is open: one that was accepted, or the one that was asked for.
    Opened {
        /// The stream.
        stream: StreamId,
        /// The other end.
        address: SocketAddr,
    },
    /// A stream's next bytes, cut anywhere.
    Bytes {
        /// The stream.
        stream: StreamId,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// The other end has room again: so many more of the bytes handed over by [`Transmits::writes`] left this
    /// machine. Every network reports all of them, since a stream that reports none for long is given up (NET-62).
    Written {
        /// The stream.
        stream: StreamId,
        /// How many bytes.
        bytes: usize,
    },
    /// A stream ended, by the other end or by a fault. Nothing of it comes after this. Not told of a stream that
    /// [`Transmits::closes`] named.
    Closed {
        /// The stream.
        stream: StreamId,
    },
}

/// What is to be sent. It keeps its buffers, so that a steady tick allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Transmits {
    bytes: Vec<u8>,
    datagrams: Vec<(SocketAddr, Range<usize>)>,
    writes: Vec<(StreamId, Range<usize>)>,
    closes: Vec<StreamId>,
}

impl Transmits {
    /// With nothing to send.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets what it holds, for the next time.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.datagrams.clear();
        self.writes.clear();
        self.closes.clear();
    }

    /// Whether there is nothing to do.
    pub const fn is_empty(&self) -> bool {
        self.datagrams.is_empty() && self.writes.is_empty() && self.closes.is_empty()
    }

    /// Adds a datagram.
    pub fn datagram(&mut self, to: SocketAddr, bytes: &[u8]) {
        self.datagram_with(to, |buffer| buffer.extend_from_slice(bytes));
    }

    /// Adds a datagram as `fill` appends it, and says how many bytes it has.
    pub fn datagram_with(&mut self, to: SocketAddr, fill: impl FnOnce(&mut Vec<u8>)) -> usize {
        let at = self.append(fill);
        let length = at.len();
        self.datagrams.push((to, at));
        length
    }

    /// Adds a stream's next bytes.
    pub fn write(&mut self, stream: StreamId, bytes: &[u8]) {
        self.write_with(stream, |buffer| buffer.extend_from_slice(bytes));
    }

    /// Adds a stream's next bytes as `fill` appends them, and says how many they were.
    pub fn write_with(&mut self, stream: StreamId, fill: impl FnOnce(&mut Vec<u8>)) -> usize {
        let at = self.append(fill);
        let length = at.len();
        if length > 0 {
            match self.writes.last_mut() {
                Some((of, last)) if *of == stream && last.end == at.start => last.end = at.end,
                _ => self.writes.push((stream, at)),
            }
        }
        length
    }

    /// Ends a stream once all that was written to it has left.
    pub fn close(&mut self, stream: StreamId) {
        self.closes.push(stream);
    }

    /// The datagrams, each with where it goes, in order.
    pub fn datagrams(&self) -> impl Iterator<Item = (SocketAddr, &[u8])> {
        self.datagrams.iter().map(|(to, at)| (*to, &self.bytes[at.clone()]))
    }

    /// The bytes for streams, in order; a stream may come more than once.
    pub fn writes(&self) -> impl Iterator<Item = (StreamId, &[u8])> {
        self.writes.iter().map(|(stream, at)| (*stream, &self.bytes[at.clone()]))
    }

    /// The streams to end, after their writes.
    pub fn closes(&self) -> impl Iterator<Item = StreamId> {
        self.closes.iter().copied()
    }

    fn append(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> Range<usize> {
        let from = self.bytes.len();
        fill(&mut self.bytes);
        from..self.bytes.len()
    }
}

/// What carries the bytes: sockets, a model of a bad network over them, or a simulated one.
pub trait Network {
    /// Hands on everything that came, without waiting.
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>));

    /// Sends all of it, without waiting; what a stream cannot take at once is kept and sent in order.
    fn send(&mut self, now: Moment, out: &Transmits);
}

/// A machine's address: as the game shows it, and where it really is. They differ only behind a tunnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerAddress {
    /// As players see it.
    pub shown: SocketAddr,
    /// Where its bytes go.
    pub real: SocketAddr,
}

impl PeerAddress {
    /// An address that is what it shows, an IPv4 address mapped into IPv6 turned back into itself.
    pub fn direct(address: SocketAddr) -> Self {
        let address = canonical(address);
        Self { shown: address, real: address }
    }
}
