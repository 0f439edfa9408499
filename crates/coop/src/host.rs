//! The host's telling of devices: what they are set to and where they are, to whom and when (COOP-15, 18, 59). Knows no
//! level: it is given rows.

use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::{Kind, MachineSet, ObjectName, Outbox, Tick};

use crate::known::Known;
use crate::rows::{DeviceRow, GroupRow};

/// Ticks after a change, and after a device's stop, in which it is told again (COOP-15, 18).
pub const DEVICE_REPEAT_TICKS: usize = 3;
/// Ticks from a change to the next telling, and from there to each next one, of what changed since the level began
/// (COOP-15, 18).
pub const DEVICE_ROUND: u32 = 30;

/// When something is told.
#[derive(Clone, Copy, Debug, Default)]
struct Telling {
    /// It changed since the level began.
    has_changed: bool,
    /// Ticks in which it is told again.
    left: usize,
    /// When it changed last, or was told in its round.
    since: Tick,
}

impl Telling {
    /// Whether everybody is told in that tick.
    fn is_due(&mut self, tick: Tick, changes: bool) -> bool {
        if changes {
            *self = Self { has_changed: true, left: DEVICE_REPEAT_TICKS, since: tick };
            return true;
        }
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        let is_due = self.has_changed && tick.since(self.since) >= DEVICE_ROUND as i32;
        if is_due {
            self.since = tick;
        }
        is_due
    }
}

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
    /// The machines that are told.
    told: MachineSet,
    /// Those that are new to it, by the ticks since: they are told of everything that changed (COOP-59).
    newcomers: [MachineSet; DEVICE_REPEAT_TICKS],
}

impl Default for DeviceHost {
    fn default() -> Self {
        Self::new()
    }
}

impl DeviceHost {
    /// Of a level that begins.
    pub const fn new() -> Self {
        Self {
            groups: Known::new(),
            devices: Known::new(),
            told: MachineSet::NONE,
            newcomers: [MachineSet::NONE; DEVICE_REPEAT_TICKS],
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
        let to = to.without(MachineSet::HOST);
        self.newcomers.rotate_right(1);
        self.newcomers[0] = to.without(self.told);
        self.told = to;
        let newcomers = self.newcomers.iter().fold(MachineSet::NONE, |all, some| all.union(*some));
        let newcomers = newcomers.without(newcomers.without(to));
        let to_whom = |is_due: bool, has_changed: bool| match (is_due, has_changed) {
            (true, _) => to,
            (false, true) => newcomers,
            (false, false) => MachineSet::NONE,
        };

        for row in groups {
            let GroupRow { of, value, changed, snaps } = *row;
            let is_new = || Group { value, changed: 0, snaps: 0, telling: Telling::default() };
            let known = self.groups.of(of, is_new);
            let changes =
                known.value.to_bits() != value.to_bits() || (known.changed, known.snaps) != (changed, snaps);
            (known.value, known.changed, known.snaps) = (value, changed, snaps);
            let to = to_whom(known.telling.is_due(tick, changes), known.telling.has_changed);
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
            let to = to_whom(known.telling.is_due(tick, changes), known.telling.has_changed);
            if !to.is_empty() {
                let entry = DeviceState { device, moving, position, power };
                let _ = outbox.entry(to, Kind::CoopDeviceStates, |bytes| entry.write(bytes));
            }
        }
    }
}
