//! The program as scripts run it: processes over real sockets, what they say, what they write and the codes they
//! end with. Nothing waits for time: each step waits for the line that says it was taken, and a program that never
//! says it quits by its own setting.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::thread::JoinHandle;

use mjolnir_net_compare::{Verdict, judge, read_log};
use serde_json::Value;

#[path = "program/asking.rs"]
mod asking;
#[path = "../../../tests/tests/standins/bytes.rs"]
#[allow(dead_code, reason = "this test needs some of it")]
mod bytes;
#[path = "program/crowd.rs"]
mod crowd;
// Every address of 127.0.0.0/8 is this machine's there, without being asked for.
#[cfg(target_os = "linux")]
#[path = "program/errands.rs"]
mod errands;
#[cfg(target_os = "linux")]
#[path = "program/fairness.rs"]
mod fairness;
#[path = "program/levels.rs"]
mod levels;
#[path = "program/lines.rs"]
mod lines;
#[path = "program/mapping.rs"]
mod mapping;
#[cfg(target_os = "linux")]
#[path = "program/maps.rs"]
mod maps;
#[path = "program/rounds.rs"]
mod rounds;
#[path = "program/scripts.rs"]
mod scripts;
#[path = "program/spoken.rs"]
mod spoken;
#[path = "../../../tests/tests/standins/standin.rs"]
#[allow(dead_code, reason = "this test needs some of it")]
mod standin;
#[path = "program/talk.rs"]
mod talk;
#[path = "program/telling.rs"]
mod telling;
#[path = "program/things.rs"]
mod things;
#[path = "../../../tests/tests/standins/wire.rs"]
#[allow(dead_code, reason = "this test needs some of it")]
mod wire;

/// Seconds after which a program of these tests quits, whatever happens.
const GIVES_UP: u32 = 60;

/// A folder of one test's own, with the settings that its programs read.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), format!("[debug]\nexit_after = {GIVES_UP}.0\n")).unwrap();
    folder
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
    command.current_dir(folder).args(line.split(' ').filter(|word| !word.is_empty()));
    // What is set where the tests run is no test's.
    let own = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("HALO_"));
    for (name, _) in own {
        command.env_remove(name);
    }
    let reads_settings = !["demo", "maps", "make-map"].iter().any(|command| line.starts_with(command));
    if reads_settings && !line.contains("--data") && !line.contains("--config") {
        command.args(["--config", "config.toml"]);
    }
    command
}

/// Runs a program to its end.
fn run(folder: &Path, line: &str) -> Output {
    command(folder, line).stdin(Stdio::null()).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A program that runs; it is killed where its test fails.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: Option<JoinHandle<String>>,
    said: Vec<String>,
}

impl Program {
    fn start(folder: &Path, line: &str) -> Self {
        Self::spawn(command(folder, line))
    }

    fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || std::io::read_to_string(errors).unwrap());
        Self { child, input, output: BufReader::new(output), errors: Some(errors), said: Vec::new() }
    }

    /// A host at a free port, and where it is.
    fn host(folder: &Path, options: &str) -> (Self, String) {
        let mut host = Self::start(folder, &format!("host --port 0 --bind 127.0.0.1 {options}"));
        let first = host.next_line().unwrap();
        let address = first.strip_prefix("listening ").unwrap();
        assert!(address.parse::<std::net::SocketAddr>().unwrap().port() != 0);
        let address = address.to_owned();
        (host, address)
    }

    /// A client that plays.
    fn client(folder: &Path, address: &str, name: &str) -> Self {
        let mut client = Self::start(folder, &format!("join {address} --name {name}"));
        client.hear("playing");
        client
    }

    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        self.said.push(line.clone());
        Some(line)
    }

    /// Waits until it says that line.
    fn hear(&mut self, line: &str) {
        while let Some(said) = self.next_line() {
            if said == line {
                return;
            }
        }
        panic!("never said {line}: {:?}, {}", self.said, self.errors.take().unwrap().join().unwrap());
    }

    /// Waits until it says a line that begins so.
    fn hear_of(&mut self, begin: &str) {
        while let Some(said) = self.next_line() {
            if said.starts_with(begin) {
                return;
            }
        }
        panic!("never said {begin}: {:?}", self.said);
    }

    fn order(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Its code, all lines that it said, and its errors.
    fn end(mut self) -> (i32, Vec<String>, String) {
        while self.next_line().is_some() {}
        let code = self.child.wait().unwrap().code().unwrap();
        let errors = self.errors.take().unwrap().join().unwrap();
        (code, std::mem::take(&mut self.said), errors)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Ended already, mostly.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A socket at a port that no system gives to one that asks for any, so that no other test's program has it next.
fn free(from: u16) -> UdpSocket {
    (from..from + 1000).find_map(|port| UdpSocket::bind(("127.0.0.1", port)).ok()).unwrap()
}

fn times(said: &[String], line: &str) -> usize {
    said.iter().filter(|said| *said == line).count()
}

/// NET-24, 63: machines join a game in progress; one quits, one is killed: the others say so once and play on; the
/// host quits, and that is told as such.
#[test]
fn machines_come_and_go_and_the_others_play_on() {
    let folder = folder("come_and_go");
    let (mut host, address) = Program::host(&folder, "--name Hugo");
    let mut ann = Program::client(&folder, &address, "Ann");
    let mut bob = Program::client(&folder, &address, "Bob");
    ann.hear("Bob joined");
    let cid = Program::client(&folder, &address, "Cid");
    ann.hear("Cid joined");

    bob.order("quit");
    let (code, ..) = bob.end();
    assert_eq!(code, 0);
    host.hear("Bob (machine 2) left");
    ann.hear("Bob left");
    cid.kill();
    host.hear("Cid (machine 3) left: gone");
    ann.hear("Cid left");

    let dan = Program::client(&folder, &address, "Dan");
    ann.hear("Dan joined");
    host.order("quit");
    let (code, said, errors) = host.end();
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(
        (times(&said, "Bob (machine 2) left"), times(&said, "Cid (machine 3) left: gone")),
        (1, 1),
        "{said:?}"
    );
    for client in [ann, dan] {
        let (code, said, errors) = client.end();
        assert_eq!((code, errors.as_str()), (0, ""), "{said:?}");
        assert_eq!(said.last().unwrap(), "The host has left the game.");
        assert!(times(&said, "Bob left") <= 1 && times(&said, "Cid left") <= 1, "{said:?}");
    }
}

/// A host that is killed: the connection is lost in play.
#[test]
fn a_client_whose_host_is_gone_ends_with_four() {
    let folder = folder("host_gone");
    let (host, address) = Program::host(&folder, "");
    let client = Program::client(&folder, &address, "Ann");
    host.kill();
    let (code, _, errors) = client.end();
    assert_eq!((code, errors.as_str()), (4, "The connection to the host was lost.\n"));
}

/// NET-57: a client asks for the start. The game's end is told, both sides' lines of it agree, and every second of
/// both is on file, a death with who dealt it.
#[test]
fn a_game_played_to_its_end_is_on_file() {
    let folder = folder("on_file");
    let (mut host, address) =
        Program::host(&folder, "--lobby 60 --log host.log --dump host.dump --start-tick 65500");
    let mut ann = Program::start(
        &folder,
        &format!("join {address} --name Ann --data ann --config config.toml --log ann.log --dump ann.dump"),
    );
    ann.hear("joined as machine 1");
    ann.order("kill P0");
    ann.order("start");
    ann.hear("the game begins in 5 s");
    host.order("start");
    ann.hear("playing");
    host.order("fly");
    // A player leaves a second after its machine: so long the game has been played on both machines.
    let mut leave = |name: &str| {
        let mut other = Program::client(&folder, &address, name);
        other.order("quit");
        assert_eq!(other.end().0, 0);
        ann.hear(&format!("{name} left"));
    };
    leave("Bob");
    host.order("kill Ann P0");
    leave("Cid");
    host.order("end");
    let (code, said, errors) = host.end();
    assert_eq!((code, errors.lines().count()), (0, 1), "{errors}");
    assert!(errors.starts_with("no such command: fly; help lists them"), "{errors}");
    assert_eq!(said.last().unwrap(), "The game is over.");
    let (code, said, errors) = ann.end();
    assert_eq!((code, errors.as_str()), (0, "refused: a client plays by its host's rules\n"));
    assert_eq!(said.last().unwrap(), "The game is over.");

    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let (hosts, anns) = (read_log(&read("host.log")).unwrap(), read_log(&read("ann.log")).unwrap());
    let ticks: Vec<_> = hosts.iter().map(|line| line.tick).collect();
    assert_eq!(ticks[..3], [65_501, 65_520, 65_550]);
    assert_eq!(judge(&hosts, &anns).verdict, Verdict::Pass);
    let debug = read("ann/debug.txt");
    assert!(debug.contains("joined as machine 1\n") && debug.contains("refused: a client"), "{debug}");
    assert_eq!(read_log(&debug).unwrap(), anns);

    let dumps = |name: &str| -> Vec<Value> {
        read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (hosts, anns) = (dumps("host.dump"), dumps("ann.dump"));
    for (dumps, role, machine) in [(&hosts, "host", 0), (&anns, "client", 1)] {
        let (last, lines) = dumps.split_last().unwrap();
        assert!(lines.len() >= 2 && last["tick"].as_i64() >= lines[lines.len() - 1]["tick"].as_i64());
        for dump in lines {
            assert_eq!(dump["tick"].as_i64().unwrap() % 30, 0);
            assert_eq!((&dump["role"], &dump["machine"]), (&role.into(), &machine.into()));
        }
        let of = |kind: &str| -> Vec<&Value> {
            let all = dumps.iter().flat_map(|dump| dump["events"].as_array().unwrap());
            all.filter(|event| event["kind"] == kind).collect()
        };
        // A client's clock is ahead: it may have seen the second leave before the host.
        assert_eq!((of("join").len(), &of("leave")[0]["text"]), (4, &"Bob".into()));
        let deaths = of("death");
        assert_eq!((&deaths[0]["slot"], &deaths[0]["killer"]), (&1.into(), &0.into()), "{deaths:?}");
    }
}

/// NET-44: who is not let in says why and ends with three.
#[test]
fn who_is_not_let_in_says_why() {
    let folder = folder("not_let_in");
    let address = free(20_000).local_addr().unwrap();
    let output = run(&folder, &format!("join {address}"));
    assert_eq!((code(&output), text(&output.stderr)), (3, "not joined: The host did not answer.\n".into()));

    let (mut host, address) = Program::host(&folder, "--max-players 1");
    let output = run(&folder, &format!("join {address}"));
    assert_eq!((code(&output), text(&output.stderr)), (3, "not joined: The game is full.\n".into()));
    host.order("quit");
    assert_eq!(host.end().0, 0);
}

/// A port that is taken is named, and the next try has it once it is free.
#[test]
fn a_port_that_is_taken_is_named() {
    let folder = folder("port_taken");
    let holder = free(25_000);
    let port = holder.local_addr().unwrap().port();
    let line = format!("host --bind 127.0.0.1 --port {port} --seconds 0");
    let output = run(&folder, &line);
    assert_eq!(code(&output), 2);
    let errors = text(&output.stderr);
    assert!(errors.starts_with(&format!("cannot host at 127.0.0.1:{port}: ")), "{errors}");
    drop(holder);
    let output = run(&folder, &line);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    assert!(text(&output.stdout).starts_with(&format!("listening 127.0.0.1:{port}\n")));
}

/// Bad arguments, settings and files end with two, and are named.
#[test]
fn what_is_bad_is_named() {
    let folder = folder("bad");
    fs::write(folder.join("bad.toml"), "[debug\n").unwrap();
    fs::write(folder.join("bad.cues"), "# two\n1 quit\nquit\n").unwrap();
    fs::write(folder.join("unknown.cues"), "1 quit\n2 fly\n").unwrap();
    for (line, named) in [
        ("host --port 0 --map nowhere", "nowhere"),
        ("host --port 0 --variant chess", "chess"),
        ("host --port 0 --variant ctf --map flat", "no ctf on flat: it lacks a flag for each team"),
        ("host --port 70000", "70000"),
        ("host --port 0 --local-players 2 --max-players 1", "2 players"),
        ("host --port 0 --start-tick 2147483647 --seconds 1", "2147483647"),
        ("host --port 0 --input script:none.txt", "none.txt"),
        ("host --port 0 --log none/log.txt", "none/log.txt"),
        ("host --port 0 --fly", "--fly"),
        ("join nowhere.invalid", "\"nowhere.invalid\""),
        ("join 1.2.3.4:99999", "no port \"99999\" in 1.2.3.4:99999"),
        ("browse 1.2.3.4:0", "no port \"0\" in 1.2.3.4:0"),
        ("join 127.0.0.1 --bind ::1", "::1"),
        ("join 127.0.0.1 --local-players 0", "--local-players"),
        ("local --local-players 4 --max-players 3", "4 players"),
        ("demo --log demo.log", "--log"),
        ("host --port 0 --cues none.txt", "none.txt"),
        ("host --port 0 --cues bad.cues", "bad.cues: line 3: not TICK COMMAND"),
        ("local --cues unknown.cues", "unknown.cues: line 2: no such command: fly"),
        ("host --port 0 --trace none/trace.txt", "none/trace.txt"),
        ("demo --trace trace.txt", "--trace"),
        ("fly", "fly"),
        ("", "give a command: host, join, browse, local, maps or demo "),
    ] {
        let output = run(&folder, line);
        assert_eq!(code(&output), 2, "{line}");
        let errors = text(&output.stderr);
        assert!(errors.contains(named), "{line}: {errors}");
    }
    let line = ["local", "--config", "bad.toml"];
    let output = Command::new(env!("CARGO_BIN_EXE_skirmish")).current_dir(&folder).args(line).output();
    let output = output.unwrap();
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).starts_with("bad.toml: "));
}

/// The settings say what no option does, are written where they lack something, and keep what they have.
#[test]
fn settings_are_honoured_and_completed() {
    let folder = folder("settings");
    let settings = folder.join("data/config.toml");
    fs::create_dir(folder.join("data")).unwrap();
    let line = "local --data data --bots 3 --log log.txt --dump dump.txt";
    fs::write(&settings, "[debug]\ntest_input = \"look:7\"\nexit_after = 0.5\n").unwrap();
    let output = run(&folder, line);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let written = fs::read_to_string(&settings).unwrap();
    assert!(written.contains("test_input = \"look:7\"") && written.contains("network_loss"), "{written}");
    let lines = read_log(&fs::read_to_string(folder.join("log.txt")).unwrap()).unwrap();
    let throttles: Vec<_> =
        lines[0].players.iter().map(|player| player.alive.as_ref().unwrap().throttle).collect();
    assert_eq!((throttles.len(), throttles[0]), (4, 0.0));
    assert_eq!(read_log(&fs::read_to_string(folder.join("data/debug.txt")).unwrap()).unwrap(), lines);
    let dump = fs::read_to_string(folder.join("dump.txt")).unwrap();
    let last: Value = serde_json::from_str(dump.lines().last().unwrap()).unwrap();
    assert_eq!((&last["role"], last["players"].as_array().unwrap().len()), (&"local".into(), 4));

    fs::write(&settings, "[debug]\ntest_input = \"walk:7\"\n").unwrap();
    assert_eq!(code(&run(&folder, line)), 2);
    let output = run(&folder, &format!("{line} --input bot:1 --seconds 0.5"));
    assert_eq!(code(&output), 0, "an option beats the file");
    let dump = fs::read_to_string(folder.join("dump.txt")).unwrap();
    let last: Value = serde_json::from_str(dump.lines().last().unwrap()).unwrap();
    assert_eq!(last["tick"], 15);
}

/// Ctrl-C and SIGTERM are `quit`: the others are told.
#[cfg(unix)]
#[test]
fn a_signal_is_quit() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = folder("signal");
    let (mut host, address) = Program::host(&folder, "--local-players 0");
    let client = Program::client(&folder, &address, "Ann");
    kill_process(Pid::from_child(&client.child), Signal::INT).unwrap();
    assert_eq!(client.end().0, 0);
    host.hear("Ann (machine 1) left");
    let client = Program::client(&folder, &address, "Bob");
    kill_process(Pid::from_child(&host.child), Signal::TERM).unwrap();
    assert_eq!(host.end().0, 0);
    let (code, said, _) = client.end();
    assert_eq!((code, said.last().unwrap().as_str()), (0, "The host has left the game."));
}

