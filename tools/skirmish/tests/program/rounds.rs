//! The scoreboard at the program, and variants in turn: one game after another with machines that stay.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Program, code, folder, run, text};

/// The console's scoreboard has every player with score, kills, deaths and ping, the best first, on the host; a client has
/// one too, with the pings that its host says.
#[test]
fn the_scoreboard_has_scores_and_pings() {
    let folder = folder("scoreboard");
    let (mut host, address) = Program::host(&folder, "--name Hugo --map flat");
    let mut ann = Program::client(&folder, &address, "Ann");
    // She has a unit once she can be hurt.
    host.hear("Ann (machine 1) plays");
    loop {
        host.order("health Ann 0.5");
        host.order("players");
        let mut is_hurt = false;
        loop {
            let line = host.next_line().unwrap();
            is_hurt |= line == "Ann has health 0.5";
            if line.starts_with("slot 1: ") {
                break;
            }
        }
        if is_hurt {
            break;
        }
    }
    host.order("kill Hugo Ann");
    host.hear("Hugo was killed by Ann");
    let board = loop {
        host.order("scores");
        let board = [host.next_line().unwrap(), host.next_line().unwrap()];
        if !board[0].ends_with("ping - ms") {
            break board;
        }
    };
    let ping = board[0].strip_prefix("Ann: score 1, kills 1, deaths 0, ping ").unwrap();
    assert!(ping.strip_suffix(" ms").unwrap().parse::<u16>().is_ok(), "{board:?}");
    assert_eq!(board[1], "Hugo: score 0, kills 0, deaths 1, ping 0 ms");
    // The host tells its clients of pings each two seconds.
    loop {
        ann.order("scores");
        let board = [ann.next_line().unwrap(), ann.next_line().unwrap()];
        let of = |name: &str| board.iter().find(|line| line.starts_with(name)).cloned();
        let (Some(own), Some(hosts)) = (of("Ann: score "), of("Hugo: score ")) else { continue };
        assert!(hosts.ends_with("ping 0 ms"), "{board:?}");
        if !own.ends_with("ping - ms") {
            break;
        }
    }
    host.order("quit");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
}

/// Whether a client wrote a second of a game that its three players play in two teams.
fn has_teams(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join("ann.dump")).unwrap();
    // The last line may be half written.
    let dumps = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let teams = |dump: &Value| -> Vec<u64> {
        let players = dump["players"].as_array().unwrap();
        players.iter().filter_map(|player| player["team"].as_u64()).collect()
    };
    dumps.map(|dump| teams(&dump)).any(|teams| teams.len() == 3 && teams.iter().all(|team| *team < 2))
}

/// GLUE-22, TOOL-04: three variants in turn, as the settings name them: after each game its scores are shown and the next
/// begins on every machine, whose sessions go on; the last one's end ends the programs.
#[test]
fn variants_are_played_in_turn() {
    let folder = folder("in_turn");
    let variants = "slayer,team_slayer,slayer";
    let (mut host, address) = Program::host(&folder, &format!("--name Hugo --map flat --variant {variants}"));
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --dump ann.dump"));
    let mut bob = Program::client(&folder, &address, "Bob");
    ann.hear("playing");
    for next in ["team_slayer", "slayer"] {
        host.order("end");
        for program in [&mut host, &mut ann, &mut bob] {
            program.hear("The game is over.");
        }
        // It is over already: nothing more to end.
        host.order("end");
        host.hear(&format!("the next game: {next}"));
        for client in [&mut ann, &mut bob] {
            client.hear("back in the lobby");
            client.hear("playing");
        }
        if next == "team_slayer" {
            // It lasts until a second of it is on file: in teams everybody is in one of two.
            while !has_teams(&folder) {
                ann.order("scores");
                ann.hear_of("Ann: score ");
            }
        }
    }
    host.order("end");
    let (code, said, errors) = host.end();
    assert_eq!((code, errors.as_str(), said.last().unwrap().as_str()), (0, "", "The game is over."));
    let joined = |said: &[String]| said.iter().filter(|line| line.ends_with(" joined")).count();
    assert_eq!(joined(&said), 2, "{said:?}");
    let board = said.iter().filter(|line| line.starts_with("Ann: score 0, kills 0, deaths 0, ping ")).count();
    assert_eq!(board, 3, "{said:?}");
    for client in [ann, bob] {
        let (code, said, errors) = client.end();
        assert_eq!((code, errors.as_str(), said.last().unwrap().as_str()), (0, "", "The game is over."));
        assert_eq!(said.iter().filter(|line| *line == "playing").count(), 3, "{said:?}");
        assert_eq!(said.iter().filter(|line| line.starts_with("joined as machine ")).count(), 1, "{said:?}");
    }
}

/// A game ends at its last tick, and the next one has as long; a variant that is none is named before any begins, and
/// where one game is played several are refused.
#[test]
fn each_variant_has_its_time() {
    let folder = folder("their_time");
    let line =
        "host --port 0 --bind 127.0.0.1 --map flat --variant slayer,team_slayer --seconds 1.5 --log log.txt";
    let output = run(&folder, line);
    let said = text(&output.stdout);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()), "{said}");
    let times = |line: &str| said.lines().filter(|said| *said == line).count();
    assert_eq!((times("The game is over."), times("the next game: team_slayer")), (2, 1), "{said}");
    let log = fs::read_to_string(folder.join("log.txt")).unwrap();
    assert_eq!(log.matches("network test: tick 1 ").count(), 2, "{log}");
    for (line, named) in [
        ("host --port 0 --variant slayer,chess", "no variant chess"),
        ("local --variant slayer,team_slayer", "several variants in turn are for host alone"),
        ("demo --variant slayer,team_slayer", "several variants in turn are for host alone"),
    ] {
        let output = run(&folder, line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(text(&output.stderr).contains(named), "{line}: {}", text(&output.stderr));
    }
}
