//! A mind: what an actor means to do, thought of now and then, and what it does about it in each tick. Knows no world: what it
//! sees it is told.
//!
//! All its chance comes from a seed of its own, which the world gave it.

use std::f32::consts::{PI, TAU};

use mjolnir_wire::actors::{Impulse, Speech, UserAnimation};
use mjolnir_wire::{Buttons, Input, ObjectId, Tag, Tick, Vec3};

use super::squads::Duty;
use super::{Begun, Control, STRIKES};
use crate::game::hash::Hash;
use crate::game::map::Spawn;
use crate::game::objects::yaw_of;
use crate::game::random::Random;

/// A mind thinks once in so many ticks, each in its turn. Ours.
pub const EVERY: u32 = 8;
/// How far it sees a foe, in wu. Ours.
pub const SIGHT: f32 = 30.0;
/// From how far one that attacks comes for a foe that it does not see, in wu. Ours.
pub const HUNTS: f32 = 90.0;
/// What it says as it sees a foe.
pub const CONTACT: Tag = Tag(0xE17A_0001);
/// The graph of what it plays while it has nothing to do.
pub const AT_EASE: Tag = Tag(0xE17B_0001);
/// Animations of that.
const IDLES: u32 = 4;

/// One that is so far off where it should be goes there, and is there from so near, in wu.
const STRAYED: f32 = 1.0;
const THERE: f32 = 0.5;
/// One that attacks comes so near, and goes round its foe from there, in wu.
const CLOSE: f32 = 6.0;
/// It strikes what is so near, in wu from its eyes to the other's middle, each so many ticks.
const STRIKES_FROM: f32 = 0.9;
const STRIKE_EVERY: u8 = 24;
/// A turn in one tick at most, in radians, and the part of what is left that it takes.
const TURN: (f32, f32) = (0.12, 0.3);
/// It fires while its aim is so near, in radians.
const ON_TARGET: f32 = 0.12;
/// How far its aim strays, in radians.
const STRAYS: f32 = 0.07;
/// Ticks that a burst and a rest have at least, and by chance so many more.
const BURST: (u32, u32) = (4, 9);
const REST: (u32, u32) = (15, 25);
/// Ticks without coming nearer after which it jumps, after which it goes aside, and after which it begins anew; one on its
/// rounds goes on to the next place a little before that.
const STUCK: (u16, u16, u16) = (20, 45, 100);
const GIVES_UP: u16 = 75;
/// Ticks that it goes aside.
const ASIDE: u16 = 25;
/// A guard looks about so far to either side of where it was to look, in radians, once in so many thoughts; and plays
/// something once in so many.
const LOOKS: (f32, u32) = (1.2, 14);
const PLAYS: u32 = 45;
/// Thoughts for which one that was hurt looks where that came from.
const ALARMED: u8 = 12;

/// What a mind is told as it thinks.
#[derive(Clone, Copy, Debug)]
pub struct Senses<'a> {
    /// Where its unit is, in wu.
    pub place: Vec3,
    /// The nearest foe that it sees.
    pub sees: Option<ObjectId>,
    /// How far off that is, in wu.
    pub far: f32,
    /// Where the nearest foe is, seen or not, in wu; of one that attacks alone.
    pub hears: Option<Vec3>,
    /// The starting locations of its squad.
    pub stops: &'a [Spawn],
    /// How far its weapon hits, in wu; 0 of one without.
    pub reach: f32,
    /// It rides: it goes nowhere by itself.
    pub rides: bool,
}

/// What a mind is told in each tick.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Where its unit is, in wu.
    pub place: Vec3,
    /// Where that sees from, in wu.
    pub eyes: Vec3,
    /// The middle of the foe that it saw as it thought last, and how that moves, while it stands.
    pub foe: Option<(Vec3, Vec3)>,
    /// How fast what it fires flies, in wu a tick; none of what hits at once.
    pub flies: Option<f32>,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(in crate::game) struct Mind {
    duty: Duty,
    random: Random,
    turn: u32,
    post: Spawn,
    stop: u16,
    foe: Option<ObjectId>,
    goes_to: Option<Vec3>,
    looks: f32,
    /// Thoughts left for which it looks nowhere else: it was hurt.
    alarmed: u8,
    stray: [f32; 2],
    burst: u8,
    rest: u8,
    struck: u8,
    nearest: f32,
    waited: u16,
    aside: u16,
    goes_left: bool,
}

