//! A download's part files: which names they take, what of them is good already, pieces written to their places, and what stays
//! when it stops. Knows no peer; how they become maps stands in `placing.rs`.

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::io::{self, ErrorKind};

use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES, pieces};

use super::folder::{Folder, Handle};
use super::hashing::{Span, hash_pieces, place};
use super::look::Desk;
use super::placing::Placing;
use super::shelf::Book;
use super::{Loader, note, std};
use crate::hash::{self, PieceHash};
use crate::job::{Done, Taken};
use crate::names;
use crate::order::{Fault, Offered};

/// What is said, and what the shelf has once it was taken.
#[derive(Debug, Default)]
pub(super) struct Out {
    pub(super) done: Option<Done>,
    pub(super) change: Option<(File, Option<Book>)>,
}

impl From<Done> for Out {
    fn from(done: Done) -> Self {
        Self { done: Some(done), change: None }
    }
}

/// A download under way.
#[derive(Debug)]
pub(super) struct Download {
    pub(super) level: String,
    /// The map's name.
    pub(super) name: String,
    /// The resource maps first: the map is put in its place once all that it needs is in its own.
    pub(super) parts: Vec<Part>,
    /// Whose part files are to be checked yet, in order.
    pub(super) checks: VecDeque<File>,
    pub(super) placing: Option<Placing>,
}

/// One of its files.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) offered: Offered,
    /// Its part file.
    pub(super) name: String,
    pub(super) handle: Option<Arc<dyn Handle>>,
    pub(super) hashes: Arc<[PieceHash]>,
    /// What was found of it, while it is checked.
    found: Vec<Option<PieceHash>>,
    /// A bit for each piece that is written and right; none before it was checked.
    had: Option<Vec<u8>>,
}

/// A piece to be taken.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) file: File,
    pub(super) piece: u32,
    pub(super) bytes: Vec<u8>,
    pub(super) hash: PieceHash,
}

pub(super) fn unwritten(name: &str, error: &io::Error) -> Fault {
    Fault::Disk(format!("{name} cannot be written: {error}"))
}

/// The answer to what is asked of no download.
pub(super) fn none() -> Fault {
    Fault::Disk("no download is under way".to_string())
}

impl Download {
    /// Takes names for a download's files, and deletes what an earlier one left of another map's (MAP-52).
    pub(super) fn begin<F: Folder, L: Loader>(
        desk: &mut Desk<F, L>,
        level: String,
        offers: &[Offered],
    ) -> Result<Self, Fault> {
        let name = names::of_level(&level).filter(|name| names::check(name).is_ok()).ok_or(Fault::Name)?;
        let name = name.to_string();
        let mut files = FileSet::NONE;
        for Offered { file, size, .. } in offers {
            let most = desk.loader.most(*file);
            if *size == 0 || u64::from(*size) > most {
                return Err(Fault::Unplayable(format!(
                    "a file of it has {size} bytes, the game takes {most}"
                )));
            }
            if files.contains(*file) {
                return Err(Fault::Unplayable("a file of it is offered twice".to_string()));
            }
            files = files.with(*file);
        }
        if files.is_empty() {
            return Err(Fault::Unplayable("no file of it is offered".to_string()));
        }
        let there =
            desk.folder.list().map_err(|error| Fault::Disk(format!("the folder of maps: {error}")))?;
        let noted = note::read(&mut desk.folder).map_err(|error| unwritten(note::NOTE, &error))?;
        let mut parts = Vec::with_capacity(offers.len());
        for offered in offers {
            let name = part_name(&there, &noted, &name, offered)?;
            parts.push(Part {
                offered: *offered,
                name,
                handle: None,
                hashes: Arc::new([]),
                found: Vec::new(),
                had: None,
            });
        }
        parts.sort_by_key(|part| part.offered.file == File::Map);
        sweep(desk, &there, &noted, &parts).map_err(|error| {
            // A list that got no name is none.
            let _ = note::tidy(&mut desk.folder);
            unwritten(note::NOTE, &error)
        })?;
        let mut this = Self { level, name, parts, checks: VecDeque::new(), placing: None };
        // They are made at once, so that a disk that cannot be written is known before a byte is asked for.
        match this.parts.iter_mut().try_for_each(|part| part.open(desk)) {
            Ok(()) => Ok(this),
            Err(fault) => {
                this.abandon(desk, &mut VecDeque::new());
                Err(fault)
            }
        }
    }

    /// Whether it brings that file.
    pub(super) fn brings(&self, file: File) -> bool {
        self.parts.iter().any(|part| part.offered.file == file)
    }

    pub(super) fn part(&mut self, file: File) -> Option<&mut Part> {
        self.parts.iter_mut().find(|part| part.offered.file == file)
    }

