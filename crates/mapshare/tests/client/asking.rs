//! Whether the map is there, what is asked of the host, and what its answers come to.

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::{ClientSettings, Error, Offered, Order};
use mjolnir_wire::mapshare::{File, FileSet, Offer, Refusal, Request};
use mjolnir_wire::{Kind, Machine, MachineSet};

use crate::maps::{hash, level};
use crate::said::{LEVEL, machine, outbox, seconds};
use crate::scene::{ON, RESOURCES, SIZE, SOUNDS, Scene, Told, VERSION, game, map, offer, refusal};

fn asked(lacked: FileSet) -> Vec<Told> {
    vec![Told::Asked(Request { lacked, level: level(LEVEL) })]
}

/// MAP-03, 05: the settings' map is looked for by its name and its version, once however often they come; another version is another
/// map.
#[test]
fn a_map_is_looked_for_once_by_name_and_version() {
    let mut scene = Scene::with(ON);
    assert_eq!(scene.orders(), []);
    assert_eq!(scene.client.standing(), Standing::Unnamed);
    for _ in 0..3 {
        scene.client.handle_settings(LEVEL, VERSION);
    }
    let look = |order: &Order| match order {
        Order::Look { level, version, .. } => Some((level.clone(), *version)),
        _ => None,
    };
    let orders = scene.orders();
    assert_eq!(orders.iter().filter_map(look).collect::<Vec<_>>(), [(LEVEL.to_owned(), Some(VERSION))]);
    assert_eq!((orders.len(), scene.client.standing()), (1, Standing::Looking));
    let Order::Look { ticket, .. } = orders[0] else { return };
    let news = mjolnir_mapshare::News::Looked {
        ticket,
        map: Ok(Some(map(FileSet::NONE))),
        resources: FileSet::NONE,
    };
    scene.client.handle_news(news);
    assert_eq!(scene.client.standing(), Standing::Ready { file: Some("hugeass.map") });
    scene.client.handle_settings(LEVEL, VERSION);
    assert_eq!(scene.orders(), [Order::Share(game(Some(262_144)))]);
    scene.client.handle_settings(LEVEL, VERSION + 1);
    let orders = scene.orders();
    assert_eq!(orders[0], Order::Leave);
    assert_eq!(look(&orders[1]), Some((LEVEL.to_owned(), Some(VERSION + 1))));
    // A file of the name and another version is none.
    let Order::Look { ticket, .. } = orders[1] else { return };
    let news =
        mjolnir_mapshare::News::Looked { ticket, map: Ok(Some(map(FileSet::NONE))), resources: RESOURCES };
    scene.client.handle_news(news);
    assert_eq!(scene.client.standing(), Standing::Asking);
}

/// MAP-05: what is no custom map is there, and nothing is ordered; before settings have come, or without a host, nothing is there.
#[test]
fn a_map_of_the_games_own_is_there() {
    let mut scene = Scene::with(ON);
    scene.client.handle_settings("", 0);
    assert!(!scene.client.may_load() && scene.client.standing() == Standing::Unnamed);
    scene.client.handle_settings("levels\\test\\bloodgulch\\bloodgulch", 5);
    assert_eq!(scene.client.standing(), Standing::Ready { file: None });
    assert!(scene.client.may_load());
    assert_eq!((scene.orders(), scene.run_to(5.0)), (vec![], vec![]));
    scene.client.end_session();
    scene.client.handle_settings(LEVEL, VERSION);
    assert_eq!(scene.orders(), []);
    assert_eq!(scene.client.standing(), Standing::Unnamed);
}

