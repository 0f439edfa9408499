//! Which tick of this machine a word of the host's is of that names none. Knows no place.
//!
//! The host's copy goes on with its client's inputs whether it takes the client's word or not, so a word without a tick is
//! as old as one with. Compared with the present, who falls at 1.5 wu a tick would be off by nothing but its lag, be put
//! back by a round trip, say so, be too far behind for the host to take it, and so on until it lands (PRED-40, ours).
//!
//! How old those words are that come soonest, the last that named a tick said; any other is as much older as it comes
//! later. How late words come is counted against the host's own ticks, and anew where words or ticks were left out: a host
//! whose clock stood is as many ticks behind for good, and a client whose clock jumped is as many ahead. The copy of such a
//! host is driven by what its client does now, from where it was before: that is what the two are then found to be apart.

use mjolnir_wire::Tick;

/// Words of which the least is kept (ours): that of the last half second to second, so that clocks that went apart are known
/// by then and jitter changes nothing.
const WINDOW: u32 = 15;

/// Ticks between two words by which none was left out but for a loss (ours).
const UNBROKEN: i32 = 3;

/// Words since some were left out by which it is known how late they come (ours): the first may have been held up.
const KNOWN_AFTER: u32 = 3;

/// Words since some were left out after which the tick that one names is the one that it is of (ours). Before, a host whose clock
/// stood counts on from what it took last (AUTH-33) or takes what was on its way then.
const SETTLED_AFTER: u32 = 10;

/// The least of the last numbers: those of a window, and those of the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Least {
    least: [Option<i32>; 2],
    count: u32,
}

impl Least {
    fn note(&mut self, number: i32) -> i32 {
        if self.count == WINDOW {
            *self = Self { least: [None, self.least[0]], count: 0 };
        }
        self.count += 1;
        self.least[0] = Some(self.least[0].map_or(number, |least| least.min(number)));
        self.least.into_iter().flatten().fold(number, i32::min)
    }
}

/// When words come, and how old they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lag {
    /// Ticks by which a word that comes as soon as any is old; none while none named a tick.
    age: Option<i32>,
    /// This machine's tick less the host's, of the words that came soonest.
    late: i32,
    least: Least,
    /// Words since some were left out.
    words: u32,
    /// The host's tick of the last word, and this machine's as it came.
    last: Option<(Tick, Tick)>,
}

impl Lag {
    /// A word of that host's tick, come before the tick `now` of this machine, named that one or none.
    pub(crate) fn note(&mut self, now: Tick, word: Tick, named: Option<Tick>) {
        let (theirs, ours) = self.last.replace((word, now)).unwrap_or((word, now));
        if word.since(theirs) > UNBROKEN || now.since(ours) > UNBROKEN {
            (self.least, self.words) = (Least::default(), 0);
        }
        self.words = self.words.saturating_add(1);
        self.late = self.least.note(now.since(word));
        if let Some(named) = named
            && (self.age.is_none() || self.words > SETTLED_AFTER)
        {
            self.age = Some(word.since(named).saturating_add(self.late));
        }
    }

    /// Whether a word ever named a tick.
    pub(crate) const fn is_known(self) -> bool {
        self.age.is_some()
    }

    /// The tick that a word of that host's tick is of; none while that is not known.
    pub(crate) fn of(self, word: Tick) -> Option<Tick> {
        let age = self.age.filter(|_| self.words >= KNOWN_AFTER)?;
        Tick::new(word.get().checked_add(self.late)?.checked_sub(age)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// Words of the host's ticks 100 to 129 a tick each, two ticks later, each of six ticks before it comes.
    fn steady() -> Lag {
        let mut lag = Lag::default();
        (100..130).for_each(|word| lag.note(tick(word + 2), tick(word), Some(tick(word - 4))));
        lag
    }

    /// PRED-40: a word without a tick is of as many ticks before as the last that named one, sooner or later as it comes; of
    /// none before one did.
    #[test]
    fn a_word_is_as_old_as_the_last() {
        let mut lag = Lag::default();
        lag.note(tick(100), tick(98), None);
        assert!(!lag.is_known());
        assert_eq!(lag.of(tick(98)), None);
        let mut lag = steady();
        assert!(lag.is_known());
        for (now, word) in [(132, 130), (135, 131), (135, 132), (135, 133)] {
            lag.note(tick(now), tick(word), None);
            assert_eq!(lag.of(tick(word)), Some(tick(word - 4)), "{now}");
        }
        assert_eq!(lag.of(tick(3)), None);
    }

    /// PRED-40: words that come two ticks later for good, and nothing was left out, are of two ticks later after half a second to a
    /// second of it; those that come sooner of sooner ones at once.
    #[test]
    fn clocks_that_went_apart_are_known() {
        let mut lag = steady();
        for word in 130..160 {
            lag.note(tick(word + 4), tick(word), None);
            let of = if word < 145 { word - 4 } else { word - 2 };
            assert_eq!(lag.of(tick(word)), Some(tick(of)), "{word}");
        }
        lag.note(tick(161), tick(160), None);
        assert_eq!(lag.of(tick(160)), Some(tick(155)));
    }

    /// PRED-40: after a host's clock stood 15 ticks its words are of as many ticks later, once three of them say so;
    /// whatever ticks the first ten name.
    #[test]
    fn a_host_whose_clock_stood_is_behind() {
        let mut lag = steady();
        for (words, word) in (1..).zip(130..139) {
            let named = (words <= 5).then(|| tick(word - 4));
            lag.note(tick(word + 17), tick(word), named);
            assert_eq!(lag.of(tick(word)), (words >= 3).then(|| tick(word + 11)), "{words}");
        }
    }

    /// PRED-40: after ticks were left out the eleventh word is the first whose tick is believed: by it words are two
    /// ticks older.
    #[test]
    fn what_is_named_counts_again() {
        for (words, age) in [(10, 6), (11, 8)] {
            let mut lag = steady();
            for word in 140..140 + words {
                lag.note(tick(word + 2), tick(word), Some(tick(word - 6)));
            }
            assert_eq!(lag.of(tick(200)), Some(tick(202 - age)), "{words}");
        }
    }

    /// PRED-40: three ticks between two words are a loss; four are left out.
    #[test]
    fn a_loss_leaves_nothing_out() {
        for (gap, is_known) in [(3, true), (4, false)] {
            let mut lag = steady();
            lag.note(tick(131 + gap), tick(129 + gap), None);
            assert_eq!(lag.of(tick(129 + gap)).is_some(), is_known, "word {gap}");
            let mut lag = steady();
            lag.note(tick(131 + gap), tick(130), None);
            assert_eq!(lag.of(tick(130)).is_some(), is_known, "tick {gap}");
        }
    }
}
