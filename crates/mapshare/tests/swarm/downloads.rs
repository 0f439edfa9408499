//! A download as its connections see it: what is said of it, to whom it connects, and what is forgotten with it.

use mjolnir_mapshare::hash::of_piece;
use mjolnir_mapshare::swarm::Output;
use mjolnir_mapshare::{Conn, Fault, Job, Taken};
use mjolnir_wire::mapshare::{File, FileSet, PIECE_BYTES};
use mjolnir_wire::swarm::{BLOCK_BYTES, Frame, Have, Hello};

use super::script::*;

/// A download that begins, connected to the host alone or to the named ones too; the connections in the order in which they were begun.
fn begin(content: &Content, named: &[u8]) -> (Script, Vec<Conn>) {
    let mut script = Script::new(plays(5));
    script.swarm.set_sources(script.now, &named.iter().map(|index| place(*index)).collect::<Vec<_>>());
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let made = script.connects();
    for (conn, to) in &made {
        script.swarm.connected(script.now, *conn);
        let index = (0..=100).find(|index| address(*index) == *to).unwrap();
        script.hear(*conn, &[Frame::Hello(hello(index))]);
        if index == 0 {
            script.hear(*conn, &[content.have()]);
        }
    }
    (script, made.into_iter().map(|(conn, _)| conn).collect())
}

/// Its jobs are done, with what was checked before as bits.
fn work(script: &mut Script, had: &[u8]) -> Vec<Output> {
    let mut others = Vec::new();
    loop {
        let outputs = script.outputs();
        if outputs.is_empty() {
            return others;
        }
        for output in outputs {
            match output {
                Output::Job(Job::Resume { file, .. }) => {
                    script.swarm.resumed(script.now, file, Ok(had.to_vec()));
                }
                Output::Job(Job::Take { file, piece, bytes, hash }) => {
                    let outcome = if of_piece(&bytes) == hash { Taken::Good } else { Taken::Wrong };
                    script.swarm.took(script.now, file, piece, bytes, outcome);
                }
                other => others.push(other),
            }
        }
    }
}

/// The other end answers each request that was said to it.
fn answer(script: &mut Script, conn: Conn, content: &Content, said: &[u8]) {
    for frame in frames_of(said) {
        if let Frame::Request(file, piece) = frame {
            let bytes = content.bytes.chunks(PIECE_BYTES as usize).nth(piece as usize).unwrap();
            for (block, bytes) in bytes.chunks(BLOCK_BYTES as usize).enumerate() {
                let offset = block as u32 * BLOCK_BYTES;
                script.hear(conn, &[Frame::Block { file, piece, offset, bytes }]);
            }
        }
    }
}

fn hashes(content: &Content) -> Frame<'_> {
    Frame::Hashes(content.offered.file, 0, &content.hashes)
}

/// MAP-25, 29, 76: hashes are asked of the host at once; once the part file was looked at what there is is told to all, and then each
/// piece as it is had; when all are had and in their place, that it is whole.
#[test]
fn what_is_had_is_told() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[]);
    let came = script.meet(9);
    let said = script.said(made[0]);
    let own = Hello { is_downloading: true, ..hello(5) };
    assert_eq!(frames_of(&said), [Frame::Hello(own), Frame::HashesRequest(File::Map, 0)]);
    assert_eq!(frames_of(&script.said(came)), [Frame::Hello(own)]);
    script.hear(made[0], &[hashes(&content)]);
    work(&mut script, &[0b010]);
    let part = |bits| {
        Frame::Have(
            File::Map,
            Have { hash: content.offered.hash, size: content.offered.size, bitmap: Some(bits) },
        )
    };
    assert_eq!(frames_of(&script.said(came)), [part(&[0b010])]);
    let said = script.said(made[0]);
    let frames = frames_of(&said);
    assert_eq!(frames.len(), 3);
    assert!(frames.contains(&part(&[0b010])) && frames.contains(&Frame::Request(File::Map, 0)));
    assert!(frames.contains(&Frame::Request(File::Map, 2)));
    answer(&mut script, made[0], &content, &said);
    assert_eq!(work(&mut script, &[]), [Output::AllHad]);
    let said = script.said(came);
    let frames = frames_of(&said);
    assert_eq!(frames.len(), 2);
    assert!([0, 2].iter().all(|piece| frames.contains(&Frame::HavePiece(File::Map, *piece))));
    script.swarm.finished(script.now);
    assert_eq!(frames_of(&script.said(came)), [content.have()]);
    assert!(!script.swarm.is_downloading());
}

