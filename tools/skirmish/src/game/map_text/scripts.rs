//! The words of a level of the campaign, but for its scripts' lines. Knows the words alone.
//!
//! ```text
//! campaign                               it is a level of the campaign: with no game type it is played together
//! name   NAME KIND X Y Z [FACING] [absent]   a named object: `scenery`, or a thing of that kind; absent at the begin
//! volume NAME X Y Z  X Y Z               a box that scripts ask about
//! place  NAME X Y Z [FACING]             a place that scripts name
//! camera NAME X Y Z YAW PITCH [FIELD]    a place that they look from
//! text   NAME WORDS...                   a title, a help, an objective
//! route  NAME KIND SPEED  X Y Z  X Y Z ...   a way that a script has a named vehicle fly, once
//! script NAME [dormant|continuous]       its lines follow, up to `end`: see the lines' own module
//! ```

use mjolnir_wire::{Axes, Vec3};

use super::{Fault, Reading, Words};
use crate::game::campaign::words::{Condition, Word};
use crate::game::campaign::{Begins, CameraPoint, Level, MOST_NAMES, Named, Place, Script, Text, Volume, What};
use crate::game::kinds::{Class, Kind};

/// Volumes, places, cameras, texts, routes and scripts of a level at most, each.
const MOST: usize = 256;
/// Lines of a script at most.
const MOST_LINES: usize = 1024;
/// How wide a camera sees where its line does not say, in degrees.
const FIELD: f32 = 70.0;

impl Reading {
    /// A line whose first word is a level's.
    pub(super) fn level(&mut self, first: &str, words: &mut Words<'_>) -> Result<(), Fault> {
        match first {
            "campaign" => {
                self.campaign.is_level = true;
                return Ok(());
            }
            "route" => return self.route(words),
            _ => {}
        }
        let name = words.word()?.to_owned();
        let level = &self.campaign;
        let (taken, count) = match first {
            "name" => (level.named(&name), level.names.len() / 2),
            "volume" => (level.volume(&name), level.volumes.len()),
            "place" => (level.place(&name), level.places.len()),
            "camera" => (level.camera(&name), level.cameras.len()),
            "text" => (level.text(&name), level.texts.len()),
            _ => (level.script(&name), level.scripts.len()),
        };
        if taken.is_some() {
            return Err(Fault::NameTaken);
        }
        if count >= MOST {
            return Err(Fault::TooMany);
        }
        match first {
            "name" => self.named_object(name, words),
            "volume" => {
                let (least, most) = (words.vector()?, words.vector()?);
                let (least, most) = (self.place(least)?, self.place(most)?);
                if (most - least).to_array().iter().any(|part| *part <= 0.0) {
                    return Err(Fault::BadSize);
                }
                self.campaign.volumes.push(Volume { name, least, most });
                Ok(())
            }
            "place" => {
                let place = words.vector()?;
                let position = self.place(place)?;
                let facing = words.optional(0.0)?.to_radians();
                self.campaign.places.push(Place { name, position, facing });
                Ok(())
            }
            "camera" => {
                let place = words.vector()?;
                let position = self.place(place)?;
                let (yaw, pitch) = (words.number()?.to_radians(), words.number()?.to_radians());
                let field = words.optional(FIELD)?;
                if !(1.0..180.0).contains(&field) || pitch.abs() > std::f32::consts::FRAC_PI_2 {
                    return Err(Fault::BadSize);
                }
                let (axes, field_of_view) = (looking(yaw, pitch), field.to_radians());
                self.campaign.cameras.push(CameraPoint { name, position, axes, field_of_view });
                Ok(())
            }
            "text" => {
                let said: Vec<_> = words.0.by_ref().collect();
                // It is shown on terminals, which take more than letters.
                let words = said.join(" ").chars().filter(|sign| !sign.is_control()).collect();
                self.campaign.texts.push(Text { name, words });
                Ok(())
            }
            _ => {
                let begins = match words.0.next() {
                    None => Begins::AtOnce,
                    Some("dormant") => Begins::Woken,
                    Some("continuous") => Begins::Again,
                    Some(_) => return Err(Fault::UnknownWord),
                };
                self.campaign.scripts.push(Script { name, begins, lines: Vec::new() });
                self.is_in_script = true;
                Ok(())
            }
        }
    }

    fn named_object(&mut self, name: String, words: &mut Words<'_>) -> Result<(), Fault> {
        if self.campaign.names.len() == MOST_NAMES {
            return Err(Fault::TooMany);
        }
        let what = match words.0.clone().next() {
            Some("scenery") => {
                words.word()?;
                What::Scenery
            }
            _ => What::Thing(self.region.kind(words)?),
        };
        let is_no_thing = |kind: Kind| kind.class() == Class::Unit || kind.is_goal();
        if matches!(what, What::Thing(kind) if is_no_thing(kind)) {
            return Err(Fault::UnknownKind);
        }
        let place = words.vector()?;
        let position = self.place(place)?;
        let facing = if words.0.clone().next() == Some("absent") { 0.0 } else { words.optional(0.0)? };
        let is_absent = match words.0.next() {
            None => false,
            Some("absent") => true,
            Some(_) => return Err(Fault::TooMuch),
        };
        let facing = facing.to_radians();
        self.campaign.names.push(Named { name, what, position, facing, is_absent });
        Ok(())
    }

    fn route(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let name = words.word()?.to_owned();
        if self.campaign.route(&name).is_some() {
            return Err(Fault::NameTaken);
        }
        self.path(words, true)?;
        self.campaign.routes.push((name, (self.paths.len() - 1) as u16));
        Ok(())
    }

    /// A line within a script.
    pub(super) fn script_line(&mut self, first: &str, words: &mut Words<'_>) -> Result<(), Fault> {
        if first == "end" {
            self.is_in_script = false;
            return Ok(());
        }
        let word = self.script_word(first, words)?;
        let Some(script) = self.campaign.scripts.last_mut() else { return Err(Fault::UnknownWord) };
        if script.lines.len() == MOST_LINES {
            return Err(Fault::TooMany);
        }
        script.lines.push(word);
        Ok(())
    }
}

/// Makes sure that every script that lines name is there.
pub(super) fn check(level: &Level) -> Result<(), Fault> {
    let lines = level.scripts.iter().flat_map(|script| &script.lines);
    let named = lines.filter_map(|line| match line {
        Word::Wake(name) | Word::Until(Condition::Done(name), _) => Some(name),
        _ => None,
    });
    let mut unknown = named.filter(|name| level.script(name).is_none());
    if unknown.next().is_some() { Err(Fault::UnknownName) } else { Ok(()) }
}

/// The axes of what looks there.
fn looking(yaw: f32, pitch: f32) -> Axes {
    let ((sin, cos), (rise, reach)) = (libm::sincosf(yaw), libm::sincosf(pitch));
    let forward = Vec3::new(cos * reach, sin * reach, rise);
    Axes { forward, up: Vec3::new(-cos * rise, -sin * rise, reach) }
}
