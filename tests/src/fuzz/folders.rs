//! Targets of what map sharing reads of a folder: the names of map files, the list of part files, and the reference game's map files. Each
//! is held beside the plainest way to say the same. Knows no peer.

use std::path::Path;
use std::time::Duration;

use mjolnir_mapshare::disk::{Clerk, Engine, Loader, Memory, Unfit, View};
use mjolnir_mapshare::names::{self, BadName, CUSTOM_MAPS, MAP_NAME_MAX};
use mjolnir_mapshare::{Done, Job, index};
use mjolnir_skirmish::custom::Loader as Skirmish;
use mjolnir_skirmish::game::map_file::{self, Fault, HEADER_BYTES, MOST_ROWS};
use mjolnir_wire::mapshare::{File, FileHash, FileSet};

use super::contents::contents;

/// Names that some system takes for a device, as its people list them.
const DEVICES: [&str; 25] = [
    "con", "prn", "aux", "nul", "conin$", "conout$", "clock$", "com1", "com2", "com3", "com4", "com5",
    "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];
/// The list's name and its first line.
const LIST: &str = "mjolnir-part-files.txt";
const HEAD: &str = "Part files of downloads. The game deletes those that are named here.\n";
/// What a person keeps beside it.
const MINE: [&str; 5] = ["a.map", "notes.txt", "b.map.part", "con.map.part", "c.part"];

/// A map's name, behind four bytes of a hash.
pub(super) fn map_names(bytes: &[u8]) {
    let Some((head, text)) = bytes.split_first_chunk::<4>() else { return };
    let name = String::from_utf8_lossy(text);
    let mut hash = FileHash([0; 32]);
    hash.0[..4].copy_from_slice(head);
    if let Some(file) = names::read(&name) {
        assert!(name.starts_with(file.stem) && !file.stem.is_empty());
        if let Some((plain, _)) = file.hashed {
            assert!(file.stem.starts_with(plain) && !plain.is_empty());
        }
    }
    if let Some(file) = names::of_part(&name) {
        assert_eq!(names::part(file), name);
    }
    let judged = names::check(&name);
    let is_device = |name: &str| {
        let before = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
        DEVICES.contains(&before.to_ascii_lowercase().as_str())
    };
    if is_device(&name) {
        assert!(judged.is_err(), "{name:?} is a device");
    }
    if judged.is_err() {
        assert!(judged != Err(BadName::Empty) || name.is_empty());
        assert!(judged != Err(BadName::TooLong) || name.chars().count() > MAP_NAME_MAX);
        return;
    }
    // It is one file of one folder on every system, and reads back as what it is of.
    assert!(!name.is_empty() && name.len() <= MAP_NAME_MAX && name.is_ascii());
    assert_eq!(names::of_level(&format!("{CUSTOM_MAPS}{name}")), Some(&*name));
    let (plain, suffixed) = (names::plain(&name), names::suffixed(&name, &hash));
    assert_eq!(names::read(&plain).map(|file| file.stem), Some(&*name));
    assert_eq!(names::read(&suffixed).and_then(|file| file.hashed), Some((&*name, hash.version())));
    for file in [plain, suffixed] {
        let part = names::part(&file);
        assert_eq!(names::of_part(&part), Some(&*file));
        for file in [file, part] {
            let path = Path::new("maps").join(&file);
            assert_eq!(path.parent(), Some(Path::new("maps")));
            assert_eq!(path.file_name().and_then(|name| name.to_str()), Some(&*file));
            assert!(
                !file.contains(['/', '\\', ':', '\0']) && !file.ends_with(['.', ' ']) && !is_device(&file)
            );
            assert!(!["bitmaps.map", "sounds.map", "loc.map"].contains(&file.to_ascii_lowercase().as_str()));
        }
    }
}

/// Takes any map.
struct Takes;

impl Loader for Takes {
    fn check(&mut self, _: &mut dyn View) -> Result<FileSet, Unfit> {
        Ok(FileSet::NONE)
    }

    fn most(&self, _: File) -> u64 {
        u64::MAX
    }
}

/// A list of part files as it may stand in a folder, behind a byte that says whether it begins as one: a download begins over it, and
/// is given up.
pub(super) fn part_files(bytes: &[u8]) {
    let Some((is_one, text)) = bytes.split_first() else { return };
    let text = if is_one & 1 != 0 { [HEAD.as_bytes(), text].concat() } else { text.to_vec() };
    let folder = Memory::new();
    let as_text = String::from_utf8_lossy(&text).into_owned();
    // Every file that the list may mean is there, and others.
    let mut there: Vec<String> = MINE.map(str::to_owned).to_vec();
    there.extend(as_text.split(['\n', '\r']).take(64).map(str::to_owned));
    there.retain(|name| !name.is_empty() && name != LIST);
    for name in &there {
        folder.set(name, name.as_bytes());
    }
    folder.set(LIST, &text);
    let mut clerk = Clerk::with(folder.clone(), Takes, Engine::on(1), std::sync::Arc::new(|| ()));
    let offers = [contents()[1].offered];
    clerk.give(Job::Begin { level: format!("{CUSTOM_MAPS}fetched"), offers: offers.into() });
    clerk.give(Job::Abandon);
    let mut dones = Vec::new();
    while clerk.step(Duration::ZERO) {}
    clerk.take(&mut dones);
    let has_begun = dones.contains(&Done::Begun(Ok(())));
    // What goes is what a whole line of a list names, and a map's part file; what is no list stays, and nothing begins.
    let is_list = as_text.starts_with(HEAD) || HEAD.starts_with(&as_text);
    assert!(is_list || !has_begun);
    if !is_list {
        assert_eq!(folder.get(LIST).as_deref(), Some(&text[..]));
    }
    let named: Vec<&str> = match as_text.rsplit_once('\n') {
        Some((whole, _)) if is_list => whole.split('\n').skip(1).collect(),
        _ => Vec::new(),
    };
    let named = |name: &str| named.iter().any(|line| line.trim_end_matches('\r') == name);
    for name in &there {
        let may_go = named(name) && name.ends_with(".map.part") && !name.contains(['/', '\\']);
        assert!(folder.get(name).is_some_and(|bytes| bytes == name.as_bytes()) || may_go, "{name:?} is gone");
    }
    // Whatever it was, what this download made is gone with it.
    let made: Vec<String> = folder.names().into_iter().filter(|name| !there.contains(name)).collect();
    assert!(made.iter().all(|name| name == LIST), "{made:?} are left");
}

/// A file, to look into.
struct Memorized<'a>(&'a [u8]);

