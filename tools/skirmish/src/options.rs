//! The command line: commands, options and their ranges, as scripts rely on them. Knows no game.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// A small headless shooter over real sockets: what the netcode is played and proved on.
#[derive(Clone, Debug, Parser)]
#[command(name = "skirmish", version, args_conflicts_with_subcommands = true)]
pub struct Options {
    /// What to do; nothing: what the settings' debug.network_test says.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// What the program does.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Plays one host and some clients on this machine over real sockets, and judges whether they agree. It reads no
    /// settings and takes no --config, --data, --log and --dump, which are one machine's.
    Demo(Demo),
    /// Hosts a game that others join.
    Host(HostOptions),
    /// Joins a game, also one in progress.
    Join(JoinOptions),
    /// Lists the LAN's games, one a line and the nearest first: address, name, map, variant, players/most, network
    /// version, state ("open" or "closed", and ", in progress" behind it), time to its host and back ("1.5 ms", "-" where
    /// it did not answer), and for a game that this build does not play why, with a tab between. Where there is none that
    /// is said on standard error. --seconds is how long it listens: 3 unless told otherwise.
    #[command(verbatim_doc_comment)]
    Browse(BrowseOptions),
    /// Plays on this machine alone.
    Local(LocalOptions),
    /// Lists the maps that ship, one a line, name first.
    Maps,
}

