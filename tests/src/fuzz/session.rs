//! Whole games by a list of what is done to them: sent, lost, delayed, damaged, doubled, held up, joined, left, forged.
//! Knows the lab, and no message.
//!
//! Whatever is done, no count and no tick goes back, and once nothing is done any more whoever is still in the game
//! has every player where the host has it.

use std::net::SocketAddr;

use arbitrary::{Arbitrary, Unstructured};
use mjolnir_engine_glue::client;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_wire::message::word;
use mjolnir_wire::{Kind, MessageType, Tick};

use super::counted::Counted;
use crate::{Lab, Plan, Seating, bot};

/// Clients at the beginning.
const CLIENTS: usize = 2;
/// Clients that there ever are, at most.
const MOST_CLIENTS: usize = 5;
/// Things done in one game, at most.
const DEEDS: usize = 24;
/// Ticks that one of them lasts, at most.
const LONGEST: u8 = 30;
/// Seconds in which those who are still in come to agree: one that has just asked to join loads in them, one that
/// leaves is gone.
const QUIET: f64 = 6.0;
/// Seconds for all to come to a stand.
const STILL: f64 = 3.0;
/// How far apart two machines may then have a player, in wu.
const APART: f32 = 0.5;
/// Bytes of a forged datagram, at most.
const FORGED: usize = 200;

/// A share, in 255ths of a half: with more than half of everything lost a game is no game.
type Share = u8;

/// One thing done to a game. A machine is chosen by a number: 0 the host, then the clients.
#[derive(Arbitrary, Clone, Debug)]
enum Deed {
    /// So many ticks pass.
    Run(u8),
    /// A share of what a machine receives is lost.
    Lose(u8, Share),
    /// What a machine receives is so many milliseconds late, and up to as many more again.
    Delay(u8, u8, u8),
    /// A share is damaged.
    Damage(u8, Share),
    /// A share comes twice.
    Double(u8, Share),
    /// A share is overtaken.
    Reorder(u8, Share),
    /// Nothing goes wrong with what a machine receives.
    Mend(u8),
    /// A client's process stands still for so many ticks.
    Stall(u8, u8),
    /// Nothing passes between a client and the others for so many ticks.
    Sever(u8, u8),
    /// A client joins.
    Join,
    /// A client leaves in order.
    Leave(u8),
    /// A client's process ends.
    Kill(u8),
    /// A machine gets a datagram as if from the one of that number, the one past the last being nobody.
    Forge { to: u8, from: u8, framed: bool, kind: u8, count: u8, back: u8, body: Vec<u8> },
}

/// A game, and what must not go back in it.
struct Game {
    lab: Lab,
    host: (Counted, Tick),
    clients: Vec<(Counted, Option<Tick>, usize)>,
}

impl Game {
    fn run(&mut self, ticks: u32) {
        let Self { lab, host, clients } = self;
        lab.watch_ticks(ticks, |lab, _| {
            clients.resize_with(lab.clients.len(), Default::default);
            host.0.take(lab.host.net.counters());
            assert!(lab.host.net.now_tick() >= host.1, "the host's tick went back");
            host.1 = lab.host.net.now_tick();
            for (seat, (counted, last, told)) in lab.clients.iter().zip(clients.iter_mut()) {
                counted.take(seat.net.counters());
                let began = seat.notices.iter().skip(*told).any(|(_, of)| *of == client::Notice::Began);
                *told = seat.notices.len();
                let tick = seat.net.clock().tick();
                if seat.net.stage() == client::Stage::Playing {
                    assert!(began || tick >= *last, "a client's tick went back from {last:?} to {tick:?}");
                    *last = tick;
                }
            }
        });
    }

    /// The place of the client that a number chooses, if it runs.
    fn running(&self, number: u8) -> Option<usize> {
        let place = usize::from(number) % self.lab.clients.len();
        self.lab.clients[place].runs.then_some(place)
    }

    /// What goes wrong with what a machine receives becomes what `change` makes of it.
    fn faults(&mut self, of: u8, change: impl FnOnce(Faults) -> Faults) {
        let count = self.lab.clients.len() + 1;
        let network = match usize::from(of) % count {
            0 => &mut self.lab.host.network,
            place => &mut self.lab.clients[place - 1].network,
        };
        let impair = network.impair();
        let faults = change(impair.faults());
        impair.set_faults(faults);
    }

    fn address(&self, number: u8) -> SocketAddr {
        match usize::from(number) % (self.lab.clients.len() + 2) {
            0 => self.lab.host.network.address(),
            place => match self.lab.clients.get(place - 1) {
                Some(seat) => seat.network.address(),
                None => SocketAddr::from(([10, 9, 9, 9], 5150)),
            },
        }
    }

