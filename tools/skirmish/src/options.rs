//! The command line: commands, options and their ranges, as scripts rely on them. Knows no game.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use mjolnir_mapshare::names;
use mjolnir_wire::mapshare::File;

/// The groups that a command's help has.
const GAME: &str = "Game";
const MACHINE: &str = "This machine";
const FAULTS: &str = "Network faults";
const FILES: &str = "Files";
const CALIBRATION: &str = "Calibration";

/// Options by their ids that a game's host chooses for all.
const HOSTS: [&str; 6] = ["map", "variant", "start_tick", "max_players", "bots", "lobby"];
/// Those that are one machine's, and `demo`'s are many.
const ONES: [&str; 8] = ["config", "data", "log", "dump", "trace", "cues", "voice", "hear"];
/// Those of voice, which needs others.
const VOICE: [&str; 2] = ["voice", "hear"];
/// Those of the bad network.
const BAD_NETWORK: [&str; 8] =
    ["latency", "jitter", "loss", "duplicate", "reorder", "corrupt", "corrupt_stream", "corrupt_after"];

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
    /// settings and takes none of the files that are one machine's: --config, --data, --log, --dump, --trace, --cues,
    /// --voice, --hear.
    Demo(Demo),
    /// Hosts a game that others join.
    Host(HostOptions),
    /// Joins a game, also one in progress.
    Join(JoinOptions),
    /// Lists the LAN's games, one a line and the nearest first: address, name, map, variant, players/most, network
    /// version, state ("open" or "closed", and ", in progress" behind it), time to its host and back ("1.5 ms", "-" where
    /// it did not answer), and for a game that this build does not play why, with a tab between. Where there is none that
    /// is said on standard error.
    #[command(verbatim_doc_comment)]
    Browse(BrowseOptions),
    /// Plays on this machine alone.
    Local(LocalOptions),
    /// Lists the maps that ship, one a line, name first, and then the custom maps that are here.
    Maps(MapsOptions),
    /// Makes a custom map of exactly that size, that can be played, for trying map sharing.
    ///
    /// The same size and seed make the same file. One that is called bitmaps.map, sounds.map or loc.map is made as that resource
    /// map. Custom maps are looked for in the folder custom_maps in --data, or beside the program, and resource maps in the
    /// folder that it stands in.
    MakeMap(MakeMap),
}

/// The options of `maps`.
#[derive(Clone, Debug, Args)]
pub struct MapsOptions {
    /// The folder whose custom_maps has the custom maps; else the program's own.
    #[arg(long)]
    pub data: Option<PathBuf>,
}

/// The options of `make-map`.
#[derive(Clone, Debug, Args)]
pub struct MakeMap {
    /// The file that is made, or replaced.
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Its bytes, or with K, M or G behind it units of 1024: one that is too small for what a map has at least is refused, and how many that are is said.
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub size: u64,
    /// What is in it: another seed makes another map.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The resource maps that the map needs.
    #[arg(long, value_name = "bitmaps,sounds,loc", value_delimiter = ',', value_parser = resource)]
    pub needs: Vec<File>,
}

/// The options of `demo`.
#[derive(Clone, Debug, Args)]
pub struct Demo {
    /// Clients that join.
    #[arg(long, help_heading = GAME, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=127))]
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
    #[arg(long, help_heading = MACHINE, default_value_t = mjolnir_wire::limits::HOST_PORT)]
    pub port: u16,
    /// Seconds the lobby stays open before the game begins; 0 plays at once, others join in progress.
    #[arg(long, help_heading = GAME, default_value_t = 0.0, value_parser = seconds)]
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
    /// Taken, and said to be the host's.
    #[arg(long, hide = true, value_parser = seconds)]
    pub lobby: Option<f64>,
    /// This machine's own clock goes so many times as fast as time, 0.5 to 3. That is a cheat, a speed hack, and here for
    /// tests of what a host does about one.
    #[arg(long, help_heading = CALIBRATION, default_value_t = 1.0, value_parser = rate)]
    pub clock: f64,
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
    /// What every command has.
    #[command(flatten)]
    pub common: Common,
}

