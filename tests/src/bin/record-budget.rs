//! Plays the games of the budget table and of the table of hits, and prints both as `budget.txt` holds them. Knows no file.

use mjolnir_tests::{budget, hits};

fn main() {
    print!("{}{}", budget::table(&budget::measure_all()), hits::table(&hits::measure_all()));
}
