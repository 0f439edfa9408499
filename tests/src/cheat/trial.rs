//! What a lie is worth: the same game with an honest client and with one that lies, and how far the host's copy of the
//! second got ahead of that of the first. Knows what the authority's rows allow; its code it asks nothing but numbers.
//!
//! Both games have one seed, one network and one list of inputs. The host's word is what counts: where its copy is at
//! the end of each of its ticks.

mod kit;
mod places;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::health::{MOST, Vitality};
use mjolnir_wire::{Buttons, Input, Moment, Slot, Vec3};

use super::Cheat;
use crate::lab::{Lab, Plan, Who};
use crate::played::{Hand, go, still};
use crate::seat::Seating;

pub use kit::kit;

/// Ticks of a game that are measured: a minute.
pub const TICKS: u32 = 1800;
/// Who turns upward so low came down and jumped in one tick: it falls so far in one, in wu, from as high as is believed.
const HOPS_FROM: f32 = 0.12;
/// Milliseconds each way.
pub const LATENCIES: [u64; 2] = [0, 100];
/// Ticks in which everybody comes to stand.
const BEFORE: u32 = 60;
/// Ticks from one hop to the next.
const HOP: u32 = 60;
const SEED: u64 = 61;

/// A kilometre of floor, that a player runs along from one end.
const STRIP: &str =
    "about A strip.\nbounds -10 -20 -2  1000 20 60\nbox -20 -30 -1  1010 30 0\nspawn 0 0 0  0";
/// A cliff of 20 wu.
const CLIFF: &str = "about A cliff.\nbounds -20 -20 -2  600 20 60\nbox -30 -30 -1  610 30 0\nbox -20 -20 0  2 20 20\nspawn 0 0 20  0";

/// A strip with a wall of 2 wu across it.
const WALL: &str = "about A wall.\nbounds -10 -20 -2  1000 20 60\nbox -20 -30 -1  1010 30 0\nbox 10 -20 0  12 20 60\nspawn 0 0 0  0";
/// A strip with a car at its begin.
const ROAD: &str = "about A strip with a car.\nbounds -10 -20 -2  1700 20 60\nbox -20 -30 -1  1710 30 0\nspawn 0 0 0  0\nitem car 1 0 0.3";
/// A strip with a gun at its begin.
const GUN: &str = "about A strip with a gun.\nbounds -10 -20 -2  1000 20 60\nbox -20 -30 -1  1010 30 0\nspawn 0 0 0  0\nitem turret 1 0 0.4";
/// A strip with a flyer at its begin.
const FIELD: &str = "about A strip with a flyer.\nbounds -10 -20 -2  1700 20 60\nbox -20 -30 -1  1710 30 0\nspawn 0 0 0  0\nitem flyer 1 0 0.5";
/// Water with a boat at its shore.
const LAKE: &str = "about A lake with a boat.\nbounds -10 -20 -5  1700 20 60\nbox -20 -30 -4  1710 30 -3\nbox -20 -30 -3  0.5 30 0\nwater 0.5 -20  1690 20 -0.2\nspawn 0 0 0  0\nitem boat 1.2 0 -0.3";
/// An elevator that goes up by itself, upon which a player begins.
const UPWARD: &str = "about An elevator up.\nbounds -20 -20 -2  20 20 60\nbox -30 -30 -1  30 30 0\nplatform lift -1.5 -1.5 -0.3  1.5 1.5 0.1  0 0 20  0.1 90\nspawn 0 0 0.1  0";
/// One that goes down.
const DOWNWARD: &str = "about An elevator down.\nbounds -20 -20 -2  20 20 60\nbox -30 -30 -1  30 30 0\nplatform lift -1.5 -1.5 19.7  1.5 1.5 20.1  0 0 -19.9  0.1 90\nspawn 0 0 20.1  0";
/// One that goes up, and a player begins beside it.
const BESIDE: &str = "about An elevator beside.\nbounds -20 -20 -2  20 20 60\nbox -30 -30 -1  30 30 0\nplatform lift 1 -1.5 -0.3  4 1.5 0.1  0 0 20  0.1 90\nspawn 0 0 0  0";
/// A strip with a pad that a player runs onto, which leads 200 wu on.
const PADDED: &str = "about A pad.\nbounds -20 -20 -2  400 20 60\nbox -30 -30 -1  410 30 0\npad 10 0 0  210 0 0\nspawn 0 0 0  0";
/// Players begin 1.2 wu off a pad.
const BY_A_PAD: &str = "about Beside a pad.\nbounds -20 -20 -2  400 20 60\nbox -30 -30 -1  410 30 0\npad 1.2 0 0  210 0 0\nspawn 0 0 0  0";
/// Players begin within a world unit of one.
const AT_A_PAD: &str = "about At a pad.\nbounds -20 -20 -2  400 20 60\nbox -30 -30 -1  410 30 0\npad 0.8 0 0  210 0 0\nspawn 0 0 0  0";
/// A car 30 wu off.
const LOT: &str = "about A car far off.\nbounds -20 -20 -2  400 20 60\nbox -30 -30 -1  410 30 0\nspawn 0 0 0  0\nitem car 30 0 0.3";
/// Ticks from one throw to the next.
pub const THROWN_EACH: u32 = 300;
/// Ticks from one stall of the host to the next.
pub const STALLED_EACH: u32 = 150;
/// What a throw gives, wu a tick.
pub const THROW: Vec3 = Vec3::new(0.3, 0.0, 0.15);

