//! Shots: what is met on a straight line, and what a weapon's discharge does. Every machine has every player's shots by its own
//! copies; whose of them harm is decided in `dealing`.
//!
//! Whether shots hurt is a rule of the game: where they do not, rounds and wear are all there is to see of them.

use mjolnir_wire::damage::{Damage, Hit, Parts};
use mjolnir_wire::{ObjectId, Slot, Tag, Vec3};

use super::World;
use super::breakables::Breakable;
use super::dealing::HEAD;
use crate::game::effects::{Effect, Shot};
use crate::game::kinds::Firing;
use crate::game::movement::{CROUCHED_HEIGHT, HEIGHT, RADIUS};
use crate::game::projectiles::{Impact, Owner, Projectile, Response, Shooter};
use crate::game::random::Random;

/// So much of a body, from its top down, is its head, in wu. Ours.
const HEAD_HEIGHT: f32 = 0.16;

/// Units that no player has are told apart from slots for their shots' spread: from here on.
const ACTORS_FROM: u64 = 1 << 56;

/// What a shot can meet besides boxes: an upright capsule; a vehicle's is a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    object: ObjectId,
    place: Vec3,
    height: f32,
    radius: f32,
}

/// What is met on a straight line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// After which share of the way.
    pub(super) share: f32,
    pub(super) place: Vec3,
    /// Where the side points that is met.
    pub(super) normal: Vec3,
    pub(super) what: What,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Ground,
    Breakable(Breakable),
    Object {
        id: ObjectId,
        /// Its node, of a unit.
        node: u16,
        /// Where it stood. Who gets in, or is sent elsewhere, later in the tick was hit there.
        stood: Vec3,
    },
}

impl World {
    /// Sets whether shots hurt: they do not until it is set.
    pub const fn set_harm(&mut self, harms: bool) {
        self.harms = harms;
    }

    /// Whether shots hurt. On a client it is what its players may expect: it hurts nobody itself.
    pub const fn harms(&self) -> bool {
        self.harms
    }

