//! What is known of one end of a connection: what it has, what it is asked for, what it did wrong. Knows no other end.

use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::mapshare::File;

use super::hashes::List;
use super::set::PieceSet;
use super::wish::{Conn, Rank, Refused};

/// Blocks not due for which a connection closes (MAP-78).
pub const BAD_BLOCKS_MAX: u8 = 3;
/// Cancelled pieces of an end that are remembered: what was on its way of more than these is not due.
const CANCELLED_MAX: usize = 16;

/// What an end has of a file.
#[derive(Debug, Default)]
pub(super) enum Holds {
    /// It has not said so, or of another file.
    #[default]
    Unsaid,
    /// All.
    Whole,
    /// Those.
    Some(PieceSet),
}

impl Holds {
    pub(super) fn contains(&self, piece: u32) -> bool {
        match self {
            Self::Unsaid => false,
            Self::Whole => true,
            Self::Some(set) => set.contains(piece),
        }
    }

    pub(super) fn is_any(&self) -> bool {
        match self {
            Self::Unsaid => false,
            Self::Whole => true,
            Self::Some(set) => set.len() > 0,
        }
    }
}

/// A piece that was cancelled, and the blocks of it that may be on their way (MAP-80).
#[derive(Clone, Copy, Debug)]
struct Cancelled {
    file: File,
    piece: u32,
    blocks: u32,
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct End {
    pub(super) conn: Conn,
    pub(super) address: IpAddr,
    pub(super) rank: Rank,
    /// By file.
    pub(super) holds: [Holds; File::ALL.len()],
    /// It sent no wrong piece (MAP-33).
    pub(super) gives: bool,
    /// It sent a right one.
    pub(super) gave: bool,
    /// It sent no wrong hashes (MAP-30, 31, 79).
    pub(super) tells: bool,
    /// The hashes that it is asked for, as far as they came.
    pub(super) list: Option<List>,
    /// Pieces that it is asked for.
    pub(super) requests: usize,
    /// Requests that it was too slow for, since a piece of it came.
    pub(super) late: u32,
    /// When it was last asked, beside others.
    pub(super) turn: u64,
    /// There is nothing to ask of it, until something changes.
    pub(super) is_dry: bool,
    bad_blocks: u8,
    cancelled: Vec<Cancelled>,
}

impl End {
    pub(super) fn new(conn: Conn, address: IpAddr, rank: Rank) -> Self {
        Self {
            conn,
            address,
            rank,
            holds: Default::default(),
            gives: true,
            gave: false,
            tells: true,
            list: None,
            requests: 0,
            late: 0,
            turn: 0,
            is_dry: true,
            bad_blocks: 0,
            cancelled: Vec::with_capacity(CANCELLED_MAX),
        }
    }

    /// Whether it has that piece and may be asked for pieces.
    pub(super) fn offers(&self, file: File, piece: u32) -> bool {
        self.gives && self.holds[file.index()].contains(piece)
    }

    /// It is told to stop sending a piece, of which so many blocks did not come.
    pub(super) fn cancel(&mut self, file: File, piece: u32, blocks: u32) {
        match self.cancelled.iter_mut().find(|one| one.file == file && one.piece == piece) {
            Some(one) => one.blocks += blocks,
            None => {
                if self.cancelled.len() == CANCELLED_MAX {
                    self.cancelled.remove(0);
                }
                self.cancelled.push(Cancelled { file, piece, blocks });
            }
        }
    }

    /// A block came that nothing asks for. It may have been on its way as its piece was cancelled.
    pub(super) fn drop_block(&mut self, file: File, piece: u32) -> Result<(), Refused> {
        if let Some(at) = self.cancelled.iter().position(|one| one.file == file && one.piece == piece) {
            let one = &mut self.cancelled[at];
            one.blocks -= 1;
            if one.blocks == 0 {
                self.cancelled.remove(at);
            }
            return Ok(());
        }
        self.bad_blocks = self.bad_blocks.saturating_add(1);
        Err(if self.bad_blocks < BAD_BLOCKS_MAX { Refused::Block } else { Refused::Blocks })
    }
}

/// Addresses that did something wrong, the latest of them: who connects again is still known.
#[derive(Debug, Default)]
pub(super) struct Blamed(Vec<IpAddr>);

impl Blamed {
    /// Addresses that are remembered.
    const MAX: usize = 64;

    pub(super) fn insert(&mut self, address: IpAddr) {
        if !self.contains(address) {
            if self.0.len() == Self::MAX {
                self.0.remove(0);
            }
            self.0.push(address);
        }
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}
