//! Which piece is asked for next, of whom, and when a request has gone on for too long. Knows no socket.
//!
//! The rarest first, each time from another place: who goes on from where it began soon asks for what another does (MAP-26). Ends that were late come last, then those that are asked for more, then
//! those that never sent a right piece, then those that were asked, or came, later.

use alloc::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;

use super::Download;
use super::part::Stage;
use super::requests::{AT_DISK_MAX, REQUESTS_PER_CONNECTION, Request};
use super::wish::{Conn, Wish};

/// Pieces missing, of all files, from which on each may be asked of a second end (MAP-28).
pub const ENDGAME_PIECES: u32 = 16;
/// Microseconds without a block after which a piece is asked of another end (MAP-86).
pub const REQUEST_TIMEOUT: u64 = 30 * Moment::SECOND;
/// Microseconds after which a request makes way for an end that has its piece and is asked for nothing, with none of the piece there:
/// ends that send a block now and then would else hold all requests. The more of it is there, the longer it stays, up to
/// [`YIELD_WITHIN`].
pub const YIELD_AFTER: u64 = REQUEST_TIMEOUT;
/// Microseconds after which it does with nearly all of the piece there.
pub const YIELD_WITHIN: u64 = 60 * Moment::SECOND;

/// Which ends were too slow for which pieces: others are asked, where others have them (MAP-86). The latest of them.
#[derive(Debug)]
pub(super) struct Shunned(Vec<(Conn, File, u32)>);

impl Shunned {
    const MAX: usize = 32;

    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(Self::MAX))
    }

    fn insert(&mut self, conn: Conn, file: File, piece: u32) {
        if !self.contains(conn, file, piece) {
            if self.0.len() == Self::MAX {
                self.0.remove(0);
            }
            self.0.push((conn, file, piece));
        }
    }

    fn contains(&self, conn: Conn, file: File, piece: u32) -> bool {
        self.0.contains(&(conn, file, piece))
    }

    fn pieces(&self, conn: Conn, file: File) -> impl Iterator<Item = u32> {
        self.0.iter().filter(move |one| (one.0, one.1) == (conn, file)).map(|one| one.2)
    }

    /// An end is gone.
    pub(super) fn forget(&mut self, conn: Conn) {
        self.0.retain(|one| one.0 != conn);
    }

    /// A piece is had.
    pub(super) fn had(&mut self, file: File, piece: u32) {
        self.0.retain(|one| (one.1, one.2) != (file, piece));
    }
}

impl Download {
    /// The next request, if there is one to be made.
    pub(super) fn ask_for_piece(&mut self, now: Moment) -> Option<Wish> {
        while self.requests.has_room() {
            let can = |end: &&super::End| end.gives && !end.is_dry && end.requests < REQUESTS_PER_CONNECTION;
            let ends = self.ends.iter().enumerate().filter(|(_, end)| can(end));
            let (at, _) = ends.min_by_key(|(_, end)| (end.late, end.requests, !end.gave, end.turn))?;
            let found = self.left_by_another(at).or_else(|| self.rarest(at)).or_else(|| self.second(at));
            let Some((file, piece)) = found else {
                self.ends[at].is_dry = true;
                continue;
            };
            if let Some(part) = &mut self.parts[file.index()] {
                part.wanted.remove(piece);
            }
            self.turn += 1;
            let end = &mut self.ends[at];
            (end.requests, end.turn) = (end.requests + 1, self.turn);
            let conn = end.conn;
            self.requests.under_way.push(Request {
                conn,
                file,
                piece,
                asked: now,
                heard: now,
                bytes: Vec::new(),
            });
            if self.missing <= ENDGAME_PIECES {
                self.wake_all();
            }
            return Some(Wish::Request(conn, file, piece));
        }
        None
    }

    /// A piece that another end was too slow for (MAP-86).
    fn left_by_another(&self, at: usize) -> Option<(File, u32)> {
        let end = &self.ends[at];
        let may = |one: &&(Conn, File, u32)| {
            let (_, file, piece) = **one;
            let is_wanted = self.parts[file.index()].as_ref().is_some_and(|part| part.wanted.contains(piece));
            is_wanted && end.offers(file, piece) && !self.shunned.contains(end.conn, file, piece)
        };
        self.shunned.0.iter().find(may).map(|one| (one.1, one.2))
    }

