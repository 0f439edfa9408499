//! What an engine in the lab saw of damage: counted, and kept where a test asks for it. Knows no game and judges nothing.

use mjolnir_engine_glue::damage::Command;
use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit};
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

/// The host's word on damage, as an engine carried it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// The tick simulated before it.
    pub after: Tick,
    /// What it was to do.
    pub command: Command,
    /// Whether the unit that it is about stood before.
    pub stood: bool,
    /// How fast that unit is from then on, in wu a tick.
    pub velocity: Option<Vec3>,
    /// What whoever dealt it has from then on.
    pub score: Option<i32>,
    /// Whether it took or gave health or shield.
    pub harmed: bool,
}

/// A unit fell of a blow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// What was said of it.
    pub event: DamageEvent,
    /// It is a player's that is known here.
    pub is_players: bool,
}

/// How much of it there was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HarmCounts {
    /// Hits of its own players that its game handed over.
    pub hits: u64,
    /// Reported hits that it was to deal.
    pub dealt: u64,
    /// The host's damage that it was to replay.
    pub replayed: u64,
    /// Units that it was to let fall with nothing to show.
    pub silent: u64,
}

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Harms {
    /// Of all games.
    pub counts: HarmCounts,
    /// Killing blows: on a host those that its game dealt, on a client those that it was to replay, in order.
    pub blows: Vec<Blow>,
    /// Whether what follows is kept: a long game would keep a lot of it.
    pub keeps: bool,
    /// What its own players hit.
    pub hits: Vec<Saw>,
    /// On a host: clients' hits that it was to deal.
    pub deals: Vec<Dealt>,
    /// On a host: the damage that was dealt, whoever's, with the tick that dealt it.
    pub events: Vec<(Tick, DamageEvent)>,
    /// On a client: the host's word on damage.
    pub replayed: Vec<Replayed>,
}

impl Harms {
    /// All is kept from now on, and what was before is forgotten.
    pub fn keep_anew(&mut self) {
        *self = Self { counts: self.counts, keeps: true, ..Self::default() };
    }

    /// Its game dealt that in that tick.
    pub(super) fn dealt(&mut self, tick: Tick, events: &[DamageEvent]) {
        let blows = events.iter().filter(|event| event.kind == EventKind::KillingBlow);
        self.blows.extend(blows.map(|event| Blow { event: *event, is_players: event.player.is_some() }));
        if self.keeps {
            self.events.extend(events.iter().map(|event| (tick, *event)));
        }
    }

    /// It is to do that. `plays` says who is a player of its game.
    pub(super) fn told(&mut self, command: &Command, plays: impl Fn(Slot) -> bool) {
        match command {
            Command::KillSilently { .. } => {
                self.counts.silent += 1;
                return;
            }
            Command::Kill(event) => {
                self.blows.push(Blow { event: *event, is_players: event.player.is_some_and(plays) });
            }
            Command::Show(_) | Command::Replay(_) | Command::Break(_) => {}
        }
        self.counts.replayed += 1;
    }
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
