//! Honest players in trouble: games from seeds, each with trouble of one kind three times over, and what the host took
//! of their word, during and after. Knows the lab; what must hold is the test's to say.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::{Input, Slot, Vec3};

use crate::lab::{Lab, Plan, Who};
use crate::played::{Hand, bot};
use crate::seat::Seating;

/// A refusal so many of the host's ticks after the trouble outlasts it: a second.
pub const OUTLASTS: u32 = 30;
/// Ticks that a game is watched after that, each time.
const QUIET: u32 = 60;
/// Times that there is trouble in a game.
const TIMES: u32 = 3;
/// A stall, in microseconds.
const STALL: u64 = 500_000;
/// Milliseconds each way.
const LATENCIES: [u64; 5] = [0, 25, 50, 100, 150];
const MAPS: [&str; 5] = ["flat", "hill", "rooms", "tower", "yard"];
/// Clients, of a player each.
const CLIENTS: usize = 2;

/// A peak of 200 wu, from which one falls whichever way one goes.
const PEAK: &str = "about A peak.\nbounds -200 -200 -2  200 200 230\nbox -210 -210 -1  210 210 0\nbox -3 -3 0  3 3 200\nspawn -1 -1 200  0\nspawn 1 1 200  180";

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// So many per cent of all datagrams are lost for three seconds.
    Loss(u8),
    /// A client's program stalls for half a second, and its clock goes on or stands.
    ClientStalls {
        /// Whether its clock stands.
        stands: bool,
    },
    /// The host's program does.
    HostStalls {
        /// Whether its clock stands.
        stands: bool,
    },
    /// What comes to everybody comes half a second later, all at once.
    LinkStalls,
    /// Nothing passes to or from a client for half a second.
    LinkCut,
    /// An explosion throws a client's player, that walks and jumps; its machine knows of it when it has heard.
    Throw,
    /// One throws it any way at 0.1 to 1.5 wu a tick.
    HardThrow,
    /// Players fall 200 wu, to their deaths.
    Fall,
    /// The same, and what comes to everybody comes half a second later, all at once, on the way.
    FallAndStall,
    /// The same, and nothing passes to or from a client for half a second on the way.
    FallAndCut,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Loss(2),
        Self::Loss(20),
        Self::ClientStalls { stands: false },
        Self::ClientStalls { stands: true },
        Self::HostStalls { stands: false },
        Self::HostStalls { stands: true },
        Self::LinkStalls,
        Self::LinkCut,
        Self::Throw,
        Self::HardThrow,
        Self::Fall,
        Self::FallAndStall,
        Self::FallAndCut,
    ];

    const fn falls(self) -> bool {
        matches!(self, Self::Fall | Self::FallAndStall | Self::FallAndCut)
    }
}

/// What came of a seed's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// What went wrong.
    pub trouble: Trouble,
    /// On which map.
    pub map: &'static str,
    /// Milliseconds each way.
    pub latency: u64,
    /// Predictions that the host took.
    pub taken: u64,
    /// That it did not, during the trouble and in the second after.
    pub refused: u64,
    /// Later.
    pub outlasting: u64,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, trouble, map, latency, taken, refused, outlasting } = self;
        write!(
            f,
            "seed {seed}, {trouble:?} on {map} at {latency} ms: {taken} taken, {refused} refused, {outlasting} later"
        )
    }
}

/// A game, and what the host had taken when this was last asked.
struct Game {
    lab: Lab,
    random: Random,
    latency: u64,
    refused: u64,
}

impl Game {
    /// Refusals since this was last asked.
    fn refusals(&mut self) -> u64 {
        let takings = self.lab.host.net.authority().takings();
        let all = takings.past_bounds + takings.past_tolerance;
        all - std::mem::replace(&mut self.refused, all)
    }

    fn client(&mut self) -> usize {
        self.random.below(CLIENTS as u32) as usize
    }

    /// Nobody runs for so long.
    fn sleep(&mut self, who: Who, stands: bool) {
        self.lab.sleep(who, STALL, stands);
        self.lab.run_seconds(STALL as f64 / 1e6);
    }

