//! What a host's console does to its world. Knows no console and no machine.

use std::fmt;

use mjolnir_wire::{ObjectId, Slot};

use crate::console::{HostLine, index_of};
use crate::game::{World, health};

/// Why a host's line does nothing elsewhere.
pub const CLIENT: &str = "a client plays by its host's rules";

/// What came of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The world is as it says.
    Done,
    /// The game is to end.
    Ends,
    /// The program is to play another map, of that name.
    Changes(String),
}

/// Why a line was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody of that name plays.
    NoPlayer(String),
    /// The player does not live.
    NotAlive(String),
    /// No object stands at that index, or none that this can be done to.
    NoObject(u16),
    /// The map has no platform of that name.
    NoDevice(String),
    /// There is no room for one more, or it cannot be there.
    NotMade(&'static str),
    /// Nothing is loaded yet.
    NoGame,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlayer(name) => write!(f, "no player {name}"),
            Self::NotAlive(name) => write!(f, "{name} is not alive"),
            Self::NoObject(index) => write!(f, "no object {index} that this can be done to"),
            Self::NoDevice(name) => write!(f, "no platform {name}"),
            Self::NotMade(kind) => write!(f, "no {kind} can be made there"),
            Self::NoGame => f.write_str("no game yet"),
        }
    }
}

/// Carries a line out.
pub fn apply(world: Option<&mut World>, line: &HostLine) -> Result<Outcome, Refusal> {
    // The lobby has no game yet.
    if let HostLine::Map(name) = line {
        return Ok(Outcome::Changes(name.clone()));
    }
    let world = world.ok_or(Refusal::NoGame)?;
    let find = |world: &World, name: &str| -> Result<Slot, Refusal> {
        world.player_named(name).ok_or_else(|| Refusal::NoPlayer(name.into()))
    };
    let (name, lived) = match line {
        HostLine::Map(name) => return Ok(Outcome::Changes(name.clone())),
        HostLine::End => return Ok(Outcome::Ends),
        HostLine::Kill(name, by) => {
            let slot = find(world, name)?;
            let by = by.as_ref().map(|by| find(world, by)).transpose()?;
            (name, world.kill(slot, by))
        }
        HostLine::Move(name, to) => match object_of(world, name) {
            Some(index) => return on_object(world, index, |world, id| world.shift(id, *to)),
            None => (name, world.move_to(find(world, name)?, *to)),
        },
        HostLine::Throw(name, by) => match object_of(world, name) {
            Some(index) => return on_object(world, index, |world, id| world.throw(id, *by)),
            None => {
                let slot = find(world, name)?;
                (name, world.unit(slot).is_some_and(|unit| world.throw(unit, *by)))
            }
        },
        HostLine::Device(name, position) => {
            let is_set = world.operate(name, *position);
            return if is_set { Ok(Outcome::Done) } else { Err(Refusal::NoDevice(name.clone())) };
        }
        HostLine::Spawn(kind, at) => {
            let made = world.spawn(*kind, *at);
            return made.map(|_| Outcome::Done).ok_or(Refusal::NotMade(kind.name()));
        }
        HostLine::Delete(index) => return on_object(world, *index, World::erase),
        HostLine::Give(name, kind) => (name, world.give(find(world, name)?, *kind).is_some()),
        HostLine::Health(name, value) => (name, world.set_health(find(world, name)?, *value)),
        HostLine::Team(name, team) => {
            world.set_team(find(world, name)?, Some(*team));
            (name, true)
        }
    };
    if lived { Ok(Outcome::Done) } else { Err(Refusal::NotAlive(name.clone())) }
}

/// The index of the object that a name means: one with a `#` before it, unless a player has that name.
fn object_of(world: &World, name: &str) -> Option<u16> {
    index_of(name).filter(|_| name.starts_with('#') && world.player_named(name).is_none())
}

fn on_object(
    world: &mut World,
    index: u16,
    does: impl Fn(&mut World, ObjectId) -> bool,
) -> Result<Outcome, Refusal> {
    let object = world.object_at(usize::from(index)).ok_or(Refusal::NoObject(index))?;
    if does(world, object) { Ok(Outcome::Done) } else { Err(Refusal::NoObject(index)) }
}

