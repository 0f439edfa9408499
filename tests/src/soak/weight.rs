//! What a whole game keeps in memory, from one time of trouble to the next. Knows bytes alone.

use super::Found;
use super::watch::Invariant;

/// Episodes of as many machines after which tables and buffers are as large as they get.
const WARM: u32 = 3;
/// Bytes that each machine may keep more than it then did: a world that it had not loaded yet, and a little.
const SLACK: i64 = 700_000;

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Weight {
    machines: usize,
    episodes: u32,
    bytes: i64,
    most: i64,
}

impl Weight {
    /// What an episode left behind, or gave back; and how many machines there have been at once.
    pub(super) fn add(&mut self, bytes: i64, machines: usize) -> Found<()> {
        if machines > self.machines {
            (self.machines, self.episodes) = (machines, 0);
        }
        self.episodes += 1;
        self.bytes += bytes;
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
