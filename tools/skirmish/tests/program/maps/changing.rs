//! What changes while a map comes: the host's file, the host's game.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};

use super::{HUGEASS, Machines, PART, hear_per_cent, quit};

/// The host's file is changed in place, its length as it was, in the middle of a download: the host sends no more of it and says so;
/// who downloads has the rest from one that has it, as it was offered.
#[test]
fn a_file_that_changes_is_sent_no_more() {
    let machines = Machines::new("maps_changed", 12);
    let size = 8 * 1024 * 1024;
    let map = machines.make("host", HUGEASS, size, 31);
    machines.write("Ann", HUGEASS, &map);
    let (mut host, address) = machines.host("--map hugeass", "map_share_upload = 1024");
    let mut ann = machines.join(&address, 1, "Ann", "map_seed_upload = 2048");
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    let mut bob = machines.join(&address, 2, "Bob", "");
    hear_per_cent(&mut bob, 20);
    let mut file = fs::OpenOptions::new().write(true).open(machines.path("host", HUGEASS)).unwrap();
    file.seek(SeekFrom::Start(size / 2)).unwrap();
    file.write_all(b"another map").unwrap();
    drop(file);
    bob.hear("playing");
    quit(bob);
    quit(ann);
    host.order("quit");
    let (code, _, errors) = host.end();
    assert!(
        code == 0
            && errors.contains("The map has changed, or cannot be read any more: it is sent to nobody."),
        "{code}: {errors}"
    );
    assert!(machines.read("Bob", HUGEASS) == map);
    assert!(machines.traffic("host").1 < size / 2, "{:?}", machines.traffic("host"));
}

/// The host's file is deleted, or another put in its place, in the middle of a download: what was offered is still sent whole.
#[test]
fn a_file_that_is_deleted_is_sent_to_its_end() {
    let machines = Machines::new("maps_deleted", 13);
    let map = machines.make("host", HUGEASS, 8 * 1024 * 1024, 32);
    let other = machines.make("host", "other", 8 * 1024 * 1024, 33);
    let (host, address) = machines.host("--map hugeass", "map_share_upload = 4096");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 10);
    fs::remove_file(machines.path("host", HUGEASS)).unwrap();
    hear_per_cent(&mut ann, 50);
    fs::rename(machines.path("host", "other"), machines.path("host", HUGEASS)).unwrap();
    ann.hear("playing");
    quit(ann);
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map && map != other);
}

/// MAP-70, MAP-85: the host's console changes the map in the middle of a download, in the lobby: the client gets the other one, and
/// plays it; a map that ships is played with what has come left as a part file.
#[test]
fn another_map_in_the_middle_of_a_download() {
    let machines = Machines::new("maps_console", 14);
    let size = 8 * 1024 * 1024;
    machines.make("host", HUGEASS, size, 34);
    let other = machines.make("host", "custom_maps/other.map", size / 2, 35);
    let (mut host, address) = machines.host("--lobby 60 --map hugeass", "map_share_upload = 4096");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 20);
    host.order("map other");
    ann.hear_of("other.map  ");
    host.order("start");
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    assert!(machines.read("Ann", "custom_maps/other.map") == other);
    assert_eq!(machines.files("Ann"), ["other.map"]);
    quit(ann);
    // Another machine, in the game that follows.
    let mut bob = machines.join(&address, 1, "Bob", "");
    bob.hear("playing");
    host.order("map hugeass");
    hear_per_cent(&mut bob, 20);
    host.order("map flat");
    bob.hear("playing");
    host.hear("Bob (machine 1) plays");
    assert_eq!(machines.files("Bob"), ["hugeass.map.part", "mjolnir-part-files.txt", "other.map"]);
    host.order("map hugeass");
    bob.hear("playing");
    assert!(!machines.path("Bob", PART).exists());
    quit(bob);
    quit(host);
    assert!(machines.read("Bob", HUGEASS) == machines.read("host", HUGEASS));
    // What stood in the part file did not come again.
    let came = machines.traffic("Bob").0;
    assert!(came <= size + size / 2 + size / 4, "{came}");
}
