//! `soak`: whole games from seeds under everything that goes wrong. Knows no game: it builds the tests' program and
//! runs it.

use crate::{Failed, run, tree};

/// Seeds of a short one.
const SHORT: &str = "100";

/// As fast as a release with a test's checks. The program's own arguments are passed on; so is its exit code.
pub(crate) fn run(args: &[String]) -> Result<(), Failed> {
    run::to_end(&mut run::cargo(&["build", "--profile", "soak", "-p", "mjolnir-tests", "--bin", "soak"]))?;
    let program = tree::target().join("soak").join(format!("soak{}", std::env::consts::EXE_SUFFIX));
    run::become_it(&program, args)
}

/// A short one of what the tests are built as, so that nothing is built for it alone.
pub(crate) fn short() -> Result<(), Failed> {
    let program = ["run", "--quiet", "-p", "mjolnir-tests", "--bin", "soak", "--", "--seeds", SHORT];
    run::to_end(&mut run::cargo(&program))
}
