//! What a machine's sharing thread does: the game's orders, the disk's jobs and the swarm's connections, put together. Knows no socket,
//! no file and no thread: whoever drives it hands on what each of them says.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileHash, FileSet, Refusal};

use crate::hash::PieceHash;
use crate::job::{Done, Job, Shelf, Sought};
use crate::names;
use crate::order::{Fault, Found, Game, News, Offered, Order, Place};
use crate::swarm::{Conn, Output, Progress, Swarm};

mod jobs;

use jobs::Jobs;

/// Microseconds from one telling of how far a download is to the next.
pub const TELLING_PERIOD: u64 = Moment::SECOND / 10;
/// Words that wait for the game's thread at most; more are dropped.
const WORDS_MAX: usize = 64;

/// What the connections' owner is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Connect there, on [`MAP_SHARE_PORT`](mjolnir_wire::limits::MAP_SHARE_PORT).
    Connect(Conn, IpAddr),
    /// Close it.
    Close(Conn),
}

/// A file that this machine has whole.
type Whole = (Offered, Arc<[PieceHash]>);

/// A download, from its order to its end.
#[derive(Debug)]
enum Download {
    /// Its names are checked; sources that come meanwhile wait.
    Beginning { offers: Box<[Offered]>, sources: Option<Box<[Place]>> },
    /// Its pieces come, or are put in their place; by the file's number their hashes, as far as they are known.
    Coming { offers: Box<[Offered]>, hashes: [Option<Arc<[PieceHash]>>; File::ALL.len()] },
}

/// See the file's text.
pub struct Sharer {
    swarm: Swarm,
    game: Option<Game>,
    /// What was found and hashed, by the file's number.
    whole: [Option<Whole>; File::ALL.len()],
    /// What the map among them needs.
    needs: FileSet,
    /// What of them the swarm has for the game at hand.
    added: FileSet,
    /// Looks that are not answered yet: they are answered in order.
    looks: usize,
    download: Option<Download>,
    jobs: Jobs,
    commands: VecDeque<Command>,
    news: VecDeque<News>,
    words: usize,
    told: Option<Progress>,
    telling_due: Moment,
}

impl Sharer {
    /// Of a machine that shares nothing yet.
    pub fn new(seed: u64) -> Self {
        Self {
            swarm: Swarm::new(seed),
            game: None,
            whole: [const { None }; File::ALL.len()],
            needs: FileSet::NONE,
            added: FileSet::NONE,
            looks: 0,
            download: None,
            jobs: Jobs::default(),
            commands: VecDeque::new(),
            news: VecDeque::new(),
            words: 0,
            told: None,
            telling_due: Moment::START,
        }
    }

    /// Does what the game's thread wants.
    pub fn order(&mut self, now: Moment, order: Order) {
        match order {
            Order::Look { ticket, level, version } => {
                self.looks += 1;
                self.jobs.give(Job::Look { ticket, level, version });
            }
            Order::Hash { ticket, file } => self.jobs.give(Job::Hash { ticket, file }),
            Order::Share(game) => self.share(now, game),
            Order::Members(members) => self.swarm.set_members(now, members),
            Order::Download { level, offers } if self.game.is_some() => {
                self.stop(now);
                self.jobs.give(Job::Begin { level, offers: offers.clone() });
                self.download = Some(Download::Beginning { offers, sources: None });
            }
            Order::Sources(places) => match &mut self.download {
                Some(Download::Beginning { sources, .. }) => *sources = Some(places),
                Some(Download::Coming { .. }) => self.swarm.set_sources(now, &places),
                None => {}
            },
            Order::Stop => self.stop(now),
            Order::Leave => {
                self.stop(now);
                self.game = None;
                self.added = FileSet::NONE;
                self.swarm.leave(now);
            }
            // Of a game that is over.
            Order::Download { .. } => {}
        }
        self.gather(now);
    }

    fn share(&mut self, now: Moment, game: Game) {
        if self.game == Some(game) {
            return;
        }
        // The swarm keeps its connections where no more than the limit changes: whether it sends at all is said once of each.
        let sends = |game: Game| game.upload.is_some_and(|bytes| bytes > 0);
        let is_kept =
            |before: Game| Game { upload: game.upload, ..before } == game && sends(before) == sends(game);
        if !self.game.is_some_and(is_kept) {
            self.stop(now);
            self.added = FileSet::NONE;
        }
        self.game = Some(game);
        self.swarm.share(now, game);
        self.add_whole(now);
    }

