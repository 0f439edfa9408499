//! Whether a client's world is its host's: players, objects, what units carry, who sits where. Knows two worlds and no
//! network.

use std::collections::BTreeMap;

use mjolnir_skirmish::game::kinds::Class;
use mjolnir_skirmish::game::{Made, Player, World};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{ObjectId, Slot};

/// What lies at rest is in one place on every machine, to so much, wu (OBJ-26).
pub const RESTS_WU: f32 = 0.05;
/// What moves is no further off than this, wu, with so many ticks' way of it.
const MOVES_WU: f32 = 1.0;
/// The same of a vehicle.
const DRIVES_WU: f32 = 2.0;
/// Ticks that a client may be away from its host, of something that moves.
const AWAY_TICKS: f32 = 4.0;

/// The first thing in which a client's world is not the host's, if there is any. What is on its way between them is
/// such a thing too: whoever asks lets it come.
pub fn unlike(host: &World, client: &World) -> Option<String> {
    let of: [fn(&World, &World) -> Option<String>; 4] = [players, objects, carried, seats];
    of.into_iter().find_map(|of| of(host, client))
}

/// AUTH-53: in every seat of every vehicle sits whom the host has there.
fn seats(host: &World, client: &World) -> Option<String> {
    host.objects().filter(|id| host.riders(*id).is_some()).find_map(|vehicle| {
        let (there, here) = (host.riders(vehicle), client.riders(vehicle));
        (there != here).then(|| format!("has {here:?} in {vehicle:?} and not {there:?}"))
    })
}

/// OBJ-01: the same objects of the host's half, and each where the host has it.
fn objects(host: &World, client: &World) -> Option<String> {
    let all = |world: &World| -> BTreeMap<ObjectId, Made> {
        let hosts = world.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
        hosts.filter_map(|id| Some((id, world.describe(id)?))).collect()
    };
    let (there, here) = (all(host), all(client));
    let names = |of: &BTreeMap<ObjectId, Made>, without: &BTreeMap<ObjectId, Made>| -> Vec<ObjectId> {
        of.keys().filter(|id| !without.contains_key(id)).copied().collect()
    };
    let (missing, extra) = (names(&there, &here), names(&here, &there));
    if !missing.is_empty() || !extra.is_empty() {
        return Some(format!("lacks {missing:?} and has {extra:?} besides"));
    }
    there.iter().zip(here.values()).find_map(|((id, there), here)| {
        let what = |made: &Made| (made.tag, made.slot, made.carried, made.dead);
        if what(there) != what(here) {
            return Some(format!("has {here:?} and not {there:?}"));
        }
        // Living units are compared by whoever knows their players; what is carried is where its carrier is.
        if there.carried || there.slot.is_some() && !there.dead {
            return None;
        }
        let near = match (there.at_rest, host.class(*id)) {
            (true, _) if !here.at_rest => return Some(format!("has {here:?} moving, and not {there:?}")),
            (true, _) => RESTS_WU,
            (false, Some(Class::Vehicle)) => DRIVES_WU + AWAY_TICKS * there.velocity.length(),
            (false, _) => MOVES_WU + AWAY_TICKS * there.velocity.length(),
        };
        let far = there.position.distance(here.position);
        (far > near).then(|| format!("has {here:?} {far} wu from {there:?}"))
    })
}

/// OBJ-13, 14: every unit carries what it carries on the host.
fn carried(host: &World, client: &World) -> Option<String> {
    let units = host.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
    units.filter_map(|unit| Some((unit, host.inventory(unit)?))).find_map(|(unit, there)| {
        let here = client.inventory(unit);
        (here != Some(there)).then(|| format!("has {here:?} for a unit and not {there:?}"))
    })
}

/// AUTH-54: every player of the host's that is there, in its slot, of its team, with its unit, and nobody else; of
/// those who left, some may be known on one of the two alone.
fn players(host: &World, client: &World) -> Option<String> {
    Slot::all().find_map(|slot| {
        let (there, here) = (host.player(slot), client.player(slot));
        let of = |player: Option<&Player>| {
            player.map(|player| (player.name.clone(), player.machine, player.team, player.left, player.unit))
        };
        // One who left before a machine came, or before the game began, is known of by some.
        let is_gone =
            |player: Option<&Player>| player.is_none_or(|player| player.left && player.unit.is_none());
        let (there, here, both_gone) = (of(there), of(here), is_gone(there) && is_gone(here));
        if there == here || both_gone {
            return None;
        }
        Some(format!("has {here:?} in slot {} and not {there:?}", slot.get()))
    })
}