/// MAP-09, 67: what is not there of the level's files is asked for, in one request of 140 bytes: the map and the resource maps that are
/// not there, or with the map those that it needs.
#[test]
fn what_is_lacked_is_asked_for() {
    for (there, resources, lacked) in [
        (None, FileSet::NONE, FileSet::MAP.or(RESOURCES)),
        (None, SOUNDS, FileSet::MAP.with(File::Bitmaps).with(File::Loc)),
        (None, RESOURCES, FileSet::MAP),
        (Some(SOUNDS.with(File::Loc)), FileSet::only(File::Loc), SOUNDS),
    ] {
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(LEVEL, VERSION);
        assert_eq!(scene.poll(), []);
        scene.looked(Ok(there.map(map)), resources);
        assert_eq!(scene.poll(), asked(lacked));
        assert_eq!((scene.run_to(29.0), scene.orders()), (vec![], vec![]));
    }
    let mut scene = Scene::lacking(ON);
    let mut outbox = outbox();
    scene.client.poll(scene.now, &mut outbox);
    let mut bytes = Vec::new();
    outbox.gather_stream(Machine::HOST, &mut bytes);
    assert_eq!(bytes.len(), 140);
    // A map that needs nothing that is not there needs no asking.
    let mut scene = Scene::with(ON);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(Some(map(SOUNDS))), SOUNDS);
    assert!(scene.client.may_load());
}

/// MAP-66: where it may not download, nothing is asked, and what it leaves with names the map.
#[test]
fn without_downloads_it_leaves_with_the_maps_name() {
    let off = ClientSettings { downloads: false, ..ON };
    for (there, missing) in [(None, "hugeass"), (Some(map(SOUNDS)), "sounds.map")] {
        let mut scene = Scene::with(off);
        scene.client.handle_settings(LEVEL, VERSION);
        scene.looked(Ok(there), FileSet::NONE);
        assert_eq!((scene.poll(), scene.orders()), (vec![], vec![]));
        let why = scene.why().unwrap();
        assert!(why.contains(LEVEL) && why.contains(missing), "{why}");
    }
    let mut scene = Scene::with(off);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(Some(map(FileSet::NONE))), FileSet::NONE);
    assert!(scene.client.may_load());
}

/// MAP-17: the file of the version that is played, unplayable as it stands, is not asked for; one that cannot be read is.
#[test]
fn a_map_of_another_version_of_the_game_is_not_asked_for() {
    let mut scene = Scene::with(ON);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Err(Refusal::NotTheGamesVersion), RESOURCES);
    assert_eq!(scene.poll(), []);
    assert!(scene.why().unwrap().contains("another version"));
    let mut scene = Scene::with(ON);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Err(Refusal::CannotBeRead), RESOURCES);
    assert_eq!(scene.poll(), asked(FileSet::MAP));
}

/// MAP-19, 20: a map whose name is no file's on some system is not asked for; one that is there is played whatever its name.
#[test]
fn a_name_that_no_map_may_have_is_not_asked_for() {
    let long = "x".repeat(65);
    for name in ["CON", "con.x", "Aux", "LPT9", "..\\x", "a/b", "a\\b", "", "x.", "a:b", &long] {
        let of = format!("custom_maps\\{name}");
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(&of, VERSION);
        scene.looked(Ok(None), RESOURCES);
        assert_eq!(scene.poll(), [], "{name}");
        assert!(scene.why().unwrap().contains("name"), "{name}");
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(&of, VERSION);
        scene.looked(Ok(Some(map(FileSet::NONE))), RESOURCES);
        assert!(scene.client.may_load(), "{name}");
    }
    for name in ["console", "x", &long[1..]] {
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(&format!("custom_maps\\{name}"), VERSION);
        scene.looked(Ok(None), RESOURCES);
        assert_eq!(scene.poll().len(), 1, "{name}");
    }
    // What no request can name is not looked for either.
    for name in ["caf\u{e9}", "a\nb", &"y".repeat(128)] {
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(&format!("custom_maps\\{name}"), VERSION);
        assert_eq!(scene.orders(), [], "{name}");
        assert!(scene.why().unwrap().contains("name"), "{name}");
    }
}

