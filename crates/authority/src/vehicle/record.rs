//! What the host does with a client's word on where the vehicle is that its player drives: one vehicle's record, and the
//! rule by which a prediction is taken. Knows no message and no other vehicle.

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Tick, Vec3};

use super::VEHICLE_NAMED_BACK;
use super::bounds::{VEHICLE_BLEND_DISTANCE, VEHICLE_MOST_A_TICK, VEHICLE_PLACE_SLACK, VehicleBounds};
use crate::anchor::ANCHOR_JITTER;
use crate::flight::{Flight, Rise};
use crate::measure::Measure;
use crate::rows::{CarriedBy, VehicleRow, Why};
use crate::same::{self, SAME_ANGULAR, SAME_VELOCITY};
use crate::take::{Outcome, Taken};
use crate::thrown::Memory;

/// A prediction further than this from the host's own copy of a driven vehicle is not taken, wu (AUTH-10).
pub const VEHICLE_TAKE_TOLERANCE: f32 = 5.0;
/// Ticks after a take in which its driver's machine is still told of the tick that the host has the vehicle at, and in
/// which the next prediction is measured from the anchor. After them it is held to the tolerance alone (AUTH-32).
pub const VEHICLE_ANCHOR_KEPT: u32 = 60;
/// A vehicle may have left the ground so much faster upward than the host saw, wu a tick (AUTH-30).
pub const VEHICLE_LAUNCH_SLACK: f32 = 0.1;
/// A vehicle that falls in the air is believed to be this much higher than it can be, wu (AUTH-30).
pub const VEHICLE_HEIGHT_SLACK: f32 = 2.0;

/// A client's word on where the vehicle is that its player drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// The client's tick.
    pub(super) client: Tick,
    pub(super) motion: Motion,
}

/// The tick that a row is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Now {
    pub(super) tick: Tick,
    pub(super) gravity: f32,
    /// The driver's machine's, in ticks, no more than [`FLIGHT_TRIP_MOST`](crate::FLIGHT_TRIP_MOST).
    pub(super) round_trip: u8,
}

/// What the host keeps of one vehicle that a client drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record {
    measure: Measure,
    flight: Flight,
    /// What the host's ticks gave it: the speed, and upward.
    sent: [Memory; 2],
    /// As much of the copy's speed as its client said beyond its top speed.
    said: f32,
    /// As much of the blend distance as the anchors so far took. One that goes slower than its bound gives back as much,
    /// so that over any stretch it is allowed once (AUTH-26).
    spent: f32,
    taken: Option<Taken>,
    /// Where the copy stood and how it moved when the host was last done with it.
    put: [Vec3; 2],
}

impl Record {
    /// Of one that somebody begins to drive: all that it moves by now the host gave it.
    pub(super) fn new(motion: &Motion) -> Self {
        Self {
            measure: Measure::new(),
            flight: Flight::new(motion.position.z),
            sent: [Memory::default(); 2],
            said: 0.0,
            spent: 0.0,
            taken: None,
            put: [motion.position, motion.velocity],
        }
    }

    /// The host put it elsewhere: all but what its client said of its speed starts afresh (AUTH-29).
    pub(super) fn start_afresh(&mut self, motion: &Motion) {
        *self = Self { said: self.said, ..Self::new(motion) };
    }

    /// Notes what a tick of the host did. A copy that moved further than any moves was put there (AUTH-29).
    pub(super) fn follow(&mut self, now: &Now, row: &VehicleRow) {
        let (tick, motion) = (now.tick, &row.motion);
        if motion.position.distance(self.put[0]) > VEHICLE_MOST_A_TICK + VEHICLE_PLACE_SLACK {
            self.start_afresh(motion);
        }
        if self.taken.is_some_and(|taken| taken.at(tick, VEHICLE_ANCHOR_KEPT).is_none()) {
            self.taken = None;
            (self.measure, self.spent) = (Measure::new(), 0.0);
        }
        let speed = motion.velocity.length();
        self.said = self.said.min((speed - row.top_speed).max(0.0));
        self.sent.iter_mut().for_each(|memory| memory.pass(tick, None));
        let sent = speed - self.said;
        if sent > row.top_speed {
            self.sent[0].note(tick, sent);
        }
        // No more than its own speed and what the host gave: the client's word on a velocity is no ramp (ours).
        let most = row.top_speed.max(self.sent[0].speed());
        self.flight.note(tick, motion.position.z, row.grounded, motion.velocity.z.clamp(0.0, most));
        let up = motion.velocity.z.max(0.0) - self.put[1].z.max(0.0);
        if up > VEHICLE_LAUNCH_SLACK && !row.grounded {
            self.sent[1].note(tick, up);
            self.flight.thrown(tick);
        }
    }

