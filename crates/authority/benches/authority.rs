//! What the host's side of players costs a tick: every client's prediction heard and taken, states and actions
//! written, for a game of 16 and for one of 128.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use mjolnir_authority::{Host, InputRow, MoveLimits, UnitRow};
use mjolnir_wire::inputs::History;
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
            let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
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
                            grounded: true,
                            left: false,
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
                    host.after_tick(*tick, 0.003_57, rows, &inputs, &mut commands, &mut outbox);
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, after_tick);
criterion_main!(benches);
