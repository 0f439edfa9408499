//! The host changes its mind, and the client leaves.

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::{Error, News, Order};
use mjolnir_wire::mapshare::{File, FileSet, ProgressState, Refusal};

use crate::maps::found;
use crate::said::{LEVEL, machine};
use crate::scene::{RESOURCES, SIZE, Scene, Told, VERSION, map, offer};

const OTHER: &str = "custom_maps\\other";

fn ticket(orders: &[Order]) -> u32 {
    let Some(Order::Look { ticket, .. }) = orders.last() else { panic!("{orders:?}") };
    *ticket
}

/// MAP-85: another map at 40 % stops the download and looks for the new one; what was news of the old one is none.
#[test]
fn another_map_stops_the_download() {
    let mut scene = Scene::downloading();
    scene.client.handle_news(News::Progress { had: 1_048_576, is_checking: false });
    scene.client.handle_settings(OTHER, 5);
    let orders = scene.orders();
    assert!(
        matches!(&orders[..], [Order::Leave, Order::Look { level, version: Some(5), .. }] if level == OTHER),
        "{orders:?}"
    );
    for news in [
        News::Progress { had: 9, is_checking: false },
        News::Done(map(FileSet::NONE)),
        News::Failed(mjolnir_mapshare::Fault::Nothing),
    ] {
        scene.client.handle_news(news);
        assert_eq!(scene.client.standing(), Standing::Looking);
    }
    assert_eq!(scene.run_to(6.0), []);
    let news = News::Looked { ticket: ticket(&orders), map: Ok(None), resources: RESOURCES };
    scene.client.handle_news(news);
    assert_eq!(scene.client.standing(), Standing::Asking);
    assert_eq!(scene.offers(&[offer(File::Map, SIZE)]), Err(Error::NotAsked));
    let asked = scene.poll();
    assert!(matches!(&asked[..], [Told::Asked(request)] if request.level.as_bytes() == OTHER.as_bytes()));
    assert_eq!(scene.offers(&[offer(File::Map, SIZE)]), Err(Error::OtherVersion));
}

/// MAP-85: a map of the game's own ends a download too.
#[test]
fn a_map_that_is_there_ends_a_download() {
    let mut scene = Scene::downloading();
    scene.client.handle_settings("levels\\a10\\a10", 0);
    assert_eq!(scene.orders(), [Order::Leave]);
    assert_eq!(scene.client.standing(), Standing::Ready { file: None });
    assert_eq!(scene.run_to(10.0), []);
}

/// MAP-05: however often a host changes its mind, one look is under way, and then one for the last map.
#[test]
fn a_host_that_changes_its_mind_costs_one_look_at_a_time() {
    let mut scene = Scene::with(crate::scene::ON);
    scene.client.handle_settings(LEVEL, VERSION);
    let first = ticket(&scene.orders());
    for at in 0..1000 {
        scene.client.handle_settings(OTHER, at);
        scene.client.handle_settings(LEVEL, VERSION);
    }
    scene.client.handle_settings(OTHER, 7);
    assert_eq!(scene.orders(), []);
    let news = News::Looked { ticket: first, map: Ok(Some(map(FileSet::NONE))), resources: FileSet::NONE };
    scene.client.handle_news(news.clone());
    assert_eq!(scene.client.standing(), Standing::Looking);
    let orders = scene.orders();
    assert!(matches!(&orders[..], [Order::Look { version: Some(7), .. }]), "{orders:?}");
    // Its answer counts once.
    scene.client.handle_news(news);
    assert_eq!(scene.orders(), []);
    assert_eq!(scene.client.standing(), Standing::Looking);
    let map = Ok(Some(found(7, SIZE, FileSet::NONE)));
    scene.client.handle_news(News::Looked { ticket: ticket(&orders), map, resources: FileSet::NONE });
    assert!(scene.client.may_load());
}

