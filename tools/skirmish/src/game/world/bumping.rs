//! Players of a level that is played together stand in each other's way, where its settings have it so (COOP-55). Knows no setting
//! and no network: every machine does so by itself, for its own players and its copies.
//!
//! Who walks into another is put back by as much as it came nearer in this tick, and a little more: nobody is ever moved further
//! than it moves by itself, so what a client's player does stays within what a host takes (AUTH-16).

use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use crate::game::movement::{Ground, HEIGHT, RADIUS};

/// Two that overlap part by so much more in a tick, and who walks into another goes round it by so much at most, in wu. Ours.
const PARTS: f32 = 0.01;
const ROUND: f32 = 0.02;

impl World {
    /// Players of different machines pass through each other, or are in each other's way. Nothing where it is no co-op.
    pub const fn set_pass_through(&mut self, passes: bool) {
        self.passes_through = passes;
    }

    /// Whether they do.
    pub const fn is_pass_through(&self) -> bool {
        self.passes_through
    }

    /// Puts a player's unit that has moved in this tick, from there, out of the way of others.
    pub(super) fn bump(&mut self, slot: Slot, unit: ObjectId, from: Vec3) {
        if !self.is_coop() {
            return;
        }
        for other in Slot::all().filter(|other| *other != slot) {
            self.part(slot, unit, from, other);
        }
    }

    fn part(&mut self, slot: Slot, unit: ObjectId, from: Vec3, other: Slot) {
        let machine = |slot: Slot| self.player(slot).map(|player| player.machine);
        if self.passes_through && machine(slot) != machine(other) {
            return;
        }
        let Some((stands, place)) = self.on_foot(other).zip(self.on_foot(slot)) else { return };
        let (way, before) = ((place - stands).across(), (from - stands).across().length());
        let far = way.length();
        let overlap = 2.0 * RADIUS - far;
        if overlap <= 0.0 || (place.z - stands.z).abs() >= HEIGHT {
            return;
        }
        // Of two on one spot the later slot goes east, the other west.
        let side = if slot > other { 1.0 } else { -1.0 };
        let away = if far > 1e-4 { way * (1.0 / far) } else { Vec3::new(side, 0.0, 0.0) };
        let nearer = (before - far).max(0.0);
        // Who walks straight at another would stand before it for ever.
        let aside = Vec3::new(away.y, -away.x, 0.0) * nearer.min(ROUND);
        let to = place + away * overlap.min(nearer + PARTS) + aside;
        let ground = Ground { solids: &self.map.solids, bounds: self.map.bounds, limits: self.limits };
        if ground.fits(to)
            && let Some(object) = self.objects.get_mut(unit)
        {
            object.body.position = to;
        }
    }
}
