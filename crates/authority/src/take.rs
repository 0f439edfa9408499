//! What the host does with a client's word on where its player is: one player's record, and the rule by which a
//! prediction is taken. Knows no message and no other player.

use mjolnir_wire::units::Placement;
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::anchor::{ANCHOR_JITTER, ANCHOR_RENEW};
use crate::bounds::{self, Bounds, MOST_A_TICK, PLACE_SLACK};
use crate::crossing::{Crossing, crossing, landed};
use crate::flight::{Flight, GROUNDED_FOR};
use crate::measure::Measure;
use crate::rows::{MoveLimits, Shaft, Why};
use crate::same::{self, SAME_VELOCITY};
use crate::thrown::{Pushed, Thrown};

/// A prediction further than this from the host's own copy is not taken, wu (AUTH-10).
pub const TAKE_TOLERANCE: f32 = 3.5;
/// The host's copy is put only halfway to a prediction within this, wu (AUTH-11).
pub const HOST_BLEND_DISTANCE: f32 = 0.25;
/// Ticks after a take in which the player's state still names the client's tick (AUTH-33).
pub const TICK_NAMED_FOR: u32 = 3;

/// Ticks after which a client may have its player through a teleporter once more (ours): nobody is off one and on it again
/// sooner.
pub const TELEPORT_REST: u32 = 6;

/// Who is further than this from where a teleporter sent it has left that, wu (ours): a little sooner than its client's machine
/// says so, whose words come between.
const ARRIVED_WITHIN: f32 = 0.75;

/// So far under a floor one still stands on it, wu (ours).
pub(crate) const ON_FLOOR: f32 = 0.05;

/// A client's word on where its player is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub(crate) unit: ObjectId,
    /// The client's tick.
    pub(crate) client: Tick,
    pub(crate) placement: Placement,
}

/// What became of a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome<T> {
    /// Taken: the copy goes there, if it is not there already.
    Taken(Option<(T, Why)>),
    /// Too far from the host's copy.
    PastTolerance,
    /// The same, of a player that the host put elsewhere and whose client cannot know it yet.
    Early,
    /// Further than the player can have moved.
    PastBounds,
    /// Higher than it can be.
    TooHigh,
}

/// The last prediction taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) host: Tick,
    pub(crate) client: Tick,
    /// Where the client had it.
    pub(crate) place: Vec3,
    /// An elevator had it.
    pub(crate) carried: bool,
}

impl Taken {
    /// The client's tick that the copy is at `tick`, for so many ticks.
    pub(crate) fn at(&self, tick: Tick, ticks: u32) -> Option<Tick> {
        let since = u32::try_from(tick.since(self.host)).ok()?;
        (since <= ticks).then(|| self.client.plus(since))
    }
}

/// How the host and the client moved a player in the same tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves {
    pub(crate) host: Vec3,
    pub(crate) client: Vec3,
}

/// What a tick of the host made of one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) tick: Tick,
    pub(crate) gravity: f32,
    pub(crate) limits: MoveLimits,
    /// Where the tick left it, and how it moves.
    pub(crate) copy: Placement,
    pub(crate) grounded: bool,
    /// An elevator that moves, or stands still with the unit on its floor, has it: its height is the host's (AUTH-23).
    pub(crate) carried: bool,
    /// How high the floor of one is that stands still and that it left in the air a short while ago: a jump as it stopped.
    pub(crate) floor: Option<f32>,
    /// Its jump was pressed.
    pub(crate) jumps: bool,
    /// Its client's, in ticks, no more than [`FLIGHT_TRIP_MOST`](crate::FLIGHT_TRIP_MOST).
    pub(crate) round_trip: u8,
}

impl Prediction {
    /// As far as it is taken: of a unit that an elevator has, where it is across and not how high (AUTH-23); of one in the
    /// air over an elevator that stopped, no lower than its floor, which the client's own is still on its way to.
    pub(crate) fn within(mut self, step: &Step) -> Self {
        let Placement { position, velocity, .. } = &mut self.placement;
        if step.carried {
            position.z = step.copy.position.z;
            velocity.z = step.copy.velocity.z;
        } else if let Some(floor) = step.floor.filter(|floor| step.copy.position.z >= floor - ON_FLOOR) {
            position.z = position.z.max(floor);
        }
        self
    }
}

