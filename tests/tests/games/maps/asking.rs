//! What is said over the game's stream of a map that a client lacks: requests, offers, sources, progress, and what is no word of it.

use super::*;
use mjolnir_wire::mapshare::{Offer, Progress, ProgressState, Source};

/// Progress that a client said, when.
fn told(lab: &Lab, place: usize) -> Vec<(Moment, Progress)> {
    let said = said(lab.clients[place].network.passed(), Way::Out, Kind::MapShareProgress);
    said.into_iter().map(|(at, _, body)| (at, Progress::read(&body).unwrap())).collect()
}

/// MAP-09: who lacks the map asks once, by 140 bytes that name the settings' level and all that it lacks.
#[test]
fn who_lacks_the_map_asks_once() {
    let mut lab = game(8201, with_map());
    let place = lab.join(seating(Files::default()));
    lab.clients[place].network.listen();
    lab.run_until("it plays", 30, |lab| plays(lab, place));
    let requests = said(lab.clients[place].network.passed(), Way::Out, Kind::MapShareRequest);
    let [(_, 1, body)] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(8 + body.len(), 140);
    let request = Request::read(body).unwrap();
    assert_eq!(request.level.as_str(), lab.host.net.transport().record().map.as_str());
    assert_eq!(request.lacked, FileSet::read(15).unwrap());
}

/// MAP-09, 66: who downloads no maps asks nothing, and leaves saying which is missing; one that has the map stays.
#[test]
fn who_downloads_no_maps_leaves() {
    let mut lab = lobby(8202, with_map());
    let off = |files: Files| Files { client: ClientSettings { downloads: false, ..files.client }, ..files };
    let (lacking, having) = (lab.join(seating(off(Files::default()))), lab.join(seating(off(with_map()))));
    lab.clients[lacking].network.listen();
    let took = seconds_until(&mut lab, "it leaves", 5, |lab| is_closed(lab, lacking));
    assert_eq!(said(lab.clients[lacking].network.passed(), Way::Out, Kind::MapShareRequest), []);
    assert_eq!(
        no_map(&lab, lacking).as_deref(),
        Some("The map custom_maps\\hugeass is not here, and map downloads are off.")
    );
    lab.run_seconds(0.5);
    assert_eq!(left(&lab).iter().map(|(_, why)| *why).collect::<Vec<_>>(), [Why::Left]);
    begin(&mut lab);
    lab.run_until("the other plays", 5, |lab| plays(lab, having));
    assert!(took < 2.0, "{took}");
}

/// MAP-14: a host that shares nothing says so, and who lacks its map leaves with that; one that asks for another level is told that it
/// is not the game's.
#[test]
fn a_host_that_does_not_share_says_so() {
    let files = with_map();
    let host = HostSettings { shares: false, ..files.host };
    let mut lab = game(8203, Files { host, ..files });
    let (lacking, having) = (lab.join(seating(Files::default())), lab.join(seating(with_map())));
    lab.run_until("it leaves", 5, |lab| is_closed(lab, lacking));
    assert_eq!(
        no_map(&lab, lacking).as_deref(),
        Some("The host does not send map custom_maps\\hugeass: its map sharing is off.")
    );
    lab.run_until("the other plays", 5, |lab| plays(lab, having));
    lab.clients[having].network.listen();
    lab.clients[having].network.write_besides(&request("custom_maps\\other", FileSet::MAP));
    lab.run_seconds(0.5);
    let offers = said(lab.clients[having].network.passed(), Way::In, Kind::MapShareOffer);
    let [(_, 1, body)] = &offers[..] else { panic!("{offers:?}") };
    assert_eq!(Offer::read(body).unwrap().answer, Err(mjolnir_wire::mapshare::Refusal::NotTheGamesMap));
    assert!(plays(&lab, having), "whom nobody owes a map loses none");
}

/// MAP-58: of three requests within a second the first is answered at once, the third five seconds after it, the second never.
#[test]
fn requests_are_taken_five_seconds_apart() {
    let sounds = made(File::Sounds, 4_000, 2, FileSet::NONE);
    let needing = made(File::Map, SIZE / 4, 3, FileSet::only(File::Sounds));
    let files = Files::default().with(FILE, &needing).with("sounds.map", &sounds);
    let mut lab = game(8204, files.clone());
    let place = lab.join(seating(files));
    lab.run_until("it plays", 5, |lab| plays(lab, place));
    lab.clients[place].network.listen();
    let first = lab.clients[place].now(lab.now());
    for lacked in [FileSet::MAP, FileSet::MAP.with(File::Sounds), FileSet::only(File::Sounds)] {
        lab.clients[place].network.write_besides(&request(LEVEL, lacked));
        lab.run_seconds(0.45);
    }
    lab.run_seconds(15.0);
    let offers = said(lab.clients[place].network.passed(), Way::In, Kind::MapShareOffer);
    let files: Vec<_> = offers.iter().map(|(_, _, body)| Offer::read(body).unwrap().file).collect();
    assert_eq!(files, [File::Map, File::Sounds]);
    let seconds: Vec<_> = offers.iter().map(|(at, ..)| at.since(first) as f64 / 1e6).collect();
    assert!(seconds[0] < 0.2 && (5.0..5.2).contains(&seconds[1]), "{seconds:?}");
}

/// MAP-61: a host whose answer never comes is left after 30 s, and not before, saying so.
#[test]
fn a_host_that_does_not_answer_is_left() {
    let mut lab = game(8205, with_map());
    let place = lab.join(seating(Files::default()));
    lose(&mut lab, place, Kind::MapShareOffer);
    let took = seconds_until(&mut lab, "it leaves", 40, |lab| is_closed(lab, place));
    assert!((30.0..31.0).contains(&took), "{took}");
    assert_eq!(
        no_map(&lab, place).as_deref(),
        Some("The host did not say whether it sends the map custom_maps\\hugeass.")
    );
}

