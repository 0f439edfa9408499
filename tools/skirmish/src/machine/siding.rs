//! Either side of a game as its player has it: who is there, the scoreboard, and what is asked of the netcode about the others.
//! Knows no console: it says what.

use mjolnir_anticheat::Standing;
use mjolnir_anticheat::command::Verb;
use mjolnir_engine_glue::chat;
use mjolnir_engine_glue::transport::Network;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Machine, MachineSet, Moment, Slot};

use super::{ClientMachine, HostMachine};
use crate::board::{Board, Entry, RunningVote, Unpicked};
use crate::conduct::{Conduct, Order};
use crate::seam::Game;
use crate::speech::{self, Unsaid};

/// See the module's text.
pub trait Side {
    /// Which machine it is, once it is one of the game's.
    fn machine(&self) -> Option<Machine>;

    /// Whose game it is in, by which its console knows what runs (CHEAT-01).
    fn standing(&self) -> Standing;

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

    /// Does what is asked for by a name. On a host, why it means nobody is a notice (CHEAT-56), and no error.
    fn conduct(&mut self, now: Moment, conduct: &Conduct) -> Result<(), Unsaid>;

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

    fn standing(&self) -> Standing {
        Standing::Own
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
            Order::Kick(slot) => {
                host.act(now, Verb::Kick, slot).map_err(|why| Unsaid::Conduct(why, Verb::Kick))
            }
            Order::Ban(slot) => host.act(now, Verb::Ban, slot).map_err(|why| Unsaid::Conduct(why, Verb::Ban)),
            Order::Votekick(slot) => {
                host.act(now, Verb::Votekick, slot).map_err(|why| Unsaid::Conduct(why, Verb::Votekick))
            }
        }
    }

    fn conduct(&mut self, now: Moment, conduct: &Conduct) -> Result<(), Unsaid> {
        // Why it means nobody is told as a notice.
        let _ = self.host.command(now, &conduct.command());
        Ok(())
    }
}

/// A vote as a scoreboard shows it.
fn shown(status: VotekickStatus, roster: impl Iterator<Item = chat::Player>) -> Option<RunningVote> {
    let VotekickStatus { slot, votes, needed, seconds_left, you_voted, you_may_vote } = status;
    let slot = slot?;
    let mut roster = roster;
    let whom = roster.find(|player| player.slot == slot).map(|player| player.name.to_string());
    Some(RunningVote {
        slot,
        whom: whom.unwrap_or_default(),
        votes,
        needed,
        seconds: seconds_left,
        has_voted: you_voted,
        may_vote: you_may_vote,
    })
}

impl<N: Network> HostMachine<N> {
    /// The scoreboard is as the netcode has it; what is news on it is told.
    pub(super) fn fill_board(&mut self, now: Moment) {
        let vote = shown(self.host.vote(now), self.host.roster());
        self.board.see(self.there());
        let news = self.board.set_vote(vote);
        self.watch.tell(&mut self.game, news);
    }

    /// The machines that are there.
    fn there(&self) -> MachineSet {
        machines(self.host.roster())
    }
}

impl<N: Network> Side for ClientMachine<N> {
    fn machine(&self) -> Option<Machine> {
        self.client.transport().machine()
    }

    fn standing(&self) -> Standing {
        self.client.standing()
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

    fn ask(&mut self, now: Moment, order: Order) -> Result<(), Unsaid> {
        let Self { client, game, .. } = self;
        match order {
            order if order.is_hosts() => Err(Unsaid::Hosts),
            Order::MuteHere(slot, is_muted) => client.mute_here(slot, is_muted, game).map_err(Unsaid::Chat),
            Order::Votekick(slot) if client.ask_vote(now, slot) => Ok(()),
            _ => Err(Unsaid::NoVote),
        }
    }

    /// A host's own commands are refused before anybody is looked for (CHEAT-27).
    fn conduct(&mut self, now: Moment, conduct: &Conduct) -> Result<(), Unsaid> {
        let command = conduct.command();
        match self.client.command(now, &command) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Unsaid::NoVote),
            Err(why) => Err(Unsaid::Conduct(why, command.verb)),
        }
    }
}

impl<N: Network> ClientMachine<N> {
    /// The scoreboard is as the netcode has it; what is news on it is told.
    pub(super) fn fill_board(&mut self, now: Moment) {
        let status = self.client.vote(now).unwrap_or_default();
        let vote = shown(status, self.client.roster());
        self.board.see(self.there());
        let news = self.board.set_vote(vote);
        self.watch.tell(&mut self.game, news);
    }

    /// The machines that are there.
    fn there(&self) -> MachineSet {
        machines(self.client.roster())
    }
}
