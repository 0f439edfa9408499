//! A real folder and the thread: the same promises where an operating system keeps them.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};

use mjolnir_mapshare::disk::{Folder, System, Thread};
use mjolnir_mapshare::{Done, Fault, Job, Shelf, Taken};
use mjolnir_wire::mapshare::{File, FileSet};

use crate::scene::{Game, LEVEL, PIECE, Scene, beside, hash_of, map, needing, offer, pieces_of, version};

/// A game's folder of maps that goes with the test.
struct Maps(PathBuf);

impl Maps {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("maps-{}-{number}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("custom_maps")).unwrap();
        Self(path)
    }

    fn custom(&self, name: &str) -> PathBuf {
        self.0.join("custom_maps").join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names = System::new(&self.0).list().unwrap();
        names.sort();
        names
    }

    fn scene(&self) -> Scene<System> {
        Scene::on(System::new(&self.0))
    }
}

impl Drop for Maps {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// MAP-48, 49, 50: a download is interrupted, taken up and put in its place; a resource map goes to the folder above.
#[test]
fn a_download_becomes_files() {
    let maps = Maps::new();
    let [bytes, loc] = [needing(1, 40 * PIECE + 5, FileSet::only(File::Loc)), map(2, PIECE + 1)];
    let files: [(File, &[u8]); 2] = [(File::Map, &bytes), (File::Loc, &loc)];
    let mut scene = maps.scene();
    scene.begin(LEVEL, &files).unwrap();
    scene.resume(File::Map, &bytes).unwrap();
    assert!(scene.take(File::Map, &bytes, &[7, 3]).iter().all(|outcome| *outcome == Taken::Good));
    assert_eq!(fs::metadata(maps.custom("hugeass.map.part")).unwrap().len(), 8 * PIECE as u64);
    drop(scene);
    let mut scene = maps.scene();
    let (found, brought) = scene.download(LEVEL, &files);
    assert_eq!((found.unwrap().name.as_str(), brought), ("hugeass.map", 39 + 2));
    assert_eq!(maps.names(), ["hugeass.map", "loc.map"]);
    assert!(fs::read(maps.custom("hugeass.map")).unwrap() == bytes);
    assert!(fs::read(maps.0.join("loc.map")).unwrap() == loc);
    let mut scene = maps.scene();
    let (found, resources) = scene.look_all(LEVEL, Some(version(&bytes)));
    assert_eq!((found.unwrap().unwrap().hash, resources), (hash_of(&bytes), FileSet::only(File::Loc)));
}

/// MAP-06, 07: what has the name stays, byte for byte, a link and a folder too; and a name is never given twice.
#[test]
fn names_that_are_there_stay() {
    let bytes = map(1, PIECE);
    for there in ["file", "folder", "link"] {
        let maps = Maps::new();
        let path = maps.custom("hugeass.map");
        match there {
            "file" => fs::write(&path, b"mine").unwrap(),
            "folder" => fs::create_dir(&path).unwrap(),
            _ => {
                #[cfg(unix)]
                std::os::unix::fs::symlink("nowhere", &path).unwrap();
                #[cfg(not(unix))]
                fs::write(&path, b"mine").unwrap();
            }
        }
        let (found, _) = maps.scene().download(LEVEL, &[(File::Map, &bytes)]);
        assert_eq!(found.unwrap().name, beside(&bytes), "{there}");
        assert_eq!(maps.names(), ["hugeass.map".to_string(), beside(&bytes)], "{there}");
        let mut folder = System::new(&maps.0);
        for name in [&beside(&bytes), "hugeass.map"] {
            fs::write(maps.custom("x"), b"new").unwrap();
            let error = folder.rename("x", name).unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{there}");
        }
        assert!(fs::read(maps.custom(&beside(&bytes))).unwrap() == bytes);
        if there == "file" {
            assert_eq!(fs::read(&path).unwrap(), b"mine");
        }
    }
}

/// MAP-48, 50: a part file of the list's that is a second name of a person's file, a link to one, a pipe or a folder is not written to,
/// and keeps nobody waiting.
#[cfg(unix)]
#[test]
fn what_is_no_part_file_of_its_own_is_not_written() {
    let bytes = map(1, 2 * PIECE);
    for is in ["second name", "link", "pipe", "folder"] {
        let maps = Maps::new();
        let mut scene = maps.scene();
        scene.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
        scene.resume(File::Map, &bytes).unwrap();
        scene.take(File::Map, &bytes, &[0]);
        drop(scene);
        let (part, own) = (maps.custom("hugeass.map.part"), maps.0.join("mine"));
        fs::remove_file(&part).unwrap();
        fs::write(&own, b"mine").unwrap();
        match is {
            "second name" => fs::hard_link(&own, &part).unwrap(),
            "link" => std::os::unix::fs::symlink(&own, &part).unwrap(),
            "pipe" => assert!(std::process::Command::new("mkfifo").arg(&part).status().unwrap().success()),
            _ => fs::create_dir(&part).unwrap(),
        }
        let mut scene = maps.scene();
        let begun = scene.begin(LEVEL, &[(File::Map, &bytes)]);
        assert!(
            matches!(&begun, Err(Fault::Place(why)) if why.contains("hugeass.map.part")),
            "{is}: {begun:?}"
        );
        // Another map's download comes by it too.
        assert!(scene.download("custom_maps\\other", &[(File::Map, &bytes)]).0.is_ok(), "{is}");
        assert_eq!(fs::read(&own).unwrap(), b"mine", "{is}");
    }
}

/// MAP-50, 52: a part file that another process writes is neither taken up nor deleted.
#[test]
fn two_processes_do_not_write_one_part_file() {
    let maps = Maps::new();
    let [bytes, other] = [map(1, 2 * PIECE), map(2, PIECE)];
    let mut first = maps.scene();
    first.begin(LEVEL, &[(File::Map, &bytes)]).unwrap();
    first.resume(File::Map, &bytes).unwrap();
    first.take(File::Map, &bytes, &[0]);
    // A lock is a handle's, so that a second handle stands for a second process.
    let mut second = maps.scene();
    assert!(matches!(second.begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Place(_))));
    assert!(second.download("custom_maps\\other", &[(File::Map, &other)]).0.is_ok());
    assert_eq!(first.take(File::Map, &bytes, &[1]), [Taken::Good]);
    assert_eq!(first.finish().unwrap().name, "hugeass.map");
    assert!(fs::read(maps.custom("hugeass.map")).unwrap() == bytes);
}

