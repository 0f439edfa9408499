//! A custom map as a file: a header, its tag index, its text, and bytes without a meaning up to its size; and a resource map,
//! which is a header and such bytes. Knows no folder, no name and nothing of who has it.
//!
//! Of a file of any size the header, the index and the text alone are read. Numbers are little-endian:
//!
//! ```text
//! header  magic SKMP, version u32 of the game, size u64 of the file, kind u32 (0 a map, 1 bitmaps, 2 sounds, 3 loc),
//!         rows u32 of the index, bytes u32 of the text, u32 zero, seed u64 of the bytes without a meaning
//! index   a row each tag: its class in four letters, 20 bytes zero, at 0x18 u32 not zero where a resource map holds it whole,
//!         4 bytes zero
//! text    what the maps that ship are: see [`map_text`](super::map_text)
//! ```

mod making;

use std::fmt;
use std::io;

use mjolnir_mapshare::index::Row;
use mjolnir_mapshare::names;
use mjolnir_wire::mapshare::File;

use super::map::{self, Map};

pub use making::{Making, NotMade};

/// The version of this game's map files: a file of another is not played.
pub const GAME_VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 40;
/// Rows of a tag index at most.
pub const MOST_ROWS: u32 = 16_384;
/// Bytes of a map's text at most.
pub const MOST_TEXT: u32 = 262_144;

const MAGIC: [u8; 4] = *b"SKMP";
/// Bytes of a row of the tag index.
const ROW_BYTES: usize = 32;
/// Where in a row the word is that says whether a resource map holds the tag whole.
const WORD_AT: usize = 0x18;
/// Rows that are read at once.
const ROWS_AT_ONCE: usize = 1024;

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Of the game that the file is for.
    pub version: u32,
    /// The file's bytes.
    pub size: u64,
    /// What the file is.
    pub file: File,
    /// Of the bytes without a meaning.
    pub seed: u64,
    rows: u32,
    text: u32,
}

/// A map's file, as far as it is read.
#[derive(Clone, Debug)]
pub struct MapFile {
    /// Its tags.
    pub tags: Vec<Row>,
    /// What is played.
    pub map: Map,
}

/// Why a file is no map of this game's.
#[derive(Debug)]
pub enum Fault {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It does not begin as one.
    NotOne,
    /// It is for another version of the game.
    OtherVersion(u32),
    /// It is of that kind and not of the one that was looked for.
    OtherKind(File),
    /// Its header says that it has so many bytes, and it has not.
    OtherSize(u64),
    /// Its index or its text is larger than one may be, or than the file.
    TooLarge,
    /// It has so many bytes, and more than that are not loaded.
    PastMost(u64),
    /// Its text is none, or means no map.
    Text(map::Error),
    /// Its text is not UTF-8.
    NotText,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::NotOne => f.write_str("it is no map file of this game"),
            Self::OtherVersion(version) => {
                write!(f, "it is for version {version} of this game, which is version {GAME_VERSION}")
            }
            Self::OtherKind(file) => write!(f, "it is a {}", names::resource(*file).unwrap_or("map")),
            Self::OtherSize(says) => write!(f, "it says that it has {says} bytes, and has not"),
            Self::TooLarge => f.write_str("its index or its text is too large"),
            Self::PastMost(most) => write!(f, "it has more than {} MiB, which is the most", most >> 20),
            Self::Text(error) => write!(f, "its text: {error}"),
            Self::NotText => f.write_str("its text is no text"),
        }
    }
}

impl std::error::Error for Fault {}

/// A place to read of, and how many bytes it has. A read fills all that it is given, or fails.
pub trait Bytes {
    /// How many there are.
    fn size(&self) -> u64;

    /// Those from that place on.
    ///
    /// # Errors
    ///
    /// As the system says, or where there are not so many.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}

/// Reads the header of a file, and looks whether it can be one of this game's of that kind.
///
/// # Errors
///
/// As [`Fault`] says, but for what is wrong with a text.
pub fn read_header(from: &mut dyn Bytes, due: File) -> Result<Header, Fault> {
    let size = from.size();
    if size < HEADER_BYTES as u64 {
        return Err(Fault::NotOne);
    }
    let mut bytes = [0; HEADER_BYTES];
    from.read_at(0, &mut bytes).map_err(Fault::Unreadable)?;
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
    let [kind, rows, text, zero] = [16, 20, 24, 28].map(word);
    if bytes[..4] != MAGIC {
        return Err(Fault::NotOne);
    }
    // Of another version nothing more is known than that.
    if word(4) != GAME_VERSION {
        return Err(Fault::OtherVersion(word(4)));
    }
    let file = u8::try_from(kind).ok().and_then(|kind| File::read(kind).ok()).ok_or(Fault::NotOne)?;
    if zero != 0 {
        return Err(Fault::NotOne);
    }
    if file != due {
        return Err(Fault::OtherKind(file));
    }
    if long(8) != size {
        return Err(Fault::OtherSize(long(8)));
    }
    let header = Header { version: GAME_VERSION, size, file, seed: long(32), rows, text };
    if rows > MOST_ROWS || text > MOST_TEXT || header.least() > size {
        return Err(Fault::TooLarge);
    }
    Ok(header)
}

impl Header {
    /// Bytes of the header, the index and the text.
    fn least(&self) -> u64 {
        HEADER_BYTES as u64 + u64::from(self.rows) * ROW_BYTES as u64 + u64::from(self.text)
    }

