//! The scoreboard as a player has it on the screen: open or not, its mouse, the menu of who is picked, and the vote that runs.
//! Knows no netcode and no score: what is picked is an [`Order`], which somebody else carries out.

use std::fmt;

use mjolnir_wire::{Machine, MachineSet, Slot};

use crate::conduct::Order;

mod vote;

pub use vote::RunningVote;

/// What stands in a player's menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Vote to kick.
    Votekick,
    /// Kick (a host's).
    Kick,
    /// Ban (a host's).
    Ban,
    /// Mute for everyone (a host's), or no longer.
    MuteAll(bool),
    /// Mute on this machine, or no longer.
    MuteHere(bool),
}

impl Entry {
    /// Each with the word that a console has for it.
    pub const NAMED: [(&str, Self); 7] = [
        ("vote", Self::Votekick),
        ("kick", Self::Kick),
        ("ban", Self::Ban),
        ("muteall", Self::MuteAll(true)),
        ("unmuteall", Self::MuteAll(false)),
        ("mute", Self::MuteHere(true)),
        ("unmute", Self::MuteHere(false)),
    ];

    /// The one of that word.
    pub fn named(word: &str) -> Option<Self> {
        let entry = Self::NAMED.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        entry.map(|(_, entry)| entry)
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        Self::NAMED.into_iter().find(|(_, entry)| *entry == self).map_or("", |(name, _)| name)
    }

    /// What it says on the screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Votekick => "Vote to kick",
            Self::Kick => "Kick",
            Self::Ban => "Ban",
            Self::MuteAll(true) => "Mute for everyone",
            Self::MuteAll(false) => "Unmute for everyone",
            Self::MuteHere(true) => "Mute here",
            Self::MuteHere(false) => "Unmute here",
        }
    }

    const fn of(self, slot: Slot) -> Order {
        match self {
            Self::Votekick => Order::Votekick(slot),
            Self::Kick => Order::Kick(slot),
            Self::Ban => Order::Ban(slot),
            Self::MuteAll(is_muted) => Order::MuteAll(slot, is_muted),
            Self::MuteHere(is_muted) => Order::MuteHere(slot, is_muted),
        }
    }
}

/// What a screen is to do with its mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MouseFree(pub bool);

/// Why nothing was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpicked {
    /// The scoreboard is not open.
    Closed,
    /// The mouse still aims.
    NoMouse,
    /// Nobody is picked.
    Nobody,
    /// The menu of who is picked has no such entry.
    NoEntry,
}

impl fmt::Display for Unpicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "the scoreboard is not open: board opens it",
            Self::NoMouse => "the mouse is not free",
            Self::Nobody => "nobody is picked",
            Self::NoEntry => "that player's menu has no such entry",
        })
    }
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Board {
    is_open: bool,
    is_mouse_free: bool,
    picked: Option<(Slot, Machine)>,
    /// Machines that this board's menus have muted, here and for everyone.
    muted: (MachineSet, MachineSet),
    vote: Option<RunningVote>,
}

impl Board {
    /// Whether it is shown.
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the mouse points at players in place of aiming.
    pub const fn is_mouse_free(&self) -> bool {
        self.is_mouse_free
    }

    /// Who is picked.
    pub fn picked(&self) -> Option<Slot> {
        self.picked.map(|(slot, _)| slot)
    }

    /// Shows it.
    pub const fn open(&mut self) {
        self.is_open = true;
    }

    /// Shows it no longer, and nobody is picked. The mouse aims again, if it was free.
    pub const fn close(&mut self) -> Option<MouseFree> {
        (self.is_open, self.picked) = (false, None);
        if std::mem::replace(&mut self.is_mouse_free, false) { Some(MouseFree(false)) } else { None }
    }

    /// A right click frees the mouse, where the board is open and it is not free yet (CHEAT-40).
    pub const fn right_click(&mut self) -> Option<MouseFree> {
        let frees = self.is_open && !self.is_mouse_free;
        self.is_mouse_free |= frees;
        if frees { Some(MouseFree(true)) } else { None }
    }