/// Where a game is played, and what the player does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It runs along a strip.
    Run,
    /// The same, and it jumps each two seconds.
    Hop,
    /// It runs off a cliff of 20 wu.
    Fall,
    /// It runs along a strip, and each ten seconds the host throws it ahead.
    Thrown,
    /// It runs along a strip, and each five seconds the host's program stands still for one.
    Stalled,
    /// It runs against a wall 10 wu off.
    Wall,
    /// It gets into a car and drives along a strip.
    Drive,
    /// It gets to a gun that stands where it is.
    Gun,
    /// It gets into a boat and drives along a strip of water.
    Sail,
    /// It gets into a flyer and flies along a strip.
    Fly,
    /// It stands on an elevator that goes up and down by itself.
    Up,
    /// The same, from the top.
    Down,
    /// The same, and it jumps each two seconds.
    DownHopping,
    /// It stands beside one.
    Beside,
    /// It runs over a pad that leads 200 wu on.
    Pad,
    /// It stands 1.2 wu off one.
    ByPad,
    /// It stands 0.8 wu off one.
    AtPad,
    /// It stands 30 wu off a car.
    Lot,
}

impl Course {
    const ALL: [Self; 18] = [
        Self::Run,
        Self::Hop,
        Self::Fall,
        Self::Thrown,
        Self::Stalled,
        Self::Wall,
        Self::Drive,
        Self::Gun,
        Self::Sail,
        Self::Fly,
        Self::Up,
        Self::Down,
        Self::DownHopping,
        Self::Beside,
        Self::Pad,
        Self::ByPad,
        Self::AtPad,
        Self::Lot,
    ];

    const fn ground(self) -> &'static str {
        match self {
            Self::Run | Self::Hop | Self::Thrown | Self::Stalled => STRIP,
            Self::Fall => CLIFF,
            Self::Wall => WALL,
            Self::Drive => ROAD,
            Self::Gun => GUN,
            Self::Sail => LAKE,
            Self::Fly => FIELD,
            Self::Up => UPWARD,
            Self::Down | Self::DownHopping => DOWNWARD,
            Self::Beside => BESIDE,
            Self::Pad => PADDED,
            Self::ByPad => BY_A_PAD,
            Self::AtPad => AT_A_PAD,
            Self::Lot => LOT,
        }
    }

    fn hand(self) -> Hand {
        let mut ticks = 0_u32;
        match self {
            Self::Run | Self::Fall | Self::Thrown | Self::Stalled | Self::Wall | Self::Pad => go(0.0),
            Self::Up | Self::Down | Self::Beside | Self::ByPad | Self::AtPad | Self::Lot => still(),
            Self::DownHopping => Box::new(move |_, _, _| {
                ticks += 1;
                let buttons = if ticks.is_multiple_of(HOP) { Buttons::JUMP } else { Buttons::default() };
                Input { buttons, ..Input::default() }
            }),
            Self::Drive | Self::Gun | Self::Sail | Self::Fly => Box::new(move |_, _, _| {
                ticks += 1;
                let buttons = if ticks == 1 { Buttons::ACTION } else { Buttons::default() };
                Input { buttons, throttle: [1.0, 0.0], ..Input::default() }
            }),
            Self::Hop => Box::new(move |_, _, _| {
                ticks += 1;
                let buttons = if ticks.is_multiple_of(HOP) { Buttons::JUMP } else { Buttons::default() };
                Input { buttons, throttle: [1.0, 0.0], ..Input::default() }
            }),
        }
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Run | Self::Hop => "",
            Self::Fall => "off a cliff of 20 wu: ",
            Self::Thrown => "thrown each ten seconds: ",
            Self::Stalled => "while the host stalls for a second each five: ",
            Self::Wall => "before a wall: ",
            Self::Drive => "in a car: ",
            Self::Gun => "at a gun: ",
            Self::Sail => "in a boat: ",
            Self::Fly => "in a flyer: ",
            Self::Up => "on an elevator that goes up: ",
            Self::Down => "on one that goes down: ",
            Self::DownHopping => "jumping on one that goes down: ",
            Self::Beside => "beside an elevator: ",
            Self::Pad => "before a pad: ",
            Self::ByPad => "1.2 wu off a pad: ",
            Self::AtPad => "0.8 wu off a pad: ",
            Self::Lot => "30 wu off a car: ",
        })
    }
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// By how many wu it is further that way than the honest one at the same tick, at most.
    Along(Vec3),
    /// By how many wu more it gets ahead in a second than the honest one, at most.
    Dash,
    /// By how many wu its highest is above the honest one's highest.
    Above,
    /// By how many ticks its longest time off the ground is longer.
    Aloft,
    /// By how many ticks it comes down from its cliff later.
    Later,
    /// By how many ticks it is through the pad before it.
    Sooner,
    /// How often it goes 100 wu and more in a tick.
    Leaps,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Along(way) if *way == Vec3::UP => "wu higher",
            Self::Along(way) if *way == -Vec3::UP => "wu lower",
            Self::Along(_) => "wu on",
            Self::Dash => "wu in a second",
            Self::Above => "wu up",
            Self::Aloft => "ticks longer up",
            Self::Later => "ticks later down",
            Self::Sooner => "ticks sooner through",
            Self::Leaps => "leaps more",
        })
    }
}

