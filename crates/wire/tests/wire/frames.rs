//! Headers, batches and datagrams from outside.

use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::kinds::{KINDS, Sender};
use mjolnir_wire::message::{MessageType, read_word, word};
use mjolnir_wire::packets::{PACKETS, Packet};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Error, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Vec3,
};

use super::bytes::{message, slot, tick};

fn walker(index: u8) -> UnitState {
    let placement =
        Placement { position: Vec3::new(index.into(), 0.0, 1.0), velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    UnitState {
        slot: slot(index),
        shield: ShieldFlags::default(),
        life: Life::Alive(LivingUnit::whole(ObjectId::new(index.into(), 1).unwrap(), placement)),
    }
}

/// WIRE-04: a netcode message is of type 2, a packet of type 3, type 0 is refused.
#[test]
fn the_two_spaces_have_types_of_their_own() {
    for info in KINDS {
        let bytes = message(info.kind as u8, info.least, &vec![0; info.prefix + info.entry]);
        assert_eq!(read_word([bytes[0], bytes[1]]), Ok((MessageType::Data, bytes.len())));
        assert!(Message::read(&bytes).is_ok(), "{}", info.name);
        assert_eq!(Packet::read(&bytes), Err(Error::UnknownKind));
    }
    for info in PACKETS {
        let mut bytes = word(MessageType::Packet, info.size).unwrap().to_vec();
        bytes.resize(info.size, 0);
        assert_eq!(Message::read(&bytes), Err(Error::UnknownKind), "{}", info.name);
    }
    assert_eq!(read_word([0x00, 0x80]), Err(Error::UnknownKind));
}

/// WIRE-05: a stamp travels whole, little-endian, at offset 4; a negative one is refused.
#[test]
fn a_stamp_travels_whole() {
    for number in [0, 65_536, i32::MAX] {
        let mut outbox = Outbox::new();
        outbox.begin(tick(number), 0);
        outbox.message(MachineSet::CLIENTS, Kind::ObjectsSynchronized, 0, |_| {}).unwrap();
        let mut bytes = Vec::new();
        outbox.gather_stream(Machine::new(5).unwrap(), &mut bytes);
        assert_eq!(bytes[4..], number.to_le_bytes());
        assert_eq!(Message::read(&bytes).unwrap().tick, tick(number));
    }
    assert_eq!(Message::read(&[0x00, 0x88, 8, 0, 0xFF, 0xFF, 0xFF, 0xFF]), Err(Error::BadTick));
}

/// WIRE-60: of every kind, one byte short of what it counts is dropped whole, five bytes more are ignored, or refused
/// of one that is exactly its entries.
#[test]
fn every_kind_has_room_for_what_it_counts() {
    for info in KINDS.iter().filter(|info| info.counted && info.entry > 0) {
        let count = info.most.min(3);
        let body = vec![0; info.prefix + info.entry * usize::from(count)];
        let short = message(info.kind as u8, count, &body[1..]);
        assert_eq!(Message::read(&short), Err(Error::Truncated), "{}", info.name);
        let long = message(info.kind as u8, count, &[&body[..], &[7; 5]].concat());
        if info.kind.is_exact() {
            assert_eq!(Message::read(&long), Err(Error::TrailingBytes), "{}", info.name);
            continue;
        }
        assert_eq!(Message::read(&long).unwrap().entries().count(), usize::from(count), "{}", info.name);
    }
    assert_eq!(Message::read(&message(8, 0, &[])[..7]), Err(Error::Truncated));
}

fn parts_of(datagram: &[u8]) -> Vec<Message<'_>> {
    Parts::of(&Message::read(datagram).unwrap()).map(Result::unwrap).collect()
}

/// WIRE-12: forty small messages fill each datagram so far that the next entry with its part's header would not
/// go in; each is read back.
#[test]
fn a_tick_takes_as_few_datagrams_as_it_fills() {
    let mut outbox = Outbox::new();
    outbox.begin(tick(9), 0);
    for index in 0..40 {
        outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| walker(index).write(bytes)).unwrap();
        outbox.entry(MachineSet::CLIENTS, Kind::Pings, |bytes| bytes.extend([index, 0, 1, 0])).unwrap();
        outbox.entry(MachineSet::CLIENTS, Kind::ObjectStates, |bytes| bytes.extend([index; 44])).unwrap();
    }
    let mut datagrams: Vec<Vec<u8>> = Vec::new();
    outbox.gather_datagrams(Machine::new(1).unwrap(), &mut BatchWriter::new(), |bytes| {
        datagrams.push(bytes.to_vec());
    });
    let sum: usize = datagrams.iter().map(|datagram| datagram.len() - 8).sum();
    assert_eq!(datagrams.len(), sum.div_ceil(1192));
    for pair in datagrams.windows(2) {
        let last = parts_of(&pair[0]).last().unwrap().kind;
        let next = parts_of(&pair[1])[0];
        let entry = match next.kind {
            Kind::UnitStates => 35,
            Kind::Pings => 4,
            _ => 44,
        };
        let room = entry + if next.kind == last { 0 } else { 8 };
        assert!(pair[0].len() <= 1200 && pair[0].len() + room > 1200);
    }
    let mut seen = [0; 256];
    for datagram in &datagrams {
        let (_, whole) = read_datagram(datagram).unwrap();
        for part in parts_of(whole) {
            seen[part.kind as usize] += usize::from(part.count);
        }
    }
    assert_eq!([Kind::UnitStates, Kind::Pings, Kind::ObjectStates].map(|kind| seen[kind as usize]), [40; 3]);
}

