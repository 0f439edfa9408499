//! What one client's claims are measured by: the anchor, its ticks against the host's, and when an anchor gives way.
//! Knows no speed and does not judge.

use mjolnir_wire::{Tick, Vec3};

use crate::anchor::{ANCHOR_JITTER, ANCHOR_RENEW, Anchor, Lead};

/// From where and in how many ticks a claim may have come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// Where it was.
    pub(crate) from: Vec3,
    /// The highest of the flight that it was on.
    pub(crate) top: f32,
    /// How high that is was the host's word alone (AUTH-23): nothing is measured by it.
    pub(crate) levelled: bool,
    /// The ticks since.
    pub(crate) ticks: u32,
    /// Where its client last had it, and the ticks since.
    pub(crate) last: (Vec3, u32),
}

/// The anchor of one player or vehicle, once something was taken of its client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    anchored: Option<(Anchor, Lead)>,
    /// The last place that was taken, as an anchor of its own: what is far from one that stood for a second is not
    /// gone in a single step (AUTH-16, 26).
    last: Option<Anchor>,
    /// When a prediction was last taken by the anchor, or the anchor was put at the host's own copy.
    served: Tick,
}

impl Measure {
    /// Of one that nothing was taken of.
    pub(crate) const fn new() -> Self {
        Self { anchored: None, last: None, served: Tick::ZERO }
    }

    /// Whether there is a place that claims are measured from.
    pub(crate) const fn is_set(&self) -> bool {
        self.anchored.is_some()
    }

    /// What a claim of that client's tick is measured by; none where nothing was taken yet. `believed` says whether the
    /// tick is the client's time: one that is not renews no anchor, so an anchor's age must not grow the claim for it.
    pub(crate) fn of(&self, tick: Tick, client: Tick, believed: bool) -> Option<Measured> {
        let (anchor, lead) = self.anchored.as_ref()?;
        let since = |anchor: &Anchor| {
            let ticks = anchor.ticks(tick, client, lead);
            if believed { ticks } else { ticks.min(ANCHOR_RENEW + ANCHOR_JITTER) }
        };
        let last = self.last.as_ref().unwrap_or(anchor);
        let last = (last.place, since(last));
        let Anchor { place: from, top, levelled, .. } = *anchor;
        Some(Measured { from, top, levelled, ticks: since(anchor), last })
    }

    /// The host left out so many ticks, which the client did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        if let Some((anchor, lead)) = &mut self.anchored {
            anchor.grant(ticks);
            lead.grant(ticks);
        }
        if let Some(last) = &mut self.last {
            last.grant(ticks);
        }
    }

    /// The host carries it at that height, whatever its client says of it (AUTH-23).
    pub(crate) const fn level(&mut self, height: f32) {
        if let Some((anchor, _)) = &mut self.anchored {
            anchor.level(height);
        }
        if let Some(last) = &mut self.last {
            last.level(height);
        }
    }

    /// A claim was taken: later ones are measured from it.
    pub(crate) fn note_taken(&mut self, tick: Tick, client: Tick, place: Vec3, top: f32) {
        self.served = tick;
        match &mut self.anchored {
            None => {
                let lead = Lead::new(tick, client);
                let anchor = Anchor::new(tick, client, &lead, place, top);
                (self.anchored, self.last) = (Some((anchor, lead)), Some(anchor));
            }
            Some((anchor, lead)) => {
                lead.note(tick, client);
                let renews = anchor.is_due(tick);
                if renews {
                    lead.regain(tick, client);
                }
                let last = Anchor::new(tick, client, lead, place, top);
                self.last = Some(last);
                if renews {
                    *anchor = last;
                }
            }
        }
    }

    /// A claim's height was its client's to say.
    pub(crate) const fn height_told(&mut self, height: f32) {
        if let Some((anchor, _)) = &mut self.anchored {
            anchor.height_told(height);
        }
    }

    /// A claim was not taken. Where none was for as long as an anchor stands, the host's own copy is the place that the
    /// next are measured from (ours): it went on without its client, who has had its own player put beside it since. A
    /// machine that slept, its clock with it, would else be refused until its few ticks reach from where it fell asleep
    /// to where the host went on to.
    pub(crate) fn note_refused(&mut self, tick: Tick, client: Tick, copy: Vec3, top: f32) {
        if let Some((anchor, lead)) = &mut self.anchored
            && tick.since(self.served) >= ANCHOR_RENEW as i32
        {
            *anchor = Anchor::new(tick, client, lead, copy, top);
            self.served = tick;
        }
    }
}
