//! The host's list of players: slots, teams, names (NET-64, 65, FACT wire 4.2). Knows no stream and no time.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::limits::{MAX_LOCAL_PLAYERS, MAX_PLAYERS};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::settings::{LevelName, MachineEntry, MachineName};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Machine, Slot, names};

use crate::error::Error;

/// Players that one address may add to a game in progress; loopback's are not counted (NET-62).
pub const ADDED_PER_ADDRESS: u8 = 8;

/// A player of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// As every machine knows it.
    pub entry: NetworkPlayer,
    /// Its slot.
    pub slot: Slot,
    /// Its machine.
    pub machine: Machine,
    /// Whether it has left; its slot is its own until the game ends.
    pub left: bool,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Roster {
    players: Box<[Option<Player>; MAX_PLAYERS]>,
    record: Box<SettingsRecord>,
    /// How many each address added to the game in progress.
    added: Vec<(IpAddr, u8)>,
}

impl Roster {
    /// With nobody, of those settings; their lists of machines and players are kept by the roster.
    pub(crate) fn new(record: Box<SettingsRecord>) -> Self {
        let mut roster = Self { players: Box::new([None; MAX_PLAYERS]), record, added: Vec::new() };
        roster.list_players();
        roster
    }

    /// The settings as they stand.
    pub(crate) fn record(&self) -> &SettingsRecord {
        &self.record
    }

    /// The player of a slot, one that has left too.
    pub(crate) fn get(&self, slot: Slot) -> Option<&Player> {
        self.players[slot.index()].as_ref()
    }

    /// The players that are there.
    pub(crate) fn present(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().flatten().filter(|player| !player.left)
    }

    /// The present players of a machine.
    pub(crate) fn of(&self, machine: Machine) -> impl Iterator<Item = &Player> {
        self.present().filter(move |player| player.machine == machine)
    }

    /// Whether there is room for another player.
    pub(crate) fn is_full(&self) -> bool {
        self.present().count() >= usize::from(self.record.max_players).min(MAX_PLAYERS)
            || self.players.iter().all(Option::is_some)
    }

    /// Adds a machine's player as it asked, with the slot, team and name that the host gives it: the lowest slot
    /// that this game has not had, the smaller team or one of its own, a name that no other has.
    ///
    /// `from` is the address to count it under, of a game in progress.
    pub(crate) fn add(
        &mut self,
        machine: Machine,
        asked: &NetworkPlayer,
        from: Option<IpAddr>,
    ) -> Result<&Player, Error> {
        // A machine that does not know its index yet says none.
        if asked.machine != -1 && asked.machine() != Some(machine) {
            return Err(Error::NotItsOwn);
        }
        if !usize::try_from(asked.controller).is_ok_and(|controller| controller < MAX_LOCAL_PLAYERS)
            || self.is_full()
            || self.of(machine).count() >= MAX_LOCAL_PLAYERS
        {
            return Err(Error::TooManyPlayers);
        }
        if self.of(machine).any(|player| player.entry.controller == asked.controller) {
            return Err(Error::Unexpected);
        }
        if let Some(address) = from.filter(|address| !address.is_loopback()) {
            self.count_added(address)?;
        }
        let slot =
            Slot::all().find(|slot| self.players[slot.index()].is_none()).ok_or(Error::TooManyPlayers)?;
        let entry = NetworkPlayer {
            name: self.own_name(&asked.name),
            machine: machine.get() as i8,
            team: self.team_for(slot),
            slot: slot.get() as i8,
            ..*asked
        };
        self.players[slot.index()] = Some(Player { entry, slot, machine, left: false });
        self.list_players();
        self.players[slot.index()].as_ref().ok_or(Error::TooManyPlayers)
    }

    /// Changes a player's colour and name as its machine asked.
    pub(crate) fn change(&mut self, machine: Machine, asked: &NetworkPlayer) -> Result<Player, Error> {
        let slot = self.find(machine, asked)?;
        let Some(mut player) = self.players[slot.index()].take() else {
            return Err(Error::NotItsOwn);
        };
        player.entry.name = self.own_name(&asked.name);
        player.entry.colour = asked.colour;
        player.entry.icon = asked.icon;
        self.players[slot.index()] = Some(player);
        self.list_players();
        Ok(player)
    }

    /// The slot of the player that a machine's request is about.
    pub(crate) fn find(&self, machine: Machine, asked: &NetworkPlayer) -> Result<Slot, Error> {
        if asked.machine != -1 && asked.machine() != Some(machine) {
            return Err(Error::NotItsOwn);
        }
        let found = self.of(machine).find(|player| player.entry.controller == asked.controller);
        found.map(|player| player.slot).ok_or(Error::Unexpected)
    }

