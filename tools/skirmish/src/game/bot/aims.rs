//! A bot and what the game is about: where it wants to be, and the way there over the map's nodes. Knows no game type:
//! the game says where it sends a player. Where it sends nobody no chance is asked for.

use mjolnir_wire::{Slot, Vec3};

use crate::game::map::Map;
use crate::game::random::Random;
use crate::game::types::GameType;
use crate::game::world::{CARRIES, World};

/// From so near it goes straight there, in wu along the ground and up; one that drives along the ground.
const STRAIGHT: (f32, f32) = (7.0, 1.0);
const DRIVEN_STRAIGHT: f32 = 30.0;
/// It stands where it should stay from so near, in wu.
const STANDS: f32 = 0.7;
/// Where all are to stay at one place it stands from so near, in wu, and so much further off where one of the others is to press a
/// switch: that one is let by.
const STANDS_TOGETHER: (f32, f32) = (2.5, 5.0);
/// Others so near dispute its place, in wu along the ground and up.
const CROWDED: (f32, f32) = (6.0, 2.0);
/// One in so many ticks it gives up a place that is disputed, and one where it has waited with what it carries.
const GIVES_UP: (u32, u32) = (60, 90);
/// Ticks that it waits there at least with what it carries.
const WAITS: u32 = 300;
/// Ticks that it goes elsewhere then, from and by chance so many more.
const ELSEWHERE: (u32, u32) = (120, 240);
/// Ticks without coming nearer after which it goes elsewhere.
const STUCK: u32 = 90;

/// What a bot means to do about the game.
#[derive(Clone, Debug, Default)]
pub(super) struct Aims {
    /// The node nearest to where it wants to be.
    target: Option<u16>,
    /// Ticks left that it goes elsewhere.
    elsewhere: u32,
    /// Ticks that it has stood where it should stay.
    stood: u32,
    nearest: f32,
    waited: u32,
}

/// What comes of it in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// It goes where it likes.
    Any,
    /// Over the nodes, to the one that is nearest.
    Far,
    /// Straight there.
    Near(Vec3),
    /// It stays where it is.
    Stay,
    /// It stays and presses the switch there.
    Press,
    /// It puts down what it carries, and goes.
    PutDown,
}

impl Aims {
    /// A tick's thoughts of the player of that slot, who is there.
    pub(super) fn think(
        &mut self,
        world: &World,
        slot: Slot,
        place: Vec3,
        drives: bool,
        random: &mut Random,
    ) -> Aim {
        let Some(waypoint) = world.waypoint(slot) else {
            *self = Self::default();
            return Aim::Any;
        };
        self.target = world.map().nearest_node(waypoint.place);
        if self.elsewhere > 0 {
            self.elsewhere -= 1;
            return Aim::Any;
        }
        let apart = waypoint.place - place;
        let (across, up) = (apart.across().length(), apart.z.abs());
        let presser = presser(world, waypoint.place);
        if presser == Some(slot) && world.map().fixtures.switch_at(place).is_some() {
            return Aim::Press;
        }
        let stands = match presser {
            _ if !world.is_coop() => STANDS,
            None => STANDS_TOGETHER.0,
            Some(presser) if presser == slot => 0.0,
            Some(_) => STANDS_TOGETHER.1,
        };
        if waypoint.stays && across <= stands && up <= STRAIGHT.1 {
            return self.stay(world, slot, place, random);
        }
        self.stood = 0;
        let is_near =
            if drives { across <= DRIVEN_STRAIGHT } else { across <= STRAIGHT.0 && up <= STRAIGHT.1 };
        if !is_near {
            (self.nearest, self.waited) = (f32::INFINITY, 0);
            return Aim::Far;
        }
        if across < self.nearest - 0.05 {
            (self.nearest, self.waited) = (across, 0);
        } else {
            self.waited += 1;
        }
        // What moves away is followed; what one does not come near to is behind something.
        if self.waited > STUCK {
            self.leave(random);
            return Aim::Any;
        }
        Aim::Near(waypoint.place)
    }

    fn stay(&mut self, world: &World, slot: Slot, place: Vec3, random: &mut Random) -> Aim {
        if world.is_coop() {
            // Whoever plays a level together waits for the rest.
            return Aim::Stay;
        }
        self.stood += 1;
        if bears(world, slot) {
            if self.stood > WAITS && random.once_in(GIVES_UP.1) {
                self.leave(random);
                return Aim::PutDown;
            }
        } else if is_disputed(world, slot, place) && random.once_in(GIVES_UP.0) {
            self.leave(random);
            return Aim::Any;
        }
        Aim::Stay
    }

