//! The game bound to the netcode: one world behind the traits of `engine-glue`. Knows no network and no clock but the
//! time it is told.

mod actors;
mod breaking;
mod campaign;
mod conduct;
mod devices;
mod flinches;
mod harm;
mod level;
mod pickups;
mod scoring;
mod sharing;
mod sight;
mod talk;
mod vehicles;

use mjolnir_anticheat::aim::Aiming;
use mjolnir_engine_glue::authority::{self, Announcement, MoveLimits, UnitRow, VehicleRow};
use mjolnir_engine_glue::engine::{Objects, Player, Players, Rides, Role, Seen, Session};
use mjolnir_engine_glue::objects::{self, CarryRow, ObjectRow};
use mjolnir_engine_glue::{prediction, voice};
use mjolnir_wire::damage::{DamageAnimation, DamageEvent};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::objects::{Creation, ObjectState};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::units::{Death, Life, LivingUnit, UnitState};
use mjolnir_wire::{Input, Machine, Moment, ObjectId, Slot, Tick, Vec3};

use crate::announced;
use crate::control::Control;
use crate::custom::Maps;
use crate::discord::Discord;
use crate::game::movement::{Body, RADIUS};
use crate::game::{self, Looks, Made, Rules, Tuning, Vitality, World};
use crate::happenings::Happenings;
use crate::lists::Lists;
use crate::scripts::Reins;
use crate::tinkering::Tinkering;
use flinches::Flinches;
use pickups::Pickups;

pub use flinches::{ANIMATIONS, HARD, OF_A_KIND, Pick};
pub use level::{level_of, map_of};
pub use pickups::shown;
pub use sharing::{Download, MapShare};
pub use talk::{Head, Said, Whom};

/// How a machine's game is played, whatever the host's settings say.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// How fast players are and how things fall, for calibration.
    pub tuning: Tuning,
    /// Microseconds that loading takes.
    pub load_micros: u64,
    /// What plays this machine's players, in their order.
    pub controls: Vec<Control>,
    /// Whether shots hurt, as the host decides; bots aim where they do.
    pub harm: bool,
    /// The custom maps that are here.
    pub maps: Maps,
}

/// One machine's game: a world, and what plays its own players.
#[derive(Debug)]
pub struct Game {
    setup: Setup,
    world: Option<World>,
    /// When loading ends.
    ready_at: Moment,
    now: Moment,
    /// Whose controls are whose.
    locals: [Option<u8>; MAX_PLAYERS],
    /// What scripts have them do in place of those.
    reins: Reins,
    /// On the host: players whose machine still loads.
    waiting: Vec<(Slot, String, Machine, u8)>,
    deaths: [Death; MAX_PLAYERS],
    /// Where each player was last, in wu.
    places: Box<[Vec3; MAX_PLAYERS]>,
    /// On the host: objects made and deleted that the netcode has not asked for yet.
    events: Vec<objects::Event>,
    pickups: Pickups,
    /// On the host: damage that was dealt and that the netcode has not asked for yet.
    dealt: Vec<DamageEvent>,
    flinches: Flinches,
    happenings: Happenings,
    /// Lines and notices that were shown and not taken yet.
    shown: talk::Shown,
    /// What is to be heard here, if voices are.
    ear: Option<talk::Ear>,
    /// What was decided and is not announced yet.
    news: Vec<Announcement>,
    missing: Option<String>,
    /// Which file the netcode found for a custom map.
    found: Option<level::Found>,
    is_over: bool,
    tinkering: Tinkering,
    /// Who is banned here, and who cheated.
    lists: Lists,
    /// Whether the mouse has no magnetism.
    is_mouse_blocked: bool,
    aiming: Aiming,
    discord: Discord,
    shared: sharing::Shared,
}

