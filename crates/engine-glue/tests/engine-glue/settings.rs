//! The settings as the papers name them: each line of this table is written down here, not read of the crate. Knows
//! no file.

use mjolnir_engine_glue::Settings;
use mjolnir_engine_glue::settings::Holds::{self, Choice, Flag, Number, Text, Whole};
use mjolnir_engine_glue::settings::{KEYS, Name, Warning};

/// Each setting's name, its environment variable, its name here, and its default with its range or words.
const PAPERS: &[(&str, &str, Name, Holds)] = &[
    ("network.address", "HALO_NET_ADDRESS", Name::NetworkAddress, Text("")),
    ("network.broadcast", "HALO_NET_BROADCAST", Name::NetworkBroadcast, Text("")),
    (
        "network.coop_enemies_mode",
        "HALO_NET_COOP_ENEMIES_MODE",
        Name::NetworkCoopEnemiesMode,
        Choice("per_player", &["none", "per_player", "multiplier"]),
    ),
    ("network.coop_enemies", "HALO_NET_COOP_ENEMIES", Name::NetworkCoopEnemies, Whole(50, 25, 200)),
    (
        "network.coop_enemies_multiplier",
        "HALO_NET_COOP_ENEMIES_MULTIPLIER",
        Name::NetworkCoopEnemiesMultiplier,
        Whole(2, 2, 32),
    ),
    (
        "network.coop_player_collisions",
        "HALO_NET_COOP_PLAYER_COLLISIONS",
        Name::NetworkCoopPlayerCollisions,
        Flag(true),
    ),
    (
        "network.coop_own_friendly_fire",
        "HALO_NET_COOP_OWN_FRIENDLY_FIRE",
        Name::NetworkCoopOwnFriendlyFire,
        Flag(false),
    ),
    (
        "network.coop_friendly_fire",
        "HALO_NET_COOP_FRIENDLY_FIRE",
        Name::NetworkCoopFriendlyFire,
        Choice("on", &["off", "on", "shields_only", "explosives_only"]),
    ),
    ("network.aim_assist", "HALO_NET_AIM_ASSIST", Name::NetworkAimAssist, Flag(true)),
    ("network.text_chat", "HALO_NET_TEXT_CHAT", Name::NetworkTextChat, Choice("on", &["on", "links", "off"])),
    (
        "network.voice_mode",
        "HALO_NET_VOICE_MODE",
        Name::NetworkVoiceMode,
        Choice(
            "team_global_enemy_proximity",
            &["off", "team_proximity", "team_enemy_proximity", "team_global", "team_global_enemy_proximity"],
        ),
    ),
    ("network.voice_lobby", "HALO_NET_VOICE_LOBBY", Name::NetworkVoiceLobby, Flag(true)),
    ("network.voice_kbps", "HALO_NET_VOICE_KBPS", Name::NetworkVoiceKbps, Whole(24, 8, 64)),
    (
        "network.voice_proximity",
        "HALO_NET_VOICE_PROXIMITY",
        Name::NetworkVoiceProximity,
        Number(15.0, 5.0, 100.0),
    ),
    ("network.votekick", "HALO_NET_VOTEKICK", Name::NetworkVotekick, Flag(true)),
    ("network.votekick_minutes", "HALO_NET_VOTEKICK_MINUTES", Name::NetworkVotekickMinutes, Whole(5, 0, 60)),
    (
        "network.votekick_ban_minutes",
        "HALO_NET_VOTEKICK_BAN_MINUTES",
        Name::NetworkVotekickBanMinutes,
        Whole(30, 1, 1440),
    ),
    ("network.map_download", "HALO_NET_MAP_DOWNLOAD", Name::NetworkMapDownload, Flag(true)),
    ("network.map_share", "HALO_NET_MAP_SHARE", Name::NetworkMapShare, Flag(true)),
    ("network.map_seed", "HALO_NET_MAP_SEED", Name::NetworkMapSeed, Flag(true)),
    (
        "network.map_share_upload",
        "HALO_NET_MAP_SHARE_UPLOAD",
        Name::NetworkMapShareUpload,
        Whole(1024, 0, 1_250_000),
    ),
    (
        "network.map_seed_upload",
        "HALO_NET_MAP_SEED_UPLOAD",
        Name::NetworkMapSeedUpload,
        Whole(256, 0, 1_250_000),
    ),
    ("display.latency_meter", "HALO_LATENCY_METER", Name::DisplayLatencyMeter, Flag(false)),
    ("bots.count", "HALO_BOTS", Name::BotsCount, Whole(0, 0, 128)),
    ("debug.network_test", "HALO_NETWORK_TEST", Name::DebugNetworkTest, Text("")),
    (
        "debug.network_test_start",
        "HALO_NETWORK_TEST_START",
        Name::DebugNetworkTestStart,
        Number(15.0, 0.0, 1e9),
    ),
    ("debug.network_test_kill", "HALO_NETWORK_TEST_KILL", Name::DebugNetworkTestKill, Number(0.0, 0.0, 1e9)),
    (
        "debug.network_test_shoot",
        "HALO_NETWORK_TEST_SHOOT",
        Name::DebugNetworkTestShoot,
        Number(0.0, 0.0, 1e9),
    ),
    (
        "debug.network_test_vehicle",
        "HALO_NETWORK_TEST_VEHICLE",
        Name::DebugNetworkTestVehicle,
        Number(0.0, 0.0, 1e9),
    ),
    (
        "debug.network_test_pickup",
        "HALO_NETWORK_TEST_PICKUP",
        Name::DebugNetworkTestPickup,
        Number(0.0, 0.0, 1e9),
    ),
    (
        "debug.network_test_pickup_weapon",
        "HALO_NETWORK_TEST_PICKUP_WEAPON",
        Name::DebugNetworkTestPickupWeapon,
        Text(""),
    ),
    ("debug.network_test_chat", "HALO_NETWORK_TEST_CHAT", Name::DebugNetworkTestChat, Number(0.0, 0.0, 1e9)),
    (
        "debug.network_test_score",
        "HALO_NETWORK_TEST_SCORE",
        Name::DebugNetworkTestScore,
        Whole(0, 0, 2_147_483_647),
    ),
    ("debug.network_test_public", "HALO_NETWORK_TEST_PUBLIC", Name::DebugNetworkTestPublic, Flag(false)),
    ("debug.network_test_cues", "HALO_NETWORK_TEST_CUES", Name::DebugNetworkTestCues, Text("")),
    ("debug.network_latency", "HALO_NETWORK_LATENCY", Name::DebugNetworkLatency, Number(0.0, 0.0, 5_000.0)),
    ("debug.network_jitter", "HALO_NETWORK_JITTER", Name::DebugNetworkJitter, Number(0.0, 0.0, 5_000.0)),
    ("debug.network_loss", "HALO_NETWORK_LOSS", Name::DebugNetworkLoss, Number(0.0, 0.0, 100.0)),
    (
        "debug.network_duplicate",
        "HALO_NETWORK_DUPLICATE",
        Name::DebugNetworkDuplicate,
        Number(0.0, 0.0, 100.0),
    ),
    ("debug.network_reorder", "HALO_NETWORK_REORDER", Name::DebugNetworkReorder, Number(0.0, 0.0, 100.0)),
    ("debug.network_corrupt", "HALO_NETWORK_CORRUPT", Name::DebugNetworkCorrupt, Number(0.0, 0.0, 100.0)),
    (
        "debug.network_corrupt_stream",
        "HALO_NETWORK_CORRUPT_STREAM",
        Name::DebugNetworkCorruptStream,
        Number(0.0, 0.0, 100.0),
    ),
    (
        "debug.network_corrupt_after",
        "HALO_NETWORK_CORRUPT_AFTER",
        Name::DebugNetworkCorruptAfter,
        Number(0.0, 0.0, 86_400.0),
    ),
    ("debug.test_input", "HALO_TEST_INPUT", Name::DebugTestInput, Text("")),
    ("debug.discord", "HALO_DISCORD", Name::DebugDiscord, Text("")),
    ("debug.voice_test", "HALO_VOICE_TEST", Name::DebugVoiceTest, Flag(false)),
    ("debug.null_renderer", "HALO_NULL_RENDERER", Name::DebugNullRenderer, Flag(false)),
    ("debug.hidden_window", "HALO_HIDDEN_WINDOW", Name::DebugHiddenWindow, Flag(false)),
    ("debug.exit_after", "HALO_EXIT_AFTER", Name::DebugExitAfter, Number(0.0, 0.0, 1e9)),
];

