//! Maps that are there: which of them is a level's, what is hashed for it and how often.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mjolnir_mapshare::disk::{Folder, Handle, Memory, Plan, Stat};
use mjolnir_mapshare::{Done, Job};
use mjolnir_wire::mapshare::{File, FileSet, Refusal};

use crate::scene::{LEVEL, PIECE, Scene, beside, hash_of, map, needing, pieces_of, version};

/// MAP-05: a map that is needed twice in a run is hashed once; one that is not needed, and one that changed, as often as that.
#[test]
fn a_map_is_hashed_once_a_run() {
    let folder = Memory::new();
    let [own, other] = [map(1, 3 * PIECE), map(2, 2 * PIECE)];
    folder.set("hugeass.map", &own);
    folder.set("other.map", &other);
    let mut scene = Scene::new(&folder);
    let found = scene.look(LEVEL, None).unwrap().unwrap();
    assert_eq!((found.size as usize, found.hash, &*found.name), (own.len(), hash_of(&own), "hugeass.map"));
    let read = folder.read("hugeass.map");
    assert_eq!(read - own.len() as u64, 3, "the hash, and what the game looks at");
    assert_eq!(scene.look(LEVEL, Some(version(&own))).unwrap().unwrap(), found);
    assert_eq!(folder.read("hugeass.map") - read, 3, "what the game looks at alone");
    assert_eq!(folder.read("other.map"), 0);
    // The same length, other bytes: a later time of change.
    folder.set("hugeass.map", &map(3, 3 * PIECE));
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().hash, hash_of(&map(3, 3 * PIECE)));
}

/// MAP-03: of the files of a name that one is taken that is of the version asked for; none is where there is no such.
#[test]
fn the_version_decides() {
    let folder = Memory::new();
    let [plain, hashed, stranger] = [map(1, PIECE + 1), map(2, 2 * PIECE), map(3, 10)];
    folder.set("hugeass.map", &plain);
    folder.set(&beside(&hashed), &hashed);
    folder.set("hugeass_00000000.map", &stranger);
    let mut scene = Scene::new(&folder);
    for (bytes, name) in
        [(&plain, "hugeass.map"), (&hashed, &beside(&hashed)), (&stranger, "hugeass_00000000.map")]
    {
        let found = scene.look(LEVEL, Some(version(bytes))).unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.hash), (name, hash_of(bytes)));
    }
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().name, "hugeass.map");
    assert_eq!(scene.look(LEVEL, Some(1)), Ok(None));
    assert_eq!(scene.look("custom_maps\\huge", None), Ok(None));
    assert_eq!(scene.look("levels\\test\\hugeass", None), Ok(None));
    assert_eq!(scene.look("custom_maps\\", None), Ok(None));
    assert_eq!(scene.look("custom_maps\\..\\hugeass", None), Ok(None));
}

/// MAP-03: a map that is not there, or is cut anywhere, or has one byte changed, is not that version's; it stays as it is, and what is
/// fetched comes beside it.
#[test]
fn a_map_that_is_cut_or_changed_is_another() {
    let bytes = map(1, PIECE + 5000);
    let cuts = [0, 1, 2048, bytes.len() / 2, bytes.len() - 1].map(|length| bytes[..length].to_vec());
    let changes = [3, 2048, PIECE, bytes.len() - 1].map(|at| {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        changed
    });
    for there in cuts.iter().chain(&changes).map(Some).chain([None]) {
        let folder = Memory::new();
        if let Some(there) = there {
            folder.set("hugeass.map", there);
        }
        let mut scene = Scene::new(&folder);
        assert_eq!(scene.look(LEVEL, Some(version(&bytes))), Ok(None), "{:?}", there.map(Vec::len));
        let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
        let name = if there.is_some() { beside(&bytes) } else { "hugeass.map".into() };
        assert_eq!((found.unwrap().name, brought), (name.clone(), 2));
        assert!(folder.get(&name).unwrap() == bytes);
        if let Some(there) = there {
            assert!(folder.get("hugeass.map").as_ref() == Some(there));
        }
    }
}

