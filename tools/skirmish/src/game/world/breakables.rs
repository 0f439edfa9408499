//! What breaks: panes of glass and crates. Where it is decided shots and explosions break them; elsewhere the host's word
//! does, alone. Knows no shot.
//!
//! A pane is a box of the map until anything hits it. A crate is an object: it stops shots and nobody's way, takes what
//! hits it, and once it is broken it lies there in pieces that stop nothing.

use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, KillFlags, Parts};
use mjolnir_wire::{ObjectId, Vec3};

use super::{Event, World};
use crate::game::collision::Solid;
use crate::game::effects::Effect;
use crate::game::hash::Hash;
use crate::game::kinds::Kind;

/// What a crate takes until it breaks, 1 a whole shield or body. Ours.
pub const CRATE_HOLDS: f32 = 1.0;
/// Half of a crate's side, in wu.
const CRATE_HALF: f32 = Kind::Crate.radius();
/// A crate's middle beside its place, which is where it touches the ground, in wu.
pub const CRATE_MIDDLE: Vec3 = Vec3::new(0.0, 0.0, CRATE_HALF);
/// A pane is met so much before the box that it is, in wu: what looks for boxes and for panes finds the pane first.
const BEFORE: f32 = 0.002;
/// Panes that broke are kept until they are asked for: a map has no more.
const KEPT: usize = 1024;

/// Something that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakable {
    /// A pane, by its place among the map's.
    Pane(u16),
    /// A crate.
    Crate(ObjectId),
}

/// What a world's breakables have come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Breakables {
    /// Which panes are broken.
    panes: Vec<bool>,
    /// Those that broke by this world's own decision and were not asked for yet, with where they were hit.
    told: Vec<(u16, Vec3)>,
    /// What the crates still hold that were hit, 0 of a broken one.
    crates: Vec<(ObjectId, f32)>,
    /// The crates that stood as the tick began.
    standing: Vec<ObjectId>,
}

impl Breakables {
    pub(super) fn new(panes: usize) -> Self {
        Self { panes: vec![false; panes], ..Self::default() }
    }

    /// What every machine has of them.
    pub(super) fn hash_shared(&self, hash: &mut Hash) {
        for is_broken in &self.panes {
            hash.word(u64::from(*is_broken));
        }
        for (id, _) in self.crates.iter().filter(|(_, holds)| *holds <= 0.0) {
            hash.word(u64::from(id.raw() as u32));
        }
    }

    /// What else the next tick follows from.
    pub(super) fn hash_own(&self, hash: &mut Hash) {
        for (id, holds) in &self.crates {
            hash.word(u64::from(id.raw() as u32));
            hash.float(*holds);
        }
    }

    fn is_broken(&self, id: ObjectId) -> bool {
        self.crates.iter().any(|(known, holds)| *known == id && *holds <= 0.0)
    }
}

impl World {
    /// Notes which crates stand: before anything is hit in a tick.
    pub(super) fn note_crates(&mut self) {
        let Self { objects, breakables: Breakables { standing, .. }, .. } = self;
        standing.clear();
        let crates = objects.iter().filter(|(_, object)| object.tag == Kind::Crate.tag());
        standing.extend(crates.map(|(id, _)| id));
    }

