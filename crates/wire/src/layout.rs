//! The `layout!` macro: a struct stated once gives its lines in the record, its asserted size and offsets, a
//! direct reader and writer, serde for the oracle, and its fields by name for people. Knows no message.
//!
//! Layouts are FACT wire 1.1: little-endian, natural alignment, no member wider than four bytes. Pads are
//! named, written zero and never looked at ([`Pad`]).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shown::Show;

/// What may stand in a layout: a number, an array, a pad, or another layout.
pub trait Plain: Copy + Show {
    /// Bytes it takes.
    const SIZE: usize;
    /// The multiple at which it stands.
    const ALIGN: usize;
    /// Its type as the record names it.
    fn type_name() -> String;
    /// Reads it from the first [`Plain::SIZE`] bytes, of which there are at least as many.
    fn get(from: &[u8]) -> Self;
    /// Writes it to the first [`Plain::SIZE`] bytes, of which there are at least as many.
    fn put(&self, to: &mut [u8]);
    /// As serde sees it: a tuple of its parts.
    fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;
    /// The reverse of [`Plain::to_serde`].
    fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

macro_rules! number {
    ($($ty:ident)*) => {$(
        impl Plain for $ty {
            const SIZE: usize = size_of::<$ty>();
            const ALIGN: usize = size_of::<$ty>();
            fn type_name() -> String {
                String::from(stringify!($ty))
            }
            #[inline]
            fn get(from: &[u8]) -> Self {
                let mut bytes = [0; Self::SIZE];
                bytes.copy_from_slice(&from[..Self::SIZE]);
                Self::from_le_bytes(bytes)
            }
            #[inline]
            fn put(&self, to: &mut [u8]) {
                to[..Self::SIZE].copy_from_slice(&self.to_le_bytes());
            }
            fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }
            fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::deserialize(from)
            }
        }
    )*};
}
number!(u8 i8 u16 i16 u32 i32 f32);

/// A value as serde sees it, whatever the length of its arrays.
pub(crate) struct AsSerde<T>(pub(crate) T);

impl<T: Plain> Serialize for AsSerde<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.to_serde(to)
    }
}

impl<'de, T: Plain> Deserialize<'de> for AsSerde<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::from_serde(from).map(Self)
    }
}

impl<T: Plain, const N: usize> Plain for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;

    fn type_name() -> String {
        format!("{}[{N}]", T::type_name())
    }

    #[inline]
    fn get(from: &[u8]) -> Self {
        core::array::from_fn(|i| T::get(&from[i * T::SIZE..]))
    }

    #[inline]
    fn put(&self, to: &mut [u8]) {
        for (i, item) in self.iter().enumerate() {
            item.put(&mut to[i * T::SIZE..]);
        }
    }

    fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut tuple = to.serialize_tuple(N)?;
        for item in self {
            tuple.serialize_element(&AsSerde(*item))?;
        }
        tuple.end()
    }

    fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Items<T, const N: usize>(core::marker::PhantomData<T>);
        impl<'de, T: Plain, const N: usize> Visitor<'de> for Items<T, N> {
            type Value = [T; N];
            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{N} items")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[T; N], A::Error> {
                let mut items = Vec::with_capacity(N);
                while let Some(AsSerde(item)) = seq.next_element()? {
                    items.push(item);
                }
                items.try_into().map_err(|_| A::Error::custom("another number of items"))
            }
        }
        from.deserialize_tuple(N, Items(core::marker::PhantomData))
    }
}

/// Bytes without a meaning: written zero, never looked at, all of them equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pad<const N: usize>;

impl<const N: usize> Plain for Pad<N> {
    const SIZE: usize = N;
    const ALIGN: usize = 1;

    fn type_name() -> String {
        format!("pad[{N}]")
    }

    #[inline]
    fn get(_: &[u8]) -> Self {
        Self
    }

    #[inline]
    fn put(&self, to: &mut [u8]) {
        to[..N].fill(0);
    }

    fn to_serde<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        [0_u8; N].to_serde(to)
    }

    fn from_serde<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <[u8; N]>::from_serde(from).map(|_| Self)
    }
}

impl<const N: usize> Show for Pad<N> {
    const IS_PAD: bool = true;

    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }
}

/// Whether a member of that alignment may stand there.
pub(crate) const fn is_aligned(at: usize, align: usize) -> bool {
    at.is_multiple_of(align)
}

/// [`Plain::to_serde`], as a derive names it.
pub(crate) fn to_serde<T: Plain, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.to_serde(to)
}

/// [`Plain::from_serde`], as a derive names it.
pub(crate) fn from_serde<'de, T: Plain, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::from_serde(from)
}