/// What the host keeps of one unit of a client's player on foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) unit: ObjectId,
    measure: Measure,
    flight: Flight,
    thrown: Thrown,
    taken: Option<Taken>,
    /// Where its client last said that it is, taken or not, and in which of its ticks.
    said: Option<(Tick, Vec3)>,
    /// When the last prediction came, and of which of its client's ticks.
    came: Option<(Tick, Tick)>,
    /// When the host put it elsewhere, as far as it said so.
    moved: Option<Tick>,
    /// When it was last taken through a teleporter by its client's word.
    sent: Option<Tick>,
    /// Where it was last put elsewhere, and has not left since.
    arrived: Option<Vec3>,
    /// When the host last missed ticks in which it may have left that.
    unseen: Option<Tick>,
    /// Where the copy stood and how it moved when the host was last done with it.
    put: [Vec3; 2],
}

impl Record {
    /// Of a unit that begins to be on foot: all that it moves by now the host gave it.
    pub(crate) fn new(unit: ObjectId, copy: &Placement) -> Self {
        Self {
            unit,
            measure: Measure::new(),
            flight: Flight::rising(copy.position.z, copy.velocity.z),
            thrown: Thrown::default(),
            taken: None,
            said: None,
            came: None,
            moved: None,
            sent: None,
            arrived: None,
            unseen: None,
            put: [copy.position, Vec3::ZERO],
        }
    }

    /// The host put it elsewhere, and says so: it starts afresh, and its client learns of it later.
    pub(crate) fn put_elsewhere(&mut self, tick: Tick, copy: &Placement) {
        self.start_afresh(copy);
        self.moved = Some(tick);
    }

    /// The host put it elsewhere: everything starts afresh but what its client said of its speed (AUTH-22), and what is known of
    /// its client's time.
    fn start_afresh(&mut self, copy: &Placement) {
        self.thrown.forget();
        let Self { thrown, came, unseen, .. } = *self;
        *self = Self { thrown, came, unseen, arrived: Some(copy.position), ..Self::new(self.unit, copy) };
        self.put[1] = copy.velocity;
    }

    /// It is there: who is away from where it was sent has left that.
    fn leave(&mut self, place: Vec3) {
        self.arrived = self.arrived.filter(|arrived| arrived.distance(place) <= ARRIVED_WITHIN);
    }

    /// What its client's step on a teleporter makes of this and of the tick: the copy is at that exit, and everything starts
    /// afresh there (AUTH-22). None where the client's word is no such step: it was here until of late, is there now, and
    /// has not been sent just now, nor stands where it was sent.
    pub(crate) fn sent_to(
        &self,
        exit: Option<Vec3>,
        step: &Step,
        prediction: &Prediction,
    ) -> Option<(Self, Step)> {
        let claim = &prediction.placement;
        let is_far = |from: Vec3| from.distance(claim.position) > TAKE_TOLERANCE;
        let exit = exit.filter(|exit| is_far(step.copy.position) && !is_far(*exit))?;
        let was_here = self.taken.is_some_and(|last| step.tick.since(last.host) < ANCHOR_RENEW as i32);
        let is_resting = self.sent.is_some_and(|sent| step.tick.since(sent) < TELEPORT_REST as i32);
        if !was_here || is_resting || self.arrived.is_some() {
            return None;
        }
        let copy = Placement { position: exit, ..*claim };
        let mut afresh = *self;
        afresh.start_afresh(&copy);
        afresh.sent = Some(step.tick);
        Some((afresh, Step { copy, carried: false, ..*step }))
    }

    /// What its client's step onto an elevator that left here, or off it, makes of this and of the tick: the copy is there, on
    /// ground. Across it is measured as ever.
    pub(crate) fn crossed(
        &self,
        shaft: Option<&Shaft>,
        step: &Step,
        prediction: &Prediction,
    ) -> Option<(Self, Step)> {
        let claim = prediction.placement.position;
        let (position, ground, carried) =
            match crossing(shaft?, step, self.flight.ground(), self.taken.as_ref(), self.said, prediction)? {
                Crossing::On(place) => (place, place.z, true),
                Crossing::Off { ground } => (claim, ground, false),
            };
        let velocity = step.copy.velocity.across();
        let mut there = *self;
        there.measure.level(position.z);
        there.flight.note(step.tick, ground, true, 0.0);
        let copy = Placement { position, velocity, ..step.copy };
        Some((there, Step { copy, carried, floor: None, ..*step }))
    }

