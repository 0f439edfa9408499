//! What the hub's own turns cost: bytes that it pumps from one machine to one and to four, over the loopback, beside a plain
//! blocking TCP stream that is written and read 256 KiB at a time. Afterwards it prints the processor time of the hubs'
//! threads, a MiB of it.
//!
//! The hub's bytes are copied once more than the plain stream's: its peers fill a buffer, as they must.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_transport::net::{BUFFER_BYTES, Command, Hub, HubOptions, Peers};
use mjolnir_wire::Moment;

/// Bytes to each machine.
const BYTES: usize = 256 << 20;
const MIB: f64 = (1 << 20) as f64;

/// A block's worth of a frame: what is cut is ended.
const FRAME: usize = 16 * 1024;

/// Sends to each connection [`BYTES`], and says when it has had as many.
struct Pump {
    sends: bool,
    connects: Option<IpAddr>,
    /// Of each connection, to be sent yet.
    left: Vec<(u32, usize)>,
    had: usize,
    block: Vec<u8>,
    told: Sender<()>,
}

impl Pump {
    fn left(&mut self, connection: u32) -> Option<&mut usize> {
        self.left.iter_mut().find(|(number, _)| *number == connection).map(|(_, left)| left)
    }
}

impl Peers for Pump {
    fn accepted(&mut self, _: Moment, connection: u32, _: IpAddr) -> bool {
        self.left.push((connection, BYTES));
        true
    }

    fn connected(&mut self, _: Moment, _: u32) {}

    fn received(&mut self, _: Moment, _: u32, bytes: &[u8]) {
        self.had += bytes.len();
        if self.had == BYTES {
            let _ = self.told.send(());
        }
    }

    fn closed(&mut self, _: Moment, _: u32) {}

    fn fill(&mut self, _: Moment, connection: u32, room: usize, into: &mut Vec<u8>) {
        if !self.sends {
            return;
        }
        let left = self.left(connection).copied().unwrap_or_default();
        into.extend_from_slice(&self.block[..left.min(room.next_multiple_of(FRAME))]);
    }

    fn wrote(&mut self, _: Moment, connection: u32, bytes: usize) -> usize {
        let kept = bytes.next_multiple_of(FRAME) - bytes;
        if let Some(left) = self.left(connection) {
            *left -= bytes + kept;
        }
        kept
    }

    fn poll(&mut self, _: Moment) {}

    fn next_due(&self) -> Option<Moment> {
        None
    }

    fn next_command(&mut self) -> Option<Command> {
        self.connects.take().map(|host| Command::Connect(0, host))
    }
}

fn hub(last: u8, port: u16, connects: Option<IpAddr>) -> (Hub, Receiver<()>) {
    let (told, heard) = channel();
    let bind = SocketAddr::new(address(last), 0);
    let pump = Pump {
        sends: connects.is_none(),
        connects,
        left: Vec::new(),
        had: 0,
        block: vec![7; BUFFER_BYTES],
        told,
    };
    (Hub::start(&HubOptions { bind, port }, |_| Ok(Box::new(pump))).expect("a hub"), heard)
}

/// Loopback addresses of their own where the system has them.
fn address(last: u8) -> IpAddr {
    if cfg!(target_os = "linux") { Ipv4Addr::new(127, 0, 0, last) } else { Ipv4Addr::LOCALHOST }.into()
}

/// To so many machines: how long it took, and the threads' time.
fn by_hubs(machines: u8) -> (Duration, Duration) {
    let (host, _) = hub(2, 0, None);
    let at = host.listening().expect("a listener");
    let began = Instant::now();
    let clients: Vec<_> = (0..machines).map(|last| hub(3 + last, at.port(), Some(at.ip()))).collect();
    assert!(clients.iter().all(|(_, heard)| heard.recv().is_ok()));
    let took = began.elapsed();
    (took, clients.iter().map(|(hub, _)| hub.cpu()).sum::<Duration>() + host.cpu())
}

/// By plain streams, a thread at each end of each.
fn by_plain_streams(machines: u8) -> Duration {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a listener");
    let at = listener.local_addr().expect("bound");
    let began = Instant::now();
    let readers: Vec<_> = (0..machines)
        .map(|_| {
            std::thread::spawn(move || {
                let mut stream = TcpStream::connect(at).expect("a host");
                let (mut buffer, mut left) = (vec![0; BUFFER_BYTES], BYTES);
                while left > 0 {
                    left -= stream.read(&mut buffer).expect("bytes");
                }
            })
        })
        .collect();
    let writers: Vec<_> = (0..machines)
        .map(|_| {
            let (mut stream, _) = listener.accept().expect("a client");
            std::thread::spawn(move || {
                let block = vec![7; BUFFER_BYTES];
                (0..BYTES / BUFFER_BYTES).for_each(|_| stream.write_all(&block).expect("room"));
            })
        })
        .collect();
    readers.into_iter().chain(writers).for_each(|thread| thread.join().expect("no panic"));
    began.elapsed()
}

fn pumping(bench: &mut Criterion) {
    for machines in [1, 4] {
        let mut group = bench.benchmark_group(format!("256 MiB to {machines}"));
        group.throughput(Throughput::Bytes(BYTES as u64 * u64::from(machines)));
        group.sample_size(10);
        let (mut spent, mut times) = (Duration::ZERO, 0);
        group.bench_function("hubs", |bench| {
            bench.iter_custom(|count| {
                let runs: Vec<_> = (0..count).map(|_| by_hubs(machines)).collect();
                spent += runs.iter().map(|(_, cpu)| *cpu).sum::<Duration>();
                times += count;
                runs.iter().map(|(took, _)| *took).sum()
            });
        });
        if times > 0 {
            let mib = times as f64 * f64::from(machines) * BYTES as f64 / MIB;
            println!("    the threads' time: {:.3} ms a MiB", spent.as_secs_f64() * 1e3 / mib);
        }
        group.bench_function("plain streams", |bench| {
            bench.iter_custom(|count| (0..count).map(|_| by_plain_streams(machines)).sum());
        });
        group.finish();
    }
}

criterion_group!(benches, pumping);
criterion_main!(benches);
