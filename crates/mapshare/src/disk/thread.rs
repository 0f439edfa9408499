//! The disk's thread, and the other end of its queues, on which nothing waits for a disk but the end of the program, for
//! [`FAREWELL`] at most. Knows no file.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::clerk::{Clerk, deliver};
use super::download::Out;
use super::folder::Folder;
use super::hashing::Engine;
use super::shelf::SharedShelf;
use super::system::System;
use super::{FAREWELL, Loader, std};
use crate::job::{Done, Job};

/// The other end. Dropping it ends the thread.
#[derive(Debug)]
pub struct Thread {
    /// None once it ends.
    jobs: Option<Sender<Job>>,
    outs: Receiver<Out>,
    shelf: SharedShelf,
    thread: Option<JoinHandle<()>>,
}

impl Thread {
    /// Keeps the map files of the game's folder `maps`: the custom maps in `maps/custom_maps`, the resource maps in `maps` itself.
    /// `wake` is called, on the disk's thread or on a reader's of the shelf, when there is something to take. An error: there can be no
    /// thread.
    pub fn start(
        maps: &Path,
        loader: impl Loader,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::with(System::new(maps), loader, wake)
    }

    /// The same in that folder.
    pub fn with(
        folder: impl Folder,
        loader: impl Loader,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (jobs, jobs_out) = channel();
        let (outs_in, outs) = channel();
        let wake: Arc<dyn Fn() + Send + Sync> = Arc::new(wake);
        let clerk = Clerk::with(folder, loader, Engine::new(), Arc::clone(&wake));
        let shelf = clerk.shelf();
        let run = move || {
            // However it ends, that is looked for once its end of the queue is gone.
            let _last = Last(Arc::clone(&wake));
            Run { clerk, jobs: jobs_out, outs: outs_in, wake, start: Instant::now() }.run();
        };
        let thread = thread::Builder::new().name("maps".into()).spawn(run)?;
        Ok(Self { jobs: Some(jobs), outs, shelf, thread: Some(thread) })
    }

    /// Hands over a job. How many wait is the caller's to bound: each is answered, but [`Job::Abandon`].
    pub fn give(&mut self, job: Job) {
        let is_given = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if !is_given {
            // It ended by itself, which only a bug does: what it was asked is never answered.
            self.jobs = None;
        }
    }

    /// Appends what was done since. From then on the shelf has what it says.
    pub fn take(&mut self, to: &mut Vec<Done>) {
        let mut outs = Vec::new();
        let is_there = loop {
            match self.outs.try_recv() {
                Ok(out) => outs.push(out),
                Err(TryRecvError::Empty) => break true,
                Err(TryRecvError::Disconnected) => break false,
            }
        };
        deliver(&self.shelf, outs, to);
        if !is_there && self.thread.take().is_some() {
            to.push(Done::Word("What reads and writes map files has ended.".to_string()));
        }
    }

    /// Whether it has ended by itself, as [`Thread::take`] has found: what it was asked is never answered.
    pub const fn has_ended(&self) -> bool {
        self.thread.is_none()
    }

    /// The files that are shared, for any thread.
    pub fn shelf(&self) -> SharedShelf {
        self.shelf.clone()
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.jobs = None;
        let Some(thread) = self.thread.take() else { return };
        let end = Instant::now() + FAREWELL;
        loop {
            match self.outs.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                // A disk that hangs is not waited for.
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Its end of the queue goes with it; what it ended by was its own.
        let _ = thread.join();
    }
}

/// Wakes when it is dropped.
struct Last(Arc<dyn Fn() + Send + Sync>);

impl Drop for Last {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The thread's end.
struct Run<F, L> {
    clerk: Clerk<F, L>,
    jobs: Receiver<Job>,
    outs: Sender<Out>,
    wake: Arc<dyn Fn() + Send + Sync>,
    start: Instant,
}

impl<F: Folder, L: Loader> Run<F, L> {
    /// Until the other end is gone. A search or a check that is under way is left then.
    fn run(mut self) {
        let mut is_busy = false;
        loop {
            if !is_busy {
                match self.wait() {
                    Ok(job) => self.clerk.give(job),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            // All that came meanwhile: pieces that wait are hashed together.
            let is_there = loop {
                match self.jobs.try_recv() {
                    Ok(job) => self.clerk.give(job),
                    Err(TryRecvError::Empty) => break true,
                    Err(TryRecvError::Disconnected) => break false,
                }
            };
            if !is_there {
                break;
            }
            is_busy = self.clerk.step(self.start.elapsed());
            let mut has_said = false;
            for out in self.clerk.take_outs() {
                has_said = true;
                // Nobody is told who is gone.
                let _ = self.outs.send(out);
            }
            if has_said {
                (self.wake)();
            }
        }
        self.clerk.finish(self.start.elapsed());
    }

    /// The next job; a timeout where something is due before it comes.
    fn wait(&self) -> Result<Job, RecvTimeoutError> {
        match self.clerk.next_due() {
            None => self.jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => {
                let left = due.saturating_sub(self.start.elapsed());
                self.jobs.recv_timeout(left.max(Duration::from_millis(1)))
            }
        }
    }
}
