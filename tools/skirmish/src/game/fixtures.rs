//! What a map has that moves or acts by itself: platforms in their groups, switches, teleporter pads. Knows no game's
//! state.

use mjolnir_wire::Vec3;

use super::collision::{Near, Solid};

/// How far a hand reaches for a switch, in wu from the feet. Ours.
pub const SWITCH_REACH: f32 = 1.0;
/// Feet stand on a pad so near to its middle, in wu along the ground and up. Ours.
pub const PAD: (f32, f32) = (0.5, 0.5);
/// So near to a pad's middle the player may be on it at its own machine, and one that was on it has not left it, in wu. Ours.
pub const NEAR_PAD: f32 = 1.0;

/// A box that goes from one place to another and back, and carries what stands on it.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its group: what that is set to is where it goes.
    pub group: u16,
    /// The box where it begins, at position 0.
    pub solid: Solid,
    /// From there to where it is at position 1, in wu.
    pub travel: Vec3,
    /// How fast it goes, in wu a tick.
    pub speed: f32,
}

/// Platforms that go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, as maps and the console have it.
    pub name: String,
    /// Ticks that it rests at either end before it goes to the other by itself; none if it waits for a switch.
    pub rest: Option<u16>,
}

/// What sets a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// Where it is, in wu.
    pub position: Vec3,
    /// The group.
    pub group: u16,
}

/// A place that leads to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pad {
    /// Its middle, in wu.
    pub position: Vec3,
    /// The pad that it leads to.
    pub to: u16,
}

/// A bots' place upon a platform that stands at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Berth {
    /// The node.
    pub node: u16,
    /// The platform.
    pub platform: u16,
    /// Where it is then: 0 or 1.
    pub position: f32,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Fixtures {
    /// By the place in this list a device has its name.
    pub platforms: Vec<Platform>,
    /// Groups, by index.
    pub groups: Vec<Group>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Pads.
    pub pads: Vec<Pad>,
    /// Which of the bots' places are upon platforms.
    pub berths: Vec<Berth>,
}

impl Fixtures {
    /// The group of that name.
    pub fn group(&self, name: &str) -> Option<u16> {
        self.groups.iter().position(|group| group.name == name).map(|group| group as u16)
    }

    /// The berth that a node is, if it is one.
    pub fn berth(&self, node: u16) -> Option<Berth> {
        self.berths.iter().find(|berth| berth.node == node).copied()
    }

    /// The pad that feet there stand on.
    pub fn pad_at(&self, place: Vec3) -> Option<u16> {
        let stands = |pad: &Pad| {
            let apart = place - pad.position;
            apart.across().length() <= PAD.0 && apart.z.abs() <= PAD.1
        };
        self.pads.iter().position(stands).map(|pad| pad as u16)
    }

    /// Whether feet there have not left that pad.
    pub fn is_near(&self, pad: u16, place: Vec3) -> bool {
        self.pads[usize::from(pad)].position.distance(place) <= NEAR_PAD
    }

    /// The nearest pad that feet there are about to be on.
    pub fn pad_near(&self, place: Vec3) -> Option<u16> {
        let far = |pad: &Pad| pad.position.distance(place);
        let near = (0..).zip(&self.pads).filter(|(_, pad)| far(pad) <= NEAR_PAD);
        near.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b))).map(|(index, _)| index)
    }

    /// The nearest switch in reach of feet there.
    pub fn switch_at(&self, place: Vec3) -> Option<Switch> {
        let far = |switch: &&Switch| switch.position.distance(place);
        let in_reach = self.switches.iter().filter(|switch| far(switch) <= SWITCH_REACH);
        in_reach.min_by(|a, b| far(a).total_cmp(&far(b))).copied()
    }

    /// Finds which of those places are upon a platform that stands at an end.
    pub(super) fn find_berths(&mut self, nodes: impl Iterator<Item = Vec3>) {
        for (node, place) in (0..).zip(nodes) {
            for (index, platform) in (0..).zip(&self.platforms) {
                for position in [0.0, 1.0] {
                    let Near { normal, distance, .. } = platform.at(position).near(place);
                    if normal.z > 0.99 && distance.abs() < 0.05 {
                        self.berths.push(Berth { node, platform: index, position });
                    }
                }
            }
        }
    }
}

impl Platform {
    /// How far it is from where it begins, at that position.
    pub fn offset(&self, position: f32) -> Vec3 {
        self.travel * position
    }

    /// Its box at that position.
    pub fn at(&self, position: f32) -> Solid {
        self.solid.moved(self.offset(position))
    }
}
