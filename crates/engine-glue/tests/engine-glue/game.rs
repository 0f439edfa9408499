//! A game of walkers that writes down what it is asked.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mjolnir_engine_glue::Talk;
use mjolnir_engine_glue::authority::{
    self, Announcement, MoveLimits, StatisticsRow, UnitRow, VehicleRow, View,
};
use mjolnir_engine_glue::engine::{Devices, Objects, Player, Players, Role, Scoring, Session, Sight};
use mjolnir_engine_glue::{chat, damage, objects, prediction, voice};
use mjolnir_wire::damage::{DamageAnimation, Hit};
use mjolnir_wire::events::{Surface, SurfaceBroken};
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::objects::{Creation, Inventory, Motion, ObjectState};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, Ride, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tag, Tick, Vec3};

use super::harm::Harms;
use super::manners::Manners;
use super::maps::Maps;
use super::scripts::Scripts;

/// How many surfaces of the level break, and how many animations each unit has.
pub(crate) const SURFACES: u16 = 50;
pub(crate) const ANIMATIONS: u16 = 400;

/// What a machine did, its game and its network in one row.
pub(crate) type Trace = Rc<RefCell<Vec<&'static str>>>;

/// What a game was asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    Load(Role),
    Add { slot: u8, machine: u8, local: Option<u8>, team: u8 },
    Admit(u8),
    Simulate(i32),
    Remove(u8),
    End,
    Make(ObjectId),
    Delete(ObjectId),
    Place(ObjectId),
    Carry(Inventory),
    State(authority::Command),
    Break(Surface),
    Show(DamageAnimation),
    Deal(Hit),
    Damage(damage::Command),
}

#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) slot: Slot,
    pub(super) machine: Machine,
    pub(super) left: bool,
    pub(super) unit: Option<ObjectId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) id: ObjectId,
    owner: Option<Slot>,
    pub(super) placement: Placement,
    pub(super) input: Input,
    pub(super) class: objects::Class,
    at_rest: bool,
    /// It has fallen.
    pub(super) dead: bool,
}

/// One machine's game.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) calls: Vec<Call>,
    /// What drove each slot in each tick, newest last.
    pub(crate) driven: Vec<(i32, Slot, Input)>,
    /// Whether calls and drives are written down at all.
    pub(crate) notes: bool,
    /// Whether the level is there once it is asked for.
    pub(crate) loaded: bool,
    /// How often it was asked whether it is.
    pub(crate) asked: u32,
    /// What this machine's players' controls say: in a tick, and in a frame.
    pub(crate) input: Input,
    pub(crate) frame: Buttons,
    pub(crate) trace: Option<Trace>,
    /// Where the next tick puts that slot's unit, and whether that is told.
    pub(crate) teleport: Option<(Slot, Vec3)>,
    pub(crate) tells: bool,
    /// Whose unit rides what.
    pub(crate) rides: Option<(Slot, ObjectId)>,
    /// What the host says that units carry.
    pub(crate) carries: Vec<objects::CarryRow>,
    /// The vehicles that players drive, as long as nobody leaves them.
    pub(crate) vehicles: Vec<VehicleRow>,
    /// On the host what it counts and what was picked up; on a client what it was given, the last of each.
    pub(crate) statistics: Vec<StatisticsRow>,
    pub(crate) state: Option<GameState>,
    pub(crate) pickups: Vec<Pickup>,
    /// Whether it plays voices; how many frames it was to play, and how many lines it showed.
    pub(crate) hears: bool,
    pub(crate) heard: u32,
    pub(crate) shown: u32,
    /// How often chat and voice asked who is where, in which team.
    pub(crate) asked_who: Cell<u32>,
    /// Who asks to be let in, and what was written of whom.
    /// What it was to announce.
    pub(crate) announced: Vec<Announcement>,
    /// On the host the surfaces that break in the next tick; what is broken of the [`SURFACES`] there are.
    pub(crate) breaks: Vec<SurfaceBroken>,
    pub(crate) broken: Vec<Surface>,
    /// On the host the flinches and deaths that the next tick picks.
    pub(crate) picks: Vec<objects::PickRow>,
    /// What it was loaded with.
    pub(crate) loaded_with: Vec<Box<SettingsRecord>>,
    /// What hurts, and whom.
    pub(crate) harm: Harms,
    /// Whom it bans, and what is tinkered with.
    pub(crate) manners: Manners,
    pub(crate) maps: Maps,
    /// What its scripts do, or were said to.
    pub(crate) scripts: Scripts,
    teleported: Vec<Slot>,
    role: Option<Role>,
    pub(super) players: Vec<Walker>,
    pub(super) bodies: Vec<Body>,
    events: Vec<objects::Event>,
    drives: Vec<(Slot, Input)>,
}

