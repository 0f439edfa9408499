//! Devices at the seam: what there is to say of a map's groups and platforms, and the host's word on them. Knows no message.

use mjolnir_engine_glue::coop;
use mjolnir_engine_glue::engine::Devices;
use mjolnir_wire::ObjectName;
use mjolnir_wire::devices::{Role as Of, Setting};
use mjolnir_wire::events::{Surface, SurfaceBroken};

use super::Game;

impl Devices for Game {
    fn read_groups(&self, rows: &mut Vec<coop::GroupRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.groups().map(|group| coop::GroupRow {
            of: Setting::Group(group.group),
            value: group.value,
            changed: group.changed,
            snaps: group.snaps,
        }));
    }

    fn read_devices(&self, rows: &mut Vec<coop::DeviceRow>) {
        let Some(world) = &self.world else { return };
        rows.extend(world.devices().map(|device| coop::DeviceRow {
            // A map's platforms are no objects: they go by their place in it.
            device: ObjectName::Named(device.device),
            position: device.position,
            power: device.power,
            moving: device.moving,
            travel: device.travel,
        }));
    }

    fn apply_device(&mut self, command: &coop::Command) {
        let Some(world) = &mut self.world else { return };
        match *command {
            coop::Command::Set { of: Setting::Group(group), value, at_once } => {
                world.set_group(group, value, at_once);
            }
            coop::Command::Set { of: Setting::Own(ObjectName::Named(device), Of::Power), value, .. }
            | coop::Command::Power { device: ObjectName::Named(device), power: value } => {
                world.set_power(device, value);
            }
            coop::Command::Put { device: ObjectName::Named(device), position, moving } => {
                world.put_device(device, position, moving);
            }
            // It tells of no such thing, and so is told of none.
            coop::Command::Set { .. } | coop::Command::Power { .. } | coop::Command::Put { .. } => {}
        }
    }

    fn take_broken_surfaces(&mut self, broken: &mut Vec<SurfaceBroken>) {
        let mut panes = Vec::new();
        self.take_broken_panes(&mut panes);
        let surface = |(index, at)| SurfaceBroken { surface: Surface { structure_bsp: 0, index }, at };
        broken.extend(panes.into_iter().map(surface));
    }

    fn is_broken(&self, surface: Surface) -> Option<bool> {
        self.is_pane_broken(surface.index).filter(|_| surface.structure_bsp == 0)
    }

    fn apply_broken_surface(&mut self, broken: &SurfaceBroken) {
        self.break_pane(broken.surface.index, broken.at);
    }
}
