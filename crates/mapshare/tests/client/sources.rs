//! Who else may have files, as far as a client believes its host.

use mjolnir_mapshare::{Error, Order, Place};
use mjolnir_wire::mapshare::{FileSet, Source, SourceAddress};

use crate::said::machine;
use crate::scene::{ON, Scene};

fn source(index: u8, address: &str) -> Source {
    let address = SourceAddress::Lan(address.parse().unwrap());
    Source { machine: machine(index), address, files: FileSet::MAP, is_downloading: index.is_multiple_of(2) }
}

fn places(scene: &mut Scene) -> Vec<Vec<u8>> {
    let of = |order: Order| match order {
        Order::Sources(places) => places.iter().map(|place: &Place| place.machine.get()).collect(),
        other => panic!("{other:?}"),
    };
    scene.orders().into_iter().map(of).collect()
}

/// MAP-71: a list takes the place of the one before, also where that was not looked at yet; none is a list.
#[test]
fn a_list_replaces_the_one_before() {
    let mut scene = Scene::downloading();
    scene.sources(&[source(1, "192.168.1.11"), source(2, "192.168.1.12")]).unwrap();
    let place = Place {
        machine: machine(2),
        address: "192.168.1.12".parse().unwrap(),
        files: FileSet::MAP,
        is_downloading: true,
    };
    let orders = scene.orders();
    assert!(matches!(&orders[..], [Order::Sources(places)] if places[1] == place), "{orders:?}");
    scene.sources(&[source(1, "192.168.1.11")]).unwrap();
    scene.sources(&[source(4, "192.168.1.14")]).unwrap();
    assert_eq!(places(&mut scene), [[4]]);
    scene.sources(&[]).unwrap();
    assert_eq!(places(&mut scene), [[]]);
    assert_eq!(scene.client.left_out_sources(), 0);
}

/// MAP-21, 22: of a host in a private network only machines in one are taken, whatever it says; this machine and the internet's are
/// left out, and who stands twice is there once.
#[test]
fn only_machines_of_the_hosts_kind_are_taken() {
    let mut scene = Scene::downloading();
    let internet = Source { address: SourceAddress::Internet([9; 16]), ..source(9, "10.0.0.9") };
    let list = [
        source(1, "127.0.0.1"),
        source(2, "8.8.8.8"),
        source(3, "192.168.1.3"),
        source(4, "10.1.1.4"),
        source(5, "100.64.0.5"),
        source(6, "fd00::6"),
        source(7, "2a00::7"),
        source(4, "10.1.1.5"),
        internet,
        source(126, "169.254.0.1"),
    ];
    scene.sources(&list).unwrap();
    assert_eq!(places(&mut scene), [[4, 6, 126]]);
    assert_eq!(scene.client.left_out_sources(), 7);
    // An entry that is none costs itself.
    scene.sources(&[source(1, "0.0.0.0"), source(2, "224.0.0.1"), source(5, "192.168.7.7")]).unwrap();
    assert_eq!(places(&mut scene), [[5]]);
    assert_eq!(scene.client.left_out_sources(), 9);
}

/// MAP-71: 127 entries fit one message, and are taken.
#[test]
fn a_full_list_is_taken() {
    let mut scene = Scene::downloading();
    let list: Vec<_> = (1..128).map(|index| source(index, &format!("10.0.0.{index}"))).collect();
    scene.sources(&list).unwrap();
    assert_eq!(places(&mut scene)[0].len(), 126);
}

/// MAP-71: nobody is connected to for a list that nobody asked for.
#[test]
fn a_list_without_a_download_is_refused() {
    let mut scene = Scene::lacking(ON);
    assert_eq!(scene.sources(&[source(1, "192.168.1.11")]), Err(Error::NotAsked));
    scene.poll();
    assert_eq!(scene.sources(&[source(1, "192.168.1.11")]), Err(Error::NotAsked));
    assert_eq!(scene.orders(), []);
}
