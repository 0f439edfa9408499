//! The games that were heard of, each once however many addresses it is heard from. Knows no packet but the
//! advertisement.
//!
//! Whoever is on the network can advertise, so the table is bounded: full, it gives up a game whose host never
//! answered a ping before one whose host did.

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use mjolnir_wire::address::household;
use mjolnir_wire::packets::Advertisement;
use mjolnir_wire::{Moment, names};

use crate::error::Error;
use crate::limits::{GAME_ADDRESSES, GAME_SILENCE, GAMES, GAMES_PER_ADDRESS, PING_PERIOD};
use crate::version::{VersionRefusal, check_version};

/// A game in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    advertisement: Advertisement,
    /// Where it is heard from: at most [`GAME_ADDRESSES`] together.
    first: Way,
    others: Vec<Way>,
}

/// An address that a host is heard from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    address: SocketAddr,
    heard: Moment,
    /// When it was last pinged, and the timestamp of a ping without an answer.
    pinged: Option<Moment>,
    awaited: Option<i32>,
    round_trip: Option<u64>,
}

impl Way {
    const fn new(address: SocketAddr, heard: Moment) -> Self {
        Self { address, heard, pinged: None, awaited: None, round_trip: None }
    }
}

impl Game {
    /// What its host last said of it, its texts cleaned of what does not print.
    pub const fn advertisement(&self) -> &Advertisement {
        &self.advertisement
    }

    /// Where it is joined: of the addresses that it is heard from the nearest, at the port that it says.
    pub fn address(&self) -> SocketAddr {
        self.joined_at(self.nearest())
    }

    /// Microseconds to its host and back, once a ping was answered.
    pub fn round_trip(&self) -> Option<u64> {
        self.nearest().round_trip
    }

    /// Chooses it: where to join, or the text for the player who chose a game that this build does not play
    /// (NET-01, 02). Such a game stays in the list (NET-03).
    pub fn choose(&self) -> Result<SocketAddr, VersionRefusal> {
        check_version(self.advertisement.version, self.advertisement.is_distributed())?;
        Ok(self.address())
    }

    /// Whether it is joined there.
    pub(super) fn is_at(&self, address: SocketAddr) -> bool {
        self.ways().any(|way| way.address == address || self.joined_at(way) == address)
    }

    fn joined_at(&self, way: &Way) -> SocketAddr {
        let mut address = way.address;
        if self.advertisement.port != 0 {
            address.set_port(self.advertisement.port);
        }
        address
    }

    fn nearest(&self) -> &Way {
        let trip = |way: &Way| way.round_trip.unwrap_or(u64::MAX);
        self.others
            .iter()
            .fold(&self.first, |nearest, way| if trip(way) < trip(nearest) { way } else { nearest })
    }

    /// Whether an advertisement is this game's: its host's nonce and key are the same, or where it has none its
    /// address.
    fn is(&self, from: SocketAddr, other: &Advertisement) -> bool {
        let identity = |game: &Advertisement| (game.nonce, game.key_id);
        if identity(other) == ([0; 8], [0; 8]) {
            return identity(&self.advertisement) == ([0; 8], [0; 8]) && self.is_heard_from(from);
        }
        identity(other) == identity(&self.advertisement)
    }

    fn is_heard_from(&self, from: SocketAddr) -> bool {
        self.ways().any(|way| way.address == from)
    }

    fn is_heard_only_from(&self, from: SocketAddr) -> bool {
        self.first.address == from && self.others.is_empty()
    }

    fn ways(&self) -> impl Iterator<Item = &Way> {
        core::iter::once(&self.first).chain(&self.others)
    }

    fn ways_mut(&mut self) -> impl Iterator<Item = &mut Way> {
        core::iter::once(&mut self.first).chain(&mut self.others)
    }

    fn hear(&mut self, now: Moment, from: SocketAddr) {
        if let Some(way) = self.ways_mut().find(|way| way.address == from) {
            way.heard = now;
        } else if 1 + self.others.len() < GAME_ADDRESSES {
            self.others.push(Way::new(from, now));
        }
    }

