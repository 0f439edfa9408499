//! Which files this machine has whole, and what the game's files are. Knows no connection, and nothing of a download's pieces.

use alloc::sync::Arc;

use mjolnir_wire::mapshare::{File, FileSet};

use crate::hash::PieceHash;
use crate::order::Offered;

/// The game's files, as far as this machine knows them.
#[derive(Debug, Default)]
pub(super) struct Files([Option<Known>; File::ALL.len()]);

#[derive(Debug)]
struct Known {
    offered: Offered,
    /// Where it is whole, and may be sent.
    whole: Option<Arc<[PieceHash]>>,
}

impl Files {
    /// It is there, whole.
    pub(super) fn add(&mut self, offered: Offered, hashes: Arc<[PieceHash]>) {
        self.0[offered.file.index()] = Some(Known { offered, whole: Some(hashes) });
    }

    /// It is one of the game's, and lacked.
    pub(super) fn lack(&mut self, offered: Offered) {
        self.0[offered.file.index()] = Some(Known { offered, whole: None });
    }

    /// It is there no more; whether it was.
    pub(super) fn lose(&mut self, file: File) -> bool {
        self.0[file.index()].as_mut().and_then(|known| known.whole.take()).is_some()
    }

    /// What is known of a file.
    pub(super) fn offered(&self, file: File) -> Option<Offered> {
        self.0[file.index()].as_ref().map(|known| known.offered)
    }

    /// The pieces' hashes of a file that is whole.
    pub(super) fn whole(&self, file: File) -> Option<&Arc<[PieceHash]>> {
        self.0[file.index()].as_ref()?.whole.as_ref()
    }

    /// Those that are known.
    pub(super) fn known(&self) -> FileSet {
        self.those(|known| known.is_some())
    }

    /// Those that are whole.
    pub(super) fn wholes(&self) -> FileSet {
        self.those(|known| known.as_ref().is_some_and(|known| known.whole.is_some()))
    }

    fn those(&self, are: impl Fn(&Option<Known>) -> bool) -> FileSet {
        File::ALL.into_iter().filter(|file| are(&self.0[file.index()])).fold(FileSet::NONE, FileSet::with)
    }
}
