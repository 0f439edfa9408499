//! A tick of a game that goes on allocates nothing.

use mjolnir_engine_glue::authority::StatisticsRow;
use mjolnir_wire::Vec3;
use mjolnir_wire::damage::EventKind;
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::statistics::Statistics;

use super::game::unit_of;
use super::harm::{event, hit};
use super::scores::scored;
use super::table::{Seat, Table, slot};

/// Architecture: after warm-up neither end allocates in a tick, the game's own part among it.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut table = Table::of(scored(5), 1);
    for _ in 0..4 {
        table.seat(1);
    }
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    table.quiet();
    // Scores change all the time.
    let row = |of| StatisticsRow { slot: slot(of), statistics: Statistics::none() };
    table.game.statistics = (0..5).map(row).collect();
    table.game.state = Body::begin(5).map(|body| GameState { post_game_phase: 0, body });
    let mut counted = 0;
    // The simulated network's own buffers, of which each machine has two, have grown within ten seconds.
    for frame in 0..3_000 {
        table.now = table.now.plus(5_000);
        let Table { now, host, game, network, seats, .. } = &mut table;
        // Somebody is hit all the time, and hits.
        let mut struck = event(EventKind::Aftermath, slot(1));
        struck.damage.origin.x = frame as f32;
        game.harm.dealt.push(struck);
        if frame % 20 == 0 {
            seats[0].game.harm.hits.push(hit(Some(slot(1)), unit_of(slot(0)), Vec3::ZERO));
        }
        game.statistics.iter_mut().for_each(|row| row.statistics.shots_fired += 1);
        if let Some(GameState { body: Body::Race(race), .. }) = &mut game.state {
            race.touches[frame % 5] = race.touches[frame % 5].wrapping_add(1);
        }
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
    assert!(table.seats.iter().all(|seat| seat.game.state.is_some() && seat.game.statistics.len() == 5));
    assert!(table.seats[0].client.counters().hits.replayed > 2_000);
    assert_eq!(table.seats[0].client.counters().hits.reported, 150);
}
