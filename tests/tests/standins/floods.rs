//! Floods from 256 addresses on both ports of a host in play.

use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};

use mjolnir_wire::Moment;

use super::bytes;
use super::gathering::Crowd;
use super::run::{Bystander, Hosted, Hosting, assert_agree};
use super::standin::{Stage, Standin, TOKEN};
use super::wire::{Wired, datagrams_of, loopback, read_some, stream_from};

/// Of the flood's addresses: 127.1.0.0 to 127.1.0.255.
fn address(fourth: u8) -> std::net::IpAddr {
    Ipv4Addr::new(127, 1, 0, fourth).into()
}

/// A stranger's datagrams, and the bytes of both ways but the LAN's answers, which it counts.
struct Flooder {
    socket: UdpSocket,
    sent: u64,
    heard: u64,
    advertisements: u64,
}

impl Flooder {
    fn flood(&mut self, says: &[Vec<u8>], host: SocketAddr) {
        for bytes in says {
            if self.socket.send_to(bytes, host).is_ok() {
                self.sent += bytes.len() as u64;
            }
        }
        let mut buffer = [0; 2048];
        while let Ok((length, _)) = self.socket.recv_from(&mut buffer) {
            match bytes::read(&buffer[..length]).number {
                2 => self.advertisements += 1,
                _ => self.heard += length as u64,
            }
        }
    }
}

/// What went between a host and machines that are not of its game.
fn elsewhere(host: &Hosting) -> (u64, u64) {
    let transport = host.machine.host.transport();
    let (totals, mut of_machines) = (transport.totals(), (0, 0));
    for machine in transport.machines().iter() {
        let traffic = transport.traffic(machine).unwrap();
        of_machines.0 += traffic.received.bytes();
        of_machines.1 += traffic.sent.bytes();
    }
    (totals.received.bytes() - of_machines.0, totals.sent.bytes() - of_machines.1)
}

/// NET-70, 45, 62, 33, 15: searches, pings, joins by datagram and by stream, and inputs in others' names, from 256
/// addresses for some seconds: no machine, no player and no address is kept, no stranger hears more bytes than it said
/// but for the LAN's answers, of which there are four a second at most; two clients of one address play on; and a
/// machine joins afterwards.
#[test]
fn a_flood_leaves_nothing() {
    let (host, at) = Hosted::open("flat", 0, Ipv4Addr::LOCALHOST.into(), |_| {});
    let clients = ["One", "Two"].map(|name| Bystander::join(name, at, Some(Ipv4Addr::LOCALHOST.into())));
    for client in &clients {
        client.until_joined();
    }
    host.begin();
    for client in &clients {
        client.until_tick(60);
    }
    let mut flooders: Vec<Flooder> = (0..=255)
        .map(|fourth| Flooder { socket: datagrams_of(address(fourth)), sent: 0, heard: 0, advertisements: 0 })
        .collect();
    let (before, began) = host.ask(|now, host| (elsewhere(host), now));
    let mut streams: Vec<TcpStream> = Vec::new();
    let mut turned_away = 0;
    let mut crowd = Crowd::new();
    let mut round = 0_i32;
    let tick = host.tick();
    crowd.until("the flood's end", |_| {
        round += 1;
        let says = [
            bytes::packet(0, &[&[0x14, 0x1F, 0, 2][..], &round.to_be_bytes(), &[0; 4]].concat()),
            bytes::packet(1, &[&round.to_be_bytes()[..], &[0x14, 0x1F]].concat()),
            bytes::join_request("Flood", TOKEN),
            bytes::input((round % 3) as u8, tick + round, tick, 1.0),
            bytes::client_update(round),
        ];
        for flooder in &mut flooders {
            flooder.flood(&says, at);
        }
        // A join that is turned away, and one that never ends, of another address each time.
        if round % 4 == 0 {
            let (at_once, never) = ((round / 2) as u8, (round / 2 + 1) as u8);
            let mut stream = stream_from(address(at_once), at);
            let join = bytes::join_request("Flood", b"message in a jar");
            std::io::Write::write_all(&mut stream, &join).unwrap();
            streams.push(stream);
            streams.push(stream_from(address(never), at));
        }
        streams.retain_mut(|stream| match read_some(stream, &mut [0; 64]) {
            Some(length) => {
                turned_away += u32::from(length > 0);
                true
            }
            None => false,
        });
        host.tick() >= tick + 120
    });
    let (after, now, machines, players) = host.ask(|now, host| {
        let transport = host.machine.host.transport();
        (elsewhere(host), now, transport.machines().len(), transport.players().count())
    });
    assert_eq!((machines, players), (2, 2));
    let answers = now.since(began) / (Moment::SECOND / 4) + 1;
    let advertised: u64 = flooders.iter().map(|flooder| flooder.advertisements).sum();
    assert!(advertised <= answers, "{advertised} answers, {answers} at most");
    assert!(flooders.iter().all(|flooder| flooder.heard <= flooder.sent));
    let (came, went) = (after.0 - before.0, after.1 - before.1);
    assert!(came > 1_000_000, "a flood of {came} bytes");
    assert!(went <= came / 2 + answers * 300, "{came} bytes came, {went} went");
    assert!(turned_away > 0);

    // Their places are free again ten seconds later at most, or as soon as they go.
    drop(streams);
    let tick = host.tick();
    for client in &clients {
        client.until_tick(tick);
    }
    println!(
        "flood of {came} bytes: the host at tick {tick}, the clients at {:?}",
        clients.each_ref().map(Bystander::tick)
    );
    crowd.all.push(Wired::connect(Standin::new("Late"), loopback(7, 2), at));
    crowd.until("a join after the flood", |crowd| crowd.all[0].standin.stage == Stage::Playing);
    let seats = clients.map(Bystander::end);
    let host = host.end();
    for seat in &seats {
        assert_agree(&host, seat);
    }
}
