//! What is wanted of the disk, and what becomes of it. Plain data: it crosses threads. Knows no file's path.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use mjolnir_wire::mapshare::{File, FileHash, FileSet, Refusal};

use crate::hash::PieceHash;
use crate::order::{Fault, Found, Offered};

/// What is to be done, in order. Each but [`Job::Abandon`] is answered by the [`Done`] of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Look for a level's map, see [`Order::Look`](crate::Order::Look).
    Look {
        /// The order's.
        ticket: u32,
        /// The level.
        level: String,
        /// The version; none for the file of the plain name.
        version: Option<u32>,
    },
    /// Hash a resource map.
    Hash {
        /// The order's.
        ticket: u32,
        /// Which.
        file: File,
    },
    /// A download of those files begins: their names are checked, another map's part file is deleted.
    Begin {
        /// The level.
        level: String,
        /// The files.
        offers: Box<[Offered]>,
    },
    /// Check what there is of a file's part file, piece by piece (MAP-50).
    Resume {
        /// Which.
        file: File,
        /// Every piece's hash.
        hashes: Arc<[PieceHash]>,
    },
    /// Hash a piece that came, and write it to its place if it is right (MAP-32, 48).
    Take {
        /// Of that file.
        file: File,
        /// The piece.
        piece: u32,
        /// The whole of it.
        bytes: Vec<u8>,
        /// What its hash is to be.
        hash: PieceHash,
    },
    /// Every piece is there: the files are put in their places and the map is checked (MAP-49, 53).
    Finish,
    /// The download ends without its files: a part file without a piece is deleted (MAP-51).
    Abandon,
}

/// A map and its pieces' hashes; or none of that name and version; or why it cannot be played or offered.
pub type Sought = Result<Option<(Found, Arc<[PieceHash]>)>, Refusal>;

/// What became of a [`Job`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// What there is of a level.
    Looked {
        /// The order's.
        ticket: u32,
        /// What was found of its map.
        map: Sought,
        /// The resource maps that are there.
        resources: FileSet,
    },
    /// A resource map.
    Hashed {
        /// The order's.
        ticket: u32,
        /// Which.
        file: File,
        /// Bytes, hash, pieces' hashes; or why it cannot be offered.
        answer: Result<(u32, FileHash, Arc<[PieceHash]>), Refusal>,
    },
    /// Whether the download may begin.
    Begun(Result<(), Fault>),
    /// What there was of a file.
    Resumed {
        /// Which.
        file: File,
        /// A bit a piece, least significant first, as long as its pieces take.
        pieces: Result<Vec<u8>, Fault>,
    },
    /// A piece was looked at. Its bytes come back, for the next.
    Took {
        /// Of that file.
        file: File,
        /// The piece.
        piece: u32,
        /// Its buffer, of any content.
        bytes: Vec<u8>,
        /// What became of it.
        outcome: Taken,
    },
    /// Whether the download is in its place and can be played.
    Finished(Result<Found, Fault>),
    /// A file that is shared cannot be read any more, or has changed: it is shared no longer.
    Lost(File),
    /// Something that is to be written down.
    Word(String),
}

/// What became of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is right, and written.
    Good,
    /// Its hash is another.
    Wrong,
    /// It could not be written.
    Failed(Fault),
}

/// The files that are shared, to read blocks of: the game's that were looked for and hashed, and what a download has of its own.
pub trait Shelf {
    /// Fills `into` from that place of the file.
    ///
    /// # Errors
    ///
    /// Where the file is not there, is shorter, or is not what was hashed any more: nothing of it is to be sent.
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal>;
}
