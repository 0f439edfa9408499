//! Whole lives of honest and lying clients.

use super::*;

/// AUTH-12, 15: an honest player that runs, jumps and falls off ledges, over a line of 100 ms each way with 150 ms
/// of jitter in bunches: no prediction is refused in 60 s, and it is never as far off as to be corrected.
#[test]
fn an_honest_player_on_a_bad_line_is_never_refused() {
    let mut falls = 0;
    for seed in 1..=20 {
        for ramp in [8.0, 24.0] {
            let mut line = walk::Line::new(seed, 3, 5);
            line.ramp = ramp;
            let report = line.play(1800, |_, placement| placement);
            assert_eq!((report.takings.past_bounds, report.takings.past_tolerance), (0, 0), "seed {seed}");
            assert!(report.takings.taken > 300, "seed {seed}: {report:?}");
            assert!(report.largest_difference < 3.0, "seed {seed}: {report:?}");
            falls += report.falls;
        }
    }
    assert!(falls > 100, "{falls}");
}

/// AUTH-12: nor is it when its line becomes slower or faster by less than the jitter allowed.
#[test]
fn an_honest_player_on_a_changing_line_is_never_refused() {
    for seed in 1..=20 {
        for delays in [[3, 8, 3], [8, 3, 8]] {
            let mut line = walk::Line::new(seed, 3, 1);
            line.delays = delays;
            let report = line.play(1800, |_, placement| placement);
            assert_eq!((report.takings.past_bounds, report.takings.past_tolerance), (0, 0), "seed {seed}");
        }
    }
}

/// AUTH-69: two machines of one build on an even line move alike in every tick but few.
#[test]
fn machines_of_one_build_move_alike() {
    for seed in 1..=5 {
        let mut line = walk::Line::new(seed, 3, 1);
        let report = line.play(1800, |_, placement| placement);
        assert!(report.drift.ticks > 1700, "seed {seed}: {report:?}");
        assert!(report.drift.apart * 100 <= report.drift.ticks * 13, "seed {seed}: {report:?}");
    }
}

/// AUTH-69: a build whose players run a two-hundredth faster is apart in most ticks.
#[test]
fn machines_of_two_builds_move_apart() {
    let mut line = walk::Line::new(1, 3, 1);
    line.client_run *= 1.005;
    let report = line.play(1800, |_, placement| placement);
    assert!(report.drift.apart * 100 > report.drift.ticks * 60, "{report:?}");
}

/// AUTH-12: a client that adds 0.3 wu a tick to where it is gains the tolerance and the jitter once: after ten
/// seconds it is no further than twice a run, the slack and those.
#[test]
fn a_client_that_adds_to_each_tick_gains_little() {
    let mut line = walk::Line::new(1, 3, 1);
    let mut added = Vec3::ZERO;
    let report = line.play(300, |_, mut placement| {
        added += east(0.3);
        placement.position += added;
        placement
    });
    let most = 0.21 * (300.0 + ANCHOR_JITTER as f32) + mjolnir_authority::TAKE_TOLERANCE;
    assert!(report.takings.past_bounds + report.takings.past_tolerance > 100, "{report:?}");
    assert!(report.furthest < most, "{report:?}");

    // One that knows where the host has it claims no more than is taken, and so as far as there is; one that counts
    // two ticks for each of the host's has the jitter on top.
    let jitter = 0.21 * ANCHOR_JITTER as f32;
    for (pace, least, most) in [(1, -1.0, 0.3), (2, jitter - 1.0, jitter + 0.3)] {
        let mut table = Table::at(100, Vec3::ZERO);
        for moved in 1..=300 {
            let claim = table.place() + east(0.3);
            table.take(100 + pace * moved, claim);
        }
        let excess = table.place().x - 0.21 * 300.0;
        assert!((least..=most).contains(&excess), "{excess}");
        assert!(table.host.takings().past_bounds > 50);
    }
}