    /// Whether nothing that stands lies between two places. Bodies and vehicles hide nobody.
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        !self.map.solids.blocks(from, to)
    }

    /// Whether a player's weapon, or a gun that it was at, fired in the tick simulated last.
    pub fn fired(&self, slot: Slot) -> bool {
        self.flights.fired.contains(&slot)
    }

    /// How far a player looks through the scope of what it has in hand: 0 not at all.
    pub fn magnified(&self, slot: Slot) -> u8 {
        let zooms = || {
            let (kind, _) = self.in_hand(self.unit(slot)?)?;
            Some(kind.firing()?.zooms)
        };
        let wants = self.player(slot).and_then(|player| player.input.zoom);
        wants.map_or(0, |zoom| if zoom == 0 { 1 } else { 2 }).min(zooms().unwrap_or(0))
    }

    /// Whom a player's shot would hit that reaches so far, in wu: the first body on its line, if nothing stands before it.
    pub fn aimed_at(&self, slot: Slot, range: f32) -> Option<Slot> {
        let (from, (yaw, pitch)) = (self.eyes(slot)?, self.aim(slot)?);
        let shooter = self.shooter(slot, self.unit(slot)?);
        let marks: Vec<_> = self.marks().collect();
        let met = self.meets(from, from + towards(yaw, pitch) * range, &marks, Some(&shooter))?;
        let What::Object { id, .. } = met.what else { return None };
        self.objects.biped(id)?.slot
    }

    /// Who fires with a player's own hands.
    pub(super) fn shooter(&self, slot: Slot, object: ObjectId) -> Shooter {
        let player = self.player(slot);
        let unit = self.unit(slot);
        Shooter {
            owner: Some(Owner { slot, number: player.map_or(0, |player| player.number) }),
            team: player.and_then(|player| player.team).map(u16::from),
            object,
            unit,
            vehicle: unit.and_then(|unit| self.ride(unit)).map(|(vehicle, _)| vehicle),
        }
    }

    /// Who fires with a unit's own hands: its player, or its actor.
    fn shooter_of(&self, unit: ObjectId) -> Option<Shooter> {
        let biped = self.objects.biped(unit)?;
        if let Some(slot) = biped.slot {
            return Some(self.shooter(slot, unit));
        }
        let team = biped.actor.as_ref().map(|actor| u16::from(actor.team()))?;
        let vehicle = biped.ride.map(|(vehicle, _)| vehicle);
        Some(Shooter { owner: None, team: Some(team), object: unit, unit: Some(unit), vehicle })
    }

    /// The player who fired, if it is still the one in its slot (DMG-63); one who left is, until another takes the slot.
    pub(super) fn owner(&self, owner: Option<Owner>) -> Option<Slot> {
        let owner = owner?;
        self.player(owner.slot).filter(|player| player.number == owner.number).map(|_| owner.slot)
    }

    /// A weapon in hand that was fired.
    pub(super) fn shoot(&mut self, unit: ObjectId, firing: &Firing) {
        let decides = self.role.decides();
        let Some(biped) = self.objects.biped_mut(unit) else { return };
        if decides {
            biped.vitality.show();
        }
        let is_scoped = biped.slot.is_some_and(|slot| self.magnified(slot) > 0);
        let Some(shooter) = self.shooter_of(unit) else { return };
        let (Some(from), Some((yaw, pitch))) = (self.eyes_of(unit), self.aim_of(unit)) else { return };
        let spread = if is_scoped { 0.0 } else { firing.spread };
        self.discharge(&shooter, &Firing { spread, ..*firing }, from, yaw, pitch);
    }

    /// A shot of the gun upon a vehicle that a player is at, from there. What is between two shots is not counted here.
    pub fn fire_gun(
        &mut self,
        slot: Slot,
        firing: &Firing,
        from: Vec3,
        yaw: f32,
        pitch: f32,
        object: ObjectId,
    ) {
        let shooter = Shooter { vehicle: Some(object), ..self.shooter(slot, object) };
        self.discharge(&shooter, firing, from, yaw, pitch);
    }

    fn discharge(&mut self, shooter: &Shooter, firing: &Firing, from: Vec3, yaw: f32, pitch: f32) {
        let slot = shooter.owner.map(|owner| owner.slot);
        self.flights.fired.extend(slot);
        if !self.harms {
            return;
        }
        // The same wherever the shot is: its spread follows from who fires and when alone.
        let tick = self.tick.get() as u64;
        let who = slot.map_or(u64::from(shooter.object.raw() as u32) + ACTORS_FROM, |slot| slot.get().into());
        let mut random = Random::new(tick << 8 ^ who);
        for _ in 0..firing.pellets {
            let along = strayed(yaw, pitch, firing.spread, &mut random);
            match firing.shot {
                Shot::AtOnce(effect) => self.send_ray(shooter, effect, from, along, firing.range),
                Shot::Flies(flying) => self.launch(Projectile::new(flying, *shooter, from, along)),
            }
        }
    }

    fn send_ray(&mut self, shooter: &Shooter, effect: &'static Effect, from: Vec3, along: Vec3, range: f32) {
        let marks = self.take_marks();
        let met = self.meets(from, from + along * range, &marks, Some(shooter));
        self.flights.marks = marks;
        if let Some(met) = met {
            self.meet(shooter, effect.tag, Some(effect), &met, along);
        }
    }

    /// What a shot of somebody's met: what takes it is noted, and what it deals it strikes.
    pub(super) fn meet(
        &mut self,
        shooter: &Shooter,
        of: Tag,
        effect: Option<&'static Effect>,
        met: &Met,
        along: Vec3,
    ) -> Response {
        let (object, response, left) = match met.what {
            What::Ground => (None, Response::Ground, 0.0),
            What::Breakable(Breakable::Pane(_)) => (None, Response::Scenery, 0.0),
            What::Breakable(Breakable::Crate(id)) => (Some(id), Response::Scenery, 0.0),
            // By the host's word of it, which a client has of whom its players hit (DMG-51).
            What::Object { id, .. } => match self.vitality(id) {
                None => (Some(id), Response::Vehicle, 0.0),
                Some(vitality) if vitality.shield > 0.0 => (Some(id), Response::Shield, vitality.shield),
                Some(vitality) => (Some(id), Response::Flesh, vitality.body),
            },
        };
        let owner = self.owner(shooter.owner);
        self.flights.impacts.push(Impact { owner, of, place: met.place, object, response, left });
        let Some(effect) = effect else { return response };
        let damage = self.damage_by(shooter, effect, met.place, along);
        match met.what {
            What::Ground => {}
            What::Breakable(what) => self.strike_breakable(what, met.place, &damage),
            What::Object { id, node, stood } => {
                let material = u16::from(response == Response::Shield);
                let parts = Parts { node: Some(node), region: Some(node), material: Some(material) };
                let damage = Damage { material: parts.material, ..damage };
                self.strike(Hit { object: id, damage, target: stood, normal: Some(met.normal), parts });
            }
        }
        response
    }

    /// That effect of whoever fired: of nobody any more where another has the slot, its team as it was.
    pub(super) fn damage_by(&self, shooter: &Shooter, effect: &Effect, origin: Vec3, along: Vec3) -> Damage {
        let owner = self.owner(shooter.owner);
        let damage = self.damage_of(owner, effect, Some(shooter.object), origin, along, 1.0);
        Damage { team: shooter.team, ..damage }
    }

    /// What can be hit where it stands now.
    fn marks(&self) -> impl Iterator<Item = Mark> {
        self.objects.iter().filter_map(|(object, it)| {
            let place = it.body.position;
            match (&it.biped, &it.vehicle) {
                (Some(biped), _) if !biped.dead => {
                    let height = if biped.crouched { CROUCHED_HEIGHT } else { HEIGHT };
                    Some(Mark { object, place, height, radius: RADIUS })
                }
                (None, Some(vehicle)) => {
                    let radius = vehicle.craft.radius;
                    Some(Mark { object, place, height: 2.0 * radius, radius })
                }
                _ => None,
            }
        })
    }

    /// The marks of this tick, to be put back: noted once, after everything has moved.
    pub(super) fn take_marks(&mut self) -> Vec<Mark> {
        let mut marks = std::mem::take(&mut self.flights.marks);
        if !std::mem::replace(&mut self.flights.are_marks_noted, true) {
            marks.clear();
            marks.extend(self.marks());
        }
        marks
    }

    /// What a straight line meets first: a box, what breaks, a living body, a vehicle; not who fires and what that rides.
    pub(super) fn meets(
        &self,
        from: Vec3,
        to: Vec3,
        marks: &[Mark],
        shooter: Option<&Shooter>,
    ) -> Option<Met> {
        let way = to - from;
        let length = way.length();
        if length <= f32::MIN_POSITIVE {
            return None;
        }
        let ray = way * (1.0 / length);
        let at = |share: f32| from + way * share;
        let mut first = self.map.solids.meets(from, to).map(|(share, normal)| Met {
            share,
            place: at(share),
            normal,
            what: What::Ground,
        });
        let is_first = |first: &Option<Met>, share: f32| first.is_none_or(|first| share < first.share);
        if let Some((what, share)) = self.breakable_on(from, to)
            && is_first(&first, share)
        {
            first = Some(Met { share, place: at(share), normal: -ray, what: What::Breakable(what) });
        }
        for mark in marks {
            let id = mark.object;
            let is_own = shooter.is_some_and(|own| own.unit == Some(id) || own.vehicle == Some(id));
            let Some(far) = body_hit(from, ray, mark).filter(|far| !is_own && *far <= length) else {
                continue;
            };
            let share = far / length;
            // Whoever fell in this tick is hit no more.
            if !is_first(&first, share) || self.objects.get(id).is_none_or(|object| object.dead()) {
                continue;
            }
            let place = from + ray * far;
            let top = mark.place.z + mark.height;
            let is_head = mark.radius == RADIUS && place.z >= top - HEAD_HEIGHT;
            let node = if is_head { HEAD } else { 0 };
            let normal = mark.normal(place);
            let what = What::Object { id, node, stood: mark.place };
            first = Some(Met { share, place, normal, what });
        }
        first
    }
}

