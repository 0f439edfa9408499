//! Honest players in trouble: games from seeds, each with trouble of one kind three times over, and what the host took
//! of their word, during and after. Knows the lab; what must hold is the test's to say.

mod course;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::{Slot, Vec3};

use crate::lab::{Lab, Plan, Who};
use crate::seat::Seating;

pub use course::Course;

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
    /// None but what is done there, for fifteen seconds.
    Nothing,
}

impl Trouble {
    /// On any course, and what happens to players on foot alone.
    const NETWORK: [Self; 9] = [
        Self::Nothing,
        Self::Loss(2),
        Self::Loss(20),
        Self::ClientStalls { stands: false },
        Self::ClientStalls { stands: true },
        Self::HostStalls { stands: false },
        Self::HostStalls { stands: true },
        Self::LinkStalls,
        Self::LinkCut,
    ];
    const THROWS: [Self; 2] = [Self::Throw, Self::HardThrow];
}

/// Which troubles there are on which course.
pub fn games() -> Vec<(Course, Trouble)> {
    let of = |course: Course| {
        let throws: &[Trouble] = match course {
            Course::Bots | Course::Riders | Course::Commuters => &Trouble::THROWS,
            Course::Peak | Course::Drivers | Course::Flyers => &[],
        };
        Trouble::NETWORK.iter().chain(throws).map(move |trouble| (course, *trouble))
    };
    Course::ALL.into_iter().flat_map(of).collect()
}

/// What came of a seed's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// Where it was played, and by whom.
    pub course: Course,
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
    /// Later, within a second of the first of them in a row.
    pub brief: u64,
    /// Later, and somebody has been refused for more than a second then.
    pub outlasting: u64,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, course, trouble, map, latency, taken, refused, brief, outlasting } = self;
        write!(
            f,
            "seed {seed}, {course:?}, {trouble:?} on {map} at {latency} ms: {taken} taken, {refused} refused, {brief} \
             later, {outlasting} for more than a second"
        )
    }
}

/// A client's player, as it was followed.
#[derive(Clone, Copy, Debug, Default)]
struct Followed {
    refused: u64,
    /// When it was refused first of the last refusals in a row, with no second between two, and last; the host's ticks.
    run: Option<(u32, u32)>,
}

/// A game, and who was refused in it.
struct Game {
    lab: Lab,
    random: Random,
    latency: u64,
    players: [Followed; CLIENTS],
    /// There is trouble, or was in the last second.
    is_troubled: bool,
    refused: u64,
    brief: u64,
    outlasting: u64,
    tells: bool,
}

impl Game {
    fn run_ticks(&mut self, ticks: u32) {
        let end = self.lab.host.ticks + ticks;
        while self.lab.host.ticks < end {
            self.step();
        }
    }

    fn run_seconds(&mut self, seconds: f64) {
        let end = self.lab.now() + (seconds * 1e6) as u64;
        while self.lab.now() < end {
            self.step();
        }
    }

    fn step(&mut self) {
        if self.lab.step() == Who::Host && self.lab.host.ticked.is_some() {
            (0..CLIENTS).for_each(|place| self.follow(place));
        }
    }

    /// After a tick of the host's: what a client's player did, and whether it was refused.
    fn follow(&mut self, place: usize) {
        let slot = self.lab.clients[place].slot();
        let takings = self.lab.host.net.authority().takings_of(slot);
        let all = takings.past_bounds + takings.past_tolerance;
        let player = &mut self.players[place];
        let more = all - std::mem::replace(&mut player.refused, all);
        if more == 0 {
            return;
        }
        let now = self.lab.host.ticks;
        let first = player.run.filter(|(_, last)| now - last <= OUTLASTS).map_or(now, |(first, _)| first);
        player.run = Some((first, now));
        let count = match (self.is_troubled, now - first <= OUTLASTS) {
            (true, _) => &mut self.refused,
            (false, true) => &mut self.brief,
            (false, false) => &mut self.outlasting,
        };
        *count += more;
        if self.tells {
            let worlds = [self.lab.host.engine.world(), self.lab.clients[place].engine.world()];
            let saw = worlds.map(|world| (world.tick().get(), world.position(slot), world.carried_by(slot)));
            println!("client {place}, {more} of {takings:?}, in trouble {}: {saw:?}", self.is_troubled);
        }
    }

