//! The one place that knows bincode: layouts as serde sees them, for what is sent seldom, and as the oracle that the
//! direct readers and writers are held against. Knows no message.
//!
//! Fixed-width, little-endian, limited, and every byte accounted for: a layout has no length to lie about, yet
//! bincode is never let loose without a limit.

use alloc::vec::Vec;

use bincode::config::{Configuration, Fixint, Limit, LittleEndian, standard};

use crate::error::Error;
use crate::layout::{AsSerde, Plain};

/// Bytes that bincode may read or write at once: more than any layout takes.
const MOST: usize = 16 * 1024;

const fn config() -> Configuration<LittleEndian, Fixint, Limit<MOST>> {
    standard().with_little_endian().with_fixed_int_encoding().with_limit::<MOST>()
}

/// The bytes of a layout.
pub fn encode<T: Plain>(value: &T) -> Result<Vec<u8>, Error> {
    bincode::serde::encode_to_vec(AsSerde(*value), config()).map_err(|_| Error::TooLong)
}

/// The layout of exactly those bytes; pads may hold anything.
pub fn decode<T: Plain>(bytes: &[u8]) -> Result<T, Error> {
    let (AsSerde(value), read) =
        bincode::serde::decode_from_slice(bytes, config()).map_err(|_| Error::Truncated)?;
    if read == bytes.len() { Ok(value) } else { Err(Error::TrailingBytes) }
}
