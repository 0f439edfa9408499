//! What is to be said to one connection, as little as says it: frames are made of it when they can leave, so nothing piles up
//! for an end that does not read (MAP-83). Knows no bytes.

use mjolnir_wire::mapshare::{File, FileSet};

/// Unanswered requests of one connection at most (MAP-77).
pub const REQUESTS_PER_CONNECTION: usize = 2;
/// Requests, cancels and requests of hashes that wait to leave at most. Honest ends read long before: two requests and the cancels
/// of two go out each half minute where nothing comes.
const ORDERS: usize = 16;
/// Pieces that may wait to be told one by one; whoever lags further is told anew what there is.
pub(super) const NEWS_MAX: usize = 64;

/// A frame of a file and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Request(File, u32),
    Cancel(File, u32),
    Hashes(File, u32),
}

/// A piece that the other end asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) file: File,
    pub(super) piece: u32,
    /// Where the next block begins.
    pub(super) offset: u32,
}

/// What is to be said, and in part what was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saying {
    /// It has not been said.
    pub(super) hello: bool,
    /// Nothing was said for long.
    pub(super) idle: bool,
    /// Files of which is to be told what there is.
    pub(super) haves: FileSet,
    /// Files of which it was told.
    pub(super) told: FileSet,
    /// How many of the pieces that this machine got were told, or need not be.
    pub(super) news: usize,
    /// Hashes that were asked for: the next of each file.
    pub(super) hashes: [Option<u32>; File::ALL.len()],
    asks: [Option<Ask>; ORDERS],
    asked: [Option<Asked>; REQUESTS_PER_CONNECTION],
}

impl Saying {
    pub(super) const fn new() -> Self {
        Self {
            hello: true,
            idle: false,
            haves: FileSet::NONE,
            told: FileSet::NONE,
            news: 0,
            hashes: [None; File::ALL.len()],
            asks: [None; ORDERS],
            asked: [None; REQUESTS_PER_CONNECTION],
        }
    }

    /// It is to be asked; whether there was place. A request that is taken back before it left never leaves.
    pub(super) fn ask(&mut self, ask: Ask) -> bool {
        if let Ask::Cancel(file, piece) = ask
            && remove(&mut self.asks, &Ask::Request(file, piece))
        {
            return true;
        }
        push(&mut self.asks, ask)
    }

    /// Nothing is asked any more: what waits to be is dropped, but for what takes back.
    pub(super) fn ask_nothing(&mut self) {
        for ask in core::mem::replace(&mut self.asks, [None; ORDERS]).into_iter().flatten() {
            if matches!(ask, Ask::Cancel(..)) {
                push(&mut self.asks, ask);
            }
        }
    }

    /// What is to be asked next.
    pub(super) const fn next_ask(&self) -> Option<Ask> {
        self.asks[0]
    }

    /// It was asked.
    pub(super) fn did_ask(&mut self) {
        pop(&mut self.asks);
    }

    /// The other end asks for a piece; whether it may.
    pub(super) fn request(&mut self, file: File, piece: u32) -> bool {
        push(&mut self.asked, Asked { file, piece, offset: 0 })
    }

    /// It asks for it no more.
    pub(super) fn cancel(&mut self, file: File, piece: u32) {
        let is_it = |asked: &Asked| (asked.file, asked.piece) == (file, piece);
        if let Some(asked) = self.asked().find(is_it) {
            remove(&mut self.asked, &asked);
        }
    }

    /// What it asked for, in order.
    pub(super) fn asked(&self) -> impl Iterator<Item = Asked> + use<> {
        self.asked.into_iter().flatten()
    }

    /// A block of the first of them has gone; where the next begins, if there is one.
    pub(super) fn served(&mut self, next: Option<u32>) {
        match (next, &mut self.asked[0]) {
            (Some(offset), Some(asked)) => asked.offset = offset,
            _ => pop(&mut self.asked),
        }
    }

    /// That file is not there any more: what was asked of it is not answered.
    pub(super) fn lose(&mut self, file: File) {
        while let Some(asked) = self.asked().find(|asked| asked.file == file) {
            remove(&mut self.asked, &asked);
        }
        self.hashes[file.index()] = None;
    }

    /// What there is of that file is to be told, if it was told before or there is something.
    pub(super) fn tell(&mut self, file: File) {
        self.haves = self.haves.with(file);
    }
}

fn push<T: Copy, const N: usize>(list: &mut [Option<T>; N], item: T) -> bool {
    match list.iter_mut().find(|place| place.is_none()) {
        Some(place) => {
            *place = Some(item);
            true
        }
        None => false,
    }
}

fn pop<T: Copy, const N: usize>(list: &mut [Option<T>; N]) {
    list[0] = None;
    list.rotate_left(1);
}

fn remove<T: Copy + PartialEq, const N: usize>(list: &mut [Option<T>; N], item: &T) -> bool {
    match list.iter().position(|place| place.as_ref() == Some(item)) {
        Some(at) => {
            list[at] = None;
            list[at..].rotate_left(1);
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MAP-77: two are taken, the third is not; one that is taken back makes place for another, and the order stays.
    #[test]
    fn two_requests_are_taken_and_no_third() {
        let mut saying = Saying::new();
        assert!(saying.request(File::Map, 1) && saying.request(File::Loc, 2));
        assert!(!saying.request(File::Map, 3));
        saying.cancel(File::Map, 9);
        saying.cancel(File::Map, 1);
        assert!(saying.request(File::Map, 3));
        assert_eq!(saying.asked().map(|asked| asked.piece).collect::<alloc::vec::Vec<_>>(), [2, 3]);
        saying.served(Some(16_384));
        assert_eq!(saying.asked().next().map(|asked| asked.offset), Some(16_384));
        saying.served(None);
        assert_eq!(saying.asked().next().map(|asked| asked.piece), Some(3));
        saying.lose(File::Map);
        assert_eq!(saying.asked().count(), 0);
    }

    /// MAP-80, 83: a request that is cancelled before it left leaves no trace, and what waits is bounded.
    #[test]
    fn what_is_asked_does_not_pile_up() {
        let mut saying = Saying::new();
        assert!(saying.ask(Ask::Request(File::Map, 1)) && saying.ask(Ask::Cancel(File::Map, 1)));
        assert_eq!(saying.next_ask(), None);
        assert!((0..16).all(|piece| saying.ask(Ask::Cancel(File::Map, piece))));
        assert!(!saying.ask(Ask::Request(File::Map, 0)));
        for piece in 0..16 {
            assert_eq!(saying.next_ask(), Some(Ask::Cancel(File::Map, piece)));
            saying.did_ask();
        }
    }
}
