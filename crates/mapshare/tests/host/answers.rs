//! What is looked for, and what who asks is answered.

use mjolnir_mapshare::host::MapState;
use mjolnir_mapshare::{Error, Found, Game, Host, HostSettings, News, Order};
use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::{File, FileSet, ProgressState, Refusal};

use crate::maps::{found, hash};
use crate::said::{LEVEL, machine, seconds};
use crate::scene::{ON, SIZE, Scene, Told, VERSION, offer, refusal};

const ALL: FileSet = FileSet::MAP.with(File::Bitmaps).with(File::Sounds).with(File::Loc);
const SOUNDS: FileSet = FileSet::only(File::Sounds);

fn hashed(scene: &mut Scene, order: &Order, answer: Result<u32, Refusal>) {
    let Order::Hash { ticket, file } = *order else { panic!("{order:?}") };
    let answer = answer.map(|size| (size, hash(u32::from(file.get()))));
    scene.host.handle_news(News::Hashed { ticket, file, answer });
}

/// MAP-02, 05: a host put on a custom map looks for it once, of whatever version, and by its hash knows its version; the same level
/// again is no other game.
#[test]
fn a_custom_map_is_looked_for_once() {
    let mut scene = Scene { host: Host::new(ON), now: seconds(0.0) };
    assert_eq!(scene.orders(), []);
    scene.host.set_game(LEVEL, 0);
    scene.host.set_game(LEVEL, 0);
    let orders = scene.orders();
    assert!(
        matches!(&orders[..], [Order::Look { level, version: None, .. }] if level == LEVEL),
        "{orders:?}"
    );
    assert_eq!((scene.host.version(), scene.host.map()), (None, MapState::Looking));
    let Order::Look { ticket, .. } = orders[0] else { return };
    let map = found(VERSION, SIZE, FileSet::NONE);
    let other = News::Looked { ticket: ticket + 1, map: Ok(None), resources: FileSet::NONE };
    scene.host.handle_news(other);
    assert_eq!(scene.host.map(), MapState::Looking);
    scene.host.handle_news(News::Looked { ticket, map: Ok(Some(map.clone())), resources: FileSet::NONE });
    assert_eq!((scene.host.version(), scene.host.map()), (Some(VERSION), MapState::Found(&map)));
    scene.host.set_game(LEVEL, 0);
    let game = Game { machine: Machine::HOST, map_version: VERSION, host: None, upload: Some(1_048_576) };
    assert_eq!(scene.orders(), [Order::Share(game), Order::Members(Box::new([]))]);
}

/// MAP-05: a level that is none of custom maps is never looked for.
#[test]
fn a_level_of_the_games_own_is_not_looked_for() {
    let mut scene = Scene { host: Host::new(ON), now: seconds(0.0) };
    scene.host.set_game("levels\\test\\bloodgulch\\bloodgulch", 0);
    assert_eq!((scene.orders(), scene.host.map(), scene.host.version()), (vec![], MapState::Plain, None));
    scene.host.join(machine(1), None);
    scene.ask(1, ALL, "levels\\test\\bloodgulch\\bloodgulch").unwrap();
    assert_eq!(scene.poll(), [(machine(1), refusal(File::Map, 0, Refusal::CannotBeRead))]);
}

/// MAP-43: who may connect is said as it changes, and only while files are shared.
#[test]
fn members_are_told_as_they_change() {
    let mut scene = Scene::looking();
    scene.host.join(machine(9), None);
    scene.host.join(Machine::HOST, Some("192.168.1.1".parse().unwrap()));
    scene.looked(Ok(Some(found(VERSION, SIZE, FileSet::NONE))));
    let members = |orders: Vec<Order>| match orders.into_iter().next_back() {
        Some(Order::Members(members)) => members.iter().map(|(machine, ip)| (machine.get(), *ip)).collect(),
        _ => vec![],
    };
    let ip = |text: &str| text.parse().unwrap();
    let three = [(1, ip("192.168.1.1")), (2, ip("192.168.1.2")), (3, ip("192.168.1.3"))];
    assert_eq!(members(scene.orders()), three);
    assert_eq!(scene.orders(), []);
    scene.host.leave(machine(2));
    scene.host.leave(machine(2));
    scene.host.join(machine(4), Some(ip("::ffff:10.0.0.4")));
    assert_eq!(members(scene.orders()), [three[0], three[2], (4, ip("10.0.0.4"))]);
    assert_eq!(scene.orders(), []);
}

