//! The frame of every message: the header word, the distributed header, and a message's checked bounds (FACT
//! wire 1.2, 1.3). Knows no entry.

use crate::error::Error;
use crate::kinds::Kind;
use crate::limits::{HEADER_BYTES, MESSAGE_BYTES};
use crate::time::Tick;

/// What a message is, by its header word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageType {
    /// Text for nobody: read over (WIRE-94).
    Error = 1,
    /// A distributed message: this netcode's.
    Data = 2,
    /// One of the game's own packets.
    Packet = 3,
}

/// Reads a header word: the type, and the bytes of the whole message with the word included.
pub const fn read_word(word: [u8; 2]) -> Result<(MessageType, usize), Error> {
    let word = u16::from_be_bytes(word);
    let length = (word >> 4) as usize;
    if word & 3 != 0 {
        return Err(Error::BadFlag);
    }
    let of = match word >> 2 & 3 {
        1 => MessageType::Error,
        2 => MessageType::Data,
        3 => MessageType::Packet,
        _ => return Err(Error::UnknownKind),
    };
    if length < 2 { Err(Error::Truncated) } else { Ok((of, length)) }
}

/// The header word of a message of so many bytes.
pub const fn word(of: MessageType, length: usize) -> Result<[u8; 2], Error> {
    if length < 2 {
        return Err(Error::Truncated);
    }
    if length > MESSAGE_BYTES {
        return Err(Error::TooLong);
    }
    Ok(((length as u16) << 4 | (of as u16) << 2).to_be_bytes())
}

/// A distributed message whose bounds are checked: of a known kind, with room for the entries it counts
/// (WIRE-60). The entries themselves are not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its count: entries, where the kind counts them.
    pub count: u8,
    /// The sender's tick.
    pub tick: Tick,
    /// What follows the header.
    pub body: &'a [u8],
}

impl<'a> Message<'a> {
    /// Reads a whole message from its header word on, as a stream frames it.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let Some((word, _)) = bytes.split_first_chunk() else {
            return Err(Error::Truncated);
        };
        match read_word(*word)? {
            (MessageType::Data, length) if length == bytes.len() => {}
            (MessageType::Data, length) if length > bytes.len() => return Err(Error::Truncated),
            (MessageType::Data, _) => return Err(Error::TrailingBytes),
            _ => return Err(Error::UnknownKind),
        }
        Self::read_after_word(&bytes[2..])
    }

    /// Reads what follows the word, or the length of a batch's part: the six bytes of kind, count and tick,
    /// and the entries.
    pub fn read_after_word(bytes: &'a [u8]) -> Result<Self, Error> {
        let Some(([kind, count, a, b, c, d], body)) = bytes.split_first_chunk() else {
            return Err(Error::Truncated);
        };
        let kind = Kind::new(*kind)?;
        let tick = Tick::read(i32::from_le_bytes([*a, *b, *c, *d]))?;
        let info = kind.info();
        if *count < info.least || *count > info.most && kind.refuses_more() {
            return Err(Error::BadFlag);
        }
        let entries = if info.counted { usize::from(*count) * info.entry } else { 0 };
        if body.len() < info.prefix + entries {
            return Err(Error::Truncated);
        }
        if kind.is_exact() && body.len() > info.prefix + entries {
            return Err(Error::TrailingBytes);
        }
        Ok(Self { kind, count: *count, tick, body })
    }

    /// The entries of a kind whose entries are all of one size, as slices of that size.
    pub fn entries(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let info = self.kind.info();
        let end = info.prefix + usize::from(self.count) * info.entry;
        self.body[info.prefix..end].chunks_exact(info.entry.max(1))
    }
}

/// Writes a message's header with a length still to come; [`finish`] fills it in.
pub(crate) fn begin(to: &mut alloc::vec::Vec<u8>, kind: Kind, count: u8, tick: Tick) -> usize {
    let at = to.len();
    to.extend_from_slice(&[0, 0, kind as u8, count]);
    to.extend_from_slice(&tick.get().to_le_bytes());
    debug_assert_eq!(to.len() - at, HEADER_BYTES);
    at
}

