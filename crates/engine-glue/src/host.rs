//! The host, assembled: it owns the crates' halves and says what comes after what. It decides nothing: each rule
//! is a crate's.
//!
//! A game runs [`Host::frame`] in every frame and, for each tick that [`Host::ticks_due`] counts,
//! [`Host::before_tick`], its own simulation of that one tick, and [`Host::after_tick`]; [`Host::tick`] is the
//! three in a row. The predictions are taken after the simulation: the copy is moved on with the client's input
//! first, and then the client's word on the same tick is heard.

use mjolnir_anticheat::Removal;
use mjolnir_authority::{self as authority, InputRow, StatisticsRow, UnitRow, VehicleRow, VisibleSet};
use mjolnir_clock as clock;
use mjolnir_damage as damage;
use mjolnir_objects as objects;
use mjolnir_prediction::{self as prediction, HeldInputs};
use mjolnir_transport::{self as transport, HostSettings, Network, Why, texts};
use mjolnir_wire::damage::DamageEvent;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot, Tick, Vec3, session};

use crate::counters::{Counters, Hits};
use crate::departures::Departures;
use crate::engine::{Engine, Seen};
use crate::locals::Locals;
use crate::notices::Notices;
use crate::refusing::Refusing;

mod acting;
mod harming;
mod hearing;
mod joining;
mod judging;
mod scoring;
mod scripting;
mod sharing;
mod showing;
mod talking;
mod telling;

/// Where a host's game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Machines gather.
    Lobby,
    /// The engine loads, and so do the machines that were in the lobby. Nobody is let in.
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
    /// A machine is about to go, since it was kicked, banned or voted out, or its clock ran too fast; its [`Notice::Left`]
    /// follows.
    Removed {
        /// Which.
        machine: Machine,
        /// What by.
        by: Removal,
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
    /// A line that this machine shows in red, as every machine of the game does, or it alone (GLUE-14).
    Said {
        /// The line.
        text: String,
    },
}

/// See the module's text.
#[derive(Debug)]
pub struct Host {
    transport: transport::Host,
    clock: clock::Host,
    pace: clock::Pace,
    inputs: HeldInputs,
    acting: acting::Acting,
    authority: authority::Host,
    objects: objects::Host,
    scripting: scripting::Scripting,
    scores: authority::ScoresHost,
    damage: damage::Host,
    talking: talking::Talking,
    judging: judging::Judging,
    sharing: sharing::Sharing,
    /// Reports of hits that were refused before anybody looked at them.
    unread_hits: u64,
    outbox: Outbox,
    stage: Stage,
    /// The engine has loaded.
    is_loaded: bool,
    /// The machines that have loaded, itself among them, as far as its events were taken: the session is ahead of
    /// these, and a player is admitted once, after it was added.
    loaded: MachineSet,
    /// Whose player each slot's is; none once its leaving was told, so that whoever has its machine's index next
    /// does not speak for it.
    owners: [Option<Machine>; MAX_PLAYERS],
    locals: Locals,
    departures: Departures,
    notices: Notices<Notice>,
    /// Machines that are to be told whether their datagrams come (NET-76).
    to_tell: Vec<(Machine, bool)>,
    has_meter: bool,
    refused: Refusing,
    /// What the crates counted in earlier games.
    earlier: Counters,
    /// All that was counted when this game began.
    at_begin: Counters,
    scratch: Scratch,
}

/// The tick after which a game begins that is to begin after `start`, where the last tick of the game before was `own` here and the
/// last that its messages bear is `last`: what is on its way of that game, and stamped within the window in which stamps are
/// believed, is then older than all of this.
fn begins_at(start: Tick, own: Tick, last: Tick) -> Tick {
    let is_near = last >= start && own.since(start) <= transport::STAMP_WINDOW;
    // Before the first game there is no last tick.
    if is_near && last > Tick::ZERO { last.next() } else { start }
}

/// Buffers that keep their capacity from tick to tick.
#[derive(Debug, Default)]
struct Scratch {
    rows: Vec<UnitRow>,
    vehicles: Vec<VehicleRow>,
    inputs: Vec<InputRow>,
    commands: Vec<authority::Command>,
    events: Vec<objects::Event>,
    objects: Vec<objects::ObjectRow>,
    carries: Vec<objects::CarryRow>,
    places: Vec<Option<Vec3>>,
    views: Vec<objects::Viewpoint>,
    actors: Vec<objects::ActorRow>,
    picks: Vec<objects::PickRow>,
    pings: Vec<Ping>,
    statistics: Vec<StatisticsRow>,
    pickups: Vec<Pickup>,
    teleported: Vec<Slot>,
    harmed: Vec<damage::PlayerRow>,
    targets: Vec<damage::TargetRow>,
    throws: Vec<damage::Throw>,
    dealt: Vec<DamageEvent>,
}