/// A file with that setting alone.
fn file(setting: &str, value: &str) -> (Settings, Vec<Warning>) {
    Settings::parse(&format!("{setting} = {value}\n")).unwrap()
}

/// A run over an empty file with that variable alone.
fn run(variable: &str, value: &str) -> (Settings, Vec<Warning>) {
    let (mut settings, _) = Settings::parse("").unwrap();
    let warnings = settings.override_by(|name| (name == variable).then(|| value.into()));
    (settings, warnings)
}

/// The least and the most of a number.
fn ends(holds: Holds) -> Option<[f64; 2]> {
    match holds {
        Number(_, least, most) => Some([least, most]),
        Whole(_, least, most) => Some([f64::from(least), f64::from(most)]),
        _ => None,
    }
}

/// GLUE-10, GLUE-26, TOOL-65: the settings are these and no others, each with its default, range or words, and
/// variable; an empty file has each at its default and is written with it.
#[test]
fn the_settings_are_those_of_the_papers() {
    let (settings, warnings) = Settings::parse("").unwrap();
    assert_eq!(warnings, []);
    for (setting, variable, name, holds) in PAPERS {
        let key = KEYS.iter().find(|key| format!("{}.{}", key.table, key.name) == *setting);
        let key = key.unwrap_or_else(|| panic!("no {setting}"));
        assert_eq!((key.variable, key.default), (*variable, *holds), "{setting}");
        match *holds {
            Flag(default) => assert_eq!(settings.flag(*name), default, "{setting}"),
            Number(default, ..) => assert_eq!(settings.number(*name), default, "{setting}"),
            Whole(default, ..) => assert_eq!(settings.whole(*name), default, "{setting}"),
            Text(default) | Choice(default, _) => assert_eq!(settings.text_of(*name), default, "{setting}"),
        }
    }
    assert_eq!(KEYS.len(), PAPERS.len());
}