#[test]
fn the_maps_are_listed_by_name() {
    let output = run(&folder("maps"), "maps");
    assert_eq!(code(&output), 0);
    let listed = text(&output.stdout);
    let names: Vec<_> = listed.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let known = ["arena", "carpark", "drive", "field", "flat", "hill", "rooms", "tower", "two_bases", "yard"];
    let levels = ["campaign1", "garrison", "outpost"];
    assert_eq!(names, [&known[..], &levels[..]].concat());
}

/// A demo ends well, and its summary has every name that scripts read.
#[test]
fn a_demo_sums_itself_up() {
    let folder = folder("demo");
    let output = run(&folder, "demo --clients 2 --seconds 3 --json --report report");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(code(&output), 0, "{summary:#}");
    assert_eq!(summary["version"], 32);
    assert_eq!((&summary["map"], &summary["variant"]), (&"rooms".into(), &"slayer".into()));
    assert_eq!((&summary["seed"], &summary["seconds"]), (&1.into(), &3.0.into()));
    assert_eq!(summary["agreement"], serde_json::json!({"verdict": "pass", "first": null}));
    let names = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let sorted = |names: &str| -> Vec<String> {
        let mut names: Vec<_> = names.split(' ').map(str::to_owned).collect();
        names.sort();
        names
    };
    for (value, all) in [
        (
            &summary,
            "version map variant seed seconds host clients players agreement hits kills refused dropped",
        ),
        (&summary["players"][2], "slot name machine team score kills deaths ping_ms"),
        (&summary["host"], "ticks tick_us cpu_us_per_client_tick allocations_per_tick rss_bytes"),
        (&summary["host"]["tick_us"], "p50 p99 max"),
        (
            &summary["clients"][1],
            "machine joined join_ms ticks rtt_ms down up own_corrections remote_error_wu drift disconnects",
        ),
        (&summary["clients"][1]["down"], "bytes_per_tick datagrams_per_tick"),
        (&summary["clients"][1]["remote_error_wu"], "mean p99 max"),
        (&summary["clients"][1]["drift"], "ticks apart"),
        (&summary["hits"], "reported dealt rejected replayed"),
        (&summary["dropped"], "stale far_stamp undecodable unknown_kind"),
    ] {
        let mut has = names(value);
        has.sort();
        assert_eq!(has, sorted(all));
    }
    assert_eq!(summary["clients"].as_array().unwrap().len(), 2);
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("report/summary.json")).unwrap()).unwrap();
    assert_eq!(written, summary);
}

