//! Whom a host tells of its game where the settings name many, and what is logged of those that it does not. A binary
//! of its own, so that no other test logs beside it.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use mjolnir_engine_glue::settings::Settings;
use mjolnir_engine_glue::transport::HostSettings;
use mjolnir_skirmish::lan::told_of;
use mjolnir_wire::packets::SettingsRecord;

/// Where a log's lines go.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How many hear of a game where the settings name that list, the last of them, and what is logged of it.
fn told(list: &str) -> (usize, Ipv4Addr, String) {
    let (settings, _) = Settings::parse(&format!("[network]\nbroadcast = \"{list}\"\n")).unwrap();
    let lines = Lines::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    let rules = HostSettings::new(SettingsRecord::empty());
    let bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let settings = tracing::subscriber::with_default(log, || told_of(rules, &settings, bind));
    let addresses = settings.broadcast.addresses();
    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    (addresses.len(), *addresses.last().unwrap(), log)
}

/// NET-52: two addresses are told and nobody else; of 256 nothing is logged; the 257th is dropped, and one line of the
/// log says that so many are.
#[test]
fn an_address_past_the_256th_is_dropped_and_logged() {
    let last = |count: u32| Ipv4Addr::from_bits(0x0A00_0000 + count);
    let list = |count: u32| (1..=count).map(|of| last(of).to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(told(&list(2)), (2, last(2), String::new()));
    assert_eq!(told(&list(256)), (256, last(256), String::new()));
    for (count, dropped) in [(257, "past_most=1"), (300, "past_most=44")] {
        let (addresses, end, log) = told(&list(count));
        assert_eq!((addresses, end), (256, last(256)));
        assert_eq!(log.lines().count(), 1, "{log}");
        for words in ["WARN", "network.broadcast", "past the 256th are dropped", dropped] {
            assert!(log.contains(words), "{words}: {log}");
        }
    }
}
