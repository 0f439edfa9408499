//! Which resource maps a map needs, by its tag index (MAP-15). Knows no map's bytes: whoever reads one gives the rows.

use mjolnir_wire::mapshare::{File, FileSet};

/// An entry of a map's tag index, as far as it says where the tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its class, in the order in which it is read: `bitm`. A map has it as a number, its last letter first.
    pub class: [u8; 4],
    /// The entry's word at 0x18: not 0 where a resource map holds the whole of the tag.
    pub word: u32,
}

/// The resource maps that hold tags of those. What no resource map holds, by its class, needs none whatever its word.
pub fn needs(rows: impl IntoIterator<Item = Row>) -> FileSet {
    rows.into_iter()
        .filter(|row| row.word != 0)
        .filter_map(|row| match &row.class {
            b"bitm" => Some(File::Bitmaps),
            b"snd!" => Some(File::Sounds),
            b"font" | b"ustr" | b"hmt " => Some(File::Loc),
            _ => None,
        })
        .fold(FileSet::NONE, FileSet::with)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [(&[u8; 4], File); 5] = [
        (b"bitm", File::Bitmaps),
        (b"snd!", File::Sounds),
        (b"font", File::Loc),
        (b"ustr", File::Loc),
        (b"hmt ", File::Loc),
    ];

    /// MAP-15: of an index with a tag of each kind, with and without the word, exactly the flagged kinds' files are needed.
    #[test]
    fn the_flagged_kinds_files_are_needed() {
        for flagged in 0..1_u32 << CLASSES.len() {
            let is_flagged = |at: usize| flagged >> at & 1 != 0;
            let rows = CLASSES.iter().enumerate().flat_map(|(at, (class, _))| {
                let word = if is_flagged(at) { 1 << at } else { 0 };
                [Row { class: **class, word: 0 }, Row { class: **class, word }]
            });
            let wanted = CLASSES.iter().enumerate().filter(|(at, _)| is_flagged(*at));
            let wanted = wanted.fold(FileSet::NONE, |set, (_, (_, file))| set.with(*file));
            assert_eq!(needs(rows), wanted, "{flagged:05b}");
        }
    }

    /// MAP-15: a tag of another class needs no file, nor does a class that is written backwards.
    #[test]
    fn other_classes_need_none() {
        for class in [b"scnr", b"mtib", b"mod2", b"snd ", b"BITM"] {
            assert_eq!(needs([Row { class: *class, word: u32::MAX }]), FileSet::NONE);
        }
        assert_eq!(needs([]), FileSet::NONE);
    }
}
