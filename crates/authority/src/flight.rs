//! How high the host last had something on the ground, since when it is in the air, and how high a thing thrown up from
//! there can still be. Knows no speed of anyone's and no claim.

use libm::sqrtf;
use mjolnir_wire::Tick;

use crate::anchor::ANCHOR_JITTER;

/// No client's round trip shortens a flight by more than this, in ticks: half a second (AUTH-19).
pub const FLIGHT_TRIP_MOST: u8 = 15;

/// Ticks that a client may be late at most: its round trip, or the silence of a program that stood still, and jitter.
const LATE_MOST: u32 = FLIGHT_TRIP_MOST as u32 + ANCHOR_JITTER;

/// Ticks for which one that came down on the host while its client's word on its height was refused is held to the ground,
/// unless its client says that it is down before (AUTH-20, ours): who hovers would else be up again with its next word.
pub(crate) const GROUNDED_FOR: u32 = 90;
/// No higher than this above the ground is down, wu: a step, and what rounding does.
pub(crate) const DOWN: f32 = 0.25;

/// How high above its start a thing thrown up that fast is at most after so many ticks: the top until it has reached
/// it, then where it falls to, no faster than `most` wu a tick. Without gravity there is no such height.
pub(crate) fn height_after(speed: f32, gravity: f32, ticks: f32, most: f32) -> f32 {
    if gravity <= 0.0 {
        return f32::INFINITY;
    }
    let rise = rise(speed, gravity);
    let falling = (ticks - speed / gravity).max(0.0);
    let free = falling.min(most / gravity);
    rise - gravity * free * free * 0.5 - most * (falling - free)
}

/// How high a thing rises that is thrown up that fast, wu.
pub(crate) fn rise(speed: f32, gravity: f32) -> f32 {
    if gravity <= 0.0 { f32::INFINITY } else { speed * speed / (2.0 * gravity) }
}

/// As fast upward as a thing may be that comes no higher than `room` above where it is, wu a tick.
fn fastest_up(room: f32, gravity: f32) -> f32 {
    sqrtf(2.0 * gravity * room.max(0.0))
}

/// By which rule a flight is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rise {
    /// Wu a tick by which a falling thing gains speed each tick.
    pub(crate) gravity: f32,
    /// As fast as it may have left the ground, besides what it is known to have left it with, wu a tick.
    pub(crate) launch: f32,
    /// As fast as the host's ticks threw it up, wu a tick: it rises by as much more.
    pub(crate) thrown: f32,
    /// What is allowed on top, wu.
    pub(crate) slack: f32,
    /// Ticks that the client may be behind: its round trip, and jitter.
    pub(crate) late: u32,
    /// As fast as it falls at most, wu a tick.
    pub(crate) most: f32,
}

/// A stay on the ground and the flight after it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    /// Where it was last on the ground.
    ground: f32,
    /// The highest since.
    top: f32,
    /// As fast as it went up there.
    launch: f32,
    /// The last tick on the ground; none while it is there.
    began: Option<Tick>,
    /// The same, or the tick before it was last thrown up: from then on it falls.
    left: Option<Tick>,
    /// Ticks of the flight in which nothing came of its client, but for jitter.
    silent: u32,
}

impl Stretch {
    const fn at(height: f32, launch: f32) -> Self {
        Self { ground: height, top: height, launch, began: None, left: None, silent: 0 }
    }

    /// The higher of two.
    fn with(self, other: Self) -> Self {
        Self {
            ground: self.ground.max(other.ground),
            top: self.top.max(other.top),
            launch: self.launch.max(other.launch),
            began: self.began.max(other.began),
            left: self.left.max(other.left),
            silent: self.silent.max(other.silent),
        }
    }

    /// The ticks that count of its flight, and as fast as it was thrown up at its begin.
    fn thrown_up(&self, tick: Tick, by: &Rise) -> (f32, f32) {
        let late = by.late.saturating_add(self.silent).min(by.late.max(LATE_MOST));
        let air = self.left.map_or(0, |left| tick.since(left) - late as i32).max(0);
        let own = by.launch + self.launch;
        (air as f32, sqrtf(own * own + by.thrown * by.thrown))
    }

    fn ceiling(&self, tick: Tick, by: &Rise) -> f32 {
        let (air, speed) = self.thrown_up(tick, by);
        self.ground + by.slack + height_after(speed, by.gravity, air, by.most)
    }