/// MAP-61: a host that does not answer within 30 seconds is left.
#[test]
fn a_host_that_does_not_answer_is_left() {
    let mut scene = Scene::lacking(ON);
    scene.run_to(3.0);
    assert_eq!(scene.line(), Some(("Asking the host for hugeass".into(), None)));
    scene.now = seconds(30.0);
    assert_eq!((scene.poll(), scene.why()), (vec![], None));
    scene.now = seconds(30.0999);
    assert_eq!((scene.poll(), scene.why()), (vec![], None));
    scene.now = seconds(30.1);
    scene.poll();
    assert!(scene.why().unwrap().contains("did not say"));
    assert_eq!(scene.line(), None);
}

/// MAP-18: a file as large as the loader takes is downloaded, one of a byte more is not, before a byte of it is asked for.
#[test]
fn no_file_is_larger_than_the_loader_takes() {
    let most = [SIZE.into(), 1, 2_000, 3];
    for (file, size) in [(File::Map, SIZE), (File::Sounds, 2_000)] {
        for over in [0, 1] {
            let mut scene = Scene::lacking(ClientSettings { most, ..ON });
            scene.poll();
            let mut offers = vec![offer(File::Map, SIZE)];
            offers.retain(|offer| offer.file != file);
            offers.push(offer(file, size + over));
            assert_eq!(scene.offers(&offers), Ok(()));
            let is_downloading = matches!(scene.client.standing(), Standing::Downloading { .. });
            assert_eq!((is_downloading, scene.orders().is_empty()), (over == 0, over == 1), "{file:?}");
            assert_eq!(scene.why().is_some_and(|why| why.contains("larger")), over == 1);
        }
    }
}

/// MAP-14, 69: each reason why nothing is offered is a text to leave with; also why a resource map that is needed is not.
#[test]
fn a_refusal_is_a_text_to_leave_with() {
    let mut texts = std::collections::BTreeSet::new();
    for why in [
        Refusal::SharingOff,
        Refusal::NotTheGamesMap,
        Refusal::NotTheGamesVersion,
        Refusal::CannotBeRead,
        Refusal::TooLarge,
    ] {
        let mut scene = Scene::asking();
        assert_eq!(scene.offers(&[refusal(File::Map, why)]), Ok(()));
        texts.insert(scene.why().unwrap());
        let mut scene = Scene::asking();
        let offers = [offer(File::Map, SIZE), refusal(File::Sounds, why)];
        assert_eq!(scene.offers(&offers), Ok(()));
        assert!(scene.why().unwrap().contains("sounds.map"));
        assert_eq!(scene.orders(), []);
        // It lacks a resource map alone: a refusal of the map is one of all.
        let mut scene = Scene::with(ON);
        scene.client.handle_settings(LEVEL, VERSION);
        scene.looked(Ok(Some(map(SOUNDS))), FileSet::NONE);
        scene.poll();
        assert_eq!(scene.offers(&[refusal(File::Map, why)]), Ok(()));
        assert!(scene.why().is_some());
    }
    assert_eq!(texts.len(), 5);
}

/// MAP-69: a status that is none is refused, and nobody leaves for it.
#[test]
fn an_offer_that_is_none_changes_nothing() {
    let mut scene = Scene::asking();
    for (at, byte) in [(41, 6), (40, 4)] {
        let mut outbox = outbox();
        let to = MachineSet::only(machine(3));
        let write = |bytes: &mut Vec<u8>| {
            let from = bytes.len();
            offer(File::Map, SIZE).write(bytes);
            bytes[from + at] = byte;
        };
        outbox.reliable_entry(to, Kind::MapShareOffer, write).unwrap();
        assert_eq!(scene.hear(&outbox), Err(Error::Malformed));
        assert_eq!(scene.client.standing(), Standing::Asking);
    }
    assert_eq!(scene.run_to(20.0), []);
    scene.offers(&[offer(File::Map, SIZE)]).unwrap();
    assert_eq!(scene.offers(&[offer(File::Map, SIZE)]), Err(Error::NotAsked));
}

