//! How what an end was asked for is taken from it: since it was too slow, has it no more, is gone, or sent something wrong. Knows no
//! socket.

use core::net::IpAddr;

use mjolnir_wire::mapshare::File;

use super::Download;
use super::end::Holds;
use super::part::blocks;
use super::requests::Request;
use super::wish::Wish;

impl Download {
    /// An end counts as one that has nothing.
    pub(super) fn set_all_unsaid(&mut self, at: usize) {
        File::ALL.into_iter().for_each(|file| self.set_holds(at, file, Holds::Unsaid));
    }

    /// Who is at that address sent a wrong piece: nobody there is asked for anything more (MAP-33).
    pub(super) fn blame(&mut self, address: IpAddr) {
        self.gave_wrong.insert(address);
        for at in 0..self.ends.len() {
            if self.ends[at].address == address {
                self.set_all_unsaid(at);
                let end = &mut self.ends[at];
                end.gives = false;
                self.wishes.push_back(Wish::Barred(end.conn));
            }
        }
    }

    /// Cancels every request of which that is true.
    pub(super) fn cancel_while(&mut self, is_so: impl Fn(&Request) -> bool) {
        while let Some(request) = self.requests.under_way.iter().position(&is_so) {
            self.cancel(request);
        }
    }

    /// The end is told to stop, and what it was asked for is wanted again.
    pub(super) fn cancel(&mut self, request: usize) {
        let (conn, file, piece, came) = self.requests.end(request);
        let left = self.parts[file.index()].as_ref().map_or(0, |part| blocks(part.length(piece) - came));
        if let Some(end) = self.ends.iter_mut().find(|end| end.conn == conn) {
            end.requests -= 1;
            end.cancel(file, piece, left);
        }
        self.wishes.push_back(Wish::Cancel(conn, file, piece));
        self.want(file, piece);
    }

    /// A piece is not asked for any more by a request, nor at the disk: it is wanted again, if by none.
    pub(super) fn want(&mut self, file: File, piece: u32) {
        let is_busy = self.requests.is_busy(file, piece);
        let Some(part) = self.parts[file.index()].as_mut() else { return };
        if !is_busy && !part.has(piece) && part.wanted.insert(piece) {
            self.wake_all();
        }
    }

    /// There may be something to ask of each end that has anything.
    pub(super) fn wake_all(&mut self) {
        for end in &mut self.ends {
            end.is_dry = !end.holds.iter().any(Holds::is_any);
        }
    }
}
