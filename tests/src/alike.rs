//! Whether a client's world is its host's: players, objects, what units carry, who sits where. Knows two worlds and no
//! network.

use std::collections::BTreeMap;

use mjolnir_skirmish::game::kinds::Class;
use mjolnir_skirmish::game::{Made, Player, World};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{ObjectId, Slot};

/// What lies at rest is in one place on every machine, to so much, wu (OBJ-26).
pub const RESTS_WU: f32 = 0.05;
/// And turned as on the host, to an angle of this cosine (OBJ-26), less what 16 bits a part lose.
const RESTS_TURNED: f32 = 0.979;
/// What moves is no further off than this, wu, with so many ticks' way of it.
const MOVES_WU: f32 = 1.0;
/// The same of a vehicle.
const DRIVES_WU: f32 = 2.0;
/// Ticks that a client may be away from its host, of something that moves.
const AWAY_TICKS: f32 = 4.0;

/// What of a world may differ by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Who has a slot, of what team, with what unit.
    Player(Slot),
    /// Whether an object stands.
    Stands(ObjectId),
    /// What an object that stands is, where, and how it lies.
    Lies(ObjectId),
    /// What a unit carries.
    Carries(ObjectId),
    /// Who sits in a vehicle.
    Seats(ObjectId),
}

/// The first thing in which a client's world is not the host's, if there is any. What is on its way between them is
/// such a thing too: whoever asks lets it come.
pub fn unlike(host: &World, client: &World) -> Option<String> {
    differences(host, client).into_iter().next().map(|(_, what)| what)
}

/// Everything in which a client's world is not the host's.
pub fn differences(host: &World, client: &World) -> Vec<(Part, String)> {
    let mut all = players(host, client);
    objects(host, client, &mut all);
    carried(host, client, &mut all);
    seats(host, client, &mut all);
    all
}

/// AUTH-53: in every seat of every vehicle sits whom the host has there.
fn seats(host: &World, client: &World, all: &mut Vec<(Part, String)>) {
    for vehicle in host.objects().filter(|id| host.riders(*id).is_some()) {
        let (there, here) = (host.riders(vehicle), client.riders(vehicle));
        if there != here {
            all.push((Part::Seats(vehicle), format!("has {here:?} in {vehicle:?} and not {there:?}")));
        }
    }
}

/// The host's objects, as a world has them.
pub(crate) fn hosts_objects(world: &World) -> BTreeMap<ObjectId, Made> {
    let hosts = world.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
    hosts.filter_map(|id| Some((id, world.describe(id)?))).collect()
}

/// OBJ-01, 02: the same objects of the host's half, alike, and each where the host has it.
fn objects(host: &World, client: &World, all: &mut Vec<(Part, String)>) {
    let (there, here) = (hosts_objects(host), hosts_objects(client));
    for id in there.keys().filter(|id| !here.contains_key(id)) {
        all.push((Part::Stands(*id), format!("lacks {id:?}, {:?}", there[id])));
    }
    for id in here.keys().filter(|id| !there.contains_key(id)) {
        all.push((Part::Stands(*id), format!("has {id:?} besides, {:?}", here[id])));
    }
    for (id, there) in &there {
        let Some(here) = here.get(id) else { continue };
        let lights = [host, client].map(|world| world.light(*id));
        if let Some(what) = lies_otherwise(there, here, lights, host.class(*id)) {
            all.push((Part::Lies(*id), what));
        }
    }
}

fn lies_otherwise(
    there: &Made,
    here: &Made,
    lights: [Option<bool>; 2],
    class: Option<Class>,
) -> Option<String> {
    let what = |made: &Made| (made.tag, made.slot, made.carried, made.dead, made.looks);
    if what(there) != what(here) {
        return Some(format!("has {here:?} and not {there:?}"));
    }
    // Living units are compared by whoever knows their players; what is carried is where its carrier is.
    if there.carried || there.slot.is_some() && !there.dead {
        return None;
    }
    if lights[0] != lights[1] {
        return Some(format!("has the light {lights:?} of {there:?}"));
    }
    let near = match (there.at_rest, class) {
        (true, _) if !here.at_rest => return Some(format!("has {here:?} moving, and not {there:?}")),
        (true, _) => RESTS_WU,
        (false, Some(Class::Vehicle)) => DRIVES_WU + AWAY_TICKS * there.velocity.length(),
        (false, _) => MOVES_WU + AWAY_TICKS * there.velocity.length(),
    };
    let turned = there.axes.forward.dot(here.axes.forward).min(there.axes.up.dot(here.axes.up));
    if there.at_rest && turned < RESTS_TURNED {
        return Some(format!("has {here:?} turned from {there:?}"));
    }
    let far = there.position.distance(here.position);
    (far > near).then(|| format!("has {here:?} {far} wu from {there:?}"))
}

/// OBJ-13, 14: every unit carries what it carries on the host.
fn carried(host: &World, client: &World, all: &mut Vec<(Part, String)>) {
    let units = host.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
    for (unit, there) in units.filter_map(|unit| Some((unit, host.inventory(unit)?))) {
        let here = client.inventory(unit);
        if here != Some(there) {
            all.push((Part::Carries(unit), format!("has {here:?} for a unit and not {there:?}")));
        }
    }
}

/// AUTH-54: every player of the host's that is there, in its slot, of its team, with its unit, and nobody else; of
/// those who left, some may be known on one of the two alone.
fn players(host: &World, client: &World) -> Vec<(Part, String)> {
    let differs = |slot: Slot| {
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
        let what = format!("has {here:?} in slot {} and not {there:?}", slot.get());
        Some((Part::Player(slot), what))
    };
    Slot::all().filter_map(differs).collect()
}
