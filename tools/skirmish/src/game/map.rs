//! The maps: what stands where, where players begin, and where bots may walk. Knows no file and no game's state.

use std::sync::Arc;

use mjolnir_wire::Vec3;

use super::actors::squads::Squad;
use super::campaign::Level;
use super::clusters::Clusters;
use super::collision::{Solid, Solids};
use super::fixtures::Fixtures;
use super::kinds::Kind;
use super::map_text;
use super::marks::Marks;
use super::movement::Bounds;
use super::vehicle::path::Path;
use super::vehicle::{Craft, Water};

pub use super::map_text::{Error, Fault};

/// A place to begin at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawn {
    /// The feet, in wu.
    pub position: Vec3,
    /// Where it looks, in radians.
    pub facing: f32,
}

/// A thing that lies somewhere at the begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// What it is.
    pub kind: Kind,
    /// From where it falls to its place, in wu.
    pub position: Vec3,
}

/// A place that bots walk to.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The feet, in wu.
    pub position: Vec3,
    /// The nodes that one walks, or falls, to straight from here.
    pub ways: Vec<u16>,
}

/// A map, ready to be played.
#[derive(Clone, Debug)]
pub struct Map {
    /// What it is, in a line.
    pub about: String,
    /// Where it ends.
    pub bounds: Bounds,
    /// What stands in it.
    pub solids: Solids,
    /// Where players begin; at least one.
    pub spawns: Vec<Spawn>,
    /// Where bots walk.
    pub nodes: Vec<Node>,
    /// How far bots keep from each other, in wu; 0 where they need not.
    pub apart: f32,
    /// What lies about at the begin, the same on every machine (OBJ-10).
    pub items: Vec<Placed>,
    /// What a player begins with.
    pub kit: Vec<Kind>,
    /// Where boats float.
    pub waters: Vec<Water>,
    /// The ways that vehicles fly by themselves.
    pub paths: Vec<Path>,
    /// What moves and acts by itself.
    pub fixtures: Fixtures,
    /// Glass: which of the solids break, in the order in which they are named.
    pub panes: Vec<u16>,
    /// What game types are about.
    pub marks: Marks,
    /// Its parts, and what can be seen from where.
    pub clusters: Clusters,
    /// What it has as a level of the campaign.
    pub campaign: Arc<Level>,
    /// Whom it has actors of.
    pub squads: Vec<Squad>,
}

/// What a map's text says, before it is made ready.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) about: String,
    pub(super) bounds: Bounds,
    pub(super) solids: Vec<Solid>,
    pub(super) spawns: Vec<Spawn>,
    pub(super) nodes: Vec<Node>,
    pub(super) apart: f32,
    pub(super) items: Vec<Placed>,
    pub(super) kit: Vec<Kind>,
    pub(super) waters: Vec<Water>,
    pub(super) paths: Vec<Path>,
    pub(super) fixtures: Fixtures,
    pub(super) panes: Vec<u16>,
    pub(super) marks: Marks,
    pub(super) clusters: Clusters,
    pub(super) campaign: Level,
    pub(super) squads: Vec<Squad>,
}

impl From<Parts> for Map {
    fn from(parts: Parts) -> Self {
        let Parts {
            about,
            bounds,
            solids,
            spawns,
            nodes,
            apart,
            items,
            kit,
            waters,
            paths,
            mut fixtures,
            panes,
            marks,
            clusters,
            campaign,
            squads,
        } = parts;
        fixtures.find_berths(nodes.iter().map(|node| node.position));
        let moving = fixtures.platforms.iter().map(|platform| platform.solid.clone());
        let solids = Solids::new(solids, bounds.least, bounds.most).with_moving(moving);
        Self {
            about,
            bounds,
            solids,
            spawns,
            nodes,
            apart,
            items,
            kit,
            waters,
            paths,
            fixtures,
            panes,
            marks,
            clusters,
            campaign: Arc::new(campaign),
            squads,
        }
    }
}

impl Map {
    /// Reads a map's text; its words stand in [`map_text`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        map_text::parse(text).map(Self::from)
    }

    /// The map or the level of that name among those that ship.
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED.iter().chain(&LEVELS).find(|(shipped, _)| *shipped == name)?;
        // What ships is read by a test.
        Self::parse(text).ok()
    }

    /// Whether there is something to ride at the begin.
    pub fn has_vehicles(&self) -> bool {
        !self.paths.is_empty() || self.items.iter().any(|item| Craft::of(item.kind).is_some())
    }

    /// The node nearest to a place; heights count as four times as far, for a floor is no way to the next.
    pub fn nearest_node(&self, place: Vec3) -> Option<u16> {
        let far = |node: &Node| {
            let apart = node.position - place;
            apart.across().length() + 4.0 * apart.z.abs()
        };
        let (index, _) = self.nodes.iter().enumerate().min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)))?;
        Some(index as u16)
    }
}

/// A map that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Its name, as `--map` takes it.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
}

const SHIPPED: [(&str, &str); 10] = [
    ("arena", include_str!("maps/arena.txt")),
    ("carpark", include_str!("maps/carpark.txt")),
    ("drive", include_str!("maps/drive.txt")),
    ("field", include_str!("maps/field.txt")),
    ("flat", include_str!("maps/flat.txt")),
    ("hill", include_str!("maps/hill.txt")),
    ("rooms", include_str!("maps/rooms.txt")),
    ("tower", include_str!("maps/tower.txt")),
    ("two_bases", include_str!("maps/two_bases.txt")),
    ("yard", include_str!("maps/yard.txt")),
];

/// Levels of the campaign: maps that have more in them than players.
const LEVELS: [(&str, &str); 3] = [
    ("campaign1", include_str!("maps/campaign1.txt")),
    ("garrison", include_str!("maps/garrison.txt")),
    ("outpost", include_str!("maps/outpost.txt")),
];

/// The maps that ship, by name, but for levels: game types are played and measured on them (TOOL-59).
pub fn maps() -> impl Iterator<Item = Listing> {
    SHIPPED.into_iter().map(listing)
}

/// The levels that ship beside them, by name.
pub fn levels() -> impl Iterator<Item = Listing> {
    LEVELS.into_iter().map(listing)
}

fn listing((name, text): (&'static str, &'static str)) -> Listing {
    let about = text.lines().find_map(|line| line.strip_prefix("about "));
    Listing { name, about: about.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every map that ships reads, says what it is, and has places for bots that lead on.
    #[test]
    fn every_map_that_ships_reads() {
        for (name, text) in SHIPPED.into_iter().chain(LEVELS) {
            let map = Map::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!map.about.is_empty() && !map.nodes.is_empty() && !map.solids.is_empty(), "{name}");
            assert!(map.nodes.iter().all(|node| !node.ways.is_empty()), "{name}: a node leads nowhere");
            assert!(map.spawns.len() >= 8, "{name}");
        }
        assert_eq!(maps().count(), SHIPPED.len());
        assert_eq!(levels().count(), LEVELS.len());
        assert!(maps().all(|listing| !Map::named(listing.name).unwrap().campaign.is_level));
        assert!(levels().all(|listing| Map::named(listing.name).unwrap().campaign.is_level));
        assert!(
            maps()
                .chain(levels())
                .all(|listing| !listing.about.is_empty() && Map::named(listing.name).is_some())
        );
        assert!(Map::named("nowhere").is_none());
    }
}
