//! Programs that are told nothing and do what their settings say: each game on loopback addresses of its own, the host's port
//! the usual one.

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::thread;

use mjolnir_engine_glue::transport::{Host, HostSettings};
use mjolnir_net_compare::read_log;
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{Packet, SettingsRecord, list};
use rustix::process::{Pid, Signal, kill_process};

use crate::{GIVES_UP, Program, assert_no_socket, folder, times};

/// The first three numbers of addresses that are that test's and this process's own.
fn net(test: u8) -> String {
    let [.., high, low] = std::process::id().to_be_bytes();
    format!("127.{}.{low}", 64 | test << 3 | high & 7)
}

/// Begins a program that is told nothing, from a folder with its settings and for its data.
fn told(folder: &Path, name: &str, address: &str, broadcast: &str, lines: &str) -> Program {
    fs::create_dir_all(folder.join(name)).unwrap();
    let text = format!(
        "[network]\naddress = \"{address}\"\nbroadcast = \"{broadcast}\"\n[debug]\nexit_after = {GIVES_UP}.0\n{lines}\n"
    );
    fs::write(folder.join(name).join("config.toml"), text).unwrap();
    Program::start(folder, &format!("--config {name}/config.toml --data {name} --name {name}"))
}

fn debug(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name).join("debug.txt")).unwrap()
}

/// A log's lines of a test's steps.
fn steps(text: &str) -> Vec<&str> {
    let each_second = ["tick ", "heard ", "refused ", "player 0 is ", "player 1 is "];
    let steps = text.lines().filter_map(|line| line.strip_prefix("network test: "));
    steps.filter(|step| !each_second.iter().any(|begin| step.starts_with(begin))).collect()
}

/// What each line of a log has of its players' teams.
fn teams(text: &str) -> Vec<Vec<i32>> {
    let lines = read_log(text).unwrap();
    lines.iter().map(|line| line.players.iter().map(|player| player.record.team).collect()).collect()
}

fn signal(program: &Program, signal: Signal) {
    kill_process(Pid::from_child(&program.child), signal).unwrap();
}

/// TOOL-04, TOOL-05, TOOL-69, TOOL-70, TOOL-74, NET-52: told nothing, a program does what its settings say, on the address that
/// they bind it to: one hosts a level by its whole name, step after step, the other joins the first game that it finds and
/// brings its player. Nobody says a word to either, and both play three hundred ticks with two players, in two teams; both
/// logs have both names once, and what was heard each second.
#[test]
fn a_program_told_nothing_does_what_its_settings_say() {
    let (folder, net) = (folder("errand"), net(0));
    let host = format!("{net}.1");
    fs::write(folder.join("host.cues"), "300 quit\n").unwrap();
    let mut ann = told(&folder, "Ann", &format!("{net}.2"), &host, "network_test = \"join\"");
    let lines = "network_test = 'host:levels\\test\\two_bases\\two_bases:ctf'\nnetwork_test_start = 2.0\n\
                 network_test_cues = 'host.cues'";
    let mut hugo = told(&folder, "Hugo", &host, &host, lines);
    hugo.hear(&format!("listening {host}:5150"));
    ann.hear("playing");
    let (code, said, _) = hugo.end();
    assert_eq!(code, 0, "{said:?}");
    let (code, said, _) = ann.end();
    assert_eq!((code, times(&said, "joined as machine 1")), (0, 1), "{said:?}");

    let [hosts, anns] = ["Hugo", "Ann"].map(|name| debug(&folder, name));
    let map = "map levels\\test\\two_bases\\two_bases, variant ctf";
    assert_eq!(steps(&hosts), ["setting up", map, "player Hugo", "starting"]);
    let joining = format!("joining {host}:5150");
    assert_eq!(steps(&anns), ["looking for a game", joining.as_str(), "player Ann"]);
    // She was let in before her player came, and both were there before the start.
    assert!(hosts.find("network test: player Hugo") < hosts.find("Ann (machine 1) joined"), "{hosts}");
    assert!(hosts.find("Ann (machine 1) joined") < hosts.find("network test: starting"), "{hosts}");
    assert!(anns.find("joined as machine 1") < anns.find("network test: player Ann"), "{anns}");
    for text in [&hosts, &anns] {
        for name in ["player 0 is \"Hugo\"", "player 1 is \"Ann\""] {
            assert_eq!(text.lines().filter(|line| line.ends_with(name)).count(), 1, "{text}");
        }
        let (lines, teams) = (read_log(text).unwrap(), teams(text));
        let heard = text.lines().filter(|line| line.starts_with("network test: heard ")).count();
        assert_eq!(heard, lines.len());
        assert!((9..=11).contains(&lines.len()) && lines.last().unwrap().tick >= 270, "{text}");
        assert!(teams.iter().all(|teams| matches!(teams[..], [0, 1] | [1, 0])), "{teams:?}");
    }
}

