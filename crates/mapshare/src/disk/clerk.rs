//! What the disk's thread does, without the thread: jobs in their order, what is long slice by slice between them. Knows no queue of
//! another thread's and no clock.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use mjolnir_wire::mapshare::{File, Refusal};

use super::download::{Download, Out, Piece, none};
use super::folder::Folder;
use super::hashing::Engine;
use super::known::Known;
use super::look::{Desk, Look};
use super::placing::{Attempt, Placing, Stop, finished};
use super::shelf::SharedShelf;
use super::{Loader, TAKES};
use crate::job::{Done, Job, Taken};
use crate::order::{Fault, Found, Offered};

/// The files of one folder.
#[derive(Debug)]
pub struct Clerk<F, L> {
    desk: Desk<F, L>,
    jobs: VecDeque<Job>,
    /// Looked for one after the other, so that the last answer is the last order's.
    looks: VecDeque<Look>,
    /// Whether a search is to go on before a check is.
    is_looks_turn: bool,
    download: Option<Download>,
    /// The map that was found last, and its level.
    map: Option<(String, Found)>,
    outs: VecDeque<Out>,
    shelf: SharedShelf,
}

/// Hands over what is said; the shelf has from then on what it says.
pub(super) fn deliver(shelf: &SharedShelf, outs: impl IntoIterator<Item = Out>, to: &mut Vec<Done>) {
    to.extend(shelf.take_lost().into_iter().map(Done::Lost));
    for Out { done, change } in outs {
        if let Some((file, book)) = change {
            shelf.put(file, book);
        }
        to.extend(done);
    }
}

impl<F: Folder, L: Loader> Clerk<F, L> {
    /// For that folder and that game, on as many cores as the machine has.
    pub fn new(folder: F, loader: L) -> Self {
        Self::with(folder, loader, Engine::new(), Arc::new(|| ()))
    }

