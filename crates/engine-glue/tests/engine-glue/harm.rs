//! What hurts in the walkers' game: a gun that hits at once, which everybody carries. Who falls lies where it fell.

use mjolnir_engine_glue::damage::{
    Command, Deals, Effect, Flight, Means, PlayerRow, Rate, Reach, Tags, Target, TargetRow, Throw, World,
};
use mjolnir_engine_glue::engine::Harm;
use mjolnir_engine_glue::{damage, objects};
use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit, KillFlags, Parts};
use mjolnir_wire::limits::WEAPON_SLOTS;
use mjolnir_wire::{ObjectId, Slot, Tag, Vec3};

use super::game::{Body, Call, Game, unit_of};

/// The gun, and what its shots do.
pub(crate) const GUN: Tag = Tag(5);
pub(crate) const SHOT: Tag = Tag(7);
/// A grenade, and what it deals as it goes off.
pub(crate) const GRENADE: Tag = Tag(6);
pub(crate) const BLAST: Tag = Tag(8);

/// What a game of walkers has to say of damage.
#[derive(Debug, Default)]
pub(crate) struct Harms {
    /// On a client: what its own players hit in the next tick.
    pub(crate) hits: Vec<Hit>,
    /// On the host: what was dealt since it was last asked.
    pub(crate) dealt: Vec<DamageEvent>,
    /// On the host: what is thrown in the next tick.
    pub(crate) throws: Vec<Throw>,
}

/// A shot of that player's at something there.
pub(crate) fn shot(by: Option<Slot>, at: Vec3) -> Damage {
    Damage {
        effect: SHOT,
        flags: 0,
        owner: by,
        team: None,
        owner_object: by.map(unit_of),
        origin: at,
        epicentre: at,
        direction: Vec3::new(1.0, 0.0, 0.0),
        scale: 1.0,
        multiplier: 1.0,
        material_effect_scale: 1.0,
        material: None,
    }
}

/// That player hits that unit there.
pub(crate) fn hit(by: Option<Slot>, object: ObjectId, at: Vec3) -> Hit {
    Hit { object, damage: shot(by, at), target: at, normal: None, parts: Parts::default() }
}

/// What player 0 did to that player's unit.
pub(crate) fn event(kind: EventKind, of: Slot) -> DamageEvent {
    DamageEvent {
        kind,
        player: Some(of),
        kill: KillFlags::default(),
        object: Some(unit_of(of)),
        damage: shot(Slot::new(0), Vec3::ZERO),
        being_damaged_flags: 0,
        shield_damage: 0.0,
        body_damage: 1.0,
        body_multiplier: 1.0,
        total_damage: 1.0,
        body_part: None,
        parts: Parts::default(),
        killer_score: if kind == EventKind::KillingBlow { 4 } else { 0 },
    }
}

/// What the client was to do about damage, in order.
pub(crate) fn replayed(game: &Game) -> Vec<Command> {
    let command = |call: &Call| if let Call::Damage(command) = call { Some(*command) } else { None };
    game.calls.iter().filter_map(command).collect()
}

impl Game {
    /// That player's unit falls, if it has one.
    pub(crate) fn fall(&mut self, slot: Slot) {
        let player = self.players.iter_mut().find(|player| player.slot == slot).unwrap();
        if let Some(unit) = player.unit.take() {
            self.lie(unit);
        }
    }

    /// On the host: a shot kills that player.
    pub(crate) fn kill(&mut self, slot: Slot) {
        self.fall(slot);
        self.harm.dealt.push(event(EventKind::KillingBlow, slot));
    }

    /// Whether that unit is there and has not fallen.
    pub(crate) fn stands(&self, unit: ObjectId) -> bool {
        self.bodies.iter().any(|body| body.id == unit && !body.dead)
    }

    /// That unit falls.
    pub(crate) fn lie(&mut self, unit: ObjectId) {
        for player in self.players.iter_mut().filter(|player| player.unit == Some(unit)) {
            player.unit = None;
        }
        if let Some(body) = self.body(unit) {
            (body.dead, body.input) = (true, Default::default());
        }
    }
}

impl Tags for Game {
    fn effect(&self, effect: Tag) -> Option<Effect> {
        let shot = Effect { radius: 0.0, falls_off: false, form: damage::AreaForm::Direct };
        match effect {
            SHOT => Some(shot),
            BLAST => Some(Effect { radius: 3.0, form: damage::AreaForm::Area, ..shot }),
            _ => None,
        }
    }

    fn deals(&self, source: Tag, effect: Tag) -> Option<Deals> {
        let reach = match (source, effect) {
            (GUN, SHOT) => Reach::Within(100.0),
            (GRENADE, BLAST) => Reach::Unbounded,
            _ => return None,
        };
        let flight = Flight { reach, sets_off: 0.0, ticks: 0 };
        let rate = Rate { per_second: 10.0, projectiles: 1 };
        Some(Deals { means: Means::Flight(flight), rate })
    }
}

impl World for Game {
    fn target(&self, object: ObjectId) -> Option<Target> {
        let body = self.bodies.iter().find(|body| body.id == object)?;
        let (place, velocity) = (body.placement.position, body.placement.velocity);
        Some(Target { place, velocity, size: 0.5, centre: Vec3::ZERO, nodes: 1, regions: 0, materials: 0 })
    }
}

impl Harm for Game {
    fn read_harm(&self, players: &mut Vec<PlayerRow>, targets: &mut Vec<TargetRow>) {
        self.did("harm");
        let body = |unit: ObjectId| self.bodies.iter().find(|body| body.id == unit);
        let mut weapons = [None; WEAPON_SLOTS];
        weapons[0] = Some(GUN);
        for player in self.players.iter().filter(|player| !player.left) {
            players.push(PlayerRow {
                slot: player.slot,
                machine: player.machine,
                unit: player.unit,
                place: player.unit.and_then(body).map_or(Vec3::ZERO, |body| body.placement.position),
                riding: None,
                weapons,
                team: None,
                multiplier: 1.0,
            });
        }
        targets.extend(self.players.iter().filter_map(|player| body(player.unit?)).map(|body: &Body| {
            let (place, velocity) = (body.placement.position, body.placement.velocity);
            TargetRow { object: body.id, place, velocity, size: 0.5 }
        }));
    }

    fn take_throws(&mut self, throws: &mut Vec<Throw>) {
        throws.append(&mut self.harm.throws);
    }

    fn take_hits(&mut self, hits: &mut Vec<Hit>) {
        hits.append(&mut self.harm.hits);
    }

    fn deal(&mut self, hit: &Hit) {
        self.did("deal");
        self.note(Call::Deal(*hit));
    }

    fn take_dealt(&mut self, events: &mut Vec<DamageEvent>) {
        self.did("dealt");
        events.append(&mut self.harm.dealt);
    }

    fn apply_damage(&mut self, command: &Command) {
        self.did("damage");
        self.note(Call::Damage(*command));
        let unit = match command {
            Command::Kill(DamageEvent { object, .. }) => *object,
            Command::KillSilently { unit } => Some(*unit),
            Command::Show(_) | Command::Replay(_) | Command::Break(_) => None,
        };
        let is_unit = |unit: &ObjectId| {
            self.bodies.iter().any(|body| body.id == *unit && body.class == objects::Class::Unit)
        };
        if let Some(unit) = unit.filter(is_unit) {
            self.lie(unit);
        }
    }
}
