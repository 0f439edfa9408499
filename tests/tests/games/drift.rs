//! Builds that are alike and builds that are not, told apart by how they move: the design document's table of
//! calibration, on every map and both ways round. `--example calibration` prints all of it.

use mjolnir_net_compare::{Field, Verdict, judge};
use mjolnir_skirmish::game::maps;
use mjolnir_tests::calibration::{Builds, Outcome, Pair};

/// On average copies are so near, in wu; with uneven frames a tick's run.
const MEAN_WU: f64 = 0.05;
const MEAN_UNEVEN_WU: f64 = 0.08;
/// The maps whose bots run all the time, on foot and mostly in each other's sight.
const ON_FOOT: [&str; 5] = ["field", "flat", "hill", "two_bases", "yard"];

/// The largest distance between two copies of a player, in wu: a third, but for two things that the netcode has. Of whom
/// a machine does not see, behind walls and floors, it is told each sixth tick, and both copies may run apart until then.
/// And a rider stands where its vehicle does, on each machine from its own tick on, up to 1.4 wu from where it was.
fn most_wu(map: &str) -> f64 {
    match map {
        "drive" | "carpark" => 1.5,
        "rooms" | "tower" => 0.96,
        _ => 0.34,
    }
}

/// A game of that map, which passed with so much of its ticks apart at most; and more than so many compared.
#[track_caller]
fn passes(pair: Pair, apart: f64, ticks: u64) -> Outcome {
    let outcome = pair.play();
    let figures = outcome.judgement.figures;
    assert_eq!(outcome.judgement.verdict, Verdict::Pass, "{pair}: {figures}");
    assert!(figures.apart_share() <= apart, "{pair}: {figures}");
    assert!(figures.drift.ticks > ticks && figures.seconds >= 59, "{pair}: {figures}");
    assert!(figures.largest_wu <= most_wu(pair.map), "{pair}: {figures}");
    outcome
}

/// A game that failed by its moves, with more than that share of its ticks apart: at the first second that compared any, which
/// is the game's first, and already by what was logged until then.
#[track_caller]
fn fails_at_once(pair: Pair, share: f64) {
    let Outcome { judgement, host, client, .. } = pair.play();
    let figures = judgement.figures;
    let Verdict::Fail(first) = judgement.verdict else { panic!("{pair}: {figures}") };
    // The client's, who came second.
    assert_eq!((first.field, first.player), (Field::Drift, Some(1)), "{pair}: {figures}");
    assert!(first.tick <= 30, "{pair}: {first}");
    assert!(figures.apart_share() > share, "{pair}: {figures}");
    assert!(figures.mean_wu <= MEAN_WU && figures.largest_wu <= most_wu(pair.map), "{pair}: {figures}");
    let seconds = host.partition_point(|line| line.tick <= first.tick);
    assert!(matches!(judge(&host[..seconds], &client).verdict, Verdict::Fail(_)), "{pair}: {first}");
}

/// Games of those builds, on each of those maps from seed to seed, both ways round.
fn games(
    builds: Builds,
    maps: impl IntoIterator<Item = &'static str>,
    seeds: std::ops::Range<u64>,
) -> impl Iterator<Item = Pair> {
    maps.into_iter().flat_map(move |map| {
        let both = seeds.clone().flat_map(|seed| [(seed, false), (seed, true)]);
        both.map(move |(seed, swapped)| Pair { map, seed, builds, swapped })
    })
}

fn every_map() -> impl Iterator<Item = &'static str> {
    maps().map(|map| map.name)
}

/// TOOL-59, 64: two machines of one build pass on every map, whichever hosts, with at most 13 ticks in a hundred apart and
/// copies 0.05 wu apart on average. Where there are cars fewer ticks are compared: who rides is not.
#[test]
fn one_build_passes() {
    for pair in games(Builds::Alike, every_map(), 91..94) {
        let figures = passes(pair, 0.13, 150).judgement.figures;
        assert!(figures.drift.ticks > 1500 || matches!(pair.map, "drive" | "carpark"), "{pair}: {figures}");
        assert!(figures.mean_wu <= MEAN_WU, "{pair}: {figures}");
    }
}

/// TOOL-59: nor is one of them another build whose frames take from 5 to 60 ms: at most 42 ticks in a hundred are apart. Of the
/// few ticks on foot on maps of cars that share says little: the game passes.
#[test]
fn one_build_of_uneven_frames_passes() {
    for pair in games(Builds::AlikeUneven, every_map(), 91..93) {
        let rides = matches!(pair.map, "drive" | "carpark");
        let figures =
            passes(pair, if rides { 0.6 } else { 0.42 }, if rides { 0 } else { 60 }).judgement.figures;
        assert!(rides || figures.mean_wu <= MEAN_UNEVEN_WU, "{pair}: {figures}");
    }
}

/// TOOL-60, 64: with kills and hits by script it passes too, with at most 45 ticks in a hundred apart.
#[test]
fn one_build_passes_with_events() {
    let mut apart = 0;
    for pair in games(Builds::AlikeWithEvents, every_map(), 91..92) {
        let Outcome { judgement, events, .. } = passes(pair, 0.45, 150);
        assert!(events >= 15, "{pair}: {events} events");
        assert!(judgement.figures.mean_wu <= MEAN_WU, "{pair}: {}", judgement.figures);
        apart += judgement.figures.drift.apart;
    }
    assert!(apart > 0, "nobody was ever thrown");
}

/// TOOL-61, 64: a build that runs half a per cent faster fails, by its moves, at the first second; which of the two
/// machines it is makes no difference. The share that is apart is that of the ticks in which its player runs.
#[test]
fn a_faster_build_fails() {
    for pair in games(Builds::Running(1.005), ON_FOOT, 91..93) {
        fails_at_once(pair, 0.7);
    }
    for pair in games(Builds::Running(1.005), ["rooms"], 91..96) {
        fails_at_once(pair, 0.7);
        // Its walls stop whoever runs into them.
        assert!(pair.play().judgement.figures.apart_share() <= 0.95, "{pair}");
    }
}

/// TOOL-62, 64: one that runs a fiftieth faster fails as soon.
#[test]
fn a_much_faster_build_fails() {
    for pair in games(Builds::Running(1.02), ["field", "flat", "rooms"], 91..93) {
        fails_at_once(pair, 0.8);
    }
}

/// TOOL-63, 64: stronger gravity changes but what jumps and falls, less than uneven frames do: it is not found. That is known.
#[test]
fn another_gravity_is_not_found() {
    for scale in [1.005, 1.02] {
        for pair in games(Builds::Falling(scale), every_map(), 91..92) {
            let figures = passes(pair, 0.6, 150).judgement.figures;
            assert!(figures.mean_wu <= MEAN_WU, "{pair}: {figures}");
            // It was another build, where anybody jumped.
            assert!(figures.drift.apart > 50 || pair.map == "carpark", "{pair}: {figures}");
        }
    }
}
