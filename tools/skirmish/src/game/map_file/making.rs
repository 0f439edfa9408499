//! Map files that are made: a field with pillars where the seed says, and whatever every game type is about; and resource maps.
//! Knows no folder.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use mjolnir_mapshare::index::Row;
use mjolnir_wire::mapshare::{File, FileSet};

use super::{GAME_VERSION, Header, row_bytes};
use crate::game::random::Random;

/// Bytes of the largest file that is made.
pub(super) const MOST_BYTES: u64 = 8 << 30;
/// Bytes that are written at once.
const AT_ONCE: usize = 262_144;
/// Pillars of a field.
const PILLARS: usize = 6;
/// Tags of a map: classes that a resource map may hold, with the one that does, and one that none holds.
const CLASSES: [([u8; 4], Option<File>); 6] = [
    (*b"bitm", Some(File::Bitmaps)),
    (*b"snd!", Some(File::Sounds)),
    (*b"font", Some(File::Loc)),
    (*b"ustr", Some(File::Loc)),
    (*b"hmt ", Some(File::Loc)),
    (*b"scnr", None),
];

/// The field's text, but for its name and its pillars. Bots walk a net of 8 wu, and players begin in the middle of its meshes.
const FIELD: &str = "\
bounds -44 -44 -2 44 44 20
box -46 -46 -1 46 46 0
spawns -28 -28 28 28 8 8 0
nodes -32 -32 32 32 9 9 0
apart 3
items medkit -24 -24 24 24 3 3 0
stand 0 -32 0 0
stand 1 32 0 0
ball 0 0 0
hill -4 -4 -0.2 4 4 3
mark 16 16 0
mark -16 16 0
mark -16 -16 0
mark 16 -16 0
";

/// A file that is made.
#[derive(Clone, Debug)]
pub struct Making {
    header: Header,
    tags: Vec<Row>,
    text: String,
}

/// Why no such file is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotMade {
    /// It has no room for what such a file has at least, so many bytes.
    TooSmall(u64),
    /// It is larger than one is made.
    TooLarge,
    /// A resource map needs no other.
    Needs,
}

impl fmt::Display for NotMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall(least) => write!(f, "such a file has {least} bytes at least"),
            Self::TooLarge => write!(f, "no file of more than {MOST_BYTES} bytes is made"),
            Self::Needs => f.write_str("a resource map needs no other"),
        }
    }
}

impl std::error::Error for NotMade {}

impl Making {
    /// A file of that kind and of exactly so many bytes. A map has tags of the resource maps that it needs.
    ///
    /// # Errors
    ///
    /// As [`NotMade`] says.
    pub fn new(file: File, size: u64, seed: u64, needs: FileSet) -> Result<Self, NotMade> {
        let is_map = file == File::Map;
        if !is_map && !needs.is_empty() {
            return Err(NotMade::Needs);
        }
        let tag = |(class, of): ([u8; 4], Option<File>)| Row {
            class,
            word: of.is_some_and(|of| needs.contains(of)).into(),
        };
        let tags: Vec<_> = if is_map { CLASSES.map(tag).into() } else { Vec::new() };
        let text = if is_map { field(seed) } else { String::new() };
        let (rows, words) = (tags.len() as u32, text.len() as u32);
        let header = Header { version: GAME_VERSION, size, file, seed, rows, text: words };
        if size < header.least() {
            return Err(NotMade::TooSmall(header.least()));
        }
        if size > MOST_BYTES {
            return Err(NotMade::TooLarge);
        }
        Ok(Self { header, tags, text })
    }

    /// Writes it, 256 KiB at a time.
    ///
    /// # Errors
    ///
    /// As the system says.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        // What has no meaning is one stream from the file's first byte on, which what has one lies over.
        let mut random = Random::new(self.header.seed);
        let mut head = Vec::with_capacity(self.header.least() as usize);
        head.extend_from_slice(&self.header.bytes());
        self.tags.iter().for_each(|tag| head.extend_from_slice(&row_bytes(tag)));
        head.extend_from_slice(self.text.as_bytes());
        let mut head = &head[..];
        let mut left = self.header.size;
        let mut bytes = vec![0; AT_ONCE];
        while left > 0 {
            let (words, _) = bytes.as_chunks_mut();
            words.iter_mut().for_each(|word| *word = random.bits().to_le_bytes());
            let (laid, rest) = head.split_at(head.len().min(AT_ONCE));
            bytes[..laid.len()].copy_from_slice(laid);
            head = rest;
            let some = left.min(AT_ONCE as u64) as usize;
            to.write_all(&bytes[..some])?;
            left -= some as u64;
        }
        Ok(())
    }
}

