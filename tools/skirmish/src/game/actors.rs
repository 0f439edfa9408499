//! Actors: units that no player has and that think where it is decided (OBJ-33). What one is, and what it has its unit do.
//! Knows no world; how it comes to what it does stands in [`mind`].

pub mod mind;
pub mod squads;

use mjolnir_wire::Input;
use mjolnir_wire::actors::{Impulse, Speech, UserAnimation};

use super::hash::Hash;
use mind::Mind;

/// Actors that live at once at most (sandbox 11).
pub const MOST_ACTORS: usize = 1024;
/// Teams that actors are of: 0 to 15.
pub const TEAMS: u8 = 16;
/// The team that every player is of.
pub const PLAYERS: u8 = 0;
/// The team that is hostile to all others at the begin.
pub const ENEMIES: u8 = 1;
/// The team that is allied to the players at the begin.
pub const MARINES: u8 = 2;
/// The impulse that strikes (FACT wire 3.13).
pub const STRIKES: u8 = 14;

/// What an actor has its unit do in each tick, until it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Its stick, its aim, its buttons and its trigger.
    pub input: Input,
    /// Where it looks: yaw and pitch in radians.
    pub looking: [f32; 2],
    /// How it holds itself: 0 at ease, 1 as it fights.
    pub animation_state: u8,
    /// How fast it aims: 0 at ease, 1 as it fights.
    pub aiming_speed: u8,
    /// What it does once, by a number that rises with each (OBJ-49).
    pub impulse: Impulse,
    /// What it says, so too.
    pub speech: Speech,
    /// What its unit plays beside all that, so too.
    pub animation: UserAnimation,
}

impl Control {
    /// Of one that stands and looks there: a yaw in radians.
    pub fn still(yaw: f32) -> Self {
        Self {
            input: Input { yaw, ..Input::default() },
            looking: [yaw, 0.0],
            animation_state: 0,
            aiming_speed: 0,
            impulse: Impulse { kind: None, number: 0, alignment: None },
            speech: Speech::default(),
            animation: UserAnimation::default(),
        }
    }

    /// The unit stands still from now on, and lets go of its trigger and its buttons (OBJ-36).
    pub fn stop(&mut self) {
        let Input { yaw, pitch, .. } = self.input;
        self.input = Input { yaw, pitch, ..Input::default() };
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        let Self { input, looking, impulse, speech, animation, .. } = self;
        hash.word(u64::from(input.buttons.0) << 16 | u64::from(self.animation_state) << 8);
        let [ahead, left] = input.throttle;
        for value in [input.yaw, input.pitch, ahead, left, input.trigger, looking[0], looking[1]] {
            hash.float(value);
        }
        hash.word(
            u64::from(impulse.number) << 16 | u64::from(speech.number) << 8 | u64::from(animation.number),
        );
        hash.word(impulse.kind.map_or(u64::MAX, u64::from));
    }
}

/// What of a control begins in the next tick, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// Its impulse.
    pub impulse: bool,
    /// Its speech.
    pub speech: bool,
    /// Its own animation.
    pub animation: bool,
}

impl Begun {
    /// What begins of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            impulse: self.impulse || other.impulse,
            speech: self.speech || other.speech,
            animation: self.animation || other.animation,
        }
    }
}

/// How often a unit has begun each on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Showed {
    /// Impulses.
    pub impulses: u32,
    /// Speeches.
    pub speeches: u32,
    /// Animations of its own.
    pub animations: u32,
}

/// What a living unit has beside a place that an actor drives.
#[derive(Clone, Debug)]
pub struct Actor {
    pub(super) squad: Option<u16>,
    pub(super) team: u8,
    pub(super) control: Control,
    pub(super) begins: Begun,
    pub(super) showed: Showed,
    /// Its whole shield; 0 of one that has none.
    pub(super) shield: f32,
    /// Where it is decided alone.
    pub(super) mind: Option<Mind>,
}

