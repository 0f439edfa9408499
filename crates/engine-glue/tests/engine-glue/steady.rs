//! A tick of a game that goes on allocates nothing.

use mjolnir_engine_glue::authority::StatisticsRow;
use mjolnir_engine_glue::chat::{Channel, Settings};
use mjolnir_wire::Vec3;
use mjolnir_wire::damage::EventKind;
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::voice::{Mode, Packet, VoiceSettings};

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
    // The simulated network's own buffers, of which each machine has two, have grown within ten seconds; within fifteen the chat's
    // settings, which are told each three, have come in a tick of all else.
    for frame in 0..4_000 {
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
        if frame >= 3_000 {
            counted += measured;
        }
    }
    assert_eq!(counted, 0);
    assert!(table.seats.iter().all(|seat| seat.game.state.is_some() && seat.game.statistics.len() == 5));
    assert!(table.seats[0].client.counters().hits.replayed > 2_000);
    assert_eq!(table.seats[0].client.counters().hits.reported, 200);
}

/// Architecture: nor does either end while all five talk, each fifty frames a second, and each says a line every two seconds,
/// where links are allowed: to look for one in a line that somebody typed takes memory for as long as that takes.
#[test]
fn a_steady_tick_of_talk_allocates_nothing() {
    let mut table = Table::new(1);
    for _ in 0..4 {
        table.seat(1);
    }
    let voice = VoiceSettings::new(true, Mode::TeamAndEnemiesNear, 24, 150).unwrap();
    table.host.set_voice(table.now, [5, 6], voice);
    table.host.set_text_chat(Settings::Links);
    table.game.hears = true;
    table.seats.iter_mut().for_each(|seat| seat.game.hears = true);
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    table.quiet();
    let mut counted = 0;
    for frame in 0..5_000_u32 {
        table.now = table.now.plus(5_000);
        let Table { now, host, game, network, seats, .. } = &mut table;
        let packet = Packet::new(&[7; 60]).unwrap();
        let mut measured = allocation_counter::measure(|| {
            if frame % 4 == 0 {
                host.speak(*now, packet, game).unwrap();
            }
            if frame % 400 == 0 {
                host.say(*now, slot(0), Channel::All, "steady", game).unwrap();
            }
            host.frame(*now, game, network);
            for _ in 0..host.ticks_due(*now) {
                host.tick(*now, game, network);
            }
        })
        .count_total;
        for (at, Seat { client, game, network }) in (1..).zip(seats) {
            measured += allocation_counter::measure(|| {
                if frame % 4 == 0 {
                    client.speak(*now, packet).unwrap();
                }
                if frame % 400 == 80 * u32::from(at) {
                    client.say(slot(at), Channel::All, "steady", game).unwrap();
                }
                client.frame(*now, game, network);
                for _ in 0..client.ticks_due(*now) {
                    client.tick(*now, game, network);
                }
            })
            .count_total;
        }
        if frame >= 3_000 {
            counted += measured;
        }
    }
    assert_eq!(counted, 0);
    let games = table.seats.iter().map(|seat| &seat.game).chain([&table.game]);
    for game in games {
        // Of four others in 25 s; the last of it is under way.
        assert!((4_950..=5_000).contains(&game.heard), "{} frames", game.heard);
        assert_eq!(game.shown, 63);
    }
}