/// MAP-13, 67: the answer comes when the map and what it needs of what is lacked are hashed, once; it lists nothing that the map does
/// not need or the machine has, and a resource map is hashed once a run, whoever asks in whichever game.
#[test]
fn an_answer_comes_once_when_it_is_known() {
    let mut scene = Scene::looking();
    scene.ask(1, ALL, LEVEL).unwrap();
    assert_eq!(scene.run_to(3.0), []);
    scene.looked(Ok(Some(found(VERSION, SIZE, SOUNDS.with(File::Loc)))));
    scene.orders();
    assert_eq!(scene.poll(), []);
    let orders = scene.orders();
    assert_eq!(orders.len(), 2);
    scene.ask(2, FileSet::MAP.or(SOUNDS), LEVEL).unwrap();
    assert_eq!(scene.run_to(7.0), []);
    hashed(&mut scene, &orders[0], Ok(5_000));
    let sounds = offer(File::Sounds, 5_000, File::Sounds.get().into());
    let map = offer(File::Map, SIZE, VERSION);
    assert_eq!(
        scene.poll(),
        [(machine(2), Told::Offers(vec![map, sounds])), (machine(2), Told::Sources(vec![]))]
    );
    hashed(&mut scene, &orders[1], Ok(6_000));
    let loc = offer(File::Loc, 6_000, File::Loc.get().into());
    let told = scene.poll();
    assert_eq!(told[0], (machine(1), Told::Offers(vec![map, sounds, loc])));
    assert_eq!(told.len(), 2);
    scene.ask(3, SOUNDS, LEVEL).unwrap();
    assert_eq!(scene.poll()[0], (machine(3), Told::Offers(vec![sounds])));

    scene.host.set_game("custom_maps\\other", 0);
    scene.looked(Ok(Some(found(5, SIZE, SOUNDS))));
    scene.orders();
    scene.run_to(13.0);
    scene.ask(1, SOUNDS, "custom_maps\\other").unwrap();
    let told = scene.poll();
    assert!(matches!(&told[0].1, Told::Offers(offers) if offers[0].answer == sounds.answer), "{told:?}");
    assert_eq!(scene.orders(), []);
}

/// MAP-14, 17, 68, 69: why nothing is offered, of the game's version.
#[test]
fn a_request_is_refused_for_its_reason() {
    let mut scene = Scene::new();
    scene.ask(1, FileSet::MAP, "custom_maps\\other").unwrap();
    assert_eq!(scene.poll(), [(machine(1), refusal(File::Map, VERSION, Refusal::NotTheGamesMap))]);
    assert!(!scene.standing(1).is_downloading);
    scene.host.set_settings(HostSettings { shares: false, ..ON });
    scene.ask(2, FileSet::MAP, LEVEL).unwrap();
    assert_eq!(scene.poll(), [(machine(2), refusal(File::Map, VERSION, Refusal::SharingOff))]);

    for why in [Refusal::NotTheGamesVersion, Refusal::CannotBeRead, Refusal::TooLarge] {
        let mut scene = Scene::looking();
        scene.ask(1, ALL, LEVEL).unwrap();
        scene.looked(Err(why));
        assert_eq!(scene.host.map(), MapState::Lacking(Some(why)));
        assert_eq!(scene.poll(), [(machine(1), refusal(File::Map, 0, why))]);
        assert_eq!(scene.orders(), []);
    }
    let mut scene = Scene::looking();
    scene.looked(Ok(None));
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    assert_eq!(scene.poll(), [(machine(1), refusal(File::Map, 0, Refusal::CannotBeRead))]);
}