    /// The same with an engine, and what is called when a shared file was lost.
    pub fn with(folder: F, loader: L, engine: Engine, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            desk: Desk { folder, loader, engine, known: Known::default(), words: Vec::new() },
            jobs: VecDeque::new(),
            looks: VecDeque::new(),
            is_looks_turn: false,
            download: None,
            map: None,
            outs: VecDeque::new(),
            shelf: SharedShelf::new(wake),
        }
    }

    /// Takes a job. How many wait is the caller's to bound: it is answered for each.
    pub fn give(&mut self, job: Job) {
        self.jobs.push_back(job);
    }

    /// Does the next job and a slice of what is long. Whether there is more to do at once.
    pub fn step(&mut self, now: Duration) -> bool {
        if let Some(job) = self.jobs.pop_front() {
            self.begin(now, job);
        }
        self.advance();
        if self.next_due().is_some_and(|due| due <= now) {
            self.place(now);
        }
        self.outs.extend(self.desk.words.drain(..).map(|word| Done::Word(word).into()));
        let checks = self.download.as_ref().is_some_and(|download| !download.checks.is_empty());
        !self.jobs.is_empty() || !self.looks.is_empty() || checks
    }

    /// When something is to be done that no job asks for: a file is tried again to be put in its place.
    pub fn next_due(&self) -> Option<Duration> {
        Some(self.download.as_ref()?.placing.as_ref()?.next)
    }

    /// Appends what was done since.
    pub fn take(&mut self, to: &mut Vec<Done>) {
        deliver(&self.shelf, self.outs.drain(..), to);
    }

    /// What was done since, with what the shelf is to have; for [`deliver`] elsewhere.
    pub(super) fn take_outs(&mut self) -> impl Iterator<Item = Out> + '_ {
        self.outs.drain(..)
    }

    /// The files that are shared, for any thread.
    pub fn shelf(&self) -> SharedShelf {
        self.shelf.clone()
    }

    /// The program ends: what came is written, and a download stops.
    pub fn finish(&mut self, now: Duration) {
        while !self.jobs.is_empty() {
            self.step(now);
        }
        self.abandon();
    }

    fn abandon(&mut self) {
        if let Some(download) = self.download.take() {
            download.abandon(&mut self.desk, &mut self.outs);
        }
    }

    fn begin(&mut self, now: Duration, job: Job) {
        match job {
            Job::Look { ticket, level, version } => self.looks.push_back(Look::map(ticket, level, version)),
            Job::Hash { ticket, file: file @ File::Map } => {
                let answer = Err(Refusal::CannotBeRead);
                self.outs.push_back(Done::Hashed { ticket, file, answer }.into());
            }
            Job::Hash { ticket, file } => self.looks.push_back(Look::resource(ticket, file)),
            Job::Begin { level, offers } => {
                // What was asked of the one before is answered first.
                self.abandon();
                let begun = self.begin_download(level, &offers);
                self.outs.push_back(Done::Begun(begun).into());
            }
            Job::Resume { file, hashes } => {
                let resumed = match &mut self.download {
                    Some(download) => download.resume(file, hashes),
                    None => Err(none()),
                };
                if let Err(fault) = resumed {
                    self.outs.push_back(Done::Resumed { file, pieces: Err(fault) }.into());
                }
            }
            Job::Take { file, piece, bytes, hash } => self.take_pieces(Piece { file, piece, bytes, hash }),
            Job::Finish => self.begin_placing(now),
            Job::Abandon => self.abandon(),
        }
    }

    fn begin_download(&mut self, level: String, offers: &[Offered]) -> Result<(), Fault> {
        self.download = Some(Download::begin(&mut self.desk, level, offers)?);
        // What was shared of that name is another game's.
        let changes = offers.iter().map(|offer| Out { done: None, change: Some((offer.file, None)) });
        self.outs.extend(changes);
        Ok(())
    }

    /// A piece, with those that wait right behind it.
    fn take_pieces(&mut self, first: Piece) {
        let mut taken = Vec::with_capacity(TAKES);
        taken.push(first);
        while taken.len() < TAKES && matches!(self.jobs.front(), Some(Job::Take { .. })) {
            if let Some(Job::Take { file, piece, bytes, hash }) = self.jobs.pop_front() {
                taken.push(Piece { file, piece, bytes, hash });
            }
        }
        let outcomes = match &mut self.download {
            Some(download) => download.take(&mut taken),
            None => taken.iter().map(|_| Taken::Failed(none())).collect(),
        };
        for (Piece { file, piece, bytes, .. }, outcome) in taken.into_iter().zip(outcomes) {
            self.outs.push_back(Done::Took { file, piece, bytes, outcome }.into());
        }
    }

    /// A slice of a search or of a check, in turn.
    fn advance(&mut self) {
        self.is_looks_turn = !self.is_looks_turn;
        let checks = self.download.as_ref().is_some_and(|download| !download.checks.is_empty());
        if self.is_looks_turn || !checks {
            let answer = self.looks.front_mut().and_then(|look| look.advance(&mut self.desk));
            if let Some(answer) = answer {
                self.looks.pop_front();
                if answer.change.0 == File::Map {
                    self.map = answer.map;
                }
                // What comes is not taken from the shelf by a search that was answered meanwhile.
                let comes = self.download.as_ref().is_some_and(|download| download.brings(answer.change.0));
                let change = (!comes).then_some(answer.change);
                self.outs.push_back(Out { done: Some(answer.done), change });
            }
        } else if let Some(download) = &mut self.download {
            self.outs.extend(download.advance(&mut self.desk));
        }
    }

    fn begin_placing(&mut self, now: Duration) {
        let Some(download) = &mut self.download else {
            self.outs.push_back(finished(Err(none())));
            return;
        };
        if download.placing.is_some() {
            // It is answered once.
            return;
        }
        match Placing::new(now, &mut self.desk, download, self.map.as_ref()) {
            Ok(placing) => download.placing = Some(placing),
            Err(Stop::Stays(fault)) => self.outs.push_back(finished(Err(fault))),
            Err(Stop::Goes(fault)) => {
                if let Some(download) = self.download.take() {
                    download.discard(&mut self.desk, &mut self.outs);
                }
                self.outs.push_back(finished(Err(fault)));
            }
        }
    }

    fn place(&mut self, now: Duration) {
        let Some(download) = &mut self.download else { return };
        let Some(mut placing) = download.placing.take() else { return };
        match placing.attempt(now, &mut self.desk, download) {
            Attempt::Waits => download.placing = Some(placing),
            Attempt::Done(found, changes) => {
                self.map = Some((core::mem::take(&mut download.level), found.clone()));
                self.download = None;
                self.outs.extend(changes);
                self.outs.push_back(finished(Ok(found)));
            }
            Attempt::Failed(fault) => {
                placing.undo(&mut self.desk);
                self.outs.push_back(finished(Err(fault)));
            }
        }
    }
}
