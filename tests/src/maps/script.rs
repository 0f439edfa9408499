//! Games from a seed on custom maps that machines lack: joins, leaves, kills, maps changed, games begun and ended, sharing and games cut
//! off. Whoever plays has the game's map byte for byte, and once it is quiet everybody plays, or has left and said why.

use std::collections::BTreeMap;
use std::fmt;

use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::{client, host};
use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::disk::Memory;
use mjolnir_mapshare::{ClientSettings, HostSettings};
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::mapshare::{File, FileSet};
use mjolnir_wire::packets::Rejection;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Moment, Tick};

use super::{Files, made};
use crate::lab::{Lab, Plan, Who};
use crate::played::still;
use crate::seat::Seating;

/// The levels, their files, and the seeds and sizes of the host's own.
const LEVELS: [(&str, &str, u64, usize); 3] = [
    ("custom_maps\\one", "one.map", 1, 1_000_000),
    ("custom_maps\\two", "two.map", 2, 700_000),
    ("custom_maps\\three", "three.map", 3, 300_000),
];
/// Of the second map's resource map.
const SOUNDS: (&str, u64, usize) = ("sounds.map", 4, 500_000);
/// Machines besides the host.
const CLIENTS: usize = 4;
/// What happens in a game.
const HAPPENINGS: u32 = 30;
/// In quiet everybody plays or has left within so long, in seconds: a download that brings nothing is given up after a minute, a host
/// that does not answer after half of one.
const QUIET: u64 = 100;

/// What came of a game.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games that were loaded, of all machines.
    pub loads: usize,
    /// Bytes of files that came over the swarm, as far as their machines ran to the end.
    pub received: u64,
    /// Those that played in the end.
    pub play: usize,
    /// Why others had left.
    pub left: BTreeMap<String, usize>,
    /// Microseconds.
    pub micros: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { loads, received, play, left, micros } = self;
        let seconds = *micros as f64 / 1e6;
        write!(f, "{seconds:.0} s, {loads} loads, {received} bytes of files, {play} play in the end")?;
        left.iter().try_for_each(|(why, times)| write!(f, "; {times}: {why}"))
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.loads += other.loads;
        self.received += other.received;
        self.play += other.play;
        self.micros += other.micros;
        for (why, times) in other.left {
            *self.left.entry(why).or_default() += times;
        }
    }
}

struct Script<'a> {
    lab: Lab,
    random: Random,
    hosts: Memory,
    folders: Vec<Memory>,
    /// How many loads of each client's were looked at.
    seen: Vec<usize>,
    tally: Tally,
    tell: &'a mut dyn FnMut(&str),
}

/// Plays that seed's game; `tell` hears what happens, a line each.
///
/// # Errors
///
/// What did not hold, with the seed and when.
pub fn play(seed: u64, tell: &mut dyn FnMut(&str)) -> Result<Tally, String> {
    let mut script = Script::open(seed, tell);
    let played = script.whole();
    let at = script.lab.now() as f64 / 1e6;
    script.tally.micros = script.lab.now();
    played.map(|()| script.tally).map_err(|what| format!("seed {seed}, {at:.3} s: {what}"))
}

impl<'a> Script<'a> {
    fn open(seed: u64, tell: &'a mut dyn FnMut(&str)) -> Self {
        let mut random = Random::new(seed ^ 0x3A95);
        let mut files =
            Files::default().with(SOUNDS.0, &made(File::Sounds, SOUNDS.2, SOUNDS.1, FileSet::NONE));
        for (level, name, of, size) in LEVELS {
            let needs = if level == LEVELS[1].0 { FileSet::only(File::Sounds) } else { FileSet::NONE };
            files = files.with(name, &made(File::Map, size, of, needs));
        }
        files.host = HostSettings { shares: true, upload: 100_000 << random.below(5) };
        files.disk_micros = if random.once_in(3) { 700_000 } else { 0 };
        let hosts = files.folder.clone();
        // The first has all, the second another version of each, the others nothing.
        let folders: Vec<Memory> = (0..CLIENTS)
            .map(|place| {
                let mut files = Files::default();
                for (_, name, of, size) in LEVELS {
                    if place == 0 {
                        files = files.with(name, &hosts.get(name).unwrap_or_default());
                    } else if place == 1 {
                        files = files.with(name, &made(File::Map, size / 2, of + 10, FileSet::NONE));
                    }
                }
                files.folder
            })
            .collect();
        let milliseconds = u64::from(random.below(80));
        let plan = Plan::new(LEVELS[0].0, seed, 0).network(milliseconds, 0.0);
        let lab = Lab::open(plan, Seating::of(vec![still()]).with_files(files).with_faults(plan.faults));
        let seen = vec![0; CLIENTS];
        Self { lab, random, hosts, folders, seen, tally: Tally::default(), tell }
    }