    /// Forgets where it is not heard any more. Whether it is still heard somewhere.
    fn keep_ways(&mut self, is_kept: impl Fn(&Way) -> bool) -> bool {
        self.others.retain(&is_kept);
        if is_kept(&self.first) {
            return true;
        }
        let has_another = !self.others.is_empty();
        if has_another {
            self.first = self.others.remove(0);
        }
        has_another
    }
}

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Listing(Vec<Game>);

impl Listing {
    pub(super) fn games(&self) -> &[Game] {
        &self.0
    }

    /// Takes an advertisement from there.
    pub(super) fn handle(
        &mut self,
        now: Moment,
        from: SocketAddr,
        advertisement: &Advertisement,
    ) -> Result<(), Error> {
        let advertisement = cleaned(advertisement);
        let known = self.0.iter().position(|game| game.is(from, &advertisement));
        if known.is_none() && !self.0.iter().any(|game| game.is_heard_only_from(from)) {
            self.make_room(from.ip())?;
        }
        match known.and_then(|at| self.0.get_mut(at)) {
            Some(game) => {
                game.advertisement = advertisement;
                game.hear(now, from);
            }
            None => self.0.push(Game { advertisement, first: Way::new(from, now), others: Vec::new() }),
        }
        // An address is one host's: what it was before is over.
        let its = known.unwrap_or(self.0.len() - 1);
        let mut at = 0;
        self.0.retain_mut(|game| {
            let is_its = at == its;
            at += 1;
            is_its || game.keep_ways(|way| way.address != from)
        });
        Ok(())
    }

    /// Takes a ping's answer from there.
    pub(super) fn handle_pong(&mut self, now: Moment, from: SocketAddr, timestamp: i32) -> Result<(), Error> {
        let mut ways = self.0.iter_mut().flat_map(Game::ways_mut);
        let way = ways.find(|way| way.address == from && way.awaited == Some(timestamp));
        let way = way.ok_or(Error::Unasked)?;
        way.awaited = None;
        way.round_trip = way.pinged.map(|pinged| now.since(pinged));
        Ok(())
    }

    /// Forgets what is not heard any more, and says to whom pings are due: an address and the timestamp.
    pub(super) fn poll(&mut self, now: Moment, mut ping: impl FnMut(SocketAddr, i32)) {
        // Milliseconds as they travel: they wrap, and come back as they were.
        let timestamp = (now.as_micros() / 1000) as i32;
        self.0.retain_mut(|game| game.keep_ways(|way| now.since(way.heard) < GAME_SILENCE));
        for way in self.0.iter_mut().flat_map(Game::ways_mut) {
            if way.pinged.is_none_or(|pinged| now.since(pinged) >= PING_PERIOD) {
                way.pinged = Some(now);
                way.awaited = Some(timestamp);
                ping(way.address, timestamp);
            }
        }
    }

    /// Makes room for a game that is heard from there: among that address's own games where it has many, so that no
    /// machine fills the table from its ports, else among all.
    fn make_room(&mut self, from: IpAddr) -> Result<(), Error> {
        let house = household(from);
        let is_neighbour = |game: &Game| household(game.first.address.ip()) == house;
        let has_most = !from.is_loopback()
            && self.0.iter().filter(|game| is_neighbour(game)).count() >= GAMES_PER_ADDRESS;
        if !has_most && self.0.len() < GAMES {
            return Ok(());
        }
        let heard = |game: &Game| game.ways().map(|way| way.heard).max();
        let unproved = self
            .0
            .iter()
            .enumerate()
            .filter(|(_, game)| game.round_trip().is_none() && (!has_most || is_neighbour(game)));
        let (at, _) = unproved.min_by_key(|(_, game)| heard(game)).ok_or(Error::TooManyGames)?;
        self.0.remove(at);
        Ok(())
    }
}

/// With its texts fit for a console.
fn cleaned(advertisement: &Advertisement) -> Advertisement {
    Advertisement {
        name: names::clean(&advertisement.name),
        map: names::clean_level(advertisement.map),
        ..*advertisement
    }
}
