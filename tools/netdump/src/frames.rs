//! The frames that carry maps: a stream of them cut into frames, and each as it is shown. Knows no address and no file.

use mjolnir_wire::Error;
use mjolnir_wire::mapshare::PIECE_BYTES;
use mjolnir_wire::shown::{Fields, hex};
use mjolnir_wire::swarm::{
    BLOCK_BYTES, FRAME_HEADER_BYTES, Frame, FrameKind, Header, SwarmBlock, SwarmHashes, SwarmHave,
    SwarmHeader, SwarmHello, SwarmPiece,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::reading::Misread;
use crate::streams::Splitter;

/// Splits a stream's bytes into frames. It holds less than one beside the bytes that it was last given.
#[derive(Debug, Default)]
pub struct FrameReader {
    bytes: Vec<u8>,
    read: usize,
}

impl Splitter for FrameReader {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.read);
        self.read = 0;
        self.bytes.extend_from_slice(bytes);
    }

    fn split(&mut self) -> Result<Option<&[u8]>, Error> {
        let from = self.read;
        let Some(head) = self.bytes[from..].first_chunk() else { return Ok(None) };
        let end = from + FRAME_HEADER_BYTES + Header::read(head)?.length;
        if self.bytes.len() < end {
            return Ok(None);
        }
        self.read = end;
        Ok(Some(&self.bytes[from..end]))
    }

    fn waiting(&self) -> usize {
        self.bytes.len() - self.read
    }

    /// With a frame that is whole and can be read; or with the beginning of a block, since few segments hold a whole one: 16 bytes
    /// of a file are hardly ever such a beginning by chance.
    fn begins(bytes: &[u8]) -> bool {
        let Some((head, body)) = bytes.split_first_chunk() else { return false };
        let Ok(header) = Header::read(head) else { return false };
        match (body.get(..header.length), header.info()) {
            (_, None) => false,
            (Some(body), Some(_)) => head[6..] == [0; 2] && Frame::read(header, body).is_ok(),
            (None, Some(info)) => {
                let block = SwarmBlock::read(body);
                let fits = |block: SwarmBlock| {
                    block.offset < PIECE_BYTES && block.offset.is_multiple_of(BLOCK_BYTES)
                };
                info.kind == FrameKind::Block && head[5] < 4 && head[6..] == [0; 2] && block.is_ok_and(fits)
            }
        }
    }
}

/// A frame, as far as its header says what it is.
#[derive(Clone, Copy, Debug)]
pub struct FrameReading<'a> {
    head: SwarmHeader,
    header: Header,
    body: &'a [u8],
    passed_over: Option<Error>,
}

impl<'a> FrameReading<'a> {
    /// A whole frame from its header on, to the byte; and why a receiver would close its connection. What it passes over is shown
    /// and not wrong.
    pub fn read(bytes: &'a [u8]) -> (Option<Self>, Option<Misread>) {
        let misread = |error: Error, offset| Some(Misread { error: error.reason(), offset });
        let Some((head, body)) = bytes.split_first_chunk() else {
            return (None, misread(Error::Truncated, bytes.len()));
        };
        let (head, header) = match (SwarmHeader::read(head), Header::read(head)) {
            (Ok(head), Ok(header)) => (head, header),
            (_, Err(error)) | (Err(error), _) => return (None, misread(error, 0)),
        };
        let (passed_over, wrong) = match Frame::read(header, body) {
            Ok(_) => (None, None),
            Err(error) if Frame::is_passed_over(error) => (Some(error), None),
            Err(error) => (None, misread(error, FRAME_HEADER_BYTES)),
        };
        (Some(Self { head, header, body, passed_over }), wrong)
    }

    /// Adds space, kind, name and fields.
    pub fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        to.serialize_entry("space", "swarm")?;
        to.serialize_entry("kind", &self.head.kind)?;
        to.serialize_entry("name", &self.header.info().map(|info| info.name))?;
        to.serialize_entry("fields", &FrameFields(self))
    }
}

struct FrameFields<'a>(&'a FrameReading<'a>);

impl Serialize for FrameFields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let FrameReading { head, header, body, passed_over } = self.0;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("length", &head.length)?;
        map.serialize_entry("file", &head.file)?;
        let rest = match header.info().map(|info| info.kind) {
            Some(FrameKind::Hello) => fields(SwarmHello::SIZE, SwarmHello::read, body, &mut map)?,
            Some(FrameKind::Have) => fields(SwarmHave::SIZE, SwarmHave::read, body, &mut map)?,
            Some(
                FrameKind::HavePiece | FrameKind::Request | FrameKind::Cancel | FrameKind::HashesRequest,
            ) => fields(SwarmPiece::SIZE, SwarmPiece::read, body, &mut map)?,
            Some(FrameKind::Block) => fields(SwarmBlock::SIZE, SwarmBlock::read, body, &mut map)?,
            Some(FrameKind::Hashes) => fields(SwarmHashes::SIZE, SwarmHashes::read, body, &mut map)?,
            Some(FrameKind::Idle) | None => body,
        };
        match header.info().map(|info| info.kind) {
            // A map's own bytes, of which there are thousands.
            Some(FrameKind::Block) => map.serialize_entry("bytes", &rest.len())?,
            Some(FrameKind::Hashes) => {
                map.serialize_entry("hashes", &rest.chunks(32).map(hex).collect::<Vec<_>>())?;
            }
            Some(FrameKind::Have) if !rest.is_empty() => map.serialize_entry("bitmap", &hex(rest))?,
            _ if !rest.is_empty() => map.serialize_entry("ignored", &hex(rest))?,
            _ => {}
        }
        if let Some(error) = passed_over {
            map.serialize_entry("refused", error.reason())?;
        }
        map.end()
    }
}

/// Adds the fields of what a body begins with, if it is that long; what follows it.
fn fields<'a, T: Fields, M: SerializeMap>(
    size: usize,
    read: fn(&[u8]) -> Result<T, Error>,
    body: &'a [u8],
    to: &mut M,
) -> Result<&'a [u8], M::Error> {
    match (read(body), body.get(size..)) {
        (Ok(value), Some(rest)) => value.fields(to).map(|()| rest),
        _ => Ok(body),
    }
}
