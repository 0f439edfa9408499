//! The keeper: a thread that reads and writes the files, and the game's end of its queues. Nothing on that end waits for a
//! disk but [`Keeper::wait`], and [`Keeper::finish`] for so long at most. Knows no file.

use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::string::String;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SendError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::thread::{self, JoinHandle};
use std::time::Instant;
use std::vec::Vec;

use super::clerk::{Ask, Clerk, MAX_WAITING};
use super::clock::{Clock, SystemClock};
use super::disk::{Disk, SystemDisk};
use super::{FAREWELL, LOOK, RETRY, std, words};
use crate::record::Record;

/// Joins that are asked about and not answered yet; a further one is answered at once, as refused.
pub const MAX_ASKS: usize = 256;
/// What may wait for the thread.
const JOBS: usize = 4 * MAX_ASKS;
/// What it says and nobody took yet; past twice as much the newest are not said.
const WORDS: usize = 256;

enum Job {
    Ask(Ask),
    Append(Record),
    /// Says when all before it is done.
    Wait(SyncSender<()>),
}

/// The game's end. Dropping it is [`Keeper::finish`].
#[derive(Debug)]
pub struct Keeper {
    /// None once the keeper is finished.
    jobs: Option<SyncSender<Job>>,
    answers: Receiver<(u32, bool)>,
    words: Receiver<String>,
    thread: Option<JoinHandle<(usize, Vec<String>)>>,
    /// Records that the thread had no room for, the oldest first.
    held: VecDeque<Record>,
    /// The tickets of those that are not answered yet. The answers come in their order.
    unanswered: VecDeque<u32>,
    /// Answers that need no thread.
    own_answers: Vec<(u32, bool)>,
    own_words: Vec<String>,
    /// Lines that the thread was given, and those of them that it wrote or said that it cannot.
    given: usize,
    done: Arc<AtomicUsize>,
}