/// Fills in the word of the message that began at `at` and ends where `to` does. On an error `to` ends at `at`.
pub(crate) fn finish(to: &mut alloc::vec::Vec<u8>, at: usize, of: MessageType) -> Result<(), Error> {
    match word(of, to.len() - at) {
        Ok(word) => {
            to[at..at + 2].copy_from_slice(&word);
            Ok(())
        }
        Err(error) => {
            to.truncate(at);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WIRE-58: big-endian, flags 0, type, length with the word itself.
    #[test]
    fn the_word_holds_type_and_length() {
        assert_eq!(word(MessageType::Data, 8), Ok([0x00, 0x88]));
        assert_eq!(read_word([0x00, 0x88]), Ok((MessageType::Data, 8)));
        for length in [2, 4095] {
            assert_eq!(
                read_word(word(MessageType::Packet, length).unwrap()),
                Ok((MessageType::Packet, length))
            );
        }
        assert_eq!(word(MessageType::Data, 4096), Err(Error::TooLong));
        assert_eq!(word(MessageType::Data, 1), Err(Error::Truncated));
        assert_eq!(read_word([0x00, 0x89]), Err(Error::BadFlag));
        assert_eq!(read_word([0x00, 0x8A]), Err(Error::BadFlag));
        assert_eq!(read_word([0x00, 0x80]), Err(Error::UnknownKind));
        assert_eq!(read_word([0x00, 0x18]), Err(Error::Truncated));
    }

    /// WIRE-60: one byte short of the counted entries is dropped whole, bytes past them are ignored.
    #[test]
    fn a_message_has_room_for_what_it_counts() {
        let mut bytes = alloc::vec![19, 2, 5, 0, 0, 0];
        bytes.extend_from_slice(&[0; 7]);
        assert_eq!(Message::read_after_word(&bytes), Err(Error::Truncated));
        bytes.push(0);
        assert_eq!(Message::read_after_word(&bytes).unwrap().entries().count(), 2);
        bytes.extend_from_slice(&[9; 5]);
        assert_eq!(Message::read_after_word(&bytes).unwrap().entries().count(), 2);
    }

    /// WIRE-50, 65, 66: a count past the most is refused where the kind says so, taken where it does not.
    #[test]
    fn a_count_past_the_most_is_refused_where_the_kind_says_so() {
        for (kind, entry, most, refuses) in
            [(9, 0, 1, true), (80, 8, 1, true), (87, 44, 4, true), (90, 4, 1, true), (14, 52, 4, false)]
        {
            let mut bytes = alloc::vec![kind, most, 0, 0, 0, 0];
            bytes.extend(core::iter::repeat_n(0, entry * usize::from(most)));
            assert!(Message::read_after_word(&bytes).is_ok(), "{kind}");
            bytes.extend(core::iter::repeat_n(0, entry));
            bytes[1] += 1;
            assert_eq!(Message::read_after_word(&bytes).err(), refuses.then_some(Error::BadFlag), "{kind}");
        }
    }

    /// WIRE-66: these kinds mean something only with an entry.
    #[test]
    fn a_kind_that_needs_an_entry_is_refused_without() {
        for kind in [65, 66, 69, 70, 80, 81, 82, 90] {
            let bytes = [&[kind, 0, 0, 0, 0, 0][..], &[0; 200]].concat();
            assert_eq!(Message::read_after_word(&bytes), Err(Error::BadFlag), "{kind}");
        }
    }

    /// WIRE-60: the aim assist policy is exactly its bytes.
    #[test]
    fn an_exact_kind_has_not_a_byte_more() {
        let bytes = [90, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0];
        assert_eq!(Message::read_after_word(&bytes), Err(Error::TrailingBytes));
        assert!(Message::read_after_word(&bytes[..10]).is_ok());
        assert_eq!(Message::read_after_word(&bytes[..9]), Err(Error::Truncated));
    }

    /// WIRE-05, WIRE-06 (in part: the header's word), WIRE-66: a negative stamp, a kind that is none, and a count below
    /// the kind's least.
    #[test]
    fn a_header_that_means_nothing_is_refused() {
        for kind in [0, 20, 63, 67, 91, 250] {
            assert_eq!(Message::read_after_word(&[kind, 0, 0, 0, 0, 0]), Err(Error::UnknownKind), "{kind}");
        }
        assert_eq!(Message::read_after_word(&[8, 0, 0, 0, 0, 0x80]), Err(Error::BadTick));
        assert_eq!(Message::read_after_word(&[65, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Error::BadFlag));
        assert_eq!(Message::read_after_word(&[8, 0, 0, 0, 0]), Err(Error::Truncated));
    }
}
