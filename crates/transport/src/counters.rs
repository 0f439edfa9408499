//! What was sent, had, dropped and refused. Knows numbers alone.

use crate::error::Error;

/// Different reasons that a table tells apart; what is past them is counted under [`Reasons::OTHER`].
const REASONS: usize = 48;

/// How often each reason was given, in the order in which they first were.
#[derive(Clone, Copy, Debug)]
pub struct Reasons {
    table: [(&'static str, u64); REASONS],
    length: usize,
}

impl Default for Reasons {
    fn default() -> Self {
        Self { table: [(Self::OTHER, 0); REASONS], length: 0 }
    }
}

impl Reasons {
    /// The reason of those that found no room in the table.
    pub const OTHER: &'static str = "other";

    /// Counts one.
    pub fn count(&mut self, reason: &'static str) {
        let known = self.table[..self.length].iter().position(|(known, _)| *known == reason);
        let at = match known {
            Some(at) => at,
            None if self.length < REASONS - 1 => {
                self.table[self.length] = (reason, 0);
                self.length += 1;
                self.length - 1
            }
            None => {
                self.length = REASONS;
                REASONS - 1
            }
        };
        self.table[at].1 += 1;
    }

    /// How often that reason was given.
    pub fn of(&self, reason: &str) -> u64 {
        self.iter().find(|(known, _)| *known == reason).map_or(0, |(_, count)| count)
    }

    /// All of them together.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Each reason with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.table[..self.length].iter().copied()
    }
}

/// Messages of the netcode that were dropped, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Older than the newest of their kind.
    pub stale: u64,
    /// Stamped too far from the newest.
    pub far_stamp: u64,
    /// Not a message.
    pub undecodable: u64,
    /// Of a kind or number that this version does not know.
    pub unknown_kind: u64,
}

/// What went one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Bytes of streams.
    pub stream_bytes: u64,
    /// Bytes of datagrams.
    pub datagram_bytes: u64,
    /// Datagrams.
    pub datagrams: u64,
    /// Messages: a packet, a distributed message, or a part of a batch.
    pub messages: u64,
}

impl Flow {
    /// Bytes of streams and datagrams together.
    pub const fn bytes(&self) -> u64 {
        self.stream_bytes + self.datagram_bytes
    }

    pub(crate) const fn stream(&mut self, bytes: usize) {
        self.stream_bytes += bytes as u64;
    }

    pub(crate) const fn datagram(&mut self, bytes: usize) {
        self.datagram_bytes += bytes as u64;
        self.datagrams += 1;
    }

    pub(crate) const fn add(&mut self, other: &Self) {
        self.stream_bytes += other.stream_bytes;
        self.datagram_bytes += other.datagram_bytes;
        self.datagrams += other.datagrams;
        self.messages += other.messages;
    }
}

/// What went both ways between two machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// To the other machine.
    pub sent: Flow,
    /// From it.
    pub received: Flow,
}

impl Traffic {
    pub(crate) const fn add(&mut self, other: &Self) {
        self.sent.add(&other.sent);
        self.received.add(&other.received);
    }
}

/// What was not taken, since its owner was made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// What was dropped.
    pub dropped: Dropped,
    /// What was refused, by reason.
    pub refused: Reasons,
}

impl Counters {
    /// Counts what was not taken, in the table where it belongs.
    pub fn count(&mut self, error: Error) {
        match error {
            Error::Stale => self.dropped.stale += 1,
            Error::FarStamp => self.dropped.far_stamp += 1,
            Error::Malformed(mjolnir_wire::Error::UnknownKind) => self.dropped.unknown_kind += 1,
            Error::Malformed(_) => self.dropped.undecodable += 1,
            other => self.refused.count(other.reason()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_counts_the_rest_together() {
        let names: alloc::vec::Vec<&'static str> =
            (0..60).map(|i| &*alloc::boxed::Box::leak(alloc::format!("r{i}").into_boxed_str())).collect();
        let mut reasons = Reasons::default();
        for name in &names {
            reasons.count(name);
            reasons.count(name);
        }
        assert_eq!(reasons.total(), 120);
        assert_eq!(reasons.of("r0"), 2);
        assert_eq!(reasons.of(Reasons::OTHER), 2 * (60 - 47));
    }
}
