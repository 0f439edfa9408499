//! What a player's screen showed of damage, and what its unit did about it: counted, since nothing is drawn here. Nothing
//! simulated reads it.

use mjolnir_wire::Slot;

/// How often each thing was shown. Every number wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// The screen flashed.
    pub flashes: u32,
    /// It shook: by what hit the player, or by its own weapon.
    pub shakes: u32,
    /// The player was stunned.
    pub stuns: u32,
    /// It was knocked out of its scope.
    pub scopes_lost: u32,
    /// It was shown who had hit it.
    pub marks: u32,
    /// Who had hit it last.
    pub hit_by: Option<Slot>,
    /// Its unit flinched.
    pub flinches: u32,
    /// Its unit was heard to be in pain.
    pub pains: u32,
    /// Its unit struck a blow.
    pub swings: u32,
    /// The vehicle that it drove hit somebody.
    pub rams: u32,
}

/// Counts one more.
pub(super) const fn count(of: &mut u32) {
    *of = of.wrapping_add(1);
}
