//! A level's map is looked for, or a resource map, and hashed if it was not yet; slice by slice. Knows no download.

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::boxed::Box;
use std::io::{self, ErrorKind};

use mjolnir_wire::mapshare::{File, FileSet, Refusal, SHARED_FILE_MAX};

use super::folder::{Folder, Handle};
use super::hashing::{Engine, Hashing, Whole};
use super::known::Known;
use super::shelf::Book;
use super::{Loader, Unfit, View, std};
use crate::job::Done;
use crate::names;
use crate::order::Found;

/// What a clerk works with.
#[derive(Debug)]
pub(super) struct Desk<F, L> {
    pub(super) folder: F,
    pub(super) loader: L,
    pub(super) engine: Engine,
    pub(super) known: Known,
    /// What is to be written down.
    pub(super) words: Vec<String>,
}

/// A file as the loader sees it.
struct Seen<'a> {
    handle: &'a dyn Handle,
    size: u64,
    error: Option<io::Error>,
}

impl View for Seen<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.handle.read_at(offset, into).inspect_err(|error| {
            // To read past the end is the loader's affair.
            if error.kind() != ErrorKind::UnexpectedEof {
                self.error = Some(io::Error::new(error.kind(), error.to_string()));
            }
        })
    }
}

impl<F: Folder, L: Loader> Desk<F, L> {
    /// What the loader says of a map; an error where the disk, not the map, was at fault.
    pub(super) fn check(&mut self, handle: &dyn Handle, size: u32) -> io::Result<Result<FileSet, Unfit>> {
        let mut seen = Seen { handle, size: size.into(), error: None };
        let said = self.loader.check(&mut seen);
        match (said, seen.error) {
            (Err(_), Some(error)) => Err(error),
            (said, _) => Ok(said),
        }
    }

    /// The resource maps that are there.
    pub(super) fn resources(&mut self) -> FileSet {
        let names = self.folder.list().unwrap_or_default();
        let mut length = |name: String| self.folder.open(&name)?.stat().map(|stat| stat.length);
        let there = File::ALL.into_iter().filter(|file| {
            resource_of(&names, *file).is_some_and(|name| length(name).is_ok_and(|length| length > 0))
        });
        there.fold(FileSet::NONE, FileSet::with)
    }
}

/// The file of a resource map as it is called here, whatever its case; none where there is none.
fn resource_of(names: &[String], file: File) -> Option<String> {
    let resource = names::resource(file)?;
    names.iter().find(|name| names::alike(name, resource)).cloned()
}

/// What is looked for.
#[derive(Debug)]
enum Wanted {
    /// The map of that level, of that name.
    Map {
        level: String,
        name: String,
        version: Option<u32>,
    },
    Resource(File),
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Look {
    ticket: u32,
    wanted: Wanted,
    /// The files that it may be, the likeliest first; none before they are listed.
    files: Option<VecDeque<String>>,
    /// The first of them, as it is hashed.
    hashing: Option<Hashing>,
}

/// What became of a search.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) done: Done,
    /// What the shelf has from then on.
    pub(super) change: (File, Option<Book>),
    /// The map that was found, and its level.
    pub(super) map: Option<(String, Found)>,
}

impl Look {
    /// For a level's map.
    pub(super) fn map(ticket: u32, level: String, version: Option<u32>) -> Self {
        let name = names::of_level(&level).unwrap_or_default().to_string();
        Self { ticket, wanted: Wanted::Map { level, name, version }, files: None, hashing: None }
    }

    /// For a resource map.
    pub(super) fn resource(ticket: u32, file: File) -> Self {
        Self { ticket, wanted: Wanted::Resource(file), files: None, hashing: None }
    }

    /// Goes on for a slice; the answer, once there is one.
    pub(super) fn advance<F: Folder, L: Loader>(&mut self, desk: &mut Desk<F, L>) -> Option<Answer> {
        if self.files.is_none() {
            match desk.folder.list() {
                Ok(names) => self.files = Some(self.candidates(names)),
                Err(error) => {
                    desk.words.push(format!("The folder of maps cannot be read: {error}."));
                    return Some(self.answer(desk, Err(Refusal::CannotBeRead)));
                }
            }
        }
        let Some(file) = self.files.as_ref().and_then(|files| files.front().cloned()) else {
            return Some(self.answer(desk, Ok(None)));
        };
        match self.hash(desk, &file) {
            Ok(None) => None,
            Ok(Some(whole)) if self.is_wanted(&file, &whole) => Some(self.found(desk, file, *whole)),
            Ok(Some(_)) => self.next(),
            Err(refusal) if self.needs_this() => Some(self.answer(desk, Err(refusal))),
            Err(_) => self.next(),
        }
    }

