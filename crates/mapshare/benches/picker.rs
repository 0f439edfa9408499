//! What it costs a machine that downloads to choose what it asks for next, with as many ends and pieces as there may be, and to
//! take what ends say that they have. No socket, no disk.

use std::hint::black_box;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_mapshare::download::{Conn, Download, ENDS_MAX, Rank, Wish};
use mjolnir_mapshare::hash::of_pieces;
use mjolnir_mapshare::{Job, Offered, Taken};
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, PIECES_MAX};
use mjolnir_wire::swarm::{HASHES_MAX, Have};

const NOW: Moment = Moment::START;
/// Pieces of a round's files, of all of them, that are had before it begins anew.
const ROUND: u32 = 12_000;

/// What of a file an end has.
type Share = fn(u32) -> Option<Vec<u8>>;

fn whole(_: u32) -> Option<Vec<u8>> {
    None
}

/// Half of the pieces, another half at each end.
fn half(conn: u32) -> Option<Vec<u8>> {
    let byte =
        |at: u32| (at.wrapping_mul(0x9E37_79B1).wrapping_add(conn.wrapping_mul(0x85EB_CA6B)) >> 13) as u8;
    Some((0..PIECES_MAX / 8).map(byte).collect())
}

fn offered(file: File, hashes: &[[u8; 32]]) -> Offered {
    Offered { file, size: u32::MAX, hash: of_pieces(u32::MAX.into(), hashes) }
}

/// A download of the largest files, whose pieces are asked for, from as many ends as there may be.
fn begun(files: &[File], share: Share) -> Download {
    let hashes = vec![[7; 32]; PIECES_MAX as usize];
    let offers: Vec<_> = files.iter().map(|file| offered(*file, &hashes)).collect();
    let mut download = Download::new(NOW, &offers, 1);
    for conn in 0..ENDS_MAX as u32 {
        download.add(Conn(conn), Ipv4Addr::from_bits(0x0A00_0000 + conn).into(), Rank::Host);
        for offered in &offers {
            let bitmap = share(conn);
            let have = Have { hash: offered.hash, size: offered.size, bitmap: bitmap.as_deref() };
            download.handle_have(Conn(conn), offered.file, &have);
        }
    }
    while let Some(wish) = download.next_wish(NOW) {
        let Wish::HashesRequest(conn, file, 0) = wish else { continue };
        for (at, frame) in hashes.chunks(HASHES_MAX).enumerate() {
            let first = (at * HASHES_MAX) as u32;
            assert_eq!(download.handle_hashes(NOW, conn, file, first, frame), Ok(()));
        }
    }
    for file in files {
        download.resumed(NOW, *file, Ok(vec![0; PIECES_MAX as usize / 8]));
    }
    download
}

/// How long `requests` requests take to be chosen, of a download that runs from its first piece on.
fn chosen(requests: u64, files: &[File], share: Share) -> Duration {
    let mut took = Duration::ZERO;
    let mut made = 0;
    let block = [7; 16_384];
    while made < requests {
        let mut download = begun(files, share);
        let mut had = 0;
        while made < requests && had < ROUND {
            let begun = Instant::now();
            let wish = black_box(download.next_wish(NOW));
            let passed = begun.elapsed();
            match wish {
                Some(Wish::Request(conn, file, piece)) => {
                    took += passed;
                    made += 1;
                    for at in 0..16 {
                        // The last block of the largest file is a byte shorter.
                        let is_last = piece == PIECES_MAX - 1 && at == 15;
                        let block = &block[usize::from(is_last)..];
                        let sent = download.handle_block(NOW, conn, file, piece, at * 16_384, block);
                        assert_eq!(sent, Ok(true));
                    }
                }
                Some(Wish::Job(Job::Take { file, piece, bytes, .. })) => {
                    download.took(NOW, file, piece, bytes, Taken::Good);
                }
                Some(Wish::Had(..)) => had += 1,
                Some(_) => {}
                None => panic!("nothing to ask for"),
            }
        }
    }
    took
}

fn picking(c: &mut Criterion) {
    let mut group = c.benchmark_group("request/16384_pieces_24_ends");
    group.sample_size(20);
    for (name, files, share) in [
        ("whole", &[File::Map][..], whole as Share),
        ("halves", &[File::Map], half),
        ("halves_of_four_files", &File::ALL, half),
    ] {
        group.bench_function(name, |b| b.iter_custom(|requests| chosen(requests, files, share)));
    }
    group.finish();
}

fn saying(c: &mut Criterion) {
    let mut group = c.benchmark_group("said/16384_pieces_24_ends");
    let hashes = vec![[7; 32]; PIECES_MAX as usize];
    let Offered { hash, size, .. } = offered(File::Map, &hashes);
    let mut download = begun(&[File::Map], half);
    let bitmaps = [half(90), half(91)];
    let mut turn = 0;
    group.bench_function("have", |b| {
        b.iter(|| {
            turn += 1;
            let bitmap = bitmaps[turn % 2].as_deref();
            download.handle_have(Conn(3), File::Map, black_box(&Have { hash, size, bitmap }));
        });
    });
    let mut piece = 0;
    group.bench_function("have_piece", |b| {
        b.iter(|| {
            piece = (piece + 1) % PIECES_MAX;
            download.handle_have_piece(Conn(4), File::Map, black_box(piece))
        });
    });
    while download.next_wish(NOW).is_some() {}
    group.bench_function("nothing_to_ask_for", |b| b.iter(|| black_box(download.next_wish(NOW))));
    group.bench_function("poll_and_next_due", |b| {
        b.iter(|| {
            download.poll(NOW);
            black_box(download.next_due())
        });
    });
    group.finish();
}

criterion_group!(benches, picking, saying);
criterion_main!(benches);
