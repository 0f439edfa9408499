//! Whole downloads from seeds: a swarm of up to 24 ends, of which one is honest, has everything and stays. The others lie about
//! pieces, hashes and what they have, send a block now and then, say nothing, go and come again; the disk takes its time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;

use mjolnir_mapshare::download::{
    AT_DISK_MAX, Conn, Download, REQUESTS_MAX, REQUESTS_PER_CONNECTION, Rank, Wish,
};
use mjolnir_mapshare::hash::PieceHash;
use mjolnir_mapshare::{Fault, Job, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, PIECE_BYTES};
use mjolnir_wire::swarm::{BLOCK_BYTES, HASHES_MAX, Have};

use super::kit::{Truth, whole};

const SEEDS: u64 = 500;
const SECOND: u64 = Moment::SECOND;

/// What a seed's downloads are of: some of these.
static FILES: LazyLock<[Truth; 4]> = LazyLock::new(|| {
    let sizes = [whole(21) + 5, whole(40), whole(9) + 70_000, 1];
    core::array::from_fn(|at| Truth::new(File::ALL[at], sizes[at]))
});

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}

/// What an end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Has all, sends what it is asked for.
    Honest,
    /// The same of some pieces, and gets others meanwhile; it may go.
    Partial,
    /// Sends all, and some of it wrong.
    LiesPieces,
    /// Sends other hashes, and pieces as they are.
    LiesHashes,
    /// Says that it has all, and nothing else.
    Silent,
    /// Sends a block now and then.
    Trickles,
    /// Says now this, now that of what it has, and sends blocks that nobody asked for.
    Flips,
}

/// A block on its way, or the answer to what was asked.
#[derive(Debug)]
struct Sending {
    file: File,
    piece: u32,
    offset: u32,
    /// When it hears that it is to send no more of it.
    until: Option<Moment>,
}

#[derive(Debug)]
struct Peer {
    kind: Kind,
    address: IpAddr,
    rank: Rank,
    /// None while it is away.
    conn: Option<Conn>,
    has: [BTreeSet<u32>; 4],
    asked: VecDeque<Sending>,
    hashes: VecDeque<(File, u32)>,
    /// Microseconds between what it sends.
    pace: u64,
    next: Moment,
}

struct Model {
    seed: u64,
    random: Random,
    now: Moment,
    download: Download,
    files: Vec<&'static Truth>,
    peers: Vec<Peer>,
    conns: u32,
    disk: VecDeque<(Moment, Job)>,
    /// By connection, what it is asked for.
    requests: BTreeMap<Conn, Vec<(File, u32)>>,
    /// Addresses of wrong pieces.
    barred: BTreeSet<IpAddr>,
    had: BTreeSet<(File, u32)>,
    wrong: u32,
    end: Option<Wish>,
}

