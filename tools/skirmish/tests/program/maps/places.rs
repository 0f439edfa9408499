//! Names and ports that something else has: a map's file, a folder that two programs write, the port of map sharing.

use std::fs;
use std::net::TcpListener;

use super::{FREE, HUGEASS, Machines, PIECE, assert_not_joined, hear_per_cent, quit};

/// The port of map sharing.
const PORT: u16 = 5153;

fn taken(machines: &Machines, machine: u8) -> TcpListener {
    TcpListener::bind((machines.address(machine), PORT)).unwrap()
}

/// MAP-07: where a folder has the map's name it comes under its hash's; where one has that too it cannot be put, which is said, and
/// both stay as they are.
#[test]
fn a_name_that_is_taken_is_left_alone() {
    let machines = Machines::new("maps_taken_name", 16);
    let map = machines.make("host", HUGEASS, 2 * PIECE, 41);
    let (host, address) = machines.host("--map hugeass", FREE);
    let play = || {
        let mut ann = machines.join(&address, 1, "Ann", FREE);
        ann.hear("playing");
        quit(ann);
    };
    fs::create_dir_all(machines.path("Ann", HUGEASS)).unwrap();
    play();
    let files = machines.files("Ann");
    assert!(files.len() == 2 && files[0] == "hugeass.map", "{files:?}");
    let hashed = format!("custom_maps/{}", files[1]);
    assert!(machines.read("Ann", &hashed) == map);
    fs::remove_file(machines.path("Ann", &hashed)).unwrap();
    fs::create_dir(machines.path("Ann", &hashed)).unwrap();
    machines.write("Ann", &format!("{hashed}/own"), b"a person's own");
    let why =
        "The map custom_maps\\hugeass cannot be put in its place: there are another hugeass.map and another";
    assert_not_joined(machines.join(&address, 1, "Ann", FREE), why);
    assert_eq!(machines.files("Ann"), files);
    fs::remove_dir(machines.path("Ann", HUGEASS)).unwrap();
    play();
    assert!(machines.read("Ann", HUGEASS) == map);
    assert_eq!(machines.read("Ann", &format!("{hashed}/own")), b"a person's own");
    quit(host);
}

/// A name that is taken in the middle of a download, after the part file was begun: the map comes under its hash's name, and where
/// that is taken too it is said, with the part file left.
#[test]
fn a_name_that_gets_taken_meanwhile_is_left_alone() {
    let machines = Machines::new("maps_name_meanwhile", 17);
    let size = 4 * 1024 * 1024;
    let map = machines.make("host", HUGEASS, size, 42);
    let (host, address) = machines.host("--map hugeass", "map_share_upload = 4096");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 10);
    fs::create_dir(machines.path("Ann", HUGEASS)).unwrap();
    ann.hear("playing");
    quit(ann);
    let files = machines.files("Ann");
    let hashed = format!("custom_maps/{}", files[1]);
    assert!(files.len() == 2 && machines.read("Ann", &hashed) == map, "{files:?}");

    let mut bob = machines.join(&address, 1, "Bob", "");
    hear_per_cent(&mut bob, 10);
    machines.write("Bob", HUGEASS, b"a person's own");
    fs::create_dir(machines.path("Bob", &hashed)).unwrap();
    assert_not_joined(
        bob,
        "The map custom_maps\\hugeass cannot be put in its place: there is another hugeass.map",
    );
    assert_eq!(machines.read("Bob", HUGEASS), b"a person's own");
    fs::remove_dir(machines.path("Bob", &hashed)).unwrap();
    let mut bob = machines.join(&address, 1, "Bob", "");
    bob.hear("playing");
    quit(bob);
    quit(host);
    assert_eq!(machines.read("Bob", HUGEASS), b"a person's own");
    assert!(machines.read("Bob", &hashed) == map);
    assert_eq!(machines.files("Bob"), files);
}

/// Two programs with one folder lack one map: the first gets it, the second is told that it is being written, and plays once it is
/// there.
#[test]
fn two_programs_with_one_folder() {
    let machines = Machines::new("maps_one_folder", 18);
    let map = machines.make("host", HUGEASS, 4 * 1024 * 1024, 43);
    let (host, address) = machines.host("--map hugeass", "map_share_upload = 2048");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 10);
    let other = format!(
        "join {address} --bind {} --name Bob --data Ann --config Ann/config.toml",
        machines.address(3)
    );
    let bob = crate::Program::start(&machines.folder, &other);
    assert_not_joined(bob, "hugeass.map.part is in the way: another process writes it");
    ann.hear("playing");
    let mut bob = crate::Program::start(&machines.folder, &other);
    bob.hear("playing");
    quit(bob);
    quit(ann);
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map);
    assert_eq!(machines.files("Ann"), ["hugeass.map"]);
}

/// MAP-23: where the port of map sharing is taken at a client it says so, and gets the map all the same.
#[test]
fn a_client_whose_port_is_taken_gets_the_map() {
    let machines = Machines::new("maps_port_client", 19);
    let map = machines.make("host", HUGEASS, 4 * PIECE, 44);
    let (host, address) = machines.host("--map hugeass", FREE);
    let _taken = taken(&machines, 2);
    let mut ann = machines.join(&address, 1, "Ann", FREE);
    ann.hear("playing");
    ann.order("quit");
    let (code, _, errors) = ann.end();
    let why =
        format!("Other machines cannot have maps from this one: port 5153 of {}: ", machines.address(2));
    assert!(code == 0 && errors.starts_with(&why), "{code}: {errors}");
    quit(host);
    assert!(machines.read("Ann", HUGEASS) == map);
}

/// MAP-23, MAP-29: where it is taken at the host it says so, and who lacks the map has it, and what its pieces are, of another
/// machine that has it; what listens at the host's port instead is no host.
#[test]
fn a_host_whose_port_is_taken_sends_nothing() {
    let machines = Machines::new("maps_port_host", 20);
    let map = machines.make("host", HUGEASS, 4 * PIECE, 45);
    machines.write("Ann", HUGEASS, &map);
    let _taken = taken(&machines, 1);
    let (mut host, address) = machines.host("--map hugeass", FREE);
    let mut ann = machines.join(&address, 1, "Ann", FREE);
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    let mut bob = machines.join(&address, 2, "Bob", FREE);
    bob.hear("playing");
    quit(bob);
    quit(ann);
    host.order("quit");
    let (code, _, errors) = host.end();
    let why =
        format!("Other machines cannot have maps from this one: port 5153 of {}: ", machines.address(1));
    assert!(code == 0 && errors.starts_with(&why), "{code}: {errors}");
    assert!(machines.read("Bob", HUGEASS) == map);
    let sent = ["host", "Ann"].map(|name| machines.traffic(name).1);
    assert_eq!(sent, [0, 4 * PIECE]);
}