impl Host {
    /// In its lobby. `now` is when its clock begins to be measured.
    pub fn new(now: Moment, settings: HostSettings) -> Self {
        let mut transport = transport::Host::new(settings);
        transport.set_gated(true);
        Self {
            transport,
            clock: clock::Host::new(Tick::ZERO),
            pace: clock::Pace::new(now),
            inputs: HeldInputs::releasing(),
            acting: acting::Acting::new(),
            authority: authority::Host::new(),
            objects: objects::Host::new(),
            scripting: scripting::Scripting::default(),
            scores: authority::ScoresHost::new(),
            damage: damage::Host::new(),
            talking: talking::Talking::default(),
            judging: judging::Judging::default(),
            sharing: sharing::Sharing::default(),
            unread_hits: 0,
            outbox: Outbox::new(),
            stage: Stage::Lobby,
            is_loaded: false,
            loaded: MachineSet::HOST,
            owners: [None; MAX_PLAYERS],
            locals: Locals::default(),
            departures: Departures::default(),
            notices: Notices::default(),
            to_tell: Vec::new(),
            has_meter: false,
            refused: Refusing::default(),
            earlier: Counters::default(),
            at_begin: Counters::default(),
            scratch: Scratch::default(),
        }
    }

    /// Begins the game: its first tick is the one after `start`, or after the last tick of the game before, its clients' too where
    /// they were ahead, where datagrams of that one could pass for this one's. The engine loads; the first tick is due once it
    /// has, and every machine of the lobby has or was waited for long enough. Nothing outside the lobby.
    pub fn begin(&mut self, now: Moment, engine: &mut impl Engine, start: Tick) {
        if self.stage != Stage::Lobby {
            return;
        }
        // What was said in the lobby is told there: who loads is told of nothing.
        self.talk_outside(now, engine);
        let own = self.clock.tick();
        let start = begins_at(start, own, self.judging.last_stamp(own));
        let mut earlier = std::mem::take(&mut self.earlier);
        self.count_game(&mut earlier);
        self.earlier = earlier;
        self.stage = Stage::Loading;
        self.is_loaded = false;
        self.loaded = MachineSet::HOST;
        self.clock = clock::Host::new(start);
        self.inputs = HeldInputs::releasing();
        self.acting = acting::Acting::new();
        self.authority = authority::Host::new();
        self.objects = objects::Host::new();
        self.scripting = scripting::Scripting::default();
        self.scores = authority::ScoresHost::new();
        self.damage = damage::Host::new();
        self.judging.conduct.begin_game(now);
        self.unread_hits = 0;
        self.departures.clear();
        self.to_tell.clear();
        self.at_begin = self.counters();
        self.begin_on_map(now, start, engine);
    }

    /// Ends the game: everybody is told, and sees the scores until [`Host::to_lobby`].
    pub fn end(&mut self, engine: &mut impl Engine) {
        if matches!(self.stage, Stage::Loading | Stage::Playing) {
            self.stage = Stage::Over;
            self.transport.end_game();
            self.end_engine(engine);
        }
    }

    /// The engine's game is over, if it was begun.
    fn end_engine(&mut self, engine: &mut impl Engine) {
        if self.sharing.begins_at.take().is_none() {
            engine.end();
        }
    }

    /// Back to the lobby with everybody who is there; a game that goes on ends. The next one begins as the first did,
    /// of the same settings; [`Host::begin_next`] begins one of others.
    pub fn to_lobby(&mut self, now: Moment, engine: &mut impl Engine) {
        if self.stage == Stage::Lobby {
            return;
        }
        if matches!(self.stage, Stage::Loading | Stage::Playing) {
            self.end_engine(engine);
        }
        self.stage = Stage::Lobby;
        self.transport.to_lobby(now);
    }

    /// The next round, of another variant or map, without anybody joining anew (GLUE-22): the machines that are there go
    /// back to the lobby, hear of that record, and load. Its lists of machines and players are the session's; teams are
    /// given anew where the rules about them are others. The slots of those who left are free again.
    ///
    /// A game whose end is to be seen first is ended by [`Host::end`], and its scores are shown until this. False, and
    /// nothing is changed, where the record means nothing.
    pub fn begin_next(
        &mut self,
        now: Moment,
        engine: &mut impl Engine,
        record: &SettingsRecord,
        start: Tick,
    ) -> bool {
        if record.check().is_err() {
            return false;
        }
        self.to_lobby(now, engine);
        self.transport.set_game(record);
        self.begin(now, engine, start);
        true
    }

    /// In the lobby: the game that will begin is that record's; everybody who is there hears of it. Its lists of machines and
    /// players are the session's. False, and nothing is changed, elsewhere and where the record means nothing.
    pub fn set_game(&mut self, record: &SettingsRecord) -> bool {
        let is_taken = self.stage == Stage::Lobby && record.check().is_ok();
        if is_taken {
            self.transport.set_game(record);
        }
        is_taken
    }