/// MAP-67: of what is offered only what is lacked is downloaded; what leaves out some of what is needed is no answer.
#[test]
fn only_what_is_lacked_is_downloaded() {
    let mut scene = Scene::with(ON);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(Some(map(SOUNDS.with(File::Loc)))), FileSet::NONE);
    scene.poll();
    let [whole, sounds, loc] = [offer(File::Map, SIZE), offer(File::Sounds, 5), offer(File::Loc, 6)];
    assert_eq!(scene.offers(&[whole, sounds]), Err(Error::Incomplete));
    assert_eq!(scene.offers(&[whole, sounds, loc, offer(File::Bitmaps, 9)]), Ok(()));
    let offered = |file, size, of| Offered { file, size, hash: hash(of) };
    let offers = Box::new([offered(File::Sounds, 5, 2), offered(File::Loc, 6, 3)]);
    let download = Order::Download { level: LEVEL.into(), offers };
    assert_eq!(scene.orders(), [Order::Share(game(Some(262_144))), download]);
    assert_eq!(scene.client.standing(), Standing::Downloading { had: 0, total: 11 });

    let mut scene = Scene::asking();
    assert_eq!(scene.offers(&[offer(File::Sounds, 5)]), Err(Error::Incomplete));
    assert_eq!(scene.client.standing(), Standing::Asking);
}

/// MAP-70: an offer of another version is ignored and asked for again, five seconds after it was asked for last; one of the right
/// version whose hash is another map's is refused, and left for.
#[test]
fn an_offer_is_of_the_settings_version() {
    let earlier = Offer { map_version: 5, answer: Ok((SIZE, hash(5))), ..offer(File::Map, SIZE) };
    let mut scene = Scene::asking();
    scene.run_to(1.0);
    assert_eq!(scene.offers(&[earlier]), Err(Error::OtherVersion));
    let why = Offer { map_version: 5, ..refusal(File::Map, Refusal::SharingOff) };
    assert_eq!(scene.offers(&[why]), Err(Error::OtherVersion));
    let told = scene.run_to(29.0);
    assert_eq!(told.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [5.0]);
    // It is the same wait: whoever is always late is left too.
    scene.now = seconds(29.9);
    assert_eq!((scene.offers(&[earlier]), scene.why()), (Err(Error::OtherVersion), None));
    scene.now = seconds(30.0);
    scene.poll();
    assert!(scene.why().is_some());

    let mut scene = Scene::asking();
    let wrong = Offer { answer: Ok((SIZE, hash(VERSION ^ 0x0100_0000))), ..offer(File::Map, SIZE) };
    assert_eq!(scene.offers(&[wrong]), Ok(()));
    assert!(scene.why().unwrap().contains("another map"));
    assert_eq!(scene.orders(), []);
}

/// MAP-70: the answer to what was asked for the map before, which says the new map's version, is not the new map's: it is asked again.
#[test]
fn a_refusal_of_the_map_before_is_not_of_this_one() {
    let mut scene = Scene::with(ON);
    scene.client.handle_settings("custom_maps\\before", 9);
    scene.looked(Ok(None), RESOURCES);
    scene.poll();
    scene.now = seconds(1.0);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(None), RESOURCES);
    // No sooner than five seconds after the one before, though it is of another map.
    let told = scene.run_to(20.0);
    assert_eq!(told, [(5.0, asked(FileSet::MAP)[0].clone())]);
    let why = refusal(File::Map, Refusal::NotTheGamesMap);
    assert_eq!(scene.offers(&[why]), Err(Error::Stale));
    assert_eq!(scene.poll(), asked(FileSet::MAP));
    assert_eq!(scene.offers(&[why]), Ok(()));
    assert!(scene.why().is_some());
}