/// WIRE-13, 14: a lost datagram loses its own entries alone; what the others hold is read as it was.
#[test]
fn a_lost_datagram_loses_nothing_but_its_own() {
    let mut outbox = Outbox::new();
    outbox.begin(tick(9), 0);
    for index in 0..90 {
        outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| walker(index).write(bytes)).unwrap();
    }
    let mut datagrams: Vec<Vec<u8>> = Vec::new();
    outbox.gather_datagrams(Machine::new(1).unwrap(), &mut BatchWriter::new(), |bytes| {
        datagrams.push(bytes.to_vec());
    });
    let read = |datagram: &[u8]| -> Vec<UnitState> {
        let batch = Message::read(datagram).unwrap();
        Parts::of(&batch).flat_map(|part| UnitState::read_all(&part.unwrap()).map(Result::unwrap)).collect()
    };
    assert_eq!(datagrams.len(), 3);
    let all: Vec<_> = datagrams.iter().flat_map(|datagram| read(datagram)).collect();
    assert!(all.iter().map(|state| state.slot.get()).eq(0..90));
    let lost = read(&datagrams[1]).len();
    let kept: Vec<_> = [0, 2].iter().flat_map(|at| read(&datagrams[*at])).collect();
    assert_eq!(kept.len(), 90 - lost);
    assert!(kept.iter().all(|state| *state == all[state.slot.index()]));
}

/// WIRE-65: of every kind that goes in a batch one entry more than the most is a part of its own, or, of a client's,
/// is not sent; so many are.
#[test]
fn a_part_counts_no_more_than_the_kinds_most() {
    for info in KINDS.iter().filter(|info| info.channels.has_batch()) {
        let to = MachineSet::only(Machine::new(1).unwrap());
        let most = usize::from(info.most);
        let mut outbox = Outbox::new();
        outbox.begin(tick(1), 0);
        let put = |_| outbox.entry(to, info.kind, |bytes| bytes.resize(bytes.len() + info.entry, 0));
        let put: Vec<_> = (0..=most).map(put).collect();
        let is_clients = info.sender == Sender::Client;
        assert!(put[..most].iter().all(Result::is_ok), "{}", info.name);
        assert_eq!(put[most].is_err(), is_clients, "{}", info.name);
        let mut counts = Vec::new();
        outbox.gather_datagrams(Machine::new(1).unwrap(), &mut BatchWriter::new(), |datagram| {
            counts.extend(parts_of(datagram).iter().map(|part| usize::from(part.count)));
        });
        assert!(counts.iter().all(|count| *count <= most), "{}: {counts:?}", info.name);
        assert_eq!(counts.iter().sum::<usize>(), most + usize::from(!is_clients), "{}", info.name);
    }
}

/// WIRE-15: so many entries of each size, and the internet tunnel's 36 bytes on top.
#[test]
fn a_datagram_is_at_most_twelve_hundred_bytes() {
    for (kind, entry, most) in [
        (Kind::PlayerStatistics, 64, 18),
        (Kind::ObjectStates, 44, 26),
        (Kind::ActorStates, 88, 13),
        (Kind::DamageEvents, 108, 10),
    ] {
        assert_eq!((1200 - 8 - 8) / entry, most);
        let mut outbox = Outbox::new();
        outbox.begin(tick(1), 0);
        for _ in 0..=most {
            outbox.entry(MachineSet::CLIENTS, kind, |bytes| bytes.resize(bytes.len() + entry, 0)).unwrap();
        }
        let mut lengths = Vec::new();
        outbox.gather_datagrams(Machine::new(1).unwrap(), &mut BatchWriter::new(), |bytes| {
            lengths.push(bytes.len());
        });
        assert_eq!(lengths, [16 + most * entry, 16 + entry]);
        assert!(lengths[0] + 36 <= 1236);
    }
}

/// Wrappers in wrappers do not go deeper than one.
#[test]
fn a_batch_in_a_batch_is_not_opened() {
    let mut nested = Vec::new();
    for _ in 0..120 {
        let mut outer = ((nested.len() + 6) as u16).to_le_bytes().to_vec();
        outer.extend([16, 0, 1, 0, 0, 0]);
        outer.extend(&nested);
        nested = outer;
    }
    let bytes = message(16, 0, &nested);
    let batch = Message::read(&bytes).unwrap();
    assert_eq!(Parts::of(&batch).collect::<Vec<_>>(), [Err(Error::BadFlag)]);
}

/// Another protocol on the port is a damaged stream at once.
#[test]
fn foreign_text_is_not_a_stream() {
    for text in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] {
        let mut reader = StreamReader::new();
        reader.push(text);
        assert!(reader.next_message().is_err());
    }
}

/// WIRE-58: a length that the word cannot say is refused where it is encoded, never cut.
#[test]
fn a_length_is_never_cut() {
    for length in [2, 4095] {
        assert_eq!(word(MessageType::Data, length).map(read_word), Ok(Ok((MessageType::Data, length))));
    }
    for length in [0, 1] {
        assert_eq!(word(MessageType::Data, length), Err(Error::Truncated));
    }
    for length in [4096, 8191, 8192, 29_914, 65_535, 65_536, 65_536 + 16] {
        assert_eq!(word(MessageType::Data, length), Err(Error::TooLong));
        let mut outbox = Outbox::new();
        let put = outbox.message(MachineSet::CLIENTS, Kind::Notice, 0, |b| b.resize(b.len() + length - 8, 0));
        assert_eq!(put, Err(Error::TooLong));
        assert!(outbox.is_empty());
    }
}
