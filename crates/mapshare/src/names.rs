//! What a custom map's file is called: from its level, with and without its hash, while it comes, and in a menu. Names are judged
//! here before anything of theirs is made (MAP-19, 20). Knows no folder: it is given what stands in one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use mjolnir_wire::mapshare::{File, FileHash};

/// Characters of a map's name at most (MAP-20).
pub const MAP_NAME_MAX: usize = 64;
/// What the level of a custom map begins with (MAP-02).
pub const CUSTOM_MAPS: &str = "custom_maps\\";
/// What a map's file ends in.
const MAP: &str = ".map";
/// What a file ends in that is not whole yet (MAP-48).
const PART: &str = ".part";
/// Digits of a hash in a file's name (MAP-07).
const DIGITS: usize = 8;

/// Why a name is no map's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It has no character.
    Empty,
    /// It has more than [`MAP_NAME_MAX`].
    TooLong,
    /// It has one that no printable ASCII is, that some system gives a meaning in a path, or that leads out of a folder.
    Character,
    /// It begins or ends with a dot or a blank, which some systems drop.
    Ends,
    /// A system takes it for a device.
    Device,
    /// It is a resource map's.
    Resource,
}

/// The name of a level's map, `hugeass` of `custom_maps\hugeass`, unchecked; none where the level is no custom map.
pub fn of_level(level: &str) -> Option<&str> {
    level.strip_prefix(CUSTOM_MAPS)
}

/// Whether a map that is downloaded may have that name on every system (MAP-19, 20).
///
/// Levels travel as printable ASCII, so no other is asked for; and a sign that reads as another (a slash of another script, an
/// accent in two ways) is never in a name that a file is made of.
pub fn check(name: &str) -> Result<(), BadName> {
    if name.is_empty() {
        return Err(BadName::Empty);
    }
    if name.chars().count() > MAP_NAME_MAX {
        return Err(BadName::TooLong);
    }
    let is_plain = |c: char| matches!(c, ' '..='~') && !r#"<>:"/\|?*"#.contains(c);
    if !name.chars().all(is_plain) || name.contains("..") || has_escape(name) {
        return Err(BadName::Character);
    }
    if name.starts_with(['.', ' ']) || name.ends_with(['.', ' ']) {
        return Err(BadName::Ends);
    }
    if is_device(name) {
        return Err(BadName::Device);
    }
    if File::ALL.into_iter().filter_map(resource).any(|file| alike(file, &plain(name))) {
        return Err(BadName::Resource);
    }
    Ok(())
}

/// Something that a reader of addresses would turn into another character.
fn has_escape(name: &str) -> bool {
    name.as_bytes().windows(3).any(|at| at[0] == b'%' && at[1..].iter().all(u8::is_ascii_hexdigit))
}

/// Windows looks at what stands before the first dot, without blanks behind it.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(&stem.as_str()) {
        return true;
    }
    let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    number.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
}

/// The file of a map of its name alone: `hugeass.map`.
pub fn plain(name: &str) -> String {
    format!("{name}{MAP}")
}

/// The file of a map beside another version of its name: `hugeass_0e2b3ee4.map` (MAP-07).
pub fn suffixed(name: &str, hash: &FileHash) -> String {
    let digits = hash.version().swap_bytes();
    format!("{name}_{digits:08x}{MAP}")
}

/// What a file is called while it comes: `hugeass.map.part` (MAP-48).
pub fn part(file: &str) -> String {
    format!("{file}{PART}")
}

/// The file that comes under that name, if it is a part file's.
pub fn of_part(part: &str) -> Option<&str> {
    part.strip_suffix(PART).filter(|file| file.ends_with(MAP))
}

/// The name of a resource map's file; none of the map itself.
pub const fn resource(file: File) -> Option<&'static str> {
    match file {
        File::Map => None,
        File::Bitmaps => Some("bitmaps.map"),
        File::Sounds => Some("sounds.map"),
        File::Loc => Some("loc.map"),
    }
}

/// Whether two names are one to a person, and to some systems: equal but for case.
pub fn alike(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// What a map file's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapFile<'a> {
    /// All of it but the ending: the map's name, if it stands alone.
    pub stem: &'a str,
    /// The map's name and version, if it is named for its hash.
    pub hashed: Option<(&'a str, u32)>,
}

/// Reads the name of a file; none where it is no map's.
pub fn read(file: &str) -> Option<MapFile<'_>> {
    let at = file.len().checked_sub(MAP.len())?;
    let (stem, ending) = file.split_at_checked(at)?;
    if stem.is_empty() || !ending.eq_ignore_ascii_case(MAP) {
        return None;
    }
    Some(MapFile { stem, hashed: read_hashed(stem) })
}

