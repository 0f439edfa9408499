//! Stand-ins together, at whatever host they are: each goes on as the host's own words to it do. Knows no host's inside
//! and no clock.

use std::net::{IpAddr, SocketAddr};

use super::standin::{Stage, Standin};
use super::wire::{Wired, loopback};

/// Looks that are taken for what should come; each waits for a datagram, if need be for as long as
/// [`Wired::wait`] does.
const LOOKS: u32 = 20_000;
/// Players come a few at a time.
const AT_ONCE: usize = 16;

/// See the file's text.
pub(crate) struct Crowd {
    pub(crate) all: Vec<Wired>,
    buffer: Vec<u8>,
}

impl Crowd {
    pub(crate) fn new() -> Self {
        Self { all: Vec::new(), buffer: vec![0; 1 << 16] }
    }

    /// Lets them play until all holds. One whose stream ends before ends the test.
    pub(crate) fn until(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        for _ in 0..LOOKS {
            if holds(self) {
                return;
            }
            let lost = self.all.iter().filter(|wired| wired.is_closed).count();
            assert_eq!(lost, 0, "{what}: of {} so many were closed", self.all.len());
            if let Some(first) = self.all.first() {
                first.wait();
            }
            for wired in &mut self.all {
                wired.pump(&mut self.buffer);
            }
        }
        panic!("{what}: never came");
    }

    /// Lets them play until each has heard of that tick.
    pub(crate) fn until_tick(&mut self, tick: i32) {
        let has = move |crowd: &mut Self| crowd.all.iter().all(|wired| wired.standin.heard() >= tick);
        self.until("a tick of the game", has);
    }

    /// So many come to the lobby, from loopback addresses with that third byte, until each has a player.
    pub(crate) fn gather(&mut self, number: u8, third: u8, host: SocketAddr) {
        for place in 0..number {
            let mut standin = Standin::new(&format!("S{place}"));
            standin.update_every = u32::from(place) % 3 + 1;
            self.all.push(Wired::connect(standin, loopback(third, place + 2), host));
            if self.all.len().is_multiple_of(AT_ONCE) {
                self.until("being let in", |crowd| {
                    crowd.all.iter().all(|wired| wired.standin.stage == Stage::Lobby)
                });
            }
        }
        self.until("a player each", |crowd| crowd.all.iter().all(|wired| wired.standin.is_listed()));
    }

    /// One more comes from that address, and is told that the game is full.
    pub(crate) fn has_no_room(&mut self, ip: IpAddr, host: SocketAddr) {
        self.all.push(Wired::connect(Standin::new("More"), ip, host));
        self.until("a refusal", |crowd| crowd.all.last().is_some_and(|wired| wired.is_closed));
        assert_eq!(self.all.pop().map(|wired| wired.standin.stage), Some(Stage::Rejected(4)));
    }

    /// Lets them load until all are in the game.
    pub(crate) fn until_playing(&mut self) {
        self.until("the game", |crowd| crowd.all.iter().all(|wired| wired.standin.stage == Stage::Playing));
    }
}
