//! What a host's tick costs while a map of 512 MiB is hashed on the disk's thread (MAP-65): every call of the netcode by itself, in a
//! game of 16 clients, with and without a thread that hashes the file again and again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_mapshare::disk::Thread;
use mjolnir_mapshare::{Done, Job};
use mjolnir_skirmish::custom::Loader;
use mjolnir_skirmish::game::map_file::Making;
use mjolnir_tests::{Call, Tape};
use mjolnir_wire::mapshare::{File, FileSet};

/// Bytes of the map.
const SIZE: u64 = 512 << 20;
/// Ticks of a game before it is steady, and of each game that are measured.
const WARM_UP: i32 = 60;
const TICKS: usize = 40_000;

/// A thread that has a map hashed as long as it lives, and how often that was done.
struct Hashing {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<u32>>,
}

impl Hashing {
    fn begin(folder: &Path) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let (until, folder) = (Arc::clone(&ends), folder.to_owned());
        let thread = thread::spawn(move || {
            let mut hashed = 0;
            while !until.load(Ordering::Relaxed) {
                // Another run each time, since a run hashes a file once.
                let mut disk = Thread::start(&folder, Loader, || {}).expect("a thread");
                disk.give(Job::Look { ticket: 0, level: "custom_maps\\large".into(), version: None });
                let mut done = Vec::new();
                while done.is_empty() && !until.load(Ordering::Relaxed) {
                    thread::park_timeout(Duration::from_millis(2));
                    disk.take(&mut done);
                }
                hashed += u32::from(matches!(done.first(), Some(Done::Looked { map: Ok(Some(_)), .. })));
            }
            hashed
        });
        Self { ends, thread: Some(thread) }
    }

    fn end(mut self) -> u32 {
        self.ends.store(true, Ordering::Relaxed);
        self.thread.take().map(|thread| thread.join().expect("no panic")).unwrap_or_default()
    }
}

/// The netcode's time in each of so many ticks, the shortest first.
fn ticks(tape: &Tape) -> Vec<Duration> {
    let mut spent = Vec::with_capacity(TICKS);
    while spent.len() < TICKS {
        let (mut is_steady, mut tick) = (false, Duration::ZERO);
        tape.play(|call, make| {
            if let Call::Before(at) = call {
                is_steady = at.get() > WARM_UP;
            }
            let begun = Instant::now();
            make();
            tick += begun.elapsed();
            if matches!(call, Call::After(_)) {
                if is_steady && spent.len() < TICKS {
                    spent.push(tick);
                }
                tick = Duration::ZERO;
            }
        });
    }
    spent.sort_unstable();
    spent
}

fn told(what: &str, spent: &[Duration]) {
    let at = |of: usize| spent[(spent.len() * of / 1000).min(spent.len() - 1)].as_secs_f64() * 1e6;
    println!(
        "{what}: p50 {:.0} us, p99 {:.0} us, p99.9 {:.0} us, most {:.0} us",
        at(500),
        at(990),
        at(999),
        at(1000)
    );
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside");
    fs::create_dir_all(folder.join("custom_maps")).expect("a folder");
    let path = folder.join("custom_maps/large.map");
    if fs::metadata(&path).map(|file| file.len()).ok() != Some(SIZE) {
        let making = Making::new(File::Map, SIZE, 1, FileSet::NONE).expect("a size");
        making.write(&mut fs::File::create(&path).expect("a file")).expect("room for it");
    }
    folder
}

fn beside(c: &mut Criterion) {
    let folder = folder();
    let [tape, _] = Tape::record("field", 16, 10.0);
    told("a host's tick of 16 clients, nothing beside", &ticks(&tape));
    let hashing = Hashing::begin(&folder);
    let spent = ticks(&tape);
    told(&format!("the same while 512 MiB were hashed {} times", hashing.end()), &spent);
    let mut group = c.benchmark_group("beside");
    group.sample_size(10);
    group.bench_function("host's tick", |b| b.iter_custom(|wanted| mean(&tape, wanted)));
    let hashing = Hashing::begin(&folder);
    group
        .bench_function("host's tick while a map is hashed", |b| b.iter_custom(|wanted| mean(&tape, wanted)));
    hashing.end();
    group.finish();
    // Half a gigabyte is not for keeping; what cannot be removed is only left.
    let _ = fs::remove_dir_all(&folder);
}

fn mean(tape: &Tape, wanted: u64) -> Duration {
    let spent = ticks(tape);
    spent.iter().sum::<Duration>() / spent.len() as u32 * wanted as u32
}

criterion_group!(benches, beside);
criterion_main!(benches);