fn read_hashed(stem: &str) -> Option<(&str, u32)> {
    let (name, digits) = stem.split_at_checked(stem.len().checked_sub(DIGITS)?)?;
    let name = name.strip_suffix('_').filter(|name| !name.is_empty())?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if !digits.bytes().all(is_digit) {
        return None;
    }
    Some((name, u32::from_str_radix(digits, 16).ok()?.swap_bytes()))
}

/// The own name of a map that was found for the name `asked` in that file: where it was asked for by the file's whole name, which has
/// the hash's digits behind it, that without them. None where the name asked for is its own.
pub fn own_name<'a>(asked: &str, file: &'a str, hash: &FileHash) -> Option<&'a str> {
    let read = read(file).filter(|file| alike(file.stem, asked))?;
    let (name, _) = read.hashed.filter(|(_, version)| *version == hash.version())?;
    check(name).is_ok().then_some(name)
}

/// A map as a menu shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its file.
    pub file: String,
    /// Its level, which all versions of its name share (MAP-02).
    pub level: String,
    /// What a person reads: `Hugeass`, and of further versions `Hugeass (2)` (MAP-07).
    pub shown: String,
}

/// The maps among a folder's files, by name; of one name that which has it alone comes first.
pub fn list<'a>(files: impl Iterator<Item = &'a str>) -> Vec<Listed> {
    let is_resource = |file: &str| File::ALL.into_iter().filter_map(resource).any(|name| alike(name, file));
    let mut maps: Vec<(String, bool, &str, &str)> = files
        .filter(|file| !is_resource(file))
        .filter_map(|file| {
            let read = read(file)?;
            let name = read.hashed.map_or(read.stem, |(name, _)| name);
            Some((name.to_lowercase(), read.hashed.is_some(), name, file))
        })
        .collect();
    maps.sort_unstable();
    let mut listed: Vec<Listed> = Vec::with_capacity(maps.len());
    let mut number = 0;
    for (at, (key, _, name, file)) in maps.iter().enumerate() {
        number = if at > 0 && maps[at - 1].0 == *key { number + 1 } else { 1 };
        listed.push(Listed {
            file: (*file).to_string(),
            level: format!("{CUSTOM_MAPS}{name}"),
            shown: shown(name, number),
        });
    }
    listed
}

