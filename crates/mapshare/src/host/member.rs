//! A machine of the host's game, as far as maps go. Knows no other.

use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::FileSet;

use super::SOURCES_SOON;
use super::fetch::Fetch;
use super::requests::Requests;

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

    /// The game has another map: all but the turn of its requests begins anew.
    pub(super) fn begin_map(&mut self) {
        self.asked = None;
        self.fetch = Fetch::default();
        self.sources_due = None;
    }
}
