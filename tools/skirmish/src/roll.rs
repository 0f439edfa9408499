//! Who plays at which machine, in the words that every line of the program has for them. Knows no netcode beyond a
//! list of players, and no console.

use mjolnir_engine_glue::transport::Player;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet, Slot};

/// A host's players by slot, those of a machine that is gone until that was told; and the machines whose joining was
/// not told yet, for want of a player to name.
#[derive(Debug)]
pub struct Roll {
    players: [Option<(Machine, Name)>; MAX_PLAYERS],
    unnamed: Vec<Machine>,
}

impl Default for Roll {
    fn default() -> Self {
        Self { players: [None; MAX_PLAYERS], unnamed: Vec::new() }
    }
}

impl Roll {
    /// A machine was let in: it has no player yet.
    pub fn joined(&mut self, machine: Machine) {
        self.unnamed.push(machine);
    }

    /// Takes who is there now; of a machine that has nobody any more who was there is kept. Tells in words of the machines that have
    /// a player since.
    pub fn take<'a>(&mut self, players: impl Iterator<Item = &'a Player>) -> Vec<String> {
        let mut present: [Option<(Machine, Name)>; MAX_PLAYERS] = [None; MAX_PLAYERS];
        for player in players {
            present[player.slot.index()] = Some((player.machine, player.entry.name));
        }
        // Players that waited for a map have other slots than they had before it.
        let machines: MachineSet = present.iter().flatten().map(|(machine, _)| *machine).collect();
        for (place, now) in self.players.iter_mut().zip(present) {
            place.take_if(|(machine, _)| machines.contains(*machine));
            *place = now.or(*place);
        }
        let (named, unnamed) =
            self.unnamed.iter().partition(|machine| self.names_of(**machine).next().is_some());
        self.unnamed = unnamed;
        named.into_iter().map(|machine: Machine| format!("{} joined", self.name(machine))).collect()
    }

    /// A machine is gone, and was told of for the last time.
    pub fn forget(&mut self, machine: Machine) {
        self.unnamed.retain(|unnamed| *unnamed != machine);
        for place in &mut self.players {
            place.take_if(|(other, _)| *other == machine);
        }
    }

    /// What a machine is called: by its players, the machine's number beside them.
    pub fn name(&self, machine: Machine) -> String {
        called(&self.names_of(machine).collect::<Vec<_>>(), machine)
    }

    /// A machine's players, with their slots.
    pub fn players_of(&self, machine: Machine) -> impl Iterator<Item = (Slot, String)> {
        let places = Slot::all().zip(&self.players);
        places.filter_map(move |(slot, place)| {
            place.filter(|(other, _)| *other == machine).map(|(_, name)| (slot, name.to_string()))
        })
    }

    fn names_of(&self, machine: Machine) -> impl Iterator<Item = String> {
        self.players_of(machine).map(|(_, name)| name)
    }
}

/// What a machine is called by its players' names; by its number alone where it has none.
pub fn called(names: &[String], machine: Machine) -> String {
    if names.is_empty() {
        format!("machine {}", machine.get())
    } else {
        format!("{} (machine {})", names.join(", "), machine.get())
    }
}

/// A player's line of the list: slot, name, machine, and how long a datagram takes from the host to it and back, in
/// milliseconds, where that is known.
pub fn line(slot: Slot, name: &str, machine: Machine, ping: Option<u16>) -> String {
    let ping = ping.map(|ms| format!(", {ms} ms")).unwrap_or_default();
    let host = if machine == Machine::HOST { " (the host)" } else { "" };
    format!("slot {}: {name}, machine {}{host}{ping}", slot.get(), machine.get())
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::packets::NetworkPlayer;
    use mjolnir_wire::packets::text::Wide;

    use super::*;

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    fn player(slot: u8, name: &str, at: u8) -> Player {
        let entry = NetworkPlayer { name: Wide::cut(name), ..NetworkPlayer::NONE };
        Player { entry, slot: Slot::new(slot).unwrap(), machine: machine(at), left: false }
    }

    /// A machine is told of once it has a player, has its name when it leaves, and hands nothing on to the next
    /// machine of its number.
    #[test]
    fn a_machine_is_called_by_its_players() {
        let mut roll = Roll::default();
        roll.joined(machine(2));
        assert_eq!(roll.take([].iter()), [""; 0]);
        assert_eq!(roll.name(machine(2)), "machine 2");
        let players = [player(0, "Hugo", 0), player(1, "Ann", 2), player(4, "Ann 2", 2)];
        assert_eq!(roll.take(players.iter()), ["Ann, Ann 2 (machine 2) joined"]);
        assert_eq!(roll.take(players.iter()), [""; 0]);

        assert_eq!(roll.take(players[..1].iter()), [""; 0]);
        assert_eq!(roll.name(machine(2)), "Ann, Ann 2 (machine 2)");
        let slots: Vec<_> = roll.players_of(machine(2)).map(|(slot, name)| (slot.get(), name)).collect();
        assert_eq!(slots, [(1, "Ann".into()), (4, "Ann 2".into())]);
        // Held out of a game for want of its map, and let in at other slots.
        assert_eq!(roll.take([player(0, "Hugo", 0), player(7, "Ann", 2)].iter()), [""; 0]);
        assert_eq!(roll.name(machine(2)), "Ann (machine 2)");
        roll.forget(machine(2));
        roll.joined(machine(2));
        assert_eq!(roll.name(machine(2)), "machine 2");
        assert_eq!(roll.take([player(5, "Dan", 2)].iter()), ["Dan (machine 2) joined"]);
    }

    #[test]
    fn a_player_has_a_line() {
        let slot = Slot::new(3).unwrap();
        assert_eq!(line(slot, "Ann", machine(2), Some(52)), "slot 3: Ann, machine 2, 52 ms");
        assert_eq!(line(slot, "Ann", machine(2), None), "slot 3: Ann, machine 2");
        assert_eq!(line(slot, "Hugo", Machine::HOST, None), "slot 3: Hugo, machine 0 (the host)");
    }
}
