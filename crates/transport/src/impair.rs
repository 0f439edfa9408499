//! A bad network, made from a good one: latency, jitter, loss, duplication, reordering and corruption, drawn from
//! a seed and applied where bytes are received. Knows no socket, no clock and no message.
//!
//! [`Impair`] is the model alone, events in and out; [`Impaired`] stands around any [`Network`]. The same code
//! is behind the `debug.network_*` settings and between the machines of a test.

mod damage;
mod held;

use alloc::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::time::TICK_MICROS;

use self::held::{Held, What};
use crate::network::{NetEvent, Network, StreamId, Transmits};
use crate::random::Random;

/// Packets that are held at most (TOOL-72).
pub const HELD_PACKETS: usize = 4096;
/// Bytes of a held packet, at most (TOOL-72): a longer datagram is dropped, a longer read counts as several.
pub const PACKET_BYTES: usize = 1500;
/// A reordered datagram is held back longer by more than one and at most this many ticks, so that those of the
/// next ticks overtake it. The document names no figure.
pub const REORDER_TICKS: u64 = 3;

/// What goes wrong. Shares are 0..=1; a share that is no number never happens. The default is a good network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// Microseconds that everything received is held back (TOOL-21); a stream's end is not.
    pub latency_us: u64,
    /// Up to so many microseconds more, drawn evenly for each datagram; streams stay in order without it.
    pub jitter_us: u64,
    /// Share of datagrams dropped (TOOL-22).
    pub loss: f32,
    /// Share of datagrams that come twice.
    pub duplicate: f32,
    /// Share of datagrams held back further, up to [`REORDER_TICKS`].
    pub reorder: f32,
    /// Share of datagrams damaged and handed on (TOOL-23).
    pub corrupt: f32,
    /// Share of stream reads damaged and handed on; the stream is then closed (TOOL-24), since a changed byte in
    /// a good frame cannot be seen.
    pub corrupt_stream: f32,
    /// Nothing is damaged before this moment, in microseconds since the process began (TOOL-25).
    pub corrupt_after_us: u64,
}

/// What the model did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Datagrams that came in.
    pub datagrams: u64,
    /// Datagrams lost, to loss or to a blackout.
    pub lost: u64,
    /// Datagrams that were given a second copy.
    pub duplicated: u64,
    /// Datagrams held back further.
    pub reordered: u64,
    /// Datagrams with some bytes changed.
    pub changed: u64,
    /// Datagrams cut short.
    pub cut_short: u64,
    /// Datagrams stretched to [`PACKET_BYTES`].
    pub stretched: u64,
    /// Datagrams replaced throughout.
    pub replaced: u64,
    /// Streams damaged and closed.
    pub streams_cut: u64,
    /// Datagrams dropped because [`HELD_PACKETS`] were held, or because they were longer than one.
    pub overflowed: u64,
    /// Stream reads handed on early because [`HELD_PACKETS`] were held: a stream must not have a gap.
    pub hurried: u64,
}

impl Counts {
    /// Datagrams damaged, in whichever way.
    pub const fn damaged(&self) -> u64 {
        self.changed + self.cut_short + self.stretched + self.replaced
    }
}

/// The model of one endpoint's bad reception.
#[derive(Debug)]
pub struct Impair {
    faults: Faults,
    random: Random,
    held: Held,
    /// What this machine's own writing came to, which no network delays, nor a stall or a blackout.
    written: Vec<(StreamId, usize)>,
    counts: Counts,
    /// The latest moments at which something that stays in order is due.
    stream_due: Moment,
    datagram_due: Moment,
    stalled: bool,
    blackout: bool,
    /// Streams that were damaged and are not closed for real yet.
    cut: Vec<StreamId>,
    /// Those of them whose end was handed on.
    to_close: Vec<StreamId>,
    scratch: Vec<u8>,
}

