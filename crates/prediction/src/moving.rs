//! One unit's or vehicle's commands before a tick: its seat, its moves, what drives it, how it is drawn. Knows no other
//! unit, and no rule: those of a file's own each.

use alloc::vec::Vec;

use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::{Placement, Ride};
use mjolnir_wire::{Input, ObjectId, Tick, Vec3};

use crate::command::{Command, HostWord, Why};
use crate::compare::is_phase;
use crate::glide::Glide;
use crate::left::Left;
use crate::own::{Correction, Own};
use crate::remote::{Remote, Step};
use crate::rows::{Rows, UnitRow};
use crate::vehicle::{self, OwnVehicle};

/// An own player; says whether it was moved by a difference. Its seat is its own for `patience` ticks.
pub(crate) fn move_own(
    tick: Tick,
    round_trip: u32,
    patience: u32,
    own: &mut Own,
    row: &UnitRow,
    exists: impl Fn(ObjectId) -> bool,
    commands: &mut Vec<Command>,
) -> bool {
    own.lives(tick, row.unit);
    own.seat.watch(tick, row.ride);
    if row.on_foot().is_some() {
        own.has(row.unit);
        own.glide.fade();
    }
    let word = own.take_word();
    let is_there = |ride: Ride| ride.vehicle.is_some_and(&exists);
    let is_overdue = own.seat.is_overdue(tick, patience);
    let seated = word.filter(|word| is_overdue && word.ride.is_none_or(is_there));
    let mut corrected = false;
    if let Some(word) = seated {
        seat(row, &word, commands);
        own.seat.was_put();
        if let Some(driven) = &mut own.driven {
            driven.taken_back = true;
        }
        own.leave();
    } else if let Some(placement) = row.on_foot() {
        let from = placement.position;
        let floor = row.floor().map(|platform| platform.id);
        match word.and_then(|word| own.correct(tick, round_trip, &word, from, floor)) {
            Some(Correction::By(mut by, hastened)) => {
                corrected = true;
                // In the air over an elevator it stays over that: it lands on its own machine's, as it would have.
                if let Some(lowest) = row.lowest().filter(|_| is_phase(by.z)) {
                    by.z = by.z.max(lowest - from.z);
                }
                // No faster upward than the host has it, or than it goes: a jump of its own since is in both, and counts once.
                let theirs = word.and_then(|word| word.placement).map_or(Vec3::ZERO, |there| there.velocity);
                let velocity = hastened.map(|by| {
                    let to = placement.velocity + by;
                    Vec3::new(to.x, to.y, to.z.min(theirs.z.max(placement.velocity.z)))
                });
                commands.push(step(row.unit, from, by, velocity, Why::Teleport, &mut own.glide));
            }
            Some(Correction::To(there)) => commands.push(put(row.unit, from, there, &mut own.glide)),
            None => {}
        }
    } else {
        own.leave();
    }
    commands.push(Command::Drive { slot: row.slot, unit: row.unit, input: own.input });
    draw(row.unit, &mut own.glide, commands);
    corrected
}

/// Another machine's player's copy; says whether it was put where the host has it. `driven` is what it does.
pub(crate) fn move_remote(
    tick: Tick,
    remote: &mut Remote,
    row: &UnitRow,
    driven: Option<Input>,
    exists: impl Fn(ObjectId) -> bool,
    commands: &mut Vec<Command>,
) -> bool {
    let mut corrected = false;
    if let Some(word) = remote.take_seat(row.ride, exists) {
        seat(row, &word, commands);
        remote.leave();
    } else if let Some(placement) = row.on_foot() {
        remote.has(row.unit);
        remote.glide.fade();
        let from = placement.position;
        match remote.step(tick, &placement, row) {
            Some(Step::By(by, velocity)) => {
                commands.push(step(row.unit, from, by, velocity, Why::Correct, &mut remote.glide));
            }
            Some(Step::To(there)) => {
                corrected = true;
                commands.push(put(row.unit, from, there, &mut remote.glide));
            }
            None => {}
        }
    } else {
        remote.leave();
    }
    if let Some(input) = driven {
        commands.push(Command::Drive { slot: row.slot, unit: row.unit, input });
    }
    draw(row.unit, &mut remote.glide, commands);
    corrected
}

