//! A client, assembled: it owns the crates' halves and says what comes after what. It decides nothing: each rule
//! is a crate's.
//!
//! A game runs [`Client::frame`] in every frame and, for each tick that [`Client::ticks_due`] counts,
//! [`Client::tick`]; or the parts of one: [`Client::before_tick`], its own simulation of the tick that this
//! returned, and [`Client::after_tick`].

use mjolnir_anticheat as anticheat;
use mjolnir_authority::{self as authority, PlayerRow, StatisticsRow, UnitRow, VehicleRow};
use mjolnir_clock as clock;
use mjolnir_coop as coop;
use mjolnir_damage as damage;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, OwnRow, Rows};
use mjolnir_transport::{self as transport, ClientSettings, Network, Why};
use mjolnir_wire::damage::{DamageAnimation, Hit};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::{NetworkPlayer, StartRequest};
use mjolnir_wire::{Input, Machine, Moment, ObjectId, Outbox, Slot, Tick};

use crate::counters::{Counters, Hits};
use crate::departures::Departures;
use crate::engine::Engine;
use crate::locals::Locals;
use crate::notices::Notices;
use crate::refusing::Refusing;

mod following;
mod harming;
mod hearing;
mod joining;
mod losses;
mod obeying;
mod rows;
mod scoring;
mod scripting;
mod sharing;
mod showing;
mod talking;

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
    /// The host has been silent for two seconds in play: "Connection problem"; or it is heard again.
    Problem {
        /// Whether it is silent.
        is_silent: bool,
    },
    /// A line of the host's, to be shown in red (kind 17).
    Said {
        /// Its text.
        text: String,
    },
    /// The game's map is not here and cannot be had: the session is left, and its [`Notice::Closed`] follows.
    NoMap {
        /// Why, as players read it.
        why: String,
    },
    /// The game is over.
    Over,
    /// Back in the lobby.
    Lobby,
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
    /// Ticks that were due when that was last asked, and are still to come.
    due: u32,
    authority: authority::Client,
    prediction: prediction::Client,
    losses: losses::Losses,
    objects: objects::Client,
    scripting: scripting::Scripting,
    scores: authority::ScoresClient,
    damage: damage::Client,
    talking: talking::Talking,
    conduct: anticheat::Client,
    sharing: sharing::Sharing,
    outbox: Outbox,
    stage: Stage,
    /// A countdown (7) was heard since this machine was let in, or came back to the lobby. It is the only sign by
    /// which a game's own start differs from a join in progress, since the begin (8) is alike: our hosts say a
    /// countdown to every machine of the lobby, be it its end alone, and none to one that joins in progress. With
    /// it there is no game time before the first update (CLOCK-03); without it the begin's 16 bits are the time
    /// (CLOCK-04). Where another host begins without a countdown, this machine counts from those bits, and may be
    /// ahead of the host by as long as its own loading took; it never goes back.
    counted: bool,
    own: Locals,
    /// The slots that the engine has players at.
    players: [bool; MAX_PLAYERS],
    departures: Departures,
    notices: Notices<Notice>,
    /// The host's silence was told, its datagrams do not come, and it said that this machine's do not.
    is_silent: bool,
    is_one_path: bool,
    is_unheard: bool,
    has_meter: bool,
    refused: Refusing,
    /// What the crates counted in earlier games.
    earlier: Counters,
    /// All that was counted when this game began.
    at_begin: Counters,
    /// The game that was begun last is over, by its host's word.
    is_over: bool,
    scratch: Scratch,
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<UnitRow>,
    players: Vec<PlayerRow>,
    units: Vec<prediction::UnitRow>,
    vehicles: Vec<VehicleRow>,
    driven: Vec<prediction::VehicleRow>,
    present: Vec<objects::ObjectRow>,
    living: Vec<ObjectId>,
    carried: Vec<objects::CarryRow>,
    local: Vec<(Slot, Input)>,
    own: Vec<OwnRow>,
    states: Vec<authority::Command>,
    movements: Vec<prediction::Command>,
    objects: Vec<objects::Command>,
    actors: Vec<objects::ActorCommand>,
    picks: Vec<DamageAnimation>,
    teleported: Vec<Slot>,
    statistics: Vec<StatisticsRow>,
    damage: Vec<damage::Command>,
    hits: Vec<Hit>,
}

