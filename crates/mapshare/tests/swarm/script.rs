//! One swarm by hand: what comes in, and exactly what goes out.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::swarm::{NO_LIMIT, Output};
use mjolnir_mapshare::{Conn, Game, Offered, Place, Shelf, Swarm};
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES, Refusal};
use mjolnir_wire::swarm::{Frame, Have, Header, Hello};
use mjolnir_wire::{Machine, Moment};

/// A file's bytes and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) offered: Offered,
    pub(crate) hashes: Arc<[PieceHash]>,
}

impl Content {
    /// Bytes that no two pieces share.
    pub(crate) fn new(file: File, size: u32) -> Self {
        let byte = |i: u32| (31 * i + 7 * (i / 256) + 13 * (i / PIECE_BYTES)) as u8;
        let bytes: Arc<[u8]> = (0..size).map(byte).collect();
        let hashes: Arc<[PieceHash]> = bytes.chunks(PIECE_BYTES as usize).map(of_piece).collect();
        let offered = Offered { file, size, hash: of_pieces(u64::from(size), &hashes) };
        Self { bytes, offered, hashes }
    }

    /// What is said of it by who has it.
    pub(crate) fn have(&self) -> Frame<'static> {
        let Offered { file, size, hash } = self.offered;
        Frame::Have(file, Have { hash, size, bitmap: None })
    }
}

/// Files in memory, to read blocks of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(pub(crate) [Option<Arc<[u8]>>; 4]);

impl Shelf for Files {
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal> {
        let bytes = self.0[file.index()].as_ref().ok_or(Refusal::CannotBeRead)?;
        let from = bytes.get(offset as usize..).and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(from.ok_or(Refusal::CannotBeRead)?);
        Ok(())
    }
}

/// The version of every script's map.
pub(crate) const VERSION: u32 = 0x0102_0304;

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn address(last: u8) -> IpAddr {
    Ipv4Addr::new(192, 168, 0, last).into()
}

/// A game of whose host this is the machine; its uploads have no limit.
pub(crate) fn hosts() -> Game {
    Game { machine: machine(0), map_version: VERSION, host: None, upload: Some(NO_LIMIT) }
}

/// A game whose host is at `address(0)`.
pub(crate) fn plays(index: u8) -> Game {
    Game { machine: machine(index), host: Some(address(0)), ..hosts() }
}

pub(crate) fn hello(index: u8) -> Hello {
    Hello {
        machine: machine(index),
        is_host: index == 0,
        is_downloading: false,
        sends: true,
        map_version: VERSION,
    }
}

pub(crate) fn place(index: u8) -> Place {
    Place { machine: machine(index), address: address(index), files: FileSet::MAP, is_downloading: false }
}

pub(crate) fn bytes_of(frames: &[Frame<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    frames.iter().for_each(|frame| frame.write(&mut bytes));
    bytes
}

/// The frames of whole bytes.
pub(crate) fn frames_of(mut bytes: &[u8]) -> Vec<Frame<'_>> {
    let mut frames = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk() {
        let header = Header::read(head).unwrap();
        let (body, rest) = rest.split_at(header.length);
        frames.push(Frame::read(header, body).unwrap());
        bytes = rest;
    }
    assert!(bytes.is_empty());
    frames
}

/// A swarm, and what has been asked of whoever runs it.
pub(crate) struct Script {
    pub(crate) swarm: Swarm,
    pub(crate) now: Moment,
    pub(crate) files: Files,
    pub(crate) outputs: Vec<Output>,
    next: u32,
}

impl Script {
    pub(crate) fn new(game: Game) -> Self {
        let mut swarm = Swarm::new(7);
        let now = Moment::from_millis(1000);
        swarm.share(now, game);
        Self { swarm, now, files: Files::default(), outputs: Vec::new(), next: Conn::FIRST_ACCEPTED }
    }

    /// A host with machines 1 to 100 as members.
    pub(crate) fn host() -> Self {
        let mut script = Self::new(hosts());
        script
            .swarm
            .set_members(script.now, (1..=100).map(|index| (machine(index), address(index))).collect());
        script
    }

    /// It has that file, whole.
    pub(crate) fn with(mut self, content: &Content) -> Self {
        self.files.0[content.offered.file.index()] = Some(Arc::clone(&content.bytes));
        self.swarm.add_file(self.now, content.offered, Arc::clone(&content.hashes));
        self
    }

    /// Time goes on, and what is due is done as it is due.
    pub(crate) fn wait(&mut self, millis: u64) {
        let until = self.now.plus(millis * 1000);
        while let Some(due) = self.swarm.next_due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.swarm.poll(self.now);
            self.take_outputs();
            if self.swarm.next_due() == Some(due) {
                // Due until something is written, which a script does by itself.
                break;
            }
        }
        self.now = until;
        self.swarm.poll(self.now);
        self.take_outputs();
    }

    fn take_outputs(&mut self) {
        self.outputs.extend(std::iter::from_fn(|| self.swarm.next_output()));
    }

    /// Another machine connects; its number if it is taken.
    pub(crate) fn accept(&mut self, from: IpAddr) -> Option<Conn> {
        let conn = Conn::new(self.next);
        self.next += 1;
        let is_taken = self.swarm.accepted(self.now, conn, from);
        self.take_outputs();
        is_taken.then_some(conn)
    }

    /// Another machine connects and says hello.
    pub(crate) fn meet(&mut self, index: u8) -> Conn {
        let conn = self.accept(address(index)).unwrap();
        self.hear(conn, &[Frame::Hello(hello(index))]);
        conn
    }

    pub(crate) fn hear(&mut self, conn: Conn, frames: &[Frame<'_>]) {
        self.hear_bytes(conn, &bytes_of(frames));
    }

    pub(crate) fn hear_bytes(&mut self, conn: Conn, bytes: &[u8]) {
        self.swarm.received(self.now, conn, bytes);
        self.take_outputs();
    }

    /// All that it has to say to a connection now, of which everything leaves.
    pub(crate) fn said(&mut self, conn: Conn) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let before = bytes.len();
            self.swarm.fill(self.now, conn, 1 << 18, &mut bytes, &mut self.files);
            if bytes.len() == before {
                return bytes;
            }
            assert_eq!(self.swarm.wrote(self.now, conn, bytes.len() - before), 0);
        }
    }

    /// Everything that was asked for since this was asked last.
    pub(crate) fn outputs(&mut self) -> Vec<Output> {
        self.take_outputs();
        std::mem::take(&mut self.outputs)
    }

    /// The connections that were closed since.
    pub(crate) fn closed(&mut self) -> Vec<Conn> {
        let close = |output: Output| if let Output::Close(conn) = output { Some(conn) } else { None };
        self.outputs().into_iter().filter_map(close).collect()
    }

    /// The connections that were begun since.
    pub(crate) fn connects(&mut self) -> Vec<(Conn, IpAddr)> {
        let connect =
            |output: Output| if let Output::Connect(conn, to) = output { Some((conn, to)) } else { None };
        self.outputs().into_iter().filter_map(connect).collect()
    }
}
