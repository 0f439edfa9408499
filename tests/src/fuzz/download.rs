//! A download, whatever its ends have, send and do, and however its disk is: ends of any rank that come and go, say what is untrue, trickle,
//! send what is wrong. Knows no connection: what it wants is taken and held to what it may want.
//!
//! Each step is three bytes: what, of which end, and how. Nothing is asked of an end that has not said it has it, that was asked for as
//! much already, or that is known for a wrong piece; nothing that is had is asked for; pieces at the disk are bounded; what is counted
//! as had was hashed; its end is said once, and nothing after it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;

use mjolnir_mapshare::download::{
    AT_DISK_MAX, Download, ENDGAME_PIECES, ENDS_MAX, REQUESTS_MAX, REQUESTS_PER_CONNECTION, Rank, Refused,
    Wish,
};
use mjolnir_mapshare::hash::of_piece;
use mjolnir_mapshare::{Conn, Fault, Job, Offered, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;

use super::contents::{address, content, contents};

/// Steps of a script at most.
const STEPS: usize = 384;

/// What an end is known to be.
struct End {
    address: IpAddr,
    /// What it has said that it has, of its good words.
    has: BTreeSet<(File, u32)>,
    /// What it was asked for, and how far it answered.
    asked: VecDeque<(File, u32, u32)>,
}

struct Scene {
    download: Download,
    now: Moment,
    offers: Vec<Offered>,
    ends: BTreeMap<Conn, End>,
    next: u32,
    /// With whom a piece is of.
    jobs: VecDeque<(Job, Option<IpAddr>)>,
    /// Who sends something now.
    sender: Option<IpAddr>,
    /// Who sent a wrong piece.
    blamed: BTreeSet<IpAddr>,
    open: BTreeSet<File>,
    had: BTreeSet<(File, u32)>,
    is_over: bool,
    has_all: bool,
}

/// A script: which files, and what becomes of them.
pub(super) fn download(bytes: &[u8]) {
    played(bytes);
}

fn played(bytes: &[u8]) -> Scene {
    let first = bytes.first().copied().unwrap_or_default();
    let files = (0..2).filter(|at| (first % 3 + 1) >> at & 1 != 0);
    let offers: Vec<Offered> = files.map(|at| contents()[at].offered).collect();
    let now = Moment::from_millis(1_000);
    let mut scene = Scene {
        download: Download::new(now, &offers, first.into()),
        now,
        offers,
        ends: BTreeMap::new(),
        next: 0,
        jobs: VecDeque::new(),
        sender: None,
        blamed: BTreeSet::new(),
        open: BTreeSet::new(),
        had: BTreeSet::new(),
        is_over: false,
        has_all: false,
    };
    let steps = bytes.get(1..).unwrap_or_default();
    for step in steps.as_chunks::<3>().0.iter().take(STEPS) {
        scene.step(*step);
        scene.look();
    }
    scene.rest();
    scene
}

impl Scene {
    fn step(&mut self, [what, who, how]: [u8; 3]) {
        match what % 12 {
            0 => {
                self.now = self.now.plus((u64::from(who) << 8 | u64::from(how)) * 1_000);
                self.download.poll(self.now);
            }
            1 => self.meet(who, how),
            2 => {
                if let Some(conn) = self.conn(who) {
                    self.ends.remove(&conn);
                    self.download.forget(conn);
                }
            }
            3 => self.have(who, how),
            4 => self.have_piece(who, how),
            5 | 6 => self.hashes(who, how),
            7..=9 => self.answer(who, how),
            10 => self.work(how),
            _ => self.stray(who, how),
        }
    }

    fn conn(&self, who: u8) -> Option<Conn> {
        let at = usize::from(who) % self.ends.len().max(1);
        self.ends.keys().nth(at).copied()
    }

    /// An end says hello; several may be of one address, and an end that is known may be of another rank.
    fn meet(&mut self, who: u8, how: u8) {
        let rank = [Rank::Host, Rank::Named, Rank::Incoming][usize::from(how % 3)];
        let is_known = how & 64 != 0;
        if let Some(conn) = self.conn(who).filter(|_| is_known) {
            self.download.add(conn, self.ends[&conn].address, rank);
        } else {
            let (conn, address) = (Conn::new(self.next), address(who % 12));
            self.next += 1;
            self.download.add(conn, address, rank);
            if self.ends.len() < ENDS_MAX {
                let asked = VecDeque::new();
                self.ends.insert(conn, End { address, has: BTreeSet::new(), asked });
            }
        }
    }

    fn have(&mut self, who: u8, how: u8) {
        let Some(conn) = self.conn(who) else { return };
        let content = &contents()[usize::from(how & 1)];
        let file = content.offered.file;
        let bits = content.bitmap(how >> 3);
        let mut have = content.have((how & 2 != 0).then_some(&bits[..]));
        let is_another = how & 4 != 0;
        have.size += u32::from(is_another);
        self.download.handle_have(conn, file, &have);
        if let Some(end) = self.ends.get_mut(&conn) {
            end.has.retain(|(of, _)| *of != file);
            let has = |piece: &u32| !is_another && (how & 2 == 0 || bits[0] >> piece & 1 != 0);
            end.has.extend((0..content.count()).filter(has).map(|piece| (file, piece)));
        }
    }

    fn have_piece(&mut self, who: u8, how: u8) {
        let Some(conn) = self.conn(who) else { return };
        let content = &contents()[usize::from(how & 1)];
        let (file, piece) = (content.offered.file, u32::from(how >> 1 & 7));
        if let Err(refused) = self.download.handle_have_piece(conn, file, piece) {
            assert!(refused == Refused::Piece && piece >= content.count());
        } else if piece < content.count()
            && let Some(end) = self.ends.get_mut(&conn)
        {
            // It may be passed over, which asks for less.
            end.has.insert((file, piece));
        }
    }

    fn hashes(&mut self, who: u8, how: u8) {
        let Some(conn) = self.conn(who) else { return };
        let content = &contents()[usize::from(how & 1)];
        let mut hashes = content.hashes.to_vec();
        hashes[0][0] ^= how >> 1 & 1;
        let first = u32::from(how >> 2 & 3);
        let from = (first as usize + usize::from(how >> 6)).min(hashes.len());
        let to = if how & 16 != 0 { from.max(hashes.len() - 1) } else { hashes.len() };
        let _ = self.download.handle_hashes(self.now, conn, content.offered.file, first, &hashes[from..to]);
    }

    /// An end sends so many blocks of what it was asked for first, the last of them spoilt if it is to be.
    fn answer(&mut self, who: u8, how: u8) {
        let Some(conn) = self.conn(who) else { return };
        for left in (0..=how & 15).rev() {
            let Some(end) = self.ends.get_mut(&conn) else { return };
            let Some((file, piece, from)) = end.asked.pop_front() else { return };
            let content = content(file).expect("a file that there is");
            let mut bytes = content.block(piece, from).to_vec();
            let next = from + bytes.len() as u32;
            if !content.block(piece, next).is_empty() {
                end.asked.push_front((file, piece, next));
            }
            bytes[0] ^= u8::from(left == 0 && how & 16 != 0);
            self.sender = Some(end.address);
            let was_due = self.download.handle_block(self.now, conn, file, piece, from, &bytes);
            assert!(self.is_over || was_due == Ok(true), "{was_due:?}");
            self.look();
        }
    }

    /// A block that nobody may have asked for.
    fn stray(&mut self, who: u8, how: u8) {
        let Some(conn) = self.conn(who) else { return };
        let (file, piece) = (contents()[usize::from(how & 1)].offered.file, u32::from(how >> 1 & 7));
        let offset = [0, 1, 16_384, u32::MAX][usize::from(how >> 4 & 3)];
        let bytes = [7; 16_384];
        let bytes = &bytes[..[1, 5, 16_383, 16_384][usize::from(how >> 6)]];
        self.sender = self.ends.get(&conn).map(|end| end.address);
        match self.download.handle_block(self.now, conn, file, piece, offset, bytes) {
            Ok(true) => {
                let end = self.ends.get_mut(&conn).expect("an end");
                let asked = end.asked.iter_mut().find(|(of, one, _)| (*of, *one) == (file, piece));
                let (.., from) = asked.expect("what is due was asked for");
                assert_eq!(*from, offset);
                *from += bytes.len() as u32;
                let all = content(file).map_or(0, |content| content.piece(piece).len() as u32);
                end.asked.retain(|(.., from)| *from < all);
            }
            Ok(false) => {}
            Err(refused) => assert!(matches!(refused, Refused::Block | Refused::Blocks)),
        }
    }

    /// The disk does what it was given first, or fails at it.
    fn work(&mut self, how: u8) {
        match self.jobs.pop_front() {
            Some((Job::Resume { file, .. }, _)) => {
                let content = content(file).expect("a file that there is");
                let bits = content.bitmap(how >> 4);
                let fails = how & 15 == 15;
                if !fails && !self.is_over {
                    let pieces = (0..content.count()).filter(|piece| bits[0] >> piece & 1 != 0);
                    self.had.extend(pieces.map(|piece| (file, piece)));
                    self.open.insert(file);
                }
                let pieces = if fails { Err(Fault::Disk("full".into())) } else { Ok(bits) };
                self.download.resumed(self.now, file, pieces);
            }
            Some((Job::Take { file, piece, bytes, hash }, from)) => {
                let outcome = match how & 15 {
                    15 => Taken::Failed(Fault::Disk("full".into())),
                    _ if of_piece(&bytes) == hash => Taken::Good,
                    _ => Taken::Wrong,
                };
                if outcome == Taken::Good && !self.is_over {
                    assert!(self.had.insert((file, piece)), "a piece is written twice");
                }
                if outcome == Taken::Wrong && !self.is_over {
                    self.blamed.extend(from);
                }
                self.download.took(self.now, file, piece, bytes, outcome);
            }
            _ => {}
        }
    }

    /// Takes what is wanted, and holds it to what may be.
    fn look(&mut self) {
        while let Some(wish) = self.download.next_wish(self.now) {
            assert!(!self.is_over || matches!(wish, Wish::Cancel(..)), "after its end: {wish:?}");
            self.wish(wish);
        }
        let length = |(file, piece): &(File, u32)| content(*file).map_or(0, |one| one.piece(*piece).len());
        let had: usize = self.had.iter().map(length).sum();
        assert_eq!(self.download.progress().had, had as u64);
        assert!(self.had.iter().all(|(file, piece)| self.download.has(*file, *piece)));
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Request(conn, file, piece) => {
                let asked = self.ends.values().flat_map(|end| &end.asked);
                let all = asked.clone().count();
                let of_it = asked.filter(|(of, one, _)| (*of, *one) == (file, piece)).count();
                assert!(self.open.contains(&file) && !self.had.contains(&(file, piece)));
                assert!(of_it == 0 || of_it == 1 && self.missing() <= ENDGAME_PIECES as usize);
                assert!(all < REQUESTS_MAX && self.takes() < AT_DISK_MAX);
                let end = self.ends.get_mut(&conn).expect("an end that is there");
                assert!(end.has.contains(&(file, piece)) && !self.blamed.contains(&end.address));
                assert!(end.asked.len() < REQUESTS_PER_CONNECTION);
                assert!(!end.asked.iter().any(|(of, one, _)| (*of, *one) == (file, piece)));
                end.asked.push_back((file, piece, 0));
            }
            Wish::Cancel(conn, file, piece) => {
                if let Some(end) = self.ends.get_mut(&conn) {
                    let before = end.asked.len();
                    end.asked.retain(|(of, one, _)| (*of, *one) != (file, piece));
                    assert!(end.asked.len() + 1 == before, "what was not asked for is cancelled");
                }
            }
            Wish::HashesRequest(conn, file, first) => {
                assert!(self.ends.contains_key(&conn) && first == 0 && !self.open.contains(&file));
            }
            Wish::Barred(conn) => {
                assert!(self.ends.get(&conn).is_none_or(|end| self.blamed.contains(&end.address)));
            }
            Wish::Job(Job::Resume { file, hashes }) => {
                assert_eq!(Some(&hashes), content(file).map(|content| &content.hashes));
                self.jobs.push_back((Job::Resume { file, hashes }, None));
            }
            Wish::Job(Job::Take { file, piece, bytes, hash }) => {
                let content = content(file).expect("a file that there is");
                assert_eq!((bytes.len(), hash), (content.piece(piece).len(), content.hashes[piece as usize]));
                self.jobs.push_back((Job::Take { file, piece, bytes, hash }, self.sender));
                assert!(self.takes() < AT_DISK_MAX + REQUESTS_MAX);
            }
            Wish::Job(job) => panic!("{job:?}"),
            Wish::Have(file) => assert!(self.open.contains(&file)),
            Wish::Had(file, piece) => assert!(self.had.contains(&(file, piece))),
            Wish::AllHad => {
                assert_eq!(self.missing(), 0);
                (self.is_over, self.has_all) = (true, true);
            }
            Wish::Failed(_) => self.is_over = true,
        }
    }

    fn missing(&self) -> usize {
        let counts = self.offers.iter().filter_map(|offered| content(offered.file));
        counts.map(|content| content.count() as usize).sum::<usize>() - self.had.len()
    }

    fn takes(&self) -> usize {
        self.jobs.iter().filter(|job| matches!(job.0, Job::Take { .. })).count()
    }

    /// It is quiet: what waits for others ends, what waits for the disk does not.
    fn rest(&mut self) {
        self.download.poll(self.now);
        self.look();
        // While a part file is checked what an end is too slow for is asked of another, and again.
        for _ in 0..1_000 {
            let Some(due) = self.download.next_due() else { break };
            assert!(due > self.now, "due at {due:?}, and again");
            self.now = due;
            self.download.poll(self.now);
            self.look();
        }
        assert!(self.is_over || !self.jobs.is_empty(), "it waits for nobody");
    }
}

/// A script in which all goes well: the host and two others.
pub(super) fn honest() -> Vec<Vec<u8>> {
    let mut steps: Vec<[u8; 3]> = (0..3).map(|who| [1, who, who]).collect();
    steps.extend((0..3).flat_map(|who| [[3, who, 0], [3, who, 1]]));
    steps.extend([[5, 0, 0], [10, 0, 0], [5, 0, 1], [10, 0, 0]]);
    for _ in 0..6 {
        steps.extend((0..3).flat_map(|who| [[7, who, 15], [10, 0, 0]]));
    }
    vec![[&[2], steps.concat().as_slice()].concat()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script in which all goes well brings everything.
    #[test]
    fn an_honest_script_brings_all() {
        let scene = played(&honest()[0]);
        assert!(scene.has_all && scene.missing() == 0 && scene.offers.len() == 2);
    }
}
