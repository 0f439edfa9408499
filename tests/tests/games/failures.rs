//! What went wrong in others' games (docs/failures.md): networks that hold their breath, programs that stand still,
//! hosts that are old, copies that stutter.

use std::f32::consts::TAU;

use mjolnir_engine_glue::client::{Notice, Stage};
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_net_compare::Verdict;
use mjolnir_skirmish::game::World;
use mjolnir_tests::{Fate, Hand, Lab, Plan, Seating, Who, bot, go, still};
use mjolnir_wire::{Input, Moment, Slot};

/// Predictions that the host did not take.
fn refused(lab: &Lab) -> u64 {
    let counters = lab.host.net.counters();
    ["past_tolerance", "past_bounds"].iter().filter_map(|reason| counters.refused.get(reason)).sum()
}

fn own_moves(lab: &Lab, place: usize) -> usize {
    lab.clients[place].engine.notes.own_moves.len()
}

/// Whether that client's session ended.
fn has_ended(lab: &Lab, place: usize) -> bool {
    lab.clients[place].notices.iter().any(|(_, notice)| matches!(notice, Notice::Closed { .. }))
}

/// Lets every client forget what was, so that the judge sees what comes.
fn judge_from_here(lab: &mut Lab) {
    for seat in &mut lab.clients {
        seat.recording.lines.clear();
        seat.engine.notes.own_moves.clear();
    }
}

/// Asserts that the clients that run play on by themselves for twenty seconds: judged alike, and nobody moved.
fn assert_well(lab: &mut Lab) {
    judge_from_here(lab);
    lab.run_seconds(20.0);
    for place in 0..lab.clients.len() {
        if lab.clients[place].runs {
            assert_eq!(lab.judge(place).verdict, Verdict::Pass, "client {place}");
            assert_eq!(lab.clients[place].engine.notes.own_moves, [], "client {place}");
        }
    }
}

/// One that runs in a circle that takes four seconds.
fn circle() -> Hand {
    Box::new(|_, _, tick| Input {
        yaw: tick.get() as f32 * TAU / 120.0,
        throttle: [1.0, 0.0],
        ..Input::default()
    })
}

/// NET-41, PRED-06, CLOCK-17: a network that holds everything back for a second of each twenty, and then hands all of
/// it over at once: nobody is dropped or moved more than once a burst, nothing that came is stale a second later,
/// nothing is pressed twice, and two seconds after the last all play on alike.
#[test]
fn a_network_that_holds_its_breath_is_no_end() {
    let mut lab = Lab::play(Plan::new("flat", 111, 3).network(20, 0.0));
    let jumps = |lab: &Lab, slot: Slot| lab.host.engine.notes.jumps[slot.index()];
    for _ in 0..6 {
        let before: Vec<_> = (0..3).map(|place| own_moves(&lab, place)).collect();
        for stalls in [true, false] {
            lab.host.network.impair().stall(stalls);
            for seat in &mut lab.clients {
                seat.network.impair().stall(stalls);
            }
            lab.run_seconds(1.0);
        }
        for (place, before) in before.into_iter().enumerate() {
            let moved = own_moves(&lab, place) - before;
            assert!(moved <= 1, "client {place} was moved {moved} times by one burst");
        }
        let (stale, after) = (lab.host.net.counters().dropped.stale, own_moves(&lab, 0));
        lab.run_seconds(18.0);
        assert_eq!(lab.host.net.counters().dropped.stale, stale);
        assert_eq!(own_moves(&lab, 0), after);
    }
    for place in 0..3 {
        let seat = &lab.clients[place];
        assert_eq!((seat.net.stage(), has_ended(&lab, place)), (Stage::Playing, false));
        let (own, there) = (seat.engine.notes.jumps[seat.slot().index()], jumps(&lab, seat.slot()));
        assert!(
            own > 10 && there <= own && own - there <= own / 10,
            "client {place} jumped {own} times, {there} at the host"
        );
    }
    assert_well(&mut lab);
}

