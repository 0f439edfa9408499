//! Bytes for the tests: from hex, and as the outbox and the batch send them.

use mjolnir_wire::kinds::Channels;
use mjolnir_wire::message::{MessageType, word};
use mjolnir_wire::{BatchWriter, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Slot, Tick};

/// The golden vectors' tick.
pub(crate) const TICK: i32 = 74565;

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn object(raw: i32) -> ObjectId {
    ObjectId::read(raw).unwrap()
}

pub(crate) fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// A whole message of that body, stamped [`TICK`], framed by hand.
pub(crate) fn message(kind: u8, count: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = word(MessageType::Data, 8 + body.len()).unwrap().to_vec();
    bytes.extend([kind, count]);
    bytes.extend(TICK.to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Those entries as they leave, whole: by stream, or as the only part of a datagram with its word put back. `update`
/// is the host's count of updates.
pub(crate) fn sent(kind: Kind, at: Tick, update: i32, entries: &[Vec<u8>]) -> Vec<u8> {
    let mut outbox = Outbox::new();
    outbox.begin(at, update);
    let to = MachineSet::only(Machine::new(1).unwrap());
    if matches!(kind.info().channels, Channels::Stream) {
        for entry in entries {
            outbox.reliable_entry(to, kind, |bytes| bytes.extend(entry)).unwrap();
        }
        let mut bytes = Vec::new();
        outbox.gather_stream(Machine::new(1).unwrap(), &mut bytes);
        return bytes;
    }
    for entry in entries {
        outbox.entry(to, kind, |bytes| bytes.extend(entry)).unwrap();
    }
    let mut datagrams = Vec::new();
    outbox.gather_datagrams(Machine::new(1).unwrap(), &mut BatchWriter::new(), |bytes| {
        datagrams.push(bytes.to_vec());
    });
    assert_eq!(datagrams.len(), 1);
    let batch = Message::read(&datagrams[0]).unwrap();
    assert_eq!(Parts::of(&batch).count(), 1);
    let part = &datagrams[0][8..];
    assert_eq!(usize::from(u16::from_le_bytes([part[0], part[1]])), part.len() - 2);
    let mut bytes = word(MessageType::Data, part.len()).unwrap().to_vec();
    bytes.extend(&part[2..]);
    bytes
}

/// What `write` appends.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}
