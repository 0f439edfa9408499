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
use crate::game::campaign::{
    Begins, CameraPoint, Level, MOST_NAMES, Named, Place, Script, Text, Volume, What,
};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Map;

    const START: &str = "bounds -9 -9 -1 9 9 9\nspawn 0 0 0 90\n";

    fn level(text: &str) -> Result<Level, (usize, Fault)> {
        let map = Map::parse(&format!("{START}{text}")).map_err(|error| (error.line, error.fault))?;
        Ok((*map.campaign).clone())
    }

    /// Every word of a level reads; names go by the order of their lines; a map without them is no level.
    #[test]
    fn a_level_reads() {
        let text = "campaign\nname a scenery 1 2 3 90 absent\nname b rifle 0 0 0\nname c scenery 0 0 0 absent\nvolume v 0 0 0 1 1 1\n\
            place p 1 1 1\nplace q 2 1 1 180\ncamera k 0 0 5 0 -90 40\ntext t  Some   words # and a remark\n\
            route r dropship 0.2 0 0 0 1 0 0\npath dropship 0.2 10 0 0 0 1 0 0\nroute s dropship 1 0 0 0 0 5 0\n\
            script one\n# nothing\n\nsleep 5\nend\nscript two dormant\nend\nscript three continuous\nwake two\nend";
        let level = level(text).unwrap();
        assert!(level.is_level && !super::tests::level("").unwrap().is_level);
        let [a, b, c] = &level.names[..] else { panic!("{:?}", level.names) };
        assert_eq!((a.what, a.is_absent, a.facing), (What::Scenery, true, 90_f32.to_radians()));
        assert_eq!(
            (b.what, b.is_absent, c.is_absent, c.facing),
            (What::Thing(Kind::Rifle), false, true, 0.0)
        );
        assert!(
            level.volumes[0].holds(Vec3::new(1.0, 0.0, 0.5))
                && !level.volumes[0].holds(Vec3::new(1.1, 0.0, 0.5))
        );
        assert_eq!(
            (level.place("q"), level.place("x"), level.places[1].facing),
            (Some(1), None, std::f32::consts::PI)
        );
        let camera = &level.cameras[0];
        assert!(
            camera.axes.forward.distance(-Vec3::UP) < 1e-6
                && camera.axes.up.distance(Vec3::new(1.0, 0.0, 0.0)) < 1e-6
        );
        assert_eq!(level.texts[0].words, "Some words");
        assert_eq!((level.route("r"), level.route("s"), level.route("t")), (Some(0), Some(2), None));
        let scripts: Vec<_> =
            level.scripts.iter().map(|script| (script.begins, script.lines.len())).collect();
        assert_eq!(scripts, [(Begins::AtOnce, 1), (Begins::Woken, 0), (Begins::Again, 1)]);
    }

    /// Each fault is told with its line, or of the whole; so many are not too many, and one more is.
    #[test]
    fn a_levels_faults_are_told() {
        for (text, line, fault) in [
            ("campaign 1", 3, Fault::TooMuch),
            ("name a", 3, Fault::Missing),
            ("name a tree 0 0 0", 3, Fault::UnknownKind),
            ("name a biped 0 0 0", 3, Fault::UnknownKind),
            ("name a flag 0 0 0", 3, Fault::UnknownKind),
            ("name a scenery 0 0 10", 3, Fault::Outside),
            ("name a scenery 0 0 0 90 gone", 3, Fault::TooMuch),
            ("name a scenery 0 0 0\nname a rifle 0 0 0", 4, Fault::NameTaken),
            ("volume a 0 0 0 1 1 0", 3, Fault::BadSize),
            ("volume a 0 0 0 1 1 10", 3, Fault::Outside),
            ("place a 0 0", 3, Fault::Missing),
            ("place a 0 0 0 x", 3, Fault::NotANumber),
            ("camera a 0 0 0 0", 3, Fault::Missing),
            ("camera a 0 0 0 0 91", 3, Fault::BadSize),
            ("camera a 0 0 0 0 0 180", 3, Fault::BadSize),
            ("text", 3, Fault::Missing),
            ("text a b\ntext a b", 4, Fault::NameTaken),
            ("route a car 0.2 0 0 0 1 0 0", 3, Fault::UnknownKind),
            ("route a dropship 0.2 0 0 0", 3, Fault::Missing),
            ("route a dropship 0.2 0 0 0 1 0 0\nroute a dropship 0.2 0 0 0 1 0 0", 4, Fault::NameTaken),
            ("script a asleep\nend", 3, Fault::UnknownWord),
            ("script a\nend\nscript a\nend", 5, Fault::NameTaken),
            ("script a\nsleep 1", 0, Fault::NoEnd),
            ("script a\nwake b\nend", 0, Fault::UnknownName),
            ("script a\nuntil done b\nend", 0, Fault::UnknownName),
            ("end", 3, Fault::UnknownWord),
        ] {
            assert_eq!(level(text), Err((line, fault)), "{text}");
        }
        let many = |count: usize, line: &str| {
            (0..count).map(|at| format!("{}\n", line.replace('N', &at.to_string()))).collect::<String>()
        };
        for (line, most) in [("name nN scenery 0 0 0", 512), ("text tN a", MOST), ("script sN\nend", MOST)] {
            assert!(level(&many(most, line)).is_ok(), "{line}");
            assert_eq!(
                level(&many(most + 1, line)).map_err(|(_, fault)| fault),
                Err(Fault::TooMany),
                "{line}"
            );
        }
        let long = |count: usize| level(&format!("script a\n{}end", "clear\n".repeat(count)));
        assert!(long(MOST_LINES).is_ok() && long(MOST_LINES + 1).is_err());
    }
}
