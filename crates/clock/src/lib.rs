//! Time: a machine's own count of ticks, how a client's starts from the host's and follows it, and how long a word
//! takes there and back.
//!
//! Every machine counts its own ticks, 30 a second ([`Pace`]), and waits for nobody. A client takes the host's time
//! with the first game update, and from then on only ever jumps forward to it ([`Client`]); the host counts, says
//! when each machine is due a game update, and measures each client's round trip ([`Host`]).
//!
//! It knows no message's bytes, no connection and no game. Moments come from its caller; it reads no clock.
#![no_std]

mod client;
mod error;
mod host;
mod meter;
mod pace;
mod trip;

pub use client::{Client, SILENCE_MICROS, STAMP_STEP};
pub use error::Error;
pub use host::{HEARD_TICKS, Host, UPDATE_EVERY, UPDATES_AT_FIRST};
pub use meter::{METER_TICKS, Meter};
pub use pace::{ARRIVAL_MARGIN, CATCH_UP_TICKS, Pace};
pub use trip::RoundTrip;

/// The count of a game update, which travels without its sign: 2147483647 is followed by 0 (FACT wire 4).
const fn count_after(update: i32) -> i32 {
    update.wrapping_add(1) & i32::MAX
}
