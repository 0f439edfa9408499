//! What the hot kinds cost to write and read, directly and by way of bincode, and what it costs to gather a tick for
//! every client.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench that cannot be set up ends; criterion's macros"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_wire::actors::ActorState;
use mjolnir_wire::events::{Action, Animation, CoopEvent};
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::inputs::{PlayerInput, PlayerInputEntry, RelayedAction, RelayedActions};
use mjolnir_wire::mapshare::{File, FileHash};
use mjolnir_wire::objects::{ObjectState, ObjectStateEntry};
use mjolnir_wire::presentation::{Camera, Presentation};
use mjolnir_wire::scripted::ObjectNames;
use mjolnir_wire::statistics::{PlayerStatistics, Statistics};
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame, Have, Header, block_head};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Input, Kind, Machine, MachineSet, Message, ObjectId, ObjectName, Outbox,
    Parts, Slot, Tag, Tick, Vec3, cold,
};

fn unit(slot: Slot) -> UnitState {
    let placement = Placement {
        position: Vec3::new(10.5, -4.25, 1.0),
        velocity: Vec3::new(0.0625, 0.0, -0.03125),
        axes: Axes { forward: Vec3::new(0.6, 0.8, 0.0), up: Vec3::UP },
    };
    UnitState {
        slot,
        shield: ShieldFlags::default(),
        life: Life::Alive(LivingUnit::whole(ObjectId::new(slot.get().into(), 1).unwrap(), placement)),
    }
}

fn action(slot: Slot) -> RelayedAction {
    let input = Input { yaw: 1.5, pitch: -0.25, throttle: [1.0, -0.5], ..Input::default() };
    RelayedAction { slot, input, history: [1, 1, 0, 0].map(Buttons) }
}

fn input(slot: Slot) -> PlayerInput {
    let RelayedAction { input, history, .. } = action(slot);
    let (tick, host_tick) = (Tick::new(74_565).unwrap(), Tick::new(74_561).unwrap());
    PlayerInput { slot, structure_bsp: Some(0), friendly_fire: false, tick, host_tick, input, history }
}

fn entries(c: &mut Criterion) {
    let slot = Slot::new(3).unwrap();
    let mut group = c.benchmark_group("entry");
    let mut bytes = Vec::with_capacity(256);

    macro_rules! write {
        ($name:literal, $entry:expr) => {{
            let entry = $entry;
            group.bench_function(concat!($name, "/write"), |b| {
                b.iter(|| {
                    bytes.clear();
                    black_box(&entry).write(&mut bytes);
                    black_box(bytes.len())
                });
            });
        }};
    }
    write!("unit_state", unit(slot));
    write!("relayed_action", action(slot));
    write!("player_input", input(slot));

    let message = |kind, prefix: &[u8], write: &dyn Fn(&mut Vec<u8>)| {
        let mut body = prefix.to_vec();
        write(&mut body);
        (kind, body)
    };
    let units = message(Kind::UnitStates, &[], &|to| unit(slot).write(to));
    let actions = message(Kind::RelayedActions, &[0; 4], &|to| action(slot).write(to));
    let inputs = message(Kind::PlayerInputs, &[], &|to| input(slot).write(to));
    let tick = Tick::ZERO;
    group.bench_function("unit_state/read", |b| {
        let message = Message { kind: units.0, count: 1, tick, body: &units.1 };
        b.iter(|| black_box(UnitState::read_all(black_box(&message)).next()));
    });
    group.bench_function("relayed_action/read", |b| {
        let message = Message { kind: actions.0, count: 1, tick, body: &actions.1 };
        b.iter(|| black_box(RelayedActions::read(black_box(&message)).map(|mut all| all.next())));
    });
    group.bench_function("player_input/read", |b| {
        let message = Message { kind: inputs.0, count: 1, tick, body: &inputs.1 };
        b.iter(|| black_box(PlayerInput::read_all(black_box(&message)).next()));
    });

    // The structs alone, both ways.
    let raw = PlayerInputEntry::read(&inputs.1).unwrap();
    write!("player_input_struct/direct", raw);
    group.bench_function("player_input_struct/bincode/write", |b| b.iter(|| cold::encode(black_box(&raw))));
    group.bench_function("player_input_struct/direct/read", |b| {
        b.iter(|| PlayerInputEntry::read(black_box(&inputs.1)));
    });
    group.bench_function("player_input_struct/bincode/read", |b| {
        b.iter(|| cold::decode::<PlayerInputEntry>(black_box(&inputs.1)));
    });
    let mut state = vec![0; ObjectStateEntry::SIZE];
    state[..4].copy_from_slice(&0x0001_0005_i32.to_le_bytes());
    state[20..32].copy_from_slice(&[0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x7F]);
    assert!(ObjectState::read(&state).is_ok());
    group.bench_function("object_state/read", |b| b.iter(|| ObjectState::read(black_box(&state))));
    group.bench_function("object_state_struct/bincode/read", |b| {
        b.iter(|| cold::decode::<ObjectStateEntry>(black_box(&state)));
    });
    group.finish();
}

