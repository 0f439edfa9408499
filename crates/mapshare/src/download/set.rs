//! Some of a file's pieces, as bits, and how many ends have each. Knows no file and no end.
//!
//! How many ends have a piece is kept in planes: bit p of plane n is bit n of piece p's count. So an end's pieces are counted, and
//! the rarest of some are found, 64 pieces at a time; neither looks at each piece, whatever ends say that they have.

use alloc::boxed::Box;
use alloc::vec;

/// Bits of a count: 31 ends at most.
const PLANES: usize = 5;
/// Most ends that [`Counts`] counts.
pub(super) const COUNTED_MAX: usize = (1 << PLANES) - 1;

/// Words that are looked at before it is asked whether the rest must be.
const CHUNK: usize = 32;
/// Bits of a word.
const BITS: u32 = u64::BITS;

fn words(count: u32) -> Box<[u64]> {
    vec![0; count.div_ceil(BITS) as usize].into()
}

/// Some of a file's pieces. Who puts one in has seen that the file has it.
#[derive(Clone, Debug)]
pub(super) struct PieceSet {
    words: Box<[u64]>,
    len: u32,
}

impl PieceSet {
    /// None of so many.
    pub(super) fn none(count: u32) -> Self {
        Self { words: words(count), len: 0 }
    }

    /// Those of a bitmap, a bit a piece, least significant first, without bits past the last.
    pub(super) fn of_bitmap(count: u32, bitmap: &[u8]) -> Self {
        let mut set = Self::none(count);
        for (word, bytes) in set.words.iter_mut().zip(bitmap.chunks(BITS as usize / 8)) {
            let mut whole = [0; BITS as usize / 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
            set.len += word.count_ones();
        }
        set
    }

    /// How many.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Whether that one is among them.
    pub(super) fn contains(&self, piece: u32) -> bool {
        self.words.get((piece / BITS) as usize).is_some_and(|word| word & bit(piece) != 0)
    }

    /// With that one; whether it was not among them.
    pub(super) fn insert(&mut self, piece: u32) -> bool {
        let Some(word) = self.words.get_mut((piece / BITS) as usize) else { return false };
        let is_new = *word & bit(piece) == 0;
        *word |= bit(piece);
        self.len += u32::from(is_new);
        is_new
    }

    /// Without that one; whether it was among them.
    pub(super) fn remove(&mut self, piece: u32) -> bool {
        let Some(word) = self.words.get_mut((piece / BITS) as usize) else { return false };
        let was = *word & bit(piece) != 0;
        *word &= !bit(piece);
        self.len -= u32::from(was);
        was
    }

    /// Its words.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }
}

fn bit(piece: u32) -> u64 {
    1 << (piece % BITS)
}

/// How many ends have each of a file's pieces, of the ends that have some of it.
#[derive(Debug)]
pub(super) struct Counts {
    planes: [Box<[u64]>; PLANES],
    /// Ends that are counted: no count is higher.
    ends: u32,
}

impl Counts {
    /// Nobody has any of so many.
    pub(super) fn none(count: u32) -> Self {
        Self { planes: core::array::from_fn(|_| words(count)), ends: 0 }
    }

    /// Another end has those. Not more than [`COUNTED_MAX`] ends.
    pub(super) fn add(&mut self, set: &PieceSet) {
        self.ends += 1;
        for (at, bits) in set.words.iter().enumerate() {
            self.add_word(at, *bits);
        }
    }

    /// An end of those that were added has that one too.
    pub(super) fn add_one(&mut self, piece: u32) {
        self.add_word((piece / BITS) as usize, bit(piece));
    }

    fn add_word(&mut self, at: usize, bits: u64) {
        let mut carry = bits;
        for plane in &mut self.planes {
            let old = plane[at];
            plane[at] = old ^ carry;
            carry &= old;
        }
    }

    /// An end that was added does not have those any more.
    pub(super) fn remove(&mut self, set: &PieceSet) {
        self.ends -= 1;
        for (at, bits) in set.words.iter().enumerate() {
            let mut borrow = *bits;
            for plane in &mut self.planes {
                let old = plane[at];
                plane[at] = old ^ borrow;
                borrow &= !old;
            }
        }
    }

