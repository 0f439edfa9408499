//! What is read of the files that are shared, and when they are lost.

use mjolnir_mapshare::disk::Memory;
use mjolnir_mapshare::{Done, Job, Shelf};
use mjolnir_wire::mapshare::{File, Refusal};

use crate::scene::{LEVEL, PIECE, Scene, map, pieces_of};

fn is_read(scene: &Scene<Memory>, file: File, bytes: &[u8], offset: usize, length: usize) -> bool {
    let mut into = vec![0; length];
    let read = scene.shelf().read(file, offset as u64, &mut into);
    assert!(read.is_err() || into == bytes[offset..offset + length]);
    read.is_ok()
}

/// MAP-35: what was looked for and hashed is read from any place, up to its last byte and not past it; nothing else is.
#[test]
fn blocks_are_read_from_their_places() {
    let folder = Memory::new();
    let [bytes, sounds] = [map(1, 2 * PIECE + 9), map(2, 77)];
    folder.set("hugeass.map", &bytes);
    folder.set("sounds.map", &sounds);
    let mut scene = Scene::new(&folder);
    assert!(!is_read(&scene, File::Map, &bytes, 0, 1));
    scene.look(LEVEL, None).unwrap();
    scene.ask(Job::Hash { ticket: 1, file: File::Sounds });
    for (offset, length) in
        [(0, 16_384), (PIECE - 1, 2), (bytes.len() - 1, 1), (bytes.len(), 0), (0, bytes.len())]
    {
        assert!(is_read(&scene, File::Map, &bytes, offset, length), "{offset} {length}");
    }
    assert!(is_read(&scene, File::Sounds, &sounds, 70, 7));
    let mut shelf = scene.shelf();
    for (file, offset) in [(File::Map, bytes.len() as u64), (File::Map, u64::MAX), (File::Bitmaps, 0)] {
        assert_eq!(shelf.read(file, offset, &mut [0]), Err(Refusal::CannotBeRead));
    }
    assert!(is_read(&scene, File::Map, &bytes, 5, 5), "a wrong place loses nothing");
}

/// MAP-35: a file that is changed, cut or lengthened while it is shared is read no more, and that is said once; looked for again it is.
#[test]
fn a_file_that_changes_is_shared_no_longer() {
    let bytes = map(1, 2 * PIECE);
    let longer: Vec<u8> = bytes.iter().copied().chain([1]).collect();
    for now in [&map(2, 2 * PIECE)[..], &bytes[..PIECE], &longer, &bytes] {
        let folder = Memory::new();
        folder.set("hugeass.map", &bytes);
        let mut scene = Scene::new(&folder);
        scene.look(LEVEL, None).unwrap();
        assert!(is_read(&scene, File::Map, &bytes, 0, 10));
        folder.set("hugeass.map", now);
        let mut shelf = scene.shelf();
        for _ in 0..3 {
            assert_eq!(shelf.read(File::Map, 0, &mut [0; 10]), Err(Refusal::CannotBeRead));
        }
        assert_eq!(scene.run(), [Done::Lost(File::Map)]);
        assert_eq!(scene.run(), []);
        scene.look(LEVEL, None).unwrap();
        assert!(is_read(&scene, File::Map, now, 1, PIECE - 1));
    }
}

/// MAP-37: what came is read while the rest comes, and as the map once it is in its place; a download that stops is read no more.
#[test]
fn a_download_is_read_as_it_comes() {
    let folder = Memory::new();
    let bytes = map(1, 3 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert!(!is_read(&scene, File::Map, &bytes, 0, 1));
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[1]);
    assert!(is_read(&scene, File::Map, &bytes, PIECE, PIECE));
    scene.ask(Job::Abandon);
    scene.run();
    assert!(!is_read(&scene, File::Map, &bytes, PIECE, 1));
    let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
    assert_eq!((found.is_ok(), brought), (true, 2));
    assert!(is_read(&scene, File::Map, &bytes, 0, 3 * PIECE));
    folder.set("hugeass.map", &map(2, 3 * PIECE));
    assert!(!is_read(&scene, File::Map, &bytes, 0, 1));
    assert_eq!(scene.run(), [Done::Lost(File::Map)]);
}

/// MAP-85: the shelf has another map as soon as it was taken that it is there, and not before.
#[test]
fn the_shelf_changes_as_it_is_told() {
    let folder = Memory::new();
    let [first, second] = [map(1, 10), map(2, 10)];
    folder.set("first.map", &first);
    folder.set("second.map", &second);
    let mut scene = Scene::new(&folder);
    scene.look("custom_maps\\first", None).unwrap();
    scene.give(Job::Look { ticket: 1, level: "custom_maps\\second".into(), version: None });
    while scene.clerk.step(scene.now) {}
    assert!(is_read(&scene, File::Map, &first, 0, 10));
    scene.clerk.take(&mut Vec::new());
    assert!(is_read(&scene, File::Map, &second, 0, 10));
    scene.look("custom_maps\\third", None).unwrap();
    assert!(!is_read(&scene, File::Map, &second, 0, 10));
}

/// MAP-37: a search that is answered while a download comes takes nothing of it from the shelf; what was there before it is gone.
#[test]
fn a_search_takes_no_download_from_the_shelf() {
    let folder = Memory::new();
    let [old, bytes] = [map(1, 10), map(2, 2 * PIECE)];
    folder.set("old.map", &old);
    let mut scene = Scene::new(&folder);
    scene.look("custom_maps\\old", None).unwrap();
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert!(!is_read(&scene, File::Map, &old, 0, 1));
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0]);
    for (level, version) in [("custom_maps\\old", None), (LEVEL, Some(1))] {
        scene.look(level, version).unwrap();
        assert!(is_read(&scene, File::Map, &bytes, 0, PIECE), "{level}");
    }
}

/// MAP-35: a loss that is of the file before is not the next one's.
#[test]
fn the_loss_of_a_file_is_told_before_the_next_is() {
    let folder = Memory::new();
    let bytes = map(1, 10);
    folder.set("hugeass.map", &bytes);
    let mut scene = Scene::new(&folder);
    scene.look(LEVEL, None).unwrap();
    folder.set("hugeass.map", &map(2, 10));
    scene.shelf().read(File::Map, 0, &mut [0]).unwrap_err();
    let dones = scene.ask(Job::Look { ticket: 2, level: LEVEL.into(), version: None });
    assert!(matches!(dones[..], [Done::Lost(File::Map), Done::Looked { map: Ok(Some(_)), .. }]), "{dones:?}");
    assert!(is_read(&scene, File::Map, &map(2, 10), 0, 10));
    assert_eq!(pieces_of(&bytes).len(), 1);
}