    /// What is there of the game's files and was not added yet is sent to who asks (MAP-35).
    fn add_whole(&mut self, now: Moment) {
        let Some(game) = self.game else { return };
        let is_the_games = |whole: &Whole| whole.0.hash.version() == game.map_version;
        if !self.whole[File::Map.index()].as_ref().is_some_and(is_the_games) {
            return;
        }
        for file in FileSet::MAP.or(self.needs).without(self.added).iter() {
            if let Some((offered, hashes)) = &self.whole[file.index()] {
                self.swarm.add_file(now, *offered, Arc::clone(hashes));
                self.added = self.added.with(file);
            }
        }
    }

    /// The download ends, if there is one.
    fn stop(&mut self, now: Moment) {
        if self.download.take().is_some() {
            self.jobs.give_up();
            self.jobs.give(Job::Abandon);
            self.swarm.stop(now);
        }
    }

    fn fail(&mut self, now: Moment, why: Fault) {
        if self.download.is_some() {
            self.stop(now);
            self.news.push_back(News::Failed(why));
        }
    }

    /// What became of a job.
    pub fn done(&mut self, now: Moment, done: Done) {
        if self.jobs.is_awaited(&done) {
            self.handle_done(now, done);
            self.gather(now);
        }
    }

    fn handle_done(&mut self, now: Moment, done: Done) {
        match done {
            Done::Looked { ticket, map, resources } => self.looked(now, ticket, map, resources),
            Done::Hashed { ticket, file, answer } => self.hashed(now, ticket, file, answer),
            Done::Begun(Ok(())) => self.begin(now),
            Done::Resumed { file, pieces } => self.swarm.resumed(now, file, pieces),
            Done::Took { file, piece, bytes, outcome } => self.swarm.took(now, file, piece, bytes, outcome),
            Done::Finished(Ok(found)) => self.finished(now, found),
            Done::Begun(Err(why)) | Done::Finished(Err(why)) => self.fail(now, why),
            Done::Lost(file) => {
                self.whole[file.index()] = None;
                self.added = self.added.without(FileSet::only(file));
                self.swarm.lose_file(now, file);
                self.news.push_back(News::Lost(file));
                let name = names::resource(file).unwrap_or("The map");
                self.say(format!("{name} has changed, or cannot be read any more: it is sent to nobody."));
            }
            Done::Word(word) => self.say(word),
        }
    }

    fn looked(&mut self, now: Moment, ticket: u32, map: Sought, resources: FileSet) {
        let is_last = self.looks == 1;
        self.looks = self.looks.saturating_sub(1);
        if !is_last {
            // Whoever ordered the next wants no other: another session's ticket may be the same.
            return;
        }
        self.whole[File::Map.index()] = None;
        let map = map.map(|map| {
            map.map(|(found, hashes)| {
                let offered = Offered { file: File::Map, size: found.size, hash: found.hash };
                self.whole[File::Map.index()] = Some((offered, hashes));
                self.needs = found.needs;
                found
            })
        });
        self.add_whole(now);
        self.news.push_back(News::Looked { ticket, map, resources });
    }

    fn hashed(
        &mut self,
        now: Moment,
        ticket: u32,
        file: File,
        answer: Result<(u32, FileHash, Arc<[PieceHash]>), Refusal>,
    ) {
        let answer = answer.map(|(size, hash, hashes)| {
            self.whole[file.index()] = Some((Offered { file, size, hash }, hashes));
            (size, hash)
        });
        self.added = self.added.without(FileSet::only(file));
        self.add_whole(now);
        self.news.push_back(News::Hashed { ticket, file, answer });
    }

    fn begin(&mut self, now: Moment) {
        if let Some(Download::Beginning { offers, sources }) = self.download.take() {
            self.swarm.download(now, &offers);
            self.download = Some(Download::Coming { offers, hashes: [const { None }; File::ALL.len()] });
            if let Some(sources) = sources {
                self.swarm.set_sources(now, &sources);
            }
        }
    }

