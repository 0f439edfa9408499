//! Maps as text: a word and its numbers on a line, in wu and degrees, `#` for what is not read.
//!
//! ```text
//! about  TEXT                                    what it is, in a line
//! bounds X Y Z  X Y Z                            where the world ends
//! box    X Y Z  X Y Z  [TURN]                    between two corners, turned about its middle
//! ramp   X Y Z  X Y Z  WIDTH DEPTH               a slab whose top leads from one place to the other
//! stairs X Y Z  X Y Z  WIDTH COUNT               steps from one place up to the other
//! spawn  X Y Z  FACING                           where a player begins
//! spawns X Y  X Y  COLUMNS ROWS Z                a field of them, facing all ways in turn
//! node   NAME X Y Z                              where bots walk
//! nodes  X Y  X Y  COLUMNS ROWS Z                a field of them, each leading to its neighbours
//! link   NAME NAME                               a way there and back
//! drop   NAME NAME                               a way there alone
//! apart  DISTANCE                                how far bots keep from each other
//! item   KIND X Y Z                              what lies there at the begin
//! items  KIND  X Y  X Y  COLUMNS ROWS Z          a field of it
//! kit    KIND...                                 what a player begins with: weapons, grenades
//! pane   X Y Z  X Y Z                            a box of glass between two corners, until something hits it
//! crate  X Y Z                                   a crate that falls there, and that shots break
//! water  X Y  X Y  Z                             water between two corners that boats float on, to that height
//! path   KIND SPEED TICKS  X Y Z  X Y Z ...      a vehicle that nobody drives flies from place to place and round
//!                                                again, standing so long at each
//!
//! platform NAME  X Y Z  X Y Z  DX DY DZ  SPEED [REST]  a box that goes so far and back, SPEED wu a tick; those of one
//!                                                NAME go together, by themselves after REST ticks, or by a switch
//! switch NAME X Y Z                              the action button so near sets the platforms of that name going
//! pad    X Y Z  X Y Z                            two teleporter pads: who steps on one is on the other
//!
//! stand  TEAM X Y Z                              where the flag of team 0 or 1 stands
//! ball   X Y Z                                   where a ball lies at first
//! hill   X Y Z  X Y Z                            between two corners one stands on a hill; the next line's is the next
//! mark   X Y Z                                   a race's flag; they are touched in the order of their lines
//! cluster NAME  X Y Z  X Y Z                     a part of the map, or another box of it; of several here the first
//! sees   NAME NAME...                            from the first cluster the others can be seen, and it from them
//!
//! campaign, name, volume, place, camera, text, route, script   a level of the campaign: see [`scripts`], and for the lines of
//!                                                a script [`lines`]
//! squad  NAME TEAM DUTY WEAPON  X Y Z FACING ... actors of that team with that weapon, one at each of those places; their
//!                                                DUTY is guard, patrol or attack
//! muster NAME  X Y  X Y  COLUMNS ROWS Z          a field of further places of that squad
//! majors NAME...                                 those squads are of rank, and have shields
//! placed NAME...                                 those squads are there at the begin
//!
//! region NAME                                    a copy for that region: from here on kinds may be called KIND_NAME, and
//!                                                are read as the KIND of the one map that everybody plays
//! ```

mod breakables;
mod clusters;
mod fixtures;
mod lines;
mod marks;
mod regions;
mod scripts;
mod squads;
mod ways;

use std::fmt;
use std::str::SplitWhitespace;

use mjolnir_wire::Vec3;

use super::actors::squads::Squad;
use super::campaign::Level;
use super::clusters::Clusters;
use super::collision::{Solid, Solids};
use super::fixtures::Fixtures;
use super::kinds::{Class, Kind};
use super::map::{Node, Parts, Placed, Spawn};
use super::marks::Marks;
use super::movement::Bounds;
use super::vehicle::Water;
use super::vehicle::path::Path;
use regions::Region;

