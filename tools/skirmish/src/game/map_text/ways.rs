//! The words of what vehicles float on and fly by. Knows the words alone.

use mjolnir_wire::Vec3;

use super::{Fault, Reading, Words};
use crate::game::vehicle::path::Path;
use crate::game::vehicle::{Craft, Moves, Water};

/// Waters and paths of a map at most, of each.
const MOST_WATERS: usize = 64;
/// Places of a path at most.
const MOST_OF_A_PATH: usize = 64;
/// Ticks that a path stands at a place at most.
const MOST_TICKS: f32 = 36_000.0;

impl Reading {
    pub(super) fn water(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let (x, y) = (words.number()?, words.number()?);
        let (to_x, to_y, level) = (words.number()?, words.number()?, words.number()?);
        if self.waters.len() == MOST_WATERS {
            return Err(Fault::TooMany);
        }
        if to_x <= x || to_y <= y {
            return Err(Fault::BadSize);
        }
        let least = self.place(Vec3::new(x, y, level))?;
        self.waters.push(Water { least, most: self.place(Vec3::new(to_x, to_y, level))? });
        Ok(())
    }

    /// A vehicle's way, which it flies round and round by itself, or once as a script has it.
    pub(super) fn path(&mut self, words: &mut Words<'_>, once: bool) -> Result<(), Fault> {
        let kind = self.region.kind(words)?;
        if Craft::of(kind).is_none_or(|craft| craft.moves != Moves::Hovers) {
            return Err(Fault::UnknownKind);
        }
        let (speed, stays) = (words.size()?, if once { 0.0 } else { words.number()? });
        let whole = stays.fract() == 0.0 && (0.0..=MOST_TICKS).contains(&stays);
        // Nothing is faster (AUTH-16), and no leg of a path takes longer than a number of ticks holds.
        if !whole || !(0.01..=2.0).contains(&speed) {
            return Err(Fault::BadSize);
        }
        let mut places: Vec<Vec3> = Vec::new();
        while words.0.clone().next().is_some() || places.len() < 2 {
            let place = words.vector()?;
            if places.len() == MOST_OF_A_PATH {
                return Err(Fault::TooMany);
            }
            if places.last() == Some(&place) {
                return Err(Fault::BadSize);
            }
            places.push(self.place(place)?);
        }
        if self.paths.len() == MOST_WATERS {
            return Err(Fault::TooMany);
        }
        self.paths.push(Path { kind, speed, stays: stays as u32, places, once });
        Ok(())
    }
}
