//! Console lines that run at ticks of the game (TOOL-29): a file's lines `TICK COMMAND`, counted from the first tick
//! that every player is in. Knows no command's effect and no machine.

use std::collections::VecDeque;
use std::fmt;

use mjolnir_wire::Tick;

use crate::console::{self, HostLine, Line, Refusal};
use crate::orders::{self, Outcome};

/// What came of a cue.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// It was done.
    Done,
    /// The program is to do it.
    Wanted(Line),
    /// It was not done, and why.
    Refused(String),
}

/// A cue that ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The tick before whose simulation it ran.
    pub tick: Tick,
    /// The line.
    pub text: String,
    /// What came of it.
    pub came: Came,
}

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Cues {
    waiting: VecDeque<(u32, String)>,
    /// The first tick that every player is in.
    from: Option<Tick>,
    ran: Vec<Ran>,
}

/// The line of a file, from 1, that is no cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadLine(pub usize);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: not TICK COMMAND", self.0)
    }
}

impl Cues {
    /// Reads a file's text. Empty lines are passed over; lines of one tick run in their order.
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let mut waiting = Vec::new();
        // An editor's byte order mark is no part of the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let cue = line.trim().split_once(char::is_whitespace);
            let cue = cue.and_then(|(tick, command)| Some((tick.parse().ok()?, command.trim().to_owned())));
            waiting.push(cue.ok_or(BadLine(number))?);
        }
        waiting.sort_by_key(|(tick, _)| *tick);
        Ok(Self { waiting: waiting.into(), ..Self::default() })
    }

    /// Whether they wait for every player to be in.
    pub fn wait_for_all(&self) -> bool {
        self.from.is_none() && !self.waiting.is_empty()
    }

    /// Runs what is due before that tick is simulated. `all_in` says whether every player is in by now; `apply` does a
    /// host's line to the world, or says why not.
    pub fn run(
        &mut self,
        tick: Tick,
        all_in: bool,
        mut apply: impl FnMut(&HostLine) -> Result<Outcome, String>,
    ) {
        let Some(from) = self.from.or(all_in.then_some(tick)) else { return };
        self.from = Some(from);
        while let Some((_, text)) =
            self.waiting.pop_front_if(|(at, _)| i64::from(*at) <= i64::from(tick.since(from)))
        {
            let came = match console::parse(&text) {
                None => continue,
                Some(Err(Refusal::Unknown)) => Came::Refused("no such command".into()),
                Some(Err(Refusal::Usage(usage))) => Came::Refused(format!("usage: {usage}")),
                Some(Ok(Line::Host(line))) => match apply(&line) {
                    Ok(Outcome::Done) => Came::Done,
                    Ok(Outcome::Ends) => Came::Wanted(Line::Host(line)),
                    Err(why) => Came::Refused(why),
                },
                Some(Ok(line)) => Came::Wanted(line),
            };
            self.ran.push(Ran { tick, text, came });
        }
    }

    /// Those that ran since this was last asked.
    pub fn take_ran(&mut self) -> Vec<Ran> {
        std::mem::take(&mut self.ran)
    }
}

/// What a host's line comes to where another machine is the host.
pub fn refuse(_: &HostLine) -> Result<Outcome, String> {
    Err(orders::CLIENT.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// TOOL-29: counted from the first tick that all are in, whatever comes after; each runs at its tick, once.
    #[test]
    fn a_cue_runs_at_its_tick() {
        let mut cues = Cues::parse("90 kill Ann\n\n  0 start \n90 end\n30 fly\n31 kill\n").unwrap();
        for now in 95..300 {
            cues.run(tick(now), now == 100, |line| match line {
                HostLine::Kill(name, _) => Err(format!("no {name}")),
                _ => Ok(Outcome::Ends),
            });
        }
        let ran: Vec<_> =
            cues.take_ran().into_iter().map(|ran| (ran.tick.get(), ran.text, ran.came)).collect();
        assert_eq!(
            ran,
            [
                (100, "start".into(), Came::Wanted(Line::Start)),
                (130, "fly".into(), Came::Refused("no such command".into())),
                (131, "kill".into(), Came::Refused("usage: kill NAME [BY]".into())),
                (190, "kill Ann".into(), Came::Refused("no Ann".into())),
                (190, "end".into(), Came::Wanted(Line::Host(HostLine::End))),
            ]
        );
        assert_eq!(cues.take_ran(), []);
    }

    /// A tick that a client's clock leaves out takes no cue with it.
    #[test]
    fn a_tick_left_out_is_made_good() {
        let mut cues = Cues::parse("5 quit").unwrap();
        cues.run(tick(10), true, refuse);
        assert_eq!(cues.take_ran(), []);
        cues.run(tick(20), false, refuse);
        assert_eq!(cues.take_ran()[0].tick, tick(20));
    }

    /// TOOL-29: a cue past the last tick there is has no tick to run at.
    #[test]
    fn a_cue_past_the_last_tick_does_not_run() {
        let mut cues = Cues::parse("47 quit\n48 quit\n4294967295 quit").unwrap();
        cues.run(tick(i32::MAX - 47), true, refuse);
        cues.run(Tick::LAST, true, refuse);
        assert_eq!(cues.take_ran().len(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let mut cues = Cues::parse("\u{feff}0 quit\r\n").unwrap();
        cues.run(tick(1), true, refuse);
        assert_eq!(cues.take_ran()[0].text, "quit");
    }

    #[test]
    fn a_line_that_is_no_cue_is_named() {
        for (text, line) in [("quit", 1), ("1 quit\n-1 quit", 2), ("\n1.5 quit", 2), ("7", 1)] {
            assert_eq!(Cues::parse(text).unwrap_err(), BadLine(line), "{text:?}");
        }
    }
}
