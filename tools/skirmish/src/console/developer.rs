//! What a developer console has: a table of commands, each of a class, which says what it alters. Knows no rule of who may give
//! one (CHEAT-01) and no effect.

use crate::game::Cheats;
use mjolnir_anticheat::rules::Camera;

use crate::tinkering::{CAMERAS, Tinkering};

use Class::{Controls, Game, View};

pub use mjolnir_anticheat::rules::Class;

/// A command of the table.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its first word.
    pub name: &'static str,
    /// It with its words.
    pub usage: &'static str,
    /// What it does.
    pub does: &'static str,
    /// What it alters.
    pub class: Class,
    /// What stands behind it.
    pub takes: Takes,
}

/// What a command takes, and which value that is.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// `on` or `off`.
    Switch(fn(&mut Tinkering) -> &mut bool),
    /// A number.
    Number {
        /// The least.
        least: f32,
        /// The most.
        most: f32,
        /// Which.
        of: fn(&mut Tinkering) -> &mut f32,
    },
    /// A whole number from 0.
    Level {
        /// The most.
        most: u8,
        /// Which.
        of: fn(&mut Tinkering) -> &mut u8,
    },
    /// Cheats, and `on` or `off`.
    Cheats,
    /// What the screen follows.
    Camera,
}

/// What a line sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// Whether it is on.
    Switch(bool),
    /// A number, finite and in its range.
    Number(f32),
    /// A whole number in its range.
    Level(u8),
    /// Whether those are on.
    Cheats(Cheats, bool),
    /// What the screen follows.
    Camera(Camera),
}

/// A line that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tweak {
    /// The command's name.
    pub command: &'static str,
    /// What it sets.
    pub to: Setting,
}

/// Every one, class by class. Named for what it is here.
pub static COMMANDS: [Command; 35] = [
    number("fov", "fov 30-120", "how many degrees wide the view is", View, (30.0, 120.0), |to| {
        &mut to.view.field_of_view
    }),
    number("brightness", "brightness 0.5-2", "how bright it is", View, (0.5, 2.0), |to| {
        &mut to.view.brightness
    }),
    level("detail", "detail 0-3", "how much is drawn of what is far", View, 3, |to| &mut to.view.detail),
    number("volume", "volume 0-1", "how loud all is", View, (0.0, 1.0), |to| &mut to.view.volume),
    number("music", "music 0-1", "how loud music is", View, (0.0, 1.0), |to| &mut to.view.music),
    number("voices", "voices 0-1", "how loud others' voices are", View, (0.0, 1.0), |to| &mut to.view.voices),
    switch("fps", "fps on|off", "shows frames a second", View, |to| &mut to.view.frame_rate),
    switch("names", "names on|off", "shows names above players", View, |to| &mut to.view.names),
    switch("shadows", "shadows on|off", "shows shadows", View, |to| &mut to.view.shadows),
    switch("hud", "hud on|off", "shows shields, rounds and grenades", View, |to| &mut to.view.hud),
    switch("crosshair", "crosshair on|off", "shows where one aims", View, |to| &mut to.view.crosshair),
    switch("tracker", "tracker on|off", "shows who moves nearby", View, |to| &mut to.view.tracker),
    switch("decals", "decals on|off", "shows the marks of shots", View, |to| &mut to.view.decals),
    switch("vsync", "vsync on|off", "has frames wait for the screen", View, |to| &mut to.view.vertical_sync),
    number(
        "sensitivity",
        "sensitivity 0.1-10",
        "how far a mouse turns the view",
        Controls,
        (0.1, 10.0),
        |to| &mut to.controls.sensitivity,
    ),
    number("stick", "stick 0.1-10", "how fast a stick does", Controls, (0.1, 10.0), |to| {
        &mut to.controls.stick
    }),
    number("dead_zone", "dead_zone 0-0.9", "how much of a stick's way is none", Controls, (0.0, 0.9), |to| {
        &mut to.controls.dead_zone
    }),
    switch("invert", "invert on|off", "turns up and down about", Controls, |to| &mut to.controls.invert),
    switch("rumble", "rumble on|off", "lets a pad shake", Controls, |to| &mut to.controls.rumble),
    switch("smooth", "smooth on|off", "smooths a mouse's moves", Controls, |to| &mut to.controls.smooth),
    switch("accelerate", "accelerate on|off", "counts a mouse's fast moves for more", Controls, |to| {
        &mut to.controls.accelerate
    }),
    switch("toggle_crouch", "toggle_crouch on|off", "crouches until it is pressed again", Controls, |to| {
        &mut to.controls.toggle_crouch
    }),
    switch("toggle_zoom", "toggle_zoom on|off", "zooms until it is pressed again", Controls, |to| {
        &mut to.controls.toggle_zoom
    }),
    number("speed", "speed 0.1-10", "how fast a game goes that is played alone", Game, (0.1, 10.0), |to| {
        &mut to.values.speed
    }),
    Command {
        name: "cheats",
        usage: "cheats god|ammo|grenades|all on|off",
        does: "takes no damage, no round, no grenade of this machine's own players, where it decides",
        class: Game,
        takes: Takes::Cheats,
    },
    switch("autoaim", "autoaim on|off", "turns bullets a little to what they nearly hit", Game, |to| {
        &mut to.values.autoaim
    }),
    switch("magnetism", "magnetism on|off", "has aims stick a little to what they pass over", Game, |to| {
        &mut to.values.magnetism
    }),
    switch("ejection", "ejection on|off", "throws riders out of what turns over", Game, |to| {
        &mut to.values.rider_ejection
    }),
    switch("wireframe", "wireframe on|off", "draws edges alone", Game, |to| &mut to.values.wireframe),
    level("debug_draw", "debug_draw 0-15", "draws what one looks for faults by", Game, 15, |to| {
        &mut to.values.debug_drawing
    }),
    switch("environment", "environment on|off", "draws the environment", Game, |to| {
        &mut to.values.environment
    }),
    switch("fog", "fog on|off", "draws fog", Game, |to| &mut to.values.fog),
    switch("grass", "grass on|off", "draws grass", Game, |to| &mut to.values.grass),
    switch("water", "water on|off", "draws water", Game, |to| &mut to.values.water),
    Command {
        name: "camera",
        usage: "camera player|free|following",
        does: "what the screen follows: its player, nothing, somebody",
        class: Game,
        takes: Takes::Camera,
    },
];