impl Mark {
    /// Where its side points there.
    fn normal(&self, at: Vec3) -> Vec3 {
        let (bottom, top) = (self.place.z + self.radius, self.place.z + self.height - self.radius);
        let core = Vec3::new(self.place.x, self.place.y, at.z.clamp(bottom, top.max(bottom)));
        crate::game::projectiles::one_long(at - core)
    }
}

/// Where one aims: one long.
pub(super) fn towards(yaw: f32, pitch: f32) -> Vec3 {
    let ((sin, cos), (up, along)) = (libm::sincosf(yaw), libm::sincosf(pitch));
    Vec3::new(cos * along, sin * along, up)
}

/// The same, astray by so much at most.
fn strayed(yaw: f32, pitch: f32, spread: f32, random: &mut Random) -> Vec3 {
    if spread <= 0.0 {
        return towards(yaw, pitch);
    }
    let (sin, cos) = libm::sincosf(random.part() * std::f32::consts::TAU);
    let off = spread * random.part().sqrt();
    towards(yaw + off * cos, pitch + off * sin)
}

/// How far along a ray, whose direction is one long, a capsule is met. None where it is missed, or lies behind.
fn body_hit(from: Vec3, ray: Vec3, mark: &Mark) -> Option<f32> {
    let Mark { place: feet, height, radius, .. } = *mark;
    let to = feet + Vec3::UP * (height * 0.5) - from;
    let past = to - ray * to.dot(ray);
    if past.length_squared() > height * height {
        return None;
    }
    let (bottom, top) = (feet.z + radius, feet.z + height - radius);
    // Against the upright side first.
    let flat = ray.across();
    let apart = (from - feet).across();
    if let Some(far) = root(flat.length_squared(), apart.dot(flat), apart.length_squared() - radius * radius)
        && (bottom..=top).contains(&(from.z + ray.z * far))
    {
        return Some(far);
    }
    // Past it, the round ends are left.
    let end = |z: f32| {
        let apart = from - Vec3::new(feet.x, feet.y, z);
        root(1.0, apart.dot(ray), apart.length_squared() - radius * radius)
    };
    match (end(bottom), end(top)) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Where `a t^2 + 2 b t + c` falls to 0 first, ahead; at once where it is below from the begin.
fn root(a: f32, b: f32, c: f32) -> Option<f32> {
    if c <= 0.0 {
        return Some(0.0);
    }
    let inside = b * b - a * c;
    if a <= f32::MIN_POSITIVE || inside < 0.0 || b >= 0.0 {
        return None;
    }
    Some((-b - inside.sqrt()) / a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body's side, its round top and bottom, both sides of each; behind is a miss.
    #[test]
    fn a_body_is_a_capsule() {
        let feet = Vec3::new(10.0, 0.0, 0.0);
        let east = Vec3::new(1.0, 0.0, 0.0);
        let object = ObjectId::new(1, 1).unwrap();
        let body = Mark { object, place: feet, height: HEIGHT, radius: RADIUS };
        let hit = |y: f32, z: f32| body_hit(Vec3::new(0.0, y, z), east, &body);
        let far = hit(0.0, 0.35).unwrap();
        assert!((far - 9.8).abs() < 1e-4, "{far}");
        assert!(hit(0.199, 0.35).is_some() && hit(0.201, 0.35).is_none());
        assert!(hit(0.0, 0.699).is_some() && hit(0.0, 0.701).is_none());
        assert!(hit(0.0, 0.001).is_some() && hit(0.0, -0.001).is_none());
        // At its corner a capsule is round: there a box would be hit.
        assert!(hit(0.18, 0.68).is_none() && hit(0.13, 0.64).is_some());
        assert!(body_hit(Vec3::new(20.0, 0.0, 0.35), east, &body).is_none());
        assert_eq!(body_hit(Vec3::new(10.0, 0.0, 0.6), east, &body), Some(0.0));
        // Straight down upon its head.
        let down = body_hit(Vec3::new(10.0, 0.0, 5.0), -Vec3::UP, &body).unwrap();
        assert!((down - 4.3).abs() < 1e-4, "{down}");
    }

    /// A spread follows from its seed, and strays no further than it may.
    #[test]
    fn a_spread_is_its_seeds() {
        let pellets = |seed| {
            let mut random = Random::new(seed);
            (0..200).map(|_| strayed(1.0, 0.2, 0.09, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(pellets(4), pellets(4));
        assert_ne!(pellets(4), pellets(5));
        let off = |along: &Vec3| libm::acosf(along.dot(towards(1.0, 0.2)).min(1.0));
        let widest = pellets(4).iter().map(off).fold(0.0, f32::max);
        assert!((0.07..0.0905).contains(&widest), "{widest}");
    }
}
