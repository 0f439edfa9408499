//! Scripts and actors as a test's game has them: what they do on a host, and what a client was to do. Knows no rule.

use mjolnir_engine_glue::coop::NameCommand;
use mjolnir_engine_glue::objects::{ActorCommand, ActorRow};
use mjolnir_engine_glue::{Actors, Campaign};
use mjolnir_wire::ObjectName;
use mjolnir_wire::events::Action;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};

use super::game::Game;

/// What a level's scripts do on a host, or what they were said to on a client.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    pub(crate) shown: Option<Presentation>,
    pub(crate) actions: Vec<Action>,
    pub(crate) names: Option<ObjectNames>,
    pub(crate) transforms: Vec<Transform>,
    pub(crate) looks: Vec<Look>,
    pub(crate) effect: Option<ScreenEffect>,
    pub(crate) actors: Vec<ActorRow>,
    /// Of a client, in order.
    pub(crate) did: Vec<Did>,
    pub(crate) is_client: bool,
}

/// What a client's game was to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Did {
    Show(Presentation),
    Act(Action),
    Name(NameCommand),
    Stand(Transform),
    Look(Look),
    Effect(ScreenEffect),
    Actor(ActorCommand),
}

impl Scripts {
    /// Another game: on a client nothing is left of the one before.
    pub(crate) fn begin(&mut self) {
        if self.is_client {
            let names = self.names.map(|names| ObjectNames::none(names.structure_bsp, names.count()));
            *self = Self { is_client: true, names, did: std::mem::take(&mut self.did), ..Self::default() };
        }
    }
}

impl Game {
    fn follow(&mut self, did: Did) {
        self.scripts.is_client = true;
        if self.notes {
            self.scripts.did.push(did);
        }
    }
}

impl Campaign for Game {
    fn read_presentation(&self) -> Option<Presentation> {
        self.scripts.shown
    }

    fn take_script_actions(&mut self, actions: &mut Vec<Action>) {
        actions.append(&mut self.scripts.actions);
    }

    fn read_object_names(&self) -> Option<ObjectNames> {
        self.scripts.names
    }

    fn read_transforms(&self, transforms: &mut Vec<Transform>) {
        transforms.extend_from_slice(&self.scripts.transforms);
    }

    fn read_looks(&self, looks: &mut Vec<Look>) {
        looks.extend_from_slice(&self.scripts.looks);
    }

    fn read_screen_effect(&self) -> Option<ScreenEffect> {
        self.scripts.effect
    }

    fn has_named(&self, object: ObjectName) -> bool {
        match object {
            ObjectName::Named(name) => self.scripts.names.is_some_and(|names| names.contains(name)),
            ObjectName::Object(object, _) => self.place_of(object).is_some(),
        }
    }

    fn apply_presentation(&mut self, shown: &Presentation) {
        self.did("show");
        self.follow(Did::Show(*shown));
    }

    fn apply_script_action(&mut self, action: &Action) {
        self.did("act");
        self.follow(Did::Act(*action));
    }

    fn apply_object_name(&mut self, command: &NameCommand) {
        self.did("name");
        if let (NameCommand::Make { name }, Some(names)) = (command, &mut self.scripts.names) {
            names.insert(*name);
        }
        self.follow(Did::Name(*command));
    }

    fn apply_transform(&mut self, transform: &Transform) {
        self.did("stand");
        self.follow(Did::Stand(*transform));
    }

    fn apply_look(&mut self, look: &Look) {
        self.follow(Did::Look(*look));
    }

    fn apply_screen_effect(&mut self, effect: &ScreenEffect) {
        self.follow(Did::Effect(*effect));
    }
}

impl Actors for Game {
    fn read_actors(&self, rows: &mut Vec<ActorRow>) {
        rows.extend_from_slice(&self.scripts.actors);
    }

    fn apply_actor(&mut self, command: &ActorCommand) {
        self.did("actor");
        self.follow(Did::Actor(*command));
    }
}
