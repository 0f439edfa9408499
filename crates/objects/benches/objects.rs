//! What objects cost: a list of five hundred, written by the host and followed by a client; and a steady tick on either
//! end. Bytes a client's tick are printed once, before the times.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use mjolnir_objects::{
    CarryRow, Class, Client, Event, Host, LIST_INTERVAL, ObjectRow, Rows, Viewpoint, looks,
};
use mjolnir_wire::objects::{CarriedWeapon, Creation, Inventory, Motion, ObjectChange, ObjectState};
use mjolnir_wire::{Axes, BatchWriter, Machine, MachineSet, ObjectId, Outbox, Slot, Tag, Tick, Vec3};

fn id(index: u16) -> ObjectId {
    ObjectId::new(index, 1).expect("in range")
}

/// Ticks in which a client that lacks a thousand objects is told of them.
const CATCH_UP_TICKS: u32 = 5;

fn objects() -> Vec<Creation> {
    objects_of(500)
}

fn objects_of(count: u16) -> Vec<Creation> {
    (0..count).map(|index| Creation::plain(id(index), Tag(1), Vec3::ZERO)).collect()
}

fn listed() -> Rows<'static> {
    Rows::default()
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
            host.after_tick(tick, &listed(), |to| to.extend_from_slice(&objects), &mut outbox)
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
}

/// A game with so many clients, a player each, and so many objects of both sorts, half a map wide: a quarter of them
/// in each step of the ladder for each client. A sixteenth of the clients' units changes rounds at each look.
struct Game {
    host: Host,
    outbox: Outbox,
    tick: Tick,
    clients: u8,
    rows: Vec<ObjectRow>,
    carries: Vec<CarryRow>,
    views: Vec<Viewpoint>,
}

impl Game {
    fn new(clients: u8, moving: u16, resting: u16) -> Self {
        let mut host = Host::new();
        let machines = (1..=clients).filter_map(Machine::new);
        let mut views = Vec::new();
        let mut carries = Vec::new();
        for (machine, index) in machines.zip(3000..) {
            host.handle_ready(Tick::ZERO, machine).expect("its first");
            let (slot, unit) = (Slot::new(machine.get()).expect("in range"), id(index));
            let position = Vec3::new(f32::from(machine.get()) * 0.5, 0.0, 0.0);
            views.push(Viewpoint {
                slot,
                machine,
                unit,
                position: Some(position),
                told: MachineSet::CLIENTS,
            });
            let mut inventory = Inventory::empty(unit);
            for (slot, weapon) in inventory.weapons.iter_mut().zip(0..2) {
                let object = id(2100 + (index - 3000) * 2 + weapon);
                *slot = Some(CarriedWeapon { object, total: [60, 0], loaded: [12, 0], age: 0 });
            }
            carries.push(CarryRow { inventory, slot: Some(slot) });
        }
        let rows = (0..moving + resting).map(|index| {
            let far = [5.0, 45.0, 95.0, 160.0][usize::from(index % 4)];
            let motion = Motion {
                position: Vec3::new(0.0, far, 0.0),
                axes: Axes::UPRIGHT,
                velocity: Vec3::ZERO,
                angular_velocity: Vec3::ZERO,
            };
            let state = ObjectState { at_rest: index >= moving, ..ObjectState::moving(id(index), motion) };
            ObjectRow { state, class: Class::Weapon, tag: Tag(1), driver: None, is_carried_along: false }
        });
        let rows = rows.collect();
        let mut game = Self { host, outbox: Outbox::new(), tick: Tick::ZERO, clients, rows, carries, views };
        (0..90).for_each(|_| game.tick());
        game
    }

    fn tick(&mut self) {
        let Self { host, outbox, tick, rows, carries, views, .. } = self;
        *tick = tick.next();
        outbox.begin(*tick, tick.get());
        if looks(*tick) {
            for row in carries.iter_mut().step_by(16) {
                if let Some(weapon) = &mut row.inventory.weapons[0] {
                    weapon.loaded[0] ^= 1;
                }
            }
        }
        let rows = Rows { events: &[] as &[Event], objects: rows, carries, views, actors: &[] };
        host.after_tick(*tick, &rows, |_| {}, outbox);
    }

    /// Bytes of the last tick's datagrams to one client, and how many.
    fn gathered(&self, writer: &mut BatchWriter) -> (usize, usize) {
        let (mut bytes, mut datagrams) = (0, 0);
        let machine = Machine::new(self.clients).expect("in range");
        self.outbox.gather_datagrams(machine, writer, |datagram| {
            bytes += datagram.len();
            datagrams += 1;
        });
        (bytes, datagrams)
    }
}

