//! The folder of map files: [`Job`](crate::Job)s are done, [`Done`](crate::Done)s said, blocks read, on a thread of its own. Knows
//! no peer and no message; whoever orders hands over and takes, and never waits.
//!
//! What a person keeps in the folder stays as it is:
//! - A name that is there, in whatever case, is never written over: a map that comes takes the name with its hash (MAP-07), and
//!   where that is taken too the download fails and says so. The one renaming is MAP-08's.
//! - A part file is deleted only if it stands in the folder's list of part files, into which each goes before it is made
//!   (`note.rs`). What only looks like one is a person's.
//!
//! What is not whole is never taken for a map:
//! - Pieces go to `<file>.part`, each to its place once its hash is right. It becomes `<file>` when every piece was hashed, each is
//!   written, and the game's loader takes it for playable. What a loader refuses, or lacks a resource map, is deleted before it had
//!   a name; files that were named when a later one could not be become part files again (MAP-53).
//! - Nothing waits for a disk to have written for good. After a loss of power a file may lack what was written last, a map's
//!   too if it came just then. The next run believes nothing that it did not hash: a part file is checked piece by piece (MAP-50),
//!   a map by its whole hash, and one that is not of the version asked for is not taken.
//! - By length and time of change a hash is kept for the run (MAP-05), and a file that is shared known to be what was hashed. A
//!   program that changes a file and keeps both is not noticed here; those who are sent of it are told by the pieces' hashes.
//!
//! One thread does all of it in slices of at most [`SLICE`] pieces a core: what is short (a piece that came, a name) is done
//! between two slices of what is long (a whole file's hash, a part file's check). So a piece waits for some milliseconds where the
//! system has the file in memory, and for as long as a disk reads 4 MiB a core else, whatever the file's size.
//! A file of [`WORTH`] pieces and more is hashed on up to [`CORES`] cores, each of which reads its share into a buffer of
//! its own and hashes it: while one waits for the disk the other hashes, and on one core the system reads ahead.
//!
//! Memory: a buffer of [`LANES`] pieces (1 MiB) a core, 4 MiB at most; 32 bytes for each piece of a file that was hashed in this run
//! (512 KiB for the largest); and the pieces that wait to be taken, which whoever orders bounds.

extern crate std;

mod clerk;
mod download;
mod folder;
mod hashing;
mod known;
mod look;
mod memory;
mod note;
mod placing;
mod shelf;
mod system;
mod thread;

pub use clerk::Clerk;
pub use folder::{Folder, Handle, Stat};
pub use hashing::{Engine, hash_pieces};
pub use memory::{Memory, Plan};
pub use shelf::SharedShelf;
pub use system::System;
pub use thread::Thread;

use alloc::string::String;
use core::time::Duration;
use std::io;

use mjolnir_wire::mapshare::{File, FileSet};

/// Pieces that are hashed at once, by one core: as many as its vectors are wide.
pub const LANES: usize = 4;
/// Pieces that each core hashes before what is short has its turn.
pub const SLICE: u32 = 16;
/// Pieces from which on a file is worth a second core: below, waking it costs more than it gains.
pub const WORTH: u32 = 32;
/// Cores that hash a file at most.
pub const CORES: usize = 4;
/// Pieces that are hashed and written together at most.
pub const TAKES: usize = 16;
/// How long it is tried to put a file in its place: a scanner of viruses holds a new one for some seconds.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Between two of these attempts.
pub const AGAIN: Duration = Duration::from_millis(250);
/// How long the end of a program waits for a disk.
pub const FAREWELL: Duration = Duration::from_secs(5);

/// What the game's loader says of map files.
pub trait Loader: Send + 'static {
    /// Whether that map can be played, and which resource maps it needs (MAP-15, 17, 53). It is asked on the disk's thread, of maps
    /// whose pieces have their hashes.
    fn check(&mut self, map: &mut dyn View) -> Result<FileSet, Unfit>;
    /// Bytes of the largest file of that kind that it takes (MAP-18).
    fn most(&self, file: File) -> u64;
}

/// Why a map cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It is of another version of the game.
    OtherVersion,
    /// It is damaged, or no map: how.
    Broken(String),
}

/// A file, to look into.
pub trait View {
    /// Its bytes.
    fn size(&self) -> u64;
    /// Fills `into` from that place.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}
