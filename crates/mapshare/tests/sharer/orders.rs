//! What becomes of each order and of each answer of the disk.

use std::net::IpAddr;

use mjolnir_mapshare::sharer::Command;
use mjolnir_mapshare::{Done, Fault, Found, Game, Job, News, Offered, Order, Place, Sharer, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES, Refusal};
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame, Have, Header, Hello};
use mjolnir_wire::{Machine, mapshare::FileHash};

use crate::disk::{bytes, hash, hashes};
use crate::said::{LEVEL, machine, seconds};

/// Nothing is read.
struct Empty;

impl mjolnir_mapshare::Shelf for Empty {
    fn read(&mut self, _: File, _: u64, _: &mut [u8]) -> Result<(), Refusal> {
        Err(Refusal::CannotBeRead)
    }
}

fn ip(index: u8) -> IpAddr {
    IpAddr::from([192, 168, 1, index])
}

fn jobs(sharer: &mut Sharer) -> Vec<Job> {
    std::iter::from_fn(|| sharer.next_job()).collect()
}

fn news(sharer: &mut Sharer) -> Vec<News> {
    std::iter::from_fn(|| sharer.next_news()).collect()
}

fn commands(sharer: &mut Sharer) -> Vec<Command> {
    std::iter::from_fn(|| sharer.next_command()).collect()
}

fn host(map: &[u8]) -> Game {
    let map_version = hash(map).version();
    Game { machine: Machine::HOST, map_version, host: None, upload: Some(u64::MAX) }
}

fn client(map: &[u8]) -> Game {
    Game { machine: machine(3), host: Some(ip(1)), ..host(map) }
}

fn found(map: &[u8], needs: FileSet) -> Found {
    Found { name: "hugeass.map".into(), size: map.len() as u32, hash: hash(map), needs }
}

fn looked(ticket: u32, map: &[u8], needs: FileSet) -> Done {
    Done::Looked { ticket, map: Ok(Some((found(map, needs), hashes(map)))), resources: FileSet::NONE }
}

fn offered(file: File, bytes: &[u8]) -> Offered {
    Offered { file, size: bytes.len() as u32, hash: hash(bytes) }
}

/// The files that a machine says are whole, to machine 2 that it lets in.
fn had_by(sharer: &mut Sharer, now: Moment, number: u32, map_version: u32) -> Vec<(File, FileHash)> {
    let conn = mjolnir_mapshare::Conn::new(mjolnir_mapshare::Conn::FIRST_ACCEPTED + number);
    assert!(sharer.accepted(now, conn, ip(2)));
    let hello = Hello { machine: machine(2), is_host: false, is_downloading: true, sends: true, map_version };
    let mut bytes = Vec::new();
    Frame::Hello(hello).write(&mut bytes);
    sharer.received(now, conn, &bytes);
    let mut said = Vec::new();
    sharer.fill(now, conn, 1 << 18, &mut said, &mut Empty);
    sharer.wrote(now, conn, said.len());
    let mut had = Vec::new();
    let mut left = &said[..];
    while let Some((head, rest)) = left.split_first_chunk() {
        let header = Header::read(head).unwrap();
        if let Frame::Have(file, Have { hash, bitmap: None, .. }) =
            Frame::read(header, &rest[..header.length]).unwrap()
        {
            had.push((file, hash));
        }
        left = &rest[header.length..];
    }
    had
}

fn member(sharer: &mut Sharer, now: Moment) {
    sharer.order(now, Order::Members(Box::new([(machine(2), ip(2))])));
}

