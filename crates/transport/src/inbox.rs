//! What came since the last tick: stream messages in their order, then the datagrams in the order of their stamps,
//! parts split (NET-75). Knows which messages may come by which channel, not who sent them.

use alloc::vec::Vec;

use mjolnir_wire::kinds::{Channels, Sender};
use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Kind, Machine, Message, MessageType, Parts, Tick};

use crate::counters::Counters;
use crate::error::Error;
use crate::stamps::Stamps;
use crate::trace::Trace;

/// Bytes that a client keeps of its host for one tick; what comes past them is refused.
pub const INBOX_BYTES: usize = 4 << 20;
/// Bytes that a host keeps of one machine for one tick: as much as a stream hands on at a time. Each machine has its
/// own, so that one that floods loses what is its own and nobody else's.
pub const MACHINE_INBOX_BYTES: usize = 64 << 10;
/// Room that there is from the beginning: two or three busy ticks that come together, so that a game makes none while
/// it is played.
const USUAL_BYTES: usize = 32 << 10;
/// The same, of messages.
const USUAL_MESSAGES: usize = 256;
/// So many times as much is kept of what a burst needed.
const KEPT: usize = 4;

/// By which way a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The machine's stream.
    Stream,
    /// A datagram.
    Datagram,
}

/// A distributed message, checked for its bounds, its sender, its channel and its age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<'a> {
    /// The machine that sent it.
    pub from: Machine,
    /// How it came.
    pub channel: Channel,
    /// The message; its entries are not read yet.
    pub message: Message<'a>,
}

/// What an inbox asks of those whose messages it holds.
pub(crate) trait Senders {
    /// Who sends to this machine.
    const SENDER: Sender;
    /// That machine's stamps; none when it is gone.
    fn stamps(&mut self, from: Machine) -> Option<&mut Stamps>;
    /// Whether that machine's messages of the game count now.
    fn in_game(&self, from: Machine) -> bool;
    /// Counts a message of that machine that was taken.
    fn taken(&mut self, from: Machine);
}

#[derive(Clone, Copy, Debug)]
struct Item {
    from: Machine,
    stamp: Tick,
    at: usize,
    end: usize,
}

/// The datagram whose parts are being read.
#[derive(Clone, Copy, Debug)]
struct Open {
    item: Item,
    /// Where its next part begins.
    at: usize,
    moves: bool,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Inbox {
    /// Bytes that each machine may fill, and what it fills of them, its messages' places in the lists included.
    share: usize,
    filled: [usize; MAX_MACHINES],
    bytes: Vec<u8>,
    stream: Vec<Item>,
    datagrams: Vec<Item>,
    stream_next: usize,
    datagram_next: usize,
    sorted: bool,
    open: Option<Open>,
    /// What was looked at last.
    looked: Option<Looked>,
}

/// Where a message or a part stands, whatever becomes of it.
#[derive(Clone, Copy, Debug)]
struct Looked {
    from: Machine,
    channel: Channel,
    at: usize,
    end: usize,
}

impl Looked {
    const fn whole(item: Item, channel: Channel) -> Option<Self> {
        Some(Self { from: item.from, channel, at: item.at, end: item.end })
    }
}

/// A message that is to be handed out: where its body stands.
struct Found {
    from: Machine,
    channel: Channel,
    kind: Kind,
    count: u8,
    tick: Tick,
    body: (usize, usize),
}

impl Inbox {
    /// With so many bytes for each machine.
    pub(crate) fn new(share: usize) -> Self {
        Self {
            share,
            filled: [0; MAX_MACHINES],
            bytes: Vec::with_capacity(USUAL_BYTES),
            stream: Vec::with_capacity(USUAL_MESSAGES),
            datagrams: Vec::with_capacity(USUAL_MESSAGES),
            stream_next: 0,
            datagram_next: 0,
            sorted: false,
            open: None,
            looked: None,
        }
    }

    /// Whether something of that machine waits to be read.
    pub(crate) const fn holds(&self, machine: Machine) -> bool {
        self.filled[machine.index()] > 0
    }