/// GLUE-10: both sides of each range: its ends are taken, what lies past them is clamped and told.
#[test]
fn each_range_has_two_ends() {
    let mut ranges = 0;
    for (setting, _, name, holds) in PAPERS {
        let Some([least, most]) = ends(*holds) else { continue };
        ranges += 1;
        for (end, past) in [(least, least - 1.0), (most, most + 1.0)] {
            let (settings, warnings) = file(setting, &format!("{end:?}"));
            assert_eq!((settings.number(*name), warnings), (end, vec![]), "{setting}");
            let (settings, warnings) = file(setting, &format!("{past:?}"));
            let clamped = vec![Warning::Clamped((*setting).into(), end)];
            assert_eq!((settings.number(*name), warnings), (end, clamped), "{setting} = {past}");
        }
    }
    assert_eq!(ranges, 25);
}

/// GLUE-10: each word of a choice is taken; what is none of them is taken as the default, and told.
#[test]
fn a_choice_is_one_of_its_words() {
    for (setting, _, name, holds) in PAPERS {
        let Choice(default, words) = *holds else { continue };
        for word in words {
            let (settings, warnings) = file(setting, &format!("{word:?}"));
            assert_eq!((settings.text_of(*name), warnings), (*word, vec![]), "{setting}");
        }
        let (settings, warnings) = file(setting, "\"telepathy\"");
        let told = vec![Warning::NoChoice((*setting).into(), default)];
        assert_eq!((settings.text_of(*name), warnings), (default, told), "{setting}");
    }
}

/// GLUE-26: each setting is overridden by its own variable, and by no other's.
#[test]
fn every_setting_has_its_variable() {
    for (setting, variable, name, holds) in PAPERS {
        let other = match *holds {
            Flag(default) => (!default).to_string(),
            Number(_, _, most) => most.to_string(),
            Whole(_, _, most) => most.to_string(),
            Text(_) => "another".into(),
            Choice(default, words) => (*words.iter().find(|word| **word != default).unwrap()).into(),
        };
        let (settings, warnings) = run(variable, &other);
        assert_eq!(warnings, [], "{setting}");
        for (setting, _, each, holds) in PAPERS {
            let is_default = match *holds {
                Flag(default) => settings.flag(*each) == default,
                Number(default, ..) => settings.number(*each) == default,
                Whole(default, ..) => settings.whole(*each) == default,
                Text(default) | Choice(default, _) => settings.text_of(*each) == default,
            };
            assert_eq!(is_default, each != name, "{setting} by {variable}={other}");
        }
    }
}
