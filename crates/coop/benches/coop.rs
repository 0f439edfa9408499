//! What devices cost: a tick of 64 that move, told to 32 machines and followed by one.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_coop::{DeviceClient, DeviceHost, DeviceRow, GroupRow};
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::{Machine, ObjectName, Outbox, Tick};

fn devices(c: &mut Criterion) {
    let to = (1..33).filter_map(Machine::new).collect();
    let groups: Vec<_> =
        (0..64).map(|of| GroupRow { of: Setting::Group(of), value: 1.0, changed: 1, snaps: 0 }).collect();
    for (name, moving) in [("64_moving", true), ("64_at_rest", false)] {
        let row =
            |of| DeviceRow { device: ObjectName::Named(of), position: 0.5, power: 1.0, moving, travel: 9.0 };
        let rows: Vec<_> = (0..64).map(row).collect();
        let (mut host, mut outbox, mut tick) = (DeviceHost::new(), Outbox::new(), Tick::ZERO);
        c.bench_function(&format!("host_tick/{name}"), |b| {
            b.iter(|| {
                tick = tick.next();
                outbox.begin(tick, 0);
                host.after_tick(tick, to, &groups, &rows, &mut outbox);
            });
        });
        let (mut client, mut commands, mut tick) = (DeviceClient::new(), Vec::new(), Tick::ZERO);
        c.bench_function(&format!("client_tick/{name}"), |b| {
            b.iter(|| {
                tick = tick.next();
                for (group, row) in groups.iter().zip(&rows) {
                    let GroupRow { of, value, changed, snaps } = *group;
                    let group = DeviceGroup { of, value, snaps, changed };
                    client.handle_group(tick, &group).expect("not too many");
                    let DeviceRow { device, position, power, moving, .. } = *row;
                    let state = DeviceState { device, moving, position, power };
                    client.handle_state(tick, &state).expect("not too many");
                }
                commands.clear();
                client.before_tick(&groups, &rows, &mut commands);
            });
        });
    }
}

criterion_group!(benches, devices);
criterion_main!(benches);
