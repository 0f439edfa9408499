//! The same datagrams and streams in every format of capture, link and address that is read.

use etherparse::PacketBuilder;
use mjolnir_netdump::capture::{self, Error};
use mjolnir_netdump::dump::Dump;
use serde_json::Value;

use super::bytes::{hex, packet};
use super::total::lines;

const PING: &str = "00ac010001e240141f01";

/// An IP packet with a datagram for port 5150.
fn udp(six: bool, bytes: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    if six {
        let [mut from, mut to] = [[0; 16]; 2];
        [from[0], to[0], to[15]] = [0xFD, 0xFD, 1];
        PacketBuilder::ipv6(from, to, 64).udp(40000, 5150).write(&mut packet, bytes).unwrap();
    } else {
        PacketBuilder::ipv4([10, 0, 0, 2], [10, 0, 0, 1], 64)
            .udp(40000, 5150)
            .write(&mut packet, bytes)
            .unwrap();
    }
    packet
}

fn tcp(sequence: u32, syn: bool, bytes: &[u8]) -> Vec<u8> {
    let builder = PacketBuilder::ipv4([10, 0, 0, 2], [10, 0, 0, 1], 64).tcp(40001, 5150, sequence, 1000);
    let builder = if syn { builder.syn() } else { builder.ack(1) };
    let mut packet = Vec::new();
    builder.write(&mut packet, bytes).unwrap();
    packet
}

/// That IP packet behind the headers of that link.
fn framed(link: u16, packet: &[u8]) -> Vec<u8> {
    let kind = if packet[0] >> 4 == 6 { [0x86, 0xDD] } else { [0x08, 0x00] };
    let header = match link {
        0 => vec![2, 0, 0, 0],
        108 => vec![0, 0, 0, 2],
        1 => [&[0; 12][..], &kind].concat(),
        // A tag of VLAN 5 before the type.
        0x8001 => [&[0; 12][..], &[0x81, 0x00, 0, 5], &kind].concat(),
        113 => [&[0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0][..], &kind].concat(),
        276 => [&kind[..], &[0; 18]].concat(),
        _ => vec![],
    };
    [&header[..], packet].concat()
}

/// A classic capture of those frames, at 1000.000002 seconds and each a second later.
pub(crate) fn pcap(big: bool, nano: bool, link: u16, frames: &[Vec<u8>]) -> Vec<u8> {
    let long = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let short = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut file = long(if nano { 0xA1B2_3C4D } else { 0xA1B2_C3D4 }).to_vec();
    file.extend([short(2), short(4)].concat());
    file.extend([long(0), long(0), long(65535), long(u32::from(link & 0x7FFF))].concat());
    for (second, frame) in (1000..).zip(frames) {
        let length = long(frame.len() as u32);
        file.extend([long(second), long(if nano { 2000 } else { 2 }), length, length].concat());
        file.extend(frame);
    }
    file
}

/// A pcapng capture of them, in microseconds or in 2^-20 seconds; the last frame in a simple block.
fn pcapng(big: bool, binary: bool, link: u16, frames: &[Vec<u8>]) -> Vec<u8> {
    let long = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let short = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let block = |of: u32, body: &[u8]| {
        let mut body = body.to_vec();
        body.resize(body.len().next_multiple_of(4), 0);
        let length = long(body.len() as u32 + 12);
        [&long(of)[..], &length, &body, &length].concat()
    };
    let section = [&long(0x1A2B_3C4D)[..], &short(1), &short(0), &[0xFF; 8]].concat();
    let resolution = [short(9), short(1)].concat();
    let resolution = [&resolution[..], &[if binary { 0x80 | 20 } else { 6 }, 0, 0, 0]].concat();
    let interface = [&short(link & 0x7FFF)[..], &short(0), &long(0), &resolution, &[0; 4]].concat();
    let mut file = [block(0x0A0D_0D0A, &section), block(1, &interface)].concat();
    for (at, frame) in frames.iter().enumerate() {
        let length = long(frame.len() as u32);
        if at + 1 == frames.len() {
            file.extend(block(3, &[&length[..], frame].concat()));
        } else {
            let unit = if binary { 1 << 20 } else { 1_000_000 };
            let time = (1000 + at as u64) * unit + 2;
            let times = [long((time >> 32) as u32), long(time as u32)].concat();
            file.extend(block(6, &[&long(0)[..], &times, &length, &length, frame].concat()));
        }
    }
    file
}

