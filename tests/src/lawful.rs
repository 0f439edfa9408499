//! Who is refused, dropped and written down for its clock: games from seeds, of honest players in every trouble that makes a
//! clock look wrong, and now and then one whose clock is made faster. Knows the lab; what a seed makes of a game is `plot`'s.

mod plot;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_engine_glue::host::Notice;
use mjolnir_engine_glue::transport::Why;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::identity::Identity;
use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Input, Machine};

use self::plot::{Event, Plot};
use crate::lab::{Lab, Plan, Who};
use crate::played::{Hand, still};
use crate::seat::Seating;

pub use self::plot::Part;

/// Each so many ticks of the host's a client says something by its stream.
const SAYS: u32 = 45;

/// What came of a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Came {
    /// What must.
    pub part: Part,
    /// The host's ticks in which its predictions were refused for its clock.
    pub refused: u32,
    /// Why it is gone, if it is.
    pub gone: Option<Why>,
    /// Lines about it in `cheaters.txt` and `bans.txt`.
    pub lines: [usize; 2],
}

impl Came {
    /// Whether it is what must.
    pub fn is_just(&self) -> bool {
        let Self { part, refused, gone, lines } = *self;
        match part {
            Part::Honest | Part::Slight(_) => refused == 0 && gone.is_none() && lines == [0, 0],
            Part::Sleeper => refused == 0 && gone == Some(Why::Silent) && lines == [0, 0],
            Part::Cheat(_) => refused > 0 && gone == Some(Why::Kicked) && lines == [1, 1],
            Part::Quiet(_) => refused > 0 && gone.is_none() && lines == [1, 0],
        }
    }
}

/// What came of a seed's game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// Of each client, by its place.
    pub came: Vec<Came>,
    /// Predictions that the host refused for their machines' clocks.
    pub refused: u64,
    /// Seconds of the game.
    pub seconds: u64,
    /// Things that went wrong in it, and the rounds that were begun in it.
    pub troubles: usize,
}

impl Played {
    /// Whether exactly those were refused, dropped and written down who had to be.
    pub fn is_just(&self) -> bool {
        let has_cheat = self.came.iter().any(|came| matches!(came.part, Part::Cheat(_) | Part::Quiet(_)));
        self.came.iter().all(Came::is_just) && (has_cheat || self.refused == 0)
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, came, refused, seconds, troubles } = self;
        write!(f, "seed {seed}, {seconds} s, {troubles} troubles, {refused} predictions refused")?;
        for (place, came) in came.iter().enumerate() {
            let wrong = if came.is_just() { "" } else { "WRONG " };
            write!(f, "; client {place} {wrong}{came:?}")?;
        }
        Ok(())
    }
}

/// Plays a seed's game. `tamper` is given the lab once all play: a test makes something wrong there that must then be found.
pub fn play(seed: u64, tamper: impl FnOnce(&mut Lab)) -> Played {
    play_telling(seed, false, tamper)
}

/// The same, and says what happens.
pub fn play_telling(seed: u64, tells: bool, tamper: impl FnOnce(&mut Lab)) -> Played {
    let plot = Plot::of(seed);
    let hand = |of: u64| walker(seed.wrapping_mul(1000) + of);
    let host = if plot.host_plays { vec![still()] } else { Vec::new() };
    let lab = Lab::play_as(plot.plan, Seating::of(host), |of| Seating::of(vec![hand(of as u64)]));
    let came = Came { part: Part::Honest, refused: 0, gone: None, lines: [0, 0] };
    let came = plot.parts.iter().map(|part| Came { part: *part, ..came }).collect();
    let mut game = Game { lab, came, machines: [None; MAX_MACHINES], heard: 0, tells };
    tamper(&mut game.lab);
    let begun = game.lab.now();
    for (at, event) in &plot.events {
        game.run_until(begun + at);
        if tells {
            println!("{:.1} s: {event:?}", *at as f64 / 1e6);
        }
        game.happens(*event, &plot.plan, hand);
    }
    game.run_until(begun + plot.length);
    game.told(seed, plot.length / 1_000_000, plot.events.len())
}

/// Plays so many games from that seed on, as many at once as there are cores; in order.
pub fn play_all(first: u64, seeds: u64) -> Vec<Played> {
    let next = AtomicU64::new(first);
    let (give, got) = mpsc::channel();
    let work = |give: mpsc::Sender<Played>| {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < first.saturating_add(seeds)
        {
            // Nobody but a test that failed hangs up.
            let _ = give.send(play(seed, |_| {}));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let give = give.clone();
            scope.spawn(|| work(give));
        }
    });
    drop(give);
    let mut all: Vec<_> = got.into_iter().collect();
    all.sort_by_key(|played| played.seed);
    all
}