/// TOOL-05, TOOL-19, TOOL-70: a test's score ends its first game at its first scripted kill; both logs have its end, and then a
/// second game of the other variant, whose two teams each have a player. SIGTERM ends the host in order, and the other is
/// told.
#[test]
fn a_short_game_is_followed_by_the_next_variant() {
    let (folder, net) = (folder("short_errand"), net(1));
    let host = format!("{net}.1");
    let mut ann = told(&folder, "Ann", &host, &host, "network_test = \"join\"\ntest_input = \"look:2\"");
    let lines = "network_test = \"host:two_bases:slayer,ctf\"\nnetwork_test_start = 2.0\nnetwork_test_score = 1\n\
                 network_test_kill = 1.0\ntest_input = \"look:1\"\nnetwork_test_public = true";
    let mut hugo = told(&folder, "Hugo", &host, &host, lines);
    ann.hear("The game is over.");
    ann.hear("playing");
    hugo.hear("Ann (machine 1) plays");
    hugo.hear("Ann (machine 1) plays");
    // Each has a second of it on file once the scripted kill is on its scoreboard.
    for program in [&mut hugo, &mut ann] {
        loop {
            program.order("scores");
            program.hear_of("Hugo: score ");
            if program.said.last().is_some_and(|line| line.starts_with("Hugo: score 0, kills 1")) {
                break;
            }
        }
    }
    signal(&hugo, Signal::TERM);
    let (code, said, errors) = hugo.end();
    assert_eq!(code, 0, "{said:?}");
    assert!(errors.contains("needs the internet"), "{errors}");
    let (code, said, _) = ann.end();
    assert_eq!((code, said.last().unwrap().as_str()), (0, "The host has left the game."));

    for name in ["Hugo", "Ann"] {
        let text = debug(&folder, name);
        let (first, second) = text.split_once("The game is over.").unwrap();
        let first = &first[first.find("network test: tick ").unwrap()..];
        assert_eq!(first.lines().filter(|line| *line == "the game is over").count(), 1, "{first}");
        assert!(read_log(first).unwrap().iter().all(|line| line.to_win == 1));
        assert!(first.contains("Hugo: score 1, kills 1, deaths 0"), "{first}");
        assert_eq!(second.matches(" is \"Ann\"").count(), 1, "named once more in the next game: {second}");
        let teams = teams(second);
        assert!(
            !teams.is_empty() && teams.iter().all(|teams| matches!(teams[..], [0, 1] | [1, 0])),
            "{second}"
        );
    }
    let next = ["setting up", "map two_bases, variant slayer", "player Hugo", "starting", "next ctf"];
    assert_eq!(steps(&debug(&folder, "Hugo"))[1..], next);
}

/// A program that is told to end while it looks for a game ends in order, with what it said on file.
#[test]
fn one_that_looks_for_a_game_ends_in_order() {
    let (folder, net) = (folder("looking_errand"), net(2));
    let address = format!("{net}.1");
    let mut ann = told(&folder, "Ann", &address, &address, "network_test = \"join\"");
    ann.hear("network test: looking for a game");
    signal(&ann, Signal::TERM);
    let (code, _, errors) = ann.end();
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(steps(&debug(&folder, "Ann")), ["looking for a game"]);
}