fn three(link: u16, six: bool) -> Vec<Vec<u8>> {
    let join = packet(24, &[0; 4]);
    let stream = [tcp(100, true, &[]), tcp(101, false, &join)];
    let [begun, joined] = stream.map(|packet| framed(link, &packet));
    let ping = framed(link, &udp(six, &hex(PING)));
    vec![ping.clone(), begun, joined, ping]
}

fn assert_three(lines: &[Value], six: bool) {
    let names: Vec<_> = lines.iter().map(|line| line["name"].as_str().unwrap_or("none")).collect();
    assert_eq!(names, ["client_ping", "client_loaded", "client_ping"]);
    let from = if six { "[fd00::]:40000" } else { "10.0.0.2:40000" };
    let to = if six { "[fd00::1]:5150" } else { "10.0.0.1:5150" };
    assert_eq!([&lines[0]["from"], &lines[0]["to"], &lines[0]["channel"]], [from, to, "datagram"]);
    assert_eq!([&lines[1]["from"], &lines[1]["channel"]], ["10.0.0.2:40001", "stream"]);
}

/// Both byte orders, micro- and nanoseconds, pcap and pcapng, every link, IPv4 and IPv6: the same three messages.
#[test]
fn every_format_and_link_shows_the_same() {
    for link in [1, 0x8001, 0, 108, 12, 14, 101, 113, 276] {
        for six in [false, true] {
            for [big, fine] in [[false, false], [false, true], [true, false], [true, true]] {
                let (plain, whole) = lines(&pcap(big, fine, link, &three(link, six)), 5150);
                assert!(whole, "{link}");
                assert_three(&plain, six);
                assert_eq!(plain[0]["time"].as_f64().unwrap(), 1_000.000_002);
                assert_eq!(plain[2]["time"].as_f64().unwrap(), 1_003.000_002);
                let (next, whole) = lines(&pcapng(big, fine, link, &three(link, six)), 5150);
                assert!(whole, "{link}");
                assert_three(&next, six);
                let unit = if fine { 2.0 / f64::from(1 << 20) } else { 0.000_002 };
                assert!((next[0]["time"].as_f64().unwrap() - 1000.0 - unit).abs() < 1e-9);
                assert_eq!(next[2]["time"], Value::Null, "a simple block has no time");
            }
        }
    }
}

/// A search goes to the host's port, an advertisement to the searchers': both are shown, a stranger's is not.
#[test]
fn a_search_and_what_answers_it_are_shown() {
    let datagram = |from: u16, to: u16, bytes: &[u8]| {
        let mut packet = Vec::new();
        let builder = PacketBuilder::ipv4([10, 0, 0, 2], [255; 4], 64);
        builder.udp(from, to).write(&mut packet, bytes).unwrap();
        packet
    };
    let search = hex("010c01141f0002010203040506070800");
    let mut game = vec![0; 276];
    game[54] = 2;
    let frames = [
        datagram(5151, 5150, &search),
        datagram(6000, 5151, &packet(2, &game)),
        datagram(5152, 6001, &search),
    ];
    let (shown, _) = lines(&pcap(false, false, 101, &frames), 5150);
    let names: Vec<_> = shown.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["client_broadcast_game_search", "server_game_advertise"]);
}

