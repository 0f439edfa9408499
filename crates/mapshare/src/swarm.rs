//! The machines that send each other a game's files: connections, who has what, requests, blocks, hashes (MAP-23 to 43, 59, 71 to 86).
//!
//! One state machine for both sides of it: what this machine has it sends, in turn and no faster than it may; what it lacks it
//! downloads, from the host and from others. It knows no socket, no file and no clock: connections are numbers, bytes come in any
//! cut and leave when they can, blocks are read by a [`Shelf`](crate::Shelf), and the time is what it is told.
//!
//! What is to be said is made when it can leave and never before, so that nothing grows for an end that does not read; of what
//! comes, one frame of each connection is kept at most (MAP-83).

mod conn;
mod connecting;
mod counters;
mod cutting;
mod error;
mod files;
mod filling;
mod hearing;
mod link;
mod lists;
mod saying;
mod sources;
mod upload;
mod wishes;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::mapshare::{File, FileSet};
use mjolnir_wire::{Machine, Moment};

pub use self::connecting::{ACCEPTED_MAX, CONNECTIONS_MAX, NEW_MAX, OF_ADDRESS_MAX};
pub use self::counters::Counters;
pub use self::error::Error;
pub use self::link::{HELLO_WITHIN, IDLE_AFTER, SILENCE_MAX};
pub use self::saying::REQUESTS_PER_CONNECTION;
pub use self::sources::{BRINGS_WITHIN, HOST_AGAIN, NAMED_AGAIN, NAMED_MAX, NAMED_SOON};
pub use self::upload::NO_LIMIT;
pub use crate::download::{Conn, Progress};

use self::files::Files;
use self::filling::Made;
use self::link::Link;
use self::lists::Lists;
use self::sources::Sources;
use self::upload::Upload;
use crate::download::Download;
use crate::hash::PieceHash;
use crate::job::{Job, Taken};
use crate::order::{Fault, Game, Offered, Place};
use crate::random::Random;

/// What a swarm wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Connect to that address, at the port of map sharing; [`Swarm::connected`] or [`Swarm::closed`] says what became of it.
    Connect(Conn, IpAddr),
    /// Close it. Nothing more is said of it, either way.
    Close(Conn),
    /// [`Job::Resume`] or [`Job::Take`].
    Job(Job),
    /// Every piece of every file of the download is had: [`Job::Finish`] is next, and then [`Swarm::finished`].
    AllHad,
    /// The download has ended without its files.
    Failed(Fault),
    /// Something that is to be written down.
    Word(String),
}

/// See the file's text.
#[derive(Debug)]
pub struct Swarm {
    random: Random,
    game: Option<Game>,
    /// On the host: from whom connections are taken.
    members: Box<[(Machine, IpAddr)]>,
    files: Files,
    /// Files that could not be read for a block: at the next poll they are there no more.
    unreadable: FileSet,
    download: Option<Download>,
    /// Its files.
    fetched: FileSet,
    /// It has all pieces, and waits for its files to be put in their places.
    has_all: bool,
    /// The pieces that the download brought, in order: what is told piece by piece.
    news: Vec<(File, u32)>,
    links: Vec<Link>,
    sources: Sources,
    upload: Upload,
    lists: Lists,
    /// Of which connection what was filled last is, and its frames.
    filled: Option<Conn>,
    made: Vec<Made>,
    outputs: VecDeque<Output>,
    counters: Counters,
    next: u32,
}

