//! The crate's promises as scripts: a host that is given rows, and clients whose engines are lists.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

use mjolnir_wire::batch::{BatchWriter, Parts};
use mjolnir_wire::{Kind, Machine, MachineSet, Message, Outbox, Tick};

#[path = "coop/devices.rs"]
mod devices;
#[path = "coop/events.rs"]
mod events;
#[path = "coop/names.rs"]
mod names;
#[path = "coop/players.rs"]
mod players;
#[path = "coop/presentation.rs"]
mod presentation;
#[path = "coop/scripted.rs"]
mod scripted;
#[path = "coop/storms.rs"]
mod storms;
#[path = "coop/surfaces.rs"]
mod surfaces;

fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

fn machines(indices: &[u8]) -> MachineSet {
    indices.iter().map(|index| machine(*index)).collect()
}

/// Every entry of a kind in a tick's datagrams to a machine, by the datagram that it is in.
fn datagrams<T>(outbox: &Outbox, to: u8, kind: Kind, read: impl Fn(&Message<'_>) -> Vec<T>) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    outbox.gather_datagrams(machine(to), &mut BatchWriter::new(), |bytes| {
        let batch = Message::read(bytes).unwrap();
        let parts = Parts::of(&batch).map(Result::unwrap).filter(|part| part.kind == kind);
        all.push(parts.flat_map(|part| read(&part)).collect());
    });
    all
}

/// The same of all of them.
fn told<T>(outbox: &Outbox, to: u8, kind: Kind, read: impl Fn(&Message<'_>) -> Vec<T>) -> Vec<T> {
    datagrams(outbox, to, kind, read).into_iter().flatten().collect()
}

/// Every entry of a kind in what a tick puts on a machine's stream.
fn streamed<T>(outbox: &Outbox, to: u8, kind: Kind, read: impl Fn(&Message<'_>) -> Vec<T>) -> Vec<T> {
    let mut bytes = Vec::new();
    outbox.gather_stream(machine(to), &mut bytes);
    let (mut all, mut left) = (Vec::new(), &bytes[..]);
    while let [low, high, ..] = *left {
        let (_, length) = mjolnir_wire::message::read_word([low, high]).unwrap();
        let message = Message::read(&left[..length]).unwrap();
        assert_eq!(message.kind, kind);
        all.extend(read(&message));
        left = &left[length..];
    }
    all
}