/// MAP-52: a folder that cannot be written says so before a byte was asked for, and one that is not there is made.
#[test]
fn folders_are_made_or_said() {
    let maps = Maps::new();
    fs::remove_dir(maps.0.join("custom_maps")).unwrap();
    let bytes = map(1, 10);
    assert_eq!(maps.scene().look(LEVEL, None), Ok(None));
    assert!(maps.scene().download(LEVEL, &[(File::Map, &bytes)]).0.is_ok());
    let maps = Maps::new();
    fs::remove_dir(maps.0.join("custom_maps")).unwrap();
    fs::write(maps.0.join("custom_maps"), b"no folder").unwrap();
    assert!(matches!(maps.scene().begin(LEVEL, &[(File::Map, &bytes)]), Err(Fault::Disk(_))));
}

/// MAP-35: a file that is written to while it is shared is shared no longer, and one that was deleted still is what it was.
#[test]
fn a_file_that_changes_is_lost() {
    let maps = Maps::new();
    let bytes = map(1, 2 * PIECE);
    fs::write(maps.custom("hugeass.map"), &bytes).unwrap();
    let mut scene = maps.scene();
    scene.look(LEVEL, None).unwrap();
    let mut block = vec![0; 16_384];
    scene.shelf().read(File::Map, 100, &mut block).unwrap();
    assert!(block == bytes[100..][..16_384]);
    OpenOptions::new().append(true).open(maps.custom("hugeass.map")).unwrap().set_len(5).unwrap();
    scene.shelf().read(File::Map, 0, &mut block[..1]).unwrap_err();
    assert_eq!(scene.run(), [Done::Lost(File::Map)]);
}

