//! Lies about what a map has: platforms, teleporter pads, vehicles that stand about. Knows no message.

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::fixtures::Pad;
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::Cheat;

/// Where a lie puts a player that was there `before` the tick, the liar's of that number, and how it moves then; none of
/// what is no lie of that kind, or does not come about.
pub(super) fn carried(
    world: &World,
    slot: Slot,
    cheat: &Cheat,
    ticks: u32,
    before: Vec3,
) -> Option<(Vec3, Vec3)> {
    let place = world.position(slot)?;
    let still = |to: Vec3| (to, Vec3::ZERO);
    match *cheat {
        Cheat::Floats => Some(still(before)),
        Cheat::Boards(least) if world.top_of(0)? >= least => {
            let fixtures = &world.map().fixtures;
            let solid = fixtures.platforms.first()?.at(0.0);
            let middle = (solid.least + solid.most) * 0.5 + world.offset_of(0)?;
            Some(still(Vec3::new(middle.x, middle.y, world.top_of(0)?)))
        }
        Cheat::Steps { every, near } if ticks.is_multiple_of(every) => {
            let [from, to] = pads(world)?;
            (place.distance(from) <= near).then_some(still(to))
        }
        Cheat::Flits(every) if ticks.is_multiple_of(every) => {
            let [from, to] = pads(world)?;
            Some(still(if before.distance(to) < before.distance(from) { from } else { to }))
        }
        _ => None,
    }
}

/// The map's first pad, and where it leads.
fn pads(world: &World) -> Option<[Vec3; 2]> {
    let pads: &[Pad] = &world.map().fixtures.pads;
    let from = pads.first()?;
    Some([from.position, pads.get(usize::from(from.to))?.position])
}

/// It sits in the first vehicle.
pub(super) fn sit(world: &mut World, unit: ObjectId) {
    let vehicle = world.objects().find(|object| world.craft(*object).is_some());
    if let Some(vehicle) = vehicle {
        world.set_seat(unit, Some((vehicle, 0)));
    }
}
