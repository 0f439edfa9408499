//! The list of part files that this program made and may delete (MAP-52), as a file beside them: a name that stands in no list is a
//! person's. Knows no download.
//!
//! A name is added before its file is made and struck out, by its first letter, once that is gone; the list goes when none of its
//! files is left. So whatever a write that was cut short leaves, it names nothing that is not a part file of a download. Who gives
//! a file of their own a name that stands in the list gives it to the list.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::io::{self, ErrorKind};

use super::folder::Folder;
use super::std;
use crate::names::{self, BadName};

/// The list's name.
pub(super) const NOTE: &str = "mjolnir-part-files.txt";
/// Its first line, by which it is known to be one.
const HEAD: &str = "Part files of downloads. The game deletes those that are named here.\n";
/// Bytes of the longest list that is read.
const NOTE_BYTES: u64 = 64 << 10;
/// Bytes of a list that is written anew, without what is struck out.
const LONG: usize = 32 << 10;
/// What stands in no name.
const STRUCK: &str = "?";

/// The part files that the list names. An error: what has its name is no list.
pub(super) fn read(folder: &mut impl Folder) -> io::Result<Vec<String>> {
    let text = match text(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    Ok(lines(&text).map(|(_, name)| name.to_string()).collect())
}

/// The names of a list, and where each of them stands.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // A last line that has no end was cut short.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut end = 0;
    let lines = whole.split('\n').map(move |line| {
        let start = end;
        end += line.len() + 1;
        // Whoever edited it may have ended its lines otherwise.
        (start, line.trim_end_matches('\r'))
    });
    lines.skip(1).filter(|(_, line)| {
        let Some(file) = names::of_part(line).and_then(names::read) else { return false };
        let name = file.hashed.map_or(file.stem, |(name, _)| name);
        matches!(names::check(name), Ok(()) | Err(BadName::Resource))
    })
}

fn text(folder: &mut impl Folder) -> io::Result<String> {
    let file = folder.open(NOTE)?;
    let length = file.stat()?.length;
    if length > NOTE_BYTES {
        return Err(in_the_way());
    }
    let mut bytes = alloc::vec![0; length as usize];
    file.read_at(0, &mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // One that was cut short as it was begun has no name in it yet.
    if text.starts_with(HEAD) || HEAD.starts_with(&text) { Ok(text) } else { Err(in_the_way()) }
}

fn in_the_way() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "something else has its name")
}

/// Adds names to the list.
pub(super) fn add(folder: &mut impl Folder, parts: &[String]) -> io::Result<()> {
    let mut new = String::new();
    let text = match text(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let mut end = text.len();
    if end < HEAD.len() {
        new.push_str(HEAD);
        end = 0;
    } else if !text.ends_with('\n') {
        // What was cut short is no name, whatever it reads like.
        new.push_str(STRUCK);
        new.push('\n');
    }
    for part in parts {
        new.push_str(part);
        new.push('\n');
    }
    let file = folder.draft(NOTE)?;
    let done = file.write_at(end as u64, new.as_bytes());
    file.release();
    done
}

/// Strikes out what is not there, and removes a list of which nothing is left.
pub(super) fn tidy(folder: &mut impl Folder) -> io::Result<()> {
    let text = match text(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let there = folder.list()?;
    let is_there = |name: &str| there.iter().any(|other| other == name);
    let left: Vec<String> =
        lines(&text).filter(|(_, name)| is_there(name)).map(|(_, name)| name.to_string()).collect();
    if left.is_empty() || text.len() > LONG {
        folder.remove(NOTE)?;
        return if left.is_empty() { Ok(()) } else { add(folder, &left) };
    }
    let mut gone = lines(&text).filter(|(_, name)| !is_there(name)).peekable();
    if gone.peek().is_none() {
        return Ok(());
    }
    let file = folder.draft(NOTE)?;
    let done = gone.try_for_each(|(at, _)| file.write_at(at as u64, STRUCK.as_bytes()));
    file.release();
    done
}
