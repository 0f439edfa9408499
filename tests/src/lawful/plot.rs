//! What a seed makes of a game: who plays it, what goes wrong when, and whose clock is made faster. Knows the times of what
//! happens, and not what comes of it.

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::Moment;

use crate::lab::{Plan, Who};

/// A machine's clock is wrong by so many millionths at most.
const PPM: u32 = 200;
/// Milliseconds of jitter, one way.
const JITTERS: [u64; 4] = [0, 10, 30, 50];
/// So many times as fast goes the clock of who cheats.
const TIMES: [f64; 7] = [1.05, 1.09, 1.12, 1.15, 1.2, 1.5, 2.0];
/// A clock that is less fast is let be (CHEAT-43).
const TENTH: f64 = 1.1;
/// A nap that is longer could be 15 s of silence, if something besides holds up what its machine says, in microseconds.
const LONG_NAP: u64 = 9 * Moment::SECOND;
/// Longer than this nobody naps who is not to be lost, in microseconds.
const LONGEST_NAP: u32 = 14_000;
/// What who sleeps for good sleeps, in microseconds: it is lost after 15 s of silence.
const SLEEP: u64 = 60 * Moment::SECOND;
/// Who has joined has loaded by then, and so have all of a next round, in microseconds.
const LOADED: u64 = 8 * Moment::SECOND;

/// So long after a stall of the host's all is measured as before it, in microseconds: a window that goes on for it, and a whole one.
const FAR_BETWEEN: u64 = 6 * Moment::SECOND;

const MILLI: u64 = 1000;

/// Something that happens at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// A machine does nothing for so many microseconds, and its clock goes on or stands.
    Sleeps { who: Who, micros: u64, stands: bool },
    /// What comes to a machine is held back, or is let go all at once.
    Holds { who: Who, on: bool },
    /// A machine's network is another.
    Network { who: Who, faults: Faults },
    /// One more client joins, and loads for so many microseconds.
    Joins { load: u64 },
    /// The next round begins.
    Next,
    /// A client's clock goes so many times as fast from now on.
    Speeds { place: usize, times: f64 },
}

/// What must come of a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// It is honest, and stays: nothing may come of anything.
    Honest,
    /// It is honest, and sleeps for a minute: it is lost for its silence alone.
    Sleeper,
    /// Its clock is fast by less than a tenth: it is let be.
    Slight(f64),
    /// Its clock is faster: it is refused, dropped and written down.
    Cheat(f64),
    /// The same, and its stream says nothing of the game: it is refused for as long, written down as unverified, and stays.
    Quiet(f64),
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Plot {
    pub plan: Plan,
    /// The host has a player of its own.
    pub host_plays: bool,
    /// Each client's, by its place; those of the lobby first.
    pub parts: Vec<Part>,
    /// In the order of their times, in microseconds since all play.
    pub events: Vec<(u64, Event)>,
    /// When it ends, likewise.
    pub length: u64,
}

impl Plot {
    pub(super) fn of(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x1A4F);
        let faults = Faults {
            latency_us: u64::from(random.below(100)) * MILLI,
            jitter_us: JITTERS[random.below(JITTERS.len() as u32) as usize] * MILLI,
            loss: if random.once_in(2) { 0.05 * random.part() } else { 0.0 },
            ..Faults::default()
        };
        let clients = 2 + random.below(2) as usize;
        let host_plays = random.once_in(2);
        let plan = Plan { ppm: PPM, faults, ..Plan::new("flat", seed, clients) };
        let mut writer =
            Writer { random, faults, events: Vec::new(), free: Vec::new(), spared: None, is_calm: false };
        let (parts, length) = writer.write(clients);
        let mut events = writer.events;
        events.sort_by_key(|(at, _)| *at);
        Self { plan, host_plays, parts, events, length }
    }
}

/// Writes a plot.
struct Writer {
    random: Random,
    faults: Faults,
    events: Vec<(u64, Event)>,
    /// From when on nothing is the matter with the host, and each client.
    free: Vec<u64>,
    /// Who has trouble of no other kind.
    spared: Option<usize>,
    /// Nothing holds up what comes to the host for a window and more, but stalls of its own that are far between.
    is_calm: bool,
}

impl Writer {
    fn millis(&mut self, from: u32, to: u32) -> u64 {
        u64::from(from + self.random.below(to - from)) * MILLI
    }

