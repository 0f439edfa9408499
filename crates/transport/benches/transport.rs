//! A host's tick with sixteen clients: what it costs to take their datagrams and to gather theirs.
#![allow(missing_docs, reason = "a bench is not an interface")]

use std::hint::black_box;
use std::net::SocketAddr;

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_transport::{Host, HostSettings, NetEvent, StreamId};
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{AddPlayerPregame, JoinRequest, Loaded, MapPrecached};
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::{NetworkPlayer, Packet, SettingsRecord};
use mjolnir_wire::{BatchWriter, Kind, Machine, MachineSet, Moment, Outbox, Tick};

const CLIENTS: u32 = 16;

fn address(client: u32) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, client as u8 + 2], 5151))
}

/// A game with sixteen clients in it, each one's address learnt.
fn game() -> Host {
    let mut record = SettingsRecord::empty();
    record.max_players = 128;
    let mut host = Host::new(HostSettings::new(record));
    host.begin_game(Moment::START, Tick::ZERO);
    for client in 0..CLIENTS {
        let stream = StreamId(client);
        host.handle(Moment::START, Tick::ZERO, NetEvent::Opened { stream, address: address(client) });
        let mut bytes = Vec::new();
        for packet in [
            Packet::JoinRequest(JoinRequest {
                name: MachineName::cut("Box"),
                token: mjolnir_transport::limits::JOIN_TOKEN,
                hardware_id: [b'0'; 32],
            }),
            Packet::AddPlayerPregame(AddPlayerPregame {
                player: NetworkPlayer { controller: 0, ..NetworkPlayer::NONE },
            }),
            Packet::MapPrecached(MapPrecached { map: Chars::EMPTY }),
        ] {
            let _ = packet.write(&mut bytes);
        }
        host.handle(Moment::START, Tick::ZERO, NetEvent::Bytes { stream, bytes: &bytes });
        host.poll(Moment::START, Tick::ZERO);
        bytes.clear();
        let _ = Packet::Loaded(Loaded { value: Unread }).write(&mut bytes);
        host.handle(Moment::START, Tick::ZERO, NetEvent::Bytes { stream, bytes: &bytes });
    }
    receive(&mut host, &datagrams());
    host.clear_transmits();
    host
}

/// A tick's datagram of each client: its input and its prediction.
fn datagrams() -> Vec<Vec<u8>> {
    (0..CLIENTS as u8)
        .map(|slot| {
            let mut outbox = Outbox::new();
            outbox.begin(Tick::ZERO, 0);
            let mut entry = [0; 52];
            entry[0] = slot;
            let _ = outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |bytes| bytes.extend(entry));
            let _ = outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| bytes.extend([slot; 35]));
            let mut all = Vec::new();
            outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |bytes| all = bytes.to_vec());
            all
        })
        .collect()
}

fn receive(host: &mut Host, datagrams: &[Vec<u8>]) -> usize {
    for (client, bytes) in (0..).zip(datagrams) {
        host.handle(Moment::START, Tick::ZERO, NetEvent::Datagram { from: address(client), bytes });
    }
    let mut messages = 0;
    while let Some(received) = host.next_message() {
        messages += black_box(received.message.body).len();
    }
    messages
}

fn tick(criterion: &mut Criterion) {
    let mut host = game();
    let datagrams = datagrams();
    assert_eq!(host.in_game().len(), CLIENTS as usize);
    criterion.bench_function("transport/receive_16", |bencher| {
        bencher.iter(|| receive(&mut host, &datagrams));
    });
    let mut outbox = Outbox::new();
    outbox.begin(Tick::ZERO, 0);
    for _ in 0..CLIENTS {
        let _ = outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| bytes.extend([1; 35]));
        let _ = outbox.entry(MachineSet::CLIENTS, Kind::RelayedActions, |bytes| bytes.extend([1; 14]));
    }
    criterion.bench_function("transport/flush_16", |bencher| {
        bencher.iter(|| {
            host.flush(Moment::START, Tick::ZERO, &outbox, MachineSet::CLIENTS);
            let datagrams = black_box(host.transmits()).datagrams().count();
            host.clear_transmits();
            datagrams
        });
    });
    criterion.bench_function("transport/poll_16", |bencher| {
        bencher.iter(|| host.poll(Moment::START, Tick::ZERO));
    });
}

criterion_group!(benches, tick);
criterion_main!(benches);
