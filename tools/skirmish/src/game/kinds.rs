//! What kinds of object there are, by name and tag, and what each is like. Knows no object that stands.

use mjolnir_wire::Tag;

use super::effects::{self, Flying, Shot};
use super::movement::RADIUS;
use super::objects::BIPED;
use super::vehicle::Craft;

/// What messages may be about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A biped, living or not.
    Unit,
    /// What is driven or pushed about.
    Vehicle,
    /// What a unit carries in a slot.
    Weapon,
    /// What is used up as it is picked up, and whatever has no kind.
    Equipment,
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A player's unit, and the body that it leaves.
    Biped,
    /// A weapon of 32 rounds that fires each 3 ticks.
    Rifle,
    /// A weapon of 12 rounds that fires each 8 ticks.
    Pistol,
    /// A weapon that fires a charge each 10 ticks, and is worn by it.
    Plasma,
    /// A weapon that fires 15 pellets at once.
    Shotgun,
    /// A weapon that hits far off, through a scope of two magnifications.
    Sniper,
    /// A weapon that fires rockets.
    Launcher,
    /// What a game is about: carried as a weapon is, and deleted by no rule.
    Flag,
    /// Another such thing: it is held for as long as one can.
    Ball,
    /// Two grenades of the first kind, which bounce.
    Grenades,
    /// Two of the second, which stick.
    Stickies,
    /// A whole body again.
    Medkit,
    /// Active camouflage for a while.
    Camouflage,
    /// Full-spectrum vision for a while.
    Vision,
    /// A shield of three.
    Overshield,
    /// A box on wheels that nobody drives.
    Cart,
    /// A vehicle on wheels for two.
    Car,
    /// A vehicle that flies, for one.
    Flyer,
    /// A vehicle on water for two.
    Boat,
    /// A gun that stands where it is.
    Turret,
    /// A vehicle on wheels for four, one of them at a gun upon it.
    Transport,
    /// A vehicle for four that follows a path.
    Dropship,
    /// A box that shots break: it stays where it is, in pieces.
    Crate,
}

/// How a weapon fires.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Firing {
    /// Ticks from one shot to the next.
    pub every: u8,
    /// Rounds loaded at most; 0 where it fires no rounds.
    pub loads: i16,
    /// All rounds that it is made with, the loaded ones too.
    pub rounds: i16,
    /// What a shot wears of it, in 65535ths.
    pub wears: u16,
    /// What a hit takes of whom it hits, 1 a whole shield or body, where shots hurt. Ours.
    pub damage: f32,
    /// How far it hits, in wu. Ours.
    pub range: f32,
    /// How a shot gets there.
    pub shot: Shot,
    /// Of how many such a shot is.
    pub pellets: u16,
    /// How far each strays at most, in radians; of what has a scope, where one does not look through it.
    pub spread: f32,
    /// Magnifications of its scope.
    pub zooms: u8,
}

