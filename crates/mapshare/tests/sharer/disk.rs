//! A disk in memory that does each job at once, as the jobs' own texts say. Knows no rule of map sharing.

use std::collections::BTreeMap;
use std::sync::Arc;

use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::{Done, Fault, Found, Job, Offered, Shelf, Taken};
use mjolnir_wire::mapshare::{File, FileHash, FileSet, PIECE_BYTES, Refusal, pieces};

/// A file's bytes of that seed.
pub(crate) fn bytes(seed: u8, size: usize) -> Vec<u8> {
    (0..size).map(|at| (at as u32).wrapping_mul(31).wrapping_add((at >> 8) as u32 * 7) as u8 ^ seed).collect()
}

pub(crate) fn hashes(bytes: &[u8]) -> Arc<[PieceHash]> {
    bytes.chunks(PIECE_BYTES as usize).map(of_piece).collect()
}

pub(crate) fn hash(bytes: &[u8]) -> FileHash {
    of_pieces(bytes.len() as u64, &hashes(bytes))
}

/// A file that comes.
#[derive(Debug)]
struct Part {
    offered: Offered,
    bytes: Vec<u8>,
    had: Vec<u8>,
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// What there is: maps by level, resource maps.
    pub(crate) maps: BTreeMap<String, Vec<u8>>,
    pub(crate) resources: BTreeMap<File, Vec<u8>>,
    /// What each map needs.
    pub(crate) needs: FileSet,
    /// The next write fails so.
    pub(crate) fault: Option<Fault>,
    level: String,
    parts: Vec<Part>,
    /// What is shared: what was looked for, hashed and downloaded.
    shelf: BTreeMap<File, Vec<u8>>,
    pub(crate) looks: usize,
    pub(crate) hashed: usize,
}

impl Disk {
    pub(crate) fn do_job(&mut self, job: Job) -> Option<Done> {
        Some(match job {
            Job::Look { ticket, level, version } => {
                self.looks += 1;
                let found =
                    self.maps.get(&level).filter(|bytes| version.is_none_or(|v| hash(bytes).version() == v));
                if let Some(bytes) = found {
                    self.shelf.insert(File::Map, bytes.clone());
                }
                let map = found.map(|bytes| (self.found(&level, bytes), hashes(bytes)));
                let resources = self.resources.keys().copied().fold(FileSet::NONE, FileSet::with);
                Done::Looked { ticket, map: Ok(map), resources }
            }
            Job::Hash { ticket, file } => {
                self.hashed += 1;
                let answer = match self.resources.get(&file) {
                    None => Err(Refusal::CannotBeRead),
                    Some(bytes) => {
                        self.shelf.insert(file, bytes.clone());
                        Ok((bytes.len() as u32, hash(bytes), hashes(bytes)))
                    }
                };
                Done::Hashed { ticket, file, answer }
            }
            Job::Begin { level, offers } => {
                self.level = level;
                let keep = |part: &Part| offers.contains(&part.offered);
                self.parts.retain(keep);
                for offered in offers {
                    if !self.parts.iter().any(|part| part.offered == offered) {
                        let had = vec![0; pieces(offered.size).div_ceil(8) as usize];
                        self.parts.push(Part { offered, bytes: vec![0; offered.size as usize], had });
                    }
                }
                Done::Begun(Ok(()))
            }
            Job::Resume { file, .. } => Done::Resumed { file, pieces: Ok(self.part(file).had.clone()) },
            Job::Take { file, piece, bytes, hash } => {
                let outcome = if of_piece(&bytes) != hash {
                    Taken::Wrong
                } else if let Some(fault) = self.fault.take() {
                    Taken::Failed(fault)
                } else {
                    let at = (piece * PIECE_BYTES) as usize;
                    let part = self.part(file);
                    part.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
                    part.had[piece as usize / 8] |= 1 << (piece % 8);
                    Taken::Good
                };
                Done::Took { file, piece, bytes, outcome }
            }
            Job::Finish => {
                for part in std::mem::take(&mut self.parts) {
                    assert_eq!(hash(&part.bytes), part.offered.hash);
                    self.shelf.insert(part.offered.file, part.bytes.clone());
                    match part.offered.file {
                        File::Map => self.maps.insert(self.level.clone(), part.bytes),
                        resource => self.resources.insert(resource, part.bytes),
                    };
                }
                Done::Finished(Ok(self.found(&self.level, &self.maps[&self.level])))
            }
            Job::Abandon => {
                self.parts.retain(|part| part.had.iter().any(|bits| *bits != 0));
                return None;
            }
        })
    }

    fn found(&self, level: &str, bytes: &[u8]) -> Found {
        Found { name: level.into(), size: bytes.len() as u32, hash: hash(bytes), needs: self.needs }
    }

    fn part(&mut self, file: File) -> &mut Part {
        self.parts.iter_mut().find(|part| part.offered.file == file).unwrap()
    }

    /// Bytes of pieces that it has of what comes.
    pub(crate) fn part_pieces(&self) -> u32 {
        self.parts.iter().flat_map(|part| &part.had).map(|bits| bits.count_ones()).sum()
    }
}

impl Shelf for Disk {
    fn read(&mut self, file: File, offset: u64, into: &mut [u8]) -> Result<(), Refusal> {
        let part = self.parts.iter().find(|part| part.offered.file == file).map(|part| &part.bytes);
        let bytes = part.or_else(|| self.shelf.get(&file)).ok_or(Refusal::CannotBeRead)?;
        let at = offset as usize;
        into.copy_from_slice(bytes.get(at..at + into.len()).ok_or(Refusal::CannotBeRead)?);
        Ok(())
    }
}
