//! What the host's side of players costs a tick: every client's prediction heard and taken, states and actions
//! written, for a game of 16 and for one of 128; who is sent whom, for 16 to 128 players and by how many of them are near
//! each other; the same of driven vehicles; scores of 128; and what one claim's bounds cost.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use mjolnir_authority::{
    Bounds, CarriedBy, Host, InputRow, MoveLimits, ScoresClient, ScoresHost, Sent, StatisticsRow, Told,
    UnitRow, VehicleBounds, VehicleRow, View, VisibleSet,
};
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::inputs::History;
use mjolnir_wire::objects::{Motion, VehiclePrediction};
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Input, Machine, MachineSet, ObjectId, Outbox, Slot, Tick, Vec3};

const LIMITS: MoveLimits = MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 };

/// Where player `of` is at a tick: each walks north on a line of its own, and now and then begins again.
fn placement(of: u8, now: i32) -> Placement {
    let position = Vec3::new(f32::from(of) * 2.0, (now % 10_000) as f32 * 0.08, 0.0);
    Placement { position, velocity: Vec3::new(0.0, 0.08, 0.0), axes: Axes::UPRIGHT }
}

fn state(of: u8, placement: Placement) -> UnitState {
    let unit = ObjectId::new(of.into(), 1).expect("in range");
    UnitState {
        slot: Slot::new(of).expect("in range"),
        shield: ShieldFlags::default(),
        life: Life::Alive(LivingUnit::whole(unit, placement)),
    }
}

