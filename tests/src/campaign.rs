//! Levels of the campaign played together by bots over a bad network, to their end: what scripts did once, on every machine, and
//! what lasts beside the host's. Knows the lab; what is compared is `beside`'s, what happened once `once`'s.

mod beside;
mod once;

use std::fmt;

use mjolnir_engine_glue::client::Stage;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::limits::TICKS_PER_SECOND;

use self::beside::Beside;
use self::once::Once;
use crate::lab::{Lab, Plan, Who};
use crate::played::bot;
use crate::seat::Seating;

/// A level is over within so many ticks: ten minutes.
const MOST: u32 = 18_000;
/// What lasts is compared each so many ticks: ten seconds.
pub const COMPARED_EACH: u32 = 10 * TICKS_PER_SECOND;
/// What is on its way when the level is over comes within so many ticks.
const LAST: u32 = 90;

/// A game that is to be played.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The seed: of the bots, of what goes wrong, of who comes and goes when.
    pub seed: u64,
    /// How many machines there are in the lobby, the host's among them.
    pub machines: usize,
    /// One more joins in the middle.
    pub joins: bool,
    /// One leaves: in order, or outright where the seed is odd.
    pub leaves: bool,
    /// What goes wrong with what each machine receives.
    pub faults: Faults,
}

impl Course {
    /// 50 ms each way, one datagram in twenty lost; nobody comes or goes.
    pub fn new(seed: u64, machines: usize) -> Self {
        let faults = Faults { latency_us: 50_000, loss: 0.05, ..Faults::default() };
        Self { seed, machines, joins: false, leaves: false, faults }
    }

    /// One joins in the middle, and one of the others leaves.
    #[must_use]
    pub const fn with_guests(self) -> Self {
        Self { joins: true, leaves: true, ..self }
    }
}

/// What came of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u32,
    /// Levels that were won.
    pub won: u32,
    /// Ticks of the level.
    pub ticks: u64,
    /// The most and the least of those.
    pub longest: u32,
    /// The least.
    pub shortest: u32,
    /// Events that the host numbered.
    pub events: u64,
    /// Events that clients had, each once.
    pub had: u64,
    /// Times that a client was compared with the host.
    pub compared: u64,
    /// Actors in these comparisons, each time.
    pub actors: u64,
    /// The most that what a client shows was behind the host's, in ticks.
    pub behind: u32,
    /// The longest that anything else was another than the host's, in ticks.
    pub unlike: u32,
}

impl Tally {
    /// Adds another game.
    pub fn add(&mut self, other: &Self) {
        self.shortest = if self.games == 0 { other.shortest } else { self.shortest.min(other.shortest) };
        self.games += other.games;
        self.won += other.won;
        self.ticks += other.ticks;
        self.longest = self.longest.max(other.longest);
        self.events += other.events;
        self.had += other.had;
        self.compared += other.compared;
        self.actors += other.actors;
        self.behind = self.behind.max(other.behind);
        self.unlike = self.unlike.max(other.unlike);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ticks: u64| ticks / u64::from(TICKS_PER_SECOND);
        write!(
            f,
            "{} games, {} won, {} s of them on the average, {} to {}; {} events, had {} times; {} comparisons with {} actors in \
             them; what is shown {} ticks behind at most, the rest {} ticks unlike at most",
            self.games,
            self.won,
            seconds(self.ticks / u64::from(self.games.max(1))),
            seconds(self.shortest.into()),
            seconds(self.longest.into()),
            self.events,
            self.had,
            self.compared,
            self.actors,
            self.behind,
            self.unlike,
        )
    }
}

/// What came of a game, and what was not as it must be, a line each.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// What was counted.
    pub tally: Tally,
    /// What was wrong.
    pub wrong: Vec<String>,
}

/// Who comes and goes when, in ticks of the host's.
struct Guests {
    joins: Option<u32>,
    leaves: Option<(u32, usize)>,
}

impl Guests {
    fn of(course: &Course) -> Self {
        let mut random = Random::new(course.seed ^ 0xC0_0B);
        // The middle is where the level's second part begins: the lift, the cutscene, the dropship.
        let joins = course.joins.then(|| 1200 + random.below(1800));
        let clients = course.machines as u32 - 1;
        let leaves =
            course.leaves.then(|| (1500 + random.below(1500), random.below(clients.max(1)) as usize));
        Self { joins, leaves }
    }
}

