//! Plays a thousand games of honest players in trouble, and says in which of them they paid for it. Knows no rule.

use std::collections::BTreeMap;
use std::process::ExitCode;

use mjolnir_tests::honest::{games, play_all, play_telling};

/// Games.
const SEEDS: u64 = 1000;

fn main() -> ExitCode {
    // One seed's game, and what is refused in it.
    if let Some(seed) = std::env::args().nth(1).and_then(|seed| seed.parse::<u64>().ok()) {
        let games = games();
        let (course, trouble) = games[seed.saturating_sub(1) as usize % games.len()];
        println!("{}", play_telling(seed, course, trouble, true, |_| {}));
        return ExitCode::SUCCESS;
    }
    let all = play_all(SEEDS);
    let mut sums: BTreeMap<_, [u64; 5]> = BTreeMap::new();
    for played in &all {
        if played.outlasting > 0 || played.brief > 0 {
            println!("{played}");
        }
        let sum = sums.entry((played.course, played.trouble)).or_default();
        let more = [1, played.taken, played.refused, played.brief, played.outlasting];
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    for ((course, trouble), [games, taken, refused, brief, later]) in sums {
        println!(
            "{course:?}, {trouble:?}: {games} games, {taken} taken, {refused} refused, {brief} later, {later} \
             for more than a second"
        );
    }
    let broken = all.iter().any(|played| played.outlasting > 0);
    ExitCode::from(u8::from(broken))
}
