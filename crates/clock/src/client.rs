//! A client's clock. Knows no message: it is told the times that came, and by which channel.

use mjolnir_wire::{Moment, Tick};

use crate::Meter;
use crate::count_after;
use crate::trip::RoundTrip;

/// A datagram's stamp further than this from the newest time heard moves no clock until another agrees (CLOCK-22,
/// NET-74, ours).
pub const STAMP_STEP: i32 = 30;

/// Silence from the other side, in microseconds, that is a connection problem (CLOCK-15, 16).
pub const SILENCE_MICROS: u64 = 2 * Moment::SECOND;

/// Where a client's own time stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    /// The host has said nothing of its time.
    Unknown,
    /// It joins a game in progress: the 16 bits it was told, and the ticks since.
    Loading(Tick),
    /// It plays: the last tick it simulated, or the host's time that it began with.
    Playing(Tick),
}

/// A client's clock: its own tick, and the host's as last heard.
///
/// The own tick never goes back and never waits. Where the host is heard to be ahead it is the host's: the ticks
/// between are never simulated, so a jump costs nothing and is made once, however much was heard at a time. The
/// next tick to simulate is the one after it: what the host says of a tick is where that tick left things, so a
/// copy put there goes on from there, and stands at each tick where the host has it at the same one.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    own: Own,
    /// The largest host time heard; what its inputs and hit reports name (CLOCK-21).
    heard: Tick,
    /// A datagram's stamp too far ahead to be believed alone.
    alone: Option<Tick>,
    next_update: i32,
    heard_at: Moment,
    meter: Meter,
    trip: RoundTrip,
}

impl Client {
    /// Without game time, waiting for the host's first update. Silence is counted from `now`.
    pub const fn new(now: Moment) -> Self {
        Self {
            own: Own::Unknown,
            heard: Tick::ZERO,
            alone: None,
            next_update: 0,
            heard_at: now,
            meter: Meter::new(),
            trip: RoundTrip::new(),
        }
    }

    /// Joins a game in progress, whose start message told the low 16 bits of its time: the clock counts on from
    /// them while the game loads (CLOCK-04). At a game's own start there is no time before the first update, and
    /// this is not called. Nothing once the game is played.
    pub const fn begin(&mut self, low16: u16) {
        if let Own::Unknown = self.own
            && let Some(tick) = Tick::new(low16 as i32)
        {
            self.own = Own::Loading(tick);
        }
    }

    /// Takes a game update, of that count and the host's time. The first begins the game: with the host's time at
    /// a game's start, with the later of that and its own at a late join. The count is taken up where it is, and
    /// an update is of any cadence (CLOCK-03, 04, 07, 17, 20).
    pub fn handle_update(&mut self, now: Moment, update: i32, time: Tick) {
        self.next_update = count_after(update);
        self.hear_stream(now, time);
        match self.own {
            Own::Unknown => self.own = Own::Playing(time),
            Own::Loading(own) => self.own = Own::Playing(own.max(time)),
            Own::Playing(_) => {}
        }
    }

    /// Takes the stamp of a distributed message that came by the stream, whatever the step (CLOCK-22).
    pub fn hear_stream(&mut self, now: Moment, tick: Tick) {
        self.heard_at = now;
        self.heard = self.heard.max(tick);
    }

    /// Takes the stamp of a datagram: at most [`STAMP_STEP`] ahead of the newest heard, or one that another
    /// stamp, not the same, agrees with to as much (CLOCK-22). None counts before the game is played (NET-11). Whether it
    /// counts.
    pub fn hear_datagram(&mut self, now: Moment, tick: Tick) -> bool {
        self.heard_at = now;
        if !self.is_playing() {
            return false;
        }
        let agreed = self.alone.is_some_and(|other| other != tick && tick.since(other).abs() <= STAMP_STEP);
        let is_believed = tick.since(self.heard) <= STAMP_STEP || agreed;
        if is_believed {
            self.heard = self.heard.max(tick);
            self.alone = None;
        } else {
            self.alone = Some(tick);
        }
        is_believed
    }

    /// Notes that the host said something else: anything at all, a keep-alive or a byte of its stream. What was
    /// heard since is not forgotten for it.
    pub fn hear(&mut self, at: Moment) {
        self.heard_at = self.heard_at.max(at);
    }

    /// The own tick: the last simulated, or the host's where that is later (CLOCK-05). None before the host has said
    /// anything of its time.
    pub fn tick(&self) -> Option<Tick> {
        match self.own {
            Own::Unknown => None,
            Own::Loading(own) => Some(own),
            Own::Playing(own) => Some(own.max(self.heard)),
        }
    }

    /// Whether the first update has come.
    pub const fn is_playing(&self) -> bool {
        matches!(self.own, Own::Playing(_))
    }

    /// The host's newest time heard, to be named in inputs and hit reports.
    pub const fn heard(&self) -> Tick {
        self.heard
    }

    /// The count of the update expected next, for the client's own update (CLOCK-17).
    pub const fn next_update(&self) -> i32 {
        self.next_update
    }

    /// A tick is due: the tick to simulate, which is the one after the own tick. None while there is nothing to
    /// simulate; a client that loads counts the tick all the same.
    pub fn advance(&mut self) -> Option<Tick> {
        match &mut self.own {
            Own::Unknown => None,
            Own::Loading(own) => {
                *own = own.next();
                None
            }
            Own::Playing(own) => {
                *own = (*own).max(self.heard).next();
                Some(*own)
            }
        }
    }

    /// A tick is due, and more are at once, as after a stall: the tick to simulate is the next of its own, wherever the host
    /// is. The last of them is for [`Client::advance`], which jumps: one that jumped first and ran the others after it
    /// would be ahead of the host by as many for good (CLOCK-01, 05).
    pub fn catch_up(&mut self) -> Option<Tick> {
        match &mut self.own {
            Own::Playing(own) => {
                *own = own.next();
                Some(*own)
            }
            Own::Unknown | Own::Loading(_) => self.advance(),
        }
    }

    /// Whether the host has been silent for [`SILENCE_MICROS`]: "Connection problem" (CLOCK-15).
    pub const fn has_problem(&self, now: Moment) -> bool {
        now.since(self.heard_at) >= SILENCE_MICROS
    }

    /// Notes that the messages of that own tick leave now.
    pub fn sent(&mut self, now: Moment, tick: Tick) {
        self.meter.sent(tick, now);
    }

    /// The host's state of an own player, or of the vehicle that it drives, names that own tick: one sample of the
    /// latency meter, in microseconds (CLOCK-12, 13).
    pub fn handle_named(&mut self, now: Moment, tick: Tick) -> Option<u64> {
        let sample = self.meter.sample(now, tick)?;
        self.trip.sample(sample as f32);
        Some(sample)
    }

    /// The latency meter's reading in milliseconds; none before the first sample.
    pub fn meter_ms(&self) -> Option<u32> {
        self.trip.smoothed().map(|micros| (micros / 1000.0 + 0.5) as u32)
    }
}
