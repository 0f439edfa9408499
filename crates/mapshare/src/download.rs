//! A download: what there is of a map's files, what of them is lacked, and of whom it is asked. Knows no socket and no file: ends of
//! connections say what they have and send hashes and blocks, [`Job`]s are done by the disk, and what is wanted of both are
//! [`Wish`]es, to be taken after each call.
//!
//! First come a file's hashes; with them its part file is looked at; then its pieces are asked for. All files' are asked for together.
//! Who did something wrong is known by its address, so that it gains nothing by another connection.

mod end;
mod freeing;
mod hashes;
mod part;
mod picker;
mod requests;
mod set;
mod wish;

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;
use mjolnir_wire::swarm::{BLOCK_BYTES, Have};

use self::end::{Blamed, End, Holds};
use self::hashes::{asked_after, changes_after};
use self::part::{Part, Stage};
use self::picker::Shunned;
use self::requests::Requests;
use crate::hash::PieceHash;
use crate::job::{Job, Taken};
use crate::order::{Fault, Offered};
use crate::random::Random;

pub use self::end::BAD_BLOCKS_MAX;
pub use self::hashes::{HASHES_WITHIN, INCOMING_AFTER, LIST_WITHIN, LISTS_BYTES_MAX, NAMED_AFTER};
pub use self::picker::{ENDGAME_PIECES, REQUEST_TIMEOUT, YIELD_AFTER, YIELD_WITHIN};
pub use self::requests::{AT_DISK_MAX, REQUESTS_MAX, REQUESTS_PER_CONNECTION};
pub use self::wish::{Conn, Progress, Rank, Refused, Wish};

/// Ends that a download knows: as many as a machine has connections (MAP-38).
pub const ENDS_MAX: usize = 24;
const _: () = assert!(ENDS_MAX <= set::COUNTED_MAX);
/// Microseconds without anything of others after which a download fails (MAP-60).
pub const NOTHING_WITHIN: u64 = 60 * Moment::SECOND;
/// Microseconds without a piece after which it fails, whatever comes: an end that never ends what it sends is nothing, too.
pub const PIECE_WITHIN: u64 = 600 * Moment::SECOND;
/// Wishes that there is room for, of those that calls leave together.
const WISHES: usize = 64;

/// See the file's text.
#[derive(Debug)]
pub struct Download {
    parts: [Option<Part>; File::ALL.len()],
    ends: Vec<End>,
    requests: Requests,
    /// Who sent a wrong piece (MAP-33), and who wrong hashes (MAP-30).
    gave_wrong: Blamed,
    told_wrong: Blamed,
    shunned: Shunned,
    wishes: VecDeque<Wish>,
    /// Pieces that are not had, of all files, and bytes that are.
    missing: u32,
    had: u64,
    began: Moment,
    /// Who is asked for hashes by now.
    asked: Rank,
    /// When something came last.
    heard: Moment,
    /// When a file's pieces, or one more of them, were had last.
    grew: Moment,
    /// Of the last request.
    turn: u64,
    random: Random,
    scratch: Vec<u64>,
    is_over: bool,
}

impl Download {
    /// Begins: of each file once, the first that is offered; of nothing that has no bytes. By `seed` it is chosen which of the rarest
    /// pieces come first, which are to be others than another machine's (MAP-26).
    pub fn new(now: Moment, offers: &[Offered], seed: u64) -> Self {
        let mut parts = [const { None }; File::ALL.len()];
        for offered in offers.iter().filter(|offered| offered.size > 0).rev() {
            parts[offered.file.index()] = Some(Part::new(*offered));
        }
        let all = || parts.iter().flatten();
        let longest = all().map(|part| part.length(0)).max().unwrap_or(0);
        let most = all().map(|part| part.count).max().unwrap_or(0);
        let missing = all().map(|part| part.count).sum();
        Self {
            parts,
            ends: Vec::with_capacity(ENDS_MAX),
            requests: Requests::new(longest as usize),
            gave_wrong: Blamed::default(),
            told_wrong: Blamed::default(),
            shunned: Shunned::new(),
            wishes: VecDeque::with_capacity(WISHES),
            missing,
            had: 0,
            began: now,
            asked: Rank::Host,
            heard: now,
            grew: now,
            turn: 0,
            random: Random::new(seed),
            scratch: Vec::with_capacity(most.div_ceil(u64::BITS) as usize),
            is_over: false,
        }
    }

    /// An end that sends files has said hello; or is of another rank than was known. More than [`ENDS_MAX`] are passed over.
    pub fn add(&mut self, conn: Conn, address: IpAddr, rank: Rank) {
        if let Some(end) = self.ends.iter_mut().find(|end| end.conn == conn) {
            end.rank = rank;
        } else if self.ends.len() < ENDS_MAX {
            let mut end = End::new(conn, address, rank);
            end.gives = !self.gave_wrong.contains(address);
            end.tells = !self.told_wrong.contains(address);
            // It comes after those that wait already.
            end.turn = self.turn;
            if !end.gives && !self.is_over {
                self.wishes.push_back(Wish::Barred(conn));
            }
            self.ends.push(end);
        }
    }

