//! A tick of a game that goes on allocates nothing.

use mjolnir_transport::NetEvent;
use mjolnir_wire::{Kind, MachineSet, Outbox, Tick};

use super::table::{HOST_ADDRESS, Table, batch, data};

/// Architecture: after warm-up neither end allocates in a tick.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut table = Table::playing(0);
    let peers: Vec<_> = (0..16).map(|i| table.in_game(&format!("10.0.0.{}:5151", i + 2))).collect();
    let mut client = {
        let a = table.client("10.0.0.99:5151", 1);
        table.step(1);
        let now = table.now;
        table.peers[a].client.as_mut().unwrap().loaded(now);
        table.carry();
        table.host.send_update(table.host.in_game(), 1, table.tick);
        table.carry();
        table.peers[a].client.take().unwrap()
    };
    let mut outbox = Outbox::new();
    let mut round = |table: &mut Table, ticks: std::ops::Range<i32>| {
        for number in ticks {
            let tick = Tick::new(number).unwrap();
            let now = table.now.plus(number as u64 * 33_333);
            let inputs: Vec<_> = (0..16_u8)
                .map(|slot| {
                    let mut entry = [0; 52];
                    entry[0] = slot;
                    batch(number, &[(14, 1, number, &entry), (1, 1, number, &[slot; 40])])
                })
                .collect();
            let down = batch(number, &[(19, 1, number, &[0; 4]), (2, 1, number, &[0; 35])]);
            let counted = allocation_counter::measure(|| {
                for (peer, bytes) in peers.iter().zip(&inputs) {
                    let from = table.peers[*peer].address;
                    table.host.handle(now, tick, NetEvent::Datagram { from, bytes });
                }
                table.host.poll(now, tick);
                while table.host.next_event().is_some() {}
                let mut taken = 0;
                while table.host.next_message().is_some() {
                    taken += 1;
                }
                assert_eq!(taken, 32);
                outbox.begin(tick, 0);
                for _ in 0..40 {
                    let _ = outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |b| b.extend([1; 35]));
                }
                let _ = outbox.message(MachineSet::CLIENTS, Kind::GameState, 0, |b| b.extend([0; 64]));
                table.host.flush(now, tick, &outbox, MachineSet::CLIENTS);
                table.host.send_update(MachineSet::CLIENTS, number, tick);
                let from = HOST_ADDRESS.parse().unwrap();
                client.handle(now, NetEvent::Datagram { from, bytes: &down });
                client.poll(now);
                while client.next_message().is_some() {}
                client.flush(&outbox);
                client.clear_transmits();
            });
            assert!(number < 30 || counted.count_total == 0, "{} at {number}", counted.count_total);
            // The network took it all.
            let written: Vec<_> =
                table.host.transmits().writes().map(|(stream, bytes)| (stream, bytes.len())).collect();
            for (stream, bytes) in written {
                table.host.handle(now, tick, NetEvent::Written { stream, bytes });
            }
            table.host.clear_transmits();
        }
    };
    let start = table.tick.get();
    round(&mut table, start..start + 60);
}

/// NET-75: what comes at once after a stall, three megabytes of it, is all heard, and its room is given back: a client
/// then keeps a few busy ticks' and no more, however often that happens.
#[test]
fn a_bursts_room_is_given_back() {
    let mut table = Table::playing(0);
    let a = table.client("10.0.0.99:5151", 1);
    table.step(1);
    let now = table.now;
    table.peers[a].client.as_mut().unwrap().loaded(now);
    table.carry();
    let (stream, client) = (table.peers[a].stream, table.peers[a].client.as_mut().unwrap());
    let message = data(5, 1, 100, &[0; 1000]);
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 {
            for _ in 0..3000 {
                client.handle(now, NetEvent::Bytes { stream, bytes: &message });
            }
            let mut taken = 0;
            while client.next_message().is_some() {
                taken += 1;
            }
            assert_eq!(taken, 3000);
        }
    });
    assert!(counted.bytes_max > 3_000_000, "{} bytes at most", counted.bytes_max);
    assert!(counted.bytes_current < 250_000, "{} bytes are kept", counted.bytes_current);
}
