//! The jobs that wait for the disk's thread, and which answers are still a download's. Knows no disk.

use alloc::collections::VecDeque;

use crate::job::{Done, Job};

/// See the file's text. A download's jobs are answered in order, so answers are counted: those of a download that was given up come
/// first, and are nothing to the one after it.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    waiting: VecDeque<Job>,
    /// Answers that the download at hand waits for.
    awaited: usize,
    /// Answers to jobs of downloads that were given up.
    stale: usize,
}

impl Jobs {
    /// It is to be done.
    pub(super) fn give(&mut self, job: Job) {
        match job {
            Job::Begin { .. } | Job::Resume { .. } | Job::Take { .. } | Job::Finish => self.awaited += 1,
            Job::Look { .. } | Job::Hash { .. } | Job::Abandon => {}
        }
        self.waiting.push_back(job);
    }

    /// The next that is to be done.
    pub(super) fn take(&mut self) -> Option<Job> {
        self.waiting.pop_front()
    }

    /// The download at hand is over: what it waits for is nothing any more.
    pub(super) fn give_up(&mut self) {
        self.stale += core::mem::take(&mut self.awaited);
    }

    /// Whether an answer is still something to somebody.
    pub(super) fn is_awaited(&mut self, done: &Done) -> bool {
        match done {
            Done::Looked { .. } | Done::Hashed { .. } | Done::Lost(_) | Done::Word(_) => true,
            Done::Begun(_) | Done::Resumed { .. } | Done::Took { .. } | Done::Finished(_) => {
                let is_awaited = self.stale == 0 && self.awaited > 0;
                if is_awaited {
                    self.awaited -= 1;
                } else {
                    self.stale = self.stale.saturating_sub(1);
                }
                is_awaited
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_a_download_that_was_given_up_are_nothing_to_the_next() {
        let mut jobs = Jobs::default();
        jobs.give(Job::Finish);
        jobs.give(Job::Finish);
        let done = Done::Begun(Ok(()));
        assert!(jobs.is_awaited(&done));
        jobs.give_up();
        jobs.give(Job::Abandon);
        jobs.give(Job::Finish);
        assert!(!jobs.is_awaited(&done));
        assert!(jobs.is_awaited(&done));
        assert!(!jobs.is_awaited(&done));
    }
}
