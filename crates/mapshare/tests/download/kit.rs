//! A download beside what its files truly are. Knows what the tests tell it.

use std::net::{IpAddr, Ipv4Addr};

use mjolnir_mapshare::download::{Conn, Download, Rank, Refused, Wish};
use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::{Job, Offered, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, PIECE_BYTES};
use mjolnir_wire::swarm::{BLOCK_BYTES, HASHES_MAX, Have};

/// Bytes of so many whole pieces.
pub(crate) const fn whole(pieces: u32) -> u32 {
    pieces * PIECE_BYTES
}

/// A file as it truly is.
#[derive(Clone)]
pub(crate) struct Truth {
    pub(crate) offered: Offered,
    pub(crate) bytes: Vec<u8>,
    pub(crate) hashes: Vec<PieceHash>,
}

impl Truth {
    /// Of that size; no two pieces of it are alike.
    pub(crate) fn new(file: File, size: u32) -> Self {
        let byte = |i: u32| (i / PIECE_BYTES * 7 + i / 4096 + 31 * i + u32::from(file.get())) as u8;
        let bytes: Vec<u8> = (0..size).map(byte).collect();
        let hashes: Vec<_> = bytes.chunks(PIECE_BYTES as usize).map(of_piece).collect();
        Self { offered: Offered { file, size, hash: of_pieces(size.into(), &hashes) }, bytes, hashes }
    }

    /// Of so many pieces whose bytes are nobody's: their hashes alone.
    pub(crate) fn hashes_only(file: File, pieces: u32) -> Self {
        let hashes: Vec<_> = (0..pieces).map(|piece| of_piece(&piece.to_le_bytes())).collect();
        let size = pieces.saturating_mul(PIECE_BYTES).max(PIECE_BYTES - 1);
        let size = if pieces == 16_384 { u32::MAX } else { size };
        Self {
            offered: Offered { file, size, hash: of_pieces(size.into(), &hashes) },
            bytes: Vec::new(),
            hashes,
        }
    }

    pub(crate) fn pieces(&self) -> u32 {
        self.hashes.len() as u32
    }

    pub(crate) fn piece(&self, piece: u32) -> &[u8] {
        self.bytes.chunks(PIECE_BYTES as usize).nth(piece as usize).unwrap_or_default()
    }

    /// A bit for each of those pieces.
    pub(crate) fn bitmap(&self, pieces: impl IntoIterator<Item = u32>) -> Vec<u8> {
        let mut bitmap = vec![0; self.pieces().div_ceil(8) as usize];
        pieces.into_iter().for_each(|piece| bitmap[piece as usize / 8] |= 1 << (piece % 8));
        bitmap
    }
}

/// Where that end is.
pub(crate) fn address(conn: Conn) -> IpAddr {
    Ipv4Addr::from_bits(0x0A00_0000 + conn.0).into()
}

/// A download, the time, and what its files are.
pub(crate) struct Scene {
    pub(crate) download: Download,
    pub(crate) now: Moment,
    pub(crate) files: Vec<Truth>,
    pub(crate) wishes: Vec<Wish>,
}

impl Scene {
    /// It begins with that seed, a minute after the process.
    pub(crate) fn new(files: Vec<Truth>, seed: u64) -> Self {
        let now = Moment::from_millis(60_000);
        let offers: Vec<_> = files.iter().map(|file| file.offered).collect();
        Self { download: Download::new(now, &offers, seed), now, files, wishes: Vec::new() }
    }

    /// One file of so many whole pieces, whose hashes are there and of which nothing is had; nobody but the host's connection
    /// (number 0) is there, which has none of it any more.
    pub(crate) fn open(pieces: u32, seed: u64) -> Self {
        Self::open_all(vec![Truth::new(File::Map, whole(pieces))], seed)
    }

    /// The same, of those files.
    pub(crate) fn open_all(files: Vec<Truth>, seed: u64) -> Self {
        let mut scene = Self::told(files, seed);
        for file in scene.files.clone() {
            scene.resume(file.offered.file, []);
        }
        scene.drain();
        scene.wishes.clear();
        scene
    }

    /// The same, before their part files are looked at.
    pub(crate) fn told(files: Vec<Truth>, seed: u64) -> Self {
        let mut scene = Self::new(files, seed);
        let host = scene.add(0, Rank::Host);
        for file in scene.files.clone() {
            scene.have_all(0, file.offered.file);
            scene.drain();
            scene.tell(host, &file);
            scene.have(0, file.offered.file, []);
        }
        scene.drain();
        scene.wishes.clear();
        scene
    }

    /// A part file has those pieces.
    pub(crate) fn resume(&mut self, file: File, pieces: impl IntoIterator<Item = u32>) {
        let bitmap = self.truth(file).bitmap(pieces);
        self.download.resumed(self.now, file, Ok(bitmap));
    }

