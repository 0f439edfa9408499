//! What a liar does to its datagrams on their way out, and what it overhears of where the host has its players. Knows
//! the frame and the stamps in it, no message's meaning but these.

use std::collections::VecDeque;

use mjolnir_engine_glue::transport::Transmits;
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::message::word;
use mjolnir_wire::objects::ObjectState;
use mjolnir_wire::units::{Life, UnitState};
use mjolnir_wire::{Kind, Message, MessageType, Parts, Tick};

use super::{Cheat, Heard};

/// Where a message's tick stands in it, and in a part of a batch.
const STAMP: usize = 4;
/// Where the first part of a batch begins, and the first entry of a part.
const BODY: usize = 8;
/// Bytes of an entry of kind 14, and where its tick stands in it.
const INPUT: (usize, usize) = (52, 4);
/// The same of kind 12, of whose tick it has the lower half.
const VEHICLE: (usize, usize) = (44, 6);
/// Datagrams that it remembers.
const KEPT: usize = 64;

/// Ticks for which whoever says little of where it is says all at first: to get into a vehicle it has to.
const BEGINS: u32 = 60;

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Forger {
    cheats: Vec<Cheat>,
    heard: Heard,
    newest: Option<Tick>,
    first: Option<Tick>,
    /// What it would have sent of late, newest last.
    kept: VecDeque<Vec<u8>>,
    /// One that waits for the next to overtake it.
    waits: Option<Vec<u8>>,
}

impl Forger {
    pub(crate) fn new(cheats: &[Cheat], heard: Heard) -> Self {
        Self { cheats: cheats.to_vec(), heard, newest: None, first: None, kept: VecDeque::new(), waits: None }
    }

    /// A datagram of the host's came.
    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        let Some(batch) = batch(bytes) else { return };
        if self.newest.is_some_and(|newest| batch.tick < newest) {
            return;
        }
        self.newest = Some(batch.tick);
        for part in Parts::of(&batch).flatten().filter(|part| part.kind == Kind::UnitStates) {
            for state in UnitState::read_all(&part).flatten() {
                let Life::Alive(unit) = state.life else { continue };
                let there = unit.placement.map(|placement| (state.slot, placement));
                self.heard.borrow_mut().players.extend(there);
            }
        }
        for part in Parts::of(&batch).flatten().filter(|part| part.kind == Kind::ObjectStates) {
            let there = ObjectState::read_all(&part).flatten().map(|state| (state.object, state.motion));
            self.heard.borrow_mut().vehicles.extend(there);
        }
    }

    /// What goes out in place of that.
    pub(crate) fn send(&mut self, out: &Transmits) -> Transmits {
        let mut forged = Transmits::new();
        for (to, bytes) in out.datagrams() {
            let Some(tick) = batch(bytes).map(|batch| batch.tick) else {
                forged.datagram(to, bytes);
                continue;
            };
            let withholds = self.withholds(tick);
            let mut bytes = if withholds { without_predictions(bytes) } else { bytes.to_vec() };
            let stamp = self.stamp(tick);
            if stamp != tick {
                restamp(&mut bytes, stamp);
            }
            for bytes in self.ways(bytes, stamp) {
                forged.datagram(to, &bytes);
            }
        }
        out.writes().for_each(|(stream, bytes)| forged.write(stream, bytes));
        out.closes().for_each(|stream| forged.close(stream));
        forged
    }

    /// Whether nothing is said of where its players are.
    fn withholds(&mut self, tick: Tick) -> bool {
        let passed = tick.since(*self.first.get_or_insert(tick)).unsigned_abs();
        self.cheats.iter().any(|cheat| match *cheat {
            // Whoever gets into something has to say so.
            Cheat::Withholds { every, says } => passed >= BEGINS && passed % every < every - says,
            _ => false,
        })
    }

    fn stamp(&mut self, tick: Tick) -> Tick {
        let first = *self.first.get_or_insert(tick);
        let passed = tick.since(first);
        let by = |cheat: &Cheat| match *cheat {
            Cheat::StampsAt(times) => ((times - 1.0) * passed as f32) as i32,
            Cheat::StampsStep { every, by } => by * (passed / every as i32),
            Cheat::StampsWave(ticks) => {
                let ticks = ticks as i32;
                let at = passed % (2 * ticks);
                -at.min(2 * ticks - at)
            }
            _ => 0,
        };
        let by: i32 = self.cheats.iter().map(by).sum();
        Tick::new(tick.get().saturating_add(by).max(0)).unwrap_or(tick)
    }

    /// The datagrams that leave when that one would.
    fn ways(&mut self, bytes: Vec<u8>, stamp: Tick) -> Vec<Vec<u8>> {
        self.kept.push_back(bytes.clone());
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
        let before = |ticks: u32| self.kept.iter().rev().nth(ticks as usize).cloned();
        let mut out = vec![bytes];
        for cheat in &self.cheats {
            match *cheat {
                Cheat::Doubles => out = out.into_iter().flat_map(|bytes| [bytes.clone(), bytes]).collect(),
                Cheat::Delays(by) => out = before(by).into_iter().collect(),
                Cheat::Swaps => {
                    out = match self.waits.take() {
                        None => {
                            self.waits = out.pop();
                            Vec::new()
                        }
                        Some(late) => out.into_iter().chain([late]).collect(),
                    };
                }
                Cheat::Replays(by) => out.extend(before(by)),
                Cheat::Restamps(by) => {
                    if let Some(mut old) = before(by) {
                        restamp(&mut old, stamp);
                        out.insert(0, old);
                    }
                }
                _ => {}
            }
        }
        out
    }
}