    /// What breaks and is met first on the straight line between two places: what, and after which part of the way.
    pub fn breakable_on(&self, from: Vec3, to: Vec3) -> Option<(Breakable, f32)> {
        let length = from.distance(to).max(f32::MIN_POSITIVE);
        let panes = self.whole_panes().filter_map(|(pane, solid)| {
            let share = solid.met_by(from, to)? - BEFORE / length;
            Some((Breakable::Pane(pane), share.max(0.0)))
        });
        let crates = self
            .whole_crates()
            .filter_map(|(id, solid)| Some((Breakable::Crate(id), solid.met_by(from, to)?)));
        panes.chain(crates).min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// Appends what breaks and is no further from a place than that, in wu: what, its place nearest to there, and how far
    /// that is. Panes come first, then crates, each in their order.
    pub fn breakables_near(&self, at: Vec3, radius: f32, into: &mut Vec<(Breakable, Vec3, f32)>) {
        let panes = self.whole_panes().map(|(pane, solid)| (Breakable::Pane(pane), solid.near(at)));
        let crates = self.whole_crates().map(|(id, solid)| (Breakable::Crate(id), solid.near(at)));
        let all = panes.chain(crates).map(|(what, near)| match near.distance {
            // From inside it is at hand.
            distance if distance <= 0.0 => (what, at, 0.0),
            distance => (what, near.point, distance),
        });
        into.extend(all.filter(|(_, _, distance)| *distance <= radius));
    }

    /// Something hit it there: a pane breaks, a crate takes the damage and may. In a client's world nothing does.
    pub fn hit_breakable(&mut self, what: Breakable, at: Vec3, damage: &Damage) {
        if !self.role.decides() {
            return;
        }
        match what {
            Breakable::Pane(pane) => {
                if self.break_pane(pane, at) {
                    self.decisions.damage += 1;
                    if self.breakables.told.len() < KEPT {
                        self.breakables.told.push((pane, at));
                    }
                }
            }
            Breakable::Crate(id) => self.wear_crate(id, damage),
        }
    }

    /// Breaks a pane that was hit there, as the host says. False where the map has none of that number, and where it is
    /// broken.
    pub fn break_pane(&mut self, pane: u16, at: Vec3) -> bool {
        let (Some(solid), Some(is_broken)) =
            (self.map.panes.get(usize::from(pane)), self.breakables.panes.get_mut(usize::from(pane)))
        else {
            return false;
        };
        if std::mem::replace(is_broken, true) {
            return false;
        }
        self.map.solids.take_away(*solid);
        self.events.push(Event::Broke { what: Breakable::Pane(pane), at });
        true
    }

    /// Breaks a crate, as the host says. False where there is none of that name, and where it is broken.
    pub fn break_crate(&mut self, id: ObjectId) -> bool {
        if self.is_broken(id) || self.kind(id) != Some(Kind::Crate) {
            return false;
        }
        *self.holds(id) = 0.0;
        self.push_broken_crate(id);
        true
    }

    /// Says that a crate broke where it stands, on the host as elsewhere.
    fn push_broken_crate(&mut self, id: ObjectId) {
        let at = self.objects.get(id).map_or(Vec3::ZERO, |object| object.body.position);
        self.events.push(Event::Broke { what: Breakable::Crate(id), at });
    }

    /// Whether a crate is broken.
    pub fn is_broken(&self, id: ObjectId) -> bool {
        self.breakables.is_broken(id)
    }

    /// Whether a pane is broken; none of a number that the map has none of.
    pub fn is_pane_broken(&self, pane: u16) -> Option<bool> {
        self.breakables.panes.get(usize::from(pane)).copied()
    }

    /// Which panes are broken, by their places among the map's.
    pub fn broken_panes(&self) -> impl Iterator<Item = u16> {
        (0..).zip(&self.breakables.panes).filter(|(_, is_broken)| **is_broken).map(|(pane, _)| pane)
    }

    /// Hands over the panes that broke since this was last asked, where it is decided, and where they were hit.
    pub fn take_broken_panes(&mut self, into: &mut Vec<(u16, Vec3)>) {
        into.append(&mut self.breakables.told);
    }

    /// How far any of a crate is from its place, in wu; none of what is none, or broken.
    pub fn crate_size(&self, id: ObjectId) -> Option<f32> {
        let is_whole = self.kind(id) == Some(Kind::Crate) && !self.is_broken(id);
        is_whole.then(|| Vec3::new(CRATE_HALF, CRATE_HALF, CRATE_HALF * 2.0).length())
    }

    fn wear_crate(&mut self, id: ObjectId, damage: &Damage) {
        let whole = Effect::of(damage.effect).map_or(0.0, |effect| effect.amount);
        let amount = whole * damage.scale * damage.multiplier;
        if self.crate_size(id).is_none() || !amount.is_finite() || amount <= 0.0 {
            return;
        }
        self.decisions.damage += 1;
        let holds = self.holds(id);
        *holds -= amount;
        if *holds > 0.0 {
            return;
        }
        // Its event is told below with what broke it.
        *holds = 0.0;
        self.push_broken_crate(id);
        self.note_dealt(DamageEvent {
            kind: EventKind::Scenery,
            player: None,
            kill: KillFlags::default(),
            object: Some(id),
            damage: *damage,
            being_damaged_flags: 0,
            shield_damage: 0.0,
            body_damage: amount,
            body_multiplier: 1.0,
            total_damage: amount,
            body_part: None,
            parts: Parts::default(),
            killer_score: 0,
        });
    }

    /// What a crate still holds.
    fn holds(&mut self, id: ObjectId) -> &mut f32 {
        let Self { breakables: Breakables { crates, .. }, objects, .. } = self;
        let place = crates.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
            // Those that are gone make room.
            crates.retain(|(known, _)| objects.get(*known).is_some());
            crates.push((id, CRATE_HOLDS));
            crates.sort_unstable_by_key(|(known, _)| known.index());
            crates.iter().position(|(known, _)| *known == id).unwrap_or(0)
        });
        &mut crates[place].1
    }

    fn whole_panes(&self) -> impl Iterator<Item = (u16, &Solid)> {
        let panes = (0..).zip(&self.map.panes).zip(&self.breakables.panes);
        panes
            .filter(|(_, is_broken)| !**is_broken)
            .map(|((pane, solid), _)| (pane, self.map.solids.get(*solid)))
    }

    fn whole_crates(&self) -> impl Iterator<Item = (ObjectId, Solid)> {
        let half = Vec3::new(CRATE_HALF, CRATE_HALF, CRATE_HALF);
        let whole = self.breakables.standing.iter().filter(|id| !self.breakables.is_broken(**id));
        whole.filter_map(move |id| {
            let place = self.objects.get(*id)?.body.position;
            Some((*id, Solid::new(place + CRATE_MIDDLE, half, None)?))
        })
    }
}
