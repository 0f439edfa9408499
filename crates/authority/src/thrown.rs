//! What the host's own ticks gave a copy, and for how long that is remembered: the leave that a client has to go faster
//! than of its own, as in an explosion's throw that it learns of a round trip late. Knows no claim.
//!
//! Of what a copy does only what its client did not say counts (AUTH-21): its speed across less as much as the velocity
//! taken of the client was more than the player goes of its own, and upward what the tick added, but for a jump.
//! Whoever is thrown in a jump or at a run, or jumps or runs before it has heard of a throw, goes by both (ours).

use libm::sqrtf;
use mjolnir_wire::{Tick, Vec3};

use crate::anchor::ANCHOR_JITTER;
use crate::flight::FLIGHT_TRIP_MOST;
use crate::rows::MoveLimits;

/// Ticks for which a speed that the host's ticks gave is remembered (AUTH-13).
pub const SENT_SPEED_MEMORY: u32 = 90;

/// Upward no less than this is a throw, wu a tick: what is less comes of rounding, and no height is missed for it (ours).
pub(crate) const THROW_LEAST: f32 = 0.02;
/// Ticks after a throw in which a jump may be made by a client that has not heard of it.
const UNHEARD: u32 = FLIGHT_TRIP_MOST as u32 + ANCHOR_JITTER;

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
    /// As fast as a player that jumps is to be thrown up besides to rise as high as this one may have: the same as `up`, or
    /// more where the throw may have come in a jump (AUTH-18).
    pub rise: f32,
}

/// What is remembered of one player on foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Thrown {
    across: Memory,
    up: Memory,
    down: Memory,
    /// What is remembered upward may have come in a jump.
    in_jump: bool,
    /// As fast as it ran of its own when it was thrown across, or its client before it has heard of that.
    ran: f32,
    /// When it was last thrown.
    threw: Tick,
    /// Now.
    tick: Tick,
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
    /// It was on the ground.
    pub(crate) stood: bool,
    /// Its jump was pressed.
    pub(crate) jumps: bool,
}

impl Pushed {
    /// As fast as a player on foot leaves the ground of its own, wu a tick.
    fn launch(&self) -> f32 {
        self.limits.run.max(self.limits.jump)
    }

    /// As fast as the tick threw it across, wu a tick: nothing but a throw makes a copy faster than it was and than it runs.
    fn across(&self) -> Option<f32> {
        let (before, after) = (self.before.across(), self.after.across());
        let speed = after.length();
        let thrown = speed > self.limits.run + THROW_LEAST && speed > before.length() + THROW_LEAST;
        // Against the way it went it was thrown harder than it flies.
        thrown.then(|| speed.max(after.distance(before)))
    }

    /// What the tick gave it upward, wu a tick.
    fn up(&self, across: bool) -> f32 {
        let (before, after, launch) = (self.before.z, self.after.z, self.launch());
        let fell = -2.0 * launch;
        // No faster than anybody leaves the ground it may have jumped, from where it has just come down to, too.
        let may_jump =
            self.jumps && (self.stood || before < 0.0 && (after - self.limits.jump).abs() < THROW_LEAST);
        if !across && may_jump && after <= launch + THROW_LEAST {
            return 0.0;
        }
        // Out of a long fall it may have come down on a slope.
        let slides = !across && before < fell && after <= launch;
        if slides { after.max(0.0) } else { after - before }
    }
}

