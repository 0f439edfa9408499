//! What the host's own ticks gave a copy, and for how long that is remembered: the leave that a client has to go faster
//! than of its own, as in an explosion's throw that it learns of a round trip late. Knows no claim.
//!
//! Of what a copy does only what its client did not say counts (AUTH-21): its speed across less as much as the velocity
//! taken of the client was more than the player goes of its own, and upward what the tick added, but for a jump.

use mjolnir_wire::{Tick, Vec3};

use crate::rows::MoveLimits;

/// Ticks for which a speed that the host's ticks gave is remembered (AUTH-13).
pub const SENT_SPEED_MEMORY: u32 = 90;

/// A speed that was given, when, and until when it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Given {
    speed: f32,
    at: Tick,
    until: Tick,
}

/// The fastest of the last [`SENT_SPEED_MEMORY`] ticks: the strongest, and what is left once that is forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    strongest: Option<Given>,
    later: Option<Given>,
}

impl Memory {
    /// A tick has passed: what is too old is forgotten. A flight that began while a speed counted goes on with it, and
    /// counts for as long again from where it ends; `left` is the last tick on the ground of one in the air.
    pub(crate) fn pass(&mut self, tick: Tick, left: Option<Tick>) {
        for given in [&mut self.strongest, &mut self.later] {
            if let (Some(given), Some(left)) = (given.as_mut(), left)
                && left < given.at.plus(SENT_SPEED_MEMORY)
                && tick <= given.until
            {
                given.until = given.until.max(tick.plus(SENT_SPEED_MEMORY));
            }
            if given.is_some_and(|given| given.until < tick) {
                *given = None;
            }
        }
        if self.strongest.is_none() {
            self.strongest = self.later.take();
        }
    }

    /// The tick gave that speed.
    pub(crate) fn note(&mut self, tick: Tick, speed: f32) {
        let given = Given { speed, at: tick, until: tick.plus(SENT_SPEED_MEMORY) };
        if self.strongest.is_none_or(|strongest| strongest.speed <= speed) {
            *self = Self { strongest: Some(given), later: None };
        } else if self.later.is_none_or(|later| later.speed <= speed) {
            self.later = Some(given);
        }
    }

    /// The fastest that counts, wu a tick; 0 of none.
    pub(crate) fn speed(&self) -> f32 {
        self.strongest.map_or(0.0, |given| given.speed)
    }
}

/// Speeds that the host's ticks gave a player on foot and that still count, wu a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// Along the ground.
    pub across: f32,
    /// Upward.
    pub up: f32,
    /// Downward.
    pub down: f32,
}

/// What is remembered of one player on foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Thrown {
    across: Memory,
    up: Memory,
    down: Memory,
    /// As much of the copy's speed across as its client said beyond what the player goes of its own.
    said: f32,
}

/// What a tick of the host made of a copy's velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pushed {
    pub(crate) limits: MoveLimits,
    pub(crate) gravity: f32,
    /// The velocity before the tick, as the host was last done with it.
    pub(crate) before: Vec3,
    /// After it.
    pub(crate) after: Vec3,
    /// The last tick on the ground, of one in the air.
    pub(crate) left: Option<Tick>,
    /// It was on the ground and its jump was pressed.
    pub(crate) jumps: bool,
}

impl Thrown {
    /// Notes what a tick did. Whether it threw the copy up.
    pub(crate) fn note(&mut self, tick: Tick, by: &Pushed) -> bool {
        for memory in [&mut self.across, &mut self.up, &mut self.down] {
            memory.pass(tick, by.left);
        }
        let across = by.after.across().length();
        // What is left of what the client said: a copy that slows down has lost that first.
        self.said = self.said.min((across - by.limits.run).max(0.0));
        let sent = across - self.said;
        if sent > by.limits.run {
            self.across.note(tick, sent);
        }
        let added = |before: f32, after: f32| after.max(0.0) - before.max(0.0);
        let up = added(by.before.z, by.after.z);
        // What is no more than a jump is one, or a slope.
        let up = if by.jumps { up - by.limits.jump } else { up };
        let threw = up > by.limits.jump;
        if threw {
            self.up.note(tick, up);
        }
        let down = added(-by.before.z, -by.after.z) - by.gravity.max(0.0);
        if down > by.limits.jump {
            self.down.note(tick, down);
        }
        threw
    }

    /// A velocity was taken of the client.
    pub(crate) fn note_taken(&mut self, limits: MoveLimits, velocity: Vec3) {
        self.said = (velocity.across().length() - limits.run).max(0.0);
    }

    /// A teleporter: what was thrown is forgotten, what the client said is not (AUTH-22).
    pub(crate) fn forget(&mut self) {
        *self = Self { said: self.said, ..Self::default() };
    }