    /// Notes what a tick of the host did. A copy that moved further than anything moves was put there (AUTH-22).
    pub(crate) fn follow(&mut self, step: &Step) {
        let Step { tick, copy, .. } = *step;
        if copy.position.distance(self.put[0]) > MOST_A_TICK + PLACE_SLACK {
            self.start_afresh(&copy);
        }
        self.leave(copy.position);
        // It came down and jumped in one tick of the host's: it was on ground, though no tick ended there. Its client's
        // word moves the copy between ticks, so that it may be just above where the two would have landed as one.
        let hops = step.jumps && !step.grounded && self.put[1].z <= 0.0 && copy.velocity.z > 0.0;
        if hops {
            self.flight.note(tick.minus(1), self.put[0].z, true, 0.0);
        }
        let stood = self.flight.airborne_since().is_none();
        if step.carried {
            self.measure.level(copy.position.z);
        }
        self.flight.note(tick, copy.position.z, step.grounded || step.carried, 0.0);
        let threw = self.thrown.note(
            tick,
            &Pushed {
                limits: step.limits,
                gravity: step.gravity,
                before: self.put[1],
                after: copy.velocity,
                left: self.flight.airborne_since(),
                stood,
                jumps: step.jumps,
            },
        );
        if threw {
            self.flight.thrown(tick);
        }
    }

    /// The moves to compare, where both machines moved the player one tick with the same input (AUTH-69). `of` is
    /// the client's tick whose input drove the host's.
    pub(crate) fn moves(&self, step: &Step, prediction: &Prediction, of: Option<Tick>) -> Option<Moves> {
        let last = self.taken?;
        let comparable = step.tick.since(last.host) == 1
            && prediction.client.since(last.client) == 1
            && last.carried == step.carried
            && of == Some(prediction.client);
        comparable.then(|| Moves {
            host: step.copy.position - self.put[0],
            client: prediction.placement.position - last.place,
        })
    }

    /// Whether a prediction is taken, and where it puts the copy (AUTH-10 to 20). `believed` says whether the
    /// prediction's tick is the client's time.
    pub(crate) fn take(&self, step: &Step, prediction: &Prediction, believed: bool) -> Outcome<Placement> {
        let Step { tick, gravity, limits, copy, .. } = *step;
        let claim = &prediction.placement;
        let off = copy.position.distance(claim.position);
        if off > TAKE_TOLERANCE {
            let is_early = self.taken.is_none()
                && self.moved.is_some_and(|moved| tick.since(moved) < ANCHOR_RENEW as i32);
            return if is_early { Outcome::Early } else { Outcome::PastTolerance };
        }
        let measured = self.measure.of(tick, prediction.client, believed);
        let top = measured.map_or(self.flight.top(), |measured| measured.top.max(self.flight.top()));
        let sent = self.thrown.sent(limits);
        let bounds = Bounds::of(limits, sent, gravity, top - claim.position.z);
        let far = measured.is_some_and(|measured| {
            let (last, ticks) = measured.last;
            // Who was put beside the host's copy made no step of its own.
            let steps =
                Bounds::steps(last, claim.position, ticks) || Bounds::steps(self.put[0], claim.position, 1);
            // An elevator's height there may be further from its client's than one rises in those ticks; what it may be by
            // now is its flight's to say.
            let from =
                if measured.levelled { Vec3 { z: claim.position.z, ..measured.from } } else { measured.from };
            !(steps && bounds.reach(from, claim.position, measured.ticks))
        });
        let rise = bounds::rise(limits, sent, gravity, step.round_trip);
        if far {
            return Outcome::PastBounds;
        }
        if !step.carried && claim.position.z > self.flight.ceiling(tick, &rise) {
            return Outcome::TooHigh;
        }

        let (position, why) = if off <= HOST_BLEND_DISTANCE {
            (copy.position + (claim.position - copy.position) * 0.5, Why::Blend)
        } else {
            (claim.position, Why::Take)
        };
        let velocity = if same::near(copy.velocity, claim.velocity, SAME_VELOCITY) {
            copy.velocity
        } else {
            let clipped = bounds.clip(claim.velocity);
            let most = self.flight.fastest(tick, &rise, position.z);
            let up = if step.carried { copy.velocity.z } else { clipped.z.min(most) };
            Vec3::new(clipped.x, clipped.y, up)
        };
        let to = Placement { position, velocity, axes: same::axes(&copy.axes, &claim.axes) };
        Outcome::Taken((to != copy).then_some((to, why)))
    }