    /// The download's files are this machine's own from now on, as if it had looked for them.
    fn finished(&mut self, now: Moment, found: Found) {
        let Some(Download::Coming { offers, hashes }) = self.download.take() else { return };
        self.swarm.finished(now);
        for offered in offers {
            if let Some(hashes) = &hashes[offered.file.index()] {
                self.whole[offered.file.index()] = Some((offered, Arc::clone(hashes)));
                self.added = self.added.with(offered.file);
            }
        }
        self.needs = found.needs;
        self.news.push_back(News::Done(found));
    }

    fn say(&mut self, word: alloc::string::String) {
        if self.words < WORDS_MAX {
            self.words += 1;
            self.news.push_back(News::Word(word));
        }
    }

    /// Puts what the swarm wants where it is waited for.
    fn gather(&mut self, now: Moment) {
        while let Some(output) = self.swarm.next_output() {
            match output {
                Output::Connect(conn, address) => self.commands.push_back(Command::Connect(conn, address)),
                Output::Close(conn) => self.commands.push_back(Command::Close(conn)),
                Output::Job(job) => {
                    if let (Job::Resume { file, hashes: new }, Some(Download::Coming { hashes, .. })) =
                        (&job, &mut self.download)
                    {
                        hashes[file.index()] = Some(Arc::clone(new));
                    }
                    self.jobs.give(job);
                }
                Output::AllHad => self.jobs.give(Job::Finish),
                Output::Failed(why) => self.fail(now, why),
                Output::Word(word) => self.say(word),
            }
        }
        self.tell(now);
    }

    /// How far the download is, where that is news and its time.
    fn tell(&mut self, now: Moment) {
        let progress = self.swarm.progress();
        if let Some(Progress { had, is_checking }) = progress
            && progress != self.told
            && now >= self.telling_due
        {
            self.telling_due = now.plus(TELLING_PERIOD);
            self.told = progress;
            self.news.push_back(News::Progress { had, is_checking });
        } else if progress.is_none() {
            self.told = None;
        }
    }

    /// A connection that another machine made: whether it is kept.
    pub fn accepted(&mut self, now: Moment, conn: Conn, from: IpAddr) -> bool {
        let is_kept = self.swarm.accepted(now, conn, from);
        self.gather(now);
        is_kept
    }

    /// A connection that was asked for stands.
    pub fn connected(&mut self, now: Moment, conn: Conn) {
        self.swarm.connected(now, conn);
        self.gather(now);
    }

    /// A connection is over, or was not made.
    pub fn closed(&mut self, now: Moment, conn: Conn) {
        self.swarm.closed(now, conn);
        self.gather(now);
    }

    /// Bytes came, cut anywhere.
    pub fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]) {
        self.swarm.received(now, conn, bytes);
        self.gather(now);
    }

    /// Appends what is to be sent by a connection, about `room` bytes of it at most.
    pub fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>, shelf: &mut dyn Shelf) {
        self.swarm.fill(now, conn, room, into, shelf);
        self.gather(now);
    }

    /// So many bytes of what was filled last are under way. The return: so many after them are to be kept and sent first.
    pub fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize {
        let kept = self.swarm.wrote(now, conn, bytes);
        self.gather(now);
        kept
    }

    /// Time has passed.
    pub fn poll(&mut self, now: Moment) {
        self.swarm.poll(now);
        self.gather(now);
    }

    /// When [`Sharer::poll`] is due.
    pub fn next_due(&self) -> Option<Moment> {
        let progress = self.swarm.progress();
        let telling = (progress.is_some() && progress != self.told).then_some(self.telling_due);
        [self.swarm.next_due(), telling].into_iter().flatten().min()
    }

    /// What the connections' owner is to do, in order.
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// What the disk's thread is to do, in order.
    pub fn next_job(&mut self) -> Option<Job> {
        self.jobs.take()
    }

    /// What the game's thread is to know, in order.
    pub fn next_news(&mut self) -> Option<News> {
        let news = self.news.pop_front()?;
        if let News::Word(_) = news {
            self.words -= 1;
        }
        Some(news)
    }

    /// The swarm, to be looked at.
    pub const fn swarm(&self) -> &Swarm {
        &self.swarm
    }
}
