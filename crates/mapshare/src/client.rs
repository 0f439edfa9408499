//! A client's end: whether the game's map is there, what is asked of the host where it is not, how its download goes, and why the
//! client leaves. Knows no socket, no file, and no game but its level.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Drain;
use core::net::IpAddr;

use mjolnir_wire::mapshare::{File, FileSet, Offer, Progress, ProgressState, Refusal, Request, Source};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Kind, Machine, MachineSet, Message, Moment, Outbox};

use crate::error::Error;
use crate::host::REQUEST_PERIOD;
use crate::names;
use crate::order::{Found, Game, News, Offered, Order, Place};
use crate::words::Words;

mod believing;
mod judging;
mod stage;

pub use stage::{Failure, Line, Standing, Why};

use believing::believed;
use judging::{Judged, judge};
use stage::{Asking, Download, Stage, is_level};

/// Microseconds from one telling of how far it is to the next (MAP-54).
pub const PROGRESS_PERIOD: u64 = 2 * Moment::SECOND;
/// Microseconds that a client waits for the host's answer (MAP-61).
pub const ANSWER_PERIOD: u64 = 30 * Moment::SECOND;
/// The resource maps.
const RESOURCES: FileSet = FileSet::NONE.with(File::Bitmaps).with(File::Sounds).with(File::Loc);

/// What a client's settings and its loader say of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientSettings {
    /// Whether it asks for a map that it lacks (`network.map_download`); else it leaves.
    pub downloads: bool,
    /// Whether it sends others what it has of the game's files (`network.map_seed`).
    pub seeds: bool,
    /// Bytes a second that it sends of files at most; `u64::MAX` is no limit (MAP-34).
    pub upload: u64,
    /// Bytes of the largest file that its loader takes, by the file's number (MAP-18).
    pub most: [u64; File::ALL.len()],
}

/// Whose client it is, and which of the game's machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Session {
    host: IpAddr,
    machine: Machine,
}

/// The look of the latest ticket: there is one at a time, however often a host changes its mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// It is answered.
    Answered,
    /// It is of the map that the settings name.
    Wanted,
    /// It is of one that they named before.
    Outdated,
}

/// See the file's text.
#[derive(Debug)]
pub struct Client {
    settings: ClientSettings,
    session: Option<Session>,
    level: String,
    version: u32,
    stage: Stage,
    /// The resource maps that are there.
    present: FileSet,
    /// What was ordered to be shared.
    sharing: Option<Game>,
    ticket: u32,
    look: Look,
    /// When the host was asked last, for whatever map.
    asked: Option<Moment>,
    /// The host still owes an answer to what was asked for the map before.
    is_owed: bool,
    /// What the host is told at once: an end of what it was told before.
    last_word: Option<(ProgressState, u64)>,
    /// Bytes of each file that downloads of this map have brought.
    brought: [u32; File::ALL.len()],
    /// The latest, in place of those before it.
    sources: Option<Box<[Place]>>,
    orders: VecDeque<Order>,
    words: Words,
    left_out: u64,
}

impl Client {
    /// Of no host yet.
    pub fn new(settings: ClientSettings) -> Self {
        Self {
            settings,
            session: None,
            level: String::new(),
            version: 0,
            stage: Stage::Unnamed,
            present: FileSet::NONE,
            sharing: None,
            ticket: 0,
            look: Look::Answered,
            asked: None,
            is_owed: false,
            last_word: None,
            brought: [0; File::ALL.len()],
            sources: None,
            orders: VecDeque::new(),
            words: Words::default(),
            left_out: 0,
        }
    }

    /// Its player wants it otherwise: what it sends changes now, or after a download that is under way; the rest when it is asked next.
    pub fn set_settings(&mut self, settings: ClientSettings) {
        self.settings = settings;
        if matches!(self.stage, Stage::Ready(Some(_))) {
            self.share();
        }
    }

    /// A host has let it in, as that machine: what another one named is forgotten.
    pub fn begin_session(&mut self, host: IpAddr, machine: Machine) {
        self.end_session();
        self.session = Some(Session { host: host.to_canonical(), machine });
    }

