//! A connection of the swarm's as its other end has it: what came is whole good frames that say nothing untrue. Knows no swarm.

use std::collections::VecDeque;
use std::net::IpAddr;

use mjolnir_mapshare::Conn;
use mjolnir_mapshare::swarm::REQUESTS_PER_CONNECTION;
use mjolnir_wire::mapshare::File;
use mjolnir_wire::swarm::{Frame, Header};

use super::super::contents::content;

/// A connection as its other end has it.
pub(super) struct Link {
    pub(super) conn: Conn,
    pub(super) address: IpAddr,
    pub(super) is_open: bool,
    /// What is to leave before anything is filled.
    pub(super) tail: Vec<u8>,
    /// What left, and is no whole frame yet.
    heard: Vec<u8>,
    has_hello: bool,
    /// What it was asked for, and how far it answered.
    pub(super) asked: VecDeque<(File, u32, u32)>,
}

impl Link {
    pub(super) fn new(conn: Conn, address: IpAddr, is_open: bool) -> Self {
        Self {
            conn,
            address,
            is_open,
            tail: Vec::new(),
            heard: Vec::new(),
            has_hello: false,
            asked: VecDeque::new(),
        }
    }

    /// Those bytes come to the other end.
    pub(super) fn leave(&mut self, bytes: &[u8]) {
        self.heard.extend_from_slice(bytes);
        let heard = std::mem::take(&mut self.heard);
        let mut rest = &heard[..];
        while let Some((head, more)) = rest.split_first_chunk() {
            let header = Header::read(head).expect("a header that may be");
            let Some((body, more)) = more.split_at_checked(header.length) else { break };
            let frame = Frame::read(header, body).expect("a frame that may be");
            assert_eq!(self.has_hello, !matches!(frame, Frame::Hello(_)), "{frame:?}");
            self.has_hello = true;
            self.told(&frame);
            rest = more;
        }
        self.heard = rest.to_vec();
    }

    fn told(&mut self, frame: &Frame<'_>) {
        match *frame {
            Frame::Have(file, have) => {
                let content = content(file).expect("a file that there is");
                assert_eq!((have.hash, have.size), (content.offered.hash, content.offered.size));
            }
            Frame::Hashes(file, first, hashes) => {
                let content = content(file).expect("a file that there is");
                assert_eq!(&content.hashes[first as usize..][..hashes.len()], hashes);
            }
            Frame::Block { file, piece, offset, bytes } => {
                let content = content(file).expect("a file that there is");
                assert!(content.block(piece, offset) == bytes, "another block");
            }
            Frame::Request(file, piece) => {
                self.asked.push_back((file, piece, 0));
                assert!(self.asked.len() <= REQUESTS_PER_CONNECTION, "{:?}", self.asked);
            }
            Frame::Cancel(file, piece) => {
                self.asked.retain(|(of, one, _)| (*of, *one) != (file, piece));
            }
            Frame::Hello(_) | Frame::HavePiece(..) | Frame::HashesRequest(..) | Frame::Idle => {}
        }
    }
}
