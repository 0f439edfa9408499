//! A disk that fails, fills up or loses its process at each step and each byte: the files are whole, old or new, and no ban is
//! lost.

use std::fs;

use super::scene::{Desk, Folder, Plan, TestDisk, ban, line};
use mjolnir_anticheat::files::PAUSE;

const OLD: &str = "ip=9.9.9.9\n# half a line";

fn new() -> String {
    format!("{OLD}\n{}", line("1.2.3.4", "Bob"))
}

/// A host that has read the list, and then adds a line on such a disk. What is left.
fn add(plan: impl FnOnce(&mut Plan)) -> (Folder, Desk) {
    let folder = Folder::new();
    fs::write(folder.bans(), OLD).unwrap();
    let disk = TestDisk::default();
    let mut desk = Desk::with(&folder, disk.clone());
    disk.plan().steps.clear();
    plan(&mut disk.plan());
    desk.append(&ban("1.2.3.4", "Bob"));
    (folder, desk)
}

/// The steps of a line that goes well.
fn steps() -> usize {
    let (folder, desk) = add(|_| {});
    assert_eq!(folder.text("bans.txt"), new());
    let count = desk.disk.plan().steps.len();
    assert!(count >= 10, "{:?}", desk.disk.plan().steps);
    count
}

/// CHEAT-54, 26: whatever one step of adding a line fails, the file is whole: the old one, with the ban in force from memory, or
/// the new one; the next try adds the line, once, and nothing is left beside it.
#[test]
fn a_disk_that_fails_at_each_step() {
    for at in 0..steps() {
        let (folder, mut desk) = add(|plan| plan.fails_at = Some(at));
        let failed = desk.disk.plan().steps[at];
        assert_eq!(folder.text("bans.txt"), OLD, "{failed:?}");
        assert_eq!(folder.names(), ["bans.txt"], "{failed:?}");
        assert_eq!(desk.words().len(), 1, "{failed:?}");
        desk.disk.plan().fails_at = None;
        assert!(desk.refuses("1.2.3.4") && desk.refuses("9.9.9.9") && !desk.refuses("5.6.7.8"));
        desk.clock.pass(PAUSE);
        desk.clerk.write();
        assert_eq!(folder.text("bans.txt"), new(), "{failed:?}");
        assert_eq!(desk.words(), ["bans.txt: is written again; lines that waited: 1"]);
        assert_eq!(desk.clerk.waiting(), 0);
    }
}

/// CHEAT-54, 26: a process that is killed at any step leaves the whole old file or the whole new one, and the next host reads it,
/// removes the rest and adds to it.
#[test]
fn a_process_that_is_killed_at_each_step() {
    let count = steps();
    let (mut old, mut left) = (0, 0);
    for at in 0..=count {
        let (folder, desk) = add(|plan| (plan.fails_at, plan.is_killed) = (Some(at), true));
        drop(desk);
        let text = folder.text("bans.txt");
        assert!(text == OLD || text == new(), "{at}: {text}");
        old += usize::from(text == OLD);
        left += folder.names().len() - 1;
        let mut next = Desk::at(&folder);
        assert_eq!(folder.names(), ["bans.txt"], "{at}");
        assert!(next.refuses("9.9.9.9"));
        assert_eq!(next.refuses("1.2.3.4"), text == new(), "{at}");
        next.append(&ban("5.6.7.8", "Eve"));
        let end = if text == OLD { "\n" } else { "" };
        assert_eq!(folder.text("bans.txt"), text + end + &line("5.6.7.8", "Eve"), "{at}");
    }
    // It was killed with a draft half, and after it was the file.
    assert!(old >= 10 && old <= count, "{old} of {count}");
    assert!(left >= 4, "{left}");
}

/// CHEAT-54, 26: a disk that fills up at any byte leaves the old file, not a byte of it gone, and the bans in force; twenty of
/// them, and all are written, in order, once there is room.
#[test]
fn a_disk_that_fills_up_at_each_byte() {
    for room in 0..new().len() {
        let (folder, mut desk) = add(|plan| plan.room = Some(room));
        assert_eq!(folder.text("bans.txt"), OLD, "{room}");
        assert_eq!(folder.names(), ["bans.txt"], "{room}");
        assert!(desk.refuses("1.2.3.4") && desk.refuses("9.9.9.9"));
        let words = desk.words();
        assert!(words.len() == 1 && words[0].starts_with("bans.txt: cannot be written ("), "{words:?}");
    }
    let (folder, desk) = add(|plan| plan.room = Some(new().len()));
    assert_eq!((folder.text("bans.txt"), desk.clerk.waiting()), (new(), 0));

    let (folder, mut desk) = add(|plan| plan.room = Some(0));
    let others: Vec<String> = (0..20).map(|n| format!("10.0.0.{n}")).collect();
    others.iter().for_each(|address| desk.append(&ban(address, "Eve")));
    assert!(others.iter().all(|address| desk.refuses(address)));
    assert_eq!((folder.text("bans.txt"), desk.clerk.waiting()), (OLD.to_owned(), 21));
    desk.disk.plan().room = None;
    assert_eq!(desk.clerk.finish(), 0);
    let lines: String = others.iter().map(|address| line(address, "Eve")).collect();
    assert_eq!(folder.text("bans.txt"), new() + &lines);
    assert_eq!(desk.words().len(), 2);
}

/// CHEAT-54: a host that ends while the disk is full leaves the old file, and each line that is lost in the log.
#[test]
fn a_host_that_ends_on_a_full_disk() {
    let (folder, mut desk) = add(|plan| plan.room = Some(3));
    desk.append(&ban("5.6.7.8", "Eve"));
    assert_eq!(desk.clerk.finish(), 2);
    let words = desk.words();
    for (word, line) in words[1..].iter().zip([line("1.2.3.4", "Bob"), line("5.6.7.8", "Eve")]) {
        assert_eq!(*word, format!("bans.txt: this line could not be written: {}", line.trim_end()));
    }
    assert_eq!((words.len(), folder.text("bans.txt")), (3, OLD.to_owned()));
}

/// CHEAT-26: a ban that was written while the file could be read is in force when it cannot be any more.
#[test]
fn a_ban_outlives_its_file() {
    let (folder, mut desk) = add(|_| {});
    fs::remove_file(folder.bans()).unwrap();
    fs::create_dir(folder.bans()).unwrap();
    assert!(desk.refuses("1.2.3.4") && desk.refuses("9.9.9.9") && !desk.refuses("5.6.7.8"));
}
