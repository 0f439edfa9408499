//! Custom maps at the program: made, listed, played, changed to at a console, and not joined where they lack.

use std::fs;

use crate::{Program, code, folder, run, text};

const HUGEASS: &str = "custom_maps\\hugeass";

/// A file has exactly the size that is asked for, the same for the same seed; what cannot be made is refused, and leaves nothing.
#[test]
fn a_map_file_of_any_size_is_made() {
    let folder = folder("make_map");
    let make = |line: &str| run(&folder, &format!("make-map {line}"));
    let made = make("--size 3145728 --seed 7 data/custom_maps/hugeass.map");
    assert_eq!(
        (code(&made), text(&made.stdout).as_str()),
        (0, "made data/custom_maps/hugeass.map: 3145728 bytes\n")
    );
    assert_eq!(fs::metadata(folder.join("data/custom_maps/hugeass.map")).unwrap().len(), 3_145_728);
    for (line, file) in [("--seed 7", "same.map"), ("--seed 8", "other.map"), ("", "one.map")] {
        assert_eq!(code(&make(&format!("--size 3145728 {line} {file}"))), 0);
    }
    let read = |file: &str| fs::read(folder.join(file)).unwrap();
    let first = read("data/custom_maps/hugeass.map");
    assert!(first == read("same.map") && first != read("other.map") && first != read("one.map"));

    let small = make("--size 40 small.map");
    let errors = text(&small.stderr);
    let least = errors
        .strip_prefix("small.map: such a file has ")
        .unwrap()
        .strip_suffix(" bytes at least\n")
        .unwrap();
    assert_eq!((code(&small), folder.join("small.map").exists()), (2, false));
    assert_eq!(code(&make(&format!("--size {least} small.map"))), 0);
    let resource = make("--size 40 data/sounds.map");
    assert_eq!((code(&resource), fs::metadata(folder.join("data/sounds.map")).unwrap().len()), (0, 40));
    for line in [
        "--size 99999999999 huge.map",
        "--size 4096 --needs loc data/bitmaps.map",
        "--size 4096 config.toml/a.map",
        "--size 4096 data",
        "--size x a.map",
        "--size 4096",
    ] {
        assert_eq!(code(&make(line)), 2, "{line}");
    }
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".making")), "{left:?}");
}

/// MAP-02, 07, 15: custom maps are listed behind those that ship, and one is played by its name or its level once its resource maps
/// are there.
#[test]
fn custom_maps_are_listed_and_played() {
    let folder = folder("custom_maps");
    for (line, file) in [
        ("", "custom_maps/hugeass.map"),
        ("", "custom_maps/hugeass_0e2b3ee4.map"),
        ("--needs sounds", "custom_maps/loud.map"),
        ("", "custom_maps/flat.map"),
    ] {
        assert_eq!(code(&run(&folder, &format!("make-map --size 5000 {line} data/{file}"))), 0);
    }
    let maps = run(&folder, "maps --data data");
    let lines = text(&maps.stdout);
    let lines: Vec<_> = lines.lines().collect();
    let shipped = lines.iter().position(|line| line.starts_with("outpost ")).unwrap();
    let begins = ["custom_maps\\flat Flat: ", "hugeass    Hugeass: ", "hugeass_0e2b3ee4 Hugeass (2): "];
    for (line, begin) in lines[shipped + 1..].iter().zip(begins) {
        assert!(line.starts_with(begin), "{lines:?}");
    }
    assert_eq!(
        lines[shipped + 4..],
        ["loud       Loud is not played: it needs sounds.map, which is not there"]
    );

    let local = |map: &str| run(&folder, &format!("local --data data --bots 3 --seconds 1 --map {map}"));
    for map in ["hugeass", HUGEASS, "hugeass_0e2b3ee4"] {
        let played = local(map);
        let first = text(&played.stdout).lines().next().unwrap().to_owned();
        assert!(code(&played) == 0 && first.starts_with("playing slayer on custom_maps\\hugeass"), "{first}");
    }
    assert!(text(&local("flat").stdout).starts_with("playing slayer on flat:"));
    let loud = local("loud");
    let why = "loud is not played: it needs sounds.map, which is not there\n";
    assert_eq!((code(&loud), text(&loud.stderr).ends_with(why)), (2, true));
    assert_eq!(code(&run(&folder, "make-map --size 100 data/sounds.map")), 0);
    assert_eq!(code(&local("loud")), 0);
    let gone = local("custom_maps\\gone");
    assert!(
        code(&gone) == 2
            && text(&gone.stderr).ends_with("custom_maps\\gone is not played: there is no such file\n")
    );
}

/// GLUE-22: a host's console plays another map: in the lobby the game that comes, in a game by another one that begins at once
/// with the same machines. What cannot be played is refused, and changes nothing; at a client so is the command.
#[test]
fn a_console_changes_the_map() {
    let folder = folder("change_map");
    assert_eq!(code(&run(&folder, "make-map --size 5000 data/custom_maps/hugeass.map")), 0);
    let (mut host, address) = Program::host(
        &folder,
        "--name Hugo --map rooms --lobby 60 --data data --config config.toml --dump host.dump",
    );
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --dump ann.dump"));
    host.hear("Ann (machine 1) joined");
    host.order("map nowhere");
    host.order("map tower");
    host.hear("the game will be on tower");
    host.order("start");
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    ann.order("map hill");
    host.order("map hill");
    host.hear("The game is over.");
    host.hear("the next game: on hill");
    ann.hear("The game is over.");
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    host.order("map hugeass");
    host.hear("the next game: on custom_maps\\hugeass");
    host.order("quit");
    let (code, said, errors) = host.end();
    assert_eq!(code, 0, "{said:?}");
    assert!(errors.contains("refused: no map nowhere: arena, "), "{errors}");
    let (_, _, errors) = ann.end();
    assert!(errors.contains("refused: a client plays by its host's rules"), "{errors}");
}

/// MAP-66: who lacks the game's custom map does not join, and is told which it is.
#[test]
fn who_lacks_a_custom_map_does_not_join() {
    let folder = folder("lacks_map");
    assert_eq!(code(&run(&folder, "make-map --size 5000 data/custom_maps/hugeass.map")), 0);
    fs::write(folder.join("off.toml"), "[network]\nmap_download = false\n").unwrap();
    let (mut host, address) =
        Program::host(&folder, "--local-players 0 --map hugeass --data data --config config.toml");
    let ann = Program::start(&folder, &format!("join {address} --name Ann --data ann --config off.toml"));
    let (code, _, errors) = ann.end();
    assert_eq!(code, 3, "{errors}");
    assert!(errors.contains(HUGEASS), "{errors}");
    host.order("quit");
    assert_eq!(host.end().0, 0);
}