impl Game {
    /// Nothing loaded yet.
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            world: None,
            ready_at: Moment::START,
            now: Moment::START,
            locals: [None; MAX_PLAYERS],
            reins: Reins::default(),
            waiting: Vec::new(),
            deaths: [Death::default(); MAX_PLAYERS],
            places: Box::new([Vec3::ZERO; MAX_PLAYERS]),
            events: Vec::new(),
            pickups: Pickups::default(),
            dealt: Vec::new(),
            flinches: Flinches::default(),
            happenings: Happenings::default(),
            shown: talk::Shown::default(),
            ear: None,
            news: Vec::new(),
            missing: None,
            found: None,
            is_over: false,
            tinkering: Tinkering::default(),
            lists: Lists::default(),
            is_mouse_blocked: false,
            aiming: Aiming::default(),
            discord: Discord::default(),
            shared: sharing::Shared::default(),
        }
    }

    /// Tells it the time, which loading takes some of.
    pub const fn set_now(&mut self, now: Moment) {
        self.now = now;
    }

    /// Other controls for this machine's players, from now on.
    pub fn set_controls(&mut self, controls: Vec<Control>) {
        self.setup.controls = controls;
    }

    /// What scripts have this machine's players do, from the next tick on.
    pub const fn set_reins(&mut self, reins: Reins) {
        self.reins = reins;
    }

    /// Whether shots hurt, from now on.
    pub const fn set_harm(&mut self, harms: bool) {
        self.setup.harm = harms;
        if let Some(world) = &mut self.world {
            world.set_harm(harms);
        }
    }

    /// What happened since it was last taken.
    pub const fn happenings(&mut self) -> &mut Happenings {
        &mut self.happenings
    }

    /// What was shown of what people said, since this was last asked.
    pub fn take_said(&mut self) -> Vec<Said> {
        self.shown.take()
    }

    /// Hears voices from now on.
    pub fn listen(&mut self) {
        self.ear.get_or_insert_default();
    }

    /// Gives the frames of voice that are to be heard, since this was last asked.
    pub fn take_heard(&mut self, each: impl FnMut(&voice::Heard<'_>)) {
        if let Some(ear) = &mut self.ear {
            ear.take(each);
        }
    }

    /// The world, once it is loaded.
    pub const fn world(&self) -> Option<&World> {
        self.world.as_ref()
    }

    /// The world, for the console.
    pub const fn world_mut(&mut self) -> Option<&mut World> {
        self.world.as_mut()
    }

    /// The map that was asked for and is not here.
    pub fn missing_map(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes what became of the world: a death is known by the time the units are read.
    fn gather(&mut self) {
        let Some(world) = &mut self.world else { return };
        let is_host = world.role() == game::Role::Host;
        let mut found_nothing = Vec::new();
        let mut showed_here = Vec::new();
        for event in world.drain_events() {
            match event {
                game::Event::Made(made) if is_host => self.events.push(objects::Event::Made(creation(&made))),
                game::Event::Deleted(id) if is_host => self.events.push(objects::Event::Deleted(id)),
                game::Event::Died { slot, death } => {
                    self.deaths[slot.index()] = death;
                    self.happenings.death(slot, death.killer);
                }
                game::Event::PickedUp(pickup) => {
                    self.pickups.decided(pickup);
                    if self.locals[pickup.slot.index()].is_some() {
                        self.happenings.pickup(pickup.slot, shown(&pickup));
                    }
                }
                game::Event::FoundNothing { slot, place, nearest } => {
                    found_nothing.push((slot, place, nearest));
                }
                game::Event::News(news) => self.news.push(news.into()),
                game::Event::Showed(showed) => showed_here.push(showed),
                game::Event::Broke { what, at } => self.pickups.log(breaking::text(what, at)),
                // A client follows the host's word: the netcode does not ask what became of it.
                game::Event::Made(_) | game::Event::Deleted(_) | game::Event::Began { .. } => {}
            }
        }
        for (slot, place, nearest) in found_nothing {
            self.pickups.found_nothing(world, slot, place, nearest);
        }
        for showed in showed_here {
            let text = showed.text(&world.map().campaign);
            self.happenings.coop(&text);
            self.pickups.log(format!("level: {text}"));
        }
        for news in self.news.drain(..) {
            let text = announced::text(news, self.world.as_ref());
            self.happenings.announce(&text);
            self.pickups.log(text);
        }
    }
}

impl Session for Game {
    fn load(&mut self, settings: &SettingsRecord, role: Role) {
        let level = settings.map.as_str().unwrap_or_default();
        self.is_over = false;
        self.locals = [None; MAX_PLAYERS];
        self.deaths = [Death::default(); MAX_PLAYERS];
        self.places.fill(Vec3::ZERO);
        self.waiting.clear();
        self.events.clear();
        self.pickups.clear();
        self.dealt.clear();
        self.flinches.clear();
        self.happenings.begin();
        self.ready_at = self.now.plus(self.setup.load_micros);
        self.world = self.map(settings, role).map(|map| {
            let mut world = World::new(&map, u64::from(settings.seed), self.setup.tuning);
            world.set_rules(Rules::read(settings));
            world.set_pass_through(settings.is_pass_through());
            world.set_role(match role {
                Role::Host => game::Role::Host,
                Role::Client => game::Role::Client,
            });
            world.set_harm(self.setup.harm);
            world
        });
        self.missing = if self.world.is_none() { Some(level.into()) } else { None };
    }

    fn loaded(&mut self) -> bool {
        self.world.is_some() && self.now >= self.ready_at
    }

    fn simulate(&mut self, tick: Tick) {
        self.give_cheats();
        let Some(world) = &mut self.world else { return };
        self.happenings.set_tick(tick);
        world.step(tick);
        self.gather();
        self.note_places();
    }

    fn add_player(&mut self, player: &Player<'_>) {
        self.locals[player.slot.index()] = player.local;
        self.deaths[player.slot.index()] = Death::default();
        let Some(world) = &mut self.world else { return };
        self.happenings.join(player.slot, player.name);
        if world.role() == game::Role::Host {
            self.waiting.push((player.slot, player.name.into(), player.machine, player.team));
        } else {
            world.join(player.slot, player.name, player.machine, Some(player.team));
            world.set_local(player.slot, player.local.is_some());
        }
    }

    fn admit_player(&mut self, slot: Slot) {
        let Some(world) = &mut self.world else { return };
        if let Some(at) = self.waiting.iter().position(|(waits, ..)| *waits == slot) {
            let (slot, name, machine, team) = self.waiting.swap_remove(at);
            world.join(slot, &name, machine, Some(team));
        }
    }

    fn remove_player(&mut self, slot: Slot) {
        self.locals[slot.index()] = None;
        self.waiting.retain(|(waits, ..)| *waits != slot);
        if let Some(world) = &mut self.world {
            self.happenings.leave(slot, world.player(slot).map(|player| player.name.as_str()));
            world.leave(slot);
        }
    }

    fn end(&mut self) {
        self.is_over = true;
    }
}

impl Players for Game {
    fn read_units(&self, rows: &mut Vec<UnitRow>) {
        let Some(world) = &self.world else { return };
        let game::Limits { run, jump, crouch_lift, .. } = world.limits();
        let limits = MoveLimits { run, jump, crouch_lift };
        for (slot, player) in world.players() {
            let unit = world.unit(slot);
            let alive = unit.and_then(|unit| Some((unit, world.placement(unit)?, world.vitality(unit)?)));
            let (life, shield) = match alive {
                None => (Life::Dead(self.deaths[slot.index()]), Default::default()),
                Some((unit, placement, vitality)) => (
                    Life::Alive(LivingUnit {
                        ride: vehicles::ride(world, unit),
                        placement: world.ride(unit).is_none().then_some(placement),
                        body: vitality.body,
                        shield: vitality.shield,
                        shown: vitality.shown,
                        powerups: vitality.powerups,
                        unit_flags: vitality.unit_flags,
                        camouflage: vitality.camouflage,
                        ..LivingUnit::whole(unit, placement)
                    }),
                    vitality.flags,
                ),
            };
            rows.push(UnitRow {
                machine: player.machine,
                state: UnitState { slot, shield, life },
                limits,
                platform: world.carried_by(slot).map(platform),
                shaft: world.shaft_near(slot).map(shaft),
                exit: world.exit_near(slot),
                grounded: unit.is_some_and(|unit| world.grounded(unit)),
                left: player.left,
                view: sight::view(world, slot),
            });
        }
    }

    fn read_vehicles(&self, rows: &mut Vec<VehicleRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.objects().filter_map(|id| vehicles::row(world, id)));
    }

    fn acted(&self, slot: Slot) -> Option<Tick> {
        self.world.as_ref()?.acted(slot)
    }

    fn gravity(&self) -> f32 {
        self.world.as_ref().map_or(0.0, |world| world.limits().gravity)
    }

    fn local_input(&mut self, slot: Slot, tick: Tick) -> Input {
        let control =
            self.locals[slot.index()].and_then(|local| self.setup.controls.get_mut(usize::from(local)));
        match (control, &self.world) {
            (Some(control), Some(world)) => {
                let input = self.reins.input(slot, tick, control.input(world, slot, tick));
                if world.is_input_disabled() { world.still(slot) } else { input }
            }
            _ => Input::default(),
        }
    }

    fn set_seen(&mut self, slot: Slot, seen: Seen) {
        if let Some(world) = &mut self.world {
            let rides = match seen.rides {
                Rides::Nothing => game::Rides::Nothing,
                Rides::Drives(vehicle) => game::Rides::Drives(vehicle),
                Rides::Along => game::Rides::Along,
            };
            world.set_sight(slot, Some(game::Sight { ago: seen.ago, rides }));
        }
    }

    fn take_teleports(&mut self, slots: &mut Vec<Slot>) {
        if let Some(world) = &mut self.world {
            world.take_sent(slots);
        }
    }

    fn apply_state(&mut self, command: &authority::Command) {
        let Some(world) = &mut self.world else { return };
        match *command {
            authority::Command::Place { unit, placement, why, .. } => {
                world.place(unit, placement.position, Some(placement.velocity), Some(placement.axes));
                // Whose client steps on a pad is not there any more: one that is has arrived.
                if why == authority::Why::Teleport { world.arrive_by_pad(unit) } else { world.arrive(unit) }
            }
            authority::Command::PlaceVehicle { vehicle, motion, .. } => {
                world.set_vehicle(vehicle, &motion);
            }
            authority::Command::Own { slot, unit } => {
                world.own(slot, unit);
            }
            authority::Command::Vitality { unit, vitality, .. } => {
                let authority::Vitality { body, shield, flags, shown, powerups, unit_flags, camouflage } =
                    vitality;
                let vitality = Vitality { body, shield, flags, shown, powerups, unit_flags, camouflage };
                world.set_vitality(unit, vitality);
            }
            authority::Command::Die { slot, death } => {
                self.deaths[slot.index()] = death;
                // Its unit stands until it is told how it fell: that announces the death (DMG-48).
                world.doom(slot, death);
            }
        }
    }

    fn apply_movement(&mut self, command: &prediction::Command) {
        let Some(world) = &mut self.world else { return };
        match *command {
            prediction::Command::Drive { slot, input, .. } => world.drive(slot, input),
            prediction::Command::Move { unit, to, velocity, axes, why } => {
                world.place(unit, to, velocity, axes);
                if why == prediction::Why::Teleport {
                    world.arrive(unit);
                }
            }
            prediction::Command::Offset { unit, offset } => world.set_offset(unit, offset),
            prediction::Command::Seat { unit, ride, .. } => vehicles::sit(world, unit, ride),
            prediction::Command::MoveVehicle { vehicle, motion, .. } => {
                world.set_vehicle(vehicle, &motion);
            }
            prediction::Command::VehicleOffset { vehicle, offset } => world.set_offset(vehicle, offset),
        }
    }
}

