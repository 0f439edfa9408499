//! What people say, between programs: typed, by cues, and as the script of a chat has it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Program, folder, run, text};

/// The players, a machine each, the host's first; every other one is of one team.
const NAMES: [&str; 4] = ["Hugo", "Ann", "Bob", "Cid"];

/// What that machine shows of the whole script; lines of one step in the players' order.
fn due(machine: usize) -> Vec<String> {
    let all = |text: &str, but: Option<usize>| -> Vec<String> {
        (0..4).filter(|of| Some(*of) != but).map(|of| format!("{}: {text}", NAMES[of])).collect()
    };
    let only = |of: &[usize], to: &str| -> Vec<String> {
        of.iter().map(|of| format!("{} ({to}): to the {to}", NAMES[*of])).collect()
    };
    let notice = |text: &str| vec![format!("chat notice: {text}")];
    let own_notice = |text: &str| if machine == 3 { notice(text) } else { Vec::new() };
    [
        all("to everyone", None),
        only(&[machine % 2, machine % 2 + 2], "team"),
        only(if machine < 2 { std::slice::from_ref(&machine) } else { &[2, 3] }, "vehicle"),
        notice("Cid is muted for 1 minute."),
        all("while one is muted", Some(3)),
        own_notice("You are muted for 1 minute."),
        notice("Cid is no longer muted."),
        all("nobody is muted", None),
        notice("Links are not allowed in this game's chat."),
        notice("The text chat is off."),
        all("the chat is on again", None),
        notice("Cid is muted for 20 minutes."),
        all("while one is muted for everyone", Some(3)),
        own_notice("You are muted for 20 minutes."),
        notice("Cid is no longer muted."),
        all("while one machine mutes the host", Some(0).filter(|_| machine == 3)),
    ]
    .concat()
}

/// The lines among those that are of people, and notices.
fn spoken(lines: impl Iterator<Item = String>) -> Vec<String> {
    let begins = |line: &str| {
        let said = NAMES.iter().any(|name| {
            let rest = line.strip_prefix(name);
            rest.is_some_and(|rest| [": ", " (team): ", " (vehicle): "].iter().any(|of| rest.starts_with(of)))
        });
        said || line.starts_with("chat notice: ")
    };
    lines.filter(|line| begins(line)).collect()
}

fn sorted(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.sort();
    lines
}