/// A lie, and what it may be worth.
#[derive(Clone, Debug)]
pub struct Trial {
    /// All that is lied about.
    pub cheats: Vec<Cheat>,
    /// Where.
    pub course: Course,
    /// What is looked at.
    pub measure: Measure,
    /// The most that it may come to by the rows, at a latency that no player has more of.
    pub most: f64,
    /// The least: what the rows take in full.
    pub least: f64,
    /// By which rows.
    pub rows: &'static str,
}

impl Trial {
    /// In words.
    pub fn name(&self) -> String {
        let words: Vec<String> = self.cheats.iter().map(Cheat::to_string).collect();
        format!("{}{}", self.course, words.join(", "))
    }
}

/// What a lie came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// As its measure has it.
    pub most: f64,
    /// Predictions of the minute that the host took, and that it did not.
    pub taken: u64,
    /// See `taken`.
    pub refused: u64,
}

/// A player's way as the host had it.
#[derive(Clone, Debug, Default)]
struct Path {
    places: Vec<Option<Vec3>>,
    taken: u64,
    refused: u64,
}

impl Path {
    fn highest(&self) -> f64 {
        self.places.iter().flatten().map(|place| f64::from(place.z)).fold(f64::MIN, f64::max)
    }

    /// The most ticks that it is off the ground in a row. Who came down and jumped in one tick was on it between.
    fn aloft(&self) -> usize {
        let height = |at: usize| self.places[at].map_or(0.0, |place| place.z);
        let (mut most, mut aloft) = (0, 0);
        for at in 0..self.places.len() {
            let hops = at >= 2 && {
                let (before, last) = (height(at - 2), height(at - 1));
                last < before && last < height(at) && last <= HOPS_FROM
            };
            aloft = if height(at) <= 0.05 || hops { 0 } else { aloft + 1 };
            most = most.max(aloft);
        }
        most
    }

    /// How far it gets in a second at most.
    fn dash(&self) -> f64 {
        let seconds = self.places.iter().zip(self.places.iter().skip(30));
        let ahead = seconds.filter_map(|(from, to)| Some(f64::from((*to)?.x - (*from)?.x)));
        ahead.fold(0.0, f64::max)
    }

    /// The tick in which it came through the pad.
    fn passing(&self) -> usize {
        let is_through = |place: &Option<Vec3>| place.is_some_and(|place| place.x > 100.0);
        self.places.iter().position(is_through).unwrap_or(self.places.len())
    }

    fn leaps(&self) -> usize {
        let steps = self.places.iter().zip(self.places.iter().skip(1));
        let far = |(from, to): &(&Option<Vec3>, &Option<Vec3>)| {
            from.zip(**to).is_some_and(|(from, to)| from.distance(to) > 100.0)
        };
        steps.filter(far).count()
    }

