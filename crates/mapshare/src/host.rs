//! The host's end: it answers who lacks the game's map with what there is and who else may have it, and says of each machine whether
//! its players wait and whether it gets on. Knows no socket, no file, and no game but its level.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::vec::Drain;
use core::net::IpAddr;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::mapshare::{
    File, FileSet, Offer, Progress, ProgressState, Refusal, Request, Source, SourceAddress,
};
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox};

use crate::addresses::may_be_named;
use crate::error::Error;
use crate::names::{CUSTOM_MAPS, of_level, own_name};
use crate::order::{Found, Game, News, Order};
use crate::words::Words;

mod fetch;
mod files;
mod member;
mod requests;

pub use fetch::{GROWTH_PERIOD, LOAD_PERIOD};
pub use files::MapState;
pub use requests::REQUEST_PERIOD;

use files::{Answer, Files};
use member::{Asked, Member};

/// Microseconds from one telling of the sources to the next (MAP-16).
pub const SOURCES_PERIOD: u64 = 10 * Moment::SECOND;
/// Microseconds from one telling of the sources to the next where there is a new one: of two that download the one of the lower
/// machine connects (MAP-24), and would not know of one that came after it.
pub const SOURCES_SOON: u64 = Moment::SECOND / 10;

/// What a host's settings say of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSettings {
    /// Whether it offers its map to who lacks it (`network.map_share`).
    pub shares: bool,
    /// Bytes a second that it sends of files at most; `u64::MAX` is no limit (MAP-34).
    pub upload: u64,
}

/// How a machine stands with the game's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostStanding {
    /// It lacks the map, and has not said yet that it has it: in a game its players, and those that it asks for, are held out (MAP-10,
    /// 11).
    pub is_downloading: bool,
    /// It is not dropped for adding no players, nor for loading slowly (MAP-55 to 57).
    pub is_excused: bool,
}

/// See the file's text. It outlives games, as the machines do.
#[derive(Debug)]
pub struct Host {
    settings: HostSettings,
    /// The level as the game named it.
    asked: String,
    /// The level as everybody knows it, see [`Host::level`].
    level: String,
    files: Files,
    /// By machine.
    members: Box<[Option<Member>]>,
    /// What was ordered to be shared.
    sharing: Option<Game>,
    has_new_members: bool,
    /// A machine may have files that it had none of until now.
    has_new_source: bool,
    orders: VecDeque<Order>,
    words: Words,
}

impl Host {
    /// Of a host that begins, with those settings and no level.
    pub fn new(settings: HostSettings) -> Self {
        Self {
            settings,
            asked: String::new(),
            level: String::new(),
            files: Files::new(),
            members: core::iter::repeat_with(|| None).take(MAX_MACHINES).collect(),
            sharing: None,
            has_new_members: false,
            has_new_source: false,
            orders: VecDeque::new(),
            words: Words::default(),
        }
    }

    /// The host wants it otherwise, from now on.
    pub fn set_settings(&mut self, settings: HostSettings) {
        self.settings = settings;
        self.share();
    }

    /// The level and the map version of the game's settings. The same again changes nothing, nor does what [`Host::level`] and
    /// [`Host::version`] say by then; with another level everything begins anew: what machines lacked, were offered and had of the one
    /// before is nothing to it, and its connections close (MAP-85).
    ///
    /// A level is its map's own name, and so of the file of that name alone; another version of it is named by its whole file's,
    /// `custom_maps\hugeass_0e2b3ee4`, until it is found.
    pub fn set_game(&mut self, level: &str, version: u32) {
        let is_found = level == self.level && self.version() == Some(version);
        if level == self.asked || is_found {
            return;
        }
        level.clone_into(&mut self.asked);
        level.clone_into(&mut self.level);
        if self.sharing.take().is_some() {
            self.orders.push_back(Order::Leave);
        }
        self.files.begin_map(of_level(level).map(|_| level), &mut self.orders);
        for member in self.members.iter_mut().flatten() {
            member.begin_map();
        }
    }

    /// The level of the game, as the settings are to have it: once its map is found and its file turns out to be named for its hash, that
    /// of the map's own name (MAP-02, 07).
    pub fn level(&self) -> &str {
        &self.level
    }

