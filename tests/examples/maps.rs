//! Games on custom maps that machines lack, from many seeds: `--seeds N --first S`, and `--tell` for what happens in each.

use std::env;
use std::process::ExitCode;

use mjolnir_tests::maps::script::{self, Tally};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let value = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let tells = arguments.iter().any(|argument| argument == "--tell");
    let (first, seeds) = (value("--first", 1), value("--seeds", 300));
    let (mut all, mut broken) = (Tally::default(), 0);
    for seed in first..first + seeds {
        let mut tell = |line: &str| {
            if tells {
                println!("{line}");
            }
        };
        match script::play(seed, &mut tell) {
            Ok(tally) => all += tally,
            Err(what) => {
                broken += 1;
                println!("{what}");
            }
        }
    }
    println!("{seeds} games, {broken} broken: {all}");
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