    /// Whether a prediction is taken, and where it puts the copy (AUTH-10, 11, 26 to 30). `believed` says whether the
    /// prediction's tick is the client's time.
    pub(super) fn take(
        &self,
        now: &Now,
        row: &VehicleRow,
        prediction: &Prediction,
        believed: bool,
    ) -> Outcome<Motion> {
        let (copy, claim) = (&row.motion, &prediction.motion);
        let off = copy.position.distance(claim.position);
        if off > VEHICLE_TAKE_TOLERANCE {
            return Outcome::PastTolerance;
        }
        if is_fixed(row) {
            let to = turned(copy, claim);
            return Outcome::Taken((to != *copy).then_some((to, Why::Take)));
        }
        let bounds = VehicleBounds::of(row.top_speed, self.sent[0].speed());
        let measured = self.measure.of(now.tick, prediction.client, believed);
        let far = measured.is_some_and(|measured| {
            let (last, ticks) = measured.last;
            // What was put beside the host's copy made no step of its own.
            let steps = VehicleBounds::steps(last, claim.position, ticks)
                || VehicleBounds::steps(self.put[0], claim.position, 1);
            let beyond = bounds.beyond(measured.from, claim.position, measured.ticks);
            !(steps && self.spent + beyond <= VEHICLE_BLEND_DISTANCE)
        });
        let rise = self.rise(now);
        let falls = row.carried_by == CarriedBy::Ground;
        if far {
            return Outcome::PastBounds;
        }
        if falls && claim.position.z > self.flight.ceiling(now.tick, &rise) {
            return Outcome::TooHigh;
        }

        let (position, why) = if off <= VEHICLE_BLEND_DISTANCE {
            (copy.position + (claim.position - copy.position) * 0.5, Why::Blend)
        } else {
            (claim.position, Why::Take)
        };
        let velocity = if same::near(copy.velocity, claim.velocity, SAME_VELOCITY) {
            copy.velocity
        } else {
            let clipped = bounds.clip(claim.velocity);
            let most = if falls { self.flight.fastest(now.tick, &rise, position.z) } else { f32::INFINITY };
            Vec3::new(clipped.x, clipped.y, clipped.z.min(most))
        };
        let to = Motion { position, velocity, ..turned(copy, claim) };
        Outcome::Taken((to != *copy).then_some((to, why)))
    }

    /// By which rule the height of one is judged that does not fly or float (AUTH-30).
    fn rise(&self, now: &Now) -> Rise {
        Rise {
            gravity: now.gravity,
            launch: VEHICLE_LAUNCH_SLACK,
            thrown: self.sent[1].speed(),
            slack: VEHICLE_HEIGHT_SLACK,
            late: u32::from(now.round_trip) + ANCHOR_JITTER,
            most: VEHICLE_MOST_A_TICK,
        }
    }

    /// The host left out so many ticks, which the client did not.
    pub(super) fn grant(&mut self, ticks: u32) {
        self.measure.grant(ticks);
        // Nor is the copy any nearer to where the client has its vehicle by now: a state that named the tick from before
        // would be of a past that the client no longer keeps, and nothing would be put right for two seconds.
        if let Some(taken) = &mut self.taken {
            taken.client = taken.client.plus(ticks);
        }
    }

    /// Whether there is a place that claims are measured from.
    pub(super) const fn is_anchored(&self) -> bool {
        self.measure.is_set()
    }

    /// A prediction was taken: later ones are measured from it, and no state names the tick of one that may be a damaged
    /// one. `row` is as the copy was left.
    pub(super) fn note_taken(
        &mut self,
        now: &Now,
        row: &VehicleRow,
        prediction: &Prediction,
        believed: bool,
    ) {
        self.said = (row.motion.velocity.length() - row.top_speed).max(0.0);
        if !believed {
            self.taken = None;
            return;
        }
        let client = prediction.client;
        let place = if is_fixed(row) { row.motion.position } else { prediction.motion.position };
        self.flight.raise(place.z);
        self.taken = Some(Taken { host: now.tick, client, place, carried: false });
        let before = self.measure.of(now.tick, client, believed);
        self.measure.note_taken(now.tick, client, place, self.flight.top());
        let after = self.measure.of(now.tick, client, believed);
        let renewed = after.is_some_and(|after| after.ticks == 0 && after.from == place);
        if let Some(before) = before.filter(|before| renewed && before.from != place) {
            let bounds = VehicleBounds::of(row.top_speed, self.sent[0].speed());
            self.spent = (self.spent + bounds.beyond(before.from, place, before.ticks)).max(0.0);
        }
    }

    /// A prediction of the client's time was too far from the copy. Where its client ran more ticks since the last that was
    /// taken than the host did, and than jitter explains, the host stood still and its clock with it: as after those that
    /// it knows it left out, a state names the tick that the client is at, so that the client sees what it is off by.
    pub(super) fn note_refused(&mut self, now: &Now, prediction: &Prediction) {
        let named = self.client_tick(now.tick);
        let ahead = named.map_or(0, |named| prediction.client.since(named));
        // Of one that is further on no tick is named: see [`VEHICLE_NAMED_BACK`].
        let stood = ahead > ANCHOR_JITTER as i32 && ahead <= VEHICLE_NAMED_BACK;
        if let Some(taken) = self.taken.as_mut().filter(|_| stood) {
            taken.client = taken.client.plus(ahead.unsigned_abs());
        }
    }

    /// The host is done with the tick: the copy stands here and moves so.
    pub(super) const fn settle(&mut self, motion: &Motion) {
        self.put = [motion.position, motion.velocity];
    }

    /// The client's tick that the copy is at: that of the prediction taken, and the host's ticks since (AUTH-32).
    pub(super) fn client_tick(&self, tick: Tick) -> Option<Tick> {
        self.taken.and_then(|last| last.at(tick, VEHICLE_ANCHOR_KEPT))
    }
}

/// Whether nothing of its own moves it: it turns, and where it is its client has no say in (ours).
fn is_fixed(row: &VehicleRow) -> bool {
    row.top_speed <= 0.0
}

/// The copy, turned as its client has it.
fn turned(copy: &Motion, claim: &Motion) -> Motion {
    let turns = same::near(copy.angular_velocity, claim.angular_velocity, SAME_ANGULAR);
    Motion {
        axes: same::axes(&copy.axes, &claim.axes),
        angular_velocity: if turns { copy.angular_velocity } else { claim.angular_velocity },
        ..*copy
    }
}
