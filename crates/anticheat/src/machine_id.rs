//! This Linux machine's hardware id, from the files that have one. Knows no other system: see `sources.rs`.

extern crate std;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::vec::Vec;

use crate::hardware::HardwareId;
use crate::sources;

/// The files, the first that says something being taken (CHEAT-23).
const ETC: &str = "etc/machine-id";
const DBUS: &str = "var/lib/dbus/machine-id";
/// No more of a file is read, in bytes; an id has 32 and a line end.
const READ_MAX: u64 = 256;

/// The machine's hardware id, of the files under `root`, which is `/` but in a test. None where neither has one or can be read.
pub fn read(root: &Path) -> Option<HardwareId> {
    let text = |file: &str| {
        let mut text = Vec::new();
        match File::open(root.join(file)).and_then(|file| file.take(READ_MAX).read_to_end(&mut text)) {
            Ok(_) => text,
            Err(_) => Vec::new(),
        }
    };
    sources::linux(&text(ETC), &text(DBUS))
}
