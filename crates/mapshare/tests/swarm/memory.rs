//! What connections cost in memory, and what a steady transfer allocates.

use mjolnir_mapshare::hash::of_piece;
use mjolnir_mapshare::swarm::Output;
use mjolnir_mapshare::{Conn, Job, Offered, Place, Taken};
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES};
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame};

use super::script::*;

/// MAP-83: 1.2 MiB.
const MOST: u64 = 1_258_291;

/// MAP-83: 24 hostile connections, each of which says a hello, all that it can of what it has, two requests, announces the longest body
/// and sends all of it but a byte, while it reads half a block: with the tails that are kept for them they hold less than 1.2 MiB.
#[test]
fn hostile_connections_hold_less_than_their_bound() {
    let content = Content::new(File::Map, 600_000);
    let mut largest = content.clone();
    largest.offered.size = u32::MAX;
    let mut script = Script::new(plays(90)).with(&content);
    // Of three files of 16 384 pieces that are downloaded, what each has is kept too.
    let three = [File::Bitmaps, File::Sounds, File::Loc];
    let offers = three.map(|file| Offered { file, ..largest.offered });
    let files = FileSet::only(File::Sounds);
    let places: Vec<_> = (20..28).map(|index| Place { files, ..place(index) }).collect();
    script.swarm.set_sources(script.now, &places);
    script.swarm.download(script.now, &offers);
    let mut long = vec![8, 64, 0, 0, 200, 0, 0, 0];
    long.resize(8 + 16_392 - 1, 1);
    let bits = [0xAA; 2048];
    let have = mjolnir_wire::swarm::Have { hash: largest.offered.hash, size: u32::MAX, bitmap: Some(&bits) };
    let mut tails = Vec::new();
    let mut bytes = Vec::with_capacity(1 << 19);
    let info = allocation_counter::measure(|| {
        script.wait(0);
        let made = script.connects();
        let mut conns: Vec<(Conn, u8)> = Vec::new();
        for (conn, to) in made {
            script.swarm.connected(script.now, conn);
            conns.push((conn, (0..100).find(|index| address(*index) == to).unwrap()));
        }
        for (conn, index) in &conns {
            script.hear(*conn, &[Frame::Hello(hello(*index))]);
        }
        conns.extend((1..=15).map(|index| (script.meet(index), index)));
        for (conn, _) in &conns {
            let said = [
                Frame::Have(File::Bitmaps, have),
                Frame::Have(File::Sounds, have),
                Frame::Have(File::Loc, have),
                content.have(),
                Frame::Request(File::Map, 0),
                Frame::Request(File::Map, 1),
            ];
            script.hear(*conn, &said);
            script.hear_bytes(*conn, &long);
            bytes.clear();
            script.swarm.fill(script.now, *conn, 1 << 18, &mut bytes, &mut script.files);
            let kept = script.swarm.wrote(script.now, *conn, 100);
            tails.push(bytes[100..100 + kept].to_vec());
        }
    });
    assert_eq!((script.swarm.connections(), tails.len()), (24, 24));
    assert!(info.bytes_max < MOST, "{} bytes", info.bytes_max);
}

/// MAP-83: what is announced is not allocated before hello, and after it no more than the longest frame.
#[test]
fn an_announcement_costs_its_frame_at_most() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::host().with(&content);
    let conn = script.accept(address(1)).unwrap();
    let info = allocation_counter::measure(|| script.swarm.received(script.now, conn, &[16, 0, 0, 0, 1]));
    assert!(info.bytes_max <= 64, "{}", info.bytes_max);
    let met = script.meet(2);
    let info = allocation_counter::measure(|| {
        for byte in [8, 64, 0, 0, 200, 0, 0, 0, 1, 2, 3] {
            script.swarm.received(script.now, met, &[byte]);
        }
    });
    assert!(info.bytes_max <= 16_400 + 64, "{}", info.bytes_max);
}

