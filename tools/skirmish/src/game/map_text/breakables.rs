//! The words of what breaks in a map. Knows the words alone.

use super::{Fault, Reading, Words};
use crate::game::collision::Solid;

/// Panes of a map at most.
const MOST_PANES: usize = 256;

impl Reading {
    pub(super) fn pane(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let (least, most) = (words.vector()?, words.vector()?);
        let (least, most) = (self.place(least)?, self.place(most)?);
        if self.panes.len() == MOST_PANES {
            return Err(Fault::TooMany);
        }
        self.solid(Solid::between(least, most))?;
        self.panes.push((self.solids.len() - 1) as u16);
        Ok(())
    }
}
