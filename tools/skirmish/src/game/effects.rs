//! Damage effects: the few that blows, vehicles and their guns deal. Knows no world.

use mjolnir_wire::Tag;

/// How far a blow reaches, in wu.
pub const BLOW_REACH: f32 = 1.0;
/// Ticks from one blow to the next.
pub const BLOW_EVERY: u8 = 20;
/// What a blow from the air is of one on the ground.
pub const AIRBORNE: f32 = 1.5;

/// A damage effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Its tag.
    pub tag: Tag,
    /// What it takes at scale 1.
    pub amount: f32,
    /// What it adds to the velocity of what it hits at scale 1, in wu a tick.
    pub push: f32,
    /// It is a vehicle that hits.
    pub vehicle: bool,
}

/// A blow by hand.
pub static BLOW: Effect = Effect { tag: Tag(0xE179_000C), amount: 0.7, push: 0.06, vehicle: false };
/// A vehicle that hits somebody.
pub static RAM: Effect = Effect { tag: Tag(0xE179_000D), amount: 2.5, push: 0.2, vehicle: true };
/// A round of a gun upon a vehicle.
pub static GUN_ROUND: Effect = Effect { tag: Tag(0xE179_000E), amount: 0.12, push: 0.0, vehicle: false };
/// Somebody who arrives where another stands.
pub static TELEFRAG: Effect = Effect { tag: Tag(0xE179_0011), amount: 1.0, push: 0.0, vehicle: false };

impl Effect {
    /// The effect of that tag.
    pub fn of(tag: Tag) -> Option<&'static Self> {
        [&BLOW, &RAM, &TELEFRAG, &GUN_ROUND].into_iter().find(|effect| effect.tag == tag)
    }
}