/// GLUE-26: the environment beats the file for one run, an option beats both, and the file stays as it is; what is out
/// of its range or is no setting is warned of.
#[test]
fn the_environment_is_for_one_run() {
    let folder = folder("environment");
    let settings = folder.join("config.toml");
    fs::write(&settings, "# Mine.\n[debug]\nexit_after = 60 # a minute\nhomemade = 1\n").unwrap();
    let local = |line: &str, variables: &[(&str, &str)]| {
        let mut command = command(&folder, line);
        command.stdin(Stdio::null()).envs(variables.iter().copied()).output().unwrap()
    };
    let players = || {
        let dump = fs::read_to_string(folder.join("dump.txt")).unwrap();
        let last: Value = serde_json::from_str(dump.lines().last().unwrap()).unwrap();
        last["players"].as_array().unwrap().len()
    };
    let line = "local --dump dump.txt";
    let output = local(line, &[("HALO_BOTS", "3"), ("HALO_EXIT_AFTER", "0.3"), ("HALO_NET_VOTEKICK", "off")]);
    assert_eq!((code(&output), players()), (0, 4));
    let warned = text(&output.stdout) + &text(&output.stderr);
    assert!(warned.contains("unknown setting debug.homemade"), "{warned}");
    let written = fs::read_to_string(&settings).unwrap();
    assert!(written.starts_with("# Mine.\n[debug]\nexit_after = 60 # a minute\nhomemade = 1\n"), "{written}");
    assert!(written.contains("\nvotekick = true\n") && written.contains("\ncount = 0\n"), "{written}");

    let output =
        local(&format!("{line} --bots 1 --seconds 0.3"), &[("HALO_BOTS", "3"), ("HALO_NETWORK_LOSS", "101")]);
    assert_eq!((code(&output), players()), (0, 2));
    let warned = text(&output.stdout) + &text(&output.stderr);
    assert!(warned.contains("HALO_NETWORK_LOSS is out of its range: 100 taken"), "{warned}");
    assert_eq!(fs::read_to_string(&settings).unwrap(), written);
}