/// What every command has.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// The map, by its name in `maps`; a custom map also as custom_maps\NAME.
    #[arg(long, help_heading = GAME, default_value = "rooms")]
    pub map: String,
    /// The game type and its options, by name, or coop for none on a campaign level; a host plays several in turn: NAME,NAME.
    #[arg(long, help_heading = GAME, default_value = "slayer")]
    pub variant: String,
    /// The game's seed: the same seed plays the same bots.
    #[arg(long, help_heading = GAME, default_value_t = 1)]
    pub seed: u64,
    /// The game's first tick, so that wraps can be tried.
    #[arg(long, help_heading = GAME, default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub start_tick: i32,
    /// Players' name, its first eleven characters.
    #[arg(long, help_heading = MACHINE)]
    pub name: Option<String>,
    /// Players the game takes.
    #[arg(long, help_heading = GAME, default_value_t = 128, value_parser = clap::value_parser!(u8).range(1..=128))]
    pub max_players: u8,
    /// Bots that `local` plays beside the local players; none unless told here or by the settings' bots.count.
    #[arg(long, help_heading = GAME, value_parser = clap::value_parser!(u8).range(0..=128))]
    pub bots: Option<u8>,
    /// Seconds a machine takes to load.
    #[arg(long, help_heading = MACHINE, default_value_t = 0.0, value_parser = seconds)]
    pub load_seconds: f64,
    /// Players on this machine, 1 unless told otherwise; 0 for one that only hosts.
    #[arg(long, help_heading = MACHINE, value_parser = clap::value_parser!(u8).range(0..=4))]
    pub local_players: Option<u8>,
    /// What plays them: bot:SEED, look:SEED or script:FILE.
    #[arg(long, help_heading = MACHINE)]
    pub input: Option<String>,
    /// The settings file; else config.toml in --data, else beside the program.
    #[arg(long, help_heading = FILES)]
    pub config: Option<PathBuf>,
    /// The folder of config.toml and debug.txt, and of custom_maps.
    #[arg(long, help_heading = FILES)]
    pub data: Option<PathBuf>,
    /// The address to bind to: every IPv4 address unless told otherwise, or of both families where the host's is IPv6;
    /// :: takes both.
    #[arg(long, help_heading = MACHINE)]
    pub bind: Option<IpAddr>,
    /// Where each second's line goes.
    #[arg(long, help_heading = FILES)]
    pub log: Option<PathBuf>,
    /// Where each second's state goes, a JSON line each.
    #[arg(long, help_heading = FILES)]
    pub dump: Option<PathBuf>,
    /// Where what becomes of each message goes, a JSON line each.
    #[arg(long, help_heading = FILES)]
    pub trace: Option<PathBuf>,
    /// Console lines and their ticks: each line TICK COMMAND, counted from the first tick that every player is in.
    #[arg(long, help_heading = FILES)]
    pub cues: Option<PathBuf>,
    /// What this machine's first player says: tone, 440 Hz, or a wav file (16 bits, one channel or two), over and over.
    #[arg(long, help_heading = MACHINE, value_name = "tone|FILE.wav")]
    pub voice: Option<String>,
    /// Where what this machine hears of others' voices goes, a wav file of both ears; without it, it hears none.
    #[arg(long, help_heading = FILES, value_name = "FILE.wav")]
    pub hear: Option<PathBuf>,
    /// Seconds to play, of a client from its own first tick; without it a game ends at its last tick or at quit.
    #[arg(long, help_heading = GAME, value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Players' speed times this, for calibration.
    #[arg(long, help_heading = CALIBRATION, default_value_t = 1.0, value_parser = scale)]
    pub scale_run: f32,
    /// Gravity times this, for calibration.
    #[arg(long, help_heading = CALIBRATION, default_value_t = 1.0, value_parser = scale)]
    pub scale_gravity: f32,
    /// The bad network.
    #[command(flatten)]
    pub faults: FaultOptions,
    /// The score that ends a test's game, which the settings' debug.network_test_score says; 0: the variant's own.
    #[arg(skip)]
    pub score: i32,
}

