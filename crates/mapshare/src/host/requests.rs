//! When a machine's requests are taken: five seconds apart, the last of those that came meanwhile (MAP-58). Knows no map.

use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::Request;

/// Microseconds from one request of a machine that is taken to the next (MAP-58).
pub const REQUEST_PERIOD: u64 = 5 * Moment::SECOND;

/// One machine's.
#[derive(Debug, Default)]
pub(super) struct Requests {
    taken: Option<Moment>,
    waiting: Option<Request>,
}

impl Requests {
    /// One came: it takes the place of one that waits.
    pub(super) fn put(&mut self, request: Request) {
        self.waiting = Some(request);
    }

    /// The one that is to be taken by now.
    pub(super) fn take(&mut self, now: Moment) -> Option<Request> {
        if self.taken.is_some_and(|taken| now.since(taken) < REQUEST_PERIOD) {
            return None;
        }
        let request = self.waiting.take()?;
        self.taken = Some(now);
        Some(request)
    }

    /// Whether one waits for its turn.
    pub(super) const fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// What waits is not wanted any more.
    pub(super) fn forget(&mut self) {
        self.waiting = None;
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::mapshare::{File, FileSet};
    use mjolnir_wire::packets::text::Chars;

    use super::*;

    fn request(file: File) -> Request {
        Request { lacked: FileSet::only(file), level: Chars::new("custom_maps\\a").unwrap() }
    }

    /// MAP-58: three in a second: the first at once, the third after five seconds, and nothing else.
    #[test]
    fn the_last_of_those_that_came_too_soon_waits() {
        let mut requests = Requests::default();
        let at = Moment::from_millis;
        requests.put(request(File::Map));
        assert_eq!(requests.take(at(100)), Some(request(File::Map)));
        requests.put(request(File::Bitmaps));
        assert_eq!(requests.take(at(500)), None);
        requests.put(request(File::Loc));
        assert_eq!(requests.take(Moment::from_micros(5_099_999)), None);
        assert_eq!(requests.take(at(5_100)), Some(request(File::Loc)));
        assert_eq!(requests.take(at(60_000)), None);
    }
}