/// The options of `demo`.
#[derive(Clone, Debug, Args)]
pub struct Demo {
    /// Clients that join.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=127))]
    pub clients: u8,
    /// Prints the summary alone, as JSON.
    #[arg(long)]
    pub json: bool,
    /// The folder that the report, report.html, and the summary, summary.json, are written to.
    #[arg(long, default_value = "target/demo")]
    pub report: PathBuf,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `host`.
#[derive(Clone, Debug, Args)]
pub struct HostOptions {
    /// The TCP and UDP port; 0 takes any free one.
    #[arg(long, default_value_t = mjolnir_wire::limits::HOST_PORT)]
    pub port: u16,
    /// Seconds the lobby stays open before the game begins; 0 plays at once, others join in progress.
    #[arg(long, default_value_t = 0.0, value_parser = seconds)]
    pub lobby: f64,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `join`.
#[derive(Clone, Debug, Args)]
pub struct JoinOptions {
    /// The host's address or name, with its port or without; an IPv6 address with a port stands in brackets.
    #[arg(value_name = "ADDRESS[:PORT]")]
    pub address: String,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `browse`.
#[derive(Clone, Debug, Args)]
pub struct BrowseOptions {
    /// Hosts to ask, in place of everybody on the LAN.
    #[arg(value_name = "ADDRESS[:PORT]")]
    pub hosts: Vec<String>,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `local`.
#[derive(Clone, Debug, Args)]
pub struct LocalOptions {
    /// Players that this machine plays beside the local ones; none unless told here or by the settings' bots.count.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=128))]
    pub bots: Option<u8>,
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// What every command has.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// The map, by its name in `maps`.
    #[arg(long, default_value = "rooms")]
    pub map: String,
    /// The game type and its options, by name.
    #[arg(long, default_value = "slayer")]
    pub variant: String,
    /// The game's seed: the same seed plays the same bots.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The game's first tick, so that wraps can be tried.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub start_tick: i32,
    /// Players' name, its first eleven characters.
    #[arg(long)]
    pub name: Option<String>,
    /// Players the game takes.
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u8).range(1..=128))]
    pub max_players: u8,
    /// Seconds a machine takes to load.
    #[arg(long, default_value_t = 0.0, value_parser = seconds)]
    pub load_seconds: f64,
    /// Players on this machine, 1 unless told otherwise; 0 for one that only hosts.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=4))]
    pub local_players: Option<u8>,
    /// What plays them: bot:SEED, look:SEED or script:FILE.
    #[arg(long)]
    pub input: Option<String>,
    /// The settings file; else config.toml in --data, else beside the program.
    #[arg(long)]
    pub config: Option<PathBuf>,
    /// The folder of config.toml and debug.txt.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The address to bind to.
    #[arg(long)]
    pub bind: Option<IpAddr>,
    /// Where each second's line goes.
    #[arg(long)]
    pub log: Option<PathBuf>,
    /// Where each second's state goes, a JSON line each.
    #[arg(long)]
    pub dump: Option<PathBuf>,
    /// Where what becomes of each message goes, a JSON line each.
    #[arg(long)]
    pub trace: Option<PathBuf>,
    /// Console lines and their ticks: each line TICK COMMAND, counted from the first tick that every player is in.
    #[arg(long)]
    pub cues: Option<PathBuf>,
    /// Seconds to play, of a client from its own first tick; without it a game ends at its last tick or at quit.
    #[arg(long, value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Players' speed times this, for calibration.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale_run: f32,
    /// Gravity times this, for calibration.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale_gravity: f32,
    /// The bad network.
    #[command(flatten)]
    pub faults: FaultOptions,
}

/// What is done to what this machine receives: the settings `debug.network_*` by another name.
#[derive(Clone, Debug, Default, Args)]
pub struct FaultOptions {
    /// Milliseconds that what is received is held back.
    #[arg(long, value_parser = milliseconds)]
    pub latency: Option<f64>,
    /// Milliseconds of chance on top of it.
    #[arg(long, value_parser = milliseconds)]
    pub jitter: Option<f64>,
    /// Per cent of datagrams dropped.
    #[arg(long, value_parser = per_cent)]
    pub loss: Option<f64>,
    /// Per cent of datagrams that come twice.
    #[arg(long, value_parser = per_cent)]
    pub duplicate: Option<f64>,
    /// Per cent of datagrams that come after later ones.
    #[arg(long, value_parser = per_cent)]
    pub reorder: Option<f64>,
    /// Per cent of datagrams damaged.
    #[arg(long, value_parser = per_cent)]
    pub corrupt: Option<f64>,
    /// Per cent of reads of connections damaged, each of which is then closed.
    #[arg(long, value_parser = per_cent)]
    pub corrupt_stream: Option<f64>,
    /// Seconds until damage begins.
    #[arg(long, value_parser = seconds)]
    pub corrupt_after: Option<f64>,
}

fn within(text: &str, least: f64, most: f64, what: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{what} from {least} to {most}")),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, 0.0, 71_582_788.0, "seconds")
}

fn milliseconds(text: &str) -> Result<f64, String> {
    within(text, 0.0, 5_000.0, "milliseconds")
}

fn per_cent(text: &str) -> Result<f64, String> {
    within(text, 0.0, 100.0, "per cent")
}

fn scale(text: &str) -> Result<f32, String> {
    within(text, 0.1, 10.0, "a factor").map(|factor| factor as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_line_of_every_command_parses() {
        for line in [
            "skirmish demo",
            "skirmish demo --clients 15 --seconds 20 --json --latency 50 --jitter 30 --loss 5",
            "skirmish host --port 0 --lobby 5 --local-players 0",
            "skirmish join 127.0.0.1 --name Ann --input look:3",
            "skirmish join [::1]:5150",
            "skirmish browse",
            "skirmish browse 127.0.0.1:77 --seconds 1",
            "skirmish local --map tower --bots 7",
            "skirmish maps",
        ] {
            assert!(parse(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn both_sides_of_each_range() {
        for (good, bad) in [
            ("demo --clients 1", "demo --clients 0"),
            ("demo --clients 127", "demo --clients 128"),
            ("local --loss 100", "local --loss 100.1"),
            ("local --loss 0", "local --loss -1"),
            ("local --latency 5000", "local --latency 5001"),
            ("local --max-players 128", "local --max-players 129"),
            ("local --bots 128", "local --bots 129"),
            ("local --bots 1", "host --bots 1"),
            ("local --local-players 4", "local --local-players 5"),
            ("local --start-tick 2147483647", "local --start-tick 2147483648"),
            ("local --seconds 1", "local --seconds NaN"),
            ("local --scale-run 1.005", "local --scale-run 0"),
        ] {
            assert!(parse(&format!("skirmish {good}")).is_ok(), "{good}");
            assert!(parse(&format!("skirmish {bad}")).is_err(), "{bad}");
        }
    }
}
