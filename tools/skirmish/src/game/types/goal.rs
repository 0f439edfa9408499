//! An object that a game is about, where it is decided who has it: what became of it since the tick before. Knows no
//! rule of who may take it, and no score.

use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::{TOUCHES, touches};
use crate::game::hash::Hash;
use crate::game::world::World;

/// Ticks in which one who let it fall does not take it again (a second). Ours.
const BARRED: u8 = 30;
/// It is at home from so near, in wu.
const HOME: f32 = 0.3;

#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) object: ObjectId,
    /// Where it lies at first.
    home: Vec3,
    /// Who had it after the tick before.
    by: Option<Slot>,
    barred: Option<(Slot, u8)>,
    /// It has been away from home.
    pub(super) is_out: bool,
    /// Ticks that it has lain away from home.
    pub(super) lies: u16,
}

/// What it is seen to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    /// It is no more.
    Gone,
    /// That player has it, there.
    With(Slot, Vec3),
    /// It lies at home, where it was.
    AtHome,
    /// It lies at home again, though nobody brought it: it fell out of the world.
    Back,
    /// It lies elsewhere.
    Lies,
}

impl Goal {
    pub(super) const fn new(object: ObjectId, home: Vec3) -> Self {
        Self { object, home, by: None, barred: None, is_out: false, lies: 0 }
    }

    pub(super) fn look(&mut self, world: &World) -> Seen {
        let Some(place) = world.motion(self.object).map(|motion| motion.position) else { return Seen::Gone };
        if let Some(slot) = world.bearer(self.object) {
            (self.by, self.barred, self.is_out, self.lies) = (Some(slot), None, true, 0);
            return Seen::With(slot, place);
        }
        if let Some(slot) = self.by.take() {
            self.barred = Some((slot, BARRED));
        }
        self.barred = self.barred.and_then(|(slot, left)| Some((slot, left.checked_sub(1)?)));
        let is_home = place.distance(self.home) <= HOME;
        if !self.is_out && is_home {
            return Seen::AtHome;
        }
        if is_home {
            (self.is_out, self.lies) = (false, 0);
            return Seen::Back;
        }
        self.is_out = true;
        self.lies = self.lies.saturating_add(1);
        Seen::Lies
    }

    /// The first by slot who lives, is on foot, touches it and may take it.
    pub(super) fn toucher(&self, world: &World, may: impl Fn(Slot) -> bool) -> Option<Slot> {
        let place = world.motion(self.object)?.position;
        let is_barred = |slot| self.barred.is_some_and(|(barred, _)| barred == slot);
        let touching = |slot: &Slot| world.on_foot(*slot).is_some_and(|feet| touches(feet, place, TOUCHES));
        Slot::all().find(|slot| touching(slot) && !is_barred(*slot) && may(*slot))
    }

    /// Brings it home, out of whoever's hands.
    pub(super) fn send_home(&mut self, world: &mut World) {
        world.bring(self.object, self.home);
        (self.by, self.barred, self.is_out, self.lies) = (None, None, false, 0);
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        hash.word(u64::from(self.object.raw() as u32));
        hash.word(u64::from(Slot::byte_or_none(self.by)) << 1 | u64::from(self.is_out));
        let (slot, left) = self.barred.map_or((None, 0), |(slot, left)| (Some(slot), left));
        hash.word(u64::from(Slot::byte_or_none(slot)) << 8 | u64::from(left));
        hash.word(u64::from(self.lies));
    }
}
