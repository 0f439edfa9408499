//! What stands in the files once a line was added: to the letter, and with all that was there.

use std::fs::{self, File};
use std::io::ErrorKind;

use super::scene::{Desk, Folder, STAMP, Step, TestDisk, ban, line, person};
use mjolnir_anticheat::Record;
use mjolnir_anticheat::files::{PATIENCE, PAUSE, RETRY};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;

const DRAFT: &str = ".bans.txt.draft-of-the-host";

/// CHEAT-25, 54, 57, 51: a ban is a line of `bans.txt`, a cheater one of each file, an unverified one of `cheaters.txt` alone;
/// each in the order in which they were made.
#[test]
fn who_stands_in_which_file() {
    let folder = Folder::new();
    let mut desk = Desk::at(&folder);
    let names = || [Name::cut("Eve"), Name::cut("Eve 2")].into_iter();
    let eve = person("5.6.7.8");
    desk.append(&ban("1.2.3.4", "Bob"));
    Record::cheater(&eve, &Identity::NONE, names(), 1.5).iter().for_each(|record| desk.append(record));
    desk.append(&Record::unverified(&person("9.9.9.9"), &Identity::NONE, names(), 1.2));
    let of_eve = format!(
        "{STAMP}\tip=5.6.7.8\thwid=none\tdiscord_username=none\tdiscord_id=none\tplayers=Eve, Eve 2\t\
         reason=speed hack (1.50 times as fast as time)\n"
    );
    assert_eq!(folder.text("bans.txt"), line("1.2.3.4", "Bob") + &of_eve);
    let unverified =
        of_eve.replace("5.6.7.8", "9.9.9.9").replace("1.50", "1.20").replace(")\n", "), unverified\n");
    assert_eq!(folder.text("cheaters.txt"), of_eve + &unverified);
    assert!(desk.refuses("1.2.3.4") && desk.refuses("5.6.7.8") && !desk.refuses("9.9.9.9"));
    assert_eq!((folder.names().len(), desk.words()), (2, vec![]));
}

/// CHEAT-54: what was there stays byte for byte, and a last line without an end gets one first.
#[test]
fn what_was_there_stays() {
    for (before, end) in [
        (&b""[..], ""),
        (b"ip=9.9.9.9\n", ""),
        (b"ip=9.9.9.9", "\n"),
        (b"ip=9.9.9.9\r\n", ""),
        (b"ip=9.9.9.9\r", "\n"),
        (b"\xEF\xBB\xBF# mine\n\n\n", ""),
        (b"\0\xFF\x80", "\n"),
    ] {
        let folder = Folder::new();
        fs::write(folder.bans(), before).unwrap();
        let mut desk = Desk::at(&folder);
        desk.append(&ban("1.2.3.4", "Bob"));
        desk.append(&ban("5.6.7.8", "Eve"));
        let added = end.to_owned() + &line("1.2.3.4", "Bob") + &line("5.6.7.8", "Eve");
        assert_eq!(fs::read(folder.bans()).unwrap(), [before, added.as_bytes()].concat());
        assert_eq!(folder.names(), ["bans.txt"]);
    }
}

/// CHEAT-54: the file's permissions stay, and the name that is a link stays one: its target is written, there or not.
#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let target = elsewhere.path().join("shared bans");
    symlink(&target, folder.bans()).unwrap();
    let mut desk = Desk::at(&folder);
    desk.append(&ban("1.2.3.4", "Bob"));
    assert_eq!(elsewhere.text("shared bans"), line("1.2.3.4", "Bob"));
    for mode in [0o600, 0o644, 0o640, 0o444] {
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
        desk.append(&ban("5.6.7.8", "Eve"));
        assert_eq!(fs::metadata(&target).unwrap().mode() & 0o7777, mode);
    }
    assert!(fs::symlink_metadata(folder.bans()).unwrap().is_symlink());
    assert_eq!(elsewhere.text("shared bans").lines().count(), 5);
    assert_eq!((folder.names().len(), elsewhere.names().len()), (1, 1));
    assert!(desk.refuses("5.6.7.8"));
}

