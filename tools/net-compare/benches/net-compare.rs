//! A line read and written, and logs of a long game judged.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_net_compare::{Alive, Drift, Line, Player, Weapon, judge, read_log};

/// Seconds of a game of a day and more.
const SECONDS: u32 = 100_000;

fn line(tick: u32, players: u8) -> Line {
    let weapon = Weapon { tag: 0x1a2b, loaded: 60, reserve: 600 };
    let alive =
        Alive { position: [12.345, -6.789, 0.5], body: 1.0, weapons: vec![weapon; 2], ..Alive::default() };
    let player = |slot| Player { slot, alive: Some(alive.clone()), ..Player::default() };
    Line {
        tick,
        players: (0..players).map(player).collect(),
        drift: Some(Drift { ticks: 30, ..Drift::default() }),
        ..Line::default()
    }
}

fn lines(c: &mut Criterion) {
    for players in [2, 128] {
        let text = format!("{}\n", line(30, players));
        c.bench_function(&format!("a line of {players} players is read"), |b| b.iter(|| read_log(&text)));
        let line = line(30, players);
        c.bench_function(&format!("a line of {players} players is written"), |b| b.iter(|| line.to_string()));
    }
}

fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("a game of");
    group.sample_size(10);
    for (seconds, players) in [(SECONDS, 2), (1_000, 128)] {
        let lines: Vec<Line> = (1..=seconds).map(|second| line(30 * second, players)).collect();
        group.throughput(Throughput::Elements(seconds.into()));
        group.bench_function(format!("{seconds} s and {players} players is judged"), |b| {
            b.iter(|| judge(&lines, &lines));
        });
    }
    group.finish();
}

criterion_group!(benches, lines, games);
criterion_main!(benches);
