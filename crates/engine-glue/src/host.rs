//! The host, assembled: it owns the crates' halves and says what comes after what. It decides nothing: each rule
//! is a crate's.
//!
//! A game runs [`Host::frame`] in every frame and, for each tick that [`Host::ticks_due`] counts,
//! [`Host::before_tick`], its own simulation of that one tick, and [`Host::after_tick`]; [`Host::tick`] is the
//! three in a row. The predictions are taken after the simulation: the copy is moved on with the client's input
//! first, and then the client's word on the same tick is heard.

use std::mem;

use mjolnir_authority::{self as authority, InputRow, UnitRow};
use mjolnir_clock as clock;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, HeldInputs};
use mjolnir_transport::host::Event;
use mjolnir_transport::{self as transport, Channel, HostSettings, Network, Reasons, Why};
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Kind, Machine, MachineSet, Message, Moment, Outbox, Slot, Tick};

use crate::counters::Counters;
use crate::departures::Departures;
use crate::engine::{Engine, Player, Role};

/// Where a host's game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Machines gather.
    Lobby,
    /// The engine loads; machines that were in the lobby load too.
    Loading,
    /// Ticks run.
    Playing,
    /// The game is over.
    Over,
}

/// What happened, for whoever shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The countdown has ended: the game should begin.
    StartDue,
    /// A machine was let in.
    Joined {
        /// Which.
        machine: Machine,
        /// Its name.
        name: String,
    },
    /// A machine has loaded and plays.
    Loaded {
        /// Which.
        machine: Machine,
    },
    /// A machine is gone.
    Left {
        /// Which.
        machine: Machine,
        /// Why.
        why: Why,
    },
    /// A client has been silent for two seconds.
    Silent {
        /// Which.
        machine: Machine,
    },
    /// A client's stream lives, and its datagrams do not come; or they come again.
    Datagrams {
        /// Whose.
        machine: Machine,
        /// Whether they come.
        come: bool,
    },
}

/// See the module's text.
#[derive(Debug)]
pub struct Host {
    transport: transport::Host,
    clock: clock::Host,
    pace: clock::Pace,
    inputs: HeldInputs,
    authority: authority::Host,
    objects: objects::Host,
    outbox: Outbox,
    stage: Stage,
    /// The machines that were in the lobby have loaded, or were waited for long enough.
    started: bool,
    /// Whose player each slot's is; none once it has left.
    owners: [Option<Machine>; MAX_PLAYERS],
    departures: Departures,
    notices: Vec<Notice>,
    refused: Reasons,
    scratch: Scratch,
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<UnitRow>,
    inputs: Vec<InputRow>,
    commands: Vec<authority::Command>,
    events: Vec<objects::Event>,
    pings: Vec<Ping>,
}

impl Host {
    /// In its lobby. `now` is when its clock begins to be measured.
    pub fn new(now: Moment, settings: HostSettings) -> Self {
        Self {
            transport: transport::Host::new(settings),
            clock: clock::Host::new(Tick::ZERO),
            pace: clock::Pace::new(now),
            inputs: HeldInputs::releasing(),
            authority: authority::Host::new(),
            objects: objects::Host::new(),
            outbox: Outbox::new(),
            stage: Stage::Lobby,
            started: false,
            owners: [None; MAX_PLAYERS],
            departures: Departures::default(),
            notices: Vec::new(),
            refused: Reasons::default(),
            scratch: Scratch::default(),
        }
    }

    /// Begins the game: its first tick is the one after `start`. The engine loads; the first tick is due once it
    /// has, and every machine of the lobby has or was waited for long enough.
    pub fn begin(&mut self, now: Moment, engine: &mut impl Engine, start: Tick) {
        if self.stage != Stage::Lobby {
            return;
        }
        self.stage = Stage::Loading;
        self.clock = clock::Host::new(start);
        self.transport.begin_game(now, start);
        engine.load(self.transport.record(), Role::Host);
    }

    /// Ends the game: everybody is told.
    pub fn end(&mut self, engine: &mut impl Engine) {
        if matches!(self.stage, Stage::Loading | Stage::Playing) {
            self.stage = Stage::Over;
            self.transport.end_game();
            engine.end();
        }
    }

    /// Leaves in order: every machine is told. The network still has to be given its transmits, by a last
    /// [`Host::frame`].
    pub fn leave(&mut self) {
        self.transport.leave();
    }

    /// Hears the network and does what waits for no tick. In the lobby and while loading at least every 5 ms.
    pub fn frame(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        self.receive(now, engine, network);
        if self.stage == Stage::Loading && self.started && engine.loaded() {
            self.start(now, engine);
        }
        if self.stage != Stage::Playing {
            // Nothing counts outside a game but what the lobby has; reading it is what empties the inbox.
            while self.transport.next_message().is_some() {}
        }
        self.transport.send(now, network);
    }

    /// How many ticks to run by now.
    pub fn ticks_due(&mut self, now: Moment) -> u32 {
        match self.stage {
            Stage::Playing => self.pace.due(now),
            _ => 0,
        }
    }

