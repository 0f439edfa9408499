//! What leaves, made when it can: as frames, straight into the buffer that is written from (MAP-25, 34, 76 to 81, 83).

use alloc::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES};
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame, HASHES_MAX, Have, Hello, block_head};

use super::Swarm;
use super::link::Link;
use super::saying::{Ask, NEWS_MAX, Saying};
use crate::download::Conn;
use crate::job::Shelf;

/// Nothing of the largest file, as bits.
const NOTHING: [u8; 2048] = [0; 2048];

/// A frame that was made: where it ends, and what is still to be said once it has left.
#[derive(Debug)]
pub(super) struct Made {
    end: usize,
    saying: Saying,
    /// Bytes of blocks, up to its end.
    blocks: u64,
}

impl Swarm {
    /// Appends what is to leave by that connection, whole frames, until there are `room` bytes of them or no more to say: so the
    /// last may go over it. Blocks are in it as far as they may be sent now. [`Swarm::wrote`] says how much has left.
    pub fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>, shelf: &mut dyn Shelf) {
        self.made.clear();
        self.filled = Some(conn);
        let Some(at) = self.index(conn) else {
            return;
        };
        self.upload.refill(now);
        let link = &mut self.links[at];
        (link.was_filled, link.is_stuck) = (true, false);
        if !link.is_open {
            return;
        }
        let (mut saying, mut blocks, start) = (link.saying, 0, into.len());
        while into.len() - start < room
            && (self.say(at, &mut saying, into)
                || self.send(at, &mut saying, &mut blocks, into, shelf)
                || idle(&mut saying, self.made.is_empty(), into))
        {
            self.made.push(Made { end: into.len() - start, saying, blocks });
        }
        if self.made.is_empty() {
            // What is not there to be said any more.
            self.links[at].saying = saying;
        }
    }

    /// So many bytes of what was filled last have left. Returns how many after them are to be kept and to leave before anything is
    /// filled, so that the frame at hand is whole; the rest has not been said, and is made again.
    pub fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize {
        let (Some(at), true) = (self.index(conn), self.filled == Some(conn)) else {
            return 0;
        };
        self.filled = None;
        let link = &mut self.links[at];
        link.is_stuck = self.made.last().is_some_and(|made| made.end > bytes);
        if bytes == 0 {
            return 0;
        }
        let Some(made) = self.made.iter().find(|made| made.end >= bytes) else {
            return 0;
        };
        link.saying = made.saying;
        link.saying.idle = false;
        link.said = now;
        if made.blocks > 0 {
            link.served = self.upload.pay(made.blocks);
            self.counters.sent += made.blocks;
        }
        made.end - bytes
    }

    /// Appends the next frame that is not of a block; whether there was one.
    fn say(&self, at: usize, saying: &mut Saying, into: &mut Vec<u8>) -> bool {
        if saying.hello {
            saying.hello = false;
            return self.game.is_some_and(|game| {
                let hello = Hello {
                    machine: game.machine,
                    is_host: game.host.is_none(),
                    is_downloading: self.download.is_some(),
                    sends: self.upload.sends(),
                    map_version: game.map_version,
                };
                Frame::Hello(hello).write(into);
                true
            });
        }
        // What there is concerns the game's machines alone.
        if self.links[at].hello.is_none() {
            return false;
        }
        if let Some(ask) = saying.next_ask() {
            saying.did_ask();
            match ask {
                Ask::Request(file, piece) => Frame::Request(file, piece),
                Ask::Cancel(file, piece) => Frame::Cancel(file, piece),
                Ask::Hashes(file, first) => Frame::HashesRequest(file, first),
            }
            .write(into);
            return true;
        }
        self.say_have(saying, into) || self.say_hashes(saying, into)
    }

    /// What there is of a file, or one piece more.
    fn say_have(&self, saying: &mut Saying, into: &mut Vec<u8>) -> bool {
        if !self.upload.sends() {
            return false;
        }
        if self.news.len() - saying.news > NEWS_MAX {
            saying.haves = saying.haves.or(self.fetched);
            saying.news = self.news.len();
        }
        loop {
            let file = match (saying.haves.iter().next(), self.news.get(saying.news)) {
                (Some(file), _) => file,
                (None, None) => return false,
                (None, Some((file, piece))) => {
                    saying.news += 1;
                    if saying.told.contains(*file) {
                        Frame::HavePiece(*file, *piece).write(into);
                        return true;
                    }
                    *file
                }
            };
            let only = FileSet::only(file);
            saying.haves = saying.haves.without(only);
            let Some(offered) = self.files.offered(file) else {
                continue;
            };
            let part = self.download.as_ref().and_then(|download| download.bitmap(file));
            let bitmap = match (self.files.whole(file), part) {
                (Some(_), _) => None,
                (None, Some(bitmap)) => Some(bitmap),
                (None, None) if saying.told.contains(file) => {
                    saying.told = saying.told.without(only);
                    let bytes = mjolnir_wire::mapshare::pieces(offered.size).div_ceil(8) as usize;
                    Some(&NOTHING[..bytes.min(NOTHING.len())])
                }
                (None, None) => continue,
            };
            if bitmap.is_none() || part.is_some() {
                saying.told = saying.told.or(only);
            }
            Frame::Have(file, Have { hash: offered.hash, size: offered.size, bitmap }).write(into);
            return true;
        }
    }

    fn say_hashes(&self, saying: &mut Saying, into: &mut Vec<u8>) -> bool {
        for file in File::ALL {
            let next = &mut saying.hashes[file.index()];
            let (Some(first), Some(hashes)) = (*next, self.hashes(file)) else {
                *next = None;
                continue;
            };
            let rest = hashes.get(first as usize..).unwrap_or_default();
            let now = &rest[..rest.len().min(HASHES_MAX)];
            *next = (rest.len() > now.len()).then_some(first + now.len() as u32);
            if !now.is_empty() {
                Frame::Hashes(file, first, now).write(into);
                return true;
            }
        }
        false
    }

    /// Appends the next block, if there is one to send and it may be sent now; whether it did.
    fn send(
        &mut self,
        at: usize,
        saying: &mut Saying,
        blocks: &mut u64,
        into: &mut Vec<u8>,
        shelf: &mut dyn Shelf,
    ) -> bool {
        while let Some(asked) = saying.asked().next() {
            let offered = self.files.offered(asked.file).filter(|_| self.has(asked.file, asked.piece));
            let Some(offered) = offered else {
                saying.served(None);
                continue;
            };
            if !self.has_turn(at, *blocks) {
                return false;
            }
            let begins = asked.piece * PIECE_BYTES;
            let ends = PIECE_BYTES.min(offered.size - begins);
            let length = BLOCK_BYTES.min(ends - asked.offset);
            let start = into.len();
            into.extend_from_slice(&block_head(asked.file, asked.piece, asked.offset, length as usize));
            let body = into.len();
            into.resize(body + length as usize, 0);
            if shelf.read(asked.file, u64::from(begins + asked.offset), &mut into[body..]).is_err() {
                into.truncate(start);
                self.unreadable = self.unreadable.with(asked.file);
                continue;
            }
            let next = asked.offset + length;
            saying.served((next < ends).then_some(next));
            *blocks += u64::from(length);
            return true;
        }
        false
    }

    /// Whether that connection may be sent a block now, beside so many bytes of them that it is.
    fn has_turn(&self, at: usize, blocks: u64) -> bool {
        if self.upload.is_free() {
            return true;
        }
        let own = &self.links[at];
        let is_before = |other: &Link| {
            other.conn != own.conn && (blocks > 0 || other.served < own.served) && other.waits_for_block()
        };
        self.upload.affords(blocks) && !self.links.iter().any(is_before)
    }
}

/// Appends an idle, if it is time for one and nothing else was said.
fn idle(saying: &mut Saying, is_first: bool, into: &mut Vec<u8>) -> bool {
    let says = saying.idle && is_first && !saying.hello;
    if says {
        saying.idle = false;
        Frame::Idle.write(into);
    }
    says
}