/// Serving allocates nothing once it has begun, whatever the cuts.
#[test]
fn a_steady_upload_allocates_nothing() {
    let content = Content::new(File::Map, 2 * PIECE_BYTES);
    let mut script = Script::host().with(&content);
    let conns = [script.meet(1), script.meet(2)];
    let mut bytes = Vec::with_capacity(1 << 19);
    let request = bytes_of(&[Frame::Request(File::Map, 1)]);
    let mut round = |script: &mut Script| {
        for conn in conns {
            script.swarm.received(script.now, conn, &request[..5]);
            script.swarm.received(script.now, conn, &request[5..]);
            script.now = script.now.plus(1_000);
            script.swarm.poll(script.now);
            loop {
                bytes.clear();
                script.swarm.fill(script.now, conn, 1 << 18, &mut bytes, &mut script.files);
                if bytes.is_empty() {
                    break;
                }
                // A whole number of blocks is taken, or not.
                let takes = bytes.len().min(100_000);
                let kept = script.swarm.wrote(script.now, conn, takes);
                assert!(kept < 16_400);
            }
        }
    };
    (0..3).for_each(|_| round(&mut script));
    let info = allocation_counter::measure(|| (0..50).for_each(|_| round(&mut script)));
    assert_eq!(info.count_total, 0);
    assert_eq!(script.swarm.counters().sent, 53 * 2 * u64::from(PIECE_BYTES));
}

/// Downloading allocates nothing once it has begun: what a frame is cut into is kept in place, and pieces' buffers come back from the
/// disk.
#[test]
fn a_steady_download_allocates_nothing() {
    let content = Content::new(File::Map, 200 * PIECE_BYTES);
    let mut script = Script::new(plays(5));
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let host = script.connects()[0].0;
    script.swarm.connected(script.now, host);
    script.hear(host, &[Frame::Hello(hello(0)), content.have()]);
    script.hear(host, &[Frame::Hashes(File::Map, 0, &content.hashes)]);
    for output in script.outputs() {
        assert!(matches!(output, Output::Job(Job::Resume { .. })));
    }
    script.swarm.resumed(script.now, File::Map, Ok(vec![0; 25]));
    let (mut bytes, mut asked, mut answer) =
        (Vec::with_capacity(1 << 19), Vec::with_capacity(8), Vec::with_capacity(1 << 19));
    let mut round = |script: &mut Script| {
        script.now = script.now.plus(10_000);
        script.swarm.poll(script.now);
        bytes.clear();
        script.swarm.fill(script.now, host, 1 << 18, &mut bytes, &mut script.files);
        script.swarm.wrote(script.now, host, bytes.len());
        let mut rest = &bytes[..];
        while let Some((head, after)) = rest.split_first_chunk() {
            let header = mjolnir_wire::swarm::Header::read(head).unwrap();
            let (body, after) = after.split_at(header.length);
            if let Frame::Request(_, piece) = Frame::read(header, body).unwrap() {
                asked.push(piece);
            }
            rest = after;
        }
        for piece in asked.drain(..) {
            answer.clear();
            let at = (piece * PIECE_BYTES) as usize;
            for (block, bytes) in
                content.bytes[at..at + PIECE_BYTES as usize].chunks(BLOCK_BYTES as usize).enumerate()
            {
                let offset = block as u32 * BLOCK_BYTES;
                Frame::Block { file: File::Map, piece, offset, bytes }.write(&mut answer);
            }
            for cut in answer.chunks(50_000) {
                script.swarm.received(script.now, host, cut);
            }
        }
        while let Some(output) = script.swarm.next_output() {
            if let Output::Job(Job::Take { file, piece, bytes, hash }) = output {
                assert_eq!(of_piece(&bytes), hash);
                script.swarm.took(script.now, file, piece, bytes, Taken::Good);
            }
        }
    };
    (0..20).for_each(|_| round(&mut script));
    let before = script.swarm.progress().unwrap().had;
    let info = allocation_counter::measure(|| (0..50).for_each(|_| round(&mut script)));
    assert_eq!(info.count_total, 0);
    let had = script.swarm.progress().unwrap().had - before;
    assert!(had >= 90 * u64::from(PIECE_BYTES), "{had}");
}
