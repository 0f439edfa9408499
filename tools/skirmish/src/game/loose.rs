//! How what nobody drives moves in one tick: items, bodies, carts. It falls, slides and comes to rest; nothing bounces.
//! Knows no rule of who may take it.
//!
//! It moves as a ball that touches the ground below its position. What a tick makes of it follows from its [`Body`]
//! alone but for the count of ticks that it has lain still, after the last of which it rests: at rest nothing is
//! computed for it, until something gives it a velocity.

use mjolnir_wire::Vec3;

use super::collision::{Solids, WALKABLE_HEIGHT};
use super::movement::{Body, Bounds, held};

/// Ticks that it lies still until it is at rest. Ours.
pub(super) const STILL_TICKS: u8 = 5;
/// What sliding on ground takes of a speed in a tick, in wu a tick: more than gravity gives on any slope that can be
/// stood on, so that all ground holds. Ours.
const FRICTION: f32 = 0.004;
/// Slower than this after a tick it lies still, in wu a tick.
const STILL: f32 = 1e-3;
/// Nor has it moved as far as this, in wu: what half a tick's fall shifts it on the steepest ground that holds.
const SHIFT: f32 = 2e-3;
/// The longest part of a move that is made at once, as a part of its radius.
const STRIDE: f32 = 0.5;
/// Looks at the boxes around after each part of a move.
const PUSHES: usize = 4;
/// Overlaps up to this are contact, in wu.
const TOUCH: f32 = 1e-5;
/// How far below the world it falls on, in wu, where nobody deletes it.
const DEPTH: f32 = 10.0;

/// What loose things move among.
#[derive(Debug)]
pub(super) struct Around<'a> {
    /// Every box.
    pub(super) solids: &'a Solids,
    /// Where the world ends.
    pub(super) bounds: Bounds,
    /// What falling gains, in wu a tick each tick.
    pub(super) gravity: f32,
}