    fn client(&mut self) -> usize {
        self.random.below(CLIENTS as u32) as usize
    }

    /// Nobody runs for so long.
    fn sleep(&mut self, who: Who, stands: bool) {
        self.lab.sleep(who, STALL, stands);
        self.run_seconds(STALL as f64 / 1e6);
    }

    fn trouble(&mut self, trouble: Trouble, faults: Faults) {
        match trouble {
            Trouble::Loss(share) => {
                self.lab.set_faults(Faults { loss: f32::from(share) / 100.0, ..faults });
                self.run_seconds(3.0);
                self.lab.set_faults(faults);
            }
            Trouble::ClientStalls { stands } => {
                let client = self.client();
                self.sleep(Who::Client(client), stands);
            }
            Trouble::HostStalls { stands } => self.sleep(Who::Host, stands),
            Trouble::LinkStalls => self.stall(),
            Trouble::LinkCut => {
                let client = self.client();
                self.lab.partition(client, true);
                self.run_seconds(STALL as f64 / 1e6);
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
            // A fall of 200 wu takes ten and a half, and three until they are back.
            Trouble::Nothing => self.run_seconds(15.0),
        }
    }

    fn stall(&mut self) {
        let all = [Who::Host].into_iter().chain((0..CLIENTS).map(Who::Client));
        for on in [true, false] {
            all.clone().for_each(|who| self.lab.impair(who).stall(on));
            if on {
                self.run_seconds(STALL as f64 / 1e6);
            }
        }
    }

    fn throw(&mut self, by: Vec3) {
        let client = self.client();
        let slot = self.lab.clients[client].slot();
        push(self.lab.host.engine.world_mut(), slot, by);
        self.run_seconds(self.latency as f64 / 1e3);
        self.run_ticks(1);
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

/// Plays a seed's game on that course with that trouble. `tamper` is given the lab once all play: a test makes something
/// wrong there that must then be found.
pub fn play(seed: u64, course: Course, trouble: Trouble, tamper: impl FnOnce(&mut Lab)) -> Played {
    play_telling(seed, course, trouble, false, tamper)
}

/// The same, and says of each prediction that is refused whose it was and where.
pub fn play_telling(
    seed: u64,
    course: Course,
    trouble: Trouble,
    tells: bool,
    tamper: impl FnOnce(&mut Lab),
) -> Played {
    let mut random = Random::new(seed);
    let latency = LATENCIES[random.below(LATENCIES.len() as u32) as usize];
    let map = MAPS[random.below(MAPS.len() as u32) as usize];
    let plan = Plan { ground: course.ground(), ..Plan::new(map, seed, CLIENTS).network(latency, 0.0) };
    let hand = |of: u64| course.hand(seed.wrapping_mul(1000) + of);
    let lab = Lab::play_as(plan, Seating::of(Vec::new()), |of| Seating::of(vec![hand(of as u64)]));
    let players = [Followed::default(); CLIENTS];
    let (refused, brief, outlasting) = (0, 0, 0);
    let mut game =
        Game { lab, random, latency, players, is_troubled: true, refused, brief, outlasting, tells };
    tamper(&mut game.lab);
    game.run_ticks(30);
    for _ in 0..TIMES {
        game.is_troubled = false;
        if course != Course::Bots && trouble != Trouble::Nothing {
            // Somewhere on the way, most times.
            let before = game.random.below(14 * 30);
            game.run_ticks(before);
        }
        game.is_troubled = true;
        game.trouble(trouble, plan.faults);
        game.run_ticks(OUTLASTS);
        game.is_troubled = false;
        game.run_ticks(QUIET);
    }
    let taken = game.lab.host.net.authority().takings().taken;
    let Game { refused, brief, outlasting, .. } = game;
    let map = if course == Course::Bots { map } else { "its own" };
    Played { seed, course, trouble, map, latency, taken, refused, brief, outlasting }
}

/// Plays so many games, the trouble each in turn, as many at once as there are cores; in order.
pub fn play_all(seeds: u64) -> Vec<Played> {
    let next = AtomicU64::new(0);
    let (give, got) = mpsc::channel();
    let games = games();
    let work = |give: mpsc::Sender<Played>| {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < seeds
        {
            let (course, trouble) = games[seed as usize % games.len()];
            // Nobody but a test that failed hangs up.
            let _ = give.send(play(seed + 1, course, trouble, |_| {}));
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
