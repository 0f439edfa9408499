//! What objects cost: a list of five hundred, written by the host and followed by a client; and a client's steady
//! tick, which looks at every object.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use mjolnir_objects::{Client, Host, LIST_INTERVAL};
use mjolnir_wire::objects::{Creation, ObjectChange};
use mjolnir_wire::{Machine, ObjectId, Outbox, Tag, Tick, Vec3};

fn objects() -> Vec<Creation> {
    (0..500)
        .map(|index| Creation::plain(ObjectId::new(index, 1).expect("in range"), Tag(1), Vec3::ZERO))
        .collect()
}

fn list(c: &mut Criterion) {
    let objects = objects();
    let machine = Machine::new(1).expect("in range");
    let mut group = c.benchmark_group("list_of_500");
    group.bench_function("host", |b| {
        let (mut host, mut outbox, mut tick) = (Host::new(), Outbox::new(), Tick::ZERO);
        b.iter(|| {
            tick = tick.plus(LIST_INTERVAL as u32);
            host.handle_ready(tick, machine).expect("due");
            outbox.begin(tick, 0);
            host.after_tick(tick, &[], |to| to.extend_from_slice(&objects), &mut outbox)
        });
    });
    group.bench_function("client", |b| {
        let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
        b.iter_batched_ref(
            Client::new,
            |client| {
                for creation in &objects {
                    client.handle_change(&ObjectChange::Create(*creation)).expect("the host's half");
                }
                client.handle_synchronized();
                commands.clear();
                client.tick(Tick::ZERO, &[], &mut commands, &mut outbox);
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();

    c.bench_function("steady_tick_of_500/client", |b| {
        let (mut client, mut commands, mut outbox) = (Client::new(), Vec::new(), Outbox::new());
        for creation in &objects {
            client.handle_change(&ObjectChange::Create(*creation)).expect("the host's half");
        }
        client.handle_synchronized();
        let present: Vec<_> = objects.iter().map(|creation| creation.object).collect();
        b.iter(|| client.tick(Tick::ZERO, &present, &mut commands, &mut outbox));
    });
}

criterion_group!(benches, list);
criterion_main!(benches);
