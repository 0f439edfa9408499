//! The campaign together: the seam to what a game's scripts show and do, and to its actors. Knows no script and no mind.

use mjolnir_coop as coop;
use mjolnir_objects as objects;
use mjolnir_wire::ObjectName;
use mjolnir_wire::events::Action;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};

/// What a level's scripts do, which run on the host alone (COOP-03). A game without scripts implements nothing of it.
///
/// What is read is read after each tick; what is applied is applied before one, on a client, where no script ever runs.
pub trait Campaign {
    /// On the host: what scripts show now; none outside co-op (COOP-01), where nothing of this trait is told. What is said of votes
    /// is not looked at.
    fn read_presentation(&self) -> Option<Presentation> {
        None
    }

    /// On the host: appends what scripts did once since it was last asked, in order (COOP-07). What breaks is told by
    /// [`Devices`](crate::Devices).
    fn take_script_actions(&mut self, _actions: &mut Vec<Action>) {}

    /// On either end: which of the level's named objects there are, of the structure BSP that is loaded (COOP-21); none where
    /// the level names none.
    fn read_object_names(&self) -> Option<ObjectNames> {
        None
    }

    /// On the host: appends where each object stands that scripts put somewhere since the level began, by rising name
    /// (COOP-66).
    fn read_transforms(&self, _transforms: &mut Vec<Transform>) {}

    /// On the host: appends the looks of each object whose looks scripts changed since the level began, by rising name.
    fn read_looks(&self, _looks: &mut Vec<Look>) {}

    /// On the host: the scripts' screen effect; none where they never had one.
    fn read_screen_effect(&self) -> Option<ScreenEffect> {
        None
    }

    /// On a client: whether it has what is so named: an object of that index and tag, or one of the level's that there is
    /// (WIRE-84).
    fn has_named(&self, _object: ObjectName) -> bool {
        false
    }

    /// On a client: the host's scripts show that, from now on.
    fn apply_presentation(&mut self, _shown: &Presentation) {}

    /// On a client: that happened on the host, each once and in order. What it names may not be here: then nothing happens.
    fn apply_script_action(&mut self, _action: &Action) {}

    /// On a client: a named object is made or deleted, as on the host.
    fn apply_object_name(&mut self, _command: &coop::NameCommand) {}

    /// On a client: the host's word on where an object stands that is here.
    fn apply_transform(&mut self, _transform: &Transform) {}

    /// On a client: the host's word on how an object looks that is here.
    fn apply_look(&mut self, _look: &Look) {}

    /// On a client: the host's word on the screen's effect.
    fn apply_screen_effect(&mut self, _effect: &ScreenEffect) {}
}

/// Units that no player has and that think: on the host alone (OBJ-33). A game without any implements nothing of it.
pub trait Actors {
    /// On the host, after a tick: appends a row for each living unit that an actor drives, by rising index. It has a row of
    /// [`Objects::read_object_rows`](crate::Objects::read_object_rows) too.
    fn read_actors(&self, _rows: &mut Vec<objects::ActorRow>) {}

    /// On a client, before the simulation: the host's word on what an actor has its unit do. It does so in each tick until the
    /// next word (OBJ-36).
    fn apply_actor(&mut self, _command: &objects::ActorCommand) {}
}
