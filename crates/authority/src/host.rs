//! The host's end: hears the clients' predictions, takes them after each tick, tells the machines of the players.
//! Knows no engine beyond the rows it is shown and no connection.

use alloc::vec::Vec;

use libm::ceilf;
use mjolnir_wire::limits::{MAX_MACHINES, MAX_PLAYERS};
use mjolnir_wire::objects::VehiclePrediction;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Life, Placement, UnitState};
use mjolnir_wire::{Buttons, Machine, MachineSet, ObjectId, Outbox, Slot, Tick, Vec3};

use crate::drift::{Drift, Samples};
use crate::error::Error;
use crate::flight::FLIGHT_TRIP_MOST;
use crate::ladder::Ladder;
use crate::relay::{self, PING_INTERVAL};
use crate::rows::{Command, InputRow, UnitRow, VehicleRow, Why, living};
use crate::stamps::Stamps;
use crate::take::{Outcome, Prediction, Record, Step};
use crate::vehicle::Vehicles;
use crate::visible::VisibleSet;

/// What became of the predictions that came to be taken, since the host was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takings {
    /// Taken.
    pub taken: u64,
    /// Not taken: too far from the host's own copy (AUTH-10). What a client says in the second after the host put its player
    /// elsewhere, and does not know it yet, is not counted.
    pub past_tolerance: u64,
    /// Not taken: further or higher than the player can have moved (AUTH-12, 18).
    pub past_bounds: u64,
}

impl Takings {
    pub(crate) const fn note<T>(&mut self, outcome: &Outcome<T>) {
        let count = match outcome {
            Outcome::Taken(_) => &mut self.taken,
            Outcome::PastTolerance => &mut self.past_tolerance,
            // Nothing is wrong with it.
            Outcome::Early => return,
            Outcome::PastBounds | Outcome::TooHigh => &mut self.past_bounds,
        };
        *count += 1;
    }
}

/// What drove one player in the tick.
#[derive(Clone, Copy, Debug, Default)]
struct Ran {
    /// The client's tick that it is the input of.
    of: Option<Tick>,
    /// Its jump was pressed.
    jumps: bool,
}

/// One player as the host last read it, and what its client said.
#[derive(Clone, Copy, Debug, Default)]
struct Player {
    /// The machine that plays it; none while there is no such player.
    machine: Option<Machine>,
    /// Its living unit, if it has a place of its own.
    on_foot: Option<ObjectId>,
    /// The newest prediction that waits for the end of the tick.
    waiting: Option<Prediction>,
    /// The client's ticks that were judged.
    stamps: Stamps,
    /// The unit's, while it is on foot.
    record: Option<Record>,
    /// The host itself put its unit elsewhere since the last tick.
    anew: bool,
    /// What was last sent of a player who left.
    left: Option<UnitState>,
    takings: Takings,
    drift: Samples,
}

/// The host's side of players. See the crate's text.
#[derive(Debug)]
pub struct Host {
    players: Vec<Player>,
    /// Slots that the last rows had, one bit each.
    present: u128,
    loaded: MachineSet,
    /// Machines that loaded since the last tick: they know nothing of who left.
    arrived: MachineSet,
    /// Each machine's round trip, in ticks, as far as it counts.
    trips: [u8; MAX_MACHINES],
    vehicles: Vehicles,
    ladder: Ladder,
    takings: Takings,
    drift: Samples,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Of a game without players.
    pub fn new() -> Self {
        Self {
            players: (0..MAX_PLAYERS).map(|_| Player::default()).collect(),
            present: 0,
            loaded: MachineSet::NONE,
            arrived: MachineSet::NONE,
            trips: [FLIGHT_TRIP_MOST; MAX_MACHINES],
            vehicles: Vehicles::default(),
            ladder: Ladder::new(),
            takings: Takings::default(),
            drift: Samples::default(),
        }
    }

    /// The machines that have loaded: they are told of the players from the next tick on.
    pub fn set_clients(&mut self, loaded: MachineSet) {
        let loaded = loaded.without(MachineSet::HOST);
        self.arrived = self.arrived.union(loaded.without(self.loaded)).intersection(loaded);
        self.loaded = loaded;
    }

    /// What of the level can be seen from where, once that is known: until then everything sees everything (AUTH-35).
    pub fn set_visible(&mut self, visible: VisibleSet) {
        self.ladder.set_visible(visible);
    }

