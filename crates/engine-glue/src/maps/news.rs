//! News on their way from the sharing thread to the game's.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError, TryLockError};
use std::time::Duration;

use mjolnir_mapshare::News;

/// Words that wait at most; more are dropped.
const WORDS: usize = 64;

/// What waits to be taken. Of a download's progress only the newest waits, so that a game that loads meanwhile finds no heap.
#[derive(Debug, Default)]
pub(super) struct Board {
    waiting: Mutex<Waiting>,
    posted: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    news: VecDeque<News>,
    words: usize,
    /// What is ordered from now on is done by nobody.
    has_ended: bool,
}

impl Board {
    /// Puts it last.
    pub(super) fn post(&self, news: News) {
        // Nothing panics under it.
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let (News::Progress { .. }, Some(last @ News::Progress { .. })) = (&news, waiting.news.back_mut())
        {
            *last = news;
            return;
        }
        if let News::Word(_) = news {
            if waiting.words >= WORDS {
                return;
            }
            waiting.words += 1;
        }
        waiting.news.push_back(news);
        drop(waiting);
        self.posted.notify_one();
    }

    /// There will be no more answers.
    pub(super) fn end(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
        self.posted.notify_one();
    }

    /// Appends all of it; nothing while the other thread holds it, which is no time for the game to wait. Whether that is all there will
    /// be.
    pub(super) fn take(&self, into: &mut Vec<News>) -> bool {
        let mut waiting = match self.waiting.try_lock() {
            Ok(waiting) => waiting,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        waiting.hand_over(into)
    }

    /// The same, once there is any or will be none, or so long has passed.
    pub(super) fn wait(&self, into: &mut Vec<News>, at_most: Duration) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_to_wait = |waiting: &mut Waiting| waiting.news.is_empty() && !waiting.has_ended;
        let waited = self.posted.wait_timeout_while(waiting, at_most, is_to_wait);
        waited.unwrap_or_else(PoisonError::into_inner).0.hand_over(into)
    }
}

impl Waiting {
    fn hand_over(&mut self, into: &mut Vec<News>) -> bool {
        self.words = 0;
        into.extend(self.news.drain(..));
        self.has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(board: &Board) -> Vec<News> {
        let mut news = Vec::new();
        board.take(&mut news);
        news
    }

    fn progress(had: u64) -> News {
        News::Progress { had, is_checking: false }
    }

    fn word(number: usize) -> News {
        News::Word(number.to_string())
    }

    /// Progress that was not taken gives way to newer; what stands between keeps its order.
    #[test]
    fn only_the_newest_progress_waits() {
        let board = Board::default();
        for news in [progress(1), progress(2), word(0), progress(3), progress(4)] {
            board.post(news);
        }
        assert_eq!(taken(&board), [progress(2), word(0), progress(4)]);
        assert_eq!(taken(&board), []);
        board.post(progress(5));
        assert_eq!(taken(&board), [progress(5)]);
    }

    /// So many words wait and no more, and a word that was taken makes room.
    #[test]
    fn words_that_nobody_takes_are_bounded() {
        let board = Board::default();
        (0..=WORDS).for_each(|number| board.post(word(number)));
        assert_eq!(taken(&board), (0..WORDS).map(word).collect::<Vec<_>>());
        board.post(word(7));
        assert_eq!(taken(&board), [word(7)]);
    }
}