    /// The tick in which it came down from its cliff, dead or alive.
    fn landing(&self) -> usize {
        let is_down = |place: &Option<Vec3>| place.is_none_or(|place| place.z < 0.1);
        self.places.iter().position(is_down).unwrap_or(self.places.len())
    }
}

/// Plays one game.
fn play(course: Course, cheats: &[Cheat], milliseconds: u64) -> Path {
    let plan = Plan { ground: Some(course.ground()), ..Plan::new("flat", SEED, 1) };
    let mut lab = Lab::play_as(plan.network(milliseconds, 0.0), Seating::of(Vec::new()), |_| {
        Seating::of(vec![still()])
    });
    lab.run_ticks(BEFORE);
    let slot = lab.clients[0].slot();
    lab.clients[0].engine.take_over(0, course.hand());
    lab.clients[0].cheat(cheats);
    let before = lab.host.net.authority().takings();
    let mut places = Vec::new();
    lab.watch_ticks(TICKS, |lab, who| {
        if who == Who::Host {
            places.push(lab.host.engine.world().position(slot));
            if course == Course::Stalled && (places.len() as u32).is_multiple_of(STALLED_EACH) {
                lab.sleep(Who::Host, Moment::SECOND, false);
            }
            let world = lab.host.engine.world_mut();
            if course == Course::Thrown && (places.len() as u32).is_multiple_of(THROWN_EACH) {
                throw(world, slot, THROW);
            }
            // A fall that kills would end what is measured.
            if let Some(unit) = world.unit(slot) {
                world.set_vitality(unit, Vitality { body: MOST, shield: MOST, ..Vitality::WHOLE });
            }
        }
    });
    let now = lab.host.net.authority().takings();
    let refused = |of: mjolnir_engine_glue::authority::Takings| of.past_bounds + of.past_tolerance;
    Path { places, taken: now.taken - before.taken, refused: refused(now) - refused(before) }
}

/// A unit flies off, as from an explosion.
fn throw(world: &mut World, slot: Slot, velocity: Vec3) {
    if let (Some(unit), Some(place)) = (world.unit(slot), world.position(slot)) {
        world.place(unit, place, Some(velocity), None);
    }
}

fn compare(measure: Measure, honest: &Path, liar: &Path) -> f64 {
    match measure {
        Measure::Along(way) => {
            let both = honest.places.iter().zip(&liar.places);
            let on = both.filter_map(|(honest, liar)| Some(f64::from(((*liar)? - (*honest)?).dot(way))));
            on.fold(0.0, f64::max)
        }
        Measure::Dash => liar.dash() - honest.dash(),
        Measure::Above => (liar.highest() - honest.highest()).max(0.0),
        Measure::Aloft => liar.aloft() as f64 - honest.aloft() as f64,
        Measure::Sooner => honest.passing() as f64 - liar.passing() as f64,
        Measure::Leaps => liar.leaps() as f64 - honest.leaps() as f64,
        Measure::Later => liar.landing() as f64 - honest.landing() as f64,
    }
}

/// Plays all of the trials at each latency, as many games at once as there are cores; what they came to, in order.
pub fn run(trials: &[Trial]) -> Vec<[Worth; LATENCIES.len()]> {
    let honest = Course::ALL.map(|course| LATENCIES.map(|ms| play(course, &[], ms)));
    let next = AtomicUsize::new(0);
    let (give, got) = mpsc::channel();
    let work = |give: mpsc::Sender<_>| {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(trial) = trials.get(at)
        {
            let mut latency = 0;
            let worth = LATENCIES.map(|ms| {
                let path = play(trial.course, &trial.cheats, ms);
                let most = compare(trial.measure, &honest[trial.course as usize][latency], &path);
                latency += 1;
                Worth { most, taken: path.taken, refused: path.refused }
            });
            // Nobody but a test that failed hangs up.
            let _ = give.send((at, worth));
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
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, worth)| worth).collect()
}

/// The table as it stands in `docs/security.md`.
pub fn table(trials: &[Trial], worth: &[[Worth; LATENCIES.len()]]) -> String {
    let mut lines = vec![
        String::from("| who | at 0 ms | at 100 ms | at most | of what | by | refused at 0, 100 ms |"),
        String::from("|---|---|---|---|---|---|---|"),
    ];
    for (trial, worth) in trials.iter().zip(worth) {
        let [near, far] = worth;
        lines.push(format!(
            "| {} | {:.2} | {:.2} | {:.2} | {} | {} | {} / {} |",
            trial.name(),
            near.most,
            far.most,
            trial.most,
            trial.measure,
            trial.rows,
            near.refused,
            far.refused,
        ));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
