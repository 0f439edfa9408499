//! Prints how `net-compare` judges builds that are alike and builds that are not, on every map, in virtual time: the
//! design document's table, with our maps. Knows no bound: the test has them.
//!
//! A word narrows it to games whose name has it (`--example calibration faster`); `--tell` prints every game.

use mjolnir_net_compare::Verdict;
use mjolnir_skirmish::game::maps;
use mjolnir_tests::calibration::{Builds, Pair};

/// Seeds of each map.
const SEEDS: std::ops::Range<u64> = 91..95;

/// The builds of the table.
const ROWS: [Builds; 7] = [
    Builds::Alike,
    Builds::AlikeUneven,
    Builds::AlikeWithEvents,
    Builds::Running(1.005),
    Builds::Running(1.02),
    Builds::Falling(1.005),
    Builds::Falling(1.02),
];

/// The least and the most of some numbers.
struct Span(f64, f64);

impl Span {
    const NONE: Self = Self(f64::MAX, f64::MIN);

    const fn note(&mut self, number: f64) {
        *self = Self(self.0.min(number), self.1.max(number));
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let tells = args.iter().any(|arg| arg == "--tell");
    let word = args.iter().find(|arg| *arg != "--tell");
    println!("| Builds | Map | Games | PASS | Ticks apart | in the first second | mean wu | most wu |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for builds in ROWS {
        for map in maps().map(|map| map.name) {
            let (mut games, mut passed) = (0, 0);
            let mut spans = [Span::NONE, Span::NONE, Span::NONE, Span::NONE];
            for (seed, swapped) in SEEDS.flat_map(|seed| [(seed, false), (seed, true)]) {
                let pair = Pair { map, seed, builds, swapped };
                if word.is_some_and(|word| !pair.to_string().contains(word)) {
                    continue;
                }
                let outcome = pair.play();
                let figures = outcome.judgement.figures;
                let is_pass = outcome.judgement.verdict == Verdict::Pass;
                games += 1;
                passed += u32::from(is_pass);
                let numbers = [
                    100.0 * figures.apart_share(),
                    100.0 * outcome.first_share(),
                    figures.mean_wu,
                    figures.largest_wu,
                ];
                spans.iter_mut().zip(numbers).for_each(|(span, number)| span.note(number));
                if tells {
                    println!("{pair}: {}; {figures}; {} events", outcome.judgement.verdict, outcome.events);
                }
            }
            if games > 0 {
                let [apart, first, mean, most] = &spans;
                println!(
                    "| {builds} | {map} | {games} | {passed} | {:.0}-{:.0}% | {:.0}-{:.0}% | {:.3}-{:.3} | {:.3}-{:.3} |",
                    apart.0, apart.1, first.0, first.1, mean.0, mean.1, most.0, most.1
                );
            }
        }
    }
}
