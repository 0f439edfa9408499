//! A start that comes to who has yet to get the map, and hosts that have yet to know their own.

use super::*;
use mjolnir_wire::packets::{Packet, list::BeginGame};

/// A whole packet as it comes by the stream.
fn begin_game() -> Vec<u8> {
    let mut bytes = Vec::new();
    Packet::BeginGame(BeginGame { time: 0 }).write(&mut bytes).unwrap();
    bytes
}

/// MAP-12: a host that says the start at half of a download: the client stays in the lobby, and loads once, after the whole.
#[test]
fn a_start_is_put_off_until_the_map_is_there() {
    let mut lab = lobby(8401, with_map());
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    run_to_percent(&mut lab, place, 50);
    let mut besides = Some(begin_game());
    lab.clients[place].network.meddle_with_stream(move |bytes| {
        [Some(bytes.to_vec()), besides.take()].into_iter().flatten().collect()
    });
    let mut early = 0;
    lab.run_until("it loads", 20, |lab| {
        let loads = lab.clients[place].engine.notes.loads.len();
        early += usize::from(loads > 0 && files.folder.get(FILE).is_none());
        loads > 0
    });
    assert_eq!(early, 0);
    assert_eq!(percent(&lab, place), None);
    lab.run_seconds(2.0);
    assert_eq!(
        lab.clients[place].engine.notes.loads,
        [Some("A custom map, of seed 0000000000000001.".into())]
    );
    has(&files.folder, FILE, &map());
}

/// MAP-11, 12, NET-59: a host that begins while a client's request is on its way says the start to it too. The others play without it
/// all the same, within a second, and it comes in once it has the map.
#[test]
fn a_start_that_crosses_a_request_holds_nobody_up() {
    for (seed, wait) in [
        (8402, 0.0),
        (8403, 0.05),
        (8404, 0.1),
        (8405, 0.15),
        (8406, 0.2),
        (8407, 0.25),
        (8408, 0.3),
        (8409, 0.4),
    ] {
        let plan = plan(seed).network(100, 0.0);
        let mut lab = Lab::open(plan, seating(sending(with_map(), 1 << 19)).with_faults(plan.faults));
        let having = lab.join(seating(mute(with_map())).with_faults(plan.faults));
        lab.run_until("it is listed", 5, |lab| listed(lab) == 2);
        let place = lab.join(seating(Files::default()).with_faults(plan.faults));
        lab.run_until("it is in the lobby", 5, |lab| machines(lab) == 2);
        lab.run_seconds(wait);
        begin_at_once(&mut lab, having, wait);
        lab.run_until("it plays", 30, |lab| plays(lab, place));
        assert_eq!(lab.clients[place].engine.notes.loads.len(), 1);
        all_agree(&mut lab);
        assert_eq!(listed(&lab), 3);
        assert!(left(&lab).is_empty());
    }
}

#[track_caller]
fn begin_at_once(lab: &mut Lab, having: usize, wait: f64) {
    lab.begin();
    let before = lab.now();
    while !plays(lab, having) {
        assert!(lab.now() - before < 2_000_000, "begun {wait} s after it joined, the others wait for it");
        lab.step();
    }
}

/// MAP-02, 65: a host whose disk takes three seconds to look at its map: who joins meanwhile waits for its version, is not dropped, and
/// then has its players listed and the map; a game that is begun meanwhile begins then.
#[test]
fn a_host_that_has_yet_to_know_its_map_is_waited_for() {
    let slow = Files { disk_micros: 3_000_000, ..with_map() };
    let mut lab = lobby(8410, slow.clone());
    let (having, place) = (lab.join(seating(with_map())), lab.join(seating(Files::default())));
    lab.run_seconds(2.5);
    assert_eq!((machines(&lab), listed(&lab)), (2, 1));
    let took = seconds_until(&mut lab, "all are listed", 5, |lab| listed(lab) == 3);
    assert!(took < 2.0, "{took}");
    lab.run_until("it is here", 20, |lab| {
        percent(lab, place).is_none()
            && lab.clients[place].net.map() != mjolnir_mapshare::client::Standing::Looking
    });
    begin(&mut lab);
    lab.run_until("both play", 30, |lab| plays(lab, having) && plays(lab, place));

    // Begun before it is known.
    let mut lab = lobby(8411, slow);
    let (having, place) = (lab.join(seating(with_map())), lab.join(seating(Files::default())));
    lab.run_seconds(0.5);
    lab.begin();
    lab.run_seconds(2.0);
    assert_eq!(lab.host.net.stage(), host::Stage::Loading);
    assert_eq!(lab.host.engine.notes.loads, []);
    lab.run_until("the host plays", 3, |lab| lab.host.net.stage() == host::Stage::Playing);
    lab.run_until("both play", 30, |lab| plays(lab, having) && plays(lab, place));
    assert!(left(&lab).is_empty());
}

/// MAP-65: a host's ticks and frames go on as they are while its disk is busy for ten seconds with what a client asked for.
#[test]
fn a_busy_disk_holds_no_tick_up() {
    let needs = FileSet::only(File::Bitmaps);
    let map = made(File::Map, SIZE / 4, 1, needs);
    let bitmaps = made(File::Bitmaps, SIZE / 4, 2, FileSet::NONE);
    let files = Files::default().with(FILE, &map).with("bitmaps.map", &bitmaps);
    let mut lab = lobby(8412, Files { disk_micros: 10_000_000, ..files });
    lab.begin();
    lab.run_until("the host plays", 15, |lab| lab.host.net.stage() == host::Stage::Playing);
    let place = lab.join(seating(Files::default()));
    let mut last = (lab.now(), lab.host.ticks);
    let mut most = 0;
    lab.run_until("it plays", 40, |lab| {
        if lab.host.ticks != last.1 {
            most = most.max(lab.now() - last.0);
            last = (lab.now(), lab.host.ticks);
        }
        plays(lab, place)
    });
    assert!(most < 40_000, "{most} us between two ticks");
    assert!(left(&lab).is_empty());
}

/// GLUE-22, MAP-09: on a host that shares no maps, a map that ships is played by clients that share, who order nothing of it.
#[test]
fn a_map_that_ships_asks_for_nothing() {
    let mut lab = Lab::open(Plan::new("flat", 8413, 0), Seating::of(vec![still()]));
    let place = lab.join(seating(Files::default()));
    lab.gather();
    begin(&mut lab);
    lab.run_until("it plays", 5, |lab| plays(lab, place));
    assert_eq!(lab.maps().orders(Who::Client(place)), []);
}