impl Model {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let files: Vec<_> = match random.below(4) {
            0 => vec![&FILES[0]],
            1 => vec![&FILES[1], &FILES[3]],
            2 => FILES.iter().collect(),
            _ => vec![&FILES[2], &FILES[0]],
        };
        let now = Moment::from_millis(random.below(1000));
        let offers: Vec<_> = files.iter().map(|file| file.offered).collect();
        let download = Download::new(now, &offers, random.next());
        let count = 1 + random.below(24);
        let honest = random.below(count);
        let mut peers = Vec::new();
        for at in 0..count {
            let kind = match random.below(7) {
                _ if at == honest => Kind::Honest,
                0 | 1 => Kind::Partial,
                2 => Kind::LiesPieces,
                3 => Kind::LiesHashes,
                4 => Kind::Silent,
                5 => Kind::Trickles,
                _ => Kind::Flips,
            };
            let all = |file: File| 0..FILES[file.index()].pieces();
            let has = File::ALL
                .map(|file| all(file).filter(|_| kind != Kind::Partial || random.one_in(3)).collect());
            let rank =
                if at == 0 { Rank::Host } else { [Rank::Named, Rank::Incoming][random.below(2) as usize] };
            let pace = match kind {
                Kind::Trickles => (20 + random.below(12)) * SECOND,
                _ => 500 + random.below(400_000),
            };
            // Who is honest is there from the beginning: where it was not, it would be a minute without hashes.
            let next = if kind == Kind::Honest { now } else { now.plus(random.below(40 * SECOND)) };
            peers.push(Peer {
                kind,
                address: Ipv4Addr::from_bits(0x0A00_0000 + at as u32).into(),
                rank,
                conn: None,
                has,
                asked: VecDeque::new(),
                hashes: VecDeque::new(),
                pace,
                next,
            });
        }
        Self {
            seed,
            random,
            now,
            download,
            files,
            peers,
            conns: 0,
            disk: VecDeque::new(),
            requests: BTreeMap::new(),
            barred: BTreeSet::new(),
            had: BTreeSet::new(),
            wrong: 0,
            end: None,
        }
    }

    /// Until it ends.
    fn run(&mut self) {
        let within = self.now.plus(6 * 3600 * SECOND);
        while self.end.is_none() {
            let peers = self.peers.iter().map(|peer| peer.next);
            let disk = self.disk.front().map(|job| job.0);
            let next = peers.chain(disk).chain(self.download.next_due()).min().unwrap();
            self.now = self.now.max(next);
            assert!(self.now < within, "seed {}: not there after six hours", self.seed);
            for at in 0..self.peers.len() {
                if self.peers[at].next <= self.now {
                    self.act(at);
                    self.take_wishes();
                }
            }
            if self.disk.front().is_some_and(|job| job.0 <= self.now) {
                let (_, job) = self.disk.pop_front().unwrap();
                self.write(job);
                self.take_wishes();
            }
            self.download.poll(self.now);
            self.take_wishes();
        }
    }

    fn act(&mut self, at: usize) {
        let pace = self.peers[at].pace;
        self.peers[at].next = self.now.plus(1 + pace / 2 + self.random.below(pace));
        let Some(conn) = self.peers[at].conn else { return self.connect(at) };
        let kind = self.peers[at].kind;
        if kind != Kind::Honest && self.random.one_in(300) {
            return self.close(at, conn);
        }
        match kind {
            Kind::Silent => return,
            Kind::Partial if self.random.one_in(8) => {
                let file = self.file();
                let piece = self.random.below(file.pieces().into()) as u32;
                self.peers[at].has[file.offered.file.index()].insert(piece);
                let said = self.download.handle_have_piece(conn, file.offered.file, piece);
                assert_eq!(said, Ok(()));
            }
            Kind::Flips if self.random.one_in(4) => return self.flip(at, conn),
            _ => {}
        }
        if let Some((file, first)) = self.peers[at].hashes.pop_front() {
            return self.tell(at, conn, file, first);
        }
        self.send(at, conn);
    }

    fn file(&mut self) -> &'static Truth {
        let file = self.random.below(self.files.len() as u64);
        self.files[file as usize]
    }

    fn connect(&mut self, at: usize) {
        self.conns += 1;
        let conn = Conn(self.conns);
        let Peer { address, rank, .. } = self.peers[at];
        self.peers[at].conn = Some(conn);
        self.download.add(conn, address, rank);
        for file in self.files.clone() {
            self.say(at, conn, file);
        }
    }

    /// Says what it has of a file.
    fn say(&mut self, at: usize, conn: Conn, file: &Truth) {
        let has = &self.peers[at].has[file.offered.file.index()];
        let bitmap = file.bitmap(has.iter().copied());
        let is_all = has.len() == file.pieces() as usize;
        let bitmap = (!is_all || self.random.one_in(2)).then_some(&bitmap[..]);
        let have = Have { hash: file.offered.hash, size: file.offered.size, bitmap };
        self.download.handle_have(conn, file.offered.file, &have);
    }

    fn flip(&mut self, at: usize, conn: Conn) {
        let file = self.file();
        let share = self.random.below(3);
        let pieces = 0..file.pieces();
        let has: BTreeSet<_> = pieces.filter(|_| self.random.below(3) < share).collect();
        self.peers[at].has[file.offered.file.index()] = has;
        if self.random.one_in(3) {
            let piece = self.random.below(file.pieces().into()) as u32;
            let sent = self.download.handle_block(self.now, conn, file.offered.file, piece, 0, &[1; 100]);
            if sent.is_err_and(|refused| refused.closes()) {
                return self.close(at, conn);
            }
        }
        self.say(at, conn, file);
    }

    fn close(&mut self, at: usize, conn: Conn) {
        self.download.forget(conn);
        self.requests.remove(&conn);
        let peer = &mut self.peers[at];
        (peer.conn, peer.next) = (None, self.now.plus(1 + self.random.below(60 * SECOND)));
        peer.asked.clear();
        peer.hashes.clear();
    }

    fn tell(&mut self, at: usize, conn: Conn, file: File, first: u32) {
        let hashes = &FILES[file.index()].hashes;
        let mut frame: Vec<PieceHash> =
            hashes.iter().skip(first as usize).take(HASHES_MAX).copied().collect();
        let lies = matches!(self.peers[at].kind, Kind::LiesHashes | Kind::Flips);
        if lies {
            match self.random.below(3) {
                0 => frame.clear(),
                1 => frame[0][3] ^= 1,
                _ => frame.push([0; 32]),
            }
        }
        let told = self.download.handle_hashes(self.now, conn, file, first, &frame);
        assert!(lies || told == Ok(()), "seed {}: {told:?}", self.seed);
    }

    /// A block of the first that it is asked for.
    fn send(&mut self, at: usize, conn: Conn) {
        let now = self.now;
        self.peers[at].asked.retain(|one| one.until.is_none_or(|until| now < until));
        let Some(sending) = self.peers[at].asked.front_mut() else { return };
        let Sending { file, piece, offset, .. } = *sending;
        let truth = FILES[file.index()].piece(piece);
        let end = truth.len().min((offset + BLOCK_BYTES) as usize);
        sending.offset = end as u32;
        if end == truth.len() {
            self.peers[at].asked.pop_front();
        }
        let mut block = truth[offset as usize..end].to_vec();
        if self.peers[at].kind == Kind::LiesPieces && self.random.one_in(8) {
            block[0] ^= 1;
        }
        let sent = self.download.handle_block(self.now, conn, file, piece, offset, &block);
        let sent = match sent {
            Ok(sent) => sent,
            // What it sent of a piece unasked was taken for what was on its way.
            Err(refused) if self.peers[at].kind == Kind::Flips => {
                if refused.closes() {
                    self.close(at, conn);
                }
                return;
            }
            Err(refused) => panic!("seed {}: {refused:?}, {:?}", self.seed, self.peers[at]),
        };
        if sent && end == truth.len() {
            self.requests.entry(conn).or_default().retain(|one| *one != (file, piece));
        }
    }

    fn write(&mut self, job: Job) {
        match job {
            Job::Resume { file, .. } => {
                let count = FILES[file.index()].pieces();
                let kept: Vec<_> = (0..count).filter(|_| self.random.one_in(10)).collect();
                self.had.extend(kept.iter().map(|piece| (file, *piece)));
                self.download.resumed(self.now, file, Ok(FILES[file.index()].bitmap(kept)));
            }
            Job::Take { file, piece, bytes, hash } => {
                assert_eq!(hash, FILES[file.index()].hashes[piece as usize]);
                let is_right = bytes == FILES[file.index()].piece(piece);
                self.wrong += u32::from(!is_right);
                let outcome = if is_right { Taken::Good } else { Taken::Wrong };
                self.download.took(self.now, file, piece, bytes, outcome);
                assert_eq!(self.download.has(file, piece), is_right);
            }
            other => panic!("{other:?}"),
        }
    }

    fn take_wishes(&mut self) {
        while let Some(wish) = self.download.next_wish(self.now) {
            assert_eq!(self.end, None, "seed {}: {wish:?} after the last", self.seed);
            self.take_wish(wish);
            let all: usize = self.requests.values().map(Vec::len).sum();
            assert!(all <= REQUESTS_MAX, "seed {}: {all} requests", self.seed);
        }
    }

    fn take_wish(&mut self, wish: Wish) {
        let seed = self.seed;
        let at = |conn| self.peers.iter().position(|peer| peer.conn == Some(conn)).unwrap();
        match wish {
            Wish::Request(conn, file, piece) => {
                let at = at(conn);
                let peer = &mut self.peers[at];
                assert!(!self.barred.contains(&peer.address), "seed {seed}: it sent a wrong piece");
                assert!(peer.has[file.index()].contains(&piece), "seed {seed}: it has it not");
                assert!(!self.had.contains(&(file, piece)), "seed {seed}: it is had");
                peer.asked.push_back(Sending { file, piece, offset: 0, until: None });
                let requests = self.requests.entry(conn).or_default();
                requests.push((file, piece));
                assert!(requests.len() <= REQUESTS_PER_CONNECTION, "seed {seed}");
            }
            Wish::Cancel(conn, file, piece) => {
                let at = at(conn);
                self.requests.entry(conn).or_default().retain(|one| *one != (file, piece));
                // It is on its way for a while.
                let until = self.now.plus(self.random.below(2 * SECOND));
                for one in
                    self.peers[at].asked.iter_mut().filter(|one| (one.file, one.piece) == (file, piece))
                {
                    one.until.get_or_insert(until);
                }
            }
            Wish::HashesRequest(conn, file, first) => {
                let at = at(conn);
                self.peers[at].hashes.push_back((file, first));
            }
            Wish::Barred(conn) => {
                let at = at(conn);
                assert_eq!(self.peers[at].kind, Kind::LiesPieces, "seed {seed}: an honest end is blamed");
                self.barred.insert(self.peers[at].address);
            }
            Wish::Job(job) => {
                let after = self.disk.back().map_or(self.now, |job| job.0);
                self.disk.push_back((after.plus(self.random.below(600_000)), job));
                assert!(self.disk.len() < REQUESTS_MAX + AT_DISK_MAX + File::ALL.len());
            }
            Wish::Have(_) => {}
            Wish::Had(file, piece) => assert!(self.had.insert((file, piece)), "seed {seed}: had twice"),
            Wish::AllHad | Wish::Failed(_) => self.end = Some(wish),
        }
    }
}

