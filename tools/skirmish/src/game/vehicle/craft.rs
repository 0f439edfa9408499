//! What each kind of vehicle is like: size, speed, seats. Knows no vehicle that stands.

use mjolnir_wire::{Axes, Vec3};

use super::cross;
use crate::game::kinds::Kind;

/// Seats of a vehicle at most.
pub const MOST_SEATS: usize = 4;

/// How a vehicle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// On wheels: in the air it falls.
    Rolls,
    /// In the air, at a height of its own; without a driver it sinks.
    Flies,
    /// On water.
    Floats,
    /// It turns where it stands.
    Turns,
    /// In the air, along a path; nobody drives it.
    Hovers,
}

/// What a kind of vehicle is like. Sizes and speeds are ours within what the sandbox names (0.2 to 0.6 wu a tick).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Craft {
    /// How it moves.
    pub moves: Moves,
    /// As fast as its driver makes it, in wu a tick.
    pub top_speed: f32,
    /// What it gains in a tick, in wu a tick.
    pub gains: f32,
    /// What it turns in a tick at most, in radians.
    pub turns: f32,
    /// How far its middle lies above the ground below it, and as wide it is to each side, in wu.
    pub radius: f32,
    /// Its seats, in the order in which they are taken.
    pub seats: &'static [Seat],
}

/// A seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Who sits here drives.
    pub drives: bool,
    /// A gun upon the vehicle aims where the one who sits here looks.
    pub aims: bool,
    /// Where its rider's feet are beside the vehicle's place: ahead, to the left and up, in wu.
    pub offset: [f32; 3],
}

const DRIVER: Seat = Seat { drives: true, aims: false, offset: [0.0, 0.2, 0.3] };

const fn rides(offset: [f32; 3]) -> Seat {
    Seat { drives: false, aims: false, offset }
}

const CAR: [Seat; 2] = [DRIVER, rides([0.0, -0.2, 0.3])];
const FLYER: [Seat; 1] = [Seat { offset: [0.1, 0.0, 0.3], ..DRIVER }];
const BOAT: [Seat; 2] = [Seat { offset: [-0.2, 0.0, 0.4], ..DRIVER }, rides([0.3, 0.0, 0.4])];
const TURRET: [Seat; 1] = [Seat { drives: true, aims: true, offset: [-0.3, 0.0, 0.1] }];
const TRANSPORT: [Seat; MOST_SEATS] = [
    Seat { offset: [0.4, 0.3, 0.5], ..DRIVER },
    rides([0.4, -0.3, 0.5]),
    rides([-0.4, 0.3, 0.5]),
    // The nested turret, above the others.
    Seat { drives: false, aims: true, offset: [-0.3, 0.0, 1.0] },
];
const DROPSHIP: [Seat; MOST_SEATS] =
    [rides([0.5, 0.4, 0.3]), rides([0.5, -0.4, 0.3]), rides([-0.5, 0.4, 0.3]), rides([-0.5, -0.4, 0.3])];

impl Craft {
    /// What vehicles of that kind are like; none of what nobody can ride.
    pub const fn of(kind: Kind) -> Option<&'static Self> {
        Some(match kind {
            Kind::Car => &Self {
                moves: Moves::Rolls,
                top_speed: 0.4,
                gains: 0.012,
                turns: 0.06,
                radius: 0.45,
                seats: &CAR,
            },
            Kind::Flyer => &Self {
                moves: Moves::Flies,
                top_speed: 0.6,
                gains: 0.015,
                turns: 0.08,
                radius: 0.5,
                seats: &FLYER,
            },
            Kind::Boat => &Self {
                moves: Moves::Floats,
                top_speed: 0.25,
                gains: 0.006,
                turns: 0.04,
                radius: 0.6,
                seats: &BOAT,
            },
            Kind::Turret => &Self {
                moves: Moves::Turns,
                top_speed: 0.0,
                gains: 0.0,
                turns: 0.1,
                radius: 0.4,
                seats: &TURRET,
            },
            Kind::Transport => &Self {
                moves: Moves::Rolls,
                top_speed: 0.3,
                gains: 0.008,
                turns: 0.04,
                radius: 0.7,
                seats: &TRANSPORT,
            },
            Kind::Dropship => &Self {
                moves: Moves::Hovers,
                top_speed: 0.2,
                gains: 0.0,
                turns: 0.04,
                radius: 1.0,
                seats: &DROPSHIP,
            },
            _ => return None,
        })
    }

    /// Whether it keeps its height by itself: the ground does not carry it.
    pub const fn keeps_its_height(&self) -> bool {
        !matches!(self.moves, Moves::Rolls)
    }

    /// Whether one gets in and out only where it stands.
    pub const fn has_doors(&self) -> bool {
        matches!(self.moves, Moves::Hovers)
    }

    /// Where the feet of a seat's rider are, in wu.
    pub(in crate::game) fn seated(&self, seat: u8, position: Vec3, axes: Axes) -> Option<Vec3> {
        let [ahead, left, up] = self.seats.get(usize::from(seat))?.offset;
        let Axes { forward, up: top } = axes;
        Some(position + forward * ahead + cross(top, forward) * left + top * up)
    }
}