/// What is done to what this machine receives: the settings `debug.network_*` by another name.
#[derive(Clone, Debug, Default, Args)]
pub struct FaultOptions {
    /// Milliseconds that what is received is held back: one way; for each way it is given at both ends.
    #[arg(long, help_heading = FAULTS, value_parser = milliseconds)]
    pub latency: Option<f64>,
    /// Milliseconds of chance on top of it.
    #[arg(long, help_heading = FAULTS, value_parser = milliseconds)]
    pub jitter: Option<f64>,
    /// Per cent of datagrams dropped.
    #[arg(long, help_heading = FAULTS, value_parser = per_cent)]
    pub loss: Option<f64>,
    /// Per cent of datagrams that come twice.
    #[arg(long, help_heading = FAULTS, value_parser = per_cent)]
    pub duplicate: Option<f64>,
    /// Per cent of datagrams that come after later ones.
    #[arg(long, help_heading = FAULTS, value_parser = per_cent)]
    pub reorder: Option<f64>,
    /// Per cent of datagrams damaged.
    #[arg(long, help_heading = FAULTS, value_parser = per_cent)]
    pub corrupt: Option<f64>,
    /// Per cent of reads of connections damaged, each of which is then closed.
    #[arg(long, help_heading = FAULTS, value_parser = per_cent)]
    pub corrupt_stream: Option<f64>,
    /// Seconds until damage begins.
    #[arg(long, help_heading = FAULTS, value_parser = seconds)]
    pub corrupt_after: Option<f64>,
}

impl Options {
    /// Reads the program's own command line, and what is to be said of options that were given in vain. A line that
    /// cannot be read ends the program, as clap has it.
    pub fn read() -> (Self, Vec<String>) {
        let matches = command().get_matches();
        match Self::from_arg_matches(&matches) {
            Ok(options) => (options, in_vain(&matches)),
            Err(error) => error.exit(),
        }
    }
}

/// The command line, with what means nothing to a command left out of its help.
fn command() -> clap::Command {
    let hide = |command: &str, ids: &'static [&'static str]| {
        let hidden = move |command: clap::Command| {
            ids.iter().fold(command, |command, id| command.mut_arg(id, |option| option.hide(true)))
        };
        (command.to_owned(), hidden)
    };
    [
        hide("demo", &ONES),
        hide("demo", &["bots"]),
        hide("host", &["bots"]),
        hide("join", &HOSTS),
        hide("join", &["seed"]),
        hide("local", &["bind", "trace"]),
        hide("local", &VOICE),
        hide("local", &BAD_NETWORK),
        hide("browse", &HOSTS[..5]),
        hide(
            "browse",
            &["seed", "name", "load_seconds", "local_players", "input", "scale_run", "scale_gravity"],
        ),
        hide("browse", &ONES[2..]),
        hide("browse", &BAD_NETWORK),
    ]
    .into_iter()
    .fold(told(Options::command()), |all, (command, hidden)| all.mut_subcommand(command, hidden))
}

/// The command line, with what its commands' help says beside the options' own.
fn told(all: clap::Command) -> clap::Command {
    let all = OTHERWISE.iter().fold(all, |all, (command, id, help)| {
        all.mut_subcommand(command, |command| command.mut_arg(id, |option| option.help(*help)))
    });
    let has_console = ["host", "join", "local"];
    has_console
        .iter()
        .fold(all, |all, command| all.mut_subcommand(command, |command| command.after_help(CONSOLE)))
}

