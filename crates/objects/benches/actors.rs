//! What the host's actors cost: 1 024 on a large level with seven clients, and 1 056 that a client drives. What a client is sent
//! a second, and how old the latest word on an actor is at most, are printed once, before the times.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mjolnir_objects::{ActorRow, Class, Client, Host, ObjectRow, Rows, Viewpoint};
use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::limits::MAX_ACTOR_UNITS;
use mjolnir_wire::objects::{Creation, Motion, ObjectChange, ObjectState};
use mjolnir_wire::{
    Axes, BatchWriter, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Slot, Tag, Tick, Vec3,
};

/// Ticks of a second.
const SECOND: u32 = 30;
/// Ticks that are counted.
const COUNTED: u32 = 120;
/// Ticks that an actor that is hurt shows it.
const HURT: usize = 20;

fn id(index: u16) -> ObjectId {
    ObjectId::new(index, 1).expect("in range")
}

fn at(position: Vec3, index: u16) -> (ObjectRow, ActorRow) {
    let velocity = Vec3::new(0.05, 0.0, 0.0);
    let motion = Motion { position, axes: Axes::UPRIGHT, velocity, angular_velocity: Vec3::ZERO };
    let unit = id(index);
    let row = ObjectRow {
        state: ObjectState::moving(unit, motion),
        class: Class::Unit,
        tag: Tag(1),
        driver: None,
        is_carried_along: false,
    };
    let state = ActorState { velocity, throttle: [1.0, 0.0, 0.0], ..ActorState::still(unit, position) };
    let damage = ActorDamage { unit, shield: 1.0, recent_shield: 0.0, body: 1.0, recent_body: 0.0 };
    (row, ActorRow { state, damage })
}

/// A host with so many clients, a player each that go together, and actors on a square level so wide; a sixteenth of them has been
/// hurt of late.
struct Game {
    host: Host,
    outbox: Outbox,
    tick: Tick,
    clients: MachineSet,
    rows: Vec<ObjectRow>,
    actors: Vec<ActorRow>,
    views: Vec<Viewpoint>,
}

impl Game {
    fn new(clients: u8, actors: u16, wide: f32) -> Self {
        let mut host = Host::new();
        let machines: MachineSet = (1..=clients).filter_map(Machine::new).collect();
        let mut views = Vec::new();
        for (machine, index) in machines.iter().zip(3000..) {
            host.handle_ready(Tick::ZERO, machine).expect("its first");
            // By the middle of the level, or they would be at an edge of it.
            let position = Vec3::new(f32::from(machine.get()) * 2.0, 0.0, 0.0);
            views.push(Viewpoint {
                slot: Slot::new(machine.get()).expect("in range"),
                machine,
                unit: id(index),
                position: Some(position),
                told: machines,
            });
        }
        let side = f32::from(actors).sqrt().ceil();
        let place = |number: f32| (number / side - 0.5) * wide;
        let pairs = (0..actors).map(|index| {
            let (row, column) = (f32::from(index) / side, f32::from(index) % side);
            at(Vec3::new(place(row.floor()), place(column), 0.0), index)
        });
        let (rows, actors) = pairs.unzip();
        let mut game =
            Self { host, outbox: Outbox::new(), tick: Tick::ZERO, clients: machines, rows, actors, views };
        (0..90).for_each(|_| game.tick());
        game
    }

    fn tick(&mut self) {
        let Self { host, outbox, tick, rows, actors, views, .. } = self;
        *tick = tick.next();
        let now = tick.get() as usize;
        for (row, actor) in rows.iter_mut().zip(actors.iter_mut()) {
            // To and fro.
            let step = if now % 40 < 20 { 0.05 } else { -0.05 };
            row.state.motion.position.x += step;
            actor.state.position = row.state.motion.position;
        }
        for actor in actors.iter_mut().step_by(16) {
            actor.damage.recent_body = (HURT - now % HURT) as f32 / HURT as f32;
        }
        outbox.begin(*tick, tick.get());
        host.after_tick(*tick, &Rows { objects: rows, views, actors, ..Rows::default() }, |_| {}, outbox);
    }

    /// Gathers the last tick's datagrams for each client, and hands those of the first to `first`.
    fn gather(&self, writer: &mut BatchWriter, mut first: impl FnMut(&[u8])) {
        for machine in self.clients.iter() {
            self.outbox.gather_datagrams(machine, writer, |datagram| {
                if machine.index() == 1 {
                    first(datagram);
                }
            });
        }
    }
}

