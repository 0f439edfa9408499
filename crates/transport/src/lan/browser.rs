//! A searcher: it asks who has a game, lists who answers or says so unasked, and pings them. Knows no socket and joins
//! nothing: a game that was chosen is joined by another.
//!
//! It is polled in every frame, and owns no thread: a list that is empty is shown as empty at once.

use alloc::vec::Vec;
use core::net::SocketAddr;

use mjolnir_wire::address::canonical;
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::advertisement::PROTOCOL;
use mjolnir_wire::packets::list::{Ping, Search};
use mjolnir_wire::{MessageType, Moment};

use super::listing::{Game, Listing};
use crate::counters::Counters;
use crate::error::Error;
use crate::limits::SEARCH_PERIOD;
use crate::network::{NetEvent, Network, Transmits};

/// See the module's text.
#[derive(Debug)]
pub struct Browser {
    port: u16,
    nonce: [u8; 8],
    targets: Vec<SocketAddr>,
    searched: Option<Moment>,
    listing: Listing,
    counters: Counters,
    out: Transmits,
}

impl Browser {
    /// Searches at those addresses. `port` is its own socket's, where it is to be answered; `nonce` comes back with
    /// the answers, and tells this searcher from others if it was drawn at random.
    pub fn new(port: u16, nonce: [u8; 8], targets: Vec<SocketAddr>) -> Self {
        Self {
            port,
            nonce,
            targets,
            searched: None,
            listing: Listing::default(),
            counters: Counters::default(),
            out: Transmits::new(),
        }
    }

    /// Takes what the network has to tell. What is no game's answer is counted and forgotten.
    pub fn handle(&mut self, now: Moment, event: NetEvent<'_>) {
        let NetEvent::Datagram { from, bytes } = event else {
            return;
        };
        if let Err(error) = self.handle_datagram(now, canonical(from), bytes) {
            self.counters.count(error);
        }
    }

    fn handle_datagram(&mut self, now: Moment, from: SocketAddr, bytes: &[u8]) -> Result<(), Error> {
        let (MessageType::Packet, bytes) = read_datagram(bytes)? else {
            return Err(Error::Unexpected);
        };
        match Packet::read(bytes)? {
            Packet::Advertise(advertise) => self.listing.handle(now, from, &advertise.game),
            Packet::Pong(pong) => self.listing.handle_pong(now, from, pong.timestamp),
            _ => Err(Error::Unexpected),
        }
    }

    /// Does what is due: searches, pings, forgets games that are not heard any more.
    pub fn poll(&mut self, now: Moment) {
        let Self { port, nonce, out, .. } = self;
        let mut say = |to, packet: &Packet<'_>| {
            out.datagram_with(to, |bytes| {
                // What a searcher says fits.
                let _ = packet.write(bytes);
            });
        };
        if self.searched.is_none_or(|searched| now.since(searched) >= SEARCH_PERIOD) {
            self.searched = Some(now);
            let search = Packet::Search(Search { port: *port, protocol: PROTOCOL, nonce: *nonce });
            self.targets.iter().for_each(|to| say(*to, &search));
        }
        self.listing.poll(now, |to, timestamp| {
            say(to, &Packet::Ping(Ping { timestamp, port: *port as i16 }));
        });
    }

    /// The games that are there, in the order in which they were first heard.
    pub fn games(&self) -> &[Game] {
        self.listing.games()
    }

    /// The game that is joined at that address, however it was heard of.
    pub fn game_at(&self, address: SocketAddr) -> Option<&Game> {
        let address = canonical(address);
        self.games().iter().find(|game| game.is_at(address))
    }

    /// What is to be sent; [`Browser::clear_transmits`] once it was.
    pub const fn transmits(&self) -> &Transmits {
        &self.out
    }

    /// Forgets what was sent.
    pub fn clear_transmits(&mut self) {
        self.out.clear();
    }

    /// Hands everything that is to be sent to a network.
    pub fn send(&mut self, now: Moment, network: &mut impl Network) {
        network.send(now, &self.out);
        self.out.clear();
    }

    /// What was dropped and refused.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }
}
