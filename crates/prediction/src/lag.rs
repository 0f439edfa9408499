//! Which tick of this machine a word of the host's is of that names none: as many before the host's own as the last that
//! did. Knows no place.
//!
//! The host's copy goes on with its client's inputs whether it takes the client's word or not, so a word without a tick is
//! as old as one with. Compared with the present, who falls at 1.5 wu a tick would be off by nothing but its lag, be put
//! back by a round trip, say so, be too far behind for the host to take it, and so on until it lands (PRED-40, ours).

use mjolnir_wire::Tick;

/// Ticks for which what a word named holds for those that name none (ours): in as many of falling at any speed nobody's clock
/// is put right twice. A host that left out ticks of its own, and a client whose clock jumped, are as many apart for good,
/// and no word says so while none of the client's is taken: what is still refused by then is as old as words are.
pub(crate) const LAG_HOLDS: u32 = 30;

/// Words are no older than a round trip and this, in ticks: one that named a tick of before the clock jumped looks older.
const LATE: u32 = 3;

/// What the last word that named a tick said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Noted {
    /// Host tick less client tick.
    ticks: i32,
    /// Ticks of this machine since the one that it named.
    age: u32,
    /// When it came.
    at: Tick,
}

/// What words that name ticks say of those that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lag {
    noted: Option<Noted>,
}

impl Lag {
    /// A word of that host's tick, come before the tick `now` of this machine, named that one.
    pub(crate) fn note(&mut self, now: Tick, word: Tick, named: Tick) {
        let age = u32::try_from(now.since(named)).unwrap_or(0);
        self.noted = Some(Noted { ticks: word.since(named), age, at: now });
    }

    /// The tick that a word of that host's tick is of, come before the tick `now`; none while none was named, or not of late.
    pub(crate) fn by_tick(self, now: Tick, word: Tick) -> Option<Tick> {
        let Noted { ticks, at, .. } = self.noted?;
        let holds = now.since(at) <= LAG_HOLDS as i32;
        if holds { Tick::new(word.get().checked_sub(ticks)?) } else { None }
    }

    /// The tick that a word come before the tick `now` is of, by how old words are; none while none was named.
    pub(crate) fn by_age(self, now: Tick, round_trip: u32) -> Option<Tick> {
        self.noted.map(|noted| now.minus(noted.age.min(round_trip + LATE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// PRED-40: a word without a tick is of as many ticks before as the last that named one; of none before one did.
    #[test]
    fn a_word_is_as_old_as_the_last() {
        let mut lag = Lag::default();
        assert_eq!(lag.by_tick(tick(200), tick(200)), None);
        lag.note(tick(107), tick(106), tick(100));
        assert_eq!(lag.by_tick(tick(120), tick(200)), Some(tick(194)));
        lag.note(tick(312), tick(300), tick(310));
        assert_eq!(lag.by_tick(tick(330), tick(320)), Some(tick(330)));
        lag.note(tick(107), tick(106), tick(100));
        assert_eq!(lag.by_tick(tick(107), tick(3)), None);
    }

    /// PRED-40: after thirty ticks of none that named one, what the last named is no more; a word is as old as that one was,
    /// and no older than a round trip and three ticks.
    #[test]
    fn what_was_named_holds_for_a_second() {
        let mut lag = Lag::default();
        assert_eq!(lag.by_age(tick(136), 6), None);
        lag.note(tick(106), tick(106), tick(100));
        assert_eq!(lag.by_tick(tick(136), tick(90)), Some(tick(84)));
        assert_eq!(lag.by_tick(tick(137), tick(90)), None);
        assert_eq!(lag.by_age(tick(137), 6), Some(tick(131)));
        assert_eq!(lag.by_age(tick(137), 2), Some(tick(132)));
    }
}