/// MAP-05, 35: what was looked for and hashed is shared from the moment that the game is, whichever came first: the map of the game's
/// version and the resource maps that it needs, and nothing else.
#[test]
fn what_is_there_is_shared_with_its_game() {
    let (map, sounds, loc) = (bytes(1, 300_000), bytes(2, 9), bytes(3, 8));
    let (now, version) = (seconds(1.0), hash(&map).version());
    for is_shared_first in [false, true] {
        let mut sharer = Sharer::new(5);
        if is_shared_first {
            sharer.order(now, Order::Share(host(&map)));
        }
        sharer.order(now, Order::Look { ticket: 4, level: LEVEL.into(), version: None });
        sharer.order(now, Order::Hash { ticket: 5, file: File::Sounds });
        sharer.order(now, Order::Hash { ticket: 6, file: File::Loc });
        let look = Job::Look { ticket: 4, level: LEVEL.into(), version: None };
        let hash_of = |ticket, file| Job::Hash { ticket, file };
        assert_eq!(jobs(&mut sharer), [look, hash_of(5, File::Sounds), hash_of(6, File::Loc)]);
        sharer.done(now, looked(4, &map, FileSet::only(File::Sounds)));
        for (ticket, file, of) in [(5, File::Sounds, &sounds), (6, File::Loc, &loc)] {
            let answer = Ok((of.len() as u32, hash(of), hashes(of)));
            sharer.done(now, Done::Hashed { ticket, file, answer });
        }
        let map_news = Ok(Some(found(&map, FileSet::only(File::Sounds))));
        assert_eq!(
            news(&mut sharer),
            [
                News::Looked { ticket: 4, map: map_news, resources: FileSet::NONE },
                News::Hashed { ticket: 5, file: File::Sounds, answer: Ok((9, hash(&sounds))) },
                News::Hashed { ticket: 6, file: File::Loc, answer: Ok((8, hash(&loc))) },
            ]
        );
        sharer.order(now, Order::Share(host(&map)));
        member(&mut sharer, now);
        let whole = [(File::Map, hash(&map)), (File::Sounds, hash(&sounds))];
        assert_eq!(had_by(&mut sharer, now, 1, version), whole);
        // Another limit closes nothing; another game does, and shares nothing that is not its own.
        sharer.order(now, Order::Share(Game { upload: Some(9), ..host(&map) }));
        assert_eq!(commands(&mut sharer), []);
        sharer.order(now, Order::Share(host(&sounds)));
        assert!(matches!(commands(&mut sharer)[..], [Command::Close(_)]));
        member(&mut sharer, now);
        assert_eq!(had_by(&mut sharer, now, 2, hash(&sounds).version()), []);
        // Whether anything is sent at all is said at the beginning of a connection.
        sharer.order(now, Order::Share(Game { upload: None, ..host(&map) }));
        sharer.order(now, Order::Share(host(&map)));
        member(&mut sharer, now);
        commands(&mut sharer);
        assert_eq!(had_by(&mut sharer, now, 3, version), whole);
        // Left and shared again without a look, it is all there.
        sharer.order(now, Order::Leave);
        assert!(matches!(commands(&mut sharer)[..], [Command::Close(_)]));
        sharer.order(now, Order::Share(host(&map)));
        member(&mut sharer, now);
        assert_eq!(had_by(&mut sharer, now, 4, version), whole);
    }
}

/// MAP-03, 05: of looks that are ordered one upon the other, of one session's or of two's whose tickets are the same, the last alone is
/// answered; and each that waits for none before it is.
#[test]
fn the_last_look_alone_is_answered() {
    let (map, other) = (bytes(1, 300_000), bytes(2, 400_000));
    let now = seconds(1.0);
    let look = |sharer: &mut Sharer, ticket| {
        sharer.order(now, Order::Look { ticket, level: LEVEL.into(), version: None });
    };
    let answer = |ticket, map: &[u8]| {
        let map = Ok(Some(found(map, FileSet::NONE)));
        vec![News::Looked { ticket, map, resources: FileSet::NONE }]
    };
    for second in [1, 2] {
        let mut sharer = Sharer::new(5);
        look(&mut sharer, 1);
        look(&mut sharer, second);
        sharer.done(now, looked(1, &other, FileSet::NONE));
        assert_eq!(news(&mut sharer), []);
        sharer.done(now, looked(second, &map, FileSet::NONE));
        assert_eq!(news(&mut sharer), answer(second, &map));
        sharer.done(now, looked(second, &other, FileSet::NONE));
        assert_eq!(news(&mut sharer), [], "one that nobody ordered");
        look(&mut sharer, 3);
        sharer.done(now, looked(3, &other, FileSet::NONE));
        assert_eq!(news(&mut sharer), answer(3, &other));
    }
}

