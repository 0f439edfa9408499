//! `browse` and what `join` asks first, as scripts run them: the program beside hosts of this process, on the loopback.
//! Nothing waits for time but the program itself.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::transport::{Host, HostSettings, Network as _};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::{Moment, Tick};

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const LOOK: Duration = Duration::from_millis(10);

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[debug]\nexit_after = 60.0\n").unwrap();
    folder
}

fn program(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
    command.current_dir(folder).args(line.split(' ')).args(["--config", "config.toml"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A host of this process, in its lobby.
struct Hosting {
    host: Host,
    sockets: Sockets,
    start: Instant,
}

impl Hosting {
    fn new(ip: IpAddr, change: impl FnOnce(&mut HostSettings)) -> Option<Self> {
        let sockets = Sockets::listen(SocketAddr::new(ip, 0)).ok()?;
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("A good game");
        record.map = Chars::new("levels\\test\\hill\\hill").unwrap();
        (record.variant.game_type, record.variant.teams, record.max_players) = (2, 1, 16);
        let port = sockets.local_address().port();
        let mut settings = HostSettings {
            port,
            nonce: port.to_be_bytes().repeat(4).try_into().unwrap(),
            ..HostSettings::new(record)
        };
        change(&mut settings);
        Some(Self { host: Host::new(settings), sockets, start: Instant::now() })
    }

    fn run(&mut self) {
        let Self { host, sockets, start } = self;
        let now = Moment::from_micros(start.elapsed().as_micros() as u64);
        sockets.receive(now, &mut |event| host.handle(now, Tick::ZERO, event));
        host.poll(now, Tick::ZERO);
        while host.next_event().is_some() {}
        while host.next_message().is_some() {}
        host.send(now, sockets);
    }
}

/// Runs the hosts until the program has ended.
fn run(hosts: &mut [Hosting], folder: &Path, line: &str) -> (i32, String, String) {
    let mut child: Child = program(folder, line).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        hosts.iter_mut().for_each(Hosting::run);
        hosts[0].sockets.wait(LOOK);
    }
    ended(child.wait_with_output().unwrap())
}

fn ended(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// NET-01, 02, 04: a host of another version, or without this netcode, is not joined: the program says which is newer
/// and both numbers, opens no connection, and ends with three.
#[test]
fn a_host_of_another_version_is_not_joined() {
    let folder = folder("other_version");
    for (version, words) in [
        (33, "The host is newer (version 33) than this game (version 32): update the game."),
        (31, "The host is older (version 31) than this game (version 32): ask the host to update."),
        (0, "The host is older (version 0) than this game (version 32): ask the host to update."),
    ] {
        for ip in [LOOPBACK, Ipv6Addr::LOCALHOST.into()] {
            let Some(hosting) = Hosting::new(ip, |settings| settings.version = version) else {
                continue; // A machine without IPv6.
            };
            let address = hosting.sockets.local_address();
            let mut hosts = [hosting];
            let (code, _, errors) = run(&mut hosts, &folder, &format!("join {address}"));
            assert_eq!((code, errors), (3, format!("not joined: {words}\n")));
            assert_eq!(hosts[0].host.totals().received.stream_bytes, 0);
        }
    }
}

/// NET-02, 03, 50, 51: `browse` lists the games of those it asks, another version's too, a line each of its fields.
#[test]
fn games_are_listed_a_line_each() {
    let folder = folder("browse");
    let mut hosts = [(32, LOOPBACK), (33, LOOPBACK), (32, Ipv6Addr::LOCALHOST.into())]
        .into_iter()
        .filter_map(|(version, ip)| Hosting::new(ip, |settings| settings.version = version))
        .collect::<Vec<_>>();
    let addresses: Vec<_> = hosts.iter().map(|hosting| hosting.sockets.local_address().to_string()).collect();
    let (code, said, errors) =
        run(&mut hosts, &folder, &format!("browse {} --seconds 1", addresses.join(" ")));
    assert_eq!((code, errors.as_str()), (0, ""));
    let lines: Vec<Vec<_>> = said.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), hosts.len(), "{said}");
    for (index, address) in addresses.iter().enumerate() {
        let line = lines.iter().find(|line| line[0] == address).unwrap();
        let version = if index == 1 { "33" } else { "32" };
        assert_eq!(line[1..7], ["A good game", "hill", "team_slayer", "0/16", version, "open"]);
        assert!(line[7].ends_with(" ms"), "{line:?}");
        assert_eq!(line.get(8).is_some_and(|why| why.contains("is newer (version 33)")), index == 1);
    }
}

/// NET-21, 51: the program's own host answers while it plays; where nobody answers that is said, and is no failure.
#[test]
fn a_game_in_progress_is_listed() {
    let folder = folder("browse_host");
    let mut host = program(&folder, "host --bind 127.0.0.1 --port 0 --map flat --max-players 9")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut said = BufReader::new(host.stdout.take().unwrap());
    said.read_line(&mut first).unwrap();
    let address = first.trim_end().strip_prefix("listening ").unwrap();
    let browse =
        |address: &str| ended(program(&folder, &format!("browse {address} --seconds 1")).output().unwrap());
    let (code, listed, errors) = browse(address);
    assert_eq!((code, errors.as_str()), (0, ""));
    let fields: Vec<_> = listed.trim_end().split('\t').collect();
    assert_eq!(fields[..7], [address, "skirmish", "flat", "slayer", "1/9", "32", "open, in progress"]);
    host.kill().unwrap();
    host.wait().unwrap();
    let (code, listed, errors) = browse(address);
    assert_eq!((code, listed.as_str()), (0, ""));
    assert!(errors.starts_with("no games found"), "{errors}");
    let (code, ..) = browse("[::1]:1 --bind 127.0.0.1");
    assert_eq!(code, 2, "an IPv6 host from an IPv4 address");
}
