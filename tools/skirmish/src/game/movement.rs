//! How a biped moves in one tick: walk, run, strafe, crouch, jump, fall, slide along walls, step up, follow slopes.
//! Knows no player, no health and no other biped: players pass through each other.
//!
//! What a tick makes of a biped follows from its [`Body`] (position and velocity) and its input alone. Whether it
//! stands on ground, and whether it is crouched, is found anew each tick from these; there is no hidden state. A
//! jump is made in every tick that the button is held while there is ground to jump from, so a press needs no
//! memory of the tick before. A copy placed with another's position and velocity continues as it does, to the last
//! bit.
//!
//! A biped's position is where its feet are. On the ground a crouched one is lower at the top; in the air it draws
//! its legs up, so the body begins [`LEGS`] above the position, and lands on what its legs clear.

use mjolnir_wire::{Buttons, Input, Vec3};

use super::collision::{Near, Solids};

/// Half a biped's width, in wu (sandbox 2).
pub const RADIUS: f32 = 0.2;
/// A standing biped's height, in wu (sandbox 2).
pub const HEIGHT: f32 = 0.7;
/// A crouched biped's height, in wu (sandbox 2).
pub const CROUCHED_HEIGHT: f32 = 0.5;
/// How far a crouch draws the legs up, in wu (sandbox 2).
pub const LEGS: f32 = HEIGHT - CROUCHED_HEIGHT;
/// What a walking biped steps up, in wu (sandbox 2).
pub const STEP: f32 = 0.2;
/// Running, in wu a tick (document: "about 0.08"; sandbox 2).
pub const RUN: f32 = 0.08;
/// Walking crouched, in wu a tick (sandbox 2).
pub const CROUCHED_RUN: f32 = 0.04;
/// A jump's speed upward, in wu a tick (sandbox 2).
pub const JUMP: f32 = 0.07;
/// What falling gains, in wu a tick each tick (sandbox 2).
pub const GRAVITY: f32 = 0.00357;
/// Faster than this nothing moves, in wu a tick: the host takes no more of a client either (AUTH-16).
pub const TOP_SPEED: f32 = 2.0;

/// How much of a velocity a stick changes in the air, in wu a tick each tick.
const AIR_GRIP: f32 = 0.003;
/// Feet so near above the ground stand on it, in wu.
pub(super) const REACH: f32 = 0.02;
/// A rim is stood upon while the body's middle is so far over it: the height of the direction between, of 1.
pub(super) const RIM: f32 = 0.3;
/// A floor as near as this is stood on where one is, so that one who stands still does not creep.
const STILL: f32 = 1e-4;
/// Overlaps up to this are contact.
const TOUCH: f32 = 1e-5;
/// What is nearer than this to the floor the drop has found.
const FOUND: f32 = 2e-5;
/// The longest part of a move that is made at once, in wu: half a radius, so that nothing thicker is passed.
const STRIDE: f32 = 0.1;
/// Looks at the boxes around before a part of a move must be free of them.
const PUSHES: usize = 4;
/// Overlap at a move's end past which it is not made, in wu.
const STUCK: f32 = 0.03;
/// A contact with less than this across the ground pushes nobody across it.
const ACROSS: f32 = 0.1;

/// What can be scaled to calibrate comparisons: 1 each in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Of running and walking crouched.
    pub run_scale: f32,
    /// Of gravity.
    pub gravity_scale: f32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { run_scale: 1.0, gravity_scale: 1.0 }
    }
}

/// What a biped can do by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Running, in wu a tick.
    pub run: f32,
    /// Walking crouched, in wu a tick.
    pub crouched_run: f32,
    /// Speed upward at a jump's begin, in wu a tick.
    pub jump: f32,
    /// How much higher a crouch in the air lands, in wu.
    pub crouch_lift: f32,
    /// What falling gains, in wu a tick each tick.
    pub gravity: f32,
}

impl Limits {
    /// Those of one that is so fast, of 1.
    pub(super) fn paced(self, pace: f32) -> Self {
        Self { run: self.run * pace, crouched_run: self.crouched_run * pace, ..self }
    }
}

