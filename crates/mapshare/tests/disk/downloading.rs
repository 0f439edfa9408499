//! Part files: what is begun, taken up, written, refused and left.

use mjolnir_mapshare::disk::{Memory, Plan};
use mjolnir_mapshare::{Done, Fault, Job, Offered, Taken};
use mjolnir_wire::mapshare::{File, FileHash};

use crate::scene::{LEVEL, MOST, PIECE, Scene, beside, hash_of, map, offer, pieces_of, version};

const NOTE: &str = "mjolnir-part-files.txt";
const PART: &str = "hugeass.map.part";

/// MAP-48: pieces go to their places as they come, and the file is never longer than the last of them.
#[test]
fn the_file_is_as_long_as_its_last_piece() {
    let folder = Memory::new();
    let bytes = map(1, 9 * PIECE + 100);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert_eq!(scene.resume(File::Map, &bytes), Ok(vec![]));
    for (piece, length) in [(5, 6 * PIECE), (1, 6 * PIECE), (9, bytes.len())] {
        assert_eq!(scene.take(File::Map, &bytes, &[piece]), [Taken::Good]);
        let part = folder.get(PART).unwrap();
        assert_eq!(part.len(), length, "after {piece}");
        let at = piece as usize * PIECE;
        let end = bytes.len().min(at + PIECE);
        assert_eq!(part[at..end], bytes[at..end]);
    }
    assert_eq!(folder.names(), [PART, NOTE]);
}

/// MAP-49: with every piece the part file becomes the map, by whatever number of pieces and in whatever order they came.
#[test]
fn a_download_becomes_a_map() {
    for length in [3, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE, 35 * PIECE + 7] {
        let folder = Memory::new();
        let bytes = map(length as u64, length);
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        let mut pieces: Vec<u32> = (0..length.div_ceil(PIECE) as u32).collect();
        pieces.reverse();
        assert!(scene.take(File::Map, &bytes, &pieces).iter().all(|outcome| *outcome == Taken::Good));
        let found = scene.finish().unwrap();
        assert_eq!(
            (found.name.as_str(), found.hash, found.size as usize),
            ("hugeass.map", hash_of(&bytes), length)
        );
        assert_eq!(folder.names(), ["hugeass.map"]);
        assert_eq!(folder.get("hugeass.map").unwrap(), bytes);
        // It is known without being read again.
        let read = folder.read("hugeass.map");
        assert_eq!(scene.look(LEVEL, Some(version(&bytes))).unwrap().unwrap(), found);
        assert_eq!(folder.read("hugeass.map") - read, 3);
    }
}

/// MAP-32: a piece with a bit changed, of another length or of another place is not written.
#[test]
fn a_wrong_piece_is_not_written() {
    let folder = Memory::new();
    let bytes = map(1, 2 * PIECE + 5);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    let changes = folder.changes();
    let hashes = pieces_of(&bytes);
    let mut wrong = bytes[PIECE..2 * PIECE].to_vec();
    wrong[PIECE - 1] ^= 1;
    for (piece, bytes, hash) in [
        (1, wrong, hashes[1]),
        (1, bytes[PIECE..2 * PIECE - 1].to_vec(), hashes[1]),
        (1, bytes[..PIECE].to_vec(), hashes[0]),
        (2, bytes[PIECE..2 * PIECE].to_vec(), hashes[2]),
        (3, bytes[..PIECE].to_vec(), hashes[0]),
        (u32::MAX, vec![], hashes[0]),
    ] {
        let dones = scene.ask(Job::Take { file: File::Map, piece, bytes, hash });
        assert!(matches!(dones[..], [Done::Took { outcome: Taken::Wrong, .. }]), "{piece}");
    }
    assert_eq!(folder.changes(), changes);
    assert!(scene.finish().is_err());
    assert_eq!(scene.take(File::Map, &bytes, &[0, 1, 2]), [Taken::Good, Taken::Good, Taken::Good]);
    assert!(scene.finish().is_ok());
}

