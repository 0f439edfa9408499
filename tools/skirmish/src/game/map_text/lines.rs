//! The lines of a level's scripts. Knows the words alone; what they name stands above them, but for scripts and squads.
//!
//! ```text
//! sleep TICKS                         goes on so many ticks later
//! until CONDITION [within TICKS]      goes on once that is so, or after so many ticks
//!   any VOLUME | all VOLUME           a living player is in it; every living player is
//!   dead SQUAD | below SQUAD COUNT    nobody of it lives; fewer than that do
//!   group NAME VALUE | stands NAME VALUE   the platforms of that name are set so; and stand there
//!   arrived NAME | empty NAME | gone NAME  a named vehicle flew its way; nobody rides it; a named object is no more
//!   time TICKS | done SCRIPT          since the level's begin; that script came to its end
//! wake SCRIPT                         a dormant script begins
//! create NAME / delete NAME           a named object
//! teleport player0|player1 PLACE      player0 is the first of the scripts' players, and all past the second
//! move NAME X Y Z FACING              a named object is put there
//! region NAME REGION FORM / scale NAME SIZE
//! animate NAME ANIMATION / act SQUAD ANIMATION
//! open NAME / close NAME              a named vehicle's doors
//! attach CHILD PARENT / detach CHILD PARENT
//! sound SOUND [NAME] / loop SOUND [NAME] / unloop SOUND
//! title TEXT / help TEXT / flash TEXT / objective TEXT / clear / checkpoint
//! effect EFFECT PLACE
//! fade out|in RED GREEN BLUE TICKS
//! cinematic|letterbox|input|hud|helps|shaking on|off
//! camera CAMERA [TICKS] / camera off
//! shift X Y Z / turn YAW PITCH ROLL / shake STRENGTH SECONDS / steady SECONDS
//! timer TICKS / timer off / pause on|off
//! point PLACE|NAME / unpoint PLACE|NAME / show player0|player1 PLACE / hide player0|player1 PLACE
//! goal PLACE / goal off               the way is shown there alone
//! vitality BODY SHIELD / vitality off
//! cluster CLUSTER / cluster off       kept active
//! group NAME VALUE / snap NAME VALUE / power NAME VALUE
//! screen RED GREEN BLUE NOISE / screen off
//! ally TEAM TEAM / foe TEAM TEAM
//! squad SQUAD / board SQUAD NAME / unload NAME / fly NAME ROUTE
//! win / fail
//! ```

use mjolnir_wire::events::{HudText, PlayerEffect, SoundAction};
use mjolnir_wire::scripted::ScreenEffect;

use super::{Fault, Reading, Words};
use crate::game::campaign::What;
use crate::game::campaign::words::{Condition, Point, Who, Word};

/// Teams that scripts name are below this: so many travel (WIRE-86).
const TEAMS: u16 = 16;
/// Ticks that a line names at most.
const MOST_TICKS: f32 = 32_767.0;
/// An object's size is below this (WIRE-85).
const SCALE_BOUND: f32 = 100.0;

