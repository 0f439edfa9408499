//! Where games of honest players are played, and what plays them there: bots, who falls, rides, commutes, drives. Each does
//! so again and again, by its seed alone. Knows a machine's own world, as a player does, and no trouble.

use std::f32::consts::{PI, TAU};

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::{Buttons, Input, Slot, Vec3};

use crate::played::{Hand, bot};

/// A peak of 200 wu, from which one falls whichever way one goes.
const PEAK: &str = "about A peak.\nbounds -200 -200 -2  200 200 230\nbox -210 -210 -1  210 210 0\nbox -3 -3 0  3 3 200\nspawn -1 -1 200  0\nspawn 1 1 200  180";

/// Two elevators to a deck, one that goes by itself and one by its switches, and a ferry from there to another.
const SHAFTS: &str = "about Elevators and a ferry.
bounds -20 -30 -2  70 30 60
box -24 -34 -1  74 34 0
platform lift  30 -1.5 -0.3  33 1.5 0.1  0 0 20  0.1 90
platform hoist 30 6 -0.3  33 9 0.1  0 0 20  0.2
switch hoist 29.5 7.5 0
switch hoist 34 7.5 20.1
switch hoist 31.5 8.5 0.1
box 33 -6 19.7  45 12 20.1
platform ferry 45 -1.5 19.7  48 1.5 20.1  7 0 0  0.06 60
box 55 -6 19.7  63 6 20.1
spawns 20 -4  26 10  3 4  0
";
/// Pads that lead to a deck, from there to a perch of 200 wu, and the way down from both.
const PADS: &str = "about Pads, a deck and a perch.
bounds -60 -60 -2  60 60 230
box -64 -64 -1  64 64 0
box 30 -6 7.6  42 6 8
box 30 20 199.6  36 26 200
pad -30 0 0  40 0 8
pad -30 20 0  30 -30 0
pad 32 -4 8  33 23 200
spawns -36 -6  -24 16  3 4  0
";
/// A mound of 20 wu with a ramp up from either side and nothing at its others, cars and flyers.
const MOUND: &str = "about A mound to drive off.
bounds -130 -130 -2  130 130 120
box -134 -134 -1  134 134 0
box -12 -12 0  12 12 20
ramp 92 0 0  12 0 20  12 0.6
ramp -92 0 0  -12 0 20  12 0.6
spawn 100 -10 0  0
spawn -100 10 0  180
spawn 100 10 0  0
spawn -100 -10 0  180
items car 101 -10  101 10  1 2  0.3
items car -101 -10  -101 10  1 2  0.3
";
/// A plain with a block of 20 wu, and flyers.
const FIELD: &str = "about Flyers over a plain.
bounds -130 -130 -2  130 130 120
box -134 -134 -1  134 134 0
box -12 -12 0  12 12 20
spawn 60 -10 0  0
spawn -60 10 0  180
items flyer 61 -10  61 10  1 2  0.5
items flyer -61 -10  -61 10  1 2  0.5
";

/// Where a game is played, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Course {
    /// Bots, on one of the maps.
    Bots,
    /// Players that fall 200 wu, to their deaths.
    Peak,
    /// Players that step on elevators and a ferry, ride, walk, jump and turn them about there, and step off.
    Riders,
    /// Players that go over teleporter pads, turn about at once, and walk off a perch of 200 wu.
    Commuters,
    /// Players that drive cars up a mound of 20 wu and off its edges.
    Drivers,
    /// Players that fly any way.
    Flyers,
}

impl Course {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Bots, Self::Peak, Self::Riders, Self::Commuters, Self::Drivers, Self::Flyers];

    /// What it is played on, if not on a map by its name.
    pub(super) const fn ground(self) -> Option<&'static str> {
        match self {
            Self::Bots => None,
            Self::Peak => Some(PEAK),
            Self::Riders => Some(SHAFTS),
            Self::Commuters => Some(PADS),
            Self::Drivers => Some(MOUND),
            Self::Flyers => Some(FIELD),
        }
    }

    /// What plays a player there.
    pub(super) fn hand(self, seed: u64) -> Hand {
        match self {
            Self::Bots => bot(seed),
            Self::Peak => wanders(seed),
            Self::Riders => rides(seed),
            Self::Commuters => commutes(seed),
            Self::Drivers => drives(seed),
            Self::Flyers => flies(seed),
        }
    }
}

/// One that runs, another way from time to time.
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

/// It walks straight there, and is there exactly.
fn walk(world: &World, place: Vec3, to: Vec3) -> Input {
    let way = (to - place).across();
    let stick = (way.length() / world.limits().run).min(1.0);
    Input { yaw: World::yaw(way), throttle: [stick, 0.0], ..Input::default() }
}

