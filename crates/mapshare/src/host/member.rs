//! A machine of the host's game, as far as maps go. Knows no other.

use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::FileSet;

use super::SOURCES_SOON;
use super::fetch::Fetch;
use super::requests::{REQUEST_PERIOD, Requests};

/// What a machine asked and was not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Files of the game's map.
    Files(FileSet),
    /// Another level's.
    OtherLevel,
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Member {
    /// Where it really is, if anywhere.
    pub(super) address: Option<IpAddr>,
    pub(super) requests: Requests,
    pub(super) asked: Option<Asked>,
    /// Since when a request of it waited for its turn first, while the game has its map.
    waits_since: Option<Moment>,
    pub(super) fetch: Fetch,
    /// When it is told of sources again; none while it gets nothing.
    pub(super) sources_due: Option<Moment>,
    /// When it was last.
    pub(super) sources_told: Moment,
}

impl Member {
    pub(super) fn new(address: Option<IpAddr>) -> Self {
        Self {
            address,
            requests: Requests::default(),
            asked: None,
            waits_since: None,
            fetch: Fetch::default(),
            sources_due: None,
            sources_told: Moment::START,
        }
    }

    /// Whether others may have files of it.
    pub(super) fn is_source(&self) -> bool {
        !self.fetch.sends().is_empty()
    }

    /// There is a new source: it is not to wait for its turn.
    pub(super) fn tell_soon(&mut self) {
        if let Some(due) = &mut self.sources_due {
            *due = self.sources_told.plus(SOURCES_SOON).min(*due);
        }
    }

    /// Notes when a request of it waits for its turn first.
    pub(super) fn poll(&mut self, now: Moment) {
        if self.requests.is_waiting() {
            self.waits_since.get_or_insert(now);
        }
    }

    /// Whether it waits for this host to answer what it asked: also while its turn is not yet, as where the game came to another map
    /// just after it had asked for the one before. That is two turns at most, the one before's and its own, and nothing is owed to
    /// who asks on (MAP-56).
    pub(super) fn is_owed(&self, now: Moment) -> bool {
        let is_first = self.waits_since.is_none_or(|since| now.since(since) <= 2 * REQUEST_PERIOD);
        self.asked.is_some() || self.requests.is_waiting() && is_first
    }

    /// The game has another map: all but the turn of its requests begins anew.
    pub(super) fn begin_map(&mut self) {
        self.asked = None;
        self.waits_since = None;
        self.fetch = Fetch::default();
        self.sources_due = None;
    }
}
