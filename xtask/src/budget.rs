//! `record-budget`: the table of what bad networks cost, as the games come to it now. Knows no figure: it writes down
//! what a program of the tests prints, and a test compares.

use std::fs;

use crate::{FOUND, Failed, run, tree};

/// Plays the games and rewrites the table; a line says what changed. Built as the tests are, so that what they built
/// is there to be used.
pub(crate) fn record() -> Result<(), Failed> {
    let program = ["run", "--quiet", "-p", "mjolnir-tests", "--bin", "record-budget"];
    let is = run::output(&mut run::cargo(&program))?;
    let path = tree::root().join("tests/budget.txt");
    let was = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, &is).map_err(|error| {
        eprintln!("xtask: cannot write {}: {error}", path.display());
        FOUND
    })?;
    let (games, changed) = (games(&is).count(), changed(&was, &is));
    println!("tests/budget.txt: {games} games recorded, {changed} of them with other figures than before");
    Ok(())
}

/// The lines that are no head.
fn games(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// How many games stand in `is` that do not stand so in `was`.
fn changed(was: &str, is: &str) -> usize {
    games(is).filter(|line| !games(was).any(|old| old == *line)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# head\nflat 0 0 1 0.00\nflat 0 25 2 0.00\n";

    /// A game whose line was not there is counted, the head and a game that is gone are not.
    #[test]
    fn counts_what_changed() {
        assert_eq!(games(TABLE).count(), 2);
        assert_eq!(changed(TABLE, TABLE), 0);
        assert_eq!(changed("", TABLE), 2);
        assert_eq!(changed(TABLE, &TABLE.replace("head", "top")), 0);
        assert_eq!(changed(TABLE, &TABLE.replace("2 0.00", "2 0.01")), 1);
        assert_eq!(changed(TABLE, "# head\nflat 0 0 1 0.00\n"), 0);
    }
}