fn scores(c: &mut Criterion) {
    let mut group = c.benchmark_group("scores");
    let mut bytes = Vec::with_capacity(16 << 10);
    let all: Vec<_> =
        Slot::all().map(|slot| PlayerStatistics { slot, statistics: Statistics::none() }).collect();
    group.bench_function("statistics_of_128/write", |b| {
        b.iter(|| {
            bytes.clear();
            black_box(&all).iter().for_each(|one| one.write(&mut bytes));
            black_box(bytes.len())
        });
    });
    group.bench_function("statistics_of_128/read", |b| {
        let entries = bytes.chunks_exact(64);
        b.iter(|| entries.clone().filter(|entry| PlayerStatistics::read(black_box(entry)).is_ok()).count());
    });
    for (game_type, name) in [(1, "ctf"), (2, "slayer"), (5, "race")] {
        let state = GameState { post_game_phase: 0, body: Body::begin(game_type).unwrap() };
        group.bench_function(format!("{name}/write"), |b| {
            b.iter(|| {
                bytes.clear();
                black_box(&state).write(&mut bytes);
                black_box(bytes.len())
            });
        });
        group.bench_function(format!("{name}/read"), |b| {
            b.iter(|| GameState::read(black_box(&bytes), game_type).is_ok());
        });
    }
    group.finish();
}

