//! The command line, and what it comes to: options, their ranges, what is left out. Knows no process.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Parser;

/// The build that is played where none is named, beside the program itself.
const SKIRMISH: &str = "skirmish";
/// Games played at once at most, unless told.
const MOST_JOBS: usize = 4;
/// The folder of a `--data` that maps stand in.
pub(crate) const MAPS: &str = "maps";

/// Plays two builds against each other on the loopback, A hosting and B joining, and says whether the two machines'
/// logs agree as far as the netcode allows. Exit code: 0 all games pass, 1 any fails, 2 any was an error (or the options
/// are bad), 128 and the signal's number when it is stopped.
#[derive(Clone, Debug, Parser)]
#[command(name = "net-compare", version)]
pub(crate) struct Options {
    /// Build A's executable; the built skirmish beside this program unless told.
    #[arg(long, value_name = "EXE")]
    a: Option<PathBuf>,
    /// Build B's executable; the same.
    #[arg(long, value_name = "EXE")]
    b: Option<PathBuf>,
    /// A folder holding maps/, which each copy's data folder links.
    #[arg(long)]
    data: Option<PathBuf>,
    /// The maps to play on, commas between, each MAP or MAP:VARIANT.
    #[arg(long, value_delimiter = ',', default_value = "flat,rooms", value_parser = map)]
    maps: Vec<String>,
    /// Plays each map the other way round too: B hosting and A joining.
    #[arg(long)]
    swap: bool,
    /// Adds scripted hits and kills.
    #[arg(long)]
    events: bool,
    /// Seconds of each game that are compared.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// The seed that the bots' seeds are made of.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at once; 1 to 64; half the processors, 4 at most, unless told.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: Option<u8>,
    /// Seconds for which a copy may take to start, to join, or to log another second.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    patience: u32,
    /// A hidden window on the display that this was started with, in place of none.
    #[arg(long)]
    window: bool,
    /// The X display of the hidden windows.
    #[arg(long, requires = "window")]
    display: Option<String>,
    /// A program to run A's copies under, with its arguments, blanks between.
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    a_wrapper: Option<String>,
    /// The same for B's.
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    b_wrapper: Option<String>,
    /// More arguments for A's copies, blanks between.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    a_args: Option<String>,
    /// The same for B's.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    b_args: Option<String>,
    /// Judges two logs that stand already; nothing is played.
    #[arg(long, num_args = 2, value_names = ["HOST_LOG", "CLIENT_LOG"], conflicts_with_all = [
        "a", "b", "data", "maps", "swap", "events", "seconds", "seed", "jobs", "patience", "window", "display",
        "a_wrapper", "b_wrapper", "a_args", "b_args",
    ])]
    compare: Option<Vec<PathBuf>>,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// Play.
    Play(Box<Play>),
    /// Judge two logs.
    Compare {
        /// The host's.
        host: PathBuf,
        /// The client's.
        client: PathBuf,
    },
}

/// How a build is run.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    /// Its executable.
    pub(crate) executable: PathBuf,
    /// What it is run under; its own arguments among it.
    pub(crate) wrapper: Vec<OsString>,
    /// Arguments behind those that each copy has.
    pub(crate) args: Vec<OsString>,
}

/// What the copies draw on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// Nothing.
    Headless,
    /// A hidden window, on the displays that the environment names.
    Own,
    /// A hidden window on that X display.
    X(String),
}

/// Games to play.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    /// Build A and build B.
    pub(crate) builds: [Built; 2],
    /// The folder whose maps are linked.
    pub(crate) maps_folder: Option<PathBuf>,
    /// What is played on: MAP or MAP:VARIANT.
    pub(crate) maps: Vec<String>,
    /// Both ways round.
    pub(crate) swap: bool,
    /// With scripted hits and kills.
    pub(crate) events: bool,
    /// Seconds of each game.
    pub(crate) seconds: u32,
    /// What the bots' seeds are made of.
    pub(crate) seed: u64,
    /// Games at once.
    pub(crate) jobs: usize,
    /// How long a copy may take for each step.
    pub(crate) patience: Duration,
    /// What the copies draw on.
    pub(crate) screen: Screen,
}

impl Options {
    /// Reads the command line; a bad one ends the program with code 2.
    pub(crate) fn read() -> Self {
        Self::parse()
    }

    /// What it comes to on this machine.
    pub(crate) fn task(self) -> Result<Task, String> {
        if let Some(logs) = self.compare {
            let [host, client] =
                <[PathBuf; 2]>::try_from(logs).map_err(|_| String::from("--compare: two logs"))?;
            return Ok(Task::Compare { host, client });
        }
        let own = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let screen = match (self.window, self.display) {
            (false, _) => Screen::Headless,
            (true, Some(display)) => Screen::X(display),
            (true, None) if own("DISPLAY") || own("WAYLAND_DISPLAY") => Screen::Own,
            (true, None) => {
                return Err(
                    "--window: neither DISPLAY nor WAYLAND_DISPLAY is set; name one: --display".into()
                );
            }
        };
        let maps_folder = self.data.map(|data| maps_of(&data)).transpose()?;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let play = Play {
            builds: [
                built(self.a, self.a_wrapper.as_deref(), self.a_args.as_deref())?,
                built(self.b, self.b_wrapper.as_deref(), self.b_args.as_deref())?,
            ],
            maps_folder,
            maps: self.maps,
            swap: self.swap,
            events: self.events,
            seconds: self.seconds,
            seed: self.seed,
            jobs: self.jobs.map_or((cores / 2).clamp(1, MOST_JOBS), usize::from),
            patience: Duration::from_secs(self.patience.into()),
            screen,
        };
        Ok(Task::Play(Box::new(play)))
    }
}

