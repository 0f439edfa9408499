//! The list of bans as it is read at a join, and as it last was. Knows no queue, and writes nothing.

use core::time::Duration;
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::clerk::Ask;
use super::clock::Clock;
use super::disk::{Disk, Stat};
use super::{KEPT_BYTES, LOOK, PATIENCE, SETTLED, std, words};
use crate::bans::{Search, find};

/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// What the file last said as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It was never read, or there was none.
    Nothing,
    /// All of it is kept.
    Text,
    /// It was longer than what is kept.
    Long,
}

/// The file.
#[derive(Debug)]
pub(super) struct List {
    path: PathBuf,
    known: Known,
    text: Vec<u8>,
    /// What it was when this process last wrote it: such a change is over.
    pub(super) own: Option<Stat>,
    /// Where the next reading goes.
    next: Vec<u8>,
    piece: Vec<u8>,
    /// It was said that it cannot be read.
    troubled: bool,
}

/// What a look came to.
enum Look {
    Whole(Vec<Search>),
    Restless(Vec<Search>),
    Unread(io::Error),
}

impl List {
    pub(super) fn new(path: PathBuf) -> Self {
        let piece = vec![0; PIECE];
        Self {
            path,
            known: Known::Nothing,
            text: Vec::new(),
            own: None,
            next: Vec::new(),
            piece,
            troubled: false,
        }
    }

    /// Whether it is known to have named somebody, so that there being no file is to be looked at twice.
    pub(super) fn had_lines(&self) -> bool {
        self.known == Known::Long || !self.text.is_empty()
    }

    /// Reads the file, and hands to `answer` each of the asked, and whether it is refused.
    pub(super) fn look(
        &mut self,
        disk: &mut impl Disk,
        clock: &mut impl Clock,
        asks: &[Ask],
        words: &mut Vec<String>,
        mut answer: impl FnMut(&Ask, bool),
    ) {
        let look = self.settled(disk, clock, asks);
        let trouble = match &look {
            Look::Whole(_) => None,
            Look::Restless(_) => Some(words::restless()),
            Look::Unread(error) => Some(words::unread(error, self.known == Known::Text)),
        };
        match (trouble, self.troubled) {
            (Some(word), false) => words.push(word),
            (None, true) => words.push(words::read_again()),
            _ => {}
        }
        self.troubled = !matches!(look, Look::Whole(_));
        match look {
            Look::Whole(found) => {
                asks.iter().zip(found).for_each(|(ask, found)| answer(ask, found.end().is_some()));
            }
            Look::Restless(found) => {
                let found = asks.iter().zip(found);
                found.for_each(|(ask, found)| answer(ask, found.end().is_some() || self.may_name(ask)));
            }
            Look::Unread(_) => asks.iter().for_each(|ask| answer(ask, self.may_name(ask))),
        }
    }

    /// A line was written to the file: it is part of what the file last said.
    pub(super) fn note_written(&mut self, line: &str) {
        if self.known == Known::Text {
            if self.text.last().is_some_and(|byte| *byte != b'\n') {
                self.text.push(b'\n');
            }
            self.text.extend_from_slice(line.as_bytes());
        }
    }

    /// Whether what the file last said cannot exclude that it names that one.
    fn may_name(&self, ask: &Ask) -> bool {
        match self.known {
            Known::Nothing | Known::Long => true,
            Known::Text => find(&self.text, ask.address, ask.hardware.as_ref()).is_some(),
        }
    }

    /// Reads until the file held still, and keeps what it then said.
    fn settled(&mut self, disk: &mut impl Disk, clock: &mut impl Clock, asks: &[Ask]) -> Look {
        let end = clock.since() + PATIENCE;
        loop {
            let is_last = clock.since() >= end;
            match self.read(disk, asks) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    if self.had_lines() && self.is_folder_gone(disk) {
                        return Look::Unread(error);
                    }
                    if is_last || !self.had_lines() {
                        self.keep(0);
                        self.known = Known::Nothing;
                        return Look::Whole(asks.iter().map(Ask::search).collect());
                    }
                }
                Err(error) => return Look::Unread(error),
                Ok((stat, read, searches)) => {
                    let needs = if read == 0 && self.had_lines() { PATIENCE } else { SETTLED };
                    let is_same = stat.is_some();
                    if is_same && (is_last || self.own == stat || is_old(stat, clock, needs)) {
                        self.keep(read);
                        return Look::Whole(searches);
                    }
                    if is_last {
                        return Look::Restless(searches);
                    }
                }
            }
            clock.wait(LOOK);
        }
    }

    /// Whether not the file alone is gone but all of where it was, as of a disk that was taken away.
    fn is_folder_gone(&self, disk: &mut impl Disk) -> bool {
        let Ok(target) = disk.target(&self.path) else { return true };
        // Of a bare name it is where this process stands.
        let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
            return false;
        };
        matches!(disk.stat(folder), Err(error) if error.kind() == ErrorKind::NotFound)
    }

    /// Reads it once: what it was before and behind, if that is one thing, the bytes, and what was found in them.
    fn read(&mut self, disk: &mut impl Disk, asks: &[Ask]) -> io::Result<(Option<Stat>, u64, Vec<Search>)> {
        let mut searches: Vec<Search> = asks.iter().map(Ask::search).collect();
        let before = disk.stat(&self.path)?;
        let mut file = disk.open(&self.path)?;
        let mut read = 0;
        self.next.clear();
        // One byte more, by which one that grows shows; one that never ends is not read for ever.
        while read <= before.length {
            let count = match file.read(&mut self.piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let piece = self.piece.get(..count).unwrap_or_default();
            read += piece.len() as u64;
            if self.next.len() + piece.len() <= KEPT_BYTES {
                self.next.extend_from_slice(piece);
            }
            searches.iter_mut().for_each(|search| search.feed(piece));
        }
        if is_wide(&self.next) {
            return Err(wide());
        }
        let after = disk.stat(&self.path)?;
        let is_one = before == after && before.length == read;
        Ok((is_one.then_some(after), read, searches))
    }

    /// What was read last is what the file said.
    fn keep(&mut self, read: u64) {
        if read == 0 {
            self.next.clear();
        }
        self.known = if read == self.next.len() as u64 { Known::Text } else { Known::Long };
        if self.known == Known::Long {
            self.next = Vec::new();
        }
        core::mem::swap(&mut self.text, &mut self.next);
        // Room that an empty or a short list does not need.
        if self.next.capacity() / 4 > self.text.capacity() {
            self.next = Vec::new();
        }
    }
}

/// Whether a text begins as one of two bytes a character does: some editors write that, and no line of it is what it looks
/// like.
pub(super) fn is_wide(beginning: &[u8]) -> bool {
    beginning.starts_with(&[0xFF, 0xFE]) || beginning.starts_with(&[0xFE, 0xFF])
}

pub(super) fn wide() -> io::Error {
    io::Error::other(words::WIDE)
}

/// Whether it was changed longer ago than that. A time far in the future is that of another clock, and old.
pub(super) fn is_old(stat: Option<Stat>, clock: &mut impl Clock, needs: Duration) -> bool {
    let Some(modified) = stat.and_then(|stat| stat.modified) else { return true };
    let wall = clock.wall();
    wall.duration_since(modified).or_else(|_| modified.duration_since(wall)).is_ok_and(|age| age >= needs)
}

impl Ask {
    fn search(&self) -> Search {
        Search::new(self.address, self.hardware)
    }
}
