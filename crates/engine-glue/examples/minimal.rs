//! The smallest game that plays with these crates: two machines and one walker, which its client's player sends round
//! in a circle. Both machines run in this process, over a simulated network of 50 ms each way and in virtual time,
//! so that ten seconds take no time; on real machines the network is `transport::net::Sockets` and the time a
//! clock's. Knows nothing that a port would not have to; docs/porting.md says what
//! it leaves out.

use mjolnir_engine_glue::authority::{self, MoveLimits, UnitRow, View};
use mjolnir_engine_glue::engine::{Devices, Harm, Objects, Player, Players, Role, Scoring, Session, Sight};
use mjolnir_engine_glue::transport::impair::{Faults, Impaired};
use mjolnir_engine_glue::transport::simulated::SimulatedNetwork;
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_engine_glue::wire::objects::{Creation, Motion, ObjectState};
use mjolnir_engine_glue::wire::packets::player::Name;
use mjolnir_engine_glue::wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_engine_glue::wire::units::{Death, Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_engine_glue::wire::{Axes, Input, Machine, Moment, ObjectId, Slot, Tag, Tick, Vec3};
use mjolnir_engine_glue::{Actors, Campaign, Conduct, Sharing, Talk};
use mjolnir_engine_glue::{Client, Host, objects, prediction};

/// As fast as a walker walks, world units a tick.
const SPEED: f32 = 0.08;

/// One machine's copy of the game.
#[derive(Default)]
struct Walk {
    /// The player, once it is here, and its machine.
    player: Option<(Slot, Machine)>,
    left: bool,
    walker: Option<Walker>,
    /// What happened since the netcode last asked.
    events: Vec<objects::Event>,
}

struct Walker {
    id: ObjectId,
    placement: Placement,
    /// What drives it in the next tick.
    input: Input,
}

impl Walk {
    fn make(&mut self, id: ObjectId, position: Vec3) {
        let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        self.walker = Some(Walker { id, placement, input: Input::default() });
    }

    fn walker(&mut self, id: ObjectId) -> Option<&mut Walker> {
        self.walker.as_mut().filter(|walker| walker.id == id)
    }

    fn place(&self) -> [f32; 2] {
        let place = self.walker.as_ref().map_or(Vec3::ZERO, |walker| walker.placement.position);
        [place.x, place.y]
    }
}

impl Session for Walk {
    fn load(&mut self, _: &SettingsRecord, _: Role) {
        *self = Self::default();
    }

    fn loaded(&mut self) -> bool {
        true
    }

    fn simulate(&mut self, _: Tick) {
        let Some(Walker { placement, input, .. }) = &mut self.walker else { return };
        let forward = Vec3::new(input.yaw.cos(), input.yaw.sin(), 0.0);
        placement.velocity = forward * (SPEED * input.throttle[0]);
        placement.position += placement.velocity;
        placement.axes.forward = forward;
    }

    fn add_player(&mut self, player: &Player<'_>) {
        self.player = Some((player.slot, player.machine));
    }

    fn admit_player(&mut self, slot: Slot) {
        // The host alone comes here: it decides that there is a walker now, and where.
        let Some(id) = ObjectId::new(0, 1) else { return };
        self.make(id, Vec3::ZERO);
        let creation = Creation { owner: Some(slot), ..Creation::plain(id, Tag(1), Vec3::ZERO) };
        self.events.push(objects::Event::Made(creation));
    }

    fn remove_player(&mut self, _: Slot) {
        self.left = true;
        self.events.extend(self.walker.take().map(|walker| objects::Event::Deleted(walker.id)));
    }

    fn end(&mut self) {}
}

impl Players for Walk {
    fn read_units(&self, rows: &mut Vec<UnitRow>) {
        let Some((slot, machine)) = self.player else { return };
        let life = match &self.walker {
            Some(walker) => Life::Alive(LivingUnit::whole(walker.id, walker.placement)),
            None => Life::Dead(Death::default()),
        };
        let state = UnitState { slot, shield: ShieldFlags::default(), life };
        let limits = MoveLimits { run: SPEED, jump: 0.0, crouch_lift: 0.0 };
        rows.push(UnitRow {
            machine,
            state,
            limits,
            grounded: true,
            platform: None,
            shaft: None,
            exit: None,
            left: self.left,
            view: View::default(),
        });
    }

    fn gravity(&self) -> f32 {
        0.0
    }

    fn local_input(&mut self, _: Slot, tick: Tick) -> Input {
        let yaw = (tick.get() as f32 * 0.02) % std::f32::consts::TAU;
        Input { yaw, throttle: [1.0, 0.0], ..Input::default() }
    }

    fn apply_state(&mut self, command: &authority::Command) {
        // A walker has no health, and is its player's from the start: only its place is left.
        if let authority::Command::Place { unit, placement, .. } = *command
            && let Some(walker) = self.walker(unit)
        {
            walker.placement = placement;
        }
    }

    fn apply_movement(&mut self, command: &prediction::Command) {
        match *command {
            prediction::Command::Drive { unit, input, .. } => {
                if let Some(walker) = self.walker(unit) {
                    walker.input = input;
                }
            }
            prediction::Command::Move { unit, to, velocity, axes, .. } => {
                if let Some(Walker { placement, .. }) = self.walker(unit) {
                    placement.position = to;
                    placement.velocity = velocity.unwrap_or(placement.velocity);
                    placement.axes = axes.unwrap_or(placement.axes);
                }
            }
            // Nothing is drawn.
            prediction::Command::Offset { .. } => {}
            // It has no vehicles.
            prediction::Command::Seat { .. }
            | prediction::Command::MoveVehicle { .. }
            | prediction::Command::VehicleOffset { .. } => {}
        }
    }
}

// It has no devices.
impl Devices for Walk {}

impl Scoring for Walk {}

impl Sight for Walk {}
impl mjolnir_engine_glue::damage::Tags for Walk {}
impl mjolnir_engine_glue::damage::World for Walk {}
impl Harm for Walk {}
impl Talk for Walk {}
impl Conduct for Walk {}
impl Campaign for Walk {}
impl Actors for Walk {}
impl Sharing for Walk {}

impl Objects for Walk {
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>) {
        events.append(&mut self.events);
    }

    fn read_objects(&self, rows: &mut Vec<Creation>) {
        let owner = self.player.map(|(slot, _)| slot);
        rows.extend(self.walker.as_ref().map(|walker| Creation {
            owner,
            axes: walker.placement.axes,
            velocity: walker.placement.velocity,
            ..Creation::plain(walker.id, Tag(1), walker.placement.position)
        }));
    }

    fn read_object_rows(&self, rows: &mut Vec<objects::ObjectRow>) {
        rows.extend(self.walker.as_ref().map(|walker| {
            let Placement { position, velocity, axes } = walker.placement;
            let motion = Motion { position, axes, velocity, angular_velocity: Vec3::ZERO };
            let state = ObjectState::moving(walker.id, motion);
            objects::ObjectRow {
                state,
                class: objects::Class::Unit,
                tag: Tag(1),
                driver: None,
                is_carried_along: false,
            }
        }));
    }

    fn apply_object(&mut self, command: &objects::Command) {
        match command {
            objects::Command::Make(creation) => self.make(creation.object, creation.position),
            objects::Command::Delete(_) => self.walker = None,
            // The walker lives, and its place comes with the players; it carries nothing.
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (here, there) = ("10.0.0.1:5150".parse()?, "10.0.0.2:5150".parse()?);
    let switch = SimulatedNetwork::new(1);
    let faults = Faults { latency_us: 50_000, ..Faults::default() };
    let mut host_network = Impaired::new(switch.listen(here), 1, faults);
    let mut client_network = Impaired::new(switch.connect(there, here), 2, faults);

    let mut record = SettingsRecord::empty();
    record.max_players = 1;
    let mut host = Host::new(Moment::START, HostSettings::new(record));
    let player = NetworkPlayer { name: Name::cut("Walker"), controller: 0, ..NetworkPlayer::NONE };
    let mut client = Client::new(Moment::START, ClientSettings::new("Client", vec![player]));
    let (mut host_game, mut client_game) = (Walk::default(), Walk::default());
    // Nobody is in its lobby: the client joins a game in progress.
    host.begin(Moment::START, &mut host_game, Tick::ZERO);

    for millis in (0..=10_000).step_by(5) {
        let now = Moment::from_millis(millis);
        host.frame(now, &mut host_game, &mut host_network);
        for _ in 0..host.ticks_due(now) {
            host.tick(now, &mut host_game, &mut host_network);
        }
        client.frame(now, &mut client_game, &mut client_network);
        for _ in 0..client.ticks_due(now) {
            client.tick(now, &mut client_game, &mut client_network);
        }
        if millis % 1000 == 0 && millis > 0 {
            let ([x, y], [own_x, own_y]) = (host_game.place(), client_game.place());
            println!(
                "{:2} s   host has it at {x:6.2} {y:6.2}   client at {own_x:6.2} {own_y:6.2}",
                millis / 1000
            );
        }
    }
    println!("corrections of the client's own player: {}", client.counters().own_corrections);
    Ok(())
}
