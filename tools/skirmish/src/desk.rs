//! What a program that plays has at hand: its clock, its console, its files, its words to whoever runs it. Knows no
//! machine.

use std::io::{self, Write as _};

use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_wire::Moment;

use crate::console::{Console, Line, Refusal};
use crate::dump::Dump;
use crate::files::Files;
use crate::machine::Watch;
use crate::options::Common;
use crate::setup::{Clock, Error};
use crate::status::{Figures, Status};

/// See the module's text.
pub struct Desk {
    clock: Clock,
    console: Console,
    files: Files,
    status: Status,
    /// When the program quits by itself.
    quits_at: Option<Moment>,
    flushed: Moment,
}

impl Desk {
    /// Opens the files and begins to listen.
    pub fn open(common: &Common, settings: &Settings) -> Result<Self, Error> {
        let clock = Clock::default();
        let now = clock.now();
        let exit_after = (settings.number(Name::DebugExitAfter) * 1e6) as u64;
        Ok(Self {
            clock,
            console: Console::open().map_err(Error::Console)?,
            files: Files::open(common)?,
            status: Status::new(now),
            quits_at: (exit_after > 0).then(|| now.plus(exit_after)),
            flushed: now,
        })
    }

    /// The program's clock.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Has a machine keep what the files ask for.
    pub fn prepare(&self, watch: &mut Watch) {
        if self.files.has_dump() {
            watch.keep_dumps();
        }
    }

    /// Tells whoever runs the program something.
    pub fn say(&mut self, text: &str) {
        // Nobody reads any more: no reason to stop playing.
        self.status.aside(|| drop(writeln!(io::stdout(), "{text}")));
        self.note(text);
    }

    /// Tells whoever runs the program that something is not as it should be.
    pub fn complain(&mut self, text: &str) {
        self.status.aside(|| drop(writeln!(io::stderr(), "{text}")));
        self.note(text);
    }

    /// What was typed since; the end of the program's time is `quit`. What means nothing is answered.
    pub fn next_line(&mut self) -> Option<Line> {
        if self.quits_at.take_if(|at| self.clock.now() >= *at).is_some() {
            return Some(Line::Quit);
        }
        loop {
            match self.console.next_line()? {
                Ok(line) => return Some(line),
                Err((Refusal::Unknown, text)) => self.complain(&format!("no such command: {text}")),
                Err((Refusal::Usage(usage), text)) => self.complain(&format!("not so: {text}; {usage}")),
            }
        }
    }

    /// Writes what a machine saw since this was last called.
    pub fn keep(&mut self, watch: &mut Watch) {
        for line in watch.take_lines() {
            let written = self.files.line(&line.to_string());
            self.check(written);
        }
        for dump in watch.take_dumps() {
            self.dump(&dump);
        }
        let now = self.clock.now();
        if now.since(self.flushed) >= Moment::SECOND {
            self.flushed = now;
            self.flush();
        }
    }

    /// Writes a machine's last state, and all that waits to be written.
    pub fn close(&mut self, last: Option<&Dump>) {
        if let Some(dump) = last {
            self.dump(dump);
        }
        self.flush();
    }

    /// Shows how the game goes, where a terminal shows it.
    pub fn show(&mut self, figures: impl FnOnce() -> Figures) {
        self.status.show(self.clock.now(), figures);
    }

    fn dump(&mut self, dump: &Dump) {
        let written = self.files.dump(dump);
        self.check(written);
    }

    fn note(&mut self, text: &str) {
        let written = self.files.notice(text);
        self.check(written);
    }

    fn flush(&mut self) {
        let flushed = self.files.flush();
        self.check(flushed);
    }

    /// A file that fails while the game is played is told of, and the game goes on.
    fn check(&mut self, written: Result<(), Error>) {
        if let Err(error) = written {
            self.complain(&error.to_string());
        }
    }
}
