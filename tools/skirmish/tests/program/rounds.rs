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
    // The host tells its clients of pings each two seconds, and of scores by then.
    loop {
        let [first, second] = board_of(&mut ann);
        if first.starts_with("Ann: score 1, kills 1, deaths 0, ping ") && !first.ends_with("ping - ms") {
            assert_eq!(second, board[1]);
            break;
        }
    }
    host.order("quit");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
}

/// The scoreboard of two players that a program shows.
fn board_of(program: &mut Program) -> [String; 2] {
    program.order("scores");
    std::array::from_fn(|_| {
        loop {
            let line = program.next_line().unwrap();
            if line.contains(": score ") {
                break line;
            }
        }
    })
}

/// A line of it without the ping.
fn scores(line: &str) -> &str {
    line.split_once(", ping ").unwrap().0
}

/// Waits until a program shows those scores.
fn wait_for_scores(program: &mut Program, due: [&str; 2]) {
    while board_of(program).each_ref().map(|line| scores(line)) != due {}
}

/// The scores that a program showed as its games ended.
fn last_scores(said: &[String]) -> Vec<[&str; 2]> {
    let over = said.iter().enumerate().filter(|(_, line)| *line == "The game is over.");
    over.map(|(at, _)| [2, 1].map(|before| scores(&said[at - before]))).collect()
}

/// What a program logged that the game announced, in order.
fn announced(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(name).join("debug.txt")).unwrap();
    let is_one = |line: &&str| line.contains(" a flag for ") || *line == "the game is over";
    text.lines().filter(is_one).map(Into::into).collect()
}

/// AUTH-45, 47, 49, GLUE-22: slayer, flags and a hill in turn: in each a client's scoreboard comes to be its host's, while
/// it is played and as it ends; flags are brought home until that game ends by itself, and both log what it announced,
/// each once and in order.
#[test]
fn a_clients_scoreboard_is_its_hosts() {
    let folder = folder("boards");
    let options = "--name Hugo --map two_bases --variant slayer,ctf,king --input look:1 --data hugo --config config.toml";
    let (mut host, address) = Program::host(&folder, options);
    let mut ann = Program::start(
        &folder,
        &format!("join {address} --name Ann --input look:2 --data ann --config config.toml --dump ann.dump"),
    );
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    let zero = "Hugo: score 0, kills 0, deaths 0";
    // She has a unit once she can die.
    while scores(&board_of(&mut host)[1]) != "Ann: score 0, kills 0, deaths 1" {
        host.order("kill Ann Hugo");
    }
    let due = ["Hugo: score 1, kills 1, deaths 0", "Ann: score 0, kills 0, deaths 1"];
    wait_for_scores(&mut ann, due);
    host.order("end");
    for program in [&mut host, &mut ann] {
        program.hear("The game is over.");
    }
    assert_eq!(last_scores(&host.said), [due]);

    host.hear("the next game: ctf");
    ann.hear("playing");
    // She has been told of the game by the time that she is told of pings: what comes from now on is news to her.
    while board_of(&mut ann).iter().any(|line| line.ends_with("ping - ms")) {}
    for captures in 1..=3 {
        let own = format!("Hugo: score {captures}, kills 0, deaths 0");
        while scores(&board_of(&mut host)[0]) != own {
            for x in [32, -32] {
                host.order(&format!("move Hugo {x} 0 0.2"));
                board_of(&mut host);
            }
        }
        wait_for_scores(&mut ann, [&own, "Ann: score 0, kills 0, deaths 0"]);
    }
    for program in [&mut host, &mut ann] {
        program.hear("The game is over.");
    }

    host.hear("the next game: king");
    ann.hear("playing");
    while scores(&board_of(&mut host)[0]) != "Ann: score 1, kills 0, deaths 0" {
        host.order("move Ann 0 0 2.2");
    }
    host.order("move Ann -32 0 0.2");
    wait_for_scores(&mut ann, ["Ann: score 1, kills 0, deaths 0", zero]);
    host.order("end");
    let (code, hosts, _) = host.end();
    let (anns_code, anns, _) = ann.end();
    assert_eq!((code, anns_code), (0, 0));
    let ends = last_scores(&anns);
    assert_eq!(ends, last_scores(&hosts));
    assert_eq!((ends.len(), ends[1][0]), (3, "Hugo: score 3, kills 0, deaths 0"));
    let flag = ["Hugo took a flag for team 0", "Hugo captured a flag for team 0"];
    let due: Vec<_> = flag.into_iter().cycle().take(6).chain(["the game is over"]).collect();
    for name in ["hugo", "ann"] {
        assert_eq!(announced(&folder, name), due, "{name}");
    }
    // Its state of each second has them too: those at the end stand for three.
    let dump = fs::read_to_string(folder.join("ann.dump")).unwrap();
    let mut dumps = dump.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert!(dumps.any(|dump| dump["players"][0]["score"] == 3));
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
    // The second begins after the ticks of the first, which end at 45, and is as long.
    let seconds = |tick: &str| log.matches(&format!("network test: tick {tick} ")).count();
    assert_eq!(["1", "30", "60", "90", "120"].map(seconds), [1, 1, 1, 1, 0], "{log}");
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
