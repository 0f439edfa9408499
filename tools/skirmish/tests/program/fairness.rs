//! Who is kicked, banned, voted out and dropped for its clock, between programs: what everybody reads, what stands in the files,
//! and who may come back from where. Each machine has a loopback address and a hardware id of its own.

use std::fs;
use std::path::Path;

use mjolnir_anticheat::sources;
use serde_json::Value;

use crate::{Program, code, folder, run, text, times};

const BANNED: &str = "not joined: This machine is banned from the game.\n";
const REMOVED: &str = "This machine was removed by the host.\n";

/// A machine's data folder, and what in it that machine is known by.
fn know(folder: &Path, machine: &str) {
    fs::create_dir_all(folder.join(machine)).unwrap();
    fs::write(folder.join(machine).join("hardware_id.txt"), format!("the machine of {machine}\n")).unwrap();
}

/// The same as the host has it.
fn hardware_id(machine: &str) -> String {
    sources::android(format!("the machine of {machine}").as_bytes()).unwrap().as_str().to_owned()
}

fn host(folder: &Path) -> (Program, String) {
    Program::host(
        folder,
        "--map flat --name Hugo --input look:1 --data hugo --config config.toml --dump host.dump",
    )
}

/// How a machine joins: from which address of the loopback, and as which machine.
fn join(address: &str, name: &str, own: u8, machine: &str) -> String {
    format!(
        "join {address} --name {name} --input look:2 --bind 127.0.0.{own} --data {machine} --config config.toml"
    )
}

/// A client that plays.
fn play(folder: &Path, address: &str, name: &str, own: u8, machine: &str) -> Program {
    let mut client = Program::start(folder, &join(address, name, own, machine));
    client.hear("playing");
    client
}

/// Whom a host lets in no more says so and ends with three.
fn assert_kept_out(folder: &Path, address: &str, name: &str, own: u8, machine: &str) {
    let output = run(folder, &join(address, name, own, machine));
    assert_eq!(
        (code(&output), text(&output.stderr).as_str()),
        (3, BANNED),
        "{name} at {own} as {machine}: {}",
        text(&output.stdout)
    );
}

/// A file's lines behind their times.
fn entries(folder: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join("hugo").join(file)).unwrap();
    let entry = |line: &str| {
        let (time, entry) = line.split_once('\t').unwrap();
        let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00 00:00:00");
        entry.to_owned()
    };
    assert!(text.ends_with('\n'));
    text.lines().map(entry).collect()
}

/// What a host's dump has of who was taken out.
fn removals(folder: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(folder.join("host.dump")).unwrap();
    let dumps = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events = dumps.flat_map(|dump| dump["events"].as_array().unwrap().clone());
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let removals = events.map(|event| (word(&event, "kind"), word(&event, "text")));
    removals.filter(|(kind, _)| kind == "kick" || kind == "ban").collect()
}

/// CHEAT-25, 26, 27, 29: who is kicked is told as everybody is, and comes back at once; who is banned stands in `bans.txt` to the
/// letter, with the Discord user of its setting, and is let in neither from its address nor as its machine, whatever it is
/// called, until its line is taken out while the host runs.
#[test]
fn who_is_kicked_comes_back_and_who_is_banned_does_not() {
    let folder = folder("kick_and_ban");
    ["bob", "cid", "eve"].iter().for_each(|machine| know(&folder, machine));
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    fs::write(folder.join("config.toml"), format!("{config}discord = \"123x Bob;.by\"\n")).unwrap();
    let (mut host, address) = host(&folder);
    let mut bob = play(&folder, &address, "Bob", 2, "bob");
    let mut cid = play(&folder, &address, "Cid", 3, "cid");
    host.hear("Cid (machine 2) plays");
    host.order("kick bo\t");
    host.hear("kick Bob");
    let removed = "Bob was removed from the game by the host.";
    let mut removes = |host: &mut Program, order: &str, mut bob: Program| {
        host.order(order);
        for program in [host, &mut cid, &mut bob] {
            program.hear(removed);
        }
        let (code, _, errors) = bob.end();
        assert_eq!((code, errors.as_str()), (4, REMOVED));
    };
    removes(&mut host, "kick bo", bob);
    // By its line who its user is was heard too.
    fs::write(folder.join("bob.cues"), "10 say back\n").unwrap();
    bob = Program::start(&folder, &format!("{} --cues bob.cues", join(&address, "Bob", 2, "bob")));
    host.hear("Bob: back");
    let bans = folder.join("hugo").join("bans.txt");
    assert!(!bans.exists());
    removes(&mut host, "ban BOB", bob);
    for (own, machine) in [(2, "bob"), (2, "eve"), (4, "bob")] {
        assert_kept_out(&folder, &address, "Eve", own, machine);
    }
    let known = hardware_id("bob");
    let user = "discord_username=Bob.by (self-reported)\tdiscord_id=123";
    let line = format!("ip=127.0.0.2\thwid={known}\t{user}\tplayers=Bob\treason=banned by the host");
    assert_eq!(entries(&folder, "bans.txt"), [line]);
    fs::write(&bans, "# nobody\n").unwrap();
    play(&folder, &address, "Bob", 2, "bob").order("quit");
    host.order("quit");
    let (code, said, errors) = host.end();
    assert_eq!((code, errors.as_str(), times(&said, removed)), (0, "", 2), "{said:?}");
    assert_eq!(times(&cid.end().1, removed), 2);
    assert_eq!(
        removals(&folder),
        [("kick", "Bob"), ("ban", "Bob")].map(|(kind, who)| (kind.into(), who.into()))
    );
}

