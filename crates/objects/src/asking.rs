//! When a client asks for the host's objects (OBJ-48). Knows no object.

use mjolnir_wire::Tick;

/// Ticks until a client without its list asks again, at first: 1 s.
pub const ASK_AGAIN: u32 = 30;
/// That wait doubles to this: 4 s.
pub const ASK_AGAIN_MOST: u32 = 120;
/// Ticks from a creation that failed until a client asks for the list, at first: the host's ten seconds and one.
pub const ASK_AFTER_FAILURE: u32 = 330;
/// That wait doubles to this: 60 s.
pub const ASK_AFTER_FAILURE_MOST: u32 = 1800;

/// When to ask next, and how long to wait after that: twice as long each time, to a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    due: Tick,
    wait: u32,
    most: u32,
}

impl Timer {
    fn rings(&mut self, tick: Tick) -> bool {
        let rings = tick >= self.due;
        if rings {
            self.due = tick.plus(self.wait);
            self.wait = (self.wait * 2).min(self.most);
        }
        rings
    }
}

/// Which ask is sent, by the count of its kind 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Ask {
    /// The client has loaded.
    Loaded = 0,
    /// It lacks something still.
    Again = 1,
}

/// Whether a client waits for something of the host's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Asking {
    /// It has not loaded.
    #[default]
    Loading,
    /// It has not the full list; what it asks next.
    Unlisted(Timer, Ask),
    /// It has every object that it was told of.
    Complete,
    /// It could not make some.
    Lacking(Timer),
}

impl Asking {
    /// The client has loaded: it asks at once.
    pub(crate) const fn loaded(tick: Tick) -> Self {
        Self::Unlisted(Timer { due: tick, wait: ASK_AGAIN, most: ASK_AGAIN_MOST }, Ask::Loaded)
    }

    /// The host's list has ended.
    pub(crate) const fn listed(&mut self) {
        if let Self::Loading | Self::Unlisted(..) = self {
            *self = Self::Complete;
        }
    }

    /// Whether the list has ended.
    pub(crate) const fn is_listed(&self) -> bool {
        matches!(self, Self::Complete | Self::Lacking(_))
    }

    /// What to ask in this tick, if anything. `lacks` says whether something that was told of is not there.
    pub(crate) fn next(&mut self, tick: Tick, lacks: bool) -> Option<Ask> {
        match self {
            Self::Complete if lacks => {
                let due = tick.plus(ASK_AFTER_FAILURE);
                let wait = 2 * ASK_AFTER_FAILURE;
                *self = Self::Lacking(Timer { due, wait, most: ASK_AFTER_FAILURE_MOST });
                None
            }
            Self::Lacking(_) if !lacks => {
                *self = Self::Complete;
                None
            }
            Self::Lacking(timer) => timer.rings(tick).then_some(Ask::Again),
            Self::Unlisted(timer, ask) => timer.rings(tick).then(|| core::mem::replace(ask, Ask::Again)),
            Self::Loading | Self::Complete => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(asking: &mut Asking, until: u32, lacks: bool) -> alloc::vec::Vec<(u32, Ask)> {
        let ticks = (0..until * 30).map(|number| (number, Tick::ZERO.plus(number)));
        ticks.filter_map(|(number, tick)| Some((number / 30, asking.next(tick, lacks)?))).collect()
    }

    /// OBJ-48: as soon as it has loaded, then after 1, 3, 7, 11 s and each four from there.
    #[test]
    fn a_client_without_its_list_asks_again() {
        let mut asking = Asking::loaded(Tick::ZERO);
        let asked = seconds(&mut asking, 16, true);
        let again = [1, 3, 7, 11, 15].map(|second| (second, Ask::Again));
        assert_eq!(asked[0], (0, Ask::Loaded));
        assert_eq!(asked[1..], again);
        asking.listed();
        assert!(asking.is_listed());
        assert_eq!(seconds(&mut asking, 30, false), []);
    }

    /// OBJ-48: 11, 33 and 77 s after the first failure, then each minute; what was made since ends it.
    #[test]
    fn a_client_that_could_not_make_an_object_asks_again() {
        let mut asking = Asking::loaded(Tick::ZERO);
        asking.listed();
        let again = [11, 33, 77, 137].map(|second| (second, Ask::Again));
        assert_eq!(seconds(&mut asking, 190, true), again);
        asking.listed();
        assert_eq!(asking.next(Tick::ZERO.plus(9000), false), None);
        assert_eq!(seconds(&mut asking, 12, true), [(11, Ask::Again)]);
    }

    /// OBJ-48: nothing is asked while it loads.
    #[test]
    fn a_client_that_loads_asks_nothing() {
        assert_eq!(seconds(&mut Asking::default(), 60, true), []);
    }
}
