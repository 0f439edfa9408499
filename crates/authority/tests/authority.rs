//! The crate's promises as scripts: at this tick this comes in, exactly that goes out. `walk` has the walker and
//! the line by which honest and lying clients are played.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "authority/anyone.rs"]
mod anyone;
#[path = "authority/client.rs"]
mod client;
#[path = "authority/crossing.rs"]
mod crossing;
#[path = "authority/drift.rs"]
mod drift;
#[path = "authority/elevators.rs"]
mod elevators;
#[path = "authority/heights.rs"]
mod heights;
#[path = "authority/ladder.rs"]
mod ladder;
#[path = "authority/lives.rs"]
mod lives;
#[path = "authority/scores.rs"]
mod scores;
#[path = "authority/taking.rs"]
mod taking;
#[path = "authority/teleporters.rs"]
mod teleporters;
#[path = "authority/telling.rs"]
mod telling;
#[path = "authority/throws.rs"]
mod throws;
#[path = "authority/vehicles.rs"]
mod vehicles;
mod walk;

use mjolnir_authority::{
    ANCHOR_JITTER, ANCHOR_RENEW, Client, Command, Drift, Error, Host, InputRow, MoveLimits, PlayerRow,
    TELEPORT_REST, UnitRow, View, VisibleSet, Vitality, Why,
};
use mjolnir_wire::inputs::{History, RelayedAction, RelayedActions};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, Ride, ShieldFlags, ShownDamage, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Input, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Slot,
    Tick, Vec3,
};
use proptest::prelude::*;

pub(crate) const LIMITS: MoveLimits = MoveLimits { run: 0.08, jump: 0.07, crouch_lift: 0.2 };
pub(crate) const GRAVITY: f32 = 0.003_57;

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn unit(index: u16) -> ObjectId {
    ObjectId::new(index, 1).unwrap()
}

fn east(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

fn up(z: f32) -> Vec3 {
    Vec3::new(0.0, 0.0, z)
}

pub(crate) fn standing(position: Vec3) -> Placement {
    Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT }
}

pub(crate) fn alive(of: u8, placement: Placement) -> UnitState {
    UnitState {
        slot: slot(of),
        shield: ShieldFlags::default(),
        life: Life::Alive(LivingUnit::whole(unit(of.into()), placement)),
    }
}

fn dead(of: u8, killer: Option<u8>) -> UnitState {
    let death = Death { killer: killer.map(slot), ..Death::default() };
    UnitState { slot: slot(of), shield: ShieldFlags::default(), life: Life::Dead(death) }
}

/// Player `of` on the machine of the same number.
pub(crate) fn row(of: u8, placement: Placement) -> UnitRow {
    UnitRow {
        machine: machine(of),
        state: alive(of, placement),
        limits: LIMITS,
        grounded: true,
        platform: None,
        shaft: None,
        exit: None,
        left: false,
        view: View::default(),
    }
}

/// Where those are, on foot.
pub(crate) fn places(rows: &[UnitRow]) -> Vec<Option<Vec3>> {
    rows.iter().map(|row| Some(row.living()?.placement?.position)).collect()
}

fn input(of: u8, client: Option<i32>) -> InputRow {
    InputRow {
        slot: slot(of),
        machine: machine(of),
        input: Input::default(),
        history: History::default(),
        of: client.map(tick),
    }
}

fn position(state: &UnitState) -> Vec3 {
    match state.life {
        Life::Alive(unit) => unit.placement.unwrap().position,
        Life::Dead(_) => panic!("dead"),
    }
}

/// One host with one client's player, slot 1 of machine 1, whose copy stays where it was put.
struct Table {
    host: Host,
    now: i32,
    row: UnitRow,
    gravity: f32,
    /// The buttons that its next ticks are driven with.
    pressed: Buttons,
    commands: Vec<Command>,
    outbox: Outbox,
}

impl Table {
    fn at(now: i32, position: Vec3) -> Self {
        let mut table = Self {
            host: Host::new(),
            now: now - 1,
            row: row(1, standing(position)),
            gravity: GRAVITY,
            pressed: Buttons::default(),
            commands: Vec::new(),
            outbox: Outbox::new(),
        };
        table.host.set_clients(MachineSet::CLIENTS);
        table.tick(None);
        table
    }

    /// The next tick, driven with that client tick's input.
    fn tick(&mut self, of: Option<i32>) {
        self.now += 1;
        self.commands.clear();
        self.outbox.begin(tick(self.now), self.now);
        let rows = core::slice::from_mut(&mut self.row);
        let mut inputs = [input(1, of)];
        inputs[0].input.buttons = self.pressed;
        self.host.after_tick(tick(self.now), self.gravity, rows, &inputs, &mut self.commands);
        self.host.tell(tick(self.now), rows, &places(rows), &inputs, &mut self.outbox);
    }

    fn ticks(&mut self, count: i32) {
        (0..count).for_each(|_| self.tick(None));
    }

    fn predict(&mut self, client: i32, position: Vec3) -> Result<(), Error> {
        self.host.handle_prediction(machine(1), tick(client), &alive(1, standing(position)))
    }

    /// A prediction and the tick that takes it; where the copy then is.
    fn take(&mut self, client: i32, position: Vec3) -> Vec3 {
        self.predict(client, position).unwrap();
        self.tick(Some(client));
        self.place()
    }

    fn place(&self) -> Vec3 {
        position(&self.row.state)
    }

    /// What the engine's next tick makes of a copy in the air.
    fn fall(&mut self) {
        let Life::Alive(living) = &mut self.row.state.life else { panic!("dead") };
        let placement = living.placement.as_mut().unwrap();
        placement.velocity.z -= self.gravity;
        placement.position += placement.velocity;
        self.row.grounded = false;
    }

    fn put(&mut self, placement: Placement) {
        self.row.state = alive(1, placement);
    }

    /// The client's tick that the state to the owner names.
    fn named(&self) -> Option<u16> {
        named_in(&self.outbox)
    }
}

/// The client's tick that the one state to machine 1 names.
pub(crate) fn named_in(outbox: &Outbox) -> Option<u16> {
    let states = states(outbox, machine(1));
    assert_eq!(states.len(), 1);
    match states[0].life {
        Life::Alive(unit) => unit.predicted,
        Life::Dead(_) => None,
    }
}

fn parts(outbox: &Outbox, to: Machine, mut each: impl FnMut(&Message<'_>)) {
    outbox.gather_datagrams(to, &mut BatchWriter::new(), |bytes| {
        let batch = Message::read(bytes).unwrap();
        Parts::of(&batch).for_each(|part| each(&part.unwrap()));
    });
}

fn states(outbox: &Outbox, to: Machine) -> Vec<UnitState> {
    let mut all = Vec::new();
    parts(outbox, to, |part| {
        if part.kind == Kind::UnitStates {
            all.extend(UnitState::read_all(part).map(Result::unwrap));
        }
    });
    all
}

fn actions(outbox: &Outbox, to: Machine) -> Vec<RelayedAction> {
    let mut all = Vec::new();
    parts(outbox, to, |part| {
        if part.kind == Kind::RelayedActions {
            all.extend(RelayedActions::read(part).unwrap().map(Result::unwrap));
        }
    });
    all
}
