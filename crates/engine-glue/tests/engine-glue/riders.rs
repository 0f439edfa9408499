//! The game of walkers with vehicles, an elevator and counts, as far as a client's game needs them: the script says who
//! sits where, and it writes down what moves.

use mjolnir_engine_glue::authority::{self, CarriedBy, Platform, UnitRow, VehicleRow};
use mjolnir_engine_glue::engine::{Devices, Harm, Objects, Player, Players, Role, Scoring, Session, Sight};
use mjolnir_engine_glue::{Actors, Campaign, Conduct, Sharing, Talk};
use mjolnir_engine_glue::{objects, prediction};
use mjolnir_wire::objects::{Creation, Motion, ObjectState};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::units::{Life, Ride};
use mjolnir_wire::{Axes, Input, Machine, ObjectId, Slot, Tag, Tick, Vec3};

use super::game::Game;

/// What a vehicle is made of.
pub(crate) const CAR: Tag = Tag(3);

/// World units a tick that a driven vehicle goes.
pub(crate) const SPEED: f32 = 0.5;

pub(crate) struct Riders {
    pub(crate) game: Game,
    pub(crate) rides: Vec<(Slot, Ride)>,
    pub(crate) vehicles: Vec<(ObjectId, Motion)>,
    /// What every unit on foot stands on.
    pub(crate) platform: Option<Platform>,
    /// When each local player last fired, and what units carry.
    pub(crate) acted: Option<(Slot, Tick)>,
    pub(crate) carried: Vec<objects::CarryRow>,
    pub(crate) moved: Vec<prediction::Command>,
    pub(crate) placed: Vec<ObjectId>,
    pub(crate) carries: Vec<mjolnir_wire::objects::Inventory>,
    pub(crate) ticked: Tick,
    /// Who gets in while the next tick is simulated.
    pub(crate) enters: Option<(Slot, Ride)>,
    teleported: Option<Slot>,
}

impl Riders {
    pub(crate) fn new() -> Self {
        let mut game = Game::new();
        game.input = Input::default();
        Self {
            game,
            rides: Vec::new(),
            vehicles: Vec::new(),
            platform: None,
            acted: None,
            carried: Vec::new(),
            moved: Vec::new(),
            placed: Vec::new(),
            carries: Vec::new(),
            ticked: Tick::ZERO,
            enters: None,
            teleported: None,
        }
    }

    pub(crate) fn sit(&mut self, slot: Slot, ride: Option<Ride>) {
        self.rides.retain(|(of, _)| *of != slot);
        self.rides.extend(ride.map(|ride| (slot, ride)));
        self.rides.sort_by_key(|(slot, _)| *slot);
    }

    pub(crate) fn sits(&self, slot: Slot) -> Option<Ride> {
        self.rides.iter().find(|(of, _)| *of == slot).map(|(_, ride)| *ride)
    }

    pub(crate) fn vehicle(&mut self, object: ObjectId) -> &mut Motion {
        &mut self.vehicles.iter_mut().find(|(of, _)| *of == object).unwrap().1
    }

    /// In the next tick that player's vehicle goes through a teleporter to there.
    pub(crate) fn teleport(&mut self, slot: Slot, object: ObjectId, to: Vec3) {
        self.vehicle(object).position = to;
        self.teleported = Some(slot);
    }

    fn driver(&self, object: ObjectId) -> Option<Slot> {
        let at_wheel = |ride: &Ride| ride.vehicle == Some(object) && ride.seat == 0;
        self.rides.iter().find(|(_, ride)| at_wheel(ride)).map(|(slot, _)| *slot)
    }
}

impl Session for Riders {
    fn load(&mut self, settings: &SettingsRecord, role: Role) {
        self.game.load(settings, role);
    }

    fn loaded(&mut self) -> bool {
        self.game.loaded()
    }

    fn simulate(&mut self, tick: Tick) {
        self.ticked = tick;
        self.game.simulate(tick);
        if let Some((slot, ride)) = self.enters.take() {
            self.sit(slot, Some(ride));
        }
        for at in 0..self.vehicles.len() {
            if self.driver(self.vehicles[at].0).is_some() {
                self.vehicles[at].1.position.x += SPEED;
            }
        }
    }

    fn add_player(&mut self, player: &Player<'_>) {
        self.game.add_player(player);
    }

