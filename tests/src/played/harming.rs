//! Damage at a machine's engine in the lab: asked of its game, and noted. Knows no network.

use mjolnir_engine_glue::damage;
use mjolnir_engine_glue::engine::Harm;
use mjolnir_skirmish::game::{Vitality, World};
use mjolnir_wire::damage::{DamageEvent, Hit};
use mjolnir_wire::{ObjectId, Slot, Tag};

use super::harms::{Dealt, Replayed, Saw};
use super::{Flaw, Played, is_body};

impl damage::Tags for Played {
    fn effect(&self, effect: Tag) -> Option<damage::Effect> {
        damage::Tags::effect(&self.game, effect)
    }

    fn deals(&self, source: Tag, effect: Tag) -> Option<damage::Deals> {
        self.game.deals(source, effect)
    }

    fn fall_off(&self, effect: Tag, distance: f32) -> f32 {
        self.game.fall_off(effect, distance)
    }

    fn flags(&self) -> damage::Flags {
        self.game.flags()
    }
}

impl damage::World for Played {
    fn target(&self, object: ObjectId) -> Option<damage::Target> {
        self.game.target(object)
    }
}

impl Harm for Played {
    fn read_harm(&self, players: &mut Vec<damage::PlayerRow>, targets: &mut Vec<damage::TargetRow>) {
        self.game.read_harm(players, targets);
    }

    fn take_throws(&mut self, throws: &mut Vec<damage::Throw>) {
        self.game.take_throws(throws);
    }

    fn take_hits(&mut self, hits: &mut Vec<Hit>) {
        let from = hits.len();
        self.game.take_hits(hits);
        for hit in &mut hits[from..] {
            self.harms.counts.hits += 1;
            if self.flaw == Some(Flaw::HitsHard) {
                hit.damage.scale *= 2.0;
            }
        }
        if let (true, Some(world)) = (self.harms.keeps, self.game.world()) {
            let saw = |hit: &Hit| Saw { tick: world.tick(), hit: *hit, is_body: is_body(world, hit.object) };
            self.harms.hits.extend(hits[from..].iter().map(saw));
        }
        if self.flaw == Some(Flaw::ForgetsHits) && self.harms.counts.hits % 2 == 1 {
            hits.truncate(from);
        }
    }

    fn deal(&mut self, hit: &Hit) {
        self.harms.counts.dealt += 1;
        if let (true, Some(world)) = (self.harms.keeps, self.game.world()) {
            let is_late = is_body(world, hit.object);
            self.harms.deals.push(Dealt { after: world.tick(), hit: *hit, is_late });
        }
        self.game.deal(hit);
    }

    fn take_dealt(&mut self, events: &mut Vec<DamageEvent>) {
        let from = events.len();
        self.game.take_dealt(events);
        self.harms.dealt(self.tick(), &events[from..]);
    }

    fn apply_damage(&mut self, command: &damage::Command) {
        self.harms.told(command, |slot| self.game.world().is_some_and(|world| world.player(slot).is_some()));
        if self.flaw == Some(Flaw::IgnoresBlows) && matches!(command, damage::Command::Kill(_)) {
            return;
        }
        let before = self.harms.keeps.then(|| self.note_command(command));
        self.game.apply_damage(command);
        if let Some((stood, health)) = before {
            self.note_replayed(command, stood, &health);
        }
    }
}

impl Played {
    /// Whether the unit that a command is about stands, and how whole everybody is.
    pub(super) fn note_command(&self, command: &damage::Command) -> (bool, Vec<Option<Vitality>>) {
        let world = self.world();
        (object_of(command).is_some_and(|unit| world.stands(unit)), health(world))
    }

    pub(super) fn note_replayed(
        &mut self,
        command: &damage::Command,
        stood: bool,
        before: &[Option<Vitality>],
    ) {
        let world = self.world();
        let object = object_of(command);
        let by = match command {
            damage::Command::Kill(event) => event.damage.owner.and_then(|slot| world.player(slot)),
            _ => None,
        };
        // Who dies has no unit any more.
        let changed = |(was, is): (&Option<Vitality>, &Option<Vitality>)| is.is_some() && was != is;
        let replayed = Replayed {
            after: world.tick(),
            command: *command,
            stood,
            velocity: object.and_then(|object| world.motion(object)).map(|motion| motion.velocity),
            score: by.map(|by| by.score()),
            harmed: before.iter().zip(&health(world)).any(changed),
        };
        self.harms.replayed.push(replayed);
    }
}

/// What a word on damage is about.
const fn object_of(command: &damage::Command) -> Option<ObjectId> {
    match command {
        damage::Command::Show(event)
        | damage::Command::Replay(event)
        | damage::Command::Kill(event)
        | damage::Command::Break(event) => event.object,
        damage::Command::KillSilently { unit } => Some(*unit),
    }
}

/// How whole each slot's unit is.
fn health(world: &World) -> Vec<Option<Vitality>> {
    Slot::all().map(|slot| world.vitality(world.unit(slot)?)).collect()
}