impl Thrown {
    /// Notes what a tick did. Whether it threw the copy up.
    pub(crate) fn note(&mut self, tick: Tick, by: &Pushed) -> bool {
        self.tick = tick;
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
        let across = by.across();
        if self.across.speed() == 0.0 || across.is_some() {
            self.ran = 0.0;
        }
        if let Some(speed) = across {
            self.across.note(tick, speed);
            self.ran = by.before.across().length().min(by.limits.run);
            self.threw = tick;
        }
        let across = across.is_some();
        if self.up.speed() == 0.0 {
            self.in_jump = false;
        }
        let up = by.up(across);
        // On the ground what goes up no faster than it runs is a slope.
        let leaves = across || by.left.is_some() || by.after.z > by.launch() + THROW_LEAST;
        let threw = leaves && up > THROW_LEAST;
        if threw {
            // In a flight that a throw began, one more is as much more, if it goes up faster by it than anybody does of its
            // own: else it rises no higher than it might have.
            let is_again = by.left.is_some() && !by.stood && by.after.z > by.launch() + THROW_LEAST;
            let again = if is_again { self.up.speed() } else { 0.0 };
            self.up.note(tick, again + up);
            (self.in_jump, self.threw) = (self.in_jump || !by.stood, tick);
        }
        self.in_jump |= by.jumps && self.up.speed() > 0.0 && tick <= self.threw.plus(UNHEARD);
        let down = (-by.after.z).max(0.0) - (-by.before.z).max(0.0) - by.gravity.max(0.0);
        if down > by.limits.jump {
            self.down.note(tick, down);
        }
        threw
    }

    /// A velocity was taken of the client.
    pub(crate) fn note_taken(&mut self, limits: MoveLimits, velocity: Vec3) {
        let across = velocity.across().length();
        self.said = (across - limits.run).max(0.0);
        if self.across.speed() > 0.0 && self.tick <= self.threw.plus(UNHEARD) {
            self.ran = self.ran.max(across.min(limits.run));
        }
    }

    /// A teleporter: what was thrown is forgotten, what the client said is not (AUTH-22).
    pub(crate) fn forget(&mut self) {
        *self = Self { said: self.said, ..Self::default() };
    }

    /// What still counts, of a player that moves so of its own.
    pub(crate) fn sent(&self, limits: MoveLimits) -> Sent {
        let (launch, up) = (limits.run.max(limits.jump), self.up.speed());
        let rise = if self.in_jump { sqrtf(up * up + 2.0 * launch * up) } else { up };
        // It may run with the throw when it hears of it.
        let across = self.across.speed() + self.ran;
        let up = if self.in_jump { up + launch } else { up };
        Sent { across, up, down: self.down.speed(), rise }
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
        Pushed {
            limits: LIMITS,
            gravity: GRAVITY,
            before,
            after,
            left: Some(tick(0)),
            stood: true,
            jumps: false,
        }
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
        assert_eq!(thrown.sent(LIMITS).across, 0.5);
        let mut thrown = Thrown::default();
        thrown.note_taken(LIMITS, east(0.5));
        for now in 1..200 {
            thrown.note(tick(now), &pushed(east(0.5), east(0.5)));
            assert!(thrown.sent(LIMITS).across <= 0.081, "{:?}", thrown.sent(LIMITS));
        }
        // Braking and running the other way is its own; faster than it was and than it runs nothing but a throw makes it.
        thrown.note(tick(200), &pushed(east(0.5), east(-0.08)));
        assert!(thrown.sent(LIMITS).across <= 0.081, "{:?}", thrown.sent(LIMITS));
        thrown.note(tick(201), &pushed(east(-0.08), east(0.4)));
        assert!((thrown.sent(LIMITS).across - 0.56).abs() < 1e-6, "{:?}", thrown.sent(LIMITS));
    }