    /// It has left, or was dropped. What there is of a download stays as a part file (MAP-51, 52).
    pub fn end_session(&mut self) {
        self.forget_map();
        self.session = None;
        self.level.clear();
        self.asked = None;
        self.is_owed = false;
    }

    fn forget_map(&mut self) {
        if self.sharing.take().is_some() {
            self.orders.push_back(Order::Leave);
        }
        if self.look == Look::Wanted {
            self.look = Look::Outdated;
        }
        self.stage = Stage::Unnamed;
        self.present = FileSet::NONE;
        self.last_word = None;
        self.brought = [0; File::ALL.len()];
        self.sources = None;
    }

    /// The host's settings, each time they come: the same map again changes nothing; for another everything begins anew (MAP-03, 05,
    /// 85). A level that is no custom map is there. Before [`Client::begin_session`] they are nobody's.
    pub fn handle_settings(&mut self, level: &str, version: u32) {
        let is_named = !matches!(self.stage, Stage::Unnamed);
        let is_same = self.level == level && self.version == version;
        if self.session.is_none() || level.is_empty() || is_named && is_same {
            return;
        }
        if let Stage::Asking(Asking { since: Some(_), .. }) = self.stage {
            self.is_owed = true;
        }
        self.forget_map();
        level.clone_into(&mut self.level);
        self.version = version;
        self.stage = if names::of_level(level).is_none() {
            Stage::Ready(None)
        } else if version == 0 {
            // A host that has yet to look at its own file says the version once it knows it.
            Stage::Unnamed
        } else if is_level(level) {
            Stage::Looking
        } else {
            Stage::Failed(Why::Name)
        };
        self.look();
    }

    /// The host has begun its game. It does so once it knows its map's version: where it has said none it has no such map, and nobody
    /// plays it (MAP-02).
    pub fn handle_start(&mut self) {
        if matches!(self.stage, Stage::Unnamed) && names::of_level(&self.level).is_some() {
            self.stage = Stage::Failed(Why::NoVersion);
        }
    }

    /// Orders the look that is due, once the one before it is answered.
    fn look(&mut self) {
        if matches!(self.stage, Stage::Looking) && self.look == Look::Answered {
            self.look = Look::Wanted;
            self.ticket = self.ticket.wrapping_add(1);
            let version = Some(self.version);
            self.orders.push_back(Order::Look { ticket: self.ticket, level: self.level.clone(), version });
        }
    }

    /// What became of orders. News of a download that was given up are none: they come before the look's that followed.
    pub fn handle_news(&mut self, news: News) {
        match (news, &mut self.stage) {
            (News::Looked { ticket, map, resources }, _)
                if ticket == self.ticket && !has_look_to_come(&self.orders) =>
            {
                match core::mem::replace(&mut self.look, Look::Answered) {
                    Look::Wanted => self.looked(map, resources),
                    Look::Outdated => self.look(),
                    Look::Answered => {}
                }
            }
            (News::Progress { had, is_checking }, Stage::Downloading(download)) => {
                download.had = had.min(download.total);
                download.is_checking = is_checking;
            }
            (News::Done(found), Stage::Downloading(_)) => self.done(found),
            (News::Failed(fault), Stage::Downloading(download)) => {
                self.last_word = Some((ProgressState::Stopped, download.before + download.had));
                self.stage = Stage::Failed(Why::Fault(fault));
            }
            (News::Word(word), _) => self.words.push(word),
            _ => {}
        }
    }

    fn looked(&mut self, map: Result<Option<Found>, Refusal>, resources: FileSet) {
        let is_this = |found: &Found| found.hash.version() == self.version;
        self.present = resources;
        match map {
            Ok(Some(found)) if is_this(&found) => self.found(found),
            // The very bytes that the game plays: no download gets better ones.
            Err(Refusal::NotTheGamesVersion) => self.stage = Stage::Failed(Why::Unusable),
            _ => self.lack(FileSet::MAP.or(RESOURCES.without(resources)), false),
        }
    }

    /// The map is there: it is ready if what it needs is too (MAP-67).
    fn found(&mut self, found: Found) {
        let lacked = found.needs.without(self.present).without(FileSet::MAP);
        if lacked.is_empty() {
            self.last_word = Some((ProgressState::HasAll, u64::from(found.size)));
            self.stage = Stage::Ready(Some(found));
            self.share();
        } else {
            self.lack(lacked, true);
        }
    }