    /// Picks a player of that machine, by the mouse: what its menu has on the machine `own`. Nothing for one's own players.
    pub fn pick(&mut self, own: Machine, slot: Slot, machine: Machine) -> Result<Vec<Entry>, Unpicked> {
        match (self.is_open, self.is_mouse_free) {
            (false, _) => return Err(Unpicked::Closed),
            (true, false) => return Err(Unpicked::NoMouse),
            (true, true) => {}
        }
        self.picked = Some((slot, machine));
        Ok(self.menu(own, machine))
    }

    /// Does what an entry of the picked player's menu says. The menu is gone then; the mouse stays free.
    pub fn choose(&mut self, own: Machine, entry: Entry) -> Result<Order, Unpicked> {
        let (slot, machine) = self.picked.ok_or(Unpicked::Nobody)?;
        if !self.menu(own, machine).contains(&entry) {
            return Err(Unpicked::NoEntry);
        }
        self.picked = None;
        Ok(entry.of(slot))
    }

    /// A machine was muted or unmuted, so that its menus have the other.
    pub fn note_muted(&mut self, machine: Machine, order: Order) {
        let (here, all) = &mut self.muted;
        match order {
            Order::MuteHere(_, true) => here.insert(machine),
            Order::MuteHere(_, false) => here.remove(machine),
            Order::MuteAll(_, true) => all.insert(machine),
            Order::MuteAll(_, false) => all.remove(machine),
            Order::Kick(_) | Order::Ban(_) | Order::Votekick(_) => {}
        }
    }

    /// Those machines are there: of any other nothing is known any more, since its number may become another's.
    pub fn see(&mut self, there: MachineSet) {
        let (here, all) = self.muted;
        self.muted = (here.intersection(there), all.intersection(there));
        self.picked.take_if(|(_, machine)| !there.contains(*machine));
    }

    /// The vote that runs, as this machine was told; none. In words what is news of it: that one begins, that it is over, and on
    /// an open board how it stands.
    pub fn set_vote(&mut self, mut vote: Option<RunningVote>) -> Vec<String> {
        if let Some(vote) = &mut vote {
            vote.know_from(self.vote.as_ref());
        }
        let news = vote::news(self.vote.as_ref(), vote.as_ref(), self.is_open);
        self.vote = vote;
        news
    }

    /// The same.
    pub const fn vote(&self) -> Option<&RunningVote> {
        self.vote.as_ref()
    }

