//! One game while it is played: its folder, its two copies, and what their logs say to the state machine. Knows
//! nothing of other games.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::config::{self, Alike};
use crate::copy;
use crate::folder::{Folder, Work};
use crate::follow::{self, Follower};
use crate::game::{Failing, Fault, Game, Seen, Step};
use crate::kept::Kept;
use crate::options::{Play, Screen};
use crate::plan::{Plan, Role};
use crate::report::{Outcome, Report};

/// Seconds that a copy may last beside its game and all patience: it quits by itself where nobody stopped it.
const SPARE_SECONDS: f64 = 60.0;

/// A copy: where it is, what it writes, what keeps it.
#[derive(Debug)]
struct Copy {
    kept: Kept,
    follower: Follower,
    output: PathBuf,
}

/// A game.
#[derive(Debug)]
pub(crate) struct Playing {
    plan: Plan,
    patience: u64,
    started: Instant,
    game: Game,
    /// The host's and the client's; none where one could not be started. Before the folder: it goes after them.
    copies: Option<[Copy; 2]>,
    /// Why there are none.
    unstarted: Option<String>,
    folder: Folder,
}

impl Playing {
    /// Makes a game's folder and starts its copies. A copy that cannot be started is that game's error.
    pub(crate) fn begin(now: Instant, plan: Plan, play: &Play, work: &Work) -> io::Result<Self> {
        let folder = work.game(&plan.folder())?;
        let (copies, unstarted) = match start(&plan, play, &folder) {
            Ok(copies) => (Some(copies), None),
            Err((role, error)) => {
                let who = plan.build(role);
                (None, Some(format!("{who} {} ({error})", Failing::Start)))
            }
        };
        let game = Game::new(play.seconds, play.patience);
        let patience = play.patience.as_secs();
        Ok(Self { plan, patience, started: now, game, copies, unstarted, folder })
    }

    /// Its place among all.
    pub(crate) const fn index(&self) -> usize {
        self.plan.index
    }

    /// Goes on. What came of it, once its copies are gone; its folder stays then.
    pub(crate) fn poll(&mut self, now: Instant) -> Option<Report> {
        let is_done = match &mut self.copies {
            None => true,
            Some(copies) => {
                let [host, client] = copies;
                let seen = [see(host), see(client)];
                match self.game.step(now.saturating_duration_since(self.started), seen) {
                    Step::Wait => false,
                    Step::Stop => {
                        copies.iter().for_each(|copy| copy.kept.stop());
                        false
                    }
                    Step::Kill => {
                        copies.iter().for_each(|copy| copy.kept.kill());
                        false
                    }
                    Step::Done => true,
                }
            }
        };
        is_done.then(|| self.finish())
    }

    /// Asks both copies to end, whatever their game.
    pub(crate) fn stop(&self) {
        self.copies.iter().flatten().for_each(|copy| copy.kept.stop());
    }

    /// Has both killed.
    pub(crate) fn kill(&self) {
        self.copies.iter().flatten().for_each(|copy| copy.kept.kill());
    }

    /// Whether both are gone.
    pub(crate) fn is_gone(&mut self) -> bool {
        self.copies.iter_mut().flatten().all(|copy| copy.kept.ended().is_some())
    }

    /// Judges what was logged, keeps it, and keeps the folder.
    fn finish(&mut self) -> Report {
        let path = self.folder.path();
        let mut unkept = None;
        let lines = Role::BOTH.map(|role| path.join(format!("{}.log", role.name())));
        for (role, lines) in Role::BOTH.into_iter().zip(&lines) {
            let end = path.join(format!("{}-debug.txt", role.name()));
            if let Err(error) = follow::keep(&copy::log(&path.join(role.name())), lines, &end) {
                unkept.get_or_insert_with(|| format!("{}'s log: {error}", self.plan.build(role)));
            }
        }
        let [host, client] = lines.map(|lines| follow::read(&lines));
        // A log that cannot be read tells less than why its copy went.
        let judged = Report::of_logs(host, client);
        let why = self.unstarted.take().or_else(|| self.game.fault().map(|fault| self.tell(fault)));
        let why = why.or(unkept);
        let (outcome, figures) = match why {
            Some(why) => (Outcome::Error(why), judged.figures),
            None => (judged.outcome, judged.figures),
        };
        self.folder.keep();
        Report { game: Some(self.plan.to_string()), outcome, figures }
    }

    /// What went wrong, in words: whose build, what, and how it ended with what it said last.
    fn tell(&self, fault: Fault) -> String {
        let who = format!("{} {}", self.plan.build(fault.role), fault.failing);
        let Some(ended) = fault.ended else { return format!("{who} (for {} s)", self.patience) };
        let copy = self.copies.as_ref().map(|copies| &copies[fault.role.index()]);
        let said = copy.and_then(|copy| follow::last_said(&copy.output));
        format!("{who} ({ended}{})", said.map(|said| format!(": {said}")).unwrap_or_default())
    }
}

/// Seconds after which a copy quits by itself: more than it may take with patience for its start, its joining, each second
/// that it logs and the next.
fn exit_after(seconds: u32, patience: Duration) -> f64 {
    (f64::from(seconds) + 3.0) * patience.as_secs_f64().max(1.0) + SPARE_SECONDS
}

/// Prepares both copies, then starts both: the host first.
fn start(plan: &Plan, play: &Play, folder: &Folder) -> Result<[Copy; 2], (Role, io::Error)> {
    let alike = Alike {
        seed: play.seed,
        events: play.events,
        window: play.screen != Screen::Headless,
        exit_after: exit_after(play.seconds, play.patience),
    };
    let address = plan.address(std::process::id());
    let prepare = |role: Role| {
        let own = folder.path().join(role.name());
        let build = &play.builds[plan.build(role).index()];
        let config = config::text(plan, role, address, &alike);
        let command = copy::prepare(&own, build, &config, play.maps_folder.as_deref());
        command.map(|command| (own, command)).map_err(|error| (role, error))
    };
    // Both folders are there, whichever of the two cannot be.
    let [host, client] = Role::BOTH.map(prepare);
    let start = |role: Role, (own, command): (PathBuf, Vec<_>)| {
        let kept = Kept::start(&command, &own, &play.screen).map_err(|error| (role, error))?;
        Ok(Copy { kept, follower: Follower::new(copy::log(&own)), output: copy::output(&own) })
    };
    let (host, client) = (host?, client?);
    Ok([start(Role::Host, host)?, start(Role::Client, client)?])
}

/// What is seen of a copy. Whether it ended comes first: what it wrote until then is read after.
fn see(copy: &mut Copy) -> Seen {
    let ended = copy.kept.ended();
    // A log that cannot be read says nothing now; why is told in the end.
    let _ = copy.follower.read();
    let has_log = copy.follower.has_any();
    Seen {
        said: has_log || copy.output.metadata().is_ok_and(|file| file.len() > 0),
        has_log,
        seconds: copy.follower.seconds(),
        is_over: copy.follower.is_over(),
        ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy that takes all its patience for each second is not cut short by its own settings; the longest is in the
    /// setting's range.
    #[test]
    fn no_copy_quits_before_its_time() {
        let of = |seconds, patience| exit_after(seconds, Duration::from_secs(patience));
        assert_eq!(of(60, 30), 63.0 * 30.0 + 60.0);
        assert_eq!(of(60, 1), 123.0);
        assert!(of(86_400, 3_600) < 1e9);
    }
}