impl View for Memorized<'_> {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> std::io::Result<()> {
        map_file::Bytes::read_at(&mut &*self.0, offset, into)
    }
}

/// A map's file.
pub(super) fn map_file(bytes: &[u8]) {
    let read = map_file::read(&mut &*bytes);
    let said = Loader::check(&mut Skirmish, &mut Memorized(bytes));
    let headers = File::ALL.map(|file| map_file::read_header(&mut &*bytes, file).ok());
    assert!(headers.iter().flatten().count() <= 1, "it is of two kinds");
    for header in headers.iter().flatten() {
        assert_eq!(header.size, bytes.len() as u64);
    }
    match read {
        Ok(map) => {
            assert!(headers[File::Map.index()].is_some());
            let least = HEADER_BYTES + 32 * map.tags.len();
            assert!(least <= bytes.len() && map.tags.len() <= MOST_ROWS as usize);
            assert_eq!(said, Ok(index::needs(map.tags)));
        }
        Err(Fault::OtherVersion(version)) => {
            assert_eq!(said, Err(Unfit::OtherVersion));
            assert_eq!(bytes.get(4..8), Some(&version.to_le_bytes()[..]));
        }
        Err(fault) => {
            assert_eq!(said, Err(Unfit::Broken(fault.to_string())));
            let has_text = matches!(fault, Fault::Text(_) | Fault::NotText);
            assert_eq!(has_text, headers[File::Map.index()].is_some(), "{fault}");
        }
    }
}