fn after_tick(c: &mut Criterion) {
    let mut group = c.benchmark_group("after_tick");
    for players in [16_u8, 128] {
        group.bench_function(BenchmarkId::from_parameter(players), |b| {
            let mut host = Host::new();
            host.set_clients(MachineSet::CLIENTS);
            let machine = |of| Machine::new(of).expect("in range");
            let mut inputs: Vec<_> = (0..players)
                .map(|of| InputRow {
                    slot: Slot::new(of).expect("in range"),
                    machine: machine(of),
                    input: Input::default(),
                    history: History::default(),
                    of: None,
                })
                .collect();
            let (mut commands, mut outbox, mut places) = (Vec::new(), Outbox::new(), Vec::new());
            let mut now = 0;
            b.iter_batched_ref(
                || {
                    now += 1;
                    let rows: Vec<_> = (0..players)
                        .map(|of| UnitRow {
                            machine: machine(of),
                            state: state(of, placement(of, now)),
                            limits: LIMITS,
                            platform: None,
                            shaft: None,
                            exit: None,
                            grounded: true,
                            left: false,
                            view: View::default(),
                        })
                        .collect();
                    (Tick::ZERO.plus(now as u32), rows)
                },
                |(tick, rows)| {
                    commands.clear();
                    outbox.begin(*tick, tick.get());
                    for of in 1..players {
                        let _ =
                            host.handle_prediction(machine(of), *tick, &state(of, placement(of, tick.get())));
                        inputs[usize::from(of)].of = Some(*tick);
                    }
                    host.after_tick(*tick, 0.003_57, rows, &inputs, &mut commands);
                    places.clear();
                    places.extend(rows.iter().map(place));
                    host.tell(*tick, rows, &places, &inputs, &mut outbox);
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// Where a row's unit is, on foot.
fn place(row: &UnitRow) -> Option<Vec3> {
    Some(row.living()?.placement?.position)
}

/// Players on a square of so many wu, in a level of 64 clusters of which each sees its neighbours; every fourth aims, and
/// every eighth through a scope.
fn crowd(players: u8, wide: f32) -> Vec<UnitRow> {
    let across = f32::from(players).sqrt().ceil();
    let at = |of: u8| {
        let (column, row) = (f32::from(of) % across, (f32::from(of) / across).floor());
        Vec3::new(column, row, 0.0) * (wide / across)
    };
    let cluster = |position: Vec3| {
        let part = |at: f32| ((at / wide * 8.0) as u16).min(7);
        part(position.x) + 8 * part(position.y)
    };
    let row = |of: u8| {
        let position = at(of);
        let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        let aim = if of.is_multiple_of(4) { Vec3::new(0.6, 0.8, 0.0) } else { Vec3::ZERO };
        UnitRow {
            machine: Machine::new(of).expect("in range"),
            state: state(of, placement),
            limits: LIMITS,
            platform: None,
            shaft: None,
            exit: None,
            grounded: true,
            left: false,
            view: View { cluster: Some(cluster(position)), aim, scoped: of.is_multiple_of(8) },
        }
    };
    (0..players).map(row).collect()
}

fn eight_by_eight() -> VisibleSet {
    let mut visible = VisibleSet::new();
    visible.begin(64);
    for one in 0..64_u16 {
        for other in 0..one {
            if (one % 8).abs_diff(other % 8) <= 2 && (one / 8).abs_diff(other / 8) <= 2 {
                visible.insert(one, other);
            }
        }
    }
    visible
}

/// What a tick says to how many: entries that leave, those of one machine each.
fn told(host: &Host, players: u8) -> usize {
    (0..players).filter_map(Slot::new).map(|slot| host.told(slot).len()).sum()
}

/// Who is sent whom, and the entries written: the whole of what a tick tells of players, but for the datagrams.
fn relevance(c: &mut Criterion) {
    let mut group = c.benchmark_group("relevance");
    for (players, wide, spread) in [
        (16_u8, 400.0, "far"),
        (32, 400.0, "far"),
        (64, 400.0, "far"),
        (128, 20.0, "all near"),
        (128, 100.0, "half near"),
        (128, 400.0, "far"),
    ] {
        let rows = crowd(players, wide);
        let places: Vec<_> = rows.iter().map(place).collect();
        let mut host = Host::new();
        host.set_clients(rows.iter().map(|row| row.machine).collect());
        host.set_visible(eight_by_eight());
        let (mut outbox, mut tick) = (Outbox::new(), Tick::ZERO);
        let mut run = |host: &mut Host| {
            tick = tick.next();
            outbox.begin(tick, tick.get());
            host.tell(tick, &rows, &places, &[], &mut outbox);
        };
        let mut sent = 0;
        for number in 0..132 {
            run(&mut host);
            sent += if number < 12 { 0 } else { told(&host, players) };
        }
        println!(
            "{players} players, {spread}: {:.0} of {} states a tick",
            sent as f64 / 120.0,
            u32::from(players) * u32::from(players - 1)
        );
        group.bench_function(BenchmarkId::new(spread, players), |b| b.iter(|| run(&mut host)));
    }
    group.finish();
}

fn vehicle(of: u8, motion: Motion) -> VehicleRow {
    VehicleRow {
        vehicle: ObjectId::new(of.into(), 1).expect("in range"),
        driver: Slot::new(of).expect("in range"),
        machine: Machine::new(of).expect("in range"),
        motion,
        top_speed: 0.5,
        carried_by: CarriedBy::Ground,
        grounded: true,
        at_rest: false,
    }
}

fn motion(of: u8, now: i32) -> Motion {
    let Placement { position, velocity, axes } = placement(of, now);
    Motion { position, velocity, axes, angular_velocity: Vec3::ZERO }
}

fn after_vehicles(c: &mut Criterion) {
    let mut group = c.benchmark_group("after_vehicles");
    for vehicles in [1_u8, 16] {
        group.bench_function(BenchmarkId::from_parameter(vehicles), |b| {
            let mut host = Host::new();
            host.set_clients(MachineSet::CLIENTS);
            let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
            let mut rows: Vec<_> = (1..=vehicles).map(|of| vehicle(of, motion(of, 0))).collect();
            let mut tick = Tick::ZERO;
            b.iter(|| {
                tick = tick.next();
                commands.clear();
                outbox.begin(tick, tick.get());
                for row in &mut rows {
                    let of = row.driver.get();
                    row.motion = motion(of, tick.get());
                    let said =
                        VehiclePrediction { object: row.vehicle, time: tick.low16(), motion: row.motion };
                    let _ = host.handle_vehicle_prediction(row.machine, tick, &said);
                }
                host.after_vehicles(tick, 0.003_57, &mut rows, &mut commands, &mut outbox);
            });
        });
    }
    group.finish();
}

/// A host's tick of scores: the sixth and the fifteenth tell most, the others next to nothing.
fn scores(c: &mut Criterion) {
    let mut group = c.benchmark_group("scores");
    let told = Told { loaded: MachineSet::CLIENTS, ready: MachineSet::NONE, behind: MachineSet::NONE };
    let everybody = || -> Vec<StatisticsRow> {
        Slot::all().map(|slot| StatisticsRow { slot, statistics: Statistics::none() }).collect()
    };
    for (name, changes) in [("128_at_rest", false), ("128_that_change", true)] {
        group.bench_function(name, |b| {
            let (mut host, mut outbox, mut rows) = (ScoresHost::new(), Outbox::new(), everybody());
            let mut body = Body::begin(5).expect("race");
            let mut tick = Tick::ZERO;
            b.iter(|| {
                tick = tick.next();
                if changes {
                    rows.iter_mut().for_each(|row| row.statistics.shots_fired += 1);
                    if let Body::Race(race) = &mut body {
                        race.persistent_score += 1;
                    }
                }
                outbox.begin(tick, 0);
                let state = || Some(GameState { post_game_phase: 0, body: body.clone() });
                host.after_tick(tick, told, &rows, state, &mut outbox);
                black_box(&outbox);
            });
        });
    }
    group.bench_function("told_whole_to_who_is_ready", |b| {
        let (mut host, mut outbox, rows) = (ScoresHost::new(), Outbox::new(), everybody());
        let body = Body::begin(5).expect("race");
        b.iter(|| {
            let tick = Tick::ZERO.plus(1);
            outbox.begin(tick, 0);
            let state = || Some(GameState { post_game_phase: 0, body: body.clone() });
            host.after_tick(tick, Told { ready: MachineSet::CLIENTS, ..told }, &rows, state, &mut outbox);
            black_box(&outbox);
        });
    });
    group.bench_function("a_state_heard", |b| {
        let mut client = ScoresClient::new(5);
        let state = GameState { post_game_phase: 0, body: Body::begin(5).expect("race") };
        b.iter(|| {
            let _ = client.handle_state(black_box(&state).clone());
            client.take_announcements().count()
        });
    });
    group.finish();
}

fn bounds(c: &mut Criterion) {
    let (from, to) = (Vec3::ZERO, Vec3::new(1.0, 0.5, 0.2));
    let mut group = c.benchmark_group("bounds");
    group.bench_function("on_foot", |b| {
        b.iter(|| {
            let bounds = Bounds::of(black_box(LIMITS), Sent::default(), 0.003_57, black_box(3.0));
            (bounds.reach(from, black_box(to), 12), bounds.clip(black_box(to)))
        });
    });
    group.bench_function("driving", |b| {
        b.iter(|| {
            let bounds = VehicleBounds::of(black_box(0.5), black_box(0.2));
            (bounds.reach(from, black_box(to), 12), bounds.clip(black_box(to)))
        });
    });
    group.finish();
}

criterion_group!(benches, after_tick, relevance, after_vehicles, scores, bounds);
criterion_main!(benches);
