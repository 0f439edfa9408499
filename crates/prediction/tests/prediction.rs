//! A client's prediction, as scripts: at this tick this is said, exactly that is done.

#[path = "prediction/copies.rs"]
mod copies;
#[path = "prediction/counts.rs"]
mod counts;
#[path = "prediction/driving.rs"]
mod driving;
#[path = "prediction/order.rs"]
mod order;
#[path = "prediction/own.rs"]
mod own;
#[path = "prediction/platforms.rs"]
mod platforms;
#[path = "prediction/seats.rs"]
mod seats;
#[path = "prediction/vehicles.rs"]
mod vehicles;

use mjolnir_prediction::{
    Client, Command, Error, GLIDE_TICKS, HostWord, OWN_PLAYER_TOLERANCE, OWN_VEHICLE_TOLERANCE, OwnRow,
    PLATFORM_HEIGHT, PLATFORM_SETTLES, PREDICTION_HISTORY, Platform, REMOTE_BLEND_DISTANCE, Rows,
    TELEPORT_LAG, TELEPORT_SIZED, UnitRow, VehicleRow, VehicleWord, Why, keep_counts,
};
use mjolnir_wire::inputs::{PlayerInput, RelayedAction};
use mjolnir_wire::objects::{CarriedWeapon, Inventory, Motion, VehiclePrediction};
use mjolnir_wire::units::{Life, Placement, Ride, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Input, Kind, Machine, Message, ObjectId, Outbox, Parts, Slot, Tick, Vec3,
};
use proptest::prelude::*;

const OWN: Slot = Slot::new(2).expect("a slot");
const OTHER: Slot = Slot::new(7).expect("a slot");

fn tick(number: i32) -> Tick {
    Tick::new(number).expect("a tick")
}

