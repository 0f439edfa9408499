//! The disk: what a file is, its bytes, and a new one written beside it. Knows no line.

use std::boxed::Box;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::std;

/// Links that are followed to a file that is not there.
const LINKS: usize = 8;

/// By what a file is known to be the one that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Bytes.
    pub length: u64,
    /// When it was last changed; none where the disk does not say.
    pub modified: Option<SystemTime>,
    /// Its number on the disk; 0 where there are none.
    pub number: u64,
}

/// What the keeper asks of a disk; a test's fails where it is told to.
pub trait Disk: Send + 'static {
    /// The file that a path means, all links followed, whether it is there or not.
    fn target(&mut self, path: &Path) -> io::Result<PathBuf>;
    /// What the file is now. What is no regular file is an error: reading it might never end.
    fn stat(&mut self, path: &Path) -> io::Result<Stat>;
    /// Its bytes.
    fn open(&mut self, path: &Path) -> io::Result<Box<dyn Read>>;
    /// A new file at `path`, to become another: with the permissions of `like`. One that an earlier process left there is
    /// removed; one that a living process writes is [`ErrorKind::ResourceBusy`].
    fn draft(&mut self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Draft>>;
    /// Removes a draft that an earlier process left.
    fn sweep(&mut self, path: &Path) -> io::Result<()>;
}

/// A file that is being written. Unless it is published, it is removed when dropped.
pub trait Draft {
    /// Appends all of those bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns once the disk has it for good; what it is then.
    fn sync(&mut self) -> io::Result<Stat>;
    /// Takes the place of that file.
    fn publish(self: Box<Self>, to: &Path) -> io::Result<()>;
}

/// The machine's.
#[derive(Clone, Copy, Debug)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn target(&mut self, path: &Path) -> io::Result<PathBuf> {
        let mut path = path.to_path_buf();
        for _ in 0..LINKS {
            match fs::canonicalize(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                known => return known,
            }
            let Ok(to) = fs::read_link(&path) else { return Ok(path) };
            path = path.parent().map_or_else(|| to.clone(), |folder| folder.join(&to));
        }
        Err(io::Error::other("too many links"))
    }

    fn stat(&mut self, path: &Path) -> io::Result<Stat> {
        let known = fs::metadata(path)?;
        if known.is_file() { Ok(stat_of(&known)) } else { Err(no_file()) }
    }

    fn open(&mut self, path: &Path) -> io::Result<Box<dyn Read>> {
        self.stat(path)?;
        Ok(Box::new(File::open(path)?))
    }

    fn draft(&mut self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Draft>> {
        self.sweep(path)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if like.is_some() {
            for_its_owner(&mut options);
        }
        let file = options.open(path).map_err(|error| match error.kind() {
            // Since it was swept: another process is at it.
            ErrorKind::AlreadyExists => busy(),
            _ => error,
        })?;
        lock(&file)?;
        if !is_at(&file, path) {
            return Err(busy());
        }
        let draft = SystemDraft { file, path: path.to_path_buf(), published: false };
        if let Some(like) = like {
            let known = fs::metadata(like)?;
            give_to_owner(&draft.file, &known);
            draft.file.set_permissions(known.permissions())?;
        }
        Ok(Box::new(draft))
    }

    fn sweep(&mut self, path: &Path) -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
            Ok(known) if !known.is_file() => return Err(io::Error::other("something is in the way")),
            Ok(_) => {}
        }
        // A lock goes with its process.
        match File::open(path) {
            Ok(file) => {
                lock(&file)?;
                if !is_at(&file, path) {
                    return Err(busy());
                }
                fs::remove_file(path)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

struct SystemDraft {
    file: File,
    path: PathBuf,
    published: bool,
}

impl Draft for SystemDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<Stat> {
        self.file.sync_all()?;
        Ok(stat_of(&self.file.metadata()?))
    }

    fn publish(mut self: Box<Self>, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.published = true;
        // The name, too. It has its place already, so a disk that cannot do this has failed nobody.
        if let Some(Ok(folder)) = to.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for SystemDraft {
    fn drop(&mut self) {
        if !self.published {
            // What stays is swept by the next one.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another process writes it")
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}

/// Shows other processes that this one lives and writes it. Where disks know no locks, nothing shows it.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(busy()),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Whether that path still is that file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    number_of(&open) == number_of(&there)
}

fn stat_of(known: &fs::Metadata) -> Stat {
    Stat { length: known.len(), modified: known.modified().ok(), number: number_of(known) }
}

#[cfg(unix)]
fn number_of(known: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(known)
}

#[cfg(not(unix))]
fn number_of(_: &fs::Metadata) -> u64 {
    0
}

/// Nobody else is to read it before it has the permissions of the file that it becomes.
#[cfg(unix)]
fn for_its_owner(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn for_its_owner(_: &mut OpenOptions) {}

/// To whom the other belongs, where this process may do that.
#[cfg(unix)]
fn give_to_owner(file: &File, like: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(like.uid()), Some(like.gid()));
}

#[cfg(not(unix))]
fn give_to_owner(_: &File, _: &fs::Metadata) {}
