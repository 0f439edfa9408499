//! A person edits the list while the host reads it and adds to it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::scene::{Desk, Folder, Step, ban, edit, line};
use mjolnir_anticheat::files::{PATIENCE, SETTLED};

const LIST: &[u8] = b"ip=1.2.3.4\nip=5.6.7.8\n";

/// A file that held still, read by a host that was there before.
fn read(folder: &Folder) -> Desk {
    edit(&folder.bans(), LIST, Duration::ZERO);
    let mut desk = Desk::at(folder);
    assert!(desk.refuses("1.2.3.4"));
    desk
}

fn rewrites(path: PathBuf, at: Duration, text: &'static [u8]) -> impl FnMut(Duration) + Send {
    let mut done = false;
    move |now| {
        if now >= at && !core::mem::replace(&mut done, true) {
            edit(&path, text, now);
        }
    }
}

/// CHEAT-26: a join in the middle of an editor's truncate-and-write waits for what it writes, whether the file was empty, half
/// or not there, and is answered by that.
#[test]
fn a_join_in_the_middle_of_a_save() {
    for half in [Some(&b""[..]), Some(b"ip=1.2."), None] {
        let folder = Folder::new();
        let mut desk = read(&folder);
        let now = desk.clock.now();
        match half {
            Some(half) => edit(&folder.bans(), half, now),
            None => fs::remove_file(folder.bans()).unwrap(),
        }
        desk.clock.meanwhile(rewrites(folder.bans(), now + Duration::from_millis(200), LIST));
        assert!(desk.refuses("1.2.3.4"), "{half:?}");
        let waited = desk.clock.now() - now;
        assert!((Duration::from_millis(200)..PATIENCE).contains(&waited), "{half:?}: {waited:?}");
        assert_eq!(desk.words(), [""; 0]);
    }
}

/// CHEAT-26: a file that was changed just now is looked at until it held still for [`SETTLED`], and one that was changed before
/// is not waited for.
#[test]
fn a_file_that_holds_still_is_not_waited_for() {
    let folder = Folder::new();
    let mut desk = read(&folder);
    for (age, waits) in [(SETTLED, 0), (SETTLED - Duration::from_millis(1), 50), (Duration::ZERO, 300)] {
        let now = desk.clock.now();
        edit(&folder.bans(), b"ip=1.2.3.4\n", now - age);
        assert!(desk.refuses("1.2.3.4") && !desk.refuses("5.6.7.8"));
        assert_eq!(desk.clock.now() - now, Duration::from_millis(waits), "{age:?}");
    }
    // Another clock's future is no change of just now.
    let now = desk.clock.now();
    edit(&folder.bans(), b"ip=1.2.3.4\n", now + Duration::from_secs(3_600));
    assert!(desk.refuses("1.2.3.4"));
    assert_eq!(desk.clock.now(), now);
}

/// CHEAT-26: a list that was cleared, or taken away, is believed after [`PATIENCE`], once; then everybody comes in at once.
#[test]
fn a_list_that_was_cleared_is_believed() {
    for cleared in [true, false] {
        let folder = Folder::new();
        let mut desk = read(&folder);
        let now = desk.clock.now();
        if cleared {
            edit(&folder.bans(), b"", now);
        } else {
            fs::remove_file(folder.bans()).unwrap();
        }
        assert!(!desk.refuses("1.2.3.4"));
        assert_eq!(desk.clock.now() - now, PATIENCE, "{cleared}");
        desk.clock.pass(PATIENCE);
        let now = desk.clock.now();
        assert!(!desk.refuses("1.2.3.4"));
        assert_eq!(desk.clock.now(), now);
    }
}

/// CHEAT-26: a file that never holds still refuses whom it names and whom it last named, which is said once.
#[test]
fn a_file_that_never_holds_still() {
    let folder = Folder::new();
    let mut desk = read(&folder);
    let path = folder.bans();
    let mut round = 0;
    // It changes between the two looks of each reading.
    desk.disk.plan().before = Some((
        Step::Open,
        Box::new(move || {
            round += 1;
            edit(&path, b"ip=9.9.9.9\n", Duration::from_millis(round));
        }),
    ));
    for _ in 0..2 {
        for (address, refused) in [("1.2.3.4", true), ("9.9.9.9", true), ("2.2.2.2", false)] {
            let now = desk.clock.now();
            assert_eq!(desk.refuses(address), refused, "{address}");
            assert_eq!(desk.clock.now() - now, PATIENCE);
        }
    }
    assert_eq!(desk.words(), ["bans.txt: keeps changing; whom it names or last named is refused"]);
    desk.disk.plan().before = None;
    assert!(!desk.refuses("1.2.3.4"));
    assert_eq!(desk.words(), ["bans.txt: is read again"]);
}