/// Where a platform is stepped on and off, at its begin and at its end.
struct Shaft {
    /// Beside it and upon it, at its begin.
    begin: [Vec3; 2],
    /// Beside it and upon it, at its end.
    end: [Vec3; 2],
    /// How far it carries.
    travel: Vec3,
}

const fn shaft(beside: [Vec3; 2], upon: Vec3, travel: Vec3) -> Shaft {
    let there = Vec3::new(upon.x + travel.x, upon.y + travel.y, upon.z + travel.z);
    Shaft { begin: [beside[0], upon], end: [beside[1], there], travel }
}

const UP: Vec3 = Vec3::new(0.0, 0.0, 20.0);
const HOIST: u16 = 1;
/// By the platform's place in [`SHAFTS`].
const SHAFTS_OF: [Shaft; 3] = [
    shaft([Vec3::new(28.5, 0.0, 0.0), Vec3::new(36.0, 0.0, 20.1)], Vec3::new(31.5, 0.0, 0.1), UP),
    shaft([Vec3::new(29.2, 7.5, 0.0), Vec3::new(34.3, 7.5, 20.1)], Vec3::new(31.5, 7.9, 0.1), UP),
    shaft(
        [Vec3::new(43.5, 0.0, 20.1), Vec3::new(57.0, 0.0, 20.1)],
        Vec3::new(46.5, 0.0, 20.1),
        Vec3::new(7.0, 0.0, 0.0),
    ),
];

/// One that goes up and down in elevators and to and fro with a ferry.
fn rides(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let (mut at, mut mood, mut left, mut aside) = (0, 0, 0_u32, Vec3::ZERO);
    Box::new(move |world, slot, tick| {
        let Some(place) = world.position(slot) else { return Input::default() };
        left = left.saturating_sub(1);
        if left == 0 {
            (mood, left) = (random.below(6), 20 + random.below(80));
            aside = Vec3::new(random.signed(), random.signed(), 0.0);
            let near =
                |shaft: &Shaft| (shaft.begin[0].z - place.z).abs().min((shaft.end[0].z - place.z).abs());
            let any = random.below(3) as usize;
            // On the ground no ferry is had.
            at = if near(&SHAFTS_OF[any]) < 1.0 { any } else { any % 2 };
        }
        let held = |button, every: i32| if tick.get() % every < 2 { button } else { Buttons::default() };
        let on = world.carried_by(slot).filter(|carriage| carriage.contact);
        if let Some(carriage) = on {
            let shaft = &SHAFTS_OF[usize::from(carriage.platform)];
            let Some(device) = world.devices().nth(usize::from(carriage.platform)) else {
                return Input::default();
            };
            let upon = shaft.begin[1] + shaft.travel * device.position;
            let stands = Input::default();
            return match mood {
                0 => stands,
                // It turns it about, where it has a switch.
                1 if carriage.platform == HOIST => {
                    Input { buttons: held(Buttons::ACTION, 45), ..walk(world, place, upon) }
                }
                1 | 2 => walk(world, place, upon + aside),
                3 => Input { buttons: held(Buttons::JUMP, 50), ..stands },
                4 => Input { buttons: held(Buttons::JUMP, 37), ..walk(world, place, upon + aside) },
                // Off it, where there is something to step on; one that will not wait leaves it on its way.
                _ if device.position > 0.9 => walk(world, place, shaft.end[0]),
                _ if device.position < 0.1 => walk(world, place, shaft.begin[0]),
                _ if carriage.platform == HOIST && device.moving => stands,
                _ => Input { buttons: held(Buttons::ACTION, 45), ..walk(world, place, upon) },
            };
        }
        let shaft = &SHAFTS_OF[at];
        let Some(device) = world.devices().nth(at) else { return Input::default() };
        let is_at_begin = if at == 2 { place.x < 50.0 } else { place.z < 10.0 };
        let ([beside, upon], is_there) = if is_at_begin {
            (shaft.begin, device.position < 0.05)
        } else {
            (shaft.end, device.position > 0.95)
        };
        match (is_there, at == usize::from(HOIST)) {
            (true, _) => walk(world, place, upon + aside * 0.5),
            // Some run into an empty shaft, or off an edge.
            (false, _) if mood == 5 && !is_at_begin => walk(world, place, upon),
            (false, true) => Input { buttons: held(Buttons::ACTION, 40), ..walk(world, place, beside) },
            (false, false) => walk(world, place, beside),
        }
    })
}

/// Where pads are in [`PADS`].
const PADS_OF: [Vec3; 6] = [
    Vec3::new(-30.0, 0.0, 0.0),
    Vec3::new(40.0, 0.0, 8.0),
    Vec3::new(-30.0, 20.0, 0.0),
    Vec3::new(30.0, -30.0, 0.0),
    Vec3::new(32.0, -4.0, 8.0),
    Vec3::new(33.0, 23.0, 200.0),
];

