//! A list with at most one item for each index of the host's half, found by it. Knows nothing of the items.

use alloc::vec::Vec;

use mjolnir_wire::limits::FIRST_OWN_OBJECT;

/// See the file's text. It allocates while it grows, to [`FIRST_OWN_OBJECT`] items at most, and keeps what it has.
#[derive(Debug)]
pub(crate) struct ByIndex<T> {
    /// One more than the place of an index's item; 0 without one.
    places: Vec<u16>,
    items: Vec<(u16, T)>,
}

impl<T> ByIndex<T> {
    pub(crate) fn new() -> Self {
        Self { places: alloc::vec![0; FIRST_OWN_OBJECT], items: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|(_, item)| item)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut().map(|(_, item)| item)
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let place = usize::from(*self.places.get(index)?);
        self.items.get_mut(place.wrapping_sub(1)).map(|(_, item)| item)
    }

    /// Puts that item in the place of the one of its index. Past the host's half there is no place.
    pub(crate) fn put(&mut self, index: usize, item: T) {
        if let Some(old) = self.get_mut(index) {
            *old = item;
        } else if let Some(place) = self.places.get_mut(index) {
            self.items.push((index as u16, item));
            *place = self.items.len() as u16;
        }
    }

    /// Keeps those items of which that is true; the others' order may change.
    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(&mut T) -> bool) {
        let mut at = 0;
        while let Some((index, item)) = self.items.get_mut(at) {
            if keeps(item) {
                at += 1;
                continue;
            }
            self.places[usize::from(*index)] = 0;
            self.items.swap_remove(at);
            if let Some((moved, _)) = self.items.get(at) {
                self.places[usize::from(*moved)] = at as u16 + 1;
            }
        }
    }

    pub(crate) fn remove(&mut self, index: usize) {
        if let Some(place) = self.places.get_mut(index)
            && let Some(at) = usize::from(core::mem::take(place)).checked_sub(1)
        {
            self.items.swap_remove(at);
            if let Some((moved, _)) = self.items.get(at) {
                self.places[usize::from(*moved)] = at as u16 + 1;
            }
        }
    }

    /// Hands each item to `take`, in the order in which they were put, and keeps none.
    pub(crate) fn take_all(&mut self, mut take: impl FnMut(T)) {
        for (index, item) in self.items.drain(..) {
            self.places[usize::from(index)] = 0;
            take(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_has_one_item() {
        let mut list = ByIndex::new();
        for (index, item) in [(7, 'a'), (0, 'b'), (4095, 'c'), (7, 'd')] {
            list.put(index, item);
        }
        assert_eq!(list.get_mut(7).copied(), Some('d'));
        list.put(4096, 'e');
        assert_eq!(list.get_mut(4096), None);
        let mut taken = Vec::new();
        list.take_all(|item| taken.push(item));
        assert_eq!(taken, ['d', 'b', 'c']);
        assert!([7, 0, 4095].iter().all(|index| list.get_mut(*index).is_none()));
    }

    #[test]
    fn what_stays_is_found_after_others_went() {
        let mut list = ByIndex::new();
        for index in 0..100 {
            list.put(index, index);
        }
        list.retain(|item| *item % 3 == 0);
        list.remove(99);
        list.remove(98);
        for index in 0..100 {
            let stays = index % 3 == 0 && index != 99;
            assert_eq!(list.get_mut(index).copied(), stays.then_some(index));
        }
    }
}
