//! Players that move and hurt each other by one means: where they fight, and how. They know their machine's own world alone,
//! as a player does.

use std::f32::consts::TAU;

use mjolnir_skirmish::game::effects::{FRAG, Shot};
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_wire::{Buttons, Input, Slot, Vec3};

use crate::played::Hand;

/// How far above what aims straight ahead a grenade is thrown, in radians.
const TOSSED: f32 = 0.15;
/// A body's middle, above its feet, in wu.
const MIDDLE: f32 = 0.4;
/// So far from a vehicle one gets in, in wu.
const BOARDS: f32 = 0.9;
/// Nearer to its target than this a wall is not looked for, and further off it fires at nobody, in wu.
const SIGHT: f32 = 24.0;

/// By what is fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Hits at once.
    Rifle,
    /// What it fires flies.
    Pistol,
    /// Fifteen at once.
    Shotgun,
    /// Far off, through a scope.
    Sniper,
    /// What it fires is slow, and a shield deflects it.
    Plasma,
    /// An explosion and its shock wave.
    Rocket,
    /// A grenade that bounces.
    Frag,
    /// A grenade that sticks.
    Sticky,
    /// By hand.
    Blow,
    /// A vehicle that drives into people.
    Car,
    /// A gun that stands.
    Turret,
}

/// A hall with a hill to fall off, two pads, an elevator that goes by itself, and nothing in hand.
const HALL: &str = "bounds -24 -24 -4 24 24 20
box -24 -24 -1 24 24 0
box -15 -15 0 -14 15 4
box 14 -15 0 15 15 4
box -15 -15 0 15 -14 4
box -15 14 0 15 15 4
ramp 2 6 0 6 6 2 4 0.3
box 6 4 0 10 8 2
pad -12 -12 0 12 12 0
platform lift -8 4 0 -5 7 0.1 0 0 2 0.04 60
spawns -11 -11 11 11 4 4 0
";

impl Means {
    /// Each of them.
    pub const ALL: [Self; 11] = [
        Self::Rifle,
        Self::Pistol,
        Self::Shotgun,
        Self::Sniper,
        Self::Plasma,
        Self::Rocket,
        Self::Frag,
        Self::Sticky,
        Self::Blow,
        Self::Car,
        Self::Turret,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rifle => "rifle",
            Self::Pistol => "pistol",
            Self::Shotgun => "shotgun",
            Self::Sniper => "sniper",
            Self::Plasma => "plasma",
            Self::Rocket => "rocket",
            Self::Frag => "frag",
            Self::Sticky => "sticky",
            Self::Blow => "blow",
            Self::Car => "car",
            Self::Turret => "turret",
        }
    }

    /// Whether it is a vehicle's: then others have nothing to fight with.
    pub const fn rides(self) -> bool {
        matches!(self, Self::Car | Self::Turret)
    }

    /// The kind of grenade, if it is one.
    pub const fn grenade(self) -> Option<Kind> {
        match self {
            Self::Frag => Some(Kind::Grenades),
            Self::Sticky => Some(Kind::Stickies),
            _ => None,
        }
    }

    /// The weapon that is carried, if it is one.
    const fn weapon(self) -> Option<Kind> {
        Some(match self {
            Self::Rifle => Kind::Rifle,
            Self::Pistol => Kind::Pistol,
            Self::Shotgun => Kind::Shotgun,
            Self::Sniper => Kind::Sniper,
            Self::Plasma => Kind::Plasma,
            Self::Rocket => Kind::Launcher,
            _ => return None,
        })
    }

    /// Where it is fought, as a map's text.
    pub fn ground(self) -> &'static str {
        let carries = self.weapon().or(self.grenade());
        let lines = match self {
            Self::Car => String::from("items car -9 -9 9 9 2 2 0.2\n"),
            Self::Turret => String::from("item turret -2 0 0.1\nitem turret 2 3 0.1\nitem turret 0 -4 0.1\n"),
            _ => carries.map_or(String::new(), |kind| format!("kit {}\n", kind.name())),
        };
        // A plan holds a text for good, and a table has as many games as it has.
        String::leak(format!("{HALL}{lines}"))
    }

    /// How far off it is best, in wu.
    const fn distance(self) -> f32 {
        match self {
            Self::Rifle | Self::Pistol => 8.0,
            Self::Sniper => 12.0,
            Self::Plasma | Self::Rocket => 6.0,
            Self::Shotgun => 4.0,
            Self::Frag | Self::Sticky => 5.0,
            Self::Blow => 0.5,
            Self::Car | Self::Turret => 0.0,
        }
    }

    /// How fast what it fires flies, in wu a tick.
    fn speed(self) -> Option<f32> {
        if self.grenade().is_some() {
            return Some(FRAG.speed);
        }
        match self.weapon()?.firing()?.shot {
            Shot::AtOnce(_) => None,
            Shot::Flies(flying) => Some(flying.speed),
        }
    }
}

/// How one walks about: which way for how long.
struct Steps {
    random: Random,
    throttle: [f32; 2],
    left: u32,
}

impl Steps {
    /// The stick and the buttons of the next tick: to its sides at full speed, now and then a jump or a crouch.
    fn next(&mut self, ahead: f32) -> Input {
        if self.left == 0 {
            self.left = 10 + self.random.below(40);
            let side = if self.random.once_in(2) { 1.0 } else { -1.0 };
            self.throttle = [self.random.signed(), side];
        }
        self.left -= 1;
        let buttons = match self.random.below(60) {
            0 => Buttons::JUMP,
            1 => Buttons::CROUCH,
            _ => Buttons::default(),
        };
        let throttle = [(self.throttle[0] * 0.5 + ahead).clamp(-1.0, 1.0), self.throttle[1]];
        Input { buttons, throttle, ..Input::default() }
    }
}

