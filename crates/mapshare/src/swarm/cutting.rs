//! Frames out of bytes that come cut anywhere: at most the one at hand is kept, and nothing of one whose header says that it is
//! too long (MAP-73, 83). Knows no frame's meaning.

use alloc::vec::Vec;

use mjolnir_wire::swarm::{FRAME_HEADER_BYTES, Header};

/// What of a frame has come.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    kept: Vec<u8>,
}

/// What bytes begin with.
pub(super) enum Cut<'a> {
    /// A frame, and the bytes after it.
    Frame(Header, &'a [u8], &'a [u8]),
    /// The frame at hand is whole; the bytes after it.
    Kept(&'a [u8]),
    /// A part of one, which is kept.
    Part,
    /// A header that says more than any frame has, or more than is allowed now.
    TooLong,
}

impl Cutter {
    /// Takes the first frame off the bytes. A body over `most` bytes is refused by its header.
    pub(super) fn cut<'a>(&mut self, bytes: &'a [u8], most: usize) -> Cut<'a> {
        if self.kept.is_empty() {
            let Some((head, rest)) = bytes.split_first_chunk::<FRAME_HEADER_BYTES>() else {
                return self.keep(bytes);
            };
            return match Header::read(head) {
                Ok(header) if header.length <= most => match rest.split_at_checked(header.length) {
                    Some((body, rest)) => Cut::Frame(header, body, rest),
                    None => self.keep_of(FRAME_HEADER_BYTES + header.length, bytes),
                },
                _ => Cut::TooLong,
            };
        }
        let lacked = FRAME_HEADER_BYTES.saturating_sub(self.kept.len());
        let (head, bytes) = bytes.split_at(lacked.min(bytes.len()));
        self.kept.extend_from_slice(head);
        let Some(header) = self.kept.first_chunk().map(Header::read) else {
            return Cut::Part;
        };
        let length = match header {
            Ok(header) if header.length <= most => FRAME_HEADER_BYTES + header.length,
            _ => return Cut::TooLong,
        };
        let (body, rest) = bytes.split_at((length - self.kept.len()).min(bytes.len()));
        self.keep_of(length, body);
        if self.kept.len() == length { Cut::Kept(rest) } else { Cut::Part }
    }

    /// The frame at hand, once it is whole.
    pub(super) fn kept(&self) -> Option<(Header, &[u8])> {
        let (head, body) = self.kept.split_first_chunk()?;
        let header = Header::read(head).ok()?;
        (body.len() == header.length).then_some((header, body))
    }

    /// The frame at hand is done with. Its place stays, for the next.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    fn keep<'a>(&mut self, bytes: &[u8]) -> Cut<'a> {
        self.kept.extend_from_slice(bytes);
        Cut::Part
    }

    /// Keeps a part of a frame of that length, for which there is place at once and never more.
    fn keep_of<'a>(&mut self, length: usize, bytes: &[u8]) -> Cut<'a> {
        self.kept.reserve_exact(length - self.kept.len());
        self.keep(bytes)
    }
}
