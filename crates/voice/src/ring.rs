//! A speaker's frames that wait for their turn, by number: half a second of them (VOICE-26). Knows no time.

use alloc::boxed::Box;

use mjolnir_wire::voice::{PACKET_BYTES, Packet};

/// Frames that wait at most: half a second (VOICE-26).
pub const RING_FRAMES: usize = 25;

#[derive(Clone, Copy, Debug)]
struct Place {
    is_full: bool,
    length: u8,
    bytes: [u8; PACKET_BYTES],
}

const EMPTY: Place = Place { is_full: false, length: 0, bytes: [0; PACKET_BYTES] };

/// See the file's text. Its first place is the next frame's to be played, whose number its owner knows.
#[derive(Debug)]
pub(crate) struct Ring {
    places: Box<[Place; RING_FRAMES]>,
    first: usize,
    /// Places from the first to the last full one.
    span: usize,
    /// Full places.
    count: usize,
}

impl Ring {
    pub(crate) fn new() -> Self {
        Self { places: Box::new([EMPTY; RING_FRAMES]), first: 0, span: 0, count: 0 }
    }

    /// Places from the first to the last full one: frames that wait, and those missing among them.
    pub(crate) const fn span(&self) -> usize {
        self.span
    }

    /// Frames that wait.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn clear(&mut self) {
        self.places.iter_mut().for_each(|place| place.is_full = false);
        (self.span, self.count) = (0, 0);
    }

    /// The frame so many places on, if it waits.
    pub(crate) fn get(&self, on: usize) -> Option<&[u8]> {
        let place = (on < self.span).then(|| &self.places[(self.first + on) % RING_FRAMES])?;
        place.is_full.then(|| &place.bytes[..usize::from(place.length)])
    }

    /// How far the first frame that waits is.
    pub(crate) fn gap(&self) -> usize {
        (0..self.span).find(|on| self.get(*on).is_some()).unwrap_or(self.span)
    }

    /// Puts a frame so many places on, less than [`RING_FRAMES`]; false if one waits there already.
    pub(crate) fn put(&mut self, on: usize, packet: Packet<'_>) -> bool {
        let place = &mut self.places[(self.first + on) % RING_FRAMES];
        if place.is_full {
            return false;
        }
        let bytes = packet.bytes();
        place.is_full = true;
        place.length = bytes.len() as u8;
        place.bytes[..bytes.len()].copy_from_slice(bytes);
        self.span = self.span.max(on + 1);
        self.count += 1;
        true
    }

    /// Moves on by so many places, whatever waited there; how many frames did.
    pub(crate) fn pass(&mut self, places: usize) -> usize {
        let before = self.count;
        for _ in 0..places.min(self.span) {
            let place = &mut self.places[self.first];
            self.count -= usize::from(place.is_full);
            place.is_full = false;
            self.first = (self.first + 1) % RING_FRAMES;
            self.span -= 1;
        }
        before - self.count
    }

    /// Makes room for so many frames before the first.
    pub(crate) fn back(&mut self, places: usize) {
        self.first = (self.first + RING_FRAMES - places) % RING_FRAMES;
        self.span += places;
    }
}