    /// Keeps a distributed message of a stream, whole.
    pub(crate) fn push_stream(&mut self, from: Machine, bytes: &[u8]) -> Result<(), Error> {
        let item = self.keep(from, Tick::ZERO, bytes)?;
        self.stream.push(item);
        Ok(())
    }

    /// Keeps a distributed datagram, whole, of that stamp.
    pub(crate) fn push_datagram(&mut self, from: Machine, stamp: Tick, bytes: &[u8]) -> Result<(), Error> {
        let item = self.keep(from, stamp, bytes)?;
        self.datagrams.push(item);
        self.sorted = false;
        Ok(())
    }

    fn keep(&mut self, from: Machine, stamp: Tick, bytes: &[u8]) -> Result<Item, Error> {
        let filled = self.filled[from.index()] + bytes.len() + size_of::<Item>();
        if filled > self.share {
            return Err(Error::Overrun);
        }
        self.filled[from.index()] = filled;
        let at = self.bytes.len();
        let end = at + bytes.len();
        self.bytes.extend_from_slice(bytes);
        Ok(Item { from, stamp, at, end })
    }

    /// The next message that is to be taken. What is not is counted and passed over; when there is no more, all is
    /// forgotten.
    pub(crate) fn next<S: Senders>(
        &mut self,
        senders: &mut S,
        counters: &mut Counters,
        trace: &mut Trace,
    ) -> Option<Received<'_>> {
        let found = loop {
            let step = if self.stream_next < self.stream.len() {
                self.next_stream(senders)
            } else {
                self.next_part(senders)
            };
            match step {
                Some(Ok(found)) => break found,
                Some(Err(error)) => {
                    counters.count(error);
                    if let Some(Looked { from, channel, at, end }) = self.looked {
                        let bytes = &self.bytes[at..end];
                        trace.refused(Some(from), channel, Some(MessageType::Data), bytes, error);
                    }
                }
                None => {
                    self.clear();
                    return None;
                }
            }
        };
        senders.taken(found.from);
        if let Some(Looked { from, channel, at, end }) = self.looked {
            trace.received(Some(from), channel, MessageType::Data, &self.bytes[at..end]);
        }
        let body = &self.bytes[found.body.0..found.body.1];
        let message = Message { kind: found.kind, count: found.count, tick: found.tick, body };
        Some(Received { from: found.from, channel: found.channel, message })
    }

    fn next_stream<S: Senders>(&mut self, senders: &mut S) -> Option<Result<Found, Error>> {
        let item = self.stream[self.stream_next];
        self.stream_next += 1;
        self.looked = Looked::whole(item, Channel::Stream);
        let message = match Message::read(&self.bytes[item.at..item.end]) {
            Ok(message) => message,
            Err(error) => return Some(Err(error.into())),
        };
        let allowed = allow(&message, Channel::Stream, S::SENDER)
            .and_then(|()| in_game(&message, senders.in_game(item.from)));
        let Some(stamps) = senders.stamps(item.from) else {
            return Some(Err(Error::UnknownAddress));
        };
        Some(allowed.and_then(|()| stamps.stream(message.kind, message.tick)).map(|()| Found {
            from: item.from,
            channel: Channel::Stream,
            kind: message.kind,
            count: message.count,
            tick: message.tick,
            body: (item.end - message.body.len(), item.end),
        }))
    }

    fn next_part<S: Senders>(&mut self, senders: &mut S) -> Option<Result<Found, Error>> {
        let open = match self.open.take() {
            Some(open) => open,
            None => match self.next_datagram(senders)? {
                Ok(open) => open,
                Err(error) => return Some(Err(error)),
            },
        };
        let Open { item, at, moves } = open;
        let bytes = &self.bytes[at..item.end];
        if at == item.at {
            // A message of its own, outside a batch.
            return Some(Message::read(bytes).map_err(Error::from).and_then(|message| {
                let stamps = senders.stamps(item.from).ok_or(Error::UnknownAddress)?;
                stamps.in_order(message.kind, message.tick, moves)?;
                Ok(found(item, &message, item.end))
            }));
        }
        let batch = Message { kind: Kind::Batch, count: 0, tick: item.stamp, body: bytes };
        let part = Parts::of(&batch).next()?;
        // A part whose length cannot be is the last.
        let length = bytes.first_chunk().map_or(0, |length| usize::from(u16::from_le_bytes(*length)));
        let end = (at + 2 + length).min(item.end);
        self.looked = Some(Looked { from: item.from, channel: Channel::Datagram, at, end });
        if end < item.end {
            self.open = Some(Open { at: end, ..open });
        }
        Some(part.map_err(Error::from).and_then(|part| {
            allow(&part, Channel::Datagram, S::SENDER)?;
            if part.kind.info().channels == Channels::Own {
                return Err(Error::WrongChannel);
            }
            if part.tick != item.stamp {
                return Err(Error::PartStamp);
            }
            let stamps = senders.stamps(item.from).ok_or(Error::UnknownAddress)?;
            stamps.in_order(part.kind, part.tick, moves)?;
            Ok(found(item, &part, end))
        }))
    }