/// Boxes of a map at most.
const MOST_SOLIDS: usize = 4096;
/// Spawns, nodes or steps of one line at most, in each direction.
const MOST_OF_A_LINE: f32 = 64.0;
/// Boxes of a map's cells together at most: some that fill a world as large as may be would take all memory.
const MOST_LISTED: usize = 1 << 21;
/// Spawns of a map at most.
const MOST_SPAWNS: usize = 4096;
/// Nodes of a map at most.
const MOST_NODES: usize = 4096;
/// Things that lie about in a map at most: a quarter of what a host has places for.
const MOST_ITEMS: usize = 1024;
/// Weapons that a player begins with at most, grenades beside them.
const MOST_OF_A_KIT: usize = 3;
/// What is wrong with a map's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, counted from 1; 0 for the whole.
    pub line: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// A fault of a map's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The line's first word means nothing.
    UnknownWord,
    /// A number or a name is missing.
    Missing,
    /// A number is none, or not finite.
    NotANumber,
    /// Words are left over.
    TooMuch,
    /// A size is not above zero, a count is none or too large.
    BadSize,
    /// A place lies outside the world.
    Outside,
    /// A way names a node that no line above it has.
    UnknownNode,
    /// A switch names a platform that no line above it has.
    UnknownPlatform,
    /// A line names a cluster that no line above it has.
    UnknownCluster,
    /// A line names a squad that no line above it has.
    UnknownSquad,
    /// No kind has that name, or things of that kind do not lie about or come with a player.
    UnknownKind,
    /// Two things of one sort have one name.
    NameTaken,
    /// The map has more of a thing than a map may have.
    TooMany,
    /// No line says where the world ends, or it comes after places.
    NoBounds,
    /// No player could begin.
    NoSpawn,
    /// A script, or a line of one, names what no line above it has, or a script that is none.
    UnknownName,
    /// A script has no end.
    NoEnd,
}

impl Fault {
    /// In words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::UnknownWord => "the first word means nothing",
            Self::Missing => "a number or a name is missing",
            Self::NotANumber => "this is no number",
            Self::TooMuch => "words are left over",
            Self::BadSize => "a size is out of range",
            Self::Outside => "a place lies outside the bounds",
            Self::UnknownNode => "no node above has that name",
            Self::UnknownPlatform => "no platform above has that name",
            Self::UnknownCluster => "no cluster above has that name",
            Self::UnknownSquad => "no squad above has that name",
            Self::UnknownKind => "no such thing can be here",
            Self::NameTaken => "another one has that name",
            Self::TooMany => "the map has too many of these",
            Self::NoBounds => "bounds must come first",
            Self::NoSpawn => "nobody could begin",
            Self::UnknownName => "nothing above has that name",
            Self::NoEnd => "a script has no end",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => to.write_str(self.fault.reason()),
            line => write!(to, "line {line}: {}", self.fault.reason()),
        }
    }
}

impl std::error::Error for Error {}

/// Reads a map's text.
pub(super) fn parse(text: &str) -> Result<Parts, Error> {
    let mut reading = Reading::default();
    for (index, line) in text.lines().enumerate() {
        reading.line(line).map_err(|fault| Error { line: index + 1, fault })?;
    }
    let whole = |fault| Error { line: 0, fault };
    if reading.spawns.is_empty() {
        return Err(whole(Fault::NoSpawn));
    }
    if reading.is_in_script {
        return Err(whole(Fault::NoEnd));
    }
    scripts::check(&reading.campaign).map_err(whole)?;
    let Reading {
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
        campaign,
        squads,
        ..
    } = reading;
    let bounds = bounds.ok_or(whole(Fault::NoBounds))?;
    if Solids::listed(&solids, bounds.least, bounds.most) > MOST_LISTED {
        return Err(whole(Fault::TooMany));
    }
    Ok(Parts {
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
        campaign,
        squads,
    })
}

#[derive(Default)]
struct Reading {
    about: String,
    bounds: Option<Bounds>,
    solids: Vec<Solid>,
    spawns: Vec<Spawn>,
    nodes: Vec<Node>,
    names: Vec<String>,
    apart: f32,
    items: Vec<Placed>,
    kit: Vec<Kind>,
    waters: Vec<Water>,
    paths: Vec<Path>,
    fixtures: Fixtures,
    panes: Vec<u16>,
    marks: Marks,
    clusters: Clusters,
    squads: Vec<Squad>,
    region: Region,
    campaign: Level,
    /// The lines that follow are a script's, up to its end.
    is_in_script: bool,
}

