//! Who lacks the map has it from the host, plays on it, and keeps what it had.

use super::*;
use mjolnir_mapshare::hash::{of_piece, of_pieces};

/// MAP-01, 49, 62: a client that lacks a map of 3 MiB joins a game on it, has it byte for byte and plays, within its size through the
/// host's 1 MiB a second and 15 s. What its screen says of it goes up to the whole and is gone then.
#[test]
fn who_lacks_the_map_gets_it_and_plays() {
    let mut lab = game(8101, with_map());
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    let mut shown = Vec::new();
    let took = seconds_until(&mut lab, "it plays", 30, |lab| {
        let had = files.folder.get(PART).map_or(0, |part| part.len());
        if let Some(percent) = percent(lab, place)
            && shown.last() != Some(&percent)
        {
            shown.push(percent);
            assert!(usize::from(percent) <= had.min(SIZE) * 100 / SIZE + 1 || had == 0, "{percent} {had}");
        }
        plays(lab, place)
    });
    assert!((3.0..18.0).contains(&took), "{took} s");
    assert!(shown.windows(2).all(|two| two[0] < two[1]) && shown.len() >= 10, "{shown:?}");
    assert_eq!(lab.clients[place].engine.game.download(), None);
    has(&files.folder, FILE, &map());
    assert_eq!(files.folder.names(), [FILE], "and nothing else");
    assert_eq!(lab.clients[place].engine.notes.loads, lab.host.engine.notes.loads);
    assert_eq!(no_map(&lab, place), None);
    println!("3 MiB at 1 MiB/s: plays after {took:.2} s");
}

/// MAP-03, 06, 07: who has another version of that name asks for the host's, has it beside its own under a name with its hash, and
/// plays that; its own is as it was. It then plays its own version with another host.
#[test]
fn two_versions_of_a_name_never_meet() {
    let old = made(File::Map, SIZE / 2, 2, FileSet::NONE);
    let files = Files::default().with(FILE, &old);
    let mut lab = game(8102, with_map());
    let place = lab.join(seating(files.clone()));
    lab.clients[place].network.listen();
    lab.run_until("it plays", 30, |lab| plays(lab, place));
    assert_eq!(said(lab.clients[place].network.passed(), Way::Out, Kind::MapShareRequest).len(), 1);
    let version = lab.host.net.transport().record().map_version.cast_unsigned();
    let suffixed = format!("hugeass_{:08x}.map", version.swap_bytes());
    assert_eq!(files.folder.names(), [FILE, &suffixed]);
    has(&files.folder, FILE, &old);
    has(&files.folder, &suffixed, &map());
    let about = |seed: u64| Some(format!("A custom map, of seed {seed:016x}."));
    assert_eq!(lab.clients[place].engine.notes.loads, [about(1)]);
    let list: Vec<_> = mjolnir_skirmish::custom::Maps::new(files.folder.clone())
        .list()
        .iter()
        .map(|map| map.shown.clone())
        .collect();
    assert_eq!(list, ["Hugeass", "Hugeass (2)"]);

    // The same folder at a host whose version is the old one, and at the first again: nobody asks for anything.
    for (seed, host, due) in [(8103, Files::default().with(FILE, &old), 2), (8104, with_map(), 1)] {
        let mut lab = game(seed, host);
        let place = lab.join(seating(files.clone()));
        lab.clients[place].network.listen();
        lab.run_until("it plays", 10, |lab| plays(lab, place));
        assert_eq!(said(lab.clients[place].network.passed(), Way::Out, Kind::MapShareRequest), []);
        assert_eq!(lab.clients[place].engine.notes.loads, [about(due)]);
        assert_eq!(lab.maps().received(Who::Client(place)), 0);
    }
}