/// CHEAT-26, 28, 55: on a host of both families of addresses, to which an IPv4 address comes mapped into IPv6, who is banned stands in
/// the file by that IPv4 address; who plays from it too plays on, and is let in no more once it has left; who comes by IPv6 is another.
#[test]
fn a_ban_is_of_the_address_that_was_mapped() {
    let folder = folder("both_families");
    ["bob", "cid", "eve"].iter().for_each(|machine| know(&folder, machine));
    let mut host = Program::start(
        &folder,
        "host --port 0 --bind :: --map flat --name Hugo --input look:1 --data hugo --config config.toml",
    );
    let first = host.next_line().unwrap();
    let (_, port) = first.rsplit_once(':').unwrap();
    let address = format!("127.0.0.1:{port}");
    let mut bob = play(&folder, &address, "Bob", 2, "bob");
    let mut eve = play(&folder, &address, "Eve", 2, "eve");
    host.order("ban Bob");
    let removed = "Bob was removed from the game by the host.";
    [&mut host, &mut bob, &mut eve].into_iter().for_each(|program| program.hear(removed));
    assert_eq!(bob.end().0, 4);
    assert_kept_out(&folder, &address, "Cid", 2, "cid");
    // A while later it still plays.
    eve.order("quit");
    assert_eq!(eve.end().0, 0);
    assert_kept_out(&folder, &address, "Eve", 2, "eve");
    let [line] = entries(&folder, "bans.txt").try_into().unwrap();
    assert!(line.starts_with(&format!("ip=127.0.0.2\thwid={}\t", hardware_id("bob"))), "{line}");
    let six =
        format!("join [::1]:{port} --name Eve --input look:2 --bind ::1 --data eve --config config.toml");
    let mut eve = Program::start(&folder, &six);
    eve.hear("playing");
    host.order("quit");
    assert_eq!(host.end().0, 0);
}

/// CHEAT-30, 34, 38, 39, 63: a vote that two players and the host's cast is told to every console as it begins and as it ends, on
/// an open scoreboard also as it changes; whom it takes out is let in neither from its address nor as its machine, and stands
/// in no file.
#[test]
fn who_is_voted_out_stays_out() {
    let folder = folder("voted_out");
    ["bob", "cid", "dan", "eve"].iter().for_each(|machine| know(&folder, machine));
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    fs::write(folder.join("config.toml"), format!("{config}[network]\nvotekick_minutes = 0\n")).unwrap();
    let (mut host, address) = host(&folder);
    let mut bob = play(&folder, &address, "Bob", 2, "bob");
    let mut cid = play(&folder, &address, "Cid", 3, "cid");
    let mut dan = play(&folder, &address, "Dan", 4, "dan");
    for voter in [&mut bob, &mut cid] {
        voter.hear("Dan joined");
    }
    bob.order("votekick da");
    for program in [&mut host, &mut bob, &mut cid, &mut dan] {
        program.hear_of("vote to kick Dan: 1 of 3 votes, ");
    }
    cid.order("board");
    cid.hear_of("vote to kick Dan: 1 of 3 votes, ");
    cid.order("votekick Dan");
    cid.hear_of("vote to kick Dan: 2 of 3 votes, ");
    host.order("votekick Dan");
    let (code, said, errors) = dan.end();
    assert_eq!((code, errors.as_str()), (4, REMOVED));
    let kicked = "Dan was kicked by vote, and may join again in 30 minutes.";
    assert_eq!(times(&said, kicked), 1, "{said:?}");
    assert_kept_out(&folder, &address, "Eve", 4, "eve");
    assert_kept_out(&folder, &address, "Eve", 5, "dan");
    host.order("quit");
    for program in [host, bob, cid] {
        let (code, said, _) = program.end();
        let over = times(&said, "the vote to kick Dan is over");
        assert_eq!((code, times(&said, kicked), over), (0, 1, 1), "{said:?}");
    }
    assert_eq!(removals(&folder), [("kick".into(), "Dan".into())]);
    assert!(!folder.join("hugo").join("bans.txt").exists());
}

