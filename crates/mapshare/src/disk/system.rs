//! The machine's folder of maps: the custom maps in `custom_maps`, the resource maps in the folder that it stands in, as the game
//! has them. Which of the two a file is in goes by its name, since no custom map may have a resource map's. Knows no download.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use mjolnir_wire::mapshare;

use super::folder::{Folder, Handle, Stat};
use super::std;
use crate::names;

/// Files of the machine.
#[derive(Clone, Debug)]
pub struct System {
    custom_maps: PathBuf,
    resources: PathBuf,
}

impl System {
    /// Those of the game's folder `maps`: `maps/custom_maps/hugeass.map`, `maps/bitmaps.map`.
    pub fn new(maps: &Path) -> Self {
        Self::apart(&maps.join("custom_maps"), maps)
    }

    /// Those of two folders, or of one that is given twice.
    pub fn apart(custom_maps: &Path, resources: &Path) -> Self {
        Self { custom_maps: custom_maps.to_path_buf(), resources: resources.to_path_buf() }
    }

    fn folder_of(&self, name: &str) -> &Path {
        if is_resource(name) { &self.resources } else { &self.custom_maps }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder_of(name).join(name)
    }
}

fn is_resource(name: &str) -> bool {
    let file = names::of_part(name).unwrap_or(name);
    mapshare::File::ALL.into_iter().filter_map(names::resource).any(|resource| names::alike(resource, file))
}

/// The names in a folder that are text; no other is asked for.
fn names_in(folder: &Path, to: &mut Vec<String>, takes: impl Fn(&str) -> bool) -> io::Result<()> {
    match fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                to.extend(entry?.file_name().into_string().ok().filter(|name| takes(name)));
            }
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

impl Folder for System {
    fn list(&mut self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        names_in(&self.custom_maps, &mut names, |name| !is_resource(name))?;
        names_in(&self.resources, &mut names, is_resource)?;
        Ok(names)
    }

    fn open(&mut self, name: &str) -> io::Result<Arc<dyn Handle>> {
        let path = self.path(name);
        if !fs::metadata(&path)?.is_file() {
            return Err(no_file());
        }
        Ok(Arc::new(SystemFile(File::open(path)?)))
    }

    fn draft(&mut self, name: &str) -> io::Result<Arc<dyn Handle>> {
        fs::create_dir_all(self.folder_of(name))?;
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Ok(known) if !known.is_file() => return Err(no_file()),
            // What is written here would be written there.
            Ok(known) if has_other_name(&known) => return Err(io::Error::other("it has another name, too")),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        Ok(Arc::new(SystemFile(file)))
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.path(from), self.path(to));
        // A second name is given in one step, and only where there is none. That the first then stays is no harm: it is the whole
        // file's, and is deleted as any part file is.
        match fs::hard_link(&from, &to) {
            Ok(()) => {
                let _ = fs::remove_file(&from);
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
                Err(error)
            }
            // A disk that knows no second names. Who takes the name in between, by hand and within microseconds, loses.
            Err(_) => match fs::symlink_metadata(&to) {
                Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                Err(error) if error.kind() == ErrorKind::NotFound => fs::rename(&from, &to),
                Err(error) => Err(error),
            },
        }
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path(name))
    }

    fn sweep(&mut self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(no_file());
        }
        lock(&OpenOptions::new().write(true).open(&path)?)?;
        fs::remove_file(path)
    }
}

/// Shows other processes that this one writes it. Where disks know no locks, nothing shows it.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another process writes it"))
        }
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}

struct SystemFile(File);

impl Handle for SystemFile {
    fn stat(&self) -> io::Result<Stat> {
        let known = self.0.metadata()?;
        Ok(Stat { length: known.len(), modified: known.modified().ok(), number: number_of(&known) })
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, into, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.0, into, offset) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    into = into.get_mut(read..).unwrap_or_default();
                    offset += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.0, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_write(&self.0, bytes, offset) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => {
                    bytes = bytes.get(written..).unwrap_or_default();
                    offset += written as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn release(&self) {
        // A lock that stays goes with the file.
        let _ = self.0.unlock();
    }
}

#[cfg(unix)]
fn number_of(known: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(known)
}

#[cfg(not(unix))]
fn number_of(_: &fs::Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn has_other_name(known: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(known) > 1
}

#[cfg(not(unix))]
fn has_other_name(_: &fs::Metadata) -> bool {
    false
}
