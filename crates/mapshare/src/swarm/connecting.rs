//! Which connections are taken, made, kept and given up (MAP-23, 24, 38 to 43, 74, 82).

use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::FileSet;
use mjolnir_wire::swarm::Hello;

use super::error::Error;
use super::link::{Link, Made};
use super::sources::{BRINGS_WITHIN, HOST_AGAIN, LOOK_EVERY, NAMED_MAX};
use super::{Output, Swarm};
use crate::download::{Conn, Rank};
use crate::order::Place;

/// Connections at once (MAP-38).
pub const CONNECTIONS_MAX: usize = 24;
/// Of those, ones that others made (MAP-38).
pub const ACCEPTED_MAX: usize = 15;
/// Of those, ones from one address (MAP-39).
pub const OF_ADDRESS_MAX: usize = 4;
/// Of those, ones that have not said hello (MAP-40).
pub const NEW_MAX: usize = 8;

impl Link {
    pub(super) fn rank(&self) -> Rank {
        match self.made {
            Made::ByOther => Rank::Incoming,
            Made::ToHost => Rank::Host,
            Made::ToNamed(_) => Rank::Named,
        }
    }

    pub(super) fn is_own(&self) -> bool {
        self.made != Made::ByOther
    }

    fn is_named(&self) -> bool {
        matches!(self.made, Made::ToNamed(_))
    }
}

impl Swarm {
    /// Another machine has connected from that address. Whether it is taken; if not, it is closed before a byte of it is read or
    /// anything is said to it.
    pub fn accepted(&mut self, now: Moment, conn: Conn, from: IpAddr) -> bool {
        let from = from.to_canonical();
        match self.admit(from) {
            Ok(makes_way) => {
                if let Some(oldest) = makes_way {
                    self.close(now, oldest, Error::MadeWay);
                }
                let turn = self.upload.next_turn();
                self.links.push(Link::new(now, conn, from, Made::ByOther, turn));
                true
            }
            Err(error) => {
                self.counters.count(error);
                false
            }
        }
    }

    /// A connection that this machine makes is open.
    pub fn connected(&mut self, now: Moment, conn: Conn) {
        if let Some(link) = self.links.iter_mut().find(|link| link.conn == conn) {
            link.opened(now);
        }
    }

    /// A connection has ended, or could not be made.
    pub fn closed(&mut self, now: Moment, conn: Conn) {
        self.remove(now, conn);
        self.pump(now);
    }

    /// Whether one from that address is taken, and which makes way for it.
    fn admit(&self, from: IpAddr) -> Result<Option<Conn>, Error> {
        let game = self.game.ok_or(Error::NoGame)?;
        // What others have of files that are not known yet would be said to nobody, and once.
        if game.host.is_some() && self.files.known().is_empty() {
            return Err(Error::NoGame);
        }
        let is_member = |(_, address): &(_, IpAddr)| address.to_canonical() == from;
        if game.host.is_none() && !self.members.iter().any(is_member) {
            return Err(Error::NotAMember);
        }
        let accepted = || self.links.iter().filter(|link| !link.is_own());
        if accepted().filter(|link| link.address == from).count() >= OF_ADDRESS_MAX {
            return Err(Error::TooManyOfAddress);
        }
        // Those that others made stand in the order in which they came.
        let mut new = accepted().filter(|link| link.is_new());
        match (new.next(), new.count() + 1) {
            (Some(oldest), NEW_MAX..) => Ok(Some(oldest.conn)),
            _ if accepted().count() >= ACCEPTED_MAX || self.links.len() >= CONNECTIONS_MAX => {
                Err(Error::TooMany)
            }
            _ => Ok(None),
        }
    }

    /// Whether the other end, as far as it is known, may be one of this machine's.
    pub(super) fn may_be(&self, link: &Link) -> bool {
        let is_host = self.game.is_some_and(|game| game.host.is_none());
        let is_it = |(machine, address): &(_, IpAddr)| {
            address.to_canonical() == link.address && link.machine().is_none_or(|other| other == *machine)
        };
        !is_host || link.is_own() || self.members.iter().any(is_it)
    }

    /// Its first frame: whether the other end is of this game, and the one that it is to be (MAP-74). Of two connections of the
    /// same two machines one is closed; that may be this one.
    pub(super) fn hello(&mut self, now: Moment, conn: Conn, hello: Hello) -> Result<(), Error> {
        let game = self.game.ok_or(Error::NoGame)?;
        let known = self.files_to_tell();
        let news = self.news.len();
        let Some(at) = self.index(conn) else {
            return Ok(());
        };
        if hello.map_version != game.map_version {
            return Err(Error::OtherMap);
        }
        let is_it = match self.links[at].made {
            Made::ByOther => true,
            Made::ToHost => hello.is_host,
            Made::ToNamed(machine) => hello.machine == machine,
        };
        if !is_it || hello.machine == game.machine {
            return Err(Error::OtherMachine);
        }
        let link = &mut self.links[at];
        link.hello = Some(hello);
        (link.saying.haves, link.saying.news) = (known, news);
        if !self.may_be(&self.links[at]) {
            return Err(Error::OtherMachine);
        }
        if let Some(loser) = self.doubled(at) {
            self.drop_link(now, loser);
        }
        let link = self.links.iter().find(|link| link.conn == conn);
        if let (Some(download), Some(link), true) = (&mut self.download, link, hello.sends) {
            download.add(conn, link.address, link.rank());
        }
        self.part(now);
        Ok(())
    }

