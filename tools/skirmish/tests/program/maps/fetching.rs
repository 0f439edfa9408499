//! Machines that lack a map and get it: in the lobby and in a game, with limits and without, and what is said meanwhile.

use super::{HUGEASS, Machines, assert_not_joined, fetched_by_four, hear_per_cent, per_cent, quit};

/// MAP-01, MAP-10: four clients hear at once of a map that they lack, in the lobby: each has it byte for byte, and plays. The host,
/// with its limit as it is while they have none, sends less than twice the file.
#[test]
fn four_in_the_lobby_get_the_map_and_play() {
    let machines = Machines::new("maps_lobby", 0);
    fetched_by_four(&machines, "map_seed_upload = 0", 4 * 1024 * 1024 + 12_345);
}

/// MAP-01, MAP-10, MAP-62: who joins a game in progress with the limits as they are gets the map, and plays once it is there; each
/// ten per cent are said once, and in order.
#[test]
fn one_that_joins_a_game_gets_its_map() {
    let machines = Machines::new("maps_in_progress", 1);
    let size = 3 * 1024 * 1024;
    let map = machines.make("host", HUGEASS, size, 8);
    let (mut host, address) = machines.host("--map hugeass", "");
    host.hear_of("the map placed ");
    let mut ann = machines.join(&address, 1, "Ann", "");
    ann.hear("playing");
    host.hear("Ann (machine 1) plays");
    assert!(machines.read("Ann", HUGEASS) == map);
    let said: Vec<_> = ann.said.iter().filter_map(|line| per_cent(line)).collect();
    let mut tens: Vec<_> = said.iter().map(|per_cent| per_cent / 10).collect();
    assert!(said.is_sorted(), "{said:?}");
    tens.dedup();
    assert!(tens.len() >= 8, "{said:?}");
    // Another one gets it of both.
    let mut bob = machines.join(&address, 2, "Bob", "");
    bob.hear("playing");
    quit(bob);
    quit(ann);
    quit(host);
    assert!(machines.read("Bob", HUGEASS) == map);
    assert!(machines.traffic("Ann").1 >= size / 16, "{:?}", machines.traffic("Ann"));
    assert_eq!(machines.traffic("host").1 + machines.traffic("Ann").1, size + machines.traffic("Bob").0);
}

/// MAP-14, MAP-66: with sharing off at the host, or downloads off at the client, who lacks the map does not join, and is told which
/// it is and why; a machine that has it plays.
#[test]
fn what_is_off_is_said() {
    let machines = Machines::new("maps_off", 2);
    let map = machines.make("host", HUGEASS, 5000, 9);
    let (mut host, address) = machines.host("--map hugeass", "map_share = false");
    let why = "The host does not send map custom_maps\\hugeass: its map sharing is off.";
    assert_not_joined(machines.join(&address, 1, "Ann", ""), why);
    // It brought nobody: its player waited for the map.
    host.hear("machine 1 left");
    let why = "The map custom_maps\\hugeass is not here, and map downloads are off.";
    assert_not_joined(machines.join(&address, 1, "Ann", "map_download = false"), why);
    assert!(!machines.path("Ann", "custom_maps").exists());
    machines.write("Ann", HUGEASS, &map);
    let mut ann = machines.join(&address, 1, "Ann", "map_download = false");
    ann.hear("playing");
    quit(ann);
    quit(host);
}

/// NET-44, MAP-10: a host hears who gets its map and lists it; one that quits meanwhile leaves a client that never played, and ends with 3.
#[test]
fn a_host_that_quits_meanwhile_leaves_who_never_played() {
    let machines = Machines::new("maps_host_quits", 28);
    machines.make("host", HUGEASS, 24 * 1024 * 1024, 61);
    let (mut host, address) = machines.host("--map hugeass", "");
    let mut ann = machines.join(&address, 1, "Ann", "");
    hear_per_cent(&mut ann, 1);
    host.hear("machine 1 gets custom_maps\\hugeass");
    host.order("players");
    host.hear("machine 1 gets the map");
    quit(host);
    assert_not_joined(ann, "The host has left the game.");
}

/// MAP-02: a host whose map goes before its game begins ends with 3 and says so, in place of a game that nobody can play.
#[test]
fn a_host_whose_map_is_gone_ends() {
    let machines = Machines::new("maps_host_lacks", 29);
    machines.make("host", HUGEASS, 5000, 62);
    let (mut host, _) = machines.host("--map hugeass --lobby 60", "");
    std::fs::remove_file(machines.path("host", HUGEASS)).unwrap();
    host.order("start");
    let (code, said, errors) = host.end();
    assert!(
        code == 3 && errors.contains("not hosted: The map custom_maps\\hugeass is not here"),
        "{errors}{said:?}"
    );
}
