//! `fuzz`: one target under libFuzzer for so long, and that every target builds. Knows no target: they are the files
//! of `tests/fuzz/fuzz_targets`.
//!
//! cargo-fuzz asks for a nightly's flags, which `RUSTC_BOOTSTRAP=1` gives to the stable toolchain. Cargo keeps what
//! the compiler once said of itself in a target folder: one that was first used without would go on refusing the
//! flags, so fuzzing has a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{CANNOT, FOUND, Failed, run, tree};

/// Where the targets' package is, from the root.
const PACKAGE: &str = "tests/fuzz";
/// Where the committed inputs are, a folder a target.
const CORPUS: &str = "tests/corpus";
/// The version that is known to work.
const VERSION: &str = "0.13.2";
/// How long a target runs where nobody says, in seconds.
const SECONDS: u32 = 60;
/// The one line where there is no compiler for libFuzzer itself.
const COMPILER_BY_HAND: &str = "apt-get install g++";

/// What libFuzzer is told beside how long: no allocation past 64 MiB, 2 GiB in all, half a minute an input.
const LIMITS: [&str; 4] =
    ["-rss_limit_mb=2048", "-malloc_limit_mb=64", "-timeout=30", "-print_final_stats=1"];

/// Runs a target, or lists them.
pub(crate) fn run(args: &[String]) -> Result<(), Failed> {
    let targets = targets();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some((target, seconds)) = parse(&args)? else {
        println!("{}", targets.join("\n"));
        return Ok(());
    };
    if !targets.iter().any(|known| known == target) {
        eprintln!("xtask: no such target: {target}; `cargo xtask fuzz` lists them");
        return Err(CANNOT);
    }
    ensure()?;
    // What is found goes where it is not committed by chance.
    let found = tree::target().join("fuzz/corpus").join(target);
    if let Err(error) = fs::create_dir_all(&found) {
        eprintln!("xtask: {}: {error}", found.display());
        return Err(FOUND);
    }
    let mut fuzz = cargo_fuzz("run");
    fuzz.arg(target).arg(&found).arg(tree::root().join(CORPUS).join(target));
    run::to_end(fuzz.arg("--").arg(format!("-max_total_time={seconds}")).args(LIMITS))
}

/// Whether every target compiles, without a sanitizer and a link of each.
pub(crate) fn check() -> Result<(), Failed> {
    if !has_compiler() {
        return Err(CANNOT);
    }
    let manifest = format!("{PACKAGE}/Cargo.toml");
    let mut check = run::cargo(&["check", "--bins", "--manifest-path", &manifest]);
    run::to_end(check.arg("--target-dir").arg(tree::target().join("fuzz-check")))
}

/// The target and how long; none to list them.
fn parse<'a>(args: &[&'a str]) -> Result<Option<(&'a str, u32)>, Failed> {
    let seconds = |text: &str| text.parse().ok().filter(|seconds| *seconds > 0);
    match args {
        [] => Ok(None),
        [target] if !target.starts_with('-') => Ok(Some((target, SECONDS))),
        [target, "--seconds", number] | ["--seconds", number, target]
            if !target.starts_with('-') && seconds(number).is_some() =>
        {
            Ok(seconds(number).map(|seconds| (*target, seconds)))
        }
        _ => {
            eprintln!("xtask: fuzz [TARGET [--seconds N]], N at least 1");
            Err(CANNOT)
        }
    }
}

/// The targets' names, in order.
fn targets() -> Vec<String> {
    let folder = tree::root().join(PACKAGE).join("fuzz_targets");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| file.file_name().into_string().ok()?.strip_suffix(".rs").map(String::from))
        .collect();
    names.sort();
    names
}

/// Makes sure of a C++ compiler and of cargo-fuzz; says what it installs.
fn ensure() -> Result<(), Failed> {
    if !has_compiler() {
        return Err(CANNOT);
    }
    if succeeds(Command::new(tool()).args(["fuzz", "--version"])) {
        return Ok(());
    }
    let root = tree::target().join("tools");
    eprintln!("xtask: installing cargo-fuzz {VERSION} into {}", root.display());
    let install = ["install", "cargo-fuzz", "--version", VERSION, "--locked"];
    if succeeds(run::cargo(&install).arg("--root").arg(&root)) {
        return Ok(());
    }
    eprintln!("xtask: it could not be installed. Run this where there is a network, then try again:");
    eprintln!("  cargo {} --root {}", install.join(" "), root.display());
    Err(CANNOT)
}

/// Whether libFuzzer can be compiled; says what to do where it cannot.
fn has_compiler() -> bool {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let has = succeeds(Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()));
    if !has {
        eprintln!("xtask: libFuzzer needs a C++ compiler. Run this, then try again:\n  {COMPILER_BY_HAND}");
    }
    has
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Where cargo-fuzz is installed.
fn tool() -> PathBuf {
    tree::target().join("tools/bin/cargo-fuzz")
}

/// A command of cargo-fuzz on our targets.
fn cargo_fuzz(command: &str) -> Command {
    let mut fuzz = Command::new(tool());
    fuzz.args(["fuzz", command, "--fuzz-dir", PACKAGE, "--target-dir"]).arg(tree::target().join("fuzz"));
    fuzz.current_dir(tree::root()).env("RUSTC_BOOTSTRAP", "1");
    fuzz
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is run for how long; nothing lists, and what is no number, none or nothing is refused.
    #[test]
    fn arguments() {
        assert_eq!(parse(&[]), Ok(None));
        assert_eq!(parse(&["host"]), Ok(Some(("host", SECONDS))));
        assert_eq!(parse(&["host", "--seconds", "1"]), Ok(Some(("host", 1))));
        assert_eq!(parse(&["--seconds", "7", "host"]), Ok(Some(("host", 7))));
        for wrong in [
            &["--seconds"][..],
            &["host", "--seconds"],
            &["host", "--seconds", "0"],
            &["host", "--seconds", "x"],
            &["host", "client"],
            &["host", "--seconds", "1", "client"],
        ] {
            assert_eq!(parse(wrong), Err(CANNOT), "{wrong:?}");
        }
    }

    /// The targets are found.
    #[test]
    fn lists_targets() {
        let targets = targets();
        assert!(
            ["host", "client", "session", "wire_units"]
                .iter()
                .all(|of| targets.iter().any(|name| name == of))
        );
    }
}