/// MAP-69: a resource map that cannot be offered is refused alone, and looked at anew for who asks next.
#[test]
fn a_resource_map_is_refused_alone() {
    for why in [Refusal::TooLarge, Refusal::CannotBeRead] {
        let mut scene = Scene::needing(SOUNDS.with(File::Loc));
        scene.ask(1, ALL, LEVEL).unwrap();
        scene.poll();
        let orders = scene.orders();
        hashed(&mut scene, &orders[0], Err(why));
        // Only when all is known is anything tried again.
        assert_eq!((scene.poll(), scene.orders()), (vec![], vec![]));
        hashed(&mut scene, &orders[1], Err(why));
        let told = scene.poll();
        let Told::Offers(offers) = &told[0].1 else { panic!("{told:?}") };
        let answers: Vec<_> = offers.iter().map(|offer| (offer.file, offer.answer.err())).collect();
        assert_eq!(answers, [(File::Map, None), (File::Sounds, Some(why)), (File::Loc, Some(why))]);
        scene.ask(2, SOUNDS, LEVEL).unwrap();
        scene.poll();
        let orders = scene.orders();
        assert!(matches!(orders[..], [Order::Hash { file: File::Sounds, .. }]), "{orders:?}");
    }
}

/// MAP-58: of three requests in a second the first is answered at once and the third at five seconds; so each machine has its turn of
/// its own.
#[test]
fn requests_are_taken_five_seconds_apart() {
    let mut scene = Scene::new();
    let mut told = Vec::new();
    scene.now = seconds(1.0);
    for (at, of) in [(1.0, LEVEL), (1.4, "custom_maps\\b"), (1.9, "custom_maps\\c")] {
        told.extend(scene.run_to(at));
        scene.ask(1, FileSet::MAP, of).unwrap();
        if at == 1.4 {
            scene.ask(2, FileSet::MAP, LEVEL).unwrap();
        }
        told.extend(scene.poll().into_iter().map(|(to, what)| (at, to, what)));
    }
    told.extend(scene.run_to(12.0));
    let offers = |of: u8| -> Vec<f64> {
        let of =
            |(_, to, what): &&(f64, Machine, Told)| *to == machine(of) && matches!(what, Told::Offers(_));
        told.iter().filter(of).map(|(at, ..)| *at).collect()
    };
    assert_eq!(offers(1), [1.0, 6.0]);
    assert_eq!(offers(2), [1.4]);
    let last = told.iter().rev().find(|(_, to, what)| *to == machine(1) && matches!(what, Told::Offers(_)));
    assert_eq!(last.unwrap().2, refusal(File::Map, VERSION, Refusal::NotTheGamesMap));
}

/// MAP-58: the turn is kept when the game's map changes, and what waited is judged by the map that is there when it is taken.
#[test]
fn a_change_of_map_gives_no_turn() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.now = seconds(1.0);
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    scene.host.set_game("custom_maps\\other", 0);
    scene.looked(Ok(Some(found(5, SIZE, FileSet::NONE))));
    scene.now = seconds(4.99);
    assert_eq!(scene.poll(), []);
    scene.now = seconds(5.0);
    assert_eq!(scene.poll(), [(machine(1), refusal(File::Map, 5, Refusal::NotTheGamesMap))]);
}

/// MAP-85: with another map everything begins anew: its connections close, who was downloading is not, and who asked is answered no
/// more.
#[test]
fn another_map_begins_anew() {
    let mut scene = Scene::new();
    scene.fetch(1);
    scene.progress(1, 0, ProgressState::HasAll).unwrap();
    scene.fetch(2);
    scene.ask(3, FileSet::MAP, LEVEL).unwrap();
    scene.host.set_game("custom_maps\\other", 0);
    let orders = scene.orders();
    assert!(
        matches!(&orders[..], [Order::Leave, Order::Look { level, .. }] if level == "custom_maps\\other")
    );
    assert_eq!(scene.standing(2), Default::default());
    assert_eq!(scene.progress(2, 5, ProgressState::Downloading), Err(Error::OtherVersion));
    let Order::Look { ticket, .. } = orders[1] else { return };
    let map = Ok(Some(found(5, SIZE, FileSet::NONE)));
    scene.host.handle_news(News::Looked { ticket, map, resources: FileSet::NONE });
    // What came for the map before and was not taken is of another level now; nobody else is told anything.
    assert_eq!(scene.run_to(20.0), [(0.1, machine(3), refusal(File::Map, 5, Refusal::NotTheGamesMap))]);
    scene.ask(2, FileSet::MAP, "custom_maps\\other").unwrap();
    let told = scene.poll();
    assert_eq!(told[1], (machine(2), Told::Sources(vec![])));
}

