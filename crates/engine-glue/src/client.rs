//! A client, assembled: it owns the crates' halves and says what comes after what. It decides nothing: each rule
//! is a crate's.
//!
//! A game runs [`Client::frame`] in every frame and, for each tick that [`Client::ticks_due`] counts,
//! [`Client::tick`]; or the parts of one: [`Client::before_tick`], its own simulation of the tick that this
//! returned, and [`Client::after_tick`].

use std::mem;

use mjolnir_authority::{self as authority, PlayerRow, UnitRow};
use mjolnir_clock as clock;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, HostWord, OwnRow, Taps};
use mjolnir_transport::client::Event;
use mjolnir_transport::{self as transport, Channel, ClientSettings, Network, Reasons, Why};
use mjolnir_wire::inputs::RelayedActions;
use mjolnir_wire::limits::{MAX_LOCAL_PLAYERS, MAX_PLAYERS};
use mjolnir_wire::objects::ObjectChange;
use mjolnir_wire::packets::NetworkPlayer;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Input, Kind, Machine, Message, Moment, ObjectId, Outbox, Slot, Tick};

use crate::counters::Counters;
use crate::departures::Departures;
use crate::engine::{Engine, Player, Role};
use crate::host::{NOT_YET, count};

/// Where a client stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It asks to join.
    Joining,
    /// It waits in the lobby, or for the game's start.
    Lobby,
    /// Its engine loads, or it has loaded and waits for the host's first update.
    Loading,
    /// Ticks run.
    Playing,
    /// The game is over.
    Over,
    /// The session has ended.
    Closed,
}

/// What happened, for whoever shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The host let this machine in.
    Accepted {
        /// What this machine is.
        machine: Machine,
    },
    /// The lobby counts down.
    Countdown {
        /// Seconds left.
        seconds: i16,
    },
    /// The first tick is about to run.
    Began,
    /// A player came into the game.
    PlayerJoined {
        /// Its name.
        name: String,
    },
    /// A player left the game.
    PlayerLeft {
        /// Its slot.
        slot: Slot,
    },
    /// The host's stream lives, and its datagrams do not come; or they come again.
    Datagrams {
        /// Whether they come.
        come: bool,
    },
    /// The game is over.
    Over,
    /// The session has ended.
    Closed {
        /// Why.
        why: Why,
    },
}

/// See the module's text.
#[derive(Debug)]
pub struct Client {
    transport: transport::Client,
    clock: clock::Client,
    pace: clock::Pace,
    authority: authority::Client,
    prediction: prediction::Client,
    objects: objects::Client,
    outbox: Outbox,
    stage: Stage,
    /// The lobby counted down: the game begins for everybody, and this machine joins nothing in progress.
    counted: bool,
    own: Vec<Slot>,
    taps: [Taps; MAX_LOCAL_PLAYERS],
    /// The slots that the engine has players at.
    players: [bool; MAX_PLAYERS],
    departures: Departures,
    notices: Vec<Notice>,
    refused: Reasons,
    scratch: Scratch,
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<UnitRow>,
    players: Vec<PlayerRow>,
    units: Vec<prediction::UnitRow>,
    present: Vec<ObjectId>,
    local: Vec<(Slot, Input)>,
    own: Vec<OwnRow>,
    states: Vec<authority::Command>,
    movements: Vec<prediction::Command>,
    objects: Vec<objects::Command>,
}

impl Client {
    /// Waits for the stream that its network was asked to open.
    pub fn new(now: Moment, settings: ClientSettings) -> Self {
        Self {
            transport: transport::Client::new(now, settings),
            clock: clock::Client::new(now),
            pace: clock::Pace::new(now),
            authority: authority::Client::new(),
            prediction: prediction::Client::new(),
            objects: objects::Client::new(),
            outbox: Outbox::new(),
            stage: Stage::Joining,
            counted: false,
            own: Vec::with_capacity(MAX_LOCAL_PLAYERS),
            taps: [Taps::new(); MAX_LOCAL_PLAYERS],
            players: [false; MAX_PLAYERS],
            departures: Departures::default(),
            notices: Vec::new(),
            refused: Reasons::default(),
            scratch: Scratch::default(),
        }
    }

