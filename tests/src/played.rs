//! A machine's engine in the lab: skirmish's game, played by hands that a test gives, with notes of what the netcode
//! did to it. Knows no network.

use std::fmt;

use mjolnir_engine_glue::authority::{self, Announcement, StatisticsRow, UnitRow, VehicleRow, VisibleSet};
use mjolnir_engine_glue::engine::{Devices, Objects, Player, Players, Role, Scoring, Seen, Session, Sight};
use mjolnir_engine_glue::{coop, objects, prediction};
use mjolnir_skirmish::game::{Bot, Kind, Map, Rules, Script, Tuning, World};
use mjolnir_skirmish::scripts::Scripts;
use mjolnir_skirmish::seam::{Game, Setup};
use mjolnir_wire::damage::DamageAnimation;
use mjolnir_wire::events::{Surface, SurfaceBroken};
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::objects::Creation;
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::{Buttons, Input, ObjectId, Slot, Tick, Vec3};

use crate::cheat::Liar;
use crate::link::{Step, Traced};
use crate::scripted::Scripted;

mod campaign;
mod harming;
mod harms;
mod manners;
mod notes;
mod sharing;
mod talking;

pub use harms::{Blow, Dealt, HarmCounts, Harms, Mark, Replayed, Saw};
pub use manners::Manners;
pub use notes::{Moved, Notes, VehicleMoved};
pub use talking::{Ears, HeardVoice};

/// What plays a player: its input of a tick, from what its machine has of the world.
pub type Hand = Box<dyn FnMut(&World, Slot, Tick) -> Input>;

/// One of skirmish's bots.
pub fn bot(seed: u64) -> Hand {
    let mut bot = Bot::new(seed);
    Box::new(move |world, slot, tick| bot.input(world, slot, tick))
}

/// One that stands.
pub fn still() -> Hand {
    Box::new(|_, _, _| Input::default())
}

/// One that runs ahead in that direction, in radians from east.
pub fn go(yaw: f32) -> Hand {
    Box::new(move |_, _, _| Input { yaw, throttle: [1.0, 0.0], ..Input::default() })
}

/// One that does what a script of skirmish says.
///
/// # Panics
///
/// If the script says nothing that has a meaning.
pub fn script(text: &str) -> Hand {
    let mut script = Script::parse(text).expect("a script");
    Box::new(move |_, _, _| script.input())
}

/// What is wrong with an engine, on purpose: so that a test can show that it would be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flaw {
    /// Others' copies are not put where the host has them, and are driven by nobody.
    IgnoresOthers,
    /// It simulates the last tick again in place of each one that this divides.
    GoesBack(u32),
    /// It keeps so many bytes more each tick.
    Leaks(usize),
    /// What units carry is not followed.
    KeepsItsHands,
    /// It drives nobody of others' players, and puts them where they are.
    IgnoresInputs,
    /// It deletes no object.
    KeepsObjects,
    /// It makes no object.
    MakesNone,
    /// It takes no word on scores.
    KeepsItsScores,
    /// It takes no word on how hurt a player is.
    IsHale,
    /// It sets and puts no platform.
    KeepsItsPlatforms,
    /// Its own players slide so far east each tick, wu, whatever their input.
    Slides(f32),
    /// Nobody's blow falls anybody.
    IgnoresBlows,
    /// What its own players hit is forgotten where it was an odd number of them by then.
    ForgetsHits,
    /// What its own players hit is hit twice as hard.
    HitsHard,
    /// Every third thing that scripts have it do once is not done.
    ForgetsActions,
    /// It makes and deletes no named object.
    KeepsItsNames,
    /// Others' actors do nothing here.
    IgnoresActors,
    /// What scripts show is not shown.
    ShowsNothing,
}