/// MAP-05: what is of the version by its name is hashed first, and no other then.
#[test]
fn the_likeliest_file_is_hashed_first() {
    let folder = Memory::new();
    let [plain, hashed] = [map(1, 4 * PIECE), map(2, PIECE)];
    folder.set("hugeass.map", &plain);
    folder.set(&beside(&hashed), &hashed);
    let mut scene = Scene::new(&folder);
    assert!(scene.look(LEVEL, Some(version(&hashed))).unwrap().is_some());
    assert_eq!(folder.read("hugeass.map"), 0);
}

/// MAP-03: names that are equal but for case are one for finding; the very name comes first.
#[test]
fn another_case_is_found() {
    let folder = Memory::new();
    let [own, other] = [map(1, 100), map(2, 100)];
    folder.set("HugeAss.map", &own);
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().name, "HugeAss.map");
    assert_eq!(scene.look(LEVEL, Some(version(&own))).unwrap().unwrap().name, "HugeAss.map");
    folder.set("hugeass.map", &other);
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().name, "hugeass.map");
    assert_eq!(scene.look("custom_maps\\HugeAss", None).unwrap().unwrap().name, "HugeAss.map");
    assert_eq!(scene.look(LEVEL, Some(version(&own))).unwrap().unwrap().name, "HugeAss.map");
}

/// MAP-08: a map that is named for its hash and is alone with its name has it back; beside another, or under digits that are not
/// its hash's, it keeps what it has.
#[test]
fn a_map_has_its_name_back() {
    let bytes = map(1, PIECE);
    for (neighbour, name) in [
        (None, "hugeass.map".to_string()),
        (Some("hugeass.map"), beside(&bytes)),
        (Some("HUGEASS.map"), beside(&bytes)),
    ] {
        let folder = Memory::new();
        folder.set(&beside(&bytes), &bytes);
        if let Some(neighbour) = neighbour {
            folder.set(neighbour, &map(2, 50));
        }
        let mut scene = Scene::new(&folder);
        let found = scene.look(LEVEL, Some(version(&bytes))).unwrap().unwrap();
        assert_eq!(found.name, name, "{neighbour:?}");
        assert_eq!(folder.get(&name).as_ref(), Some(&bytes), "{neighbour:?}");
        assert_eq!(folder.names().len(), 1 + usize::from(neighbour.is_some()));
        // It is still known by its new name.
        let read = folder.read(&name);
        assert!(scene.look(LEVEL, Some(version(&bytes))).unwrap().is_some());
        assert_eq!(folder.read(&name) - read, 3);
    }
    let folder = Memory::new();
    folder.set("hugeass_0e2b3ee4.map", &bytes);
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.look(LEVEL, None), Ok(None), "its digits are part of its name");
    assert!(scene.look("custom_maps\\hugeass_0e2b3ee4", None).unwrap().is_some());
    assert_eq!(folder.names(), ["hugeass_0e2b3ee4.map"]);
}

/// MAP-06, 08: one that is looked for by the whole of its name keeps that, and is found by it again; and a level that is called as the
/// file of its version is that of its name alone too, of no other version.
#[test]
fn what_is_looked_for_by_its_whole_name_keeps_it() {
    let bytes = map(1, PIECE);
    let name = beside(&bytes);
    let level = format!("custom_maps\\{}", name.strip_suffix(".map").unwrap());
    for level in [&level, &level.replace("hugeass", "HugeAss")] {
        let folder = Memory::new();
        folder.set(&name, &bytes);
        let mut scene = Scene::new(&folder);
        for wanted in [None, Some(version(&bytes)), None, Some(version(&bytes))] {
            assert_eq!(scene.look(level, wanted).unwrap().map(|found| found.name).as_ref(), Some(&name));
        }
        assert_eq!(folder.names(), std::slice::from_ref(&name));
    }
    let folder = Memory::new();
    folder.set("hugeass.map", &bytes);
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.look(&level, Some(version(&bytes))).unwrap().unwrap().name, "hugeass.map");
    assert_eq!(scene.look(&level, None), Ok(None));
    folder.set("hugeass.map", &map(2, PIECE));
    assert_eq!(scene.look(&level, Some(version(&bytes))), Ok(None));
}

