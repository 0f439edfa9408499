//! Every kind of frame that carries a map: its number, its name, its sizes. Knows no connection.

use super::layouts::{SwarmBlock, SwarmHashes, SwarmHave, SwarmHello, SwarmPiece};
use super::{BLOCK_BYTES, FRAME_BODY_MAX, HASHES_MAX};
use crate::mapshare::PIECES_MAX;

/// What a frame is. Either end sends any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FrameKind {
    /// Who an end is, first and once.
    Hello = 1,
    /// What it has of a file.
    Have,
    /// It has one piece more.
    HavePiece,
    /// It asks for a piece.
    Request,
    /// It asks no more for it.
    Cancel,
    /// A part of a piece.
    Block,
    /// It asks for pieces' hashes.
    HashesRequest,
    /// Pieces' hashes.
    Hashes,
    /// It is there.
    Idle,
}

/// What the format says of one kind of frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameInfo {
    /// The kind.
    pub kind: FrameKind,
    /// Its name in the record.
    pub name: &'static str,
    /// The struct that its body begins with, if it has any.
    pub holds: Option<&'static str>,
    /// Bytes of the shortest body that is read.
    pub least: usize,
    /// Bytes of the longest.
    pub most: usize,
}

impl FrameInfo {
    const fn new(
        kind: FrameKind,
        name: &'static str,
        holds: &'static str,
        least: usize,
        most: usize,
    ) -> Self {
        Self { kind, name, holds: Some(holds), least, most }
    }

    const fn of_a_piece(kind: FrameKind, name: &'static str) -> Self {
        Self::new(kind, name, "SwarmPiece", SwarmPiece::SIZE, SwarmPiece::SIZE)
    }
}

/// Every kind of frame, by number.
pub const FRAMES: &[FrameInfo] = &[
    FrameInfo::new(FrameKind::Hello, "hello", "SwarmHello", SwarmHello::SIZE, SwarmHello::SIZE),
    FrameInfo::new(FrameKind::Have, "have", "SwarmHave", SwarmHave::SIZE, SwarmHave::SIZE + BITMAP_MAX),
    FrameInfo::of_a_piece(FrameKind::HavePiece, "have_piece"),
    FrameInfo::of_a_piece(FrameKind::Request, "request"),
    FrameInfo::of_a_piece(FrameKind::Cancel, "cancel"),
    FrameInfo::new(FrameKind::Block, "block", "SwarmBlock", SwarmBlock::SIZE, FRAME_BODY_MAX),
    FrameInfo::of_a_piece(FrameKind::HashesRequest, "hashes_request"),
    FrameInfo::new(FrameKind::Hashes, "hashes", "SwarmHashes", SwarmHashes::SIZE, FRAME_BODY_MAX),
    FrameInfo { kind: FrameKind::Idle, name: "idle", holds: None, least: 0, most: 0 },
];

/// Bytes of the longest bitmap.
const BITMAP_MAX: usize = PIECES_MAX.div_ceil(8) as usize;

const _: () = {
    assert!(FRAME_BODY_MAX == SwarmBlock::SIZE + BLOCK_BYTES as usize, "the longest block");
    assert!(FRAME_BODY_MAX == SwarmHashes::SIZE + 32 * HASHES_MAX, "the most hashes");
};