    fn write(&mut self, clients: usize) -> (Vec<Part>, u64) {
        let mut parts = vec![Part::Honest; clients];
        let mut length = self.millis(40_000, 60_000);
        self.free = vec![0; clients + 1];
        if self.random.once_in(2) {
            let (at, load) = (self.millis(1_000, 9_000), self.millis(0, 3_000));
            self.events.push((at, Event::Joins { load }));
            self.free.push(at + LOADED);
            parts.push(Part::Honest);
        }
        let next = self.random.once_in(3).then_some(length / 2);
        let cheat = self.random.once_in(3).then(|| self.cheat(&mut parts, &mut length));
        self.spared = cheat.map(|(place, ..)| place);
        // What holds up all that is heard of a clock that is fast by nearly a tenth, and ends, makes it look faster for a window
        // (`anticheat::speed` says so); that is told of elsewhere.
        self.is_calm = cheat.is_some_and(|(.., times)| times <= TENTH);

        let first = next.unwrap_or(length);
        self.fill(2 * Moment::SECOND, first);
        if let Some(at) = next {
            self.events.push((at + Moment::SECOND / 2, Event::Next));
            self.fill(at + LOADED, length);
        }
        if self.random.once_in(6) {
            let place = self.random.below(parts.len() as u32) as usize;
            if self.spared != Some(place) {
                parts[place] = Part::Sleeper;
                let (who, stands) = (Who::Client(place), self.random.once_in(2));
                self.events.push((length, Event::Sleeps { who, micros: SLEEP, stands }));
                // Some see the game again, and are gone from it.
                length +=
                    if self.random.once_in(4) { SLEEP + 3 * Moment::SECOND } else { 17 * Moment::SECOND };
            }
        }
        if let Some((_, from, times)) = cheat
            && times > TENTH
        {
            // Whatever was the matter may have hidden it: from then on it is found.
            let hidden = self.free[0].max(next.map_or(0, |at| at + LOADED)).max(from);
            length = length.max(hidden + found_within(times));
        }
        (parts, length)
    }

    /// Somebody's clock is made faster: whose, from when on, how much.
    fn cheat(&mut self, parts: &mut [Part], length: &mut u64) -> (usize, u64, f64) {
        *length = *length * 3 / 4;
        let place = self.random.below(parts.len() as u32) as usize;
        let times = TIMES[self.random.below(TIMES.len() as u32) as usize];
        parts[place] = match (times > TENTH, self.random.once_in(4)) {
            (false, _) => Part::Slight(times),
            (true, false) => Part::Cheat(times),
            (true, true) => Part::Quiet(times),
        };
        // Who joins late may cheat as it loads.
        let here = self.free[place + 1].saturating_sub(LOADED - 1);
        let from = here + self.millis(0, 12_000);
        self.events.push((from, Event::Speeds { place, times }));
        (place, from, times)
    }

    /// Trouble of any kind, each machine's after its last.
    fn fill(&mut self, from: u64, to: u64) {
        for free in &mut self.free {
            *free = from.max(*free);
        }
        for _ in 0..4 + self.random.below(8) {
            let at = self.random.below(self.free.len() as u32) as usize;
            if at.checked_sub(1).is_some_and(|place| self.spared == Some(place)) {
                continue;
            }
            let who = at.checked_sub(1).map_or(Who::Host, Who::Client);
            let mut start = self.free[at] + self.millis(100, 4_000);
            if self.is_calm && who == Who::Host {
                start += FAR_BETWEEN;
            }
            let stands = self.random.once_in(2);
            let (lasts, trouble): (u64, [Option<Event>; 2]) = match (self.random.below(6), who) {
                (kind, Who::Host) if kind < 2 || self.is_calm => {
                    // Its clock goes on. One that stood beside other trouble costs an honest machine a window now and then; alone it costs none:
                    // `a_host_whose_clock_stands_refuses_nobody` among the games.
                    let micros = self.millis(200, 5_000);
                    (micros, [Some(Event::Sleeps { who, micros, stands: false }), None])
                }
                (0, Who::Client(_)) => {
                    let micros = self.millis(200, 2_000);
                    (micros, [Some(Event::Sleeps { who, micros, stands }), None])
                }
                (1, Who::Client(_)) => {
                    let micros = self.millis(2_000, LONGEST_NAP);
                    if micros > LONG_NAP {
                        // A host that stalled before it was not heard for a while either.
                        start = start.max(self.free[0] + Moment::SECOND);
                        self.free[0] = start + micros + Moment::SECOND / 2;
                    }
                    (micros, [Some(Event::Sleeps { who, micros, stands }), None])
                }
                (2 | 3, _) => {
                    let holds = |on| Some(Event::Holds { who, on });
                    (2 * Moment::SECOND, [holds(true), holds(false)])
                }
                _ => {
                    let worse = Faults {
                        jitter_us: self.millis(0, 300),
                        loss: 0.3 * self.random.part(),
                        ..self.faults
                    };
                    let network = |faults| Some(Event::Network { who, faults });
                    (self.millis(2_000, 8_000), [network(worse), network(self.faults)])
                }
            };
            if start + lasts <= to {
                let [begins, ends] = trouble;
                self.events.extend(begins.map(|event| (start, event)));
                self.events.extend(ends.map(|event| (start + lasts, event)));
                self.free[at] = start + lasts;
            }
        }
    }
}

/// How soon a clock that is so many times as fast is found and its machine dropped, in microseconds, on a line with 50 ms of
/// jitter: half a second of lead and what the way takes, up to three measures more, and the five windows.
fn found_within(times: f64) -> u64 {
    ((0.8 / (times - 1.0) + 18.0) * Moment::SECOND as f64) as u64
}