/// MAP-30, 32, 33, 86: among liars, leavers and the silent, whoever they are, one honest end that has all is enough: every piece is
/// had in the end, none is taken whose hash is wrong, nobody honest is blamed, and no bound is passed.
#[test]
fn one_honest_end_is_enough() {
    let (mut wrong, mut barred) = (0, 0);
    for seed in 0..SEEDS {
        let mut model = Model::new(seed);
        model.run();
        assert_eq!(model.end, Some(Wish::AllHad), "seed {seed}");
        let pieces: u32 = model.files.iter().map(|file| file.pieces()).sum();
        assert_eq!(model.had.len(), pieces as usize, "seed {seed}");
        let bytes: u64 = model.files.iter().map(|file| u64::from(file.offered.size)).sum();
        assert_eq!(model.download.progress().had, bytes, "seed {seed}");
        wrong += model.wrong;
        barred += model.barred.len();
    }
    // What is to be found is there to be found.
    assert!(wrong >= 100 && barred >= 100, "{wrong} wrong pieces of {barred} ends");
    assert_eq!(FILES[0].piece(0).len(), PIECE_BYTES as usize);
}

/// Without the honest end a swarm of such may fail, and says why.
#[test]
fn without_an_honest_end_it_may_fail() {
    let mut failed = 0;
    for seed in 0..60 {
        let mut model = Model::new(seed);
        for peer in model.peers.iter_mut().filter(|peer| peer.kind == Kind::Honest) {
            peer.kind = Kind::Silent;
        }
        model.run();
        failed += u32::from(matches!(model.end, Some(Wish::Failed(Fault::NoHashes | Fault::Nothing))));
    }
    assert!(failed > 0, "none of 60 failed");
}
