//! Objects at the program: a host's console makes, moves, gives and deletes them, and a client's state has them so.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Program, folder};

/// Each second's objects and weapons in hand as a machine wrote them, by tick.
fn dumps(file: &Path) -> Vec<(i64, Value, Vec<Value>)> {
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| {
            let dump: Value = serde_json::from_str(line).unwrap();
            let players = dump["players"].as_array().unwrap();
            let in_hand = players.iter().map(|player| player["weapon"].clone()).collect();
            (dump["tick"].as_i64().unwrap(), dump["objects"].clone(), in_hand)
        })
        .collect()
}

/// OBJ-02, 03, 13, 26: what a host's console makes, moves, gives and deletes is so on its client, in its place and in
/// the player's hand.
#[test]
fn a_consoles_objects_are_on_every_machine() {
    let folder = folder("things");
    let cues = "30 spawn cart 10 10 3\n30 spawn rifle 12 10 3\n30 give Ann pistol\n30 give Ann tree\n";
    assert!(fs::write(folder.join("bad.cues"), cues).is_ok());
    let bad = crate::run(&folder, "host --port 0 --cues bad.cues");
    let errors = String::from_utf8(bad.stderr).unwrap();
    assert!(errors.contains("line 4: not so: give Ann tree; usage: give NAME WEAPON"), "{errors}");

    // On this map the two units have the first two places.
    let cues = "30 spawn cart 10 10 3\n30 spawn rifle 12 10 3\n30 give Ann pistol\n31 delete 0\n\
        60 move #2 -10 10 5\n90 delete 3\n300 quit\n";
    fs::write(folder.join("host.cues"), cues).unwrap();
    let options = "--lobby 60 --map flat --name Hugo --input look:1 --cues host.cues --dump host.dump";
    let (mut host, address) = Program::host(&folder, options);
    let line = format!("join {address} --name Ann --input look:2 --dump ann.dump");
    let mut ann = Program::start(&folder, &line);
    ann.hear("joined as machine 1");
    host.order("start");
    let (code, _, errors) = host.end();
    let refused = "cue refused: delete 0: no object 0 that this can be done to\n";
    assert_eq!((code, errors.as_str()), (0, refused));
    let (code, said, _) = ann.end();
    assert_eq!(code, 0, "{said:?}");

    let (hosts, anns) = (dumps(&folder.join("host.dump")), dumps(&folder.join("ann.dump")));
    let at = |tick: &i64| hosts.iter().find(|(other, ..)| other == tick);
    let (_, here, in_hand) = anns.iter().rfind(|(tick, ..)| at(tick).is_some()).unwrap();
    let (_, there, hosts_hands) = anns.iter().rev().find_map(|(tick, ..)| at(tick)).unwrap();
    assert_eq!(in_hand, &[Value::Null, "pistol".into()]);
    assert_eq!(in_hand, hosts_hands);
    let (here, there) = (here.as_array().unwrap(), there.as_array().unwrap());
    let kinds: Vec<_> = here.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["biped", "biped", "cart", "pistol"]);
    for (here, there) in here.iter().zip(there) {
        for name in ["index", "identifier", "kind", "at_rest", "carried"] {
            assert_eq!(here[name], there[name], "{here} {there}");
        }
        for axis in 0..3 {
            let apart = here["position"][axis].as_f64().unwrap() - there["position"][axis].as_f64().unwrap();
            assert!(apart.abs() <= 0.05, "{here} {there}");
        }
    }
    assert!((here[2]["position"][0].as_f64().unwrap() + 10.0).abs() < 0.1 && here[2]["at_rest"] == true);
}

/// OBJ-32: each machine says what its map placed, with the checksum, as it begins to play: a host and its client the same,
/// of hundreds of things.
#[test]
fn each_machine_says_what_the_map_placed() {
    let folder = folder("placed");
    fs::write(folder.join("host.cues"), "60 quit\n").unwrap();
    let options = "--lobby 60 --map yard --name Hugo --input look:1 --cues host.cues";
    let (mut host, address) = Program::host(&folder, options);
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --input look:2"));
    ann.hear("joined as machine 1");
    host.order("start");
    let said = [host.end(), ann.end()].map(|(code, said, _)| {
        assert_eq!(code, 0, "{said:?}");
        let said = said.iter().filter(|line| line.contains("the map placed")).cloned();
        said.collect::<Vec<_>>()
    });
    assert_eq!(said[0], said[1]);
    let [line] = &said[0][..] else { panic!("{said:?}") };
    let count = line.split_whitespace().find_map(|word| word.parse::<usize>().ok()).unwrap();
    assert!(count > 300 && line.contains("checksum "), "{line}");
}
