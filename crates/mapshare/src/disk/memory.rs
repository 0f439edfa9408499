//! A folder in memory that fails where it is told to: for tests, and for games that are played without a disk. Knows no map.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;
use std::io::{self, ErrorKind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::folder::{Folder, Handle, Stat};
use super::std;
use crate::names;

/// A folder; copies of it are the same one.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

/// What is to go wrong, and what was done.
#[derive(Debug, Default)]
struct State {
    /// By name, the file's number; none for a folder.
    names: BTreeMap<String, Option<usize>>,
    files: Vec<Node>,
    plan: Plan,
    /// What was asked that changes something.
    changes: usize,
    is_crashed: bool,
    clock: u64,
}

#[derive(Debug, Default)]
struct Node {
    bytes: Vec<u8>,
    modified: u64,
    is_draft: bool,
    /// Bytes of it that were read.
    read: u64,
}

/// What goes wrong in a [`Memory`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// Bytes that all files have room for, together.
    pub room: Option<u64>,
    /// Nothing can be changed.
    pub is_read_only: bool,
    /// So many renamings are refused.
    pub failing_renames: u32,
    /// The change, counted from none, in whose midst the machine stops: half of it is done, and nothing after it.
    pub crash_at: Option<usize>,
    /// Names that are equal but for case are one.
    pub is_caseless: bool,
    /// No file can be read.
    pub is_unreadable: bool,
}

impl Memory {
    /// An empty one in which nothing goes wrong.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics under it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What goes wrong from now on.
    pub fn plan(&self, plan: Plan) {
        self.state().plan = plan;
    }

    /// The machine starts again after a crash, and nothing goes wrong.
    pub fn restart(&self) {
        let mut state = self.state();
        state.plan = Plan { is_caseless: state.plan.is_caseless, ..Plan::default() };
        (state.is_crashed, state.changes) = (false, 0);
        state.files.iter_mut().for_each(|file| file.is_draft = false);
    }

    /// How much was changed since the start.
    pub fn changes(&self) -> usize {
        self.state().changes
    }

    /// Whether the machine stopped.
    pub fn is_crashed(&self) -> bool {
        self.state().is_crashed
    }

    /// The names that there are, in order.
    pub fn names(&self) -> Vec<String> {
        self.state().names.keys().cloned().collect()
    }

    /// A file's bytes.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let state = self.state();
        let number = (*state.names.get(name)?)?;
        state.files.get(number).map(|file| file.bytes.clone())
    }

    /// How many bytes of a file were read so far.
    pub fn read(&self, name: &str) -> u64 {
        let state = self.state();
        let file = state.names.get(name).copied().flatten().and_then(|number| state.files.get(number));
        file.map_or(0, |file| file.read)
    }

    /// A person writes a file, over the one that is there.
    pub fn set(&self, name: &str, bytes: &[u8]) {
        let mut state = self.state();
        let number = state.make(name);
        state.clock += 1;
        let modified = state.clock;
        if let Some(file) = state.files.get_mut(number) {
            file.bytes = bytes.to_vec();
            file.modified = modified;
        }
    }

    /// A person makes a folder.
    pub fn make_folder(&self, name: &str) {
        self.state().names.insert(name.to_string(), None);
    }

    /// A person deletes what has that name.
    pub fn delete(&self, name: &str) {
        self.state().names.remove(name);
    }

    /// Another process writes that file, or does no longer.
    pub fn hold(&self, name: &str, is_held: bool) {
        let mut state = self.state();
        if let Some(Some(number)) = state.names.get(name).copied()
            && let Some(file) = state.files.get_mut(number)
        {
            file.is_draft = is_held;
        }
    }
}

impl State {
    fn make(&mut self, name: &str) -> usize {
        if let Some(Some(number)) = self.names.get(name) {
            return *number;
        }
        self.files.push(Node::default());
        let number = self.files.len() - 1;
        self.names.insert(name.to_string(), Some(number));
        number
    }

    /// The name as it stands here.
    fn find(&self, name: &str) -> Option<String> {
        if self.names.contains_key(name) {
            return Some(name.to_string());
        }
        let mut alike = self.names.keys().filter(|_| self.plan.is_caseless);
        alike.find(|other| names::alike(other, name)).cloned()
    }

    fn file(&self, name: &str) -> io::Result<usize> {
        let found = self.find(name).and_then(|name| self.names.get(&name).copied());
        match found {
            None => Err(ErrorKind::NotFound.into()),
            Some(None) => Err(io::Error::other("it is no regular file")),
            Some(Some(number)) => Ok(number),
        }
    }

    fn up(&self) -> io::Result<()> {
        if self.is_crashed { Err(io::Error::other("the machine has stopped")) } else { Ok(()) }
    }

    /// Something is to change. Whether only half of it is.
    fn change(&mut self) -> io::Result<bool> {
        self.up()?;
        if self.plan.is_read_only {
            return Err(ErrorKind::ReadOnlyFilesystem.into());
        }
        let is_half = self.plan.crash_at == Some(self.changes);
        self.changes += 1;
        self.is_crashed = is_half;
        Ok(is_half)
    }

