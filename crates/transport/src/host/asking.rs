//! A gated host's joins (NET-34): who asks, what is kept of it meanwhile, and the answer. Knows neither who is kept out nor
//! who looks that up; whoever does has until the limit of all who have not joined (NET-27).

use mjolnir_wire::packets::list::JoinRequest;
use mjolnir_wire::packets::{Packet, Rejection};
use mjolnir_wire::{Moment, Tick, names};

use super::{Event, Host, Stranger};
use crate::error::Error;
use crate::limits::ASKED_BYTES;
use crate::network::StreamId;
use crate::trace::Fate;

impl Host {
    /// Whether who joins by the right token is asked about first, by [`Event::Asking`], and waits for [`Host::answer`].
    /// Not so unless this says it; who waits already goes on waiting.
    pub const fn set_gated(&mut self, gated: bool) {
        self.is_gated = gated;
    }

    /// Answers who asks by that stream: it may come, and is let in if the game is open and has room now, or it is
    /// rejected for that reason. [`Error::Unasked`] where nothing is asked by it: it has ended, or its time has, or it
    /// never asked, or was answered.
    pub fn answer(
        &mut self,
        now: Moment,
        tick: Tick,
        stream: StreamId,
        answer: Result<(), Rejection>,
    ) -> Result<(), Error> {
        let asks = |stranger: &Stranger| stranger.stream == stream && stranger.asked.is_some();
        let at = self.strangers.iter().position(asks).ok_or(Error::Unasked)?;
        let request = self.strangers[at].asked.take().ok_or(Error::Unasked)?;
        let stranger = self.strangers.swap_remove(at);
        self.forget_asking(stream);
        self.settle(now, tick, stranger, &request, answer);
        Ok(())
    }

    /// Whether who asked by that stream still waits for an answer.
    pub fn is_asking(&self, stream: StreamId) -> bool {
        self.strangers.iter().any(|stranger| stranger.stream == stream && stranger.asked.is_some())
    }

    /// Keeps a request until it is answered. It is a stranger's all the while.
    pub(super) fn hold(&mut self, at: usize, request: JoinRequest) {
        let stranger = &mut self.strangers[at];
        stranger.asked = Some(request);
        self.events.push_back(Event::Asking {
            stream: stranger.stream,
            address: stranger.address,
            name: names::clean(&request.name),
            hardware_id: request.hardware_id,
        });
        self.keep_behind(at, &[]);
    }

    /// Keeps what one that waits says behind its request, to be read once it is in; too much of it ends its stream.
    pub(super) fn keep_behind(&mut self, at: usize, bytes: &[u8]) {
        let reader = &mut self.strangers[at].reader;
        if reader.waiting() + bytes.len() <= ASKED_BYTES {
            reader.push(bytes);
            return;
        }
        let stranger = self.strangers.swap_remove(at);
        self.counters.count(Error::Overrun);
        self.out.close(stranger.stream);
        self.withdraw(&stranger, Error::Overrun.reason());
    }

    /// A stranger is gone: if it asked, that is told no more, and what became of its request is written down.
    pub(super) fn withdraw(&mut self, stranger: &Stranger, reason: &'static str) {
        if let Some(request) = stranger.asked {
            self.forget_asking(stranger.stream);
            self.trace.packet(None, &Packet::JoinRequest(request), Fate::Refused(reason));
        }
    }

    /// So what is told is bounded by those who wait, whoever comes and goes.
    fn forget_asking(&mut self, stream: StreamId) {
        self.events.retain(|event| !matches!(event, Event::Asking { stream: asked, .. } if *asked == stream));
    }
}
