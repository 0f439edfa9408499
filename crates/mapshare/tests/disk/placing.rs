//! Downloads that have every piece: their names, what is in the way of those, and what a game makes of them.

use std::time::Duration;

use mjolnir_mapshare::disk::{Folder, Memory, Plan};
use mjolnir_mapshare::{Done, Fault, Job};
use mjolnir_wire::mapshare::{File, FileSet};

use crate::scene::{LEVEL, PIECE, Scene, beside, hash_of, map, needing, version};

/// MAP-06, 07: beside another version of its name the map is named for its hash; what is there keeps its name and every byte.
#[test]
fn another_version_is_put_beside() {
    for there in ["hugeass.map", "HugeAss.map", "hugeass.MAP"] {
        let [old, new] = [map(1, 2 * PIECE), map(2, 3 * PIECE)];
        let folder = Memory::new();
        folder.set(there, &old);
        let mut scene = Scene::new(&folder);
        let (found, _) = scene.download(LEVEL, &[(File::Map, &new)]);
        assert_eq!(found.unwrap().name, beside(&new));
        assert_eq!(
            (folder.get(there).unwrap(), folder.get(&beside(&new)).unwrap()),
            (old.clone(), new.clone())
        );
        assert_eq!(folder.names().len(), 2);
        assert_eq!(scene.look(LEVEL, Some(version(&new))).unwrap().unwrap().name, beside(&new));
        assert_eq!(scene.look(LEVEL, Some(version(&old))).unwrap().unwrap().name, there);
    }
}

/// MAP-07: a name that is taken while the download comes is taken: the map is put beside it.
#[test]
fn a_name_that_is_taken_meanwhile_is_kept() {
    for is_caseless in [false, true] {
        let folder = Memory::new();
        folder.plan(Plan { is_caseless, ..Plan::default() });
        let bytes = map(1, PIECE);
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        scene.take(File::Map, &bytes, &[0]);
        folder.set("Hugeass.map", b"mine");
        assert_eq!(scene.finish().unwrap().name, beside(&bytes));
        assert_eq!(folder.get("Hugeass.map").unwrap(), b"mine");
    }
}

/// MAP-07: where only a folder has the name the map is put beside it too; where both names are taken it fails, and nothing changes.
#[test]
fn what_has_the_name_stays() {
    let bytes = map(1, PIECE);
    let folder = Memory::new();
    folder.make_folder("hugeass.map");
    let mut scene = Scene::new(&folder);
    assert_eq!(scene.download(LEVEL, &[(File::Map, &bytes)]).0.unwrap().name, beside(&bytes));
    folder.delete(&beside(&bytes));
    folder.make_folder(&beside(&bytes));
    let before = folder.changes();
    assert!(matches!(scene.begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Place(_))));
    assert_eq!(folder.changes(), before);
}

/// MAP-53: both names are taken while the download comes: it cannot be put, and its part file stays for another attempt.
#[test]
fn a_download_that_cannot_be_put_is_kept() {
    let bytes = map(1, 2 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0, 1]);
    folder.make_folder("hugeass.map");
    folder.set(&beside(&bytes), b"mine");
    assert!(matches!(scene.finish(), Err(Fault::Place(text)) if text.contains("hugeass.map")));
    scene.ask(Job::Abandon);
    folder.delete("hugeass.map");
    let mut scene = Scene::new(&folder);
    let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
    assert_eq!((found.unwrap().name.as_str(), brought), ("hugeass.map", 0));
    assert_eq!(folder.get(&beside(&bytes)).unwrap(), b"mine");
}

/// MAP-53: a renaming that is denied for three seconds, as by a scanner of viruses, succeeds then; other jobs do not wait for it.
#[test]
fn a_denied_renaming_is_tried_again() {
    let bytes = map(1, PIECE);
    let folder = Memory::new();
    folder.set("other.map", &map(2, 100));
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0]);
    folder.plan(Plan { failing_renames: u32::MAX, ..Plan::default() });
    assert_eq!(scene.ask(Job::Finish), []);
    assert_eq!(scene.pass(Duration::from_secs(3)), []);
    assert!(scene.look("custom_maps\\other", None).unwrap().is_some());
    folder.plan(Plan::default());
    let dones = scene.pass(Duration::from_millis(250));
    assert!(matches!(&dones[..], [Done::Finished(Ok(found))] if found.name == "hugeass.map"), "{dones:?}");
}

/// MAP-53: it is tried for ten seconds, and not a moment longer; the part file stays, and a later attempt needs no download.
#[test]
fn a_denied_renaming_is_given_up_after_ten_seconds() {
    let bytes = map(1, 3 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0, 1, 2]);
    folder.plan(Plan { failing_renames: u32::MAX, ..Plan::default() });
    assert_eq!(scene.ask(Job::Finish), []);
    assert_eq!(scene.pass(Duration::from_millis(9_999)), []);
    let dones = scene.pass(Duration::from_millis(1));
    let [Done::Finished(Err(Fault::Place(text)))] = &dones[..] else { panic!("{dones:?}") };
    assert!(text.starts_with("hugeass.map.part cannot become hugeass.map: "), "{text}");
    assert_eq!(folder.get("hugeass.map"), None);
    // At once, and in another run.
    folder.plan(Plan { failing_renames: 1, ..Plan::default() });
    let mut again = Scene::new(&folder);
    scene.ask(Job::Abandon);
    let (found, brought) = again.download(LEVEL, &[(File::Map, &bytes)]);
    assert_eq!((found.unwrap().hash, brought), (hash_of(&bytes), 0));
}

