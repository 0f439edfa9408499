//! The frames that carry maps, out of captures of their port: every field by its name in the record, whatever the segments.

use etherparse::PacketBuilder;
use mjolnir_wire::mapshare::File;
use mjolnir_wire::swarm::{FRAMES, Frame};
use serde_json::Value;

use super::bytes::packet;
use super::captures::pcap;
use super::record::{body, is_shown, lines as recorded};
use super::total::lines;

fn segment(from: u16, to: u16, sequence: u32, syn: bool, bytes: &[u8]) -> Vec<u8> {
    let builder = PacketBuilder::ipv4([10, 0, 0, 2], [10, 0, 0, 1], 64).tcp(from, to, sequence, 1000);
    let builder = if syn { builder.syn() } else { builder.ack(1) };
    let mut packet = Vec::new();
    builder.write(&mut packet, bytes).unwrap();
    packet
}

/// What is shown of a stream to the maps' port that begins so, in segments of that length.
fn shown(bytes: &[u8], length: usize) -> Vec<Value> {
    let mut frames = vec![segment(40001, 5153, 9, true, &[])];
    frames.extend(
        (10_u32..)
            .step_by(length)
            .zip(bytes.chunks(length))
            .map(|(at, part)| segment(40001, 5153, at, false, part)),
    );
    lines(&pcap(false, false, 101, &frames), 5150).0
}

fn frame(kind: u8, file: u8, body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32).to_le_bytes()[..], &[kind, file, 0, 0], body].concat()
}

fn block(piece: u32, offset: u32, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    Frame::Block { file: File::Map, piece, offset, bytes: &vec![5; length] }.write(&mut bytes);
    bytes
}

/// Every frame is shown, with every field that the record says it holds and what follows them.
#[test]
fn every_frame_is_shown_by_the_records_names() {
    let recorded_frames = recorded("swarm_frame");
    assert_eq!(recorded_frames.len(), FRAMES.len());
    for info in FRAMES {
        let words = recorded_frames.iter().find(|words| words[1] == info.name).unwrap();
        assert_eq!(words[2], (info.kind as u8).to_string());
        let body = body(info.least);
        let line = &shown(&frame(info.kind as u8, 3, &body), 1000)[0];
        assert_eq!([&line["channel"], &line["space"], &line["name"]], ["swarm", "swarm", info.name]);
        assert_eq!((&line["kind"], &line["from"]), (&(info.kind as u8).into(), &"10.0.0.2:40001".into()));
        let fields = &line["fields"];
        assert_eq!((&fields["length"], &fields["file"]), (&body.len().into(), &3.into()));
        let held =
            recorded("holds").into_iter().find(|words| words[1] == format!("swarm_frame.{}", info.name));
        assert_eq!(held.is_some(), info.least > 0, "{}", info.name);
        if let Some(held) = held {
            is_shown(held[2], &body, fields);
        }
    }
    let hello = &shown(&frame(1, 0xFF, b"MJMS\x01\0\x20\0\x03\x06\0\0\x76\x69\x9f\x6d"), 1000)[0];
    assert_eq!(hello["fields"]["magic"], "MJMS");
    assert_eq!(hello["fields"]["flags_bits"], serde_json::json!(["downloading", "sends_files"]));
    let have = [&[0xAB; 32][..], &600_000_u32.to_le_bytes(), &[0; 4], &[0b11]].concat();
    let have = &shown(&frame(2, 0, &have), 1000)[0];
    assert_eq!((&have["fields"]["bitmap"], have.get("error")), (&"03".into(), None));
    assert!(have["fields"]["hash"].as_str().unwrap().starts_with("abab"));
    let hashes = [&[0, 0, 0, 0, 2, 0, 0, 0][..], &[1; 32], &[2; 32]].concat();
    let hashes = &shown(&frame(8, 0, &hashes), 1000)[0];
    assert_eq!(hashes["fields"]["hashes"], serde_json::json!(["01".repeat(32), "02".repeat(32)]));
    assert_eq!(shown(&block(2, 16_384, 700), 1000)[0]["fields"]["bytes"], 700);
}