/// What cannot be read is a line too: the bytes, what is wrong and where; a fragment is said.
#[test]
fn what_cannot_be_read_is_a_line_of_its_own() {
    let mut fragment = udp(false, &hex(PING));
    fragment[6] |= 0x20;
    let mut first = hex("0000100007000000 0600 0800 07000000 0600 1400 07000000");
    let length = first.len() as u16;
    first[..2].copy_from_slice(&(length << 4 | 8).to_be_bytes());
    let frames = [udp(false, &[0x00, 0x88, 8]), fragment, udp(false, &first), udp(false, &hex(PING))];
    let (shown, whole) = lines(&pcap(false, false, 101, &frames), 5150);
    assert!(whole);
    assert_eq!([&shown[0]["error"], &shown[0]["hex"]], ["truncated", "008808"]);
    assert_eq!(shown[0]["offset"], 3);
    assert_eq!([&shown[1]["event"], &shown[1]["from"]], ["fragment", "10.0.0.2"]);
    // Of a batch with a bad part the good ones are shown.
    assert_eq!([&shown[2]["name"], &shown[2]["error"]], ["batch", "unknown_kind"]);
    assert_eq!(shown[2]["offset"], 18);
    let parts = &shown[2]["fields"]["parts"];
    assert_eq!(parts[0]["name"], "objects_synchronized");
    assert_eq!(parts[1], serde_json::json!({"error": "unknown_kind", "offset": 18}));
    assert_eq!(shown[3]["name"], "client_ping");
}

/// A stream that was captured from its midst and never shows where a message begins is a line at the capture's end, and
/// something that could not be read.
#[test]
fn a_stream_that_was_passed_over_is_a_line() {
    let frames = [tcp(500, false, &[7; 9]), tcp(509, false, &[7; 2])];
    let (shown, whole) = lines(&pcap(false, false, 101, &frames), 5150);
    assert!(whole && shown.len() == 1, "{shown:?}");
    assert_eq!([&shown[0]["event"], &shown[0]["from"]], ["passed", "10.0.0.2:40001"]);
    assert_eq!(shown[0]["bytes"], 11);
    let mut dump = Dump::new(Vec::new(), 5150);
    capture::read(&pcap(false, false, 101, &frames)[..], |frame| dump.take(frame)).unwrap();
    assert!(!dump.is_wrong());
    dump.finish().unwrap();
    assert!(dump.is_wrong());
}

/// What is no capture, ends in a frame or has a frame longer than any is an error, and what came before it was given.
#[test]
fn a_capture_that_is_wrong_says_how() {
    let good = pcap(false, false, 101, &[udp(false, &hex(PING)), udp(false, &hex(PING))]);
    let read = |bytes: &[u8]| {
        let mut frames = 0;
        let read = capture::read(bytes, |_| {
            frames += 1;
            Ok::<(), ()>(())
        });
        (read, frames)
    };
    assert!(matches!(read(&good), (Ok(()), 2)));
    assert!(matches!(read(&good[..24]), (Ok(()), 0)));
    assert!(matches!(read(&good[..23]), (Err(Error::NoCapture), 0)));
    assert!(matches!(read(b""), (Err(Error::NoCapture), 0)));
    assert!(matches!(read(&[0; 100]), (Err(Error::NoCapture), 0)));
    assert!(matches!(read(&good[..good.len() - 1]), (Err(Error::CutShort), 1)));
    // The second frame says that it is longer than anything that is held.
    let mut long = good.clone();
    let at = 24 + (good.len() - 24) / 2 + 8;
    long[at..at + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    long.resize(3 << 20, 0);
    assert!(matches!(read(&long), (Err(Error::TooLong), 1)));
    // A frame of an interface that no block described.
    let mut next = pcapng(false, false, 101, &three(101, false));
    let at = next.windows(4).position(|bytes| bytes == 6_u32.to_le_bytes()).unwrap() + 8;
    next[at] = 9;
    assert!(matches!(read(&next), (Err(Error::Damaged), 0)));
    assert!(matches!(capture::read(&good[..], |_| Err("enough")), Err(Error::Stopped("enough"))));
}