/// CLOCK-01, PRED-16, AUTH-12: a client's program, and then the host's, stands still for six tenths of a second of
/// each five and runs what is due of it at once: nobody's own player is moved for it, and no prediction is refused. A
/// client's clock is the host's again; a host's is behind by the ticks that it dropped, for which no client waits
/// (CLOCK-05), and all have everybody in one place all the same.
#[test]
fn a_program_that_stalls_moves_nobody() {
    for of_the_host in [false, true] {
        let mut lab = Lab::play(Plan::new("flat", 112, 2).network(20, 0.0));
        for _ in 0..12 {
            let until = lab.now() + 600_000;
            if of_the_host {
                lab.host.sleep_until(until);
            } else {
                lab.clients[0].sleep_until(until);
            }
            lab.run_seconds(5.0);
        }
        for place in 0..2 {
            assert_eq!(lab.clients[place].engine.notes.own_moves, [], "client {place}, host {of_the_host}");
            assert!(!has_ended(&lab, place));
        }
        assert_eq!(refused(&lab), 0, "host {of_the_host}");
        // Of eighteen ticks fifteen are run.
        let dropped = if of_the_host { 12 * 3 } else { 0 };
        for place in 0..2 {
            let ahead = lab.clients[place].net.clock().tick().unwrap().since(lab.tick());
            assert!((dropped - 2..=dropped + 2).contains(&ahead), "client {place} is {ahead} ticks ahead");
        }
        if of_the_host {
            lab.stand_still();
            lab.run_seconds(2.0);
            assert!(lab.apart().unwrap() < 0.01);
        } else {
            assert_well(&mut lab);
        }
    }
}

/// CLOCK-01, NET-28: a program that is let run once a second for three minutes, as one in the background may be: it
/// is not dropped, moved once a burst at most, its ticks are those of half a second each, and once it is in front
/// again it plays on as the others do.
#[test]
fn a_program_in_the_background_is_kept() {
    let mut lab = Lab::play(Plan::new("flat", 113, 2).network(20, 0.0));
    let ticks = lab.clients[0].ticks;
    for _ in 0..180 {
        let before = own_moves(&lab, 0);
        let until = lab.now() + 1_000_000;
        lab.clients[0].sleep_until(until);
        lab.run_seconds(1.0);
        assert!(own_moves(&lab, 0) - before <= 1);
    }
    assert!(!has_ended(&lab, 0));
    let ran = lab.clients[0].ticks - ticks;
    assert!((180 * 14..=180 * 17).contains(&ran), "{ran} ticks");
    assert_eq!(own_moves(&lab, 1), 0);
    lab.run_seconds(2.0);
    assert_well(&mut lab);
}

/// CLOCK-05, NET-28, NET-44: a client's program stands still for ten seconds and is in its game again within two,
/// moved once at most; everybody's at once for twelve, and nobody is dropped; for two minutes, and it is dropped
/// after fifteen seconds, knows it in its first frame, and joins anew.
#[test]
fn a_program_that_sleeps_wakes_or_joins_anew() {
    let mut lab = Lab::play(Plan::new("rooms", 114, 3).network(20, 0.0));
    let until = lab.now() + 10_000_000;
    lab.clients[0].sleep_until(until);
    lab.run_seconds(12.0);
    assert!(own_moves(&lab, 0) <= 1 && !has_ended(&lab, 0));
    assert_well(&mut lab);

    let until = lab.now() + 12_000_000;
    lab.host.sleep_until(until);
    lab.clients.iter_mut().for_each(|seat| seat.sleep_until(until));
    lab.run_seconds(14.0);
    assert!((0..3).all(|place| own_moves(&lab, place) <= 1 && !has_ended(&lab, place)));
    assert_well(&mut lab);

    let begun = lab.now();
    lab.clients[0].sleep_until(begun + 120_000_000);
    lab.run_seconds(14.0);
    assert_eq!(lab.host.net.transport().machines().len(), 3);
    lab.run_seconds(2.0);
    assert_eq!(lab.host.net.transport().machines().len(), 2, "its place is free");
    lab.run_until("it wakes", 120, |lab| has_ended(lab, 0));
    assert!(lab.now() - begun <= 120_010_000, "in its first frame");
    lab.clients[0].runs = false;
    let again = lab.join(Seating::of(vec![bot(9)]));
    lab.run_until("it plays again", 5, |lab| lab.clients[again].ticks > 0);
    lab.run_until("everybody has everybody", 10, |lab| lab.apart().is_some());
    assert_well(&mut lab);
}