/// Makes sure that a program has files open, and no socket.
#[cfg(target_os = "linux")]
fn assert_no_socket(program: &Program) {
    let open = |process: &str| -> Vec<PathBuf> {
        let files = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
        files.filter_map(|file| fs::read_link(file.unwrap().path()).ok()).collect()
    };
    // What this process handed down is not the game's.
    let (its, ours) = (open(&program.child.id().to_string()), open("self"));
    let is_socket = |file: &&PathBuf| file.to_string_lossy().starts_with("socket:") && !ours.contains(file);
    assert!(its.len() >= 3 && its.iter().find(is_socket).is_none(), "{its:?}");
}

/// TOOL-06: a local game opens no socket.
#[cfg(target_os = "linux")]
#[test]
fn a_local_game_opens_no_socket() {
    let folder = folder("no_socket");
    fs::write(folder.join("local.cues"), "1 health P0 1\n").unwrap();
    let mut local = Program::start(&folder, "local --bots 3 --map hill --name P0 --cues local.cues");
    assert_eq!(local.next_line().unwrap(), "playing slayer on hill: P0, 3 bots, until quit");
    assert!(local.next_line().unwrap().starts_with("cue at tick "), "{:?}", local.said);
    assert_no_socket(&local);
    local.order("quit");
    assert_eq!(local.end().0, 0);
}

