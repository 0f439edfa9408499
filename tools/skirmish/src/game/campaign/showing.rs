//! What a machine showed of a level's scripts, as it is noted and in words. Knows no machine.

use mjolnir_wire::ObjectName;
use mjolnir_wire::events::{
    Action, EffectPlace, HudText, Navigation, NavigationPoint, PlayerEffect, Sound, SoundAction,
};

use super::Level;

/// Something that scripts had a machine show or do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Showed {
    /// That happened once.
    Action(Action),
    /// A cinematic began or ended.
    Cinematic(bool),
    /// Bars came or went.
    Letterbox(bool),
    /// Players' input is on, or off.
    Input(bool),
    /// The HUD came or went.
    Hud(bool),
    /// Its help did.
    Helps(bool),
    /// A fade began: out, or in.
    Fade(bool),
    /// A script took the camera, or gave it back.
    Camera(bool),
    /// A timer came or went.
    Timer(bool),
    /// Cameras shake on and on, or no longer.
    Shakes(bool),
    /// A script set the players' most of health, or no longer.
    Vitality(bool),
    /// That cluster is kept active; none.
    Cluster(Option<u16>),
    /// That team became the players' ally, or is none any more.
    Ally(u8, bool),
    /// A script has the screen's effect, or no longer.
    Screen(bool),
    /// That named object is there, or is no more.
    Named(u16, bool),
    /// A script put that elsewhere.
    Moved(ObjectName),
    /// A script changed how that looks.
    Looks(ObjectName),
}

impl Showed {
    /// In words: what, and of what by its name in that level.
    pub fn text(&self, level: &Level) -> String {
        let on = |on: &bool| if *on { "on" } else { "off" };
        match self {
            Self::Action(action) => action_text(action, level),
            Self::Cinematic(shown) => format!("cinematic {}", on(shown)),
            Self::Letterbox(shown) => format!("letterbox {}", on(shown)),
            Self::Input(shown) => format!("input {}", on(shown)),
            Self::Hud(shown) => format!("hud {}", on(shown)),
            Self::Helps(shown) => format!("helps {}", on(shown)),
            Self::Fade(out) => format!("fade {}", if *out { "out" } else { "in" }),
            Self::Camera(shown) => format!("camera {}", on(shown)),
            Self::Timer(shown) => format!("timer {}", on(shown)),
            Self::Shakes(shown) => format!("shaking {}", on(shown)),
            Self::Vitality(set) => format!("vitality {}", on(set)),
            Self::Cluster(Some(cluster)) => format!("cluster {cluster}"),
            Self::Cluster(None) => "cluster off".into(),
            Self::Ally(team, allied) => format!("ally {team} {}", on(allied)),
            Self::Screen(shown) => format!("screen {}", on(shown)),
            Self::Named(name, true) => format!("create {}", named(ObjectName::Named(*name), level)),
            Self::Named(name, false) => format!("delete {}", named(ObjectName::Named(*name), level)),
            Self::Moved(object) => format!("move {}", named(*object, level)),
            Self::Looks(object) => format!("look {}", named(*object, level)),
        }
    }
}

fn action_text(action: &Action, level: &Level) -> String {
    let text = |index: u16| name_or(level.texts.get(usize::from(index)).map(|text| &text.name), index);
    let place = |index: u16| name_or(level.places.get(usize::from(index)).map(|place| &place.name), index);
    let animation = |index: u16| name_or(level.animations.get(usize::from(index)), index);
    match *action {
        Action::Sound(Sound { action, sound, on, .. }) => {
            let name = level.sound_of(sound).map_or_else(|| format!("{:08x}", sound.0), Into::into);
            let what = match action {
                SoundAction::Impulse => "sound",
                SoundAction::LoopingStart => "loop",
                SoundAction::LoopingStop => "unloop",
            };
            let on = on.map_or_else(String::new, |on| format!(" on {}", named(on, level)));
            format!("{what} {name}{on}")
        }
        Action::ChapterTitle(title) => format!("title {}", text(title)),
        Action::Hud(HudText::Help(help)) => format!("help {}", text(help)),
        Action::Hud(HudText::Objective(objective)) => format!("objective {}", text(objective)),
        Action::Hud(HudText::FlashHelp(help)) => format!("flash {}", text(help)),
        Action::Hud(HudText::Clear) => "clear".into(),
        Action::Hud(HudText::Checkpoint { .. }) => "checkpoint".into(),
        Action::PlayerEffect(PlayerEffect::Translation(_)) => "shake by".into(),
        Action::PlayerEffect(PlayerEffect::Rotation(_)) => "shake about".into(),
        Action::PlayerEffect(PlayerEffect::Start { .. }) => "shake".into(),
        Action::PlayerEffect(PlayerEffect::Stop { .. }) => "steady".into(),
        Action::NavigationPoint(NavigationPoint { of, shows, .. }) => {
            let to = match of {
                Navigation::TeamToFlag(_, flag) => place(flag),
                Navigation::TeamToObject(_, object) => named(object, level),
                Navigation::UnitToFlag(unit, flag) => format!("{} for {}", place(flag), named(unit, level)),
                Navigation::UnitToObject(unit, object) => {
                    format!("#{} for {}", object.index(), named(unit, level))
                }
            };
            format!("{} {to}", if shows { "point" } else { "unpoint" })
        }
        Action::UnitAnimation(of) | Action::SceneryAnimation(of) => {
            format!("animate {} {}", named(of.object, level), animation(of.animation))
        }
        Action::Effect { effect, at } => {
            let name = level.effect_of(effect).map_or_else(|| format!("{:08x}", effect.0), Into::into);
            let at = match at {
                EffectPlace::Flag(flag) => place(flag),
                EffectPlace::Marker(object, marker) => format!("{} {marker}", named(object, level)),
            };
            format!("effect {name} {at}")
        }
        Action::Attachment(of) => {
            let what = if of.attaches { "attach" } else { "detach" };
            format!("{what} {} {}", named(of.child, level), named(of.parent, level))
        }
        Action::Reverted => "reverted".into(),
        Action::UnitOpen { unit, opens } => {
            format!("{} {}", if opens { "open" } else { "close" }, named(unit, level))
        }
        Action::SurfaceBroken(broken) => format!("surface {}", broken.surface.index),
    }
}

fn named(object: ObjectName, level: &Level) -> String {
    match object {
        ObjectName::Named(name) => name_or(level.names.get(usize::from(name)).map(|named| &named.name), name),
        ObjectName::Object(id, _) => format!("#{}", id.index()),
    }
}

fn name_or(name: Option<&String>, index: u16) -> String {
    name.cloned().unwrap_or_else(|| index.to_string())
}
