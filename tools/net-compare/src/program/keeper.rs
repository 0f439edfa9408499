//! The process between the program and a copy, which sees to it that the copy ends when the program does, however that
//! ends (TOOL-40, 41); and the step from it to the copy. Knows no game: it is told what to run.
//!
//! The program starts itself again as a keeper ([`keep`]). The kernel tells a keeper when its parent is gone; it then
//! kills the copy's whole process group, what a wrapper started among it. The keeper in turn starts itself again to
//! become the copy ([`become_it`]), which the kernel kills where its keeper is gone. What ended is reaped here, also
//! what lost its own parent, so that a keeper knows when nobody is left.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, kill_process_group,
    set_child_subreaper, set_parent_process_death_signal, wait,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The program's first argument in a keeper; then the parent's process id and what to run.
pub(crate) const KEEP: &str = "--keep";
/// The program's first argument in what becomes the copy; then the same.
pub(crate) const BECOME: &str = "--become";
/// The program that is running, also where its file was replaced meanwhile.
pub(crate) const OWN: &str = "/proc/self/exe";
/// What a copy says, in the folder that its keeper is started in.
pub(crate) const OUTPUT: &str = "output.txt";
/// Before the process id of the copy's group, in what a keeper says.
const GROUP: &str = "group ";
/// Before the code that a copy ended with.
const CODE: &str = "code ";
/// Before the signal that ended it.
const SIGNAL: &str = "signal ";
/// A copy that could not be started: as a shell has it.
const NOT_FOUND: u8 = 127;
/// How often a keeper looks.
const LOOK: Duration = Duration::from_millis(10);
/// How long what was killed is waited for.
const GONE: Duration = Duration::from_millis(500);

/// How a copy ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself, with that code.
    Code(i32),
    /// By that signal.
    Signal(i32),
    /// Its keeper did not say.
    Untold,
}

impl Ended {
    fn of(status: WaitStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Untold,
        }
    }

    fn line(self) -> String {
        match self {
            Self::Code(code) => format!("{CODE}{code}"),
            Self::Signal(signal) => format!("{SIGNAL}{signal}"),
            Self::Untold => String::new(),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "it ended with code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal} ended it"),
            Self::Untold => f.write_str("its keeper was killed"),
        }
    }
}

/// What a keeper said: whose group is the copy's, and how it ended.
pub(crate) fn said(text: &str) -> (Option<Pid>, Ended) {
    let number = |prefix: &str| text.lines().find_map(|line| line.strip_prefix(prefix)?.parse::<i32>().ok());
    let group = number(GROUP).filter(|group| *group > 1).and_then(Pid::from_raw);
    let ended = number(CODE).map(Ended::Code).or_else(|| number(SIGNAL).map(Ended::Signal));
    (group, ended.unwrap_or(Ended::Untold))
}

/// The life of a keeper. SIGTERM to it is SIGTERM to the copy's group; SIGINT kills that at once.
pub(crate) fn keep(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(parent) = process(args.next()) else { return ExitCode::FAILURE };
    let command: Vec<OsString> = args.collect();
    match guard(parent, &command) {
        Ok(ended) => {
            tell(&ended.line());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("net-compare: a copy's keeper: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Becomes the copy, to be killed where its keeper is gone.
pub(crate) fn become_it(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let parent = process(args.next());
    let Some(program) = args.next() else { return ExitCode::FAILURE };
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        eprintln!("{error}");
        return ExitCode::from(NOT_FOUND);
    }
    // It may have gone before it was asked for.
    if parent.is_none() || getppid() != parent {
        return ExitCode::FAILURE;
    }
    let error = Command::new(&program).args(args).exec();
    eprintln!("{}: {error}", program.display());
    ExitCode::from(NOT_FOUND)
}

fn process(text: Option<OsString>) -> Option<Pid> {
    text?.to_str()?.parse().ok().filter(|process| *process > 0).and_then(Pid::from_raw)
}

/// Tells the program; where that is gone nobody listens.
fn tell(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[allow(clippy::zombie_processes, reason = "whoever is a child, the copy among them, is reaped by number")]
fn guard(parent: Pid, command: &[OsString]) -> io::Result<Ended> {
    let (stop, kill) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    signal_hook::flag::register(SIGTERM, Arc::clone(&stop))?;
    for signal in [SIGINT, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&kill))?;
    }
    // The signal only wakes: that the parent is another tells a stop from its end.
    set_parent_process_death_signal(Some(Signal::TERM))?;
    set_child_subreaper(Some(getpid()))?;
    let is_orphan = || getppid() != Some(parent);
    if is_orphan() {
        return Ok(Ended::Untold);
    }
    let output = File::create(OUTPUT)?;
    let mut copy = Command::new(OWN);
    copy.arg(BECOME).arg(getpid().as_raw_pid().to_string()).args(command).process_group(0);
    copy.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let group = Pid::from_child(&copy.spawn()?);
    tell(&format!("{GROUP}{}", group.as_raw_pid()));

    let (mut ended, mut is_stopping, mut killed) = (None, false, None::<Instant>);
    loop {
        let is_anybody_left = reap(group, &mut ended);
        if !is_anybody_left && ended.is_some() {
            break;
        }
        if killed.is_some_and(|killed| killed.elapsed() >= GONE) {
            break;
        }
        // A copy that ended by itself leaves nobody behind; one that was asked to may have others that take longer.
        if kill.load(Ordering::Relaxed) || is_orphan() || (ended.is_some() && !is_stopping) {
            killed.get_or_insert_with(Instant::now);
            kill_all(group);
        } else if stop.swap(false, Ordering::Relaxed) {
            is_stopping = true;
            // It may have ended meanwhile.
            let _ = kill_process_group(group, Signal::TERM);
        }
        thread::sleep(LOOK);
    }
    Ok(ended.unwrap_or(Ended::Untold))
}

/// Reaps who ended, and notes it of the copy. Whether anybody is left.
fn reap(copy: Pid, ended: &mut Option<Ended>) -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((process, status))) if process == copy => *ended = Some(Ended::of(status)),
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// Kills the copy's group, and whoever left it and lost its parent: that is this process's child by now.
fn kill_all(group: Pid) {
    // None of them are there any more, or the system does not tell of children: then there is nothing to do.
    let _ = kill_process_group(group, Signal::KILL);
    let children = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    for child in children.split_whitespace().filter_map(|child| Pid::from_raw(child.parse().ok()?)) {
        let _ = kill_process(child, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a keeper says is read as it was meant; what is none means nothing, least of all a group to kill.
    #[test]
    fn what_a_keeper_says_is_read() {
        for ended in [Ended::Code(0), Ended::Code(101), Ended::Signal(6)] {
            assert_eq!(said(&format!("group 77\n{}\n", ended.line())), (Pid::from_raw(77), ended));
        }
        assert_eq!(said("group 77\n"), (Pid::from_raw(77), Ended::Untold));
        for text in ["", "group 1\n", "group 0\n", "group -5\n", "group x\n", "grou"] {
            assert_eq!(said(text), (None, Ended::Untold), "{text}");
        }
    }
}
