//! Whatever a host does while a client downloads: it changes the map, begins the next game, ends it, leaves, or is gone.

use super::*;

const OTHER: &str = "custom_maps\\other";

fn other() -> Vec<u8> {
    made(File::Map, SIZE / 2, 2, FileSet::NONE)
}

fn with_both() -> Files {
    with_map().with("other.map", &other())
}

/// The seed of the map that a client loaded last.
fn loaded(lab: &Lab, place: usize) -> Option<String> {
    lab.clients[place].engine.notes.loads.last().cloned().flatten()
}

/// MAP-52, 85: a host changes its map at 40 % of a download, in its lobby or to the next game of one in play: every connection closes,
/// who was downloading gets the other map over new ones, plays on it, and nothing stays of the first.
#[test]
fn a_host_changes_its_map_in_the_middle() {
    for (seed, is_played) in [(8501, false), (8502, true)] {
        let mut lab = lobby(seed, with_both());
        if is_played {
            begin(&mut lab);
        }
        let files = Files::default();
        let place = lab.join(seating(files.clone()));
        run_to_percent(&mut lab, place, 40);
        assert_eq!(files.folder.names(), [PART, NOTE]);
        assert!(lab.maps().connections(Who::Host) == 1 && lab.maps().connections(Who::Client(place)) == 1);
        let mut closed = false;
        if is_played {
            begin_next(&mut lab, OTHER);
        } else {
            let record = record(&lab, OTHER);
            assert!(lab.host.net.set_game(&record));
        }
        lab.run_until("it is downloaded", 20, |lab| {
            closed |=
                lab.maps().connections(Who::Host) == 0 && lab.maps().connections(Who::Client(place)) == 0;
            files.folder.get("other.map").is_some()
        });
        assert!(closed, "{is_played}");
        if !is_played {
            begin(&mut lab);
        }
        lab.run_until("it plays", 5, |lab| plays(lab, place));
        assert_eq!(loaded(&lab, place), Some("A custom map, of seed 0000000000000002.".into()));
        assert_eq!(files.folder.names(), ["other.map"]);
        has(&files.folder, "other.map", &other());
        assert!(left(&lab).is_empty());
        all_agree(&mut lab);
    }
}

/// MAP-70: a host changes its map while a client's request is on its way: the answer, which is of another map, is none, and the client
/// asks again, five seconds after it asked last; so long, and no longer, a start waits to hear that it lacks the map.
#[test]
fn a_request_that_crosses_a_change_is_asked_again() {
    for seed in 8503..8511 {
        let plan = plan(seed).network(100, 0.0);
        let mut lab = Lab::open(plan, seating(with_both()).with_faults(plan.faults));
        let place = lab.join(seating(Files::default()).with_faults(plan.faults));
        lab.run_until("it is in the lobby", 5, |lab| machines(lab) == 1);
        lab.run_seconds((seed - 8503) as f64 * 0.05);
        let record = record(&lab, OTHER);
        assert!(lab.host.net.set_game(&record));
        lab.run_until("it is listed", 10, |lab| listed(lab) == 2);
        let took = seconds_until_begun(&mut lab);
        assert!(took < 5.5, "{seed}: the host waits {took} s for it");
        lab.run_until("it plays", 20, |lab| plays(lab, place));
        assert_eq!(no_map(&lab, place), None);
        assert_eq!(loaded(&lab, place), Some("A custom map, of seed 0000000000000002.".into()));
    }
}

fn seconds_until_begun(lab: &mut Lab) -> f64 {
    lab.begin();
    seconds_until(lab, "the host plays", 10, |lab| lab.host.net.stage() == host::Stage::Playing)
}

/// GLUE-22, MAP-11: while a client downloads its host ends the game, goes back to the lobby and begins the next on the same map: the
/// download goes on without a byte twice, its players are in the lobby's list at once, and it plays the game that is played then.
#[test]
fn games_end_and_begin_while_one_downloads() {
    let mut lab = game(8512, sending(with_map(), SIZE as u64 / 20));
    let having = lab.join(seating(mute(with_map())));
    let place = lab.join(seating(Files::default()));
    lab.run_until("the other plays", 5, |lab| plays(lab, having));
    run_to_percent(&mut lab, place, 20);
    lab.end();
    lab.run_seconds(1.0);
    lab.to_lobby();
    let took = seconds_until(&mut lab, "its players are the lobby's", 3, |lab| listed(lab) == 3);
    assert!(took < 0.5, "{took}");
    assert!(percent(&lab, place).is_some());
    begin(&mut lab);
    lab.run_until("the other plays", 5, |lab| plays(lab, having));
    assert_eq!(listed(&lab), 2);
    let again = record(&lab, LEVEL);
    assert!(lab.begin_next(&again, Tick::ZERO));
    lab.run_until("the other plays", 5, |lab| plays(lab, having));
    assert!(percent(&lab, place).is_some(), "the same map again stops nothing");
    lab.run_until("it plays", 30, |lab| plays(lab, place));
    assert_eq!(lab.maps().received(Who::Client(place)), SIZE as u64);
    assert_eq!(lab.clients[place].engine.notes.loads.len(), 1);
    all_agree(&mut lab);
}

/// NET-63, MAP-48: its host leaves, or is killed, at 40 % of a download: the client's session ends, its line is gone, what it had stays
/// as a part file, and with the host's next game it goes on from there.
#[test]
fn its_host_goes_in_the_middle() {
    for (seed, leaves) in [(8513, true), (8514, false)] {
        let mut lab = game(seed, with_map());
        let files = Files::default();
        let place = lab.join(seating(files.clone()));
        run_to_percent(&mut lab, place, 40);
        if leaves {
            lab.quit_host();
        } else {
            lab.kill_host();
        }
        lab.run_until("its session is over", 20, |lab| is_closed(lab, place));
        assert_eq!(lab.clients[place].engine.game.download(), None);
        lab.run_seconds(1.0);
        let kept = files.folder.get(PART).unwrap().len();
        assert!(kept >= SIZE * 2 / 5, "{kept}");
        assert_eq!(lab.maps().connections(Who::Client(place)), 0);
        drop(lab);

        let mut lab = game(seed + 10, with_map());
        let place = lab.join(seating(files.clone()));
        lab.run_until("it plays", 10, |lab| plays(lab, place));
        let came = lab.maps().received(Who::Client(place));
        assert!(came <= SIZE as u64 * 3 / 5, "{came}");
        has(&files.folder, FILE, &map());
    }
}

/// MAP-50: who leaves in the middle is sent nothing more, and has the rest when it is back.
#[test]
fn who_leaves_in_the_middle_comes_back() {
    let mut lab = game(8515, with_map());
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    run_to_percent(&mut lab, place, 40);
    lab.quit(place);
    lab.run_seconds(0.5);
    assert_eq!((machines(&lab), lab.maps().connections(Who::Host)), (0, 0));
    let sent = lab.maps().sent(Who::Host);
    lab.run_seconds(3.0);
    assert_eq!(lab.maps().sent(Who::Host), sent);
    lab.join_at(place, seating(files.clone()));
    lab.run_until("it plays", 10, |lab| plays(lab, place));
    assert!(lab.maps().sent(Who::Host) - sent <= SIZE as u64 * 3 / 5 + 2 * PIECE as u64);
    has(&files.folder, FILE, &map());
}