/// MAP-32: among pieces that are hashed together each has its own outcome, however many they are.
#[test]
fn pieces_that_wait_are_taken_together() {
    let folder = Memory::new();
    let bytes = map(1, 40 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    for piece in 0..40 {
        let Job::Take { file, piece, mut bytes, hash } = Scene::<Memory>::piece(File::Map, &bytes, piece)
        else {
            unreachable!()
        };
        bytes[7] ^= u8::from(piece % 3 == 1);
        scene.give(Job::Take { file, piece, bytes, hash });
    }
    let dones = scene.run();
    assert_eq!(dones.len(), 40);
    for (at, done) in dones.iter().enumerate() {
        let outcome = if at % 3 == 1 { Taken::Wrong } else { Taken::Good };
        assert!(
            matches!(done, Done::Took { piece, outcome: found, .. } if *piece == at as u32 && *found == outcome)
        );
    }
}

/// MAP-50: a part file is checked piece by piece, whatever became of it, and what is good is kept. MAP-48: nothing stands behind it.
#[test]
fn a_part_file_is_taken_up() {
    let bytes = map(1, 5 * PIECE + 300);
    let whole = || bytes.clone();
    let cut = |length: usize| bytes[..length].to_vec();
    let mut longer = whole();
    longer.extend_from_slice(&[9; 3 * PIECE]);
    let mut changed = whole();
    changed[PIECE + 17] ^= 0x80;
    changed[5 * PIECE + 299] ^= 1;
    let mut shifted = vec![0];
    shifted.extend_from_slice(&bytes);
    for (what, part, good, length) in [
        ("whole", whole(), vec![0, 1, 2, 3, 4, 5], bytes.len()),
        ("nothing", vec![], vec![], 0),
        ("a byte", cut(1), vec![], 0),
        ("a piece less a byte", cut(PIECE - 1), vec![], 0),
        ("a piece", cut(PIECE), vec![0], PIECE),
        ("60 of 100", cut(3 * PIECE + 99), vec![0, 1, 2], 3 * PIECE),
        ("all but a byte", cut(bytes.len() - 1), vec![0, 1, 2, 3, 4], 5 * PIECE),
        ("longer", longer, vec![0, 1, 2, 3, 4, 5], bytes.len()),
        ("zeros", vec![0; bytes.len()], vec![], 0),
        ("zeros, longer", vec![0; 2 * bytes.len()], vec![], 0),
        ("changed", changed, vec![0, 2, 3, 4], 5 * PIECE),
        ("shifted", shifted, vec![], 0),
        ("of another map", map(2, 6 * PIECE), vec![], 0),
    ] {
        let folder = Memory::new();
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        folder.set(PART, &part);
        drop(scene);
        let mut scene = Scene::new(&folder);
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        assert_eq!(scene.resume(File::Map, &bytes), Ok(good.clone()), "{what}");
        assert_eq!(folder.get(PART).unwrap().len(), length, "{what}");
        let missing: Vec<u32> = (0..6).filter(|piece| !good.contains(piece)).collect();
        assert!(scene.take(File::Map, &bytes, &missing).iter().all(|outcome| *outcome == Taken::Good));
        scene.finish().unwrap();
        assert_eq!(folder.get("hugeass.map").unwrap(), bytes, "{what}");
    }
}

/// MAP-50: a map that has pieces of nothing but zeros is had as far as its zeros are there.
#[test]
fn zeros_that_are_the_maps_own_are_good() {
    let mut bytes = map(1, 4 * PIECE);
    bytes[PIECE..3 * PIECE].fill(0);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    folder.set(PART, &vec![0; 4 * PIECE]);
    assert_eq!(scene.resume(File::Map, &bytes), Ok(vec![1, 2]));
    assert_eq!(scene.take(File::Map, &bytes, &[0, 3]), [Taken::Good, Taken::Good]);
    scene.finish().unwrap();
    assert_eq!(folder.get("hugeass.map").unwrap(), bytes);
}

/// MAP-50: a part file that is a folder, or that another process writes, is in the way, and stays.
#[test]
fn what_is_in_the_way_of_a_part_file_stays() {
    let bytes = map(1, 2 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0, 1]);
    scene.ask(Job::Abandon);
    folder.delete(PART);
    folder.make_folder(PART);
    assert!(matches!(scene.begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Place(_))));
    folder.delete(PART);
    folder.set(PART, &bytes);
    folder.hold(PART, true);
    assert!(matches!(scene.begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Place(_))));
    assert_eq!(folder.get(PART).unwrap(), bytes);
    folder.hold(PART, false);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert_eq!(scene.resume(File::Map, &bytes), Ok(vec![0, 1]));
}