/// Blocks that span many segments are one line each, whatever the cut; what closes the connection is said, what is passed over is
/// shown, and both go on.
#[test]
fn frames_are_put_together() {
    let bytes = [
        block(0, 0, 16_384),
        frame(200, 0, &[7; 5]),
        frame(3, 9, &[7; 4]),
        frame(9, 0xFF, &[0]),
        block(0, 16_384, 16_384),
    ]
    .concat();
    for length in [1, 7, 1448, 20_000] {
        let all = shown(&bytes, length);
        assert_eq!(all.len(), 5, "{length}");
        for (line, offset) in [(&all[0], 0), (&all[4], 16_384)] {
            assert_eq!(
                (&line["fields"]["offset"], &line["fields"]["bytes"]),
                (&offset.into(), &16_384.into())
            );
            assert_eq!(line.get("error"), None);
        }
        assert_eq!((&all[1]["name"], &all[1]["kind"]), (&Value::Null, &200.into()));
        assert_eq!(
            (&all[1]["fields"]["refused"], &all[1]["fields"]["ignored"]),
            (&"unknown_kind".into(), &"0707070707".into())
        );
        assert_eq!((&all[2]["fields"]["refused"], all[2].get("error")), (&"bad_index".into(), None));
        assert_eq!(
            (&all[3]["error"], &all[3]["offset"], &all[3]["hex"]),
            (&"trailing_bytes".into(), &8.into(), &"0100000009ff000000".into())
        );
    }
}

/// A body that says it is longer than any is damage, and it goes on with the next frame that begins a segment; a capture from the midst
/// of a block goes on with the next block.
#[test]
fn damage_and_a_late_capture_are_passed() {
    let segments = |parts: &[&[u8]], begun: bool| {
        let mut frames = vec![];
        let mut at = 10;
        if begun {
            frames.push(segment(5153, 40001, 9, true, &[]));
        }
        for part in parts {
            frames.push(segment(5153, 40001, at, false, part));
            at += part.len() as u32;
        }
        lines(&pcap(false, false, 101, &frames), 5150).0
    };
    let idle = frame(9, 0xFF, &[]);
    let longer = 16_393_u32.to_le_bytes();
    let all = segments(&[&idle, &longer, &[6, 0, 0, 0], &idle], true);
    let events: Vec<_> = all.iter().map(|line| line.get("event").unwrap_or(&line["name"])).collect();
    assert_eq!(events, ["idle", "damaged", "resumed", "idle"]);
    assert_eq!((&all[1]["error"], &all[2]["bytes"]), (&"too_long".into(), &8.into()));
    let (first, second) = (block(7, 0, 16_384), block(7, 16_384, 16_384));
    let all = segments(&[&first[9000..], &second[..1448], &second[1448..]], false);
    let events: Vec<_> = all.iter().map(|line| line.get("event").unwrap_or(&line["name"])).collect();
    assert_eq!(events, ["resumed", "block"]);
    assert_eq!(all[1]["fields"]["offset"], 16_384);
}

/// The host's port is the game's, whichever it is: at 5153 too, then nothing is read as a map's.
#[test]
fn the_hosts_port_is_the_games() {
    let stream = [segment(40001, 5153, 9, true, &[]), segment(40001, 5153, 10, false, &packet(24, &[0; 4]))];
    let game = lines(&pcap(false, false, 101, &stream), 5153).0;
    assert_eq!([&game[0]["channel"], &game[0]["name"]], ["stream", "client_loaded"]);
    let map = lines(&pcap(false, false, 101, &stream), 5150).0;
    assert_eq!([&map[0]["channel"], &map[0]["event"]], ["swarm", "damaged"]);
}
