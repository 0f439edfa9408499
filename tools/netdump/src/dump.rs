//! A capture as lines: each message with its time, addresses and channel, and between them what the capture lacks.
//! Knows neither headers nor messages.

use std::io::{self, Write};
use std::net::SocketAddr;

use mjolnir_wire::limits::CLIENT_PORT;
use mjolnir_wire::shown::hex;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::capture::Frame;
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
        let (streams, others) = (Streams::new(), Others::default());
        Self { out, port, streams, others, time: None, wrong: false, unknown_links: 0 }
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
                if !self.others.is_asked_for(self.port, from, to) {
                    self.others.stream(from, to);
                    return Ok(());
                }
                let Self { out, streams, wrong, .. } = self;
                streams.take((from, to), sequence, begins, bytes, |(from, to), told| {
                    *wrong |= tell(out, &Way { time: frame.time, from, to, channel: "stream" }, told)?;
                    Ok(())
                })
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
        let Self { out, streams, wrong, time, .. } = self;
        streams.finish(|(from, to), told| {
            *wrong |= tell(out, &Way { time: *time, from, to, channel: "stream" }, told)?;
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

/// Writes what a stream tells; whether something of it could not be read.
fn tell(out: &mut impl Write, way: &Way<SocketAddr>, told: Told<'_>) -> io::Result<bool> {
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

/// Writes a message's line; whether it could not be read, or not whole.
fn message(out: &mut impl Write, way: &Way<SocketAddr>, bytes: &[u8]) -> io::Result<bool> {
    struct Line<'a>(
        &'a Way<SocketAddr>,
        &'a [u8],
        &'a Result<reading::Reading<'a>, Misread>,
        Option<Misread>,
    );
    impl Serialize for Line<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let Self(way, bytes, read, wrong) = self;
            let mut map = to.serialize_map(None)?;
            way.entries(&mut map)?;
            if let Ok(reading) = read {
                reading.entries(&mut map)?;
            }
            if let Some(Misread { error, offset }) = wrong {
                map.serialize_entry("error", error)?;
                map.serialize_entry("offset", offset)?;
                map.serialize_entry("hex", &hex(bytes))?;
            }
            map.end()
        }
    }
    let read = reading::read(bytes);
    let wrong = read.as_ref().map_or_else(|wrong| Some(*wrong), reading::Reading::first_wrong);
    line(out, &Line(way, bytes, &read, wrong))?;
    Ok(wrong.is_some())
}
