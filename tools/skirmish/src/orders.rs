//! What a host's console does to its world. Knows no console and no machine.

use std::fmt;

use mjolnir_wire::Slot;

use crate::console::HostLine;
use crate::game::{World, health};

/// Why a host's line does nothing elsewhere.
pub const CLIENT: &str = "a client plays by its host's rules";

/// What came of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The world is as it says.
    Done,
    /// The game is to end.
    Ends,
}

/// Why a line was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody of that name plays.
    NoPlayer(String),
    /// The player does not live.
    NotAlive(String),
    /// Nothing is loaded yet.
    NoGame,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlayer(name) => write!(f, "no player {name}"),
            Self::NotAlive(name) => write!(f, "{name} is not alive"),
            Self::NoGame => f.write_str("no game yet"),
        }
    }
}

/// Carries a line out.
pub fn apply(world: Option<&mut World>, line: &HostLine) -> Result<Outcome, Refusal> {
    let world = world.ok_or(Refusal::NoGame)?;
    let find = |world: &World, name: &str| -> Result<Slot, Refusal> {
        world.player_named(name).ok_or_else(|| Refusal::NoPlayer(name.into()))
    };
    let (name, lived) = match line {
        HostLine::End => return Ok(Outcome::Ends),
        HostLine::Kill(name, by) => {
            let slot = find(world, name)?;
            let by = by.as_ref().map(|by| find(world, by)).transpose()?;
            (name, world.kill(slot, by))
        }
        HostLine::Move(name, to) => (name, world.move_to(find(world, name)?, *to)),
        HostLine::Health(name, value) => (name, world.set_health(find(world, name)?, *value)),
        HostLine::Team(name, team) => {
            world.set_team(find(world, name)?, Some(*team));
            (name, true)
        }
    };
    if lived { Ok(Outcome::Done) } else { Err(Refusal::NotAlive(name.clone())) }
}

/// What a line did that was carried out, in words; none of one that tells by itself.
pub fn done(line: &HostLine) -> Option<String> {
    Some(match line {
        HostLine::Kill(name, None) => format!("{name} was killed"),
        HostLine::Kill(name, Some(by)) => format!("{name} was killed by {by}"),
        HostLine::Move(name, to) => format!("{name} was put at {} {} {}", to.x, to.y, to.z),
        HostLine::Health(name, value) if *value <= 0.0 => format!("{name} was killed"),
        HostLine::Health(name, value) => format!("{name} has health {}", value.min(health::MOST)),
        HostLine::Team(name, team) => format!("{name} is in team {team}"),
        HostLine::End => return None,
    })
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Machine, Tick, Vec3};

    use super::*;
    use crate::game::{Map, Tuning};

    #[test]
    fn a_line_is_carried_out_or_says_why_not() {
        let (ann, bob) = (Slot::new(0).unwrap(), Slot::new(1).unwrap());
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        world.join(ann, "Ann", Machine::HOST, None);
        world.join(bob, "Bob 2", Machine::HOST, None);
        world.step(Tick::new(1).unwrap());
        let order = |world: &mut World, line| apply(Some(world), &line);
        let name = |name: &str| name.to_owned();
        let place = Vec3::new(3.0, 4.0, 0.0);

        assert_eq!(order(&mut world, HostLine::Move(name("Ann"), place)), Ok(Outcome::Done));
        assert_eq!(world.position(ann), Some(place));
        assert_eq!(order(&mut world, HostLine::Health(name("Ann"), 0.5)), Ok(Outcome::Done));
        assert_eq!(world.vitality(world.unit(ann).unwrap()).unwrap().body, 0.5);
        assert_eq!(order(&mut world, HostLine::Team(name("Bob 2"), 1)), Ok(Outcome::Done));
        assert_eq!(world.player(bob).unwrap().team, Some(1));
        let kill = HostLine::Kill(name("Ann"), Some(name("Bob 2")));
        assert_eq!(order(&mut world, kill.clone()), Ok(Outcome::Done));
        assert_eq!(world.player(bob).unwrap().kills, 1);
        assert_eq!(order(&mut world, kill), Err(Refusal::NotAlive(name("Ann"))));
        let nobody = HostLine::Kill(name("Cid"), None);
        assert_eq!(order(&mut world, nobody), Err(Refusal::NoPlayer(name("Cid"))));
        assert_eq!(order(&mut world, HostLine::End), Ok(Outcome::Ends));
        assert_eq!(apply(None, &HostLine::End), Err(Refusal::NoGame));
    }

    #[test]
    fn what_was_done_is_told_in_words() {
        let ann = || "Ann".to_owned();
        for (line, words) in [
            (HostLine::Kill(ann(), None), "Ann was killed"),
            (HostLine::Kill(ann(), Some("Bob".into())), "Ann was killed by Bob"),
            (HostLine::Move(ann(), Vec3::new(1.0, -2.5, 0.0)), "Ann was put at 1 -2.5 0"),
            (HostLine::Health(ann(), 0.5), "Ann has health 0.5"),
            (HostLine::Health(ann(), 50.0), "Ann has health 3"),
            (HostLine::Health(ann(), 0.0), "Ann was killed"),
            (HostLine::Team(ann(), 1), "Ann is in team 1"),
        ] {
            assert_eq!(done(&line).as_deref(), Some(words));
        }
        assert_eq!(done(&HostLine::End), None);
    }
}
