//! What a seed makes of a game: who plays it where, what goes wrong, when, and how it ends. Knows what must hold only
//! as far as it says who may be lost.

use std::f32::consts::TAU;

use mjolnir_engine_glue::client;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::{FriendlyFire, GameType, Map, Rules};
use mjolnir_wire::{Input, Moment, Slot, Vec3};

use super::tally::Tally;
use super::watch::Watch;
use crate::lab::{Lab, Plan, Who};
use crate::played::Hand;
use crate::seat::Seating;
use crate::stir::{Stir, busy};

/// Machines, the host among them.
pub(super) const MACHINES: usize = 4;
/// The maps.
const MAPS: [&str; 9] = ["arena", "carpark", "drive", "flat", "hill", "rooms", "tower", "two_bases", "yard"];
/// A game's score limit at most: some end while they are played.
const LIMIT: u32 = 40;
/// Where games begin: at once, where 16 bits are passed, and near the last tick of 24 hours and of all.
const STARTS: [i32; 4] = [0, 65_000, 2_591_000, i32::MAX - 60_000];
/// A machine's clock is wrong by so many millionths at most.
const PPM: u32 = 200;
/// A client that is cut off for so long is lost, in microseconds: more than the 15 s of silence.
const DARK: u64 = 17 * Moment::SECOND;
/// A machine sleeps, jumps or is cut off for so long at most, in microseconds: three at once are no 15 s of silence.
const LONGEST: u32 = 4 * Moment::SECOND as u32;
/// Players that join from one place while a game is played. A game takes eight of an address (NET-62), and those of its
/// lobby, two at most, may ask as it begins.
const ADDED_OF_ADDRESS: u32 = 6;
/// So many things happen to objects at once, at most.
const STIRS: u32 = 40;

/// What friends do to each other.
const FRIENDS: [FriendlyFire; 4] =
    [FriendlyFire::On, FriendlyFire::Off, FriendlyFire::ShieldsOnly, FriendlyFire::ExplosivesOnly];

const MILLI: u64 = 1000;

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The host leaves in order.
    Leaves,
    /// Its process ends outright.
    Killed,
    /// Nothing passes to it or from it any more.
    Dark,
}

/// Who plays where: the plan, the host's seating and the clients'.
pub(super) fn cast(seed: u64, random: &mut Random) -> (Plan, [Seating; MACHINES]) {
    let map = MAPS[random.below(MAPS.len() as u32) as usize];
    let start = STARTS[random.below(STARTS.len() as u32) as usize];
    let loss = if random.once_in(2) { 0.02 * random.part() } else { 0.0 };
    let faults = Faults {
        latency_us: u64::from(random.below(60)) * MILLI,
        jitter_us: u64::from(random.below(15)) * MILLI,
        loss,
        ..Faults::default()
    };
    let clients = 1 + random.below(MACHINES as u32 - 1) as usize;
    let teams = random.once_in(2);
    let (rules, harm) = (rules(random, map, teams), !random.once_in(4));
    let plan = Plan { start, faults, ppm: PPM, teams, rules, harm, ..Plan::new(map, seed, clients) };
    // A host of none is a dedicated one.
    let of_host = random.below(3);
    let host = seating(random, of_host);
    let rest: [Seating; MACHINES - 1] = std::array::from_fn(|_| {
        let players = 1 + random.below(2);
        seating(random, players)
    });
    let [a, b, c] = rest;
    (plan, [host, a, b, c])
}

/// One of the types that the map has what they are about of, for each of five games of six.
fn rules(random: &mut Random, map: &str, teams: bool) -> Option<Rules> {
    let map = Map::named(map)?;
    let all = Rules::NAMES.into_iter().filter_map(Rules::named);
    let playable: Vec<Rules> = all.filter(|rules| rules.lacks(&map).is_none()).collect();
    let rules = playable.get(random.below(playable.len() as u32) as usize).copied()?;
    // What is nobody's game is co-op.
    let is_played = !random.once_in(6);
    let friendly_fire = FRIENDS[random.below(FRIENDS.len() as u32) as usize];
    let score_limit = if random.once_in(2) { 1 + random.below(LIMIT) as i32 } else { 0 };
    let teams = teams || rules.of == GameType::Ctf;
    is_played.then_some(Rules { teams, score_limit, friendly_fire, ..rules })
}

