//! What the download wants, put where it goes.

use mjolnir_wire::Moment;

use super::error::Error;
use super::link::Made;
use super::saying::Ask;
use super::{Output, Swarm};
use crate::download::{Conn, Download, Refused, Wish};

impl Swarm {
    /// Hands something to the download, if there is one. What it refuses and closes nothing for is counted alone.
    pub(super) fn of_download(
        &mut self,
        hands: impl FnOnce(&mut Download) -> Result<(), Refused>,
    ) -> Result<(), Error> {
        match self.download.as_mut().map_or(Ok(()), hands) {
            Err(refused) if refused.closes() => Err(Error::Pieces(refused)),
            Err(refused) => {
                self.counters.count(Error::Pieces(refused));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Takes what the download wants.
    pub(super) fn pump(&mut self, now: Moment) {
        while let Some(wish) = self.download.as_mut().and_then(|download| download.next_wish(now)) {
            match wish {
                Wish::Request(conn, file, piece) => self.ask(now, conn, Ask::Request(file, piece)),
                Wish::Cancel(conn, file, piece) => self.ask(now, conn, Ask::Cancel(file, piece)),
                Wish::HashesRequest(conn, file, first) => self.ask(now, conn, Ask::Hashes(file, first)),
                Wish::Job(job) => self.outputs.push_back(Output::Job(job)),
                Wish::Have(file) => self.tell(file),
                Wish::Had(file, piece) => self.news.push((file, piece)),
                Wish::Barred(conn) => self.bar(now, conn),
                Wish::AllHad => {
                    self.has_all = true;
                    self.outputs.push_back(Output::AllHad);
                }
                Wish::Failed(fault) => {
                    self.outputs.push_back(Output::Failed(fault));
                    self.end_download();
                    self.drop_own(now);
                }
            }
        }
    }

    fn ask(&mut self, now: Moment, conn: Conn, ask: Ask) {
        if let Some(at) = self.index(conn)
            && !self.links[at].saying.ask(ask)
        {
            self.close(now, conn, Error::DoesNotRead);
        }
    }

    /// Nothing is asked of that end any more: if it was chosen, another takes its place.
    fn bar(&mut self, now: Moment, conn: Conn) {
        let Some(at) = self.index(conn) else {
            return;
        };
        match self.links[at].made {
            Made::ToHost => {}
            Made::ByOther => self.sources.bar(self.links[at].address),
            Made::ToNamed(_) => {
                self.sources.bar(self.links[at].address);
                self.drop_link(now, conn);
                self.sources.look_at = now;
            }
        }
    }
}
