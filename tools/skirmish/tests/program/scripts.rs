//! Scripted kills, hits, rides and pickups, as the settings ask for them: in both machines' logs.

use std::fs;
use std::path::Path;

use mjolnir_net_compare::{HitCounts, Line};

use crate::{Program, folder};

/// Settings with more lines for `[debug]`.
fn settings(folder: &Path, lines: &str) {
    fs::write(folder.join("config.toml"), format!("[debug]\nexit_after = 60.0\n{lines}\n")).unwrap();
}

/// What a machine noted of its scripts, and each second's line of its log.
fn noted(folder: &Path) -> (Vec<Line>, Vec<String>) {
    let text = fs::read_to_string(folder.join("debug.txt")).unwrap();
    let from = |line: &str, word: &str| line.find(word).map(|at| line[at..].to_owned());
    let lines = text.lines().filter_map(|line| from(line, "network test: ")?.parse().ok()).collect();
    (lines, text.lines().filter_map(|line| from(line, "script at tick ")).collect())
}

/// TOOL-10, 71: the kill script kills at its seconds: the kills of one and the deaths of the other rise in both logs alike.
#[test]
fn a_script_kills_in_both_logs() {
    let folder = folder("kill_script");
    settings(&folder, "network_test_kill = 4.0");
    fs::write(folder.join("host.cues"), "330 quit\n").unwrap();
    let options =
        "--lobby 60 --map flat --name Hugo --input look:1 --cues host.cues --data hugo --config config.toml";
    let (mut host, address) = Program::host(&folder, options);
    let mut ann = Program::start(
        &folder,
        &format!("join {address} --name Ann --input look:2 --data ann --config config.toml"),
    );
    ann.hear("joined as machine 1");
    host.order("start");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
    let ((hosts, said), (anns, unsaid)) = (noted(&folder.join("hugo")), noted(&folder.join("ann")));
    assert!(said.len() >= 2 && said[0] == "script at tick 120: Hugo killed Ann", "{said:?}");
    assert_eq!(unsaid, [] as [String; 0]);
    for lines in [&hosts, &anns] {
        let of =
            |slot: usize| lines.iter().rev().find_map(|line| Some(line.players.get(slot)?.record)).unwrap();
        assert_eq!((of(0).kills, of(1).deaths), (said.len() as i32, said.len() as i32));
    }
}

/// TOOL-11, 66, 71: the shoot script hits at its seconds on every machine: what a client's players hit is reported, and what is
/// reported is dealt or rejected, as both machines' logs have it.
#[test]
fn a_script_hits_in_both_logs() {
    let folder = folder("shoot_script");
    settings(&folder, "network_test_shoot = 3.0");
    fs::write(folder.join("host.cues"), "330 quit\n").unwrap();
    let options =
        "--lobby 60 --map arena --name Hugo --input look:1 --cues host.cues --data hugo --config config.toml";
    let (mut host, address) = Program::host(&folder, options);
    let line = format!("join {address} --name Ann --input look:2 --data ann --config config.toml");
    let mut ann = Program::start(&folder, &line);
    ann.hear("joined as machine 1");
    host.order("start");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
    let ((hosts, said), (anns, hit)) = (noted(&folder.join("hugo")), noted(&folder.join("ann")));
    assert!(said.contains(&"script at tick 90: Hugo hit Ann".to_owned()), "{said:?}");
    assert!(!hit.is_empty() && hit[0] == "script at tick 90: Ann hit Hugo", "{hit:?}");
    let (here, there) = (anns.last().unwrap().hits, hosts.last().unwrap().hits);
    assert_eq!((here.reported, here.dealt, here.rejected), (hit.len() as u64, 0, 0));
    assert!(there.reported == here.reported && there.dealt == there.reported - there.rejected, "{there:?}");
    assert!(there.dealt > 0 && here.replayed > 0, "{here:?}");
    for lines in [&hosts, &anns] {
        let counts = |line: &Line| {
            let HitCounts { reported, dealt, rejected, replayed } = line.hits;
            [reported, dealt, rejected, replayed]
        };
        for count in 0..4 {
            assert!(lines.is_sorted_by_key(|line| counts(line)[count]), "{count}");
        }
    }
}

/// TOOL-12, 13, 71: both scripts at their seconds in a game of two programs: the joiner's player takes the weapon that was
/// asked for, and rides for fifteen seconds, by both machines' lines; its own machine tells that it held the button.
#[test]
fn a_script_takes_a_weapon_and_rides_in_both_logs() {
    let folder = folder("ride_script");
    settings(
        &folder,
        "network_test_vehicle = 7.0\nnetwork_test_pickup = 3.0\nnetwork_test_pickup_weapon = 'pis'",
    );
    fs::write(folder.join("host.cues"), "945 quit\n").unwrap();
    let options = "--lobby 60 --map carpark --name Hugo --input look:1 --cues host.cues --data hugo --config config.toml";
    let (mut host, address) = Program::host(&folder, options);
    let line = format!("join {address} --name Ann --input look:2 --data ann --config config.toml");
    let mut ann = Program::start(&folder, &line);
    ann.hear("joined as machine 1");
    host.order("start");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
    let ((hosts, said), (anns, held)) = (noted(&folder.join("hugo")), noted(&folder.join("ann")));
    let steps: Vec<_> =
        said.iter().map(|line| line.trim_end_matches(|of: char| of.is_ascii_digit())).collect();
    assert!(steps[0].contains("Ann has a ") && steps[2].contains(": Ann took pistol #"), "{said:?}");
    assert_eq!(steps[1], "script at tick 90: Ann stands on pistol #");
    assert_eq!(
        steps[3..],
        [
            "script at tick 210: Ann drives car #",
            "script at tick 660: Ann gets out of car #",
            "script at tick 810: Ann stands at car #"
        ]
    );
    assert_eq!(
        held,
        [
            "script at tick 90: Ann holds action",
            "script at tick 210: Ann lets go of action",
            "script at tick 840: Ann holds action",
            "script at tick 930: Ann lets go of action",
        ]
    );
    for lines in [&hosts, &anns] {
        let of_ann = |line: &Line| line.players.get(1).and_then(|player| player.alive.clone());
        let alive = lines.iter().filter_map(|line| Some((line.tick, of_ann(line)?)));
        let span: Vec<_> = alive.filter(|(tick, _)| (240..810).contains(tick)).collect();
        assert!(span.len() >= 18, "{} lines", span.len());
        for (tick, of) in span {
            // Out of it a round trip later on its own machine, and a line may be a tick late.
            assert!(of.riding == (tick < 660) || (660..690).contains(&tick), "at tick {tick}");
        }
        let hides = |line: &&Line| of_ann(line).is_some_and(|of| of.camouflaged);
        let hidden: Vec<_> = lines.iter().filter(hides).map(|line| line.tick).collect();
        assert!((9..=10).contains(&hidden.len()) && hidden.iter().all(|tick| *tick <= 330), "{hidden:?}");
        let again = lines.iter().find(|line| (870..945).contains(&line.tick)).and_then(of_ann);
        assert!(again.is_some_and(|of| of.riding));
    }
}
