//! What is untrue in what a client says that it hit. Knows neither how often it is said nor of whom.

use std::fmt;

use mjolnir_wire::damage::HitReport;
use mjolnir_wire::{Tick, Vec3};

use super::{EAST, NODES, Parties};

/// One lie about a hit. Distances are in wu.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lie {
    /// It is of the head, which is none where the player's aim was true.
    Head,
    /// It is so hard.
    Hard(f32),
    /// It was made so many ticks after the last that was heard of; below 0 before.
    Heard(i32),
    /// The target stands so much further off than it does; below 0 nearer.
    Puts(f32),
    /// All targets are so far nearer to the first, in whose centre it is greatest.
    Gathers(f32),
    /// It is greatest so far above the target.
    Above(f32),
    /// It came from so far above where it is greatest.
    Split(f32),
    /// Who strikes, or what is driven, is so much nearer to the target than it is.
    Reaches(f32),
    /// It is of a node that nobody has.
    NoNode,
    /// Its numbers are none.
    NoNumber,
    /// It goes nowhere.
    NoWay,
    /// Another machine's player dealt it.
    Anothers,
    /// It is of the same place and tick as the first, for so many ticks.
    Again(u32),
    /// All that is made in so many ticks comes at once.
    Held(u32),
    /// It comes so many ticks after it was made.
    Late(u32),
    /// It comes by datagram.
    ByDatagram,
}

impl fmt::Display for Lie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Head => write!(f, "all on the head"),
            Self::Hard(scale) => write!(f, "{scale} times as hard as it can be"),
            Self::Heard(by) if by < 0 => write!(f, "made {} ticks ago", -by),
            Self::Heard(by) => write!(f, "made {by} ticks from now"),
            Self::Puts(by) if by < 0.0 => write!(f, "who stand {} wu nearer", -by),
            Self::Puts(by) => write!(f, "who stand {by} wu further off"),
            Self::Gathers(by) => write!(f, "all by one explosion, {by} wu nearer to it"),
            Self::Above(by) => write!(f, "{by} wu above them"),
            Self::Split(by) => write!(f, "from {by} wu beside where it is greatest"),
            Self::Reaches(by) => write!(f, "from {by} wu ahead of where that is"),
            Self::NoNode => write!(f, "on a node that nobody has"),
            Self::NoNumber => write!(f, "with numbers that are none"),
            Self::NoWay => write!(f, "with no direction"),
            Self::Anothers => write!(f, "by another machine's player"),
            Self::Again(ticks) => write!(f, "by the same explosion for {ticks} ticks"),
            Self::Held(ticks) => write!(f, "held back, and all at once each {ticks} ticks"),
            Self::Late(ticks) => write!(f, "each told {ticks} ticks late"),
            Self::ByDatagram => write!(f, "by datagram"),
        }
    }
}

impl Lie {
    /// Makes a lie of a hit. `first` is the centre of the first target, `centre` where this one's is beside its place.
    pub(super) fn tell(self, report: &mut HitReport, parties: &Parties<'_>, (first, centre): (Vec3, Vec3)) {
        let HitReport { hit, heard } = report;
        match self {
            Lie::Head => hit.parts.node = Some(NODES[1]),
            Lie::Hard(scale) => hit.damage.scale = scale,
            Lie::Heard(by) => *heard = Tick::new((heard.get() + by).max(0)).unwrap_or(*heard),
            Lie::Puts(by) => {
                // A shot is where what it hit is, a vehicle's hit comes from there; a blow is where its striker is.
                if hit.damage.epicentre == hit.target + centre {
                    hit.damage.epicentre += EAST * by;
                    hit.damage.origin += EAST * by;
                } else if hit.damage.origin == hit.target {
                    hit.damage.origin += EAST * by;
                }
                hit.target += EAST * by;
            }
            Lie::Gathers(by) => {
                let way = first - centre - hit.target;
                hit.target += way * (by / way.length().max(by));
                (hit.damage.origin, hit.damage.epicentre) = (first, first);
            }
            Lie::Above(by) => {
                hit.damage.origin += Vec3::UP * by;
                hit.damage.epicentre += Vec3::UP * by;
            }
            Lie::Split(by) => hit.damage.origin += Vec3::UP * by,
            Lie::Reaches(by) => {
                if hit.damage.origin != hit.target {
                    hit.damage.origin += EAST * by;
                }
                hit.damage.epicentre += EAST * by;
            }
            Lie::NoNode => hit.parts.node = Some(2),
            Lie::NoNumber => {
                hit.damage.scale = f32::NAN;
                hit.target.x = f32::INFINITY;
            }
            Lie::NoWay => hit.damage.direction = Vec3::ZERO,
            Lie::Anothers => hit.damage.owner = Some(parties.other),
            Lie::Again(_) | Lie::Held(_) | Lie::Late(_) | Lie::ByDatagram => {}
        }
    }
}
