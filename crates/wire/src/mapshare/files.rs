//! The files that make a map, as all that is said of them names them: which, sets of them, pieces, hashes. Knows no message.

use crate::error::Error;

/// Bytes of a piece of a file; its last is as long as it is (MAP-04).
pub const PIECE_BYTES: u32 = 262_144;
/// Bytes of the largest file that is shared: sizes travel as a u32 (MAP-68).
pub const SHARED_FILE_MAX: u64 = u32::MAX as u64;
/// Pieces of the largest file.
pub const PIECES_MAX: u32 = pieces(u32::MAX);

/// Pieces of a file of that size.
pub const fn pieces(size: u32) -> u32 {
    size.div_ceil(PIECE_BYTES)
}

/// One of the files that make a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// The map itself.
    Map,
    /// bitmaps.map.
    Bitmaps,
    /// sounds.map.
    Sounds,
    /// loc.map.
    Loc,
}

impl File {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Map, Self::Bitmaps, Self::Sounds, Self::Loc];

    /// As it travels; more than 3 is none.
    pub const fn read(number: u8) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Map),
            1 => Ok(Self::Bitmaps),
            2 => Ok(Self::Sounds),
            3 => Ok(Self::Loc),
            _ => Err(Error::BadIndex),
        }
    }

    /// Its number, 0..4.
    pub const fn get(self) -> u8 {
        self as u8
    }

    /// Its number, for tables.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Some of a map's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileSet(u8);

impl FileSet {
    /// None.
    pub const NONE: Self = Self(0);
    /// The map alone.
    pub const MAP: Self = Self::only(File::Map);

    /// That one alone.
    pub const fn only(file: File) -> Self {
        Self(1 << file as u8)
    }

    /// As it travels: a bit a file; a bit over 3 is refused.
    pub const fn read(bits: u8) -> Result<Self, Error> {
        if bits < 1 << File::ALL.len() { Ok(Self(bits)) } else { Err(Error::BadFlag) }
    }

    /// A bit a file.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether it has that one.
    pub const fn contains(self, file: File) -> bool {
        self.0 & 1 << file as u8 != 0
    }

    /// With that one.
    #[must_use]
    pub const fn with(self, file: File) -> Self {
        Self(self.0 | 1 << file as u8)
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What of it is not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that it has, by number.
    pub fn iter(self) -> impl Iterator<Item = File> {
        File::ALL.into_iter().filter(move |file| self.contains(*file))
    }
}

/// A file's BLAKE2b-256, of its label, its size and its pieces' hashes (MAP-04).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileHash(pub [u8; 32]);

impl FileHash {
    /// The version of a map by it: its first four bytes as they stand in the records (MAP-02).
    pub const fn version(&self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_le_bytes([a, b, c, d])
    }
}

impl core::fmt::Debug for FileHash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
