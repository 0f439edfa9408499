//! Hashes of several pieces at once, beside the oracle's of one.

use mjolnir_mapshare::disk::{Clerk, Engine, Memory, hash_pieces};
use mjolnir_mapshare::hash::{of_piece, of_pieces};
use mjolnir_mapshare::{Done, Job};
use std::sync::Arc;
use std::time::Duration;

use crate::scene::{Chance, Game, LEVEL, PIECE, hash_of, map, pieces_of};

/// MAP-04: any pieces of any lengths have together the hashes that the oracle has of each.
#[test]
fn pieces_together_are_as_the_oracle_has_them() {
    let seed = 20_260_311;
    println!("seed {seed}");
    let mut chance = Chance(seed);
    for round in 0..60 {
        let count = chance.below(18);
        let pieces: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let length = match chance.below(3) {
                    0 => 1 + chance.below(300),
                    1 => 1 + chance.below(PIECE),
                    _ => PIECE,
                };
                map(chance.next(), length.max(3))
            })
            .collect();
        let mut hashes = Vec::new();
        hash_pieces(pieces.iter().map(Vec::as_slice), &mut hashes);
        let oracle: Vec<_> = pieces.iter().map(|piece| of_piece(piece)).collect();
        assert_eq!(hashes, oracle, "round {round}");
    }
}

/// MAP-04: the golden files have their hashes, byte i of each being (31 i + 7 floor(i / 256)) mod 256.
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
        let mut hashes = Vec::new();
        hash_pieces(bytes.chunks(PIECE), &mut hashes);
        assert_eq!(format!("{:?}", of_pieces(size as u64, &hashes)), hash);
    }
}

/// MAP-04, 65: a file has one hash on any number of cores, at each length about which it is parted.
#[test]
fn a_files_hash_is_the_same_on_any_cores() {
    for count in [1, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129] {
        for length in [count * PIECE - 1, count * PIECE, count * PIECE + 1] {
            let bytes = map(length as u64, length);
            let folder = Memory::new();
            folder.set("hugeass.map", &bytes);
            let (hash, pieces) = (hash_of(&bytes), pieces_of(&bytes));
            for cores in [1, 2, 3, 4] {
                let mut clerk = Clerk::with(folder.clone(), Game, Engine::on(cores), Arc::new(|| ()));
                clerk.give(Job::Look { ticket: 0, level: LEVEL.into(), version: None });
                while clerk.step(Duration::ZERO) {}
                let mut dones = Vec::new();
                clerk.take(&mut dones);
                let [Done::Looked { map: Ok(Some((found, hashes))), .. }] = &dones[..] else {
                    panic!("{dones:?}")
                };
                assert_eq!((found.hash, hashes), (hash, &pieces), "{length} bytes on {cores}");
            }
        }
    }
}
