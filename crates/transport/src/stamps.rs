//! One sender's stamps: which of its messages are too old, too far, or to be believed (NET-11..14, 74, 75). Knows no
//! address and no message's contents.

use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::{Kind, Tick};

use crate::error::Error;

/// A datagram stamped more ticks than this from the newest is dropped: 15 s (NET-11).
pub const STAMP_WINDOW: i32 = 450;
/// A stamp more ticks than this ahead of the newest is believed when another agrees within as many (NET-74).
pub const STAMP_STEP: i32 = 30;

/// What one sender's messages were stamped with.
#[derive(Clone, Debug)]
pub(crate) struct Stamps {
    newest: Option<Tick>,
    /// By kind's place.
    of_kind: [Option<Tick>; KINDS.len()],
    /// A stamp far ahead that nothing agreed with yet.
    far: Option<Tick>,
}

impl Stamps {
    /// Of a sender whose time is not known: no datagram of it is taken.
    pub(crate) const fn new() -> Self {
        Self { newest: None, of_kind: [None; KINDS.len()], far: None }
    }

    /// Its time is that, about: what it said before is forgotten.
    pub(crate) const fn begin(&mut self, tick: Tick) {
        *self = Self { newest: Some(tick), ..Self::new() };
    }

    /// Whether its datagrams are taken at all.
    pub(crate) const fn has_begun(&self) -> bool {
        self.newest.is_some()
    }

    /// A message came over the stream: it is taken whatever its tick, but that kind 65 is never older than the
    /// newest (NET-12, 13).
    pub(crate) fn stream(&mut self, kind: Kind, tick: Tick) -> Result<(), Error> {
        if kind == Kind::StructureBsp {
            self.in_order(kind, tick, true)?;
        }
        if self.newest.is_some_and(|newest| tick > newest) {
            self.newest = Some(tick);
        }
        Ok(())
    }

    /// The sender's clock is that, by its stream: it begins with the first, and goes on with the later.
    pub(crate) fn clock(&mut self, tick: Tick) {
        match self.newest {
            None => self.begin(tick),
            Some(newest) => self.newest = Some(newest.max(tick)),
        }
    }

    /// A datagram came: whether what it holds may move the filters, or why none of it is taken.
    pub(crate) fn datagram(&mut self, tick: Tick) -> Result<bool, Error> {
        let newest = self.newest.ok_or(Error::NoBaseline)?;
        let ahead = tick.since(newest);
        if ahead.abs() > STAMP_WINDOW {
            return Err(Error::FarStamp);
        }
        if ahead <= STAMP_STEP {
            self.newest = Some(newest.max(tick));
            return Ok(true);
        }
        // The same stamp once more may be the same datagram, doubled.
        let agrees = self.far.is_some_and(|far| far != tick && tick.since(far).abs() <= STAMP_STEP);
        self.far = if agrees { None } else { Some(tick) };
        if agrees {
            self.newest = Some(tick);
        }
        Ok(agrees)
    }