/// MAP-83: who does not read is told at last what there is, and not piece by piece what there was to tell.
#[test]
fn news_do_not_pile_up() {
    let content = Content::new(File::Map, 100 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[]);
    script.hear(made[0], &[hashes(&content)]);
    work(&mut script, &[0; 13]);
    let (slow, quick) = (script.meet(9), script.meet(10));
    for conn in [slow, quick] {
        script.said(conn);
    }
    let mut told = 0;
    for _ in 0..60 {
        let said = script.said(made[0]);
        answer(&mut script, made[0], &content, &said);
        work(&mut script, &[]);
        told += frames_of(&script.said(quick)).len();
    }
    assert_eq!(told, 100);
    script.wait(9_000);
    let said = script.said(slow);
    let frames = frames_of(&said);
    let [Frame::Have(File::Map, have)] = frames[..] else { panic!("{frames:?}") };
    assert!((0..100).all(|piece| have.has(piece)));
}

/// MAP-59: what an end had of a download is forgotten with it: on the same connection nothing is asked for in the next one before it
/// says again what it has.
#[test]
fn what_ends_had_is_forgotten_with_the_download() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[]);
    let came = script.meet(9);
    script.hear(came, &[content.have()]);
    script.hear(made[0], &[hashes(&content)]);
    work(&mut script, &[0]);
    let requests =
        |said: &[u8]| frames_of(said).iter().filter(|frame| matches!(frame, Frame::Request(..))).count();
    assert_eq!(requests(&script.said(came)), 2);
    script.swarm.stop(script.now);
    let said = script.said(came);
    let frames = frames_of(&said);
    assert_eq!(frames.iter().filter(|frame| matches!(frame, Frame::Cancel(..))).count(), 2);
    // What was told of it is taken back.
    assert!(frames.iter().any(|frame| matches!(frame, Frame::Have(_, have) if have.bitmap == Some(&[0]))));
    assert_eq!(script.closed(), [made[0]]);

    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let host = script.connects()[0].0;
    script.swarm.connected(script.now, host);
    script.hear(host, &[Frame::Hello(hello(0)), content.have()]);
    let nothing = Have { hash: content.offered.hash, size: content.offered.size, bitmap: Some(&[0]) };
    script.hear(host, &[hashes(&content), Frame::Have(File::Map, nothing)]);
    work(&mut script, &[0]);
    assert_eq!(requests(&script.said(came)), 0);
    script.hear(came, &[content.have()]);
    assert_eq!(requests(&script.said(came)), 2);
}

/// MAP-33: who was named and sends a wrong piece is closed and not connected to again, though it is named again; another is.
#[test]
fn a_wrong_piece_costs_its_sender_the_connection() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut wrong = content.clone();
    wrong.bytes = wrong.bytes.iter().map(|byte| byte ^ 1).collect();
    let (mut script, made) = begin(&content, &[10]);
    script.hear(made[0], &[hashes(&content)]);
    script.hear(made[1], &[content.have()]);
    work(&mut script, &[0]);
    let said = script.said(made[1]);
    answer(&mut script, made[1], &wrong, &said);
    let outputs = work(&mut script, &[]);
    assert_eq!(outputs, [Output::Close(made[1])]);
    for _ in 0..3 {
        script.swarm.set_sources(script.now, &[place(10)]);
        script.wait(3_000);
        assert_eq!(script.connects(), []);
    }
    script.swarm.set_sources(script.now, &[place(10), place(11)]);
    script.wait(0);
    assert!(matches!(script.connects()[..], [(_, to)] if to == address(11)));
}

/// MAP-33: who connected itself and sends a wrong piece is asked for nothing more, also not by its next connection.
#[test]
fn a_wrong_piece_is_not_forgotten_with_its_connection() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut wrong = content.clone();
    wrong.bytes = wrong.bytes.iter().map(|byte| byte ^ 1).collect();
    let (mut script, made) = begin(&content, &[]);
    script.hear(made[0], &[hashes(&content)]);
    work(&mut script, &[0]);
    let mut liar = script.meet(66);
    script.hear(liar, &[content.have()]);
    let said = script.said(liar);
    answer(&mut script, liar, &wrong, &said);
    for _ in 0..3 {
        work(&mut script, &[]);
        let said = script.said(liar);
        assert!(!frames_of(&said).iter().any(|frame| matches!(frame, Frame::Request(..))));
        script.swarm.closed(script.now, liar);
        liar = script.meet(66);
        script.hear(liar, &[content.have()]);
    }
    // Nor is it connected to where the host names it now; another that it names is.
    script.swarm.closed(script.now, liar);
    script.connects();
    script.swarm.set_sources(script.now, &[place(66), place(67)]);
    script.wait(0);
    let to: Vec<_> = script.connects().into_iter().map(|(_, to)| to).collect();
    assert_eq!(to, [address(67)]);
}

/// MAP-71: who was named and says what no machine may is not connected to again in this download, though it is named again; who is
/// late with the game's map is.
#[test]
fn who_breaks_the_rules_is_not_tried_again() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    for (says, again) in
        [(Frame::Hello(Hello { map_version: VERSION + 1, ..hello(10) }), true), (Frame::Idle, false)]
    {
        let mut script = Script::new(plays(5));
        script.swarm.set_sources(script.now, &[place(10)]);
        script.swarm.download(script.now, &[content.offered]);
        script.wait(0);
        let named = script.connects()[1].0;
        script.swarm.connected(script.now, named);
        script.hear(named, &[says]);
        assert_eq!(script.closed(), [named]);
        script.swarm.set_sources(script.now, &[place(10)]);
        script.wait(0);
        assert_eq!(script.connects().len(), usize::from(again));
    }
}

