//! A machine's swarm, whatever the others say and do: connections that are made and end at any time, frames that are good, of another
//! file, out of order or no frames, a disk that fails, orders of the game's in between. Knows no socket.
//!
//! Each step is three bytes: what, of which connection, and how; a step that says any bytes has them behind it. Whatever they come
//! to: what leaves are whole good frames that say nothing untrue, no more connections stand than may, nothing is asked of an end
//! twice over, what is believed to be had was hashed, and who waits is told until when.

use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;

use mjolnir_mapshare::hash::of_piece;
use mjolnir_mapshare::swarm::{ACCEPTED_MAX, CONNECTIONS_MAX, NO_LIMIT, Output};
use mjolnir_mapshare::{Conn, Fault, Game, Job, Offered, Place, Swarm, Taken};
use mjolnir_wire::mapshare::{File, FileSet};
use mjolnir_wire::swarm::{FRAME_BODY_MAX, Frame, Hello};
use mjolnir_wire::{Machine, Moment};

use super::contents::{Files, address, content, contents};

mod link;

use link::Link;

/// Steps of a script at most: more would only be slow.
const STEPS: usize = 256;
/// The map's version in the games of a script.
const VERSION: u32 = 7;
/// Bytes that are kept of a frame that was cut, at most.
const TAIL_MAX: usize = 8 + FRAME_BODY_MAX;

struct Scene {
    swarm: Swarm,
    now: Moment,
    game: Option<Game>,
    links: Vec<Link>,
    accepted: u32,
    jobs: VecDeque<Job>,
    files: Files,
    /// Of the download.
    fetched: FileSet,
    had: BTreeSet<(File, u32)>,
    has_all: bool,
    /// Downloads that were whole.
    wholes: u32,
}

/// A script.
pub(super) fn swarm(bytes: &[u8]) {
    played(bytes);
}

fn played(bytes: &[u8]) -> Scene {
    let mut scene = Scene {
        swarm: Swarm::new(bytes.first().copied().unwrap_or_default().into()),
        now: Moment::from_millis(1_000),
        game: None,
        links: Vec::new(),
        accepted: Conn::FIRST_ACCEPTED,
        jobs: VecDeque::new(),
        files: Files { are_there: true },
        fetched: FileSet::NONE,
        had: BTreeSet::new(),
        has_all: false,
        wholes: 0,
    };
    let mut rest = bytes;
    for _ in 0..STEPS {
        let [what, who, how, more @ ..] = rest else { break };
        rest = scene.step(what % 16, *who, *how, more);
        scene.look();
    }
    scene.rest();
    scene
}

fn machine(index: u8) -> Machine {
    Machine::new(index % 32).unwrap_or(Machine::HOST)
}

