//! What map sharing asks this game's loader: can that file be played, what does it need, how large may one be. Knows no folder.

use std::io;

use mjolnir_mapshare::disk::{self, Unfit, View};
use mjolnir_mapshare::index;
use mjolnir_wire::mapshare::{File, FileSet};

use crate::game::map_file::{self, Bytes, Fault};

/// Bytes of the largest file of each kind that is taken, by [`File::index`] (MAP-18): 1 GiB, more than any map has, and a quarter
/// of what sizes can say.
pub const MOST: [u64; 4] = [1 << 30; 4];

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loader;

impl disk::Loader for Loader {
    fn check(&mut self, map: &mut dyn View) -> Result<FileSet, Unfit> {
        let read = map_file::read(&mut Viewed(map)).map_err(|fault| match fault {
            Fault::OtherVersion(_) => Unfit::OtherVersion,
            fault => Unfit::Broken(fault.to_string()),
        })?;
        Ok(index::needs(read.tags))
    }

    fn most(&self, file: File) -> u64 {
        MOST[file.index()]
    }
}

struct Viewed<'a>(&'a mut dyn View);

impl Bytes for Viewed<'_> {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset, into)
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_mapshare::disk::Loader as _;
    use mjolnir_wire::mapshare::SHARED_FILE_MAX;

    use super::*;
    use crate::game::map_file::Making;

    struct Memory(Vec<u8>);

    impl View for Memory {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
            Bytes::read_at(&mut &self.0[..], offset, into)
        }
    }

    fn made(needs: FileSet) -> Memory {
        let mut bytes = Vec::new();
        Making::new(File::Map, 4096, 5, needs).unwrap().write(&mut bytes).unwrap();
        Memory(bytes)
    }

    /// MAP-15: each resource map is needed where a tag of its kind says so, and not else.
    #[test]
    fn a_map_says_what_it_needs() {
        for bits in (0..16_u8).filter(|bits| bits & 1 == 0) {
            let needs = FileSet::read(bits).unwrap();
            assert_eq!(Loader.check(&mut made(needs)), Ok(needs));
        }
    }

    /// MAP-17: another version's file is of another version; what is damaged is told as that.
    #[test]
    fn a_map_that_is_not_played_says_why() {
        let with = |at: usize, byte: u8| {
            let mut file = made(FileSet::NONE);
            file.0[at] = byte;
            Loader.check(&mut file).unwrap_err()
        };
        assert_eq!(with(4, 2), Unfit::OtherVersion);
        assert_eq!(with(0, b'x'), Unfit::Broken("it is no map file of this game".into()));
        assert_eq!(with(16, 1), Unfit::Broken("it is a bitmaps.map".into()));
        let mut cut = made(FileSet::NONE);
        cut.0.truncate(4095);
        let why = "it says that it has 4096 bytes, and has not";
        assert_eq!(Loader.check(&mut cut), Err(Unfit::Broken(why.into())));
    }

    /// MAP-18: what is taken of each kind is 1 GiB, within what sizes can say.
    #[test]
    fn each_kind_has_a_largest_file() {
        for file in File::ALL {
            assert_eq!(Loader.most(file), 1_073_741_824);
            assert!(Loader.most(file) <= SHARED_FILE_MAX);
        }
    }
}
