//! Plays the games of the budget table and prints it, as `budget.txt` holds it. Knows no file.

use mjolnir_tests::budget::{measure_all, table};

fn main() {
    print!("{}", table(&measure_all()));
}