impl Reading {
    pub(super) fn script_word(&mut self, first: &str, words: &mut Words<'_>) -> Result<Word, Fault> {
        Ok(match first {
            "sleep" => Word::Sleep(words.wait()?),
            "until" => {
                let condition = self.condition(words)?;
                let within = match words.0.clone().next() {
                    Some("within") => {
                        words.word()?;
                        Some(words.wait()?)
                    }
                    _ => None,
                };
                Word::Until(condition, within)
            }
            "wake" => Word::Wake(words.word()?.to_owned()),
            "create" => Word::Create(self.object(words)?),
            "delete" => Word::Delete(self.object(words)?),
            "teleport" => Word::Teleport(words.who()?, self.flag(words)?),
            "move" => {
                let name = self.object(words)?;
                let place = words.vector()?;
                Word::Move(name, self.place(place)?, words.number()?.to_radians())
            }
            "region" => Word::Region(self.object(words)?, words.whole(8)? as u8, words.whole(255)? as u8),
            "scale" => {
                let (name, size) = (self.object(words)?, words.size()?);
                if size >= SCALE_BOUND {
                    return Err(Fault::BadSize);
                }
                Word::Scale(name, size)
            }
            "animate" => Word::Animate(self.object(words)?, self.listed(words, List::Animations)?),
            "act" => Word::Act(words.word()?.to_owned(), self.listed(words, List::Animations)?),
            "open" | "close" => Word::Open(self.object(words)?, first == "open"),
            "attach" | "detach" => {
                let (child, parent) = (self.object(words)?, self.object(words)?);
                Word::Attach(child, parent, first == "attach")
            }
            "sound" | "loop" | "unloop" => {
                let action = match first {
                    "sound" => SoundAction::Impulse,
                    "loop" => SoundAction::LoopingStart,
                    _ => SoundAction::LoopingStop,
                };
                let sound = self.listed(words, List::Sounds)?;
                let on = if words.0.clone().next().is_some() { Some(self.object(words)?) } else { None };
                Word::Sound(action, sound, on)
            }
            "title" => Word::Title(self.text(words)?),
            "help" => Word::Say(HudText::Help(self.text(words)?)),
            "flash" => Word::Say(HudText::FlashHelp(self.text(words)?)),
            "objective" => Word::Say(HudText::Objective(self.text(words)?)),
            "clear" => Word::Say(HudText::Clear),
            "checkpoint" => Word::Say(HudText::Checkpoint { shows_help: false }),
            "effect" => Word::Effect(self.listed(words, List::Effects)?, self.flag(words)?),
            "fade" => {
                let out = words.either("out", "in")?;
                let colour = [words.whole(256)? as u8, words.whole(256)? as u8, words.whole(256)? as u8];
                Word::Fade(out, colour, words.wait()? as u16)
            }
            "cinematic" => Word::Cinematic(words.either("on", "off")?),
            "letterbox" => Word::Letterbox(words.either("on", "off")?),
            "input" => Word::Input(words.either("on", "off")?),
            "hud" => Word::Hud(words.either("on", "off")?),
            "helps" => Word::Helps(words.either("on", "off")?),
            "shaking" => Word::Shakes(words.either("on", "off")?),
            "pause" => Word::Pause(words.either("on", "off")?),
            "camera" if words.is_off() => Word::Camera(None),
            "camera" => {
                let camera = self.campaign.camera(words.word()?).ok_or(Fault::UnknownName)?;
                let ticks = if words.0.clone().next().is_some() { words.wait()? } else { 0 };
                Word::Camera(Some((camera, ticks)))
            }
            "shift" => Word::Shake(PlayerEffect::Translation(words.vector()?)),
            "turn" => Word::Shake(PlayerEffect::Rotation(words.vector()?.to_array().map(f32::to_radians))),
            "shake" => Word::Shake(PlayerEffect::Start { strength: words.size()?, seconds: words.number()? }),
            "steady" => Word::Shake(PlayerEffect::Stop { seconds: words.number()? }),
            "timer" if words.is_off() => Word::Timer(None),
            "timer" => Word::Timer(Some(words.wait()? as u16)),
            "point" | "unpoint" => {
                let name = words.word()?;
                let place = self.campaign.place(name).map(Point::Place);
                let point = place.or_else(|| self.campaign.named(name).map(Point::Named));
                Word::Way(point.ok_or(Fault::UnknownName)?, first == "point")
            }
            "show" | "hide" => Word::Way(Point::Of(words.who()?, self.flag(words)?), first == "show"),
            "goal" if words.is_off() => Word::Goal(None),
            "goal" => Word::Goal(Some(self.flag(words)?)),
            "vitality" if words.is_off() => Word::Vitality(None),
            "vitality" => Word::Vitality(Some((words.size()?, words.number()?))),
            "cluster" if words.is_off() => Word::Cluster(None),
            "cluster" => {
                Word::Cluster(Some(self.clusters.named(words.word()?).ok_or(Fault::UnknownCluster)?))
            }
            "group" => Word::Group(self.group(words)?, words.part()?),
            "snap" => Word::Snap(self.group(words)?, words.part()?),
            "power" => Word::Power(self.group(words)?, words.part()?),
            "screen" if words.is_off() => Word::Screen(None),
            "screen" => {
                let (tint, noise) = (words.vector()?.to_array(), words.number()?);
                let effect = ScreenEffect { has_control: true, initialised: true, ..ScreenEffect::default() };
                Word::Screen(Some(Box::new(ScreenEffect { tint, noise, ..effect })))
            }
            "ally" | "foe" => {
                Word::Ally(words.whole(TEAMS)? as u8, words.whole(TEAMS)? as u8, first == "ally")
            }
            "squad" => Word::Squad(words.word()?.to_owned()),
            "board" => Word::Board(words.word()?.to_owned(), self.vehicle(words)?),
            "unload" => Word::Unload(self.vehicle(words)?),
            "fly" => {
                let name = self.vehicle(words)?;
                let route = self.campaign.route(words.word()?).ok_or(Fault::UnknownName)?;
                Word::Fly(name, route)
            }
            "win" => Word::Win,
            "fail" => Word::Fail,
            _ => return Err(Fault::UnknownWord),
        })
    }

