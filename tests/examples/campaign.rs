//! Levels of the campaign, played together by bots to their end from many seeds: `--seeds N --first S --machines M`, 2, 4 and 8 in
//! turn where that is not said, in every second game with one that joins and one that leaves. Knows no rule.

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use mjolnir_tests::campaign::{Course, Tally, play};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse::<u64>().ok())
    };
    let (first, seeds) = (value("--first").unwrap_or(1), value("--seeds").unwrap_or(100));
    // For who has no longer: no further game is begun after so many seconds.
    let (machines, most) = (value("--machines"), value("--within").unwrap_or(u64::MAX));
    let (began, mut all, mut broken) = (Instant::now(), Tally::default(), 0);
    for seed in first..first.saturating_add(seeds) {
        if began.elapsed().as_secs() >= most {
            break;
        }
        let machines = machines.unwrap_or([2, 4, 8][(seed % 3) as usize]) as usize;
        let course = Course::new(seed, machines);
        let course = if seed / 3 % 2 == 1 { course.with_guests() } else { course };
        let played = play(course, |_| {});
        all.add(&played.tally);
        if !played.wrong.is_empty() {
            broken += 1;
            println!("seed {seed}, {machines} machines, guests {}:", course.joins);
            played.wrong.iter().for_each(|what| println!("  {what}"));
        }
    }
    println!("{broken} broken of {all}");
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
