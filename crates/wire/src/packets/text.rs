//! Text in fields of a fixed size: bytes and 16-bit units. Knows neither what the text names nor how names are
//! cleaned.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserializer, Serializer};

use super::field::{Field, Reader};
use crate::error::Error;
use crate::layout::Plain;
use crate::shown::Show;

/// Text in `N` bytes, ended by a NUL within them. What follows the NUL is carried and not looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chars<const N: usize>([u8; N]);

impl<const N: usize> Chars<N> {
    /// No text.
    pub const EMPTY: Self = Self([0; N]);

    /// That text, of at most `N - 1` bytes without a NUL among them (WIRE-57).
    pub fn new(text: &str) -> Result<Self, Error> {
        let bytes = text.as_bytes();
        if bytes.len() >= N {
            return Err(Error::TooLong);
        }
        if bytes.contains(&0) {
            return Err(Error::Unterminated);
        }
        let mut field = [0; N];
        field[..bytes.len()].copy_from_slice(bytes);
        Ok(Self(field))
    }

    /// What a field of that size holds, unchecked.
    pub(crate) const fn from_field(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// Whether it has its NUL; text without one is refused.
    pub fn check(&self) -> Result<(), Error> {
        if self.0.contains(&0) { Ok(()) } else { Err(Error::Unterminated) }
    }

    /// The bytes before the NUL.
    pub fn as_bytes(&self) -> &[u8] {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap_or(N);
        &self.0[..end]
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(self.as_bytes()).ok()
    }
}

impl<const N: usize> fmt::Debug for Chars<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}

impl<const N: usize> Plain for Chars<N> {
    const SIZE: usize = N;
    const ALIGN: usize = 1;

    fn type_name() -> String {
        format!("char[{N}]")
    }

    fn get(from: &[u8]) -> Self {
        Self(Plain::get(from))
    }

    fn put(&self, to: &mut [u8]) {
        Plain::put(&self.0, to);
    }

    fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.to_serde(to)
    }

    fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Plain::from_serde(from).map(Self)
    }
}

impl<const N: usize> Show for Chars<N> {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}

impl<'a, const N: usize> Field<'a> for Chars<N> {
    const SIZE: usize = N;

    fn type_name() -> String {
        <Self as Plain>::type_name()
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let text = Self(*from.array()?);
        text.check().map(|()| text)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.0);
    }
}

/// Text in `N` 16-bit units, ended by a NUL or by the field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wide<const N: usize>([u16; N]);

impl<const N: usize> Wide<N> {
    /// No text.
    pub const EMPTY: Self = Self([0; N]);

    /// As much of that text as fits before a NUL, characters whole.
    pub fn cut(text: &str) -> Self {
        let mut field = [0; N];
        let mut at = 0;
        for character in text.chars().take_while(|character| *character != '\0') {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units);
            if at + units.len() >= N {
                break;
            }
            field[at..at + units.len()].copy_from_slice(units);
            at += units.len();
        }
        Self(field)
    }

    /// The units before the NUL.
    pub fn units(&self) -> &[u16] {
        let end = self.0.iter().position(|unit| *unit == 0).unwrap_or(N);
        &self.0[..end]
    }

    /// Its characters; what is no character is U+FFFD.
    pub fn chars(&self) -> impl Iterator<Item = char> {
        char::decode_utf16(self.units().iter().copied())
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

impl<const N: usize> fmt::Display for Wide<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|character| fmt::Write::write_char(f, character))
    }
}

impl<const N: usize> fmt::Debug for Wide<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl<const N: usize> Plain for Wide<N> {
    const SIZE: usize = 2 * N;
    const ALIGN: usize = 2;

    fn type_name() -> String {
        format!("u16[{N}]")
    }

    fn get(from: &[u8]) -> Self {
        Self(Plain::get(from))
    }

    fn put(&self, to: &mut [u8]) {
        Plain::put(&self.0, to);
    }

    fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.to_serde(to)
    }

    fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Plain::from_serde(from).map(Self)
    }
}

impl<const N: usize> Show for Wide<N> {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'a, const N: usize> Field<'a> for Wide<N> {
    const SIZE: usize = 2 * N;

    fn type_name() -> String {
        <Self as Plain>::type_name()
    }

    fn read(from: &mut Reader<'a>) -> Result<Self, Error> {
        let mut units = [0; N];
        for unit in &mut units {
            *unit = u16::read(from)?;
        }
        Ok(Self(units))
    }

    fn write(&self, to: &mut Vec<u8>) {
        for unit in &self.0 {
            unit.write(to);
        }
    }
}