/// One that walks about without a weapon.
pub fn walker(seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let mut yaw = random.part() * TAU;
    let mut steps = Steps { random, throttle: [0.0; 2], left: 0 };
    Box::new(move |_, _, _| {
        yaw = (yaw + steps.random.signed() * 0.1).rem_euclid(TAU);
        Input { yaw, ..steps.next(0.5) }
    })
}

/// One that fights whoever is nearest, by those means, and never stands.
pub fn fighter(seed: u64, means: Means) -> Hand {
    let mut steps = Steps { random: Random::new(seed), throttle: [0.0; 2], left: 0 };
    let mut passed = 0_u32;
    Box::new(move |world, slot, _| {
        passed += 1;
        let Some(place) = world.position(slot) else { return Input::default() };
        if means.rides() && world.unit(slot).and_then(|unit| world.ride(unit)).is_none() {
            return boards(world, place, &mut steps, passed);
        }
        let Some((target, middle)) = nearest(world, slot, means.rides()) else { return steps.next(0.3) };
        let eyes = world.eyes(slot).unwrap_or(place);
        let far = middle.distance(eyes);
        let led = middle
            + world.velocity(target).unwrap_or_default() * means.speed().map_or(0.0, |speed| far / speed);
        let to = led - eyes;
        let mut pitch = libm::atan2f(to.z, to.across().length().max(0.1));
        if means.grenade().is_some() {
            let falls = world.limits().gravity * far / (FRAG.speed * FRAG.speed);
            pitch += 0.5 * libm::asinf(falls.clamp(0.0, 1.0)) - TOSSED;
        }
        let yaw = World::yaw(to.across());
        let ahead = if far > means.distance() { 0.7 } else { -0.7 };
        let sees = far < SIGHT && world.sees(eyes, middle);
        let mut input = match means {
            Means::Car => Input { throttle: [1.0, 0.0], ..Input::default() },
            Means::Turret => Input::default(),
            Means::Blow => Input { throttle: [1.0, 0.0], ..steps.next(0.0) },
            _ => steps.next(ahead),
        };
        (input.yaw, input.pitch) = (yaw, pitch.clamp(-1.4, 1.4));
        let pulse = passed.is_multiple_of(2);
        input.buttons = input.buttons.union(match means {
            Means::Blow if pulse => Buttons::MELEE,
            Means::Frag | Means::Sticky if pulse && sees => Buttons::THROW_GRENADE,
            Means::Blow | Means::Frag | Means::Sticky | Means::Car => Buttons::default(),
            _ if sees => Buttons::PRIMARY_TRIGGER,
            _ => Buttons::default(),
        });
        input.trigger = if input.buttons.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
        input.grenade = means.grenade().and_then(Kind::grenade_place).map(|which| which as u8);
        input.zoom = (means == Means::Sniper).then_some(0);
        input
    })
}

/// One that gets into a car and drives about in bends, at full speed.
pub fn driver(seed: u64) -> Hand {
    let mut steps = Steps { random: Random::new(seed), throttle: [0.0; 2], left: 0 };
    let (mut passed, mut yaw) = (0_u32, 0.0_f32);
    Box::new(move |world, slot, _| {
        passed += 1;
        let Some(place) = world.position(slot) else { return Input::default() };
        if world.unit(slot).and_then(|unit| world.ride(unit)).is_none() {
            return boards(world, place, &mut steps, passed);
        }
        // Back to the middle, past it, and round.
        let middle = World::yaw((Vec3::ZERO - place).across());
        yaw = if place.across().length() > 8.0 { middle } else { (yaw + 0.02).rem_euclid(TAU) };
        Input { yaw, throttle: [1.0, 0.0], ..Input::default() }
    })
}

/// To the nearest vehicle that nobody drives, and into it.
fn boards(world: &World, place: Vec3, steps: &mut Steps, passed: u32) -> Input {
    let free = world.objects().filter(|id| world.riders(*id).is_some_and(|riders| riders[0].is_none()));
    let places = free.filter_map(|id| Some(world.motion(id)?.position));
    let nearest = places.min_by(|a, b| a.distance(place).total_cmp(&b.distance(place)));
    let Some(at) = nearest else { return steps.next(0.3) };
    let way = (at - place).across();
    let presses = way.length() < BOARDS && passed.is_multiple_of(4);
    Input {
        yaw: World::yaw(way),
        throttle: [if way.length() < BOARDS { 0.0 } else { 1.0 }, 0.0],
        buttons: if presses { Buttons::ACTION } else { Buttons::default() },
        ..Input::default()
    }
}

/// The nearest living other and its middle; of those on foot alone, if that is asked.
fn nearest(world: &World, slot: Slot, on_foot: bool) -> Option<(Slot, Vec3)> {
    let place = world.position(slot)?;
    let is_one = |unit| !on_foot || world.ride(unit).is_none();
    let others = world.players().filter(|(other, _)| *other != slot);
    let living = others.filter_map(|(other, player)| {
        player.unit.filter(|unit| is_one(*unit))?;
        Some((other, world.position(other)? + Vec3::UP * MIDDLE))
    });
    living.min_by(|(_, a), (_, b)| a.distance(place).total_cmp(&b.distance(place)))
}