impl Game {
    pub(crate) fn new() -> Self {
        Self {
            calls: Vec::new(),
            driven: Vec::new(),
            notes: true,
            loaded: true,
            asked: 0,
            input: Input { throttle: [1.0, 0.0], ..Input::default() },
            frame: Buttons::default(),
            trace: None,
            teleport: None,
            tells: true,
            rides: None,
            carries: Vec::new(),
            vehicles: Vec::new(),
            statistics: Vec::new(),
            state: None,
            pickups: Vec::new(),
            breaks: Vec::new(),
            broken: Vec::new(),
            picks: Vec::new(),
            hears: false,
            heard: 0,
            shown: 0,
            asked_who: Cell::new(0),
            announced: Vec::new(),
            loaded_with: Vec::new(),
            harm: Harms::default(),
            manners: Manners::default(),
            maps: Maps::default(),
            scripts: Scripts::default(),
            teleported: Vec::new(),
            role: None,
            players: Vec::new(),
            bodies: Vec::new(),
            events: Vec::new(),
            drives: Vec::new(),
        }
    }

    pub(super) fn did(&self, what: &'static str) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().push(what);
        }
    }

    pub(super) fn note(&mut self, call: Call) {
        if self.notes {
            self.calls.push(call);
        }
    }

    /// Where that player's unit is.
    pub(crate) fn place(&self, slot: u8) -> Option<Vec3> {
        let unit = self.players.iter().find(|player| player.slot.get() == slot)?.unit?;
        self.bodies.iter().find(|body| body.id == unit).map(|body| body.placement.position)
    }

    /// The ticks that it simulated.
    pub(crate) fn ticks(&self) -> Vec<i32> {
        let tick = |call: &Call| if let Call::Simulate(tick) = call { Some(*tick) } else { None };
        self.calls.iter().filter_map(tick).collect()
    }

    /// The calls that are none of a steady tick.
    pub(crate) fn turns(&self) -> Vec<Call> {
        let is_turn = |call: &&Call| !matches!(call, Call::Simulate(_) | Call::State(_));
        self.calls.iter().filter(is_turn).cloned().collect()
    }

    /// How often it was asked that.
    pub(crate) fn count(&self, asked: &Call) -> usize {
        self.calls.iter().filter(|call| *call == asked).count()
    }

    /// The tick before which it was asked that: the next simulated.
    pub(crate) fn tick_of(&self, asked: &Call) -> Option<i32> {
        let at = self.calls.iter().position(|call| call == asked)?;
        self.calls[at..]
            .iter()
            .find_map(|call| if let Call::Simulate(tick) = call { Some(*tick) } else { None })
    }

    /// On the host: a weapon lies there from the next tick on.
    pub(crate) fn lay(&mut self, id: ObjectId, position: Vec3) {
        let mut laid = body(id, None, position);
        (laid.class, laid.at_rest) = (objects::Class::Weapon, true);
        self.bodies.push(laid);
        self.bodies.sort_by_key(|body| body.id.index());
        let creation = Creation { at_rest: true, ..Creation::plain(id, Tag(2), position) };
        self.events.push(objects::Event::Made(creation));
    }

    /// On the host: a unit that no player has stands there from the next tick on.
    pub(crate) fn walk(&mut self, id: ObjectId, position: Vec3) {
        self.bodies.push(body(id, None, position));
        self.bodies.sort_by_key(|body| body.id.index());
        self.events.push(objects::Event::Made(Creation::plain(id, Tag(1), position)));
    }

    /// Wakes that object: it moves from here on, if only a little.
    pub(crate) fn wake(&mut self, id: ObjectId) {
        self.body(id).unwrap().at_rest = false;
    }

    /// Where that object is.
    pub(crate) fn place_of(&self, id: ObjectId) -> Option<Vec3> {
        self.bodies.iter().find(|body| body.id == id).map(|body| body.placement.position)
    }

    /// Puts that object elsewhere, at rest still.
    pub(crate) fn put(&mut self, id: ObjectId, position: Vec3) {
        self.body(id).unwrap().placement.position = position;
    }

    pub(super) fn body(&mut self, id: ObjectId) -> Option<&mut Body> {
        self.bodies.iter_mut().find(|body| body.id == id)
    }
}

