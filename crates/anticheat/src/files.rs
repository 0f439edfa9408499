//! `bans.txt` and `cheaters.txt` on a disk, on a thread of their own: the list read at each join that is asked about, lines
//! added to both. Knows no game and no machine; the game's thread hands over and takes, and never waits.
//!
//! A person edits these files while this does:
//! - What is added is written beside the file, made durable, and renamed over it. So the file is at each moment the whole old
//!   one or the whole new one, whatever the disk, the power or the process does. A link stays, and its target is written;
//!   permissions are kept, and the owner where that is allowed (access lists, other attributes and further hard links are not).
//! - A file that changed while it was copied is copied again. Between the last look and the rename some microseconds are left;
//!   and whoever saves over a line that was added since they opened the file takes it out.
//! - A file that changed just now is looked at again until it holds still, for [`PATIENCE`] at most: an editor may be about to
//!   write. One that does not hold still refuses whom it now names or last named.
//! - No file: nobody is banned. No folder where the file was, as of a disk that was taken away, is a file that cannot be read.
//! - A file that cannot be read (nor one of two bytes a character, which is told by its first two): whom it named when it last
//!   could be is refused; if it never could, or is larger than what is kept of it ([`KEPT_BYTES`]), everybody is. The list is whom
//!   its owner wants to keep out, so nobody is let in past a line that could not be looked at; and the owner is told in the log.
//! - A line that could not be written is in force at joins all the same, is told of once, and is tried again with the next
//!   line, the next join (once in [`PAUSE`]) and each [`RETRY`].
//! - A disk that hangs holds up who joins, and the program's end for [`FAREWELL`] at most.
//!
//! Memory: twice [`KEPT_BYTES`] for a list; a longer one is read in pieces.

extern crate std;

mod clerk;
mod clock;
mod disk;
mod keeper;
mod list;
mod words;
mod writing;

pub use clerk::{Ask, Clerk, MAX_WAITING};
pub use clock::{Clock, SystemClock};
pub use disk::{Disk, Draft, Stat, SystemDisk};
pub use keeper::{Keeper, MAX_ASKS};

use core::time::Duration;

/// Bytes of a list that are kept to be asked when the file cannot be read.
pub const KEPT_BYTES: usize = 32 << 20;
/// How long a file is given to hold still, and one that was there to come back.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// A file that was changed longer ago than this holds still.
pub const SETTLED: Duration = Duration::from_millis(300);
/// Between two looks at a file that does not hold still.
pub const LOOK: Duration = Duration::from_millis(50);
/// How soon a join may bring about another attempt to write.
pub const PAUSE: Duration = Duration::from_secs(1);
/// When another attempt is made where nothing happens.
pub const RETRY: Duration = Duration::from_secs(10);
/// How long a keeper that is finished waits for a disk: more than both files are looked at for, and read besides.
pub const FAREWELL: Duration = Duration::from_secs(15);
