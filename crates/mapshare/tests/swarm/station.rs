//! A machine of the simulated network: a swarm, and files in memory in place of a disk.

use std::sync::Arc;

use mjolnir_mapshare::hash::of_piece;
use mjolnir_mapshare::simulated::{Command, Peer};
use mjolnir_mapshare::swarm::Output;
use mjolnir_mapshare::{Conn, Fault, Game, Job, Offered, Place, Shelf, Swarm, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, PIECE_BYTES, Refusal, pieces};

use super::script::Content;

/// Files that grow piece by piece.
#[derive(Default)]
struct Disk {
    files: [Vec<u8>; 4],
    /// Whether every block that is read is another; a liar's is.
    spoils: bool,
}

impl Shelf for Disk {
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal> {
        let from = self.files[file.index()].get(offset as usize..).and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(from.ok_or(Refusal::CannotBeRead)?);
        into[0] ^= u8::from(self.spoils);
        Ok(())
    }
}

pub(crate) struct Station {
    pub(crate) swarm: Swarm,
    disk: Disk,
    now: Moment,
    /// When its download was done, or failed and why.
    pub(crate) done: Option<Moment>,
    pub(crate) failed: Option<(Moment, Fault)>,
    /// Pieces that came wrong.
    pub(crate) wrong: usize,
}

impl Station {
    pub(crate) fn new(now: Moment, seed: u64, game: Game) -> Self {
        let mut swarm = Swarm::new(seed);
        swarm.share(now, game);
        Self { swarm, disk: Disk::default(), now, done: None, failed: None, wrong: 0 }
    }

    /// It has that file, whole.
    pub(crate) fn add(&mut self, now: Moment, content: &Content) {
        self.disk.files[content.offered.file.index()] = content.bytes.to_vec();
        self.swarm.add_file(now, content.offered, Arc::clone(&content.hashes));
    }

    /// It lacks those files.
    pub(crate) fn download(&mut self, now: Moment, offers: &[Offered], places: &[Place]) {
        for offered in offers {
            self.disk.files[offered.file.index()] = vec![0; offered.size as usize];
        }
        self.swarm.set_sources(now, places);
        self.swarm.download(now, offers);
    }

    /// What it sends is wrong from now on.
    pub(crate) fn spoil(&mut self) {
        self.disk.spoils = true;
    }

    /// Whether it has exactly that.
    pub(crate) fn has(&self, content: &Content) -> bool {
        self.disk.files[content.offered.file.index()] == *content.bytes
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Resume { file, hashes } => {
                let bits = vec![0; pieces(self.disk.files[file.index()].len() as u32).div_ceil(8) as usize];
                assert_eq!(hashes.len(), pieces(self.disk.files[file.index()].len() as u32) as usize);
                self.swarm.resumed(self.now, file, Ok(bits));
            }
            Job::Take { file, piece, bytes, hash } => {
                let is_right = of_piece(&bytes) == hash;
                if is_right {
                    let at = (piece * PIECE_BYTES) as usize;
                    self.disk.files[file.index()][at..at + bytes.len()].copy_from_slice(&bytes);
                } else {
                    self.wrong += 1;
                }
                let outcome = if is_right { Taken::Good } else { Taken::Wrong };
                self.swarm.took(self.now, file, piece, bytes, outcome);
            }
            other => panic!("{other:?}"),
        }
    }
}

impl Peer for Station {
    fn accepted(&mut self, now: Moment, conn: Conn, from: std::net::IpAddr) -> bool {
        self.swarm.accepted(now, conn, from)
    }

    fn connected(&mut self, now: Moment, conn: Conn) {
        self.swarm.connected(now, conn);
    }

    fn closed(&mut self, now: Moment, conn: Conn) {
        self.swarm.closed(now, conn);
    }

    fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]) {
        self.swarm.received(now, conn, bytes);
    }

    fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>) {
        self.swarm.fill(now, conn, room, into, &mut self.disk);
    }

    fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize {
        self.swarm.wrote(now, conn, bytes)
    }

    fn poll(&mut self, now: Moment) {
        self.now = now;
        self.swarm.poll(now);
    }

    fn next_due(&self) -> Option<Moment> {
        self.swarm.next_due()
    }

    fn next_command(&mut self) -> Option<Command> {
        loop {
            match self.swarm.next_output()? {
                Output::Connect(conn, to) => return Some(Command::Connect(conn, to)),
                Output::Close(conn) => return Some(Command::Close(conn)),
                Output::Job(job) => self.work(job),
                Output::AllHad => {
                    self.done = Some(self.now);
                    self.swarm.finished(self.now);
                }
                Output::Failed(fault) => self.failed = Some((self.now, fault)),
                Output::Word(_) => {}
            }
        }
    }
}