    /// One more player of this machine, at the first of its controllers that has none, in the lobby or in a game. Refused
    /// where the machine has four, or the game is full.
    pub fn add_own_player(&mut self, player: &NetworkPlayer) -> Result<(), transport::Error> {
        self.transport.add_own_player(player)
    }

    /// Leaves in order: every machine is told. The network still has to be given its transmits, by a last
    /// [`Host::frame`], and that is the end of this host; what becomes of the engine's game is the caller's.
    pub fn leave(&mut self) {
        self.judging.has_left = true;
        self.transport.leave();
    }

    /// Hears the network and does what waits for no tick. In the lobby and while loading at least every 5 ms.
    pub fn frame(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        if self.stage != Stage::Playing {
            self.judging.conduct.outside_game(now);
        }
        self.receive(now, engine, network);
        self.share(now, engine);
        self.begin_when_known(now, engine);
        let loads = self.stage == Stage::Loading && self.sharing.begins_at.is_none();
        if loads && !self.is_loaded && engine.loaded() {
            self.is_loaded = true;
            let mut visible = VisibleSet::new();
            engine.read_visible(&mut visible);
            self.authority.set_visible(visible);
            self.transport.set_loading(now, false);
            self.take_events(now, engine);
        }
        if self.stage == Stage::Playing {
            self.locals.sample(engine);
            self.write_down(engine);
            self.send_voices();
        } else {
            self.talk_outside(now, engine);
        }
        self.hold_mouse(engine);
        self.transport.send(now, network);
    }

    /// How many ticks to run by now.
    pub fn ticks_due(&mut self, now: Moment) -> u32 {
        match self.stage {
            Stage::Playing => {
                let due = self.pace.due(now);
                let left_out = self.pace.take_dropped();
                if left_out > 0 {
                    self.authority.left_out(left_out);
                    self.judging.left_out(left_out);
                }
                due
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

    /// One tick of those that [`Host::ticks_due`] counted: hears, drives, lets the engine simulate, takes, tells.
    pub fn tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) -> Tick {
        let tick = self.before_tick(now, engine, network);
        engine.simulate(tick);
        self.after_tick(now, engine, network);
        tick
    }

    /// Before the engine simulates the tick that this returns: what came is heard, and every unit is driven.
    pub fn before_tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) -> Tick {
        self.receive(now, engine, network);
        self.hear(now, engine);
        self.hold_out(now);
        let tick = self.clock.advance();
        while let Some(slot) = self.departures.next_due(tick) {
            self.inputs.clear(slot);
            self.acting.clear(slot);
            self.damage.remove(slot);
            engine.remove_player(slot);
        }
        self.begin_level(engine);
        self.drive(tick, engine);
        tick
    }

    /// After the engine simulated the tick: predictions are taken, and everybody is told.
    pub fn after_tick(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        let tick = self.clock.tick();
        let Scratch { rows, vehicles, inputs, commands, teleported, .. } = &mut self.scratch;
        self.outbox.begin(tick, self.clock.update());

        teleported.clear();
        engine.take_teleports(teleported);
        for slot in teleported.iter() {
            self.authority.placed_anew(*slot);
        }
        for machine in self.loaded.iter() {
            self.authority.set_round_trip(machine, self.clock.round_trip(machine));
        }
        let gravity = engine.gravity();
        rows.clear();
        engine.read_units(rows);
        vehicles.clear();
        engine.read_vehicles(vehicles);
        commands.clear();
        self.authority.after_tick(tick, gravity, rows, inputs, commands);
        self.authority.after_vehicles(tick, gravity, vehicles, commands, &mut self.outbox);
        for command in commands.iter() {
            engine.apply_state(command);
        }
        self.note_harm(tick, engine);

        self.tell_players(tick, engine);
        self.tell_pings(tick);
        let ready = self.tell_objects(tick, engine);
        self.tell_damage(ready, engine);
        self.tell_scores(tick, ready, engine);
        self.tell_talk(now, ready, engine);
        self.judge(now, engine);
        self.tell_scripting(tick, ready, engine);

        for (machine, come) in self.to_tell.drain(..) {
            let notice = session::Notice::new(texts::datagrams(come));
            // Its text is short.
            let _ =
                self.outbox.message(MachineSet::only(machine), Kind::Notice, 0, |bytes| notice.write(bytes));
        }

        let due = self.clock.updates_due();
        self.transport.send_update(due, self.clock.update(), tick);
        self.transport.flush(now, tick, &self.outbox, self.transport.in_game());
        self.drop_judged();
        self.send_voices();
        self.clock.sent(now);
        self.transport.send(now, network);
    }

    /// What happened since this was last asked: the newest [`NOTICES_KEPT`](crate::NOTICES_KEPT).
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.notices.take()
    }

