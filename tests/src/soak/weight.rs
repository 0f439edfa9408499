//! What a whole game keeps in memory, from one time of trouble to the next. Knows bytes alone.

use super::Found;
use super::watch::Invariant;

/// Episodes of as many machines after which tables and buffers are as large as they get.
const WARM: u32 = 3;
/// Bytes that each machine may keep more than it then did: a world that it had not loaded yet, and a little.
const SLACK: i64 = 700_000;

/// So many episodes in a row that each keep more than any before are a leak, however small: of a world that was not
/// loaded before there is one.
const RISES: u32 = 12;
/// More than this is more.
const RISE: i64 = 4096;

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Weight {
    machines: usize,
    episodes: u32,
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
        self.bytes += bytes;
        self.rises = if self.bytes > self.highest + RISE { self.rises + 1 } else { 0 };
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
