//! What a download takes of memory: nothing more in a steady transfer, and never more than it may.

use mjolnir_mapshare::download::{Conn, Rank, Wish};
use mjolnir_mapshare::{Job, Taken};
use mjolnir_wire::mapshare::File;

use super::kit::{Scene, Truth};

/// Sends what is asked for, and takes it as good, until so many pieces are had.
fn transfer(scene: &mut Scene, pieces: u32) {
    let mut had = 0;
    let mut asked = [None; 16];
    while had < pieces {
        while let Some(wish) = scene.download.next_wish(scene.now) {
            match wish {
                Wish::Request(conn, file, piece) => {
                    *asked.iter_mut().find(|place| place.is_none()).unwrap() = Some((conn, file, piece));
                }
                Wish::Job(Job::Take { file, piece, bytes, .. }) => {
                    scene.download.took(scene.now, file, piece, bytes, Taken::Good);
                }
                Wish::Had(..) => had += 1,
                other => panic!("{other:?}"),
            }
        }
        let place = asked.iter_mut().find(|place| place.is_some()).unwrap();
        let (conn, file, piece) = place.take().unwrap();
        for block in 0..16 {
            let sent =
                scene.download.handle_block(scene.now, conn, file, piece, block * 16_384, &[7; 16_384]);
            assert_eq!(sent, Ok(true));
        }
        scene.now = scene.now.plus(1000);
        scene.download.poll(scene.now);
        assert!(scene.download.next_due().is_some());
    }
}

/// Pieces come and go without anything being allocated.
#[test]
fn a_steady_transfer_allocates_nothing() {
    let files = vec![Truth::hashes_only(File::Map, 1000), Truth::hashes_only(File::Bitmaps, 500)];
    let mut scene = Scene::open_all(files, 7);
    scene.sources(1..=9);
    for conn in 10..=23 {
        scene.add(conn, Rank::Incoming);
        scene.have(conn, File::Map, (0..1000).filter(|piece| piece % conn != 0));
    }
    scene.have_all(1, File::Bitmaps);
    transfer(&mut scene, 60);
    let counted = allocation_counter::measure(|| transfer(&mut scene, 500));
    assert_eq!(counted.count_total, 0);
}

/// MAP-83: whatever the disk does and however many ends there are, piece buffers are 31 at most: of 256 KiB, 16 of them under way.
#[test]
fn buffers_are_bounded() {
    let mut scene = Scene::open_all(vec![Truth::hashes_only(File::Map, 1000)], 7);
    scene.sources(1..=23);
    let mut at_disk = Vec::new();
    let counted = allocation_counter::measure(|| {
        let mut asked = Vec::new();
        loop {
            while let Some(wish) = scene.download.next_wish(scene.now) {
                match wish {
                    Wish::Request(conn, file, piece) => asked.push((conn, file, piece)),
                    Wish::Job(Job::Take { bytes, .. }) => at_disk.push(bytes),
                    other => panic!("{other:?}"),
                }
            }
            let Some((conn, file, piece)) = asked.pop() else { break };
            for block in 0..16 {
                let sent =
                    scene.download.handle_block(scene.now, conn, file, piece, block * 16_384, &[7; 16_384]);
                assert_eq!(sent, Ok(true));
            }
        }
    });
    assert_eq!(at_disk.len(), 31);
    assert!(at_disk.iter().all(|bytes| bytes.capacity() == 262_144));
    assert!(counted.bytes_max < 31 * 262_144 + 16_384, "{} bytes", counted.bytes_max);
}

/// MAP-83: an end that was asked for pieces and sends none costs no buffer; one that sends hashes costs as many as it sent.
#[test]
fn the_silent_cost_nothing() {
    let truth = Truth::hashes_only(File::Map, 16_384);
    let mut scene = Scene::open_all(vec![truth.clone()], 7);
    let counted = allocation_counter::measure(|| {
        scene.sources(1..=8);
        let mut asked = 0;
        while let Some(wish) = scene.download.next_wish(scene.now) {
            asked += usize::from(matches!(wish, Wish::Request(..)));
        }
        assert_eq!(asked, 16);
    });
    assert!(counted.bytes_max < 16_384, "{} bytes", counted.bytes_max);

    let mut scene = Scene::new(vec![truth], 7);
    scene.sources(1..=23);
    scene.pass(10_000);
    scene.drain();
    let counted = allocation_counter::measure(|| {
        for conn in 1..=23 {
            let told = scene.download.handle_hashes(scene.now, Conn(conn), File::Map, 0, &[[0; 32]; 512]);
            assert_eq!(told, Ok(()));
        }
    });
    // Two of them are asked.
    assert_eq!(counted.bytes_max, 2 * 512 * 32);
}

/// A download of four of the largest files with as many ends as there may be, each with half of each, takes under 2 MiB beside its
/// hashes and its buffers.
#[test]
fn the_largest_is_bounded() {
    let files: Vec<_> = File::ALL.into_iter().map(|file| Truth::hashes_only(file, 16_384)).collect();
    let bitmaps: Vec<_> = files.iter().map(|truth| truth.bitmap((0..16_384).step_by(2))).collect();
    let offers: Vec<_> = files.iter().map(|truth| truth.offered).collect();
    let counted = allocation_counter::measure(|| {
        let mut scene = Scene::new(Vec::new(), 7);
        scene.download = mjolnir_mapshare::download::Download::new(scene.now, &offers, 7);
        for conn in 0..24 {
            scene.add(conn, Rank::Named);
            for (offered, bitmap) in offers.iter().zip(&bitmaps) {
                let have = mjolnir_wire::swarm::Have {
                    hash: offered.hash,
                    size: offered.size,
                    bitmap: Some(bitmap),
                };
                scene.download.handle_have(Conn(conn), offered.file, &have);
            }
        }
    });
    assert!(counted.bytes_max < 2 << 20, "{} bytes", counted.bytes_max);
}
