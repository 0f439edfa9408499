//! The outbox: everything a tick sends, encoded once, with who gets it; gathered for each machine when it leaves.
//! Knows no connection and no address.
//!
//! Unreliable entries stand in a list for each kind; reliable ones in one list, in the order in which they were
//! put. Its buffers keep their capacity: a steady tick allocates nothing.

use alloc::vec::Vec;

use crate::batch::BatchWriter;
use crate::error::Error;
use crate::ids::Machine;
use crate::kinds::{KINDS, Kind, KindInfo, Sender};
use crate::limits::{HEADER_BYTES, MESSAGE_BYTES};
use crate::machines::MachineSet;
use crate::message::{self, MessageType, word};
use crate::time::Tick;

/// Bytes of the outbox and who gets them.
#[derive(Clone, Copy, Debug)]
struct Slice {
    at: u32,
    length: u16,
    to: MachineSet,
}

impl Slice {
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.at as usize..][..usize::from(self.length)]
    }
}

/// What a reliable slice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reliable {
    /// An entry, gathered with its neighbours of the same kind under one header.
    Entry(Kind),
    /// A whole message, its header included.
    Whole,
}

/// A place in the outbox to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    bytes: usize,
    unreliable: [u32; KINDS.len()],
    reliable: usize,
    unsendable: u32,
}

/// What a tick sends. See the module's text.
#[derive(Debug)]
pub struct Outbox {
    tick: Tick,
    update: i32,
    bytes: Vec<u8>,
    unreliable: Vec<Vec<Slice>>,
    reliable: Vec<(Reliable, Slice)>,
    unsendable: u32,
}

impl Default for Outbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Outbox {
    /// Empty, stamped with the first tick.
    pub fn new() -> Self {
        Self {
            tick: Tick::ZERO,
            update: 0,
            bytes: Vec::new(),
            unreliable: KINDS.iter().map(|_| Vec::new()).collect(),
            reliable: Vec::new(),
            unsendable: 0,
        }
    }

    /// Empties it for a tick: the stamp of what is put from here on. `update` is the host's count of its ticks'
    /// updates, which relayed actions carry once a part; a client's is not sent.
    pub fn begin(&mut self, tick: Tick, update: i32) {
        self.tick = tick;
        self.update = update;
        self.bytes.clear();
        for list in &mut self.unreliable {
            list.clear();
        }
        self.reliable.clear();
    }

    /// The stamp of what is put.
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Whether nothing was put.
    pub fn is_empty(&self) -> bool {
        self.reliable.is_empty() && self.unreliable.iter().all(Vec::is_empty)
    }

    /// Messages and entries that were refused since it was made.
    pub const fn unsendable(&self) -> u32 {
        self.unsendable
    }

    /// The present end, for [`Outbox::rollback`].
    pub fn mark(&self) -> Mark {
        let mut unreliable = [0; KINDS.len()];
        for (count, list) in unreliable.iter_mut().zip(&self.unreliable) {
            *count = list.len() as u32;
        }
        Mark {
            bytes: self.bytes.len(),
            unreliable,
            reliable: self.reliable.len(),
            unsendable: self.unsendable,
        }
    }

    /// Forgets everything put since that mark of the same tick.
    pub fn rollback(&mut self, mark: &Mark) {
        self.bytes.truncate(mark.bytes);
        for (count, list) in mark.unreliable.iter().zip(&mut self.unreliable) {
            list.truncate(*count as usize);
        }
        self.reliable.truncate(mark.reliable);
        self.unsendable = mark.unsendable;
    }

    /// Puts one entry for the tick's datagrams to those machines; `write` appends its bytes.
    ///
    /// Refused are an entry that no datagram holds, a kind that goes in none, and one more than the most of a
    /// client's kind, whose host takes one message of it a tick (WIRE-65, 68).
    pub fn entry(
        &mut self,
        to: MachineSet,
        kind: Kind,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), Error> {
        let KindInfo { sender, channels, most, .. } = *kind.info();
        let is_full = sender == Sender::Client && self.unreliable[kind.place()].len() >= usize::from(most);
        if !channels.has_batch() || is_full {
            return Err(self.refuse(Error::BadFlag));
        }
        let slice = self.append(to, |bytes| {
            write(bytes);
            Ok(())
        })?;
        if !BatchWriter::fits_alone(kind, usize::from(slice.length)) {
            return Err(self.take_back(slice));
        }
        if !to.is_empty() {
            self.unreliable[kind.place()].push(slice);
        }
        Ok(())
    }

