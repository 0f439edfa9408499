//! Plays a thousand games of honest players in trouble and of some whose clocks are made faster, and says in which of them somebody
//! else than these paid for it: `--seeds N --first S`. Knows no rule.

use std::collections::BTreeMap;
use std::process::ExitCode;

use mjolnir_tests::lawful::{Part, play_all, play_telling};

/// Games.
const SEEDS: u64 = 1000;

fn number(args: &[String], name: &str) -> Option<u64> {
    let at = args.iter().position(|arg| arg == name)?;
    args.get(at + 1)?.parse().ok()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let seeds = number(&args, "--seeds").unwrap_or(SEEDS);
    let first = number(&args, "--first").unwrap_or(1);
    // One seed's game, and what happens in it.
    if seeds == 1 {
        let played = play_telling(first, true, |_| {});
        println!("{played}");
        return ExitCode::from(u8::from(!played.is_just()));
    }
    let all = play_all(first, seeds);
    let mut sums: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for came in all.iter().flat_map(|played| &played.came) {
        let part = match came.part {
            Part::Honest => "honest".into(),
            Part::Sleeper => "honest, asleep for a minute".into(),
            Part::Slight(times) | Part::Cheat(times) => format!("{times} times as fast"),
            Part::Quiet(times) => format!("{times} times as fast, by its datagrams alone"),
        };
        let [cheaters, bans] = came.lines;
        let more = [1, usize::from(came.refused > 0), usize::from(came.gone.is_some()), cheaters, bans];
        sums.entry(part).or_default().iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    for (part, [clients, refused, gone, cheaters, bans]) in sums {
        println!(
            "{part}: {clients} clients, {refused} refused, {gone} gone, {cheaters} lines in cheaters.txt, {bans} in bans.txt"
        );
    }
    let seconds: u64 = all.iter().map(|played| played.seconds).sum();
    let troubles: usize = all.iter().map(|played| played.troubles).sum();
    println!("{} games, {seconds} s of them, {troubles} things that happened", all.len());
    let unjust: Vec<_> = all.iter().filter(|played| !played.is_just()).collect();
    for played in &unjust {
        println!("{played}");
    }
    ExitCode::from(u8::from(!unjust.is_empty()))
}