/// MAP-59: a connection of its own that it kept for who still downloads is made anew for a download of its own: what that end has it
/// says once, when it is met.
#[test]
fn kept_connections_are_made_anew() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut script = Script::new(plays(5));
    script.swarm.set_sources(script.now, &[place(10)]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let made = script.connects();
    script.swarm.connected(script.now, made[0].0);
    script.hear(made[0].0, &[Frame::Hello(hello(0)), content.have()]);
    script.swarm.connected(script.now, made[1].0);
    script.hear(made[1].0, &[Frame::Hello(Hello { is_downloading: true, ..hello(10) })]);
    script.hear(made[0].0, &[hashes(&content)]);
    assert_eq!(work(&mut script, &[0b111]), [Output::AllHad]);
    script.swarm.finished(script.now);
    assert_eq!(script.closed(), [made[0].0]);
    let sounds = Content::new(File::Sounds, PIECE_BYTES);
    script.swarm.set_sources(
        script.now,
        &[mjolnir_mapshare::Place { files: FileSet::only(File::Sounds), ..place(10) }],
    );
    script.swarm.download(script.now, &[sounds.offered]);
    assert_eq!(script.closed(), [made[1].0]);
    script.wait(0);
    assert_eq!(script.connects().len(), 2);
}

/// MAP-23: eight that bring nothing for half a minute do not keep away a ninth that was not tried.
#[test]
fn who_brings_nothing_makes_way() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[10, 11, 12, 13, 14, 15, 16, 17]);
    assert_eq!(made.len(), 9);
    let nine: Vec<_> = (10..=18).map(place).collect();
    script.swarm.set_sources(script.now, &nine);
    for _ in 0..29 {
        script.wait(1_000);
        made.iter().for_each(|conn| script.hear(*conn, &[Frame::Idle]));
    }
    assert_eq!(script.outputs(), []);
    script.wait(1_000);
    let outputs = script.outputs();
    assert!(
        matches!(outputs[..], [Output::Close(_), Output::Connect(_, to)] if to == address(18)),
        "{outputs:?}"
    );
}

/// MAP-23: the host that closes is tried again after three to seven seconds, and not before.
#[test]
fn the_host_is_tried_again() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[]);
    script.swarm.closed(script.now, made[0]);
    script.wait(2_999);
    assert_eq!(script.connects(), []);
    script.wait(4_001);
    assert!(matches!(script.connects()[..], [(_, to)] if to == address(0)));
}

/// MAP-37: once it is whole a connection that this machine made stays for who still downloads, until that has it whole too; others'
/// stay as they are.
#[test]
fn who_still_downloads_keeps_its_connection() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let mut script = Script::new(plays(5));
    script.swarm.set_sources(script.now, &[place(10), place(11)]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let mut made = script.connects();
    made.sort_by_key(|(_, to)| *to);
    let is_downloading = [false, false, true];
    for ((conn, _), (index, is_downloading)) in made.iter().zip([0, 10, 11].into_iter().zip(is_downloading)) {
        script.swarm.connected(script.now, *conn);
        script.hear(*conn, &[Frame::Hello(Hello { is_downloading, ..hello(index) })]);
    }
    let came = script.meet(20);
    script.hear(made[0].0, &[content.have(), hashes(&content)]);
    work(&mut script, &[0b111]);
    script.swarm.finished(script.now);
    assert_eq!(script.closed(), [made[0].0, made[1].0]);
    let still = made[2].0;
    script.said(still);
    script.hear(still, &[Frame::Request(File::Map, 1)]);
    assert!(script.said(still).is_empty(), "it has nothing to read in this script");
    script.hear(still, &[content.have()]);
    assert_eq!(script.closed(), [still]);
    assert!(!script.said(came).is_empty());
}

/// MAP-60: nothing for a minute ends the download, and with it its connections; at 59 s it is still there.
#[test]
fn a_download_without_anybody_ends() {
    let content = Content::new(File::Map, 3 * PIECE_BYTES);
    let (mut script, made) = begin(&content, &[]);
    script.hear(made[0], &[hashes(&content)]);
    work(&mut script, &[0]);
    for _ in 0..59 {
        script.wait(1_000);
        script.hear(made[0], &[Frame::Idle]);
    }
    assert_eq!(script.outputs(), []);
    script.wait(1_000);
    assert_eq!(script.outputs(), [Output::Failed(Fault::Nothing), Output::Close(made[0])]);
    assert!(!script.swarm.is_downloading());
    script.wait(60_000);
    assert_eq!(script.outputs(), []);
}