    fn trouble(&mut self, trouble: Trouble, faults: Faults) {
        match trouble {
            Trouble::Loss(share) => {
                self.lab.set_faults(Faults { loss: f32::from(share) / 100.0, ..faults });
                self.lab.run_seconds(3.0);
                self.lab.set_faults(faults);
            }
            Trouble::ClientStalls { stands } => {
                let client = self.client();
                self.sleep(Who::Client(client), stands);
            }
            Trouble::HostStalls { stands } => self.sleep(Who::Host, stands),
            Trouble::LinkStalls => self.stall(),
            Trouble::LinkCut | Trouble::FallAndCut => {
                let client = self.client();
                self.lab.partition(client, true);
                self.lab.run_seconds(STALL as f64 / 1e6);
                self.lab.partition(client, false);
            }
            Trouble::Throw => {
                let across = Vec3::new(self.random.signed(), self.random.signed(), 0.0) * 0.35;
                let up = 0.05 + 0.15 * self.random.signed().abs();
                self.throw(across + Vec3::UP * up);
            }
            Trouble::HardThrow => {
                let mut any = || self.random.signed();
                let way = Vec3::new(any(), any(), any().abs() + 0.1);
                let strength = 0.8 + 0.7 * any();
                self.throw(way * (strength / way.length()));
            }
            // Ten seconds and a half, and three until they are back.
            Trouble::Fall => self.lab.run_seconds(15.0),
            Trouble::FallAndStall => self.stall(),
        }
    }

    fn stall(&mut self) {
        let all = [Who::Host].into_iter().chain((0..CLIENTS).map(Who::Client));
        for on in [true, false] {
            all.clone().for_each(|who| self.lab.impair(who).stall(on));
            if on {
                self.lab.run_seconds(STALL as f64 / 1e6);
            }
        }
    }

    fn throw(&mut self, by: Vec3) {
        let client = self.client();
        let slot = self.lab.clients[client].slot();
        push(self.lab.host.engine.world_mut(), slot, by);
        self.lab.run_seconds(self.latency as f64 / 1e3);
        self.lab.run_ticks(1);
        push(self.lab.clients[client].engine.world_mut(), slot, by);
    }
}

fn push(world: &mut World, slot: Slot, by: Vec3) {
    if let (Some(unit), Some(place), Some(velocity)) =
        (world.unit(slot), world.position(slot), world.velocity(slot))
    {
        world.place(unit, place, Some(velocity + by), None);
    }
}

/// One that runs, another way from time to time, and jumps.
fn wanders(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let mut yaw = 0.0;
    Box::new(move |_, _, _| {
        if random.once_in(40) {
            yaw = 3.0 * (1.0 + random.signed());
        }
        Input { yaw, throttle: [1.0, 0.0], ..Input::default() }
    })
}

/// Plays a seed's game with that trouble. `tamper` is given the lab once all play: a test makes something wrong there that
/// must then be found.
pub fn play(seed: u64, trouble: Trouble, tamper: impl FnOnce(&mut Lab)) -> Played {
    let mut random = Random::new(seed);
    let latency = LATENCIES[random.below(LATENCIES.len() as u32) as usize];
    let map = MAPS[random.below(MAPS.len() as u32) as usize];
    let falls = trouble.falls();
    let plan = Plan { ground: falls.then_some(PEAK), ..Plan::new(map, seed, CLIENTS).network(latency, 0.0) };
    let hand = |of: u64| {
        let seed = seed.wrapping_mul(1000) + of;
        if falls { wanders(seed) } else { bot(seed) }
    };
    let lab = Lab::play_as(plan, Seating::of(Vec::new()), |of| Seating::of(vec![hand(of as u64)]));
    let mut game = Game { lab, random, latency, refused: 0 };
    tamper(&mut game.lab);
    game.lab.run_ticks(30);
    let (mut refused, mut outlasting) = (0, 0);
    for _ in 0..TIMES {
        if matches!(trouble, Trouble::FallAndStall | Trouble::FallAndCut) {
            // Somewhere on the way, most times.
            let before = game.random.below(14 * 30);
            game.lab.run_ticks(before);
        }
        outlasting += game.refusals();
        game.trouble(trouble, plan.faults);
        game.lab.run_ticks(OUTLASTS);
        refused += game.refusals();
        game.lab.run_ticks(QUIET);
        outlasting += game.refusals();
    }
    let taken = game.lab.host.net.authority().takings().taken;
    Played { seed, trouble, map: if falls { "peak" } else { map }, latency, taken, refused, outlasting }
}

/// Plays so many games, the trouble each in turn, as many at once as there are cores; in order.
pub fn play_all(seeds: u64) -> Vec<Played> {
    let next = AtomicU64::new(0);
    let (give, got) = mpsc::channel();
    let work = |give: mpsc::Sender<Played>| {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < seeds
        {
            let trouble = Trouble::ALL[seed as usize % Trouble::ALL.len()];
            // Nobody but a test that failed hangs up.
            let _ = give.send(play(seed + 1, trouble, |_| {}));
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