impl Actor {
    /// One that another machine's mind drives.
    pub(super) fn told(team: u8, control: Control) -> Self {
        let (begins, showed) = (Begun::default(), Showed::default());
        Self { squad: None, team, control, begins, showed, shield: 0.0, mind: None }
    }

    /// The map's squad that it is of; none where it is not decided.
    pub const fn squad(&self) -> Option<u16> {
        self.squad
    }

    /// Its team, 0 to 15.
    pub const fn team(&self) -> u8 {
        self.team
    }

    /// What it has its unit do.
    pub const fn control(&self) -> &Control {
        &self.control
    }

    /// What its unit has begun here.
    pub const fn showed(&self) -> Showed {
        self.showed
    }

    /// Whether it thinks here.
    pub const fn thinks(&self) -> bool {
        self.mind.is_some()
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        hash.word(self.squad.map_or(u64::MAX, u64::from) << 8 | u64::from(self.team));
        self.control.hash(hash);
        let Begun { impulse, speech, animation } = self.begins;
        hash.word(u64::from(impulse) << 2 | u64::from(speech) << 1 | u64::from(animation));
        if let Some(mind) = &self.mind {
            mind.hash(hash);
        }
    }
}

/// Which teams are each other's friends. A team is its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allegiances([u16; TEAMS as usize]);

impl Default for Allegiances {
    fn default() -> Self {
        let mut this = Self(std::array::from_fn(|team| 1 << team));
        this.set(PLAYERS, MARINES, true);
        this
    }
}

impl Allegiances {
    /// Whether those two are friends; one that is no team is nobody's.
    pub(super) fn has(&self, one: u8, other: u8) -> bool {
        other < TEAMS && self.0.get(usize::from(one)).is_some_and(|friends| friends >> other & 1 == 1)
    }

    /// Makes those two friends, or foes. False where one is no team, and of one with itself.
    pub(super) fn set(&mut self, one: u8, other: u8, allied: bool) -> bool {
        if one >= TEAMS || other >= TEAMS || one == other {
            return false;
        }
        for (one, other) in [(one, other), (other, one)] {
            let friends = &mut self.0[usize::from(one)];
            *friends = *friends & !(1 << other) | u16::from(allied) << other;
        }
        true
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        self.0.iter().for_each(|friends| hash.word(u64::from(*friends)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Friendship is mutual, is set and ended, and is of the sixteen teams alone; a team never is its own foe.
    #[test]
    fn friends_are_so_both_ways() {
        let mut allies = Allegiances::default();
        assert!(allies.has(PLAYERS, MARINES) && allies.has(MARINES, PLAYERS));
        assert!(!allies.has(PLAYERS, ENEMIES) && !allies.has(ENEMIES, MARINES));
        assert!(allies.set(ENEMIES, 15, true) && allies.has(15, ENEMIES) && !allies.has(15, MARINES));
        assert!(allies.set(15, ENEMIES, false) && !allies.has(ENEMIES, 15));
        for (one, other) in [(15, 16), (16, 15), (3, 3)] {
            assert!(!allies.set(one, other, true) && !allies.set(one, other, false), "{one} {other}");
        }
        assert!((0..TEAMS).all(|team| allies.has(team, team)));
        assert!(!allies.has(16, 16) && !allies.has(1, 255) && !allies.has(255, 1));
    }

    /// OBJ-36: one that is stopped keeps its aim and lets go of the rest.
    #[test]
    fn one_that_stops_lets_go() {
        use mjolnir_wire::Buttons;
        let mut control = Control::still(1.5);
        let input = Input {
            throttle: [1.0, -1.0],
            trigger: 1.0,
            buttons: Buttons::PRIMARY_TRIGGER,
            pitch: 0.25,
            ..control.input
        };
        control.input = input;
        control.stop();
        assert_eq!(control.input, Input { yaw: 1.5, pitch: 0.25, ..Input::default() });
    }
}