/// MAP-52: the name of a part file that is gone is a person's again, though another of its download stays.
#[test]
fn a_name_that_was_given_up_is_a_persons() {
    let bytes = map(1, 2 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes), (File::Sounds, &bytes)]).unwrap();
    for file in [File::Map, File::Sounds] {
        scene.resume(file, &bytes).unwrap();
    }
    scene.take(File::Sounds, &bytes, &[1]);
    scene.ask(Job::Abandon);
    assert_eq!(folder.names(), [NOTE, "sounds.map.part"]);
    folder.set(PART, b"a browser's");
    assert!(scene.download("custom_maps\\other", &[(File::Map, &bytes)]).0.is_ok());
    assert_eq!(folder.names(), [PART, "other.map"]);
}

/// MAP-52: a list that never ends, since one of its files cannot be deleted, is written anew before it is too long to be read.
#[test]
fn a_list_does_not_grow_for_ever() {
    let folder = Memory::new();
    let bytes = map(1, 2 * PIECE);
    let mut other = Scene::new(&folder);
    other.begin("custom_maps\\held", &[(File::Map, &bytes)]).unwrap();
    let mut scene = Scene::new(&folder);
    for number in 0..3_000 {
        scene.begin(&format!("custom_maps\\m{number}"), &[(File::Map, &bytes)]).unwrap();
        assert!(folder.get(NOTE).unwrap().len() < 34 << 10, "{number}");
    }
    drop(other);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.ask(Job::Abandon);
    assert_eq!(folder.names(), [""; 0]);
}

/// MAP-30: hashes of which the file's does not come out, and too few or too many, begin no check.
#[test]
fn hashes_that_are_not_the_files_are_refused() {
    let bytes = map(1, 3 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    let right = pieces_of(&bytes);
    let mut flipped = right.to_vec();
    flipped[1][31] ^= 1;
    for hashes in [&right[..2], &[&right[..], &right[..1]].concat()[..], &flipped, &[]] {
        let dones = scene.ask(Job::Resume { file: File::Map, hashes: hashes.into() });
        assert!(matches!(dones[..], [Done::Resumed { pieces: Err(Fault::Unplayable(_)), .. }]));
    }
    let dones = scene.ask(Job::Resume { file: File::Loc, hashes: right });
    assert!(matches!(dones[..], [Done::Resumed { file: File::Loc, pieces: Err(Fault::Disk(_)) }]));
    assert_eq!(folder.get(PART).unwrap(), b"");
    assert_eq!(scene.resume(File::Map, &bytes), Ok(vec![]));
}

/// MAP-51: a download that stops deletes a part file that holds none of its file, and keeps one that holds a piece.
#[test]
fn a_part_file_without_a_piece_goes() {
    let bytes = map(1, 3 * PIECE);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert_eq!(scene.ask(Job::Abandon), []);
    assert_eq!(folder.names(), [""; 0]);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.ask(Job::Abandon);
    assert_eq!(folder.names(), [""; 0]);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[2]);
    scene.clerk.finish(scene.now);
    assert_eq!(folder.names(), [PART, NOTE]);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    assert_eq!(scene.resume(File::Map, &bytes), Ok(vec![2]));
}