    /// The header as it is written.
    fn bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.version.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.size.to_le_bytes());
        bytes[16..20].copy_from_slice(&u32::from(self.file.get()).to_le_bytes());
        bytes[20..24].copy_from_slice(&self.rows.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.text.to_le_bytes());
        bytes[32..].copy_from_slice(&self.seed.to_le_bytes());
        bytes
    }
}

fn read_row(row: &[u8; ROW_BYTES]) -> Row {
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| row[WORD_AT + at]);
    Row { class: [row[0], row[1], row[2], row[3]], word: u32::from_le_bytes([a, b, c, d]) }
}

fn row_bytes(row: &Row) -> [u8; ROW_BYTES] {
    let mut bytes = [0; ROW_BYTES];
    bytes[..4].copy_from_slice(&row.class);
    bytes[WORD_AT..WORD_AT + 4].copy_from_slice(&row.word.to_le_bytes());
    bytes
}

/// Reads a map's file.
///
/// # Errors
///
/// As [`Fault`] says.
pub fn read(from: &mut dyn Bytes) -> Result<MapFile, Fault> {
    let header = read_header(from, File::Map)?;
    let mut tags = Vec::new();
    let mut offset = HEADER_BYTES as u64;
    let mut left = header.rows as usize;
    let mut rows = vec![0; left.min(ROWS_AT_ONCE) * ROW_BYTES];
    while left > 0 {
        let some = &mut rows[..left.min(ROWS_AT_ONCE) * ROW_BYTES];
        from.read_at(offset, some).map_err(Fault::Unreadable)?;
        let (some, _) = some.as_chunks();
        tags.extend(some.iter().map(read_row));
        offset += (some.len() * ROW_BYTES) as u64;
        left -= some.len();
    }
    let mut text = vec![0; header.text as usize];
    from.read_at(offset, &mut text).map_err(Fault::Unreadable)?;
    let text = String::from_utf8(text).map_err(|_| Fault::NotText)?;
    let map = Map::parse(&text).map_err(Fault::Text)?;
    Ok(MapFile { tags, map })
}