impl Swarm {
    /// One that shares nothing. The seed is for its choices.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            game: None,
            members: Box::default(),
            files: Files::default(),
            unreadable: FileSet::NONE,
            download: None,
            fetched: FileSet::NONE,
            has_all: false,
            news: Vec::new(),
            links: Vec::with_capacity(CONNECTIONS_MAX),
            sources: Sources::new(Moment::START),
            upload: Upload::new(Moment::START, None),
            lists: Lists::default(),
            filled: None,
            made: Vec::new(),
            outputs: VecDeque::new(),
            counters: Counters::new(),
            next: 0,
        }
    }

    /// This game's files are shared from now on. Where it is another game every connection closes and what was had is forgotten
    /// (MAP-85), but for a host's members; where only the limit of what is sent is another, that alone changes.
    pub fn share(&mut self, now: Moment, game: Game) {
        let upload = Upload::new(now, game.upload);
        let is_limit_alone = self.game.is_some_and(|old| {
            old != game
                && Game { upload: game.upload, ..old } == game
                && self.upload.sends() == upload.sends()
        });
        if is_limit_alone {
            self.upload.set_limit(now, game.upload);
        } else {
            self.forget_game(now);
            self.upload = upload;
        }
        self.game = Some(game);
    }

    /// No game's files are shared any more: every connection closes, what was had is forgotten, a download is over.
    pub fn leave(&mut self, now: Moment) {
        self.forget_game(now);
        self.members = Box::default();
    }

    fn forget_game(&mut self, now: Moment) {
        let closes = self.links.drain(..).map(|link| Output::Close(link.conn));
        self.outputs.extend(closes);
        self.end_download();
        self.game = None;
        self.files = Files::default();
        self.unreadable = FileSet::NONE;
        self.lists = Lists::default();
        self.sources = Sources::new(now);
    }

    /// On the host: the game's machines and their addresses. Connections are taken from these alone (MAP-43).
    pub fn set_members(&mut self, now: Moment, members: Box<[(Machine, IpAddr)]>) {
        self.members = members;
        self.lists.keep(&self.members);
        while let Some(link) = self.links.iter().find(|link| !self.may_be(link)) {
            let conn = link.conn;
            self.drop_link(now, conn);
        }
        self.pump(now);
    }

    /// That file of the game's is here, whole: it is said to all, and sent to who asks.
    pub fn add_file(&mut self, now: Moment, offered: Offered, hashes: Arc<[PieceHash]>) {
        self.files.add(offered, hashes);
        self.unreadable = self.unreadable.without(FileSet::only(offered.file));
        self.tell(offered.file);
        self.pump(now);
    }

    /// It is here no more: that is said to all who were told.
    pub fn lose_file(&mut self, now: Moment, file: File) {
        self.lose(file);
        self.pump(now);
    }

    /// These files are lacked, and fetched from now on: connections are made, hashes are asked for. One that runs is over.
    pub fn download(&mut self, now: Moment, offers: &[Offered]) {
        self.stop(now);
        // What the other ends have of these files they have said already.
        self.drop_own(now);
        for offered in offers {
            self.files.lack(*offered);
        }
        self.fetched = offers.iter().fold(FileSet::NONE, |files, offered| files.with(offered.file));
        self.news.reserve(
            offers.iter().map(|offered| mjolnir_wire::mapshare::pieces(offered.size) as usize).sum(),
        );
        let mut download = Download::new(now, offers, self.random.next());
        for link in self.links.iter().filter(|link| link.hello.is_some_and(|hello| hello.sends)) {
            download.add(link.conn, link.address, link.rank());
        }
        self.download = Some(download);
        self.sources.begin(now);
        self.pump(now);
    }

    /// Who else may have files, in place of what was said before (MAP-71). Connections that are open stay.
    pub fn set_sources(&mut self, now: Moment, places: &[Place]) {
        self.sources.set(now, places);
        self.pump(now);
    }

    /// The download is over, if there is one. What the others have of it is forgotten (MAP-59), and that this machine has any of
    /// it is taken back.
    pub fn stop(&mut self, now: Moment) {
        if let Some(download) = &mut self.download {
            download.stop();
            self.pump(now);
            self.end_download();
            self.drop_own(now);
        }
    }

    /// A file's part file was looked at.
    pub fn resumed(&mut self, now: Moment, file: File, pieces: Result<Vec<u8>, Fault>) {
        if let Some(download) = &mut self.download {
            download.resumed(now, file, pieces);
        }
        self.pump(now);
    }

    /// A piece was looked at; its buffer comes back.
    pub fn took(&mut self, now: Moment, file: File, piece: u32, bytes: Vec<u8>, outcome: Taken) {
        if let Some(download) = &mut self.download {
            download.took(now, file, piece, bytes, outcome);
        }
        self.pump(now);
    }

    /// The download's files are in their places: they are whole, and sent as such at once (MAP-37).
    pub fn finished(&mut self, now: Moment) {
        let Some(download) = self.download.take() else {
            return;
        };
        for file in self.files.known().iter() {
            if let (Some(offered), Some(hashes)) = (download.offered(file), download.hashes(file)) {
                self.files.add(*offered, Arc::clone(hashes));
            }
        }
        self.end_download();
        self.part(now);
    }

    /// Whether files are fetched.
    pub const fn is_downloading(&self) -> bool {
        self.download.is_some()
    }

    /// How far a download is; none where there is none.
    pub fn progress(&self) -> Option<Progress> {
        self.download.as_ref().map(Download::progress)
    }

    /// What was refused, and how much was sent.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Connections, those that are opening included.
    pub fn connections(&self) -> usize {
        self.links.len()
    }

    /// What is to be done next.
    pub fn next_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// What is due is done. Between two polls every connection that can be written to is filled once.
    pub fn poll(&mut self, now: Moment) {
        self.upload.refill(now);
        for file in core::mem::take(&mut self.unreadable).iter() {
            if self.lose(file) {
                let word = alloc::format!("{file:?} cannot be read, and is shared no more");
                self.outputs.push_back(Output::Word(word));
            }
        }
        while let Some((conn, error)) = self.given_up(now) {
            self.close(now, conn, error);
        }
        for link in &mut self.links {
            link.is_stuck |= !link.was_filled && link.waits_for_block();
            link.was_filled = false;
            link.saying.idle |= link.idles().is_some_and(|at| at <= now);
        }
        if let Some(download) = &mut self.download {
            download.poll(now);
        }
        self.pump(now);
        self.look(now);
    }

    /// When it is to be polled though nothing happens.
    pub fn next_due(&self) -> Option<Moment> {
        let links = self.links.iter().map(|link| link.ends().0);
        let idles = self.links.iter().filter_map(Link::idles);
        let download = self.download.as_ref().and_then(Download::next_due);
        let look = self.looks().then_some(self.sources.look_at);
        let waits = self.links.iter().any(Link::waits_for_block);
        let upload = self.upload.due().filter(|_| waits);
        links.chain(idles).chain(download).chain(look).chain(upload).min()
    }

    /// Whether this machine has that piece, whole or of its download, and it can be sent.
    fn has(&self, file: File, piece: u32) -> bool {
        if self.unreadable.contains(file) {
            return false;
        }
        match self.files.whole(file) {
            Some(hashes) => (piece as usize) < hashes.len(),
            None => self.download.as_ref().is_some_and(|download| download.has(file, piece)),
        }
    }

    /// The hashes of a file's pieces, where this machine has all of them.
    fn hashes(&self, file: File) -> Option<&Arc<[PieceHash]>> {
        self.files.whole(file).or_else(|| self.download.as_ref()?.hashes(file))
    }

    /// What there is of a file is to be said to all.
    fn tell(&mut self, file: File) {
        for link in &mut self.links {
            link.saying.tell(file);
        }
    }

    /// Nothing of that file that was asked for is sent; whether it was whole until now.
    fn lose(&mut self, file: File) -> bool {
        let was_whole = self.files.lose(file);
        for link in &mut self.links {
            link.saying.lose(file);
            if was_whole {
                link.saying.tell(file);
            }
        }
        was_whole
    }

    fn drop_own(&mut self, now: Moment) {
        while let Some(link) = self.links.iter().find(|link| link.is_own()) {
            let conn = link.conn;
            self.drop_link(now, conn);
        }
    }

    /// Nothing is fetched any more, and nothing is known of who has what of it.
    fn end_download(&mut self) {
        self.download = None;
        self.news.clear();
        self.has_all = false;
        let files = core::mem::take(&mut self.fetched);
        for link in &mut self.links {
            link.saying.ask_nothing();
            link.saying.news = 0;
            for file in files.iter() {
                if self.files.whole(file).is_none() {
                    link.saying.lose(file);
                }
                link.saying.tell(file);
            }
        }
    }
}
