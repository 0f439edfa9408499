//! Either side of a game as its player has it: who is there, the scoreboard, and what is asked of the netcode about the others.
//! Knows no console: it says what.

use mjolnir_engine_glue::chat;
use mjolnir_engine_glue::transport::Network;
use mjolnir_wire::{Machine, MachineSet, Moment, Slot};

use super::{ClientMachine, HostMachine};
use crate::board::{Board, Entry, Unpicked};
use crate::conduct::{Conduct, Order};
use crate::seam::Game;
use crate::speech::{self, Unsaid};

/// See the module's text.
pub trait Side {
    /// Which machine it is, once it is one of the game's.
    fn machine(&self) -> Option<Machine>;

    /// Who is there, in a game or in the lobby, in no order.
    fn roster(&self) -> Vec<chat::Player>;

    /// Its player's scoreboard.
    fn board(&mut self) -> &mut Board;

    /// Its game.
    fn game(&mut self) -> &mut Game;

    /// Asks the netcode for that, or does it, where this side may.
    fn ask(&mut self, now: Moment, order: Order) -> Result<(), Unsaid>;

    /// Carries an order out; the scoreboard's menus know of it from then on.
    fn order(&mut self, now: Moment, order: Order) -> Result<(), Unsaid> {
        self.ask(now, order)?;
        if let Order::MuteAll(slot, _) | Order::MuteHere(slot, _) = order
            && let Some(player) = self.roster().iter().find(|player| player.slot == slot)
        {
            self.board().note_muted(player.machine, order);
        }
        Ok(())
    }

    /// Does what is asked for by a name.
    fn conduct(&mut self, now: Moment, conduct: &Conduct) -> Result<(), Unsaid> {
        let slot = speech::named(self.roster().into_iter(), conduct.name())?;
        self.order(now, conduct.of(slot))
    }

    /// Picks who is called so on the scoreboard: its slot, and what its menu has.
    fn pick(&mut self, name: &str) -> Result<(Slot, Vec<Entry>), Unsaid> {
        let own = self.machine().ok_or(Unsaid::NoPlayer)?;
        let roster = self.roster();
        let slot = speech::named(roster.iter().copied(), name)?;
        let listed = roster.iter().find(|player| player.slot == slot).ok_or(Unsaid::NoPlayer)?;
        let menu = self.board().pick(own, slot, listed.machine).map_err(Unsaid::Unpicked)?;
        Ok((slot, menu))
    }

    /// Chooses that of the menu of who is picked: what is to be carried out.
    fn choose(&mut self, entry: Entry) -> Result<Order, Unsaid> {
        let own = self.machine().ok_or(Unsaid::Unpicked(Unpicked::Nobody))?;
        self.board().choose(own, entry).map_err(Unsaid::Unpicked)
    }
}

/// The machines of those players.
fn machines(roster: impl Iterator<Item = chat::Player>) -> MachineSet {
    roster.fold(MachineSet::default(), |all, player| all.union(MachineSet::only(player.machine)))
}

impl<N: Network> Side for HostMachine<N> {
    fn machine(&self) -> Option<Machine> {
        Some(Machine::HOST)
    }

    fn roster(&self) -> Vec<chat::Player> {
        self.host.roster().collect()
    }

    fn board(&mut self) -> &mut Board {
        &mut self.board
    }

    fn game(&mut self) -> &mut Game {
        &mut self.game
    }

    fn ask(&mut self, now: Moment, order: Order) -> Result<(), Unsaid> {
        let Self { host, game, .. } = self;
        match order {
            Order::MuteAll(slot, is_muted) => host.mute(now, slot, is_muted, game).map_err(Unsaid::Chat),
            Order::MuteHere(slot, is_muted) => host.mute_here(slot, is_muted, game).map_err(Unsaid::Chat),
            Order::Kick(_) | Order::Ban(_) | Order::Votekick(_) => Err(Unsaid::NoConduct),
        }
    }
}

impl<N: Network> HostMachine<N> {
    /// The machines that are there.
    pub(super) fn there(&self) -> MachineSet {
        machines(self.host.roster())
    }
}

impl<N: Network> Side for ClientMachine<N> {
    fn machine(&self) -> Option<Machine> {
        self.client.transport().machine()
    }

    fn roster(&self) -> Vec<chat::Player> {
        self.client.roster().collect()
    }

    fn board(&mut self) -> &mut Board {
        &mut self.board
    }

    fn game(&mut self) -> &mut Game {
        &mut self.game
    }

    fn ask(&mut self, _now: Moment, order: Order) -> Result<(), Unsaid> {
        let Self { client, game, .. } = self;
        match order {
            order if order.is_hosts() => Err(Unsaid::Hosts),
            Order::MuteHere(slot, is_muted) => client.mute_here(slot, is_muted, game).map_err(Unsaid::Chat),
            _ => Err(Unsaid::NoConduct),
        }
    }

    /// A host's own commands are refused before anybody is looked for (CHEAT-27).
    fn conduct(&mut self, now: Moment, conduct: &Conduct) -> Result<(), Unsaid> {
        if !matches!(conduct, Conduct::Votekick(_)) {
            return Err(Unsaid::Hosts);
        }
        let slot = speech::named(self.roster().into_iter(), conduct.name())?;
        self.order(now, conduct.of(slot))
    }
}

impl<N: Network> ClientMachine<N> {
    /// The machines that are there.
    pub(super) fn there(&self) -> MachineSet {
        machines(self.client.roster())
    }
}