    /// The host is to be asked, where it may be (MAP-09, 66).
    fn lack(&mut self, lacked: FileSet, has_map: bool) {
        let is_name = names::of_level(&self.level).is_some_and(|name| names::check(name).is_ok());
        self.stage = if let (false, Some(first)) = (self.settings.downloads, lacked.iter().next()) {
            Stage::Failed(Why::Off(first))
        } else if !has_map && !is_name {
            Stage::Failed(Why::Name)
        } else {
            Stage::Asking(Asking { lacked, has_map, since: None, is_to_ask: true })
        };
    }

    /// The game's files are shared from now on, as far as they are there; a client that sends nothing and downloads nothing has
    /// nothing to do with others (MAP-36, 37).
    fn share(&mut self) {
        let Some(Session { host, machine }) = self.session else { return };
        let upload = self.settings.seeds.then_some(self.settings.upload);
        let game = Game { machine, map_version: self.version, host: Some(host), upload };
        let is_wanted =
            upload.is_some() || self.sharing.is_some() || matches!(self.stage, Stage::Downloading(_));
        if is_wanted && self.sharing != Some(game) {
            self.sharing = Some(game);
            self.orders.push_back(Order::Share(game));
        }
    }

    /// The files are in their places. What the host left out of its offer and the map needs is asked for too.
    fn done(&mut self, found: Found) {
        let Stage::Downloading(download) = &self.stage else { return };
        if found.hash.version() != self.version {
            self.last_word = Some((ProgressState::Stopped, download.before + download.had));
            self.stage = Stage::Failed(Why::WrongHash);
            return;
        }
        let files = download.sizes.iter().map(|size| *size > 0);
        let files = files.zip(File::ALL).filter(|(is_in, _)| *is_in).map(|(_, file)| file);
        self.present = self.present.or(files.fold(FileSet::NONE, FileSet::with));
        for (brought, size) in self.brought.iter_mut().zip(download.sizes) {
            *brought = size.max(*brought);
        }
        let all = self.brought.iter().map(|size| u64::from(*size)).sum();
        self.found(found);
        if let Some((ProgressState::HasAll, had)) = &mut self.last_word {
            *had = all;
        }
    }

    /// What the host offers (MAP-13, 14): it is downloaded if it is what was asked for. Entries that are none are left out.
    ///
    /// # Errors
    ///
    /// [`Error::NotAsked`], [`Error::Malformed`]; [`Error::OtherVersion`] of an earlier map's and [`Error::Stale`], after both of
    /// which the host is asked again (MAP-70); [`Error::Incomplete`].
    pub fn handle_offers(&mut self, now: Moment, message: &Message<'_>) -> Result<(), Error> {
        let Stage::Asking(asking) = &mut self.stage else { return Err(Error::NotAsked) };
        if asking.since.is_none() {
            return Err(Error::NotAsked);
        }
        let judged = judge(asking, self.version, &self.settings.most, Offer::read_all(message));
        let judged = match judged {
            Ok(Judged::Fails(Why::Refused(_, Refusal::NotTheGamesMap))) if self.is_owed => Err(Error::Stale),
            other => other,
        };
        match judged {
            Ok(Judged::Fails(why)) => {
                self.is_owed = false;
                self.stage = Stage::Failed(why);
                Ok(())
            }
            Ok(Judged::Taken(offers)) => {
                self.is_owed = false;
                self.download(now, offers);
                Ok(())
            }
            Err(error) => {
                asking.is_to_ask |= matches!(error, Error::OtherVersion | Error::Stale);
                self.is_owed &= error != Error::Stale && error != Error::OtherVersion;
                Err(error)
            }
        }
    }

