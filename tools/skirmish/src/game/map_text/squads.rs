//! The words of a map's squads. Knows the words alone.

use super::{Fault, Reading, Words, field};
use crate::game::actors::squads::{Duty, MOST_SQUADS, MOST_STARTS, Squad};
use crate::game::map::Spawn;

impl Reading {
    /// A line whose first word is `squad`, `muster`, `majors` or `placed`.
    pub(super) fn squad_words(&mut self, first: &str, words: &mut Words<'_>) -> Result<(), Fault> {
        match first {
            "squad" => self.squad(words),
            "muster" => {
                let squad = self.squad_of(words)?;
                for (index, (place, ..)) in field(words)?.into_iter().enumerate() {
                    let facing = (index % 8) as f32 * std::f32::consts::FRAC_PI_4;
                    self.start(squad, Spawn { position: place, facing })?;
                }
                Ok(())
            }
            _ => {
                let mut is_first = true;
                while std::mem::take(&mut is_first) || words.0.clone().next().is_some() {
                    let squad = self.squad_of(words)?;
                    let Squad { is_major, is_placed, .. } = &mut self.squads[squad];
                    *(if first == "majors" { is_major } else { is_placed }) = true;
                }
                Ok(())
            }
        }
    }

    fn squad(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let name = words.word()?.to_owned();
        if self.squads.iter().any(|squad| squad.name == name) {
            return Err(Fault::NameTaken);
        }
        if self.squads.len() == MOST_SQUADS {
            return Err(Fault::TooMany);
        }
        let team = Squad::team_of(words.number()?).ok_or(Fault::BadSize)?;
        let duty = Duty::named(words.word()?).ok_or(Fault::UnknownKind)?;
        let weapon = self.region.kind(words)?;
        if weapon.firing().is_none() {
            return Err(Fault::UnknownKind);
        }
        let (is_major, is_placed, starts) = (false, false, Vec::new());
        self.squads.push(Squad { name, team, duty, weapon, is_major, is_placed, starts });
        while words.0.clone().next().is_some() {
            let position = words.vector()?;
            let facing = words.number()?.to_radians();
            self.start(self.squads.len() - 1, Spawn { position, facing })?;
        }
        Ok(())
    }

    fn start(&mut self, squad: usize, start: Spawn) -> Result<(), Fault> {
        if self.squads.iter().map(|squad| squad.starts.len()).sum::<usize>() == MOST_STARTS {
            return Err(Fault::TooMany);
        }
        self.place(start.position)?;
        self.squads[squad].starts.push(start);
        Ok(())
    }

    fn squad_of(&self, words: &mut Words<'_>) -> Result<usize, Fault> {
        let name = words.word()?;
        self.squads.iter().position(|squad| squad.name == name).ok_or(Fault::UnknownSquad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Kind, Map};

    const START: &str = "bounds -9 -9 -1 9 9 9\nspawn 0 0 0 90\n";

    fn map(text: &str) -> Result<Map, crate::game::map::Error> {
        Map::parse(&format!("{START}{text}"))
    }

    /// Every word reads: locations on the line and in fields, ranks, and who is there at the begin.
    #[test]
    fn squads_read() {
        let text = "squad ann 1 guard rifle  1 2 0 90  3 4 0 0\nsquad bob 2 attack plasma\nmuster bob 0 0 2 2 3 3 0\n\
                    majors ann\nplaced ann bob";
        let squads = map(text).unwrap().squads;
        let [ann, bob] = &squads[..] else { panic!("{squads:?}") };
        assert_eq!((ann.team, ann.duty, ann.weapon), (1, Duty::Guard, Kind::Rifle));
        assert_eq!((ann.is_major, ann.is_placed, bob.is_major, bob.is_placed), (true, true, false, true));
        assert_eq!((ann.starts.len(), ann.starts[1].position.x, bob.starts.len()), (2, 3.0, 9));
        assert!((ann.starts[0].facing - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert_eq!((bob.team, bob.duty, bob.starts[8].position.y), (2, Duty::Attack, 2.0));
    }

    /// Each fault is told; so many squads and locations are not too many, and one more is.
    #[test]
    fn a_squads_faults_are_told() {
        for (text, fault) in [
            ("squad a 1 guard", Fault::Missing),
            ("squad a 16 guard rifle", Fault::BadSize),
            ("squad a 0.5 guard rifle", Fault::BadSize),
            ("squad a 1 sleep rifle", Fault::UnknownKind),
            ("squad a 1 guard medkit", Fault::UnknownKind),
            ("squad a 1 guard flag", Fault::UnknownKind),
            ("squad a 1 guard rifle 0 0 0", Fault::Missing),
            ("squad a 1 guard rifle 0 0 10 0", Fault::Outside),
            ("squad a 1 guard rifle\nsquad a 1 guard rifle", Fault::NameTaken),
            ("muster a 0 0 1 1 2 2 0", Fault::UnknownSquad),
            ("squad a 1 guard rifle\nmuster a 0 0 1 1 2 2 10", Fault::Outside),
            ("majors", Fault::Missing),
            ("placed b", Fault::UnknownSquad),
        ] {
            assert_eq!(map(text).unwrap_err().fault, fault, "{text}");
        }
        let many =
            |count: usize| (0..count).map(|at| format!("squad s{at} 1 guard rifle\n")).collect::<String>();
        assert!(map(&many(MOST_SQUADS)).is_ok());
        assert_eq!(map(&many(MOST_SQUADS + 1)).unwrap_err().fault, Fault::TooMany);
        let full = "squad a 1 guard rifle\nmuster a 0 0 2 2 64 64 0\n";
        assert_eq!(map(full).unwrap().squads[0].starts.len(), MOST_STARTS);
        assert_eq!(map(&format!("{full}muster a 0 0 1 1 1 1 0")).unwrap_err().fault, Fault::TooMany);
    }
}
