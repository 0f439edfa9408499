//! How the hashes of a file's pieces come from one end, and of whom they are asked when. Knows no socket.
//!
//! An end is asked for one file's at a time, once. Several are asked at once, since nothing tells who is honest before a whole list is
//! there. A list takes 32 bytes a piece and grows by what came; together they may come to [`LISTS_BYTES_MAX`] and the host's. So all
//! ends are asked at once for files of up to 350 MB, and two for the largest, which then have [`LIST_WITHIN`] each.

use alloc::sync::Arc;
use alloc::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;

use super::Download;
use super::part::Stage;
use super::wish::{Conn, Rank, Refused, Wish};
use crate::hash::{PieceHash, of_pieces};
use crate::job::Job;

/// Microseconds without them after which hashes are asked of ends that the host named, too (MAP-29).
pub const NAMED_AFTER: u64 = 10 * Moment::SECOND;
/// Microseconds without them after which they are asked of ends that connected of themselves, too (MAP-29).
pub const INCOMING_AFTER: u64 = 30 * Moment::SECOND;
/// Microseconds within which all files' are there (MAP-29).
pub const HASHES_WITHIN: u64 = 60 * Moment::SECOND;

/// Bytes that lists of ends but the host's may take together: two of the largest files'.
pub const LISTS_BYTES_MAX: usize = 1 << 20;
/// Microseconds after which an end but the host, whose list is not there, makes way for one that waits to be asked.
pub const LIST_WITHIN: u64 = 10 * Moment::SECOND;

/// Who is asked for hashes so long after a download began.
pub(super) fn asked_after(micros: u64) -> Rank {
    match micros {
        INCOMING_AFTER.. => Rank::Incoming,
        NAMED_AFTER.. => Rank::Named,
        _ => Rank::Host,
    }
}

/// How long after a download began others are asked, or it fails.
pub(super) const fn changes_after(asked: Rank) -> u64 {
    match asked {
        Rank::Host => NAMED_AFTER,
        Rank::Named => INCOMING_AFTER,
        Rank::Incoming => HASHES_WITHIN,
    }
}

/// Hashes that an end is asked for, as far as they came.
#[derive(Debug)]
pub(super) struct List {
    pub(super) file: File,
    asked: Moment,
    hashes: Vec<PieceHash>,
}

impl List {
    pub(super) const fn new(now: Moment, file: File) -> Self {
        Self { file, asked: now, hashes: Vec::new() }
    }

    /// More of them came, of a file of so many pieces: all of them, if these were the last.
    ///
    /// # Errors
    ///
    /// [`Refused::Hashes`] for none, and for others than those that are due.
    pub(super) fn take(
        &mut self,
        count: u32,
        first: u32,
        hashes: &[PieceHash],
    ) -> Result<Option<Vec<PieceHash>>, Refused> {
        let had = self.hashes.len();
        let is_due = first as usize == had && !hashes.is_empty() && had + hashes.len() <= count as usize;
        if !is_due {
            return Err(Refused::Hashes);
        }
        self.hashes.reserve_exact(hashes.len());
        self.hashes.extend_from_slice(hashes);
        let is_all = self.hashes.len() == count as usize;
        Ok(is_all.then(|| core::mem::take(&mut self.hashes)))
    }
}

impl Download {
    /// Hashes of a file's pieces (MAP-79). Those that were not asked for, or are there already, are nothing.
    ///
    /// # Errors
    ///
    /// [`Refused::Hashes`] where they are none or not those that are due, [`Refused::HashList`] where all are there and are not the
    /// file's. The end is asked for no hashes any more.
    pub fn handle_hashes(
        &mut self,
        now: Moment,
        conn: Conn,
        file: File,
        first: u32,
        hashes: &[PieceHash],
    ) -> Result<(), Refused> {
        let Some(at) = self.end(conn).filter(|_| !self.is_over) else { return Ok(()) };
        let Some(part) = &mut self.parts[file.index()] else { return Ok(()) };
        let end = &mut self.ends[at];
        let address = end.address;
        let Some(list) = end.list.as_mut().filter(|list| list.file == file) else { return Ok(()) };
        let all = match list.take(part.count, first, hashes) {
            Ok(None) => return Ok(()),
            Ok(Some(all)) if of_pieces(part.offered.size.into(), &all) == part.offered.hash => Ok(all),
            Ok(Some(_)) => Err(Refused::HashList),
            Err(refused) => Err(refused),
        };
        match all {
            Ok(all) => {
                let hashes: Arc<[PieceHash]> = all.into();
                part.hashes = Some(hashes.clone());
                part.stage = Stage::Checking;
                self.heard = now;
                for end in &mut self.ends {
                    end.list.take_if(|list| list.file == file);
                }
                self.wishes.push_back(Wish::Job(Job::Resume { file, hashes }));
                Ok(())
            }
            Err(refused) => {
                self.told_wrong.insert(address);
                for end in self.ends.iter_mut().filter(|end| end.address == address) {
                    (end.tells, end.list) = (false, None);
                }
                Err(refused)
            }
        }
    }