/// The vehicle that an own player got out of by itself in the last tick.
pub(crate) fn got_out(tick: Tick, own: &Own, rows: Rows<'_>) -> Option<Left> {
    let driven = own.driven.as_ref().filter(|driven| !driven.taken_back)?;
    let unit = rows.unit_of(own.slot)?;
    let lives = own.life().is_some_and(|life| life.unit == unit.unit);
    let rides = unit.ride.is_some_and(|ride| ride.vehicle == Some(driven.vehicle));
    (lives && !rides).then(|| Left::new(tick, driven))
}

/// The vehicle that an own player drives; says whether it was moved by a difference.
pub(crate) fn move_vehicle(
    tick: Tick,
    round_trip: u32,
    own: &mut Own,
    rows: Rows<'_>,
    exists: impl Fn(ObjectId) -> bool,
    commands: &mut Vec<Command>,
) -> bool {
    let row = rows.driven_by(own.slot);
    let others = |driven: &mut OwnVehicle| row.is_none_or(|row| row.vehicle != driven.vehicle);
    if let Some(mut left) = own.driven.take_if(others) {
        left.glide.end();
        if exists(left.vehicle) {
            draw_vehicle(&mut left, commands);
        }
    }
    let Some(row) = row else { return false };
    let sits = rows.unit_of(own.slot).and_then(|unit| unit.ride);
    let agreed = own.seat.agrees(sits);
    let driven = own.driven.get_or_insert_with(|| OwnVehicle::new(row.vehicle));
    driven.glide.fade();
    let from = row.motion.position;
    let correction = driven.correct(tick, round_trip, from, agreed);
    let motion = match correction {
        None => None,
        Some(vehicle::Correction::By(by)) => Some(Motion { position: from + by, ..row.motion }),
        Some(vehicle::Correction::To(motion)) => Some(motion),
    };
    if let Some(motion) = motion {
        driven.glide.moved(motion.position - from);
        commands.push(Command::MoveVehicle { vehicle: row.vehicle, motion, why: Why::Teleport });
    }
    draw_vehicle(driven, commands);
    matches!(correction, Some(vehicle::Correction::By(_)))
}

/// A unit is moved a little and goes on. An own player's velocity is its own (PRED-37).
fn step(
    unit: ObjectId,
    from: Vec3,
    by: Vec3,
    velocity: Option<Vec3>,
    why: Why,
    glide: &mut Glide,
) -> Command {
    glide.moved(by);
    Command::Move { unit, to: from + by, velocity, axes: None, why }
}

/// A unit is put where the host has it, moving as the host has it move (PRED-37).
fn put(unit: ObjectId, from: Vec3, there: Placement, glide: &mut Glide) -> Command {
    glide.moved(there.position - from);
    place(unit, there)
}

fn place(unit: ObjectId, there: Placement) -> Command {
    Command::Move {
        unit,
        to: there.position,
        velocity: Some(there.velocity),
        axes: Some(there.axes),
        why: Why::Teleport,
    }
}

/// A unit sits where the host has it sit, or stands where the host has it stand.
fn seat(row: &UnitRow, word: &HostWord, commands: &mut Vec<Command>) {
    commands.push(Command::Seat { slot: row.slot, unit: row.unit, ride: word.ride });
    if let (None, Some(there)) = (word.ride, word.placement) {
        commands.push(place(row.unit, there));
    }
}

fn draw(unit: ObjectId, glide: &mut Glide, commands: &mut Vec<Command>) {
    if let Some(offset) = glide.take() {
        commands.push(Command::Offset { unit, offset });
    }
}

fn draw_vehicle(driven: &mut OwnVehicle, commands: &mut Vec<Command>) {
    if let Some(offset) = driven.glide.take() {
        commands.push(Command::VehicleOffset { vehicle: driven.vehicle, offset });
    }
}
