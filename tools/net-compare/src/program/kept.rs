//! A copy as the program sees it: its keeper's process, what can be asked of it, how the copy ended. Knows no game.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};

use crate::keeper::{self, Ended};
use crate::options::Screen;

/// Before the names of the environment's variables that beat a copy's settings.
const SETTINGS: &str = "HALO_";
/// The variables that name displays.
const DISPLAYS: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];
/// How long a keeper that was told to kill is waited for where nobody looks after it any more.
const LAST_WAIT: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(10);

/// A copy that was started. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Kept {
    keeper: Child,
    ended: Option<Ended>,
}

impl Kept {
    /// Starts what `command` says, in that folder. The thread that does outlives it: with it the copy would end.
    pub(crate) fn start(command: &[OsString], folder: &Path, screen: &Screen) -> io::Result<Self> {
        let mut keeper = Command::new(keeper::OWN);
        keeper.arg0("net-compare").arg(keeper::KEEP).arg(getpid().as_raw_pid().to_string()).args(command);
        // In a group of its own: Ctrl-C at a terminal is the program's alone, which stops its copies in order.
        keeper.current_dir(folder).process_group(0);
        keeper.stdin(Stdio::null()).stdout(Stdio::piped());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(SETTINGS))
        {
            keeper.env_remove(name);
        }
        if *screen != Screen::Own {
            for name in DISPLAYS {
                keeper.env_remove(name);
            }
        }
        if let Screen::X(display) = screen {
            keeper.env(DISPLAYS[0], display);
        }
        Ok(Self { keeper: keeper.spawn()?, ended: None })
    }

    /// Asks the copy to end, by SIGTERM.
    pub(crate) fn stop(&self) {
        self.signal(Signal::TERM);
    }

    /// Has the copy and whoever it started killed.
    pub(crate) fn kill(&self) {
        self.signal(Signal::INT);
    }

    fn signal(&self, signal: Signal) {
        if self.ended.is_none() {
            // It is not reaped yet, so the number is still its own.
            let _ = kill_process(Pid::from_child(&self.keeper), signal);
        }
    }

    /// How the copy ended, once it and whoever it started has.
    pub(crate) fn ended(&mut self) -> Option<Ended> {
        if self.ended.is_none() && !matches!(self.keeper.try_wait(), Ok(None)) {
            let mut text = String::new();
            if let Some(mut out) = self.keeper.stdout.take() {
                let _ = out.read_to_string(&mut text);
            }
            let (group, ended) = keeper::said(&text);
            if let (Some(group), Ended::Untold) = (group, ended) {
                // The keeper was killed: the copy is gone with it, what a wrapper started may not be.
                let _ = kill_process_group(group, Signal::KILL);
            }
            self.ended = Some(ended);
        }
        self.ended
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.kill();
        let told = Instant::now();
        while self.ended().is_none() {
            if told.elapsed() >= LAST_WAIT {
                let _ = self.keeper.kill();
                let _ = self.keeper.wait();
            }
            thread::sleep(LOOK);
        }
    }
}
