//! Prints what each lie of the cheaters' kit is worth, as `docs/security.md` has it. Knows no file.

use mjolnir_tests::cheat::trial::{kit, run, table};

fn main() {
    let trials = kit();
    print!("{}", table(&trials, &run(&trials)));
}
