//! What an event is, and which of an entry's fields says what of it (FACT wire 3.14, ours 3). Knows no number and no level.

use super::{Surface, SurfaceBroken};
use crate::coop::CoopEventEntry;
use crate::ids::{ObjectId, Tag};
use crate::layout::Pad;
use crate::object_name::ObjectName;
use crate::space::Vec3;

/// What the sounds of scripts do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundAction {
    /// It is heard once.
    Impulse,
    /// It is heard on and on.
    LoopingStart,
    /// It no longer is.
    LoopingStop,
}

/// A script's sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sound {
    /// Whether it begins or ends.
    pub action: SoundAction,
    /// Which: a sound, or a looping one.
    pub sound: Tag,
    /// What it is played on; none where it is heard everywhere.
    pub on: Option<ObjectName>,
    /// How loud, as the script says.
    pub scale: f32,
}

/// What scripts write on the HUD. Texts go by their index in the level, 0..=32767.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HudText {
    /// That help text.
    Help(u16),
    /// That objective.
    Objective(u16),
    /// That help text flashes.
    FlashHelp(u16),
    /// Nothing is written there any more.
    Clear,
    /// "Checkpoint".
    Checkpoint {
        /// Whether help is shown with it.
        shows_help: bool,
    },
}

/// What scripts do to players' cameras.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerEffect {
    /// The greatest shift of the shake to come, wu.
    Translation(Vec3),
    /// Its greatest turn: yaw, pitch, roll, radians.
    Rotation([f32; 3]),
    /// It begins.
    Start {
        /// How strong, of 1.
        strength: f32,
        /// In how many seconds it has risen.
        seconds: f32,
    },
    /// It ends.
    Stop {
        /// In how many seconds it has fallen.
        seconds: f32,
    },
}

/// Who is shown the way, and to what. Flags are the level's, 0..=32767; teams are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Navigation {
    /// A team, to a flag.
    TeamToFlag(u8, u16),
    /// A team, to an object.
    TeamToObject(u8, ObjectName),
    /// A unit's player, to a flag.
    UnitToFlag(ObjectName, u16),
    /// A unit's player, to an object.
    UnitToObject(ObjectName, ObjectId),
}

/// A navigation point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavigationPoint {
    /// Its type, by its index in the game, 0..=32767.
    pub kind: u16,
    /// Whose, and where.
    pub of: Navigation,
    /// Whether it is shown from now on, or removed.
    pub shows: bool,
    /// How far above what it marks it stands, wu.
    pub height: f32,
}

/// An animation that a script has an object play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Animation {
    /// Who plays it.
    pub object: ObjectName,
    /// The animation graph.
    pub graph: Tag,
    /// The animation's index there, 0..=32767.
    pub animation: u16,
    /// The frame that it begins at, 0..=32767.
    pub frame: u16,
    /// Whether it is blended into.
    pub interpolate: bool,
}

/// Where an effect is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectPlace {
    /// At that flag of the level, 0..=32767.
    Flag(u16),
    /// On that marker of an object, 0..=32767.
    Marker(ObjectName, u16),
}

/// Objects that a script attaches to each other, or takes apart. Markers go by their index, 0..=32767.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Whether it is attached, or detached.
    pub attaches: bool,
    /// What it hangs on.
    pub parent: ObjectName,
    /// What hangs there.
    pub child: ObjectName,
    /// Where on the parent.
    pub parent_marker: Option<u16>,
    /// Where on the child.
    pub child_marker: Option<u16>,
}

/// What happened. Every index is within the format's field; the level's counts are its own to check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// A sound begins or ends.
    Sound(Sound),
    /// A chapter's title is shown, by its index in the level, 0..=32767.
    ChapterTitle(u16),
    /// The HUD says something.
    Hud(HudText),
    /// Cameras shake, or will.
    PlayerEffect(PlayerEffect),
    /// The way is shown, or no longer.
    NavigationPoint(NavigationPoint),
    /// A unit plays an animation.
    UnitAnimation(Animation),
    /// Scenery plays an animation.
    SceneryAnimation(Animation),
    /// An effect is seen.
    Effect {
        /// Which.
        effect: Tag,
        /// Where.
        at: EffectPlace,
    },
    /// Objects are attached to each other, or taken apart.
    Attachment(Attachment),
    /// The host went back to its last checkpoint.
    Reverted,
    /// A unit opens, or closes: a dropship's doors.
    UnitOpen {
        /// Which.
        unit: ObjectName,
        /// Whether it opens.
        opens: bool,
    },
    /// A surface broke.
    SurfaceBroken(SurfaceBroken),
}

