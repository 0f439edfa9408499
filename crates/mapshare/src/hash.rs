//! A file's hash: of a label, its size and its pieces' hashes (MAP-04). Knows no file.

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use mjolnir_wire::mapshare::FileHash;

/// What a file's hash begins with. No public source has it: it is ours.
pub const HASH_LABEL: &[u8; 13] = b"mjolnir map 1";

/// BLAKE2b-256 of a piece.
pub type PieceHash = [u8; 32];

/// The hash of a file of that many bytes whose pieces have those hashes, in order.
pub fn of_pieces(size: u64, pieces: &[PieceHash]) -> FileHash {
    let mut hasher = Blake2b::<U32>::new();
    hasher.update(HASH_LABEL);
    hasher.update(size.to_le_bytes());
    hasher.update(pieces.as_flattened());
    FileHash(hasher.finalize().into())
}

/// The hash of a piece, of 1 to 262 144 bytes, one at a time.
pub fn of_piece(bytes: &[u8]) -> PieceHash {
    Blake2b::<U32>::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use mjolnir_wire::mapshare::PIECE_BYTES;

    use super::*;

    fn hex(text: &str) -> [u8; 32] {
        core::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
    }

    /// MAP-04: the golden files' hashes, byte i of each being (31 i + 7 floor(i / 256)) mod 256.
    #[test]
    fn the_golden_files_have_their_hashes() {
        for (size, hash) in [
            (0, "8d6892a8366376f024f67e70a17308c2c5a00fe64803766aa2f85fcab3eb9214"),
            (1, "3b87329858224fb2930c78d5c65f566814f44da2d69737afa8fb1d768fed4f99"),
            (262_144, "4833de5bbd988eac9772c358bd8af78ae36e20a2744a9c0468e7771058f051cd"),
            (262_145, "cabbdc93e448e383cdf1346ea5d6b3753f22bf76f5319bd5aba3a23eaee808f5"),
            (600_000, "76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b"),
        ] {
            let bytes: Vec<u8> = (0..size).map(|i: usize| (31 * i + 7 * (i / 256)) as u8).collect();
            let pieces: Vec<_> = bytes.chunks(PIECE_BYTES as usize).map(of_piece).collect();
            assert_eq!(of_pieces(size as u64, &pieces), FileHash(hex(hash)), "{size}");
        }
    }

    /// MAP-02: the map version is the hash's first four bytes as they stand.
    #[test]
    fn the_version_is_the_first_four_bytes() {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&[0x0e, 0x2b, 0x3e, 0xe4]);
        assert_eq!(FileHash(hash).version(), 0xe43e_2b0e);
    }
}
