//! Whether hits add up on both ends, and who died is dead everywhere, once. Knows no weapon.

use std::collections::VecDeque;

use mjolnir_engine_glue::damage::{BLOW_WAIT, Error};
use mjolnir_engine_glue::transport::Channel;
use mjolnir_engine_glue::transport::trace::{Fate, Traced};
use mjolnir_engine_glue::{Client as End, client};
use mjolnir_skirmish::happenings::Kind as Happened;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{Kind, Moment, ObjectId};

use super::super::Found;
use super::super::tally::Tally;
use super::Invariant;
use super::bodies::Bodies;
use crate::lab::Lab;
use crate::seat::Seat;

/// Microseconds of a tick.
const TICK: u64 = 33_334;
/// A blow is replayed within so long once it is quiet, in microseconds, as anything that a stream brings.
const HEARD_WITHIN: u64 = 2 * Moment::SECOND;
/// Ticks for which a body may stand besides the wait for its blow and the way there and back: a word of the host's is lost.
const LOST_TICKS: u64 = 5;

/// Why hits of honest players are refused at any time: what was hit has died meanwhile, or is deleted.
const ALWAYS: [Error; 1] = [Error::NoTarget];
/// And while there is trouble: it comes too late, all at once, from a machine that had the other elsewhere, or of a grenade
/// of whose throw the host has not heard yet, which is `NotHeld` where its player threw none before.
const IN_TROUBLE: [Error; 6] =
    [Error::TooOld, Error::TooFast, Error::TargetElsewhere, Error::TooFar, Error::NotThrown, Error::NotHeld];

/// And for so long after it, in microseconds: what was thrown while its word was lost goes off then.
const FUSE: u64 = 4 * Moment::SECOND;
/// See [`FUSE`].
const OF_THROWS: [Error; 2] = [Error::NotThrown, Error::NotHeld];

/// Whether that is a reason for which a hit is refused.
pub(super) fn is_hit(reason: &str) -> bool {
    Error::ALL.iter().any(|error| error.reason() == reason)
}

/// A player that died of a blow on the host, of which somebody has not heard.
#[derive(Debug)]
struct Blow {
    at: u64,
    unit: ObjectId,
    /// The places of clients that have not replayed it, one bit each.
    owed: u8,
}

/// What a client made of it.
#[derive(Debug)]
struct Client {
    /// Its reports that the host heard.
    heard: u64,
    /// Whom it fell by a blow in this game, by index: the identifier.
    fallen: Vec<Option<ObjectId>>,
    /// Deaths that it should have announced, and did.
    told: u64,
    announced: u64,
}

impl Client {
    fn new() -> Self {
        Self { heard: 0, fallen: vec![None; FIRST_OWN_OBJECT], told: 0, announced: 0 }
    }
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Harm {
    clients: Vec<Client>,
    /// Reports that the host heard in its games, and of those the ones that it refused.
    heard: u64,
    refused: u64,
    /// Players that died of a blow.
    deaths: u64,
    /// Units that fell on clients with nothing to show.
    silent: u64,
    died: Vec<Option<ObjectId>>,
    blows: VecDeque<Blow>,
    bodies: Bodies,
    quiet_since: u64,
}

impl Harm {
    pub(super) fn seated(&mut self, place: usize) {
        self.gone(place);
        match self.clients.get_mut(place) {
            Some(client) => *client = Client::new(),
            None => self.clients.push(Client::new()),
        }
    }

    /// Nothing is owed to it any more.
    pub(super) fn gone(&mut self, place: usize) {
        self.blows.iter_mut().for_each(|blow| blow.owed &= !(1 << place));
    }

    /// The host begins a game.
    pub(super) fn game_begins(&mut self) {
        self.died.clear();
        self.died.resize(FIRST_OWN_OBJECT, None);
        self.blows.clear();
        self.bodies.clear();
    }

    /// A client does.
    pub(super) fn client_begins(&mut self, place: usize) {
        self.clients[place].fallen.fill(None);
    }

