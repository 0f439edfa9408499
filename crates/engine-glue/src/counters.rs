//! Every crate's counters together, for logs and summaries (GLUE-13). Knows names and numbers.

use std::collections::BTreeMap;

use mjolnir_transport::{self as transport, Dropped, Reasons, Traffic};

/// What became of clients' hits (TOOL-66's `hits`). What a machine does not do stays 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// On a client those that it reported, on a host those that were reported to it.
    pub reported: u64,
    /// On a host: those dealt.
    pub dealt: u64,
    /// On a host: those refused.
    pub rejected: u64,
    /// On a client: the host's damage events that it replayed.
    pub replayed: u64,
}

impl Hits {
    pub(crate) const fn add(&mut self, other: Self) {
        self.reported += other.reported;
        self.dealt += other.dealt;
        self.rejected += other.rejected;
        self.replayed += other.replayed;
    }

    const fn since(self, earlier: Self) -> Self {
        Self {
            reported: self.reported.saturating_sub(earlier.reported),
            dealt: self.dealt.saturating_sub(earlier.dealt),
            rejected: self.rejected.saturating_sub(earlier.rejected),
            replayed: self.replayed.saturating_sub(earlier.replayed),
        }
    }
}

/// What a machine counted since it was made, its earlier games among it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Messages sent: packets, distributed messages, parts of batches.
    pub sent: u64,
    /// Messages received.
    pub received: u64,
    /// Predictions of clients that a host took.
    pub taken: u64,
    /// Copies put where the host has them.
    pub corrected: u64,
    /// Own players moved by the host's word.
    pub own_corrections: u64,
    /// Vehicles that own players drive moved by the host's word.
    pub own_vehicle_corrections: u64,
    /// Objects that a host's game made where no other machine may have them.
    pub misplaced: u64,
    /// Deletions of what a client did not have.
    pub needless_deletions: u64,
    /// Objects that a client's game did not make though it was told to, each time that it was (TOOL-67's `!`).
    pub failed: u64,
    /// Objects that a client's game had and its host, by then, had told it nothing of: they are gone (TOOL-67's `x`).
    pub removed: u64,
    /// Hits of clients.
    pub hits: Hits,
    /// Damage events that a host did not send, of more than leave in a tick (DMG-61).
    pub damage_dropped: u64,
    /// Messages too large to be sent.
    pub unsendable: u64,
    /// Messages dropped, by why.
    pub dropped: Dropped,
    /// Messages and entries refused, by reason.
    pub refused: BTreeMap<&'static str, u64>,
}

impl Counters {
    /// What was counted since the same machine had counted that much.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let refused = self.refused.iter().map(|(reason, count)| {
            let before = earlier.refused.get(reason).copied().unwrap_or_default();
            (*reason, count.saturating_sub(before))
        });
        Self {
            sent: self.sent.saturating_sub(earlier.sent),
            received: self.received.saturating_sub(earlier.received),
            taken: self.taken.saturating_sub(earlier.taken),
            corrected: self.corrected.saturating_sub(earlier.corrected),
            own_corrections: self.own_corrections.saturating_sub(earlier.own_corrections),
            own_vehicle_corrections: self
                .own_vehicle_corrections
                .saturating_sub(earlier.own_vehicle_corrections),
            misplaced: self.misplaced.saturating_sub(earlier.misplaced),
            needless_deletions: self.needless_deletions.saturating_sub(earlier.needless_deletions),
            failed: self.failed.saturating_sub(earlier.failed),
            removed: self.removed.saturating_sub(earlier.removed),
            hits: self.hits.since(earlier.hits),
            damage_dropped: self.damage_dropped.saturating_sub(earlier.damage_dropped),
            unsendable: self.unsendable.saturating_sub(earlier.unsendable),
            dropped: Dropped {
                stale: self.dropped.stale.saturating_sub(earlier.dropped.stale),
                far_stamp: self.dropped.far_stamp.saturating_sub(earlier.dropped.far_stamp),
                undecodable: self.dropped.undecodable.saturating_sub(earlier.dropped.undecodable),
                unknown_kind: self.dropped.unknown_kind.saturating_sub(earlier.dropped.unknown_kind),
            },
            refused: refused.filter(|(_, count)| *count > 0).collect(),
        }
    }

    /// Adds the session's own.
    pub(crate) fn add_session(&mut self, session: &transport::Counters, traffic: &Traffic) {
        self.sent += traffic.sent.messages;
        self.received += traffic.received.messages;
        self.dropped = session.dropped;
        self.add_refused(&session.refused);
    }

    pub(crate) fn add_refused(&mut self, refused: &Reasons) {
        for (reason, count) in refused.iter() {
            self.add(reason, count);
        }
    }

    pub(crate) fn add(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.refused.entry(reason).or_default() += count;
        }
    }
}
