//! Whom a machine that downloads is told of.

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::mapshare::{File, FileSet, ProgressState};

use crate::said::{LEVEL, machine, seconds};
use crate::scene::{SIZE, Scene, Told, source};

/// The sources that machine was told of, with when.
fn told_to(told: &[(f64, mjolnir_wire::Machine, Told)], index: u8) -> Vec<(f64, Vec<u8>)> {
    let of = |(at, to, what): &(f64, mjolnir_wire::Machine, Told)| match what {
        Told::Sources(sources) if *to == machine(index) => {
            Some((*at, sources.iter().map(|source| source.machine.get()).collect()))
        }
        _ => None,
    };
    told.iter().filter_map(of).collect()
}

/// MAP-16: with its offer and every ten seconds; only who may have the files, and never who asks.
#[test]
fn sources_are_told_every_ten_seconds() {
    let mut scene = Scene::new();
    scene.progress(2, 0, ProgressState::HasAll).unwrap();
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    let mut told = scene.run_to(15.0);
    scene.ask(3, FileSet::MAP, LEVEL).unwrap();
    told.extend(scene.run_to(35.0));
    // Asking again brings none sooner.
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    told.extend(scene.run_to(60.0));
    // A new source is told of at once.
    let at = [0.1, 10.1, 15.1, 25.1, 35.1, 45.1, 55.1];
    let first = told_to(&told, 1);
    assert_eq!(first.iter().map(|(at, _)| *at).collect::<Vec<_>>(), at);
    assert_eq!(
        first.iter().map(|(_, who)| &who[..]).collect::<Vec<_>>(),
        [&[2][..], &[2], &[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 3]]
    );
    assert_eq!(told_to(&told, 3)[0], (15.1, vec![1, 2]));
    assert_eq!(told_to(&told, 2), []);
    // Who has all is told of none any more.
    scene.progress(1, u64::from(SIZE), ProgressState::HasAll).unwrap();
    assert_eq!(told_to(&scene.run_to(90.0), 1), []);
}

/// MAP-16, MAP-24: who begins to download after another is told to that one within a tenth of a second, since that one is to connect;
/// many that come at once cost no more than one telling in each; and so is one that turns out to have the files.
#[test]
fn a_new_source_is_told_of_soon() {
    let mut scene = Scene::new();
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    assert_eq!(told_to(&scene.run_to(1.0), 1), [(0.1, vec![])]);
    let micros = |millis: u64| mjolnir_wire::Moment::from_millis(millis);
    let poll = |scene: &mut Scene, millis| {
        scene.now = micros(millis);
        let told: Vec<_> = scene.poll().into_iter().map(|(to, what)| (0.0, to, what)).collect();
        told_to(&told, 1).into_iter().map(|(_, who)| who).collect::<Vec<_>>()
    };
    scene.ask(2, FileSet::MAP, LEVEL).unwrap();
    assert_eq!(poll(&mut scene, 1_001), [[2]]);
    scene.progress(3, 0, ProgressState::HasAll).unwrap();
    assert!(poll(&mut scene, 1_100).is_empty());
    assert_eq!(poll(&mut scene, 1_101), [[2, 3]]);
    // What they say after that is no news.
    scene.progress(2, 262_144, ProgressState::Downloading).unwrap();
    scene.progress(2, u64::from(SIZE), ProgressState::HasAll).unwrap();
    scene.progress(3, 0, ProgressState::HasAll).unwrap();
    assert!(poll(&mut scene, 11_100).is_empty());
    assert_eq!(poll(&mut scene, 11_101), [[2, 3]]);
}

/// MAP-16, 71: an entry says where, what, and whether it is downloading.
#[test]
fn an_entry_says_what_a_machine_may_have() {
    let mut scene = Scene::needing(FileSet::only(File::Sounds));
    scene.fetch(1);
    scene.progress(2, 0, ProgressState::HasAll).unwrap();
    scene.ask(3, FileSet::MAP, LEVEL).unwrap();
    let told = scene.poll();
    assert_eq!(told.last().unwrap().1, Told::Sources(vec![source(1, true), source(2, false)]));
    scene.progress(1, 5, ProgressState::Stopped).unwrap();
    scene.host.leave(machine(2));
    scene.now = seconds(10.0);
    assert_eq!(scene.poll(), [(machine(3), Told::Sources(vec![]))]);
}