    /// Takes a player out. In a game its slot stays taken.
    pub(crate) fn remove(&mut self, slot: Slot, is_game: bool) -> Option<Player> {
        let place = &mut self.players[slot.index()];
        let player = place.filter(|player| !player.left)?;
        *place = is_game.then_some(Player { left: true, ..player });
        self.list_players();
        Some(player)
    }

    /// The game is over, or another begins: the slots of those who left are free.
    pub(crate) fn forget_left(&mut self) {
        for place in self.players.iter_mut() {
            if place.is_some_and(|player| player.left) {
                *place = None;
            }
        }
        self.added.clear();
        self.list_players();
    }

    /// The settings are those from now on, but for the lists. Where the rules about teams are others every player is given
    /// its team anew, by rising slot.
    pub(crate) fn set_game(&mut self, record: &SettingsRecord) {
        let last = core::mem::replace(&mut *self.record, *record);
        self.record.machines = last.machines;
        self.record.machine_count = last.machine_count;
        if last.variant.teams != record.variant.teams {
            self.players.iter_mut().flatten().for_each(|player| player.entry.team = -1);
            for slot in Slot::all() {
                let team = self.team_for(slot);
                if let Some(player) = &mut self.players[slot.index()] {
                    player.entry.team = team;
                }
            }
        }
        self.list_players();
    }

    /// The map's name and version; whether they are others.
    pub(crate) fn name_map(&mut self, level: LevelName, version: i32) -> bool {
        let is_other = self.record.map != level || self.record.map_version != version;
        self.record.map = level;
        self.record.map_version = version;
        is_other
    }

    /// Lists the machines anew.
    pub(crate) fn list_machines(&mut self, machines: impl Iterator<Item = (Machine, MachineName)>) {
        self.record.machines.fill(MachineEntry::NONE);
        let mut count = 0;
        for (place, (machine, name)) in self.record.machines.iter_mut().zip(machines) {
            *place = MachineEntry { name, index: machine.get() as i8, ..MachineEntry::NONE };
            count += 1;
        }
        self.record.machine_count = count;
    }

    fn list_players(&mut self) {
        self.record.players.fill(NetworkPlayer::NONE);
        let mut count = 0;
        let present = self.players.iter().flatten().filter(|player| !player.left);
        for (place, player) in self.record.players.iter_mut().zip(present) {
            *place = player.entry;
            count += 1;
        }
        self.record.player_count = count;
    }

    fn count_added(&mut self, address: IpAddr) -> Result<(), Error> {
        match self.added.iter_mut().find(|(known, _)| *known == address) {
            Some((_, count)) if *count >= ADDED_PER_ADDRESS => return Err(Error::TooManyPlayers),
            Some((_, count)) => *count += 1,
            None => self.added.push((address, 1)),
        }
        Ok(())
    }

    fn team_for(&self, slot: Slot) -> i8 {
        if self.record.variant.teams == 0 {
            return slot.get() as i8;
        }
        let of_team = |team| self.present().filter(|player| player.entry.team == team).count();
        i8::from(of_team(1) < of_team(0))
    }

