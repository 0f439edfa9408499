//! A download, from its offer to its end: what the host and the screen are told, and what is shared.

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::{ClientSettings, Error, Fault, News, Order};
use mjolnir_wire::mapshare::{File, FileSet, Progress, ProgressState};

use crate::maps::found;
use crate::said::{LEVEL, seconds};
use crate::scene::{ON, SIZE, SOUNDS, Scene, Told, VERSION, game, map, offer};

const WHOLE: u64 = SIZE as u64;

fn told(had: u64, state: ProgressState) -> Told {
    Told::Progress(Progress { had, map_version: VERSION, state })
}

/// MAP-54, 72: of a download of 20 seconds the host is told nine to eleven times, each time more; at its end that all is there, at
/// once.
#[test]
fn the_host_is_told_every_two_seconds() {
    let mut scene = Scene::downloading();
    let mut all = Vec::new();
    for second in 1..20_u64 {
        scene.client.handle_news(News::Progress { had: second * WHOLE / 20, is_checking: second < 3 });
        all.extend(scene.run_to(second as f64));
    }
    all.extend(scene.run_to(19.9));
    scene.now = seconds(20.0);
    scene.client.handle_news(News::Done(map(FileSet::NONE)));
    all.extend(scene.poll().into_iter().map(|told| (20.0, told)));
    let had: Vec<_> = all
        .iter()
        .map(|(_, told)| match told {
            Told::Progress(progress) => progress.had,
            Told::Asked(_) => panic!(),
        })
        .collect();
    assert!((9..=11).contains(&had.len()) && had.is_sorted_by(|a, b| a < b), "{had:?}");
    assert_eq!(all[0], (2.0, told(2 * WHOLE / 20, ProgressState::Checking)));
    assert_eq!(all[1], (4.0, told(4 * WHOLE / 20, ProgressState::Downloading)));
    assert_eq!(all.last().unwrap(), &(20.0, told(WHOLE, ProgressState::HasAll)));
    assert_eq!(scene.run_to(60.0), []);
}

/// MAP-12: the map may be loaded once, when all of it is there; a start before that is put off.
#[test]
fn a_start_is_put_off_until_the_map_is_there() {
    let mut scene = Scene::downloading();
    let mut loads = Vec::new();
    for tenth in 0..20_u64 {
        scene.now = seconds(tenth as f64);
        match tenth {
            ..10 => scene.client.handle_news(News::Progress { had: tenth * WHOLE / 10, is_checking: false }),
            10 => scene.client.handle_news(News::Progress { had: WHOLE, is_checking: false }),
            15 => scene.client.handle_news(News::Done(map(FileSet::NONE))),
            _ => {}
        }
        if scene.client.may_load() {
            loads.push(tenth);
        }
    }
    assert_eq!(loads, [15, 16, 17, 18, 19]);
    assert_eq!(scene.client.standing(), Standing::Ready { file: Some("hugeass.map") });
}

/// MAP-62: what stands at the top of the screen is how much of all files is there, and nothing when it ends.
#[test]
fn the_line_says_how_much_is_there() {
    let mut scene = Scene::downloading();
    assert_eq!(scene.line(), Some(("Downloading hugeass: 0% (0.0 of 2.5 MiB)".into(), Some(0))));
    scene.client.handle_news(News::Progress { had: WHOLE / 5, is_checking: true });
    assert_eq!(scene.line(), Some(("Checking what there is of hugeass: 20%".into(), Some(20))));
    scene.client.handle_news(News::Progress { had: 2 * WHOLE / 5, is_checking: false });
    assert_eq!(scene.line(), Some(("Downloading hugeass: 40% (1.0 of 2.5 MiB)".into(), Some(40))));
    // More than all is all.
    scene.client.handle_news(News::Progress { had: u64::MAX, is_checking: false });
    assert_eq!(scene.line().unwrap().1, Some(100));
    scene.client.handle_news(News::Done(map(FileSet::NONE)));
    assert_eq!(scene.line(), None);
}

/// MAP-53, 60: a download that ends without its files is left with why, and the host is told that it has stopped.
#[test]
fn a_download_that_fails_says_why() {
    let faults = [
        Fault::NoHashes,
        Fault::Nothing,
        Fault::Disk("no space left".into()),
        Fault::Place("is a directory".into()),
        Fault::Unplayable("its header is cut".into()),
        Fault::Name,
    ];
    let mut texts = std::collections::BTreeSet::new();
    for fault in faults {
        let mut scene = Scene::downloading();
        scene.client.handle_news(News::Progress { had: 5, is_checking: false });
        scene.now = seconds(1.0);
        assert_eq!(scene.why(), None);
        scene.client.handle_news(News::Failed(fault.clone()));
        let why = scene.why().unwrap();
        match &fault {
            Fault::Disk(system) | Fault::Place(system) | Fault::Unplayable(system) => {
                assert!(why.contains(system), "{why}");
            }
            Fault::Nothing => assert!(why.contains("minute"), "{why}"),
            _ => {}
        }
        texts.insert(why);
        assert_eq!(scene.poll(), [told(5, ProgressState::Stopped)]);
        assert_eq!((scene.run_to(10.0), scene.line()), (vec![], None));
        scene.client.end_session();
        assert_eq!(scene.orders(), [Order::Leave]);
        assert_eq!(scene.client.standing(), Standing::Unnamed);
    }
    assert_eq!(texts.len(), 6);
}

