//! Actors at the seam: what theirs do on the host, and the host's word on them. Knows no message and no mind.

use mjolnir_engine_glue::Actors;
use mjolnir_engine_glue::objects::{self, ActorCommand, ActorRow};
use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::units::{Ride, ShownDamage};
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Vec3};

use super::{Game, vehicles};
use crate::game::actors::{Begun, Control, PLAYERS};
use crate::game::{Vitality, World};

/// How far a player without a weapon may hit something, with a grenade, in wu. Ours.
const LEAST: f32 = 25.0;
/// How much further it may have been from its target where it fired, in wu: what both go meanwhile. Ours.
const MORE: f32 = 10.0;

impl Actors for Game {
    fn read_actors(&self, rows: &mut Vec<ActorRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.actor_units().filter_map(|unit| row(world, unit)));
    }

    fn apply_actor(&mut self, command: &ActorCommand) {
        let Some(world) = &mut self.world else { return };
        match command {
            ActorCommand::Drive { state, begins } => {
                let objects::Begins { impulse, speech, animation } = *begins;
                drive(world, state, Begun { impulse, speech, animation });
            }
            ActorCommand::Stop { unit } => {
                world.stop_actor(*unit);
            }
            ActorCommand::Show(damage) => show(world, damage),
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
    // A late word puts nobody else out of a seat.
    if vehicles::ride(world, unit) != state.ride && is_free(world, state.ride) {
        vehicles::sit(world, unit, state.ride);
    }
    if let Some(vitality) = world.vitality(unit) {
        let ActorState { body, shield, shield_flags: flags, camouflage, .. } = *state;
        world.set_vitality(unit, Vitality { body, shield, flags, camouflage, ..vitality });
    }
}

/// Whether no player sits there.
fn is_free(world: &World, ride: Option<Ride>) -> bool {
    let mut seated = world.players().filter_map(|(slot, _)| vehicles::ride(world, world.unit(slot)?));
    ride.is_none() || !seated.any(|other| Some(other) == ride)
}

/// What a unit shows of its shield and its body, by the host's word.
fn show(world: &mut World, damage: &ActorDamage) {
    let ActorDamage { unit, shield, recent_shield, body, recent_body } = *damage;
    let Some(vitality) = world.vitality(unit) else { return };
    let shown = ShownDamage { current_shield: shield, recent_shield, current_body: body, recent_body };
    world.set_vitality(unit, Vitality { shown, ..vitality });
}

impl Game {
    /// The units that actors drive and that a player of another machine may hit: within what it carries of it, and so much
    /// more.
    pub(super) fn actors_in_reach(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let mut shooters = [(Vec3::ZERO, 0.0); MAX_PLAYERS];
        let mut count = 0;
        let world = self.world.as_ref().filter(|world| world.actor_units().next().is_some());
        if let Some(world) = world {
            let elsewhere =
                world.players().filter(|(_, player)| !player.left && player.machine != Machine::HOST);
            let near = |slot| Some((world.position(slot)?, world.reach_of(slot).max(LEAST) + MORE));
            for (into, from) in shooters.iter_mut().zip(elsewhere.filter_map(|(slot, _)| near(slot))) {
                *into = from;
                count += 1;
            }
        }
        let units = world.into_iter().flat_map(|world| {
            world.actor_units().filter_map(|unit| Some((unit, world.placement(unit)?.position)))
        });
        units.filter_map(move |(unit, place)| {
            let mut near = shooters[..count].iter();
            near.any(|(from, reach)| from.distance(place) <= *reach).then_some(unit)
        })
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::damage::TargetRow;
    use mjolnir_engine_glue::engine::{Harm as _, Objects as _, Player, Role, Session as _};
    use mjolnir_wire::damage::EventKind;
    use mjolnir_wire::objects::Creation;
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::text::Chars;
    use mjolnir_wire::{Slot, Tick};

    use super::*;
    use crate::game::actors::MARINES;
    use crate::game::{Kind, Rules};
    use crate::seam::{Setup, level_of};

    /// The garrison, with players of those machines.
    fn game(role: Role, machines: &[u8]) -> Game {
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("garrison")).unwrap();
        Rules::named("slayer").unwrap().write("slayer", &mut settings);
        let mut game = Game::new(Setup { harm: true, ..Setup::default() });
        game.load(&settings, role);
        for (index, machine) in (0..).zip(machines) {
            let (slot, machine) = (Slot::new(index).unwrap(), Machine::new(*machine).unwrap());
            game.add_player(&Player { slot, machine, team: 0, name: "P", local: None });
            game.admit_player(slot);
        }
        game.simulate(Tick::ZERO.next());
        game
    }

    fn rows(game: &Game) -> Vec<ActorRow> {
        let mut rows = Vec::new();
        game.read_actors(&mut rows);
        rows
    }

    /// What the host says after a tick reaches the client at once; `places` says also where units are.
    fn tell(host: &mut Game, client: &mut Game, places: bool) {
        let (mut events, mut carries, mut objects) = (Vec::new(), Vec::new(), Vec::new());
        host.take_object_events(&mut events);
        for event in events {
            client.apply_object(&match event {
                objects::Event::Made(creation) => objects::Command::Make(creation),
                objects::Event::Deleted(id) => objects::Command::Delete(id),
            });
        }
        host.read_inventories(&mut carries);
        for carry in carries {
            client.apply_object(&objects::Command::Carry(carry.inventory));
        }
        host.read_object_rows(&mut objects);
        for row in objects {
            let (object, motion) = (row.state.object, row.state.motion);
            if let Some(on) = row.state.light {
                client.apply_object(&objects::Command::Light { object, on });
            }
            if places && row.class == objects::Class::Unit {
                client.apply_object(&objects::Command::Place { object, motion, at_rest: false, dead: false });
            }
        }
        for ActorRow { state, damage } in rows(host) {
            client.apply_actor(&ActorCommand::Drive { state, begins: objects::Begins::default() });
            client.apply_actor(&ActorCommand::Show(damage));
        }
    }

    /// OBJ-34, 36: a client that hears what each actor is to do before the next tick has its units do the same, to the last bit,
    /// with walks and shots in it, and is told what they show of their hits; it thinks nothing and decides nothing.
    #[test]
    fn a_client_that_hears_at_once_does_the_same() {
        let (mut host, mut client) = (game(Role::Host, &[]), game(Role::Client, &[]));
        let hunters = host.world().unwrap().squad_named("hunters").unwrap();
        assert_eq!(host.world_mut().unwrap().place_squad(hunters), 2);
        tell(&mut host, &mut client, true);
        let decided = client.world().unwrap().decisions();
        let (mut dealt, mut compared, mut hits) = (Vec::new(), 0, 0);
        for number in 2..1500 {
            let tick = Tick::ZERO.plus(number);
            host.simulate(tick);
            client.simulate(tick);
            dealt.clear();
            host.take_dealt(&mut dealt);
            if dealt.iter().any(|event| event.kind == EventKind::KillingBlow) {
                break;
            }
            tell(&mut host, &mut client, false);
            let [one, other] = [&host, &client].map(|game| game.world().unwrap().shared_hash());
            assert_eq!(one, other, "tick {number}");
            for ActorRow { damage, .. } in rows(&host) {
                let shown = client.world().unwrap().shown_damage(damage.unit).unwrap();
                assert_eq!((shown.current_shield, shown.current_body), (damage.shield, damage.body));
            }
            (compared, hits) = (compared + 1, hits + dealt.len());
        }
        assert!(compared > 600 && hits > 0, "{compared} ticks, {hits} hits");
        let client = client.world().unwrap();
        assert_eq!((client.decisions(), client.decisions().thoughts), (decided, 0));
    }

    /// OBJ-34: a row for each actor's unit by rising index, with its team, its aim and its buttons; one that died has none.
    #[test]
    fn every_living_actor_has_a_row() {
        let mut host = game(Role::Host, &[]);
        let before = rows(&host);
        let world = host.world_mut().unwrap();
        assert_eq!(before.len(), world.actors().count());
        assert!(before.windows(2).all(|pair| pair[0].state.unit.index() < pair[1].state.unit.index()));
        let marines = world.squad_named("marines").unwrap();
        let marine = world.squad_units(marines).next().unwrap();
        let row = before.iter().find(|row| row.state.unit == marine).unwrap();
        assert_eq!((row.state.team, row.state.ride, row.state.body), (Some(MARINES), None, 1.0));
        assert!((row.state.aiming[0] - std::f32::consts::FRAC_PI_2).abs() < 0.2);
        assert!(world.kill_actor(marine));
        let after = rows(&host);
        assert!(after.len() == before.len() - 1 && after.iter().all(|row| row.state.unit != marine));
    }

    /// OBJ-29: an actor of rank has another variant and another bitmap in its creation, and is made so on a client.
    #[test]
    fn a_major_looks_so_everywhere() {
        let (mut host, mut client) = (game(Role::Host, &[]), game(Role::Client, &[]));
        tell(&mut host, &mut client, false);
        let creations = |game: &Game| {
            let mut all = Vec::new();
            game.read_objects(&mut all);
            all.retain(|creation| creation.tag == Kind::Biped.tag());
            all
        };
        let looks = |creation: &Creation| (creation.object, creation.variant, creation.shader_permutation);
        let (of_host, of_client) = (creations(&host), creations(&client));
        assert!(of_host.iter().map(looks).eq(of_client.iter().map(looks)));
        let world = host.world().unwrap();
        let majors: Vec<_> = world.squad_units(world.squad_named("majors").unwrap()).collect();
        for creation in of_host {
            let is_major = majors.contains(&creation.object);
            assert_eq!((creation.shader_permutation != 0, creation.owner), (is_major, None));
        }
        assert_eq!(majors.len(), 2);
    }

    /// An actor that rides is told so, and sits there on the client by it; put out on the host it is out there.
    #[test]
    fn a_ride_is_told() {
        let (mut host, mut client) = (game(Role::Host, &[]), game(Role::Client, &[]));
        let world = host.world_mut().unwrap();
        let car = world.spawn(Kind::Car, Vec3::new(20.0, -20.0, 0.5)).unwrap();
        let unit = world.actors().next().unwrap().0;
        assert!(world.seat_actor(unit, car, 1));
        tell(&mut host, &mut client, false);
        assert_eq!(client.world().unwrap().ride(unit), Some((car, 1)));
        assert!(host.world_mut().unwrap().unseat_actor(unit));
        tell(&mut host, &mut client, false);
        assert_eq!(client.world().unwrap().ride(unit), None);
    }

    /// DMG-21: an actor is a target as far as a player of another machine hits with what it has, and so much more, both sides of
    /// it; the host's own players report nothing, and need none.
    #[test]
    fn actors_in_reach_are_targets() {
        for (machine, is_told) in [(0, false), (1, true)] {
            let mut host = game(Role::Host, &[machine]);
            let (slot, at) = (Slot::new(0).unwrap(), Vec3::new(-38.0, -36.0, 0.0));
            let world = host.world_mut().unwrap();
            assert!(world.move_to(slot, at));
            let most = Kind::Pistol.firing().unwrap().range + MORE;
            assert_eq!(world.reach_of(slot) + MORE, most);
            let east = |far: f32| at + Vec3::new(far, 0.0, 0.0);
            let [near, far] =
                [most - 0.1, most + 0.1].map(|off| world.place_actor(0, east(off), 0.0).unwrap());
            let (mut players, mut targets): (_, Vec<TargetRow>) = (Vec::new(), Vec::new());
            // Who was placed just now stands after the next tick.
            host.simulate(Tick::ZERO.plus(2));
            host.read_harm(&mut players, &mut targets);
            let has = |unit| targets.iter().any(|row| row.object == unit);
            assert_eq!((has(near), has(far)), (is_told, false));
            let all = host.world().unwrap().actors().count();
            assert!(is_told == (targets.len() > 1) && targets.len() <= all);
        }
    }
}
