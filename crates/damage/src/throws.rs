//! The grenades that a player threw in the last ten seconds, and when each went off. Knows no damage.

use alloc::vec::Vec;

use mjolnir_wire::{Tag, Tick, Vec3};

use crate::error::Error;
use crate::tags::{Deals, Tags};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown {
    at: usize,
    pub(crate) grenade: Tag,
    pub(crate) deals: Deals,
}

#[derive(Debug)]
pub(crate) struct Throws(Vec<(Tick, Tag, Option<Tick>)>);

impl Throws {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn throw(&mut self, tick: Tick, grenade: Tag) {
        self.0.push((tick, grenade, None));
    }

    pub(crate) fn find(
        &self,
        tick: Tick,
        heard: Tick,
        effect: Tag,
        _: Vec3,
        tags: &impl Tags,
    ) -> Result<Thrown, Error> {
        let found = self.0.iter().enumerate().find_map(|(at, (thrown, grenade, went))| {
            let is_there = tick.since(*thrown) <= 300 && went.is_none_or(|went| went == heard);
            tags.deals(*grenade, effect).filter(|_| is_there).map(|deals| Thrown {
                at,
                grenade: *grenade,
                deals,
            })
        });
        found.ok_or(Error::NotThrown)
    }

    pub(crate) fn go_off(&mut self, thrown: &Thrown, heard: Tick) {
        self.0[thrown.at].2 = Some(heard);
    }
}
