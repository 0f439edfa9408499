//! Whom the list refuses at a join, whatever is in it and whatever it is.

use std::fs;

use super::scene::{Desk, Folder, Step, TestDisk, ask, ban, id};
use mjolnir_anticheat::files::{Ask, KEPT_BYTES, MAX_WAITING, PAUSE};
use std::io::ErrorKind;

/// CHEAT-26: a banned address with another id and a banned id at another address are refused; once the line is taken out by
/// hand both are accepted, by the same running host; where there is no file nobody is banned.
#[test]
fn the_file_is_read_at_each_join() {
    let folder = Folder::new();
    let mut desk = Desk::at(&folder);
    assert!(!desk.refuses("1.2.3.4"));
    fs::write(folder.bans(), format!("ip=1.2.3.4\thwid={}\n", "a".repeat(32))).unwrap();
    let by_address = Ask { hardware: id(b'b'), ..ask(1, "1.2.3.4") };
    let by_id = Ask { hardware: id(b'A'), ..ask(2, "5.6.7.8") };
    let other = Ask { hardware: id(b'b'), ..ask(3, "5.6.7.8") };
    assert_eq!([by_address, by_id, other].map(|ask| desk.is_refused(ask)), [true, true, false]);
    fs::write(folder.bans(), "# nobody\n").unwrap();
    assert_eq!([by_address, by_id, other].map(|ask| desk.is_refused(ask)), [false; 3]);
    fs::remove_file(folder.bans()).unwrap();
    assert_eq!([by_address, by_id, other].map(|ask| desk.is_refused(ask)), [false; 3]);
    assert_eq!(desk.words(), [""; 0]);
}

/// CHEAT-26, 55: asked about many at once, the file is read once, and each has its own answer.
#[test]
fn many_joins_are_one_reading() {
    let folder = Folder::new();
    fs::write(folder.bans(), "ip=10.0.0.3\nip=10.0.0.200\n").unwrap();
    let mut desk = Desk::at(&folder);
    desk.disk.plan().steps.clear();
    let asks: Vec<Ask> = (0..=255).map(|n| ask(n, &format!("10.0.0.{n}"))).collect();
    let mut refused = Vec::new();
    desk.clerk.answer(&asks, |ticket, is_refused| refused.extend(is_refused.then_some(ticket)));
    assert_eq!(refused, [3, 200]);
    assert_eq!(desk.disk.plan().steps.iter().filter(|step| **step == Step::Open).count(), 1);
}

/// CHEAT-55: a byte order mark, ends of lines of another system, NULs, junk, half a line, one of a megabyte and one that stands
/// twice: each whole line is in force, and nothing is said.
#[test]
fn what_is_no_line_costs_nothing() {
    let folder = Folder::new();
    let mut list = b"\xEF\xBB\xBFip=1.1.1.1\r\n\0\0\0\nip=1.2.\n\xFF\xFE\x80ip=2.2.2.2 x\r\n".to_vec();
    list.extend(core::iter::repeat_n(b'x', 1 << 20));
    list.extend(b"ip=6.6.6.6\nip=3.3.3.3\nip=3.3.3.3\nban me\nip=4.4.4.4");
    fs::write(folder.bans(), list).unwrap();
    let mut desk = Desk::at(&folder);
    for (address, refused) in [
        ("1.1.1.1", true),
        ("2.2.2.2", true),
        ("3.3.3.3", true),
        ("4.4.4.4", true),
        ("6.6.6.6", false),
        ("1.2.0.0", false),
        ("5.5.5.5", false),
    ] {
        assert_eq!(desk.refuses(address), refused, "{address}");
    }
    assert_eq!(desk.words(), [""; 0]);
}

