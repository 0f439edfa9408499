//! The host's clock, and what it measures of each client. Knows no player and no message.

use mjolnir_wire::limits::{MAX_MACHINES, TICKS_PER_SECOND};
use mjolnir_wire::pings::milliseconds_of_ticks;
use mjolnir_wire::{Machine, MachineSet, Moment, Tick};

use crate::client::SILENCE_MICROS;
use crate::error::Error;
use crate::trip::RoundTrip;
use crate::{Meter, count_after};

/// Updates that a machine gets one a tick, from its start (CLOCK-20).
pub const UPDATES_AT_FIRST: u32 = TICKS_PER_SECOND;
/// Ticks between its updates after that (CLOCK-20).
pub const UPDATE_EVERY: u32 = TICKS_PER_SECOND;

/// A host tick that is named so many ticks late at most is a sample of a round trip: a client that has heard nothing for so
/// long, 15 s, is gone. One of before was damaged on its way, or is a lie, and would count for seconds (ours).
pub const HEARD_TICKS: i32 = 15 * TICKS_PER_SECOND as i32;

/// What is kept of a client.
#[derive(Clone, Copy, Debug)]
struct Line {
    updates: u32,
    /// The tick of its last update.
    updated: Tick,
    heard_at: Moment,
    /// Whether this silence was told.
    told: bool,
    /// Ticks.
    trip: RoundTrip,
    /// Microseconds.
    meter: RoundTrip,
}

/// The host's clock: its tick, the count of its ticks' updates, and a line for each client.
#[derive(Clone, Debug)]
pub struct Host {
    tick: Tick,
    update: i32,
    lines: [Option<Line>; MAX_MACHINES],
    clients: MachineSet,
    meter: Meter,
}

impl Host {
    /// A game whose time, and the count of whose updates, begins there.
    pub const fn new(start: Tick) -> Self {
        Self {
            tick: start,
            update: start.get(),
            lines: [None; MAX_MACHINES],
            clients: MachineSet::NONE,
            meter: Meter::new(),
        }
    }

    /// The tick simulated last.
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// The count of its ticks' updates: the number of the update that tells of this tick.
    pub const fn update(&self) -> i32 {
        self.update
    }

    /// A tick is due: the tick to simulate.
    pub const fn advance(&mut self) -> Tick {
        self.tick = self.tick.next();
        self.update = count_after(self.update);
        self.tick
    }

    /// A client has loaded: its updates begin with the next [`Host::updates_due`]. The host's own machine has no
    /// line, and one that has a line starts anew.
    pub fn add_machine(&mut self, now: Moment, machine: Machine) {
        if machine == Machine::HOST {
            return;
        }
        self.clients.insert(machine);
        self.lines[machine.index()] = Some(Line {
            updates: 0,
            updated: self.tick,
            heard_at: now,
            told: false,
            trip: RoundTrip::new(),
            meter: RoundTrip::new(),
        });
    }

    /// A client has left.
    pub fn remove_machine(&mut self, machine: Machine) {
        self.clients.remove(machine);
        self.lines[machine.index()] = None;
    }

    /// The clients that are sent the game update of this tick: each tick for the first second, once a second after.
    /// They are taken as sent it.
    pub fn updates_due(&mut self) -> MachineSet {
        let mut due = MachineSet::NONE;
        for machine in self.clients.iter() {
            let Some(line) = &mut self.lines[machine.index()] else { continue };
            if line.updates < UPDATES_AT_FIRST || self.tick.since(line.updated) >= UPDATE_EVERY as i32 {
                line.updates = line.updates.saturating_add(1);
                line.updated = self.tick;
                due.insert(machine);
            }
        }
        due
    }

    /// Notes that this tick's messages leave now.
    pub fn sent(&mut self, now: Moment) {
        self.meter.sent(self.tick, now);
    }

    /// A client's inputs name the latest host tick that it has heard: a sample of its round trip, once a message
    /// (CLOCK-09, 12).
    pub fn handle_heard(&mut self, now: Moment, machine: Machine, heard: Tick) -> Result<(), Error> {
        let line = self.lines[machine.index()].as_mut().ok_or(Error::UnknownMachine)?;
        let ticks = self.tick.since(heard);
        if ticks < 0 {
            return Err(Error::HeardAhead);
        }
        if ticks > HEARD_TICKS {
            return Err(Error::HeardLongAgo);
        }
        line.trip.sample(ticks as f32);
        if let Some(micros) = self.meter.sample(now, heard) {
            line.meter.sample(micros as f32);
        }
        Ok(())
    }

    /// A client has last said anything at all then: a message of the game, an update, a byte of its stream. A moment
    /// that is known already changes nothing.
    pub fn hear(&mut self, at: Moment, machine: Machine) -> Result<(), Error> {
        let line = self.lines[machine.index()].as_mut().ok_or(Error::UnknownMachine)?;
        if at > line.heard_at {
            line.heard_at = at;
            line.told = false;
        }
        Ok(())
    }

    /// The clients that have now been silent for [`SILENCE_MICROS`], each told once a silence (CLOCK-16).
    pub fn fallen_silent(&mut self, now: Moment) -> MachineSet {
        let mut silent = MachineSet::NONE;
        for machine in self.clients.iter() {
            let Some(line) = &mut self.lines[machine.index()] else { continue };
            if !line.told && now.since(line.heard_at) >= SILENCE_MICROS {
                line.told = true;
                silent.insert(machine);
            }
        }
        silent
    }

    /// A machine's smoothed round trip in ticks: 0 of the host's own (CLOCK-11), none of one not measured yet.
    pub fn round_trip(&self, machine: Machine) -> Option<f32> {
        if machine == Machine::HOST {
            return Some(0.0);
        }
        self.lines[machine.index()].as_ref()?.trip.smoothed()
    }

    /// The same in whole milliseconds, as every machine is sent it (kind 19).
    pub fn ping_ms(&self, machine: Machine) -> Option<u16> {
        self.round_trip(machine).map(milliseconds_of_ticks)
    }

    /// The latency meter's reading of a client in milliseconds; none before the first sample.
    pub fn meter_ms(&self, machine: Machine) -> Option<u32> {
        if machine == Machine::HOST {
            return Some(0);
        }
        let micros = self.lines[machine.index()].as_ref()?.meter.smoothed()?;
        Some((micros / 1000.0 + 0.5) as u32)
    }
}