impl Keeper {
    /// Keeps the files of that folder. An error: there can be no thread.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Self::with(folder, SystemDisk, SystemClock::new())
    }

    /// The same on that disk, by that clock.
    pub fn with(folder: &Path, disk: impl Disk, clock: impl Clock) -> io::Result<Self> {
        let (jobs, jobs_out) = sync_channel(JOBS);
        let (answers_in, answers) = sync_channel(MAX_ASKS);
        let (words_in, words) = sync_channel(WORDS);
        let folder = folder.to_path_buf();
        let done = Arc::new(AtomicUsize::new(0));
        let done_in = Arc::clone(&done);
        let thread = thread::Builder::new().name("files".into()).spawn(move || {
            let clerk = Clerk::new(&folder, disk, clock);
            Thread { clerk, jobs: jobs_out, answers: answers_in, words: words_in, done: done_in }.run()
        })?;
        Ok(Self {
            jobs: Some(jobs),
            answers,
            words,
            thread: Some(thread),
            held: VecDeque::new(),
            unanswered: VecDeque::with_capacity(MAX_ASKS),
            own_answers: Vec::new(),
            own_words: Vec::new(),
            given: 0,
            done,
        })
    }

    /// Asks whether a machine is banned. The answer comes by [`Keeper::take_answers`], each ask's once: that of one for which
    /// there is no room ([`MAX_ASKS`]), and of one after the end, is that it is.
    ///
    /// It comes within the disk's time, and within [`PATIENCE`](super::PATIENCE) where the list is being edited. A disk that
    /// hangs never answers: whoever lets a machine wait for it bounds that.
    pub fn ask(&mut self, ask: Ask) {
        self.hand_over();
        // A record before it is in force for it.
        let has_room = self.held.is_empty() && self.unanswered.len() < MAX_ASKS;
        if has_room && self.send(Job::Ask(ask)).is_ok() {
            self.unanswered.push_back(ask.ticket);
        } else {
            self.own_answers.push((ask.ticket, true));
        }
    }

    /// Has a line written, with the time at which the thread takes it. Of those that the thread has no room for, the oldest
    /// goes after [`MAX_WAITING`] of them, and into the log.
    pub fn append(&mut self, record: Record) {
        self.held.push_back(record);
        self.hand_over();
        if self.held.len() > MAX_WAITING
            && let Some(oldest) = self.held.pop_front()
        {
            self.own_words.push(words::lost(oldest.file(), oldest.body()));
        }
    }

    /// Appends the answers that there are: an ask's ticket, and whether that machine is banned.
    pub fn take_answers(&mut self, to: &mut Vec<(u32, bool)>) {
        self.hand_over();
        to.append(&mut self.own_answers);
        loop {
            match self.answers.try_recv() {
                Ok(answer) => {
                    self.unanswered.pop_front();
                    to.push(answer);
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    // Nobody answers those any more.
                    to.extend(self.unanswered.drain(..).map(|ticket| (ticket, true)));
                    break;
                }
            }
        }
    }

    /// Appends what is to be logged.
    pub fn take_words(&mut self, to: &mut Vec<String>) {
        to.extend(self.words.try_iter());
        to.append(&mut self.own_words);
    }

    /// Waits until all that was asked has its answer, and all that was appended was tried to be written.
    pub fn wait(&mut self) {
        while let (Some(jobs), Some(record)) = (&self.jobs, self.held.pop_front()) {
            match jobs.send(Job::Append(record)) {
                Ok(()) => self.given += 1,
                Err(SendError(job)) => {
                    if let Job::Append(record) = job {
                        self.held.push_front(record);
                    }
                    self.lose_thread();
                }
            }
        }
        let Some(jobs) = &self.jobs else { return };
        let (done, is_done) = sync_channel(1);
        if jobs.send(Job::Wait(done)).is_err() || is_done.recv().is_err() {
            self.lose_thread();
            // Its ends of the queues are gone once it is.
            let _ = self.thread.take().map(JoinHandle::join);
        }
    }

    /// Writes what waits and ends the thread; from then on everybody is refused and nothing is written. How many lines are in
    /// no file; each of them is among the words, but for those that a disk still has that hung for [`FAREWELL`].
    pub fn finish(&mut self) -> usize {
        self.finish_within(FAREWELL)
    }

    /// The same, waiting so long at most.
    pub fn finish_within(&mut self, limit: Duration) -> usize {
        let end = Instant::now() + limit;
        while !self.held.is_empty() && self.jobs.is_some() {
            self.hand_over();
            if self.held.is_empty() || Instant::now() >= end {
                break;
            }
            thread::sleep(LOOK);
        }
        let was_there = self.jobs.take().is_some();
        let mut lost = self.held.len();
        self.hand_over();
        let Some(thread) = self.thread.take() else { return lost };
        let has_hung = loop {
            match self.answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(answer) => {
                    self.unanswered.pop_front();
                    self.own_answers.push(answer);
                }
                Err(RecvTimeoutError::Timeout) => break true,
                // Its end of the queue goes with it.
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        let with_it = self.given.saturating_sub(self.done.load(Ordering::Relaxed));
        if has_hung {
            lost += with_it;
            self.own_words.extend(self.words.try_iter());
            self.own_words.push(words::hung(with_it));
            // Whom it was asked about is refused, whatever it still finds.
            self.answers = sync_channel(0).1;
            return lost;
        }
        let ended = thread.join();
        self.own_words.extend(self.words.try_iter());
        match ended {
            Ok((unwritten, last)) => {
                lost += unwritten;
                self.own_words.extend(last);
            }
            Err(_) => {
                lost += with_it;
                if was_there {
                    self.own_words.push(words::gone());
                }
            }
        }
        lost
    }

    /// Hands over as much as there is room for of what was held; where there is no thread, to the log.
    fn hand_over(&mut self) {
        while let Some(record) = self.held.pop_front() {
            match self.send(Job::Append(record)) {
                Ok(()) => self.given += 1,
                Err(Job::Append(record)) if self.jobs.is_none() => {
                    self.own_words.push(words::lost(record.file(), record.body()));
                }
                Err(Job::Append(record)) => {
                    self.held.push_front(record);
                    break;
                }
                Err(_) => break,
            }
        }
    }

    fn send(&mut self, job: Job) -> Result<(), Job> {
        let Some(jobs) = &self.jobs else { return Err(job) };
        match jobs.try_send(job) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(job)) => Err(job),
            Err(TrySendError::Disconnected(job)) => {
                self.lose_thread();
                Err(job)
            }
        }
    }

    /// The thread ended by itself, which only a bug does.
    fn lose_thread(&mut self) {
        self.jobs = None;
        self.own_words.push(words::gone());
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The thread's end.
struct Thread<D, C> {
    clerk: Clerk<D, C>,
    jobs: Receiver<Job>,
    answers: SyncSender<(u32, bool)>,
    words: SyncSender<String>,
    done: Arc<AtomicUsize>,
}

impl<D: Disk, C: Clock> Thread<D, C> {
    /// Until the game's end is gone: how many lines are in no file, and what was not said yet.
    fn run(mut self) -> (usize, Vec<String>) {
        let (mut asks, mut waits) = (Vec::new(), Vec::<SyncSender<()>>::new());
        let mut said = VecDeque::new();
        let mut appended = 0;
        loop {
            self.say(&mut said);
            let first = if self.clerk.waiting() > 0 || !said.is_empty() {
                match self.jobs.recv_timeout(RETRY) {
                    Err(RecvTimeoutError::Timeout) => {
                        self.clerk.write();
                        self.done.store(appended - self.clerk.waiting(), Ordering::Relaxed);
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                    Ok(job) => job,
                }
            } else {
                let Ok(job) = self.jobs.recv() else { break };
                job
            };
            // All that came meanwhile is one reading and one writing.
            for job in core::iter::once(first).chain(self.jobs.try_iter().take(JOBS)) {
                match job {
                    Job::Ask(ask) => asks.push(ask),
                    Job::Append(record) => {
                        self.clerk.append(&record);
                        appended += 1;
                    }
                    Job::Wait(done) => waits.push(done),
                }
            }
            if !asks.is_empty() {
                let answers = &self.answers;
                // There is room for as many as may be asked.
                self.clerk.answer(&asks, |ticket, refused| {
                    let _ = answers.try_send((ticket, refused));
                });
                asks.clear();
            }
            self.clerk.write();
            self.done.store(appended - self.clerk.waiting(), Ordering::Relaxed);
            self.say(&mut said);
            for done in waits.drain(..) {
                let _ = done.try_send(());
            }
        }
        let lost = self.clerk.finish();
        let mut last = Vec::from(said);
        self.clerk.take_words(&mut last);
        (lost, last)
    }

    /// Says what there is to say, as far as there is room.
    fn say(&mut self, said: &mut VecDeque<String>) {
        let mut new = Vec::new();
        self.clerk.take_words(&mut new);
        said.extend(new.into_iter().take(WORDS.saturating_sub(said.len())));
        while let Some(word) = said.pop_front() {
            if let Err(TrySendError::Full(word)) = self.words.try_send(word) {
                said.push_front(word);
                break;
            }
        }
    }
}
