//! Hashes of pieces, several at once on each core, and of a whole file in slices. Knows no name.

use alloc::sync::Arc;
use alloc::vec::Vec;
use std::boxed::Box;
use std::io;
use std::thread;

use blake2b_simd::Params;
use blake2b_simd::many::{self, HashManyJob, hash_many};
use mjolnir_wire::mapshare::{FileHash, PIECE_BYTES, SHARED_FILE_MAX, pieces};

use super::folder::{Handle, Stat};
use super::{CORES, LANES, SLICE, WORTH, std};
use crate::hash::{self, PieceHash};

/// Appends the hashes of those pieces, in order: [`LANES`] at once where the machine's vectors are wide enough, and what is left over
/// one at a time, which is twice as fast as a vector with one piece in it.
pub fn hash_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, to: &mut Vec<PieceHash>) {
    let is_wide = many::degree() >= LANES;
    let mut params = Params::new();
    params.hash_length(size_of::<PieceHash>());
    let mut pieces = pieces.into_iter();
    loop {
        let mut batch: [&[u8]; LANES] = [&[]; LANES];
        let count = batch.iter_mut().zip(&mut pieces).map(|(place, piece)| *place = piece).count();
        if !is_wide || count < LANES {
            to.extend(batch.iter().take(count).map(|piece| hash::of_piece(piece)));
        } else {
            let mut jobs = batch.map(|piece| HashManyJob::new(&params, piece));
            hash_many(jobs.iter_mut());
            to.extend(jobs.iter().map(|job| {
                let mut hash = [0; size_of::<PieceHash>()];
                hash.copy_from_slice(job.to_hash().as_bytes());
                hash
            }));
        }
        if count < LANES {
            return;
        }
    }
}

/// What hashes files: the buffers of each core, kept from one file to the next.
#[derive(Debug)]
pub struct Engine {
    cores: Vec<Core>,
}

#[derive(Debug, Default)]
struct Core {
    buffer: Vec<u8>,
    /// Of its share of the slice; none of a piece that cannot be read.
    hashes: Vec<Option<PieceHash>>,
    error: Option<io::Error>,
}

/// Some pieces of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Bytes of the file.
    pub(super) size: u32,
    /// The first of them.
    pub(super) first: u32,
    /// How many.
    pub(super) count: u32,
}

/// Where a piece stands, and how long it is.
pub(super) fn place(size: u32, piece: u32) -> (u64, usize) {
    let offset = u64::from(piece) * u64::from(PIECE_BYTES);
    let length = u64::from(size).saturating_sub(offset).min(PIECE_BYTES.into());
    (offset, length as usize)
}

impl Engine {
    /// For as many cores as the machine has, [`CORES`] at most.
    pub fn new() -> Self {
        Self::on(thread::available_parallelism().map_or(1, |cores| cores.get().min(CORES)))
    }

    /// For that many cores.
    pub fn on(cores: usize) -> Self {
        Self { cores: (0..cores.max(1)).map(|_| Core::default()).collect() }
    }

    /// Pieces of a file's next slice, of so many that are left.
    pub(super) fn slice(&self, left: u32) -> u32 {
        let cores = if left >= WORTH { self.cores.len() as u32 } else { 1 };
        left.min(cores * SLICE)
    }

