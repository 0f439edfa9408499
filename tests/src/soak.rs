//! Whole games from a seed, under everything that goes wrong on a network and on a machine, with what must hold
//! looked at after every step. Knows the lab; what goes wrong is `story`'s, what must hold is `watch`'s.
//!
//! A game is a row of episodes: for some seconds there is trouble, then it is quiet, and then everything has to come
//! right. What is found broken names its seed and its tick, and the seed plays the same game again.

mod story;
mod tally;
mod watch;
mod weight;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mjolnir_engine_glue::{client, host};
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::{Moment, Tick};

pub use self::tally::Tally;
pub use self::watch::Invariant;

use self::story::{Ending, Story};
use self::watch::Watch;
use self::weight::Weight;
use crate::lab::{Lab, Who};
use crate::seen::Passed;

/// A game is given so long to be joined and begun, in seconds, however much it is troubled.
const BEGINS_WITHIN: u64 = 60;
/// How long it is quiet before everything must be right again, in microseconds, with a round trip more: "a second
/// after a disturbance".
const GRACE: u64 = Moment::SECOND;
/// How long it is then watched at least, in microseconds: the judge of two machines is patient for three seconds.
const QUIET: u64 = 5 * Moment::SECOND;
/// How long everybody stands, in microseconds, before all machines must have the same.
const STANDS: u64 = 3 * Moment::SECOND;
/// A client whose host is gone knows it within so long, in microseconds: 15 s of silence, and a little.
const KNOWS_WITHIN: u64 = 17 * Moment::SECOND;

/// What must hold did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The game's seed.
    pub seed: u64,
    /// The host's tick.
    pub tick: Tick,
    /// What of it.
    pub invariant: Invariant,
    /// What was found.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {} tick {}: {}: {}", self.seed, self.tick.get(), self.invariant, self.what)
    }
}

/// What is found, before it is known where.
type Found<T> = Result<T, (Invariant, String)>;

/// Plays the game of that seed for so many seconds of its time. `tell` hears what happens, a line each, and `tamper` is
/// given the lab once all play: a test makes something wrong there that must then be found.
pub fn play(
    seed: u64,
    seconds: u64,
    tell: &mut dyn FnMut(&str),
    tamper: impl FnOnce(&mut Lab),
) -> Result<Tally, Broken> {
    let mut soak = Soak::open(seed, tell);
    let played = soak.whole(seconds * Moment::SECOND, tamper);
    let tick = soak.lab.tick();
    soak.tally.micros = soak.lab.now();
    soak.tally.digest = soak.lab.digest();
    soak.watch.tell_of_harm(&soak.lab, &mut soak.tally);
    match played {
        Ok(()) => Ok(soak.tally),
        Err((invariant, what)) => Err(Broken { seed, tick, invariant, what }),
    }
}

/// What passed between the host and everybody in the first so many seconds of a seed's game, for who wants such messages.
pub fn overhear(seed: u64, seconds: u64) -> Result<Vec<Passed>, Broken> {
    let mut ignore = |_: &str| {};
    let mut soak = Soak::open(seed, &mut ignore);
    soak.lab.host.network.listen();
    let played = soak.begin().and_then(|()| {
        while soak.lab.now() < seconds * Moment::SECOND {
            soak.episode()?;
        }
        Ok(())
    });
    let tick = soak.lab.tick();
    match played {
        Ok(()) => Ok(soak.lab.host.network.passed().to_vec()),
        Err((invariant, what)) => Err(Broken { seed, tick, invariant, what }),
    }
}

struct Soak<'a> {
    lab: Lab,
    story: Story,
    watch: Watch,
    tally: Tally,
    weight: Weight,
    tell: &'a mut dyn FnMut(&str),
}

impl<'a> Soak<'a> {
    fn open(seed: u64, tell: &'a mut dyn FnMut(&str)) -> Self {
        let mut random = Random::new(seed ^ 0x50AC);
        let (plan, seatings) = story::cast(seed, &mut random);
        let [host, clients @ ..] = seatings;
        let mut lab = Lab::open(plan, host.with_faults(plan.faults));
        let mut watch = Watch::new(&mut lab);
        let mut tally = Tally::default();
        for client in clients.into_iter().take(plan.clients) {
            let place = lab.join(client.with_faults(plan.faults));
            watch.seated(&mut lab, place);
            tally.joins += 1;
        }
        Self { lab, story: Story::new(random, plan.faults), watch, tally, weight: Weight::default(), tell }
    }

    fn whole(&mut self, micros: u64, tamper: impl FnOnce(&mut Lab)) -> Found<()> {
        self.begin()?;
        tamper(&mut self.lab);
        while self.lab.now() < micros {
            let mut played = Ok(());
            let kept = allocation_counter::measure(|| {
                played = self.episode();
                if played.is_ok() && self.story.next_game() {
                    played = self.another();
                }
            });
            played?;
            self.weight.add(kept.bytes_current, self.lab.clients.len())?;
        }
        self.end()
    }

