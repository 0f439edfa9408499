//! The settings in their four pieces (packet 6, WIRE-92, FACT wire 4.3). Knows bytes, not settings.

use alloc::vec::Vec;

use super::list::{Packet, SettingsPiece};
use super::settings::SettingsRecord;
use crate::error::Error;

/// Bytes of a piece, all of them always sent.
pub const PIECE_BYTES: usize = 0xE00;

/// Appends the packets that bring a record, whole, in order.
pub fn write_settings(record: &SettingsRecord, to: &mut Vec<u8>) -> Result<(), Error> {
    record.check()?;
    let mut bytes = Vec::with_capacity(SettingsRecord::SIZE);
    record.write(&mut bytes);
    for (i, piece) in bytes.chunks(PIECE_BYTES).enumerate() {
        let mut raw = [0; PIECE_BYTES];
        raw[..piece.len()].copy_from_slice(piece);
        let (offset, length) = ((i * PIECE_BYTES) as u16, piece.len() as u16);
        let total = SettingsRecord::SIZE as u16;
        Packet::SettingsPiece(SettingsPiece { total, offset, length, bytes: &raw }).write(to)?;
    }
    Ok(())
}

/// Puts pieces together.
#[derive(Debug, Default)]
pub struct SettingsAssembler {
    bytes: Vec<u8>,
}

impl SettingsAssembler {
    /// With no piece.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece: the record's bytes once they are all there. One at offset 0 starts anew; one that
    /// does not follow the last, of another total, or past the end changes nothing.
    pub fn push(&mut self, piece: &SettingsPiece<'_>) -> Result<Option<&[u8]>, Error> {
        let (offset, length) = (usize::from(piece.offset), usize::from(piece.length));
        if usize::from(piece.total) != SettingsRecord::SIZE || length == 0 || length > PIECE_BYTES {
            return Err(Error::OutOfRange);
        }
        if offset + length > SettingsRecord::SIZE {
            return Err(Error::TooLong);
        }
        if offset != 0 && offset != self.bytes.len() {
            return Err(Error::BadIndex);
        }
        if offset == 0 {
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(&piece.bytes[..length]);
        Ok((self.bytes.len() == SettingsRecord::SIZE).then_some(&self.bytes[..]))
    }
}
