//! Custom maps that go from one machine to another, between programs: each has a loopback address of its own, where it shares at
//! the usual port, a folder of its own, and its settings.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Program, code, folder, run};

#[path = "maps/changing.rs"]
mod changing;
#[path = "maps/disks.rs"]
mod disks;
#[path = "maps/fetching.rs"]
mod fetching;
#[path = "maps/many.rs"]
mod many;
#[path = "maps/naming.rs"]
mod naming;
#[path = "maps/places.rs"]
mod places;
#[path = "maps/resuming.rs"]
mod resuming;

/// Seconds after which a program of these tests quits: a host of some has many clients, one after another.
const GIVES_UP: u32 = 3 * crate::GIVES_UP;
/// Bytes of a piece.
const PIECE: u64 = 262_144;
/// The settings of a machine that sends as fast as it can.
const FREE: &str = "map_share_upload = 0\nmap_seed_upload = 0";
/// The map of these tests, in a machine's folder.
const HUGEASS: &str = "custom_maps/hugeass.map";
/// It, while it comes.
const PART: &str = "custom_maps/hugeass.map.part";
/// The list of part files beside it.
const LIST: &str = "custom_maps/mjolnir-part-files.txt";

/// A test's machines: its folder with one in it for each, and addresses that are its and this process's own.
struct Machines {
    folder: PathBuf,
    test: u8,
}

impl Machines {
    /// `test` is another for each test here, 31 at most.
    fn new(name: &str, test: u8) -> Self {
        assert!(test < 32);
        Self { folder: folder(name), test }
    }

    /// That machine's address, 1 to 7.
    fn address(&self, machine: u8) -> String {
        let [.., high, low] = std::process::id().to_be_bytes();
        format!("127.{}.{low}.{}", 128 | high & 127, self.test << 3 | machine)
    }

    /// A file of a machine's folder.
    fn path(&self, name: &str, file: &str) -> PathBuf {
        self.folder.join(name).join(file)
    }

    fn read(&self, name: &str, file: &str) -> Vec<u8> {
        fs::read(self.path(name, file)).unwrap()
    }

    fn write(&self, name: &str, file: &str, bytes: &[u8]) {
        let path = self.path(name, file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A machine's settings: those of `[network]` that are given.
    fn set(&self, name: &str, lines: &str) {
        let text = format!("[network]\n{lines}\n[debug]\nexit_after = {GIVES_UP}.0\n");
        self.write(name, "config.toml", text.as_bytes());
    }

    /// Makes a map of a machine's; its bytes.
    fn make(&self, name: &str, file: &str, size: u64, seed: u64) -> Vec<u8> {
        let made = run(&self.folder, &format!("make-map --size {size} --seed {seed} {name}/{file}"));
        assert_eq!(code(&made), 0);
        self.read(name, file)
    }

    /// The host, machine 0, at the first address, with those settings of `[network]`; and where it is.
    fn host(&self, options: &str, settings: &str) -> (Program, String) {
        self.set("host", settings);
        let line = format!(
            "host --port 0 --bind {} --name Hugo --data host --config host/config.toml {options}",
            self.address(1)
        );
        let mut host = Program::start(&self.folder, &line);
        let address = host.next_line().unwrap().strip_prefix("listening ").unwrap().to_owned();
        (host, address)
    }

    /// How that machine joins, from the second address on, with those settings of `[network]`.
    fn joins(&self, address: &str, machine: u8, name: &str, settings: &str) -> String {
        self.set(name, settings);
        let own = self.address(1 + machine);
        format!("join {address} --bind {own} --name {name} --data {name} --config {name}/config.toml")
    }

    fn join(&self, address: &str, machine: u8, name: &str, settings: &str) -> Program {
        Program::start(&self.folder, &self.joins(address, machine, name, settings))
    }

    /// Bytes of files that came to a machine and that it sent, by its log, once it has ended.
    fn traffic(&self, name: &str) -> (u64, u64) {
        let log = String::from_utf8(self.read(name, "debug.txt")).unwrap();
        let line = log.lines().rev().find_map(|line| line.strip_prefix("maps: ")).unwrap();
        let (came, sent) = line.split_once(" bytes of files came, ").unwrap();
        (came.parse().unwrap(), sent.strip_suffix(" were sent").unwrap().parse().unwrap())
    }

    /// What there is in a machine's folder of custom maps, by name.
    fn files(&self, name: &str) -> Vec<String> {
        files(&self.path(name, "custom_maps"))
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    files
}

/// How far that line says a download is, in per cent: only of pieces that came, not of those that are looked at anew.
fn per_cent(line: &str) -> Option<u64> {
    let (what, rest) = line.split_once("  ")?;
    let per_cent = rest.split_once(" %  [")?.0.parse().ok()?;
    (!what.contains(' ')).then_some(per_cent)
}

/// Waits until a download has come so far; how far it has.
fn hear_per_cent(program: &mut Program, least: u64) -> u64 {
    while let Some(line) = program.next_line() {
        if let Some(so_far) = per_cent(&line).filter(|so_far| *so_far >= least) {
            return so_far;
        }
    }
    panic!("never {least} %: {:?}", program.said)
}

/// Ends it: it was not let play, and that is why.
fn assert_not_joined(program: Program, why: &str) {
    let (code, said, errors) = program.end();
    assert!(code == 3 && errors.contains("not joined: ") && errors.contains(why), "{code}: {errors}{said:?}");
}

/// Ends it in order.
fn quit(mut program: Program) -> Vec<String> {
    program.order("quit");
    let (code, said, errors) = program.end();
    assert_eq!(code, 0, "{errors}{said:?}");
    said
}

/// Four clients in the lobby hear at once of a map of so many bytes that they lack, get it, and play, all with those settings; the host
/// sends less than twice of it.
fn fetched_by_four(machines: &Machines, settings: &str, size: u64) {
    let names = ["Ann", "Bob", "Cid", "Dan"];
    let map = machines.make("host", HUGEASS, size, 7);
    let (mut host, address) = machines.host("--lobby 60 --map flat --local-players 0", settings);
    let mut clients = Vec::new();
    for (machine, name) in (1..).zip(names) {
        let mut client = machines.join(&address, machine, name, settings);
        client.hear(&format!("joined as machine {machine}"));
        clients.push(client);
    }
    host.order("map hugeass");
    host.hear("the game will be on custom_maps\\hugeass");
    host.order("start");
    for client in &mut clients {
        client.hear("playing");
    }
    for (machine, name) in (1..).zip(names) {
        let plays = format!("{name} (machine {machine}) plays");
        if !host.said.contains(&plays) {
            host.hear(&plays);
        }
    }
    clients.into_iter().for_each(|client| drop(quit(client)));
    quit(host);
    let (_, sent) = machines.traffic("host");
    let all: Vec<_> = names.iter().map(|name| machines.traffic(name)).collect();
    assert!((size..2 * size).contains(&sent), "{sent} of {size}: {all:?}");
    for (name, (came, _)) in names.iter().zip(&all) {
        assert!(machines.read(name, HUGEASS) == map, "{name}");
        assert_eq!(machines.files(name), ["hugeass.map"]);
        // Near the end a piece may come twice.
        assert!((size..=size + 16 * PIECE).contains(came), "{all:?}");
    }
    assert!(all.iter().map(|(_, sent)| sent).sum::<u64>() > 2 * size, "{all:?}");
}