    fn tell(&mut self, what: &str) {
        let line = format!("{:8.3} s: {what}", self.lab.now() as f64 / 1e6);
        (self.tell)(&line);
    }

    fn whole(&mut self) -> Result<(), String> {
        for _ in 0..CLIENTS {
            self.join()?;
        }
        for _ in 0..HAPPENINGS {
            let what = self.happen()?;
            self.tell(&what);
            let micros = 20_000 << self.random.below(8);
            self.run_for(micros)?;
        }
        self.quiet()
    }

    /// A client comes, where there is room, or one that is gone comes back.
    fn join(&mut self) -> Result<String, String> {
        let gone = self.lab.clients.iter().position(|seat| !seat.runs);
        let place = gone.unwrap_or(self.lab.clients.len());
        if place == CLIENTS {
            return Ok(String::from("nobody comes: all are there"));
        }
        let mut files = Files { folder: self.folders[place].clone(), ..Files::default() };
        files.client = ClientSettings { seeds: !self.random.once_in(3), ..files.client };
        files.disk_micros = if self.random.once_in(3) { 300_000 } else { 0 };
        let faults = self.lab.host.network.faults();
        let load_micros = u64::from(self.random.below(1_500_000));
        let seating =
            Seating { load_micros, ..Seating::of(vec![still()]).with_files(files).with_faults(faults) };
        if gone.is_some() {
            self.lab.join_at(place, seating);
        } else {
            self.lab.join(seating);
        }
        self.seen[place] = 0;
        Ok(format!("{place} joins"))
    }

    fn happen(&mut self) -> Result<String, String> {
        let place = self.random.below(CLIENTS as u32) as usize;
        let runs = self.lab.clients[place].runs;
        Ok(match self.random.below(12) {
            0..=2 => return self.join(),
            3 if runs => {
                self.lab.quit(place);
                format!("{place} leaves")
            }
            4 if runs => {
                self.lab.kill(place);
                format!("{place} is killed")
            }
            5 => {
                let who = if self.random.once_in(2) { Who::Host } else { Who::Client(place) };
                let micros = u64::from(self.random.below(4_000_000));
                self.lab.maps_mut().cut(who, true);
                self.tell(&format!("{who:?} shares nothing for {micros} us"));
                self.run_for(micros)?;
                self.lab.maps_mut().cut(who, false);
                String::from("its sharing is back")
            }
            6 if runs => {
                self.lab.partition(place, true);
                self.tell(&format!("{place} has no network for its game"));
                self.run_for(900_000)?;
                self.lab.partition(place, false);
                String::from("its network is back")
            }
            7 => {
                let faults = Faults { loss: 0.05, jitter_us: 20_000, ..self.lab.host.network.faults() };
                self.lab.set_faults(faults);
                String::from("5 % are lost")
            }
            _ => self.conduct(),
        })
    }

    /// The host does something with its game.
    fn conduct(&mut self) -> String {
        let (level, ..) = LEVELS[self.random.below(LEVELS.len() as u32) as usize];
        let mut record = *self.lab.host.net.transport().record();
        if record.map.as_str() != Some(level) {
            record.map = Chars::new(level).unwrap_or(Chars::EMPTY);
            record.map_version = 0;
        }
        match (self.lab.host.net.stage(), self.random.below(4)) {
            (host::Stage::Lobby, 0..=1) => {
                self.lab.begin();
                String::from("the host begins")
            }
            (host::Stage::Lobby, _) => {
                self.lab.host.net.set_game(&record);
                format!("the lobby is of {level}")
            }
            (_, 0) => {
                self.lab.end();
                String::from("the host ends the game")
            }
            (_, 1) => {
                self.lab.to_lobby();
                String::from("the host is back in the lobby")
            }
            _ => {
                self.lab.begin_next(&record, Tick::ZERO);
                format!("the host begins {level}")
            }
        }
    }

    /// Nothing happens any more: whoever is gone comes back, a game is begun, and everybody plays or has left.
    fn quiet(&mut self) -> Result<(), String> {
        self.tell("quiet");
        self.lab.set_faults(Faults { loss: 0.0, jitter_us: 0, ..self.lab.host.network.faults() });
        for _ in 0..CLIENTS {
            self.join()?;
        }
        if matches!(self.lab.host.net.stage(), host::Stage::Lobby | host::Stage::Over) {
            self.lab.to_lobby();
            self.run_for(2 * Moment::SECOND)?;
            self.lab.begin();
        }
        let end = self.lab.now() + QUIET * Moment::SECOND;
        while let Some(place) = (0..CLIENTS).find(|place| !self.is_settled(*place)) {
            if self.lab.now() > end {
                let seat = &self.lab.clients[place];
                let host = (self.lab.host.net.stage(), self.lab.host.net.map());
                let what = (seat.net.stage(), seat.net.map(), seat.net.own_slots());
                return Err(format!("{place} neither plays nor has left: {what:?}, the host: {host:?}"));
            }
            self.step()?;
        }
        self.run_for(2 * Moment::SECOND)?;
        self.sum_up()
    }

