//! What ends say to each other, read from its bytes. Knows no rule of map sharing.

use mjolnir_wire::message::read_word;
use mjolnir_wire::{Machine, Message, Moment, Outbox, Tick};

pub(crate) const LEVEL: &str = "custom_maps\\hugeass";

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn seconds(seconds: f64) -> Moment {
    Moment::from_micros((seconds * 1e6).round() as u64)
}

pub(crate) fn outbox() -> Outbox {
    let mut outbox = Outbox::new();
    outbox.begin(Tick::ZERO, 0);
    outbox
}

/// Hands each message that the outbox has for that machine's stream to `hear`.
pub(crate) fn each_message(outbox: &Outbox, to: Machine, mut hear: impl FnMut(&Message<'_>)) {
    let mut bytes = Vec::new();
    outbox.gather_stream(to, &mut bytes);
    let mut left = &bytes[..];
    while !left.is_empty() {
        let (_, length) = read_word([left[0], left[1]]).unwrap();
        hear(&Message::read(&left[..length]).unwrap());
        left = &left[length..];
    }
}
