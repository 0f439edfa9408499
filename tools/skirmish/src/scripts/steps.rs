//! What scripts are made of: whom one is about, steps that are done once, a button that is held for a while. Knows no script.

use mjolnir_wire::Slot;

use crate::game::World;

/// Ticks by which a machine may come to a script's begin late: its ticks leave some out. Who comes later than that has none
/// of it.
const LATE: i64 = 15;

/// Whom a script is about: the last player there is as it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    /// When it begins.
    begins: i64,
    is: Is,
}

#[derive(Clone, Copy, Debug)]
enum Is {
    /// It has not begun.
    Unknown,
    Known(Slot),
    /// It began without this machine, or without anybody.
    Nobody,
}

impl Who {
    /// Of one that begins at that tick, as its steps count them.
    pub(super) const fn since(begins: i64) -> Self {
        Self { begins, is: Is::Unknown }
    }

    /// Whom it is about in that tick. `Err` while that is nobody, once with what there is to say of it.
    pub(super) fn at(&mut self, tick: i64, world: &World) -> Result<Slot, Option<&'static str>> {
        if tick < self.begins {
            return Err(None);
        }
        match (self.is, world.last_player()) {
            (Is::Known(slot), _) => Ok(slot),
            (Is::Nobody, _) => Err(None),
            (Is::Unknown, Some(slot)) if tick <= self.begins + LATE => {
                self.is = Is::Known(slot);
                Ok(slot)
            }
            (Is::Unknown, _) => {
                self.is = Is::Nobody;
                Err(Some("it was to begin before every player was in"))
            }
        }
    }

    /// The same once it has begun.
    pub(super) const fn known(self) -> Option<Slot> {
        match self.is {
            Is::Known(slot) => Some(slot),
            Is::Unknown | Is::Nobody => None,
        }
    }
}

/// A step that is done once: at its tick, or within so many more as soon as it can be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    at: i64,
    patience: i64,
    is_done: bool,
}

impl Step {
    pub(super) const fn new(at: i64, patience: i64) -> Self {
        Self { at, patience, is_done: false }
    }

    /// Tries it, if it is due. What came of it, once it was done or is given up.
    pub(super) fn run(&mut self, tick: i64, does: impl FnOnce() -> Result<String, String>) -> Option<String> {
        if self.is_done || tick < self.at {
            return None;
        }
        let came = does();
        self.is_done = came.is_ok() || tick >= self.at + self.patience;
        came.map_or_else(|why| self.is_done.then_some(why), Some)
    }
}

/// The action button, held from one tick to before another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    from: i64,
    until: i64,
    is_held: bool,
}

impl Hold {
    pub(super) const fn new(from: i64, until: i64) -> Self {
        Self { from, until, is_held: false }
    }

    /// What there is to say of it in that tick.
    pub(super) fn note(&mut self, tick: i64) -> Option<&'static str> {
        let is_held = (self.from..self.until).contains(&tick);
        let before = std::mem::replace(&mut self.is_held, is_held);
        match (before, is_held) {
            (false, true) => Some("holds action"),
            (true, false) => Some("lets go of action"),
            _ => None,
        }
    }
}