impl Impair {
    /// The same seed and the same events give the same faults.
    pub fn new(seed: u64, faults: Faults) -> Self {
        Self {
            faults,
            random: Random::new(seed),
            held: Held::default(),
            written: Vec::new(),
            counts: Counts::default(),
            stream_due: Moment::START,
            datagram_due: Moment::START,
            stalled: false,
            blackout: false,
            cut: Vec::new(),
            to_close: Vec::new(),
            scratch: Vec::with_capacity(PACKET_BYTES),
        }
    }

    /// The faults as they are.
    pub const fn faults(&self) -> Faults {
        self.faults
    }

    /// Other faults from now on; what is held keeps the moment that it was given.
    pub const fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// While on, nothing is handed on and nothing lost: all of it comes at once when the stall ends, as on a
    /// radio link that holds its packets back.
    pub const fn stall(&mut self, on: bool) {
        self.stalled = on;
    }

    /// While on, nothing comes through: datagrams are lost, also those on their way, and streams wait, their
    /// ends too.
    pub const fn blackout(&mut self, on: bool) {
        self.blackout = on;
    }

    /// What it did.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Takes what came.
    pub fn push(&mut self, now: Moment, event: NetEvent<'_>) {
        match event {
            NetEvent::Datagram { from, bytes } => {
                self.counts.datagrams += 1;
                if self.blackout || self.random.happens(self.faults.loss) {
                    self.counts.lost += 1;
                    return;
                }
                self.hold_datagram(now, What::Datagram(from), bytes);
                if self.random.happens(self.faults.duplicate) {
                    self.counts.duplicated += 1;
                    self.hold_datagram(now, What::Datagram(from), bytes);
                }
            }
            NetEvent::Opened { stream, address } => {
                let due = self.next_stream_due(now);
                self.held.push(due, What::Opened(stream, address), &[]);
            }
            NetEvent::Bytes { stream, bytes } => self.hold_read(now, stream, bytes),
            NetEvent::Written { stream, bytes } => self.written.push((stream, bytes)),
            NetEvent::Closed { stream } => {
                // Its end is not delayed (TOOL-21); what stands before it goes before it, so that no byte is lost.
                self.held.hurry(now, stream);
                if !self.cut.contains(&stream) {
                    self.held.push(now, What::Closed(stream), &[]);
                }
            }
        }
    }

    /// Hands on what is due, in the order in which it is.
    pub fn pop(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        for (stream, bytes) in self.written.drain(..) {
            into(NetEvent::Written { stream, bytes });
        }
        if self.stalled {
            return;
        }
        while let Some((what, bytes)) = self.held.pop(now, self.blackout) {
            match what {
                What::Datagram(_) if self.blackout => self.counts.lost += 1,
                What::Datagram(from) => into(NetEvent::Datagram { from, bytes: &bytes }),
                What::Opened(stream, address) => into(NetEvent::Opened { stream, address }),
                What::Bytes(stream) => into(NetEvent::Bytes { stream, bytes: &bytes }),
                What::Closed(stream) => into(NetEvent::Closed { stream }),
                What::Cut(stream) => {
                    self.to_close.push(stream);
                    into(NetEvent::Closed { stream });
                }
            }
            self.held.recycle(bytes);
        }
    }

    /// A stream that the model ended, to be closed for real: the network below must tell nothing more of it.
    pub fn next_close(&mut self) -> Option<StreamId> {
        let stream = self.to_close.pop()?;
        self.cut.retain(|cut| *cut != stream);
        Some(stream)
    }

    /// When [`Impair::pop`] has something to hand on next; none while nothing is held or a stall is on.
    pub fn next_due(&self) -> Option<Moment> {
        if !self.written.is_empty() {
            return Some(Moment::START);
        }
        if self.stalled { None } else { self.held.next_due(self.blackout) }
    }

    /// Packets held now, as [`HELD_PACKETS`] counts them.
    pub const fn held(&self) -> usize {
        self.held.packets()
    }

    /// Whether it changes nothing, so that events need not pass through it.
    fn is_idle(&self) -> bool {
        let no_corruption = Faults { corrupt_after_us: 0, ..self.faults } == Faults::default();
        no_corruption
            && !self.stalled
            && !self.blackout
            && self.held.is_empty()
            && self.written.is_empty()
            && self.cut.is_empty()
    }

