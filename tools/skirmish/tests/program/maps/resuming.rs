//! Downloads that are cut off anywhere, and taken up again: what is right is kept, and nothing else believed.

use super::{FREE, HUGEASS, LIST, Machines, PART, PIECE, hear_per_cent, quit};

/// The list of part files with that of this map in it.
const LISTED: &[u8] =
    b"Part files of downloads. The game deletes those that are named here.\nhugeass.map.part\n";

/// How many bytes of a part file are whole pieces of the map.
fn kept(map: &[u8], part: &[u8]) -> u64 {
    let pieces = map.chunks(PIECE as usize).zip(part.chunks(PIECE as usize));
    pieces.filter(|(map, part)| map == part).map(|(map, _)| map.len() as u64).sum()
}

/// MAP-48, MAP-50: a client that is killed at 10, 37, 63 and 90 per cent has all that it said it had; what comes then is what was
/// missing, and the map is right.
#[test]
fn a_client_that_is_killed_goes_on_where_it_was() {
    let machines = Machines::new("maps_killed", 3);
    let size = 24 * 1024 * 1024 + 54_321;
    let map = machines.make("host", HUGEASS, size, 10);
    let (host, address) = machines.host("--map hugeass", "map_share_upload = 8192");
    let mut had = 0;
    for least in [10, 37, 63, 90] {
        let mut ann = machines.join(&address, 1, "Ann", "");
        // Before its part file is looked at it has said nothing of it.
        let first = hear_per_cent(&mut ann, 1);
        let so_far = hear_per_cent(&mut ann, least);
        ann.kill();
        assert!(!machines.path("Ann", HUGEASS).exists());
        let part = machines.read("Ann", PART);
        let kept = kept(&map, &part);
        assert!(first * size / 100 + PIECE >= had, "{first} % of {had}");
        assert!(kept >= so_far * size / 100 / PIECE * PIECE, "{kept} of {so_far} %");
        assert!(kept >= had && kept < size);
        had = kept;
    }
    let mut ann = machines.join(&address, 1, "Ann", "");
    ann.hear("playing");
    quit(ann);
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map);
    assert_eq!(machines.files("Ann"), ["hugeass.map"]);
    let (came, _) = machines.traffic("Ann");
    assert!((size - had..=size - had + 2 * PIECE).contains(&came), "{came} of {}", size - had);
    // Of each that was killed what was under way is lost.
    let (_, sent) = machines.traffic("host");
    assert!(sent <= size + 4 * 16 * PIECE, "{sent}");
}

/// MAP-50: a part file that ends at any byte, that has something behind it, in it or in place of it, is kept as far as it is right: so
/// much and no more comes.
#[test]
fn a_part_file_is_kept_as_far_as_it_is_right() {
    let machines = Machines::new("maps_parts", 4);
    let size = 9 * PIECE + 4321;
    let map = machines.make("host", HUGEASS, size, 11);
    let (host, address) = machines.host("--map hugeass", FREE);
    let cut = |per_cent: u64| map[..(size * per_cent / 100) as usize].to_vec();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut part = map.clone();
        change(&mut part);
        part
    };
    let pieces = PIECE as usize;
    let parts = [
        ("nothing", Vec::new(), 0),
        ("a byte", map[..1].to_vec(), 0),
        ("10", cut(10), 0),
        ("37", cut(37), 3 * PIECE),
        ("63", cut(63), 5 * PIECE),
        ("99", cut(99), 8 * PIECE),
        ("all but a byte", map[..map.len() - 1].to_vec(), 9 * PIECE),
        ("all", map.clone(), size),
        ("garbage behind it", with(&|part| part.extend([0xA5; 70_000])), size),
        ("garbage behind a part", [cut(37), vec![0xA5; 3 * pieces]].concat(), 3 * PIECE),
        ("zeroes", vec![0; map.len()], 0),
        ("a piece of zeroes", with(&|part| part[3 * pieces..4 * pieces].fill(0)), size - PIECE),
        ("a bit", with(&|part| part[5 * pieces + 77] ^= 1), size - PIECE),
        ("another order", with(&|part| part[..3 * pieces].rotate_left(pieces)), size - 3 * PIECE),
    ];
    for (what, part, kept) in parts {
        machines.write("Ann", PART, &part);
        machines.write("Ann", LIST, LISTED);
        let mut ann = machines.join(&address, 1, "Ann", "");
        ann.hear("playing");
        quit(ann);
        assert!(machines.read("Ann", HUGEASS) == map, "{what}");
        assert_eq!(machines.files("Ann"), ["hugeass.map"], "{what}");
        let (came, _) = machines.traffic("Ann");
        assert_eq!(came, size - kept, "{what}");
        std::fs::remove_dir_all(machines.path("Ann", "")).unwrap();
    }
    quit(host);
}

/// MAP-50, MAP-52: a file of a person's own that is called as a part file would be, in no list, is left alone, and the map
/// comes.
#[test]
fn what_only_looks_like_a_part_file_is_left_alone() {
    let machines = Machines::new("maps_no_part", 5);
    let map = machines.make("host", HUGEASS, 2 * PIECE + 1, 12);
    let (host, address) = machines.host("--map hugeass", FREE);
    machines.write("Ann", PART, &map[..PIECE as usize]);
    let mut ann = machines.join(&address, 1, "Ann", "");
    ann.hear("playing");
    quit(ann);
    quit(host);
    assert!(machines.read("Ann", PART) == map[..PIECE as usize]);
    assert_eq!(machines.files("Ann"), ["hugeass.map", "hugeass.map.part"]);
    assert!(machines.read("Ann", HUGEASS) == map);
}

/// A host that is killed in the middle leaves a client that says so, no half map, and a part file with which the next host goes on.
#[test]
fn a_host_that_is_killed_leaves_a_part_file() {
    let machines = Machines::new("maps_host_killed", 6);
    let size = 24 * 1024 * 1024;
    let map = machines.make("host", HUGEASS, size, 13);
    let (host, address) = machines.host("--map hugeass", "map_share_upload = 8192");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 20);
    host.kill();
    let (code, said, errors) = ann.end();
    assert!(code == 3 && errors.contains("not joined: "), "{code}: {errors}{said:?}");
    let part = machines.read("Ann", PART);
    let kept = kept(&map, &part);
    assert!(kept >= size / 5 - PIECE && kept < size && !machines.path("Ann", HUGEASS).exists(), "{kept}");
    let (host, address) = machines.host("--map hugeass", FREE);
    let mut ann = machines.join(&address, 1, "Ann", "");
    ann.hear("playing");
    quit(ann);
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map);
    assert_eq!(machines.traffic("Ann").0, size - kept);
}
