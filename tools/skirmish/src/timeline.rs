//! When a network test that nobody steers does what (TOOL-70): a host sets its game up, chooses it, brings its player and
//! starts; a machine that joins looks for a game and, once it is let in, brings its player. Knows moments, and no machine.

use std::collections::VecDeque;

use mjolnir_wire::Moment;

/// How long a machine stands in its menu before it does anything, in microseconds.
pub const MENU: u64 = 2 * Moment::SECOND;
/// From a game that is set up to its map and variant.
pub const GAME_AFTER: u64 = Moment::SECOND;
/// From them to the host's own player.
pub const PLAYER_AFTER: u64 = 2 * Moment::SECOND;
/// From being let in to a joining machine's own player.
pub const JOINER_AFTER: u64 = 3 * Moment::SECOND;
/// How long a game's scores are shown before the next begins.
pub const SCORES_FOR: u64 = 3 * Moment::SECOND;
/// How long a machine that browses looks before it chooses (TOOL-20).
pub const BROWSE_FOR: u64 = 5 * Moment::SECOND;

/// What a machine does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A host has a game that others find.
    SetUp,
    /// A host chooses its map and variant.
    Game,
    /// A machine's own player comes, on its first controller.
    Player,
    /// A host starts.
    Start,
    /// A machine that joins looks for a game.
    Look,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// When the step before was done; none while something is waited for that has no time.
    since: Option<Moment>,
    /// The steps to come, and how long after the one before each is due.
    waiting: VecDeque<(u64, Step)>,
}

impl Timeline {
    /// A host's, which starts so many seconds after its player is there.
    pub fn host(now: Moment, start_after: f64) -> Self {
        let start = (start_after * 1e6) as u64;
        let steps = [
            (MENU, Step::SetUp),
            (GAME_AFTER, Step::Game),
            (PLAYER_AFTER, Step::Player),
            (start, Step::Start),
        ];
        Self { since: Some(now), waiting: steps.into() }
    }

    /// That of a machine that is to join a game, until it looks for one.
    pub fn menu(now: Moment) -> Self {
        Self { since: Some(now), waiting: [(MENU, Step::Look)].into() }
    }

    /// That of a machine that joins: it stands still until [`Timeline::let_in`].
    pub fn joiner() -> Self {
        Self { since: None, waiting: [(JOINER_AFTER, Step::Player)].into() }
    }

    /// The host has let the machine in.
    pub const fn let_in(&mut self, now: Moment) {
        if self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Somebody does not wait: all that is to come is due.
    pub fn hurry(&mut self) {
        self.waiting.iter_mut().for_each(|(after, _)| *after = 0);
    }

    /// The step that is due; each once, and one after the other.
    pub fn next_due(&mut self, now: Moment) -> Option<Step> {
        let since = self.since?;
        let (_, step) = self.waiting.pop_front_if(|(after, _)| now >= since.plus(*after))?;
        self.since = Some(now);
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Moment {
        Moment::from_micros(micros)
    }

    /// Each step not a microsecond before it is due, and then once.
    fn walk(mut timeline: Timeline, steps: &[(u64, Step)]) {
        for (due, step) in steps {
            assert_eq!(timeline.next_due(at(due - 1)), None, "{step:?}");
            assert_eq!(timeline.next_due(at(*due)), Some(*step));
        }
        assert_eq!(timeline.next_due(at(u64::MAX)), None);
    }

    /// TOOL-70: a host's steps at two seconds, one, two and its own number of seconds after each other; both sides of each.
    #[test]
    fn a_host_does_each_step_at_its_time() {
        let second = Moment::SECOND;
        let steps = |start: u64| {
            [
                (7 + 2 * second, Step::SetUp),
                (7 + 3 * second, Step::Game),
                (7 + 5 * second, Step::Player),
                (7 + 5 * second + start, Step::Start),
            ]
        };
        walk(Timeline::host(at(7), 15.0), &steps(15 * second));
        walk(Timeline::host(at(7), 0.5), &steps(second / 2));
    }

    /// TOOL-70: a machine that joins looks for a game after two seconds, and brings its player three seconds after it is let
    /// in, however long that takes.
    #[test]
    fn a_joiner_does_each_step_at_its_time() {
        let second = Moment::SECOND;
        walk(Timeline::menu(at(7)), &[(7 + 2 * second, Step::Look)]);
        let mut joiner = Timeline::joiner();
        assert_eq!(joiner.next_due(at(u64::MAX)), None);
        joiner.let_in(at(90 * second));
        joiner.let_in(at(91 * second));
        walk(joiner, &[(93 * second, Step::Player)]);
    }

    /// TOOL-70: what is late makes what comes after it late: no step is due the moment after the one before.
    #[test]
    fn a_step_is_so_long_after_the_one_before() {
        let second = Moment::SECOND;
        let mut host = Timeline::host(at(0), 1.0);
        assert_eq!(host.next_due(at(60 * second)), Some(Step::SetUp));
        let rest = [(61, Step::Game), (63, Step::Player), (64, Step::Start)];
        walk(host, &rest.map(|(due, step)| (due * second, step)));
    }

    /// One that is hurried leaves nothing out.
    #[test]
    fn what_is_hurried_comes_at_once_and_in_order() {
        let mut host = Timeline::host(at(0), 15.0);
        assert_eq!(host.next_due(at(MENU)), Some(Step::SetUp));
        host.hurry();
        let rest: Vec<_> = std::iter::from_fn(|| host.next_due(at(MENU))).collect();
        assert_eq!(rest, [Step::Game, Step::Player, Step::Start]);
    }

    /// TOOL-20, TOOL-70: scores are shown three seconds, and games listed five.
    #[test]
    fn scores_and_lists_have_their_time() {
        assert_eq!((SCORES_FOR, BROWSE_FOR), (3_000_000, 5_000_000));
    }
}