    fn next(&mut self) -> Option<Answer> {
        self.hashing = None;
        self.files.as_mut().and_then(VecDeque::pop_front);
        None
    }

    fn candidates(&self, mut names: Vec<String>) -> VecDeque<String> {
        names.sort_unstable();
        let (name, version) = match &self.wanted {
            Wanted::Resource(file) => return resource_of(&names, *file).into_iter().collect(),
            Wanted::Map { name, version, .. } => (name, version),
        };
        if name.is_empty() {
            return VecDeque::new();
        }
        let is_exact = |file: &String| names::read(file).is_some_and(|file| file.stem == name);
        let is_plain = |file: &&String| names::read(file).is_some_and(|file| names::alike(file.stem, name));
        // A level that is called as the file of its version is (a host may name it so) is that of the map's name alone too.
        let own = names::plain(name);
        let own = names::read(&own).and_then(|file| file.hashed);
        let own = own.filter(|(_, of)| Some(*of) == *version).map(|(name, _)| name);
        let is_own = |file: &&String| {
            own.is_some_and(|name| names::read(file).is_some_and(|file| names::alike(file.stem, name)))
        };
        // A name that is the same but for case is found where the very name is not there.
        let mut plain: Vec<&String> = names.iter().filter(is_plain).collect();
        plain.sort_by_key(|file| !is_exact(file));
        let hashed = |wanted: Option<u32>| {
            names.iter().filter(move |file| {
                let hashed = names::read(file).and_then(|file| file.hashed);
                hashed.is_some_and(|(stem, version)| {
                    names::alike(stem, name) && wanted.is_none_or(|wanted| wanted == version)
                })
            })
        };
        let mut files: Vec<&String> = match version {
            None if !plain.is_empty() => plain.into_iter().take(1).collect(),
            None => hashed(None).collect(),
            Some(version) => {
                let rest = hashed(None).filter(|file| !hashed(Some(*version)).any(|first| first == *file));
                hashed(Some(*version)).chain(plain).chain(names.iter().filter(is_own)).chain(rest).collect()
            }
        };
        // A name of eight digits is alone and with a hash: one file is looked at once.
        let mut seen = Vec::new();
        files.retain(|file| {
            !seen.contains(file) && {
                seen.push(*file);
                true
            }
        });
        files.into_iter().cloned().collect()
    }

    /// The file's hash, once it has one.
    fn hash<F: Folder, L: Loader>(
        &mut self,
        desk: &mut Desk<F, L>,
        file: &str,
    ) -> Result<Option<Box<Whole>>, Refusal> {
        let hashed = match &mut self.hashing {
            Some(hashing) => hashing.advance(&mut desk.engine),
            None => match self.open(desk, file) {
                Ok(Ok(whole)) => return Ok(whole),
                Ok(Err(refusal)) => return Err(refusal),
                Err(error) => Err(error),
            },
        };
        match hashed {
            Ok(Some(whole)) => {
                desk.known.insert(file, &whole);
                Ok(Some(whole))
            }
            Ok(None) => Ok(None),
            Err(error) => {
                desk.words.push(format!("{file} cannot be read: {error}."));
                Err(Refusal::CannotBeRead)
            }
        }
    }

    /// Begins with a file, unless its hash is known or it can have none.
    fn open<F: Folder, L: Loader>(
        &mut self,
        desk: &mut Desk<F, L>,
        file: &str,
    ) -> io::Result<Result<Option<Box<Whole>>, Refusal>> {
        let handle = desk.folder.open(file)?;
        let stat = handle.stat()?;
        if stat.length > SHARED_FILE_MAX {
            return Ok(Err(Refusal::TooLarge));
        }
        if stat.length == 0 {
            return Err(io::Error::other("it is empty"));
        }
        if let Some(known) = desk.known.find(file, stat) {
            let size = stat.length as u32;
            return Ok(Ok(Some(Box::new(Whole {
                handle,
                stat,
                size,
                hash: known.hash,
                pieces: known.pieces,
            }))));
        }
        self.hashing = Some(Hashing::new(handle, stat));
        Ok(Ok(None))
    }

    /// Whether no other file would do.
    fn needs_this(&self) -> bool {
        match &self.wanted {
            Wanted::Resource(_) => true,
            Wanted::Map { version, .. } => version.is_none(),
        }
    }

