//! What a machine's engine does with the host's word on damage, noted. Knows no network.

use mjolnir_engine_glue::damage;
use mjolnir_skirmish::game::{Vitality, World};
use mjolnir_wire::{ObjectId, Slot};

use super::{Played, Replayed};

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
        self.notes.replayed.push(replayed);
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
