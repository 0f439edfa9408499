//! A client's side, assembled. Knows no engine and no connection.

use alloc::vec::Vec;

use mjolnir_wire::inputs::{PlayerInput, RelayedAction};
use mjolnir_wire::limits::{MAX_LOCAL_PLAYERS, MAX_PLAYERS};
use mjolnir_wire::objects::{Inventory, VehiclePrediction};
use mjolnir_wire::units::{Life, LivingUnit, ShieldFlags, UnitState};
use mjolnir_wire::{Input, Kind, MachineSet, ObjectId, Outbox, Slot, Tick, Vec3};

use crate::command::{Command, HostWord, VehicleWord};
use crate::error::Error;
use crate::held::HeldInputs;
use crate::left::Left;
use crate::moving::{got_out, move_own, move_remote, move_vehicle};
use crate::own::Own;
use crate::remote::Remote;
use crate::rows::{OwnRow, Rows};
use crate::vehicle::OwnVehicle;

/// A client's prediction: its own players and what they drive driven and corrected, the others' copies driven, seated and
/// moved.
///
/// In a tick: what came is handled; [`Client::before_tick`] gives the engine its commands; the engine simulates;
/// [`Client::handle_teleport`] tells of whoever stepped through a teleporter; [`Client::after_tick`]
/// notes where the own players and their vehicles are and writes what is sent.
#[derive(Clone, Debug)]
pub struct Client {
    own: [Option<Own>; MAX_LOCAL_PLAYERS],
    /// What each of them got out of last, while it goes on by itself.
    left: [Option<Left>; MAX_LOCAL_PLAYERS],
    remote: Vec<Remote>,
    inputs: HeldInputs,
    late: u32,
    own_corrections: u64,
    own_vehicle_corrections: u64,
    corrected: u64,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// Without players.
    pub fn new() -> Self {
        Self {
            own: [None; MAX_LOCAL_PLAYERS],
            left: [None; MAX_LOCAL_PLAYERS],
            remote: alloc::vec![Remote::default(); MAX_PLAYERS],
            inputs: HeldInputs::new(),
            late: 0,
            own_corrections: 0,
            own_vehicle_corrections: 0,
            corrected: 0,
        }
    }

    /// Ticks by which an input may come to the host later than its round trip is measured, once it was lost and comes again:
    /// an own player's seat waits for the host's word so much longer than a round trip (PRED-29). None until this is said.
    pub const fn set_late(&mut self, ticks: u32) {
        self.late = ticks;
    }

    /// The slots of this machine's own players, four at most (more are not looked at). One that was there already
    /// goes on as it was.
    pub fn set_own(&mut self, slots: &[Slot]) {
        let before = self.own;
        let kept = |slot: Slot| before.into_iter().flatten().find(|own| own.slot == slot);
        self.own = [None; MAX_LOCAL_PLAYERS];
        self.left = [None; MAX_LOCAL_PLAYERS];
        for (own, slot) in self.own.iter_mut().zip(slots) {
            *own = Some(kept(*slot).unwrap_or_else(|| Own::new(*slot)));
        }
        for slot in slots {
            self.forget(*slot);
        }
    }

    /// Forgets a player of another machine: its slot is somebody else's or nobody's from now on.
    pub fn forget(&mut self, slot: Slot) {
        self.inputs.clear(slot);
        self.remote[slot.index()] = Remote::default();
    }

    fn own_mut(&mut self, slot: Slot) -> Option<&mut Own> {
        self.own.iter_mut().flatten().find(|own| own.slot == slot)
    }

    /// Takes an entry of kind 15, stamped with the host's tick. `now` is the own tick. An own player's is refused
    /// (PRED-04), and so is one that is not newer than the last.
    pub fn handle_relayed(&mut self, now: Tick, stamp: Tick, action: &RelayedAction) -> Result<(), Error> {
        if self.own_mut(action.slot).is_some() {
            return Err(Error::OwnSlot);
        }
        self.inputs.handle(now, action.slot, stamp, &action.input, &action.history)
    }

    /// Takes the host's word on a player; the next tick is moved by the newest. One older than the last is
    /// refused, one of the same tick is taken (PRED-33).
    pub fn handle_word(&mut self, slot: Slot, word: HostWord) -> Result<(), Error> {
        match self.own_mut(slot) {
            Some(own) => own.handle_word(word),
            None => self.remote[slot.index()].handle_word(word),
        }
    }

