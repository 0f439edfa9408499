//! A client's side, assembled. Knows no engine and no connection.

use alloc::vec::Vec;

use mjolnir_wire::inputs::{PlayerInput, RelayedAction};
use mjolnir_wire::limits::{MAX_LOCAL_PLAYERS, MAX_PLAYERS};
use mjolnir_wire::units::{Life, LivingUnit, Placement, Ride, ShieldFlags, UnitState};
use mjolnir_wire::{Input, Kind, MachineSet, ObjectId, Outbox, Slot, Tick, Vec3};

use crate::command::{Command, HostWord, Why};
use crate::error::Error;
use crate::glide::Glide;
use crate::held::HeldInputs;
use crate::own::{Correction, Own};
use crate::remote::{Remote, Step};

/// A living player's unit as the engine has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitRow {
    /// Whose it is.
    pub slot: Slot,
    /// The unit.
    pub unit: ObjectId,
    /// Where it is; none while it rides.
    pub placement: Option<Placement>,
    /// Whether it stands on something.
    pub grounded: bool,
    /// What it rides.
    pub ride: Option<Ride>,
    /// The elevator that carries it.
    pub platform: Option<Platform>,
}

/// An elevator under a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    /// Which: any number that is the same for as long as it stands.
    pub id: u32,
    /// It moves.
    pub moving: bool,
    /// The unit touches its floor; else it is remembered from when it did, as in a jump.
    pub contact: bool,
    /// The height of its floor, wu.
    pub floor: f32,
}

/// What a client's input says of an own player beside the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnRow {
    /// Whose it is.
    pub slot: Slot,
    /// The structure BSP that is loaded.
    pub structure_bsp: Option<u8>,
    /// Whether this player plays co-op with friendly fire.
    pub friendly_fire: bool,
}

