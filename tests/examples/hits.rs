//! Plays the games of hits, or those of one means that is named, and prints what became of them as `budget.txt` has it, with
//! each hit that was not dealt, and why, beside it. Knows no file.

use mjolnir_tests::hits::{cases, measure, table};

fn main() {
    let only = std::env::args().nth(1);
    let is_asked = |name: &str| only.as_ref().is_none_or(|only| only == name);
    let mut measured = Vec::new();
    for case in cases().into_iter().filter(|case| is_asked(case.means.name())) {
        let figures = measure(case);
        for saw in &figures.lost {
            eprintln!("{case:?}: {:?} {saw:?}", figures.reasons);
        }
        measured.push((case, figures));
    }
    print!("{}", table(&measured));
}
