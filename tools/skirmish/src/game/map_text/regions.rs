//! Copies of a map for one region: their kinds have the region in their names, and are read as those of the one map that
//! everybody plays (AUTH-65). Knows no kind's likeness, and no other machine.

use super::{Fault, Words};
use crate::game::kinds::Kind;

/// The region that a map's text is of, if it is of one.
#[derive(Debug, Default)]
pub(super) struct Region(Option<String>);

impl Region {
    /// Reads a region's name. A copy is of one, and says so before any thing.
    pub(super) fn read(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let name = words.word()?;
        if self.0.is_some() {
            return Err(Fault::TooMany);
        }
        self.0 = Some(format!("_{name}"));
        Ok(())
    }

    /// Reads a kind's name, with the region's or without.
    pub(super) fn kind(&self, words: &mut Words<'_>) -> Result<Kind, Fault> {
        let name = words.word()?;
        let suffix = self.0.as_deref().unwrap_or_default();
        Kind::named(name.strip_suffix(suffix).unwrap_or(name)).ok_or(Fault::UnknownKind)
    }
}
