//! Actors at the seam: what theirs do on the host, and the host's word on them. Knows no message and no mind.

use mjolnir_engine_glue::Actors;
use mjolnir_engine_glue::objects::{ActorCommand, ActorRow};
use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::units::ShownDamage;
use mjolnir_wire::{Buttons, Input, ObjectId, Vec3};

use super::{Game, vehicles};
use crate::game::actors::{Begun, Control, PLAYERS};
use crate::game::{Vitality, World};

impl Actors for Game {
    fn read_actors(&self, rows: &mut Vec<ActorRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.actor_units().filter_map(|unit| row(world, unit)));
    }

    fn apply_actor(&mut self, command: &ActorCommand) {
        let Some(world) = &mut self.world else { return };
        match *command {
            ActorCommand::Drive { state, begins } => {
                let begins =
                    Begun { impulse: begins.impulse, speech: begins.speech, animation: begins.animation };
                drive(world, &state, begins);
            }
            ActorCommand::Put { unit, position, velocity, axes, offset } => {
                world.place(unit, position, Some(velocity), Some(axes));
                world.set_offset(unit, offset);
            }
            ActorCommand::Stop { unit } => {
                world.stop_actor(unit);
            }
            ActorCommand::Show(ActorDamage { unit, shield, recent_shield, body, recent_body }) => {
                let Some(vitality) = world.vitality(unit) else { return };
                let shown =
                    ShownDamage { current_shield: shield, recent_shield, current_body: body, recent_body };
                world.set_vitality(unit, Vitality { shown, ..vitality });
            }
        }
    }
}

/// What there is to tell of a unit that an actor drives.
fn row(world: &World, unit: ObjectId) -> Option<ActorRow> {
    let actor = world.actor(unit)?;
    let (placement, vitality) = (world.placement(unit)?, world.vitality(unit)?);
    let Control { input, looking, animation_state, aiming_speed, impulse, speech, animation } =
        *actor.control();
    let Input { buttons, yaw, pitch, throttle: [ahead, left], trigger, .. } = input;
    let state = ActorState {
        ride: vehicles::ride(world, unit),
        shield_flags: vitality.flags,
        camouflage: vitality.camouflage,
        impulse,
        animation_state,
        aiming_speed,
        trigger,
        control: (buttons.0 & Buttons::KNOWN.0) as u16,
        throttle: [ahead, left, 0.0],
        team: Some(actor.team()),
        facing: [yaw, 0.0],
        aiming: [yaw, pitch],
        looking,
        body: vitality.body,
        shield: vitality.shield,
        speech,
        user_animation: animation,
        velocity: placement.velocity,
        axes: placement.axes,
        ..ActorState::still(unit, placement.position)
    };
    let ShownDamage { current_shield, recent_shield, current_body, recent_body } = vitality.shown;
    let damage = ActorDamage { unit, shield: current_shield, recent_shield, body: current_body, recent_body };
    Some(ActorRow { state, damage })
}

/// The host's word on what a unit does, and on how it is.
fn drive(world: &mut World, state: &ActorState, begins: Begun) {
    let ActorState { unit, aiming: [yaw, pitch], throttle: [ahead, left, _], trigger, .. } = *state;
    let input = Input {
        buttons: Buttons(state.control.into()),
        yaw,
        pitch,
        throttle: [ahead, left],
        trigger,
        ..Input::default()
    };
    let control = Control {
        input,
        looking: state.looking,
        animation_state: state.animation_state,
        aiming_speed: state.aiming_speed,
        impulse: state.impulse,
        speech: state.speech,
        animation: state.user_animation,
    };
    if !world.drive_actor(unit, state.team.unwrap_or(PLAYERS), control, begins) {
        return;
    }
    if vehicles::ride(world, unit) != state.ride {
        vehicles::sit(world, unit, state.ride);
    }
    if let Some(vitality) = world.vitality(unit) {
        let ActorState { body, shield, shield_flags: flags, camouflage, .. } = *state;
        world.set_vitality(unit, Vitality { body, shield, flags, camouflage, ..vitality });
    }
}

impl Game {
    /// The units that actors drive and that a player of another machine may hit: within what it carries of it, and so much
    /// more.
    pub(super) fn actors_in_reach(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let world = self.world.as_ref();
        let shooters: Vec<(Vec3, f32)> = world.map_or_else(Vec::new, |world| {
            let elsewhere = world
                .players()
                .filter(|(_, player)| !player.left && player.machine != mjolnir_wire::Machine::HOST);
            let near = |slot| Some((world.position(slot)?, world.reach_of(slot).max(LEAST) + MORE));
            elsewhere.filter_map(|(slot, _)| near(slot)).collect()
        });
        let may_hit = move |place: Vec3| {
            let near = |(from, reach): &(Vec3, f32)| from.distance(place) <= *reach;
            shooters.iter().any(near)
        };
        world
            .into_iter()
            .flat_map(|world| {
                world.actor_units().filter_map(|unit| Some((unit, world.placement(unit)?.position)))
            })
            .filter(move |(_, place)| may_hit(*place))
            .map(|(unit, _)| unit)
    }
}

/// How far a player without a weapon may hit something, with a grenade, in wu. Ours.
const LEAST: f32 = 25.0;
/// How much further it may have been from its target where it fired, in wu: what both go meanwhile. Ours.
const MORE: f32 = 10.0;