    /// AUTH-13, 18: who jumps or runs when it is thrown, or within half a second of it, goes by both; who stands, by the throw.
    #[test]
    fn a_throw_in_a_jump_is_both() {
        let rise = |speed: f32| (0.08 + speed).powi(2) - 0.08 * 0.08;
        for (stood, later, both) in [(true, 0, false), (false, 0, true), (true, 21, true), (true, 22, false)]
        {
            let mut thrown = Thrown::default();
            thrown.note(tick(100), &Pushed { stood, ..pushed(Vec3::ZERO, up(0.3)) });
            if later > 0 {
                let jump = Pushed { jumps: true, ..pushed(Vec3::ZERO, up(0.07)) };
                thrown.note(tick(100 + later), &jump);
            }
            let sent = thrown.sent(LIMITS);
            assert!((sent.up - if both { 0.38 } else { 0.3 }).abs() < 1e-6, "{stood} {later}: {sent:?}");
            let expected = if both { rise(0.3) } else { 0.09 };
            assert!((sent.rise * sent.rise - expected).abs() < 1e-5, "{stood} {later}: {sent:?}");
        }
        for (ran, later, both) in [(0.0, 0, false), (0.08, 0, true), (0.0, 21, true), (0.0, 22, false)] {
            let mut thrown = Thrown::default();
            thrown.note(tick(100), &pushed(east(-ran), east(0.5 - ran)));
            if later > 0 {
                thrown.note(tick(100 + later), &pushed(Vec3::ZERO, Vec3::ZERO));
                thrown.note_taken(LIMITS, east(0.08));
            }
            let across = thrown.sent(LIMITS).across;
            assert!((across - if both { 0.58 } else { 0.5 }).abs() < 1e-6, "{ran} {later}: {across}");
        }
    }

    /// AUTH-21: upward what the tick added but a jump; a landing, a fall and a jump add nothing, gravity neither.
    #[test]
    fn upward_counts_what_a_tick_adds_but_a_jump() {
        let sent = |by: Pushed| {
            let mut thrown = Thrown::default();
            let threw = thrown.note(tick(1), &by);
            assert_eq!(threw, thrown.sent(LIMITS).up > 0.0);
            (thrown.sent(LIMITS).up, thrown.sent(LIMITS).down)
        };
        assert_eq!(sent(pushed(Vec3::ZERO, up(0.3))), (0.3, 0.0));
        assert_eq!(sent(pushed(up(0.1), up(0.3))).0, 0.3 - 0.1);
        // Out of a fall it was thrown up by what ended that, too; a slope ends it as well, and no faster than it runs.
        assert_eq!(sent(pushed(up(-0.5), up(0.3))).0, 0.8);
        assert_eq!(sent(pushed(up(-0.5), up(0.08))).0, 0.08);
        assert_eq!(sent(pushed(up(-0.5), Vec3::ZERO)), (0.0, 0.0));
        let jumps = |before, after, stood| Pushed { jumps: true, stood, ..pushed(up(before), up(after)) };
        assert_eq!(sent(jumps(0.0, 0.07, true)), (0.0, 0.0));
        assert_eq!(sent(jumps(-0.07, 0.07, false)), (0.0, 0.0));
        // On the ground what goes up is a slope.
        assert_eq!(sent(Pushed { left: None, ..pushed(Vec3::ZERO, up(0.07)) }), (0.0, 0.0));
        for (given, threw) in [(THROW_LEAST - 0.001, false), (THROW_LEAST + 0.001, true)] {
            assert_eq!(sent(pushed(Vec3::ZERO, up(given))).0 > 0.0, threw);
        }
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
        assert_eq!(thrown.sent(LIMITS), Sent::default());
        thrown.note(tick(2), &pushed(east(0.5), east(0.5)));
        assert!(thrown.sent(LIMITS).across <= 0.081);
    }

    /// AUTH-18: thrown again in the flight that a throw began, one goes up by both; on the ground again, by the stronger.
    #[test]
    fn throws_of_one_flight_add_up() {
        for (flies, speed) in [(true, 0.5), (false, 0.3)] {
            let mut thrown = Thrown::default();
            let by = |before: f32, after: f32, left: Option<Tick>| Pushed {
                limits: LIMITS,
                gravity: GRAVITY,
                before: Vec3::new(0.0, 0.0, before),
                after: Vec3::new(0.0, 0.0, after),
                left,
                stood: left.is_none(),
                jumps: false,
            };
            assert!(thrown.note(tick(10), &by(0.0, 0.3, None)));
            let (before, left) = if flies { (0.2, Some(tick(9))) } else { (0.0, None) };
            assert!(thrown.note(tick(40), &by(before, before + 0.2, left)));
            let sent = thrown.sent(LIMITS);
            assert!((sent.rise - speed).abs() < 0.15 && (sent.rise > 0.45) == flies, "{flies}: {sent:?}");
        }
    }
}
