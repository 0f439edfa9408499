//! How a vehicle moves in one tick: what it drives on, how it turns, how it falls. Knows no player and no seat that
//! is taken.
//!
//! It moves as a ball that touches the ground below its position, as what is loose does. What a tick makes of it
//! follows from its [`Motion`] and its driver's input alone: whether it stands on ground is found anew each tick, a
//! turn in the air is its angular velocity, and rest is no state but what a tick that changes nothing is called
//! (`Moved::rests`). A copy placed with another's motion goes on as it does, to the last bit.

mod craft;
pub mod path;

use std::f32::consts::{PI, TAU};

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Axes, Buttons, Input, Vec3};

pub use craft::{Craft, MOST_SEATS, Moves, Seat};

use super::loose::Around;
use super::movement::Body;
use super::objects::yaw_of;

/// Slower than this after a tick it lies still: wu a tick, radians a tick, and of one its top's direction. Ours.
const STILL: f32 = 1e-3;
/// Nor has it moved as far as this, in wu. Ours.
const SHIFT: f32 = 2e-3;
/// What rolling out takes of a speed in a tick, in wu a tick: more than gravity gives on any slope that holds. Ours.
const ROLL: f32 = 0.004;
/// As fast upward as an edge throws what drives over it, in wu a tick: as its steepest ramps do, and no more. Ours.
const THROWS: f32 = 0.1;
/// What wheels, or water, take of a speed sideways in a tick, in wu a tick. Ours.
const GRIP: f32 = 0.02;
/// What brakes take of a speed in a tick, in wu a tick. Ours.
const BRAKE: f32 = 0.02;
/// The part of what is left to turn that a tick turns. Ours.
const STEER: f32 = 0.2;
/// Wheels turn a vehicle as fast as they can from this speed on, in wu a tick. Ours.
const STEERS_FROM: f32 = 0.1;
/// The part of what its top is off the ground's that a tick rights. Ours.
const RIGHTS: f32 = 0.3;
/// The part of gravity by which a flyer without a driver sinks, and as fast as it sinks at most, in wu a tick. Ours.
const SINKS: (f32, f32) = (0.25, 0.05);
/// How deep a boat lies in the water, in wu. Ours.
const DRAUGHT: f32 = 0.15;
/// The parts of how far a boat is off its depth, and of its speed up, that a tick takes. Ours.
const FLOATS: (f32, f32) = (0.05, 0.2);

/// Water that boats float on: everything below its level, between its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// The corner of least parts, in wu; the bottom does not matter.
    pub least: Vec3,
    /// The corner of most parts: its height is the water's level.
    pub most: Vec3,
}

/// What vehicles move among.
#[derive(Debug)]
pub(super) struct Terrain<'a> {
    pub(super) around: Around<'a>,
    pub(super) waters: &'a [Water],
}

/// What a tick made of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moved {
    pub(super) motion: Motion,
    /// It stands on something.
    pub(super) grounded: bool,
    /// Nothing changed, and nothing would in the next tick.
    pub(super) rests: bool,
}

/// How the ball moved, before anything drives it.
struct Rolled {
    body: Body,
    /// The ground's direction where it stands on ground.
    ground: Option<Vec3>,
}