    /// Whether one of the own players drove that vehicle in the last tick. The host's word on it is then
    /// [`Client::handle_vehicle_word`]'s; on any other it is not prediction's.
    pub fn drives(&self, vehicle: ObjectId) -> bool {
        self.own.iter().flatten().filter_map(|own| own.driven.as_ref()).any(|of| of.vehicle == vehicle)
    }

    /// Takes the host's word on a vehicle that an own player drives, as [`Client::handle_word`] does on a player.
    pub fn handle_vehicle_word(&mut self, vehicle: ObjectId, word: VehicleWord) -> Result<(), Error> {
        let mut driven = self.own.iter_mut().flatten().filter_map(|own| own.driven.as_mut());
        driven.find(|driven| driven.vehicle == vehicle).ok_or(Error::NotDriven)?.handle_word(word)
    }

    /// That vehicle is there after that tick, if an own player left it.
    pub fn note_left(&mut self, tick: Tick, vehicle: ObjectId, place: Vec3) {
        let left = self.left.iter_mut().flatten().filter(|left| left.vehicle == vehicle);
        left.for_each(|left| left.note(tick, place));
    }

    /// Whether a vehicle that an own player got out of goes on here as it does, though the host has it there, at rest or
    /// not (OBJ-26): then that word is not to be followed. If not, it is anybody's from then on. `round_trip` is as in
    /// [`Client::before_tick`], `tick` the own one.
    pub fn goes_on(
        &mut self,
        tick: Tick,
        round_trip: u32,
        vehicle: ObjectId,
        theirs: Vec3,
        at_rest: bool,
    ) -> bool {
        for left in &mut self.left {
            let Some(of) = left.as_ref().filter(|left| left.vehicle == vehicle) else { continue };
            if of.goes_on(tick, round_trip, theirs, at_rest) {
                return true;
            }
            *left = None;
        }
        false
    }

    /// A player stepped through a teleporter in the tick just simulated, or drove through one: an own one (PRED-39), or
    /// another's copy. A move that was commanded is not told.
    pub fn handle_teleport(&mut self, slot: Slot) {
        match self.own_mut(slot) {
            Some(own) => own.teleported(),
            None => self.remote[slot.index()].teleported(),
        }
    }

    /// Whether the counts of rounds and grenades of an own player's unit are its machine's before that tick, the player
    /// having fired, reloaded or thrown last in the tick `acted`: what the host says of them is then of before (PRED-28),
    /// and [`keep_counts`](crate::keep_counts) says what to carry. `round_trip` is as in [`Client::before_tick`].
    pub fn own_counts_hold(
        &self,
        tick: Tick,
        round_trip: u32,
        slot: Slot,
        unit: ObjectId,
        acted: Tick,
    ) -> bool {
        let own = self.own.iter().flatten().find(|own| own.slot == slot);
        let life = own.and_then(Own::life).filter(|life| life.unit == unit);
        life.is_some_and(|life| life.own_counts_hold(tick, round_trip, acted))
    }

    /// Takes the host's word on what a unit carries. If it is an own player's, the word before this one: see
    /// [`keep_counts`](crate::keep_counts).
    pub fn note_carried(&mut self, host: &Inventory) -> Option<Inventory> {
        let is_its = |own: &&mut Own| own.life().is_some_and(|life| life.unit == host.unit);
        let own = self.own.iter_mut().flatten().find(is_its)?;
        own.told.replace(*host).filter(|before| before.unit == host.unit)
    }

