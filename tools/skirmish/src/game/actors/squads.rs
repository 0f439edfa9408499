//! Squads: who a map has actors of, and where they start. Knows no actor that stands.

use super::TEAMS;
use crate::game::kinds::Kind;
use crate::game::map::Spawn;

/// Squads of a map at most.
pub const MOST_SQUADS: usize = 256;
/// Starting locations of all of a map's squads together at most.
pub const MOST_STARTS: usize = 4096;

/// What an actor is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// It stays where it was placed, and fires at foes that it sees.
    Guard,
    /// It walks from one of its squad's starting locations to the next and round again, and stands to fire.
    Patrol,
    /// It goes for the nearest foe.
    Attack,
}

impl Duty {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Guard, Self::Patrol, Self::Attack];

    /// Its name, as maps have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Patrol => "patrol",
            Self::Attack => "attack",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|duty| duty.name() == name)
    }
}

/// A squad as the map has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Squad {
    /// Its name.
    pub name: String,
    /// Its team, 0 to 15.
    pub team: u8,
    /// What each of it is about.
    pub duty: Duty,
    /// What each has in hand.
    pub weapon: Kind,
    /// Each has a shield, and looks like one of rank (OBJ-29).
    pub is_major: bool,
    /// It is there at the begin.
    pub is_placed: bool,
    /// Where one starts, each.
    pub starts: Vec<Spawn>,
}

impl Squad {
    /// The number of a squad's team; none where it is no whole one of those that there are.
    pub fn team_of(number: f32) -> Option<u8> {
        (0..TEAMS).find(|team| f32::from(*team) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A duty is its name; a team is a whole number of sixteen.
    #[test]
    fn names_and_numbers_are_known() {
        assert!(Duty::ALL.into_iter().all(|duty| Duty::named(duty.name()) == Some(duty)));
        assert_eq!(Duty::named("sleep"), None);
        assert_eq!([0.0, 15.0].map(Squad::team_of), [Some(0), Some(15)]);
        assert_eq!([-1.0, 16.0, 0.5, f32::NAN].map(Squad::team_of), [None; 4]);
    }
}
