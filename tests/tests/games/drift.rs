//! Builds that are alike and builds that are not, told apart by how they move.

use mjolnir_net_compare::{Field, Judgement, Verdict};
use mjolnir_skirmish::game::Tuning;
use mjolnir_tests::{Lab, Plan, Seating, bot};

/// A minute on a local network, a client of that tuning with a host of the usual, or the other way round.
fn game(map: &'static str, seed: u64, tuning: Tuning, of_the_host: bool) -> Judgement {
    let seat = |seed, tuned| {
        let tuning = if tuned { tuning } else { Tuning::default() };
        Seating { tuning, ..Seating::of(vec![bot(seed)]) }
    };
    let mut lab = Lab::play_as(Plan::new(map, seed, 1), seat(2 * seed, of_the_host), |_| {
        seat(2 * seed + 1, !of_the_host)
    });
    lab.run_seconds(60.0);
    lab.judge(0)
}

/// TOOL-59: two machines of one build pass on every map, with at most 13 ticks in a hundred apart.
#[test]
fn one_build_passes() {
    for map in ["flat", "hill", "rooms", "tower"] {
        for seed in 91..95 {
            let Judgement { verdict, figures } = game(map, seed, Tuning::default(), false);
            assert_eq!(verdict, Verdict::Pass, "{map}: {figures}");
            assert!(figures.apart_share() <= 0.13, "{map}: {figures}");
            assert!(figures.drift.ticks > 1500 && figures.mean_wu < 0.1, "{map}: {figures}");
        }
    }
}

/// TOOL-61: a build that runs half a per cent faster fails, by its moves, at the first second that tells them;
/// which of the two machines it is makes no difference.
#[test]
fn a_faster_build_fails() {
    for seed in 91..96 {
        for of_the_host in [false, true] {
            let tuning = Tuning { run_scale: 1.005, ..Tuning::default() };
            let Judgement { verdict, figures } = game("rooms", seed, tuning, of_the_host);
            let Verdict::Fail(divergence) = verdict else { panic!("{verdict}: {figures}") };
            assert_eq!(divergence.field, Field::Drift);
            assert!(divergence.tick <= 90, "{divergence}");
            assert!(figures.apart_share() >= 0.7, "{figures}");
        }
    }
}