impl Action {
    /// What an entry of a known kind says; none where a field that it needs says nothing.
    pub(super) fn of(raw: &CoopEventEntry) -> Option<Self> {
        let object = || ObjectName::read(raw.object_name, raw.object, raw.object_definition_tag).ok();
        let (value, frame) = (index(raw.value), index(raw.frame));
        let real = |at: usize| raw.reals.get(at).copied().filter(|real: &f32| real.is_finite());
        let animation = || {
            Some(Animation {
                object: object()?,
                graph: Tag::read(raw.tag).ok()?,
                animation: value?,
                frame: frame?,
                interpolate: raw.interpolate != 0,
            })
        };
        Some(match (raw.kind, raw.event_type) {
            (0, what) => Self::Sound(Sound {
                action: match what {
                    0 => SoundAction::Impulse,
                    1 => SoundAction::LoopingStart,
                    2 => SoundAction::LoopingStop,
                    _ => return None,
                },
                sound: Tag::read(raw.tag).ok()?,
                on: ObjectName::read_or_none(raw.object_name, raw.object, raw.object_definition_tag).ok()?,
                scale: real(0)?,
            }),
            (1, _) => Self::ChapterTitle(value?),
            (2, 0) => Self::Hud(HudText::Help(value?)),
            (2, 1) => Self::Hud(HudText::Objective(value?)),
            (2, 2) => Self::Hud(HudText::FlashHelp(value?)),
            (2, 3) => Self::Hud(HudText::Clear),
            (2, 4) => Self::Hud(HudText::Checkpoint { shows_help: raw.frame != 0 }),
            (3, 0) => Self::PlayerEffect(PlayerEffect::Translation(Vec3::read_finite(raw.reals).ok()?)),
            (3, 1) => {
                let rotation = Vec3::read_finite(raw.reals).ok()?.to_array();
                Self::PlayerEffect(PlayerEffect::Rotation(rotation))
            }
            (3, 2) => Self::PlayerEffect(PlayerEffect::Start { strength: real(0)?, seconds: real(1)? }),
            (3, 3) => Self::PlayerEffect(PlayerEffect::Stop { seconds: real(0)? }),
            (4, what) => {
                let team = || match real(1)? {
                    team if team == 0.0 => Some(0),
                    team if team == 1.0 => Some(1),
                    _ => None,
                };
                let of = match what {
                    0 => Navigation::TeamToFlag(team()?, frame?),
                    1 => Navigation::TeamToObject(team()?, object()?),
                    2 => Navigation::UnitToFlag(object()?, frame?),
                    3 => Navigation::UnitToObject(object()?, ObjectId::read(raw.target).ok()?),
                    _ => return None,
                };
                let (shows, height) = (raw.interpolate != 0, real(0)?);
                Self::NavigationPoint(NavigationPoint { kind: value?, of, shows, height })
            }
            (5, _) => Self::UnitAnimation(animation()?),
            (6, _) => Self::SceneryAnimation(animation()?),
            (7, what) => Self::Effect {
                effect: Tag::read(raw.tag).ok()?,
                at: match what {
                    0 => EffectPlace::Flag(value?),
                    1 => EffectPlace::Marker(object()?, value?),
                    _ => return None,
                },
            },
            (8, what @ (0 | 1)) => Self::Attachment(Attachment {
                attaches: what == 0,
                parent: object()?,
                // The child's name travels as a number beside the others.
                child: ObjectName::read(name(real(0)?)?, raw.target, raw.tag).ok()?,
                parent_marker: value,
                child_marker: frame,
            }),
            (9, _) => Self::Reverted,
            (10, _) => Self::UnitOpen { unit: object()?, opens: raw.value != 0 },
            (11, _) => {
                let surface = Surface { structure_bsp: frame?, index: value? };
                Self::SurfaceBroken(SurfaceBroken { surface, at: Vec3::read_finite(raw.reals).ok()? })
            }
            _ => return None,
        })
    }

