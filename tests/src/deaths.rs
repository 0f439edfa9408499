//! The deaths of a game: as the host dealt them, and as every machine announced them and had its bodies fall. Knows no
//! weapon and no network.
//!
//! A machine is watched from its first tick, or, if it comes later, from when it has been told of everything.

use std::collections::BTreeMap;

use mjolnir_engine_glue::damage::Command;
use mjolnir_skirmish::game::{Class, World};
use mjolnir_skirmish::happenings::Kind;
use mjolnir_wire::damage::EventKind;
use mjolnir_wire::{ObjectId, Slot, Tick};

use crate::lab::{Lab, Who};
use crate::played::{Played, Replayed};

/// A death, as the host dealt it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Death {
    /// The tick that dealt it.
    pub tick: Tick,
    /// Whose.
    pub slot: Slot,
    /// The unit that fell.
    pub unit: ObjectId,
    /// By whom.
    pub killer: Option<Slot>,
    /// What the killer had after it.
    pub score: i32,
    /// Somebody arrived where it stood.
    pub telefrag: bool,
}

/// A death as a machine announced it.
pub type Announced = (Slot, Option<Slot>);

/// How a unit stands at a machine.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    stands: bool,
    falls: u32,
    rises: u32,
    /// Ticks that it has stood without a player, and the most of them.
    unowned: (u32, u32),
}

/// What a machine has seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// What it announced, in order.
    pub announced: Vec<Announced>,
    /// The killing blows that it replayed.
    pub blows: Vec<Replayed>,
    /// Units that fell with nothing to show.
    pub silent: Vec<ObjectId>,
    /// What changed anybody's health as it was replayed.
    pub harms: usize,
    units: BTreeMap<ObjectId, Standing>,
    /// It is told of deaths from this tick on.
    from: Option<Tick>,
}

impl Seen {
    /// How often a unit fell.
    pub fn falls(&self, unit: ObjectId) -> u32 {
        self.units.get(&unit).map_or(0, |standing| standing.falls)
    }

    /// How often a unit stood up again.
    pub fn rises(&self, unit: ObjectId) -> u32 {
        self.units.get(&unit).map_or(0, |standing| standing.rises)
    }

    /// The most ticks that any unit stood without being anybody's.
    pub fn most_unowned(&self) -> u32 {
        self.units.values().map(|standing| standing.unowned.1).max().unwrap_or(0)
    }

    fn note(&mut self, engine: &mut Played) {
        let happened = engine.game.happenings().take().into_iter().filter(|it| it.kind == Kind::Death);
        let slot = |number: Option<u8>| number.and_then(Slot::new);
        self.announced.extend(happened.filter_map(|it| Some((slot(it.slot)?, slot(it.killer)))));
        for replayed in std::mem::take(&mut engine.harms.replayed) {
            self.harms += usize::from(replayed.harmed);
            match replayed.command {
                Command::Kill(_) => self.blows.push(replayed),
                Command::KillSilently { unit } => self.silent.push(unit),
                Command::Show(_) | Command::Replay(_) | Command::Break(_) => {}
            }
        }
        self.note_units(engine.world());
    }

    fn note_units(&mut self, world: &World) {
        for unit in world.objects().filter(|unit| world.class(*unit) == Some(Class::Unit)) {
            let (stands, is_new) = (world.stands(unit), !self.units.contains_key(&unit));
            let standing = self.units.entry(unit).or_default();
            let did = std::mem::replace(&mut standing.stands, stands);
            standing.falls += u32::from(!is_new && did && !stands);
            standing.rises += u32::from(!is_new && !did && stands);
            let is_unowned = stands && world.describe(unit).is_some_and(|made| made.slot.is_none());
            standing.unowned.0 = if is_unowned { standing.unowned.0 + 1 } else { 0 };
            standing.unowned.1 = standing.unowned.1.max(standing.unowned.0);
        }
    }
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Deaths {
    /// All of the host's, in order.
    pub dealt: Vec<Death>,
    /// What the host saw.
    pub host: Seen,
    /// What each client saw, by its place.
    pub clients: Vec<Seen>,
    /// The host's scores as they changed.
    scores: Vec<(Tick, Slot, i32)>,
    /// Deaths whose killer had another score on the host at the end of their tick than its last blow of that tick says.
    pub wrong_scores: usize,
}

impl Deaths {
    /// Of a game that has just begun.
    pub fn of(lab: &mut Lab) -> Self {
        let mut this = Self::default();
        let keep = |engine: &mut Played| {
            engine.harms.keeps = true;
            engine.game.happenings().take();
        };
        keep(&mut lab.host.engine);
        this.host.note_units(lab.host.engine.world());
        for seat in &mut lab.clients {
            keep(&mut seat.engine);
            let mut seen = Seen { from: Some(Tick::ZERO), ..Seen::default() };
            seen.note_units(seat.engine.world());
            this.clients.push(seen);
        }
        this
    }

    /// The client of that place came later, and has been told of everything by now.
    pub fn came(&mut self, lab: &mut Lab, place: usize) {
        let tick = lab.tick();
        self.clients.resize_with(lab.clients.len(), Seen::default);
        let engine = &mut lab.clients[place].engine;
        engine.harms.keeps = true;
        engine.game.happenings().take();
        self.clients[place] = Seen { from: Some(tick), ..Seen::default() };
        self.clients[place].note_units(engine.world());
    }

