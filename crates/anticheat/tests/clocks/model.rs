//! A host, a client and the way between them, as far as clocks go: the host's ticks that are dropped after a stall (CLOCK-01), the
//! client's own, which never waits and jumps forward to the host's (CLOCK-05), messages late, lost and held. Knows nothing of
//! how a clock is measured.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mjolnir_anticheat::{Finding, Speed, Way};
use mjolnir_wire::{Moment, Tick};

/// Chance of a seed (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// 0 to 1, 1 left out.
    pub(crate) fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.part() * (high - low)
    }

    pub(crate) fn of<T: Copy>(&mut self, these: &[T]) -> T {
        these[(self.part() * these.len() as f64) as usize]
    }
}

/// From one second to another.
pub(crate) type Span = (f64, f64);

/// What datagrams say that the client did not.
#[derive(Clone, Copy)]
pub(crate) struct Forged {
    pub span: Span,
    /// One each so many of the host's ticks.
    pub every: u32,
    /// Ticks ahead of the host's at the span's begin, and more of them each second.
    pub lead: f64,
    pub gain: f64,
}

/// One game of one client. Times in seconds.
#[derive(Clone)]
pub(crate) struct Trial {
    pub seed: u64,
    pub length: f64,
    /// How fast the client's clock goes in which seconds, 1 elsewhere; and how much faster it always goes.
    pub speeds: Vec<(Span, f64)>,
    pub drift: f64,
    /// The way, each way: at least so long, at most so much longer; how many datagrams of one are lost.
    pub delay: f64,
    pub jitter: f64,
    pub loss: f64,
    /// Longer by so much in these.
    pub slow: Vec<(Span, f64)>,
    /// Whatever would arrive in these arrives at their end.
    pub holds: Vec<Span>,
    /// The client, and the host, stand still in these.
    pub freezes: Vec<Span>,
    pub stalls: Vec<Span>,
    /// The client says something by its stream each so many ticks, and whether it is true there.
    pub stream_every: u32,
    pub is_stream_honest: bool,
    pub forged: Vec<Forged>,
    /// How late the host's steps are at most.
    pub lateness: f64,
    /// Whether the host reads before it simulates.
    pub reads_first: bool,
}

/// What became of it.
#[derive(Default)]
pub(crate) struct Report {
    /// Each window's end, in seconds, with what was found and read.
    pub windows: Vec<(f64, Finding, i32)>,
    /// How often it would have read as fast by the newest stamp of each window alone.
    pub naive: usize,
}

impl Report {
    pub(crate) fn found(&self) -> impl Iterator<Item = (f64, Finding)> {
        self.windows
            .iter()
            .map(|&(at, finding, _)| (at, finding))
            .filter(|(_, found)| *found != Finding::Honest)
    }

    /// Of the windows that end in it: too fast, and all.
    pub(crate) fn fast(&self, span: Span) -> (usize, usize) {
        let inside = || self.windows.iter().filter(|(at, ..)| (span.0..=span.1).contains(at));
        (inside().filter(|(_, found, _)| *found != Finding::Honest).count(), inside().count())
    }

    pub(crate) fn first(&self) -> Option<f64> {
        self.found().next().map(|(at, _)| at)
    }

    pub(crate) fn cheater(&self) -> Vec<f64> {
        self.found().filter(|(_, found)| matches!(found, Finding::Cheater(_))).map(|(at, _)| at).collect()
    }

    pub(crate) fn unverified(&self) -> Vec<f64> {
        self.found().filter(|(_, found)| matches!(found, Finding::Unverified(_))).map(|(at, _)| at).collect()
    }
}

const TICK: f64 = 1.0 / 30.0;
const CATCH_UP: u32 = 15;

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

fn tick(number: i64) -> Tick {
    Tick::new(number as i32).unwrap()
}

/// The first moment not inside any of the spans.
fn after(spans: &[Span], at: f64) -> f64 {
    spans.iter().filter(|span| (span.0..span.1).contains(&at)).fold(at, |at, span| at.max(span.1))
}

/// Ticks that are due as a machine wakes: how many it runs, and whether it drops the rest.
fn due(ticks: f64) -> (u32, bool) {
    let due = ticks as u32;
    (due.min(CATCH_UP), due > CATCH_UP)
}

