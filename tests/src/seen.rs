//! What passed between a machine and its network, and the messages in it. Knows no machine.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use mjolnir_engine_glue::transport::{NetEvent, StreamId};
use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::packets::Packet;
use mjolnir_wire::units::{Life, UnitState};
use mjolnir_wire::{Kind, Message, MessageType, Moment, Parts, Slot, Tick};

/// Which way something went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The machine received it.
    In,
    /// The machine sent it.
    Out,
}

/// By which channel, or what else happened to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Datagram(SocketAddr),
    Stream(StreamId),
    Opened(StreamId, SocketAddr),
    Written(StreamId, usize),
    Closed(StreamId),
}

/// Bytes that passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// When, by the machine's clock.
    pub at: Moment,
    /// Which way.
    pub way: Way,
    by: By,
    bytes: Vec<u8>,
}

impl Passed {
    pub(crate) fn datagram(at: Moment, way: Way, peer: SocketAddr, bytes: &[u8]) -> Self {
        Self { at, way, by: By::Datagram(peer), bytes: bytes.to_vec() }
    }

    pub(crate) fn stream(at: Moment, way: Way, stream: StreamId, bytes: &[u8]) -> Self {
        Self { at, way, by: By::Stream(stream), bytes: bytes.to_vec() }
    }

    pub(crate) fn came(at: Moment, event: &NetEvent<'_>) -> Self {
        let of = |by| Self { at, way: Way::In, by, bytes: Vec::new() };
        match *event {
            NetEvent::Datagram { from, bytes } => Self::datagram(at, Way::In, from, bytes),
            NetEvent::Bytes { stream, bytes } => Self::stream(at, Way::In, stream, bytes),
            NetEvent::Opened { stream, address } => of(By::Opened(stream, address)),
            NetEvent::Written { stream, bytes } => of(By::Written(stream, bytes)),
            NetEvent::Closed { stream } => of(By::Closed(stream)),
        }
    }

    /// Whether it is a whole datagram, and no part of a stream.
    pub const fn is_datagram(&self) -> bool {
        matches!(self.by, By::Datagram(_))
    }

    /// Whether it is the end of a stream.
    pub const fn is_end(&self) -> bool {
        matches!(self.by, By::Closed(_))
    }

    /// What passed: a datagram whole, or any part of a stream.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// As it came.
    pub(crate) fn event(&self) -> NetEvent<'_> {
        let bytes = &self.bytes;
        match self.by {
            By::Datagram(from) => NetEvent::Datagram { from, bytes },
            By::Stream(stream) => NetEvent::Bytes { stream, bytes },
            By::Opened(stream, address) => NetEvent::Opened { stream, address },
            By::Written(stream, bytes) => NetEvent::Written { stream, bytes },
            By::Closed(stream) => NetEvent::Closed { stream },
        }
    }
}

/// Hands on each whole message of what passed that way, in order, each stream's and each datagram's.
fn each(passed: &[Passed], way: Way, mut hear: impl FnMut(Moment, MessageType, &[u8])) {
    let mut readers: BTreeMap<StreamId, StreamReader> = BTreeMap::new();
    for Passed { at, by, bytes, .. } in passed.iter().filter(|passed| passed.way == way) {
        match by {
            By::Datagram(_) => {
                if let Ok((of, bytes)) = read_datagram(bytes) {
                    hear(*at, of, bytes);
                }
            }
            By::Stream(stream) => {
                let reader = readers.entry(*stream).or_default();
                reader.push(bytes);
                while let Ok(Some((of, bytes))) = reader.next_message() {
                    hear(*at, of, bytes);
                }
            }
            By::Opened(..) | By::Written(..) | By::Closed(_) => {}
        }
    }
}

/// Hands on each distributed message that went that way, a batch's parts one by one.
pub fn messages(passed: &[Passed], way: Way, mut hear: impl FnMut(Moment, &Message<'_>)) {
    each(passed, way, |at, of, bytes| {
        let (MessageType::Data, Ok(message)) = (of, Message::read(bytes)) else { return };
        if message.kind == Kind::Batch {
            Parts::of(&message).flatten().for_each(|part| hear(at, &part));
        } else {
            hear(at, &message);
        }
    });
}

/// Hands on each of the game's own packets that went that way.
pub fn each_packet(passed: &[Passed], way: Way, mut hear: impl FnMut(Moment, &Packet<'_>)) {
    each(passed, way, |at, of, bytes| {
        if let (MessageType::Packet, Ok(packet)) = (of, Packet::read(bytes)) {
            hear(at, &packet);
        }
    });
}

/// The numbers of the game's own packets that went that way, in order.
pub fn packets(passed: &[Passed], way: Way) -> Vec<u8> {
    let mut numbers = Vec::new();
    each_packet(passed, way, |_, packet| numbers.push(packet.number()));
    numbers
}

/// Each state of that player that came, with the host's tick and what tick of the machine's own it names.
pub fn states(passed: &[Passed], slot: Slot) -> Vec<(Tick, Option<u16>)> {
    let mut states = Vec::new();
    messages(passed, Way::In, |_, message| {
        if message.kind == Kind::UnitStates {
            let of_slot = UnitState::read_all(message).flatten().filter(|state| state.slot == slot);
            states.extend(of_slot.map(|state| match state.life {
                Life::Alive(unit) => (message.tick, unit.predicted),
                Life::Dead(_) => (message.tick, None),
            }));
        }
    });
    states
}