    fn condition(&self, words: &mut Words<'_>) -> Result<Condition, Fault> {
        let volume = |words: &mut Words<'_>| self.campaign.volume(words.word()?).ok_or(Fault::UnknownName);
        Ok(match words.word()? {
            "any" => Condition::Any(volume(words)?),
            "all" => Condition::All(volume(words)?),
            "dead" => Condition::Dead(words.word()?.to_owned()),
            "below" => Condition::Below(words.word()?.to_owned(), words.whole(u16::MAX)?),
            "group" => Condition::Group(self.group(words)?, words.part()?),
            "stands" => Condition::Stands(self.group(words)?, words.part()?),
            "time" => Condition::Time(words.wait()?),
            "arrived" => Condition::Arrived(self.vehicle(words)?),
            "empty" => Condition::Empty(self.vehicle(words)?),
            "gone" => Condition::Gone(self.object(words)?),
            "done" => Condition::Done(words.word()?.to_owned()),
            _ => return Err(Fault::UnknownWord),
        })
    }

    fn object(&self, words: &mut Words<'_>) -> Result<u16, Fault> {
        self.campaign.named(words.word()?).ok_or(Fault::UnknownName)
    }

    /// A named object that is a vehicle.
    fn vehicle(&self, words: &mut Words<'_>) -> Result<u16, Fault> {
        let name = self.object(words)?;
        match self.campaign.names[usize::from(name)].what {
            What::Thing(kind) if crate::game::vehicle::Craft::of(kind).is_some() => Ok(name),
            What::Thing(_) | What::Scenery => Err(Fault::UnknownKind),
        }
    }

    fn flag(&self, words: &mut Words<'_>) -> Result<u16, Fault> {
        self.campaign.place(words.word()?).ok_or(Fault::UnknownName)
    }

    fn text(&self, words: &mut Words<'_>) -> Result<u16, Fault> {
        self.campaign.text(words.word()?).ok_or(Fault::UnknownName)
    }

    fn group(&self, words: &mut Words<'_>) -> Result<u16, Fault> {
        self.fixtures.group(words.word()?).ok_or(Fault::UnknownPlatform)
    }

    /// What is named in lines alone, by its place in a list: the first line that names it puts it there.
    fn listed(&mut self, words: &mut Words<'_>, list: List) -> Result<u16, Fault> {
        let name = words.word()?;
        let list = match list {
            List::Sounds => &mut self.campaign.sounds,
            List::Effects => &mut self.campaign.effects,
            List::Animations => &mut self.campaign.animations,
        };
        let index = list.iter().position(|known| known == name).unwrap_or_else(|| {
            list.push(name.to_owned());
            list.len() - 1
        });
        u16::try_from(index).map_err(|_| Fault::TooMany)
    }
}

enum List {
    Sounds,
    Effects,
    Animations,
}