/// The unit that the host makes for a slot.
pub(crate) fn unit_of(slot: Slot) -> ObjectId {
    ObjectId::new(u16::from(slot.get()), 1).unwrap()
}

fn body(id: ObjectId, owner: Option<Slot>, position: Vec3) -> Body {
    let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let class = objects::Class::Unit;
    Body { id, owner, placement, input: Input::default(), class, at_rest: false, dead: false }
}

/// What a tag stands for in this game: 1 is a walker, every other a weapon.
fn class_of(tag: Tag) -> objects::Class {
    if tag == Tag(1) { objects::Class::Unit } else { objects::Class::Weapon }
}

fn tag_of(class: objects::Class) -> Tag {
    if class == objects::Class::Unit { Tag(1) } else { Tag(2) }
}

impl Session for Game {
    fn load(&mut self, record: &SettingsRecord, role: Role) {
        self.loaded_with.push(Box::new(*record));
        self.note(Call::Load(role));
        self.role = Some(role);
        self.players.clear();
        self.bodies.clear();
        self.events.clear();
        self.carries.clear();
        self.broken.clear();
        self.scripts.begin();
    }

    fn loaded(&mut self) -> bool {
        self.asked += 1;
        self.loaded
    }

    fn simulate(&mut self, tick: Tick) {
        self.did("simulate");
        self.note(Call::Simulate(tick.get()));
        for body in &mut self.bodies {
            let [ahead, _] = body.input.throttle;
            body.placement.velocity = Vec3::new(0.08 * ahead, 0.0, 0.0);
            body.placement.position += body.placement.velocity;
        }
        if let Some((slot, to)) = self.teleport.take() {
            self.body(unit_of(slot)).unwrap().placement.position = to;
            if self.tells {
                self.teleported.push(slot);
            }
        }
        let drives = self.drives.drain(..).map(|(slot, input)| (tick.get(), slot, input));
        if self.notes {
            self.driven.extend(drives);
        } else {
            drives.for_each(drop);
        }
    }

    fn add_player(&mut self, player: &Player<'_>) {
        let Player { slot, machine, local, team, .. } = *player;
        self.note(Call::Add { slot: slot.get(), machine: machine.get(), local, team });
        self.players.push(Walker { slot, machine, left: false, unit: None });
        self.players.sort_by_key(|player| player.slot);
    }

    fn admit_player(&mut self, slot: Slot) {
        self.note(Call::Admit(slot.get()));
        assert_eq!(self.role, Some(Role::Host), "a client decides nothing");
        let place = Vec3::new(0.0, f32::from(slot.get()) * 10.0, 0.0);
        let player = self.players.iter_mut().find(|player| player.slot == slot);
        player.expect("it is admitted after it was added").unit = Some(unit_of(slot));
        self.bodies.push(body(unit_of(slot), Some(slot), place));
        self.bodies.sort_by_key(|body| body.id.index());
        let creation = Creation { owner: Some(slot), ..Creation::plain(unit_of(slot), Tag(1), place) };
        self.events.push(objects::Event::Made(creation));
    }

    fn remove_player(&mut self, slot: Slot) {
        self.note(Call::Remove(slot.get()));
        let player = self.players.iter_mut().find(|player| player.slot == slot && !player.left);
        let player = player.expect("who leaves was there");
        player.left = true;
        if let Some(unit) = player.unit.take()
            && self.role == Some(Role::Host)
        {
            self.bodies.retain(|body| body.id != unit);
            self.events.push(objects::Event::Deleted(unit));
        }
    }

    fn end(&mut self) {
        self.note(Call::End);
    }
}

