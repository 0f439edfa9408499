//! What damages there are and which weapon deals which, as data. Knows no world.

use mjolnir_wire::Tag;

use super::kinds::Kind;
use super::objects::BIPED;

/// Dealt as area damage.
pub const AREA: u32 = 1;
/// What a client's hit may have.
pub const CLIENT: u32 = AREA;
/// How far a blow reaches, in wu.
pub const BLOW_REACH: f32 = 0.8;

/// In which form it is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaForm {
    /// To what was hit.
    Direct,
    /// To all that is near.
    Area,
    /// Either way.
    Both,
}

/// A damage effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Its tag.
    pub tag: Tag,
    /// What it takes at most, 1 a whole shield or body.
    pub amount: f32,
    /// How far it reaches, in wu; 0 of what hurts what it hits alone.
    pub radius: f32,
    /// In which form it is dealt.
    pub form: AreaForm,
}

/// By what a source deals a damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    /// What flies.
    Flight {
        /// How far, in wu.
        reach: Option<f32>,
        /// How far what it sets off goes off from it, in wu.
        sets_off: f32,
        /// Ticks under way at most.
        ticks: u32,
    },
    /// A blow.
    Melee {
        /// How far, in wu.
        reach: f32,
    },
    /// A vehicle.
    Collision {
        /// How far it pushes, in wu.
        push: f32,
    },
}

/// How a source deals a damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dealing {
    /// By what.
    pub means: Means,
    /// How often in a second.
    pub per_second: f32,
    /// Of how many projectiles each.
    pub projectiles: u16,
}

const fn direct(tag: u32, amount: f32) -> Effect {
    Effect { tag: Tag(tag), amount, radius: 0.0, form: AreaForm::Direct }
}

/// The rifle's.
pub static ROUND: Effect = direct(0xE179_0001, 0.1);
/// The pistol's.
pub static SLUG: Effect = direct(0xE179_0002, 0.4);
/// The plasma's.
pub static BOLT: Effect = direct(0xE179_0003, 0.25);
/// The shotgun's.
pub static PELLET: Effect = direct(0xE179_0004, 0.1);
/// The sniper's.
pub static LANCE: Effect = direct(0xE179_0005, 1.0);
/// A grenade's.
pub static FRAG_BLAST: Effect =
    Effect { tag: Tag(0xE179_0006), amount: 1.5, radius: 2.0, form: AreaForm::Area };
/// A blow.
pub static BLOW: Effect = direct(0xE179_0007, 0.5);
/// A vehicle.
pub static RAM: Effect = direct(0xE179_0008, 2.0);

impl Effect {
    /// The one of that tag.
    pub fn of(tag: Tag) -> Option<&'static Self> {
        [&ROUND, &SLUG, &BOLT, &PELLET, &LANCE, &FRAG_BLAST, &BLOW, &RAM]
            .into_iter()
            .find(|effect| effect.tag == tag)
    }

    /// Whether it is less further off.
    pub fn falls_off(&self) -> bool {
        self.radius > 0.0
    }

    /// What is left of it so far off.
    pub fn fall_off(&self, distance: f32) -> f32 {
        if self.radius > 0.0 { (1.0 - distance / self.radius).clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// How that source deals that damage.
pub fn deals(source: Tag, effect: Tag) -> Option<Dealing> {
    if (source, effect) == (BIPED, BLOW.tag) {
        let means = Means::Melee { reach: BLOW_REACH };
        return Some(Dealing { means, per_second: 1.0, projectiles: 1 });
    }
    let kind = Kind::of(source)?;
    if (kind, effect) == (Kind::Grenades, FRAG_BLAST.tag) {
        let means = Means::Flight { reach: None, sets_off: 0.0, ticks: 300 };
        return Some(Dealing { means, per_second: 1.0, projectiles: 1 });
    }
    if (kind, effect) == (Kind::Car, RAM.tag) {
        let means = Means::Collision { push: 0.2 };
        return Some(Dealing { means, per_second: 3.0, projectiles: 16 });
    }
    let own = match kind {
        Kind::Rifle => &ROUND,
        Kind::Pistol => &SLUG,
        Kind::Plasma => &BOLT,
        _ => return None,
    };
    let firing = kind.firing().filter(|_| own.tag == effect)?;
    let means = Means::Flight { reach: Some(firing.range), sets_off: 0.0, ticks: 0 };
    Some(Dealing { means, per_second: 30.0 / f32::from(firing.every), projectiles: 1 })
}
