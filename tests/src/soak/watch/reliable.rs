//! What is written to streams and what is heard of it: each message once, in order. Knows a message by its number, its
//! count and its stamp.

use std::collections::VecDeque;
use std::net::SocketAddr;

use mjolnir_engine_glue::transport::simulated::FIRST_STREAM_PORT;
use mjolnir_engine_glue::transport::trace::{Fate, Traced};
use mjolnir_engine_glue::transport::{Channel, StreamId};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::{Kind, MessageType, Moment};

use super::super::Found;
use super::Invariant;

/// What was sent is heard within so long once it is quiet, in microseconds.
const HEARD_WITHIN: u64 = 2 * Moment::SECOND;

/// What tells a message from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    of: Option<MessageType>,
    number: Option<u8>,
    count: Option<u8>,
    stamp: Option<i32>,
}

impl Told {
    fn of(traced: &Traced) -> Self {
        let Traced { of, number, count, stamp, .. } = *traced;
        Self { of, number, count, stamp: stamp.map(|stamp| stamp.get()) }
    }

    fn read(of: MessageType, bytes: &[u8]) -> Self {
        let nothing = Self { of: Some(of), number: None, count: None, stamp: None };
        match of {
            MessageType::Packet => {
                Self { number: bytes.get(2..).and_then(|rest| rest.last()).copied(), ..nothing }
            }
            MessageType::Data => {
                let stamp = bytes.get(4..).and_then(|rest| rest.first_chunk());
                Self {
                    number: bytes.get(2).copied(),
                    count: bytes.get(3).copied(),
                    stamp: stamp.map(|stamp| i32::from_le_bytes(*stamp)).filter(|stamp| *stamp >= 0),
                    ..nothing
                }
            }
            MessageType::Error => nothing,
        }
    }
}

/// One way of a stream.
#[derive(Debug, Default)]
struct Way {
    reader: StreamReader,
    /// What was written and not heard, with when: the session's own, which is heard as it comes, and the game's,
    /// which is heard in a tick.
    packets: VecDeque<(u64, Told)>,
    messages: VecDeque<(u64, Told)>,
}

impl Way {
    fn wrote(&mut self, now: u64, bytes: &[u8]) -> u64 {
        self.reader.push(bytes);
        let before = self.packets.len() + self.messages.len();
        while let Ok(Some((of, message))) = self.reader.next_message() {
            let told = Told::read(of, message);
            self.of(told).push_back((now, told));
        }
        (self.packets.len() + self.messages.len() - before) as u64
    }

    fn of(&mut self, told: Told) -> &mut VecDeque<(u64, Told)> {
        if told.of == Some(MessageType::Data) { &mut self.messages } else { &mut self.packets }
    }

    fn heard(&mut self, heard: Told) -> Result<(), String> {
        match self.of(heard).pop_front() {
            Some((_, sent)) if sent == heard => Ok(()),
            Some((_, sent)) => Err(format!("{heard:?} was heard where {sent:?} was next")),
            None => Err(format!("{heard:?} was heard, and nothing was sent")),
        }
    }
}

/// The stream of one client.
#[derive(Debug, Default)]
struct Stream {
    /// Which of the switch's; none before anything was written.
    number: Option<u32>,
    is_gone: bool,
    down: Way,
    up: Way,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Streams(Vec<Stream>);

impl Streams {
    /// Another client's stream begins.
    pub(super) fn seated(&mut self, place: usize) {
        match self.0.get_mut(place) {
            Some(stream) => *stream = Stream::default(),
            None => self.0.push(Stream::default()),
        }
    }

    /// Whose stream the host has from that address.
    pub(super) fn place_of(&self, address: SocketAddr) -> Option<usize> {
        let number = u32::from(address.port()).checked_sub(FIRST_STREAM_PORT.into());
        self.0.iter().position(|known| known.number.is_some() && known.number == number)
    }

    /// What waits there is not heard any more.
    pub(super) fn gone(&mut self, place: usize) {
        self.0[place].is_gone = true;
    }

    /// How many messages it was.
    pub(super) fn host_wrote(&mut self, now: u64, stream: StreamId, bytes: &[u8]) -> u64 {
        let of = self.0.iter_mut().find(|known| known.number == Some(stream.0 / 2));
        of.map_or(0, |known| known.down.wrote(now, bytes))
    }

    /// The same of a client, which speaks first.
    pub(super) fn client_wrote(&mut self, now: u64, place: usize, stream: StreamId, bytes: &[u8]) -> u64 {
        let known = &mut self.0[place];
        known.number = Some(stream.0 / 2);
        known.up.wrote(now, bytes)
    }

    pub(super) fn client_heard(&mut self, place: usize, traced: &Traced, may_be_cut: bool) -> Found<()> {
        self.heard(place, traced, may_be_cut, |stream| &mut stream.down)
            .map_err(|what| (Invariant::Reliable, format!("client {place}: {what}")))
    }

    pub(super) fn host_heard(&mut self, place: usize, traced: &Traced, may_be_cut: bool) -> Found<()> {
        self.heard(place, traced, may_be_cut, |stream| &mut stream.up)
            .map_err(|what| (Invariant::Reliable, format!("the host, of client {place}: {what}")))
    }

    fn heard(
        &mut self,
        place: usize,
        traced: &Traced,
        may_be_cut: bool,
        way: impl Fn(&mut Stream) -> &mut Way,
    ) -> Result<(), String> {
        let stream = &mut self.0[place];
        if traced.channel != Channel::Stream || stream.is_gone {
            return Ok(());
        }
        let found = match traced.fate {
            Fate::Sent => Ok(()),
            Fate::Received => way(stream).heard(Told::of(traced)),
            // It came, with the word that the game is over which it was about.
            Fate::Refused("not_in_game") => way(stream).heard(Told::of(traced)),
            // A client asks for the objects again until it has them, however soon (OBJ-48).
            Fate::EntryRefused("too_soon") => Ok(()),
            // A hit was refused, which is looked at by itself.
            Fate::EntryRefused(_) if traced.number == Some(Kind::HitReports as u8) => Ok(()),
            Fate::Dropped(why) | Fate::Refused(why) | Fate::EntryRefused(why) => {
                Err(format!("{:?} was not taken: {why}", Told::of(traced)))
            }
        };
        // What comes of a damaged stream before it is closed is anything.
        stream.is_gone = may_be_cut && found.is_err();
        if may_be_cut { Ok(()) } else { found }
    }

    /// Everything that was sent a while ago was heard.
    pub(super) fn nothing_waits(&self, now: u64) -> Found<()> {
        for (place, stream) in self.0.iter().enumerate().filter(|(_, stream)| !stream.is_gone) {
            for (way, name) in [(&stream.down, "to"), (&stream.up, "from")] {
                let mut waits = way.packets.iter().chain(&way.messages);
                let late = waits.find(|(sent, _)| now > sent + HEARD_WITHIN);
                if let Some((_, told)) = late {
                    let what = format!("{told:?} {name} client {place} was never heard");
                    return Err((Invariant::Reliable, what));
                }
            }
        }
        Ok(())
    }
}