    /// The entry of it: what it does not need is none, or zero.
    pub(super) fn raw(&self, number: u16) -> CoopEventEntry {
        let mut raw = CoopEventEntry {
            kind: 0,
            event_type: 0,
            number,
            value: 0,
            frame: 0,
            object_name: -1,
            interpolate: 0,
            pad_11: Pad,
            object: -1,
            target: -1,
            tag: -1,
            object_definition_tag: -1,
            reals: [0.0; 3],
        };
        match *self {
            Self::Sound(Sound { action, sound, on, scale }) => {
                (raw.kind, raw.event_type) = (0, action as u8);
                raw.tag = sound.raw();
                set_object(&mut raw, on);
                raw.reals[0] = finite(scale);
            }
            Self::ChapterTitle(title) => (raw.kind, raw.value) = (1, raw_index(title)),
            Self::Hud(text) => {
                raw.kind = 2;
                match text {
                    HudText::Help(text) => (raw.event_type, raw.value) = (0, raw_index(text)),
                    HudText::Objective(text) => (raw.event_type, raw.value) = (1, raw_index(text)),
                    HudText::FlashHelp(text) => (raw.event_type, raw.value) = (2, raw_index(text)),
                    HudText::Clear => raw.event_type = 3,
                    HudText::Checkpoint { shows_help } => {
                        (raw.event_type, raw.frame) = (4, i16::from(shows_help));
                    }
                }
            }
            Self::PlayerEffect(effect) => {
                raw.kind = 3;
                (raw.event_type, raw.reals) = match effect {
                    PlayerEffect::Translation(shift) => (0, shift.to_array()),
                    PlayerEffect::Rotation(turn) => (1, turn),
                    PlayerEffect::Start { strength, seconds } => (2, [strength, seconds, 0.0]),
                    PlayerEffect::Stop { seconds } => (3, [seconds, 0.0, 0.0]),
                };
                raw.reals = raw.reals.map(finite);
            }
            Self::NavigationPoint(NavigationPoint { kind, of, shows, height }) => {
                (raw.kind, raw.value, raw.interpolate) = (4, raw_index(kind), u8::from(shows));
                raw.reals[0] = finite(height);
                match of {
                    Navigation::TeamToFlag(team, flag) => {
                        (raw.event_type, raw.frame, raw.reals[1]) = (0, raw_index(flag), team.into());
                    }
                    Navigation::TeamToObject(team, object) => {
                        (raw.event_type, raw.reals[1]) = (1, team.into());
                        set_object(&mut raw, Some(object));
                    }
                    Navigation::UnitToFlag(unit, flag) => {
                        (raw.event_type, raw.frame) = (2, raw_index(flag));
                        set_object(&mut raw, Some(unit));
                    }
                    Navigation::UnitToObject(unit, object) => {
                        (raw.event_type, raw.target) = (3, object.raw());
                        set_object(&mut raw, Some(unit));
                    }
                }
            }
            Self::UnitAnimation(animation) | Self::SceneryAnimation(animation) => {
                raw.kind = if matches!(self, Self::UnitAnimation(_)) { 5 } else { 6 };
                let Animation { object, graph, animation, frame, interpolate } = animation;
                set_object(&mut raw, Some(object));
                raw.tag = graph.raw();
                (raw.value, raw.frame) = (raw_index(animation), raw_index(frame));
                raw.interpolate = u8::from(interpolate);
            }
            Self::Effect { effect, at } => {
                (raw.kind, raw.tag) = (7, effect.raw());
                match at {
                    EffectPlace::Flag(flag) => (raw.event_type, raw.value) = (0, raw_index(flag)),
                    EffectPlace::Marker(object, marker) => {
                        (raw.event_type, raw.value) = (1, raw_index(marker));
                        set_object(&mut raw, Some(object));
                    }
                }
            }
            Self::Attachment(Attachment { attaches, parent, child, parent_marker, child_marker }) => {
                (raw.kind, raw.event_type) = (8, u8::from(!attaches));
                set_object(&mut raw, Some(parent));
                let name;
                (name, raw.target, raw.tag) = child.raw();
                raw.reals[0] = name.into();
                raw.value = parent_marker.map_or(-1, raw_index);
                raw.frame = child_marker.map_or(-1, raw_index);
            }
            Self::Reverted => raw.kind = 9,
            Self::UnitOpen { unit, opens } => {
                (raw.kind, raw.value) = (10, i16::from(opens));
                set_object(&mut raw, Some(unit));
            }
            Self::SurfaceBroken(SurfaceBroken { surface, at }) => {
                raw.kind = 11;
                (raw.value, raw.frame) = (raw_index(surface.index), raw_index(surface.structure_bsp));
                raw.reals = at.to_array().map(finite);
            }
        }
        raw
    }
}

fn set_object(raw: &mut CoopEventEntry, object: Option<ObjectName>) {
    (raw.object_name, raw.object, raw.object_definition_tag) = ObjectName::raw_or_none(object);
}

fn index(raw: i16) -> Option<u16> {
    u16::try_from(raw).ok()
}

fn raw_index(index: u16) -> i16 {
    i16::try_from(index).unwrap_or(-1)
}

/// A number that may travel.
const fn finite(real: f32) -> f32 {
    if real.is_finite() { real } else { 0.0 }
}

/// A name that travelled as a number.
fn name(real: f32) -> Option<i16> {
    let name = real as i16;
    (f32::from(name) == real).then_some(name)
}