    /// What it has of its game's map.
    pub fn map(&self) -> MapState<'_> {
        self.files.state()
    }

    /// The game record's map version, once the map is found (MAP-02).
    pub fn version(&self) -> Option<u32> {
        match self.files.state() {
            MapState::Found(found) => Some(found.hash.version()),
            _ => None,
        }
    }

    /// A machine is in the game from now on, at that real address: without one it is named to nobody, and its connections are not
    /// taken.
    pub fn join(&mut self, machine: Machine, address: Option<IpAddr>) {
        if machine != Machine::HOST {
            let address = address.map(|ip| ip.to_canonical());
            self.members[machine.index()] = Some(Member::new(address));
            self.has_new_members = true;
        }
    }

    /// It is not any more.
    pub fn leave(&mut self, machine: Machine) {
        self.has_new_members |= self.members[machine.index()].take().is_some();
    }

    /// What a machine lacks (MAP-09): known at once, so that its players wait, and answered by a later [`Host::poll`], once (MAP-58).
    ///
    /// # Errors
    ///
    /// [`Error::NotJoined`].
    pub fn handle_request(&mut self, from: Machine, request: &Request) -> Result<(), Error> {
        let is_the_games = request.level.as_bytes() == self.level.as_bytes();
        let member = self.member(from)?;
        if is_the_games {
            member.fetch.ask(request.lacked);
        }
        member.requests.put(*request);
        Ok(())
    }

    /// How far a machine is (MAP-72). One that had the map says that it has all, and nothing before.
    ///
    /// # Errors
    ///
    /// [`Error::NotJoined`]; [`Error::OtherVersion`] where the game has another map by now (MAP-70); [`Error::NotAsked`] of one that
    /// lacks nothing.
    pub fn handle_progress(&mut self, now: Moment, from: Machine, progress: &Progress) -> Result<(), Error> {
        let version = self.version();
        let member = self.member(from)?;
        if version != Some(progress.map_version) {
            return Err(Error::OtherVersion);
        }
        let was_source = member.is_source();
        member.fetch.progress(now, progress.had, progress.state)?;
        if progress.state == ProgressState::HasAll {
            // What it asked before it had all is nothing to it now.
            member.asked = None;
            member.requests.forget();
        }
        if !member.fetch.is_fetching() {
            member.sources_due = None;
        }
        let is_new_source = !was_source && member.is_source();
        self.has_new_source |= is_new_source;
        Ok(())
    }

    fn member(&mut self, machine: Machine) -> Result<&mut Member, Error> {
        self.members[machine.index()].as_mut().ok_or(Error::NotJoined)
    }

    /// What became of orders.
    pub fn handle_news(&mut self, news: News) {
        match news {
            News::Looked { ticket, map, .. } => {
                // Before an order is taken nothing answers it: that is of who ordered before this.
                let is_to_come = self.orders.iter().any(|order| matches!(order, Order::Look { .. }));
                if !is_to_come && self.files.looked(ticket, map) {
                    self.name_level();
                    self.share();
                }
            }
            News::Hashed { ticket, file, answer } => self.files.hashed(ticket, file, answer),
            News::Lost(file) => self.files.lost(file),
            News::Word(word) => self.words.push(word),
            // A host downloads nothing.
            News::Progress { .. } | News::Done(_) | News::Failed(_) => {}
        }
    }

    /// The level is its map's own name, whatever its file's is.
    fn name_level(&mut self) {
        if let MapState::Found(Found { name, hash, .. }) = self.files.state()
            && let Some(own) = of_level(&self.asked).and_then(|asked| own_name(asked, name, hash))
        {
            self.level = format!("{CUSTOM_MAPS}{own}");
        }
    }

    /// Its files are shared as its settings are by now.
    fn share(&mut self) {
        let game = self.version().filter(|_| self.settings.shares).map(|map_version| Game {
            machine: Machine::HOST,
            map_version,
            host: None,
            upload: Some(self.settings.upload),
        });
        if game == self.sharing {
            return;
        }
        self.has_new_members |= self.sharing.is_none();
        self.sharing = game;
        self.orders.push_back(game.map_or(Order::Leave, Order::Share));
    }

    /// Each tick, in the lobby too: who asked is answered as soon as that is known, and who downloads is told of sources.
    pub fn poll(&mut self, now: Moment, outbox: &mut Outbox) {
        let mut does_one_wait = false;
        for machine in MachineSet::CLIENTS.iter() {
            let Some(mut member) = self.members[machine.index()].take() else { continue };
            let was_source = member.is_source();
            self.take_request(now, &mut member);
            member.poll(now);
            self.tell_answer(now, machine, &mut member, outbox);
            self.has_new_source |= !was_source && member.is_source();
            does_one_wait |= member.asked.is_some();
            self.members[machine.index()] = Some(member);
        }
        if !does_one_wait {
            self.files.forget_refused();
        }
        if core::mem::take(&mut self.has_new_source) {
            self.members.iter_mut().flatten().for_each(Member::tell_soon);
        }
        // After all answers: who is answered in one tick is told of each other at once.
        for machine in MachineSet::CLIENTS.iter() {
            let Some(member) = &mut self.members[machine.index()] else { continue };
            if member.sources_due.is_some_and(|due| now >= due) {
                member.sources_due = Some(now.plus(SOURCES_PERIOD));
                member.sources_told = now;
                let offered = member.fetch.offered();
                self.tell_sources(machine, offered, outbox);
            }
        }
    }

    fn take_request(&self, now: Moment, member: &mut Member) {
        if let Some(request) = member.requests.take(now) {
            member.asked = Some(if request.level.as_bytes() == self.level.as_bytes() {
                // The game may have come to this map since.
                member.fetch.ask(request.lacked);
                Asked::Files(request.lacked)
            } else {
                Asked::OtherLevel
            });
        }
    }

    fn answer(&mut self, asked: Asked) -> Option<Answer> {
        if self.files.state() == MapState::Looking {
            // Without the map's version no answer says of which it is.
            return None;
        }
        match asked {
            Asked::OtherLevel => Some(Answer::No(Refusal::NotTheGamesMap)),
            Asked::Files(_) if !self.settings.shares => Some(Answer::No(Refusal::SharingOff)),
            Asked::Files(lacked) => self.files.answer(lacked, &mut self.orders),
        }
    }

    fn tell_answer(&mut self, now: Moment, machine: Machine, member: &mut Member, outbox: &mut Outbox) {
        let Some(answer) = member.asked.and_then(|asked| self.answer(asked)) else { return };
        member.asked = None;
        let to = MachineSet::only(machine);
        // Entries of their size fit any message, and each run of them one.
        let mut tell = |offer: Offer| {
            let _ = outbox.reliable_entry(to, Kind::MapShareOffer, |bytes| offer.write(bytes));
        };
        let files = match answer {
            Answer::No(why) => {
                let map_version = self.version().unwrap_or_default();
                return tell(Offer { file: File::Map, map_version, answer: Err(why) });
            }
            Answer::Files(files) => files,
        };
        for file in files.iter() {
            let offer = self.files.offer(file);
            if let Ok((size, _)) = offer.answer {
                member.fetch.offer(now, file, size);
            }
            tell(offer);
        }
        if member.fetch.is_fetching() && member.sources_due.is_none() {
            member.sources_due = Some(now);
        }
    }

    /// The others that may have some of those files; nobody is an answer too (MAP-16, 71).
    fn tell_sources(&self, to: Machine, of: FileSet, outbox: &mut Outbox) {
        let sources = || {
            let members = self.members.iter().zip(Machine::all()).filter(move |(_, machine)| *machine != to);
            members.filter_map(move |(member, machine)| source(machine, member.as_ref()?, of))
        };
        let count = sources().count() as u8;
        // All machines' entries fit a message.
        let _ = outbox.message(MachineSet::only(to), Kind::MapShareSources, count, |bytes| {
            sources().for_each(|source| source.write(bytes));
        });
    }

    /// What is wanted of this machine's files and connections, in order.
    pub fn next_order(&mut self) -> Option<Order> {
        if let Some(order) = self.orders.pop_front() {
            return Some(order);
        }
        if self.sharing.is_none() || !core::mem::take(&mut self.has_new_members) {
            return None;
        }
        let members = self.members.iter().zip(Machine::all());
        let members = members.filter_map(|(member, machine)| Some((machine, member.as_ref()?.address?)));
        Some(Order::Members(members.collect()))
    }

    /// How a machine stands; one that is not in the game is nothing to it.
    pub fn standing(&self, now: Moment, machine: Machine) -> HostStanding {
        let Some(member) = &self.members[machine.index()] else { return HostStanding::default() };
        HostStanding {
            is_downloading: self.lacks_map(machine),
            is_excused: member.fetch.is_excused(now, member.is_owed(now)),
        }
    }

    /// Whether that machine lacks the game's map: it has asked for it, and has not said since that it has all.
    pub fn lacks_map(&self, machine: Machine) -> bool {
        self.members[machine.index()].as_ref().is_some_and(|member| member.fetch.lacks())
    }

    /// What is to be written down.
    pub fn words(&mut self) -> Drain<'_, String> {
        self.words.drain()
    }
}

fn source(machine: Machine, member: &Member, of: FileSet) -> Option<Source> {
    let files = member.fetch.sends();
    let address = member.address.filter(|ip| may_be_named(*ip))?;
    let is_downloading = member.fetch.is_fetching();
    (!files.and(of).is_empty()).then_some(Source {
        machine,
        address: SourceAddress::Lan(address),
        files,
        is_downloading,
    })
}
