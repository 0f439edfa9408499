//! How far and how fast a player on foot moves of its own at most. Pure arithmetic: knows no player, no tick and
//! no history.

use libm::sqrtf;
use mjolnir_wire::Vec3;

use crate::rows::MoveLimits;

/// Times its own run or jump that a client's player may go (AUTH-13).
pub const OWN_SPEEDS: f32 = 2.0;
/// No player is believed to go faster, wu a tick (AUTH-16).
pub const MOST_A_TICK: f32 = 2.0;
/// Allowed on top for where a player is, wu a tick; not for its velocity (AUTH-17).
pub const PLACE_SLACK: f32 = 0.05;

/// The speeds that a player on foot is believed to go, wu a tick.
///
/// What the host's own ticks gave its copy (an explosion's throw) raises `across` and `up` of these and nothing
/// else; that is not remembered yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Along the ground.
    pub across: f32,
    /// Upward.
    pub up: f32,
    /// Downward.
    pub down: f32,
}

impl Bounds {
    /// Of a unit with those limits that is `fallen` wu below the highest place of its flight, under `gravity` wu a
    /// tick each tick.
    ///
    /// Upward is twice the faster of jump and run, as running up a slope rises as fast as running; downward the
    /// same and a free fall besides (AUTH-13, AUTH-15).
    pub fn of(limits: MoveLimits, gravity: f32, fallen: f32) -> Self {
        let up = OWN_SPEEDS * limits.run.max(limits.jump);
        let fall = sqrtf((2.0 * gravity * fallen).max(0.0));
        Self {
            across: (OWN_SPEEDS * limits.run).min(MOST_A_TICK),
            up: up.min(MOST_A_TICK),
            down: (up + fall).min(MOST_A_TICK),
        }
    }

    /// Whether that many ticks suffice to come from one place to the other.
    pub fn reach(&self, from: Vec3, to: Vec3, ticks: u32) -> bool {
        let ticks = ticks as f32;
        let way = to - from;
        let within = |length: f32, speed: f32| length <= (speed + PLACE_SLACK) * ticks;
        within(way.across().length(), self.across)
            && within(way.z, self.up)
            && within(-way.z, self.down)
            && within(way.length(), MOST_A_TICK)
    }

    /// A velocity no faster than these allow: the direction across is kept.
    pub fn clip(&self, velocity: Vec3) -> Vec3 {
        let across = velocity.across();
        let along = shorten(across, self.across);
        shorten(Vec3::new(along.x, along.y, velocity.z.clamp(-self.down, self.up)), MOST_A_TICK)
    }
}

fn shorten(vector: Vec3, most: f32) -> Vec3 {
    let length = vector.length();
    if length > most { vector * (most / length) } else { vector }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: MoveLimits = MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 };
    const GRAVITY: f32 = 0.003_57;

    fn east(x: f32) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    fn up(z: f32) -> Vec3 {
        Vec3::new(0.0, 0.0, z)
    }

    /// AUTH-13 (in part: twice its own speed): twice the run a tick and the slack, over 25 ticks, both sides; upward likewise.
    #[test]
    fn a_player_goes_twice_as_fast_as_it_runs() {
        let bounds = Bounds::of(LIMITS, GRAVITY, 0.0);
        for direction in [east(1.0), Vec3::new(0.6, -0.8, 0.0), up(1.0), up(-1.0)] {
            assert!(bounds.reach(Vec3::ZERO, direction * (0.20 * 25.0), 25), "{direction:?}");
            assert!(!bounds.reach(Vec3::ZERO, direction * (0.22 * 25.0), 25), "{direction:?}");
        }
    }

    /// AUTH-17: the twentieth is for places, not for velocities.
    #[test]
    fn the_slack_is_for_the_place_alone() {
        let bounds = Bounds::of(LIMITS, GRAVITY, 0.0);
        assert!(bounds.reach(Vec3::ZERO, east(0.209), 1));
        assert!(!bounds.reach(Vec3::ZERO, east(0.211), 1));
        assert_eq!(bounds.clip(east(0.159)), east(0.159));
        assert_eq!(bounds.clip(east(0.161)).x, 0.16);
        assert_eq!(bounds.clip(up(0.161)).z, 0.16);
        assert_eq!(bounds.clip(up(-0.161)).z, -0.16);
    }

    /// AUTH-15: a fall of 5 wu is as fast as it is; a world unit a tick more is not.
    #[test]
    fn a_fall_is_as_fast_as_it_is_high() {
        let bounds = Bounds::of(LIMITS, GRAVITY, 5.0);
        let fall = sqrtf(2.0 * GRAVITY * 5.0);
        assert!((bounds.down - fall - 0.16).abs() < 1e-6);
        assert!(bounds.reach(Vec3::ZERO, up(-fall), 1));
        assert!(!bounds.reach(Vec3::ZERO, up(-fall - 1.0), 1));
        assert!(!bounds.reach(Vec3::ZERO, up(fall + 0.1), 1), "not upward");
        assert_eq!(bounds.clip(up(-fall)).z, -fall);
        assert_eq!(bounds.clip(up(-fall - 1.0)).z, -bounds.down);
        assert_eq!(Bounds::of(LIMITS, GRAVITY, -5.0), Bounds::of(LIMITS, GRAVITY, 0.0));
    }

    /// AUTH-16 (in part: no throw is remembered yet): two world units a tick, whatever the limits, the fall, and both together.
    #[test]
    fn nobody_goes_more_than_two_world_units_a_tick() {
        let swift = MoveLimits { run: 9.0, jump: 9.0, crouch_lift: 0.0 };
        let bounds = Bounds::of(swift, GRAVITY, 1e6);
        for direction in [east(1.0), up(1.0), up(-1.0), Vec3::new(0.6, 0.0, -0.8)] {
            assert!(bounds.reach(Vec3::ZERO, direction * 2.04, 1), "{direction:?}");
            assert!(!bounds.reach(Vec3::ZERO, direction * 2.06, 1), "{direction:?}");
            assert!((bounds.clip(direction * 3.0).length() - 2.0).abs() < 1e-5, "{direction:?}");
        }
    }
}