/// CHEAT-54: what an earlier process left half is removed when the host starts, and where a line is added; nothing of it is
/// taken for a line.
#[test]
fn what_a_crash_left_is_removed() {
    let folder = Folder::new();
    let draft = folder.path().join(DRAFT);
    fs::write(folder.bans(), "ip=9.9.9.9\n").unwrap();
    fs::write(&draft, "ip=2.2.2.2\nip=3.3").unwrap();
    let mut desk = Desk::at(&folder);
    assert_eq!(folder.names(), ["bans.txt"]);
    fs::write(&draft, "ip=2.2.2.2\nip=3.3").unwrap();
    desk.append(&ban("1.2.3.4", "Bob"));
    assert_eq!(folder.names(), ["bans.txt"]);
    assert_eq!(folder.text("bans.txt"), "ip=9.9.9.9\n".to_owned() + &line("1.2.3.4", "Bob"));
}

/// CHEAT-54: two hosts in one folder keep out of each other's way: a draft that a living process holds is not removed, and the
/// line waits.
#[test]
fn another_host_in_the_folder() {
    let folder = Folder::new();
    let draft = folder.path().join(DRAFT);
    let held = File::create(&draft).unwrap();
    held.lock().unwrap();
    let mut desk = Desk::at(&folder);
    desk.append(&ban("1.2.3.4", "Bob"));
    assert_eq!((folder.names(), desk.clerk.waiting()), (vec![DRAFT.to_owned()], 1));
    assert!(desk.words()[0].contains("another process writes it"));
    assert!(desk.refuses("1.2.3.4"));
    // For a while it is waited for.
    let (mut held, free_at) = (Some(held), desk.clock.now() + PATIENCE / 2);
    desk.clock.meanwhile(move |now| drop((now >= free_at).then(|| held.take())));
    desk.append(&ban("5.6.7.8", "Eve"));
    assert_eq!(folder.text("bans.txt"), line("1.2.3.4", "Bob") + &line("5.6.7.8", "Eve"));
    assert_eq!((folder.names(), desk.clock.now()), (vec!["bans.txt".to_owned()], free_at));
}

/// CHEAT-54: where the draft cannot be, as in a folder that may not be written, nothing is touched, the line waits and is in
/// force, and that is said once, however often it is tried; with the first line that is written it is said that it is again.
#[test]
fn a_folder_that_may_not_be_written() {
    let folder = Folder::new();
    fs::write(folder.bans(), "ip=9.9.9.9\n").unwrap();
    let disk = TestDisk::default();
    let mut desk = Desk::with(&folder, disk.clone());
    disk.plan().fails = Some((Step::Draft, ErrorKind::PermissionDenied));
    for _ in 0..3 {
        desk.append(&ban("1.2.3.4", "Bob"));
        desk.clock.pass(RETRY);
        desk.clerk.write();
    }
    assert!(desk.refuses("1.2.3.4") && desk.refuses("9.9.9.9") && !desk.refuses("5.6.7.8"));
    assert_eq!(folder.text("bans.txt"), "ip=9.9.9.9\n");
    assert_eq!(
        desk.words(),
        [
            "bans.txt: cannot be written (permission denied); the ban is in force all the same, and writing is tried again"
        ]
    );
    disk.plan().fails = None;
    desk.clock.pass(RETRY);
    desk.clerk.write();
    assert_eq!(folder.text("bans.txt"), "ip=9.9.9.9\n".to_owned() + &line("1.2.3.4", "Bob").repeat(3));
    assert_eq!(desk.words(), ["bans.txt: is written again; lines that waited: 3"]);

    // A real one: something that is no file stands where the draft would.
    fs::create_dir(folder.path().join(DRAFT)).unwrap();
    desk.append(&ban("5.6.7.8", "Eve"));
    assert!(desk.words()[0].contains("something is in the way"));
    assert!(desk.refuses("5.6.7.8"));
    assert_eq!(folder.names().len(), 2);
}

