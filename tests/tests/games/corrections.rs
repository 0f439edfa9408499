//! When a player is moved by the host's word, and when it is not.

use std::f32::consts::FRAC_PI_2;

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::Tuning;
use mjolnir_tests::{Fate, Lab, Plan, Seating, Who, go, still};
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::{BatchWriter, Kind, Message, Parts, Vec3};

/// Predictions that the host did not take.
fn refused(lab: &Lab) -> u64 {
    let counters = lab.host.net.counters();
    ["past_tolerance", "past_bounds"].iter().filter_map(|reason| counters.refused.get(reason)).sum()
}

/// Asserts that no client's own player was ever moved and that the host took every prediction.
fn assert_undisturbed(lab: &Lab) {
    for (place, seat) in lab.clients.iter().enumerate() {
        assert_eq!(seat.engine.notes.own_moves, [], "client {place}");
    }
    assert_eq!(refused(lab), 0);
}

/// PRED-16: a minute of running and jumping with bots that keep apart: nobody's own player is moved, on a clean link,
/// at 100 ms each way, and at 100 ms with 2 % loss.
#[test]
fn latency_alone_corrects_nobody() {
    for (milliseconds, loss) in [(0, 0.0), (100, 0.0), (100, 2.0)] {
        let mut lab = Lab::play(Plan::new("flat", 11, 7).network(milliseconds, loss));
        lab.run_seconds(60.0);
        assert_undisturbed(&lab);
        let jumps: u32 = lab.host.engine.notes.jumps.iter().sum();
        assert!(jumps > 50, "they jumped {jumps} times");
    }
}

/// AUTH-12, AUTH-10: at 100 ms each way with up to 150 ms more, evenly or in bunches, no honest client's prediction
/// is refused, running, jumping and falling.
#[test]
fn no_honest_prediction_is_refused() {
    for map in ["flat", "tower"] {
        let faults = Faults { latency_us: 100_000, jitter_us: 150_000, ..Faults::default() };
        let mut lab = Lab::play(Plan { faults, ..Plan::new(map, 12, 4) });
        lab.run_seconds(60.0);
        assert_undisturbed(&lab);

        let mut lab = Lab::play(Plan::new(map, 13, 4).network(100, 0.0));
        for _ in 0..120 {
            lab.host.network.impair().stall(true);
            lab.run_seconds(0.15);
            lab.host.network.impair().stall(false);
            lab.run_seconds(0.35);
        }
        assert_undisturbed(&lab);
    }
}

/// PRED-11: at 50 ms each way and 2 % loss others' players stand within 0.3 wu of where the host has them at the same
/// tick, in the mean, falls among it.
#[test]
fn other_players_are_near_where_the_host_has_them() {
    for map in ["flat", "rooms", "tower"] {
        let mut lab = Lab::play(Plan::new(map, 14, 7).network(50, 2.0));
        lab.run_seconds(60.0);
        for place in 0..7 {
            let distances = lab.distances(place);
            let mean = distances.iter().sum::<f64>() / distances.len() as f64;
            assert!(distances.len() > 10_000 && mean < 0.3, "{map}, client {place}: {mean}");
        }
    }
}

/// PRED-38, PRED-40: the host's copy of a running player is put 5 wu aside: the player is moved once, by as
/// much, and not past it nor back.
#[test]
fn a_displacement_is_followed_once() {
    let mut lab = Lab::play_as(Plan::new("flat", 15, 1).network(100, 0.0), Seating::of(Vec::new()), |_| {
        Seating::of(vec![go(0.0)])
    });
    lab.run_ticks(60);
    let slot = lab.clients[0].slot();
    let (from, unit) = (lab.host.place(slot), lab.host.engine.world().unit(slot).unwrap());
    lab.host.engine.world_mut().place(unit, from + Vec3::new(0.0, 5.0, 0.0), None, None);
    let mut path = Vec::new();
    lab.watch_ticks(90, |lab, who| {
        if who == Who::Client(0) {
            path.push(lab.clients[0].place(slot).y - from.y);
        }
    });
    let [moved] = lab.clients[0].engine.notes.own_moves[..] else {
        panic!("{:?}", lab.clients[0].engine.notes.own_moves)
    };
    assert!((moved.distance() - 5.0).abs() <= 0.3, "moved by {}", moved.distance());
    assert!(path.iter().all(|y| y.abs() < 0.01 || (y - 5.0).abs() < 0.01), "{path:?}");
    assert!(path.is_sorted(), "{path:?}");
    lab.stand_still();
    lab.run_ticks(60);
    assert!(lab.apart().unwrap() < 0.01);
}