/// MAP-08: a map that is alone under its hash has its name back, on a real disk too.
#[test]
fn a_map_has_its_name_back() {
    let maps = Maps::new();
    let bytes = map(1, PIECE);
    fs::write(maps.custom(&beside(&bytes)), &bytes).unwrap();
    assert_eq!(maps.scene().look(LEVEL, Some(version(&bytes))).unwrap().unwrap().name, "hugeass.map");
    assert_eq!(maps.names(), ["hugeass.map"]);
}

/// A thread, and what it says.
struct Threaded {
    thread: Thread,
    woken: Receiver<()>,
}

impl Threaded {
    fn new(maps: &Maps) -> Self {
        let (wake, woken) = channel();
        let thread = Thread::start(&maps.0, Game, move || {
            let _ = wake.send(());
        });
        Self { thread: thread.unwrap(), woken }
    }

    /// Waits for as many answers.
    fn answers(&mut self, count: usize) -> Vec<Done> {
        let mut dones = Vec::new();
        while dones.len() < count {
            self.woken.recv().unwrap();
            self.thread.take(&mut dones);
        }
        dones
    }
}

/// MAP-13, 65: the thread does all of it for whoever only hands over and takes: a search, a download, blocks of both.
#[test]
fn the_thread_does_the_jobs() {
    let maps = Maps::new();
    let [own, bytes] = [map(1, 70 * PIECE), map(2, 20 * PIECE + 1)];
    fs::write(maps.custom("mine.map"), &own).unwrap();
    let mut threaded = Threaded::new(&maps);
    threaded.thread.give(Job::Look { ticket: 4, level: "custom_maps\\mine".into(), version: None });
    let dones = threaded.answers(1);
    assert!(
        matches!(&dones[..], [Done::Looked { ticket: 4, map: Ok(Some((found, _))), .. }] if found.hash == hash_of(&own))
    );
    let mut shelf = threaded.thread.shelf();
    let mut block = [0; 100];
    shelf.read(File::Map, PIECE as u64 - 50, &mut block).unwrap();
    assert!(block == own[PIECE - 50..PIECE + 50]);

    threaded.thread.give(Job::Begin { level: LEVEL.into(), offers: [offer(File::Map, &bytes)].into() });
    threaded.thread.give(Job::Resume { file: File::Map, hashes: pieces_of(&bytes) });
    let dones = threaded.answers(2);
    assert!(matches!(&dones[..], [Done::Begun(Ok(())), Done::Resumed { pieces: Ok(_), .. }]), "{dones:?}");
    for piece in 0..21 {
        threaded.thread.give(Scene::<System>::piece(File::Map, &bytes, piece));
    }
    let dones = threaded.answers(21);
    assert!(dones.iter().all(|done| matches!(done, Done::Took { outcome: Taken::Good, .. })), "{dones:?}");
    threaded.thread.give(Job::Finish);
    let dones = threaded.answers(1);
    assert!(matches!(&dones[..], [Done::Finished(Ok(found))] if found.name == "hugeass.map"), "{dones:?}");
    std::thread::scope(|scope| {
        scope.spawn(|| shelf.read(File::Map, 0, &mut block).unwrap());
    });
    assert!(block == bytes[..100]);
    drop(threaded);
    assert!(fs::read(maps.custom("hugeass.map")).unwrap() == bytes);
}

/// MAP-51: a program that ends writes what came before it, and leaves no empty part file.
#[test]
fn the_end_of_the_thread_is_the_downloads() {
    for pieces in [0, 1] {
        let maps = Maps::new();
        let bytes = map(1, 2 * PIECE);
        let mut threaded = Threaded::new(&maps);
        threaded.thread.give(Job::Begin { level: LEVEL.into(), offers: [offer(File::Map, &bytes)].into() });
        threaded.thread.give(Job::Resume { file: File::Map, hashes: pieces_of(&bytes) });
        threaded.answers(2);
        for piece in 0..pieces {
            threaded.thread.give(Scene::<System>::piece(File::Map, &bytes, piece));
        }
        drop(threaded);
        let part = fs::read(maps.custom("hugeass.map.part")).ok();
        assert_eq!(part.map(|part| part == bytes[..PIECE]), (pieces > 0).then_some(true));
    }
}
