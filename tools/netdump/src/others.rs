//! The streams of a capture that are at other ports than the one that is shown: for whoever gave a port that nothing
//! uses. Knows no message and no capture.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

/// Streams that are counted; of more it is said that there are as many or more. Ours.
pub const COUNTED: usize = 4096;
/// Ports that are named of them. Ours.
const NAMED: usize = 3;

/// See the module's text.
#[derive(Debug, Default)]
pub struct Others {
    is_used: bool,
    /// Both ends of each, the lower first.
    streams: BTreeSet<(SocketAddr, SocketAddr)>,
}

impl Others {
    /// Whether one of those ends is at that port: then it is used.
    pub fn is_asked_for(&mut self, port: u16, from: SocketAddr, to: SocketAddr) -> bool {
        let is_it = [from.port(), to.port()].contains(&port);
        self.is_used |= is_it;
        is_it
    }

    /// A stream is left out.
    pub fn stream(&mut self, from: SocketAddr, to: SocketAddr) {
        if !self.is_used && self.streams.len() < COUNTED {
            self.streams.insert((from.min(to), from.max(to)));
        }
    }

    /// What was left out, where nothing used the port: how many streams, and the ports that most of them have, since a
    /// host's is in all of its own.
    pub fn left_out(&self) -> Option<String> {
        let count = self.streams.len();
        if self.is_used || count == 0 {
            return None;
        }
        let mut ports: BTreeMap<u16, usize> = BTreeMap::new();
        for (one, other) in &self.streams {
            for port in BTreeSet::from([one.port(), other.port()]) {
                *ports.entry(port).or_default() += 1;
            }
        }
        let mut ports: Vec<_> = ports.into_iter().collect();
        ports.sort_by_key(|(_, streams)| Reverse(*streams));
        let mut named: Vec<_> = ports.iter().take(NAMED).map(|(port, _)| port.to_string()).collect();
        if ports.len() > NAMED {
            named.push("…".into());
        }
        let more = if count == COUNTED { " or more" } else { "" };
        let streams = if count == 1 { "stream" } else { "streams" };
        Some(format!(
            "{count}{more} {streams} of other ports left out ({}); --port chooses",
            named.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(port: usize) -> SocketAddr {
        SocketAddr::from(([10, 0, (port >> 16) as u8, 1], port as u16))
    }

    /// The port that most streams have is named first, both ways are one stream, and nothing is said once the port that
    /// is shown is used.
    #[test]
    fn the_port_of_most_streams_is_named_first() {
        let mut others = Others::default();
        assert_eq!(others.left_out(), None);
        others.stream(at(40_001), at(7000));
        others.stream(at(7000), at(40_001));
        assert_eq!(
            others.left_out().unwrap(),
            "1 stream of other ports left out (7000, 40001); --port chooses"
        );
        others.stream(at(40_002), at(7000));
        others.stream(at(443), at(40_003));
        assert_eq!(
            others.left_out().unwrap(),
            "3 streams of other ports left out (7000, 443, 40001, …); --port chooses"
        );
        assert!(!others.is_asked_for(5150, at(5151), at(5149)));
        assert!(others.left_out().is_some());
        assert!(others.is_asked_for(5150, at(5150), at(1)));
        assert_eq!(others.left_out(), None);
    }

    /// Both sides of the number that is counted.
    #[test]
    fn so_many_are_counted() {
        let mut others = Others::default();
        for port in 1..COUNTED {
            others.stream(at(port), at(60_000));
        }
        assert!(others.left_out().unwrap().starts_with("4095 streams of"));
        for port in COUNTED..COUNTED + 2 {
            others.stream(at(port), at(60_000));
        }
        assert!(others.left_out().unwrap().starts_with("4096 or more streams of"));
    }
}