/// See the module's text.
pub struct Played {
    /// Skirmish's game.
    pub game: Game,
    /// What the netcode asked.
    pub notes: Notes,
    /// What a frame finds pressed on the first local player's controls.
    pub pressed: Buttons,
    /// Whether units are drawn beside where they are when the netcode says so.
    pub draws: bool,
    /// What is wrong with it, on purpose.
    pub flaw: Option<Flaw>,
    /// What is counted in its place, if anything is.
    pub scripted: Option<Scripted>,
    /// What it saw of damage.
    pub harms: Harms,
    /// What its players are made to do besides.
    pub scripts: Option<Scripts>,
    /// What it heard and was shown.
    pub ears: Ears,
    /// Its ban list, its files, and what its player tinkers with.
    pub manners: Manners,
    /// What it lies about its own players, if it does.
    pub(crate) liar: Option<Liar>,
    leaked: Vec<Vec<u8>>,
    hands: Vec<Hand>,
    locals: [Option<u8>; MAX_PLAYERS],
    /// The map that is played in place of the one that is named, and how fast its players are.
    ground: Option<(Map, Tuning)>,
    pub(crate) traced: Traced,
}

impl fmt::Debug for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played").field("game", &self.game).field("notes", &self.notes).finish_non_exhaustive()
    }
}

impl Played {
    pub(crate) fn new(setup: Setup, hands: Vec<Hand>, ground: Option<&str>) -> Self {
        let ground = ground.map(|text| (Map::parse(text).expect("a map's text"), setup.tuning));
        Self {
            game: Game::new(setup),
            notes: Notes::new(),
            pressed: Buttons::default(),
            draws: true,
            flaw: None,
            scripted: None,
            harms: Harms::default(),
            scripts: None,
            ears: Ears::default(),
            manners: Manners::default(),
            liar: None,
            leaked: Vec::new(),
            hands,
            locals: [None; MAX_PLAYERS],
            ground,
            traced: Traced::default(),
        }
    }

    /// How many hands play here.
    pub fn hands(&self) -> usize {
        self.hands.len()
    }

    /// Another hand plays that local player from now on.
    pub fn take_over(&mut self, local: usize, hand: Hand) {
        self.hands[local] = hand;
    }

    /// The world.
    ///
    /// # Panics
    ///
    /// If nothing is loaded.
    pub fn world(&self) -> &World {
        self.game.world().expect("a loaded world")
    }

    /// The world, to be meddled with.
    ///
    /// # Panics
    ///
    /// If nothing is loaded.
    pub fn world_mut(&mut self) -> &mut World {
        self.game.world_mut().expect("a loaded world")
    }

    /// The tick that its world simulated last.
    fn tick(&self) -> Tick {
        self.game.world().map_or(Tick::ZERO, World::tick)
    }

    /// Forgets what it noted of damage, which else grows while it is only played.
    pub(crate) fn forget(&mut self) {
        self.harms.blows.clear();
        self.notes.animations.clear();
        self.notes.own_moves.clear();
    }

    fn slide(&mut self, by: f32) {
        let Some(world) = self.game.world_mut() else { return };
        for slot in Slot::all().filter(|slot| self.locals[slot.index()].is_some()) {
            if let (Some(unit), Some(place)) = (world.unit(slot), world.position(slot)) {
                world.place(unit, place + Vec3::new(by, 0.0, 0.0), None, None);
            }
        }
    }

    fn run_scripts(&mut self, tick: Tick) {
        let Some(scripts) = &mut self.scripts else { return };
        let locals = &self.locals;
        let own: Vec<Slot> = Slot::all().filter(|slot| locals[slot.index()].is_some()).collect();
        scripts.run(tick, true, &own, self.game.world_mut());
    }

    /// Its own players' units that live.
    fn own_units(&self) -> Vec<(Slot, ObjectId)> {
        let Some(world) = self.game.world() else { return Vec::new() };
        let own = Slot::all().filter(|slot| self.locals[slot.index()].is_some());
        own.filter_map(|slot| Some((slot, world.unit(slot)?))).collect()
    }

    /// Simulates a tick, and lies about it.
    fn simulate_lying(&mut self, tick: Tick, liar: &mut Liar) {
        let own = self.own_units();
        for (slot, unit) in &own {
            liar.before_tick(self.world(), *slot, *unit);
        }
        self.game.simulate(tick);
        for (slot, unit) in own {
            liar.after_tick(self.world_mut(), slot, unit);
        }
    }

