//! Every crate's counters together, for logs and summaries (GLUE-13). Knows names and numbers.

use std::collections::BTreeMap;

use mjolnir_transport::{self as transport, Dropped, Reasons, Traffic};

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
    /// Messages too large to be sent.
    pub unsendable: u64,
    /// Messages dropped, by why.
    pub dropped: Dropped,
    /// Messages and entries refused, by reason.
    pub refused: BTreeMap<&'static str, u64>,
    /// Hits.
    pub hits: Hits,
}

/// Hits that clients reported, and the host's word on damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Reports: sent by a client, received by a host.
    pub reported: u64,
    /// Of those that a host received, dealt.
    pub dealt: u64,
    /// Of those that a host received, refused.
    pub rejected: u64,
    /// Damage events that a client replayed.
    pub replayed: u64,
}

impl Counters {
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
