//! How messages stand in a stream and in a datagram (FACT wire 1.7). Knows no socket.

use alloc::vec::Vec;

use crate::error::Error;
use crate::limits::MESSAGE_BYTES;
use crate::message::{MessageType, read_word};

/// Splits a stream's bytes into messages, however the network cut them (NET-49). It holds less than one message
/// beside the bytes that it was last given.
#[derive(Debug, Default)]
pub struct StreamReader {
    bytes: Vec<u8>,
    read: usize,
}

impl StreamReader {
    /// With room for a full message, so that reading allocates nothing more in a steady game.
    pub fn new() -> Self {
        Self { bytes: Vec::with_capacity(2 * MESSAGE_BYTES), read: 0 }
    }

    /// Takes what came.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.bytes.drain(..self.read);
            self.read = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes of a message that is not whole yet.
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.read
    }

    /// The next whole message with its type, from its header word on. An error is a damaged stream, which
    /// cannot be read on: it should be closed (NET-32).
    pub fn next_message(&mut self) -> Result<Option<(MessageType, &[u8])>, Error> {
        let Some(word) = self.bytes[self.read..].first_chunk() else {
            return Ok(None);
        };
        let (of, length) = read_word(*word)?;
        let from = self.read;
        if self.bytes.len() - from < length {
            return Ok(None);
        }
        self.read += length;
        Ok(Some((of, &self.bytes[from..self.read])))
    }
}

/// Reads a datagram as the one message it must be (NET-48): more than two bytes, and as many as its word says.
pub const fn read_datagram(bytes: &[u8]) -> Result<(MessageType, &[u8]), Error> {
    match bytes {
        [a, b, _, ..] => match read_word([*a, *b]) {
            Ok((of, length)) if length == bytes.len() => Ok((of, bytes)),
            Ok((_, length)) if length > bytes.len() => Err(Error::Truncated),
            Ok(_) => Err(Error::TrailingBytes),
            Err(error) => Err(error),
        },
        _ => Err(Error::Truncated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-49: the same messages, however the network cut them.
    #[test]
    fn a_stream_is_read_whatever_its_cuts() {
        let mut all = Vec::new();
        for i in 0..1000_u16 {
            all.extend_from_slice(&[0x00, 0xAC, 1, (i >> 8) as u8, i as u8, 0, 0, 0, 0, 4]);
        }
        for cut in [1, 2, 3, 7, 4096] {
            let mut reader = StreamReader::new();
            let mut seen = 0;
            for bytes in all.chunks(cut) {
                reader.push(bytes);
                while let Some((of, message)) = reader.next_message().unwrap() {
                    assert_eq!((of, message.len()), (MessageType::Packet, 10));
                    assert_eq!(u16::from_be_bytes([message[3], message[4]]), seen);
                    seen += 1;
                }
            }
            assert_eq!(seen, 1000);
        }
    }

    /// NET-32, 48: impossible frames.
    #[test]
    fn impossible_frames_are_errors() {
        for word in [[0x00, 0x18], [0x00, 0x89], [0x00, 0x80]] {
            let mut reader = StreamReader::new();
            reader.push(&word);
            assert!(reader.next_message().is_err());
        }
        let good = [0x00, 0x88, 8, 0, 0, 0, 0, 0];
        assert!(read_datagram(&good).is_ok());
        assert_eq!(read_datagram(&good[..7]), Err(Error::Truncated));
        assert_eq!(read_datagram(&[0x00, 0x28]), Err(Error::Truncated));
        assert_eq!(read_datagram(&[0x00, 0x88, 8, 0, 0, 0, 0, 0, 0]), Err(Error::TrailingBytes));
    }
}
