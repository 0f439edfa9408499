//! What the netcode costs a tick, the game's part being next to nothing: a host's with sixteen clients' inputs and
//! predictions, and the tick of one of those clients.

#![allow(clippy::unwrap_used, reason = "what the tests use is used")]

#[path = "../tests/engine-glue/game.rs"]
#[allow(dead_code, reason = "the game of the tests, which look closer at it")]
mod game;
#[path = "../tests/engine-glue/harm.rs"]
#[allow(dead_code, reason = "what hurts in it")]
mod harm;
#[path = "../tests/engine-glue/manners.rs"]
#[allow(dead_code, reason = "whom it bans, which is nobody here")]
mod manners;
#[path = "../tests/engine-glue/maps.rs"]
#[allow(dead_code, reason = "the maps it has, which are none here")]
mod maps;
#[path = "../tests/engine-glue/scripts.rs"]
#[allow(dead_code, reason = "the scripts it has, which are none here")]
mod scripts;
#[path = "../tests/engine-glue/table.rs"]
#[allow(dead_code, reason = "the table of the tests")]
mod table;

use criterion::{Criterion, criterion_group, criterion_main};

use table::{Seat, Table};

/// Clients in the game.
const CLIENTS: usize = 16;
/// A tick's time, in frames of the table and a little more.
const TICK_MICROS: u64 = 33_334;

/// A game of sixteen, two seconds old.
fn playing() -> Table {
    let mut table = Table::playing(0);
    for _ in 0..CLIENTS {
        table.seat(1);
    }
    table.run(2_000);
    table.quiet();
    table
}

/// A tick of every client from that one on.
fn tick_clients(table: &mut Table, from: usize) {
    for Seat { client, game, network } in &mut table.seats[from..] {
        client.tick(table.now, game, network);
    }
}

fn ticks(c: &mut Criterion) {
    c.bench_function("a host's tick with 16 clients", |b| {
        let mut table = playing();
        b.iter_custom(|times| {
            let mut spent = std::time::Duration::ZERO;
            for _ in 0..times {
                table.now = table.now.plus(TICK_MICROS);
                let Table { now, host, game, network, .. } = &mut table;
                let before = std::time::Instant::now();
                host.tick(*now, game, network);
                spent += before.elapsed();
                tick_clients(&mut table, 0);
            }
            spent
        });
    });
    c.bench_function("a client's tick in a game of 16", |b| {
        let mut table = playing();
        b.iter_custom(|times| {
            let mut spent = std::time::Duration::ZERO;
            for _ in 0..times {
                table.now = table.now.plus(TICK_MICROS);
                let Table { now, host, game, network, .. } = &mut table;
                host.tick(*now, game, network);
                tick_clients(&mut table, 1);
                let Table { now, seats, .. } = &mut table;
                let Seat { client, game, network } = &mut seats[0];
                let before = std::time::Instant::now();
                client.tick(*now, game, network);
                spent += before.elapsed();
            }
            spent
        });
    });
}

criterion_group!(benches, ticks);
criterion_main!(benches);
