//! Which tick of this machine a word of the host's is of that names none: as many before the host's own as the last that
//! did. Knows no place.
//!
//! The host's copy goes on with its client's inputs whether it takes the client's word or not, so a word without a tick is
//! as old as one with. Compared with the present, who falls at 1.5 wu a tick would be off by nothing but its lag, be put
//! back by a round trip, say so, be too far behind for the host to take it, and so on until it lands (PRED-40, ours).

use mjolnir_wire::Tick;

/// Host tick less client tick, as the last word that named one had it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lag {
    ticks: Option<i32>,
}

impl Lag {
    /// A word of that host's tick named that one.
    pub(crate) fn note(&mut self, word: Tick, named: Tick) {
        self.ticks = Some(word.since(named));
    }

    /// The tick that a word of that host's tick is of; none while none was named.
    pub(crate) fn guess(self, word: Tick) -> Option<Tick> {
        Tick::new(word.get().checked_sub(self.ticks?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PRED-40: a word without a tick is of as many ticks before as the last that named one; of none before one did.
    #[test]
    fn a_word_is_as_old_as_the_last() {
        let tick = |number| Tick::new(number).unwrap();
        let mut lag = Lag::default();
        assert_eq!(lag.guess(tick(200)), None);
        lag.note(tick(106), tick(100));
        assert_eq!(lag.guess(tick(200)), Some(tick(194)));
        lag.note(tick(300), tick(310));
        assert_eq!(lag.guess(tick(400)), Some(tick(410)));
        lag.note(tick(106), tick(100));
        assert_eq!(lag.guess(tick(3)), None);
    }
}