    /// A connection is closed: what it was asked for may be asked of others.
    pub fn forget(&mut self, conn: Conn) {
        let Some(at) = self.end(conn) else { return };
        while let Some(request) = self.requests.under_way.iter().position(|one| one.conn == conn) {
            let (_, file, piece, _) = self.requests.end(request);
            self.want(file, piece);
        }
        self.set_all_unsaid(at);
        self.ends.remove(at);
        self.shunned.forget(conn);
        // Others may be asked now for what they were too slow for.
        self.wake_all();
    }

    /// What an end has of a file, in place of what it said before. Of another file than the offered one it counts as nothing
    /// (MAP-75).
    pub fn handle_have(&mut self, conn: Conn, file: File, have: &Have<'_>) {
        let Some(at) = self.end(conn).filter(|at| !self.is_over && self.ends[*at].gives) else { return };
        let Some(part) = &self.parts[file.index()] else { return };
        let holds = match have.bitmap {
            _ if have.hash != part.offered.hash || have.size != part.offered.size => Holds::Unsaid,
            None => Holds::Whole,
            Some(bitmap) => Holds::Some(set::PieceSet::of_bitmap(part.count, bitmap)),
        };
        self.set_holds(at, file, holds);
    }

    /// An end has one piece more of a file. Nothing, before it said what it has.
    ///
    /// # Errors
    ///
    /// [`Refused::Piece`] past the file's last (MAP-76).
    pub fn handle_have_piece(&mut self, conn: Conn, file: File, piece: u32) -> Result<(), Refused> {
        let Some(at) = self.end(conn).filter(|_| !self.is_over) else { return Ok(()) };
        let Some(part) = &mut self.parts[file.index()] else { return Ok(()) };
        let end = &mut self.ends[at];
        match &mut end.holds[file.index()] {
            Holds::Unsaid => {}
            _ if piece >= part.count => return Err(Refused::Piece),
            Holds::Whole => {}
            Holds::Some(set) => {
                if set.insert(piece) {
                    part.count_one(piece);
                    end.is_dry = false;
                }
            }
        }
        Ok(())
    }

    /// A block of a piece (MAP-78); whether it was due. One that was cancelled since it was asked for is nothing (MAP-80).
    ///
    /// # Errors
    ///
    /// [`Refused::Block`] where it was not asked for, is out of order or of another length, [`Refused::Blocks`] for the
    /// [`BAD_BLOCKS_MAX`]th such.
    pub fn handle_block(
        &mut self,
        now: Moment,
        conn: Conn,
        file: File,
        piece: u32,
        offset: u32,
        bytes: &[u8],
    ) -> Result<bool, Refused> {
        let Some(at) = self.end(conn).filter(|_| !self.is_over) else { return Ok(false) };
        let Some(part) = &self.parts[file.index()] else { return Ok(false) };
        let length = part.length(piece);
        let hash = part.hashes.as_ref().and_then(|hashes| hashes.get(piece as usize)).copied();
        let request = self.requests.position(conn, file, piece).filter(|request| {
            let came = self.requests.under_way[*request].bytes.len() as u32;
            offset == came && bytes.len() as u32 == BLOCK_BYTES.min(length - came)
        });
        let (Some(request), Some(hash)) = (request, hash) else {
            return self.ends[at].drop_block(file, piece).map(|()| false);
        };
        self.heard = now;
        if self.requests.append(now, request, bytes) as u32 == length {
            let end = &mut self.ends[at];
            (end.requests, end.late) = (end.requests - 1, 0);
            let bytes = self.requests.hand_over(request, end.address);
            self.wishes.push_back(Wish::Job(Job::Take { file, piece, bytes, hash }));
            self.cancel_while(|one| one.file == file && one.piece == piece);
        }
        Ok(true)
    }

    /// What there is of a file's part file: a bit a piece.
    pub fn resumed(&mut self, now: Moment, file: File, pieces: Result<Vec<u8>, Fault>) {
        let part = self.parts[file.index()].as_mut().filter(|part| part.stage == Stage::Checking);
        let Some(part) = part.filter(|_| !self.is_over) else { return };
        match pieces {
            Ok(bitmap) => {
                let (pieces, bytes) = part.open(&bitmap);
                self.missing -= pieces;
                self.had += bytes;
                (self.heard, self.grew) = (now, now);
                self.wishes.push_back(Wish::Have(file));
                self.wake_all();
                self.end_if_all_had();
            }
            Err(fault) => self.fail(fault),
        }
    }

    /// What became of a piece that [`Job::Take`] gave to the disk, and its buffer. One that cannot be written ends the download.
    pub fn took(&mut self, now: Moment, file: File, piece: u32, bytes: Vec<u8>, outcome: Taken) {
        if self.is_over {
            return;
        }
        let Some(from) = self.requests.take_back(file, piece, bytes) else { return };
        let Some(part) = &mut self.parts[file.index()] else { return };
        self.heard = now;
        match outcome {
            Taken::Good => {
                self.had += u64::from(part.take(piece));
                self.missing -= 1;
                self.grew = now;
                self.ends.iter_mut().filter(|end| end.address == from).for_each(|end| end.gave = true);
                self.shunned.had(file, piece);
                self.wishes.push_back(Wish::Had(file, piece));
                if self.missing <= ENDGAME_PIECES {
                    self.wake_all();
                }
                self.end_if_all_had();
            }
            Taken::Wrong => {
                self.blame(from);
                self.want(file, piece);
            }
            Taken::Failed(fault) => self.fail(fault),
        }
    }

