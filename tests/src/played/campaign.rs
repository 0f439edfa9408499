//! The campaign as a machine of the lab has it: its game's own. Knows nothing else.

use mjolnir_engine_glue::coop::NameCommand;
use mjolnir_engine_glue::objects::{ActorCommand, ActorRow};
use mjolnir_engine_glue::{Actors, Campaign};
use mjolnir_wire::ObjectName;
use mjolnir_wire::events::Action;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};

use super::{Flaw, Played};

impl Campaign for Played {
    fn read_presentation(&self) -> Option<Presentation> {
        self.game.read_presentation()
    }

    fn take_script_actions(&mut self, actions: &mut Vec<Action>) {
        let first = actions.len();
        self.game.take_script_actions(actions);
        let tick = self.tick();
        self.notes.acted.extend(actions[first..].iter().map(|action| (tick, *action)));
    }

    fn read_object_names(&self) -> Option<ObjectNames> {
        self.game.read_object_names()
    }

    fn read_transforms(&self, transforms: &mut Vec<Transform>) {
        self.game.read_transforms(transforms);
    }

    fn read_looks(&self, looks: &mut Vec<Look>) {
        self.game.read_looks(looks);
    }

    fn read_screen_effect(&self) -> Option<ScreenEffect> {
        self.game.read_screen_effect()
    }

    fn has_named(&self, object: ObjectName) -> bool {
        self.game.has_named(object)
    }

    fn apply_presentation(&mut self, shown: &Presentation) {
        if self.flaw != Some(Flaw::ShowsNothing) {
            self.game.apply_presentation(shown);
        }
    }

    fn apply_script_action(&mut self, action: &Action) {
        let forgets = self.flaw == Some(Flaw::ForgetsActions) && self.notes.acted.len() % 3 == 2;
        self.notes.acted.push((self.tick(), *action));
        if !forgets {
            self.game.apply_script_action(action);
        }
    }

    fn apply_object_name(&mut self, command: &NameCommand) {
        if self.flaw != Some(Flaw::KeepsItsNames) {
            self.game.apply_object_name(command);
        }
    }

    fn apply_transform(&mut self, transform: &Transform) {
        self.game.apply_transform(transform);
    }

    fn apply_look(&mut self, look: &Look) {
        self.game.apply_look(look);
    }

    fn apply_screen_effect(&mut self, effect: &ScreenEffect) {
        self.game.apply_screen_effect(effect);
    }
}

impl Actors for Played {
    fn read_actors(&self, rows: &mut Vec<ActorRow>) {
        self.game.read_actors(rows);
    }

    fn apply_actor(&mut self, command: &ActorCommand) {
        if self.flaw != Some(Flaw::IgnoresActors) {
            self.game.apply_actor(command);
        }
    }
}
