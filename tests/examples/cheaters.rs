//! Prints what each lie of the cheaters' kit is worth, as `docs/security.md` has it; with the word `hits` those about hits alone.
//! Knows no file.

use mjolnir_tests::cheat::{hits, trial};

fn main() {
    if std::env::args().all(|argument| argument != "hits") {
        let trials = trial::kit();
        println!("{}", trial::table(&trials, &trial::run(&trials)));
    }
    let trials = hits::kit();
    print!("{}", hits::trial::table(&trials, &hits::trial::run(&trials)));
}