    fn is_of_others(&self, command: &prediction::Command) -> bool {
        match *command {
            prediction::Command::Drive { slot, .. } => self.locals[slot.index()].is_none(),
            prediction::Command::Move { unit, .. } => self.owner(unit).is_none(),
            prediction::Command::Seat { slot, .. } => self.locals[slot.index()].is_none(),
            prediction::Command::MoveVehicle { .. }
            | prediction::Command::VehicleOffset { .. }
            | prediction::Command::Offset { .. } => false,
        }
    }

    fn owner(&self, unit: ObjectId) -> Option<Slot> {
        let world = self.game.world()?;
        Slot::all().find(|slot| self.locals[slot.index()].is_some() && world.unit(*slot) == Some(unit))
    }
}

/// Whether that is a unit that is dead.
fn is_body(world: &World, object: ObjectId) -> bool {
    world.kind(object) == Some(Kind::Biped) && !world.stands(object)
}

impl Session for Played {
    fn load(&mut self, settings: &SettingsRecord, role: Role) {
        self.game.load(settings, role);
        self.notes.loads.push(self.game.world().map(|world| world.map().about.clone()));
        if let (Some((map, tuning)), Some(world)) = (&self.ground, self.game.world_mut()) {
            let (role, harms) = (world.role(), world.harms());
            *world = World::new(map, u64::from(settings.seed), *tuning);
            world.set_rules(Rules::read(settings));
            world.set_role(role);
            world.set_harm(harms);
        }
    }

    fn loaded(&mut self) -> bool {
        self.game.loaded()
    }

    fn simulate(&mut self, tick: Tick) {
        self.traced.note(Step::Simulate);
        let tick = match self.flaw {
            Some(Flaw::GoesBack(every)) if tick.get().unsigned_abs().is_multiple_of(every) => {
                self.world().tick()
            }
            _ => tick,
        };
        if let Some(Flaw::Leaks(bytes)) = self.flaw {
            self.leaked.push(vec![0; bytes]);
        }
        self.run_scripts(tick);
        if let Some(mut liar) = self.liar.take() {
            self.simulate_lying(tick, &mut liar);
            self.liar = Some(liar);
        } else {
            self.game.simulate(tick);
        }
        if let Some(Flaw::Slides(by)) = self.flaw {
            self.slide(by);
        }
    }

    fn add_player(&mut self, player: &Player<'_>) {
        self.locals[player.slot.index()] = player.local;
        self.notes.joined.push((player.slot, player.name.into()));
        self.game.add_player(player);
    }

    fn admit_player(&mut self, slot: Slot) {
        self.game.admit_player(slot);
    }

    fn remove_player(&mut self, slot: Slot) {
        self.locals[slot.index()] = None;
        let tick = self.game.world().map_or(Tick::ZERO, World::tick);
        self.notes.left.push((slot, tick));
        self.game.remove_player(slot);
    }

    fn end(&mut self) {
        self.game.end();
    }
}

impl Players for Played {
    fn read_units(&self, rows: &mut Vec<UnitRow>) {
        self.traced.note(Step::Read);
        self.game.read_units(rows);
        if let Some(liar) = &self.liar {
            let own = rows.iter_mut().filter(|row| self.locals[row.state.slot.index()].is_some());
            own.for_each(|row| liar.tell(row));
        }
    }

    fn read_vehicles(&self, rows: &mut Vec<VehicleRow>) {
        self.game.read_vehicles(rows);
        if let Some(liar) = &self.liar {
            let own = rows.iter_mut().filter(|row| self.locals[row.driver.index()].is_some());
            own.for_each(|row| liar.tell_vehicle(row));
        }
    }

    fn acted(&self, slot: Slot) -> Option<Tick> {
        self.game.acted(slot)
    }

    fn gravity(&self) -> f32 {
        self.game.gravity()
    }

