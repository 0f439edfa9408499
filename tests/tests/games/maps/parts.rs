//! What a download leaves in its folder, however it ends.

use super::*;
use mjolnir_mapshare::disk::Plan as Trouble;

/// MAP-50: a client that is killed at 60 % and started again has no more than 42 % sent to it.
#[test]
fn a_download_goes_on_where_it_was() {
    let mut lab = game(8701, with_map());
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    run_to_percent(&mut lab, place, 60);
    lab.kill(place);
    lab.join_at(place, seating(files.clone()));
    let mut first = None;
    lab.run_until("it plays", 10, |lab| {
        first = first.or(percent(lab, place).filter(|percent| *percent > 0));
        plays(lab, place)
    });
    let came = lab.maps().received(Who::Client(place));
    assert!(came as f64 <= SIZE as f64 * 0.42, "{came}");
    assert!(first >= Some(58), "{first:?} % at first");
    assert_eq!(files.folder.names(), [FILE]);
    has(&files.folder, FILE, &map());
    println!("killed at 60 %, started again: {:.1} % came", came as f64 * 100.0 / SIZE as f64);
}

/// MAP-51: a client that leaves before the first piece came leaves nothing in its folder.
#[test]
fn a_stop_before_any_piece_leaves_nothing() {
    let mut lab = game(8702, sending(with_map(), 8_000));
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    lab.run_until("it downloads", 5, |lab| percent(lab, place).is_some());
    lab.run_seconds(5.0);
    assert!(files.folder.get(PART).is_some());
    lab.quit(place);
    assert_eq!(files.folder.names(), [] as [&str; 0]);
}

/// MAP-52: of two maps whose downloads were cut short the later's part file stays, alone.
#[test]
fn one_maps_part_file_is_kept() {
    let files = Files::default();
    for (seed, map, name) in [(8703, 1, "one"), (8704, 2, "two")] {
        let bytes = made(File::Map, SIZE, map, FileSet::NONE);
        let host = Files::default().with(&format!("{name}.map"), &bytes);
        let level = if map == 1 { "custom_maps\\one" } else { "custom_maps\\two" };
        let mut lab = Lab::open(Plan::new(level, seed, 0), seating(host));
        let place = lab.join(seating(files.clone()));
        run_to_percent(&mut lab, place, 40);
        lab.kill(place);
    }
    let parts: Vec<_> = files.folder.names().into_iter().filter(|name| name.ends_with(".part")).collect();
    assert_eq!(parts, ["two.map.part"]);
}

/// MAP-53: where the whole map cannot be given its name its client leaves saying so, and there is no such map: what came stays as a
/// part file, from which the next try goes on. Likewise where the disk is full; where nothing can be written nothing is there.
#[test]
fn who_cannot_keep_it_leaves() {
    for (seed, trouble, due) in [
        (8705, Trouble { failing_renames: u32::MAX, ..Trouble::default() }, "cannot be put in its place"),
        (8706, Trouble { room: Some(SIZE as u64 / 2), ..Trouble::default() }, "cannot be written"),
        (8707, Trouble { is_read_only: true, ..Trouble::default() }, "cannot be written"),
    ] {
        let mut lab = game(seed, with_map());
        let files = Files::default();
        files.folder.plan(trouble);
        let place = lab.join(seating(files.clone()));
        lab.run_until("it leaves", 40, |lab| is_closed(lab, place));
        lab.run_seconds(0.5);
        let why = no_map(&lab, place).unwrap();
        assert!(why.contains(due) && why.contains("hugeass"), "{why}");
        assert_eq!(lab.clients[place].engine.game.download(), None);
        assert_eq!(lab.clients[place].engine.notes.loads, []);
        assert_eq!(files.folder.get(FILE), None);
        let due: &[&str] = if trouble.is_read_only { &[] } else { &[PART, NOTE] };
        assert_eq!(files.folder.names(), due, "{why}");
        assert_eq!(left(&lab).iter().map(|(_, why)| *why).collect::<Vec<_>>(), [Why::Left]);
    }
}
