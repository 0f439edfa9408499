//! When a host says that its game is there, and to whom (NET-51, 52, 70). Knows no game: what is said is the host's.
//!
//! A search is from anybody who can write an address on it. So whatever was asked, one advertisement leaves in
//! [`ADVERTISE_PERIOD`], and of all the searches since the last the newest is kept, in the one place there is for it.

use core::net::SocketAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::limits::CLIENT_PORT;
use mjolnir_wire::packets::advertisement::PROTOCOL;
use mjolnir_wire::packets::list::Search;

use super::{Broadcast, is_local};
use crate::error::Error;
use crate::limits::{ADVERTISE_PERIOD, ANNOUNCE_PERIOD};

/// Who is to be told now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// One who searched.
    Searcher(SocketAddr),
    /// Everybody in the list.
    Everybody,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Announcer {
    to: Broadcast,
    /// Where the newest search wants its answer, until it has it.
    asked: Option<SocketAddr>,
    /// The newest search's nonce; what is broadcast bears it too.
    nonce: [u8; 8],
    advertised: Option<Moment>,
    announced: Option<Moment>,
}

impl Announcer {
    pub(crate) const fn new(to: Broadcast) -> Self {
        Self { to, asked: None, nonce: [0; 8], advertised: None, announced: None }
    }

    /// Takes a search. One of another protocol is somebody else's and is passed over (WIRE-96).
    pub(crate) fn handle_search(&mut self, from: SocketAddr, search: &Search) -> Result<(), Error> {
        if search.protocol != PROTOCOL {
            return Ok(());
        }
        if !is_local(from.ip()) {
            return Err(Error::NotLocal);
        }
        let port = if search.port == 0 { CLIENT_PORT } else { search.port };
        // The rest of an IPv6 address, as the link that it is on, stays.
        let mut answer_to = from;
        answer_to.set_port(port);
        self.asked = Some(answer_to);
        self.nonce = search.nonce;
        Ok(())
    }

    /// Who is told now, if anybody; it counts as told. Everybody goes first, so that no flood of searches keeps a
    /// game from being seen.
    pub(crate) fn next(&mut self, now: Moment) -> Option<Due> {
        let is_past = |then: Option<Moment>, period| then.is_none_or(|then| now.since(then) >= period);
        if !is_past(self.advertised, ADVERTISE_PERIOD) {
            return None;
        }
        let due = if !self.to.addresses().is_empty() && is_past(self.announced, ANNOUNCE_PERIOD) {
            self.announced = Some(now);
            Due::Everybody
        } else {
            Due::Searcher(self.asked.take()?)
        };
        self.advertised = Some(now);
        Some(due)
    }

    pub(crate) const fn nonce(&self) -> [u8; 8] {
        self.nonce
    }

    /// One of those in the list.
    pub(crate) fn target(&self, index: usize) -> Option<SocketAddr> {
        let address = *self.to.addresses().get(index)?;
        Some(SocketAddr::new(address.into(), CLIENT_PORT))
    }
}
