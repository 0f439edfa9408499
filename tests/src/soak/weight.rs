//! What a whole game keeps in memory, from one time of trouble to the next. Knows bytes alone.

use super::Found;
use super::watch::Invariant;

/// Episodes of as many machines after which tables and buffers are as large as they get.
const WARM: u32 = 3;
/// Bytes that each machine may keep more than it then did: a world that it had not loaded yet, and a little.
const SLACK: i64 = 700_000;

/// So many episodes in a row that each keep more than any before are a leak, however small: of a world that was not
/// loaded before there is one. As many at a game's beginning do not count: buffers are made as they are first needed.
const RISES: u32 = 12;
/// More than this is more.
const RISE: i64 = 4096;

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Weight {
    machines: usize,
    episodes: u32,
    played: u32,
    bytes: i64,
    most: i64,
    highest: i64,
    rises: u32,
}

impl Weight {
    /// What an episode left behind, or gave back; and how many machines there have been at once.
    pub(super) fn add(&mut self, bytes: i64, machines: usize) -> Found<()> {
        if machines > self.machines {
            (self.machines, self.episodes) = (machines, 0);
        }
        self.episodes += 1;
        self.played += 1;
        self.bytes += bytes;
        let rises = self.played > RISES && self.bytes > self.highest + RISE;
        self.rises = if rises { self.rises + 1 } else { 0 };
        self.highest = self.highest.max(self.bytes);
        if self.rises >= RISES {
            let what = format!("{} bytes are kept, and more each time for {RISES} times", self.bytes);
            return Err((Invariant::Growth, what));
        }
        if self.episodes <= WARM {
            self.most = self.most.max(self.bytes);
            return Ok(());
        }
        if self.bytes > self.most + SLACK * self.machines as i64 {
            let what = format!("{} bytes are kept, where {} were", self.bytes, self.most);
            return Err((Invariant::Growth, what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What episodes keep, until that is too much; and after how many it was.
    fn weigh(episodes: impl IntoIterator<Item = i64>) -> Option<usize> {
        let mut weight = Weight::default();
        episodes.into_iter().position(|bytes| weight.add(bytes, 4).is_err()).map(|at| at + 1)
    }

    /// A small leak is found after twice twelve episodes, one that is as small as a buffer's growth is not; nor are
    /// buffers that are made in the first twelve, or what comes and goes.
    #[test]
    fn a_small_leak_is_found() {
        assert_eq!(weigh([RISE + 1; 50]), Some(24));
        assert_eq!(weigh([RISE; 50]), None);
        assert_eq!(weigh([20_000; 12].into_iter().chain([0; 40])), None);
        assert_eq!(weigh([20_000; 23].into_iter().chain([0; 40])), None);
        assert_eq!(weigh((0..60).map(|at| if at % 2 == 0 { 50_000 } else { -49_000 })), None);
    }

    /// A large one is found as soon as four machines keep what four worlds would.
    #[test]
    fn a_large_leak_is_found() {
        let most = 4 * SLACK;
        assert_eq!(weigh([0, 0, 0, most]), None);
        assert_eq!(weigh([0, 0, 0, most, 1]), Some(5));
        assert_eq!(weigh([most, 0, 0, most]), None);
    }
}