    /// It goes elsewhere for a while.
    pub(super) fn leave(&mut self, random: &mut Random) {
        self.elsewhere = ELSEWHERE.0 + random.below(ELSEWHERE.1);
        (self.nearest, self.waited, self.stood) = (f32::INFINITY, 0, 0);
    }

    /// The node to go to from that one, while it wants to be somewhere.
    pub(super) fn onward(&self, map: &Map, from: u16) -> Option<u16> {
        let target = self.target.filter(|target| self.elsewhere == 0 && *target != from)?;
        first_of_way(map, from, target)
    }
}

/// Who presses the switch at that place, where a level sends players to one that is to be pressed. It is one of them: many would
/// set a door anew.
fn presser(world: &World, place: Vec3) -> Option<Slot> {
    let switch = world.map().fixtures.switch_at(place).filter(|_| world.is_coop())?;
    let is_set = world.groups().any(|group| group.group == switch.group && group.value > 0.5);
    let mut playing = world.players().filter(|(_, player)| !player.left).map(|(slot, _)| slot);
    playing.find(|slot| !is_set && world.unit(*slot).is_some())
}

/// Whether a player has in its hands what the game is about.
pub(super) fn bears(world: &World, slot: Slot) -> bool {
    let inventory = world.unit(slot).and_then(|unit| world.inventory(unit));
    inventory.is_some_and(|inventory| inventory.in_hand.is_some_and(|hand| usize::from(hand) >= CARRIES))
}

/// Whether it is a race with something to drive in it.
pub(super) fn wants_wheels(world: &World) -> bool {
    world.map().has_vehicles() && world.rules().is_some_and(|rules| rules.of == GameType::Race)
}

fn is_disputed(world: &World, slot: Slot, place: Vec3) -> bool {
    let is_near = |at: Vec3| (at - place).across().length() < CROWDED.0 && (at.z - place.z).abs() < CROWDED.1;
    let mut others = world.players().map(|(other, _)| other).filter(|other| *other != slot);
    others.any(|other| !world.are_friends(slot, other) && world.position(other).is_some_and(is_near))
}

/// The first node of the shortest way from one to another; none where no way leads there.
fn first_of_way(map: &Map, from: u16, to: u16) -> Option<u16> {
    let nodes = &map.nodes;
    // By node: how far, by which first node, and whether its ways were looked at.
    let mut known: Vec<Option<(f32, u16, bool)>> = vec![None; nodes.len()];
    known[usize::from(from)] = Some((0.0, from, false));
    loop {
        let open = known.iter().enumerate().filter_map(|(index, known)| {
            known.filter(|(_, _, is_done)| !is_done).map(|(far, first, _)| (far, first, index))
        });
        let (far, first, index) = open.min_by(|(a, ..), (b, ..)| a.total_cmp(b))?;
        if index == usize::from(to) {
            return Some(first);
        }
        known[index] = Some((far, first, true));
        for &way in &nodes[index].ways {
            let next = usize::from(way);
            let far = far + nodes[next].position.distance(nodes[index].position);
            if known[next].is_none_or(|(known, ..)| far < known) {
                let first = if index == usize::from(from) { way } else { first };
                known[next] = Some((far, first, false));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest way by length and not by nodes, along ways that lead one way alone; none where none leads.
    #[test]
    fn the_shortest_way_is_found() {
        let text = "bounds -99 -99 -1 99 99 9\nspawn 0 0 0 0\nnode a 0 0 0\nnode b 50 50 0\nnode c 10 0 0\n\
            node d 20 0 0\nnode e 30 0 0\nnode f 0 90 0\nlink a b\nlink b e\nlink a c\ndrop c d\ndrop d e";
        let map = Map::parse(text).unwrap();
        assert_eq!(first_of_way(&map, 0, 4), Some(2));
        assert_eq!(first_of_way(&map, 2, 4), Some(3));
        // Back it is the other way: what drops leads back nowhere.
        assert_eq!(first_of_way(&map, 4, 2), Some(1));
        assert_eq!((first_of_way(&map, 0, 5), first_of_way(&map, 0, 1)), (None, Some(1)));
    }
}