/// MAP-35: a file that is lost is shared no more, which the game's thread hears; an answer to an earlier look shares nothing.
#[test]
fn what_is_lost_is_not_shared() {
    let (map, sounds) = (bytes(1, 300_000), bytes(2, 9));
    let (now, version) = (seconds(1.0), hash(&map).version());
    let mut sharer = Sharer::new(5);
    sharer.order(now, Order::Share(host(&map)));
    member(&mut sharer, now);
    sharer.order(now, Order::Look { ticket: 1, level: LEVEL.into(), version: None });
    sharer.order(now, Order::Look { ticket: 2, level: LEVEL.into(), version: None });
    sharer.done(now, looked(1, &map, FileSet::only(File::Sounds)));
    assert_eq!(had_by(&mut sharer, now, 1, version), []);
    sharer.done(now, looked(2, &map, FileSet::only(File::Sounds)));
    sharer.order(now, Order::Hash { ticket: 5, file: File::Sounds });
    let answer = Ok((9, hash(&sounds), hashes(&sounds)));
    sharer.done(now, Done::Hashed { ticket: 5, file: File::Sounds, answer });
    // The earlier look's answer is none either.
    assert_eq!(news(&mut sharer).len(), 2);
    sharer.done(now, Done::Lost(File::Sounds));
    let word = "sounds.map has changed, or cannot be read any more: it is sent to nobody.";
    assert_eq!(news(&mut sharer), [News::Lost(File::Sounds), News::Word(word.into())]);
    assert_eq!(had_by(&mut sharer, now, 2, version), [(File::Map, hash(&map))]);
    sharer.done(now, Done::Lost(File::Map));
    sharer.order(now, Order::Leave);
    sharer.order(now, Order::Share(host(&map)));
    member(&mut sharer, now);
    assert_eq!(had_by(&mut sharer, now, 3, version), []);
    // Hashed anew it is there again, and so is what it belongs to.
    sharer.order(now, Order::Look { ticket: 3, level: LEVEL.into(), version: None });
    sharer.done(now, looked(3, &map, FileSet::only(File::Sounds)));
    let answer = Ok((9, hash(&sounds), hashes(&sounds)));
    sharer.done(now, Done::Hashed { ticket: 9, file: File::Sounds, answer });
    assert_eq!(had_by(&mut sharer, now, 4, version).len(), 2);
    // What is hashed again and is another file by now takes its place; a look's late answer takes nothing's.
    let other = bytes(9, 10);
    let answer = Ok((10, hash(&other), hashes(&other)));
    sharer.done(now, Done::Hashed { ticket: 10, file: File::Sounds, answer });
    assert_eq!(had_by(&mut sharer, now, 6, version)[1], (File::Sounds, hash(&other)));
    sharer.done(now, looked(1, &other, FileSet::NONE));
    sharer.order(now, Order::Leave);
    sharer.order(now, Order::Share(host(&map)));
    member(&mut sharer, now);
    let whole = [(File::Map, hash(&map)), (File::Sounds, hash(&other))];
    assert_eq!(had_by(&mut sharer, now, 5, version), whole);
}

/// A client whose download has begun; the host's connection stands.
struct Fetching {
    sharer: Sharer,
    now: Moment,
    map: Vec<u8>,
    conn: mjolnir_mapshare::Conn,
}

impl Fetching {
    fn new() -> Self {
        let map = bytes(1, 3 * PIECE_BYTES as usize);
        let now = seconds(1.0);
        let mut sharer = Sharer::new(5);
        sharer.order(now, Order::Share(client(&map)));
        let offers: Box<[Offered]> = Box::new([offered(File::Map, &map)]);
        sharer.order(now, Order::Download { level: LEVEL.into(), offers: offers.clone() });
        assert_eq!(jobs(&mut sharer), [Job::Begin { level: LEVEL.into(), offers }]);
        assert_eq!(commands(&mut sharer), []);
        sharer.done(now, Done::Begun(Ok(())));
        sharer.poll(now);
        let commands = commands(&mut sharer);
        let Some(Command::Connect(conn, to)) = commands.first().copied() else { panic!("{commands:?}") };
        assert_eq!((to, commands.len()), (ip(1), 1));
        sharer.connected(now, conn);
        Self { sharer, now, map, conn }
    }

    fn hear(&mut self, frame: &Frame<'_>) {
        let mut bytes = Vec::new();
        frame.write(&mut bytes);
        self.sharer.received(self.now, self.conn, &bytes);
        self.sharer.poll(self.now);
    }

    /// The host has all and says what the pieces are; the part file has those.
    fn meet(&mut self, had: u8) {
        let map_version = hash(&self.map).version();
        let hello =
            Hello { machine: Machine::HOST, is_host: true, is_downloading: false, sends: true, map_version };
        self.hear(&Frame::Hello(hello));
        let offered = offered(File::Map, &self.map);
        self.hear(&Frame::Have(File::Map, Have { hash: offered.hash, size: offered.size, bitmap: None }));
        let mut said = Vec::new();
        self.sharer.fill(self.now, self.conn, 1 << 18, &mut said, &mut Empty);
        self.sharer.wrote(self.now, self.conn, said.len());
        let hashes = hashes(&self.map);
        self.hear(&Frame::Hashes(File::Map, 0, &hashes));
        assert_eq!(jobs(&mut self.sharer), [Job::Resume { file: File::Map, hashes }]);
        self.sharer.done(self.now, Done::Resumed { file: File::Map, pieces: Ok(vec![had]) });
    }

