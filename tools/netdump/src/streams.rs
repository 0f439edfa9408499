//! The messages of captured TCP streams, or whatever else they are cut into: segments in order, once each, and what of them the
//! capture lacks. Knows no file and no header.
//!
//! What it holds is bounded: [`STREAMS`] directions, the one longest unheard ended for a new one, and [`HELD_BYTES`] of
//! each ahead of a gap. Where bytes lack, or cannot be a message, it goes on with the next segment that
//! begins with a whole message: a sender writes whole messages, so that most segments do.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use mjolnir_wire::Error;
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::message::read_word;

use crate::reading;

/// Directions of streams that are followed at once.
pub const STREAMS: usize = 256;
/// Bytes that are held of a direction while earlier ones lack, before they are given up.
pub const HELD_BYTES: usize = 256 * 1024;

/// A direction of a stream: whose bytes, for whom.
pub type Direction = (SocketAddr, SocketAddr);

/// What is told of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// A whole message, from its header word on.
    Message(&'a [u8]),
    /// So many bytes are not in the capture.
    Gap(u64),
    /// Its bytes cannot be a message, for that reason: a receiver would have closed the stream.
    Damaged(&'static str),
    /// A message begins again, so many bytes after the gap, the damage or the capture's beginning.
    Resumed(u64),
    /// The capture ended, another stream began, or this one was given up for others, within a message of which so many
    /// bytes came.
    Unfinished(usize),
    /// It ended likewise without a message that begins after the gap, the damage or the capture's beginning: so many
    /// bytes.
    Passed(u64),
}

/// How a stream's bytes are cut into what it carries.
pub trait Splitter: Default {
    /// Takes what came.
    fn push(&mut self, bytes: &[u8]);
    /// What is whole next; or why nothing can be any more.
    fn split(&mut self) -> Result<Option<&[u8]>, Error>;
    /// Bytes of what is not whole yet.
    fn waiting(&self) -> usize;
    /// Whether a segment of those bytes begins with something that this splits off.
    fn begins(bytes: &[u8]) -> bool;
}

impl Splitter for StreamReader {
    fn push(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn split(&mut self) -> Result<Option<&[u8]>, Error> {
        self.next_message().map(|message| message.map(|(_, bytes)| bytes))
    }

    fn waiting(&self) -> usize {
        self.waiting()
    }

    /// With a message that is whole and can be read.
    fn begins(bytes: &[u8]) -> bool {
        let length = bytes.first_chunk().and_then(|word| read_word(*word).ok()).map(|(_, length)| length);
        length.and_then(|length| bytes.get(..length)).is_some_and(|message| reading::read(message).is_ok())
    }
}

/// The directions that are followed.
#[derive(Debug)]
pub struct Streams<S = StreamReader> {
    all: BTreeMap<Direction, Stream<S>>,
    segments: u64,
}

/// A direction's bytes count from here, so that what came before its first is no negative number.
const FIRST: u64 = 1 << 40;

#[derive(Debug)]
struct Stream<S> {
    /// The sequence number that began it, where the capture has that.
    began: Option<u32>,
    /// The next byte's place, and its sequence number.
    next: u64,
    sequence: u32,
    /// Segments that came before earlier ones, by their place.
    held: BTreeMap<u64, Vec<u8>>,
    held_bytes: usize,
    reader: S,
    /// It is known where messages begin.
    aligned: bool,
    /// Bytes passed over since that was last known.
    passed: u64,
    /// When it was last heard.
    heard: u64,
}

impl<S> Default for Streams<S> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), segments: 0 }
    }
}

