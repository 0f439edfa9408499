//! How many bytes of files the sharing thread has sent and taken, where the game's thread can see it. Knows no file and no limit.

use std::sync::atomic::{AtomicU64, Ordering};

use mjolnir_mapshare::swarm::Counters;

/// Bytes of map files that went between this machine and others, without what frames them. What came twice counts twice, as does
/// what turned out to be wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// To others.
    pub sent: u64,
    /// From others, that was asked for.
    pub received: u64,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Counted {
    sent: AtomicU64,
    received: AtomicU64,
}

impl Counted {
    pub(super) fn set(&self, counters: &Counters) {
        self.sent.store(counters.sent, Ordering::Relaxed);
        self.received.store(counters.received, Ordering::Relaxed);
    }

    pub(super) fn traffic(&self) -> Traffic {
        let Self { sent, received } = self;
        Traffic { sent: sent.load(Ordering::Relaxed), received: received.load(Ordering::Relaxed) }
    }
}