/// MAP-02, 03, 07: a host plays the second of its versions of a name, which it names by its file: its game is of the map's own name on
/// every screen. Who has that version under the name alone plays it and asks for nothing; who has nothing gets it under that name.
#[test]
fn a_second_version_is_hosted_under_its_own_name() {
    let old = made(File::Map, SIZE / 2, 2, FileSet::NONE);
    let version = of_pieces(SIZE as u64, &map().chunks(PIECE).map(of_piece).collect::<Vec<_>>()).version();
    let beside = format!("hugeass_{:08x}.map", version.swap_bytes());
    let level = format!("custom_maps\\{}", beside.trim_end_matches(".map"));
    let both = Files::default().with(FILE, &old).with(&beside, &map());
    let mut lab = Lab::open(Plan::new(level.leak(), 8109, 0), seating(both.clone()));
    begin(&mut lab);
    let files = [with_map(), Files::default(), both.clone()];
    for files in &files {
        let place = lab.join(seating(files.clone()));
        lab.clients[place].network.listen();
        lab.run_until("it plays", 30, |lab| plays(lab, place));
        let record = lab.clients[place].net.transport().record().unwrap();
        assert_eq!((record.map.as_str(), record.map_version.cast_unsigned()), (Some(LEVEL), version));
        let asked = said(lab.clients[place].network.passed(), Way::Out, Kind::MapShareRequest);
        assert_eq!(asked.len(), usize::from(place == 1));
    }
    assert_eq!(lab.host.net.transport().record().map.as_str(), Some(LEVEL));
    assert_eq!(files[0].folder.names(), [FILE]);
    assert_eq!(files[1].folder.names(), [FILE]);
    assert_eq!(both.folder.names(), [FILE, &beside], "and nothing is renamed");
}

/// MAP-15, 67: of a map that needs sounds.map alone, a client without any is offered these two, and one that has sounds.map the map;
/// one that has the map is offered sounds.map.
#[test]
fn resource_maps_are_had_as_the_map_needs_them() {
    let needs = FileSet::only(File::Sounds);
    let map = made(File::Map, SIZE / 4, 3, needs);
    let sounds = made(File::Sounds, 300_000, 4, FileSet::NONE);
    let host = Files::default().with(FILE, &map).with("sounds.map", &sounds).with("loc.map", &sounds);
    let mut lab = game(8105, host);
    let there = Files::default;
    for (files, due) in [
        (there(), vec![0, 2]),
        (there().with("sounds.map", &sounds), vec![0]),
        (there().with(FILE, &map), vec![2]),
    ] {
        let place = lab.join(seating(files.clone()));
        lab.clients[place].network.listen();
        lab.run_until("it plays", 20, |lab| plays(lab, place));
        let offers = said(lab.clients[place].network.passed(), Way::In, Kind::MapShareOffer);
        let files_of = |body: &[u8]| body.chunks(44).map(|entry| entry[40]).collect::<Vec<_>>();
        assert_eq!(offers.iter().flat_map(|(_, _, body)| files_of(body)).collect::<Vec<_>>(), due);
        has(&files.folder, FILE, &map);
        has(&files.folder, "sounds.map", &sounds);
        assert_eq!(files.folder.names().len(), 2, "{:?}", files.folder.names());
    }
}

/// MAP-20: a level whose name would lead out of the folder is asked for by nobody: its client leaves, and no file of it is made.
#[test]
fn a_name_that_leads_elsewhere_is_no_maps() {
    for (at, level) in ["custom_maps\\..\\x", "custom_maps\\con", "custom_maps\\a\\b"].into_iter().enumerate()
    {
        let mut lab = lobby(8110 + at as u64, with_map());
        let files = Files::default();
        let place = lab.join(seating(files.clone()));
        // Its host's settings name such a level with a version.
        let mut record = record(&lab, level);
        record.map_version = 77;
        assert!(lab.host.net.set_game(&record));
        lab.run_until("it leaves", 20, |lab| is_closed(lab, place));
        let why = no_map(&lab, place);
        assert_eq!(why.as_deref(), Some("The host's map has a name that no map may have."), "{level}");
        assert_eq!(files.folder.names(), [] as [&str; 0]);
    }
}
