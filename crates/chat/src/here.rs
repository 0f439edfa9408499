//! Whom this machine alone has muted: its own affair, of which nothing is sent (CHAT-27). Knows no mute of the host's.

use alloc::vec::Vec;

use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, Slot};

use crate::error::Error;
use crate::world::{Player, World};

/// By slot and name: of another in the same slot nothing is held, and one of a slot at most.
#[derive(Debug, Default)]
pub(crate) struct MutedHere(Vec<(Slot, Name)>);

impl MutedHere {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// That player is muted, or no more. One of this machine is not.
    pub(crate) fn set(&mut self, slot: Slot, muted: bool, world: &impl World) -> Result<(), Error> {
        let player = world.roster().find(|player| player.slot == slot).ok_or(Error::NoPlayer)?;
        if player.machine == world.own_machine() {
            return Err(Error::Own);
        }
        if !muted && !self.has(&player) {
            return Err(Error::NotMuted);
        }
        self.0.retain(|(other, _)| *other != slot);
        if muted {
            self.0.push((slot, player.name));
        }
        Ok(())
    }

    fn has(&self, player: &Player) -> bool {
        self.0.contains(&(player.slot, player.name))
    }

    /// Whether a player of that machine is muted: with it all of the machine's are.
    pub(crate) fn has_machine(&self, machine: Machine, world: &impl World) -> bool {
        !self.0.is_empty() && world.roster().any(|player| player.machine == machine && self.has(&player))
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
