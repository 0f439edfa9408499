//! Machines that do not keep to the rules: each says a right hello and that it has everything, and then does as its kind does.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use mjolnir_mapshare::Conn;
use mjolnir_mapshare::simulated::{Command, Peer};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::PIECE_BYTES;
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame, Header};

use super::script::{Content, hello};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Answers nothing, and idles.
    Silence,
    /// Sends blocks of other bytes, and no hashes.
    Pieces,
    /// Sends hashes of other pieces, and no blocks.
    Hashes,
    /// Sends a block each twenty seconds.
    Drip,
    /// Sends frames of all sorts.
    Absurd,
}

pub(crate) struct Liar {
    lie: Lie,
    machine: u8,
    content: Arc<Content>,
    ends: HashMap<Conn, Told>,
    now: Moment,
    next: Moment,
}

#[derive(Default)]
struct Told {
    came: Vec<u8>,
    says: Vec<u8>,
    drips: Vec<(u32, u32)>,
}

impl Liar {
    pub(crate) fn new(now: Moment, lie: Lie, machine: u8, content: &Arc<Content>) -> Self {
        let content = Arc::clone(content);
        Self { lie, machine, content, ends: HashMap::new(), now, next: now }
    }

    fn hear(&mut self, conn: Conn) {
        let Some(told) = self.ends.get_mut(&conn) else { return };
        let came = std::mem::take(&mut told.came);
        let mut rest = &came[..];
        while let Some((head, after)) = rest.split_first_chunk() {
            let header = Header::read(head).unwrap();
            let Some((body, after)) = after.split_at_checked(header.length) else { break };
            rest = after;
            match (self.lie, Frame::read(header, body).unwrap()) {
                (Lie::Pieces, Frame::Request(file, piece)) => {
                    let size = PIECE_BYTES.min(self.content.offered.size - piece * PIECE_BYTES);
                    for offset in (0..size).step_by(BLOCK_BYTES as usize) {
                        let bytes = &vec![7; BLOCK_BYTES.min(size - offset) as usize];
                        Frame::Block { file, piece, offset, bytes }.write(&mut told.says);
                    }
                }
                (Lie::Hashes, Frame::HashesRequest(file, first)) => {
                    for first in (first..self.content.hashes.len() as u32).step_by(512) {
                        let count = 512.min(self.content.hashes.len() - first as usize);
                        Frame::Hashes(file, first, &vec![[9; 32]; count]).write(&mut told.says);
                    }
                }
                (Lie::Drip, Frame::Request(_, piece)) => told.drips.push((piece, 0)),
                (Lie::Drip, Frame::Cancel(_, piece)) => told.drips.retain(|drip| drip.0 != piece),
                _ => {}
            }
        }
        told.came = rest.to_vec();
    }
}

impl Peer for Liar {
    fn accepted(&mut self, _: Moment, conn: Conn, _: IpAddr) -> bool {
        let told = self.ends.entry(conn).or_default();
        Frame::Hello(hello(self.machine)).write(&mut told.says);
        self.content.have().write(&mut told.says);
        if self.lie == Lie::Absurd {
            let file = self.content.offered.file;
            Frame::HavePiece(file, 0).write(&mut told.says);
            told.says.extend([3, 0, 0, 0, 99, 7, 1, 1, 5, 5, 5]);
            match conn.get() % 4 {
                0 => Frame::HavePiece(file, u32::MAX).write(&mut told.says),
                1 => told.says.extend([255; 32]),
                2 => (0..3).for_each(|_| {
                    Frame::Block { file, piece: 1, offset: 5, bytes: &[1] }.write(&mut told.says);
                }),
                _ => (0..9).for_each(|_| Frame::Request(file, 0).write(&mut told.says)),
            }
        }
        true
    }

    fn connected(&mut self, _: Moment, _: Conn) {}

    fn closed(&mut self, _: Moment, conn: Conn) {
        self.ends.remove(&conn);
    }

    fn received(&mut self, _: Moment, conn: Conn, bytes: &[u8]) {
        if let Some(told) = self.ends.get_mut(&conn) {
            told.came.extend_from_slice(bytes);
        }
        self.hear(conn);
    }

    fn fill(&mut self, _: Moment, conn: Conn, _: usize, into: &mut Vec<u8>) {
        if let Some(told) = self.ends.get(&conn) {
            into.extend_from_slice(&told.says);
        }
    }

    fn wrote(&mut self, _: Moment, conn: Conn, bytes: usize) -> usize {
        if let Some(told) = self.ends.get_mut(&conn) {
            told.says.drain(..bytes);
        }
        0
    }

    fn poll(&mut self, now: Moment) {
        self.now = now;
        if now < self.next {
            return;
        }
        self.next = now.plus(20 * Moment::SECOND);
        for told in self.ends.values_mut() {
            Frame::Idle.write(&mut told.says);
            if let Some((piece, offset)) = told.drips.first_mut() {
                let at = (*piece * PIECE_BYTES + *offset) as usize;
                let bytes = self.content.bytes.get(at..at + BLOCK_BYTES as usize).unwrap_or_default();
                let file = self.content.offered.file;
                Frame::Block { file, piece: *piece, offset: *offset, bytes }.write(&mut told.says);
                *offset += BLOCK_BYTES;
                told.drips.retain(|drip| drip.1 < PIECE_BYTES);
            }
        }
    }

    fn next_due(&self) -> Option<Moment> {
        Some(self.next)
    }

    fn next_command(&mut self) -> Option<Command> {
        None
    }
}