impl Scene {
    fn step<'a>(&mut self, what: u8, who: u8, how: u8, more: &'a [u8]) -> &'a [u8] {
        match what {
            0 => {
                let millis = u64::from(who) << 8 | u64::from(how);
                self.now = self.now.plus(millis * 1_000);
                self.swarm.poll(self.now);
            }
            1 => self.accept(address(1 + who % 31)),
            2 => self.open(who),
            3 => {
                if let Some(at) = self.at(who) {
                    let conn = self.links.remove(at).conn;
                    self.swarm.closed(self.now, conn);
                }
            }
            4 => {
                let (said, left) = more.split_at(more.len().min(how.into()));
                self.hear(who, said);
                return left;
            }
            5 => self.hello(who, how),
            6 => self.have(who, how),
            7 => self.hashes(who, how),
            8 | 9 => self.answer(who, how),
            10 | 11 => self.fill(who, how),
            12 => self.work(how),
            13 => self.ask(who, how),
            _ => self.order(who, how),
        }
        more
    }

    fn at(&self, who: u8) -> Option<usize> {
        (!self.links.is_empty()).then(|| usize::from(who) % self.links.len())
    }

    fn accept(&mut self, from: IpAddr) {
        let conn = Conn::new(self.accepted);
        self.accepted += 1;
        let is_taken = self.swarm.accepted(self.now, conn, from);
        let may = self.game.is_some();
        assert!(may || !is_taken, "taken without a game");
        self.look();
        if is_taken {
            self.links.push(Link::new(conn, from, true));
        }
    }

    /// One that this machine makes is open, and its other end is asked nothing yet.
    fn open(&mut self, who: u8) {
        let made: Vec<usize> = (0..self.links.len()).filter(|at| !self.links[*at].is_open).collect();
        if let Some(at) = made.get(usize::from(who) % made.len().max(1)) {
            self.links[*at].is_open = true;
            self.swarm.connected(self.now, self.links[*at].conn);
        }
    }

    fn hear(&mut self, who: u8, bytes: &[u8]) {
        // Nothing comes by one that is not open.
        if let Some(link) = self.at(who).map(|at| &self.links[at]).filter(|link| link.is_open) {
            self.swarm.received(self.now, link.conn, bytes);
        }
    }

    fn say(&mut self, who: u8, frame: &Frame<'_>) {
        let mut bytes = Vec::new();
        frame.write(&mut bytes);
        self.hear(who, &bytes);
    }

    /// The machine that an address is of, as the game says.
    fn hello(&mut self, who: u8, how: u8) {
        let Some(at) = self.at(who) else { return };
        let IpAddr::V4(ip) = self.links[at].address else { return };
        let hello = Hello {
            machine: machine(ip.octets()[3].wrapping_add(how >> 6)),
            is_host: ip.octets()[3] == 0,
            is_downloading: how & 1 != 0,
            sends: how & 2 == 0,
            map_version: VERSION + u32::from(how >> 2 & 1),
        };
        self.say(who, &Frame::Hello(hello));
    }

    fn have(&mut self, who: u8, how: u8) {
        let content = &contents()[usize::from(how & 1)];
        let bits = content.bitmap(how >> 3);
        let mut have = content.have((how & 2 != 0).then_some(&bits[..]));
        have.hash.0[31] ^= how >> 2 & 1;
        self.say(who, &Frame::Have(content.offered.file, have));
    }

    fn hashes(&mut self, who: u8, how: u8) {
        let content = &contents()[usize::from(how & 1)];
        let mut hashes = content.hashes.to_vec();
        let first = u32::from(how >> 2 & 3).min(content.count());
        hashes[0][0] ^= how >> 1 & 1;
        let from = if how & 16 != 0 { content.count() } else { first };
        self.say(who, &Frame::Hashes(content.offered.file, first, &hashes[from as usize..]));
    }

    /// So many blocks of what it was asked for first, the last one spoilt or of another place if it is to be.
    fn answer(&mut self, who: u8, how: u8) {
        for count in (0..=how & 15).rev() {
            let Some(link) = self.at(who).map(|at| &mut self.links[at]) else { return };
            let Some((file, piece, from)) = link.asked.pop_front() else { return };
            let mut bytes =
                content(file).map(|content| content.block(piece, from).to_vec()).unwrap_or_default();
            let next = from + bytes.len() as u32;
            if content(file).is_some_and(|content| !content.block(piece, next).is_empty()) {
                link.asked.push_front((file, piece, next));
            }
            let (is_spoilt, is_elsewhere) = (count == 0 && how & 16 != 0, count == 0 && how & 32 != 0);
            bytes[0] ^= u8::from(is_spoilt);
            let offset = from + u32::from(is_elsewhere);
            self.say(who, &Frame::Block { file, piece, offset, bytes: &bytes });
            self.look();
        }
    }

    /// A frame that asks or tells.
    fn ask(&mut self, who: u8, how: u8) {
        let (file, piece) = (contents()[usize::from(how & 1)].offered.file, u32::from(how >> 1 & 7));
        let frame = match how >> 4 {
            0..=5 => Frame::Request(file, piece),
            6..=8 => Frame::Cancel(file, piece),
            9..=11 => Frame::HashesRequest(file, piece),
            12..=13 => Frame::HavePiece(file, piece),
            _ => Frame::Idle,
        };
        self.say(who, &frame);
    }

    /// A connection can be written to: so much of what is there leaves.
    fn fill(&mut self, who: u8, how: u8) {
        let Some(at) = self.at(who).filter(|at| self.links[*at].is_open) else { return };
        let conn = self.links[at].conn;
        let tail = std::mem::take(&mut self.links[at].tail);
        self.links[at].leave(&tail);
        let mut made = Vec::new();
        let room = [1, 100, 20_000, 256 * 1024][usize::from(how & 3)];
        self.swarm.fill(self.now, conn, room, &mut made, &mut self.files);
        assert!(made.len() < room + TAIL_MAX, "{} bytes for a room of {room}", made.len());
        let takes = match how >> 2 {
            0..=40 => made.len(),
            part => made.len() * usize::from(part) / 64,
        };
        let kept = self.swarm.wrote(self.now, conn, takes);
        assert!(kept < TAIL_MAX && takes + kept <= made.len(), "{kept} are kept");
        let link = &mut self.links[at];
        link.tail = made[takes..takes + kept].to_vec();
        link.leave(&made[..takes]);
    }

    /// The disk does what it was given first, or fails at it.
    fn work(&mut self, how: u8) {
        match self.jobs.pop_front() {
            Some(Job::Resume { file, hashes }) => {
                let content = content(file).expect("a file of the download's");
                assert_eq!(hashes, content.hashes, "hashes that are not the file's");
                let bits = content.bitmap(how >> 4);
                let pieces = (0..content.count()).filter(|piece| bits[0] >> piece & 1 != 0);
                self.had.extend(pieces.map(|piece| (file, piece)));
                let outcome = if how & 15 == 15 { Err(Fault::Disk("full".into())) } else { Ok(bits) };
                self.swarm.resumed(self.now, file, outcome);
            }
            Some(Job::Take { file, piece, bytes, hash }) => {
                let content = content(file).expect("a file of the download's");
                assert_eq!(hash, content.hashes[piece as usize], "another piece's hash");
                assert_eq!(bytes.len(), content.piece(piece).len());
                let outcome = match how & 15 {
                    15 => Taken::Failed(Fault::Disk("full".into())),
                    _ if of_piece(&bytes) == hash => Taken::Good,
                    _ => Taken::Wrong,
                };
                if outcome == Taken::Good {
                    self.had.insert((file, piece));
                }
                self.swarm.took(self.now, file, piece, bytes, outcome);
            }
            Some(job) => panic!("{job:?}"),
            None if self.has_all => {
                self.swarm.finished(self.now);
                self.end(true);
                self.wholes += 1;
            }
            None => {}
        }
    }

    /// The game's thread wants something.
    fn order(&mut self, who: u8, how: u8) {
        let offered = |bits: u8| -> Vec<Offered> {
            (0..2).filter(|at| bits >> at & 1 != 0).map(|at| contents()[at].offered).collect()
        };
        match who % 9 {
            0 => {
                let own = how & 31;
                let upload = [None, Some(0), Some(65_536), Some(NO_LIMIT)][usize::from(how >> 5 & 3)];
                let game = Game {
                    machine: machine(own),
                    map_version: VERSION + u32::from(how >> 7),
                    host: (own != 0).then(|| address(0)),
                    upload,
                };
                self.swarm.share(self.now, game);
                self.game = Some(game);
                // Where no more than the limit is another, it goes on.
                self.end(!self.swarm.is_downloading());
            }
            1 => {
                self.swarm.leave(self.now);
                self.game = None;
                self.end(true);
            }
            2 if self.game.is_some() => {
                let offers = offered(how % 3 + 1);
                self.end(true);
                self.swarm.download(self.now, &offers);
                self.fetched = offers.iter().fold(FileSet::NONE, |all, offered| all.with(offered.file));
            }
            3 => {
                self.swarm.stop(self.now);
                self.end(true);
            }
            4 => {
                let place = |index: u8| Place {
                    machine: machine(index),
                    address: address(index),
                    files: FileSet::MAP,
                    is_downloading: how & 1 != 0,
                };
                let places: Vec<Place> = (1 + how % 16..1 + how % 16 + (how >> 4)).map(place).collect();
                self.swarm.set_sources(self.now, &places);
            }
            5 => {
                let members = (1..1 + how % 32).map(|index| (machine(index), address(index)));
                self.swarm.set_members(self.now, members.collect());
            }
            6 if self.game.is_some() => {
                for offered in offered(how % 3 + 1) {
                    // What is fetched is not there.
                    if let Some(content) =
                        content(offered.file).filter(|_| !self.fetched.contains(offered.file))
                    {
                        self.swarm.add_file(self.now, offered, Arc::clone(&content.hashes));
                    }
                }
            }
            7 => self.swarm.lose_file(self.now, contents()[usize::from(how & 1)].offered.file),
            _ => self.files.are_there = how & 1 == 0,
        }
    }

    /// A download is over.
    fn end(&mut self, is_over: bool) {
        if is_over {
            self.jobs.clear();
            self.had.clear();
            self.fetched = FileSet::NONE;
            self.has_all = false;
        }
    }

    /// Does what the swarm wants done, and holds it to what it may.
    fn look(&mut self) {
        while let Some(output) = self.swarm.next_output() {
            match output {
                Output::Connect(conn, to) => {
                    assert!(self.links.iter().all(|link| link.conn != conn), "a number is given twice");
                    self.links.push(Link::new(conn, to, false));
                }
                Output::Close(conn) => self.links.retain(|link| link.conn != conn),
                Output::Job(job) => self.jobs.push_back(job),
                Output::AllHad => {
                    let files = contents().iter().filter(|one| self.fetched.contains(one.offered.file));
                    let count: u32 = files.map(|content| content.count()).sum();
                    assert_eq!(self.had.len() as u32, count, "all is had that is not");
                    self.has_all = true;
                }
                Output::Failed(_) => self.end(true),
                Output::Word(_) => {}
            }
        }
        assert!(self.links.len() <= CONNECTIONS_MAX);
        assert!(self.links.iter().filter(|link| link.conn.is_accepted()).count() <= ACCEPTED_MAX);
        if let Some(progress) = self.swarm.progress() {
            let piece = |(file, piece): &(File, u32)| content(*file).map_or(0, |one| one.piece(*piece).len());
            let most: usize = self.had.iter().map(piece).sum();
            assert!(progress.had <= most as u64, "{} of {most} bytes are had", progress.had);
        }
    }

    /// It is quiet: everything that is due is done as it is due, and time goes on.
    fn rest(&mut self) {
        for _ in 0..2 {
            self.swarm.poll(self.now);
            self.look();
        }
        assert_eq!(self.swarm.connections(), self.links.len());
        let until = self.now.plus(700 * Moment::SECOND);
        for turn in 0.. {
            let Some(due) = self.swarm.next_due().filter(|due| *due <= until) else { break };
            assert!(due > self.now && turn < 10_000, "due at {due:?}, and again");
            self.now = due;
            // What cannot be written waits until it can.
            for _ in 0..2 {
                self.swarm.poll(self.now);
                self.look();
            }
        }
        // Nobody who is silent is kept, and nothing is fetched that nobody brings; but for who waits for the disk.
        if self.jobs.is_empty() && !self.has_all {
            assert!(!self.swarm.is_downloading());
            assert!(self.links.is_empty(), "{} are kept", self.links.len());
        }
    }
}