/// TOOL-06: `local:` plays with the bots that the settings name, here and for one run by the environment.
#[test]
fn a_local_errand_plays_with_bots() {
    let folder = folder("local_errand");
    fs::write(folder.join("config.toml"), "[bots]\ncount = 3\n[debug]\nexit_after = 0.5\n").unwrap();
    let mut command = command(&folder, "--log log.txt");
    let output = command.env("HALO_NETWORK_TEST", "local:hill").stdin(Stdio::null()).output().unwrap();
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let lines = read_log(&fs::read_to_string(folder.join("log.txt")).unwrap()).unwrap();
    assert_eq!(lines[0].players.len(), 4);
    assert!(lines[0].players.iter().all(|player| player.record.machine == 0));
    for (errand, named) in [
        ("host:flat:slayer,chess", "no variant chess"),
        ("host:nowhere", "no map nowhere"),
        ("local:nowhere", "no map nowhere"),
        ("fly", "host:MAP"),
    ] {
        let mut command = self::command(&folder, "");
        let output = command.env("HALO_NETWORK_TEST", errand).stdin(Stdio::null()).output().unwrap();
        assert_eq!(code(&output), 2, "{errand}");
        assert!(text(&output.stderr).contains(named), "{errand}: {}", text(&output.stderr));
    }
}

/// TOOL-29: cues run at their ticks, counted from the first that every player is in, a client's by its own console's
/// rules; a death by one is in the line of its tick.
#[test]
fn cues_run_at_their_ticks() {
    let folder = folder("cues");
    fs::write(folder.join("host.cues"), "30 kill Ann P0\n\n# Nobody plays.\n31 kill Nobody\n45 end\n")
        .unwrap();
    fs::write(folder.join("ann.cues"), "1 kill P0\n").unwrap();
    let (mut host, address) = Program::host(&folder, "--lobby 60 --cues host.cues --dump host.dump");
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --cues ann.cues"));
    ann.hear("joined as machine 1");
    host.order("start");
    ann.hear("playing");
    let (code, said, errors) = host.end();
    assert_eq!((code, errors.as_str()), (0, "cue refused: kill Nobody: no player Nobody\n"));
    let ticks: Vec<i64> = said
        .iter()
        .filter_map(|line| line.strip_prefix("cue at tick ")?.split(':').next()?.parse().ok())
        .collect();
    assert_eq!((ticks[1] - ticks[0], ticks[2] - ticks[0]), (1, 15), "{said:?}");
    let (code, _, errors) = ann.end();
    assert_eq!((code, errors.as_str()), (0, "cue refused: kill P0: a client plays by its host's rules\n"));
    let dump = fs::read_to_string(folder.join("host.dump")).unwrap();
    let dumps = dump.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events: Vec<Value> = dumps
        .flat_map(|dump| dump["events"].as_array().unwrap().clone())
        .filter(|e| e["kind"] == "death")
        .collect();
    assert_eq!((events.len(), &events[0]["tick"]), (1, &ticks[0].into()), "{events:?}");
}