    /// The host's own players.
    pub fn own_slots(&self) -> &[Slot] {
        self.locals.slots()
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
        let mut counters = self.earlier.clone();
        counters.add_session(self.transport.counters(), &self.transport.totals());
        counters.add_refused(self.refused.reasons());
        self.count_game(&mut counters);
        counters.unsendable = u64::from(self.outbox.unsendable());
        counters
    }

    /// What of that was counted since the game began, as each second's line has it (TOOL-66).
    pub fn game_counters(&self) -> Counters {
        self.counters().since(&self.at_begin)
    }

    /// Adds what the crates counted in this game.
    fn count_game(&self, counters: &mut Counters) {
        let takings = self.authority.takings();
        counters.taken += takings.taken;
        counters.add("past_tolerance", takings.past_tolerance);
        counters.add("past_bounds", takings.past_bounds);
        counters.misplaced += u64::from(self.objects.misplaced());
        counters.add("unfit_state", self.scores.unfit());
        let damage::Counts { reported, dealt, rejected } = self.damage.counts();
        let (reported, rejected) = (reported + self.unread_hits, rejected + self.unread_hits);
        counters.hits.add(Hits { reported, dealt, rejected, replayed: 0 });
        counters.damage_dropped += self.damage.dropped();
        counters.add("dropped_event", self.scripting.dropped());
    }

    fn receive(&mut self, now: Moment, engine: &mut impl Engine, network: &mut impl Network) {
        let tick = self.clock.tick();
        network.receive(now, &mut |event| self.transport.handle(now, tick, event));
        self.transport.poll(now, tick);
        self.take_events(now, engine);
        self.take_answers(now, engine);
        self.take_events(now, engine);
        self.hear_voices(now, engine);
        // Outside a game a machine has nothing to say each tick.
        if self.stage == Stage::Playing {
            for machine in self.transport.in_game().iter() {
                if let Some(heard) = self.transport.heard(machine) {
                    // One that is not added plays no part yet.
                    let _ = self.clock.hear(heard, machine);
                }
            }
            for machine in self.clock.fallen_silent(now).iter() {
                self.notices.push(Notice::Silent { machine });
            }
        }
    }

    fn take_events(&mut self, now: Moment, engine: &mut impl Engine) {
        let mut has_changed = false;
        while let Some(event) = self.transport.next_event() {
            self.happened(now, event, engine);
            has_changed = true;
        }
        if has_changed {
            self.call_roll();
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
                let input = self.locals.input(slot, tick, engine);
                let history = [input.buttons, Default::default(), Default::default(), Default::default()];
                // Its own ticks only rise.
                let _ = self.inputs.handle(tick, slot, tick, &input, &history);
            }
            let Some(driven) = self.inputs.drive(tick, slot) else { continue };
            let driven = self.scripting.drive(driven, machine == Machine::HOST);
            if let Some(unit) = row.living() {
                engine.apply_movement(&prediction::Command::Drive {
                    slot,
                    unit: unit.unit,
                    input: driven.input,
                });
                if machine != Machine::HOST {
                    // By what it says itself, and so no more than counts elsewhere.
                    let ago = self.clock.round_trip(machine).unwrap_or_default().ceil() as u32;
                    let ago = ago.min(u32::from(authority::FLIGHT_TRIP_MOST));
                    let others = |vehicle| {
                        let driver = self.authority.driver(vehicle).filter(|driver| *driver != slot);
                        driver.is_some_and(|driver| self.owners[driver.index()] == Some(machine))
                    };
                    engine.set_seen(slot, Seen { ago, rides: self.acting.rides(slot, machine, others) });
                }
            }
            let of = if machine == Machine::HOST { None } else { driven.of };
            inputs.push(InputRow { slot, machine, input: driven.input, history: driven.history, of });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-11: a game whose ticks could be those of the one before begins after it; both sides of the window.
    #[test]
    fn a_game_begins_where_no_old_stamp_is_believed() {
        let at = |tick| Tick::new(tick).expect("a tick");
        for (start, last, begins) in
            [(0, 0, 0), (300, 0, 300), (300, 299, 300), (300, 300, 301), (300, 750, 751), (300, 751, 300)]
        {
            assert_eq!(begins_at(at(start), at(last), at(last)), at(begins), "{start} {last}");
        }
        // Clients were ahead, and their last ticks could be this game's.
        for (start, own, last, begins) in [
            (300, 299, 400, 401),
            (300, 299, 299, 300),
            (300, 750, 900, 901),
            (300, 751, 900, 300),
            (300, 0, 299, 300),
        ] {
            assert_eq!(begins_at(at(start), at(own), at(last)), at(begins), "{start} {own} {last}");
        }
    }
}
