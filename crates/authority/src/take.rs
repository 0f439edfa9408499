//! What the host does with a client's word on where its player is: one player's record, and the rule by which a
//! prediction is taken. Knows no message and no other player.
//!
//! Two things still come: what the host's own ticks gave its copy (a throw), which raises the bounds, and how high
//! and how long a player may be in the air. Both are asked before [`Bounds::reach`] and noted in
//! [`Record::follow`].

use mjolnir_wire::units::Placement;
use mjolnir_wire::{Axes, ObjectId, Tick, Vec3};

use crate::anchor::{ANCHOR_JITTER, ANCHOR_RENEW, Anchor, Flight, Lead};
use crate::bounds::{Bounds, MOST_A_TICK, PLACE_SLACK};
use crate::rows::{MoveLimits, Why};

/// A prediction further than this from the host's own copy is not taken, wu (AUTH-10).
pub const TAKE_TOLERANCE: f32 = 3.5;
/// The host's copy is put only halfway to a prediction within this, wu (AUTH-11).
pub const HOST_BLEND_DISTANCE: f32 = 0.25;
/// Ticks after a take in which the player's state still names the client's tick (AUTH-33).
pub const TICK_NAMED_FOR: u32 = 3;

/// A velocity this near to what came is what came, wu a tick each part: half a step of how it travels, and a little.
///
/// Taken as it travels, it would set the next move of the host's copy apart from the client's by more than
/// [`DIVERGENCE_APART_DISTANCE`](crate::DIVERGENCE_APART_DISTANCE) though both do the same.
const SAME_VELOCITY: f32 = 0.51 / 1024.0;
/// An axis this near to what came is what came, each part: a step of how it travels, and what making it one long
/// again does.
const SAME_AXIS: f32 = 2.0 / 32767.0;

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
pub(crate) enum Outcome {
    /// Taken: the copy goes there, if it is not there already.
    Taken(Option<(Placement, Why)>),
    /// Too far from the host's copy.
    PastTolerance,
    /// Further than the player can have moved.
    PastBounds,
}

/// The last prediction taken.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Taken {
    host: Tick,
    client: Tick,
    /// Where the client had it.
    place: Vec3,
}

/// How the host and the client moved a player in the same tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves {
    pub(crate) host: Vec3,
    pub(crate) client: Vec3,
}

/// What the host keeps of one unit of a client's player on foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) unit: ObjectId,
    anchored: Option<(Anchor, Lead)>,
    /// When a prediction was last taken by the anchor, or the anchor was put at the host's own copy.
    served: Tick,
    flight: Flight,
    taken: Option<Taken>,
    /// Where the copy stood when the host was last done with it.
    put: Vec3,
}

impl Record {
    pub(crate) const fn new(unit: ObjectId, place: Vec3) -> Self {
        Self {
            unit,
            anchored: None,
            served: Tick::ZERO,
            flight: Flight::new(place.z),
            taken: None,
            put: place,
        }
    }

    /// Notes where a tick of the host has the copy. One that moved further than anything moves was put there:
    /// everything starts afresh (AUTH-22).
    pub(crate) fn follow(&mut self, tick: Tick, place: Vec3, grounded: bool) {
        if place.distance(self.put) > MOST_A_TICK + PLACE_SLACK {
            *self = Self::new(self.unit, place);
        }
        self.flight.note(tick, place.z, grounded);
    }

    /// The moves to compare, where both machines moved the player one tick with the same input (AUTH-69). `of` is
    /// the client's tick whose input drove the host's.
    pub(crate) fn moves(
        &self,
        tick: Tick,
        copy: Vec3,
        prediction: &Prediction,
        of: Option<Tick>,
    ) -> Option<Moves> {
        let last = self.taken?;
        let comparable = tick.since(last.host) == 1
            && prediction.client.since(last.client) == 1
            && of == Some(prediction.client);
        comparable
            .then(|| Moves { host: copy - self.put, client: prediction.placement.position - last.place })
    }