/// NET-13, GLUE-13: with `--trace` each message has a line on both ends: what one sent the other received, and what
/// was refused says why. A dedicated host has no player of its own, and one client brings four.
#[test]
fn what_becomes_of_each_message_is_on_file() {
    let folder = folder("trace");
    let (mut host, address) =
        Program::host(&folder, "--local-players 0 --trace host.trace --dump host.dump --corrupt 20");
    let line =
        format!("join {address} --name Ann --local-players 4 --input look:5 --trace ann.trace --seconds 2");
    let ann = Program::start(&folder, &line);
    let (code, said, _) = ann.end();
    assert_eq!(code, 0, "{said:?}");
    host.hear("Ann, Ann 2, Ann 3, Ann 4 (machine 1) left");
    host.order("quit");
    assert_eq!(host.end().0, 0);
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (hosts, anns) = (lines("host.trace"), lines("ann.trace"));
    let count = |lines: &[Value], way: &str, name: &str| {
        lines.iter().filter(|line| line["way"] == way && line["name"] == name).count()
    };
    assert_eq!(
        (
            count(&anns, "sent", "client_join_game_request"),
            count(&hosts, "received", "client_join_game_request")
        ),
        (1, 1)
    );
    let (sent, received) = (count(&hosts, "sent", "unit_states"), count(&anns, "received", "unit_states"));
    assert!(received >= 50 && received <= sent, "{received} of {sent}");
    assert!(count(&anns, "sent", "player_inputs") > count(&hosts, "received", "player_inputs"));
    let why = |line: &&Value| ["dropped", "refused"].contains(&line["way"].as_str().unwrap());
    assert!(hosts.iter().filter(why).count() > 5);
    assert!(hosts.iter().filter(why).all(|line| line["why"].is_string()));
    let dump = lines("host.dump");
    assert!(dump.iter().any(|dump| dump["players"].as_array().unwrap().len() == 4));
    assert!(dump.iter().all(|dump| dump["slots"].as_array().unwrap().is_empty()));
}

/// GLUE-07, GLUE-08: a machine that stands still for two seconds is told of by the other: a client says that there is a
/// problem and that it is over, a host's debug.txt has one line that names the client.
#[cfg(unix)]
#[test]
fn a_machine_that_stands_still_is_told_of() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = folder("still");
    let (mut host, address) = Program::host(&folder, "--local-players 0 --data host --config config.toml");
    let mut ann = Program::client(&folder, &address, "Ann");
    let stop = |program: &Program, stops: bool| {
        let signal = if stops { Signal::STOP } else { Signal::CONT };
        kill_process(Pid::from_child(&program.child), signal).unwrap();
    };
    stop(&ann, true);
    host.hear("Ann (machine 1) is silent");
    stop(&ann, false);
    let bob = Program::client(&folder, &address, "Bob");
    ann.hear("Bob joined");
    bob.kill();
    stop(&host, true);
    ann.hear("Connection problem");
    stop(&host, false);
    ann.hear("the host is heard again");
    ann.order("quit");
    assert_eq!(ann.end().0, 0);
    host.order("quit");
    assert_eq!(host.end().0, 0);
    let debug = fs::read_to_string(folder.join("host/debug.txt")).unwrap();
    assert_eq!(debug.lines().filter(|line| *line == "Ann (machine 1) is silent").count(), 1, "{debug}");
}
