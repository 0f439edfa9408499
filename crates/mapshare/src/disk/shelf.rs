//! The files that are shared, for whoever sends blocks of them: positioned reads on the reader's own thread, behind a lock that is
//! held as long as a handle is copied. Knows no name and no hash.

use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mjolnir_wire::mapshare::{File, Refusal};

use super::folder::{Handle, Stat};
use super::std;
use crate::job::Shelf;

/// A file on the shelf.
#[derive(Clone, Debug)]
pub(super) struct Book {
    pub(super) handle: Arc<dyn Handle>,
    /// As it was hashed; none while it is written here: each of its pieces was hashed as it came.
    pub(super) stat: Option<Stat>,
    pub(super) size: u32,
}

#[derive(Debug, Default)]
struct Books {
    books: [Option<Book>; File::ALL.len()],
    lost: Vec<File>,
}

/// The shelf, for any thread. Copies are one shelf. It changes as [`Done`](crate::Done)s are taken that say so, so that whoever takes them
/// and reads never has another file than it was told of.
#[derive(Clone)]
pub struct SharedShelf {
    books: Arc<Mutex<Books>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl core::fmt::Debug for SharedShelf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SharedShelf")
    }
}

impl SharedShelf {
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { books: Arc::default(), wake }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        // Nothing panics under it.
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a file in its place, or takes it away.
    pub(super) fn put(&self, file: File, book: Option<Book>) {
        self.books().books[file.index()] = book;
    }

    /// The files that were lost and not told of yet.
    pub(super) fn take_lost(&self) -> Vec<File> {
        core::mem::take(&mut self.books().lost)
    }

    fn lose(&self, file: File, handle: &Arc<dyn Handle>) {
        let mut books = self.books();
        let place = &mut books.books[file.index()];
        // Another may have taken its place since.
        if place.as_ref().is_some_and(|book| Arc::ptr_eq(&book.handle, handle)) {
            *place = None;
            books.lost.push(file);
            drop(books);
            (self.wake)();
        }
    }
}

impl Shelf for SharedShelf {
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal> {
        let book = self.books().books[file.index()].clone();
        let Some(Book { handle, stat, size }) = book else { return Err(Refusal::CannotBeRead) };
        if offset.checked_add(into.len() as u64).is_none_or(|end| end > size.into()) {
            return Err(Refusal::CannotBeRead);
        }
        // Looked at once it is read: what was changed before or meanwhile shows by then.
        let is_read = handle.read_at(offset, into).is_ok();
        let is_same = || stat.is_none_or(|stat| handle.stat().is_ok_and(|now| now == stat));
        if is_read && is_same() {
            return Ok(());
        }
        self.lose(file, &handle);
        Err(Refusal::CannotBeRead)
    }
}
