//! From options and settings to machines: what a host and a client are made of. Knows no loop: who runs a machine asks it
//! for ticks.

use std::fmt;
use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};

use mjolnir_engine_glue::chat;
use mjolnir_engine_glue::settings::{self, Name, Settings};
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_wire::Tick;
use mjolnir_wire::limits::HOST_PORT;
use mjolnir_wire::packets::settings::COOP_PASS_THROUGH_BIT;
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};

use crate::console;
use crate::control::{self, Choice, Control};
use crate::cues::{self, Cues};
use crate::custom::{Maps, Unplayable};
use crate::game::map_file::NotMade;
use crate::game::{Map, Rules, Tuning, levels, maps};
use crate::options::{Common, FaultOptions};
use crate::seam::Setup;
use crate::sound;

/// The clock that machines of one process share.
pub use crate::clock::Clock;

/// Why a game cannot be set up: the program's exit is 2.
#[derive(Debug)]
pub enum Error {
    /// No map has that name; and which custom maps there are, as the end of the line.
    Map(String, String),
    /// A custom map that is not played, and why.
    Unplayable(String, Unplayable),
    /// A map file that is not made, and why.
    NotMade(PathBuf, NotMade),
    /// No game type of that name.
    Variant(String),
    /// More than one variant where one is played.
    OneVariant(String),
    /// A game type on a map that lacks what it is about: the variant, the map, what.
    Lacks(String, String, &'static str),
    /// An address that is none.
    Address(String),
    /// An address whose port is none: the port, the whole.
    Port(String, String),
    /// A name that no address was found for: the name, the whole.
    Host(String, String, io::Error),
    /// The game would run past the last tick there is.
    TooLong,
    /// More players than the game takes.
    Players(usize, u8),
    /// A machine that joins brings a player.
    NoPlayer,
    /// An option that this command does not take.
    NotTaken(&'static str),
    /// What plays a player cannot be had.
    Input(control::Error),
    /// The cues mean nothing.
    Cues(PathBuf, cues::BadLine),
    /// The settings cannot be had.
    Settings(PathBuf, settings::Error),
    /// Neither a command nor a setting says what to do.
    NothingToDo,
    /// A setting says nothing that can be done, and why.
    Setting(&'static str, String),
    /// A file cannot be written.
    File(PathBuf, io::Error),
    /// A wav file is not read, or no longer written, and why.
    Wave(PathBuf, String),
    /// What this build, without the codec, does not do.
    NoCodec(&'static str),
    /// The codec that this build has could not be had.
    Codec,
    /// Standard input or signals cannot be heard.
    Console(io::Error),
    /// The address and port to host at cannot be had.
    Listen(SocketAddr, io::Error),
    /// The address to bind to is of another kind than the host's.
    Bind(IpAddr, SocketAddr),
    /// A socket cannot be had.
    Socket(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map(name, custom) => {
                let known: Vec<_> = maps().chain(levels()).map(|map| map.name).collect();
                write!(f, "no map {name}: {}{custom}", known.join(", "))
            }
            Self::Unplayable(name, why) => write!(f, "{name} is not played: {why}"),
            Self::NotMade(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Variant(name) => write!(f, "no variant {name}: {}, {COOP}", Rules::NAMES.join(", ")),
            Self::OneVariant(names) => write!(f, "{names}: several variants in turn are for host alone"),
            Self::Lacks(variant, map, what) => write!(f, "no {variant} on {map}: it lacks {what}"),
            Self::Address(text) => write!(f, "no address {text:?}: ADDRESS[:PORT], IPv6 as [ADDRESS]:PORT"),
            Self::Port(port, text) => write!(f, "no port {port:?} in {text}: 1 to 65535"),
            Self::Host(name, text, error) => {
                let of = if name == text { String::new() } else { format!(" in {text}") };
                write!(f, "no address found for the name {name:?}{of}: {error}")
            }
            Self::TooLong => write!(f, "the game would pass tick {}", i32::MAX),
            Self::Players(players, most) => write!(f, "{players} players here, and the game takes {most}"),
            Self::NoPlayer => f.write_str("a machine that joins brings a player: --local-players 1 to 4"),
            Self::NotTaken(option) => write!(f, "demo takes no {option}: its machines share one process"),
            Self::Input(error) => error.fmt(f),
            Self::Settings(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Cues(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NothingToDo => f.write_str(
                "give a command: host, join, browse, local, maps or demo (see --help); or set debug.network_test to \
                 host:MAP, join, browse, local:MAP or log",
            ),
            Self::Setting(name, why) => write!(f, "setting {name}: {why}"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Wave(path, why) => write!(f, "{}: {why}", path.display()),
            Self::NoCodec(what) => write!(
                f,
                "{what}: this build has no codec for voice: build with --features opus, which needs libopus"
            ),
            Self::Codec => f.write_str("the codec for voice could not be had"),
            Self::Console(error) => write!(f, "console: {error}"),
            Self::Listen(address, error) => write!(f, "cannot host at {address}: {error}"),
            Self::Bind(bind, host) => write!(f, "cannot reach {host} from {bind}"),
            Self::Socket(error) => write!(f, "sockets: {error}"),
        }
    }
}

impl std::error::Error for Error {}

/// Makes sure that the options make a game: its map, its variant, its length.
pub fn check(common: &Common) -> Result<(), Error> {
    let chosen = Maps::of(common).choose(&common.map)?;
    for variant in variants(common)? {
        check_map(variant, &common.map, &chosen.map)?;
    }
    last_tick(common).map(drop)
}

/// The variant that is none: a level of the campaign is played together, with no game type (COOP-01).
pub const COOP: &str = "coop";

/// Makes sure that a map has what a variant is about; of co-op, that it is a level of the campaign (COOP-02).
pub fn check_map(variant: &str, name: &str, map: &Map) -> Result<(), Error> {
    let scripts = (!map.campaign.is_level).then_some("a campaign level's scripts");
    match rules(variant)?.map_or(scripts, |rules| rules.lacks(map)) {
        Some(what) => Err(Error::Lacks(variant.into(), name.into(), what)),
        None => Ok(()),
    }
}

/// The variants that are played in turn, by name: at least one.
pub fn variants(common: &Common) -> Result<Vec<&str>, Error> {
    common.variant.split(',').map(|name| rules(name).map(|_| name)).collect()
}

/// Makes sure that one variant is played, and not several in turn.
pub fn check_variant(common: &Common) -> Result<(), Error> {
    match variants(common)?[..] {
        [_] => Ok(()),
        _ => Err(Error::OneVariant(common.variant.clone())),
    }
}

/// Makes sure that the game takes this machine's players.
pub fn check_players(common: &Common, players: usize) -> Result<(), Error> {
    if players > usize::from(common.max_players) {
        return Err(Error::Players(players, common.max_players));
    }
    Ok(())
}

/// The rules of that variant; none of co-op.
pub fn rules(variant: &str) -> Result<Option<Rules>, Error> {
    if variant == COOP {
        return Ok(None);
    }
    Rules::named(variant).map(Some).ok_or_else(|| Error::Variant(variant.into()))
}

/// The rules of that variant, with the score that a test's settings shorten it to (TOOL-19).
pub fn rules_of(common: &Common, variant: &str) -> Result<Option<Rules>, Error> {
    let rules = rules(variant)?;
    Ok(rules.map(|rules| match common.score {
        0 => rules,
        score_limit => Rules { score_limit, ..rules },
    }))
}

/// Writes a variant's rules into a game's settings.
pub fn write_rules(common: &Common, variant: &str, to: &mut SettingsRecord) -> Result<(), Error> {
    match rules_of(common, variant)? {
        Some(rules) => rules.write(variant, to),
        None => Rules::write_coop(variant, to),
    }
    Ok(())
}

/// Writes into a game's settings whether players of different machines are in each other's way in co-op (COOP-55).
pub fn write_collisions(settings: &Settings, to: &mut SettingsRecord) {
    let passes = !settings.flag(Name::NetworkCoopPlayerCollisions);
    to.coop_flags = if passes { COOP_PASS_THROUGH_BIT } else { 0 };
}

/// The game's last tick.
pub fn last_tick(common: &Common) -> Result<Tick, Error> {
    let Some(seconds) = common.seconds else { return Ok(Tick::LAST) };
    let last = f64::from(common.start_tick) + (seconds * 30.0).round();
    if last > f64::from(i32::MAX) {
        Err(Error::TooLong)
    } else {
        Tick::new(last as i32).ok_or(Error::TooLong)
    }
}

/// The host's game: its map, its rules, its own players.
pub fn host_settings(common: &Common, port: u16, players: u8) -> Result<HostSettings, Error> {
    let mut record = SettingsRecord::empty();
    record.name = Wide::cut("skirmish");
    let level = Maps::of(common).choose(&common.map)?.level;
    record.map = Chars::new(&level).map_err(|_| Error::Map(common.map.clone(), String::new()))?;
    let variant = variants(common)?.first().copied().unwrap_or_default();
    write_rules(common, variant, &mut record)?;
    record.max_players = common.max_players;
    record.max_teams = 2;
    // The game's seed is 32 bits on the wire.
    record.seed = (common.seed ^ common.seed >> 32) as u32;
    Ok(HostSettings { port, players: players_named(common, players, 0), ..HostSettings::new(record) })
}

/// A joining machine with its players; one that does not know yet which machine it is leaves their names to the host.
pub fn client_settings(common: &Common, players: u8, machine: Option<u64>) -> ClientSettings {
    let name = common.name.as_deref().unwrap_or("skirmish");
    let named = match machine {
        Some(machine) => players_named(common, players, machine),
        None => (0..players).map(|_| named(common.name.as_deref().unwrap_or_default())).collect(),
    };
    ClientSettings::new(name, named)
}

/// So many players of that machine, as they ask for their names.
pub fn players_named(common: &Common, players: u8, machine: u64) -> Vec<NetworkPlayer> {
    (0..u64::from(players)).map(|index| named(&player_name(common, machine * 4 + index))).collect()
}

/// What a player is called.
pub fn player_name(common: &Common, player: u64) -> String {
    common.name.clone().unwrap_or_else(|| format!("P{player}"))
}

fn named(name: &str) -> NetworkPlayer {
    NetworkPlayer { name: Wide::cut(name), ..NetworkPlayer::NONE }
}

/// How a machine plays: its speed, its loading, what plays its players.
pub fn setup(common: &Common, players: u8, machine: u64) -> Result<Setup, Error> {
    Ok(Setup {
        tuning: tuning(common),
        load_micros: load_micros(common),
        controls: controls(common, players, machine)?,
        harm: true,
        maps: Maps::of(common),
    })
}

/// What a host lets players say.
pub fn text_chat(settings: &Settings) -> chat::Settings {
    console::text_chat(settings.text_of(Name::NetworkTextChat)).unwrap_or_default()
}

/// How fast players are and how things fall.
pub const fn tuning(common: &Common) -> Tuning {
    Tuning { run_scale: common.scale_run, gravity_scale: common.scale_gravity }
}

/// Microseconds that loading takes.
pub fn load_micros(common: &Common) -> u64 {
    (common.load_seconds * 1e6) as u64
}

/// What plays a machine's players.
pub fn controls(common: &Common, players: u8, machine: u64) -> Result<Vec<Control>, Error> {
    let choice = match &common.input {
        Some(text) => Choice::parse(text).map_err(Error::Input)?,
        None => Choice::Bot(common.seed),
    };
    let controls = (0..u64::from(players)).map(|index| choice.for_player(machine * 4 + index).open());
    controls.collect::<Result<_, _>>().map_err(Error::Input)
}

/// The settings: the file's, and for this run what the environment says in its place.
fn settings(common: &Common) -> Result<Settings, Error> {
    let mut settings = settings_file(common)?;
    let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    for warning in settings.override_by(variable).into_iter().chain(Settings::unknown_variables(names)) {
        tracing::warn!("environment: {warning}");
    }
    Ok(settings)
}

/// The settings file that the options name, or the one beside the program: read, and written with what it lacks.
fn settings_file(common: &Common) -> Result<Settings, Error> {
    if let Some(data) = &common.data {
        fs::create_dir_all(data).map_err(|error| Error::File(data.clone(), error))?;
    }
    let named = common.config.clone().or_else(|| common.data.as_ref().map(|data| data.join("config.toml")));
    let is_named = named.is_some();
    let beside = || std::env::current_exe().ok()?.parent().map(|folder| folder.join("config.toml"));
    let Some(path) = named.or_else(beside) else { return Ok(Settings::default()) };
    let fails = |error| Error::Settings(path.clone(), error);
    let (text, is_new) = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        text => (text.map_err(settings::Error::File).map_err(fails)?, false),
    };
    let (settings, warnings) = Settings::parse(&text).map_err(fails)?;
    for warning in warnings {
        tracing::warn!("{}: {warning}", path.display());
    }
    if settings.text() != text {
        match settings.save(&path) {
            // A name may be mistyped: whoever gave one hears that no such file was there.
            Ok(()) if is_named && is_new => eprintln!("wrote {} with the defaults", path.display()),
            Ok(()) => {}
            Err(error) if is_named && text.is_empty() => return Err(fails(error)),
            // A program may stand where nothing can be written, and a file that may only be read says what it says.
            Err(error) => tracing::debug!("{}: {error}", path.display()),
        }
    }
    Ok(settings)
}

/// The options with what they leave to the settings.
pub fn settled(common: &Common) -> Result<(Common, Settings), Error> {
    let settings = settings(common)?;
    let mut common = common.clone();
    let input = settings.text_of(Name::DebugTestInput);
    if common.input.is_none() && !input.is_empty() {
        common.input = Some(input.into());
    }
    let cues = settings.text_of(Name::DebugNetworkTestCues);
    if common.cues.is_none() && !cues.is_empty() {
        common.cues = Some(cues.into());
    }
    common.score = settings.whole(Name::DebugNetworkTestScore);
    let address = settings.text_of(Name::NetworkAddress);
    if common.bind.is_none() && !address.is_empty() {
        let none = |_| Error::Setting("network.address", format!("no address {address}"));
        common.bind = Some(address.parse().map_err(none)?);
    }
    sound::check(&common, &settings)?;
    Ok((common, settings))
}

/// Refuses what `demo` does not take: its machines are many and these are one's.
pub const fn refuse_files(common: &Common) -> Result<(), Error> {
    match common {
        Common { config: Some(_), .. } => Err(Error::NotTaken("--config")),
        Common { data: Some(_), .. } => Err(Error::NotTaken("--data")),
        Common { log: Some(_), .. } => Err(Error::NotTaken("--log")),
        Common { dump: Some(_), .. } => Err(Error::NotTaken("--dump")),
        Common { trace: Some(_), .. } => Err(Error::NotTaken("--trace")),
        Common { cues: Some(_), .. } => Err(Error::NotTaken("--cues")),
        Common { voice: Some(_), .. } => Err(Error::NotTaken("--voice")),
        Common { hear: Some(_), .. } => Err(Error::NotTaken("--hear")),
        _ => Ok(()),
    }
}

/// The faults asked for: options before settings.
pub fn faults(options: &FaultOptions, settings: &Settings) -> Faults {
    let of = |option: Option<f64>, name| option.unwrap_or_else(|| settings.number(name));
    let micros = |millis: f64| (millis * 1000.0) as u64;
    let share = |per_cent: f64| (per_cent / 100.0) as f32;
    Faults {
        latency_us: micros(of(options.latency, Name::DebugNetworkLatency)),
        jitter_us: micros(of(options.jitter, Name::DebugNetworkJitter)),
        loss: share(of(options.loss, Name::DebugNetworkLoss)),
        duplicate: share(of(options.duplicate, Name::DebugNetworkDuplicate)),
        reorder: share(of(options.reorder, Name::DebugNetworkReorder)),
        corrupt: share(of(options.corrupt, Name::DebugNetworkCorrupt)),
        corrupt_stream: share(of(options.corrupt_stream, Name::DebugNetworkCorruptStream)),
        corrupt_after_us: micros(1000.0 * of(options.corrupt_after, Name::DebugNetworkCorruptAfter)),
    }
}

/// Reads an address or a name, with a port or without; without a port the host's usual one.
pub fn address(text: &str) -> Result<SocketAddr, Error> {
    let unbracketed = |text: &str| text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    if let Some(ip) = text.parse().ok().or_else(|| unbracketed(text)) {
        return Ok(SocketAddr::new(ip, HOST_PORT));
    }
    if text.contains(['/', ' ']) {
        return Err(Error::Address(text.into()));
    }
    let (host, port) = match text.rsplit_once(':') {
        None => (text, HOST_PORT),
        // Neither an IPv6 address nor one in brackets with a port behind it.
        Some((host, _)) if host.contains(':') && !host.ends_with(']') => {
            return Err(Error::Address(text.into()));
        }
        Some((host, port)) => match port.parse() {
            Ok(port) if port > 0 => (host, port),
            _ => return Err(Error::Port(port.into(), text.into())),
        },
    };
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if host.is_empty() || host.contains(['[', ']']) {
        return Err(Error::Address(text.into()));
    }
    // A name, as localhost: an IPv4 address of it before an IPv6 one.
    let unknown = |error| Error::Host(host.into(), text.into(), error);
    let named = (host, port).to_socket_addrs().map_err(unknown)?;
    named.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| Error::Address(text.into()))
}

/// The cues that the options name; none where they name none.
pub fn cues(common: &Common) -> Result<Cues, Error> {
    let Some(path) = &common.cues else { return Ok(Cues::default()) };
    let text = fs::read_to_string(path).map_err(|error| Error::File(path.clone(), error))?;
    Cues::parse(&text).map_err(|line| Error::Cues(path.clone(), line))
}

/// Opens a file to write lines to.
pub fn create(path: &Path) -> Result<fs::File, Error> {
    fs::File::create(path).map_err(|error| Error::File(path.into(), error))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::options::{Command, Options};

    fn common(line: &str) -> Common {
        match Options::parse_from(line.split(' ')).command.unwrap() {
            Command::Join(options) => options.common,
            Command::Demo(options) => options.common,
            other => panic!("{other:?}"),
        }
    }

    /// Both sides of the last tick there is.
    #[test]
    fn a_game_ends_at_the_last_tick_or_before() {
        let last = |line: &str| last_tick(&common(line)).map(Tick::get).ok();
        assert_eq!(last("skirmish join a --start-tick 2147483617 --seconds 1"), Some(i32::MAX));
        assert_eq!(last("skirmish join a --start-tick 2147483618 --seconds 1"), None);
        assert_eq!(last("skirmish join a --start-tick 7"), Some(i32::MAX));
    }

    /// An option beats the file, and what neither says has its default.
    #[test]
    fn an_option_beats_the_settings() {
        let text = "[debug]\nnetwork_latency = 40\nnetwork_loss = 3\n";
        let (settings, _) = Settings::parse(text).unwrap();
        let faults = faults(&common("skirmish join a --latency 10").faults, &settings);
        assert_eq!((faults.latency_us, faults.loss, faults.jitter_us), (10_000, 0.03, 0));
    }

    /// TOOL-65: a file that may only be read is honoured, and left as it is.
    #[cfg(unix)]
    #[test]
    fn settings_that_may_only_be_read_are_read() {
        use std::os::unix::fs::PermissionsExt as _;

        let path = std::env::temp_dir().join(format!("settings-read-{}.toml", std::process::id()));
        fs::write(&path, "debug.network_loss = 3\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        let common = Common { config: Some(path.clone()), ..common("skirmish join a") };
        assert_eq!(settings_file(&common).unwrap().number(Name::DebugNetworkLoss), 3.0);
        assert_eq!(fs::read_to_string(&path).unwrap(), "debug.network_loss = 3\n");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_a_demo_does_not_take_is_named() {
        for option in ["--config", "--data", "--log", "--dump", "--trace", "--cues", "--voice", "--hear"] {
            let refused = refuse_files(&common(&format!("skirmish demo {option} x"))).unwrap_err();
            assert!(refused.to_string().contains(option));
        }
        assert!(refuse_files(&common("skirmish demo --seconds 1")).is_ok());
    }

    /// Several variants are told at once, each by its name; an unknown one among them is named.
    #[test]
    fn variants_are_played_in_turn() {
        let named = |line: &str| {
            let common = common(line);
            let names = variants(&common).map(|names| names.join("+")).map_err(|error| error.to_string());
            (names, check_variant(&common).is_ok())
        };
        assert_eq!(named("skirmish demo"), (Ok("slayer".into()), true));
        let both = "skirmish demo --variant slayer,team_slayer";
        assert_eq!(named(both), (Ok("slayer+team_slayer".into()), false));
        for line in ["skirmish demo --variant slayer,chess", "skirmish demo --variant slayer,"] {
            assert!(named(line).0.is_err_and(|error| error.starts_with("no variant ")), "{line}");
        }
        let teams = |name| rules(name).unwrap().map(|rules| rules.teams);
        assert_eq!((teams("team_slayer"), teams("slayer"), teams("coop")), (Some(true), Some(false), None));
    }

    /// COOP-01, 02, TOOL-04: co-op is a variant that is no game type, of a campaign level alone; such a level may have a game type
    /// too. What is told where it is none.
    #[test]
    fn co_op_is_of_levels() {
        let told = |line: &str| check(&common(line)).map_err(|error| error.to_string());
        assert_eq!(told("skirmish demo --map campaign1 --variant coop"), Ok(()));
        assert_eq!(told("skirmish demo --map campaign1 --variant slayer"), Ok(()));
        let flat = told("skirmish demo --map flat --variant coop");
        assert_eq!(flat, Err("no coop on flat: it lacks a campaign level's scripts".into()));
        let chess = told("skirmish demo --map campaign1 --variant chess").unwrap_err();
        assert!(chess.ends_with("race, coop"), "{chess}");
        let settings = |line: &str| host_settings(&common(line), 1, 1).unwrap().record;
        let coop = settings("skirmish demo --map campaign1 --variant coop");
        assert_eq!((Rules::read(&coop), coop.variant.game_type, coop.check()), (None, 0, Ok(())));
        assert_eq!(coop.variant.label.to_string(), "coop");
        let mut record = settings("skirmish demo --map campaign1 --variant ctf");
        assert!(Rules::read(&record).is_some());
        write_rules(&common("skirmish demo"), "coop", &mut record).unwrap();
        assert_eq!((Rules::read(&record), &record.variant), (None, &coop.variant));
    }

    /// COOP-55: the setting is the first bit of the settings' byte, the other way round.
    #[test]
    fn player_collisions_travel_with_the_settings() {
        let mut record = SettingsRecord::empty();
        for (text, passes) in [
            ("", false),
            ("network.coop_player_collisions = false\n", true),
            ("network.coop_player_collisions = true\n", false),
        ] {
            let (settings, _) = Settings::parse(text).unwrap();
            write_collisions(&settings, &mut record);
            assert_eq!((record.is_pass_through(), record.coop_flags), (passes, u8::from(passes)), "{text}");
        }
    }

    #[test]
    fn an_address_may_leave_its_port_out() {
        for (text, read) in [
            ("127.0.0.1", "127.0.0.1:5150"),
            ("127.0.0.1:77", "127.0.0.1:77"),
            ("[::1]", "[::1]:5150"),
            ("::1", "[::1]:5150"),
            ("[::1]:77", "[::1]:77"),
        ] {
            assert_eq!(address(text).unwrap(), read.parse().unwrap(), "{text}");
        }
        assert_eq!(super::address("localhost:77").unwrap().port(), 77);
        for text in ["", ":77", "::1:99999:", "[::1", "[nowhere]", "a//b:77", "a b"] {
            assert!(matches!(address(text), Err(Error::Address(named)) if named == text), "{text}");
        }
    }

    /// Both sides of a port, and what was given in the refusal.
    #[test]
    fn a_port_that_is_none_is_named() {
        for port in [1, 65_535] {
            assert_eq!(super::address(&format!("127.0.0.1:{port}")).unwrap().port(), port);
        }
        for (text, port) in
            [("127.0.0.1:0", "0"), ("1.2.3.4:65536", "65536"), ("[::1]:99999", "99999"), ("localhost:x", "x")]
        {
            let refused = super::address(text).unwrap_err().to_string();
            assert_eq!(refused, format!("no port {port:?} in {text}: 1 to 65535"));
        }
        assert!(matches!(super::address("127.0.0.1:"), Err(Error::Port(port, _)) if port.is_empty()));
    }
}