impl Players for Game {
    fn read_units(&self, rows: &mut Vec<UnitRow>) {
        for player in &self.players {
            let body = player.unit.and_then(|unit| self.bodies.iter().find(|body| body.id == unit));
            let life = match body {
                Some(body) => {
                    let mut unit = LivingUnit::whole(body.id, body.placement);
                    if let Some((_, vehicle)) = self.rides.filter(|(slot, _)| *slot == player.slot) {
                        (unit.placement, unit.ride) = (None, Some(Ride { vehicle: Some(vehicle), seat: 0 }));
                    }
                    Life::Alive(unit)
                }
                None => Life::Dead(Death::default()),
            };
            rows.push(UnitRow {
                machine: player.machine,
                state: UnitState { slot: player.slot, shield: ShieldFlags::default(), life },
                limits: MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 },
                platform: None,
                shaft: None,
                exit: None,
                grounded: true,
                left: player.left,
                view: View::default(),
            });
        }
    }

    fn read_vehicles(&self, rows: &mut Vec<VehicleRow>) {
        rows.extend_from_slice(&self.vehicles);
    }

    fn gravity(&self) -> f32 {
        0.003
    }

    fn local_input(&mut self, slot: Slot, _: Tick) -> Input {
        assert!(
            self.players.iter().any(|player| player.slot == slot && !player.left),
            "{slot:?} is not here"
        );
        self.input
    }

    fn take_teleports(&mut self, slots: &mut Vec<Slot>) {
        slots.append(&mut self.teleported);
    }

    fn frame_buttons(&mut self, _: Slot) -> Buttons {
        self.frame
    }

    fn apply_state(&mut self, command: &authority::Command) {
        self.did("state");
        self.note(Call::State(*command));
        match *command {
            authority::Command::Place { unit, placement, .. } => {
                self.body(unit).unwrap().placement = placement;
            }
            authority::Command::PlaceVehicle { vehicle, motion, .. } => {
                let driven = self.vehicles.iter_mut().find(|driven| driven.vehicle == vehicle);
                driven.expect("a vehicle that it named").motion = motion;
            }
            authority::Command::Own { slot, unit } => {
                let player = self.players.iter_mut().find(|player| player.slot == slot);
                player.expect("a player that it was told of").unit = Some(unit);
            }
            authority::Command::Vitality { .. } => {}
            authority::Command::Die { slot, .. } => {
                let player = self.players.iter_mut().find(|player| player.slot == slot);
                // Its unit stands until it is told how it falls.
                let unit = player.expect("a player that it was told of").unit.take();
                if let Some(body) = unit.and_then(|unit| self.body(unit)) {
                    body.input = Input::default();
                }
            }
        }
    }

    fn apply_movement(&mut self, command: &prediction::Command) {
        match *command {
            prediction::Command::Drive { slot, unit, input } => {
                self.did("drive");
                self.body(unit).unwrap().input = input;
                self.drives.push((slot, input));
            }
            prediction::Command::Move { unit, to, velocity, .. } => {
                let placement = &mut self.body(unit).unwrap().placement;
                placement.position = to;
                placement.velocity = velocity.unwrap_or(placement.velocity);
            }
            prediction::Command::Offset { .. } => {}
            // It has no vehicles.
            prediction::Command::Seat { .. }
            | prediction::Command::MoveVehicle { .. }
            | prediction::Command::VehicleOffset { .. } => {}
        }
    }
}

impl Devices for Game {
    fn take_broken_surfaces(&mut self, broken: &mut Vec<SurfaceBroken>) {
        self.broken.extend(self.breaks.iter().map(|what| what.surface));
        broken.append(&mut self.breaks);
    }

    fn is_broken(&self, surface: Surface) -> Option<bool> {
        (surface.index < SURFACES).then(|| self.broken.contains(&surface))
    }

    fn apply_broken_surface(&mut self, broken: &SurfaceBroken) {
        self.did("break");
        assert_eq!(self.role, Some(Role::Client), "a host breaks by itself");
        self.note(Call::Break(broken.surface));
        self.broken.push(broken.surface);
    }
}

impl Scoring for Game {
    fn read_statistics(&self, rows: &mut Vec<StatisticsRow>) {
        rows.extend_from_slice(&self.statistics);
    }

    fn read_game_state(&self) -> Option<GameState> {
        self.state.clone()
    }

    fn take_pickups(&mut self, pickups: &mut Vec<Pickup>) {
        pickups.append(&mut self.pickups);
    }