    /// Opens the next datagram.
    fn next_datagram<S: Senders>(&mut self, senders: &mut S) -> Option<Result<Open, Error>> {
        if !self.sorted {
            // By arrival where stamps are equal.
            self.datagrams[self.datagram_next..].sort_unstable_by_key(|item| (item.stamp, item.at));
            self.sorted = true;
        }
        let item = *self.datagrams.get(self.datagram_next)?;
        self.datagram_next += 1;
        self.looked = Looked::whole(item, Channel::Datagram);
        Some(Message::read(&self.bytes[item.at..item.end]).map_err(Error::from).and_then(|message| {
            allow(&message, Channel::Datagram, S::SENDER)?;
            in_game(&message, senders.in_game(item.from))?;
            let moves = match message.kind {
                // Stamped 0 in a lobby, and not measured (NET-11).
                Kind::VoiceUp | Kind::VoiceDown => false,
                _ => {
                    let stamps = senders.stamps(item.from).ok_or(Error::UnknownAddress)?;
                    stamps.datagram(message.tick)?
                }
            };
            let at = if message.kind == Kind::Batch { item.end - message.body.len() } else { item.at };
            if at == item.end {
                Err(Error::Malformed(mjolnir_wire::Error::Truncated))
            } else {
                Ok(Open { item, at, moves })
            }
        }))
    }

    fn clear(&mut self) {
        self.filled.fill(0);
        self.bytes.clear();
        self.stream.clear();
        self.datagrams.clear();
        // A burst's room is given back: a stall's backlog can be a hundred times the usual.
        self.bytes.shrink_to(KEPT * USUAL_BYTES);
        self.stream.shrink_to(KEPT * USUAL_MESSAGES);
        self.datagrams.shrink_to(KEPT * USUAL_MESSAGES);
        self.stream_next = 0;
        self.datagram_next = 0;
        self.open = None;
        self.looked = None;
    }
}

fn found(item: Item, message: &Message<'_>, end: usize) -> Found {
    Found {
        from: item.from,
        channel: Channel::Datagram,
        kind: message.kind,
        count: message.count,
        tick: message.tick,
        body: (end - message.body.len(), end),
    }
}

/// Whether a message of that kind comes from that end by that channel (NET-07, 10, 46, 47).
pub(crate) fn allow(message: &Message<'_>, channel: Channel, sender: Sender) -> Result<(), Error> {
    let info = message.kind.info();
    if info.sender != sender && info.sender != Sender::Either {
        return Err(Error::WrongSender);
    }
    match (info.channels, channel) {
        (Channels::Either, _)
        | (Channels::Stream, Channel::Stream)
        | (Channels::Datagram | Channels::Own, Channel::Datagram) => Ok(()),
        (Channels::Stream, Channel::Datagram) | (Channels::Datagram | Channels::Own, Channel::Stream) => {
            Err(Error::WrongChannel)
        }
    }
}

/// Outside a game only notices and what a lobby needs are taken: 17 and 80 to 89 (GLUE-16).
fn in_game(message: &Message<'_>, in_game: bool) -> Result<(), Error> {
    match message.kind as u8 {
        17 | 80..=89 => Ok(()),
        _ if in_game => Ok(()),
        _ => Err(Error::NotInGame),
    }
}