/// 32 clients with 1 024 moving and 1 024 at rest, and how it grows with each.
const GAMES: [(u8, u16, u16); 8] = [
    (32, 1024, 1024),
    (1, 1024, 1024),
    (8, 1024, 1024),
    (127, 1024, 1024),
    (32, 0, 0),
    (32, 0, 1024),
    (32, 256, 1024),
    (32, 1024, 0),
];

fn states(c: &mut Criterion) {
    let mut group = c.benchmark_group("host_tick");
    for (clients, moving, resting) in GAMES {
        let mut game = Game::new(clients, moving, resting);
        let mut writer = BatchWriter::new();
        let (mut bytes, mut datagrams, mut allocations) = (0, 0, 0);
        for _ in 0..120 {
            let counted = allocation_counter::measure(|| {
                game.tick();
                let (more, most) = game.gathered(&mut writer);
                bytes += more;
                datagrams += most;
            });
            allocations += counted.count_total;
        }
        let name = format!("{clients}_clients/{moving}_moving/{resting}_at_rest");
        eprintln!(
            "{name}: {} bytes in {:.1} datagrams a client's tick, {allocations} allocations in 120 ticks",
            bytes / 120,
            datagrams as f32 / 120.0
        );
        group.bench_function(BenchmarkId::new("tell", &name), |b| b.iter(|| game.tick()));
        group.bench_function(BenchmarkId::new("gather_one", &name), |b| {
            b.iter(|| game.gathered(&mut writer));
        });
    }
    group.finish();
}

/// A client's tick with 2 048 objects and a state of each: half are left, half are put right.
fn settle(c: &mut Criterion) {
    let game = Game::new(1, 1024, 1024);
    let mut client = Client::new();
    for row in &game.rows {
        let creation = Creation::plain(row.state.object, Tag(1), Vec3::ZERO);
        client.handle_change(&ObjectChange::Create(creation)).expect("the host's half");
    }
    client.handle_synchronized();
    let said: Vec<_> = game.rows.iter().map(|row| row.state).collect();
    let mut rows = game.rows.clone();
    for row in rows.iter_mut().step_by(2) {
        row.state.motion.position.x += 0.5;
    }
    let (mut commands, mut outbox, mut tick) = (Vec::new(), Outbox::new(), Tick::ZERO);
    for (name, said) in [("2048_states", &said[..]), ("quiet", &[])] {
        c.bench_function(&format!("client_tick_of_2048/{name}"), |b| {
            b.iter(|| {
                tick = tick.next();
                for state in said {
                    client.handle_state(tick, state).expect("the host's half");
                }
                commands.clear();
                client.tick(tick, &rows, &mut commands, &mut outbox);
                client.settle(&rows, &[], &mut commands);
            });
        });
    }
}

/// Every client was behind while a thousand objects were made, and reads again: until each is told of all.
fn catch_up(c: &mut Criterion) {
    let made: Vec<_> = objects_of(1000).into_iter().map(Event::Made).collect();
    let objects = objects_of(1000);
    for clients in [1, 32, 127] {
        let ready: MachineSet = (1..=clients).filter_map(Machine::new).collect();
        let mut bytes = Vec::new();
        let mut lacking = || {
            let (mut host, mut outbox) = (Host::new(), Outbox::new());
            ready.iter().for_each(|machine| host.handle_ready(Tick::ZERO, machine).expect("its first"));
            outbox.begin(Tick::ZERO, 0);
            host.after_tick(Tick::ZERO, &listed(), |_| {}, &mut outbox);
            host.set_behind(ready);
            outbox.begin(Tick::ZERO.next(), 1);
            let rows = Rows { events: &made, ..Rows::default() };
            host.after_tick(Tick::ZERO.next(), &rows, |_| {}, &mut outbox);
            host.set_behind(MachineSet::NONE);
            (host, outbox)
        };
        let mut run = |(host, outbox): &mut (Host, Outbox)| {
            let mut most = 0;
            for number in 2..CATCH_UP_TICKS + 2 {
                let tick = Tick::ZERO.plus(number);
                outbox.begin(tick, number as i32);
                host.after_tick(tick, &listed(), |to| to.extend_from_slice(&objects), outbox);
                let mut told = 0;
                for machine in ready.iter() {
                    bytes.clear();
                    outbox.gather_stream(machine, &mut bytes);
                    told = bytes.len();
                }
                most = most.max(told);
            }
            most
        };
        eprintln!("catch_up/{clients}: {} bytes to a client in a tick at most", run(&mut lacking()));
        c.bench_function(&format!("catch_up/{clients}_clients"), |b| {
            b.iter_batched_ref(&mut lacking, &mut run, BatchSize::PerIteration);
        });
    }
}

criterion_group!(benches, list, states, settle, catch_up);
criterion_main!(benches);