    /// The client of that place is told of no more.
    pub fn leaves(&mut self, place: usize) {
        self.clients[place].from = None;
    }

    /// A machine has simulated a tick.
    pub fn watch(&mut self, lab: &mut Lab, who: Who) {
        match who {
            Who::Host => self.watch_host(&mut lab.host.engine),
            Who::Client(place) => {
                if let Some(seen) = self.clients.get_mut(place).filter(|seen| seen.from.is_some()) {
                    seen.note(&mut lab.clients[place].engine);
                }
            }
        }
    }

    fn watch_host(&mut self, engine: &mut Played) {
        let mut last = BTreeMap::new();
        for (tick, event) in std::mem::take(&mut engine.harms.events) {
            let (EventKind::KillingBlow, Some(slot), Some(unit)) = (event.kind, event.player, event.object)
            else {
                continue;
            };
            let (killer, score) = (event.damage.owner, event.killer_score);
            self.dealt.push(Death { tick, slot, unit, killer, score, telefrag: event.kill.telefrag });
            if let Some(killer) = killer {
                last.insert(killer, score);
            }
        }
        let world = engine.world();
        let is_wrong = |(by, score): &(Slot, i32)| world.player(*by).is_some_and(|by| by.score() != *score);
        for (slot, player) in world.players() {
            let last = self.scores.iter().rfind(|(_, of, _)| *of == slot).map(|(.., score)| *score);
            if last != Some(player.score()) {
                self.scores.push((world.tick(), slot, player.score()));
            }
        }
        self.wrong_scores += last.into_iter().filter(is_wrong).count();
        self.host.note(engine);
    }

    /// The first thing that a death came to on a machine that watched it and that is not as the host dealt it. `lab` is
    /// quiet: nothing is on its way.
    pub fn fault(&self, lab: &Lab) -> Option<String> {
        let announced: Vec<Announced> = self.dealt.iter().map(|death| (death.slot, death.killer)).collect();
        if self.host.announced != announced {
            return Some(format!("the host dealt {announced:?} and announced {:?}", self.host.announced));
        }
        for death in &self.dealt {
            if self.dealt.iter().filter(|other| other.unit == death.unit).count() > 1 {
                return Some(format!("died twice: {death:?}"));
            }
            if (self.host.falls(death.unit), self.host.rises(death.unit)) != (1, 0) {
                return Some(format!("did not fall once on the host: {death:?}"));
            }
        }
        let places = (0..).zip(&self.clients).filter(|(_, seen)| seen.from.is_some());
        let fault = |(place, seen)| self.fault_at(seen).map(|what| format!("client {place}: {what}"));
        places.into_iter().find_map(fault).or_else(|| self.left_standing(lab))
    }

    /// A unit that stands on a client and is not, on the host, a living player's.
    fn left_standing(&self, lab: &Lab) -> Option<String> {
        let host = lab.host.engine.world();
        for (place, seat) in lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs) {
            let world = seat.engine.world();
            for unit in world.objects().filter(|unit| world.stands(*unit)) {
                let owner = |world: &World| world.describe(unit).and_then(|made| made.slot);
                if owner(world).is_none() || owner(world) != owner(host) || !host.stands(unit) {
                    let what = (owner(world), owner(host), host.stands(unit));
                    return Some(format!("client {place}: {unit:?} stands: {what:?}"));
                }
            }
        }
        None
    }

    /// Whether that is what the killer had after it, or later: a blow that came late takes no later score back.
    fn is_score_of(&self, death: &Death, shown: Option<i32>) -> bool {
        let Some(killer) = death.killer else { return true };
        let later = |(tick, of, score): &(Tick, Slot, i32)| {
            *tick >= death.tick && *of == killer && Some(*score) == shown
        };
        shown == Some(death.score) || self.scores.iter().any(later)
    }

    fn fault_at(&self, seen: &Seen) -> Option<String> {
        let dealt = &self.dealt;
        let expected: Vec<&Death> =
            dealt.iter().filter(|death| seen.from.is_some_and(|from| death.tick > from)).collect();
        if seen.announced.len() < expected.len() || seen.announced.len() != seen.blows.len() {
            let counts = (expected.len(), seen.blows.len(), seen.announced.len());
            return Some(format!("deaths, blows, announced: {counts:?}; silent {:?}", seen.silent));
        }
        if seen.harms > 0 {
            return Some(format!("{} replays took or gave health", seen.harms));
        }
        for (replayed, announced) in seen.blows.iter().zip(&seen.announced) {
            let Command::Kill(event) = replayed.command else { continue };
            let death = dealt.iter().find(|death| Some(death.unit) == event.object);
            let Some(death) = death else { return Some(format!("nobody died so: {event:?}")) };
            if *announced != (death.slot, death.killer) {
                return Some(format!("announced {announced:?}: {death:?}"));
            }
            if !self.is_score_of(death, replayed.score) {
                return Some(format!("shown {:?}: {death:?}", replayed.score));
            }
        }
        for death in expected {
            let is_of_it = |replayed: &&Replayed| matches!(replayed.command, Command::Kill(event) if event.object == Some(death.unit));
            let blows = seen.blows.iter().filter(is_of_it).count();
            if (blows, seen.falls(death.unit), seen.rises(death.unit)) != (1, 1, 0) {
                let falls = (seen.falls(death.unit), seen.rises(death.unit));
                return Some(format!("{blows} blows, falls and rises {falls:?}: {death:?}"));
            }
        }
        None
    }
}
