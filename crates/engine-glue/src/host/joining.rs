//! What happens to the session, told to the engine and to whoever shows it: who comes, loads and leaves. Knows no
//! message of the game.

use mjolnir_clock as clock;
use mjolnir_transport::host::Event;
use mjolnir_wire::{Machine, MachineSet, Moment, Slot};

use super::{Host, Notice, Stage};
use crate::engine::{Engine, Player};

impl Host {
    pub(super) fn happened(&mut self, now: Moment, event: Event, engine: &mut impl Engine) {
        match event {
            Event::StartDue => self.notices.push(Notice::StartDue),
            Event::Started => self.start(now, engine),
            Event::Asking { stream, address, hardware_id, .. } => {
                self.asked(now, stream, address, &hardware_id, engine);
            }
            Event::Joined { machine, name, address, hardware_id } => {
                self.let_in(now, machine, address, &hardware_id);
                self.sharing.join(machine, address);
                self.talking.join(now, machine);
                self.notices.push(Notice::Joined { machine, name: name.to_string() });
            }
            Event::PlayerAdded { player } => {
                self.owners[player.slot.index()] = Some(player.machine);
                if player.machine == Machine::HOST {
                    self.locals.add(player.slot);
                }
                if self.stage == Stage::Playing {
                    self.add_player(player.slot, engine);
                }
            }
            // Its name is in the roll, which is called anew after any event.
            Event::PlayerChanged { .. } => {}
            Event::PlayerRemoved { player, at } => {
                self.owners[player.slot.index()] = None;
                self.locals.remove(player.slot);
                if self.stage == Stage::Playing {
                    self.departures.note(player.slot, at);
                }
            }
            Event::Loaded { machine } => {
                self.loaded.insert(machine);
                self.authority.set_clients(self.loaded);
                if self.stage == Stage::Playing {
                    self.clock.add_machine(now, machine);
                    self.admit(machine, engine);
                }
                self.notices.push(Notice::Loaded { machine });
            }
            Event::DatagramsLost { machine } => self.tell_of_datagrams(machine, false),
            Event::DatagramsBack { machine } => self.tell_of_datagrams(machine, true),
            Event::Left { machine, why } => {
                self.to_tell.retain(|(other, _)| *other != machine);
                self.loaded.remove(machine);
                self.clock.remove_machine(machine);
                self.objects.forget(machine);
                self.talking.leave(machine);
                self.sharing.leave(machine);
                self.judging.conduct.leave(now, machine);
                self.scores.forget(machine);
                self.authority.set_clients(self.loaded);
                self.notices.push(Notice::Left { machine, why });
            }
        }
    }

    /// A machine's datagrams come no more, or come again: that is told here, and to it by its stream (NET-76).
    fn tell_of_datagrams(&mut self, machine: Machine, come: bool) {
        self.notices.push(Notice::Datagrams { machine, come });
        if self.stage == Stage::Playing {
            self.to_tell.push((machine, come));
        }
    }

    /// Everybody has loaded: the first tick is due a tick from now.
    fn start(&mut self, now: Moment, engine: &mut impl Engine) {
        self.stage = Stage::Playing;
        self.pace = clock::Pace::new(now);
        self.judging.conduct.start_game(now, self.clock.tick());
        for machine in self.loaded.without(MachineSet::HOST).iter() {
            self.clock.add_machine(now, machine);
        }
        for slot in Slot::all() {
            if self.owners[slot.index()].is_some() {
                self.add_player(slot, engine);
            }
        }
    }

    /// The engine makes a player; one whose machine has loaded may have a unit.
    fn add_player(&mut self, slot: Slot, engine: &mut impl Engine) {
        let Some(player) = self.transport.player(slot) else { return };
        let (machine, name) = (player.machine, player.entry.name.to_string());
        let is_own = machine == Machine::HOST;
        engine.add_player(&Player::listed(slot, machine, &player.entry, &name, is_own));
        if self.loaded.contains(machine) {
            engine.admit_player(slot);
        }
    }

    /// Its players that the engine has may have units.
    fn admit(&self, machine: Machine, engine: &mut impl Engine) {
        for slot in Slot::all().filter(|slot| self.owners[slot.index()] == Some(machine)) {
            engine.admit_player(slot);
        }
    }
}