/// MAP-16: who has nothing of what was offered is no source of it, and of who had the map and lacks a resource map the map is one.
#[test]
fn only_who_may_have_the_files_is_a_source() {
    let sounds = FileSet::only(File::Sounds);
    let mut scene = Scene::needing(sounds);
    scene.progress(3, 0, ProgressState::HasAll).unwrap();
    scene.ask(1, sounds, LEVEL).unwrap();
    scene.poll();
    let orders = scene.orders();
    let mjolnir_mapshare::Order::Hash { ticket, file } = orders[0] else { panic!("{orders:?}") };
    let answer = Ok((9, crate::maps::hash(9)));
    scene.host.handle_news(mjolnir_mapshare::News::Hashed { ticket, file, answer });
    let told = scene.poll();
    assert_eq!(told[1], (machine(1), Told::Sources(vec![])));
    scene.fetch(2);
    scene.now = seconds(10.0);
    let told = scene.poll();
    let Told::Sources(sources) = &told.last().unwrap().1 else { panic!("{told:?}") };
    assert_eq!(told.last().unwrap().0, machine(2));
    let files: Vec<_> = sources.iter().map(|source| (source.machine.get(), source.files)).collect();
    assert_eq!(files, [(1, sounds.or(FileSet::MAP)), (3, FileSet::MAP)]);
}

/// MAP-16, GLUE-25: a machine without an address that says anything elsewhere is named to nobody, nor one at a stand-in of internet
/// play.
#[test]
fn a_machine_without_an_address_is_no_source() {
    let mut scene = Scene::new();
    for (index, address) in [
        (10, None),
        (11, Some("fe80::1")),
        (12, Some("0.0.0.0")),
        (13, Some("::")),
        (16, Some("100.64.0.16")),
        (17, Some("198.18.0.17")),
        (14, Some("fd00::14")),
        (15, Some("::ffff:10.0.0.15")),
    ] {
        scene.host.join(machine(index), address.map(|text| text.parse().unwrap()));
        scene.progress(index, 0, ProgressState::HasAll).unwrap();
    }
    scene.ask(1, FileSet::MAP, LEVEL).unwrap();
    let told = scene.run_to(0.1);
    assert_eq!(told_to(&told, 1), [(0.1, vec![14, 15])]);
}

/// MAP-71: as many as a game has fit one message; and nothing that stays as it is allocates.
#[test]
fn every_machine_is_told_of_all_others() {
    let mut scene = Scene::new();
    for index in 1..MAX_MACHINES as u8 {
        scene.host.join(machine(index), Some(format!("10.0.0.{index}").parse().unwrap()));
        scene.ask(index, FileSet::MAP, LEVEL).unwrap();
    }
    scene.run_to(0.1);
    let told = scene.run_to(10.1);
    assert_eq!(told.len(), 127);
    for (_, to, what) in &told {
        let Told::Sources(sources) = what else { panic!("{what:?}") };
        assert_eq!(sources.len(), 126);
        assert!(sources.iter().all(|source| source.machine != *to));
    }

    scene.orders();
    let mut outbox = crate::said::outbox();
    let mut tick = |scene: &mut Scene| {
        for _ in 0..100 {
            scene.now = scene.now.plus(100_000);
            outbox.begin(mjolnir_wire::Tick::ZERO, 0);
            scene.host.poll(scene.now, &mut outbox);
            for index in 1..MAX_MACHINES as u8 {
                scene.progress(index, 262_144, ProgressState::Downloading).unwrap();
                assert!(scene.standing(index).is_excused);
            }
            assert_eq!(scene.host.next_order(), None);
        }
    };
    tick(&mut scene);
    let allocated = allocation_counter::measure(|| tick(&mut scene));
    assert_eq!(allocated.count_total, 0);
}
