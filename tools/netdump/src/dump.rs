//! A capture as lines: each message with its time, addresses and channel, and between them what the capture lacks.
//! Knows neither headers nor messages.

use std::io::{self, Write};
use std::net::SocketAddr;

use mjolnir_wire::limits::{CLIENT_PORT, MAP_SHARE_PORT};
use mjolnir_wire::shown::hex;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::capture::Frame;
use crate::frames::{FrameReader, FrameReading};
use crate::others::Others;
use crate::packet::{self, Carried};
use crate::reading::{self, Misread};
use crate::streams::{Streams, Told};

/// Writes the lines of one capture.
#[derive(Debug)]
pub struct Dump<W> {
    out: W,
    port: u16,
    streams: Streams,
    maps: Streams<FrameReader>,
    others: Others,
    time: Option<f64>,
    wrong: bool,
    unknown_links: u64,
}

/// Where a line's message came by.
#[derive(Clone, Copy, Debug)]
struct Way<F> {
    time: Option<f64>,
    from: F,
    to: F,
    channel: &'static str,
}

impl<F: Serialize> Way<F> {
    fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        to.serialize_entry("time", &self.time)?;
        to.serialize_entry("from", &self.from)?;
        to.serialize_entry("to", &self.to)?;
        to.serialize_entry("channel", self.channel)
    }
}

impl<W: Write> Dump<W> {
    /// Of a host at that port.
    pub fn new(out: W, port: u16) -> Self {
        let (streams, maps, others) = (Streams::new(), Streams::default(), Others::default());
        Self { out, port, streams, maps, others, time: None, wrong: false, unknown_links: 0 }
    }

    /// Whether anything that was shown could not be read.
    pub const fn is_wrong(&self) -> bool {
        self.wrong
    }

    /// Frames of links that are not read here.
    pub const fn unknown_links(&self) -> u64 {
        self.unknown_links
    }

    /// What was left out, where nothing was of the port that is shown: most likely it is another's.
    pub fn left_out(&self) -> Option<String> {
        self.others.left_out()
    }

    /// Takes the capture's next frame.
    pub fn take(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.time = frame.time;
        match packet::open(frame.link, frame.bytes) {
            Carried::Datagram { from, to, bytes } => {
                // Where games are advertised, and a searcher waits for them, no host's port need be.
                if self.others.is_asked_for(self.port, from, to)
                    || [from.port(), to.port()].contains(&CLIENT_PORT)
                {
                    let way = Way { time: frame.time, from, to, channel: "datagram" };
                    self.wrong |= message(&mut self.out, &way, bytes)?;
                }
                Ok(())
            }
            Carried::Segment { from, to, sequence, begins, bytes } => {
                let is_asked_for = self.others.is_asked_for(self.port, from, to);
                let Self { out, streams, maps, wrong, .. } = self;
                if is_asked_for {
                    return streams.take((from, to), sequence, begins, bytes, |(from, to), told| {
                        let way = Way { time: frame.time, from, to, channel: "stream" };
                        *wrong |= tell(out, &way, told, message)?;
                        Ok(())
                    });
                }
                // Maps are fetched at one port, whatever the host's.
                if [from.port(), to.port()].contains(&MAP_SHARE_PORT) {
                    return maps.take((from, to), sequence, begins, bytes, |(from, to), told| {
                        let way = Way { time: frame.time, from, to, channel: "swarm" };
                        *wrong |= tell(out, &way, told, map_frame)?;
                        Ok(())
                    });
                }
                self.others.stream(from, to);
                Ok(())
            }
            Carried::Fragment { from, to } => {
                let way = Way { time: frame.time, from, to, channel: "fragment" };
                // Whose it is nobody knows: it need not be the game's.
                line(&mut self.out, &Event { way: &way, event: "fragment", bytes: None, error: None })
            }
            Carried::Other => Ok(()),
            Carried::UnknownLink => {
                self.unknown_links += 1;
                Ok(())
            }
        }
    }