/// MAP-51, 52: who leaves stops its download; with another host everything begins anew, and the turn of its requests too.
#[test]
fn another_host_is_asked_anew() {
    let mut scene = Scene::downloading();
    scene.client.begin_session("10.0.0.1".parse().unwrap(), machine(5));
    assert_eq!(scene.orders(), [Order::Leave]);
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(None), RESOURCES);
    let asked = scene.poll();
    assert!(matches!(&asked[..], [Told::Asked(request)] if request.lacked == FileSet::MAP), "{asked:?}");
    scene.client.end_session();
    assert_eq!((scene.orders(), scene.client.standing()), (vec![], Standing::Unnamed));
    assert_eq!(scene.run_to(40.0), []);
}

/// MAP-05: a session that ends while its map is looked for leaves nothing for the next but the turn.
#[test]
fn a_look_of_the_session_before_is_none_of_this_one() {
    let mut scene = Scene::with(crate::scene::ON);
    scene.client.handle_settings(LEVEL, VERSION);
    let first = ticket(&scene.orders());
    scene.client.end_session();
    let news = News::Looked { ticket: first, map: Ok(Some(map(FileSet::NONE))), resources: FileSet::NONE };
    scene.client.handle_news(news);
    assert_eq!((scene.orders(), scene.poll()), (vec![], vec![]));
    assert_eq!(scene.client.standing(), Standing::Unnamed);
    scene.client.begin_session("10.0.0.1".parse().unwrap(), machine(5));
    scene.client.handle_settings(LEVEL, VERSION);
    scene.looked(Ok(Some(map(FileSet::NONE))), FileSet::NONE);
    let told = scene.poll();
    assert!(
        matches!(&told[..], [Told::Progress(progress)] if progress.state == ProgressState::HasAll),
        "{told:?}"
    );
    scene.client.handle_news(News::Word("disk: slow".into()));
    assert_eq!(scene.client.words().collect::<Vec<_>>(), ["disk: slow"]);
}

/// MAP-03, 05: what is answered before this client's look was handed on is of the one before it in its process, whose tickets
/// are the same: it changes nothing, and its own answer is waited for.
#[test]
fn an_answer_to_the_client_before_is_none_of_this_one() {
    for old in [Ok(None), Err(Refusal::NotTheGamesVersion), Ok(Some(map(FileSet::NONE)))] {
        let mut before = Scene::with(crate::scene::ON);
        before.client.handle_settings(OTHER, 7);
        let first = ticket(&before.orders());
        let mut scene = Scene::with(crate::scene::ON);
        scene.client.handle_settings(LEVEL, VERSION);
        scene.client.handle_news(News::Looked { ticket: first, map: old, resources: FileSet::NONE });
        assert_eq!(scene.client.standing(), Standing::Looking);
        assert_eq!(scene.poll(), []);
        scene.looked(Ok(Some(map(FileSet::NONE))), FileSet::NONE);
        assert!(scene.client.may_load());
    }
}

/// MAP-02: a host that has yet to look at its own file says no version: nothing is looked for until it does, nor loaded. One that begins
/// its game all the same has no such map: its client leaves and says so.
#[test]
fn a_version_that_is_not_known_yet_is_waited_for() {
    let mut scene = Scene::downloading();
    scene.orders();
    scene.client.handle_settings(OTHER, 0);
    scene.client.handle_settings(OTHER, 0);
    assert!(scene.orders().iter().all(|order| !matches!(order, Order::Look { .. })));
    assert!(!scene.client.may_load());
    scene.client.handle_settings(OTHER, 7);
    let orders = scene.orders();
    assert!(matches!(orders.as_slice(), [.., Order::Look { version: Some(7), .. }]), "{orders:?}");
    scene.client.handle_start();
    assert_eq!(scene.why(), None);

    let mut scene = Scene::with(crate::scene::ON);
    scene.client.handle_start();
    assert_eq!(scene.why(), None, "it knows no level yet");
    scene.client.handle_settings("levels\\test\\flat\\flat", 0);
    scene.client.handle_start();
    assert_eq!(scene.why(), None, "a map that ships has no version");
    scene.client.handle_settings(OTHER, 0);
    assert_eq!(scene.why(), None);
    scene.client.handle_start();
    assert_eq!(
        scene.why().as_deref(),
        Some("The host did not say which version of the map custom_maps\\other it plays.")
    );
}