    fn used(&self) -> u64 {
        let number = |number: &Option<usize>| number.and_then(|number| self.files.get(number));
        self.names.values().filter_map(number).map(|file| file.bytes.len() as u64).sum()
    }
}

impl Folder for Memory {
    fn list(&mut self) -> io::Result<Vec<String>> {
        let state = self.state();
        state.up()?;
        Ok(state.names.keys().cloned().collect())
    }

    fn open(&mut self, name: &str) -> io::Result<Arc<dyn Handle>> {
        let state = self.state();
        state.up()?;
        let number = state.file(name)?;
        Ok(Arc::new(MemoryFile { folder: self.clone(), number, is_draft: false }))
    }

    fn draft(&mut self, name: &str) -> io::Result<Arc<dyn Handle>> {
        let mut state = self.state();
        let number = match state.file(name) {
            Ok(number) => number,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_half = state.change()?;
                let number = state.make(name);
                if is_half {
                    state.up()?;
                }
                number
            }
            Err(error) => return Err(error),
        };
        state.up()?;
        if state.plan.is_read_only {
            return Err(ErrorKind::ReadOnlyFilesystem.into());
        }
        match state.files.get_mut(number) {
            Some(file) if !file.is_draft => file.is_draft = true,
            _ => return Err(ErrorKind::ResourceBusy.into()),
        }
        Ok(Arc::new(MemoryFile { folder: self.clone(), number, is_draft: true }))
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        state.up()?;
        let number = state.file(from)?;
        if state.find(to).is_some() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        if state.plan.failing_renames > 0 {
            state.plan.failing_renames -= 1;
            return Err(ErrorKind::PermissionDenied.into());
        }
        let is_half = state.change()?;
        state.names.insert(to.to_string(), Some(number));
        if is_half {
            // Both names are there, as where a second one is given before the first is taken.
            return state.up();
        }
        state.names.remove(from);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        state.file(name)?;
        if !state.change()? {
            state.names.remove(name);
        }
        state.up()
    }

    fn sweep(&mut self, name: &str) -> io::Result<()> {
        {
            let state = self.state();
            state.up()?;
            let number = state.file(name)?;
            if state.files.get(number).is_some_and(|file| file.is_draft) {
                return Err(ErrorKind::ResourceBusy.into());
            }
        }
        self.remove(name)
    }
}

struct MemoryFile {
    folder: Memory,
    number: usize,
    is_draft: bool,
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        if self.is_draft {
            self.release();
        }
    }
}

impl MemoryFile {
    fn with<T>(&self, look: impl FnOnce(&mut State, usize) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.folder.state();
        state.up()?;
        look(&mut state, self.number)
    }
}

fn gone() -> io::Error {
    ErrorKind::NotFound.into()
}

impl Handle for MemoryFile {
    fn stat(&self) -> io::Result<Stat> {
        self.with(|state, number| {
            let file = state.files.get(number).ok_or_else(gone)?;
            let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(file.modified);
            Ok(Stat { length: file.bytes.len() as u64, modified: Some(modified), number: number as u64 + 1 })
        })
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.with(|state, number| {
            if state.plan.is_unreadable {
                return Err(io::Error::other("the disk has a bad sector"));
            }
            let file = state.files.get_mut(number).ok_or_else(gone)?;
            let bytes = file.bytes.get(offset as usize..).and_then(|bytes| bytes.get(..into.len()));
            into.copy_from_slice(bytes.ok_or(ErrorKind::UnexpectedEof)?);
            file.read += into.len() as u64;
            Ok(())
        })
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.with(|state, number| {
            let is_half = state.change()?;
            let room = state.plan.room.map_or(u64::MAX, |room| room.saturating_sub(state.used()));
            state.clock += 1;
            let modified = state.clock;
            let file = state.files.get_mut(number).ok_or_else(gone)?;
            let offset = offset as usize;
            let wanted = if is_half { bytes.len() / 2 } else { bytes.len() };
            // What a write goes over needs no room, nor does what it leaves out.
            let over = file.bytes.len().saturating_sub(offset).min(wanted) as u64;
            let fits = wanted.min(over.saturating_add(room).min(usize::MAX as u64) as usize);
            file.modified = modified;
            if fits > 0 {
                file.bytes.resize(file.bytes.len().max(offset + fits), 0);
                file.bytes[offset..offset + fits].copy_from_slice(&bytes[..fits]);
            }
            state.up()?;
            if fits < bytes.len() { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
        })
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.with(|state, number| {
            if !state.change()? {
                state.clock += 1;
                let modified = state.clock;
                let file = state.files.get_mut(number).ok_or_else(gone)?;
                file.bytes.truncate(length as usize);
                file.modified = modified;
            }
            state.up()
        })
    }

    fn release(&self) {
        let mut state = self.folder.state();
        if let Some(file) = state.files.get_mut(self.number) {
            file.is_draft = false;
        }
    }
}
