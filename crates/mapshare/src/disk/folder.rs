//! What is asked of a folder and of its files; a test's fails where it is told to. Knows no map: names are texts that are checked.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::io;
use std::time::SystemTime;

use super::std;

/// By what a file is known to be the one that was hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Bytes.
    pub length: u64,
    /// When it was last changed; none where the disk does not say.
    pub modified: Option<SystemTime>,
    /// Its number on the disk; 0 where there are none.
    pub number: u64,
}

/// The files of maps, by name. Not more than a name is ever given: no path.
pub trait Folder: Send + 'static {
    /// The names of all that is there, of folders too. A folder that is not there has none.
    fn list(&mut self) -> io::Result<Vec<String>>;
    /// A file, to read. What is no regular file is an error: reading it might never end.
    fn open(&mut self, name: &str) -> io::Result<Arc<dyn Handle>>;
    /// A file, to write and read; made empty where it is not there. One that another process has so is
    /// [`ErrorKind::ResourceBusy`](io::ErrorKind::ResourceBusy).
    fn draft(&mut self, name: &str) -> io::Result<Arc<dyn Handle>>;
    /// Gives a file another name. Where that is taken by anything, it is [`ErrorKind::AlreadyExists`](io::ErrorKind::AlreadyExists)
    /// and nothing changes.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&mut self, name: &str) -> io::Result<()>;
    /// Removes a part file of an earlier download, but for one that another process has as a draft.
    fn sweep(&mut self, name: &str) -> io::Result<()>;
}

/// An open file. It is the same one whatever becomes of its name.
pub trait Handle: Send + Sync {
    /// What it is now.
    fn stat(&self) -> io::Result<Stat>;
    /// Fills `into` from that place. A file that ends before is an error.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;
    /// Writes all of those bytes at that place. What is left out before it reads as zeros.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Shortens it to that many bytes.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Other processes may have it from now on: it is no draft any more.
    fn release(&self);
}

impl core::fmt::Debug for dyn Handle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Handle")
    }
}