/// MAP-52: of two maps that were interrupted exactly the later's part file is left; a person's file that only looks like one stays.
#[test]
fn one_maps_part_file_is_kept() {
    let folder = Memory::new();
    folder.set("mine.map.part", b"a browser's");
    folder.set("notes.part", b"a person's");
    let mut scene = Scene::new(&folder);
    for (number, level) in
        ["custom_maps\\first", "custom_maps\\second", "custom_maps\\third"].iter().enumerate()
    {
        let bytes = map(number as u64, 2 * PIECE);
        scene.begin(level, &[(File::Map, &bytes), (File::Loc, &bytes)]).unwrap();
        for file in [File::Map, File::Loc] {
            scene.resume(file, &bytes).unwrap();
            scene.take(file, &bytes, &[0]);
        }
    }
    let left = ["loc.map.part", "mine.map.part", NOTE, "notes.part", "third.map.part"];
    assert_eq!(folder.names(), left);
    drop(scene);
    // In the next run too, and where the list of them was lost a part file is a person's.
    let bytes = map(9, 2 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.take(File::Map, &bytes, &[0]);
    assert_eq!(folder.names(), [PART, "mine.map.part", NOTE, "notes.part"]);
    drop(scene);
    folder.delete(NOTE);
    let mut scene = Scene::new(&folder);
    let (found, _) = scene.download("custom_maps\\fourth", &[(File::Map, &bytes)]);
    assert_eq!(found.unwrap().name, "fourth.map");
    assert_eq!(folder.names(), ["fourth.map", PART, "mine.map.part", "notes.part"]);
}

/// MAP-52: a part file of a person's that has the very name is neither written to nor deleted.
#[test]
fn a_persons_part_file_is_left_alone() {
    let bytes = map(1, 2 * PIECE);
    let folder = Memory::new();
    folder.set(PART, &bytes[..PIECE]);
    let mut scene = Scene::new(&folder);
    let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
    assert_eq!((found.unwrap().name.as_str(), brought), ("hugeass.map", 2));
    assert_eq!(folder.get(PART).unwrap(), bytes[..PIECE]);
    folder.delete("hugeass.map");
    folder.set(&format!("{}.part", beside(&bytes)), b"also mine");
    assert!(matches!(scene.begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Place(_))));
    assert_eq!(folder.names().len(), 2);
}

/// MAP-52: another process's part file is not deleted under it.
#[test]
fn another_processs_part_file_stays() {
    let [first, second] = [map(1, 2 * PIECE), map(2, 2 * PIECE)];
    let folder = Memory::new();
    let mut other = Scene::new(&folder);
    other.begin("custom_maps\\first", &[(File::Map, &first)]).unwrap();
    other.resume(File::Map, &first).unwrap();
    let mut scene = Scene::new(&folder);
    let (found, _) = scene.download(LEVEL, &[(File::Map, &second)]);
    assert!(found.is_ok());
    assert_eq!(other.take(File::Map, &first, &[0, 1]), [Taken::Good, Taken::Good]);
    assert_eq!(other.finish().unwrap().name, "first.map");
    assert_eq!(folder.names(), ["first.map", "hugeass.map"]);
}

/// MAP-19, 20: a name that leaves the folder or is a device's is refused before anything is made.
#[test]
fn bad_names_begin_nothing() {
    let bytes = map(1, 10);
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    for name in [
        "..\\x",
        "a/b",
        "CON",
        "con.map",
        "x.",
        "",
        "sounds",
        "a:b",
        "..",
        &"m".repeat(65),
        "a\u{2215}b",
        "COM\u{b9}",
    ] {
        let level = format!("custom_maps\\{name}");
        assert_eq!(scene.begin(&level, &[(File::Map, &bytes)]), Err(Fault::Name), "{name}");
    }
    assert_eq!(scene.begin("levels\\test\\hugeass", &[(File::Map, &bytes)]), Err(Fault::Name));
    assert_eq!(folder.changes(), 0);
    assert!(scene.begin(&format!("custom_maps\\{}", "m".repeat(64)), &[(File::Map, &bytes)]).is_ok());
}