    pub(crate) fn truth(&self, file: File) -> &Truth {
        self.files.iter().find(|truth| truth.offered.file == file).unwrap()
    }

    /// An end of that number says hello.
    pub(crate) fn add(&mut self, conn: u32, rank: Rank) -> Conn {
        self.download.add(Conn(conn), address(Conn(conn)), rank);
        Conn(conn)
    }

    /// It has the whole of a file.
    pub(crate) fn have_all(&mut self, conn: u32, file: File) {
        let Offered { hash, size, .. } = self.truth(file).offered;
        self.download.handle_have(Conn(conn), file, &Have { hash, size, bitmap: None });
    }

    /// It has those pieces of a file.
    pub(crate) fn have(&mut self, conn: u32, file: File, pieces: impl IntoIterator<Item = u32>) {
        let Offered { hash, size, .. } = self.truth(file).offered;
        let bitmap = self.truth(file).bitmap(pieces);
        self.download.handle_have(Conn(conn), file, &Have { hash, size, bitmap: Some(&bitmap) });
    }

    /// A source of the whole map, of those numbers.
    pub(crate) fn sources(&mut self, conns: impl IntoIterator<Item = u32>) {
        for conn in conns {
            self.add(conn, Rank::Named);
            self.have_all(conn, File::Map);
        }
    }

    /// It sends all hashes of a file.
    pub(crate) fn tell(&mut self, conn: Conn, file: &Truth) {
        for (at, hashes) in file.hashes.chunks(HASHES_MAX).enumerate() {
            let first = (at * HASHES_MAX) as u32;
            let told = self.download.handle_hashes(self.now, conn, file.offered.file, first, hashes);
            assert_eq!(told, Ok(()));
        }
    }

    /// What is wanted now; all of it is kept, too.
    pub(crate) fn drain(&mut self) -> Vec<Wish> {
        let wishes: Vec<_> = std::iter::from_fn(|| self.download.next_wish(self.now)).collect();
        self.wishes.extend(wishes.iter().cloned());
        wishes
    }

    /// Of what is wanted now, whom it is asked of, and which pieces of the map.
    pub(crate) fn requests(&mut self) -> Vec<(u32, u32)> {
        requests(&self.drain())
    }

    /// A block of a piece of the map, as it truly is, from `offset` on.
    pub(crate) fn block(&mut self, conn: u32, piece: u32, offset: u32) -> Result<bool, Refused> {
        let bytes = self.truth(File::Map).piece(piece);
        let end = bytes.len().min((offset + BLOCK_BYTES) as usize);
        let bytes = bytes[offset as usize..end].to_vec();
        self.download.handle_block(self.now, Conn(conn), File::Map, piece, offset, &bytes)
    }

    /// The blocks of a piece of the map from that one on, as they truly are.
    pub(crate) fn blocks_from(&mut self, conn: u32, piece: u32, first: u32) {
        let length = self.truth(File::Map).piece(piece).len() as u32;
        for offset in (first * BLOCK_BYTES..length).step_by(BLOCK_BYTES as usize) {
            assert_eq!(self.block(conn, piece, offset), Ok(true), "piece {piece} at {offset}");
        }
    }

    /// A whole piece of the map, as it truly is; it is had.
    pub(crate) fn piece(&mut self, conn: u32, piece: u32) {
        self.blocks_from(conn, piece, 0);
        self.disk();
    }

    /// The disk does what is wanted of it; what else is wanted stands in `wishes`.
    pub(crate) fn disk(&mut self) -> Vec<Wish> {
        let mut others = Vec::new();
        loop {
            let wishes = self.drain();
            if wishes.is_empty() {
                return others;
            }
            for wish in wishes {
                match wish {
                    Wish::Job(Job::Take { file, piece, bytes, hash }) => {
                        let outcome = if of_piece(&bytes) == hash { Taken::Good } else { Taken::Wrong };
                        self.download.took(self.now, file, piece, bytes, outcome);
                    }
                    other => others.push(other),
                }
            }
        }
    }

    /// So many milliseconds pass, and what is due then is done.
    pub(crate) fn pass(&mut self, millis: u64) {
        self.now = self.now.plus(millis * 1000);
        self.download.poll(self.now);
    }
}

/// Of wishes, whom which pieces are asked of.
pub(crate) fn requests(wishes: &[Wish]) -> Vec<(u32, u32)> {
    let request = |wish: &Wish| match wish {
        Wish::Request(conn, _, piece) => Some((conn.0, *piece)),
        _ => None,
    };
    wishes.iter().filter_map(request).collect()
}

/// Of wishes, who is to send which pieces no more.
pub(crate) fn cancels(wishes: &[Wish]) -> Vec<(u32, u32)> {
    let cancel = |wish: &Wish| match wish {
        Wish::Cancel(conn, _, piece) => Some((conn.0, *piece)),
        _ => None,
    };
    wishes.iter().filter_map(cancel).collect()
}