impl Objects for Game {
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>) {
        self.gather();
        events.append(&mut self.events);
    }

    fn read_objects(&self, rows: &mut Vec<Creation>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.objects().filter_map(|id| world.describe(id)).map(|made| creation(&made)));
    }

    fn read_object_rows(&self, rows: &mut Vec<ObjectRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.objects().filter_map(|id| row(world, id)));
    }

    fn read_inventories(&self, rows: &mut Vec<CarryRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.objects().filter_map(|id| {
            let slot = world.describe(id)?.slot;
            Some(CarryRow { inventory: world.inventory(id)?, slot })
        }));
    }

    fn apply_object(&mut self, command: &objects::Command) {
        let Some(world) = &mut self.world else { return };
        match command {
            objects::Command::Make(creation) => {
                world.make_at(&made(creation));
            }
            objects::Command::Delete(id) => {
                world.delete(*id);
            }
            objects::Command::Place { object, motion, at_rest, dead } => {
                let body = Body { position: motion.position, velocity: motion.velocity };
                if world.set_motion(*object, body, motion.axes, *at_rest, *dead) {
                    world.set_spin(*object, motion.angular_velocity);
                }
            }
            objects::Command::Along { object, step } => {
                world.move_along(*object, *step);
            }
            objects::Command::Offset { object, offset } => world.set_offset(*object, *offset),
            objects::Command::Light { object, on } => {
                world.set_light(*object, *on);
            }
            objects::Command::Carry(inventory) => {
                world.set_inventory(inventory);
            }
        }
    }

    fn take_damage_animations(&mut self, picks: &mut Vec<objects::PickRow>) {
        let row = |(unit, animation, kind)| objects::PickRow { unit, animation, kind };
        picks.extend(self.take_picks().map(row));
    }

    fn animations(&self, unit: ObjectId) -> u16 {
        self.animations_of(unit)
    }

    fn apply_damage_animation(&mut self, pick: &DamageAnimation) {
        self.show_pick(pick);
    }
}