    /// Whether a prediction is taken, and where it puts the copy (AUTH-10 to 17). `copy` is where the host's own tick
    /// has the unit; `believed` says whether the prediction's tick is the client's time.
    pub(crate) fn take(
        &self,
        tick: Tick,
        gravity: f32,
        limits: MoveLimits,
        copy: &Placement,
        prediction: &Prediction,
        believed: bool,
    ) -> Outcome {
        let claim = &prediction.placement;
        let off = copy.position.distance(claim.position);
        if off > TAKE_TOLERANCE {
            return Outcome::PastTolerance;
        }
        let top = self.anchored.map_or(self.flight.top(), |(anchor, _)| anchor.top.max(self.flight.top()));
        let bounds = Bounds::of(limits, gravity, top - claim.position.z);
        if let Some((anchor, lead)) = &self.anchored {
            let ticks = anchor.ticks(tick, prediction.client, lead);
            // A tick that is not believed renews no anchor, so an anchor's age must not grow the claim for it.
            let ticks = if believed { ticks } else { ticks.min(ANCHOR_RENEW + ANCHOR_JITTER) };
            if !bounds.reach(anchor.place, claim.position, ticks) {
                return Outcome::PastBounds;
            }
        }

        let (position, why) = if off <= HOST_BLEND_DISTANCE {
            (copy.position + (claim.position - copy.position) * 0.5, Why::Blend)
        } else {
            (claim.position, Why::Take)
        };
        let to = Placement {
            position,
            velocity: if near(copy.velocity, claim.velocity, SAME_VELOCITY) {
                copy.velocity
            } else {
                bounds.clip(claim.velocity)
            },
            axes: if same_axes(&copy.axes, &claim.axes) { copy.axes } else { claim.axes },
        };
        Outcome::Taken((to != *copy).then_some((to, why)))
    }

    /// The host left out so many ticks, which the client did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        if let Some((anchor, lead)) = &mut self.anchored {
            anchor.grant(ticks);
            lead.grant(ticks);
        }
    }

    /// Whether there is a place that claims are measured from.
    pub(crate) const fn is_anchored(&self) -> bool {
        self.anchored.is_some()
    }

    /// A prediction was taken: later ones are measured from it.
    pub(crate) fn note_taken(&mut self, tick: Tick, prediction: &Prediction) {
        let (client, place) = (prediction.client, prediction.placement.position);
        self.flight.raise(place.z);
        self.taken = Some(Taken { host: tick, client, place });
        self.served = tick;
        if let Some((_, lead)) = &mut self.anchored {
            lead.note(tick, client);
        }
        match &mut self.anchored {
            None => {
                let lead = Lead::new(tick, client);
                self.anchored = Some((Anchor::new(tick, client, &lead, place, self.flight.top()), lead));
            }
            Some((anchor, lead)) if anchor.is_due(tick) => {
                lead.regain(tick, client);
                *anchor = Anchor::new(tick, client, lead, place, self.flight.top());
            }
            Some(_) => {}
        }
    }

    /// A prediction was not taken. Where none was for as long as an anchor stands, the host's own copy is the place
    /// that the next are measured from (ours): it went on without its client, who has had its own player put beside it
    /// since. A machine that slept, its clock with it, would else be refused until its few ticks reach from where it
    /// fell asleep to where the host went on to.
    pub(crate) fn note_refused(&mut self, tick: Tick, copy: Vec3, prediction: &Prediction) {
        let top = self.flight.top();
        if let Some((anchor, lead)) = &mut self.anchored
            && tick.since(self.served) >= ANCHOR_RENEW as i32
        {
            *anchor = Anchor::new(tick, prediction.client, lead, copy, top);
            self.served = tick;
        }
    }

    /// A prediction was taken whose tick may be a damaged one: nothing is measured from it, and no state names it.
    pub(crate) const fn forget_taken(&mut self) {
        self.taken = None;
    }

    /// The host is done with the tick: the copy stands here.
    pub(crate) fn settle(&mut self, place: Vec3) {
        self.put = place;
    }

    /// The client's tick that the copy is at: that of the prediction taken, and the host's ticks since; none when
    /// those are more than [`TICK_NAMED_FOR`] (AUTH-33).
    pub(crate) fn client_tick(&self, tick: Tick) -> Option<Tick> {
        let last = self.taken?;
        let since = u32::try_from(tick.since(last.host)).ok()?;
        (since <= TICK_NAMED_FOR).then(|| last.client.plus(since))
    }
}

fn near(a: Vec3, b: Vec3, by: f32) -> bool {
    (a - b).to_array().iter().all(|part| part.abs() <= by)
}

fn same_axes(a: &Axes, b: &Axes) -> bool {
    near(a.forward, b.forward, SAME_AXIS) && near(a.up, b.up, SAME_AXIS)
}