    /// The host was due so many ticks that it never runs (CLOCK-01), as after a stall. Its clients ran theirs: they may
    /// be further on by as many, and stay ahead by them (CLOCK-05).
    pub fn left_out(&mut self, ticks: u32) {
        for record in self.players.iter_mut().filter_map(|player| player.record.as_mut()) {
            record.grant(ticks);
        }
        self.vehicles.grant(ticks);
    }

    /// A machine's round trip, in ticks: by as much its players learn later of what throws them, and are in the air
    /// later (AUTH-19). No more than [`FLIGHT_TRIP_MOST`] counts, and as much while nobody knows it.
    pub fn set_round_trip(&mut self, machine: Machine, ticks: Option<f32>) {
        let most = f32::from(FLIGHT_TRIP_MOST);
        // What is no number counts as none.
        self.trips[machine.index()] = ceilf(ticks.unwrap_or(most).clamp(0.0, most)) as u8;
    }

    /// Whether that machine plays that slot's player, as the host last read it: what a client says of another's is
    /// refused, in a prediction as in an input (AUTH-71, AUTH-72).
    pub fn check_owner(&self, from: Machine, slot: Slot) -> Result<(), Error> {
        let player = &self.players[slot.index()];
        // A machine's index may be given anew while those who left it still stand in the list.
        let owns = from != Machine::HOST && player.machine == Some(from) && player.left.is_none();
        if owns { Ok(()) } else { Err(Error::NotOwned) }
    }

    /// Hears an entry of kind 1, stamped with the client's tick; of those that come between two ticks the newest
    /// is taken at the next (AUTH-09). Of the entry only its place, velocity and axes are used (AUTH-71).
    ///
    /// Refused: another machine's player, one that is not alive and placed, a unit that is not the player's as the
    /// host last read it, and a tick older than one that was had (AUTH-64). The same tick once more is nothing new. A
    /// tick far ahead is taken as any other and refuses none that follows, until another agrees (NET-74).
    pub fn handle_prediction(&mut self, from: Machine, stamp: Tick, state: &UnitState) -> Result<(), Error> {
        self.check_owner(from, state.slot)?;
        let player = &mut self.players[state.slot.index()];
        let unit = living(state).ok_or(Error::NotPlaced)?;
        let placement = unit.placement.ok_or(Error::NotPlaced)?;
        if player.on_foot != Some(unit.unit) {
            return Err(Error::WrongUnit);
        }
        let waiting = player.waiting.map(|prediction| prediction.client);
        if player.stamps.is_old(stamp) || waiting.is_some_and(|waiting| stamp < waiting) {
            return Err(Error::Old);
        }
        if waiting == Some(stamp) || player.stamps.newest() == Some(stamp) {
            return Ok(());
        }
        player.waiting = Some(Prediction { unit: unit.unit, client: stamp, placement });
        Ok(())
    }

    /// The host itself put that player's unit, or the vehicle that it drives, elsewhere (a teleporter, a script): its
    /// anchor and what is remembered start afresh, and until a prediction of the new place is taken its state names no
    /// tick (AUTH-22, 29). Spawning, leaving a vehicle and a move no unit makes in a tick are noticed without this.
    pub fn placed_anew(&mut self, slot: Slot) {
        self.players[slot.index()].anew = true;
        self.vehicles.placed_anew(slot);
    }

    /// Hears an entry of kind 12, stamped with the client's tick; of those that come between two ticks the newest is
    /// taken at the next (AUTH-09).
    ///
    /// Refused: a vehicle that no player of that machine drove when the host last read it (AUTH-74), and a tick older
    /// than one that was had (AUTH-64).
    pub fn handle_vehicle_prediction(
        &mut self,
        from: Machine,
        stamp: Tick,
        prediction: &VehiclePrediction,
    ) -> Result<(), Error> {
        self.vehicles.handle(from, stamp, prediction)
    }

    /// Who drives that vehicle, as the host last read it; none of one that no client's player drives.
    pub fn driver(&self, vehicle: ObjectId) -> Option<Slot> {
        self.vehicles.driver(vehicle)
    }

