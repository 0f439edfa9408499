//! `bench [CRATE]`: the Criterion benches, and a table of what they came to at the end.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::{CANNOT, FOUND, Failed, json, native, run, tree};

/// Runs the benches of the crate that the first argument names, or of all; the rest is Criterion's.
pub(crate) fn run(args: &[String]) -> Result<(), Failed> {
    let (names, options): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| !arg.starts_with('-'));
    let package = match names[..] {
        [] => None,
        [name] if tree::has_crate(name.trim_start_matches("mjolnir-")) => Some(package(name)),
        _ => {
            eprintln!("xtask: bench takes one crate of this workspace, by its folder's name");
            return Err(CANNOT);
        }
    };
    native::ensure()?;
    let mut args = vec!["bench", "--bench", "*"];
    match &package {
        Some(package) => args.extend(["-p", package]),
        None => args.push("--workspace"),
    }
    match package.as_deref() {
        None => args.extend(native::WITH_CODEC),
        Some("mjolnir-voice") => args.extend(["--features", "opus"]),
        Some(_) => {}
    }
    if !options.is_empty() {
        args.push("--");
        args.extend(options.into_iter().map(String::as_str));
    }
    let start = SystemTime::now();
    run::to_end(&mut run::cargo(&args))?;
    let mut results = Vec::new();
    collect(&tree::target().join("criterion"), start, &mut results);
    results.sort_by(|a, b| a.name.cmp(&b.name));
    if results.is_empty() {
        eprintln!("xtask: no bench was run");
        return Err(FOUND);
    }
    print!("\n{}", table(&results));
    Ok(())
}

/// A crate by its folder's name or its whole one.
fn package(name: &str) -> String {
    if name.starts_with("mjolnir-") { name.to_owned() } else { format!("mjolnir-{name}") }
}

/// What a bench came to; nanoseconds an iteration.
#[derive(Clone, Debug, PartialEq)]
struct Measured {
    name: String,
    mean: f64,
    low: f64,
    high: f64,
}

/// Every bench under `folder` that was measured since `start`.
fn collect(folder: &Path, start: SystemTime, results: &mut Vec<Measured>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        if path.file_name().is_some_and(|name| name == "new") {
            let estimates = path.join("estimates.json");
            let written = fs::metadata(&estimates).and_then(|data| data.modified());
            if written.is_ok_and(|written| written >= start) {
                let read = |file: &str| fs::read_to_string(path.join(file)).unwrap_or_default();
                results.extend(measured(&read("benchmark.json"), &read("estimates.json")));
            }
        } else {
            collect(&path, start, results);
        }
    }
}

fn measured(benchmark: &str, estimates: &str) -> Option<Measured> {
    let name = json::member(benchmark, "full_id").and_then(json::plain_text)?;
    let mean = json::member(estimates, "mean")?;
    let of = |member| json::member(mean, member).and_then(json::number);
    Some(Measured {
        name: name.to_owned(),
        mean: of("point_estimate")?,
        low: of("lower_bound")?,
        high: of("upper_bound")?,
    })
}

fn table(results: &[Measured]) -> String {
    let width =
        results.iter().map(|result| result.name.chars().count()).max().unwrap_or(0).max("bench".len());
    let mut table = format!("{:width$}  {:>10}  {:>10}  {:>10}\n", "bench", "mean", "low", "high");
    for Measured { name, mean, low, high } in results {
        let row = format!("{name:width$}  {:>10}  {:>10}  {:>10}\n", time(*mean), time(*low), time(*high));
        table.push_str(&row);
    }
    table
}

fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "us"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    format!("{value:.2} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Criterion wrote becomes a row.
    #[test]
    fn reads_what_criterion_wrote() {
        let benchmark = r#"{"group_id":"wire","function_id":"decode","full_id":"wire/decode"}"#;
        let estimates = r#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.5,
            "upper_bound":2500.0},"point_estimate":2.0,"standard_error":0.1},"median":{"point_estimate":9.0}}"#;
        let result = measured(benchmark, estimates).unwrap();
        assert_eq!((result.mean, result.low, result.high), (2.0, 1.5, 2500.0));
        assert_eq!(measured(benchmark, "{}"), None);
        let table = table(&[result]);
        assert!(table.ends_with("wire/decode     2.00 ns     1.50 ns     2.50 us\n"), "{table}");
    }

    /// A crate may be named by its folder.
    #[test]
    fn crates_by_folder() {
        assert_eq!(package("wire"), "mjolnir-wire");
        assert_eq!(package("mjolnir-clock"), "mjolnir-clock");
    }
}