    /// What is due by now.
    pub fn poll(&mut self, now: Moment) {
        if self.is_over {
            return;
        }
        let since = now.since(self.began);
        self.asked = asked_after(since);
        if self.lacks_hashes() && since >= HASHES_WITHIN {
            return self.fail(Fault::NoHashes);
        }
        while let Some((at, _)) = self.list_ends_at().filter(|(_, due)| *due <= now) {
            // It was too slow; what of it is on its way is nothing.
            (self.ends[at].tells, self.ends[at].list) = (false, None);
        }
        self.free_the_late(now);
        if self.nothing_at().is_some_and(|due| due <= now) {
            self.fail(Fault::Nothing);
        }
    }

    /// When [`Self::poll`] has something to do.
    pub fn next_due(&self) -> Option<Moment> {
        if self.is_over {
            return None;
        }
        let hashes = self.lacks_hashes().then(|| self.began.plus(changes_after(self.asked)));
        let list = self.list_ends_at().map(|(_, due)| due);
        [hashes, list, self.nothing_at(), self.late_at()].into_iter().flatten().min()
    }

    /// What is wanted next; none when nothing is.
    pub fn next_wish(&mut self, now: Moment) -> Option<Wish> {
        if let Some(wish) = self.wishes.pop_front() {
            return Some(wish);
        }
        if self.is_over {
            return None;
        }
        self.ask_for_hashes(now).or_else(|| self.ask_for_piece(now))
    }

    /// It is over: what ends are asked for is cancelled, nothing else is wanted any more.
    pub fn stop(&mut self) {
        if !self.is_over {
            self.cancel_while(|_| true);
            self.requests.drop_buffers();
            self.is_over = true;
        }
    }

    /// Whether a piece is had.
    pub fn has(&self, file: File, piece: u32) -> bool {
        self.parts[file.index()].as_ref().is_some_and(|part| part.has(piece))
    }

    /// The pieces that are had, a bit each, least significant first; none before its part file was looked at.
    pub fn bitmap(&self, file: File) -> Option<&[u8]> {
        let part = self.parts[file.index()].as_ref().filter(|part| part.stage == Stage::Open)?;
        Some(&part.had)
    }

    /// Every piece's hash of a file, once they are known.
    pub fn hashes(&self, file: File) -> Option<&Arc<[PieceHash]>> {
        self.parts[file.index()].as_ref()?.hashes.as_ref()
    }

    /// A file of it, as it was offered.
    pub fn offered(&self, file: File) -> Option<&Offered> {
        Some(&self.parts[file.index()].as_ref()?.offered)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let is_checking = self.parts.iter().flatten().any(|part| part.stage == Stage::Checking);
        Progress { had: self.had, is_checking }
    }

    fn end(&self, conn: Conn) -> Option<usize> {
        self.ends.iter().position(|end| end.conn == conn)
    }

    /// When it fails for want of others (MAP-60); none where the next step is the disk's: a part file is being checked, or nothing is
    /// asked for until pieces are written.
    fn nothing_at(&self) -> Option<Moment> {
        let at_disk = self.requests.at_disk();
        let is_theirs =
            at_disk < AT_DISK_MAX && self.missing as usize > at_disk && !self.progress().is_checking;
        is_theirs.then(|| self.heard.plus(NOTHING_WITHIN).min(self.grew.plus(PIECE_WITHIN)))
    }

    /// What an end has of a file changes. It is asked for nothing more of what it has not.
    fn set_holds(&mut self, at: usize, file: File, holds: Holds) {
        let Some(part) = &mut self.parts[file.index()] else { return };
        let end = &mut self.ends[at];
        let old = core::mem::replace(&mut end.holds[file.index()], holds);
        let new = &end.holds[file.index()];
        part.discount(&old);
        part.count(new);
        if !new.is_any() {
            end.list.take_if(|list| list.file == file);
        }
        end.is_dry &= !new.is_any();
        if old.is_any() {
            let conn = end.conn;
            while let Some(request) = self.requests.under_way.iter().position(|one| {
                one.conn == conn && one.file == file && !self.ends[at].holds[file.index()].contains(one.piece)
            }) {
                self.cancel(request);
            }
            // What others were too slow for is theirs again where this end alone was quicker.
            self.wake_all();
        }
    }

    fn end_if_all_had(&mut self) {
        if self.missing == 0 {
            self.stop();
            self.wishes.push_back(Wish::AllHad);
        }
    }

    fn fail(&mut self, fault: Fault) {
        self.stop();
        self.wishes.push_back(Wish::Failed(fault));
    }
}
