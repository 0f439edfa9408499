//! What players pick up, between the world and the netcode: what the host decided and the netcode tells the picker's
//! machine, what a machine shows its own players, and what a host notes of hands that found nothing. Decides nothing.

use std::collections::VecDeque;

use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::Game;
use crate::game::{Kind, World};
use crate::happenings::Shown;

/// Pickups and lines that are kept until they are taken; the oldest give way. Ours.
const KEPT: usize = 256;

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Pickups {
    /// On the host: what the netcode has not asked for yet.
    decided: VecDeque<Pickup>,
    /// What is to be logged.
    logged: VecDeque<String>,
}

fn keep<T>(list: &mut VecDeque<T>, what: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(what);
}

impl Pickups {
    /// Another game.
    pub(super) fn clear(&mut self) {
        self.decided.clear();
        self.logged.clear();
    }

    /// The host decided that.
    pub(super) fn decided(&mut self, pickup: Pickup) {
        keep(&mut self.decided, pickup);
    }

    /// Hands over what the host decided since this was last asked.
    pub(super) fn take(&mut self, into: &mut Vec<Pickup>) {
        into.extend(self.decided.drain(..));
    }

    /// Another machine's player reached for nothing (AUTH-57).
    pub(super) fn found_nothing(
        &mut self,
        world: &World,
        slot: Slot,
        place: Vec3,
        nearest: Option<(ObjectId, f32)>,
    ) {
        let name = world.player(slot).map_or("a player", |player| player.name.as_str());
        let nearest = nearest.map_or_else(
            || "nothing lies about".into(),
            |(thing, far)| {
                let kind = world.kind(thing).map_or("thing", Kind::name);
                format!("the nearest is {kind} #{}, {far:.3} wu away", thing.index())
            },
        );
        let [x, y, z] = place.to_array();
        let line = format!(
            "{name} (slot {}) found nothing to pick up at {x:.3} {y:.3} {z:.3}: {nearest}",
            slot.get()
        );
        self.log(line);
    }

    /// A line for the log.
    pub(super) fn log(&mut self, line: String) {
        keep(&mut self.logged, line);
    }
}

impl Game {
    /// Lines for the log alone since this was last asked.
    pub fn take_logged(&mut self) -> Vec<String> {
        self.pickups.logged.drain(..).collect()
    }

    /// Shows a local player what it picked up; another machine's player is shown nothing here (AUTH-43).
    pub(super) fn show(&mut self, pickup: &Pickup) {
        if self.locals[pickup.slot.index()].is_some() {
            self.happenings.pickup(pickup.slot, shown(pickup));
        }
    }
}

/// What a player sees and hears of what it picked up.
pub fn shown(pickup: &Pickup) -> Shown {
    let name = Kind::of(pickup.tag).map_or("thing", Kind::name);
    let (message, sound) = match (pickup.kind, pickup.count) {
        (PickupKind::Weapon, _) => (format!("picked up a {name}"), "weapon"),
        (PickupKind::Ammunition, 1) => (format!("picked up 1 round for a {name}"), "ammunition"),
        (PickupKind::Ammunition, rounds) => (format!("picked up {rounds} rounds for a {name}"), "ammunition"),
        (PickupKind::Grenade, 1) => ("picked up 1 grenade".into(), "grenade"),
        (PickupKind::Grenade, count) => (format!("picked up {count} grenades"), "grenade"),
        (PickupKind::Equipment, _) => (format!("picked up a {name}"), "equipment"),
        (PickupKind::Powerup, _) => (format!("picked up {name}"), "powerup"),
    };
    Shown { message, sound, flash: pickup.kind == PickupKind::Powerup }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Tag;

    use super::*;

    /// AUTH-43: each kind of pickup has its message and sound; a powerup alone flashes.
    #[test]
    fn what_is_picked_up_has_words_and_a_sound() {
        let slot = Slot::new(0).unwrap();
        let show = |kind, count, tag| {
            let Shown { message, sound, flash } = shown(&Pickup { slot, kind, count, tag });
            (message, sound, flash)
        };
        for (kind, count, of, message, sound, flash) in [
            (PickupKind::Weapon, 1, Kind::Rifle, "picked up a rifle", "weapon", false),
            (
                PickupKind::Ammunition,
                12,
                Kind::Pistol,
                "picked up 12 rounds for a pistol",
                "ammunition",
                false,
            ),
            (PickupKind::Ammunition, 1, Kind::Pistol, "picked up 1 round for a pistol", "ammunition", false),
            (PickupKind::Grenade, 2, Kind::Grenades, "picked up 2 grenades", "grenade", false),
            (PickupKind::Equipment, 1, Kind::Medkit, "picked up a medkit", "equipment", false),
            (PickupKind::Powerup, 1, Kind::Overshield, "picked up overshield", "powerup", true),
        ] {
            assert_eq!(show(kind, count, of.tag()), (message.to_owned(), sound, flash));
        }
        assert_eq!(show(PickupKind::Weapon, 1, Tag(7)).0, "picked up a thing");
    }

    /// A host whose netcode never asks keeps no more than so many; the oldest give way.
    #[test]
    fn the_oldest_give_way() {
        let slot = Slot::new(0).unwrap();
        let mut pickups = Pickups::default();
        for count in 0..=KEPT as i16 {
            let tag = Kind::Rifle.tag();
            pickups.decided(Pickup { slot, kind: PickupKind::Ammunition, count, tag });
        }
        let mut taken = Vec::new();
        pickups.take(&mut taken);
        assert_eq!((taken.len(), taken[0].count), (KEPT, 1));
        pickups.take(&mut taken);
        assert_eq!(taken.len(), KEPT);
    }
}