/// CHEAT-26: of a list of a hundred thousand lines the last is in force, and one is added to it.
#[test]
fn a_long_list() {
    let folder = Folder::new();
    let line =
        |n: u32| format!("2026-01-01 00:00:00\tip=10.{}.{}.{}\thwid=none\n", n >> 16, n >> 8 & 255, n & 255);
    let list: String = (0..100_000).map(line).collect();
    fs::write(folder.bans(), &list).unwrap();
    let mut desk = Desk::at(&folder);
    assert!(desk.refuses("10.1.134.159") && !desk.refuses("10.1.134.160"));
    desk.append(&ban("10.1.134.160", "Bob"));
    assert!(desk.refuses("10.1.134.160"));
    assert_eq!(folder.text("bans.txt"), list + &super::scene::line("10.1.134.160", "Bob"));
}

/// CHEAT-26: a list longer than what is kept is read in pieces, added to, and in force; once it cannot be read, nobody is let
/// in past it.
#[test]
fn a_list_longer_than_what_is_kept() {
    let folder = Folder::new();
    let mut list = vec![b'\n'; KEPT_BYTES + 1];
    list.extend(b"ip=1.2.3.4\n");
    fs::write(folder.bans(), &list).unwrap();
    let mut desk = Desk::at(&folder);
    assert!(desk.refuses("1.2.3.4") && !desk.refuses("5.6.7.8"));
    desk.append(&ban("5.6.7.8", "Bob"));
    assert!(desk.refuses("5.6.7.8") && !desk.refuses("9.9.9.9"));
    desk.disk.plan().fails = Some((Step::Open, ErrorKind::PermissionDenied));
    assert!(desk.refuses("9.9.9.9"));
    fs::write(folder.bans(), "ip=1.2.3.4\n").unwrap();
    desk.disk.plan().fails = None;
    assert!(!desk.refuses("9.9.9.9"));
}

/// CHEAT-26: a file that cannot be read any more refuses whom it last named, which is said once; and once when it can again.
#[test]
fn an_unreadable_file_is_as_it_last_was() {
    let folder = Folder::new();
    fs::write(folder.bans(), "ip=1.2.3.4\n").unwrap();
    for (step, kind) in [
        (Step::Stat, ErrorKind::PermissionDenied),
        (Step::Open, ErrorKind::PermissionDenied),
        (Step::Read, ErrorKind::Other),
    ] {
        let mut desk = Desk::at(&folder);
        desk.disk.plan().fails = Some((step, kind));
        for _ in 0..3 {
            assert!(desk.refuses("1.2.3.4") && !desk.refuses("5.6.7.8"), "{step:?}");
        }
        let words = desk.words();
        assert_eq!(words.len(), 1, "{words:?}");
        assert!(words[0].starts_with("bans.txt: cannot be read ("), "{words:?}");
        assert!(words[0].ends_with("; whom it last named is still refused"), "{words:?}");
        desk.disk.plan().fails = None;
        assert!(!desk.refuses("5.6.7.8"));
        assert_eq!(desk.words(), ["bans.txt: is read again"]);
    }
}

/// CHEAT-26: a folder that is gone with the list, as with a disk that was taken away, unbans nobody; a list that is taken away does,
/// once its folder is there again.
#[test]
fn a_folder_that_is_gone_unbans_nobody() {
    let folder = Folder::new();
    let (data, away) = (folder.path().join("data"), folder.path().join("away"));
    for is_linked in [false, true] {
        fs::create_dir(&data).unwrap();
        fs::write(data.join("bans.txt"), "ip=1.2.3.4\n").unwrap();
        #[cfg(unix)]
        if is_linked {
            std::os::unix::fs::symlink(data.join("bans.txt"), folder.bans()).unwrap();
        }
        let mut desk = if is_linked { Desk::at(&folder) } else { Desk::in_folder(&data) };
        assert!(desk.refuses("1.2.3.4"));
        fs::rename(&data, &away).unwrap();
        let now = desk.clock.now();
        assert!(desk.refuses("1.2.3.4") && !desk.refuses("5.6.7.8"), "{is_linked}");
        assert_eq!(desk.clock.now(), now, "nobody waits for it");
        let words = desk.words();
        assert!(words.len() == 1 && words[0].ends_with("; whom it last named is still refused"), "{words:?}");
        fs::rename(&away, &data).unwrap();
        assert!(desk.refuses("1.2.3.4"));
        assert_eq!(desk.words(), ["bans.txt: is read again"]);
        fs::remove_file(data.join("bans.txt")).unwrap();
        assert!(!desk.refuses("1.2.3.4"), "{is_linked}");
        fs::remove_dir(&data).unwrap();
        assert!(!desk.refuses("1.2.3.4"), "it names nobody");
    }
}