const fn switch(
    name: &'static str,
    usage: &'static str,
    does: &'static str,
    class: Class,
    of: fn(&mut Tinkering) -> &mut bool,
) -> Command {
    Command { name, usage, does, class, takes: Takes::Switch(of) }
}

const fn number(
    name: &'static str,
    usage: &'static str,
    does: &'static str,
    class: Class,
    (least, most): (f32, f32),
    of: fn(&mut Tinkering) -> &mut f32,
) -> Command {
    Command { name, usage, does, class, takes: Takes::Number { least, most, of } }
}

const fn level(
    name: &'static str,
    usage: &'static str,
    does: &'static str,
    class: Class,
    most: u8,
    of: fn(&mut Tinkering) -> &mut u8,
) -> Command {
    Command { name, usage, does, class, takes: Takes::Level { most, of } }
}

/// The command of that name.
pub fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Reads a line: none of a command that is not of the table, `Err` with its usage where it needs other words.
pub fn parse(command: &str, words: &[&str]) -> Option<Result<Tweak, &'static str>> {
    let command = named(command)?;
    let to = match (command.takes, words) {
        (Takes::Switch(_), [word]) => is_on(word).map(Setting::Switch),
        (Takes::Number { least, most, .. }, [word]) => {
            let number = word.parse::<f32>().ok().filter(|number| (least..=most).contains(number));
            number.map(Setting::Number)
        }
        (Takes::Level { most, .. }, [word]) => {
            word.parse::<u8>().ok().filter(|level| *level <= most).map(Setting::Level)
        }
        (Takes::Cheats, [name, word]) => {
            let cheats = of_name(&Cheats::NAMED, name);
            cheats.zip(is_on(word)).map(|(cheats, are_on)| Setting::Cheats(cheats, are_on))
        }
        (Takes::Camera, [name]) => of_name(&CAMERAS, name).map(Setting::Camera),
        _ => None,
    };
    Some(to.map(|to| Tweak { command: command.name, to }).ok_or(command.usage))
}

