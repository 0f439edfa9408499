//! The settings there are: names, defaults, ranges, environment variables, and the line of comment each is written
//! with (GLUE-10, TOOL-65). Knows no file.

/// What a setting may hold, with its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Holds {
    /// Yes or no.
    Flag(bool),
    /// A number, its least and its most; what lies outside is clamped and told.
    Number(f64, f64, f64),
    /// A whole number, likewise.
    Whole(i32, i32, i32),
    /// A line of text.
    Text(&'static str),
    /// One of these words; another is taken as the default, and told.
    Choice(&'static str, &'static [&'static str]),
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table it stands in: what is before the dot.
    pub table: &'static str,
    /// Its name in that table.
    pub name: &'static str,
    /// The environment variable that overrides it for one run.
    pub variable: &'static str,
    /// What it holds.
    pub default: Holds,
    /// What it does, in a line.
    pub comment: &'static str,
}

macro_rules! keys {
    ($( $key:ident = $table:literal . $name:literal, $variable:literal, $default:expr, $comment:literal; )+) => {
        /// A setting's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Name {
            $( #[doc = $comment] $key, )+
        }

        /// Every setting, in the order in which a new file lists them.
        pub const KEYS: &[Key] = &[
            $(
                Key {
                    table: $table,
                    name: $name,
                    variable: $variable,
                    default: $default,
                    comment: $comment,
                },
            )+
        ];
    };
}

use Holds::{Choice, Flag, Number, Text, Whole};

/// The most that an upload may be set to, in KB/s: ten gigabits.
const MOST_UPLOAD: i32 = 1_250_000;
/// The longest time that a setting may name, in seconds.
const LONGEST: f64 = 1e9;

keys! {
    NetworkAddress = "network"."address", "HALO_NET_ADDRESS", Text(""),
        "The address that every socket binds to; empty: every IPv4 address; \"::\": every one of both families.";
    NetworkBroadcast = "network"."broadcast", "HALO_NET_BROADCAST", Text(""),
        "Up to 256 IPv4 addresses, commas between, that hear of games and are asked for them in place of everybody; empty: \
         everybody on the networks.";
    NetworkCoopEnemiesMode = "network"."coop_enemies_mode", "HALO_NET_COOP_ENEMIES_MODE",
        Choice("per_player", &["none", "per_player", "multiplier"]),
        "Extra enemies in co-op: none, per_player or multiplier. Not read yet.";
    NetworkCoopEnemies = "network"."coop_enemies", "HALO_NET_COOP_ENEMIES", Whole(50, 25, 200),
        "Extra enemies for each player past the first, per cent: 25 to 200. Not read yet.";
    NetworkCoopEnemiesMultiplier = "network"."coop_enemies_multiplier", "HALO_NET_COOP_ENEMIES_MULTIPLIER",
        Whole(2, 2, 32), "How many times the enemies by multiplier: 2 to 32. Not read yet.";
    NetworkCoopPlayerCollisions = "network"."coop_player_collisions", "HALO_NET_COOP_PLAYER_COLLISIONS",
        Flag(true), "Whether a host's players collide with those of other machines in co-op.";
    NetworkCoopOwnFriendlyFire = "network"."coop_own_friendly_fire", "HALO_NET_COOP_OWN_FRIENDLY_FIRE",
        Flag(false), "Whether this player chooses friendly fire in co-op. Not read yet.";
    NetworkCoopFriendlyFire = "network"."coop_friendly_fire", "HALO_NET_COOP_FRIENDLY_FIRE",
        Choice("on", &["off", "on", "shields_only", "explosives_only"]),
        "An older host's rule, kept for its files: each player's own choice decides.";
    NetworkAimAssist = "network"."aim_assist", "HALO_NET_AIM_ASSIST", Flag(true),
        "Whether a host allows aim assist.";
    NetworkTextChat = "network"."text_chat", "HALO_NET_TEXT_CHAT", Choice("on", &["on", "links", "off"]),
        "A host's text chat: on, links (on, with links allowed) or off.";
    NetworkVoiceMode = "network"."voice_mode", "HALO_NET_VOICE_MODE",
        Choice(
            "team_global_enemy_proximity",
            &["off", "team_proximity", "team_enemy_proximity", "team_global", "team_global_enemy_proximity"],
        ),
        "Who hears whom in a game: off, team_proximity, team_enemy_proximity, team_global, \
         team_global_enemy_proximity.";
    NetworkVoiceLobby = "network"."voice_lobby", "HALO_NET_VOICE_LOBBY", Flag(true),
        "Whether there is voice in the lobby and after a game.";
    NetworkVoiceKbps = "network"."voice_kbps", "HALO_NET_VOICE_KBPS", Whole(24, 8, 64),
        "Voice's kilobits a second: 8 to 64.";
    NetworkVoiceProximity = "network"."voice_proximity", "HALO_NET_VOICE_PROXIMITY", Number(15.0, 5.0, 100.0),
        "World units to which a voice that is heard for being near reaches: 5 to 100.";
    NetworkVotekick = "network"."votekick", "HALO_NET_VOTEKICK", Flag(true),
        "Whether players may vote to kick.";
    NetworkVotekickMinutes = "network"."votekick_minutes", "HALO_NET_VOTEKICK_MINUTES", Whole(5, 0, 60),
        "Minutes played before one may start a vote: 0 to 60.";
    NetworkVotekickBanMinutes = "network"."votekick_ban_minutes", "HALO_NET_VOTEKICK_BAN_MINUTES",
        Whole(30, 1, 1440), "Minutes that one voted out is kept out: 1 to 1440.";
    NetworkMapDownload = "network"."map_download", "HALO_NET_MAP_DOWNLOAD", Flag(true),
        "Whether a custom map that a machine lacks is asked of the game's host.";
    NetworkMapShare = "network"."map_share", "HALO_NET_MAP_SHARE", Flag(true),
        "Whether a host sends its game's custom map to those who lack it.";
    NetworkMapSeed = "network"."map_seed", "HALO_NET_MAP_SEED", Flag(true),
        "Whether a player sends others what it has of a game's custom map.";
    NetworkMapShareUpload = "network"."map_share_upload", "HALO_NET_MAP_SHARE_UPLOAD",
        Whole(1024, 0, MOST_UPLOAD), "KB (1024 bytes) a second at which a host sends maps at most: 1 to 1250000, or 0 for no limit; who gets less than 4 is let go.";
    NetworkMapSeedUpload = "network"."map_seed_upload", "HALO_NET_MAP_SEED_UPLOAD",
        Whole(256, 0, MOST_UPLOAD), "KB (1024 bytes) a second at which a player sends maps at most: 1 to 1250000, or 0 for no limit.";
    DisplayLatencyMeter = "display"."latency_meter", "HALO_LATENCY_METER", Flag(false),
        "Whether the round trip is shown, and \"Connection problem\" where nothing is heard.";
    BotsCount = "bots"."count", "HALO_BOTS", Whole(0, 0, 128),
        "Bots that join a game that one machine plays alone.";
    DebugNetworkTest = "debug"."network_test", "HALO_NETWORK_TEST", Text(""),
        "What the program does when it is told nothing: host:MAP, host:MAP:VARIANT,VARIANT..., join (the first game that is \
         found), browse (the fullest of those listed), local:MAP, log (the map that init.txt names, on one machine).";
    DebugNetworkTestStart = "debug"."network_test_start", "HALO_NETWORK_TEST_START", Number(15.0, 0.0, LONGEST),
        "Seconds from a host:'s own player to its game's start.";
    DebugNetworkTestKill = "debug"."network_test_kill", "HALO_NETWORK_TEST_KILL", Number(0.0, 0.0, LONGEST),
        "Seconds from one scripted kill to the next; 0: none.";
    DebugNetworkTestShoot = "debug"."network_test_shoot", "HALO_NETWORK_TEST_SHOOT", Number(0.0, 0.0, LONGEST),
        "Seconds from one scripted hit of each own player to the next, alike on every machine; 0: none.";
    DebugNetworkTestVehicle = "debug"."network_test_vehicle", "HALO_NETWORK_TEST_VEHICLE",
        Number(0.0, 0.0, LONGEST), "The second of the game of a scripted ride; 0: none.";
    DebugNetworkTestPickup = "debug"."network_test_pickup", "HALO_NETWORK_TEST_PICKUP",
        Number(0.0, 0.0, LONGEST), "The second of the game of a scripted pickup; 0: none.";
    DebugNetworkTestPickupWeapon = "debug"."network_test_pickup_weapon", "HALO_NETWORK_TEST_PICKUP_WEAPON",
        Text(""), "What the picked weapon's name has in it; empty: any.";
    DebugNetworkTestChat = "debug"."network_test_chat", "HALO_NETWORK_TEST_CHAT", Number(0.0, 0.0, LONGEST),
        "The second of the game of a scripted chat, alike on every machine; 0: none.";
    DebugNetworkTestScore = "debug"."network_test_score", "HALO_NETWORK_TEST_SCORE", Whole(0, 0, i32::MAX),
        "The score that ends a game; 0: the variant's own.";
    DebugNetworkTestPublic = "debug"."network_test_public", "HALO_NETWORK_TEST_PUBLIC", Flag(false),
        "Whether a host:'s game is listed in public. That needs the internet: the host says that the LAN alone hears of it.";
    DebugNetworkTestCues = "debug"."network_test_cues", "HALO_NETWORK_TEST_CUES", Text(""),
        "A file of console lines and their ticks, as --cues.";
    DebugNetworkLatency = "debug"."network_latency", "HALO_NETWORK_LATENCY", Number(0.0, 0.0, 5_000.0),
        "Milliseconds by which what this machine receives is held back.";
    DebugNetworkJitter = "debug"."network_jitter", "HALO_NETWORK_JITTER", Number(0.0, 0.0, 5_000.0),
        "Milliseconds of chance on top of it.";
    DebugNetworkLoss = "debug"."network_loss", "HALO_NETWORK_LOSS", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that are dropped.";
    DebugNetworkDuplicate = "debug"."network_duplicate", "HALO_NETWORK_DUPLICATE", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that come twice.";
    DebugNetworkReorder = "debug"."network_reorder", "HALO_NETWORK_REORDER", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that come after later ones.";
    DebugNetworkCorrupt = "debug"."network_corrupt", "HALO_NETWORK_CORRUPT", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that are damaged.";
    DebugNetworkCorruptStream = "debug"."network_corrupt_stream", "HALO_NETWORK_CORRUPT_STREAM",
        Number(0.0, 0.0, 100.0),
        "Per cent of reads of connections that are damaged; such a connection is closed.";
    DebugNetworkCorruptAfter = "debug"."network_corrupt_after", "HALO_NETWORK_CORRUPT_AFTER",
        Number(0.0, 0.0, 86_400.0), "Seconds from the start until damage begins.";
    DebugTestInput = "debug"."test_input", "HALO_TEST_INPUT", Text(""),
        "What plays the first controller: bot:SEED, look:SEED, script:FILE; empty: bot: and the game's seed.";
    DebugDiscord = "debug"."discord", "HALO_DISCORD", Text(""),
        "Who is signed in to Discord where this machine joins, as ID NAME; empty: nobody. There is no Discord here.";
    DebugVoiceTest = "debug"."voice_test", "HALO_VOICE_TEST", Flag(false),
        "Whether a tone speaks in place of a microphone, and the log has each second how each speaker was heard. Needs a build \
         with the codec.";
    DebugNullRenderer = "debug"."null_renderer", "HALO_NULL_RENDERER", Flag(false),
        "Whether nothing is drawn. Nothing ever is here.";
    DebugHiddenWindow = "debug"."hidden_window", "HALO_HIDDEN_WINDOW", Flag(false),
        "Whether the window is hidden. There is none here.";
    DebugExitAfter = "debug"."exit_after", "HALO_EXIT_AFTER", Number(0.0, 0.0, LONGEST),
        "Seconds after which the program quits; 0: never.";
}