    fn is_wanted(&self, file: &str, whole: &Whole) -> bool {
        match &self.wanted {
            Wanted::Resource(_) => true,
            Wanted::Map { version: Some(version), .. } => whole.hash.version() == *version,
            Wanted::Map { name, version: None, .. } => names::read(file).is_some_and(|file| {
                // A file that only looks as if it were named for its hash is another map's.
                names::alike(file.stem, name)
                    || file.hashed.is_some_and(|(_, version)| version == whole.hash.version())
            }),
        }
    }

    fn found<F: Folder, L: Loader>(&mut self, desk: &mut Desk<F, L>, file: String, whole: Whole) -> Answer {
        let (wanted, is_the_games) = match &self.wanted {
            Wanted::Resource(_) => return self.answer(desk, Ok(Some((file, whole, FileSet::NONE)))),
            Wanted::Map { name, version, .. } => (name.clone(), version.is_some()),
        };
        let said = match desk.check(&*whole.handle, whole.size) {
            Ok(said) => said,
            Err(error) => {
                desk.words.push(format!("{file} cannot be read: {error}."));
                return self.answer(desk, Err(Refusal::CannotBeRead));
            }
        };
        match said {
            Ok(needs) => {
                let file = give_name_back(desk, file, &wanted, &whole);
                self.answer(desk, Ok(Some((file, whole, needs))))
            }
            Err(Unfit::OtherVersion) => self.answer(desk, Err(Refusal::NotTheGamesVersion)),
            Err(Unfit::Broken(how)) => {
                desk.words.push(format!("{file} cannot be played: {how}."));
                // What the game plays elsewhere and this loader does not take is another game's: no download gets better bytes.
                let why = if is_the_games { Refusal::NotTheGamesVersion } else { Refusal::CannotBeRead };
                self.answer(desk, Err(why))
            }
        }
    }

    fn answer<F: Folder, L: Loader>(
        &mut self,
        desk: &mut Desk<F, L>,
        found: Result<Option<(String, Whole, FileSet)>, Refusal>,
    ) -> Answer {
        let book = |whole: &Whole| Book {
            handle: alloc::sync::Arc::clone(&whole.handle),
            stat: Some(whole.stat),
            size: whole.size,
        };
        let change = found.as_ref().ok().and_then(Option::as_ref).map(|(_, whole, _)| book(whole));
        let ticket = self.ticket;
        match &self.wanted {
            Wanted::Resource(file) => {
                let answer = found.and_then(|found| {
                    found
                        .map(|(_, whole, _)| (whole.size, whole.hash, whole.pieces))
                        .ok_or(Refusal::CannotBeRead)
                });
                Answer {
                    done: Done::Hashed { ticket, file: *file, answer },
                    change: (*file, change),
                    map: None,
                }
            }
            Wanted::Map { level, .. } => {
                let found = found.map(|found| {
                    found.map(|(name, Whole { size, hash, pieces, .. }, needs)| {
                        (Found { name, size, hash, needs }, pieces)
                    })
                });
                let map = found.as_ref().ok().and_then(Option::as_ref);
                let map = map.map(|(found, _)| (level.clone(), found.clone()));
                let resources = desk.resources();
                Answer {
                    done: Done::Looked { ticket, map: found, resources },
                    change: (File::Map, change),
                    map,
                }
            }
        }
    }
}

/// A map that is named for its hash, and has no other of its name beside it, has its name alone again (MAP-08), unless it was looked
/// for by the whole of its name, by which it would not be found again. The file's name.
fn give_name_back<F: Folder, L: Loader>(
    desk: &mut Desk<F, L>,
    file: String,
    wanted: &str,
    whole: &Whole,
) -> String {
    let Some(read) = names::read(&file).filter(|file| !names::alike(file.stem, wanted)) else { return file };
    let Some((name, version)) = read.hashed else { return file };
    let plain = names::plain(name);
    let is_plain = |other: &String| names::read(other).is_some_and(|other| names::alike(other.stem, name));
    let is_alone = |names: Vec<String>| !names.iter().any(is_plain);
    let is_own = names::check(name).is_ok() && version == whole.hash.version();
    if !is_own || !desk.folder.list().is_ok_and(is_alone) {
        return file;
    }
    // Where it cannot be renamed it is played as it is called.
    if desk.folder.rename(&file, &plain).is_err() {
        return file;
    }
    desk.known.forget(&file);
    desk.known.insert(&plain, whole);
    desk.words.push(format!("{file} is called {plain} again: no other map has that name."));
    plain
}
