//! A client's tick of hearing and advancing, and a host's of 127 clients.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_clock::{Client, Host};
use mjolnir_wire::{Machine, Moment, Tick};

fn clock(c: &mut Criterion) {
    let mut client = Client::new(Moment::START);
    client.handle_update(Moment::START, 0, Tick::ZERO);
    let mut now = Moment::START;
    c.bench_function("client hears and advances", |b| {
        b.iter(|| {
            now = now.plus(33_333);
            client.hear_datagram(now, client.heard().next());
            let tick = client.advance();
            if let Some(tick) = tick {
                client.sent(now, tick);
            }
            tick
        });
    });

    let mut host = Host::new(Tick::ZERO);
    for machine in Machine::all() {
        host.add_machine(Moment::START, machine);
    }
    c.bench_function("host of 127 advances", |b| {
        b.iter(|| {
            now = now.plus(33_333);
            let heard = host.tick();
            host.advance();
            for machine in Machine::all().skip(1) {
                let _ = host.hear(now, machine);
                let _ = host.handle_heard(now, machine, heard);
            }
            host.sent(now);
            (host.updates_due(), host.fallen_silent(now))
        });
    });
}

criterion_group!(benches, clock);
criterion_main!(benches);
