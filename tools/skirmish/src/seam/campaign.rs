//! The campaign at the seam: what a level's scripts show and do, and the host's word on it. Knows no message.

use mjolnir_engine_glue::{Campaign, coop};
use mjolnir_wire::ObjectName;
use mjolnir_wire::events::Action;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};

use super::Game;

impl Campaign for Game {
    fn read_presentation(&self) -> Option<Presentation> {
        self.world.as_ref()?.presentation().copied()
    }

    fn take_script_actions(&mut self, actions: &mut Vec<Action>) {
        if let Some(world) = &mut self.world {
            world.take_actions(actions);
        }
    }

    fn read_object_names(&self) -> Option<ObjectNames> {
        self.world.as_ref()?.object_names()
    }

    fn read_transforms(&self, transforms: &mut Vec<Transform>) {
        if let Some(world) = &self.world {
            world.transforms(transforms);
        }
    }

    fn read_looks(&self, looks: &mut Vec<Look>) {
        if let Some(world) = &self.world {
            world.looks(looks);
        }
    }

    fn read_screen_effect(&self) -> Option<ScreenEffect> {
        self.world.as_ref()?.screen_effect()
    }

    fn has_named(&self, object: ObjectName) -> bool {
        self.world.as_ref().is_some_and(|world| world.has_named(object))
    }

    fn apply_presentation(&mut self, shown: &Presentation) {
        if let Some(world) = &mut self.world {
            world.present(shown);
        }
    }

    fn apply_script_action(&mut self, action: &Action) {
        if let Some(world) = &mut self.world {
            world.show_action(action);
        }
    }

    fn apply_object_name(&mut self, command: &coop::NameCommand) {
        let Some(world) = &mut self.world else { return };
        match *command {
            coop::NameCommand::Make { name } => world.make_named(name),
            coop::NameCommand::Delete { name } => world.delete_named(name),
        }
    }

    fn apply_transform(&mut self, transform: &Transform) {
        if let Some(world) = &mut self.world {
            world.set_transform(transform);
        }
    }

    fn apply_look(&mut self, look: &Look) {
        if let Some(world) = &mut self.world {
            world.set_look(look);
        }
    }

    fn apply_screen_effect(&mut self, effect: &ScreenEffect) {
        if let Some(world) = &mut self.world {
            world.set_screen_effect(effect);
        }
    }
}
