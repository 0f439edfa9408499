//! One game from its copies' start to their end, as a state machine: what the logs say comes in with the time, what is
//! to be done with the copies goes out, and what went wrong is kept. Knows no process, no file and no clock.

use std::fmt;
use std::time::Duration;

use crate::keeper::Ended;
use crate::plan::Role;

/// How long a copy that was asked to end may take before it is killed.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// How long one that was killed is waited for.
const KILLED: Duration = Duration::from_secs(5);
/// How long a client is waited for that has not logged the end of a game which is over on its host; and a copy that
/// ended in order, whose game may be over by what the other's log says next.
const SETTLE: Duration = Duration::from_secs(3);

/// What is seen of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// It said anything at all.
    pub(crate) said: bool,
    /// Its log has anything in it.
    pub(crate) has_log: bool,
    /// Seconds that it logged of the last game.
    pub(crate) seconds: u32,
    /// That game is over.
    pub(crate) is_over: bool,
    /// It ended by itself, or after it was asked to.
    pub(crate) ended: Option<Ended>,
}

/// What is to be done with the copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing.
    Wait,
    /// Both are asked to end.
    Stop,
    /// Both are killed.
    Kill,
    /// Both are gone.
    Done,
}

/// What a copy did not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failing {
    /// Start.
    Start,
    /// Join.
    Join,
    /// Log.
    Log,
    /// Live.
    Crashed,
}

/// Why there is nothing to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Whose.
    pub(crate) role: Role,
    /// What it did not do.
    pub(crate) failing: Failing,
    /// How it ended; none where it was waited for in vain.
    pub(crate) ended: Option<Ended>,
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "did not start",
            Self::Join => "did not join",
            Self::Log => "did not log",
            Self::Crashed => "crashed",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not both have said anything.
    Starting,
    /// Not both have logged a second.
    Joining,
    /// Not both have logged all that was asked for.
    Playing,
    /// Both were asked to end.
    Ending,
    /// Both were killed.
    Killed,
}

/// A game.
#[derive(Debug)]
pub(crate) struct Game {
    seconds: u32,
    patience: Duration,
    phase: Phase,
    /// When the phase began.
    since: Duration,
    /// By role, the seconds that it had logged and when that was first seen.
    heard: [(u32, Duration); 2],
    /// By role, when it was first seen to have ended.
    ended: [Option<Duration>; 2],
    fault: Option<Fault>,
}

impl Game {
    /// A game of so many seconds whose copies were just started. Times count from then. Each of them has `patience`
    /// for each step.
    pub(crate) const fn new(seconds: u32, patience: Duration) -> Self {
        Self {
            seconds,
            patience,
            phase: Phase::Starting,
            since: Duration::ZERO,
            heard: [(0, Duration::ZERO); 2],
            ended: [None; 2],
            fault: None,
        }
    }

    /// What went wrong, if anything did.
    pub(crate) const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Goes on to `now` with what is seen of the host and the client.
    pub(crate) fn step(&mut self, now: Duration, seen: [Seen; 2]) -> Step {
        let lasted = now.saturating_sub(self.since);
        let are_gone = seen.iter().all(|copy| copy.ended.is_some());
        match self.phase {
            Phase::Ending | Phase::Killed if are_gone => Step::Done,
            Phase::Ending if lasted >= GRACE => self.enter(now, Phase::Killed, Step::Kill),
            Phase::Killed if lasted >= KILLED => Step::Done,
            Phase::Ending | Phase::Killed => Step::Wait,
            Phase::Starting | Phase::Joining | Phase::Playing => self.play(now, seen),
        }
    }

    fn enter(&mut self, now: Duration, phase: Phase, step: Step) -> Step {
        (self.phase, self.since) = (phase, now);
        step
    }

    fn play(&mut self, now: Duration, seen: [Seen; 2]) -> Step {
        for role in Role::BOTH {
            let (copy, heard) = (&seen[role.index()], &mut self.heard[role.index()]);
            if copy.seconds != heard.0 {
                *heard = (copy.seconds, now);
            }
            if copy.ended.is_some() {
                self.ended[role.index()].get_or_insert(now);
            }
        }
        if self.is_played(now, seen) {
            return self.enter(now, Phase::Ending, Step::Stop);
        }
        // Who ended tells more than who only waits for it; and a client may do either because of its host.
        let ended = Role::BOTH.into_iter().find_map(|role| self.of_ended(now, role, seen));
        self.fault =
            ended.or_else(|| Role::BOTH.into_iter().find_map(|role| self.of_silent(now, role, seen)));
        if self.fault.is_some() {
            return self.enter(now, Phase::Ending, Step::Stop);
        }
        let all = |is: fn(&Seen) -> bool| seen.iter().all(is);
        match self.phase {
            Phase::Starting if all(|copy| copy.said) => self.enter(now, Phase::Joining, Step::Wait),
            Phase::Joining if all(|copy| copy.seconds > 0) => self.enter(now, Phase::Playing, Step::Wait),
            _ => Step::Wait,
        }
    }

