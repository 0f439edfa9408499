//! Variants in turn: which is played, how long its scores are shown. Knows no machine.

use std::collections::VecDeque;

use mjolnir_wire::Moment;

use crate::timeline::SCORES_FOR;

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// Those to come.
    waiting: VecDeque<String>,
    /// When the scores have been shown long enough.
    shown: Option<Moment>,
}

impl Turns {
    /// The variants after the first, which is played already.
    pub(super) fn after_the_first(variants: &[&str]) -> Self {
        Self { waiting: variants.iter().skip(1).map(|name| (*name).to_owned()).collect(), ..Self::default() }
    }

    /// The game is over. Whether another comes, before which the scores are shown from now on.
    pub(super) fn over(&mut self, now: Moment) -> bool {
        let has_next = !self.waiting.is_empty();
        self.shown = has_next.then(|| now.plus(SCORES_FOR));
        has_next
    }

    /// Whether scores are shown now, between two games.
    pub(super) const fn is_between(&self) -> bool {
        self.shown.is_some()
    }

    /// The variant to begin with now, once the scores have been shown long enough; each once.
    pub(super) fn next_due(&mut self, now: Moment) -> Option<String> {
        self.shown.take_if(|shown| now >= *shown)?;
        self.waiting.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GLUE-22, TOOL-70: each variant after the first comes once, in order, after its scores were shown; then there is none.
    #[test]
    fn each_comes_in_its_turn() {
        let mut turns = Turns::after_the_first(&["a", "b", "c"]);
        let at = |seconds: u64| Moment::from_micros(seconds * Moment::SECOND);
        assert_eq!((turns.next_due(at(100)), turns.is_between()), (None, false));
        for (from, next) in [(10, "b"), (20, "c")] {
            assert!(turns.over(at(from)) && turns.is_between());
            assert_eq!(turns.next_due(Moment::from_micros(at(from).as_micros() + SCORES_FOR - 1)), None);
            assert_eq!(
                turns.next_due(Moment::from_micros(at(from).as_micros() + SCORES_FOR)).as_deref(),
                Some(next)
            );
            assert_eq!((turns.next_due(at(90)), turns.is_between()), (None, false));
        }
        assert!(!turns.over(at(30)) && !turns.is_between());
        assert_eq!(turns.next_due(at(90)), None);
    }
}