    /// When the next tick is due.
    pub const fn next_tick_at(&self) -> Moment {
        self.pace.next()
    }

    /// One tick: hears, drives, lets the engine simulate, takes, tells.
    pub fn tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) -> Tick {
        let tick = self.before_tick(now, engine, network);
        engine.simulate(tick);
        self.after_tick(now, engine, network);
        tick
    }

    /// Before the engine simulates the tick that this returns: what came is heard, and every unit is driven.
    pub fn before_tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) -> Tick {
        self.receive(now, engine, network);
        self.hear(now);
        let tick = self.clock.advance();
        self.departures.due(tick, |slot| {
            self.owners[slot.index()] = None;
            self.inputs.clear(slot);
            engine.remove_player(slot);
        });
        self.drive(tick, engine);
        tick
    }

    /// After the engine simulated the tick: predictions are taken, and everybody is told.
    pub fn after_tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        let tick = self.clock.tick();
        let Scratch { rows, inputs, commands, events, pings } = &mut self.scratch;
        self.outbox.begin(tick, self.clock.update());

        rows.clear();
        engine.read_units(rows);
        commands.clear();
        self.authority.after_tick(tick, engine.gravity(), rows, inputs, commands, &mut self.outbox);
        for command in commands.iter() {
            engine.apply_state(command);
        }

        pings.clear();
        for (index, owner) in (0..).zip(&self.owners) {
            if let (Some(slot), Some(owner)) = (Slot::new(index), owner) {
                pings.push(Ping { slot, milliseconds: self.clock.ping_ms(*owner) });
            }
        }
        self.authority.pings(tick, pings, &mut self.outbox);

        events.clear();
        engine.take_object_events(events);
        self.objects.after_tick(tick, events, |rows| engine.read_objects(rows), &mut self.outbox);

        let due = self.clock.updates_due();
        self.transport.send_update(due, self.clock.update(), tick);
        self.transport.flush(now, tick, &self.outbox, self.transport.in_game());
        self.clock.sent(now);
        self.transport.send(now, network);
    }

    /// What happened since this was last asked.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        mem::take(&mut self.notices)
    }

    /// Where the game stands.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// The tick simulated last.
    pub const fn now_tick(&self) -> Tick {
        self.clock.tick()
    }

    /// The session: who is in, what went each way.
    pub const fn transport(&self) -> &transport::Host {
        &self.transport
    }

    /// The clock: each client's round trip.
    pub const fn clock(&self) -> &clock::Host {
        &self.clock
    }

    /// What was taken of the clients' predictions, and how alike they moved.
    pub const fn authority(&mut self) -> &mut authority::Host {
        &mut self.authority
    }

    /// Everything counted, of every crate (GLUE-13).
    pub fn counters(&self) -> Counters {
        let mut counters = Counters::of(self.transport.counters(), &self.transport.totals());
        counters.add_refused(&self.refused);
        let takings = self.authority.takings();
        counters.add("past_tolerance", takings.past_tolerance);
        counters.add("past_bounds", takings.past_bounds);
        counters.unsendable = u64::from(self.outbox.unsendable());
        counters
    }

    fn receive(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        let tick = self.clock.tick();
        network.receive(now, &mut |event| self.transport.handle(now, tick, event));
        self.transport.poll(now, tick);
        while let Some(event) = self.transport.next_event() {
            self.happened(now, event, engine);
        }
        for machine in self.clock.fallen_silent(now).iter() {
            self.notices.push(Notice::Silent { machine });
        }
    }

    fn happened(&mut self, now: Moment, event: Event, engine: &mut impl Engine) {
        match event {
            Event::StartDue => self.notices.push(Notice::StartDue),
            Event::Started => self.started = true,
            Event::Joined { machine, name, .. } => {
                self.notices.push(Notice::Joined { machine, name: name.to_string() });
            }
            Event::PlayerAdded { player } => {
                self.owners[player.slot.index()] = Some(player.machine);
                if self.stage == Stage::Playing {
                    self.add_player(player.slot, engine);
                }
            }
            Event::PlayerRemoved { player, at } => match self.stage {
                Stage::Lobby | Stage::Loading => self.owners[player.slot.index()] = None,
                Stage::Playing | Stage::Over => self.departures.note(player.slot, at),
            },
            Event::Loaded { machine } => {
                self.clock.add_machine(now, machine);
                self.authority.set_clients(self.transport.in_game());
                if self.stage == Stage::Playing {
                    self.admit(machine, engine);
                }
                self.notices.push(Notice::Loaded { machine });
            }
            Event::DatagramsLost { machine } => self.notices.push(Notice::Datagrams { machine, come: false }),
            Event::DatagramsBack { machine } => self.notices.push(Notice::Datagrams { machine, come: true }),
            Event::Left { machine, why } => {
                self.clock.remove_machine(machine);
                self.objects.forget(machine);
                self.authority.set_clients(self.transport.in_game());
                self.notices.push(Notice::Left { machine, why });
            }
        }
    }

    /// The engine has loaded: its first tick is due a tick from now.
    fn start(&mut self, now: Moment, engine: &mut impl Engine) {
        self.stage = Stage::Playing;
        self.pace = clock::Pace::new(now);
        for slot in Slot::all() {
            if self.owners[slot.index()].is_some() {
                self.add_player(slot, engine);
            }
        }
    }

    /// The engine makes a player; one whose machine has loaded may have a unit.
    fn add_player(&mut self, slot: Slot, engine: &mut impl Engine) {
        let Some(player) = self.transport.player(slot) else { return };
        let (machine, name) = (player.machine, player.entry.name.to_string());
        engine.add_player(&Player {
            slot,
            machine,
            team: player.entry.team as u8,
            name: &name,
            local: (machine == Machine::HOST).then_some(player.entry.controller as u8),
        });
        if machine == Machine::HOST || self.transport.in_game().contains(machine) {
            engine.admit_player(slot);
        }
    }

    fn admit(&self, machine: Machine, engine: &mut impl Engine) {
        for player in self.transport.players().filter(|player| player.machine == machine) {
            engine.admit_player(player.slot);
        }
    }

    /// Hears every message that waits.
    fn hear(&mut self, now: Moment) {
        let tick = self.clock.tick();
        while let Some(received) = self.transport.next_message() {
            let transport::Received { from, channel, message } = received;
            // One that is not added plays no part yet: nothing of it is measured.
            let _ = self.clock.hear(now, from);
            match (message.kind, channel) {
                (Kind::PlayerPrediction, _) => {
                    for state in UnitState::read_all(&message) {
                        match state {
                            Ok(state) => count(
                                &mut self.refused,
                                self.authority
                                    .handle_prediction(from, message.tick, &state)
                                    .map_err(authority::Error::reason),
                            ),
                            Err(error) => self.refused.count(error.reason()),
                        }
                    }
                }
                (Kind::PlayerInputs, _) => {
                    let heard =
                        hear_inputs(&message, from, tick, &self.owners, &mut self.inputs, &mut self.refused);
                    if let Some(heard) = heard {
                        count(
                            &mut self.refused,
                            self.clock.handle_heard(now, from, heard).map_err(clock::Error::reason),
                        );
                    }
                }
                (Kind::ClientReady, Channel::Stream) => count(
                    &mut self.refused,
                    self.objects.handle_ready(tick, from).map_err(objects::Error::reason),
                ),
                _ => self.refused.count(NOT_YET),
            }
        }
    }

    /// Gives every living player's unit its input of this tick.
    fn drive(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { rows, inputs, .. } = &mut self.scratch;
        rows.clear();
        engine.read_units(rows);
        inputs.clear();
        for row in rows.iter().filter(|row| !row.left) {
            let (slot, machine) = (row.state.slot, row.machine);
            if machine == Machine::HOST {
                let input = engine.local_input(slot, tick);
                let history = [input.buttons, Default::default(), Default::default(), Default::default()];
                // Its own ticks only rise.
                let _ = self.inputs.handle(tick, slot, tick, &input, &history);
            }
            let Some(driven) = self.inputs.drive(tick, slot) else { continue };
            if let Some(unit) = row.living() {
                engine.apply_movement(&prediction::Command::Drive {
                    slot,
                    unit: unit.unit,
                    input: driven.input,
                });
            }
            let of = if machine == Machine::HOST { None } else { driven.of };
            inputs.push(InputRow { slot, machine, input: driven.input, history: driven.history, of });
        }
    }
}