    /// Whether a file's hashes are not there yet.
    pub(super) fn lacks_hashes(&self) -> bool {
        self.parts.iter().flatten().any(|part| part.stage == Stage::Hashes)
    }

    /// The next end that is to be asked for a file's hashes (MAP-29).
    pub(super) fn ask_for_hashes(&mut self, now: Moment) -> Option<Wish> {
        let (at, file) = self.tellers().find(|(at, file)| self.has_room_for(*at, *file))?;
        let end = &mut self.ends[at];
        end.list = Some(List::new(now, file));
        Some(Wish::HashesRequest(end.conn, file, 0))
    }

    /// The list that makes way for another end's, and when.
    pub(super) fn list_ends_at(&self) -> Option<(usize, Moment)> {
        if self.tellers().all(|(at, file)| self.has_room_for(at, file)) {
            return None;
        }
        let others = self.ends.iter().enumerate().filter(|(_, end)| end.rank != Rank::Host);
        let lists = others.filter_map(|(at, end)| Some((at, end.list.as_ref()?.asked.plus(LIST_WITHIN))));
        lists.min_by_key(|list| list.1)
    }

    /// Ends that may be asked for a file's hashes, of those that have some of it.
    fn tellers(&self) -> impl Iterator<Item = (usize, File)> {
        let ends = self.ends.iter().enumerate();
        let may = ends.filter(|(_, end)| end.tells && end.list.is_none() && end.rank <= self.asked);
        may.filter_map(|(at, end)| {
            let lacking = self.parts.iter().flatten().filter(|part| part.stage == Stage::Hashes);
            let file = lacking.map(|part| part.offered.file).find(|file| end.holds[file.index()].is_any())?;
            Some((at, file))
        })
    }

    /// Whether a list of that file may come of that end, beside those that come. The host's always may.
    fn has_room_for(&self, at: usize, file: File) -> bool {
        let bytes = |file: File| self.parts[file.index()].as_ref().map_or(0, |part| part.count as usize * 32);
        let others = self.ends.iter().filter(|end| end.rank != Rank::Host);
        let come: usize = others.filter_map(|end| Some(bytes(end.list.as_ref()?.file))).sum();
        self.ends[at].rank == Rank::Host || come + bytes(file) <= LISTS_BYTES_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MAP-29: the host first; those that it named from 10 s on; those that connected from 30 s on.
    #[test]
    fn more_are_asked_as_time_goes() {
        for (micros, rank) in [
            (0, Rank::Host),
            (NAMED_AFTER - 1, Rank::Host),
            (NAMED_AFTER, Rank::Named),
            (INCOMING_AFTER - 1, Rank::Named),
            (INCOMING_AFTER, Rank::Incoming),
        ] {
            assert_eq!(asked_after(micros), rank, "{micros}");
            assert!(changes_after(rank) > micros);
        }
    }

    /// MAP-79: 1025 hashes come in three frames; none, a gap, an overlap and one too many are refused, and change nothing.
    #[test]
    fn frames_follow_each_other() {
        let hashes = [[7; 32]; 512];
        let mut list = List::new(Moment::START, File::Map);
        assert_eq!(list.take(1025, 0, &[]), Err(Refused::Hashes));
        assert_eq!(list.take(1025, 1, &hashes), Err(Refused::Hashes));
        assert_eq!(list.take(1025, 0, &hashes), Ok(None));
        assert_eq!(list.take(1025, 511, &hashes), Err(Refused::Hashes));
        assert_eq!(list.take(1025, 513, &hashes), Err(Refused::Hashes));
        assert_eq!(list.take(1025, 512, &hashes), Ok(None));
        assert_eq!(list.take(1025, 1024, &hashes[..2]), Err(Refused::Hashes));
        let all = list.take(1025, 1024, &[[9; 32]]).unwrap().unwrap();
        assert_eq!((all.len(), all[1023], all[1024]), (1025, [7; 32], [9; 32]));
    }
}