    /// The piece that fewest have, of those that are wanted and an end has.
    fn rarest(&mut self, at: usize) -> Option<(File, u32)> {
        let end = &self.ends[at];
        let mut best: Option<(u32, File, u32)> = None;
        for part in self.parts.iter().flatten().filter(|part| part.stage == Stage::Open) {
            let file = part.offered.file;
            let has_another = |piece: &u32| {
                let could = |other: &&super::End| {
                    other.offers(file, *piece) && !self.shunned.contains(other.conn, file, *piece)
                };
                self.ends.iter().any(|other| could(&other))
            };
            let not = self.shunned.pieces(end.conn, file).filter(has_another);
            let found = part.rarest(&end.holds[file.index()], not, &mut self.random, &mut self.scratch);
            if let Some((count, piece)) = found.filter(|(count, _)| best.is_none_or(|best| *count < best.0)) {
                best = Some((count, file, piece));
            }
        }
        best.map(|(_, file, piece)| (file, piece))
    }

    /// Near the end, a piece that one other end is asked for: the one of which least came (MAP-28).
    fn second(&self, at: usize) -> Option<(File, u32)> {
        if self.missing > ENDGAME_PIECES {
            return None;
        }
        let end = &self.ends[at];
        let may = |one: &&Request| {
            one.conn != end.conn
                && end.offers(one.file, one.piece)
                && self.requests.asked(one.file, one.piece) == 1
        };
        let slowest = self.requests.under_way.iter().filter(may).min_by_key(|one| one.bytes.len())?;
        Some((slowest.file, slowest.piece))
    }

    /// Requests that have gone on for too long are cancelled; nobody is blamed (MAP-86).
    pub(super) fn free_the_late(&mut self, now: Moment) {
        let is_late = |one: &Request| now.since(one.heard) >= REQUEST_TIMEOUT;
        while let Some(request) = self.requests.under_way.iter().position(is_late) {
            self.cancel_late(request);
        }
        let yields = |one: &Request| self.yields_at(one) <= now && self.is_awaited(one);
        // One at a time: who waited has it, or another, before the next is looked at.
        if let Some(request) = self.requests.under_way.iter().position(yields) {
            self.cancel_late(request);
        }
    }

    /// When the first request will have gone on for too long.
    pub(super) fn late_at(&self) -> Option<Moment> {
        let requests = || self.requests.under_way.iter();
        let silent = requests().map(|one| one.heard.plus(REQUEST_TIMEOUT));
        let awaited = requests().filter(|one| self.is_awaited(one)).map(|one| self.yields_at(one));
        silent.chain(awaited).min()
    }

    /// When a request makes way, if it is awaited.
    fn yields_at(&self, one: &Request) -> Moment {
        let length = self.parts[one.file.index()].as_ref().map_or(1, |part| part.length(one.piece));
        let longer = (YIELD_WITHIN - YIELD_AFTER) * one.bytes.len() as u64 / u64::from(length.max(1));
        one.asked.plus(YIELD_AFTER + longer)
    }

    /// Whether an end that is asked for nothing could be asked for what that request is of.
    fn is_awaited(&self, one: &Request) -> bool {
        let is_held_back = self.requests.at_disk() >= AT_DISK_MAX;
        !is_held_back
            && self.ends.iter().any(|end| {
                let is_free = end.requests == 0 && end.late == 0 && end.offers(one.file, one.piece);
                is_free && !self.shunned.contains(end.conn, one.file, one.piece)
            })
    }

    fn cancel_late(&mut self, request: usize) {
        let Request { conn, file, piece, .. } = self.requests.under_way[request];
        self.shunned.insert(conn, file, piece);
        if let Some(end) = self.ends.iter_mut().find(|end| end.conn == conn) {
            end.late = end.late.saturating_add(1);
        }
        self.cancel(request);
        // The oldest of what is shunned may have been forgotten.
        self.wake_all();
    }
}