fn platform(carriage: game::Carriage) -> authority::Platform {
    let game::Carriage { platform, moving, contact, floor } = carriage;
    authority::Platform { id: u32::from(platform), moving, contact, floor }
}

fn shaft(shaft: game::Shaft) -> authority::Shaft {
    let across = |corner: Vec3| [corner.x, corner.y];
    let (least, most) = (across(shaft.least), across(shaft.most));
    authority::Shaft { least, most, rim: RADIUS, floors: shaft.floors }
}

fn row(world: &World, object: ObjectId) -> Option<ObjectRow> {
    let Made { tag, carried, at_rest, dead, .. } = world.describe(object)?;
    let motion = world.motion(object)?;
    let light = world.light(object);
    let class = match world.class(object)? {
        game::Class::Unit => objects::Class::Unit,
        game::Class::Vehicle => objects::Class::Vehicle,
        game::Class::Weapon => objects::Class::Weapon,
        game::Class::Equipment => objects::Class::Equipment,
    };
    let state = ObjectState { object, motion, carried, at_rest, dead, predicted: None, light };
    let driver = world.driver(object).and_then(|slot| world.player(slot)).map(|player| player.machine);
    let is_carried_along = world.under(object).is_some_and(|under| under.moving);
    Some(ObjectRow { state, class, tag, driver, is_carried_along })
}

