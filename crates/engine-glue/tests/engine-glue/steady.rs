//! A tick of a game that goes on allocates nothing.

use super::table::{Seat, Table};

/// Architecture: after warm-up neither end allocates in a tick, the game's own part among it.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut table = Table::new(1);
    for _ in 0..4 {
        table.seat(1);
    }
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    table.quiet();
    let mut counted = 0;
    // The simulated network's own buffers, of which each machine has two, have grown within ten seconds.
    for frame in 0..3_000 {
        table.now = table.now.plus(5_000);
        let Table { now, host, game, network, seats, .. } = &mut table;
        let mut measured = allocation_counter::measure(|| {
            host.frame(*now, game, network);
            for _ in 0..host.ticks_due(*now) {
                host.tick(*now, game, network);
            }
        })
        .count_total;
        for Seat { client, game, network } in seats {
            measured += allocation_counter::measure(|| {
                client.frame(*now, game, network);
                for _ in 0..client.ticks_due(*now) {
                    client.tick(*now, game, network);
                }
            })
            .count_total;
        }
        if frame >= 2_000 {
            counted += measured;
        }
    }
    assert_eq!(counted, 0);
}
