//! What an engine in the lab saw of damage, where a test asks for it. Knows no game and judges nothing.

use mjolnir_engine_glue::damage;
use mjolnir_wire::damage::{Damage, DamageEvent, Hit};
use mjolnir_wire::{ObjectId, Slot, Tag, Tick, Vec3};

/// A hit that a client's own game saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saw {
    /// The tick that it was made in.
    pub tick: Tick,
    /// As it was handed over to be reported.
    pub hit: Hit,
    /// Whether it was of a unit that was dead here too.
    pub is_body: bool,
}

/// A client's hit that the host dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dealt {
    /// The host's tick simulated before it.
    pub after: Tick,
    /// As it was dealt.
    pub hit: Hit,
    /// Whether it was of a unit that was dead by then.
    pub is_late: bool,
}

/// See the module's text. Ticks are those that the machine had simulated last.
#[derive(Clone, Debug, Default)]
pub struct Harms {
    /// What its own players hit.
    pub hits: Vec<Saw>,
    /// On a host: clients' hits that it was to deal.
    pub dealt: Vec<Dealt>,
    /// On a host: the damage that was dealt, whoever's.
    pub events: Vec<(Tick, DamageEvent)>,
    /// On a client: what it was to replay.
    pub replayed: Vec<(Tick, damage::Command)>,
}

/// What a damage keeps on all of its ways: whose, what, from where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    owner: Option<Slot>,
    effect: Tag,
    origin: Vec3,
    epicentre: Vec3,
}

impl Mark {
    /// A damage's.
    pub const fn of(damage: &Damage) -> Self {
        let Damage { owner, effect, origin, epicentre, .. } = *damage;
        Self { owner, effect, origin, epicentre }
    }

    /// Whether that hit is this damage, of that object.
    pub fn is_of(&self, hit: &Hit, object: ObjectId) -> bool {
        hit.object == object && Self::of(&hit.damage) == *self
    }
}