fn read(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// TOOL-14, 15, 16, 17, 18: a host and three clients at 50 ms each way and with one datagram in twenty lost: each line of the
/// script is on the output, in `debug.txt` and in the dump of the machines that hear it and of no other, each refusal where it is
/// refused, and what two machines both have is in one order on both.
#[test]
fn a_script_talks_in_every_log() {
    let folder = folder("chat_script");
    let settings =
        "[debug]\nexit_after = 60.0\nnetwork_test_chat = 2.0\nnetwork_latency = 50.0\nnetwork_loss = 5.0\n";
    fs::write(folder.join("config.toml"), settings).unwrap();
    fs::write(folder.join("host.cues"), "840 quit\n").unwrap();
    let of = |name: &str| format!("--name {name} --data {name} --dump {name}.dump --config config.toml");
    let options = format!(
        "--lobby 60 --map carpark --variant team_slayer --input look:1 --cues host.cues {}",
        of("Hugo")
    );
    let (mut host, address) = Program::host(&folder, &options);
    let mut clients = Vec::new();
    for (machine, name) in NAMES.iter().enumerate().skip(1) {
        let line = format!("join {address} --input look:{} {}", machine + 1, of(name));
        let mut client = Program::start(&folder, &line);
        client.hear(&format!("joined as machine {machine}"));
        // So that each has the slot of its machine.
        host.hear(&format!("{name} (machine {machine}) joined"));
        clients.push(client);
    }
    host.order("start");
    let mut shown = Vec::new();
    for (machine, program) in std::iter::once(host).chain(clients).enumerate() {
        let (code, said, errors) = program.end();
        assert_eq!((code, errors.as_str()), (0, ""), "machine {machine}");
        let lines = spoken(said.into_iter());
        assert_eq!(sorted(&lines), sorted(&due(machine)), "machine {machine}: {lines:#?}");
        let name = NAMES[machine];
        let debug = read(&folder.join(name).join("debug.txt"));
        assert_eq!(spoken(debug.iter().cloned()), lines, "machine {machine}");
        let steps = debug.iter().filter(|line| line.starts_with("chat script at tick ")).count();
        assert_eq!(steps, [17, 9, 9, 10][machine], "machine {machine}");

        let dumps = read(&folder.join(format!("{name}.dump")));
        let dumps = dumps.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let chat: Vec<Value> = dumps.flat_map(|dump| dump["chat"].as_array().unwrap().clone()).collect();
        let in_words = |line: &Value| {
            let said = line["text"].as_str().unwrap();
            let to = match line["channel"].as_str().unwrap() {
                "notice" => return format!("chat notice: {said}"),
                "all" => String::new(),
                other => format!(" ({other})"),
            };
            format!("{}{to}: {said}", NAMES[line["slot"].as_u64().unwrap() as usize])
        };
        assert_eq!(chat.iter().map(in_words).collect::<Vec<_>>(), lines, "machine {machine}");
        shown.push(lines);
    }
    // A refusal answers the machine's own line, and is in no order with others'.
    let is_own =
        |line: &str| line.ends_with("The text chat is off.") || line.contains("Links are not allowed");
    let shared = |of: &[String], with: &[String]| -> Vec<String> {
        of.iter().filter(|line| with.contains(line) && !is_own(line)).cloned().collect()
    };
    for one in 0..4 {
        for other in one + 1..4 {
            let both = shared(&shown[one], &shown[other]);
            assert_eq!(both, shared(&shown[other], &shown[one]), "machines {one} and {other}");
            assert!(both.len() >= 24, "{}", both.len());
        }
    }
}

/// CHAT-19, 24, 27, 28, 44: what is typed in a lobby and in a game is shown as it is heard; a client's own mute is its own machine's,
/// settings are the host's, and what is refused is said to whom it is refused. Of two players at one machine those who see a
/// line are named.
#[test]
fn what_is_typed_is_heard() {
    let folder = folder("talk");
    let config = "[network]\ntext_chat = \"links\"\n[debug]\nexit_after = 60.0\n";
    fs::write(folder.join("config.toml"), config).unwrap();
    fs::write(folder.join("ann.cues"), "30 say by a cue\n").unwrap();
    let options = "--lobby 60 --map flat --variant team_slayer --name Hugo --input look:1";
    let (mut host, address) = Program::host(&folder, options);
    let line = format!("join {address} --name Ann --input look:2 --local-players 2 --cues ann.cues");
    let mut ann = Program::start(&folder, &line);
    host.hear_of("Ann, Ann 2 (machine 1) joined");
    // A lobby's list comes to a client each so often.
    loop {
        ann.order("players");
        if ann.next_line().unwrap().starts_with("slot 2: Ann 2") {
            break;
        }
    }
    host.order("say see www.example.com");
    for program in [&mut host, &mut ann] {
        program.hear("Hugo: see www.example.com");
    }
    ann.order("/mute Hugo");
    ann.hear("chat notice: Hugo is muted on this machine.");
    host.order("say not heard");
    host.hear("Hugo: not heard");
    host.order("chat on");
    host.hear("the text chat is on");
    ann.order("/unmute hu");
    ann.hear("chat notice: Hugo is no longer muted on this machine.");
    host.order("say www.x");
    host.hear("chat notice: Links are not allowed in this game's chat.");
    host.order("/mute \"Ann 2\" 5");
    for program in [&mut host, &mut ann] {
        program.hear("chat notice: Ann 2 is muted for 5 minutes.");
    }
    ann.order("say one of us is muted");
    ann.hear("chat notice: You are muted for 5 minutes.");
    host.order("unmuteall Ann 2");
    ann.hear("chat notice: Ann 2 is no longer muted.");
    host.order("start");
    ann.hear("Ann: by a cue");
    host.hear("Ann: by a cue");
    // Hugo and Ann 2 are one team.
    host.order("team to us");
    host.hear("Hugo (team): to us");
    ann.hear("Hugo (team): to us [seen by Ann 2]");
    ann.order("vehicle on foot");
    ann.hear("Ann (vehicle): on foot [seen by Ann]");
    ann.order("muteall Hugo");
    ann.order("chat off");
    ann.order("mutehere nobody");
    ann.order("mutehere Ann");
    ann.order("quit");
    let (code, said, errors) = ann.end();
    let refused = "refused: a client plays by its host's rules\n";
    assert_eq!(code, 0);
    assert_eq!(
        errors,
        format!(
            "{refused}{refused}refused: no player's name begins so\nrefused: that player plays on this machine\n"
        )
    );
    assert!(!said.iter().any(|line| line.contains("not heard")), "{said:?}");
    host.order("help");
    host.hear_of("say TEXT ");
    host.order("quit");
    assert_eq!(host.end().0, 0);
}

/// A machine that plays alone, and a host without a player, have nobody who talks.
#[test]
fn nobody_talks_alone() {
    let folder = folder("talk_alone");
    fs::write(folder.join("say.cues"), "1 say hello\n3 quit\n").unwrap();
    let output = run(&folder, "local --map flat --cues say.cues");
    assert_eq!(text(&output.stderr), "refused: nobody else is there to talk to\n");
    let (mut host, _) = Program::host(&folder, "--map flat --local-players 0");
    host.order("say hello");
    host.order("quit");
    let (code, _, errors) = host.end();
    assert_eq!((code, errors.as_str()), (0, "refused: no player of this machine is in the game yet\n"));
}
