//! From options and settings to machines: what a host and a client are made of. Knows no thread.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mjolnir_engine_glue::settings::{self, Name, Settings};
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_wire::limits::HOST_PORT;
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Tick};

use crate::control::{self, Choice};
use crate::game::{Map, Tuning, maps};
use crate::options::{Common, FaultOptions};
use crate::seam::{Setup, level_of};

/// The slayer game type's number (FACT wire 3.8).
const SLAYER: i32 = 2;

/// Why a game cannot be set up: the program's exit is 2.
#[derive(Debug)]
pub enum Error {
    /// No map of that name.
    Map(String),
    /// No game type of that name.
    Variant(String),
    /// An address that is none.
    Address(String),
    /// The game would run past the last tick there is.
    TooLong,
    /// What plays a player cannot be had.
    Input(control::Error),
    /// The settings cannot be had.
    Settings(PathBuf, settings::Error),
    /// A file cannot be written.
    File(PathBuf, std::io::Error),
    /// A socket cannot be had.
    Socket(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map(name) => {
                let known: Vec<_> = maps().map(|map| map.name).collect();
                write!(f, "no map {name}: {}", known.join(", "))
            }
            Self::Variant(name) => write!(f, "no variant {name}: slayer, team_slayer"),
            Self::Address(text) => write!(f, "no address {text}: ADDRESS[:PORT], IPv6 as [ADDRESS]:PORT"),
            Self::TooLong => write!(f, "the game would pass tick {}", i32::MAX),
            Self::Input(error) => error.fmt(f),
            Self::Settings(path, error) => write!(f, "{}: {error}", path.display()),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Socket(error) => write!(f, "sockets: {error}"),
        }
    }
}

impl std::error::Error for Error {}

/// The process's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock {
    /// Now.
    pub fn now(&self) -> Moment {
        Moment::from_micros(self.0.elapsed().as_micros() as u64)
    }
}

/// Makes sure that the options make a game: its map, its variant, its length.
pub fn check(common: &Common) -> Result<(), Error> {
    if Map::named(&common.map).is_none() {
        return Err(Error::Map(common.map.clone()));
    }
    teams(&common.variant)?;
    last_tick(common).map(drop)
}

fn teams(variant: &str) -> Result<bool, Error> {
    match variant {
        "slayer" => Ok(false),
        "team_slayer" => Ok(true),
        other => Err(Error::Variant(other.into())),
    }
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
    record.map = Chars::new(&level_of(&common.map)).map_err(|_| Error::Map(common.map.clone()))?;
    record.variant.label = Wide::cut(&common.variant);
    record.variant.game_type = SLAYER;
    record.variant.teams = u8::from(teams(&common.variant)?);
    record.max_players = common.max_players;
    record.max_teams = 2;
    // The game's seed is 32 bits on the wire.
    record.seed = (common.seed ^ common.seed >> 32) as u32;
    Ok(HostSettings { port, players: players_named(common, players, 0), ..HostSettings::new(record) })
}

/// A joining machine with its players.
pub fn client_settings(common: &Common, players: u8, machine: u64) -> ClientSettings {
    let name = common.name.as_deref().unwrap_or("skirmish");
    ClientSettings::new(name, players_named(common, players, machine))
}

fn players_named(common: &Common, players: u8, machine: u64) -> Vec<NetworkPlayer> {
    let name = |index: u8| match &common.name {
        Some(name) => name.clone(),
        None => format!("P{}", machine * 4 + u64::from(index)),
    };
    (0..players).map(|index| NetworkPlayer { name: Wide::cut(&name(index)), ..NetworkPlayer::NONE }).collect()
}

/// How a machine plays: its speed, its loading, what plays its players.
pub fn setup(common: &Common, players: u8, machine: u64) -> Result<Setup, Error> {
    let choice = match &common.input {
        Some(text) => Choice::parse(text).map_err(Error::Input)?,
        None => Choice::Bot(common.seed),
    };
    let controls = (0..u64::from(players)).map(|index| choice.for_player(machine * 4 + index).open());
    Ok(Setup {
        tuning: Tuning { run_scale: common.scale_run, gravity_scale: common.scale_gravity },
        load_micros: (common.load_seconds * 1e6) as u64,
        controls: controls.collect::<Result<_, _>>().map_err(Error::Input)?,
    })
}

/// The settings file that the options name, or none: read, and written with what it lacks.
pub fn settings(common: &Common) -> Result<Settings, Error> {
    let beside = || std::env::current_exe().ok()?.parent().map(|folder| folder.join("config.toml"));
    let path = common.config.clone().or_else(|| common.data.as_ref().map(|data| data.join("config.toml")));
    let Some(path) = path.or_else(beside) else { return Ok(Settings::default()) };
    let (settings, warnings) = Settings::open(&path).map_err(|error| Error::Settings(path.clone(), error))?;
    for warning in warnings {
        tracing::warn!("{}: {warning}", path.display());
    }
    Ok(settings)
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

/// Reads ADDRESS[:PORT]; without a port the host's usual one.
pub fn address(text: &str) -> Result<SocketAddr, Error> {
    let none = || Error::Address(text.into());
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().map(|ip| SocketAddr::new(ip, HOST_PORT)).map_err(|_| none())
}

/// Opens a file to write lines to.
pub fn create(path: &Path) -> Result<std::fs::File, Error> {
    std::fs::File::create(path).map_err(|error| Error::File(path.into(), error))
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_address_may_leave_its_port_out() {
        for (text, address) in [
            ("127.0.0.1", "127.0.0.1:5150"),
            ("127.0.0.1:77", "127.0.0.1:77"),
            ("[::1]", "[::1]:5150"),
            ("::1", "[::1]:5150"),
            ("[::1]:77", "[::1]:77"),
        ] {
            assert_eq!(super::address(text).unwrap(), address.parse().unwrap(), "{text}");
        }
        for text in ["", "nowhere", "127.0.0.1:", "127.0.0.1:99999"] {
            assert!(super::address(text).is_err(), "{text}");
        }
    }
}