/// MAP-16, 71: in a download of 60 s its client is told of sources six or seven times: of those who may have the files, of one that
/// downloads too, and not of itself, of the host, or of who has left.
#[test]
fn sources_are_told_each_ten_seconds() {
    let mut lab = game(8206, sending(with_map(), SIZE as u64 / 60));
    let having = lab.join(seating(mute(with_map())));
    let leaving = lab.join(seating(mute(with_map())));
    lab.run_until("they play", 5, |lab| plays(lab, having) && plays(lab, leaving));
    let place = lab.join(seating(mute(Files::default())));
    lab.clients[place].network.listen();
    lab.run_seconds(15.0);
    let gone = lab.clients[place].now(lab.now());
    lab.quit(leaving);
    lab.run_until("it plays", 60, |lab| plays(lab, place));
    let took = lab.clients[place].now(lab.now());
    let all = said(lab.clients[place].network.passed(), Way::In, Kind::MapShareSources);
    let first = all[0].0;
    assert!((55..65).contains(&(took.since(first) / Moment::SECOND)), "it took {}", took.since(first));
    assert!((6..=7).contains(&all.len()), "{}", all.len());
    let [one, other] = [having, leaving].map(|place| lab.clients[place].net.transport().machine().unwrap());
    for (at, count, body) in &all {
        let machines: Vec<_> = body.chunks(20).map(|entry| Source::read(entry).unwrap().machine).collect();
        let due = if *at < gone { vec![one, other] } else { vec![one] };
        assert_eq!((usize::from(*count), machines), (due.len(), due));
    }
}

/// MAP-54, 72: a download of 20 s is told of 9 to 11 times with bytes that rise, as downloading and then as all there.
#[test]
fn progress_is_told_each_two_seconds() {
    let mut lab = game(8207, sending(with_map(), SIZE as u64 / 20));
    let place = lab.join(seating(Files::default()));
    lab.clients[place].network.listen();
    let took = seconds_until(&mut lab, "it plays", 30, |lab| plays(lab, place));
    assert!((18.0..23.0).contains(&took), "{took}");
    let told = told(&lab, place);
    let (last, coming) = told.split_last().unwrap();
    assert!((9..=11).contains(&coming.len()), "{}", coming.len());
    assert!(coming.iter().all(|(_, told)| told.state == ProgressState::Downloading));
    assert!(
        coming
            .windows(2)
            .all(|two| two[0].1.had < two[1].1.had
                && (1_900_000..2_100_000).contains(&two[1].0.since(two[0].0)))
    );
    assert_eq!((last.1.had, last.1.state), (SIZE as u64, ProgressState::HasAll));
}

/// MAP-10, 72: once a client in a game in progress says that it has all, its players are in the host's list within the way there and
/// two ticks, and not before.
#[test]
fn who_has_all_is_let_in_at_once() {
    for (seed, milliseconds) in [(8208, 0), (8209, 60)] {
        let plan = plan(seed).network(milliseconds, 0.0);
        let mut lab = Lab::open(plan, seating(with_map()).with_faults(plan.faults));
        begin(&mut lab);
        let place = lab.join(seating(Files::default()).with_faults(plan.faults));
        lab.clients[place].network.listen();
        let mut said_at = None;
        let mut was_early = false;
        lab.run_until("its player is listed", 30, |lab| {
            let is_listed = listed(lab) == 2;
            if said_at.is_none()
                && told(lab, place).last().is_some_and(|(_, told)| told.state == ProgressState::HasAll)
            {
                said_at = Some(lab.now());
            }
            was_early |= is_listed && said_at.is_none();
            is_listed
        });
        let took = lab.now() - said_at.unwrap();
        assert!(!was_early);
        assert!(took <= 2 * milliseconds * 1000 + 2 * 33_334, "{took} us at {milliseconds} ms");
        println!("{milliseconds} ms each way: listed {took} us after it said that it has all");
    }
}

/// NET-10, MAP-09, 72: what is asked and told of maps counts by the stream alone: as datagrams, from the right address, neither has any
/// effect but to be counted.
#[test]
fn what_comes_by_datagram_is_no_word() {
    let mut lab = game(8210, with_map());
    let having = lab.join(seating(with_map()));
    let place = lab.join(seating(Files::default()));
    lab.run_until("it plays", 5, |lab| plays(lab, having));
    run_to_percent(&mut lab, place, 10);
    let before = refused(&lab, Who::Host, "wrong_channel");
    lab.clients[having].network.listen();
    lab.clients[having].network.send_besides(&request(LEVEL, FileSet::MAP));
    let version = lab.host.net.transport().record().map_version.cast_unsigned();
    let mut body = Vec::new();
    Progress { had: SIZE as u64, map_version: version, state: ProgressState::HasAll }.write(&mut body);
    lab.clients[place].network.send_besides(&message(Kind::MapShareProgress, &body));
    lab.run_seconds(0.5);
    assert!(percent(&lab, place).is_some(), "it still downloads");
    assert_eq!(refused(&lab, Who::Host, "wrong_channel") - before, 2);
    assert_eq!(listed(&lab), 2, "who downloads is held out");
    assert_eq!(said(lab.clients[having].network.passed(), Way::In, Kind::MapShareOffer), []);
    lab.run_until("it plays", 30, |lab| plays(lab, place));
}
