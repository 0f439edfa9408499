//! How a packet's fields stand on the wire: big-endian, one after another, pads not sent (FACT wire 1.6). Knows no
//! packet.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serializer;

use crate::error::Error;
use crate::shown::{Show, hex};
use crate::time::Tick;

/// Reads a packet's bytes front to back.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
    /// Bytes that were left where the latest field began.
    at_field: usize,
}

impl<'a> Reader<'a> {
    /// Over those bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, at_field: bytes.len() }
    }

    /// The packet's next field.
    pub fn field<F: Field<'a>>(&mut self) -> Result<F, Error> {
        self.at_field = self.left.len();
        F::read(self)
    }

    /// Bytes from where the latest field began to the end.
    pub const fn from_field(&self) -> usize {
        self.at_field
    }

    /// The next `N` bytes.
    pub const fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        match self.left.split_first_chunk() {
            Some((bytes, left)) => {
                self.left = left;
                Ok(bytes)
            }
            None => Err(Error::Truncated),
        }
    }

    /// Whether all was read, as a packet's fields must (WIRE-87).
    pub const fn finish(&mut self) -> Result<(), Error> {
        self.at_field = self.left.len();
        if self.left.is_empty() { Ok(()) } else { Err(Error::TrailingBytes) }
    }
}

/// What may stand in a packet.
pub trait Field<'a>: Show + Sized {
    /// Bytes that it takes; of one whose length varies the least.
    const SIZE: usize;
    /// Its type as the record names it.
    fn type_name() -> String;
    /// Reads it.
    fn read(from: &mut Reader<'a>) -> Result<Self, Error>;
    /// Appends it.
    fn write(&self, to: &mut Vec<u8>);
}

macro_rules! number {
    ($($ty:ident)*) => {$(
        impl<'a> Field<'a> for $ty {
            const SIZE: usize = size_of::<$ty>();
            fn type_name() -> String {
                String::from(stringify!($ty))
            }
            fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
                from.array().map(|bytes| Self::from_be_bytes(*bytes))
            }
            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_be_bytes());
            }
        }
    )*};
}
number!(i8 u8 i16 u16 i32 u32 f32);

impl<'a, const N: usize> Field<'a> for [u8; N] {
    const SIZE: usize = N;

    fn type_name() -> String {
        format!("u8[{N}]")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        from.array().copied()
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self);
    }
}

impl<'a, const N: usize> Field<'a> for &'a [u8; N] {
    const SIZE: usize = N;

    fn type_name() -> String {
        format!("u8[{N}]")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        from.array()
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(*self);
    }
}

impl<const N: usize> Show for &[u8; N] {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex(self.as_slice()))
    }
}

/// A tick as a long; a negative one is refused.
impl<'a> Field<'a> for Tick {
    const SIZE: usize = 4;

    fn type_name() -> String {
        String::from("i32")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        i32::read(from).and_then(Self::read)
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.get().write(to);
    }
}

impl Show for Tick {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i32(self.get())
    }
}

/// So many bytes that nobody looks at, sent zero (WIRE-88). Unlike a pad they are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread<const N: usize>;

impl<'a, const N: usize> Field<'a> for Unread<N> {
    const SIZE: usize = N;

    fn type_name() -> String {
        format!("unread[{N}]")
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        from.array::<N>().map(|_| Self)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&[0; N]);
    }
}

/// Nothing is known of them.
impl<const N: usize> Show for Unread<N> {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }
}