/// What a command's help says otherwise than the option's own.
const OTHERWISE: [(&str, &str, &str); 2] = [
    (
        "browse",
        "seconds",
        "Seconds to listen, 3 unless told otherwise; where hosts are named it ends as soon as all of them have \
         answered and are open",
    ),
    ("demo", "latency", "Milliseconds that what is received is held back, by every machine: each way"),
];

/// What the help of a command that plays ends with.
const CONSOLE: &str = "\
While it plays a line that is typed is a command: help lists them, players says who plays, scores how they do, quit or Ctrl-C ends it.";

/// What is to be said of options that the command does not heed, each once.
fn in_vain(matches: &ArgMatches) -> Vec<String> {
    let Some((command, matches)) = matches.subcommand() else { return Vec::new() };
    let is_given = |id: &&&str| {
        let is_known = matches.try_contains_id(id).is_ok();
        is_known && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let given = |ids: &[&str]| -> Vec<String> {
        ids.iter().filter(is_given).map(|id| format!("--{}", id.replace('_', "-"))).collect()
    };
    let mut said = Vec::new();
    match command {
        "join" => {
            if let Some((last, others)) = given(&HOSTS).split_last() {
                said.push(match others {
                    [] => format!("{last} is the host's to choose: ignored"),
                    others => {
                        format!("{} and {last} are the host's to choose: ignored", others.join(", "))
                    }
                });
            }
            if !given(&["seed"]).is_empty() {
                said.push(
                    "--seed is the host's to choose: here it seeds this machine's players and faults".into(),
                );
            }
        }
        "local" if !given(&VOICE).is_empty() => {
            said.push(format!(
                "{}: there is nobody else to hear or be heard: ignored",
                given(&VOICE).join(" and ")
            ));
        }
        "host" | "demo" if !given(&["bots"]).is_empty() => {
            said.push("--bots is for local alone: ignored".into());
        }
        _ => {}
    }
    said
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

/// Bytes, or units of 1024, of them or of each other.
fn size(text: &str) -> Result<u64, String> {
    let unit =
        |(at, unit): (usize, char)| "KMG".find(unit).map(|place| (&text[..at], 10 * (place as u32 + 1)));
    let (number, shift) = text.char_indices().last().and_then(unit).unwrap_or((text, 0));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "a number of bytes, or of units of 1024 as 64K, 64M or 1G".to_owned())
}

/// A resource map's name, with its ending or without.
fn resource(text: &str) -> Result<File, String> {
    let is_it = |file: &File| {
        names::resource(*file).is_some_and(|name| name == text || name.strip_suffix(".map") == Some(text))
    };
    File::ALL.into_iter().find(is_it).ok_or_else(|| "bitmaps, sounds or loc".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    within(text, 0.5, 3.0, "a factor")
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
            "skirmish host --bots 1",
            "skirmish join 127.0.0.1 --map hill --lobby 5 --bots 1",
            "skirmish maps",
            "skirmish maps --data data",
            "skirmish make-map --size 3145728 --seed 7 hugeass.map",
            "skirmish make-map hugeass.map --size 1 --needs sounds,loc",
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
            ("local --bots 0", "local --bots -1"),
            ("local --local-players 4", "local --local-players 5"),
            ("local --start-tick 2147483647", "local --start-tick 2147483648"),
            ("local --seconds 1", "local --seconds NaN"),
            ("local --scale-run 1.005", "local --scale-run 0"),
            ("join a --clock 0.5", "join a --clock 0.49"),
            ("join a --clock 3", "join a --clock 3.01"),
            ("join a --clock 1", "host --clock 1"),
            ("join a --clock 1.2", "demo --clock 1.2"),
            ("make-map a --size 0", "make-map a --size -1"),
            ("make-map a --size 64M", "make-map a --size 64MB"),
            ("make-map a --size 17179869183G", "make-map a --size 17179869184G"),
            ("make-map a --size 18446744073709551615", "make-map a --size 18446744073709551616"),
            ("make-map a --size 1 --needs bitmaps.map", "make-map a --size 1 --needs maps"),
            ("make-map a --size 1", "make-map a"),
            ("make-map a --size 1 --seed 0", "make-map --size 1"),
        ] {
            assert!(parse(&format!("skirmish {good}")).is_ok(), "{good}");
            assert!(parse(&format!("skirmish {bad}")).is_err(), "{bad}");
        }
    }

    /// What the host decides is said once, whatever its value; what is not given is not.
    #[test]
    fn what_is_given_in_vain_is_said() {
        let said = |line: &str| in_vain(&command().try_get_matches_from(line.split(' ')).unwrap());
        assert_eq!(said("skirmish join a --name Ann --seconds 3"), [""; 0]);
        assert_eq!(said("skirmish join a --map rooms"), ["--map is the host's to choose: ignored"]);
        assert_eq!(
            said("skirmish join a --lobby 5 --bots 3 --start-tick 7"),
            ["--start-tick, --bots and --lobby are the host's to choose: ignored"]
        );
        let seed = said("skirmish join a --variant chess --seed 3 --max-players 4");
        assert_eq!(seed[0], "--variant and --max-players are the host's to choose: ignored");
        assert!(seed[1].starts_with("--seed is the host's to choose") && seed.len() == 2, "{seed:?}");
        assert_eq!(said("skirmish host --bots 2"), ["--bots is for local alone: ignored"]);
        assert_eq!(said("skirmish host --map hill --seed 3 --lobby 5"), [""; 0]);
        assert_eq!(said("skirmish local --bots 2 --map hill"), [""; 0]);
        assert_eq!(
            said("skirmish local --voice tone"),
            ["--voice: there is nobody else to hear or be heard: ignored"]
        );
        assert_eq!(said("skirmish host --voice tone --hear heard.wav"), [""; 0]);
        assert_eq!(said("skirmish --map hill"), [""; 0]);
    }

    /// A command's help says what an option is to it, and where there is a console.
    #[test]
    fn help_says_what_an_option_is_to_its_command() {
        let help = |name: &str| {
            let mut all = command();
            all.build();
            let help = all.find_subcommand_mut(name).unwrap().render_long_help().to_string();
            help.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for (name, console) in
            [("host", true), ("join", true), ("local", true), ("demo", false), ("browse", false)]
        {
            let help = help(name);
            assert_eq!(help.contains("players says who plays"), console, "{name}: {help}");
            assert_eq!(help.contains("Seconds to listen, 3 unless"), name == "browse", "{name}: {help}");
            assert_eq!(help.contains("Seconds to play"), name != "browse", "{name}: {help}");
            assert_eq!(help.contains("by every machine: each way"), name == "demo", "{name}: {help}");
            assert_eq!(help.contains("That is a cheat"), name == "join", "{name}: {help}");
        }
    }

    /// A command's help has its options in groups, without those that mean nothing to it.
    #[test]
    fn help_has_groups_and_no_more_than_is_meant() {
        let help = |name: &str| {
            let mut all = command();
            all.build();
            all.find_subcommand_mut(name).unwrap().render_long_help().to_string()
        };
        let all = ["Game:", "This machine:", "Network faults:", "Files:", "Calibration:"];
        for (name, lacks, has, of) in [
            ("host", "--bots", "--map", 5),
            ("join", "--map", "--name", 5),
            ("demo", "--config", "--report", 4),
            ("local", "--loss", "--bots", 4),
            ("browse", "--map", "--seconds", 3),
        ] {
            let help = help(name);
            let line =
                |option: &str| help.lines().any(|line| line.trim_start().starts_with(&format!("{option} ")));
            assert!(!line(lacks) && line(has), "{name}: {help}");
            let groups = all.iter().filter(|group| help.lines().any(|line| line == **group)).count();
            assert_eq!(groups, of, "{name}: {help}");
        }
    }
}