/// Plays `campaign1`. `tamper` is given the lab once all play: a test makes something wrong there that must then be found.
pub fn play(course: Course, tamper: impl FnOnce(&mut Lab)) -> Played {
    let Course { seed, machines, faults, .. } = course;
    let plan = Plan { faults, harm: true, ..Plan::new("campaign1", seed, machines - 1) };
    let seating = |of: u64| Seating::of(vec![bot(seed.wrapping_mul(1000) + of)]);
    let mut lab = Lab::open(plan, seating(0).with_faults(faults));
    lab.host.network.listen();
    for of in 0..plan.clients {
        lab.join(seating(of as u64 + 1).with_faults(faults));
        lab.clients[of].network.listen();
    }
    lab.gather();
    lab.begin();
    let mut game = Game {
        beside: Beside::default(),
        once: Once::default(),
        guests: Guests::of(&course),
        won: None,
        tally: Tally { games: 1, ..Tally::default() },
        lab,
    };
    tamper(&mut game.lab);
    game.run(&course, seating);
    let Game { lab, mut beside, once, won, mut tally, .. } = game;
    let mut wrong = std::mem::take(&mut beside.wrong);
    match won {
        None => wrong.push("the level is not won".into()),
        Some(tick) => (tally.won, tally.ticks, tally.longest, tally.shortest) = (1, tick.into(), tick, tick),
    }
    once.judge(&lab, &mut tally, &mut wrong);
    beside.tell(&mut tally);
    judge_decisions(&lab, &mut wrong);
    Played { tally, wrong }
}

/// COOP-03, OBJ-33: scripts ran and actors thought on the host, and on no client.
fn judge_decisions(lab: &Lab, wrong: &mut Vec<String>) {
    let host = lab.host.engine.world().decisions();
    if host.scripts == 0 || host.thoughts == 0 {
        wrong.push(format!("the host decided {host:?}"));
    }
    for (place, seat) in lab.clients.iter().enumerate() {
        let decided = seat.engine.game.world().map(World::decisions);
        if decided.is_some_and(|decided| decided.total() > 0) {
            wrong.push(format!("client {place} decided {decided:?}"));
        }
    }
}

struct Game {
    lab: Lab,
    beside: Beside,
    once: Once,
    guests: Guests,
    /// The tick of the level in which it was won.
    won: Option<u32>,
    tally: Tally,
}

impl Game {
    fn run(&mut self, course: &Course, seating: impl Fn(u64) -> Seating) {
        let mut last = None;
        loop {
            let who = self.lab.step();
            self.look(who);
            if who == Who::Host && self.lab.host.ticked.is_some() {
                let ticks = self.lab.host.ticks;
                self.happens(ticks, course, &seating);
                let world = self.lab.host.engine.world();
                if world.post_game_phase() > 0 && last.is_none() {
                    self.won = world.level_ticks();
                    last = Some(ticks + LAST);
                }
                if ticks >= last.unwrap_or(MOST) {
                    return;
                }
            }
        }
    }

    fn happens(&mut self, ticks: u32, course: &Course, seating: &impl Fn(u64) -> Seating) {
        if self.guests.joins == Some(ticks) {
            let place = self.lab.join(seating(100).with_faults(course.faults));
            self.lab.clients[place].network.listen();
        }
        if let Some((at, place)) = self.guests.leaves
            && at == ticks
        {
            if course.seed.is_multiple_of(2) {
                self.lab.quit(place);
            } else {
                self.lab.kill(place);
            }
            self.once.left(place, self.lab.tick());
        }
    }

    /// After a machine ran.
    fn look(&mut self, who: Who) {
        self.once.look(&mut self.lab, who);
        match who {
            Who::Host if self.lab.host.ticked.is_some() => {
                self.beside.host_ticked(&self.lab);
                if self.lab.host.ticks.is_multiple_of(COMPARED_EACH) {
                    self.beside.compare(&self.lab);
                }
            }
            Who::Client(place) if self.lab.clients[place].ticked.is_some() => {
                if self.lab.clients[place].net.stage() == Stage::Playing {
                    self.once.plays(place, self.lab.tick());
                    self.beside.client_ticked(&self.lab, place);
                }
            }
            _ => {}
        }
    }
}