    /// Leaves those that fewest have, and says how many that is; none where there were none.
    pub(super) fn keep_rarest(&self, among: &mut [u64]) -> Option<u32> {
        if among.iter().all(|word| *word == 0) {
            return None;
        }
        let mut count = 0;
        let planes = (u32::BITS - self.ends.leading_zeros()) as usize;
        for (power, plane) in self.planes.iter().enumerate().take(planes).rev() {
            let mut chunks = among.chunks(CHUNK).zip(plane.chunks(CHUNK));
            let is_any_without = chunks.any(|(among, plane)| {
                among.iter().zip(plane).fold(0, |any, (word, ones)| any | (word & !ones)) != 0
            });
            if is_any_without {
                among.iter_mut().zip(plane).for_each(|(word, ones)| *word &= !ones);
            } else {
                count |= 1 << power;
            }
        }
        Some(count)
    }
}

/// The first of those from `start` on, then from 0 on.
pub(super) fn first_from(start: u32, among: &[u64]) -> Option<u32> {
    let at = (start / BITS) as usize;
    let number = |at: usize, word: u64| at as u32 * BITS + word.trailing_zeros();
    let after = among.get(at).map_or(0, |word| word & (u64::MAX << (start % BITS)));
    if after != 0 {
        return Some(number(at, after));
    }
    let later = among.iter().enumerate().skip(at + 1);
    // The word at `start` once more, for what of it is before.
    let (at, word) = later.chain(among.iter().enumerate().take(at + 1)).find(|(_, word)| **word != 0)?;
    Some(number(at, *word))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    const COUNT: u32 = 150;

    fn set(of: &[u32]) -> PieceSet {
        let mut set = PieceSet::none(COUNT);
        of.iter().for_each(|piece| {
            set.insert(*piece);
        });
        set
    }

    fn pieces(words: &[u64]) -> Vec<u32> {
        (0..COUNT).filter(|piece| words[(piece / BITS) as usize] & bit(*piece) != 0).collect()
    }

    #[test]
    fn a_bitmap_is_read_bit_by_bit() {
        let set = PieceSet::of_bitmap(75, &[0x05, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x04]);
        assert_eq!(pieces_of(&set), [0, 2, 63, 64, 74]);
        assert_eq!(set.len(), 5);
    }

    fn pieces_of(set: &PieceSet) -> Vec<u32> {
        (0..COUNT).filter(|piece| set.contains(*piece)).collect()
    }

    #[test]
    fn what_is_far_past_the_last_is_in_no_set() {
        let mut set = PieceSet::none(64);
        assert!(set.insert(63) && !set.insert(63) && !set.insert(64));
        assert!(!set.contains(64) && !set.remove(64));
        assert_eq!(set.len(), 1);
        assert!(set.remove(63) && !set.remove(63));
        assert_eq!(set.len(), 0);
    }

    #[test]
    fn the_first_is_looked_for_all_around() {
        let words = set(&[3, 64, 70, 149]).words;
        for (start, first) in [(0, 3), (3, 3), (4, 64), (65, 70), (71, 149), (149, 149)] {
            assert_eq!(first_from(start, &words), Some(first), "{start}");
        }
        assert_eq!(first_from(71, &set(&[64, 70]).words), Some(64));
        assert_eq!(first_from(149, &set(&[148]).words), Some(148));
        assert_eq!(first_from(20, &set(&[]).words), None);
    }

    /// As many ends as there may be, and none of them wraps to none.
    #[test]
    fn the_most_ends_are_counted() {
        let mut counts = Counts::none(COUNT);
        (0..COUNTED_MAX).for_each(|_| counts.add(&set(&[7])));
        let mut among = set(&[7]).words;
        assert_eq!(counts.keep_rarest(&mut among), Some(COUNTED_MAX as u32));
        (0..COUNTED_MAX).for_each(|_| counts.remove(&set(&[7])));
        assert_eq!(counts.keep_rarest(&mut among), Some(0));
    }

    proptest! {
        /// MAP-26: the rarest of some are those that a plain count says.
        #[test]
        fn the_rarest_are_as_counted_one_by_one(
            ends in prop::collection::vec(prop::collection::vec(0..COUNT, 0..80), 0..24),
            gone in 0_usize..24,
            one in 0..COUNT,
            among in prop::collection::vec(0..COUNT, 0..60),
        ) {
            let sets: Vec<_> = ends.iter().map(|end| set(end)).collect();
            let mut counts = Counts::none(COUNT);
            sets.iter().for_each(|end| counts.add(end));
            sets.iter().take(gone).for_each(|end| counts.remove(end));
            counts.add(&set(&[]));
            counts.add_one(one);
            let count = |piece: u32| {
                let ends = sets.iter().skip(gone).filter(|end| end.contains(piece)).count() as u32;
                ends + u32::from(piece == one)
            };
            let mut words = set(&among).words;
            let least = pieces(&words).into_iter().map(count).min();
            let rarest: Vec<_> =
                pieces(&words).into_iter().filter(|piece| Some(count(*piece)) == least).collect();
            prop_assert_eq!(counts.keep_rarest(&mut words), least);
            prop_assert_eq!(pieces(&words), rarest);
        }
    }
}
