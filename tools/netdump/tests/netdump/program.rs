//! The program itself: what it prints where, and the codes that scripts rely on.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use super::demo::PORT;

const PINGS: &str = "01481303452301000000000001002a000200ffff";

fn netdump(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_netdump"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

const SHOWN: &str = "{\"space\":\"distributed\",\"kind\":19,\"name\":\"pings\",\"fields\":{\"count\":3,\
\"tick\":74565,\"entries\":[{\"player\":0,\"milliseconds\":0},{\"player\":1,\"milliseconds\":42},\
{\"player\":2,\"milliseconds\":65535}]}}\n";

/// A message is 0 and its JSON; bad bytes are 1 and a line with what and where.
#[test]
fn a_message_is_its_json_or_an_error() {
    assert_eq!(netdump(&["decode", PINGS], ""), (Some(0), SHOWN.to_owned(), String::new()));
    for (hex, error) in [
        (&PINGS[..38], "truncated at offset 19\n"),
        ("014g", "not_hexadecimal at offset 1\n"),
        ("", "truncated at offset 0\n"),
    ] {
        assert_eq!(netdump(&["decode", hex], ""), (Some(1), String::new(), error.to_owned()));
    }
}

/// Each line is answered by one, a bad one by its error; the code is 1 if any was bad.
#[test]
fn each_line_is_answered() {
    let error = "{\"error\":\"unknown_kind\",\"offset\":2}\n";
    let bad = PINGS.replacen("0148130", "0148000", 1);
    let empty = "{\"error\":\"truncated\",\"offset\":0}\n";
    let answered = [SHOWN, error, empty, SHOWN].concat();
    let asked = format!("{PINGS}\n{bad}\n\n{PINGS}");
    assert_eq!(netdump(&["decode", "-"], &asked), (Some(1), answered, String::new()));
    let asked = format!("{PINGS}\r\n{PINGS}\n");
    assert_eq!(netdump(&["decode", "-"], &asked), (Some(0), [SHOWN, SHOWN].concat(), String::new()));
    assert_eq!(netdump(&["decode", "-"], ""), (Some(0), String::new(), String::new()));
}

/// Arguments and files that are none are 2.
#[test]
fn bad_arguments_and_files_are_2() {
    for arguments in [
        &[][..],
        &["decode"],
        &["decode", "00", "00"],
        &["encode", "00"],
        &["pcap"],
        &["pcap", "x", "--port", "65536"],
        &["pcap", "no such file"],
        &["pcap", env!("CARGO_MANIFEST_PATH")],
    ] {
        let (code, out, error) = netdump(arguments, "");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!error.is_empty(), "{arguments:?}");
    }
}

/// A capture is a line a message.
#[test]
fn a_capture_is_a_line_a_message() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netdump/demo.pcap");
    let (code, out, error) = netdump(&["pcap", file, "--port", &PORT.to_string()], "");
    assert_eq!((code, out.lines().count(), error.as_str()), (Some(0), 367, ""));
}

/// A port that nothing uses: how much was left out and where it is, on standard error; the code is as it would be.
#[test]
fn a_port_that_nothing_uses_is_told_of() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netdump/demo.pcap");
    let (code, out, error) = netdump(&["pcap", file], "");
    assert_eq!(code, Some(0));
    // What is at the clients' port is shown all the same.
    assert!(out.lines().count() < 367);
    let said = format!("{file}: 2 streams of other ports left out ({PORT}, ");
    assert!(error.starts_with(&said) && error.ends_with("; --port chooses\n"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// The help's example is one that works.
#[test]
fn the_help_has_an_example_that_works() {
    let (code, help, _) = netdump(&["--help"], "");
    let example = help.lines().find_map(|line| line.trim().strip_prefix("netdump ")).unwrap();
    let arguments: Vec<_> = example.split(' ').collect();
    assert_eq!(code, Some(0));
    assert_eq!(netdump(&arguments, "").1, SHOWN);
}