impl Streams {
    /// None yet, of messages.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<S: Splitter> Streams<S> {
    /// Takes a segment, and tells what it completes, and what is left of a direction that gives way to it.
    pub fn take<E>(
        &mut self,
        direction: Direction,
        sequence: u32,
        begins: bool,
        bytes: &[u8],
        mut tell: impl FnMut(Direction, Told<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if bytes.is_empty() && !begins {
            return Ok(());
        }
        self.segments += 1;
        if !self.all.contains_key(&direction) && self.all.len() == STREAMS {
            let oldest = self.all.iter().min_by_key(|(_, stream)| stream.heard).map(|(name, _)| *name);
            if let Some((oldest, mut stream)) = oldest.and_then(|oldest| self.all.remove_entry(&oldest)) {
                stream.end(&mut |told: Told<'_>| tell(oldest, told))?;
            }
        }
        // What begins a stream takes a number of its own.
        let first = if begins { sequence.wrapping_add(1) } else { sequence };
        let stream = self.all.entry(direction).or_insert_with(|| Stream::new(None, first));
        stream.heard = self.segments;
        let mut tell = |told: Told<'_>| tell(direction, told);
        if begins && stream.began != Some(sequence) {
            stream.end(&mut tell)?;
            *stream = Stream::new(Some(sequence), first);
            stream.heard = self.segments;
        }
        stream.take(first, bytes, &mut tell)
    }

    /// Tells what is left at the capture's end.
    pub fn finish<E>(&mut self, mut tell: impl FnMut(Direction, Told<'_>) -> Result<(), E>) -> Result<(), E> {
        for (direction, mut stream) in std::mem::take(&mut self.all) {
            stream.end(&mut |told: Told<'_>| tell(direction, told))?;
        }
        Ok(())
    }
}

impl<S: Splitter> Stream<S> {
    fn new(began: Option<u32>, sequence: u32) -> Self {
        Self {
            began,
            next: FIRST,
            sequence,
            held: BTreeMap::new(),
            held_bytes: 0,
            reader: S::default(),
            aligned: began.is_some(),
            passed: 0,
            heard: 0,
        }
    }

    fn take<E>(
        &mut self,
        sequence: u32,
        bytes: &[u8],
        tell: &mut impl FnMut(Told<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let ahead = i64::from(sequence.wrapping_sub(self.sequence) as i32);
        let place = self.next.saturating_add_signed(ahead);
        if place <= self.next {
            self.read_on(place, bytes, tell)?;
        } else if self.held.get(&place).is_none_or(|held| held.len() < bytes.len()) {
            self.held_bytes += bytes.len();
            let before = self.held.insert(place, bytes.to_vec());
            self.held_bytes -= before.map_or(0, |before| before.len());
        }
        self.read_held(tell)?;
        while self.held_bytes > HELD_BYTES {
            self.pass_gap(tell)?;
        }
        Ok(())
    }

    /// Gives up the bytes that lack before the first held.
    fn pass_gap<E>(&mut self, tell: &mut impl FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        if let Some((place, _)) = self.held.first_key_value() {
            let gap = place - self.next;
            self.advance(gap);
            self.aligned = false;
            self.passed = 0;
            tell(Told::Gap(gap))?;
            self.read_held(tell)?;
        }
        Ok(())
    }

    /// Reads held segments as far as they follow.
    fn read_held<E>(&mut self, tell: &mut impl FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        while let Some(first) = self.held.first_entry() {
            if *first.key() > self.next {
                break;
            }
            let (place, bytes) = first.remove_entry();
            self.held_bytes -= bytes.len();
            self.read_on(place, &bytes, tell)?;
        }
        Ok(())
    }

    fn advance(&mut self, bytes: u64) {
        self.next += bytes;
        // It counts on modulo 2^32, as TCP does.
        self.sequence = self.sequence.wrapping_add(bytes as u32);
    }

    /// Reads a segment at or before the next byte: what of it was not read yet.
    fn read_on<E>(
        &mut self,
        place: u64,
        bytes: &[u8],
        tell: &mut impl FnMut(Told<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let known = usize::try_from(self.next - place).unwrap_or(usize::MAX);
        let Some(new) = bytes.get(known..).filter(|new| !new.is_empty()) else {
            return Ok(());
        };
        self.advance(new.len() as u64);
        if !self.aligned {
            if !S::begins(new) {
                self.passed += new.len() as u64;
                return Ok(());
            }
            if self.passed > 0 {
                tell(Told::Resumed(self.passed))?;
            }
            (self.aligned, self.passed) = (true, 0);
            self.reader = S::default();
        }
        self.reader.push(new);
        loop {
            match self.reader.split() {
                Ok(Some(message)) => tell(Told::Message(message))?,
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.aligned = false;
                    self.passed = self.reader.waiting() as u64;
                    return tell(Told::Damaged(error.reason()));
                }
            }
        }
    }

    fn end<E>(&mut self, tell: &mut impl FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        while !self.held.is_empty() {
            self.pass_gap(tell)?;
        }
        match self.reader.waiting() {
            left if self.aligned && left > 0 => tell(Told::Unfinished(left)),
            _ if !self.aligned && self.passed > 0 => tell(Told::Passed(self.passed)),
            _ => Ok(()),
        }
    }
}