impl Tuning {
    /// What bipeds can do with it.
    pub fn limits(self) -> Limits {
        Limits {
            run: RUN * self.run_scale,
            crouched_run: CROUCHED_RUN * self.run_scale,
            jump: JUMP,
            crouch_lift: LEGS,
            gravity: GRAVITY * self.gravity_scale,
        }
    }
}

/// All that goes from one tick's movement into the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// The feet, in wu.
    pub position: Vec3,
    /// In wu a tick; no part upward while it stands on ground.
    pub velocity: Vec3,
}

/// What a tick's movement came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Where it is now.
    pub body: Body,
    /// It stands on ground.
    pub grounded: bool,
    /// It is crouched, by its input or because there is no room to stand.
    pub crouched: bool,
    /// It began a jump.
    pub jumped: bool,
    /// How fast it met the ground, in wu a tick; 0 if it did not fall.
    pub impact: f32,
}

impl Moved {
    /// Of one that something carries: it does nothing by itself.
    pub(super) const fn carried(body: Body) -> Self {
        Self { body, grounded: false, crouched: false, jumped: false, impact: 0.0 }
    }
}

/// The part of a map that bipeds can be in, which is kept whatever the boxes do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner of least parts.
    pub least: Vec3,
    /// The corner of most parts.
    pub most: Vec3,
}

/// The ground on which movement happens. `scratch` holds the boxes around one biped during one call.
#[derive(Debug)]
pub struct Ground<'a> {
    /// Every box.
    pub solids: &'a Solids,
    /// Where the world ends.
    pub bounds: Bounds,
    /// What bipeds can do.
    pub limits: Limits,
}

/// Where the segment of a body stands, from the position up; the body is everything within [`RADIUS`] of it.
#[derive(Clone, Copy)]
struct Shape {
    foot: f32,
    height: f32,
}

impl Shape {
    fn of(grounded: bool, crouched: bool) -> Self {
        let (bottom, height) = match (grounded, crouched) {
            (_, false) => (0.0, HEIGHT),
            (true, true) => (0.0, CROUCHED_HEIGHT),
            (false, true) => (LEGS, CROUCHED_HEIGHT),
        };
        Self { foot: bottom + RADIUS, height: height - 2.0 * RADIUS }
    }
}