/// AUTH-10, PRED-16: between where a client is corrected and where the host takes what it says no place is left: a
/// copy of the host's that stands aside goes back to the client's player up to 3.5 wu, and past it the player comes
/// over; either within a round trip and two ticks.
#[test]
fn no_difference_stays() {
    for (aside, moves) in [(2.9, 0), (3.2, 0), (3.4, 0), (3.6, 1)] {
        let mut lab = Lab::idle(Plan::new("flat", 19, 1).network(100, 0.0));
        lab.run_ticks(60);
        let slot = lab.clients[0].slot();
        let (from, unit) = (lab.host.place(slot), lab.host.engine.world().unit(slot).unwrap());
        lab.host.engine.world_mut().place(unit, from + Vec3::new(0.0, aside, 0.0), None, None);
        lab.run_ticks(Lab::ticks_of(200) + 2);
        assert_eq!(lab.clients[0].engine.notes.own_moves.len(), moves, "{aside} wu aside");
        assert!(lab.apart().unwrap() < 0.01, "{aside} wu aside");
        lab.run_ticks(60);
        assert_eq!(lab.clients[0].engine.notes.own_moves.len(), moves, "{aside} wu aside");
    }
}

/// PRED-19, AUTH-02: the host brings a client's player 40 wu away, and the client has it there within the round trip
/// and two ticks.
#[test]
fn the_hosts_teleport_is_followed() {
    for milliseconds in [0, 50, 150] {
        let mut lab = Lab::idle(Plan::new("flat", 16, 2).network(milliseconds, 0.0));
        lab.run_ticks(60);
        let slot = lab.clients[0].slot();
        let from = lab.host.place(slot);
        let to = from + Vec3::new(if from.x > 0.0 { -40.0 } else { 40.0 }, 0.0, 0.0);
        assert!(lab.host.engine.world_mut().move_to(slot, to));
        let trip = Lab::ticks_of(2 * milliseconds);
        let mut followed = [None; 2];
        let begun = lab.now();
        lab.watch_ticks(trip + 10, |lab, who| {
            if let Who::Client(place) = who
                && lab.clients[place].place(slot).distance(to) < 0.01
            {
                followed[place].get_or_insert(lab.now() - begun);
            }
        });
        // The other client is sent it in its turn, each fourth tick at least.
        for (followed, turn) in followed.into_iter().zip([0, 3]) {
            let ticks = followed.expect("it is followed") / 33_333;
            assert!(ticks <= u64::from(trip) + 2 + turn, "{milliseconds} ms: after {ticks} ticks");
        }
        assert_eq!(lab.clients[0].engine.notes.own_moves.len(), 1);
    }
}

/// The batch without the predictions in it.
fn without_predictions(bytes: &[u8]) -> Fate {
    let Ok((_, bytes)) = read_datagram(bytes) else { return Fate::Heard };
    let Ok(batch) = Message::read(bytes) else { return Fate::Heard };
    if batch.kind != Kind::Batch {
        return Fate::Heard;
    }
    let mut writer = BatchWriter::new();
    writer.begin(batch.tick);
    for part in Parts::of(&batch).flatten().filter(|part| part.kind == Kind::PlayerInputs) {
        for entry in part.entries() {
            assert!(writer.push(part.kind, &[], entry));
        }
    }
    Fate::Instead(writer.finish().to_vec())
}

/// PRED-40: a client that runs three times as fast as the host lets it is brought back, and is never further from the
/// host's copy than the tolerance and what it runs in a round trip.
#[test]
fn a_player_whose_predictions_are_refused_is_brought_back() {
    let mut lab = Lab::play_as(Plan::new("flat", 17, 1).network(100, 0.0), Seating::of(Vec::new()), |_| {
        Seating { tuning: Tuning { run_scale: 3.0, ..Tuning::default() }, ..Seating::of(vec![still()]) }
    });
    let slot = lab.clients[0].slot();
    // Across the field, away from its sides.
    let towards = if lab.host.place(slot).x > 0.0 { 2.0 * FRAC_PI_2 } else { 0.0 };
    lab.clients[0].engine.take_over(0, go(towards));
    let mut most = 0.0_f32;
    lab.watch_ticks(600, |lab, _| most = most.max(lab.clients[0].place(slot).distance(lab.host.place(slot))));
    let trip = lab.host.net.clock().round_trip(mjolnir_wire::Machine::new(1).unwrap()).unwrap();
    assert!(most <= 3.0 + (trip + 2.0) * 0.24, "{most} wu apart, {trip} ticks");
    assert!(refused(&lab) > 0 && !lab.clients[0].engine.notes.own_moves.is_empty());
}

/// PRED-40: and a client that runs honestly while none of its predictions are taken is not moved for its lag.
#[test]
fn lag_brings_nobody_back() {
    let mut lab = Lab::play_as(Plan::new("flat", 18, 1).network(100, 0.0), Seating::of(Vec::new()), |_| {
        Seating::of(vec![go(0.0)])
    });
    lab.host.network.meddle(|_, bytes| without_predictions(bytes));
    let taken = lab.host.net.authority().takings().taken;
    lab.run_ticks(60);
    assert!(lab.host.net.authority().takings().taken <= taken + 1);
    lab.host.network.meddle_no_more();
    lab.run_ticks(60);
    assert_undisturbed(&lab);
}
