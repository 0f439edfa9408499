//! A level of the campaign, played together by programs: what is refused, what each shows, who comes in the middle and who is
//! gone.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Program, code, folder, run, text};

/// What a machine showed of a level, in its order, as its dumps have it; the last line of one that was killed may be half
/// written.
fn showed(folder: &Path, name: &str) -> Vec<String> {
    let dumps = fs::read_to_string(folder.join(format!("{name}.dump"))).unwrap_or_default();
    let dumps = dumps.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let events = dumps.flat_map(|dump| dump["events"].as_array().unwrap().clone());
    let coop = events.filter(|event| event["kind"] == "coop");
    coop.map(|event| event["text"].as_str().unwrap().to_owned()).collect()
}

/// Of those what happened once on the host: what is told in each tick, or by name, may come beside it in another order. The point
/// that is shown is told anew as somebody comes.
fn once(showed: &[String]) -> Vec<String> {
    let all = ["title", "help", "objective", "sound", "loop", "animate", "point", "unpoint", "checkpoint"];
    let of = |text: &&String| all.iter().any(|word| text.split(' ').next() == Some(word));
    let mut shown: Vec<String> = Vec::new();
    for text in showed.iter().filter(of) {
        if !text.starts_with("point ") || !shown.contains(text) {
            shown.push(text.clone());
        }
    }
    shown
}

/// Waits until a machine showed that; a program that runs is asked meanwhile.
fn wait_until_showed(folder: &Path, name: &str, what: &str, host: &mut Program) {
    while !showed(folder, name).iter().any(|text| text == what) {
        host.order("scores");
        host.hear_of("Hugo: score ");
    }
}

/// COOP-01, 02: co-op is of levels alone, and on one another variant is a game as on any map, with what it is about there; all else
/// is said and is 2. The levels are listed with the maps.
#[test]
fn co_op_is_of_a_level() {
    let folder = folder("levels");
    let no_level = "it lacks a campaign level's scripts";
    for (line, why) in [
        ("host --port 0 --map arena --variant coop", format!("no coop on arena: {no_level}")),
        ("local --map arena --variant coop", format!("no coop on arena: {no_level}")),
        ("demo --map flat --variant coop", format!("no coop on flat: {no_level}")),
        ("host --port 0 --map campaign1 --variant coop,ctf", "no ctf on campaign1: it lacks a flag".into()),
        ("host --port 0 --map campaign9 --variant coop", "no map campaign9: ".into()),
    ] {
        let output = run(&folder, line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(text(&output.stderr).contains(&why), "{line}: {}", text(&output.stderr));
        assert!(!text(&output.stdout).contains("listening"), "{line}");
    }
    let listed = text(&run(&folder, "maps").stdout);
    assert!(listed.lines().any(|line| line.starts_with("campaign1 ")), "{listed}");

    let line = "host --port 0 --bind 127.0.0.1 --map campaign1 --variant slayer --seconds 2 --dump hugo.dump";
    let output = run(&folder, line);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    assert_eq!(showed(&folder, "hugo"), [""; 0]);
}

/// COOP-01, 03, 07, 09, 10, TOOL-04: a host, a client over a bad network, one that is killed in the middle and one that comes then.
/// The host's scripts go on by what its console does, and each shows all of it once, in the host's order; who comes late shows
/// nothing of before but the point that is shown. The next of the host's variants is played after it, by who is there.
#[test]
fn a_level_is_played_together() {
    let folder = folder("together");
    let options = "--lobby 60 --map campaign1 --variant coop,slayer --name Hugo --input look:1 --data hugo \
                   --config config.toml --dump hugo.dump";
    let (mut hugo, address) = Program::host(&folder, options);
    let join = |name: &str, more: &str| {
        let line = format!("join {address} --name {name} --input look:2 --dump {name}.dump {more}");
        Program::start(&folder, &line)
    };
    // One after the other, so that each is of its number.
    let mut ann = join("Ann", "--latency 50 --loss 5");
    ann.hear("joined as machine 1");
    let mut cid = join("Cid", "");
    cid.hear("joined as machine 2");
    let listed = text(&run(&folder, &format!("browse {address}")).stdout);
    assert!(listed.contains("\tcampaign1\tcoop\t"), "{listed}");
    hugo.order("start");
    ann.hear("playing");
    // They stand where they start: somebody has to be in the yard.
    wait_until_showed(&folder, "hugo", "point yard", &mut hugo);
    hugo.order("move Hugo -33 0 0.2");
    wait_until_showed(&folder, "Ann", "point switch", &mut hugo);
    cid.kill();
    hugo.hear_of("Cid (machine 2) left");
    let mut bob = join("Bob", "");
    bob.hear("playing");
    wait_until_showed(&folder, "Bob", "point switch", &mut hugo);
    hugo.order("device gate 1");
    for name in ["hugo", "Ann", "Bob"] {
        wait_until_showed(&folder, name, "point field", &mut hugo);
    }
    hugo.order("end");
    hugo.hear("the next game: slayer");
    for client in [&mut ann, &mut bob] {
        client.hear("The game is over.");
        client.hear("playing");
    }
    hugo.order("quit");
    for program in [hugo, ann, bob] {
        let (code, said, errors) = program.end();
        assert_eq!(code, 0, "{said:?} {errors}");
    }

    let [hosts, anns, bobs, cids] = ["hugo", "Ann", "Bob", "Cid"].map(|name| once(&showed(&folder, name)));
    for what in [
        "title landing",
        "help walk",
        "loop wind",
        "objective open",
        "sound gate on banner",
        "objective clear",
    ] {
        assert_eq!(hosts.iter().filter(|text| *text == what).count(), 1, "{what}: {hosts:?}");
    }
    assert_eq!(anns, hosts);
    assert!(hosts.starts_with(&cids) && cids.len() > 3, "{cids:?}, {hosts:?}");
    let [point, since @ ..] = &bobs[..] else { panic!("{bobs:?}") };
    let is_late = !since.iter().any(|text| text == "point switch" || text == "help gate-help");
    let has_gate = since.iter().any(|text| text == "sound gate on banner");
    assert!(point == "point switch" && is_late && has_gate && hosts.ends_with(since), "{bobs:?}, {hosts:?}");
    // It is logged too.
    let log = fs::read_to_string(folder.join("hugo/debug.txt")).unwrap();
    assert_eq!(log.lines().filter(|line| *line == "level: title landing").count(), 1);
}