/// MAP-17, 53: bytes of the game's very version that this loader does not take are no map to fetch again.
#[test]
fn what_this_loader_does_not_take_is_not_fetched_again() {
    let folder = Memory::new();
    folder.set("hugeass.map", b"no map");
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.look(LEVEL, Some(version(b"no map"))), Err(Refusal::NotTheGamesVersion));
    assert_eq!(scene.look(LEVEL, Some(5)), Ok(None));
    assert_eq!(scene.look(LEVEL, None), Err(Refusal::CannotBeRead));
}

/// MAP-08: where it cannot be renamed it is found as it is called.
#[test]
fn a_name_that_cannot_be_given_back_stays() {
    let bytes = map(1, PIECE);
    let folder = Memory::new();
    folder.set(&beside(&bytes), &bytes);
    folder.plan(Plan { failing_renames: 1, ..Plan::default() });
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().name, beside(&bytes));
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().name, "hugeass.map");
}

/// MAP-17, 69: why a host's map cannot be offered is said, each reason by itself.
#[test]
fn a_map_that_cannot_be_offered_is_refused() {
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    let mut look = |bytes: &[u8]| {
        folder.set("hugeass.map", bytes);
        scene.look(LEVEL, None)
    };
    assert_eq!(look(b"M\x02\x00"), Err(Refusal::NotTheGamesVersion));
    assert_eq!(look(b"no map"), Err(Refusal::CannotBeRead));
    assert_eq!(look(b""), Err(Refusal::CannotBeRead));
    assert!(look(b"M\x01\x00").unwrap().is_some());
    folder.plan(Plan { is_unreadable: true, ..Plan::default() });
    folder.set("hugeass.map", b"M\x01\x00 ");
    assert_eq!(scene.look(LEVEL, None), Err(Refusal::CannotBeRead));
    folder.delete("hugeass.map");
    folder.make_folder("hugeass.map");
    assert_eq!(scene.look(LEVEL, None), Err(Refusal::CannotBeRead));
    // Of a version, such a file is simply not it.
    assert_eq!(scene.look(LEVEL, Some(5)), Ok(None));
}

/// A map of so many bytes, zeros behind its head; how many were read.
#[derive(Clone)]
struct Huge(u64, Arc<AtomicU64>);

impl Folder for Huge {
    fn list(&mut self) -> io::Result<Vec<String>> {
        Ok(vec!["hugeass.map".into()])
    }

    fn open(&mut self, _: &str) -> io::Result<Arc<dyn Handle>> {
        Ok(Arc::new(self.clone()))
    }

    fn draft(&mut self, _: &str) -> io::Result<Arc<dyn Handle>> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn rename(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sweep(&mut self, _: &str) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }
}

impl Handle for Huge {
    fn stat(&self) -> io::Result<Stat> {
        Ok(Stat { length: self.0, modified: None, number: 1 })
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        into.fill(0);
        if offset == 0 {
            into[..2].copy_from_slice(b"M\x01");
        }
        Ok(())
    }

    fn write_at(&self, _: u64, _: &[u8]) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn cut(&self, _: u64) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn release(&self) {}
}