    fn admit_player(&mut self, slot: Slot) {
        self.game.admit_player(slot);
    }

    fn remove_player(&mut self, slot: Slot) {
        self.game.remove_player(slot);
    }

    fn end(&mut self) {
        self.game.end();
    }
}

impl Devices for Riders {}

impl Scoring for Riders {}

impl Sight for Riders {}
impl mjolnir_engine_glue::damage::Tags for Riders {}
impl mjolnir_engine_glue::damage::World for Riders {}
impl Harm for Riders {}
impl Talk for Riders {}

impl Conduct for Riders {}
impl Campaign for Riders {}
impl Actors for Riders {}
impl Sharing for Riders {}

impl Players for Riders {
    fn read_units(&self, rows: &mut Vec<UnitRow>) {
        let first = rows.len();
        self.game.read_units(rows);
        for row in &mut rows[first..] {
            if let Life::Alive(unit) = &mut row.state.life {
                unit.ride = self.sits(row.state.slot);
                if unit.ride.is_some() {
                    unit.placement = None;
                } else {
                    row.platform = self.platform;
                }
            }
        }
    }

    fn read_vehicles(&self, rows: &mut Vec<VehicleRow>) {
        rows.extend(self.vehicles.iter().filter_map(|(vehicle, motion)| {
            Some(VehicleRow {
                vehicle: *vehicle,
                driver: self.driver(*vehicle)?,
                machine: Machine::HOST,
                motion: *motion,
                top_speed: SPEED,
                carried_by: CarriedBy::Ground,
                grounded: true,
                at_rest: false,
            })
        }));
    }

    fn acted(&self, slot: Slot) -> Option<Tick> {
        self.acted.filter(|(of, _)| *of == slot).map(|(_, tick)| tick)
    }

    fn gravity(&self) -> f32 {
        self.game.gravity()
    }

    fn local_input(&mut self, slot: Slot, tick: Tick) -> Input {
        self.game.local_input(slot, tick)
    }

    fn take_teleports(&mut self, slots: &mut Vec<Slot>) {
        slots.extend(self.teleported.take());
    }

    fn apply_state(&mut self, command: &authority::Command) {
        self.game.apply_state(command);
    }

    fn apply_movement(&mut self, command: &prediction::Command) {
        match *command {
            prediction::Command::Seat { slot, ride, .. } => self.sit(slot, ride),
            prediction::Command::MoveVehicle { vehicle, motion, .. } => *self.vehicle(vehicle) = motion,
            prediction::Command::Drive { .. }
            | prediction::Command::Move { .. }
            | prediction::Command::Offset { .. }
            | prediction::Command::VehicleOffset { .. } => self.game.apply_movement(command),
        }
        if !matches!(command, prediction::Command::Drive { .. }) {
            self.moved.push(*command);
        }
    }
}

impl Objects for Riders {
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>) {
        self.game.take_object_events(events);
    }

    fn read_objects(&self, rows: &mut Vec<Creation>) {
        self.game.read_objects(rows);
    }

    fn read_object_rows(&self, rows: &mut Vec<objects::ObjectRow>) {
        let first = rows.len();
        self.game.read_object_rows(rows);
        for (vehicle, motion) in &self.vehicles {
            // As a walker's, but for what differs.
            let mut row = *rows.get(first).expect("a game of vehicles has walkers");
            row.state = ObjectState::moving(*vehicle, *motion);
            row.class = objects::Class::Vehicle;
            rows.push(row);
        }
    }

    fn read_inventories(&self, rows: &mut Vec<objects::CarryRow>) {
        rows.extend(self.carried.iter().copied());
    }

    fn apply_object(&mut self, command: &objects::Command) {
        match *command {
            objects::Command::Make(creation) if creation.tag == CAR => {
                let motion = Motion {
                    position: creation.position,
                    axes: Axes::UPRIGHT,
                    velocity: Vec3::ZERO,
                    angular_velocity: Vec3::ZERO,
                };
                self.vehicles.push((creation.object, motion));
            }
            objects::Command::Place { object, motion, .. }
                if self.vehicles.iter().any(|(of, _)| *of == object) =>
            {
                self.placed.push(object);
                *self.vehicle(object) = motion;
            }
            objects::Command::Carry(inventory) => self.carries.push(inventory),
            _ => self.game.apply_object(command),
        }
    }
}