fn made(creation: &Creation) -> Made {
    Made {
        id: creation.object,
        tag: creation.tag,
        slot: creation.owner,
        position: creation.position,
        velocity: creation.velocity,
        axes: creation.axes,
        carried: creation.carried,
        at_rest: creation.at_rest,
        dead: creation.dead,
        looks: Looks {
            team: creation.team,
            variant: creation.variant,
            shader_permutation: creation.shader_permutation,
            colours: creation.colours,
            regions: creation.regions,
        },
    }
}

fn creation(made: &Made) -> Creation {
    let Looks { team, variant, shader_permutation, colours, regions } = made.looks;
    Creation {
        owner: made.slot,
        team,
        variant,
        shader_permutation,
        colours,
        regions,
        axes: made.axes,
        velocity: made.velocity,
        carried: made.carried,
        at_rest: made.at_rest,
        dead: made.dead,
        ..Creation::plain(made.id, made.tag, made.position)
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::packets::text::Chars;

    use super::*;

    /// A death by the console's word is on the first row after it, killer and all.
    #[test]
    fn a_death_is_known_when_the_units_are_read() {
        let (ann, bob) = (Slot::new(0).unwrap(), Slot::new(1).unwrap());
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("flat")).unwrap();
        let mut game = Game::new(Setup::default());
        game.load(&settings, Role::Host);
        for (slot, name) in [(ann, "Ann"), (bob, "Bob")] {
            let team = slot.get();
            game.add_player(&Player { slot, machine: Machine::HOST, team, name, local: None });
            game.admit_player(slot);
        }
        game.simulate(Tick::ZERO.next());
        let mut events = Vec::new();
        game.take_object_events(&mut events);
        assert_eq!(events.len(), 2);
        game.world_mut().unwrap().kill(ann, Some(bob));
        game.simulate(Tick::ZERO.plus(2));
        let mut rows = Vec::new();
        game.read_units(&mut rows);
        let death = Death { killer: Some(bob), ..Death::default() };
        assert_eq!(rows[0].state.life, Life::Dead(death));
        assert!(
            events.len() == 2 && matches!(events[..], [objects::Event::Made(_), objects::Event::Made(_)])
        );
        // Its unit is a body now, and goes after its time.
        let body = |game: &Game| {
            let mut rows = Vec::new();
            game.read_object_rows(&mut rows);
            rows.into_iter().filter(|row| row.state.dead).map(|row| row.state.object).collect::<Vec<_>>()
        };
        let bodies = body(&game);
        assert_eq!(bodies.len(), 1);
        for tick in 3..=u32::from(game::world::BODY_STAYS) + 2 {
            game.simulate(Tick::ZERO.plus(tick));
        }
        game.take_object_events(&mut events);
        assert!(events.contains(&objects::Event::Deleted(bodies[0])) && body(&game).is_empty());
    }
}
