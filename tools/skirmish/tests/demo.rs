//! The demo as scripts run it, over damage and at the end of time: its verdict, its exit code and what it says.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs a demo to its end, in a folder of its own.
fn demo(test: &str, line: &str) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
    command.current_dir(&folder).args(["demo", "--json", "--report", "report"]).args(line.split(' '));
    command.stdin(Stdio::null()).output().unwrap()
}

/// Its summary, of a demo that passed.
fn passed(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["agreement"]["verdict"], "pass", "{summary}");
    assert_eq!(output.status.code(), Some(0));
    summary
}

fn clients(summary: &Value) -> &[Value] {
    summary["clients"].as_array().unwrap()
}

/// The clients that it said to be out.
fn said_out(output: &Output) -> usize {
    String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter(|line| line.contains("is out: The connection"))
        .count()
}

fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().filter_map(Value::as_u64).sum()
}

/// TOOL-27, NET-33: with a third of all datagrams damaged everybody plays to the end, what means nothing is counted, and
/// at the end all agree.
#[test]
fn a_third_damaged_passes() {
    let output = demo("corrupt", "--clients 3 --seconds 12 --corrupt 33");
    let summary = passed(&output);
    assert_eq!(summary["host"]["ticks"], 360);
    for client in clients(&summary) {
        assert_eq!(client["disconnects"], 0);
        assert!(client["ticks"].as_u64().unwrap() > 180, "{client}");
    }
    assert!(sum(&summary["refused"]) + sum(&summary["dropped"]) > 100, "{summary}");
    assert_eq!(said_out(&output), 0);
}

/// TOOL-24, NET-32: a client whose connection is damaged is out, and said to be; the rest play on and agree. With every
/// read damaged all are out, and the host plays to its end.
#[test]
fn a_damaged_connection_is_closed_and_said() {
    for (share, seconds, all) in [("1", 12, false), ("100", 6, true)] {
        let test = format!("corrupt_stream_{share}");
        let output = demo(&test, &format!("--clients 3 --seconds {seconds} --corrupt-stream {share}"));
        let summary = passed(&output);
        assert_eq!(summary["host"]["ticks"], seconds * 30);
        let out = clients(&summary).iter().filter(|client| client["disconnects"] == 1).count();
        assert_eq!(said_out(&output), out, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!all || out == 3);
        for client in clients(&summary).iter().filter(|client| client["disconnects"] == 0) {
            assert!(client["ticks"].as_u64().unwrap() > seconds * 15, "{client}");
        }
    }
}

/// A client that is lost after the host has measured it keeps the last round trip that was measured.
#[test]
fn a_lost_client_keeps_its_round_trip() {
    let output = demo(
        "lost_round_trip",
        "--clients 2 --seconds 8 --latency 40 --corrupt-stream 100 --corrupt-after 2",
    );
    let summary = passed(&output);
    assert_eq!(said_out(&output), 2);
    for client in clients(&summary) {
        assert_eq!(client["disconnects"], 1);
        assert!((60.0..200.0).contains(&client["rtt_ms"].as_f64().unwrap()), "{client}");
    }
}

/// WIRE-05: a game may end with the last tick there is, and is refused where it would pass it.
#[test]
fn a_game_plays_to_the_last_tick() {
    let last = demo("last_tick", "--clients 2 --seconds 8 --start-tick 2147483407");
    assert_eq!(passed(&last)["host"]["ticks"], 240);
    let past = demo("past_tick", "--clients 2 --seconds 8 --start-tick 2147483408");
    assert_eq!(past.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&past.stderr).contains("2147483647"));
}

/// WIRE-05: the same at the tick that scripts try.
#[test]
fn a_late_start_plays() {
    let output = demo("late_start", "--clients 3 --seconds 20 --start-tick 2147480000");
    assert_eq!(passed(&output)["host"]["ticks"], 600);
}

/// What a machine cannot have ends the demo before it begins, with 2 and the reason.
#[test]
fn what_cannot_be_ends_at_once() {
    for (line, reason) in [
        ("--clients 2 --input what", "what"),
        ("--clients 2 --input script:nothing.txt", "nothing.txt"),
        ("--clients 9 --max-players 9", "10 players"),
    ] {
        let output = demo("cannot", line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{line}");
        assert!(output.stdout.is_empty());
    }
}