/// AUTH-05, PRED-16: a player that runs at 100 ms each way is hurt ten times a second: each wound reaches its client,
/// and none of them moves it.
#[test]
fn a_wound_pulls_nobody_back() {
    let seat = |_| Seating::of(vec![circle()]);
    let mut lab = Lab::play_as(Plan::new("flat", 115, 1).network(100, 0.0), Seating::of(Vec::new()), seat);
    let slot = lab.clients[0].slot();
    let whole = |world: &World| world.vitality(world.unit(slot).unwrap()).unwrap().shield;
    for _ in 0..100 {
        assert!(lab.host.engine.world_mut().damage(slot, 0.005, None));
        lab.run_ticks(3);
    }
    lab.run_ticks(Lab::ticks_of(100) + 2);
    let (there, here) = (whole(lab.host.engine.world()), whole(lab.clients[0].engine.world()));
    assert!(there < 0.8 && (there - here).abs() < 0.05, "{there} at the host, {here} at the client");
    assert_eq!(lab.clients[0].engine.notes.own_moves, []);
    assert_eq!(refused(&lab), 0);
}

/// PRED-03, PRED-11: at 70 ms there and back, with 50 ms of jitter, one datagram in ten late by up to 150 ms and one
/// in fifty lost, a third machine's copy of a running player never stands for more than 150 ms in five minutes, and
/// is drawn evenly: the speed's deviation is below a third of its mean.
#[test]
fn other_players_do_not_freeze() {
    // A datagram in ten is held back for up to three ticks more, on top of the jitter.
    let faults =
        Faults { latency_us: 35_000, jitter_us: 50_000, reorder: 0.1, loss: 0.02, ..Faults::default() };
    let seat = |place| Seating::of(vec![if place == 0 { circle() } else { bot(3) }]);
    let mut lab = Lab::play_as(Plan { faults, ..Plan::new("flat", 116, 2) }, Seating::of(Vec::new()), seat);
    let slot = lab.clients[0].slot();
    let (mut last, mut stood, mut longest) = (None, 0_u32, 0_u32);
    let mut speeds = Vec::new();
    lab.watch_ticks(300 * 30, |lab, who| {
        if who == Who::Client(1) {
            let world = lab.clients[1].engine.world();
            let Some(unit) = world.unit(slot) else { return };
            let drawn = world.drawn(unit).unwrap();
            if let Some(last) = last.replace(drawn) {
                let speed = f64::from(drawn.distance(last));
                speeds.push(speed);
                stood = if speed < 0.02 { stood + 1 } else { 0 };
                longest = longest.max(stood);
            }
        }
    });
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    let deviation =
        (speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / speeds.len() as f64).sqrt();
    assert!(speeds.len() > 8900 && mean > 0.07, "{mean} wu a tick");
    assert!(longest <= 4, "it stood for {longest} ticks");
    assert!(deviation < mean / 3.0, "{mean} wu a tick, give or take {deviation}");
}

/// CLOCK-04, CLOCK-05: a host that has been up for three days is joined as a new one is: the client plays within a
/// second of having loaded, its tick is the host's to the way, and it runs no tick for the days that it missed.
#[test]
fn a_host_up_for_days_is_joined_at_once() {
    let mut lab = Lab::play(Plan { start: 7_776_000, ..Plan::new("flat", 117, 1).network(50, 0.0) });
    let late = lab.join(Seating { load_micros: 1_000_000, ..Seating::of(vec![go(0.0)]) });
    lab.run_until("it has loaded", 5, |lab| lab.clients[late].net.stage() == Stage::Playing);
    let loaded = lab.now();
    lab.run_until("it plays", 1, |lab| lab.clients[late].ticks > 0);
    let own = lab.clients[late].net.clock().tick().unwrap();
    assert!((-3..=3).contains(&lab.tick().since(own)), "{own:?} beside {:?}", lab.tick());
    lab.run_seconds(1.0 - (lab.now() - loaded) as f64 / 1e6);
    let ran = lab.clients[late].ticks;
    assert!(ran <= 31, "{ran} ticks in its first second");
}

