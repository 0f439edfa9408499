//! Messages as JSON: of hexadecimal, and of captures. It shows what `wire` reads, by `wire`'s own readers, and decodes
//! nothing itself; it knows no game and no socket.

pub mod capture;
pub mod dump;
pub mod fields;
pub mod frames;
pub mod hex;
mod meanings;
pub mod options;
pub mod others;
pub mod packet;
pub mod reading;
pub mod streams;
