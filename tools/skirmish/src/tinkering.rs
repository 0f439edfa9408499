//! What a developer console has set: of the game, of what this machine shows, of how its controls feel. Knows no console and no
//! rule of who may: whoever reads a value does what it says, and this program has no screen and no stick that would.

use mjolnir_anticheat::rules::Camera;
pub use mjolnir_anticheat::rules::Values;

use crate::console::developer::{self, Setting, Takes, Tweak};
use crate::game::Cheats;

/// See the module's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tinkering {
    /// Of the game: a guest's are its host's (CHEAT-02 to CHEAT-05).
    pub values: Values,
    /// Of what is shown.
    pub view: View,
    /// Of how controls feel.
    pub controls: Controls,
}

/// What a camera is called.
pub const CAMERAS: [(&str, Camera); 3] =
    [("player", Camera::Player), ("free", Camera::Free), ("following", Camera::Following)];

/// What a screen shows, and how loud it is.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Degrees across.
    pub field_of_view: f32,
    /// 1 as it is drawn.
    pub brightness: f32,
    /// 0 the least, 3 the most.
    pub detail: u8,
    /// All sound, 0 none to 1.
    pub volume: f32,
    /// Music, 0 none to 1.
    pub music: f32,
    /// Others' voices, 0 none to 1.
    pub voices: f32,
    /// Frames a second are shown.
    pub frame_rate: bool,
    /// Names above players.
    pub names: bool,
    /// Shadows.
    pub shadows: bool,
    /// Shields, rounds and grenades.
    pub hud: bool,
    /// What the aim is shown by.
    pub crosshair: bool,
    /// Who moves nearby.
    pub tracker: bool,
    /// Marks that shots leave.
    pub decals: bool,
    /// Frames wait for the screen.
    pub vertical_sync: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            field_of_view: 70.0,
            brightness: 1.0,
            detail: 2,
            volume: 1.0,
            music: 1.0,
            voices: 1.0,
            frame_rate: false,
            names: true,
            shadows: true,
            hud: true,
            crosshair: true,
            tracker: true,
            decals: true,
            vertical_sync: true,
        }
    }
}

/// How a mouse, a stick and a pad feel.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// How far a mouse turns the view: 1 as it comes.
    pub sensitivity: f32,
    /// How fast a stick does.
    pub stick: f32,
    /// So much of a stick's way is none.
    pub dead_zone: f32,
    /// Up is down.
    pub invert: bool,
    /// A pad shakes.
    pub rumble: bool,
    /// A mouse's moves are smoothed.
    pub smooth: bool,
    /// A fast move of a mouse counts for more.
    pub accelerate: bool,
    /// Crouching lasts until it is pressed again.
    pub toggle_crouch: bool,
    /// Looking through a scope does.
    pub toggle_zoom: bool,
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            sensitivity: 1.0,
            stick: 1.0,
            dead_zone: 0.1,
            invert: false,
            rumble: true,
            smooth: false,
            accelerate: false,
            toggle_crouch: false,
            toggle_zoom: true,
        }
    }
}

impl Tinkering {
    /// Sets what a line of the console says.
    pub fn set(&mut self, tweak: &Tweak) {
        let takes = developer::named(tweak.command).map(|command| command.takes);
        match (takes, tweak.to) {
            (Some(Takes::Switch(of)), Setting::Switch(is_on)) => *of(self) = is_on,
            (Some(Takes::Number { of, .. }), Setting::Number(number)) => *of(self) = number,
            (Some(Takes::Level { of, .. }), Setting::Level(level)) => *of(self) = level,
            (Some(Takes::Cheats), Setting::Cheats(those, are_on)) => {
                self.values.cheats = self.cheats().with(those, are_on).bits();
            }
            (Some(Takes::Camera), Setting::Camera(camera)) => self.values.camera = camera,
            // No line is read so.
            _ => {}
        }
    }

    /// The cheats that are on.
    pub const fn cheats(&self) -> Cheats {
        Cheats::from_bits(self.values.cheats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tweak(line: &str) -> Tweak {
        let words: Vec<_> = line.split(' ').collect();
        developer::parse(words[0], &words[1..]).unwrap().unwrap()
    }

    /// Each command of the table changes one value, from its default and back, and says so; what another set stays.
    #[test]
    fn each_command_sets_one_value() {
        let mut all = Tinkering::default();
        let mut set = 0;
        for command in &developer::COMMANDS {
            let there = match command.takes {
                Takes::Switch(of) => {
                    if *of(&mut Tinkering::default()) {
                        "off".into()
                    } else {
                        "on".into()
                    }
                }
                Takes::Number { least, .. } => least.to_string(),
                Takes::Level { most, .. } => most.to_string(),
                Takes::Cheats => "god on".into(),
                Takes::Camera => "free".into(),
            };
            let mut one = Tinkering::default();
            one.set(&tweak(&format!("{} {there}", command.name)));
            let is_changed = [
                one.values != Values::default(),
                one.view != View::default(),
                one.controls != Controls::default(),
            ];
            let of = [developer::Class::Game, developer::Class::View, developer::Class::Controls];
            assert_eq!(is_changed, of.map(|class| class == command.class), "{}", command.name);
            let before = all.clone();
            all.set(&tweak(&format!("{} {there}", command.name)));
            assert_ne!(all, before, "{}", command.name);
            set += 1;
        }
        assert_eq!(set, 35);
        for command in &developer::COMMANDS {
            let mut honest = Tinkering::default();
            let back = match command.takes {
                Takes::Switch(of) => (if *of(&mut honest) { "on" } else { "off" }).into(),
                Takes::Number { of, .. } => of(&mut honest).to_string(),
                Takes::Level { of, .. } => of(&mut honest).to_string(),
                Takes::Cheats => "all off".into(),
                Takes::Camera => "player".into(),
            };
            all.set(&tweak(&format!("{} {back}", command.name)));
        }
        assert_eq!(all, Tinkering::default());
    }

    /// Cheats are switched one by one or all at once.
    #[test]
    fn cheats_are_a_set() {
        let mut set = Tinkering::default();
        for (line, cheats) in [
            ("cheats god on", Cheats::GOD),
            ("cheats ammo on", Cheats::GOD.with(Cheats::AMMO, true)),
            ("cheats god off", Cheats::AMMO),
            ("cheats all on", Cheats::ALL),
            ("cheats all off", Cheats::default()),
        ] {
            set.set(&tweak(line));
            assert_eq!(set.cheats(), cheats, "{line}");
        }
    }

    /// What no line says is not set.
    #[test]
    fn what_is_no_setting_of_a_command_sets_nothing() {
        let mut set = Tinkering::default();
        for (command, to) in [
            ("speed", Setting::Switch(true)),
            ("fog", Setting::Number(0.0)),
            ("camera", Setting::Level(1)),
            ("fly", Setting::Switch(true)),
        ] {
            set.set(&Tweak { command, to });
        }
        assert_eq!(set, Tinkering::default());
    }
}