/// What a line did that was carried out, in words; none of one that tells by itself.
pub fn done(line: &HostLine) -> Option<String> {
    Some(match line {
        HostLine::Kill(name, None) => format!("{name} was killed"),
        HostLine::Kill(name, Some(by)) => format!("{name} was killed by {by}"),
        HostLine::Move(name, to) => format!("{name} was put at {} {} {}", to.x, to.y, to.z),
        HostLine::Spawn(kind, at) => format!("a {} falls from {} {} {}", kind.name(), at.x, at.y, at.z),
        HostLine::Delete(index) => format!("object {index} was deleted"),
        HostLine::Give(name, kind) => format!("{name} was given a {}", kind.name()),
        HostLine::Health(name, value) if *value <= 0.0 => format!("{name} was killed"),
        HostLine::Health(name, value) => format!("{name} has health {}", value.min(health::MOST)),
        HostLine::Team(name, team) => format!("{name} is in team {team}"),
        HostLine::Throw(name, by) => format!("{name} was thrown by {} {} {}", by.x, by.y, by.z),
        HostLine::Device(name, position) => format!("{name} goes to {position}"),
        HostLine::Map(_) | HostLine::End => return None,
    })
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Machine, Tick, Vec3};

    use super::*;
    use crate::game::{Kind, Map, Tuning};

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
        assert_eq!(world.player(bob).unwrap().kills(), 1);
        assert_eq!(order(&mut world, kill), Err(Refusal::NotAlive(name("Ann"))));
        let nobody = HostLine::Kill(name("Cid"), None);
        assert_eq!(order(&mut world, nobody), Err(Refusal::NoPlayer(name("Cid"))));
        let spawn = |at| HostLine::Spawn(Kind::Medkit, at);
        assert_eq!(order(&mut world, spawn(place)), Ok(Outcome::Done));
        assert_eq!(world.kind(world.object_at(2).unwrap()), Some(Kind::Medkit));
        let nowhere = Vec3::new(0.0, 0.0, 40_000.0);
        assert_eq!(order(&mut world, spawn(nowhere)), Err(Refusal::NotMade("medkit")));
        assert_eq!(order(&mut world, HostLine::Move(name("#2"), Vec3::ZERO)), Ok(Outcome::Done));
        assert_eq!(world.describe(world.object_at(2).unwrap()).unwrap().position, Vec3::ZERO);
        assert_eq!(order(&mut world, HostLine::Move(name("#1"), place)), Err(Refusal::NoObject(1)));
        assert_eq!(order(&mut world, HostLine::Give(name("Bob 2"), Kind::Pistol)), Ok(Outcome::Done));
        assert_eq!(world.in_hand(world.unit(bob).unwrap()), Some((Kind::Pistol, 60)));
        assert_eq!(
            order(&mut world, HostLine::Give(name("Ann"), Kind::Pistol)),
            Err(Refusal::NotAlive(name("Ann")))
        );
        assert_eq!(order(&mut world, HostLine::Delete(2)), Ok(Outcome::Done));
        for index in [1, 2, u16::MAX] {
            assert_eq!(order(&mut world, HostLine::Delete(index)), Err(Refusal::NoObject(index)));
        }
        let up = Vec3::new(0.0, 0.0, 0.2);
        assert_eq!(order(&mut world, HostLine::Throw(name("Bob 2"), up)), Ok(Outcome::Done));
        assert_eq!(world.velocity(bob), Some(up));
        let gone = HostLine::Throw(name("Ann"), up);
        assert_eq!(order(&mut world, gone), Err(Refusal::NotAlive(name("Ann"))));
        assert_eq!(order(&mut world, HostLine::Throw(name("#9"), up)), Err(Refusal::NoObject(9)));
        let lift = HostLine::Device(name("lift"), 1.0);
        assert_eq!(order(&mut world, lift.clone()), Err(Refusal::NoDevice(name("lift"))));
        let mut tower = World::new(&Map::named("tower").unwrap(), 1, Tuning::default());
        assert_eq!(order(&mut tower, lift), Ok(Outcome::Done));
        assert_eq!(tower.groups().next().unwrap().value, 1.0);
        assert_eq!(order(&mut world, HostLine::End), Ok(Outcome::Ends));
        assert_eq!(apply(None, &HostLine::End), Err(Refusal::NoGame));
        assert_eq!(
            apply(None, &HostLine::Map("flat".into())),
            Ok(Outcome::Changes("flat".into())),
            "in the lobby too"
        );
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
            (HostLine::Spawn(Kind::Cart, Vec3::ZERO), "a cart falls from 0 0 0"),
            (HostLine::Throw(ann(), Vec3::new(0.0, 1.0, 0.5)), "Ann was thrown by 0 1 0.5"),
            (HostLine::Device("lift".into(), 0.5), "lift goes to 0.5"),
            (HostLine::Delete(7), "object 7 was deleted"),
            (HostLine::Give(ann(), Kind::Rifle), "Ann was given a rifle"),
        ] {
            assert_eq!(done(&line).as_deref(), Some(words));
        }
        assert_eq!(done(&HostLine::End), None);
    }
}