    /// The host sends every piece that it was asked for, and the disk takes them.
    fn serve(&mut self) {
        let mut said = Vec::new();
        self.sharer.poll(self.now);
        self.sharer.fill(self.now, self.conn, 1 << 18, &mut said, &mut Empty);
        self.sharer.wrote(self.now, self.conn, said.len());
        let mut left = &said[..];
        let mut asked = Vec::new();
        while let Some((head, rest)) = left.split_first_chunk() {
            let header = Header::read(head).unwrap();
            if let Frame::Request(_, piece) = Frame::read(header, &rest[..header.length]).unwrap() {
                asked.push(piece);
            }
            left = &rest[header.length..];
        }
        let map = self.map.clone();
        for piece in asked {
            let bytes = map.chunks(PIECE_BYTES as usize).nth(piece as usize).unwrap();
            for (block, bytes) in bytes.chunks(BLOCK_BYTES as usize).enumerate() {
                let offset = block as u32 * BLOCK_BYTES;
                self.hear(&Frame::Block { file: File::Map, piece, offset, bytes });
            }
        }
    }

    fn take(&mut self, outcome: &Taken) -> usize {
        let jobs = jobs(&mut self.sharer);
        let count = jobs.len();
        for job in jobs {
            let Job::Take { file, piece, bytes, .. } = job else { panic!("{job:?}") };
            self.sharer.done(self.now, Done::Took { file, piece, bytes, outcome: outcome.clone() });
        }
        count
    }
}

/// MAP-49, 53: a download is begun, resumed, taken piece by piece and finished by the disk, in that order, and is news when it is in
/// its place; from then on it is sent as if it had been looked for, also where the game is shared anew.
#[test]
fn a_download_goes_from_its_order_to_its_place() {
    let mut at = Fetching::new();
    at.meet(0b010);
    at.serve();
    assert_eq!(at.take(&Taken::Good), 2);
    assert_eq!(jobs(&mut at.sharer), [Job::Finish]);
    let last = news(&mut at.sharer).pop();
    assert!(matches!(last, Some(News::Progress { .. })), "{last:?}");
    at.sharer.done(at.now, Done::Finished(Ok(found(&at.map, FileSet::NONE))));
    assert_eq!(news(&mut at.sharer), [News::Done(found(&at.map, FileSet::NONE))]);
    let whole = [(File::Map, hash(&at.map))];
    assert_eq!(had_by(&mut at.sharer, at.now, 1, hash(&at.map).version()), whole);
    at.sharer.order(at.now, Order::Share(Game { upload: None, ..client(&at.map) }));
    at.sharer.order(at.now, Order::Share(client(&at.map)));
    assert_eq!(had_by(&mut at.sharer, at.now, 2, hash(&at.map).version()), whole);
    at.sharer.order(at.now, Order::Stop);
    assert_eq!(jobs(&mut at.sharer), []);
}

/// MAP-54: how far a download is is news when it changes, ten times a second at most, and the last of it is not forgotten.
#[test]
fn progress_is_told_ten_times_a_second() {
    let mut at = Fetching::new();
    at.meet(0);
    let mut told = Vec::new();
    at.serve();
    let jobs = jobs(&mut at.sharer);
    for (index, job) in jobs.into_iter().enumerate() {
        at.now = seconds(2.0 + index as f64 * 0.04);
        let Job::Take { file, piece, bytes, .. } = job else { panic!() };
        at.sharer.done(at.now, Done::Took { file, piece, bytes, outcome: Taken::Good });
        told.extend(news(&mut at.sharer).into_iter().map(|news| (at.now, news)));
    }
    let piece = u64::from(PIECE_BYTES);
    let progress = |had| News::Progress { had, is_checking: false };
    assert_eq!(told.last(), Some(&(seconds(2.0), progress(piece))));
    at.sharer.poll(at.now);
    let due = at.sharer.next_due().unwrap();
    assert_eq!(due, seconds(2.1));
    at.sharer.poll(seconds(2.0999));
    assert_eq!(news(&mut at.sharer), []);
    at.sharer.poll(due);
    assert_eq!(news(&mut at.sharer), [progress(2 * piece)]);
    assert!(at.sharer.next_due().is_none_or(|due| due > seconds(2.1)));
    at.sharer.poll(seconds(2.3));
    assert_eq!(news(&mut at.sharer), []);
}