fn fill(outbox: &mut Outbox, players: usize) {
    outbox.begin(Tick::new(74_565).unwrap(), 7);
    for slot in Slot::all().take(players) {
        // Its own machine is told the tick that it was predicted at, and not its own input.
        let own = MachineSet::only(Machine::new(slot.get()).unwrap());
        let others = MachineSet::CLIENTS.without(own);
        let mut state = unit(slot);
        outbox.entry(others, Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
        if let Life::Alive(unit) = &mut state.life {
            unit.predicted = Some(9029);
        }
        outbox.entry(own, Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
        outbox.entry(others, Kind::RelayedActions, |bytes| action(slot).write(bytes)).unwrap();
    }
}

/// What a campaign says each tick: 64 actors, which is as many as a message has, what its scripts show, its names, and an event.
fn campaign(c: &mut Criterion) {
    let mut group = c.benchmark_group("campaign");
    let at = Vec3::new(10.5, -4.25, 1.0);
    let mut bytes = Vec::with_capacity(8 << 10);
    let axes = Axes { forward: Vec3::new(0.6, 0.8, 0.0), up: Vec3::UP };
    let actors: Vec<_> = (0..64)
        .map(|index| ActorState { axes, ..ActorState::still(ObjectId::new(index, 1).unwrap(), at) })
        .collect();
    group.throughput(Throughput::Elements(64));
    group.bench_function("actors_of_64/write", |b| {
        b.iter(|| {
            bytes.clear();
            black_box(&actors).iter().for_each(|actor| actor.write(&mut bytes));
            black_box(bytes.len())
        });
    });
    group.bench_function("actors_of_64/read", |b| {
        let message = Message { kind: Kind::ActorStates, count: 64, tick: Tick::ZERO, body: &bytes };
        b.iter(|| ActorState::read_all(black_box(&message)).flatten().count());
    });
    group.throughput(Throughput::Elements(1));
    let camera = Camera { position: at, axes, field_of_view: 1.2, object: None, offset: Vec3::ZERO };
    let shown = Presentation { cinematic: true, camera: Some(camera), ..Presentation::default() };
    let mut names = ObjectNames::none(Some(0), 512);
    (0..512).step_by(3).for_each(|name| names.insert(name));
    let object = ObjectName::Object(ObjectId::new(5, 1).unwrap(), Tag(7));
    let animation = Animation { object, graph: Tag(9), animation: 3, frame: 0, interpolate: true };
    let event = Action::UnitAnimation(animation);
    macro_rules! both {
        ($name:literal, $write:expr, $read:expr) => {{
            group.bench_function(concat!($name, "/write"), |b| {
                b.iter(|| {
                    bytes.clear();
                    $write(&mut bytes);
                    black_box(bytes.len())
                });
            });
            assert!($read(&bytes));
            group.bench_function(concat!($name, "/read"), |b| b.iter(|| $read(black_box(&bytes))));
        }};
    }
    both!("presentation", |to: &mut Vec<u8>| black_box(&shown).write(to), |from: &[u8]| {
        black_box(Presentation::read(from)).is_ok()
    });
    both!("names_of_512", |to: &mut Vec<u8>| black_box(&names).write(to), |from: &[u8]| {
        black_box(ObjectNames::read(from)).is_ok()
    });
    both!("event", |to: &mut Vec<u8>| black_box(&event).write(7, to), |from: &[u8]| {
        black_box(CoopEvent::read(from)).is_ok()
    });
    group.finish();
}

/// The frames that carry a map's files: a block, of which a fast download has thousands a second, and the longest bitmap.
fn swarm(c: &mut Criterion) {
    let mut group = c.benchmark_group("swarm");
    let block = vec![5; BLOCK_BYTES as usize];
    let mut bytes = Vec::with_capacity(2 * block.len());
    Frame::Block { file: File::Map, piece: 3, offset: 16_384, bytes: &block }.write(&mut bytes);
    let read = |bytes: &[u8]| {
        let (head, body) = bytes.split_first_chunk().unwrap();
        Frame::read(Header::read(head).unwrap(), body).is_ok()
    };
    assert!(read(&bytes));
    group.bench_function("block/read", |b| b.iter(|| read(black_box(&bytes))));
    group.bench_function("block/head", |b| {
        b.iter(|| block_head(black_box(File::Map), black_box(3), black_box(16_384), black_box(block.len())));
    });
    let bitmap = [0xFF; 2048];
    let have = Have { hash: FileHash([7; 32]), size: u32::MAX, bitmap: Some(&bitmap) };
    bytes.clear();
    Frame::Have(File::Map, have).write(&mut bytes);
    assert!(read(&bytes));
    group.bench_function("longest_have/read", |b| b.iter(|| read(black_box(&bytes))));
    group.finish();
}

fn outbox(c: &mut Criterion) {
    let mut group = c.benchmark_group("outbox");
    for (players, clients) in [(16, 16), (128, 127)] {
        let (mut outbox, mut writer) = (Outbox::new(), BatchWriter::new());
        group.bench_function(format!("fill/{players}_players"), |b| b.iter(|| fill(&mut outbox, players)));
        fill(&mut outbox, players);
        group.throughput(Throughput::Elements(clients));
        group.bench_function(format!("gather/{clients}_clients_{players}_players"), |b| {
            b.iter(|| {
                let mut sent = 0;
                for machine in Machine::all().skip(1).take(clients as usize) {
                    outbox
                        .gather_datagrams(machine, &mut writer, |datagram| sent += black_box(datagram).len());
                }
                sent
            });
        });
        let mut datagrams = Vec::new();
        outbox.gather_datagrams(Machine::new(1).unwrap(), &mut writer, |datagram| {
            datagrams.push(datagram.to_vec());
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("read/{players}_players"), |b| {
            b.iter(|| {
                let mut taken = 0;
                for datagram in &datagrams {
                    let batch = Message::read(black_box(datagram)).unwrap();
                    for part in Parts::of(&batch).flatten() {
                        taken += match part.kind {
                            Kind::UnitStates => UnitState::read_all(&part).flatten().count(),
                            _ => RelayedActions::read(&part).unwrap().flatten().count(),
                        };
                    }
                }
                taken
            });
        });
    }
    group.finish();
}

criterion_group!(wire, entries, scores, campaign, swarm, outbox);
criterion_main!(wire);