/// CHEAT-54: what failed is tried again by another line at once, by a join once in [`PAUSE`], and not before.
#[test]
fn when_it_is_tried_again() {
    let folder = Folder::new();
    let disk = TestDisk::default();
    let mut desk = Desk::with(&folder, disk.clone());
    disk.plan().fails = Some((Step::Sync, ErrorKind::Other));
    let tries = || disk.plan().steps.iter().filter(|step| **step == Step::Sync).count();
    desk.append(&ban("1.2.3.4", "Bob"));
    assert_eq!(tries(), 1);
    desk.clock.pass(PAUSE - std::time::Duration::from_millis(1));
    desk.clerk.write();
    assert_eq!(tries(), 1);
    desk.clock.pass(std::time::Duration::from_millis(1));
    desk.clerk.write();
    assert_eq!(tries(), 2);
    desk.append(&ban("5.6.7.8", "Eve"));
    assert_eq!(tries(), 3);
    disk.plan().fails = None;
    desk.append(&ban("9.9.9.9", "Al"));
    let [bob, eve, al] =
        [("1.2.3.4", "Bob"), ("5.6.7.8", "Eve"), ("9.9.9.9", "Al")].map(|(ip, name)| line(ip, name));
    assert_eq!(folder.text("bans.txt"), bob + &eve + &al);
    desk.clerk.write();
    assert_eq!(tries(), 4);
}

/// CHEAT-54: one file that cannot be written keeps no line of the other.
#[test]
fn each_file_for_itself() {
    let folder = Folder::new();
    fs::create_dir(folder.bans()).unwrap();
    let mut desk = Desk::at(&folder);
    desk.words();
    let eve = person("5.6.7.8");
    Record::cheater(&eve, &Identity::NONE, [Name::cut("Eve")].into_iter(), 2.0)
        .iter()
        .for_each(|record| desk.append(record));
    assert_eq!(folder.text("cheaters.txt").lines().count(), 1);
    assert_eq!(desk.clerk.waiting(), 1);
    assert_eq!(desk.clerk.finish(), 1);
    let words = desk.words();
    assert!(words[0].starts_with("bans.txt: cannot be written (it is no regular file)"), "{words:?}");
    assert!(
        words[1].starts_with("bans.txt: this line could not be written: 2026-03-07 09:05:00\tip=5.6.7.8\t"),
        "{words:?}"
    );
    assert_eq!(words.len(), 2);
}

/// CHEAT-54: of two hosts that write into one folder at once, each line of both is there, once, and in the order of its host.
#[test]
fn two_hosts_at_once() {
    const LINES: usize = 25;
    let folder = Folder::new();
    let host = |name: &'static str| {
        let mut desk = Desk::at(&folder);
        move || {
            for n in 0..LINES {
                desk.append(&ban(&format!("10.0.0.{n}"), name));
            }
            while desk.clerk.waiting() > 0 {
                desk.clock.pass(PAUSE);
                desk.clerk.write();
            }
        }
    };
    let (bob, eve) = (host("Bob"), host("Eve"));
    std::thread::scope(|scope| {
        scope.spawn(bob);
        scope.spawn(eve);
    });
    let text = folder.text("bans.txt");
    for name in ["Bob", "Eve"] {
        let of_it = text.lines().filter(|line| line.contains(&format!("players={name}\t")));
        let expected = (0..LINES).map(|n| line(&format!("10.0.0.{n}"), name));
        assert!(of_it.map(|line| format!("{line}\n")).eq(expected), "{name}: {text}");
    }
    assert_eq!((text.lines().count(), folder.names().len()), (2 * LINES, 1));
}
