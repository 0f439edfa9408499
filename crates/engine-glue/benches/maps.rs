//! A map of 256 MiB from its host to one machine and to four, each with threads, an address and a folder of its own, beside what
//! bounds it: the same bytes by plain TCP streams, a thread at each end, and the hash of every machine's copy on all cores. After
//! each it prints the processor time of it all, a MiB that came. And what a game's thread does of it while a map is hashed.
//!
//! The files stand beside the build, in the system's memory mostly: what is measured is the processor's work.

use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_engine_glue::maps::{Options, Service};
use mjolnir_engine_glue::mapshare::disk::{LANES, Loader, Unfit, View, hash_pieces};
use mjolnir_engine_glue::mapshare::{Game, News, Offered, Order, Place};
use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES};

const MIB: usize = 256;
const BYTES: usize = MIB << 20;
const LEVEL: &str = "custom_maps\\large";
const FILE: &str = "custom_maps/large.map";
const BUFFER_BYTES: usize = 256 * 1024;

/// How long something took, and the processor time of it.
type Took = (Duration, Duration);

struct Any;

impl Loader for Any {
    fn check(&mut self, _: &mut dyn View) -> Result<FileSet, Unfit> {
        Ok(FileSet::NONE)
    }

    fn most(&self, _: File) -> u64 {
        u64::MAX
    }
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(machine: u8) -> Self {
        let name = format!("maps-{}-{machine}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(path.join("custom_maps")).expect("a folder");
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join(FILE)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A machine. Its service goes before its folder.
struct Node {
    machine: u8,
    service: Service,
    folder: Folder,
}

fn address(machine: u8) -> IpAddr {
    let last = if cfg!(target_os = "linux") { 2 + machine } else { 1 };
    Ipv4Addr::new(127, 0, 0, last).into()
}

impl Node {
    fn new(machine: u8, port: u16, file: Option<&[u8]>) -> Self {
        let folder = Folder::new(machine);
        if let Some(bytes) = file {
            fs::write(folder.file(), bytes).expect("room");
        }
        let options = Options { bind: address(machine), port, seed: u64::from(machine) };
        let service = Service::start(&options, &folder.0, Any).expect("a service");
        Self { machine, service, folder }
    }

    fn wait<R>(&mut self, look: impl Fn(News) -> Option<R>) -> R {
        let mut news = Vec::new();
        loop {
            self.service.wait_for_news(&mut news, Duration::from_secs(10));
            if let Some(seen) = news.drain(..).find_map(&look) {
                return seen;
            }
        }
    }

    fn share(&mut self, offered: Offered) {
        let host = (self.machine != 0).then(|| address(0));
        let (machine, map_version) = (number(self.machine), offered.hash.version());
        self.service.order(Order::Share(Game { machine, map_version, host, upload: Some(u64::MAX) }));
    }
}

fn number(machine: u8) -> Machine {
    Machine::new(machine).expect("a machine")
}

/// A host that shares that file, and what it offers of it.
fn host(file: &[u8]) -> (Node, Offered) {
    let mut host = Node::new(0, 0, Some(file));
    host.service.order(Order::Look { ticket: 0, level: LEVEL.into(), version: None });
    let found = host.wait(|news| match news {
        News::Looked { map, .. } => Some(map.expect("it can be played").expect("it is there")),
        _ => None,
    });
    let offered = Offered { file: File::Map, size: found.size, hash: found.hash };
    host.share(offered);
    host.service.order(Order::Members((1..=4).map(|machine| (number(machine), address(machine))).collect()));
    (host, offered)
}

/// Processor time of all threads, where the platform tells.
fn cpu() -> Duration {
    #[cfg(unix)]
    {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(spent.tv_sec as u64, spent.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// From the order to download until the last machine has it.
fn by_sharing(host: &Node, offered: Offered, machines: u8) -> Took {
    let port = host.service.listening().expect("a listener").port();
    let mut nodes: Vec<Node> = (1..=machines).map(|machine| Node::new(machine, port, None)).collect();
    let places: Vec<Place> = (1..=machines)
        .map(|machine| Place {
            machine: number(machine),
            address: address(machine),
            files: FileSet::MAP,
            is_downloading: true,
        })
        .collect();
    nodes.iter_mut().for_each(|node| node.share(offered));
    let (began, spent) = (Instant::now(), cpu());
    for node in &mut nodes {
        node.service.order(Order::Download { level: LEVEL.into(), offers: [offered].into() });
        let own = number(node.machine);
        let others = places.iter().filter(|place| place.machine != own).copied();
        node.service.order(Order::Sources(others.collect()));
    }
    for node in &mut nodes {
        node.wait(|news| match news {
            News::Failed(fault) => panic!("{fault:?}"),
            News::Done(_) => Some(()),
            _ => None,
        });
    }
    let took = (began.elapsed(), cpu() - spent);
    assert!(nodes.iter().all(|node| same(&node.folder.file(), BYTES as u64)));
    took
}

fn same(file: &Path, length: u64) -> bool {
    fs::metadata(file).is_ok_and(|known| known.len() == length)
}

/// Times threads that are all begun and all awaited.
fn timed(begin: impl FnOnce() -> Vec<thread::JoinHandle<()>>) -> Took {
    let (began, spent) = (Instant::now(), cpu());
    begin().into_iter().for_each(|thread| thread.join().expect("no panic"));
    (began.elapsed(), cpu() - spent)
}

fn by_plain_streams(machines: u8) -> Took {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a listener");
    let at = listener.local_addr().expect("bound");
    let read = move || {
        let mut stream = TcpStream::connect(at).expect("a host");
        let (mut buffer, mut left) = (vec![0; BUFFER_BYTES], BYTES);
        while left > 0 {
            left -= stream.read(&mut buffer).expect("bytes");
        }
    };
    let write = |mut stream: TcpStream| {
        let block = vec![7; BUFFER_BYTES];
        (0..BYTES / BUFFER_BYTES).for_each(|_| stream.write_all(&block).expect("room"));
    };
    timed(|| {
        let mut threads: Vec<_> = (0..machines).map(|_| thread::spawn(read)).collect();
        for _ in 0..machines {
            let (stream, _) = listener.accept().expect("a client");
            threads.push(thread::spawn(move || write(stream)));
        }
        threads
    })
}

/// The hash of each machine's pieces, as a disk's thread takes them, on as many threads as machines but two at least.
fn by_hash(machines: u8) -> Took {
    let threads = usize::from(machines.max(2));
    let pieces = usize::from(machines) * BYTES / PIECE_BYTES as usize / threads;
    let hash = move || {
        let piece = vec![7; PIECE_BYTES as usize];
        let mut hashes = Vec::with_capacity(pieces);
        for _ in 0..pieces / LANES {
            hash_pieces([&piece[..]; LANES], &mut hashes);
        }
        assert_eq!(hashes.len(), pieces);
    };
    timed(|| (0..threads).map(|_| thread::spawn(hash)).collect())
}

fn sharing(bench: &mut Criterion) {
    let mut state = 1_u64;
    let file: Vec<u8> = (0..BYTES / 8)
        .flat_map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_le_bytes()
        })
        .collect();
    let (host, offered) = host(&file);
    drop(file);
    for machines in [1, 4] {
        let mut group = bench.benchmark_group(format!("256 MiB to {machines}"));
        group.throughput(Throughput::Bytes(BYTES as u64 * u64::from(machines)));
        group.sample_size(10);
        let sharing = || by_sharing(&host, offered, machines);
        let plain = || by_plain_streams(machines);
        let hash = || by_hash(machines);
        let ways: [(&str, &dyn Fn() -> Took); 3] =
            [("map sharing", &sharing), ("plain streams", &plain), ("hash alone", &hash)];
        for (name, way) in ways {
            let (mut spent, mut times) = (Duration::ZERO, 0);
            group.bench_function(name, |bench| {
                bench.iter_custom(|count| {
                    let runs: Vec<_> = (0..count).map(|_| way()).collect();
                    spent += runs.iter().map(|(_, cpu)| *cpu).sum::<Duration>();
                    times += count;
                    runs.iter().map(|(took, _)| *took).sum()
                });
            });
            if times > 0 {
                let mib = times as f64 * f64::from(machines) * MIB as f64;
                println!("    processor time: {:.3} ms a MiB", spent.as_secs_f64() * 1e3 / mib);
            }
        }
        group.finish();
    }
}

/// What a frame's calls of the service cost a game's thread, a look for news and now and then an order, while a map of 512 MiB is
/// hashed over and over (MAP-65); afterwards the longest that one took.
fn frames(bench: &mut Criterion) {
    let mut node = Node::new(9, 0, Some(&[]));
    let file = fs::File::create(node.folder.file()).expect("room");
    file.set_len(2 * BYTES as u64).expect("room");
    let (mut ticket, mut longest, mut news) = (0, Duration::ZERO, Vec::new());
    let mut is_hashed = true;
    bench.bench_function("a frame's calls while 512 MiB are hashed", |bench| {
        bench.iter_custom(|count| {
            let mut took = Duration::ZERO;
            for _ in 0..count {
                let order = core::mem::take(&mut is_hashed).then(|| {
                    // One that was changed is hashed anew.
                    ticket += 1;
                    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(ticket.into());
                    file.set_modified(changed).expect("a time");
                    Order::Look { ticket, level: LEVEL.into(), version: None }
                });
                let began = Instant::now();
                if let Some(order) = order {
                    node.service.order(order);
                }
                node.service.take_news(&mut news);
                let one = began.elapsed();
                longest = longest.max(one);
                took += one;
                is_hashed = news.drain(..).any(|news| matches!(news, News::Looked { .. }));
            }
            took
        });
    });
    println!("    the longest: {longest:?}, in {ticket} files");
}

criterion_group!(benches, sharing, frames);
criterion_main!(benches);
