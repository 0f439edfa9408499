//! The words of what moves and acts in a map. Knows the words alone.

use mjolnir_wire::Vec3;

use super::{Fault, Reading, Words};
use crate::game::collision::Solid;
use crate::game::fixtures::{Fixtures, Group, Pad, Platform, Switch};
use crate::game::movement::Bounds;

/// Platforms, groups, switches and pads of a map at most, each.
const MOST: usize = 64;
/// The fastest that a platform goes, in wu a tick: what it carries may fall behind it by no more than a step.
const FASTEST: f32 = 0.2;

impl Reading {
    pub(super) fn platform(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let name = words.word()?;
        let (least, most, travel) = (words.vector()?, words.vector()?, words.vector()?);
        let speed = words.size()?;
        let rest = match words.0.clone().next() {
            None => None,
            Some(_) => Some(words.ticks()?),
        };
        let solid = Solid::between(least, most).ok_or(Fault::BadSize)?;
        if travel == Vec3::ZERO || speed > FASTEST {
            return Err(Fault::BadSize);
        }
        for corner in [least, most, least + travel, most + travel] {
            self.inside(corner)?;
        }
        let Fixtures { platforms, groups, .. } = &mut self.fixtures;
        let group = match groups.iter().position(|group| group.name == name) {
            Some(group) => group,
            None => {
                groups.push(Group { name: name.to_owned(), rest: None });
                groups.len() - 1
            }
        };
        groups[group].rest = rest.or(groups[group].rest);
        platforms.push(Platform { group: group as u16, solid, travel, speed });
        if platforms.len() > MOST { Err(Fault::TooMany) } else { Ok(()) }
    }

    pub(super) fn switch(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let group = self.fixtures.group(words.word()?).ok_or(Fault::UnknownPlatform)?;
        let place = words.vector()?;
        let position = self.place(place)?;
        self.fixtures.switches.push(Switch { position, group });
        if self.fixtures.switches.len() > MOST { Err(Fault::TooMany) } else { Ok(()) }
    }

    pub(super) fn pads(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        let (one, other) = (words.vector()?, words.vector()?);
        let (one, other) = (self.place(one)?, self.place(other)?);
        if one == other {
            return Err(Fault::BadSize);
        }
        let pads = &mut self.fixtures.pads;
        let first = pads.len() as u16;
        pads.push(Pad { position: one, to: first + 1 });
        pads.push(Pad { position: other, to: first });
        if pads.len() > MOST { Err(Fault::TooMany) } else { Ok(()) }
    }

    /// A platform may lie a little in the ground, and so up to 1 wu below where players are.
    fn inside(&self, corner: Vec3) -> Result<(), Fault> {
        let Bounds { least, .. } = self.bounds.ok_or(Fault::NoBounds)?;
        let z = if corner.z < least.z - 1.0 { corner.z } else { corner.z.max(least.z) };
        self.place(Vec3::new(corner.x, corner.y, z)).map(|_| ())
    }
}
