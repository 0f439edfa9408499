//! The settings there are: names, defaults, ranges, and the line of comment each is written with. Knows no file.

/// What a setting may hold, with its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Holds {
    /// Yes or no.
    Flag(bool),
    /// A number, its least and its most; what lies outside is clamped and told.
    Number(f64, f64, f64),
    /// A line of text.
    Text(&'static str),
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table it stands in: what is before the dot.
    pub table: &'static str,
    /// Its name in that table.
    pub name: &'static str,
    /// What it holds.
    pub default: Holds,
    /// What it does, in a line.
    pub comment: &'static str,
}

macro_rules! keys {
    ($( $key:ident = $table:literal . $name:literal, $default:expr, $comment:literal; )+) => {
        /// A setting's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Name {
            $( #[doc = $comment] $key, )+
        }

        /// Every setting, in the order in which a new file lists them.
        pub const KEYS: &[Key] = &[
            $( Key { table: $table, name: $name, default: $default, comment: $comment }, )+
        ];
    };
}

use Holds::{Flag, Number, Text};

keys! {
    NetworkAddress = "network"."address", Text(""), "The address that every socket binds to; empty: all.";
    DisplayLatencyMeter = "display"."latency_meter", Flag(false), "Whether the round trip is shown.";
    DebugNetworkLatency = "debug"."network_latency", Number(0.0, 0.0, 5_000.0),
        "Milliseconds by which what this machine receives is held back.";
    DebugNetworkJitter = "debug"."network_jitter", Number(0.0, 0.0, 5_000.0),
        "Milliseconds of chance on top of it.";
    DebugNetworkLoss = "debug"."network_loss", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that are dropped.";
    DebugNetworkDuplicate = "debug"."network_duplicate", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that come twice.";
    DebugNetworkReorder = "debug"."network_reorder", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that come after later ones.";
    DebugNetworkCorrupt = "debug"."network_corrupt", Number(0.0, 0.0, 100.0),
        "Per cent of received datagrams that are damaged.";
    DebugNetworkCorruptStream = "debug"."network_corrupt_stream", Number(0.0, 0.0, 100.0),
        "Per cent of reads of connections that are damaged; such a connection is closed.";
    DebugNetworkCorruptAfter = "debug"."network_corrupt_after", Number(0.0, 0.0, 86_400.0),
        "Seconds from the start until damage begins.";
    DebugTestInput = "debug"."test_input", Text(""),
        "What plays the first controller: bot:SEED, look:SEED, script:FILE; empty: bot: and the game's seed.";
    DebugExitAfter = "debug"."exit_after", Number(0.0, 0.0, 1e9),
        "Seconds after which the program quits; 0: never.";
}