/// CHEAT-26: a file that never could be read refuses everybody, since nobody can be told from whom it names; so does a folder
/// in its place, and one that appears where there was none.
#[test]
fn a_file_that_was_never_read_refuses_everybody() {
    let folder = Folder::new();
    let mut late = Desk::at(&folder);
    assert!(!late.refuses("5.6.7.8"));
    fs::create_dir(folder.bans()).unwrap();
    for desk in [&mut late, &mut Desk::at(&folder)] {
        assert!(desk.refuses("5.6.7.8"));
        assert_eq!(
            desk.words(),
            ["bans.txt: cannot be read (it is no regular file); everybody is refused until it can be"]
        );
    }
    fs::remove_dir(folder.bans()).unwrap();
    assert!(!late.refuses("5.6.7.8"));

    let disk = TestDisk::default();
    disk.plan().fails = Some((Step::Open, ErrorKind::PermissionDenied));
    fs::write(folder.bans(), "ip=1.2.3.4\n").unwrap();
    let mut desk = Desk::with(&folder, disk);
    assert!(desk.refuses("5.6.7.8"));
    desk.disk.plan().fails = None;
    assert!(!desk.refuses("5.6.7.8") && desk.refuses("1.2.3.4"));
}

/// CHEAT-26: a file of two bytes a character is not taken for one that names nobody, and nothing is added to it.
#[test]
fn a_file_of_wide_characters_is_not_read() {
    let folder = Folder::new();
    let list: Vec<u8> = "\u{feff}ip=1.2.3.4\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.bans(), &list).unwrap();
    let mut desk = Desk::at(&folder);
    assert!(desk.refuses("1.2.3.4"));
    assert!(desk.words()[0].contains("UTF-16"));
    desk.append(&ban("5.6.7.8", "Bob"));
    assert_eq!((fs::read(folder.bans()).unwrap(), desk.clerk.waiting()), (list, 1));
    fs::write(folder.bans(), "ip=1.2.3.4\r\n").unwrap();
    desk.clock.pass(PAUSE);
    desk.clerk.write();
    assert!(desk.refuses("1.2.3.4") && desk.refuses("5.6.7.8") && !desk.refuses("9.9.9.9"));
    assert_eq!(folder.text("bans.txt"), format!("ip=1.2.3.4\r\n{}", super::scene::line("5.6.7.8", "Bob")));
}

/// CHEAT-25, 26: a ban that cannot be written refuses from memory; so many are kept, and the oldest goes past that, into the
/// log.
#[test]
fn a_ban_is_in_force_before_it_is_written() {
    let folder = Folder::new();
    let mut desk = Desk::at(&folder);
    desk.disk.plan().fails = Some((Step::Draft, ErrorKind::StorageFull));
    desk.append(&ban("1.2.3.4", "Bob"));
    assert!(desk.refuses("1.2.3.4") && !desk.refuses("5.6.7.8"));
    for _ in 1..MAX_WAITING {
        desk.clerk.append(&ban("5.6.7.8", "Eve"));
    }
    assert!(desk.refuses("1.2.3.4"));
    assert_eq!((desk.clerk.waiting(), desk.words().len()), (MAX_WAITING, 1));
    desk.clerk.append(&ban("5.6.7.8", "Eve"));
    assert_eq!(desk.clerk.waiting(), MAX_WAITING);
    let line = super::scene::line("1.2.3.4", "Bob");
    assert_eq!(desk.words(), [format!("bans.txt: this line could not be written: {}", line.trim_end())]);
}
