//! What became of each message, kept for whoever writes it down, and only while somebody does. Knows no message's
//! meaning: its number, its count and its stamp are read where they stand.

use alloc::vec::Vec;

use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::limits::HEADER_BYTES;
use mjolnir_wire::message::read_word;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::{Kind, Machine, MessageType, Tick};

use crate::error::Error;
use crate::inbox::Channel;
use crate::network::{StreamId, Transmits};

/// Messages kept until they are taken; what comes past them is not kept.
pub const TRACED_KEPT: usize = 1 << 16;

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was sent.
    Sent,
    /// It came and was taken.
    Received,
    /// It came and was dropped: too old, too far, not a message, or of a kind that is not known.
    Dropped(&'static str),
    /// It came and was refused.
    Refused(&'static str),
    /// One entry of a message that was taken was refused.
    EntryRefused(&'static str),
}

impl Fate {
    /// Of one that was not taken.
    const fn of(error: Error) -> Self {
        match error {
            Error::Stale | Error::FarStamp | Error::Malformed(_) => Self::Dropped(error.reason()),
            other => Self::Refused(other.reason()),
        }
    }
}

/// One message that went or came: a packet, a distributed message, or a part of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced {
    /// What became of it.
    pub fate: Fate,
    /// The machine at the other end; none of a stranger.
    pub machine: Option<Machine>,
    /// How it went.
    pub channel: Channel,
    /// What it is; none where its bytes do not say.
    pub of: Option<MessageType>,
    /// A packet's number or a distributed message's kind, known or not.
    pub number: Option<u8>,
    /// A distributed message's count.
    pub count: Option<u8>,
    /// A distributed message's tick.
    pub stamp: Option<Tick>,
    /// Its bytes, its header with them.
    pub bytes: usize,
}

impl Traced {
    /// A message or a part from its first two bytes on, which are read over.
    fn new(
        machine: Option<Machine>,
        channel: Channel,
        of: Option<MessageType>,
        bytes: &[u8],
        fate: Fate,
    ) -> Self {
        let mut traced =
            Self { fate, machine, channel, of, number: None, count: None, stamp: None, bytes: bytes.len() };
        match of {
            Some(MessageType::Packet) => traced.number = bytes.get(2..).and_then(|rest| rest.last()).copied(),
            Some(MessageType::Data) => {
                traced.number = bytes.get(2).copied();
                traced.count = bytes.get(3).copied();
                let stamp = bytes.get(4..).and_then(|rest| rest.first_chunk());
                traced.stamp = stamp.and_then(|stamp| Tick::new(i32::from_le_bytes(*stamp)));
            }
            Some(MessageType::Error) | None => {}
        }
        traced
    }
}

/// See the file's text.
#[derive(Debug, Default)]
pub(crate) struct Trace(Option<Vec<Traced>>);

impl Trace {
    /// Keeps what goes and comes from now on.
    pub(crate) fn begin(&mut self) {
        self.0.get_or_insert_default();
    }

    /// Moves what was kept to the end of `into`.
    pub(crate) fn take(&mut self, into: &mut Vec<Traced>) {
        if let Some(kept) = &mut self.0 {
            into.append(kept);
        }
    }

    /// A message that came and was taken; a part likewise.
    pub(crate) fn received(
        &mut self,
        from: Option<Machine>,
        channel: Channel,
        of: MessageType,
        bytes: &[u8],
    ) {
        self.note(|| Traced::new(from, channel, Some(of), bytes, Fate::Received));
    }

    /// A packet that came by a stream, read already.
    pub(crate) fn packet(&mut self, from: Option<Machine>, packet: &Packet<'_>, fate: Fate) {
        self.note(|| Traced {
            fate,
            machine: from,
            channel: Channel::Stream,
            of: Some(MessageType::Packet),
            number: Some(packet.number()),
            count: None,
            stamp: None,
            bytes: packet.info().size,
        });
    }

    /// A message that came and was not taken.
    pub(crate) fn refused(
        &mut self,
        from: Option<Machine>,
        channel: Channel,
        of: Option<MessageType>,
        bytes: &[u8],
        error: Error,
    ) {
        self.note(|| Traced::new(from, channel, of, bytes, Fate::of(error)));
    }

    /// Everything that is to be sent.
    pub(crate) fn sent(
        &mut self,
        out: &Transmits,
        by_stream: impl Fn(StreamId) -> Option<Machine>,
        by_address: impl Fn(core::net::SocketAddr) -> Option<Machine>,
    ) {
        if self.0.is_none() {
            return;
        }
        for (stream, bytes) in out.writes() {
            let to = by_stream(stream);
            each_message(bytes, |of, bytes| {
                self.note(|| Traced::new(to, Channel::Stream, Some(of), bytes, Fate::Sent));
            });
        }
        for (address, bytes) in out.datagrams() {
            let to = by_address(address);
            let Ok((of, bytes)) = read_datagram(bytes) else { continue };
            let mut part =
                |bytes: &[u8]| self.note(|| Traced::new(to, Channel::Datagram, Some(of), bytes, Fate::Sent));
            if of == MessageType::Data && bytes.get(2) == Some(&(Kind::Batch as u8)) {
                each_part(bytes.get(HEADER_BYTES..).unwrap_or_default(), part);
            } else {
                part(bytes);
            }
        }
    }

    fn note(&mut self, traced: impl FnOnce() -> Traced) {
        if let Some(kept) = &mut self.0
            && kept.len() < TRACED_KEPT
        {
            kept.push(traced());
        }
    }
}

/// Each whole message of a stream's bytes.
fn each_message(mut bytes: &[u8], mut each: impl FnMut(MessageType, &[u8])) {
    while let Some(word) = bytes.first_chunk()
        && let Ok((of, length)) = read_word(*word)
        && let Some((message, rest)) = bytes.split_at_checked(length)
    {
        each(of, message);
        bytes = rest;
    }
}

/// Each part of a batch's body, from its length on.
fn each_part(mut bytes: &[u8], mut each: impl FnMut(&[u8])) {
    while let Some(length) = bytes.first_chunk()
        && let Some((part, rest)) = bytes.split_at_checked(2 + usize::from(u16::from_le_bytes(*length)))
    {
        each(part);
        bytes = rest;
    }
}
