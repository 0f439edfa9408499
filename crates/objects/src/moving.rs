//! To whom a moving object's state goes in a tick: by how far it is from that client's nearest player (OBJ-20). Knows
//! no object, only places.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, MachineSet, Tick, Vec3};

use crate::rows::Viewpoint;

/// World units within which a client is sent a moving object each tick, each second and each third tick; further off
/// each fourth (OBJ-20).
pub const LADDER: [f32; 3] = [25.0, 60.0, 120.0];

/// Where the clients look from, in one tick.
#[derive(Debug)]
pub(crate) struct Eyes {
    eyes: Vec<(MachineSet, Vec3)>,
    /// Clients that have never had a living player.
    nowhere: MachineSet,
    /// Where each one's player was when it last had a living one: it sees from there while it has none.
    last: [Option<Vec3>; MAX_MACHINES],
}

impl Eyes {
    pub(crate) const fn new() -> Self {
        Self { eyes: Vec::new(), nowhere: MachineSet::NONE, last: [None; MAX_MACHINES] }
    }

    /// A tick's eyes of those machines.
    pub(crate) fn look(&mut self, ready: MachineSet, views: &[Viewpoint]) {
        self.eyes.clear();
        let mut without = ready;
        for view in views {
            let Some(position) = view.position else { continue };
            self.last[view.machine.index()] = Some(position);
            if ready.contains(view.machine) {
                self.eyes.push((MachineSet::only(view.machine), position));
                without.remove(view.machine);
            }
        }
        self.nowhere = MachineSet::NONE;
        for machine in without.iter() {
            match self.last[machine.index()] {
                Some(position) => self.eyes.push((MachineSet::only(machine), position)),
                None => self.nowhere.insert(machine),
            }
        }
    }

    pub(crate) const fn forget(&mut self, machine: Machine) {
        self.last[machine.index()] = None;
    }

    /// The machines that are sent the object of that index, which is there, in that tick. Objects' turns differ by
    /// their index, so that a tick's datagrams are as full as the next one's.
    pub(crate) fn due(&self, tick: Tick, index: usize, position: Vec3) -> MachineSet {
        let mut steps = [MachineSet::NONE, MachineSet::NONE, MachineSet::NONE, self.nowhere];
        for (machine, eye) in &self.eyes {
            let squared = (position - *eye).length_squared();
            let step = LADDER.iter().take_while(|bound| squared > *bound * *bound).count();
            steps[step] = steps[step].union(*machine);
        }
        let turn = tick.get() as u32 as usize + index;
        let (mut due, mut nearer) = (MachineSet::NONE, MachineSet::NONE);
        for (step, machines) in steps.into_iter().enumerate() {
            if turn.is_multiple_of(step + 1) {
                due = due.union(machines.without(nearer));
            }
            nearer = nearer.union(machines);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mjolnir_wire::{ObjectId, Slot};

    fn view(machine: u8, x: f32) -> Viewpoint {
        Viewpoint {
            slot: Slot::new(machine).unwrap(),
            machine: Machine::new(machine).unwrap(),
            unit: ObjectId::new(u16::from(machine), 1).unwrap(),
            position: Some(Vec3::new(x, 0.0, 0.0)),
            told: MachineSet::NONE,
        }
    }

    fn counted(eyes: &Eyes, machine: u8, at: f32) -> usize {
        let machine = Machine::new(machine).unwrap();
        let ticks = (0..120).map(|number| Tick::ZERO.plus(number));
        ticks.filter(|tick| eyes.due(*tick, 77, Vec3::new(at, 0.0, 0.0)).contains(machine)).count()
    }

    /// OBJ-20: of 120 ticks, those of the nearest of a machine's players.
    #[test]
    fn the_nearest_player_counts() {
        let mut eyes = Eyes::new();
        let ready = [1, 2].into_iter().filter_map(Machine::new).collect();
        eyes.look(ready, &[view(1, 0.0), view(1, 100.0), view(2, 0.0), view(3, 0.0)]);
        for (at, first, second) in [
            (-24.0, 120, 120),
            (-25.0, 120, 120),
            (-25.1, 60, 60),
            (-60.0, 60, 60),
            (-60.1, 40, 40),
            (-120.0, 40, 40),
            (-120.1, 30, 30),
        ] {
            assert_eq!((counted(&eyes, 1, at), counted(&eyes, 2, at)), (first, second), "{at}");
        }
        // Second and fourth step of one machine: the nearer alone counts, and so do second and third.
        assert_eq!((counted(&eyes, 1, 150.0), counted(&eyes, 2, 150.0)), (60, 30));
        assert_eq!((counted(&eyes, 1, 50.1), counted(&eyes, 1, -50.1)), (60, 60));
        assert_eq!(counted(&eyes, 3, 0.0), 0, "it is not ready");
    }

    /// OBJ-20: a machine whose players are dead sees from where one last lived, and one that never had any from afar.
    #[test]
    fn a_machine_without_a_living_player_sees_from_where_it_had_one() {
        let mut eyes = Eyes::new();
        let ready = MachineSet::only(Machine::new(1).unwrap());
        eyes.look(ready, &[]);
        assert_eq!(counted(&eyes, 1, 0.0), 30);
        eyes.look(ready, &[view(1, 0.0)]);
        eyes.look(ready, &[]);
        assert_eq!((counted(&eyes, 1, 24.0), counted(&eyes, 1, 26.0)), (120, 60));
        eyes.forget(Machine::new(1).unwrap());
        eyes.look(ready, &[]);
        assert_eq!(counted(&eyes, 1, 24.0), 30);
    }
}
