//! What a guest may do, and how its game is set: by the host's rules (CHEAT-01 to 06, 50). Knows no command by its name and no
//! game's state: what a command's class is, and what is set, its caller says.

use core::fmt;

/// What a command does. The engine says it of each of its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// It changes what its machine shows, and nothing of the game.
    View,
    /// It changes how its machine's controls feel.
    Controls,
    /// Everything else. A command of which it is not known what it does is one.
    Game,
}

/// Where a command comes from. All are held to the same rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The developer console, and what is run in its name, such as a file of commands.
    Console,
    /// The console by telnet.
    Telnet,
    /// Buttons that cheats are bound to.
    CheatButtons,
}

/// Whose game a machine is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Its own, or none: a local game, one that it hosts, the main menu.
    #[default]
    Own,
    /// It looks for a game to join.
    Searching,
    /// In another's lobby, or on the way there.
    Lobby,
    /// In another's game, from loading it to its scores.
    Playing,
}

impl Standing {
    /// Whether it is another's game, or about to be, and another's rules hold.
    pub const fn is_guest(self) -> bool {
        !matches!(self, Self::Own)
    }
}

/// A guest's command that would change the game. It does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Forbidden(
    /// Where it came from, and where its giver may be told.
    pub Source,
);

impl Forbidden {
    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self.0 {
            Source::Console => "cheat_guest_console",
            Source::Telnet => "cheat_guest_telnet",
            Source::CheatButtons => "cheat_guest_buttons",
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Forbidden {}

/// Whether a command runs: in one's own game every one (CHEAT-06), in another's what changes nothing of the game (CHEAT-01).
pub const fn may_run(standing: Standing, class: Class, source: Source) -> Result<(), Forbidden> {
    match class {
        Class::Game if standing.is_guest() => Err(Forbidden(source)),
        Class::View | Class::Controls | Class::Game => Ok(()),
    }
}

/// What a camera does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Camera {
    /// The player's own, where the game puts it: its eyes, its vehicle, its body, the scene that all see.
    #[default]
    Player,
    /// It flies where it is steered.
    Free,
    /// It follows something that the player chose.
    Following,
}

/// What a machine's game is set to, of what a guest could gain by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// The game's seconds in a second.
    pub speed: f32,
    /// Cheats, one bit each, as the engine numbers them.
    pub cheats: u32,
    /// Whether bullets are helped to what is aimed at.
    pub autoaim: bool,
    /// Whether aim sticks to what is aimed at, where players want it to; a mouse's is the policy's concern besides (`aim`).
    pub magnetism: bool,
    /// Whether riders fall out of what turns over.
    pub rider_ejection: bool,
    /// Whether only edges are drawn.
    pub wireframe: bool,
    /// Which of the engine's debug drawing modes is on; 0 none.
    pub debug_drawing: u8,
    /// Whether the environment is drawn.
    pub environment: bool,
    /// Whether fog is drawn.
    pub fog: bool,
    /// Whether grass is drawn.
    pub grass: bool,
    /// Whether water is drawn.
    pub water: bool,
    /// The camera's mode.
    pub camera: Camera,
}

impl Values {
    /// Every honest game's. They are constants: no message carries them (CHEAT-50).
    pub const HONEST: Self = Self {
        speed: 1.0,
        cheats: 0,
        autoaim: true,
        magnetism: true,
        rider_ejection: true,
        wireframe: false,
        debug_drawing: 0,
        environment: true,
        fog: true,
        grass: true,
        water: true,
        camera: Camera::Player,
    };
}

impl Default for Values {
    fn default() -> Self {
        Self::HONEST
    }
}