    /// Begins to check a file's part file.
    pub(super) fn resume(&mut self, file: File, hashes: Arc<[PieceHash]>) -> Result<(), Fault> {
        let Some(part) = self.part(file) else { return Err(none()) };
        let Offered { size, hash, .. } = part.offered;
        if hashes.len() != pieces(size) as usize || hash::of_pieces(size.into(), &hashes) != hash {
            return Err(Fault::Unplayable("its pieces' hashes are not its own".to_string()));
        }
        part.hashes = hashes;
        part.found.clear();
        part.had = None;
        self.checks.retain(|other| *other != file);
        self.checks.push_back(file);
        Ok(())
    }

    /// Goes on with a check for a slice; says what came of it, once it is done.
    pub(super) fn advance<F: Folder, L: Loader>(&mut self, desk: &mut Desk<F, L>) -> Option<Out> {
        let file = *self.checks.front()?;
        let Some(part) = self.part(file) else {
            self.checks.pop_front();
            return None;
        };
        let checked = part.check(desk).transpose()?;
        self.checks.pop_front();
        let change = checked.is_ok().then_some((file, self.part(file)?.book()));
        Some(Out { done: Some(Done::Resumed { file, pieces: checked }), change })
    }

    /// Hashes pieces together, and writes those that are right.
    pub(super) fn take(&mut self, taken: &mut [Piece]) -> Vec<Taken> {
        let mut outcomes: Vec<Option<Taken>> = taken.iter().map(|piece| self.refuse(piece)).collect();
        let mut hashes = Vec::with_capacity(taken.len());
        let looked_at = taken.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_none());
        hash_pieces(looked_at.map(|(piece, _)| piece.bytes.as_slice()), &mut hashes);
        let mut hashes = hashes.into_iter();
        for (piece, outcome) in taken.iter().zip(&mut outcomes) {
            if outcome.is_none() {
                let is_right = hashes.next() == Some(piece.hash);
                *outcome = Some(if is_right { self.write(piece) } else { Taken::Wrong });
            }
        }
        outcomes.into_iter().map(|outcome| outcome.unwrap_or(Taken::Wrong)).collect()
    }

    /// What can be said of a piece without its hash.
    fn refuse(&mut self, piece: &Piece) -> Option<Taken> {
        let Some(part) = self.part(piece.file).filter(|part| part.had.is_some()) else {
            return Some(Taken::Failed(none()));
        };
        let is_own = part.hashes.get(piece.piece as usize) == Some(&piece.hash);
        let (_, length) = place(part.offered.size, piece.piece);
        (!is_own || piece.bytes.len() != length).then_some(Taken::Wrong)
    }

    fn write(&mut self, piece: &Piece) -> Taken {
        let Some(part) = self.part(piece.file) else { return Taken::Failed(none()) };
        let (offset, _) = place(part.offered.size, piece.piece);
        match part.handle.as_ref().map(|handle| handle.write_at(offset, &piece.bytes)) {
            Some(Ok(())) => {
                part.set(piece.piece);
                Taken::Good
            }
            Some(Err(error)) => Taken::Failed(unwritten(&part.name, &error)),
            None => Taken::Failed(none()),
        }
    }

    /// Ends without its files: a part file that holds none of its file is deleted (MAP-51). What was asked and not answered yet
    /// is answered.
    pub(super) fn abandon<F: Folder, L: Loader>(mut self, desk: &mut Desk<F, L>, outs: &mut VecDeque<Out>) {
        let stopped = || Fault::Disk("the download is stopped".to_string());
        for file in core::mem::take(&mut self.checks) {
            outs.push_back(Done::Resumed { file, pieces: Err(stopped()) }.into());
        }
        if let Some(placing) = self.placing.take() {
            placing.undo(desk);
            outs.push_back(Done::Finished(Err(stopped())).into());
        }
        for part in &mut self.parts {
            let is_empty = match (&part.had, &part.handle) {
                (Some(had), _) => had.iter().all(|bits| *bits == 0),
                (None, Some(handle)) => handle.stat().is_ok_and(|stat| stat.length == 0),
                (None, None) => false,
            };
            if let Some(handle) = part.handle.take() {
                handle.release();
            }
            outs.push_back(Out { done: None, change: Some((part.offered.file, None)) });
            if is_empty {
                // One that cannot be is swept by the next download.
                let _ = desk.folder.remove(&part.name);
            }
        }
        // What stays names what is not there.
        let _ = note::tidy(&mut desk.folder);
    }

    /// Ends, and nothing of it stays.
    pub(super) fn discard<F: Folder, L: Loader>(mut self, desk: &mut Desk<F, L>, outs: &mut VecDeque<Out>) {
        for part in &mut self.parts {
            if let Some(handle) = part.handle.take() {
                handle.release();
            }
            outs.push_back(Out { done: None, change: Some((part.offered.file, None)) });
            if let Err(error) = desk.folder.remove(&part.name) {
                desk.words.push(format!("{} cannot be deleted: {error}.", part.name));
            }
        }
        // What stays names what is not there.
        let _ = note::tidy(&mut desk.folder);
    }
}