    fn local_input(&mut self, slot: Slot, tick: Tick) -> Input {
        self.traced.note(Step::Control);
        let hand = self.locals[slot.index()].and_then(|local| self.hands.get_mut(usize::from(local)));
        match (hand, self.game.world()) {
            (Some(hand), Some(world)) => hand(world, slot, tick),
            _ => Input::default(),
        }
    }

    fn frame_buttons(&mut self, slot: Slot) -> Buttons {
        if self.locals[slot.index()] == Some(0) { self.pressed } else { Buttons::default() }
    }

    fn set_seen(&mut self, slot: Slot, seen: Seen) {
        self.game.set_seen(slot, seen);
    }

    fn take_teleports(&mut self, slots: &mut Vec<Slot>) {
        let from = slots.len();
        self.game.take_teleports(slots);
        self.notes.teleports.extend_from_slice(&slots[from..]);
    }

    fn apply_state(&mut self, command: &authority::Command) {
        if self.flaw == Some(Flaw::IsHale) && matches!(command, authority::Command::Vitality { .. }) {
            return;
        }
        if let authority::Command::Place { .. } = command {
            self.traced.note(Step::Place);
            self.notes.placed += 1;
        }
        self.notes.placed_vehicles += u64::from(matches!(command, authority::Command::PlaceVehicle { .. }));
        if let (authority::Command::Die { slot, .. }, true) = (command, self.harms.keeps)
            && let Some(unit) = self.world().unit(*slot)
        {
            self.notes.called_dead.push((self.world().tick(), unit));
        }
        self.game.apply_state(command);
    }

    fn apply_movement(&mut self, command: &prediction::Command) {
        let ignores = match self.flaw {
            Some(Flaw::IgnoresOthers) => true,
            Some(Flaw::IgnoresInputs) => matches!(command, prediction::Command::Drive { .. }),
            _ => false,
        };
        if ignores && self.is_of_others(command) {
            return;
        }
        match *command {
            prediction::Command::Drive { slot, input, .. } => {
                self.traced.note(Step::Drive);
                let held = |input: &Input| input.buttons.contains(Buttons::JUMP);
                let before = self.notes.driven[slot.index()].replace(input);
                self.notes.jumps[slot.index()] +=
                    u32::from(held(&input) && !before.as_ref().is_some_and(held));
            }
            prediction::Command::Move { unit, to, why, .. } => {
                self.traced.note(Step::Place);
                if self.owner(unit).is_some() && self.liar.as_ref().is_some_and(Liar::is_stubborn) {
                    return;
                }
                if let (Some(slot), Some(world)) = (self.owner(unit), self.game.world()) {
                    let from = world.position(slot).unwrap_or(to);
                    self.notes.own_moves.push(Moved { after: world.tick(), slot, from, to, why });
                }
            }
            prediction::Command::Offset { .. } | prediction::Command::VehicleOffset { .. } if !self.draws => {
                return;
            }
            prediction::Command::MoveVehicle { vehicle, motion, .. } => {
                self.traced.note(Step::Place);
                let world = self.game.world();
                if let Some((world, from)) = world.and_then(|world| Some((world, world.motion(vehicle)?))) {
                    let (after, from, to) = (world.tick(), from.position, motion.position);
                    self.notes.own_vehicle_moves.push(VehicleMoved { after, vehicle, from, to });
                }
            }
            prediction::Command::Seat { unit, ride, .. } => {
                if let (Some(slot), Some(world), Some(_)) = (self.owner(unit), self.game.world(), ride) {
                    self.notes.own_seatings.push((slot, world.tick()));
                }
            }
            prediction::Command::Offset { .. } | prediction::Command::VehicleOffset { .. } => {}
        }
        self.game.apply_movement(command);
    }
}

impl Sight for Played {
    fn read_visible(&self, visible: &mut VisibleSet) {
        self.game.read_visible(visible);
    }
}

impl Scoring for Played {
    fn read_statistics(&self, rows: &mut Vec<StatisticsRow>) {
        match &self.scripted {
            Some(scripted) => rows.extend_from_slice(&scripted.statistics),
            None => self.game.read_statistics(rows),
        }
    }