    /// From the lobby to the moment at which all play.
    fn begin(&mut self) -> Found<()> {
        self.until("all are in the lobby", |lab| {
            lab.clients.iter().all(|seat| !seat.runs || seat.net.stage() == client::Stage::Lobby)
        })?;
        self.watch.game_begins();
        self.lab.begin();
        self.tally.games += 1;
        self.all_play()
    }

    fn all_play(&mut self) -> Found<()> {
        self.until("all play", |lab| {
            lab.host.net.stage() == host::Stage::Playing
                && lab.clients.iter().all(|seat| !seat.runs || seat.net.stage() == client::Stage::Playing)
        })
    }

    /// Trouble, and quiet.
    fn episode(&mut self) -> Found<()> {
        self.tally.episodes += 1;
        self.watch.trouble_begins();
        self.story.arm(&mut self.lab);
        for _ in 0..self.story.troubles() {
            let what = self.story.trouble(&mut self.lab, &mut self.watch, &mut self.tally);
            self.tell(&what);
            let pause = self.story.pause();
            self.run_for(pause)?;
        }
        let lasts = self.story.lasts();
        self.run_for(lasts)?;
        self.story.relieve(&mut self.lab);
        self.tell("relieved");
        // Whoever sleeps wakes, whoever joins has loaded, and whoever was silent for too long is gone.
        let wakes = self.story.wakes_at().saturating_sub(self.lab.now());
        self.run_for(wakes)?;
        self.all_play()?;

        self.run_for(GRACE + 2 * self.story.way())?;
        self.tell("quiet");
        self.watch.quiet_begins(&mut self.lab);
        self.run_for(QUIET)?;
        self.watch.quiet_ends(&mut self.lab)?;
        if self.story.stands() {
            self.story.stand(&mut self.lab);
            self.run_for(STANDS)?;
            self.all_stand()?;
            self.story.walk_again(&mut self.lab);
        }
        Ok(())
    }

    /// Within a second there is a moment at which all machines have the same, whoever begins another life meanwhile.
    fn all_stand(&mut self) -> Found<()> {
        let end = self.lab.now() + Moment::SECOND;
        loop {
            match self.watch.all_stand(&self.lab) {
                Err(_) if self.lab.now() < end => self.step()?,
                found => return found,
            }
        }
    }

    /// The game ends, everybody is back in the lobby, and another begins.
    fn another(&mut self) -> Found<()> {
        self.watch.trouble_begins();
        self.tell("another game");
        self.lab.end();
        self.run_for(2 * Moment::SECOND)?;
        self.lab.to_lobby();
        self.run_for(Moment::SECOND)?;
        self.begin()
    }

    /// The host goes, in one way or another, and everybody gets to know.
    fn end(&mut self) -> Found<()> {
        let ending = self.story.ending();
        self.tell(&format!("{ending:?}"));
        match ending {
            Ending::Leaves => self.lab.quit_host(),
            Ending::Killed => self.lab.kill_host(),
            Ending::Dark => self.lab.partition_host(true),
        }
        self.watch.host_is_gone();
        self.run_for(KNOWS_WITHIN)?;
        let ignorant = self.lab.clients.iter().position(|seat| seat.runs);
        ignorant.map_or(Ok(()), |place| {
            Err((Invariant::Parting, format!("client {place} does not know that its host is gone")))
        })
    }

    fn tell(&mut self, what: &str) {
        let line = format!("{:9.3} s tick {}: {what}", self.lab.now() as f64 / 1e6, self.lab.tick().get());
        (self.tell)(&line);
    }

    /// One step of one machine, and a look at it. A panic ends the game as anything else does that is found, so that
    /// it has its tick.
    fn step(&mut self) -> Found<()> {
        let Self { lab, watch, tally, .. } = self;
        let step = AssertUnwindSafe(|| {
            let who = lab.step();
            watch.look(lab, who, tally)
        });
        catch_unwind(step).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err((Invariant::Panic, text.unwrap_or("without a word").into()))
        })
    }

    fn run_for(&mut self, micros: u64) -> Found<()> {
        let end = self.lab.now() + micros;
        while self.lab.now() < end && (self.lab.host.runs || self.lab.clients.iter().any(|seat| seat.runs)) {
            self.step()?;
        }
        Ok(())
    }

    fn until(&mut self, what: &str, holds: impl Fn(&Lab) -> bool) -> Found<()> {
        let end = self.lab.now() + BEGINS_WITHIN * Moment::SECOND;
        while !holds(&self.lab) {
            if self.lab.now() > end {
                return Err((Invariant::Parting, format!("not within {BEGINS_WITHIN} s: {what}")));
            }
            self.step()?;
        }
        Ok(())
    }
}

/// See [`Who`]; for what is said of what was found.
fn name(who: Who) -> String {
    match who {
        Who::Host => String::from("the host"),
        Who::Client(place) => format!("client {place}"),
    }
}
