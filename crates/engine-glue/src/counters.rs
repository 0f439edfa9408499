//! Every crate's counters together, for logs and summaries (GLUE-13). Knows names and numbers.

use std::collections::BTreeMap;

use mjolnir_transport::{self as transport, Dropped, Reasons, Traffic};

/// What a machine counted since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Messages sent: packets, distributed messages, parts of batches.
    pub sent: u64,
    /// Messages received.
    pub received: u64,
    /// Copies put where the host has them.
    pub corrected: u64,
    /// Own players moved by the host's word.
    pub own_corrections: u64,
    /// Messages too large to be sent.
    pub unsendable: u64,
    /// Messages dropped, by why.
    pub dropped: Dropped,
    /// Messages and entries refused, by reason.
    pub refused: BTreeMap<&'static str, u64>,
}

impl Counters {
    /// The session's own.
    pub(crate) fn of(session: &transport::Counters, traffic: &Traffic) -> Self {
        let mut counters = Self {
            sent: traffic.sent.messages,
            received: traffic.received.messages,
            dropped: session.dropped,
            ..Self::default()
        };
        counters.add_refused(&session.refused);
        counters
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
