//! Machines that have yet to get the game's map (MAP-10, 11, 55): their players are held out of a game, and no limit of joining or
//! loading counts while they are excused. Knows neither the map nor how far it is.

use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::packets::NetworkPlayer;
use mjolnir_wire::{Machine, Moment, Outbox, Slot, Tick};

use super::member::Member;
use super::standing::Standing;
use super::{Host, Stage};
use crate::error::Error;
use crate::gather;

/// What a machine's download of the game's map does to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Download {
    /// Its players are held out of a game in progress, and it is not told to load it.
    pub is_held: bool,
    /// It is not dropped for bringing no player or not having loaded.
    pub is_excused: bool,
}

impl Download {
    /// Of a machine that has the map, or does not say that it lacks it.
    pub const NONE: Self = Self { is_held: false, is_excused: false };
}

impl Member {
    /// Keeps a player that it asked for until it has the map.
    pub(super) fn wait(&mut self, own: Machine, asked: &NetworkPlayer) -> Result<(), Error> {
        if asked.machine != -1 && asked.machine() != Some(own) {
            return Err(Error::NotItsOwn);
        }
        let is_controller = usize::try_from(asked.controller).is_ok_and(|at| at < MAX_LOCAL_PLAYERS);
        if !is_controller || self.waiting.len() >= MAX_LOCAL_PLAYERS {
            return Err(Error::TooManyPlayers);
        }
        if self.waiting.iter().any(|waiting| waiting.controller == asked.controller) {
            return Err(Error::Unexpected);
        }
        self.waiting.push(*asked);
        Ok(())
    }

    /// One that waits leaves; whether it did wait.
    pub(super) fn wait_no_more(&mut self, asked: &NetworkPlayer) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.controller != asked.controller);
        self.waiting.len() < before
    }
}

impl Host {
    /// What that machine's download does to it from now on. One that is held no more brings the players that it asked for, and
    /// joins the game in progress.
    pub fn set_download(&mut self, now: Moment, tick: Tick, machine: Machine, download: Download) {
        let Some(member) = self.members.get_mut(machine) else {
            return;
        };
        let was_held = core::mem::replace(&mut member.download, download).is_held;
        match (was_held, download.is_held) {
            (false, true) if member.standing == Standing::Admitted => self.hold_out(tick, machine),
            // The start crossed its word: it loads once it has the map, and the others do not wait for that (MAP-11).
            (false, true) if member.standing.holds_the_start() => {
                member.standing.leave_behind(now);
                self.hold_out(tick, machine);
            }
            (true, false) if !matches!(self.stage, Stage::Over) => self.let_play(now, machine),
            _ => {}
        }
    }

    /// Sends those messages to a machine by its stream, whether it hears the game's or not: while it waits for the map it must
    /// hear of that (NET-30).
    pub fn flush_told(&mut self, now: Moment, outbox: &Outbox, machine: Machine) {
        if let Some(member) = self.members.get_mut(machine) {
            let sent = &mut member.traffic.sent;
            let length = gather::stream(outbox, machine, member.stream, sent, &mut self.out);
            member.ring.add_at(now, length);
        }
    }

    /// The game begins without those who have yet to get its map.
    pub(super) fn leave_downloading(&mut self, tick: Tick) {
        for machine in self.members.set(|member| member.download.is_held).iter() {
            if let Some(member) = self.members.get_mut(machine)
                && member.standing == Standing::Lobby
            {
                member.standing = Standing::Admitted;
                member.held.clear();
                self.hold_out(tick, machine);
            }
        }
    }

    /// In a game, players that waited for what their machine had said before to be heard are let in, if that was not that it lacks
    /// the map.
    pub(super) fn let_heard_play(&mut self, now: Moment) {
        if !matches!(self.stage, Stage::Loading { .. } | Stage::Playing) {
            return;
        }
        let waiting = self.members.set(|member| !member.waiting.is_empty() && !member.download.is_held);
        for machine in waiting.iter() {
            if !self.inbox.holds(machine) {
                self.let_play(now, machine);
            }
        }
    }

    /// The players that waited for a game that is over are the lobby's.
    pub(super) fn list_waiting(&mut self, now: Moment) {
        for machine in self.members.set(|member| !member.waiting.is_empty()).iter() {
            self.let_play(now, machine);
        }
    }

    /// Its players wait from now on.
    fn hold_out(&mut self, tick: Tick, machine: Machine) {
        for slot in Slot::all() {
            let player = self.roster.get(slot).filter(|player| player.machine == machine && !player.left);
            let Some(player) = player.copied() else { continue };
            self.remove_player(tick, slot);
            if let Some(member) = self.members.get_mut(machine) {
                member.waiting.push(player.entry);
            }
        }
        if let Some(member) = self.members.get_mut(machine) {
            member.brought = None;
        }
    }

    /// Its players wait no more.
    fn let_play(&mut self, now: Moment, machine: Machine) {
        let Some(member) = self.members.get_mut(machine) else {
            return;
        };
        for player in core::mem::take(&mut member.waiting) {
            if let Err(error) = self.add_player(now, machine, &player) {
                self.counters.count(error);
            }
        }
    }
}