    /// Which of two connections between this machine and the one at that connection's other end is closed: the one that the
    /// higher machine made, or the older of two that one made (MAP-82). An end at another address is another end, whatever it
    /// says that it is.
    fn doubled(&self, at: usize) -> Option<Conn> {
        let this = &self.links[at];
        let machine = this.machine()?;
        let is_other = |link: &&Link| link.conn != this.conn && link.machine() == Some(machine);
        let other = self.links.iter().filter(is_other).find(|link| link.address == this.address)?;
        let own_stays = self.game?.machine < machine;
        let this_stays = this.is_own() == other.is_own() || this.is_own() == own_stays;
        Some(if this_stays { other.conn } else { this.conn })
    }

    /// What there is anything of to tell.
    fn files_to_tell(&self) -> FileSet {
        let download = self.download.as_ref();
        let has_some = |file: &_| download.is_some_and(|download| download.bitmap(*file).is_some());
        self.fetched.iter().filter(has_some).fold(self.files.wholes(), FileSet::with)
    }

    pub(super) fn index(&self, conn: Conn) -> Option<usize> {
        self.links.iter().position(|link| link.conn == conn)
    }

    /// Closes a connection for a fault, or for what it did not do.
    pub(super) fn close(&mut self, now: Moment, conn: Conn, error: Error) {
        self.counters.count(error);
        if let Some(at) = self.index(conn)
            && error.is_a_lie()
            && self.links[at].is_named()
        {
            self.sources.bar(self.links[at].address);
        }
        self.drop_link(now, conn);
    }

    /// Closes a connection without blame.
    pub(super) fn drop_link(&mut self, now: Moment, conn: Conn) {
        if self.remove(now, conn) {
            self.outputs.push_back(Output::Close(conn));
        }
    }

    fn remove(&mut self, now: Moment, conn: Conn) -> bool {
        let Some(at) = self.index(conn) else {
            return false;
        };
        let link = self.links.remove(at);
        match link.made {
            Made::ByOther => {}
            Made::ToHost => self.sources.host_at = now.plus(HOST_AGAIN + self.random.below(HOST_AGAIN)),
            Made::ToNamed(machine) => self.sources.rest(now, machine, link.hello.is_some()),
        }
        if let Some(download) = &mut self.download {
            download.forget(conn);
        }
        true
    }

    /// A connection whose time is over, and why.
    pub(super) fn given_up(&self, now: Moment) -> Option<(Conn, Error)> {
        let ends = self.links.iter().map(|link| (link.conn, link.ends()));
        ends.filter(|(_, (at, _))| *at <= now).map(|(conn, (_, error))| (conn, error)).next()
    }

    /// Whether it is looked now and then whom to connect to.
    pub(super) fn looks(&self) -> bool {
        self.download.is_some() && !self.has_all && self.game.is_some_and(|game| game.host.is_some())
    }

    /// Connects to the host and to those it named, as many as there may be (MAP-23).
    pub(super) fn look(&mut self, now: Moment) {
        if !self.looks() || now < self.sources.look_at {
            return;
        }
        self.sources.look_at = now.plus(LOOK_EVERY);
        if let Some(host) = self.game.and_then(|game| game.host)
            && now >= self.sources.host_at
            && !self.links.iter().any(|link| link.made == Made::ToHost)
        {
            self.connect(now, host, Made::ToHost);
        }
        while let Some(place) = self.candidate(now) {
            if !self.sources.may_connect(now) {
                return;
            }
            if self.links.iter().filter(|link| link.is_named()).count() >= NAMED_MAX {
                let brings_nothing =
                    |link: &&Link| link.is_named() && now.since(link.brought) >= BRINGS_WITHIN;
                let Some(link) = self.links.iter().filter(brings_nothing).min_by_key(|link| link.brought)
                else {
                    return;
                };
                let conn = link.conn;
                self.drop_link(now, conn);
            }
            if self.links.len() >= CONNECTIONS_MAX {
                return;
            }
            self.connect(now, place.address, Made::ToNamed(place.machine));
        }
    }

    fn candidate(&mut self, now: Moment) -> Option<Place> {
        let own = self.game?.machine;
        let is_connected = |place: &Place| self.links.iter().any(|link| link.is_of(place));
        self.sources.choose(now, &mut self.random, own, self.fetched, is_connected)
    }

    fn connect(&mut self, now: Moment, address: IpAddr, made: Made) {
        let conn = Conn::new(self.next);
        self.next = (self.next + 1) % Conn::FIRST_ACCEPTED;
        let turn = self.upload.next_turn();
        self.links.push(Link::new(now, conn, address.to_canonical(), made, turn));
        self.counters.connects += 1;
        self.outputs.push_back(Output::Connect(conn, address));
    }

    /// While nothing is fetched, a connection that this machine made is kept for an end that still fetches, and for no other.
    pub(super) fn part(&mut self, now: Moment) {
        if self.download.is_some() {
            return;
        }
        let known = self.files.known();
        let is_done = |link: &&Link| {
            link.is_own()
                && link
                    .hello
                    .is_none_or(|hello| !hello.is_downloading || known.without(link.whole).is_empty())
        };
        while let Some(link) = self.links.iter().find(is_done) {
            let conn = link.conn;
            self.drop_link(now, conn);
        }
    }
}
