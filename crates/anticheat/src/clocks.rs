//! The clocks of every machine in a game, as its host measures them. Knows no address, and not what becomes of who is refused.

use alloc::boxed::Box;
use alloc::vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, MachineSet, Moment, Tick};

use crate::speed::{Finding, Measure, Speed, Way};

/// See the file's text. All its memory is had as it is made.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// Who is measured, and each one's clock at its place.
    machines: MachineSet,
    speeds: Box<[Speed]>,
    /// For how long the host's own clock stood in this game, in microseconds, by what some machine showed.
    stood: u64,
}

impl Default for Clocks {
    fn default() -> Self {
        Self::new()
    }
}

impl Clocks {
    /// Of nobody.
    pub fn new() -> Self {
        Self {
            machines: MachineSet::NONE,
            speeds: vec![Speed::new(Moment::START, Tick::ZERO); MAX_MACHINES].into_boxed_slice(),
            stood: 0,
        }
    }

    /// That machine is first told now that the game's time is `host`, be it that it joins late or that a game starts: see
    /// [`Speed::new`]. Whoever was at its place before is forgotten. Nothing may be noted of it that it said of an earlier game.
    /// The host's own machine is not to be added: there is no other clock to measure it by.
    pub fn add(&mut self, now: Moment, machine: Machine, host: Tick) {
        self.machines.insert(machine);
        self.speeds[machine.index()] = Speed::new(now, host);
        self.speeds[machine.index()].begin(self.stood);
    }

    /// Whether it was added, and has not left.
    pub const fn contains(&self, machine: Machine) -> bool {
        self.machines.contains(machine)
    }

    /// It left.
    pub fn remove(&mut self, machine: Machine) {
        self.machines.remove(machine);
    }

    /// Another game begins for those who are here: see [`Speed::new_game`].
    pub fn new_game(&mut self, now: Moment, host: Tick) {
        self.stood = 0;
        for machine in self.machines.iter() {
            self.speeds[machine.index()].new_game(now, host);
        }
    }

    /// A message of a machine was read now, of that stamp, while the host was at its tick `host` (CHEAT-08); nothing for one
    /// that was not added.
    pub fn note(&mut self, now: Moment, machine: Machine, host: Tick, stamp: Tick, way: Way) {
        if self.machines.contains(machine) {
            self.speeds[machine.index()].note(now, host, stamp, way);
        }
    }

    /// Each tick, after what came was noted: what was found of whose windows end.
    pub fn step(&mut self, now: Moment, mut found: impl FnMut(Machine, Finding)) {
        for machine in self.machines.iter() {
            let speed = &mut self.speeds[machine.index()];
            speed.share(self.stood);
            if let Some(finding) = speed.measure(now) {
                found(machine, finding);
            }
            self.stood = self.stood.max(speed.shown());
        }
    }

    /// Whether a machine's players' predictions are refused for its clock (CHEAT-10, 11).
    pub fn is_refused(&self, machine: Machine) -> bool {
        self.machines.contains(machine) && self.speeds[machine.index()].is_refused()
    }

    /// What a machine's last window read.
    pub fn measured(&self, machine: Machine) -> Option<Measure> {
        if self.machines.contains(machine) { self.speeds[machine.index()].measured() } else { None }
    }
}