impl Mind {
    /// One with that duty, placed at the location of that number in its squad, as so many were before it.
    pub(in crate::game) fn new(duty: Duty, post: Spawn, stop: u16, seed: u64, before: u32) -> Self {
        Self {
            duty,
            random: Random::new(seed),
            turn: before % EVERY,
            post,
            stop,
            foe: None,
            goes_to: None,
            looks: post.facing,
            alarmed: 0,
            stray: [0.0; 2],
            burst: 0,
            rest: 0,
            struck: 0,
            nearest: f32::INFINITY,
            waited: 0,
            aside: 0,
            goes_left: false,
        }
    }

    /// Whether it thinks in that tick.
    pub(in crate::game) fn is_its_turn(&self, tick: Tick) -> bool {
        tick.get().unsigned_abs() % EVERY == self.turn
    }

    /// The foe that it saw as it thought last.
    pub(in crate::game) const fn foe(&self) -> Option<ObjectId> {
        self.foe
    }

    /// It was hurt from there: with nobody in sight it looks that way.
    pub(in crate::game) fn feel(&mut self, place: Vec3, from: Vec3) {
        let way = from - place;
        if way.across().length_squared() > 1e-6 && way.is_finite() {
            (self.looks, self.alarmed) = (yaw_of(way), ALARMED);
        }
    }

    /// What it means to do from now on. What begins with it.
    pub(in crate::game) fn think(&mut self, senses: &Senses<'_>, control: &mut Control) -> Begun {
        let mut begun = Begun::default();
        let before = std::mem::replace(&mut self.foe, senses.sees);
        if before.is_none() && senses.sees.is_some() {
            let number = control.speech.number.wrapping_add(1);
            control.speech = Speech { sound: Some(CONTACT), number };
            begun.speech = true;
        }
        let to = if senses.rides { None } else { self.destination(senses) };
        if to.is_none() || to.map(|to| to.distance(senses.place) > THERE) == Some(false) {
            (self.nearest, self.waited, self.aside) = (f32::INFINITY, 0, 0);
        }
        self.goes_to = to;
        if self.foe.is_some() {
            if self.burst == 0 && self.rest == 0 && senses.far <= senses.reach {
                self.burst = (BURST.0 + self.random.below(BURST.1)) as u8;
            }
            return begun;
        }
        if self.alarmed > 0 {
            self.alarmed -= 1;
            return begun;
        }
        if self.duty != Duty::Attack && self.random.once_in(LOOKS.1) {
            self.looks = self.post.facing + self.random.signed() * LOOKS.0;
        }
        if self.goes_to.is_none() && self.random.once_in(PLAYS) {
            let number = control.animation.number.wrapping_add(1);
            let animation = self.random.below(IDLES) as i16;
            control.animation = UserAnimation { graph: Some(AT_EASE), animation, number, interpolate: true };
            begun.animation = true;
        }
        begun
    }

    fn destination(&mut self, senses: &Senses<'_>) -> Option<Vec3> {
        let Senses { place, stops, .. } = *senses;
        let off = |to: Vec3| (to - place).across().length();
        match self.duty {
            Duty::Guard => {
                let is_going = self.goes_to.is_some();
                let post = self.post.position;
                (off(post) > if is_going { THERE } else { STRAYED }).then_some(post)
            }
            Duty::Patrol if self.foe.is_some() => None,
            Duty::Patrol => {
                let count = stops.len().max(1);
                let is_there =
                    |stop: u16| stops.get(usize::from(stop)).is_none_or(|at| off(at.position) <= THERE);
                // What it does not come to it leaves out.
                if is_there(self.stop) || self.waited > GIVES_UP {
                    self.stop = ((usize::from(self.stop) + 1) % count) as u16;
                    (self.nearest, self.waited, self.aside) = (f32::INFINITY, 0, 0);
                }
                stops.get(usize::from(self.stop)).map(|stop| stop.position).filter(|to| off(*to) > THERE)
            }
            Duty::Attack => {
                if self.random.once_in(6) {
                    self.goes_left = !self.goes_left;
                }
                senses.hears
            }
        }
    }