    fn fastest(&self, tick: Tick, by: &Rise, height: f32) -> f32 {
        if by.gravity <= 0.0 {
            return f32::INFINITY;
        }
        let (air, speed) = self.thrown_up(tick, by);
        let falls = by.gravity * air - speed;
        if falls > 0.0 {
            -falls.min(by.most)
        } else {
            fastest_up(self.ceiling(tick, by) - height, by.gravity)
        }
    }
}

/// Where a player or a vehicle was last on the ground and what became of it since (AUTH-15, 18, 19, 30).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flight {
    now: Stretch,
    /// The flight before, while a client may still be on it, and until when: the host's copy may land sooner than the
    /// client's player, by as much as messages jitter.
    before: Option<(Stretch, Tick)>,
    /// Its client said that it is higher than it can be, since it was last down.
    too_high: bool,
    /// It is held to the ground until then.
    held: Option<Tick>,
    /// When the host last missed ticks of it.
    missed: Option<Tick>,
}

impl Flight {
    /// Of one that was nowhere else before.
    pub(crate) const fn new(height: f32) -> Self {
        Self { now: Stretch::at(height, 0.0), before: None, too_high: false, held: None, missed: None }
    }

    /// Of one that begins there as fast upward as the host has it, as who gets out of what flies.
    pub(crate) fn rising(height: f32, launch: f32) -> Self {
        Self { now: Stretch::at(height, launch.max(0.0)), ..Self::new(height) }
    }

    /// Notes where the host's tick has it, and as fast as it goes up while it is on the ground.
    pub(crate) fn note(&mut self, tick: Tick, height: f32, grounded: bool, launch: f32) {
        if self.before.is_some_and(|(_, until)| until < tick) {
            self.before = None;
        }
        if !grounded {
            self.now.began.get_or_insert(tick.minus(1));
            self.now.left.get_or_insert(tick.minus(1));
            self.now.top = self.now.top.max(height);
            return;
        }
        if self.held.is_some_and(|until| until < tick) {
            self.held = None;
        }
        if core::mem::take(&mut self.too_high) {
            self.held = Some(tick.plus(GROUNDED_FOR));
        }
        if self.now.left.is_some() {
            let last = self.before.map_or(self.now, |(before, _)| before.with(self.now));
            self.before = Some((last, tick.plus(ANCHOR_JITTER)));
        }
        self.now = Stretch::at(height, launch);
    }

    /// It was put that high by the client's word.
    pub(crate) fn raise(&mut self, height: f32) {
        self.now.top = self.now.top.max(height);
        if self.now.left.is_none() && height <= self.now.ground + DOWN {
            self.held = None;
        }
    }

    /// More of its client's ticks came at once than jitter explains: the host may have stood still, and have missed that it
    /// came down and jumped again. Its flight begins anew, once in [`GROUNDED_FOR`] ticks (ours): a client that forges that
    /// is in the air for as long again, no higher, and then held to the ground.
    pub(crate) fn missed(&mut self, tick: Tick) {
        let lately = self.missed.is_some_and(|last| tick < last.plus(GROUNDED_FOR));
        if let (Some(left), false) = (&mut self.now.left, lately) {
            *left = tick.minus(1);
            self.missed = Some(tick);
        }
    }

    /// Nothing came of its client for so many ticks: its program may have stood still, its clock with it, so that its player
    /// comes down as much later (ours). That and its round trip make no more of a flight than the longest round trip does.
    pub(crate) fn was_silent(&mut self, ticks: u32) {
        if self.now.left.is_some() {
            self.now.silent = self.now.silent.saturating_add(ticks);
        }
    }

    /// Its client said that it is higher than it can be.
    pub(crate) const fn too_high(&mut self) {
        self.too_high = true;
    }

    /// The host's tick threw it up: what falls from there begins now.
    pub(crate) fn thrown(&mut self, tick: Tick) {
        if let Some(left) = &mut self.now.left {
            *left = tick.minus(1);
        }
    }

    /// How high the host had it last on the ground, wu.
    pub(crate) const fn ground(&self) -> f32 {
        self.now.ground
    }

    /// The last tick on the ground, of one in the air.
    pub(crate) const fn airborne_since(&self) -> Option<Tick> {
        self.now.began
    }

    /// The highest it may be falling from.
    pub(crate) fn top(&self) -> f32 {
        self.before.map_or(self.now.top, |(before, _)| before.top.max(self.now.top))
    }

