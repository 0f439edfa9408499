//! Targets of the files of `wire` that carry maps: what is said of them over the game's stream, and the frames that bring them. Knows
//! what a reader promises, not what is done with it.

use std::net::IpAddr;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::mapshare::{
    self, FileSet, Offer, PIECES_MAX, Progress, Request, Source, SourceAddress, pieces,
};
use mjolnir_wire::swarm::{self, BLOCK_BYTES, FRAME_BODY_MAX, FRAME_HEADER_BYTES, Frame, HASHES_MAX, Header};
use mjolnir_wire::{Error, Kind, Machine};

use super::entries::{comes_back, with_message};
use super::layouts::{both_ways, structs};

/// Kinds 86 to 89.
pub(super) fn mapshare(bytes: &[u8]) {
    let kinds = [Kind::MapShareRequest, Kind::MapShareOffer, Kind::MapShareSources, Kind::MapShareProgress];
    structs(bytes, &kinds, |bytes| {
        both_ways!(
            bytes;
            mapshare::MapShareOfferEntry,
            mapshare::MapShareProgressEntry,
            mapshare::MapShareRequestEntry,
            mapshare::MapShareSourceEntry,
        );
        if let Ok(request) = Request::read(bytes) {
            asks(&request);
        }
        if let Ok(offer) = Offer::read(bytes) {
            assert!(offer.answer.is_err() || offer.answer.is_ok_and(|(size, _)| size > 0));
            comes_back(&offer, Offer::write, Offer::read);
        }
        if let Ok(source) = Source::read(bytes) {
            may_be_reached(&source);
        }
        if let Ok(progress) = Progress::read(bytes) {
            comes_back(&progress, Progress::write, Progress::read);
        }
    });
    with_message(&[Kind::MapShareOffer], bytes, |message| {
        let offered = Offer::read_all(message).flatten();
        let _ = offered.fold(FileSet::NONE, |before, offer| {
            assert!(!before.contains(offer.file), "offered twice");
            before.with(offer.file)
        });
    });
}

fn asks(request: &Request) {
    let text = request.level.as_bytes();
    assert!((1..128).contains(&text.len()) && text.iter().all(|byte| matches!(byte, b' '..=b'~')));
    assert!(!request.lacked.is_empty());
    comes_back(request, Request::write, Request::read);
}

fn may_be_reached(source: &Source) {
    assert!(source.machine != Machine::HOST && source.machine.index() < MAX_MACHINES);
    if let SourceAddress::Lan(ip) = source.address {
        assert!(!ip.is_unspecified() && !ip.is_multicast());
        assert_eq!(ip, ip.to_canonical());
        assert!(!matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local()));
    }
    comes_back(source, Source::write, Source::read);
}

/// A stream of frames, as far as it is whole and nothing in it closes the connection.
pub(super) fn swarm(bytes: &[u8]) {
    both_ways!(
        bytes;
        swarm::SwarmBlock,
        swarm::SwarmHashes,
        swarm::SwarmHave,
        swarm::SwarmHeader,
        swarm::SwarmHello,
        swarm::SwarmPiece,
    );
    let mut left = bytes;
    while let Some((head, rest)) = left.split_first_chunk::<FRAME_HEADER_BYTES>() {
        let header = match Header::read(head) {
            Ok(header) => header,
            Err(error) => {
                assert_eq!(error, Error::TooLong);
                assert!(u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize > FRAME_BODY_MAX);
                return;
            }
        };
        let Some((body, rest)) = rest.split_at_checked(header.length) else { return };
        match Frame::read(header, body) {
            Ok(frame) => taken(&frame, header),
            Err(error) if Frame::is_passed_over(error) => {
                assert_eq!(error == Error::UnknownKind, header.info().is_none());
            }
            Err(_) => return,
        }
        left = rest;
    }
}

fn taken(frame: &Frame<'_>, header: Header) {
    let info = header.info().expect("a frame that is read has a kind");
    assert!((info.least..=info.most).contains(&header.length), "{}", info.name);
    match frame {
        Frame::Hello(hello) => assert!(hello.machine.index() < MAX_MACHINES),
        Frame::Have(_, have) => {
            let count = pieces(have.size);
            assert!(count <= PIECES_MAX && !have.has(count) && !have.has(u32::MAX));
            assert!(have.bitmap.is_some() || count == 0 || have.has(count - 1));
        }
        Frame::Block { bytes, .. } => assert!(bytes.len() <= BLOCK_BYTES as usize),
        Frame::Hashes(_, _, hashes) => assert!(hashes.len() <= HASHES_MAX),
        _ => {}
    }
    let mut written = Vec::new();
    frame.write(&mut written);
    let (head, body) = written.split_first_chunk().expect("a header");
    let again = Header::read(head).expect("the header that was written");
    assert_eq!((again.length, body.len()), (header.length, header.length), "{}", info.name);
    assert_eq!(&Frame::read(again, body).expect("what was written"), frame, "{}", info.name);
}