    fn does(&mut self, deed: Deed) {
        match deed {
            Deed::Run(ticks) => self.run(ticks_of(ticks)),
            Deed::Lose(of, share) => self.faults(of, |faults| Faults { loss: part(share), ..faults }),
            Deed::Delay(of, late, more) => self.faults(of, |faults| Faults {
                latency_us: u64::from(late) * 1000,
                jitter_us: u64::from(more) * 1000,
                ..faults
            }),
            Deed::Damage(of, share) => self.faults(of, |faults| Faults { corrupt: part(share), ..faults }),
            Deed::Double(of, share) => self.faults(of, |faults| Faults { duplicate: part(share), ..faults }),
            Deed::Reorder(of, share) => self.faults(of, |faults| Faults { reorder: part(share), ..faults }),
            Deed::Mend(of) => self.faults(of, |_| Faults::default()),
            Deed::Stall(of, ticks) => {
                if let Some(place) = self.running(of) {
                    self.lab.clients[place].runs = false;
                    self.run(ticks_of(ticks));
                    self.lab.clients[place].runs = true;
                }
            }
            Deed::Sever(of, ticks) => {
                if let Some(place) = self.running(of) {
                    self.lab.partition(place, true);
                    self.run(ticks_of(ticks));
                    self.lab.partition(place, false);
                }
            }
            Deed::Join => {
                let place = self.lab.clients.len();
                if place < MOST_CLIENTS {
                    self.lab.join(Seating::of(vec![bot(place as u64 + 100)]));
                }
            }
            Deed::Leave(of) => {
                if let Some(place) = self.running(of) {
                    self.lab.quit(place);
                }
            }
            Deed::Kill(of) => {
                if let Some(place) = self.running(of) {
                    self.lab.kill(place);
                }
            }
            Deed::Forge { to, from, framed, kind, count, back, mut body } => {
                body.truncate(FORGED);
                let bytes = if framed {
                    // Not ahead: whoever can send from the host's address may move a clock (CLOCK-22).
                    let kind = if kind == Kind::Batch as u8 { Kind::Pings as u8 } else { kind };
                    batch(kind, count, self.lab.tick().minus(u32::from(back)), &body)
                } else {
                    body
                };
                let from = self.address(from);
                match usize::from(to) % (self.lab.clients.len() + 1) {
                    0 => self.lab.host.network.forge(from, &bytes),
                    place => self.lab.clients[place - 1].network.forge(from, &bytes),
                }
            }
        }
    }
}

fn ticks_of(number: u8) -> u32 {
    u32::from(number % LONGEST) + 1
}

fn part(share: Share) -> f32 {
    f32::from(share) / 510.0
}

/// A datagram with one part.
fn batch(kind: u8, count: u8, tick: Tick, body: &[u8]) -> Vec<u8> {
    let stamp = tick.get().to_le_bytes();
    let part = [&[kind, count], &stamp[..], body].concat();
    let length = (part.len() as u16).to_le_bytes();
    let batch = [&[Kind::Batch as u8, 0], &stamp[..], &length, &part].concat();
    let word = word(MessageType::Data, batch.len() + 2).expect("shorter than a message may be");
    [&word, &batch[..]].concat()
}

/// The target.
pub(super) fn session(bytes: &[u8]) {
    let mut from = Unstructured::new(bytes);
    let seed = u64::from(u16::arbitrary(&mut from).unwrap_or_default());
    let map = if seed % 2 == 0 { "flat" } else { "rooms" };
    let lab = Lab::play(Plan::new(map, seed, CLIENTS));
    let mut game = Game { host: (Counted::default(), lab.tick()), clients: Vec::new(), lab };
    for _ in 0..DEEDS {
        if from.is_empty() {
            break;
        }
        let Ok(deed) = Deed::arbitrary(&mut from) else { break };
        game.does(deed);
    }
    game.run(1);
    game.lab.set_faults(Faults::default());
    game.run((QUIET * 30.0) as u32);
    for seat in &mut game.lab.clients {
        let out = matches!(seat.net.stage(), client::Stage::Closed);
        seat.runs &= !out;
    }
    game.lab.stand_still();
    game.run((STILL * 30.0) as u32);
    for (place, seat) in game.lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs) {
        assert_eq!(seat.net.stage(), client::Stage::Playing, "client {place} is neither in nor out");
    }
    let apart = game.lab.apart().expect("every player on every machine");
    assert!(apart < APART, "{apart} wu apart");
}