    /// The host left out so many ticks, which the client did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        self.measure.grant(ticks);
    }

    /// Whether there is a place that claims are measured from.
    pub(crate) const fn is_anchored(&self) -> bool {
        self.measure.is_set()
    }

    /// A prediction was taken: later ones are measured from it, and no state names the tick of one that may be a damaged
    /// one. `velocity` is what the copy was left with.
    pub(crate) fn note_taken(
        &mut self,
        step: &Step,
        prediction: &Prediction,
        believed: bool,
        velocity: Vec3,
    ) {
        self.thrown.note_taken(step.limits, velocity);
        if !believed {
            self.taken = None;
            return;
        }
        let (client, place) = (prediction.client, prediction.placement.position);
        self.leave(place);
        self.flight.raise(place.z);
        self.taken = Some(Taken { host: step.tick, client, place, carried: step.carried });
        self.measure.note_taken(step.tick, client, place, self.flight.top());
        if step.carried {
            self.measure.level(place.z);
        } else {
            self.measure.height_told(place.z);
        }
    }

    /// A prediction was taken that has it on the floor of an elevator, as high as that was of late, while the host's copy falls
    /// beside it or over it: it came down there, and may jump again before the copy has.
    pub(crate) fn note_landed(&mut self, shaft: Option<&Shaft>, step: &Step, prediction: &Prediction) {
        let falls = !step.carried && self.flight.airborne_since().is_some();
        if shaft.is_some_and(|shaft| falls && landed(shaft, step, self.flight.ground(), prediction)) {
            self.flight.note(step.tick, prediction.placement.position.z, true, 0.0);
        }
    }

    /// Notes where its client says that it is, whatever becomes of that.
    pub(crate) const fn note_said(&mut self, prediction: &Prediction) {
        self.said = Some((prediction.client, prediction.placement.position));
    }

    /// A prediction came of a client's time. More of its ticks at once than jitter explains are the host's to have missed; after
    /// a longer silence than jitter explains its player may have been still for as long.
    pub(crate) fn note_came(&mut self, tick: Tick, client: Tick) {
        let came = self.came.replace((tick, client));
        // Two stamps that agree are the client's time wherever they are, so both may lie at an end of all there are.
        let more = |(host, last)| client.since(last).saturating_sub(tick.since(host));
        let jitter = ANCHOR_JITTER as i32;
        if came.is_some_and(|came| more(came) > jitter) {
            self.flight.missed(tick);
            // It may have left where it was sent, and have come back to it: once in a while.
            if self.unseen.is_none_or(|last| tick >= last.plus(GROUNDED_FOR)) {
                (self.arrived, self.unseen) = (None, Some(tick));
            }
        } else if let Some(silent) =
            came.map(|(host, _)| tick.since(host) - 1).filter(|silent| *silent > jitter)
        {
            self.flight.was_silent(silent.unsigned_abs());
        }
    }

    /// A prediction was refused for its height alone.
    pub(crate) const fn note_too_high(&mut self) {
        self.flight.too_high();
    }

    /// A prediction of the client's time was not taken.
    pub(crate) fn note_refused(&mut self, step: &Step, prediction: &Prediction) {
        self.measure.note_refused(step.tick, prediction.client, step.copy.position, self.flight.top());
    }

    /// The host is done with the tick: the copy stands here and moves so.
    pub(crate) const fn settle(&mut self, placement: &Placement) {
        self.put = [placement.position, placement.velocity];
    }

    /// The client's tick that the copy is at: that of the prediction taken, and the host's ticks since; none when
    /// those are more than [`TICK_NAMED_FOR`] (AUTH-33).
    pub(crate) fn client_tick(&self, tick: Tick) -> Option<Tick> {
        self.taken.and_then(|last| last.at(tick, TICK_NAMED_FOR))
    }
}
