//! The batch (kind 16): a tick's unreliable messages to one machine, in as few datagrams as they fill (FACT wire
//! 1.5). Knows the entries' sizes, not their contents.

use alloc::vec::Vec;

use crate::error::Error;
use crate::kinds::Kind;
use crate::limits::{DATAGRAM_BYTES, HEADER_BYTES, PART_BYTES};
use crate::message::{self, Message, MessageType};
use crate::time::Tick;

/// Reads a batch's parts, each a message of its own.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    left: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of that batch; of a message of another kind none.
    pub const fn of(batch: &Message<'a>) -> Self {
        Self { left: if matches!(batch.kind, Kind::Batch) { batch.body } else { &[] } }
    }

    /// The bytes from the next part on.
    pub const fn left(&self) -> &'a [u8] {
        self.left
    }
}

impl<'a> Iterator for Parts<'a> {
    /// A part, or why it was refused; a part whose length cannot be is the last (WIRE-67).
    type Item = Result<Message<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left.is_empty() {
            return None;
        }
        let part = self.left.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::from(u16::from_le_bytes(*length));
            if length < PART_BYTES - 2 { None } else { rest.split_at_checked(length) }
        });
        let Some((part, left)) = part else {
            self.left = &[];
            return Some(Err(Error::Truncated));
        };
        self.left = left;
        match Message::read_after_word(part) {
            Ok(Message { kind: Kind::Batch, .. }) => Some(Err(Error::BadFlag)),
            other => Some(other),
        }
    }
}

/// Fills one datagram at a time. It keeps its buffer, so that a steady tick allocates nothing.
#[derive(Debug, Default)]
pub struct BatchWriter {
    bytes: Vec<u8>,
    tick: Tick,
    /// Where the part being filled begins, and its kind.
    part: Option<(usize, Kind)>,
}

impl BatchWriter {
    /// With room for one datagram.
    pub fn new() -> Self {
        Self { bytes: Vec::with_capacity(DATAGRAM_BYTES), tick: Tick::ZERO, part: None }
    }

    /// Whether a kind's entry of so many bytes can go in a datagram at all (WIRE-15).
    pub const fn fits_alone(kind: Kind, entry: usize) -> bool {
        HEADER_BYTES + PART_BYTES + kind.info().prefix + entry <= DATAGRAM_BYTES
    }

    /// Begins with nothing in it, stamped with the sender's tick.
    pub fn begin(&mut self, tick: Tick) {
        self.bytes.clear();
        self.part = None;
        self.tick = tick;
    }

    /// Whether it holds no entry.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds an entry to the part of its kind, with a new part where the last is another kind's or counts the kind's
    /// most. False
    /// when the datagram has no room: nothing was added, and what it holds should leave.
    pub fn push(&mut self, kind: Kind, prefix: &[u8], entry: &[u8]) -> bool {
        let goes_on = match self.part {
            Some((at, of)) => of == kind && self.bytes[at + 3] < kind.info().most,
            None => false,
        };
        let header = if self.bytes.is_empty() { HEADER_BYTES } else { 0 };
        let part = if goes_on { 0 } else { PART_BYTES + prefix.len() };
        if self.bytes.len() + header + part + entry.len() > DATAGRAM_BYTES {
            return false;
        }
        if self.bytes.is_empty() {
            message::begin(&mut self.bytes, Kind::Batch, 0, self.tick);
        }
        if !goes_on {
            self.close_part();
            self.part = Some((self.bytes.len(), kind));
            self.bytes.extend_from_slice(&[0, 0, kind as u8, 0]);
            self.bytes.extend_from_slice(&self.tick.get().to_le_bytes());
            self.bytes.extend_from_slice(prefix);
        }
        self.bytes.extend_from_slice(entry);
        if let Some((at, _)) = self.part {
            self.bytes[at + 3] += 1;
        }
        true
    }

    fn close_part(&mut self) {
        if let Some((at, _)) = self.part.take() {
            let length = (self.bytes.len() - at - 2) as u16;
            self.bytes[at..at + 2].copy_from_slice(&length.to_le_bytes());
        }
    }

    /// The datagram, whole; nothing when it holds no entry. [`BatchWriter::begin`] starts the next.
    pub fn finish(&mut self) -> &[u8] {
        self.close_part();
        if !self.bytes.is_empty() {
            // It is at most a datagram long, which a word can say.
            let _ = message::finish(&mut self.bytes, 0, MessageType::Data);
        }
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(parts: &[&[u8]]) -> Vec<u8> {
        let mut bytes = alloc::vec![0, 0, 16, 0, 7, 0, 0, 0];
        for part in parts {
            bytes.extend_from_slice(part);
        }
        message::finish(&mut bytes, 0, MessageType::Data).unwrap();
        bytes
    }

    const PING: &[u8] = &[10, 0, 19, 1, 7, 0, 0, 0, 3, 0, 42, 0];

    /// WIRE-67: a length under 6 or past the end is the last; a batch inside a batch is ignored.
    #[test]
    fn a_part_that_cannot_be_ends_the_batch() {
        let nested: &[u8] = &[6, 0, 16, 0, 7, 0, 0, 0];
        for (parts, good) in [
            (&[PING, &[5, 0, 19, 0, 7, 0, 0], PING][..], 1),
            (&[PING, nested, PING], 2),
            (&[PING, &[11, 0], &PING[2..]], 1),
            (&[PING, &[9]], 1),
        ] {
            let bytes = batch(parts);
            let message = Message::read(&bytes).unwrap();
            let parts: Vec<_> = Parts::of(&message).collect();
            assert_eq!(parts.iter().filter(|part| part.is_ok()).count(), good);
            assert_eq!(parts.iter().filter(|part| part.is_err()).count(), 1);
        }
    }

    /// WIRE-12: a single message still goes in a batch; nothing is written for nothing.
    #[test]
    fn what_was_pushed_is_read_back() {
        let mut writer = BatchWriter::new();
        writer.begin(Tick::new(7).unwrap());
        assert!(writer.finish().is_empty());
        assert!(writer.push(Kind::Pings, &[], &PING[8..]));
        assert_eq!(writer.finish(), batch(&[PING]));
    }

    /// WIRE-15: so many entries of each size fill a datagram that is theirs alone.
    #[test]
    fn a_datagram_holds_what_the_format_says() {
        for (kind, size, most) in [
            (Kind::PlayerStatistics, 64, 18),
            (Kind::ObjectStates, 44, 26),
            (Kind::ActorStates, 88, 13),
            (Kind::DamageEvents, 108, 10),
        ] {
            let mut writer = BatchWriter::new();
            writer.begin(Tick::ZERO);
            let entry = alloc::vec![0; size];
            let mut held = 0;
            while writer.push(kind, &[], &entry) {
                held += 1;
            }
            assert_eq!(held, most, "{kind:?}");
            assert!(writer.finish().len() <= DATAGRAM_BYTES);
        }
    }

    /// WIRE-68: a part counts no more than 255.
    #[test]
    fn a_part_that_counts_255_is_followed_by_another() {
        let mut writer = BatchWriter::new();
        writer.begin(Tick::ZERO);
        for _ in 0..300 {
            assert!(writer.push(Kind::UnitStates, &[], &[1, 0, 0]));
        }
        let bytes = writer.finish().to_vec();
        let message = Message::read(&bytes).unwrap();
        let counts: Vec<_> = Parts::of(&message).map(|part| part.unwrap().count).collect();
        assert_eq!(counts, [255, 45]);
    }
}
