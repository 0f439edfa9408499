//! Disks that take no map, or not all of it: a clear message, no half map, nothing of a person's gone, and the others play on.

use std::process::Command;

use super::{FREE, HUGEASS, Machines, PIECE, assert_not_joined, hear_per_cent, quit};
use crate::{Program, command, run, text};

const OWN: &[u8] = b"a person's own";
const UNWRITTEN: &str = "The map custom_maps\\hugeass cannot be written: ";

/// That command of a machine's, run by a shell: `"$0" "$@"` in what it is told stands for it.
fn by_shell(machines: &Machines, shell: &str, script: &str, line: &str) -> Program {
    let own = command(&machines.folder, line);
    let mut by = Command::new("sh");
    if let Some((program, options)) = shell.split_once(' ') {
        by = Command::new(program);
        by.args(options.split(' ')).arg("sh");
    }
    by.arg("-c").arg(script).arg(own.get_program()).args(own.get_args()).current_dir(&machines.folder);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => by.env(name, value),
            None => by.env_remove(name),
        };
    }
    Program::spawn(by)
}

/// Whether a process here may have disks of its own; where it may not, that is said.
fn may_mount() -> bool {
    let tried = Command::new("unshare").args(["-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).output();
    let may = tried.is_ok_and(|tried| tried.status.success());
    if !may {
        eprintln!("not run: no disk may be mounted here");
    }
    may
}

/// Where the folder should be is a file: who lacks the map is told, and the file stays; another machine gets the map meanwhile.
#[test]
fn a_folder_that_is_a_file_is_said() {
    let machines = Machines::new("maps_no_folder", 8);
    let map = machines.make("host", HUGEASS, 3 * PIECE, 21);
    let (host, address) = machines.host("--map hugeass", FREE);
    machines.write("Ann", "custom_maps", OWN);
    let ann = machines.join(&address, 1, "Ann", FREE);
    let mut bob = machines.join(&address, 2, "Bob", FREE);
    assert_not_joined(ann, UNWRITTEN);
    assert_eq!(machines.read("Ann", "custom_maps"), OWN);
    bob.hear("playing");
    quit(bob);
    quit(host);
    assert!(machines.read("Bob", HUGEASS) == map);
}

/// A file may grow so far and no further, in the middle of a download: the client says that the map cannot be written and leaves.
/// What came stays a part file, with which it goes on where there is room; a person's own file stays, and the others play.
#[test]
fn a_disk_that_gets_full_is_said() {
    let machines = Machines::new("maps_full", 9);
    let size = 12 * 1024 * 1024;
    let map = machines.make("host", HUGEASS, size, 22);
    let (mut host, address) = machines.host("--map hugeass", "map_share_upload = 8192");
    machines.write("Ann", "custom_maps/own.map", OWN);
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 40);
    ann.kill();
    host.hear_of("machine 1 left");
    let mut bob = machines.join(&address, 2, "Bob", "map_seed = false");
    bob.hear("playing");
    // Of 512 bytes or of 1024, as the shell has it: a file is shorter than the map either way.
    let script = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    let ann = by_shell(&machines, "", script, &machines.joins(&address, 1, "Ann", ""));
    assert_not_joined(ann, &format!("{UNWRITTEN}hugeass.map.part cannot be written: File too large"));
    host.hear_of("machine 2 left");
    assert!(!machines.path("Ann", HUGEASS).exists());
    assert_eq!(machines.files("Ann"), ["hugeass.map.part", "mjolnir-part-files.txt", "own.map"]);
    let mut ann = machines.join(&address, 1, "Ann", "");
    ann.hear("playing");
    bob.hear("Ann joined");
    quit(ann);
    quit(bob);
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map);
    assert!(machines.traffic("Ann").0 < size * 3 / 4, "{:?}", machines.traffic("Ann"));
    assert_eq!(machines.files("Ann"), ["hugeass.map", "own.map"]);
    assert_eq!(machines.read("Ann", "custom_maps/own.map"), OWN);
}

/// Real disks: one of 2 MiB with a person's file on it, one that is full to the last byte, one that may not be written.
#[test]
fn small_and_read_only_disks_are_said() {
    let machines = Machines::new("maps_disks", 10);
    if !may_mount() {
        return;
    }
    machines.make("host", HUGEASS, 12 * 1024 * 1024, 23);
    let (host, address) = machines.host("--map hugeass", FREE);
    machines.write("Ann", "own", OWN);
    let mut bob = machines.join(&address, 2, "Bob", FREE);
    bob.hear("playing");
    let full = "No space left on device";
    for (options, before, why, left) in [
        ("size=2m", "", full, "hugeass.map.part mjolnir-part-files.txt own.map"),
        ("size=64k", "dd if=/dev/zero of=Ann/custom_maps/more 2>/dev/null;", full, "more own.map"),
        ("size=2m", "mount -o remount,ro none Ann/custom_maps &&", "Read-only file system", "own.map"),
    ] {
        let script = format!(
            "mkdir -p Ann/custom_maps && mount -t tmpfs -o {options} none Ann/custom_maps && \
             cp Ann/own Ann/custom_maps/own.map && {before} \"$0\" \"$@\"; code=$?; \
             cmp Ann/own Ann/custom_maps/own.map && echo left: $(ls Ann/custom_maps); exit $code"
        );
        let line = machines.joins(&address, 1, "Ann", FREE);
        let ann = by_shell(&machines, "unshare -rm", &script, &line);
        let (code, said, errors) = ann.end();
        assert!(code == 3 && errors.contains(UNWRITTEN) && errors.contains(why), "{code}: {errors}{said:?}");
        assert_eq!(said.last().unwrap(), &format!("left: {left}"), "{errors}");
    }
    quit(bob);
    quit(host);
}

/// MAP-52: one map's part file stays at most: that of the one before is deleted as another map begins to come, and a person's own
/// that is called so is not.
#[test]
fn one_part_file_stays() {
    let machines = Machines::new("maps_one_part", 11);
    machines.make("host", HUGEASS, 8 * 1024 * 1024, 24);
    machines.make("host", "custom_maps/other.map", 8 * 1024 * 1024, 25);
    machines.write("Ann", "custom_maps/own.map.part", OWN);
    let list = "mjolnir-part-files.txt";
    for (map, due) in [
        ("hugeass", ["hugeass.map.part", list, "own.map.part"]),
        ("other", [list, "other.map.part", "own.map.part"]),
    ] {
        let (host, address) = machines.host(&format!("--map {map}"), "map_share_upload = 2048");
        let mut ann = machines.join(&address, 1, "Ann", "");
        hear_per_cent(&mut ann, 10);
        ann.kill();
        quit(host);
        assert_eq!(machines.files("Ann"), due);
    }
    assert_eq!(machines.read("Ann", "custom_maps/own.map.part"), OWN);
    // A list of maps has none of them.
    let maps = |of: &str| text(&run(&machines.folder, &format!("maps --data {of}")).stdout);
    assert_eq!(maps("Ann"), maps("Bob"));
}
