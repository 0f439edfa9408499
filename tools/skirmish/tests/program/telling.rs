//! What the program says to whoever runs it: names, lists, what a console did, and what it does with what it was given
//! in vain.

use std::fs;
use std::process::Stdio;

use crate::{Program, code, command, folder, free, run, text};

/// A player has one name in every line, on the host with the machine beside it; `players` lists them on both ends, in
/// the lobby and who came later too, `help` is no error, and a command that did something says what.
#[test]
fn a_player_has_one_name_everywhere() {
    let folder = folder("one_name");
    let (mut host, address) = Program::host(&folder, "--lobby 60 --name Hugo");
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann"));
    host.hear("Ann (machine 1) joined");
    host.order("players");
    host.hear("slot 0: Hugo, machine 0 (the host)");
    host.hear("slot 1: Ann, machine 1");
    ann.hear("joined as machine 1");
    ann.order("start");
    ann.hear("the host is asked to begin the game");
    host.order("start");
    host.hear("the game begins");
    host.hear("Ann (machine 1) plays");
    ann.hear("playing");
    // The host knows how far a client is once it has heard it play.
    let listed = loop {
        host.order("players");
        host.hear("slot 0: Hugo, machine 0 (the host)");
        let line = host.next_line().unwrap();
        if line != "slot 1: Ann, machine 1" {
            break line;
        }
    };
    let ping = listed.strip_prefix("slot 1: Ann, machine 1, ").and_then(|rest| rest.strip_suffix(" ms"));
    assert!(ping.is_some_and(|ping| ping.parse::<u16>().is_ok()), "{listed}");
    // The host tells its clients of that each two seconds.
    loop {
        ann.order("players");
        ann.hear("slot 0: Hugo, machine 0 (the host)");
        let line = ann.next_line().unwrap();
        let ping = line.strip_prefix("slot 1: Ann, machine 1").unwrap();
        let ping = ping.strip_prefix(", ").map(|ping| ping.strip_suffix(" ms").unwrap());
        if ping.is_some_and(|ping| ping.parse::<u16>().is_ok()) {
            break;
        }
        assert_eq!(ping, None);
    }
    for (order, said) in [
        ("team Ann 1", "Ann is in team 1"),
        ("health Ann 0.5", "Ann has health 0.5"),
        ("move Ann 1 2 0", "Ann was put at 1 2 0"),
        ("kill Ann Hugo", "Ann was killed by Hugo"),
    ] {
        host.order(order);
        host.hear(said);
    }
    for program in [&mut host, &mut ann] {
        program.order("help");
        program.hear(&format!("{:28} lists the players", "players"));
    }
    // Who came later is listed too, where it was told that it came.
    let mut bob = Program::start(&folder, &format!("join {address} --name Bob"));
    ann.hear("Bob joined");
    ann.order("players");
    ann.hear_of("slot 2: Bob, machine 2");
    bob.hear("playing");
    bob.order("quit");
    assert_eq!(bob.end().0, 0);
    host.order("start");
    host.order("HELP");
    host.order("playrs");
    ann.order("quit");
    host.hear("Ann (machine 1) left");
    host.order("quit");
    let (code, _, errors) = host.end();
    assert_eq!(
        (code, errors.as_str()),
        (0, "the game has begun already\nno such command: playrs; did you mean players? help lists them\n")
    );
    let (code, said, errors) = ann.end();
    assert_eq!((code, errors.as_str(), said.last().unwrap().as_str()), (0, "", "left the game"));
}

/// What a host decides is said to be its own and ignored, be it nonsense; the game is joined as without it.
#[test]
fn what_the_host_decides_is_not_a_clients() {
    let folder = folder("hosts_choice");
    let (mut host, address) = Program::host(&folder, "--map flat");
    let given = "--map nowhere --variant chess --start-tick 2147483647 --max-players 1 --bots 3 --lobby 5";
    let line = format!("join {address} --name Ann {given} --seed 7 --seconds 0.2 --dump ann.dump");
    let (code, said, errors) = Program::start(&folder, &line).end();
    assert_eq!(code, 0, "{said:?}");
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(
        lines,
        [
            "--map, --variant, --start-tick, --max-players, --bots and --lobby are the host's to choose: ignored",
            "--seed is the host's to choose: here it seeds this machine's players and faults",
        ]
    );
    host.order("quit");
    assert_eq!(host.end().0, 0);
}

