//! A client's following of the host's devices (COOP-15 to 20, 67). Knows no level: it is given rows, and says what the
//! engine is to do.
//!
//! What is said waits for the next tick, so that an engine is asked once a tick, by what it has then. A client's tick is
//! the host's newest that it heard of or a later one, so that where a device is here and where the host says it is are
//! of about the same tick: a device that moves by itself is off by what it began later, and by jitter.

use alloc::vec::Vec;

use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::stamps::Newest;
use mjolnir_wire::{ObjectName, Tick};

use crate::error::Error;
use crate::known::Known;
use crate::rows::{Command, DeviceRow, GroupRow};

/// A device that moves is put where the host has it once it is off by more than this part of its travel, or by more than
/// [`DEVICE_DRIFT_WU`], whichever is less (COOP-20).
pub const DEVICE_DRIFT_PART: f32 = 0.05;
/// World units; see [`DEVICE_DRIFT_PART`].
pub const DEVICE_DRIFT_WU: f32 = 0.5;
/// Groups heard of before a tick at most, and devices as many: ours. More are refused.
pub const MOST_HEARD: usize = 1024;

/// What was heard of a group.
#[derive(Debug, Default)]
struct Group {
    newest: Newest,
    /// As a level begins.
    snaps: u8,
    changed: u8,
}

/// See the file's text. One is of one game.
#[derive(Debug, Default)]
pub struct DeviceClient {
    groups: Known<Setting, Group>,
    devices: Known<ObjectName, Newest>,
    heard_groups: Vec<(Tick, DeviceGroup)>,
    heard_states: Vec<(Tick, DeviceState)>,
    unknown: u64,
    stale: u64,
    put: u64,
}

impl DeviceClient {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hears an entry of kind 68, of a message of that stamp.
    pub fn handle_group(&mut self, stamp: Tick, group: &DeviceGroup) -> Result<(), Error> {
        if self.heard_groups.len() == MOST_HEARD {
            return Err(Error::TooMany);
        }
        self.heard_groups.push((stamp, *group));
        Ok(())
    }

    /// Hears an entry of kind 77, of a message of that stamp.
    pub fn handle_state(&mut self, stamp: Tick, state: &DeviceState) -> Result<(), Error> {
        if self.heard_states.len() == MOST_HEARD {
            return Err(Error::TooMany);
        }
        self.heard_states.push((stamp, *state));
        Ok(())
    }

    /// Before a tick: what the engine, whose rows these are by rising name, is to do with its devices. What was heard of
    /// a device that it does not have is counted and forgotten, and so is what is older than was heard of the same.
    pub fn before_tick(&mut self, groups: &[GroupRow], devices: &[DeviceRow], commands: &mut Vec<Command>) {
        // Where they are before what they are set to: what a host's device did before it was set holds no more.
        for at in 0..self.heard_states.len() {
            let (stamp, state) = self.heard_states[at];
            match devices.binary_search_by(|row| row.device.cmp(&state.device)) {
                Err(_) => self.unknown += 1,
                Ok(_) if !self.devices.of(state.device, Newest::default).take(stamp) => self.stale += 1,
                Ok(row) => {
                    // The last of what came counts.
                    let mut later = self.heard_states[at + 1..].iter();
                    if !later.any(|(other, later)| later.device == state.device && *other >= stamp) {
                        self.follow(&devices[row], &state, commands);
                    }
                }
            }
        }
        self.heard_states.clear();
        for (stamp, group) in self.heard_groups.drain(..) {
            let Ok(row) = groups.binary_search_by(|row| row.of.cmp(&group.of)) else {
                self.unknown += 1;
                continue;
            };
            let known = self.groups.of(group.of, Group::default);
            if !known.newest.take(stamp) {
                self.stale += 1;
                continue;
            }
            let at_once = known.snaps != group.snaps;
            let is_set = at_once || known.changed != group.changed;
            (known.snaps, known.changed) = (group.snaps, group.changed);
            // What a client has otherwise than it was told is set once more.
            if is_set || groups[row].value.to_bits() != group.value.to_bits() {
                commands.push(Command::Set { of: group.of, value: group.value, at_once });
            }
        }
    }

    fn follow(&mut self, row: &DeviceRow, state: &DeviceState, commands: &mut Vec<Command>) {
        let DeviceRow { device, position, power, moving, travel } = *row;
        if power.to_bits() != state.power.to_bits() {
            commands.push(Command::Power { device, power: state.power });
        }
        let off = (state.position - position).abs();
        if state.moving {
            let is_far = off > DEVICE_DRIFT_PART || off * travel > DEVICE_DRIFT_WU;
            if is_far {
                self.put += 1;
                commands.push(Command::Put { device, position: state.position, moving: true });
            } else if !moving {
                // It may be held where it once stopped.
                commands.push(Command::Put { device, position, moving: true });
            }
        } else if off > 0.0 || moving {
            self.put += u64::from(off > 0.0);
            commands.push(Command::Put { device, position: state.position, moving: false });
        }
    }

    /// Entries of groups and devices that the engine does not have.
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Entries older than what was heard of the same device.
    pub const fn stale(&self) -> u64 {
        self.stale
    }

    /// Times that a device was put where the host has it.
    pub const fn put(&self) -> u64 {
        self.put
    }
}