impl Client {
    /// Waits for the stream that its network was asked to open.
    pub fn new(now: Moment, settings: ClientSettings) -> Self {
        let mut transport = transport::Client::new(now, settings);
        transport.set_gated(true);
        Self {
            transport,
            clock: clock::Client::new(now),
            pace: clock::Pace::new(now),
            due: 0,
            authority: authority::Client::new(),
            prediction: prediction::Client::new(),
            losses: losses::Losses::default(),
            objects: objects::Client::new(),
            scripting: scripting::Scripting::default(),
            scores: authority::ScoresClient::new(0),
            damage: damage::Client::new(),
            talking: talking::Talking::default(),
            conduct: anticheat::Client::new(),
            sharing: sharing::Sharing::default(),
            outbox: Outbox::new(),
            stage: Stage::Joining,
            counted: false,
            own: Locals::default(),
            players: [false; MAX_PLAYERS],
            departures: Departures::default(),
            notices: Notices::default(),
            is_silent: false,
            is_one_path: false,
            is_unheard: false,
            has_meter: false,
            refused: Refusing::default(),
            earlier: Counters::default(),
            at_begin: Counters::default(),
            is_over: false,
            scratch: Scratch::default(),
        }
    }

    /// Asks the host to begin the countdown, or to stop it. Nothing outside the lobby.
    pub fn ask_start(&mut self, request: StartRequest) {
        self.transport.ask_start(request);
    }

    /// One more player of this machine, at the next of its controllers: asked of the host at once, or once it has let the
    /// machine in. False, and nothing is asked, where the machine has four.
    pub fn ask_player(&mut self, player: NetworkPlayer) -> bool {
        self.transport.ask_player(player)
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
        self.share(now, engine);
        self.begin_if_waited(now, engine);
        self.obey(engine);
        self.hold_mouse(engine);
        if self.stage == Stage::Loading {
            self.load(now, engine);
        }
        match self.stage {
            Stage::Playing => self.own.sample(engine),
            // What is heard of a game before its first tick is the tick's.
            Stage::Loading => {}
            Stage::Joining | Stage::Lobby | Stage::Over | Stage::Closed => {
                self.hear_outside(now, engine);
                self.talk_outside(now, engine);
            }
        }
        self.transport.send(now, network);
    }

    /// How many ticks to run by now.
    pub fn ticks_due(&mut self, now: Moment) -> u32 {
        match self.stage {
            Stage::Playing => {
                self.due = self.pace.due(now);
                self.due
            }
            _ => 0,
        }
    }

    /// When the next tick is due; none outside play.
    pub const fn next_tick_at(&self) -> Option<Moment> {
        match self.stage {
            Stage::Playing => Some(self.pace.next()),
            _ => None,
        }
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
        self.hear(now, engine);
        self.obey(engine);
        // Of many that are due at once, as after a stall, the last jumps.
        let more_are_due = self.due > 1;
        self.due = self.due.saturating_sub(1);
        let tick = if more_are_due { self.clock.catch_up() } else { self.clock.advance() }?;
        self.outbox.begin(tick, 0);
        while let Some(slot) = self.departures.next_due(tick) {
            self.remove_player(slot, engine);
        }

        // What lies on a platform that is put elsewhere goes with it.
        self.follow_level(tick, engine);
        self.follow_objects(tick, engine);
        self.follow_scripts(engine);
        self.follow_damage(tick, engine);
        self.follow_scores(engine);
        // The units were read for the objects' sake, and nothing that objects did since moves a living player's.
        let Scratch { rows, players, states, .. } = &mut self.scratch;
        players.clear();
        players.extend(rows.iter().filter(|row| !row.left).map(rows::player));
        states.clear();
        self.authority.before_tick(players, |object| self.objects.exists(object), states);
        self.follow_states(tick, engine);
        self.pass_words(now, tick);
        self.move_units(tick, engine);
        Some(tick)
    }

