//! What changed in a host's world, and when: by that a difference of a client's is told to be on its way, or not. Knows
//! one world and no network.

use std::collections::BTreeMap;

use mjolnir_skirmish::game::{Made, World};
use mjolnir_wire::objects::Inventory;
use mjolnir_wire::{ObjectId, Slot};

use crate::alike::{Part, differences, hosts_objects};

/// What moves further in a tick than it goes by its velocity, and so much, wu, was moved by somebody.
const MOVED_WU: f32 = 0.5;

/// Ticks for which a change may be on its way, by what tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// Made and deleted, by stream.
    pub stands: u32,
    /// Where an object is and whether it rests, by datagrams.
    pub lies: u32,
    /// Which weapons and grenades a unit carries.
    pub carries: u32,
    /// Rounds and wear of those.
    pub rounds: u32,
    /// Who has which unit, and which seat it sits in.
    pub player: u32,
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Lately {
    now: u32,
    changes: u32,
    objects: BTreeMap<ObjectId, Made>,
    carried: BTreeMap<ObjectId, Inventory>,
    players: BTreeMap<Slot, String>,
    seats: BTreeMap<ObjectId, String>,
    /// When each last changed; what never did since the first look is not in it.
    changed: BTreeMap<Part, u32>,
    /// The same of rounds and wear alone.
    fired: BTreeMap<ObjectId, u32>,
}

impl Lately {
    /// A world as it is; nothing of it is news.
    pub fn of(world: &World) -> Self {
        let mut this = Self::default();
        this.note(world);
        this.changed.clear();
        this.changes = 0;
        this.fired.clear();
        this
    }

    /// How often an object was made, deleted, moved by somebody, began or ceased to rest, or a unit carried something else.
    pub const fn changes(&self) -> u32 {
        self.changes
    }

    /// The world after another tick.
    pub fn note(&mut self, world: &World) {
        self.now += 1;
        let now = self.now;
        let objects = hosts_objects(world);
        let names = objects.keys().chain(self.objects.keys());
        for id in names.filter(|id| objects.contains_key(id) != self.objects.contains_key(id)) {
            self.changed.insert(Part::Stands(*id), now);
            self.changes += 1;
        }
        for (id, made) in &objects {
            let is_moved = self.objects.get(id).is_some_and(|before| lies_anew(before, made));
            if is_moved {
                self.changed.insert(Part::Lies(*id), now);
                self.changes += 1;
            }
        }
        self.objects = objects;
        for unit in world.objects() {
            let Some(inventory) = world.inventory(unit) else { continue };
            let before = self.carried.insert(unit, inventory);
            if before.is_none_or(|before| names_of(&before) != names_of(&inventory)) {
                self.changed.insert(Part::Carries(unit), now);
                self.changes += 1;
            } else if before != Some(inventory) {
                self.fired.insert(unit, now);
            }
        }
        for vehicle in world.objects() {
            let Some(riders) = world.riders(vehicle) else { continue };
            let are = format!("{riders:?}");
            if self.seats.insert(vehicle, are.clone()) != Some(are) {
                self.changed.insert(Part::Seats(vehicle), now);
            }
        }
        for slot in Slot::all() {
            let Some(player) = world.player(slot) else { continue };
            let is = format!("{} {:?} {:?} {:?}", player.left, player.unit, player.team, player.machine);
            if self.players.insert(slot, is.clone()) != Some(is) {
                self.changed.insert(Part::Player(slot), now);
            }
        }
    }

    /// The first thing in which a client's world is not the host's, which was noted last, though it has not changed
    /// there for so long; and in how many it is not that are on their way.
    pub fn unlike(&self, host: &World, client: &World, ways: Ways) -> Result<usize, String> {
        let mut on_the_way = 0;
        for (part, what) in differences(host, client) {
            if let Part::Player(slot) = part
                && host.player(slot).is_none()
                && client.player(slot).is_none_or(|player| player.unit.is_none())
            {
                // It loads still: each client knows of it, and the host's game will once it has.
                continue;
            }
            if !self.is_on_its_way(part, ways) {
                return Err(what);
            }
            on_the_way += 1;
        }
        Ok(on_the_way)
    }

    fn is_on_its_way(&self, part: Part, ways: Ways) -> bool {
        let within = |at: Option<&u32>, most: u32| at.is_some_and(|at| self.now - at < most);
        match part {
            Part::Player(_) | Part::Seats(_) => within(self.changed.get(&part), ways.player),
            Part::Stands(_) => within(self.changed.get(&part), ways.stands),
            Part::Lies(id) => {
                // What was just made, to be carried, lies there until it is told by whom.
                let last = self.changed.get(&part).max(self.changed.get(&Part::Stands(id)));
                within(last, ways.lies)
            }
            Part::Carries(unit) => {
                within(self.changed.get(&part), ways.carries) || within(self.fired.get(&unit), ways.rounds)
            }
        }
    }
}

/// Whether it is told of anew how an object lies.
fn lies_anew(before: &Made, now: &Made) -> bool {
    let what = |made: &Made| (made.at_rest, made.carried, made.dead, made.slot, made.looks);
    let went = before.position.distance(now.position);
    what(before) != what(now)
        || now.at_rest && before.position != now.position
        || went > before.velocity.length().max(now.velocity.length()) + MOVED_WU
}

fn names_of(inventory: &Inventory) -> impl PartialEq {
    let weapons = inventory.weapons.map(|weapon| weapon.map(|weapon| weapon.object));
    (inventory.grenades, inventory.in_hand, weapons)
}
