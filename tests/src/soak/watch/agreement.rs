//! Whether machines agree, tick by tick: where each client has every player beside where the host had it at the same
//! tick. Knows places, and for how long they may be apart.
//!
//! A host that stalls lets its clients go ahead of it, and no clock ever goes back or waits (CLOCK-05): such a client's
//! ticks are named later than the host's for the rest of the game, by its lead. It is compared with the host's tick that
//! it would have without.

use std::collections::VecDeque;
use std::f32::consts::TAU;

use mjolnir_engine_glue::client;
use mjolnir_net_compare::{Drift, Line, POSITION_WU, Player};
use mjolnir_skirmish::record::{AHEAD_TICKS, Place, View, nearest};
use mjolnir_wire::limits::{MAX_PLAYERS, TICKS_PER_SECOND};
use mjolnir_wire::{Slot, Tick};

use super::super::Found;
use super::Invariant;
use crate::alike::unlike;
use crate::lab::Lab;

/// Ticks in a row that a place may be out: net-compare's two seconds.
const PLACE_TICKS: u32 = 2 * TICKS_PER_SECOND;
/// Ticks in a row that a player may live on one machine and not on the other: net-compare's three seconds.
const LIFE_TICKS: u32 = 3 * TICKS_PER_SECOND;
/// Views of the host that are kept for clients that are behind it: ten seconds.
const KEPT: usize = 10 * TICKS_PER_SECOND as usize;
/// Ticks of which at least the share apart is judged.
const DRIFT_TICKS: u64 = 150;
/// And looking the same way to so much, in radians.
const STANDING_TURN: f32 = 0.02;
/// Where everybody has stood for a while, the machines have them in the same place to so much, wu.
const STANDING_WU: f32 = 0.05;

/// For how many ticks in a row each player was out on a client.
#[derive(Debug)]
struct Client {
    views: VecDeque<View>,
    /// The least that it was ahead of the tick after the host's newest heard, since it is quiet.
    lead: u32,
    runs: Runs,
    /// What was compared last: what it drives is ahead of the host (see [`AHEAD_TICKS`]).
    past: VecDeque<View>,
}

/// By slot.
#[derive(Debug)]
struct Runs {
    apart: [u32; MAX_PLAYERS],
    alone: [u32; MAX_PLAYERS],
    /// It sits otherwise.
    seated: [u32; MAX_PLAYERS],
}

impl Runs {
    const fn new() -> Self {
        Self { apart: [0; MAX_PLAYERS], alone: [0; MAX_PLAYERS], seated: [0; MAX_PLAYERS] }
    }
}

impl Client {
    const fn new() -> Self {
        Self { views: VecDeque::new(), lead: u32::MAX, runs: Runs::new(), past: VecDeque::new() }
    }
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    host: VecDeque<View>,
    clients: Vec<Client>,
}

impl Agreement {
    pub(super) fn seated(&mut self, place: usize) {
        match self.clients.get_mut(place) {
            Some(client) => *client = Client::new(),
            None => self.clients.push(Client::new()),
        }
    }

    pub(super) fn host_ticked(&mut self, views: &mut Vec<View>) {
        for view in views.drain(..) {
            if self.host.back().is_some_and(|last| view.tick.since(last.tick) != 1) {
                // Another game.
                self.host.clear();
            }
            self.host.push_back(view);
        }
        while self.host.len() > KEPT {
            self.host.pop_front();
        }
    }

    /// What a client simulated when that tick of the host's was the newest that it had heard.
    pub(super) fn client_ticked(&mut self, place: usize, heard: Tick, views: &mut Vec<View>) {
        let client = &mut self.clients[place];
        if let Some(newest) = views.last() {
            client.lead = client.lead.min(u32::try_from(newest.tick.since(heard) - 1).unwrap_or(0));
        }
        client.views.extend(views.drain(..));
    }

    /// By how many ticks a client is ahead.
    pub(super) fn lead(&self, place: usize) -> u32 {
        self.clients[place].lead
    }

    /// What was seen so far is not compared.
    pub(super) fn skip(&mut self) {
        for client in &mut self.clients {
            client.views.clear();
            client.past.clear();
        }
    }

    /// From here on it is.
    pub(super) fn begin(&mut self) {
        for client in &mut self.clients {
            client.lead = u32::MAX;
            client.runs = Runs::new();
        }
    }

    /// Compares what both machines have seen by now; how many places it was.
    pub(super) fn compare(&mut self, counts: impl Fn(usize) -> bool) -> Found<u64> {
        let mut compared = 0;
        let Some(first) = self.host.front().map(|view| view.tick) else { return Ok(0) };
        for (at, client) in self.clients.iter_mut().enumerate() {
            while let Some(view) = client.views.front() {
                let lead = client.lead.try_into().unwrap_or(i32::MAX);
                let Ok(index) = usize::try_from(view.tick.since(first).saturating_sub(lead)) else {
                    client.views.pop_front();
                    continue;
                };
                let Some(there) = self.host.get(index) else { break };
                if counts(at) {
                    compared += there.places.len() as u64;
                    pair(&mut client.runs, there, view, &client.past)
                        .map_err(|what| (Invariant::Agreement, format!("client {at}: {what}")))?;
                }
                client.past.extend(client.views.pop_front());
                if client.past.len() > AHEAD_TICKS {
                    client.past.pop_front();
                }
            }
        }
        Ok(compared)
    }

