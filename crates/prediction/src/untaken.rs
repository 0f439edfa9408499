//! How far off a player may be of which the host takes nothing: less, once it has not for a while. Knows no place.
//!
//! Refused, it is within its own tolerance of the host's copy or is moved there (PRED-40). Within it the host may refuse it
//! still, and would for good: for its height, its speed, or a floor that left without its copy. So after two thirds of a second it is moved
//! by all that it is off (ours), and an honest player is believed again within the second after its trouble.

use crate::own::OWN_PLAYER_TOLERANCE;

/// World units by which a player may be elsewhere on the host that has taken nothing of it for [`REFUSED_FOR`] (ours): as
/// much as the host puts its copy only halfway for.
const REFUSED_TOLERANCE: f32 = 0.25;

/// Words in a row that name no tick, one a tick, after which whoever is refused gives way all the way (ours).
const REFUSED_FOR: u32 = 20;

/// The words in a row that named no tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Untaken {
    words: u32,
}

impl Untaken {
    /// A word came that named a tick, or none.
    pub(crate) const fn note(&mut self, is_named: bool) {
        self.words = if is_named { 0 } else { self.words.saturating_add(1) };
    }

    /// World units by which the player may be off.
    pub(crate) const fn tolerance(&self) -> f32 {
        if self.words > REFUSED_FOR { REFUSED_TOLERANCE } else { OWN_PLAYER_TOLERANCE }
    }
}