/// One that never runs out: a shot each so many ticks, without the rest.
const fn firing(every: u8, damage: f32, range: f32, shot: Shot) -> Firing {
    Firing { every, loads: 0, rounds: 0, wears: 0, damage, range, shot, pellets: 1, spread: 0.0, zooms: 0 }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 23] = [
        Self::Biped,
        Self::Rifle,
        Self::Pistol,
        Self::Plasma,
        Self::Shotgun,
        Self::Sniper,
        Self::Launcher,
        Self::Flag,
        Self::Ball,
        Self::Grenades,
        Self::Stickies,
        Self::Medkit,
        Self::Camouflage,
        Self::Vision,
        Self::Overshield,
        Self::Cart,
        Self::Car,
        Self::Flyer,
        Self::Boat,
        Self::Turret,
        Self::Transport,
        Self::Dropship,
        Self::Crate,
    ];

    /// Its name, as maps and the console have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Biped => "biped",
            Self::Rifle => "rifle",
            Self::Pistol => "pistol",
            Self::Plasma => "plasma",
            Self::Shotgun => "shotgun",
            Self::Sniper => "sniper",
            Self::Launcher => "launcher",
            Self::Flag => "flag",
            Self::Ball => "ball",
            Self::Grenades => "grenades",
            Self::Stickies => "stickies",
            Self::Medkit => "medkit",
            Self::Camouflage => "camouflage",
            Self::Vision => "vision",
            Self::Overshield => "overshield",
            Self::Cart => "cart",
            Self::Car => "car",
            Self::Flyer => "flyer",
            Self::Boat => "boat",
            Self::Turret => "turret",
            Self::Transport => "transport",
            Self::Dropship => "dropship",
            Self::Crate => "crate",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its tag.
    pub const fn tag(self) -> Tag {
        match self {
            Self::Biped => BIPED,
            Self::Rifle => Tag(0xE176_0001),
            Self::Pistol => Tag(0xE176_0002),
            Self::Plasma => Tag(0xE176_0003),
            Self::Flag => Tag(0xE176_0004),
            Self::Ball => Tag(0xE176_0005),
            Self::Shotgun => Tag(0xE176_0006),
            Self::Sniper => Tag(0xE176_0007),
            Self::Launcher => Tag(0xE176_0008),
            Self::Grenades => Tag(0xE177_0001),
            Self::Medkit => Tag(0xE177_0002),
            Self::Camouflage => Tag(0xE177_0003),
            Self::Vision => Tag(0xE177_0004),
            Self::Overshield => Tag(0xE177_0005),
            Self::Stickies => Tag(0xE177_0006),
            Self::Cart => Tag(0xE178_0001),
            Self::Car => Tag(0xE178_0002),
            Self::Flyer => Tag(0xE178_0003),
            Self::Boat => Tag(0xE178_0004),
            Self::Turret => Tag(0xE178_0005),
            Self::Transport => Tag(0xE178_0006),
            Self::Dropship => Tag(0xE178_0007),
            Self::Crate => Tag(0xE177_0010),
        }
    }

    /// The kind of that tag; none of a tag that no rule is about.
    pub fn of(tag: Tag) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.tag() == tag)
    }

    /// What it is of.
    pub const fn class(self) -> Class {
        match self {
            Self::Biped => Class::Unit,
            Self::Rifle
            | Self::Pistol
            | Self::Plasma
            | Self::Shotgun
            | Self::Sniper
            | Self::Launcher
            | Self::Flag
            | Self::Ball => Class::Weapon,
            Self::Grenades
            | Self::Stickies
            | Self::Medkit
            | Self::Camouflage
            | Self::Vision
            | Self::Overshield
            | Self::Crate => Class::Equipment,
            Self::Cart
            | Self::Car
            | Self::Flyer
            | Self::Boat
            | Self::Turret
            | Self::Transport
            | Self::Dropship => Class::Vehicle,
        }
    }

    /// Whether that is what a game is about: no rule deletes it.
    pub const fn is_goal(self) -> bool {
        matches!(self, Self::Flag | Self::Ball)
    }

    /// How far its middle lies above the ground that it lies on, in wu.
    pub const fn radius(self) -> f32 {
        match self {
            Self::Biped => RADIUS,
            Self::Cart | Self::Crate => 0.3,
            _ => match Craft::of(self) {
                Some(craft) => craft.radius,
                None => 0.1,
            },
        }
    }

    /// Whether it is a powerup: what it does to a unit lasts or runs out by itself.
    pub const fn is_powerup(self) -> bool {
        matches!(self, Self::Camouflage | Self::Vision | Self::Overshield)
    }

    /// How it fires, if it is a weapon that does.
    pub const fn firing(self) -> Option<Firing> {
        Some(match self {
            Self::Rifle => {
                let shot = Shot::AtOnce(&effects::ROUND);
                Firing { loads: 32, rounds: 128, ..firing(3, 0.1, 40.0, shot) }
            }
            Self::Pistol => {
                let shot = Shot::Flies(&effects::SLUG_FLIES);
                Firing { loads: 12, rounds: 60, ..firing(8, 0.4, 60.0, shot) }
            }
            Self::Plasma => {
                let shot = Shot::Flies(&effects::BOLT_FLIES);
                Firing { wears: 655, ..firing(10, 0.25, 30.0, shot) }
            }
            Self::Shotgun => {
                let shot = Shot::AtOnce(&effects::PELLET);
                let one = firing(25, 0.08, 12.0, shot);
                Firing { loads: 12, rounds: 36, pellets: 15, spread: 0.09, ..one }
            }
            Self::Sniper => {
                let shot = Shot::AtOnce(&effects::LANCE);
                Firing { loads: 4, rounds: 16, spread: 0.015, zooms: 2, ..firing(20, 1.2, 200.0, shot) }
            }
            Self::Launcher => {
                let shot = Shot::Flies(&effects::ROCKET);
                Firing { loads: 2, rounds: 8, ..firing(40, 2.2, 216.0, shot) }
            }
            _ => return None,
        })
    }

    /// How the gun upon a vehicle of that kind fires, if it has one: it never runs out.
    pub const fn gun(self) -> Option<Firing> {
        Some(match self {
            Self::Turret | Self::Transport => {
                Firing { spread: 0.01, ..firing(3, 0.12, 60.0, Shot::AtOnce(&effects::GUN_ROUND)) }
            }
            Self::Flyer => firing(6, 0.2, 60.0, Shot::Flies(&effects::GUN_BOLT_FLIES)),
            _ => return None,
        })
    }

    /// How grenades of that kind fly, if they are such.
    pub const fn grenade(self) -> Option<&'static Flying> {
        Some(match self {
            Self::Grenades => &effects::FRAG,
            Self::Stickies => &effects::STICKY,
            _ => return None,
        })
    }

    /// Where a unit has grenades of that kind among all that it carries.
    pub const fn grenade_place(self) -> Option<usize> {
        match self {
            Self::Grenades => Some(0),
            Self::Stickies => Some(1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind is found by its name and by its tag, and only that one; what fires is a weapon.
    #[test]
    fn a_kind_is_its_name_and_its_tag() {
        for kind in Kind::ALL {
            assert_eq!((Kind::named(kind.name()), Kind::of(kind.tag())), (Some(kind), Some(kind)));
            assert_eq!(kind.firing().is_some(), kind.class() == Class::Weapon && !kind.is_goal());
            assert_eq!(kind.grenade().is_some(), kind.grenade_place().is_some());
            if let Some(firing) = kind.firing().or_else(|| kind.gun()) {
                // What one hit takes is its effect's, and how far it flies its speed's and its timer's.
                let (amount, reach) = match firing.shot {
                    Shot::AtOnce(effect) => (effect.amount, firing.range),
                    Shot::Flies(flying) => {
                        let effect = flying.impact.or(flying.blasts.first().copied());
                        (effect.unwrap().amount, flying.reach().unwrap())
                    }
                };
                assert_eq!((firing.damage, firing.range), (amount, reach), "{kind:?}");
            }
            assert_eq!(Craft::of(kind).is_some(), kind.class() == Class::Vehicle && kind != Kind::Cart);
        }
        assert_eq!((Kind::named("tree"), Kind::of(Tag(0xE176_0000))), (None, None));
    }
}
