//! What the host keeps of one player: what it carried, threw and fired, and where it was. Knows no other player.

use mjolnir_wire::damage::{Hit, HitReport};
use mjolnir_wire::{ObjectId, Tag, Tick, Vec3};

use crate::arms::{Arms, Source};
use crate::error::Error;
use crate::explosions::{Explosions, Seen};
use crate::far::{Far, Place};
use crate::near::Near;
use crate::rate::Rates;
use crate::reach;
use crate::rows::PlayerRow;
use crate::tags::{Deals, Effect, Means, Tags, Target, World};
use crate::throws::{Thrown, Throws};

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Player {
    /// As it is now; none where nobody plays.
    row: Option<PlayerRow>,
    /// Its latest unit, alive or not.
    unit: Option<ObjectId>,
    far: Far,
    arms: Arms,
    throws: Throws,
    rates: Rates,
    explosions: Explosions,
}

/// What of a player's a damage is dealt by.
#[derive(Debug)]
pub(crate) enum Held {
    /// What it carries or rides, or did.
    Arm(Source),
    /// A grenade that it threw.
    Grenade(Thrown),
}

impl Held {
    /// How it deals the damage.
    pub(crate) fn deals(&self) -> &Deals {
        match self {
            Self::Arm(source) => &source.deals,
            Self::Grenade(thrown) => &thrown.deals,
        }
    }

    /// Whether it is an explosion: what flies sets it off, and it reaches further than a point. Its hits count as one (DMG-26).
    pub(crate) fn is_explosion(&self, effect: &Effect) -> bool {
        effect.has_reach() && matches!(self.deals().means, Means::Flight(_))
    }

    fn source(&self) -> Tag {
        match self {
            Self::Arm(source) => source.tag,
            Self::Grenade(thrown) => thrown.grenade,
        }
    }

    fn vehicle(&self) -> Option<ObjectId> {
        match self {
            Self::Arm(source) => source.vehicle,
            Self::Grenade(_) => None,
        }
    }
}

impl Player {
    /// Nobody.
    pub(crate) fn new() -> Self {
        Self {
            row: None,
            unit: None,
            far: Far::default(),
            arms: Arms::new(),
            throws: Throws::new(),
            rates: Rates::new(),
            explosions: Explosions::new(),
        }
    }

    /// Forgets all of it: who comes next is another (DMG-63).
    pub(crate) fn forget(&mut self) {
        if self.row.take().is_some() {
            let mut far = core::mem::take(&mut self.far);
            far.clear();
            *self = Self { far, ..Self::new() };
        }
    }

    /// As it is after a tick. Of another machine it is another player.
    pub(crate) fn note(&mut self, tick: Tick, row: &PlayerRow) {
        if self.row.is_some_and(|before| before.machine != row.machine) {
            self.forget();
        }
        self.row = Some(*row);
        self.unit = row.unit.or(self.unit);
        let size = row.riding.map_or(0.0, |riding| riding.size);
        self.far.note(Place { tick, at: row.place, size });
        self.arms.note(tick, row);
    }

    /// It threw that in a tick.
    pub(crate) fn throw(&mut self, tick: Tick, grenade: Tag) {
        if self.row.is_some() {
            self.throws.throw(tick, grenade);
        }
    }

    /// As it is now; none where nobody plays.
    pub(crate) fn row(&self) -> Option<&PlayerRow> {
        self.row.as_ref()
    }

    /// By what it can deal that, now or in the last ten seconds (DMG-06 to 11).
    pub(crate) fn can_deal(
        &self,
        tick: Tick,
        heard: Tick,
        (effect, epicentre): (Tag, Vec3),
        tags: &impl Tags,
    ) -> Result<Held, Error> {
        match self.arms.source(tick, effect, tags) {
            Some(source) => Ok(Held::Arm(source)),
            None => self.throws.find(tick, heard, effect, epicentre, tags).map(Held::Grenade),
        }
    }

    /// Takes what a report costs, before any history is looked at (DMG-25 to 28). An explosion's first costs, its others nothing;
    /// what it was said to hit counts as hit from then on, dealt or not, or each lie about it would be looked through for nothing.
    pub(crate) fn pay(
        &mut self,
        tick: Tick,
        report: &HitReport,
        held: &Held,
        is_explosion: bool,
    ) -> Result<(), Error> {
        let HitReport { hit, heard } = report;
        let Deals { means, rate } = held.deals();
        let (effect, epicentre) = (hit.damage.effect, hit.damage.epicentre);
        if !is_explosion {
            return self.rates.charge(tick, held.source(), effect, means, *rate);
        }
        match self.explosions.look(*heard, effect, epicentre, hit.object) {
            Seen::Twice => return Err(Error::HitTwice),
            Seen::Known => {}
            Seen::New => self.rates.charge(tick, held.source(), effect, means, *rate)?,
        }
        self.explosions.note(*heard, effect, epicentre, hit.object);
        Ok(())
    }

    /// Whether the damage came from where the host had the player, or what it drove, since (DMG-14 to 19); and the vehicle that
    /// it came from, where it did from one.
    pub(crate) fn reaches(
        &self,
        near: &Near,
        (tick, base): (Tick, Tick),
        hit: &Hit,
        held: &Held,
        target: &Target,
        game: &(impl Tags + World),
    ) -> Result<Option<ObjectId>, Error> {
        match &held.deals().means {
            Means::Flight(flight) => reach::flight(&self.far, base, &hit.damage, flight)?,
            Means::Melee { .. } => reach::blow(&self.far, base, &hit.damage)?,
            Means::Collision { .. } => return self.collided(near, (tick, base), hit, target, game),
        }
        Ok(held.vehicle())
    }

    /// A hit of it is dealt: a grenade that exploded has gone off (DMG-09).
    pub(crate) fn go_off(&mut self, held: &Held, heard: Tick) {
        if let Held::Grenade(thrown) = held {
            self.throws.go_off(thrown, heard);
        }
    }

    /// Whether the vehicle that ran into it is one of those that the player drove in the last ten seconds, and which (DMG-11,
    /// 15). The latest is not always it: who has changed vehicles since may still be heard of what the one before hit.
    fn collided(
        &self,
        near: &Near,
        (tick, base): (Tick, Tick),
        hit: &Hit,
        target: &Target,
        game: &(impl Tags + World),
    ) -> Result<Option<ObjectId>, Error> {
        let mut refusal = Error::NotHeld;
        for (at, (vehicle, means)) in self.arms.driven(tick, hit.damage.effect, game).enumerate() {
            match reach::collision(near, base, (vehicle, game.target(vehicle)), means, hit, target) {
                Ok(()) => return Ok(Some(vehicle)),
                Err(error) if at == 0 => refusal = error,
                Err(_) => {}
            }
        }
        Err(refusal)
    }

    /// What dealt it: the vehicle, where it was one, else the player's unit, or its last (DMG-33).
    pub(crate) fn owner_object(&self, vehicle: Option<ObjectId>) -> Option<ObjectId> {
        vehicle.or(self.unit)
    }
}
