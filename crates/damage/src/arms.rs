//! What each player carried, drove and fired in the last ten seconds. Knows no damage.

use alloc::vec::Vec;

use mjolnir_wire::{ObjectId, Tag, Tick};

use crate::rows::PlayerRow;
use crate::tags::{Deals, Means, Tags};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) tag: Tag,
    pub(crate) deals: Deals,
    pub(crate) vehicle: Option<ObjectId>,
}

/// When it was last had, of what tag, in which vehicle, and whether it was driven.
#[derive(Debug)]
pub(crate) struct Arms(Vec<(Tick, Tag, Option<ObjectId>, bool)>);

impl Arms {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn note(&mut self, tick: Tick, row: &PlayerRow) {
        let weapons = row.weapons.iter().flatten().map(|tag| (tick, *tag, None, false));
        let rides = row.riding.filter(|riding| riding.seat.drives || riding.seat.guns);
        let rides = rides.map(|riding| (tick, riding.tag, Some(riding.vehicle), riding.seat.drives));
        for had in weapons.chain(rides) {
            self.0.retain(|before| (before.1, before.2, before.3) != (had.1, had.2, had.3));
            self.0.insert(0, had);
        }
    }

    pub(crate) fn source(&self, tick: Tick, effect: Tag, tags: &impl Tags) -> Option<Source> {
        self.0.iter().filter(|had| tick.since(had.0) <= 300).find_map(|had| {
            let deals = tags.deals(had.1, effect)?;
            let rams = matches!(deals.means, Means::Collision { .. });
            (!rams || had.3).then_some(Source { tag: had.1, deals, vehicle: had.2 })
        })
    }
}
