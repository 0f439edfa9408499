//! What the other ends say, frame by frame (MAP-73 to 81).

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet, pieces};
use mjolnir_wire::swarm::{FRAME_BODY_MAX, Frame, Have, Header};

use super::Swarm;
use super::cutting::Cut;
use super::error::Error;
use crate::download::Conn;

/// Bytes of a hello's body: the first frame has no more, whatever it is.
const HELLO_BYTES: usize = 16;

impl Swarm {
    /// Bytes of a connection, cut anywhere.
    pub fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]) {
        let mut bytes = bytes;
        while !bytes.is_empty()
            && let Some(at) = self.index(conn)
        {
            let is_new = self.links[at].hello.is_none();
            let most = if is_new { HELLO_BYTES } else { FRAME_BODY_MAX };
            // Away while its frame is read.
            let mut cutter = core::mem::take(&mut self.links[at].cutter);
            let heard = match cutter.cut(bytes, most) {
                Cut::Frame(header, body, rest) => {
                    bytes = rest;
                    self.hear(now, at, header, body)
                }
                Cut::Kept(rest) => {
                    bytes = rest;
                    let heard =
                        cutter.kept().map_or(Ok(()), |(header, body)| self.hear(now, at, header, body));
                    cutter.clear();
                    heard
                }
                Cut::Part => {
                    bytes = &[];
                    Ok(())
                }
                Cut::TooLong if is_new => Err(Error::NotHello),
                Cut::TooLong => Err(Error::TooLong),
            };
            match heard {
                Ok(()) => {
                    if let Some(at) = self.index(conn) {
                        self.links[at].cutter = cutter;
                    }
                }
                Err(error) => self.close(now, conn, error),
            }
        }
        self.pump(now);
    }

    /// A whole frame.
    fn hear(&mut self, now: Moment, at: usize, header: Header, body: &[u8]) -> Result<(), Error> {
        let link = &mut self.links[at];
        let conn = link.conn;
        let frame = match (Frame::read(header, body), link.hello) {
            (Ok(Frame::Hello(hello)), None) => {
                link.heard(now);
                return self.hello(now, conn, hello);
            }
            (Ok(_), None) => return Err(Error::NotHello),
            (Err(_), None) => return Err(Error::BadHello),
            (Ok(Frame::Hello(_)), Some(_)) => return Err(Error::SecondHello),
            (Ok(frame), Some(_)) => frame,
            (Err(mjolnir_wire::Error::UnknownKind | mjolnir_wire::Error::BadIndex), Some(_)) => {
                link.heard(now);
                self.counters.count(Error::Unknown);
                return Ok(());
            }
            (Err(_), Some(_)) => return Err(Error::Malformed),
        };
        link.heard(now);
        match frame {
            Frame::Hello(_) | Frame::Idle => Ok(()),
            Frame::Have(file, have) => {
                self.have(now, at, file, &have);
                Ok(())
            }
            Frame::HavePiece(file, piece) => {
                self.is_one(at, file, piece)?;
                self.of_download(|download| download.handle_have_piece(conn, file, piece))
            }
            Frame::Request(file, piece) => self.request(at, file, piece),
            Frame::Cancel(file, piece) => {
                link.saying.cancel(file, piece);
                Ok(())
            }
            Frame::Block { file, piece, offset, bytes } => {
                let was_due = match &mut self.download {
                    Some(download) => download.handle_block(now, conn, file, piece, offset, bytes),
                    // It was asked for, before the download ended.
                    None => Ok(false),
                };
                if was_due == Ok(true) {
                    self.links[at].brought = now;
                    self.counters.received += bytes.len() as u64;
                }
                self.of_download(|_| was_due.map(|_| ()))
            }
            Frame::HashesRequest(file, first) => self.hashes_request(at, file, first),
            Frame::Hashes(file, first, hashes) => {
                self.of_download(|download| download.handle_hashes(now, conn, file, first, hashes))
            }
        }
    }

    fn have(&mut self, now: Moment, at: usize, file: File, have: &Have<'_>) {
        let (link, only) = (&mut self.links[at], FileSet::only(file));
        let is_it = |offered: crate::order::Offered| (offered.hash, offered.size) == (have.hash, have.size);
        match self.files.offered(file).map(is_it) {
            Some(true) => {
                link.known = link.known.or(only);
                link.whole = link.whole.without(only);
                if have.bitmap.is_none() {
                    link.whole = link.whole.or(only);
                }
            }
            Some(false) => {
                (link.known, link.whole) = (link.known.without(only), link.whole.without(only));
                self.counters.count(Error::OtherFile);
            }
            None => {}
        }
        if let Some(download) = &mut self.download {
            download.handle_have(self.links[at].conn, file, have);
        }
        self.part(now);
    }

    /// Whether it is a piece of the game's file, where the other end is known to mean that.
    fn is_one(&self, at: usize, file: File, piece: u32) -> Result<(), Error> {
        let offered = self.files.offered(file).filter(|_| self.links[at].known.contains(file));
        let is_none = offered.is_some_and(|offered| piece >= pieces(offered.size));
        if is_none { Err(Error::NoSuchPiece) } else { Ok(()) }
    }

    fn request(&mut self, at: usize, file: File, piece: u32) -> Result<(), Error> {
        let passed_over = if !self.upload.sends() {
            Some(Error::SendsNone)
        } else if self.hashes(file).is_none() {
            Some(Error::NotShared)
        } else if !self.has(file, piece) {
            Some(Error::Lacked)
        } else {
            None
        };
        match passed_over {
            Some(error) => {
                self.counters.count(error);
                Ok(())
            }
            None if self.links[at].saying.request(file, piece) => Ok(()),
            None => Err(Error::TooManyRequests),
        }
    }

    fn hashes_request(&mut self, at: usize, file: File, first: u32) -> Result<(), Error> {
        if self.files.offered(file).is_some_and(|offered| first >= pieces(offered.size)) {
            return Err(Error::NoSuchPiece);
        }
        if !self.upload.sends() {
            self.counters.count(Error::SendsNone);
        } else if self.hashes(file).is_some() {
            let link = &mut self.links[at];
            if link.machine().is_some_and(|machine| self.lists.may(machine, link.address, file)) {
                link.saying.hashes[file.index()] = Some(first);
            } else {
                self.counters.count(Error::HashesAgain);
            }
        }
        Ok(())
    }
}