impl Ground<'_> {
    /// Moves a body by one tick.
    pub fn step(&self, body: Body, input: &Input, scratch: &mut Vec<u16>) -> Moved {
        let Body { mut position, velocity } = body;
        let mut velocity = held(velocity);
        self.collect(position, velocity, scratch);
        let around = &scratch[..];

        let jump = input.buttons.contains(Buttons::JUMP);
        let mut crouched = input.buttons.contains(Buttons::CROUCH);
        let mut impact = 0.0;
        let floor = self.floor(position, REACH, around);
        let mut grounded = velocity.z <= 0.0 && floor.is_some();
        if let Some(floor) = floor
            && (grounded || (!crouched && floor > position.z))
        {
            // Ground within the legs' length lifts: legs are let down onto it, or stand on it.
            position.z = settled(position.z, floor);
        }
        if grounded {
            impact = -velocity.z;
            velocity.z = 0.0;
        }
        crouched = crouched || !self.stands(position, around);
        velocity = self.willed(velocity, input, grounded, crouched);
        let jumped = grounded && jump;
        if jumped {
            velocity.z = self.limits.jump;
            grounded = false;
        }
        let mut rise = 0.0;
        if !grounded {
            // The mean of the speeds at the tick's two ends: heights are those of the parabola.
            rise = velocity.z - self.limits.gravity * 0.5;
            velocity.z -= self.limits.gravity;
        }
        velocity = held(velocity);

        let (from, was_overlap) =
            (position, self.overlap(position, Shape::of(grounded, crouched), grounded, around));
        let move_by = Vec3::new(velocity.x, velocity.y, rise);
        let parts = (move_by.length() * (1.0 / STRIDE)).ceil().max(1.0);
        let part = move_by * (1.0 / parts);
        for _ in 0..parts as u32 {
            if grounded {
                position += part.across();
                self.push(&mut position, &mut velocity, Shape::of(true, crouched), true, around);
                match self.floor(position, STEP, around) {
                    Some(floor) => position.z = settled(position.z, floor),
                    None => grounded = false,
                }
                continue;
            }
            let falling = velocity.z;
            position += part;
            self.push(&mut position, &mut velocity, Shape::of(false, crouched), false, around);
            if falling <= 0.0
                && let Some(floor) = self.floor(position, REACH, around)
            {
                position.z = floor;
                velocity.z = 0.0;
                impact = impact.max(-falling);
                grounded = true;
            }
        }
        let overlap = self.overlap(position, Shape::of(grounded, crouched), grounded, around);
        if overlap > STUCK && overlap > was_overlap {
            // No room where the move ends: it is not made.
            position = from;
            velocity = Vec3::new(0.0, 0.0, velocity.z.min(0.0));
            grounded = velocity.z <= 0.0 && self.floor(position, REACH, around).is_some();
            if grounded {
                velocity.z = 0.0;
            }
        }
        self.keep_inside(&mut position, &mut velocity);
        Moved { body: Body { position, velocity }, grounded, crouched, jumped, impact }
    }

    /// Whether a body stands on ground.
    pub fn grounded(&self, body: Body) -> bool {
        let mut around = Vec::new();
        self.collect(body.position, Vec3::ZERO, &mut around);
        body.velocity.z <= 0.0 && self.floor(body.position, REACH, &around).is_some()
    }

    /// Whether a standing body has room there, to a hair.
    pub fn fits(&self, position: Vec3) -> bool {
        let mut around = Vec::new();
        self.collect(position, Vec3::ZERO, &mut around);
        self.overlap(position, Shape::of(true, false), false, &around) < FOUND
    }

    /// The boxes that a body may meet in this tick.
    fn collect(&self, position: Vec3, velocity: Vec3, into: &mut Vec<u16>) {
        let reach = RADIUS + STEP + self.limits.run;
        let margin = |speed: f32| reach + speed.abs();
        let reach = Vec3::new(margin(velocity.x), margin(velocity.y), margin(velocity.z));
        self.solids.collect(position - reach, position + reach + Vec3::UP * HEIGHT, into);
    }

    /// What the stick makes of a velocity.
    fn willed(&self, velocity: Vec3, input: &Input, grounded: bool, crouched: bool) -> Vec3 {
        let [ahead, left] = input.throttle;
        let (sin, cos) = libm::sincosf(input.yaw);
        let stick = Vec3::new(cos * ahead - sin * left, sin * ahead + cos * left, 0.0);
        let pushed = stick.length();
        let Limits { run, crouched_run, .. } = self.limits;
        let speed = if grounded && crouched { crouched_run } else { run };
        let wanted = if pushed > 1.0 { stick * (speed / pushed) } else { stick * speed };
        // On the ground a tick suffices to reach a run; in the air a stick that is let go changes nothing.
        let grip = match grounded {
            true => run,
            false if pushed > 0.0 => AIR_GRIP,
            false => return velocity,
        };
        let change = wanted - velocity.across();
        let amount = change.length();
        if amount <= grip {
            return Vec3::new(wanted.x, wanted.y, velocity.z);
        }
        velocity + change * (grip / amount)
    }

    /// Pushes a body out of the boxes it overlaps, and takes from its velocity what goes into them. On the ground
    /// boxes push across it alone, and what can be stepped onto not at all.
    fn push(&self, position: &mut Vec3, velocity: &mut Vec3, shape: Shape, grounded: bool, around: &[u16]) {
        for _ in 0..PUSHES {
            let mut free = true;
            for &index in around {
                let near = self.contact(*position, shape, index);
                let depth = RADIUS - near.distance;
                if depth <= TOUCH || grounded && steps_onto(&near, position.z) {
                    continue;
                }
                let mut normal = near.normal;
                let mut depth = depth;
                if grounded {
                    let across = normal.across().length();
                    if across < ACROSS {
                        continue;
                    }
                    normal = normal.across() * (1.0 / across);
                    depth *= 1.0 / across;
                }
                free = false;
                *position += normal * depth.min(STRIDE + STUCK);
                let into = velocity.dot(normal);
                if into < 0.0 {
                    // A rim stops a fall, but turns no run into a rise.
                    let rises = velocity.z.max(0.0);
                    *velocity -= normal * into;
                    velocity.z = velocity.z.min(rises);
                }
            }
            if free {
                break;
            }
        }
    }

    fn contact(&self, position: Vec3, shape: Shape, index: u16) -> Near {
        self.solids.get(index).near_segment(position + Vec3::UP * shape.foot, shape.height)
    }

    /// How deep a body is inside what it cannot step onto.
    fn overlap(&self, position: Vec3, shape: Shape, grounded: bool, around: &[u16]) -> f32 {
        let deepest = |deepest: f32, &index: &u16| {
            let near = self.contact(position, shape, index);
            if grounded && steps_onto(&near, position.z) {
                deepest
            } else {
                deepest.max(RADIUS - near.distance)
            }
        };
        around.iter().fold(0.0, deepest)
    }

    /// Whether there is room for a standing biped's head.
    fn stands(&self, position: Vec3, around: &[u16]) -> bool {
        let head = position + Vec3::UP * (HEIGHT - RADIUS);
        around.iter().all(|&index| {
            let solid = self.solids.get(index);
            if solid.most.z < head.z {
                return true;
            }
            let near = solid.near(head);
            near.normal.z > -RIM || near.distance > RADIUS - REACH
        })
    }

    /// The height at which feet would stand here: on the highest floor from [`STEP`] above them to `reach` below.
    fn floor(&self, position: Vec3, reach: f32, around: &[u16]) -> Option<f32> {
        let travel = STEP + reach;
        let centre = position + Vec3::UP * (RADIUS + STEP);
        let mut least: Option<f32> = None;
        for &index in around {
            let drop = self.drop(centre, least.unwrap_or(travel), index);
            least = drop.or(least);
        }
        least.map(|drop| position.z + (STEP - drop))
    }

    /// How far a ball falls until it lies on that box; none past `travel`, or where it would not lie still.
    fn drop(&self, centre: Vec3, travel: f32, index: u16) -> Option<f32> {
        let solid = self.solids.get(index);
        if solid.most.z < centre.z - RADIUS - travel {
            return None;
        }
        let mut fallen = 0.0;
        // The distance to a box is convex along the fall, so Newton's steps never pass the contact.
        for _ in 0..8 {
            let near = solid.near(centre - Vec3::UP * fallen);
            let gap = near.distance - RADIUS;
            if near.normal.z < RIM || gap < -FOUND {
                return None;
            }
            if gap <= FOUND {
                return near.floor.then_some(fallen);
            }
            fallen += gap * (1.0 / near.normal.z);
            if fallen > travel {
                return None;
            }
        }
        None
    }

    /// Keeps a body inside the world: its sides and its top are walls. Below its bottom it goes on falling.
    fn keep_inside(&self, position: &mut Vec3, velocity: &mut Vec3) {
        let Bounds { least, most } = self.bounds;
        let mut kept = *position;
        kept.x = kept.x.clamp(least.x + RADIUS, most.x - RADIUS);
        kept.y = kept.y.clamp(least.y + RADIUS, most.y - RADIUS);
        kept.z = kept.z.min(most.z - HEIGHT);
        let stop = |at: f32, kept: f32, speed: f32| if at == kept { speed } else { 0.0 };
        velocity.x = stop(position.x, kept.x, velocity.x);
        velocity.y = stop(position.y, kept.y, velocity.y);
        if position.z > kept.z {
            velocity.z = velocity.z.min(0.0);
        }
        *position = kept;
    }
}

/// Whether a walking body at that height steps onto what it touches there.
fn steps_onto(near: &Near, feet: f32) -> bool {
    near.floor && near.normal.z > -RIM && near.point.z <= feet + STEP + STILL
}

fn settled(at: f32, floor: f32) -> f32 {
    if (at - floor).abs() < STILL { at } else { floor }
}

pub(super) fn held(velocity: Vec3) -> Vec3 {
    let speed = velocity.length();
    if speed > TOP_SPEED { velocity * (TOP_SPEED / speed) } else { velocity }
}