fn built(executable: Option<PathBuf>, wrapper: Option<&str>, args: Option<&str>) -> Result<Built, String> {
    let executable = match executable {
        Some(executable) => executable,
        None => beside()?,
    };
    let words =
        |text: Option<&str>| text.unwrap_or_default().split_whitespace().map(OsString::from).collect();
    let mut wrapper: Vec<OsString> = words(wrapper);
    // A path is as seen from here, not from a copy's folder; a name alone is looked for as any program is.
    if let Some(program) = wrapper.first_mut().filter(|program| Path::new(program).components().count() > 1)
        && let Ok(absolute) = std::path::absolute(&program)
    {
        *program = absolute.into();
    }
    Ok(Built { executable, wrapper, args: words(args) })
}

/// The skirmish that was built with this program.
fn beside() -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    Ok(own.with_file_name(format!("{SKIRMISH}{}", env::consts::EXE_SUFFIX)))
}

fn maps_of(data: &Path) -> Result<PathBuf, String> {
    let maps = data.join(MAPS);
    let maps = maps.canonicalize().map_err(|error| format!("--data: {}: {error}", maps.display()))?;
    if maps.is_dir() { Ok(maps) } else { Err(format!("--data: {} is no folder", maps.display())) }
}

/// A map, MAP or MAP:VARIANT.
fn map(text: &str) -> Result<String, String> {
    let is_whole = text.split(':').count() <= 2 && text.split(':').all(|part| !part.trim().is_empty());
    if is_whole && !text.chars().any(char::is_control) {
        Ok(text.into())
    } else {
        Err("MAP or MAP:VARIANT".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(line: &str) -> Result<Play, String> {
        let options = Options::try_parse_from(line.split('|')).map_err(|error| error.to_string())?;
        match options.task()? {
            Task::Play(play) => Ok(*play),
            Task::Compare { .. } => Err("compares".into()),
        }
    }

    /// TOOL-33: the documented command line parses; a build that is not named is the built skirmish.
    #[test]
    fn the_documented_line_parses() {
        let maps = "bloodgulch,beavercreek,hangemhigh";
        // The package's own folder stands in for one with maps/.
        let data = env::temp_dir().join(format!("net-compare-options-{}", std::process::id()));
        std::fs::create_dir_all(data.join(MAPS)).unwrap();
        let line =
            format!("net-compare|--a|x/halo|--b|y/halo|--data|{}|--maps|{maps}|--swap", data.display());
        let played = play(&line);
        std::fs::remove_dir_all(&data).unwrap();
        let played = played.unwrap();
        assert_eq!(played.builds[0].executable, Path::new("x/halo"));
        assert_eq!(played.builds[1].executable, Path::new("y/halo"));
        assert!(played.maps_folder.unwrap().ends_with(MAPS));
        assert_eq!(played.maps, ["bloodgulch", "beavercreek", "hangemhigh"]);
        assert!(played.swap && !played.events);
        assert_eq!((played.seconds, played.seed, played.screen), (60, 1, Screen::Headless));
        assert!((1..=4).contains(&played.jobs));

        let played = play("net-compare").unwrap();
        let beside = env::current_exe().unwrap().with_file_name("skirmish");
        assert_eq!(played.builds.map(|build| build.executable), [beside.clone(), beside]);
        assert_eq!(played.maps, ["flat", "rooms"]);
    }

    /// Both sides of each range, and what is no map.
    #[test]
    fn ranges() {
        for good in
            ["--seconds|1", "--seconds|86400", "--jobs|1", "--jobs|64", "--maps|a:ctf,b", "--patience|1"]
        {
            assert!(play(&format!("net-compare|{good}")).is_ok(), "{good}");
        }
        let bad = [
            "--seconds|0",
            "--seconds|86401",
            "--jobs|0",
            "--jobs|65",
            "--maps|",
            "--maps|a,,b",
            "--maps|a:b:c",
            "--maps|a:",
            "--patience|0",
            "--display|:9",
            "--data|no/such",
            "--compare|x",
            "--compare|x|y|--swap",
            "x",
        ];
        for bad in bad {
            assert!(play(&format!("net-compare|{bad}")).is_err(), "{bad}");
        }
    }

    /// TOOL-43: wrappers and more arguments are words; a wrapper's path is as seen from where the program runs.
    #[test]
    fn wrappers_are_words() {
        let played =
            play("net-compare|--b-wrapper|env  X=1|--a-args|--scale-run 1.005|--a-wrapper|./trace -f")
                .unwrap();
        assert_eq!(played.builds[1].wrapper, ["env", "X=1"]);
        assert_eq!(played.builds[0].args, ["--scale-run", "1.005"]);
        assert_eq!(played.builds[0].wrapper[0], env::current_dir().unwrap().join("trace"));
        assert!(played.builds[1].args.is_empty());
    }
}
