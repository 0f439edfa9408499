//! The words of what game types are about. Knows the words alone.

use super::{Fault, Reading, Words};
use crate::game::marks::{Hill, MOST_MARKS};

impl Reading {
    /// A line whose first word is `stand`, `ball`, `hill` or `mark`.
    pub(super) fn mark(&mut self, first: &str, words: &mut Words<'_>) -> Result<(), Fault> {
        let team = if first == "stand" { Some(words.number()?) } else { None };
        let place = words.vector()?;
        let place = self.place(place)?;
        let marks = &mut self.marks;
        let count = match (first, team) {
            (_, Some(team)) => {
                let stand = [0.0, 1.0].into_iter().position(|index| index == team);
                let stand = &mut marks.stands[stand.ok_or(Fault::BadSize)?];
                if stand.replace(place).is_some() {
                    return Err(Fault::TooMany);
                }
                0
            }
            ("hill", _) => {
                let other = words.vector()?;
                let most = self.place(other)?;
                let size = most - place;
                if size.to_array().iter().any(|part| *part <= 0.0) {
                    return Err(Fault::BadSize);
                }
                let hills = &mut self.marks.hills;
                hills.push(Hill { least: place, most });
                hills.len()
            }
            _ => {
                let places = if first == "ball" { &mut marks.balls } else { &mut marks.race };
                places.push(place);
                places.len()
            }
        };
        if count > MOST_MARKS { Err(Fault::TooMany) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Vec3;

    use crate::game::Map;
    use crate::game::map::Fault;

    const START: &str = "bounds -9 -9 -1 9 9 9\nspawn 0 0 0 90\n";

    /// Every word reads; each fault is told, and so many are not too many.
    #[test]
    fn marks_read() {
        let map = |text: &str| Map::parse(&format!("{START}{text}"));
        let text = "stand 1 5 0 0\nstand 0 -5 0 0\nball 0 1 0\nhill -1 -1 0 1 1 3\nmark 1 1 0\nmark 2 1 0";
        let marks = map(text).unwrap().marks;
        assert_eq!(marks.stands, [Some(Vec3::new(-5.0, 0.0, 0.0)), Some(Vec3::new(5.0, 0.0, 0.0))]);
        assert_eq!((marks.balls.len(), marks.hills.len(), marks.race.len()), (1, 1, 2));
        assert_eq!(marks.race[1].x, 2.0);
        for (text, fault) in [
            ("stand 2 0 0 0", Fault::BadSize),
            ("stand 0 0 0 0\nstand 0 1 0 0", Fault::TooMany),
            ("stand 0 10 0 0", Fault::Outside),
            ("ball 0 0", Fault::Missing),
            ("ball 0 0 0 1", Fault::TooMuch),
            ("hill 0 0 0 1 1 0", Fault::BadSize),
            ("hill 0 0 0 1 1 10", Fault::Outside),
            (&"mark 0 0 0\n".repeat(17), Fault::TooMany),
        ] {
            assert_eq!(map(text).unwrap_err().fault, fault, "{text}");
        }
        assert!(map(&"mark 0 0 0\n".repeat(16)).is_ok());
    }
}