    /// A tick: it turns, goes, fires and strikes. What begins with it.
    pub(in crate::game) fn act(&mut self, view: &View, control: &mut Control) -> Begun {
        self.rest = self.rest.saturating_sub(1);
        self.struck = self.struck.saturating_sub(1);
        let aim = view.foe.map(|(middle, moves)| {
            let lead = view.flies.map_or(0.0, |flies| middle.distance(view.eyes) / flies);
            middle + moves * lead - view.eyes
        });
        let way = self.goes_to.map_or(Vec3::ZERO, |to| self.way(view.place, to, aim.is_some()));
        let (yaw, pitch) = match aim {
            Some(to) => {
                for stray in &mut self.stray {
                    *stray = (*stray * 0.95 + self.random.signed() * 0.02).clamp(-STRAYS, STRAYS);
                }
                let level = libm::atan2f(to.z, to.across().length().max(0.2));
                (yaw_of(to) + self.stray[0], level + self.stray[1])
            }
            None if way != Vec3::ZERO => (yaw_of(way), 0.0),
            None => (self.looks, 0.0),
        };
        let Input { yaw: was, pitch: was_up, .. } = control.input;
        let off = wrapped(yaw - was + PI) - PI;
        let off_up = pitch - was_up;
        let now = wrapped(was + turn(off));
        let is_on_target = aim.is_some() && off.abs() < ON_TARGET && off_up.abs() < ON_TARGET;
        let fires = self.burst > 0 && is_on_target;
        if self.burst > 0 && aim.is_none() {
            self.burst = 0;
        }
        if fires {
            self.burst -= 1;
            if self.burst == 0 {
                self.rest = (REST.0 + self.random.below(REST.1)) as u8;
            }
        }
        let mut begun = Begun::default();
        if aim.is_some_and(|to| to.length() <= STRIKES_FROM) && self.struck == 0 && is_on_target {
            self.struck = STRIKE_EVERY;
            let number = control.impulse.number.wrapping_add(1);
            control.impulse = Impulse { kind: Some(STRIKES), number, alignment: Some(now) };
            begun.impulse = true;
        }
        let mut buttons = if fires { Buttons::PRIMARY_TRIGGER } else { Buttons::default() };
        if way != Vec3::ZERO && self.waited == STUCK.0 {
            buttons = buttons.union(Buttons::JUMP);
        }
        let throttle = if way == Vec3::ZERO {
            [0.0; 2]
        } else {
            let (sin, cos) = libm::sincosf(now);
            [way.x * cos + way.y * sin, way.y * cos - way.x * sin]
        };
        let pitch = (was_up + turn(off_up)).clamp(-1.4, 1.4);
        let trigger = if fires { 1.0 } else { 0.0 };
        control.input = Input { buttons, yaw: now, pitch, throttle, trigger, ..Input::default() };
        let is_alert = u8::from(aim.is_some());
        (control.animation_state, control.aiming_speed) = (is_alert, is_alert);
        control.looking = [now, pitch];
        begun
    }

    /// The direction in which it goes, at most one long.
    fn way(&mut self, place: Vec3, to: Vec3, fights: bool) -> Vec3 {
        let to = (to - place).across();
        let far = to.length();
        let round = |ahead: Vec3, goes_left: bool| {
            let left = Vec3::new(-ahead.y, ahead.x, 0.0);
            if goes_left { left } else { -left }
        };
        if self.duty == Duty::Attack && fights && far < CLOSE {
            return if far > 1e-3 { round(to * (1.0 / far), self.goes_left) * 0.6 } else { Vec3::ZERO };
        }
        if far <= THERE {
            return Vec3::ZERO;
        }
        if far < self.nearest - 0.05 {
            (self.nearest, self.waited) = (far, 0);
        } else {
            self.waited = self.waited.saturating_add(1);
        }
        let ahead = to * (1.0 / far);
        if self.waited == STUCK.1 {
            (self.aside, self.goes_left) = (ASIDE, self.random.once_in(2));
        } else if self.waited >= STUCK.2 {
            (self.nearest, self.waited) = (f32::INFINITY, 0);
        }
        if self.aside > 0 {
            self.aside -= 1;
            return round(ahead, self.goes_left);
        }
        ahead
    }

    pub(in crate::game) fn hash(&self, hash: &mut Hash) {
        hash.word(self.random.state());
        hash.word(ObjectId::raw_or_none(self.foe) as u64);
        hash.vector(self.goes_to.unwrap_or(Vec3::ZERO));
        hash.vector(self.post.position);
        for value in [self.looks, self.stray[0], self.stray[1], self.nearest] {
            hash.float(value);
        }
        let [burst, rest, struck] = [self.burst, self.rest, self.struck].map(u64::from);
        hash.word(u64::from(self.stop) << 32 | burst << 16 | rest << 8 | struck);
        let sides = u64::from(self.alarmed) << 20
            | u64::from(self.turn) << 12
            | u64::from(self.goes_left) << 8
            | self.duty as u64;
        hash.word(u64::from(self.waited) << 48 | u64::from(self.aside) << 32 | sides);
    }
}

fn turn(left: f32) -> f32 {
    (left * TURN.1).clamp(-TURN.0, TURN.0)
}

/// An angle from 0 to a turn.
fn wrapped(angle: f32) -> f32 {
    let kept = angle - TAU * libm::floorf(angle * (1.0 / TAU));
    // What rounds to a whole turn is none.
    if (0.0..TAU).contains(&kept) { kept } else { 0.0 }
}