    /// Whether that client plays the host's game, or its session is over.
    fn is_settled(&self, place: usize) -> bool {
        let seat = &self.lab.clients[place];
        if !seat.runs {
            return true;
        }
        let Some(slot) = seat.net.own_slots().first() else { return false };
        let (Some(there), Some(here)) = (self.lab.host.engine.game.world(), seat.engine.game.world()) else {
            return false;
        };
        seat.net.stage() == client::Stage::Playing
            && self.lab.host.net.stage() == host::Stage::Playing
            && there.map().about == here.map().about
            && here.unit(*slot).is_some()
            && here.unit(*slot) == there.unit(*slot)
    }

    fn sum_up(&mut self) -> Result<(), String> {
        self.tally.play += self.lab.clients.iter().filter(|seat| seat.runs).count();
        for place in 0..CLIENTS {
            self.tally.received += self.lab.maps().received(Who::Client(place));
        }
        if self.lab.apart().is_none_or(|apart| apart > 0.01) {
            return Err(format!("not everybody is where the host has it: {:?}", self.lab.apart()));
        }
        Ok(())
    }

    fn run_for(&mut self, micros: u64) -> Result<(), String> {
        let end = self.lab.now() + micros;
        while self.lab.now() < end {
            self.step()?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        let Who::Client(place) = self.lab.step() else {
            for (_, notice) in std::mem::take(&mut self.lab.host.notices) {
                if let host::Notice::Left { machine, why } = notice {
                    self.tell(&format!("machine {}: {}", machine.get(), why.reason()));
                }
            }
            return Ok(());
        };
        let loads = self.lab.clients[place].engine.notes.loads.len();
        if loads > self.seen[place] {
            self.seen[place] = loads;
            self.tally.loads += 1;
            self.look_at_load(place)?;
        }
        let seat = &self.lab.clients[place];
        if seat.net.stage() == client::Stage::Closed {
            return self.closed(place);
        }
        // Nobody has a player in a game before it has the game's map.
        if seat.net.stage() == client::Stage::Playing && seat.engine.game.world().is_none() {
            return Err(format!("{place} plays without a map"));
        }
        Ok(())
    }

    /// A client's session is over, and its program with it: it has said why.
    fn closed(&mut self, place: usize) -> Result<(), String> {
        let notices = self.lab.clients[place].notices.iter();
        let whys: Vec<String> = notices
            .filter_map(|(_, notice)| match notice {
                client::Notice::NoMap { why } => Some(why.clone()),
                // That is so while a game is loaded, and after one.
                client::Notice::Closed { why: Why::Rejected(Rejection::Closed) } => Some("not let in".into()),
                _ => None,
            })
            .collect();
        // Nobody was cut off for long, so nobody is dropped.
        let why = whys.first().ok_or_else(|| {
            let seat = &self.lab.clients[place];
            format!("{place} has left for no reason that it may have: {:?}", seat.notices.last())
        })?;
        self.tell(&format!("{place} has left: {why}"));
        *self.tally.left.entry(why.clone()).or_default() += 1;
        self.lab.kill(place);
        Ok(())
    }

    /// What a client loads is its settings' map, byte for byte what the host has.
    fn look_at_load(&self, place: usize) -> Result<(), String> {
        let seat = &self.lab.clients[place];
        let record = seat.net.transport().record().ok_or("a load without settings")?;
        let level = record.map.as_str().unwrap_or_default();
        let (_, name, of, _) = *LEVELS.iter().find(|(of, ..)| *of == level).ok_or("a level that is none")?;
        let due = format!("A custom map, of seed {of:016x}.");
        let loaded = seat.engine.notes.loads.last().cloned().flatten();
        if loaded.as_deref() != Some(&due) {
            return Err(format!("{place} loads {level}: {loaded:?}"));
        }
        let Standing::Ready { file: Some(file) } = seat.net.map() else {
            return Err(format!("{place} loads and is {:?}", seat.net.map()));
        };
        if self.folders[place].get(file).is_none() || self.folders[place].get(file) != self.hosts.get(name) {
            return Err(format!("{place} loads {file}, which is not the host's {name}"));
        }
        let sounds = level == LEVELS[1].0;
        if sounds && self.folders[place].get(SOUNDS.0) != self.hosts.get(SOUNDS.0) {
            return Err(format!("{place} loads {level} without its {}", SOUNDS.0));
        }
        Ok(())
    }
}
