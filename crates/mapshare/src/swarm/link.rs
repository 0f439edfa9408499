//! One connection: whose it is, what it has said, and when it is given up. Knows no other.

use core::net::IpAddr;

use mjolnir_wire::mapshare::FileSet;
use mjolnir_wire::swarm::Hello;
use mjolnir_wire::{Machine, Moment};

use super::cutting::Cutter;
use super::error::Error;
use super::saying::Saying;
use crate::download::Conn;
use crate::order::Place;

/// Microseconds in which a connection says hello, and in which one that this machine makes is open (MAP-41).
pub const HELLO_WITHIN: u64 = 10 * Moment::SECOND;
/// Microseconds without a whole frame after which a connection closes (MAP-42).
pub const SILENCE_MAX: u64 = 30 * Moment::SECOND;
/// Microseconds without a frame sent after which an idle goes (MAP-81).
pub const IDLE_AFTER: u64 = 10 * Moment::SECOND;

/// Who made a connection, and to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Another machine did.
    ByOther,
    /// This one, to the host.
    ToHost,
    /// This one, to a machine that the host named.
    ToNamed(Machine),
}

/// A connection.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) conn: Conn,
    pub(super) address: IpAddr,
    pub(super) made: Made,
    pub(super) is_open: bool,
    /// When it was made, and then when it was open.
    since: Moment,
    pub(super) hello: Option<Hello>,
    /// When the last whole frame came.
    heard: Moment,
    /// When the last frame left.
    pub(super) said: Moment,
    /// When the last block came that was due.
    pub(super) brought: Moment,
    pub(super) cutter: Cutter,
    pub(super) saying: Saying,
    /// The game's files that the other end says it has whole.
    pub(super) whole: FileSet,
    /// Those of which it has said what it has, whole or not.
    pub(super) known: FileSet,
    /// The turn in which it was sent a block last.
    pub(super) served: u64,
    /// Whether it could be written to since the last poll, and whether it is passed over until it can.
    pub(super) was_filled: bool,
    pub(super) is_stuck: bool,
}

impl Link {
    pub(super) fn new(now: Moment, conn: Conn, address: IpAddr, made: Made, turn: u64) -> Self {
        Self {
            conn,
            address,
            made,
            is_open: made == Made::ByOther,
            since: now,
            hello: None,
            heard: now,
            said: now,
            brought: now,
            cutter: Cutter::default(),
            saying: Saying::new(),
            whole: FileSet::NONE,
            known: FileSet::NONE,
            served: turn,
            was_filled: true,
            is_stuck: false,
        }
    }

    pub(super) fn opened(&mut self, now: Moment) {
        self.is_open = true;
        (self.since, self.heard, self.said, self.brought) = (now, now, now, now);
    }

    /// A whole frame came.
    pub(super) fn heard(&mut self, now: Moment) {
        self.heard = now;
    }

    /// The machine at its other end, once it has said so.
    pub(super) fn machine(&self) -> Option<Machine> {
        self.hello.map(|hello| hello.machine)
    }

    /// Whether the machine that was named there is at its other end, or is to be. Who is elsewhere and says that it is that machine is
    /// another.
    pub(super) fn is_of(&self, place: &Place) -> bool {
        let is_there = self.machine() == Some(place.machine) && self.address == place.address.to_canonical();
        self.made == Made::ToNamed(place.machine) || is_there
    }

    /// Whether another machine made it, and has not said hello.
    pub(super) fn is_new(&self) -> bool {
        self.made == Made::ByOther && self.hello.is_none()
    }

    /// When it is given up as it is, and why.
    pub(super) fn ends(&self) -> (Moment, Error) {
        match self.hello {
            None => (self.since.plus(HELLO_WITHIN), Error::NoHello),
            Some(_) => (self.heard.plus(SILENCE_MAX), Error::Silent),
        }
    }

    /// When an idle is due; none while one waits to leave.
    pub(super) fn idles(&self) -> Option<Moment> {
        (self.is_open && !self.saying.idle).then_some(self.said.plus(IDLE_AFTER))
    }

    /// Whether a block is due to it that could be written.
    pub(super) fn waits_for_block(&self) -> bool {
        !self.is_stuck && self.saying.asked().next().is_some()
    }
}
