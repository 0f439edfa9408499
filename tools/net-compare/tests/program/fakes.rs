//! Fake builds: scripts that log what a test made and then do as it says; the program run beside them; who lives.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mjolnir_net_compare::{Alive, Drift, Line, Player, Record, View};

/// How long a step may take on a busy machine where no requirement says.
pub(crate) const PATIENT: Duration = Duration::from_secs(30);

/// What each fake does: it notes who it is and what it was given, logs its file, does what its script says, and waits.
/// Its game is its folder's parent; `early` is what is done before it says anything.
const FAKE: &str = r#"#!/bin/sh
game=$(basename "$(dirname "$PWD")")
case "$(cat config.toml)" in *'"host:'*) role=host;; *) role=client;; esac
echo "$$ $game @NAME@ $role" >> "@FOLDER@/pids"
[ -s "@FOLDER@/$game early.sh" ] && [ $role = host ] && . "@FOLDER@/$game early.sh"
echo "$@" > "@FOLDER@/$game $role.args"
cp config.toml "@FOLDER@/$game $role.toml"
echo listening
logged="@FOLDER@/$role.txt"
[ -e "@FOLDER@/$game $role.txt" ] && logged="@FOLDER@/$game $role.txt"
echo listening > data/debug.txt
env > "@FOLDER@/$game $role.env"
[ "$role" = host ] && [ -s "@FOLDER@/$game $role.sh" ] && . "@FOLDER@/$game $role.sh"
cat "$logged" >> data/debug.txt
[ "$role" = client ] && [ -s "@FOLDER@/$game $role.sh" ] && . "@FOLDER@/$game $role.sh"
exec sleep 1000
"#;

/// A folder of one test's own with two fakes, `a` and `b`, whose logs agree unless told otherwise.
pub(crate) struct Scene {
    pub(crate) folder: PathBuf,
    /// Five seconds in which all is well.
    pub(crate) good: String,
}

/// A fake that was started.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    pub(crate) process: u32,
    part: String,
}

impl Copy {
    /// Its game, its build and its role.
    pub(crate) fn part(&self) -> String {
        self.part.clone()
    }
}

/// What the program said, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) errors: String,
}

impl Ran {
    /// The lines of games.
    pub(crate) fn blocks(&self) -> Vec<String> {
        let words = ["PASS", "FAIL", "ERROR"];
        let lines = self.out.lines().filter(|line| words.iter().any(|word| line.starts_with(word)));
        lines.map(String::from).collect()
    }

    /// The lines of figures.
    pub(crate) fn figures(&self) -> Vec<String> {
        self.out.lines().filter(|line| line.starts_with("    ")).map(String::from).collect()
    }

    /// The last line.
    pub(crate) fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

impl Scene {
    pub(crate) fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("net-compare").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for name in ["a", "b"] {
            let text = FAKE.replace("@FOLDER@", folder.to_str().unwrap()).replace("@NAME@", name);
            let written = folder.join("text");
            fs::write(&written, text).unwrap();
            fs::set_permissions(&written, fs::Permissions::from_mode(0o755)).unwrap();
            copy(&written, &folder.join(name));
        }
        let good = log(5, |_, _| {});
        for seconds in ["host.txt", "client.txt"] {
            fs::write(folder.join(seconds), log(30, |_, _| {})).unwrap();
        }
        Self { folder, good }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What that copy logs, as `1-flat-ab host`.
    pub(crate) fn log(&self, copy: &str, text: &str) {
        fs::write(self.path(&format!("{copy}.txt")), text).unwrap();
    }

    /// What it does: a host before it logs, a client after.
    pub(crate) fn script(&self, copy: &str, text: &str) {
        fs::write(self.path(&format!("{copy}.sh")), text).unwrap();
    }

    /// What a copy left: its `toml`, `env`, `args`.
    pub(crate) fn left(&self, copy: &str, what: &str) -> String {
        fs::read_to_string(self.path(&format!("{copy}.{what}"))).unwrap()
    }

    /// Every fake that was started.
    pub(crate) fn started(&self) -> Vec<Copy> {
        let text = fs::read_to_string(self.path("pids")).unwrap_or_default();
        let copy = |line: &str| {
            let (process, part) = line.split_once(' ')?;
            Some(Copy { process: process.parse().ok()?, part: part.into() })
        };
        text.lines().filter_map(copy).collect()
    }

    pub(crate) fn forget(&self) {
        fs::remove_file(self.path("pids")).unwrap();
    }

    /// The program, in this folder. Arguments are words, or stand between bars where they have blanks.
    pub(crate) fn bare(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_net-compare"));
        let (words, whole) = line.split_once('|').unwrap_or((line, ""));
        command.args(words.split(' ').filter(|word| !word.is_empty()));
        command.args(whole.split('|').filter(|word| !word.is_empty()));
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same with both fakes and games of five seconds.
    pub(crate) fn command(&self, line: &str) -> Command {
        let seconds = if line.contains("--seconds") { "" } else { "--seconds 5 " };
        self.bare(&format!("--a a --b b {seconds}{line}"))
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        run(&mut self.command(line))
    }

    pub(crate) fn run_alone(&self, line: &str) -> Ran {
        run(&mut self.bare(line))
    }

    /// Starts the program and waits until so many fakes run and have said so.
    pub(crate) fn begin(&self, line: &str, copies: usize) -> (Child, Vec<Copy>) {
        let child = self.command(line).spawn().unwrap();
        until(PATIENT, "copies start", || {
            let started = self.started();
            started.len() >= copies && started.iter().all(|copy| self.logs(copy))
        });
        (child, self.started())
    }

    fn logs(&self, copy: &Copy) -> bool {
        let mut part = copy.part.split(' ');
        let (game, role) = (part.next().unwrap(), part.nth(1).unwrap());
        self.path(&format!("{game} {role}.env")).exists()
    }
}

/// Copies a program. Not by this process: another of its threads may start a child meanwhile, which has the file open
/// for writing for a moment, and what is open so cannot be run.
pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").args([from, to]).status().unwrap().success());
}

pub(crate) fn run(command: &mut Command) -> Ran {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), errors: text(&output.stderr) }
}

/// Waits for something that will be.
#[track_caller]
pub(crate) fn until(limit: Duration, what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
        thread::park_timeout(Duration::from_millis(5));
    }
}

/// Waits for the program's end.
#[track_caller]
pub(crate) fn end(child: &mut Child) -> ExitStatus {
    let mut status = None;
    until(PATIENT, "the program ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

/// Whether that process runs: one that nobody reaped yet does not.
pub(crate) fn is_alive(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// The log of so many seconds in which two players walk, and what a test changes in each second of it.
pub(crate) fn log(seconds: u32, change: impl Fn(u32, &mut Line)) -> String {
    let player = |second: u32, slot: u8| Player {
        slot,
        alive: Some(Alive {
            position: [f64::from(second), 1.0 + f64::from(slot), 0.5],
            body: 1.0,
            shield: 1.0,
            ..Alive::default()
        }),
        record: Record { machine: slot.into(), ..Record::default() },
    };
    let line = |second: u32| {
        let mut line = Line {
            tick: 30 * second,
            players: vec![player(second, 0), player(second, 1)],
            to_win: 25,
            drift: Some(Drift::default()),
            view: View { slot: Some(0), ..View::default() },
            ..Line::default()
        };
        change(second, &mut line);
        format!("{line}\n")
    };
    (1..=seconds).map(line).collect()
}