/// MAP-51: a download that stops is given up on the disk and its answers that still come are nothing to the one after it; so is one
/// that another takes the place of, and one that ends with its game.
#[test]
fn a_download_that_stops_is_given_up() {
    let other = |map: &[u8]| Order::Download {
        level: "custom_maps\\b".into(),
        offers: Box::new([offered(File::Map, map)]),
    };
    let map = bytes(1, 3 * PIECE_BYTES as usize);
    let (stop, leave) = (vec![Order::Stop], vec![Order::Leave, Order::Share(client(&map))]);
    for orders in [stop, leave, vec![]] {
        let mut at = Fetching::new();
        at.meet(0);
        at.serve();
        let late = jobs(&mut at.sharer);
        assert_eq!(late.len(), 2);
        orders.into_iter().for_each(|order| at.sharer.order(at.now, order));
        at.sharer.order(at.now, other(&map));
        let jobs_then = jobs(&mut at.sharer);
        assert!(matches!(jobs_then[..], [Job::Abandon, Job::Begin { .. }]), "{jobs_then:?}");
        news(&mut at.sharer);
        for job in late {
            let Job::Take { file, piece, bytes, .. } = job else { panic!() };
            let fault = Taken::Failed(Fault::Disk("full".into()));
            at.sharer.done(at.now, Done::Took { file, piece, bytes, outcome: fault });
        }
        assert_eq!(news(&mut at.sharer), []);
        at.sharer.done(at.now, Done::Begun(Err(Fault::Name)));
        assert_eq!(news(&mut at.sharer), [News::Failed(Fault::Name)]);
        assert_eq!(jobs(&mut at.sharer), [Job::Abandon]);
    }
}

/// MAP-51: whether a download may begin is answered to each order for itself: the answer to one that was given up begins no other.
#[test]
fn an_answer_begins_its_own_download() {
    let map = bytes(1, 9);
    let now = seconds(1.0);
    let mut sharer = Sharer::new(5);
    sharer.order(now, Order::Share(client(&map)));
    for _ in 0..2 {
        let offers: Box<[Offered]> = Box::new([offered(File::Map, &map)]);
        sharer.order(now, Order::Download { level: LEVEL.into(), offers });
    }
    sharer.done(now, Done::Begun(Ok(())));
    sharer.poll(now);
    assert_eq!((commands(&mut sharer), news(&mut sharer)), (vec![], vec![]));
    sharer.done(now, Done::Begun(Err(Fault::Name)));
    assert_eq!(news(&mut sharer), [News::Failed(Fault::Name)]);
}

/// MAP-53, 60: each end without the files is news once, and the download is given up.
#[test]
fn a_download_that_fails_is_news_once() {
    let full = Fault::Disk("full".into());
    let fails = |how: &dyn Fn(&mut Fetching)| {
        let mut at = Fetching::new();
        how(&mut at);
        let failed: Vec<_> =
            news(&mut at.sharer).into_iter().filter(|news| matches!(news, News::Failed(_))).collect();
        assert_eq!(jobs(&mut at.sharer).last(), Some(&Job::Abandon));
        at.sharer.poll(at.now.plus(200_000_000));
        assert!(news(&mut at.sharer).iter().all(|news| !matches!(news, News::Failed(_))));
        failed
    };
    let wrote = fails(&|at| {
        at.meet(0);
        at.serve();
        at.take(&Taken::Failed(Fault::Disk("full".into())));
    });
    assert_eq!(wrote, [News::Failed(full.clone())]);
    let resumed = fails(&|at| {
        at.meet(0);
        at.sharer.order(at.now, Order::Stop);
        let mut again = Fetching::new();
        std::mem::swap(at, &mut again);
        let answer = Done::Resumed { file: File::Map, pieces: Err(Fault::Disk("full".into())) };
        // Before its hashes are there nothing is resumed: an answer that nobody waits for is nothing.
        at.sharer.done(at.now, answer);
        assert_eq!(news(&mut at.sharer).iter().filter(|news| matches!(news, News::Failed(_))).count(), 0);
        at.now = seconds(61.0);
        at.sharer.poll(at.now);
    });
    assert_eq!(resumed, [News::Failed(Fault::NoHashes)]);
    let placed = fails(&|at| {
        at.meet(0b111);
        assert_eq!(jobs(&mut at.sharer), [Job::Finish]);
        at.sharer.done(at.now, Done::Finished(Err(Fault::Place("a folder".into()))));
    });
    assert_eq!(placed, [News::Failed(Fault::Place("a folder".into()))]);
    // Nothing comes for a minute from when it began.
    let nothing = fails(&|at| {
        at.meet(0);
        at.now = at.now.plus(59_000_000);
        at.sharer.poll(at.now);
        assert!(!news(&mut at.sharer).iter().any(|news| matches!(news, News::Failed(_))));
        at.now = at.now.plus(1_100_000);
        at.sharer.poll(at.now);
    });
    assert_eq!(nothing, [News::Failed(Fault::Nothing)]);
}