    fn hold_datagram(&mut self, now: Moment, what: What, bytes: &[u8]) {
        if self.held.packets() >= HELD_PACKETS || bytes.len() > PACKET_BYTES {
            self.counts.overflowed += 1;
            return;
        }
        let mut due = now.plus(self.faults.latency_us);
        if self.random.happens(self.faults.reorder) {
            self.counts.reordered += 1;
            due = due.plus(TICK_MICROS + 1 + self.random.below((REORDER_TICKS - 1) * TICK_MICROS));
        } else if self.faults.jitter_us > 0 {
            due = due.plus(self.random.below(self.faults.jitter_us.saturating_add(1)));
        } else {
            due = due.max(self.datagram_due);
            self.datagram_due = due;
        }
        if self.corrupts(now, self.faults.corrupt) {
            self.damage(bytes);
            self.held.push(due, what, &self.scratch);
        } else {
            self.held.push(due, what, bytes);
        }
    }

    fn hold_read(&mut self, now: Moment, stream: StreamId, bytes: &[u8]) {
        if self.cut.contains(&stream) {
            return;
        }
        let mut due = self.next_stream_due(now);
        if self.held.packets() >= HELD_PACKETS {
            self.counts.hurried += 1;
            self.held.hurry(now, stream);
            due = now;
        }
        if self.corrupts(now, self.faults.corrupt_stream) {
            self.counts.streams_cut += 1;
            damage::damage(&mut self.random, bytes, &mut self.scratch);
            self.held.push(due, What::Bytes(stream), &self.scratch);
            self.held.push(due, What::Cut(stream), &[]);
            self.cut.push(stream);
        } else {
            self.held.push(due, What::Bytes(stream), bytes);
        }
    }

    fn next_stream_due(&mut self, now: Moment) -> Moment {
        self.stream_due = self.stream_due.max(now.plus(self.faults.latency_us));
        self.stream_due
    }

    fn corrupts(&mut self, now: Moment, share: f32) -> bool {
        now.as_micros() >= self.faults.corrupt_after_us && self.random.happens(share)
    }

    fn damage(&mut self, bytes: &[u8]) {
        let count = match damage::damage(&mut self.random, bytes, &mut self.scratch) {
            damage::Mode::Changed => &mut self.counts.changed,
            damage::Mode::CutShort => &mut self.counts.cut_short,
            damage::Mode::Stretched => &mut self.counts.stretched,
            damage::Mode::Replaced => &mut self.counts.replaced,
        };
        *count += 1;
    }
}

/// A network whose reception is bad.
#[derive(Debug)]
pub struct Impaired<N> {
    network: N,
    impair: Impair,
    transmits: Transmits,
}

impl<N: Network> Impaired<N> {
    /// Around a network; see [`Impair::new`].
    pub fn new(network: N, seed: u64, faults: Faults) -> Self {
        Self { network, impair: Impair::new(seed, faults), transmits: Transmits::new() }
    }

    /// What goes wrong, as it is now.
    pub const fn faults(&self) -> Faults {
        self.impair.faults()
    }

    /// The model, to change its faults and read what it did.
    pub const fn impair(&mut self) -> &mut Impair {
        &mut self.impair
    }

    /// The network below.
    pub const fn network(&self) -> &N {
        &self.network
    }

    /// The network below.
    pub const fn network_mut(&mut self) -> &mut N {
        &mut self.network
    }
}

impl<N: Network> Network for Impaired<N> {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        if self.impair.is_idle() {
            self.network.receive(now, into);
            return;
        }
        self.network.receive(now, &mut |event| self.impair.push(now, event));
        self.impair.pop(now, into);
        while let Some(stream) = self.impair.next_close() {
            self.transmits.close(stream);
        }
        if !self.transmits.is_empty() {
            self.network.send(now, &self.transmits);
            self.transmits.clear();
        }
    }

    fn send(&mut self, now: Moment, out: &Transmits) {
        self.network.send(now, out);
    }
}