/// A map's name as it is read, and which of its versions it is, from 1.
fn shown(name: &str, number: usize) -> String {
    let mut rest = name.chars();
    let mut text: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    text.push_str(rest.as_str());
    if number > 1 {
        text.push_str(&format!(" ({number})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(bytes: [u8; 4]) -> FileHash {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&bytes);
        FileHash(hash)
    }

    /// MAP-19: what Windows takes for a device is refused in any case and with anything behind a dot; what only begins so is not.
    #[test]
    fn devices_are_no_names() {
        let numbered = (1..=9).flat_map(|number| [format!("COM{number}"), format!("LPT{number}")]);
        let named = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].map(String::from);
        for device in numbered.chain(named) {
            for name in [
                device.clone(),
                device.to_lowercase(),
                format!("{device}.map"),
                format!("{}.a.b", device.to_lowercase()),
                format!("{device} .map"),
            ] {
                assert_eq!(check(&name), Err(BadName::Device), "{name:?}");
            }
        }
        assert_eq!(check("COM\u{b9}"), Err(BadName::Character));
        for name in ["console", "com", "com0", "com10", "lpt", "nul_", "a.con", "auxiliary"] {
            assert_eq!(check(name), Ok(()), "{name:?}");
        }
    }

    /// MAP-20: nothing that leads out of the folder, that a system drops or that reads as something else is a name.
    #[test]
    fn what_leaves_the_folder_is_no_name() {
        for (name, why) in [
            ("", BadName::Empty),
            (".", BadName::Ends),
            ("..", BadName::Character),
            ("../x", BadName::Character),
            ("..\\x", BadName::Character),
            ("a/../../x", BadName::Character),
            ("/etc/x", BadName::Character),
            ("a/b", BadName::Character),
            ("a\\b", BadName::Character),
            ("C:\\x", BadName::Character),
            ("C:x", BadName::Character),
            ("\\\\srv\\s\\x", BadName::Character),
            ("a%2e%2e", BadName::Character),
            ("a%2Fb", BadName::Character),
            ("a\0b", BadName::Character),
            ("a\nb", BadName::Character),
            ("a\u{7f}", BadName::Character),
            ("a\u{2215}b", BadName::Character),
            ("caf\u{e9}", BadName::Character),
            ("a*", BadName::Character),
            ("a?", BadName::Character),
            ("a|b", BadName::Character),
            ("a<b>", BadName::Character),
            ("a\"b", BadName::Character),
            ("arena.", BadName::Ends),
            ("arena ", BadName::Ends),
            ("arena. .", BadName::Ends),
            (" arena", BadName::Ends),
            (".arena", BadName::Ends),
            ("bitmaps", BadName::Resource),
            ("Sounds", BadName::Resource),
            ("LOC", BadName::Resource),
        ] {
            assert_eq!(check(name), Err(why), "{name:?}");
        }
        for name in
            ["hugeass", "a b", "a.b", "x-1_2", "100% fun", "bitmaps2", "x_0e2b3ee4", "[h] coldsnap (v2)"]
        {
            assert_eq!(check(name), Ok(()), "{name:?}");
        }
    }

    /// MAP-20: 64 characters are a name, 65 are none, and no name is ever cut.
    #[test]
    fn names_are_64_characters_long_at_most() {
        for length in [1, 31, 32, 63, 64] {
            assert_eq!(check(&"m".repeat(length)), Ok(()), "{length}");
        }
        for length in [65, 255, 256, 1024, 65_535] {
            assert_eq!(check(&"m".repeat(length)), Err(BadName::TooLong), "{length}");
        }
        assert_eq!(check(&"\u{20ac}".repeat(64)), Err(BadName::Character));
        assert_eq!(check(&"\u{20ac}".repeat(65)), Err(BadName::TooLong));
    }

    /// MAP-02, 07: a file's digits are the hash's own first four bytes, and read back as the version.
    #[test]
    fn a_file_is_named_for_its_hash() {
        let hash = hash([0x0e, 0x2b, 0x3e, 0xe4]);
        assert_eq!(of_level("custom_maps\\hugeass"), Some("hugeass"));
        assert_eq!(of_level("levels\\test\\hugeass"), None);
        let file = suffixed("hugeass", &hash);
        assert_eq!(file, "hugeass_0e2b3ee4.map");
        assert_eq!(read(&file).and_then(|file| file.hashed), Some(("hugeass", 0xe43e_2b0e)));
        assert_eq!(read(&file).map(|file| file.stem), Some("hugeass_0e2b3ee4"));
        assert_eq!(hash.version(), 0xe43e_2b0e);
        assert_eq!(own_name("hugeass_0e2b3ee4", &file, &hash), Some("hugeass"));
        assert_eq!(own_name("HugeAss_0e2b3ee4", &file, &hash), Some("hugeass"));
        for (asked, file) in [
            ("hugeass", "hugeass_0e2b3ee4.map"),
            ("hugeass", "hugeass.map"),
            ("hugeass_0e2b3ee5", "hugeass_0e2b3ee5.map"),
            ("hugeass_20190704", "hugeass_20190704.map"),
            ("sounds_0e2b3ee4", "sounds_0e2b3ee4.map"),
            ("con_0e2b3ee4", "con_0e2b3ee4.map"),
        ] {
            assert_eq!(own_name(asked, file, &hash), None, "{file}");
        }
        assert_eq!(part(&plain("hugeass")), "hugeass.map.part");
        assert_eq!(of_part("hugeass.map.part"), Some("hugeass.map"));
        assert_eq!(of_part("hugeass.part"), None);
    }

    /// What is no map's file, and what has no digits, is told.
    #[test]
    fn other_files_are_none() {
        for file in ["", ".map", "x", "x.part", "x.map.part", "map", "x.mapp", "\u{20ac}map"] {
            assert_eq!(read(file), None, "{file:?}");
        }
        for file in ["x.map", "X.MAP", "x_0e2b3ee.map", "x_0E2B3EE4.map", "x0e2b3ee4.map", "_0e2b3ee4.map"] {
            assert_eq!(read(file).map(|file| file.hashed), Some(None), "{file:?}");
        }
    }

    /// MAP-07: versions of one name are one level, and numbered; a resource map and a part file are no map.
    #[test]
    fn a_menu_numbers_versions() {
        let files = [
            "hugeass_ffffffff.map",
            "sounds.map",
            "zebra.map.part",
            "hugeass.map",
            "hugeass_0e2b3ee4.map",
            "alone_0e2b3ee4.map",
            "Bitmaps.map",
            "notes.txt",
        ];
        let listed = list(files.into_iter());
        let rows: Vec<_> =
            listed.iter().map(|map| (map.file.as_str(), map.level.as_str(), map.shown.as_str())).collect();
        assert_eq!(
            rows,
            [
                ("alone_0e2b3ee4.map", "custom_maps\\alone", "Alone"),
                ("hugeass.map", "custom_maps\\hugeass", "Hugeass"),
                ("hugeass_0e2b3ee4.map", "custom_maps\\hugeass", "Hugeass (2)"),
                ("hugeass_ffffffff.map", "custom_maps\\hugeass", "Hugeass (3)"),
            ]
        );
    }
}