    pub(super) fn quiet_begins(&mut self, now: u64) {
        self.quiet_since = now;
    }

    /// A client's message that the host read: a hit of an honest player is refused for the named reasons alone.
    pub(super) fn host_heard(
        &mut self,
        now: u64,
        place: usize,
        traced: &Traced,
        is_quiet: bool,
    ) -> Found<()> {
        if traced.channel != Channel::Stream || traced.number != Some(Kind::HitReports as u8) {
            return Ok(());
        }
        let count = u64::from(traced.count.unwrap_or(0));
        match traced.fate {
            Fate::Received => {
                self.heard += count;
                self.clients[place].heard += count;
            }
            // The game was over by then.
            Fate::Refused(_) => self.clients[place].heard += count,
            Fate::EntryRefused(why) => {
                self.refused += 1;
                let is_honest = |error: &Error| error.reason() == why;
                let is_known = ALWAYS.iter().any(is_honest)
                    || !is_quiet && IN_TROUBLE.iter().any(is_honest)
                    || now < self.quiet_since + FUSE && OF_THROWS.iter().any(is_honest);
                if !is_known {
                    return Err((Invariant::Refused, format!("a hit of client {place} is {why}")));
                }
            }
            Fate::Sent | Fate::Dropped(_) => {}
        }
        Ok(())
    }

    /// After a step of the host's: what it counted is what came and what its game was told; nobody died twice. `hears` says of
    /// which places the clients are told of blows.
    pub(super) fn host_ticked(&mut self, lab: &mut Lab, hears: impl Fn(usize) -> bool) -> Found<()> {
        let now = lab.now();
        let seat = &mut lab.host;
        let hits = seat.net.counters().hits;
        let told = seat.engine.harms.counts.dealt;
        if [hits.reported, hits.dealt, hits.rejected] != [self.heard, told, self.refused]
            || hits.dealt + hits.rejected != hits.reported
        {
            let what = format!(
                "the host counts {hits:?}, heard {} and refused {}, and its game was told of {told}",
                self.heard, self.refused
            );
            return Err((Invariant::Hits, what));
        }
        for blow in seat.engine.harms.blows.drain(..).filter(|blow| blow.is_players) {
            let Some(unit) = blow.event.object else { continue };
            self.deaths += 1;
            let known = self.died.get_mut(unit.index());
            if known.is_some_and(|known| known.replace(unit) == Some(unit)) {
                return Err((Invariant::Deaths, format!("{unit:?} died twice on the host")));
            }
            let places = (0..self.clients.len()).filter(|place| hears(*place));
            let owed = places.fold(0, |owed, place| owed | 1 << place);
            self.blows.push_back(Blow { at: now, unit, owed });
        }
        if let Some(world) = seat.engine.game.world() {
            let stands = |unit| world.describe(unit).map(|_| world.stands(unit));
            self.bodies.note(now, stands, world.objects());
        }
        Ok(())
    }

    /// After a step of a client's: it reported what its game hit and replayed what its game was told; each unit fell once of a
    /// blow, and its player's death was announced once.
    pub(super) fn client_ran(&mut self, place: usize, seat: &mut Seat<End>) -> Found<()> {
        let client = &mut self.clients[place];
        let harms = &mut seat.engine.harms;
        self.silent += std::mem::take(&mut harms.counts.silent);
        for blow in harms.blows.drain(..) {
            let Some(unit) = blow.event.object else { continue };
            client.told += u64::from(blow.is_players);
            let known = client.fallen.get_mut(unit.index());
            if known.is_some_and(|known| known.replace(unit) == Some(unit)) {
                return Err((Invariant::Deaths, format!("client {place} was told twice that {unit:?} fell")));
            }
            let of_it = self.blows.iter_mut().filter(|blow| blow.unit == unit);
            of_it.for_each(|blow| blow.owed &= !(1 << place));
        }
        if seat.ticked.is_none() {
            return Ok(());
        }
        let counters = seat.net.counters();
        let refused = counters.refused.get(Error::NotOwned.reason()).copied().unwrap_or(0);
        let [hits, told] = [harms.counts.hits, harms.counts.replayed];
        if counters.hits.reported + refused != hits || counters.hits.replayed != told {
            let counts = counters.hits;
            let what =
                format!("client {place} counts {counts:?} of {hits} hits, and its game was told of {told}");
            return Err((Invariant::Hits, what));
        }
        let happened = seat.engine.game.happenings().take();
        client.announced += happened.iter().filter(|it| it.kind == Happened::Death).count() as u64;
        if client.announced != client.told {
            let Client { told, announced, .. } = client;
            let what = format!("client {place} announced {announced} deaths of {told}");
            return Err((Invariant::Deaths, what));
        }
        Ok(())
    }