    /// Drives and corrects every unit.
    fn move_units(&mut self, tick: Tick, engine: &mut impl Engine) {
        let round_trip = self.round_trip();
        let Scratch { rows, states, .. } = &mut self.scratch;
        if !states.is_empty() {
            rows.clear();
            engine.read_units(rows);
        }
        self.scratch.take_rows(engine);
        let Scratch { units, driven, local, movements, .. } = &mut self.scratch;
        local.clear();
        for at in 0..self.own.slots().len() {
            let slot = self.own.slots()[at];
            local.push((slot, self.scripting.input(self.own.input(slot, tick, engine))));
        }
        movements.clear();
        let rows = Rows { units, vehicles: driven };
        let exists = |object| self.objects.exists(object);
        self.prediction.set_late(self.losses.late(tick));
        self.prediction.before_tick(tick, round_trip, rows, local, exists, movements);
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
        let Scratch { rows, teleported, .. } = &mut self.scratch;
        teleported.clear();
        engine.take_teleports(teleported);
        for slot in teleported.iter() {
            self.prediction.handle_teleport(*slot);
        }
        rows.clear();
        engine.read_units(rows);
        self.scratch.take_rows(engine);
        let Scratch { units, driven, own, .. } = &mut self.scratch;
        own.clear();
        own.extend(self.own.slots().iter().map(|slot| OwnRow {
            slot: *slot,
            structure_bsp: Some(0),
            friendly_fire: false,
        }));
        let rows = Rows { units, vehicles: driven };
        self.prediction.after_tick(tick, self.clock.heard(), rows, own, &mut self.outbox);
        self.report_hits(engine);
        self.tell_talk();
        self.conduct.tell(engine.discord(), &mut self.outbox);
        self.transport.set_next_update(self.clock.next_update());
        self.transport.flush(&self.outbox);
        self.step_voice(now, engine);
        self.clock.sent(now, tick);
        self.transport.send(now, network);
    }

    /// What happened since this was last asked: the newest [`NOTICES_KEPT`](crate::NOTICES_KEPT).
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.notices.take()
    }

    /// Where this client stands.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// This machine's players.
    pub fn own_slots(&self) -> &[Slot] {
        self.own.slots()
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

    /// The host's devices.
    pub const fn devices(&self) -> &coop::DeviceClient {
        self.scripting.devices()
    }

    /// The host's word on scores: statistics, the game type's state.
    pub const fn scores(&self) -> &authority::ScoresClient {
        &self.scores
    }

    /// The hits reported, and the host's word on damage replayed.
    pub const fn damage(&self) -> &damage::Client {
        &self.damage
    }

    /// Everything counted, of every crate (GLUE-13).
    pub fn counters(&self) -> Counters {
        let mut counters = self.earlier.clone();
        counters.add_session(self.transport.counters(), &self.transport.traffic());
        counters.add_refused(self.refused.reasons());
        self.count_game(&mut counters);
        counters.unsendable = u64::from(self.outbox.unsendable());
        counters
    }

    /// What of that was counted since the game began, as each second's line has it (TOOL-66).
    pub fn game_counters(&self) -> Counters {
        self.counters().since(&self.at_begin)
    }

    /// Whether the host has said that the game which was begun last is over. It stays over until another begins, whatever
    /// becomes of the session; one that is lost in play was not over.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Adds what the crates counted in this game.
    fn count_game(&self, counters: &mut Counters) {
        counters.corrected += self.prediction.corrected();
        counters.own_corrections += self.prediction.own_corrections();
        counters.own_vehicle_corrections += self.prediction.own_vehicle_corrections();
        counters.needless_deletions += u64::from(self.objects.needless_deletions());
        counters.failed += u64::from(self.objects.failed());
        counters.removed += u64::from(self.objects.removed());
        let ignored = self.objects.ignored();
        counters.add("unknown_object", ignored.unknown);
        counters.add("stale_object", ignored.stale);
        counters.add("wrong_class", ignored.wrong_class);
        counters.add("no_such_animation", ignored.no_animation);
        self.scripting.count(counters);
        counters.add("unannounced", self.scores.unannounced());
        counters.add(damage::Error::Unknown.reason(), self.damage.ignored());
        counters.add(damage::Error::NoSuchPart.reason(), self.damage.misfits());
        let (reported, replayed) = (self.damage.reported(), self.damage.replayed());
        counters.hits.add(Hits { reported, replayed, ..Hits::default() });
    }

    fn receive(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        network.receive(now, &mut |event| self.transport.handle(now, event));
        self.transport.poll(now);
        while let Some(event) = self.transport.next_event() {
            self.happened(now, event, engine);
        }
        self.hear_voices(now, engine);
        // Outside a game a host has nothing to say each tick.
        self.clock.hear(self.transport.heard());
        let is_silent = self.stage == Stage::Playing && self.clock.has_problem(now);
        if std::mem::replace(&mut self.is_silent, is_silent) != is_silent && self.stage == Stage::Playing {
            self.notices.push(Notice::Problem { is_silent });
        }
    }
}