fn east(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

fn at(place: Vec3) -> Placement {
    Placement { position: place, velocity: Vec3::new(0.0, 0.5, 0.0), axes: Axes::UPRIGHT }
}

fn unit(index: u16) -> ObjectId {
    ObjectId::new(index, 1).expect("an object")
}

/// Ticks of the round trip.
const TRIP: i32 = 6;

fn moving(place: Vec3) -> Motion {
    Motion { position: place, axes: Axes::UPRIGHT, velocity: east(0.5), angular_velocity: Vec3::ZERO }
}

/// The driver's seat of that vehicle.
fn wheel(vehicle: ObjectId) -> Ride {
    Ride { vehicle: Some(vehicle), seat: 0 }
}

/// A client and the units that its engine has: an engine that stands still unless the script moves it.
struct Scene {
    client: Client,
    rows: Vec<UnitRow>,
    vehicles: Vec<VehicleRow>,
    /// Objects that are not there.
    missing: Vec<ObjectId>,
    vehicle_offset: Vec3,
    velocities: Vec<Option<Vec3>>,
    own: Vec<Slot>,
    tick: i32,
    heard: i32,
    /// The own tick's commands, and where each unit is drawn beside its place.
    commands: Vec<Command>,
    offsets: Vec<Vec3>,
    input: Input,
    outbox: Outbox,
}

impl Scene {
    /// Units of those slots, standing at 0, the first so many the machine's own.
    fn new(slots: &[Slot], own: usize, start: i32) -> Self {
        let mut client = Client::new();
        client.set_own(&slots[..own]);
        let rows = slots.iter().map(|slot| UnitRow {
            slot: *slot,
            unit: unit(slot.get().into()),
            placement: Some(at(Vec3::ZERO)),
            grounded: true,
            ride: None,
            platform: None,
        });
        Self {
            client,
            rows: rows.collect(),
            vehicles: Vec::new(),
            missing: Vec::new(),
            vehicle_offset: Vec3::ZERO,
            velocities: vec![None; slots.len()],
            own: slots[..own].to_vec(),
            tick: start,
            heard: 0,
            commands: Vec::new(),
            offsets: vec![Vec3::ZERO; slots.len()],
            input: Input::default(),
            outbox: Outbox::new(),
        }
    }

    fn own() -> Self {
        Self::new(&[OWN], 1, 99)
    }

    fn other() -> Self {
        Self::new(&[OTHER], 0, 99)
    }

    fn place(&self, row: usize) -> Vec3 {
        self.rows[row].placement.expect("it is on foot").position
    }

    fn put(&mut self, row: usize, place: Vec3) {
        self.rows[row].placement = Some(at(place));
    }

    /// The commands before the next tick, done.
    fn before(&mut self) {
        self.tick += 1;
        let local: Vec<_> = self.own.iter().map(|slot| (*slot, self.input)).collect();
        self.commands.clear();
        let Self { client, rows, vehicles, missing, commands, .. } = self;
        let rows = Rows { units: rows, vehicles };
        let exists = |object| !missing.contains(&object);
        client.before_tick(tick(self.tick), TRIP as u32, rows, &local, exists, commands);
        for command in &self.commands {
            match *command {
                Command::Move { unit, to, velocity, .. } => {
                    let row =
                        self.rows.iter().position(|row| row.unit == unit).expect("a unit that there is");
                    self.rows[row].placement = Some(at(to));
                    self.velocities[row] = velocity;
                }
                Command::Offset { unit, offset } => {
                    let row =
                        self.rows.iter().position(|row| row.unit == unit).expect("a unit that there is");
                    self.offsets[row] = offset;
                }
                Command::Seat { unit, ride, .. } => {
                    let row = self.rows.iter_mut().find(|row| row.unit == unit).expect("a unit");
                    row.ride = ride;
                    row.placement = ride.is_none().then(|| at(Vec3::ZERO));
                }
                Command::MoveVehicle { vehicle, motion, .. } => {
                    let row = self.vehicles.iter_mut().find(|row| row.vehicle == vehicle);
                    row.expect("a vehicle").motion = motion;
                }
                Command::VehicleOffset { offset, .. } => self.vehicle_offset = offset,
                Command::Drive { .. } => {}
            }
        }
    }

    /// After it; what is sent stays in the outbox.
    fn after(&mut self) {
        self.outbox.begin(tick(self.tick), 0);
        let own: Vec<_> = self
            .own
            .iter()
            .map(|slot| OwnRow { slot: *slot, structure_bsp: Some(3), friendly_fire: true })
            .collect();
        let rows = Rows { units: &self.rows, vehicles: &self.vehicles };
        self.client.after_tick(tick(self.tick), tick(self.heard), rows, &own, &mut self.outbox);
    }

    fn run(&mut self) {
        self.before();
        self.after();
    }

    /// A tick in which the first unit walks to there.
    fn walk_to(&mut self, place: Vec3) {
        self.before();
        self.put(0, place);
        self.after();
    }

    fn word(&mut self, slot: Slot, place: Vec3, predicted: Option<i32>) {
        let predicted = predicted.map(tick);
        let word = HostWord { tick: tick(self.tick), placement: Some(at(place)), ride: None, predicted };
        self.client.handle_word(slot, word).expect("newer");
    }

    /// The host has that player riding so.
    fn rides(&mut self, slot: Slot, ride: Ride) {
        let word = HostWord { tick: tick(self.tick), placement: None, ride: Some(ride), predicted: None };
        self.client.handle_word(slot, word).expect("newer");
    }

    /// The host has that vehicle there.
    fn vehicle_word(&mut self, vehicle: ObjectId, place: Vec3, predicted: Option<i32>) {
        let predicted = predicted.map(tick);
        let word = VehicleWord { tick: tick(self.tick), motion: moving(place), predicted };
        self.client.handle_vehicle_word(vehicle, word).expect("newer");
    }

    /// From now on that row's player sits there.
    fn sit(&mut self, row: usize, ride: Ride) {
        self.rows[row].ride = Some(ride);
        self.rows[row].placement = None;
    }

    /// From now on that row's player drives that vehicle, which is there.
    fn take_wheel(&mut self, row: usize, vehicle: ObjectId, place: Vec3) {
        self.sit(row, wheel(vehicle));
        let slot = self.rows[row].slot;
        self.vehicles.push(VehicleRow { vehicle, slot, motion: moving(place) });
    }

    fn seats(&self) -> Vec<Option<Ride>> {
        let seat = |command: &Command| match command {
            Command::Seat { ride, .. } => Some(*ride),
            _ => None,
        };
        self.commands.iter().filter_map(seat).collect()
    }

    fn relay(&mut self, stamp: i32, input: Input) -> Result<(), Error> {
        let action = RelayedAction { slot: OTHER, input, history: [input.buttons; 4] };
        self.client.handle_relayed(tick(self.tick), tick(stamp), &action)
    }

    fn moves(&self) -> Vec<&Command> {
        self.commands.iter().filter(|command| matches!(command, Command::Move { .. })).collect()
    }

    fn driven(&self, slot: Slot) -> Option<Input> {
        self.commands.iter().find_map(|command| match command {
            Command::Drive { slot: of, input, .. } if *of == slot => Some(*input),
            _ => None,
        })
    }

    /// What was sent: the inputs, and the places.
    fn sent(&self) -> (Vec<PlayerInput>, Vec<UnitState>) {
        let (inputs, places, _) = self.sent_all();
        (inputs, places)
    }

    /// What was sent, the vehicles' places too.
    fn sent_all(&self) -> (Vec<PlayerInput>, Vec<UnitState>, Vec<VehiclePrediction>) {
        let (mut inputs, mut places, mut vehicles) = (Vec::new(), Vec::new(), Vec::new());
        self.outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |bytes| {
            for part in Parts::of(&Message::read(bytes).expect("a batch")) {
                let part = part.expect("a part");
                assert_eq!(part.tick, tick(self.tick));
                match part.kind {
                    Kind::PlayerInputs => {
                        inputs.extend(PlayerInput::read_all(&part).map(|i| i.expect("an input")));
                    }
                    Kind::PlayerPrediction => {
                        places.extend(UnitState::read_all(&part).map(|s| s.expect("a state")));
                    }
                    Kind::VehiclePrediction => {
                        vehicles.extend(VehiclePrediction::read_all(&part).map(|v| v.expect("a vehicle")));
                    }
                    other => panic!("{other:?} is not a client's to send"),
                }
            }
        });
        (inputs, places, vehicles)
    }
}
