//! How far, how fast and how high a player on foot moves at most. Pure arithmetic: knows no player, no tick and
//! no history.

use libm::sqrtf;
use mjolnir_wire::Vec3;

use crate::anchor::ANCHOR_JITTER;
use crate::flight::Rise;
use crate::rows::MoveLimits;
use crate::thrown::Sent;

/// Times its own run or jump that a client's player may go (AUTH-13).
pub const OWN_SPEEDS: f32 = 2.0;
/// No player is believed to go faster, wu a tick (AUTH-16).
pub const MOST_A_TICK: f32 = 2.0;
/// Allowed on top for where a player is, wu a tick; not for its velocity (AUTH-17).
pub const PLACE_SLACK: f32 = 0.05;

/// Above the height of a jump with its legs drawn up a player on foot is believed to be this much higher, wu (AUTH-18).
pub const HEIGHT_SLACK: f32 = 1.0;

/// The speeds that a player on foot is believed to go, wu a tick.
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
    /// Of a unit with those limits to which the host's ticks gave those speeds, and that is `fallen` wu below the
    /// highest place of its flight, under `gravity` wu a tick each tick.
    ///
    /// Upward is twice the faster of jump and run, as running up a slope rises as fast as running; downward the
    /// same and a free fall besides (AUTH-13, AUTH-15). What the host gave counts where it is more.
    pub fn of(limits: MoveLimits, sent: Sent, gravity: f32, fallen: f32) -> Self {
        let up = (OWN_SPEEDS * launch(limits)).max(sent.up);
        let fall = sqrtf((2.0 * gravity * fallen).max(0.0));
        Self {
            across: (OWN_SPEEDS * limits.run).max(sent.across).min(MOST_A_TICK),
            up: up.min(MOST_A_TICK),
            down: (up.max(sent.down) + fall).min(MOST_A_TICK),
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

    /// Whether that many ticks suffice for anything to come from one place to the other (AUTH-16).
    pub fn steps(from: Vec3, to: Vec3, ticks: u32) -> bool {
        from.distance(to) <= (MOST_A_TICK + PLACE_SLACK) * ticks as f32
    }

    /// A velocity no faster than these allow: the direction across is kept.
    pub fn clip(&self, velocity: Vec3) -> Vec3 {
        let across = velocity.across();
        let along = shorten(across, self.across);
        shorten(Vec3::new(along.x, along.y, velocity.z.clamp(-self.down, self.up)), MOST_A_TICK)
    }
}

/// As fast as a player on foot leaves the ground of its own, wu a tick (AUTH-18).
fn launch(limits: MoveLimits) -> f32 {
    limits.run.max(limits.jump)
}

/// By which rule the height of a player on foot is judged, whose client's round trip is that many ticks (AUTH-18, 19).
pub(crate) fn rise(limits: MoveLimits, sent: Sent, gravity: f32, round_trip: u8) -> Rise {
    Rise {
        gravity,
        launch: launch(limits),
        thrown: sent.rise,
        slack: limits.crouch_lift + HEIGHT_SLACK,
        late: u32::from(round_trip) + ANCHOR_JITTER,
        most: MOST_A_TICK,
    }
}

pub(crate) fn shorten(vector: Vec3, most: f32) -> Vec3 {
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

    /// AUTH-13: twice the run a tick and the slack, over 25 ticks, both sides; upward likewise.
    #[test]
    fn a_player_goes_twice_as_fast_as_it_runs() {
        let bounds = Bounds::of(LIMITS, Sent::default(), GRAVITY, 0.0);
        for direction in [east(1.0), Vec3::new(0.6, -0.8, 0.0), up(1.0), up(-1.0)] {
            assert!(bounds.reach(Vec3::ZERO, direction * (0.20 * 25.0), 25), "{direction:?}");
            assert!(!bounds.reach(Vec3::ZERO, direction * (0.22 * 25.0), 25), "{direction:?}");
        }
    }

    /// AUTH-17: the twentieth is for places, not for velocities.
    #[test]
    fn the_slack_is_for_the_place_alone() {
        let bounds = Bounds::of(LIMITS, Sent::default(), GRAVITY, 0.0);
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
        let bounds = Bounds::of(LIMITS, Sent::default(), GRAVITY, 5.0);
        let fall = sqrtf(2.0 * GRAVITY * 5.0);
        assert!((bounds.down - fall - 0.16).abs() < 1e-6);
        assert!(bounds.reach(Vec3::ZERO, up(-fall), 1));
        assert!(!bounds.reach(Vec3::ZERO, up(-fall - 1.0), 1));
        assert!(!bounds.reach(Vec3::ZERO, up(fall + 0.1), 1), "not upward");
        assert_eq!(bounds.clip(up(-fall)).z, -fall);
        assert_eq!(bounds.clip(up(-fall - 1.0)).z, -bounds.down);
        assert_eq!(
            Bounds::of(LIMITS, Sent::default(), GRAVITY, -5.0),
            Bounds::of(LIMITS, Sent::default(), GRAVITY, 0.0)
        );
    }

    /// AUTH-13, 15: what the host's ticks gave counts where it is more, upward for the way down too.
    #[test]
    fn a_throw_is_as_fast_as_the_host_threw() {
        let sent = Sent { across: 0.5, up: 0.3, down: 0.1, rise: 0.3 };
        let bounds = Bounds::of(LIMITS, sent, GRAVITY, 0.0);
        assert_eq!((bounds.across, bounds.up, bounds.down), (0.5, 0.3, 0.3));
        assert!(bounds.reach(Vec3::ZERO, east(0.54), 1) && !bounds.reach(Vec3::ZERO, east(0.56), 1));
        assert!(bounds.reach(Vec3::ZERO, up(0.34), 1) && !bounds.reach(Vec3::ZERO, up(0.36), 1));
        assert_eq!(bounds.clip(east(0.6)).x, 0.5);
        let slow = Sent { across: 0.15, up: 0.15, down: 0.15, rise: 0.15 };
        assert_eq!(Bounds::of(LIMITS, slow, GRAVITY, 0.0), Bounds::of(LIMITS, Sent::default(), GRAVITY, 0.0));
        assert_eq!(Bounds::of(LIMITS, Sent { down: 0.9, ..slow }, GRAVITY, 0.0).down, 0.9);
    }

    /// AUTH-16: two world units a tick, whatever the limits, the fall, the throws, and all together.
    #[test]
    fn nobody_goes_more_than_two_world_units_a_tick() {
        let swift = MoveLimits { run: 9.0, jump: 9.0, crouch_lift: 0.0 };
        let thrown = Sent { across: 5.0, up: 5.0, down: 5.0, rise: 5.0 };
        for (limits, sent) in [(swift, Sent::default()), (LIMITS, thrown), (swift, thrown)] {
            let bounds = Bounds::of(limits, sent, GRAVITY, 1e6);
            for direction in [east(1.0), up(1.0), up(-1.0), Vec3::new(0.6, 0.0, -0.8)] {
                assert!(bounds.reach(Vec3::ZERO, direction * 2.04, 1), "{direction:?}");
                assert!(!bounds.reach(Vec3::ZERO, direction * 2.06, 1), "{direction:?}");
                assert!((bounds.clip(direction * 3.0).length() - 2.0).abs() < 1e-5, "{direction:?}");
            }
        }
    }
}