    /// Appends the hashes of pieces of a file, none for those that cannot be read; the error of one of them, if there is any.
    pub(super) fn hash(
        &mut self,
        handle: &dyn Handle,
        span: Span,
        to: &mut Vec<Option<PieceHash>>,
    ) -> Option<io::Error> {
        let used = (span.count.div_ceil(SLICE) as usize).clamp(1, self.cores.len());
        let share = span.count.div_ceil(used as u32);
        let mut work: Vec<(&mut Core, Span)> = Vec::with_capacity(used);
        let mut left = span;
        for core in self.cores.iter_mut().take(used) {
            let own = Span { count: share.min(left.count), ..left };
            left.first += own.count;
            left.count -= own.count;
            work.push((core, own));
        }
        thread::scope(|scope| {
            let mut work = work.into_iter();
            let own = work.next();
            for (core, span) in work {
                let name = thread::Builder::new().name("hash".into());
                // Where there can be no thread the core's share has no hashes, and is made up for below.
                let _ = name.spawn_scoped(scope, move || core.hash(handle, span));
            }
            if let Some((core, span)) = own {
                core.hash(handle, span);
            }
        });
        let (mut error, mut left) = (None, span);
        for core in self.cores.iter_mut().take(used) {
            let count = share.min(left.count);
            if core.hashes.len() != count as usize {
                core.hash(handle, Span { count, ..left });
            }
            to.append(&mut core.hashes);
            error = core.error.take().or(error);
            left.first += count;
            left.count -= count;
        }
        error
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Core {
    fn hash(&mut self, handle: &dyn Handle, span: Span) {
        self.hashes.clear();
        self.buffer.resize(LANES * PIECE_BYTES as usize, 0);
        let mut batch = Vec::with_capacity(LANES);
        let mut done = 0;
        while done < span.count {
            let first = span.first + done;
            let count = (span.count - done).min(LANES as u32);
            done += count;
            let (offset, _) = place(span.size, first);
            let (last, length) = place(span.size, first + count - 1);
            let bytes = (last - offset) as usize + length;
            let buffer = self.buffer.get_mut(..bytes).unwrap_or_default();
            match handle.read_at(offset, buffer) {
                Ok(()) => {
                    batch.clear();
                    hash_pieces(buffer.chunks(PIECE_BYTES as usize), &mut batch);
                    self.hashes.extend(batch.drain(..).map(Some));
                }
                Err(error) => {
                    self.error = Some(error);
                    self.hash_singly(handle, Span { first, count, ..span });
                }
            }
        }
    }

    /// Pieces among which there is one that cannot be read.
    fn hash_singly(&mut self, handle: &dyn Handle, span: Span) {
        for piece in span.first..span.first + span.count {
            let (offset, length) = place(span.size, piece);
            let buffer = self.buffer.get_mut(..length).unwrap_or_default();
            let is_read = handle.read_at(offset, buffer).is_ok();
            self.hashes.push(is_read.then(|| hash::of_piece(buffer)));
        }
    }
}

/// A file as it was hashed.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) handle: Arc<dyn Handle>,
    pub(super) stat: Stat,
    pub(super) size: u32,
    pub(super) hash: FileHash,
    pub(super) pieces: Arc<[PieceHash]>,
}

/// A whole file that is being hashed.
#[derive(Debug)]
pub(super) struct Hashing {
    handle: Arc<dyn Handle>,
    stat: Stat,
    size: u32,
    hashes: Vec<Option<PieceHash>>,
}

impl Hashing {
    /// Of that file, of 1 to [`SHARED_FILE_MAX`] bytes.
    pub(super) fn new(handle: Arc<dyn Handle>, stat: Stat) -> Self {
        let size = stat.length.min(SHARED_FILE_MAX) as u32;
        Self { handle, stat, size, hashes: Vec::with_capacity(pieces(size) as usize) }
    }

    /// Hashes a slice of it; the file, once it has a hash.
    pub(super) fn advance(&mut self, engine: &mut Engine) -> io::Result<Option<Box<Whole>>> {
        let first = self.hashes.len() as u32;
        let count = engine.slice(pieces(self.size) - first);
        let span = Span { size: self.size, first, count };
        if let Some(error) = engine.hash(&*self.handle, span, &mut self.hashes) {
            return Err(error);
        }
        if (self.hashes.len() as u32) < pieces(self.size) {
            return Ok(None);
        }
        if self.handle.stat()? != self.stat {
            return Err(io::Error::other("it is changed while it is read"));
        }
        let pieces: Arc<[PieceHash]> = self.hashes.iter().copied().flatten().collect();
        let hash = hash::of_pieces(self.size.into(), &pieces);
        let Self { handle, stat, size, .. } = self;
        Ok(Some(Box::new(Whole { handle: Arc::clone(handle), stat: *stat, size: *size, hash, pieces })))
    }
}