    /// A message of a datagram, or of kind 65, came: whether it is as new as the newest of its kind.
    pub(crate) fn in_order(&mut self, kind: Kind, tick: Tick, moves: bool) -> Result<(), Error> {
        if !kind.info().sheds {
            return Ok(());
        }
        let newest = &mut self.of_kind[kind.place()];
        if newest.is_some_and(|newest| tick < newest) {
            return Err(Error::Stale);
        }
        if moves {
            *newest = Some(tick);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn at(number: i32) -> Stamps {
        let mut stamps = Stamps::new();
        stamps.begin(tick(number));
        stamps
    }

    /// NET-11: both sides of 15 seconds, and nothing before the baseline.
    #[test]
    fn a_datagram_is_within_fifteen_seconds_of_the_newest() {
        for (stamp, taken) in [(1450, true), (1451, false), (550, true), (549, false)] {
            assert_eq!(at(1000).datagram(tick(stamp)).is_ok(), taken, "{stamp}");
        }
        assert_eq!(Stamps::new().datagram(tick(0)), Err(Error::NoBaseline));
        assert!(at(200_000).datagram(tick(199_995)).is_ok());
    }

    /// NET-12: the stream is taken whatever its tick and moves the newest forward only.
    #[test]
    fn the_stream_moves_the_newest_forward() {
        let mut stamps = at(1000);
        assert_eq!(stamps.stream(Kind::HitReports, tick(2800)), Ok(()));
        assert_eq!(stamps.datagram(tick(2790)), Ok(true));
        assert_eq!(stamps.stream(Kind::HitReports, tick(10)), Ok(()));
        assert_eq!(stamps.datagram(tick(2790)), Ok(true));
        let mut none = Stamps::new();
        assert_eq!(none.stream(Kind::HitReports, tick(5)), Ok(()));
        assert!(!none.has_begun());
    }

    /// NET-13: each kind of the list drops what is older and takes what is as old; the others take all.
    #[test]
    fn each_kind_that_sheds_drops_what_is_older() {
        for info in KINDS {
            let mut stamps = at(100);
            assert_eq!(stamps.in_order(info.kind, tick(100), true), Ok(()));
            assert_eq!(stamps.in_order(info.kind, tick(99), true).is_ok(), !info.sheds, "{:?}", info.kind);
            assert_eq!(stamps.in_order(info.kind, tick(100), true), Ok(()));
            let other = if info.kind == Kind::Pings { Kind::UnitStates } else { Kind::Pings };
            assert_eq!(stamps.in_order(other, tick(99), true), Ok(()));
        }
        let mut stamps = at(100);
        assert_eq!(stamps.stream(Kind::StructureBsp, tick(100)), Ok(()));
        assert_eq!(stamps.stream(Kind::StructureBsp, tick(99)), Err(Error::Stale));
        // What goes by both channels sheds in a batch alone.
        for kind in [Kind::PlayerStatistics, Kind::DamageEvents, Kind::CoopEvents] {
            assert_eq!(stamps.in_order(kind, tick(100), true), Ok(()));
            assert_eq!(stamps.stream(kind, tick(99)), Ok(()));
        }
        let sheds = KINDS.iter().filter(|info| info.sheds).map(|info| info.kind as u8);
        let list = [1, 2, 3, 4, 6, 10, 12, 14, 15, 19, 64, 65, 66, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77];
        assert!(sheds.eq(list));
    }

    /// NET-74: a stamp far ahead moves nothing until another agrees; a true gap needs two.
    #[test]
    fn a_stamp_far_ahead_moves_nothing_until_another_agrees() {
        let mut stamps = at(1000);
        assert_eq!(stamps.datagram(tick(1030)), Ok(true));
        let mut stamps = at(1000);
        assert_eq!(stamps.datagram(tick(1031)), Ok(false));
        let mut stamps = at(1000);
        assert_eq!(stamps.datagram(tick(1300)), Ok(false));
        assert_eq!(stamps.in_order(Kind::Pings, tick(1300), false), Ok(()));
        assert_eq!(stamps.datagram(tick(1001)), Ok(true));
        assert_eq!(stamps.in_order(Kind::Pings, tick(1001), true), Ok(()));
        assert_eq!(stamps.datagram(tick(1302)), Ok(true));
        assert_eq!(stamps.in_order(Kind::Pings, tick(1302), true), Ok(()));
        assert_eq!(stamps.in_order(Kind::Pings, tick(1301), true), Err(Error::Stale));
        assert_eq!(stamps.datagram(tick(1303)), Ok(true));
        let mut stamps = at(1000);
        assert_eq!(stamps.datagram(tick(1300)), Ok(false));
        assert_eq!(stamps.datagram(tick(1331)), Ok(false), "one tick too far to agree");
        assert_eq!(stamps.datagram(tick(1331)), Ok(false), "a doubled one agrees with nothing");
        assert_eq!(stamps.datagram(tick(1301)), Ok(true));
    }
}
