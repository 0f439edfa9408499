//! What can be seen from where, as the netcode asks it: a map's parts, and where players look. Knows no network.

use mjolnir_engine_glue::authority::{View, VisibleSet};
use mjolnir_engine_glue::engine::Sight;
use mjolnir_wire::{Slot, Vec3};

use super::Game;
use crate::game::World;

/// Where a player is to be seen, and where it looks.
pub(super) fn view(world: &World, slot: Slot) -> View {
    let aim = world.aim(slot).map_or(Vec3::ZERO, |(yaw, pitch)| {
        let ((sin, cos), (rise, level)) = (libm::sincosf(yaw), libm::sincosf(pitch));
        Vec3::new(cos * level, sin * level, rise)
    });
    View { cluster: world.cluster(slot), aim, scoped: world.scoped(slot) }
}

impl Sight for Game {
    fn read_visible(&self, visible: &mut VisibleSet) {
        let Some(clusters) = self.world().map(|world| &world.map().clusters) else { return };
        // A map that has no parts is seen all over.
        visible.begin(clusters.names.len() as u16);
        for (one, other) in &clusters.sees {
            visible.insert(*one, *other);
        }
    }
}