impl Around<'_> {
    /// Moves a ball of that radius by one tick; whether it lay still in it. `scratch` is overwritten.
    pub(super) fn step(&self, body: &mut Body, radius: f32, scratch: &mut Vec<u16>) -> bool {
        let from = body.position;
        let grounded = self.go(body, radius, scratch).is_some();
        if grounded {
            let speed = body.velocity.length();
            let kept = (speed - FRICTION).max(0.0);
            body.velocity = if speed > 0.0 { body.velocity * (kept / speed) } else { body.velocity };
        }
        self.keep_inside(body, radius);
        grounded && body.velocity.length() < STILL && body.position.distance(from) < SHIFT
    }

    /// Moves a ball by one tick without any friction; the direction of the ground that it touched in it.
    pub(super) fn roll(&self, body: &mut Body, radius: f32, scratch: &mut Vec<u16>) -> Option<Vec3> {
        let ground = self.go(body, radius, scratch);
        self.keep_inside(body, radius);
        ground
    }

    fn go(&self, body: &mut Body, radius: f32, scratch: &mut Vec<u16>) -> Option<Vec3> {
        let from = body.position;
        let mut velocity = held(body.velocity);
        let rise = velocity.z - self.gravity * 0.5;
        velocity.z -= self.gravity;
        let way = Vec3::new(velocity.x, velocity.y, rise);
        let length = way.length();
        let reach = Vec3::new(1.0, 1.0, 1.0) * (length + 2.0 * radius);
        let mut centre = from + Vec3::UP * radius;
        self.solids.collect(centre - reach, centre + reach, scratch);

        let parts = (length / (radius * STRIDE)).ceil().max(1.0);
        let mut ground = None;
        for _ in 0..parts as u32 {
            // What stopped it stops the rest of its way too.
            let left = Vec3::new(velocity.x, velocity.y, velocity.z.max(rise)) * (1.0 / parts);
            centre += left;
            ground = self.push(&mut centre, &mut velocity, radius, scratch).or(ground);
        }
        *body = Body { position: centre - Vec3::UP * radius, velocity };
        ground
    }

    /// Pushes a ball out of the boxes it overlaps and takes from its velocity what goes into them. The direction of the
    /// most level one that is ground.
    fn push(&self, centre: &mut Vec3, velocity: &mut Vec3, radius: f32, around: &[u16]) -> Option<Vec3> {
        let mut ground: Option<Vec3> = None;
        for _ in 0..PUSHES {
            let mut free = true;
            for &index in around {
                let near = self.solids.get(index).near(*centre);
                let depth = radius - near.distance;
                if depth <= 0.0 {
                    continue;
                }
                if near.normal.z >= ground.map_or(WALKABLE_HEIGHT, |ground| ground.z) {
                    ground = Some(near.normal);
                }
                if depth > TOUCH {
                    free = false;
                    *centre += near.normal * depth;
                }
                let into = velocity.dot(near.normal);
                if into < 0.0 {
                    *velocity -= near.normal * into;
                }
            }
            if free {
                break;
            }
        }
        ground
    }

    /// Keeps it inside the world's sides and top; below its bottom it falls a little and stops.
    fn keep_inside(&self, body: &mut Body, radius: f32) {
        let Body { position, velocity } = body;
        let Bounds { least, most } = self.bounds;
        let kept = Vec3::new(
            position.x.clamp(least.x + radius, most.x - radius),
            position.y.clamp(least.y + radius, most.y - radius),
            position.z.clamp(least.z - DEPTH, most.z - 2.0 * radius),
        );
        if position.x != kept.x {
            velocity.x = 0.0;
        }
        if position.y != kept.y {
            velocity.y = 0.0;
        }
        if position.z != kept.z {
            velocity.z = 0.0;
        }
        *position = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Map;
    use crate::game::movement::GRAVITY;

    const RADIUS: f32 = 0.1;

    fn settle(text: &str, mut body: Body) -> (Body, u32) {
        let map = Map::parse(&format!("bounds -20 -20 -5 20 20 30\n{text}\nspawn 0 0 0 0")).unwrap();
        let around = Around { solids: &map.solids, bounds: map.bounds, gravity: GRAVITY };
        let mut scratch = Vec::new();
        for ticks in 0..600 {
            if around.step(&mut body, RADIUS, &mut scratch) {
                return (body, ticks);
            }
        }
        panic!("it never lay still: {body:?}");
    }

    /// What falls lies on the ground below, and what is thrown slides to a stop.
    #[test]
    fn it_falls_slides_and_lies_still() {
        let above = Body { position: Vec3::new(1.0, 2.0, 3.0), velocity: Vec3::ZERO };
        let (body, ticks) = settle("box -20 -20 -1 20 20 0", above);
        // From 3 wu: the square root of 6 through gravity is 41 ticks.
        assert!((40..46).contains(&ticks), "{ticks}");
        assert!(body.position.distance(Vec3::new(1.0, 2.0, 0.0)) < 1e-3, "{body:?}");

        let thrown = Body { position: Vec3::ZERO, velocity: Vec3::new(0.1, 0.0, 0.0) };
        let (body, ticks) = settle("box -20 -20 -1 20 20 0", thrown);
        // 0.1 loses 0.004 a tick: 25 ticks, and half of 25 times 0.1.
        assert!((24..28).contains(&ticks) && (body.position.x - 1.25).abs() < 0.1, "{ticks} {body:?}");
    }

    /// Both sides of a slope that holds: on 40 degrees it lies, from 50 it slides to the bottom.
    #[test]
    fn a_slope_holds_to_45_degrees() {
        let slope = |degrees: f32| {
            let (sin, cos) = libm::sincosf(degrees.to_radians());
            let top = Vec3::new(5.0 * cos, 0.0, 5.0 * sin);
            let text = format!("box -20 -20 -1 20 20 0\nramp 0 0 0 {} {} {} 4 0.5", top.x, top.y, top.z);
            let at = Body { position: top * 0.5 + Vec3::UP * 0.2, velocity: Vec3::ZERO };
            settle(&text, at).0.position.z
        };
        assert!(slope(40.0) > 1.3, "{}", slope(40.0));
        assert!(slope(50.0) < 0.2, "{}", slope(50.0));
    }

    /// However fast it is, it passes no wall and leaves the world by no side.
    #[test]
    fn it_passes_no_wall() {
        let text = "box -20 -20 -1 20 20 0\nbox 3 -20 0 3.2 20 29.5";
        for speed in [0.5, 1.0, 2.0, 9.0] {
            let thrown = Body { position: Vec3::UP, velocity: Vec3::new(speed, 0.2, 0.1) };
            let (body, _) = settle(text, thrown);
            assert!(body.position.x < 3.0 - RADIUS + 1e-3 && body.position.z.abs() < 1e-3, "{body:?}");
            let back = Body { position: Vec3::UP, velocity: Vec3::new(-speed, 0.0, 0.0) };
            assert!(settle(text, back).0.position.x >= -20.0 + RADIUS - 1e-3);
        }
    }
}
