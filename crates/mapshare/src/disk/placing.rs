//! A download that has every piece: whether its map can be played, and its files put in their places. Knows no piece.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;
use std::io::ErrorKind;

use mjolnir_wire::mapshare::{File, FileSet};

use super::download::{Download, Out, is_taken, none, unwritten};
use super::folder::Folder;
use super::hashing::Whole;
use super::look::Desk;
use super::shelf::Book;
use super::{AGAIN, Loader, PATIENCE, Unfit, note, std};
use crate::job::Done;
use crate::names;
use crate::order::{Fault, Found, Offered};

/// Files on their way to their places.
#[derive(Debug)]
pub(super) struct Placing {
    /// The map, but for its name where it is among them.
    found: Found,
    /// Those that are in their places, by the part's number: the part file's name and the file's.
    placed: Vec<(String, String)>,
    since: Duration,
    pub(super) next: Duration,
}

/// Why a download is not put in its place.
pub(super) enum Stop {
    /// It stays as it is: it can be tried again.
    Stays(Fault),
    /// It goes.
    Goes(Fault),
}

/// What came of an attempt.
pub(super) enum Attempt {
    /// Another is made at [`Placing::next`].
    Waits,
    /// All are in their places. What the shelf has of them, and the map.
    Done(Found, Vec<Out>),
    /// One cannot be put.
    Failed(Fault),
}

impl Placing {
    /// Looks whether the download is whole and can be played.
    pub(super) fn new<F: Folder, L: Loader>(
        now: Duration,
        desk: &mut Desk<F, L>,
        download: &Download,
        map: Option<&(String, Found)>,
    ) -> Result<Self, Stop> {
        for part in &download.parts {
            let Some(handle) = part.handle.as_ref().filter(|_| part.is_whole()) else {
                return Err(Stop::Stays(none()));
            };
            match handle.stat() {
                Ok(stat) if stat.length == u64::from(part.offered.size) => {}
                Ok(_) => {
                    let what = format!("{} was changed while it came", part.name);
                    return Err(Stop::Stays(Fault::Disk(what)));
                }
                Err(error) => return Err(Stop::Stays(unwritten(&part.name, &error))),
            }
        }
        let found = found(desk, download, map)?;
        let comes = download.parts.iter().fold(FileSet::NONE, |set, part| set.with(part.offered.file));
        let lacked = found.needs.without(comes).without(desk.resources());
        if let Some(file) = lacked.iter().find_map(names::resource) {
            return Err(Stop::Goes(Fault::Unplayable(format!("it needs {file}"))));
        }
        Ok(Self { found, placed: Vec::new(), since: now, next: now })
    }

    /// Tries to put what is left.
    pub(super) fn attempt<F: Folder, L: Loader>(
        &mut self,
        now: Duration,
        desk: &mut Desk<F, L>,
        download: &Download,
    ) -> Attempt {
        for part in download.parts.iter().skip(self.placed.len()) {
            if let Some(handle) = &part.handle {
                handle.release();
            }
            match put(desk, &download.name, &part.offered, &part.name) {
                Ok(name) => self.placed.push((part.name.clone(), name)),
                Err((fault, false)) => return Attempt::Failed(fault),
                Err((fault, true)) if now.saturating_sub(self.since) >= PATIENCE => {
                    return Attempt::Failed(fault);
                }
                Err(_) => {
                    self.next = now + AGAIN;
                    return Attempt::Waits;
                }
            }
        }
        let mut outs = Vec::new();
        for (part, (_, name)) in download.parts.iter().zip(&self.placed) {
            let Offered { file, size, hash } = part.offered;
            if file == File::Map {
                self.found.name.clone_from(name);
            }
            // One that is gone again already is nothing that could be shared.
            let opened = desk.folder.open(name).and_then(|handle| Ok((handle.stat()?, handle))).ok();
            let opened = opened.filter(|(stat, _)| stat.length == u64::from(size));
            let change = opened.map(|(stat, handle)| {
                let pieces = Arc::clone(&part.hashes);
                let whole = Whole { handle, stat, size, hash, pieces };
                desk.known.insert(name, &whole);
                Book { handle: whole.handle, stat: Some(stat), size }
            });
            outs.push(Out { done: None, change: Some((file, change)) });
        }
        // What stays names what is not there.
        let _ = note::tidy(&mut desk.folder);
        Attempt::Done(self.found.clone(), outs)
    }

    /// What was put is taken from its place again, and is a part file as before.
    pub(super) fn undo<F: Folder, L: Loader>(self, desk: &mut Desk<F, L>) {
        for (part, name) in self.placed.iter().rev() {
            if desk.folder.rename(name, part).is_err()
                && let Err(error) = desk.folder.remove(name)
            {
                desk.words.push(format!("{name} cannot be deleted: {error}."));
            }
        }
    }
}

/// The map, as its loader finds it: what comes, or where resource maps alone come, what is there.
fn found<F: Folder, L: Loader>(
    desk: &mut Desk<F, L>,
    download: &Download,
    map: Option<&(String, Found)>,
) -> Result<Found, Stop> {
    let unplayable = |how: String| Stop::Goes(Fault::Unplayable(how));
    let Some(part) = download.parts.iter().find(|part| part.offered.file == File::Map) else {
        let found = map.filter(|(level, _)| *level == download.level).map(|(_, found)| found.clone());
        return found.ok_or_else(|| unplayable("its map is not there".to_string()));
    };
    let Offered { size, hash, .. } = part.offered;
    let Some(handle) = &part.handle else { return Err(Stop::Stays(none())) };
    match desk.check(&**handle, size) {
        Ok(Ok(needs)) => Ok(Found { name: String::new(), size, hash, needs }),
        Ok(Err(Unfit::OtherVersion)) => Err(unplayable("it is of another version of the game".to_string())),
        Ok(Err(Unfit::Broken(how))) => Err(unplayable(how)),
        Err(error) => Err(Stop::Stays(Fault::Disk(format!("{} cannot be read: {error}", part.name)))),
    }
}

/// Gives a part file its name: its own, or with its hash where that is taken (MAP-07). An error, and whether it may go by.
fn put<F: Folder, L: Loader>(
    desk: &mut Desk<F, L>,
    map: &str,
    offered: &Offered,
    part: &str,
) -> Result<String, (Fault, bool)> {
    let files: Vec<String> = match names::resource(offered.file) {
        Some(file) => alloc::vec![file.to_string()],
        None => alloc::vec![names::plain(map), names::suffixed(map, &offered.hash)],
    };
    let there = desk
        .folder
        .list()
        .map_err(|error| (Fault::Place(format!("the folder of maps cannot be read: {error}")), true))?;
    for file in files.iter().filter(|file| !is_taken(&there, file)) {
        match desk.folder.rename(part, file) {
            Ok(()) => return Ok(file.clone()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err((Fault::Place(format!("{part} cannot become {file}: {error}")), true)),
        }
    }
    Err((Fault::Place(format!("there is another {}", files.join(", and another "))), false))
}

/// The end of a download that is not put, or is: what is said of it.
pub(super) fn finished(result: Result<Found, Fault>) -> Out {
    Done::Finished(result).into()
}