impl Trial {
    /// A minute of nothing out of order: 20 ms each way, 50 ms of jitter.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            length: 60.0,
            speeds: Vec::new(),
            drift: 0.0,
            delay: 0.02,
            jitter: 0.05,
            loss: 0.02,
            slow: Vec::new(),
            holds: Vec::new(),
            freezes: Vec::new(),
            stalls: Vec::new(),
            stream_every: 15,
            is_stream_honest: false,
            forged: Vec::new(),
            lateness: 0.002,
            reads_first: true,
        }
    }

    pub(crate) fn fast(self, from: f64, rate: f64) -> Self {
        Self { speeds: vec![((from, f64::MAX), rate)], ..self }
    }

    fn rate(&self, at: f64) -> f64 {
        let of = |(span, rate): &(Span, f64)| (span.0..span.1).contains(&at).then_some(*rate);
        self.speeds.iter().find_map(of).unwrap_or(1.0) * (1.0 + self.drift)
    }

    /// When something sent then arrives; none when it is lost.
    fn arrives(&self, chance: &mut Chance, at: f64) -> Option<f64> {
        let slower: f64 = self
            .slow
            .iter()
            .filter(|(span, _)| (span.0..span.1).contains(&at))
            .map(|(_, slower)| slower)
            .sum();
        let is_lost = chance.part() < self.loss;
        let delay = self.delay + slower + chance.between(0.0, self.jitter);
        (!is_lost).then(|| after(&self.holds, at + delay))
    }

    pub(crate) fn run(&self) -> Report {
        let mut chance = Chance::new(self.seed);
        let mut report = Report::default();
        // Host: its tick, when it runs the next, what is on its way to it.
        let (mut host, mut host_due) = (1000_i64, 0.0_f64);
        let mut up: BinaryHeap<Reverse<(u64, i64, bool)>> = BinaryHeap::new();
        // Client: its tick, what it heard, when it ran the last, what is on its way to it.
        let (mut own, mut honest, mut heard) = (None::<i64>, 0_i64, 0_i64);
        let mut last = chance.between(0.0, TICK);
        let mut down: BinaryHeap<Reverse<(u64, i64)>> = BinaryHeap::new();
        let (mut stream_at, mut ticks) = (0.0_f64, 0_u32);
        let mut speed = Speed::new(Moment::START, tick(host));
        let (mut newest, mut newest_before, mut steps) = (0_i64, (0.0, 0_i64), 0_u32);
        loop {
            let host_at = after(&self.stalls, host_due + chance.between(0.0, self.lateness));
            loop {
                let next = last + TICK / self.rate(last);
                let at = after(&self.freezes, next);
                if at > host_at {
                    break;
                }
                while let Some(&Reverse((_, stamp))) =
                    down.peek().filter(|Reverse((due, _))| *due <= micros(at))
                {
                    heard = heard.max(stamp);
                    down.pop();
                }
                let (count, is_over) = due((at - last) / TICK * self.rate(last) + 1e-6);
                last = if is_over { at } else { last + f64::from(count) * TICK / self.rate(last) };
                for left in (0..count).rev() {
                    // All but the last go on from where it is.
                    let jump = if left == 0 { heard } else { 0 };
                    own = match own {
                        None => (heard > 0).then_some(heard),
                        Some(own) => Some(own.max(jump) + 1),
                    };
                    let Some(own) = own else { continue };
                    honest = heard.max(honest);
                    ticks += 1;
                    if let Some(at) = self.arrives(&mut chance, at) {
                        up.push(Reverse((micros(at), own, false)));
                    }
                    if ticks % self.stream_every == 0 {
                        // What is lost of a stream comes again.
                        let way = self.arrives(&mut chance, at);
                        let at = way.or_else(|| self.arrives(&mut chance, at + 0.3)).unwrap_or(at + 1.0);
                        stream_at = stream_at.max(after(&self.holds, at));
                        let said = if self.is_stream_honest { honest } else { own };
                        up.push(Reverse((micros(stream_at), said, true)));
                    }
                }
            }
            if host_at > self.length {
                return report;
            }
            let now = Moment::from_micros(micros(host_at));
            let (count, is_over) = due((host_at - host_due) / TICK + 1.0);
            host_due = if is_over { host_at + TICK } else { host_due + f64::from(count) * TICK };
            let before = host;
            host += i64::from(count);
            let shown = if self.reads_first { before } else { host };
            steps += 1;
            for forged in &self.forged {
                if (forged.span.0..forged.span.1).contains(&host_at) && steps % forged.every == 0 {
                    let lead = forged.lead + forged.gain * (host_at - forged.span.0);
                    up.push(Reverse((now.as_micros(), shown + lead as i64, false)));
                }
            }
            while let Some(&Reverse((_, stamp, is_stream))) =
                up.peek().filter(|Reverse((due, ..))| *due <= now.as_micros())
            {
                up.pop();
                let way = if is_stream { Way::Stream } else { Way::Datagram };
                speed.note(now, tick(shown), tick(stamp), way);
                newest = newest.max(stamp);
            }
            if let Some(found) = speed.measure(now) {
                let rate = (newest - newest_before.1) as f64 * TICK / (host_at - newest_before.0);
                report.naive += usize::from(rate > 1.1 && newest - shown > 15);
                newest_before = (host_at, newest);
                report.windows.push((host_at, found, speed.measured().unwrap().lead));
            }
            if let Some(at) = self.arrives(&mut chance, host_at) {
                down.push(Reverse((micros(at), host)));
            }
        }
    }
}