    /// Once it is quiet: each blow was replayed by everybody who was told of it.
    pub(super) fn blows_were_heard(&mut self, now: u64) -> Found<()> {
        self.blows.retain(|blow| blow.owed != 0);
        let is_late = |blow: &&Blow| now > blow.at.max(self.quiet_since) + HEARD_WITHIN;
        match self.blows.iter().find(is_late) {
            Some(Blow { at, unit, owed }) => {
                let before = (now - at) / TICK;
                let what = format!(
                    "a blow of {unit:?} was not replayed by some, of bits {owed:b}, {before} ticks after"
                );
                Err((Invariant::Deaths, what))
            }
            None => Ok(()),
        }
    }

    /// Nobody stands on a client for longer after it fell on the host than a blow is waited for.
    pub(super) fn nobody_stands(&self, now: u64, place: usize, seat: &Seat<End>) -> Found<()> {
        let Some(world) = seat.engine.game.world().filter(|_| seat.ticked.is_some()) else { return Ok(()) };
        let faults = seat.network.faults();
        let way = faults.latency_us + faults.jitter_us;
        let waits = (u64::from(BLOW_WAIT) + LOST_TICKS) * TICK + 2 * way;
        let of_host = world.objects().filter(|unit| unit.index() < FIRST_OWN_OBJECT);
        for unit in of_host.filter(|unit| world.stands(*unit)) {
            let fell = self.bodies.fell(unit).map(|fell| fell.max(self.quiet_since));
            if let Some(late) = fell.and_then(|fell| now.checked_sub(fell + waits)) {
                let what = format!("client {place} has {unit:?} stand {late} us too long");
                return Err((Invariant::Deaths, what));
            }
        }
        Ok(())
    }

    /// Everybody stood for a while: every hit of every client has come.
    pub(super) fn every_hit_came(&self, lab: &Lab) -> Found<()> {
        for (place, (seat, known)) in lab.clients.iter().zip(&self.clients).enumerate() {
            let reported = seat.net.damage().reported();
            let is_in = seat.runs && seat.net.stage() == client::Stage::Playing;
            if is_in && seat.net.counters().hits.reported != known.heard {
                let all = seat.net.counters().hits.reported;
                let what =
                    format!("of {all} hits of client {place} ({reported} in this game) {} came", known.heard);
                return Err((Invariant::Hits, what));
            }
        }
        Ok(())
    }

    /// No damage was dropped since more was dealt in a tick than is told of.
    pub(super) fn nothing_was_dropped(&self, lab: &Lab) -> Found<()> {
        match lab.host.net.counters().damage_dropped {
            0 => Ok(()),
            dropped => Err((Invariant::Hits, format!("the host dropped damage {dropped} times"))),
        }
    }

    /// What of it there was.
    pub(super) fn tell(&self, lab: &Lab, tally: &mut Tally) {
        let counters = lab.host.net.counters();
        (tally.hits, tally.dealt) = (counters.hits.reported, counters.hits.dealt);
        for (count, error) in tally.refused.iter_mut().zip(Error::ALL) {
            *count = counters.refused.get(error.reason()).copied().unwrap_or(0);
        }
        (tally.deaths, tally.silent) = (self.deaths, self.silent);
    }
}