/// A kind whose crate is not assembled yet: refused, and counted so.
pub(crate) const NOT_YET: &str = "not_handled";

pub(crate) fn count(refused: &mut Reasons, result: Result<(), &'static str>) {
    if let Err(reason) = result {
        refused.count(reason);
    }
}

/// Hears a kind 14; the newest host tick that it names.
fn hear_inputs(
    message: &Message<'_>,
    from: Machine,
    tick: Tick,
    owners: &[Option<Machine>; MAX_PLAYERS],
    inputs: &mut HeldInputs,
    refused: &mut Reasons,
) -> Option<Tick> {
    let mut heard = None;
    for entry in PlayerInput::read_all(message) {
        match entry {
            // AUTH-72: a machine speaks for its own players alone.
            Ok(entry) if owners[entry.slot.index()] == Some(from) => {
                heard = heard.max(Some(entry.host_tick));
                let taken = inputs.handle(tick, entry.slot, entry.tick, &entry.input, &entry.history);
                count(refused, taken.map_err(prediction::Error::reason));
            }
            Ok(_) => refused.count(authority::Error::NotOwned.reason()),
            Err(error) => refused.count(error.reason()),
        }
    }
    heard
}

/// The machines that a host sends to, but itself.
#[must_use]
pub fn clients_of(host: &Host) -> MachineSet {
    host.transport.in_game().intersection(MachineSet::CLIENTS)
}