/// MAP-13, 85: after twenty maps, some of which needed resource maps, who asks is offered the one that is played, and what it needs.
#[test]
fn after_twenty_maps_one_is_offered() {
    let mut scene = Scene { host: Host::new(ON), now: seconds(0.0) };
    scene.host.join(machine(1), Some("10.0.0.1".parse().unwrap()));
    for number in 1..=20_u32 {
        let level = format!("custom_maps\\map{number}");
        scene.host.set_game(&level, 0);
        let needs = if number % 2 == 0 { FileSet::NONE } else { SOUNDS };
        scene.looked(Ok(Some(found(number, SIZE, needs))));
        scene.now = seconds(10.0 * f64::from(number));
        scene.ask(1, ALL, &level).unwrap();
        let mut told = scene.poll();
        for order in scene.orders().iter().filter(|order| matches!(order, Order::Hash { .. })) {
            hashed(&mut scene, order, Ok(9));
            told = scene.poll();
        }
        let Told::Offers(offers) = &told[0].1 else { panic!("{told:?}") };
        assert!(offers.iter().all(|offer| offer.map_version == number), "{offers:?}");
        let files: Vec<File> = offers.iter().map(|offer| offer.file).collect();
        let wanted = if number % 2 == 0 { vec![File::Map] } else { vec![File::Map, File::Sounds] };
        assert_eq!(files, wanted, "{number}");
    }
}

/// MAP-34: what is shared is as the settings are by now.
#[test]
fn settings_change_what_is_shared() {
    let mut scene = Scene::new();
    scene.host.set_settings(ON);
    assert_eq!(scene.orders(), []);
    scene.host.set_settings(HostSettings { upload: 5, ..ON });
    let game = Game { machine: Machine::HOST, map_version: VERSION, host: None, upload: Some(5) };
    assert_eq!(scene.orders(), [Order::Share(game)]);
    scene.host.set_settings(HostSettings { shares: false, ..ON });
    scene.host.leave(machine(3));
    assert_eq!(scene.orders(), [Order::Leave]);
    scene.host.set_settings(HostSettings { upload: 5, ..ON });
    let orders = scene.orders();
    assert!(
        matches!(&orders[..], [Order::Share(_), Order::Members(members)] if members.len() == 2),
        "{orders:?}"
    );
}

/// MAP-69: a map that changes on the disk while it is shared is offered no more; a resource map is hashed anew.
#[test]
fn a_file_that_is_lost_is_not_offered() {
    let mut scene = Scene::needing(SOUNDS);
    scene.ask(1, SOUNDS, LEVEL).unwrap();
    scene.poll();
    let orders = scene.orders();
    hashed(&mut scene, &orders[0], Ok(9));
    scene.poll();
    scene.host.handle_news(News::Lost(File::Sounds));
    scene.host.handle_news(News::Lost(File::Map));
    scene.ask(2, FileSet::MAP, LEVEL).unwrap();
    assert_eq!(scene.poll(), [(machine(2), refusal(File::Map, VERSION, Refusal::CannotBeRead))]);
    scene.ask(3, SOUNDS, LEVEL).unwrap();
    assert_eq!(scene.poll(), []);
    assert_eq!(scene.orders().len(), 1);
}

/// MAP-35, 69: a loss of the map before, which is heard of when the game has another already, is not the other's: that is offered. One
/// that is heard of later is.
#[test]
fn a_loss_of_the_map_before_is_none_of_this_one() {
    let mut scene = Scene::new();
    scene.host.set_game("custom_maps\\next", 0);
    scene.host.handle_news(News::Lost(File::Map));
    scene.looked(Ok(Some(found(5, SIZE, FileSet::NONE))));
    scene.ask(1, FileSet::MAP, "custom_maps\\next").unwrap();
    let told = scene.poll();
    assert!(
        matches!(&told[0].1, Told::Offers(offers) if offers[0].answer == Ok((SIZE, hash(5)))),
        "{told:?}"
    );
    scene.host.handle_news(News::Lost(File::Map));
    scene.ask(2, FileSet::MAP, "custom_maps\\next").unwrap();
    assert_eq!(scene.poll(), [(machine(2), refusal(File::Map, 5, Refusal::CannotBeRead))]);
}