/// NET-59, 30, 26: machines load at their own speed, from at once to fifteen seconds, the host in five: who was ready
/// before its host waits for it, nobody is dropped, nothing of the game comes to a machine that loads, and then all
/// have the same game.
#[test]
fn machines_load_at_their_own_speed() {
    let loads = |place: usize| Seating {
        load_micros: place as u64 * 2_500_000,
        ..Seating::of(vec![bot(place as u64)])
    };
    let host = Seating { load_micros: 5_000_000, ..Seating::of(vec![bot(40)]) };
    let mut lab = Lab::play_as(Plan::new("flat", 118, 7).network(30, 1.0), host, loads);
    for (place, seat) in lab.clients.iter().enumerate() {
        assert!(!has_ended(&lab, place), "client {place}");
        // A datagram may overtake the first word of the host's clock, once it has loaded.
        let counters = seat.net.counters();
        assert!(counters.refused.keys().all(|reason| *reason == "no_baseline"), "{:?}", counters.refused);
    }
    lab.run_seconds(2.0);
    assert_well(&mut lab);
}

/// CLOCK-01, TOOL-59: a machine whose frames take anything from 5 to 120 ms is no other build: the two pass as alike,
/// and its player is never moved.
#[test]
fn uneven_frames_are_no_other_build() {
    for of_the_host in [false, true] {
        let mut lab = Lab::play(Plan::new("flat", 119, 1));
        let mut dice = 119_u32;
        let end = lab.now() + 60_000_000;
        while lab.now() < end {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let until = lab.now() + 5_000 + u64::from(dice >> 8) % 115_000;
            if of_the_host {
                lab.host.sleep_until(until);
            } else {
                lab.clients[0].sleep_until(until);
            }
            lab.run_seconds((until - lab.now()) as f64 / 1e6);
        }
        let judgement = lab.judge(0);
        assert_eq!(judgement.verdict, Verdict::Pass, "host {of_the_host}: {}", judgement.figures);
        // Ticks that ran in a bunch are not compared; enough are.
        assert!(judgement.figures.drift.ticks > 50, "host {of_the_host}: {}", judgement.figures);
        assert_eq!(lab.clients[0].engine.notes.own_moves, [], "host {of_the_host}");
    }
}

/// PRED-11, PRED-12 (in part: on foot): another's player that is not heard of for 300 ms, twenty times over, is no
/// teleport for it: its copy is never put anywhere at once, and is never drawn a third of a world unit on in a tick.
#[test]
fn a_gap_is_no_teleport() {
    let seat = |place| Seating::of(vec![if place == 0 { circle() } else { still() }]);
    let mut lab = Lab::play_as(Plan::new("flat", 120, 2).network(35, 0.0), Seating::of(Vec::new()), seat);
    lab.run_seconds(2.0);
    let slot = lab.clients[0].slot();
    let corrected = lab.clients[1].net.prediction().corrected();
    let (mut last, mut most, mut gone) = (lab.clients[1].place(slot), 0.0_f32, 0.0);
    for _ in 0..20 {
        for ticks in [9, 21] {
            if ticks == 9 {
                lab.clients[1].network.meddle(|_, _| Fate::Lost);
            } else {
                lab.clients[1].network.meddle_no_more();
            }
            lab.watch_ticks(ticks, |lab, who| {
                if who == Who::Client(1) {
                    let world = lab.clients[1].engine.world();
                    let drawn = world.drawn(world.unit(slot).unwrap()).unwrap();
                    let step = drawn.distance(last);
                    (last, most, gone) = (drawn, most.max(step), gone + step);
                }
            });
        }
    }
    assert!(gone > 40.0, "it ran {gone} wu");
    assert_eq!(lab.clients[1].net.prediction().corrected(), corrected);
    assert!(most < 0.33, "{most} wu in a tick");
}

