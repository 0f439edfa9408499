//! What the keeper's thread does, without the thread: lines that wait to be written, joins answered by the list and by them,
//! and what is said of it. Knows no queue.

use core::net::IpAddr;
use core::time::Duration;
use std::collections::VecDeque;
use std::format;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use super::clock::Clock;
use super::disk::{Disk, Stat};
use super::list::List;
use super::writing::{add, draft_of};
use super::{PAUSE, std, words};
use crate::bans::find;
use crate::hardware::HardwareId;
use crate::record::{File, Record};

/// Lines of one file that wait while it cannot be written, about 30 MB; past it the oldest goes, and into the log.
pub const MAX_WAITING: usize = 65_536;

/// A machine that joins: is it banned?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// By which the answer is known.
    pub ticket: u32,
    /// Its whole real address.
    pub address: Option<IpAddr>,
    /// Its hardware id.
    pub hardware: Option<HardwareId>,
}

/// The files of one folder.
#[derive(Debug)]
pub struct Clerk<D, C> {
    disk: D,
    clock: C,
    list: List,
    bans: Book,
    cheaters: Book,
    /// When writing last failed.
    failed: Option<Duration>,
    words: Vec<String>,
}

/// A file's lines that wait.
#[derive(Debug)]
struct Book {
    file: File,
    path: PathBuf,
    lines: VecDeque<String>,
    /// One came since they were last tried.
    is_due: bool,
    /// It was said that it cannot be written.
    troubled: bool,
    own: Option<Stat>,
}

impl Book {
    fn new(folder: &Path, file: File) -> Self {
        let path = folder.join(file.name());
        Self { file, path, lines: VecDeque::new(), is_due: false, troubled: false, own: None }
    }
}

impl<D: Disk, C: Clock> Clerk<D, C> {
    /// For the files of that folder. Reads the list for the first time, and removes what an earlier process left half.
    pub fn new(folder: &Path, disk: D, clock: C) -> Self {
        let [bans, cheaters] = File::ALL.map(|file| Book::new(folder, file));
        let list = List::new(bans.path.clone());
        let mut this = Self { disk, clock, list, bans, cheaters, failed: None, words: Vec::new() };
        for path in [&this.bans.path, &this.cheaters.path] {
            // One that stays fails the next writing, which says so.
            let _ = this.disk.target(path).and_then(|target| this.disk.sweep(&draft_of(&target)));
        }
        this.answer(&[], |_, _| {});
        this
    }

    /// Answers each of the asked with whether it is refused, by the file as it is now and by the bans that wait.
    pub fn answer(&mut self, asks: &[Ask], mut answer: impl FnMut(u32, bool)) {
        let Self { disk, clock, list, bans, words, .. } = self;
        list.look(disk, clock, asks, words, |ask, is_named| {
            let refuses = |line: &String| find(line.as_bytes(), ask.address, ask.hardware.as_ref()).is_some();
            answer(ask.ticket, is_named || bans.lines.iter().any(refuses));
        });
    }

    /// Takes a line, of now. It is in force from here on.
    pub fn append(&mut self, record: &Record) {
        let line = format!("{}\n", record.line(self.clock.local()));
        let book = match record.file() {
            File::Bans => &mut self.bans,
            File::Cheaters => &mut self.cheaters,
        };
        book.lines.push_back(line);
        book.is_due = true;
        if book.lines.len() > MAX_WAITING
            && let Some(oldest) = book.lines.pop_front()
        {
            self.words.push(words::lost(book.file, oldest.trim_end()));
        }
    }

    /// Writes what waits: what is new at once, and what failed if that was [`PAUSE`] ago.
    pub fn write(&mut self) {
        let now = self.clock.since();
        let again = self.failed.is_none_or(|failed| now.saturating_sub(failed) >= PAUSE);
        for book in [&mut self.bans, &mut self.cheaters] {
            if book.lines.is_empty() || !(book.is_due || again) {
                continue;
            }
            book.is_due = false;
            let had_lines = book.file == File::Bans && self.list.had_lines();
            let lines = book.lines.make_contiguous();
            match add(&mut self.disk, &mut self.clock, &book.path, lines, book.own, had_lines) {
                Ok(stat) => {
                    book.own = Some(stat);
                    if book.file == File::Bans {
                        self.list.own = book.own;
                        book.lines.iter().for_each(|line| self.list.note_written(line));
                    }
                    if core::mem::take(&mut book.troubled) {
                        self.words.push(words::written_again(book.file, book.lines.len()));
                    }
                    book.lines = VecDeque::new();
                }
                Err(error) => {
                    self.failed = Some(self.clock.since());
                    if !core::mem::replace(&mut book.troubled, true) {
                        self.words.push(words::unwritten(book.file, &error));
                    }
                }
            }
        }
        if self.waiting() == 0 {
            self.failed = None;
        }
    }

    /// Writes for the last time. Says each line that is in no file, and how many they are.
    pub fn finish(&mut self) -> usize {
        self.failed = None;
        self.write();
        let lost = self.waiting();
        for book in [&mut self.bans, &mut self.cheaters] {
            self.words.extend(book.lines.drain(..).map(|line| words::lost(book.file, line.trim_end())));
        }
        lost
    }

    /// How many lines wait to be written.
    pub fn waiting(&self) -> usize {
        self.bans.lines.len() + self.cheaters.lines.len()
    }

    /// Hands over what is to be logged.
    pub fn take_words(&mut self, to: &mut Vec<String>) {
        to.append(&mut self.words);
    }
}
