//! The record and the kinds' numbers.

use mjolnir_wire::Kind;
use mjolnir_wire::format::description;
use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::limits::NETWORK_VERSION;
use mjolnir_wire::swarm::FRAMES;

/// WIRE-55: two calls give the same bytes; each kind stands there exactly once. WIRE-01: so does the version.
#[test]
fn the_record_is_stable_and_holds_each_kind_once() {
    let text = description();
    assert_eq!(text, description());
    assert_eq!(text.lines().next(), Some("version 32"));
    assert_eq!(NETWORK_VERSION.to_le_bytes(), [32, 0]);
    for info in KINDS {
        let start = format!("kind {} {} ", info.name, info.kind as u8);
        assert_eq!(text.lines().filter(|line| line.starts_with(&start)).count(), 1, "{}", info.name);
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("kind ")).count(), KINDS.len());
}

/// WIRE-07: each kind's number is the table's, in the code and in the record.
#[test]
fn each_kind_has_its_recorded_number() {
    let numbers = [
        (1, "player_prediction"),
        (2, "unit_states"),
        (3, "player_statistics"),
        (4, "inventories"),
        (5, "object_changes"),
        (6, "object_states"),
        (7, "game_state"),
        (8, "objects_synchronized"),
        (9, "client_ready"),
        (10, "damage_events"),
        (11, "hit_reports"),
        (12, "vehicle_prediction"),
        (13, "pickups"),
        (14, "player_inputs"),
        (15, "relayed_actions"),
        (16, "batch"),
        (17, "notice"),
        (18, "client_identity"),
        (19, "pings"),
        (64, "actor_states"),
        (65, "structure_bsp"),
        (66, "coop_presentation"),
        (68, "coop_device_groups"),
        (69, "coop_object_names"),
        (70, "coop_skip_vote"),
        (71, "coop_events"),
        (72, "coop_object_transforms"),
        (73, "actor_damage"),
        (74, "coop_object_looks"),
        (75, "damage_animations"),
        (76, "coop_screen_effect"),
        (77, "coop_device_states"),
        (78, "votekick"),
        (79, "votekick_status"),
        (80, "voice_up"),
        (81, "voice_down"),
        (82, "voice_config"),
        (83, "chat_up"),
        (84, "chat_down"),
        (85, "chat_config"),
        (86, "map_share_request"),
        (87, "map_share_offer"),
        (88, "map_share_sources"),
        (89, "map_share_progress"),
        (90, "aim_assist_policy"),
    ];
    assert_eq!(KINDS.len(), numbers.len());
    for ((number, name), info) in numbers.into_iter().zip(KINDS) {
        assert_eq!((info.kind as u8, info.name), (number, name));
        assert_eq!(Kind::new(number).map(|kind| kind.info().name), Ok(name));
    }
    assert_eq!(Kind::AimAssistPolicy as u8, 90);
}

/// WIRE-65: the most entries of each kind, by message and by what the format says of it.
#[test]
fn each_kind_counts_at_most_what_the_format_says() {
    for info in KINDS {
        let most = match info.kind as u8 {
            1 | 12 | 14 | 87 => 4,
            2 | 15 => 255,
            3 | 4 => 63,
            5 => 30,
            6 => 92,
            10 | 11 => 37,
            13 | 64 | 68 | 72 | 73 | 74 | 77 => 64,
            19 => 128,
            71 => 102,
            75 => 32,
            88 => 127,
            7 | 8 | 16 | 17 => 0,
            _ => 1,
        };
        assert_eq!(info.most, most, "{}", info.name);
        if info.channels.has_stream() {
            assert!(8 + info.prefix + info.entry * usize::from(most) <= 4095, "{}", info.name);
        }
    }
}

/// WIRE-55: the page on the wire shows lines of the record as they stand in it, and each kind and packet that it names
/// has its name, its sender and its way there.
#[test]
fn the_page_says_what_the_record_says() {
    let (page, record) = (include_str!("../../../../docs/wire.md"), description());
    let has = |line: &str| record.lines().any(|recorded| recorded == line);
    let rows = || page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let examples: Vec<&str> = rows()
        .filter(|(shown, _)| shown.starts_with('`'))
        .flat_map(|(shown, _)| shown.split('`').skip(1).step_by(2))
        .collect();
    assert!(examples.len() >= 14);
    for example in examples {
        assert!(has(example), "{example}");
    }
    let mut named = 0;
    for info in KINDS {
        let start = format!("{} {}", info.kind as u8, info.name);
        let Some((shown, rest)) = rows().find(|(shown, _)| shown.trim_end_matches(" °") == start) else {
            continue;
        };
        named += 1;
        assert_eq!(shown.ends_with('°'), info.sheds, "{start}");
        let line = record.lines().find(|line| line.starts_with(&format!("kind {} ", info.name))).unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let sender = rest.trim_start();
        assert_eq!(sender.starts_with("C "), words[3] == "client", "{start}");
        assert_eq!(sender.starts_with("H "), words[3] == "host", "{start}");
        let way = rest.split('|').next().unwrap();
        assert!(words[4] == "either" || way.contains(words[4].trim_start_matches("own_")), "{start}");
    }
    assert!(named >= 21, "{named}");
    let (_, frames) = page.split_once("\n## The frames that carry maps\n").unwrap();
    for info in FRAMES {
        let named = format!("{} {}", info.kind as u8, info.name);
        assert!(frames.split(['|', ',']).any(|shown| shown.trim() == named), "{named}");
    }
}