/// The numbers of a line, front first.
struct Words<'a>(SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str, Fault> {
        self.0.next().ok_or(Fault::Missing)
    }

    fn number(&mut self) -> Result<f32, Fault> {
        let number: f32 = self.word()?.parse().map_err(|_| Fault::NotANumber)?;
        if number.is_finite() { Ok(number) } else { Err(Fault::NotANumber) }
    }

    fn size(&mut self) -> Result<f32, Fault> {
        self.number().and_then(|size| if size > 0.0 { Ok(size) } else { Err(Fault::BadSize) })
    }

    fn ticks(&mut self) -> Result<u16, Fault> {
        let ticks = self.size()?;
        if ticks <= f32::from(u16::MAX) && ticks.fract() == 0.0 {
            Ok(ticks as u16)
        } else {
            Err(Fault::BadSize)
        }
    }

    fn count(&mut self) -> Result<u16, Fault> {
        let count = self.size()?;
        if count <= MOST_OF_A_LINE && count.fract() == 0.0 { Ok(count as u16) } else { Err(Fault::BadSize) }
    }

    fn vector(&mut self) -> Result<Vec3, Fault> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.0.next().is_none() { Ok(()) } else { Err(Fault::TooMuch) }
    }
}

impl Reading {
    fn line(&mut self, line: &str) -> Result<(), Fault> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = Words(line.split_whitespace());
        let Ok(first) = words.word() else { return Ok(()) };
        if self.is_in_script {
            self.script_line(first, &mut words)?;
            return words.end();
        }
        match first {
            "about" => {
                let about = line.trim_start().trim_start_matches("about").trim();
                // It is shown on terminals, which take more than letters.
                self.about = about.chars().filter(|sign| !sign.is_control()).collect();
                return Ok(());
            }
            "bounds" => {
                let (least, most) = (words.vector()?, words.vector()?);
                let size = most - least;
                // Room for a biped at least.
                if size.to_array().iter().any(|part| *part < 1.0) {
                    return Err(Fault::BadSize);
                }
                Vec3::read_position(least.to_array()).map_err(|_| Fault::BadSize)?;
                Vec3::read_position(most.to_array()).map_err(|_| Fault::BadSize)?;
                self.bounds = Some(Bounds { least, most });
            }
            "box" => {
                let (least, most) = (words.vector()?, words.vector()?);
                let solid = match words.0.clone().next() {
                    None => Solid::between(least, most),
                    Some(_) => {
                        let turn = words.number()?.to_radians();
                        let axes = turned(turn);
                        Solid::new((least + most) * 0.5, (most - least) * 0.5, Some(axes))
                    }
                };
                self.solid(solid)?;
            }
            "ramp" => {
                let (from, to, width, depth) =
                    (words.vector()?, words.vector()?, words.size()?, words.size()?);
                self.solid(ramp(from, to, width, depth))?;
            }
            "stairs" => {
                let (from, to) = (words.vector()?, words.vector()?);
                let (width, count) = (words.size()?, words.count()?);
                self.stairs(from, to, width, count)?;
            }
            "spawn" => {
                let position = words.vector()?;
                self.spawn(position, words.number()?.to_radians())?;
            }
            "spawns" => {
                for (index, (place, ..)) in field(&mut words)?.into_iter().enumerate() {
                    self.spawn(place, (index % 8) as f32 * std::f32::consts::FRAC_PI_4)?;
                }
            }
            "node" => {
                let name = words.word()?;
                let place = words.vector()?;
                self.node(name.to_owned(), place)?;
            }
            "nodes" => {
                let places = field(&mut words)?;
                let first = self.nodes.len();
                for (place, ..) in &places {
                    // A field's nodes have no names that a line could say.
                    self.node(String::new(), *place)?;
                }
                for (a, (_, column, row)) in places.iter().enumerate() {
                    for (b, (_, other_column, other_row)) in places.iter().enumerate() {
                        let near = column.abs_diff(*other_column).max(row.abs_diff(*other_row)) == 1;
                        if near {
                            self.nodes[first + a].ways.push((first + b) as u16);
                        }
                    }
                }
            }
            "link" | "drop" => {
                let (a, b) = (self.named(words.word()?)?, self.named(words.word()?)?);
                self.nodes[usize::from(a)].ways.push(b);
                if first == "link" {
                    self.nodes[usize::from(b)].ways.push(a);
                }
            }
            "apart" => self.apart = words.size()?,
            "item" => {
                let kind = self.region.kind(&mut words)?;
                let place = words.vector()?;
                self.item(kind, place)?;
            }
            "items" => {
                let kind = self.region.kind(&mut words)?;
                for (place, ..) in field(&mut words)? {
                    self.item(kind, place)?;
                }
            }
            "kit" => self.kit(&mut words)?,
            "pane" => self.pane(&mut words)?,
            "crate" => {
                let place = words.vector()?;
                self.item(Kind::Crate, place)?;
            }
            "water" => self.water(&mut words)?,
            "path" => self.path(&mut words, false)?,
            "platform" => self.platform(&mut words)?,
            "switch" => self.switch(&mut words)?,
            "pad" => self.pads(&mut words)?,
            "stand" | "ball" | "hill" | "mark" => self.mark(first, &mut words)?,
            "cluster" => self.cluster(&mut words)?,
            "sees" => self.sees(&mut words)?,
            "squad" | "muster" | "majors" | "placed" => self.squad_words(first, &mut words)?,
            "region" => self.region.read(&mut words)?,
            "campaign" | "name" | "volume" | "place" | "camera" | "text" | "route" | "script" => {
                self.level(first, &mut words)?;
            }
            _ => return Err(Fault::UnknownWord),
        }
        words.end()
    }

    fn solid(&mut self, solid: Option<Solid>) -> Result<(), Fault> {
        if self.solids.len() == MOST_SOLIDS {
            return Err(Fault::TooMany);
        }
        self.solids.push(solid.ok_or(Fault::BadSize)?);
        Ok(())
    }

    fn stairs(&mut self, from: Vec3, to: Vec3, width: f32, count: u16) -> Result<(), Fault> {
        let way = to - from;
        let length = way.across().length();
        if length <= 0.0 || way.z <= 0.0 {
            return Err(Fault::BadSize);
        }
        let axes = turned(libm::atan2f(way.y, way.x));
        let parts = f32::from(count);
        for step in 0..count {
            let (share, rise) = ((f32::from(step) + 0.5) / parts, way.z * f32::from(step + 1) / parts);
            let centre = from + way.across() * share + Vec3::UP * (rise * 0.5);
            let half = Vec3::new(length / parts, width, rise) * 0.5;
            self.solid(Solid::new(centre, half, Some(axes)))?;
        }
        Ok(())
    }

    fn place(&self, place: Vec3) -> Result<Vec3, Fault> {
        let Bounds { least, most } = self.bounds.ok_or(Fault::NoBounds)?;
        let inside = |at: f32, least: f32, most: f32| least <= at && at <= most;
        if inside(place.x, least.x, most.x)
            && inside(place.y, least.y, most.y)
            && inside(place.z, least.z, most.z)
        {
            Ok(place)
        } else {
            Err(Fault::Outside)
        }
    }

    fn item(&mut self, kind: Kind, place: Vec3) -> Result<(), Fault> {
        if kind.class() == Class::Unit {
            return Err(Fault::UnknownKind);
        }
        if self.items.len() == MOST_ITEMS {
            return Err(Fault::TooMany);
        }
        let position = self.place(place)?;
        self.items.push(Placed { kind, position });
        Ok(())
    }

    fn kit(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        while words.0.clone().next().is_some() || self.kit.is_empty() {
            let kind = self.region.kind(words)?;
            if kind.class() != Class::Weapon && kind.grenade().is_none() {
                return Err(Fault::UnknownKind);
            }
            if self.kit.len() == MOST_OF_A_KIT {
                return Err(Fault::TooMany);
            }
            self.kit.push(kind);
        }
        Ok(())
    }

    fn spawn(&mut self, position: Vec3, facing: f32) -> Result<(), Fault> {
        if self.spawns.len() == MOST_SPAWNS {
            return Err(Fault::TooMany);
        }
        let position = self.place(position)?;
        self.spawns.push(Spawn { position, facing });
        Ok(())
    }

    fn node(&mut self, name: String, place: Vec3) -> Result<(), Fault> {
        if !name.is_empty() && self.names.contains(&name) {
            return Err(Fault::NameTaken);
        }
        if self.nodes.len() == MOST_NODES {
            return Err(Fault::TooMany);
        }
        let position = self.place(place)?;
        self.names.push(name);
        self.nodes.push(Node { position, ways: Vec::new() });
        Ok(())
    }

    fn named(&self, name: &str) -> Result<u16, Fault> {
        let index = self.names.iter().position(|known| known == name).ok_or(Fault::UnknownNode)?;
        Ok(index as u16)
    }
}

