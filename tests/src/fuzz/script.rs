//! What a hostile machine says, as `host` and `client` read it from a fuzzer's bytes: things to say one after another,
//! with the framing put right where a message's own reader is to be reached. Knows no end of the netcode.
//!
//! Each is a byte that says what, two bytes (little-endian) that say how long, and so many bytes of it; the last may
//! be cut short.

use std::net::SocketAddr;

use mjolnir_engine_glue::transport::{StreamId, Transmits};
use mjolnir_wire::message::word;
use mjolnir_wire::packets::list::PACKET_VERSION;
use mjolnir_wire::{Kind, MessageType, Tick};

/// Ticks that one of a script's waits lasts at most.
const WAIT_TICKS: u8 = 8;
/// Things that a script says, at most: more would only be slow.
const SAYINGS: usize = 64;
/// Bytes of a body that still fits behind a header in a stream's message.
const BODY_BYTES: usize = 4000;
/// Bytes of a body that still fits in a datagram's batch.
const PART_BYTES: usize = 1100;

/// One thing to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A datagram of just these bytes.
    Datagram(Vec<u8>),
    /// A message in a batch: kind, count, ticks from the receiver's tick (signed), body.
    Part(Vec<u8>),
    /// The same by stream.
    Message(Vec<u8>),
    /// A packet by stream: number, fields.
    Packet(Vec<u8>),
    /// A packet in a datagram.
    PacketDatagram(Vec<u8>),
    /// Just these bytes by stream.
    Stream(Vec<u8>),
    /// So many ticks pass.
    Wait(u8),
    /// A datagram of just these bytes from an address that nobody knows.
    Stranger(Vec<u8>),
}

impl Op {
    /// The script in those bytes.
    pub fn read_all(mut bytes: &[u8]) -> Vec<Self> {
        let mut ops = Vec::new();
        while let [what, low, high, rest @ ..] = bytes {
            let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len()).min(BODY_BYTES);
            let (said, left) = rest.split_at(length);
            bytes = left;
            let said = said.to_vec();
            ops.push(match what % 8 {
                0 => Self::Datagram(said),
                1 => Self::Part(said),
                2 => Self::Message(said),
                3 => Self::Packet(said),
                4 => Self::PacketDatagram(said),
                5 => Self::Stream(said),
                6 => Self::Wait(said.first().copied().unwrap_or_default() % WAIT_TICKS + 1),
                _ => Self::Stranger(said),
            });
            if ops.len() == SAYINGS {
                break;
            }
        }
        ops
    }

    /// The bytes that [`Op::read_all`] reads as it.
    pub fn write(&self, to: &mut Vec<u8>) {
        let wait;
        let (what, said) = match self {
            Self::Datagram(said) => (0, said),
            Self::Part(said) => (1, said),
            Self::Message(said) => (2, said),
            Self::Packet(said) => (3, said),
            Self::PacketDatagram(said) => (4, said),
            Self::Stream(said) => (5, said),
            Self::Wait(ticks) => {
                wait = vec![ticks.saturating_sub(1)];
                (6, &wait)
            }
            Self::Stranger(said) => (7, said),
        };
        to.push(what);
        to.extend((said.len() as u16).to_le_bytes());
        to.extend(said);
    }

    /// What leaves of it: to that machine's datagrams and stream, where its receiver's tick is that one.
    pub(super) fn leave(&self, out: &mut Transmits, to: SocketAddr, stream: Option<StreamId>, tick: Tick) {
        let write = |out: &mut Transmits, bytes: &[u8]| {
            if let Some(stream) = stream {
                out.write(stream, bytes);
            }
        };
        match self {
            Self::Datagram(bytes) | Self::Stranger(bytes) => out.datagram(to, bytes),
            Self::Part(said) => {
                if let Some(message) = data(said, tick, PART_BYTES) {
                    let length = (message.len() as u16).to_le_bytes();
                    let batch = [&[Kind::Batch as u8, 0][..], &tick.get().to_le_bytes(), &length, &message];
                    out.datagram(to, &framed(MessageType::Data, &batch.concat()));
                }
            }
            Self::Message(said) => {
                if let Some(message) = data(said, tick, BODY_BYTES) {
                    write(out, &framed(MessageType::Data, &message));
                }
            }
            Self::Packet(said) => write(out, &framed(MessageType::Packet, &packet(said))),
            Self::PacketDatagram(said) => out.datagram(to, &framed(MessageType::Packet, &packet(said))),
            Self::Stream(bytes) => write(out, bytes),
            Self::Wait(_) => {}
        }
    }
}

/// A message from its kind on, stamped.
fn data(said: &[u8], tick: Tick, most: usize) -> Option<Vec<u8>> {
    let [kind, count, off, body @ ..] = said else { return None };
    let stamp = tick.get().saturating_add(i32::from(*off as i8));
    let body = &body[..body.len().min(most)];
    Some([&[*kind, *count], &stamp.to_le_bytes()[..], body].concat())
}

fn packet(said: &[u8]) -> Vec<u8> {
    let (number, fields) = said.split_first().unwrap_or((&0, &[]));
    [&[PACKET_VERSION], fields, &[*number]].concat()
}

fn framed(of: MessageType, bytes: &[u8]) -> Vec<u8> {
    let word = word(of, bytes.len() + 2).expect("shorter than a message may be");
    [&word, bytes].concat()
}
