//! The pieces that are asked for and those at the disk, and the buffers that both take. Knows no end but by its number.

use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::File;

use super::wish::Conn;

/// Pieces asked for at once of one connection (MAP-27, 77).
pub const REQUESTS_PER_CONNECTION: usize = 2;
/// Pieces asked for at once, of all connections together (MAP-27).
pub const REQUESTS_MAX: usize = 16;
/// Pieces at the disk while which no other is asked for.
pub const AT_DISK_MAX: usize = 16;

/// A piece that an end is asked for. It is so until its last block is there.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) conn: Conn,
    pub(super) file: File,
    pub(super) piece: u32,
    /// When it was asked for.
    pub(super) asked: Moment,
    /// When a block of it came last, or of one that the end was asked for before: it answers in order.
    pub(super) heard: Moment,
    /// As far as it came. It takes a buffer with its first block.
    pub(super) bytes: Vec<u8>,
}

/// A piece that is hashed and written.
#[derive(Debug)]
struct AtDisk {
    file: File,
    piece: u32,
    /// Who sent it, all of it.
    from: IpAddr,
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Requests {
    /// As they were asked.
    pub(super) under_way: Vec<Request>,
    at_disk: Vec<AtDisk>,
    spare: Vec<Vec<u8>>,
    /// Bytes of the longest piece.
    buffer_bytes: usize,
}

impl Requests {
    pub(super) fn new(buffer_bytes: usize) -> Self {
        Self {
            under_way: Vec::with_capacity(REQUESTS_MAX),
            at_disk: Vec::with_capacity(REQUESTS_MAX + AT_DISK_MAX),
            spare: Vec::with_capacity(REQUESTS_MAX + AT_DISK_MAX),
            buffer_bytes,
        }
    }

    /// Whether one more may be asked for.
    pub(super) fn has_room(&self) -> bool {
        self.under_way.len() < REQUESTS_MAX && self.at_disk.len() < AT_DISK_MAX
    }

    /// Pieces at the disk.
    pub(super) fn at_disk(&self) -> usize {
        self.at_disk.len()
    }

    /// Where an end's request for a piece stands.
    pub(super) fn position(&self, conn: Conn, file: File, piece: u32) -> Option<usize> {
        self.under_way.iter().position(|one| one.conn == conn && one.file == file && one.piece == piece)
    }

    /// How many ends are asked for a piece.
    pub(super) fn asked(&self, file: File, piece: u32) -> usize {
        self.under_way.iter().filter(|one| one.file == file && one.piece == piece).count()
    }

    /// Whether a piece is asked for or at the disk.
    pub(super) fn is_busy(&self, file: File, piece: u32) -> bool {
        self.asked(file, piece) > 0 || self.at_disk.iter().any(|one| one.file == file && one.piece == piece)
    }

    /// Appends a block to the request at that place, and says how many bytes of its piece are there.
    pub(super) fn append(&mut self, now: Moment, at: usize, block: &[u8]) -> usize {
        let conn = self.under_way[at].conn;
        for one in self.under_way[at..].iter_mut().filter(|one| one.conn == conn) {
            one.heard = now;
        }
        let bytes = &mut self.under_way[at].bytes;
        if bytes.capacity() == 0 {
            *bytes = self.spare.pop().unwrap_or_default();
        }
        if bytes.capacity() < self.buffer_bytes {
            bytes.reserve_exact(self.buffer_bytes - bytes.len());
        }
        bytes.extend_from_slice(block);
        bytes.len()
    }

    /// The piece of the request at that place is there, and goes to the disk.
    pub(super) fn hand_over(&mut self, at: usize, from: IpAddr) -> Vec<u8> {
        let Request { file, piece, bytes, .. } = self.under_way.remove(at);
        self.at_disk.push(AtDisk { file, piece, from });
        bytes
    }

    /// A piece comes back from the disk, with its buffer: who sent it, if it was there.
    pub(super) fn take_back(&mut self, file: File, piece: u32, bytes: Vec<u8>) -> Option<IpAddr> {
        self.spare(bytes);
        let at = self.at_disk.iter().position(|one| one.file == file && one.piece == piece)?;
        Some(self.at_disk.swap_remove(at).from)
    }

    /// The request at that place ends, and its buffer is free: whose it was, of which piece, and how many bytes of that came.
    pub(super) fn end(&mut self, at: usize) -> (Conn, File, u32, u32) {
        let Request { conn, file, piece, bytes, .. } = self.under_way.remove(at);
        let came = bytes.len() as u32;
        self.spare(bytes);
        (conn, file, piece, came)
    }

    /// No piece is asked for any more.
    pub(super) fn drop_buffers(&mut self) {
        self.spare = Vec::new();
    }

    fn spare(&mut self, mut bytes: Vec<u8>) {
        if bytes.capacity() > 0 && self.spare.len() < REQUESTS_MAX + AT_DISK_MAX {
            bytes.clear();
            self.spare.push(bytes);
        }
    }
}
