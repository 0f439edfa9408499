//! What the netcode of a whole machine costs a tick in a game of walking players: a host with 16 to 127 clients, and one of
//! its clients, where all are near each other and where few are; the host's with 1 024 units more, too. The engine's own simulation and every other machine are left out; what stands in the names is for each
//! client.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_tests::{Call, Tape};

/// Ticks of a game before it is steady.
const WARM_UP: i32 = 60;

/// The time of the netcode's calls in so many ticks, their frames too, over as many games as that takes.
fn ticks(tape: &Tape, wanted: u64) -> Duration {
    let (mut spent, mut run) = (Duration::ZERO, 0);
    while run < wanted {
        let mut is_steady = false;
        tape.play(|call, make| {
            if let Call::Before(tick) = call {
                is_steady = tick.get() > WARM_UP;
            }
            if !is_steady || run == wanted {
                return make();
            }
            spent += timed(make);
            run += u64::from(matches!(call, Call::After(_)));
        });
    }
    spent
}

fn timed(make: &mut dyn FnMut()) -> Duration {
    let begun = Instant::now();
    make();
    begun.elapsed()
}

fn machine(c: &mut Criterion) {
    let mut group = c.benchmark_group("tick");
    group.sample_size(10);
    for clients in [16, 64, 127] {
        let tapes = Tape::record_fight("field", clients, 10.0);
        for (tape, who) in tapes.iter().zip(["host", "client"]) {
            let measured = ticks(tape, 240).as_secs_f64() / 240.0 * 1e6;
            println!("{who} on field, all firing, of {clients} clients: {measured:.1} us a tick");
            group.throughput(Throughput::Elements(clients as u64));
            group.bench_function(BenchmarkId::new(format!("{who} on field, all firing"), clients), |b| {
                b.iter_custom(|wanted| ticks(tape, wanted));
            });
        }
    }
    for (map, clients, more) in [
        ("flat", 16, 0),
        ("flat", 64, 0),
        ("field", 16, 0),
        ("field", 32, 0),
        ("field", 64, 0),
        ("field", 127, 0),
        ("field", 127, 1024),
    ] {
        let tapes = Tape::record(map, clients, 10.0).map(|tape| tape.with_units(more));
        // They are the host's; nobody told the client of them.
        let ends = if more == 0 { 2 } else { 1 };
        for (tape, who) in tapes.iter().zip(["host", "client"]).take(ends) {
            let who = format!("{who} on {map}{}", if more == 0 { "" } else { " and 1024 units" });
            let measured = ticks(tape, 240).as_secs_f64() / 240.0 * 1e6;
            println!(
                "{who} of {clients} clients: {measured:.1} us a tick, {:.2} a client",
                measured / clients as f64
            );
            group.throughput(Throughput::Elements(clients as u64));
            group.bench_function(BenchmarkId::new(&who, clients), |b| {
                b.iter_custom(|wanted| ticks(tape, wanted));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, machine);
criterion_main!(benches);
