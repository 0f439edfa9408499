//! The players of a world, and what drives them.

use mjolnir_wire::{Input, Machine, Slot};

use super::World;
use crate::game::cheats::Cheats;
use crate::game::player::Player;

impl World {
    /// Seats a player at its slot, which the host chose. A place whose player left is taken anew; one whose player
    /// plays is left as it is. Whether it was seated.
    pub fn join(&mut self, slot: Slot, name: &str, machine: Machine, team: Option<u8>) -> bool {
        let place = &mut self.players[slot.index()];
        if place.as_ref().is_some_and(|player| !player.left) {
            return false;
        }
        self.came += 1;
        // Those who play a level together are of one side.
        let team = if self.campaign.is_some() { Some(0) } else { team };
        *place = Some(Player { number: self.came, ..Player::new(name, machine, team) });
        self.greet(slot);
        true
    }

    /// Marks a player as gone. Where this world decides, its unit goes too.
    pub fn leave(&mut self, slot: Slot) {
        let Some(player) = self.players[slot.index()].as_mut() else { return };
        player.left = true;
        if let Some(unit) = player.unit.take()
            && self.role.decides()
        {
            self.remove(unit);
        }
    }

    /// A player, if one has that slot.
    pub fn player(&self, slot: Slot) -> Option<&Player> {
        self.players[slot.index()].as_ref()
    }

    /// Every player with its slot, those who left too.
    pub fn players(&self) -> impl Iterator<Item = (Slot, &Player)> {
        Slot::all().filter_map(|slot| Some((slot, self.player(slot)?)))
    }

    /// Whether somebody plays, and everybody who does has a unit.
    pub fn is_full(&self) -> bool {
        let mut there = self.players().filter(|(_, player)| !player.left).peekable();
        there.peek().is_some() && there.all(|(slot, _)| self.unit(slot).is_some())
    }

    /// The player of that name who plays.
    pub fn player_named(&self, name: &str) -> Option<Slot> {
        self.players().find(|(_, player)| !player.left && player.name == name).map(|(slot, _)| slot)
    }

    /// The first slot that nobody has, or whose player left.
    pub fn free_slot(&self) -> Option<Slot> {
        Slot::all().find(|slot| self.player(*slot).is_none_or(|player| player.left))
    }

    /// Puts a player in a team.
    pub fn set_team(&mut self, slot: Slot, team: Option<u8>) {
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.team = team;
        }
    }

    /// Gives a player those cheats, and no others. Nothing in a client's world.
    pub fn set_cheats(&mut self, slot: Slot, cheats: Cheats) {
        let decides = self.role.decides();
        if let Some(player) = self.players[slot.index()].as_mut().filter(|_| decides) {
            player.cheats = cheats;
        }
    }

    /// Whether a player has that cheat, where this world decides.
    pub(super) fn cheats(&self, slot: Option<Slot>, cheat: Cheats) -> bool {
        let has = |slot| self.player(slot).is_some_and(|player| player.cheats.has(cheat));
        self.role.decides() && slot.is_some_and(has)
    }

    /// What a player does from the next tick on, until it is driven anew. What is not finite is taken as 0.
    pub fn drive(&mut self, slot: Slot, input: Input) {
        let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.unscoped &= input.zoom.is_some();
            player.input = Input {
                yaw: finite(input.yaw),
                pitch: finite(input.pitch),
                throttle: input.throttle.map(finite),
                ..input
            };
        }
    }
}