fn is_on(word: &str) -> Option<bool> {
    of_name(&[("on", true), ("off", false)], word)
}

fn of_name<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, what)| *what)
}

impl Tweak {
    /// What it alters.
    pub fn class(&self) -> Class {
        // One that the table lacks could be anything.
        named(self.command).map_or(Game, |command| command.class)
    }

    /// What it set, in words.
    pub fn text(&self) -> String {
        let Self { command, to } = self;
        let on = |is_on: bool| if is_on { "on" } else { "off" };
        let name = |list: &[(&'static str, Cheats)], of| {
            list.iter().find(|(_, one)| *one == of).map(|(name, _)| *name)
        };
        match to {
            Setting::Switch(is_on) => format!("{command} is {}", on(*is_on)),
            Setting::Number(number) => format!("{command} is {number}"),
            Setting::Level(level) => format!("{command} is {level}"),
            Setting::Cheats(cheats, are_on) => {
                format!("{command} {} is {}", name(&Cheats::NAMED, *cheats).unwrap_or_default(), on(*are_on))
            }
            Setting::Camera(camera) => {
                let named = CAMERAS.iter().find(|(_, one)| one == camera);
                format!("{command} is {}", named.map_or("", |(name, _)| name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Result<Tweak, &'static str>> {
        let words: Vec<_> = line.split(' ').collect();
        parse(words[0], &words[1..])
    }

    /// Both sides of each range, and words in any case.
    #[test]
    fn a_line_is_read_within_its_range() {
        for (good, bad) in [
            ("fov 30", "fov 29.9"),
            ("fov 120", "fov 120.1"),
            ("speed 0.1", "speed 0.09"),
            ("speed 10", "speed 10.1"),
            ("speed 1", "speed nan"),
            ("speed 2e0", "speed inf"),
            ("volume 0", "volume -0.1"),
            ("dead_zone 0.9", "dead_zone 0.91"),
            ("detail 3", "detail 4"),
            ("detail 0", "detail -1"),
            ("debug_draw 15", "debug_draw 16"),
            ("debug_draw 1", "debug_draw 1.5"),
            ("fog OFF", "fog"),
            ("fog on", "fog on off"),
            ("fog off", "fog 0"),
            ("cheats god on", "cheats god"),
            ("cheats ALL off", "cheats flight on"),
            ("cheats ammo on", "cheats on"),
            ("camera free", "camera"),
            ("camera Following", "camera other"),
        ] {
            assert!(matches!(read(good), Some(Ok(_))), "{good}");
            let usage = named(bad.split(' ').next().unwrap()).unwrap().usage;
            assert_eq!(read(bad), Some(Err(usage)), "{bad}");
        }
        assert_eq!(read("quit"), None);
        assert_eq!(read("speed 2"), Some(Ok(Tweak { command: "speed", to: Setting::Number(2.0) })));
    }

    /// Names are each command's own, and its usage begins with it; each class has some.
    #[test]
    fn the_table_is_sound() {
        for (at, command) in COMMANDS.iter().enumerate() {
            assert!(command.usage.starts_with(&format!("{} ", command.name)), "{}", command.name);
            assert!(COMMANDS[..at].iter().all(|other| other.name != command.name), "{}", command.name);
        }
        let of = |class| COMMANDS.iter().filter(|command| command.class == class).count();
        assert_eq!([of(View), of(Controls), of(Game)], [14, 9, 12]);
    }

    #[test]
    fn what_was_set_is_told() {
        for (line, text) in [
            ("fog off", "fog is off"),
            ("speed 0.5", "speed is 0.5"),
            ("detail 3", "detail is 3"),
            ("cheats ammo on", "cheats ammo is on"),
            ("cheats all off", "cheats all is off"),
            ("camera free", "camera is free"),
        ] {
            assert_eq!(read(line).unwrap().unwrap().text(), text);
        }
    }
}