    /// Puts one entry for those machines' streams; entries of one kind in a row share a message. Refused are an entry
    /// that no message holds, and a kind that goes by no stream.
    pub fn reliable_entry(
        &mut self,
        to: MachineSet,
        kind: Kind,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), Error> {
        if !kind.info().channels.has_stream() {
            return Err(self.refuse(Error::BadFlag));
        }
        let slice = self.append(to, |bytes| {
            write(bytes);
            Ok(())
        })?;
        if HEADER_BYTES + kind.info().prefix + usize::from(slice.length) > MESSAGE_BYTES {
            return Err(self.take_back(slice));
        }
        if !to.is_empty() {
            self.reliable.push((Reliable::Entry(kind), slice));
        }
        Ok(())
    }

    /// Puts one whole distributed message for those machines' streams; `write` appends what follows its header.
    /// Refused are one that is too long, a kind that goes by no stream, and a count that it cannot have.
    pub fn message(
        &mut self,
        to: MachineSet,
        kind: Kind,
        count: u8,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), Error> {
        let KindInfo { channels, least, most, .. } = *kind.info();
        if !channels.has_stream() || count < least || count > most {
            return Err(self.refuse(Error::BadFlag));
        }
        let tick = self.tick;
        let slice = self.append(to, |bytes| {
            let at = message::begin(bytes, kind, count, tick);
            write(bytes);
            message::finish(bytes, at, MessageType::Data)
        })?;
        if !to.is_empty() {
            self.reliable.push((Reliable::Whole, slice));
        }
        Ok(())
    }

    /// Puts one of the game's own packets, whole, for those machines' streams; `write` appends the message.
    pub fn packet(
        &mut self,
        to: MachineSet,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let slice = self.append(to, write)?;
        if !to.is_empty() {
            self.reliable.push((Reliable::Whole, slice));
        }
        Ok(())
    }