/// A field's text, as long for every seed.
fn field(seed: u64) -> String {
    let mut text = format!("about A custom map, of seed {seed:016x}.\n{FIELD}");
    let mut random = Random::new(seed);
    for _ in 0..PILLARS {
        // In a mesh of the net and off its lines, those from corner to corner too: no bot's way leads through a pillar.
        let [column, row] = [(); 2].map(|()| 8.0 * random.below(8) as f32 - 32.0);
        let [long, short] = [2.7, 1.2].map(|off| if random.once_in(2) { 8.0 - off } else { off });
        let (x, y) =
            if random.once_in(2) { (column + long, row + short) } else { (column + short, row + long) };
        let [left, right, front, back] = [x - 0.3, x + 0.3, y - 0.3, y + 0.3];
        // Writing to a text does not fail.
        let _ = writeln!(text, "box {left:+06.2} {front:+06.2} 0 {right:+06.2} {back:+06.2} 2");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::map_file::{HEADER_BYTES, read, read_header};
    use crate::game::{Bot, Rules, Tuning, World};
    use mjolnir_wire::{Machine, Slot, Tick};

    /// What is written, and in what portions.
    #[derive(Default)]
    struct Portions(Vec<u8>, Vec<usize>);

    impl Write for Portions {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(bytes);
            self.1.push(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn made(file: File, size: u64, seed: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Making::new(file, size, seed, FileSet::NONE).unwrap().write(&mut bytes).unwrap();
        bytes
    }

    fn least(file: File) -> u64 {
        match Making::new(file, 0, 1, FileSet::NONE) {
            Err(NotMade::TooSmall(least)) => least,
            other => panic!("{other:?}"),
        }
    }

    /// A file has exactly its size, from the smallest on; a byte less is refused, and so is a byte more than the largest.
    #[test]
    fn a_file_has_exactly_its_size() {
        for file in File::ALL {
            let least = least(file);
            assert!(least < 1300, "{file:?} has {least} bytes at least");
            for size in [least, least + 1, 262_143, 262_144, 262_145, 600_000] {
                let bytes = made(file, size, 7);
                assert_eq!(bytes.len() as u64, size);
                assert_eq!(read_header(&mut &bytes[..], file).unwrap().size, size);
                assert_eq!(read(&mut &bytes[..]).is_ok(), file == File::Map);
            }
            let refused = |size| Making::new(file, size, 1, FileSet::NONE).unwrap_err();
            assert_eq!(refused(least - 1), NotMade::TooSmall(least));
            assert_eq!(refused(MOST_BYTES + 1), NotMade::TooLarge);
            assert!(Making::new(file, MOST_BYTES, 1, FileSet::NONE).is_ok());
        }
        assert_eq!(least(File::Bitmaps), HEADER_BYTES as u64);
    }

    /// The same seed and size give the same bytes; another seed gives others from the smallest file on.
    #[test]
    fn a_file_is_its_seeds_and_sizes_alone() {
        for size in [least(File::Map), 70_000] {
            let files: HashSet<_> = (0..20).map(|seed| made(File::Map, size, seed)).collect();
            assert_eq!(files.len(), 20);
            assert!(files.contains(&made(File::Map, size, 3)));
        }
        let long = made(File::Map, 300_000, 3);
        assert_eq!(made(File::Map, 270_000, 3)[5_000..], long[5_000..270_000], "but for its head");
    }

    /// It is written in portions of 256 KiB.
    #[test]
    fn a_file_is_written_in_portions() {
        let mut portions = Portions::default();
        Making::new(File::Map, 600_000, 1, FileSet::NONE).unwrap().write(&mut portions).unwrap();
        assert_eq!(portions.1, [262_144, 262_144, 75_712]);
        assert_eq!(portions.0, made(File::Map, 600_000, 1));
    }

    /// A resource map needs no other.
    #[test]
    fn a_resource_map_needs_no_other() {
        let sounds = FileSet::only(File::Sounds);
        assert_eq!(Making::new(File::Loc, 4096, 1, sounds).unwrap_err(), NotMade::Needs);
        assert!(Making::new(File::Map, 4096, 1, sounds).is_ok());
    }

    /// Every seed's field has room for every game type, its pillars stand on nobody's beginning and off every way, and bots
    /// walk about in it.
    #[test]
    fn a_made_map_is_played() {
        for seed in [0, 1, 2, 3, 0x1234_5678_9abc_def0, u64::MAX] {
            let map = read(&mut &made(File::Map, 4096, seed)[..]).unwrap().map;
            assert_eq!(map.about, format!("A custom map, of seed {seed:016x}."));
            for variant in Rules::NAMES {
                assert_eq!(Rules::named(variant).unwrap().lacks(&map), None, "{seed}: {variant}");
            }
            let spawn_is_free = |x: f32, y: f32| {
                map.spawns
                    .iter()
                    .all(|spawn| (spawn.position.x - x).abs() > 0.6 || (spawn.position.y - y).abs() > 0.6)
            };
            let text = field(seed);
            let pillars: Vec<_> = text.lines().rev().take(PILLARS).collect();
            for pillar in pillars {
                let numbers: Vec<f32> = pillar.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
                assert!(spawn_is_free(numbers[0] + 0.3, numbers[1] + 0.3), "{seed}: {pillar}");
            }
            let mut world = World::new(&map, seed, Tuning::default());
            let slot = Slot::new(0).unwrap();
            world.join(slot, "Ann", Machine::HOST, None);
            let mut bot = Bot::new(seed);
            let tick = |number| Tick::new(number).unwrap();
            world.step(tick(1));
            let begin = world.position(slot).unwrap();
            let mut furthest = 0.0_f32;
            for number in 2..600 {
                let input = bot.input(&world, slot, tick(number));
                world.drive(slot, input);
                world.step(tick(number));
                furthest = furthest.max((world.position(slot).unwrap() - begin).length());
            }
            assert!(furthest > 6.0, "{seed}: {furthest}");
        }
    }
}
