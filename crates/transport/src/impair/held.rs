//! What is held back, in the order in which it is due. Knows no fault and draws no number.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::net::SocketAddr;

use mjolnir_wire::Moment;

use super::PACKET_BYTES;
use crate::network::StreamId;

/// What a held packet is, without its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Datagram(SocketAddr),
    Opened(StreamId, SocketAddr),
    Bytes(StreamId),
    Closed(StreamId),
    /// The end that the model itself gives to a damaged stream.
    Cut(StreamId),
}

impl What {
    const fn stream(self) -> Option<StreamId> {
        match self {
            Self::Datagram(_) => None,
            Self::Opened(stream, _) | Self::Bytes(stream) | Self::Closed(stream) | Self::Cut(stream) => {
                Some(stream)
            }
        }
    }
}

/// Ordered by when it is due, then by when it came.
#[derive(Debug)]
struct Packet {
    due: Moment,
    number: u64,
    what: What,
    bytes: Vec<u8>,
}

impl Packet {
    const fn key(&self) -> (Moment, u64) {
        (self.due, self.number)
    }
}

impl PartialEq for Packet {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Packet {}

impl PartialOrd for Packet {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Packet {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Buffers kept for what comes: those of a busy tick of many machines, at a latency.
const SPARE: usize = 256;
/// Bytes of one at most: a packet, in a buffer that grew to it.
const SPARE_BYTES: usize = 2 * PACKET_BYTES;

/// Two queues, since a blackout lets streams wait while what is on its way by datagram is lost.
#[derive(Debug, Default)]
pub(super) struct Held {
    datagrams: BinaryHeap<Reverse<Packet>>,
    streams: BinaryHeap<Reverse<Packet>>,
    next_number: u64,
    packets: usize,
    spare: Vec<Vec<u8>>,
}

impl Held {
    pub(super) fn push(&mut self, due: Moment, what: What, bytes: &[u8]) {
        let mut buffer = if bytes.is_empty() { Vec::new() } else { self.spare.pop().unwrap_or_default() };
        buffer.extend_from_slice(bytes);
        let packet = Packet { due, number: self.next_number, what, bytes: buffer };
        self.next_number += 1;
        self.packets += weight(&what, bytes.len());
        match what {
            What::Datagram(_) => self.datagrams.push(Reverse(packet)),
            _ => self.streams.push(Reverse(packet)),
        }
    }

    /// The next that is due, with its bytes, which go back by [`Held::recycle`].
    pub(super) fn pop(&mut self, now: Moment, streams_wait: bool) -> Option<(What, Vec<u8>)> {
        let queue = match (self.datagrams.peek(), self.streams.peek()) {
            (None, None) => return None,
            (Some(_), None) => &mut self.datagrams,
            (Some(_), Some(_)) if streams_wait => &mut self.datagrams,
            (None, Some(_)) if streams_wait => return None,
            (None, Some(_)) => &mut self.streams,
            (Some(Reverse(datagram)), Some(Reverse(read))) if datagram < read => &mut self.datagrams,
            (Some(_), Some(_)) => &mut self.streams,
        };
        if queue.peek()?.0.due > now {
            return None;
        }
        let Reverse(packet) = queue.pop()?;
        self.packets -= weight(&packet.what, packet.bytes.len());
        Some((packet.what, packet.bytes))
    }

    /// Keeps the room of what was handed on, for what comes: not a long read's, else each would in time have the
    /// longest's, and no more than [`SPARE`], else a stall would leave its own for ever.
    pub(super) fn recycle(&mut self, mut bytes: Vec<u8>) {
        let is_usual = (1..=SPARE_BYTES).contains(&bytes.capacity());
        if is_usual && self.spare.len() < SPARE {
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    /// Makes all that is held of a stream due now, in its order.
    pub(super) fn hurry(&mut self, now: Moment, stream: StreamId) {
        let mut packets = core::mem::take(&mut self.streams).into_vec();
        for Reverse(packet) in packets.iter_mut().filter(|packet| packet.0.what.stream() == Some(stream)) {
            packet.due = packet.due.min(now);
        }
        self.streams = BinaryHeap::from(packets);
    }

    pub(super) fn next_due(&self, streams_wait: bool) -> Option<Moment> {
        let datagram = self.datagrams.peek().map(|packet| packet.0.due);
        let read = self.streams.peek().filter(|_| !streams_wait).map(|packet| packet.0.due);
        datagram.into_iter().chain(read).min()
    }

    pub(super) const fn packets(&self) -> usize {
        self.packets
    }

    pub(super) fn is_empty(&self) -> bool {
        self.datagrams.is_empty() && self.streams.is_empty()
    }
}

/// How many packets of [`PACKET_BYTES`] it counts as: what carries no bytes is no packet.
const fn weight(what: &What, bytes: usize) -> usize {
    match what {
        What::Datagram(_) => 1,
        What::Bytes(_) => bytes.div_ceil(PACKET_BYTES),
        What::Opened(..) | What::Closed(_) | What::Cut(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-23: after a stall in which ten thousand reads of all lengths were held, the room that is kept is that of a
    /// few packets; what is usual finds its room again.
    #[test]
    fn what_was_held_once_is_given_back() {
        let (mut held, stream) = (Held::default(), StreamId(0));
        let hold = |held: &mut Held, lengths: &[usize]| {
            for length in lengths {
                held.push(Moment::START, What::Bytes(stream), &alloc::vec![7; *length]);
            }
            while let Some((_, bytes)) = held.pop(Moment::START, false) {
                held.recycle(bytes);
            }
        };
        let lengths: Vec<usize> = (0..10_000).map(|read| 1 + read * 37 % 65_536).collect();
        for _ in 0..3 {
            hold(&mut held, &lengths);
            let kept: usize = held.spare.iter().map(Vec::capacity).sum();
            assert!(held.spare.len() == SPARE && kept <= SPARE * SPARE_BYTES, "{kept} bytes");
        }
        let mut held = Held::default();
        hold(&mut held, &[SPARE_BYTES, SPARE_BYTES + 1]);
        assert_eq!(held.spare.iter().map(Vec::capacity).collect::<Vec<_>>(), [SPARE_BYTES]);
    }
}
