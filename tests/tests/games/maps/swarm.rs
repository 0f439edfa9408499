//! From whom the pieces come, in games.

use super::*;

/// MAP-36: who sends nothing sends no byte of a file, though it has the map; the next one has all of it from the host.
#[test]
fn who_seeds_nothing_sends_nothing() {
    let mut lab = game(8801, with_map());
    let having = lab.join(seating(mute(with_map())));
    let first = lab.join(seating(mute(Files::default())));
    lab.run_until("both play", 10, |lab| plays(lab, having) && plays(lab, first));
    let late = lab.join(seating(Files::default()));
    lab.run_until("it plays", 10, |lab| plays(lab, late));
    assert_eq!([having, first].map(|place| lab.maps().sent(Who::Client(place))), [0, 0]);
    assert_eq!(lab.maps().sent(Who::Host), 2 * SIZE as u64);
}

/// MAP-25, 37: who has just got the map sends it on at once, and two that download together send each other what they got; what is sent
/// twice of so few pieces, which all are the last ones, is less than the whole.
#[test]
fn who_has_it_sends_it_on() {
    let mut lab = game(8802, sending(with_map(), 1 << 19));
    let fast = || sending(Files::default(), 1 << 20);
    let first = lab.join(seating(fast()));
    lab.run_until("it plays", 10, |lab| plays(lab, first));
    let late = lab.join(seating(fast()));
    let took = seconds_until(&mut lab, "it plays", 10, |lab| plays(lab, late));
    let sent = lab.maps().sent(Who::Client(first));
    assert!(sent >= SIZE as u64 / 2, "{sent}");
    // 1.5 MiB a second of two, in place of 0.5 of one.
    assert!(took < 4.0, "{took}");

    let two: Vec<_> = (0..2).map(|_| lab.join(seating(fast()))).collect();
    lab.run_until("both play", 10, |lab| two.iter().all(|place| plays(lab, *place)));
    let between: u64 = two.iter().map(|place| lab.maps().sent(Who::Client(*place))).sum();
    assert!(between >= PIECE as u64, "{between}");
    for place in two {
        let came = lab.maps().received(Who::Client(place));
        assert!((SIZE as u64..2 * SIZE as u64).contains(&came), "{came}");
    }
}

/// MAP-26: two that begin at once ask for other pieces first: by the time that each has three they have more than three between them.
#[test]
fn two_ask_for_other_pieces() {
    let mut lab = game(8803, sending(with_map(), 1 << 18));
    let files = [Files::default(), Files::default()].map(mute);
    for files in &files {
        lab.join(seating(files.clone()));
    }
    let pieces = |files: &Files| -> Vec<usize> {
        let part = files.folder.get(PART).unwrap_or_default();
        let whole = map();
        let is_there =
            |at: &usize| part.get(at * PIECE..(at + 1) * PIECE) == whole.get(at * PIECE..(at + 1) * PIECE);
        (0..SIZE / PIECE).filter(is_there).collect()
    };
    let had = |lab: &Lab, place| percent(lab, place).is_some_and(|percent| percent >= 25);
    lab.run_until("each has three", 20, |lab| had(lab, 0) && had(lab, 1));
    let mut all: Vec<_> = files.iter().flat_map(pieces).collect();
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > 3, "{all:?}");
}

/// MAP-29: the host's sharing cannot be reached: after ten seconds the hashes come from another that it named, and the map too.
#[test]
fn hashes_come_from_others_after_ten_seconds() {
    let mut lab = game(8804, with_map());
    let having = lab.join(seating(sending(with_map(), 1 << 20)));
    lab.run_until("it plays", 5, |lab| plays(lab, having));
    lab.maps_mut().cut(Who::Host, true);
    let place = lab.join(seating(Files::default()));
    let took = seconds_until(&mut lab, "the first piece is here", 30, |lab| {
        percent(lab, place).is_some_and(|percent| percent > 0)
    });
    assert!((10.0..12.0).contains(&took), "{took}");
    lab.run_until("it plays", 10, |lab| plays(lab, place));
    assert_eq!(lab.maps().sent(Who::Host), 0);
}

/// MAP-32, 33: one of two sources sends wrong bytes: nothing of them is kept, it is asked nothing more, and the whole comes from the
/// other. Where only such a one is there, the download ends after a minute, and nothing is played.
#[test]
fn wrong_pieces_are_not_kept() {
    let mut lab = game(8805, with_map());
    let liar = lab.join(seating(sending(with_map(), 1 << 20)));
    lab.run_until("it plays", 5, |lab| plays(lab, liar));
    lab.maps_mut().spoil(Who::Client(liar), true);
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    let mut sent = None;
    lab.run_until("it plays", 30, |lab| {
        if sent.is_none() && percent(lab, place).is_some_and(|percent| percent >= 50) {
            sent = Some(lab.maps().sent(Who::Client(liar)));
        }
        plays(lab, place)
    });
    // What was asked of it before its first wrong piece was looked at: two pieces at most.
    let all = lab.maps().sent(Who::Client(liar));
    assert!((1..=2 * PIECE as u64).contains(&all), "{all}");
    assert_eq!(sent, Some(all));
    has(&files.folder, FILE, &map());

    let mut lab = game(8806, with_map());
    lab.maps_mut().spoil(Who::Host, true);
    let files = Files::default();
    let place = lab.join(seating(files.clone()));
    let took = seconds_until(&mut lab, "it leaves", 90, |lab| is_closed(lab, place));
    assert!((60.0..63.0).contains(&took), "{took}");
    assert!(no_map(&lab, place).is_some());
    assert_eq!((files.folder.get(FILE), lab.clients[place].engine.notes.loads.len()), (None, 0));
}

/// MAP-13, 65: what a host hashes and looks for is ordered once, whoever joins: one look in a game that four have the map of.
#[test]
fn a_host_looks_once() {
    let mut lab = game(8807, with_map());
    for _ in 0..4 {
        lab.join(seating(Files::default()));
    }
    lab.run_until("all play", 30, |lab| (0..4).all(|place| plays(lab, place)));
    let looks =
        |who| lab.maps().orders(who).iter().filter(|(_, order)| matches!(order, Order::Look { .. })).count();
    assert_eq!(looks(Who::Host), 1);
    assert!((0..4).all(|place| looks(Who::Client(place)) == 1));
}
