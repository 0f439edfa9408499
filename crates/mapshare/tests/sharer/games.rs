//! Whole games: who lacks the map gets it and is let in, whatever happens to it, to its host and to the others meanwhile.

use mjolnir_mapshare::{ClientSettings, Fault, HostSettings};
use mjolnir_wire::mapshare::{File, FileSet, ProgressState};

use crate::disk::{Disk, bytes};
use crate::game::{CLIENT, Game, HOST};
use crate::said::LEVEL;

const OTHER: &str = "custom_maps\\other";
/// Twelve pieces, the last of 1 byte.
const SIZE: usize = 11 * 262_144 + 1;

fn hosts(needs: FileSet) -> Disk {
    let mut disk = clients(needs);
    disk.maps.insert(LEVEL.into(), bytes(1, SIZE));
    disk.maps.insert(OTHER.into(), bytes(2, SIZE / 2));
    disk.resources.insert(File::Sounds, bytes(3, 300_000));
    disk.resources.insert(File::Loc, bytes(4, 5));
    disk
}

fn clients(needs: FileSet) -> Disk {
    let mut disk = Disk::default();
    disk.needs = needs;
    disk
}

/// MAP-01, 11, 37, 67, 72: of four clients one has the map; the others get it and sounds.map, which it needs, byte for byte and from one
/// another too; each is held until it has all, and none longer; the resource map is hashed once.
#[test]
fn who_lacks_the_map_gets_it_and_is_let_in() {
    let needs = FileSet::only(File::Sounds);
    let mut game = Game::new(HOST, hosts(needs));
    game.join(CLIENT, hosts(needs));
    for _ in 0..3 {
        game.join(CLIENT, clients(needs));
    }
    assert_eq!(
        game.run_until(1.0, |game| game.standing(2).is_downloading && game.standing(4).is_downloading)
            .map(|at| at < 0.5),
        Some(true)
    );
    assert!(!game.standing(1).is_downloading);
    let done = game.run_until(20.0, |game| {
        for index in 1..5 {
            assert!(
                game.standing(index).is_downloading
                    || game.is_ready(index)
                    || game.network.now().as_micros() < 500_000
            );
        }
        (1..5).all(|index| game.is_ready(index))
    });
    // Three times 3.2 MB at 1 MiB a second of the host, and what the others send: by itself the host takes 9.1 s.
    let done = done.unwrap();
    assert!((3.0..9.0).contains(&done), "{done}");
    game.run_until(done + 1.0, |_| false);
    for index in 1..5 {
        let disk = &game.node(index).disk;
        assert_eq!(disk.maps[LEVEL], bytes(1, SIZE));
        assert_eq!(disk.resources[&File::Sounds], bytes(3, 300_000));
        assert!(!game.standing(index).is_downloading);
    }
    assert!(!game.node(2).disk.resources.contains_key(&File::Loc));
    assert_eq!(game.states[0], [ProgressState::HasAll]);
    let last: Vec<_> = game.states[1..].iter().map(|states| states.last().copied()).collect();
    assert_eq!(last, [Some(ProgressState::HasAll); 3]);
    // The one that had it sends it on, and so does who just got it.
    assert!(game.sent(1) > 262_144, "{}", game.sent(1));
    assert!((2..5).map(|index| game.sent(index)).sum::<u64>() > 262_144);
    assert_eq!((game.node(0).disk.hashed, game.node(0).disk.looks), (1, 1));
    assert_eq!((1..5).map(|index| game.node(index).disk.looks).collect::<Vec<_>>(), [1; 4]);
}

/// MAP-36: who seeds nothing sends no byte of a file, and the other gets all from the host.
#[test]
fn who_seeds_nothing_sends_nothing() {
    let quiet = ClientSettings { seeds: false, ..CLIENT };
    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    game.join(quiet, clients(FileSet::NONE));
    game.join(quiet, hosts(FileSet::NONE));
    game.run_until(20.0, |game| game.is_ready(1)).unwrap();
    let late = game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(40.0, |game| game.is_ready(late)).unwrap();
    assert_eq!((game.sent(1), game.sent(2)), (0, 0));
    assert!(game.sent(0) >= 2 * SIZE as u64);
    assert_eq!(game.node(late).disk.maps[LEVEL], bytes(1, SIZE));
}