/// A game of one machine is told before it begins and when it has ended; more bots than it has places for are as many
/// as it has, and that is said: both sides of the last place.
#[test]
fn a_local_game_is_told_of_and_takes_no_more_than_its_players() {
    let folder = folder("local_told");
    for (line, plays, errors) in [
        ("--bots 2 --max-players 3", "P0, 2 bots", ""),
        ("--bots 3 --max-players 3", "P0, 2 bots", "2 bots in place of 3: --max-players is 3\n"),
        ("--bots 128", "P0, 127 bots", "127 bots in place of 128: --max-players is 128\n"),
        (
            "--local-players 3 --bots 1 --max-players 3",
            "P0, P1, P2",
            "0 bots in place of 1: --max-players is 3\n",
        ),
    ] {
        let output = run(&folder, &format!("local --map hill {line} --seconds 0.2"));
        assert_eq!((code(&output), text(&output.stderr).as_str()), (0, errors), "{line}");
        let said = text(&output.stdout);
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(
            lines,
            [
                format!("playing slayer on hill: {plays}, for 0.2 s").as_str(),
                "played 6 ticks, 0.2 s: nobody killed anybody"
            ]
        );
    }
    let mut local = Program::start(&folder, "local --bots 1");
    local.order("players");
    local.hear("slot 0: P0");
    local.hear("slot 1: Bot 1");
    // Before the first tick nobody lives: each list that comes asks again.
    let killed = "P0 was killed by Bot 1";
    while !local.said.iter().any(|said| said == killed) {
        local.order("kill P0 \"Bot 1\"");
        local.order("players");
        local.hear("slot 1: Bot 1");
    }
    local.order("quit");
    let (ended, said, _) = local.end();
    assert!(ended == 0 && said.last().unwrap().ends_with("by Bot 1"), "{said:?}");

    fs::write(folder.join("config.toml"), "[bots]\ncount = 5\n").unwrap();
    let output = run(&folder, "local --max-players 2 --seconds 0.1");
    let said = (code(&output), text(&output.stderr));
    assert_eq!(said, (0, "1 bot in place of 5: --max-players is 2\n".into()));
}

/// GLUE-26: a settings file that was not there is said to be written, once; one with another system's line ends keeps
/// them; what the environment says that no setting is or may be is warned of, and changes nothing.
#[test]
fn what_becomes_of_settings_is_said() {
    let folder = folder("settings_said");
    let line = "local --config new.toml --seconds 0.1";
    for errors in ["wrote new.toml with the defaults\n", ""] {
        let output = run(&folder, line);
        assert_eq!((code(&output), text(&output.stderr).as_str()), (0, errors));
    }
    let own = "# Mine.\r\n[bots]\r\ncount = 1\r\n";
    fs::write(folder.join("other.toml"), own).unwrap();
    let mut local = command(&folder, "local --config other.toml --seconds 0.1");
    local.env("HALO_LATENCY_METER", "maybe").env("HALO_BOT", "3").stdin(Stdio::null());
    let output = local.output().unwrap();
    assert_eq!(code(&output), 0);
    let errors = text(&output.stderr);
    for warning in ["HALO_LATENCY_METER is neither true nor false", "unknown setting HALO_BOT"] {
        assert_eq!(errors.matches(warning).count(), 1, "{errors}");
    }
    assert_eq!(errors.lines().count(), 2, "{errors}");
    let written = fs::read_to_string(folder.join("other.toml")).unwrap();
    assert!(written.starts_with(own) && written.contains("exit_after"), "{written:?}");
    assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
}

/// NET-51: who asks one host has its answer at once and does not listen on, and where nobody answers that is said of
/// whom.
#[test]
fn one_host_that_is_asked_answers_at_once() {
    let folder = folder("asked");
    let (mut host, address) = Program::host(&folder, "--map flat");
    // Longer than a test may take: only an answer ends it.
    let output = run(&folder, &format!("browse {address} --seconds 86400"));
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let said = text(&output.stdout);
    assert!(said.starts_with(&format!("{address}\tskirmish\tflat\t")) && said.ends_with(" ms\n"), "{said}");
    let silent = free(30_000).local_addr().unwrap();
    let output = run(&folder, &format!("browse {address} {silent} --seconds 1"));
    assert_eq!((code(&output), text(&output.stderr)), (0, format!("{silent} did not answer\n")));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    // Names that are none keep nobody from asking the others.
    let output = run(&folder, &format!("browse 1.2.3.4:0 {address} ::x --seconds 86400"));
    let errors = text(&output.stderr);
    assert_eq!((code(&output), errors.lines().count()), (2, 2), "{errors}");
    assert!(errors.starts_with("no port \"0\" in 1.2.3.4:0") && errors.contains("\"::x\""), "{errors}");
    assert!(text(&output.stdout).starts_with(&format!("{address}\tskirmish\t")));
    let output = run(&folder, &format!("browse {silent} --seconds 0.2"));
    assert_eq!(
        (code(&output), text(&output.stderr)),
        (0, format!("no games found\n{silent} did not answer\n"))
    );
    host.order("quit");
    assert_eq!(host.end().0, 0);
}
