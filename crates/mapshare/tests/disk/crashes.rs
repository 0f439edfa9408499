//! A machine that stops in the midst of any change, and what the next run makes of what is left.

use mjolnir_mapshare::Job;
use mjolnir_mapshare::disk::{Memory, Plan};
use mjolnir_wire::mapshare::{File, FileSet};

use crate::scene::{LEVEL, PIECE, Scene, beside, hash_of, map, needing, version};

/// What a person keeps in the folder of these scenes.
const MINE: [(&str, &[u8]); 4] =
    [("HUGEASS.map", b"mine"), ("old.map", b"too"), ("x.map.part", b"a browser's"), ("notes.txt", b"hello")];

fn is_mine_as_it_was(folder: &Memory) -> bool {
    MINE.iter().all(|(name, bytes)| folder.get(name).as_deref() == Some(*bytes))
}

/// No map is there but whole, whatever stands beside it.
fn no_map_is_half(folder: &Memory, maps: &[(&str, &[u8])]) {
    for (name, bytes) in maps {
        if let Some(found) = folder.get(name) {
            assert!(found == *bytes, "{name} is not whole");
        }
    }
}

/// MAP-48, 50, 53: stopped at any change, a download leaves no half map, nothing of a person's is touched, and the next run fetches two
/// pieces more at most than were missing, and ends with the map, the resource map and no part file.
#[test]
fn a_crash_at_any_change_is_taken_up_from() {
    let sounds = map(9, PIECE + 1);
    let bytes = needing(1, 4 * PIECE + 99, FileSet::only(File::Sounds));
    let files: [(File, &[u8]); 2] = [(File::Map, &bytes), (File::Sounds, &sounds)];
    let name = beside(&bytes);
    let maps: [(&str, &[u8]); 2] = [(&name, &bytes), ("sounds.map", &sounds)];
    let scene_of = |crash_at: Option<usize>| {
        let folder = Memory::new();
        for (name, bytes) in MINE {
            folder.set(name, bytes);
        }
        // Another map's download, which is to make way.
        let mut scene = Scene::new(&folder);
        let other = map(5, 2 * PIECE);
        scene.begin("custom_maps\\other", &[(File::Map, &other)]).unwrap();
        scene.resume(File::Map, &other).unwrap();
        scene.take(File::Map, &other, &[0]);
        drop(scene);
        folder.restart();
        folder.plan(Plan { crash_at, ..Plan::default() });
        folder
    };
    let whole = scene_of(None);
    let (found, brought) = Scene::new(&whole).download(LEVEL, &files);
    assert_eq!((found.unwrap().name, brought), (name.clone(), 7));
    let changes = whole.changes();
    assert!(changes >= 7 + 5, "{changes}");
    for crash_at in 0..changes {
        let folder = scene_of(Some(crash_at));
        let (found, written) = Scene::new(&folder).download(LEVEL, &files);
        assert!(folder.is_crashed(), "{crash_at}");
        folder.restart();
        assert!(is_mine_as_it_was(&folder), "{crash_at}");
        no_map_is_half(&folder, &maps);
        let mut scene = Scene::new(&folder);
        // What is whole already, as a client would know of it.
        let (there, resources) = scene.look_all(LEVEL, Some(version(&bytes)));
        let is_there = there.unwrap().is_some();
        let lacked: Vec<(File, &[u8])> = files
            .into_iter()
            .filter(|(file, _)| if *file == File::Map { !is_there } else { !resources.contains(*file) })
            .collect();
        assert!(found.is_err() || lacked.is_empty(), "{crash_at}: {found:?}");
        if !lacked.is_empty() {
            let (found, brought) = scene.download(LEVEL, &lacked);
            assert_eq!(found.unwrap().hash, hash_of(&bytes), "{crash_at}");
            assert!(brought <= 7 - written + 2, "{crash_at}: {brought} after {written}");
        }
        for (name, bytes) in maps {
            assert!(folder.get(name).as_deref() == Some(bytes), "{crash_at}: {name}");
        }
        assert!(is_mine_as_it_was(&folder), "{crash_at}");
        let left: Vec<String> = folder.names().into_iter().filter(|name| name.ends_with(".part")).collect();
        // A list that was being written names nothing yet: then the file that it was for was not made either.
        let other = map(5, 2 * PIECE);
        scene.begin("custom_maps\\last", &[(File::Map, &other)]).unwrap();
        scene.ask(Job::Abandon);
        let later: Vec<String> = folder.names().into_iter().filter(|name| name.ends_with(".part")).collect();
        assert_eq!(later, ["x.map.part"], "{crash_at}: {left:?}");
    }
}