    /// Whether a copy logged all that was asked for.
    const fn has_all(&self, copy: &Seen) -> bool {
        copy.seconds >= self.seconds || copy.is_over
    }

    fn is_played(&self, now: Duration, seen: [Seen; 2]) -> bool {
        let [host, client] = &seen;
        let (_, last_heard) = self.heard[Role::Host.index()];
        let is_settled = host.is_over && client.seconds > 0 && now.saturating_sub(last_heard) >= SETTLE;
        self.has_all(host) && (self.has_all(client) || is_settled)
    }

    /// What it means that a copy ended before it logged all.
    fn of_ended(&self, now: Duration, role: Role, seen: [Seen; 2]) -> Option<Fault> {
        let copy = &seen[role.index()];
        let ended = copy.ended.filter(|_| !self.has_all(copy))?;
        let since = self.ended[role.index()].unwrap_or(now);
        let failing = match (ended, role) {
            // 126 and 127: what should have run it said so.
            (Ended::Code(126 | 127), _) if copy.seconds == 0 => Failing::Start,
            (_, Role::Host) if !copy.has_log => Failing::Start,
            // It refused to: bad arguments, settings or files, or its address is another's.
            (Ended::Code(2), Role::Host) if copy.seconds == 0 => Failing::Start,
            (_, Role::Client) if !copy.said => Failing::Start,
            (Ended::Signal(_) | Ended::Untold, _) => Failing::Crashed,
            (Ended::Code(_), Role::Client) if copy.seconds == 0 => Failing::Join,
            (Ended::Code(0), _) if copy.seconds > 0 && now.saturating_sub(since) < SETTLE => return None,
            (Ended::Code(0), _) => Failing::Log,
            (Ended::Code(_), _) => Failing::Crashed,
        };
        Some(Fault { role, failing, ended: Some(ended) })
    }

