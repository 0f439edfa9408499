//! What waits to be written down: no more of it than a log has a use for. Knows no log.

use alloc::string::String;
use alloc::vec::{Drain, Vec};

/// Words that wait at most; more are dropped.
const MOST: usize = 64;

/// See the file's text.
#[derive(Debug, Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn push(&mut self, word: String) {
        if self.0.len() < MOST {
            self.0.push(word);
        }
    }

    pub(crate) fn drain(&mut self) -> Drain<'_, String> {
        self.0.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_words_wait_than_the_most() {
        let mut words = Words::default();
        (0..MOST + 1).for_each(|at| words.push(alloc::format!("{at}")));
        assert_eq!(words.drain().next_back().as_deref(), Some("63"));
        assert_eq!(words.drain().count(), 0);
    }
}