    fn apply_statistics(&mut self, row: &StatisticsRow) {
        assert_eq!(self.role, Some(Role::Client), "a host counts by itself");
        match self.statistics.iter_mut().find(|known| known.slot == row.slot) {
            Some(known) => *known = *row,
            None => self.statistics.push(*row),
        }
    }

    fn apply_game_state(&mut self, state: &GameState) {
        self.did("score");
        assert_eq!(self.role, Some(Role::Client), "a host counts by itself");
        self.state = Some(state.clone());
    }

    fn announce(&mut self, announcement: Announcement) {
        self.did("announce");
        if self.notes {
            self.announced.push(announcement);
        }
    }

    fn show_pickup(&mut self, pickup: &Pickup) {
        self.pickups.push(*pickup);
    }
}

impl Sight for Game {}

impl Talk for Game {
    fn team(&self, _: Slot) -> Option<u8> {
        self.asked_who.update(|asked| asked + 1);
        None
    }

    fn outermost(&self, _: Slot) -> Option<ObjectId> {
        self.asked_who.update(|asked| asked + 1);
        None
    }

    fn mouth(&self, _: Slot) -> Option<Vec3> {
        self.asked_who.update(|asked| asked + 1);
        Some(Vec3::ZERO)
    }

    fn hears_voices(&self) -> bool {
        self.hears
    }

    fn show_chat(&mut self, _: &chat::Event) {
        self.shown += 1;
    }

    fn hear_voice(&mut self, _: &voice::Heard<'_>) {
        self.heard += 1;
    }
}

impl Objects for Game {
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>) {
        self.did("events");
        events.append(&mut self.events);
    }

    fn read_objects(&self, rows: &mut Vec<Creation>) {
        rows.extend(self.bodies.iter().map(|body| Creation {
            owner: body.owner,
            at_rest: body.at_rest,
            dead: body.dead,
            ..Creation::plain(body.id, tag_of(body.class), body.placement.position)
        }));
    }

    fn read_object_rows(&self, rows: &mut Vec<objects::ObjectRow>) {
        rows.extend(self.bodies.iter().map(|body| {
            let Placement { position, velocity, axes } = body.placement;
            let motion = Motion { position, axes, velocity, angular_velocity: Vec3::ZERO };
            let Body { at_rest, dead, .. } = *body;
            let state = ObjectState { at_rest, dead, ..ObjectState::moving(body.id, motion) };
            objects::ObjectRow {
                state,
                class: body.class,
                tag: tag_of(body.class),
                driver: None,
                is_carried_along: false,
            }
        }));
    }

    fn take_damage_animations(&mut self, picks: &mut Vec<objects::PickRow>) {
        picks.append(&mut self.picks);
    }

    fn animations(&self, _: ObjectId) -> u16 {
        ANIMATIONS
    }

    fn apply_damage_animation(&mut self, pick: &DamageAnimation) {
        self.did("show");
        self.note(Call::Show(*pick));
    }

    fn read_inventories(&self, rows: &mut Vec<objects::CarryRow>) {
        rows.extend(self.carries.iter().copied());
    }

    fn apply_object(&mut self, command: &objects::Command) {
        match *command {
            objects::Command::Make(creation) => {
                self.did("make");
                self.note(Call::Make(creation.object));
                let mut made = body(creation.object, creation.owner, creation.position);
                (made.class, made.at_rest) = (class_of(creation.tag), creation.at_rest);
                made.dead = creation.dead;
                self.bodies.push(made);
            }
            objects::Command::Delete(object) => {
                self.note(Call::Delete(object));
                self.bodies.retain(|body| body.id != object);
            }
            objects::Command::Place { object, motion, at_rest, dead } => {
                self.did("place");
                self.note(Call::Place(object));
                let body = self.body(object).unwrap();
                body.placement.position = motion.position;
                (body.at_rest, body.dead) = (at_rest, dead);
            }
            objects::Command::Along { object, step } => {
                self.body(object).unwrap().placement.position += step;
            }
            objects::Command::Carry(inventory) => {
                self.did("carry");
                self.note(Call::Carry(inventory));
            }
            objects::Command::Offset { .. } | objects::Command::Light { .. } => {}
        }
    }
}
