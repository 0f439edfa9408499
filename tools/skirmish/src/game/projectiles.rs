//! What flies: whose it is, where, and until when. Knows no world: what it meets it is told.
//!
//! Projectiles are each machine's own: they follow from its players' inputs, and nobody is told of them.

use mjolnir_wire::{Axes, ObjectId, Slot, Tag, Vec3};

use super::effects::{Flying, Timer};
use super::hash::Hash;
use super::movement::Body;
use super::vehicle::cross;

/// What a bounce leaves of a speed. Ours.
const BOUNCE: f32 = 0.45;
/// So far before what it met it goes on, in wu.
const BEFORE: f32 = 0.02;

/// What took a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// The ground, a wall.
    Ground,
    /// Somebody's shield.
    Shield,
    /// Somebody's body.
    Flesh,
    /// A vehicle.
    Vehicle,
    /// What can be broken.
    Scenery,
}

/// Something that hit something on this machine, harm or none: what is seen and heard of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Who fired it, if that is still known.
    pub owner: Option<Slot>,
    /// What flies, or the effect of what hits at once.
    pub of: Tag,
    /// Where.
    pub place: Vec3,
    /// What was hit, of an object.
    pub object: Option<ObjectId>,
    /// What took it.
    pub response: Response,
    /// What is left of what took it: of a shield, of a body; 0 of what has neither. By the host's word, on a client too.
    pub left: f32,
}

/// The player who fired: its slot, and which of those who had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) slot: Slot,
    pub(super) number: u32,
}

/// Who fires, and with what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shooter {
    /// None of an actor's.
    pub(super) owner: Option<Owner>,
    pub(super) team: Option<u16>,
    /// What deals it: its unit, or the vehicle whose gun it fires.
    pub(super) object: ObjectId,
    /// Its own unit, which it does not hit by itself.
    pub(super) unit: Option<ObjectId>,
    /// What that rides, neither.
    pub(super) vehicle: Option<ObjectId>,
}

/// What a projectile sticks to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stuck {
    /// None of what stands for good.
    pub(super) to: Option<ObjectId>,
    /// Where beside its place: ahead, to the left and up.
    pub(super) offset: [f32; 3],
}

impl Stuck {
    /// To an object that stands so, there.
    pub(super) fn to(object: ObjectId, place: Vec3, axes: Axes, at: Vec3) -> Self {
        let apart = at - place;
        let left = cross(axes.up, axes.forward);
        Self { to: Some(object), offset: [apart.dot(axes.forward), apart.dot(left), apart.dot(axes.up)] }
    }

    /// Where it is, where the object stands so.
    pub(super) fn carried(&self, place: Vec3, axes: Axes) -> Vec3 {
        let [ahead, left, up] = self.offset;
        place + axes.forward * ahead + cross(axes.up, axes.forward) * left + axes.up * up
    }
}

/// What flies.
#[derive(Clone, Debug)]
pub struct Projectile {
    pub(super) flying: &'static Flying,
    pub(super) shooter: Shooter,
    pub(super) body: Body,
    pub(super) stuck: Option<Stuck>,
    /// Ticks until it goes off, once they are counted.
    pub(super) fuse: Option<u16>,
    /// It has met something: what it deals to what it meets is dealt.
    pub(super) spent: bool,
    pub(super) age: u32,
}

impl Projectile {
    /// Fired from there, in that direction, which is one long.
    pub(super) fn new(flying: &'static Flying, shooter: Shooter, from: Vec3, along: Vec3) -> Self {
        let fuse = match flying.timer {
            Timer::Fired(ticks) => Some(ticks),
            Timer::Bounced(_) | Timer::Stuck(_) => None,
        };
        let body = Body { position: from, velocity: along * flying.speed };
        Self { flying, shooter, body, stuck: None, fuse, spent: false, age: 0 }
    }

    /// The player in whose slot it was fired; none of an actor's.
    pub fn slot(&self) -> Option<Slot> {
        self.shooter.owner.map(|owner| owner.slot)
    }

    /// What it is.
    pub const fn tag(&self) -> Tag {
        self.flying.tag
    }

    /// Where it is, in wu.
    pub const fn place(&self) -> Vec3 {
        self.body.position
    }

    /// In wu a tick.
    pub const fn velocity(&self) -> Vec3 {
        self.body.velocity
    }

    /// Whether it sticks to something.
    pub const fn is_stuck(&self) -> bool {
        self.stuck.is_some()
    }

    /// Ticks since it was fired.
    pub const fn age(&self) -> u32 {
        self.age
    }

    /// Counts a tick; whether it goes off in it.
    pub(super) fn is_due(&mut self) -> bool {
        self.age += 1;
        let left = self.fuse.map(|fuse| fuse.saturating_sub(1));
        self.fuse = left;
        left == Some(0)
    }

    /// Where its next tick leads it, if nothing is in the way; it falls meanwhile.
    pub(super) fn leg(&mut self, gravity: f32) -> Vec3 {
        let falls = gravity * self.flying.gravity;
        let Vec3 { x, y, z } = self.body.velocity;
        self.body.velocity.z -= falls;
        self.body.position + Vec3::new(x, y, z - falls * 0.5)
    }