/// What lies in memory.
impl Bytes for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).ok().and_then(|from| self.get(from..)?.get(..into.len()));
        let from = from.ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(from);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::mapshare::FileSet;
    use proptest::prelude::*;

    use super::*;

    fn made(size: u64, needs: FileSet) -> Vec<u8> {
        let mut bytes = Vec::new();
        Making::new(File::Map, size, 3, needs).unwrap().write(&mut bytes).unwrap();
        bytes
    }

    fn fault(bytes: &[u8]) -> String {
        read(&mut &*bytes).map(|_| ()).unwrap_err().to_string()
    }

    /// A file that counts what is read of it.
    struct Counted<'a> {
        bytes: &'a [u8],
        size: u64,
        read: u64,
    }

    impl Bytes for Counted<'_> {
        fn size(&self) -> u64 {
            self.size
        }

        fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
            self.read += into.len() as u64;
            (&mut &*self.bytes).read_at(offset, into)
        }
    }

    /// MAP-15: what was made is read: its text as a map, its tags with their words.
    #[test]
    fn what_is_made_is_read() {
        let sounds = FileSet::only(File::Sounds);
        let file = read(&mut &made(4096, sounds)[..]).unwrap();
        let flagged = file.tags.iter().filter(|tag| tag.word != 0).map(|tag| tag.class);
        assert_eq!(flagged.collect::<Vec<_>>(), [*b"snd!"]);
        assert!(file.tags.len() > 1 && file.map.spawns.len() >= 8);
        let file = read(&mut &made(4096, FileSet::NONE)[..]).unwrap();
        assert!(file.tags.iter().all(|tag| tag.word == 0));
    }

    /// Of a file of 256 MiB the header, the index and the text alone are read.
    #[test]
    fn a_large_file_is_not_read_whole() {
        let mut bytes = made(4096, FileSet::NONE);
        let size: u64 = 256 << 20;
        bytes[8..16].copy_from_slice(&size.to_le_bytes());
        let mut from = Counted { bytes: &bytes, size, read: 0 };
        assert!(read(&mut from).is_ok());
        assert!((1..2048).contains(&from.read), "{}", from.read);
    }

    /// MAP-17: each way to be no map of this game's is told, and a file of another version is of that, whatever else it has.
    #[test]
    fn each_fault_is_told() {
        let good = made(2048, FileSet::NONE);
        assert!(read(&mut &good[..]).is_ok());
        let with = |at: usize, bytes: &[u8]| {
            let mut bad = good.clone();
            bad[at..at + bytes.len()].copy_from_slice(bytes);
            fault(&bad)
        };
        let not_one = "it is no map file of this game";
        for (at, bytes, told) in [
            (0, &b"X"[..], not_one),
            (4, &[2], "it is for version 2 of this game, which is version 1"),
            (8, &[1], "it says that it has 2049 bytes, and has not"),
            (16, &[2], "it is a sounds.map"),
            (16, &[4], not_one),
            (17, &[1], not_one),
            (20, &[1, 0x40, 0, 0], "its index or its text is too large"),
            (24, &[1, 0, 4, 0], "its index or its text is too large"),
            (28, &[1], not_one),
        ] {
            assert_eq!(with(at, bytes), told, "{at} {bytes:?}");
        }
        assert_eq!(
            with(4, &[2, 0, 0, 0, 9, 9, 9, 9]),
            "it is for version 2 of this game, which is version 1"
        );
        let header = read_header(&mut &good[..], File::Map).unwrap();
        let text = HEADER_BYTES + header.rows as usize * ROW_BYTES;
        assert_eq!(with(text, &[0xff]), "its text is no text");
        assert_eq!(with(text, b"x"), "its text: line 1: the first word means nothing");
        assert_eq!(fault(&good[..HEADER_BYTES - 1]), not_one);
        assert_eq!(fault(&good[..HEADER_BYTES]), "it says that it has 2048 bytes, and has not");
        assert_eq!(fault(&[]), not_one);
    }

    /// The largest index and text are taken, one row and one byte more are not; neither is what the file is too short for.
    #[test]
    fn an_index_and_a_text_have_their_bounds() {
        let text =
            |bytes: u32| format!("bounds 0 0 0 9 9 9\nspawn 1 1 1 0\n{}", " ".repeat(bytes as usize - 33));
        let whole = |rows: u32, text: &str| {
            let words = text.len() as u32;
            let mut header =
                Header { version: GAME_VERSION, size: 0, file: File::Map, seed: 1, rows, text: words };
            header.size = header.least();
            let mut bytes = header.bytes().to_vec();
            bytes.resize(HEADER_BYTES + rows as usize * ROW_BYTES, 0);
            bytes.extend_from_slice(text.as_bytes());
            bytes
        };
        let largest = whole(MOST_ROWS, &text(MOST_TEXT));
        assert_eq!(read(&mut &largest[..]).unwrap().tags.len(), MOST_ROWS as usize);
        for (rows, bytes) in [(MOST_ROWS + 1, 99), (1, MOST_TEXT + 1)] {
            assert!(
                matches!(read(&mut &whole(rows, &text(bytes))[..]), Err(Fault::TooLarge)),
                "{rows} {bytes}"
            );
        }
        // A row more than the file has room for.
        let mut short = whole(3, &text(99));
        assert!(read(&mut &short[..]).is_ok());
        short[20] = 4;
        assert!(matches!(read(&mut &short[..]), Err(Fault::TooLarge)));
    }

    /// What a file cannot give is told as the system says it.
    #[test]
    fn what_cannot_be_read_is_told() {
        let bytes = made(2048, FileSet::NONE);
        let mut from = Counted { bytes: &bytes[..HEADER_BYTES + 8], size: 2048, read: 0 };
        assert!(matches!(read(&mut from), Err(Fault::Unreadable(_))));
    }

    proptest! {
        /// Any bytes, and a good file's with some of them changed, give a map or why not.
        #[test]
        fn any_bytes_are_a_map_or_why_not(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            at in 0_usize..1500,
            change in prop::collection::vec(any::<u8>(), 1..40),
            cut in 0_usize..2048,
        ) {
            let _ = read(&mut &bytes[..]);
            let mut file = made(2048, FileSet::MAP);
            file[at..at + change.len()].copy_from_slice(&change);
            let _ = read(&mut &file[..]);
            let _ = read(&mut &file[..cut]);
        }
    }
}
