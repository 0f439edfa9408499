//! What the log says of the files. Knows no language but this one: a port translates this file.

use std::format;
use std::io;
use std::string::String;

use super::std;
use crate::record::File;

/// Why a file of two bytes a character is not read.
pub(super) const WIDE: &str = "it is UTF-16: save it as UTF-8";

pub(super) fn unread(error: &io::Error, knows_last: bool) -> String {
    let meanwhile = if knows_last {
        "whom it last named is still refused"
    } else {
        "everybody is refused until it can be"
    };
    format!("{}: cannot be read ({error}); {meanwhile}", File::Bans.name())
}

pub(super) fn restless() -> String {
    format!("{}: keeps changing; whom it names or last named is refused", File::Bans.name())
}

pub(super) fn read_again() -> String {
    format!("{}: is read again", File::Bans.name())
}

pub(super) fn unwritten(file: File, error: &io::Error) -> String {
    let meanwhile = match file {
        File::Bans => "the ban is in force all the same, and writing is tried again",
        File::Cheaters => "the line is kept, and writing is tried again",
    };
    format!("{}: cannot be written ({error}); {meanwhile}", file.name())
}

pub(super) fn written_again(file: File, lines: usize) -> String {
    format!("{}: is written again; lines that waited: {lines}", file.name())
}

pub(super) fn lost(file: File, line: &str) -> String {
    format!("{}: this line could not be written: {line}", file.name())
}

pub(super) fn hung(lines: usize) -> String {
    let [bans, cheaters] = File::ALL.map(File::name);
    format!("{bans}, {cheaters}: the disk does not answer; lines that may be in neither: {lines}")
}

pub(super) fn gone() -> String {
    format!("{}: is read and written no more; everybody is refused", File::Bans.name())
}
