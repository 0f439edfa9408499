//! Anything, in any order: what must hold whatever a host and the disk say.

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::{Fault, News, Order};
use mjolnir_wire::mapshare::{File, FileSet, Offer, Refusal, Source, SourceAddress};
use proptest::prelude::*;

use crate::maps::{found, hash};
use crate::said::{LEVEL, machine};
use crate::scene::{ON, RESOURCES, SIZE, Scene, Told};

#[derive(Clone, Debug)]
enum Step {
    Wait(u64),
    Settings(u8),
    Looked(u8),
    Offers(u8, u32, bool),
    Sources(u8),
    News(u8),
    Session,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0_u64..7_000).prop_map(Step::Wait),
        2 => (0_u8..5).prop_map(Step::Settings),
        6 => (0_u8..4).prop_map(Step::Looked),
        5 => (0_u8..6, 0_u32..3, any::<bool>()).prop_map(|(what, of, whole)| Step::Offers(what, of, whole)),
        2 => any::<u8>().prop_map(Step::Sources),
        3 => (0_u8..4).prop_map(Step::News),
        1 => Just(Step::Session),
    ]
}

proptest! {
    /// MAP-05, 54, 58: requests to one host are five seconds apart, tellings of a download two; one look is under way at a time; a
    /// download is ordered only of offers of the settings' version, and what is shared is the settings' map.
    #[test]
    fn whatever_is_said_the_client_keeps_its_rules(steps in prop::collection::vec(step(), 1..200)) {
        let mut scene = Scene::with(ON);
        let mut version = 0;
        let mut look = None;
        let mut asked = None;
        for step in steps {
            match step {
                Step::Wait(millis) => scene.now = scene.now.plus(millis * 1000),
                Step::Settings(0) => scene.client.handle_settings("levels\\a10\\a10", 0),
                Step::Settings(of) => {
                    version = u32::from(of % 3);
                    scene.client.handle_settings(LEVEL, version);
                }
                Step::Looked(how) => if let Some(ticket) = look.take() {
                    let map = match how {
                        0 => Ok(None),
                        1 => Ok(Some(found(version, SIZE, RESOURCES))),
                        2 => Ok(Some(found(version, SIZE, FileSet::NONE))),
                        _ => Err(Refusal::CannotBeRead),
                    };
                    scene.client.handle_news(News::Looked { ticket, map, resources: FileSet::NONE });
                },
                Step::Offers(what, of, whole) => {
                    let answer = if what == 5 { Err(Refusal::NotTheGamesMap) } else { Ok((SIZE, hash(of))) };
                    let map = Offer { file: File::Map, map_version: of, answer };
                    let mut offers = vec![map];
                    if whole {
                        offers.extend(RESOURCES.iter().map(|file| Offer { file, ..map }));
                    }
                    let _ = scene.offers(&offers);
                }
                Step::Sources(of) => {
                    let address = SourceAddress::Lan([10, 0, 0, of].into());
                    let files = FileSet::MAP;
                    let source = Source { machine: machine(1 + of % 8), address, files, is_downloading: true };
                    let _ = scene.sources(&[source]);
                }
                Step::News(0) => scene.client.handle_news(News::Progress { had: u64::MAX, is_checking: true }),
                Step::News(1) => scene.client.handle_news(News::Failed(Fault::Nothing)),
                Step::News(needs) => {
                    let needs = if needs == 2 { RESOURCES } else { FileSet::NONE };
                    scene.client.handle_news(News::Done(found(version, SIZE, needs)));
                }
                Step::Session => {
                    scene.client.begin_session("10.0.0.1".parse().unwrap(), machine(3));
                    asked = None;
                }
            }
            for told in scene.poll() {
                match told {
                    Told::Asked(request) => {
                        prop_assert!(!request.lacked.is_empty());
                        if let Some(last) = asked.replace(scene.now) {
                            prop_assert!(scene.now.since(last) >= 5_000_000);
                        }
                    }
                    Told::Progress(progress) => prop_assert_eq!(progress.map_version, version),
                }
            }
            for order in scene.orders() {
                match order {
                    Order::Look { ticket, .. } => prop_assert!(look.replace(ticket).is_none()),
                    Order::Share(game) => prop_assert_eq!(game.map_version, version),
                    Order::Download { offers, .. } => {
                        prop_assert!(!offers.is_empty());
                        let is_own = |of: &mjolnir_mapshare::Offered| of.file != File::Map || of.hash.version() == version;
                        prop_assert!(offers.iter().all(is_own));
                        let is_coming = matches!(scene.client.standing(), Standing::Downloading { .. });
                        prop_assert!(is_coming, "{:?}", scene.client.standing());
                    }
                    Order::Sources(places) => prop_assert!(places.iter().all(|place| place.machine != machine(3))),
                    Order::Leave => {}
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
    }
}