/// MAP-68, 69: a file of 2^32 bytes is too large to be offered, which is said before a byte of it is read; one of a byte less is hashed
/// to its end, and found.
#[test]
fn a_file_whose_size_does_not_travel_is_too_large() {
    let read = Arc::new(AtomicU64::new(0));
    let mut scene = Scene::on(Huge(1 << 32, Arc::clone(&read)));
    assert_eq!(scene.look(LEVEL, None), Err(Refusal::TooLarge));
    assert_eq!(read.load(Ordering::Relaxed), 0);
    let mut scene = Scene::on(Huge((1 << 32) - 1, Arc::clone(&read)));
    let found = scene.look(LEVEL, None).unwrap().unwrap();
    assert_eq!(found.size, u32::MAX);
    // And its head by the loader.
    assert_eq!(read.load(Ordering::Relaxed), u64::from(u32::MAX) + 3);
}

/// MAP-05: a file that changes while it is hashed has no hash, and is hashed anew once it stands.
#[test]
fn a_file_that_changes_while_it_is_hashed_has_no_hash() {
    let folder = Memory::new();
    folder.set("hugeass.map", &map(1, 100 * PIECE));
    let mut scene = Scene::new(&folder);
    scene.give(Job::Look { ticket: 1, level: LEVEL.into(), version: None });
    assert!(scene.clerk.step(scene.now), "it takes more than a slice");
    folder.set("hugeass.map", &map(2, 100 * PIECE));
    let dones = scene.run();
    let refused = |done: &Done| matches!(done, Done::Looked { map: Err(Refusal::CannotBeRead), .. });
    assert!(dones.iter().any(refused), "{dones:?}");
    assert!(dones.iter().any(|done| matches!(done, Done::Word(word) if word.contains("hugeass.map"))));
    assert_eq!(scene.look(LEVEL, None).unwrap().unwrap().hash, hash_of(&map(2, 100 * PIECE)));
}

/// MAP-15, 67: which resource maps are there is said with the map, and each is hashed when it is asked for.
#[test]
fn resource_maps_are_found_and_hashed() {
    let folder = Memory::new();
    let sounds = map(5, 2 * PIECE + 9);
    folder.set("hugeass.map", &needing(1, 100, FileSet::only(File::Sounds)));
    folder.set("sounds.map", &sounds);
    folder.set("Loc.map", b"x");
    folder.set("bitmaps.map", b"");
    let mut scene = Scene::new(&folder);
    let (found, resources) = scene.look_all(LEVEL, None);
    assert_eq!(found.unwrap().unwrap().needs, FileSet::only(File::Sounds));
    assert_eq!(resources, FileSet::only(File::Sounds).with(File::Loc));
    for (file, answer) in [
        (File::Sounds, Ok((sounds.len() as u32, hash_of(&sounds), pieces_of(&sounds)))),
        (File::Bitmaps, Err(Refusal::CannotBeRead)),
        (File::Map, Err(Refusal::CannotBeRead)),
    ] {
        let dones = scene.ask(Job::Hash { ticket: 3, file });
        assert_eq!(dones, [Done::Hashed { ticket: 3, file, answer }]);
    }
    let read = folder.read("sounds.map");
    scene.ask(Job::Hash { ticket: 4, file: File::Sounds });
    assert_eq!(folder.read("sounds.map"), read);
}

/// MAP-05: searches are answered in their order, whatever each of them costs.
#[test]
fn searches_are_answered_in_order() {
    let folder = Memory::new();
    folder.set("large.map", &map(1, 80 * PIECE));
    folder.set("small.map", &map(2, 10));
    let mut scene = Scene::new(&folder);
    for (ticket, level) in [(1, "custom_maps\\large"), (2, "custom_maps\\small")] {
        scene.give(Job::Look { ticket, level: level.into(), version: None });
    }
    let tickets: Vec<u32> = scene
        .run()
        .iter()
        .filter_map(|done| match done {
            Done::Looked { ticket, map: Ok(Some(_)), .. } => Some(*ticket),
            _ => None,
        })
        .collect();
    assert_eq!(tickets, [1, 2]);
}
