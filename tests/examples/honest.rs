//! Plays a thousand games of honest players in trouble, and says in which of them they paid for it. Knows no rule.

use std::collections::BTreeMap;
use std::process::ExitCode;

use mjolnir_tests::honest::play_all;

/// Games.
const SEEDS: u64 = 1000;

fn main() -> ExitCode {
    let all = play_all(SEEDS);
    let mut sums: BTreeMap<_, [u64; 4]> = BTreeMap::new();
    for played in &all {
        if played.outlasting > 0 {
            println!("{played}");
        }
        let sum = sums.entry(played.trouble).or_default();
        let more = [1, played.taken, played.refused, played.outlasting];
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    for (trouble, [games, taken, refused, later]) in sums {
        println!(
            "{trouble:?}: {games} games, {taken} taken, {refused} refused, {later} of them later than a second after"
        );
    }
    let broken = all.iter().any(|played| played.outlasting > 0);
    ExitCode::from(u8::from(broken))
}