/// One that stands, walks and turns, each for a while.
fn walker(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let (mut left, mut input) = (0, Input::default());
    Box::new(move |_, _, _| {
        if left == 0 {
            left = 15 + random.below(90);
            let throttle = if random.once_in(3) { 0.0 } else { 1.0 };
            let yaw = random.signed() * std::f32::consts::PI;
            input = Input { yaw, throttle: [throttle, 0.0], ..Input::default() };
        }
        left -= 1;
        input
    })
}

/// A game, and what came of its clients so far.
struct Game {
    lab: Lab,
    came: Vec<Came>,
    /// Which client each machine is.
    machines: [Option<usize>; MAX_MACHINES],
    /// How many of the host's notices were looked at.
    heard: usize,
    tells: bool,
}

impl Game {
    fn run_until(&mut self, end: u64) {
        while self.lab.now() < end {
            if self.lab.step() == Who::Host {
                self.look();
            }
        }
    }

    /// After a frame of the host's.
    fn look(&mut self) {
        let host = &self.lab.host;
        for (at, notice) in &host.notices[self.heard..] {
            match notice {
                Notice::Joined { machine, name } => {
                    let place = name.strip_prefix('M').and_then(|place| place.parse::<usize>().ok());
                    self.machines[machine.index()] = place.map(|place| place - 1);
                }
                Notice::Left { machine, why } => {
                    if let Some(place) = self.machines[machine.index()].take() {
                        self.came[place].gone = Some(*why);
                    }
                    if self.tells {
                        println!("at {:.1} s of the lab {machine:?} is gone: {why:?}", *at as f64 / 1e6);
                    }
                }
                _ => {}
            }
        }
        self.heard = host.notices.len();
        if host.ticked.is_none() {
            return;
        }
        if host.ticks.is_multiple_of(SAYS) {
            // A stand-in for hits and chat: whatever goes by the stream bears its tick.
            let user = Identity::new(&host.ticks.to_string(), "lab");
            for (seat, came) in self.lab.clients.iter_mut().zip(&self.came) {
                if !matches!(came.part, Part::Quiet(_)) {
                    seat.engine.manners.discord = user;
                }
            }
        }
        let host = &self.lab.host;
        for machine in Machine::all() {
            if let Some(place) = self.machines[machine.index()]
                && host.net.conduct().is_refused(machine)
            {
                self.came[place].refused += 1;
                if self.tells && self.came[place].refused % 30 == 1 {
                    let measure = host.net.conduct().clocks().measured(machine);
                    println!("tick {}: client {place} is refused: {measure:?}", host.ticks);
                }
            }
        }
    }

    fn happens(&mut self, event: Event, plan: &Plan, hand: impl Fn(u64) -> Hand) {
        let lab = &mut self.lab;
        match event {
            Event::Sleeps { who, micros, stands } => lab.sleep(who, micros, stands),
            Event::Holds { who, on } => lab.impair(who).stall(on),
            Event::Network { who, faults } => lab.impair(who).set_faults(faults),
            Event::Joins { load } => {
                let place = lab.clients.len() as u64;
                let seating = Seating { load_micros: load, ..Seating::of(vec![hand(place)]) };
                lab.join(seating.with_faults(plan.faults));
            }
            Event::Next => {
                let record = *lab.host.net.transport().record();
                let start = lab.tick();
                // A host's own record means something.
                let _ = lab.begin_next(&record, start);
            }
            Event::Speeds { place, times } => {
                let now = lab.now();
                lab.clients[place].pace(now, times);
            }
        }
    }

    fn told(mut self, seed: u64, seconds: u64, troubles: usize) -> Played {
        let manners = &self.lab.host.engine.manners;
        for (place, came) in self.came.iter_mut().enumerate() {
            let address = format!("\tip={}\t", self.lab.clients[place].network.address().ip());
            let lines = |file: &str| file.lines().filter(|line| line.contains(&address)).count();
            came.lines = [&manners.cheaters, &manners.bans].map(|file| lines(file));
        }
        let refused = self.lab.host.net.counters().refused;
        let refused = refused.get(mjolnir_engine_glue::anticheat::CLOCK_REFUSED).copied().unwrap_or(0);
        Played { seed, came: self.came, refused, seconds, troubles }
    }
}