/// PRED-06, NET-28: what comes to a machine is handed over once a second for a minute, from a queue that holds about
/// half of it, the newest or the oldest dropped: its player is moved once a burst at most, nothing is pressed twice, no
/// prediction is refused, it is not dropped, and two seconds later all play on alike.
#[test]
fn a_short_queue_between_bursts_is_no_end() {
    for drops_newest in [true, false] {
        let mut lab = Lab::play(Plan::new("flat", 123, 2).network(20, 0.0));
        let (mut now, mut came) = (Moment::START, 0);
        lab.clients[0].network.meddle(move |at, _| {
            if std::mem::replace(&mut now, at) != at {
                came = 0;
            }
            came += 1;
            if (came <= 16) == drops_newest { Fate::Heard } else { Fate::Lost }
        });
        for _ in 0..60 {
            let before = own_moves(&lab, 0);
            lab.clients[0].network.impair().stall(true);
            lab.run_seconds(0.99);
            lab.clients[0].network.impair().stall(false);
            lab.run_seconds(0.01);
            assert!(own_moves(&lab, 0) - before <= 1, "newest {drops_newest}");
        }
        assert!(!has_ended(&lab, 0));
        assert_eq!(refused(&lab), 0, "newest {drops_newest}");
        let slot = lab.clients[0].slot();
        let jumps = lab.clients[0].engine.notes.jumps[slot.index()];
        let there = lab.host.engine.notes.jumps[slot.index()];
        assert!(jumps > 3 && there <= jumps, "{jumps} jumps, {there} at the host");
        lab.clients[0].network.meddle_no_more();
        lab.run_seconds(2.0);
        assert_well(&mut lab);
    }
}

/// PRED-16, AUTH-12: at 40 ms each way everything to the host, or from it, waits for 200 to 350 ms forty times a minute,
/// as behind a carrier that repeats what it lost: no prediction is refused, and no own player is moved by a world unit.
#[test]
fn short_stalls_refuse_nothing() {
    for of_the_host in [true, false] {
        let mut lab = Lab::play(Plan::new("flat", 124, 2).network(40, 0.0));
        for number in 0..80 {
            for stalls in [true, false] {
                if of_the_host {
                    lab.host.network.impair().stall(stalls);
                } else {
                    lab.clients.iter_mut().for_each(|seat| seat.network.impair().stall(stalls));
                }
                let stall = 0.2 + f64::from(number % 4) * 0.05;
                lab.run_seconds(if stalls { stall } else { 1.5 - stall });
            }
        }
        assert_eq!(refused(&lab), 0, "host {of_the_host}");
        for seat in &lab.clients {
            let far = seat.engine.notes.own_moves.iter().filter(|moved| moved.distance() > 1.0).count();
            assert_eq!(far, 0, "host {of_the_host}: {:?}", seat.engine.notes.own_moves);
        }
        lab.run_seconds(2.0);
        assert_well(&mut lab);
    }
}

/// NET-28: nothing at all comes to one end while everything goes the other way: that end gives the other up after
/// fifteen seconds, and with its stream ends the session of both, whichever of them it is.
#[test]
fn one_direction_alone_keeps_nobody() {
    for to_the_host in [true, false] {
        let mut lab = Lab::idle(Plan::new("flat", 125, 2).network(20, 0.0));
        lab.run_seconds(1.0);
        let deaf = if to_the_host { Who::Host } else { Who::Client(0) };
        lab.impair(deaf).blackout(true);
        lab.run_seconds(14.5);
        assert!(!has_ended(&lab, 0));
        assert_eq!(lab.host.net.transport().in_game().len(), 2);
        lab.run_seconds(1.0);
        assert!(has_ended(&lab, 0), "host {to_the_host}");
        assert_eq!(lab.host.net.transport().in_game().len(), usize::from(!to_the_host));
    }
}
