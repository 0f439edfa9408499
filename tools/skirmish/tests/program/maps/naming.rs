//! What maps are called: names that no map may have, and two versions of one name.

use super::{FREE, HUGEASS, Machines, PIECE, quit};
use crate::{code, run, text};

/// MAP-19, MAP-20: a name that leads out of the folder, that a system takes for a device or that is too long is none, whatever file
/// there is: the program ends with two, and says it.
#[test]
fn names_that_no_map_may_have_are_refused() {
    let machines = Machines::new("maps_names", 24);
    let long = "m".repeat(65);
    for file in ["CON.map", "a.map.map", "hugeass..map", "bitmaps.map", &format!("{long}.map")] {
        machines.make("host", &format!("custom_maps/{file}"), 5000, 51);
    }
    machines.make("host", "out.map", 5000, 52);
    machines.make("host", "custom_maps/a/b.map", 5000, 53);
    let names = [
        "..", "../out", "..\\out", "CON", "con", "a/b", "a\\b", "bitmaps", "hugeass.", "/out", "C:out", &long,
    ];
    for name in names {
        // Of a file that is there it is said by its own name too.
        let is_there = ["CON", "hugeass.", &long].contains(&name);
        let alone = if is_there {
            format!("{name} is not played: no map may have that name")
        } else {
            format!("no map {name}: ")
        };
        for (map, why) in [
            (name.to_owned(), alone),
            (
                format!("custom_maps\\{name}"),
                format!("custom_maps\\{name} is not played: no map may have that name"),
            ),
        ] {
            let line =
                format!("host --port 0 --bind {} --data host --seconds 0 --map {map}", machines.address(1));
            let output = run(&machines.folder, &line);
            let errors = text(&output.stderr);
            assert!(code(&output) == 2 && errors.contains(&why), "{map}: {errors}");
        }
    }
    // What only looks odd is a name.
    let line = format!("local --data host --seconds 0.1 --map {}", "a.map");
    assert_eq!(code(&run(&machines.folder, &line)), 0);
}

/// MAP-03, MAP-06, MAP-07: who has another version of the name gets the host's beside it, named for its hash; its own stays to the
/// byte. A menu numbers them, and each host's version is played without another download, also where a host of both plays the second.
#[test]
fn two_versions_of_one_name_stand_side_by_side() {
    let machines = Machines::new("maps_versions", 25);
    let own = machines.make("Ann", HUGEASS, 2 * PIECE, 54);
    let map = machines.make("host", HUGEASS, 3 * PIECE + 9, 55);
    let (host, address) = machines.host("--map hugeass", FREE);
    for came in [3 * PIECE + 9, 0] {
        let mut ann = machines.join(&address, 1, "Ann", FREE);
        ann.hear("playing");
        quit(ann);
        assert_eq!(machines.traffic("Ann").0, came);
    }
    quit(host);
    let files = machines.files("Ann");
    assert!(files.len() == 2 && files[0] == "hugeass.map", "{files:?}");
    assert!(machines.read("Ann", HUGEASS) == own);
    assert!(machines.read("Ann", &format!("custom_maps/{}", files[1])) == map);
    let maps = text(&run(&machines.folder, "maps --data Ann").stdout);
    let stem = files[1].strip_suffix(".map").unwrap();
    let seed = |seed: u64| format!("A custom map, of seed {seed:016x}.");
    for line in [format!("hugeass    Hugeass: {}", seed(54)), format!("{stem} Hugeass (2): {}", seed(55))] {
        assert!(maps.lines().any(|listed| listed == line), "{line}: {maps}");
    }
    // A host of the other version.
    machines.write("host", HUGEASS, &own);
    let (host, address) = machines.host("--map hugeass", FREE);
    let mut ann = machines.join(&address, 1, "Ann", FREE);
    ann.hear("playing");
    quit(ann);
    quit(host);
    assert_eq!(machines.traffic("Ann").0, 0);
    assert_eq!(machines.files("Ann"), files);
    // A host of both that plays the second, as its list has it: who has that one alone has it under the map's name.
    machines.write("host", &format!("custom_maps/{}", files[1]), &map);
    machines.write("Bob", HUGEASS, &map);
    let (host, address) = machines.host(&format!("--map {stem}"), FREE);
    for (machine, name, there) in [(1, "Ann", &files[..]), (2, "Bob", &files[..1])] {
        let mut client = machines.join(&address, machine, name, FREE);
        client.hear("playing");
        quit(client);
        assert_eq!(machines.traffic(name).0, 0, "{name}");
        assert_eq!(machines.files(name), there);
    }
    quit(host);
    assert_eq!(machines.files("host"), files);
}