    /// A menu of a player at that machine (CHEAT-41). Nobody votes against a host's players (CHEAT-59).
    fn menu(&self, own: Machine, machine: Machine) -> Vec<Entry> {
        if machine == own {
            return Vec::new();
        }
        let mut menu = Vec::new();
        if machine != Machine::HOST {
            menu.push(Entry::Votekick);
        }
        if own == Machine::HOST {
            let all = Entry::MuteAll(!self.muted.1.contains(machine));
            menu.extend([Entry::Kick, Entry::Ban, all]);
        }
        menu.push(Entry::MuteHere(!self.muted.0.contains(machine)));
        menu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: Machine = match Machine::new(1) {
        Some(machine) => machine,
        None => panic!("it is one"),
    };

    fn slot(slot: u8) -> Slot {
        Slot::new(slot).unwrap()
    }

    fn machine(machine: u8) -> Machine {
        Machine::new(machine).unwrap()
    }

    fn free() -> Board {
        let mut board = Board::default();
        board.open();
        board.right_click();
        board
    }

    /// CHEAT-40: a right click on the open board frees the mouse, once, and a pick then yields a vote for that slot; closing the
    /// board gives the mouse back, and nobody is picked any more.
    #[test]
    fn a_right_click_frees_the_mouse() {
        let mut board = Board::default();
        assert_eq!((board.right_click(), board.is_mouse_free()), (None, false));
        assert_eq!(board.pick(CLIENT, slot(5), machine(2)), Err(Unpicked::Closed));
        board.open();
        assert_eq!(board.pick(CLIENT, slot(5), machine(2)), Err(Unpicked::NoMouse));
        assert_eq!((board.right_click(), board.is_mouse_free()), (Some(MouseFree(true)), true));
        assert_eq!((board.right_click(), board.is_mouse_free()), (None, true));
        assert_eq!(board.choose(CLIENT, Entry::Votekick), Err(Unpicked::Nobody));
        assert!(board.pick(CLIENT, slot(5), machine(2)).unwrap().contains(&Entry::Votekick));
        assert_eq!(board.picked(), Some(slot(5)));
        assert_eq!(board.choose(CLIENT, Entry::Votekick), Ok(Order::Votekick(slot(5))));
        assert_eq!((board.picked(), board.is_mouse_free(), board.is_open()), (None, true, true));
        board.pick(CLIENT, slot(5), machine(2)).unwrap();
        assert_eq!((board.close(), board.is_mouse_free()), (Some(MouseFree(false)), false));
        assert_eq!(board.choose(CLIENT, Entry::Votekick), Err(Unpicked::Nobody));
        board.open();
        assert_eq!((board.is_mouse_free(), board.close()), (false, None));
    }

    /// CHEAT-41: a host's menu has Kick, Ban and muting for everyone besides; a client's has none of these, nor a vote against the
    /// host's players. One's own players have no menu, on either.
    #[test]
    fn a_hosts_menu_has_more() {
        use Entry::{Ban, Kick, MuteAll, MuteHere, Votekick};
        for (own, of, menu) in [
            (Machine::HOST, 2, vec![Votekick, Kick, Ban, MuteAll(true), MuteHere(true)]),
            (Machine::HOST, 0, vec![]),
            (CLIENT, 2, vec![Votekick, MuteHere(true)]),
            (CLIENT, 0, vec![MuteHere(true)]),
            (CLIENT, 1, vec![]),
        ] {
            let mut board = free();
            assert_eq!(board.pick(own, slot(5), machine(of)), Ok(menu.clone()));
            for (name, entry) in Entry::NAMED {
                board.pick(own, slot(5), machine(of)).unwrap();
                let due = if menu.contains(&entry) { Ok(entry.of(slot(5))) } else { Err(Unpicked::NoEntry) };
                assert_eq!(board.choose(own, entry), due, "{name}");
            }
        }
    }

    /// Who is muted can be unmuted, here and for everyone each for itself, until its machine leaves.
    #[test]
    fn who_is_muted_can_be_unmuted() {
        let mut board = free();
        let menu = |board: &mut Board| {
            let menu = board.pick(Machine::HOST, slot(5), machine(2)).unwrap();
            (menu.contains(&Entry::MuteAll(true)), menu.contains(&Entry::MuteHere(true)))
        };
        assert_eq!(menu(&mut board), (true, true));
        for (order, due) in [
            (Order::MuteHere(slot(5), true), (true, false)),
            (Order::MuteAll(slot(5), true), (false, false)),
            (Order::MuteHere(slot(5), false), (false, true)),
            (Order::Kick(slot(5)), (false, true)),
        ] {
            board.note_muted(machine(2), order);
            assert_eq!(menu(&mut board), due, "{order:?}");
        }
        let host = MachineSet::only(Machine::HOST);
        board.see(host.union(MachineSet::only(machine(2))));
        assert_eq!((menu(&mut board), board.picked()), ((false, true), Some(slot(5))));
        board.see(host.union(MachineSet::only(machine(3))));
        assert_eq!(board.picked(), None);
        assert_eq!(menu(&mut board), (true, true));
    }

    /// Each entry has a word of its own, in any case, and a label.
    #[test]
    fn an_entry_has_a_word() {
        for (name, entry) in Entry::NAMED {
            assert_eq!((Entry::named(&name.to_uppercase()), entry.name()), (Some(entry), name));
            assert!(!entry.label().is_empty());
        }
        assert_eq!(Entry::named("votes"), None);
    }
}
