//! Bytes and JSON for the tests.

use mjolnir_netdump::reading::{self, Misread};
use mjolnir_wire::message::{MessageType, word};
use serde_json::Value;

/// The golden vectors, which `wire` keeps.
pub(crate) fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../../crates/wire/tests/vectors.json")).unwrap()
}

pub(crate) fn hex(text: &str) -> Vec<u8> {
    mjolnir_netdump::hex::bytes(text.as_bytes()).unwrap()
}

/// A message of the netcode's, stamped 7, framed by hand.
pub(crate) fn message(kind: u8, count: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = word(MessageType::Data, 8 + body.len()).unwrap().to_vec();
    bytes.extend([kind, count, 7, 0, 0, 0]);
    bytes.extend(body);
    bytes
}

/// A packet of the game's, framed by hand.
pub(crate) fn packet(number: u8, fields: &[u8]) -> Vec<u8> {
    let mut bytes = word(MessageType::Packet, 4 + fields.len()).unwrap().to_vec();
    bytes.push(1);
    bytes.extend(fields);
    bytes.push(number);
    bytes
}

/// What is shown of those bytes, or why nothing is.
pub(crate) fn shown(bytes: &[u8]) -> Result<Value, Misread> {
    let reading = reading::read(bytes)?;
    let text = serde_json::to_string(&reading).unwrap();
    reading.first_wrong().map_or_else(|| Ok(serde_json::from_str(&text).unwrap()), Err)
}