impl Words<'_> {
    /// A number that may be left out.
    pub(super) fn optional(&mut self, or: f32) -> Result<f32, Fault> {
        if self.0.clone().next().is_some() { self.number() } else { Ok(or) }
    }

    fn wait(&mut self) -> Result<u32, Fault> {
        let ticks = self.number()?;
        let is_whole = ticks.fract() == 0.0 && (0.0..=MOST_TICKS).contains(&ticks);
        if is_whole { Ok(ticks as u32) } else { Err(Fault::BadSize) }
    }

    /// A whole number below that.
    fn whole(&mut self, end: u16) -> Result<u16, Fault> {
        let number = self.number()?;
        let is_one = number.fract() == 0.0 && number >= 0.0 && number < f32::from(end);
        if is_one { Ok(number as u16) } else { Err(Fault::BadSize) }
    }

    /// 0 to 1.
    fn part(&mut self) -> Result<f32, Fault> {
        let part = self.number()?;
        if (0.0..=1.0).contains(&part) { Ok(part) } else { Err(Fault::BadSize) }
    }

    fn either(&mut self, yes: &str, no: &str) -> Result<bool, Fault> {
        match self.word()? {
            word if word == yes => Ok(true),
            word if word == no => Ok(false),
            _ => Err(Fault::UnknownWord),
        }
    }

    /// Whether the line says `off` next; then that is read.
    fn is_off(&mut self) -> bool {
        let is_off = self.0.clone().next() == Some("off");
        if is_off {
            self.0.next();
        }
        is_off
    }

    fn who(&mut self) -> Result<Who, Fault> {
        Ok(if self.either("player0", "player1")? { Who::Player0 } else { Who::Player1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Map;

    const LEVEL: &str = "bounds -9 -9 -1 9 9 9\nspawn 0 0 0 90\ncampaign\nplatform gate 0 0 0 1 1 1 0 0 1 0.1\n\
        cluster hall 0 0 0 1 1 1\nname tree scenery 0 0 0\nname gun rifle 0 0 0\nname ship dropship 0 0 0\n\
        volume v 0 0 0 1 1 1\nplace p 0 0 0\ncamera k 0 0 5 0 0\ntext t words\nroute r dropship 0.2 0 0 0 1 0 0\nscript s\n";

    fn word(line: &str) -> Result<Word, Fault> {
        let map = Map::parse(&format!("{LEVEL}{line}\nend")).map_err(|error| error.fault)?;
        Ok(map.campaign.scripts[0].lines[0].clone())
    }

    /// Every word of a script reads as what it does.
    #[test]
    fn every_line_reads() {
        let until = |condition, within| Word::Until(condition, within);
        for (line, expected) in [
            ("sleep 0", Word::Sleep(0)),
            ("sleep 32767", Word::Sleep(32_767)),
            ("until any v", until(Condition::Any(0), None)),
            ("until all v within 30", until(Condition::All(0), Some(30))),
            ("until dead foes", until(Condition::Dead("foes".into()), None)),
            ("until below foes 3 within 9", until(Condition::Below("foes".into(), 3), Some(9))),
            ("until group gate 0.5", until(Condition::Group(0, 0.5), None)),
            ("until stands gate 1", until(Condition::Stands(0, 1.0), None)),
            ("until time 90", until(Condition::Time(90), None)),
            ("until arrived ship", until(Condition::Arrived(2), None)),
            ("until empty ship", until(Condition::Empty(2), None)),
            ("until gone tree", until(Condition::Gone(0), None)),
            ("until done s", until(Condition::Done("s".into()), None)),
            ("wake s", Word::Wake("s".into())),
            ("create gun", Word::Create(1)),
            ("delete tree", Word::Delete(0)),
            ("teleport player0 p", Word::Teleport(Who::Player0, 0)),
            ("teleport player1 p", Word::Teleport(Who::Player1, 0)),
            ("region tree 7 254", Word::Region(0, 7, 254)),
            ("scale tree 99.9", Word::Scale(0, 99.9)),
            ("animate tree wave", Word::Animate(0, 0)),
            ("act foes wave", Word::Act("foes".into(), 0)),
            ("open ship", Word::Open(2, true)),
            ("close ship", Word::Open(2, false)),
            ("attach tree ship", Word::Attach(0, 2, true)),
            ("detach tree ship", Word::Attach(0, 2, false)),
            ("sound bang", Word::Sound(SoundAction::Impulse, 0, None)),
            ("loop bang tree", Word::Sound(SoundAction::LoopingStart, 0, Some(0))),
            ("unloop bang", Word::Sound(SoundAction::LoopingStop, 0, None)),
            ("title t", Word::Title(0)),
            ("help t", Word::Say(HudText::Help(0))),
            ("flash t", Word::Say(HudText::FlashHelp(0))),
            ("objective t", Word::Say(HudText::Objective(0))),
            ("clear", Word::Say(HudText::Clear)),
            ("checkpoint", Word::Say(HudText::Checkpoint { shows_help: false })),
            ("effect dust p", Word::Effect(0, 0)),
            ("fade out 255 0 1 30", Word::Fade(true, [255, 0, 1], 30)),
            ("fade in 0 0 0 0", Word::Fade(false, [0; 3], 0)),
            ("cinematic on", Word::Cinematic(true)),
            ("letterbox off", Word::Letterbox(false)),
            ("input off", Word::Input(false)),
            ("hud on", Word::Hud(true)),
            ("helps off", Word::Helps(false)),
            ("shaking on", Word::Shakes(true)),
            ("pause on", Word::Pause(true)),
            ("camera k", Word::Camera(Some((0, 0)))),
            ("camera k 60", Word::Camera(Some((0, 60)))),
            ("camera off", Word::Camera(None)),
            ("shake 1 0.5", Word::Shake(PlayerEffect::Start { strength: 1.0, seconds: 0.5 })),
            ("steady 0.5", Word::Shake(PlayerEffect::Stop { seconds: 0.5 })),
            ("timer 90", Word::Timer(Some(90))),
            ("timer off", Word::Timer(None)),
            ("point p", Word::Way(Point::Place(0), true)),
            ("unpoint tree", Word::Way(Point::Named(0), false)),
            ("show player1 p", Word::Way(Point::Of(Who::Player1, 0), true)),
            ("hide player0 p", Word::Way(Point::Of(Who::Player0, 0), false)),
            ("goal p", Word::Goal(Some(0))),
            ("goal off", Word::Goal(None)),
            ("vitality 2 3", Word::Vitality(Some((2.0, 3.0)))),
            ("vitality off", Word::Vitality(None)),
            ("cluster hall", Word::Cluster(Some(0))),
            ("cluster off", Word::Cluster(None)),
            ("group gate 1", Word::Group(0, 1.0)),
            ("snap gate 0", Word::Snap(0, 0.0)),
            ("power gate 0.5", Word::Power(0, 0.5)),
            ("screen off", Word::Screen(None)),
            ("ally 0 15", Word::Ally(0, 15, true)),
            ("foe 2 1", Word::Ally(2, 1, false)),
            ("squad foes", Word::Squad("foes".into())),
            ("board foes ship", Word::Board("foes".into(), 2)),
            ("unload ship", Word::Unload(2)),
            ("fly ship r", Word::Fly(2, 0)),
            ("win", Word::Win),
            ("fail", Word::Fail),
        ] {
            assert_eq!(word(line), Ok(expected), "{line}");
        }
        assert!(matches!(word("move tree 1 2 3 90"), Ok(Word::Move(0, at, _)) if at.z == 3.0));
        assert!(matches!(word("shift 1 2 3"), Ok(Word::Shake(PlayerEffect::Translation(by))) if by.y == 2.0));
        let turned = [180_f32.to_radians(), 0.0, 0.0];
        assert_eq!(word("turn 180 0 0"), Ok(Word::Shake(PlayerEffect::Rotation(turned))));
        let Ok(Word::Screen(Some(effect))) = word("screen 1 0.5 0 0.25") else { panic!("no effect") };
        assert_eq!((effect.tint, effect.noise, effect.has_control), ([1.0, 0.5, 0.0], 0.25, true));
    }

    /// Each fault is told.
    #[test]
    fn a_lines_faults_are_told() {
        for (line, fault) in [
            ("jump", Fault::UnknownWord),
            ("sleep", Fault::Missing),
            ("sleep -1", Fault::BadSize),
            ("sleep 1.5", Fault::BadSize),
            ("sleep 32768", Fault::BadSize),
            ("sleep 1 2", Fault::TooMuch),
            ("until", Fault::Missing),
            ("until never", Fault::UnknownWord),
            ("until any w", Fault::UnknownName),
            ("until any v after 3", Fault::TooMuch),
            ("until any v within", Fault::Missing),
            ("until group door 1", Fault::UnknownPlatform),
            ("until group gate 1.1", Fault::BadSize),
            ("until arrived tree", Fault::UnknownKind),
            ("until arrived gun", Fault::UnknownKind),
            ("create bush", Fault::UnknownName),
            ("teleport player2 p", Fault::UnknownWord),
            ("teleport player0 q", Fault::UnknownName),
            ("move tree 0 0 10 0", Fault::Outside),
            ("region tree 8 0", Fault::BadSize),
            ("region tree 0 255", Fault::BadSize),
            ("scale tree 0", Fault::BadSize),
            ("scale tree 100", Fault::BadSize),
            ("sound bang bush", Fault::UnknownName),
            ("title u", Fault::UnknownName),
            ("effect dust q", Fault::UnknownName),
            ("fade across 0 0 0 1", Fault::UnknownWord),
            ("fade out 256 0 0 1", Fault::BadSize),
            ("hud maybe", Fault::UnknownWord),
            ("camera l", Fault::UnknownName),
            ("shake 0 1", Fault::BadSize),
            ("point q", Fault::UnknownName),
            ("goal q", Fault::UnknownName),
            ("cluster yard", Fault::UnknownCluster),
            ("snap gate -1", Fault::BadSize),
            ("ally 0 16", Fault::BadSize),
            ("fly ship s", Fault::UnknownName),
            ("fly gun r", Fault::UnknownKind),
            ("board foes", Fault::Missing),
            ("win 1", Fault::TooMuch),
        ] {
            assert_eq!(word(line), Err(fault), "{line}");
        }
    }
}
