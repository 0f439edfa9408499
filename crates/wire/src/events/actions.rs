//! What an event is (FACT wire 3.14, ours 3). Knows no number, no byte and no level.

use super::SurfaceBroken;
use crate::ids::{ObjectId, Tag};
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
    /// What it is, by the record's names: its kind, and its type where the kind has some.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sound(sound) => match sound.action {
                SoundAction::Impulse => "sound.impulse",
                SoundAction::LoopingStart => "sound.looping_start",
                SoundAction::LoopingStop => "sound.looping_stop",
            },
            Self::ChapterTitle(_) => "chapter_title",
            Self::Hud(text) => match text {
                HudText::Help(_) => "hud.help_text",
                HudText::Objective(_) => "hud.objective",
                HudText::FlashHelp(_) => "hud.flash_help",
                HudText::Clear => "hud.clear",
                HudText::Checkpoint { .. } => "hud.checkpoint",
            },
            Self::PlayerEffect(effect) => match effect {
                PlayerEffect::Translation(_) => "player_effect.translation",
                PlayerEffect::Rotation(_) => "player_effect.rotation",
                PlayerEffect::Start { .. } => "player_effect.start",
                PlayerEffect::Stop { .. } => "player_effect.stop",
            },
            Self::NavigationPoint(point) => match point.of {
                Navigation::TeamToFlag(..) => "navigation_point.team_to_flag",
                Navigation::TeamToObject(..) => "navigation_point.team_to_object",
                Navigation::UnitToFlag(..) => "navigation_point.unit_to_flag",
                Navigation::UnitToObject(..) => "navigation_point.unit_to_object",
            },
            Self::UnitAnimation(_) => "unit_animation",
            Self::SceneryAnimation(_) => "scenery_animation",
            Self::Effect { at: EffectPlace::Flag(_), .. } => "effect.at_flag",
            Self::Effect { at: EffectPlace::Marker(..), .. } => "effect.on_marker",
            Self::Attachment(Attachment { attaches: true, .. }) => "attachment.attach",
            Self::Attachment(_) => "attachment.detach",
            Self::Reverted => "reverted",
            Self::UnitOpen { .. } => "unit_open_close",
            Self::SurfaceBroken(_) => "surface_broken",
        }
    }

    /// The object that it acts upon; of what is attached the parent; none where it is of none.
    pub const fn object(&self) -> Option<ObjectName> {
        match *self {
            Self::Sound(sound) => sound.on,
            Self::NavigationPoint(point) => match point.of {
                Navigation::TeamToFlag(..) => None,
                Navigation::TeamToObject(_, object)
                | Navigation::UnitToFlag(object, _)
                | Navigation::UnitToObject(object, _) => Some(object),
            },
            Self::UnitAnimation(animation) | Self::SceneryAnimation(animation) => Some(animation.object),
            Self::Effect { at: EffectPlace::Marker(object, _), .. } => Some(object),
            Self::Attachment(attachment) => Some(attachment.parent),
            Self::UnitOpen { unit, .. } => Some(unit),
            Self::ChapterTitle(_)
            | Self::Hud(_)
            | Self::PlayerEffect(_)
            | Self::Effect { .. }
            | Self::Reverted
            | Self::SurfaceBroken(_) => None,
        }
    }
}