    /// Everybody stood for a while: every client has the host's players in their places, its objects in theirs, and
    /// its units carry what the host's do.
    pub(super) fn all_is_alike(&self, lab: &Lab) -> Found<()> {
        let Some(host) = lab.host.engine.game.world() else { return Ok(()) };
        let wrong = |place: usize, what: &str| Err((Invariant::Agreement, format!("client {place} {what}")));
        let playing = |place: &usize| {
            lab.clients[*place].runs && lab.clients[*place].net.stage() == client::Stage::Playing
        };
        for place in (0..lab.clients.len()).filter(playing) {
            let Some(here) = lab.clients[place].engine.game.world() else { continue };
            if let Some(what) = unlike(host, here) {
                return wrong(place, &what);
            }
            for (slot, player) in host.players().filter(|(_, player)| !player.left) {
                if !self.stood(slot) {
                    // It still falls, or has just begun another life.
                    continue;
                }
                let unit = here.unit(slot);
                if unit != player.unit {
                    return wrong(
                        place,
                        &format!("has {unit:?} for player {} and not {:?}", slot.get(), player.unit),
                    );
                }
                // A rider is where its vehicle is, which is compared, and turned as that is.
                let rides = player.unit.is_some_and(|unit| host.ride(unit).is_some());
                if let (Some(a), Some(b)) = (host.position(slot), here.position(slot))
                    && a.distance(b) > STANDING_WU
                    && !rides
                {
                    let [ours, theirs] = [here, host].map(|world| world.velocity(slot));
                    let what = format!(
                        "has player {} at {b:?} and not {a:?}, going {ours:?} and {theirs:?}",
                        slot.get()
                    );
                    return wrong(place, &what);
                }
                if let (Some((a, _)), Some((b, _))) = (host.aim(slot), here.aim(slot))
                    && (TAU / 2.0 - ((a - b).rem_euclid(TAU) - TAU / 2.0).abs()) > STANDING_TURN
                {
                    return wrong(place, &format!("has player {} look {b} and not {a}", slot.get()));
                }
            }
        }
        Ok(())
    }

    /// Whether the host has had a player in one place for a second, or dead.
    fn stood(&self, slot: Slot) -> bool {
        let place =
            |view: &View| view.places.iter().find(|place| place.slot == slot).map(|place| place.position);
        let mut last = self.host.iter().rev().take(TICKS_PER_SECOND as usize).map(place);
        let now = last.next().flatten();
        last.all(|then| match (now, then) {
            (Some(now), Some(then)) => now.distance(then) < STANDING_WU,
            (now, then) => now.is_none() && then.is_none(),
        })
    }
}

/// One tick of two machines, and the client's last ones before it.
fn pair(runs: &mut Runs, host: &View, client: &View, past: &VecDeque<View>) -> Result<(), String> {
    let Runs { apart, alone, seated } = runs;
    let find = |view: &View, slot: Slot| view.places.iter().find(|place| place.slot == slot).copied();
    for slot in Slot::all() {
        let (there, here) = (find(host, slot), find(client, slot));
        let at = slot.index();
        alone[at] = if there.is_some() == here.is_some() { 0 } else { alone[at] + 1 };
        let distance = match (there, here) {
            (Some(Place { position, .. }), Some(here)) => {
                let earlier = nearest(past, slot, position).filter(|_| here.ahead);
                let least = earlier.map_or(f32::INFINITY, |earlier| position.distance(earlier));
                f64::from(position.distance(here.position).min(least))
            }
            _ => 0.0,
        };
        let ride = |place: Option<Place>| place.map(|place| place.ride);
        let is_seated = there.is_none() || here.is_none() || ride(there) == ride(here);
        seated[at] = if is_seated { 0 } else { seated[at] + 1 };
        apart[at] = if distance > POSITION_WU { apart[at] + 1 } else { 0 };
        if alone[at] >= LIFE_TICKS {
            let lives = if there.is_some() { "the host" } else { "the client" };
            return Err(format!("player {at} lives on {lives} alone, until tick {}", host.tick.get()));
        }
        if seated[at] >= LIFE_TICKS {
            let [there, here] = [there, here].map(ride);
            return Err(format!(
                "player {at} sits in {here:?}, not {there:?}, until tick {}",
                host.tick.get()
            ));
        }
        if apart[at] >= PLACE_TICKS {
            return Err(format!("player {at} is {distance:.2} wu off, at tick {}", host.tick.get()));
        }
    }
    Ok(())
}

/// The lines of a few seconds as they are judged. Where a bot looks as it turns is as old as the way is long, and a few
/// seconds are too short to be patient with it: aims are compared when all stand. Likewise the share of ticks apart,
/// of few ticks. What a machine drives is ahead, and who gets in and out all the time does so later on the other machine:
/// riders are compared tick by tick alone.
pub(super) fn judged(lines: &[Line], others: &[Line]) -> Vec<Line> {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        let other = others.binary_search_by_key(&line.tick, |other| other.tick).ok().map(|at| &others[at]);
        let rides = |player: &Player| player.alive.as_ref().is_some_and(|alive| alive.riding);
        for player in &mut line.players {
            let either =
                rides(player) || other.and_then(|other| other.player(player.slot)).is_some_and(rides);
            if let Some(alive) = player.alive.as_mut().filter(|_| either) {
                (alive.position, alive.riding) = ([0.0; 3], true);
            }
        }
    }
    let ticks: u64 = lines.iter().filter_map(|line| line.drift).map(|drift| drift.ticks).sum();
    for line in &mut lines {
        let living = line.players.iter_mut().filter_map(|player| player.alive.as_mut());
        living.for_each(|alive| alive.aim = [0.0; 2]);
        if ticks < DRIFT_TICKS {
            line.drift = line.drift.map(|_| Drift::default());
        }
    }
    lines
}