/// CHEAT-12, 13, 14, 17, 57, GLUE-14: a clock a fifth too fast is dropped within 25 s of its first tick, once its stream has shown
/// it: all consoles and each machine's `debug.txt` say so once, both files have it, and it is not let in again.
#[test]
fn a_clock_that_is_too_fast_is_dropped() {
    let folder = folder("fast_clock");
    ["bob", "cid", "eve"].iter().for_each(|machine| know(&folder, machine));
    // Some 8 s of play, when it is 40 ticks ahead.
    fs::write(folder.join("bob.cues"), "290 say so what\n").unwrap();
    let (mut host, address) = host(&folder);
    let mut cid = play(&folder, &address, "Cid", 3, "cid");
    let line = format!("{} --clock 1.2 --cues bob.cues", join(&address, "Bob", 2, "bob"));
    let mut bob = Program::start(&folder, &line);
    let dropped = "Bob was dropped for cheating: the game's clock was sped up.";
    for program in [&mut host, &mut bob, &mut cid] {
        program.hear(dropped);
    }
    let (code, _, errors) = bob.end();
    assert_eq!((code, errors.as_str()), (4, REMOVED));
    assert_kept_out(&folder, &address, "Bob", 2, "eve");
    assert_kept_out(&folder, &address, "Bob", 4, "bob");
    let last = fs::read_to_string(folder.join("hugo/debug.txt")).unwrap();
    let last = mjolnir_net_compare::read_log(&last).unwrap().last().map(|line| line.tick);
    assert!(last.is_none_or(|tick| tick <= 25 * 30), "{last:?}");
    host.order("quit");
    assert_eq!((host.end().0, cid.end().0), (0, 0));
    for machine in ["hugo", "bob", "cid"] {
        let told = fs::read_to_string(folder.join(machine).join("debug.txt")).unwrap();
        assert_eq!(told.lines().filter(|line| *line == dropped).count(), 1, "{machine}: {told}");
    }
    for file in ["bans.txt", "cheaters.txt"] {
        let entries = entries(&folder, file);
        let who = format!("ip=127.0.0.2\thwid={}\t", hardware_id("bob"));
        let [entry] = entries.as_slice() else { panic!("{file}: {entries:?}") };
        assert!(entry.starts_with(&who), "{file}: {entry}");
        let (_, rate) = entry.split_once("\tplayers=Bob\treason=speed hack (").unwrap();
        let rate: f32 = rate.strip_suffix(" times as fast as time)").unwrap().parse().unwrap();
        assert!((1.15..=1.25).contains(&rate), "{file}: {entry}");
    }
    assert_eq!(removals(&folder), [("ban".into(), "Bob".into())]);
}

/// CHEAT-26: while a host's list cannot be read nobody is let in, and its console says why; the game goes on.
#[test]
fn a_list_that_cannot_be_read_is_told() {
    let folder = folder("unread_list");
    know(&folder, "bob");
    fs::create_dir_all(folder.join("hugo/bans.txt")).unwrap();
    let (mut host, address) = host(&folder);
    assert_kept_out(&folder, &address, "Bob", 2, "bob");
    fs::remove_dir(folder.join("hugo/bans.txt")).unwrap();
    play(&folder, &address, "Bob", 2, "bob").order("quit");
    host.order("quit");
    let (code, _, errors) = host.end();
    let lines: Vec<_> = errors.lines().collect();
    let [unread, again] = lines[..] else { panic!("{errors}") };
    assert_eq!((code, again), (0, "bans.txt: is read again"));
    assert!(unread.starts_with("bans.txt: cannot be read ("), "{errors}");
    assert!(unread.ends_with("); everybody is refused until it can be"), "{errors}");
}
