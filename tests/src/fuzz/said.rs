//! A network that keeps what its machine says as a script, for the corpora. Knows no machine.

use mjolnir_engine_glue::transport::{NetEvent, Network, Transmits};
use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::{Kind, Message, MessageType, Moment, Parts, Tick};

use super::script::Op;

/// See the module's text.
pub(super) struct Said<N> {
    below: N,
    reader: StreamReader,
    /// What was said.
    pub(super) ops: Vec<Op>,
    /// The receiver's tick, from which stamps are told.
    pub(super) tick: Tick,
}

impl<N> Said<N> {
    pub(super) fn new(below: N) -> Self {
        Self { below, reader: StreamReader::new(), ops: Vec::new(), tick: Tick::ZERO }
    }
}

/// Things that one script of a recording says, at most.
const SAYINGS: usize = 24;
/// Waits of it.
const WAITS: usize = 6;

/// What was said as scripts, each short. Of joining only what belongs to the game is kept.
pub(super) fn scripts(ops: Vec<Op>) -> Vec<Vec<u8>> {
    let settings = |op: &Op| matches!(op, Op::Packet(packet) if packet[0] < FIRST_IN_GAME);
    let ops: Vec<Op> = ops.into_iter().filter(|op| !settings(op)).collect();
    let mut scripts = Vec::new();
    let mut left = &ops[..];
    while !left.is_empty() {
        let mut waits = 0;
        let mut end = 0;
        while end < left.len().min(SAYINGS) && waits < WAITS {
            waits += usize::from(matches!(left[end], Op::Wait(_)));
            end += 1;
        }
        let mut bytes = Vec::new();
        left[..end].iter().for_each(|op| op.write(&mut bytes));
        if left[..end].iter().any(|op| !matches!(op, Op::Wait(_))) {
            scripts.push(bytes);
        }
        left = &left[end..];
    }
    scripts
}

/// Packets from this number on are of a game that is played.
const FIRST_IN_GAME: u8 = 20;

/// A message as a script has it.
fn said(message: &Message<'_>, tick: Tick) -> Vec<u8> {
    let off = message.tick.since(tick).clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    [&[message.kind as u8, message.count, off as u8], message.body].concat()
}

/// A packet as a script has it, of its whole bytes.
fn packet(bytes: &[u8]) -> Vec<u8> {
    let (number, rest) = bytes.split_last().expect("a packet of ours");
    [&[*number], &rest[3..]].concat()
}

impl<N: Network> Network for Said<N> {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        self.below.receive(now, into);
    }

    fn send(&mut self, now: Moment, out: &Transmits) {
        let Self { below, reader, ops, tick } = self;
        below.send(now, out);
        for (_, bytes) in out.writes() {
            reader.push(bytes);
            while let Ok(Some((of, bytes))) = reader.next_message() {
                match (of, Message::read(bytes)) {
                    (MessageType::Packet, _) => ops.push(Op::Packet(packet(bytes))),
                    (_, Ok(message)) => ops.push(Op::Message(said(&message, *tick))),
                    _ => {}
                }
            }
        }
        for (_, bytes) in out.datagrams() {
            match (read_datagram(bytes), Message::read(bytes)) {
                (_, Ok(batch)) if batch.kind == Kind::Batch => {
                    ops.extend(Parts::of(&batch).flatten().map(|part| Op::Part(said(&part, *tick))));
                }
                (Ok((MessageType::Packet, bytes)), _) => ops.push(Op::PacketDatagram(packet(bytes))),
                _ => {}
            }
        }
    }
}
