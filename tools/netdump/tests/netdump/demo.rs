//! A capture of a demo, two seconds of a host and two clients on the loopback: `skirmish demo --seconds 2 --clients 2`
//! under `tcpdump -i lo`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::total::lines;

/// The capture.
pub(crate) const DEMO: &[u8] = include_bytes!("demo.pcap");
/// The port that its host had.
pub(crate) const PORT: u16 = 36843;

/// How many of each there are, parts of batches as such.
fn counted(lines: &[Value]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        let mut count = |what: String| *counts.entry(what).or_default() += 1;
        count(format!("{} {}", line["channel"].as_str().unwrap(), line["name"].as_str().unwrap_or("none")));
        for part in line["fields"]["parts"].as_array().into_iter().flatten() {
            count(format!("part {}", part["name"].as_str().unwrap()));
        }
    }
    counts
}

/// Everything that the demo sent is shown: so many of each kind, in the order of time, and nothing that cannot be
/// read.
#[test]
fn a_demo_is_shown_whole() {
    let (lines, whole) = lines(DEMO, PORT);
    assert!(whole);
    assert!(lines.iter().all(|line| line.get("error").is_none() && line.get("event").is_none()));
    assert!(lines.is_sorted_by_key(|line| (line["time"].as_f64().unwrap() * 1e6) as u64));
    let expected: BTreeMap<String, usize> = [
        ("datagram batch", 232),
        ("datagram client_game_update", 40),
        ("part pings", 2),
        ("part player_inputs", 116),
        ("part player_prediction", 114),
        ("part relayed_actions", 116),
        ("part unit_states", 116),
        ("stream client_add_player_request_pregame", 2),
        ("stream client_graceful_game_exit_postgame", 2),
        ("stream client_join_game_request", 2),
        ("stream client_loaded", 2),
        ("stream client_map_is_precached", 2),
        ("stream client_ready", 2),
        ("stream client_settings_request", 2),
        ("stream object_changes", 2),
        ("stream objects_synchronized", 2),
        ("stream server_add_player_ingame", 1),
        ("stream server_begin_game", 2),
        ("stream server_game_over", 2),
        ("stream server_game_settings_update", 8),
        ("stream server_game_update", 62),
        ("stream server_machine_accepted", 2),
    ]
    .into_iter()
    .map(|(what, count)| (what.to_owned(), count))
    .collect();
    assert_eq!(counted(&lines), expected);
}

/// One client's stream is the join in progress that the wire's page describes, both ways.
#[test]
fn a_stream_is_in_its_order() {
    let (lines, _) = lines(DEMO, PORT);
    let client = lines[0]["from"].as_str().unwrap();
    let names = |way: &str| -> Vec<&str> {
        let mut names: Vec<_> = lines
            .iter()
            .filter(|line| line["channel"] == "stream" && line[way] == client)
            .map(|line| line["name"].as_str().unwrap())
            .collect();
        names.dedup();
        names
    };
    assert_eq!(
        names("from"),
        [
            "client_join_game_request",
            "client_settings_request",
            "client_add_player_request_pregame",
            "client_map_is_precached",
            "client_loaded",
            "client_ready",
            "client_graceful_game_exit_postgame",
        ]
    );
    let to = names("to");
    assert_eq!(
        to[..4],
        [
            "server_machine_accepted",
            "server_game_settings_update",
            "server_begin_game",
            "server_add_player_ingame"
        ]
    );
    assert_eq!(to.last(), Some(&"server_game_over"));
}

/// Another port shows what goes to or comes from the clients' port alone; that is one of the two clients.
#[test]
fn what_is_at_the_clients_port_is_shown_whatever_the_hosts() {
    let (at_client, _) = lines(DEMO, 5150);
    assert!(at_client.iter().all(|line| [&line["from"], &line["to"]].contains(&&"127.0.0.1:5151".into())));
    assert_eq!(counted(&at_client)["datagram batch"], 116);
}

/// Cut at any byte, a capture shows a beginning of what it shows whole, and then at most what a stream lacks.
#[test]
fn a_capture_cut_anywhere_shows_a_beginning() {
    let (all, _) = lines(DEMO, PORT);
    // Every byte of the file's header and of the first frames, then one in 97.
    let ends = (0..400).chain((400..DEMO.len()).step_by(97));
    for end in ends {
        let (some, whole) = lines(&DEMO[..end], PORT);
        let messages: Vec<_> = some.iter().filter(|line| line.get("event").is_none()).collect();
        assert!(messages.iter().zip(&all).all(|(ours, all)| *ours == all), "{end}");
        assert!(some.len() - messages.len() <= 4 && messages.len() <= all.len(), "{end}");
        assert!(!whole || end >= 24, "{end}");
    }
}