impl Part {
    fn open<F: Folder, L: Loader>(&mut self, desk: &mut Desk<F, L>) -> Result<(), Fault> {
        let handle = desk.folder.draft(&self.name).map_err(|error| match error.kind() {
            ErrorKind::ResourceBusy | ErrorKind::Other => {
                Fault::Place(format!("{} is in the way: {error}", self.name))
            }
            _ => unwritten(&self.name, &error),
        })?;
        self.handle = Some(handle);
        Ok(())
    }

    /// Whether each of its pieces is written and right.
    pub(super) fn is_whole(&self) -> bool {
        let count = pieces(self.offered.size);
        self.had.as_ref().is_some_and(|had| had.iter().map(|bits| bits.count_ones()).sum::<u32>() == count)
    }

    fn set(&mut self, piece: u32) {
        if let Some(bits) = self.had.as_mut().and_then(|had| had.get_mut(piece as usize / 8)) {
            *bits |= 1 << (piece % 8);
        }
    }

    /// As it is read while it comes.
    fn book(&self) -> Option<Book> {
        let handle = Arc::clone(self.handle.as_ref()?);
        Some(Book { handle, stat: None, size: self.offered.size })
    }

    /// Checks a slice; the bits of what is good, once all was looked at. What cannot be read is not there.
    fn check<F: Folder, L: Loader>(&mut self, desk: &mut Desk<F, L>) -> Result<Option<Vec<u8>>, Fault> {
        let Some(handle) = &self.handle else { return Err(none()) };
        let size = self.offered.size;
        let length = handle.stat().map_err(|error| unwritten(&self.name, &error))?.length;
        let there =
            if length >= size.into() { pieces(size) } else { (length / u64::from(PIECE_BYTES)) as u32 };
        let first = self.found.len() as u32;
        if first < there {
            let count = desk.engine.slice(there - first);
            if let Some(error) = desk.engine.hash(&**handle, Span { size, first, count }, &mut self.found) {
                desk.words.push(format!("{} cannot be read in places: {error}.", self.name));
            }
            if first + count < there {
                return Ok(None);
            }
        }
        let mut had = alloc::vec![0_u8; pieces(size).div_ceil(8) as usize];
        let mut end = 0;
        for (piece, (found, hash)) in self.found.iter().zip(self.hashes.iter()).enumerate() {
            if found.as_ref() == Some(hash) {
                had[piece / 8] |= 1 << (piece % 8);
                let (offset, length) = place(size, piece as u32);
                end = offset + length as u64;
            }
        }
        self.found = Vec::new();
        // What stands behind the last good piece is another version's, or was never written.
        if length > end {
            handle.cut(end).map_err(|error| unwritten(&self.name, &error))?;
        }
        self.had = Some(had.clone());
        Ok(Some(had))
    }
}

/// Whether anything has that name, in whatever case.
pub(super) fn is_taken(there: &[String], name: &str) -> bool {
    there.iter().any(|other| names::alike(other, name))
}

/// The part file of a file that is offered: one that an earlier download left, or one whose name and whose file's are free.
fn part_name(there: &[String], noted: &[String], name: &str, offered: &Offered) -> Result<String, Fault> {
    let is_own = |part: &String| noted.contains(part) && there.contains(part);
    let is_free = |part: &String| is_own(part) || !is_taken(there, part);
    if let Some(file) = names::resource(offered.file) {
        let part = names::part(file);
        if is_taken(there, file) || !is_free(&part) {
            return Err(Fault::Place(format!("there is another {file}")));
        }
        return Ok(part);
    }
    let [plain, hashed] = [names::plain(name), names::suffixed(name, &offered.hash)];
    let hashed_part = names::part(&hashed);
    // Beside its file a part file is no download: it may be the file's second name, left by a renaming that was cut short.
    if is_own(&hashed_part) && !is_taken(there, &hashed) {
        return Ok(hashed_part);
    }
    let mut files =
        [&plain, &hashed].into_iter().filter(|file| !is_taken(there, file)).map(|file| names::part(file));
    files.find(is_free).ok_or_else(|| Fault::Place(format!("there are another {plain} and another {hashed}")))
}

/// Deletes the part files of earlier downloads but those that are taken up, and notes the new ones.
fn sweep<F: Folder, L: Loader>(
    desk: &mut Desk<F, L>,
    there: &[String],
    noted: &[String],
    parts: &[Part],
) -> io::Result<()> {
    let is_wanted = |name: &String| parts.iter().any(|part| part.name == *name);
    for name in noted.iter().filter(|name| there.contains(name) && !is_wanted(name)) {
        if let Err(error) = desk.folder.sweep(name) {
            desk.words.push(format!("{name} cannot be deleted: {error}."));
        }
    }
    note::tidy(&mut desk.folder)?;
    let known = note::read(&mut desk.folder)?;
    let new = parts.iter().map(|part| part.name.clone()).filter(|name| !known.contains(name));
    let new: Vec<String> = new.collect();
    if new.is_empty() { Ok(()) } else { note::add(&mut desk.folder, &new) }
}