/// A client's prediction: its own players driven and corrected, the others' copies driven and moved.
///
/// In a tick: what came is handled; [`Client::before_tick`] gives the engine its commands; the engine simulates;
/// [`Client::handle_teleport`] tells of an own player that stepped through a teleporter; [`Client::after_tick`]
/// notes where the own players are and writes what is sent.
#[derive(Clone, Debug)]
pub struct Client {
    own: [Option<Own>; MAX_LOCAL_PLAYERS],
    remote: Vec<Remote>,
    inputs: HeldInputs,
    own_corrections: u64,
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
            remote: alloc::vec![Remote::default(); MAX_PLAYERS],
            inputs: HeldInputs::new(),
            own_corrections: 0,
            corrected: 0,
        }
    }

    /// The slots of this machine's own players, four at most (more are not looked at). One that was there already
    /// goes on as it was.
    pub fn set_own(&mut self, slots: &[Slot]) {
        let before = self.own;
        let kept = |slot: Slot| before.into_iter().flatten().find(|own| own.slot == slot);
        self.own = [None; MAX_LOCAL_PLAYERS];
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
            None => match word.placement {
                Some(placement) => self.remote[slot.index()].handle_word(word.tick, placement),
                None => Ok(()),
            },
        }
    }

    /// An own player stepped through a teleporter in the tick just simulated (PRED-39). A move that was commanded
    /// is not told.
    pub fn handle_teleport(&mut self, slot: Slot) {
        if let Some(own) = self.own_mut(slot) {
            own.teleported();
        }
    }

    /// Before the engine simulates that tick: appends what it is to do. `rows` are the living players' units, each
    /// slot once at most; `local` the own players' inputs of this tick. Of each unit the moves come first, then
    /// its input, then how it is drawn.
    pub fn before_tick(
        &mut self,
        tick: Tick,
        rows: &[UnitRow],
        local: &[(Slot, Input)],
        commands: &mut Vec<Command>,
    ) {
        for own in self.own.iter_mut().flatten() {
            let input = local.iter().find(|(slot, _)| *slot == own.slot).map(|(_, input)| *input);
            own.take_input(tick, input);
        }
        let mut alive = [false; MAX_PLAYERS];
        for row in rows {
            alive[row.slot.index()] = true;
            if self.own_mut(row.slot).is_some() {
                self.before_own(row, commands);
            } else {
                self.before_remote(tick, row, commands);
            }
        }
        for slot in Slot::all().filter(|slot| !alive[slot.index()]) {
            match self.own_mut(slot) {
                Some(own) => own.leave(),
                None => {
                    // Its buttons pass with the ticks, so that none wait for its next unit.
                    self.inputs.drive(tick, slot);
                    self.remote[slot.index()].leave();
                }
            }
        }
    }

    fn before_own(&mut self, row: &UnitRow, commands: &mut Vec<Command>) {
        let Some(own) = self.own.iter_mut().flatten().find(|own| own.slot == row.slot) else { return };
        if let Some(placement) = row.placement {
            own.has(row.unit);
            own.glide.fade();
            match own.correct(placement.position) {
                Some(Correction::By(by)) => {
                    self.own_corrections += 1;
                    commands.push(step(row.unit, placement.position, by, None, &mut own.glide));
                }
                Some(Correction::To(there)) => {
                    commands.push(put(row.unit, placement.position, there, &mut own.glide));
                }
                None => {}
            }
        } else {
            own.leave();
        }
        commands.push(Command::Drive { slot: row.slot, unit: row.unit, input: own.input });
        draw(row.unit, &mut own.glide, commands);
    }

    fn before_remote(&mut self, tick: Tick, row: &UnitRow, commands: &mut Vec<Command>) {
        let remote = &mut self.remote[row.slot.index()];
        if let Some(placement) = row.placement {
            remote.has(row.unit);
            remote.glide.fade();
            match remote.step(placement.position) {
                Some(Step::By(by, velocity)) => {
                    commands.push(step(row.unit, placement.position, by, velocity, &mut remote.glide));
                }
                Some(Step::To(there)) => {
                    self.corrected += 1;
                    commands.push(put(row.unit, placement.position, there, &mut remote.glide));
                }
                None => {}
            }
        } else {
            remote.leave();
        }
        if let Some(driven) = self.inputs.drive(tick, row.slot) {
            commands.push(Command::Drive { slot: row.slot, unit: row.unit, input: driven.input });
        }
        draw(row.unit, &mut remote.glide, commands);
    }

    /// After the engine simulated that tick: notes where the own players are, and puts what goes to the host: each
    /// own player's input, with the host's newest time heard (kind 14), and the place of each that lives on foot
    /// (kind 1). `rows` are as they are now.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        heard: Tick,
        rows: &[UnitRow],
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

            let row = rows.iter().find(|row| row.slot == own.slot);
            let Some((unit, placement)) = row.and_then(|row| Some((row.unit, row.placement?))) else {
                own.leave();
                continue;
            };
            own.has(unit);
            own.note(tick, placement.position);
            let state = UnitState {
                slot: own.slot,
                shield: ShieldFlags::default(),
                life: Life::Alive(LivingUnit::whole(unit, placement)),
            };
            let _ = outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |to| state.write(to));
        }
    }

    /// How often an own player was moved by a difference, since this was made (PRED-15, 16, 18); not how often one
    /// was put where the host has it.
    pub const fn own_corrections(&self) -> u64 {
        self.own_corrections
    }

    /// How often another's copy was put where the host has it at once, since this was made (PRED-12).
    pub const fn corrected(&self) -> u64 {
        self.corrected
    }
}

/// A unit goes on, a little to the side. An own player's velocity is its own (PRED-37).
fn step(unit: ObjectId, from: Vec3, by: Vec3, velocity: Option<Vec3>, glide: &mut Glide) -> Command {
    glide.moved(by);
    Command::Move { unit, to: from + by, velocity, axes: None, why: Why::Correct }
}

/// A unit is put where the host has it, moving as the host has it move (PRED-37).
fn put(unit: ObjectId, from: Vec3, there: Placement, glide: &mut Glide) -> Command {
    glide.moved(there.position - from);
    Command::Move {
        unit,
        to: there.position,
        velocity: Some(there.velocity),
        axes: Some(there.axes),
        why: Why::Teleport,
    }
}

fn draw(unit: ObjectId, glide: &mut Glide, commands: &mut Vec<Command>) {
    if let Some(offset) = glide.take() {
        commands.push(Command::Offset { unit, offset });
    }
}
