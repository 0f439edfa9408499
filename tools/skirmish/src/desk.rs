//! What a program that plays has at hand: its clock, its console, its files, its words to whoever runs it. Knows no
//! machine.

use std::collections::VecDeque;
use std::io;

use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_mapshare::client;
use mjolnir_wire::Moment;

use mjolnir_engine_glue::transport::trace::Traced;
use mjolnir_wire::Tick;

use crate::clock::Clock;
use crate::console::{self, Console, Line, Refusal};
use crate::cues::{Came, Cues, Ran};
use crate::dump::Dump;
use crate::files::Files;
use crate::harness::Harness;
use crate::machine::Watch;
use crate::options::Common;
use crate::passage::Passage;
use crate::scripts::Scripts;
use crate::setup::{self, Error};
use crate::status::{Figures, Status};

/// See the module's text.
pub struct Desk {
    clock: Clock,
    console: Console,
    files: Files,
    cues: Cues,
    scripts: Scripts,
    /// What cues want of the program itself: it is done before what is typed.
    wanted: VecDeque<Line>,
    status: Status,
    /// When the program quits by itself.
    quits_at: Option<Moment>,
    flushed: Moment,
}

impl Desk {
    /// Opens the files and begins to listen.
    pub fn open(common: &Common, settings: &Settings) -> Result<Self, Error> {
        Self::open_by(Clock::default(), common, settings)
    }

    /// The same by a clock of its own.
    pub fn open_by(clock: Clock, common: &Common, settings: &Settings) -> Result<Self, Error> {
        let now = clock.now();
        let exit_after = (settings.number(Name::DebugExitAfter) * 1e6) as u64;
        Ok(Self {
            clock,
            console: Console::open().map_err(Error::Console)?,
            cues: setup::cues(common)?,
            scripts: Scripts::asked(settings),
            wanted: VecDeque::new(),
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
    pub fn prepare(&mut self, watch: &mut Watch) {
        watch.cues = self.cues.clone();
        watch.scripts = self.scripts.clone();
        watch.harness = Some(Harness::default());
        if self.files.has_dump() {
            watch.keep_dumps();
        }
    }

    /// Whether what becomes of each message is asked for.
    pub const fn has_trace(&self) -> bool {
        self.files.has_trace()
    }

    /// Writes what became of the messages, and forgets it.
    pub fn keep_traced(&mut self, tick: Tick, traced: &mut Vec<Traced>) {
        let now = self.clock.now();
        for traced in traced.drain(..) {
            let written = self.files.passage(&Passage::new(now, tick, &traced));
            self.check(written);
        }
    }

    /// Tells of the cues that ran. What they want of the program itself comes with the next lines.
    pub fn tell_cues(&mut self, cues: &mut Cues) {
        for Ran { tick, text, came } in cues.take_ran() {
            self.say(&format!("cue at tick {}: {text}", tick.get()));
            match came {
                Came::Done => {}
                Came::Wanted(line) => self.wanted.push_back(line),
                Came::Refused(why) => self.complain(&format!("cue refused: {text}: {why}")),
            }
        }
    }

    /// Tells whoever runs the program something.
    pub fn say(&mut self, text: &str) {
        self.status.print(io::stdout(), text);
        self.note(text);
    }

    /// Tells whoever runs the program the host's word, in red where that can be seen (GLUE-14).
    pub fn shout(&mut self, text: &str) {
        self.status.print_red(io::stdout(), text);
        self.note(text);
    }

    /// Notes something in the log alone.
    pub fn log(&mut self, text: &str) {
        self.note(text);
    }

    /// Tells whoever runs the program that something is not as it should be.
    pub fn complain(&mut self, text: &str) {
        self.status.print(io::stderr(), text);
        self.note(text);
    }

    /// What cues want and what was typed since; the end of the program's time is `quit`. Who asks for help has it, and
    /// what means nothing is answered.
    pub fn next_line(&mut self) -> Option<Line> {
        if self.quits_at.take_if(|at| self.clock.now() >= *at).is_some() {
            return Some(Line::Quit);
        }
        loop {
            let line = self.wanted.pop_front().map(Ok).or_else(|| self.console.next_line());
            match line? {
                Ok(Line::Help) => self.say(&console::help().collect::<Vec<_>>().join("\n")),
                Ok(line) => return Some(line),
                Err((Refusal::Unknown, text)) => {
                    self.complain(&format!("no such command: {text}; {}", console::advice(&text)));
                }
                Err((Refusal::Usage(usage), text)) => {
                    self.complain(&format!("not so: {text}; usage: {usage}"));
                }
            }
        }
    }

    /// Writes what a machine saw since this was last called.
    pub fn keep(&mut self, watch: &mut Watch) {
        watch.scripts.take_said().iter().for_each(|line| self.note(line));
        let said = watch.harness.as_mut().map(Harness::take_said).unwrap_or_default();
        said.iter().for_each(|line| self.note(line));
        watch.take_spoken().iter().for_each(|line| self.say(line));
        for line in watch.take_lines() {
            let written = self.files.line(&line.to_string());
            self.check(written);
        }
        for dump in watch.take_dumps() {
            self.dump(&dump);
        }
        self.flush_if_due();
    }

    /// Hands what was written to the system, once a second.
    pub fn flush_if_due(&mut self) {
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

    /// Shows how far a download is, at the top of a terminal (MAP-62); elsewhere it is said now and then. None once there is none.
    /// So many bytes of files have come to this machine.
    pub fn show_download(&mut self, line: Option<client::Line<'_>>, came: u64) {
        if let Some(text) = self.status.show_download(self.clock.now(), line, came) {
            self.say(&text);
        }
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