/// What a machine's game is to be put back to, asked each frame and each tick, the first of a joined game too (CHEAT-02 to
/// 05). None where there is nothing to put back: in one's own game (CHEAT-06), and where all is honest.
pub fn enforce(standing: Standing, values: &Values) -> Option<Values> {
    // Only 1 equals 1: what is no number is put back as well.
    (standing.is_guest() && *values != Values::HONEST).then_some(Values::HONEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDINGS: [Standing; 4] = [Standing::Own, Standing::Searching, Standing::Lobby, Standing::Playing];
    const SOURCES: [Source; 3] = [Source::Console, Source::Telnet, Source::CheatButtons];

    /// Commands as an engine may class them.
    const COMMANDS: [(&str, Class); 40] = [
        ("display_framerate", Class::View),
        ("show_hud", Class::View),
        ("hud_opacity", Class::View),
        ("network_meter", Class::View),
        ("gamma", Class::View),
        ("field_of_view", Class::View),
        ("screenshot", Class::View),
        ("subtitles", Class::View),
        ("volume", Class::View),
        ("scoreboard", Class::View),
        ("chat_mute", Class::View),
        ("version", Class::View),
        ("sensitivity", Class::Controls),
        ("invert_look", Class::Controls),
        ("dead_zone", Class::Controls),
        ("bind", Class::Controls),
        ("rumble", Class::Controls),
        ("hold_to_crouch", Class::Controls),
        ("mouse_smoothing", Class::Controls),
        ("touch_size", Class::Controls),
        ("game_speed", Class::Game),
        ("god_mode", Class::Game),
        ("infinite_ammunition", Class::Game),
        ("bump_possession", Class::Game),
        ("all_weapons", Class::Game),
        ("spawn_vehicle", Class::Game),
        ("teleport", Class::Game),
        ("super_jump", Class::Game),
        ("medusa", Class::Game),
        ("player_autoaim", Class::Game),
        ("player_magnetism", Class::Game),
        ("rider_ejection", Class::Game),
        ("wireframe", Class::Game),
        ("debug_drawing", Class::Game),
        ("draw_environment", Class::Game),
        ("draw_fog", Class::Game),
        ("camera_fly", Class::Game),
        ("camera_follow", Class::Game),
        ("script_run", Class::Game),
        ("no_such_command", Class::Game),
    ];

    /// CHEAT-01, 06: of forty commands, from each of three places, a guest that searches, waits or plays runs those of view and
    /// controls, twenty, and none that changes the game; in one's own game all run. Each refusal says where it came from.
    #[test]
    fn a_guest_runs_what_changes_nothing() {
        for source in SOURCES {
            for standing in STANDINGS {
                let mut run = 0;
                for (name, class) in COMMANDS {
                    let is_run = !standing.is_guest() || class != Class::Game;
                    let answer = if is_run { Ok(()) } else { Err(Forbidden(source)) };
                    assert_eq!(may_run(standing, class, source), answer, "{name} {standing:?}");
                    run += usize::from(is_run);
                }
                assert_eq!(run, if standing == Standing::Own { 40 } else { 20 }, "{standing:?} {source:?}");
            }
        }
        let reasons = SOURCES.map(|source| Forbidden(source).reason());
        assert_eq!(reasons, ["cheat_guest_console", "cheat_guest_telnet", "cheat_guest_buttons"]);
    }

    /// Honest values but for one.
    fn with(change: impl FnOnce(&mut Values)) -> Values {
        let mut values = Values::HONEST;
        change(&mut values);
        values
    }

    /// Each value off by itself, every way that it can be.
    fn dishonest() -> alloc::vec::Vec<Values> {
        let past_one = f32::from_bits(1.0_f32.to_bits() + 1);
        let below_one = f32::from_bits(1.0_f32.to_bits() - 1);
        let odd = [0.0, -0.0, f32::MIN_POSITIVE, 0.5, below_one, past_one, 2.0, 1e30, -1.0, f32::MAX];
        let none = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        let mut all: alloc::vec::Vec<_> =
            odd.into_iter().chain(none).map(|speed| with(|values| values.speed = speed)).collect();
        all.extend((0..32).map(|bit| with(|values| values.cheats = 1 << bit)));
        all.push(with(|values| values.cheats = u32::MAX));
        all.extend((1..=u8::MAX).map(|mode| with(|values| values.debug_drawing = mode)));
        all.extend([Camera::Free, Camera::Following].map(|camera| with(|values| values.camera = camera)));
        let flags: [fn(&mut Values) -> &mut bool; 8] = [
            |values| &mut values.autoaim,
            |values| &mut values.magnetism,
            |values| &mut values.rider_ejection,
            |values| &mut values.wireframe,
            |values| &mut values.environment,
            |values| &mut values.fog,
            |values| &mut values.grass,
            |values| &mut values.water,
        ];
        all.extend(flags.map(|flag| with(|values| *flag(values) = !*flag(values))));
        all
    }

    /// CHEAT-02, 03, 04, 05, 06: a guest's every value is put back by itself, whatever it was, odd numbers too, and so are
    /// all of them at once, and nothing of the others changes by it; in its own game each stays what it is.
    #[test]
    fn a_guests_values_are_put_back() {
        let all = dishonest();
        assert_eq!(all.len(), 14 + 33 + 255 + 2 + 8);
        let every = Values {
            speed: f32::NAN,
            cheats: 7,
            autoaim: false,
            magnetism: false,
            rider_ejection: false,
            wireframe: true,
            debug_drawing: 3,
            environment: false,
            fog: false,
            grass: false,
            water: false,
            camera: Camera::Free,
        };
        for values in all.into_iter().chain([every]) {
            for standing in STANDINGS {
                let put_back = standing.is_guest().then_some(Values::HONEST);
                assert_eq!(enforce(standing, &values), put_back, "{values:?} {standing:?}");
            }
        }
    }

    /// CHEAT-50: of honest values nothing is put back, so that to enforce twice is to enforce once; they are the game's defaults.
    #[test]
    fn honest_values_stay() {
        assert_eq!(Values::default(), Values::HONEST);
        for standing in STANDINGS {
            assert_eq!(enforce(standing, &Values::HONEST), None, "{standing:?}");
        }
        let once = enforce(Standing::Playing, &with(|values| values.speed = 2.0)).unwrap();
        assert_eq!(once.speed.to_bits(), 1.0_f32.to_bits());
        assert_eq!(enforce(Standing::Playing, &once), None);
    }
}
