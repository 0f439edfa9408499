//! Every player's round trip, as the host shows it (kind 19, FACT wire 3.12). Knows no clock: what was measured is
//! given to it.

use alloc::vec::Vec;

use libm::roundf;

use crate::error::Error;
use crate::ids::Slot;
use crate::layout::{Pad, layout};
use crate::message::Message;

/// Milliseconds that stand for a round trip that nobody knows.
pub const UNKNOWN_MILLISECONDS: u16 = 0xFFFF;

layout! {
    /// An entry of kind 19.
    pub struct PingEntry = 4 {
        /// Whose it is.
        player: u8 = 0,
        /// Nothing.
        pad_1: Pad<1> = 1,
        /// 0 for the host's own players, 0xFFFF unknown.
        milliseconds: u16 = 2,
    }
}

/// One player's round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Whose it is.
    pub slot: Slot,
    /// 0..=65534, 0 for the host's own players; none while nobody knows it.
    pub milliseconds: Option<u16>,
}

impl Ping {
    /// A round trip that was measured in ticks (WIRE-46).
    pub fn of_ticks(slot: Slot, ticks: Option<f32>) -> Self {
        Self { slot, milliseconds: ticks.map(milliseconds_of_ticks) }
    }

    /// Checks an entry that came.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = PingEntry::read(bytes)?;
        Ok(Self {
            slot: Slot::read(raw.player)?,
            milliseconds: (raw.milliseconds != UNKNOWN_MILLISECONDS).then_some(raw.milliseconds),
        })
    }

    /// The entries of a kind 19 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }

    /// Appends the entry; longer than 65534 ms is 65534.
    pub fn write(&self, to: &mut Vec<u8>) {
        let milliseconds =
            self.milliseconds.map_or(UNKNOWN_MILLISECONDS, |ms| ms.min(UNKNOWN_MILLISECONDS - 1));
        PingEntry { player: self.slot.get(), pad_1: Pad, milliseconds }.write(to);
    }
}

/// What travels of a round trip measured in ticks: `round(ticks * 100 / 3)`, 0..=65534 (WIRE-46).
pub fn milliseconds_of_ticks(ticks: f32) -> u16 {
    // The cast pins what is below 0 or not a number to 0.
    (roundf(ticks * 100.0 / 3.0) as u16).min(UNKNOWN_MILLISECONDS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WIRE-46 (in part: pings): ticks travel as whole milliseconds, never as the value that means unknown.
    #[test]
    fn ticks_travel_as_milliseconds() {
        for (ticks, milliseconds) in [
            (0.0, 0),
            (1.0, 33),
            (6.0, 200),
            (1966.0, 65533),
            (1966.03, 65534),
            (1e9, 65534),
            (-1.0, 0),
            (f32::NAN, 0),
        ] {
            assert_eq!(milliseconds_of_ticks(ticks), milliseconds, "{ticks}");
        }
    }
}