/// The batch of a datagram, if it is one.
fn batch(bytes: &[u8]) -> Option<Message<'_>> {
    let (_, bytes) = read_datagram(bytes).ok()?;
    Message::read(bytes).ok().filter(|message| message.kind == Kind::Batch)
}

/// A batch without what it says of where players are, and what they drive.
fn without_predictions(bytes: &[u8]) -> Vec<u8> {
    let mut kept = bytes[..BODY].to_vec();
    let mut part = BODY;
    while let Some(&[a, b, kind, _]) = bytes.get(part..).and_then(<[u8]>::first_chunk) {
        let end = part + 2 + usize::from(u16::from_le_bytes([a, b]));
        if ![Kind::PlayerPrediction as u8, Kind::VehiclePrediction as u8].contains(&kind) {
            kept.extend_from_slice(bytes.get(part..end).unwrap_or_default());
        }
        part = end;
    }
    // It is no longer than one that was sent.
    if let Ok(word) = word(MessageType::Data, kept.len()) {
        kept[..word.len()].copy_from_slice(&word);
    }
    kept
}

/// Another tick in a batch, its parts, and the inputs and vehicles in them.
fn restamp(bytes: &mut [u8], stamp: Tick) {
    let stamp = stamp.get().to_le_bytes();
    let put_part = |bytes: &mut [u8], at: usize, stamp: &[u8]| {
        if let Some(place) = bytes.get_mut(at..at + stamp.len()) {
            place.copy_from_slice(stamp);
        }
    };
    let put = |bytes: &mut [u8], at: usize| put_part(bytes, at, &stamp);
    put(bytes, STAMP);
    let mut part = BODY;
    while let Some(&[a, b, kind, count]) = bytes.get(part..).and_then(<[u8]>::first_chunk) {
        put(bytes, part + STAMP);
        if kind == Kind::PlayerInputs as u8 {
            let (size, tick) = INPUT;
            (0..usize::from(count)).for_each(|entry| put(bytes, part + BODY + entry * size + tick));
        }
        if kind == Kind::VehiclePrediction as u8 {
            let (size, tick) = VEHICLE;
            (0..usize::from(count))
                .for_each(|entry| put_part(bytes, part + BODY + entry * size + tick, &stamp[..2]));
        }
        part += 2 + usize::from(u16::from_le_bytes([a, b]));
    }
}