    /// Leaves in order: the host is told. The network still has to be given its transmits, by a last
    /// [`Client::frame`].
    pub fn leave(&mut self) {
        self.transport.leave();
    }

    /// Hears the network and does what waits for no tick, and samples the controls. In the lobby and while loading
    /// at least every 5 ms.
    pub fn frame(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        self.receive(now, engine, network);
        if self.stage == Stage::Loading {
            self.load(now, engine);
        }
        match self.stage {
            Stage::Playing => {
                for (slot, taps) in self.own.iter().zip(&mut self.taps) {
                    taps.press(engine.frame_buttons(*slot));
                }
            }
            // What is heard of a game before its first tick is the tick's.
            Stage::Loading => {}
            _ => while self.transport.next_message().is_some() {},
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

    /// One tick: hears, drives and corrects, lets the engine simulate, tells the host.
    pub fn tick(
        &mut self,
        now: Moment,
        engine: &mut impl Engine,
        network: &mut impl Network,
    ) -> Option<Tick> {
        let tick = self.before_tick(now, engine, network)?;
        engine.simulate(tick);
        self.after_tick(now, tick, engine, network);
        Some(tick)
    }

    /// Before the engine simulates the tick that this returns; none when there is none to simulate.
    pub fn before_tick(
        &mut self,
        now: Moment,
        engine: &mut impl Engine,
        network: &mut impl Network,
    ) -> Option<Tick> {
        self.receive(now, engine, network);
        if self.stage != Stage::Playing {
            return None;
        }
        self.hear(now);
        let tick = self.clock.advance()?;
        self.outbox.begin(tick, 0);
        self.departures.due(tick, |slot| {
            self.players[slot.index()] = false;
            self.prediction.forget(slot);
            engine.remove_player(slot);
            self.notices.push(Notice::PlayerLeft { slot });
        });

        let Scratch { rows, players, present, objects, states, .. } = &mut self.scratch;
        present.clear();
        engine.read_object_ids(present);
        objects.clear();
        self.objects.tick(tick, present, objects, &mut self.outbox);
        for command in objects.iter() {
            engine.apply_object(command);
        }

        rows.clear();
        engine.read_units(rows);
        players.clear();
        players.extend(rows.iter().filter(|row| !row.left).map(player_row));
        states.clear();
        self.authority.before_tick(players, |object| self.objects.exists(object), states);
        for command in states.iter() {
            engine.apply_state(command);
        }
        self.pass_words(now, tick);
        self.move_units(tick, engine);
        Some(tick)
    }

    /// Hands the host's words on places to prediction.
    fn pass_words(&mut self, now: Moment, tick: Tick) {
        for word in self.authority.words() {
            let predicted = word.predicted.and_then(|low| Tick::widen_not_after(tick, low));
            if let (Some(named), true) = (predicted, self.own.contains(&word.slot)) {
                self.clock.handle_named(now, named);
            }
            let word_on = HostWord { tick: word.tick, placement: word.placement, predicted };
            let handled = self.prediction.handle_word(word.slot, word_on);
            count(&mut self.refused, handled.map_err(prediction::Error::reason));
        }
    }

    /// Drives and corrects every unit.
    fn move_units(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { rows, units, local, states, movements, .. } = &mut self.scratch;
        if !states.is_empty() {
            rows.clear();
            engine.read_units(rows);
        }
        units.clear();
        units.extend(rows.iter().filter(|row| !row.left).filter_map(unit_row));
        local.clear();
        for (slot, taps) in self.own.iter().zip(&mut self.taps) {
            let mut input = engine.local_input(*slot, tick);
            input.buttons = input.buttons.union(taps.take());
            local.push((*slot, input));
        }
        movements.clear();
        self.prediction.before_tick(tick, units, local, movements);
        for command in movements.iter() {
            engine.apply_movement(command);
        }
    }

    /// After the engine simulated that tick: notes where the own players are, and tells the host.
    pub fn after_tick(
        &mut self,
        now: Moment,
        tick: Tick,
        engine: &mut impl Engine,
        network: &mut impl Network,
    ) {
        let Scratch { rows, units, own, .. } = &mut self.scratch;
        rows.clear();
        engine.read_units(rows);
        units.clear();
        units.extend(rows.iter().filter(|row| !row.left).filter_map(unit_row));
        own.clear();
        own.extend(self.own.iter().map(|slot| OwnRow {
            slot: *slot,
            structure_bsp: Some(0),
            friendly_fire: false,
        }));
        self.prediction.after_tick(tick, self.clock.heard(), units, own, &mut self.outbox);
        self.transport.set_next_update(self.clock.next_update());
        self.transport.flush(&self.outbox);
        self.clock.sent(now, tick);
        self.transport.send(now, network);
    }

    /// What happened since this was last asked.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        mem::take(&mut self.notices)
    }

    /// Where this client stands.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// This machine's players.
    pub fn own_slots(&self) -> &[Slot] {
        &self.own
    }

    /// The session: the settings, what went each way.
    pub const fn transport(&self) -> &transport::Client {
        &self.transport
    }

    /// The clock: the own tick, the host's, the round trip.
    pub const fn clock(&self) -> &clock::Client {
        &self.clock
    }

    /// The host's word on players: pings among it.
    pub const fn authority(&self) -> &authority::Client {
        &self.authority
    }

    /// The corrections made.
    pub const fn prediction(&self) -> &prediction::Client {
        &self.prediction
    }

    /// The host's objects.
    pub const fn objects(&self) -> &objects::Client {
        &self.objects
    }

    /// Everything counted, of every crate (GLUE-13).
    pub fn counters(&self) -> Counters {
        let mut counters = Counters::of(self.transport.counters(), &self.transport.traffic());
        counters.add_refused(&self.refused);
        counters.corrected = self.prediction.corrected();
        counters.own_corrections = self.prediction.own_corrections();
        counters.unsendable = u64::from(self.outbox.unsendable());
        counters
    }

    fn receive(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        network.receive(now, &mut |event| self.transport.handle(now, event));
        self.transport.poll(now);
        while let Some(event) = self.transport.next_event() {
            self.happened(now, event, engine);
        }
    }

    fn happened(&mut self, now: Moment, event: Event, engine: &mut impl Engine) {
        match event {
            Event::Accepted { machine, .. } => {
                self.stage = Stage::Lobby;
                self.notices.push(Notice::Accepted { machine });
            }
            Event::Settings => {}
            Event::Countdown { seconds } => {
                self.counted = true;
                self.notices.push(Notice::Countdown { seconds });
            }
            Event::Begin { time_low16 } => self.begin(now, time_low16, engine),
            Event::PlayerAdded { player } => {
                if matches!(self.stage, Stage::Loading | Stage::Playing) {
                    self.add_player(&player, engine);
                }
            }
            Event::PlayerRemoved { player, at } => {
                if let Some(slot) = player.slot() {
                    self.departures.note(slot, at);
                }
            }
            Event::Update { number, tick } => {
                self.clock.handle_update(now, number, tick);
                if self.stage == Stage::Loading {
                    self.stage = Stage::Playing;
                    self.pace = clock::Pace::new(now);
                    self.objects.loaded(tick);
                    self.notices.push(Notice::Began);
                }
            }
            Event::DatagramsLost => self.notices.push(Notice::Datagrams { come: false }),
            Event::DatagramsBack => self.notices.push(Notice::Datagrams { come: true }),
            Event::Over => {
                self.stage = Stage::Over;
                engine.end();
                self.notices.push(Notice::Over);
            }
            Event::Lobby => {
                self.stage = Stage::Lobby;
                self.counted = false;
            }
            Event::Closed { why } => {
                if matches!(self.stage, Stage::Loading | Stage::Playing) {
                    engine.end();
                }
                self.stage = Stage::Closed;
                self.notices.push(Notice::Closed { why });
            }
        }
    }

    /// The host's start: the engine loads, and everything of an earlier game is forgotten.
    fn begin(&mut self, now: Moment, time_low16: u16, engine: &mut impl Engine) {
        let Some(record) = self.transport.record() else { return };
        engine.load(record, Role::Client);
        self.stage = Stage::Loading;
        self.clock = clock::Client::new(now);
        if !self.counted {
            self.clock.begin(time_low16);
        }
        self.pace = clock::Pace::new(now);
        self.authority = authority::Client::new();
        self.prediction = prediction::Client::new();
        self.objects = objects::Client::new();
        self.own.clear();
        self.players = [false; MAX_PLAYERS];
        self.departures.clear();
    }

    /// Counts the ticks spent loading (CLOCK-04), and says so once the engine has loaded.
    fn load(&mut self, now: Moment, engine: &mut impl Engine) {
        for _ in 0..self.pace.due(now) {
            self.clock.advance();
        }
        if self.transport.is_in_game() || !engine.loaded() {
            return;
        }
        let listed: Vec<NetworkPlayer> =
            self.transport.record().map(|record| record.players().to_vec()).unwrap_or_default();
        for player in &listed {
            self.add_player(player, engine);
        }
        self.transport.loaded(now);
    }

    /// The engine makes a player at its slot.
    fn add_player(&mut self, player: &NetworkPlayer, engine: &mut impl Engine) {
        let (Some(slot), Some(machine)) = (player.slot(), player.machine()) else { return };
        if mem::replace(&mut self.players[slot.index()], true) {
            return;
        }
        let name = player.name.to_string();
        let is_own = self.transport.machine() == Some(machine);
        engine.add_player(&Player {
            slot,
            machine,
            team: player.team as u8,
            name: &name,
            local: is_own.then_some(player.controller as u8),
        });
        if is_own && self.own.len() < MAX_LOCAL_PLAYERS {
            self.own.push(slot);
            self.prediction.set_own(&self.own);
        }
        self.notices.push(Notice::PlayerJoined { name });
    }

    /// Hears every message that waits.
    fn hear(&mut self, now: Moment) {
        let Some(tick) = self.clock.tick() else { return };
        while let Some(received) = self.transport.next_message() {
            let transport::Received { channel, message, .. } = received;
            match channel {
                Channel::Stream => self.clock.hear_stream(now, message.tick),
                Channel::Datagram => self.clock.hear_datagram(now, message.tick),
            }
            match message.kind {
                Kind::UnitStates => {
                    for state in UnitState::read_all(&message) {
                        take(&mut self.refused, state, |state| {
                            self.authority
                                .handle_state(message.tick, &state)
                                .map_err(authority::Error::reason)
                        });
                    }
                }
                Kind::RelayedActions => {
                    hear_actions(&message, tick, &mut self.prediction, &mut self.refused);
                }
                Kind::ObjectChanges => {
                    for change in ObjectChange::read_all(&message) {
                        take(&mut self.refused, change, |change| {
                            self.objects.handle_change(&change).map_err(objects::Error::reason)
                        });
                    }
                }
                Kind::ObjectsSynchronized => self.objects.handle_synchronized(),
                Kind::Pings => {
                    for ping in Ping::read_all(&message) {
                        take(&mut self.refused, ping, |ping| {
                            self.authority.handle_ping(message.tick, &ping).map_err(authority::Error::reason)
                        });
                    }
                }
                _ => self.refused.count(NOT_YET),
            }
        }
    }
}

/// Takes one entry, or counts why it was refused.
fn take<T>(
    refused: &mut Reasons,
    entry: Result<T, mjolnir_wire::Error>,
    handle: impl FnOnce(T) -> Result<(), &'static str>,
) {
    let handled = match entry {
        Ok(entry) => handle(entry),
        Err(error) => Err(error.reason()),
    };
    count(refused, handled);
}

/// Hears a kind 15.
fn hear_actions(
    message: &Message<'_>,
    tick: Tick,
    prediction: &mut prediction::Client,
    refused: &mut Reasons,
) {
    match RelayedActions::read(message) {
        Ok(actions) => {
            for action in actions {
                take(refused, action, |action| {
                    prediction.handle_relayed(tick, message.tick, &action).map_err(prediction::Error::reason)
                });
            }
        }
        Err(error) => refused.count(error.reason()),
    }
}

fn player_row(row: &UnitRow) -> PlayerRow {
    PlayerRow { slot: row.state.slot, unit: row.living().map(|unit| unit.unit) }
}

fn unit_row(row: &UnitRow) -> Option<prediction::UnitRow> {
    let unit = row.living()?;
    Some(prediction::UnitRow {
        slot: row.state.slot,
        unit: unit.unit,
        placement: unit.placement,
        grounded: row.grounded,
    })
}