/// Scripts in which all goes well: a download from its host and another, and a host that serves.
pub(super) fn honest() -> Vec<Vec<u8>> {
    let downloads = {
        let mut steps = vec![[14, 0, 5 | 3 << 5], [14, 4, 0x27], [14, 2, 2], [0, 0, 1]];
        steps.extend((0..3).flat_map(|who| [[2, 0, 0], [5, who, 0], [6, who, 0], [6, who, 1]]));
        steps.extend((0..3).flat_map(|who| [[10, who, 3], [7, who, 0], [7, who, 1], [10, who, 3]]));
        steps.extend([[12, 0, 0], [12, 0, 0]]);
        for _ in 0..6 {
            steps.extend((0..3).flat_map(|who| [[10, who, 3], [8, who, 15], [12, 0, 0]]));
        }
        steps.extend([[12, 0, 0], [12, 0, 0], [12, 0, 0], [10, 0, 3]]);
        steps
    };
    let serves = {
        let mut steps = vec![[14, 0, 3 << 5], [14, 5, 31], [14, 6, 2]];
        steps.extend((0..3).flat_map(|who| [[1, who, 0], [5, who, 1], [6, who, 2], [10, who, 3]]));
        steps.extend((0..3).flat_map(|who| [[13, who, 9 << 4], [13, who, 2], [13, who, 4], [10, who, 3]]));
        steps.extend(
            (0..3).flat_map(|who| [[10, who, 1], [10, who, 200], [13, who, 6 << 4 | 4], [10, who, 3]]),
        );
        steps
    };
    [downloads, serves].iter().map(|steps: &Vec<[u8; 3]>| steps.concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scripts in which all goes well bring a download to its end, and send what was asked for.
    #[test]
    fn honest_scripts_come_to_something() {
        let [downloads, serves] = &honest()[..] else { panic!("two") };
        let scene = played(downloads);
        let bytes: usize = contents().iter().map(|content| content.bytes.len()).sum();
        assert_eq!((scene.wholes, scene.swarm.counters().received), (1, bytes as u64));
        let scene = played(serves);
        let piece = u64::from(mjolnir_wire::mapshare::PIECE_BYTES);
        assert!(scene.swarm.counters().sent >= 3 * piece, "{}", scene.swarm.counters().sent);
    }
}