    /// No higher than this it is believed to be (AUTH-18, 19).
    pub(crate) fn ceiling(&self, tick: Tick, by: &Rise) -> f32 {
        let now = self.now.ceiling(tick, by);
        if self.held.is_some() {
            return now.min(self.now.ground + DOWN);
        }
        self.before.map_or(now, |(before, _)| before.ceiling(tick, by).max(now))
    }

    /// No velocity upward past this is taken of its client, at that height, wu a tick (ours): the host's copy would go on
    /// by it past the ceiling, or come down more slowly than a thing falls, once its client's word is no longer taken.
    pub(crate) fn fastest(&self, tick: Tick, by: &Rise, height: f32) -> f32 {
        let now = self.now.fastest(tick, by, height);
        self.before.map_or(now, |(before, _)| before.fastest(tick, by, height).max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: f32 = 0.003_57;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// On foot: a run of 0.08 wu a tick, legs of 0.2 wu, a world unit.
    fn by(late: u32) -> Rise {
        Rise { gravity: GRAVITY, launch: 0.08, thrown: 0.0, slack: 1.2, late, most: 2.0 }
    }

    /// AUTH-18: standing, 2.10 wu; a throw of 0.3 wu a tick adds what it rises; without gravity there is no height.
    #[test]
    fn a_ceiling_is_a_jump_legs_and_a_world_unit() {
        let flight = Flight::new(10.0);
        assert!((flight.ceiling(tick(0), &by(0)) - 12.10).abs() < 0.005);
        let thrown = Rise { thrown: 0.3, ..by(0) };
        let more = flight.ceiling(tick(0), &thrown) - flight.ceiling(tick(0), &by(0));
        assert!((more - 0.3 * 0.3 / (2.0 * GRAVITY)).abs() < 1e-3, "{more}");
        assert_eq!(flight.ceiling(tick(0), &Rise { gravity: 0.0, ..by(0) }), f32::INFINITY);
    }

    /// AUTH-19: who begins in the air, 0.1 wu a tick upward, comes as high as that takes it besides a jump.
    #[test]
    fn who_begins_in_the_air_rises_on() {
        let ceiling = |flight: Flight| flight.ceiling(tick(0), &by(0));
        let (still, rises) = (ceiling(Flight::new(10.0)), ceiling(Flight::rising(10.0, 0.1)));
        let more = (0.18_f32.powi(2) - 0.08_f32.powi(2)) / (2.0 * GRAVITY);
        assert!((rises - still - more).abs() < 1e-3, "{rises} {still}");
        assert_eq!(Flight::rising(10.0, -0.1), Flight::new(10.0));
    }

    /// AUTH-19: sixty ticks in the air with a round trip of six: as high as a thing thrown up 48 ticks ago; a round trip
    /// of none, 54. It is no lower than that of a jump until its top would be reached.
    #[test]
    fn a_ceiling_falls_as_a_thing_does() {
        let mut flight = Flight::new(10.0);
        flight.note(tick(100), 10.0, true, 0.0);
        for now in 101..=160 {
            flight.note(tick(now), 11.0, false, 0.0);
        }
        for late in [12, 6] {
            let air = (60 - late) as f32;
            let arc = 11.2 + 0.08 * air - GRAVITY * air * air * 0.5;
            let ceiling = flight.ceiling(tick(160), &by(late));
            assert!((ceiling - arc).abs() < 1e-4, "{late}: {ceiling} {arc}");
        }
        let top = flight.ceiling(tick(100), &by(0));
        assert_eq!(flight.ceiling(tick(122), &by(0)), top);
        assert!(flight.ceiling(tick(124), &by(0)) < top);
        flight.thrown(tick(160));
        assert_eq!(flight.ceiling(tick(160), &by(0)), top);
    }

    /// AUTH-16, 19: nothing falls faster than the most there is, and the ceiling neither.
    #[test]
    fn a_ceiling_falls_no_faster_than_anything() {
        let step = |ticks: f32| {
            height_after(0.0, GRAVITY, ticks, 2.0) - height_after(0.0, GRAVITY, ticks + 1.0, 2.0)
        };
        assert!(step(100.0) < 0.5);
        assert!(step(559.0) < 2.001 && step(561.0) > 1.999 && step(5000.0) < 2.01);
    }

    /// AUTH-18, 20: upward as fast as there is room for, and in a fall as fast downward as a thing falls by then.
    #[test]
    fn a_velocity_is_of_a_thing_that_falls() {
        let mut flight = Flight::new(0.0);
        let room = rise(0.08, GRAVITY) + 1.2;
        assert!((rise(flight.fastest(tick(0), &by(0), 0.0), GRAVITY) - room).abs() < 1e-4);
        assert!((rise(flight.fastest(tick(0), &by(0), 1.0), GRAVITY) - room + 1.0).abs() < 1e-4);
        assert_eq!(flight.fastest(tick(0), &by(0), 5.0), 0.0);
        (1..=100).for_each(|now| flight.note(tick(now), 0.0, false, 0.0));
        assert!((flight.fastest(tick(100), &by(12), 0.0) - (0.08 - 88.0 * GRAVITY)).abs() < 1e-5);
        assert_eq!(flight.fastest(tick(9000), &by(12), 0.0), -2.0);
        assert_eq!(flight.fastest(tick(100), &Rise { gravity: 0.0, ..by(0) }, 0.0), f32::INFINITY);
    }

    /// AUTH-15: the highest since the ground; a landing is believed once no jitter can hide another fall.
    #[test]
    fn the_top_is_of_this_flight_and_for_a_while_of_the_last() {
        let mut flight = Flight::new(3.0);
        flight.note(tick(1), 5.0, false, 0.0);
        flight.note(tick(2), 4.0, false, 0.0);
        assert_eq!((flight.top(), flight.airborne_since()), (5.0, Some(tick(0))));
        flight.note(tick(3), 1.0, true, 0.0);
        flight.note(tick(9), 1.0, true, 0.0);
        assert_eq!((flight.top(), flight.airborne_since()), (5.0, None));
        assert!(flight.ceiling(tick(9), &by(0)) > 3.0 + 1.2);
        flight.note(tick(10), 1.0, true, 0.0);
        assert_eq!(flight.top(), 1.0);
        assert!(flight.ceiling(tick(10), &by(0)) < 1.0 + 2.2);
        flight.raise(1.5);
        assert_eq!(flight.top(), 1.5);
    }

    /// AUTH-30: what goes up a ramp leaves it as fast as it went up, and as fast as it did on its last tick there.
    #[test]
    fn a_launch_is_that_of_the_last_tick_on_the_ground() {
        let mut flight = Flight::new(0.0);
        flight.note(tick(1), 0.0, true, 0.3);
        flight.note(tick(2), 0.2, true, 0.2);
        flight.note(tick(3), 0.4, false, 9.0);
        let rule = Rise { launch: 0.1, slack: 2.0, ..by(0) };
        let ceiling = flight.ceiling(tick(3), &rule);
        assert!((ceiling - 2.2 - rise(0.3, GRAVITY)).abs() < 1e-4, "{ceiling}");
    }

    /// AUTH-20: who came down while its client said it is higher than it can be is held to the ground for 90 ticks, or until
    /// its client says that it is down.
    #[test]
    fn who_was_too_high_is_held_to_the_ground() {
        for (too_high, says, held) in [
            (false, None, false),
            (true, None, true),
            (true, Some(DOWN + 0.01), true),
            (true, Some(DOWN - 0.01), false),
        ] {
            let mut flight = Flight::new(0.0);
            (1..=80).for_each(|now| flight.note(tick(now), 0.5, false, 0.0));
            if too_high {
                flight.too_high();
            }
            flight.note(tick(81), 0.0, true, 0.0);
            says.into_iter().for_each(|height| flight.raise(height));
            assert_eq!(flight.ceiling(tick(81), &by(0)) <= DOWN, held, "{too_high} {says:?}");
            (82..=171).for_each(|now| flight.note(tick(now), 0.0, true, 0.0));
            assert_eq!(flight.ceiling(tick(171), &by(0)) <= DOWN, held, "{too_high} {says:?}");
            flight.note(tick(172), 0.0, true, 0.0);
            assert!(flight.ceiling(tick(172), &by(0)) > 2.0);
        }
    }

    /// AUTH-19: where the host missed ticks the flight begins anew; not again before 90 have passed.
    #[test]
    fn a_flight_of_which_ticks_were_missed_begins_anew() {
        let mut flight = Flight::new(0.0);
        (1..=60).for_each(|now| flight.note(tick(now), 0.5, false, 0.0));
        flight.missed(tick(60));
        let top = flight.ceiling(tick(60), &by(0));
        assert!((top - 2.10).abs() < 0.005, "{top}");
        flight.missed(tick(149));
        assert!(flight.ceiling(tick(149), &by(0)) < 0.0);
        flight.missed(tick(150));
        assert_eq!(flight.ceiling(tick(150), &by(0)), top);
        assert_eq!(flight.airborne_since(), Some(tick(0)));
    }
}