    /// Writes what is left at the capture's end.
    pub fn finish(&mut self) -> io::Result<()> {
        let Self { out, streams, maps, wrong, time, .. } = self;
        streams.finish(|(from, to), told| {
            *wrong |= tell(out, &Way { time: *time, from, to, channel: "stream" }, told, message)?;
            io::Result::Ok(())
        })?;
        maps.finish(|(from, to), told| {
            *wrong |= tell(out, &Way { time: *time, from, to, channel: "swarm" }, told, map_frame)?;
            io::Result::Ok(())
        })?;
        out.flush()
    }
}

fn line(out: &mut impl Write, shown: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, shown)?;
    out.write_all(b"\n")
}

/// Something other than a message.
struct Event<'a, F> {
    way: &'a Way<F>,
    event: &'static str,
    bytes: Option<u64>,
    error: Option<&'static str>,
}

impl<F: Serialize> Serialize for Event<'_, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.way.entries(&mut map)?;
        map.serialize_entry("event", self.event)?;
        if let Some(bytes) = self.bytes {
            map.serialize_entry("bytes", &bytes)?;
        }
        if let Some(error) = self.error {
            map.serialize_entry("error", error)?;
        }
        map.end()
    }
}

/// Writes what a stream tells, its messages by `message`; whether something of it could not be read.
fn tell<W: Write>(
    out: &mut W,
    way: &Way<SocketAddr>,
    told: Told<'_>,
    message: fn(&mut W, &Way<SocketAddr>, &[u8]) -> io::Result<bool>,
) -> io::Result<bool> {
    let (event, bytes, error) = match told {
        Told::Message(bytes) => return message(out, way, bytes),
        Told::Gap(bytes) => ("gap", Some(bytes), None),
        Told::Damaged(error) => ("damaged", None, Some(error)),
        Told::Resumed(bytes) => ("resumed", Some(bytes), None),
        Told::Unfinished(bytes) => ("unfinished", Some(bytes as u64), None),
        Told::Passed(bytes) => ("passed", Some(bytes), None),
    };
    line(out, &Event { way, event, bytes, error })?;
    Ok(true)
}

/// What a line shows beside its way.
trait Entries {
    fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error>;
}

impl Entries for reading::Reading<'_> {
    fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        self.entries(to)
    }
}

impl Entries for FrameReading<'_> {
    fn entries<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        self.entries(to)
    }
}

/// What was read of those bytes, if anything, and what is wrong with them.
struct Line<'a, R> {
    way: &'a Way<SocketAddr>,
    bytes: &'a [u8],
    read: Option<R>,
    wrong: Option<Misread>,
}

impl<R: Entries> Serialize for Line<'_, R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.way.entries(&mut map)?;
        if let Some(read) = &self.read {
            read.entries(&mut map)?;
        }
        if let Some(Misread { error, offset }) = self.wrong {
            map.serialize_entry("error", error)?;
            map.serialize_entry("offset", &offset)?;
            map.serialize_entry("hex", &hex(self.bytes))?;
        }
        map.end()
    }
}

/// Writes a message's line; whether it could not be read, or not whole.
fn message<W: Write>(out: &mut W, way: &Way<SocketAddr>, bytes: &[u8]) -> io::Result<bool> {
    let read = reading::read(bytes);
    let wrong = read.as_ref().map_or_else(|wrong| Some(*wrong), reading::Reading::first_wrong);
    line(out, &Line { way, bytes, read: read.ok(), wrong })?;
    Ok(wrong.is_some())
}

/// Writes the line of a frame that carries a map; whether it could not be read.
fn map_frame<W: Write>(out: &mut W, way: &Way<SocketAddr>, bytes: &[u8]) -> io::Result<bool> {
    let (read, wrong) = FrameReading::read(bytes);
    line(out, &Line { way, bytes, read, wrong })?;
    Ok(wrong.is_some())
}