    fn download(&mut self, now: Moment, offers: Box<[Offered]>) {
        let mut sizes = [0; File::ALL.len()];
        offers.iter().for_each(|offer| sizes[offer.file.index()] = offer.size);
        // What came before counts on: the host counts all that it offered (MAP-72).
        let before = self.brought.iter().zip(sizes).filter(|(_, size)| *size == 0);
        self.stage = Stage::Downloading(Download {
            sizes,
            before: before.map(|(brought, _)| u64::from(*brought)).sum(),
            total: offers.iter().map(|offer| u64::from(offer.size)).sum(),
            had: 0,
            is_checking: false,
            due: now.plus(PROGRESS_PERIOD),
        });
        self.share();
        self.orders.push_back(Order::Download { level: self.level.clone(), offers });
    }

    /// Who else may have files, in place of what was said before (MAP-71): of machines at addresses of the host's kind (MAP-21, 22).
    /// An entry that is none costs itself.
    ///
    /// # Errors
    ///
    /// [`Error::NotAsked`] while nothing is downloaded.
    pub fn handle_sources(&mut self, message: &Message<'_>) -> Result<(), Error> {
        let (Stage::Downloading(_), Some(Session { host, machine: own })) = (&self.stage, self.session)
        else {
            return Err(Error::NotAsked);
        };
        let (places, left_out) = believed(host, own, Source::read_all(message));
        self.sources = Some(places);
        self.left_out += left_out;
        Ok(())
    }

    /// Entries of sources that were left out since it was made: malformed, of machines on the internet, or at addresses that a host
    /// may not send a client to.
    pub const fn left_out_sources(&self) -> u64 {
        self.left_out
    }

    /// Each tick, in the lobby too: the host is asked, and told how far it is.
    pub fn poll(&mut self, now: Moment, outbox: &mut Outbox) {
        if let Some((state, had)) = self.last_word.take() {
            tell(outbox, Progress { had, map_version: self.version, state });
        }
        match &mut self.stage {
            Stage::Asking(asking) => {
                if asking.since.is_some_and(|since| now.since(since) >= ANSWER_PERIOD) {
                    self.stage = Stage::Failed(Why::NoAnswer);
                } else if asking.is_to_ask
                    && self.asked.is_none_or(|asked| now.since(asked) >= REQUEST_PERIOD)
                {
                    asking.is_to_ask = false;
                    asking.since.get_or_insert(now);
                    self.asked = Some(now);
                    ask(outbox, asking.lacked, &self.level);
                }
            }
            Stage::Downloading(download) if now >= download.due => {
                download.due = now.plus(PROGRESS_PERIOD);
                let state = match download.is_checking {
                    true => ProgressState::Checking,
                    false => ProgressState::Downloading,
                };
                let had = download.before + download.had;
                tell(outbox, Progress { had, map_version: self.version, state });
            }
            _ => {}
        }
    }

    /// What is wanted of this machine's files and connections, in order.
    pub fn next_order(&mut self) -> Option<Order> {
        self.orders.pop_front().or_else(|| self.sources.take().map(Order::Sources))
    }

    /// How it stands with the game's map.
    pub fn standing(&self) -> Standing<'_> {
        self.stage.standing(&self.level)
    }

    /// Whether the map may be loaded; till then a start is put off (MAP-12).
    pub const fn may_load(&self) -> bool {
        matches!(self.stage, Stage::Ready(_))
    }

    /// What stands at the top of the screen, if anything (MAP-62).
    pub fn line(&self) -> Option<Line<'_>> {
        self.stage.line(&self.level)
    }

    /// What is to be written down.
    pub fn words(&mut self) -> Drain<'_, String> {
        self.words.drain()
    }
}

/// Whether a look was not handed on yet: nothing answers it, and what seems to is of who ordered before this client.
fn has_look_to_come(orders: &VecDeque<Order>) -> bool {
    orders.iter().any(|order| matches!(order, Order::Look { .. }))
}

/// Its entry fits any message; a level that no request can name was not asked for.
fn ask(outbox: &mut Outbox, lacked: FileSet, level: &str) {
    if let Ok(level) = Chars::new(level) {
        let request = Request { lacked, level };
        let _ = outbox.reliable_entry(MachineSet::HOST, Kind::MapShareRequest, |bytes| request.write(bytes));
    }
}

/// Its entry fits any message.
fn tell(outbox: &mut Outbox, progress: Progress) {
    let _ = outbox.reliable_entry(MachineSet::HOST, Kind::MapShareProgress, |bytes| progress.write(bytes));
}