    /// After [`Host::after_tick`]: takes the predictions of driven vehicles that wait, and tells each driver's machine
    /// of its own in every third tick (AUTH-26 to 32).
    ///
    /// `rows` has every vehicle in whose driver's seat a player sits, as the tick left it, and has afterwards each motion
    /// as it was taken; the same goes to `commands` for the engine.
    pub fn after_vehicles(
        &mut self,
        tick: Tick,
        gravity: f32,
        rows: &mut [VehicleRow],
        commands: &mut Vec<Command>,
        outbox: &mut Outbox,
    ) {
        for row in rows.iter_mut() {
            let round_trip = self.trips[row.machine.index()];
            let player = &mut self.players[row.driver.index()];
            let takings = [&mut self.takings, &mut player.takings];
            self.vehicles.take(tick, gravity, round_trip, row, takings, commands);
            if row.machine != Machine::HOST && self.loaded.contains(row.machine) {
                self.vehicles.tell(tick, row, outbox);
            }
        }
        self.vehicles.forget_all_but(rows);
    }

    /// After the engine's tick: takes the predictions that wait.
    ///
    /// `gravity` is in wu a tick each tick. `rows` has every player of the host's list as the tick left it, and
    /// has afterwards each placement as it was taken; the same goes to `commands` for the engine. `inputs` has what
    /// drove the tick.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        gravity: f32,
        rows: &mut [UnitRow],
        inputs: &[InputRow],
        commands: &mut Vec<Command>,
    ) {
        let present = rows.iter().fold(0, |all, row| all | 1 << row.state.slot.get());
        self.forget(self.present & !present);
        self.present = present;

        let mut ran = [Ran::default(); MAX_PLAYERS];
        for input in inputs {
            let jumps = input.input.buttons.contains(Buttons::JUMP);
            ran[input.slot.index()] = Ran { of: input.of, jumps };
        }
        for row in rows {
            self.take(tick, gravity, row, ran[row.state.slot.index()], commands);
        }
    }

    /// After [`Host::after_tick`] and [`Host::after_vehicles`]: writes the tick's unit states and relayed actions, to each
    /// machine those that it is to have (AUTH-34 to 42).
    ///
    /// `rows` as they were taken, each slot once, and `inputs` as they were given then. `places` has a place for each of the
    /// rows: where its unit is, of a rider its outermost vehicle; none where that is not known, or it is dead.
    pub fn tell(
        &mut self,
        tick: Tick,
        rows: &[UnitRow],
        places: &[Option<Vec3>],
        inputs: &[InputRow],
        outbox: &mut Outbox,
    ) {
        self.ladder.look(self.loaded, rows, places);
        let mut alive = 0_u128;
        for row in rows {
            alive |= u128::from(row.living().is_some() && !row.left) << row.state.slot.get();
            self.tell_unit(tick, row, outbox);
        }
        for input in inputs {
            let to = if self.ladder.changes(input) { self.loaded } else { self.ladder.now(input.slot) };
            if alive >> input.slot.get() & 1 != 0 {
                relay::action(outbox, to.without(MachineSet::only(input.machine)), input);
            }
        }
        self.arrived = MachineSet::NONE;
    }

    /// The machines that are sent that player's unit in the tick told last.
    pub fn told(&self, slot: Slot) -> MachineSet {
        self.ladder.now(slot)
    }

    /// Writes every player's round trip if this tick is one in which it goes to all, each [`PING_INTERVAL`] ticks
    /// (AUTH-44).
    pub fn pings(&self, tick: Tick, pings: &[Ping], outbox: &mut Outbox) {
        if tick.get() % PING_INTERVAL == 0 {
            relay::pings(outbox, self.loaded, pings);
        }
    }

    /// What became of the predictions since it was made.
    pub const fn takings(&self) -> Takings {
        self.takings
    }

    /// What became of that player's predictions, on foot and of what it drives, since its machine began to play it.
    pub fn takings_of(&self, slot: Slot) -> Takings {
        self.players[slot.index()].takings
    }

    /// How alike host and clients moved since this was last asked: asked each second, the log's drift (AUTH-69).
    pub fn take_drift(&mut self) -> Drift {
        core::mem::take(&mut self.drift).drift()
    }

    /// How alike host and client moved that player since its machine began to play it.
    pub fn drift_of(&self, slot: Slot) -> Drift {
        self.players[slot.index()].drift.drift()
    }

    /// Forgets the players of those slots.
    fn forget(&mut self, mut slots: u128) {
        while slots != 0 {
            self.players[slots.trailing_zeros() as usize] = Player::default();
            if let Some(slot) = Slot::new(slots.trailing_zeros() as u8) {
                self.ladder.forget(slot);
            }
            slots &= slots - 1;
        }
    }

    /// Reads one player's row and takes what its client said of it.
    fn take(&mut self, tick: Tick, gravity: f32, row: &mut UnitRow, ran: Ran, commands: &mut Vec<Command>) {
        let player = &mut self.players[row.state.slot.index()];
        if player.machine != Some(row.machine) {
            *player = Player { machine: Some(row.machine), ..Player::default() };
            self.ladder.forget(row.state.slot);
        }
        let waiting = player.waiting.take();
        let anew = core::mem::take(&mut player.anew);
        let on_foot = row.living().and_then(|unit| Some((unit.unit, unit.placement?)));
        player.on_foot = on_foot.map(|(unit, _)| unit);
        let (Some((unit, copy)), false) = (on_foot, row.left || row.machine == Machine::HOST) else {
            player.record = None;
            return;
        };
        let record = match &mut player.record {
            Some(record) if record.unit == unit => record,
            record => record.insert(Record::new(unit, &copy)),
        };
        let mut step = Step {
            tick,
            gravity,
            limits: row.limits,
            copy,
            grounded: row.grounded,
            carried: row.platform.is_some_and(|platform| platform.moving || platform.contact),
            floor: row.platform.map(|platform| platform.floor),
            jumps: ran.jumps,
            round_trip: self.trips[row.machine.index()],
        };
        if anew {
            record.put_elsewhere(tick, &copy);
        }
        record.follow(&step);
        let mut placement = copy;
        let mut believed = true;
        let judged = waiting.filter(|prediction| prediction.unit == unit).filter(|prediction| {
            believed = player.stamps.note(prediction.client);
            // Nothing bounds a first prediction but its tick.
            believed || record.is_anchored()
        });
        if let Some(judged) = judged {
            if believed {
                record.note_came(tick, judged.client);
            }
            let sent = record.sent_to(row.exit, &step, &judged).map(|there| (there, Why::Teleport));
            let crossed = || record.crossed(row.shaft.as_ref(), &step, &judged);
            let by_word = sent.or_else(|| Some((crossed()?, Why::Take))).filter(|_| believed);
            if believed {
                record.note_said(&judged);
            }
            let here = by_word.map(|_| (*record, step));
            if let Some((there, _)) = by_word {
                (*record, step) = there;
                record.note_said(&judged);
            }
            let prediction = judged.within(&step);
            let moves = record.moves(&step, &prediction, ran.of);
            let outcome = record.take(&step, &prediction, believed);
            if let Some(here) = here.filter(|_| !matches!(outcome, Outcome::Taken(_))) {
                // A step that is not taken was none, and nothing of it is remembered: else who steps on and off by word
                // alone would be on ground there each time.
                (*record, step) = here;
            }
            self.takings.note(&outcome);
            player.takings.note(&outcome);
            if let Outcome::Taken(put) = outcome {
                let put = match by_word {
                    // Where it is is the client's word, and that it is there the host's.
                    Some(((_, there), why)) => Some((put.map_or(there.copy, |(to, _)| to), why)),
                    None => put,
                };
                if let Some((to, why)) = put {
                    placement = to;
                    commands.push(Command::Place { slot: row.state.slot, unit, placement, why });
                }
                record.note_taken(&step, &prediction, believed, placement.velocity);
                if believed {
                    record.note_landed(row.shaft.as_ref(), &step, &prediction);
                }
                if let Some(moves) = moves {
                    self.drift.note(moves.host, moves.client);
                    player.drift.note(moves.host, moves.client);
                }
            } else if believed {
                record.note_refused(&step, &prediction);
                if matches!(outcome, Outcome::TooHigh) {
                    record.note_too_high();
                }
            }
        }
        record.settle(&placement);
        set_placement(&mut row.state, placement);
    }

    /// Writes one player's unit state.
    fn tell_unit(&mut self, tick: Tick, row: &UnitRow, outbox: &mut Outbox) {
        let player = &mut self.players[row.state.slot.index()];
        let to = if !row.left {
            player.left = None;
            self.ladder.tell(tick, row, self.loaded, self.arrived)
        } else if player.left.replace(row.state) == Some(row.state) {
            // One who left goes out only as it changes, and to whoever has not had it (AUTH-37).
            self.arrived
        } else {
            self.loaded
        };
        let named = player.record.as_ref().and_then(|record| record.client_tick(tick));
        relay::unit_state(outbox, to, MachineSet::only(row.machine), &row.state, named);
    }
}

fn set_placement(state: &mut UnitState, placement: Placement) {
    if let Life::Alive(unit) = &mut state.life {
        unit.placement = Some(placement);
    }
}