    fn append(
        &mut self,
        to: MachineSet,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<Slice, Error> {
        let at = self.bytes.len();
        let written = write(&mut self.bytes);
        let length = self.bytes.len() - at;
        let slice = Slice { at: at as u32, length: length.min(MESSAGE_BYTES) as u16, to };
        match written {
            Ok(()) if length <= MESSAGE_BYTES => Ok(slice),
            Ok(()) => Err(self.take_back(slice)),
            Err(error) => {
                self.take_back(slice);
                Err(error)
            }
        }
    }

    fn take_back(&mut self, slice: Slice) -> Error {
        self.bytes.truncate(slice.at as usize);
        self.refuse(Error::TooLong)
    }

    const fn refuse(&mut self, why: Error) -> Error {
        self.unsendable += 1;
        why
    }

    /// Appends every reliable message for that machine to `to`, each whole, in the order in which they were put.
    pub fn gather_stream(&self, machine: Machine, to: &mut Vec<u8>) {
        // The message that entries are being added to: where it begins, its kind, how many it counts.
        let mut open: Option<(usize, Kind, u8)> = None;
        for (what, slice) in &self.reliable {
            if !slice.to.contains(machine) {
                continue;
            }
            let bytes = slice.of(&self.bytes);
            let Reliable::Entry(kind) = *what else {
                close(to, open.take());
                to.extend_from_slice(bytes);
                continue;
            };
            let goes_on = open.is_some_and(|(at, of, count)| {
                of == kind && count < kind.info().most && to.len() - at + bytes.len() <= MESSAGE_BYTES
            });
            if !goes_on {
                close(to, open.take());
                open = Some((message::begin(to, kind, 0, self.tick), kind, 0));
            }
            to.extend_from_slice(bytes);
            if let Some((_, _, count)) = &mut open {
                *count += 1;
            }
        }
        close(to, open);
    }

    /// Fills that machine's datagrams one after another and hands each, whole, to `emit`.
    pub fn gather_datagrams(&self, machine: Machine, writer: &mut BatchWriter, mut emit: impl FnMut(&[u8])) {
        writer.begin(self.tick);
        let update = self.update.to_le_bytes();
        for (info, list) in KINDS.iter().zip(&self.unreliable) {
            let prefix = if info.kind == Kind::RelayedActions { &update[..] } else { &[] };
            for slice in list {
                if !slice.to.contains(machine) {
                    continue;
                }
                let entry = slice.of(&self.bytes);
                if !writer.push(info.kind, prefix, entry) {
                    emit(writer.finish());
                    writer.begin(self.tick);
                    writer.push(info.kind, prefix, entry);
                }
            }
        }
        if !writer.is_empty() {
            emit(writer.finish());
        }
    }
}

fn close(to: &mut [u8], open: Option<(usize, Kind, u8)>) {
    if let Some((at, _, count)) = open
        && let Ok(word) = word(MessageType::Data, to.len() - at)
    {
        to[at..at + 2].copy_from_slice(&word);
        to[at + 3] = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Parts;
    use crate::message::Message;

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    fn datagrams(outbox: &Outbox, to: Machine) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        outbox.gather_datagrams(to, &mut BatchWriter::new(), |bytes| all.push(bytes.to_vec()));
        all
    }

    fn parts(datagram: &[u8]) -> Vec<(Kind, Vec<u8>)> {
        let message = Message::read(datagram).unwrap();
        Parts::of(&message).map(|part| part.map(|part| (part.kind, part.body.to_vec())).unwrap()).collect()
    }

    /// WIRE-13, 14: a message that does not fit goes on in the next datagram at an entry's edge; each piece is
    /// whole, and no datagram but the last has room for the next entry.
    #[test]
    fn entries_split_where_a_datagram_is_full() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        for i in 0..115_u8 {
            outbox
                .entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| bytes.extend_from_slice(&[i; 35]))
                .unwrap();
        }
        let sent = datagrams(&outbox, machine(1));
        assert_eq!(sent.len(), 4);
        assert!(sent[..3].iter().all(|datagram| datagram.len() <= 1200 && 1200 - datagram.len() < 35));
        let entries: Vec<u8> = sent.iter().flat_map(|d| parts(d)).flat_map(|(_, body)| body).collect();
        assert!(entries.chunks_exact(35).map(|entry| entry[0]).eq(0..115));
    }

    /// WIRE-30, 68: relayed actions repeat the update number in each part.
    #[test]
    fn the_update_number_stands_in_each_part() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 4660);
        for _ in 0..100 {
            outbox
                .entry(MachineSet::CLIENTS, Kind::RelayedActions, |b| b.extend_from_slice(&[0; 20]))
                .unwrap();
        }
        let sent = datagrams(&outbox, machine(1));
        assert_eq!(sent.len(), 2);
        for datagram in sent {
            assert!(parts(&datagram).iter().all(|(_, body)| body[..4] == [0x34, 0x12, 0, 0]));
        }
    }

    #[test]
    fn each_machine_gets_its_own_and_no_other() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        let only = MachineSet::only(machine(2));
        outbox.entry(only, Kind::Pings, |bytes| bytes.extend_from_slice(&[2; 4])).unwrap();
        outbox
            .entry(MachineSet::CLIENTS.without(only), Kind::Pings, |b| b.extend_from_slice(&[1; 4]))
            .unwrap();
        assert_eq!(parts(&datagrams(&outbox, machine(2))[0]), [(Kind::Pings, alloc::vec![2; 4])]);
        assert_eq!(parts(&datagrams(&outbox, machine(3))[0]), [(Kind::Pings, alloc::vec![1; 4])]);
        assert!(datagrams(&outbox, Machine::HOST).is_empty());
    }

    /// WIRE-65: thirty creations a message; a kind between ends the run; the order is kept.
    #[test]
    fn reliable_entries_share_messages_and_keep_their_order() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        for i in 0..31 {
            outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |b| b.extend([i; 132])).unwrap();
        }
        outbox.message(MachineSet::CLIENTS, Kind::ObjectsSynchronized, 0, |_| {}).unwrap();
        outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |b| b.extend([31; 132])).unwrap();
        let mut bytes = Vec::new();
        outbox.gather_stream(machine(9), &mut bytes);
        let mut messages = Vec::new();
        let mut left = &bytes[..];
        while !left.is_empty() {
            let (_, length) = message::read_word([left[0], left[1]]).unwrap();
            let message = Message::read(&left[..length]).unwrap();
            messages.push((message.kind, message.count));
            left = &left[length..];
        }
        let changes = Kind::ObjectChanges;
        assert_eq!(messages, [(changes, 30), (changes, 1), (Kind::ObjectsSynchronized, 0), (changes, 1)]);
    }

    /// WIRE-68: what cannot fit is refused, counted, and leaves nothing behind.
    #[test]
    fn what_is_too_large_is_not_sent() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        assert_eq!(
            outbox.entry(MachineSet::CLIENTS, Kind::Pings, |b| b.extend([0; 1185])),
            Err(Error::TooLong)
        );
        assert_eq!(
            outbox.message(MachineSet::CLIENTS, Kind::Notice, 0, |b| b.extend([0; 4088])),
            Err(Error::TooLong)
        );
        assert!(outbox.is_empty());
        assert_eq!(outbox.unsendable(), 2);
        assert_eq!(outbox.entry(MachineSet::CLIENTS, Kind::Pings, |b| b.extend([0; 1184])), Ok(()));
        assert_eq!(outbox.message(MachineSet::CLIENTS, Kind::Notice, 0, |b| b.extend([0; 4087])), Ok(()));
    }

    /// WIRE-65, 68, 71: one more than the most is refused, and so is a kind by a channel that it does not have.
    #[test]
    fn what_the_format_does_not_have_is_not_sent() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        let host = MachineSet::only(Machine::HOST);
        for kind in [Kind::PlayerPrediction, Kind::PlayerInputs, Kind::VehiclePrediction] {
            for _ in 0..4 {
                assert_eq!(outbox.entry(host, kind, |b| b.extend([0; 52])), Ok(()));
            }
            assert_eq!(outbox.entry(host, kind, |b| b.extend([0; 52])), Err(Error::BadFlag));
        }
        for kind in [Kind::GameState, Kind::ObjectChanges, Kind::Notice, Kind::VoiceUp, Kind::Batch] {
            assert_eq!(outbox.entry(host, kind, |b| b.extend([0; 4])), Err(Error::BadFlag), "{kind:?}");
        }
        for kind in [Kind::UnitStates, Kind::Pings, Kind::VoiceUp, Kind::Batch] {
            assert_eq!(
                outbox.reliable_entry(host, kind, |b| b.extend([0; 4])),
                Err(Error::BadFlag),
                "{kind:?}"
            );
            assert_eq!(outbox.message(host, kind, 1, |b| b.extend([0; 4])), Err(Error::BadFlag), "{kind:?}");
        }
        assert_eq!(outbox.message(host, Kind::ClientReady, 2, |_| {}), Err(Error::BadFlag));
        assert_eq!(outbox.message(host, Kind::VoiceConfig, 0, |_| {}), Err(Error::BadFlag));
        assert_eq!(outbox.unsendable(), 3 + 5 + 8 + 2);
    }

    #[test]
    fn a_rollback_forgets_what_came_after_its_mark() {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        outbox.entry(MachineSet::CLIENTS, Kind::Pings, |b| b.extend([1; 4])).unwrap();
        let mark = outbox.mark();
        let before = datagrams(&outbox, machine(1));
        outbox.entry(MachineSet::CLIENTS, Kind::Pings, |b| b.extend([2; 4])).unwrap();
        outbox.message(MachineSet::CLIENTS, Kind::ClientReady, 0, |_| {}).unwrap();
        outbox.rollback(&mark);
        assert_eq!(datagrams(&outbox, machine(1)), before);
        let mut bytes = Vec::new();
        outbox.gather_stream(machine(1), &mut bytes);
        assert!(bytes.is_empty());
    }
}