fn seating(random: &mut Random, players: u32) -> Seating {
    let hands = (0..players).map(|_| busy(random.bits())).collect();
    Seating { load_micros: u64::from(random.below(3000)) * MILLI, ..Seating::of(hands) }
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Story {
    random: Random,
    stir: Stir,
    /// What the network is like when it is quiet.
    base: Faults,
    /// When the last that sleeps, loads or dies has done so.
    wakes_at: u64,
    /// Impaired now.
    troubled: Vec<Who>,
    /// Players that asked to come into this game from each client's place, which is one address.
    added: [u32; MACHINES - 1],
}

impl Story {
    pub(super) fn new(mut random: Random, base: Faults) -> Self {
        let stir = Stir::new(random.bits());
        Self { random, stir, base, wakes_at: 0, troubled: Vec::new(), added: [0; MACHINES - 1] }
    }

    /// How many things go wrong in an episode.
    pub(super) fn troubles(&mut self) -> u32 {
        1 + self.random.below(4)
    }

    /// Microseconds between two of them.
    pub(super) fn pause(&mut self) -> u64 {
        u64::from(self.random.below(1500)) * MILLI
    }

    /// Microseconds that they last together.
    pub(super) fn lasts(&mut self) -> u64 {
        u64::from(500 + self.random.below(4000)) * MILLI
    }

    /// Microseconds of the way there and back at most, when it is quiet.
    pub(super) const fn way(&self) -> u64 {
        2 * (self.base.latency_us + self.base.jitter_us)
    }

    /// When whoever sleeps, loads or is lost has done so.
    pub(super) const fn wakes_at(&self) -> u64 {
        self.wakes_at
    }

    /// Whether everybody stands after this quiet time.
    pub(super) fn stands(&mut self) -> bool {
        self.random.once_in(2)
    }

    /// Whether another game begins.
    pub(super) fn next_game(&mut self) -> bool {
        let begins = self.random.once_in(8);
        if begins {
            self.added.fill(0);
        }
        begins
    }

    pub(super) fn ending(&mut self) -> Ending {
        [Ending::Leaves, Ending::Killed, Ending::Dark][self.random.below(3) as usize]
    }

    /// Something goes wrong, or somebody comes or goes.
    /// What it was.
    pub(super) fn trouble(&mut self, lab: &mut Lab, watch: &mut Watch, tally: &mut Tally) -> String {
        match self.random.below(14) {
            0..=3 => self.bad_network(lab, watch),
            4 => self.stall(lab),
            5 => self.blackout(lab),
            6 => self.sleep(lab),
            7 => self.jump(lab),
            8 => self.happens(lab),
            9 => self.part(lab, watch, tally),
            10 | 11 => self.join(lab, watch, tally),
            _ => self.stir(lab),
        }
    }

    /// What was impaired is no more.
    pub(super) fn relieve(&mut self, lab: &mut Lab) {
        for who in self.troubled.drain(..) {
            let impair = lab.impair(who);
            impair.set_faults(self.base);
            impair.stall(false);
            impair.blackout(false);
        }
    }

    /// Everybody stands, each looking somewhere else.
    pub(super) fn stand(&mut self, lab: &mut Lab) {
        self.take_over(lab, |random| {
            let yaw = TAU * random.part();
            Box::new(move |_, _, _| Input { yaw, ..Input::default() })
        });
    }

    /// Everybody walks again.
    pub(super) fn walk_again(&mut self, lab: &mut Lab) {
        self.take_over(lab, |random| busy(random.bits()));
    }

    fn take_over(&mut self, lab: &mut Lab, hand: impl Fn(&mut Random) -> Hand) {
        for local in 0..lab.host.engine.hands() {
            lab.host.engine.take_over(local, hand(&mut self.random));
        }
        for seat in &mut lab.clients {
            for local in 0..seat.engine.hands() {
                seat.engine.take_over(local, hand(&mut self.random));
            }
        }
    }

    fn anyone(&mut self, lab: &Lab) -> Who {
        let place = self.random.below(lab.clients.len() as u32 + 1) as usize;
        match place.checked_sub(1).filter(|place| lab.clients[*place].runs) {
            Some(place) => Who::Client(place),
            None => Who::Host,
        }
    }

    /// A client that is in play.
    fn client(&mut self, lab: &Lab) -> Option<usize> {
        let place = self.random.below(lab.clients.len() as u32) as usize;
        let seat = &lab.clients[place];
        (seat.runs && seat.net.stage() == client::Stage::Playing).then_some(place)
    }

    fn bad_network(&mut self, lab: &mut Lab, watch: &mut Watch) -> String {
        let random = &mut self.random;
        let mut share = |once_in: u32, most: f32| {
            if random.once_in(once_in) { most * random.part() } else { 0.0 }
        };
        let mut faults = Faults {
            loss: share(2, 0.5),
            duplicate: share(2, 0.5),
            reorder: share(2, 0.5),
            corrupt: share(4, 0.2),
            corrupt_stream: share(12, 0.1),
            ..self.base
        };
        if self.random.once_in(2) {
            faults.latency_us = u64::from(self.random.below(250)) * MILLI;
            faults.jitter_us = u64::from(self.random.below(150)) * MILLI;
        }
        let all = self.random.once_in(3);
        let who = self.anyone(lab);
        let places = (0..lab.clients.len()).filter(|place| lab.clients[*place].runs).map(Who::Client);
        let everybody: Vec<Who> = std::iter::once(Who::Host).chain(places).collect();
        let hit: Vec<Who> = everybody.into_iter().filter(|each| all || *each == who).collect();
        let what = format!("{hit:?} has {faults:?}");
        for who in hit {
            lab.impair(who).set_faults(faults);
            self.troubled.push(who);
            if faults.corrupt_stream > 0.0 {
                watch.may_be_cut(who);
            }
        }
        what
    }

    fn stall(&mut self, lab: &mut Lab) -> String {
        let who = self.anyone(lab);
        lab.impair(who).stall(true);
        self.troubled.push(who);
        format!("{who:?} stalls")
    }

    fn blackout(&mut self, lab: &mut Lab) -> String {
        let who = self.anyone(lab);
        lab.impair(who).blackout(true);
        self.troubled.push(who);
        format!("{who:?} is in the dark")
    }

    fn sleep(&mut self, lab: &mut Lab) -> String {
        let who = self.anyone(lab);
        let micros = u64::from(self.random.below(LONGEST));
        let stands = self.random.once_in(2);
        lab.sleep(who, micros, stands);
        self.wakes_at = self.wakes_at.max(lab.now() + micros);
        format!("{who:?} sleeps {micros} us, and its clock {}", if stands { "stands" } else { "goes on" })
    }

    fn jump(&mut self, lab: &mut Lab) -> String {
        let who = self.anyone(lab);
        let micros = u64::from(self.random.below(LONGEST));
        lab.jump(who, micros);
        format!("{who:?} has a clock that jumps {micros} us")
    }

    /// Everybody who lives has something new in hand.
    pub(super) fn arm(&mut self, lab: &mut Lab) {
        if let Some(world) = lab.host.engine.game.world_mut() {
            self.stir.arm(world);
        }
    }

    /// Things are made, moved, deleted and given, and somebody dies.
    fn stir(&mut self, lab: &mut Lab) -> String {
        let Some(world) = lab.host.engine.game.world_mut() else { return String::from("nothing happens") };
        let times = 1 + self.random.below(STIRS);
        let what: Vec<String> = (0..times).map(|_| self.stir.once(world)).collect();
        what.join(", ")
    }

    /// The host's game does something to a player.
    fn happens(&mut self, lab: &mut Lab) -> String {
        let Some(world) = lab.host.engine.game.world_mut() else { return String::from("nothing happens") };
        let slots: Vec<Slot> = Slot::all().filter(|slot| world.unit(*slot).is_some()).collect();
        let Some(slot) = slots.get(self.random.below(slots.len() as u32) as usize).copied() else {
            return String::from("nobody lives");
        };
        let at = Vec3::new(self.random.signed(), self.random.signed(), 0.0);
        match self.random.below(4) {
            0 => {
                world.kill(slot, None);
                format!("player {} dies", slot.get())
            }
            1 => {
                if let Some(unit) = world.unit(slot) {
                    world.throw(unit, at * 0.1 + Vec3::new(0.0, 0.0, 0.2));
                }
                format!("player {} is thrown", slot.get())
            }
            2 => {
                world.set_health(slot, 0.3);
                format!("player {} is wounded", slot.get())
            }
            _ => {
                // Where somebody stands there is room.
                let to = slots.iter().find_map(|other| world.position(*other).filter(|_| *other != slot));
                if let Some(to) = to {
                    world.move_to(slot, to);
                }
                format!("player {} is moved to {to:?}", slot.get())
            }
        }
    }

    /// A client goes, in one way or another.
    fn part(&mut self, lab: &mut Lab, watch: &mut Watch, tally: &mut Tally) -> String {
        let Some(place) = self.client(lab) else { return String::from("nobody goes") };
        watch.gone(place);
        self.troubled.retain(|who| *who != Who::Client(place));
        match self.random.below(3) {
            0 => {
                lab.quit(place);
                tally.leaves += 1;
                format!("client {place} leaves")
            }
            1 => {
                lab.kill(place);
                tally.kills += 1;
                format!("client {place} is killed")
            }
            _ => {
                // Its power fails: nobody is told, and everybody has to find out.
                lab.partition(place, true);
                lab.clients[place].runs = false;
                tally.kills += 1;
                self.wakes_at = self.wakes_at.max(lab.now() + DARK);
                format!("client {place} loses its power")
            }
        }
    }

    /// A client joins the game that goes on, where nobody is; from one address no more than a game takes (NET-62).
    fn join(&mut self, lab: &mut Lab, watch: &mut Watch, tally: &mut Tally) -> String {
        let players = 1 + self.random.below(2);
        let seating = seating(&mut self.random, players).with_faults(self.base);
        let seats = lab.clients.len();
        let free = lab.clients.iter().position(|seat| !seat.runs);
        let place = free.or((seats < MACHINES - 1).then_some(seats));
        let Some(place) = place.filter(|place| self.added[*place] + players <= ADDED_OF_ADDRESS) else {
            return String::from("nobody joins");
        };
        if place < seats {
            lab.join_at(place, seating);
        } else {
            lab.join(seating);
        }
        self.added[place] += players;
        watch.seated(lab, place);
        tally.joins += 1;
        format!("client {place} joins with {players}")
    }
}