/// MAP-71: sources that are named before a download has begun wait for it, and the latest counts; without a download they are none.
#[test]
fn sources_wait_for_their_download() {
    let place = |index| Place {
        machine: machine(index),
        address: ip(index),
        files: FileSet::MAP,
        is_downloading: false,
    };
    let map = bytes(1, 9);
    let now = seconds(1.0);
    let mut sharer = Sharer::new(5);
    sharer.order(now, Order::Share(client(&map)));
    sharer.order(now, Order::Sources(Box::new([place(8)])));
    let offers: Box<[Offered]> = Box::new([offered(File::Map, &map)]);
    sharer.order(now, Order::Download { level: LEVEL.into(), offers });
    sharer.order(now, Order::Sources(Box::new([place(7)])));
    sharer.order(now, Order::Sources(Box::new([place(5), place(6)])));
    assert_eq!(commands(&mut sharer), []);
    sharer.done(now, Done::Begun(Ok(())));
    sharer.poll(now);
    let mut to: Vec<IpAddr> = commands(&mut sharer)
        .into_iter()
        .map(|command| match command {
            Command::Connect(_, to) => to,
            Command::Close(_) => panic!(),
        })
        .collect();
    to.sort();
    assert_eq!(to, [ip(1), ip(5), ip(6)]);
}

/// MAP-85: without a game nothing is downloaded, and nobody is let in.
#[test]
fn without_a_game_nothing_is_done() {
    let map = bytes(1, 9);
    let now = seconds(1.0);
    let mut sharer = Sharer::new(5);
    let offers: Box<[Offered]> = Box::new([offered(File::Map, &map)]);
    sharer.order(now, Order::Download { level: LEVEL.into(), offers });
    sharer.order(now, Order::Stop);
    sharer.order(now, Order::Leave);
    assert!(!sharer.accepted(now, mjolnir_mapshare::Conn::new(1 << 31), ip(2)));
    for done in [Done::Begun(Ok(())), Done::Finished(Ok(found(&map, FileSet::NONE)))] {
        sharer.done(now, done);
    }
    assert_eq!((jobs(&mut sharer), news(&mut sharer), commands(&mut sharer)), (vec![], vec![], vec![]));
}

/// What is to be written down waits, and no more of it than the most.
#[test]
fn no_more_words_wait_than_a_log_has_a_use_for() {
    let now = seconds(1.0);
    let mut sharer = Sharer::new(5);
    for at in 0..1000 {
        sharer.done(now, Done::Word(format!("{at}")));
    }
    let words = news(&mut sharer);
    assert_eq!((words.len(), words.last()), (64, Some(&News::Word("63".into()))));
    sharer.done(now, Done::Word("again".into()));
    assert_eq!(news(&mut sharer), [News::Word("again".into())]);
}

/// MAP-83: a machine that has nothing to do with its connections allocates nothing for them.
#[test]
fn a_sharer_at_rest_allocates_nothing() {
    let mut at = Fetching::new();
    at.meet(0);
    at.serve();
    at.sharer.poll(at.now);
    news(&mut at.sharer);
    let rest = |at: &mut Fetching| {
        for _ in 0..100 {
            at.now = at.now.plus(10_000);
            at.sharer.poll(at.now);
            assert!(at.sharer.next_due().is_some());
            assert!(at.sharer.next_command().is_none() && at.sharer.next_news().is_none());
        }
    };
    rest(&mut at);
    let allocated = allocation_counter::measure(|| rest(&mut at));
    assert_eq!(allocated.count_total, 0);
}
