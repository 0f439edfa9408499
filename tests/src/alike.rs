//! Whether a client's world is its host's: players, platforms, objects, what units carry, who sits where. Knows two worlds
//! and no network.

use std::collections::BTreeMap;

use mjolnir_engine_glue::coop::{DEVICE_DRIFT_PART, DEVICE_DRIFT_WU};
use mjolnir_skirmish::game::kinds::Class;
use mjolnir_skirmish::game::{Made, Player, World};
use mjolnir_wire::limits::{FIRST_OWN_OBJECT, GRENADE_KINDS};
use mjolnir_wire::objects::Inventory;
use mjolnir_wire::{ObjectId, Slot, Vec3};

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
/// A round trip at most, in ticks, with what is sent again of what was lost: for so long a client's count is ahead of its host's.
const ROUND_TRIP: i32 = 15;

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
    let first = || differences(host, client).into_iter().next().map(|(_, what)| what);
    platforms(host, client).or_else(first)
}

/// Everything in which a client's world is not the host's.
pub fn differences(host: &World, client: &World) -> Vec<(Part, String)> {
    let mut all = players(host, client);
    objects(host, client, &mut all);
    carried(host, client, &mut all);
    seats(host, client, &mut all);
    all
}

/// COOP-15, 18 to 20: every group is set to what the host's is; every platform that stands is where the host's is, to the
/// bit, and one that moves no further off than it may drift, and than it goes while a client is away.
pub(crate) fn platforms(host: &World, client: &World) -> Option<String> {
    let values = |world: &World| -> Vec<(u16, f32)> {
        world.groups().map(|group| (group.group, group.value)).collect()
    };
    let (there, here) = (values(host), values(client));
    if there != here {
        return Some(format!("has groups set to {here:?} and not {there:?}"));
    }
    let speeds = host.map().fixtures.platforms.iter().map(|platform| platform.speed);
    host.devices().zip(client.devices()).zip(speeds).find_map(|((there, here), speed)| {
        let near = if there.moving { drift(there.travel) + AWAY_TICKS * speed } else { 0.0 };
        let far = (there.position - here.position).abs() * there.travel;
        let is_other = here.moving && !there.moving || here.power != there.power;
        (is_other || far > near).then(|| format!("has {here:?} {far} wu from {there:?}"))
    })
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

/// How far a platform that moves may be from where the host has it, of its travel, in wu (COOP-20).
fn drift(travel: f32) -> f32 {
    DEVICE_DRIFT_WU.min(DEVICE_DRIFT_PART * travel)
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
        if let Some(what) = lies_otherwise(there, here, [host, client]) {
            all.push((Part::Lies(*id), what));
        }
    }
}

fn lies_otherwise(there: &Made, here: &Made, [host, client]: [&World; 2]) -> Option<String> {
    let what = |made: &Made| (made.tag, made.slot, made.carried, made.dead, made.looks);
    if what(there) != what(here) {
        return Some(format!("has {here:?} and not {there:?}"));
    }
    // Living units are compared by whoever knows their players; what is carried is where its carrier is.
    if there.carried || there.slot.is_some() && !there.dead {
        return None;
    }
    let lights = [host, client].map(|world| world.light(there.id));
    if lights[0] != lights[1] {
        return Some(format!("has the light {lights:?} of {there:?}"));
    }
    let near = match (there.at_rest, host.class(there.id)) {
        (true, _) if !here.at_rest => return Some(format!("has {here:?} moving, and not {there:?}")),
        (true, _) => RESTS_WU,
        (false, Some(Class::Vehicle)) => DRIVES_WU + AWAY_TICKS * there.velocity.length(),
        (false, _) => MOVES_WU + AWAY_TICKS * there.velocity.length(),
    };
    let turned = there.axes.forward.dot(here.axes.forward).min(there.axes.up.dot(here.axes.up));
    if there.at_rest && turned < RESTS_TURNED {
        return Some(format!("has {here:?} turned from {there:?}"));
    }
    // What lies on a platform that moves is where that is on each machine; what came to rest there on its way is as far off
    // that as the platform may be.
    let under = host.under(there.id).filter(|under| there.at_rest && under.moving);
    let (ways, drift) = under.map_or((Vec3::ZERO, 0.0), |under| {
        let [there, here] = [host, client].map(|world| world.offset_of(under.platform).unwrap_or_default());
        let platform = &host.map().fixtures.platforms[usize::from(under.platform)];
        (there - here, drift(platform.travel.length()))
    });
    let (far, near) = (there.position.distance(here.position + ways), near + drift);
    (far > near).then(|| format!("has {here:?} {far} wu from {there:?}"))
}

/// OBJ-13, 14: every unit carries what it carries on the host.
fn carried(host: &World, client: &World, all: &mut Vec<(Part, String)>) {
    let units = host.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
    for (unit, there) in units.filter_map(|unit| Some((unit, host.inventory(unit)?))) {
        let here = client.inventory(unit);
        if here != Some(there) && !(acts(client, unit) && here.map(uncounted) == Some(uncounted(there))) {
            all.push((Part::Carries(unit), format!("has {here:?} for a unit and not {there:?}")));
        }
    }
}

/// Whether that is the unit of a client's own player who fired, reloaded or threw within a round trip: it counts what it
/// carries by itself meanwhile (PRED-28).
fn acts(client: &World, unit: ObjectId) -> bool {
    let own = client.players().filter(|(slot, player)| player.local && client.unit(*slot) == Some(unit));
    let mut acted = own.filter_map(|(slot, _)| client.acted(slot));
    acted.any(|acted| client.tick().since(acted) <= ROUND_TRIP)
}

/// The same but for what is counted.
fn uncounted(mut inventory: Inventory) -> Inventory {
    inventory.grenades = [0; GRENADE_KINDS];
    for weapon in inventory.weapons.iter_mut().flatten() {
        (weapon.total, weapon.loaded, weapon.age) = ([0; 2], [0; 2], 0);
    }
    inventory
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