/// MAP-06, 52: a renaming that was cut short leaves a map two names; no later download writes through the one into the other.
#[test]
fn a_maps_second_name_is_not_written_to() {
    for is_beside in [false, true] {
        let [bytes, next] = [map(1, 2 * PIECE), map(2, 3 * PIECE)];
        let folder = Memory::new();
        if is_beside {
            folder.set("hugeass.map", b"mine");
        }
        let name = if is_beside { beside(&bytes) } else { "hugeass.map".into() };
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        scene.take(File::Map, &bytes, &[0, 1]);
        folder.plan(Plan { crash_at: Some(folder.changes()), ..Plan::default() });
        assert!(scene.finish().is_err());
        drop(scene);
        folder.restart();
        assert_eq!(folder.get(&name), folder.get(&format!("{name}.part")));
        // Its person changes it in place.
        let now = map(7, 2 * PIECE);
        folder.set(&name, &now);
        // Whatever is asked for: the same map again, and another version of it.
        for wanted in [&bytes, &next] {
            let mut scene = Scene::new(&folder);
            let begun = scene.begin(LEVEL, &[(File::Map, wanted)]);
            assert!(begun.is_ok() || is_beside, "{begun:?}");
            if begun.is_ok() {
                scene.resume(File::Map, wanted).unwrap();
                scene.take(File::Map, wanted, &[0]);
            }
            assert!(folder.get(&name).unwrap() == now);
        }
    }
}

/// MAP-50: killed at 37, 63 and 99 of a hundred, a download fetches what was missing and no more than two pieces besides.
#[test]
fn a_download_that_was_killed_is_taken_up() {
    let bytes = map(1, 100 * PIECE);
    for had in [37, 63, 99] {
        let folder = Memory::new();
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        let pieces: Vec<u32> = (0..had).map(|piece| piece * 7 % 100).collect();
        scene.take(File::Map, &bytes, &pieces);
        folder.plan(Plan { crash_at: Some(folder.changes()), ..Plan::default() });
        scene.take(File::Map, &bytes, &[had * 7 % 100]);
        assert!(folder.is_crashed());
        folder.restart();
        let (found, brought) = Scene::new(&folder).download(LEVEL, &[(File::Map, &bytes)]);
        assert_eq!((found.unwrap().hash, brought as u32), (hash_of(&bytes), 100 - had));
    }
}

/// MAP-03: a map that a loss of power left with zeros in it is not of its version: it is not taken for the game's, is not touched, and
/// the map comes anew beside it.
#[test]
fn a_map_that_lost_its_end_is_no_map_of_that_version() {
    let bytes = map(1, 3 * PIECE);
    for lost in [0..3 * PIECE, PIECE..3 * PIECE, 3 * PIECE - 1..3 * PIECE] {
        let folder = Memory::new();
        let mut left = bytes.clone();
        left[lost].fill(0);
        folder.set("hugeass.map", &left);
        let mut scene = Scene::new(&folder);
        assert_eq!(scene.look(LEVEL, Some(version(&bytes))), Ok(None));
        let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
        assert_eq!((found.unwrap().name, brought), (beside(&bytes), 3));
        assert_eq!(folder.get("hugeass.map").unwrap(), left);
    }
}

/// MAP-52: whatever stands in the list of part files, nothing is deleted by it that is no map's part file in this folder.
#[test]
fn a_list_that_lies_deletes_nothing_else() {
    let folder = Memory::new();
    let head = "Part files of downloads. The game deletes those that are named here.\n";
    let lies = "../x.map.part\nnotes.txt\nold.map\nCON.map.part\n/etc/x.map.part\n\nx.part\nyes.map.part\r\nlast.map.part";
    for name in ["notes.txt", "old.map", "x.part", "yes.map.part", "last.map.part", "../x.map.part"] {
        folder.set(name, b"?");
    }
    folder.set("mjolnir-part-files.txt", format!("{head}{lies}").as_bytes());
    let bytes = map(1, 10);
    let mut scene = Scene::new(&folder);
    assert!(scene.download(LEVEL, &[(File::Map, &bytes)]).0.is_ok());
    let left = ["../x.map.part", "hugeass.map", "last.map.part", "notes.txt", "old.map", "x.part"];
    assert_eq!(folder.names(), left);
    // What has its name and is none is a person's: it stays, and the download says so.
    for other in [&b"my own list"[..], &[0xff; 100], &vec![b'x'; 70_000]] {
        folder.set("mjolnir-part-files.txt", other);
        assert!(scene.begin("custom_maps\\second", &[(File::Map, &bytes)]).is_err());
        assert_eq!(folder.get("mjolnir-part-files.txt").unwrap(), other);
    }
}
