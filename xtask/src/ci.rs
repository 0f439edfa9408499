//! `ci`: what must hold before a change is taken, in the order of what is cheapest to find; tests last, so that
//! the last lines are the runner's own.

use std::time::Instant;

use crate::{Failed, compare, coverage, demo, fuzz, native, run, soak, test, tidy};

/// Runs it all; the first step that fails ends it.
pub(crate) fn run() -> Result<(), Failed> {
    step("fmt", || run::to_end(&mut run::cargo(&["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    step("coverage", || coverage::run(&[]))?;
    let strict = ["--", "-D", "warnings"];
    step("clippy", || {
        run::to_end(run::cargo(&["clippy", "--workspace", "--all-targets"]).args(strict))?;
        native::ensure()?;
        let voice =
            ["mjolnir-voice", "mjolnir-skirmish", "mjolnir-tests"].map(|package| ["--package", package]);
        let clippy = ["clippy", "--all-targets", "--all-features"];
        run::to_end(run::cargo(&clippy).args(voice.as_flattened()).args(strict))
    })?;
    step("doc", || {
        let mut doc = run::cargo(&["doc", "--workspace", "--no-deps"]);
        run::to_end(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    step("fuzz targets", fuzz::check)?;
    if demo::exists() {
        // Not this process's own becoming: tests come after it.
        step("demo", || run::to_end(&mut run::cargo(&["xtask", "demo", "--seconds", "5"])))?;
    }
    step("net-compare", compare::short)?;
    step("soak", soak::short)?;
    println!("== test");
    test::run()
}

fn step(name: &str, work: impl FnOnce() -> Result<(), Failed>) -> Result<(), Failed> {
    println!("== {name}");
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs();
    match done {
        Ok(()) => println!("== {name}: {seconds} s"),
        Err(Failed(code)) => eprintln!("== {name}: failed ({code}) after {seconds} s"),
    }
    done
}