/// How it grows with the level: all about the players, as wide as a fight, as a level, as the largest; and with clients.
const GAMES: [(u8, u16, f32); 6] = [
    (7, 1024, 600.0),
    (7, 1024, 35.0),
    (7, 1024, 150.0),
    (7, 1024, 1500.0),
    (31, 1024, 600.0),
    (7, 128, 600.0),
];

fn host(c: &mut Criterion) {
    let mut group = c.benchmark_group("host_actors");
    for (clients, actors, wide) in GAMES {
        let mut game = Game::new(clients, actors, wide);
        let mut writer = BatchWriter::new();
        let name = format!("{clients}_clients/{actors}_actors/{wide}_wu");
        let (mut bytes, mut datagrams, mut allocations) = (0, 0, 0);
        let mut ages = vec![0_u32; usize::from(actors)];
        let mut oldest = 0;
        for _ in 0..COUNTED {
            ages.iter_mut().for_each(|age| *age += 1);
            let counted = allocation_counter::measure(|| {
                game.tick();
                game.gather(&mut writer, |datagram| {
                    bytes += datagram.len();
                    datagrams += 1;
                    let Ok(batch) = Message::read(datagram) else { return };
                    for part in Parts::of(&batch).flatten().filter(|part| part.kind == Kind::ActorStates) {
                        for state in ActorState::read_all(&part).flatten() {
                            ages[state.unit.index()] = 0;
                        }
                    }
                });
            });
            allocations += counted.count_total;
            oldest = ages.iter().copied().max().unwrap_or(0).max(oldest);
        }
        let seconds = COUNTED / SECOND;
        eprintln!(
            "{name}: {} bytes in {:.1} datagrams a client's second, the furthest actor's word {} ticks old at most, \
             {allocations} allocations in {COUNTED} ticks",
            bytes as u32 / seconds,
            datagrams as f32 / seconds as f32,
            oldest + 1,
        );
        group.bench_function(BenchmarkId::new("tell", &name), |b| b.iter(|| game.tick()));
        group.bench_function(BenchmarkId::new("gather_all", &name), |b| {
            b.iter(|| game.gather(&mut writer, |_| {}));
        });
    }
    group.finish();
}

/// A client's tick with 1 056 driven units: a word on each, on as many as a large level's are told in a tick, on none; half of
/// those that one comes of are put right.
fn client(c: &mut Criterion) {
    let pairs = (0..MAX_ACTOR_UNITS as u16).map(|index| at(Vec3::new(f32::from(index), 0.0, 0.0), index));
    let (mut rows, actors): (Vec<ObjectRow>, Vec<ActorRow>) = pairs.unzip();
    let mut client = Client::new();
    for row in &rows {
        let creation = Creation::plain(row.state.object, Tag(1), Vec3::ZERO);
        client.handle_change(&ObjectChange::Create(creation)).expect("the host's half");
    }
    client.handle_synchronized();
    for row in rows.iter_mut().step_by(2) {
        row.state.motion.position.x += 0.5;
    }
    let (mut commands, mut drives, mut outbox) = (Vec::new(), Vec::new(), Outbox::new());
    let mut tick = Tick::ZERO;
    for (name, every) in [("all_told", 1), ("a_third_told", 3), ("quiet", usize::MAX)] {
        let mut begin = 0;
        let mut most = 0;
        let mut run = || {
            tick = tick.next();
            begin = (begin + 1) % every.min(3);
            for actor in actors.iter().skip(begin).step_by(every) {
                client.handle_actor(tick, &actor.state).expect("room for all");
                client.handle_actor_damage(tick, &actor.damage).expect("room for all");
            }
            commands.clear();
            drives.clear();
            client.tick(tick, &rows, &mut commands, &mut outbox);
            client.settle(&rows, &[], &mut commands);
            client.drive_actors(&mut drives);
            most = most.max(client.driven());
        };
        (0..30).for_each(|_| run());
        let allocations = allocation_counter::measure(|| (0..COUNTED).for_each(|_| run())).count_total;
        c.bench_function(&format!("client_tick_of_1056_driven/{name}"), |b| b.iter(&mut run));
        eprintln!("{name}: {most} driven at most, {allocations} allocations in {COUNTED} ticks");
    }
}

criterion_group!(benches, host, client);
criterion_main!(benches);
