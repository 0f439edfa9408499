//! The host's telling of devices: what they are set to and where they are, to whom and when (COOP-15, 18, 59). Knows no
//! level: it is given rows.

use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::{Kind, MachineSet, ObjectName, Outbox, Tick};

use crate::known::Known;
use crate::rows::{DeviceRow, GroupRow};
use crate::telling::{Newcomers, Rhythm, Telling};

/// Ticks after a change, and after a device's stop, in which it is told again (COOP-15, 18).
pub const DEVICE_REPEAT_TICKS: usize = 3;
/// Ticks from a change to the next telling, and from there to each next one, of what changed since the level began
/// (COOP-15, 18).
pub const DEVICE_ROUND: u32 = 30;

const RHYTHM: Rhythm = Rhythm { again: DEVICE_REPEAT_TICKS, round: DEVICE_ROUND };

#[derive(Debug)]
struct Group {
    value: f32,
    changed: u8,
    snaps: u8,
    telling: Telling,
}

#[derive(Debug)]
struct Device {
    position: f32,
    power: f32,
    telling: Telling,
}

/// See the file's text. One is of one game: its level begins with the first rows.
#[derive(Debug)]
pub struct DeviceHost {
    groups: Known<Setting, Group>,
    devices: Known<ObjectName, Device>,
    newcomers: Newcomers,
}

impl Default for DeviceHost {
    fn default() -> Self {
        Self::new()
    }
}

impl DeviceHost {
    /// Of a level that begins.
    pub const fn new() -> Self {
        Self { groups: Known::new(), devices: Known::new(), newcomers: Newcomers::new() }
    }

    /// Before the first tick: where the level's devices are as it begins on every machine, so that what a script does to one in that
    /// very tick is told as a change. Devices that come later begin as they are first read.
    pub fn begin(&mut self, devices: &[DeviceRow]) {
        for DeviceRow { device, position, power, .. } in devices {
            let (position, power) = (*position, *power);
            self.devices.of(*device, || Device { position, power, telling: Telling::default() });
        }
    }

    /// Tells those machines of what changed. Of a machine that is new among them all that has changed since the level
    /// began is told at once.
    pub fn after_tick(
        &mut self,
        tick: Tick,
        to: MachineSet,
        groups: &[GroupRow],
        devices: &[DeviceRow],
        outbox: &mut Outbox,
    ) {
        let audience = self.newcomers.of(to);
        for row in groups {
            let GroupRow { of, value, changed, snaps } = *row;
            let is_new = || Group { value, changed: 0, snaps: 0, telling: Telling::default() };
            let known = self.groups.of(of, is_new);
            let changes =
                known.value.to_bits() != value.to_bits() || (known.changed, known.snaps) != (changed, snaps);
            (known.value, known.changed, known.snaps) = (value, changed, snaps);
            let to = known.telling.whom(tick, changes, RHYTHM, audience);
            if !to.is_empty() {
                let entry = DeviceGroup { of, value, snaps, changed };
                // An entry of its size fits any datagram.
                let _ = outbox.entry(to, Kind::CoopDeviceGroups, |bytes| entry.write(bytes));
            }
        }
        for row in devices {
            let DeviceRow { device, position, power, moving, .. } = *row;
            let known = self.devices.of(device, || Device { position, power, telling: Telling::default() });
            let changes = moving
                || known.position.to_bits() != position.to_bits()
                || known.power.to_bits() != power.to_bits();
            (known.position, known.power) = (position, power);
            let to = known.telling.whom(tick, changes, RHYTHM, audience);
            if !to.is_empty() {
                let entry = DeviceState { device, moving, position, power };
                let _ = outbox.entry(to, Kind::CoopDeviceStates, |bytes| entry.write(bytes));
            }
        }
    }
}