/// The places of a field with their columns and rows, a lone column or row in its middle.
fn field(words: &mut Words<'_>) -> Result<Vec<(Vec3, u16, u16)>, Fault> {
    let (from, to) = ([words.number()?, words.number()?], [words.number()?, words.number()?]);
    let (columns, rows, z) = (words.count()?, words.count()?, words.number()?);
    let share = |index: u16, count: u16| match count {
        1 => 0.5,
        count => f32::from(index) / f32::from(count - 1),
    };
    let mut places = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let x = from[0] + (to[0] - from[0]) * share(column, columns);
            let y = from[1] + (to[1] - from[1]) * share(row, rows);
            places.push((Vec3::new(x, y, z), column, row));
        }
    }
    Ok(places)
}

/// Directions turned so far about the upright.
fn turned(turn: f32) -> [Vec3; 3] {
    let (sin, cos) = libm::sincosf(turn);
    [Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::UP]
}

fn ramp(from: Vec3, to: Vec3, width: f32, depth: f32) -> Option<Solid> {
    let way = to - from;
    let (length, across) = (way.length(), way.across().length());
    if across <= 0.0 {
        return None;
    }
    let forward = way * (1.0 / length);
    let left = Vec3::new(-way.y, way.x, 0.0) * (1.0 / across);
    let up = Vec3::new(
        forward.y * left.z - forward.z * left.y,
        forward.z * left.x - forward.x * left.z,
        forward.x * left.y - forward.y * left.x,
    );
    let centre = (from + to) * 0.5 - up * (depth * 0.5);
    Solid::new(centre, Vec3::new(length, width, depth) * 0.5, Some([forward, left, up]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bounds -9 -9 -1 9 9 9\nspawn 0 0 0 90\n";

    fn fault(text: &str) -> (usize, Fault) {
        let error = parse(&format!("{START}{text}")).unwrap_err();
        (error.line, error.fault)
    }

    /// A map from elsewhere takes no more memory than one may: boxes that fill a large world are too many long before a map's boxes
    /// are, and so are spawns.
    #[test]
    fn a_map_does_not_take_all_memory() {
        let world = "bounds -1000 -1000 -1 1000 1000 9\nspawn 0 0 0 90\n";
        let boxes = |count: usize| format!("{world}{}", "box -1000 -1000 0 1000 1000 1\n".repeat(count));
        assert!(parse(&boxes(2)).is_ok());
        assert_eq!(parse(&boxes(150)).map(|_| ()).unwrap_err(), Error { line: 0, fault: Fault::TooMany });
        let spawns = |count: usize| format!("{world}{}", "spawns -9 -9 9 9 64 64 0\n".repeat(count));
        assert_eq!(parse(&spawns(2)).map(|_| ()).unwrap_err().fault, Fault::TooMany);
    }

    /// What a map says that it is is words alone.
    #[test]
    fn a_map_says_nothing_to_a_terminal() {
        let parts =
            parse("about a \u{1b}[2Jmap\u{7} of mine\nbounds -9 -9 -1 9 9 9\nspawn 0 0 0 90").unwrap();
        assert_eq!(parts.about, "a [2Jmap of mine");
    }

    /// Each fault is told with its line.
    #[test]
    fn a_fault_is_told_with_its_line() {
        let cases = [
            ("tree 1 2", Fault::UnknownWord),
            ("box 0 0 0 1 1", Fault::Missing),
            ("box 0 0 0 1 1 x", Fault::NotANumber),
            ("box 0 0 0 1 1 inf", Fault::NotANumber),
            ("box 0 0 0 1 1 1 2 3", Fault::TooMuch),
            ("box 0 0 0 1 1 0", Fault::BadSize),
            ("ramp 0 0 0 0 0 1 1 1", Fault::BadSize),
            ("stairs 0 0 0 1 0 1 1 65", Fault::BadSize),
            ("stairs 0 0 0 1 0 1 1 1.5", Fault::BadSize),
            ("spawn 10 0 0 0", Fault::Outside),
            ("node a 0 0 0\nlink a b", Fault::UnknownNode),
            ("node a 0 0 0\nnode a 1 0 0", Fault::NameTaken),
            ("item tree 0 0 0", Fault::UnknownKind),
            ("item biped 0 0 0", Fault::UnknownKind),
            ("item rifle 0 0 10", Fault::Outside),
            ("items rifle 0 0 1 1 40 20 0\nitems cart 0 0 1 1 15 15 0", Fault::TooMany),
            ("platform a 0 0 0 1 1 1 0 0 2", Fault::Missing),
            ("platform a 0 0 0 1 1 1 0 0 2 0", Fault::BadSize),
            ("platform a 0 0 0 1 1 1 0 0 2 0.21", Fault::BadSize),
            ("platform a 0 0 0 1 1 0 0 0 2 0.2", Fault::BadSize),
            ("platform a 0 0 0 1 1 1 0 0 0 0.2", Fault::BadSize),
            ("platform a 0 0 0 1 1 1 0 0 8.1 0.2", Fault::Outside),
            ("platform a 0 0 -0.3 1 1 1 0 0 2 0.2 1.5", Fault::BadSize),
            ("switch a 0 0 0", Fault::UnknownPlatform),
            ("platform a 0 0 0 1 1 1 0 0 2 0.2\nswitch a 0 0 10", Fault::Outside),
            ("pad 0 0 0 0 0 0", Fault::BadSize),
            ("pad 0 0 0 10 0 0", Fault::Outside),
            ("cluster a 0 0 0 1 1", Fault::Missing),
            ("cluster a 0 0 0 1 1 0", Fault::BadSize),
            ("cluster a 0 0 0 1 1 1\nsees a", Fault::Missing),
            ("cluster a 0 0 0 1 1 1\nsees a b", Fault::UnknownCluster),
            ("sees a a", Fault::UnknownCluster),
            ("region", Fault::Missing),
            ("region pal\nregion ntsc", Fault::TooMany),
            ("item rifle_pal 0 0 0", Fault::UnknownKind),
            ("region pal\nitem rifle_ntsc 0 0 0", Fault::UnknownKind),
            ("pane 0 0 0 1 1", Fault::Missing),
            ("pane 0 0 0 1 1 0", Fault::BadSize),
            ("pane 0 0 0 1 10 1", Fault::Outside),
            ("pane 0 0 0 1 1 1 45", Fault::TooMuch),
            ("crate 0 0", Fault::Missing),
            ("crate 0 0 10", Fault::Outside),
            ("kit", Fault::Missing),
            ("kit medkit", Fault::UnknownKind),
            ("kit rifle pistol grenades\nkit plasma", Fault::TooMany),
            ("water 0 0 1 1", Fault::Missing),
            ("water 1 0 1 1 0", Fault::BadSize),
            ("water 0 0 1 1 10", Fault::Outside),
            ("path car 0.2 10  0 0 0  1 0 0", Fault::UnknownKind),
            ("path dropship 2.1 10  0 0 0  1 0 0", Fault::BadSize),
            ("path dropship 0.2 1.5  0 0 0  1 0 0", Fault::BadSize),
            ("path dropship 0.2 10  0 0 0  0 0 0", Fault::BadSize),
            ("path dropship 0.2 10  0 0 0", Fault::Missing),
            ("path dropship 0.2 10  0 0 0  1 0 0  2 0", Fault::Missing),
            ("path dropship 0.2 10  0 0 0  10 0 0", Fault::Outside),
        ];
        for (text, expected) in cases {
            assert_eq!(fault(text), (2 + text.lines().count(), expected), "{text}");
        }
        let whole = |text| parse(text).unwrap_err();
        assert_eq!(whole("spawn 0 0 0 0"), Error { line: 1, fault: Fault::NoBounds });
        assert_eq!(whole("bounds 0 0 0 9 9 9"), Error { line: 0, fault: Fault::NoSpawn });
        assert_eq!(whole("bounds 0 0 0 9 9 0.5").fault, Fault::BadSize);
        assert_eq!(whole("x").to_string(), "line 1: the first word means nothing");
    }

    /// A full map: remarks, a turned box, a ramp, stairs, fields and ways.
    #[test]
    fn a_map_reads() {
        let text = "about  A test.  # and a remark\n\nbox -9 -9 -1 9 9 0 45\nramp 0 0 0 4 0 2 2 0.5\n\
            stairs 0 3 0 4 3 1 2 5\nspawns -5 -5 5 5 3 2 0\nnode a 0 0 0\nnode b 1 0 0\nlink a b\ndrop b a\n\
            nodes 0 0 2 2 3 3 0\napart 5\nitem cart 1 2 3\nitems rifle 0 0 2 2 32 31 0\nitems medkit 0 0 1 1 31 1 0\n\
            kit rifle grenades\nwater 0 0 2 3 1\npath dropship 0.2 60 0 0 1 5 0 1 5 5 1\n\
            platform a 0 0 -2 1 1 1 0 0 8 0.2 90\nplatform a 3 0 0 4 1 1 4 0 0 0.1\n\
            platform b 3 0 0 4 1 1 0 0 -1 0.1\nswitch b 1 2 3\npad 0 0 0 3 3 3\ncluster in 0 0 0 2 2 2\n\
            cluster in 5 5 0 6 6 2\ncluster out -9 -9 -9 9 9 9\ncluster by 20 0 0 30 1 1\nsees out in by";
        let parts = parse(&format!("{START}{text}")).unwrap();
        assert_eq!(parts.about, "A test.");
        assert_eq!((parts.solids.len(), parts.spawns.len(), parts.nodes.len()), (7, 7, 11));
        assert_eq!(parts.nodes[1].ways, [0, 0]);
        assert_eq!(parts.nodes[2].ways.len(), 3);
        assert_eq!(parts.nodes[6].ways.len(), 8);
        assert_eq!(parts.apart, 5.0);
        assert_eq!(parts.items[0], Placed { kind: Kind::Cart, position: Vec3::new(1.0, 2.0, 3.0) });
        assert_eq!((parts.items.len(), &parts.kit[..]), (1024, &[Kind::Rifle, Kind::Grenades][..]));
        assert_eq!((parts.waters[0].least.y, parts.waters[0].most), (0.0, Vec3::new(2.0, 3.0, 1.0)));
        assert_eq!((parts.paths[0].stays, parts.paths[0].places.len()), (60, 3));
        let fixtures = &parts.fixtures;
        let groups: Vec<_> = fixtures.groups.iter().map(|group| (&group.name[..], group.rest)).collect();
        assert_eq!(groups, [("a", Some(90)), ("b", None)]);
        assert_eq!(fixtures.platforms.iter().map(|one| one.group).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(fixtures.switch_at(Vec3::new(1.0, 2.0, 2.1)).unwrap().group, 1);
        assert_eq!(fixtures.switch_at(Vec3::new(1.0, 2.0, 1.9)), None);
        assert_eq!((fixtures.pad_at(Vec3::new(0.4, 0.0, 0.0)), fixtures.pads[0].to), (Some(0), 1));
        assert_eq!(fixtures.pad_at(Vec3::new(0.6, 0.0, 0.0)), None);
        let clusters = &parts.clusters;
        assert_eq!(
            (clusters.named("in"), clusters.named("by"), clusters.named("at")),
            (Some(0), Some(2), None)
        );
        assert_eq!(clusters.sees, [(1, 0), (1, 2)]);
        for (x, expected) in [(2.0, Some(0)), (2.1, Some(1)), (5.5, Some(0)), (9.1, None)] {
            assert_eq!(clusters.at(Vec3::new(x, x.min(6.0), 1.0)), expected, "{x}");
        }
        let broken = "box 0 0 0 1 1 1\npane 2 0 0 3 1 1\ncrate 1 2 0.5\npane 4 0 0 5 1 1";
        let breaks = parse(&format!("{START}{broken}")).unwrap();
        assert_eq!((breaks.panes, breaks.solids.len()), (vec![1, 2], 3));
        assert_eq!(breaks.items, [Placed { kind: Kind::Crate, position: Vec3::new(1.0, 2.0, 0.5) }]);
        let near = parts.solids[1].near(Vec3::new(2.0, 0.0, 3.0));
        assert!(near.floor && (near.normal.z - 0.894).abs() < 0.001);
    }

    /// AUTH-65: two regional copies of a map are the one map once they are read: the same things placed, kit and paths.
    #[test]
    fn a_regional_copy_is_the_one_map() {
        let of = |region: &str, end: &str| {
            let text = format!(
                "{START}{region}\nitem rifle{end} 1 1 0\nitems car{end} 2 2 4 4 2 1 1\nkit pistol{end} grenades{end}\n\
                 item medkit 3 3 0\npath dropship{end} 0.2 60 0 0 1 5 0 1"
            );
            let parts = parse(&text).unwrap();
            (parts.items, parts.kit, parts.paths)
        };
        let one = of("", "");
        assert_eq!((one.0.len(), one.1.len(), one.2.len()), (4, 2, 1));
        assert_eq!(of("region pal", "_pal"), one);
        assert_eq!(of("region ntsc", "_ntsc"), one);
        assert_eq!(of("region pal", ""), one);
    }
}