/// One that goes onto the nearest pad, turns at once where that leads, goes off it anywhere, and on again or to another:
/// as soon, and as near to its rim, as one can. Now and then it jumps, or runs off whatever it is on.
fn commutes(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let (mut goal, mut was, mut runs, mut yaw) = (None, Vec3::ZERO, 0_u32, 0.0);
    Box::new(move |world, slot, _| {
        let Some(place) = world.position(slot) else { return Input::default() };
        let was_sent = was.distance(place) > 5.0;
        was = place;
        runs = runs.saturating_sub(1);
        if random.once_in(300) {
            (runs, yaw) = (90, TAU * random.part());
        }
        let buttons = if random.once_in(60) { Buttons::JUMP } else { Buttons::default() };
        let on_level = |pad: &&Vec3| (pad.z - place.z).abs() < 3.0;
        let pads: Vec<Vec3> = PADS_OF.iter().filter(on_level).copied().collect();
        let nearest = pads.iter().copied().min_by(|a, b| a.distance(place).total_cmp(&b.distance(place)));
        let Some(nearest) = nearest.filter(|_| runs == 0) else {
            return Input { yaw, throttle: [1.0, 0.0], ..Input::default() };
        };
        let to = match goal {
            Some(to) if !was_sent && place.distance(to) > 0.3 => to,
            _ if !was_sent && place.distance(nearest) > 1.0 => {
                if random.once_in(3) {
                    pads[random.below(pads.len() as u32) as usize]
                } else {
                    nearest
                }
            }
            _ => {
                let (sin, cos) = (TAU * random.part()).sin_cos();
                nearest + Vec3::new(cos, sin, 0.0) * 1.5
            }
        };
        goal = Some(to);
        Input { yaw: World::yaw(to - place), throttle: [1.0, 0.0], buttons, ..Input::default() }
    })
}

/// One that gets into the nearest vehicle if it rides none; then what `at_wheel` makes of where that is.
fn in_vehicle(mut at_wheel: impl FnMut(Vec3) -> Input + 'static) -> Hand {
    Box::new(move |world, slot: Slot, tick| {
        let Some(place) = world.position(slot) else { return Input::default() };
        let ride = world.unit(slot).and_then(|unit| world.ride(unit));
        if let Some(motion) = ride.and_then(|(vehicle, _)| world.motion(vehicle)) {
            return at_wheel(motion.position);
        }
        if world.seat_near(place).is_some_and(|(_, seat)| seat == 0) {
            let buttons = if tick.get() % 30 < 2 { Buttons::ACTION } else { Buttons::default() };
            return Input { buttons, ..Input::default() };
        }
        let free =
            world.objects().filter(|object| world.riders(*object).is_some_and(|riders| riders[0].is_none()));
        let places = free.filter_map(|object| Some(world.motion(object)?.position));
        let near = places.min_by(|a, b| a.distance(place).total_cmp(&b.distance(place)));
        near.map_or(Input::default(), |to| walk(world, place, to))
    })
}

/// One that drives up the mound, off it, and round to a ramp again.
fn drives(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let (mut goals, mut stick, mut ticks) = (Vec::new(), 1.0, 0_u32);
    in_vehicle(move |place| {
        ticks += 1;
        if goals.is_empty() {
            let side = if place.x < 0.0 { -1.0 } else { 1.0 };
            let off = if random.once_in(2) { -1.0 } else { 1.0 };
            let edge = Vec3::new(8.0 * random.signed(), 60.0 * off, 0.0);
            // The last first.
            goals = vec![edge, Vec3::new(2.0 * random.signed(), 0.0, 20.0), Vec3::new(98.0 * side, 0.0, 0.0)];
        }
        if random.once_in(90) {
            stick = if random.once_in(4) { -0.5 } else { 1.0 };
        }
        if goals.last().is_some_and(|goal: &Vec3| (*goal - place).across().length() < 6.0) || ticks > 900 {
            (ticks, stick) = (0, 1.0);
            goals.pop();
        }
        let to = goals.last().copied().unwrap_or(Vec3::ZERO);
        Input { yaw: World::yaw((to - place).across()), throttle: [stick, 0.0], ..Input::default() }
    })
}

/// One that flies any way, within the world.
fn flies(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let (mut yaw, mut pitch, mut stick) = (0.0, 0.3, 1.0);
    in_vehicle(move |place| {
        if random.once_in(50) {
            (yaw, pitch) = (PI * (1.0 + random.signed()), random.signed());
            stick = if random.once_in(5) { -1.0 } else { random.part() };
        }
        if place.across().length() > 100.0 {
            (yaw, stick) = (World::yaw((Vec3::ZERO - place).across()), 1.0);
        }
        if place.z > 100.0 {
            pitch = -0.5;
        }
        let up = if random.once_in(20) { Buttons::JUMP } else { Buttons::default() };
        Input { yaw, pitch, throttle: [stick, 0.0], buttons: up, ..Input::default() }
    })
}