    /// What it means that a copy which runs says nothing, or nothing more.
    fn of_silent(&self, now: Duration, role: Role, seen: [Seen; 2]) -> Option<Fault> {
        let copy = &seen[role.index()];
        let (_, heard) = self.heard[role.index()];
        let lacks = match (self.phase, role) {
            (Phase::Starting, _) => (!copy.said).then_some((self.since, Failing::Start)),
            (Phase::Joining, Role::Host) => (copy.seconds == 0).then_some((self.since, Failing::Log)),
            (Phase::Joining, Role::Client) => (copy.seconds == 0).then_some((self.since, Failing::Join)),
            _ => (!self.has_all(copy)).then_some((heard, Failing::Log)),
        };
        let (since, failing) = lacks?;
        let is_late = now.saturating_sub(since) >= self.patience;
        is_late.then_some(Fault { role, failing, ended: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);
    const SILENT: Seen = Seen { said: false, has_log: false, seconds: 0, is_over: false, ended: None };
    const UP: Seen = Seen { said: true, has_log: true, ..SILENT };

    const fn logged(seconds: u32) -> Seen {
        Seen { seconds, ..UP }
    }

    const fn ended(copy: Seen, how: Ended) -> Seen {
        Seen { ended: Some(how), ..copy }
    }

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn game() -> Game {
        Game::new(60, PATIENCE)
    }

    /// What a game makes of what is seen one after another.
    #[track_caller]
    fn ends(seen: &[(u64, [Seen; 2])], role: Role, failing: Failing) {
        let mut game = game();
        let (last, before) = seen.split_last().unwrap();
        for (millis, seen) in before {
            assert_eq!(game.step(at(*millis), *seen), Step::Wait, "{millis}");
        }
        assert_eq!(game.step(at(last.0), last.1), Step::Stop);
        let fault = game.fault().map(|fault| (fault.role, fault.failing));
        assert_eq!(fault, Some((role, failing)));
    }

    /// Both log all that is asked for: both are asked to end, killed after five seconds, and no longer waited for.
    #[test]
    fn a_game_is_played_and_ended() {
        let mut game = game();
        assert_eq!(game.step(at(0), [SILENT; 2]), Step::Wait);
        assert_eq!(game.step(at(1_000), [UP; 2]), Step::Wait);
        assert_eq!(game.step(at(9_000), [logged(1), logged(1)]), Step::Wait);
        assert_eq!(game.step(at(38_000), [logged(60), logged(59)]), Step::Wait);
        assert_eq!(game.step(at(39_000), [logged(61), logged(60)]), Step::Stop);
        let gone = ended(logged(61), Ended::Signal(15));
        assert_eq!(game.step(at(43_999), [gone, logged(60)]), Step::Wait);
        assert_eq!(game.step(at(44_000), [gone, logged(60)]), Step::Kill);
        assert_eq!(game.step(at(44_100), [gone, logged(60)]), Step::Wait);
        assert_eq!(game.step(at(44_200), [gone, gone]), Step::Done);
        assert_eq!(game.fault(), None);
        assert_eq!(game.step(at(49_000), [gone, logged(60)]), Step::Done);
    }

    /// TOOL-37: a copy that says nothing, that has no game, and that stops logging are told apart, at the patience's end.
    #[test]
    fn who_is_silent_is_named() {
        ends(&[(29_999, [SILENT, UP]), (30_000, [SILENT, UP])], Role::Host, Failing::Start);
        ends(&[(0, [UP, SILENT]), (30_000, [UP, SILENT])], Role::Client, Failing::Start);
        let up = (5_000, [UP; 2]);
        ends(&[up, (34_999, [logged(25), UP]), (35_000, [logged(25), UP])], Role::Client, Failing::Join);
        ends(&[up, (34_999, [UP; 2]), (35_000, [UP; 2])], Role::Host, Failing::Log);
        let first = (9_000, [logged(1); 2]);
        let more = (20_000, [logged(12); 2]);
        let (before, late) = ((49_999, [logged(40), logged(12)]), (50_000, [logged(41), logged(12)]));
        ends(&[up, first, more, before, late], Role::Client, Failing::Log);
    }

    /// TOOL-68: a copy that a signal or a code other than 0 ended before its game's seconds were logged has crashed; one
    /// that ends after them has not.
    #[test]
    fn who_crashed_is_named() {
        let (up, first) = ((5_000, [UP; 2]), (9_000, [logged(1); 2]));
        for how in [Ended::Signal(6), Ended::Code(101), Ended::Untold] {
            let seen = [up, first, (12_000, [logged(4), ended(logged(4), how)])];
            ends(&seen, Role::Client, Failing::Crashed);
            let seen = [up, first, (12_000, [ended(logged(4), how), logged(4)])];
            ends(&seen, Role::Host, Failing::Crashed);
        }
        ends(&[up, (6_000, [UP, ended(UP, Ended::Signal(11))])], Role::Client, Failing::Crashed);
        // The host's end is the cause where both ended.
        let crashed = ended(logged(4), Ended::Signal(6));
        ends(&[up, first, (12_000, [crashed; 2])], Role::Host, Failing::Crashed);
        let mut game = game();
        assert_eq!(game.step(at(0), [UP; 2]), Step::Wait);
        assert_eq!(game.step(at(1), [ended(logged(60), Ended::Signal(6)), logged(60)]), Step::Stop);
        assert_eq!(game.fault(), None);
    }

    /// What a copy's end means before it logged a second.
    #[test]
    fn who_ended_early_is_named() {
        let said = Seen { said: true, ..SILENT };
        ends(&[(100, [ended(said, Ended::Code(127)), UP])], Role::Host, Failing::Start);
        ends(&[(100, [UP, ended(UP, Ended::Code(126))])], Role::Client, Failing::Start);
        ends(&[(100, [ended(said, Ended::Code(2)), UP])], Role::Host, Failing::Start);
        ends(&[(100, [ended(UP, Ended::Code(2)), UP])], Role::Host, Failing::Start);
        ends(&[(100, [ended(UP, Ended::Code(101)), UP])], Role::Host, Failing::Crashed);
        let refused = ended(logged(1), Ended::Code(2));
        ends(&[(100, [refused, logged(1)])], Role::Host, Failing::Crashed);
        ends(&[(100, [ended(UP, Ended::Code(0)), UP])], Role::Host, Failing::Log);
        ends(&[(100, [UP, ended(SILENT, Ended::Signal(11))])], Role::Client, Failing::Start);
        ends(&[(100, [UP, ended(said, Ended::Code(3))])], Role::Client, Failing::Join);
        ends(&[(100, [UP, ended(UP, Ended::Code(0))])], Role::Client, Failing::Join);
    }

    /// A game that is over before its seconds are is judged as far as it goes; a copy that left without is not.
    #[test]
    fn a_game_that_is_over_is_enough() {
        let over = Seen { is_over: true, ..logged(20) };
        let mut both = game();
        assert_eq!(both.step(at(0), [logged(20); 2]), Step::Wait);
        assert_eq!(both.step(at(1), [over, over]), Step::Stop);
        assert_eq!(both.fault(), None);
        let mut late = game();
        let left = ended(logged(19), Ended::Code(0));
        assert_eq!(late.step(at(0), [logged(19); 2]), Step::Wait);
        assert_eq!(late.step(at(1_000), [over, left]), Step::Wait);
        assert_eq!(late.step(at(3_999), [over, left]), Step::Wait);
        assert_eq!(late.step(at(4_000), [over, left]), Step::Stop);
        assert_eq!(late.fault(), None);
        let going = |seconds| [logged(seconds), left];
        ends(
            &[(0, [logged(19); 2]), (1_000, going(20)), (3_999, going(22)), (4_000, going(23))],
            Role::Client,
            Failing::Log,
        );
    }
}
