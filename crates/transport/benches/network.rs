//! The price of a host's datagrams on the loopback, a tick's to and from 16 peers and 16 to and from one, in
//! batches against the plain loop of one call each. Many datagrams of one peer are where batching pays most:
//! the system cuts and joins them itself. One datagram each of many peers is bounded by the path through the
//! system; to send them in one call is a little cheaper, to receive them so costs a little more where system
//! calls are cheap, for what the read tells beside the bytes.

use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mjolnir_transport::impair::{Faults, Impair};
use mjolnir_transport::net::Sockets;
use mjolnir_transport::{NetEvent, Network, Transmits};
use mjolnir_wire::Moment;

const PEERS: usize = 16;
/// Bytes of a tick's datagrams to one machine of a game of 16.
const BYTES: usize = 700;
const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

fn peer() -> UdpSocket {
    let socket = UdpSocket::bind(LOOPBACK).expect("a socket");
    socket.set_nonblocking(true).expect("a non-blocking socket");
    socket
}

fn empty(socket: &UdpSocket) -> usize {
    let mut buffer = [0; 2048];
    std::iter::from_fn(|| socket.recv_from(&mut buffer).ok()).count()
}

/// One datagram to each of 16 peers.
fn to_sixteen_peers(bench: &mut Criterion) {
    let peers: Vec<UdpSocket> = (0..PEERS).map(|_| peer()).collect();
    let addresses: Vec<SocketAddr> = peers.iter().map(|peer| peer.local_addr().expect("bound")).collect();
    let bytes = [7; BYTES];
    let mut out = Transmits::new();
    addresses.iter().for_each(|to| out.datagram(*to, &bytes));
    let clear = || assert_eq!(peers.iter().map(empty).sum::<usize>() % PEERS, 0);

    let mut group = bench.benchmark_group("send to 16 peers");
    group.throughput(Throughput::Elements(PEERS as u64));
    let mut host = Sockets::listen(LOOPBACK).expect("a host");
    group.bench_function("batched", |bench| {
        bench.iter_batched(clear, |()| host.send(Moment::START, &out), BatchSize::PerIteration);
    });
    let plain = peer();
    group.bench_function("plain loop", |bench| {
        let send = |()| out.datagrams().all(|(to, bytes)| plain.send_to(bytes, to).is_ok());
        bench.iter_batched(clear, send, BatchSize::PerIteration);
    });
    group.finish();
    clear();
}

/// Sixteen datagrams to one peer, as a list of objects is.
fn to_one_peer(bench: &mut Criterion) {
    let one = peer();
    let bytes = [7; 1200];
    let mut out = Transmits::new();
    (0..PEERS).for_each(|_| out.datagram(one.local_addr().expect("bound"), &bytes));
    let clear = || assert_eq!(empty(&one) % PEERS, 0);

    let mut group = bench.benchmark_group("send 16 to one peer");
    group.throughput(Throughput::Elements(PEERS as u64));
    let mut host = Sockets::listen(LOOPBACK).expect("a host");
    group.bench_function("batched", |bench| {
        bench.iter_batched(clear, |()| host.send(Moment::START, &out), BatchSize::PerIteration);
    });
    let plain = peer();
    group.bench_function("plain loop", |bench| {
        let send = |()| out.datagrams().all(|(to, bytes)| plain.send_to(bytes, to).is_ok());
        bench.iter_batched(clear, send, BatchSize::PerIteration);
    });
    group.finish();
    clear();
}

/// What 16 clients sent since the last tick, one each.
fn from_sixteen_peers(bench: &mut Criterion) {
    let peers: Vec<UdpSocket> = (0..PEERS).map(|_| peer()).collect();
    receive(bench, "receive from 16 peers", |to, _| {
        assert!(peers.iter().all(|peer| peer.send_to(&[7; BYTES], to).is_ok()));
    });
}

/// What a host sent at once, as a list of objects is, by the batched sender or by the plain one.
fn from_one_peer(bench: &mut Criterion) {
    let mut host = Sockets::listen(LOOPBACK).expect("a host");
    let plain = peer();
    let mut out = Transmits::new();
    receive(bench, "receive 16 from one peer", |to, batched| {
        out.clear();
        (0..PEERS).for_each(|_| out.datagram(to, &[7; BYTES]));
        if batched {
            host.send(Moment::START, &out);
        } else {
            assert!(out.datagrams().all(|(to, bytes)| plain.send_to(bytes, to).is_ok()));
        }
    });
}

fn receive(bench: &mut Criterion, name: &str, mut fill: impl FnMut(SocketAddr, bool)) {
    let mut group = bench.benchmark_group(name);
    group.throughput(Throughput::Elements(PEERS as u64));
    let mut host = Sockets::listen(LOOPBACK).expect("a host");
    let at = host.local_address();
    group.bench_function("batched", |bench| {
        let receive = |()| {
            let mut came = 0;
            host.receive(Moment::START, &mut |event| {
                if let NetEvent::Datagram { bytes, .. } = event {
                    came += black_box(bytes).len() / BYTES;
                }
            });
            assert_eq!(came, PEERS);
        };
        bench.iter_batched(|| fill(at, true), receive, BatchSize::PerIteration);
    });
    let plain = peer();
    let at = plain.local_addr().expect("bound");
    group.bench_function("plain loop", |bench| {
        let receive = |()| assert_eq!(empty(&plain), PEERS);
        bench.iter_batched(|| fill(at, false), receive, BatchSize::PerIteration);
    });
    group.finish();
}

/// A tick's datagrams through the fault model.
fn faults(bench: &mut Criterion) {
    let faults = Faults { latency_us: 50_000, jitter_us: 5_000, loss: 0.05, ..Faults::default() };
    let mut impair = Impair::new(1, faults);
    let (mut now, bytes) = (0, [7; BYTES]);
    bench.bench_function("fault model, 16 datagrams a tick", |bench| {
        bench.iter(|| {
            now += 33_333;
            let now = Moment::from_micros(now);
            for port in 0..PEERS as u16 {
                let from = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
                impair.push(now, NetEvent::Datagram { from, bytes: &bytes });
            }
            impair.pop(now, &mut |event| {
                black_box(event);
            });
        });
    });
}

criterion_group!(benches, to_sixteen_peers, to_one_peer, from_sixteen_peers, from_one_peer, faults);
criterion_main!(benches);