impl Terrain<'_> {
    /// Moves a vehicle by one tick; `input` is its driver's, none where nobody drives. `scratch` is overwritten.
    pub(super) fn step(
        &self,
        craft: &Craft,
        from: &Motion,
        input: Option<&Input>,
        scratch: &mut Vec<u16>,
    ) -> Moved {
        let body = Body { position: from.position, velocity: from.velocity };
        let (body, gravity) = match craft.moves {
            Moves::Rolls => (body, self.around.gravity),
            Moves::Flies if input.is_some() => (body, 0.0),
            Moves::Flies => (body, self.around.gravity * SINKS.0),
            Moves::Hovers => (body, 0.0),
            Moves::Floats => {
                (body, if self.water(body.position).is_some() { 0.0 } else { self.around.gravity })
            }
            // Whatever pushed it: it is fixed across the ground.
            Moves::Turns => {
                let velocity = Vec3::new(0.0, 0.0, body.velocity.z);
                (Body { velocity, ..body }, self.around.gravity)
            }
        };
        let around = Around { gravity, ..self.around };
        let mut rolled = Rolled { body, ground: None };
        rolled.ground = around.roll(&mut rolled.body, craft.radius, scratch);
        if rolled.ground.is_some() {
            let upward = &mut rolled.body.velocity.z;
            *upward = upward.min(from.velocity.z.max(THROWS));
        }
        let mut motion = match craft.moves {
            Moves::Rolls => rolls(craft, from, &rolled, input),
            Moves::Flies => flies(craft, from, &rolled, input),
            Moves::Hovers => hovers(from, &rolled),
            Moves::Floats => self.floats(craft, from, &rolled, input),
            Moves::Turns => turns(craft, from, &rolled, input),
        };
        let holds = rolled.ground.is_some() || gravity == 0.0;
        let is_still = holds
            && motion.velocity.length() < STILL
            && motion.angular_velocity.length() < STILL
            && motion.position.distance(from.position) < SHIFT
            && motion.axes.up.distance(from.axes.up) < STILL;
        if is_still {
            (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
        // Only a tick that began without motion shows that the next one changes nothing either.
        let stood = from.velocity == Vec3::ZERO && from.angular_velocity == Vec3::ZERO;
        let rests = is_still && stood;
        if rests {
            motion = *from;
        }
        Moved { motion, grounded: rolled.ground.is_some(), rests }
    }

    /// The water that a boat there floats on.
    fn water(&self, position: Vec3) -> Option<&Water> {
        self.waters.iter().find(|water| {
            let Water { least, most } = water;
            position.x >= least.x
                && position.x <= most.x
                && position.y >= least.y
                && position.y <= most.y
                && position.z <= most.z
        })
    }

    fn floats(&self, craft: &Craft, from: &Motion, rolled: &Rolled, input: Option<&Input>) -> Motion {
        let Some(water) = self.water(rolled.body.position) else {
            // On land it slides to a stop, and nothing drives it.
            return rolls(craft, from, rolled, None);
        };
        let mut motion = drives(craft, from, rolled, Vec3::UP, input);
        let depth = water.most.z - DRAUGHT - motion.position.z;
        motion.velocity.z = rolled.body.velocity.z * (1.0 - FLOATS.1) + depth * FLOATS.0;
        motion
    }
}

/// On wheels: they drive and hold it where they touch ground; in the air it goes on as it left.
fn rolls(craft: &Craft, from: &Motion, rolled: &Rolled, input: Option<&Input>) -> Motion {
    match rolled.ground {
        Some(ground) => drives(craft, from, rolled, ground, input),
        None => {
            let spin = from.angular_velocity.dot(from.axes.up);
            Motion { axes: turned(from.axes, from.axes.up, spin), ..carried(from, rolled) }
        }
    }
}

/// Along a surface whose direction is `up`: ahead and back by the stick, towards where the driver looks.
fn drives(craft: &Craft, from: &Motion, rolled: &Rolled, up: Vec3, input: Option<&Input>) -> Motion {
    let forward = along(from.axes.forward, up);
    let left = cross(up, forward);
    let velocity = rolled.body.velocity;
    let (ahead, side, lift) = (velocity.dot(forward), velocity.dot(left), velocity.dot(up));
    let throttle = input.map_or(0.0, |input| input.throttle[0].clamp(-1.0, 1.0));
    let wanted = throttle * craft.top_speed;
    let rate = match throttle {
        0.0 => ROLL,
        _ if wanted * ahead < 0.0 => BRAKE,
        _ => craft.gains,
    };
    let before = length(ahead, side);
    let (mut ahead, mut side) = (nearer(ahead, wanted, rate), nearer(side, 0.0, GRIP));
    // In a bend it gains ahead before the wheels have taken what it goes sideways.
    let speed = length(ahead, side);
    let most = craft.top_speed.max(before - BRAKE);
    if speed > most {
        (ahead, side) = (ahead * (most / speed), side * (most / speed));
    }
    let steers = (speed * (1.0 / STEERS_FROM)).min(1.0);
    let spin = input.map_or(0.0, |input| steering(craft, forward, input) * steers);
    let velocity = forward * ahead + left * side + up * lift.max(0.0);
    let righted = one_long(from.axes.up + (up - from.axes.up) * RIGHTS);
    Motion {
        velocity,
        axes: turned(Axes { forward, up: righted }, righted, spin),
        angular_velocity: righted * spin,
        ..carried(from, rolled)
    }
}

/// In the air by itself: where the driver looks, sideways, up and down; without a driver it sinks.
fn flies(craft: &Craft, from: &Motion, rolled: &Rolled, input: Option<&Input>) -> Motion {
    let mut velocity = rolled.body.velocity;
    let Some(input) = input else {
        let lands = rolled.ground.is_some();
        let across = velocity.across();
        let speed = across.length();
        let kept = if speed > 0.0 { (speed - craft.gains).max(0.0) * (1.0 / speed) } else { 0.0 };
        velocity = Vec3::UP * if lands { 0.0 } else { velocity.z.max(-SINKS.1) } + across * kept;
        return Motion { velocity, ..righted(craft, from, rolled, None) };
    };
    let ([ahead, left], (sin, cos)) = (input.throttle, libm::sincosf(input.yaw));
    let (rise, level) = libm::sincosf(input.pitch);
    let held = |button| if input.buttons.contains(button) { 0.5 } else { 0.0 };
    let wanted = Vec3::new(cos * level, sin * level, rise) * ahead
        + Vec3::new(-sin, cos, 0.0) * (left * 0.5)
        + Vec3::UP * (held(Buttons::JUMP) - held(Buttons::CROUCH));
    let pushed = wanted.length().max(1.0);
    let change = wanted * (craft.top_speed / pushed) - velocity;
    let amount = change.length();
    velocity += change * if amount > craft.gains { craft.gains / amount } else { 1.0 };
    Motion { velocity, ..righted(craft, from, rolled, Some(input)) }
}

/// Held up by itself and driven by nobody: it goes on as it was told, and out.
fn hovers(from: &Motion, rolled: &Rolled) -> Motion {
    let velocity = rolled.body.velocity;
    let speed = velocity.length();
    let kept = if speed > 0.0 { (speed - ROLL).max(0.0) * (1.0 / speed) } else { 0.0 };
    Motion { velocity: velocity * kept, angular_velocity: Vec3::ZERO, ..carried(from, rolled) }
}

/// Fixed: it turns where its driver looks, and falls to the ground that it is put above.
fn turns(craft: &Craft, from: &Motion, rolled: &Rolled, input: Option<&Input>) -> Motion {
    let mut motion = righted(craft, from, rolled, input);
    if rolled.ground.is_some() {
        motion.velocity = Vec3::ZERO;
        if motion.position.distance(from.position) < SHIFT {
            motion.position = from.position;
        }
    }
    motion
}

/// Upright again, and turned where the driver looks.
fn righted(craft: &Craft, from: &Motion, rolled: &Rolled, input: Option<&Input>) -> Motion {
    let up = one_long(from.axes.up + (Vec3::UP - from.axes.up) * RIGHTS);
    let forward = along(from.axes.forward, up);
    let spin = input.map_or(0.0, |input| steering(craft, forward, input));
    // What a tick would turn by less than what counts as still, it does not turn.
    let spin = if spin.abs() < STILL { 0.0 } else { spin };
    Motion {
        axes: turned(Axes { forward, up }, up, spin),
        angular_velocity: up * spin,
        ..carried(from, rolled)
    }
}

/// Where the ball is, with the rest as it was.
fn carried(from: &Motion, rolled: &Rolled) -> Motion {
    let Body { position, velocity } = rolled.body;
    Motion { position, velocity, ..*from }
}

/// Radians that a tick turns towards where the driver looks.
fn steering(craft: &Craft, forward: Vec3, input: &Input) -> f32 {
    let left = input.yaw - yaw_of(forward) + PI;
    let left = left - TAU * libm::floorf(left * (1.0 / TAU)) - PI;
    (left * STEER).clamp(-craft.turns, craft.turns)
}

/// Those directions with the front turned about a top that is one long, and at right angles to it.
fn turned(axes: Axes, up: Vec3, spin: f32) -> Axes {
    let forward = along(axes.forward, up);
    if spin == 0.0 {
        return Axes { forward, up };
    }
    let (sin, cos) = libm::sincosf(spin);
    Axes { forward: along(forward * cos + cross(up, forward) * sin, up), up }
}

/// The part of a direction along a surface, one long; across the way east where there is none.
fn along(forward: Vec3, up: Vec3) -> Vec3 {
    let flat = forward - up * forward.dot(up);
    if flat.length() > STILL { one_long(flat) } else { one_long(cross(Vec3::new(0.0, 1.0, 0.0), up)) }
}

fn one_long(direction: Vec3) -> Vec3 {
    let length = direction.length();
    if length > 0.0 { direction * (1.0 / length) } else { Vec3::UP }
}

fn nearer(value: f32, wanted: f32, by: f32) -> f32 {
    value + (wanted - value).clamp(-by, by)
}

fn length(a: f32, b: f32) -> f32 {
    (a * a + b * b).sqrt()
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// An upright vehicle's directions as it turns, in a tick, towards where it goes; and how it turns.
pub(super) fn headed(craft: &Craft, axes: Axes, way: Vec3) -> (Axes, Vec3) {
    let forward = along(axes.forward, Vec3::UP);
    let input = Input { yaw: yaw_of(way), ..Input::default() };
    let spin = steering(craft, forward, &input);
    (turned(Axes { forward, up: Vec3::UP }, Vec3::UP, spin), Vec3::UP * spin)
}

/// The directions of an upright vehicle that goes there.
pub(super) fn facing(way: Vec3) -> Axes {
    Axes { forward: along(way, Vec3::UP), up: Vec3::UP }
}