    /// What still counts.
    pub(crate) fn sent(&self) -> Sent {
        Sent { across: self.across.speed(), up: self.up.speed(), down: self.down.speed() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: MoveLimits = MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 };
    const GRAVITY: f32 = 0.003_57;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn pushed(before: Vec3, after: Vec3) -> Pushed {
        Pushed { limits: LIMITS, gravity: GRAVITY, before, after, left: None, jumps: false }
    }

    fn east(x: f32) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    fn up(z: f32) -> Vec3 {
        Vec3::new(0.0, 0.0, z)
    }

    /// AUTH-13: a speed counts for 90 ticks; of two the faster, and then the slower for the rest of its own.
    #[test]
    fn a_speed_is_remembered_for_ninety_ticks() {
        let mut memory = Memory::default();
        memory.note(tick(100), 0.5);
        memory.note(tick(150), 0.3);
        memory.note(tick(160), 0.2);
        for (now, speed) in [(190, 0.5), (191, 0.3), (240, 0.3), (241, 0.0)] {
            memory.pass(tick(now), None);
            assert_eq!(memory.speed(), speed, "{now}");
        }
    }

    /// AUTH-13: the flight that began then counts to its end and as long after; one that began later does not.
    #[test]
    fn a_flight_goes_on_with_what_it_began_with() {
        for (left, counts) in [(189, 400 + 90), (190, 190)] {
            let mut memory = Memory::default();
            memory.note(tick(100), 0.5);
            for now in 101..=600 {
                memory.pass(tick(now), (left < now && now <= 400).then(|| tick(left)));
                assert_eq!(memory.speed() == 0.5, now <= counts, "{left} {now}");
            }
        }
    }

    /// AUTH-21: of a speed across what the client said does not count, as long as the copy keeps it; what it slowed
    /// down by is no longer the client's.
    #[test]
    fn what_a_client_said_is_not_sent() {
        let mut thrown = Thrown::default();
        thrown.note(tick(1), &pushed(Vec3::ZERO, east(0.5)));
        assert_eq!(thrown.sent().across, 0.5);
        let mut thrown = Thrown::default();
        thrown.note_taken(LIMITS, east(0.5));
        for now in 1..200 {
            thrown.note(tick(now), &pushed(east(0.5), east(0.5)));
            assert!(thrown.sent().across <= 0.081, "{:?}", thrown.sent());
        }
        thrown.note(tick(200), &pushed(east(0.5), east(0.1)));
        thrown.note(tick(201), &pushed(east(0.1), east(0.4)));
        assert!((thrown.sent().across - 0.38).abs() < 1e-6, "{:?}", thrown.sent());
    }

    /// AUTH-21: upward what the tick added but a jump; a landing, a fall and a jump add nothing, gravity neither.
    #[test]
    fn upward_counts_what_a_tick_adds_but_a_jump() {
        let sent = |by: Pushed| {
            let mut thrown = Thrown::default();
            let threw = thrown.note(tick(1), &by);
            assert_eq!(threw, thrown.sent().up > 0.0);
            (thrown.sent().up, thrown.sent().down)
        };
        assert_eq!(sent(pushed(Vec3::ZERO, up(0.3))), (0.3, 0.0));
        assert_eq!(sent(pushed(up(0.1), up(0.3))).0, 0.3 - 0.1);
        assert_eq!(sent(pushed(up(-0.5), up(0.3))).0, 0.3);
        assert_eq!(sent(pushed(up(-0.5), Vec3::ZERO)), (0.0, 0.0));
        assert_eq!(sent(pushed(Vec3::ZERO, up(0.07))), (0.0, 0.0));
        assert_eq!(sent(Pushed { jumps: true, ..pushed(Vec3::ZERO, up(0.37)) }).0, 0.37 - 0.07);
        assert_eq!(sent(pushed(up(-0.2), up(-0.2 - GRAVITY))), (0.0, 0.0));
        assert!((sent(pushed(up(-0.2), up(-0.6 - GRAVITY))).1 - 0.4).abs() < 1e-6);
    }

    /// AUTH-22: a teleporter forgets what was thrown, and not what the client said.
    #[test]
    fn a_teleporter_forgets_throws() {
        let mut thrown = Thrown::default();
        thrown.note(tick(1), &pushed(Vec3::ZERO, Vec3::new(0.5, 0.0, 0.5)));
        thrown.note_taken(LIMITS, east(0.5));
        thrown.forget();
        assert_eq!(thrown.sent(), Sent::default());
        thrown.note(tick(2), &pushed(east(0.5), east(0.5)));
        assert!(thrown.sent().across <= 0.081);
    }
}