/// MAP-37: the upload of a player that has just got the map is what the next one gets too.
#[test]
fn who_has_just_got_the_map_sends_it_on() {
    let fast = ClientSettings { upload: u64::MAX, ..CLIENT };
    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    let first = game.join(fast, clients(FileSet::NONE));
    game.run_until(20.0, |game| game.is_ready(first)).unwrap();
    let late = game.join(CLIENT, clients(FileSet::NONE));
    let began = game.network.now().as_micros() as f64 / 1e6;
    let done = game.run_until(began + 20.0, |game| game.is_ready(late)).unwrap();
    assert!(game.sent(first) > SIZE as u64 / 2, "{}", game.sent(first));
    assert!(done - began < 2.5, "{began} {done}");
}

/// MAP-50, 52, 85: the host changes its map at 40 %: who was downloading gets the other one, is held until then, and nobody is let in
/// before; changed back, what there was of the first is not sent again.
#[test]
fn a_host_that_changes_its_map_is_followed() {
    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    game.join(CLIENT, clients(FileSet::NONE));
    game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(20.0, |game| game.had(1) > SIZE as u64 * 2 / 5).unwrap();
    let kept = game.node(1).disk.part_pieces();
    assert!(kept >= 4);
    game.play(OTHER);
    let until = game.run_until(30.0, |game| game.is_ready(1) && game.is_ready(2));
    assert!(until.is_some());
    assert_eq!(game.node(1).disk.maps[OTHER], bytes(2, SIZE / 2));
    assert_eq!(game.whys, [None, None]);
    game.run_until(until.unwrap() + 0.5, |_| false);
    assert!(!game.standing(1).is_downloading);
    // One map's part file is kept: the first's went when the second's came. From here on it is kept.
    game.play(LEVEL);
    game.run_until(60.0, |game| game.had(1) > SIZE as u64 * 2 / 5).unwrap();
    game.play("levels\\a10\\a10");
    game.run_until(61.0, |game| game.is_ready(1) && game.had(2) == 0);
    let kept = game.node(1).disk.part_pieces();
    let before = game.network.traffic(1).1;
    game.play(LEVEL);
    game.run_until(90.0, |game| game.is_ready(1)).unwrap();
    let came = game.network.traffic(1).1 - before;
    let lacked = SIZE as u64 - u64::from(kept) * 262_144;
    assert!(kept >= 4 && (lacked..lacked + 2 * 262_144 + 50_000).contains(&came), "{kept} {came}");
    assert_eq!(game.node(1).disk.maps[LEVEL], bytes(1, SIZE));
}

/// MAP-23, 60: a host whose sharing cannot be reached, and nobody else who has the map: it is left after a minute, saying why; where
/// another has it the download goes on.
#[test]
fn a_host_that_sends_nothing_is_left() {
    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    game.network.set_cut(0, true);
    game.join(CLIENT, clients(FileSet::NONE));
    let left = game.run_until(90.0, |game| game.whys[0].is_some()).unwrap();
    assert!((60.0..61.0).contains(&left), "{left}");

    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(20.0, |game| game.had(1) > SIZE as u64 / 3).unwrap();
    game.network.set_cut(0, true);
    let cut = game.network.now().as_micros() as f64 / 1e6;
    let left = game.run_until(90.0, |game| game.whys[0].is_some()).unwrap();
    assert!((59.5..61.0).contains(&(left - cut)), "{left} {cut}");
    assert!(game.whys[0].as_ref().unwrap().contains("minute"));
    assert!(game.node(1).disk.part_pieces() >= 3);

    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    game.join(CLIENT, hosts(FileSet::NONE));
    game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(20.0, |game| game.had(2) > SIZE as u64 / 3).unwrap();
    game.network.set_cut(0, true);
    game.run_until(60.0, |game| game.is_ready(2)).unwrap();
    assert_eq!(game.node(2).disk.maps[LEVEL], bytes(1, SIZE));
}

/// MAP-14, 53: whose disk is full leaves with that, and who is not offered the map with that; the others play.
#[test]
fn who_cannot_have_it_leaves_alone() {
    let mut game = Game::new(HOST, hosts(FileSet::NONE));
    let mut full = clients(FileSet::NONE);
    full.fault = Some(Fault::Disk("no space left".into()));
    game.join(CLIENT, full);
    game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(20.0, |game| game.is_ready(2)).unwrap();
    assert!(game.whys[0].as_ref().unwrap().contains("no space left"));
    game.host.set_settings(HostSettings { shares: false, ..HOST });
    let late = game.join(CLIENT, clients(FileSet::NONE));
    game.run_until(30.0, |game| game.whys[late - 1].is_some()).unwrap();
    assert!(game.whys[late - 1].as_ref().unwrap().contains("sharing is off"));
    assert!(game.is_ready(2));
}