    /// Before the engine simulates that tick: appends what it is to do. `round_trip` is the smoothed one in ticks; `local`
    /// the own players' inputs of this tick; `exists` says whether an object is there. Of each vehicle and unit the seat and
    /// the moves come first, then its input, then how it is drawn.
    pub fn before_tick(
        &mut self,
        tick: Tick,
        round_trip: u32,
        rows: Rows<'_>,
        local: &[(Slot, Input)],
        exists: impl Fn(ObjectId) -> bool,
        commands: &mut Vec<Command>,
    ) {
        for (own, left) in self.own.iter_mut().zip(&mut self.left) {
            let Some(own) = own else { continue };
            *left = got_out(tick, own, rows).or(*left);
            left.take_if(|left| {
                !exists(left.vehicle) || rows.vehicles.iter().any(|row| row.vehicle == left.vehicle)
            });
            let input = local.iter().find(|(slot, _)| *slot == own.slot).map(|(_, input)| *input);
            own.take_input(tick, input);
            self.own_vehicle_corrections +=
                u64::from(move_vehicle(tick, round_trip, own, rows, &exists, commands));
        }
        let mut alive = [false; MAX_PLAYERS];
        let patience = round_trip.saturating_add(self.late);
        for row in rows.units {
            alive[row.slot.index()] = true;
            if let Some(own) = self.own_mut(row.slot) {
                let corrected = move_own(tick, round_trip, patience, own, row, &exists, commands);
                self.own_corrections += u64::from(corrected);
            } else {
                let remote = &mut self.remote[row.slot.index()];
                let input = self.inputs.drive(tick, row.slot).map(|driven| driven.input);
                self.corrected += u64::from(move_remote(tick, remote, row, input, &exists, commands));
            }
        }
        for slot in Slot::all().filter(|slot| !alive[slot.index()]) {
            match self.own_mut(slot) {
                Some(own) => own.die(),
                None => {
                    // Its buttons pass with the ticks, so that none wait for its next unit.
                    self.inputs.drive(tick, slot);
                    self.remote[slot.index()].die();
                }
            }
        }
    }

    /// After the engine simulated that tick: notes where the own players and what they drive are, and puts what goes to
    /// the host: each own player's input, with the host's newest time heard (kind 14), the place of each that lives on
    /// foot (kind 1), and that of each vehicle that one drives (kind 12). `rows` are as they are now.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        heard: Tick,
        rows: Rows<'_>,
        own_rows: &[OwnRow],
        outbox: &mut Outbox,
    ) {
        for own in self.own.iter_mut().flatten() {
            let said = own_rows.iter().find(|row| row.slot == own.slot);
            let input = PlayerInput {
                slot: own.slot,
                structure_bsp: said.and_then(|row| row.structure_bsp),
                friendly_fire: said.is_some_and(|row| row.friendly_fire),
                tick,
                host_tick: heard,
                input: own.input,
                history: own.sent_buttons(),
            };
            // 52 bytes and at most 64 always fit a datagram.
            let _ = outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |to| input.write(to));

            let row = rows.unit_of(own.slot);
            match row {
                Some(row) => {
                    own.lives(tick, row.unit);
                    own.seat.watch(tick, row.ride);
                }
                None => own.die(),
            }
            tell_vehicle(own, tick, rows, outbox);
            let Some((row, placement)) = row.and_then(|row| Some((row, row.on_foot()?))) else {
                own.leave();
                continue;
            };
            own.has(row.unit);
            own.note(tick, &placement, row.floor().map(|platform| platform.id));
            let state = UnitState {
                slot: own.slot,
                shield: ShieldFlags::default(),
                life: Life::Alive(LivingUnit::whole(row.unit, placement)),
            };
            let _ = outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |to| state.write(to));
        }
    }

    /// How often an own player was moved by a difference, since this was made (PRED-15, 16, 18); not how often one
    /// was put where the host has it.
    pub const fn own_corrections(&self) -> u64 {
        self.own_corrections
    }

    /// How often a vehicle that an own player drives was moved by a difference, since this was made (PRED-17); not how often
    /// one was put where the host has it.
    pub const fn own_vehicle_corrections(&self) -> u64 {
        self.own_vehicle_corrections
    }

    /// How often another's copy was put where the host has it at once, since this was made (PRED-12).
    pub const fn corrected(&self) -> u64 {
        self.corrected
    }
}

/// Notes where what an own player drives is after that tick, and tells the host (PRED-26).
fn tell_vehicle(own: &mut Own, tick: Tick, rows: Rows<'_>, outbox: &mut Outbox) {
    let Some(row) = rows.driven_by(own.slot) else { return };
    let driven = own.driven.get_or_insert_with(|| OwnVehicle::new(row.vehicle));
    if driven.vehicle == row.vehicle {
        driven.note(tick, row.motion.position);
    }
    let entry = VehiclePrediction { object: row.vehicle, time: tick.low16(), motion: row.motion };
    let _ = outbox.entry(MachineSet::HOST, Kind::VehiclePrediction, |to| entry.write(to));
}