/// MAP-53: of a map that cannot be played nothing stays, whatever came with it; the folder is as before.
#[test]
fn an_unplayable_map_leaves_nothing() {
    let sounds = map(9, PIECE + 1);
    let mut broken = map(1, 2 * PIECE);
    broken[0] = b'X';
    let mut other = map(2, 2 * PIECE);
    other[1] = 2;
    let lacking = needing(3, 2 * PIECE, FileSet::only(File::Loc));
    for (bytes, text) in [(&broken, "it is no map"), (&other, "another version"), (&lacking, "loc.map")] {
        let folder = Memory::new();
        folder.set("mine.map", b"mine");
        let mut scene = Scene::new(&folder);
        let (found, _) = scene.download(LEVEL, &[(File::Map, bytes), (File::Sounds, &sounds)]);
        assert!(matches!(&found, Err(Fault::Unplayable(how)) if how.contains(text)), "{found:?}");
        assert_eq!(folder.names(), ["mine.map"]);
        assert_eq!(scene.look(LEVEL, Some(version(bytes))), Ok(None));
    }
}

/// MAP-53: where the map cannot be put the resource maps that were put before it are taken back, and need no download again.
#[test]
fn what_was_put_is_taken_back() {
    let [bytes, sounds] = [needing(1, PIECE, FileSet::only(File::Sounds)), map(9, PIECE + 1)];
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes), (File::Sounds, &sounds)]).unwrap();
    for (file, bytes, pieces) in [(File::Map, &bytes, &[0][..]), (File::Sounds, &sounds, &[0, 1])] {
        scene.resume(file, bytes).unwrap();
        scene.take(file, bytes, pieces);
    }
    folder.make_folder("hugeass.map");
    folder.make_folder(&beside(&bytes));
    assert!(matches!(scene.finish(), Err(Fault::Place(_))));
    assert_eq!(folder.get("sounds.map"), None);
    folder.delete("hugeass.map");
    scene.ask(Job::Abandon);
    let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes), (File::Sounds, &sounds)]);
    assert_eq!((found.unwrap().needs, brought), (FileSet::only(File::Sounds), 0));
    assert_eq!(folder.get("sounds.map").unwrap(), sounds);
}

/// MAP-49, 67: resource maps alone come to a map that is there, and it is what is found.
#[test]
fn resource_maps_come_alone() {
    let [bytes, loc] = [needing(1, PIECE, FileSet::only(File::Loc)), map(9, 2 * PIECE)];
    let folder = Memory::new();
    folder.set("hugeass.map", &bytes);
    let mut scene = Scene::new(&folder);
    let (map, resources) = scene.look_all(LEVEL, Some(version(&bytes)));
    assert_eq!(resources, FileSet::NONE);
    let (found, _) = scene.download(LEVEL, &[(File::Loc, &loc)]);
    assert_eq!(found.unwrap(), map.unwrap().unwrap());
    assert_eq!(folder.names(), ["hugeass.map", "loc.map"]);
    let dones = scene.ask(Job::Hash { ticket: 1, file: File::Loc });
    assert!(matches!(&dones[..], [Done::Hashed { answer: Ok((_, hash, _)), .. }] if *hash == hash_of(&loc)));
}

/// MAP-06: a resource map that is there is never written over, in whatever case; nor one that comes while the other does.
#[test]
fn a_resource_map_that_is_there_stays() {
    let [bytes, loc] = [map(1, 10), map(9, 20)];
    for there in ["loc.map", "Loc.map"] {
        let folder = Memory::new();
        folder.set(there, b"mine");
        let mut scene = Scene::new(&folder);
        assert!(matches!(
            scene.begin(LEVEL, &[(File::Map, &bytes), (File::Loc, &loc)]),
            Err(Fault::Place(_))
        ));
        folder.delete(there);
        scene.begin(LEVEL, &[(File::Map, &bytes), (File::Loc, &loc)]).unwrap();
        for (file, bytes) in [(File::Map, &bytes), (File::Loc, &loc)] {
            scene.resume(file, bytes).unwrap();
            scene.take(file, bytes, &[0]);
        }
        folder.set(there, b"mine");
        assert!(matches!(scene.finish(), Err(Fault::Place(text)) if text.contains("loc.map")));
        assert_eq!(folder.get(there).unwrap(), b"mine");
        assert_eq!(folder.get("hugeass.map"), None);
    }
}

/// MAP-53: without every piece, or where the part file was shortened by somebody, nothing is put in its place.
#[test]
fn what_is_not_whole_is_not_put() {
    let bytes = map(1, 2 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    assert!(matches!(scene.finish(), Err(Fault::Disk(_))));
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert!(matches!(scene.finish(), Err(Fault::Disk(_))));
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[1]);
    assert!(matches!(scene.finish(), Err(Fault::Disk(_))));
    scene.take(File::Map, &bytes, &[0]);
    let part = folder.clone().open("hugeass.map.part").unwrap();
    part.cut(2 * PIECE as u64 - 1).unwrap();
    assert!(matches!(scene.finish(), Err(Fault::Disk(text)) if text.contains("changed")));
    assert_eq!(folder.get("hugeass.map"), None);
}

/// MAP-51: a download that is stopped while a renaming is denied says so, and its part file stays.
#[test]
fn a_download_is_stopped_while_it_waits_for_its_place() {
    let bytes = map(1, PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0]);
    folder.plan(Plan { failing_renames: u32::MAX, ..Plan::default() });
    assert_eq!(scene.ask(Job::Finish), []);
    assert!(matches!(scene.ask(Job::Abandon)[..], [Done::Finished(Err(Fault::Disk(_)))]));
    assert_eq!(scene.pass(Duration::from_secs(60)), []);
    assert_eq!(folder.get("hugeass.map.part").unwrap(), bytes);
}
