//! What a level of the campaign has beside what any map has: named objects, volumes, places, cameras, texts, and the scripts that
//! name them. Knows no game's state.

pub mod showing;
pub mod words;

use mjolnir_wire::{Axes, Tag, Vec3};

use super::kinds::Kind;
use words::Word;

pub use showing::Showed;

/// Named objects of a level at most: so many travel (WIRE-45).
pub const MOST_NAMES: usize = 512;

/// The first of the tags by which scripts' sounds, effects and animations travel: each list's by its order. Ours.
const SOUNDS: u32 = 0xE17D_0000;
const EFFECTS: u32 = 0xE17E_0000;
/// The animation graphs of scenery and of units. Ours.
pub const SCENERY_GRAPH: Tag = Tag(0xE17F_0001);
/// See [`SCENERY_GRAPH`].
pub const UNIT_GRAPH: Tag = Tag(0xE17F_0002);

/// What a named object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Scenery: no object of the host's. Each machine makes it for itself, as it is told.
    Scenery,
    /// A thing of that kind, which the host makes.
    Thing(Kind),
}

/// A named object as the level has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// What it is.
    pub what: What,
    /// Where, in wu.
    pub position: Vec3,
    /// Where it faces, in radians.
    pub facing: f32,
    /// It is not there at the begin.
    pub is_absent: bool,
}

/// A box that scripts ask about.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Its name.
    pub name: String,
    /// The corner of least parts, in wu.
    pub least: Vec3,
    /// The corner of most parts.
    pub most: Vec3,
}

/// A place that scripts name: a flag of the level, as it travels by its index.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// The feet, in wu.
    pub position: Vec3,
    /// Where one looks there, in radians.
    pub facing: f32,
}

/// A place that scripts look from.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraPoint {
    /// Its name.
    pub name: String,
    /// In wu.
    pub position: Vec3,
    /// Where it looks, and where its top points.
    pub axes: Axes,
    /// Radians.
    pub field_of_view: f32,
}

/// A text that scripts show.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its name.
    pub name: String,
    /// What it says.
    pub words: String,
}

/// When a script runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// With the level, once.
    AtOnce,
    /// Once another one wakes it, once.
    Woken,
    /// With the level, and again a tick after its last line.
    Again,
}

/// A script: lines that run one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Its name.
    pub name: String,
    /// When it runs.
    pub begins: Begins,
    /// Its lines.
    pub lines: Vec<Word>,
}

/// See the module's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// It is a level of the campaign, and not a map that game types are played on alone.
    pub is_level: bool,
    /// Named objects, by index.
    pub names: Vec<Named>,
    /// Volumes.
    pub volumes: Vec<Volume>,
    /// Places, by index.
    pub places: Vec<Place>,
    /// Cameras.
    pub cameras: Vec<CameraPoint>,
    /// Texts, by index.
    pub texts: Vec<Text>,
    /// Names of the sounds that scripts play, by index.
    pub sounds: Vec<String>,
    /// Names of the effects.
    pub effects: Vec<String>,
    /// Names of the animations.
    pub animations: Vec<String>,
    /// Names of the ways that scripts have vehicles fly, and which of the map's paths each is.
    pub routes: Vec<(String, u16)>,
    /// Scripts.
    pub scripts: Vec<Script>,
}

impl Level {
    /// The named object of that name.
    pub fn named(&self, name: &str) -> Option<u16> {
        index(self.names.iter().map(|named| &named.name), name)
    }

    /// The volume of that name.
    pub fn volume(&self, name: &str) -> Option<u16> {
        index(self.volumes.iter().map(|volume| &volume.name), name)
    }

    /// The place of that name.
    pub fn place(&self, name: &str) -> Option<u16> {
        index(self.places.iter().map(|place| &place.name), name)
    }

    /// The camera of that name.
    pub fn camera(&self, name: &str) -> Option<u16> {
        index(self.cameras.iter().map(|camera| &camera.name), name)
    }

    /// The text of that name.
    pub fn text(&self, name: &str) -> Option<u16> {
        index(self.texts.iter().map(|text| &text.name), name)
    }

    /// The script of that name.
    pub fn script(&self, name: &str) -> Option<u16> {
        index(self.scripts.iter().map(|script| &script.name), name)
    }

    /// The map's path that is the route of that name.
    pub fn route(&self, name: &str) -> Option<u16> {
        self.routes.iter().find(|(known, _)| known == name).map(|(_, path)| *path)
    }

    /// The tag by which that sound travels.
    pub fn sound_tag(sound: u16) -> Tag {
        Tag(SOUNDS | u32::from(sound))
    }

    /// The tag by which that effect travels.
    pub fn effect_tag(effect: u16) -> Tag {
        Tag(EFFECTS | u32::from(effect))
    }

    /// The name of the sound of that tag.
    pub fn sound_of(&self, tag: Tag) -> Option<&str> {
        of_tag(&self.sounds, SOUNDS, tag)
    }

    /// The name of the effect of that tag.
    pub fn effect_of(&self, tag: Tag) -> Option<&str> {
        of_tag(&self.effects, EFFECTS, tag)
    }
}

impl Volume {
    /// Whether feet there are in it.
    pub fn holds(&self, place: Vec3) -> bool {
        let inside = |at: f32, least: f32, most: f32| (least..=most).contains(&at);
        inside(place.x, self.least.x, self.most.x)
            && inside(place.y, self.least.y, self.most.y)
            && inside(place.z, self.least.z, self.most.z)
    }
}

fn index<'a>(mut names: impl Iterator<Item = &'a String>, name: &str) -> Option<u16> {
    names.position(|known| known == name).map(|index| index as u16)
}

fn of_tag(names: &[String], first: u32, tag: Tag) -> Option<&str> {
    names.get(tag.0.checked_sub(first)? as usize).map(String::as_str)
}
