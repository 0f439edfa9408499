//! What happened, kept until it is asked for: the newest of it, where nobody asks. Knows no notice.

use std::collections::VecDeque;
use std::mem;

/// Notices kept; past them the oldest is forgotten. A game that asks each frame sees every one.
pub const NOTICES_KEPT: usize = 256;

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Notices<T>(VecDeque<T>);

impl<T> Default for Notices<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Notices<T> {
    pub(crate) fn push(&mut self, notice: T) {
        if self.0.len() == NOTICES_KEPT {
            self.0.pop_front();
        }
        self.0.push_back(notice);
    }

    /// All of them, the oldest first.
    pub(crate) fn take(&mut self) -> Vec<T> {
        mem::take(&mut self.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What strangers can cause does not grow without a bound: the newest are kept, and each told once.
    #[test]
    fn the_newest_are_kept() {
        let mut notices = Notices::default();
        for number in 0..NOTICES_KEPT {
            notices.push(number);
        }
        assert_eq!(notices.take(), (0..NOTICES_KEPT).collect::<Vec<_>>());
        for number in 0..=NOTICES_KEPT {
            notices.push(number);
        }
        assert_eq!(notices.take(), (1..=NOTICES_KEPT).collect::<Vec<_>>());
        assert_eq!(notices.take(), []);
    }
}