    /// The name that a player who asks for that one has.
    fn own_name(&self, asked: &Name) -> Name {
        names::own(asked, self.present().map(|player| &player.entry.name))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    fn asked(name: &str, controller: i8) -> NetworkPlayer {
        NetworkPlayer { name: Name::cut(name), controller, slot: 7, team: 5, ..NetworkPlayer::NONE }
    }

    fn roster(most: u8, teams: bool) -> Roster {
        let mut record = SettingsRecord::empty();
        record.max_players = most;
        record.variant.teams = u8::from(teams);
        Roster::new(record)
    }

    /// GLUE-22: another variant gives everybody a team by its own rule: two in turn, or each its own.
    #[test]
    fn another_variant_gives_other_teams() {
        let mut roster = roster(16, false);
        for controller in 0..3 {
            roster.add(machine(1), &asked("Ann", controller), None).unwrap();
        }
        roster.remove(Slot::new(0).unwrap(), false);
        let teams = |roster: &Roster| roster.present().map(|player| player.entry.team).collect::<Vec<_>>();
        assert_eq!(teams(&roster), [1, 2]);
        let mut next = SettingsRecord::empty();
        for (has_teams, given) in [(1, [0, 1]), (0, [1, 2])] {
            next.variant.teams = has_teams;
            next.variant.score_limit = 7;
            roster.set_game(&next);
            assert_eq!(teams(&roster), given);
            assert_eq!(roster.record().players().iter().map(|player| player.team).collect::<Vec<_>>(), given);
            assert_eq!(roster.record().variant.score_limit, 7);
        }
    }

    /// NET-65: slot and team are the host's, another machine's index is refused.
    #[test]
    fn slot_team_and_name_are_the_hosts() {
        let mut roster = roster(16, false);
        for i in 0..3 {
            let player = roster.add(machine(i), &asked("Bob", 0), None).unwrap();
            assert_eq!((player.slot.get(), player.entry.team, player.entry.slot), (i, i as i8, i as i8));
            assert_eq!(player.entry.machine, i as i8);
        }
        let names: Vec<_> = roster.present().map(|player| player.entry.name.to_string()).collect();
        assert_eq!(names, ["Bob", "Bob 2", "Bob 3"]);
        let other = NetworkPlayer { machine: 2, ..asked("Bob", 1) };
        assert_eq!(roster.add(machine(1), &other, None).unwrap_err(), Error::NotItsOwn);
        assert_eq!(roster.record().player_count, 3);
    }

    /// NET-65: names are trimmed, made of what prints, never empty, and kept apart whatever their case.
    #[test]
    fn names_are_cleaned_and_kept_apart() {
        let mut roster = roster(16, false);
        for (i, (name, given)) in [
            ("ABCDEFGHIJK", "ABCDEFGHIJK"),
            ("abcdefghijk", "abcdefghi 2"),
            ("", "Player"),
            (" \u{7}|\n", "Player 2"),
            ("  A\u{200b}|\nlice ", "Alice"),
        ]
        .into_iter()
        .enumerate()
        {
            let player = roster.add(machine(i as u8), &asked(name, 0), None).unwrap();
            assert_eq!(player.entry.name.to_string(), given);
        }
    }

    /// NET-64: four a machine, and the game's number.
    #[test]
    fn a_player_past_the_number_is_not_listed() {
        let mut four = roster(128, true);
        for controller in 0..4 {
            let player = *four.add(machine(1), &asked("A", controller), None).unwrap();
            assert_eq!(player.entry.team, controller % 2, "teams alternate");
        }
        assert_eq!(four.add(machine(1), &asked("A", 3), None).unwrap_err(), Error::TooManyPlayers);
        assert_eq!(four.add(machine(2), &asked("A", 4), None).unwrap_err(), Error::TooManyPlayers);
        let mut all = roster(128, false);
        for i in 0..128_u8 {
            all.add(machine(i / 4), &asked("A", (i % 4) as i8), None).unwrap();
        }
        assert_eq!(all.add(machine(100), &asked("A", 0), None).unwrap_err(), Error::TooManyPlayers);
    }

    /// GLUE-22, AUTH-56: the next game's settings keep the lists; players get teams by its rules, in turn or each its own.
    #[test]
    fn the_next_game_keeps_the_lists() {
        let mut roster = roster(16, false);
        for i in 0..5 {
            roster.add(machine(i), &asked("Bob", 0), None).unwrap();
        }
        roster.remove(Slot::new(1).unwrap(), false);
        roster.list_machines([(machine(3), MachineName::cut("M"))].into_iter());
        let mut next = SettingsRecord::empty();
        (next.max_players, next.variant.teams, next.seed) = (9, 1, 77);
        let teams = |roster: &Roster| roster.present().map(|player| player.entry.team).collect::<Vec<_>>();
        roster.set_game(&next);
        assert_eq!(teams(&roster), [0, 1, 0, 1]);
        let record = roster.record();
        assert_eq!(
            (record.max_players, record.seed, record.player_count, record.machine_count),
            (9, 77, 4, 1)
        );
        assert!(record.players().iter().map(|player| player.team).eq([0, 1, 0, 1]));
        assert_eq!(record.machines()[0].index, 3);
        // The same rule about teams changes nobody's.
        roster.remove(Slot::new(0).unwrap(), false);
        roster.set_game(&next);
        assert_eq!(teams(&roster), [1, 0, 1]);
        next.variant.teams = 0;
        roster.set_game(&next);
        assert_eq!(teams(&roster), [2, 3, 4]);
    }

    /// NET-62: eight players of an address in a game, loopback's aside.
    #[test]
    fn an_address_adds_eight_players_to_a_game() {
        let mut roster = roster(128, false);
        let address: IpAddr = [10, 0, 0, 9].into();
        for i in 0..8 {
            let slot = roster.add(machine(1), &asked("A", 0), Some(address)).unwrap().slot;
            assert_eq!(slot.get(), i, "a slot is not given twice in a game");
            roster.remove(slot, true);
        }
        assert_eq!(roster.add(machine(1), &asked("A", 0), Some(address)).unwrap_err(), Error::TooManyPlayers);
        for i in 0..16 {
            roster.add(machine(2 + i), &asked("A", 0), Some([127, 0, 0, 1].into())).unwrap();
        }
        roster.forget_left();
        let slot = roster.add(machine(1), &asked("A", 0), Some(address)).unwrap().slot;
        assert_eq!(slot.get(), 0, "the next game has it again");
    }
}