    /// It goes on from what it met there, whose side points so, and has that part of its speed.
    fn turn(&mut self, at: Vec3, normal: Vec3, keeps: f32) {
        let velocity = self.body.velocity;
        let into = velocity.dot(normal).min(0.0);
        let position = at + normal * BEFORE;
        self.body = Body { position, velocity: (velocity - normal * (2.0 * into)) * keeps };
        self.spent = true;
    }

    /// It bounces, and from the first time on its timer runs.
    pub(super) fn bounce(&mut self, at: Vec3, normal: Vec3) {
        self.turn(at, normal, BOUNCE);
        if let Timer::Bounced(ticks) = self.flying.timer {
            self.fuse.get_or_insert(ticks);
        }
    }

    /// A shield deflects it.
    pub(super) fn glance(&mut self, at: Vec3, normal: Vec3) {
        self.turn(at, normal, 1.0);
    }

    /// It sticks there, and its timer runs.
    pub(super) fn stick(&mut self, at: Vec3, stuck: Stuck) {
        self.body = Body { position: at, velocity: Vec3::ZERO };
        self.stuck = Some(stuck);
        if let Timer::Stuck(ticks) = self.flying.timer {
            self.fuse.get_or_insert(ticks);
        }
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        hash.word(u64::from(self.flying.tag.0) << 32 | u64::from(self.shooter.object.raw() as u32));
        hash.word(u64::from(Slot::byte_or_none(self.slot())));
        hash.vector(self.body.position);
        hash.vector(self.body.velocity);
        let fuse = self.fuse.map_or(u64::MAX >> 32, u64::from);
        hash.word(u64::from(self.age) << 32 | fuse);
        let stuck = self.stuck.map_or(u64::MAX, |stuck| ObjectId::raw_or_none(stuck.to) as u64);
        hash.word(stuck << 1 | u64::from(self.spent));
    }
}

/// That direction, one long; up where it has none.
pub(super) fn one_long(direction: Vec3) -> Vec3 {
    let length = direction.length();
    if length > 1e-6 { direction * (1.0 / length) } else { Vec3::UP }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::effects::{BOLT_FLIES, FRAG, ROCKET};

    fn shooter() -> Shooter {
        let owner = Some(Owner { slot: Slot::new(3).unwrap(), number: 1 });
        let object = ObjectId::new(7, 1).unwrap();
        Shooter { owner, team: None, object, unit: Some(object), vehicle: None }
    }

    /// A frag's timer runs from its first bounce, not from its second; a rocket's from when it was fired.
    #[test]
    fn a_timer_begins_with_the_first_bounce() {
        let mut frag = Projectile::new(&FRAG, shooter(), Vec3::ZERO, Vec3::UP);
        assert!((0..200).all(|_| !frag.is_due()));
        frag.body.velocity = Vec3::new(0.2, 0.0, -0.1);
        frag.bounce(Vec3::ZERO, Vec3::UP);
        let velocity = frag.velocity();
        assert!(velocity.distance(Vec3::new(0.09, 0.0, 0.045)) < 1e-6, "{velocity:?}");
        assert!((0..30).all(|_| !frag.is_due()));
        frag.bounce(Vec3::ZERO, Vec3::UP);
        assert!((0..29).all(|_| !frag.is_due()) && frag.is_due());
        let mut rocket = Projectile::new(&ROCKET, shooter(), Vec3::ZERO, Vec3::UP);
        assert!((0..269).all(|_| !rocket.is_due()) && rocket.is_due());
    }

    /// What is deflected keeps its speed and turns away, spent.
    #[test]
    fn a_glance_turns_it_away() {
        let along = one_long(Vec3::new(1.0, 0.0, -1.0));
        let mut bolt = Projectile::new(&BOLT_FLIES, shooter(), Vec3::ZERO, along);
        bolt.glance(Vec3::ZERO, Vec3::new(-1.0, 0.0, 0.0));
        assert!((bolt.velocity().length() - BOLT_FLIES.speed).abs() < 1e-6 && bolt.spent);
        assert!(bolt.velocity().x < 0.0 && bolt.place().x < 0.0);
        assert_eq!((one_long(Vec3::ZERO), one_long(Vec3::UP * 5.0)), (Vec3::UP, Vec3::UP));
    }

    /// What sticks is carried, and turned with what carries it.
    #[test]
    fn what_sticks_is_carried() {
        let object = ObjectId::new(7, 1).unwrap();
        let place = Vec3::new(5.0, 5.0, 0.0);
        let stuck = Stuck::to(object, place, Axes::UPRIGHT, place + Vec3::new(0.3, 0.1, 0.4));
        let turned = Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP };
        let far = Vec3::new(300.0, 0.0, 0.0);
        assert!(stuck.carried(far, turned).distance(far + Vec3::new(-0.1, 0.3, 0.4)) < 1e-5);
        assert_eq!(stuck.carried(place, Axes::UPRIGHT), place + Vec3::new(0.3, 0.1, 0.4));
    }
}