/// Names for the bits of a field, each with the bit set alone: for the record.
pub(crate) type Bits = (&'static str, &'static [(&'static str, u32)]);

/// Names for the values of a field: for the record.
pub(crate) type Values = (&'static str, &'static [(&'static str, u32)]);

/// A field of an entry packed by hand: for the record. It stands in the entry when all those bits are as said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedField {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its type as the record names it.
    pub(crate) type_name: &'static str,
    /// Bytes it takes.
    pub(crate) bytes: usize,
    /// Flags that must be set.
    pub(crate) flags: u8,
    /// Flags that must be clear.
    pub(crate) not_flags: u8,
    /// Parts that must be set.
    pub(crate) parts: u8,
}

impl PackedField {
    /// A field that is always there.
    pub(crate) const fn new(name: &'static str, type_name: &'static str, bytes: usize) -> Self {
        Self { name, type_name, bytes, flags: 0, not_flags: 0, parts: 0 }
    }

    /// There only when those flags are set.
    pub(crate) const fn flags(self, flags: u8) -> Self {
        Self { flags, ..self }
    }

    /// There only when those flags are clear.
    pub(crate) const fn not_flags(self, not_flags: u8) -> Self {
        Self { not_flags, ..self }
    }

    /// There only when those parts are set.
    pub(crate) const fn parts(self, parts: u8) -> Self {
        Self { parts, ..self }
    }

    /// Bytes that an entry takes that has all those fields, however they stand together.
    pub(crate) const fn total(fields: &[Self]) -> usize {
        let (mut sum, mut at) = (0, 0);
        while at < fields.len() {
            sum += fields[at].bytes;
            at += 1;
        }
        sum
    }

    /// Bytes it takes in an entry of those flags and parts.
    #[cfg(test)]
    pub(crate) const fn bytes_in(self, flags: u8, parts: u8) -> usize {
        let there = flags & self.flags == self.flags
            && flags & self.not_flags == 0
            && parts & self.parts == self.parts;
        if there { self.bytes } else { 0 }
    }
}

/// A struct's lines for the record.
#[derive(Clone, Debug)]
pub struct Described {
    /// The struct's name.
    pub name: &'static str,
    /// Bytes it takes.
    pub size: usize,
    /// Its fields in order: name, type, offset.
    pub fields: Vec<(&'static str, String, usize)>,
}

/// States a struct that is sent whole: `name: Type = offset,` for each field, pads included.
///
/// The struct gets `Clone, Copy, Debug, PartialEq`, `SIZE`, [`Plain`], serde, `read` (from a slice that may be
/// too short), `write` (to the end of a vector), `describe`, and [`Fields`](crate::shown::Fields) without its pads.
/// Offsets and size are asserted as it compiles.
macro_rules! layout {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident = $size:literal {
            $( $(#[$field_meta:meta])* $field:ident : $ty:ty = $offset:literal ),+ $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(
                    serialize_with = "crate::layout::to_serde",
                    deserialize_with = "crate::layout::from_serde"
                )]
                pub $field: $ty,
            )+
        }

        const _: () = {
            let mut at = 0;
            let mut widest = 1;
            $(
                assert!(at == $offset, concat!(stringify!($name), ".", stringify!($field), ": offset"));
                assert!($crate::layout::is_aligned(at, <$ty as $crate::layout::Plain>::ALIGN), "alignment");
                at += <$ty as $crate::layout::Plain>::SIZE;
                if <$ty as $crate::layout::Plain>::ALIGN > widest {
                    widest = <$ty as $crate::layout::Plain>::ALIGN;
                }
            )+
            assert!(at == $size, concat!(stringify!($name), ": size"));
            assert!($crate::layout::is_aligned(at, widest), concat!(stringify!($name), ": trailing pad"));
        };

        impl $name {
            /// Bytes it takes.
            pub const SIZE: usize = $size;

            /// Reads it from the front of `bytes`; what follows is left alone.
            #[inline]
            pub fn read(bytes: &[u8]) -> Result<Self, $crate::Error> {
                match bytes.get(..$size) {
                    Some(bytes) => Ok(<Self as $crate::layout::Plain>::get(bytes)),
                    None => Err($crate::Error::Truncated),
                }
            }

            /// Writes it to the end of `to`.
            #[inline]
            pub fn write(&self, to: &mut alloc::vec::Vec<u8>) {
                let mut bytes = [0; $size];
                $crate::layout::Plain::put(self, &mut bytes);
                to.extend_from_slice(&bytes);
            }

            /// Its lines for the record.
            pub fn describe() -> $crate::layout::Described {
                $crate::layout::Described {
                    name: stringify!($name),
                    size: $size,
                    fields: alloc::vec![
                        $((stringify!($field), <$ty as $crate::layout::Plain>::type_name(), $offset)),+
                    ],
                }
            }
        }

        impl $crate::layout::Plain for $name {
            const SIZE: usize = $size;
            const ALIGN: usize = {
                let mut widest = 1;
                $(
                    if <$ty as $crate::layout::Plain>::ALIGN > widest {
                        widest = <$ty as $crate::layout::Plain>::ALIGN;
                    }
                )+
                widest
            };

            fn type_name() -> alloc::string::String {
                alloc::string::String::from(stringify!($name))
            }

            #[inline]
            fn get(from: &[u8]) -> Self {
                Self { $( $field: <$ty as $crate::layout::Plain>::get(&from[$offset..]), )+ }
            }

            #[inline]
            fn put(&self, to: &mut [u8]) {
                $( $crate::layout::Plain::put(&self.$field, &mut to[$offset..]); )+
            }

            fn to_serde<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(self, to)
            }

            fn from_serde<'de, D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                ::serde::Deserialize::deserialize(from)
            }
        }

        impl $crate::shown::Fields for $name {
            fn fields<M: ::serde::ser::SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
                $( $crate::shown::field(to, stringify!($name), stringify!($field), &self.$field)?; )+
                Ok(())
            }
        }

        impl $crate::shown::Show for $name {
            fn show<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::shown::show_fields(self, to)
            }
        }
    )+};
}
pub(crate) use layout;
