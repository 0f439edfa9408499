//! Which of an entry's fields says what of an event (FACT wire 3.14, ours 3). Knows no number and no level.

use super::actions::{
    Action, Animation, Attachment, EffectPlace, HudText, Navigation, NavigationPoint, PlayerEffect, Sound,
    SoundAction,
};
use super::{Surface, SurfaceBroken};
use crate::coop::CoopEventEntry;
use crate::ids::{ObjectId, Tag};
use crate::layout::Pad;
use crate::object_name::ObjectName;
use crate::space::Vec3;

impl Action {
    /// What an entry of a known kind says; none where a field that it needs says nothing, or any of its numbers is none.
    pub(super) fn of(raw: &CoopEventEntry) -> Option<Self> {
        if !raw.reals.iter().all(|real| real.is_finite()) {
            return None;
        }
        let reals = raw.reals;
        let object = || ObjectName::read(raw.object_name, raw.object, raw.object_definition_tag).ok();
        let (value, frame) = (index(raw.value), index(raw.frame));
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
                scale: reals[0],
            }),
            (1, _) => Self::ChapterTitle(value?),
            (2, 0) => Self::Hud(HudText::Help(value?)),
            (2, 1) => Self::Hud(HudText::Objective(value?)),
            (2, 2) => Self::Hud(HudText::FlashHelp(value?)),
            (2, 3) => Self::Hud(HudText::Clear),
            (2, 4) => Self::Hud(HudText::Checkpoint { shows_help: raw.frame != 0 }),
            (3, 0) => Self::PlayerEffect(PlayerEffect::Translation(Vec3::from_array(reals))),
            (3, 1) => Self::PlayerEffect(PlayerEffect::Rotation(reals)),
            (3, 2) => Self::PlayerEffect(PlayerEffect::Start { strength: reals[0], seconds: reals[1] }),
            (3, 3) => Self::PlayerEffect(PlayerEffect::Stop { seconds: reals[0] }),
            (4, what) => {
                let team = || match reals[1] {
                    0.0 => Some(0),
                    1.0 => Some(1),
                    _ => None,
                };
                let of = match what {
                    0 => Navigation::TeamToFlag(team()?, frame?),
                    1 => Navigation::TeamToObject(team()?, object()?),
                    2 => Navigation::UnitToFlag(object()?, frame?),
                    3 => Navigation::UnitToObject(object()?, ObjectId::read(raw.target).ok()?),
                    _ => return None,
                };
                let (shows, height) = (raw.interpolate != 0, reals[0]);
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
                child: ObjectName::read(name(reals[0])?, raw.target, raw.tag).ok()?,
                parent_marker: value,
                child_marker: frame,
            }),
            (9, _) => Self::Reverted,
            (10, _) => Self::UnitOpen { unit: object()?, opens: raw.value != 0 },
            (11, _) => {
                let surface = Surface { structure_bsp: frame?, index: value? };
                Self::SurfaceBroken(SurfaceBroken { surface, at: Vec3::from_array(reals) })
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
                // On what cannot travel it would be heard everywhere.
                raw.tag = if on.is_none_or(ObjectName::travels) { sound.raw() } else { -1 };
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
                // At a marker that cannot travel it would hang elsewhere.
                let travels = |marker: Option<u16>| marker.is_none_or(|marker| raw_index(marker) >= 0);
                set_object(
                    &mut raw,
                    Some(parent).filter(|_| travels(parent_marker) && travels(child_marker)),
                );
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
