//! What a host's own people are told of its game's map: that it is looked at, where that takes long, and who gets it. Knows no file.

use mjolnir_mapshare::host::MapState;
use mjolnir_wire::{MachineSet, Moment};

use super::hosting::Hosting;
use crate::desk::Desk;

/// Microseconds for which a map is looked at before that is said.
const LONG: u64 = Moment::SECOND;

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Without {
    /// Who lacked the map when it was looked last.
    machines: MachineSet,
    /// Since when the map is looked at, and whether that was said.
    looks: Option<(Moment, bool)>,
}

impl Without {
    /// Tells what is new.
    pub(super) fn tell(&mut self, now: Moment, machine: &Hosting, desk: &mut Desk) {
        let level = machine.host.transport().record().map;
        let level = level.as_str().unwrap_or_default();
        let is_looked_at = matches!(machine.host.map(), MapState::Looking);
        let there = machine.host.transport().machines();
        for line in self.lines(now, level, is_looked_at, machine.host.machines_without_map(), there) {
            desk.say(&line);
        }
    }

    fn lines(
        &mut self,
        now: Moment,
        level: &str,
        is_looked_at: bool,
        without: MachineSet,
        there: MachineSet,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        if !is_looked_at {
            self.looks = None;
        } else {
            let (since, was_said) = self.looks.get_or_insert((now, false));
            if now.since(*since) >= LONG && !std::mem::replace(was_said, now.since(*since) >= LONG) {
                lines.push(format!("{level} is looked at: the game begins once it is hashed"));
            }
        }
        let begin = without.iter().filter(|machine| !self.machines.contains(*machine));
        lines.extend(begin.map(|machine| format!("machine {} gets {level}", machine.get())));
        let end =
            self.machines.iter().filter(|machine| !without.contains(*machine) && there.contains(*machine));
        lines.extend(end.map(|machine| format!("machine {} has {level}", machine.get())));
        self.machines = without;
        lines
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Machine;

    use super::*;

    fn set(machines: &[u8]) -> MachineSet {
        machines.iter().map(|machine| Machine::new(*machine).unwrap()).collect()
    }

    /// MAP-10, 65: who begins to get the map and who has it is said once each, of one that left nothing; that the map is looked at once
    /// that has taken a second, once.
    #[test]
    fn a_host_is_told_who_gets_its_map() {
        let mut without = Without::default();
        let all = set(&[1, 2]);
        let mut lines = |millis, is_looked_at, of: &[u8], there| {
            without.lines(Moment::from_millis(millis), "custom_maps\\hugeass", is_looked_at, set(of), there)
        };
        assert_eq!(lines(0, true, &[], all), [""; 0]);
        assert_eq!(lines(999, true, &[], all), [""; 0]);
        let due = "custom_maps\\hugeass is looked at: the game begins once it is hashed";
        assert_eq!(lines(1000, true, &[], all), [due]);
        assert_eq!(lines(2000, true, &[], all), [""; 0]);
        let due = [1, 2].map(|machine| format!("machine {machine} gets custom_maps\\hugeass"));
        assert_eq!(lines(2001, false, &[1, 2], all), due);
        assert_eq!(lines(2002, false, &[1, 2], all), [""; 0]);
        assert_eq!(lines(2003, false, &[2], all), ["machine 1 has custom_maps\\hugeass"]);
        assert_eq!(lines(2004, false, &[], set(&[1])), [""; 0]);
        assert_eq!(lines(5000, true, &[], all), [""; 0]);
        assert_eq!(lines(6000, true, &[], all).len(), 1);
    }
}
