//! A run: all its games, so many at once, told of in their order; and its end, by a signal too (TOOL-40). Knows no
//! game's inside.

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crate::folder::Work;
use crate::game::Step;
use crate::options::Play;
use crate::plan::plans;
use crate::playing::Playing;
use crate::report::{self, Outcome, Report};
use crate::signals::Signals;

/// How often games are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How long copies may take to end in order where a signal stops the program, before they are killed; and how long
/// they are waited for then.
const STOP_GRACE: Duration = Duration::from_secs(1);
const STOP_KILLED: Duration = Duration::from_millis(700);

/// What was told so far, and what waits for an earlier game.
#[derive(Debug, Default)]
struct Told {
    waiting: BTreeMap<usize, Report>,
    outcomes: Vec<Outcome>,
    next: usize,
}

impl Told {
    fn take(&mut self, index: usize, report: Report) {
        self.waiting.insert(index, report);
        while let Some(report) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.tell(report);
        }
    }

    fn tell(&mut self, report: Report) {
        report::say(&report.to_string());
        self.outcomes.push(report.outcome);
    }

    /// Tells what waits for games that will not end any more.
    fn tell_rest(&mut self) {
        std::mem::take(&mut self.waiting).into_values().for_each(|report| self.tell(report));
    }
}

/// Plays all games and tells of them. The program's exit code.
pub(crate) fn play(play: &Play) -> io::Result<ExitCode> {
    let signals = Signals::listen()?;
    let work = Work::open()?;
    let named = |error: io::Error| io::Error::other(format!("{}: {error}", work.path().display()));
    let plans = plans(&play.maps, play.swap);
    let all = plans.len();
    let mut plans = plans.into_iter();
    let (mut running, mut told) = (Vec::<Playing>::new(), Told::default());
    loop {
        if let Some(signal) = signals.take() {
            end(running, &signals);
            told.tell_rest();
            let played = told.outcomes.len();
            report::complain(&format!("stopped by signal {signal}, with {played} of {all} games played"));
            finish(&work, &told.outcomes, false);
            return Ok(ExitCode::from(128_u8.saturating_add(signal)));
        }
        while running.len() < play.jobs
            && let Some(plan) = plans.next()
        {
            // A game that cannot begin is an error of its own: it takes nothing from what the others found (TOOL-39).
            let (index, game) = (plan.index, plan.to_string());
            match Playing::begin(Instant::now(), plan, play, &work) {
                Ok(playing) => running.push(playing),
                Err(error) => told.take(index, Report::unbegun(game, named(error).to_string())),
            }
        }
        if running.is_empty() {
            break;
        }
        let now = Instant::now();
        let mut at = 0;
        while at < running.len() {
            match running[at].poll(now) {
                Some(report) => {
                    let ended = running.remove(at);
                    told.take(ended.index(), report);
                }
                None => at += 1,
            }
        }
        thread::sleep(LOOK);
    }
    let code = report::code(&told.outcomes);
    if code == 0 {
        work.clear().map_err(named)?;
    }
    finish(&work, &told.outcomes, code == 0);
    Ok(ExitCode::from(code))
}

fn finish(work: &Work, outcomes: &[Outcome], are_logs_gone: bool) {
    let summary = report::summary(outcomes);
    if are_logs_gone || outcomes.is_empty() {
        report::say(&summary);
    } else {
        report::say(&format!("{summary}; logs in {}", work.path().display()));
    }
}

/// Ends the games that run. Their folders go.
fn end(mut running: Vec<Playing>, signals: &Signals) {
    running.iter().for_each(Playing::stop);
    let (told, mut ending) = (Instant::now(), Ending::default());
    loop {
        let are_gone = running.iter_mut().all(Playing::is_gone);
        match ending.step(told.elapsed(), are_gone, signals.take().is_some()) {
            Step::Done => break,
            Step::Kill => running.iter().for_each(Playing::kill),
            Step::Stop | Step::Wait => thread::sleep(LOOK),
        }
    }
}

/// The end of copies that were asked to end because of a signal: in order, unless that takes too long or another signal
/// says at once.
#[derive(Debug, Default)]
struct Ending {
    /// When they were killed.
    killed: Option<Duration>,
}

impl Ending {
    /// Goes on to `now`, which counts from when they were asked.
    fn step(&mut self, now: Duration, are_gone: bool, is_told_again: bool) -> Step {
        match self.killed {
            _ if are_gone => Step::Done,
            None if is_told_again || now >= STOP_GRACE => {
                self.killed = Some(now);
                Step::Kill
            }
            Some(killed) if now.saturating_sub(killed) >= STOP_KILLED => Step::Done,
            _ => Step::Wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// TOOL-40: copies that do not end are killed after a second, at once on a second signal, and waited for in vain for
    /// less than two seconds in all.
    #[test]
    fn copies_that_do_not_end_are_killed() {
        let mut ending = Ending::default();
        assert_eq!(ending.step(at(0), false, false), Step::Wait);
        assert_eq!(ending.step(at(999), false, false), Step::Wait);
        assert_eq!(ending.step(at(1_000), false, false), Step::Kill);
        assert_eq!(ending.step(at(1_699), false, true), Step::Wait);
        assert_eq!(ending.step(at(1_700), false, false), Step::Done);

        let mut ending = Ending::default();
        assert_eq!(ending.step(at(20), false, true), Step::Kill);
        assert_eq!(ending.step(at(40), false, false), Step::Wait);
        assert_eq!(ending.step(at(60), true, false), Step::Done);
        assert_eq!(Ending::default().step(at(0), true, false), Step::Done);
    }
}
