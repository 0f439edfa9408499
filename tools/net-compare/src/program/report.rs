//! What came of games: what is printed of each and of all, and the exit code. Knows no process.

use std::fmt;
use std::io::{self, Write as _};

use mjolnir_net_compare::{Figures, Line, Verdict, judge};

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The machines agree.
    Pass,
    /// They do not: the first divergence.
    Fail(String),
    /// There is nothing to judge: why.
    Error(String),
}

/// A game's block: what came of it, then a line of figures.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Which game; none of two logs alone.
    pub(crate) game: Option<String>,
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// In numbers, as far as there is anything.
    pub(crate) figures: Figures,
}

impl Report {
    /// Of a game that could not even begin.
    pub(crate) fn unbegun(game: String, why: String) -> Self {
        Self { game: Some(game), outcome: Outcome::Error(why), figures: Figures::default() }
    }

    /// Judges a host's log and a client's.
    pub(crate) fn of_logs(host: Result<Vec<Line>, String>, client: Result<Vec<Line>, String>) -> Self {
        let (outcome, figures) = match (host, client) {
            (Ok(host), Ok(client)) => {
                let judgement = judge(&host, &client);
                let outcome = match judgement.verdict {
                    Verdict::Pass => Outcome::Pass,
                    Verdict::Fail(divergence) => Outcome::Fail(divergence.to_string()),
                    Verdict::Error(why) => Outcome::Error(why.to_string()),
                };
                (outcome, judgement.figures)
            }
            (Err(why), _) | (_, Err(why)) => (Outcome::Error(why), Figures::default()),
        };
        Self { game: None, outcome, figures }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, why) = match &self.outcome {
            Outcome::Pass => ("PASS", None),
            Outcome::Fail(why) => ("FAIL", Some(why)),
            Outcome::Error(why) => ("ERROR", Some(why)),
        };
        f.write_str(word)?;
        if let Some(game) = &self.game {
            write!(f, " {game}")?;
        }
        if let Some(why) = why {
            write!(f, "{} {why}", if self.game.is_some() { ":" } else { "" })?;
        }
        write!(f, "\n    {}", self.figures)
    }
}

/// The exit code (TOOL-39): a divergence is the finding, an error only a gap in it.
pub(crate) fn code<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> u8 {
    outcomes.into_iter().fold(0, |code, outcome| match (code, outcome) {
        (1, _) | (_, Outcome::Fail(_)) => 1,
        (_, Outcome::Error(_)) => 2,
        (code, Outcome::Pass) => code,
    })
}

/// The last line: how many games came to what.
pub(crate) fn summary<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> String {
    let mut counts = [0; 3];
    for outcome in outcomes {
        counts[match outcome {
            Outcome::Pass => 0,
            Outcome::Fail(_) => 1,
            Outcome::Error(_) => 2,
        }] += 1;
    }
    let [passed, failed, errors] = counts;
    let counted = |count: u32, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let games = counted(passed + failed + errors, "game");
    format!("{games}: {passed} passed, {failed} failed, {}", counted(errors, "error"))
}

/// Prints; where nobody reads any more the games go on, for the exit code.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Says on standard error that something is not as it should be; where nobody reads that any more the exit code says it.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "net-compare: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn outcomes() -> [Outcome; 3] {
        [Outcome::Pass, Outcome::Fail(String::new()), Outcome::Error(String::new())]
    }

    /// TOOL-39: every pair, both ways round: a failure beats an error, an error a pass.
    #[test]
    fn the_worst_finding_is_the_code() {
        let [pass, fail, error] = &outcomes();
        assert_eq!(code([]), 0);
        for (pair, wanted) in [
            ([pass, pass], 0),
            ([pass, fail], 1),
            ([fail, error], 1),
            ([pass, error], 2),
            ([fail, fail], 1),
            ([error, error], 2),
        ] {
            let [first, second] = pair;
            assert_eq!([code([first, second]), code([second, first])], [wanted; 2]);
        }
    }

    /// TOOL-37: what is printed of a game, and of two logs.
    #[test]
    fn blocks_as_printed() {
        let game = Some(String::from("flat (A hosts, B joins)"));
        let figures = Figures::default();
        let shown = |game: &Option<String>, outcome: Outcome| {
            Report { game: game.clone(), outcome, figures }.to_string().split_once('\n').unwrap().0.to_owned()
        };
        assert_eq!(shown(&game, Outcome::Pass), "PASS flat (A hosts, B joins)");
        let fail = Outcome::Fail("player 1 tick 330 position (host a, client b)".into());
        let said = "player 1 tick 330 position (host a, client b)";
        assert_eq!(shown(&game, fail.clone()), format!("FAIL flat (A hosts, B joins): {said}"));
        assert_eq!(shown(&None, fail), format!("FAIL {said}"));
        let error = Outcome::Error("B did not join".into());
        assert_eq!(shown(&game, error), "ERROR flat (A hosts, B joins): B did not join");
        let block = Report { game, outcome: Outcome::Pass, figures }.to_string();
        assert!(block.ends_with(&format!("\n    {figures}")), "{block}");
        let all = outcomes();
        assert_eq!(summary(&all), "3 games: 1 passed, 1 failed, 1 error");
        assert_eq!(summary(&all[..1]), "1 game: 1 passed, 0 failed, 0 errors");
    }
}