/// TOOL-28, 29: `log` plays the map that `init.txt` names, on one machine, opens no socket, has each second's lines on file,
/// and cues run there too.
#[test]
fn one_machine_logs_its_own_game() {
    let folder = folder("log_errand");
    fs::create_dir(folder.join("Ann")).unwrap();
    fs::write(folder.join("Ann/init.txt"), "; A map.\nmap_name levels\\test\\hill\\hill\n").unwrap();
    fs::write(folder.join("own.cues"), "35 health Ann 0.5\n").unwrap();
    let lines = "network_test = \"log\"\nnetwork_test_cues = \"own.cues\"";
    let mut ann = told(&folder, "Ann", "", "", lines);
    ann.hear("playing slayer on hill: Ann, until quit");
    ann.hear_of("cue at tick ");
    assert_no_socket(&ann);
    signal(&ann, Signal::TERM);
    assert_eq!(ann.end().0, 0);
    let text = debug(&folder, "Ann");
    let ticks: Vec<_> = read_log(&text).unwrap().iter().map(|line| line.tick).collect();
    assert_eq!(ticks[..2], [1, 30], "{text}");
    assert!(text.contains("network test: player 0 is \"Ann\"\n"), "{text}");
    assert!(text.contains("cue at tick 37: health Ann 0.5\n"), "{text}");

    // Where nothing names a map it is the option's.
    fs::remove_file(folder.join("Ann/init.txt")).unwrap();
    let line = "--config Ann/config.toml --map flat --seconds 0.1";
    let other = Program::start(&folder, line);
    let (code, said, _) = other.end();
    assert_eq!((code, said[0].as_str()), (0, "playing slayer on flat: P0, for 0.1 s"));
}

/// A host that says what it plays to whoever asks, and lets nobody in.
struct Listed {
    address: SocketAddr,
    thread: thread::JoinHandle<()>,
}

impl Listed {
    fn new(address: String, map: &str, game_type: i16, players: i16) -> Self {
        let address: SocketAddr = address.parse().unwrap();
        let socket = UdpSocket::bind(address).unwrap();
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("A good game");
        record.map = Chars::new(map).unwrap();
        let host = Host::new(HostSettings { nonce: [players as u8; 8], ..HostSettings::new(record) });
        let thread = thread::spawn(move || {
            let mut buffer = [0; 2048];
            loop {
                let (length, from) = socket.recv_from(&mut buffer).unwrap();
                let Ok((_, bytes)) = read_datagram(&buffer[..length]) else { return };
                let Ok(Packet::Search(search)) = Packet::read(bytes) else { continue };
                let mut game = host.advertisement(search.nonce);
                (game.game_type, game.players, game.max_players) = (game_type, players, 16);
                let mut bytes = Vec::new();
                Packet::Advertise(list::Advertise { game }).write(&mut bytes).unwrap();
                socket.send_to(&bytes, from).unwrap();
            }
        });
        Self { address, thread }
    }

    fn end(self) {
        let socket = UdpSocket::bind((self.address.ip(), 0)).unwrap();
        socket.send_to(&[0], self.address).unwrap();
        self.thread.join().unwrap();
    }
}

/// TOOL-20, TOOL-74: of games with one player, five, and nine in co-op a machine that browses lists each and joins that with
/// five; where joining failed it does not try again, and co-op comes last; one that has no map yet is not joined.
#[test]
fn the_fullest_listed_game_is_joined() {
    let (folder, net) = (folder("browse_errand"), net(3));
    let at = |own: u8| format!("{net}.{own}:5150");
    let hosts = [(1, "flat", 2, 1), (2, "flat", 1, 5), (3, "flat", 0, 9), (4, "", 1, 12)]
        .map(|(own, map, game_type, players)| Listed::new(at(own), map, game_type, players));
    let named = hosts.iter().map(|host| host.address.ip().to_string()).collect::<Vec<_>>().join(", ");
    let mut ann = told(&folder, "Ann", &format!("{net}.9"), &named, "network_test = \"browse\"");
    for own in [2, 1, 3] {
        ann.hear(&format!("network test: joining {}", at(own)));
    }
    signal(&ann, Signal::TERM);
    let (code, said, _) = ann.end();
    assert_eq!(code, 0, "{said:?}");
    hosts.into_iter().for_each(Listed::end);
    let begin = "network test: listed A good game at ";
    let mut listed: Vec<_> = said.iter().filter_map(|line| line.strip_prefix(begin)).collect();
    listed.sort();
    let line = |own, rest: &str| format!("{}, {rest}", at(own));
    let due = [
        line(1, "flat, 1/16 players"),
        line(2, "flat, 5/16 players"),
        line(3, "flat, 9/16 players, co-op"),
        line(4, ", 12/16 players, closed"),
    ];
    assert_eq!(listed, due);
    assert_eq!(said.iter().filter(|line| line.starts_with("network test: joining ")).count(), 3, "{said:?}");
}
