//! What a console asks about other players, the scoreboard and its machine's own values, between programs: what is answered, and
//! what is refused where.

use std::fs;

use crate::{Program, folder, run, text};

/// What a client is told of what is its host's.
const HOSTS: &str = "refused: a client plays by its host's rules";

/// CHEAT-01, 27, 41: a client's console has what it shows and how it feels, and neither a game's values nor a host's commands; its
/// scoreboard's menu has neither Kick nor Ban. A Tab writes a name out.
#[test]
fn a_guest_has_less_than_its_host() {
    let folder = folder("asking");
    let (mut host, address) = Program::host(&folder, "--lobby 60 --map flat --name Hugo --input look:1");
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --input look:2"));
    ann.hear("joined as machine 1");
    host.order("start");
    ann.hear_of("playing");
    // A client knows who is there a moment later.
    loop {
        ann.order("ban hu\t");
        match ann.next_line().unwrap().as_str() {
            "ban Hugo" => break,
            other => assert_eq!(other, "ban hu"),
        }
    }
    for (line, answer) in [
        ("fov 90", "fov is 90"),
        ("invert on", "invert is on"),
        ("discord 12 ann", "ann (12) is signed in to Discord"),
        ("discord off", "nobody is signed in to Discord"),
    ] {
        ann.order(line);
        ann.hear(answer);
    }
    let lines = [
        "speed 2",
        "cheats god on",
        "fog off",
        "camera free",
        "kill Hugo",
        "kick Hugo",
        "ban nobody",
        "pick Hugo",
        "pick Hugo mute",
    ];
    lines.iter().for_each(|line| ann.order(line));
    ann.order("board");
    ann.hear_of("Hugo: score 0");
    ann.order("pick hu");
    ann.hear("the mouse is free");
    ann.hear("Hugo: Mute here (mute)");
    ann.order("pick hu mute");
    ann.hear("Hugo is muted on this machine");
    ann.order("pick hu");
    ann.hear("Hugo: Unmute here (unmute)");
    ann.order("pick Hugo kick");
    ann.order("pick Hu kik");
    ann.order("pick Hus");
    ann.order("pick ann");
    ann.hear("Ann: nothing to be done");
    ann.order("board");
    ann.hear("the scoreboard is closed");
    ann.hear("the mouse aims again");
    host.order("board");
    host.hear_of("Hugo: score 0");
    host.order("pick Ann");
    host.hear(
        "Ann: Vote to kick (vote), Kick (kick), Ban (ban), Mute for everyone (muteall), Mute here (mute)",
    );
    host.order("pick Ann muteall");
    host.hear_of("chat notice: Ann is muted for ");
    host.order("pick Ann");
    host.hear(
        "Ann: Vote to kick (vote), Kick (kick), Ban (ban), Unmute for everyone (unmuteall), Mute here (mute)",
    );
    for (line, answer) in [("fog off", "fog is off"), ("cheats god on", "cheats god is on")] {
        host.order(line);
        host.hear(answer);
    }
    ann.order("quit");
    let (code, _, errors) = ann.end();
    let closed = "refused: the scoreboard is not open: board opens it";
    let no_entry = "refused: that player's menu has no such entry";
    let nobody = "refused: no player's name begins so";
    let (kick, ban) =
        ("refused: Only the host can kick a player.", "refused: Only the host can ban a player.");
    let refused = [HOSTS, HOSTS, HOSTS, HOSTS, HOSTS, kick, ban, closed, closed, no_entry, no_entry, nobody];
    assert_eq!((code, errors.lines().collect::<Vec<_>>()), (0, refused.to_vec()));
    host.order("quit");
    assert_eq!(host.end().0, 0);
}

/// A game that is played alone goes as fast as its console says; what needs others is refused.
#[test]
fn alone_there_is_nobody_to_ask() {
    let folder = folder("asking_alone");
    fs::write(folder.join("alone.cues"), "1 speed 10\n1 kick Ann\n1 board\n1 discord 1 ann\n90 quit\n")
        .unwrap();
    let output = run(&folder, "local --map flat --cues alone.cues");
    let nobody = "refused: nobody else is there\n";
    assert_eq!(text(&output.stderr), nobody.repeat(3));
    assert!(text(&output.stdout).contains("\nspeed is 10\n"), "{}", text(&output.stdout));
}

/// A client whose clock goes so many times as fast has so many times its host's ticks, by the time that the host's game is over.
#[test]
fn a_clients_clock_may_go_fast() {
    let folder = folder("asking_clock");
    let last = |clock: &str| {
        let options = "--lobby 60 --seconds 4 --map flat --name Hugo --input look:1";
        let (mut host, address) = Program::host(&folder, options);
        let line = format!("join {address} --name Ann --input look:2 --clock {clock} --log ann.log");
        let mut ann = Program::start(&folder, &line);
        ann.hear("joined as machine 1");
        host.order("start");
        let ((code, said, errors), ended) = (ann.end(), host.end().0);
        assert_eq!((code, ended), (0, 0), "{said:?} {errors}");
        let lines =
            mjolnir_net_compare::read_log(&fs::read_to_string(folder.join("ann.log")).unwrap()).unwrap();
        lines.last().unwrap().tick
    };
    // The host's last tick is 120.
    let (honest, fast) = (last("1"), last("2"));
    assert!((115..=135).contains(&honest), "{honest}");
    assert!((200..=260).contains(&fast), "{fast}");
}