/// MAP-18: a file of the loader's most is begun, one of a byte more is not; nor is an empty one, none, or one twice.
#[test]
fn sizes_are_bounded() {
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    let mut begin = |offers: &[Offered]| {
        let dones = scene.ask(Job::Begin { level: LEVEL.into(), offers: offers.into() });
        let [Done::Begun(begun)] = &dones[..] else { panic!("{dones:?}") };
        begun.clone()
    };
    let sized = |file, size| Offered { file, size, hash: FileHash([7; 32]) };
    for refused in [
        &[sized(File::Map, MOST as u32 + 1)][..],
        &[sized(File::Map, u32::MAX)],
        &[sized(File::Map, 0)],
        &[sized(File::Map, 1), sized(File::Sounds, MOST as u32 + 1)],
        &[sized(File::Map, 1), sized(File::Map, 1)],
        &[],
    ] {
        assert!(matches!(begin(refused), Err(Fault::Unplayable(_))), "{refused:?}");
    }
    assert_eq!(folder.changes(), 0);
    assert_eq!(begin(&[sized(File::Map, MOST as u32)]), Ok(()));
}

/// MAP-52: a host that offers a thousand maps leaves one part file's worth on the disk.
#[test]
fn a_thousand_offers_fill_no_disk() {
    let folder = Memory::new();
    let mut scene = Scene::new(&folder);
    for number in 0..1000 {
        let bytes = map(number, 100);
        let level = format!("custom_maps\\m{number}");
        scene.begin(&level, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        scene.take(File::Map, &bytes, &[0]);
        assert_eq!(folder.names().len(), 2, "{number}");
    }
    assert!(folder.get(NOTE).unwrap().len() < 200);
}

/// MAP-50: a disk that is full fails the piece with a text; with room again the download goes on from what is good.
#[test]
fn a_full_disk_is_said_and_costs_nothing_that_was_had() {
    let folder = Memory::new();
    let bytes = map(1, 5 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    folder.plan(Plan { room: Some(2 * PIECE as u64 + PIECE as u64 / 2), ..Plan::default() });
    let outcomes = scene.take(File::Map, &bytes, &[0, 1, 2, 3]);
    assert_eq!(outcomes[..2], [Taken::Good, Taken::Good]);
    for outcome in &outcomes[2..] {
        let Taken::Failed(Fault::Disk(text)) = outcome else { panic!("{outcome:?}") };
        assert!(text.starts_with("hugeass.map.part cannot be written: "), "{text}");
    }
    assert!(matches!(scene.finish(), Err(Fault::Disk(_))));
    scene.ask(Job::Abandon);
    assert_eq!(folder.get("hugeass.map"), None);
    folder.plan(Plan::default());
    let (found, brought) = scene.download(LEVEL, &[(File::Map, &bytes)]);
    assert_eq!((found.unwrap().hash, brought), (hash_of(&bytes), 3));
}

/// A disk that is full to the last byte begins nothing, and nothing of ours is left on it.
#[test]
fn a_disk_without_a_byte_begins_nothing() {
    let folder = Memory::new();
    folder.set("own.map", &[7; 100]);
    folder.plan(Plan { room: Some(100), ..Plan::default() });
    let mut scene = Scene::new(&folder);
    let begun = scene.begin(LEVEL, &[(File::Map, &map(1, 10))]);
    assert!(matches!(&begun, Err(Fault::Disk(text)) if text.starts_with(NOTE)), "{begun:?}");
    assert_eq!(folder.names(), ["own.map"]);
}

/// MAP-52: a folder that cannot be written is said before a byte was asked for.
#[test]
fn a_read_only_folder_begins_nothing() {
    let folder = Memory::new();
    folder.plan(Plan { is_read_only: true, ..Plan::default() });
    let mut scene = Scene::new(&folder);
    let begun = scene.begin(LEVEL, &[(File::Map, &map(1, 10))]);
    assert!(matches!(&begun, Err(Fault::Disk(text)) if text.contains("read-only")), "{begun:?}");
    folder.plan(Plan::default());
    assert_eq!(scene.begin(LEVEL, &[(File::Map, &map(1, 10))]), Ok(()));
}

/// MAP-50: what cannot be read of a part file is not had, and is written anew.
#[test]
fn an_unreadable_part_file_is_written_anew() {
    let folder = Memory::new();
    let bytes = map(1, 3 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    folder.set(PART, &bytes);
    folder.plan(Plan { is_unreadable: true, ..Plan::default() });
    scene.give(Job::Resume { file: File::Map, hashes: pieces_of(&bytes) });
    let dones = scene.run();
    assert!(
        dones.iter().any(|done| matches!(done, Done::Word(word) if word.contains("bad sector"))),
        "{dones:?}"
    );
    assert!(
        dones.iter().any(|done| *done == Done::Resumed { file: File::Map, pieces: Ok(vec![0]) }),
        "{dones:?}"
    );
    folder.plan(Plan::default());
    assert!(scene.take(File::Map, &bytes, &[0, 1, 2]).iter().all(|outcome| *outcome == Taken::Good));
    assert!(scene.finish().is_ok());
}

/// MAP-85: what is asked of a download that is over is answered before the next one's beginning, and changes nothing.
#[test]
fn what_a_download_was_asked_is_answered_before_the_next() {
    let folder = Memory::new();
    let [first, second] = [map(1, 100 * PIECE), map(2, PIECE)];
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &first)]).unwrap();
    folder.set(PART, &first);
    scene.give(Job::Resume { file: File::Map, hashes: pieces_of(&first) });
    assert!(scene.clerk.step(scene.now));
    scene.give(Job::Abandon);
    let offers = [offer(File::Map, &second)].into();
    scene.give(Job::Begin { level: LEVEL.into(), offers });
    let dones = scene.run();
    assert!(
        matches!(dones[..], [Done::Resumed { pieces: Err(Fault::Disk(_)), .. }, Done::Begun(Ok(()))]),
        "{dones:?}"
    );
    scene.ask(Job::Abandon);
    assert!(matches!(scene.take(File::Map, &second, &[0])[..], [Taken::Failed(Fault::Disk(_))]));
    assert!(matches!(scene.finish(), Err(Fault::Disk(_))));
}

/// MAP-65: while a large file is hashed a piece that comes is taken after a slice of it, not after the file.
#[test]
fn a_piece_does_not_wait_for_a_whole_file() {
    let folder = Memory::new();
    folder.set("large.map", &map(3, 200 * PIECE));
    let bytes = map(1, 2 * PIECE);
    let mut scene = Scene::new(&folder);
    scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    scene.give(Job::Look { ticket: 1, level: "custom_maps\\large".into(), version: None });
    scene.clerk.step(scene.now);
    scene.give(Scene::<Memory>::piece(File::Map, &bytes, 0));
    let before = folder.read("large.map");
    let mut dones = Vec::new();
    scene.clerk.step(scene.now);
    scene.clerk.take(&mut dones);
    assert!(matches!(dones[..], [Done::Took { piece: 0, outcome: Taken::Good, .. }]), "{dones:?}");
    assert!(folder.read("large.map") - before <= 32 * PIECE as u64);
    assert!(scene.run().iter().any(|done| matches!(done, Done::Looked { map: Ok(Some(_)), .. })));
}
