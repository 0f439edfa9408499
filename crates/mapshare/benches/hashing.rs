//! What hashing costs: pieces one at a time and several at once, a whole file of 256 MiB that the system has in memory on one core
//! and on all, the check of a part file, pieces that are taken, and a block that is read for a peer.

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_mapshare::disk::{Clerk, Engine, Loader, System, Unfit, View, hash_pieces};
use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::{Done, Job, Offered, Shelf, Taken};
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES};

const PIECE: usize = PIECE_BYTES as usize;
const LEVEL: &str = "custom_maps\\large";
const FILE: usize = 256 << 20;

struct Any;

impl Loader for Any {
    fn check(&mut self, _: &mut dyn View) -> Result<FileSet, Unfit> {
        Ok(FileSet::NONE)
    }

    fn most(&self, _: File) -> u64 {
        u64::MAX
    }
}

struct Maps(PathBuf);

impl Maps {
    fn new() -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("hashing-{}", std::process::id()));
        let made = fs::create_dir_all(path.join("custom_maps"));
        assert!(made.is_ok(), "{made:?}");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join("custom_maps").join(name)
    }

    fn clerk(&self, cores: usize) -> Clerk<System, Any> {
        Clerk::with(System::new(&self.0), Any, Engine::on(cores), Arc::new(|| ()))
    }
}

impl Drop for Maps {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn bytes(count: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()
    };
    let mut bytes: Vec<u8> = std::iter::repeat_with(next).take(count.div_ceil(8)).flatten().collect();
    bytes.truncate(count);
    bytes
}

fn run(clerk: &mut Clerk<System, Any>, job: Job) -> Vec<Done> {
    clerk.give(job);
    while clerk.step(Duration::ZERO) {}
    let mut dones = Vec::new();
    clerk.take(&mut dones);
    dones
}

fn pieces(c: &mut Criterion) {
    let bytes = bytes(16 * PIECE);
    let mut group = c.benchmark_group("pieces");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("blake2, one at a time", |b| {
        b.iter(|| bytes.chunks(PIECE).map(|piece| of_piece(black_box(piece))[0]).fold(0, u8::wrapping_add));
    });
    for count in [1, 2, 4, 8, 16] {
        group.bench_function(format!("many, {count} at once"), |b| {
            let mut hashes = Vec::with_capacity(16);
            b.iter(|| {
                hashes.clear();
                for batch in bytes.chunks(count * PIECE) {
                    hash_pieces(black_box(batch).chunks(PIECE), &mut hashes);
                }
                hashes[0]
            });
        });
    }
    group.finish();
}

fn files(c: &mut Criterion) {
    let maps = Maps::new();
    let bytes = bytes(FILE);
    let mut hashes: Vec<PieceHash> = Vec::new();
    hash_pieces(bytes.chunks(PIECE), &mut hashes);
    let hashes: Arc<[PieceHash]> = hashes.into();
    let offered = Offered { file: File::Map, size: FILE as u32, hash: of_pieces(FILE as u64, &hashes) };
    let written = fs::write(maps.path("large.map"), &bytes);
    assert!(written.is_ok(), "{written:?}");
    let mut group = c.benchmark_group("file");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(FILE as u64));
    for cores in [1, 2, 4] {
        group.bench_function(format!("hashed on {cores}"), |b| {
            b.iter_batched_ref(
                || maps.clerk(cores),
                |clerk| run(clerk, Job::Look { ticket: 0, level: LEVEL.into(), version: None }),
                BatchSize::PerIteration,
            );
        });
    }
    let _ = fs::rename(maps.path("large.map"), maps.path("kept"));
    let begin = || Job::Begin { level: LEVEL.into(), offers: [offered].into() };
    for cores in [1, 2] {
        // What stands there is a download that has all but its last piece.
        run(&mut maps.clerk(1), begin());
        let mut clerk = maps.clerk(cores);
        assert!(matches!(run(&mut clerk, begin())[..], [Done::Begun(Ok(()))]));
        let written = fs::write(maps.path("large.map.part"), &bytes[..FILE - PIECE]);
        assert!(written.is_ok(), "{written:?}");
        group.bench_function(format!("a part file checked on {cores}"), |b| {
            b.iter(|| run(&mut clerk, Job::Resume { file: File::Map, hashes: Arc::clone(&hashes) }));
        });
        clerk.finish(Duration::ZERO);
    }
    group.finish();

    let mut clerk = maps.clerk(1);
    run(&mut clerk, begin());
    run(&mut clerk, Job::Resume { file: File::Map, hashes: Arc::clone(&hashes) });
    let mut group = c.benchmark_group("download");
    group.throughput(Throughput::Bytes(16 * u64::from(PIECE_BYTES)));
    group.bench_function("16 pieces are hashed and written", |b| {
        b.iter_batched(
            || (0..16).map(|piece| bytes[piece * PIECE..][..PIECE].to_vec()).collect::<Vec<_>>(),
            |pieces| {
                for (piece, bytes) in pieces.into_iter().enumerate() {
                    clerk.give(Job::Take {
                        file: File::Map,
                        piece: piece as u32,
                        bytes,
                        hash: hashes[piece],
                    });
                }
                while clerk.step(Duration::ZERO) {}
                let mut dones = Vec::new();
                clerk.take(&mut dones);
                let good = |done: &Done| matches!(done, Done::Took { outcome: Taken::Good, .. });
                assert!(dones.iter().all(good));
                dones
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
    run(&mut clerk, Job::Abandon);

    let _ = fs::rename(maps.path("kept"), maps.path("large.map"));
    run(&mut clerk, Job::Look { ticket: 0, level: LEVEL.into(), version: None });
    let mut shelf = clerk.shelf();
    let mut block = vec![0; 16_384];
    let mut group = c.benchmark_group("shelf");
    group.throughput(Throughput::Bytes(block.len() as u64));
    let mut at = 0;
    group.bench_function("a block is read", |b| {
        b.iter(|| {
            at = (at + 16_384) % (FILE as u64 - 16_384);
            let read = shelf.read(File::Map, at, &mut block);
            assert!(read.is_ok());
        });
    });
    group.finish();
}

criterion_group!(benches, pieces, files);
criterion_main!(benches);