    fn read_game_state(&self) -> Option<GameState> {
        match &self.scripted {
            Some(scripted) => scripted.state.clone(),
            None => self.game.read_game_state(),
        }
    }

    fn take_pickups(&mut self, pickups: &mut Vec<Pickup>) {
        self.game.take_pickups(pickups);
        if let Some(scripted) = &mut self.scripted {
            pickups.append(&mut scripted.pickups);
        }
    }

    fn apply_statistics(&mut self, row: &StatisticsRow) {
        if self.flaw != Some(Flaw::KeepsItsScores) {
            self.game.apply_statistics(row);
        }
    }

    fn apply_game_state(&mut self, state: &GameState) {
        if self.flaw != Some(Flaw::KeepsItsScores) {
            self.game.apply_game_state(state);
        }
    }

    fn announce(&mut self, announcement: Announcement) {
        self.notes.announced.push((self.world().tick(), announcement));
        self.game.announce(announcement);
    }

    fn show_pickup(&mut self, pickup: &Pickup) {
        self.notes.picked_up.push((self.world().tick(), *pickup));
        self.game.show_pickup(pickup);
    }
}

impl Devices for Played {
    fn read_groups(&self, rows: &mut Vec<coop::GroupRow>) {
        self.game.read_groups(rows);
    }

    fn read_devices(&self, rows: &mut Vec<coop::DeviceRow>) {
        self.game.read_devices(rows);
    }

    fn apply_device(&mut self, command: &coop::Command) {
        self.notes.devices.push((self.world().tick(), *command));
        if self.flaw != Some(Flaw::KeepsItsPlatforms) {
            self.game.apply_device(command);
        }
    }

    fn take_broken_surfaces(&mut self, broken: &mut Vec<SurfaceBroken>) {
        self.game.take_broken_surfaces(broken);
    }

    fn is_broken(&self, surface: Surface) -> Option<bool> {
        self.game.is_broken(surface)
    }

    fn apply_broken_surface(&mut self, broken: &SurfaceBroken) {
        self.notes.broken.push((self.world().tick(), *broken));
        self.game.apply_broken_surface(broken);
    }
}

impl Objects for Played {
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>) {
        self.traced.note(Step::Objects);
        self.game.take_object_events(events);
    }

    fn read_objects(&self, rows: &mut Vec<Creation>) {
        self.game.read_objects(rows);
    }

    fn read_object_rows(&self, rows: &mut Vec<objects::ObjectRow>) {
        self.game.read_object_rows(rows);
    }

    fn read_inventories(&self, rows: &mut Vec<objects::CarryRow>) {
        self.game.read_inventories(rows);
    }

    fn apply_object(&mut self, command: &objects::Command) {
        if let objects::Command::Make(Creation { object, .. }) | objects::Command::Delete(object) = *command {
            let stood = self.game.world().is_some_and(|world| world.describe(object).is_some());
            self.notes.objects.push((*command, stood));
        }
        if self.flaw == Some(Flaw::KeepsItsHands) && matches!(command, objects::Command::Carry(_)) {
            return;
        }
        if self.flaw == Some(Flaw::KeepsObjects) && matches!(command, objects::Command::Delete(_)) {
            return;
        }
        if self.flaw == Some(Flaw::MakesNone) && matches!(command, objects::Command::Make(_)) {
            return;
        }
        if !self.draws && matches!(command, objects::Command::Offset { .. }) {
            return;
        }
        self.game.apply_object(command);
    }

    fn take_damage_animations(&mut self, picks: &mut Vec<objects::PickRow>) {
        let first = picks.len();
        self.game.take_damage_animations(picks);
        if self.harms.keeps {
            let tick = self.world().tick();
            self.notes.picked.extend(picks[first..].iter().map(|pick| (tick, *pick)));
        }
    }

    fn animations(&self, unit: ObjectId) -> u16 {
        self.game.animations(unit)
    }

    fn apply_damage_animation(&mut self, pick: &DamageAnimation) {
        self.notes.animations.push((self.world().tick(), *pick));
        self.game.apply_damage_animation(pick);
    }
}