/// CHEAT-25: a file that was saved while it was copied is copied again, and both are in it.
#[test]
fn a_save_while_a_line_is_added() {
    for step in [Step::Draft, Step::Open, Step::Read, Step::Write, Step::Sync] {
        let folder = Folder::new();
        let mut desk = read(&folder);
        let path = folder.bans();
        let mut saves = 0;
        desk.disk.plan().before = Some((
            step,
            Box::new(move || {
                saves += 1;
                if saves == 1 {
                    // As long as the list was: by the time alone it is another.
                    edit(&path, b"ip=1.2.3.4\nip=7.7.7.7\n", Duration::from_secs(1));
                }
            }),
        ));
        desk.append(&ban("3.3.3.3", "Bob"));
        let expected = format!("ip=1.2.3.4\nip=7.7.7.7\n{}", line("3.3.3.3", "Bob"));
        assert_eq!(folder.text("bans.txt"), expected, "{step:?}");
        assert_eq!(desk.clerk.waiting(), 0);
        assert_eq!(folder.names(), ["bans.txt"]);
    }
}

/// CHEAT-25: a line that comes in the middle of an editor's save waits for it, and stands behind what was saved; nothing that
/// the editor wrote or the host added is lost.
#[test]
fn a_line_in_the_middle_of_a_save() {
    for half in [Some(&b""[..]), Some(b"ip=1.2."), None] {
        let folder = Folder::new();
        let mut desk = read(&folder);
        let now = desk.clock.now();
        match half {
            Some(half) => edit(&folder.bans(), half, now),
            None => fs::remove_file(folder.bans()).unwrap(),
        }
        // What says nothing at all is given longer.
        let saved =
            now + Duration::from_millis(if half.is_some_and(|half| !half.is_empty()) { 250 } else { 1_500 });
        desk.clock.meanwhile(rewrites(folder.bans(), saved, b"ip=7.7.7.7"));
        desk.append(&ban("3.3.3.3", "Bob"));
        assert_eq!(folder.text("bans.txt"), format!("ip=7.7.7.7\n{}", line("3.3.3.3", "Bob")), "{half:?}");
    }
}

/// CHEAT-25: a file that changes with each copy keeps its line waiting, in force, and is told of; when it holds still the line
/// is added.
#[test]
fn a_file_that_changes_with_each_copy() {
    let folder = Folder::new();
    let mut desk = read(&folder);
    let path = folder.bans();
    let mut round = 0;
    desk.disk.plan().before = Some((
        Step::Sync,
        Box::new(move || {
            round += 1;
            edit(&path, b"ip=9.9.9.9\n", Duration::from_millis(round));
        }),
    ));
    let now = desk.clock.now();
    desk.append(&ban("3.3.3.3", "Bob"));
    assert_eq!(desk.clock.now() - now, PATIENCE);
    assert!(desk.refuses("3.3.3.3"));
    assert_eq!(
        desk.words(),
        [
            "bans.txt: cannot be written (it keeps changing); the ban is in force all the same, and writing is tried again"
        ]
    );
    desk.disk.plan().before = None;
    desk.append(&ban("4.4.4.4", "Eve"));
    assert!(folder.text("bans.txt").ends_with(&(line("3.3.3.3", "Bob") + &line("4.4.4.4", "Eve"))));
    assert_eq!(desk.words(), ["bans.txt: is written again; lines that waited: 2"]);
}

/// CHEAT-26: a line that the host added itself is no change to wait for.
#[test]
fn an_own_line_is_not_waited_for() {
    let folder = Folder::new();
    let mut desk = read(&folder);
    desk.append(&ban("3.3.3.3", "Bob"));
    desk.clock.set_by(folder.bans());
    for _ in 0..2 {
        let now = desk.clock.now();
        desk.append(&ban("3.3.3.3", "Bob"));
        assert!(desk.refuses("3.3.3.3"));
        assert_eq!(desk.clock.now(), now);
    }
    // The same change of somebody else's is.
    let now = desk.clock.now();
    fs::write(folder.bans(), "ip=9.9.9.9").unwrap();
    assert!(desk.refuses("9.9.9.9"));
    assert_eq!(desk.clock.now() - now, PATIENCE);
}
