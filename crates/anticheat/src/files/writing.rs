//! Adding lines to a file that a person may be editing: written beside it, and renamed over it. Knows no line's meaning.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec;

use super::clock::Clock;
use super::disk::{Disk, Draft, Stat};
use super::list::{is_old, is_wide, wide};
use super::{LOOK, PATIENCE, SETTLED, std};

/// Bytes copied at once.
const PIECE: usize = 64 * 1024;

/// The file that is written beside another: a name that no person gives, and one for all processes, which so keep out of
/// each other's way.
pub(super) fn draft_of(target: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".draft-of-the-host");
    target.with_file_name(name)
}

/// Adds the lines, each with its end. What the file is then, as this process made it. An error: it is what it was.
/// `had_lines`: it was there, so that one that is not may be about to come back.
pub(super) fn add(
    disk: &mut impl Disk,
    clock: &mut impl Clock,
    path: &Path,
    lines: &[String],
    own: Option<Stat>,
    had_lines: bool,
) -> io::Result<Stat> {
    let end = clock.since() + PATIENCE;
    loop {
        let is_last = clock.since() >= end;
        let target = disk.target(path)?;
        let before = there(disk, &target)?;
        let may_be_half = match before {
            None => had_lines,
            Some(stat) => {
                let needs = if stat.length == 0 && had_lines { PATIENCE } else { SETTLED };
                before != own && !is_old(before, clock, needs)
            }
        };
        if is_last || !may_be_half {
            let mut draft = match disk.draft(&draft_of(&target), before.map(|_| target.as_path())) {
                Err(error) if error.kind() == ErrorKind::ResourceBusy && !is_last => {
                    clock.wait(LOOK);
                    continue;
                }
                draft => draft?,
            };
            let length = match before {
                Some(stat) => copy(disk, &target, draft.as_mut(), stat.length)?,
                None => 0,
            };
            lines.iter().try_for_each(|line| draft.write(line.as_bytes()))?;
            let stat = draft.sync()?;
            if there(disk, &target)? == before && before.is_none_or(|stat| stat.length == length) {
                draft.publish(&target)?;
                return Ok(stat);
            }
            if is_last {
                return Err(io::Error::other("it keeps changing"));
            }
        }
        clock.wait(LOOK);
    }
}

/// What the file is; none where there is none.
fn there(disk: &mut impl Disk, path: &Path) -> io::Result<Option<Stat>> {
    match disk.stat(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        known => known.map(Some),
    }
}

/// Copies all of it, and ends its last line. How many bytes it was: of one that grows, some of those above `expected`.
fn copy(disk: &mut impl Disk, from: &Path, to: &mut dyn Draft, expected: u64) -> io::Result<u64> {
    let mut file = disk.open(from)?;
    let mut piece = vec![0; PIECE];
    let (mut length, mut last) = (0, None);
    while length <= expected {
        let count = match file.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let read = piece.get(..count).unwrap_or_default();
        if length == 0 && is_wide(read) {
            return Err(wide());
        }
        to.write(read)?;
        length += read.len() as u64;
        last = read.last().copied();
    }
    if last.is_some_and(|byte| byte != b'\n') {
        to.write(b"\n")?;
    }
    Ok(length)
}