/// MAP-03, 05: what is answered before this host's look was handed on is of who ordered before it in its process.
#[test]
fn an_answer_to_the_game_before_is_none_of_this_one() {
    let mut before = Scene { host: Host::new(ON), now: seconds(0.0) };
    before.host.set_game("custom_maps\\other", 0);
    let [Order::Look { ticket, .. }] = before.orders()[..] else { panic!() };
    let mut scene = Scene::looking();
    scene.host.handle_news(News::Looked { ticket, map: Ok(None), resources: FileSet::NONE });
    assert_eq!(scene.host.map(), MapState::Looking);
    scene.looked(Ok(Some(found(VERSION, SIZE, FileSet::NONE))));
    assert_eq!(scene.host.version(), Some(VERSION));
}

/// MAP-02, 07: a further version of a name is named by its file, and is a game of the map's own name and that version once it is found:
/// so it is asked for. What the settings say by then is no other game; the name alone, or another version of it, is.
#[test]
fn a_second_version_is_hosted_under_its_own_name() {
    const FILE: &str = "custom_maps\\hugeass_0e2b3ee4";
    let beside = || Found { name: "hugeass_0e2b3ee4.map".into(), ..found(VERSION, SIZE, FileSet::NONE) };
    let hosted = || {
        let mut scene = Scene { host: Host::new(ON), now: seconds(0.0) };
        scene.host.join(machine(1), None);
        scene.host.set_game(FILE, 0);
        assert_eq!(scene.host.level(), FILE);
        scene.looked(Ok(Some(beside())));
        assert_eq!((scene.host.level(), scene.host.version()), (LEVEL, Some(VERSION)));
        scene.orders();
        scene
    };
    for (level, version) in [(LEVEL, VERSION), (FILE, 0), (FILE, VERSION)] {
        let mut scene = hosted();
        scene.host.set_game(level, version);
        assert_eq!((scene.orders(), scene.host.map()), (vec![], MapState::Found(&beside())));
        scene.fetch(1);
    }
    for (level, version) in [(LEVEL, 0), (LEVEL, VERSION ^ 1), ("custom_maps\\next", VERSION)] {
        let mut scene = hosted();
        scene.host.set_game(level, version);
        let orders = scene.orders();
        let [Order::Leave, Order::Look { level: looked, .. }] = &orders[..] else { panic!("{orders:?}") };
        assert_eq!((&looked[..], scene.host.level(), scene.host.version()), (level, level, None));
    }
    // Digits that are not its hash's are part of its name.
    let mut scene = Scene { host: Host::new(ON), now: seconds(0.0) };
    scene.host.set_game("custom_maps\\hugeass_20190704", 0);
    scene.looked(Ok(Some(Found { name: "hugeass_20190704.map".into(), ..beside() })));
    assert_eq!(scene.host.level(), "custom_maps\\hugeass_20190704");
}

/// WIRE-98: who is not in the game, and who tells of what it did not ask for, changes nothing.
#[test]
fn what_may_not_be_said_is_refused() {
    let mut scene = Scene::new();
    assert_eq!(scene.ask(7, FileSet::MAP, LEVEL), Err(Error::NotJoined));
    assert_eq!(scene.ask(0, FileSet::MAP, LEVEL), Err(Error::NotJoined));
    assert_eq!(scene.progress(7, 0, ProgressState::HasAll), Err(Error::NotJoined));
    for state in [ProgressState::Checking, ProgressState::Downloading, ProgressState::Stopped] {
        assert_eq!(scene.progress(1, 0, state), Err(Error::NotAsked));
    }
    assert_eq!(scene.run_to(15.0), []);
    assert_eq!(scene.standing(1), Default::default());
    // Who leaves is forgotten, whoever comes with its number.
    scene.fetch(2);
    scene.host.leave(machine(2));
    scene.host.join(machine(2), None);
    assert_eq!(scene.standing(2), Default::default());
    scene.host.handle_news(News::Word("disk: slow".into()));
    assert_eq!(scene.host.words().collect::<Vec<_>>(), ["disk: slow"]);
}