/// MAP-36, 37: what was downloaded is shared from its beginning on; who seeds nothing shares with nobody but while it downloads, and
/// then sends nothing.
#[test]
fn what_is_had_is_shared_as_the_settings_say() {
    let shares = |orders: Vec<Order>| -> Vec<_> {
        let of = |order| match order {
            Order::Share(game) => Some(game),
            _ => None,
        };
        orders.into_iter().filter_map(of).collect()
    };
    for (seeds, upload) in [(true, Some(262_144)), (false, None)] {
        let settings = ClientSettings { seeds, ..ON };
        let mut scene = Scene::lacking(settings);
        scene.poll();
        scene.offers(&[offer(File::Map, SIZE)]).unwrap();
        assert_eq!(shares(scene.orders()), [game(upload)]);
        scene.client.handle_news(News::Done(map(FileSet::NONE)));
        assert_eq!(scene.orders(), []);

        let mut scene = Scene::with(settings);
        scene.client.handle_settings(LEVEL, VERSION);
        scene.looked(Ok(Some(map(FileSet::NONE))), FileSet::NONE);
        let wanted = if seeds { vec![game(upload)] } else { vec![] };
        assert_eq!(shares(scene.orders()), wanted);
        // The host knows then who may send it on.
        assert_eq!(scene.poll(), [told(WHOLE, ProgressState::HasAll)]);
        scene.client.set_settings(ClientSettings { upload: u64::MAX, ..ON });
        assert_eq!(shares(scene.orders()), [game(Some(u64::MAX))]);
        scene.client.set_settings(ClientSettings { upload: u64::MAX, ..ON });
        assert_eq!(scene.orders(), []);
    }
}

/// MAP-67, 72: what the map turns out to need and the host left out is asked for too, and counts beside what came before; then all is
/// there.
#[test]
fn what_was_left_out_is_asked_for() {
    let mut scene = Scene::downloading();
    scene.now = seconds(10.0);
    scene.client.handle_news(News::Done(map(SOUNDS)));
    assert!(!scene.client.may_load());
    let asked = scene.poll();
    assert!(matches!(&asked[..], [Told::Asked(request)] if request.lacked == SOUNDS), "{asked:?}");
    scene.offers(&[offer(File::Sounds, 5)]).unwrap();
    let orders = scene.orders();
    assert!(matches!(&orders[..], [Order::Download { offers, .. }] if offers.len() == 1), "{orders:?}");
    scene.client.handle_news(News::Progress { had: 3, is_checking: false });
    assert_eq!(scene.run_to(12.0).pop(), Some((12.0, told(WHOLE + 3, ProgressState::Downloading))));
    assert_eq!(scene.client.standing(), Standing::Downloading { had: 3, total: 5 });
    scene.client.handle_news(News::Done(map(SOUNDS)));
    assert!(scene.client.may_load());
    assert_eq!(scene.poll(), [told(WHOLE + 5, ProgressState::HasAll)]);
}

/// MAP-70: what was downloaded is the map of the settings.
#[test]
fn another_map_is_not_what_was_downloaded() {
    let mut scene = Scene::downloading();
    scene.client.handle_news(News::Done(found(VERSION + 1, SIZE, FileSet::NONE)));
    assert!(scene.why().unwrap().contains("another map"));
    assert_eq!(scene.poll(), [told(0, ProgressState::Stopped)]);
}

/// MAP-54: while nothing changes nothing is allocated.
#[test]
fn a_steady_download_allocates_nothing() {
    let mut scene = Scene::downloading();
    let mut outbox = crate::said::outbox();
    let mut tick = |scene: &mut Scene| {
        for _ in 0..300 {
            scene.now = scene.now.plus(33_333);
            outbox.begin(mjolnir_wire::Tick::ZERO, 0);
            scene.client.handle_news(News::Progress { had: scene.now.as_micros() / 10, is_checking: false });
            scene.client.poll(scene.now, &mut outbox);
            assert!(scene.client.line().is_some() && scene.client.next_order().is_none());
        }
    };
    tick(&mut scene);
    let allocated = allocation_counter::measure(|| tick(&mut scene));
    assert_eq!(allocated.count_total, 0);
    assert_eq!(scene.offers(&[offer(File::Map, SIZE)]), Err(Error::NotAsked));
}
