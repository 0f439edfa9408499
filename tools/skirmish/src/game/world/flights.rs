//! What flies, in the world: where each tick leads it, what it meets, and where it goes off. Every machine flies its own
//! copies of all players'.

use mjolnir_wire::damage::{Damage, Hit, Parts};
use mjolnir_wire::{Slot, Vec3};

use super::World;
use super::shots::{Mark, Met, What, towards};
use crate::game::effects::{AREA, AreaForm, LONGEST, Meets};
use crate::game::kinds::Kind;
use crate::game::movement::Bounds;
use crate::game::projectiles::{Impact, Projectile, Response, Stuck, one_long};

/// So much higher than one aims a grenade is thrown, in radians. Ours.
const TOSSED: f32 = 0.15;
/// What goes off does so that far before what it met, in wu.
const BEFORE: f32 = 0.02;

/// What a world has of shots beside what is dealt.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    /// In the order in which they were fired.
    projectiles: Vec<Projectile>,
    /// Of the tick simulated last.
    pub(super) impacts: Vec<Impact>,
    /// Who fired in it.
    pub(super) fired: Vec<Slot>,
    pub(super) marks: Vec<Mark>,
    pub(super) are_marks_noted: bool,
}

impl Flights {
    /// Another tick.
    pub(super) fn begin(&mut self) {
        self.impacts.clear();
        self.fired.clear();
        self.are_marks_noted = false;
    }
}

impl World {
    /// Everything that flies, in the order in which it was fired.
    pub fn projectiles(&self) -> impl Iterator<Item = &Projectile> {
        self.flights.projectiles.iter()
    }

    /// What was hit by shots in the tick simulated last, harm or none.
    pub fn impacts(&self) -> &[Impact] {
        &self.flights.impacts
    }

    /// A tick of everything that flies.
    pub(super) fn fly(&mut self) {
        if self.flights.projectiles.is_empty() {
            return;
        }
        let mut projectiles = std::mem::take(&mut self.flights.projectiles);
        projectiles.retain_mut(|projectile| self.fly_on(projectile));
        self.flights.projectiles = projectiles;
    }

    /// Something was fired: it flies at once, and on unless it meets something.
    pub(super) fn launch(&mut self, mut projectile: Projectile) {
        if self.fly_leg(&mut projectile) {
            self.flights.projectiles.push(projectile);
        }
    }

    /// Throws a grenade of that kind.
    pub(super) fn toss(&mut self, slot: Slot, kind: Kind) {
        let Some(unit) = self.unit(slot).filter(|_| self.harms) else { return };
        let (Some(flying), Some(from), Some((yaw, pitch))) =
            (kind.grenade(), self.eyes(slot), self.aim(slot))
        else {
            return;
        };
        let shooter = self.shooter(slot, unit);
        self.launch(Projectile::new(flying, shooter, from, towards(yaw, pitch + TOSSED)));
    }

    /// Whether it flies on after that tick.
    fn fly_on(&mut self, projectile: &mut Projectile) -> bool {
        if projectile.is_due() {
            self.go_off(projectile);
            return false;
        }
        if projectile.age() > LONGEST {
            return false;
        }
        let Some(stuck) = projectile.stuck else { return self.fly_leg(projectile) };
        let Some(to) = stuck.to else { return true };
        match self.objects.get(to) {
            Some(object) => projectile.body.position = stuck.carried(object.body.position, object.axes),
            // What it stuck to is gone: it falls from there.
            None => projectile.stuck = None,
        }
        true
    }

    fn fly_leg(&mut self, projectile: &mut Projectile) -> bool {
        let from = projectile.place();
        let to = projectile.leg(self.limits.gravity);
        let shooter = projectile.shooter;
        let marks = self.take_marks();
        // What a shield deflected hits nobody any more.
        let is_deflected = projectile.spent && projectile.flying.meets == Meets::Glances;
        let among: &[Mark] = if is_deflected { &[] } else { &marks };
        let met = self.meets(from, to, among, Some(&shooter));
        self.flights.marks = marks;
        let Some(met) = met else {
            projectile.body.position = to;
            let Bounds { least, most } = self.map.bounds;
            let inside = |at: f32, least: f32, most: f32| (least..=most).contains(&at);
            return inside(to.x, least.x, most.x)
                && inside(to.y, least.y, most.y)
                && inside(to.z, least.z, most.z);
        };
        self.meet_in_flight(projectile, &met, from)
    }

    fn meet_in_flight(&mut self, projectile: &mut Projectile, met: &Met, from: Vec3) -> bool {
        let flying = projectile.flying;
        let along = one_long(met.place - from);
        let impact = flying.impact.filter(|_| !projectile.spent);
        let response = self.meet(&projectile.shooter, flying.tag, impact, met, along);
        match flying.meets {
            Meets::Glances if response == Response::Shield => projectile.glance(met.place, met.normal),
            Meets::Ends | Meets::Glances => {
                projectile.body.position = met.place + met.normal * BEFORE;
                self.go_off(projectile);
                return false;
            }
            Meets::Bounces => {
                // The ground takes nothing of what it deals to the first whom it meets.
                let was_spent = projectile.spent;
                projectile.bounce(met.place, met.normal);
                projectile.spent = was_spent || !matches!(met.what, What::Ground);
            }
            Meets::Sticks => {
                let to = match met.what {
                    What::Object { id, .. } => self.objects.get(id).map(|object| {
                        Stuck::to(id, object.body.position, object.axes, met.place + met.normal * BEFORE)
                    }),
                    What::Ground | What::Breakable(_) => None,
                };
                let stuck = to.unwrap_or(Stuck { to: None, offset: [0.0; 3] });
                projectile.stick(met.place + met.normal * BEFORE, stuck);
            }
        }
        true
    }

    /// It goes off where it is: to what it sticks to first, then to all that is near.
    fn go_off(&mut self, projectile: &Projectile) {
        let at = projectile.place();
        for effect in projectile.flying.blasts {
            let damage = self.damage_by(&projectile.shooter, effect, at, Vec3::UP);
            let stuck = projectile.stuck.and_then(|stuck| stuck.to);
            let held = stuck.filter(|_| effect.form == AreaForm::Both);
            if let Some((object, shape)) = held.and_then(|held| Some((held, self.shape(held)?))) {
                let direction = one_long(shape.place + shape.centre - at);
                let parts = Parts { node: Some(0), ..Parts::default() };
                let damage = Damage { direction, ..damage };
                self.strike(Hit { object, damage, target: shape.place, normal: None, parts });
            }
            let damage = Damage { flags: AREA, ..damage };
            self.explode(effect, &damage, held);
        }
    }
}
